//! Services that report what becomes of their tasks; one loses a worker now and then, one goes away, and both come back.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::json;

use crate::demo::Scene;
use crate::demo::house::{self, Mood};
use crate::demo::stage::{Stage, Trouble, about, chance, fresh, pick};
use crate::out;

/// Id, name for people, environment, labels.
const ALL: [(&str, &str, &str, &[&str]); 4] = [
    ("demo-payments", "Payments", "demo-production", &["demo-core", "demo-money"]),
    ("demo-search", "Search", "demo-production", &["demo-core"]),
    ("demo-mailer", "Mailer", "demo-production", &["demo-outbound"]),
    ("demo-payments-next", "Payments, next version", "demo-staging", &["demo-money"]),
];
/// Turns after which everything comes round again.
const ROUND: u32 = 40;
/// A task that nobody has ended after so many steps is ended.
const OPEN: usize = 12;

pub(super) struct Services {
    turns: u32,
    registered: bool,
    told: bool,
    /// Tasks that are under way, and whose.
    open: VecDeque<(&'static str, String)>,
}

impl Services {
    pub(super) fn new() -> Self {
        Self { turns: 0, registered: false, told: false, open: VecDeque::new() }
    }

    /// How a service is in this turn.
    fn mood(name: &str, turn: u32) -> Mood {
        match (name, turn % ROUND) {
            ("demo-payments", 3..=11) => Mood::Limping,
            ("demo-search", 20..=27) => Mood::Away,
            _ => Mood::Well,
        }
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        if !self.registered && !self.register(stage).await? {
            return Ok(about(60));
        }
        for (name, ..) in ALL {
            house::set(name, Self::mood(name, self.turns));
        }
        self.work();
        for (name, ..) in ALL {
            stage.post(&format!("/services/{name}/health/refresh"), json!({})).await?;
        }
        self.turns += 1;
        Ok(about(5))
    }

    /// Whether the plane knows them all; one that may not call this machine knows none.
    async fn register(&mut self, stage: &Stage) -> Result<bool, Trouble> {
        let open = house::open();
        for (name, title, environment, tags) in ALL {
            let Some(url) = house::url(name).filter(|_| open) else { return Ok(false) };
            let wish = json!({ "service_id": name, "name": title, "base_url": url, "environment": environment, "tags": tags });
            // One of an earlier demo has moved, and is in use again.
            let moved = json!({ "base_url": url, "status": "registered" });
            if stage.post("/services", wish).await?.is_none()
                && stage.patch(&format!("/services/{name}"), moved).await?.is_none()
            {
                self.refused();
                return Ok(false);
            }
        }
        self.registered = true;
        Ok(true)
    }

    fn refused(&mut self) {
        if !std::mem::replace(&mut self.told, true) {
            let rule = house::rule().unwrap_or_default();
            out::talk(&format!(
                "the demo's services are left out, because the plane may not call {rule}; `quorate up --demo` allows it"
            ));
        }
    }

    /// Tasks come and go on; what is away does nothing.
    fn work(&mut self) {
        for _ in 0..2 {
            let (name, ..) = *pick(&ALL);
            if Self::mood(name, self.turns) == Mood::Away {
                continue;
            }
            let ends = self.open.len() >= OPEN || chance(50);
            let place = self.open.iter().position(|(own, _)| *own == name).filter(|_| ends);
            match place.and_then(|place| self.open.remove(place)) {
                Some((_, task)) if chance(15) => {
                    house::tell(
                        name,
                        &task,
                        "failed",
                        &json!({ "status": "failed", "error": "the bank did not answer" }),
                    );
                }
                Some((_, task)) => house::tell(name, &task, "completed", &json!({ "status": "completed" })),
                None => {
                    let task = fresh("order");
                    house::tell(
                        name,
                        &task,
                        "processing",
                        &json!({ "status": "processing", "stage": "checkout" }),
                    );
                    self.open.push_back((name, task));
                }
            }
        }
    }
}

impl Scene for Services {
    fn name(&self) -> &'static str {
        "services"
    }

    fn about(&self) -> &'static str {
        "services report, degrade and recover"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(self.play(stage))
    }
}
