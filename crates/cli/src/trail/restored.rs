//! A restore in the audit trail. What the store holds goes, its trail with it, so what is to be known of the restore is noted
//! beside the store until the restored one can take it.

use quorate_plane::trail::{Record, UNKNOWN};
use serde_json::{Value, json};

use super::{Act, reach};
use crate::args::Global;
use crate::failure::Failure;

/// A restore as it is noted beside the store that it replaces, with the end of the trail that goes with it.
pub(crate) async fn note(global: &Global, act: &Act) -> String {
    let head = match reach(global).await {
        Ok(Some(plane)) => plane.trail().verify().await.ok(),
        Ok(None) | Err(_) => None,
    };
    let before = head.filter(|trail| trail.records > 0);
    let before = before.map(|trail| json!({ "records": trail.records, "head": trail.head }));
    json!({ "request": act.request, "who": act.who, "target": act.target, "before": before }).to_string()
}

/// What a restore replaced, as it was noted.
pub(crate) fn before(act: &Act, notes: &[String]) -> Option<Value> {
    let notes = notes.iter().filter_map(|note| serde_json::from_str::<Value>(note).ok());
    let mut own = notes.filter(|note| note["request"] == act.request.as_str());
    own.next().map(|note| note["before"].clone()).filter(|before| !before.is_null())
}

/// Puts what was noted of a restore, and of those before it that were cut off, into the trail of the restored store. Its own
/// record is written when it has ended.
pub(crate) async fn pass_on(global: &Global, act: Option<&Act>, notes: &[String]) -> Result<(), Failure> {
    let Some(plane) = reach(global).await? else { return Ok(()) };
    for note in notes {
        let Ok(note) = serde_json::from_str::<Value>(note) else { continue };
        let text = |name: &str| note[name].as_str().unwrap_or_default().to_owned();
        let record = Record {
            who: text("who"),
            via: "cli".into(),
            action: "restore".into(),
            target: text("target"),
            request: text("request"),
            before: Some(note["before"].clone()).filter(|before| !before.is_null()),
            result: UNKNOWN.into(),
            ..Record::default()
        };
        if act.is_some_and(|act| act.request == record.request) {
            plane.trail().intend(&record).await?;
        } else {
            plane.trail().record(&record).await?;
        }
    }
    Ok(())
}
