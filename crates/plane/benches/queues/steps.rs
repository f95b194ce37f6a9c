//! What the server needs for each step of a cycle, ours and bare: its own count of the time inside scripts.

use futures_util::future::join_all;
use quorate_plane::Plane;
use quorate_plane::queues::{Claim, Push};
use quorate_testkit::Bench;

use super::{TASKS, agent, bare, queue};

const EACH: usize = 100;

/// Prints microseconds an item for push, claim and acknowledgement.
pub(crate) async fn report(bench: &Bench, plane: &Plane) {
    let own = ours(bench, plane).await;
    let bare = bare::steps(bench, EACH).await;
    println!("inside the server, for each item of {TASKS} tasks that ask for one: quorate and bare scripts");
    for (place, what) in ["push", "claim", "ack"].iter().enumerate() {
        println!("  {what:<6} {:>5.1} µs and {:>5.1} µs", own[place], bare[place]);
    }
}

async fn ours(bench: &Bench, plane: &Plane) -> [f64; 3] {
    bench.cli("CONFIG RESETSTAT").await;
    let all = async |task: usize| {
        for n in 0..EACH {
            let push = Push::new(format!("{task}-{n}"));
            plane.queues().push(&queue("normal"), &push).await.expect("pushes").unwrap();
        }
    };
    join_all((0..TASKS).map(all)).await;
    let push = inside(bench).await;
    let all = async |task: usize| {
        let mut tokens = Vec::new();
        for _ in 0..EACH {
            let claim = Claim::new(queue("normal"), agent(task));
            tokens.push(plane.queues().claim(&claim).await.expect("claims").unwrap().items.remove(0).token);
        }
        tokens
    };
    let tokens = join_all((0..TASKS).map(all)).await;
    let claim = inside(bench).await;
    let all = async |task: usize| {
        for token in &tokens[task] {
            let one = std::slice::from_ref(token);
            plane.queues().ack(&agent(task), None, one).await.expect("acks").unwrap();
        }
    };
    join_all((0..TASKS).map(all)).await;
    [push, claim, inside(bench).await]
}

/// Microseconds of scripts since this was last asked, for each item; calls of one moment share a script.
pub(crate) async fn inside(bench: &Bench) -> f64 {
    let stats = bench.scope.store.info("commandstats").await.expect("INFO commandstats");
    let text = stats.get("cmdstat_evalsha").unwrap_or_default();
    let all = text.split(',').find_map(|part| part.strip_prefix("usec=")?.parse::<f64>().ok());
    bench.cli("CONFIG RESETSTAT").await;
    all.map_or(f64::NAN, |all| all / (TASKS * EACH) as f64)
}
