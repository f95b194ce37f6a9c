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
