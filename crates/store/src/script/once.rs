//! A request that has one effect, whoever carries it out and however often.
//!
//! Under a request every change a call makes is put into an envelope: the script first looks whether this step of the request
//! was done, and gives its first answer again; what it does is remembered in the same step, in the record of the request. A
//! process that dies anywhere leaves either nothing or an effect with its answer, so whoever takes the request up goes on
//! where it stopped. A call may also name what its caller has seen of a key: the script then does nothing unless the key is
//! still what it was.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use redis::{Cmd, FromRedisValue, Value, cmd};

use super::{Arg, Fragment, Script};
use crate::error::Result;
use crate::store::Store;

/// Takes its own keys and arguments off the ends, so that the script sees what it was given. A refusal has no effect and is
/// not remembered: the next attempt may find that it is gone.
const BEFORE: &str = "local once_fields, once_tags = table.remove(ARGV), table.remove(ARGV) \
    local once_recall, once_step = table.remove(ARGV), table.remove(ARGV) \
    local once_watched = once_tags ~= '' and table.remove(KEYS) \
    local once_record = once_step ~= '' and table.remove(KEYS) \
    local once_kept = once_recall == '1' and redis.call('HGET', once_record, once_step) \
    if once_kept then return cmsgpack.unpack(once_kept) end \
    if once_watched then local seen = version(once_watched, once_fields) \
    if seen == '' or once_tags ~= '*' and not once_tags:find(' ' .. seen .. ' ', 1, true) then \
    return redis.error_reply('CHANGED ' .. (seen == '' and '-' or seen)) end end \
    local function once_body() ";
const AFTER: &str = "\nend local once_reply = once_body() \
    local once_first = type(once_reply) == 'table' and (once_reply.err and 'refused' or once_reply[1]) or once_reply \
    if once_record and not (type(once_first) == 'string' and once_first:sub(1, 7) == 'refused') \
    and redis.call('HEXISTS', once_record, 'fingerprint') == 1 then \
    redis.call('HSET', once_record, once_step, cmsgpack.pack(once_reply)) end \
    return once_reply";

/// A command as a script. Its key stands among its words: a request is carried out on one server.
const COMMAND_SOURCE: &str = "#!lua\n-- purpose: Runs one command.\n-- guarantee: It is a step of its request.\n-- keys: none\n\
    -- args: none\n-- rest: words\n-- returns: what the command answers\n-- writes: 1\n-- layout: any\nreturn redis.call(unpack(words))\n";

/// What the fields of answers begin with, in the record of a request.
pub const STEP: &str = "step:";

/// Which part of which key decides whether something has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    key: String,
    fields: String,
}

impl Watched {
    /// A key, and the fields of it that count if it is a hash; all of them if none is named.
    pub fn new(key: impl ToString, fields: &[&str]) -> Self {
        Self { key: key.to_string(), fields: fields.join("\0") }
    }

    /// What it decides about is always there, as settings are: without the key it has a version too.
    #[must_use]
    pub fn always(self) -> Self {
        Self { fields: format!("?{}", self.fields), ..self }
    }
}

/// What a caller has seen: one of these versions, or anything at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    watched: Watched,
    tags: String,
}

impl Seen {
    pub fn any_of<'t>(watched: Watched, versions: impl IntoIterator<Item = &'t str>) -> Self {
        let tags: Vec<&str> = versions.into_iter().collect();
        Self { watched, tags: format!(" {} ", tags.join(" ")) }
    }

    /// It must only be there.
    pub fn anything(watched: Watched) -> Self {
        Self { watched, tags: "*".to_owned() }
    }
}

/// One request, for as long as somebody carries it out.
#[derive(Debug, Default)]
pub struct Once {
    /// Where its answers are remembered, and its id.
    record: Option<(String, String)>,
    seen: Option<Seen>,
    /// How often each script was run.
    steps: Mutex<HashMap<String, u64>>,
    /// Whether it has changed something: then what its caller has seen is past.
    changed: AtomicBool,
}

impl Once {
    /// A request whose answers are remembered in a hash that has a field `fingerprint`.
    pub fn remembered(record: impl ToString, request: &str) -> Self {
        Self { record: Some((record.to_string(), request.to_owned())), ..Self::default() }
    }

    /// Nothing is done unless the caller has seen what is there.
    #[must_use]
    pub fn expecting(self, seen: Option<Seen>) -> Self {
        Self { seen, ..self }
    }

    /// Whether its steps are remembered, so that a second delivery is harmless.
    pub(crate) fn remembers(&self) -> bool {
        self.record.is_some()
    }

    /// A name that this request gives to what it makes: the same in every attempt, another one for each thing.
    fn name(&self) -> Option<String> {
        let (_, request) = self.record.as_ref()?;
        let number = self.count("name");
        Some(redis::Script::new(&format!("{request} {number}")).get_hash()[..32].to_owned())
    }

    /// The further keys and arguments of the next run of a script. One that runs until something happens is one step: only
    /// its first run may find an answer.
    pub(super) fn further(&self, script: &str, looping: bool) -> (Vec<&str>, [Arg<'static>; 4]) {
        let number = self.count(script);
        let (mut keys, mut step, mut recall) = (Vec::new(), String::new(), "0");
        if let Some((record, _)) = &self.record {
            keys.push(record.as_str());
            step = if looping { format!("{STEP}{script}") } else { format!("{STEP}{script}:{number}") };
            recall = if looping && number > 0 { "0" } else { "1" };
        }
        let (mut tags, mut fields) = (String::new(), String::new());
        if let Some(seen) = self.seen.as_ref().filter(|_| !self.changed.load(Ordering::Relaxed)) {
            keys.push(seen.watched.key.as_str());
            (tags, fields) = (seen.tags.clone(), seen.watched.fields.clone());
        }
        (keys, [Arg::from(step), Arg::from(recall.to_owned()), Arg::from(tags), Arg::from(fields)])
    }

    /// Notes what a script answered: a refusal changed nothing.
    pub(super) fn answered(&self, reply: &Value) {
        let first = match reply {
            Value::Array(all) => all.first(),
            one => Some(one),
        };
        let refused = match first {
            Some(Value::BulkString(bytes)) => bytes.starts_with(b"refused"),
            Some(Value::SimpleString(text)) => text.starts_with("refused"),
            _ => false,
        };
        self.changed.fetch_or(!refused, Ordering::Relaxed);
    }

    fn count(&self, what: &str) -> u64 {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let count = steps.entry(what.to_owned()).or_default();
        *count += 1;
        *count - 1
    }
}

/// A script in its envelope; its lines keep their numbers.
pub(super) fn wrapped(code: &str) -> String {
    let (shebang, body) = code.split_once('\n').unwrap_or((code, ""));
    format!("{shebang}\n{} {BEFORE}{body}{AFTER}", version())
}

fn version() -> String {
    Fragment::shared("version").map(|fragment| fragment.flat()).unwrap_or_default()
}

impl Store {
    /// The version of a key, or none if it is not there.
    pub async fn version(&self, watched: &Watched) -> Result<Option<String>> {
        static CODE: LazyLock<String> = LazyLock::new(|| {
            format!("#!lua flags=no-writes\n{} return version(KEYS[1], ARGV[1])", version())
        });
        let mut ask = cmd("EVAL_RO");
        ask.arg(CODE.as_str()).arg(1).arg(&watched.key).arg(&watched.fields);
        let version: String = self.repeatable().query(&ask).await?;
        Ok(Some(version).filter(|version| !version.is_empty()))
    }

    /// Sends one command that changes something; under a request it is one of its steps.
    pub async fn change<T: FromRedisValue>(&self, cmd: &Cmd) -> Result<T> {
        static COMMAND: LazyLock<Script> =
            LazyLock::new(|| Script::parse("command", COMMAND_SOURCE).expect("a test reads it"));
        if self.once.is_none() {
            return self.query(cmd).await;
        }
        let words = cmd.args_iter().filter_map(|word| match word {
            redis::Arg::Simple(bytes) => Some(Arg::from(bytes)),
            _ => None,
        });
        let none: [&str; 0] = [];
        self.run(&COMMAND, &none, &words.collect::<Vec<_>>()).await
    }

    /// A name for something new, where changes are made in the name of a request: every attempt gives it the same.
    pub fn own_name(&self) -> Option<String> {
        self.once.as_ref().and_then(|once| once.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_keeps_line_numbers_and_a_command_can_be_read() {
        let script = Script::parse("command", COMMAND_SOURCE).unwrap();
        let wrapped = wrapped(script.code());
        let line = |code: &str| code.lines().position(|line| line.starts_with("return redis.call(unpack"));
        assert_eq!((line(&wrapped), wrapped.lines().next()), (line(script.code()), Some("#!lua")));
    }

    #[test]
    fn every_attempt_gives_the_same_names_and_steps() {
        let (one, two) = (Once::remembered("r", "id"), Once::remembered("r", "id"));
        assert_eq!((one.name(), one.name()), (two.name(), two.name()));
        assert_ne!(one.name(), Once::remembered("r", "id").name(), "each thing has a name of its own");
        let step = |once: &Once, looping| {
            String::from_utf8_lossy(once.further("s", looping).1[0].as_bytes()).into_owned()
        };
        assert_eq!((step(&one, false), step(&one, false)), ("step:s:0".into(), "step:s:1".into()));
        assert_eq!((step(&two, true), step(&two, true)), ("step:s".into(), "step:s".into()));
        assert!(Once::default().further("s", false).0.is_empty(), "nothing is remembered without a record");
    }
}
