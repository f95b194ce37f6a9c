//! A page on another site can make a browser resolve its own name to this machine. Such a request names that
//! site as its host, so on a loopback listener every other host is refused.

use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::Response;

use crate::api;
use crate::problem::Problem;

/// What a request gets that names another host.
pub(crate) fn refusal(request: &Request) -> Option<Response> {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let named = host.or_else(|| request.uri().host());
    if named.is_some_and(is_this_machine) {
        return None;
    }
    let problem =
        Problem::new(StatusCode::MISDIRECTED_REQUEST, "host", "this server answers only to localhost");
    Some(problem.answer(&api::request_id(request.headers())))
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
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
    }
}
