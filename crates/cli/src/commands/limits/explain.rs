//! `quorate limits explain LIMIT…`.

use quorate_plane::Plane;

use super::{Ask, answer};
use crate::failure::Failure;
use crate::out::Answer;
use crate::refusal;

pub(crate) async fn run(plane: &Plane, ask: &Ask) -> Result<Answer, Failure> {
    Ok(refusal::or(plane.limits().explain(&ask.wishes()).await?, |found| answer(&found, false)))
}
