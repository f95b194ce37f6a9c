//! `quorate webhooks`: a running plane tells others, and says their secret once.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::support::{Plane, until};

/// Somebody outside: takes requests, gives each to the test.
fn outside() -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (send, got) = channel();
    std::thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let (mut text, mut part) = (String::new(), [0; 8_192]);
            while !text.ends_with('}') {
                let count = socket.read(&mut part).unwrap_or(0);
                if count == 0 {
                    break;
                }
                text += &String::from_utf8_lossy(&part[..count]);
            }
            let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
            if send.send(text).is_err() {
                return;
            }
        }
    });
    (port, got)
}

#[test]
fn a_running_plane_tells_others_and_says_the_secret_once() {
    let (port, got) = outside();
    let home = tempfile::tempdir().unwrap();
    let (url, rules) = (format!("http://127.0.0.1:{port}/in"), "127.0.0.0/8:*");
    let mut plane = Plane::on(home.path(), &["--allow-outgoing", rules], &[]);
    let denied = plane.run(&["webhooks", "add", &url, "-o", "json"]);
    assert_eq!((denied.code, &denied.json()["code"]), (4, &"url_denied".into()), "{}", denied.err);
    let add =
        ["webhooks", "add", &url, "--events", "deploy:*,x", "--streams", "all", "--allow-outgoing", rules];
    let made = plane.run(&[&add[..], &["-o", "json"]].concat());
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    let (id, secret) =
        (made.json()["id"].as_str().unwrap().to_owned(), made.json()["secret"].as_str().unwrap().to_owned());
    assert!(secret.starts_with("whsec_") && !made.err.contains(&secret));
    assert_eq!(plane.run(&["events", "publish", "all", "deploy:done", "{\"v\":7}"]).code, 0);
    let told = got.recv_timeout(Duration::from_secs(10)).expect("it is told");
    assert!(told.contains("webhook-signature: v1,") && told.contains("\"type\":\"deploy:done\""), "{told}");
    let tested = plane.run(&["webhooks", "test", &id, "--allow-outgoing", rules]);
    assert_eq!((tested.code, tested.out.trim()), (0, "delivered: HTTP 200"));
    assert_eq!(plane.run(&["webhooks", "test", &id]).code, 1, "this process may not call it");
    // Our own server and store are not called, whatever the rules say.
    let said = plane.run(&["webhooks", "add", "http://127.0.0.1:6379", "--allow-outgoing", rules]);
    assert_eq!(said.code, 4, "{}", said.out);
    let own = format!("http://{}", plane.record()["listen"].as_str().unwrap());
    let own = ["webhooks", "add", &own, "--streams", "all", "--allow-outgoing", rules, "-o", "json"];
    let own = plane.run(&own).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(plane.run(&["events", "publish", "all", "anything", "{}"]).code, 0);
    until("the plane refuses to call itself", Duration::from_secs(10), || {
        plane.run(&["webhooks", "show", &own]).out.contains("not called: this is a port of our own")
    });
    let mut all = String::new();
    for words in
        [&["webhooks", "ls"][..], &["webhooks", "show", &id], &["audit", "ls", "-o", "json"], &["fsck"]]
    {
        let said = plane.run(words);
        assert_eq!(said.code, 0, "{words:?} {}", said.out);
        all += &said.out;
        all += &said.err;
    }
    assert!(all.contains("webhooks.add") && all.contains("webhooks.test") && all.contains(&id));
    assert_eq!((plane.run(&["webhooks", "rm", &id]).code, plane.run(&["webhooks", "rm", &id]).code), (0, 3));
    plane.signal("TERM");
    plane.wait();
    all += &plane.rest().join("\n");
    assert!(!all.contains(&secret[6..]), "the secret is nowhere but in the one answer");
}

#[test]
fn bad_webhooks_are_bad_input() {
    let plane = Plane::start();
    let file = plane.dir.join("secret");
    std::fs::write(&file, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n").unwrap();
    let path = file.to_str().unwrap();
    let made = plane.run(&["webhooks", "add", "https://8.8.8.8", "--secret-file", path]);
    assert!(made.code == 0 && made.out.trim().ends_with("LaLaSw"), "{}{}", made.out, made.err);
    std::fs::write(&file, "whsec_sesame").unwrap();
    for bad in [
        &["webhooks", "add", "file:///etc/passwd"][..],
        &["webhooks", "add", "http://0x7f000001/"],
        &["webhooks", "add", "https://ada:sesame@example.org"],
        &["webhooks", "add", "https://8.8.8.8", "--secret-file", path],
        &["webhooks", "add", "https://8.8.8.8", "--secret-file", "/no/such/file"],
        &["webhooks", "add", "https://8.8.8.8", "--secret", "whsec_sesame"],
        &["webhooks", "add", "https://8.8.8.8", "--events", "\x1b[2J"],
        &["webhooks", "add", "https://8.8.8.8", "--allow-outgoing", "everything"],
        &["webhooks", "show", "a:b"],
    ] {
        let said = plane.run(bad);
        assert_eq!(said.code, 2, "{bad:?}: {}{}", said.out, said.err);
        assert!(!said.err.contains('\x1b'), "{bad:?}");
    }
    assert_eq!(plane.run(&["webhooks", "ls", "-o", "json"]).json().as_array().unwrap().len(), 1);
}
