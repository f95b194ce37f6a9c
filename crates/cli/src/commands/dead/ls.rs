//! `quorate dead ls`.

use quorate_plane::Plane;
use quorate_plane::dead_letters::{Cluster, Letter};
use quorate_plane::queues::Queue;
use quorate_verbs::dead::{self, Clusters, Ls, State};
use quorate_verbs::said::{Said, Within};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) filter: Which,
    /// List the failures they have in common instead of the letters; with `--state open`, those that have open ones.
    #[arg(long, conflicts_with_all = ["queue", "cluster", "text"])]
    clusters: bool,
    /// Most to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

/// Which letters are meant.
#[derive(Debug, clap::Args)]
pub(crate) struct Which {
    /// Only those of this queue.
    #[arg(long, value_name = "QUEUE")]
    queue: Option<Queue>,
    /// Only those with this fingerprint.
    #[arg(long, value_name = "FINGERPRINT")]
    pub(super) cluster: Option<String>,
    /// Only those whose reason or payload contains this.
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Only open or replayed ones.
    #[arg(long, value_name = "STATE", value_parser = state)]
    state: Option<State>,
}

impl Which {
    pub(super) fn verb(&self) -> dead::Which {
        dead::Which {
            queue: self.queue.clone().map(Said),
            cluster: self.cluster.clone(),
            text: self.text.clone(),
            state: self.state,
        }
    }
}

/// A state as it is typed.
fn state(text: &str) -> Result<State, String> {
    serde_json::from_value(text.into()).map_err(|_| "use open, replayed or resolved".to_owned())
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let limit = Some(Within(args.limit.into()));
    if args.clusters {
        let header = &["fingerprint", "open", "count", "last", "reason"];
        let row = |own: &Cluster| {
            let (open, count) = (own.open.to_string(), own.count.to_string());
            vec![own.fingerprint.clone(), open, count, own.last.clone(), own.reason.clone()]
        };
        let view = |all: &Vec<Cluster>| View::Rows { header, rows: all.iter().map(row).collect() };
        if args.filter.state.is_some_and(|state| state != State::Open) {
            return Err(Failure::bad_input("--clusters goes with --state open, or without a state"));
        }
        let open = args.filter.state.is_some();
        return ask(plane, &Clusters { open, limit }, view).await;
    }
    let header = &["id", "source", "attempts", "state", "died", "reason"];
    let verb = Ls { which: args.filter.verb(), limit };
    ask(plane, &verb, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}

fn row(letter: &Letter) -> Vec<String> {
    vec![
        letter.id.clone(),
        letter.source.clone(),
        letter.attempts.to_string(),
        letter.state.clone(),
        letter.died_at.clone(),
        letter.reason.chars().take(80).collect(),
    ]
}
