//! `quorate dedupe forget SCOPE CONTENT`.

use quorate_plane::Plane;
use serde_json::json;

use super::What;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, what: &What) -> Result<Answer, Failure> {
    let hash = what.hash();
    if !plane.dedupe().forget(&what.scope, &hash).await? {
        return Err(Failure::not_found("it was not seen"));
    }
    let json = json!({ "outcome": "forgotten", "scope": what.scope, "hash": hash });
    Ok(Answer::new(json, View::Text("forgotten".into())))
}
