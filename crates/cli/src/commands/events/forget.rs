//! `quorate events forget STREAM GROUP`.

use quorate_plane::Plane;
use quorate_plane::events::Stream;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which stream.
    stream: Stream,
    /// The group; what it had not read or acknowledged is no longer kept for it.
    group: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let known = plane.events().groups(Some(args.stream)).await?;
    if !known.iter().any(|group| group.group == args.group) {
        return Err(Failure::not_found(format!("{} has no group {}", args.stream, args.group)));
    }
    plane.events().drop_group(args.stream, &args.group).await?;
    let json = json!({ "outcome": "forgotten", "stream": args.stream.name(), "group": args.group });
    Ok(Answer::new(json, View::Text(format!("{} holds nothing back any more", args.group))))
}
