//! A process that reads events for a group, for tests that stop and kill it.
//!
//! It takes its time between reading and acknowledging, which is where a kill hurts. Each event it has dealt with is one
//! line outside the store, written before the acknowledgement, with how often the event had been delivered.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_plane::events::{Read, Stream};
use quorate_plane::{Outcome, Plane};
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, namespace, stream, group, consumer, idle_ms, log] = &args[..] else { return ExitCode::from(2) };
    let Ok(stream) = stream.parse() else { return ExitCode::from(2) };
    let wanted = Read {
        count: 20,
        idle: Duration::from_millis(idle_ms.parse().unwrap_or(500)),
        wait: Duration::from_secs(1),
        ..Read::new(stream, group, consumer)
    };
    match work(url, namespace, &wanted, log).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

type Failed = Box<dyn std::error::Error>;

async fn work(url: &str, namespace: &str, wanted: &Read, log: &str) -> Result<(), Failed> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let plane = Plane::new(Scope { store, keys })?;
    let mut log = OpenOptions::new().create(true).append(true).open(log)?;
    loop {
        let Outcome::Done(batch) = plane.events().read(wanted).await? else { continue };
        for entry in batch.entries {
            // Poison: whoever touches it dies.
            if entry.field("payload").is_some_and(|payload| payload.contains("poison")) {
                std::process::abort();
            }
            let line = format!("{}\t{} {}\n", entry.id, entry.deliveries, wanted.consumer);
            log.write_all(line.as_bytes())?;
            tokio::time::sleep(Duration::from_micros(200)).await;
            acknowledge(&plane, wanted.stream, wanted, entry.id).await?;
        }
    }
}

async fn acknowledge(plane: &Plane, stream: Stream, wanted: &Read, id: String) -> Result<(), Failed> {
    plane.events().ack(stream, &wanted.group, Some(&wanted.consumer), &[id]).await?;
    Ok(())
}
