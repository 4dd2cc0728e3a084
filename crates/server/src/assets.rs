//! Serves the dashboard: the files of its build, `index.html` for every page address, and the
//! headers that keep a browser from running anything else. Knows nothing of the API.

mod files;
mod negotiate;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, LOCATION, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use files::Asset;
pub use files::Assets;

/// What a page of Remit may load and do: its own files, WebAssembly, pictures in `data:`
/// addresses; nothing inline, nothing from elsewhere, and no other site may frame it.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; object-src 'none'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (
        HeaderName::from_static("content-security-policy"),
        CONTENT_SECURITY_POLICY,
    ),
    (HeaderName::from_static("x-content-type-options"), "nosniff"),
    (HeaderName::from_static("referrer-policy"), "no-referrer"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Middleware that puts the security headers on every answer, the API's too.
pub async fn security_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

struct Site {
    assets: Assets,
    /// Path the site is mounted under, with a slash at both ends.
    base: String,
}

/// The dashboard as the fallback of a router: whatever no other route answers. `base` is the path
/// the whole server is mounted under, with a slash at both ends; paths outside of it answer 404.
pub fn router(assets: Assets, base: &str) -> Router {
    let site = Site {
        assets: assets.under(base),
        base: base.to_owned(),
    };
    Router::new().fallback(serve).with_state(Arc::new(site))
}

async fn serve(State(site): State<Arc<Site>>, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return (
            StatusCode::METHOD_NOT_ALLOWED,
            [(ALLOW, "GET, HEAD")],
            "only GET and HEAD here\n",
        )
            .into_response();
    }
    let path = request.uri().path();
    if Some(path) == site.base.strip_suffix('/') {
        return (
            StatusCode::PERMANENT_REDIRECT,
            [(LOCATION, site.base.as_str())],
        )
            .into_response();
    }
    let Some(name) = path.strip_prefix(site.base.as_str()) else {
        return not_found();
    };
    if let Some(asset) = site.assets.get(name) {
        return answer(asset, request.headers());
    }
    if !is_page(name, request.headers()) {
        return not_found();
    }
    match site.assets.get(files::INDEX) {
        Some(index) => answer(index, request.headers()),
        None => (
            StatusCode::SERVICE_UNAVAILABLE,
            "This server was built without the dashboard. Run `make build`, or start it with `--dashboard DIR`.\n",
        )
            .into_response(),
    }
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "not found\n").into_response()
}

/// Whether an address is a page of the application: somebody navigates to it (a browser then asks
/// for HTML by name), and it names neither a file nor the API.
fn is_page(name: &str, headers: &HeaderMap) -> bool {
    let wants_html = headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| {
            value
                .split(',')
                .any(|kind| kind.trim().starts_with("text/html"))
        });
    let last = name.rsplit('/').next().unwrap_or_default();
    let is_api = name == "api" || name.starts_with("api/");
    (wants_html || name.is_empty()) && !is_api && !last.contains('.')
}

/// The asset in the encoding the client prefers, or 304 when it has that already.
fn answer(asset: &Asset, headers: &HeaderMap) -> Response {
    let accepted = negotiate::encodings(&headers.get_all(ACCEPT_ENCODING));
    let (encoding, bytes) = asset.choose(accepted);
    let etag = asset.etag(encoding);
    let mut response = if negotiate::matches(&headers.get_all(IF_NONE_MATCH), etag.as_bytes()) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(Body::from(bytes))
    };
    let out = response.headers_mut();
    out.insert(
        CACHE_CONTROL,
        HeaderValue::from_static(asset.cache_control()),
    );
    out.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(etag) = HeaderValue::try_from(etag) {
        out.insert(ETAG, etag);
    }
    if response.status() == StatusCode::OK {
        let out = response.headers_mut();
        out.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type()));
        if let Some(name) = encoding.header() {
            out.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
        }
    }
    response
}

#[cfg(test)]
mod tests;
