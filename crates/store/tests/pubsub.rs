//! Pub/sub: messages arrive, losses are told.

use std::time::Duration;

use crate::support::{Server, words};
use quorate_store::{ErrorKind, Notice, Store, Subscription, Topics};
use quorate_testkit::chaos::{Fault, Proxy};
use tokio::time::timeout;

const SOON: Duration = Duration::from_secs(3);

async fn next(subscription: &mut Subscription) -> Notice {
    timeout(SOON, subscription.next()).await.expect("a notice in time")
}

async fn publish(store: &Store, text: &str) {
    store.query::<()>(&words(&format!("PUBLISH news:a {text}"))).await.unwrap();
}

fn message(pattern: Option<&str>, payload: &str) -> Notice {
    Notice::Message {
        channel: "news:a".to_owned(),
        pattern: pattern.map(str::to_owned),
        payload: payload.into(),
    }
}

#[tokio::test]
async fn channels_and_patterns_are_heard() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let mut by_name = store.subscribe(Topics::channels(["news:a", "news:b"])).await.unwrap();
    let mut by_pattern = store.subscribe(Topics::patterns(["news:*"])).await.unwrap();
    publish(&store, "one").await;
    assert_eq!(next(&mut by_name).await, message(None, "one"));
    assert_eq!(next(&mut by_pattern).await, message(Some("news:*"), "one"));
    let nothing = store.subscribe(Topics::default()).await.err().unwrap();
    assert_eq!(nothing.kind(), ErrorKind::InvalidArgument);
}

#[tokio::test]
async fn a_restart_is_told_and_messages_after_it_arrive() {
    let mut server = Server::start(&[]);
    let store = server.store().await;
    let mut subscription = store.subscribe(Topics::channels(["news:a"])).await.unwrap();
    for round in 0..3 {
        server.restart();
        assert_eq!(next(&mut subscription).await, Notice::Reconnected, "round {round}");
        publish(&store, "after").await;
        assert_eq!(next(&mut subscription).await, message(None, "after"), "round {round}");
    }
}

#[tokio::test]
async fn messages_before_a_break_are_not_lost_by_it() {
    let mut server = Server::start(&[]);
    let store = server.store().await;
    let mut subscription = store.subscribe(Topics::channels(["news:a"])).await.unwrap();
    publish(&store, "before").await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    server.restart();
    assert_eq!(next(&mut subscription).await, message(None, "before"));
    assert_eq!(next(&mut subscription).await, Notice::Reconnected);
}

#[tokio::test]
async fn a_silent_connection_is_found_and_replaced() {
    let server = Server::start(&[]);
    let proxy = Proxy::start(server.address()).await.unwrap();
    let store = crate::support::connect(proxy.address()).await;
    let mut subscription = store.subscribe(Topics::channels(["news:a"])).await.unwrap();
    proxy.strand();
    let found = timeout(Duration::from_secs(9), subscription.next()).await.unwrap();
    assert_eq!(found, Notice::Reconnected);
    publish(&server.store().await, "after").await;
    assert_eq!(next(&mut subscription).await, message(None, "after"));
}

#[tokio::test]
async fn dropped_messages_leave_the_subscription_alive() {
    let server = Server::start(&[]);
    let proxy = Proxy::start(server.address()).await.unwrap();
    let store = crate::support::connect(proxy.address()).await;
    let mut subscription = store.subscribe(Topics::channels(["news:a"])).await.unwrap();
    proxy.set(Fault::DropPubsub);
    publish(&store, "lost").await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    proxy.heal();
    publish(&store, "heard").await;
    assert_eq!(next(&mut subscription).await, message(None, "heard"));
}

#[tokio::test]
async fn a_reader_that_sleeps_is_told_what_it_missed_and_holds_no_more_than_its_buffer() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let mut subscription = store.subscribe(Topics::channels(["news:a"])).await.unwrap();
    let mut burst = quorate_store::pipe();
    for _ in 0..6000 {
        burst.cmd("PUBLISH").arg("news:a").arg("x").ignore();
    }
    store.pipeline::<()>(&burst).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(next(&mut subscription).await, Notice::Overflowed);
    let mut held = 0;
    while let Ok(Notice::Message { .. }) = timeout(Duration::from_millis(200), subscription.next()).await {
        held += 1;
    }
    assert_eq!(held, 4096);
}
