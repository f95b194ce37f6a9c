//! A catalog that could be misread is refused, and the error says where.

use quorate_catalog::Catalog;
use quorate_catalog::load::SourceFile;

const IDS: &str = "[agent]\ntype = \"id\"\nreserved = [\"index\"]\ndoc = \"An agent.\"\n";
const SYSTEM: &str = "format = 1\ntitle = \"T\"\ndoc = \"D.\"\n";

fn family(name: &str, pattern: &str, more: &str) -> String {
    let defaults = [
        ("kind", "\"hash\""),
        ("role", "\"authority\""),
        ("purpose", "\"One thing about an agent.\""),
        ("seed", "\"S\""),
        ("sample", "\"a:x\""),
        ("writers", "[]"),
        ("readers", "[]"),
        ("retention", "{ none = true }"),
    ];
    let own: Vec<&str> = more.lines().filter_map(|line| line.split_once(" = ").map(|(key, _)| key)).collect();
    let rest = defaults
        .iter()
        .filter(|(key, _)| !own.contains(key))
        .map(|(key, value)| format!("{key} = {value}\n"));
    format!("\n[[family]]\nname = \"{name}\"\npattern = \"{pattern}\"\n{more}\n{}", rest.collect::<String>())
}

fn problems(families: &str) -> String {
    let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
    let files = [file("ids.toml", IDS), file("sys/system.toml", SYSTEM), file("sys/agents.toml", families)];
    Catalog::load(&files).err().map(|error| error.to_string()).unwrap_or_default()
}

fn check(families: &str, expected: &str) {
    let found = problems(families);
    assert!(found.contains(expected), "expected {expected:?} in {found:?}");
}

#[test]
fn a_sound_catalog_loads() {
    assert_eq!(problems(&family("one", "a:<agent>", "")), "");
}

#[test]
fn every_mistake_is_named_with_file_and_line() {
    check(&family("one", "a:<agent>", "colour = \"red\""), "sys/agents.toml:5: unknown field `colour`");
    check(
        &family("one", "a:<agent>", "purpose = \"\""),
        "sys/agents.toml:3: one: `purpose` must be a sentence",
    );
    check(&family("one", "a:<nobody>", ""), "sys/agents.toml:3: <nobody>: ids.toml has no entry `nobody`");
    check(&family("one", "a:<agent>", "sample = \"a:b c\""), "sample a:b c does not fit a:<agent>");
    check(&family("one", "a:<agent>", "retention = { }"), "`retention` says nothing");
    check(&family("one", "a:<agent>", "retention = { ttl = \"soon\" }"), "\"soon\" is not a duration");
    check(&family("one", "a:<agent>", "kind = \"zset\""), "a zset says in `score`");
    check(&family("one", "a:<agent>", "kind = \"tree\""), "sys/agents.toml:5:");
    check(&family("one", "a:<agent>", "tagged = \"a:{b}\""), "do not have the same placeholders");
    check(
        &family("one", "~q:<agent>", "sample = \"~q:x\""),
        "internal keys, and only they, live under `~q:`",
    );
    let twice = family("one", "a:<agent>", "") + &family("one", "b:<agent>", "sample = \"b:x\"");
    check(&twice, "`one` is declared twice");
}

#[test]
fn a_missing_purpose_is_an_error() {
    let without = family("one", "a:<agent>", "").replace("purpose = \"One thing about an agent.\"\n", "");
    check(&without, "missing field `purpose`");
}

#[test]
fn two_families_may_not_claim_one_key() {
    let two = |pattern: &str, sample: &str| {
        family("one", "a:<agent>", "") + &family("two", pattern, &format!("sample = \"{sample}\""))
    };
    check(&two("a:all", "a:all"), "could claim the same key; reserve a word");
    assert_eq!(problems(&two("a:index", "a:index")), "", "a reserved word settles it");
    assert_eq!(problems(&two("a:<agent>:b", "a:x:b")), "");
    assert_eq!(problems(&two("a:__global__", "a:__global__")), "", "the grammar settles it");
}

#[test]
fn an_unknown_format_is_not_guessed_at() {
    let files =
        [SourceFile { path: "s/system.toml".into(), text: SYSTEM.replace("format = 1", "format = 2") }];
    let error = Catalog::load(&files).expect_err("format 2").to_string();
    assert!(error.contains("s/system.toml:1: format 2 is not known here"), "{error}");
}
