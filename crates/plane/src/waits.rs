//! Until when anybody waits in this process for what may come.
//!
//! A server that stops would keep whoever waits for an item, an entry or a lock until its time for requests under way is
//! over, and then cut them off without an answer. Told here, they look once more and answer as when their time is over.

use std::future::Future;

use tokio::sync::watch;

#[derive(Debug)]
pub(crate) struct Waits {
    over: watch::Sender<bool>,
}

impl Default for Waits {
    fn default() -> Self {
        Self { over: watch::Sender::new(false) }
    }
}

impl Waits {
    pub(crate) fn end(&self) {
        self.over.send_replace(true);
    }

    pub(crate) fn are_over(&self) -> bool {
        *self.over.borrow()
    }

    /// What comes, unless nobody waits any more before that.
    pub(crate) async fn for_what<T>(&self, comes: impl Future<Output = T>) -> Option<T> {
        let mut over = self.over.subscribe();
        tokio::select! {
            came = comes => Some(came),
            _ = over.wait_for(|over| *over) => None,
        }
    }
}
