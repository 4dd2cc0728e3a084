//! The dashboard over HTTP, from a small made-up build.

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, LOCATION, VARY,
};
use axum::http::{HeaderName, Method, Request, StatusCode};
use axum::response::Response;
use axum::{Router, body::Body, middleware};
use http_body_util::BodyExt;
use tower::ServiceExt;

use super::{Assets, CONTENT_SECURITY_POLICY, router, security_headers};

const PAGE: &str =
    r#"<html data-base="/"><script src="/boot-917254163c55fc76.js"></script></html>"#;
const WASM: &str = "remit-dashboard-4d79204f15ab2d70_bg.wasm";

fn build() -> Assets {
    let file = |name: &str, content: Vec<u8>| (name.to_owned(), Bytes::from(content));
    Assets::from_files([
        file("index.html", PAGE.into()),
        file("boot-917254163c55fc76.js", b"start()".to_vec()),
        file(WASM, vec![7; 4_000]),
        file(&format!("{WASM}.br"), b"brotli copy".to_vec()),
        file(&format!("{WASM}.gz"), b"gzip copy".to_vec()),
        file("plain.css", "a{color:red}".repeat(100).into_bytes()),
    ])
}

fn site(base: &str) -> Router {
    router(build(), base).layer(middleware::from_fn(security_headers))
}

async fn send(
    site: Router,
    method: Method,
    path: &str,
    headers: &[(HeaderName, &str)],
) -> Response {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    site.oneshot(request.body(Body::empty()).unwrap())
        .await
        .unwrap()
}

async fn get(path: &str, headers: &[(HeaderName, &str)]) -> Response {
    send(site("/"), Method::GET, path, headers).await
}

fn header(response: &Response, name: HeaderName) -> Option<&str> {
    response
        .headers()
        .get(name)
        .map(|value| value.to_str().unwrap())
}

async fn text(response: Response) -> String {
    String::from_utf8(
        response
            .into_body()
            .collect()
            .await
            .unwrap()
            .to_bytes()
            .to_vec(),
    )
    .unwrap()
}

const HTML: (HeaderName, &str) = (ACCEPT, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");

#[tokio::test]
async fn every_page_address_answers_with_the_application() {
    for path in [
        "/",
        "/agents",
        "/agents/6f2a4c1b-9a57-3f0b-5b1c-2d107d0c6b1e/capabilities",
        "/sign-in?next=%2Fagents",
    ] {
        let response = get(path, &[HTML]).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(
            header(&response, CONTENT_TYPE),
            Some("text/html; charset=utf-8")
        );
        assert_eq!(header(&response, CACHE_CONTROL), Some("no-cache"));
        assert_eq!(text(response).await, PAGE);
    }
}

#[tokio::test]
async fn what_is_no_page_is_not_found_rather_than_the_application() {
    let cases: [(&str, &[(HeaderName, &str)]); 6] = [
        ("/boot-0000000000000000.js", &[HTML]),
        ("/api", &[HTML]),
        ("/api/agents", &[HTML]),
        ("/agents", &[(ACCEPT, "application/json")]),
        ("/agents", &[]),
        ("/../index.html", &[(ACCEPT, "*/*")]),
    ];
    for (path, headers) in cases {
        let response = get(path, headers).await;
        assert_eq!(
            response.status(),
            StatusCode::NOT_FOUND,
            "{path} {headers:?}"
        );
        assert_eq!(
            header(&response, CONTENT_TYPE),
            Some("text/plain; charset=utf-8")
        );
    }
}

#[tokio::test]
async fn a_file_comes_in_the_best_encoding_the_client_takes() {
    let path = format!("/{WASM}");
    for (accepted, encoding, body) in [
        ("br, gzip", Some("br"), "brotli copy"),
        ("gzip", Some("gzip"), "gzip copy"),
    ] {
        let response = get(&path, &[(ACCEPT_ENCODING, accepted)]).await;
        assert_eq!(header(&response, CONTENT_ENCODING), encoding);
        assert_eq!(header(&response, CONTENT_TYPE), Some("application/wasm"));
        assert_eq!(header(&response, VARY), Some("accept-encoding"));
        assert_eq!(
            header(&response, CACHE_CONTROL),
            Some("public, max-age=31536000, immutable")
        );
        assert_eq!(text(response).await, body);
    }
    let plain = get(&path, &[]).await;
    assert_eq!(header(&plain, CONTENT_ENCODING), None);
    assert_eq!(
        plain.into_body().collect().await.unwrap().to_bytes().len(),
        4_000
    );
}

#[tokio::test]
async fn a_file_without_copies_is_compressed_by_the_server() {
    let response = get("/plain.css", &[(ACCEPT_ENCODING, "gzip, br")]).await;
    assert_eq!(header(&response, CONTENT_ENCODING), Some("gzip"));
    assert_eq!(header(&response, CACHE_CONTROL), Some("no-cache"));
    assert!(
        response
            .into_body()
            .collect()
            .await
            .unwrap()
            .to_bytes()
            .len()
            < 200
    );
}

#[tokio::test]
async fn compressed_copies_are_no_addresses_of_their_own() {
    assert_eq!(
        get(&format!("/{WASM}.br"), &[]).await.status(),
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_known_file_is_not_sent_again_and_encodings_are_told_apart() {
    let path = format!("/{WASM}");
    let brotli = [(ACCEPT_ENCODING, "br")];
    let etag = header(&get(&path, &brotli).await, ETAG).unwrap().to_owned();
    let again = get(&path, &[(ACCEPT_ENCODING, "br"), (IF_NONE_MATCH, &etag)]).await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(header(&again, ETAG), Some(etag.as_str()));
    assert_eq!(
        header(&again, CACHE_CONTROL),
        Some("public, max-age=31536000, immutable")
    );
    assert_eq!(text(again).await, "");
    assert_eq!(
        get(&path, &[(IF_NONE_MATCH, &etag)]).await.status(),
        StatusCode::OK
    );
}

#[tokio::test]
async fn head_has_the_headers_of_get_and_no_body() {
    let response = send(site("/"), Method::HEAD, "/plain.css", &[]).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(
        header(&response, CONTENT_TYPE),
        Some("text/css; charset=utf-8")
    );
    assert_eq!(header(&response, CONTENT_LENGTH), Some("1200"));
    assert_eq!(text(response).await, "");
}

#[tokio::test]
async fn only_reads_are_answered() {
    let response = send(site("/"), Method::POST, "/agents", &[HTML]).await;
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    for path in ["/", "/boot-917254163c55fc76.js", "/missing.js"] {
        let response = get(path, &[HTML]).await;
        assert_eq!(
            header(
                &response,
                HeaderName::from_static("content-security-policy")
            ),
            Some(CONTENT_SECURITY_POLICY)
        );
        assert_eq!(
            header(&response, HeaderName::from_static("x-content-type-options")),
            Some("nosniff")
        );
        assert_eq!(
            header(&response, HeaderName::from_static("referrer-policy")),
            Some("no-referrer")
        );
        assert_eq!(
            header(
                &response,
                HeaderName::from_static("cross-origin-opener-policy")
            ),
            Some("same-origin")
        );
    }
    assert!(!CONTENT_SECURITY_POLICY.contains("unsafe-inline"));
}

#[tokio::test]
async fn under_a_sub_path_everything_is_below_it() {
    let site = |path: &'static str| send(site("/ops/"), Method::GET, path, &[HTML]);
    let page = site("/ops/agents").await;
    assert_eq!(page.status(), StatusCode::OK);
    let moved =
        r#"<html data-base="/ops/"><script src="/ops/boot-917254163c55fc76.js"></script></html>"#;
    assert_eq!(text(page).await, moved);
    assert_eq!(
        site("/ops/boot-917254163c55fc76.js").await.status(),
        StatusCode::OK
    );
    let redirect = site("/ops").await;
    assert_eq!(redirect.status(), StatusCode::PERMANENT_REDIRECT);
    assert_eq!(header(&redirect, LOCATION), Some("/ops/"));
    for path in ["/", "/agents", "/opsx", "/boot-917254163c55fc76.js"] {
        assert_eq!(site(path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn without_a_build_the_page_says_what_to_do() {
    let response = send(router(Assets::default(), "/"), Method::GET, "/", &[HTML]).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(text(response).await.contains("make build"));
}

#[test]
fn a_folder_is_read_with_its_subfolders_and_must_have_a_page() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Assets::from_dir(folder.path()).is_err());
    std::fs::create_dir(folder.path().join("snippets")).unwrap();
    std::fs::write(folder.path().join("snippets/a.js"), "a").unwrap();
    std::fs::write(folder.path().join("index.html"), PAGE).unwrap();
    let assets = Assets::from_dir(folder.path()).unwrap();
    assert!(assets.get("snippets/a.js").is_some());
    assert!(Assets::from_dir(&folder.path().join("missing")).is_err());
}
