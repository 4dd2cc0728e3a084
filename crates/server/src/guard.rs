//! What every API route does before its handler: say who calls, count the request, and refuse
//! writes that another site's page may have caused. The order is that of contract section 1.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath, Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::clock;
use crate::credentials::{Caller, identify};
use crate::error::ApiError;
use crate::secrets;
use crate::state::AppState;
use crate::throttle::{Limits, Verdict};

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everybody.
    Public,
    /// Signed-in accounts.
    Account,
}

/// What a route demands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    /// Who may call it.
    pub access: Access,
    /// How often.
    pub limits: Limits,
}

/// Applies a policy around a handler.
pub(crate) async fn guard(
    State((state, policy)): State<(AppState, Policy)>,
    mut request: Request,
    next: Next,
) -> Response {
    let caller = match policy.access {
        Access::Public => None,
        Access::Account => match identify(&state, request.headers()).await {
            Ok(caller) => Some(caller),
            Err(refusal) => return refusal.into_response(),
        },
    };
    let verdict =
        (state.settings.rate_limit).then(|| count(&state, policy, &request, caller.as_ref()));
    let admitted = admit(verdict.as_ref(), caller.as_ref(), &request);
    let mut response = if let Err(refusal) = admitted {
        refusal.into_response()
    } else {
        if let Some(caller) = caller {
            request.extensions_mut().insert(caller);
        }
        next.run(request).await
    };
    if let Some(verdict) = verdict {
        verdict.describe(response.headers_mut());
    }
    response
}

fn count(state: &AppState, policy: Policy, request: &Request, caller: Option<&Caller>) -> Verdict {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("", MatchedPath::as_str);
    let client = match caller {
        Some(caller) => caller.user_id.to_string(),
        None => address(request.extensions()).to_string(),
    };
    let route = (request.method().as_str(), route);
    state
        .throttle
        .count(route, &client, policy.limits, clock::now())
}

fn address(extensions: &axum::http::Extensions) -> IpAddr {
    extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip())
}

fn admit(
    verdict: Option<&Verdict>,
    caller: Option<&Caller>,
    request: &Request,
) -> Result<(), ApiError> {
    if verdict.is_some_and(|verdict| !verdict.allowed) {
        return Err(ApiError::TooManyRequests);
    }
    let cookie_session = caller
        .and_then(|caller| caller.session.as_ref())
        .filter(|session| session.by_cookie);
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let Some(session) = cookie_session.filter(|_| !reads) else {
        return Ok(());
    };
    if !is_same_origin(request.headers()) {
        return Err(ApiError::Forbidden(
            "Writes with the session cookie are accepted from the dashboard's own origin only."
                .to_owned(),
        ));
    }
    let sent = request.headers().get("x-csrf-token");
    if sent.is_some_and(|sent| {
        sent.to_str()
            .is_ok_and(|sent| secrets::equal(sent, &session.csrf_token))
    }) {
        return Ok(());
    }
    Err(ApiError::Forbidden(
        "The X-CSRF-Token header is missing or wrong. Read GET /api/auth/session again.".to_owned(),
    ))
}

/// Whether the browser, if it is one, says that the request comes from a page of this server.
///
/// `Sec-Fetch-Site` decides where it is sent: no page can forge it, and it stays right behind a
/// proxy that rewrites `Host`. Without it `Origin` must name the host the request was sent to.
pub(crate) fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |value: &axum::http::HeaderValue| value.to_str().map(str::to_owned).ok();
    if let Some(site) = headers.get("sec-fetch-site") {
        return text(site).is_some_and(|site| site == "same-origin" || site == "none");
    }
    let Some(origin) = headers.get(ORIGIN) else {
        return true;
    };
    let host = headers.get(HOST).and_then(text);
    text(origin)
        .and_then(|origin| {
            origin
                .split_once("://")
                .map(|(_, authority)| authority.to_owned())
        })
        .is_some_and(|authority| host.is_some_and(|host| host.eq_ignore_ascii_case(&authority)))
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| ApiError::internal("a handler asks for a caller on a public route"))
    }
}
