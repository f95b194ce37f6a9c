//! What the supervisor tells its owner while the engine runs.
//!
//! Events are for people and metrics: the supervisor has already acted when it sends one.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The engine answers for the first time.
    Started { pid: u32 },
    /// The unpacked server was not the carried one any more, and has been written anew.
    BinaryReplaced { path: PathBuf },
    /// The engine ended without being asked to. A restart follows.
    Died { pid: u32, how: String },
    /// The engine answers again; `outage` is the time since its death.
    Restarted { pid: u32, outage: Duration },
    /// A restart did not succeed; another attempt follows within a second.
    RestartFailed { reason: String },
    /// The last record of the store was incomplete; the engine kept everything before it. `dropped` bytes were cut.
    RepairedTail { file: String, kept: u64, dropped: u64 },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started { pid } => write!(f, "the engine runs as process {pid}"),
            Self::BinaryReplaced { path } => {
                write!(f, "{} was damaged and has been unpacked anew", path.display())
            }
            Self::Died { pid, how } => write!(f, "the engine (process {pid}) ended unexpectedly: {how}"),
            Self::Restarted { pid, outage } => {
                write!(f, "the engine is back as process {pid} after {} ms", outage.as_millis())
            }
            Self::RestartFailed { reason } => write!(f, "the engine could not be restarted: {reason}"),
            Self::RepairedTail { file, kept, dropped } => {
                write!(f, "the end of {file} was incomplete: kept {kept} bytes, dropped {dropped} after them")
            }
        }
    }
}
