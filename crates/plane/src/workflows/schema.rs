//! JSON Schemas of payloads: checked when a workflow is defined, when work is given to a stage, and when it is begun.
//!
//! Nothing is fetched, and patterns run in linear time, so that a hostile schema or payload costs no more than its size.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

/// Longest reason that is told.
const MOST: usize = 300;

pub(super) fn compile(schema: &Value) -> Result<Validator, String> {
    let options = jsonschema::options().with_pattern_options(PatternOptions::regex());
    options.build(schema).map_err(|error| cut(&error.to_string()))
}

/// Says in one sentence why a payload does not satisfy the schema.
pub(super) fn check(schema: &Value, payload: &Value) -> Result<(), String> {
    let validator = compile(schema)?;
    validator.validate(payload).map_err(|error| {
        let place = error.instance_path().to_string();
        let place = if place.is_empty() { "the payload".to_owned() } else { place };
        cut(&format!("{place}: {error}"))
    })
}

fn cut(text: &str) -> String {
    text.chars().take(MOST).collect()
}
