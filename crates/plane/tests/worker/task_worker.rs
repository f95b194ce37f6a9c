//! A worker that reports, for tests that kill it: each time it begins, it reports the same events from the first on. With
//! `care` in their place it looks after the search until nothing is to be done,
//! and with `pull` in place of a task it reads the feed of a service, again and again.

use std::process::ExitCode;

use quorate_catalog::ids::TaskId;
use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_outgoing::{Client, Guard};
use quorate_plane::Plane;
use quorate_plane::json::Object;
use quorate_plane::tasks::Report;
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, namespace, task, events] = &args[..] else { return ExitCode::from(2) };
    match work(url, namespace, task, events).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

async fn work(
    url: &str,
    namespace: &str,
    task: &str,
    events: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let plane = Plane::new(Scope { store, keys })?;
    if events == "care" {
        while plane.search().tend_all().await? > 0 {}
        return Ok(());
    }
    if task == "pull" {
        let plane = plane.calling(Client::new(Guard::parse("127.0.0.1:*")?));
        loop {
            plane.services().pull(&events.parse()?).await?;
        }
    }
    for number in 0..events.parse::<u32>()? {
        let document = Object::parse(&format!("{{\"status\":\"running\",\"meta\":{{\"step\":{number}}}}}"))?;
        plane.tasks().report(&Report::of(TaskId::parse(task)?, document)?).await?;
        // So that there are many moments to die in.
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    Ok(())
}
