//! `quorate events wake TARGET … [-- CMD…]`.

use quorate_plane::Plane;
use quorate_plane::events::{METHODS, Wake};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who is woken or killed.
    target: String,
    /// Who wakes.
    #[arg(long, env = "QUORATE_AGENT")]
    waker: String,
    /// How.
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(METHODS))]
    method: String,
    /// Why.
    #[arg(long, default_value = "", hide_default_value = true)]
    reason: String,
    /// What is delivered; only its SHA-256 is kept [default: the command].
    #[arg(long)]
    payload: Option<String>,
    /// The token of what the waker holds; without one the wake gets a fence of its own.
    #[arg(long, value_name = "N")]
    fence: Option<u64>,
    /// The target is one that something outside clocks.
    #[arg(long)]
    pseudoagent: bool,
    /// What wakes it; it runs once the wake is on record.
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let wake = Wake {
        waker: args.waker.clone(),
        target: args.target.clone(),
        method: args.method.clone(),
        fence: args.fence,
        payload: args.payload.clone().unwrap_or_else(|| args.command.join(" ")).into_bytes(),
        reason: args.reason.clone(),
        pseudoagent: args.pseudoagent,
    };
    let outcome = plane.events().wake(&wake, async |_| effect(&args.command).await).await?;
    let quorate_plane::Outcome::Done((recorded, effect)) = outcome else {
        return Ok(refusal::or(outcome, |_| Answer::new(json!(null), View::Nothing)));
    };
    let code = effect?;
    let json = json!({ "outcome": "recorded", "id": recorded.id, "fence": recorded.fence, "exit": code });
    let text = View::Text(format!("recorded {} with fence {}", recorded.id, recorded.fence));
    Ok(Answer { exit: code.unwrap_or(0), ..Answer::new(json, text) })
}

/// Runs the command; its exit code is ours.
async fn effect(command: &[String]) -> Result<Option<u8>, Failure> {
    let Some((program, args)) = command.split_first() else { return Ok(None) };
    let status = tokio::process::Command::new(program)
        .args(args)
        .stdout(std::process::Stdio::inherit())
        .status()
        .await;
    let status =
        status.map_err(|error| Failure::new(Exit::Fault, format!("{program} did not start: {error}")))?;
    Ok(Some(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
