//! Sessions of people.
//!
//! Somebody signs in with a one-time code or with a bearer token and gets a secret; ade's record of the session is found
//! by the hash of that secret. A record beside it decides: when the session ends however much it is used, when it ends
//! unused, and which token it hangs on. The role is read anew at every check, so what is taken away is gone at once. A
//! session that another client wrote is listed, and lets nobody in.

mod fsck;
mod list;
mod model;
mod script;
mod settings;

use std::time::Duration;

use quorate_catalog::ids::{LoginSessionId, SecretHash, UserId};
use quorate_store::{Arg, Error, ErrorKind, Micros, Result};

use crate::outcome::{Reply, undecodable};
use crate::tokens::{Caller, Role};
use crate::{Outcome, Plane, secret};
pub use fsck::invariants;
pub use model::{MAX_INVITE, NewSession, Seen, SignInInfo};
pub(crate) use script::Scripts;
pub(crate) use settings::Settings;

/// How the secret of every session begins.
pub const PREFIX: &str = "qs_";
/// How every one-time code begins.
pub const CODE_PREFIX: &str = "qi_";

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct SignIn<'p> {
    plane: &'p Plane,
}

impl<'p> SignIn<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Makes a one-time code for somebody, who has this role from the moment the code is used.
    pub async fn invite(&self, user: &UserId, role: Role, ttl: Duration) -> Result<String> {
        if ttl < Duration::from_millis(1) || ttl > MAX_INVITE {
            return Err(invalid("a code is good for 1ms to 7d"));
        }
        let code = secret::new(CODE_PREFIX);
        let keys = [self.plane.keys().quorate().invite(&secret::hash(&code))];
        let args = [Arg::from(user.as_key()), Arg::from(role.as_str()), Arg::from(crate::locks::millis(ttl))];
        // The code is new, so a second delivery writes the same again.
        let reply: Reply = self.plane.store().repeatable().run(&script::INVITE, &keys, &args).await?;
        match reply.expect("invited")? {
            Outcome::Done(_) if self.plane.store().is_under() && !self.is_code(&keys[0]).await? => {
                Ok(secret::SHOWN_ONCE.to_owned())
            }
            Outcome::Done(_) => Ok(code),
            Outcome::Refused(refusal) => Err(invalid(&refusal.reason)),
        }
    }

    /// Whether a code was made: a request that was taken up again made its own before, and nobody knows it.
    async fn is_code(&self, key: &quorate_catalog::Key) -> Result<bool> {
        self.plane.store().query(quorate_store::cmd("EXISTS").arg(key.as_str())).await
    }

    /// Opens a session for whoever brings a code. Of many that bring the same one gets it.
    pub async fn redeem(&self, code: &str, seen: &Seen) -> Result<Option<NewSession>> {
        let Some(hash) = secret::known(CODE_PREFIX, code) else { return Ok(None) };
        let own = self.plane.keys().quorate();
        let keys = [own.invite(&hash), own.logins()];
        let (secret, args) = self.opening(seen).await?;
        // The code remembers the session it was used for, so a repeat after a lost reply gets its own.
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&self.scripts().redeem, &keys, &args).await?;
        NewSession::read(secret, reply)
    }

    /// Opens a session for the holder of a bearer token. It ends when the token does.
    pub async fn open(&self, caller: &Caller, seen: &Seen) -> Result<NewSession> {
        let Some(token) = &caller.token else {
            return Err(invalid("a session is opened with a bearer token or a one-time code"));
        };
        let keys = [self.plane.keys().quorate().logins()];
        let (secret, mut args) = self.opening(seen).await?;
        args.push(Arg::from(token.as_key()));
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&self.scripts().open, &keys, &args).await?;
        NewSession::read(secret, reply)?.ok_or_else(|| invalid("the token was revoked or has expired"))
    }

    /// Who has a session; nobody, if it has ended, was closed or its user has no role any more. One round trip.
    pub async fn check(&self, secret: &str) -> Result<Option<Caller>> {
        let Some(session) = known(secret) else { return Ok(None) };
        let keys = [
            self.plane.keys().ade().login_session(&session),
            self.plane.keys().quorate().login(&session),
            self.plane.keys().quorate().logins(),
        ];
        let args = [Arg::from(session.as_key())];
        let store = self.plane.store().repeatable();
        let words: Vec<String> = store.run(&self.scripts().check, &keys, &args).await?;
        match &words[..] {
            [] => Ok(None),
            words => model::caller(&session, words).map(Some).ok_or_else(|| undecodable("session")),
        }
    }

    /// Ends a session; whether there was one.
    pub async fn close(&self, secret: &str) -> Result<bool> {
        let Some(session) = known(secret) else { return Ok(false) };
        self.end(&session).await
    }

    /// Ends a session by the name it is listed under; whether there was one.
    pub async fn end(&self, session: &LoginSessionId) -> Result<bool> {
        let keys = [self.plane.keys().quorate().logins()];
        let args = [Arg::from(session.as_key())];
        let store = self.plane.store().repeatable();
        let ended: u64 = store.run(&self.scripts().close, &keys, &args).await?;
        Ok(ended > 0)
    }

    /// Ends all sessions of a user and makes every code from before now worthless; how many sessions there were.
    pub async fn revoke_user(&self, user: &UserId) -> Result<u64> {
        let own = self.plane.keys();
        let keys =
            [own.quorate().account(user), own.ade().login_sessions_by_user(user), own.quorate().logins()];
        let (mut ended, store) = (0, self.plane.store().repeatable());
        loop {
            // The first page settles it; the rest takes away what lets nobody in any more.
            let args = [Arg::from(user.as_key())];
            let (done, left): (u64, u64) = store.run(&self.scripts().cut, &keys, &args).await?;
            ended += done;
            if left == 0 || done == 0 {
                return Ok(ended);
            }
        }
    }

    /// Gives somebody another role, or none; every session of theirs has it from the next check on.
    pub async fn set_role(&self, user: &UserId, role: Option<Role>) -> Result<Option<Role>> {
        let keys = [self.plane.keys().quorate().account(user)];
        let args = [Arg::from(role.map(Role::as_str).unwrap_or_default())];
        let reply: Reply = self.plane.store().repeatable().run(&script::APPOINT, &keys, &args).await?;
        match reply.expect("appointed")? {
            Outcome::Done(words) => Ok(words.first().and_then(|role| role.parse().ok())),
            Outcome::Refused(refusal) => Err(invalid(&refusal.reason)),
        }
    }

    /// Takes sessions that have ended out of the lists; how many.
    pub(crate) async fn sweep(&self) -> Result<u64> {
        let keys = [self.plane.keys().quorate().logins()];
        self.plane.store().repeatable().run(&self.scripts().sweep, &keys, &[]).await
    }

    /// A new secret, and the arguments that every opening of a session has.
    async fn opening(&self, seen: &Seen) -> Result<(String, Vec<Arg<'static>>)> {
        let settings = self.plane.access.sign_in_settings(self.plane).await?;
        let secret = secret::new(PREFIX);
        let args = vec![
            Arg::from(secret::hash(&secret).as_key().to_owned()),
            Arg::from(crate::locks::millis(settings.idle)),
            Arg::from(crate::locks::millis(settings.most)),
            Arg::from(seen.ip()),
            Arg::from(seen.user_agent()),
        ];
        Ok((secret, args))
    }

    fn scripts(&self) -> &Scripts {
        &self.plane.access.sign_in
    }
}

fn known(text: &str) -> Option<LoginSessionId> {
    secret::known(PREFIX, text).map(|hash| session_of(&hash))
}

fn session_of(hash: &SecretHash) -> LoginSessionId {
    LoginSessionId::parse(hash.as_key()).expect("hexadecimal digits are a session's name")
}

fn moment(text: &str) -> Option<Micros> {
    text.parse().ok().map(Micros::from_millis)
}

fn invalid(why: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "sign-in", why)
}
