//! Faults of the store: what went wrong, in which operation, and what to do next.
//!
//! A refusal by a script is an answer and never comes through here (DESIGN D11); an [`Error`] is a server that is
//! away, unwilling or out of order, or a call that could never work. The kinds with their codes, their retry rule
//! and their advice are one table, `error/kind.rs`; `error/classify.rs` turns what a server said into a kind.
//! Text that came from outside is escaped here, once, so that no caller has to remember it.

mod classify;
mod kind;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

pub use kind::{ErrorKind, Retry};

/// What every operation of this crate returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Longer texts are cut: a server repeats what it was sent, and that may be megabytes.
const DETAIL_CHARS: usize = 300;

/// A fault with its kind, its operation and an escaped detail.
#[derive(Clone)]
pub struct Error {
    kind: ErrorKind,
    op: Cow<'static, str>,
    detail: String,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// A fault found on this side; `detail` is escaped and cut.
    pub fn new(kind: ErrorKind, op: impl Into<Cow<'static, str>>, detail: impl AsRef<str>) -> Self {
        Self { kind, op: op.into(), detail: escape(detail.as_ref()), source: None }
    }

    /// What kind of fault it is; match on this.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The stable code, `STORE001` and so on.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The command or script that failed.
    pub fn op(&self) -> &str {
        &self.op
    }

    /// What was found, safe to print: control characters are escaped and secrets were never in it.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// One sentence on what to do next.
    pub fn advice(&self) -> &'static str {
        self.kind.advice()
    }

    pub(crate) fn with_op(mut self, op: &str) -> Self {
        self.op = Cow::Owned(op.to_owned());
        self
    }

    pub(crate) fn with_source(mut self, source: Arc<dyn std::error::Error + Send + Sync>) -> Self {
        self.source = Some(source);
        self
    }

    /// The same fault seen as another kind, as when a lost reply turns into an unknown outcome.
    pub(crate) fn turned(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// Takes a secret out of the detail. Servers do not repeat passwords today; a future one might.
    pub(crate) fn without(mut self, secret: Option<&str>) -> Self {
        if let Some(secret) = secret.filter(|secret| secret.len() > 3) {
            self.detail = self.detail.replace(&escape(secret), "***");
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.code(), self.op, self.kind.title())?;
        if !self.detail.is_empty() {
            write!(f, " ({})", self.detail)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

pub(crate) fn escape(text: &str) -> String {
    quorate_catalog::text::shortened(text, DETAIL_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_cannot_move_the_cursor_or_grow_without_bound() {
        let error =
            Error::new(ErrorKind::Rejected, "GET", format!("\x1b[2J\r\n\u{202e}{}", "x".repeat(5000)));
        assert!(
            error
                .to_string()
                .starts_with("STORE027 GET: the server refused the call (\\u{1b}[2J\\u{d}\\u{a}\\u{202e}x")
        );
        assert!(error.to_string().chars().count() < 400);
    }

    #[test]
    fn a_secret_in_a_detail_is_taken_out() {
        let error =
            Error::new(ErrorKind::Rejected, "AUTH", "bad: hunter22 was wrong").without(Some("hunter22"));
        assert_eq!(error.detail(), "bad: *** was wrong");
    }
}
