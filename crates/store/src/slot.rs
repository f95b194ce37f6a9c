//! The cluster slot of a key.
//!
//! The client crate computes the same but keeps the number to itself, and the table of slots is by number.

const SLOTS: u16 = 16384;

/// The slot that a cluster gives to `key`: CRC16 of its hash tag, or of all of it if it has none.
pub fn slot(key: &[u8]) -> u16 {
    tag(key).unwrap_or(key).iter().fold(0, step) % SLOTS
}

fn tag(key: &[u8]) -> Option<&[u8]> {
    let open = key.iter().position(|byte| *byte == b'{')? + 1;
    let length = key[open..].iter().position(|byte| *byte == b'}')?;
    (length > 0).then(|| &key[open..open + length])
}

/// CRC16/XMODEM, a byte at a time.
fn step(crc: u16, byte: &u8) -> u16 {
    (0..8).fold(
        crc ^ (u16::from(*byte) << 8),
        |crc, _| if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use redis::cluster_routing::Slot;

    #[test]
    fn slots_are_those_of_the_server() {
        // CLUSTER KEYSLOT of Redis 7.0.15.
        assert_eq!((slot(b"foo"), slot(b"a:{task:123}:b"), slot(b"")), (12182, slot(b"task:123"), 0));
    }

    proptest::proptest! {
        #[test]
        fn slots_are_those_of_the_client_crate(key in "[a-c{}:]{0,12}") {
            proptest::prop_assert_eq!(Slot::new(slot(key.as_bytes())), Some(Slot::for_key(&key)));
        }
    }
}
