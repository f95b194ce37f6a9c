//! `quorate metrics ls`.

use quorate_plane::Plane;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let all = plane.metrics().ls().await?;
    let json = all.iter().map(|(name, value)| json!({ "counter": name, "value": value })).collect();
    let text = |value: &Option<i64>| value.map_or("no number".to_owned(), |value| value.to_string());
    let rows = all.iter().map(|(name, value)| vec![name.clone(), text(value)]).collect();
    Ok(Answer::new(json, View::Rows { header: &["counter", "value"], rows }))
}
