//! Hearing of events as they are taken in: one subscription for all services of a process.
//!
//! A message is a hint. Whoever follows a service reads its history when something may have been missed, and leaves out what it has
//! seen.

use quorate_catalog::Catalog;
use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_store::{Notice, Result, Subscription, Topics, pipe};

use super::Services;

/// The channels of all services.
pub struct Channels {
    before: String,
    subscription: Subscription,
}

/// What is heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// An event of a service, as it was published.
    Event { service: String, payload: Vec<u8> },
    /// Something may have been missed, of any service.
    Missed,
}

impl Channels {
    /// The next thing; waits through outages of any length.
    pub async fn next(&mut self) -> Heard {
        loop {
            match self.subscription.next().await {
                Notice::Message { channel, payload, .. } => {
                    if let Some(service) = channel.strip_prefix(&self.before) {
                        return Heard::Event { service: service.to_owned(), payload };
                    }
                }
                _ => return Heard::Missed,
            }
        }
    }
}

impl Services<'_> {
    /// Listens to the channels of all services; everything that is published from now on is heard.
    pub async fn channels(&self) -> Result<Channels> {
        let any = ServiceId::parse("any").expect("a name");
        let keys = self.plane.keys();
        let catalog = Catalog::built_in();
        let name = keys.relayna().service_channel(&any).family().name();
        let family = catalog.find(name).into_iter().next();
        let (before, _) =
            family.and_then(|family| keys.around(catalog, family)).expect("a channel names its service last");
        let subscription = self.plane.store().subscribe(Topics::patterns([format!("{before}*")])).await?;
        Ok(Channels { before, subscription })
    }

    /// The newest name in each of these histories: of a service, or of one of its tasks.
    pub async fn heads(&self, places: &[(ServiceId, Option<TaskId>)]) -> Result<Vec<Option<String>>> {
        let mut found = Vec::with_capacity(places.len());
        for few in places.chunks(500) {
            let mut all = pipe();
            for (id, task) in few {
                let seed = self.plane.keys().relayna();
                let list = match task {
                    Some(task) => seed.service_task_history(id, task),
                    None => seed.service_history(id),
                };
                all.cmd("LINDEX").arg(list.as_str()).arg(0);
            }
            let heads: Vec<Option<String>> = self.plane.store().pipeline(&all).await?;
            found.extend(heads);
        }
        Ok(found)
    }
}
