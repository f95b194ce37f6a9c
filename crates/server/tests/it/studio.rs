//! The first page, whether or not this build carries the Studio, and what browsers report about it.

use reqwest::{Method, header};
use serde_json::json;

use crate::support::Server;

#[tokio::test]
async fn the_first_page_is_there_in_every_build_and_cannot_be_framed() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let page = server.bare(Method::GET, "/").header("accept", "text/html").send().await.unwrap();
        assert_eq!(page.status(), 200);
        let said = |name: header::HeaderName| page.headers()[name].to_str().unwrap().to_owned();
        assert!(said(header::CONTENT_TYPE).starts_with("text/html"));
        assert!(said(header::CONTENT_SECURITY_POLICY).contains("frame-ancestors 'none'"));
        assert!(!said(header::CONTENT_SECURITY_POLICY).contains("unsafe"));
        assert_eq!(said(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(said(header::REFERRER_POLICY), "no-referrer");
        let (status, problem) = server.get("/nothing/of/this/name").await;
        assert_eq!((status, problem["code"].as_str()), (404, Some("not_found")));
    })
    .await;
}

#[tokio::test]
async fn what_browsers_report_is_counted_and_nonsense_is_not() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let report = async |body: String| {
            let request = server.bare(Method::POST, "/api/csp-report").body(body);
            request.header("content-type", "application/csp-report").send().await.unwrap().status().as_u16()
        };
        let told =
            |word: &str| json!({ "csp-report": { "effective-directive": word, "blocked-uri": "inline" } });
        assert_eq!(report(told("script-src-elem").to_string()).await, 204);
        assert_eq!(report(told("made\nup").to_string()).await, 204);
        assert_eq!(report("{".into()).await, 400);
        assert_eq!(report(" ".repeat(20_000)).await, 400);
        let text = server.ask(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
        assert!(text.contains("quorate_csp_reports_total{directive=\"script-src\"} 1"), "{text}");
        assert!(text.contains("quorate_csp_reports_total{directive=\"other\"} 1"));
    })
    .await;
}
