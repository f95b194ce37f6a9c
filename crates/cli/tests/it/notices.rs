//! `quorate notices` and `dead failed`: a running plane sends a mail about what failed.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::support::{Plane, quorate, said};

/// A mail server: takes messages, gives each to the test.
fn mail_server() -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (send, got) = channel();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let mut write = socket.try_clone().expect("a socket");
            let mut lines = BufReader::new(socket).lines().map_while(Result::ok);
            let _ = write.write_all(b"220 test\r\n");
            while let Some(line) = lines.next() {
                if line == "DATA" {
                    let _ = write.write_all(b"354 go on\r\n");
                    let text: Vec<String> = lines.by_ref().take_while(|line| line != ".").collect();
                    if send.send(text.join("\n")).is_err() {
                        return;
                    }
                }
                if write.write_all(b"250 ok\r\n").is_err() {
                    break;
                }
            }
        }
    });
    (port, got)
}

#[test]
fn a_running_plane_mails_what_failed_and_its_review_is_said_at_the_terminal() {
    let (port, got) = mail_server();
    let home = tempfile::tempdir().unwrap();
    let url = format!("smtp://127.0.0.1:{port}");
    let receivers = ("RELAYNA_STUDIO_FAILED_TASK_EMAIL_RECEIVERS", "ops@example.com");
    let every = ("RELAYNA_STUDIO_FAILED_TASK_EMAIL_INTERVAL_SECONDS", "0.2");
    let plane = Plane::on(home.path(), &[], &[("QUORATE_SMTP_URL", &url), receivers, every]);
    let record = r#"{"dlq_id":"d1","queue_name":"q.dlq","source_queue_name":"q","reason":"timeout\u001b[2J","task_id":"t1","body":1}"#;
    assert_eq!(plane.run(&["dead", "keep", record]).code, 0);
    let listed = plane.run(&["dead", "failed", "--unreviewed"]);
    assert!(
        listed.code == 0 && listed.out.contains("d1") && !listed.out.contains('\u{1b}'),
        "{}",
        listed.out
    );
    assert_eq!(plane.run(&["notices", "set"]).code, 2, "say something");
    let set = plane.run(&["notices", "set", "--enabled", "true", "-o", "json"]);
    assert_eq!((set.code, &set.json()["enabled"]), (0, &true.into()), "{}", set.err);
    let told = got.recv_timeout(Duration::from_secs(10)).expect("somebody is told");
    assert!(
        told.contains("To: ops@example.com") && told.contains("Failure ID: d1") && !told.contains('\u{1b}'),
        "{told}"
    );
    let mut test = quorate(&["notices", "test"]);
    test.env("QUORATE_DATA_DIR", &plane.dir).env("QUORATE_SMTP_URL", &url).env(receivers.0, receivers.1);
    assert_eq!(said(test.output().unwrap()).out.trim(), "sent");
    assert!(got.recv_timeout(Duration::from_secs(5)).unwrap().contains("a test"));
    let none = plane.run(&["notices", "test"]);
    assert_eq!((none.code, none.out.starts_with("not sent")), (1, true), "{}", none.out);
    let shown = plane.run(&["notices", "show"]);
    assert!(
        shown.out.contains("people are told  yes") && shown.out.contains("nobody"),
        "this process has no mail server: {}",
        shown.out
    );
    let retried = plane.run(&["dead", "retry", "d1", "--by-hand", "--note", "again"]);
    assert_eq!((retried.code, retried.out.trim()), (0, "replayed as d1.r1 in q"));
    assert_eq!(plane.run(&["dead", "retry", "d1", "--by-hand"]).code, 4, "a second click");
    assert!(plane.run(&["dead", "failure", "d1"]).out.contains("\"retry_status\": \"retried\""));
}

#[test]
fn nonsense_about_mail_keeps_a_plane_from_starting_and_says_no_password() {
    let home = tempfile::tempdir().unwrap();
    for url in ["http://mail", "smtp://ann:sesame@mail.example.com"] {
        let mut up = quorate(&["up", "--listen", "127.0.0.1:0", "--data-dir"]);
        let said = said(up.arg(home.path()).env("QUORATE_SMTP_URL", url).output().unwrap());
        assert_eq!(said.code, 2, "{}", said.err);
        assert!(said.err.contains("QUORATE_SMTP_URL") && !said.err.contains("sesame"), "{}", said.err);
    }
}
