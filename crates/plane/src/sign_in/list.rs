//! Which sessions there are.

use std::collections::{BTreeSet, HashMap};

use quorate_catalog::ids::{LoginSessionId, SecretHash, UserId};
use quorate_store::{Result, cmd, pipe};

use super::{SignIn, SignInInfo};

/// Sessions looked at in one round trip.
const PAGE: usize = 500;

type Fields = HashMap<String, String>;

impl SignIn<'_> {
    /// The sessions of a user, those that other clients wrote too; or all of ours.
    pub async fn ls(&self, user: Option<&UserId>) -> Result<Vec<SignInInfo>> {
        let names = self.names(user).await?;
        let mut found = Vec::new();
        for page in names.into_iter().collect::<Vec<_>>().chunks(PAGE) {
            found.extend(self.page(page).await?);
        }
        found.sort_by(|one, other| other.created_at.cmp(&one.created_at));
        Ok(found)
    }

    async fn names(&self, user: Option<&UserId>) -> Result<BTreeSet<LoginSessionId>> {
        let (keys, store) = (self.plane.keys(), self.plane.store());
        let mut listed: Vec<String> =
            store.query(cmd("ZRANGE").arg(keys.quorate().logins().as_str()).arg(0).arg(-1)).await?;
        let suffix = user.map(|user| format!(":{user}")).unwrap_or_default();
        listed.retain(|member| member.ends_with(&suffix));
        if let Some(user) = user {
            let index = keys.ade().login_sessions_by_user(user);
            listed.extend(store.query::<Vec<String>>(cmd("SMEMBERS").arg(index.as_str())).await?);
        }
        let name = |member: &String| LoginSessionId::parse(member.split(':').next().unwrap_or_default()).ok();
        Ok(listed.iter().filter_map(name).collect())
    }

    async fn page(&self, names: &[LoginSessionId]) -> Result<Vec<SignInInfo>> {
        let keys = self.plane.keys();
        let mut both = pipe();
        for name in names {
            both.cmd("HGETALL").arg(keys.ade().login_session(name).as_str());
            both.cmd("HGETALL").arg(keys.quorate().login(name).as_str());
        }
        let records: Vec<Fields> = self.plane.store().pipeline(&both).await?;
        let mut roles = pipe();
        for own in records.chunks_exact(2).map(|pair| &pair[1]) {
            let holder = own.get("token").and_then(|token| SecretHash::parse(token).ok());
            let person = own.get("user").and_then(|user| UserId::parse(user).ok());
            let key = match (holder, person) {
                (Some(token), _) => keys.quorate().token(&token),
                (None, Some(user)) => keys.quorate().account(&user),
                // Nobody is called so, and the answer says that there is no role.
                (None, None) => keys.quorate().token(&crate::secret::hash("")),
            };
            roles.cmd("HGET").arg(key.as_str()).arg("role");
        }
        let roles: Vec<Option<String>> = self.plane.store().pipeline(&roles).await?;
        let pairs = names.iter().zip(records.chunks_exact(2)).zip(roles);
        Ok(pairs
            .filter_map(|((name, pair), role)| {
                let role = role.and_then(|role| role.parse().ok());
                Some(SignInInfo { role, ..SignInInfo::read(name, &pair[0], &pair[1])? })
            })
            .collect())
    }
}
