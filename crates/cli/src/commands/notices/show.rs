//! `quorate notices show`.

use quorate_plane::Plane;
use quorate_plane::notices::State;
use quorate_verbs::notices::Show;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    ask(plane, &Show {}, |state| View::Text(text(state))).await
}

pub(super) fn text(state: &State) -> String {
    let word = |is: bool, yes: &str, no: &str| if is { yes } else { no }.to_owned();
    let mut lines = vec![
        format!("people are told  {}", word(state.wanted.enabled, "yes", "no")),
        format!(
            "by mail to       {}",
            word(
                state.configured,
                &state.receivers.join(" "),
                "nobody: no mail server or no receiver is set"
            )
        ),
        format!("gathered for     {} s", state.wanted.batch_wait_seconds),
        format!("waiting          {}", state.pending),
    ];
    lines.extend(state.pending_since.as_ref().map(|at| format!("since            {at}")));
    lines.extend(
        state.trouble.as_ref().map(|why| format!("trouble          {why} ({} attempts)", state.attempts)),
    );
    lines.join("\n")
}
