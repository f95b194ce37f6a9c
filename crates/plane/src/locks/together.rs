//! Locks that tasks of one process take and give back at the same time, in one script for all.
//!
//! The shared scripts do what is simple, which most of it is: a free lock, a release that nobody waits for. Whatever else a
//! call meets it meets alone, in the script that knows every case; a shared one has then done nothing for it. A call that
//! has no company goes that way at once. Sent again, a shared script changes nothing: what was taken is held, under the id of
//! the request that took it, and what was given back is released.

use std::sync::Arc;

use quorate_catalog::Key;
use quorate_store::{Arg, Result};

use crate::Plane;
use crate::coalesce::{Coalesce, ended, shared};
use crate::outcome::Reply;

/// Calls of one kind that are on their way at once, and the most that go together.
const WIDTH: usize = 2;
const MOST: usize = 64;

/// What is under way in this process.
#[derive(Debug)]
pub(crate) struct Together {
    taking: Arc<Coalesce<Arc<Taking>, Result<Option<Reply>>>>,
    giving: Arc<Coalesce<Arc<Giving>, Result<Option<Reply>>>>,
}

impl Default for Together {
    fn default() -> Self {
        Self { taking: Arc::new(Coalesce::new(WIDTH, MOST)), giving: Arc::new(Coalesce::new(WIDTH, MOST)) }
    }
}

/// The keys and the arguments of `acquire.lua`.
#[derive(Debug)]
pub(super) struct Taking {
    pub(super) keys: [Key; 5],
    pub(super) words: [String; 9],
}

/// The keys and the arguments of `release.lua`.
#[derive(Debug)]
pub(super) struct Giving {
    pub(super) keys: [Key; 2],
    pub(super) words: [String; 5],
}

pub(super) async fn acquire(plane: &Plane, call: Taking) -> Result<Reply> {
    // What is done in the name of a request goes with nobody else's.
    if !call.is_simple() || plane.store().is_enveloped() {
        return call.alone(plane).await;
    }
    // Who asks keeps it, in case it has to go alone: a copy would be fourteen texts.
    let (own, call) = (plane.clone(), Arc::new(call));
    let together =
        plane.locks_together().taking.ask(Arc::clone(&call), move |calls| take(own.clone(), calls));
    match together.await.unwrap_or_else(|| Err(ended("locks")))? {
        Some(reply) => Ok(reply),
        None => call.alone(plane).await,
    }
}

pub(super) async fn release(plane: &Plane, call: Giving) -> Result<Reply> {
    if plane.store().is_enveloped() {
        return call.alone(plane).await;
    }
    let (own, call) = (plane.clone(), Arc::new(call));
    let together =
        plane.locks_together().giving.ask(Arc::clone(&call), move |calls| give(own.clone(), calls));
    match together.await.unwrap_or_else(|| Err(ended("locks")))? {
        Some(reply) => Ok(reply),
        None => call.alone(plane).await,
    }
}

async fn take(plane: Plane, calls: Vec<Arc<Taking>>) -> Vec<Result<Option<Reply>>> {
    if let [call] = &calls[..] {
        return vec![call.alone(&plane).await.map(Some)];
    }
    let places = calls.iter().map(|call| &call.keys[3]).chain(calls.iter().map(|call| &call.keys[2]));
    let wishes: Vec<Arg<'_>> = calls.iter().map(|call| Arg::from(call.wish())).collect();
    let places: Vec<_> = places.collect();
    shared(plane.store(), &plane.lock_scripts().take, &places, &wishes, calls.len()).await
}

async fn give(plane: Plane, calls: Vec<Arc<Giving>>) -> Vec<Result<Option<Reply>>> {
    if let [call] = &calls[..] {
        return vec![call.alone(&plane).await.map(Some)];
    }
    let places = calls.iter().map(|call| &call.keys[1]).chain(calls.iter().map(|call| &call.keys[0]));
    let wishes: Vec<Arg<'_>> = calls.iter().map(|call| Arg::from(call.words[..3].join(" "))).collect();
    let places: Vec<_> = places.collect();
    shared(plane.store(), &plane.lock_scripts().give, &places, &wishes, calls.len()).await
}

impl Taking {
    /// Whether it could be as simple as `take.lua` is: for itself alone, without lock delay, and without a limit.
    fn is_simple(&self) -> bool {
        let [_, _, _, _, mode, _, limit, _, more] = &self.words;
        mode == "x" && limit == "0" && more.starts_with("0 ")
    }

    fn wish(&self) -> String {
        let [request, lock, agent, epoch, _, ttl, _, purpose, _] = &self.words;
        let epoch = if epoch.is_empty() { "-" } else { epoch };
        format!("{request} {lock} {agent} {epoch} {ttl} {purpose}")
    }

    async fn alone(&self, plane: &Plane) -> Result<Reply> {
        let args = self.words.each_ref().map(Arg::from);
        plane.store().run(&plane.lock_scripts().acquire, &self.keys, &args).await
    }
}

impl Giving {
    /// The script remembers its last release, so a repeated call is told it was done.
    async fn alone(&self, plane: &Plane) -> Result<Reply> {
        let args = self.words.each_ref().map(Arg::from);
        plane.store().repeatable().run(&plane.lock_scripts().release, &self.keys, &args).await
    }
}
