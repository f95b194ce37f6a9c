//! What can be measured of a service, and the question that measures it: of its pods by what a cluster knows of them, and of
//! its tasks by what Relayna's runtime counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::config::Metrics;
use super::quote::matcher;

/// How many names a label of a pod can have beside its own, where two labels have one name without their signs.
const CONFLICTS: usize = 4;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    CpuUsage,
    MemoryUsage,
    CpuRequests,
    CpuLimits,
    MemoryRequests,
    MemoryLimits,
    Restarts,
    OomKilled,
    PodPhase,
    Readiness,
    NetworkReceive,
    NetworkTransmit,
    TasksStartedRate,
    TasksFailedRate,
    TasksRetriedRate,
    TasksDlqRate,
    TaskDurationP95,
    ActiveTasks,
    WorkerHeartbeat,
    QueuePublishRate,
    StatusEventsRate,
    ObservationEventsRate,
}

/// Whose series they are, and which of them count.
enum Of {
    /// Those of containers as the node counts them: the sums that it also has there have no image.
    Images,
    Containers,
    Pods,
    /// Those that Relayna's runtime counts.
    Runtime,
}

/// A question without what makes out the service.
struct Question {
    unit: &'static str,
    of: Of,
    series: &'static str,
    /// Which of them, beside whose they are.
    also: &'static str,
    /// What is made of the last five minutes; nothing where the value itself counts.
    over: &'static str,
    /// How many become one.
    fold: &'static str,
}

impl Group {
    pub const ALL: [Self; 22] = [
        Self::CpuUsage,
        Self::MemoryUsage,
        Self::CpuRequests,
        Self::CpuLimits,
        Self::MemoryRequests,
        Self::MemoryLimits,
        Self::Restarts,
        Self::OomKilled,
        Self::PodPhase,
        Self::Readiness,
        Self::NetworkReceive,
        Self::NetworkTransmit,
        Self::TasksStartedRate,
        Self::TasksFailedRate,
        Self::TasksRetriedRate,
        Self::TasksDlqRate,
        Self::TaskDurationP95,
        Self::ActiveTasks,
        Self::WorkerHeartbeat,
        Self::QueuePublishRate,
        Self::StatusEventsRate,
        Self::ObservationEventsRate,
    ];

    fn question(self) -> Question {
        let ask = |unit, of, series, also, over, fold| Question { unit, of, series, also, over, fold };
        let pods = |unit, of, series, also, over| ask(unit, of, series, also, over, "sum");
        let counted = |series| ask("per_second", Of::Runtime, series, "", "rate", "sum");
        let (requests, limits) =
            ("kube_pod_container_resource_requests", "kube_pod_container_resource_limits");
        let (cpu, memory) = ("resource=\"cpu\"", "resource=\"memory\"");
        match self {
            Self::CpuUsage => pods("cores", Of::Images, "container_cpu_usage_seconds_total", "", "rate"),
            Self::MemoryUsage => pods("bytes", Of::Images, "container_memory_working_set_bytes", "", ""),
            Self::CpuRequests => pods("cores", Of::Containers, requests, cpu, ""),
            Self::CpuLimits => pods("cores", Of::Containers, limits, cpu, ""),
            Self::MemoryRequests => pods("bytes", Of::Containers, requests, memory, ""),
            Self::MemoryLimits => pods("bytes", Of::Containers, limits, memory, ""),
            Self::Restarts => {
                pods("count", Of::Containers, "kube_pod_container_status_restarts_total", "", "increase")
            }
            Self::OomKilled => {
                let series = "kube_pod_container_status_last_terminated_reason";
                pods("count", Of::Containers, series, "reason=\"OOMKilled\"", "max_over_time")
            }
            Self::PodPhase => ask("state", Of::Pods, "kube_pod_status_phase", "", "", "sum by (phase)"),
            Self::Readiness => pods("state", Of::Pods, "kube_pod_status_ready", "condition=\"true\"", ""),
            Self::NetworkReceive => {
                pods("bytes_per_second", Of::Pods, "container_network_receive_bytes_total", "", "rate")
            }
            Self::NetworkTransmit => {
                pods("bytes_per_second", Of::Pods, "container_network_transmit_bytes_total", "", "rate")
            }
            Self::TasksStartedRate => counted("relayna_tasks_started_total"),
            Self::TasksFailedRate => counted("relayna_tasks_failed_total"),
            Self::TasksRetriedRate => counted("relayna_tasks_retried_total"),
            Self::TasksDlqRate => counted("relayna_tasks_dlq_total"),
            Self::TaskDurationP95 => {
                let series = "relayna_task_duration_seconds_bucket";
                ask("seconds", Of::Runtime, series, "", "rate", "sum by (le)")
            }
            Self::ActiveTasks => ask("count", Of::Runtime, "relayna_worker_active_tasks", "", "", "sum"),
            Self::WorkerHeartbeat => {
                ask("unix_seconds", Of::Runtime, "relayna_worker_heartbeat_timestamp", "", "", "max")
            }
            Self::QueuePublishRate => counted("relayna_queue_publish_total"),
            Self::StatusEventsRate => counted("relayna_status_events_published_total"),
            Self::ObservationEventsRate => counted("relayna_observation_events_total"),
        }
    }

    /// What its numbers are.
    pub fn unit(self) -> &'static str {
        self.question().unit
    }

    /// The question in Prometheus' language, for one service.
    pub(super) fn expression(self, config: &Metrics, service: &str) -> String {
        let Question { of, series, also, over, fold, .. } = self.question();
        let mut all = match of {
            Of::Runtime => vec![matcher("service", "=", runtime(config, service))],
            _ => vec![home(config), matcher(&config.pod_label, "=~", ".+")],
        };
        if matches!(of, Of::Images | Of::Containers) {
            all.push(matcher(&config.container_label, "!=", ""));
        }
        if matches!(of, Of::Images) {
            all.push(matcher("image", "!=", ""));
        }
        all.extend(Some(also.to_owned()).filter(|also| !also.is_empty()));
        let chosen = format!("{series}{{{}}}", all.join(","));
        let value = if over.is_empty() { chosen } else { format!("{over}({chosen}[5m])") };
        match of {
            Of::Runtime if matches!(self, Self::TaskDurationP95) => {
                format!("histogram_quantile(0.95, {fold} ({value}))")
            }
            Of::Runtime => format!("{fold}({value})"),
            _ => format!("{fold} ({value} * {} group_left() {})", on(config), owned(config, &[])),
        }
    }
}

/// The question for the pods of a service: each with its phase and the labels by which it was made out.
pub(super) fn pods(config: &Metrics) -> String {
    let shown: Vec<String> = config.service_selector_labels.keys().flat_map(|name| spellings(name)).collect();
    let phase = format!("{},{}", home(config), matcher(&config.pod_label, "=~", ".+"));
    let group = shown.join(", ");
    format!(
        "(kube_pod_status_phase{{{phase}}} == 1) * {} group_left({group}) {}",
        on(config),
        owned(config, &shown)
    )
}

/// By what Relayna's runtime knows the service.
fn runtime<'c>(config: &'c Metrics, service: &'c str) -> &'c str {
    let own = config.runtime_service_label_value.as_ref();
    own.or_else(|| config.service_selector_labels.get("service")).map_or(service, String::as_str).trim()
}

fn home(config: &Metrics) -> String {
    matcher(&config.namespace_label, "=", config.namespace.trim())
}

fn on(config: &Metrics) -> String {
    format!("on({}, {})", config.namespace_label, config.pod_label)
}

/// The pods that have every label of the service, each once, however often the cluster tells of it.
fn owned(config: &Metrics, keep: &[String]) -> String {
    let one = |(name, value): (&String, &String)| {
        let spelled = spellings(name)
            .map(|own| format!("kube_pod_labels{{{},{}}}", home(config), matcher(&own, "=", value.trim())));
        format!("({})", spelled.collect::<Vec<_>>().join(" or "))
    };
    let all: Vec<String> = config.service_selector_labels.iter().map(one).collect();
    let by: Vec<&str> = [config.namespace_label.as_str(), &config.pod_label]
        .into_iter()
        .chain(keep.iter().map(String::as_str))
        .collect();
    format!("max by ({}) ({})", by.join(", "), all.join(&format!(" and {} ", on(config))))
}

/// What a label of a pod is called among the labels of a series.
fn spellings(name: &str) -> impl Iterator<Item = String> {
    let plain: String =
        name.trim().chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '_' }).collect();
    let conflicts = (1..=CONFLICTS).map(|number| format!("_conflict{number}"));
    std::iter::once(String::new()).chain(conflicts).map(move |end| format!("label_{plain}{end}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::config::read;
    use super::*;

    fn config(label: &str, value: &str) -> Metrics {
        read(&json!({ "base_url": "http://p.example", "namespace": "shop\"}", "service_selector_labels": { label: value } })).unwrap()
    }

    #[test]
    fn pods_are_counted_that_have_the_service_s_labels_in_its_namespace() {
        let asked = Group::CpuUsage.expression(&config("app.io/name", "pay"), "payments");
        let begin = r#"sum (rate(container_cpu_usage_seconds_total{namespace="shop\"}",pod=~".+",container!="",image!=""}[5m]) * on(namespace, pod) group_left() max by (namespace, pod) ((kube_pod_labels{namespace="shop\"}",label_app_io_name="pay"} or kube_pod_labels{namespace="shop\"}",label_app_io_name_conflict1="pay"} or "#;
        assert!(asked.starts_with(begin), "{asked}");
        let phase = Group::PodPhase.expression(&config("app", "pay"), "payments");
        assert!(phase.starts_with("sum by (phase) (kube_pod_status_phase{"), "{phase}");
    }

    #[test]
    fn tasks_are_counted_under_the_name_that_the_runtime_has_for_the_service() {
        let rate = |config: &Metrics| Group::TasksFailedRate.expression(config, "pay\"ments");
        assert_eq!(
            rate(&config("app", "x")),
            r#"sum(rate(relayna_tasks_failed_total{service="pay\"ments"}[5m]))"#
        );
        assert!(rate(&config("service", "own")).contains(r#"{service="own"}"#));
        let quantile = Group::TaskDurationP95.expression(&config("app", "x"), "pay");
        assert_eq!(
            quantile,
            r#"histogram_quantile(0.95, sum by (le) (rate(relayna_task_duration_seconds_bucket{service="pay"}[5m])))"#
        );
    }

    #[test]
    fn every_group_has_a_name_a_unit_and_a_question_whose_brackets_close() {
        let config = config("a\"}) or vector(1", "v\"}) or vector(1) #");
        for group in Group::ALL {
            let asked = group.expression(&config, "pay") + &pods(&config);
            let mut quoted = false;
            let mut open = Vec::new();
            let mut signs = asked.chars();
            while let Some(sign) = signs.next() {
                match sign {
                    '\\' if quoted => drop(signs.next()),
                    '"' => quoted = !quoted,
                    '(' | '{' | '[' if !quoted => open.push(sign),
                    ')' | '}' | ']' if !quoted => {
                        let begin = open.pop().unwrap_or_else(|| panic!("{group:?}: {asked}"));
                        assert!(matches!((begin, sign), ('(', ')') | ('{', '}') | ('[', ']')), "{asked}");
                    }
                    _ => assert!(quoted || sign != '#', "a comment: {asked}"),
                }
            }
            assert!(!quoted && open.is_empty(), "{asked}");
            assert!(!group.unit().is_empty());
        }
        let names: Vec<String> =
            Group::ALL.iter().map(|group| json!(group).as_str().unwrap().to_owned()).collect();
        assert!(names.contains(&"task_duration_p95".to_owned()) && names.contains(&"oom_killed".to_owned()));
    }
}
