//! Who changed the rule of the scope last, as far as the activity log tells.

use contract::events::{Activity, ActivityPage, Actor, GrantChangeDetails};
use contract::grants::Scope;
use leptos::prelude::*;

use super::state::use_rules;
use crate::browser;

/// The latest recorded change of a scope's row: who and when.
fn last_change(page: &ActivityPage, scope: &Scope, id: &str) -> Option<(Actor, String)> {
    page.activities.iter().find_map(|entry: &Activity| {
        let details = entry.details.clone()?;
        let change: GrantChangeDetails = serde_json::from_value(details).ok()?;
        (change.scope_type == *scope && change.scope_id == id)
            .then(|| (change.actor, entry.created_at.clone()))
    })
}

/// One line about the last change, if there was one.
#[component]
pub fn LastChange() -> impl IntoView {
    let state = use_rules();
    let (scope, id) = (state.scope.get_value(), state.id.get_value());
    let recorded = Memo::new(move |_| {
        state.activity.value().with(|page| {
            page.as_ref()
                .and_then(|page| last_change(page, &scope, &id))
        })
    });
    let stored_at = Memo::new(move |_| {
        state.base.with(|base| {
            let row = base.as_ref()?.row.as_ref()?;
            Some(row.updated_at.clone()).filter(|at| !at.is_empty())
        })
    });
    move || match (recorded.get(), stored_at.get()) {
        (Some((actor, at)), stored) => {
            let what = if stored.is_some() {
                "Last changed"
            } else {
                "Deleted"
            };
            view! {
                <p class="note">
                    {format!("{what} by ")}<bdi>{actor.username}</bdi>{format!(" ({}) · ", actor.via)}
                    <time datetime=at.clone()>{browser::local_time(&at)}</time>
                </p>
            }
            .into_any()
        }
        (None, Some(at)) => {
            let unread = state.activity.failure().with(Option::is_some);
            let by = if unread {
                " · The activity log could not be read, so by whom is not known."
            } else {
                ""
            };
            view! {
                <p class="note">"Last changed "<time datetime=at.clone()>{browser::local_time(&at)}</time>{by}</p>
            }
            .into_any()
        }
        (None, None) => ().into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_change_of_the_same_scope_counts() {
        let entry = |user: &str, scope_id: &str, at: &str| {
            serde_json::json!({
                "id": at, "userId": "u", "actionType": "tool_grant_updated", "status": "completed", "createdAt": at,
                "details": {
                    "resourceType": "toolGrant", "resourceId": "r", "scopeType": "work", "scopeId": scope_id,
                    "actor": {"userId": "u", "username": user, "via": "browser"}, "before": null, "after": null,
                },
            })
        };
        let other = serde_json::json!({
            "id": "x", "userId": "u", "actionType": "agent_paused", "status": "completed", "createdAt": "3",
            "details": {"reason": "manual"},
        });
        let page: ActivityPage = serde_json::from_value(serde_json::json!({
            "activities": [other, entry("bo", "w2", "2"), entry("ada", "w1", "1"), entry("eve", "w1", "0")],
            "total": 4,
        }))
        .expect("a page");
        let found = last_change(&page, &Scope::Work, "w1").expect("a change");
        assert_eq!((found.0.username.as_str(), found.1.as_str()), ("ada", "1"));
        assert_eq!(last_change(&page, &Scope::Tenant, "w1"), None);
    }
}
