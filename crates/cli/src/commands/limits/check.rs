//! `quorate limits check LIMIT…`.

use quorate_plane::Plane;
use quorate_verbs::limits::Check;

use super::{Ask, standing};
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, args: &Ask) -> Result<Answer, Failure> {
    Ok(standing(ask(plane, &Check { ask: args.verb() }, |_| View::Nothing).await?))
}
