//! Counters: how often something happened.
//!
//! The seed's strings, raised by anybody. There is a cap on how many are made here (1,000; ade's setting
//! `counters:most`), so that a name made from user input cannot fill the store.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use quorate_catalog::ids::{ConfigName, MetricId};
use quorate_store::{Arg, Result, Script, cmd};

use crate::outcome::{Reply, undecodable};
use crate::walk::names;
use crate::{Outcome, Plane};

static INCR: LazyLock<Script> = LazyLock::new(|| {
    Script::parse("incr", include_str!("metrics/lua/incr.lua")).expect("a test checks every script")
});

/// Counters read at once.
const PAGE: usize = 500;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Metrics<'p> {
    plane: &'p Plane,
}

impl<'p> Metrics<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Raises a counter; gives its new value. A reply that was lost is an unknown outcome: it is never counted twice.
    pub async fn incr(&self, counter: &MetricId, by: i64) -> Result<Outcome<i64>> {
        let keys = self.plane.keys();
        let setting = ConfigName::parse("counters:most").expect("a setting's name");
        let list = [keys.reverie().counter(counter), keys.quorate().counters(), keys.ade().config(&setting)];
        let args = [Arg::from(counter.as_key()), Arg::from(by)];
        let reply: Reply = self.plane.store().run(&INCR, &list, &args).await?;
        match reply.expect("raised")? {
            Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
            Outcome::Done(words) => {
                let value = words.first().and_then(|value| value.parse().ok());
                value.map(Outcome::Done).ok_or_else(|| undecodable("raised"))
            }
        }
    }

    /// Every counter, those of other clients too; one that holds no number has none.
    pub async fn ls(&self) -> Result<BTreeMap<String, Option<i64>>> {
        let any = MetricId::parse("any").expect("a name");
        let found = names(self.plane.scope(), &self.plane.keys().reverie().counter(&any)).await?;
        let counters: Vec<MetricId> = found.iter().filter_map(|name| MetricId::parse(name).ok()).collect();
        let mut all = BTreeMap::new();
        for some in counters.chunks(PAGE) {
            let mut mget = cmd("MGET");
            some.iter().for_each(|one| {
                mget.arg(self.plane.keys().reverie().counter(one).as_str());
            });
            let values: Vec<Option<Vec<u8>>> = self.plane.store().query(&mget).await?;
            let number = |text: Vec<u8>| std::str::from_utf8(&text).ok()?.parse().ok();
            all.extend(some.iter().zip(values).map(|(one, value)| (one.to_string(), value.and_then(number))));
        }
        Ok(all)
    }
}
