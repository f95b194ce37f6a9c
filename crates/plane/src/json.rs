//! JSON of callers: an object whose fields stay as they were written.
//!
//! A field that nobody here reads must come out as it went in, a number of forty digits included, so only the top
//! level is taken apart. Everything below is checked on the way in: two fields of one name have no one meaning, and
//! what is nested too deeply would trip a later reader.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Longest text of an object, in bytes.
pub const OBJECT_MAX: usize = 64 * 1024;

/// Says in one sentence why a text is no JSON that every later reader understands; any value will do.
pub fn check(text: &str) -> Result<(), String> {
    if text.len() > OBJECT_MAX {
        return Err(format!("it has {} bytes, and {OBJECT_MAX} are the most", text.len()));
    }
    serde_json::from_str::<Checked>(text).map(drop).map_err(|error| format!("it is not JSON: {error}"))
}

/// A JSON object by its fields.
#[derive(Debug, Clone, Default)]
pub struct Object(Vec<(String, Box<RawValue>)>);

impl Object {
    /// Reads an object, or says in one sentence why the text is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::within(text, OBJECT_MAX)
    }

    /// As [`Self::parse`], for a text of up to so many bytes.
    pub fn within(text: &str, most: usize) -> Result<Self, String> {
        if text.len() > most {
            return Err(format!("it has {} bytes, and {most} are the most", text.len()));
        }
        if !text.trim_start().starts_with('{') {
            return Err("it is not a JSON object".to_owned());
        }
        serde_json::from_str::<Checked>(text).map_err(|error| format!("it is not a JSON object: {error}"))?;
        serde_json::from_str(text).map_err(|error| format!("it is not a JSON object: {error}"))
    }

    /// Its fields over those of `old`; a field of `old` that it does not name stays as it was.
    #[must_use]
    pub fn over(self, old: Self) -> Self {
        let mut all = old.0;
        for (name, value) in self.0 {
            match all.iter_mut().find(|(known, _)| *known == name) {
                Some((_, place)) => *place = value,
                None => all.push((name, value)),
            }
        }
        Self(all)
    }

    /// A field as it was written.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.get())
    }

    /// Whether every field of it is one of `whole`, as it was written.
    pub(crate) fn is_part_of(&self, whole: &Self) -> bool {
        self.0.iter().all(|(name, value)| whole.get(name) == Some(value.get()))
    }

    /// Whether a field is there and says something.
    pub fn says(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "null")
    }

    /// A field that is a text; nothing where it is absent or null.
    pub fn text(&self, name: &str) -> Result<Option<String>, String> {
        match self.get(name).filter(|_| self.says(name)) {
            None => Ok(None),
            Some(value) => serde_json::from_str(value).map(Some).map_err(|_| format!("{name} is no text")),
        }
    }

    /// Puts a text in a field's place, or behind the others.
    pub fn set_text(&mut self, name: &str, text: &str) {
        let value = RawValue::from_string(serde_json::Value::from(text).to_string()).expect("a text is JSON");
        match self.0.iter_mut().find(|(own, _)| own == name) {
            Some((_, place)) => *place = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(own, _)| own != name);
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = |(name, value): &(String, Box<RawValue>)| {
            format!("{}:{}", serde_json::Value::from(name.as_str()), value.get())
        };
        write!(f, "{{{}}}", self.0.iter().map(field).collect::<Vec<_>>().join(","))
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// Walks a whole document: no object in it has a name twice.
struct Checked;

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Checked {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            map.next_value::<Self>()?;
            if !names.insert(name) {
                return Err(serde::de::Error::custom("a name stands in it twice"));
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_come_out_as_they_went_in() {
        let old = r#"{"n":123456789012345678901234567890,"x":1.10,"keep":{"a" : [1, 2]}}"#;
        let new = Object::parse(r#"{"x":2,"y":"\u00e9"}"#).unwrap();
        assert_eq!(
            new.over(Object::parse(old).unwrap()).to_string(),
            r#"{"n":123456789012345678901234567890,"x":2,"keep":{"a" : [1, 2]},"y":"\u00e9"}"#
        );
    }

    #[test]
    fn what_is_no_object_is_refused_with_a_reason() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(1_000), "]".repeat(1_000));
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(OBJECT_MAX));
        for bad in [
            "",
            "[]",
            "1",
            "null",
            "\"a\"",
            "{",
            "{\"a\":1,}",
            "{\"a\":1}x",
            "\u{feff}{}",
            "{\"a\":1,\"a\":2}",
            "{\"a\":{\"b\":1,\"b\":2}}",
            "{\"a\":\"\\ud800\"}",
            &deep,
            &long,
        ] {
            assert!(Object::parse(bad).is_err(), "{bad:.40}");
        }
    }
}
