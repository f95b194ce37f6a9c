//! The fields of a verb and what each may be, read from its schema once: every request looks them up, and a schema is slow to ask.

use schemars::Schema;
use serde_json::Value;

/// A JSON type that a field may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Boolean,
    List,
}

impl Kind {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Text, "string"),
        (Self::Integer, "integer"),
        (Self::Boolean, "boolean"),
        (Self::List, "array"),
    ];
}

/// Each field with its kinds. There are few, so that going through them is faster than any index.
#[derive(Debug, Clone)]
pub(crate) struct Known(Vec<(String, Vec<Kind>)>);

impl Known {
    pub(crate) fn of(input: &Schema) -> Self {
        let all = input.get("properties").and_then(Value::as_object).into_iter().flatten();
        Self(all.map(|(name, schema)| (name.clone(), kinds(schema))).collect())
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    pub(crate) fn kinds(&self, name: &str) -> Option<&[Kind]> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, kinds)| kinds.as_slice())
    }
}

fn kinds(schema: &Value) -> Vec<Kind> {
    Kind::ALL.iter().filter(|(_, word)| allows(schema, word)).map(|(kind, _)| *kind).collect()
}

fn allows(schema: &Value, word: &str) -> bool {
    let own = match schema.get("type") {
        Some(Value::String(one)) => one == word,
        Some(Value::Array(all)) => all.iter().any(|one| one == word),
        _ => false,
    };
    let any = schema.get("anyOf").and_then(Value::as_array);
    own || any.is_some_and(|all| all.iter().any(|one| allows(one, word)))
}
