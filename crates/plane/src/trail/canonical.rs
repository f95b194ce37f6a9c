//! The bytes that a seal covers, so that two programs come to the same hash.
//!
//! Every length stands before what it measures, so no two different batches have the same bytes.

use sha2::{Digest, Sha256};

/// An entry of a stream: its id, and its fields in their order.
pub(super) type Raw = (String, Vec<(Vec<u8>, Vec<u8>)>);

/// What stands before the first batch.
pub(super) const NONE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The hash of a batch, record by record.
pub(super) struct Batch(Sha256);

impl Batch {
    /// Begins a batch after the one with this hash.
    pub(super) fn after(number: u64, previous: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"quorate trail 1\n");
        hash.update(number.to_be_bytes());
        hash.update(previous.as_bytes());
        Self(hash)
    }

    pub(super) fn add(&mut self, (id, fields): &Raw) {
        self.text(id.as_bytes());
        self.0.update((fields.len() as u64).to_be_bytes());
        for (name, value) in fields {
            self.text(name);
            self.text(value);
        }
    }

    pub(super) fn finish(self) -> String {
        hex::encode(self.0.finalize())
    }

    fn text(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(records: &[Raw]) -> String {
        let mut batch = Batch::after(1, NONE);
        records.iter().for_each(|record| batch.add(record));
        batch.finish()
    }

    fn record(id: &str, fields: &[(&str, &str)]) -> Raw {
        (
            id.into(),
            fields.iter().map(|(name, value)| (name.as_bytes().into(), value.as_bytes().into())).collect(),
        )
    }

    #[test]
    fn no_two_batches_have_the_same_bytes() {
        let all = [
            hash(&[record("1-0", &[("a", "bc")])]),
            hash(&[record("1-0", &[("ab", "c")])]),
            hash(&[record("1-0", &[("a", "b"), ("c", "")])]),
            hash(&[record("1-0", &[]), record("2-0", &[])]),
            hash(&[record("2-0", &[]), record("1-0", &[])]),
            hash(&[]),
            Batch::after(2, NONE).finish(),
        ];
        let different: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }
}
