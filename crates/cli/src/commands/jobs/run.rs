//! `quorate jobs run`.

use serde_json::json;

use super::Which;
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

pub(crate) async fn run(global: &Global, which: Which) -> Result<Answer, Failure> {
    Ok(refusal::or(super::plane(global).await?.jobs().run(&which.id).await?, |run| {
        Answer::new(json!({ "outcome": "queued", "id": run }), View::Text(format!("{run} is queued")))
    }))
}
