//! `quorate jobs cancel`.

use quorate_verbs::jobs::Cancel;
use quorate_verbs::said::Said;

use super::Which;
use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(global: &Global, which: Which) -> Result<Answer, Failure> {
    let plane = super::plane(global).await?;
    let verb = Cancel { job: Said(which.id) };
    ask(&plane, &verb, |done| View::Text(format!("{} is cancelled", done.id))).await
}
