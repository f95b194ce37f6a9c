//! What must be known of a command before it is sent: does it only read, and where is its key.
//!
//! The first decides whether a lost reply may be answered by sending again, the second to which node of a cluster it
//! goes. The client crate keeps its own routing table private and repeats writes whose reply was lost, so both facts
//! are here. A command that is not listed counts as a write whose first argument is a key.

use redis::{Arg, Cmd};

/// Where a command has its first key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyAt {
    /// At this argument; the command's name is argument 0.
    Arg(usize),
    /// After the word STREAMS.
    Streams,
    /// It has no key, and any one node can answer it.
    Nowhere,
    /// It is about a whole node, so in a cluster one node's answer would be a part that looks like the whole.
    Node,
}

/// Written as one text because a list would take a line for each.
const READS: &str = "
    BITCOUNT BITPOS DBSIZE DUMP ECHO EVALSHA_RO EVAL_RO EXISTS EXPIRETIME GET GETBIT GETRANGE
    HEXISTS HGET HGETALL HKEYS HLEN HMGET HPTTL HRANDFIELD HSCAN HSTRLEN HTTL HVALS INFO KEYS LCS
    LINDEX LLEN LPOS LRANGE MEMORY MGET OBJECT PEXPIRETIME PING PTTL PUBSUB RANDOMKEY ROLE SCAN
    SCARD SDIFF SINTER SINTERCARD SISMEMBER SMEMBERS SMISMEMBER SRANDMEMBER SSCAN STRLEN SUNION TIME
    TTL TYPE WAIT XINFO XLEN XPENDING XRANGE XREAD XREVRANGE ZCARD ZCOUNT ZDIFF ZINTER ZINTERCARD
    ZLEXCOUNT ZMSCORE ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREVRANGE ZREVRANGEBYSCORE
    ZREVRANK ZSCAN ZSCORE ZUNION
";

const KEYS: &[(KeyAt, &str)] = &[
    (KeyAt::Arg(2), "BITOP LMPOP MEMORY OBJECT SINTERCARD XGROUP XINFO ZDIFF ZINTER ZINTERCARD ZMPOP ZUNION"),
    (KeyAt::Arg(3), "BLMPOP BZMPOP EVAL EVALSHA EVALSHA_RO EVAL_RO FCALL FCALL_RO"),
    (KeyAt::Streams, "XREAD XREADGROUP"),
    (KeyAt::Nowhere, "ACL CLUSTER COMMAND ECHO INFO PING PUBLISH PUBSUB ROLE TIME"),
    (KeyAt::Node, "CLIENT CONFIG DBSIZE FLUSHALL FLUSHDB KEYS RANDOMKEY SCAN SCRIPT WAIT"),
];

/// The command's name in capitals, or a placeholder for what is none: an operation's name goes into messages.
pub(crate) fn name(cmd: &Cmd) -> String {
    let name = argument(cmd, 0).unwrap_or_default();
    let plain = !name.is_empty()
        && name.len() <= 32
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte));
    if plain { String::from_utf8_lossy(name).to_ascii_uppercase() } else { "COMMAND".to_owned() }
}

/// Whether sending the command twice has the effect of sending it once.
pub(crate) fn only_reads(cmd: &Cmd) -> bool {
    is_read(&name(cmd))
}

fn is_read(name: &str) -> bool {
    READS.split_ascii_whitespace().any(|read| read == name)
}

/// Whether a script that sends this command changes keys by it.
pub(crate) fn writes(name: &str) -> bool {
    !is_read(name) && !matches!(name, "PUBLISH" | "SPUBLISH")
}

pub(crate) fn key_at(cmd: &Cmd) -> KeyAt {
    let name = name(cmd);
    let listed = KEYS.iter().find(|(_, names)| names.split(' ').any(|known| known == name));
    match listed {
        Some((KeyAt::Arg(3), _)) if argument(cmd, 2) == Some(b"0") => KeyAt::Nowhere,
        Some((at, _)) => *at,
        None => KeyAt::Arg(1),
    }
}

/// The first key, if the command has one.
pub(crate) fn key(cmd: &Cmd) -> Option<&[u8]> {
    match key_at(cmd) {
        KeyAt::Arg(index) => argument(cmd, index),
        KeyAt::Streams => arguments(cmd).skip_while(|word| !word.eq_ignore_ascii_case(b"STREAMS")).nth(1),
        KeyAt::Nowhere | KeyAt::Node => None,
    }
}

fn argument(cmd: &Cmd, index: usize) -> Option<&[u8]> {
    arguments(cmd).nth(index)
}

fn arguments(cmd: &Cmd) -> impl Iterator<Item = &[u8]> {
    cmd.args_iter().map(|arg| if let Arg::Simple(bytes) = arg { bytes } else { b"0" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cmd(words: &str) -> Cmd {
        let mut words = words.split(' ');
        let mut cmd = redis::cmd(words.next().unwrap());
        words.for_each(|word| {
            cmd.arg(word);
        });
        cmd
    }

    #[test]
    fn keys_are_found_where_the_command_has_them() {
        for (words, expected) in [
            ("get a", Some("a")),
            ("EVALSHA 1f 2 a b c", Some("a")),
            ("EVALSHA 1f 0 c", None),
            ("XREADGROUP GROUP g c COUNT 1 streams a b > >", Some("a")),
            ("XGROUP CREATE a g $", Some("a")),
            ("PUBLISH ch m", None),
            ("SCAN 0", None),
            ("SOMETHING.NEW a", Some("a")),
        ] {
            assert_eq!(key(&cmd(words)), expected.map(str::as_bytes), "{words}");
        }
    }

    #[test]
    fn what_is_not_listed_counts_as_a_write() {
        assert!(only_reads(&cmd("hget a b")));
        for write in [
            "SET a b",
            "XREADGROUP GROUP g c STREAMS a >",
            "EVALSHA 1f 0",
            "SOMETHING.NEW a",
            "GETDEL a",
            "BLPOP a 0",
        ] {
            assert!(!only_reads(&cmd(write)), "{write}");
        }
    }

    #[test]
    fn a_hostile_command_name_is_not_repeated() {
        assert_eq!(name(&redis::cmd("\x1b[2J")), "COMMAND");
    }
}
