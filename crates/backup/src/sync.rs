//! The snapshot a server gives to a replica, taken as a file.
//!
//! `SYNC` makes the server fork, write down the keys of that moment and send them; it goes on taking writes meanwhile.
//! We do not announce that we understand the form without a length (`$EOF:`), since the server would then wait for
//! other replicas first; we understand it all the same, because a proxy or a future server may choose it.

mod connection;

use std::io;
use std::time::Duration;

use quorate_store::Master;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::file::{Draft, Meter};
use crate::{Error, Phase, Progress, Result};
use connection::Connection;

/// The end mark of the form without a length.
const MARK: usize = 40;
/// An error text or a length; what is longer is neither.
const LONGEST_LINE: usize = 1024;
const CHUNK: usize = 256 * 1024;
/// A server that says nothing for so long is taken for gone; while it works it sends a line end every second.
const SILENCE: Duration = Duration::from_secs(60);

/// What came from one server.
pub(crate) struct Received {
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

/// Appends one master's snapshot to the draft.
pub(crate) async fn receive(master: &Master, draft: &mut Draft, progress: Progress<'_>) -> Result<Received> {
    Stream::open(master).await?.receive(draft, progress).await
}

enum Announced {
    Length(u64),
    Until([u8; MARK]),
}

struct Sink<'a> {
    draft: &'a mut Draft,
    meter: Meter,
    total: u64,
    progress: Progress<'a>,
}

impl Sink<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.draft.append(bytes)?;
        self.meter.add(bytes);
        (self.progress)(Phase::Receiving, self.meter.bytes, self.total);
        Ok(())
    }
}

struct Stream {
    connection: Connection,
    server: String,
    buffer: Vec<u8>,
}

impl Stream {
    async fn open(master: &Master) -> Result<Self> {
        let server = connection::name(master);
        let opened = connection::open(master).await;
        let connection = opened.map_err(|source| Error::NoStream { server: server.clone(), source })?;
        let mut stream = Self { connection, server, buffer: vec![0; CHUNK] };
        if !master.login().is_empty() {
            stream.send(master.login()).await?;
            stream.line().await?;
        }
        stream.send(b"*1\r\n$4\r\nSYNC\r\n").await?;
        Ok(stream)
    }

    async fn receive(mut self, draft: &mut Draft, progress: Progress<'_>) -> Result<Received> {
        let mut sink = Sink { draft, meter: Meter::default(), total: 0, progress };
        match self.announced().await? {
            Announced::Length(length) => self.take(length, &mut sink).await?,
            Announced::Until(mark) => self.take_until(&mark, &mut sink).await?,
        }
        Ok(Received { bytes: sink.meter.bytes, sha256: sink.meter.sha256() })
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<()> {
        let sent = async {
            self.connection.write_all(bytes).await?;
            self.connection.flush().await
        };
        sent.await.map_err(|source| Error::NoStream { server: self.server.clone(), source })
    }

    /// What the server says is coming. Until then it sends line ends, to show that it lives.
    async fn announced(&mut self) -> Result<Announced> {
        let line = self.line().await?;
        let unknown = || self.cut_off(0, format!("it answered {line:?}"));
        let size = line.strip_prefix('$').ok_or_else(unknown)?;
        match size.strip_prefix("EOF:") {
            Some(mark) => mark.as_bytes().try_into().map(Announced::Until).map_err(|_| unknown()),
            None => size.parse().map(Announced::Length).map_err(|_| unknown()),
        }
    }

    /// One line that is not empty; an error is a refusal.
    async fn line(&mut self) -> Result<String> {
        let mut line = Vec::new();
        while line.len() < LONGEST_LINE {
            self.read(1, 0).await?;
            match self.buffer[0] {
                b'\n' if line.is_empty() => {}
                b'\n' => break,
                b'\r' => {}
                byte => line.push(byte),
            }
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        match line.strip_prefix('-') {
            Some(said) => {
                Err(Error::Refused { server: self.server.clone(), said: said.escape_debug().to_string() })
            }
            None => Ok(line),
        }
    }

    async fn take(&mut self, length: u64, sink: &mut Sink<'_>) -> Result<()> {
        sink.total = length;
        while sink.meter.bytes < length {
            let most = usize::try_from(length - sink.meter.bytes).unwrap_or(CHUNK).min(CHUNK);
            let read = self.read(most, sink.meter.bytes).await?;
            sink.put(&self.buffer[..read])?;
        }
        Ok(())
    }

    /// Holds back as much as the mark is long, so that the mark itself is never taken for content.
    async fn take_until(&mut self, mark: &[u8; MARK], sink: &mut Sink<'_>) -> Result<()> {
        let mut held: Vec<u8> = Vec::new();
        while held.last_chunk() != Some(mark) {
            let read = self.read(CHUNK, sink.meter.bytes).await?;
            held.extend(&self.buffer[..read]);
            let sure = held.len().saturating_sub(MARK);
            sink.put(&held[..sure])?;
            held.drain(..sure);
        }
        Ok(())
    }

    async fn read(&mut self, most: usize, so_far: u64) -> Result<usize> {
        let silent = |_| Err(io::Error::new(io::ErrorKind::TimedOut, "it said nothing for a minute"));
        let read = timeout(SILENCE, self.connection.read(&mut self.buffer[..most])).await;
        match read.unwrap_or_else(silent) {
            Ok(0) => Err(self.cut_off(so_far, "it closed the connection".into())),
            Err(error) => Err(self.cut_off(so_far, error.to_string())),
            Ok(read) => Ok(read),
        }
    }

    fn cut_off(&self, bytes: u64, why: String) -> Error {
        Error::CutOff { server: self.server.clone(), bytes, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is received from a server that sends these pieces, one after the other, and closes.
    async fn received(pieces: &[&[u8]]) -> Result<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let mut draft = Draft::create(&folder.path().join("file"), 1, false).unwrap();
        let before = std::fs::metadata(draft.path()).unwrap().len();
        let (ours, mut theirs) = tokio::io::duplex(64);
        let stream =
            Stream { connection: Box::new(ours), server: "server".to_owned(), buffer: vec![0; CHUNK] };
        let serve = async move {
            for piece in pieces {
                let _ = theirs.write_all(piece).await;
                tokio::task::yield_now().await;
            }
        };
        let (received, ()) = tokio::join!(stream.receive(&mut draft, &|_, _, _| {}), serve);
        let content = std::fs::read(draft.path()).unwrap().split_off(usize::try_from(before).unwrap());
        assert!(received.as_ref().map_or(true, |received| received.bytes == content.len() as u64));
        received.map(|_| content)
    }

    #[tokio::test]
    async fn signs_of_life_come_before_the_length_and_commands_after_the_snapshot_are_not_part_of_it() {
        let content = received(&[b"\n\n", b"\n$5\r", b"\nab\r\n", b"c*1\r\n$4\r\nPING\r\n"]).await.unwrap();
        assert_eq!(content, b"ab\r\nc");
    }

    #[tokio::test]
    async fn the_form_without_a_length_ends_at_its_mark_wherever_it_is_cut() {
        let mark = [b'm'; MARK];
        let announced = [b"$EOF:".as_slice(), &mark, b"\r\n"].concat();
        for cut in [1, 10, 39] {
            let pieces: [&[u8]; 4] = [&announced, b"some mmmm content", &mark[..cut], &mark[cut..]];
            assert_eq!(received(&pieces).await.unwrap(), b"some mmmm content", "{cut}");
        }
    }

    #[tokio::test]
    async fn a_server_that_breaks_off_or_refuses_is_told_apart() {
        let cut_off = received(&[b"$5\r\nab"]).await.unwrap_err();
        assert!(matches!(cut_off, Error::CutOff { bytes: 2, .. }), "{cut_off}");
        let refused = received(&[b"-NOPERM no\r\n"]).await.unwrap_err();
        assert!(matches!(&refused, Error::Refused { said, .. } if said == "NOPERM no"), "{refused}");
        let nonsense = received(&[b"+HTTP\r\n"]).await.unwrap_err();
        assert!(matches!(nonsense, Error::CutOff { .. }), "{nonsense}");
    }
}
