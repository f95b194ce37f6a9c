//! The keys of one agent, in the order the scripts' headers have them.

use quorate_catalog::ids::{AgentId, WordId};
use quorate_catalog::{Key, Keys};

use super::{Known, Registration};

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
        }
    }

    pub(super) fn register(&self) -> impl Iterator<Item = &str> {
        let keys = [
            &self.session,
            &self.index,
            &self.presence,
            &self.context,
            &self.capacity,
            &self.record,
            &self.leases,
            &self.answers,
        ];
        keys.into_iter().map(Key::as_str)
    }

    pub(super) fn heartbeat(&self) -> [&str; 7] {
        [&self.session, &self.index, &self.presence, &self.capacity, &self.record, &self.leases, &self.inbox]
            .map(Key::as_str)
    }

    pub(super) fn deregister(&self) -> impl Iterator<Item = &str> {
        [&self.session, &self.index, &self.presence, &self.capacity, &self.record, &self.leases]
            .into_iter()
            .map(Key::as_str)
    }

    /// The word sets a registration joins, and those it leaves.
    pub(super) fn words(&self, keys: &Keys, wanted: &Registration, known: &Known) -> (Vec<Key>, Vec<Key>) {
        let role = wanted.role.as_ref().map(|word| keys.quorate().agents_by_role(word));
        let wanted_words = wanted.capabilities.iter().map(|word| keys.quorate().agents_by_capability(word));
        let joins: Vec<Key> = role.iter().cloned().chain(wanted_words).collect();
        let replaces = |key: &Key| {
            let is_role = key.family() == keys.quorate().agents_by_role(&any_word()).family();
            if is_role { wanted.role.is_some() } else { !wanted.capabilities.is_empty() }
        };
        let leaves =
            self.all_words(keys, known).into_iter().filter(|key| !joins.contains(key) && replaces(key));
        (joins.clone(), leaves.collect())
    }

    /// Every word set the agent is in now.
    pub(super) fn all_words(&self, keys: &Keys, known: &Known) -> Vec<Key> {
        let word = |text: &String| WordId::parse(text).ok();
        let role = known.role.as_ref().and_then(word).map(|word| keys.quorate().agents_by_role(&word));
        let capabilities = known.capabilities.iter().filter_map(word);
        role.into_iter().chain(capabilities.map(|word| keys.quorate().agents_by_capability(&word))).collect()
    }
}

fn any_word() -> WordId {
    WordId::parse("x").expect("a word")
}
