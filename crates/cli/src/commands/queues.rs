//! `quorate queues`: what is to be done.

use clap::Subcommand;
use quorate_plane::Plane;
use quorate_plane::queues::Token;
use quorate_verbs::queues::Tokens;
use quorate_verbs::said::Said;

use crate::args::Global;
use crate::commands::locks::Actor;
use crate::failure::Failure;
use crate::out::Answer;
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

impl Claimed {
    fn tokens(&self) -> Tokens {
        Tokens { token: Some(Said(self.token.clone())), tokens: Vec::new() }
    }
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Push(args) => push::run(&plane, args).await,
        Verb::Claim(args) => claim::run(&plane, &args).await,
        Verb::Ack(args) => ack::run(&plane, &args).await,
        Verb::Nack(args) => nack::run(&plane, args).await,
        Verb::Extend(args) => extend::run(&plane, &args).await,
        Verb::Ls(args) => ls::run(&plane, &args).await,
        Verb::Show(args) => show::run(&plane, &args).await,
        Verb::Pause(args) => pause::pause(&plane, args).await,
        Verb::Resume(args) => pause::resume(&plane, args).await,
    }
}
