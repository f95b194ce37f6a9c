//! A process that works off a queue, for tests that stop, kill and end it.
//!
//! Each effect is one line outside the store: the payload, then attempt, fence and agent. A payload `poison…` ends the
//! process at once, as a crash would; `slow-…` takes its time, and `steady-…` a little. In the place of a queue,
//! `replay` replays every open letter, and `retry` retries every failed task of relayna's store.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use quorate_catalog::ids::{AgentId, DeadLetterId};
use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_plane::Plane;
use quorate_plane::dead_letters::{Filter, Manual, RecordFilter, Replay};
use quorate_plane::worker::Job;
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, namespace, agent, queue, log, concurrency, lease] = &args[..] else { return ExitCode::from(2) };
    match work(url, namespace, agent, queue, log, concurrency, lease).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

async fn work(
    url: &str,
    namespace: &str,
    agent: &str,
    queue: &str,
    log: &str,
    concurrency: &str,
    lease: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let plane = Plane::new(Scope { store, keys })?;
    let file = std::sync::Arc::new(OpenOptions::new().create(true).append(true).open(log)?);
    let agent = AgentId::parse(agent)?;
    match queue {
        "replay" => return replay(&plane, agent.as_key()).await,
        "retry" => return retry(&plane, agent.as_key()).await,
        _ => {}
    }
    let name = agent.to_string();
    let handler = move |job: Job| {
        let (file, name) = (std::sync::Arc::clone(&file), name.clone());
        async move {
            let payload = job.text();
            let line = format!("{payload}\t{} {} {name}\n", job.attempt, job.token.fence);
            let written = (&*file).write_all(line.as_bytes());
            if payload.starts_with("poison") {
                std::process::abort();
            }
            let pause = match payload.split('-').next() {
                Some("slow") => 300,
                Some("steady") => 40,
                _ => 1,
            };
            tokio::time::sleep(Duration::from_millis(pause)).await;
            written
        }
    };
    let lease = Duration::from_millis(lease.parse()?);
    let worker = plane.worker(queue).agent(agent).concurrency(concurrency.parse()?).lease(lease);
    worker.grace(Duration::from_secs(5)).run(handler).await?;
    Ok(())
}

/// Few at a time, so that there are many moments to die in.
async fn replay(plane: &Plane, who: &str) -> Result<(), Box<dyn std::error::Error>> {
    loop {
        let open = Filter { state: Some("open".into()), limit: 10_000, ..Filter::default() };
        let letters = plane.dead_letters().list(&open).await?;
        let ids: Vec<_> = letters.iter().filter_map(|letter| DeadLetterId::parse(&letter.id).ok()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        for few in ids.chunks(7) {
            plane.dead_letters().replay_many(few, &Replay::by(who)).await?;
        }
    }
}

/// Retries every failed task of relayna's store that was not retried, page by page, until none is left.
async fn retry(plane: &Plane, who: &str) -> Result<(), Box<dyn std::error::Error>> {
    let open = RecordFilter { state: Some("dead_lettered".to_owned()), ..RecordFilter::default() };
    let records = plane.dead_letters().records();
    loop {
        let page = records.failed(&open, None, 50).await?.unwrap();
        if page.items.is_empty() {
            return Ok(());
        }
        for task in page.items {
            let how =
                Manual { request: quorate_plane::random_id(), who: who.to_owned(), ..Manual::default() };
            records.retry_by_hand(&DeadLetterId::parse(&task.failure_id)?, &how).await?;
        }
    }
}
