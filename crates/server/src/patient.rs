//! A connection that is given up when its other end takes nothing for a while: a reader that never reads would keep its
//! place for ever.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::AsyncWrite;
use tokio::time::{Sleep, sleep};

use crate::through::Manner;

/// How long a client may take nothing of what is sent to it.
const STALL: Duration = Duration::from_secs(20);

#[derive(Default)]
pub(crate) struct Patient {
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
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

impl Manner for Patient {
    fn write<T: AsyncWrite + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(inner).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn write_vectored<T: AsyncWrite + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        all: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(inner).poll_write_vectored(context, all);
        self.judge(context, written)
    }
}
