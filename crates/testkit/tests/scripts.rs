//! Every script of every crate keeps its header: what it declares is what it does.

use std::path::Path;

use quorate_store::{catalog_facts, check_all};

#[test]
fn every_script_does_what_its_header_says() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/");
    let folders = std::fs::read_dir(crates).expect("crates/").flatten().map(|entry| entry.path().join("src"));
    let problems: Vec<String> = folders
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| check_all(&folder, &catalog_facts).expect("readable scripts"))
        .map(|problem| problem.to_string())
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
