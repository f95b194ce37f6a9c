//! `quorate locks guard RES --token N -- WRITE…`.

use quorate_plane::locks::Resource;
use quorate_plane::{Outcome, Plane};
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The lock.
    #[arg(value_name = "RES")]
    on: Resource,
    /// The token of the hold.
    #[arg(long, env = "QUORATE_TOKEN", value_name = "N")]
    token: u64,
    /// One write on one key, such as `SET key value`.
    #[arg(last = true, required = true, value_name = "WRITE")]
    write: Vec<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    Ok(match plane.locks().guard(&args.on, args.token, &args.write).await? {
        Outcome::Done(reply) => {
            Answer::new(json!({ "outcome": "written", "reply": reply }), View::Text(reply))
        }
        Outcome::Refused(why) => refusal::answer(&why, &json!({ "lock": args.on.to_string() })),
    })
}
