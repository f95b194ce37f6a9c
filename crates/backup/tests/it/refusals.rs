//! What is refused, and that a refusal changes nothing.

use std::fs;

use quorate_backup::{Error, Options};
use quorate_engine::{Node, NodeOptions};
use quorate_store::deployment;

use crate::support::{Shelf, bench, fsck, keys, redis, say, scope, valkey};

#[tokio::test]
async fn a_target_with_keys_is_refused_and_replaced_only_when_asked() {
    let (source, target, shelf) = (bench(&valkey()).await, bench(&valkey()).await, Shelf::new());
    say::<()>(&source.scope, "SET a 1").await;
    say::<()>(&target.scope, "SET foreign 1").await;
    shelf.backup(&source.scope).await.unwrap();
    let refusal = shelf.restore(&target.scope).await.unwrap_err();
    assert!(matches!(refusal, Error::NotEmpty { keys: 1 }), "{refusal}");
    assert_eq!(say::<Vec<String>>(&target.scope, "KEYS *").await, ["foreign"]);
    shelf.replace(&target.scope).await.unwrap();
    assert_eq!(say::<Vec<String>>(&target.scope, "KEYS *").await, ["a"]);
}

#[tokio::test]
async fn the_record_of_a_plane_that_has_just_started_is_replaced() {
    let (source, target, shelf) = (bench(&valkey()).await, bench(&valkey()).await, Shelf::new());
    for one in [&source, &target] {
        deployment::claim(&one.scope.store, &one.scope.keys).await.unwrap();
    }
    shelf.backup(&source.scope).await.unwrap();
    shelf.restore(&target.scope).await.unwrap();
    let id = "HGET ~q:quorate:meta deployment";
    assert_eq!(say::<String>(&target.scope, id).await, say::<String>(&source.scope, id).await);
}

#[tokio::test]
async fn the_record_of_the_target_stays_where_the_backup_has_none() {
    let (source, target, shelf) = (bench(&valkey()).await, bench(&valkey()).await, Shelf::new());
    say::<()>(&source.scope, "SET a 1").await;
    deployment::claim(&target.scope.store, &target.scope.keys).await.unwrap();
    shelf.backup(&source.scope).await.unwrap();
    shelf.restore(&target.scope).await.unwrap();
    shelf.replace(&target.scope).await.unwrap();
    assert_eq!((keys(&target.scope).await, fsck(&target.scope).await.len()), (2, 0));
}

#[tokio::test]
async fn a_file_that_exists_is_replaced_only_when_asked() {
    let (source, shelf) = (bench(&valkey()).await, Shelf::new());
    fs::write(shelf.file(), "mine").unwrap();
    let refusal = shelf.backup(&source.scope).await.unwrap_err();
    assert!(matches!(refusal, Error::Exists { .. }), "{refusal}");
    assert_eq!(fs::read(shelf.file()).unwrap(), b"mine");
    let force = Options::replace(true);
    quorate_backup::backup(&source.scope, &shelf.file(), &force, &|_, _, _| {}).await.unwrap();
    assert_eq!(fs::read_dir(shelf.file().parent().unwrap()).unwrap().count(), 1, "something was left behind");
}

#[tokio::test]
async fn a_directory_that_is_not_there_and_a_name_that_is_a_directory() {
    let (source, shelf) = (bench(&valkey()).await, Shelf::new());
    for path in [shelf.file().join("deeper/file"), shelf.file().parent().unwrap().to_owned()] {
        let force = Options::replace(true);
        let refusal = quorate_backup::backup(&source.scope, &path, &force, &|_, _, _| {}).await.unwrap_err();
        assert!(matches!(refusal, Error::Unwritable { .. }), "{refusal}");
    }
}

#[tokio::test]
async fn an_unfinished_restore_is_found_refused_and_finished() {
    let (source, target, shelf) = (bench(&valkey()).await, bench(&valkey()).await, Shelf::new());
    say::<()>(&source.scope, "SET a 1").await;
    shelf.backup(&source.scope).await.unwrap();
    say::<u64>(&target.scope, "HSET ~q:quorate:restore file f started_at 2026-11-15T20:49:07.000123Z").await;
    assert_eq!(fsck(&target.scope).await, ["FSCK011"]);
    let refusal = shelf.restore(&target.scope).await.unwrap_err();
    assert!(refusal.to_string().contains("2026-11-15T20:49:07"), "{refusal}");
    let refusal = Shelf::new().backup(&target.scope).await.unwrap_err();
    assert!(matches!(refusal, Error::Partial { .. }), "{refusal}");
    shelf.replace(&target.scope).await.unwrap();
    assert_eq!((keys(&target.scope).await, fsck(&target.scope).await.len()), (1, 0));
}

#[tokio::test]
async fn an_engine_that_is_too_old_for_the_copy_says_what_to_do() {
    let (source, shelf) = (bench(&valkey()).await, Shelf::new());
    say::<()>(&source.scope, "SET a 1").await;
    let old = Options { binary: Some(redis()), ..Options::default() };
    let refusal =
        quorate_backup::backup(&source.scope, &shelf.file(), &old, &|_, _, _| {}).await.unwrap_err();
    assert!(refusal.to_string().contains("set QUORATE_ENGINE_BIN"), "{refusal}");
    assert!(!shelf.file().exists());
}

#[tokio::test]
async fn a_user_without_the_right_is_told_which_one() {
    let line = "user reader on >sesame ~* &* +@all -sync";
    let node = Node::start(NodeOptions::new(&valkey()).unwrap().config(line)).unwrap();
    let url = format!("redis://reader:sesame@127.0.0.1:{}", node.port());
    let refusal = Shelf::new().backup(&scope(&url, Default::default()).await).await.unwrap_err();
    assert!(refusal.to_string().contains("+sync"), "{refusal}");
    assert!(!refusal.to_string().contains("sesame"), "{refusal}");
}
