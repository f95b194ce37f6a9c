//! Hearing of events of services as they are taken in, and seeing whether something was missed.

use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_store::{Result, pipe};

use super::Services;
use crate::channels::Channels;

impl Services<'_> {
    /// Listens to the channels of all services; everything that is published from now on is heard.
    pub async fn channels(&self) -> Result<Channels> {
        let any = ServiceId::parse("any").expect("a name");
        Channels::like(self.plane, &self.plane.keys().relayna().service_channel(&any)).await
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
