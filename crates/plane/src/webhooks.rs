//! Telling others what happened: events as signed HTTP calls to addresses outside.
//!
//! The group `webhook-dispatcher` reads the streams, as ade has it. For each event and each webhook that is to hear of it
//! one item is put on the queue `job:webhooks`, under a key, before the event is acknowledged; whoever dies in between
//! leaves the event to the next process, and the key makes it one item. From then on a delivery is an item like any other:
//! claimed under a lease, tried again after growing pauses, and a dead letter after the last attempt, which
//! `dead replay` sends again. Any number of processes may do both.
//!
//! A delivery may arrive twice and out of order. It has the same id each time, and the signature of Standard Webhooks.

mod deliver;
mod envelope;
mod fsck;
mod gather;
mod model;
mod script;
mod settings;
mod sign;
mod tired;

use std::collections::HashMap;

use quorate_catalog::Key;
use quorate_catalog::ids::WebhookId;
use quorate_store::{Arg, Error, ErrorKind, Result, cmd, pipe};
use sha2::{Digest, Sha256};

use crate::events::Stream;
use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane, Refusal};
use deliver::Dispatcher;
pub use fsck::invariants;
pub use model::{Added, MAX_PATTERNS, NewWebhook, Pattern, Removed, Tried, USUAL, Webhook};
pub use quorate_outgoing::Address;
pub(crate) use settings::Settings;
pub use sign::{PREFIX, Secret};

/// The group that reads for all webhooks.
pub const GROUP: &str = "webhook-dispatcher";
/// The queue on which deliveries wait.
pub const QUEUE: &str = "job:webhooks";
/// Most webhooks of one deployment.
const MOST: u32 = 100;
/// The streams a webhook may be told of.
const STREAMS: [Stream; 4] = [USUAL[0], USUAL[1], USUAL[2], Stream::All];

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Webhooks<'p> {
    plane: &'p Plane,
    request: Option<&'p str>,
}

impl<'p> Webhooks<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, request: None }
    }

    /// The same for a call that has a name: however often it is made, it has one effect.
    #[must_use]
    pub fn asked(self, request: Option<&'p str>) -> Self {
        Self { request, ..self }
    }

    /// Makes a webhook, if its address may be called. It is told of what happens from now on.
    pub async fn add(&self, wanted: &NewWebhook) -> Result<Outcome<Added>> {
        let streams = check(wanted)?;
        if let Err(denied) = self.plane.outgoing().guard().register(&wanted.url).await {
            return Ok(Outcome::Refused(Refusal::new("url_denied", Some(denied.to_string()))));
        }
        let request = self.request.map_or_else(crate::random_id, str::to_owned);
        let id = id_of(&request);
        let secret = wanted.secret.clone().unwrap_or_else(Secret::new);
        let events = match &wanted.events[..] {
            [] => "*".to_owned(),
            some => some.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        };
        let args = [
            Arg::from(id.as_key()),
            Arg::from(request),
            Arg::from(wanted.url.as_str()),
            Arg::from(events),
            Arg::from(streams),
            Arg::from(wanted.by.as_str()),
            Arg::from(secret.reveal()),
            Arg::from(MOST),
        ];
        // The id is the request's, so a second delivery finds what the first one made.
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&script::ADD, &self.keys(&id), &args).await?;
        if let Outcome::Refused(refusal) = reply.expect("added")? {
            return Ok(Outcome::Refused(refusal));
        }
        // A repeated call made another secret, and the first one counts.
        let Some((webhook, secret)) = self.signed(&id).await? else {
            return Ok(Outcome::Refused(Refusal::new("no_webhook", Some(id.to_string()))));
        };
        Ok(Outcome::Done(Added { webhook, secret }))
    }

    /// Every webhook, the oldest first.
    pub async fn ls(&self) -> Result<Vec<Webhook>> {
        let mut range = cmd("ZRANGE");
        range.arg(self.plane.keys().quorate().webhook_list().as_str()).arg(0).arg(-1);
        let ids: Vec<String> = self.plane.store().query(&range).await?;
        let ids: Vec<WebhookId> = ids.iter().filter_map(|id| WebhookId::parse(id).ok()).collect();
        if ids.is_empty() {
            return Ok(vec![]);
        }
        let mut all = pipe();
        for id in &ids {
            all.cmd("HGETALL").arg(self.plane.keys().quorate().webhook(id).as_str());
        }
        let found: Vec<HashMap<String, String>> = self.plane.store().pipeline(&all).await?;
        Ok(ids.iter().zip(&found).filter_map(|(id, fields)| Webhook::read(id, fields)).collect())
    }

    pub async fn show(&self, id: &WebhookId) -> Result<Option<Webhook>> {
        let key = self.plane.keys().quorate().webhook(id);
        let fields: HashMap<String, String> =
            self.plane.store().query(cmd("HGETALL").arg(key.as_str())).await?;
        Ok(Webhook::read(id, &fields))
    }

    /// Removes a webhook. What was on its way is not sent any more. After the last one nothing is kept for the group.
    pub async fn rm(&self, id: &WebhookId) -> Result<Outcome<Removed>> {
        let own = self.plane.keys().quorate();
        let [hook, secret, list] = self.keys(id);
        let keys = [hook, secret, list, own.webhook_answers()];
        let request = self.request.map_or_else(crate::random_id, str::to_owned);
        let args = [Arg::from(id.as_key()), Arg::from(request)];
        let reply: Reply = self.plane.store().run(&script::RM, &keys, &args).await?;
        let words = match reply.expect("removed")? {
            Outcome::Done(words) => words,
            Outcome::Refused(refusal) => return Ok(Outcome::Refused(refusal)),
        };
        let [url, left] = &words[..] else { return Err(undecodable("removed")) };
        if left == "0" {
            // A webhook that comes meanwhile loses nothing: the group is made again from the moment it was added.
            for group in self.plane.events().groups(None).await?.iter().filter(|group| group.group == GROUP) {
                if let Ok(stream) = group.stream.parse() {
                    self.plane.events().drop_group(stream, GROUP).await?;
                }
            }
        }
        Ok(Outcome::Done(Removed { id: id.to_string(), url: url.clone() }))
    }

    /// Sends a delivery that says nothing, now and once, so that a receiver can be tried.
    pub async fn test(&self, id: &WebhookId) -> Result<Outcome<Tried>> {
        let Some((webhook, secret)) = self.signed(id).await? else {
            return Ok(Outcome::Refused(Refusal::new("no_webhook", Some(id.to_string()))));
        };
        let delivery = envelope::trial(&webhook.id, &self.plane.new_name(), self.plane.store().time().await?);
        deliver::attempt(self.plane, &webhook, &secret, &delivery).await.map(Outcome::Done)
    }

    /// Tells others what happens, as one of any number of processes, until the future is dropped.
    pub async fn dispatch(&self, say: &impl Fn(&str)) -> std::convert::Infallible {
        Dispatcher::new(self.plane).run(say).await
    }

    /// A webhook with what signs for it.
    async fn signed(&self, id: &WebhookId) -> Result<Option<(Webhook, Secret)>> {
        let [hook, secret, _] = self.keys(id);
        let mut both = pipe();
        both.cmd("HGETALL").arg(hook.as_str());
        both.cmd("GET").arg(secret.as_str());
        let (fields, secret): (HashMap<String, String>, Option<String>) =
            self.plane.store().pipeline(&both).await?;
        let secret = secret.and_then(|text| Secret::parse(&text).ok());
        Ok(Webhook::read(id, &fields).zip(secret))
    }

    fn keys(&self, id: &WebhookId) -> [Key; 3] {
        let own = self.plane.keys().quorate();
        [own.webhook(id), own.webhook_secret(id), own.webhook_list()]
    }
}

/// One webhook for one request.
fn id_of(request: &str) -> WebhookId {
    let digest = hex::encode(Sha256::digest(request));
    WebhookId::parse(&format!("wh-{}", &digest[..16])).expect("an id")
}

/// The streams' names, if everything about it can be written down.
fn check(wanted: &NewWebhook) -> Result<String> {
    if wanted.by.is_empty() || wanted.by.len() > 256 {
        return Err(bad("who makes it has from 1 to 256 bytes"));
    }
    if wanted.events.len() > MAX_PATTERNS {
        return Err(bad("a webhook names at most 32 events; use a final * for many"));
    }
    let streams = if wanted.streams.is_empty() { &USUAL[..] } else { &wanted.streams[..] };
    if !streams.iter().all(|stream| STREAMS.contains(stream)) {
        return Err(bad("a webhook is told of task, approval, lock or all"));
    }
    let mut names: Vec<String> = streams.iter().map(ToString::to_string).collect();
    names.sort();
    names.dedup();
    Ok(names.join(" "))
}

fn bad(what: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "webhooks", what)
}
