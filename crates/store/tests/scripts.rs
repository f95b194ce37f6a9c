//! Scripts on a real server: their locals, their fragments, their reload and their answers to repeated calls.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use crate::support::{Server, words};
use quorate_store::{Clock, ErrorKind, FamilyFacts, Micros, Script, Store, Value, args, check_all};
use quorate_testkit::chaos::{Fault, Proxy};

macro_rules! script {
    ($name:literal) => {
        LazyLock::new(|| Script::parse($name, include_str!(concat!("lua/", $name, ".lua"))).unwrap())
    };
}

static DEPOSIT: LazyLock<Script> = script!("deposit");
static PEEK: LazyLock<Script> = script!("peek");
static DRAIN: LazyLock<Script> = script!("drain");
static CLOCK: LazyLock<Script> = script!("clock");
static FAULTY: LazyLock<Script> = script!("faulty");

type Deposit = (String, i64, String);

async fn deposit(store: &Store, amount: i64, request: &str) -> quorate_store::Result<Deposit> {
    store.run(&DEPOSIT, &["{a}account", "{a}ring"], &args![amount, request]).await
}

#[test]
fn the_scripts_of_this_crate_keep_the_rules() {
    let families = |name: &str| name.starts_with("test.").then(|| FamilyFacts { tag: Some("a".to_owned()) });
    let problems = check_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lua"), &families).unwrap();
    assert!(problems.is_empty(), "{problems:#?}");
}

#[tokio::test]
async fn a_repeated_request_gets_the_first_answer_and_one_effect() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let first = deposit(&store, 5, "r1").await.unwrap();
    assert_eq!(deposit(&store, 5, "r1").await.unwrap(), first);
    assert_eq!(deposit(&store, 7, "r2").await.unwrap().1, 12);
    assert_eq!(deposit(&store, 1, "").await.unwrap().1, 13);
    assert_eq!(deposit(&store, 1, "").await.unwrap().1, 14, "an empty id asks for nothing");
}

#[tokio::test]
async fn the_ring_of_answers_is_bounded() {
    let server = Server::start(&[]);
    let store = server.store().await;
    for n in 1..=20 {
        deposit(&store, 1, &format!("r{n}")).await.unwrap();
        // Two counters, and a number and an answer for each of the last three.
        assert_eq!(store.query::<usize>(&words("HLEN {a}ring")).await.unwrap(), 2 + 2 * n.min(3));
    }
    assert_eq!(deposit(&store, 1, "r18").await.unwrap().1, 18, "the third last is still known");
    assert_eq!(deposit(&store, 1, "r17").await.unwrap().1, 21, "the fourth last is forgotten");
    assert!(store.query::<i64>(&words("PTTL {a}ring")).await.unwrap() > 0);
}

#[tokio::test]
async fn a_key_of_another_type_is_refused_before_anything_is_written() {
    let server = Server::start(&[]);
    let store = server.store().await;
    store.query::<()>(&words("LPUSH {a}account x")).await.unwrap();
    let answer: Vec<String> = store.run(&DEPOSIT, &["{a}account", "{a}ring"], &args![1, "r1"]).await.unwrap();
    assert_eq!(answer, ["refused", "wrong_type", "{a}account", "list", "string"]);
    assert_eq!(store.query::<usize>(&words("DBSIZE")).await.unwrap(), 1);
}

#[tokio::test]
async fn a_forgotten_script_is_sent_again() {
    let server = Server::start(&[]);
    let store = server.store().await;
    for n in 1..=3 {
        store.query::<()>(&words("SCRIPT FLUSH")).await.unwrap();
        assert_eq!(deposit(&store, 1, &format!("r{n}")).await.unwrap().1, n);
    }
}

#[tokio::test]
async fn many_keys_and_arguments_become_tables() {
    let server = Server::start(&[]);
    let store = server.store().await;
    store.query::<()>(&words("MSET a 3 b 9007199254740991")).await.unwrap();
    let found: Vec<(String, String)> =
        store.run(&PEEK, &["a", "b", "c"], &args![1, "first", "second"]).await.unwrap();
    let expected = [("first", "3"), ("second", "9007199254740991"), ("", "0")];
    assert_eq!(found, expected.map(|(label, balance)| (label.to_owned(), balance.to_owned())));
    let many: Vec<String> = (0..9000).map(|n| format!("k{n}")).collect();
    let all: Vec<(String, String)> = store.run(&PEEK, &many, &args![1]).await.unwrap();
    assert_eq!(all.len(), 9000, "more values than `unpack` can take");
}

#[tokio::test]
async fn what_does_not_fit_the_header_is_refused_before_it_is_sent() {
    let server = Server::start(&[]);
    let store = server.store().await;
    for (keys, arguments) in [
        (vec!["a"], vec!["1", "r"]),
        (vec!["a", "b", "c"], vec!["1", "r"]),
        (vec!["a", "b"], vec!["1"]),
        (vec!["a", "b"], vec!["1", "r", "x"]),
        (vec!["a", "b"], vec!["1.5", "r"]),
        (vec!["a", "b"], vec!["nan", "r"]),
        (vec!["a", "b"], vec!["9007199254740993", "r"]),
        (vec!["a", "b"], vec!["", "r"]),
    ] {
        let arguments: Vec<_> = arguments.into_iter().map(quorate_store::Arg::from).collect();
        let error = store.run::<Value>(&DEPOSIT, &keys, &arguments).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    }
    assert_eq!(store.info("commandstats").await.unwrap().get("cmdstat_evalsha"), None);
}

#[tokio::test]
async fn the_server_refuses_wrong_numbers_too() {
    let server = Server::start(&[]);
    let store = server.store().await;
    for wrong in ["x", "1.5", "1e300", "nan", "inf", ""] {
        let mut eval = quorate_store::cmd("EVAL");
        eval.arg(DEPOSIT.code()).arg(2).arg("a").arg("b").arg(wrong).arg("r");
        let error = store.query::<Value>(&eval).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.detail()),
            (ErrorKind::InvalidArgument, "ARGUMENT amount is not an exact integer"),
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn lua_and_rust_write_the_same_time() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let days = (0..60_000).step_by(7).map(|day: u64| day * 86_400_000_000 + day * 1_234_567);
    let odd = [0, 1, 999_999, 951_782_399_999_999, 951_868_800_000_000, 4_107_542_400_000_000, 1 << 52];
    for instant in days.chain(odd).map(Micros::new) {
        let (us, ms, digits, iso): (u64, u64, String, String) =
            store.run(&CLOCK, &[] as &[&str], &args![instant]).await.unwrap();
        assert_eq!((us, ms, digits), (instant.get(), instant.millis(), instant.get().to_string()));
        assert_eq!(iso, instant.iso());
    }
}

#[tokio::test]
async fn scripts_see_the_servers_time_unless_a_test_moves_it() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let read = async |store: &Store| -> u64 {
        store
            .run::<Vec<Value>>(&CLOCK, &[] as &[&str], &args![-1])
            .await
            .map(|all| quorate_store::FromRedisValue::from_redis_value(all[0].clone()).unwrap())
            .unwrap()
    };
    let before = store.time().await.unwrap().get();
    let now = read(&store).await;
    assert!((before..before + 1_000_000).contains(&now), "{before} {now}");
    let fixed = store.with_clock(Clock::Fixed(Micros::new(1_000_000_000_000_123)));
    assert_eq!(
        (read(&fixed).await, fixed.time().await.unwrap().get()),
        (1_000_000_000_000_123, 1_000_000_000_000_123)
    );
    let later = store.with_clock(Clock::Offset(3_600_000_000));
    assert!((3_599_000_000..3_605_000_000).contains(&(read(&later).await - before)));
}

#[tokio::test]
async fn a_fault_names_the_line_of_the_file() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let error = store.run::<Value>(&FAULTY, &["a"], &[]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ScriptFault);
    assert!(error.detail().contains("user_script:12:"), "{error}");
    assert_eq!(error.op(), "script faulty");
}

#[tokio::test]
async fn a_full_server_refuses_new_work_and_lets_old_work_drain() {
    let server = Server::start(&["--maxmemory-policy", "noeviction"]);
    let store = server.store().await;
    deposit(&store, 1, "r1").await.unwrap();
    store.query::<()>(&words("CONFIG SET maxmemory 1")).await.unwrap();
    assert_eq!(deposit(&store, 1, "r2").await.unwrap_err().kind(), ErrorKind::OutOfMemory);
    assert_eq!(store.run::<usize>(&DRAIN, &["{a}account"], &[]).await.unwrap(), 1);
}

async fn through(server: &Server) -> (Proxy, Store) {
    let proxy = Proxy::start(server.address()).await.unwrap();
    let store = crate::support::connect(proxy.address()).await.within(Duration::from_secs(2));
    (proxy, store)
}

#[tokio::test]
async fn a_lost_reply_is_answered_by_the_first_answer() {
    let server = Server::start(&[]);
    let (proxy, store) = through(&server).await;
    deposit(&store, 0, "warm").await.unwrap();
    for n in 1..=10 {
        proxy.drop_reply_after_forward(1, "EVALSHA");
        let answer = deposit(&store, 1, &format!("r{n}")).await.unwrap();
        assert_eq!((answer.1, proxy.still_to_drop()), (n, 0));
    }
    assert_eq!(store.query::<i64>(&words("GET {a}account")).await.unwrap(), 10, "exactly one effect each");
    assert_eq!(proxy.accepted(), 11, "one connection for each that was closed, and no more");
}

#[tokio::test]
async fn a_lost_reply_without_a_request_id_is_an_unknown_outcome() {
    let server = Server::start(&[]);
    let (proxy, store) = through(&server).await;
    deposit(&store, 0, "").await.unwrap();
    proxy.drop_reply_after_forward(1, "EVALSHA");
    let error = deposit(&store, 1, "").await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::UnknownOutcome, "STORE003"));
    assert_eq!(store.query::<i64>(&words("GET {a}account")).await.unwrap(), 1, "it had happened, once");
    proxy.drop_reply_after_forward(1, "INCR");
    assert_eq!(store.query::<i64>(&words("INCR n")).await.unwrap_err().kind(), ErrorKind::UnknownOutcome);
    assert_eq!(store.query::<i64>(&words("GET n")).await.unwrap(), 1);
}

#[tokio::test]
async fn a_silent_server_is_asked_again_by_whoever_may_ask_twice() {
    let server = Server::start(&[]);
    let (proxy, store) = through(&server).await;
    deposit(&store, 0, "warm").await.unwrap();
    proxy.set(Fault::Blackhole);
    let waiting = {
        let store = store.clone();
        tokio::spawn(async move { deposit(&store, 1, "r1").await })
    };
    tokio::time::sleep(Duration::from_millis(200)).await;
    proxy.strand();
    proxy.heal();
    assert_eq!(waiting.await.unwrap().unwrap().1, 1, "the second attempt goes over a new connection");
}

#[tokio::test]
async fn a_read_survives_a_lost_reply() {
    let server = Server::start(&[]);
    let (proxy, store) = through(&server).await;
    store.query::<()>(&words("SET a 5")).await.unwrap();
    proxy.drop_reply_after_forward(1, "GET");
    assert_eq!(store.query::<i64>(&words("GET a")).await.unwrap(), 5);
    proxy.drop_reply_after_forward(1, "SET");
    store.repeatable().query::<()>(&words("SET a 6")).await.unwrap();
}
