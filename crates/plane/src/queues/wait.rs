//! Waiting for an item without polling.
//!
//! Whoever waits stands in line ([`hall`](crate::hall)) and looks when it is called. Whether its agent may still wait is
//! asked for all ([`still`](super::still)); who may not asks by itself, and takes nothing. When its time is over it looks for
//! the last time.

use quorate_store::Result;
use tokio::time::{Instant, sleep_until};

use super::Queues;
use super::model::{Claim, Claimed};
use super::still::Asker;
use crate::Outcome;
use crate::hall::{Found, Place};

impl Queues<'_> {
    pub(super) async fn claim_waiting(
        &self,
        wanted: &Claim,
        salt: Option<String>,
    ) -> Result<Outcome<Claimed>> {
        let deadline = Instant::now() + wanted.wait;
        let asking = Claim { most: 0, ..wanted.clone() };
        let mut outcome = self.claim_now(wanted, salt.clone()).await?;
        let (mut waiting, mut looks): (Option<(Place, Asker)>, u64) = (None, 0);
        while let Outcome::Done(Claimed { items, next, .. }) = &outcome
            && items.is_empty()
            && Instant::now() < deadline
            && !self.plane.waits.are_over()
        {
            let (place, asker) = match &mut waiting {
                Some(waiting) => waiting,
                None => {
                    let place = self.plane.queue_stands().take(self.plane, &wanted.queues, *next).await?;
                    let asker = self.plane.queue_waits().ask_for(self.plane, &wanted.agent, wanted.epoch);
                    waiting.insert((place, asker))
                }
            };
            let comes = async {
                tokio::select! {
                    turn = place.turn() => Some(turn),
                    () = asker.doubted() => None,
                    () = sleep_until(deadline) => None,
                }
            };
            let turn = self.plane.waits.for_what(comes).await.flatten();
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
