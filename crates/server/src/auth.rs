//! Who asks: a bearer token, or the cookie of a signed-in person.
//!
//! A cookie comes along with every request of a browser, wanted or not, so a change by cookie must also name this server as
//! its origin. A token is only ever sent on purpose.

use std::sync::Arc;

use axum::http::{HeaderMap, Method, StatusCode, header};
use quorate_plane::Plane;
use quorate_plane::tokens::Caller;

use crate::checks::Checks;
use crate::problem::Problem;

/// The cookie of a signed-in person.
pub(crate) const COOKIE: &str = "quorate_session";

/// What a request shows to be let in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Credential {
    Bearer(String),
    Session(String),
}

impl Credential {
    /// What the headers show; a header that is there and says nothing useful is as good as none.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let mut said = headers.get_all(header::AUTHORIZATION).iter();
        if let Some(value) = said.next() {
            // Who shows two is not the one whom another reader of the request took it for.
            if said.next().is_some() {
                return None;
            }
            let (scheme, secret) = value.to_str().ok()?.split_once(' ')?;
            return scheme.eq_ignore_ascii_case("bearer").then(|| Self::Bearer(secret.trim().to_owned()));
        }
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == COOKIE).map(|(_, secret)| Self::Session(secret.to_owned()))
    }

    /// Who that is, if it still counts.
    pub(crate) async fn check(&self, plane: &Plane) -> quorate_store::Result<Option<Arc<Caller>>> {
        let known = match self {
            Self::Bearer(secret) => plane.tokens().check(secret).await,
            Self::Session(secret) => plane.sign_in().check(secret).await,
        };
        known.map(|known| known.map(Arc::new))
    }
}

/// Who asks, or why nobody may.
pub(crate) async fn caller(
    checks: &Checks,
    method: &Method,
    headers: &HeaderMap,
) -> Result<(Arc<Caller>, Credential), Problem> {
    let nobody = || {
        let message = "this needs a token: `Authorization: Bearer …`, made by `quorate tokens create`";
        Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", message)
    };
    let credential = Credential::of(headers).ok_or_else(nobody)?;
    if matches!(credential, Credential::Session(_)) && !method.is_safe() && !from_here(headers) {
        let message = "a change by cookie must come from a page of this server";
        return Err(Problem::new(StatusCode::FORBIDDEN, "cross_origin", message));
    }
    let known = checks.who(&credential).await.map_err(|error| Problem::from(&error))?;
    known.map(|caller| (caller, credential)).ok_or_else(nobody)
}

/// Whether a page of this very server sent the request.
pub(crate) fn from_here(headers: &HeaderMap) -> bool {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(origin), Some(host)) = (text(header::ORIGIN), text(header::HOST)) else { return false };
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    own.is_some_and(|own| own.eq_ignore_ascii_case(host)) && site.is_none_or(|site| site == "same-origin")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_a_page_of_this_server_is_from_here() {
        assert!(from_here(&headers(&[("origin", "http://127.0.0.1:7770"), ("host", "127.0.0.1:7770")])));
        for bad in [
            &[("host", "127.0.0.1:7770")][..],
            &[("origin", "null"), ("host", "127.0.0.1:7770")],
            &[("origin", "http://evil.example"), ("host", "127.0.0.1:7770")],
            &[("origin", "http://127.0.0.1:7771"), ("host", "127.0.0.1:7770")],
            &[
                ("origin", "http://127.0.0.1:7770"),
                ("host", "127.0.0.1:7770"),
                ("sec-fetch-site", "cross-site"),
            ],
        ] {
            assert!(!from_here(&headers(bad)), "{bad:?}");
        }
    }

    #[test]
    fn credentials_are_read_and_nonsense_is_none() {
        assert_eq!(
            Credential::of(&headers(&[("authorization", "bearer qt_1")])),
            Some(Credential::Bearer("qt_1".into()))
        );
        let cookie = headers(&[("cookie", "a=b; quorate_session=qs_1; c=d")]);
        assert_eq!(Credential::of(&cookie), Some(Credential::Session("qs_1".into())));
        for bad in [
            &[("authorization", "Basic eDp5")][..],
            &[("authorization", "Bearer")],
            &[("authorization", "Bearer qt_1"), ("authorization", "Bearer qt_2")],
            &[("cookie", "x=1")],
            &[],
        ] {
            assert_eq!(Credential::of(&headers(bad)), None, "{bad:?}");
        }
    }
}
