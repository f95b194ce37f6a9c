//! L9, E1: what ends with a session, and when others see it.

use std::collections::HashMap;
use std::time::Duration;

use quorate_plane::agents::{Label, Query, Registration};
use quorate_plane::locks::Request;
use quorate_plane::{Plane, invariants, maintenance};
use quorate_store::Clock;
use quorate_store::invariant::Scope;
use quorate_testkit::chaos::{EffectLog, Worker};
use quorate_testkit::soak::{say, size, spread};
use quorate_testkit::{Bench, check};
use tokio::time::{Instant, sleep};

use super::workers::{start, text};
use crate::support::{agent, grant, lock, plane, refused, request};

fn every_kind(count: usize) -> Vec<String> {
    let one = |n: usize| match n % 5 {
        0 => format!("task:{n}"),
        1 => format!("name:{n}"),
        2 => format!("resource:db:{n}"),
        3 => format!("project:p{n}:docs"),
        _ => format!("file:src/{n}"),
    };
    (0..count).map(one).collect()
}

/// L9: one call ends a session and passes on everything it held, except what a lock delay keeps back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l9_the_end_of_a_session_passes_on_all_it_held() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["heir"]).await;
        for (round, ending) in ["deregister", "revoke", "lapse"].into_iter().enumerate() {
            let lease =
                if ending == "lapse" { Duration::from_millis(1_500) } else { Duration::from_secs(60) };
            let leaving = Registration { lease, ..Registration::new(agent("leaver")) };
            plane.agents().register(&leaving).await.unwrap().unwrap();
            let all: Vec<String> =
                every_kind(size(120, 1_000)).into_iter().map(|on| format!("{on}r{round}")).collect();
            for (n, on) in all.iter().enumerate() {
                let lock_delay = Duration::from_secs(if n == 7 || n == 8 { 2 } else { 0 });
                let wanted =
                    Request { ttl: Some(Duration::from_secs(600)), lock_delay, ..request("leaver", on) };
                grant(plane.locks().acquire(&wanted).await.unwrap());
            }
            end(&plane, ending).await;
            let mut kept_back = Vec::new();
            for on in &all {
                match plane.locks().acquire(&request("heir", on)).await.unwrap() {
                    outcome if outcome.refusal().is_some() => kept_back.push((on, refused(outcome).code)),
                    got => {
                        let fence = grant(got).fence;
                        plane.locks().release(&lock(on), &agent("heir"), fence).await.unwrap().unwrap();
                    }
                }
            }
            let expected = vec![(&all[7], "held".to_owned()), (&all[8], "held".to_owned())];
            assert_eq!(kept_back, expected, "{ending}");
            // The delay of a hold that lapsed begins when that is noticed.
            sleep(Duration::from_millis(2_100)).await;
            for on in [&all[7], &all[8]] {
                let got = grant(plane.locks().acquire(&request("heir", on)).await.unwrap());
                plane.locks().release(&lock(on), &agent("heir"), got.fence).await.unwrap().unwrap();
            }
            assert_eq!(
                plane.locks().held_by(&agent("leaver")).await.unwrap(),
                Vec::<String>::new(),
                "{ending}"
            );
        }
        say(&format!(
            "l9: {} locks passed on at once, by deregister, revoke and a lapsed lease",
            size(120, 1_000)
        ));
    })
    .await;
}

async fn end(plane: &Plane, ending: &str) {
    match ending {
        "deregister" => drop(plane.agents().deregister(&agent("leaver"), None).await.unwrap().unwrap()),
        "revoke" => drop(plane.agents().revoke(&agent("leaver"), None, None).await.unwrap().unwrap()),
        _ => sleep(Duration::from_millis(1_600)).await,
    }
}

/// How the view is moved in a smoke test, so that 60 seconds without a sign of life are four.
const AHEAD: i64 = 56;

/// E1: a living agent is never shown away; a killed one is within 2 s of its time, without keyspace events.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e1_the_living_are_never_shown_away_and_the_killed_always() {
    let (processes, each, killed) = (5, size(20, 200), 1);
    let ahead = if quorate_testkit::soak::full() { 0 } else { AHEAD };
    let every = Duration::from_secs(u64::try_from(60 - ahead).unwrap()) / 3;
    let bench = Bench::start().await;
    let folder = tempfile::tempdir().unwrap();
    let log = EffectLog::open(folder.path().join("ready")).unwrap();
    let (count, beat) = (each.to_string(), every.as_millis().to_string());
    let mut workers: Vec<Worker> = (0..processes)
        .map(|n| start(&bench, "beat", &[&format!("p{n}"), &count, &beat, text(log.path())]))
        .collect();
    while log.read().unwrap().lines.len() < processes {
        sleep(Duration::from_millis(20)).await;
    }
    sleep(Duration::from_millis(500)).await;
    let store = bench.scope.store.with_clock(Clock::Offset(ahead * 1_000_000));
    let view = Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap();
    for worker in &mut workers[..killed] {
        worker.kill9().unwrap();
    }
    let (began, window) = (Instant::now(), Duration::from_secs(u64::try_from(60 - ahead).unwrap()));
    let mut away: HashMap<String, Duration> = HashMap::new();
    let mut looks = 0;
    while began.elapsed() < window + Duration::from_secs(4) {
        looks += 1;
        for (name, label) in labels(&view).await {
            let dead = name.starts_with("p0-");
            assert!(dead || label == Label::Online, "{name} lives and is shown {label:?}");
            if dead && label != Label::Online {
                away.entry(name).or_insert_with(|| began.elapsed());
            }
        }
        sleep(Duration::from_millis(200)).await;
    }
    let (all, latest) = (away.len(), away.values().max().copied().unwrap_or_default());
    say(&format!(
        "e1: {} sessions, {} killed, {looks} looks; the living always online; shown away after the kill: {}",
        processes * each,
        killed * each,
        spread(away.into_values().collect())
    ));
    assert_eq!(all, killed * each, "not every killed agent is shown away");
    assert!(latest <= window + Duration::from_secs(2), "{latest:?}");
    drop(workers);
    maintenance::tick(&Plane::new(bench.scope.clone()).unwrap()).await.unwrap();
    assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
}

async fn labels(view: &Plane) -> Vec<(String, Label)> {
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let page = view.agents().ls(&Query { limit: 1_000, cursor, ..Query::default() }).await.unwrap();
        all.extend(page.agents.into_iter().map(|agent| (agent.agent, agent.label)));
        cursor = page.cursor;
        if cursor.is_none() {
            return all;
        }
    }
}
