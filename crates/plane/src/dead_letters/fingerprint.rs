//! What failures have in common: the first line of the error without what differs from one to the next.

/// A short name for a failure. Numbers, ids and quoted text do not count, so that one fault has one name.
pub fn fingerprint(error: &str) -> String {
    let line = error.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in shape(line).bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// The error with `#` for every word that has a digit, and `""` for what stands in quotes.
pub fn shape(line: &str) -> String {
    let mut shape = String::new();
    for (place, part) in line.split('"').enumerate() {
        if place % 2 == 1 {
            shape.push_str("\"\"");
            continue;
        }
        for word in part.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
            let (text, end) = match word.char_indices().next_back() {
                Some((at, last)) if !last.is_alphanumeric() => word.split_at(at),
                _ => (word, ""),
            };
            shape.push_str(if text.bytes().any(|byte| byte.is_ascii_digit()) { "#" } else { text });
            shape.push_str(end);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_one_failure_to_the_next_does_not_count() {
        let one = fingerprint("timeout after 30 ms: user \"ann\" (id 4f2a)\n  at line 7");
        assert_eq!(one, fingerprint("timeout after 1200 ms: user \"bob\" (id 77b1)\n  at line 9"));
        assert_ne!(one, fingerprint("refused after 30 ms: user \"ann\" (id 4f2a)"));
        assert_eq!(fingerprint("").len(), 16);
    }
}
