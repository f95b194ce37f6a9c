//! A stream, complete: entries with their ids, position, groups, consumers, pending entries.
//!
//! A pending entry may point at an entry that has been deleted or trimmed, and `XCLAIM` makes no such thing. So those
//! entries are added with the others, claimed, and then removed in the way they had been removed before: by trimming
//! below the first entry, which leaves no trace, and by deleting above it, where the stream's highest deleted id is
//! past them already.

use std::collections::BTreeSet;

use quorate_store::{cmd, pipe};

use super::streams::{self, Entry, Group, Id, Pending, Position};
use crate::Result;
use crate::side::Side;

pub(super) async fn copy(from: &Side, to: &Side, key: &[u8]) -> Result<()> {
    let position = streams::position(from, key).await?;
    let groups = streams::groups(from, key).await?;
    let ghosts = ghosts(from, key, &groups).await?;
    create(to, key).await?;
    let span = entries(from, to, key, &ghosts).await?;
    // Before the groups: a server may hold what a group has read against what was ever added.
    set_position(to, key, &span.at_least(&position)).await?;
    for group in &groups {
        restore_group(from, to, key, group).await?;
    }
    bury(to, key, &ghosts, span.first).await?;
    set_position(to, key, &position).await
}

/// Pending ids whose entry is gone.
async fn ghosts(from: &Side, key: &[u8], groups: &[Group]) -> Result<BTreeSet<Id>> {
    let mut ghosts = BTreeSet::new();
    for group in groups {
        let mut last = None;
        loop {
            let pending = streams::pending(from, key, &group.name, last).await?;
            ghosts.extend(gone(from, key, &pending).await?);
            last = pending.last().map(|one| one.id);
            if pending.len() < streams::PAGE {
                break;
            }
        }
    }
    Ok(ghosts)
}

async fn gone(from: &Side, key: &[u8], pending: &[Pending]) -> Result<Vec<Id>> {
    if pending.is_empty() {
        return Ok(Vec::new());
    }
    let mut ask = pipe();
    for one in pending {
        let id = one.id.to_string();
        ask.cmd("XRANGE").arg(key).arg(&id).arg(&id);
    }
    let found: Vec<Vec<(String, Vec<Vec<u8>>)>> = from.store.pipeline(&ask).await?;
    Ok(pending.iter().zip(found).filter(|(_, entries)| entries.is_empty()).map(|(one, _)| one.id).collect())
}

/// An empty stream: a group makes it, and it stays when the group goes.
async fn create(to: &Side, key: &[u8]) -> Result<()> {
    let mut make = pipe();
    make.cmd("XGROUP").arg("CREATE").arg(key).arg("restore").arg("0").arg("MKSTREAM").ignore();
    make.cmd("XGROUP").arg("DESTROY").arg(key).arg("restore").ignore();
    Ok(to.store.pipeline::<()>(&make).await?)
}

/// What was added.
#[derive(Default)]
struct Span {
    /// The first entry that stays.
    first: Option<Id>,
    last: Id,
    count: u64,
}

impl Span {
    /// The position that the server accepts while ghosts are among the entries.
    fn at_least(&self, position: &Position) -> Position {
        let (last, added) = (position.last.max(self.last), position.added.max(self.count));
        Position { last, added, max_deleted: Id::default() }
    }
}

async fn entries(from: &Side, to: &Side, key: &[u8], ghosts: &BTreeSet<Id>) -> Result<Span> {
    let (mut span, mut last) = (Span::default(), None);
    let mut waiting = ghosts.iter().copied().peekable();
    loop {
        let page = streams::entries(from, key, last).await?;
        let (end, is_last) = (page.last().map(|entry| entry.id), page.len() < streams::PAGE);
        let mut merged = Vec::new();
        for entry in page {
            span.first.get_or_insert(entry.id);
            while let Some(id) = waiting.next_if(|id| *id < entry.id) {
                merged.push(ghost(id));
            }
            merged.push(entry);
        }
        if is_last {
            merged.extend(waiting.by_ref().map(ghost));
        }
        add(to, key, &merged, &mut span).await?;
        if is_last {
            return Ok(span);
        }
        last = end;
    }
}

fn ghost(id: Id) -> Entry {
    Entry { id, fields: vec![b"gone".to_vec(), b"1".to_vec()] }
}

async fn add(to: &Side, key: &[u8], entries: &[Entry], span: &mut Span) -> Result<()> {
    let Some(end) = entries.last() else { return Ok(()) };
    let mut add = pipe();
    for entry in entries {
        add.cmd("XADD").arg(key).arg(entry.id.to_string()).arg(&entry.fields).ignore();
    }
    (span.last, span.count) = (end.id, span.count + entries.len() as u64);
    Ok(to.store.pipeline::<()>(&add).await?)
}

async fn set_position(to: &Side, key: &[u8], position: &Position) -> Result<()> {
    let mut set = cmd("XSETID");
    set.arg(key).arg(position.last.to_string()).arg("ENTRIESADDED").arg(position.added);
    if position.max_deleted != Id::default() {
        set.arg("MAXDELETEDID").arg(position.max_deleted.to_string());
    }
    Ok(to.store.query::<()>(&set).await?)
}

async fn restore_group(from: &Side, to: &Side, key: &[u8], group: &Group) -> Result<()> {
    let mut make = pipe();
    make.cmd("XGROUP").arg("CREATE").arg(key).arg(&group.name).arg(group.delivered.to_string());
    if let Some(read) = group.read {
        make.arg("ENTRIESREAD").arg(read);
    }
    make.ignore();
    for consumer in &group.consumers {
        make.cmd("XGROUP").arg("CREATECONSUMER").arg(key).arg(&group.name).arg(consumer).ignore();
    }
    to.store.pipeline::<()>(&make).await?;
    let mut last = None;
    loop {
        let pending = streams::pending(from, key, &group.name, last).await?;
        claim(to, key, group, &pending).await?;
        last = pending.last().map(|one| one.id);
        if pending.len() < streams::PAGE {
            return Ok(());
        }
    }
}

async fn claim(to: &Side, key: &[u8], group: &Group, pending: &[Pending]) -> Result<()> {
    if pending.is_empty() {
        return Ok(());
    }
    let mut claim = pipe();
    for one in pending {
        claim.cmd("XCLAIM").arg(key).arg(&group.name).arg(&one.consumer).arg(0).arg(one.id.to_string());
        claim.arg("TIME").arg(one.delivered_at).arg("RETRYCOUNT").arg(one.deliveries);
        claim.arg("FORCE").arg("JUSTID").ignore();
    }
    Ok(to.store.pipeline::<()>(&claim).await?)
}

async fn bury(to: &Side, key: &[u8], ghosts: &BTreeSet<Id>, first: Option<Id>) -> Result<()> {
    let mut bury = pipe();
    match first {
        _ if ghosts.is_empty() => return Ok(()),
        Some(first) => bury.cmd("XTRIM").arg(key).arg("MINID").arg("=").arg(first.to_string()).ignore(),
        None => bury.cmd("XTRIM").arg(key).arg("MAXLEN").arg("=").arg(0).ignore(),
    };
    for id in ghosts.iter().filter(|id| first.is_some_and(|first| **id > first)) {
        bury.cmd("XDEL").arg(key).arg(id.to_string()).ignore();
    }
    Ok(to.store.pipeline::<()>(&bury).await?)
}
