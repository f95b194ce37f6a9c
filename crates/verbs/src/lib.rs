//! What can be asked of the plane, in words that every surface shares.
//!
//! A verb is a struct: its fields are what is asked, their comments the documentation, and `run` asks the plane. HTTP,
//! MCP and the command line take their names, answers, codes and refusals from here, so none of them can differ.
//!
//! # Layout
//! - [`About`]: what is fixed about a verb: route, scope, effect.
//! - [`Verb`], [`Entry`], [`Call`]: a verb with its type, and without it for surfaces that run any.
//! - [`Verdict`], [`Refused`]: how a call ended; a refusal is an answer.
//! - [`said`]: values as people say them, parsed once.
//! - a module per noun, a file per verb.
//!
//! **Invariant:** nothing here decides; the plane does. Nothing here knows of HTTP or of a terminal but the numbers of
//! statuses.

mod about;
mod actor;
pub mod agents;
pub mod audit;
mod before;
pub mod dead;
pub mod dedupe;
pub mod events;
mod fields;
pub mod find;
pub mod jobs;
pub mod keys;
pub mod limits;
pub mod locks;
pub mod logs;
pub mod messages;
pub mod metrics;
pub mod notices;
pub mod observations;
pub mod overview;
mod prelude;
pub mod queues;
mod refused;
pub mod said;
pub mod services;
pub mod sign_ins;
pub mod tasks;
pub mod tokens;
mod verb;
pub mod webhooks;
pub mod workflows;

pub use about::{About, Effect, Method};
pub use actor::Actor;
pub use before::{before, in_path, shown_by};
pub use fields::Kind;
pub use quorate_plane::tokens::Level;
pub use refused::{Refused, Verdict, status};
pub use verb::{Answered, Call, Document, Entry, Fault, Verb};

/// Every verb there is, noun by noun.
pub fn all() -> Vec<Entry> {
    [
        agents::all(),
        locks::all(),
        queues::all(),
        dead::all(),
        messages::all(),
        events::all(),
        observations::all(),
        logs::all(),
        jobs::all(),
        tasks::all(),
        services::all(),
        workflows::all(),
        limits::all(),
        dedupe::all(),
        metrics::all(),
        keys::all(),
        tokens::all(),
        sign_ins::all(),
        webhooks::all(),
        notices::all(),
        audit::all(),
        overview::all(),
        find::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
