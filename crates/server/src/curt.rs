//! A body for the answers that hyper gives by itself, to requests that no service ever sees: those that are no HTTP, and
//! those whose head is too large. And an answer where it gives none: to a head that takes too long.
//!
//! hyper has no way to say what these consist of. They are always the same bytes up to their date, and no answer of ours
//! begins like them, so that they are known where they are written, without reading any HTTP.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::problem::Problem;
use crate::through::Manner;

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

/// Replaces hyper's own answers by ours.
pub(crate) struct Curt<'c> {
    /// What is still to be written of an answer of ours.
    left: Vec<u8>,
    /// Whether something has been read since the last answer was begun: who has said nothing is told nothing either.
    asked: &'c AtomicBool,
}

impl<'c> Curt<'c> {
    pub(crate) fn new(asked: &'c AtomicBool) -> Self {
        Self { left: Vec::new(), asked }
    }

    fn drain<T: AsyncWrite + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while !self.left.is_empty() {
            let written = ready!(Pin::new(&mut *inner).poll_write(context, &self.left))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.left.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    /// Whether these bytes were replaced; what then cannot be written yet is written before anything else.
    fn replaces<T: AsyncWrite + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> io::Result<bool> {
        self.asked.store(false, Ordering::Relaxed);
        let Some(answer) = instead(bytes) else { return Ok(false) };
        self.left = answer;
        match self.drain(inner, context) {
            Poll::Ready(Err(error)) => Err(error),
            _ => Ok(true),
        }
    }
}

/// The answer that takes the place of one of hyper's own.
fn instead(bytes: &[u8]) -> Option<Vec<u8>> {
    // Most answers are none of these, and are told from them by a few bytes.
    if !bytes.starts_with(b"HTTP/1.1 4") {
        return None;
    }
    let own = |line: &str| bytes.strip_prefix(line.as_bytes()).is_some_and(|rest| rest.starts_with(BARE));
    let (line, status, code, message) = CURT.iter().find(|(line, ..)| own(line))?;
    Some(answer(line, *status, code, message))
}

/// What is sent to whom a head takes too long.
pub(crate) fn slow_head() -> Vec<u8> {
    let message = "the head of this request took longer than 10 s";
    answer("HTTP/1.1 408 Request Timeout", StatusCode::REQUEST_TIMEOUT, "slow_head", message)
}

fn answer(line: &str, status: StatusCode, code: &str, message: &str) -> Vec<u8> {
    let body = Problem::new(status, code, message).document(&quorate_plane::random_id()).to_string();
    let length = body.len();
    let head = format!(
        "{line}\r\ncontent-type: application/problem+json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    (head + &body).into_bytes()
}

impl Manner for Curt<'_> {
    fn read<T: AsyncRead + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(inner).poll_read(context, buffer))?;
        self.asked.fetch_or(buffer.filled().len() > before, Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }

    fn write<T: AsyncWrite + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.drain(inner, context))?;
        if self.replaces(inner, context, bytes)? {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(inner).poll_write(context, bytes)
    }

    fn write_vectored<T: AsyncWrite + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        all: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.drain(inner, context))?;
        if let Some(first) = all.first()
            && self.replaces(inner, context, first)?
        {
            return Poll::Ready(Ok(first.len()));
        }
        Pin::new(inner).poll_write_vectored(context, all)
    }

    fn settle<T: AsyncWrite + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        self.drain(inner, context)
    }
}
