//! `quorate jobs cancel`.

use serde_json::json;

use super::Which;
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

pub(crate) async fn run(global: &Global, Which { id }: Which) -> Result<Answer, Failure> {
    Ok(refusal::or(super::plane(global).await?.jobs().cancel(&id).await?, |()| {
        Answer::new(json!({ "outcome": "cancelled", "id": id }), View::Text(format!("{id} is cancelled")))
    }))
}
