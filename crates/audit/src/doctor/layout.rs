//! Whether the deployment's layout suits the server.

use quorate_catalog::Layout;
use quorate_store::invariant::Scope;
use quorate_store::{Info, Result, deployment};

use super::{Check, Verdict};

pub(super) async fn check(scope: &Scope, server: &Info) -> Result<Check> {
    let is_cluster =
        server.get("redis_mode") == Some("cluster") || server.get("server_mode") == Some("cluster");
    let recorded = deployment::recorded_layout(&scope.store, &scope.keys).await?;
    Ok(match recorded {
        Some(Layout::Plain) if is_cluster => Check::of(
            "layout",
            Verdict::Unfit,
            "this deployment is plain, and the server is a cluster",
            "use the tagged layout on a cluster: start a new deployment there and migrate to it",
        ),
        Some(layout) => Check::right("layout", format!("{layout}, as this deployment was made")),
        None => Check::of(
            "layout",
            Verdict::Note,
            "no deployment has been made here yet",
            "`quorate up` makes one",
        ),
    })
}
