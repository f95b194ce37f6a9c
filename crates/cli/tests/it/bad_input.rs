//! Hostile names and broken flags: one clear sentence, the right code, nothing done.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use crate::support::{quorate, run, said};

pub(crate) const HOSTILE: &[&str] = &[
    "a:b",
    "a::b",
    "a:",
    "~fence",
    "{x}",
    "{}",
    "a{b",
    "*",
    "?",
    "[a-z]",
    "\\",
    "a b",
    "a\tb",
    "a\r\nb",
    "a\x7f",
    "a\u{202e}b",
    "a\u{200b}b",
    "\u{e9}",
    "e\u{301}",
    "\u{430}gent",
    "%3A",
    "%253A",
    "$(id)",
    "`id`",
    ";DROP",
    ".",
    "..",
    "😀",
    "\x1b[2J",
    "\x1b]0;title\x07",
];

#[test]
fn a_hostile_namespace_is_refused_in_every_command_that_takes_one() {
    let long = "x".repeat(1_000_000 / 10);
    for name in HOSTILE.iter().copied().chain([long.as_str()]) {
        for command in
            [&["keys", "ls"][..], &["keys", "which", "sessions:1"], &["keys", "show", "reverie.session"]]
        {
            let mut command = quorate(command);
            let said = said(command.env("QUORATE_NAMESPACE", name).output().unwrap());
            assert_eq!(said.code, 2, "{name:?}: {}", said.err);
            assert!(
                said.err.starts_with("error: ") && said.err.contains("cannot be a name of kind namespace"),
                "{}",
                said.err
            );
            assert!(
                said.out.is_empty() && !said.err.contains('\x1b') && said.err.len() < 600,
                "{}",
                said.err
            );
        }
    }
}

#[test]
fn a_malformed_key_fits_no_family() {
    for (nth, name) in HOSTILE.iter().enumerate() {
        let key = [format!("sessions:{name}"), format!("context:{name}"), (*name).to_owned()];
        let said = run(&["keys", "which", "-o", "json", "--", &key[nth % 3]]);
        assert_eq!(said.code, 3, "{key:?}: {}", said.out);
        assert!(!said.err.contains('\x1b') && said.out.is_empty());
    }
    for reserved in ["sessions:", "ade:task:index:state", "ade:session:index", "-rf", "--help-me", ""] {
        assert_eq!(run(&["keys", "which", "--", reserved]).code, 3, "{reserved}");
    }
    let invalid = OsString::from_vec(b"sessions:\xff".to_vec());
    assert_eq!(said(quorate(&["keys", "which"]).arg(invalid).output().unwrap()).code, 3);
}

#[test]
fn usage_errors_are_exit_2_and_help_is_exit_0() {
    for args in [
        &["nonsense"][..],
        &["keys"],
        &["keys", "ls", "--nope"],
        &["keys", "which"],
        &["keys", "ls", "-o", "xml"],
        &["up", "--redis-port", "0"],
        &["up", "--redis-port", "70000"],
        &["up", "--listen", "somewhere"],
        &["keys", "ls", "--kind", "tree"],
    ] {
        let said = run(args);
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert!(said.out.is_empty() && !said.err.is_empty(), "{args:?}");
    }
    for args in [&["--help"][..], &["keys", "--help"], &["up", "--help"], &["--version"]] {
        assert_eq!(run(args).code, 0, "{args:?}");
    }
    let invalid = OsString::from_vec(b"\xff".to_vec());
    assert_eq!(said(quorate(&["keys", "show"]).arg(invalid).output().unwrap()).code, 2);
}

#[test]
fn a_password_on_the_command_line_is_refused() {
    let said = run(&["doctor", "--redis-url", "redis://:sesame@127.0.0.1:1/"]);
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("REDIS_URL") && !said.err.contains("sesame"), "{}", said.err);
}

#[test]
fn listening_beyond_loopback_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let mut command = quorate(&["up", "--listen", "0.0.0.0:0", "--data-dir"]);
    let said = said(command.arg(home.path().join("d")).output().unwrap());
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("127.0.0.1"), "{}", said.err);
    assert!(!home.path().join("d").exists(), "nothing was made");
}

#[test]
fn without_a_plane_there_is_no_store_to_reach() {
    let home = tempfile::tempdir().unwrap();
    for command in [&["doctor"][..], &["fsck"], &["url"], &["agents", "ls"], &["agents", "register", "a"]] {
        let said = said(quorate(&[command, &["--data-dir"]].concat()).arg(home.path()).output().unwrap());
        assert_eq!(said.code, 69, "{command:?}: {}", said.err);
        assert!(said.err.contains("quorate up"), "{}", said.err);
    }
}
