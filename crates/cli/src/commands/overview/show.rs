//! `quorate overview show`.

use quorate_plane::Plane;
use quorate_verbs::overview::{Health, Show};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    ask(plane, &Show {}, view).await
}

fn view(health: &Health) -> View {
    if health.needs.is_empty() {
        let numbers = &health.numbers;
        let text = format!(
            "everything is all right: {} agents online, {} locks held, {} waits",
            numbers.agents_online, numbers.lock_holds, numbers.lock_waits
        );
        return View::Text(text);
    }
    let rows = health.needs.iter().map(|need| {
        vec![need.code.to_owned(), need.what.clone(), need.next.to_owned(), need.command.clone()]
    });
    View::Rows { header: &["code", "what", "what to do", "more"], rows: rows.collect() }
}
