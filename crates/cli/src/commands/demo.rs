//! `quorate demo`: plays a fleet on a running plane, and takes away what it has made.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_verbs::said::Span;
use serde_json::json;

use crate::args::Global;
use crate::demo::{self, End, Stage};
use crate::failure::{Exit, Failure};
use crate::out::{self, Answer, View};
use crate::plane;
use crate::stop::StopSignals;

/// Plays a believable fleet on a running plane: agents, locks, work that fails, tasks, workflows, messages, services, logs.
///
/// Everything it makes has a name that begins with `demo-`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only these scenes.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    scenes: Vec<String>,
    /// How fast, from 0.1 to 20.
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    speed: f64,
    /// For how long [default: until it is stopped].
    #[arg(long = "for", value_name = "TIME")]
    length: Option<Span>,
    /// Take away what a demo has made: at once, or with --for when its time is over.
    #[arg(long)]
    clean: bool,
    /// Where the plane's HTTP is, if it is not the one of the data directory.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    if !(0.1..=20.0).contains(&args.speed) {
        return Err(Failure::bad_input("--speed is from 0.1 to 20"));
    }
    let scenes = demo::named(&args.scenes).map_err(Failure::bad_input)?;
    let plane = Plane::new(plane::connect(global).await?)?;
    if args.clean && args.length.is_none() {
        return clean(&plane).await;
    }
    let stop = StopSignals::listen()?;
    let ticket = demo::token(&plane).await?;
    let stage = Stage::new(address(global, args)?, ticket.secret.clone(), args.speed);
    let stage = stage.map_err(|why| Failure::new(Exit::Fault, why))?;
    out::talk("the demo plays; stop it with Ctrl-C, and take away what it made with `quorate demo --clean`");
    let length = args.length.map_or(Duration::MAX, |span| span.0);
    let ended = tokio::select! {
        ended = demo::play(&stage, scenes, stop.stopped()) => ended,
        () = tokio::time::sleep(length) => End::Told,
    };
    match ended {
        // Whoever has ended it has cleaned up as they wanted, and may have begun another one.
        End::Taken => Ok(told("ended", "somebody has ended the demo")),
        End::Told if args.clean => clean(&plane).await,
        End::Told => {
            demo::leave(&plane, &ticket).await?;
            Ok(told("played", "the demo has ended"))
        }
    }
}

fn told(outcome: &str, text: &str) -> Answer {
    Answer::new(json!({ "outcome": outcome }), View::Text(text.into()))
}

/// Every demo that still plays ends with its token, so that nothing new comes while the rest goes.
async fn clean(plane: &Plane) -> Result<Answer, Failure> {
    demo::end(plane).await?;
    let removed = demo::clean(plane).await?;
    let text = format!("nothing of the demo is left; {removed} keys and entries were removed");
    Ok(Answer::new(json!({ "outcome": "cleaned", "removed": removed }), View::Text(text)))
}

fn address(global: &Global, args: &Args) -> Result<String, Failure> {
    if let Some(url) = &args.url {
        return Ok(url.trim_end_matches('/').to_owned());
    }
    if plane::external(global)?.is_some() {
        return Err(Failure::bad_input(
            "with an external server, say with --url where `quorate up` serves HTTP",
        ));
    }
    let listen = plane::running(global)?.record.listen;
    listen
        .map(|listen| format!("http://{listen}"))
        .ok_or_else(|| Failure::new(Exit::Fault, "the plane serves no HTTP"))
}
