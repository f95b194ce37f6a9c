//! What must hold of the streams' records, and what was lost.

use futures_util::future::BoxFuture;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Result, Value, cmd};

use super::Stream;
use crate::Plane;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Readable, &NothingLost]
}

/// What is kept of a stream between two looks can be read, so that no loss goes uncounted.
#[derive(Debug)]
struct Readable;

impl Invariant for Readable {
    fn code(&self) -> &'static str {
        "FSCK050"
    }

    fn promise(&self) -> &'static str {
        "what is kept of each stream and its groups between two looks can be read"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let mut findings = Vec::new();
            for stream in Stream::EVERY {
                let fields = plane.events().state_of(stream).await?;
                let bad = fields.iter().filter(|(field, value)| !is_readable(field, value));
                findings.extend(bad.map(|(field, _)| Finding {
                    code: "FSCK050",
                    level: Level::Finding,
                    family: Some("quorate.stream_state".into()),
                    key: stream.state(&scope.keys).to_string(),
                    message: format!(
                        "the field {} cannot be read",
                        quorate_catalog::text::shortened(field, 80)
                    ),
                    advice: Some("`quorate fsck --repair` removes it; the next look writes it again".into()),
                }));
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let own = |stream: &Stream| stream.state(&scope.keys).as_str() == finding.key;
            let Some(stream) = Stream::EVERY.into_iter().find(own) else { return Ok(false) };
            for (field, value) in plane.events().state_of(stream).await? {
                if !is_readable(&field, &value) {
                    let mut delete = cmd("HDEL");
                    delete.arg(finding.key.as_str()).arg(field);
                    scope.store.repeatable().query::<Value>(&delete).await?;
                }
            }
            Ok(true)
        })
    }
}

/// The form of every field that the scripts write; others are nobody's.
fn is_readable(field: &str, value: &str) -> bool {
    let words: Vec<&str> = value.split(' ').collect();
    let numbers = |places: &[usize]| {
        places.iter().all(|at| words.get(*at).is_some_and(|word| word.parse::<i64>().is_ok()))
    };
    match field.split_at_checked(2) {
        Some(("g:", _)) => words.len() == 7 && numbers(&[1, 2, 4, 5]) && words[0].contains('-'),
        Some(("l:", _)) => words.len() == 6 && numbers(&[0, 1, 2, 3, 4]),
        Some(("m:", _)) => words.len() == 7 && numbers(&[0, 1, 2, 6]),
        _ => !matches!(field, "due" | "gone" | "trimmed" | "fence") || numbers(&[0]),
    }
}

/// No group has lost anything; where one has, that is worth knowing.
#[derive(Debug)]
struct NothingLost;

impl Invariant for NothingLost {
    fn code(&self) -> &'static str {
        "FSCK051"
    }

    fn promise(&self) -> &'static str {
        "no entry was destroyed before every group had acknowledged it"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let losses = plane.events().losses().await?;
            Ok(losses
                .into_iter()
                .map(|loss| Finding {
                    code: "FSCK051",
                    level: Level::Information,
                    family: Some("quorate.stream_state".into()),
                    key: loss.stream.clone(),
                    message: format!(
                        "the group {} lost {} entries unread and {} unacknowledged ({})",
                        quorate_catalog::text::shortened(&loss.group, 80),
                        loss.unread,
                        loss.pending,
                        loss.cause
                    ),
                    advice: Some(
                        "`quorate events losses --log` shows when; find the client that trims".into(),
                    ),
                })
                .collect())
        })
    }
}
