//! `quorate services logs`, `metrics`, `pods`, `traces`: what others keep of a service, and where its record says they are.

use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_plane::Plane;
use quorate_plane::services::{Before, Group, LogEntry, MetricSeries, Nanos, Pod, Span};
use quorate_verbs::said::{Said, Within};
use quorate_verbs::services::{Logs, Metrics, Pods, Traces};
use serde_json::Value;

use super::read::word;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::outgoing::{Outgoing, calling};

/// Where logs, metrics and traces of a service are.
#[derive(Debug, clap::Args)]
pub(crate) struct Places {
    /// Where its logs are: a JSON object with base_url, service_selector_labels and others; null for nowhere.
    #[arg(long, value_name = "JSON", value_parser = document)]
    pub(super) log_config: Option<Value>,
    /// Where its metrics are: a JSON object with base_url, namespace, service_selector_labels and others; null for nowhere.
    #[arg(long, value_name = "JSON", value_parser = document)]
    pub(super) metrics_config: Option<Value>,
    /// Where its traces are: a JSON object with base_url and others; null for nowhere.
    #[arg(long, value_name = "JSON", value_parser = document)]
    pub(super) trace_config: Option<Value>,
}

fn document(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))
}

#[derive(Debug, clap::Args)]
pub(crate) struct LogsArgs {
    /// The service.
    id: ServiceId,
    /// Only lines of this task.
    #[arg(long)]
    task: Option<String>,
    /// Only lines that belong to this.
    #[arg(long)]
    correlation: Option<String>,
    /// Only lines of this level.
    #[arg(long)]
    level: Option<String>,
    /// Only lines of this source.
    #[arg(long)]
    source: Option<String>,
    /// Only lines of this pod.
    #[arg(long)]
    pod: Option<String>,
    /// Only lines that have this text.
    #[arg(long, value_name = "TEXT")]
    query: Option<String>,
    /// Where the last page ended, or a moment.
    #[arg(long, value_name = "CURSOR")]
    before: Option<Before>,
    /// From this moment on, in ISO 8601.
    #[arg(long)]
    from: Option<Nanos>,
    /// Before this moment.
    #[arg(long)]
    to: Option<Nanos>,
    /// Most lines.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=200))]
    limit: u64,
    #[command(flatten)]
    outgoing: Outgoing,
}

#[derive(Debug, clap::Args)]
pub(crate) struct MetricsArgs {
    /// The service.
    id: ServiceId,
    /// While this task ran.
    #[arg(long)]
    task: Option<TaskId>,
    /// From this moment on, in ISO 8601.
    #[arg(long)]
    from: Option<String>,
    /// Until this moment.
    #[arg(long)]
    to: Option<String>,
    /// Seconds between two points.
    #[arg(long, value_parser = clap::value_parser!(u64).range(5..=3_600))]
    step: Option<u64>,
    /// What is measured, such as cpu_usage, with commas between [default: everything].
    #[arg(long, value_delimiter = ',', value_parser = group)]
    group: Vec<Group>,
    #[command(flatten)]
    outgoing: Outgoing,
}

#[derive(Debug, clap::Args)]
pub(crate) struct PodsArgs {
    /// The service.
    id: ServiceId,
    #[command(flatten)]
    outgoing: Outgoing,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TracesArgs {
    /// The service.
    id: ServiceId,
    /// The task.
    task: TaskId,
    #[command(flatten)]
    outgoing: Outgoing,
}

fn group(text: &str) -> Result<Group, String> {
    let all = || Group::ALL.iter().map(word).collect::<Vec<_>>().join(", ");
    serde_json::from_value(text.into()).map_err(|_| format!("use one of {}", all()))
}

pub(crate) async fn logs(plane: Plane, args: LogsArgs) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Logs {
        service_id: Said(args.id),
        task_id: args.task,
        correlation_id: args.correlation,
        level: args.level,
        source: args.source,
        pod: args.pod,
        query: args.query,
        before: args.before.map(Said),
        from: args.from.map(Said),
        to: args.to.map(Said),
        limit: Some(Within(args.limit)),
    };
    let row = |line: &LogEntry| {
        let level = line.level.clone().unwrap_or_default();
        vec![line.timestamp.clone(), level, line.source.clone(), line.message.clone()]
    };
    let header = &["at", "level", "source", "line"];
    ask(&plane, &verb, |page| View::Rows { header, rows: page.items.iter().map(row).collect() }).await
}

pub(crate) async fn metrics(plane: Plane, args: MetricsArgs) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Metrics {
        service_id: Said(args.id),
        task_id: args.task.map(Said),
        from: args.from,
        to: args.to,
        step: args.step.map(Within),
        group: args.group,
    };
    let row = |series: &MetricSeries| {
        let last = series.points.last();
        let value = last.and_then(|point| point.value).map(|value| value.to_string());
        let labels: Vec<String> =
            series.labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let at = last.map(|point| point.timestamp.clone()).unwrap_or_default();
        vec![
            word(series.metric),
            value.unwrap_or_else(|| "-".to_owned()),
            series.unit.to_owned(),
            labels.join(" "),
            at,
        ]
    };
    let header = &["what", "last", "unit", "labels", "at"];
    ask(&plane, &verb, |found| View::Rows { header, rows: found.series.iter().map(row).collect() }).await
}

pub(crate) async fn pods(plane: Plane, args: PodsArgs) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let row =
        |pod: &Pod| vec![pod.name.clone(), pod.namespace.clone(), pod.phase.clone().unwrap_or_default()];
    let header = &["pod", "namespace", "phase"];
    let verb = Pods { service_id: Said(args.id) };
    ask(&plane, &verb, |found| View::Rows { header, rows: found.pods.iter().map(row).collect() }).await
}

pub(crate) async fn traces(plane: Plane, args: TracesArgs) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Traces { service_id: Said(args.id), task_id: Said(args.task) };
    let line = |span: &Span| {
        let took = span.duration_ms.map(|ms| format!("{ms} ms")).unwrap_or_default();
        let (at, service) =
            (span.start_time.as_deref().unwrap_or_default(), span.service.as_deref().unwrap_or_default());
        format!("{at}  {}  {service}  {}  {took}", span.trace_id, span.name)
    };
    ask(&plane, &verb, |found| {
        let lines =
            found.spans.iter().map(line).chain(found.warnings.iter().map(|why| format!("note: {why}")));
        View::Text(lines.collect::<Vec<_>>().join("\n"))
    })
    .await
}
