//! Bad inputs over every route that OpenAPI names: never a 5xx, never an effect, always a problem with a code.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Server, read};

/// Routes as `(method, path)`, their fields in braces.
fn routes() -> Vec<(Method, String)> {
    let document = quorate_server::openapi();
    let paths = document["paths"].as_object().expect("paths");
    let each = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("methods").keys();
        methods.map(move |method| (method.to_uppercase().parse().expect("a method"), path.clone()))
    });
    each.collect()
}

fn filled(path: &str, with: &str) -> String {
    let mut text = String::new();
    for (place, part) in path.split(['{', '}']).enumerate() {
        text.push_str(if place % 2 == 1 { with } else { part });
    }
    text
}

/// Names that somebody tries, as they stand in a path (guarantees: ids).
fn names() -> Vec<String> {
    let listed = "x index __global__ all . .. %2e%2e a%3Ab a%3A%3Ab a%3A ~fence %7Bx%7D %7B%7D a%7Bb %2A %3F %5Ba-z%5D %5C a%20b a%09b \
        a%0D%0Ab %00 a%7Fb %E2%80%AEb %E2%80%8Bb %C3%A9 e%CC%81 %D0%B0dmin %FF %C0%AF %253A %2573 -rf --help $(id) %60id%60 %3BDROP \
        ..%2f..%2fx %2e%2e%2fx %F0%9F%A6%80";
    listed
        .split_whitespace()
        .map(str::to_owned)
        .chain([128, 129, 300].map(|length| "x".repeat(length)))
        .collect()
}

/// Bodies that are wrong whatever the verb (guarantees: JSON).
fn bodies() -> Vec<(&'static str, String)> {
    let deep = |depth: usize| format!("{{\"x\":{}1{}}}", "[".repeat(depth), "]".repeat(depth));
    vec![
        ("truncated", "{\"agent\":".into()),
        ("two names", "{\"agent\":\"a\",\"agent\":\"b\"}".into()),
        ("a scalar", "7".into()),
        ("a list", "[]".into()),
        ("null", "null".into()),
        ("deep", deep(129)),
        ("deeper", deep(1_001)),
        ("unknown field", json!({ "no_such_field": 1 }).to_string()),
        ("proto", "{\"__proto__\":{}}".into()),
        ("bom", "\u{feff}{}".into()),
        ("trailing comma", "{\"agent\":\"a\",}".into()),
        ("lone surrogate", "{\"agent\":\"\\ud800\"}".into()),
        ("a huge number", "{\"no_such_field\":123456789012345678901234567890}".into()),
        ("beyond numbers", "{\"no_such_field\":1e999}".into()),
        ("not a number", "{\"no_such_field\":NaN}".into()),
        ("a comment", "{/**/}".into()),
        ("nul", json!({ "agent": "a\u{0}b", "payload": 5 }).to_string()),
        (
            "numbers",
            json!({ "agent": 5, "ttl": -1, "lease": "1e309s", "max": 1.5, "limit": "x" }).to_string(),
        ),
    ]
}

/// Values that are wrong or odd for a field of this kind (guarantees: numbers and times).
fn values(schema: &Value) -> Vec<Value> {
    let text = schema.to_string();
    let mut all = vec![json!({}), json!([[]]), json!("\u{1b}[2J\u{0}\u{202e}")];
    if text.contains("\"integer\"") {
        all.extend([
            json!(0),
            json!(-1),
            json!(1_u64 << 31),
            json!(1_u64 << 53),
            json!(i64::MIN),
            json!(u64::MAX),
            json!(1.5),
            json!("10"),
        ]);
    }
    if text.contains("ms|s|m|h|d") {
        all.extend(
            ["0s", "-1s", "1ms", "1e309s", "99999999999999999999s", "5", "", "NaN", "400d"].map(Value::from),
        );
    }
    if text.contains("date-time") {
        let moments = [
            "2026-12-01T08:00:00",
            "2026-12-01T24:00:00Z",
            "2016-12-31T23:59:60Z",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "1066-10-14T09:00:00Z",
            "noon",
        ];
        all.extend(moments.map(Value::from));
    }
    all
}

/// A refusal has a code, and shows nothing of what was sent as it is.
fn check(place: &str, status: u16, body: &Value) {
    assert!(status < 500, "{place}: {status} {body}");
    let text = body.as_str().map(str::to_owned).unwrap_or_else(|| body.to_string());
    assert!(status < 400 || body["code"].is_string(), "{place}: {status} {text}");
    assert!(!text.contains(['\u{1b}', '\u{0}']), "{place}: {text}");
}

/// All of them over every route in full size; in every run each route has a part, and each name many routes.
#[tokio::test]
async fn every_route_answers_bad_names_with_a_problem() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let step = quorate_testkit::soak::size(6, 1);
        // A live stream takes no body, and does not end.
        let named = routes().into_iter().filter(|(_, path)| path.contains('{') && !path.contains("/live/"));
        for (place, (method, path)) in named.enumerate() {
            for name in names().iter().skip(place % step).step_by(step) {
                let url = filled(&path, name);
                let (status, body) =
                    read(server.ask(method.clone(), &url).send().await.expect("an answer")).await;
                check(&format!("{method} {url}"), status, &body);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn every_route_answers_bad_bodies_with_a_problem() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        for (method, path) in
            routes().into_iter().filter(|(method, path)| method != Method::GET && !path.contains("/sign-"))
        {
            for (name, text) in bodies() {
                let request = server
                    .ask(method.clone(), &filled(&path, "x"))
                    .header("content-type", "application/json");
                let (status, body) = read(request.body(text).send().await.expect("an answer")).await;
                let place = format!("{method} {path} with {name}");
                check(&place, status, &body);
                assert!((400..500).contains(&status), "{place}: {status} {body}");
            }
        }
    })
    .await;
}

/// Every field of every verb, one wrong at a time, the others as in its example.
#[tokio::test]
async fn every_field_of_every_route_is_checked() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let step = quorate_testkit::soak::size(3, 1);
        for (place, entry) in quorate_verbs::all().iter().enumerate() {
            let method: Method = format!("{:?}", entry.about.method).to_uppercase().parse().unwrap();
            let fields =
                entry.input.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
            let queried = method == Method::GET || method == Method::DELETE;
            for (name, schema) in
                fields.iter().filter(|(name, _)| !entry.about.path.contains(&format!("{{{name}}}")))
            {
                for value in values(schema).into_iter().skip(place % step).step_by(step) {
                    let mut input = entry.example.clone();
                    input[name] = value;
                    // Nobody waits for a lock or an item here, and nothing outside is called.
                    if let Some(all) = input.as_object_mut() {
                        all.retain(|own, _| {
                            own == name || (own != "wait" && own != "url" && own != "canary")
                        });
                    }
                    let (path, body) = crate::ready::address(entry, &input);
                    let mut request = server.ask(method.clone(), &path);
                    if queried {
                        let pairs = body.as_object().cloned().unwrap_or_default();
                        let text =
                            |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                        let pairs = pairs.iter().map(|(name, value)| (name.as_str(), text(value)));
                        let query =
                            form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
                        request = server.ask(method.clone(), &format!("{path}?{query}"));
                    } else {
                        request = request.header("content-type", "application/json").body(body.to_string());
                    }
                    let (status, answer) = read(request.send().await.expect("an answer")).await;
                    // What is outside may not answer, and that is said.
                    if answer["code"] != "service_failed" {
                        check(&format!("{method} {path} {body}"), status, &answer);
                    }
                }
            }
        }
    })
    .await;
}

/// Requests that no client library makes, as bytes, and how each ends.
#[tokio::test]
async fn odd_bytes_get_a_status_or_the_end_of_the_connection() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let head = format!("host: localhost\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n", server.admin);
        let push = "POST /api/v1/queues/low/push HTTP/1.1\r\n";
        let many: String = (0..10_000).map(|n| format!("x-{n}: y\r\n")).collect();
        let all: Vec<(&str, String, &[&str])> = vec![
            ("1.0", format!("GET /healthz HTTP/1.0\r\n{head}\r\n"), &["200"]),
            ("both lengths", format!("{push}{head}content-length: 15\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n"), &["400", ""]),
            ("two lengths", format!("{push}{head}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}"), &["400", ""]),
            ("a negative length", format!("{push}{head}content-length: -1\r\n\r\n"), &["400", ""]),
            ("a gigabyte", format!("{push}{head}content-length: 1073741824\r\n\r\n"), &["413"]),
            ("cut chunks", format!("{push}{head}transfer-encoding: chunked\r\nconnection: close\r\n\r\nzz\r\n"), &["400", ""]),
            ("ten thousand headers", format!("GET /healthz HTTP/1.1\r\n{head}{many}\r\n"), &["431", "400", ""]),
            ("a header of 64 KB", format!("GET /healthz HTTP/1.1\r\n{head}x: {}\r\n\r\n", "y".repeat(65_536)), &["431", ""]),
            ("a megabyte of path", format!("GET /api/v1/queues/{} HTTP/1.1\r\n{head}\r\n", "x".repeat(1 << 20)), &["414", "431", "400", ""]),
            ("no host", "GET /healthz HTTP/1.1\r\n\r\n".into(), &["400", "421"]),
            ("two hosts", "GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n".into(), &["400", "421"]),
            ("another host in the target", "GET http://evil.example/healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".into(), &["421"]),
            ("two keys", format!("{push}{head}idempotency-key: a\r\nidempotency-key: b\r\ncontent-length: 15\r\nconnection: close\r\n\r\n{{\"payload\":\"x\"}}"), &["400"]),
            ("another host", "GET /healthz HTTP/1.1\r\nhost: evil.example\r\n\r\n".into(), &["421"]),
            ("connect", format!("CONNECT localhost:80 HTTP/1.1\r\n{head}\r\n"), &["405"]),
            ("a range", format!("GET /api/v1/queues HTTP/1.1\r\n{head}range: bytes=0-1\r\nconnection: close\r\n\r\n"), &["200"]),
            ("nonsense", "\u{1}\u{2}\u{3}\r\n\r\n".into(), &["400", ""]),
            ("a name twice", format!("GET /healthz HTTP/1.1\r\n{head}host: localhost\r\nconnection: close\r\n\r\n"), &["200", "400"]),
        ];
        for (name, bytes, expected) in all {
            let mut stream = tokio::net::TcpStream::connect(server.url.trim_start_matches("http://")).await.unwrap();
            let asking = async {
                // A server that refuses early closes while this is still being written.
                let _ = stream.write_all(bytes.as_bytes()).await;
                let mut answer = vec![0; 64];
                let read = stream.read(&mut answer).await.unwrap_or_default();
                String::from_utf8_lossy(&answer[..read]).into_owned()
            };
            let answer = tokio::time::timeout(std::time::Duration::from_secs(12), asking).await.unwrap_or_else(|_| panic!("{name} hangs"));
            let status = answer.split(' ').nth(1).unwrap_or_default();
            assert!(expected.contains(&status), "{name}: {answer:?}");
        }
        assert_eq!(server.get("/api/v1/queues/low").await.1["depth"], 0, "none of them had an effect");
    })
    .await;
}

#[tokio::test]
async fn every_route_needs_a_token_and_changes_need_json() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        for (method, path) in routes() {
            let url = filled(&path, "x");
            let (status, body) =
                read(server.bare(method.clone(), &url).send().await.expect("an answer")).await;
            let sign_in = path.ends_with("/sign-in");
            assert!(status == 401 || sign_in && status == 400, "{method} {path}: {status} {body}");
            for secret in ["x", "qt_", "qt_0000000000000000000000000000000000000000000000000000000000000000"]
            {
                let answer =
                    server.bare(method.clone(), &url).bearer_auth(secret).send().await.expect("an answer");
                assert_eq!(answer.status(), 401, "{method} {path}");
            }
            if method == Method::POST && !path.contains("/sign-") {
                for kind in ["text/plain", "application/x-www-form-urlencoded"] {
                    let request = server.ask(method.clone(), &url).header("content-type", kind).body("{}");
                    assert_eq!(request.send().await.expect("an answer").status(), 415, "{path} {kind}");
                }
                let zipped = server.ask(method.clone(), &url).header("content-type", "application/json");
                let zipped =
                    zipped.header("content-encoding", "gzip").body("{}").send().await.expect("an answer");
                assert_eq!(zipped.status(), 415, "{path}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn odd_requests_get_the_status_that_fits() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let status = async |request: reqwest::RequestBuilder| {
            request.send().await.map(|answer| answer.status().as_u16()).unwrap_or(0)
        };
        assert_eq!(status(server.ask(Method::GET, "/api/v1/nothing")).await, 404);
        assert_eq!(status(server.ask(Method::TRACE, "/api/v1/queues")).await, 405);
        assert_eq!(status(server.ask(Method::PATCH, "/api/v1/queues")).await, 405);
        assert_eq!(
            status(server.ask(Method::GET, "/api/v1/queues").header("host", "evil.example")).await,
            421
        );
        for bad in [
            "limit=0",
            "limit=1001",
            "limit=1e9",
            "limit=-1",
            "limit=",
            "cursor=zz",
            "cursor=",
            "cursor=6e616d653d78",
            "limit=1&limit=2",
        ] {
            assert_eq!(status(server.ask(Method::GET, &format!("/api/v1/queues?{bad}"))).await, 400, "{bad}");
        }
        assert_eq!(status(server.ask(Method::GET, "/api/v1/queues/low?limit=1e9")).await, 400);
        assert_eq!(
            status(server.ask(Method::GET, "/api/v1/queues").header("x-long", "y".repeat(60_000))).await,
            431
        );
        let method = server.ask(Method::GET, "/api/v1/queues").header("x-http-method-override", "DELETE");
        assert_eq!(status(method).await, 200);
        let long =
            server.ask(Method::POST, "/api/v1/queues/low/push").header("content-type", "application/json");
        let long = long.body(json!({ "payload": "x".repeat(11 * 1024 * 1024) }).to_string());
        assert!([413, 0].contains(&status(long).await));
        let document: Value = serde_json::from_str(
            &server.bare(Method::GET, "/api/openapi.json").send().await.unwrap().text().await.unwrap(),
        )
        .unwrap();
        assert_eq!(document, quorate_server::openapi());
        assert_eq!(status(server.bare(Method::GET, "/api/docs")).await, 200);
    })
    .await;
}

/// Also where a library refuses by itself, with words of its own.
#[tokio::test]
async fn every_refusal_is_a_problem_with_a_code() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let get =
            async |path: &str| read(server.ask(Method::GET, path).send().await.expect("an answer")).await;
        for path in [
            "/errors/%ff",
            "/api/v1/live/services/%ff",
            "/api/v1/live/events/%ff",
            "/status/%ff",
            "/executions/%ff/graph",
            "/dlq/messages/%ff",
            "/studio/services/%ff/events/stream",
            "/api/v1/queues/%ff",
        ] {
            let (status, problem) = get(path).await;
            assert!(
                (400..500).contains(&status) && problem["code"].is_string(),
                "{path}: {status} {problem}"
            );
        }
        let mcp = async |accept: &str, body: &str| {
            let request = server.ask(Method::POST, "/mcp").header("content-type", "application/json");
            let answer =
                request.header("accept", accept).body(body.to_owned()).send().await.expect("an answer");
            let (status, problem) = read(answer).await;
            (status, problem["code"].as_str().unwrap_or_default().to_owned())
        };
        let both = "application/json, text/event-stream";
        assert_eq!(mcp(both, "no JSON").await, (400, "bad_input".to_owned()));
        assert_eq!(mcp(both, "[]").await, (400, "bad_input".to_owned()));
        assert_eq!(mcp("text/html", "{}").await, (406, "not_acceptable".to_owned()));
        assert_eq!(get("/mcp").await.1["code"], "method");
    })
    .await;
}
