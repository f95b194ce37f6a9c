//! `quorate logs ls`.

use quorate_plane::Plane;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let services = plane.logs().services().await?;
    let rows =
        services.iter().map(|one| vec![one.service.clone(), one.records.to_string(), one.newest.clone()]);
    Ok(Answer::new(
        json!(services),
        View::Rows { header: &["service", "records", "newest"], rows: rows.collect() },
    ))
}
