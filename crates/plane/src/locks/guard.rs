//! Writes that only the holder of a lock can make: the store checks the fence in the same step.

use quorate_catalog::space::INTERNAL_ROOT;
use quorate_catalog::text::harmless;
use quorate_store::{Arg, Error, ErrorKind, FromRedisValue, Result, Value};

use super::{Locks, Resource, bad};
use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Refusal};

/// Commands that a guarded write may be; each takes its key first.
pub const GUARDED: &[&str] = &[
    "APPEND",
    "DECR",
    "DECRBY",
    "DEL",
    "EXPIRE",
    "HDEL",
    "HINCRBY",
    "HSET",
    "HSETNX",
    "INCR",
    "INCRBY",
    "INCRBYFLOAT",
    "LPUSH",
    "PEXPIRE",
    "RPUSH",
    "SADD",
    "SET",
    "SETRANGE",
    "SREM",
    "XADD",
    "ZADD",
    "ZINCRBY",
    "ZREM",
];

/// What became of a guarded write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Whether the store did anything: a `SET … NX` of a key that is there does not.
    pub changed: bool,
    /// What it answered; nothing where it answered nil.
    pub reply: Option<String>,
}

impl Locks<'_> {
    /// Runs one write of the caller's only if `fence` is the lock's current one.
    pub async fn guard(&self, on: &Resource, fence: u64, write: &[String]) -> Result<Outcome<Written>> {
        let [command, key, words @ ..] = write else {
            return Err(bad("a guarded write has a command and a key"));
        };
        let command = command.to_uppercase();
        if !GUARDED.contains(&command.as_str()) {
            return Err(bad(&format!(
                "{} cannot be guarded; use one of {}",
                quorate_catalog::rule::show(&command),
                GUARDED.join(", ")
            )));
        }
        if is_own(key) || command == "DEL" && !words.is_empty() {
            return Err(bad("a guarded write changes one key, and none of the plane's own"));
        }
        let mut args = vec![Arg::from(on.lock_ref()), Arg::from(fence.to_string()), Arg::from(command)];
        args.extend(words.iter().map(Arg::from));
        let reply: Reply = self.plane.store().run(&self.plane.lock_scripts().guard, &[key], &args).await?;
        if reply.first() == "invalid" {
            let why = reply.word(1).and_then(|text| text.split(" script:").next()).unwrap_or_default();
            return Err(bad(&format!("the server does not take this write: {}", harmless(why))));
        }
        let changed = reply.first() != "unchanged";
        let outcome = self.plane.late(reply.expect(if changed { "written" } else { "unchanged" })?).await;
        Ok(outcome.map(|mut words| Written { changed, reply: words.pop() }))
    }

    /// Runs a Lua script of the caller's only if `fence` is the lock's current one. It has these keys and arguments in `KEYS`
    /// and `ARGV`, and what it returns comes back. Nothing takes back what a script has done before it failed.
    pub async fn guard_script(
        &self,
        on: &Resource,
        fence: u64,
        source: &str,
        keys: &[String],
        args: &[String],
    ) -> Result<Outcome<Value>> {
        if source.starts_with('\u{1b}') || keys.iter().any(|key| is_own(key)) {
            return Err(bad("a guarded script is text, and none of its keys is the plane's own"));
        }
        let mut words = vec![Arg::from(on.lock_ref()), Arg::from(fence.to_string()), Arg::from(source)];
        words.extend(args.iter().map(Arg::from));
        let script = &self.plane.lock_scripts().guard_script;
        let Value::Array(mut reply) = self.plane.store().run(script, keys, &words).await? else {
            return Err(undecodable("guard_script"));
        };
        let (rest, first) = (reply.split_off(1.min(reply.len())), reply.pop().unwrap_or(Value::Nil));
        let text = |at: usize| rest.get(at).cloned().and_then(|word| String::from_redis_value(word).ok());
        match String::from_redis_value(first).as_deref() {
            Ok("ran") => Ok(Outcome::Done(rest.into_iter().next().unwrap_or(Value::Nil))),
            Ok("refused") => {
                let refused = Outcome::Refused(Refusal::new(&text(0).unwrap_or_default(), text(1)));
                Ok(self.plane.late(refused).await)
            }
            Ok("invalid") => Err(bad(&format!("the script: {}", harmless(&text(0).unwrap_or_default())))),
            Ok("failed") => {
                Err(Error::new(ErrorKind::ScriptFault, "locks guard", harmless(&text(0).unwrap_or_default())))
            }
            _ => Err(undecodable("guard_script")),
        }
    }
}

fn is_own(key: &str) -> bool {
    key.contains(INTERNAL_ROOT)
}
