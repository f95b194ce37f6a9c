//! `quorate audit ls`.

use quorate_plane::Plane;
use quorate_plane::trail::Entry;
use quorate_verbs::audit::Ls;
use quorate_verbs::said::{Moment, Within};

use crate::args::{Format, Global};
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View, talk};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what this one did.
    #[arg(long)]
    who: Option<String>,
    /// Only this: NOUN.VERB, or a NOUN for all of its verbs.
    #[arg(long)]
    action: Option<String>,
    /// Only what was done to this.
    #[arg(long)]
    target: Option<String>,
    /// Only from then on: ISO 8601 with a zone.
    #[arg(long, value_name = "TIME")]
    since: Option<Moment>,
    /// Most to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// Go on where an earlier list ended.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

pub(crate) async fn run(global: &Global, plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Ls {
        who: args.who.clone(),
        action: args.action.clone(),
        target: args.target.clone(),
        since: args.since,
        limit: Some(Within(args.limit.into())),
        cursor: args.cursor.clone(),
    };
    let header = &["at", "who", "via", "action", "target", "result"];
    let mut answer = ask(plane, &verb, |page| {
        if let Some(cursor) = page.cursor.as_ref().filter(|_| global.output != Format::Json) {
            talk(&format!("there may be more: --cursor {cursor}"));
        }
        View::Rows { header, rows: page.records.iter().map(row).collect() }
    })
    .await?;
    if global.output == Format::Ndjson {
        // A line each; where the next page begins was said on stderr.
        answer.json = answer.json["records"].take();
    }
    Ok(answer)
}

fn row(entry: &Entry) -> Vec<String> {
    [&entry.at, &entry.who, &entry.via, &entry.action, &entry.target, &entry.result]
        .map(String::clone)
        .to_vec()
}
