//! `quorate jobs schedule`.

use std::time::Duration;

use quorate_catalog::ids::{JobId, QueueNameId};
use quorate_plane::jobs::{CatchUp, Overlap, Plan, Recurrence, When};
use quorate_store::Micros;
use serde_json::json;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, refusal};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("moment").required(true).args(["at", "after", "cron"]))]
pub(crate) struct Args {
    /// The queue it is put into when it is due: job:NAME of `quorate queues`.
    #[arg(value_parser = job_queue)]
    queue: QueueNameId,
    /// What is put there.
    payload: String,
    /// Its name [default: a random one].
    #[arg(long)]
    id: Option<JobId>,
    /// When, in ISO 8601 with a zone, such as 2026-12-01T08:00:00Z.
    #[arg(long, value_parser = moment)]
    at: Option<Micros>,
    /// After which time, such as 5m.
    #[arg(long = "in", value_name = "TIME", value_parser = duration::parse)]
    after: Option<Duration>,
    /// Again and again: five fields, or six with seconds first.
    #[arg(long, value_name = "PATTERN")]
    cron: Option<String>,
    /// The time zone of the pattern.
    #[arg(long, default_value = "UTC", requires = "cron")]
    zone: String,
    /// When an earlier occurrence still runs: leave it out, let one wait, or let it run beside it.
    #[arg(long, default_value = "skip", value_parser = ["skip", "queue-one", "allow"])]
    overlap: String,
    /// After a time when nobody was there.
    #[arg(long, default_value = "one", value_parser = ["one", "all", "none"])]
    catch_up: String,
}

/// `job:NAME`, as `quorate queues` says it, or the name alone.
fn job_queue(text: &str) -> Result<QueueNameId, String> {
    QueueNameId::parse(text.strip_prefix("job:").unwrap_or(text)).map_err(|error| error.to_string())
}

impl Args {
    fn plan(&self) -> Result<Plan, Failure> {
        let when = match (self.at, self.after, &self.cron) {
            (Some(at), ..) => When::At(at),
            (_, Some(after), _) => When::In(after),
            (.., Some(cron)) => {
                let recurrence = Recurrence::parse(cron, &self.zone).map_err(Failure::bad_input)?;
                When::Recurring(Box::new(recurrence))
            }
            _ => return Err(Failure::bad_input("say when: --at, --in or --cron")),
        };
        Ok(Plan {
            id: self.id.clone(),
            overlap: match self.overlap.as_str() {
                "queue-one" => Overlap::QueueOne,
                "allow" => Overlap::Allow,
                _ => Overlap::Skip,
            },
            catch_up: match self.catch_up.as_str() {
                "all" => CatchUp::All,
                "none" => CatchUp::None,
                _ => CatchUp::One,
            },
            ..Plan::new(self.queue.clone(), self.payload.clone(), when)
        })
    }
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<Answer, Failure> {
    let plane = super::plane(global).await?;
    Ok(refusal::or(plane.jobs().schedule(&args.plan()?).await?, |done| {
        let json = json!({ "outcome": "scheduled", "id": done.id, "next_at": done.next_at.iso() });
        Answer::new(json, View::Text(format!("{} runs at {}", done.id, done.next_at.iso())))
    }))
}

fn moment(text: &str) -> Result<Micros, String> {
    Micros::parse_iso(text).ok_or_else(|| "use ISO 8601 with a zone, like 2026-12-01T08:00:00Z".to_owned())
}
