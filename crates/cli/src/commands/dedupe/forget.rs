//! `quorate dedupe forget SCOPE CONTENT`.

use quorate_plane::Plane;
use quorate_verbs::dedupe::Forget;

use super::What;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, what: &What) -> Result<Answer, Failure> {
    ask(plane, &Forget { what: what.verb() }, |done| View::Text(done.outcome.to_owned())).await
}
