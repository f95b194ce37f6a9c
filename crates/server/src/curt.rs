//! A body for the answers that hyper gives by itself, to requests that no service ever sees: those that are no HTTP, and
//! those whose head is too large.
//!
//! hyper has no way to say what these consist of. They are always the same bytes up to their date, and no answer of ours
//! begins like them, so that they are known where they are written, without reading any HTTP.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::problem::Problem;

/// How hyper's own answers go on after their first line.
const BARE: &[u8] = b"\r\nconnection: close\r\ncontent-length: 0\r\n";

/// First line, code and message of each.
const CURT: [(&str, StatusCode, &str, &str); 2] = [
    ("HTTP/1.1 400 Bad Request", StatusCode::BAD_REQUEST, "malformed", "this is no request of HTTP/1.1"),
    (
        "HTTP/1.1 431 Request Header Fields Too Large",
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        "head_too_large",
        "the head of this request has more than 32 KiB, or more than 100 headers",
    ),
];

/// A connection on which hyper's own answers are replaced by ours.
pub(crate) struct Curt<T> {
    inner: T,
    /// What is still to be written of an answer of ours.
    left: Vec<u8>,
}

impl<T: AsyncWrite + Unpin> Curt<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self { inner, left: Vec::new() }
    }

    fn drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.left.is_empty() {
            let written = ready!(Pin::new(&mut self.inner).poll_write(context, &self.left))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.left.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    /// Whether these bytes were replaced; what then cannot be written yet is written before anything else.
    fn replaces(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> io::Result<bool> {
        let Some(answer) = answer(bytes) else { return Ok(false) };
        self.left = answer;
        match self.drain(context) {
            Poll::Ready(Err(error)) => Err(error),
            _ => Ok(true),
        }
    }
}

/// The answer that takes the place of one of hyper's own.
fn answer(bytes: &[u8]) -> Option<Vec<u8>> {
    // Most answers are none of these, and are told from them by a few bytes.
    if !bytes.starts_with(b"HTTP/1.1 4") {
        return None;
    }
    let own = |line: &str| bytes.strip_prefix(line.as_bytes()).is_some_and(|rest| rest.starts_with(BARE));
    let (line, status, code, message) = CURT.iter().find(|(line, ..)| own(line))?;
    let body = Problem::new(*status, code, *message).document(&quorate_plane::random_id()).to_string();
    let length = body.len();
    let head = format!(
        "{line}\r\ncontent-type: application/problem+json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    Some((head + &body).into_bytes())
}

impl<T: AsyncRead + Unpin> AsyncRead for Curt<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Curt<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.drain(context))?;
        if self.replaces(context, bytes)? {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        all: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.drain(context))?;
        if let Some(first) = all.first()
            && self.replaces(context, first)?
        {
            return Poll::Ready(Ok(first.len()));
        }
        Pin::new(&mut self.inner).poll_write_vectored(context, all)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.drain(context))?;
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.drain(context))?;
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
