//! The limits that operators have set, looked at again once a second.

use std::collections::BTreeMap;
use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::limits::Rule;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How old what is known may be.
const FRESH: Duration = Duration::from_secs(1);

type Known = Option<(Instant, BTreeMap<String, Rule>)>;

/// The limits by endpoint.
#[derive(Default)]
pub(crate) struct Rules(Mutex<Known>);

impl Rules {
    pub(crate) async fn get(&self, plane: &Plane, endpoint: &str) -> quorate_store::Result<Option<Rule>> {
        let mut known = self.0.lock().await;
        if let Some((at, rules)) = &*known
            && at.elapsed() < FRESH
        {
            return Ok(rules.get(endpoint).copied());
        }
        let rules = plane.limits().ls().await?;
        let found = rules.get(endpoint).copied();
        *known = Some((Instant::now(), rules));
        Ok(found)
    }
}
