//! Records of services.

mod emit;
mod ls;
mod tail;

use quorate_catalog::ids::LogLevel;

use crate::prelude::*;

pub use emit::{Emit, Sent};
pub use ls::Ls;
pub use tail::Tail;

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Emit>(), Entry::of::<Ls>(), Entry::of::<Tail>()]
}

/// How serious a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    #[default]
    Info,
    Warn,
    Error,
}

impl From<Severity> for LogLevel {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::Info,
            Severity::Warn => Self::Warn,
            Severity::Error => Self::Error,
        }
    }
}

impl From<LogLevel> for Severity {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Info => Self::Info,
            LogLevel::Warn => Self::Warn,
            LogLevel::Error => Self::Error,
        }
    }
}
