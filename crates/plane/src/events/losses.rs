//! For whoever watches: the groups of every stream, and the loss ledger.

use quorate_store::{Micros, Result, Value, cmd};
use schemars::JsonSchema;
use serde::Serialize;

use super::model::{array, entry, text};
use super::{Entry, Events, Stream};

/// What one group of one stream lost in all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Loss {
    pub stream: String,
    pub group: String,
    /// Entries the group never got.
    pub unread: u64,
    /// Entries it got and had not acknowledged.
    pub pending: u64,
    /// Whether both are exact; the ledger's entries say which of them are bounds.
    pub exact: bool,
    /// Of the last loss: `foreign`, `parked` or `overflow`.
    pub cause: String,
    pub first_at: Micros,
    pub last_at: Micros,
}

/// A group and how far it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Group {
    pub stream: String,
    pub group: String,
    /// `reading`, `waiting` (everything is acknowledged), `parked` or `overflow`.
    pub state: String,
    pub consumers: u64,
    pub pending: u64,
    /// How many entries it has yet to get, as far as the server knows.
    pub lag: Option<u64>,
    pub last_delivered: String,
    /// How long no consumer has asked for anything, in milliseconds.
    pub idle_ms: Option<u64>,
}

impl Events<'_> {
    /// What every group lost, by stream and group.
    pub async fn losses(&self) -> Result<Vec<Loss>> {
        let mut all = Vec::new();
        for stream in Stream::EVERY {
            let fields = self.state_of(stream).await?;
            let of_stream = fields.iter().filter_map(|(field, value)| {
                let group = field.strip_prefix("l:")?;
                read_loss(stream, group, value)
            });
            all.extend(of_stream);
        }
        all.sort_by(|one, other| (&one.stream, &one.group).cmp(&(&other.stream, &other.group)));
        Ok(all)
    }

    /// The entries of the ledger, newest first.
    pub async fn ledger(&self, count: u64) -> Result<Vec<Entry>> {
        let mut range = cmd("XREVRANGE");
        range
            .arg(self.plane.keys().quorate().stream_losses().as_str())
            .arg("+")
            .arg("-")
            .arg("COUNT")
            .arg(count);
        array(self.plane.store().query(&range).await?)?.into_iter().map(entry).collect()
    }

    /// The groups of one stream, or of all.
    pub async fn groups(&self, stream: Option<Stream>) -> Result<Vec<Group>> {
        let mut all = Vec::new();
        for stream in stream.map_or_else(|| Stream::EVERY.to_vec(), |stream| vec![stream]) {
            let key = stream.key(self.plane.keys());
            let kind: String = self.plane.store().query(cmd("TYPE").arg(key.as_str())).await?;
            if kind != "stream" {
                continue;
            }
            let marks = self.state_of(stream).await?;
            let groups: Value =
                self.plane.store().query(cmd("XINFO").arg("GROUPS").arg(key.as_str())).await?;
            for group in array(groups)? {
                let facts = facts(group)?;
                let idle = self.idle(key.as_str(), &facts).await?;
                all.push(view(stream, &facts, &marks, idle));
            }
        }
        Ok(all)
    }

    /// Ends a group, so that it holds nothing back; says whether there was one.
    pub async fn drop_group(&self, stream: Stream, group: &str) -> Result<bool> {
        let mut destroy = cmd("XGROUP");
        destroy.arg("DESTROY").arg(stream.key(self.plane.keys()).as_str()).arg(group);
        match self.plane.store().repeatable().change::<u64>(&destroy).await {
            Ok(ended) => Ok(ended == 1),
            // A stream that nobody has written to has no groups.
            Err(error) if error.detail().contains("requires the key to exist") => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn state_of(&self, stream: Stream) -> Result<Vec<(String, String)>> {
        let state = stream.state(self.plane.keys());
        let fields: Value = self.plane.store().query(cmd("HGETALL").arg(state.as_str())).await?;
        Ok(match fields {
            Value::Map(pairs) => {
                pairs.iter().map(|(field, value)| (text(Some(field)), text(Some(value)))).collect()
            }
            other => {
                let words: Vec<String> = array(other)?.iter().map(|word| text(Some(word))).collect();
                words.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
            }
        })
    }

    async fn idle(&self, key: &str, group: &[(String, Value)]) -> Result<Option<u64>> {
        let mut info = cmd("XINFO");
        info.arg("CONSUMERS").arg(key).arg(of(group, "name").cloned().map(bytes).unwrap_or_default());
        let consumers: Value = self.plane.store().query(&info).await?;
        let mut least = None;
        for consumer in array(consumers)? {
            let idle = of(&facts(consumer)?, "idle").and_then(whole);
            least = least.into_iter().chain(idle).min();
        }
        Ok(least)
    }
}

fn view(
    stream: Stream,
    facts: &[(String, Value)],
    marks: &[(String, String)],
    idle_ms: Option<u64>,
) -> Group {
    let number = |name: &str| of(facts, name).and_then(whole);
    let name = text(of(facts, "name"));
    let pending = number("pending").unwrap_or_default();
    let lag = number("lag");
    let field = format!("g:{name}");
    let mark: Vec<&str> =
        marks.iter().find(|(own, _)| *own == field).map_or(Vec::new(), |(_, text)| text.split(' ').collect());
    let state = match mark[..] {
        [.., parked, why] if parked != "0" => why,
        _ if pending == 0 && lag == Some(0) => "waiting",
        _ => "reading",
    };
    Group {
        stream: stream.name(),
        state: state.to_owned(),
        consumers: number("consumers").unwrap_or_default(),
        pending,
        lag,
        last_delivered: text(of(facts, "last-delivered-id")),
        group: name,
        idle_ms,
    }
}

fn read_loss(stream: Stream, group: &str, value: &str) -> Option<Loss> {
    let words: Vec<&str> = value.split(' ').collect();
    let [unread, pending, exact, first, last, cause] = words[..] else { return None };
    Some(Loss {
        stream: stream.name(),
        group: group.to_owned(),
        unread: unread.parse().ok()?,
        pending: pending.parse().ok()?,
        exact: exact == "1",
        cause: cause.to_owned(),
        first_at: Micros::from_millis(first.parse().ok()?),
        last_at: Micros::from_millis(last.parse().ok()?),
    })
}

/// What XINFO says, as pairs.
fn facts(value: Value) -> Result<Vec<(String, Value)>> {
    if let Value::Map(pairs) = value {
        return Ok(pairs.into_iter().map(|(name, value)| (text(Some(&name)), value)).collect());
    }
    let mut words = array(value)?.into_iter();
    let mut pairs = Vec::new();
    while let (Some(name), Some(value)) = (words.next(), words.next()) {
        pairs.push((text(Some(&name)), value));
    }
    Ok(pairs)
}

fn of<'v>(facts: &'v [(String, Value)], name: &str) -> Option<&'v Value> {
    facts.iter().find(|(own, _)| own == name).map(|(_, value)| value)
}

fn whole(value: &Value) -> Option<u64> {
    if let Value::Int(number) = value { u64::try_from(*number).ok() } else { None }
}

fn bytes(value: Value) -> Vec<u8> {
    if let Value::BulkString(bytes) = value { bytes } else { Vec::new() }
}
