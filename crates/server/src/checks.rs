//! Who somebody is, asked of the store once for all who ask at the same time.
//!
//! A worker's token comes with every request, and fifty at once would be fifty questions. Whoever comes while a check is under
//! way waits for the next one: it begins after they came, so an answer is never older than its request, and a token that was
//! revoked is refused from that moment on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quorate_plane::Plane;
use quorate_plane::tokens::Caller;
use quorate_store::Result;
use tokio::sync::oneshot;

use crate::auth::Credential;

type Answer = Result<Option<Caller>>;
/// Who waits for the next check of each credential; one that stands here is being checked.
type Waiting = HashMap<Credential, Vec<oneshot::Sender<Answer>>>;

#[derive(Clone)]
pub(crate) struct Checks {
    plane: Plane,
    waiting: Arc<Mutex<Waiting>>,
}

impl Checks {
    pub(crate) fn new(plane: Plane) -> Self {
        Self { plane, waiting: Arc::default() }
    }

    /// Who that is, if it still counts.
    pub(crate) async fn who(&self, credential: &Credential) -> Answer {
        let (tell, told) = oneshot::channel();
        let begin = {
            let mut waiting = self.lock();
            let first = !waiting.contains_key(credential);
            waiting.entry(credential.clone()).or_default().push(tell);
            first
        };
        // A task of its own: whoever began may go away, and the others still wait.
        if begin {
            tokio::spawn(self.clone().work(credential.clone()));
        }
        match told.await {
            Ok(answer) => answer,
            // The task ended without an answer, as the process does.
            Err(_) => credential.check(&self.plane).await,
        }
    }

    async fn work(self, credential: Credential) {
        while let Some(all) = self.next(&credential) {
            let answer = credential.check(&self.plane).await;
            for tell in all {
                // Whoever has gone needs no answer.
                let _ = tell.send(answer.clone());
            }
        }
    }

    /// Those who came since the last check; nobody ends the work.
    fn next(&self, credential: &Credential) -> Option<Vec<oneshot::Sender<Answer>>> {
        let mut waiting = self.lock();
        let all = waiting.get_mut(credential).map(std::mem::take).filter(|all| !all.is_empty());
        if all.is_none() {
            waiting.remove(credential);
        }
        all
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn many_at_once_are_one_question_and_a_revoked_token_is_refused_at_once() {
        use quorate_plane::tokens::{NewToken, Role, TokenName};
        quorate_testkit::check(&[], async |bench| {
            let plane = Plane::new(bench.scope.clone()).unwrap();
            let name = TokenName::parse("ci").unwrap();
            let made =
                plane.tokens().create(&NewToken::new(name.clone(), Role::Agent, "x")).await.unwrap().unwrap();
            let checks = Checks::new(plane.clone());
            let credential = Credential::Bearer(made.token);
            let scripts = async || {
                let stats = bench.scope.store.info("commandstats").await.unwrap();
                let text = stats.get("cmdstat_evalsha").unwrap_or_default().to_owned();
                text.split(['=', ',']).nth(1).and_then(|calls| calls.parse::<u64>().ok()).unwrap_or_default()
            };
            assert!(checks.who(&credential).await.unwrap().is_some());
            let before = scripts().await;
            let all = futures_util::future::join_all((0..100).map(|_| checks.who(&credential))).await;
            assert!(all.iter().all(|answer| matches!(answer, Ok(Some(caller)) if caller.name == "ci")));
            assert!(scripts().await - before <= 3, "a hundred at once are one or two questions");
            plane.tokens().revoke(&name, "x").await.unwrap().unwrap();
            assert!(checks.who(&credential).await.unwrap().is_none());
            assert!(checks.lock().is_empty(), "nothing is kept of what nobody asks");
        })
        .await;
    }
}
