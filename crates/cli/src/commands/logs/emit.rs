//! `quorate logs emit SERVICE MESSAGE`.

use std::time::Duration;

use quorate_catalog::ids::{LogLevel, LogServiceId};
use quorate_plane::logs::{Logger, Record};
use serde_json::{Map, Value, json};

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::plane;

/// How long a record may take; a caller is not kept longer.
const LIMIT: Duration = Duration::from_secs(1);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who logs.
    service: LogServiceId,
    /// What.
    message: String,
    /// How serious: info, warn or error.
    #[arg(long, short, default_value = "info")]
    level: LogLevel,
    /// Which part of the service.
    #[arg(long, default_value = "", hide_default_value = true)]
    target: String,
    /// Further values, as NAME=VALUE.
    #[arg(long = "field", short, value_name = "NAME=VALUE")]
    fields: Vec<String>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let mut fields = Map::new();
    for field in &args.fields {
        let pair = field.split_once('=').filter(|(name, _)| !name.is_empty());
        let (name, value) = pair.ok_or_else(|| Failure::bad_input("--field is NAME=VALUE"))?;
        fields.insert(name.to_owned(), Value::from(value));
    }
    let scope = plane::lazy(global)?;
    let logger = Logger::start(scope.store, scope.keys, args.service.clone());
    let record =
        Record::new(args.service.as_key(), args.level, &args.target, &args.message).with_fields(fields);
    logger.log(record);
    let report = logger.flush(LIMIT).await;
    if report.sent == 1 {
        return Ok(Answer::new(json!({ "outcome": "sent" }), View::Nothing));
    }
    let text = View::Text("dropped: the store did not take it within a second".into());
    Ok(Answer { exit: Exit::Unreachable as u8, ..Answer::new(json!({ "outcome": "dropped" }), text) })
}
