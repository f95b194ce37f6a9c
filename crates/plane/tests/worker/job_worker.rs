//! A scheduler, for tests that kill it: it looks at the schedule again and again.

use std::process::ExitCode;
use std::time::Duration;

use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_plane::Plane;
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, namespace] = &args[..] else { return ExitCode::from(2) };
    match work(url, namespace).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
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
