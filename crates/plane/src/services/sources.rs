//! Where the logs, metrics and traces of a service are: in a Loki, a Prometheus and a Tempo that its record names.
//!
//! They are asked through the guard like the service itself. What people ask for goes into queries as quoted text
//! ([`quote`]) and nothing else, beside the labels that make out the service: no filter can reach beyond it.

mod config;
mod groups;
mod logs;
mod metrics;
mod pods;
mod quote;
mod spans;
mod traces;
mod window;

use std::time::Duration;

use quorate_catalog::ids::ServiceId;
use quorate_outgoing::{Address, Answer, Call, Limits};
use quorate_store::Result;
use serde_json::Value as Json;

use super::call::object;
use super::{Service, Services};
use crate::{Outcome, Refusal};
pub(super) use config::addresses;
use config::{Config, read};
pub use groups::Group;
pub use logs::{Before, LogEntry, LogPage, LogQuery, Nanos};
pub use metrics::{MetricPoint, MetricSeries, Metrics, MetricsQuery};
pub use pods::{Pod, Pods};
pub use spans::Span;
pub use traces::Traces;

/// What a question to one of them may cost.
const LIMITS: Limits =
    Limits { connect: Duration::from_secs(2), total: Duration::from_secs(5), body: 4 << 20 };

/// An answer, or why there is none; a fault of the store is neither.
type Asked<T> = std::result::Result<T, Refusal>;

impl Services<'_> {
    /// A service and where something of it is.
    async fn sourced<C: Config>(&self, id: &ServiceId) -> Result<Outcome<(Service, C)>> {
        let service = match self.show(id).await? {
            Outcome::Done(service) => service,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        Ok(match configured(&service) {
            Ok(config) => Outcome::Done((service, config)),
            Err(why) => Outcome::Refused(why),
        })
    }

    /// One question; what comes back is a stranger's word.
    async fn source(&self, name: &str, address: &Address, call: Call) -> Asked<Answer> {
        self.reach(address, call, LIMITS).await.map_err(|why| failed(name, &why))
    }

    /// The object that answers it.
    async fn told(&self, name: &str, address: &Address, call: Call) -> Asked<Json> {
        let answer = self.source(name, address, call).await?;
        object(&answer).map_err(|why| failed(name, &why))
    }
}

fn configured<C: Config>(service: &Service) -> Asked<C> {
    match C::of(service).filter(|said| !said.is_null()) {
        None => Err(Refusal::new("not_configured", Some(C::NAME.to_owned()))),
        Some(said) => read(said).map_err(|why| unusable(&why)),
    }
}

fn unusable(why: &str) -> Refusal {
    Refusal::new("bad_config", Some(why.to_owned()))
}

fn failed(name: &str, why: &str) -> Refusal {
    Refusal::new("source_failed", Some(format!("{name}: {why}")))
}

/// The list of results of a kind in an answer of Loki's or Prometheus'.
fn results<'j>(name: &str, said: &'j Json, kind: &str) -> Asked<&'j Vec<Json>> {
    let sound = said["status"] == "success" && said["data"]["resultType"] == kind;
    let list = said["data"]["result"].as_array().filter(|_| sound);
    list.ok_or_else(|| failed(name, &format!("its answer has no {kind}")))
}

/// The labels of a result; what is no text is left out.
fn labels(of: &Json) -> std::collections::BTreeMap<String, String> {
    let all = of.as_object().into_iter().flatten();
    all.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}
