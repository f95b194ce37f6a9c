//! Connections: how many, how long each may take to say what it wants, and how long to take what it asked for.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::curt::{self, Curt};
use crate::door::Door;
use crate::lane::{self, Left};
use crate::patient::Patient;
use crate::rewound::Rewound;
use crate::through::Through;

/// Most connections at once.
const CONNECTIONS: usize = 16_384;
/// How long the head of a request may take.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Longest head of a request, in bytes.
const HEAD: usize = 32 * 1024;
/// How long requests under way have when the server stops.
const GRACE: Duration = Duration::from_secs(5);

const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 81\r\n\r\n{\"status\":503,\"code\":\"too_many_connections\",\"detail\":\"this server is at its cap\"}";

/// Lets this process have as many descriptors as it may: a connection takes one, and what processes begin with is often no
/// more than a thousand.
pub fn make_room() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Where that is not allowed, the cap is what it was.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// Serves until `stop` resolves; requests under way have a moment to finish.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    door: Door,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    make_room();
    let door = Arc::new(door);
    let (places, graceful) = (Arc::new(Semaphore::new(CONNECTIONS)), GracefulShutdown::new());
    let (stopping, stopped) = watch::channel(());
    tokio::pin!(stop);
    loop {
        let (stream, from) = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // Out of descriptors, or a client that left while it was in the queue: neither ends the server.
                Err(_) => {
                    sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            tokio::spawn(turn_away(stream));
            continue;
        };
        let _ = stream.set_nodelay(true);
        let stream = Through { manner: Patient::default(), inner: stream };
        let own =
            Own { door: Arc::clone(&door), from, watcher: graceful.watcher(), stopped: stopped.clone() };
        match tls.clone() {
            None => drop(tokio::spawn(async move {
                own.serve(stream).await;
                drop(place);
            })),
            Some(tls) => drop(tokio::spawn(async move {
                let shaken = timeout(HEAD_TIME, tls.accept(stream)).await;
                if let Ok(Ok(stream)) = shaken {
                    own.serve(stream).await;
                }
                drop(place);
            })),
        }
    }
    drop((listener, stopping));
    let _ = timeout(GRACE, graceful.shutdown()).await;
    Ok(())
}

/// What a connection has of its own.
struct Own {
    door: Arc<Door>,
    from: SocketAddr,
    watcher: Watcher,
    stopped: watch::Receiver<()>,
}

impl Own {
    /// The short way as long as it goes, and hyper for the rest.
    async fn serve<T: AsyncRead + AsyncWrite + Unpin + Send + 'static>(self, mut stream: T) {
        let Self { door, from, watcher, stopped } = self;
        if let Left::On(before) = lane::run(&mut stream, &door, HEAD_TIME, stopped.clone()).await {
            let (asked, stream) = (AtomicBool::new(false), &mut stream);
            let inner = Through { manner: Rewound::new(before), inner: &mut *stream };
            let whole = Through { manner: Curt::new(&asked), inner };
            // In a box: a connection that never needs it would have room for it.
            let late = Box::pin(with_hyper(whole, door, from, stopped)).await;
            if late && asked.load(Ordering::Relaxed) {
                let _ = timeout(HEAD_TIME, stream.write_all(&curt::slow_head())).await;
            }
        }
        // The other end is told that this was all.
        let _ = timeout(HEAD_TIME, stream.shutdown()).await;
        drop(watcher);
    }
}

/// Serves a connection until it ends, or what is under way when the server stops; whether a head took too long.
async fn with_hyper<T: AsyncRead + AsyncWrite + Unpin + Send>(
    stream: T,
    door: Arc<Door>,
    from: SocketAddr,
    mut stopped: watch::Receiver<()>,
) -> bool {
    let service = service_fn(move |request| {
        let door = Arc::clone(&door);
        async move { Ok::<_, Infallible>(door.answer(request, from).await) }
    });
    let mut http = http1::Builder::new();
    // A head that began on the short way has had a part of its time.
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME - lane::BEGUN).max_buf_size(HEAD);
    let mut served = pin!(http.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        ended = served.as_mut() => ended,
        _ = stopped.changed() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    ended.is_err_and(|error| error.is_timeout())
}

async fn turn_away(mut stream: TcpStream) {
    let _ = timeout(Duration::from_secs(1), stream.write_all(FULL)).await;
}
