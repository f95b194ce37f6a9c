//! What locks need that nobody asks for: lapsed ones leave ade's registry and indexes, and rings that nobody is awake to
//! see are broken. Their event stream is kept short with all others, by `events`.

use quorate_catalog::ids::AgentId;
use quorate_catalog::{Catalog, Matcher};
use quorate_store::{Arg, Result, cmd};

use super::{Locks, Resource, keys};
use crate::outcome::Reply;

/// Locks looked at in one tick; the next tick goes on.
const AT_ONCE: usize = 200;
/// Calls that bring one lock up to date at most.
const ROUNDS: usize = 8;

impl Locks<'_> {
    /// One round of it. Safe in any number of processes: each step checks again in its script.
    pub async fn upkeep(&self) -> Result<()> {
        for on in self.lapsed().await?.into_iter().chain(self.due().await?) {
            self.mend(&on, None).await?;
        }
        self.sweep().await
    }

    /// Brings one lock up to date: whoever lapsed leaves, the next is served, and the seeds' readers see it.
    /// An agent that is said to hold it, and does not, is no longer said to.
    pub(super) async fn mend(&self, on: &Resource, said: Option<(&AgentId, &str)>) -> Result<()> {
        let (agent, member) = said.map_or(("", ""), |(agent, member)| (agent.as_key(), member));
        let detect = self.plane.lock_settings().await?.detect;
        let args = [
            Arg::from(on.lock_ref()),
            Arg::from(on.seed_key(self.plane.keys()).as_str().to_owned()),
            Arg::from(agent),
            Arg::from(member),
            Arg::from(i64::from(detect)),
        ];
        let script = &self.plane.lock_scripts().mend;
        // One call lets so many holders go and no more; a crowd may lapse at once.
        for _ in 0..ROUNDS {
            let reply: Reply = self.plane.store().repeatable().run(script, &keys::NONE, &args).await?;
            let left = reply.word(2).is_some_and(|over| over != "0");
            reply.expect("mended")?;
            if !left {
                break;
            }
        }
        Ok(())
    }

    /// Locks of which nobody but the store keeps track, and in whose line somebody left a place.
    async fn due(&self) -> Result<Vec<Resource>> {
        let (key, now) = (self.plane.keys().quorate().lock_due(), self.plane.store().time().await?.millis());
        let mut range = cmd("ZRANGEBYSCORE");
        range.arg(key.as_str()).arg("-inf").arg(now).arg("LIMIT").arg(0).arg(AT_ONCE);
        let names: Vec<String> = self.plane.store().query(&range).await?;
        Ok(names.iter().filter_map(|name| Resource::of_hold(&format!("{name} x"))).collect())
    }

    /// Locks whose time in the registry is over.
    async fn lapsed(&self) -> Result<Vec<Resource>> {
        let now = self.plane.store().time().await?.get() as f64 / 1e6;
        let mut range = cmd("ZRANGEBYSCORE");
        range.arg(self.plane.keys().ade().lock_registry().as_str()).arg("-inf").arg(format!("{now:.3}"));
        let names: Vec<String> = self.plane.store().query(range.arg("LIMIT").arg(0).arg(AT_ONCE)).await?;
        if names.is_empty() {
            return Ok(vec![]);
        }
        let matcher = Matcher::new(Catalog::built_in(), self.plane.keys());
        Ok(names.iter().filter_map(|name| resource(&matcher, name)).collect())
    }
}

/// The lock behind a key that ade's registry names.
pub(super) fn resource(matcher: &Matcher, name: &str) -> Option<Resource> {
    let catalog = Catalog::built_in();
    let found = matcher.find(name.as_bytes())?;
    let bindings = Matcher::bindings(catalog, &found);
    let values: Vec<&str> = bindings.iter().map(|(_, value)| value.as_str()).collect();
    match (catalog.families[found.family].name.as_str(), &values[..]) {
        ("task_lock", [task]) => format!("task:{task}").parse().ok(),
        ("resource_lock", [kind, id]) => format!("resource:{kind}:{id}").parse().ok(),
        _ => None,
    }
}
