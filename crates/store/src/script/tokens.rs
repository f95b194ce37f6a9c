//! Just enough of Lua's lexical grammar to look at a script without being fooled by strings and comments.

use crate::command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Text,
    Number,
    Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

impl<'a> Token<'a> {
    /// What a quoted string says; escapes stay as they are, for command names have none.
    pub(crate) fn quoted(&self) -> Option<&'a str> {
        (self.kind == Kind::Text).then(|| self.text.trim_matches(['\'', '"']))
    }
}

/// The tokens of a piece of Lua, and its comments by line. Lines count from 1.
pub(crate) struct Tokens<'a> {
    pub(crate) tokens: Vec<Token<'a>>,
    pub(crate) comments: Vec<(usize, &'a str)>,
}

pub(crate) fn tokens(source: &str) -> Tokens<'_> {
    let mut found = Tokens { tokens: Vec::new(), comments: Vec::new() };
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let (kind, length) = measure(rest, first);
        let (text, after) = rest.split_at(length);
        match kind {
            Some(kind) => found.tokens.push(Token { kind, text, line }),
            None if text.starts_with("--") => found.comments.push((line, text)),
            None => {}
        }
        line += text.matches('\n').count();
        rest = after;
    }
    found
}

/// The kind and the length of what stands first; no kind for blanks and comments.
fn measure(rest: &str, first: char) -> (Option<Kind>, usize) {
    let span = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
    if let Some(comment) = rest.strip_prefix("--") {
        return (
            None,
            2 + long_bracket(comment).unwrap_or_else(|| comment.find('\n').unwrap_or(comment.len())),
        );
    }
    match first {
        _ if first.is_whitespace() => (None, span(char::is_whitespace)),
        'a'..='z' | 'A'..='Z' | '_' => (Some(Kind::Word), span(|c| c.is_ascii_alphanumeric() || c == '_')),
        '0'..='9' => (Some(Kind::Number), span(|c| c.is_ascii_alphanumeric() || c == '.')),
        '\'' | '"' => (Some(Kind::Text), quoted(rest, first)),
        '[' if long_bracket(rest).is_some() => (Some(Kind::Text), long_bracket(rest).unwrap_or(1)),
        _ => (Some(Kind::Sign), sign(rest, first)),
    }
}

fn sign(rest: &str, first: char) -> usize {
    let long = ["...", "..", "==", "~=", "<=", ">="].iter().find(|sign| rest.starts_with(**sign));
    long.map_or(first.len_utf8(), |sign| sign.len())
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return index + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of `[[…]]` or `[=[…]=]`, if one starts here.
fn long_bracket(rest: &str) -> Option<usize> {
    let level = rest.strip_prefix('[')?.find(|c| c != '=')?;
    if !rest[1 + level..].starts_with('[') {
        return None;
    }
    let close = format!("]{}]", "=".repeat(level));
    Some(rest.find(&close).map_or(rest.len(), |at| at + close.len()))
}

/// One `redis.call(…)` or `redis.pcall(…)`: its line and the tokens of each argument.
pub(crate) struct RedisCall<'t, 'a> {
    pub(crate) line: usize,
    pub(crate) args: Vec<&'t [Token<'a>]>,
}

impl<'a> RedisCall<'_, 'a> {
    /// The command in capitals, if it is written out.
    pub(crate) fn command(&self) -> Option<String> {
        match self.args.first()? {
            [only] => only.quoted().map(str::to_ascii_uppercase),
            _ => None,
        }
    }

    pub(crate) fn writes(&self) -> bool {
        self.command().is_some_and(|name| command::writes(&name))
    }
}

pub(crate) fn redis_calls<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<RedisCall<'t, 'a>> {
    let starts = tokens.windows(4).enumerate().filter(|(_, window)| is_call(window));
    starts
        .map(|(at, window)| RedisCall { line: window[0].line, args: arguments(&tokens[at + 4..]) })
        .collect()
}

fn is_call(window: &[Token<'_>]) -> bool {
    matches!(
        [window[0].text, window[1].text, window[2].text, window[3].text],
        ["redis", ".", "call" | "pcall", "("]
    )
}

fn arguments<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let (mut args, mut start, mut depth) = (Vec::new(), 0, 0);
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" if depth == 0 => {
                args.push(&tokens[start..index]);
                break;
            }
            ")" | "}" | "]" => depth -= 1,
            "," if depth == 0 => {
                args.push(&tokens[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    args
}

/// How many places send a write command.
pub(crate) fn writes_in(tokens: &[Token<'_>]) -> usize {
    redis_calls(tokens).iter().filter(|call| call.writes()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<&str> {
        tokens(source).tokens.iter().map(|token| token.text).collect()
    }

    #[test]
    fn strings_and_comments_hide_what_is_in_them() {
        assert_eq!(
            words("a = 'KEYS -- \\' x' -- KEYS\n--[[ KEYS\nKEYS ]] b = [[KEYS]]"),
            ["a", "=", "'KEYS -- \\' x'", "b", "=", "[[KEYS]]"]
        );
        assert_eq!(tokens("x\n--[[\n]]\ny").tokens[1].line, 4);
    }

    #[test]
    fn calls_are_found_with_their_arguments() {
        let source = tokens("redis.call('SET', key, f(a, b)) redis.pcall('get', key) redis.call(name, key)");
        let calls = redis_calls(&source.tokens);
        assert_eq!(
            calls.iter().map(RedisCall::command).collect::<Vec<_>>(),
            [Some("SET".into()), Some("GET".into()), None]
        );
        assert_eq!(calls[0].args.len(), 3);
        assert_eq!(writes_in(&source.tokens), 1);
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic_or_lose_a_character(source in "[-\\[\\]='\"\\\\a-c0-2 \n.é(]{0,40}") {
            let found = tokens(&source);
            proptest::prop_assert!(found.tokens.iter().all(|token| !token.text.is_empty()));
        }
    }
}
