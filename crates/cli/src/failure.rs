//! Why a command did not do what it was asked, and the exit code that says so.

use std::fmt;

/// The exit codes of DESIGN 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Fault = 1,
    BadInput = 2,
    NotFound = 3,
    Refused = 4,
    Denied = 5,
    Unreachable = 69,
    TimedOut = 124,
    /// A command that was to be run is there and cannot be, or is not there, as shells have it.
    NotExecutable = 126,
    NoCommand = 127,
    /// 128 and the signal, as shells have it.
    HungUp = 129,
    Interrupted = 130,
    Terminated = 143,
}

/// One sentence on what is wrong, and one on what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    pub(crate) advice: Option<String>,
    /// Where the fault is a refusal to whoever asked, its code.
    pub(crate) refusal: Option<&'static str>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), advice: None, refusal: None }
    }

    pub(crate) fn bad_input(message: impl fmt::Display) -> Self {
        Self::new(Exit::BadInput, message.to_string())
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(Exit::NotFound, message)
    }

    pub(crate) fn advise(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }
}

impl Failure {
    /// A fault of the store with the address it has; the address shows no password.
    pub(crate) fn at(address: &str, error: &quorate_store::Error) -> Self {
        use quorate_store::ErrorKind as Kind;
        let exit = match error.kind() {
            Kind::Unreachable | Kind::Loading => Exit::Unreachable,
            Kind::TimedOut => Exit::TimedOut,
            Kind::NoAuth | Kind::WrongPass | Kind::NoPerm => Exit::Denied,
            Kind::InvalidArgument => Exit::BadInput,
            Kind::OutOfMemory => Exit::Refused,
            _ => Exit::Fault,
        };
        let place = if address.is_empty() { String::new() } else { format!("{address}: ") };
        let refusal = (error.kind() == Kind::OutOfMemory).then_some("store_full");
        Self { refusal, ..Self::new(exit, format!("{place}{error}")).advise(error.advice()) }
    }
}

impl From<quorate_store::Error> for Failure {
    fn from(error: quorate_store::Error) -> Self {
        Self::at("", &error)
    }
}

impl From<quorate_verbs::Fault> for Failure {
    fn from(fault: quorate_verbs::Fault) -> Self {
        use quorate_verbs::Fault;
        match fault {
            Fault::Store(error) => error.into(),
            Fault::BadInput { .. } => Self::bad_input(fault),
            Fault::NotFound(message) => Self::not_found(message),
            Fault::NotYours(_) => Self::new(Exit::Denied, fault.to_string()),
        }
    }
}

impl From<quorate_engine::Error> for Failure {
    fn from(error: quorate_engine::Error) -> Self {
        let exit = match error {
            quorate_engine::Error::AlreadyRunning { .. } => Exit::Refused,
            _ => Exit::Fault,
        };
        Self::new(exit, error.to_string())
    }
}

impl From<quorate_backup::Error> for Failure {
    fn from(error: quorate_backup::Error) -> Self {
        use quorate_backup::Error as E;
        let exit = match error {
            E::Store(error) => return error.into(),
            E::Engine(error) => return error.into(),
            E::NoFile { .. } => Exit::NotFound,
            E::NotABackup { .. } | E::Newer { .. } | E::Damaged { .. } => Exit::BadInput,
            E::Unwritable { .. } | E::Unreadable { .. } => Exit::BadInput,
            E::Exists { .. } | E::NotEmpty { .. } | E::Unfinished { .. } | E::Partial { .. } => Exit::Refused,
            E::Layout | E::FieldExpiry { .. } | E::Moving => Exit::Refused,
            E::Refused { .. } => Exit::Denied,
            E::NoStream { .. } => Exit::Unreachable,
            _ => Exit::Fault,
        };
        Self::new(exit, error.to_string())
    }
}
