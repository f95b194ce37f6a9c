//! Waits until a server answers.
//!
//! A server that is loading its store answers LOADING, for as long as that takes: the limit is for a server that
//! says nothing at all, so a large store never looks like a failure.

use std::time::{Duration, Instant};

use crate::resp::{Client, Error};

/// Between two attempts. A start takes about 40 ms, so this is lost in it.
const PAUSE: Duration = Duration::from_millis(5);

#[derive(Debug)]
pub(crate) enum NotReady {
    /// The process has ended.
    Gone,
    /// The server gave no answer within the limit; the text is the last failure.
    Silent(String),
}

/// `connect` opens a connection and authenticates; `gone` says whether the process has ended.
pub(crate) fn wait(
    connect: impl Fn() -> Result<Client, Error>,
    gone: impl Fn() -> bool,
    limit: Duration,
) -> Result<(), NotReady> {
    let mut deadline = Instant::now() + limit;
    loop {
        match connect().and_then(|mut client| client.call(&["PING"])) {
            Ok(_) => return Ok(()),
            Err(Error::Refused(text)) if text.starts_with("LOADING") => deadline = Instant::now() + limit,
            Err(e) if Instant::now() >= deadline => return Err(NotReady::Silent(e.to_string())),
            Err(_) => {}
        }
        if gone() {
            return Err(NotReady::Gone);
        }
        std::thread::sleep(PAUSE);
    }
}
