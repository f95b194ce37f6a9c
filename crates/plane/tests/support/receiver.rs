//! Somebody outside who is told things: a small HTTP server that keeps what it got.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Got {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Got {
    pub(crate) fn header(&self, name: &str) -> String {
        let found = self.head.lines().find_map(|line| {
            let (own, value) = line.split_once(':')?;
            own.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        });
        found.unwrap_or_default()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

#[derive(Clone)]
pub(crate) struct Receiver {
    pub(crate) at: SocketAddr,
    got: Arc<Mutex<Vec<Got>>>,
    status: Arc<AtomicU16>,
    pause_ms: Arc<AtomicU64>,
    hearing: Arc<AtomicU64>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let own = Self {
            at,
            got: Arc::default(),
            status: Arc::new(AtomicU16::new(204)),
            pause_ms: Arc::default(),
            hearing: Arc::default(),
        };
        let server = own.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let server = server.clone();
                tokio::spawn(async move { server.answer(socket).await });
            }
        });
        own
    }

    /// What it answers from now on.
    pub(crate) fn answers(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }

    /// How long it takes from now on.
    pub(crate) fn takes(&self, pause: Duration) {
        self.pause_ms.store(u64::try_from(pause.as_millis()).unwrap(), Ordering::SeqCst);
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/in", self.at)
    }

    pub(crate) fn rules(&self) -> String {
        format!("127.0.0.1:{}", self.at.port())
    }

    pub(crate) fn got(&self) -> Vec<Got> {
        self.got.lock().unwrap().clone()
    }

    /// How many it is hearing now and has not answered.
    pub(crate) fn hearing(&self) -> u64 {
        self.hearing.load(Ordering::SeqCst)
    }

    /// Waits until it has got so many.
    pub(crate) async fn has(&self, count: usize) -> Vec<Got> {
        let deadline = Instant::now() + Duration::from_secs(15);
        loop {
            let got = self.got();
            if got.len() >= count {
                return got;
            }
            assert!(Instant::now() < deadline, "{} of {count} came", got.len());
            sleep(Duration::from_millis(10)).await;
        }
    }

    async fn answer(&self, mut socket: TcpStream) -> Option<()> {
        let mut bytes = Vec::new();
        let mut part = [0; 4_096];
        let (head, body) = loop {
            let count = socket.read(&mut part).await.ok().filter(|count| *count > 0)?;
            bytes.extend_from_slice(&part[..count]);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let got = Got { head: head.to_owned(), body: String::new() };
            if body.len() >= got.header("content-length").parse().unwrap_or(0) {
                break (head.to_owned(), body.to_owned());
            }
        };
        // Whoever hangs up meanwhile has told it nothing.
        self.hearing.fetch_add(1, Ordering::SeqCst);
        let whole = tokio::select! {
            () = sleep(Duration::from_millis(self.pause_ms.load(Ordering::SeqCst))) => Some(()),
            _ = socket.read(&mut part) => None,
        };
        self.hearing.fetch_sub(1, Ordering::SeqCst);
        whole?;
        self.got.lock().unwrap().push(Got { head, body });
        let status = self.status.load(Ordering::SeqCst);
        socket.write_all(format!("HTTP/1.1 {status} x\r\ncontent-length: 0\r\n\r\n").as_bytes()).await.ok()
    }
}
