//! Text in queries. Whatever it contains, it stays within its quotes; a name that cannot be quoted must be one.

use std::fmt::Write as _;

/// A text in quotes, as LogQL and PromQL read it: the rules are those of Go.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' | '\\' => out.extend(['\\', sign]),
            sign if sign.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(sign));
            }
            sign => out.push(sign),
        }
    }
    out.push('"');
    out
}

/// A matcher: a label, how it is compared, and with what.
pub(super) fn matcher(label: &str, how: &str, value: &str) -> String {
    format!("{label}{how}{}", quoted(value))
}

/// The name of a label, which stands in queries without quotes.
pub(super) fn label(name: &str) -> Result<(), String> {
    let mut bytes = name.bytes();
    let begins = bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    if begins && name.len() <= 128 && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Ok(());
    }
    Err(format!("{name:.40?} is no name of a label: use letters, digits and _, and no digit first"))
}

/// A text as a pattern that matches this text and no other.
pub(super) fn literally(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        if sign.is_ascii_punctuation() && sign != '_' {
            out.push('\\');
        }
        out.push(sign);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a quoted text as Go does; gives it and what follows it.
    fn unquoted(text: &str) -> (String, &str) {
        let mut signs = text.char_indices();
        assert_eq!(signs.next().unwrap().1, '"');
        let mut out = String::new();
        while let Some((place, sign)) = signs.next() {
            match sign {
                '"' => return (out, &text[place + 1..]),
                '\\' => match signs.next().unwrap().1 {
                    'u' => {
                        let digits: String = signs.by_ref().take(4).map(|(_, sign)| sign).collect();
                        out.push(char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap());
                    }
                    escaped => {
                        assert!(matches!(escaped, '"' | '\\'));
                        out.push(escaped);
                    }
                },
                sign => {
                    assert!(!sign.is_control(), "a quoted text is one line");
                    out.push(sign);
                }
            }
        }
        panic!("the text has no end: {text}");
    }

    #[test]
    fn no_text_leaves_its_quotes() {
        let hostile = [
            "",
            "\"} or {x=\"",
            "\\",
            "\\\"",
            "\\\\\"",
            "a\nb\r\t\0\u{7f}\u{85}",
            "\"} |~ \".*",
            "`} |= `",
            "${__all}",
            "\u{2028}\u{202e}é🦀",
            "\\u0022",
            "#\"//",
        ];
        for text in hostile {
            let both = format!("{}, x=1", quoted(text));
            assert_eq!(unquoted(&both), (text.to_owned(), ", x=1"), "{text:?}");
        }
    }

    #[test]
    fn a_label_is_a_name_or_refused() {
        for good in ["a", "_x9", "label_app_kubernetes_io_name"] {
            assert!(label(good).is_ok(), "{good}");
        }
        for bad in ["", "9a", "a b", "a=\"x\"", "a-b", "a.b", "é", "a}", "a\n", &"x".repeat(129)] {
            assert!(label(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_text_as_a_pattern_has_no_signs_of_a_pattern() {
        assert_eq!(literally("a.b*c|d_1-é"), "a\\.b\\*c\\|d_1\\-é");
        assert_eq!(literally("(.*)"), "\\(\\.\\*\\)");
    }
}
