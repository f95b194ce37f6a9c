//! `quorate workflows`: a run from its definition to its end, its refusals, and hostile text.

use crate::support::Plane;

const TOPOLOGY: &str = r#"{ "entry": ["make"], "stages": [
  { "name": "make", "allowed_next_stages": ["merge"], "owner": "team-a" },
  { "name": "merge", "terminal": true, "queue": "merges", "join": { "rule": "all", "branches": ["make", "other"] } } ] }"#;

#[test]
fn a_workflow_is_defined_run_explained_and_comes_to_its_end() {
    let plane = Plane::start();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.json");
    std::fs::write(&file, TOPOLOGY).unwrap();
    let json = |words: &[&str]| {
        let answer = plane.run(&[&["workflows"], words, &["-o", "json"]].concat());
        assert_eq!(answer.code, 0, "{words:?}: {}{}", answer.out, answer.err);
        answer.json()
    };
    assert_eq!(json(&["define", "w", file.to_str().unwrap()])["version"], 1);
    assert_eq!(json(&["ls"])[0]["stages"], 2);
    assert_eq!(json(&["show", "w"])["topology"]["entry"][0], "make");
    assert_eq!(json(&["start", "w", "t1", "--payload", "{\"n\":1}"])["outcome"], "started");
    assert_eq!(plane.run(&["workflows", "start", "w", "t1"]).code, 4, "a task has one run");
    let hostile = "\u{1b}]0;gone\u{7}";
    let entered = json(&["enter", "t1", "make", "--agent", "a", "--payload", "{}"]);
    let attempt = entered["attempt"].as_str().unwrap();
    let result = format!("{{\"text\":{}}}", serde_json::Value::from(hostile));
    let done = json(&["complete", "t1", "make", "--attempt", attempt, "--result", &result]);
    assert_eq!((&done["state"], &done["next"][0]["outcome"]), (&"running".into(), &"waiting".into()));
    let told = plane.run(&["workflows", "explain", "t1"]);
    assert!(told.out.contains("other -> merge") && !told.out.contains('\u{1b}'), "{}", told.out);
    assert_eq!(json(&["arrive", "t1", "merge", "other"])["outcome"], "fired");
    assert_eq!(json(&["arrive", "t1", "merge", "other"])["outcome"], "duplicate");
    let last = json(&["enter", "t1", "merge"]);
    let ended = json(&["complete", "t1", "merge", "--attempt", last["attempt"].as_str().unwrap()]);
    assert_eq!(ended["state"], "completed");
    assert!(!plane.run(&["workflows", "run", "t1"]).out.contains('\u{1b}'));
    assert_eq!(json(&["runs", "--state", "completed"])[0]["task"], "t1");
    json(&["start", "w", "t2"]);
    assert_eq!(json(&["cancel", "t2", "--by", "ann", "--reason", hostile])["outcome"], "cancelled");
    assert!(!plane.run(&["workflows", "runs", "--state", "cancelled"]).out.contains('\u{1b}'));
    assert!(plane.run(&["audit", "ls"]).out.contains("workflows.cancel"));
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn what_makes_no_sense_is_told_and_what_is_not_there_is_not_found() {
    let plane = Plane::start();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.json");
    std::fs::write(&file, r#"{ "entry": ["a"], "stages": [{ "name": "a" }] }"#).unwrap();
    let file = file.to_str().unwrap();
    for bad in [
        &["define", "w", file][..],
        &["define", "w", "/nowhere/at/all"],
        &["define", "runs", file],
        &["start", "w", "a b"],
        &["enter", "t", "a:b"],
        &["complete", "t", "a", "--attempt", "7"],
        &["expect", "t", "a"],
        &["runs", "--state", "lost"],
    ] {
        assert_eq!(plane.run(&[&["workflows"], bad].concat()).code, 2, "{bad:?}");
    }
    for gone in [&["show", "w"][..], &["run", "t"], &["explain", "t"], &["start", "w", "t"], &["cancel", "t"]]
    {
        assert_eq!(plane.run(&[&["workflows"], gone].concat()).code, 3, "{gone:?}");
    }
}
