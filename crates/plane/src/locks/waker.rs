//! One subscription per process tells its waiting requests that something was decided.
//!
//! It is a hint: every waiter also asks by itself, so a lost message costs at most one interval.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use quorate_catalog::Keys;
use quorate_catalog::ids::ProcessId;
use quorate_store::{Notice, Result, Store, Topics};
use tokio::sync::Notify;

type Waiting = Arc<Mutex<HashMap<String, Arc<Slot>>>>;

/// Where a waiting request hears that it was decided, with the grant if the message had one.
#[derive(Debug, Default)]
struct Slot {
    notify: Notify,
    grant: Mutex<Option<Vec<String>>>,
}

/// Wakes the requests of this process.
#[derive(Debug)]
pub(crate) struct Waker {
    process: ProcessId,
    waiting: Waiting,
    reader: tokio::task::JoinHandle<()>,
}

impl Waker {
    pub(crate) async fn start(store: &Store, keys: &Keys) -> Result<Self> {
        let process = ProcessId::parse(&crate::random_id()).expect("hexadecimal digits are an id");
        let channel = keys.quorate().wake(&process);
        let mut notices = store.subscribe(Topics::channels([channel.as_str()])).await?;
        let waiting = Waiting::default();
        let woken = Arc::clone(&waiting);
        let reader = tokio::spawn(async move {
            loop {
                let notice = notices.next().await;
                let waiting = woken.lock().unwrap_or_else(PoisonError::into_inner);
                match notice {
                    Notice::Message { payload, .. } => {
                        let text = String::from_utf8_lossy(&payload);
                        hear(&waiting, &text.split(' ').map(str::to_owned).collect::<Vec<_>>());
                    }
                    // Something may have been missed: everybody looks.
                    _ => waiting.values().for_each(|one| one.notify.notify_one()),
                }
            }
        });
        Ok(Self { process, waiting, reader })
    }

    pub(crate) fn process(&self) -> &str {
        self.process.as_key()
    }

    /// What a message says, which a release in this process was told already.
    pub(crate) fn hear(&self, words: &[String]) {
        hear(&self.waiting.lock().unwrap_or_else(PoisonError::into_inner), words);
    }

    /// Listens for one request until the value is dropped.
    pub(crate) fn listen(&self, request: &str) -> Listening {
        let slot = Arc::new(Slot::default());
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.insert(request.to_owned(), Arc::clone(&slot));
        Listening { request: request.to_owned(), slot, waiting: Arc::clone(&self.waiting) }
    }
}

impl Drop for Waker {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// `REQUEST`, or `REQUEST FENCE UNTIL` where it was granted; the script that grants is the one that says so.
fn hear(waiting: &HashMap<String, Arc<Slot>>, words: &[String]) {
    let [request, grant @ ..] = words else { return };
    let Some(slot) = waiting.get(request) else { return };
    if grant.len() == 2 {
        *slot.grant.lock().unwrap_or_else(PoisonError::into_inner) = Some(grant.to_vec());
    }
    slot.notify.notify_one();
}

pub(crate) struct Listening {
    request: String,
    slot: Arc<Slot>,
    waiting: Waiting,
}

impl Listening {
    pub(crate) async fn woken(&self) {
        self.slot.notify.notified().await;
    }

    /// The grant that a message brought: fence and end.
    pub(crate) fn grant(&self) -> Option<Vec<String>> {
        self.slot.grant.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.request);
    }
}
