//! The keys of one agent, in the order the scripts' headers have them.

use quorate_catalog::ids::AgentId;
use quorate_catalog::{Key, Keys};

pub(super) struct AgentKeys {
    pub(super) session: Key,
    pub(super) index: Key,
    pub(super) presence: Key,
    pub(super) context: Key,
    pub(super) capacity: Key,
    pub(super) record: Key,
    pub(super) leases: Key,
    pub(super) answers: Key,
    pub(super) inbox: Key,
    pub(super) letters: Key,
}

impl AgentKeys {
    pub(super) fn of(keys: &Keys, agent: &AgentId) -> Self {
        Self {
            session: keys.reverie().session(agent),
            index: keys.reverie().session_index(),
            presence: keys.skynet().presence(agent),
            context: keys.skynet().context(agent),
            capacity: keys.ade().agent_capacity(agent),
            record: keys.quorate().agent(agent),
            leases: keys.quorate().agent_leases(),
            answers: keys.quorate().answers(agent),
            inbox: keys.reverie().inbox(agent),
            letters: keys.quorate().letters(agent),
        }
    }

    pub(super) fn register(&self) -> [&str; 8] {
        [
            &self.session,
            &self.index,
            &self.presence,
            &self.context,
            &self.capacity,
            &self.record,
            &self.leases,
            &self.answers,
        ]
        .map(Key::as_str)
    }

    pub(super) fn heartbeat(&self) -> [&str; 8] {
        [
            &self.session,
            &self.index,
            &self.presence,
            &self.capacity,
            &self.record,
            &self.leases,
            &self.inbox,
            &self.letters,
        ]
        .map(Key::as_str)
    }

    pub(super) fn update(&self) -> [&str; 3] {
        [&self.session, &self.record, &self.answers].map(Key::as_str)
    }

    pub(super) fn drain(&self) -> [&str; 3] {
        [&self.record, &self.capacity, &self.answers].map(Key::as_str)
    }

    pub(super) fn revoke(&self) -> [&str; 5] {
        [&self.record, &self.leases, &self.presence, &self.capacity, &self.answers].map(Key::as_str)
    }

    pub(super) fn deregister(&self) -> [&str; 7] {
        [
            &self.session,
            &self.index,
            &self.presence,
            &self.capacity,
            &self.record,
            &self.leases,
            &self.answers,
        ]
        .map(Key::as_str)
    }

    pub(super) fn retire(&self) -> [&str; 3] {
        [&self.record, &self.leases, &self.capacity].map(Key::as_str)
    }

    pub(super) fn prune(&self) -> [&str; 4] {
        [&self.session, &self.index, &self.record, &self.capacity].map(Key::as_str)
    }

    pub(super) fn reindex(&self) -> [&str; 4] {
        [&self.session, &self.index, &self.record, &self.leases].map(Key::as_str)
    }
}
