//! People: the login link, the cookie, and what other sites may not do with it.

use quorate_plane::tokens::Role;
use reqwest::{Method, header};

use crate::support::{Server, read, token};

#[tokio::test]
async fn a_login_link_works_once_and_its_cookie_only_from_here() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let user = "ann".parse().unwrap();
        let code = server
            .plane
            .sign_in()
            .invite(&user, Role::Operator, std::time::Duration::from_secs(60))
            .await
            .unwrap();
        let link = format!("/login?code={code}");
        let first = server.bare(Method::GET, &link).send().await.unwrap();
        assert_eq!(first.status(), 303);
        let cookie = first.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        assert_eq!(server.bare(Method::GET, &link).send().await.unwrap().status(), 401);
        let cookie = cookie.split(';').next().unwrap();
        let ask = |method: Method, path: &str| server.bare(method, path).header("cookie", cookie);
        let (status, me) = read(ask(Method::GET, "/api/v1/me").send().await.unwrap()).await;
        assert_eq!((status, me["name"].as_str(), me["role"].as_str()), (200, Some("ann"), Some("operator")));
        assert_eq!(me["read_only"], false);
        let can = |verb: &str| me["can"].as_array().unwrap().iter().any(|own| own == verb);
        assert!(can("queues.pause") && !can("tokens.create"), "an operator, not an admin: {me}");
        assert!(me["environment"]["now"].is_string());
        let pause = "/api/v1/queues/low/pause";
        for (origin, expected) in [
            (None, 403),
            (Some("null"), 403),
            (Some("http://evil.example"), 403),
            (Some(server.url.as_str()), 200),
        ] {
            let request = ask(Method::POST, pause);
            let request =
                origin.map_or(request.try_clone().unwrap(), |origin| request.header("origin", origin));
            assert_eq!(request.send().await.unwrap().status(), expected, "{origin:?}");
        }
        let out = ask(Method::POST, "/api/v1/sign-out").header("origin", &server.url).send().await.unwrap();
        assert_eq!(out.status(), 204);
        assert_eq!(ask(Method::GET, "/api/v1/me").send().await.unwrap().status(), 401);
    })
    .await;
}

#[tokio::test]
async fn a_session_by_token_ends_with_the_token() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let secret = token(&server.plane, "dash", Role::Viewer).await;
        let answer = server.bare(Method::POST, "/api/v1/sign-in").bearer_auth(&secret).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let cookie =
            answer.headers()[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
        let me = async || {
            server.bare(Method::GET, "/api/v1/me").header("cookie", &cookie).send().await.unwrap().status()
        };
        assert_eq!(me().await, 200);
        let (_, seen) =
            read(server.bare(Method::GET, "/api/v1/me").bearer_auth(&secret).send().await.unwrap()).await;
        assert_eq!(seen["read_only"], true, "{seen}");
        server.plane.tokens().revoke(&"dash".parse().unwrap(), "test").await.unwrap().unwrap();
        assert_eq!(me().await, 401);
    })
    .await;
}

/// Programs that look whether a link is good, before a person follows it, ask for its head.
#[tokio::test]
async fn looking_at_a_link_does_not_use_it_up_and_signing_in_and_out_is_on_record() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let user = "ann".parse().unwrap();
        let minute = std::time::Duration::from_secs(60);
        let code = server.plane.sign_in().invite(&user, Role::Operator, minute).await.unwrap();
        let link = format!("/login?code={code}");
        assert_eq!(server.bare(Method::HEAD, &link).send().await.unwrap().status(), 405);
        assert_eq!(server.bare(Method::GET, "/login?code=qi_0000").send().await.unwrap().status(), 401);
        let first = server.bare(Method::GET, &link).send().await.unwrap();
        assert_eq!(first.status(), 303);
        let cookie =
            first.headers()[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
        let out = server.bare(Method::POST, "/api/v1/sign-out").header("cookie", &cookie);
        assert_eq!(out.header("origin", &server.url).send().await.unwrap().status(), 204);
        assert_eq!(server.ask(Method::POST, "/api/v1/sign-in").send().await.unwrap().status(), 200);
        let (_, trail) = server.get("/api/v1/audit").await;
        let told = |name: &str| -> Vec<String> {
            let records = trail["records"].as_array().unwrap();
            records.iter().map(|one| one[name].as_str().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(told("action"), ["sign-ins.open", "sign-ins.close", "sign-ins.open"], "{trail}");
        assert_eq!(told("who"), ["root", "ann", "ann"], "{trail}");
        assert!(!trail.to_string().contains(&code) && !trail.to_string().contains("qs_"), "{trail}");
    })
    .await;
}

#[tokio::test]
async fn a_sign_in_is_read_as_strictly_as_everything_else() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let ask = async |kind: &str, body: &str| {
            let request = server.bare(Method::POST, "/api/v1/sign-in").header("content-type", kind);
            read(request.body(body.to_owned()).send().await.unwrap()).await
        };
        assert_eq!(ask("text/plain", r#"{"code":"qi_0"}"#).await.0, 415);
        assert_eq!(ask("application/json", r#"{"code":"qi_0"}"#).await.0, 401);
        let (status, problem) = ask("application/json", r#"{"code":"qi_0","role":"admin"}"#).await;
        assert_eq!((status, problem["field"].as_str()), (400, Some("role")));
        for bad in ["[]", "5", "{}", "{", r#"{"code":5}"#, r#"{"code":"a","code":"b"}"#] {
            assert_eq!(ask("application/json", bad).await.0, 400, "{bad}");
        }
    })
    .await;
}
