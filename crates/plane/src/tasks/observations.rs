//! What workers saw happen to a task: a history of its own, for timelines and execution graphs.
//!
//! An observation is known by its content alone, and nobody is told of it as it comes; the service's feed has it.

use quorate_catalog::ids::{Cursor, EventToken, TaskId};
use quorate_store::{Result, args, pipe};
use serde_json::Value as Json;

use super::canonical::token;
use super::{Event, History, Tasks, feed_store, moment, named};
use crate::Outcome;
use crate::json::Object;
use crate::outcome::{Reply, undecodable};

/// An observation that is to be taken.
#[derive(Debug, Clone)]
pub struct Observation {
    task: TaskId,
    kind: String,
    event_id: Option<String>,
    timed: bool,
    document: Object,
    text: String,
}

impl Observation {
    /// An observation as a worker wrote it; `event_type` says what was seen.
    pub fn of(task: TaskId, mut document: Object) -> std::result::Result<Self, String> {
        if document.text("task_id")?.is_some_and(|own| own.trim() != task.as_key()) {
            return Err("task_id is another task".to_owned());
        }
        document.set_text("task_id", task.as_key());
        let short =
            |text: &String| !text.trim().is_empty() && text.len() <= 256 && !text.contains(char::is_control);
        let kind = document.text("event_type")?.filter(short).ok_or("event_type is missing or too long")?;
        let event_id = document.text("event_id")?.map(|id| id.trim().to_owned()).filter(short);
        let time = document.text("timestamp")?;
        if time.as_deref().is_some_and(|time| moment(time).is_none()) {
            return Err("timestamp is no moment in ISO 8601 since 1970".to_owned());
        }
        if time.is_none() {
            document.remove("timestamp");
        }
        let text = document.to_string();
        if text.len() > crate::json::OBJECT_MAX {
            return Err(format!("it has {} bytes, and {} are the most", text.len(), crate::json::OBJECT_MAX));
        }
        Ok(Self { task, kind, event_id, timed: time.is_some(), document, text })
    }

    /// What the feed says of it beside the observation itself, as further fields of an object.
    fn offer(&self) -> String {
        let quoted = |value: Option<&str>| Json::from(value).to_string();
        let own = |name: &str| self.document.get(name).unwrap_or("null");
        let time = if self.timed { format!(",\"timestamp\":{}", own("timestamp")) } else { String::new() };
        format!(
            ",\"task_id\":{},\"event_type\":{},\"source_kind\":\"observation\",\"component\":{},\"event_id\":{},\"correlation_id\":{},\"parent_task_id\":{}{time}",
            quoted(Some(self.task.as_key())),
            quoted(Some(&self.kind)),
            own("component"),
            quoted(self.event_id.as_deref()),
            own("correlation_id"),
            own("parent_task_id"),
        )
    }
}

impl Tasks<'_> {
    /// Takes an observation; whether it is new.
    pub async fn observe(&self, seen: &Observation) -> Result<Outcome<bool>> {
        let settings = self.plane.task_settings().await?;
        let (own, seed) = (self.plane.keys().quorate(), self.plane.keys().relayna());
        let token = token(&seen.text);
        let short = seen.event_id.clone().unwrap_or_else(|| token.clone());
        let long = format!("observation:{}:{token}", seen.task);
        let keys = [
            seed.observation_history(&seen.task),
            seed.observation_event(&seen.task, &named(EventToken::parse(&token))?),
            seed.feed(),
            own.feed_state(&feed_store(self.plane)?),
            seed.feed_event(&named(Cursor::parse(&short))?),
            seed.feed_event(&named(Cursor::parse(&long))?),
        ];
        let quoted = |text: &str| Json::from(text).to_string();
        let args = args![
            &seen.text[..seen.text.len() - 1],
            if seen.timed { "1" } else { "" },
            seen.offer(),
            quoted(&short),
            quoted(&long),
            settings.observations.maxlen,
            settings.observations.ttl,
            settings.feed.maxlen,
            settings.feed.ttl,
        ];
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&self.plane.task_scripts().observe, &keys, &args).await?;
        match reply.split() {
            Err(refusal) => Ok(Outcome::Refused(refusal)),
            Ok((word, _)) if word == "accepted" || word == "duplicate" => {
                Ok(Outcome::Done(word == "accepted"))
            }
            Ok((word, _)) => Err(undecodable(&word)),
        }
    }

    /// The last observations of a task, newest first.
    pub async fn observations(&self, task: &TaskId, limit: usize) -> Result<History> {
        let key = self.plane.keys().relayna().observation_history(task);
        let mut both = pipe();
        both.cmd("LRANGE").arg(key.as_str()).arg(0).arg(limit.saturating_sub(1));
        both.cmd("LLEN").arg(key.as_str());
        let (items, length): (Vec<Vec<u8>>, u64) = self.plane.store().pipeline(&both).await?;
        let most = self.plane.task_settings().await?.observations.maxlen;
        let events: Vec<Event> = items.iter().filter_map(|item| Event::read(item)).collect();
        Ok(History {
            task_id: task.to_string(),
            truncated: length >= most,
            unreadable: items.len() - events.len(),
            events,
        })
    }
}
