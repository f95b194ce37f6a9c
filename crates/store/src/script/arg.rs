//! One argument of a script, as bytes.

use std::borrow::Cow;

use crate::time::Micros;

/// An argument. Numbers are written with all their digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg<'a>(Cow<'a, [u8]>);

impl Arg<'_> {
    /// The bytes that are sent.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

macro_rules! borrowed {
    ($($from:ty => |$it:ident| $bytes:expr;)*) => {
        $(impl<'a> From<&'a $from> for Arg<'a> {
            fn from($it: &'a $from) -> Self { Self(Cow::Borrowed($bytes)) }
        })*
    };
}

macro_rules! written {
    ($($from:ty)*) => {
        $(impl From<$from> for Arg<'_> {
            fn from(number: $from) -> Self { Self(Cow::Owned(number.to_string().into_bytes())) }
        })*
    };
}

borrowed! {
    str => |text| text.as_bytes();
    String => |text| text.as_bytes();
    [u8] => |bytes| bytes;
    Vec<u8> => |bytes| bytes;
}

written! { i32 i64 u32 u64 usize f64 }

impl From<String> for Arg<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text.into_bytes()))
    }
}

impl From<Vec<u8>> for Arg<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Cow::Owned(bytes))
    }
}

impl From<Micros> for Arg<'_> {
    fn from(instant: Micros) -> Self {
        instant.get().into()
    }
}

/// Arguments of different types for [`crate::Store::run`]: `args![name, 5, &payload]`.
#[macro_export]
macro_rules! args {
    ($($arg:expr),* $(,)?) => { [$($crate::Arg::from($arg)),*] };
}
