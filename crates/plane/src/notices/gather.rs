//! Which failures nobody was told of: the plane's own dead letters and those that registered services list.
//!
//! Every page is looked through, not only the first: what was told of stays on top of a list until somebody has reviewed it.

use std::collections::HashMap;

use quorate_catalog::ids::{DeadLetterId, ServiceId};
use quorate_store::{Result, cmd, pipe};
use serde_json::{Value, json};

use super::Notices;
use super::model::{Item, MOST, Pending};
use crate::dead_letters::RecordFilter;
use crate::services::{Service, Status};
use crate::{Outcome, search};

/// Failures of a page, and most pages of one service in one turn; the next turn goes on there.
const PAGE: usize = 200;
const PAGES: usize = 25;

/// A page of failures as a list shows them.
struct Page {
    items: Vec<Value>,
    next: Option<String>,
}

/// What a look at all lists gave.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) items: Vec<Item>,
    pub(super) trouble: Vec<String>,
}

impl Notices<'_> {
    /// Failures that are not reviewed, that nobody was told of and that are not pending, as many as there is room for.
    pub(super) async fn gather(&self, pending: &Pending) -> Result<Gathered> {
        let mut gathered = Gathered::default();
        let own = ServiceId::parse(search::SERVICE).expect("a name");
        let mut services: Vec<(ServiceId, Option<Service>)> = vec![(own, None)];
        for service in self.plane.services().ls(None).await? {
            if let (Ok(id), true) =
                (ServiceId::parse(&service.service_id), service.status != Status::Disabled)
            {
                services.push((id, Some(service)));
            }
        }
        let places = self.places().await?;
        for (id, service) in &services {
            self.look(id, service.as_ref(), places.get(id.as_key()).cloned(), pending, &mut gathered).await?;
        }
        Ok(gathered)
    }

    /// Looks through one list, from where the last turn ended.
    async fn look(
        &self,
        id: &ServiceId,
        service: Option<&Service>,
        place: Option<String>,
        pending: &Pending,
        gathered: &mut Gathered,
    ) -> Result<()> {
        let mut cursor = place.clone();
        for _ in 0..PAGES {
            let page = match self.page(service, cursor.as_deref()).await? {
                Ok(page) => page,
                Err(why) => {
                    gathered.trouble.push(format!("{id}: {why}"));
                    // A place that is gone from the list would be asked for again and again.
                    return self.move_to(id, place.as_deref(), None).await;
                }
            };
            let name = service.map_or("Quorate", |own| own.name.as_str());
            let items: Vec<Item> = page.items.iter().filter_map(|said| Item::of(id, name, said)).collect();
            for item in self.untold(items).await? {
                if pending.items.len() + gathered.items.len() == MOST {
                    return Ok(());
                }
                if item.name().is_some_and(|name| !pending.has(&name)) && !gathered.items.contains(&item) {
                    gathered.items.push(item);
                }
            }
            if page.next.is_none() || page.next == cursor {
                return self.move_to(id, place.as_deref(), None).await;
            }
            cursor = page.next;
        }
        self.move_to(id, place.as_deref(), cursor.as_deref()).await
    }

    async fn page(
        &self,
        service: Option<&Service>,
        cursor: Option<&str>,
    ) -> Result<std::result::Result<Page, String>> {
        let Some(service) = service else { return self.own_page(cursor).await };
        let mut query = vec![("investigation_status", "unreviewed"), ("limit", "200")];
        query.extend(cursor.map(|cursor| ("cursor", cursor)));
        let query: Vec<(String, String)> =
            query.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Ok(match self.plane.services().failed_of(service, &query).await {
            Err(why) => Err(why.reason),
            Ok(said) => Ok(Page {
                items: said["items"].as_array().cloned().unwrap_or_default(),
                next: said["next_cursor"].as_str().filter(|next| next.len() <= 512).map(str::to_owned),
            }),
        })
    }

    async fn own_page(&self, cursor: Option<&str>) -> Result<std::result::Result<Page, String>> {
        let filter = RecordFilter { investigated: Some(false), ..RecordFilter::default() };
        let found = self.plane.dead_letters().records().failed(&filter, cursor, PAGE).await?;
        Ok(match found {
            Outcome::Refused(why) => Err(why.reason),
            Outcome::Done(page) => {
                let mut page =
                    Page { items: page.items.iter().map(|one| json!(one)).collect(), next: page.next_cursor };
                // What was retried has got what a person would have done.
                page.items.retain(|item| item["retry_status"] != "retried");
                Ok(page)
            }
        })
    }

    /// Those of which nobody was told.
    async fn untold(&self, items: Vec<Item>) -> Result<Vec<Item>> {
        let names: Vec<(ServiceId, DeadLetterId)> = items.iter().filter_map(Item::name).collect();
        if names.is_empty() {
            return Ok(vec![]);
        }
        let mut exists = pipe();
        for (service, failure) in &names {
            exists.cmd("EXISTS").arg(self.plane.keys().relayna().notice_sent(service, failure).as_str());
        }
        let told: Vec<u64> = self.plane.store().pipeline(&exists).await?;
        Ok(items.into_iter().zip(told).filter(|(_, told)| *told == 0).map(|(item, _)| item).collect())
    }

    /// Where the look through each long list goes on.
    async fn places(&self) -> Result<HashMap<String, String>> {
        let key = self.plane.keys().quorate().notice_walk(&self.store()?);
        self.plane.store().query(cmd("HGETALL").arg(key.as_str())).await
    }

    async fn move_to(&self, id: &ServiceId, from: Option<&str>, to: Option<&str>) -> Result<()> {
        if from == to {
            return Ok(());
        }
        let key = self.plane.keys().quorate().notice_walk(&self.store()?);
        let mut both = pipe();
        match to {
            Some(to) => both.cmd("HSET").arg(key.as_str()).arg(id.as_key()).arg(to),
            None => both.cmd("HDEL").arg(key.as_str()).arg(id.as_key()),
        };
        both.cmd("EXPIRE").arg(key.as_str()).arg(604_800);
        self.plane.store().repeatable().pipeline::<(u64, u64)>(&both).await.map(drop)
    }
}
