//! The worker's one loop: start handlers, and say what became of them in the call that claims the next.
//!
//! A second call goes out beside the first when it is worth it, so that the server works while what the last call brought is
//! handed out.

use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::{BoxFuture, OptionFuture};
use futures_util::stream::FuturesUnordered;
use quorate_store::Result;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use super::crew::Crew;
use super::{Job, Report, Signal, register};
use crate::agents::DEFAULT_LEASE;
use crate::hall::{Found, LOOK, Place, Turn};
use crate::queues::{Claim, Claimed, MAX_BATCH, Nack, Nacked, Token};
use crate::{Outcome, Plane, Refusal};

/// What was acknowledged, how many were asked for, and what the store says.
type Answer = (Vec<Token>, usize, Result<Outcome<(Vec<usize>, Claimed)>>);
/// For a worker that is to finish what it has begun, however long that takes.
const ANY_TIME: Duration = Duration::from_secs(365 * 86_400);
/// After a fault of the store, so that a server that comes back is not stormed.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) async fn work<F, E>(
    plane: &Plane,
    mut claim: Claim,
    mut crew: Crew,
    handler: &(impl Fn(Job) -> F + Send + Sync),
    mut end: Signal,
    grace: Duration,
) -> Result<Report>
where
    F: Future<Output = std::result::Result<(), E>> + Send + 'static,
    E: Display,
{
    // Its place in line while there is nothing for it, and the call that it follows.
    let (mut place, mut called) = (None::<Place>, None::<Turn>);
    // The agent's own lease must outlast the time between two beats, and not only that of its items.
    let mut ticks = interval((claim.lease / 3).clamp(Duration::from_millis(20), DEFAULT_LEASE / 6));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut report = Report::default();
    let mut calls: FuturesUnordered<BoxFuture<'_, Answer>> = FuturesUnordered::new();
    let mut nacks: FuturesUnordered<BoxFuture<'_, bool>> = FuturesUnordered::new();
    let mut renewal: OptionFuture<BoxFuture<'_, Renewed>> = None.into();
    let (mut asked, mut renewing, mut rest, mut stop) = (0, false, None::<Instant>, None::<Instant>);
    let (mut ending, mut drain) = (false, None);
    loop {
        if stop.is_none() {
            crew.start(handler);
        }
        for (token, why) in std::mem::take(&mut crew.failed) {
            nacks.push(Box::pin(nack(plane, claim.clone(), token, why)));
        }
        let hungry = stop.is_none() && rest.is_none();
        let room = if hungry { crew.room().saturating_sub(asked).min(MAX_BATCH) } else { 0 };
        if calls.is_empty() && (room > 0 || !crew.done.is_empty()) || calls.len() == 1 && crew.is_worth(room)
        {
            calls.push(Box::pin(advance(plane, claim.clone(), crew.done_of_one_queue(), room)));
            asked += room;
        }
        if stop.is_some() && crew.is_idle() && calls.is_empty() && nacks.is_empty() {
            break;
        }
        tokio::select! {
            () = crew.next(), if crew.is_running() => {}
            Some((tokens, most, answer)) = calls.next() => {
                asked -= most;
                crew.said(tokens.len());
                let mut back = Vec::new();
                rest = absorb(answer, tokens, asked == 0, &mut crew, &mut report, &mut back);
                if stop.is_some() {
                    rest = None;
                    back.extend(crew.unbegun());
                }
                report.returned += give_back(plane, &claim, back).await;
                if let Some(refusal) = report.stopped.take() {
                    report.stopped = come_back(plane, &mut claim, refusal, stop.is_some()).await;
                }
                if let Some(turn) = called.take() {
                    turn.found(Found { items: usize::from(rest.is_none()), ..Found::default() });
                }
                place = match (place, rest) {
                    (None, Some(_)) => plane.queue_stands().take(plane, &claim.queues, None).await.ok(),
                    (kept, Some(_)) => kept,
                    (_, None) => None,
                };
            }
            Some(counted) = nacks.next() => report.failed += u64::from(counted),
            turn = its_turn(&mut place), if rest.is_some() && stop.is_none() => (called, rest) = (Some(turn), None),
            () = sleep_until(rest.unwrap_or_else(Instant::now)), if rest.is_some() => rest = None,
            _ = ticks.tick(), if !renewing => {
                renewal = Some(Box::pin(renew(plane, claim.clone(), crew.tokens())) as BoxFuture<'_, _>).into();
                renewing = true;
            }
            Some(renewed) = &mut renewal, if renewing => {
                renewing = false;
                report.stale += renewed.lost.len() as u64;
                crew.lose(&renewed.lost);
                if let Some(refusal) = renewed.refused {
                    report.stopped = come_back(plane, &mut claim, refusal, stop.is_some()).await;
                }
                if renewed.drain.is_some() && stop.is_none() {
                    (drain, stop) = (renewed.drain, Some(Instant::now() + ANY_TIME));
                    report.returned += give_back(plane, &claim, crew.unbegun()).await;
                }
            }
            () = &mut end, if !ending => {
                (ending, stop) = (true, Some(Instant::now() + grace));
                report.returned += give_back(plane, &claim, crew.unbegun()).await;
            }
            () = sleep_until(stop.unwrap_or_else(Instant::now)), if stop.is_some() && crew.is_running() => {
                report.returned += give_back(plane, &claim, crew.dismiss()).await;
            }
        }
        if report.stopped.is_some() {
            crew.dismiss();
            break;
        }
    }
    while nacks.next().await.is_some() {}
    if let (Some(why), None) = (drain, &report.stopped) {
        report.stopped = Some(Refusal::new("draining", Some(why)));
    }
    let _ = plane.agents().deregister(&claim.agent, claim.epoch).await;
    Ok(report)
}

/// Until a worker that waits is called; one that has no place, since the store was away, looks by itself.
async fn its_turn(place: &mut Option<Place>) -> Turn {
    match place {
        Some(place) => place.turn().await,
        None => std::future::pending().await,
    }
}

/// Takes in what a call brought, the last that is on its way or not; gives until when there is nothing to claim.
fn absorb(
    answer: Result<Outcome<(Vec<usize>, Claimed)>>,
    tokens: Vec<Token>,
    last: bool,
    crew: &mut Crew,
    report: &mut Report,
    back: &mut Vec<Vec<Token>>,
) -> Option<Instant> {
    match answer {
        Ok(Outcome::Done((stale, claimed))) => {
            report.stale += stale.len() as u64;
            report.done += (tokens.len() - stale.len()) as u64;
            let nothing = claimed.items.is_empty();
            let next = claimed.next.unwrap_or(LOOK).clamp(Duration::from_millis(1), LOOK);
            *back = crew.take(claimed.items, last);
            nothing.then(|| Instant::now() + next)
        }
        Ok(Outcome::Refused(refusal)) => {
            let busy = refusal.is("capacity") || refusal.is("draining") || refusal.is("wrong_type");
            crew.done.extend(tokens);
            report.stopped = (!busy).then_some(refusal);
            Some(Instant::now() + LOOK)
        }
        Err(_) => {
            crew.done.extend(tokens);
            Some(Instant::now() + PAUSE)
        }
    }
}

async fn advance(plane: &Plane, claim: Claim, done: Vec<Token>, most: usize) -> Answer {
    let queues = plane.queues();
    if most == 0 {
        let answer = queues.ack(&claim.agent, claim.epoch, &done).await;
        return (done, 0, answer.map(|outcome| outcome.map(|stale| (stale, Claimed::default()))));
    }
    let claim = Claim { most, ..claim };
    let answer = queues.complete_and_claim(&done, &claim).await;
    if answer.is_err() {
        tokio::time::sleep(PAUSE).await;
    }
    (done, most, answer)
}

/// Says that an attempt failed; whether that counted.
async fn nack(plane: &Plane, claim: Claim, token: Token, error: String) -> bool {
    let why = Nack { error, delay: None };
    for _ in 0..5 {
        match plane.queues().nack(&claim.agent, claim.epoch, &token, &why).await {
            Ok(outcome) => return !matches!(outcome, Outcome::Done(Nacked::Stale) | Outcome::Refused(_)),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
    false
}

/// Registers anew where the session is gone; any other refusal is the end. A worker that is to end anyway does not come back.
async fn come_back(plane: &Plane, claim: &mut Claim, refusal: Refusal, ending: bool) -> Option<Refusal> {
    if !refusal.is("unregistered") || ending {
        return Some(refusal);
    }
    match register(plane, &claim.agent).await {
        Ok(Outcome::Done(epoch)) => claim.epoch = Some(epoch),
        Ok(Outcome::Refused(refusal)) => return Some(refusal),
        // The store is away: the next call is refused again.
        Err(_) => {}
    }
    None
}

#[derive(Default)]
struct Renewed {
    lost: Vec<Token>,
    /// Why the agent may not go on: a worker whose handlers are all busy asks for nothing else, and hears it here.
    refused: Option<Refusal>,
    /// Why it is to finish what it has begun and take nothing new.
    drain: Option<String>,
}

/// A sign of life, and more time for everything that is held.
async fn renew(plane: &Plane, claim: Claim, held: Vec<Vec<Token>>) -> Renewed {
    let mut renewed = Renewed::default();
    match plane.agents().heartbeat(&claim.agent, claim.epoch).await {
        Ok(Outcome::Done(beat)) => renewed.drain = beat.drain,
        // A key that somebody spoiled is no reason to stop.
        Ok(Outcome::Refused(why)) => {
            renewed.refused =
                ["revoked", "stale_epoch", "unregistered"].contains(&why.code.as_str()).then_some(why);
        }
        Err(_) => {}
    }
    for tokens in held {
        let answer = plane.queues().extend(&claim.agent, claim.epoch, &tokens, claim.lease).await;
        if let Ok(Outcome::Done((stale, _))) = answer {
            // What was acknowledged while this was under way is no loss, and no longer held.
            renewed.lost.extend(stale.into_iter().filter_map(|place| tokens.get(place).cloned()));
        }
    }
    renewed
}

async fn give_back(plane: &Plane, claim: &Claim, held: Vec<Vec<Token>>) -> u64 {
    let mut count = 0;
    for tokens in held {
        if let Ok(Outcome::Done(own)) = plane.queues().give_back(&claim.agent, claim.epoch, &tokens).await {
            count += own;
        }
    }
    count
}
