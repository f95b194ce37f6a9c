//! A layer for `tracing`: what a Rust service logs goes to the plane.

use std::fmt::Debug;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

use super::envelope::{Level, Record};
use super::logger::Logger;

/// Sends events of `info` and above to a [`Logger`]. It never blocks the code that logs.
///
/// Targets of this crate's own connections are left out, so that sending a record never makes another one.
#[derive(Debug, Clone)]
pub struct LogLayer {
    logger: Logger,
}

impl LogLayer {
    pub fn new(logger: Logger) -> Self {
        Self { logger }
    }
}

impl<S: Subscriber> Layer<S> for LogLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let meta = event.metadata();
        let own = ["quorate_store", "quorate_plane::logs", "redis"];
        if *meta.level() > tracing::Level::INFO || own.iter().any(|name| meta.target().starts_with(name)) {
            return;
        }
        let level = match *meta.level() {
            tracing::Level::ERROR => Level::Error,
            tracing::Level::WARN => Level::Warn,
            _ => Level::Info,
        };
        let mut fields = Fields::default();
        event.record(&mut fields);
        let record = Record::new(self.logger.service(), level, meta.target(), &fields.message);
        self.logger.log(record.with_fields(fields.others));
    }
}

#[derive(Default)]
struct Fields {
    message: String,
    others: Map<String, Value>,
}

impl Fields {
    fn put(&mut self, field: &Field, value: Value) {
        if field.name() == "message" {
            self.message = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        } else {
            self.others.insert(field.name().to_owned(), value);
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }
}
