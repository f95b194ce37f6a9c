//! The catalog: every key family of the plane, declared once under `catalog/` and derived from there.
//!
//! # Layout
//! - [`model`]: what a family says about itself.
//! - [`load`]: TOML to model, with errors that name file and line.
//! - [`rule`]: what may stand in a placeholder, and [`pattern`]: how a key is spelled.
//! - [`space`]: a deployment's namespace, layout and prefixes; [`generated`] has the typed builders.
//! - [`matcher`]: from a concrete key back to its family and bindings.
//! - [`text`]: foreign text, made harmless to show.
//! - [`codegen`]: builders and reference pages, as text.
//!
//! **Invariant:** this crate does no I/O and knows no server. No other crate spells a key.

pub mod codegen;
pub mod generated;
mod id;
pub mod load;
pub mod matcher;
pub mod model;
pub mod overlap;
pub mod pattern;
pub mod rule;
pub mod space;
pub mod text;

pub use generated::FamilyId;
pub use generated::ids;
pub use generated::prefixes::Prefixes;
pub use load::{Catalog, LoadError};
pub use matcher::{Match, Matcher};
pub use model::{Family, Kind, System};
pub use rule::{BadName, Rule};
pub use space::{Key, Keys, Layout, Namespace};
