//! Where an id is looked for, one function for each noun.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::{
    AgentId, DeadLetterId, JobId, LogServiceId, MessageId, ServiceId, TaskId, ThreadId, WebhookId, WorkflowId,
};
use quorate_plane::dead_letters::{Filter, Letter};
use quorate_plane::locks::Resource;
use quorate_plane::messages::Place;
use quorate_plane::queues::{Queue, Token};
use quorate_plane::{Outcome, trail};

use super::Found;
use crate::keys::which;
use crate::{Call, Fault, Level};

type Look<'a> = BoxFuture<'a, Result<Vec<Found>, Fault>>;

/// Of how many queues the claims are looked through, and how many of each.
const QUEUES: usize = 50;
const CLAIMS: usize = 200;
/// As long as a fingerprint is.
const FINGERPRINT: usize = 16;
/// As long as the id of a request is, where nobody chose one: hexadecimal, or with dashes.
const REQUEST: std::ops::RangeInclusive<usize> = 32..=36;
/// Of how many records of the trail the request is compared.
const RECORDS: usize = 1_000;

/// Every place where the caller may look.
pub(super) fn looks<'a>(call: &'a Call, q: &'a str) -> Vec<Look<'a>> {
    let mut all: Vec<Look<'a>> = Vec::new();
    let mut add = |noun: &str, level: Level, look: Look<'a>| {
        if call.may(noun, level) {
            all.push(look);
        }
    };
    add("agents", Level::Read, Box::pin(agent(call, q)));
    add("locks", Level::Read, Box::pin(locks(call, q)));
    add("tasks", Level::Read, Box::pin(task(call, q)));
    add("workflows", Level::Read, Box::pin(workflows(call, q)));
    add("queues", Level::Read, Box::pin(queue(call, q)));
    add("queues", Level::Read, Box::pin(item(call, q)));
    add("dead", Level::Read, Box::pin(dead(call, q)));
    add("dead", Level::Read, Box::pin(failure(call, q)));
    add("messages", Level::Read, Box::pin(messages(call, q)));
    add("jobs", Level::Read, Box::pin(job(call, q)));
    add("services", Level::Read, Box::pin(service(call, q)));
    add("webhooks", Level::Read, Box::pin(webhook(call, q)));
    add("logs", Level::Read, Box::pin(log(call, q)));
    add("audit", Level::Operate, Box::pin(request(call, q)));
    add("tokens", Level::Admin, Box::pin(token(call, q)));
    add("keys", Level::Read, Box::pin(key(call, q)));
    all
}

fn one(found: Option<Found>) -> Result<Vec<Found>, Fault> {
    Ok(found.into_iter().collect())
}

async fn agent(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let Ok(id) = AgentId::parse(q) else { return Ok(vec![]) };
    let found = call.plane.agents().show(&id).await?;
    one(found.map(|agent| Found::new("agents", q, format!("an agent, {}", said(&agent.label)))))
}

/// A lock by its whole name, or by the name alone.
async fn locks(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let mut all = Vec::new();
    for name in
        [q.to_owned(), format!("name:{q}"), format!("task:{q}"), format!("file:{q}"), format!("project:{q}")]
    {
        let Ok(resource) = name.parse::<Resource>() else { continue };
        let shown = call.plane.locks().show(&resource, 0).await?;
        let what = match (shown.holders.as_slice(), shown.waiting) {
            ([], 0) => continue,
            ([], waiting) => format!("a lock that nobody holds, {waiting} waiting"),
            ([holder], waiting) => format!("a lock that {} holds, {waiting} waiting", holder.agent),
            (several, waiting) => format!("a lock with {} holders, {waiting} waiting", several.len()),
        };
        all.push(Found::new("locks", &name, what));
    }
    Ok(all)
}

async fn task(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let Ok(id) = TaskId::parse(q) else { return Ok(vec![]) };
    let found = call.plane.tasks().show(&id).await?;
    one(found.map(|task| {
        let status = task.status.unwrap_or_else(|| "without a status".to_owned());
        Found::new("tasks", q, format!("a task, {status}"))
    }))
}

/// A run by its task, and a workflow by its name.
async fn workflows(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let mut all = Vec::new();
    if let Ok(id) = TaskId::parse(q)
        && let Some(run) = call.plane.workflows().run(&id).await?
    {
        let what = format!("a run of {}, {}", run.workflow, run.state);
        all.push(Found::at("workflows", q, what, &["workflows", "runs", q]));
    }
    if let Ok(name) = WorkflowId::parse(q)
        && let Some(workflow) = call.plane.workflows().show(&name, None).await?
    {
        all.push(Found::new("workflows", q, format!("a workflow, version {}", workflow.version)));
    }
    Ok(all)
}

async fn queue(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let known = call.plane.queues().known().await?;
    let fits = |queue: &&Queue| queue.name() == q || queue.name().strip_prefix("job:") == Some(q);
    let Some(queue) = known.iter().find(fits) else { return Ok(vec![]) };
    let shown = call.plane.queues().show(queue, 0).await?;
    let what = format!("a queue, {} waiting, {} in work", shown.depth, shown.in_flight);
    one(Some(Found::new("queues", &queue.name(), what)))
}

/// An item that somebody works on, by its id or its claim's token. One that waits is found by nobody but its worker.
async fn item(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let token = q.parse::<Token>().ok();
    let mut queues = call.plane.queues().known().await?;
    queues.truncate(QUEUES);
    for queue in queues {
        if token.as_ref().is_some_and(|_| !q.starts_with(&format!("{}.", queue.name()))) {
            continue;
        }
        let shown = call.plane.queues().show(&queue, CLAIMS).await?;
        let fits = |id: &str| id == q || (token.is_some() && q.split('.').any(|part| part == id));
        if let Some(claim) = shown.claims.iter().find(|claim| fits(&claim.id)) {
            let what = format!("an item of {}, attempt {} by {}", queue.name(), claim.attempt, claim.agent);
            return one(Some(Found::at("queues", &claim.id, what, &["queues", &queue.name()])));
        }
    }
    Ok(vec![])
}

async fn dead(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let Ok(id) = DeadLetterId::parse(q) else { return Ok(vec![]) };
    let found = call.plane.dead_letters().show(&id).await?;
    one(found
        .map(|letter| Found::new("dead", q, format!("a dead letter of {}, {}", letter.source, letter.state))))
}

/// What letters have in common, by its fingerprint.
async fn failure(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    if q.len() != FINGERPRINT || !q.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(vec![]);
    }
    let filter = Filter { cluster: Some(q.to_owned()), limit: 1, ..Filter::default() };
    let newest = call.plane.dead_letters().list(&filter).await?.pop();
    let what = |letter: Letter| format!("a failure: {}", letter.reason.chars().take(80).collect::<String>());
    one(newest.map(|letter| Found::at("dead", q, what(letter), &["dead", "clusters", q])))
}

/// The logs of a service.
async fn log(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let Ok(id) = LogServiceId::parse(q) else { return Ok(vec![]) };
    let records = call.plane.logs().records(&id).await?;
    let what = format!("a service that logs, {records} records");
    one((records > 0).then(|| Found::at("logs", q, what, &["events", "logs", q])))
}

/// What a request changed, by the id that its answer had; among the latest changes.
async fn request(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    if !REQUEST.contains(&q.len()) || !q.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') {
        return Ok(vec![]);
    }
    let filter = trail::Filter { limit: RECORDS, ..trail::Filter::default() };
    let page = call.plane.trail().ls(&filter).await?;
    let found = page.records.iter().find(|record| record.request == q);
    one(found.map(|record| {
        let what = format!("a request: {} by {}", record.action, record.who);
        Found::at("audit", q, what, &["audit", &record.id])
    }))
}

/// A message or a thread; a caller that is bound to an agent finds what that agent takes part in.
async fn messages(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let mut all = Vec::new();
    let message = MessageId::parse(q).ok().map(Place::One);
    let thread = ThreadId::parse(q).ok().map(Place::Thread);
    for place in [message, thread].into_iter().flatten() {
        let own = call.plane.messages().history(&place, 100).await?;
        let takes_part =
            own.iter().any(|one| [&one.from, &one.to].into_iter().flatten().any(|name| call.acts_for(name)));
        let Some(newest) = own.first().filter(|_| call.bound.is_none() || takes_part) else { continue };
        let (from, to) = (newest.from.as_deref().unwrap_or("?"), newest.to.as_deref().unwrap_or("?"));
        all.push(match place {
            Place::One(_) => Found::new("messages", q, format!("a message from {from} to {to}")),
            _ => Found::at(
                "messages",
                q,
                format!("a thread, last from {from} to {to}"),
                &["messages", "threads", q],
            ),
        });
    }
    Ok(all)
}

async fn job(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let Ok(id) = JobId::parse(q) else { return Ok(vec![]) };
    let found = call.plane.jobs().show(&id, 0).await?;
    one(found.map(|job| Found::new("jobs", q, format!("a job, {}", job.state))))
}

async fn service(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let Ok(id) = ServiceId::parse(q) else { return Ok(vec![]) };
    let Outcome::Done(own) = call.plane.services().health(&id).await? else { return Ok(vec![]) };
    one(Some(Found::new("services", q, format!("a service, {}", said(&own.overall_status)))))
}

async fn webhook(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let Ok(id) = WebhookId::parse(q) else { return Ok(vec![]) };
    let found = call.plane.webhooks().show(&id).await?;
    one(found.map(|hook| Found::new("webhooks", q, format!("a webhook for {}", hook.events.join(", ")))))
}

async fn token(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let mut all = call.plane.tokens().ls().await?.into_iter();
    let found = all.find(|token| token.name == q || token.id == q);
    one(found
        .map(|token| Found::new("tokens", &token.name, format!("a token of the role {}", said(&token.role)))))
}

/// The family of a key, whether or not the key is there.
async fn key(call: &Call, q: &str) -> Result<Vec<Found>, Fault> {
    let Ok(found) = which(call.plane.keys(), q.as_bytes()) else { return Ok(vec![]) };
    let family = format!("{}.{}", found.system, found.family);
    one(Some(Found::at("keys", q, format!("a key of {family}"), &["keys", &family])))
}

/// A word as documents have it.
fn said(word: &impl serde::Serialize) -> String {
    serde_json::to_value(word).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}
