//! What a server binary says about itself, and the oldest ones that Quorate works with (DESIGN, D7).

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::child::spawn;
use crate::{Error, Result};

/// A program that is no server may wait for input or run for ever.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Valkey,
    Redis,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    pub family: Family,
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl Version {
    /// Runs `path --version` and checks the answer against the floor.
    pub(crate) fn probe(path: &Path) -> Result<Self> {
        let bad = |reason: String| Error::BadBinary { path: path.to_owned(), reason };
        let said = ask(path).map_err(bad)?;
        let found = Self::parse(&said).ok_or_else(|| bad(format!("it says {:?}", first_line(&said))))?;
        if found.is_enough() { Ok(found) } else { Err(Error::TooOld { path: path.to_owned(), found }) }
    }

    /// Reads lines such as `Valkey server v=9.1.2 sha=…` and `Redis server v=7.0.15 sha=…`.
    fn parse(said: &str) -> Option<Self> {
        let (name, rest) = said.lines().find_map(|line| line.split_once("erver v="))?;
        let family = match name.split_whitespace().next()? {
            "Redis" => Family::Redis,
            // Valkey 7.2 leaves its own name out.
            "Valkey" | "S" | "s" => Family::Valkey,
            _ => return None,
        };
        let mut numbers = rest.split_whitespace().next()?.split(['.', '-']).map_while(|n| n.parse().ok());
        let (major, minor) = (numbers.next()?, numbers.next()?);
        Some(Self { family, major, minor, patch: numbers.next().unwrap_or(0) })
    }

    fn is_enough(&self) -> bool {
        let floor = match self.family {
            Family::Valkey => (7, 2),
            Family::Redis => (7, 0),
        };
        (self.major, self.minor) >= floor
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}.{}.{}", self.family, self.major, self.minor, self.patch)
    }
}

fn ask(path: &Path) -> Result<String, String> {
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = spawn(&mut command).map_err(|e| e.to_string())?;
    if !ends_within(&mut child, PATIENCE) {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("--version gave no answer in {} s", PATIENCE.as_secs()));
    }
    // Bounded: a version line is short, and what is not one may be endless.
    let mut said = Vec::new();
    let out = child.stdout.take().map(|out| out.take(4096).read_to_end(&mut said));
    out.transpose().map_err(|e| e.to_string())?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}

fn ends_within(child: &mut Child, limit: Duration) -> bool {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        if !matches!(child.try_wait(), Ok(None)) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

fn first_line(said: &str) -> String {
    said.lines().next().unwrap_or_default().chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_is_valkey_7_2_and_redis_7_0() {
        let enough = |line| Version::parse(line).map(|version| version.is_enough());
        assert_eq!(enough("Valkey server v=9.1.2 sha=00000000:1 malloc=libc bits=64"), Some(true));
        assert_eq!(enough("Server v=7.2.5 sha=00000000:0 malloc=libc"), Some(true));
        assert_eq!(enough("Redis server v=7.0.15 sha=00000000:0"), Some(true));
        assert_eq!(enough("Redis server v=8.2-rc1 sha=00000000:0"), Some(true));
        assert_eq!(enough("Redis server v=6.2.14 sha=00000000:0"), Some(false));
        assert_eq!(enough("KeyDB server v=6.3.4 sha=00000000:0"), None);
        assert_eq!(enough("cat (GNU coreutils) 9.1"), None);
    }
}
