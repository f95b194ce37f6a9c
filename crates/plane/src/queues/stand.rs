//! Where those who wait for items stand: a line for each queue.
//!
//! However many wait, a queue has one connection that is blocked until its list has something, and the process one that
//! hears of lanes and of what is due.

use std::time::Duration;

use quorate_store::Result;
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::model::Queue;
use crate::Plane;
use crate::channels::{Channels, Heard};
use crate::hall::line::List;
use crate::hall::{Ended, Hall, Lines, Place};

/// Queues with a blocked connection of their own. Those of one more are looked at once a second: names are free, and
/// whoever waits for ever new ones must not use up the server's connections.
const WATCHED: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct Stands {
    hall: Hall,
    ear: OnceCell<Ended>,
}

impl Stands {
    /// Stands behind all who wait for these queues; `next` is when something is due, as far as that is known.
    pub(crate) async fn take(
        &self,
        plane: &Plane,
        queues: &[Queue],
        next: Option<Duration>,
    ) -> Result<Place> {
        let mut place = self.hall.arrive();
        if let Some(any) = queues.first() {
            self.ear.get_or_try_init(|| hearing(plane, any, self.hall.lines.clone())).await?;
        }
        for queue in queues {
            self.hall.enter(&mut place, queue.name(), |line, others| {
                // Nobody's request: what waits for many outlasts that of one.
                let (store, list) = (plane.store().natural(), queue.list(plane.keys()).to_string());
                (others < WATCHED).then(|| List::watch(line, store, list))
            });
        }
        let due = next.map(|next| Instant::now() + next);
        place.tell(|news| news.is_due(due));
        Ok(place)
    }
}

/// Hears what is said of the queues, of which this is one.
async fn hearing(plane: &Plane, any: &Queue, lines: Lines) -> Result<Ended> {
    let any = plane.keys().quorate().queue_wake(&any.as_ref());
    let mut channels = Channels::like(plane, &any).await?;
    Ok(Ended::with(async move {
        loop {
            hear(&lines, channels.next().await);
        }
    }))
}

/// A lane says its name; `!d` that something was put off, `!p` that a queue goes on.
fn hear(lines: &Lines, heard: Heard) {
    match heard {
        Heard::Missed => lines.tell_all(|_| true, |news| news.all = true),
        Heard::Event { of, payload } => lines.tell(&of, |news| match payload.as_slice() {
            b"!d" => news.first = true,
            b"!p" => news.all = true,
            _ => news.lanes += 1,
        }),
    }
}
