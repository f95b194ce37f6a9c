//! Pages of tasks.

use std::cmp::Reverse;

use quorate_catalog::ids::{Document, SearchField, SearchValue};
use quorate_store::{Arg, Micros, Result, cmd};

use super::model::Place;
use super::{LOOKS, MOST, Search, TaskDocument, TaskPage, TaskQuery, bad};
use crate::{Outcome, Refusal};

/// Sets that are small enough to be taken in whole while somebody waits.
const SMALL: usize = 10_000;

/// What one walk found.
struct Found {
    documents: Vec<TaskDocument>,
    next: Option<String>,
    gone: Vec<String>,
    /// The field whose set has more documents than its view.
    lag: Option<String>,
}

impl Search<'_> {
    /// A page of tasks for which everything holds that is asked, the last seen first. A document that nobody touches while
    /// pages are read is on one of them; one that is touched moves before the first, and is on no page twice.
    pub(super) async fn indexed(&self, query: &TaskQuery) -> Result<Outcome<TaskPage>> {
        let filters = query.filters();
        if filters.is_empty() && query.from.is_none() && query.to.is_none() {
            return Ok(Outcome::Refused(Refusal::new("no_filter", None)));
        }
        let place = match query.cursor.as_deref().map(|text| (text, Place::read(text))) {
            None => None,
            Some((_, Some(place))) => Some(place),
            Some((text, None)) => {
                return Ok(Outcome::Refused(Refusal::new("unknown_cursor", Some(text.to_owned()))));
            }
        };
        let limit = query.limit.clamp(1, MOST);
        let walk = async || match filters.iter().find(|(field, _)| *field == "task_id") {
            Some((_, task)) => match self.of_task(task, query, place.as_ref(), limit).await? {
                Some(found) => Ok(Outcome::Done(found)),
                None => self.walk(&filters, query, place.as_ref(), limit).await,
            },
            None => self.walk(&filters, query, place.as_ref(), limit).await,
        };
        let mut found = match walk().await? {
            Outcome::Done(found) => found,
            Outcome::Refused(refusal) => return Ok(Outcome::Refused(refusal)),
        };
        if let Some(field) = found.lag.clone() {
            let value = filters.iter().find(|(name, _)| *name == field).map(|(_, value)| value.as_str());
            if self.take_in(&field, value).await? > 0
                && let Outcome::Done(again) = walk().await?
            {
                found = again;
            }
        }
        self.strike(&found.gone, &filters).await?;
        let items = found.documents;
        let catching_up = found.lag.is_some();
        Ok(Outcome::Done(TaskPage {
            count: items.len(),
            items,
            next_cursor: found.next,
            catching_up,
            errors: vec![],
        }))
    }

    async fn walk(
        &self,
        filters: &[(&'static str, String)],
        query: &TaskQuery,
        place: Option<&Place>,
        limit: usize,
    ) -> Result<Outcome<Found>> {
        let to = query.to.map(|to| to.millis());
        // A page begins behind the cursor, or at the latest moment that is asked for.
        let behind = place.filter(|place| to.is_none_or(|to| place.ms <= to));
        let to = behind.map(|place| place.ms).or(to).map_or_else(|| "+inf".to_owned(), |ms| ms.to_string());
        let mut args = vec![
            Arg::from(self.index()),
            Arg::from(query.from.map_or(0, Micros::millis)),
            Arg::from(to),
            Arg::from(behind.map_or("", |place| place.id.as_str())),
            Arg::from(limit as u64),
            Arg::from(LOOKS as u64),
        ];
        args.extend(filters.iter().flat_map(|(field, value)| [Arg::from(*field), Arg::from(value.as_str())]));
        let reply = self.run(&self.plane.search_scripts().page, &args).await?;
        let words = match reply.expect("page")? {
            Outcome::Done(words) => words,
            Outcome::Refused(refusal) => return Ok(Outcome::Refused(refusal)),
        };
        let [lag, next, gone, rest @ ..] = &words[..] else {
            return Err(crate::outcome::undecodable("page"));
        };
        let gone = gone.parse::<usize>().unwrap_or_default().min(rest.len());
        let read = |text: &String| {
            serde_json::from_str(text).ok().filter(|document| holds(document, query, filters))
        };
        Ok(Outcome::Done(Found {
            documents: rest[gone..].iter().filter_map(read).collect(),
            next: Some(next.clone()).filter(|next| !next.is_empty()),
            gone: rest[..gone].to_vec(),
            lag: Some(lag.clone()).filter(|lag| !lag.is_empty()),
        }))
    }

    /// What has one task's id is in few services and has no order of its own: it is read whole. Nothing if it is too much.
    async fn of_task(
        &self,
        task: &str,
        query: &TaskQuery,
        place: Option<&Place>,
        limit: usize,
    ) -> Result<Option<Found>> {
        let set = self.set("task_id", &word(task))?;
        let count: usize = self.plane.store().query(cmd("SCARD").arg(set.as_str())).await?;
        if count > LOOKS {
            return Ok(None);
        }
        let ids: Vec<String> = self.plane.store().query(cmd("SMEMBERS").arg(set.as_str())).await?;
        let filters = query.filters();
        let texts = self.texts(&ids).await?;
        let missing = |(_, text): &(&String, &Option<String>)| text.is_none();
        let gone: Vec<String> = ids.iter().zip(&texts).filter(missing).map(|(id, _)| id.clone()).collect();
        let mut all: Vec<(u64, &String, TaskDocument)> = ids
            .iter()
            .zip(&texts)
            .filter_map(|(id, text)| {
                let document: TaskDocument = serde_json::from_str(text.as_ref()?).ok()?;
                let ms = document.seen().map_or(0, Micros::millis);
                let after = place.is_none_or(|place| (ms, id) < (place.ms, &place.id));
                (after && holds(&document, query, &filters)).then_some((ms, id, document))
            })
            .collect();
        all.sort_by(|one, two| Reverse((one.0, one.1)).cmp(&Reverse((two.0, two.1))));
        let more = all.len() > limit;
        all.truncate(limit);
        let next = all.last().filter(|_| more).map(|(ms, id, _)| Place::written(&ms.to_string(), id));
        let documents = all.into_iter().map(|(_, _, document)| document).collect();
        Ok(Some(Found { documents, next, gone, lag: None }))
    }

    /// Takes into our views what other clients have put into one of the seed's sets; how many that were.
    async fn take_in(&self, field: &str, value: Option<&str>) -> Result<usize> {
        let (set, view) = match value {
            Some(value) => {
                let word = word(value);
                (self.set(field, &word)?, self.view(&format!("{field}:{word}"))?)
            }
            None => (self.plane.keys().relayna().task_documents(), self.view("all")?),
        };
        let count: usize = self.plane.store().query(cmd("SCARD").arg(set.as_str())).await?;
        if count > SMALL {
            return Ok(0);
        }
        let ids: Vec<String> = self.plane.store().query(cmd("SMEMBERS").arg(set.as_str())).await?;
        let missing = self.unlisted(view.as_str(), &ids).await?;
        self.tend(&missing, value.map(|value| (field, value))).await
    }

    /// The documents that a view does not have.
    pub(super) async fn unlisted(&self, view: &str, ids: &[String]) -> Result<Vec<String>> {
        let mut missing = Vec::new();
        for few in ids.chunks(1_000) {
            let mut scores = cmd("ZMSCORE");
            scores.arg(view).arg(few);
            let known: Vec<Option<f64>> = self.plane.store().query(&scores).await?;
            missing
                .extend(few.iter().zip(known).filter(|(_, score)| score.is_none()).map(|(id, _)| id.clone()));
        }
        Ok(missing)
    }

    async fn strike(&self, gone: &[String], filters: &[(&'static str, String)]) -> Result<()> {
        for (field, value) in filters {
            self.tend(gone, Some((field, value))).await?;
        }
        if filters.is_empty() {
            self.tend(gone, None).await?;
        }
        Ok(())
    }

    /// Lists documents as they are, and strikes them off the list that named them where they do not belong to it.
    pub(super) async fn tend(&self, ids: &[String], list: Option<(&str, &str)>) -> Result<usize> {
        let ids: Vec<String> = ids.iter().filter(|id| Document::parse(id).is_ok()).cloned().collect();
        let now = self.plane.store().time().await?.millis();
        let ttl = self.plane.search_settings().await?.ttl * 1_000;
        let (field, word) = list.map_or(("", String::new()), |(field, value)| (field, word(value)));
        let mut tended = 0;
        for (id, text) in ids.iter().zip(self.texts(&ids).await?) {
            let text = text.unwrap_or_default();
            let document: Option<TaskDocument> = serde_json::from_str(&text).ok();
            let seen =
                document.as_ref().and_then(TaskDocument::seen).map_or(now, |seen| seen.millis().min(now));
            let expires = document.as_ref().and_then(|document| document.expires_at.as_deref());
            let due = expires.and_then(crate::tasks::moment).map_or(now + ttl, Micros::millis);
            let args = [
                Arg::from(self.index()),
                Arg::from(id.as_str()),
                Arg::from(field),
                Arg::from(word.as_str()),
                Arg::from(text),
                Arg::from(seen),
                Arg::from(due),
            ];
            let reply = self.run(&self.plane.search_scripts().tend, &args).await?;
            tended += usize::from(matches!(reply.first(), "listed" | "struck"));
        }
        Ok(tended)
    }

    /// The texts of documents; one of another type than a text is none.
    pub(super) async fn texts(&self, ids: &[String]) -> Result<Vec<Option<String>>> {
        let mut texts = Vec::with_capacity(ids.len());
        for few in ids.chunks(200) {
            let mut mget = cmd("MGET");
            for id in few {
                let id = Document::parse(id).map_err(|error| bad(error.to_string()))?;
                mget.arg(self.plane.keys().relayna().task_document(&id).as_str());
            }
            let found: Vec<Option<Vec<u8>>> = self.plane.store().query(&mget).await?;
            texts.extend(
                found
                    .into_iter()
                    .map(|bytes| bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())),
            );
        }
        Ok(texts)
    }

    pub(super) fn set(&self, field: &str, word: &str) -> Result<quorate_catalog::Key> {
        let field = SearchField::parse(field).map_err(|error| bad(error.to_string()))?;
        // A word is what stands in the key; the builder encodes the value that it stands for.
        let value = quorate_catalog::rule::decode(word).unwrap_or_default();
        let value = SearchValue::parse(&value).map_err(|error| bad(error.to_string()))?;
        Ok(self.plane.keys().relayna().task_filter(&field, &value))
    }
}

/// A value as it stands in the names of sets and views; the fragment `search_word` says the same.
pub(super) fn word(value: &str) -> String {
    if value.len() > 128 {
        return format!("sha1-{}", sha1_smol::Sha1::from(value).digest());
    }
    quorate_catalog::rule::encode(value).into_owned()
}

fn holds(document: &TaskDocument, query: &TaskQuery, filters: &[(&'static str, String)]) -> bool {
    let seen = document.seen();
    let within =
        |seen: Micros| query.from.is_none_or(|from| seen >= from) && query.to.is_none_or(|to| seen <= to);
    filters.iter().all(|(field, value)| document.field(field) == Some(value.as_str()))
        && seen.map_or(query.from.is_none() && query.to.is_none(), within)
}
