//! A file that is not whole is refused, and the target is as it was.

use std::fs;

use quorate_backup::Error;

use crate::support::{Bench, Shelf, bench, keys, say, valkey};

async fn damaged(change: impl Fn(&mut Vec<u8>)) -> (Error, Bench) {
    let (source, shelf) = (bench(&valkey()).await, Shelf::new());
    say::<()>(&source.scope, "SET a 1").await;
    shelf.backup(&source.scope).await.unwrap();
    let mut bytes = fs::read(shelf.file()).unwrap();
    change(&mut bytes);
    fs::write(shelf.file(), bytes).unwrap();
    // The same server, so that a restore that deletes before it checks is seen.
    let refusal = shelf.replace(&source.scope).await.unwrap_err();
    assert_eq!((keys(&source.scope).await, say::<u64>(&source.scope, "GET a").await), (1, 1));
    (refusal, source)
}

#[tokio::test]
async fn a_truncated_file() {
    for cut in [1, 40, 150] {
        let (refusal, _) = damaged(|bytes| bytes.truncate(bytes.len() - cut)).await;
        assert!(refusal.to_string().contains(&format!("{cut} bytes are missing")), "{refusal}");
    }
    let (refusal, _) = damaged(|bytes| bytes.truncate(300)).await;
    assert!(matches!(refusal, Error::Damaged { .. }), "{refusal}");
}

#[tokio::test]
async fn a_flipped_bit_in_the_snapshot() {
    let (refusal, _) = damaged(|bytes| {
        let last = bytes.len() - 20;
        bytes[last] ^= 1;
    })
    .await;
    assert!(refusal.to_string().contains("does not match its checksum"), "{refusal}");
}

#[tokio::test]
async fn a_flipped_bit_in_the_manifest() {
    for place in [20, 90, 2_000] {
        let (refusal, _) = damaged(|bytes| bytes[place] ^= 1).await;
        assert!(refusal.to_string().contains("its manifest was changed"), "{refusal}");
    }
}

#[tokio::test]
async fn bytes_after_the_end() {
    let (refusal, _) = damaged(|bytes| bytes.push(b'x')).await;
    assert!(refusal.to_string().contains("1 bytes too many"), "{refusal}");
}

#[tokio::test]
async fn a_file_of_another_kind_or_of_a_newer_version() {
    let (refusal, _) = damaged(|bytes| bytes[0] = b'Q').await;
    assert!(matches!(refusal, Error::NotABackup { .. }), "{refusal}");
    let (refusal, _) = damaged(|bytes| bytes.clear()).await;
    assert!(matches!(refusal, Error::NotABackup { .. }), "{refusal}");
    let (refusal, _) = damaged(|bytes| bytes[15] = b'2').await;
    assert!(refusal.to_string().contains("has format 2"), "{refusal}");
}
