//! Every kind of fault that can be provoked, provoked on a real server, and told apart.

use std::time::{Duration, Instant};

use crate::support::{Server, eventually, free_port, target, words};
use quorate_store::{ErrorKind, Options, Store, Target, Value, pipe};

async fn fails(store: &Store, line: &str) -> ErrorKind {
    store.query::<Value>(&words(line)).await.expect_err(line).kind()
}

#[tokio::test]
async fn a_server_that_is_not_there() {
    let started = Instant::now();
    let address = (std::net::Ipv4Addr::LOCALHOST, free_port()).into();
    let error = Store::connect(target(address), Options::default()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    assert!(started.elapsed() < Duration::from_secs(1), "a refused connection is known at once");
    let lazy = Store::lazy(target(address), Options::default().response_timeout(Duration::from_millis(300)));
    let started = Instant::now();
    let error = lazy.query::<()>(&words("SET a b")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable, "it was never sent, so its outcome is known");
    assert!((300..600).contains(&started.elapsed().as_millis()), "{:?}", started.elapsed());
}

#[tokio::test]
async fn passwords_are_wanted_checked_and_never_shown() {
    let server = Server::start(&["--requirepass", "hunter22"]);
    let connect = async |user: &str| {
        let url = format!("redis://{user}{}", server.address());
        Store::connect(Target::parse(&url).unwrap(), Options::default()).await
    };
    assert_eq!(connect("").await.unwrap_err().kind(), ErrorKind::NoAuth);
    let wrong = connect(":hunter23@").await.unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::WrongPass);
    assert!(!format!("{wrong} {wrong:?}").contains("hunter2"));
    let store = connect(":hunter22@").await.unwrap();
    assert_eq!(store.query::<String>(&words("PING")).await.unwrap(), "PONG");
    assert!(!format!("{store:?} {}", store.target()).contains("hunter2"));
}

#[tokio::test]
async fn a_wrong_password_is_told_at_once_to_every_call() {
    let server = Server::start(&["--requirepass", "hunter22"]);
    let url = Target::parse(&format!("redis://:wrong@{}", server.address())).unwrap();
    let store = Store::lazy(url, Options::default());
    let started = Instant::now();
    assert_eq!(fails(&store, "PING").await, ErrorKind::WrongPass);
    assert!(started.elapsed() < Duration::from_secs(1), "waiting would not help");
}

#[tokio::test]
async fn what_the_access_rules_forbid() {
    let server = Server::start(&[]);
    let store = server.store().await;
    store.query::<()>(&words("ACL SETUSER reader on >pw ~a* +get +ping")).await.unwrap();
    let url = Target::parse(&format!("redis://reader:pw@{}", server.address())).unwrap();
    let reader = Store::connect(url, Options::default()).await.unwrap();
    assert_eq!(reader.query::<Option<String>>(&words("GET a")).await.unwrap(), None);
    assert_eq!(fails(&reader, "SET a b").await, ErrorKind::NoPerm);
    assert_eq!(fails(&reader, "GET b").await, ErrorKind::NoPerm);
}

#[tokio::test]
async fn a_replica_takes_no_writes_and_without_its_master_no_reads() {
    let (master, replica) = (Server::start(&[]), Server::start(&["--replica-serve-stale-data", "no"]));
    let store = replica.store().await.within(Duration::from_millis(300));
    store.query::<()>(&words(&format!("REPLICAOF 127.0.0.1 {}", master.port))).await.unwrap();
    eventually("replication", Duration::from_secs(20), async || {
        store.info("replication").await.is_ok_and(|info| info.get("master_link_status") == Some("up"))
    })
    .await;
    let started = Instant::now();
    assert_eq!(fails(&store, "SET a b").await, ErrorKind::ReadOnly);
    assert!(started.elapsed() < Duration::from_millis(200), "one server cannot become a master by waiting");
    drop(master);
    eventually("a lost master", Duration::from_secs(5), async || {
        fails(&store, "GET a").await == ErrorKind::MasterDown
    })
    .await;
}

#[tokio::test]
async fn a_long_script_makes_the_server_busy_and_a_writing_one_unkillable() {
    let server = Server::start(&["--busy-reply-threshold", "50"]);
    let store = server.store().await;
    let run = |store: Store, body: &'static str| {
        tokio::spawn(async move {
            let mut eval = quorate_store::cmd("EVAL");
            store.dedicated().query::<Value>(eval.arg(body).arg(1).arg("a"), Duration::from_secs(5)).await
        })
    };
    let reading = run(store.clone(), "while true do end");
    eventually("a busy server", Duration::from_secs(2), async || {
        let got = store.within(Duration::from_millis(120)).query::<Value>(&words("GET a")).await;
        got.is_err_and(|error| error.kind() == ErrorKind::Busy)
    })
    .await;
    store.query::<()>(&words("SCRIPT KILL")).await.unwrap();
    assert_eq!(reading.await.unwrap().unwrap_err().kind(), ErrorKind::ScriptFault);
    // A call that finds the server busy waits for it, within its own time.
    let writing = run(
        store.clone(),
        "redis.call('SET', KEYS[1], 1) local t = redis.call('TIME')[1] while redis.call('TIME')[1] - t < 2 do end return 7",
    );
    eventually("an unkillable script", Duration::from_secs(2), async || {
        let got = store.query::<Value>(&words("SCRIPT KILL")).await;
        got.is_err_and(|error| error.kind() == ErrorKind::Unkillable)
    })
    .await;
    assert_eq!(store.query::<i64>(&words("INCR n")).await.unwrap(), 1, "refused while busy, then done once");
    assert_eq!(writing.await.unwrap().unwrap(), Value::Int(7));
}

#[tokio::test]
async fn a_server_that_cannot_save_and_one_without_replicas() {
    let server = Server::start(&["--save", "3600 1000000"]);
    let store = server.store().await;
    store.query::<()>(&words("SET a b")).await.unwrap();
    store.query::<()>(&words("CONFIG SET min-replicas-to-write 1")).await.unwrap();
    assert_eq!(fails(&store.within(Duration::from_secs(1)), "SET a c").await, ErrorKind::NoReplicas);
    store.query::<()>(&words("CONFIG SET min-replicas-to-write 0")).await.unwrap();
    // A folder in the place of the file makes saving fail, for root too.
    std::fs::create_dir(server.folder().join("dump.rdb")).unwrap();
    store.query::<Value>(&words("BGSAVE")).await.unwrap();
    eventually("a failed save", Duration::from_secs(5), async || {
        fails_with(&store, "SET other d", ErrorKind::Misconf).await
    })
    .await;
    assert_eq!(store.query::<String>(&words("GET a")).await.unwrap(), "b");
}

async fn fails_with(store: &Store, line: &str, kind: ErrorKind) -> bool {
    store.query::<Value>(&words(line)).await.is_err_and(|error| error.kind() == kind)
}

#[tokio::test]
async fn a_full_server() {
    let server = Server::start(&["--maxmemory-policy", "noeviction"]);
    let store = server.store().await;
    store.query::<()>(&words("CONFIG SET maxmemory 1")).await.unwrap();
    let started = Instant::now();
    assert_eq!(fails(&store, "SET a b").await, ErrorKind::OutOfMemory);
    assert!(started.elapsed() < Duration::from_millis(500), "a full server is told, not waited for");
}

#[tokio::test]
async fn mistakes_in_the_call_itself() {
    let server = Server::start(&[]);
    let store = server.store().await;
    store.query::<()>(&words("LPUSH list x")).await.unwrap();
    assert_eq!(fails(&store, "GET list").await, ErrorKind::WrongType);
    assert_eq!(fails(&store, "NOSUCHCOMMAND secret").await, ErrorKind::UnknownCommand);
    assert_eq!(fails(&store, "XINFO NOSUCH list").await, ErrorKind::UnknownCommand);
    assert_eq!(fails(&store, "INCRBY n x").await, ErrorKind::Rejected);
    assert_eq!(
        fails(&store, "EVALSHA 0000000000000000000000000000000000000000 0").await,
        ErrorKind::NoScript
    );
    assert_eq!(fails(&store, "EVAL syntax 0").await, ErrorKind::ScriptFault);
    let mut transaction = pipe();
    transaction.atomic().cmd("SET").arg("a").arg("b").cmd("GET").ignore();
    assert_eq!(store.pipeline::<Value>(&transaction).await.unwrap_err().kind(), ErrorKind::ExecAbort);
    assert_eq!(store.query::<Option<String>>(&words("GET a")).await.unwrap(), None);
    store.query::<()>(&words("SET text abc")).await.unwrap();
    assert_eq!(store.query::<i64>(&words("GET text")).await.unwrap_err().kind(), ErrorKind::Protocol);
}

#[tokio::test]
async fn something_that_is_no_redis() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ =
                tokio::io::AsyncWriteExt::write_all(&mut socket, b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let error = Store::connect(target(address), Options::default()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
}

#[tokio::test]
async fn tls_with_a_server_that_has_none_is_a_fault_and_no_panic() {
    let server = Server::start(&[]);
    let url = Target::parse(&format!("rediss://{}", server.address())).unwrap();
    let options = Options::default().connect_timeout(Duration::from_millis(500));
    assert_eq!(Store::connect(url, options).await.unwrap_err().kind(), ErrorKind::Unreachable);
}
