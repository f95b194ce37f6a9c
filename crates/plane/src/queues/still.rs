//! Whether those who wait for items still may: one question a second for all of a process, whatever they wait for.
//!
//! A worker that was revoked, is to drain, or whose lease has ended must not wait on as if nothing were. Once, each who
//! waited asked that by itself, and a thousand who waited were a thousand calls a second. Now only whom it concerns asks.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Result, Store};
use tokio::sync::Notify;
use tokio::time::sleep;

use super::Scripts;
use super::finish::epoch_text;
use crate::Plane;
use crate::hall::{LOOK, lock};

/// Agents of one question.
const MOST: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct Still(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    arrivals: u64,
    all: BTreeMap<u64, (String, Arc<Notify>)>,
    /// Whether somebody asks for them.
    asked: bool,
}

/// Somebody for whom it is asked, until it is dropped.
#[derive(Debug)]
pub(crate) struct Asker {
    waiting: Arc<Mutex<Waiting>>,
    number: u64,
    bell: Arc<Notify>,
}

impl Asker {
    /// Until it is to ask by itself.
    pub(crate) async fn doubted(&self) {
        self.bell.notified().await;
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        lock(&self.waiting).all.remove(&self.number);
    }
}

impl Still {
    /// Asks for this agent from now on.
    pub(crate) fn ask_for(&self, plane: &Plane, agent: &AgentId, epoch: Option<u64>) -> Asker {
        let bell = Arc::<Notify>::default();
        let mut waiting = lock(&self.0);
        let number = waiting.arrivals;
        waiting.arrivals += 1;
        let who = format!("{} {}", epoch_text(epoch), agent.as_key());
        waiting.all.insert(number, (who, Arc::clone(&bell)));
        if !std::mem::replace(&mut waiting.asked, true) {
            // Nobody's request: what is asked for many outlasts that of one.
            let (store, scripts) = (plane.store().natural(), Arc::clone(&plane.queues.scripts));
            tokio::spawn(ask(store, scripts, Arc::clone(&self.0)));
        }
        Asker { waiting: Arc::clone(&self.0), number, bell }
    }
}

/// Asks once a second, as long as somebody waits.
async fn ask(store: Store, scripts: Arc<Scripts>, waiting: Arc<Mutex<Waiting>>) {
    loop {
        sleep(LOOK).await;
        let mut bells: HashMap<String, Vec<Arc<Notify>>> = HashMap::new();
        {
            let mut waiting = lock(&waiting);
            if waiting.all.is_empty() {
                waiting.asked = false;
                return;
            }
            for (who, bell) in waiting.all.values() {
                bells.entry(who.clone()).or_default().push(Arc::clone(bell));
            }
        }
        let all: Vec<_> = bells.into_iter().collect();
        for some in all.chunks(MOST) {
            let letters = may(&store, &scripts, some.iter().map(|(who, _)| who)).await;
            // Without an answer each asks by itself, and is told what is wrong with the store.
            let letters = letters.unwrap_or_default().into_bytes();
            let doubted = some.iter().enumerate().filter(|(at, _)| letters.get(*at) != Some(&b'y'));
            doubted.flat_map(|(_, (_, bells))| bells).for_each(|bell| bell.notify_one());
        }
    }
}

/// A letter for each: `y`, or `-` for whom it is not as simple as that.
async fn may(store: &Store, scripts: &Scripts, who: impl Iterator<Item = &String>) -> Result<String> {
    let (none, args): ([&str; 0], Vec<Arg<'_>>) = ([], who.map(Arg::from).collect());
    store.run(&scripts.may_wait, &none, &args).await
}
