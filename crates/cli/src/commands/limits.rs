//! `quorate limits`: how much of what, in which time.

mod check;
mod explain;
mod ls;
mod set;
mod unset;

use std::time::Duration;

use clap::Subcommand;
use quorate_plane::Plane;
use quorate_plane::limits::Wish;
use quorate_verbs::limits::{self, Allowed, Ruled};
use quorate_verbs::said::Said;
use serde_json::Value;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::plane;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Takes from one or several limits, all or none.
    Check(Ask),
    /// Shows how limits stand and which is the tightest; nothing is taken.
    Explain(Ask),
    /// Sets what an endpoint allows each user, such as 100/1m.
    Set(set::Args),
    /// Takes a limit away.
    Unset(unset::Args),
    /// Lists the endpoints that have a limit.
    Ls,
}

/// What `check` and `explain` are asked about.
#[derive(Debug, clap::Args)]
pub(crate) struct Ask {
    /// ENDPOINT/USER, or ENDPOINT/USER*COST.
    #[arg(required = true, value_name = "LIMIT")]
    wishes: Vec<Wish>,
    /// N/TIME instead of what is configured, for all of them.
    #[arg(long, value_name = "RULE")]
    rule: Option<Allowed>,
}

impl Ask {
    fn verb(&self) -> limits::Ask {
        limits::Ask { limits: self.wishes.iter().cloned().map(Said).collect(), rule: self.rule.map(Said) }
    }
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Check(ask) => check::run(&plane, &ask).await,
        Verb::Explain(ask) => explain::run(&plane, &ask).await,
        Verb::Set(args) => set::run(&plane, &args).await,
        Verb::Unset(args) => unset::run(&plane, &args).await,
        Verb::Ls => ls::run(&plane).await,
    }
}

/// How each limit stands, whether or not something was taken.
fn standing(answer: Answer) -> Answer {
    let Some(all) = answer.json["limits"].as_array() else { return answer };
    let rows = all.iter().map(row).collect();
    let view = View::Rows { header: &["limit", "most", "window", "used", "remaining", "fits"], rows };
    Answer { view, ..answer }
}

fn row(one: &Value) -> Vec<String> {
    let fits = match (&one["fits"], &one["retry_after_ms"]) {
        (Value::Bool(true), _) => "now".to_owned(),
        (_, Value::Number(ms)) => format!("in {ms} ms"),
        _ => "never".to_owned(),
    };
    let or_none = |value: &Value| if value.is_null() { "none".to_owned() } else { value.to_string() };
    vec![
        one["name"].as_str().unwrap_or_default().to_owned(),
        or_none(&one["limit"]),
        format!("{} ms", one["window_ms"]),
        one["used"].to_string(),
        if one["limit"].is_null() { "any".to_owned() } else { one["remaining"].to_string() },
        fits,
    ]
}

/// A window as people read it.
fn window(ruled: &Ruled) -> String {
    format!("{:?}", Duration::from_millis(ruled.window_ms))
}
