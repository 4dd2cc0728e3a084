//! Calls of the control plane: one function per endpoint, one `send` for all of them.

pub mod activity;
pub mod agents;
pub mod auth;
pub mod environments;
pub mod error;
pub mod grants;
pub mod mcp;
pub mod mcp_skills;
pub mod repositories;
pub mod skills;

use std::future::Future;
use std::pin::Pin;

use gloo_net::http::{Method, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsCast;

pub use error::ApiError;

use crate::browser::timer::next_task;

/// How long a call may take, in milliseconds.
const DEADLINE: u32 = 30_000;
/// An answer with more bytes is fetched, read and shown in three steps, which together would
/// hold up the page for longer than a person likes to wait.
const LONG: usize = 128 * 1024;

/// Where the control plane is and what authorises a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Client {
    /// Path the API is under, with a slash at both ends.
    pub base: String,
    /// Sent with writes; empty before signing in.
    pub csrf_token: String,
}

/// One request, as the endpoint functions describe it.
struct Call<'a> {
    method: Method,
    path: &'a str,
    body: Option<String>,
    condition: Option<(&'static str, String)>,
    proves_identity: bool,
}

impl<'a> Call<'a> {
    fn new(method: Method, path: &'a str) -> Self {
        Self {
            method,
            path,
            body: None,
            condition: None,
            proves_identity: false,
        }
    }

    /// The body says who is asking: a 401 is about what was sent, not about the session.
    fn proves_identity(mut self) -> Self {
        self.proves_identity = true;
        self
    }

    fn body<B: Serialize>(mut self, body: &B) -> Result<Self, ApiError> {
        let text =
            serde_json::to_string(body).map_err(|error| ApiError::Unreadable(error.to_string()))?;
        self.body = Some(text);
        Ok(self)
    }

    fn when(mut self, condition: Option<(&'static str, String)>) -> Self {
        self.condition = condition;
        self
    }
}

async fn get<T: DeserializeOwned>(client: &Client, path: &str) -> Result<T, ApiError> {
    send(client, Call::new(Method::GET, path)).await
}

async fn send<T: DeserializeOwned>(client: &Client, call: Call<'_>) -> Result<T, ApiError> {
    let body = answer(client, call).await?;
    let read = parse(&body);
    if body.len() > LONG {
        next_task().await;
    }
    read
}

fn parse<T: DeserializeOwned>(body: &str) -> Result<T, ApiError> {
    let body = if body.is_empty() { "null" } else { body };
    serde_json::from_str(body).map_err(|error| ApiError::Unreadable(error.to_string()))
}

/// The body of a successful answer. Boxed: its code exists once, not for every endpoint.
fn answer<'a>(
    client: &'a Client,
    call: Call<'a>,
) -> Pin<Box<dyn Future<Output = Result<String, ApiError>> + 'a>> {
    Box::pin(async move {
        let url = format!("{}{}", client.base, call.path);
        let proves_identity = call.proves_identity;
        let early = (call.method == Method::GET)
            .then(|| crate::browser::take_early_read(&url))
            .flatten();
        let response = match early {
            Some(promise) => {
                let answer = wasm_bindgen_futures::JsFuture::from(promise)
                    .await
                    .map_err(|error| {
                        lost(error.dyn_ref::<js_sys::Error>().map(js_sys::Error::name))
                    })?;
                Response::from(
                    answer
                        .dyn_into::<web_sys::Response>()
                        .map_err(|_| ApiError::Offline)?,
                )
            }
            None => fetch(client, &url, call).await?,
        };
        read(response, proves_identity).await
    })
}

async fn fetch(client: &Client, url: &str, call: Call<'_>) -> Result<Response, ApiError> {
    let signal = web_sys::AbortSignal::timeout_with_u32(DEADLINE);
    let writes = call.method != Method::GET;
    let mut request = RequestBuilder::new(url)
        .method(call.method)
        .abort_signal(Some(&signal));
    if writes && !client.csrf_token.is_empty() {
        request = request.header("X-CSRF-Token", &client.csrf_token);
    }
    if let Some((name, value)) = &call.condition {
        request = request.header(name, value);
    }
    let sent = match call.body {
        Some(body) => request
            .header("Content-Type", "application/json")
            .body(body),
        None => request.build(),
    };
    let request = sent.map_err(|error| ApiError::Unreadable(error.to_string()))?;
    request.send().await.map_err(|error| no_answer(&error))
}

/// Why no answer came: the deadline passed, or there was nobody to ask.
fn lost(name: Option<impl Into<String>>) -> ApiError {
    if name.is_some_and(|name| name.into() == "TimeoutError") {
        ApiError::TimedOut
    } else {
        ApiError::Offline
    }
}

fn no_answer(error: &gloo_net::Error) -> ApiError {
    lost(match error {
        gloo_net::Error::JsError(error) => Some(error.name.clone()),
        _ => None,
    })
}

async fn read(response: Response, proves_identity: bool) -> Result<String, ApiError> {
    let status = response.status();
    let request_id = response.headers().get("x-request-id");
    let is_page = response
        .headers()
        .get("content-type")
        .is_some_and(|kind| kind.starts_with("text/html"));
    let body = response.text().await.map_err(|error| no_answer(&error))?;
    if body.len() > LONG {
        next_task().await;
    }
    if !response.ok() {
        return Err(if proves_identity {
            ApiError::refused(status, &body, request_id)
        } else {
            ApiError::from_answer(status, &body, request_id)
        });
    }
    if is_page {
        return Err(ApiError::SignedOut);
    }
    Ok(body)
}
