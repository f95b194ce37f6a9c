//! Reading a URL by hand, because no URL parser takes a list of hosts, and because its errors must not repeat it.
//!
//! User information ends at the *last* `@`, so a password with an unencoded `@` still works; everything else that
//! is unclear is refused rather than guessed.

use std::path::PathBuf;

use super::{Node, Secret, Shape, Target};
use crate::error::{Error, ErrorKind, Result};

const PORT: u16 = 6379;
const SENTINEL_PORT: u16 = 26379;

pub(super) fn target(url: &str) -> Result<Target> {
    let (scheme, rest) = url.split_once("://").ok_or_else(|| bad("it has no scheme such as redis://"))?;
    let scheme = scheme.to_ascii_lowercase();
    let (family, tls) = family(&scheme)?;
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    if rest.contains('#') || query.contains('#') {
        return Err(bad(
            "it has a fragment (#…), which means nothing here; percent-encode # in a password as %23",
        ));
    }
    let mut found = Found::new(tls);
    let place = found.user_info(rest)?;
    found.query(query)?;
    found.finish(family, place)
}

#[derive(Clone, Copy, PartialEq)]
enum Family {
    Server,
    Socket,
    Sentinel,
    Cluster,
}

fn family(scheme: &str) -> Result<(Family, bool)> {
    let (base, form) = scheme.split_once('+').unwrap_or((scheme, ""));
    match (base, form) {
        ("redis" | "valkey", "") => Ok((Family::Server, false)),
        ("rediss" | "valkeys", "") => Ok((Family::Server, true)),
        ("unix", "") | ("redis" | "valkey", "unix") => Ok((Family::Socket, false)),
        ("redis" | "valkey", "sentinel") => Ok((Family::Sentinel, false)),
        ("rediss" | "valkeys", "sentinel") => Ok((Family::Sentinel, true)),
        ("redis" | "valkey", "cluster") => Ok((Family::Cluster, false)),
        ("rediss" | "valkeys", "cluster") => Ok((Family::Cluster, true)),
        _ => Err(bad("its scheme is none of redis, rediss, unix, redis+unix, redis+sentinel, redis+cluster")),
    }
}

struct Found {
    user: Option<String>,
    password: Option<Secret>,
    tls: bool,
    db: i64,
}

impl Found {
    fn new(tls: bool) -> Self {
        Self { user: None, password: None, tls, db: 0 }
    }

    fn user_info<'a>(&mut self, rest: &'a str) -> Result<&'a str> {
        let Some((info, place)) = rest.rsplit_once('@') else { return Ok(rest) };
        let (user, password) =
            info.split_once(':').map_or((info, None), |(user, password)| (user, Some(password)));
        if !user.is_empty() {
            self.user = Some(decode(user, "the user name")?);
        }
        self.password = password.map(|text| decode(text, "the password").map(Secret::new)).transpose()?;
        Ok(place)
    }

    fn query(&mut self, query: &str) -> Result<()> {
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=').unwrap_or((pair, "")) {
                ("db", text) => self.db = database(text)?,
                ("user", text) => self.user = Some(decode(text, "the user name")?),
                ("pass", text) => self.password = Some(Secret::new(decode(text, "the password")?)),
                _ => return Err(bad("it has a parameter other than db, user and pass")),
            }
        }
        Ok(())
    }

    fn finish(mut self, family: Family, place: &str) -> Result<Target> {
        let shape = match family {
            Family::Socket => socket(place)?,
            Family::Server => self.server(place)?,
            Family::Sentinel => self.sentinel(place)?,
            Family::Cluster => self.cluster(place)?,
        };
        if self.user.is_some() && self.password.is_none() {
            return Err(bad(
                "it names a user but no password (redis://:PASSWORD@host has a password without a user)",
            ));
        }
        Ok(Target { shape, user: self.user, password: self.password, tls: self.tls, db: self.db })
    }

    fn server(&mut self, place: &str) -> Result<Shape> {
        let (host, path) = place.split_once('/').unwrap_or((place, ""));
        if host.contains(',') {
            return Err(bad("it names several hosts; say redis+cluster:// or redis+sentinel://"));
        }
        self.path_db(path)?;
        Ok(Shape::Server(node(host, PORT)?))
    }

    fn sentinel(&mut self, place: &str) -> Result<Shape> {
        let (hosts, path) =
            place.split_once('/').ok_or_else(|| bad("it lacks the master's name: …hosts/NAME"))?;
        let (master, db) = path.split_once('/').unwrap_or((path, ""));
        if master.is_empty() {
            return Err(bad("it lacks the master's name: …hosts/NAME"));
        }
        self.path_db(db)?;
        let master = decode(master, "the master's name")?;
        Ok(Shape::Sentinel { sentinels: nodes(hosts, SENTINEL_PORT)?, master })
    }

    fn cluster(&mut self, place: &str) -> Result<Shape> {
        let (hosts, path) = place.split_once('/').unwrap_or((place, ""));
        self.path_db(path)?;
        if self.db != 0 {
            return Err(bad("a cluster has only database 0"));
        }
        Ok(Shape::Cluster(nodes(hosts, PORT)?))
    }

    fn path_db(&mut self, path: &str) -> Result<()> {
        if !path.is_empty() {
            self.db = database(path)?;
        }
        Ok(())
    }
}

fn socket(place: &str) -> Result<Shape> {
    if !place.starts_with('/') {
        return Err(bad("a socket needs an absolute path: unix:///run/redis.sock"));
    }
    Ok(Shape::Socket(PathBuf::from(decode(place, "the path")?)))
}

fn nodes(hosts: &str, port: u16) -> Result<Vec<Node>> {
    hosts.split(',').map(|host| node(host, port)).collect()
}

fn node(text: &str, default: u16) -> Result<Node> {
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, port)) => (host, port.strip_prefix(':').unwrap_or(port)),
        None => text.split_once(':').unwrap_or((text, "")),
    };
    let port = if port.is_empty() {
        default
    } else {
        port.parse().map_err(|_| bad("a port is not a number below 65536"))?
    };
    if host.is_empty()
        || host.contains(|c: char| c.is_whitespace() || c.is_control() || "/?#@".contains(c))
        || port == 0
    {
        return Err(bad("a host is missing or malformed"));
    }
    Ok(Node { host: host.to_owned(), port })
}

fn database(text: &str) -> Result<i64> {
    let number =
        text.trim_end_matches('/').parse::<u16>().map_err(|_| bad("the database is not a number"))?;
    Ok(i64::from(number))
}

/// Percent-decodes one component; a decoded part is never decoded again.
fn decode(text: &str, what: &str) -> Result<String> {
    let refuse = || bad(format!("{what} has a broken %-escape or is not UTF-8"));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next().ok_or_else(refuse)?, rest.next().ok_or_else(refuse)?];
        let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
        let value = high.zip(low).map(|(high, low)| high * 16 + low).ok_or_else(refuse)?;
        bytes.push(u8::try_from(value).map_err(|_| refuse())?);
    }
    String::from_utf8(bytes).map_err(|_| refuse())
}

fn bad(reason: impl AsRef<str>) -> Error {
    Error::new(
        ErrorKind::InvalidArgument,
        "URL",
        format!("the server's URL cannot be used: {}", reason.as_ref()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(url: &str) -> String {
        let target = target(url).unwrap();
        format!("{target} {:?}", target.password.as_ref().map(Secret::reveal))
    }

    #[test]
    fn every_form_is_read_and_shown_without_its_password() {
        for (url, expected) in [
            ("redis://localhost", "redis://localhost:6379 None"),
            ("valkey://h:7000/3", "redis://h:7000/3 None"),
            ("rediss://u:p%40ss@h", "rediss://u:***@h:6379 Some(\"p@ss\")"),
            ("redis://:p@ss@[::1]:7001/2", "redis://:***@[::1]:7001/2 Some(\"p@ss\")"),
            ("unix:///run/x.sock?db=2&pass=se%20cret", "unix://:***@/run/x.sock?db=2 Some(\"se cret\")"),
            ("redis+unix://:pw@/run/x.sock", "unix://:***@/run/x.sock Some(\"pw\")"),
            (
                "redis+sentinel://u:pw@a:1,b,c:3/mymaster/4",
                "redis+sentinel://u:***@a:1,b:26379,c:3/mymaster/4 Some(\"pw\")",
            ),
            ("redis+cluster://a:1,b:2", "redis+cluster://a:1,b:2 None"),
            ("redis://h?db=5", "redis://h:6379/5 None"),
        ] {
            assert_eq!(show(url), expected, "{url}");
        }
    }

    #[test]
    fn what_is_unclear_is_refused_without_repeating_it() {
        for url in [
            "",
            "localhost",
            "http://h",
            "redis://",
            "redis://h:99999",
            "redis://h:x",
            "redis://h/x",
            "redis://a,b",
            "redis://u@h",
            "unix://relative",
            "redis+sentinel://a:1",
            "redis+sentinel://a:1/",
            "redis+cluster://a,/",
            "redis+cluster://a/1",
            "redis://:hunter22@h/#frag",
            "redis://:hunter22%zz@h",
            "redis://h?hunter22=1",
            "redis://hunter22%ff:x@h",
            "redis://h/-1",
            "redis://h:0",
            "redis://h\r\nx",
            "redis+http://h",
        ] {
            let error = target(url).expect_err(url);
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{url}");
            assert!(!format!("{error:?}").contains("hunter22"), "{error}");
        }
    }

    #[test]
    fn debug_output_hides_the_password_too() {
        let target = target("redis://u:hunter22@h").unwrap();
        assert!(!format!("{target:?} {target:#?} {target}").contains("hunter22"));
    }

    #[test]
    fn the_environment_is_asked_in_order() {
        let vars = |name: &str| match name {
            "REDIS_URL" => Some(String::new()),
            "VALKEY_URL" => Some("valkey://v".to_owned()),
            _ => None,
        };
        assert_eq!(Target::from_vars(vars).unwrap().unwrap().to_string(), "redis://v:6379");
        assert_eq!(Target::from_vars(|_| None).unwrap(), None);
    }

    proptest::proptest! {
        #[test]
        fn no_url_makes_the_parser_panic(url in ".{0,60}") {
            let _ = target(&url);
            let _ = target(&format!("redis+sentinel://{url}"));
        }
    }
}
