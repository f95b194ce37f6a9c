//! Building a key is injective, and the matcher is its inverse: over all families, both layouts and hostile ids.

use std::collections::HashMap;

use proptest::prelude::*;
use quorate_catalog::model::{Family, Form};
use quorate_catalog::rule::Grammar;
use quorate_catalog::{Catalog, FamilyId, Keys, Layout, Matcher, Prefixes};

#[path = "support/codec.rs"]
mod codec;

fn keys(layout: Layout) -> Keys {
    Keys::new("team-1".parse().expect("a namespace"), layout, Prefixes::default())
}

/// Every (family, form) of the catalog.
fn forms(catalog: &Catalog) -> Vec<(usize, usize)> {
    let per_family = |(at, family): (usize, &Family)| (0..family.forms.len()).map(move |form| (at, form));
    catalog.families.iter().enumerate().flat_map(per_family).collect()
}

/// Texts that try to leave their place: separators, braces, globs, our own root, literals of other families.
fn hostile() -> impl Strategy<Value = String> {
    let words = Catalog::built_in()
        .families
        .iter()
        .flat_map(|family| {
            family.main_form().plain.to_string().split(':').map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|word| !word.contains('<'))
        .collect::<Vec<_>>();
    let word = proptest::sample::select(words);
    prop_oneof![
        "[a-zA-Z0-9._@+-]{1,12}",
        "[a-z]{1,3}[:{}*?\\[\\]%~ .]{0,3}[a-z]{0,3}",
        word.clone(),
        (word.clone(), "[:.}{]", word).prop_map(|(a, b, c)| format!("{a}{b}{c}")),
        any::<String>(),
        Just("2025-11-19T12:34:56.789Z".to_owned()),
        Just("http://a.example:8000/x".to_owned()),
        proptest::sample::select(vec![
            "high",
            "info",
            "DRAFT",
            "task",
            "index",
            "__global__",
            "project:x",
            "lock:acquire"
        ])
        .prop_map(str::to_owned),
    ]
}

/// A text the rule takes, so that every family is built in every run and not only by luck.
fn fitting(grammar: Grammar, values: &[std::borrow::Cow<'static, str>], text: &str) -> String {
    match grammar {
        Grammar::Enum => values[text.len() % values.len()].to_string(),
        Grammar::Timestamp => format!("2025-11-19T12:34:{:02}Z", text.len() % 60),
        Grammar::Url => format!("http://host-{}.example", text.len()),
        _ => text.to_owned(),
    }
}

fn build(
    catalog: &Catalog,
    keys: &Keys,
    at: (usize, usize),
    texts: &[String],
) -> Option<(String, Vec<String>)> {
    let family: &Family = &catalog.families[at.0];
    let form: &Form = &family.forms[at.1];
    let texts: Vec<String> = form
        .rules
        .iter()
        .zip(texts)
        .map(|((_, rule), text)| fitting(rule.grammar, &rule.values, text))
        .collect();
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    keys.build(catalog, family, form, &borrowed).ok().map(|key| (key, texts))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_built_key_is_read_back_as_what_it_was_built_from(
        texts in proptest::collection::vec(hostile(), 4), tagged: bool,
    ) {
        let catalog = Catalog::built_in();
        let keys = keys(if tagged { Layout::Tagged } else { Layout::Plain });
        let matcher = Matcher::new(catalog, &keys);
        let mut seen: HashMap<String, (usize, usize)> = HashMap::new();
        for at in forms(catalog) {
            let Some((key, texts)) = build(catalog, &keys, at, &texts) else { continue };
            let found = matcher.find(key.as_bytes());
            let found = found.unwrap_or_else(|| panic!("{key} fits no family"));
            prop_assert_eq!((found.family, found.form), at, "{}", key);
            let read: Vec<String> = Matcher::bindings(catalog, &found).into_iter().map(|(_, value)| value).collect();
            prop_assert_eq!(read, texts, "{}", &key);
            prop_assert_eq!(seen.insert(key.clone(), at), None, "{} was built twice", key);
        }
    }

    #[test]
    fn any_bytes_are_read_one_way_or_not_at_all(
        noise in proptest::collection::vec(any::<u8>(), 0..80),
        at in any::<proptest::sample::Index>(),
        cut in 0..40usize,
    ) {
        let families = &Catalog::built_in().families;
        let mut key = at.get(families).main_form().sample.clone().into_bytes();
        codec::holds(&key);
        key.truncate(key.len().saturating_sub(cut));
        key.extend(&noise);
        codec::holds(&key);
        codec::holds(&noise);
    }

    #[test]
    fn an_id_never_chooses_its_slot(texts in proptest::collection::vec(hostile(), 4)) {
        let catalog = Catalog::built_in();
        for layout in [Layout::Plain, Layout::Tagged] {
            for at in forms(catalog) {
                let Some((key, _)) = build(catalog, &keys(layout), at, &texts) else { continue };
                let expected = usize::from(layout == Layout::Tagged && catalog.families[at.0].forms[at.1].tagged.tag().is_some());
                prop_assert_eq!(key.matches('{').count(), expected, "{}", key);
                prop_assert!(!key.contains(['*', '?', '[', ']', '\\', ' ', '\0', '\n']), "{}", key);
            }
        }
    }
}

#[test]
fn the_typed_builders_spell_what_the_catalog_says() {
    use quorate_catalog::ids::{AgentId, LogLevel, LogServiceId, Priority, TaskId};
    let task = TaskId::parse("123").unwrap();
    let agent = AgentId::parse("agent-1").unwrap();
    let (plain, tagged) =
        (Keys::default(), Keys::new("".parse().unwrap(), Layout::Tagged, Prefixes::default()));
    assert_eq!(plain.reverie().session(&agent).as_str(), "sessions:agent-1");
    assert_eq!(tagged.reverie().session(&agent).as_str(), "sessions:{agent:agent-1}");
    assert_eq!(plain.ade().task_state(&task).as_str(), "ade:task:123:state");
    assert_eq!(tagged.ade().task_state(&task).as_str(), "ade:{task:123}:state");
    assert_eq!(tagged.ade().task_lock(&task).as_str(), "ade:lock:task:{task:123}");
    assert_eq!(plain.reverie().task_queue(Priority::High).as_str(), "tasks:queue:high");
    let service = LogServiceId::parse("api.v2").unwrap();
    assert_eq!(plain.reverie().log_channel(&service, LogLevel::Warn).as_str(), "logs.api.v2.warn");
}

#[test]
fn every_family_has_its_number_and_there_are_114_of_the_seeds() {
    let catalog = Catalog::built_in();
    let names: Vec<String> = catalog.families.iter().map(Family::full_name).collect();
    assert_eq!(FamilyId::ALL.iter().map(|id| id.name().to_owned()).collect::<Vec<_>>(), names);
    let of = |family: &&Family, system: &str| family.system == system && family.of_the_seed();
    let count = |system: &str| catalog.families.iter().filter(|family| of(family, system)).count();
    let counts = ["reverie", "relayna", "skynet", "ade", "fleetclaw"].map(count);
    assert_eq!(counts, [17, 37, 7, 40, 13]);
    assert_eq!(counts.iter().sum::<usize>(), 114);
}

#[test]
fn keys_that_fit_no_family_are_not_guessed_at() {
    let matcher = Matcher::new(Catalog::built_in(), &Keys::default());
    for key in [
        "",
        ":",
        "sessions",
        "sessions:",
        "sessions::a",
        "sessions:a:b",
        "sessions:a b",
        "sessions:{a}",
        "locks:",
        "locks:project:",
        "locks:project:p:",
        "ade:task:index:state",
        "ade:session:index",
        "ade:task:t1:nothing",
        "ade:task:t1:",
        "tasks:queue:urgent",
        "logs.api.debug",
        "logs..info",
        "context:__other__",
        "~q:unknown",
        "snapshot:yesterday",
        "relayna:history:",
        "unknown:key",
        "sessions:\u{e9}",
        "ade:ratelimit:only",
        " sessions:a",
    ] {
        assert_eq!(matcher.find(key.as_bytes()), None, "{key:?}");
    }
    assert_eq!(matcher.find(b"sessions:\xff"), None);
}

#[test]
fn the_generated_files_are_up_to_date() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let stale: Vec<String> = quorate_catalog::codegen::outputs(Catalog::built_in())
        .into_iter()
        .filter(|output| std::fs::read_to_string(root.join(&output.path)).ok().as_ref() != Some(&output.text))
        .map(|output| output.path)
        .collect();
    assert!(stale.is_empty(), "run `cargo xtask codegen`: {stale:?} do not match the catalog");
}
