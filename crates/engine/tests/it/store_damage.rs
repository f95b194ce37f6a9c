//! A store with an incomplete tail is repaired and says so; one that is damaged in the middle is refused.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use quorate_engine::{Binary, Error, Event, Options};
use tempfile::TempDir;

use crate::support::{carried, client, event, fill, lost, redis, start};

const KEYS: usize = 100;

#[test]
fn an_incomplete_tail_is_repaired_and_only_the_tail_is_lost() {
    for cut in [1, 7, 20] {
        repairs_tail(carried(), cut);
    }
}

#[test]
fn an_incomplete_tail_is_repaired_on_redis() {
    repairs_tail(redis(), 7);
}

fn repairs_tail(binary: Binary, cut: u64) {
    let dir = filled(&binary);
    let newest = newest_journal(dir.path());
    let before = fs::metadata(&newest).unwrap().len();
    OpenOptions::new().write(true).open(&newest).unwrap().set_len(before - cut).unwrap();
    let (engine, seen) = start(Options::new(dir.path()).binary(binary)).unwrap();
    let repaired = event(&seen, |event| matches!(event, Event::RepairedTail { .. }));
    let Event::RepairedTail { file, kept, dropped } = repaired else { unreachable!() };
    assert_eq!(file, newest.file_name().unwrap().to_str().unwrap());
    assert_eq!(kept + dropped, before - cut);
    let mut client = client(&engine);
    assert_eq!(lost(&mut client, KEYS), 1, "more than the last write was lost");
    client.call(&["SET", "key:99", "99"]).unwrap();
    assert_eq!(lost(&mut client, KEYS), 0);
}

#[test]
fn a_damaged_middle_is_refused_with_what_to_do_and_left_as_it_is() {
    let dir = filled(&carried());
    let newest = newest_journal(dir.path());
    let file = OpenOptions::new().write(true).open(&newest).unwrap();
    file.write_all_at(b"XXXX", fs::metadata(&newest).unwrap().len() / 2).unwrap();
    let damaged = fs::read(&newest).unwrap();
    let refusal = start(Options::new(dir.path())).unwrap_err();
    assert!(
        matches!(&refusal, Error::CorruptStore { file, .. } if file.ends_with(newest.file_name().unwrap()))
    );
    assert!(refusal.to_string().contains("quorate restore"), "{refusal}");
    assert_eq!(fs::read(&newest).unwrap(), damaged);
}

fn filled(binary: &Binary) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = start(Options::new(dir.path()).binary(binary.clone())).unwrap();
    fill(&mut client(&engine), KEYS);
    engine.stop();
    dir
}

fn newest_journal(data_dir: &Path) -> PathBuf {
    let entries = fs::read_dir(data_dir.canonicalize().unwrap().join("store/appendonlydir")).unwrap();
    let mut journals: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    journals.retain(|path| path.to_string_lossy().ends_with(".incr.aof"));
    journals.sort();
    journals.pop().unwrap()
}
