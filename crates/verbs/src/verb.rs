//! A verb, and the form in which surfaces that know none of them by name can run it.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use quorate_catalog::Keys;
use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_plane::tokens::{Caller, Level};
use quorate_plane::trace::Trace;
use quorate_store::{ErrorKind, Watched};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess};
use serde_json::{Map, Value};

use crate::fields::Known;
use crate::{About, Kind, Verdict};

/// Something that can be asked of the plane. Its fields are what is asked; their comments are its documentation.
pub trait Verb: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    const ABOUT: About;
    type Answer: Serialize + JsonSchema + Send + Sync + 'static;

    /// An input that works, for people who look for one.
    fn example() -> Value;

    /// Which key decides whether what this shows has changed. Who has seen it can change it under the condition that
    /// nobody else has.
    fn watched(&self, _keys: &Keys) -> Option<Watched> {
        None
    }

    fn run(&self, call: &Call) -> impl Future<Output = Result<Verdict<Self::Answer>, Fault>> + Send;
}

/// Who calls, and on which plane.
#[derive(Debug, Clone)]
pub struct Call {
    pub plane: Plane,
    /// Whose word it is: the name of a token or of a person.
    pub who: String,
    /// The same for every repetition of this call, so that a repetition has no second effect.
    pub request: Option<String>,
    /// The one agent for which this caller may act.
    pub bound: Option<AgentId>,
    /// What the caller may do; everything, where nobody asked who it is.
    pub rights: Option<Arc<Caller>>,
    /// Whether the caller's process ends with the answer, so that nothing need be remembered for it.
    pub once: bool,
    /// The trace it belongs to, which what it hands on belongs to too.
    pub trace: Option<Trace>,
}

impl Call {
    pub fn new(plane: Plane, who: impl Into<String>) -> Self {
        Self { plane, who: who.into(), request: None, bound: None, rights: None, once: false, trace: None }
    }

    /// The same for a process that makes one call and ends.
    #[must_use]
    pub fn once(self) -> Self {
        Self { once: true, ..self }
    }

    /// The id under which the store remembers the answer.
    pub fn request(&self) -> String {
        self.request.clone().unwrap_or_else(quorate_plane::random_id)
    }

    /// The name under which it speaks where it gives none: its agent's, or its own.
    pub fn name(&self) -> String {
        self.bound.as_ref().map_or_else(|| self.who.clone(), ToString::to_string)
    }

    /// Whether the caller may also ask for verbs of another noun, where one answer is made of several.
    pub fn may(&self, noun: &str, level: Level) -> bool {
        self.rights.as_ref().is_none_or(|rights| rights.may(noun, level))
    }

    /// Whether the caller may act for an agent: it is bound to none, to this one, or to its parent.
    pub fn acts_for(&self, agent: &str) -> bool {
        quorate_plane::tokens::speaks_for(self.bound.as_ref(), agent)
    }
}

/// Why a call has no answer.
#[derive(Debug)]
pub enum Fault {
    /// What was asked can never be done; `field` is the one that is wrong.
    BadInput {
        field: Option<String>,
        message: String,
    },
    /// What was asked for by name is not there.
    NotFound(String),
    /// The caller may not act for this agent.
    NotYours(String),
    Store(quorate_store::Error),
}

impl Fault {
    pub fn bad(field: &str, message: impl fmt::Display) -> Self {
        Self::BadInput { field: Some(field.to_owned()), message: message.to_string() }
    }
}

impl From<quorate_store::Error> for Fault {
    fn from(error: quorate_store::Error) -> Self {
        match error.kind() {
            ErrorKind::InvalidArgument => Self::BadInput { field: None, message: error.detail().to_owned() },
            _ => Self::Store(error),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadInput { field: Some(field), message } => write!(f, "{field}: {message}"),
            Self::BadInput { message, .. } | Self::NotFound(message) => f.write_str(message),
            Self::NotYours(agent) => write!(f, "this token does not act for {agent}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

type Watch = fn(&Keys, Map<String, Value>) -> Result<Option<Watched>, Fault>;
type Run = fn(Call, Map<String, Value>) -> BoxFuture<'static, Result<Verdict<Answered>, Fault>>;

/// An answer that has no form yet: who reads it wants a document, and who sends it on wants bytes and no document first.
pub type Answered = Box<dyn Document>;

pub trait Document: Send + Sync {
    fn value(&self) -> Value;

    /// The same as JSON.
    fn bytes(&self) -> Vec<u8>;
}

impl<T: Serialize + Send + Sync> Document for T {
    fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    fn bytes(&self) -> Vec<u8> {
        // The names in an answer are text, so it can always be written.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// A verb without its type.
#[derive(Clone)]
pub struct Entry {
    pub about: About,
    pub input: Schema,
    pub answer: Schema,
    pub example: Value,
    fields: Known,
    watch: Watch,
    run: Run,
}

impl Entry {
    pub(crate) fn of<V: Verb>() -> Self {
        let settings = || SchemaSettings::draft2020_12().with(|all| all.inline_subschemas = true);
        let input = settings().into_generator().into_root_schema_for::<V>();
        // What an answer leaves out where there is nothing to say is not promised.
        let answer = settings().for_serialize().into_generator().into_root_schema_for::<V::Answer>();
        Self {
            about: V::ABOUT,
            fields: Known::of(&input),
            input,
            answer,
            example: V::example(),
            watch: |keys, input| Ok(read::<V>(input)?.watched(keys)),
            run: |call, input| Box::pin(run::<V>(call, input)),
        }
    }

    /// Runs it with an input whose fields have their right names.
    pub async fn run(&self, call: Call, input: Map<String, Value>) -> Result<Verdict<Value>, Fault> {
        Ok(self.answer(call, input).await?.map(|answer| answer.value()))
    }

    /// The same, with an answer that has no form yet.
    pub async fn answer(&self, call: Call, input: Map<String, Value>) -> Result<Verdict<Answered>, Fault> {
        if let Some(agent) = self.about.actor.and_then(|field| input.get(field)?.as_str())
            && !call.acts_for(agent)
        {
            return Err(Fault::NotYours(agent.to_owned()));
        }
        (self.run)(call, input).await
    }

    /// Which key decides whether what it shows has changed.
    pub fn watched(&self, keys: &Keys, input: Map<String, Value>) -> Result<Option<Watched>, Fault> {
        (self.watch)(keys, input)
    }

    /// The names of the fields of its input.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.names()
    }

    /// What a field of its input may be, if it has one of this name.
    pub fn kinds(&self, name: &str) -> Option<&[Kind]> {
        self.fields.kinds(name)
    }

    /// The schema of a field of its input.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.input.get("properties")?.get(name)
    }
}

async fn run<V: Verb>(call: Call, input: Map<String, Value>) -> Result<Verdict<Answered>, Fault> {
    let verdict = read::<V>(input)?.run(&call).await?;
    Ok(verdict.map(|answer| Box::new(answer) as Answered))
}

fn read<V: Verb>(input: Map<String, Value>) -> Result<V, Fault> {
    let mut at = Name::default();
    let fields = Fields { rest: input.into_iter(), value: Value::Null, at: &mut at };
    V::deserialize(MapAccessDeserializer::new(fields)).map_err(|error| bad_input(&error, at.as_str()))
}

/// What is missing stands only in the reader's text; what is wrong is the field that it was at.
fn bad_input(error: &serde_json::Error, at: Option<&str>) -> Fault {
    let text = error.to_string();
    let missing = text.strip_prefix("missing field").and_then(|rest| rest.split('`').nth(1));
    Fault::BadInput { field: missing.or(at).map(str::to_owned), message: text }
}

/// The fields of an input, one after another, which say which one is being read.
struct Fields<'n> {
    rest: serde_json::map::IntoIter,
    value: Value,
    at: &'n mut Name,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> serde_json::Result<Option<K::Value>> {
        let Some((name, value)) = self.rest.next() else {
            // What is found wrong from here on is no single field's fault.
            self.at.note("");
            return Ok(None);
        };
        self.value = value;
        self.at.note(&name);
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> serde_json::Result<V::Value> {
        seed.deserialize(std::mem::take(&mut self.value))
    }
}

/// The name of a field. Every request writes some and hardly one is ever looked at, so it has its place on the stack.
#[derive(Default)]
struct Name {
    bytes: [u8; 32],
    len: usize,
}

impl Name {
    fn note(&mut self, name: &str) {
        // Our own names are shorter; of another one nothing is said.
        self.len = if name.len() <= self.bytes.len() { name.len() } else { 0 };
        self.bytes[..self.len].copy_from_slice(&name.as_bytes()[..self.len]);
    }

    fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes[..self.len]).ok().filter(|name| !name.is_empty())
    }
}
