//! How one attempt failed, in the terms that decide whether it may be repeated.

use crate::error::{Error, ErrorKind};

/// What a second delivery of the same request would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// Nothing: it only reads.
    Read,
    /// Nothing more than the first: it is idempotent, or carries a request id that the script remembers.
    Repeatable,
    /// Perhaps a second effect.
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

    /// Whether the server may have done it without our knowing.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Self::Broken(_) | Self::Silent(_))
    }

    /// What the caller is told when nothing more can be tried. `lost` says whether an earlier attempt of the same
    /// call may have reached the server: then "it was not sent" and "it was refused" are true of the last one only.
    pub(crate) fn verdict(self, safety: Safety, lost: bool) -> Error {
        let lost = lost || self.is_lost();
        let refused = matches!(self, Self::Refused(..));
        let error = match self {
            Self::NotSent(error) | Self::Broken(error) | Self::Silent(error) | Self::Refused(error, _) => {
                error
            }
        };
        match safety {
            _ if !lost => error,
            // Not the end of the call: its text follows.
            _ if error.kind() == ErrorKind::NoScript => error,
            Safety::Once => error.turned(ErrorKind::UnknownOutcome),
            Safety::Repeatable if refused => error.turned(ErrorKind::UnknownOutcome),
            Safety::Read if refused => error,
            // A reply that cannot be read says more than that there was none.
            Safety::Read | Safety::Repeatable if error.kind() == ErrorKind::Protocol => error,
            Safety::Read | Safety::Repeatable => error.turned(ErrorKind::TimedOut),
        }
    }
}

impl From<Error> for Failure {
    /// A fault found before anything was sent.
    fn from(error: Error) -> Self {
        Self::NotSent(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(failure: fn(Error) -> Failure, safety: Safety, lost: bool) -> ErrorKind {
        failure(Error::new(ErrorKind::OutOfMemory, "", "")).verdict(safety, lost).kind()
    }

    #[test]
    fn what_may_have_happened_is_never_reported_as_not_done() {
        let refused: fn(Error) -> Failure = |error| Failure::Refused(error, None);
        for (failure, safety, lost, expected) in [
            (Failure::NotSent as fn(Error) -> Failure, Safety::Once, false, ErrorKind::OutOfMemory),
            (Failure::Broken, Safety::Once, false, ErrorKind::UnknownOutcome),
            (Failure::Silent, Safety::Once, false, ErrorKind::UnknownOutcome),
            (refused, Safety::Once, false, ErrorKind::OutOfMemory),
            (Failure::NotSent, Safety::Repeatable, true, ErrorKind::TimedOut),
            (Failure::Broken, Safety::Repeatable, false, ErrorKind::TimedOut),
            (refused, Safety::Repeatable, true, ErrorKind::UnknownOutcome),
            (refused, Safety::Repeatable, false, ErrorKind::OutOfMemory),
            (Failure::NotSent, Safety::Read, true, ErrorKind::TimedOut),
            (refused, Safety::Read, true, ErrorKind::OutOfMemory),
        ] {
            assert_eq!(told(failure, safety, lost), expected, "{safety:?} {lost}");
        }
        let forgotten = Failure::Refused(Error::new(ErrorKind::NoScript, "", ""), None);
        assert_eq!(forgotten.verdict(Safety::Repeatable, true).kind(), ErrorKind::NoScript);
    }
}
