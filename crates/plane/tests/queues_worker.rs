//! A worker whose handlers misbehave, and one that is stopped while all of them are busy.

use std::future::{Future, pending};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::queues::{claim, push, queue, texts};
use crate::support::{agent, plane};
use quorate_plane::agents::DEFAULT_LEASE;
use quorate_plane::dead_letters::Filter;
use quorate_plane::queues::Push;
use quorate_plane::worker::{Job, Report};
use quorate_plane::{Plane, invariants};
use quorate_testkit::check;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

const SOON: Duration = Duration::from_secs(5);

type Handled = std::pin::Pin<Box<dyn Future<Output = Result<(), String>> + Send>>;

/// Counts handlers that were ended before they were done.
struct Ended(Arc<AtomicUsize>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// A worker with one handler, which never ends and says when it has begun.
fn busy(plane: &Plane) -> (impl Future<Output = Report>, UnboundedReceiver<String>, Arc<AtomicUsize>) {
    let (send, begun) = unbounded_channel();
    let ended = Arc::new(AtomicUsize::default());
    let count = Arc::clone(&ended);
    let handler = move |job: Job| {
        let (send, ended) = (send.clone(), Ended(Arc::clone(&count)));
        async move {
            let _ended = ended;
            send.send(job.text()).map_err(|_| "nobody listens")?;
            pending::<Result<(), &str>>().await
        }
    };
    let worker = plane.worker("normal").concurrency(1).ahead(0).lease(Duration::from_millis(600));
    let work = worker.agent(agent("w")).until(pending()).run(handler);
    (async move { work.await.unwrap() }, begun, ended)
}

#[tokio::test]
async fn a_handler_that_panics_before_its_first_await_costs_an_attempt_and_nothing_else() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let once = Push { max_attempts: Some(1), ..Push::new("bad") };
        plane.queues().push(&queue("normal"), &once).await.unwrap().unwrap();
        push(&plane, "normal", "good").await;
        let (send, mut done) = unbounded_channel();
        let handler = move |job: Job| -> Handled {
            assert_ne!(job.text(), "bad", "not this one");
            let send = send.clone();
            Box::pin(async move { send.send(job.text()).map_err(|error| error.to_string()) })
        };
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let worker = plane.worker("normal").until(async { stopped.await.unwrap_or_default() });
        let end = async {
            assert_eq!(timeout(SOON, done.recv()).await.unwrap().as_deref(), Some("good"));
            while plane.queues().show(&queue("normal"), 1).await.unwrap().dead == 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            stop.send(()).unwrap();
        };
        let (report, ()) = timeout(SOON, async { tokio::join!(worker.run(handler), end) }).await.unwrap();
        let report = report.unwrap();
        assert_eq!((report.done, report.failed), (1, 1));
        let letters = plane.dead_letters().list(&Filter { limit: 10, ..Filter::default() }).await.unwrap();
        assert!(letters[0].reason.contains("panicked: ") && letters[0].reason.contains("not this one"));
    })
    .await;
}

#[tokio::test]
async fn a_worker_that_is_revoked_while_all_its_handlers_are_busy_ends_them() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["b"]).await;
        push(&plane, "normal", "x").await;
        let (work, mut begun, ended) = busy(&plane);
        let revoke = async {
            assert_eq!(timeout(SOON, begun.recv()).await.unwrap().as_deref(), Some("x"));
            plane.agents().revoke(&agent("w"), None, None).await.unwrap().unwrap();
        };
        let (report, ()) = timeout(SOON, async { tokio::join!(work, revoke) }).await.expect("it ends");
        assert!(report.stopped.is_some_and(|why| why.is("revoked")));
        assert_eq!(ended.load(Ordering::SeqCst), 1, "its handler was ended");
        assert_eq!(texts(&claim(&plane, "b", &["normal"], 1).await), ["x"]);
    })
    .await;
}

#[tokio::test]
async fn a_worker_that_was_deregistered_while_busy_comes_back_and_leaves_what_others_may_have() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["b"]).await;
        push(&plane, "normal", "x").await;
        let (work, mut begun, ended) = busy(&plane);
        let deregister = async {
            assert_eq!(timeout(SOON, begun.recv()).await.unwrap().as_deref(), Some("x"));
            plane.agents().deregister(&agent("w"), None).await.unwrap().unwrap();
            assert_eq!(texts(&claim(&plane, "b", &["normal"], 1).await), ["x"], "it passed on");
            push(&plane, "normal", "y").await;
            assert_eq!(timeout(SOON, begun.recv()).await.unwrap().as_deref(), Some("y"));
        };
        tokio::select! {
            report = work => panic!("it ended: {report:?}"),
            () = deregister => {}
        }
        assert!(ended.load(Ordering::SeqCst) >= 1, "the first handler was ended");
    })
    .await;
}

#[tokio::test]
async fn a_worker_that_is_to_drain_finishes_what_it_has_begun_hands_back_the_rest_and_ends() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["b"]).await;
        for text in ["1", "2", "3"] {
            push(&plane, "normal", text).await;
        }
        let (send, mut begun) = unbounded_channel();
        let (let_go, going) = tokio::sync::watch::channel(false);
        let handler = move |job: Job| {
            let (send, mut going) = (send.clone(), going.clone());
            async move {
                send.send(job.text()).map_err(|error| error.to_string())?;
                going.wait_for(|go| *go).await.map(drop).map_err(|error| error.to_string())
            }
        };
        let worker = plane.worker("normal").concurrency(1).ahead(1).lease(Duration::from_millis(600));
        let work = worker.agent(agent("w")).until(pending()).grace(Duration::ZERO).run(handler);
        let drain = async {
            assert_eq!(timeout(SOON, begun.recv()).await.unwrap().as_deref(), Some("1"));
            plane.agents().drain(&agent("w"), None, "upkeep").await.unwrap().unwrap();
            // Longer than its lease: what it has begun is not taken from it.
            tokio::time::sleep(Duration::from_millis(1_200)).await;
            let_go.send(true).unwrap();
        };
        let (report, ()) = timeout(SOON, async { tokio::join!(work, drain) }).await.expect("it ends");
        let report = report.unwrap();
        assert_eq!((report.done, report.failed, report.stale), (1, 0, 0));
        assert!(report.stopped.is_some_and(|why| why.is("draining")));
        let rest = claim(&plane, "b", &["normal"], 9).await;
        assert_eq!(texts(&rest), ["2", "3"]);
        assert!(rest.iter().all(|item| item.attempt == 1), "no attempt was counted");
    })
    .await;
}

/// Its agent has a lease of a minute, whatever lease its items have.
#[tokio::test]
async fn a_worker_whose_items_have_a_long_lease_beats_often_enough_for_its_own() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let worker = plane.worker("normal").lease(Duration::from_secs(3_600)).agent(agent("w"));
        let work = worker.until(pending()).run(async |_| Ok::<(), String>(()));
        // It registers, beats at once, and then again.
        let beats = async {
            let mut heard = std::collections::BTreeSet::new();
            while heard.len() < 3 {
                let shown = plane.agents().show(&agent("w")).await.unwrap();
                heard.extend(shown.and_then(|own| own.last_acked_at).map(|at| at.to_string()));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::select! {
            report = work => panic!("it ended: {report:?}"),
            beat = timeout(DEFAULT_LEASE, beats) => beat.expect("it beats"),
        }
    })
    .await;
}
