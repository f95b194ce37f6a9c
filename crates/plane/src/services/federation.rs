//! What registered services say of their own tasks, asked for on somebody's behalf.
//!
//! An answer that is put together from several says which parts are missing and why; what is there is shown all the same.

use futures_util::StreamExt;
use futures_util::stream;
use quorate_catalog::ids::{EnvironmentId, ServiceId, TaskId};
use quorate_outgoing::Call;
use quorate_store::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::call::{ASK, object};
use super::{Service, Services, Status};
use crate::{Outcome, Refusal};

/// How many services are asked at once.
const AT_ONCE: usize = 8;

/// What a service can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The latest status of a task.
    Status,
    /// Its status events.
    History,
    /// What caused what.
    Graph,
    /// Dead letters.
    Dead,
    /// Dead letters as the broker has them.
    BrokerDead,
    /// Its workflow.
    Topology,
    /// How much pressure it is under.
    Pressure,
    /// Failed tasks.
    Failed,
}

impl What {
    /// Where it is asked, and by which name a service says that it offers it; some are older than such names.
    fn place(self, task: &str) -> (Vec<&str>, Option<&'static str>) {
        match self {
            Self::Status => (vec!["status", task], Some("status.latest")),
            Self::History => (vec!["history"], Some("status.history")),
            Self::Graph => (vec!["executions", task, "graph"], Some("execution.graph")),
            Self::Dead => (vec!["dlq", "messages"], Some("dlq.messages")),
            Self::BrokerDead => (vec!["broker", "dlq", "messages"], Some("broker.dlq.messages")),
            Self::Topology => (vec!["workflow", "topology"], Some("workflow.topology")),
            Self::Pressure => (vec!["relayna", "runtime", "backpressure"], Some("runtime.backpressure")),
            Self::Failed => (vec!["failed-tasks"], None),
        }
    }

    const fn needs_task(self) -> bool {
        matches!(self, Self::Status | Self::Graph)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Status => "latest_status",
            Self::History => "history",
            Self::Graph => "execution_graph",
            Self::Dead => "dlq_messages",
            Self::BrokerDead => "broker_dlq_messages",
            Self::Topology => "topology",
            Self::Pressure => "backpressure",
            Self::Failed => "failed_tasks",
        }
    }
}

/// A part that is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Missing {
    pub service_id: String,
    /// Which part.
    pub part: String,
    pub code: String,
    pub detail: String,
}

/// A task as its service knows it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TaskDetail {
    pub service: Service,
    pub service_id: String,
    pub task_id: String,
    pub latest_status: Option<Json>,
    pub history: Option<Json>,
    pub dlq_messages: Option<Json>,
    pub execution_graph: Option<Json>,
    /// What could not be had, and why.
    pub errors: Vec<Missing>,
}

/// What many services said.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Gathered {
    pub count: usize,
    pub items: Vec<Json>,
    /// Who was asked.
    pub scanned_services: Vec<String>,
    /// Who did not answer, and why.
    pub errors: Vec<Missing>,
}

impl Services<'_> {
    /// Asks a service, through the guard and within limits.
    pub async fn ask(
        &self,
        id: &ServiceId,
        what: What,
        task: Option<&TaskId>,
        query: &[(String, String)],
    ) -> Result<Outcome<Json>> {
        let service = match self.show(id).await? {
            Outcome::Done(service) => service,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        Ok(match self.question(&service, what, task, query).await {
            Ok(answer) => Outcome::Done(answer),
            Err(why) => Outcome::Refused(why),
        })
    }

    async fn question(
        &self,
        service: &Service,
        what: What,
        task: Option<&TaskId>,
        query: &[(String, String)],
    ) -> std::result::Result<Json, Refusal> {
        if service.status == Status::Disabled {
            return Err(Refusal::new("service_disabled", Some(service.service_id.clone())));
        }
        let task = match task {
            Some(task) => task.as_key(),
            None if what.needs_task() => return Err(Refusal::new("no_task", Some("of no name".to_owned()))),
            None => "",
        };
        let (words, route) = what.place(task);
        let lists = |own: &Json| own["service_metadata"]["compatibility"] == "capabilities_v1";
        if let Some(route) =
            route.filter(|route| service.capabilities.as_ref().is_some_and(lists) && !service.offers(route))
        {
            return Err(Refusal::new("not_offered", Some(route.to_owned())));
        }
        let call = query.iter().fold(Call::get().below(words), |call, (name, value)| call.with(name, value));
        let failed = |why: String| Refusal::new("service_failed", Some(why));
        let answer = self.call(service, call, ASK).await.map_err(failed)?;
        if answer.status == 404 {
            return Err(Refusal::new("unknown_there", Some(service.service_id.clone())));
        }
        let mut said = object(&answer).map_err(failed)?;
        said["service_id"] = service.service_id.as_str().into();
        Ok(said)
    }

    /// Everything that a service knows of a task.
    pub async fn task(&self, id: &ServiceId, task: &TaskId) -> Result<Outcome<TaskDetail>> {
        let service = match self.show(id).await? {
            Outcome::Done(service) => service,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        let of =
            |limit: &str| vec![("task_id".to_owned(), task.to_string()), (limit.to_owned(), "50".to_owned())];
        let (scan, page) = (of("max_scan"), of("limit"));
        let (status, history, dead, graph) = tokio::join!(
            self.question(&service, What::Status, Some(task), &[]),
            self.question(&service, What::History, Some(task), &scan),
            self.question(&service, What::Dead, Some(task), &page),
            self.question(&service, What::Graph, Some(task), &[]),
        );
        let mut errors = Vec::new();
        let mut part = |what: What, answer: std::result::Result<Json, Refusal>| {
            answer.map_err(|why| errors.push(missing(&service, what, &why))).ok()
        };
        let latest_status = part(What::Status, status);
        let history = part(What::History, history);
        let dlq_messages = part(What::Dead, dead);
        let execution_graph = part(What::Graph, graph);
        Ok(Outcome::Done(TaskDetail {
            service_id: service.service_id.clone(),
            task_id: task.to_string(),
            latest_status,
            history,
            dlq_messages,
            execution_graph,
            errors,
            service,
        }))
    }

    /// A page of one service's failed tasks.
    pub(crate) async fn failed_of(
        &self,
        service: &Service,
        query: &[(String, String)],
    ) -> std::result::Result<Json, Refusal> {
        self.question(service, What::Failed, None, query).await
    }

    /// Asks every service of an environment, or of all, for its failed tasks.
    pub async fn failed(
        &self,
        environment: Option<&EnvironmentId>,
        only: Option<&ServiceId>,
        query: &[(String, String)],
    ) -> Result<Gathered> {
        let mut services = self.ls(environment).await?;
        services.retain(|own| {
            own.status != Status::Disabled && only.is_none_or(|only| own.service_id == only.as_key())
        });
        let mut gathered = Gathered {
            scanned_services: services.iter().map(|own| own.service_id.clone()).collect(),
            ..Gathered::default()
        };
        let asked = services.into_iter().map(|service| async move {
            let answer = self.question(&service, What::Failed, None, query).await;
            (service, answer)
        });
        let mut asked = stream::iter(asked).buffered(AT_ONCE).boxed();
        while let Some((service, answer)) = asked.next().await {
            match answer {
                Err(why) => gathered.errors.push(missing(&service, What::Failed, &why)),
                Ok(said) => gathered.items.extend(items(&service, &said)),
            }
        }
        gathered.count = gathered.items.len();
        Ok(gathered)
    }
}

/// The items of a list, each with whose it is.
fn items(service: &Service, said: &Json) -> Vec<Json> {
    let mut all = said["items"].as_array().cloned().unwrap_or_default();
    all.retain(Json::is_object);
    for item in &mut all {
        item["service_id"] = json!(service.service_id);
        item["environment"] = json!(service.environment);
    }
    all
}

fn missing(service: &Service, what: What, why: &Refusal) -> Missing {
    Missing {
        service_id: service.service_id.clone(),
        part: what.name().to_owned(),
        code: why.code.clone(),
        detail: why.reason.clone(),
    }
}
