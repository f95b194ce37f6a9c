//! `quorate keys`.

use crate::support::run;

#[test]
fn ls_lists_the_114_families_of_the_seeds() {
    let families = run(&["keys", "ls", "-o", "json"]).json();
    let families = families.as_array().unwrap();
    assert_eq!(families.len(), 114);
    let kinds = ["string", "hash", "list", "set", "zset", "stream", "channel", "group"];
    for family in families {
        for field in ["system", "family", "pattern", "kind", "retention", "capability"] {
            assert!(family[field].as_str().is_some_and(|text| !text.is_empty()), "{field} of {family}");
        }
        assert!(family["kind"].as_str().unwrap().split('|').all(|kind| kinds.contains(&kind)), "{family}");
    }
    let with_internal = run(&["keys", "ls", "--internal", "-o", "json"]).json();
    assert!(with_internal.as_array().unwrap().len() > 114);
    assert_eq!(run(&["keys", "ls", "-o", "ndjson"]).out.lines().count(), 114);
}

#[test]
fn which_is_right_for_the_sample_of_every_family() {
    use quorate_catalog::{Catalog, Keys};
    use quorate_verbs::keys::which;
    let mut seen = std::collections::BTreeSet::new();
    for family in &Catalog::built_in().families {
        let sample = &family.main_form().sample;
        // A process for each capability; the same verb without one for the rest.
        let said = match seen.insert(&family.capability) {
            true => run(&["keys", "which", "-o", "json", sample]).json(),
            false => serde_json::to_value(which(&Keys::default(), sample.as_bytes()).unwrap()).unwrap(),
        };
        assert_eq!(said["system"], family.system, "{said}");
        assert_eq!(said["family"], family.name, "{said}");
        assert_eq!(said["kind"], family.kind_text(), "{said}");
        let names: Vec<&str> = family.main_form().plain.placeholders().collect();
        let bound: Vec<&String> = said["bindings"].as_object().unwrap().keys().collect();
        assert_eq!(bound, names, "{said}");
    }
}

#[test]
fn which_knows_both_layouts_a_namespace_and_configured_prefixes() {
    assert_eq!(run(&["keys", "which", "ade:{task:123}:state", "-o", "json"]).json()["layout"], "tagged");
    assert_eq!(
        run(&["--namespace", "team", "keys", "which", "team:sessions:1", "-o", "json"]).json()["family"],
        "session"
    );
    assert_eq!(run(&["--namespace", "team", "keys", "which", "sessions:1"]).code, 3);
    assert_eq!(run(&["keys", "which", "task:history:t1", "-o", "json"]).json()["family"], "status_history");
    let mut configured = crate::support::quorate(&["keys", "which", "health2:svc", "-o", "json"]);
    let said = crate::support::said(
        configured.env("RELAYNA_STUDIO_HEALTH_STORE_PREFIX", "health2").output().unwrap(),
    );
    assert_eq!(said.json()["family"], "service_health");
    for (name, prefix, family) in [
        ("RELAYNA_DLQ_STORE_PREFIX", "box:1", "dead_letter_index"),
        ("RELAYNA_WORKFLOW_STORE_PREFIX", "box:1", "workflow_run"),
        ("RELAYNA_TASK_LEASE_STORE_PREFIX", "box:1", "client_lease_expiries"),
    ] {
        let key = match family {
            "dead_letter_index" => "box:1:dlq:records",
            "workflow_run" => "box:1:workflow:run:t1",
            _ => "box:1:lease:expiries",
        };
        let mut configured = crate::support::quorate(&["keys", "which", key, "-o", "json"]);
        let said = crate::support::said(configured.env(name, prefix).output().unwrap());
        assert_eq!(said.json()["family"], family, "{name}");
    }
}

/// Two stores under one prefix would put status events and observations into one list.
#[test]
fn prefixes_with_which_two_families_would_share_a_key_are_refused() {
    for (name, prefix) in
        [("RELAYNA_STORE_PREFIX", "relayna-observations"), ("RELAYNA_OBSERVATION_STORE_PREFIX", "relayna")]
    {
        let mut command = crate::support::quorate(&["keys", "which", "relayna:history:t1"]);
        let said = crate::support::said(command.env(name, prefix).output().unwrap());
        assert_eq!(said.code, 2, "{name}={prefix}");
        assert!(
            said.err.contains("relayna.observation_history") && said.err.contains("same key"),
            "{}",
            said.err
        );
    }
}

#[test]
fn show_tells_all_and_says_what_to_do_otherwise() {
    let shown = run(&["keys", "show", "reverie.session", "-o", "json"]).json();
    assert_eq!(shown["pattern"], "sessions:<pid>");
    assert!(shown["fields"].as_array().unwrap().iter().any(|field| field["name"] == "last_heartbeat"));
    assert!(run(&["keys", "show", "session_index"]).out.contains("score_doc"));
    let unknown = run(&["keys", "show", "nothing"]);
    assert_eq!(unknown.code, 3);
    assert!(unknown.err.contains("quorate keys ls"), "{}", unknown.err);
    let ambiguous = run(&["keys", "show", "events"]);
    assert_eq!(ambiguous.code, 2);
    assert!(ambiguous.err.contains("ade.events, reverie.events"), "{}", ambiguous.err);
}

#[test]
fn a_table_fits_the_terminal_it_is_told_of() {
    let mut command = crate::support::quorate(&["keys", "ls"]);
    let said = crate::support::said(command.env("COLUMNS", "100").output().unwrap());
    let widest = said.out.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 100, "{widest}");
}

#[test]
fn a_reader_that_went_away_is_no_fault() {
    let shell = format!("{} keys ls -o json | head -1; exit ${{PIPESTATUS[0]}}", crate::support::BINARY);
    let output = std::process::Command::new("bash").args(["-c", &shell]).output().unwrap();
    let said = crate::support::said(output);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "[\n", ""));
}
