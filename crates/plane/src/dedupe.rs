//! Whether something was seen before.
//!
//! The seed's sorted set names a scope and holds the hashes of what was seen in it, scored by when. Asking, noting,
//! leaving out the old and the expiry of the whole are one script, so of many that ask at once one is the first.

use std::sync::LazyLock;
use std::time::Duration;

use quorate_catalog::ids::ContentHash;
use quorate_store::{Arg, Error, ErrorKind, Result, Script, cmd};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane};

static CHECK: LazyLock<Script> = LazyLock::new(|| {
    Script::parse("check", include_str!("dedupe/lua/check.lua")).expect("a test checks every script")
});

/// How long a content counts as seen, as the seed has it.
pub const DEFAULT_WINDOW: Duration = Duration::from_secs(86_400);
/// The longest such time.
pub const MAX_WINDOW: Duration = Duration::from_secs(366 * 86_400);

/// Whether a content is new.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seen {
    pub first: bool,
    /// When it was first seen; Unix seconds, as the seed has them.
    pub seen_at: f64,
}

/// The hash by which a content is known: SHA-256.
pub fn content_hash(content: &[u8]) -> ContentHash {
    ContentHash::parse(&hex::encode(Sha256::digest(content))).expect("hexadecimal digits are a hash")
}

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Dedupe<'p> {
    plane: &'p Plane,
    request: Option<&'p str>,
}

impl<'p> Dedupe<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, request: None }
    }

    /// The same for a call that has a name: however often it is made, it gets the first answer.
    #[must_use]
    pub fn asked(self, request: Option<&'p str>) -> Self {
        Self { request, ..self }
    }

    /// Notes a content as seen, and says whether it is the first. A scope has one window; a repeat does not renew it.
    pub async fn check(
        &self,
        scope: &ContentHash,
        content: &ContentHash,
        window: Duration,
    ) -> Result<Outcome<Seen>> {
        if window < Duration::from_millis(1) || window > MAX_WINDOW {
            return Err(Error::new(ErrorKind::InvalidArgument, "dedupe", "a window is from 1ms to 366d"));
        }
        let keys = [self.plane.keys().reverie().seen(scope), self.plane.keys().quorate().firsts(scope)];
        let args = [
            Arg::from(self.request.map_or_else(crate::random_id, str::to_owned)),
            Arg::from(content.as_key()),
            Arg::from(crate::locks::millis(window)),
        ];
        let reply: Reply = self.plane.store().run(&CHECK, &keys, &args).await?;
        match reply.split() {
            Err(refusal) => Ok(Outcome::Refused(refusal)),
            Ok((word, rest)) => {
                let when = rest.first().and_then(|when| when.parse().ok());
                let seen_at = when.ok_or_else(|| undecodable(&word))?;
                Ok(Outcome::Done(Seen { first: word == "first", seen_at }))
            }
        }
    }

    /// Forgets a content, so that it is new again: what it stood for was not done. Whether it was known.
    pub async fn forget(&self, scope: &ContentHash, content: &ContentHash) -> Result<bool> {
        let mut remove = cmd("ZREM");
        remove.arg(self.plane.keys().reverie().seen(scope).as_str()).arg(content.as_key());
        Ok(self.plane.store().repeatable().change::<u64>(&remove).await? > 0)
    }
}
