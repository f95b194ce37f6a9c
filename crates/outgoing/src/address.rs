//! An address in its one normal form, so that two spellings of one place are one place.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use url::{Host, Url};

/// Longest address, in bytes.
const LONGEST: usize = 1_024;

/// A base URL: lower-case scheme and host, no credentials, no query, no fragment, no slash at the end.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    url: Url,
    text: String,
}

/// Why a text is no address that can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadAddress(pub(crate) &'static str);

impl Address {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    pub fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(443)
    }

    /// The host as a name, if it is not an address.
    pub(crate) fn name(&self) -> Option<&str> {
        match self.url.host() {
            Some(Host::Domain(name)) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn ip(&self) -> Option<IpAddr> {
        match self.url.host() {
            Some(Host::Ipv4(ip)) => Some(ip.into()),
            Some(Host::Ipv6(ip)) => Some(ip.into()),
            _ => None,
        }
    }
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        if text.len() > LONGEST {
            return Err(BadAddress("it is longer than 1,024 bytes"));
        }
        if text.chars().any(|letter| letter.is_control() || letter.is_whitespace() || letter == '\\') {
            return Err(BadAddress("it has spaces, control characters or backslashes"));
        }
        let mut url = Url::parse(text).map_err(|_| BadAddress("it is no URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadAddress("only http and https can be called"));
        }
        // Readers disagree about these: `http:///x` has no host for some, and the host `x` for others.
        if text[url.scheme().len()..].strip_prefix("://").is_none_or(|rest| rest.starts_with('/')) {
            return Err(BadAddress("it names no host"));
        }
        if !url.username().is_empty() || url.password().is_some() || text.contains('@') {
            return Err(BadAddress("credentials do not belong in it"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BadAddress("it has a query or a fragment, and a base address has none"));
        }
        plain(text, &mut url)?;
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        let text = url.as_str().trim_end_matches('/').to_owned();
        Ok(Self { url, text })
    }
}

/// Makes the host plain: what only looks like a name, and is read as an address, is refused; one final dot goes.
fn plain(text: &str, url: &mut Url) -> Result<(), BadAddress> {
    match url.host() {
        Some(Host::Ipv4(ip)) if !text.contains(&ip.to_string()) => {
            Err(BadAddress("its host is a number in disguise; write the address with four decimal numbers"))
        }
        Some(Host::Domain(name)) => {
            let bare = name.strip_suffix('.').unwrap_or(name).to_owned();
            let sound = |label: &str| !label.is_empty() && label.len() <= 63;
            if bare.len() > 253 || !bare.split('.').all(sound) {
                return Err(BadAddress("its host is no name"));
            }
            url.set_host(Some(&bare)).map_err(|_| BadAddress("its host is no name"))
        }
        Some(_) => Ok(()),
        None => Err(BadAddress("it names no host")),
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({})", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spellings_of_one_place_are_one_place() {
        for (said, normal) in [
            ("HTTPS://Example.ORG", "https://example.org"),
            ("https://example.org/", "https://example.org"),
            ("https://example.org.:443//", "https://example.org"),
            ("http://example.org:80/Hooks/", "http://example.org/Hooks"),
            ("http://example.org:8080/a/../b", "http://example.org:8080/b"),
            ("https://b\u{fc}cher.example/x", "https://xn--bcher-kva.example/x"),
            ("http://[2001:DB8:0:0::1]:9000/", "http://[2001:db8::1]:9000"),
        ] {
            let address: Address = said.parse().unwrap_or_else(|why| panic!("{said}: {why}"));
            assert_eq!(address.as_str(), normal, "{said}");
            assert_eq!(address.as_str().parse::<Address>().as_ref(), Ok(&address), "{said} is stable");
        }
    }

    #[test]
    fn what_is_no_base_address_is_refused() {
        for bad in [
            "",
            "example.org",
            "file:///etc/passwd",
            "gopher://example.org/",
            "ftp://example.org",
            "redis://example.org:6379",
            "http://",
            "http:///example.org",
            "http:example.org",
            "http:/example.org",
            "http://user@example.org",
            "http://user:pass@example.org",
            "http://example.org@127.0.0.1/",
            "http://example.org/?a=b",
            "http://example.org/#x",
            "http://example.org\\@127.0.0.1/",
            "http://exa mple.org/",
            "http://example.org/\r\nHost: x",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://0/",
            "http://\u{ff11}27.0.0.1/",
            "http://a..b/",
            "http://example.org:99999/",
            &format!("http://example.org/{}", "x".repeat(1_100)),
        ] {
            assert!(bad.parse::<Address>().is_err(), "{bad}");
        }
    }
}
