//! A buffer that never blocks, and the task that empties it into the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use quorate_catalog::Keys;
use quorate_catalog::ids::LogServiceId;
use quorate_store::{Store, Value};
use serde::Serialize;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::KEEP;
use super::envelope::{Level, Record};

/// Records that wait for the store; more are dropped.
const BUFFER: usize = 8_192;
/// Records sent together.
const BATCH: usize = 256;
/// How long one attempt may take.
const PATIENCE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Where a service logs. Cheap to clone; the last one to go lets the task end.
#[derive(Debug, Clone)]
pub struct Logger {
    shared: Arc<Shared>,
    records: mpsc::Sender<Record>,
    task: Arc<Task>,
}

#[derive(Debug, Default)]
struct Shared {
    sent: AtomicU64,
    dropped: AtomicU64,
    /// Of the dropped ones, how many the log itself has been told of.
    told: AtomicU64,
    waiting: AtomicU64,
    idle: Notify,
    away: AtomicBool,
}

#[derive(Debug)]
struct Task {
    service: String,
    handle: JoinHandle<()>,
}

impl Drop for Task {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

/// What became of the records handed in so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Report {
    pub sent: u64,
    pub dropped: u64,
    pub waiting: u64,
}

impl Logger {
    /// Starts the task on the running runtime. The store need not be there.
    pub fn start(store: Store, keys: Keys, service: LogServiceId) -> Self {
        let (records, received) = mpsc::channel(BUFFER);
        let shared = Arc::new(Shared::default());
        let name = service.as_key().to_owned();
        let sender = Sender { store: store.within(PATIENCE), keys, service, shared: Arc::clone(&shared) };
        let handle = tokio::spawn(sender.run(received));
        Self { shared, records, task: Arc::new(Task { service: name, handle }) }
    }

    /// Hands a record in. It never waits; a full buffer drops the record and counts it.
    pub fn log(&self, record: Record) {
        self.shared.waiting.fetch_add(1, Ordering::SeqCst);
        if self.records.try_send(record).is_err() {
            self.shared.waiting.fetch_sub(1, Ordering::SeqCst);
            self.shared.dropped.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// The same from its parts.
    pub fn emit(&self, level: Level, target: &str, msg: &str) {
        self.log(Record::new(&self.task.service, level, target, msg));
    }

    pub fn service(&self) -> &str {
        &self.task.service
    }

    pub fn report(&self) -> Report {
        Report {
            sent: self.shared.sent.load(Ordering::SeqCst),
            dropped: self.shared.dropped.load(Ordering::SeqCst),
            waiting: self.shared.waiting.load(Ordering::SeqCst),
        }
    }

    /// Waits until everything is sent, or so long; what has not been sent by then counts as waiting.
    pub async fn flush(&self, limit: Duration) -> Report {
        let done = async {
            while self.shared.waiting.load(Ordering::SeqCst) > 0 {
                let _ = timeout(Duration::from_millis(50), self.shared.idle.notified()).await;
            }
        };
        let _ = timeout(limit, done).await;
        self.report()
    }
}

/// The side that empties the buffer.
struct Sender {
    store: Store,
    keys: Keys,
    service: LogServiceId,
    shared: Arc<Shared>,
}

impl Sender {
    async fn run(self, mut records: mpsc::Receiver<Record>) {
        let mut batch = Vec::with_capacity(BATCH);
        let mut pause = Duration::from_millis(100);
        while records.recv_many(&mut batch, BATCH).await > 0 {
            let count = batch.len() as u64;
            let first = Instant::now();
            while !self.send(&batch).await {
                self.shared.away.store(true, Ordering::SeqCst);
                // Jitter, so that all loggers of a fleet do not come back at once.
                let jitter =
                    u64::from(std::process::id()) % 100 + first.elapsed().subsec_millis() as u64 % 100;
                sleep(pause + Duration::from_millis(jitter)).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            pause = Duration::from_millis(100);
            self.shared.away.store(false, Ordering::SeqCst);
            self.shared.sent.fetch_add(count, Ordering::SeqCst);
            self.shared.waiting.fetch_sub(count, Ordering::SeqCst);
            self.shared.idle.notify_waiters();
            batch.clear();
            self.tell_of_drops().await;
        }
    }

    /// One attempt. Logs are lossy and their readers know, so a part that was sent twice does no harm.
    async fn send(&self, batch: &[Record]) -> bool {
        let mut pipeline = redis::pipe();
        for record in batch {
            add(&mut pipeline, &self.keys, &self.service, record);
        }
        self.store.repeatable().pipeline::<Value>(&pipeline).await.is_ok()
    }

    async fn tell_of_drops(&self) {
        let dropped = self.shared.dropped.load(Ordering::SeqCst);
        let told = self.shared.told.load(Ordering::SeqCst);
        if dropped > told {
            let text = format!("{} records were dropped while the store was away or slow", dropped - told);
            if self.send(&[Record::new(self.service.as_key(), Level::Warn, "quorate::logs", &text)]).await {
                self.shared.told.store(dropped, Ordering::SeqCst);
            }
        }
    }
}

/// What one record is to the server: an entry of its service's stream, and a message.
pub(super) fn add(pipeline: &mut redis::Pipeline, keys: &Keys, service: &LogServiceId, record: &Record) {
    let stream = keys.reverie().log_stream(service);
    let channel = keys.reverie().log_channel(service, record.level);
    let add = pipeline.cmd("XADD").arg(stream.as_str()).arg("MAXLEN").arg("~").arg(KEEP).arg("*");
    for (name, value) in record.pairs() {
        add.arg(name).arg(value);
    }
    pipeline.cmd("PUBLISH").arg(channel.as_str()).arg(record.json().to_string());
}
