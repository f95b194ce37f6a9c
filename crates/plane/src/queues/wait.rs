//! Waiting for an item without polling.
//!
//! `BLMOVE list list RIGHT RIGHT` leaves the list as it is and returns as soon as there is something in it, whoever
//! pushed it and however. Lanes and due items are announced on a channel. Both are hints: who waits also looks by itself,
//! once a second and when the next item is due, so a lost one costs no more than that.

use std::sync::Arc;
use std::time::Duration;

use quorate_store::{Notice, Result, Topics, Value, cmd};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::Queues;
use super::model::{Claim, Claimed, Queue};
use crate::{Outcome, Plane};

/// How often who waits looks by itself.
pub(crate) const LOOK: Duration = Duration::from_secs(1);

impl Queues<'_> {
    pub(super) async fn claim_waiting(
        &self,
        wanted: &Claim,
        salt: Option<String>,
    ) -> Result<Outcome<Claimed>> {
        let deadline = Instant::now() + wanted.wait;
        let mut outcome = self.claim_now(wanted, salt.clone()).await?;
        let (mut waiter, mut looks): (Option<Waiter>, u64) = (None, 0);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let next = match &outcome {
                Outcome::Done(claimed) if claimed.items.is_empty() => claimed.next.unwrap_or(LOOK),
                _ => return Ok(outcome),
            };
            if left.is_zero() || self.plane.waits.are_over() {
                return Ok(outcome);
            }
            let waiting = match &waiter {
                Some(waiter) => waiter,
                None => waiter.insert(Waiter::start(self.plane, &wanted.queues).await?),
            };
            waiting.arm();
            let nap = left.min(LOOK).min(next.max(Duration::from_millis(1)));
            let _ = self.plane.waits.for_what(timeout(nap, waiting.woken())).await;
            looks += 1;
            // Each look is a call of its own: one that was repeated must not be taken for the next.
            let name = salt.as_ref().map(|salt| format!("{salt}-{looks}"));
            outcome = self.claim_now(wanted, name).await?;
        }
    }
}

/// Hears when one of some queues may have an item.
pub(crate) struct Waiter {
    woken: Arc<Notify>,
    armed: Vec<Arc<Notify>>,
    tasks: Vec<JoinHandle<()>>,
}

impl Waiter {
    pub(crate) async fn start(plane: &Plane, queues: &[Queue]) -> Result<Self> {
        let mut waiter = Self { woken: Arc::default(), armed: Vec::new(), tasks: Vec::new() };
        let channels: Vec<String> = queues
            .iter()
            .map(|queue| plane.keys().quorate().queue_wake(&queue.as_ref()).to_string())
            .collect();
        let mut notices =
            plane.store().subscribe(Topics::channels(channels.iter().map(String::as_str))).await?;
        let woken = Arc::clone(&waiter.woken);
        waiter.tasks.push(tokio::spawn(async move {
            loop {
                if matches!(notices.next().await, Notice::Message { .. }) {
                    woken.notify_one();
                }
            }
        }));
        for queue in queues {
            let armed = Arc::new(Notify::new());
            waiter.tasks.push(tokio::spawn(watch(
                plane.clone(),
                queue.list(plane.keys()).to_string(),
                Arc::clone(&armed),
                Arc::clone(&waiter.woken),
            )));
            waiter.armed.push(armed);
        }
        Ok(waiter)
    }

    /// Looks for the next item; while nobody asked, a full queue costs nothing.
    pub(crate) fn arm(&self) {
        self.armed.iter().for_each(|armed| armed.notify_one());
    }

    pub(crate) async fn woken(&self) {
        self.woken.notified().await;
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

async fn watch(plane: Plane, list: String, armed: Arc<Notify>, woken: Arc<Notify>) {
    let mut connection = plane.store().repeatable().dedicated();
    let mut look = cmd("BLMOVE");
    look.arg(&list).arg(&list).arg("RIGHT").arg("RIGHT").arg(LOOK.as_secs());
    loop {
        armed.notified().await;
        match connection.query::<Value>(&look, LOOK).await {
            Ok(Value::Nil) => {}
            Ok(_) => woken.notify_one(),
            // A server that is away, or full and unwilling to move anything, is asked again by who waits.
            Err(_) => sleep(LOOK / 2).await,
        }
    }
}
