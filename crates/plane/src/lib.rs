//! The capabilities of the plane, one folder each, all of one form.
//!
//! # Layout
//! - [`agents`]: who is here. Registration, heartbeats, epochs, draining and revoking.
//! - [`locks`]: who holds what. Fences, queues, shared and exclusive, deadlocks.
//! - [`jobs`]: what runs when.
//! - [`limits`]: how much of what, in which time. [`dedupe`]: whether something was seen before. [`metrics`]: counters.
//! - [`messages`]: who told whom what, and how far it got.
//! - [`queues`]: what is to be done. Leases, priorities, groups, retries; [`worker`] runs a handler over them.
//! - [`dead_letters`]: what could not be done, and its replay.
//! - [`workflows`]: where a task stands in its workflow. Stages with contracts, joins that fire once, deadlines.
//! - [`maintenance`]: what the plane does by itself, once a second, in any number of processes.
//! - [`events`]: what happened, and who has yet to hear of it. Groups, guarded trimming, the loss ledger, observations.
//! - [`feed`]: following streams for many viewers, with every gap said.
//! - [`logs`]: records of services, sent without ever blocking, and followed in order; the server's self-watch.
//! - [`services`]: who is registered with the studio, what they report, and how they fare.
//! - [`tasks`]: what became of what is being done: status, observations, children, leases, as its workers report it.
//! - [`search`]: finding tasks and services by what is known of them.
//! - [`tokens`]: who may do what. [`sign_in`]: sessions of people.
//! - [`webhooks`]: telling others outside what happened. [`notices`]: telling people of failed tasks.
//! - [`trace`]: which trace something belongs to.
//! - [`stale`]: how many writes came too late.
//! - [`trail`]: who changed what; sealed, so that a change of it is found.
//! - [`idempotency`]: a repeated request has one effect and one answer.
//! - [`json`]: JSON of callers, whose unknown fields stay as they were written.
//! - [`overview`]: the plane in numbers, now and over the last day, and what needs a person.
//! - [`outcome`]: a refusal is an answer, and every capability refuses in the same words.
//!
//! A capability is `<name>.rs` (its API), `keys.rs` (the keys one call needs), `model.rs` (what it speaks of),
//! `script.rs` (its Lua, parsed once) and `lua/` (one file per state change).
//!
//! **Invariant:** a state change is one script; nothing here reads, decides and writes in separate calls unless the
//! script checks that what was read still holds.

mod access;
pub mod agents;
pub mod channels;
mod coalesce;
pub mod dead_letters;
pub mod dedupe;
pub mod events;
pub mod feed;
mod hall;
pub mod idempotency;
pub mod jobs;
pub mod json;
mod kept;
pub mod limits;
pub mod locks;
pub mod logs;
pub mod maintenance;
pub mod messages;
pub mod metrics;
pub mod notices;
pub mod outcome;
pub mod overview;
mod parts;
mod promises;
pub mod queues;
mod refusals;
pub mod search;
mod secret;
pub mod services;
mod settings;
pub mod sign_in;
pub mod stale;
pub mod tasks;
pub mod tokens;
pub mod trace;
pub mod trail;
mod waits;
mod walk;
pub mod webhooks;
pub mod worker;
pub mod workflows;

use std::sync::{Arc, Mutex};

use quorate_catalog::{Keys, Layout};
use quorate_store::invariant::Scope;
use quorate_store::{Error, ErrorKind, Once, Result, Store};
use tokio::sync::OnceCell;

use parts::{LockParts, QueueParts, SearchParts, TaskParts, WorkflowParts};
use settings::Cached;

pub use outcome::{Outcome, Refusal};
pub use promises::invariants;
pub use quorate_store::random_id;

/// Every capability on one store. A copy is made for every call, so it is two counts and no more.
#[derive(Debug, Clone)]
pub struct Plane {
    scope: Arc<Scope>,
    parts: Arc<Parts>,
}

/// What the capabilities keep in this process.
#[derive(Debug, Clone)]
pub struct Parts {
    agents: Arc<agents::Scripts>,
    locks: Arc<LockParts>,
    messages: Arc<messages::Scripts>,
    events: Arc<Cached<events::Settings>>,
    streams: Arc<events::Streams>,
    queues: Arc<QueueParts>,
    access: Arc<access::Parts>,
    tasks: Arc<TaskParts>,
    webhooks: Arc<Cached<webhooks::Settings>>,
    services: Arc<Cached<services::Settings>>,
    service_scripts: Arc<services::Scripts>,
    outgoing: Arc<quorate_outgoing::Client>,
    post: Arc<notices::Post>,
    workflows: Arc<WorkflowParts>,
    search: Arc<SearchParts>,
    waits: Arc<waits::Waits>,
    refusals: refusals::Refusals,
}

impl std::ops::Deref for Plane {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Plane {
    /// The plane on a store. The capabilities need the plain layout, and a tagged deployment is told so.
    pub fn new(scope: Scope) -> Result<Self> {
        if scope.keys.layout() == Layout::Tagged {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                "plane",
                "the capabilities run on a plain deployment (a single server or Sentinel), not yet on a cluster",
            ));
        }
        let scripts = locks::Scripts::of(&scope.keys);
        let locks = LockParts {
            scripts,
            settings: Cached::default(),
            waker: OnceCell::new(),
            together: locks::Together::default(),
        };
        let agents = agents::Scripts::of(&scope.keys);
        let messages = messages::Scripts::of(&scope.keys);
        let queues = QueueParts {
            scripts: queues::Scripts::of(&scope.keys),
            settings: Cached::default(),
            calls: queues::Calls::default(),
            together: queues::Together::default(),
            stands: queues::stand::Stands::default(),
            still: queues::still::Still::default(),
            dead: dead_letters::Scripts::of(&scope.keys),
            dlq: Cached::default(),
            jobs: jobs::Scripts::of(&scope.keys),
        };
        let (locks, queues) = (Arc::new(locks), Arc::new(queues));
        let access = Arc::new(access::Parts::of(&scope.keys));
        let (scripts, settings) = (tasks::Scripts::of(&scope.keys), Cached::default());
        let tasks = TaskParts { scripts, settings, together: tasks::Together::default() };
        let (scope, tasks) = (Arc::new(scope), Arc::new(tasks));
        let workflows = Arc::new(WorkflowParts {
            scripts: workflows::Scripts::of(&scope.keys),
            settings: Cached::default(),
            known: workflows::Known::default(),
        });
        let search = Arc::new(SearchParts {
            scripts: search::Scripts::of(&scope.keys),
            settings: Cached::default(),
            cursor: Mutex::default(),
        });
        let service_scripts = services::Scripts::of(&scope.keys);
        let parts = Parts {
            service_scripts,
            agents,
            locks,
            messages,
            events: Arc::default(),
            streams: Arc::default(),
            queues,
            access,
            tasks,
            workflows,
            search,
            webhooks: Arc::default(),
            services: Arc::default(),
            outgoing: Arc::default(),
            post: Arc::default(),
            waits: Arc::default(),
            refusals: refusals::Refusals::default(),
        };
        Ok(Self { scope, parts: Arc::new(parts) })
    }

    /// The same with rules for calls to addresses that others chose; without them nothing nearby is called.
    #[must_use]
    pub fn calling(self, outgoing: quorate_outgoing::Client) -> Self {
        let parts = Parts { outgoing: Arc::new(outgoing), ..Parts::clone(&self.parts) };
        Self { parts: Arc::new(parts), ..self }
    }

    /// The same with a way to send mail, and what it was told about notices; without it nobody is told.
    #[must_use]
    pub fn telling(self, post: notices::Post) -> Self {
        let parts = Parts { post: Arc::new(post), ..Parts::clone(&self.parts) };
        Self { parts: Arc::new(parts), ..self }
    }

    /// Lets nobody wait any longer for an item, an entry or a lock, because this process stops: all are answered as when
    /// their time is over.
    pub fn end_waits(&self) {
        self.waits.end();
    }

    pub(crate) fn post(&self) -> &notices::Post {
        &self.post
    }

    pub(crate) fn outgoing(&self) -> &quorate_outgoing::Client {
        &self.outgoing
    }

    pub fn locks(&self) -> locks::Locks<'_> {
        locks::Locks::new(self)
    }

    pub fn jobs(&self) -> jobs::Jobs<'_> {
        jobs::Jobs::new(self)
    }

    pub fn limits(&self) -> limits::Limits<'_> {
        limits::Limits::new(self)
    }

    pub fn dedupe(&self) -> dedupe::Dedupe<'_> {
        dedupe::Dedupe::new(self)
    }

    pub fn metrics(&self) -> metrics::Metrics<'_> {
        metrics::Metrics::new(self)
    }

    pub fn messages(&self) -> messages::Messages<'_> {
        messages::Messages::new(self)
    }

    pub fn queues(&self) -> queues::Queues<'_> {
        queues::Queues::new(self)
    }

    pub fn dead_letters(&self) -> dead_letters::DeadLetters<'_> {
        dead_letters::DeadLetters::new(self)
    }

    pub fn workflows(&self) -> workflows::Workflows<'_> {
        workflows::Workflows::new(self)
    }

    pub fn agents(&self) -> agents::Agents<'_> {
        agents::Agents::new(self)
    }

    pub fn events(&self) -> events::Events<'_> {
        events::Events::new(self)
    }

    pub fn feed(&self) -> feed::Feed<'_> {
        feed::Feed::new(self)
    }

    pub fn logs(&self) -> logs::Logs<'_> {
        logs::Logs::new(self)
    }

    pub fn observations(&self) -> events::Observations<'_> {
        events::Observations::new(self)
    }

    pub fn services(&self) -> services::Services<'_> {
        services::Services::new(self)
    }

    pub fn tasks(&self) -> tasks::Tasks<'_> {
        tasks::Tasks::new(self)
    }

    pub fn search(&self) -> search::Search<'_> {
        search::Search::new(self)
    }

    pub fn tokens(&self) -> tokens::Tokens<'_> {
        tokens::Tokens::new(self)
    }

    pub fn sign_in(&self) -> sign_in::SignIn<'_> {
        sign_in::SignIn::new(self)
    }

    pub fn idempotency(&self) -> idempotency::Idempotency<'_> {
        idempotency::Idempotency::new(self)
    }

    pub fn webhooks(&self) -> webhooks::Webhooks<'_> {
        webhooks::Webhooks::new(self)
    }

    pub fn notices(&self) -> notices::Notices<'_> {
        notices::Notices::new(self)
    }

    pub fn overview(&self) -> overview::Overview<'_> {
        overview::Overview::new(self)
    }

    pub fn trail(&self) -> trail::Trail<'_> {
        trail::Trail::new(self)
    }

    /// The same plane, whose changes are made in the name of a request: each has one effect, however often it is tried.
    #[must_use]
    pub fn under(&self, once: Once) -> Self {
        let store = self.scope.store.under(Arc::new(once));
        let scope = Scope { store, keys: self.scope.keys.clone() };
        Self { scope: Arc::new(scope), parts: Arc::clone(&self.parts) }
    }

    /// A name for something new: its request's own, or one that nothing else has.
    fn new_name(&self) -> String {
        self.scope.store.own_name().unwrap_or_else(random_id)
    }

    pub fn store(&self) -> &Store {
        &self.scope.store
    }

    pub fn keys(&self) -> &Keys {
        &self.scope.keys
    }

    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}
