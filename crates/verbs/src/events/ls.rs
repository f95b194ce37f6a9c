//! `events ls`.

use quorate_plane::events;
use quorate_store::cmd;

use crate::prelude::*;

/// Lists the streams and who reads them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {}

/// A stream at a glance.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Stream {
    pub stream: String,
    /// How many entries it holds.
    pub length: u64,
    /// The groups that read it.
    pub groups: Vec<String>,
}

impl Verb for Ls {
    const ABOUT: About = About::new("events", "ls", Method::Get, "/events", Level::Read, Effect::None);
    type Answer = Vec<Stream>;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Stream>>, Fault> {
        let groups = call.plane.events().groups(None).await?;
        let mut all = Vec::new();
        for stream in events::Stream::EVERY {
            let key = stream.key(call.plane.keys());
            let length = call.plane.store().query(cmd("XLEN").arg(key.as_str())).await?;
            let readers = groups.iter().filter(|group| group.stream == stream.name());
            let groups = readers.map(|group| group.group.clone()).collect();
            all.push(Stream { stream: stream.name(), length, groups });
        }
        Ok(Verdict::Done(all))
    }
}
