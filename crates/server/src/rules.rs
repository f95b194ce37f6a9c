//! The limits that operators have set, looked at again once a second.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::limits::Rule;
use quorate_verbs::About;
use tokio::time::Instant;

/// How old what is known may be.
const FRESH: Duration = Duration::from_secs(1);

/// The name under which a verb is limited.
pub(crate) fn endpoint(about: &About) -> String {
    format!("{}:{}", about.noun, about.verb)
}

type Known = Option<(Instant, Arc<BTreeMap<String, Rule>>)>;

/// The limits by endpoint. Every request looks here, so nobody waits for anybody: whoever finds them old asks the store, and
/// the others go on with what is known.
#[derive(Default)]
pub(crate) struct Rules(Mutex<Known>);

impl Rules {
    pub(crate) async fn get(&self, plane: &Plane, about: &About) -> quorate_store::Result<Option<Rule>> {
        // Where there are none, as mostly, nothing need be named.
        let find =
            |all: &BTreeMap<String, Rule>| all.get(&*(!all.is_empty()).then(|| endpoint(about))?).copied();
        if let Some(known) = self.fresh() {
            return Ok(find(&known));
        }
        let rules = Box::pin(plane.limits().ls()).await?;
        let found = find(&rules);
        *self.lock() = Some((Instant::now(), Arc::new(rules)));
        Ok(found)
    }

    /// What is known, if it may still be used; the first who finds it too old is told nothing, and asks.
    fn fresh(&self) -> Option<Arc<BTreeMap<String, Rule>>> {
        let mut known = self.lock();
        let (at, rules) = known.as_mut()?;
        if at.elapsed() < FRESH {
            return Some(Arc::clone(rules));
        }
        *at = Instant::now();
        None
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
