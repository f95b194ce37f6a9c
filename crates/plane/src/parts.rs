//! What the capabilities of one process share: their scripts, their settings, and what is under way.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quorate_store::Result;
use tokio::sync::OnceCell;

use crate::settings::Cached;
use crate::{
    Plane, agents, dead_letters, events, jobs, locks, messages, queues, search, services, tasks, webhooks,
    workflows,
};

/// What the queues of one process share.
#[derive(Debug)]
pub(crate) struct QueueParts {
    pub(crate) scripts: Arc<queues::Scripts>,
    pub(crate) settings: Cached<queues::Settings>,
    pub(crate) calls: queues::Calls,
    pub(crate) together: queues::Together,
    pub(crate) stands: queues::stand::Stands,
    pub(crate) still: queues::still::Still,
    pub(crate) dead: Arc<dead_letters::Scripts>,
    pub(crate) dlq: Cached<dead_letters::Settings>,
    pub(crate) jobs: Arc<jobs::Scripts>,
}

/// What the tasks of one process share.
#[derive(Debug)]
pub(crate) struct TaskParts {
    pub(crate) scripts: Arc<tasks::Scripts>,
    pub(crate) settings: Cached<tasks::Settings>,
    pub(crate) together: tasks::Together,
}

/// What the search of one process shares.
#[derive(Debug)]
pub(crate) struct SearchParts {
    pub(crate) scripts: Arc<search::Scripts>,
    pub(crate) settings: Cached<search::Settings>,
    /// Where the look for documents of other clients goes on.
    pub(crate) cursor: Mutex<u64>,
}

/// What the workflows of one process share.
#[derive(Debug)]
pub(crate) struct WorkflowParts {
    pub(crate) scripts: Arc<workflows::Scripts>,
    pub(crate) settings: Cached<workflows::Settings>,
    pub(crate) known: workflows::Known,
}

/// What the locks of one process share.
#[derive(Debug)]
pub(crate) struct LockParts {
    pub(crate) scripts: Arc<locks::Scripts>,
    pub(crate) settings: Cached<locks::Settings>,
    pub(crate) waker: OnceCell<locks::Waker>,
    pub(crate) together: locks::Together,
}

impl Plane {
    pub(crate) fn agent_scripts(&self) -> &agents::Scripts {
        &self.agents
    }

    pub(crate) fn message_scripts(&self) -> &messages::Scripts {
        &self.messages
    }

    pub(crate) fn queue_scripts(&self) -> &queues::Scripts {
        &self.queues.scripts
    }

    pub(crate) fn queue_calls(&self) -> &queues::Calls {
        &self.queues.calls
    }

    pub(crate) fn queue_calls_together(&self) -> &queues::Together {
        &self.queues.together
    }

    pub(crate) fn queue_waits(&self) -> &queues::still::Still {
        &self.queues.still
    }

    pub(crate) fn queue_stands(&self) -> &queues::stand::Stands {
        &self.queues.stands
    }

    pub(crate) async fn queue_settings(&self) -> Result<queues::Settings> {
        self.queues.settings.get(&self.scope.store, &self.scope.keys).await
    }

    pub(crate) async fn dlq_settings(&self) -> Result<dead_letters::Settings> {
        self.queues.dlq.get(&self.scope.store, &self.scope.keys).await
    }

    pub(crate) fn dead_scripts(&self) -> &dead_letters::Scripts {
        &self.queues.dead
    }

    pub(crate) fn job_scripts(&self) -> &jobs::Scripts {
        &self.queues.jobs
    }

    pub(crate) fn task_scripts(&self) -> &tasks::Scripts {
        &self.tasks.scripts
    }

    pub(crate) fn tasks_together(&self) -> &tasks::Together {
        &self.tasks.together
    }

    pub(crate) async fn task_settings(&self) -> Result<tasks::Settings> {
        self.tasks.settings.get(&self.scope.store, &self.scope.keys).await
    }

    pub(crate) fn workflow_scripts(&self) -> &workflows::Scripts {
        &self.workflows.scripts
    }

    pub(crate) async fn workflow_settings(&self) -> Result<workflows::Settings> {
        self.workflows.settings.get(&self.scope.store, &self.scope.keys).await
    }

    pub(crate) fn service_scripts(&self) -> &services::Scripts {
        &self.service_scripts
    }

    pub(crate) fn search_scripts(&self) -> &search::Scripts {
        &self.search.scripts
    }

    pub(crate) async fn search_settings(&self) -> Result<search::Settings> {
        self.search.settings.get(&self.scope.store, &self.scope.keys).await
    }

    pub(crate) fn search_cursor(&self) -> MutexGuard<'_, u64> {
        self.search.cursor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn lock_scripts(&self) -> &locks::Scripts {
        &self.locks.scripts
    }

    pub(crate) fn locks_together(&self) -> &locks::Together {
        &self.locks.together
    }

    pub(crate) fn stream_waits(&self) -> &events::Streams {
        &self.streams
    }

    pub(crate) async fn event_settings(&self) -> Result<events::Settings> {
        self.events.get(&self.scope.store, &self.scope.keys).await
    }

    pub(crate) async fn webhook_settings(&self) -> Result<webhooks::Settings> {
        self.webhooks.get(&self.scope.store, &self.scope.keys).await
    }

    pub(crate) async fn service_settings(&self) -> Result<services::Settings> {
        self.services.get(&self.scope.store, &self.scope.keys).await
    }

    pub(crate) async fn lock_settings(&self) -> Result<locks::Settings> {
        self.locks.settings.get(&self.scope.store, &self.scope.keys).await
    }

    /// The subscription that wakes this process's waiters, made with the first of them.
    pub(crate) async fn waker(&self) -> Result<&locks::Waker> {
        self.locks.waker.get_or_try_init(|| locks::Waker::start(&self.scope.store, &self.scope.keys)).await
    }

    /// The name under which this process's waiters are woken, or `-` while it has none.
    pub(crate) fn waker_here(&self) -> &str {
        self.locks.waker.get().map_or("-", locks::Waker::process)
    }

    /// Wakes the waiter of this process that got what was given back: its request, the fence and the end of its hold.
    pub(crate) fn woken_here(&self, grant: &[String]) {
        if let Some(waker) = self.locks.waker.get() {
            waker.hear(grant);
        }
    }
}
