//! Every code that an answer may have has a page that says the same as the table.

use std::fs;
use std::path::Path;

use quorate_plane::Refusal;

/// The words of a page or of a table, without the marks of either.
fn words(text: &str) -> String {
    let text = text.replace("{}", "…").replace('\n', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[test]
fn every_code_has_a_page_that_says_what_the_table_says() {
    let own = quorate_server::CODES.iter().map(|(code, _, means, todo)| (*code, *means, *todo));
    let all: Vec<_> = Refusal::all().iter().copied().chain(own).collect();
    for (code, means, todo) in all {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/errors/{code}.md"));
        let page = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(page.lines().next(), Some(format!("# {code}").as_str()), "docs/errors/{code}.md");
        for sentence in [means, todo] {
            assert!(
                words(&page).contains(&words(sentence)),
                "docs/errors/{code}.md does not say: {sentence}"
            );
        }
    }
}
