//! Who may do what: bearer tokens.
//!
//! A token is a secret of 256 bits that is shown once. Its record is found by the hash of the secret, so a check is one
//! look at one key, and nothing that can be read in the store signs anybody in. What a role allows is narrowed by
//! scopes; a token may be bound to an agent, and then speaks for that agent and its sub-agents alone.

mod caller;
mod fsck;
mod model;
mod role;
mod script;

use std::collections::BTreeMap;

use quorate_catalog::ids::{SecretHash, TokenNameId};
use quorate_store::{Arg, Error, ErrorKind, Micros, Result, cmd, pipe};

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane, secret};
pub use caller::{Caller, Via, speaks_for};
pub(crate) use caller::{read_agent, read_scopes};
pub use fsck::invariants;
pub use model::{Created, MAX_SCOPES, MAX_TTL, NewToken, Revoked, TokenInfo};
pub(crate) use model::{iso, iso_or_none};
pub use quorate_catalog::ids::TokenNameId as TokenName;
pub use role::{Level, Role, Scope};
pub(crate) use script::Scripts;

/// How every token begins.
pub const PREFIX: &str = "qt_";
/// The longest name of whoever made or revoked a token, in bytes.
const MAX_BY: usize = 256;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Tokens<'p> {
    plane: &'p Plane,
    request: Option<&'p str>,
}

impl<'p> Tokens<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, request: None }
    }

    /// The same for a call that has a name: however often it is made, it has one effect.
    #[must_use]
    pub fn asked(self, request: Option<&'p str>) -> Self {
        Self { request, ..self }
    }

    /// Makes a token. The secret is in the answer and nowhere else; it cannot be asked for again.
    pub async fn create(&self, wanted: &NewToken) -> Result<Outcome<Created>> {
        if let Some(fault) = wanted.fault() {
            return Err(invalid(fault));
        }
        check_by(&wanted.by)?;
        let (token, id) = (secret::new(PREFIX), self.plane.new_name());
        let hash = secret::hash(&token);
        let ttl = wanted.ttl.map_or(0, crate::locks::millis);
        let scopes: Vec<String> = wanted.scopes.iter().map(Scope::to_string).collect();
        let args = [
            Arg::from(wanted.name.as_key()),
            Arg::from(hash.as_key()),
            Arg::from(id.as_str()),
            Arg::from(wanted.role.as_str()),
            Arg::from(scopes.join(" ")),
            Arg::from(wanted.agent.as_ref().map(|agent| agent.as_key()).unwrap_or_default()),
            Arg::from(wanted.by.as_str()),
            Arg::from(ttl),
        ];
        let own = self.plane.keys().quorate();
        let keys = [own.token(&hash), own.token_names()];
        // The secret is new, so a repeat after a lost reply finds its own token and nobody else's.
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&self.scripts().create, &keys, &args).await?;
        match reply.expect("created")? {
            Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
            Outcome::Done(words) => {
                let (created_at, expires_at) = model::times(&words).ok_or_else(|| undecodable("created"))?;
                let name = wanted.name.clone();
                // A request that was taken up again made its token before, with a secret that is gone.
                let lost = store.is_under() && self.check(&token).await?.is_none();
                let token = if lost { secret::SHOWN_ONCE.to_owned() } else { token };
                Ok(Outcome::Done(Created { name, token, role: wanted.role, created_at, expires_at }))
            }
        }
    }

    /// Every token by name, those that have expired too; never a secret, nor its hash.
    pub async fn ls(&self) -> Result<Vec<TokenInfo>> {
        let own = self.plane.keys().quorate();
        let names: BTreeMap<String, String> =
            self.plane.store().query(cmd("HGETALL").arg(own.token_names().as_str())).await?;
        let mut all = pipe();
        let hashes = names.values().filter_map(|hash| SecretHash::parse(hash).ok());
        for hash in hashes {
            all.cmd("HGETALL").arg(own.token(&hash).as_str());
        }
        if all.is_empty() {
            return Ok(vec![]);
        }
        let found: Vec<BTreeMap<String, String>> = self.plane.store().pipeline(&all).await?;
        let now = self.plane.store().time().await?;
        Ok(found.iter().filter_map(|fields| TokenInfo::read(fields, now)).collect())
    }

    /// Ends a token, and with it every session that its holder opened.
    pub async fn revoke(&self, name: &TokenNameId, by: &str) -> Result<Outcome<Revoked>> {
        check_by(by)?;
        let own = self.plane.keys().quorate();
        let keys = [own.token_names(), own.token_answers()];
        let request = self.request.map_or_else(crate::random_id, str::to_owned);
        let args = [Arg::from(request), Arg::from(name.as_key())];
        let reply: Reply = self.plane.store().run(&self.scripts().revoke, &keys, &args).await?;
        match reply.expect("revoked")? {
            Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
            Outcome::Done(words) => {
                let revoked = Revoked::read(name, &words).ok_or_else(|| undecodable("revoked"))?;
                Ok(Outcome::Done(revoked))
            }
        }
    }

    /// Who holds a secret; nobody, if it is unknown, revoked or expired. One round trip.
    pub async fn check(&self, secret: &str) -> Result<Option<Caller>> {
        let Some(hash) = secret::known(PREFIX, secret) else { return Ok(None) };
        let keys = [self.plane.keys().quorate().token(&hash)];
        let store = self.plane.store().natural();
        let words: Vec<String> = store.run(&script::CHECK, &keys, &[]).await?;
        match &words[..] {
            [] => Ok(None),
            words => caller::of_token(&hash, words).map(Some).ok_or_else(|| undecodable("token")),
        }
    }

    fn scripts(&self) -> &Scripts {
        &self.plane.access.tokens
    }
}

fn check_by(by: &str) -> Result<()> {
    let fits = (1..=MAX_BY).contains(&by.len());
    if fits { Ok(()) } else { Err(invalid(format!("who did it has from 1 to {MAX_BY} bytes"))) }
}

fn invalid(why: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, "tokens", why.into())
}

/// Unix milliseconds as a script gave them; 0 is no moment.
fn moment(text: &str) -> Option<Option<Micros>> {
    let millis: u64 = text.parse().ok()?;
    Some((millis > 0).then(|| Micros::from_millis(millis)))
}
