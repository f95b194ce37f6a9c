//! Answers one request as an HTTP server would, for tests that kill it between the effect and the answer.

use std::process::ExitCode;
use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_plane::idempotency::{Begun, Kept};
use quorate_plane::messages::Outgoing;
use quorate_plane::trail::Record;
use quorate_plane::{Outcome, Plane};
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Options, Store, Target};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, namespace, key, ahead, stage] = &args[..] else { return ExitCode::from(2) };
    match work(url, namespace, key, ahead, stage).await {
        Ok(code) => ExitCode::from(code),
        Err(_) => ExitCode::FAILURE,
    }
}

/// 0 done, 10 busy, 11 answered before, 12 another request. At its stage it says so and waits to be killed.
async fn work(
    url: &str,
    namespace: &str,
    key: &str,
    ahead: &str,
    stage: &str,
) -> Result<u8, Box<dyn std::error::Error>> {
    let store = Store::connect(Target::parse(url)?, Options::default()).await?;
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    let store = store.with_clock(Clock::Offset(ahead.parse::<i64>()? * 1_000_000));
    let plane = Plane::new(Scope { store, keys })?;
    let claim = match plane.idempotency().begin("ci", key, &[7; 32]).await? {
        Begun::Go(claim) => claim,
        Begun::Busy => return Ok(10),
        Begun::Known(_) => return Ok(11),
        Begun::Other => return Ok(12),
    };
    wait_at("claimed", stage).await;
    let out = Outgoing::new(AgentId::parse("ci")?, key.to_owned());
    let asked = plane.messages().asked(Some(&claim.request));
    let Outcome::Done(sent) = asked.send(&AgentId::parse("box")?, &out).await? else { return Ok(13) };
    wait_at("done", stage).await;
    let (action, target) = ("messages.send".into(), sent.id.to_string());
    let record =
        Record { who: "ci".into(), action, target, request: claim.request.clone(), ..Record::default() };
    plane.trail().record(&record).await?;
    wait_at("recorded", stage).await;
    let body = sent.id.to_string().into_bytes();
    plane
        .idempotency()
        .finish(&claim, &Kept { status: 201, content_type: "text/plain".into(), body })
        .await?;
    Ok(0)
}

#[expect(clippy::print_stdout, reason = "the test waits for the line")]
async fn wait_at(here: &str, stage: &str) {
    if here == stage {
        println!("{here}");
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
}
