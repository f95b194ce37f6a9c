//! L8: every ring of waiting agents is broken within two seconds by failing one wait, and no other wait is ever failed.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::check;
use quorate_testkit::soak::{Dice, say, size, spread};
use tokio::time::Instant;

use crate::support::{agent, grant, lock, plane, request};

const WITHIN: Duration = Duration::from_secs(2);

/// An agent's own lock: its name, its fence, and how it is held.
struct Own {
    agent: String,
    on: String,
    fence: u64,
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("d{n}")).collect()
}

fn place(dice: &mut Dice, round: usize, n: usize) -> String {
    match dice.below(6) {
        0 => format!("task:r{round}n{n}"),
        1 => format!("name:r{round}n{n}"),
        2 => format!("file:r{round}/n{n}"),
        3 => format!("project:r{round}n{n}:docs"),
        _ => format!("resource:db:r{round}n{n}"),
    }
}

/// Every agent takes a lock of its own, of any kind; resources sometimes shared.
async fn take_own(plane: &Plane, dice: &mut Dice, agents: &[String], round: usize) -> Vec<Own> {
    let mut own = Vec::new();
    for (n, name) in agents.iter().enumerate() {
        let on = place(dice, round, n);
        let mode = mode(dice, &on);
        let fence =
            grant(plane.locks().acquire(&Request { mode, ..request(name, &on) }).await.unwrap()).fence;
        own.push(Own { agent: name.clone(), on, fence });
    }
    own
}

fn mode(dice: &mut Dice, on: &str) -> Mode {
    if on.starts_with("resource:") && dice.percent(50) { Mode::Shared } else { Mode::Exclusive }
}

async fn release(plane: &Plane, name: &str, on: &str, fence: u64) {
    plane.locks().release(&lock(on), &agent(name), fence).await.unwrap().unwrap();
}

/// How a wait for `on` may be made so that what holds it is in its way: readers do not wait for readers.
async fn in_the_way(plane: &Plane, dice: &mut Dice, on: &str) -> Mode {
    let held = plane.locks().show(&lock(on), 1).await.unwrap();
    if held.holders[0].mode == "exclusive" { mode(dice, on) } else { Mode::Exclusive }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l8_every_ring_is_broken_in_time_and_nothing_held_is_taken() {
    check(&invariants(), async |bench| {
        let (mut dice, agents) = (Dice::of("l8 rings"), names(8));
        let plane = plane(bench, &agents.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let mut took = Vec::new();
        let rings = size(60, 1_000);
        for ring in 0..rings {
            let members = 2 + dice.below(7);
            took.push(plant(&plane, &mut dice, &agents[..members], ring).await);
        }
        let slowest = took.iter().max().copied().unwrap_or_default();
        say(&format!("l8: {rings} rings of 2 to 8 agents all broken; {}", spread(took)));
        assert!(slowest <= WITHIN, "{slowest:?}");
    })
    .await;
}

/// One ring; gives the time from its closing until the victim knew.
async fn plant(plane: &Plane, dice: &mut Dice, agents: &[String], ring: usize) -> Duration {
    let own = take_own(plane, dice, agents, ring).await;
    let started = Instant::now();
    let mut waits = FuturesUnordered::new();
    for (n, name) in agents.iter().enumerate() {
        let on = own[(n + 1) % own.len()].on.clone();
        let mode = in_the_way(plane, dice, &on).await;
        let wanted = Request {
            mode,
            wait: Duration::from_secs(20),
            priority: dice.below(3) as i64,
            ..request(name, &on)
        };
        let plane = plane.clone();
        waits.push(async move {
            let verdict = tokio::spawn(async move { plane.locks().acquire(&wanted).await.unwrap() }).await;
            (n, verdict.unwrap())
        });
    }
    let (victim, verdict) = waits.next().await.unwrap();
    let took = started.elapsed();
    let Outcome::Done(Acquire::Deadlock { cycle }) = verdict else {
        panic!("ring {ring}: {} was told {verdict:?}", agents[victim])
    };
    let mut edges: Vec<String> = (0..own.len())
        .map(|n| format!("{} waits for {}", agents[n], lock(&own[(n + 1) % own.len()].on)))
        .collect();
    let mut told = cycle.clone();
    edges.sort();
    told.sort();
    assert_eq!(told, edges, "ring {ring}: the victim is told the whole ring");
    for one in &own {
        let shown = plane.locks().show(&lock(&one.on), 1).await.unwrap();
        let kept = shown.holders.iter().any(|hold| hold.agent == one.agent && hold.fence == one.fence);
        assert!(kept, "ring {ring}: {} lost {}", one.agent, one.on);
    }
    // Each gives back what it holds once its own wait is over, as a program would.
    release(plane, &own[victim].agent, &own[victim].on, own[victim].fence).await;
    while let Some((n, verdict)) = waits.next().await {
        let Outcome::Done(Acquire::Granted(got)) = verdict else {
            panic!("ring {ring}: a second victim: {verdict:?}")
        };
        release(plane, &agents[n], &own[(n + 1) % own.len()].on, got.fence).await;
        release(plane, &own[n].agent, &own[n].on, own[n].fence).await;
    }
    took
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l8_waits_without_a_ring_have_no_victims() {
    check(&invariants(), async |bench| {
        let (mut dice, agents) = (Dice::of("l8 waits"), names(10));
        let plane = plane(bench, &agents.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let (mut waits, mut granted, mut round) = (0, 0, 0);
        while waits < size(600, 10_000) {
            granted += acyclic(&plane, &mut dice, &agents, round).await;
            waits += agents.len() - 1;
            round += 1;
        }
        say(&format!(
            "l8: {waits} waits without a ring, {granted} granted, the others ended in time, 0 victims"
        ));
    })
    .await;
}

/// Everybody waits for somebody before it, so that there is an order; gives how many waits were granted.
async fn acyclic(plane: &Plane, dice: &mut Dice, agents: &[String], round: usize) -> usize {
    let own = take_own(plane, dice, agents, round).await;
    let mut waits = FuturesUnordered::new();
    for n in 1..agents.len() {
        let on = own[dice.below(n)].on.clone();
        // A wait that ends early leaves an edge behind if anything does.
        let wait = Duration::from_millis(if dice.percent(10) { 2 } else { 20_000 });
        let wanted = Request { mode: mode(dice, &on), wait, ..request(&agents[n], &on) };
        let (plane, mine) = (plane.clone(), (own[n].agent.clone(), own[n].on.clone(), own[n].fence));
        waits.push(async move {
            let all = tokio::spawn(async move {
                let got = plane.locks().acquire(&wanted).await.unwrap();
                if let Outcome::Done(Acquire::Granted(got)) = &got {
                    release(&plane, &mine.0, &on, got.fence).await;
                }
                release(&plane, &mine.0, &mine.1, mine.2).await;
                got
            });
            all.await.unwrap()
        });
    }
    tokio::time::sleep(Duration::from_millis(dice.below(8) as u64)).await;
    release(plane, &own[0].agent, &own[0].on, own[0].fence).await;
    let mut granted = 0;
    while let Some(verdict) = waits.next().await {
        match verdict {
            Outcome::Done(Acquire::Granted(_)) => granted += 1,
            Outcome::Done(Acquire::TimedOut) => {}
            other => panic!("round {round}: a wait without a ring was told {other:?}"),
        }
    }
    granted
}
