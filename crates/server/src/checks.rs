//! Who somebody is, asked of the store once for all who ask at the same time.
//!
//! A worker's token comes with every request, and ten thousand in a second would be ten thousand questions. What the store said
//! of a token is used for a tenth of a second, so a token that was revoked anywhere is refused from then on, and at once where
//! this very process revoked it. Whoever comes while a check is under way waits for the next one, which begins after they
//! came. A person's session is asked for each time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::tokens::Caller;
use quorate_store::Result;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::auth::Credential;

/// How old what is known of a token may be.
pub(crate) const FRESH: Duration = Duration::from_millis(100);
/// Most tokens of which something is known.
const MOST: usize = 4_096;

type Answer = Result<Option<Arc<Caller>>>;
/// Who holds a token, and since when that is known.
type Known = HashMap<Credential, (Instant, Arc<Caller>)>;
/// Who waits for the next check of each credential; one that stands here is being checked.
type Waiting = HashMap<Credential, Vec<oneshot::Sender<Answer>>>;

#[derive(Clone)]
pub(crate) struct Checks {
    plane: Plane,
    waiting: Arc<Mutex<Waiting>>,
    known: Arc<Mutex<Known>>,
    /// How often everything was forgotten: a check that began before the last time is not kept.
    forgotten: Arc<AtomicU64>,
}

impl Checks {
    pub(crate) fn new(plane: Plane) -> Self {
        Self { plane, waiting: Arc::default(), known: Arc::default(), forgotten: Arc::default() }
    }

    /// Who that is, if it still counts.
    pub(crate) async fn who(&self, credential: &Credential) -> Answer {
        match self.recall(credential) {
            Some(caller) => Ok(Some(caller)),
            // In a box, because it is rare and large, and every request would carry room for it.
            None => Box::pin(self.ask(credential)).await,
        }
    }

    /// Forgets what is known: a token was changed here.
    pub(crate) fn forget(&self) {
        let mut known = self.known();
        self.forgotten.fetch_add(1, Ordering::Relaxed);
        known.clear();
    }

    fn recall(&self, credential: &Credential) -> Option<Arc<Caller>> {
        let known = self.known();
        let (since, caller) = known.get(credential)?;
        (since.elapsed() < FRESH).then(|| Arc::clone(caller))
    }

    /// Keeps what a check found that began at `since`, when so often was forgotten.
    fn keep(&self, credential: &Credential, (since, forgotten): (Instant, u64), answer: &Answer) {
        let (Credential::Bearer(_), Ok(Some(caller))) = (credential, answer) else { return };
        let mut known = self.known();
        if self.forgotten.load(Ordering::Relaxed) != forgotten {
            return;
        }
        if known.len() >= MOST {
            known.retain(|_, (since, _)| since.elapsed() < FRESH);
        }
        if known.len() < MOST {
            known.insert(credential.clone(), (since, Arc::clone(caller)));
        }
    }

    async fn ask(&self, credential: &Credential) -> Answer {
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
            let began = (Instant::now(), self.forgotten.load(Ordering::Relaxed));
            let answer = credential.check(&self.plane).await;
            self.keep(&credential, began, &answer);
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

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn many_at_once_are_one_question_and_a_revoked_token_is_refused_within_a_tenth_of_a_second() {
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
            checks.forget();
            let before = scripts().await;
            let all = futures_util::future::join_all((0..100).map(|_| checks.who(&credential))).await;
            assert!(all.iter().all(|answer| matches!(answer, Ok(Some(caller)) if caller.name == "ci")));
            assert!(scripts().await - before <= 3, "a hundred at once are one or two questions");
            for _ in 0..100 {
                assert!(checks.who(&credential).await.unwrap().is_some());
            }
            assert!(scripts().await - before <= 6, "what is known is not asked for, for a while");
            let revoked = Instant::now();
            plane.tokens().revoke(&name, "x").await.unwrap().unwrap();
            while checks.who(&credential).await.unwrap().is_some() {
                assert!(revoked.elapsed() < 2 * FRESH, "refused in time");
                tokio::time::sleep(FRESH / 20).await;
            }
            assert!(checks.lock().is_empty(), "nobody waits");
            let name = TokenName::parse("other").unwrap();
            let made =
                plane.tokens().create(&NewToken::new(name.clone(), Role::Agent, "x")).await.unwrap().unwrap();
            let credential = Credential::Bearer(made.token);
            assert!(checks.who(&credential).await.unwrap().is_some());
            plane.tokens().revoke(&name, "x").await.unwrap().unwrap();
            checks.forget();
            assert!(checks.who(&credential).await.unwrap().is_none(), "who revokes here is heard at once");
            // A check that was under way when everything was forgotten says what was true before.
            let caller = Arc::new(Caller::local("late"));
            checks.keep(&credential, (Instant::now(), 0), &Ok(Some(caller)));
            assert!(checks.who(&credential).await.unwrap().is_none(), "what was found before is not kept");
        })
        .await;
    }
}
