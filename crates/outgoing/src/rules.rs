//! What an operator allows beyond the public network: networks, addresses and names, each with its port.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// A rule that nobody can read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{rule:?} is no rule: use CIDR:PORT, ADDRESS:PORT, NAME:PORT or *.NAME:PORT (* for any port), or `only`"
)]
pub struct BadRule {
    rule: String,
}

/// All rules of a process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Whether nothing may be called but what a rule names.
    pub(crate) only: bool,
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    what: What,
    /// None for any port.
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Net(IpNet),
    Name(String),
    /// Every name below this one.
    Below(String),
}

impl Rules {
    pub(crate) fn allow(&self, name: Option<&str>, ip: IpAddr, port: u16) -> bool {
        let fits = |rule: &Rule| match (&rule.what, name) {
            (What::Net(net), _) => net.contains(&ip),
            (What::Name(own), Some(name)) => own == name,
            (What::Below(own), Some(name)) => {
                name.strip_suffix(own.as_str()).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1)
            }
            (_, None) => false,
        };
        self.rules.iter().any(|rule| rule.port.is_none_or(|own| own == port) && fits(rule))
    }
}

impl FromStr for Rules {
    type Err = BadRule;

    fn from_str(text: &str) -> Result<Self, BadRule> {
        let mut all = Self::default();
        for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
            if word == "only" {
                all.only = true;
            } else {
                all.rules.push(rule(word).ok_or_else(|| BadRule { rule: word.chars().take(80).collect() })?);
            }
        }
        Ok(all)
    }
}

fn rule(word: &str) -> Option<Rule> {
    let (what, port) = word.rsplit_once(':')?;
    let port = if port == "*" { None } else { Some(port.parse().ok().filter(|port| *port > 0)?) };
    let bracketed = what.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let text = bracketed.unwrap_or(what);
    let net = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    if let Some(net) = net {
        return Some(Rule { what: What::Net(net), port });
    }
    let (below, name) = match text.strip_prefix("*.") {
        Some(name) => (true, name),
        None => (false, text),
    };
    let sound = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    if bracketed.is_some() || name.is_empty() || !name.bytes().all(sound) {
        return None;
    }
    let name = name.to_ascii_lowercase();
    Some(Rule { what: if below { What::Below(name) } else { What::Name(name) }, port })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_allows_what_it_names_and_no_other_port() {
        let rules: Rules = "10.0.0.0/8:8080, hooks.fleet:443 [fd00::/8]:* *.lab.fleet:80".parse().unwrap();
        let allow = |name: Option<&str>, ip: &str, port| rules.allow(name, ip.parse().unwrap(), port);
        assert!(allow(None, "10.9.9.9", 8080) && !allow(None, "10.9.9.9", 8081));
        assert!(!allow(None, "11.9.9.9", 8080) && allow(None, "fd00::7", 1));
        assert!(allow(Some("hooks.fleet"), "192.168.1.1", 443) && !allow(Some("hooks.fleet"), "1.1.1.1", 80));
        assert!(allow(Some("a.lab.fleet"), "192.168.1.1", 80));
        assert!(!allow(Some("lab.fleet"), "192.168.1.1", 80) && !allow(Some("xlab.fleet"), "1.1.1.1", 80));
        assert!(!rules.only && "only".parse::<Rules>().unwrap().only);
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        for bad in [
            "10.0.0.0/8",
            "10.0.0.0/33:80",
            "host:0",
            "host:x",
            ":80",
            "*:80",
            "a b:80:c",
            "[host]:80",
            "ho*st:80",
        ] {
            assert!(bad.parse::<Rules>().is_err(), "{bad}");
        }
    }
}
