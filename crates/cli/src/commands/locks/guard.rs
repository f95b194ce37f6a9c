//! `quorate locks guard RES --token N -- WRITE…`.

use quorate_plane::Plane;
use quorate_plane::locks::Resource;
use quorate_verbs::locks::{Guard, Written};
use quorate_verbs::said::Said;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

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
    let verb = Guard { lock: Said(args.on.clone()), token: args.token, write: args.write.clone() };
    ask(plane, &verb, |written| View::Text(text(written))).await
}

fn text(written: &Written) -> String {
    let reply = written.reply.as_deref().unwrap_or("nil");
    if written.outcome == "unchanged" { format!("unchanged: {reply}") } else { reply.to_owned() }
}
