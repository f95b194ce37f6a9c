//! What must hold of the lists of sessions: whoever is let in can be seen and ended, and what is gone is in no list.

use std::collections::BTreeSet;

use futures_util::future::BoxFuture;
use quorate_catalog::ids::{LoginSessionId, UserId};
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, ErrorKind, Result, cmd};

use super::Scripts;
use crate::outcome::Reply;
use crate::walk::names;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Listed::ByUser, &Listed::All]
}

/// Which list.
#[derive(Debug, Clone, Copy)]
enum Listed {
    /// Ade's set of a user's open sessions.
    ByUser,
    /// All sessions by the moment they end.
    All,
}

impl Invariant for Listed {
    fn code(&self) -> &'static str {
        match self {
            Self::ByUser => "FSCK071",
            Self::All => "FSCK072",
        }
    }

    fn promise(&self) -> &'static str {
        match self {
            Self::ByUser => "every session is in the set of its user, and every name there has a session",
            Self::All => {
                "every session is in the list of all by the moment it ends, and every name there has a session"
            }
        }
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let mut findings = Vec::new();
            for (session, user) in everything(scope).await? {
                if let Some(message) = self.judge(scope, &session, &user, false).await? {
                    findings.push(self.finding(&session, &user, message));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let (session, user) = finding.key.split_once(':').unwrap_or((&finding.key, ""));
            self.judge(scope, session, user, true).await?;
            Ok(self.judge(scope, session, user, false).await?.is_none())
        })
    }
}

impl Listed {
    async fn judge(self, scope: &Scope, session: &str, user: &str, repair: bool) -> Result<Option<String>> {
        let place = if matches!(self, Self::ByUser) { 1 } else { 2 };
        let keys = [scope.keys.quorate().logins()];
        let args = [Arg::from(session), Arg::from(user), Arg::from(if repair { place } else { 0 })];
        let scripts = Scripts::of(&scope.keys);
        let reply: Reply = match scope.store.repeatable().run(&scripts.judge, &keys, &args).await {
            Ok(reply) => reply,
            // The census reports a key of another type.
            Err(error) if error.kind() == ErrorKind::WrongType => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(reply.word(place).filter(|wrong| !wrong.is_empty()).map(str::to_owned))
    }

    fn finding(self, session: &str, user: &str, message: String) -> Finding {
        let (family, list) = match self {
            Self::ByUser => ("ade.login_sessions_by_user", "the set of its user"),
            Self::All => ("quorate.logins", "the list of all sessions"),
        };
        Finding {
            code: self.code(),
            level: Level::Finding,
            family: Some(family.into()),
            key: format!("{session}:{user}"),
            message: format!("{list}: {message}"),
            advice: Some("`quorate fsck --repair` puts it right".into()),
        }
    }
}

/// Every session that a list names or that has a record, with its user where a list says so.
async fn everything(scope: &Scope) -> Result<BTreeSet<(String, String)>> {
    let keys = &scope.keys;
    let mut all = BTreeSet::new();
    let any = UserId::parse("any").expect("a name");
    for name in names(scope, &keys.ade().login_sessions_by_user(&any)).await? {
        let Ok(user) = UserId::parse(&name) else { continue };
        let index = keys.ade().login_sessions_by_user(&user);
        for session in members(scope, cmd("SMEMBERS").arg(index.as_str())).await? {
            all.insert((session, name.clone()));
        }
    }
    for member in members(scope, cmd("ZRANGE").arg(keys.quorate().logins().as_str()).arg(0).arg(-1)).await? {
        if let Some((session, user)) = member.split_once(':') {
            all.insert((session.to_owned(), user.to_owned()));
        }
    }
    let any = LoginSessionId::parse("any").expect("a name");
    let recorded = names(scope, &keys.quorate().login(&any)).await?;
    let known: BTreeSet<String> = all.iter().map(|(session, _)| session.clone()).collect();
    all.extend(recorded.into_iter().filter(|name| !known.contains(name)).map(|name| (name, String::new())));
    // What another client wrote into a set need be no name.
    Ok(all.into_iter().filter(|(session, _)| LoginSessionId::parse(session).is_ok()).collect())
}

async fn members(scope: &Scope, command: &redis::Cmd) -> Result<Vec<String>> {
    match scope.store.query(command).await {
        Err(error) if error.kind() == ErrorKind::WrongType => Ok(vec![]),
        answer => answer,
    }
}
