//! Every rule of the script check, broken once.

use quorate_store::{FamilyFacts, Script, check};

const GOOD: &str = "#!lua flags=allow-oom
-- purpose: P.
-- guarantee: G.
-- keys:
--   state   test.state
--   queue   test.queue
-- keys-rest: others test.state
-- args:
--   owner   text     who
--   limit   integer  how many
-- rest: items
-- returns: { 'ok' }
-- writes: 3
-- use: now
-- layout: any
local us = now()
redis.call('DEL', state, others[1])
for _, other in ipairs(others) do
  redis.call('HDEL', other, owner)
end
redis.call('SET', queue, us) -- drains: it replaces
redis.call('PUBLISH', 'somewhere', limit)
return { 'ok', items }
";

fn families(name: &str) -> Option<FamilyFacts> {
    let tag = match name {
        "test.state" | "test.queue" => Some("task".to_owned()),
        "test.elsewhere" => Some("agent".to_owned()),
        "test.untagged" => None,
        _ => return None,
    };
    Some(FamilyFacts { tag })
}

fn problems(source: &str) -> Vec<String> {
    match Script::parse("s", source) {
        Ok(script) => check(&script, &families).iter().map(ToString::to_string).collect(),
        Err(error) => vec![error.detail().to_owned()],
    }
}

/// The problem that appears when `from` is replaced by `to` in the good script.
fn broken(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    let found = problems(&GOOD.replacen(from, to, 1));
    assert_eq!(found.len(), 1, "{from} -> {to}: {found:#?}");
    found.into_iter().next().unwrap()
}

#[test]
fn a_good_script_has_no_problem() {
    assert_eq!(problems(GOOD), [] as [&str; 0]);
}

#[test]
fn each_broken_rule_is_named_with_its_line() {
    for (from, to, expected) in [
        ("{ 'ok', items }", "{ 'ok' }", "s.lua:1: `items` is declared and never used"),
        ("owner)", "'x')", "s.lua:1: `owner` is declared and never used"),
        ("local us = now()", "local us = 1", "s.lua:1: the fragment `now` is named and never used"),
        ("'ok', items", "'ok', items, digits(us)", "s.lua:1: `digits` is called, and no fragment"),
        ("'somewhere'", "ARGV[1]", "s.lua:22: the body counts KEYS or ARGV itself"),
        (
            "writes: 3",
            "writes: 2",
            "s.lua:1: it writes in 3 places, 0 of them in fragments, and its budget is 2",
        ),
        (
            "state, others[1]",
            "state, 'x:' .. owner",
            "s.lua:17: DEL on `'x:'..owner`, which is not a declared key",
        ),
        ("ipairs(others)", "ipairs(items)", "s.lua:19: HDEL on `other`, which is not a declared key"),
        ("'PUBLISH'", "owner", "s.lua:22: the command is not written out"),
        (
            "'ok', items",
            "'ok', items, cjson.encode(items)",
            "s.lua:23: cjson.encode changes what callers sent",
        ),
        ("'ok', items", "'ok', items, os.clock()", "s.lua:23: `os` is the server's machine"),
        ("'ok', items", "'ok', items, math.random()", "s.lua:23: chance has no place in a script"),
        ("'ok', items", "'ok', items, tostring(us)", "s.lua:23: tostring loses the digits"),
        (
            "for _, other in ipairs(others)",
            "for _, other in ipairs(others) do end while true",
            "s.lua:18: the loop has no bound",
        ),
        (" -- drains: it replaces", "", "s.lua:21: SET grows a full server"),
        ("test.queue", "test.nowhere", "s.lua:1: the catalog has no family `test.nowhere`"),
        ("test.queue", "test.elsewhere", "s.lua:1: its keys do not share a hash tag"),
        ("test.queue", "test.untagged", "s.lua:1: its keys do not share a hash tag"),
    ] {
        let found = broken(from, to);
        assert!(found.starts_with(expected), "{from} -> {to}: {found}");
    }
    let long = problems(&format!("{GOOD}{}", "--\n".repeat(120)));
    assert!(long[0].contains("its body has 12") && long[0].ends_with("and 120 are enough"), "{long:?}");
}

#[test]
fn what_is_marked_is_allowed() {
    let plain = GOOD
        .replace("layout: any", "layout: plain-only, tagged counterpart other")
        .replace("test.queue", "test.elsewhere");
    assert_eq!(problems(&plain), [] as [&str; 0]);
    let ours = GOOD.replace("return { 'ok', items }", "return { 'ok', items, cjson.encode({ us }) } -- ours");
    assert_eq!(problems(&ours), [] as [&str; 0]);
}

#[test]
fn what_only_looks_like_a_breach_is_none() {
    let quoted = GOOD.replace("'somewhere'", "'KEYS[1] os.time() tostring(' -- ARGV, math.random\n ");
    assert_eq!(problems(&quoted), [] as [&str; 0]);
}

#[test]
fn a_header_that_cannot_be_read_says_why() {
    for (from, to, expected) in [
        ("#!lua flags=allow-oom", "#!lua flags=allow-stale", "s.lua:1: the flags may be"),
        ("#!lua flags=allow-oom", "-- lua", "s.lua:1: the first line is not `#!lua`"),
        ("-- guarantee: G.\n", "", "s.lua:14: the section `guarantee` is missing"),
        ("purpose: P.", "purpose:", "s.lua:15: purpose, guarantee and returns must say something"),
        (
            "-- purpose: P.\n-- guarantee: G.",
            "-- guarantee: G.\n-- purpose: P.",
            "s.lua:3: `purpose` comes too late",
        ),
        ("owner   text", "owner   string", "s.lua:9: the argument `owner` is none of"),
        ("owner   text", "state   text", "s.lua:15: `state` is declared twice"),
        ("owner   text", "end   text", "s.lua:9: `end` cannot be a local's name"),
        ("state   test.state", "state", "s.lua:5: the key `state` lacks its system.family"),
        ("writes: 3", "writes: few", "s.lua:13: `writes` is not a number"),
        ("layout: any", "layout: tagged", "s.lua:15: the layout is"),
        ("returns:", "answers:", "s.lua:12: there is no section `answers`"),
        ("use: now", "use: then", "s.lua:1: there is no fragment `then`"),
    ] {
        let found = broken(from, to);
        assert!(found.starts_with(expected), "{from} -> {to}: {found}");
    }
}
