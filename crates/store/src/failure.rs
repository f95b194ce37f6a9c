//! How one attempt failed, in the terms that decide whether it may be repeated.

use crate::error::{Error, ErrorKind};

/// Whether sending a request twice has the effect of sending it once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// It only reads, or is idempotent, or carries a request id that the script remembers.
    Repeatable,
    /// A second delivery may be a second effect.
    Once,
}

#[derive(Debug)]
pub(crate) enum Failure {
    /// It never left: there was no connection.
    NotSent(Error),
    /// It left, and the connection broke before a reply.
    Broken(Error),
    /// It left, and no reply came in time.
    Silent(Error),
    /// The server answered with an error; with the node and slot if it points elsewhere.
    Refused(Error, Option<(String, u16)>),
}

impl Failure {
    pub(crate) fn error(&self) -> &Error {
        match self {
            Self::NotSent(error) | Self::Broken(error) | Self::Silent(error) | Self::Refused(error, _) => {
                error
            }
        }
    }

    /// What the caller is told when nothing more can be tried.
    pub(crate) fn verdict(self, safety: Safety) -> Error {
        match (self, safety) {
            (Self::Broken(error) | Self::Silent(error), Safety::Once) => {
                error.turned(ErrorKind::UnknownOutcome)
            }
            (
                Self::NotSent(error) | Self::Broken(error) | Self::Silent(error) | Self::Refused(error, _),
                _,
            ) => error,
        }
    }
}

impl From<Error> for Failure {
    /// A fault found before anything was sent.
    fn from(error: Error) -> Self {
        Self::NotSent(error)
    }
}
