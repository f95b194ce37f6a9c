//! `cargo xtask soak [NAME]`: the proofs in full size, in release mode, with their seeds and figures.
//!
//! The same tests run small in `cargo xtask test`. `QUORATE_SEED` repeats what a run did at random; `QUORATE_SOAK=0.2` asks for
//! a fifth of the size.

use crate::say;
use crate::stages::cargo;

/// Name, which tests, and what is shown.
type Soak = (&'static str, &'static str, &'static str);

/// Tests of the server.
const SERVER: &[Soak] = &[
    ("x1", "bad_input::every_", "every bad name, body and value over every route"),
    (
        "x7",
        "slow::slow_and_many",
        "1,000 slow clients, 2,100 streams that one caller does not read, a body of 1 GiB: the others are served, memory is bounded",
    ),
    ("viewers", "viewers::every_viewer", "10,000 viewers of one stream: memory and p99"),
];

/// Tests of the plane.
const PLANE: &[Soak] = &[
    ("l1", "l1_", "16 processes, 50,000 calls each, cuts and SIGSTOP: linearizable"),
    ("l2", "l2_a_fence", "fences grow over 20 crashes of the server"),
    ("l3", "l3_", "500 stops of a holder: no guarded update is lost; without the guard some are"),
    ("l4", "l4_", "10,000 random calls against a model"),
    ("l5", "l5_", "720 hand-overs with every message lost, each within a second"),
    ("l6", "l6_", "200 killed waiters"),
    ("l7", "l7_", "a minute of readers without a gap, a minute of writers"),
    ("l8", "l8_", "1,000 rings broken, 10,000 waits without a ring"),
    ("l9", "l9_", "1,000 locks pass on with their session"),
    ("l10", "l2_l10_", "20 failovers of a stopped master: durable holds, fences"),
    ("e1", "e1_", "1,000 sessions, 200 killed, in real time"),
    ("e2", "e2_", "clients whose clocks are an hour off, or step"),
    ("e3", "a_late_heartbeat", "10,000 races of a late heartbeat"),
    (
        "q1",
        "queues_chaos::no_item_is_lost",
        "100,000 jobs, 200 kills: none lost; a second run has a higher fence (Q2)",
    ),
    ("q3", "queues_chaos::an_orphan_is", "200 orphans, each within its lease and two seconds"),
    ("q4", "a_worker_that_was_stopped", "500 stops: no late answer is taken"),
    ("q5", "poison_is_buried", "10 poison items in 5,000"),
    ("q6", "a_saturated_queue", "2,000 lower items beside 40,000 urgent ones: one claim in twenty"),
    ("q7", "one_consumer_sees", "50,000 items in their order"),
    ("q8", "queues_chaos::lost_replies", "10,000 pushes whose replies are lost"),
    ("q9", "workers_that_are_asked", "50 rolling restarts, 50,000 jobs"),
    ("inbox", "messages_chaos::nothing_is_lost", "200 kills of senders and readers: no message is lost"),
    ("s1", "events_chaos::a_stopped_consumer", "50,000 events past a stopped consumer: it misses nothing"),
    (
        "s2",
        "events_losses::a_foreign_client_that_trims",
        "60,000 entries of a foreign MAXLEN ~ 100: every loss is counted",
    ),
    ("s3", "events::a_dead_group", "50,000 events past a dead group: memory stops growing"),
    ("s4", "events_chaos::a_group_that_comes_late", "a late group gets all of 9,000 events"),
    ("s5", "events_chaos::nothing_is_lost", "200 killed consumers, 50,000 entries"),
    ("c1", "each_job_is_queued", "100,000 timers, three schedulers, 100 kills"),
    (
        "c2",
        "limits::no_window",
        "three limits, 200 windows each, eight clients: no window has more than its limit",
    ),
    ("d1", "reporters_that_are_killed", "200 killed reporters, each event once"),
    ("d2", "of_many_clients", "32 clients, 10,000 events each, one effect"),
    ("d3", "the_same_event_counts", "10,000 histories in any order"),
    (
        "d4",
        "replayers_that_are_killed",
        "1,000 letters and 1,000 records, replayers killed: one item of each",
    ),
    ("d5", "d5_", "5,000 joins of 2 to 200 branches, 200 kills: each fires once"),
    ("r4", "r4_", "a full server refuses what is new and drains"),
    ("r5", "r5_", "no script above 10 ms at the limits"),
];

pub(crate) fn run(name: Option<&str>) -> Result<(), String> {
    let plane = PLANE.iter().map(|soak| (soak, ["-p", "quorate-plane", "--test", "plane"]));
    let server = SERVER.iter().map(|soak| (soak, ["-p", "quorate-server", "--test", "it"]));
    let all: Vec<_> = plane.chain(server).collect();
    let chosen: Vec<_> = all.iter().filter(|((own, ..), _)| name.is_none_or(|name| name == *own)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = all.iter().map(|((own, ..), _)| *own).collect();
        return Err(format!("no soak test of that name; there are: {}", names.join(", ")));
    }
    for ((own, filter, what), tests) in chosen {
        say::info(&format!("== {own}: {what}"));
        let test = [&["test", "--release", "--quiet"], &tests[..], &[filter]].concat();
        // One at a time: a proof measures, and the others would be in its way.
        let rest = ["--", "--nocapture", "--test-threads", "1"];
        let part = std::env::var("QUORATE_SOAK").unwrap_or_else(|_| "1".to_owned());
        cargo(&[&test[..], &rest].concat(), &[("QUORATE_SOAK", &part)])?;
    }
    Ok(())
}
