//! Hearing of events as they are published: one subscription for all that a family has channels for, in one process.
//!
//! A message is a hint. Whoever follows one of them reads its history when something may have been missed, and leaves out what it
//! has seen.

use quorate_catalog::{Catalog, Key};
use quorate_store::{Notice, Result, Subscription, Topics};

use crate::Plane;

/// The channels of one family.
pub struct Channels {
    before: String,
    subscription: Subscription,
}

/// What is heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// An event of what the channel is named after, as it was published.
    Event { of: String, payload: Vec<u8> },
    /// Something may have been missed, of any of them.
    Missed,
}

impl Channels {
    /// Listens to the channels of the family that `any` is one of; everything that is published from now on is heard.
    pub(crate) async fn like(plane: &Plane, any: &Key) -> Result<Self> {
        let catalog = Catalog::built_in();
        let family = catalog.find(any.family().name()).into_iter().next();
        let around = family.and_then(|family| plane.keys().around(catalog, family));
        let (before, _) = around.expect("a channel ends with a name");
        let subscription = plane.store().subscribe(Topics::patterns([format!("{before}*")])).await?;
        Ok(Self { before, subscription })
    }

    /// The next thing; waits through outages of any length.
    pub async fn next(&mut self) -> Heard {
        loop {
            match self.subscription.next().await {
                Notice::Message { channel, payload, .. } => {
                    if let Some(of) = channel.strip_prefix(&self.before) {
                        return Heard::Event { of: of.to_owned(), payload };
                    }
                }
                _ => return Heard::Missed,
            }
        }
    }
}
