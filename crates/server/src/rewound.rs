//! A connection of which something has been read already: whoever reads on gets that first.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};

use crate::through::Manner;

pub(crate) struct Rewound {
    before: Vec<u8>,
    read: usize,
}

impl Rewound {
    pub(crate) fn new(before: Vec<u8>) -> Self {
        Self { before, read: 0 }
    }
}

impl Manner for Rewound {
    fn read<T: AsyncRead + Unpin>(
        &mut self,
        inner: &mut T,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let rest = &self.before[self.read..];
        if rest.is_empty() {
            return Pin::new(inner).poll_read(context, buffer);
        }
        let now = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..now]);
        self.read += now;
        if self.read == self.before.len() {
            (self.before, self.read) = (Vec::new(), 0);
        }
        Poll::Ready(Ok(()))
    }
}
