//! What OpenAPI says is whole: every route has a schema, a scope, an example and a description.

use reqwest::Method;
use serde_json::Value;

use crate::support::Server;

#[test]
fn every_route_has_a_schema_a_scope_and_an_example() {
    let document = quorate_server::openapi();
    let mut ids = std::collections::HashSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, own) in item.as_object().unwrap() {
            let place = format!("{method} {path}");
            assert!(own["x-scope"].as_str().is_some_and(|scope| !scope.is_empty()), "{place}: no scope");
            assert!(own["summary"].as_str().is_some_and(|text| text.len() > 5), "{place}: no summary");
            assert!(
                ids.insert(own["operationId"].as_str().unwrap().to_owned()),
                "{place}: a second operationId"
            );
            for parameter in own["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["schema"].is_object(), "{place}: {parameter}");
                let bare = parameter["description"].as_str().unwrap_or_default().is_empty();
                assert!(!bare, "{place}: {} is not described", parameter["name"]);
                assert!(
                    parameter["required"] == false || !parameter["example"].is_null(),
                    "{place}: {} has no example",
                    parameter["name"]
                );
            }
            if let Some(body) = own.get("requestBody") {
                let content = &body["content"]["application/json"];
                assert!(
                    content["schema"].is_object() && content["example"].is_object(),
                    "{place}: no schema or example"
                );
                for (name, schema) in content["schema"]["properties"].as_object().into_iter().flatten() {
                    assert!(schema["description"].is_string(), "{place}: {name} is not described");
                }
            }
            assert!(
                own["responses"]["401"].is_object() || path == "/api/v1/sign-in",
                "{place}: it needs nobody"
            );
        }
    }
    assert!(ids.len() > 15, "{}", ids.len());
    assert_eq!(document["openapi"], Value::from("3.1.0"));
}

#[tokio::test]
async fn every_address_stands_on_the_page_for_people_under_a_heading() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let page = server.bare(Method::GET, "/api/docs").send().await.unwrap().text().await.unwrap();
        let document = quorate_server::openapi();
        for path in document["paths"].as_object().unwrap().keys() {
            assert!(page.contains(&format!("<code>{path}</code>")), "{path} is not on the page");
        }
        let operations = document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object());
        for tag in operations.flatten().flat_map(|(_, own)| own["tags"].as_array()).flatten() {
            let heading = format!("<h2 id={tag}>");
            assert!(page.contains(&heading), "{heading}");
            let known = document["tags"].as_array().into_iter().flatten().any(|own| own["name"] == *tag);
            assert!(known, "{tag} is no tag of the document");
        }
    })
    .await;
}
