//! What every verb needs.

pub(crate) use quorate_catalog::Keys;
pub(crate) use quorate_store::Watched;
pub(crate) use schemars::JsonSchema;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::{Value, json};

pub(crate) use crate::said::{Blob, Lease, Said, Span, Ttl, Within};
pub(crate) use crate::{About, Actor, Call, Effect, Entry, Fault, Level, Method, Refused, Verb, Verdict};
