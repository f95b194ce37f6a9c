//! A sealer, for tests that kill it: it seals the audit trail again and again.

use std::process::ExitCode;
use std::time::Duration;

use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_plane::Plane;
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Options, Store, Target};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, namespace, ahead] = &args[..] else { return ExitCode::from(2) };
    match work(url, namespace, ahead).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// `ahead` is by how many seconds its clock is fast, so that records need not wait and dead sealers are soon given up.
async fn work(url: &str, namespace: &str, ahead: &str) -> Result<(), Box<dyn std::error::Error>> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let store = store.with_clock(Clock::Offset(ahead.parse::<i64>()? * 1_000_000));
    let plane = Plane::new(Scope { store, keys })?;
    loop {
        plane.trail().seal().await?;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
