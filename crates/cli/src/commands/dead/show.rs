//! `quorate dead show ID`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::Plane;

use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The letter.
    #[arg(value_name = "ID")]
    id: DeadLetterId,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let Some(letter) = plane.dead_letters().show(&args.id).await? else {
        return Err(Failure::not_found(format!("there is no dead letter {}", args.id)));
    };
    let mut lines = vec![
        format!("{} from {} (item {}), {}", letter.id, letter.source, letter.item, letter.state),
        format!("died {} after {} attempts, last with {}", letter.died_at, letter.attempts, letter.by),
        format!("reason: {}", letter.reason),
        format!("fingerprint: {}", letter.fingerprint),
    ];
    lines.extend(letter.note.iter().map(|note| format!("note: {note}")));
    lines.push(format!("payload: {}", letter.payload));
    lines.extend(letter.history.iter().map(|entry| format!("then {entry}")));
    let text: Vec<String> = lines.iter().map(|line| quorate_catalog::text::harmless(line)).collect();
    let json = serde_json::to_value(&letter).map_err(|error| Failure::new(Exit::Fault, error.to_string()))?;
    Ok(Answer::new(json, View::Text(text.join("\n"))))
}
