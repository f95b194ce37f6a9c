//! Starting, stopping and dying.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use crate::support::{Plane, free_port, is_alive, kill, quorate, redis_cli, said, until};

fn up(dir: &Path, args: &[&str]) -> crate::support::Said {
    let mut command = quorate(&["up", "--listen", "127.0.0.1:0", "--data-dir"]);
    said(command.arg(dir).args(args).output().unwrap())
}

#[test]
fn a_killed_engine_is_back_within_two_seconds_with_every_acknowledged_write() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    // `always`, because `everysec` may hold writes back while the disk is slow; the engine's tests say how much.
    let mut plane = Plane::on(home.path(), &["--redis-port", &port, "--fsync", "always"], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    for round in 0..3 {
        let key = format!("metrics:round-{round}");
        assert_eq!(redis_cli(&url, &["INCR", &key]).out.trim(), "1");
        kill(plane.engine_pid(), "KILL");
        let line = plane.wait_for("is back as process");
        let outage: u64 = line.split("after ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(outage < 2_000, "{line}");
        assert_eq!(redis_cli(&url, &["GET", &key]).out.trim(), "1");
    }
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

/// Both ways in which the engine is tied to its owner.
#[test]
fn a_killed_owner_takes_its_engine_along_and_the_next_start_recovers() {
    for leash in ["", "guard"] {
        let home = tempfile::tempdir().unwrap();
        let port = free_port().to_string();
        let mut plane = Plane::on(home.path(), &["--redis-port", &port], &[("QUORATE_ENGINE_LEASH", leash)]);
        let url = plane.run(&["url"]).out.trim().to_owned();
        assert_eq!(redis_cli(&url, &["SET", "metrics:kept", "7"]).out.trim(), "OK");
        let engine = plane.engine_pid();
        plane.signal("KILL");
        plane.wait();
        until("the engine ends with its owner", Duration::from_secs(5), || !is_alive(engine));
        let next = Plane::on(home.path(), &["--redis-port", &port], &[]);
        assert_eq!(
            redis_cli(&next.run(&["url"]).out, &["GET", "metrics:kept"]).out.trim(),
            "7",
            "leash {leash:?}"
        );
    }
}

#[test]
fn a_second_start_on_the_same_directory_is_refused_and_names_the_first() {
    let plane = Plane::start();
    let second = up(&plane.dir, &[]);
    assert_eq!(second.code, 4, "{}", second.err);
    assert!(second.err.contains(&format!("process {}", plane.pid())), "{}", second.err);
    assert_eq!(plane.run(&["doctor"]).code, 0, "the first goes on");
}

#[test]
fn sigterm_and_sigint_stop_cleanly() {
    for signal in ["TERM", "INT"] {
        let home = tempfile::tempdir().unwrap();
        let mut plane = Plane::on(home.path(), &[], &[]);
        let engine = plane.engine_pid();
        plane.signal(signal);
        assert_eq!(plane.wait(), 0, "{signal}");
        assert!(!is_alive(engine), "the engine ended first");
        assert_eq!(plane.run(&["doctor"]).code, 69);
    }
}

#[test]
fn a_truncated_tail_is_repaired_with_a_message() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let mut plane = Plane::on(home.path(), &["--redis-port", &port], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    for n in 0..20 {
        redis_cli(&url, &["SET", &format!("metrics:n{n}"), "1"]);
    }
    plane.signal("TERM");
    plane.wait();
    let file = newest_increment(home.path());
    let length = std::fs::metadata(&file).unwrap().len();
    std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(length - 5).unwrap();
    let mut plane = Plane::begin(home.path(), &["--redis-port", &port], &[]);
    plane.wait_for("was incomplete");
    plane.wait_for("is up");
    let url = plane.run(&["url"]).out.trim().to_owned();
    assert_eq!(redis_cli(&url, &["GET", "metrics:n19"]).out.trim(), "1", "only the tail is gone");
    let journal = redis_cli(&url, &["XRANGE", "reverie:env:log", "-", "+"]).out;
    assert!(!journal.contains("plane:stopped"), "the last write was of the plane's own stop: {journal}");
}

fn newest_increment(dir: &Path) -> std::path::PathBuf {
    let folder = dir.join("store/appendonlydir");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.to_string_lossy().ends_with(".incr.aof")).max().unwrap()
}

#[test]
fn a_damaged_engine_file_is_replaced_and_said() {
    let home = tempfile::tempdir().unwrap();
    let mut plane = Plane::on(home.path(), &[], &[]);
    plane.signal("TERM");
    plane.wait();
    let engine = std::fs::read_dir(home.path().join("engine")).unwrap().map(|entry| entry.unwrap().path());
    let binary = engine.into_iter().find(|path| path.to_string_lossy().contains("valkey-server-")).unwrap();
    std::fs::write(&binary, "not a server").unwrap();
    let mut plane = Plane::begin(home.path(), &[], &[]);
    plane.wait_for("was damaged and has been unpacked anew");
    plane.wait_for("is up");
}

#[test]
fn what_cannot_work_is_one_sentence() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let not_a_directory = up(&file.join("data"), &[]);
    assert_eq!(not_a_directory.code, 1);
    assert!(not_a_directory.err.contains("--data-dir"), "{}", not_a_directory.err);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let redis_port = up(&home.path().join("a"), &["--redis-port", &port]);
    assert!(redis_port.code == 1 && redis_port.err.contains(&port), "{}", redis_port.err);
    let mut command = quorate(&["up", "--listen", &format!("127.0.0.1:{port}"), "--data-dir"]);
    let listen = said(command.arg(home.path().join("b")).output().unwrap());
    assert!(listen.code == 1 && listen.err.contains("--listen"), "{}", listen.err);
    let mut command = quorate(&["up", "--listen", "127.0.0.1:0", "--data-dir"]);
    let garbage = said(command.arg(home.path().join("c")).env("QUORATE_ENGINE_BIN", &file).output().unwrap());
    assert!(garbage.code == 1 && garbage.err.contains("QUORATE_ENGINE_BIN"), "{}", garbage.err);
    for said in [not_a_directory, redis_port, listen, garbage] {
        assert!(said.err.lines().count() <= 2, "{}", said.err);
    }
}

#[test]
fn secrets_stay_in_their_files() {
    let plane = Plane::start();
    let url = plane.run(&["url"]).out;
    let password = url.trim().split("pass=").nth(1).expect("a socket URL").to_owned();
    for pid in [plane.pid(), plane.engine_pid()] {
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap();
        assert!(!line.contains(&password), "{line}");
    }
    for path in files(&plane.dir) {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o077;
        let holds_it = std::fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(password.len()).any(|w| w == password.as_bytes()));
        assert!(!holds_it || mode == 0, "{} can be read by others", path.display());
        assert!(!holds_it || !path.to_string_lossy().ends_with(".log"), "the log has the password");
    }
    let dir = std::fs::metadata(&plane.dir).unwrap().permissions().mode();
    assert_eq!(dir & 0o077, 0, "{dir:o}");
}

fn files(dir: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.is_file())
        .collect()
}
