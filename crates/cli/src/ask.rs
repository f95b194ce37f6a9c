//! Asking the plane: the document is the verb's, the view is ours.

use quorate_plane::Plane;
use quorate_plane::trace::Trace;
use quorate_verbs::{Call, Verb, Verdict};

use crate::args::Format;
use crate::failure::Failure;
use crate::out::{self, Answer, View};
use crate::refusal::told;

/// Who asks, where a verb does not say.
pub(crate) const OPERATOR: &str = "operator";

/// Asks on behalf of whoever runs this.
pub(crate) async fn ask<V: Verb>(
    plane: &Plane,
    verb: &V,
    view: impl FnOnce(&V::Answer) -> View,
) -> Result<Answer, Failure> {
    ask_as(plane, OPERATOR, verb, view).await
}

/// Asks on behalf of somebody.
pub(crate) async fn ask_as<V: Verb>(
    plane: &Plane,
    who: &str,
    verb: &V,
    view: impl FnOnce(&V::Answer) -> View,
) -> Result<Answer, Failure> {
    let verdict = verb.run(&call(plane, who)).await?;
    if let Verdict::Refused(refused) = &verdict {
        plane.refused(&refused.why.code);
        // It is a figure: that it could not be written changes nothing about the answer.
        let _ = plane.note_refusals().await;
    }
    Ok(told(verdict, view))
}

/// Asks for a page of the list `field`. As lines it is the list alone; where the next page begins is said beside it.
pub(crate) async fn ask_page<V: Verb>(
    plane: &Plane,
    verb: &V,
    (format, field): (Format, &str),
    view: impl FnOnce(&V::Answer) -> View,
) -> Result<Answer, Failure> {
    let mut answer = ask(plane, verb, view).await?;
    if let Some(cursor) = answer.json["cursor"].as_str().filter(|_| format != Format::Json) {
        out::talk(&format!("there are more: --cursor {cursor}"));
    }
    if format == Format::Ndjson && answer.json[field].is_array() {
        answer.json = answer.json[field].take();
    }
    Ok(answer)
}

/// A call of a process that ends with its answer.
pub(crate) fn call(plane: &Plane, who: &str) -> Call {
    Call { trace: trace(), ..Call::new(plane.clone(), who).once() }
}

/// The trace that this process runs in, as the variables of W3C's draft for command lines have it.
fn trace() -> Option<Trace> {
    Trace::read(&std::env::var("TRACEPARENT").ok()?, std::env::var("TRACESTATE").ok().as_deref())
}
