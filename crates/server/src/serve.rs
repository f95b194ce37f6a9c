//! Connections: how many, how long each may take to say what it wants, and how long to take what it asked for.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Sleep, sleep};
use tokio_rustls::TlsAcceptor;

use crate::curt::Curt;
use crate::door::Door;
use crate::lane::{self, Left};
use crate::rewound::Rewound;

/// Most connections at once.
const CONNECTIONS: usize = 16_384;
/// How long the head of a request may take.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Longest head of a request, in bytes.
const HEAD: usize = 32 * 1024;
/// How long a client may take nothing of what is sent to it.
const STALL: Duration = Duration::from_secs(20);
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
        let stream = Patient::new(stream);
        let own =
            Own { door: Arc::clone(&door), from, watcher: graceful.watcher(), stopped: stopped.clone() };
        match tls.clone() {
            None => drop(tokio::spawn(async move {
                own.serve(stream).await;
                drop(place);
            })),
            Some(tls) => drop(tokio::spawn(async move {
                let shaken = tokio::time::timeout(HEAD_TIME, tls.accept(stream)).await;
                if let Ok(Ok(stream)) = shaken {
                    own.serve(stream).await;
                }
                drop(place);
            })),
        }
    }
    drop((listener, stopping));
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
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
        let Left::On(before) = lane::run(&mut stream, &door, HEAD_TIME, stopped).await else {
            // The other end is told that this was all.
            let _ = tokio::time::timeout(HEAD_TIME, stream.shutdown()).await;
            return;
        };
        let service = service_fn(move |request| {
            let door = Arc::clone(&door);
            async move { Ok::<_, Infallible>(door.answer(request, from).await) }
        });
        let mut http = http1::Builder::new();
        // A head that began there has had a part of its time.
        http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME - lane::BEGUN).max_buf_size(HEAD);
        let stream = TokioIo::new(Curt::new(Rewound::new(before, stream)));
        // In a box: a connection that never needs it would have room for it.
        drop(Box::pin(watcher.watch(http.serve_connection(stream, service))).await);
    }
}

async fn turn_away(mut stream: TcpStream) {
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(FULL)).await;
}

/// A connection that is given up when its other end takes nothing for a while: a reader that never reads would keep its
/// place for ever.
struct Patient<T> {
    inner: T,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<T> Patient<T> {
    fn new(inner: T) -> Self {
        Self { inner, stalled: None }
    }

    fn judge(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALL)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Patient<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Patient<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        all: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, all);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
