//! What holds of every verb, also of those that come later.

use std::collections::BTreeSet;

use quorate_verbs::{Effect, Entry, Fault, Level, Method, all};
use serde_json::Value;

fn name(entry: &Entry) -> String {
    entry.about.action()
}

/// The names in braces.
fn placeholders(path: &str) -> Vec<&str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect()
}

#[test]
fn every_verb_and_every_field_is_described() {
    for entry in all() {
        let text = |schema: &Value| schema.get("description").and_then(Value::as_str).map(str::to_owned);
        let own = text(entry.input.as_value()).unwrap_or_default();
        assert!(own.len() > 10 && own.ends_with('.'), "{}: {own:?}", name(&entry));
        let fields = entry.input.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        for (field, schema) in &fields {
            assert!(text(schema).is_some_and(|text| text.len() > 5), "{} {field}", name(&entry));
        }
    }
}

#[test]
fn every_name_in_a_path_an_actor_or_an_alias_is_a_field() {
    for entry in all() {
        let about = &entry.about;
        for field in placeholders(about.path).into_iter().chain(about.actor) {
            let schema = entry.field(field).unwrap_or_else(|| panic!("{} has no {field}", name(&entry)));
            assert!(schema.to_string().contains("string"), "{} {field} is no text", name(&entry));
        }
        let needed = entry.input.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        for field in placeholders(about.path) {
            assert!(needed.contains(&field.into()), "{} can do without {field}", name(&entry));
        }
        for field in about.names {
            let answers = entry.answer.get("properties").is_some_and(|all| all.get(*field).is_some());
            assert!(entry.field(field).is_some() || answers, "{} {field} names nothing", name(&entry));
        }
        for (alias, field) in about.aliases {
            assert!(entry.field(field).is_some(), "{} {alias} means nothing", name(&entry));
            assert!(entry.field(alias).is_none(), "{} {alias} is a field itself", name(&entry));
        }
    }
}

#[test]
fn names_and_routes_are_unique() {
    let (mut names, mut routes) = (BTreeSet::new(), BTreeSet::new());
    for entry in all() {
        let parts = entry.about.path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part });
        let route = format!("{:?} {}", entry.about.method, parts.collect::<Vec<_>>().join("/"));
        assert!(names.insert(name(&entry)), "{} is there twice", name(&entry));
        assert!(routes.insert(route.clone()), "{route} is there twice");
        // A search stands apart: below its noun it would hide whatever has the id `search`.
        let path = entry.about.path.trim_start_matches("/search");
        let noun = format!("/{}", entry.about.noun);
        assert!(path.starts_with(&noun), "{} is found below another noun", name(&entry));
    }
}

#[test]
fn what_changes_something_is_no_get_and_no_mere_reading() {
    for Entry { about, .. } in all() {
        let get = about.method == Method::Get;
        let looks = about.effect == Effect::None;
        assert!(looks || !get, "{} changes things by a GET", about.action());
        assert!(looks || about.level != Level::Read, "{} changes things by reading", about.action());
        assert!(about.scope().starts_with(about.noun));
    }
}

/// The input is parsed before anything is asked of the store, so the plane behind it may be a broken one.
#[tokio::test]
async fn every_example_is_an_input() {
    quorate_testkit::check(&[], async |bench| {
        let asker = crate::support::Asker::on(bench).await;
        for entry in all() {
            let fields = crate::support::fields(entry.example.clone());
            for field in fields.keys() {
                assert!(entry.field(field).is_some(), "{} {field} is no field", name(&entry));
            }
            let answer = entry.run(asker.call.clone(), fields).await;
            let wrong = matches!(answer, Err(Fault::BadInput { .. } | Fault::Store(_)));
            assert!(!wrong, "{}: {answer:?}", name(&entry));
        }
    })
    .await;
}

#[tokio::test]
async fn a_field_that_nobody_knows_or_of_another_kind_is_no_crash() {
    quorate_testkit::check(&[], async |bench| {
        let asker = crate::support::Asker::on(bench).await;
        for entry in all() {
            for field in placeholders(entry.about.path) {
                for bad in [Value::Null, 7.into(), Value::Bool(true), serde_json::json!({ "a": 1 })] {
                    let mut fields = crate::support::fields(entry.example.clone());
                    fields.insert(field.to_owned(), bad.clone());
                    let fault = entry.run(asker.call.clone(), fields).await;
                    let refused = matches!(fault, Err(Fault::BadInput { .. }));
                    assert!(refused, "{} {field}={bad}: {fault:?}", name(&entry));
                }
            }
        }
    })
    .await;
}
