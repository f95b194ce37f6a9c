//! Which trace something belongs to: W3C trace context, carried with what one process hands to another.
//!
//! A trace comes in with a call, is kept beside the payload of a job, a message or an event, and is given to whoever takes
//! it. Without one nothing is written and nothing is looked up. Where spans are exported, what is handed on belongs to the
//! span that hands it on, and a handler runs in a span that is a child of it.

use std::str::FromStr;

use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// Longest `tracestate` that is carried; the specification asks for no more.
const LONGEST_STATE: usize = 512;

/// A place in a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    parent: String,
    state: String,
}

impl Trace {
    /// Reads `traceparent` and `tracestate`. What cannot be understood is as good as none: a trace is never a reason to
    /// refuse work.
    pub fn read(parent: &str, state: Option<&str>) -> Option<Self> {
        let parent = parent.trim();
        context(parent, "")?;
        let state = state.map(str::trim).unwrap_or_default();
        let sound = state.len() <= LONGEST_STATE && state.bytes().all(|byte| (0x20..0x7f).contains(&byte));
        let state = if sound && TraceState::from_str(state).is_ok() { state } else { "" };
        Some(Self { parent: parent.to_owned(), state: state.to_owned() })
    }

    /// As `traceparent` has it.
    pub fn parent(&self) -> &str {
        &self.parent
    }

    /// As `tracestate` has it, or empty.
    pub fn state(&self) -> &str {
        &self.state
    }

    /// Where this process is at the moment; nowhere, if spans are not exported.
    pub fn current() -> Option<Self> {
        Self::of(&Span::current())
    }

    /// The place of a span; none, if it is not exported.
    pub fn of(span: &Span) -> Option<Self> {
        if span.is_disabled() {
            return None;
        }
        let context = span.context();
        let own = context.span().span_context().clone();
        if !own.is_valid() {
            return None;
        }
        let parent = format!("00-{}-{}-{:02x}", own.trace_id(), own.span_id(), own.trace_flags().to_u8());
        Some(Self { parent, state: own.trace_state().header() })
    }

    /// Makes a span a child of this place.
    pub fn adopt(&self, span: &Span) {
        if let Some(context) = context(&self.parent, &self.state) {
            let parent = opentelemetry::Context::new().with_remote_span_context(context);
            // A span that nobody exports has no parent to be set.
            let _ = span.set_parent(parent);
        }
    }
}

/// `VERSION-TRACE-SPAN-FLAGS` in lower-case digits; a later version may have more behind it.
fn context(parent: &str, state: &str) -> Option<SpanContext> {
    let mut parts = parent.split('-');
    let [version, trace, span, flags] = [parts.next()?, parts.next()?, parts.next()?, parts.next()?];
    let digits = |text: &str, count: usize| {
        text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let more = parts.next().is_some();
    let sound = digits(version, 2) && digits(trace, 32) && digits(span, 16) && digits(flags, 2);
    if !sound || version == "ff" || (version == "00" && more) || parent.len() > 128 {
        return None;
    }
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()? & 1);
    let state = TraceState::from_str(state).unwrap_or_default();
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    Some(SpanContext::new(trace, span, flags, true, state)).filter(SpanContext::is_valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_trace_is_read_as_the_specification_has_it() {
        let trace = Trace::read(GOOD, Some("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")).unwrap();
        assert_eq!((trace.parent(), trace.state()), (GOOD, "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"));
        assert!(Trace::read(&GOOD.replacen("00-", "cc-", 1), None).is_some(), "a later version");
        assert!(Trace::read(&format!("{}-more", GOOD.replacen("00-", "01-", 1)), None).is_some());
        for bad in [
            "",
            "x",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0\"",
        ] {
            assert_eq!(Trace::read(bad, None), None, "{bad}");
        }
        for state in ["\u{1b}[2J", "é", &"x".repeat(600), "no equals sign"] {
            assert_eq!(Trace::read(GOOD, Some(state)).unwrap().state(), "", "{state}");
        }
        assert_eq!(Trace::current(), None);
    }
}
