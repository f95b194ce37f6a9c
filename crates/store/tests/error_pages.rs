//! Every code of the table has a page, and every page has a code.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use quorate_store::ErrorKind;

fn pages() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors")
}

#[test]
fn every_code_has_a_page_that_opens_with_its_title() {
    let index = fs::read_to_string(pages().join("README.md")).expect("docs/errors/README.md");
    for kind in ErrorKind::ALL {
        let (code, title) = (kind.code(), kind.title());
        let page = fs::read_to_string(pages().join(format!("{code}.md"))).unwrap_or_default();
        assert_eq!(page.lines().next(), Some(format!("# {code} {title}").as_str()), "docs/errors/{code}.md");
        assert!(
            index.contains(&format!("| [{code}]({code}.md) | {title} |")),
            "{code} in docs/errors/README.md"
        );
    }
}

#[test]
fn no_page_is_left_of_a_code_that_is_gone() {
    let codes: BTreeSet<String> = ErrorKind::ALL.iter().map(|kind| format!("{}.md", kind.code())).collect();
    let names = fs::read_dir(pages()).expect("docs/errors").flatten().map(|entry| entry.file_name());
    let written: BTreeSet<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.starts_with("STORE"))
        .collect();
    assert_eq!(written, codes);
}
