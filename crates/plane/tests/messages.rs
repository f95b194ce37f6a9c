//! Messages: what is stored, shown, read, acknowledged and escalated.

use std::time::Duration;

use crate::support::{agent, plane, refused};
use quorate_catalog::ids::{AgentId, MessageId, ThreadId, WordId};
use quorate_plane::messages::{Inbox, Outgoing, Place, State};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_store::{FromRedisValue, Micros, Value};
use quorate_testkit::{Bench, check};

fn id(text: &str) -> MessageId {
    MessageId::parse(text).unwrap()
}

fn request(from: &str, body: &str, within: Duration) -> Outgoing {
    let kind = WordId::parse("request").unwrap();
    Outgoing { kind, ack_within: Some(within), ..Outgoing::new(agent(from), body) }
}

async fn send(plane: &Plane, from: &str, to: &str, body: &str) -> MessageId {
    let sent = plane.messages().send(&agent(to), &Outgoing::new(agent(from), body)).await.unwrap().unwrap();
    id(&sent.id)
}

async fn peek(plane: &Plane, peer: &str) -> Inbox {
    plane.messages().inbox(&agent(peer), 100, false).await.unwrap().unwrap()
}

async fn read(plane: &Plane, peer: &str) -> Inbox {
    plane.messages().read(&agent(peer), None, 100, false).await.unwrap().unwrap()
}

async fn ack(plane: &Plane, peer: &str, one: &MessageId) -> Outcome<Micros> {
    let ids = std::slice::from_ref(one);
    plane.messages().ack(&agent(peer), None, ids, None).await.unwrap().unwrap().remove(0).outcome
}

fn bodies(inbox: &Inbox) -> Vec<&str> {
    inbox.messages.iter().map(|message| message.body.as_str()).collect()
}

async fn number(bench: &Bench, line: &str) -> i64 {
    let (command, key) = line.split_once(' ').unwrap();
    let ns = bench.scope.keys.namespace_text();
    i64::from_redis_value(bench.cli(&format!("{command} {ns}{key}")).await).unwrap()
}

#[tokio::test]
async fn reading_destroys_nothing_and_only_what_is_acknowledged_leaves() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["b"]).await;
        let first = send(&plane, "a", "b", "one").await;
        let second = send(&plane, "a", "b", "two").await;
        send(&plane, "a", "b", "three").await;
        assert_eq!(bodies(&peek(&plane, "b").await), ["one", "two", "three"]);
        assert_eq!((peek(&plane, "b").await.waiting, peek(&plane, "b").await.unread), (3, 3));
        for _ in 0..2 {
            let got = read(&plane, "b").await;
            assert_eq!((bodies(&got), got.waiting, got.unread), (vec!["one", "two", "three"], 3, 0));
            assert!(got.messages.iter().all(|message| message.state == State::Read));
        }
        assert_eq!(number(bench, "LLEN tasks:inbox:b").await, 3);
        ack(&plane, "b", &second).await.unwrap();
        assert_eq!(bodies(&peek(&plane, "b").await), ["one", "three"]);
        let unread = plane.messages().read(&agent("b"), None, 100, true).await.unwrap().unwrap();
        assert!(unread.messages.is_empty());
        send(&plane, "a", "b", "four").await;
        let unread = plane.messages().read(&agent("b"), None, 100, true).await.unwrap().unwrap();
        assert_eq!(bodies(&unread), ["four"]);
        ack(&plane, "b", &first).await.unwrap();
        assert_eq!(bodies(&read(&plane, "b").await), ["three", "four"]);
    })
    .await;
}

#[tokio::test]
async fn a_message_records_every_rung_it_reaches() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["b"]).await;
        let one = send(&plane, "a", "b", "do it").await;
        let seen =
            async || plane.messages().history(&Place::One(one.clone()), 1).await.unwrap().pop().unwrap();
        assert_eq!(seen().await.state, State::Stored);
        let beat = plane.agents().heartbeat(&agent("b"), None).await.unwrap().unwrap();
        assert_eq!((beat.messages, beat.unread, seen().await.state), (1, 1, State::Delivered));
        read(&plane, "b").await;
        let beat = plane.agents().heartbeat(&agent("b"), None).await.unwrap().unwrap();
        assert_eq!((beat.messages, beat.unread, seen().await.state), (1, 0, State::Read));
        let when = ack(&plane, "b", &one).await.unwrap();
        assert_eq!(seen().await.state, State::Acknowledged);
        assert_eq!(ack(&plane, "b", &one).await.unwrap(), when, "the first acknowledgement stays");
        let ids = std::slice::from_ref(&one);
        for _ in 0..2 {
            let acted = plane.messages().ack(&agent("b"), None, ids, Some("task:7")).await.unwrap().unwrap();
            assert_eq!(acted[0].outcome, Outcome::Done(when));
        }
        let other = plane.messages().ack(&agent("b"), None, ids, Some("task:8")).await.unwrap().unwrap();
        assert_eq!(other[0].outcome.refusal().unwrap().code, "conflict");
        let end = seen().await;
        assert_eq!((end.state, end.ladder.acted_on.as_deref()), (State::Acted, Some("task:7")));
        let ladder = [&end.sent_at, &end.ladder.delivered_at, &end.ladder.read_at, &end.ladder.acked_at];
        assert!(ladder.iter().all(|time| time.is_some()) && ladder.is_sorted(), "{ladder:?}");
        let beat = plane.agents().heartbeat(&agent("b"), None).await.unwrap().unwrap();
        assert_eq!((beat.messages, beat.unread), (0, 0));
    })
    .await;
}

#[tokio::test]
async fn a_full_inbox_refuses_the_sender_and_drops_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let ns = bench.scope.keys.namespace_text();
        bench.cli(&format!("SET {ns}ade:config:messages:inbox_cap 50")).await;
        let sender = Outgoing::new(agent("a"), "text");
        let mut stored = 0;
        for _ in 0..60 {
            match plane.messages().send(&agent("b"), &sender).await.unwrap() {
                Outcome::Done(_) => stored += 1,
                Outcome::Refused(no) => {
                    assert_eq!((no.code.as_str(), no.detail.as_deref()), ("inbox_full", Some("50")));
                }
            }
        }
        assert_eq!((stored, number(bench, "LLEN tasks:inbox:b").await), (50, 50));
        let oldest = id(peek(&plane, "b").await.messages[0].id.as_ref().unwrap());
        ack(&plane, "b", &oldest).await.unwrap();
        plane.messages().send(&agent("b"), &sender).await.unwrap().unwrap();
        for nonsense in ["lots", "''"] {
            bench.cli(&format!("SET {ns}ade:config:messages:inbox_cap {nonsense}")).await;
            plane.messages().send(&agent("b"), &sender).await.unwrap().unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn what_other_clients_pushed_is_shown_gets_an_id_and_is_acknowledged() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let inbox = format!("{}tasks:inbox:b", bench.scope.keys.namespace_text());
        bench.cli(&format!("LPUSH {inbox} same same other same")).await;
        bench.cli(&format!("LPUSH {inbox} '{{\"from\":\"old\",\"kind\":\"warn\",\"body\":\"hi\"}}'")).await;
        send(&plane, "a", "b", "ours").await;
        let shown = peek(&plane, "b").await;
        assert_eq!(bodies(&shown), ["same", "same", "other", "same", "hi", "ours"]);
        assert!(shown.messages[..5].iter().all(|one| one.id.is_none() && one.foreign));
        assert_eq!(shown.messages[4].from.as_deref(), Some("old"));
        let first = read(&plane, "b").await;
        let ids =
            |inbox: &Inbox| inbox.messages.iter().map(|one| one.id.clone().unwrap()).collect::<Vec<_>>();
        assert_eq!(ids(&first), ids(&read(&plane, "b").await), "an id stays");
        assert_eq!(ids(&first), ids(&peek(&plane, "b").await));
        // Of the three equal ones the second is acknowledged; two equal ones stay, with their own ids.
        ack(&plane, "b", &id(&ids(&first)[1])).await.unwrap();
        let left = read(&plane, "b").await;
        assert_eq!(bodies(&left), ["same", "other", "same", "hi", "ours"]);
        let mut expected = ids(&first);
        expected.remove(1);
        assert_eq!(ids(&left), expected);
        for one in ids(&left) {
            ack(&plane, "b", &id(&one)).await.unwrap();
        }
        assert_eq!(number(bench, "EXISTS tasks:inbox:b").await, 0);
    })
    .await;
}

#[tokio::test]
async fn what_another_client_took_is_found_and_noted() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let inbox = format!("{}tasks:inbox:b", bench.scope.keys.namespace_text());
        let taken = send(&plane, "a", "b", "one").await;
        send(&plane, "a", "b", "two").await;
        bench.cli(&format!("LPUSH {inbox} foreign")).await;
        read(&plane, "b").await;
        assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
        bench.cli(&format!("RPOP {inbox}")).await;
        bench.cli(&format!("LPOP {inbox}")).await;
        let found = bench.mess(&invariants()).await;
        assert_eq!(found.iter().filter(|line| line.starts_with("FSCK060")).count(), 2, "{found:#?}");
        let all = invariants();
        let report = quorate_audit::run(&bench.scope, &all, true, &|_, _| {}).await.unwrap();
        assert_eq!((report.repaired, report.findings.len()), (2, 0), "{:#?}", report.findings);
        let noted = plane.messages().history(&Place::One(taken), 1).await.unwrap();
        assert_eq!(noted[0].state, State::Taken);
        assert_eq!(bodies(&peek(&plane, "b").await), ["two"]);
    })
    .await;
}

#[tokio::test]
async fn indexes_that_another_client_deleted_are_found_and_written_again() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let ns = bench.scope.keys.namespace_text();
        let late = request("a", "answer me", Duration::from_secs(60));
        plane.messages().send(&agent("b"), &late).await.unwrap().unwrap();
        bench.cli(&format!("DEL {ns}~q:reverie:letters:b")).await;
        let codes = async || {
            let mess = bench.mess(&invariants()).await;
            mess.iter().map(|line| line[..7].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(codes().await, ["FSCK061"]);
        let all = invariants();
        quorate_audit::run(&bench.scope, &all, true, &|_, _| {}).await.unwrap();
        bench.cli(&format!("DEL {ns}~q:reverie:ack_deadlines")).await;
        assert_eq!(codes().await, ["FSCK062"]);
        let report = quorate_audit::run(&bench.scope, &all, true, &|_, _| {}).await.unwrap();
        assert_eq!((report.repaired, report.findings.len()), (1, 0), "{:#?}", report.findings);
    })
    .await;
}

#[tokio::test]
async fn a_request_that_nobody_acknowledges_escalates_once_and_never_early() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let ns = bench.scope.keys.namespace_text();
        bench.cli(&format!("SET {ns}ade:config:messages:operator oncall")).await;
        let late = request("a", "answer me", Duration::from_millis(300));
        let sent = plane.messages().send(&agent("b"), &late).await.unwrap().unwrap();
        let answered = plane.messages().send(&agent("b"), &late).await.unwrap().unwrap();
        ack(&plane, "b", &id(&answered.id)).await.unwrap();
        assert_eq!(plane.messages().escalate().await.unwrap(), 0, "never early");
        assert_eq!(peek(&plane, "a").await.waiting, 0);
        tokio::time::sleep(Duration::from_millis(320)).await;
        let all = futures_util::future::join_all((0..8).map(|_| {
            let plane = plane.clone();
            async move { plane.messages().escalate().await.unwrap() }
        }));
        assert_eq!(all.await.iter().sum::<u64>(), 1, "once, however many look");
        for peer in ["a", "oncall"] {
            let told = peek(&plane, peer).await;
            assert_eq!(told.messages.len(), 1, "{peer}");
            let one = &told.messages[0];
            assert_eq!((one.kind.as_deref(), one.from.as_deref()), (Some("escalation"), Some("quorate")));
            assert!(one.body.contains(&sent.id) && one.body.contains("b has not"), "{}", one.body);
        }
        let still = peek(&plane, "b").await;
        assert!(still.messages[0].ladder.escalated_at.is_some(), "it stays in the inbox: {still:?}");
    })
    .await;
}

#[tokio::test]
async fn a_broadcast_has_a_ledger_for_each_recipient() {
    check(&invariants(), async |bench| {
        let names: Vec<String> = (0..130).map(|n| format!("p{n}")).collect();
        let plane = plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let inbox = format!("{}tasks:inbox:p7", bench.scope.keys.namespace_text());
        let ns = bench.scope.keys.namespace_text();
        bench.cli(&format!("SET {ns}ade:config:messages:inbox_cap 1")).await;
        bench.cli(&format!("LPUSH {inbox} full")).await;
        let thread = ThreadId::parse("release-7").unwrap();
        let all = Outgoing { thread: Some(thread.clone()), ..Outgoing::new(agent("p0"), "stop") };
        let sent = plane.messages().broadcast(&all, None, None).await.unwrap().unwrap();
        assert_eq!(sent.len(), 129, "everybody but the sender");
        let refused: Vec<&AgentId> =
            sent.iter().filter(|one| one.outcome.refusal().is_some()).map(|one| &one.to).collect();
        assert_eq!(refused, [&agent("p7")]);
        let first = sent.iter().find(|one| one.to == agent("p1")).unwrap().outcome.clone().unwrap();
        ack(&plane, "p1", &id(&first.id)).await.unwrap();
        let ledger = plane.messages().history(&Place::Thread(thread), 1_000).await.unwrap();
        assert_eq!(ledger.len(), 128);
        let acked: Vec<_> = ledger.iter().filter(|one| one.state == State::Acknowledged).collect();
        assert_eq!((acked.len(), acked[0].to.as_deref()), (1, Some("p1")));
    })
    .await;
}

#[tokio::test]
async fn nobody_acknowledges_for_another_and_a_revoked_agent_sends_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let one = send(&plane, "a", "b", "text").await;
        assert_eq!(ack(&plane, "c", &one).await.refusal().unwrap().code, "not_recipient");
        assert_eq!(ack(&plane, "b", &id("nothing")).await.refusal().unwrap().code, "no_message");
        let stale = Outgoing { epoch: Some(1), ..Outgoing::new(agent("a"), "text") };
        assert_eq!(refused(plane.messages().send(&agent("b"), &stale).await.unwrap()).code, "stale_epoch");
        plane.agents().revoke(&agent("a"), None, None).await.unwrap().unwrap();
        let after = plane.messages().send(&agent("b"), &Outgoing::new(agent("a"), "text")).await.unwrap();
        assert_eq!(refused(after).code, "revoked");
        assert_eq!(peek(&plane, "b").await.waiting, 1);
    })
    .await;
}

#[tokio::test]
async fn text_is_kept_byte_for_byte_and_what_is_too_long_is_refused() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let hostile = "\u{1b}[2J \0 \"quoted\" \\ {\"id\":\"x\"} \u{202e} é 𝄞\r\n\t</script>";
        send(&plane, "a", "b", hostile).await;
        assert_eq!(read(&plane, "b").await.messages[0].body, hostile);
        let long = Outgoing::new(agent("a"), "x".repeat(64 * 1024 + 1));
        assert!(plane.messages().send(&agent("b"), &long).await.is_err());
        for within in [Duration::ZERO, Duration::from_secs(31 * 86_400)] {
            assert!(plane.messages().send(&agent("b"), &request("a", "x", within)).await.is_err());
        }
        let full = Outgoing::new(agent("a"), "y".repeat(64 * 1024));
        plane.messages().send(&agent("b"), &full).await.unwrap().unwrap();
        assert_eq!(peek(&plane, "b").await.messages[1].body, full.body);
    })
    .await;
}

#[tokio::test]
async fn an_inbox_of_another_type_is_refused_before_anything_is_written() {
    let bench = Bench::start().await;
    let plane = plane(&bench, &[]).await;
    let ns = bench.scope.keys.namespace_text();
    bench.cli(&format!("SET {ns}tasks:inbox:b wrong")).await;
    let keys = async || format!("{:?}", bench.cli("DBSIZE").await);
    let before = keys().await;
    let sent = plane.messages().send(&agent("b"), &Outgoing::new(agent("a"), "x")).await.unwrap();
    assert_eq!(refused(sent).code, "wrong_type");
    assert_eq!(refused(plane.messages().inbox(&agent("b"), 1, false).await.unwrap()).code, "wrong_type");
    assert_eq!(refused(plane.messages().read(&agent("b"), None, 1, false).await.unwrap()).code, "wrong_type");
    assert_eq!(keys().await, before);
    assert_eq!(bench.cli(&format!("GET {ns}tasks:inbox:b")).await, Value::BulkString(b"wrong".to_vec()));
}
