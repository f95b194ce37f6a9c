//! One request as it goes over a connection: a command, or a pipeline of them.

use std::borrow::Cow;

use redis::aio::MultiplexedConnection;
use redis::{Cmd, Pipeline, RedisResult, Value};

use crate::command::{self, KeyAt};
use crate::error::{Error, ErrorKind, Result};
use crate::slot::slot;

#[derive(Clone, Copy)]
pub(crate) enum Packet<'a> {
    One(&'a Cmd),
    Many(&'a Pipeline),
}

impl Packet<'_> {
    pub(crate) async fn send(&self, connection: &mut MultiplexedConnection) -> RedisResult<Value> {
        match self {
            Self::One(cmd) => cmd.query_async(connection).await,
            Self::Many(pipeline) => pipeline.query_async(connection).await,
        }
    }

    pub(crate) fn name(&self) -> Cow<'static, str> {
        match self {
            Self::One(cmd) => Cow::Owned(command::name(cmd)),
            Self::Many(_) => Cow::Borrowed("PIPELINE"),
        }
    }

    pub(crate) fn only_reads(&self) -> bool {
        match self {
            Self::One(cmd) => command::only_reads(cmd),
            Self::Many(pipeline) => pipeline.cmd_iter().all(command::only_reads),
        }
    }

    /// Whether a refusal of the whole means that nothing was done. Of a pipeline a part may have been done.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self, Self::One(_))
    }

    /// The slot of a cluster that answers this, or `None` if any node can.
    pub(crate) fn slot(&self) -> Result<Option<u16>> {
        match self {
            Self::One(cmd) => slot_of(cmd),
            Self::Many(pipeline) => {
                pipeline.cmd_iter().try_fold(None, |known, cmd| same(known, slot_of(cmd)?))
            }
        }
    }
}

fn slot_of(cmd: &Cmd) -> Result<Option<u16>> {
    if command::key_at(cmd) == KeyAt::Node {
        let why = "it is about one node; on a cluster ask every master (Store::each_master, Store::scan)";
        return Err(Error::new(ErrorKind::InvalidArgument, command::name(cmd), why));
    }
    Ok(command::key(cmd).map(slot))
}

fn same(known: Option<u16>, next: Option<u16>) -> Result<Option<u16>> {
    match (known, next) {
        (Some(known), Some(next)) if known != next => {
            Err(Error::new(ErrorKind::CrossSlot, "PIPELINE", "a pipeline on a cluster must stay in one slot"))
        }
        _ => Ok(known.or(next)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipeline(keys: &[&str]) -> Pipeline {
        let mut pipeline = redis::pipe();
        for key in keys {
            pipeline.cmd("GET").arg(*key);
        }
        pipeline
    }

    #[test]
    fn a_pipeline_has_a_slot_only_if_its_keys_share_one() {
        assert_eq!(Packet::Many(&pipeline(&["{a}1", "{a}2"])).slot().unwrap(), Some(slot(b"a")));
        assert_eq!(Packet::Many(&pipeline(&["a", "b"])).slot().unwrap_err().kind(), ErrorKind::CrossSlot);
    }

    #[test]
    fn a_command_about_one_node_has_no_place_in_a_cluster() {
        assert_eq!(Packet::One(&redis::cmd("DBSIZE")).slot().unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(Packet::One(&redis::cmd("PING")).slot().unwrap(), None);
    }
}
