//! The one table of store faults: code, title, the prefixes by which a server names it, retry rule, advice.
//!
//! Everything that must know a kind reads it from here: classification, the retry loop, `docs/errors`, the HTTP
//! mapping. The table is a macro so that a kind without a code or without advice does not compile.

/// What may follow a fault of a kind. The retry loop in `call.rs` is its only automatic reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Retry {
    /// The server did nothing and says where to go: repeat at once.
    Now,
    /// The server did nothing and will be ready by itself: repeat after a pause.
    Later,
    /// The connection is of no use any more: repeat on another one.
    Reconnect,
    /// The server lacks the script: send its text, once.
    Reload,
    /// Repeating changes nothing until somebody acts.
    Never,
}

macro_rules! kinds {
    ($($name:ident $code:literal $title:literal [$($prefix:literal)*] $retry:ident $advice:literal;)*) => {
        /// What kind of fault it is: copy it, match on it, expect more of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ErrorKind { $(#[doc = $title] $name,)* }

        impl ErrorKind {
            /// Every kind, in the order of its code.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The stable code. A code is never reused for something else.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// The kind in a few words, as it reads after "operation:".
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// What may follow.
            pub const fn retry(self) -> Retry {
                match self { $(Self::$name => Retry::$retry,)* }
            }

            /// One sentence on what to do next.
            pub const fn advice(self) -> &'static str {
                match self { $(Self::$name => $advice,)* }
            }

            /// The kind a server means by the first word of an error reply.
            pub fn of_prefix(prefix: &str) -> Option<Self> {
                match prefix { $($($prefix => Some(Self::$name),)*)* _ => None }
            }
        }
    };
}

kinds! {
    Unreachable "STORE001" "the server cannot be reached" [] Reconnect
        "Check that the server runs and that the URL names it; nothing was sent, so the call may be repeated.";
    TimedOut "STORE002" "no reply in time" [] Reconnect
        "Check the server's load and the network; the call only reads or is safe to repeat, so repeat it.";
    UnknownOutcome "STORE003" "the reply was lost, so the change may or may not have happened" [] Never
        "Read the state before repeating the change, or make the call with a request id, which makes repeating safe.";
    NoAuth "STORE004" "the server wants a password" ["NOAUTH"] Never
        "Put the user and the password into the URL (redis://user:password@host).";
    WrongPass "STORE005" "the server does not accept the user or the password" ["WRONGPASS"] Never
        "Correct the credentials in the URL; special characters in them must be percent-encoded.";
    NoPerm "STORE006" "the server's access rules forbid the call" ["NOPERM"] Never
        "Give this user the command or the key that the server names, with ACL SETUSER.";
    ReadOnly "STORE007" "the server is a replica and takes no writes" ["READONLY"] Reconnect
        "Point the URL at the master, or use the redis+sentinel:// form, which follows it.";
    Loading "STORE008" "the server is still loading its data" ["LOADING"] Later
        "Wait until the server has loaded its data and repeat the call; nothing was changed.";
    Busy "STORE009" "the server is busy with a long script" ["BUSY"] Later
        "Wait for the script, or end it with SCRIPT KILL; nothing was changed.";
    Misconf "STORE010" "the server refuses writes because it cannot save them" ["MISCONF"] Never
        "Free disk space or repair the server's persistence (see its log), then repeat the call.";
    OutOfMemory "STORE011" "the server is full" ["OOM"] Never
        "Raise maxmemory or let work drain (acknowledge, release and delete still work), then repeat the call.";
    NoScript "STORE012" "the server has forgotten the script" ["NOSCRIPT"] Reload
        "Repeat the call; the script is sent along.";
    Moved "STORE013" "the key lives on another node" ["MOVED"] Now
        "Use the redis+cluster:// form of the URL, which follows moved keys.";
    Ask "STORE014" "the key is on its way to another node" ["ASK"] Now
        "Use the redis+cluster:// form of the URL, which follows moving keys.";
    ClusterDown "STORE015" "the cluster does not serve this slot" ["CLUSTERDOWN"] Later
        "Wait for the failover to end, or repair the cluster (CLUSTER INFO), and repeat the call.";
    TryAgain "STORE016" "the keys are being moved between nodes" ["TRYAGAIN"] Later
        "Repeat the call when the slot has been moved; nothing was changed.";
    CrossSlot "STORE017" "the keys of one call live in different slots" ["CROSSSLOT"] Never
        "Use the tagged layout on a cluster, so that the keys of one script share a slot.";
    NoReplicas "STORE018" "the server has too few replicas to take writes" ["NOREPLICAS"] Later
        "Bring the replicas back, or lower min-replicas-to-write, and repeat the call.";
    MasterDown "STORE019" "the replica has lost its master" ["MASTERDOWN"] Later
        "Wait for the failover to end and repeat the call.";
    Unkillable "STORE020" "the running script has written and cannot be ended" ["UNKILLABLE"] Never
        "Wait for the script to end; ending the server now would lose data.";
    WrongType "STORE021" "a key holds another type than the catalog says" ["WRONGTYPE"] Never
        "Run `quorate fsck`, which lists keys of the wrong type, and move this one aside if a foreign client made it.";
    ExecAbort "STORE022" "the transaction was discarded" ["EXECABORT"] Never
        "Correct the command named in the detail; none of the transaction was done.";
    UnknownCommand "STORE023" "the server does not know the command" [] Never
        "Use a server of at least Redis 7.0 or Valkey 7.2, and check that the command is not renamed away.";
    Protocol "STORE024" "the reply cannot be understood" [] Never
        "Check that the URL names a Redis or Valkey server and that the key holds what the catalog says.";
    ScriptFault "STORE025" "a script failed inside the server" [] Never
        "Report it with the code and the detail: a script must check before it writes.";
    InvalidArgument "STORE026" "the call could never work" ["ARGUMENT"] Never
        "Correct the argument named in the detail.";
    Rejected "STORE027" "the server refused the call" [] Never
        "Read the server's own words in the detail.";
    Changed "STORE028" "it has changed since it was read" ["CHANGED"] Never
        "Read it again and decide anew; nothing was changed.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_distinct_and_run_in_order() {
        let codes: BTreeSet<_> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes.len(), ErrorKind::ALL.len());
        let in_order: Vec<_> = (1..=ErrorKind::ALL.len()).map(|n| format!("STORE{n:03}")).collect();
        assert_eq!(codes.into_iter().collect::<Vec<_>>(), in_order);
    }

    #[test]
    fn every_kind_says_what_to_do_in_one_sentence() {
        for kind in ErrorKind::ALL {
            let advice = kind.advice();
            assert!(advice.ends_with('.') && !advice.contains(". "), "{kind:?}: {advice}");
        }
    }
}
