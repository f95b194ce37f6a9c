//! Spans of this process for a collector, where the standard variables name one.

mod told;
mod wanted;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::failure::{Exit, Failure};
use crate::out;
use told::Told;
use wanted::{Wanted, wanted};

/// Exports spans until it is closed.
pub(crate) struct Export(SdkTracerProvider);

/// Begins, if a variable asks for it and none forbids it. Without one no span is ever made.
pub(crate) fn begin() -> Result<Option<Export>, Failure> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Wanted { export, ignored } = wanted(set).map_err(Failure::bad_input)?;
    ignored.iter().for_each(|word| out::talk(&format!("warning: {word}")));
    if !export {
        return Ok(None);
    }
    // The exporter names no provider of its own; one that was chosen before is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // The words of the library may repeat the address, which may have a secret in it.
    let fault =
        |_| Failure::new(Exit::BadInput, "OTEL_EXPORTER_OTLP_ENDPOINT names no collector that can be used");
    let exporter = Told::new(SpanExporter::builder().with_http().build().map_err(fault)?);
    let mut resource = Resource::builder();
    if set("OTEL_SERVICE_NAME").is_none() {
        resource = resource.with_service_name("quorate");
    }
    let provider =
        SdkTracerProvider::builder().with_resource(resource.build()).with_batch_exporter(exporter).build();
    // Our own spans alone: those of the exporter's own calls would never end.
    let own = filter_fn(|about| about.is_span() && about.target().starts_with("quorate"));
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("quorate")).with_filter(own);
    let begun = tracing_subscriber::registry().with(layer).try_init();
    begun.map_err(|error| Failure::new(Exit::Fault, format!("spans cannot be exported: {error}")))?;
    Ok(Some(Export(provider)))
}

impl Export {
    /// Sends what is left.
    pub(crate) async fn close(self) {
        let _ = tokio::task::spawn_blocking(move || self.0.shutdown()).await;
    }
}
