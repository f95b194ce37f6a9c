//! A process of its own that tests stop and kill: it holds, waits or lives, as its first word says.
//!
//! What it has done for real it writes outside the store, one line per effect, so that a test can compare.

mod beat;
mod history;
mod increment;
mod wait;

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_plane::Plane;
use quorate_plane::agents::Registration;
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target};

type Failed = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match work(&args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

async fn work(args: &[String]) -> Result<(), Failed> {
    let [verb, url, namespace, rest @ ..] = args else { return Err("VERB URL NAMESPACE …".into()) };
    // A history wants unknown outcomes too: its calls give up before a cut connection is mended.
    let patience = Duration::from_millis(if verb == "history" { 300 } else { 5_000 });
    let plane = connect(url, namespace, patience).await?;
    match verb.as_str() {
        "increment" => increment::work(&plane, rest).await,
        "history" => history::work(&plane, rest).await,
        "wait" => wait::work(&plane, rest).await,
        "beat" => beat::work(&plane, rest).await,
        _ => Err("increment, history, wait or beat".into()),
    }
}

async fn connect(url: &str, namespace: &str, patience: Duration) -> Result<Plane, Failed> {
    let target = Target::parse(url)?;
    let store = loop {
        match Store::connect(target.clone(), Options::default().response_timeout(patience)).await {
            Ok(store) => break store,
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    };
    let keys = Keys::new(namespace.parse()?, Layout::Plain, Prefixes::default());
    Ok(Plane::new(Scope { store, keys })?)
}

/// Registers an agent, again and again until the store can be reached; gives its epoch.
async fn register(plane: &Plane, agent: &AgentId, lease: Duration) -> u64 {
    let registration = Registration { lease, ..Registration::new(agent.clone()) };
    loop {
        if let Ok(quorate_plane::Outcome::Done(registered)) = plane.agents().register(&registration).await {
            return registered.epoch;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Lines as the effect log of the tests reads them; a binary cannot use what only tests depend on.
struct Log(File);

impl Log {
    fn open(path: &str) -> Result<Self, Failed> {
        Ok(Self(OpenOptions::new().create(true).append(true).open(path)?))
    }

    fn record(&self, effect: &str, who: &str) -> Result<(), Failed> {
        Ok((&self.0).write_all(format!("{effect}\t{who}\n").as_bytes())?)
    }
}
