//! How a receiver knows that a delivery is ours: the signature of the Standard Webhooks specification.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::bad;
use quorate_store::Result;

/// How every secret begins.
pub const PREFIX: &str = "whsec_";

/// What signs the deliveries of one webhook. It is shown once, when the webhook is made.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    text: String,
    key: Vec<u8>,
}

impl Secret {
    pub(super) fn new() -> Self {
        let digits = format!("{}{}", crate::random_id(), crate::random_id());
        let key = hex::decode(digits).expect("hexadecimal digits");
        Self { text: format!("{PREFIX}{}", STANDARD.encode(&key)), key }
    }

    /// One that the receiver chose: `whsec_` and the base64 of 24 to 64 bytes.
    pub fn parse(text: &str) -> Result<Self> {
        let key = text.trim().strip_prefix(PREFIX).and_then(|rest| STANDARD.decode(rest).ok());
        match key.filter(|key| (24..=64).contains(&key.len())) {
            Some(key) => Ok(Self { text: text.trim().to_owned(), key }),
            // The text is not repeated: it may be a secret with one letter missing.
            None => Err(bad("a secret is whsec_ and the base64 of 24 to 64 bytes")),
        }
    }

    /// The secret itself, for its receiver and for the store.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// `v1,…`: the signature of a delivery's id, its moment in Unix seconds, and its body.
    pub fn sign(&self, id: &str, timestamp: u64, body: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("HMAC takes any key");
        mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

/// Whatever is printed for debugging ends in a log.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_specification() {
        // The example of the specification's own libraries.
        let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_new_secret_reads_back_and_shows_nothing() {
        let (one, two) = (Secret::new(), Secret::new());
        assert!(one != two && Secret::parse(one.reveal()).unwrap() == one);
        assert_eq!(format!("{one:?}"), "Secret(…)");
        for wrong in ["", "whsec_", "whsec_AAAA", "qt_x", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!"] {
            assert!(Secret::parse(wrong).is_err_and(|error| !error.to_string().contains("MfKQ")), "{wrong}");
        }
    }
}
