//! `quorate events ls [STREAM]`.

use quorate_plane::Plane;
use quorate_plane::events::Stream;
use quorate_verbs::events::{Ls, Newest};
use quorate_verbs::said::{Said, Within};

use super::table;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The stream whose newest entries to list; without one, all streams.
    stream: Option<Stream>,
    /// Most entries.
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    if let Some(stream) = args.stream {
        let verb = Newest { stream: Said(stream), limit: Some(Within(args.limit.into())) };
        return ask(plane, &verb, |all| table(all)).await;
    }
    let row = |one: &quorate_verbs::events::Stream| {
        vec![one.stream.clone(), one.length.to_string(), one.groups.join(" ")]
    };
    let header = &["stream", "length", "groups"];
    ask(plane, &Ls {}, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}
