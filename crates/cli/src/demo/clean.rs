//! Leaving nothing behind: every key and every entry of an index that bears a name of the demo goes.
//!
//! The catalog says what stands in a key, so a key goes when a name in it is the demo's, a record when it is about one, and an index
//! keeps everything else that is in it. Records get random ids, so what an index says of a record that has just gone goes in the
//! next round. What happened stays on record: event streams and the audit trail are not rewritten.

use std::collections::HashSet;

use futures_util::{TryStreamExt, pin_mut};
use quorate_catalog::ids::{DeadLetterId, ServiceId};
use quorate_catalog::{Catalog, Matcher};
use quorate_plane::Plane;
use quorate_plane::dead_letters::Filter;
use quorate_plane::events::Stream;
use quorate_plane::search::named;
use quorate_store::invariant::Scope;
use quorate_store::{Cmd, Result, cmd};
use serde_json::Value;

use super::MARK;

const PAGE: usize = 1_000;
/// Longest text that is taken for a name.
const LONGEST: usize = 256;
/// Shorter than any name of a document of the search.
const LEAST: usize = 40;
/// Rounds until nothing is left; each can only follow what the one before took away.
const ROUNDS: usize = 6;

/// Removes what the demo has made; says how many keys and entries that were.
pub(crate) async fn clean(plane: &Plane) -> Result<u64> {
    let scope = plane.scope();
    let mut broom = Broom {
        scope,
        matcher: Matcher::new(Catalog::built_in(), &scope.keys),
        gone: HashSet::new(),
        removed: drop_letters(plane).await? + leave_services(plane).await? + end_groups(plane).await?,
    };
    for _ in 0..ROUNDS {
        let before = broom.removed;
        broom.round().await?;
        if broom.removed == before {
            break;
        }
    }
    Ok(broom.removed)
}

/// Dead letters have short ids that say nothing, so they are asked for by their queue.
async fn drop_letters(plane: &Plane) -> Result<u64> {
    let mut dropped = 0;
    for queue in plane.queues().known().await?.iter().filter(|queue| is_name(queue.name().as_bytes())) {
        let filter =
            Filter { source: Some(format!("queue:{}", queue.name())), limit: PAGE, ..Filter::default() };
        for letter in plane.dead_letters().list(&filter).await? {
            if let Ok(id) = DeadLetterId::parse(&letter.id) {
                plane.dead_letters().drop(&id, "demo", "the demo is over").await?;
                dropped += 1;
            }
        }
    }
    Ok(dropped)
}

/// Services take along what is known of them; what the search keeps of their tasks has names that say nothing.
async fn leave_services(plane: &Plane) -> Result<u64> {
    let mut left = 0;
    for service in plane.services().ls(None).await?.iter().filter(|own| own.service_id.starts_with(MARK)) {
        if let Ok(id) = ServiceId::parse(&service.service_id) {
            plane.services().delete(&id).await?;
            plane.search().remove(&id).await?;
            left += 1;
        }
    }
    if left > 0 {
        plane.search().leave().await?;
    }
    Ok(left)
}

/// A group is no key, so no round of the broom meets it.
async fn end_groups(plane: &Plane) -> Result<u64> {
    let mut ended = 0;
    for stream in Stream::EVERY {
        let groups = plane.events().groups(Some(stream)).await?;
        for group in groups.iter().filter(|group| is_name(group.group.as_bytes())) {
            ended += u64::from(plane.events().drop_group(stream, &group.group).await?);
        }
    }
    Ok(ended)
}

struct Broom<'s> {
    scope: &'s Scope,
    matcher: Matcher,
    /// Ids of records that were removed, and names of indexes that are empty now.
    gone: HashSet<String>,
    removed: u64,
}

impl Broom<'_> {
    async fn round(&mut self) -> Result<()> {
        let pattern = format!("{}*", self.scope.keys.namespace_text());
        let pages = self.scope.store.scan(&pattern, PAGE).await?;
        pin_mut!(pages);
        while let Some(page) = pages.try_next().await? {
            for key in page {
                self.key(&key).await?;
            }
        }
        Ok(())
    }

    async fn key(&mut self, key: &[u8]) -> Result<()> {
        let catalog = Catalog::built_in();
        let Some(found) = self.matcher.find(key) else { return Ok(()) };
        let names: Vec<String> =
            Matcher::bindings(catalog, &found).into_iter().map(|(_, name)| name).collect();
        if names.iter().any(|name| self.ours(name)) {
            return self.drop_key(key, &names).await;
        }
        let record = !names.is_empty() && !catalog.families[found.family].open_fields;
        match self.query::<String>(cmd("TYPE").arg(key)).await?.as_str() {
            "hash" if record => self.record(key, &names).await,
            "hash" => self.table(key, &names).await,
            "zset" => self.members(key, &names, ("ZRANGE", "ZREM")).await,
            "list" => self.members(key, &names, ("LRANGE", "LREM")).await,
            "set" => self.members(key, &names, ("SMEMBERS", "SREM")).await,
            _ => Ok(()),
        }
    }

    async fn query<T: quorate_store::FromRedisValue>(&self, command: &Cmd) -> Result<T> {
        self.scope.store.query(command).await
    }

    async fn drop_key(&mut self, key: &[u8], names: &[String]) -> Result<()> {
        self.removed += self.query::<u64>(cmd("UNLINK").arg(key)).await?;
        self.gone.extend(names.iter().filter(|name| name.len() >= 8).cloned());
        Ok(())
    }

    /// A record that is about something of the demo's goes as a whole.
    async fn record(&mut self, key: &[u8], names: &[String]) -> Result<()> {
        let values: Vec<Vec<u8>> = self.query(cmd("HVALS").arg(key)).await?;
        if values.iter().any(|value| is_name(value)) { self.drop_key(key, names).await } else { Ok(()) }
    }

    /// Of a table for everybody only the demo's rows go.
    async fn table(&mut self, key: &[u8], names: &[String]) -> Result<()> {
        let rows: Vec<(Vec<u8>, Vec<u8>)> = self.query(cmd("HGETALL").arg(key)).await?;
        let mut remove = cmd("HDEL");
        remove.arg(key);
        let ours: Vec<_> =
            rows.iter().filter(|(name, value)| self.speaks_of(name) || self.speaks_of(value)).collect();
        if ours.is_empty() {
            return Ok(());
        }
        ours.iter().for_each(|(name, _)| {
            remove.arg(name);
        });
        self.removed += self.query::<u64>(&remove).await?;
        self.emptied(key, names).await
    }

    async fn members(&mut self, key: &[u8], names: &[String], (read, remove): (&str, &str)) -> Result<()> {
        let mut all = cmd(read);
        all.arg(key);
        if read != "SMEMBERS" {
            all.arg(0).arg(-1);
        }
        let members: Vec<Vec<u8>> = self.query(&all).await?;
        let ours: Vec<&Vec<u8>> = members.iter().filter(|member| self.speaks_of(member)).collect();
        for member in &ours {
            let mut one = cmd(remove);
            one.arg(key);
            if remove == "LREM" {
                one.arg(0);
            }
            self.removed += self.query::<u64>(one.arg(member.as_slice())).await?;
        }
        if ours.is_empty() { Ok(()) } else { self.emptied(key, names).await }
    }

    /// An index that has just become empty is gone too, and so is what points to it.
    async fn emptied(&mut self, key: &[u8], names: &[String]) -> Result<()> {
        if self.query::<u64>(cmd("EXISTS").arg(key)).await? == 0 {
            let last = names.iter().filter_map(|name| name.rsplit(':').next());
            self.gone.extend(last.filter(|name| name.len() >= 8).map(str::to_owned));
        }
        Ok(())
    }

    /// Whether a name in a key is the demo's, or of something of it that has gone.
    fn ours(&self, name: &str) -> bool {
        is_name(name.as_bytes()) || self.gone.contains(name) || is_document(name)
    }

    /// Whether an entry names something of the demo's: as a word of it, or as a member of the object that it is.
    fn speaks_of(&self, entry: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(entry) else { return false };
        if let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(text) {
            return fields.values().filter_map(Value::as_str).any(|value| self.ours(value));
        }
        text.len() <= LONGEST && text.split([' ', '|', '.', '/']).any(|word| self.ours(word))
    }
}

/// Whether a text is the name of a document of the search that is about something of the demo's.
fn is_document(text: &str) -> bool {
    let ours = |(service, task): (String, String)| is_name(service.as_bytes()) || is_name(task.as_bytes());
    text.len() > LEAST && named(text).is_some_and(ours)
}

/// Whether a text is a name of the demo's, alone or behind what it is a name of, as in `job:demo-builds`.
fn is_name(text: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.@+:".contains(byte);
    text.len() <= LONGEST
        && text.iter().all(plain)
        && text.split(|byte| *byte == b':').any(|part| part.starts_with(MARK.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn only_names_of_the_demo_are_its_names() {
        for ours in ["demo-a", "job:demo-builds", "queue:job:demo-builds", "name:demo-x"] {
            assert!(is_name(ours.as_bytes()), "{ours}");
        }
        for not in ["demo", "my-demo-a", "see demo-a", "{\"a\":\"demo-a\"}", "a demo-", "", "xdemo-y"] {
            assert!(!is_name(not.as_bytes()), "{not}");
        }
    }
}
