//! `quorate jobs`: what is scheduled comes out of its queue, and bad input is told.

use crate::support::Plane;

#[test]
fn a_job_is_scheduled_shown_claimed_when_it_is_due_and_cancelled() {
    let plane = Plane::start();
    assert_eq!(plane.run(&["agents", "register", "a"]).code, 0);
    let soon = ["jobs", "schedule", "job:nightly", "{\"n\":1}", "--in", "1s", "--id", "once", "-o", "json"];
    let scheduled = plane.run(&soon);
    assert_eq!((scheduled.code, &scheduled.json()["id"]), (0, &"once".into()), "{}", scheduled.out);
    let claim = ["queues", "claim", "job:nightly", "--agent", "a", "--wait", "10s", "-o", "json"];
    let claimed = plane.run(&claim).json();
    assert_eq!(
        (&claimed["outcome"], &claimed["items"][0]["payload"]),
        (&"claimed".into(), &"{\"n\":1}".into())
    );
    let shown = plane.run(&["jobs", "show", "once", "-o", "json"]);
    assert_eq!(shown.code, 0, "{}", shown.out);
    let cron =
        ["jobs", "schedule", "nightly", "x", "--cron", "0 3 * * *", "--zone", "Europe/Berlin", "--id", "n"];
    assert_eq!(plane.run(&cron).code, 0);
    assert!(plane.run(&["jobs", "ls"]).out.contains('n'));
    assert_eq!(plane.run(&["jobs", "run", "n"]).code, 0);
    assert_eq!(plane.run(&["jobs", "cancel", "n"]).code, 0);
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn a_job_without_a_moment_or_with_a_bad_one_is_refused() {
    let plane = Plane::start();
    for bad in [
        &["jobs", "schedule", "nightly", "x"][..],
        &["jobs", "schedule", "nightly", "x", "--in", "1s", "--cron", "0 3 * * *"],
        &["jobs", "schedule", "nightly", "x", "--cron", "every day"],
        &["jobs", "schedule", "nightly", "x", "--cron", "0 3 * * *", "--zone", "Nowhere/Land"],
        &["jobs", "schedule", "nightly", "x", "--at", "tomorrow"],
        &["jobs", "schedule", "a b", "x", "--in", "1s"],
    ] {
        assert_eq!(plane.run(bad).code, 2, "{bad:?}");
    }
    assert_eq!(plane.run(&["jobs", "show", "nobody"]).code, 3);
}
