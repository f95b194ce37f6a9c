//! What the store promises when the server stalls, dies or vanishes.

use std::time::{Duration, Instant};

use crate::support::{Server, eventually, target, words};
use quorate_store::{ErrorKind, Options, Store, Value};
use quorate_testkit::chaos::{Fault, Proxy};

const SHORT: Duration = Duration::from_millis(300);

async fn set(store: &Store, value: &str) -> Result<(), ErrorKind> {
    store.query::<()>(&words(&format!("SET a {value}"))).await.map_err(|error| error.kind())
}

async fn connections(store: &Store) -> u64 {
    store.info("clients").await.unwrap().number("connected_clients").unwrap()
}

#[tokio::test]
async fn a_stopped_server_costs_each_call_its_own_time_and_no_more() {
    let server = Server::start(&[]);
    let store = server.store().await;
    set(&store, "1").await.unwrap();
    server.worker.stop().unwrap();
    let calls = [200, 400, 700].map(|millis| {
        let store = store.within(Duration::from_millis(millis));
        tokio::spawn(async move {
            let started = Instant::now();
            let read = store.query::<Value>(&words("GET a")).await.unwrap_err().kind();
            (read, started.elapsed().as_millis().abs_diff(u128::from(millis)))
        })
    });
    for call in calls {
        let (kind, off_by) = call.await.unwrap();
        assert!(matches!(kind, ErrorKind::TimedOut | ErrorKind::Unreachable), "{kind:?}");
        assert!(off_by < 150, "a call was late by {off_by} ms");
    }
    assert_eq!(
        set(&store.within(SHORT), "2").await,
        Err(ErrorKind::Unreachable),
        "the link is under repair, so nothing is sent"
    );
    server.worker.cont().unwrap();
    let started = Instant::now();
    set(&store, "3").await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    eventually("one connection", Duration::from_secs(3), async || connections(&store).await == 1).await;
}

#[tokio::test]
async fn a_write_that_was_sent_to_a_stopped_server_has_an_unknown_outcome() {
    let server = Server::start(&[]);
    let store = server.store().await;
    server.worker.stop().unwrap();
    assert_eq!(set(&store.within(SHORT), "1").await, Err(ErrorKind::UnknownOutcome));
    server.worker.cont().unwrap();
    set(&store, "2").await.unwrap();
}

#[tokio::test]
async fn a_connection_that_is_silent_for_ever_is_replaced() {
    let server = Server::start(&[]);
    let proxy = Proxy::start(server.address()).await.unwrap();
    let store = crate::support::connect(proxy.address()).await;
    set(&store, "1").await.unwrap();
    proxy.set(Fault::Blackhole);
    assert_eq!(set(&store.within(SHORT), "2").await, Err(ErrorKind::UnknownOutcome));
    // A dial that has just begun in the outage stays lost too, as its packets would: the worst moment to heal.
    tokio::time::sleep(Duration::from_millis(50)).await;
    proxy.strand();
    proxy.heal();
    let started = Instant::now();
    set(&store, "3").await.unwrap();
    // Half a connect timeout until the next dial; a whole one would be more than this allows.
    assert!(started.elapsed() < Duration::from_millis(1700), "{:?}", started.elapsed());
}

#[tokio::test]
async fn one_slow_call_does_not_break_the_connection_of_the_others() {
    let server = Server::start(&[]);
    let proxy = Proxy::start(server.address()).await.unwrap();
    let store = crate::support::connect(proxy.address()).await;
    proxy.set(Fault::Delay(Duration::from_millis(150)));
    let slow = {
        let store = store.clone();
        tokio::spawn(async move { set(&store, "1").await })
    };
    let hasty = store.within(Duration::from_millis(50)).query::<Value>(&words("GET a")).await;
    assert_eq!(hasty.unwrap_err().kind(), ErrorKind::TimedOut);
    assert_eq!(slow.await.unwrap(), Ok(()), "what was under way on the old connection ends there");
}

#[tokio::test]
async fn fifty_clients_resume_after_each_of_five_restarts() {
    let mut server = Server::start(&[]);
    let mut stores = Vec::new();
    for _ in 0..50 {
        stores.push(server.store().await);
    }
    for round in 0..5 {
        server.restart();
        let back = Instant::now();
        let calls: Vec<_> =
            stores.iter().cloned().map(|store| tokio::spawn(async move { resume(&store).await })).collect();
        for call in calls {
            call.await.unwrap();
        }
        assert!(back.elapsed() < Duration::from_secs(2), "round {round}: {:?}", back.elapsed());
        let watcher = stores[0].clone();
        assert!(connections(&watcher).await <= 50, "round {round}: more than one connection per link");
    }
    let received = stores[0].info("stats").await.unwrap().number("total_connections_received").unwrap();
    assert!(received <= 60, "{received} connections since the last restart");
}

/// Several callers share each link, so a storm would show.
async fn resume(store: &Store) {
    let calls: Vec<_> = (0..8)
        .map(|_| store.clone())
        .map(|store| tokio::spawn(async move { store.query::<String>(&words("PING")).await }))
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap(), "PONG");
    }
}

#[tokio::test]
async fn an_idle_connection_that_died_costs_no_write() {
    let mut server = Server::start(&[]);
    let store = server.store().await;
    set(&store, "1").await.unwrap();
    server.restart();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(set(&store, "2").await, Ok(()), "the link learnt of it before the write");
}

#[tokio::test]
async fn a_blocking_read_delays_nobody_and_ends_with_its_caller() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let mut own = store.dedicated();
    let blocked = tokio::spawn(async move {
        let item: Option<(String, String)> =
            own.query(&words("BLPOP queue 10"), Duration::from_secs(10)).await.unwrap();
        (own, item)
    });
    eventually("a blocked client", SHORT * 4, async || blocked_clients(&store).await == 1).await;
    let started = Instant::now();
    for _ in 0..100 {
        set(&store, "1").await.unwrap();
    }
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    store.query::<()>(&words("RPUSH queue job")).await.unwrap();
    let (mut own, item) = blocked.await.unwrap();
    assert_eq!(item, Some(("queue".to_owned(), "job".to_owned())));
    let abandoned =
        tokio::time::timeout(SHORT, own.query::<Value>(&words("BLPOP queue 10"), Duration::from_secs(10)))
            .await;
    assert!(abandoned.is_err());
    eventually("nobody blocked", SHORT, async || blocked_clients(&store).await == 0).await;
    store.query::<()>(&words("RPUSH queue kept")).await.unwrap();
    assert_eq!(store.query::<usize>(&words("LLEN queue")).await.unwrap(), 1, "no item went to nobody");
    let next: (String, String) = own.query(&words("BLPOP queue 1"), Duration::from_secs(1)).await.unwrap();
    assert_eq!(next.1, "kept");
}

async fn blocked_clients(store: &Store) -> u64 {
    store.info("clients").await.unwrap().number("blocked_clients").unwrap()
}

#[tokio::test]
async fn a_blocking_read_is_asked_once_for_all_of_its_time() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let mut own = store.within(SHORT).dedicated();
    let started = Instant::now();
    let nothing: Value =
        own.query(&words("XREAD BLOCK 1200 STREAMS s $"), Duration::from_millis(1200)).await.unwrap();
    assert_eq!(nothing, Value::Nil);
    assert!(started.elapsed() >= Duration::from_millis(1200), "{:?}", started.elapsed());
    let stats = store.info("commandstats").await.unwrap();
    assert!(stats.get("cmdstat_xread").unwrap().starts_with("calls=1,"), "{stats:?}");
}

#[tokio::test]
async fn a_reader_that_blocks_through_a_restart_gets_an_answer_or_an_error_in_time() {
    let mut server = Server::start(&[]);
    let store = server.store().await;
    let reader = store.clone();
    let blocked = tokio::spawn(async move {
        reader
            .dedicated()
            .query::<Value>(&words("XREAD BLOCK 1500 STREAMS s $"), Duration::from_millis(1500))
            .await
    });
    eventually("a blocked client", SHORT * 4, async || blocked_clients(&store).await == 1).await;
    server.restart();
    assert_eq!(blocked.await.unwrap().unwrap(), Value::Nil, "a read is asked again");
}

#[tokio::test]
async fn a_store_outlives_the_runtime_it_was_made_in() {
    let server = Server::start(&[]);
    let (address, first) = (server.address(), tokio::runtime::Runtime::new().unwrap());
    let ended = std::thread::spawn(move || {
        let store = first.block_on(crate::support::connect(address));
        first.shutdown_background();
        let second = tokio::runtime::Runtime::new().unwrap();
        second.block_on(async { store.query::<String>(&words("PING")).await })
    });
    assert_eq!(tokio::task::spawn_blocking(move || ended.join().unwrap()).await.unwrap().unwrap(), "PONG");
    drop(Store::lazy(target(server.address()), Options::default()));
}

#[tokio::test]
async fn a_cut_network_heals_within_two_seconds_however_long_it_lasted() {
    let server = Server::start(&[]);
    let proxy = Proxy::start(server.address()).await.unwrap();
    let store = crate::support::connect(proxy.address()).await;
    for outage in [50, 500, 1700] {
        proxy.set(Fault::Cut);
        let before = proxy.accepted();
        tokio::time::sleep(Duration::from_millis(outage)).await;
        let attempts = proxy.accepted() - before;
        assert!(attempts < 12, "{attempts} attempts to connect in {outage} ms");
        proxy.heal();
        let healed = Instant::now();
        set(&store, "1").await.unwrap();
        assert!(healed.elapsed() < Duration::from_secs(2), "{:?}", healed.elapsed());
    }
}

#[tokio::test]
async fn tiny_pieces_make_whole_answers() {
    let server = Server::start(&[]);
    let proxy = Proxy::start(server.address()).await.unwrap();
    proxy.set(Fault::Slice(1));
    let store = crate::support::connect(proxy.address()).await;
    let long = "x".repeat(2000);
    set(&store, &long).await.unwrap();
    assert_eq!(store.query::<String>(&words("GET a")).await.unwrap(), long);
}
