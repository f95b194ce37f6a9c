//! The form of a typed name: parsed once at the edge, so that inside an invalid one cannot be written.

/// Declares a newtype over a rule of `ids.toml`.
macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident, $rule:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Box<str>);

        impl $name {
            pub const RULE: $crate::rule::Rule = $rule;

            pub fn parse(text: &str) -> Result<Self, $crate::rule::BadName> {
                Self::RULE.parse(text).map(Self)
            }

            /// The form it takes in a key.
            pub fn as_key(&self) -> &str {
                &self.0
            }

            /// What the user wrote.
            pub fn text(&self) -> std::borrow::Cow<'_, str> {
                match Self::RULE.grammar {
                    $crate::rule::Grammar::Encoded => $crate::rule::decode(&self.0).unwrap_or_default(),
                    _ => std::borrow::Cow::Borrowed(&self.0),
                }
            }
        }

        $crate::id::text_traits!($name);
    };
}

/// Text in, text out: the traits that make a name usable in clap, serde and messages.
macro_rules! text_traits {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.text())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::rule::BadName;

            fn from_str(text: &str) -> Result<Self, $crate::rule::BadName> {
                Self::parse(text)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.text())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Declares an enum over the closed set of values of a rule.
macro_rules! value_type {
    ($(#[$doc:meta])* $name:ident, $rule:expr, { $($variant:ident = $value:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            pub const RULE: $crate::rule::Rule = $rule;

            pub fn parse(text: &str) -> Result<Self, $crate::rule::BadName> {
                let known = Self::ALL.iter().find(|value| value.as_key() == text);
                known.copied().map_or_else(|| Err(Self::RULE.parse(text).expect_err("not among the values")), Ok)
            }

            pub const fn as_key(&self) -> &'static str {
                match self { $(Self::$variant => $value),+ }
            }

            pub const fn text(&self) -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed(self.as_key())
            }
        }

        $crate::id::text_traits!($name);
    };
}

pub(crate) use {name_type, text_traits, value_type};
