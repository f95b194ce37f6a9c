//! A connection that passes on what it is asked, except for what its manner does in another way.
//!
//! Each layer of a connection changes one thing: what is read first, what is written instead, how long a write may take. The
//! rest is the same for all, and stands here once.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What a layer does. Whatever it does not say goes through.
pub(crate) trait Manner: Unpin {
    fn read<T: AsyncRead + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(inner).poll_read(context, buffer)
    }

    fn write<T: AsyncWrite + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(inner).poll_write(context, bytes)
    }

    fn write_vectored<T: AsyncWrite + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        all: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(inner).poll_write_vectored(context, all)
    }

    /// Writes what it has kept back, before the connection is flushed or ended.
    fn settle<T: AsyncWrite + Unpin>(
        &mut self,
        _inner: &mut T,
        _context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

pub(crate) struct Through<M, T> {
    pub(crate) manner: M,
    pub(crate) inner: T,
}

impl<M: Manner, T: AsyncRead + Unpin> AsyncRead for Through<M, T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { manner, inner } = &mut *self;
        manner.read(inner, context, buffer)
    }
}

impl<M: Manner, T: AsyncWrite + Unpin> AsyncWrite for Through<M, T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let Self { manner, inner } = &mut *self;
        manner.write(inner, context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        all: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let Self { manner, inner } = &mut *self;
        manner.write_vectored(inner, context, all)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { manner, inner } = &mut *self;
        ready!(manner.settle(inner, context))?;
        Pin::new(inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { manner, inner } = &mut *self;
        ready!(manner.settle(inner, context))?;
        Pin::new(inner).poll_shutdown(context)
    }
}
