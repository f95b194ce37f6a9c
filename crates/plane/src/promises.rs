//! What must hold of the keys of all capabilities, in one list.

use quorate_store::invariant::Invariant;

use crate::{
    agents, dead_letters, events, idempotency, jobs, limits, locks, messages, notices, queues, search,
    services, sign_in, tasks, tokens, trail, webhooks, workflows,
};

/// What must hold of the keys of every capability; `quorate fsck` checks it.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    let mut all = agents::invariants();
    all.extend(locks::invariants());
    all.extend(events::invariants());
    all.extend(messages::invariants());
    all.extend(limits::invariants());
    all.extend(jobs::invariants());
    all.extend(queues::invariants());
    all.extend(dead_letters::invariants());
    all.extend(tasks::invariants());
    all.extend(workflows::invariants());
    all.extend(tokens::invariants());
    all.extend(sign_in::invariants());
    all.extend(idempotency::invariants());
    all.extend(trail::invariants());
    all.extend(webhooks::invariants());
    all.extend(search::invariants());
    all.extend(services::invariants());
    all.extend(notices::invariants());
    all
}
