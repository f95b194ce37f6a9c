//! Waiting for an item without polling.
//!
//! Whoever waits stands in line ([`hall`](super::hall)) and looks when it is called. Once a second it also asks whether its
//! agent may still wait, and takes nothing; when its time is over it looks for the last time.

use std::time::Duration;

use quorate_store::Result;
use tokio::time::{Instant, timeout};

use super::Queues;
use super::hall::{Found, Place};
use super::model::{Claim, Claimed};
use crate::Outcome;

/// How often who waits looks by itself.
pub(crate) const LOOK: Duration = Duration::from_secs(1);

impl Queues<'_> {
    pub(super) async fn claim_waiting(
        &self,
        wanted: &Claim,
        salt: Option<String>,
    ) -> Result<Outcome<Claimed>> {
        let deadline = Instant::now() + wanted.wait;
        let asking = Claim { most: 0, ..wanted.clone() };
        let mut outcome = self.claim_now(wanted, salt.clone()).await?;
        let (mut place, mut looks): (Option<Place>, u64) = (None, 0);
        while let Outcome::Done(Claimed { items, next, .. }) = &outcome
            && items.is_empty()
            && Instant::now() < deadline
            && !self.plane.waits.are_over()
        {
            let waiting = match &mut place {
                Some(place) => place,
                None => place.insert(Place::take(self.plane, &wanted.queues, *next).await?),
            };
            let nap = deadline.saturating_duration_since(Instant::now()).min(LOOK);
            let turn = self.plane.waits.for_what(timeout(nap, waiting.turn())).await.and_then(Result::ok);
            let last = Instant::now() >= deadline || self.plane.waits.are_over();
            looks += 1;
            // Each look is a call of its own: one that was repeated must not be taken for the next.
            let name = salt.as_ref().map(|salt| format!("{salt}-{looks}"));
            let look = if turn.is_some() || last { wanted } else { &asking };
            outcome = self.claim_now(look, name).await?;
            if let (Some(turn), Outcome::Done(claimed)) = (turn, &outcome) {
                turn.found(Found { items: claimed.items.len(), paused: claimed.paused, next: claimed.next });
            }
        }
        Ok(outcome)
    }
}
