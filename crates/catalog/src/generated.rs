//! What `cargo xtask codegen` derives from the catalog: committed, and compared with the catalog by a test.
//!
//! The formatter leaves these files alone, so that the generator's text is the file's text.

#[rustfmt::skip]
mod families;
#[rustfmt::skip]
pub mod ids;
#[rustfmt::skip]
pub mod prefixes;

#[rustfmt::skip]
pub mod ade;
#[rustfmt::skip]
pub mod fleetclaw;
#[rustfmt::skip]
pub mod quorate;
#[rustfmt::skip]
pub mod relayna;
#[rustfmt::skip]
pub mod reverie;
#[rustfmt::skip]
pub mod skynet;

pub use families::FamilyId;
