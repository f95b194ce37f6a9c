//! An exporter whose failures are heard of: once when they begin, once when they are over. Without this a wrong port looks
//! like a quiet plane.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};

use crate::out;

#[derive(Debug)]
pub(super) struct Told<E> {
    inner: E,
    failing: AtomicBool,
    say: fn(&str),
}

impl<E: SpanExporter> Told<E> {
    pub(super) fn new(inner: E) -> Self {
        Self { inner, failing: AtomicBool::new(false), say: out::talk }
    }

    /// Says so where something has changed. The library's own words are left out: they may repeat the address.
    fn learn(&self, failed: bool) {
        match (self.failing.swap(failed, Ordering::Relaxed), failed) {
            (false, true) => {
                (self.say)("warning: the collector does not take spans; they are lost until it does");
            }
            (true, false) => (self.say)("the collector takes spans again"),
            _ => {}
        }
    }
}

impl<E: SpanExporter> SpanExporter for Told<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let sent = self.inner.export(batch).await;
        self.learn(sent.is_err());
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}
