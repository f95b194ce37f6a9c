//! Every code that this crate reports has a page, and every page has a code somewhere.
//!
//! The codes are read from the sources, so that a new one cannot be forgotten here. Capabilities bring codes of their
//! own; a page of theirs is no stray.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn pages() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors")
}

/// What stands between `"FSCK` and the closing quote, in every file below a folder.
fn codes(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in fs::read_dir(folder).expect("a folder of sources").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(codes(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let quoted = text.split('"').filter(|word| word.starts_with("FSCK") && word.len() == 7);
            found.extend(quoted.map(str::to_owned));
        }
    }
    found
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ours = codes(&here.join("src"));
    assert!(ours.contains("FSCK001") && ours.contains("FSCK010"), "the codes are found: {ours:?}");
    let anywhere = codes(here.parent().expect("crates/"));
    let names = fs::read_dir(pages()).expect("docs/errors").flatten().map(|entry| entry.file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let written: BTreeSet<String> = names
        .filter_map(|name| name.strip_suffix(".md").map(str::to_owned))
        .filter(|name| name.starts_with("FSCK"))
        .collect();
    assert!(written.is_superset(&ours), "without a page: {:?}", ours.difference(&written));
    assert!(written.is_subset(&anywhere), "without a code: {:?}", written.difference(&anywhere));
    let index = fs::read_to_string(pages().join("README.md")).expect("docs/errors/README.md");
    for code in written {
        let page = fs::read_to_string(pages().join(format!("{code}.md"))).expect("its page");
        let title = page.lines().next().and_then(|line| line.strip_prefix(&format!("# {code} ")));
        let title = title.unwrap_or_else(|| panic!("docs/errors/{code}.md opens with `# {code} title`"));
        assert!(
            index.contains(&format!("| [{code}]({code}.md) | {title} |")),
            "{code} in docs/errors/README.md"
        );
    }
}
