//! `quorate logs pipe SERVICE`: standard input, line by line.
//!
//! The writer before the pipe must never wait for a store, so lines are read as fast as they come, also when there is no
//! store at all: then they are counted and dropped. The exit code is 0 in any case, for logs break nobody's work.

use std::io::{BufRead, BufReader, Read, Write};
use std::time::Duration;

use quorate_catalog::ids::{LogLevel, LogServiceId};
use quorate_plane::logs::{Logger, level_of};
use serde_json::json;

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::out::{self, Answer, View};
use crate::plane;

/// The longest line; a longer one becomes several records.
const LINE: u64 = 32 * 1024;
/// How long the last records may take once the input has ended.
const LIMIT: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Who logs.
    service: LogServiceId,
    /// The level of every line, instead of what its words say.
    #[arg(long, short)]
    level: Option<LogLevel>,
    /// Which part of the service.
    #[arg(long, default_value = "stdin")]
    target: String,
    /// Write the lines to standard output too.
    #[arg(long)]
    tee: bool,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let logger = match plane::lazy(global) {
        Ok(scope) => Some(Logger::start(scope.store, scope.keys, args.service.clone())),
        Err(failure) if failure.exit == Exit::Unreachable => None,
        Err(failure) => return Err(failure),
    };
    // Standard input blocks, so it is read on a thread of its own.
    let (reading, own) = (args.clone(), logger.clone());
    let lines = tokio::task::spawn_blocking(move || read(&reading, own.as_ref())).await;
    let lines = lines.map_err(|error| Failure::new(Exit::Fault, error.to_string()))??;
    let sent = match &logger {
        Some(logger) => logger.flush(LIMIT).await.sent.min(lines),
        None => 0,
    };
    let dropped = lines - sent;
    if dropped > 0 {
        out::talk(&format!("warning: {dropped} of {lines} records were dropped: the store was away or slow"));
    }
    let json = json!({ "outcome": "piped", "lines": lines, "sent": sent, "dropped": dropped });
    let view =
        if args.tee { View::Nothing } else { View::Text(format!("{sent} records of {}", args.service)) };
    Ok(Answer::new(json, view))
}

fn read(args: &Args, logger: Option<&Logger>) -> Result<u64, Failure> {
    let mut input = BufReader::with_capacity(64 * 1024, std::io::stdin());
    let (mut line, mut lines) = (Vec::new(), 0);
    loop {
        line.clear();
        let read = (&mut input).take(LINE).read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::new(Exit::Fault, format!("standard input: {error}")))? == 0 {
            return Ok(lines);
        }
        if args.tee {
            // A reader that went away does not end the logging.
            let _ = std::io::stdout().lock().write_all(&line);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        if text.is_empty() {
            continue;
        }
        lines += 1;
        if let Some(logger) = logger {
            logger.emit(args.level.unwrap_or_else(|| level_of(text)), &args.target, text);
        }
    }
}
