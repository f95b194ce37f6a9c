//! A process that increments a counter under a lock, for tests that stop and kill it.
//!
//! It reads, takes its time and writes back through the guard, which is what a holder does that may be paused past its
//! lease at any moment. Each write that the store accepted is one line outside the store: value, token, agent.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_plane::agents::Registration;
use quorate_plane::locks::{Acquire, Request, Resource};
use quorate_plane::{Outcome, Plane};
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target, cmd};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, namespace, agent, lock, counter, log] = &args[..] else { return ExitCode::from(2) };
    match work(url, namespace, agent, lock, counter, log).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

type Failed = Box<dyn std::error::Error>;

async fn work(
    url: &str,
    namespace: &str,
    agent: &str,
    lock: &str,
    counter: &str,
    log: &str,
) -> Result<(), Failed> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let plane = Plane::new(Scope { store, keys })?;
    let mut log = OpenOptions::new().create(true).append(true).open(log)?;
    let agent = AgentId::parse(agent)?;
    let on: Resource = lock.parse()?;
    loop {
        let registration = Registration { lease: Duration::from_secs(2), ..Registration::new(agent.clone()) };
        let Outcome::Done(registered) = plane.agents().register(&registration).await? else { continue };
        let request = Request {
            epoch: Some(registered.epoch),
            ttl: Some(Duration::from_millis(250)),
            wait: Duration::from_secs(5),
            ..Request::new(on.clone(), agent.clone())
        };
        let Outcome::Done(Acquire::Granted(grant)) = plane.locks().acquire(&request).await? else { continue };
        let before: u64 = plane.store().query::<Option<u64>>(cmd("GET").arg(counter)).await?.unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(2)).await;
        let write = ["SET".to_owned(), counter.to_owned(), (before + 1).to_string()];
        if let Outcome::Done(_) = plane.locks().guard(&on, grant.fence, &write).await? {
            log.write_all(format!("{}\t{} {agent}\n", before + 1, grant.fence).as_bytes())?;
        }
        plane.locks().release(&on, &agent, grant.fence).await?;
    }
}
