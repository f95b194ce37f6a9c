//! The only place where xtask speaks to the terminal: progress is talk, so all of it goes to stderr.

#![expect(clippy::print_stderr, reason = "this is the module through which xtask speaks")]

/// What was done or is being done.
pub(crate) fn info(message: &str) {
    eprintln!("{message}");
}

/// What went wrong and what to do next.
pub(crate) fn error(message: &str) {
    eprintln!("error: {message}");
}
