//! `quorate queues` and `quorate dead`: outcomes, exit codes and hostile text.

use crate::support::Plane;

fn plane(agents: &[&str]) -> Plane {
    let plane = Plane::start();
    for agent in agents {
        assert_eq!(plane.run(&["agents", "register", agent]).code, 0);
    }
    plane
}

#[test]
fn an_item_goes_from_push_to_ack_and_a_late_token_is_stale() {
    let plane = plane(&["a", "b"]);
    let pushed = plane.run(&["queues", "push", "normal", "{\"n\":1}", "--key", "k", "-o", "json"]).json();
    let again = plane.run(&["queues", "push", "normal", "{\"n\":1}", "--key", "k", "-o", "json"]).json();
    assert_eq!(pushed["id"], again["id"]);
    let claimed = plane.run(&["queues", "claim", "high", "normal", "--agent", "a", "-o", "json"]).json();
    assert_eq!((&claimed["outcome"], &claimed["items"][0]["id"]), (&"claimed".into(), &pushed["id"]));
    assert_eq!(
        (&claimed["items"][0]["payload"], &claimed["items"][0]["attempt"]),
        (&"{\"n\":1}".into(), &1.into())
    );
    let token = claimed["items"][0]["token"].as_str().unwrap();
    assert_eq!(plane.run(&["queues", "extend", token, "--agent", "a", "--lease", "20s"]).code, 0);
    let late = plane.run(&["queues", "ack", token, "--agent", "b", "-o", "json"]);
    assert_eq!((late.code, &late.json()["outcome"]), (4, &"stale".into()));
    assert_eq!(plane.run(&["queues", "ack", token, "--agent", "a"]).code, 0);
    for verb in ["ack", "nack", "extend"] {
        let late = plane.run(&["queues", verb, token, "--agent", "a", "-o", "json"]);
        assert_eq!((late.code, &late.json()["outcome"]), (4, &"stale".into()), "{verb}");
    }
    let empty = plane.run(&["queues", "claim", "normal", "--agent", "a", "--wait", "200ms", "-o", "json"]);
    assert_eq!((empty.code, &empty.json()["outcome"]), (0, &"empty".into()));
    let shown = plane.run(&["queues", "show", "normal", "-o", "json"]).json();
    assert_eq!((&shown["depth"], &shown["in_flight"], &shown["stale"]), (&0.into(), &0.into(), &4.into()));
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn a_dead_letter_is_listed_shown_replayed_and_dropped() {
    let plane = plane(&["a"]);
    let hostile = "\u{1b}]0;title\u{7}";
    let push = ["queues", "push", "normal", hostile, "--max-attempts", "1"];
    assert_eq!(plane.run(&push).code, 0);
    let claimed = plane.run(&["queues", "claim", "normal", "--agent", "a", "-o", "json"]).json();
    let token = claimed["items"][0]["token"].as_str().unwrap();
    let nacked =
        plane.run(&["queues", "nack", token, "--agent", "a", "--error", "boom", "-o", "json"]).json();
    assert_eq!(nacked["outcome"], "dead");
    let listed = plane.run(&["dead", "ls", "-o", "json"]).json();
    let id = listed[0]["id"].as_str().unwrap();
    assert_eq!((&listed[0]["reason"], &listed[0]["attempts"]), (&"boom".into(), &1.into()));
    assert!(!plane.run(&["dead", "show", id]).out.contains('\u{1b}'));
    assert_eq!(plane.run(&["dead", "investigate", id, "--note", "seen", "--by", "ann"]).code, 0);
    let failures = |more: &[&str]| plane.run(&[&["dead", "ls", "--clusters", "-o", "json"], more].concat());
    let open = failures(&["--state", "open"]).json();
    assert_eq!((&open[0]["open"], &open[0]["count"]), (&1.into(), &1.into()));
    for left_out in [["--state", "replayed"], ["--queue", "normal"], ["--text", "boom"]] {
        assert_eq!(failures(&left_out).code, 2, "{left_out:?}");
    }
    let replayed = plane.run(&["dead", "replay", id, "--by", "ann", "-o", "json"]);
    assert_eq!((replayed.code, &replayed.json()["outcome"]), (0, &"replayed".into()), "{}", replayed.out);
    assert_eq!(failures(&["--state", "open"]).json(), serde_json::json!([]));
    assert_eq!(failures(&[]).json()[0]["open"], 0);
    let again = plane.run(&["dead", "replay", id, "--by", "ann", "-o", "json"]);
    assert_eq!((again.code, &again.json()["code"]), (4, &"already_replayed".into()));
    let claimed = plane.run(&["queues", "claim", "normal", "--agent", "a", "-o", "json"]).json();
    assert_eq!(
        (&claimed["items"][0]["id"], &claimed["items"][0]["payload"]),
        (&replayed.json()["id"], &hostile.into())
    );
    assert_eq!(plane.run(&["dead", "drop", id, "--reason", "a test"]).code, 0);
    assert_eq!(plane.run(&["dead", "show", id]).code, 3);
}

#[test]
fn bad_input_is_refused_with_2_and_a_pause_holds() {
    let plane = plane(&["a"]);
    for bad in [
        &["queues", "push", "urgent", "x"][..],
        &["queues", "push", "job:*", "x"],
        &["queues", "push", "normal", "x", "--max-attempts", "0"],
        &["queues", "push", "normal", "x", "--delay", "5"],
        &["queues", "push", "normal", "x", "--key", ""],
        &["queues", "claim", "normal", "--agent", "a", "--max", "0"],
        &["queues", "claim", "normal", "normal", "--agent", "a"],
        &["queues", "claim", "normal", "--agent", "a b"],
        &["queues", "claim", "normal", "--agent", "a", "--lease", "0s"],
        &["queues", "ack", "nonsense", "--agent", "a"],
        &["dead", "show", "../x"],
        &["dead", "replay"],
    ] {
        assert_eq!(plane.run(bad).code, 2, "{bad:?}");
    }
    assert_eq!(plane.run(&["queues", "claim", "normal", "--agent", "nobody"]).code, 3);
    assert_eq!(plane.run(&["queues", "push", "job:archive", "x"]).code, 0);
    assert_eq!(plane.run(&["queues", "pause", "job:archive", "--by", "ann"]).code, 0);
    let paused = plane.run(&["queues", "claim", "job:archive", "--agent", "a", "-o", "json"]).json();
    assert_eq!((&paused["outcome"], &paused["paused"]), (&"empty".into(), &true.into()));
    assert_eq!(plane.run(&["queues", "resume", "job:archive"]).code, 0);
    let listed = plane.run(&["queues", "ls", "-o", "json"]).json();
    assert!(listed.as_array().unwrap().iter().any(|own| own["queue"] == "job:archive" && own["depth"] == 1));
    assert_eq!(plane.run(&["queues", "push", "job:archive", "x", "--max-depth", "1"]).code, 4);
    assert_eq!(plane.run(&["queues", "claim", "job:archive", "--agent", "a"]).code, 0);
}

#[test]
fn a_record_of_relaynas_is_kept_listed_replayed_once_and_deleted() {
    let plane = plane(&["a"]);
    let record = "{\"dlq_id\":\"d1\",\"queue_name\":\"tasks.dlq\",\"retry_queue_name\":\"tasks\",\"reason\":\"\\u001b]0;x\\u0007\"}";
    assert_eq!(plane.run(&["dead", "keep", record]).code, 0);
    for shown in
        [&["dead", "records", "--queue", "tasks.dlq"][..], &["dead", "record", "d1"], &["dead", "sums"]]
    {
        let said = plane.run(shown);
        assert!(
            said.code == 0 && said.out.contains("tasks.dlq") && !said.out.contains('\u{1b}'),
            "{shown:?}"
        );
    }
    let retried = plane.run(&["dead", "retry", "d1", "--by", "ann", "-o", "json"]);
    assert_eq!((retried.code, &retried.json()["job_id"]), (0, &"d1.r1".into()), "{}", retried.out);
    let again = plane.run(&["dead", "retry", "d1", "--by", "ann", "-o", "json"]);
    assert_eq!((again.code, &again.json()["code"]), (4, &"already_replayed".into()));
    assert_eq!(plane.run(&["dead", "review", "d1", "--note", "seen", "--by", "ann"]).code, 0);
    assert_eq!(plane.run(&["dead", "delete", "d1", "--reason", "done", "--by", "ann"]).code, 0);
    assert_eq!(plane.run(&["dead", "record", "d1"]).code, 3);
    assert_eq!(plane.run(&["dead", "keep", "[]"]).code, 2);
    assert_eq!(plane.run(&["fsck"]).code, 0);
}
