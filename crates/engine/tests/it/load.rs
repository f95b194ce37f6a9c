//! Writers that know what was acknowledged: each appends to a list of its own and counts the answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use quorate_engine::Url;
use quorate_engine::resp::{Client, Value};

const WRITERS: usize = 4;

pub(crate) struct Load {
    url: Url,
    stop: Arc<AtomicBool>,
    acknowledged: Vec<Arc<AtomicI64>>,
    writers: Vec<JoinHandle<()>>,
}

impl Load {
    pub(crate) fn start(url: Url) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let acknowledged: Vec<Arc<AtomicI64>> = (0..WRITERS).map(|_| Arc::default()).collect();
        let writers = acknowledged.iter().enumerate().map(|(writer, count)| {
            let (url, stop, count) = (url.clone(), Arc::clone(&stop), Arc::clone(count));
            std::thread::spawn(move || write(&url, &list(writer), &stop, &count))
        });
        Self { writers: writers.collect(), url, stop, acknowledged }
    }

    /// What each writer has been acknowledged so far.
    pub(crate) fn acknowledged(&self) -> Vec<i64> {
        self.acknowledged.iter().map(|count| count.load(Ordering::SeqCst)).collect()
    }

    /// Waits until every writer has had some more writes acknowledged.
    pub(crate) fn go_on(&self) {
        let before = self.acknowledged();
        crate::support::eventually("some load", Duration::from_secs(20), || {
            std::iter::zip(self.acknowledged(), &before).all(|(now, before)| now > before + 100)
        });
    }

    /// What has been acknowledged and, by the server's own word, written to its file.
    pub(crate) fn written(&self) -> Vec<i64> {
        let mut written = Vec::new();
        crate::support::eventually("an empty buffer", Duration::from_secs(20), || {
            written = self.acknowledged();
            let info = self.connect().call(&["INFO", "persistence"]).unwrap();
            info.text().contains("aof_buffer_length:0\r")
        });
        written
    }

    /// Ends the writers; what they were acknowledged.
    pub(crate) fn stop(mut self) -> Vec<i64> {
        self.end();
        self.acknowledged()
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        self.writers.drain(..).for_each(|writer| writer.join().unwrap());
    }

    fn connect(&self) -> Client {
        self.url.connect(Duration::from_secs(5)).unwrap()
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.end();
    }
}

/// Asserts that the store has at least these writes.
pub(crate) fn assert_stored(client: &mut Client, acknowledged: &[i64]) {
    let stored = (0..WRITERS).map(|writer| client.call(&["LLEN", &list(writer)]).unwrap());
    for (stored, acknowledged) in stored.zip(acknowledged) {
        let Value::Int(stored) = stored else { panic!("{stored:?}") };
        assert!(stored >= *acknowledged, "{acknowledged} acknowledged, {stored} stored");
    }
}

fn list(writer: usize) -> String {
    format!("writer:{writer}")
}

fn write(url: &Url, list: &str, stop: &AtomicBool, acknowledged: &AtomicI64) {
    while !stop.load(Ordering::SeqCst) {
        let Ok(mut client) = url.connect(Duration::from_secs(5)) else { continue };
        while !stop.load(Ordering::SeqCst) && client.call(&["RPUSH", list, "x"]).is_ok() {
            acknowledged.fetch_add(1, Ordering::SeqCst);
        }
    }
}
