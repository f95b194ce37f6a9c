//! Secrets that are shown once: what the store gets is their hash.
//!
//! 256 random bits need no salt and no slow hash; nobody can try them all. A secret never is an argument, a key or a
//! value in clear, so no log of the server, copy of its memory or walk over its keys has one.

use quorate_catalog::ids::SecretHash;
use sha2::{Digest, Sha256};

/// The longest text that is looked at as a secret.
const LONGEST: usize = 256;

/// What stands in an answer for a secret that was shown before, or that nobody got.
pub(crate) const SHOWN_ONCE: &str = "(shown once)";

/// A new secret of a kind; the prefix lets people and scanners of sources recognise it.
pub(crate) fn new(prefix: &str) -> String {
    format!("{prefix}{}{}", crate::random_id(), crate::random_id())
}

/// Under which name a secret is kept.
pub(crate) fn hash(secret: &str) -> SecretHash {
    SecretHash::parse(&hex::encode(Sha256::digest(secret))).expect("hexadecimal digits are a hash")
}

/// The same for a text that came from outside; none for what can be no secret of this kind.
pub(crate) fn known(prefix: &str, secret: &str) -> Option<SecretHash> {
    (secret.starts_with(prefix) && secret.len() <= LONGEST).then(|| hash(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_256_bits_and_its_hash_none_of_them() {
        let (one, two) = (new("qt_"), new("qt_"));
        assert!(one != two && one.len() == 3 + 64, "{one}");
        assert!(!hash(&one).as_key().contains(&one[3..19]) && hash(&one).as_key().len() == 64);
        assert_eq!(known("qt_", &one), Some(hash(&one)));
        assert_eq!((known("qs_", &one), known("qt_", &format!("qt_{}", "x".repeat(300)))), (None, None));
    }
}
