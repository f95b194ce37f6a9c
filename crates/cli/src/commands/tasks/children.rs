//! `quorate tasks children TASK`.

use quorate_plane::Plane;
use quorate_verbs::said::{Said, Within};
use quorate_verbs::tasks::Children;

use super::Listed;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, asked: Listed) -> Result<Answer, Failure> {
    let verb = Children { task_id: Said(asked.task), limit: Some(Within(asked.limit)) };
    let rows = |names: &[String]| names.iter().map(|name| vec![name.clone()]).collect();
    ask(plane, &verb, |found| View::Rows { header: &["task"], rows: rows(&found.children) }).await
}
