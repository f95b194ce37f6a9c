//! A request that may be repeated has one effect and one answer.
//!
//! The caller chooses a key; the first request with it goes ahead and everybody else waits or gets its answer. What is
//! kept names the request id of the effect, which every repeat gets too. Every change is made in the name of that request
//! ([`quorate_store::Once`]): its script remembers its answer beside the claim, in the same step. A process that dies between
//! the effect and its answer leaves a claim that lapses, and whoever repeats the request finds what was done.

mod fsck;
mod model;
mod script;

use quorate_catalog::ids::Idempotency as Name;
use quorate_store::{Arg, Error, ErrorKind, Once, Result, Value};
use sha2::{Digest, Sha256};

use crate::Plane;
use crate::outcome::undecodable;
pub use fsck::invariants;
pub use model::{Begun, Claim, Kept, LEASE, MAX_BODY, MAX_KEY, RETENTION};

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Idempotency<'p> {
    plane: &'p Plane,
}

impl<'p> Idempotency<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Begins a request of a caller under a key. The fingerprint is of everything that makes it the same request: method,
    /// path and body.
    pub async fn begin(&self, caller: &str, key: &str, fingerprint: &[u8; 32]) -> Result<Begun> {
        if key.is_empty() || key.len() > MAX_KEY {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                "idempotency",
                format!("a key has from 1 to {MAX_KEY} bytes"),
            ));
        }
        let name = name(caller, key);
        let claim = crate::random_id();
        let args = [
            Arg::from(hex::encode(fingerprint)),
            Arg::from(claim.as_str()),
            Arg::from(crate::random_id()),
            Arg::from(crate::locks::millis(LEASE)),
            Arg::from(crate::locks::millis(RETENTION)),
        ];
        let keys = [self.plane.keys().quorate().idempotency(&name)];
        // The claim is new, so a repeat after a lost reply finds its own.
        let reply: Value = self.plane.store().repeatable().run(&script::BEGIN, &keys, &args).await?;
        model::begun(name, claim, reply).ok_or_else(|| undecodable("begun"))
    }

    /// Keeps the answer for a day. If the claim has passed to another, that one's answer counts, and this does nothing.
    pub async fn finish(&self, claim: &Claim, kept: &Kept) -> Result<()> {
        let large = kept.body.len() > MAX_BODY;
        let args = [
            Arg::from(claim.claim.as_str()),
            Arg::from(if large { "large" } else { "done" }),
            Arg::from(u64::from(kept.status)),
            Arg::from(kept.content_type.as_str()),
            Arg::from(if large { &b""[..] } else { &kept.body[..] }),
            Arg::from(crate::locks::millis(RETENTION)),
        ];
        self.store_run(&script::FINISH, claim, &args).await
    }

    /// Leaves the request to whoever repeats it. What was done of it is remembered and is not done again.
    pub async fn leave(&self, claim: &Claim) -> Result<()> {
        self.store_run(&script::LEAVE, claim, &[Arg::from(claim.claim.as_str())]).await
    }

    /// The request of a claim, in whose name changes are made.
    pub fn once(&self, claim: &Claim) -> Once {
        Once::remembered(self.plane.keys().quorate().idempotency(&claim.name), &claim.request)
    }

    async fn store_run(&self, script: &quorate_store::Script, claim: &Claim, args: &[Arg<'_>]) -> Result<()> {
        let keys = [self.plane.keys().quorate().idempotency(&claim.name)];
        self.plane.store().repeatable().run::<u64>(script, &keys, args).await.map(drop)
    }
}

/// Two callers never share a key: the length keeps `ab` with `c` from being `a` with `bc`.
fn name(caller: &str, key: &str) -> Name {
    let mut hash = Sha256::new();
    hash.update((caller.len() as u64).to_be_bytes());
    hash.update(caller);
    hash.update(key);
    Name::parse(&hex::encode(hash.finalize())).expect("hexadecimal digits are a hash")
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn callers_do_not_share_keys() {
        assert_ne!(name("ab", "c"), name("a", "bc"));
        assert_eq!(name("a", "k"), name("a", "k"));
    }
}
