//! The server watches itself: slow calls, clients that come and go in numbers, memory that runs out.

use quorate_catalog::ids::LogServiceId;
use quorate_store::{Arg, ErrorKind, FromRedisValue, Result, Value, cmd};
use serde::Serialize;
use serde_json::json;

use super::Logs;
use super::envelope::{Level, Record};
use super::script;
use crate::events::Note;
use crate::outcome::Reply;

/// How often, in milliseconds, by whichever process comes first.
const EVERY: i64 = 5_000;
/// Entries of the slow log that one look reports.
const SLOW_AT_ONCE: usize = 32;
/// A change of the number of clients that is worth a line.
const CLIENTS: i64 = 5;

/// What a look reported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Watched {
    pub looked: bool,
    pub reported: u64,
}

/// What was last reported.
struct Before {
    slow: Option<i64>,
    clients: i64,
    memory_said: bool,
    run: String,
}

impl Logs<'_> {
    /// One look at the server, if that is due. What its access rules hide is passed over.
    pub async fn watch(&self) -> Result<Watched> {
        let Some(before) = self.claim().await? else { return Ok(Watched::default()) };
        let mut notes = Vec::new();
        let server = self.plane.store().info("server").await?;
        let run = server.get("run_id").unwrap_or_default().to_owned();
        let slow = self.slow(&before, run == before.run, &mut notes).await?;
        let clients = self.clients(&before, &mut notes).await?;
        let full = self.memory(&before, &mut notes).await?;
        for note in &notes {
            self.report(note).await?;
        }
        self.remember(&slow.to_string(), clients, full, &run).await?;
        Ok(Watched { looked: true, reported: notes.len() as u64 })
    }

    /// The look is ours if nobody else's is recent.
    async fn claim(&self) -> Result<Option<Before>> {
        let key = [self.plane.keys().quorate().engine_watch()];
        let store = self.plane.store();
        let reply: Reply = store.run(&script::CLAIM_WATCH, &key, &[Arg::from(EVERY)]).await?;
        if reply.first() != "look" {
            return Ok(None);
        }
        let word = |place| reply.word(place).unwrap_or_default();
        Ok(Some(Before {
            slow: word(1).parse().ok(),
            clients: word(2).parse().unwrap_or(-1),
            memory_said: word(3) == "1",
            run: word(4).to_owned(),
        }))
    }

    async fn slow(&self, before: &Before, same_run: bool, notes: &mut Vec<Note>) -> Result<i64> {
        let reply = self.plane.store().query::<Value>(cmd("SLOWLOG").arg("GET").arg(SLOW_AT_ONCE)).await;
        let entries = match reply {
            Ok(Value::Array(entries)) => entries,
            Err(error) if !matches!(error.kind(), ErrorKind::NoPerm | ErrorKind::UnknownCommand) => {
                return Err(error);
            }
            _ => Vec::new(),
        };
        let known = before.slow.filter(|_| same_run);
        let mut newest = known.unwrap_or(-1);
        for entry in entries.into_iter().rev() {
            let Some((id, micros, words)) = slow_entry(entry) else { continue };
            newest = newest.max(id);
            // The first look of all takes what is there as read: it may be days old.
            if known.is_some_and(|known| id > known) || (before.slow.is_some() && !same_run) {
                let fields = json!({ "slowlog_id": id, "micros": micros, "command": words });
                notes.push(note(
                    "warn",
                    "engine:slow",
                    format!("{} took {} ms", first(&words), micros / 1_000),
                    &fields,
                ));
            }
        }
        Ok(newest)
    }

    async fn clients(&self, before: &Before, notes: &mut Vec<Note>) -> Result<i64> {
        let info = self.plane.store().info("clients").await?;
        let now: i64 = info.get("connected_clients").and_then(|count| count.parse().ok()).unwrap_or(-1);
        if before.clients >= 0 && (now - before.clients).abs() > CLIENTS {
            let fields = json!({ "clients": now, "before": before.clients });
            notes.push(note(
                "info",
                "engine:clients",
                format!("{now} clients, after {}", before.clients),
                &fields,
            ));
            return Ok(now);
        }
        Ok(if before.clients < 0 { now } else { before.clients })
    }

    async fn memory(&self, before: &Before, notes: &mut Vec<Note>) -> Result<bool> {
        let info = self.plane.store().info("memory").await?;
        let number = |name| info.get(name).and_then(|text| text.parse::<u64>().ok()).unwrap_or_default();
        let (used, most) = (number("used_memory_rss"), number("maxmemory"));
        let full = most > 0 && used > most / 10 * 9;
        if full && !before.memory_said {
            let fields = json!({ "used_memory_rss": used, "maxmemory": most });
            let text = format!("{} of {} MiB are used", used >> 20, most >> 20);
            notes.push(note("warn", "engine:memory", text, &fields));
        }
        Ok(full)
    }

    /// To the plane's own log, and to the logs of `redis`, where the seed's readers look.
    async fn report(&self, note: &Note) -> Result<()> {
        self.plane.events().note(note).await?;
        let level = if note.level == "warn" { Level::Warn } else { Level::Info };
        let fields = serde_json::from_str(&note.fields).unwrap_or_default();
        let redis = LogServiceId::parse("redis").expect("a service's name");
        let record = Record::new("redis", level, &note.event, &note.msg).with_fields(fields);
        match self.emit(&redis, &[record]).await {
            // A full server takes no logs; the plane's own log has it.
            Err(error) if error.kind() == ErrorKind::OutOfMemory => Ok(()),
            sent => sent,
        }
    }

    async fn remember(&self, slow: &str, clients: i64, full: bool, run: &str) -> Result<()> {
        let key = [self.plane.keys().quorate().engine_watch()];
        let args = [Arg::from(slow), Arg::from(clients), Arg::from(i32::from(full)), Arg::from(run)];
        let store = self.plane.store().repeatable();
        store.run::<Value>(&script::REMEMBER_WATCH, &key, &args).await.map(drop)
    }
}

fn note(level: &'static str, event: &str, msg: String, fields: &serde_json::Value) -> Note {
    Note { level, event: event.to_owned(), msg, fields: fields.to_string() }
}

/// Id, duration and the first words of the command; arguments may be secrets, so only the name and the key are kept.
fn slow_entry(entry: Value) -> Option<(i64, u64, Vec<String>)> {
    let Value::Array(parts) = entry else { return None };
    let number = |at: usize| i64::from_redis_value(parts.get(at)?.clone()).ok();
    let words = Vec::<Vec<u8>>::from_redis_value(parts.get(3)?.clone()).ok()?;
    let words = words.iter().take(2).map(|word| String::from_utf8_lossy(word).chars().take(128).collect());
    Some((number(0)?, u64::try_from(number(2)?).ok()?, words.collect()))
}

fn first(words: &[String]) -> &str {
    words.first().map_or("a call", String::as_str)
}
