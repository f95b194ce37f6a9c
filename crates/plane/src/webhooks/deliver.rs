//! From the queue to the receivers, some at once, each under its lease.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use quorate_catalog::ids::{AgentId, WebhookId};
use quorate_outgoing::{Address, Call, Failure};
use quorate_store::{Arg, Result};
use tokio::time::{Instant, sleep};

use super::envelope::Delivery;
use super::tired::Tired;
use super::{QUEUE, Secret, Tried, Webhook, gather, script};
use crate::agents::Registration;
use crate::outcome::Reply;
use crate::queues::{Claim, Item, Nack, Queue};
use crate::{Outcome, Plane};

/// Deliveries of one process at once.
pub(super) const AT_ONCE: usize = 32;
/// How long one has; a call takes at most a third of it.
const LEASE: Duration = Duration::from_secs(30);
/// How soon new events and due deliveries are looked for.
const LOOK: Duration = Duration::from_millis(200);
/// How soon after nothing was to be done, and after a fault.
const REST: Duration = Duration::from_secs(1);
const BEAT: Duration = Duration::from_secs(20);
/// The longest pause that a receiver can ask for.
const LONGEST: Duration = Duration::from_secs(3_600);

/// One process's part in telling others.
pub(super) struct Dispatcher<'p> {
    plane: &'p Plane,
    agent: AgentId,
    epoch: Option<u64>,
    beaten: Instant,
    tired: HashMap<String, Tired>,
}

type Sent = (String, Option<bool>);

impl<'p> Dispatcher<'p> {
    pub(super) fn new(plane: &'p Plane) -> Self {
        let name = format!("webhooks-{}", &crate::random_id()[..12]);
        let agent = AgentId::parse(&name).expect("an id");
        Self { plane, agent, epoch: None, beaten: Instant::now(), tired: HashMap::new() }
    }

    /// Works until the future is dropped. `say` hears of a fault when it begins and when it is over.
    pub(super) async fn run(mut self, say: &impl Fn(&str)) -> Infallible {
        let mut sending: FuturesUnordered<BoxFuture<'p, Sent>> = FuturesUnordered::new();
        let mut trouble: Option<String> = None;
        loop {
            let turn = self.turn(&mut sending, say).await;
            let (pause, fault) = match turn {
                Ok(pause) => (pause, None),
                Err(error) => (REST, Some(error.to_string())),
            };
            if fault != trouble {
                match &fault {
                    Some(what) => say(&format!("warning: webhooks: {what}; it is tried again")),
                    None => say("webhooks go on"),
                }
                trouble = fault;
            }
            let until = Instant::now() + pause;
            while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
            {
                tokio::select! {
                    Some(sent) = sending.next() => self.learn(sent),
                    () = sleep(left) => break,
                }
            }
        }
    }

    /// Takes new events and due deliveries; gives how long there is nothing to do.
    async fn turn(
        &mut self,
        sending: &mut FuturesUnordered<BoxFuture<'p, Sent>>,
        say: &impl Fn(&str),
    ) -> Result<Duration> {
        let hooks = self.plane.webhooks().ls().await?;
        let queue: Queue = QUEUE.parse().expect("a queue's name");
        if hooks.is_empty() && sending.is_empty() {
            // What was on its way to a webhook that is gone is still to be cleared away.
            let shown = self.plane.queues().show(&queue, 0).await?;
            if shown.depth + shown.delayed + shown.in_flight == 0 {
                return Ok(REST);
            }
        }
        let (taken, news) = gather::all(self.plane, &hooks, self.agent.as_key()).await?;
        news.iter().for_each(|text| say(&format!("warning: {text}")));
        self.appear().await?;
        let room = AT_ONCE - sending.len();
        let mut claimed = 0;
        if room > 0 {
            let claim = Claim {
                epoch: self.epoch,
                lease: LEASE,
                most: room,
                ..Claim::new(queue, self.agent.clone())
            };
            match self.plane.queues().claim(&claim).await? {
                Outcome::Done(got) => {
                    claimed = got.items.len();
                    for item in got.items {
                        sending.push(self.start(item));
                    }
                }
                // Its session is gone: the next turn makes a new one.
                Outcome::Refused(_) => self.epoch = None,
            }
        }
        let more = taken > 0 || (claimed > 0 && claimed == room);
        Ok(if more { Duration::ZERO } else { LOOK })
    }

    /// Whoever claims is an agent like any other, so that what it held passes on when it dies.
    async fn appear(&mut self) -> Result<()> {
        if self.epoch.is_some() {
            if self.beaten.elapsed() < BEAT {
                return Ok(());
            }
            let beat = self.plane.agents().heartbeat(&self.agent, self.epoch).await?;
            self.beaten = Instant::now();
            if beat.refusal().is_none() {
                return Ok(());
            }
        }
        let wanted =
            Registration { kind: Some("webhooks".to_owned()), ..Registration::new(self.agent.clone()) };
        let registered = self.plane.agents().register(&wanted).await?;
        self.beaten = Instant::now();
        self.epoch = match registered {
            Outcome::Done(registered) => Some(registered.epoch),
            Outcome::Refused(_) => None,
        };
        Ok(())
    }

    fn start(&mut self, item: Item) -> BoxFuture<'p, Sent> {
        let (plane, agent, epoch) = (self.plane, self.agent.clone(), self.epoch);
        let delivery = serde_json::from_slice::<Delivery>(&item.payload).ok();
        let hook = delivery.as_ref().map(|own| own.webhook.clone()).unwrap_or_default();
        let rest = self.tired.get_mut(&hook).and_then(|tired| tired.rest(Instant::now()));
        Box::pin(async move {
            if let Some(rest) = rest {
                // Its receiver failed often and is left alone for a while: that is no attempt.
                let token = std::slice::from_ref(&item.token);
                let _ = plane.queues().give_back_for(&agent, epoch, token, rest).await;
                return (hook, None);
            }
            let ended = match delivery {
                None => Err(("the item is no delivery".to_owned(), None)),
                Some(delivery) => send(plane, &delivery).await,
            };
            let told = Some(ended.is_ok());
            // If this fails the lease runs out, and the delivery is tried again.
            let _ = conclude(plane, &agent, epoch, &item, ended).await;
            (hook, told)
        })
    }

    fn learn(&mut self, (hook, taken): Sent) {
        match taken {
            Some(true) => drop(self.tired.remove(&hook)),
            Some(false) => self.tired.entry(hook).or_insert_with(Tired::new).failed(Instant::now()),
            None => {}
        }
    }
}

/// One attempt; why it failed, and how long the receiver wants to be left alone. A webhook that is gone is told nothing.
async fn send(plane: &Plane, delivery: &Delivery) -> std::result::Result<(), (String, Option<Duration>)> {
    let fault = |error: quorate_store::Error| (error.to_string(), None);
    let Ok(id) = WebhookId::parse(&delivery.webhook) else { return Ok(()) };
    let Some((webhook, secret)) = plane.webhooks().signed(&id).await.map_err(fault)? else {
        let there = plane.webhooks().show(&id).await.map_err(fault)?.is_some();
        return if there { Err(("the webhook has no secret to sign with".to_owned(), None)) } else { Ok(()) };
    };
    let (tried, wait) = call(plane, &webhook, &secret, delivery).await.map_err(fault)?;
    if tried.taken { Ok(()) } else { Err((tried.result, wait)) }
}

/// The same for one that is tried by hand.
pub(super) async fn attempt(
    plane: &Plane,
    webhook: &Webhook,
    secret: &Secret,
    delivery: &Delivery,
) -> Result<Tried> {
    Ok(call(plane, webhook, secret, delivery).await?.0)
}

async fn call(
    plane: &Plane,
    webhook: &Webhook,
    secret: &Secret,
    delivery: &Delivery,
) -> Result<(Tried, Option<Duration>)> {
    let now = plane.store().time().await?.millis() / 1_000;
    let request = Call::post(delivery.body.clone())
        .header("content-type", "application/cloudevents+json")
        .header("webhook-id", &delivery.id)
        .header("webhook-timestamp", &now.to_string())
        .header("webhook-signature", &secret.sign(&delivery.id, now, &delivery.body))
        // A receiver that took it and never ends its answer would be told again and again.
        .for_its_status();
    let answer = match webhook.url.parse::<Address>() {
        Ok(address) => plane.outgoing().send(&address, request).await,
        Err(_) => Err(Failure::Broken),
    };
    let wait = answer.as_ref().ok().and_then(|answer| answer.retry_after);
    let wait = wait.map(|seconds| Duration::from_secs(seconds).min(LONGEST));
    // What a stranger wrote is not repeated: its number says enough.
    let tried = match answer {
        Ok(answer) => Tried { taken: answer.is_success(), result: format!("HTTP {}", answer.status) },
        Err(failure) => Tried { taken: false, result: failure.to_string() },
    };
    let id = WebhookId::parse(&webhook.id).map_err(|_| super::bad("the webhook has no id"))?;
    let keys = [plane.keys().quorate().webhook(&id)];
    let args = [Arg::from(usize::from(tried.taken)), Arg::from(tried.result.as_str())];
    plane.store().run::<Reply>(&script::NOTE, &keys, &args).await?;
    Ok((tried, wait))
}

/// Says what became of an item. The pause after a failure is ours, or longer where the receiver asks for it.
async fn conclude(
    plane: &Plane,
    agent: &AgentId,
    epoch: Option<u64>,
    item: &Item,
    ended: std::result::Result<(), (String, Option<Duration>)>,
) -> Result<()> {
    let queues = plane.queues();
    match ended {
        Ok(()) => queues.ack(agent, epoch, std::slice::from_ref(&item.token)).await.map(drop),
        Err((error, wait)) => {
            let chance = u64::from_str_radix(&crate::random_id()[..8], 16).unwrap_or_default() % 1_001;
            let pause = plane.webhook_settings().await?.pause(item.attempt, chance);
            let why = Nack { error, delay: Some(wait.unwrap_or_default().max(pause)) };
            queues.nack(agent, epoch, &item.token, &why).await.map(drop)
        }
    }
}
