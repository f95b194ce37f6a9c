//! Calls of one process that are under way in the same moment go out together.
//!
//! Who asks while nothing is on its way goes out at once. Who asks while as many batches are on their way as may be waits
//! for one of them to come back, and goes out with everybody who has come meanwhile: alone a call costs what it cost
//! before, and of many at once each costs a part of one. Each caller has its own answer.
//!
//! **Invariant:** an item is sent once or not at all. A caller that has gone before its item was sent takes it along; one
//! that goes later leaves its answer to nobody, as with a call of its own. A batch lives in a task of its own, so that
//! nobody's call ends because another caller has gone.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quorate_store::{Arg, Error, ErrorKind, Result, Script, Store};
use tokio::sync::oneshot;

use crate::outcome::Reply;

/// For a call that got no answer at all.
pub(crate) fn ended(op: &'static str) -> Error {
    Error::new(ErrorKind::UnknownOutcome, op, "the task that made the call was ended")
}

/// A script for several calls, which answers with a line for each: its answer, or `None` for `-`, where it must be made alone.
/// It may be sent again, so that must change nothing.
pub(crate) async fn shared<K: AsRef<[u8]>>(
    store: &Store,
    script: &Script,
    keys: &[K],
    args: &[Arg<'_>],
    calls: usize,
) -> Vec<Result<Option<Reply>>> {
    let answer: Result<String> = store.repeatable().run(script, keys, args).await;
    match answer {
        Ok(lines) => lines.split('\n').map(|line| Ok((line != "-").then(|| Reply::of(line)))).collect(),
        // No answer is none for anybody. Any other fault is one call's own, and it alone shall have it.
        Err(error) if matches!(error.kind(), ErrorKind::Unreachable | ErrorKind::TimedOut) => {
            vec![Err(error); calls]
        }
        Err(_) => (0..calls).map(|_| Ok(None)).collect(),
    }
}

/// Gathers items and hands out answers.
#[derive(Debug)]
pub(crate) struct Coalesce<T, R> {
    /// Batches that may be on their way at once, and the most items of one.
    width: usize,
    most: usize,
    state: Mutex<State<T, R>>,
}

#[derive(Debug)]
struct State<T, R> {
    waiting: VecDeque<(T, oneshot::Sender<R>)>,
    /// Batches that are on their way or about to go.
    flying: usize,
    /// Those of them that are about to go, and take along who comes until then.
    boarding: usize,
}

impl<T, R> Coalesce<T, R> {
    pub(crate) fn new(width: usize, most: usize) -> Self {
        Self { width, most, state: Mutex::new(State { waiting: VecDeque::new(), flying: 0, boarding: 0 }) }
    }

    fn lock(&self) -> MutexGuard<'_, State<T, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts an item among those that wait; whether a batch must be started for it, because none that is about to go has room.
    fn board(&self, item: T, caller: oneshot::Sender<R>) -> bool {
        let mut state = self.lock();
        state.waiting.push_back((item, caller));
        let needed = state.flying < self.width && state.waiting.len() > state.boarding * self.most;
        state.flying += usize::from(needed);
        state.boarding += usize::from(needed);
        needed
    }

    /// The next batch; when there is none, whoever asked counts as back.
    fn next(&self) -> Option<(Vec<T>, Vec<oneshot::Sender<R>>)> {
        let mut state = self.lock();
        state.boarding -= 1;
        let (mut items, mut callers) = (Vec::new(), Vec::new());
        while items.len() < self.most
            && let Some((item, caller)) = state.waiting.pop_front()
        {
            // Who has gone wants nothing any more.
            if !caller.is_closed() {
                items.push(item);
                callers.push(caller);
            }
        }
        if items.is_empty() {
            state.flying -= 1;
            return None;
        }
        Some((items, callers))
    }
}

impl<T: Send + 'static, R: Send + 'static> Coalesce<T, R> {
    /// Sends an item with those that are here by then. `flush` gives an answer for each item of a batch, in their order;
    /// whose flush a batch goes out with is left open. No answer comes where the runtime of the batch was shut down.
    pub(crate) async fn ask<F>(
        self: &Arc<Self>,
        item: T,
        flush: impl Fn(Vec<T>) -> F + Send + 'static,
    ) -> Option<R>
    where
        F: Future<Output = Vec<R>> + Send,
    {
        let (caller, answer) = oneshot::channel();
        if self.board(item, caller) {
            let gathered = Arc::clone(self);
            tokio::spawn(async move {
                let mut flight = Flight { of: &gathered, boarding: true, landed: false };
                // A new task runs before those that are ready already; behind them it finds that they have asked too.
                tokio::task::yield_now().await;
                while let Some((items, callers)) = gathered.next() {
                    flight.boarding = false;
                    let answers = flush(items).await;
                    gathered.lock().boarding += 1;
                    flight.boarding = true;
                    callers.into_iter().zip(answers).for_each(|(caller, answer)| drop(caller.send(answer)));
                    tokio::task::yield_now().await;
                }
                flight.landed = true;
            });
        }
        answer.await.ok()
    }
}

/// Makes room again if a batch ends before its time: its task was dropped with its runtime, or panicked.
struct Flight<'c, T, R> {
    of: &'c Coalesce<T, R>,
    boarding: bool,
    landed: bool,
}

impl<T, R> Drop for Flight<'_, T, R> {
    fn drop(&mut self) {
        if self.landed {
            return;
        }
        let mut state = self.of.lock();
        state.flying -= 1;
        state.boarding -= usize::from(self.boarding);
        if state.flying == 0 {
            // Nobody else would send them.
            state.waiting.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use futures_util::future::join_all;
    use tokio::time::sleep;

    use super::*;

    type Numbers = Arc<Coalesce<usize, usize>>;

    /// Answers each number with its double, after a while; counts batches, and the most at once.
    #[derive(Clone, Default)]
    struct Server {
        batches: Arc<AtomicUsize>,
        items: Arc<AtomicUsize>,
        at_once: Arc<AtomicUsize>,
        most: Arc<AtomicUsize>,
    }

    impl Server {
        async fn ask(&self, numbers: &Numbers, number: usize) -> Option<usize> {
            let server = self.clone();
            numbers.ask(number, move |items| server.clone().answer(items)).await
        }

        async fn answer(self, items: Vec<usize>) -> Vec<usize> {
            self.batches.fetch_add(1, Ordering::Relaxed);
            self.items.fetch_add(items.len(), Ordering::Relaxed);
            let now = self.at_once.fetch_add(1, Ordering::Relaxed) + 1;
            self.most.fetch_max(now, Ordering::Relaxed);
            sleep(Duration::from_millis(20)).await;
            self.at_once.fetch_sub(1, Ordering::Relaxed);
            assert!(!items.contains(&13), "an unlucky batch");
            items.into_iter().map(|item| 2 * item).collect()
        }
    }

    #[tokio::test]
    async fn each_caller_has_its_own_answer_and_few_batches_go_out() {
        let (numbers, server) = (Arc::new(Coalesce::new(2, 64)), Server::default());
        for _ in 0..3 {
            let asked = (100..200).map(|number| server.ask(&numbers, number));
            let answers = join_all(asked).await;
            assert!(answers.into_iter().eq((100..200).map(|number| Some(2 * number))));
        }
        assert_eq!(server.items.load(Ordering::Relaxed), 300, "each once");
        assert_eq!(server.most.load(Ordering::Relaxed), 2, "two on their way, and no more");
        assert!(server.batches.load(Ordering::Relaxed) <= 9, "{:?}", server.batches);
    }

    #[tokio::test]
    async fn who_has_gone_takes_its_item_along_and_nobody_elses() {
        let (numbers, server) = (Arc::new(Coalesce::new(1, 64)), Server::default());
        let first = server.ask(&numbers, 1);
        let gone = async {
            sleep(Duration::from_millis(5)).await;
            tokio::time::timeout(Duration::from_millis(5), server.ask(&numbers, 2)).await
        };
        let last = async {
            sleep(Duration::from_millis(7)).await;
            server.ask(&numbers, 3).await
        };
        let (first, gone, last) = tokio::join!(first, gone, last);
        assert_eq!((first, last), (Some(2), Some(6)));
        assert!(gone.is_err());
        assert_eq!(server.items.load(Ordering::Relaxed), 2, "what nobody waits for is not sent");
    }

    #[tokio::test]
    async fn a_batch_that_fails_keeps_nobody_waiting_and_the_next_one_goes_out() {
        let (numbers, server) = (Arc::new(Coalesce::new(1, 64)), Server::default());
        assert_eq!(server.ask(&numbers, 13).await, None);
        assert_eq!(server.ask(&numbers, 4).await, Some(8));
    }
}
