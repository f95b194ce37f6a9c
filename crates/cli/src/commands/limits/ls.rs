//! `quorate limits ls`.

use quorate_plane::Plane;

use super::ruled;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let all = plane.limits().ls().await?;
    let row = |(endpoint, rule): (&String, &quorate_plane::limits::Rule)| {
        vec![endpoint.clone(), rule.limit.to_string(), format!("{:?}", rule.window)]
    };
    let rows = all.iter().map(row).collect();
    let json = all.iter().map(|(endpoint, rule)| ruled(endpoint, rule)).collect();
    Ok(Answer::new(json, View::Rows { header: &["endpoint", "limit", "window"], rows }))
}
