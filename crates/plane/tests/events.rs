//! Streams, groups and what becomes of what nobody acknowledges.

use std::time::Duration;

use crate::support::{plane, refused};
use quorate_catalog::ids::{DeadLetterId, EventType};
use quorate_plane::dead_letters::{Filter, Replay};
use quorate_plane::events::{Batch, Event, Read, Start, Stream, Tail};
use quorate_plane::{Plane, invariants};
use quorate_store::{FromRedisValue, Value};
use quorate_testkit::chaos::Proxy;
use quorate_testkit::soak::size;
use quorate_testkit::{Bench, check};

fn event(number: usize) -> Event {
    Event { event: "test:happened".into(), payload: format!("{{\"n\":{number}}}"), source: "test".into() }
}

async fn publish(plane: &Plane, stream: Stream, numbers: std::ops::Range<usize>) -> Vec<String> {
    let mut ids = Vec::new();
    let all: Vec<Event> = numbers.map(event).collect();
    for page in all.chunks(1_000) {
        ids.extend(plane.events().publish(stream, page).await.unwrap().unwrap());
    }
    ids
}

async fn read(plane: &Plane, wanted: &Read) -> Batch {
    plane.events().read(wanted).await.unwrap().unwrap()
}

fn ids(batch: &Batch) -> Vec<String> {
    batch.entries.iter().map(|entry| entry.id.clone()).collect()
}

async fn set(bench: &Bench, name: &str, value: &str) {
    bench.cli(&format!("SET {}ade:config:{name} {value}", bench.scope.keys.namespace_text())).await;
}

async fn length(bench: &Bench, stream: Stream) -> u64 {
    let key = stream.key(&bench.scope.keys);
    u64::from_redis_value(bench.cli(&format!("XLEN {key}")).await).unwrap()
}

/// Looks as often as a second would, whatever time it is.
async fn look(plane: &Plane, stream: Stream) -> quorate_plane::events::Looked {
    tokio::time::sleep(Duration::from_millis(950)).await;
    plane.events().look(stream).await.unwrap()
}

/// S4: a group that comes late gets everything; only what asks for it starts with what comes.
#[tokio::test]
async fn a_group_that_comes_late_gets_the_first_event() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let published = publish(&plane, Stream::All, 0..3).await;
        let late = read(&plane, &Read::new(Stream::All, "late", "c")).await;
        assert_eq!(ids(&late), published);
        assert_eq!(late.entries[0].field("payload"), Some("{\"n\":0}"));
        assert!(late.entries[0].field("timestamp").is_some_and(|at| at.ends_with('Z')));
        let new = Read { start: Start::New, ..Read::new(Stream::All, "new", "c") };
        assert_eq!(ids(&read(&plane, &new).await), Vec::<String>::new());
        let fourth = publish(&plane, Stream::All, 3..4).await;
        assert_eq!(ids(&read(&plane, &new).await), fourth);
        let after =
            Read { start: Start::After(published[1].clone()), ..Read::new(Stream::All, "after", "c") };
        assert_eq!(ids(&read(&plane, &after).await), [published[2].clone(), fourth[0].clone()]);
    })
    .await;
}

#[tokio::test]
async fn what_is_not_acknowledged_goes_to_another_consumer_and_a_late_ack_is_refused() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let stream = Stream::Ade(EventType::Task);
        let published = publish(&plane, stream, 0..2).await;
        let first = Read { idle: Duration::from_millis(200), ..Read::new(stream, "audit-logger", "one") };
        assert_eq!(ids(&read(&plane, &first).await), published);
        let acked =
            plane.events().ack(stream, "audit-logger", Some("one"), &published[..1]).await.unwrap().unwrap();
        assert_eq!((acked.acked, acked.stale.len()), (1, 0));
        let second = Read { consumer: "two".into(), wait: Duration::from_secs(5), ..first };
        let taken = read(&plane, &second).await;
        assert_eq!((ids(&taken), taken.entries[0].deliveries), (published[1..].to_vec(), 2));
        let late =
            plane.events().ack(stream, "audit-logger", Some("one"), &published[1..]).await.unwrap().unwrap();
        assert_eq!((late.acked, late.stale), (0, published[1..].to_vec()));
        let own =
            plane.events().ack(stream, "audit-logger", Some("two"), &published[1..]).await.unwrap().unwrap();
        let again =
            plane.events().ack(stream, "audit-logger", Some("two"), &published[1..]).await.unwrap().unwrap();
        assert_eq!((own.acked, again.acked, again.stale.len()), (1, 0, 0), "a second ack is harmless");
        let unknown = plane.events().ack(stream, "nobody", None, &published).await.unwrap();
        assert!(refused(unknown).is("no_group"));
    })
    .await;
}

#[tokio::test]
async fn a_waiting_consumer_is_woken_by_a_new_event() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let waiting = {
            let plane = plane.clone();
            tokio::spawn(async move {
                let wanted = Read { wait: Duration::from_secs(10), ..Read::new(Stream::All, "g", "c") };
                let batch = plane.events().read(&wanted).await.unwrap().unwrap();
                (batch, tokio::time::Instant::now())
            })
        };
        tokio::time::sleep(Duration::from_millis(300)).await;
        let published = publish(&plane, Stream::All, 0..1).await;
        let sent = tokio::time::Instant::now();
        let (batch, at) = waiting.await.unwrap();
        assert_eq!(ids(&batch), published);
        assert!(at - sent < Duration::from_millis(500), "{:?}", at - sent);
    })
    .await;
}

/// S5: an entry that is never acknowledged is put aside after as many deliveries as are allowed, with its reason.
#[tokio::test]
async fn poison_is_delivered_so_often_and_then_put_aside() {
    check(&invariants(), async |bench| {
        set(bench, "streams:max_deliveries", "3").await;
        let plane = plane(bench, &[]).await;
        let published = publish(&plane, Stream::All, 0..1).await;
        let mut times = 0;
        let mut aside = 0;
        for round in 0..6 {
            let wanted =
                Read { idle: Duration::from_millis(20), ..Read::new(Stream::All, "g", &format!("c{round}")) };
            let batch = read(&plane, &wanted).await;
            times += batch.entries.len();
            aside += batch.put_aside;
            assert!(batch.entries.iter().all(|entry| entry.id == published[0]));
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        assert_eq!((times, aside), (3, 1));
        let letters = plane.dead_letters().list(&Filter { limit: 10, ..Filter::default() }).await.unwrap();
        let [letter] = &letters[..] else { panic!("{letters:?}") };
        assert_eq!(
            (letter.source.as_str(), letter.item.as_str(), letter.attempts),
            ("stream:events:all", published[0].as_str(), 3)
        );
        assert!(letter.reason.contains("group g") && letter.payload.contains("{\"n\":0}"), "{letter:?}");
        // Replayed, it comes again to that group alone and to nobody else, once.
        let id = DeadLetterId::parse(&letter.id).unwrap();
        let how = Replay::by("ann");
        assert_eq!(plane.dead_letters().replay(&id, &how).await.unwrap().unwrap(), published[0]);
        assert_eq!(plane.dead_letters().replay(&id, &how).await.unwrap().unwrap(), published[0]);
        let other = plane.dead_letters().replay(&id, &Replay::by("bob")).await.unwrap();
        assert_eq!(refused(other).code, "already_replayed");
        let again = read(&plane, &Read::new(Stream::All, "g", "c9")).await;
        assert_eq!(ids(&again), published);
        assert!(read(&plane, &Read::new(Stream::All, "g", "c9")).await.entries.is_empty(), "once");
        plane.events().ack(Stream::All, "g", None, &published).await.unwrap().unwrap();
        assert_eq!(bench.cli(&format!("XLEN {}", bench.scope.keys.reverie().events())).await, Value::Int(1));
    })
    .await;
}

/// S1: however short a stream is to be, nothing goes that a group has yet to acknowledge.
#[tokio::test]
async fn trimming_waits_for_every_group() {
    check(&invariants(), async |bench| {
        set(bench, "streams:keep", "100").await;
        let plane = plane(bench, &[]).await;
        let slow = Read { count: 1_000, ..Read::new(Stream::All, "slow", "c") };
        assert!(read(&plane, &slow).await.entries.is_empty(), "the group exists from now on");
        let published = publish(&plane, Stream::All, 0..3_000).await;
        assert_eq!(look(&plane, Stream::All).await.trimmed, 0);
        let batch = read(&plane, &slow).await;
        assert!(ids(&batch) == published[..1_000]);
        // Delivered, but the first half only is acknowledged.
        plane.events().ack(Stream::All, "slow", None, &published[..500]).await.unwrap().unwrap();
        let looked = look(&plane, Stream::All).await;
        assert!((400..=500).contains(&looked.trimmed), "{looked:?}");
        plane.events().ack(Stream::All, "slow", None, &published[500..1_000]).await.unwrap().unwrap();
        look(&plane, Stream::All).await;
        assert!(length(bench, Stream::All).await >= 2_000);
        let mut rest = Vec::new();
        while rest.len() < 2_000 {
            rest.extend(ids(&read(&plane, &slow).await));
        }
        assert!(rest == published[1_000..], "not one is missing");
        plane.events().ack(Stream::All, "slow", None, &rest).await.unwrap().unwrap();
        look(&plane, Stream::All).await;
        assert!((100..300).contains(&length(bench, Stream::All).await));
        assert_eq!(plane.events().losses().await.unwrap(), vec![]);
    })
    .await;
}

/// A stream past its cap lets the slowest group go, tells it what it missed, and goes on.
#[tokio::test]
async fn the_slowest_group_overflows_past_the_cap_and_is_told_so() {
    check(&invariants(), async |bench| {
        set(bench, "streams:keep", "100").await;
        set(bench, "streams:cap", "1000").await;
        let plane = plane(bench, &[]).await;
        let stream = Stream::Ade(EventType::Lock);
        let wanted = |group: &str| Read { count: 1_000, ..Read::new(stream, group, "c") };
        for group in ["slow", "quick"] {
            assert!(read(&plane, &wanted(group)).await.entries.is_empty());
        }
        let published = publish(&plane, stream, 0..900).await;
        let batch = read(&plane, &wanted("quick")).await;
        plane.events().ack(stream, "quick", None, &ids(&batch)).await.unwrap().unwrap();
        plane.events().read_once(&Read { count: 10, ..wanted("slow") }).await.unwrap().unwrap();
        let more = publish(&plane, stream, 900..1_500).await;
        assert_eq!(look(&plane, stream).await.parked, 1);
        assert!(length(bench, stream).await < 800, "what only the slow group had yet to read is gone");
        let looked = look(&plane, stream).await;
        let left = length(bench, stream).await;
        let gap = read(&plane, &wanted("slow")).await.gap.expect("a gap");
        assert_eq!((gap.cause.as_str(), gap.exact, gap.pending), ("overflow", true, 10));
        assert_eq!(looked.lost, gap.unread + gap.pending);
        let losses = plane.events().losses().await.unwrap();
        assert_eq!(losses.len(), 1, "the quick group lost nothing: {losses:?}");
        assert_eq!((losses[0].group.as_str(), losses[0].unread), ("slow", gap.unread));
        assert!(ids(&read(&plane, &wanted("quick")).await) == more);
        assert_eq!(gap.unread + gap.pending + left, (published.len() + more.len()) as u64);
        assert_eq!(plane.events().ack(stream, "slow", None, &[gap.id]).await.unwrap().unwrap().acked, 1);
        assert_eq!(read(&plane, &wanted("slow")).await.gap, None);
    })
    .await;
}

/// S3: a group nobody reads for is parked with a gap and an event, memory stops growing, and its return is noticed.
#[tokio::test]
async fn a_dead_group_is_parked_and_memory_stops_growing() {
    check(&invariants(), async |bench| {
        set(bench, "streams:keep", "200").await;
        set(bench, "streams:group_ttl", "1").await;
        let plane = plane(bench, &[]).await;
        let stream = Stream::Ade(EventType::Task);
        let dead = Read { count: 50, ..Read::new(stream, "analytics-pipeline", "gone") };
        publish(&plane, stream, 0..100).await;
        assert_eq!(read(&plane, &dead).await.entries.len(), 50);
        tokio::time::sleep(Duration::from_millis(200)).await;
        let mut lengths = Vec::new();
        let mut memory = Vec::new();
        let rounds = size(5, 50);
        for round in 0..rounds {
            publish(&plane, stream, round * 1_000..(round + 1) * 1_000).await;
            look(&plane, stream).await;
            lengths.push(length(bench, stream).await);
            let usage = bench.cli(&format!("MEMORY USAGE {} SAMPLES 0", stream.key(&bench.scope.keys))).await;
            memory.push(u64::from_redis_value(usage).unwrap());
        }
        assert!(lengths[4..].iter().all(|length| *length <= 400), "{lengths:?}");
        assert!(memory[4..].iter().all(|used| *used <= memory[2] + memory[2] / 10), "{memory:?}");
        let events = format!("{:?}", plane.events().newest(Stream::All, 100).await.unwrap());
        assert!(events.contains("stream:group_parked"), "{events}");
        let back = read(&plane, &dead).await;
        let gap = back.gap.expect("a gap");
        assert_eq!((gap.cause.as_str(), gap.exact, gap.pending), ("parked", true, 50));
        assert_eq!(gap.unread + 50 + length(bench, stream).await, rounds as u64 * 1_000 + 100);
        assert_eq!(back.entries.len(), 50, "it goes on with what is there");
        let losses = plane.events().losses().await.unwrap();
        assert_eq!((losses[0].unread, losses[0].pending, losses[0].exact), (gap.unread, 50, true));
        assert_eq!(losses[0].cause, "parked");
    })
    .await;
}

/// A publisher whose answer is lost asks again, and the event is there once.
#[tokio::test]
async fn a_lost_answer_publishes_nothing_twice() {
    check(&invariants(), async |bench| {
        let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
        let target = quorate_store::Target::parse(&format!("redis://{}", proxy.address())).unwrap();
        let options = quorate_store::Options::default().response_timeout(Duration::from_millis(500));
        let store = quorate_store::Store::connect(target, options).await.unwrap();
        let shaky =
            Plane::new(quorate_store::invariant::Scope { store, keys: bench.scope.keys.clone() }).unwrap();
        shaky.events().publish(Stream::All, &[event(0)]).await.unwrap().unwrap();
        for n in 1..=5 {
            proxy.drop_reply_after_forward(1, "EVALSHA");
            let ids = shaky.events().publish(Stream::All, &[event(n), event(n)]).await.unwrap().unwrap();
            assert_eq!((ids.len(), proxy.still_to_drop()), (2, 0), "round {n}");
        }
        assert_eq!(length(bench, Stream::All).await, 11);
    })
    .await;
}

#[tokio::test]
async fn a_reader_without_a_group_hears_of_its_gap() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let published = publish(&plane, Stream::All, 0..300).await;
        let mut tail = Tail::after(Stream::All, &published[9]);
        let step = plane.events().follow(&mut tail, Duration::ZERO).await.unwrap().unwrap();
        assert_eq!((step.entries.len(), step.lost), (290, 0));
        publish(&plane, Stream::All, 300..400).await;
        bench.cli(&format!("XTRIM {} MAXLEN = 40", Stream::All.key(&bench.scope.keys))).await;
        let step = plane.events().follow(&mut tail, Duration::ZERO).await.unwrap().unwrap();
        assert_eq!((step.entries.len(), step.lost), (40, 60));
        let step = plane.events().follow(&mut tail, Duration::ZERO).await.unwrap().unwrap();
        assert_eq!((step.entries.len(), step.lost), (0, 0));
    })
    .await;
}

#[tokio::test]
async fn a_key_of_another_type_is_refused_and_holds_up_nobody() {
    let bench = Bench::verbatim().await;
    let plane = Plane::new(bench.scope.clone()).unwrap();
    bench.cli("SET events:all text").await;
    let stream = Stream::Ade(EventType::Lock);
    assert!(refused(plane.events().publish(Stream::All, &[event(1)]).await.unwrap()).is("wrong_type"));
    assert!(refused(plane.events().read(&Read::new(Stream::All, "g", "c")).await.unwrap()).is("wrong_type"));
    publish(&plane, stream, 0..1).await;
    plane.events().upkeep().await.unwrap();
    assert_eq!(bench.cli("GET events:all").await, Value::BulkString(b"text".to_vec()));
}

#[tokio::test]
async fn bad_input_is_refused_before_anything_is_sent() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let event = |event: &str, payload: &str, source: &str| Event {
            event: event.into(),
            payload: payload.into(),
            source: source.into(),
        };
        let long = "x".repeat(70_000);
        let deep = "[".repeat(1_001) + &"]".repeat(1_001);
        for bad in [
            event("", "{}", "s"),
            event("a\nb", "{}", "s"),
            event("e", "{", "s"),
            event("e", "", "s"),
            event("e", &deep, "s"),
            event("e", &format!("\"{long}\""), "s"),
            event("e", "{}", ""),
        ] {
            assert!(plane.events().publish(Stream::All, &[bad]).await.is_err());
        }
        assert!(plane.events().publish(Stream::Pending, &[event("e", "1", "s")]).await.is_err());
        for name in ["", "a b", "*", "gap-1", "a:b", "\u{202e}", &"x".repeat(129)] {
            assert!(plane.events().read(&Read::new(Stream::All, name, "c")).await.is_err(), "{name}");
            assert!(plane.events().read(&Read::new(Stream::All, "g", name)).await.is_err(), "{name}");
        }
        for id in ["", "x", "1-", "-1", "1-2-3", "99999999999999999999999"] {
            assert!(plane.events().ack(Stream::All, "g", None, &[id.into()]).await.is_err(), "{id}");
        }
        assert_eq!(length(bench, Stream::All).await, 0);
    })
    .await;
}

/// FSCK050 and FSCK051: a record that a foreign client broke is found and put right; a loss is information.
#[tokio::test]
async fn fsck_finds_a_broken_record_and_tells_of_losses() {
    let bench = Bench::start().await;
    let plane = Plane::new(bench.scope.clone()).unwrap();
    publish(&plane, Stream::All, 0..200).await;
    read(&plane, &Read { count: 10, ..Read::new(Stream::All, "g", "c") }).await;
    bench.cli(&format!("XTRIM {} MAXLEN = 100", Stream::All.key(&bench.scope.keys))).await;
    plane.events().look(Stream::All).await.unwrap();
    let state = format!("{}~q:quorate:stream:events:all", bench.scope.keys.namespace_text());
    bench.cli(&format!("HSET {state} g:g nonsense")).await;
    let report = quorate_audit::run(&bench.scope, &invariants(), false, &|_, _| {}).await.unwrap();
    let codes =
        |list: &[quorate_store::invariant::Finding]| list.iter().map(|one| one.code).collect::<Vec<_>>();
    assert_eq!(codes(&report.findings), ["FSCK050"]);
    assert!(codes(&report.information).contains(&"FSCK051"));
    quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
    assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
    plane.events().look(Stream::All).await.unwrap();
    assert_eq!(plane.events().losses().await.unwrap()[0].unread, 90, "what was counted is not counted again");
}

#[tokio::test]
async fn what_a_consumer_gives_back_is_delivered_at_once_and_stays_counted() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let published = publish(&plane, Stream::All, 0..2).await;
        assert_eq!(ids(&read(&plane, &Read::new(Stream::All, "g", "c1")).await), published);
        let other = plane.events().nack(Stream::All, "g", "c2", &published).await.unwrap().unwrap();
        assert_eq!((other.acked, other.stale), (0, published.clone()), "only what is its own");
        let own = plane.events().nack(Stream::All, "g", "c1", &published[..1]).await.unwrap().unwrap();
        assert_eq!((own.acked, own.stale.len()), (1, 0));
        let again = read(&plane, &Read::new(Stream::All, "g", "c2")).await;
        assert_eq!(
            (again.entries.len(), &again.entries[0].id, again.entries[0].deliveries),
            (1, &published[0], 2)
        );
        let nobody = plane.events().nack(Stream::All, "nobody", "c1", &published).await.unwrap();
        assert_eq!(refused(nobody).code, "no_group");
    })
    .await;
}
