//! Reading the feeds of services.
//!
//! A feed shows its newest events first. A walk goes from there back to the cursor of the last one; what it passes is taken in from
//! the oldest on, and the cursor moves to where the walk began only when it has come to its end. A walk that is too long for one
//! turn goes on in the next, from where it stood. Where the cursor is gone from the feed, something may be lost: that is counted and
//! said. Whoever dies on the way costs nothing but a repetition, for an event is taken once.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use quorate_catalog::ids::{ServiceId, ServiceTurn};
use quorate_outgoing::Call;
use quorate_store::{Micros, Result, args, cmd, pipe};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::call::FEED;
use super::{Ingest, IngestMethod, Ingested, Service, Services, Status, Took, script};
use crate::json::Object;
use crate::outcome::Reply;
use crate::{Outcome, Refusal};

/// What a service that has a feed says it offers.
pub const OFFERS_FEED: &str = "events.feed";
/// How many events are asked for at once; fewer where they are large.
const LIMITS: [usize; 4] = [200, 50, 10, 1];
/// Most pages of one turn.
const PAGES: usize = 25;
/// Longest cursor, in bytes.
const CURSOR_MAX: usize = 512;
/// Most services that one process reads at once, and how long it has for each.
const AT_ONCE: usize = 8;
const WHILE_MS: u64 = 60_000;
/// After so long a turn ends, however much there is, so that nobody else begins meanwhile.
const LONGEST: Duration = Duration::from_secs(40);

/// What a look at a feed brought.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Pulled {
    pub service_id: String,
    #[serde(flatten)]
    pub events: Ingested,
    /// Whether there is more than one turn could take.
    pub more: bool,
    /// Whether events were gone before they could be read.
    pub gap: bool,
    /// Why it could not be read further.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// How reading a feed goes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reading {
    /// The last event of which it is certain that everything before it was taken.
    pub cursor: Option<String>,
    pub pulled_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// How often events were gone before they could be read.
    pub gaps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_after: Option<String>,
}

/// A page as a service sends it.
#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    items: Vec<Box<RawValue>>,
    #[serde(default)]
    next_cursor: Option<String>,
    /// What a feed of ours says it cannot show.
    #[serde(default)]
    gap: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Cursor {
    #[serde(default)]
    cursor: String,
}

/// A walk back through a feed.
#[derive(Default)]
struct Walk {
    from: String,
    head: String,
    at: String,
    /// What was passed, the newest first.
    passed: Vec<Box<RawValue>>,
    ended: bool,
    lost: bool,
    trouble: Option<String>,
}

impl Services<'_> {
    /// Reads the feed of a service now.
    pub async fn pull(&self, id: &ServiceId) -> Result<Outcome<Pulled>> {
        let service = match self.show(id).await? {
            Outcome::Done(service) => service,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        if service.status == Status::Disabled {
            return Ok(Outcome::Refused(Refusal::new("service_disabled", Some(id.to_string()))));
        }
        let mut walk = self.begin(id).await?;
        let began = Instant::now();
        for _ in 0..PAGES {
            if walk.ended || walk.trouble.is_some() || began.elapsed() > LONGEST {
                break;
            }
            match self.page_of(&service, &walk.at).await {
                Ok(page) => walk.take(page),
                Err(why) => walk.trouble = Some(why),
            }
        }
        let mut pulled = Pulled { service_id: id.to_string(), ..Pulled::default() };
        for item in walk.passed.iter().rev() {
            if let Some(why) = self.take(id, item, &mut pulled.events).await? {
                // What was not taken must come again, so nothing is noted.
                pulled.trouble = Some(why);
                return Ok(Outcome::Done(pulled));
            }
        }
        self.note_walk(id, &walk).await?;
        pulled.more = !walk.ended && walk.trouble.is_none();
        pulled.gap = walk.lost;
        pulled.trouble = walk.trouble;
        Ok(Outcome::Done(pulled))
    }

    /// Where the last walk stood.
    async fn begin(&self, id: &ServiceId) -> Result<Walk> {
        let mut both = pipe();
        both.cmd("GET").arg(self.plane.keys().relayna().pull_cursor(id).as_str());
        let state = self.plane.keys().quorate().service_state(&self.own(id)?);
        both.cmd("HMGET").arg(state.as_str()).arg("head").arg("at");
        let (from, (head, at)): (Option<String>, (Option<String>, Option<String>)) =
            self.plane.store().pipeline(&both).await?;
        let text = Option::unwrap_or_default;
        Ok(Walk { from: text(from), head: text(head), at: text(at), ..Walk::default() })
    }

    async fn page_of(&self, service: &Service, after: &str) -> std::result::Result<Page, String> {
        for limit in LIMITS {
            let mut call = Call::get().below(["events", "feed"]).with("limit", &limit.to_string());
            if !after.is_empty() {
                call = call.with("after", after);
            }
            let answer = self.call(service, call, FEED).await?;
            if answer.is_success() && answer.cut {
                continue;
            }
            if !answer.is_success() {
                return Err(format!("HTTP {}", answer.status));
            }
            return serde_json::from_slice(&answer.body)
                .map_err(|_| "its answer is no page of a feed".to_owned());
        }
        Err("one of its events is too long".to_owned())
    }

    /// Takes in one event of a page; why the store would not, which is no fault of the event.
    async fn take(&self, id: &ServiceId, item: &RawValue, count: &mut Ingested) -> Result<Option<String>> {
        let event = Object::parse(item.get()).and_then(|own| Ingest::of(id, IngestMethod::Pull, &own));
        let Ok(event) = event else {
            count.invalid += 1;
            return Ok(None);
        };
        match self.ingest(&event).await? {
            Outcome::Done(Took::Duplicate) => count.duplicate += 1,
            Outcome::Done(_) => count.inserted += 1,
            Outcome::Refused(why) => return Ok(Some(why.reason)),
        }
        Ok(None)
    }

    async fn note_walk(&self, id: &ServiceId, walk: &Walk) -> Result<()> {
        let seed = self.plane.keys().relayna();
        let state = self.plane.keys().quorate().service_state(&self.own(id)?);
        let keys = [seed.service(id), seed.pull_cursor(id), state];
        // A walk that has not come anywhere is no walk: the next one begins at the newest again.
        let begun = walk.ended || !walk.at.is_empty();
        let args = args![
            walk.from.as_str(),
            if begun { walk.head.as_str() } else { "" },
            if walk.ended { "" } else { walk.at.as_str() },
            if walk.lost { "1" } else { "" },
            walk.trouble.as_deref().unwrap_or_default(),
        ];
        // If another process was faster, its word stands.
        self.plane.store().run::<Reply>(&script::ADVANCE, &keys, &args).await.map(drop)
    }

    /// How reading the feed of a service goes.
    pub async fn reading(&self, id: &ServiceId) -> Result<Reading> {
        let mut both = pipe();
        both.cmd("GET").arg(self.plane.keys().relayna().pull_cursor(id).as_str());
        let state = self.plane.keys().quorate().service_state(&self.own(id)?);
        both.cmd("HMGET").arg(state.as_str()).arg(&["pulled_at", "trouble", "gaps", "gap_at", "gap_after"]);
        let (cursor, fields): (Option<String>, Vec<Option<String>>) =
            self.plane.store().pipeline(&both).await?;
        let field = |at: usize| fields.get(at).cloned().flatten().filter(|text| !text.is_empty());
        let time = |at: usize| field(at)?.parse().ok().map(|ms| Micros::from_millis(ms).iso());
        Ok(Reading {
            cursor,
            pulled_at: time(0),
            trouble: field(1),
            gaps: field(2).and_then(|count| count.parse().ok()).unwrap_or(0),
            gap_at: time(3),
            gap_after: field(4),
        })
    }

    /// Reads the feeds that are due, as one of any number of processes; gives how many. `say` hears of what was lost.
    pub async fn pull_due(&self, say: &impl Fn(&str)) -> Result<usize> {
        let Some(every) = self.plane.service_settings().await?.pull else { return Ok(0) };
        let due = self.due(ServiceTurn::Pull).await?;
        let mut going: FuturesUnordered<_> =
            due.iter().map(|id| async move { (id, self.pull_one(id).await) }).collect();
        let mut fault = Ok(due.len());
        while let Some((id, pulled)) = going.next().await {
            let again = match pulled {
                Ok(Some(pulled)) => {
                    if pulled.gap {
                        say(&format!(
                            "warning: events of the service {id} were gone before they could be read"
                        ));
                    }
                    if pulled.more { Duration::ZERO } else { every }
                }
                Ok(None) => every,
                Err(error) => {
                    fault = Err(error);
                    every
                }
            };
            self.turn(ServiceTurn::Pull, id, again).await?;
        }
        fault
    }

    /// Only a service that answered, and says that it has a feed, is asked for it.
    async fn pull_one(&self, id: &ServiceId) -> Result<Option<Pulled>> {
        let Outcome::Done(service) = self.show(id).await? else { return Ok(None) };
        if service.status != Status::Healthy || !service.offers(OFFERS_FEED) {
            return Ok(None);
        }
        Ok(match self.pull(id).await? {
            Outcome::Done(pulled) => Some(pulled),
            Outcome::Refused(_) => None,
        })
    }

    /// Services whose turn it is; this process has them for a while.
    pub(super) async fn due(&self, which: ServiceTurn) -> Result<Vec<ServiceId>> {
        let turns = self.plane.keys().quorate().service_turns(which, &self.store()?);
        // A plane without services asks one cheap thing.
        let index = self.plane.keys().relayna().service_index();
        let exists: u64 =
            self.plane.store().query(cmd("EXISTS").arg(index.as_str()).arg(turns.as_str())).await?;
        if exists == 0 {
            return Ok(vec![]);
        }
        let reply: Reply =
            self.plane.store().run(&script::DUE, &[index, turns], &args![AT_ONCE, WHILE_MS]).await?;
        Ok(match reply.expect("due")? {
            Outcome::Done(names) => names.iter().filter_map(|name| ServiceId::parse(name).ok()).collect(),
            Outcome::Refused(_) => vec![],
        })
    }

    pub(super) async fn turn(&self, which: ServiceTurn, id: &ServiceId, again: Duration) -> Result<()> {
        let seed = self.plane.keys().relayna();
        let turns = self.plane.keys().quorate().service_turns(which, &self.store()?);
        let keys = [seed.service(id), seed.service_index(), turns];
        let in_ms = u64::try_from(again.as_millis()).unwrap_or(u64::MAX);
        let args = args![id.as_key(), in_ms];
        self.plane.store().repeatable().run::<Reply>(&script::TURN, &keys, &args).await.map(drop)
    }
}

impl Walk {
    /// One page further back.
    fn take(&mut self, page: Page) {
        let first = self.at.is_empty();
        for item in page.items {
            let cursor =
                serde_json::from_str::<Cursor>(item.get()).unwrap_or(Cursor { cursor: String::new() }).cursor;
            if cursor.len() > CURSOR_MAX {
                self.trouble = Some("one of its cursors is too long".to_owned());
                return;
            }
            if !self.from.is_empty() && cursor == self.from {
                self.ended = true;
                return;
            }
            // A feed that does not know where we are begins again at its newest: what lay between is gone.
            if !first && !cursor.is_empty() && cursor == self.head {
                (self.ended, self.lost) = (true, true);
                return;
            }
            if self.head.is_empty() {
                self.head = cursor;
            }
            self.passed.push(item);
        }
        let stuck =
            page.next_cursor.as_deref().is_some_and(|next| next == self.at || next.len() > CURSOR_MAX);
        match page.next_cursor {
            Some(next) if page.gap.is_none() && !stuck => self.at = next,
            _ => {
                self.ended = true;
                // An empty feed has forgotten everything by time, and has nothing to tell.
                self.lost = !self.from.is_empty() && !self.head.is_empty();
            }
        }
    }
}
