//! `quorate queues`: what is to be done.

use clap::Subcommand;
use quorate_plane::Plane;
use quorate_plane::queues::{Item, Token};
use serde_json::{Value, json};

use crate::args::Global;
use crate::commands::locks::Actor;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::plane;

mod ack;
mod claim;
mod extend;
mod ls;
mod nack;
mod pause;
mod push;
mod show;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Puts an item on a queue.
    Push(push::Args),
    /// Takes items under a lease, from the most urgent of some queues.
    Claim(claim::Args),
    /// Says that an item is done.
    Ack(Claimed),
    /// Says that an attempt failed; the item comes again after a while, or goes to the dead letters.
    Nack(nack::Args),
    /// Takes more time for an item.
    Extend(extend::Args),
    /// Lists the queues.
    Ls(ls::Args),
    /// Shows one queue: how much waits, since when, and who works on it.
    Show(show::Args),
    /// Stops a queue from giving out items.
    Pause(pause::Args),
    /// Lets a paused queue go on.
    Resume(pause::Args),
}

/// Which claim, and whose.
#[derive(Debug, clap::Args)]
pub(crate) struct Claimed {
    /// The token that the claim gave.
    #[arg(value_name = "TOKEN")]
    token: Token,
    #[command(flatten)]
    actor: Actor,
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Push(args) => push::run(&plane, &args).await,
        Verb::Claim(args) => claim::run(&plane, &args).await,
        Verb::Ack(args) => ack::run(&plane, &args).await,
        Verb::Nack(args) => nack::run(&plane, &args).await,
        Verb::Extend(args) => extend::run(&plane, &args).await,
        Verb::Ls(args) => ls::run(&plane, &args).await,
        Verb::Show(args) => show::run(&plane, &args).await,
        Verb::Pause(args) => pause::run(&plane, &args, true).await,
        Verb::Resume(args) => pause::run(&plane, &args, false).await,
    }
}

/// What is said of a claimed item.
fn item(item: &Item) -> Value {
    let mut json = json!({
        "id": item.id,
        "token": item.token.to_string(),
        "payload": item.text(),
        "attempt": item.attempt,
        "queue": item.token.queue.name(),
        "lease_until": item.lease_until.iso(),
    });
    if std::str::from_utf8(&item.payload).is_err() {
        // Bytes of a foreign client that are no text: all of them, for programs.
        json["payload_bytes"] = item.payload.clone().into();
    }
    json
}

/// The answer to a token that does not count any more.
fn stale(token: &Token) -> Answer {
    let reason = "the lease ran out, or the item was already answered";
    let next = "stop: another worker may have it; claim again";
    let json = json!({ "outcome": "stale", "code": "stale_claim", "token": token.to_string(), "reason": reason, "next": next });
    Answer { exit: Exit::Refused as u8, ..Answer::new(json, View::Text(format!("stale: {reason} ({next})"))) }
}

fn done(word: &str, token: &Token) -> Answer {
    Answer::new(json!({ "outcome": word, "token": token.to_string() }), View::Text(format!("{word} {token}")))
}
