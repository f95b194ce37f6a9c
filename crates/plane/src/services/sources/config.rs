//! What a service's record says about where its logs, metrics and traces are, under Relayna's names. Fields that nobody here
//! knows stay in the record.

use std::collections::BTreeMap;

use quorate_outgoing::Address;
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value as Json;

use super::super::Service;
use super::quote::label;

/// Longest text of a field, and most labels.
const LONGEST: usize = 512;
const MOST: usize = 16;
/// Labels that have as many values as there are tasks or workers: no series of a service has them.
const TOO_MANY: [&str; 4] = ["task_id", "correlation_id", "request_id", "worker_id"];

/// One of the three.
pub(super) trait Config: DeserializeOwned {
    const NAME: &'static str;
    const PROVIDER: &'static str;

    fn of(service: &Service) -> Option<&Json>;
    fn place(&self) -> &Place;
    /// What its types do not say of it.
    fn check(&self) -> Result<(), String>;
}

/// What all of them say.
#[derive(Debug, Clone, serde::Deserialize)]
pub(super) struct Place {
    #[serde(default, deserialize_with = "trimmed")]
    provider: Option<String>,
    #[serde(deserialize_with = "address")]
    pub(super) base_url: Address,
    /// Whose part of it is asked, where several share it.
    #[serde(default, deserialize_with = "trimmed")]
    pub(super) tenant_id: Option<String>,
}

/// How the lines of a task are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Match {
    #[default]
    Label,
    Contains,
    Regex,
}

/// A Loki.
#[derive(Debug, Clone, serde::Deserialize)]
pub(super) struct Logs {
    #[serde(flatten)]
    pub(super) place: Place,
    #[serde(default)]
    pub(super) service_selector_labels: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "trimmed")]
    pub(super) source_label: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    pub(super) task_id_label: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    pub(super) correlation_id_label: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    pub(super) level_label: Option<String>,
    #[serde(default)]
    pub(super) task_match_mode: Match,
    #[serde(default, deserialize_with = "trimmed")]
    pub(super) task_match_template: Option<String>,
}

/// A Prometheus that knows the pods of a cluster.
#[derive(Debug, Clone, serde::Deserialize)]
pub(super) struct Metrics {
    #[serde(flatten)]
    pub(super) place: Place,
    pub(super) namespace: String,
    #[serde(default)]
    pub(super) service_selector_labels: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "trimmed")]
    pub(super) runtime_service_label_value: Option<String>,
    #[serde(default = "namespace")]
    pub(super) namespace_label: String,
    #[serde(default = "pod")]
    pub(super) pod_label: String,
    #[serde(default = "container")]
    pub(super) container_label: String,
    #[serde(default = "step")]
    pub(super) step_seconds: u64,
    #[serde(default = "padding")]
    pub(super) task_window_padding_seconds: u64,
}

/// A Tempo.
#[derive(Debug, Clone, serde::Deserialize)]
pub(super) struct Traces {
    #[serde(flatten)]
    pub(super) place: Place,
    /// Where people see it.
    #[serde(default, deserialize_with = "some_address")]
    pub(super) public_base_url: Option<Address>,
    #[serde(default = "query_path")]
    pub(super) query_path: String,
}

fn namespace() -> String {
    "namespace".to_owned()
}
fn pod() -> String {
    "pod".to_owned()
}
fn container() -> String {
    "container".to_owned()
}
const fn step() -> u64 {
    30
}
const fn padding() -> u64 {
    120
}
fn query_path() -> String {
    "/api/traces/{trace_id}".to_owned()
}

fn trimmed<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    Ok(text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
}

fn some_address<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Address>, D::Error> {
    let bad = |why: quorate_outgoing::BadAddress| serde::de::Error::custom(format!("its address: {why}"));
    trimmed(from)?.map(|text| text.parse().map_err(bad)).transpose()
}

fn address<'de, D: Deserializer<'de>>(from: D) -> Result<Address, D::Error> {
    some_address(from)?.ok_or_else(|| serde::de::Error::custom("base_url is missing"))
}

impl Config for Logs {
    const NAME: &'static str = "log_config";
    const PROVIDER: &'static str = "loki";

    fn of(service: &Service) -> Option<&Json> {
        service.log_config.as_ref()
    }

    fn place(&self) -> &Place {
        &self.place
    }

    fn check(&self) -> Result<(), String> {
        let own = [&self.source_label, &self.task_id_label, &self.correlation_id_label, &self.level_label];
        let mut named = self.service_selector_labels.keys().chain(own.into_iter().flatten());
        named.try_for_each(|name| label(name))?;
        selector(&self.service_selector_labels)?;
        short("task_match_template", self.task_match_template.as_deref().unwrap_or_default())
    }
}

impl Config for Metrics {
    const NAME: &'static str = "metrics_config";
    const PROVIDER: &'static str = "prometheus";

    fn of(service: &Service) -> Option<&Json> {
        service.metrics_config.as_ref()
    }

    fn place(&self) -> &Place {
        &self.place
    }

    fn check(&self) -> Result<(), String> {
        let own = [&self.namespace_label, &self.pod_label, &self.container_label];
        own.into_iter().try_for_each(|name| label(name))?;
        selector(&self.service_selector_labels)?;
        let many = |name: &&String| TOO_MANY.contains(&name.as_str());
        if let Some(name) = self.service_selector_labels.keys().chain(own).find(many) {
            return Err(format!("{name} has too many values to choose the series of a service by"));
        }
        if self.namespace.trim().is_empty() {
            return Err("namespace is empty".to_owned());
        }
        short("namespace", &self.namespace)?;
        short(
            "runtime_service_label_value",
            self.runtime_service_label_value.as_deref().unwrap_or_default(),
        )?;
        if !(5..=3_600).contains(&self.step_seconds) {
            return Err("step_seconds is not from 5 to 3600".to_owned());
        }
        if self.task_window_padding_seconds > 3_600 {
            return Err("task_window_padding_seconds is not from 0 to 3600".to_owned());
        }
        Ok(())
    }
}

impl Config for Traces {
    const NAME: &'static str = "trace_config";
    const PROVIDER: &'static str = "tempo";

    fn of(service: &Service) -> Option<&Json> {
        service.trace_config.as_ref()
    }

    fn place(&self) -> &Place {
        &self.place
    }

    fn check(&self) -> Result<(), String> {
        short("query_path", &self.query_path)?;
        if !self.query_path.contains("{trace_id}") || self.query_path.contains(['?', '#']) {
            return Err("query_path is a path with {trace_id} in it, and has no ? and no #".to_owned());
        }
        Ok(())
    }
}

/// The labels by which a service is made out: some, each with a value.
fn selector(all: &BTreeMap<String, String>) -> Result<(), String> {
    if all.is_empty() || all.len() > MOST {
        return Err(format!("service_selector_labels has from 1 to {MOST} labels"));
    }
    for (name, value) in all {
        if name.trim().is_empty() || value.trim().is_empty() {
            return Err("service_selector_labels has an empty name or value".to_owned());
        }
        short("a label", name).and_then(|()| short("the value of a label", value))?;
    }
    Ok(())
}

fn short(what: &str, text: &str) -> Result<(), String> {
    if text.len() <= LONGEST && !text.contains(char::is_control) {
        return Ok(());
    }
    Err(format!("{what} is longer than {LONGEST} bytes, or has control characters"))
}

/// Reads one, if it can be used.
pub(super) fn read<C: Config>(said: &Json) -> Result<C, String> {
    let bad = |why: String| format!("{}: {why:.200}", C::NAME);
    if !said.is_object() {
        return Err(bad("it is no object".to_owned()));
    }
    let config: C = serde_json::from_value(said.clone()).map_err(|error| bad(error.to_string()))?;
    let place = config.place();
    if place.provider.as_deref().is_some_and(|own| own != C::PROVIDER) {
        return Err(bad(format!("its provider can be {} alone", C::PROVIDER)));
    }
    // A tenant goes into a header; one that could not stand there would be left out, and another one's data shown.
    let visible = |text: &String| text.len() <= 150 && text.bytes().all(|byte| byte.is_ascii_graphic());
    if !place.tenant_id.as_ref().is_none_or(visible) {
        return Err(bad("tenant_id has signs that no header can have".to_owned()));
    }
    config.check().map_err(bad)?;
    Ok(config)
}

/// The addresses in where logs, metrics and traces are, each of which makes sense.
pub(in super::super) fn addresses(
    logs: Option<&Json>,
    metrics: Option<&Json>,
    traces: Option<&Json>,
) -> Result<Vec<Address>, String> {
    fn one<C: Config>(said: Option<&Json>) -> Result<Option<Address>, String> {
        let said = said.filter(|said| !said.is_null());
        said.map(|said| Ok(read::<C>(said)?.place().base_url.clone())).transpose()
    }
    let all = [one::<Logs>(logs)?, one::<Metrics>(metrics)?, one::<Traces>(traces)?];
    Ok(all.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests;
