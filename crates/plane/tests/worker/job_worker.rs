//! A scheduler, for tests that kill it: it looks at the schedule again and again. With two more words it tells webhooks
//! what happens instead: what it may call, and by how many seconds its clock is fast, so that leases of the dead are over.
//!
//! With `branches SEED RUNS FULL` it brings the branches of so many runs to their joins instead, in an order of its own and
//! some of them twice, and ends when it has brought all.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use quorate_catalog::ids::{StageId, TaskId};
use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_outgoing::{Client, Guard};
use quorate_plane::Plane;
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Options, Store, Target};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let ended = match &args[..] {
        [url, namespace] => schedule(url, namespace).await,
        [url, namespace, rules, ahead] => tell(url, namespace, rules, ahead).await,
        [url, namespace, mode, seed, runs, full] if mode == "branches" => {
            branches(url, namespace, (seed, runs, full)).await
        }
        _ => return ExitCode::from(2),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

async fn plane(url: &str, namespace: &str) -> Result<Plane, Box<dyn Error>> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    Ok(Plane::new(Scope { store, keys })?)
}

async fn tell(url: &str, namespace: &str, rules: &str, ahead: &str) -> Result<(), Box<dyn Error>> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let store = store.with_clock(Clock::Offset(ahead.parse::<i64>()? * 1_000_000));
    let plane = Plane::new(Scope { store, keys })?.calling(Client::new(Guard::parse(rules)?));
    match plane.webhooks().dispatch(&|_| ()).await {}
}

async fn schedule(url: &str, namespace: &str) -> Result<(), Box<dyn Error>> {
    let plane = plane(url, namespace).await?;
    loop {
        plane.jobs().tick().await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// How many branches the run of this number has; the proof knows the same numbers.
fn width(run: usize, full: bool) -> usize {
    if full { 2 + run % 199 } else { [2, 3, 5, 8, 13, 40, 100, 200][run % 8] }
}

async fn branches(
    url: &str,
    namespace: &str,
    (seed, runs, full): (&str, &str, &str),
) -> Result<(), Box<dyn Error>> {
    let plane = plane(url, namespace).await?;
    let (mut dice, runs, full) = (seed.parse::<u64>()?, runs.parse::<usize>()?, full == "full");
    let mut roll = |end: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % end
    };
    let merge = StageId::parse("merge")?;
    let begin = roll(runs);
    for place in 0..runs {
        let run = (begin + place) % runs;
        let task = TaskId::parse(&format!("run-{run}"))?;
        let mut names: Vec<StageId> =
            (0..width(run, full)).map(|n| StageId::parse(&format!("b{n}"))).collect::<Result<_, _>>()?;
        let all = names.clone();
        for at in (1..names.len()).rev() {
            names.swap(at, roll(at + 1));
        }
        let said = roll(names.len());
        for (at, name) in names.iter().enumerate() {
            if at == said {
                plane.workflows().expect(&task, &merge, &all).await?;
            }
            for _ in 0..=usize::from(roll(10) == 0) {
                plane.workflows().arrive(&task, &merge, name, "{\"done\":true}").await?;
            }
        }
    }
    Ok(())
}
