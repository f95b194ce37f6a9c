//! L4: only the holder, with its fence, renews, releases and writes; random calls against a model in plain Rust.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Micros};
use quorate_testkit::soak::{Dice, say, size};
use quorate_testkit::{Bench, check};

use crate::support::{agent, lock, plane, request};

const AGENTS: [&str; 4] = ["a", "b", "c", "d"];
/// Two locks of each kind that behave differently; the areas belong to the project's lock.
const LOCKS: [&str; 7] =
    ["task:t", "name:n", "file:f", "resource:db:r", "project:p", "project:p:docs", "project:p:code"];

#[derive(Debug, Clone, PartialEq, Eq)]
struct Hold {
    agent: String,
    mode: String,
    fence: u64,
    until: u64,
    ttl: u64,
}

/// What must be: the holds of each lock, and every fence that was ever told.
#[derive(Default)]
struct Reference {
    now: u64,
    holds: BTreeMap<String, Vec<Hold>>,
    told: BTreeSet<(String, String, u64)>,
    last: BTreeMap<String, u64>,
}

fn mode_of(on: &str, shared: bool) -> String {
    match on.strip_prefix("project:p:") {
        Some(area) => format!("area {area}"),
        None if shared => "shared".to_owned(),
        None => "exclusive".to_owned(),
    }
}

fn fit(one: &str, two: &str) -> bool {
    (one == "shared" && two == "shared") || (one != two && one.starts_with("area") && two.starts_with("area"))
}

impl Reference {
    fn living(&mut self, on: &str) -> &mut Vec<Hold> {
        let (now, holds) = (self.now, self.holds.entry(lock(on).lock_ref()).or_default());
        holds.retain(|hold| hold.until > now);
        holds
    }

    /// What an acquire must answer: the fence it keeps, a new one, or whose hold is in the way.
    fn acquire(&mut self, on: &str, name: &str, mode: &str, ttl: u64, told: &Outcome<Acquire>) {
        let now = self.now;
        let holds = self.living(on);
        let rivals: Vec<String> = holds
            .iter()
            .filter(|hold| hold.agent != name && !fit(&hold.mode, mode))
            .map(|hold| hold.agent.clone())
            .collect();
        // Who has all of a project has each part of it.
        let covers = |held: &str| held == mode || held == "exclusive" && mode.starts_with("area");
        if let Some(own) = holds.iter_mut().find(|hold| hold.agent == name && covers(&hold.mode)) {
            let Outcome::Done(Acquire::Granted(grant)) = told else {
                panic!("{on}: re-entry was told {told:?}")
            };
            assert_eq!(grant.fence, own.fence, "{on}: the same hold again");
            own.until = own.until.max(now + ttl);
            return;
        }
        if !rivals.is_empty() {
            let holder = told.refusal().and_then(|why| why.detail.clone()).unwrap_or_default();
            assert!(rivals.contains(&holder), "{on}: {name} was told {told:?}, held by {rivals:?}");
            return;
        }
        let Outcome::Done(Acquire::Granted(grant)) = told else {
            panic!("{on}: {name} alone was told {told:?}")
        };
        let exchanged =
            |hold: &Hold| hold.agent == name && (!hold.mode.starts_with("area") || mode == "exclusive");
        holds.retain(|hold| !exchanged(hold));
        let hold = Hold { agent: name.into(), mode: mode.into(), fence: grant.fence, until: now + ttl, ttl };
        holds.push(hold);
        let last = self.last.insert(lock(on).lock_ref(), grant.fence).unwrap_or_default();
        assert!(grant.fence > last, "{on}: {} after {last}", grant.fence);
        self.told.insert((lock(on).lock_ref(), name.to_owned(), grant.fence));
    }

    fn owns(&mut self, on: &str, name: &str, fence: u64) -> Option<&mut Hold> {
        self.living(on).iter_mut().find(|hold| hold.agent == name && hold.fence == fence)
    }
}

fn at(bench: &Bench, instant: u64) -> Plane {
    let store = bench.scope.store.with_clock(Clock::Fixed(Micros::from_millis(instant)));
    Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l4_only_the_holder_with_its_fence_renews_releases_and_writes() {
    check(&invariants(), async |bench| {
        let (mut dice, calls) = (Dice::of("l4"), size(240, 10_000));
        let start = bench.scope.store.time().await.unwrap().millis();
        let mut model = Reference { now: start, ..Reference::default() };
        let mut moment = plane_at(bench, start).await;
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for _ in 0..calls {
            let on = *dice.one_of(&LOCKS);
            let holder = model.living(on).first().map(|hold| hold.agent.clone());
            // Half of the time whoever holds it, so that what is allowed is tried as often as what is not.
            let name =
                holder.filter(|_| dice.percent(50)).unwrap_or_else(|| (*dice.one_of(&AGENTS)).to_owned());
            let name = name.as_str();
            let word = match dice.below(20) {
                0..8 => acquire(&moment, &mut model, &mut dice, on, name).await,
                8..12 => release(&moment, &mut model, &mut dice, on, name).await,
                12..15 => renew(&moment, &mut model, &mut dice, on, name).await,
                15..18 => guard(&moment, &mut model, &mut dice, on, name).await,
                18 => {
                    model.now += 1_000 + dice.below(40_000) as u64;
                    moment = plane_at(bench, model.now).await;
                    "time passes"
                }
                _ => "nothing",
            };
            *counts.entry(word).or_default() += 1;
            compare(&moment, &mut model, on).await;
        }
        say(&format!("l4: {calls} calls as the model says: {counts:?}"));
        assert!(
            [
                "granted",
                "refused",
                "released",
                "not released",
                "renewed",
                "not renewed",
                "written",
                "not written"
            ]
            .iter()
            .all(|word| counts.contains_key(word)),
            "{counts:?}"
        );
        // Back to the server's own time, in which all of this lies ahead.
        for name in AGENTS {
            moment.agents().deregister(&agent(name), None).await.unwrap().unwrap();
        }
        plane(bench, &AGENTS).await;
    })
    .await;
}

/// The plane at a moment, with everybody alive.
async fn plane_at(bench: &Bench, instant: u64) -> Plane {
    let moment = at(bench, instant);
    for name in AGENTS {
        if moment.agents().heartbeat(&agent(name), None).await.unwrap().refusal().is_some() {
            let lease = Duration::from_secs(3_600);
            let registration = quorate_plane::agents::Registration {
                lease,
                ..quorate_plane::agents::Registration::new(agent(name))
            };
            moment.agents().register(&registration).await.unwrap().unwrap();
        }
    }
    moment
}

async fn acquire(
    plane: &Plane,
    model: &mut Reference,
    dice: &mut Dice,
    on: &str,
    name: &str,
) -> &'static str {
    let shared = on.starts_with("resource:") && dice.percent(60);
    let ttl = 30_000 + dice.below(60_000) as u64;
    let wanted = Request {
        mode: if shared { Mode::Shared } else { Mode::Exclusive },
        ttl: Some(Duration::from_millis(ttl)),
        ..request(name, on)
    };
    let told = plane.locks().acquire(&wanted).await.unwrap();
    model.acquire(on, name, &mode_of(on, shared), ttl, &told);
    if told.refusal().is_some() { "refused" } else { "granted" }
}

/// A fence that somebody may name: its own, another's, an old one, or one that never was.
fn some_fence(model: &mut Reference, dice: &mut Dice, on: &str) -> u64 {
    let living: Vec<u64> = model.living(on).iter().map(|hold| hold.fence).collect();
    let known: Vec<u64> =
        model.told.iter().filter(|told| told.0 == lock(on).lock_ref()).map(|told| told.2).collect();
    match dice.below(10) {
        0..6 if !living.is_empty() => *dice.one_of(&living),
        6..9 if !known.is_empty() => *dice.one_of(&known),
        _ => dice.roll() >> 12,
    }
}

async fn release(
    plane: &Plane,
    model: &mut Reference,
    dice: &mut Dice,
    on: &str,
    name: &str,
) -> &'static str {
    let fence = some_fence(model, dice, on);
    let told = plane.locks().release(&lock(on), &agent(name), fence).await.unwrap();
    let held = model.owns(on, name, fence).is_some();
    let ever = model.told.contains(&(lock(on).lock_ref(), name.to_owned(), fence));
    // A repeated release, and one of a hold that lapsed, may be told that it is done.
    assert!(!held || told.refusal().is_none(), "{on}: {name} was told {told:?}");
    assert!(ever || told.refusal().is_some_and(|why| why.is("not_owner")), "{on}: {name} {fence}: {told:?}");
    model.living(on).retain(|hold| hold.agent != name || hold.fence != fence);
    if told.refusal().is_some() { "not released" } else { "released" }
}

async fn renew(plane: &Plane, model: &mut Reference, dice: &mut Dice, on: &str, name: &str) -> &'static str {
    let fence = some_fence(model, dice, on);
    let ttl = dice.percent(50).then(|| 30_000 + dice.below(60_000) as u64);
    let told = plane
        .locks()
        .renew(&lock(on), &agent(name), None, fence, ttl.map(Duration::from_millis))
        .await
        .unwrap();
    let now = model.now;
    let own = model.owns(on, name, fence);
    assert_eq!(told.refusal().is_none(), own.is_some(), "{on}: {name} {fence}: {told:?}");
    let Some(own) = own else { return "not renewed" };
    own.ttl = ttl.unwrap_or(own.ttl);
    own.until = now + own.ttl;
    "renewed"
}

async fn guard(plane: &Plane, model: &mut Reference, dice: &mut Dice, on: &str, _: &str) -> &'static str {
    let fence = some_fence(model, dice, on);
    let key = format!("{}metrics:guarded", plane.keys().namespace_text());
    let told = plane.locks().guard(&lock(on), fence, &["INCR".to_owned(), key]).await.unwrap();
    let current = model.living(on).iter().any(|hold| hold.fence == fence);
    assert_eq!(told.refusal().is_none(), current, "{on}: {fence}: {told:?}");
    if current { "written" } else { "not written" }
}

/// The store shows exactly the model's holds.
async fn compare(plane: &Plane, model: &mut Reference, on: &str) {
    let shown = plane.locks().show(&lock(on), 1).await.unwrap();
    let mut store: Vec<(String, String, u64, u64)> = shown
        .holders
        .into_iter()
        .map(|hold| (hold.agent, hold.mode, hold.fence, hold.expires_at.millis()))
        .collect();
    let mut expected: Vec<(String, String, u64, u64)> = model
        .living(on)
        .iter()
        .map(|hold| (hold.agent.clone(), hold.mode.clone(), hold.fence, hold.until))
        .collect();
    store.sort();
    expected.sort();
    assert_eq!(store, expected, "{on}");
}
