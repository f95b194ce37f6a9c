//! A scheduler, for tests that kill it: it looks at the schedule again and again. With two more words it tells webhooks
//! what happens instead: what it may call, and by how many seconds its clock is fast, so that leases of the dead are over.

use std::process::ExitCode;
use std::time::Duration;

use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_outgoing::{Client, Guard};
use quorate_plane::Plane;
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Options, Store, Target};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let ended = match &args[..] {
        [url, namespace] => work(url, namespace).await,
        [url, namespace, rules, ahead] => tell(url, namespace, rules, ahead).await,
        _ => return ExitCode::from(2),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

async fn tell(
    url: &str,
    namespace: &str,
    rules: &str,
    ahead: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let store = store.with_clock(Clock::Offset(ahead.parse::<i64>()? * 1_000_000));
    let plane = Plane::new(Scope { store, keys })?.calling(Client::new(Guard::parse(rules)?));
    match plane.webhooks().dispatch(&|_| ()).await {}
}

async fn work(url: &str, namespace: &str) -> Result<(), Box<dyn std::error::Error>> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let plane = Plane::new(Scope { store, keys })?;
    loop {
        plane.jobs().tick().await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
