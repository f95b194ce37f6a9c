//! A verb, and the form in which surfaces that know none of them by name can run it.

use std::fmt;

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
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{About, Verdict};

/// Something that can be asked of the plane. Its fields are what is asked; their comments are its documentation.
pub trait Verb: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    const ABOUT: About;
    type Answer: Serialize + JsonSchema + Send;

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
    pub rights: Option<Caller>,
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
type Run = fn(Call, Map<String, Value>) -> BoxFuture<'static, Result<Verdict<Value>, Fault>>;

/// A verb without its type.
#[derive(Clone)]
pub struct Entry {
    pub about: About,
    pub input: Schema,
    pub answer: Schema,
    pub example: Value,
    watch: Watch,
    run: Run,
}

impl Entry {
    pub(crate) fn of<V: Verb>() -> Self {
        let schema = |own: fn(&mut schemars::SchemaGenerator) -> Schema| {
            let mut generator =
                SchemaSettings::draft2020_12().with(|all| all.inline_subschemas = true).into_generator();
            own(&mut generator)
        };
        Self {
            about: V::ABOUT,
            input: schema(|generator| generator.root_schema_for::<V>()),
            answer: schema(|generator| generator.root_schema_for::<V::Answer>()),
            example: V::example(),
            watch: |keys, input| Ok(read::<V>(input)?.watched(keys)),
            run: |call, input| Box::pin(run::<V>(call, input)),
        }
    }

    /// Runs it with an input whose fields have their right names.
    pub async fn run(&self, call: Call, input: Map<String, Value>) -> Result<Verdict<Value>, Fault> {
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

    /// The schema of a field of its input.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.input.get("properties")?.get(name)
    }
}

async fn run<V: Verb>(call: Call, input: Map<String, Value>) -> Result<Verdict<Value>, Fault> {
    let verdict = read::<V>(input)?.run(&call).await?;
    let document = |answer: V::Answer| serde_json::to_value(answer).unwrap_or(Value::Null);
    Ok(verdict.map(document))
}

fn read<V: Verb>(input: Map<String, Value>) -> Result<V, Fault> {
    serde_json::from_value(Value::Object(input)).map_err(|error| bad_input(&error))
}

/// The reader names the field it stumbled over only in its text.
fn bad_input(error: &serde_json::Error) -> Fault {
    let text = error.to_string();
    let field = text.split('`').nth(1).filter(|_| text.starts_with("missing field"));
    Fault::BadInput { field: field.map(str::to_owned), message: text }
}
