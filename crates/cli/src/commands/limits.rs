//! `quorate limits`: how much of what, in which time.

mod check;
mod explain;
mod ls;
mod set;
mod unset;

use std::time::Duration;

use clap::Subcommand;
use quorate_plane::Plane;
use quorate_plane::limits::{Rule, Standing, Verdict, Wish};
use serde_json::{Value, json};

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::{duration, plane};

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
    #[arg(long, value_name = "RULE", value_parser = rule)]
    rule: Option<Rule>,
}

impl Ask {
    fn wishes(&self) -> Vec<Wish> {
        self.wishes.iter().map(|wish| Wish { rule: self.rule, ..wish.clone() }).collect()
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

/// An endpoint and its rule, as programs read it.
fn ruled(endpoint: &str, rule: &Rule) -> Value {
    let window = u64::try_from(rule.window.as_millis()).unwrap_or(u64::MAX);
    json!({ "endpoint": endpoint, "limit": rule.limit, "window_ms": window })
}

/// `retry_after` is in whole seconds, rounded up, as HTTP has it.
fn answer(found: &Verdict, took: bool) -> Answer {
    let outcome = match (took, found.allowed) {
        (false, _) => "explained",
        (true, true) => "allowed",
        (true, false) => "limited",
    };
    let tightest = found.tightest();
    let wait = tightest.filter(|_| !found.allowed).and_then(|one| one.retry_after_ms);
    let json = json!({
        "outcome": outcome, "allowed": found.allowed, "at": found.at.iso(), "limits": found.limits,
        "tightest": tightest.map(|one| &one.name), "remaining": tightest.map(|one| one.remaining),
        "retry_after_ms": wait, "retry_after": wait.map(|ms| ms.div_ceil(1_000)),
    });
    let row = |one: &Standing| {
        let retry = if one.fits {
            "now".to_owned()
        } else {
            one.retry_after_ms.map_or("never".to_owned(), |ms| format!("in {ms} ms"))
        };
        let limit = if one.limit == 0 { "none".to_owned() } else { one.limit.to_string() };
        vec![
            one.name.clone(),
            limit,
            format!("{} ms", one.window_ms),
            one.used.to_string(),
            one.remaining.to_string(),
            retry,
        ]
    };
    let rows = found.limits.iter().map(row).collect();
    let view = View::Rows { header: &["limit", "most", "window", "used", "remaining", "fits"], rows };
    let exit = if took && !found.allowed { Exit::Refused as u8 } else { 0 };
    Answer { exit, ..Answer::new(json, view) }
}

fn rule(text: &str) -> Result<Rule, String> {
    let (limit, window) = text.split_once('/').ok_or("use N/TIME, as in 100/1m")?;
    let limit = limit.parse().map_err(|_| "the number is missing or too large".to_owned())?;
    let window: Duration = duration::parse(window)?;
    Ok(Rule { limit, window })
}
