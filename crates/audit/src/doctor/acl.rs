//! Whether we may do what we need, and whether others may do it too.

use quorate_store::invariant::Scope;

use super::{Check, Verdict, setting};

pub(super) async fn check(scope: &Scope) -> Check {
    let script: Result<i64, _> = scope
        .store
        .repeatable()
        .query(redis::cmd("EVAL").arg("#!lua flags=no-writes\nreturn 1").arg(0))
        .await;
    if let Err(error) = script {
        return Check::of(
            "access",
            Verdict::Unfit,
            format!("scripts are refused: {}", error.detail()),
            "allow EVAL, EVALSHA and SCRIPT for this user",
        );
    }
    let user: Option<String> = scope.store.query(redis::cmd("ACL").arg("WHOAMI")).await.ok();
    let user = user.unwrap_or_else(|| "an unnamed user".to_owned());
    if is_open(scope).await {
        return Check::of(
            "access",
            Verdict::Wrong,
            "anybody who reaches this server may use it: no password, and it listens beyond loopback",
            "set a password or ACL users, or bind it to loopback",
        );
    }
    Check::right("access", format!("signed in as {}", quorate_catalog::rule::show(&user)))
}

/// No password for the default user, protected mode off, and an address that others can reach.
async fn is_open(scope: &Scope) -> bool {
    let open_default = match scope.store.query::<Vec<String>>(redis::cmd("ACL").arg("LIST")).await {
        Ok(users) => users.iter().any(|user| user.starts_with("user default on ") && user.contains("nopass")),
        Err(_) => false,
    };
    let unprotected = setting(scope, "protected-mode").await.as_deref() == Some("no");
    let bind = setting(scope, "bind").await.unwrap_or_default();
    let port = setting(scope, "port").await.unwrap_or_default();
    let local = |address: &str| matches!(address.trim_start_matches('-'), "127.0.0.1" | "::1" | "localhost");
    open_default && unprotected && port != "0" && !bind.split_whitespace().all(local)
}
