//! `quorate tokens`, `sign-ins` and `audit`: outcomes, exit codes, bad input, and that no secret is said twice.

use std::time::Duration;

use serde_json::Value;

use crate::support::{Plane, free_port, redis_cli, until};

fn audit(plane: &Plane, more: &[&str]) -> Vec<Value> {
    let said = plane.run(&[&["audit", "ls", "-o", "json"], more].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    said.json()["records"].as_array().unwrap().clone()
}

#[test]
fn a_token_is_made_listed_and_revoked() {
    let plane = Plane::start();
    let create =
        ["tokens", "create", "ci", "--role", "agent", "--scope", "queues:work", "--scope", "locks:*"];
    let made = plane.run(&[&create[..], &["--agent", "a1", "--ttl", "30d", "-o", "json"]].concat());
    assert_eq!(made.code, 0, "{}", made.err);
    let token = made.json()["token"].as_str().unwrap().to_owned();
    assert!(token.starts_with("qt_") && token.len() == 67 && !made.err.contains(&token), "on stdout only");
    assert_eq!(made.json()["scopes"], serde_json::json!(["queues:work", "locks:*"]));
    let again = plane.run(&create);
    assert_eq!(again.code, 4, "{}", again.out);
    let listed = plane.run(&["tokens", "ls", "-o", "json"]);
    assert_eq!((&listed.json()[0]["name"], &listed.json()[0]["agent"]), (&"ci".into(), &"a1".into()));
    let table = plane.run(&["tokens", "ls"]);
    assert!(
        table.out.contains("queues:work")
            && !table.out.contains(&token[3..])
            && !listed.out.contains(&token[3..])
    );
    let shown = plane.run(&["tokens", "create", "two", "--role", "viewer"]);
    assert_eq!((shown.code, shown.out.trim().len()), (0, 67), "for people and scripts the token alone");
    assert_eq!(
        (plane.run(&["tokens", "revoke", "ci"]).code, plane.run(&["tokens", "revoke", "ci"]).code),
        (0, 3)
    );
    for bad in [
        &["tokens", "create", "x"][..],
        &["tokens", "create", "x", "--role", "root"],
        &["tokens", "create", "x", "--role", "agent", "--scope", "queues"],
        &["tokens", "create", "x", "--role", "agent", "--ttl", "0s"],
        &["tokens", "create", "x", "--role", "agent", "--agent", "a b"],
        &["tokens", "create", "x", "--role", "agent", "--by", ""],
        &["tokens", "create", "a:b", "--role", "agent"],
        &["tokens", "create", "index", "--role", "agent"],
        &["tokens", "revoke", "\x1b[2J"],
        &["sign-ins", "invite", "ada", "--role", "viewer", "--ttl", "8d"],
        &["sign-ins", "role", "ada", "root"],
        &["audit", "ls", "--since", "yesterday"],
        &["audit", "ls", "--cursor", "x"],
        &["audit", "verify", "--anchor", "1:ab"],
    ] {
        let said = plane.run(bad);
        assert_eq!(said.code, 2, "{bad:?}: {}{}", said.out, said.err);
        assert!(!said.err.contains('\x1b'));
    }
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

/// With a certificate the first line that people try was an address in clear, at which nobody answers.
#[test]
fn a_plane_with_a_certificate_prints_addresses_that_work() {
    let file = |name: &str| format!("{}/../server/tests/tls/{name}", env!("CARGO_MANIFEST_DIR"));
    let (certificate, key) = (file("certificate.pem"), file("key.pem"));
    let home = tempfile::TempDir::new().expect("a directory");
    let with = ["--tls-cert", &certificate, "--tls-key", &key];
    let mut plane = Plane::begin(&home.path().join("data"), &with, &[]);
    let said = plane.heard_until("/login?code=");
    assert!(said.iter().any(|line| line.contains("  http    https://127.0.0.1:")), "{said:?}");
    assert!(!said.iter().any(|line| line.contains("http://127.0.0.1:")), "{said:?}");
    let mixed =
        Plane::begin(&home.path().join("other"), &["--tls-cert", &key, "--tls-key", &certificate], &[])
            .rest();
    assert!(mixed.iter().any(|line| line.contains("there is no certificate (PEM) in it")), "{mixed:?}");
}

#[test]
fn people_are_invited_listed_and_cut_off() {
    let plane = Plane::start();
    let invited = plane.run(&["sign-ins", "invite", "ada", "--role", "operator", "-o", "json"]);
    assert!(invited.json()["code"].as_str().unwrap().starts_with("qi_"), "{}", invited.out);
    assert_eq!(plane.run(&["sign-ins", "role", "ada", "viewer", "-o", "json"]).json()["before"], Value::Null);
    assert_eq!(plane.run(&["sign-ins", "role", "ada", "none", "-o", "json"]).json()["before"], "viewer");
    assert_eq!(plane.run(&["sign-ins", "ls", "-o", "json"]).json(), serde_json::json!([]));
    assert_eq!(plane.run(&["sign-ins", "revoke", "ada", "-o", "json"]).json()["sessions"], 0);
    let actions: Vec<Value> =
        audit(&plane, &["--action", "sign-ins"]).iter().map(|one| one["action"].clone()).collect();
    assert_eq!(actions, ["sign-ins.revoke", "sign-ins.role", "sign-ins.role", "sign-ins.invite"]);
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

/// Every command of the table leaves one record, with who, what and how it ended; one that changes nothing leaves none.
#[test]
fn administrative_commands_leave_one_record_each() {
    let plane = Plane::start();
    let run = |words: &[&str]| plane.run(words).code;
    assert_eq!(run(&["agents", "register", "a1"]), 0);
    assert_eq!(run(&["queues", "push", "normal", "x"]), 0);
    assert_eq!((run(&["agents", "ls"]), run(&["queues", "ls"]), run(&["tokens", "ls"])), (0, 0, 0));
    assert_eq!(audit(&plane, &[]), Vec::<Value>::new(), "hot and reading commands leave none");
    let commands: &[(&[&str], &str, &str, &str)] = &[
        (&["agents", "drain", "a1"], "agents.drain", "a1", "ok"),
        (&["agents", "revoke", "a1"], "agents.revoke", "a1", "ok"),
        (&["agents", "revoke", "nobody"], "agents.revoke", "nobody", "refused:unregistered"),
        (&["queues", "pause", "normal"], "queues.pause", "normal", "ok"),
        (&["queues", "resume", "normal"], "queues.resume", "normal", "ok"),
        (&["limits", "set", "tasks:create", "2/1m"], "limits.set", "tasks:create", "ok"),
        (&["limits", "unset", "tasks:create"], "limits.unset", "tasks:create", "ok"),
        (
            &["jobs", "schedule", "nightly", "x", "--in", "1h", "--id", "j1"],
            "jobs.schedule",
            "j1 nightly",
            "ok",
        ),
        (&["jobs", "cancel", "j1"], "jobs.cancel", "j1", "ok"),
        (&["jobs", "cancel", "j2"], "jobs.cancel", "j2", "refused:no_job"),
        (&["dead", "replay", "none"], "dead.replay", "none", "refused:no_letter"),
        (&["dead", "drop", "none"], "dead.drop", "none", "refused:no_letter"),
        (&["dead", "investigate", "none", "--note", "x"], "dead.investigate", "none", "refused:no_letter"),
        (&["dead", "retry", "none"], "dead.retry", "none", "refused:no_letter"),
        (&["dead", "review", "none", "--note", "x"], "dead.review", "none", "refused:no_letter"),
        (&["dead", "delete", "none"], "dead.delete", "none", "refused:no_letter"),
        (&["tokens", "create", "t", "--role", "viewer"], "tokens.create", "t", "ok"),
        (&["tokens", "revoke", "t"], "tokens.revoke", "t", "ok"),
        (&["fsck", "--repair"], "fsck", "", "ok"),
    ];
    commands.iter().for_each(|(words, ..)| drop(plane.run(words)));
    let all = audit(&plane, &[]);
    assert_eq!(all.len(), commands.len(), "{all:#?}");
    for (one, (words, action, target, result)) in all.iter().rev().zip(commands) {
        let text = |name: &str| one[name].as_str().unwrap_or_default();
        assert_eq!(
            (text("action"), text("target"), text("result")),
            (*action, *target, *result),
            "{words:?}"
        );
        assert!(text("via") == "cli" && !text("who").is_empty() && text("who") != "operator", "{one}");
        // What was there is on record with what became of it; what is made, or is not there, was nothing.
        let known = [
            ("agents.drain", "agent", "a1"),
            ("agents.revoke", "agent", "a1"),
            ("limits.unset", "endpoint", "tasks:create"),
            ("tokens.revoke", "name", "t"),
        ];
        if let Some((_, name, value)) = known.iter().find(|(own, ..)| own == action && *result == "ok") {
            assert_eq!(one["before"][*name], *value, "{one}");
        }
    }
    assert_eq!(run(&["jobs", "schedule", "nightly", "x"]), 2);
    assert_eq!(run(&["tokens", "create", "a:b", "--role", "viewer"]), 2);
    assert_eq!(audit(&plane, &[]).len(), commands.len(), "bad input changes nothing and leaves none");
    assert_eq!(run(&["dead", "drop", "none", "--by", "ada"]), 3);
    assert_eq!(audit(&plane, &["--who", "ada"]).len(), 1);
    let verified = plane.run(&["audit", "verify", "-o", "json"]);
    assert_eq!((verified.code, &verified.json()["faults"]), (0, &0.into()), "{}", verified.out);
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn a_changed_trail_is_found_and_exits_1() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let plane = Plane::on(home.path(), &["--redis-port", &port], &[]);
    for number in 0..4 {
        assert_eq!(plane.run(&["limits", "set", &format!("e{number}"), "2/1m"]).code, 0);
    }
    // The running plane seals by itself.
    until("the records are sealed", Duration::from_secs(10), || {
        plane.run(&["audit", "verify", "-o", "json"]).json()["unsealed"] == 0
    });
    let whole = plane.run(&["audit", "verify", "-o", "json"]);
    let anchor = whole.json()["anchor"].as_str().unwrap().to_owned();
    assert_eq!(plane.run(&["audit", "verify", "--anchor", &anchor]).code, 0);
    let url = plane.run(&["url"]).out.trim().to_owned();
    let second = audit(&plane, &[])[2]["id"].as_str().unwrap().to_owned();
    assert_eq!(redis_cli(&url, &["XDEL", "~q:audit:records", &second]).out.trim(), "1");
    let found = plane.run(&["audit", "verify"]);
    assert!(found.code == 1 && found.out.starts_with("deleted: batch"), "{}", found.out);
    let fsck = plane.run(&["fsck", "-o", "json"]);
    assert_eq!((fsck.code, &fsck.json()["findings"][0]["code"]), (1, &"FSCK074".into()));
    assert_eq!(plane.run(&["audit", "verify", "--anchor", &format!("9:{}", "ab".repeat(32))]).code, 1);
}

/// X5: no token, code or session secret is anywhere but in the one answer that gave it.
#[test]
fn secrets_are_in_no_key_no_log_and_no_other_answer() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let mut plane = Plane::on(home.path(), &["--redis-port", &port], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    redis_cli(&url, &["CONFIG", "SET", "slowlog-log-slower-than", "0"]);
    // What is packed could not be searched.
    redis_cli(&url, &["CONFIG", "SET", "rdbcompression", "no"]);
    let mut secrets = Vec::new();
    for name in ["one", "two"] {
        let made = plane.run(&["tokens", "create", name, "--role", "admin", "-o", "json"]).json();
        secrets.push(made["token"].as_str().unwrap()[3..].to_owned());
        let invited = plane.run(&["sign-ins", "invite", name, "--role", "admin", "-o", "json"]).json();
        secrets.push(invited["code"].as_str().unwrap()[3..].to_owned());
    }
    assert_eq!(plane.run(&["tokens", "revoke", "one"]).code, 0);
    let mut said = String::new();
    for words in [
        &["tokens", "ls"][..],
        &["sign-ins", "ls"],
        &["audit", "ls"],
        &["audit", "verify"],
        &["tokens", "create", "two", "--role", "admin"],
        &["fsck"],
        &["doctor"],
        &["keys", "ls"],
    ] {
        let one = plane.run(words);
        said += &one.out;
        said += &one.err;
    }
    // Over HTTP, where they belong and wherever else somebody may put one; then what a scraper gets.
    let token = format!("qt_{}", secrets[2]);
    let before = url.rsplit_once('@').map_or("", |(before, _)| before);
    let password = before.rsplit_once(':').map_or("", |(_, password)| password).to_owned();
    assert!(password.len() > 10, "the store has a password: {url}");
    let signed_in = plane.ask(&format!("POST /api/v1/sign-in HTTP/1.1\r\nauthorization: Bearer {token}"), "");
    let cookie = signed_in
        .split("quorate_session=")
        .nth(1)
        .and_then(|rest| rest.split(';').next())
        .unwrap_or_default();
    assert!(cookie.len() > 20, "{signed_in}");
    for head in [
        format!("GET /api/v1/queues/{token} HTTP/1.1\r\nauthorization: Bearer {token}"),
        format!("GET /api/v1/queues?token={token} HTTP/1.1\r\nauthorization: Bearer {token}"),
        format!(
            "POST /api/v1/queues/low/pause HTTP/1.1\r\nidempotency-key: {token}\r\nauthorization: Bearer {token}"
        ),
        format!(
            "POST /api/v1/queues/low/pause HTTP/1.1\r\nx-request-id: a b\r\ncookie: quorate_session={cookie}"
        ),
        format!("GET /metrics HTTP/1.1\r\nauthorization: Bearer {token}"),
        format!("GET /api/v1/live/queues?token={token} HTTP/1.1"),
        format!("GET /api/v1/audit HTTP/1.1\r\nauthorization: Bearer {token}"),
        format!("GET /api/v1/queues HTTP/1.1\r\nauthorization: Bearer {token}x"),
    ] {
        // An address that names nothing is told back; whoever asked has put it there.
        said += &plane.ask(&head, "").replace(&format!("/queues/{token}"), "");
    }
    secrets.extend([cookie.to_owned(), password.clone()]);
    // The list of processes, as every user of the machine may read it.
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        said += &String::from_utf8_lossy(&std::fs::read(process.path().join("cmdline")).unwrap_or_default());
    }
    // Everything the server holds and has written down of what it was asked.
    let keys = redis_cli(&url, &["--scan"]).out;
    said += &redis_cli(&url, &["SLOWLOG", "GET", "1000"]).out;
    for key in keys.lines() {
        said += key;
        said += &redis_cli(&url, &["--no-raw", "DUMP", key]).out;
    }
    plane.signal("TERM");
    plane.wait();
    said += &plane.rest().join("\n");
    for entry in walk(home.path()) {
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&entry).unwrap().permissions());
        let text = String::from_utf8_lossy(&std::fs::read(entry).unwrap_or_default()).into_owned();
        // The password of the store is in files of its owner alone.
        said += &if mode & 0o077 == 0 { text.replace(&password, "") } else { text };
    }
    assert!(keys.contains("~q:quorate:token:") && said.len() > 10_000, "there was something to look at");
    for secret in &secrets {
        assert!(!said.contains(secret.as_str()), "a secret is somewhere");
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// Passes bytes on, until a command that writes the record of `action` comes by: that one stays on the way.
fn holds_back_the_record(upstream: String, action: &'static str) -> (String, std::sync::mpsc::Receiver<()>) {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (tell, held) = std::sync::mpsc::channel();
    let pass = move |mut from: TcpStream, mut to: TcpStream, tell: Option<std::sync::mpsc::Sender<()>>| {
        let mut bytes = [0; 65_536];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            let text = String::from_utf8_lossy(&bytes[..read]);
            if text.contains(action)
                && !text.contains("unknown")
                && let Some(tell) = &tell
            {
                let _ = tell.send(());
                return;
            }
            if to.write_all(&bytes[..read]).is_err() {
                return;
            }
        }
    };
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(&upstream).expect("the server");
            let (back, answers) = (client.try_clone().expect("a copy"), server.try_clone().expect("a copy"));
            let tell = tell.clone();
            std::thread::spawn(move || pass(client, server, Some(tell)));
            std::thread::spawn(move || pass(answers, back, None));
        }
    });
    (address, held)
}

/// A command that is killed after its change and before its record: the trail says that it was begun.
#[test]
fn a_command_that_is_killed_after_its_change_is_on_record() {
    let home = tempfile::TempDir::new().unwrap();
    let port = free_port().to_string();
    let plane = Plane::on(&home.path().join("data"), &["--redis-port", &port], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    let (place, held) = holds_back_the_record(format!("127.0.0.1:{port}"), "queues.pause");
    let through = url.replace(&format!("127.0.0.1:{port}"), &place);
    assert_ne!(through, url);
    let mut command = crate::support::quorate(&["queues", "pause", "normal"]);
    let mut child = command.env("REDIS_URL", &through).spawn().unwrap();
    held.recv_timeout(Duration::from_secs(10)).expect("the record is on its way");
    child.kill().unwrap();
    child.wait().unwrap();
    let before = plane.run(&["queues", "pause", "normal", "-o", "json"]).json()["before"].clone();
    assert!(before.as_str().is_some_and(|who| !who.is_empty()), "it was done: {before}");
    let target = quorate_store::Target::parse(&url).unwrap();
    let settled = tokio::runtime::Runtime::new().unwrap().block_on(async {
        let store = quorate_store::Store::connect(target, quorate_store::Options::default()).await.unwrap();
        let scope = quorate_store::invariant::Scope { store, keys: quorate_catalog::Keys::default() };
        quorate_plane::Plane::new(scope).unwrap().trail().settle(Duration::ZERO).await.unwrap()
    });
    assert_eq!(settled, 1);
    let all = audit(&plane, &["--action", "queues.pause"]);
    let results: Vec<&str> = all.iter().filter_map(|one| one["result"].as_str()).collect();
    assert_eq!((results, all[0]["target"].as_str()), (vec!["unknown", "ok"], Some("normal")));
}
