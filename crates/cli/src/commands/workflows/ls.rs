//! `quorate workflows ls`.

use quorate_plane::Plane;
use quorate_verbs::workflows::{Ls, Summary};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let header = &["workflow", "version", "stages", "by", "defined"];
    let row = |own: &Summary| {
        vec![
            own.workflow.clone(),
            own.version.to_string(),
            own.stages.to_string(),
            own.defined_by.clone(),
            own.defined_at.clone(),
        ]
    };
    ask(plane, &Ls {}, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}
