//! The pods in which a service runs.

use std::collections::BTreeMap;

use quorate_catalog::ids::ServiceId;
use quorate_outgoing::Call;
use quorate_store::Result;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::super::Services;
use super::metrics::{PROMETHEUS, tenant};
use super::{Asked, config, groups, labels, results};
use crate::Outcome;

/// A pod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pod {
    pub name: String,
    pub namespace: String,
    /// Pending, Running, Succeeded, Failed or Unknown.
    pub phase: Option<String>,
    pub labels: BTreeMap<String, String>,
}

/// The pods of a service, by namespace and name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pods {
    pub service_id: String,
    pub count: usize,
    pub pods: Vec<Pod>,
}

impl Services<'_> {
    /// The pods of a service, as its Prometheus knows them now.
    pub async fn pods(&self, id: &ServiceId) -> Result<Outcome<Pods>> {
        let (service, config) = match self.sourced::<config::Metrics>(id).await? {
            Outcome::Done(found) => found,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        Ok(match self.running(&config).await {
            Ok(pods) => Outcome::Done(Pods { service_id: service.service_id, count: pods.len(), pods }),
            Err(why) => Outcome::Refused(why),
        })
    }

    async fn running(&self, config: &config::Metrics) -> Asked<Vec<Pod>> {
        let call = Call::get().below(["api", "v1", "query"]).with("query", &groups::pods(config));
        let said = self.told(PROMETHEUS, &config.place.base_url, tenant(call, config)).await?;
        let found = results(PROMETHEUS, &said, "vector")?.iter().filter_map(|one| pod(config, one));
        let each: BTreeMap<(String, String), Pod> =
            found.map(|pod| ((pod.namespace.clone(), pod.name.clone()), pod)).collect();
        Ok(each.into_values().collect())
    }
}

fn pod(config: &config::Metrics, said: &Json) -> Option<Pod> {
    let labels = labels(&said["metric"]);
    let name = labels.get(&config.pod_label).filter(|name| !name.is_empty())?.clone();
    let namespace = labels.get(&config.namespace_label).unwrap_or(&config.namespace).clone();
    Some(Pod { name, namespace, phase: labels.get("phase").cloned(), labels })
}
