//! The smallest blocking client that is enough here: is the engine ready, build a cluster, ask a sentinel.
//!
//! The `store` crate has the real client. This one exists so that the engine can be started and tested without it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the server cannot be reached ({0}): check that it runs")]
    Io(#[from] io::Error),
    #[error("the server refused: {0}")]
    Refused(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Nil,
    Int(i64),
    Text(String),
    List(Vec<Value>),
}

impl Value {
    /// The text of a status or string; empty for anything else.
    pub fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { "" }
    }

    pub fn list(&self) -> &[Value] {
        if let Self::List(values) = self { values } else { &[] }
    }
}

trait Stream: Read + Write + Send {}
impl<T: Read + Write + Send> Stream for T {}

pub struct Client {
    stream: BufReader<Box<dyn Stream>>,
}

impl Client {
    /// `limit` holds for each read and write: a stopped server must not stop us.
    pub fn unix(path: &Path, limit: Duration) -> Result<Self, Error> {
        let stream = UnixStream::connect(path)?;
        stream.set_read_timeout(Some(limit))?;
        stream.set_write_timeout(Some(limit))?;
        Ok(Self { stream: BufReader::new(Box::new(stream)) })
    }

    pub fn tcp(port: u16, limit: Duration) -> Result<Self, Error> {
        let stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), limit)?;
        stream.set_read_timeout(Some(limit))?;
        stream.set_write_timeout(Some(limit))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(Box::new(stream)) })
    }

    pub fn call(&mut self, words: &[&str]) -> Result<Value, Error> {
        let mut request = format!("*{}\r\n", words.len());
        for word in words {
            request.push_str(&format!("${}\r\n{word}\r\n", word.len()));
        }
        self.stream.get_mut().write_all(request.as_bytes())?;
        self.reply()
    }

    fn reply(&mut self) -> Result<Value, Error> {
        let line = self.line()?;
        let (kind, rest) = line.split_at_checked(1).ok_or_else(nonsense)?;
        match kind {
            "+" => Ok(Value::Text(rest.to_owned())),
            "-" => Err(Error::Refused(rest.to_owned())),
            ":" => Ok(Value::Int(number(rest)?)),
            "$" => self.bulk(number(rest)?),
            "*" if number(rest)? < 0 => Ok(Value::Nil),
            "*" => (0..number(rest)?).map(|_| self.reply()).collect::<Result<_, _>>().map(Value::List),
            _ => Err(nonsense()),
        }
    }

    fn bulk(&mut self, len: i64) -> Result<Value, Error> {
        let Ok(len) = usize::try_from(len) else { return Ok(Value::Nil) };
        let mut bytes = vec![0; len + 2];
        self.stream.read_exact(&mut bytes)?;
        Ok(Value::Text(String::from_utf8_lossy(&bytes[..len]).into_owned()))
    }

    fn line(&mut self) -> Result<String, Error> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        Ok(line.trim_end().to_owned())
    }
}

fn number(text: &str) -> Result<i64, Error> {
    text.parse().map_err(|_| nonsense())
}

fn nonsense() -> Error {
    io::Error::new(io::ErrorKind::InvalidData, "the answer is not in the Redis protocol").into()
}
