//! The envelope v0 of the seed: `{v,ts,service,host,level,pid,target,msg,fields}`.

use quorate_catalog::ids::LogLevel;
use quorate_store::Micros;
use serde_json::{Map, Value};

/// The longest message; what is longer is cut, and says so.
pub(super) const MOST_BYTES: usize = 32 * 1024;
const CUT: &str = " [cut]";

pub use quorate_catalog::ids::LogLevel as Level;

/// One record.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// When it was logged, by the clock of the machine that logged it: order comes from the stream's ids.
    pub ts: String,
    pub service: String,
    pub host: String,
    pub level: Level,
    pub pid: u32,
    pub target: String,
    pub msg: String,
    pub fields: Map<String, Value>,
}

impl Record {
    /// A record of this process, now.
    pub fn new(service: &str, level: Level, target: &str, msg: &str) -> Self {
        Self {
            ts: local_time(),
            service: service.to_owned(),
            host: host().to_owned(),
            level,
            pid: std::process::id(),
            target: target.to_owned(),
            msg: cut(msg),
            fields: Map::new(),
        }
    }

    #[must_use]
    pub fn with_fields(mut self, fields: Map<String, Value>) -> Self {
        self.fields = fields;
        self
    }

    /// Field by field, as it stands in the stream.
    pub fn pairs(&self) -> [(&'static str, String); 9] {
        [
            ("v", "0".to_owned()),
            ("ts", self.ts.clone()),
            ("service", self.service.clone()),
            ("host", self.host.clone()),
            ("level", self.level.as_key().to_owned()),
            ("pid", self.pid.to_string()),
            ("target", self.target.clone()),
            ("msg", self.msg.clone()),
            ("fields", Value::Object(self.fields.clone()).to_string()),
        ]
    }

    /// One JSON document, as it is published.
    pub fn json(&self) -> Value {
        serde_json::json!({
            "v": 0, "ts": self.ts, "service": self.service, "host": self.host, "level": self.level.as_key(),
            "pid": self.pid, "target": self.target, "msg": self.msg, "fields": self.fields,
        })
    }

    /// From the fields of a stream's entry, whoever wrote it: what is missing or odd becomes plain.
    pub fn read(service: &str, id: &str, fields: &[(String, String)]) -> Self {
        let text = |name: &str| {
            fields
                .iter()
                .rev()
                .find(|(own, _)| own == name)
                .map(|(_, value)| value.clone())
                .unwrap_or_default()
        };
        let at = Micros::from_millis(id.split('-').next().and_then(|ms| ms.parse().ok()).unwrap_or_default());
        let ts = Some(text("ts")).filter(|ts| !ts.is_empty()).unwrap_or_else(|| at.iso());
        Self {
            ts,
            service: service.to_owned(),
            host: text("host"),
            level: LogLevel::parse(&text("level")).unwrap_or(LogLevel::Info),
            pid: text("pid").parse().unwrap_or_default(),
            target: text("target"),
            msg: text("msg"),
            fields: serde_json::from_str(&text("fields")).unwrap_or_default(),
        }
    }
}

/// The level that a line of text shows by its words.
pub fn level_of(line: &str) -> Level {
    let is_word = |word: &str, known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    let words = || line.split(|c: char| !c.is_ascii_alphanumeric());
    const ERROR: &[&str] =
        &["error", "errors", "err", "fatal", "panic", "panicked", "critical", "crit", "emerg", "alert"];
    if words().any(|word| is_word(word, ERROR)) {
        Level::Error
    } else if words().any(|word| is_word(word, &["warn", "warning", "warnings"])) {
        Level::Warn
    } else {
        Level::Info
    }
}

/// How serious a level is; higher is worse.
pub(super) fn weight(level: Level) -> u8 {
    match level {
        Level::Info => 0,
        Level::Warn => 1,
        Level::Error => 2,
    }
}

pub(super) fn cut(text: &str) -> String {
    if text.len() <= MOST_BYTES {
        return text.to_owned();
    }
    let end = (0..=MOST_BYTES - CUT.len()).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}{CUT}", &text[..end])
}

#[expect(
    clippy::disallowed_methods,
    reason = "a record says when it was logged, also while no server is there to ask; nothing is ordered by it"
)]
fn local_time() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Micros::new(u64::try_from(since.as_micros()).unwrap_or(0)).iso()
}

fn host() -> &'static str {
    static HOST: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
        let named = std::env::var("HOSTNAME").ok().filter(|name| !name.is_empty());
        let read = || std::fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().to_owned());
        named.or_else(read).filter(|name| !name.is_empty()).unwrap_or_else(|| "localhost".to_owned())
    });
    &HOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lines_words_give_its_level() {
        for (line, level) in [
            ("2026-11-16 ERROR disk is full", Level::Error),
            ("thread 'main' panicked at src/main.rs", Level::Error),
            ("level=warn msg=slow", Level::Warn),
            ("{\"level\":\"error\"}", Level::Error),
            ("WARNING: retrying", Level::Warn),
            ("errand deferred, no warnable terror", Level::Info),
            ("", Level::Info),
        ] {
            assert_eq!(level_of(line), level, "{line}");
        }
    }

    #[test]
    fn a_long_message_is_cut_at_a_character() {
        let long = "é".repeat(MOST_BYTES);
        let short = cut(&long);
        assert!(short.len() <= MOST_BYTES && short.ends_with(CUT));
        assert_eq!(cut("short"), "short");
    }

    #[test]
    fn an_entry_of_a_foreign_writer_is_read_as_far_as_it_goes() {
        let record = Record::read(
            "coord",
            "1794768310000-0",
            &[("msg".into(), "hello".into()), ("level".into(), "loud".into())],
        );
        assert_eq!((record.level, record.msg.as_str(), record.pid), (Level::Info, "hello", 0));
        assert_eq!(record.ts, "2026-11-15T18:45:10.000000Z");
    }
}
