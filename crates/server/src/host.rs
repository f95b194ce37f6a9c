//! A page on another site can make a browser resolve its own name to this machine. Such a request names that
//! site as its host, so on a loopback listener every other host is refused.

use axum::http::{HeaderMap, StatusCode, Uri, header};

use crate::api;
use crate::problem::Problem;

/// What a request gets that names another host, in any of the places where it can name one, or none at all.
pub(crate) fn refusal(headers: &HeaderMap, uri: &Uri) -> Option<api::Whole> {
    if headers.get_all(header::HOST).iter().count() > 1 {
        let problem = Problem::new(StatusCode::BAD_REQUEST, "malformed", "a request names one host");
        return Some(problem.whole(&api::request_id(headers)));
    }
    let said = headers.get_all(header::HOST).iter().map(|host| host.to_str().unwrap_or_default());
    let mut all = said.chain(uri.authority().map(|own| own.as_str())).peekable();
    if all.peek().is_some() && all.all(is_this_machine) {
        return None;
    }
    let problem =
        Problem::new(StatusCode::MISDIRECTED_REQUEST, "host", "this server answers only to localhost");
    Some(problem.whole(&api::request_id(headers)))
}

fn is_this_machine(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').unwrap_or_default(),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let sound = |port: &str| port.parse::<u16>().is_ok() && port.bytes().all(|digit| digit.is_ascii_digit());
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(sound) {
        return false;
    }
    let loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    loopback || name.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::is_this_machine;

    #[test]
    fn only_loopback_names_are_this_machine() {
        for host in ["127.0.0.1", "127.0.0.1:7770", "localhost:1", "LOCALHOST", "[::1]:80", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["evil.example", "evil.example:7770", "127.0.0.1.evil.example", "", "10.0.0.1", "[::2]"] {
            assert!(!is_this_machine(host), "{host}");
        }
        for host in ["[::1]evil", "[::1", "localhost:", "localhost:80:80", "localhost:+1", "127.0.0.1:99999"]
        {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn every_name_that_a_request_has_is_looked_at() {
        let refused = |target: &str, hosts: &[&str]| {
            let request = hosts
                .iter()
                .fold(axum::http::Request::builder().uri(target), |all, host| all.header("host", *host));
            let request = request.body(()).unwrap();
            super::refusal(request.headers(), request.uri()).is_some()
        };
        assert!(!refused("/x", &["localhost"]) && !refused("http://localhost:1/x", &["localhost:1"]));
        assert!(
            refused("/x", &["localhost", "evil.example"]) && refused("/x", &["evil.example", "localhost"])
        );
        assert!(refused("http://evil.example/x", &["localhost"]) && refused("/x", &[]));
        assert!(refused("/x", &["localhost", "localhost"]), "HTTP allows one");
    }
}
