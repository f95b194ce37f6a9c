//! Waiting for servers to agree: a condition that is asked again until it holds or the time is over.

use std::time::{Duration, Instant};

use crate::{Error, Result};

/// A condition that fails with an error is one that does not hold yet: servers come and go while they agree.
pub(crate) fn until<E>(
    what: &str,
    limit: Duration,
    mut condition: impl FnMut() -> std::result::Result<bool, E>,
) -> Result<()> {
    let deadline = Instant::now() + limit;
    while !condition().unwrap_or(false) {
        if Instant::now() >= deadline {
            return Err(Error::TooSlow { what: format!("{what} has not come about"), limit });
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// One field of an INFO or CLUSTER INFO answer.
pub(crate) fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
}
