//! A process that sends, or reads and acknowledges, for tests that kill it.
//!
//! A sender logs what the store said it has; a reader logs what it acknowledged, and when the store says that was. A kill
//! may fall between the store's answer and the line, never the other way round.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;

use quorate_catalog::ids::{AgentId, MessageId};
use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_plane::messages::Outgoing;
use quorate_plane::{Outcome, Plane};
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target};

type Failed = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, namespace, role, name, log] = &args[..] else { return ExitCode::from(2) };
    match work(url, namespace, role, name, log).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

async fn work(url: &str, namespace: &str, role: &str, name: &str, log: &str) -> Result<(), Failed> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let plane = Plane::new(Scope { store, keys })?;
    let mut log = OpenOptions::new().create(true).append(true).open(log)?;
    let inbox = AgentId::parse("box")?;
    for number in 0.. {
        if role == "send" {
            let body = format!("{name}:{number}");
            let out = Outgoing::new(AgentId::parse("sender")?, body.clone());
            if let Outcome::Done(sent) = plane.messages().send(&inbox, &out).await? {
                log.write_all(format!("sent {body}\t{}\n", sent.id).as_bytes())?;
            }
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        } else {
            let Outcome::Done(got) = plane.messages().read(&inbox, None, 20, false).await? else { continue };
            let ids: Vec<MessageId> =
                got.messages.iter().filter_map(|one| MessageId::parse(one.id.as_deref()?).ok()).collect();
            let acked = plane.messages().ack(&inbox, None, &ids, None).await?;
            for one in acked.unwrap() {
                let when = one.outcome.unwrap().get();
                log.write_all(format!("acked {}\t{when}\n", one.id).as_bytes())?;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
    Ok(())
}
