//! `quorate jobs run`.

use quorate_verbs::jobs::Run;
use quorate_verbs::said::Said;

use super::Which;
use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(global: &Global, which: Which) -> Result<Answer, Failure> {
    let plane = super::plane(global).await?;
    let verb = Run { job: Said(which.id) };
    ask(&plane, &verb, |queued| View::Text(format!("{} is queued", queued.id))).await
}
