//! `quorate messages read ID`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_verbs::Actor;
use quorate_verbs::messages::Read;
use quorate_verbs::said::{Said, Within};

use super::table;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whose inbox.
    id: AgentId,
    /// Its epoch; a read of an earlier incarnation is refused.
    #[arg(long, env = "QUORATE_EPOCH", value_name = "N")]
    epoch: Option<u64>,
    /// Most messages to read.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Leave out those that were read before and not acknowledged.
    #[arg(long)]
    unread: bool,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Read {
        actor: Actor { agent: Said(args.id.clone()), epoch: args.epoch },
        limit: Some(Within(args.limit.into())),
        unread: args.unread,
    };
    ask(plane, &verb, |inbox| table(&inbox.messages)).await
}
