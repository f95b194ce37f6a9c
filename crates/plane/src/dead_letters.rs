//! What could not be done, and what becomes of it.
//!
//! Whoever gives up on something buries it with the shared `bury` fragment, in the same script that takes it out of
//! where it was. A letter never expires. It is open until somebody replays it, which makes one new item however many ask
//! at once; if that dies too, the same letter is open again, with its history, and a cap on how often.

mod fingerprint;
mod fsck;
mod model;
mod records;
mod replay;
mod script;

use std::collections::HashMap;

use quorate_catalog::Key;
use quorate_catalog::ids::{DeadLetterId, DeadView};
use quorate_store::{Arg, Error, ErrorKind, Micros, Result, cmd, pipe};
use serde_json::json;

use crate::outcome::Reply;
use crate::{Outcome, Plane};
pub use fingerprint::{fingerprint, shape};
pub use model::{Cluster, Filter, Letter, Replay};
pub use records::{
    Again, FailedFilter, FailedPage, FailedTask, Manual, ManuallyRetried, Page, QueueSum, Record,
    RecordFilter, Records, Retried, Review,
};
pub(crate) use records::{Settings, called};
pub use replay::Canary;
pub(crate) use script::Scripts;

/// How often one letter may be replayed, unless it is said otherwise.
pub const REPLAY_CAP: u32 = 10;
/// Letters looked at for one list.
const PAGE: usize = 200;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct DeadLetters<'p> {
    plane: &'p Plane,
}

impl<'p> DeadLetters<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Relayna's store of dead letters.
    pub fn records(&self) -> Records<'p> {
        Records::new(self.plane)
    }

    /// The letters that a filter means, newest first.
    pub async fn list(&self, filter: &Filter) -> Result<Vec<Letter>> {
        let list = match (&filter.cluster, &filter.source) {
            (Some(cluster), _) => format!("cluster:{cluster}"),
            (None, Some(source)) => format!("source:{source}"),
            (None, None) => "all".to_owned(),
        };
        let open = filter.state.as_deref() == Some("open");
        let view = self.view(open, &list)?;
        let (mut found, mut from) = (Vec::new(), 0);
        while found.len() < filter.limit {
            let mut range = cmd("ZRANGE");
            range.arg(view.as_str()).arg(from).arg(from + PAGE - 1).arg("REV");
            let names: Vec<String> = self.plane.store().query(&range).await?;
            from += names.len();
            let letters = self.read(&names).await?;
            found.extend(letters.into_iter().filter(|letter| matches(filter, letter)));
            if names.len() < PAGE {
                break;
            }
        }
        found.truncate(filter.limit);
        Ok(found)
    }

    /// A list of letters: of all of them, or of those that are open.
    fn view(&self, open: bool, list: &str) -> Result<Key> {
        let name = DeadView::parse(&format!("{}{list}", if open { "open:" } else { "" }));
        Ok(self.plane.keys().quorate().dead_view(&name.map_err(|bad| wrong(&bad))?))
    }

    /// One letter.
    pub async fn show(&self, id: &DeadLetterId) -> Result<Option<Letter>> {
        Ok(self.read(&[id.as_key().to_owned()]).await?.pop())
    }

    /// How many letters are open, and of how many failures.
    pub async fn open(&self) -> Result<(u64, u64)> {
        let mut both = pipe();
        both.cmd("ZCARD").arg(self.view(true, "all")?.as_str());
        both.cmd("ZCARD").arg(self.view(true, "clusters")?.as_str());
        self.plane.store().pipeline(&both).await
    }

    /// The failures there are, or those that have open letters; the latest first.
    pub async fn clusters(&self, open: bool, limit: usize) -> Result<Vec<Cluster>> {
        let mut range = cmd("ZRANGE");
        let last = limit.saturating_sub(1);
        range.arg(self.view(open, "clusters")?.as_str()).arg(0).arg(last).arg("REV").arg("WITHSCORES");
        let prints: Vec<(String, f64)> = self.plane.store().query(&range).await?;
        if prints.is_empty() {
            return Ok(vec![]);
        }
        let mut counts = pipe();
        for (print, _) in &prints {
            let list = format!("cluster:{print}");
            counts.cmd("ZCARD").arg(self.view(false, &list)?.as_str());
            counts.cmd("ZCARD").arg(self.view(true, &list)?.as_str());
            counts.cmd("ZRANGE").arg(self.view(open, &list)?.as_str()).arg(-1).arg(-1);
        }
        let counts: Vec<(u64, u64, Vec<String>)> = self.plane.store().pipeline(&counts).await?;
        let newest: Vec<String> = counts.iter().flat_map(|(_, _, newest)| newest.clone()).collect();
        let reasons: HashMap<String, String> =
            self.read(&newest).await?.into_iter().map(|letter| (letter.id, letter.reason)).collect();
        let cluster =
            |((fingerprint, last), (count, open, newest)): ((String, f64), (u64, u64, Vec<String>))| {
                Cluster {
                    fingerprint,
                    count,
                    open,
                    last: Micros::from_millis(last as u64).iso(),
                    reason: newest.first().and_then(|id| reasons.get(id)).cloned().unwrap_or_default(),
                }
            };
        Ok(prints.into_iter().zip(counts).map(cluster).collect())
    }

    /// Notes what was found out about a letter; without a note, takes the mark away.
    pub async fn investigate(&self, id: &DeadLetterId, who: &str, note: &str) -> Result<Outcome<()>> {
        check(&[("who", who), ("note", note)])?;
        let entry = fields(&json!({ "by": who, "note": note }));
        let args = [Arg::from(id.as_key()), Arg::from(who), Arg::from(note), Arg::from(entry)];
        let script = &self.plane.dead_scripts().investigate;
        let reply: Reply = self.plane.store().repeatable().run(script, &self.audit(), &args).await?;
        Ok(match reply.split() {
            Ok(_) => Outcome::Done(()),
            Err(refusal) => Outcome::Refused(refusal),
        })
    }

    /// Deletes a letter.
    pub async fn drop(&self, id: &DeadLetterId, who: &str, reason: &str) -> Result<Outcome<()>> {
        check(&[("who", who), ("reason", reason)])?;
        let args = [Arg::from(id.as_key()), Arg::from(who), Arg::from(reason)];
        let script = &self.plane.dead_scripts().drop;
        let reply: Reply = self.plane.store().run(script, &self.audit(), &args).await?;
        Ok(reply.expect("dropped")?.map(drop))
    }

    fn audit(&self) -> [Key; 1] {
        [self.plane.keys().quorate().dead_audit()]
    }

    async fn read(&self, names: &[String]) -> Result<Vec<Letter>> {
        let known: Vec<DeadLetterId> =
            names.iter().filter_map(|name| DeadLetterId::parse(name).ok()).collect();
        if known.is_empty() {
            return Ok(vec![]);
        }
        let mut all = pipe();
        for id in &known {
            all.cmd("HGETALL").arg(self.plane.keys().quorate().dead_letter(id).as_str());
        }
        let found: Vec<HashMap<String, Vec<u8>>> = self.plane.store().pipeline(&all).await?;
        let pairs = known.iter().zip(found);
        Ok(pairs.filter_map(|(id, fields)| Letter::read(id.as_key(), fields)).collect())
    }
}

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn quorate_store::invariant::Invariant> {
    let mut all = fsck::invariants();
    all.extend(records::invariants());
    all
}

fn matches(filter: &Filter, letter: &Letter) -> bool {
    filter.source.as_ref().is_none_or(|source| *source == letter.source)
        && filter.state.as_ref().is_none_or(|state| *state == letter.state)
        && filter.text.as_ref().is_none_or(|text| {
            letter.reason.contains(text.as_str()) || letter.payload.contains(text.as_str())
        })
}

/// The fields of an object, without its braces.
fn fields(entry: &serde_json::Value) -> String {
    let text = entry.to_string();
    text[1..text.len() - 1].to_owned()
}

fn check(texts: &[(&str, &str)]) -> Result<()> {
    match texts.iter().find(|(_, text)| text.len() > 4_096) {
        Some((name, _)) => Err(bad(&format!("the {name} is longer than 4,096 bytes"))),
        None => Ok(()),
    }
}

fn wrong(name: &quorate_catalog::BadName) -> Error {
    bad(&name.to_string())
}

fn bad(what: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "dead letters", what)
}
