//! `overview series`.

use std::time::Duration;

use quorate_catalog::ids::SeriesName;
use quorate_plane::overview;

use crate::prelude::*;

/// Shows how the plane has been: depth, oldest age and speed of each queue, agents by state, holds and waits of locks.
///
/// A moment at which nothing was running to take a sample is `null`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Series {
    /// Which: `agents`, `locks` or `queue:NAME`; all that there are, if it is not said.
    #[serde(default)]
    pub name: Option<Said<SeriesName>>,
    /// Over how long, up to `24h`; `15m` if it is not said.
    #[serde(default)]
    pub last: Option<Span>,
    /// In how many steps at most; 240 if it is not said. A step has the highest number of its time.
    #[serde(default)]
    pub steps: Option<Within<1, 2_880>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Listed {
    /// The time of the store when this was read.
    pub as_of: String,
    /// How far samples are apart, in milliseconds.
    pub every_ms: u64,
    pub series: Vec<overview::Series>,
}

impl Verb for Series {
    const ABOUT: About =
        About::new("overview", "series", Method::Get, "/overview/series", Level::Read, Effect::None);
    type Answer = Listed;

    fn example() -> Value {
        json!({ "name": "queue:normal", "last": "1h" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Listed>, Fault> {
        let (short, long) = (Duration::from_secs(60), Duration::from_secs(86_400));
        let last = self.last.unwrap_or(Span(Duration::from_secs(900)));
        let last = last.within(short, long, "1m to 24h").map_err(|why| Fault::bad("last", why))?;
        let view = call.plane.overview();
        let names = match &self.name {
            Some(name) => vec![name.0.clone()],
            None => view.series_names().await?,
        };
        let steps = self.steps.map_or(240, Within::count);
        let as_of = call.plane.store().time().await?.iso();
        let series = view.series(&names, last, steps).await?;
        let every_ms = u64::try_from(overview::EVERY.as_millis()).unwrap_or_default();
        Ok(Verdict::Done(Listed { as_of, every_ms, series }))
    }
}
