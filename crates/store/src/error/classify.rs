//! From what the client library or a server said to a kind.
//!
//! Redis names most faults by the first word of the reply; the rest hide behind `ERR` and are told apart by their
//! text. Of a server's text only what cannot hold arguments is kept: `unknown command` replies repeat what was sent,
//! and that may be a password.

use std::sync::Arc;

use redis::{ErrorKind as Client, RedisError, ServerError};

use super::{Error, ErrorKind};

/// Texts behind `ERR` that name a kind; the first that occurs wins.
const TEXTS: &[(&str, ErrorKind)] = &[
    ("unknown command", ErrorKind::UnknownCommand),
    ("unknown subcommand", ErrorKind::UnknownCommand),
    ("invalid username-password pair", ErrorKind::WrongPass),
    ("invalid password", ErrorKind::WrongPass),
    ("user_script:", ErrorKind::ScriptFault),
    ("compiling script", ErrorKind::ScriptFault),
    ("unexpected engine in script shebang", ErrorKind::UnknownCommand),
    ("script attempted to access", ErrorKind::ScriptFault),
];

/// What a server adds to `unknown command`: arguments, which are nobody's business in a log.
const ARGUMENTS: &str = ", with args beginning with";

impl Error {
    /// A fault reported by the client library, before anybody knows which operation it was.
    pub(crate) fn from_redis(error: &RedisError) -> Self {
        let (code, text) = words(error);
        let fault = Self::new(kind_of(error, &code, &text), "", describe(&code, &text));
        if error.is_io_error() { fault.with_source(Arc::new(error.clone())) } else { fault }
    }
}

fn words(error: &RedisError) -> (String, String) {
    let server = error.clone().into_server_errors().and_then(|errors| errors.first().map(|(_, e)| e.clone()));
    match server {
        // The replies of a discarded transaction say why; that it was discarded is the kind.
        Some(server) if error.code() == Some("EXECABORT") => {
            ("EXECABORT".to_owned(), format!("{} {}", server.code(), text_of(&server)))
        }
        Some(server) => (server.code().to_owned(), text_of(&server)),
        None => (error.code().unwrap_or_default().to_owned(), error.to_string()),
    }
}

fn text_of(server: &ServerError) -> String {
    let text = server.details().unwrap_or_default();
    text.split(ARGUMENTS).next().unwrap_or_default().to_owned()
}

fn describe(code: &str, text: &str) -> String {
    if code.is_empty() { text.to_owned() } else { format!("{code} {text}") }
}

fn kind_of(error: &RedisError, code: &str, text: &str) -> ErrorKind {
    match error.kind() {
        Client::Io | Client::ClusterConnectionNotFound | Client::MasterNameNotFoundBySentinel => {
            ErrorKind::Unreachable
        }
        Client::AuthenticationFailed => ErrorKind::WrongPass,
        Client::Parse | Client::UnexpectedReturnType => ErrorKind::Protocol,
        Client::InvalidClientConfig | Client::Client => ErrorKind::InvalidArgument,
        Client::RESP3NotSupported => ErrorKind::UnknownCommand,
        _ => of_reply(code, text),
    }
}

fn of_reply(code: &str, text: &str) -> ErrorKind {
    let lower = text.to_ascii_lowercase();
    let by_text = || TEXTS.iter().find(|(part, _)| lower.contains(part)).map(|(_, kind)| *kind);
    ErrorKind::of_prefix(code).or_else(by_text).unwrap_or(ErrorKind::Rejected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(reply: &str) -> ErrorKind {
        fault(reply).kind()
    }

    fn fault(reply: &str) -> Error {
        let value = redis::parse_redis_value(format!("-{reply}\r\n").as_bytes()).unwrap();
        Error::from_redis(&value.extract_error().unwrap_err())
    }

    /// Replies as Redis 7.0 and Valkey 9.1 word them; the ones a test can provoke are provoked in tests/errors.rs.
    #[test]
    fn replies_are_known_by_their_words() {
        for (reply, expected) in [
            ("NOAUTH Authentication required.", ErrorKind::NoAuth),
            ("WRONGPASS invalid username-password pair or user is disabled.", ErrorKind::WrongPass),
            ("NOPERM User x has no permissions to run the 'get' command", ErrorKind::NoPerm),
            ("READONLY You can't write against a read only replica.", ErrorKind::ReadOnly),
            ("LOADING Redis is loading the dataset in memory", ErrorKind::Loading),
            ("BUSY Redis is busy running a script.", ErrorKind::Busy),
            ("MISCONF Redis is configured to save RDB snapshots, but", ErrorKind::Misconf),
            ("OOM command not allowed when used memory > 'maxmemory'.", ErrorKind::OutOfMemory),
            ("NOSCRIPT No matching script.", ErrorKind::NoScript),
            ("MOVED 3999 127.0.0.1:6381", ErrorKind::Moved),
            ("ASK 3999 127.0.0.1:6381", ErrorKind::Ask),
            ("CLUSTERDOWN Hash slot not served", ErrorKind::ClusterDown),
            ("TRYAGAIN Multiple keys request during rehashing of slot", ErrorKind::TryAgain),
            ("CROSSSLOT Keys in request don't hash to the same slot", ErrorKind::CrossSlot),
            ("NOREPLICAS Not enough good replicas to write.", ErrorKind::NoReplicas),
            ("MASTERDOWN Link with MASTER is down", ErrorKind::MasterDown),
            ("UNKILLABLE Sorry the script already executed write commands", ErrorKind::Unkillable),
            ("WRONGTYPE Operation against a key holding the wrong kind of value", ErrorKind::WrongType),
            ("EXECABORT Transaction discarded because of previous errors.", ErrorKind::ExecAbort),
            (
                "ERR unknown command 'HEXPIRE', with args beginning with: 'k' 'hunter22'",
                ErrorKind::UnknownCommand,
            ),
            (
                "ERR user_script:3: attempt to index a nil value script: 1f, on @user_script:3.",
                ErrorKind::ScriptFault,
            ),
            ("ERR value is not an integer or out of range", ErrorKind::Rejected),
            ("ARGUMENT limit is not an integer", ErrorKind::InvalidArgument),
        ] {
            assert_eq!(kind(reply), expected, "{reply}");
        }
    }

    #[test]
    fn arguments_that_a_server_repeats_are_dropped() {
        let fault = fault("ERR unknown command 'HELLO', with args beginning with: 'AUTH' 'hunter22'");
        assert_eq!(fault.detail(), "ERR unknown command 'HELLO'");
    }
}
