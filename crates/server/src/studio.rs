//! The Studio's files, which the binary carries, and how they are handed out.
//!
//! A file whose name has its fingerprint is kept by browsers for ever, everything else is asked for again by its tag. Any
//! address that a browser opens and that is no address of the API is a place inside the app, so it gets the app; programs
//! get there what they always got. Nothing of it runs or loads anything from elsewhere, and a page that tries is counted.

mod files;
mod reports;

use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use include_dir::{Dir, include_dir};

use crate::app::App;
use files::{File, Files};

static CARRIED: Dir<'_> = include_dir!("$OUT_DIR/studio");
static FILES: LazyLock<Files> = LazyLock::new(|| Files::of(&CARRIED));

/// What the app may do: its own files, its own server, and pictures that it has made itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'; report-uri /api/csp-report";
/// Addresses that are never a place inside the app, whoever asks.
const RESERVED: [&str; 8] = ["api", "errors", "healthz", "login", "mcp", "metrics", "readyz", "assets"];

/// What `/` says where no Studio is carried.
const ABSENT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
    <title>Quorate</title><h1>Quorate is up</h1><p>This binary carries no Studio: it was built without Node. With Node 20 or newer, \
    <code>cargo xtask build</code> builds both.</p><p>The API is at <a href=\"/api/docs\">/api/docs</a>.</p></html>";

pub(crate) fn routes() -> Router<App> {
    let router = Router::new().route("/api/csp-report", post(reports::count));
    if FILES.index().is_some() { router } else { router.route("/", get(async || Html(ABSENT))) }
}

/// Whether this binary carries the Studio.
pub fn carries_studio() -> bool {
    FILES.index().is_some()
}

/// The answer for a file of the app or a place inside it; everything else goes on.
pub(crate) fn file(request: &Request) -> Option<Response> {
    answer(&FILES, request)
}

fn answer(files: &Files, request: &Request) -> Option<Response> {
    let index = files.index()?;
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let path = request.uri().path().trim_start_matches('/');
    let (file, place) = match files.get(path) {
        Some(file) => (file, path == files::INDEX),
        None if is_place(path, request.headers()) => (index, true),
        None => return None,
    };
    Some(sent(file, place, request.headers()))
}

/// Whether a browser asks for a page here.
fn is_place(path: &str, headers: &HeaderMap) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    !RESERVED.contains(&first) && accepts.contains("text/html")
}

fn sent(file: &File, place: bool, headers: &HeaderMap) -> Response {
    let packed = file.packed && accepts_gzip(headers);
    let tag = if packed { format!("\"{}-gz\"", file.print) } else { format!("\"{}\"", file.print) };
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok()).unwrap_or_default();
    let mut response = if known.split(',').any(|own| own.trim().trim_start_matches("W/") == tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let body = if file.packed && !packed { Body::from(file.plain()) } else { Body::from(file.bytes) };
        ([(header::CONTENT_TYPE, file.kind)], body).into_response()
    };
    let all = response.headers_mut();
    let lasting = if file.lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    all.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    all.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    let varies = if place { "accept, accept-encoding" } else { "accept-encoding" };
    all.insert(header::VARY, HeaderValue::from_static(varies));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        all.insert(header::ETAG, tag);
    }
    if packed && response.status() == StatusCode::OK {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let said = headers.get(header::ACCEPT_ENCODING).and_then(|said| said.to_str().ok()).unwrap_or_default();
    said.split(',').any(|one| {
        let mut parts = one.split(';').map(str::trim);
        parts.next() == Some("gzip") && parts.next() != Some("q=0")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    }

    fn files() -> Files {
        let one = |name, text: &'static [u8]| File::new(name, text).unwrap();
        let packed: &'static [u8] = Box::leak(files::packed(b"<!doctype html>").into_boxed_slice());
        Files::from_iter([
            one("index.html.gz", packed),
            one("assets/app-3fa9c1d2.woff2", b"font"),
            one("favicon.png", b"icon"),
        ])
    }

    async fn body(response: Response) -> Vec<u8> {
        axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap().to_vec()
    }

    const PAGE: (&str, &str) = ("accept", "text/html,application/xhtml+xml");

    #[tokio::test]
    async fn a_browser_gets_the_app_at_every_place_and_programs_get_the_api() {
        let files = files();
        for place in ["/", "/locks/name%3Abuild", "/history?task=1", "/events/t-1", "/index.html"] {
            let response = answer(&files, &request(place, &[PAGE])).expect(place);
            assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
            assert_eq!(body(response).await, b"<!doctype html>");
        }
        for other in
            ["/api/v1/nothing", "/api", "/login?code=1", "/errors/held", "/metrics", "/assets/gone.js"]
        {
            assert!(answer(&files, &request(other, &[PAGE])).is_none(), "{other}");
        }
        assert!(answer(&files, &request("/history", &[("accept", "*/*")])).is_none());
        assert!(answer(&files, &request("/../../etc/passwd", &[])).is_none());
        let mut post = request("/locks", &[PAGE]);
        *post.method_mut() = Method::POST;
        assert!(answer(&files, &post).is_none());
        assert!(answer(&Files::from_iter([]), &request("/", &[PAGE])).is_none(), "nothing is carried");
    }

    #[tokio::test]
    async fn what_has_a_fingerprint_is_kept_for_ever_and_the_rest_by_its_tag() {
        let files = files();
        let font = answer(&files, &request("/assets/app-3fa9c1d2.woff2", &[])).unwrap();
        assert!(font.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
        assert_eq!(body(font).await, b"font");
        let zipped = [PAGE, ("accept-encoding", "br;q=1, gzip")];
        let page = answer(&files, &request("/", &zipped)).unwrap();
        assert_eq!(page.headers()[header::CONTENT_ENCODING], "gzip");
        assert_eq!(page.headers()[header::CACHE_CONTROL], "no-cache");
        let tag = page.headers()[header::ETAG].to_str().unwrap().to_owned();
        let plain = answer(&files, &request("/", &[PAGE])).unwrap();
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
        assert_ne!(plain.headers()[header::ETAG], tag.as_str(), "two forms, two tags");
        let again = answer(&files, &request("/", &[zipped[0], zipped[1], ("if-none-match", &tag)])).unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let refused = [PAGE, ("accept-encoding", "gzip;q=0")];
        assert!(
            !answer(&files, &request("/", &refused))
                .unwrap()
                .headers()
                .contains_key(header::CONTENT_ENCODING)
        );
    }

    #[test]
    fn nothing_runs_that_did_not_come_from_here() {
        let page = answer(&files(), &request("/", &[PAGE])).unwrap();
        let policy = page.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self';",
            "style-src 'self';",
            "frame-ancestors 'none'",
            "report-uri",
        ] {
            assert!(policy.contains(part), "{part}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    }
}
