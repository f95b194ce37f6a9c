//! `quorate agents`: who is here.

use clap::Subcommand;
use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_plane::json::Object;
use quorate_verbs::said::{Blob, Said};

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod deregister;
mod drain;
mod epoch;
mod heartbeat;
mod ls;
mod register;
mod revoke;
mod show;
mod update;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Register(register::Args),
    /// Says that an agent is alive, and asks what waits for it.
    Heartbeat(heartbeat::Args),
    Ls(ls::Args),
    /// Shows one agent.
    Show(show::Args),
    /// Changes task, status or blob of an agent.
    Update(update::Args),
    /// Lets an agent finish what it has and take nothing new.
    Drain(drain::Args),
    /// Ends an agent's session.
    Deregister(deregister::Args),
    Revoke(revoke::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    match verb {
        Verb::Register(args) => register::run(global, args).await,
        Verb::Heartbeat(args) => heartbeat::run(global, &args).await,
        Verb::Ls(args) => ls::run(global, args).await,
        Verb::Show(args) => show::run(global, &args).await,
        Verb::Update(args) => update::run(global, args).await,
        Verb::Drain(args) => drain::run(global, &args).await,
        Verb::Deregister(args) => deregister::run(global, &args).await,
        Verb::Revoke(args) => revoke::run(global, &args).await,
    }
}

/// A name is checked before anything is connected to.
fn agent(text: &str) -> Result<Said<AgentId>, Failure> {
    AgentId::parse(text).map(Said).map_err(Failure::bad_input)
}

/// An object given on the command line; it may be long, so it is not repeated in the message.
fn object(flag: &str, text: &str) -> Result<Blob, Failure> {
    Object::parse(text).map(Blob).map_err(|why| Failure::bad_input(format!("{flag}: {why}")))
}

async fn connect(global: &Global) -> Result<Plane, Failure> {
    Ok(Plane::new(plane::connect(global).await?)?)
}
