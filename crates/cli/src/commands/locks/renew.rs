//! `quorate locks renew RES --agent ID --token N`.

use std::time::Duration;

use quorate_plane::locks::Resource;
use quorate_plane::{Outcome, Plane};
use serde_json::json;

use super::{Actor, grant};
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, refusal};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The lock.
    #[arg(value_name = "RES")]
    on: Resource,
    #[command(flatten)]
    actor: Actor,
    /// The token of the hold.
    #[arg(long, env = "QUORATE_TOKEN", value_name = "N")]
    token: u64,
    /// How long it lasts from now [default: as long as it was taken for].
    #[arg(long, value_parser = duration::ttl)]
    ttl: Option<Duration>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let Actor { agent, epoch } = &args.actor;
    Ok(match plane.locks().renew(&args.on, agent, *epoch, args.token, args.ttl).await? {
        Outcome::Done(hold) => {
            let mut json = grant(&args.on, &hold);
            json["outcome"] = "renewed".into();
            Answer::new(json, View::Text(format!("renewed {} until {}", args.on, hold.expires_at.iso())))
        }
        Outcome::Refused(why) => refusal::answer(&why, &json!({ "lock": args.on.to_string() })),
    })
}
