//! For every verb that changes something: an input that works, and what must be there before it.

use quorate_plane::Plane;
use quorate_verbs::{Call, Entry, Verdict};
use serde_json::{Map, Value, json};

/// Asks by name, as somebody who may do everything and whose calls leave no trace.
pub(crate) struct Stage {
    pub(crate) plane: Plane,
    entries: Vec<Entry>,
}

impl Stage {
    pub(crate) async fn new(plane: &Plane) -> Self {
        let stage = Self { plane: plane.clone(), entries: quorate_verbs::all() };
        for agent in ["w1", "w2"] {
            stage.done("agents.register", json!({ "agent": agent, "lease": "1h" })).await;
        }
        stage
    }

    pub(crate) fn changing(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.about.changes())
    }

    pub(crate) fn entry(&self, action: &str) -> &Entry {
        self.entries.iter().find(|entry| entry.about.action() == action).expect("a verb")
    }

    pub(crate) async fn done(&self, action: &str, input: Value) -> Value {
        let call = Call::new(self.plane.clone(), "stage");
        match self.entry(action).run(call, fields(&input)).await {
            Ok(Verdict::Done(answer)) => answer,
            other => panic!("{action} {input}: {other:?}"),
        }
    }

    /// An input with which the verb has an effect; `n` is another one for each call.
    pub(crate) async fn input(&self, action: &str, n: usize) -> Value {
        match action.split_once('.').expect("noun.verb").0 {
            "agents" => self.agents(action, n).await,
            "locks" => self.locks(action, n).await,
            "queues" => self.queues(action, n).await,
            "dead" => self.dead(action, n).await,
            "messages" => self.messages(action, n).await,
            "events" | "observations" => self.streams(action, n).await,
            "tasks" => self.tasks(action, n).await,
            "workflows" => self.workflows(action, n).await,
            "services" => self.services(action, n).await,
            _ => self.others(action, n).await,
        }
    }

    async fn agents(&self, action: &str, n: usize) -> Value {
        let agent = format!("a{n}-{}", action.replace('.', "-"));
        let epoch = match action {
            "agents.register" => return json!({ "agent": agent, "role": "build", "lease": "1h" }),
            _ => {
                self.done("agents.register", json!({ "agent": agent, "lease": "1h" })).await["epoch"].clone()
            }
        };
        if action == "agents.lift" {
            self.done("agents.revoke", json!({ "agent": agent, "ban": "for a test" })).await;
        }
        match action {
            "agents.update" => json!({ "agent": agent, "epoch": epoch, "task": format!("task {n}") }),
            "agents.revoke" => json!({ "agent": agent, "ban": "for a test" }),
            "agents.drain" => json!({ "agent": agent, "reason": "noon" }),
            _ => json!({ "agent": agent }),
        }
    }

    async fn locks(&self, action: &str, n: usize) -> Value {
        let lock = format!("name:l{n}-{}", action.replace('.', "-"));
        match action {
            "locks.acquire" => json!({ "lock": lock, "agent": "w1", "ttl": "1h" }),
            "locks.break" => json!({}),
            "locks.cancel" => {
                self.done("locks.acquire", json!({ "lock": lock, "agent": "w1", "ttl": "1h" })).await;
                let wanted = json!({ "lock": lock, "agent": "w2", "wait": "1h", "detach": true });
                let queued = self.done("locks.acquire", wanted).await;
                json!({ "lock": lock, "request": queued["request"] })
            }
            "locks.steal" => json!({ "lock": lock, "agent": "w1", "owner": "nobody" }),
            _ => {
                let taken =
                    self.done("locks.acquire", json!({ "lock": lock, "agent": "w1", "ttl": "1h" })).await;
                let token = &taken["token"];
                match action {
                    "locks.guard" => {
                        json!({ "lock": lock, "token": token, "write": ["APPEND", format!("guarded-{n}"), "x"] })
                    }
                    _ => json!({ "lock": lock, "agent": "w1", "token": token }),
                }
            }
        }
    }

    async fn queues(&self, action: &str, n: usize) -> Value {
        let queue = format!("job:q{n}-{}", action.replace('.', "-"));
        match action {
            "queues.push" => return json!({ "queue": queue, "payload": "x" }),
            "queues.pause" => return json!({ "queue": queue }),
            "queues.resume" => {
                self.done("queues.pause", json!({ "queue": queue })).await;
                return json!({ "queue": queue });
            }
            _ => {}
        }
        for payload in ["one", "two"] {
            self.done("queues.push", json!({ "queue": queue, "payload": payload })).await;
        }
        if action == "queues.claim" {
            return json!({ "queue": queue, "agent": "w1", "lease": "1h" });
        }
        let claimed =
            self.done("queues.claim", json!({ "queue": queue, "agent": "w1", "lease": "1h" })).await;
        let token = &claimed["items"][0]["token"];
        match action {
            "queues.nack" => json!({ "token": token, "agent": "w1", "error": "no route", "delay": "1h" }),
            "queues.extend" => json!({ "token": token, "agent": "w1", "lease": "2h" }),
            _ => json!({ "token": token, "agent": "w1" }),
        }
    }

    async fn dead(&self, action: &str, n: usize) -> Value {
        let record = |id: &str| json!({ "record": { "dlq_id": id, "queue_name": "tasks.dlq", "retry_queue_name": "tasks", "reason": "timeout", "body": { "n": n } } });
        let id = format!("d{n}-{}", action.replace('.', "-"));
        match action {
            "dead.keep" => return record(&id),
            "dead.retry" | "dead.review" | "dead.delete" => {
                self.done("dead.keep", record(&id)).await;
                return json!({ "dlq_id": id, "reason": "by hand", "note": "seen", "queue": "tasks" })
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter(|(name, _)| self.entry(action).field(name).is_some())
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect::<Map<_, _>>()
                    .into();
            }
            _ => {}
        }
        let queue = format!("job:dead{n}-{}", action.replace('.', "-"));
        self.done("queues.push", json!({ "queue": queue, "payload": "x", "max_attempts": 1 })).await;
        let claimed = self.done("queues.claim", json!({ "queue": queue, "agent": "w1" })).await;
        let token = &claimed["items"][0]["token"];
        let letter =
            self.done("queues.nack", json!({ "token": token, "agent": "w1", "error": "no route" })).await;
        let id = letter["letter"].as_str().or(letter["id"].as_str()).expect("a letter").to_owned();
        match action {
            "dead.replay" => json!({ "ids": [id] }),
            "dead.drop" => json!({ "id": id, "reason": "by hand" }),
            "dead.investigate" => json!({ "id": id, "note": "the disk" }),
            _ => json!({ "id": id }),
        }
    }

    async fn messages(&self, action: &str, n: usize) -> Value {
        let to = format!("m{n}-{}", action.replace('.', "-"));
        self.done("agents.register", json!({ "agent": to, "role": to, "lease": "1h" })).await;
        let send = json!({ "to": to, "from": "w1", "text": "hello" });
        match action {
            "messages.send" => send,
            "messages.broadcast" => json!({ "from": "w1", "text": "hello", "role": to }),
            _ => {
                let id = self.done("messages.send", send).await["id"].clone();
                match action {
                    "messages.read" => json!({ "agent": to }),
                    _ => json!({ "agent": to, "messages": [id] }),
                }
            }
        }
    }

    async fn streams(&self, action: &str, n: usize) -> Value {
        let (group, event) =
            (format!("g{n}"), json!({ "stream": "all", "event": "e", "payload": { "n": n } }));
        let observed = json!({ "content": format!("seen {n} {action}"), "topic": "t" });
        match action {
            "events.publish" => return event,
            "observations.submit" => return observed,
            _ => {}
        }
        if action.starts_with("events.") {
            self.done("events.publish", event).await;
            let read = json!({ "stream": "all", "group": group, "consumer": "c" });
            if action == "events.read" {
                return read;
            }
            let batch = self.done("events.read", read).await;
            return match action {
                "events.forget" => json!({ "stream": "all", "group": group }),
                _ => {
                    json!({ "stream": "all", "group": group, "consumer": "c", "ids": [batch["entries"][0]["id"]] })
                }
            };
        }
        let id = self.done("observations.submit", observed).await["id"].clone();
        if action == "observations.read" {
            return json!({ "consumer": "c" });
        }
        self.done("observations.read", json!({ "consumer": "c", "count": 100 })).await;
        let reject = json!({ "id": id, "reason": "vague", "consumer": "c" });
        match action {
            "observations.reject" => reject,
            "observations.ack" => json!({ "ids": [id], "consumer": "c" }),
            _ => json!({ "id": self.done("observations.reject", reject).await["id"] }),
        }
    }

    async fn tasks(&self, action: &str, n: usize) -> Value {
        let task = format!("t{n}-{}", action.replace('.', "-"));
        let lease = json!({ "task_id": task, "owner": "w1", "ttl": "1h", "action": "publish_stale_status" });
        match action {
            "tasks.status" => json!({ "task_id": task, "status": "running", "message": "step 1" }),
            "tasks.observe" => {
                json!({ "task_id": task, "event_type": "TaskMessageReceived", "component": "consumer" })
            }
            "tasks.lease" => lease,
            _ => {
                let token = self.done("tasks.lease", lease).await["token"].clone();
                json!({ "task_id": task, "owner": "w1", "token": token })
            }
        }
    }

    async fn workflows(&self, action: &str, n: usize) -> Value {
        let (workflow, task) = (format!("w{n}"), format!("r{n}-{}", action.replace('.', "-")));
        let topology = json!({ "entry": ["cut"], "stages": [
            { "name": "cut", "allowed_next_stages": ["part", "merge"] },
            { "name": "part", "allowed_next_stages": ["merge"] },
            { "name": "merge", "terminal": true, "join": { "rule": "all" } } ] });
        let mut define = json!({ "workflow": workflow, "topology": topology });
        if action == "workflows.define" {
            define["workflow"] = format!("own{n}").into();
            return define;
        }
        self.done("workflows.define", define).await;
        let start = json!({ "workflow": workflow, "task": task, "payload": { "rows": 3 } });
        if action == "workflows.start" {
            return start;
        }
        self.done("workflows.start", start).await;
        let enter = json!({ "task": task, "stage": "cut", "lease": "1h" });
        match action {
            "workflows.cancel" => return json!({ "task": task, "reason": "withdrawn" }),
            "workflows.enter" => return enter,
            "workflows.expect" => return json!({ "task": task, "stage": "merge", "branches": ["p0", "p1"] }),
            "workflows.arrive" => {
                self.done(
                    "workflows.expect",
                    json!({ "task": task, "stage": "merge", "branches": ["p0", "p1"] }),
                )
                .await;
                return json!({ "task": task, "stage": "merge", "branch": "p0", "result": 1 });
            }
            _ => {}
        }
        let attempt = self.done("workflows.enter", enter).await["attempt"].clone();
        match action {
            "workflows.fail" => {
                json!({ "task": task, "stage": "cut", "attempt": attempt, "error": "no route" })
            }
            "workflows.extend" => json!({ "task": task, "stage": "cut", "attempt": attempt, "lease": "2h" }),
            _ => {
                json!({ "task": task, "stage": "cut", "attempt": attempt, "next": [{ "stage": "part", "payload": { "n": 1 } }] })
            }
        }
    }

    async fn services(&self, action: &str, n: usize) -> Value {
        let id = format!("s{n}-{}", action.replace('.', "-"));
        let wanted = json!({ "service_id": id, "name": "S", "base_url": format!("https://8.8.8.8/{id}"), "environment": "dev", "tags": [], "auth_mode": "internal_network" });
        if action == "services.register" {
            return wanted;
        }
        self.done("services.register", wanted).await;
        match action {
            "services.update" => json!({ "service_id": id, "name": "Other" }),
            "services.enable" => {
                self.done("services.disable", json!({ "service_id": id })).await;
                json!({ "service_id": id })
            }
            "services.ingest" => {
                json!({ "events": [{ "service_id": id, "event": { "task_id": "t", "event_type": "status.queued", "source_kind": "status", "event_id": format!("e{n}") } }] })
            }
            _ => json!({ "service_id": id }),
        }
    }

    async fn others(&self, action: &str, n: usize) -> Value {
        let name = format!("o{n}-{}", action.replace('.', "-"));
        let job = json!({ "queue": "job:reports", "payload": "x", "id": name, "in": "1h" });
        match action {
            "jobs.schedule" => job,
            "jobs.cancel" | "jobs.run" => {
                self.done("jobs.schedule", job).await;
                json!({ "job": name })
            }
            "logs.emit" => json!({ "service": "indexer", "message": format!("said {n}") }),
            "limits.check" => json!({ "limits": [format!("{name}/alice")] }),
            "limits.set" => json!({ "endpoint": name, "rule": "5/1m" }),
            "limits.unset" => {
                self.done("limits.set", json!({ "endpoint": name, "rule": "5/1m" })).await;
                json!({ "endpoint": name })
            }
            "dedupe.check" => json!({ "scope": "t", "content": name, "window": "1h" }),
            "dedupe.forget" => {
                self.done("dedupe.check", json!({ "scope": "t", "content": name, "window": "1h" })).await;
                json!({ "scope": "t", "content": name })
            }
            "metrics.incr" => json!({ "counter": name, "by": 2 }),
            "tokens.create" => json!({ "name": name, "role": "viewer" }),
            "tokens.revoke" => {
                self.done("tokens.create", json!({ "name": name, "role": "viewer" })).await;
                json!({ "name": name })
            }
            "sign-ins.invite" => json!({ "user": name, "role": "viewer" }),
            "sign-ins.role" => json!({ "user": name, "role": "operator" }),
            "sign-ins.revoke" => json!({ "user": name }),
            "notices.set" => json!({ "enabled": true, "batch_wait_seconds": 100 + n }),
            "notices.run" | "notices.test" => json!({}),
            "webhooks.add" => json!({ "url": format!("https://8.8.8.8/{name}") }),
            "webhooks.rm" | "webhooks.test" => {
                let made =
                    self.done("webhooks.add", json!({ "url": format!("https://8.8.8.8/{name}") })).await;
                json!({ "id": made["id"] })
            }
            _ => panic!("{action} is new: say here which input makes it change something"),
        }
    }
}

pub(crate) fn fields(input: &Value) -> Map<String, Value> {
    input.as_object().cloned().expect("an object")
}

/// The address of a verb for an input, and what is left of the input for its body.
pub(crate) fn address(entry: &Entry, input: &Value) -> (String, Value) {
    let (mut path, mut rest) = (format!("/api/v1{}", entry.about.path), fields(input));
    for (name, value) in fields(input) {
        let place = format!("{{{name}}}");
        if path.contains(&place) {
            path = path.replace(&place, value.as_str().expect("a text"));
            rest.remove(&name);
        }
    }
    (path, rest.into())
}
