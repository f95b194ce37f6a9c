//! `cargo fuzz run codec`: the key codec under arbitrary bytes. The property is the one the tests hold.

#![no_main]

#[path = "../../crates/catalog/tests/support/codec.rs"]
mod codec;

libfuzzer_sys::fuzz_target!(|data: &[u8]| codec::holds(data));
