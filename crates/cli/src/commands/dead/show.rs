//! `quorate dead show ID`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::Plane;
use quorate_plane::dead_letters::Letter;
use quorate_verbs::dead::Show;
use quorate_verbs::said::Said;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The letter.
    #[arg(value_name = "ID")]
    id: DeadLetterId,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    ask(plane, &Show { id: Said(args.id.clone()) }, |letter| View::Text(text(letter))).await
}

fn text(letter: &Letter) -> String {
    let mut lines = vec![
        format!("{} from {} (item {}), {}", letter.id, letter.source, letter.item, letter.state),
        format!("died {} after {} attempts, last with {}", letter.died_at, letter.attempts, letter.by),
        format!("reason: {}", letter.reason),
        format!("fingerprint: {}", letter.fingerprint),
    ];
    lines.extend(letter.note.iter().map(|note| format!("note: {note}")));
    lines.push(format!("payload: {}", letter.payload));
    lines.extend(letter.history.iter().map(|entry| format!("then {entry}")));
    lines.iter().map(|line| quorate_catalog::text::harmless(line)).collect::<Vec<_>>().join("\n")
}
