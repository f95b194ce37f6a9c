//! Taking a lock, and waiting for it.

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Result};
use tokio::time::{Instant, timeout};

use super::model::{Acquire, Grant, Request};
use super::rings::typed;
use super::together::{self, Taking};
use super::waker::Listening;
use super::{Locks, Resource, keys, millis};
use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Refusal};

/// How often a waiter looks by itself. A lapsed lock must reach it within a second without any message.
const LOOK: Duration = Duration::from_millis(600);
/// Of so many looks one walks as far as it takes for a ring. Whoever closes a ring looks at once; this is for one that died
/// before it could, and in a long line of waiting agents everybody has far to walk.
const SELDOM: usize = 16;

impl Locks<'_> {
    /// Takes a lock, waiting for it as long as the request says.
    pub async fn acquire(&self, wanted: &Request) -> Result<Outcome<Acquire>> {
        if wanted.wait.is_zero() || wanted.detach {
            let outcome = self.ask(wanted).await?;
            return self.durable(wanted, outcome).await;
        }
        // Listening first: the grant may come between the answer and the next line.
        let (listening, asked) = (self.plane.waker().await?.listen(&wanted.request), Instant::now());
        match self.ask(wanted).await? {
            Outcome::Done(Acquire::Queued { .. }) => self.wait(wanted, &listening, asked).await,
            other => self.durable(wanted, other).await,
        }
    }

    /// Takes several locks, all or none, in one order for everybody so that they cannot meet head on. While it waits for
    /// one, those it has are renewed.
    pub async fn acquire_all(&self, wanted: &[Request]) -> Result<Outcome<Vec<Acquire>>> {
        let mut sorted: Vec<&Request> = wanted.iter().collect();
        sorted.sort_by_key(|request| (request.on.lock_ref(), request.on.mode_text(request.mode)));
        fit_together(&sorted)?;
        let deadline = Instant::now() + wanted.iter().map(|request| request.wait).max().unwrap_or_default();
        let mut taken: Vec<(&Request, Grant)> = Vec::new();
        for request in sorted {
            // Whoever would wait is told that its time is over, and not that it is refused, though nothing is left of it.
            let least = request.wait.min(Duration::from_millis(1));
            let left = deadline.saturating_duration_since(Instant::now()).min(request.wait).max(least);
            let left = Request { wait: left, ..request.clone() };
            match self.keeping(&mut taken, self.acquire(&left)).await? {
                Outcome::Done(Acquire::Granted(grant)) => taken.push((request, grant)),
                other => {
                    self.give_back(&taken).await?;
                    return Ok(other.map(|verdict| vec![verdict]));
                }
            }
        }
        taken.sort_by_key(|(request, _)| wanted.iter().position(|own| own.request == request.request));
        Ok(Outcome::Done(taken.into_iter().map(|(_, grant)| Acquire::Granted(grant)).collect()))
    }

    /// Waits for a lock, and renews those that were taken before; one of them that is lost ends the wait.
    async fn keeping(
        &self,
        taken: &mut [(&Request, Grant)],
        asking: impl Future<Output = Result<Outcome<Acquire>>>,
    ) -> Result<Outcome<Acquire>> {
        let Some((first, _)) = taken.first() else { return asking.await };
        let mut beat = tokio::time::interval(self.renew_every(first.ttl).await?);
        beat.tick().await;
        let mut asking = std::pin::pin!(asking);
        loop {
            tokio::select! {
                outcome = &mut asking => return outcome,
                _ = beat.tick() => {}
            }
            for (request, grant) in taken.iter_mut() {
                match self.renew(&request.on, &request.agent, request.epoch, grant.fence, None).await {
                    Ok(Outcome::Done(renewed)) => grant.expires_at = renewed.expires_at,
                    Ok(Outcome::Refused(why)) => return Ok(Outcome::Refused(why)),
                    // Its end is still known, and the next round asks again.
                    Err(_) => {}
                }
            }
        }
    }

    /// What the agent had before stays its own.
    async fn give_back(&self, taken: &[(&Request, Grant)]) -> Result<()> {
        for (request, grant) in taken.iter().rev().filter(|(_, grant)| !grant.again) {
            self.release(&request.on, &request.agent, grant.fence).await?;
        }
        Ok(())
    }

    /// Gives up a place in the queue, or the hold that came of it.
    pub async fn cancel(&self, on: &Resource, request: &str) -> Result<()> {
        self.give_up(on, request, None, false).await.map(drop)
    }

    /// Gives up a place in the queue, of this agent if one is named. What the request was granted in the meantime stays, and
    /// the refusal says its token.
    pub async fn withdraw(
        &self,
        on: &Resource,
        request: &str,
        agent: Option<&AgentId>,
    ) -> Result<Outcome<()>> {
        let reply = self.give_up(on, request, agent, true).await?;
        Ok(match reply.first() {
            "cancelled" => Outcome::Done(()),
            "granted" => {
                Outcome::Refused(Refusal::new("already_granted", reply.word(1).map(ToOwned::to_owned)))
            }
            "unknown" => Outcome::Refused(Refusal::new("no_request", Some(request.to_owned()))),
            other => return Err(undecodable(other)),
        })
    }

    async fn give_up(
        &self,
        on: &Resource,
        request: &str,
        agent: Option<&AgentId>,
        keep: bool,
    ) -> Result<Reply> {
        check_request(request)?;
        let detect = self.plane.lock_settings().await?.detect;
        let args = [
            Arg::from(request),
            Arg::from(on.lock_ref()),
            Arg::from(agent.map(|agent| agent.as_key()).unwrap_or_default()),
            Arg::from(i64::from(keep)),
            Arg::from(i64::from(detect)),
            Arg::from(""),
        ];
        let store = self.plane.store().repeatable();
        store.run(&self.plane.lock_scripts().cancel, &keys::NONE, &args).await
    }

    async fn ask(&self, wanted: &Request) -> Result<Outcome<Acquire>> {
        check_request(&wanted.request)?;
        let settings = self.plane.lock_settings().await?;
        let ttl = settings.clamp(wanted.ttl.unwrap_or(settings.default_ttl));
        let process = match wanted.wait.is_zero() || wanted.detach {
            true => "-",
            false => self.plane.waker().await?.process(),
        };
        let more = format!(
            "{} {} {} {process} {}",
            millis(wanted.lock_delay),
            millis(wanted.wait),
            wanted.priority,
            i32::from(settings.detect)
        );
        let words = [
            wanted.request.clone(),
            wanted.on.lock_ref(),
            wanted.agent.as_key().to_owned(),
            wanted.epoch.map(|epoch| epoch.to_string()).unwrap_or_default(),
            wanted.on.mode_text(wanted.mode),
            millis(ttl).to_string(),
            settings.limit.to_string(),
            wanted.purpose.clone(),
            more,
        ];
        let keys = keys::acquire(self.plane.keys(), &wanted.on, &wanted.agent);
        let reply = together::acquire(self.plane, Taking { keys, words }).await?;
        self.judged(reply, wanted, true).await
    }

    async fn wait(
        &self,
        wanted: &Request,
        listening: &Listening,
        mut asked: Instant,
    ) -> Result<Outcome<Acquire>> {
        let mut place = GiveUp { locks: *self, wanted, armed: true };
        let (mut looks, mut again, until) = (0, false, Instant::now() + wanted.wait);
        loop {
            // A message only makes the next look come sooner, or brings what the look would find.
            let _ = self.plane.waits.for_what(timeout(LOOK, listening.woken())).await;
            // Who has asked again may still hear of what it was granted before and has lost, and who was stopped may have
            // lost what it hears of: they look.
            let told = listening.grant().filter(|_| !again && asked.elapsed() < 2 * LOOK);
            asked = Instant::now();
            let outcome = match told.and_then(|words| Grant::read(&words, &wanted.request)) {
                Some(grant) => Outcome::Done(Acquire::Granted(grant)),
                None => self.look(wanted, looks % SELDOM == 0, until, &mut again).await?,
            };
            if !matches!(outcome, Outcome::Done(Acquire::Queued { .. })) {
                place.armed = false;
                return self.durable(wanted, outcome).await;
            }
            if self.plane.waits.are_over() {
                self.cancel(&wanted.on, &wanted.request).await?;
                place.armed = false;
                return Ok(Outcome::Done(Acquire::TimedOut));
            }
            looks += 1;
        }
    }

    /// Who was silent for so long that it was passed over, and has time left, gets a new place.
    async fn look(
        &self,
        wanted: &Request,
        far: bool,
        until: Instant,
        again: &mut bool,
    ) -> Result<Outcome<Acquire>> {
        let detect = self.plane.lock_settings().await?.detect;
        let args = [
            Arg::from(wanted.request.as_str()),
            Arg::from(wanted.on.lock_ref()),
            Arg::from(wanted.agent.as_key()),
            Arg::from(wanted.epoch.map(|epoch| epoch.to_string()).unwrap_or_default()),
            Arg::from(i64::from(detect)),
        ];
        let store = self.plane.store().looping();
        let reply: Reply = store.run(&self.plane.lock_scripts().poll, &keys::NONE, &args).await?;
        let left = until.saturating_duration_since(Instant::now());
        if reply.first() == "gone" && !left.is_zero() {
            *again = true;
            return self.ask(&Request { wait: left, ..wanted.clone() }).await;
        }
        self.judged(reply, wanted, far).await
    }

    /// What the script decided. A walk that was too long for it is done here, if this is a look that goes far; the next one
    /// brings what came of it.
    async fn judged(&self, reply: Reply, wanted: &Request, far: bool) -> Result<Outcome<Acquire>> {
        let long = reply.first() == "queued" && reply.word(2) == Some("long");
        if long && far {
            self.unwind(wanted.agent.as_key(), true).await?;
        }
        verdict(reply, wanted)
    }

    /// A durable grant counts once a replica has it; without one it is given back.
    async fn durable(&self, wanted: &Request, outcome: Outcome<Acquire>) -> Result<Outcome<Acquire>> {
        let Outcome::Done(Acquire::Granted(grant)) = &outcome else { return Ok(outcome) };
        if !wanted.durable || self.plane.store().wait_replicas(1, Duration::from_secs(1)).await? >= 1 {
            return Ok(outcome);
        }
        // What the agent had before stays its own.
        if !grant.again {
            self.release(&wanted.on, &wanted.agent, grant.fence).await?;
        }
        Ok(Outcome::Refused(Refusal::new("not_durable", None)))
    }
}

fn check_request(request: &str) -> Result<()> {
    if request.is_empty() || !request.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Err(super::bad("a request id is made of letters, digits and -"));
    }
    Ok(())
}

/// A project and one of its areas are one lock, of which an agent has one or the other.
fn fit_together(sorted: &[&Request]) -> Result<()> {
    let clash = sorted.windows(2).find(|pair| {
        pair[0].on.lock_ref() == pair[1].on.lock_ref()
            && pair[0].on.mode_text(pair[0].mode) != pair[1].on.mode_text(pair[1].mode)
            && [pair[0], pair[1]].iter().any(|request| request.on.mode_text(request.mode) == "x")
    });
    match clash {
        Some(pair) => Err(super::bad(&format!("{} and {} cannot be taken together", pair[0].on, pair[1].on))),
        None => Ok(()),
    }
}

fn verdict(reply: Reply, wanted: &Request) -> Result<Outcome<Acquire>> {
    let (first, words) = match reply.split() {
        Ok(parts) => parts,
        Err(refusal) => return Ok(Outcome::Refused(refusal)),
    };
    let acquire = match first.as_str() {
        "granted" => Grant::read(&words, &wanted.request).map(Acquire::Granted),
        "queued" => words
            .first()
            .and_then(|place| place.parse().ok())
            .map(|position| Acquire::Queued { request: wanted.request.clone(), position }),
        "deadlock" => Some(Acquire::Deadlock { cycle: words.iter().map(|edge| typed(edge)).collect() }),
        "timed_out" | "gone" => Some(Acquire::TimedOut),
        _ => None,
    };
    acquire.map(Outcome::Done).ok_or_else(|| undecodable(&first))
}

/// A wait that is dropped, by a signal or a timeout of the caller's, gives up its place.
struct GiveUp<'a, 'p> {
    locks: Locks<'p>,
    wanted: &'a Request,
    armed: bool,
}

impl Drop for GiveUp<'_, '_> {
    fn drop(&mut self) {
        if !self.armed {
            return;
        }
        let (plane, on, request) =
            (self.locks.plane.clone(), self.wanted.on.clone(), self.wanted.request.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { plane.locks().cancel(&on, &request).await });
        }
    }
}
