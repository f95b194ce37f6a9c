//! The feed that a service offers to the studio: status events and observations in one, newest first.
//!
//! A cursor is what the seed's clients call an event by. Its marker holds the event's number, so a page is found without a
//! search, and a cursor whose event was trimmed is told from one that never was: what is lost is said, never passed over.

use quorate_catalog::ids::Cursor;
use quorate_store::{Result, args};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Event, Tasks, feed_store, named};
use crate::Outcome;
use crate::outcome::undecodable;

/// A page of a feed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FeedPage {
    pub count: usize,
    pub items: Vec<Event>,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
    /// What the page cannot have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<FeedGap>,
    /// Entries that nobody can read; a foreign client wrote them.
    #[serde(skip_serializing_if = "is_zero")]
    pub unreadable: usize,
}

/// What is missing after a cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FeedGap {
    /// The cursor that was given.
    pub from: String,
    /// `trimmed`: its event was there and has made room for newer ones. `unknown`: no event of this cursor is known.
    pub reason: &'static str,
    /// How many events came after it and are gone, where that is known.
    pub lost: Option<u64>,
}

/// Which part of a feed is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'c> {
    Newest,
    /// What is older than a cursor, newest first.
    After(&'c str),
    /// What is newer than a cursor, oldest first, as somebody reads who wants to miss nothing.
    Since(&'c str),
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Tasks<'_> {
    /// A page of the feed. A cursor that is unknown gives the newest page (or, for what is newer, the oldest that is kept),
    /// and says so.
    pub async fn feed(&self, part: Part<'_>, limit: usize) -> Result<Outcome<FeedPage>> {
        let (cursor, newer) = match part {
            Part::Newest => ("", false),
            Part::After(cursor) => (cursor, false),
            Part::Since(cursor) => (cursor, true),
        };
        let (own, seed) = (self.plane.keys().quorate(), self.plane.keys().relayna());
        let marker = named(Cursor::parse(if cursor.is_empty() { "none" } else { cursor }))?;
        let keys = [seed.feed(), own.feed_state(&feed_store(self.plane)?), seed.feed_event(&marker)];
        let quoted =
            if cursor.is_empty() { String::new() } else { serde_json::Value::from(cursor).to_string() };
        let args = args![quoted, if newer { "1" } else { "" }, limit];
        let reply: Vec<Vec<u8>> =
            self.plane.store().run(&self.plane.task_scripts().page, &keys, &args).await?;
        let text = |at: usize| {
            reply.get(at).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
        };
        if text(0) == "refused" {
            return Ok(Outcome::Refused(crate::Refusal::new(&text(1), Some(text(2)))));
        }
        let items = reply.get(3..).ok_or_else(|| undecodable("a page"))?;
        let gap =
            |reason| FeedGap { from: cursor.chars().take(256).collect(), reason, lost: text(1).parse().ok() };
        Ok(Outcome::Done(page(
            items,
            text(2) == "1",
            match text(0).as_str() {
                "trimmed" => Some(gap("trimmed")),
                "unknown" => Some(gap("unknown")),
                _ => None,
            },
        )))
    }
}

fn page(items: &[Vec<u8>], more: bool, gap: Option<FeedGap>) -> FeedPage {
    let events: Vec<Event> = items.iter().filter_map(|item| Event::read(item)).collect();
    let last = events.iter().rev().find_map(|event| event.text("cursor"));
    FeedPage {
        count: events.len(),
        next_cursor: last.filter(|_| more).map(str::to_owned),
        gap,
        unreadable: items.len() - events.len(),
        items: events,
    }
}
