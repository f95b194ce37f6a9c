//! One subscription per process tells its waiting requests that something was decided.
//!
//! It is a hint: every waiter also asks by itself, so a lost message costs at most one interval.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use quorate_catalog::Keys;
use quorate_catalog::ids::ProcessId;
use quorate_store::{Notice, Result, Store, Topics};
use tokio::sync::Notify;

type Waiting = Arc<Mutex<HashMap<String, Arc<Notify>>>>;

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
                        let request = String::from_utf8_lossy(&payload);
                        waiting.get(request.as_ref()).into_iter().for_each(|one| one.notify_one());
                    }
                    // Something may have been missed: everybody looks.
                    _ => waiting.values().for_each(|one| one.notify_one()),
                }
            }
        });
        Ok(Self { process, waiting, reader })
    }

    pub(crate) fn process(&self) -> &str {
        self.process.as_key()
    }

    /// Listens for one request until the value is dropped.
    pub(crate) fn listen(&self, request: &str) -> Listening {
        let notify = Arc::new(Notify::new());
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.insert(request.to_owned(), Arc::clone(&notify));
        Listening { request: request.to_owned(), notify, waiting: Arc::clone(&self.waiting) }
    }
}

impl Drop for Waker {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

pub(crate) struct Listening {
    request: String,
    notify: Arc<Notify>,
    waiting: Waiting,
}

impl Listening {
    pub(crate) async fn woken(&self) {
        self.notify.notified().await;
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.request);
    }
}
