//! `quorate logs tail [SERVICE…] [--follow]`.

use std::time::Duration;

use quorate_catalog::ids::{LogLevel, LogServiceId};
use quorate_plane::Plane;
use quorate_plane::logs::{Filter, LogGap, Record};
use quorate_store::Micros;
use serde_json::{Value, json};

use crate::args::Format;
use crate::duration;
use crate::failure::Failure;
use crate::out::{self, Answer, View};

const WAIT: Duration = Duration::from_secs(1);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whose records; without any, of all services, also of those that come later.
    services: Vec<LogServiceId>,
    /// Go on with what comes, until interrupted.
    #[arg(long, short)]
    follow: bool,
    /// How many records to begin with.
    #[arg(long, short = 'n', default_value_t = 50, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    lines: u32,
    /// At least this serious: info, warn or error.
    #[arg(long, short)]
    level: Option<LogLevel>,
    /// Text that the message or a value contains.
    #[arg(long, short)]
    grep: Option<String>,
    /// The part of the service that logged, by how it begins.
    #[arg(long)]
    target: Option<String>,
    /// Not older than this, as in 15m.
    #[arg(long, value_parser = duration::parse)]
    since: Option<Duration>,
}

pub(crate) async fn run(plane: &Plane, args: &Args, format: Format) -> Result<Answer, Failure> {
    let filter = Filter { level: args.level, grep: args.grep.clone(), target: args.target.clone() };
    let since = match args.since {
        Some(since) => {
            let now = plane.store().time().await?.millis();
            Some(Micros::from_millis(now.saturating_sub(since.as_millis() as u64)))
        }
        None => None,
    };
    let (records, mut tail) = plane.logs().tail(&args.services, args.lines as usize, since, &filter).await?;
    if !args.follow {
        let rows = records.iter().map(row).collect();
        let json = records.iter().map(Record::json).collect();
        let header = &["at", "service", "level", "message"];
        return Ok(Answer::new(Value::Array(json), View::Rows { header, rows }));
    }
    let mut there = show(&records, format);
    while there {
        match plane.logs().follow(&mut tail, &filter, WAIT).await {
            Ok(records) => {
                there = tail.gaps().iter().all(|gap| missed(gap, format)) && show(&records, format);
            }
            Err(error) => {
                out::talk(&format!("warning: {error}; trying again"));
                tokio::time::sleep(WAIT).await;
            }
        }
    }
    Ok(Answer::new(Value::Array(Vec::new()), View::Nothing))
}

fn row(record: &Record) -> Vec<String> {
    let message = match record.fields.is_empty() {
        true => record.msg.clone(),
        false => format!("{} {}", record.msg, Value::Object(record.fields.clone())),
    };
    vec![record.ts.clone(), record.service.clone(), record.level.as_key().to_owned(), message]
}

/// What was trimmed before it could be shown is said in its place.
fn missed(gap: &LogGap, format: Format) -> bool {
    let text =
        format!("gap: {} records of {} were trimmed before they could be shown", gap.lost, gap.service);
    out::line(&json!({ "gap": gap }), &text, format)
}

fn show(records: &[Record], format: Format) -> bool {
    records.iter().all(|record| out::line(&record.json(), &row(record).join(" "), format))
}
