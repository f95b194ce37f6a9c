//! The locals that stand in for `KEYS` and `ARGV`.
//!
//! Numbers are refused in the server too, though [`super::run`] has checked them: a script may be called by others.

use super::header::{ArgKind, ArgSpec, Header};

/// Those of the names that are wanted, all on one line.
pub(super) fn of(header: &Header, wanted: &dyn Fn(&str) -> bool) -> String {
    let keys = header
        .keys
        .iter()
        .enumerate()
        .filter(|(_, key)| wanted(&key.name))
        .map(|(index, key)| format!("local {} = KEYS[{}]", key.name, index + 1));
    let args = header
        .args
        .iter()
        .enumerate()
        .filter(|(_, arg)| wanted(&arg.name))
        .map(|(index, arg)| argument(arg, index + 1));
    let mut lines: Vec<String> = keys.chain(args).collect();
    let rest = header.keys_rest.as_ref().filter(|rest| wanted(&rest.name));
    lines.extend(rest.map(|rest| table(&rest.name, "KEYS", header.keys.len())));
    let rest = header.rest.as_ref().filter(|rest| wanted(rest));
    lines.extend(rest.map(|rest| table(rest, "ARGV", header.args.len())));
    lines.join(" ")
}

fn argument(ArgSpec { name, kind, .. }: &ArgSpec, index: usize) -> String {
    let wrong = match kind {
        ArgKind::Text | ArgKind::Json | ArgKind::Request | ArgKind::Again => {
            return format!("local {name} = ARGV[{index}]");
        }
        // Infinity and not-a-number leave a remainder that is not zero either.
        ArgKind::Integer => {
            format!("{name} % 1 ~= 0 or {name} > 9007199254740992 or {name} < -9007199254740992")
        }
        ArgKind::Number => format!("{name} - {name} ~= 0"),
    };
    let what = if *kind == ArgKind::Integer { "an exact integer" } else { "a finite number" };
    format!(
        "local {name} = tonumber(ARGV[{index}]) if not {name} or {wrong} then \
         return redis.error_reply('ARGUMENT {name} is not {what}') end"
    )
}

/// A loop and not `unpack`, which fails beyond some thousand values; or the server's own table, if it has nothing else.
fn table(name: &str, from: &str, skip: usize) -> String {
    if skip == 0 {
        return format!("local {name} = {from}");
    }
    format!("local {name} = {{}} for i = {}, #{from} do {name}[i - {skip}] = {from}[i] end", skip + 1)
}
