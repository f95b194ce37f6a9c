//! Percent-encoding with exactly one spelling per text, so that two texts never meet in one key.

use std::borrow::Cow;

/// Longest text that is encoded into a key, in bytes.
pub(super) const TEXT_MAX: usize = 512;

const HEX: &[u8; 16] = b"0123456789ABCDEF";

const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'@' | b'+' | b'-')
}

/// The form a text takes in a key.
pub fn encode(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut key = String::with_capacity(text.len() * 3);
    for byte in text.bytes() {
        if is_plain(byte) {
            key.push(char::from(byte));
        } else {
            key.extend([
                '%',
                char::from(HEX[usize::from(byte >> 4)]),
                char::from(HEX[usize::from(byte & 15)]),
            ]);
        }
    }
    Cow::Owned(key)
}

/// The text behind a key form, or `None` where it is not the one spelling [`encode`] gives.
pub fn decode(key: &str) -> Option<Cow<'_, str>> {
    if key.bytes().all(is_plain) {
        return Some(Cow::Borrowed(key));
    }
    let mut bytes = Vec::with_capacity(key.len());
    let mut rest = key.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let [high, low, ..] = *after else { return None };
            bytes.push(hex(high)? << 4 | hex(low)?);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    (encode(&text) == key).then_some(Cow::Owned(text))
}

fn hex(digit: u8) -> Option<u8> {
    HEX.iter().position(|&known| known == digit).and_then(|at| u8::try_from(at).ok())
}

pub(super) fn fault(key: &[u8]) -> Option<&'static str> {
    match std::str::from_utf8(key).ok().and_then(decode) {
        None => Some("it is not percent-encoded the one way it can be"),
        Some(text) if text.len() > TEXT_MAX => Some("it is too long"),
        Some(_) => None,
    }
}
