//! What a deployment is: which layout its keys have. It is decided once and never changes.
//!
//! Two processes that start at the same moment must agree, so the decision is one script; a process that was
//! configured otherwise is told so and must not touch a key.

use std::sync::LazyLock;

use quorate_catalog::{Keys, Layout};

use crate::{Arg, Error, ErrorKind, Result, Script, Store};

static CLAIM: LazyLock<Script> = LazyLock::new(|| {
    Script::parse("claim_layout", include_str!("deployment/lua/claim_layout.lua")).expect("checked by a test")
});

/// The scripts of this module, for the test that holds headers and bodies together.
pub fn scripts() -> Vec<&'static Script> {
    vec![&CLAIM]
}

/// What a process learned when it claimed its layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// This is a new deployment, and it has this layout from now on.
    Made,
    /// The deployment has this layout already.
    Same,
    /// The deployment has another layout; nothing may be written.
    Other(Layout),
}

/// Claims the layout of `keys` for its deployment.
pub async fn claim(store: &Store, keys: &Keys) -> Result<Claim> {
    let meta = keys.quorate().meta();
    let layout = keys.layout().as_str();
    let answer: Vec<String> = store
        .repeatable()
        .run(&CLAIM, &[&meta], &[Arg::from(layout), Arg::from(crate::random_id()), Arg::from(1_i64)])
        .await?;
    match answer.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["made", _] => Ok(Claim::Made),
        ["held", held] if held == layout => Ok(Claim::Same),
        ["held", held] if held.parse::<Layout>().is_ok() => {
            Ok(Claim::Other(held.parse().unwrap_or_default()))
        }
        _ => Err(Error::new(
            ErrorKind::WrongType,
            "claim_layout",
            format!("{meta} is damaged; run quorate fsck"),
        )),
    }
}

/// The layout a deployment was made with, or `None` before its first start.
pub async fn recorded_layout(store: &Store, keys: &Keys) -> Result<Option<Layout>> {
    let meta = keys.quorate().meta();
    let recorded = store.query::<Option<String>>(redis::cmd("HGET").arg(meta.as_str()).arg("layout")).await;
    match recorded {
        // A record of another type is for fsck to report; a command that only looks must get that far.
        Err(error) if error.kind() == ErrorKind::WrongType => Ok(None),
        other => Ok(other?.and_then(|layout| layout.parse().ok())),
    }
}
