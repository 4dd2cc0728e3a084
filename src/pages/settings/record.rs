//! A form about one record of a registry. Its fields are drafts by the name they have on the wire,
//! so that only what was changed is sent, what is typed is never overwritten, and what the server
//! says about a field stands beside that field.

use std::rc::Rc;

use leptos::prelude::*;
use serde_json::{Map, Value};

use crate::api::ApiError;
use crate::components::draft::Draft;
use crate::components::form::ON;
use crate::components::leave::{Save, Unsaved, use_leave};

/// How a field is written in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text that is always there.
    Text,
    /// A text; an empty one is `null`.
    Optional,
    /// On or off.
    Flag,
    /// A list, one entry per line.
    Lines,
}

/// The entries of a list that is typed one per line, with the number of their line from 1.
pub fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines
        .map(|(place, line)| (place + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty())
}

/// What a typed text is in a request.
fn value_of(kind: Kind, text: &str) -> Value {
    match kind {
        Kind::Text => Value::String(text.trim().to_owned()),
        Kind::Optional => match text.trim() {
            "" => Value::Null,
            text => Value::String(text.to_owned()),
        },
        Kind::Flag => Value::Bool(text == ON),
        Kind::Lines => entries(text)
            .map(|(_, line)| Value::String(line.to_owned()))
            .collect(),
    }
}

/// One field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name on the wire.
    pub key: &'static str,
    /// Its name on screen, as it reads in "Name: …".
    pub label: &'static str,
    /// How it is written in a request.
    pub kind: Kind,
}

/// Judges a typed text by the rules of its field, named by its key.
pub type Judge = fn(&str, &str) -> Option<String>;

/// See the module.
#[derive(Clone, Copy)]
pub struct Record {
    fields: &'static [Field],
    drafts: StoredValue<Vec<Draft>>,
    judge: Judge,
    /// Whether sending was tried: what is merely missing is not called wrong before that.
    tried: RwSignal<bool>,
    /// What the server said last.
    said: RwSignal<Option<ApiError>>,
    /// A field that plays no part as the others stand, such as hosts where all can be reached.
    pub skipped: RwSignal<Option<&'static str>>,
    /// Whether a request is on its way.
    pub busy: RwSignal<bool>,
}

impl Record {
    /// Follows a stored record, given as one text per field in the order of `fields`.
    pub fn follow(fields: &'static [Field], stored: Memo<Vec<String>>, judge: Judge) -> Self {
        let drafts = (0..fields.len()).map(|place| {
            Draft::follow(Memo::new(move |_| {
                stored.with(|stored| stored.get(place).cloned().unwrap_or_default())
            }))
        });
        Self {
            fields,
            drafts: StoredValue::new(drafts.collect()),
            judge,
            tried: RwSignal::new(false),
            said: RwSignal::new(None),
            skipped: RwSignal::new(None),
            busy: RwSignal::new(false),
        }
    }

    fn pairs(self) -> Vec<(Field, Draft)> {
        let drafts = self.drafts.try_get_value().unwrap_or_default();
        self.fields.iter().copied().zip(drafts).collect()
    }

    /// The fields that play a part now.
    fn parts(self) -> Vec<(Field, Draft)> {
        let skipped = self.skipped.try_get().flatten();
        let mut pairs = self.pairs();
        pairs.retain(|(field, _)| Some(field.key) != skipped);
        pairs
    }

    /// The draft of a field; a lone one for a key that is not of this record.
    pub fn draft(self, key: &str) -> Draft {
        let found = self.pairs().into_iter().find(|(field, _)| field.key == key);
        match found {
            Some((_, draft)) => draft,
            None => Draft::follow(Memo::new(|_| String::new())),
        }
    }

    /// What is wrong with a field: by its rules, or as the server said.
    pub fn problem(self, key: &'static str) -> Signal<Option<String>> {
        let draft = self.draft(key);
        Signal::derive(move || {
            let found = draft.text.with(|text| {
                let shown = !text.trim().is_empty() || self.tried.get();
                shown.then(|| (self.judge)(key, text)).flatten()
            });
            found.or_else(|| {
                self.said
                    .with(|said| said.as_ref().and_then(|said| problem_of(said, key)))
            })
        })
    }

    /// What the server said that belongs to no field.
    pub fn refusal(self) -> Option<String> {
        self.said.with(|said| {
            let said = said.as_ref()?;
            let placed = |field: &Field| problem_of(said, field.key).is_some();
            (!self.fields.iter().any(placed)).then(|| said.sentence())
        })
    }

    /// Whether anything typed differs from what is stored.
    pub fn is_dirty(self) -> bool {
        self.parts().iter().any(|(_, draft)| draft.is_dirty())
    }

    /// Why it cannot be sent as it is.
    pub fn blocked(self) -> Option<String> {
        self.parts().iter().find_map(|(field, draft)| {
            let wrong = draft.text.with(|text| (self.judge)(field.key, text))?;
            let first = wrong.lines().next().unwrap_or_default();
            Some(format!("{}: {first}", field.label))
        })
    }

    /// Notes that sending was tried.
    pub fn try_now(self) {
        self.tried.try_set(true);
    }

    /// Something was typed: what the server said about an earlier text is over.
    pub fn typed(self) -> Callback<()> {
        Callback::new(move |()| {
            if self.said.with_untracked(Option::is_some) {
                self.said.set(None);
            }
        })
    }

    /// Every field as a request carries it, without optional ones that are empty.
    pub fn all(self) -> Map<String, Value> {
        let values = untrack(|| self.parts()).into_iter().map(|(field, draft)| {
            let value = draft.text.with_untracked(|text| value_of(field.kind, text));
            (field.key.to_owned(), value)
        });
        values.filter(|(_, value)| !value.is_null()).collect()
    }

    /// The fields that were changed, as typed.
    pub fn changes(self) -> Vec<(Field, String)> {
        untrack(|| self.parts())
            .into_iter()
            .filter_map(|(field, draft)| Some((field, draft.change()?)))
            .collect()
    }

    /// The outcome of sending `sent` is there; `stored` is what the record reads now.
    pub fn settle(self, sent: &[(Field, String)], stored: &[String]) {
        for (place, (field, draft)) in self.pairs().into_iter().enumerate() {
            let text = sent.iter().find(|(one, _)| *one == field);
            if let (Some((_, text)), Some(now)) = (text, stored.get(place)) {
                draft.stored(text, now.clone());
            }
        }
        self.said.try_set(None);
        self.tried.try_set(false);
    }

    /// The server refused.
    pub fn refuse(self, error: ApiError) {
        self.said.try_set(Some(error));
    }

    /// Gives up what was typed.
    pub fn discard(self) {
        for (_, draft) in self.pairs() {
            draft.discard();
        }
        self.said.set(None);
        self.tried.set(false);
    }

    /// Asks before what is typed is left behind.
    pub fn guard(self, what: String, dirty: Signal<bool>, save: Save) {
        use_leave().guard(Unsaved {
            what,
            dirty,
            blocked: Signal::derive(move || self.blocked()),
            save,
            discard: Rc::new(move || self.discard()),
        });
    }
}

/// What the server said about a field. A name that is taken, and sentences that begin with what
/// they are about, belong to their field as well.
fn problem_of(said: &ApiError, key: &str) -> Option<String> {
    let listed = said.problem_of(key);
    if listed.is_some() {
        return listed;
    }
    let ApiError::Refused {
        status,
        said,
        problems,
        ..
    } = said
    else {
        return None;
    };
    let about = |words: &[&str]| words.iter().any(|word| said.starts_with(word));
    let fits = match key {
        "name" => *status == 409 || about(&["Environment name", "Repository name"]),
        "url" => about(&["Repository URL"]),
        "mountPath" => about(&["Mount path"]),
        "credentialRef" => about(&["Credential reference"]),
        "allowedHosts" => about(&["Invalid allowed host"]),
        _ => false,
    };
    (fits && problems.is_empty()).then(|| said.clone())
}

/// The changed fields as a request carries them.
pub fn body(changes: &[(Field, String)]) -> Map<String, Value> {
    let value =
        |(field, text): &(Field, String)| (field.key.to_owned(), value_of(field.kind, text));
    changes.iter().map(value).collect()
}

/// Problems of a request that no field showed before, as a refusal.
pub fn refused(problems: Vec<String>) -> ApiError {
    ApiError::Refused {
        status: 400,
        said: problems.join(", "),
        problems,
        request_id: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_what_a_request_carries() {
        assert_eq!(value_of(Kind::Text, " a "), Value::from("a"));
        assert_eq!(value_of(Kind::Optional, "  "), Value::Null);
        assert_eq!(value_of(Kind::Flag, ON), Value::Bool(true));
        assert_eq!(
            value_of(Kind::Lines, "a\n\n b \n"),
            Value::from(vec!["a", "b"])
        );
        assert_eq!(value_of(Kind::Lines, "\n"), Value::Array(Vec::new()));
    }

    #[test]
    fn entries_carry_the_number_of_their_line() {
        let found: Vec<_> = entries("a\r\n\n  b").collect();
        assert_eq!(found, [(1, "a"), (3, "b")]);
    }

    #[test]
    fn what_the_server_says_stands_beside_its_field() {
        let refused = |status, said: &str| ApiError::Refused {
            status,
            said: said.to_owned(),
            problems: Vec::new(),
            request_id: None,
        };
        let taken = refused(
            409,
            "A repository named \"x\" already exists in your registry.",
        );
        assert!(problem_of(&taken, "name").is_some());
        assert!(problem_of(&taken, "url").is_none());
        let host = refused(400, "Invalid allowed host: localhost");
        assert!(problem_of(&host, "allowedHosts").is_some());
        assert!(problem_of(&host, "name").is_none());
    }
}
