//! What must hold of the keys of a capability, said so that `quorate fsck` can check and repair it.
//!
//! A capability states each of its indexes as an invariant: what the authority key says, and what the index must
//! therefore hold. The trait is here because the plane brings invariants and the audit runs them (ADR 0007).

use futures_util::future::BoxFuture;
use quorate_catalog::Keys;
use serde::Serialize;

use crate::{Result, Store};

/// A store, and how its deployment spells keys.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The connection.
    pub store: Store,
    /// The builders.
    pub keys: Keys,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something that must not be.
    Finding,
    /// Something worth knowing, as a rule the work of a foreign client.
    Information,
}

/// One thing that was found.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// Stable, with a page under `docs/errors/`.
    pub code: &'static str,
    /// Whether it must not be.
    pub level: Level,
    /// The family, where the key has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// The key, escaped.
    pub key: String,
    /// What is wrong with it.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// A statement about the keyspace that can be checked.
pub trait Invariant: Send + Sync {
    /// Stable, as in its findings.
    fn code(&self) -> &'static str;

    /// What holds, in one sentence.
    fn promise(&self) -> &'static str;

    /// Everything that breaks the promise now.
    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>>;

    /// Puts one finding right, after checking it again; `false` where that is not for a program to decide.
    fn repair<'a>(&'a self, _scope: &'a Scope, _finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(std::future::ready(Ok(false)))
    }
}
