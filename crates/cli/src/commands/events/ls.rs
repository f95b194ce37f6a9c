//! `quorate events ls [STREAM]`.

use quorate_plane::Plane;
use quorate_plane::events::Stream;
use quorate_store::cmd;
use serde_json::{Value, json};

use super::entries;
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
        return Ok(entries(&plane.events().newest(stream, args.limit.into()).await?));
    }
    let groups = plane.events().groups(None).await?;
    let (mut json, mut rows) = (Vec::new(), Vec::new());
    for stream in Stream::EVERY {
        let key = stream.key(plane.keys());
        let length: u64 = plane.store().query(cmd("XLEN").arg(key.as_str())).await?;
        let readers: Vec<&str> = groups
            .iter()
            .filter(|group| group.stream == stream.name())
            .map(|group| group.group.as_str())
            .collect();
        json.push(json!({ "stream": stream.name(), "length": length, "groups": readers }));
        rows.push(vec![stream.name(), length.to_string(), readers.join(" ")]);
    }
    Ok(Answer::new(Value::Array(json), View::Rows { header: &["stream", "length", "groups"], rows }))
}
