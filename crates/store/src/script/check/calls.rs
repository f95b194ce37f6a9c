//! Rules on the commands a script sends: keys that are declared, a write budget, and no growth when the server is full.

use super::View;
use crate::script::tokens::{RedisCall, Token, redis_calls, writes_in};

/// Commands that make data grow; with `allow-oom` they would fill a server that is already full.
const GROWING: &[&str] = &[
    "APPEND",
    "BITFIELD",
    "BITOP",
    "COPY",
    "DECR",
    "DECRBY",
    "GEOADD",
    "GETSET",
    "HINCRBY",
    "HINCRBYFLOAT",
    "HMSET",
    "HSET",
    "HSETNX",
    "INCR",
    "INCRBY",
    "INCRBYFLOAT",
    "LINSERT",
    "LMOVE",
    "LPUSH",
    "LPUSHX",
    "MSET",
    "MSETEX",
    "MSETNX",
    "PFADD",
    "PSETEX",
    "RPOPLPUSH",
    "RPUSH",
    "RPUSHX",
    "SADD",
    "SDIFFSTORE",
    "SET",
    "SETBIT",
    "SETEX",
    "SETNX",
    "SETRANGE",
    "SINTERSTORE",
    "SMOVE",
    "SUNIONSTORE",
    "XADD",
    "XGROUP",
    "ZADD",
    "ZINCRBY",
    "ZINTERSTORE",
    "ZRANGESTORE",
    "ZUNIONSTORE",
];
const KEYLESS: &[&str] = &["PUBLISH", "SPUBLISH", "TIME"];
const ALL_KEYS: &[&str] =
    &["DEL", "EXISTS", "MGET", "PFCOUNT", "SDIFF", "SINTER", "SUNION", "TOUCH", "UNLINK"];
const TWO_KEYS: &[&str] = &["COPY", "LMOVE", "RENAME", "RENAMENX", "RPOPLPUSH", "SMOVE", "ZRANGESTORE"];
const SECOND: &[&str] = &["BITOP", "MEMORY", "OBJECT", "XGROUP", "XINFO"];

impl View<'_> {
    pub(super) fn calls(&mut self) {
        let tokens = &self.body.tokens;
        for call in redis_calls(tokens) {
            match call.command() {
                Some(name) => self.call(&name, &call),
                None if self.marked(call.line, "allow-listed") => {}
                None => self.problem(call.line, "the command is not written out, so nobody can check it"),
            }
        }
        self.budget(writes_in(tokens));
    }

    fn budget(&mut self, in_body: usize) {
        let in_fragments: usize = self.script.fragments().iter().map(|fragment| fragment.writes()).sum();
        let (found, allowed) = (in_body + in_fragments, self.script.header().writes);
        if found > allowed {
            self.problem_at(1, format!("it writes in {found} places, {in_fragments} of them in fragments, and its budget is {allowed}"));
        }
    }

    fn call(&mut self, name: &str, call: &RedisCall<'_, '_>) {
        let full = self.script.header().flags.iter().any(|flag| flag == "allow-oom");
        if full && GROWING.contains(&name) && !self.marked(call.line, "drains") {
            self.problem(
                call.line,
                format!("{name} grows a full server; drop allow-oom, or say `-- drains` and why"),
            );
        }
        for key in keys(name, call) {
            if !self.is_declared(key) {
                let text: String = key.iter().map(|token| token.text).collect();
                self.problem(call.line, format!("{name} on `{text}`, which is not a declared key"));
            }
        }
    }

    /// A declared key, one of the declared further keys, all of them, or the variable of a loop over them.
    fn is_declared(&self, key: &[Token<'_>]) -> bool {
        let header = self.script.header();
        let declared = |name: &str| header.keys.iter().any(|key| key.name == name);
        let further = |name: &str| header.keys_rest.as_ref().is_some_and(|rest| rest.name == name);
        let reached = |name: &str| header.reaches.iter().any(|key| key.name == name);
        match key {
            [name, open, .., close] if reached(name.text) => open.text == "(" && close.text == ")",
            [name] => declared(name.text) || self.runs_over(name.text, further),
            [name, open, .., close] if further(name.text) => open.text == "[" && close.text == "]",
            [unpack, _, name, ..] => {
                unpack.text == "unpack" && (further(name.text) || self.chosen_of(name.text, further))
            }
            _ => false,
        }
    }

    /// Whether all that is ever put into the table `name` is `further[…]`.
    fn chosen_of(&self, name: &str, further: impl Fn(&str) -> bool) -> bool {
        let tokens = &self.body.tokens;
        let put: Vec<bool> = (0..tokens.len())
            .filter(|&at| tokens[at].text == name && tokens.get(at + 1).is_some_and(|open| open.text == "["))
            .filter_map(|at| {
                let close = at + tokens[at..].iter().position(|token| token.text == "]")?;
                let [sign, from, open] = tokens.get(close + 1..close + 4)? else { return None };
                (sign.text == "=").then_some(open.text == "[" && further(from.text))
            })
            .collect();
        !put.is_empty() && put.into_iter().all(|right| right)
    }

    /// Whether `for _, name in ipairs(further)` is somewhere in the body.
    fn runs_over(&self, name: &str, further: impl Fn(&str) -> bool) -> bool {
        self.body.tokens.windows(5).any(|window| {
            window[0].text == name
                && window[1].text == "in"
                && window[2].text == "ipairs"
                && further(window[4].text)
        })
    }
}

/// The arguments of a call that are keys.
fn keys<'t, 'a>(name: &str, call: &RedisCall<'t, 'a>) -> Vec<&'t [Token<'a>]> {
    let args = &call.args;
    if KEYLESS.contains(&name) {
        return Vec::new();
    }
    if matches!(name, "XREAD" | "XREADGROUP") {
        let after = |arg: &&[Token<'_>]| !matches!(arg, [word] if word.quoted().is_some_and(|w| w.eq_ignore_ascii_case("streams")));
        return args.iter().copied().skip_while(after).skip(1).take(1).collect();
    }
    let (first, count) = match name {
        _ if SECOND.contains(&name) => (2, 1),
        _ if ALL_KEYS.contains(&name) => (1, usize::MAX),
        _ if TWO_KEYS.contains(&name) => (1, 2),
        _ => (1, 1),
    };
    args.iter().copied().skip(first).take(count).collect()
}
