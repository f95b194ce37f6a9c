//! Text from outside, made harmless before anybody sees it: an agent's name, a key, a server's own words.
//!
//! Everything that shows foreign text uses this, so that there is one answer to what a terminal may be sent.

/// Letters stay as they are; controls, line breaks, invisible and bidirectional marks become escapes.
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|character| push(&mut out, character));
    out
}

/// The same of at most `most` characters: a foreign text may be megabytes.
pub fn shortened(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let mut out = String::new();
    characters.by_ref().take(most).for_each(|character| push(&mut out, character));
    if characters.next().is_some() {
        out.push('…');
    }
    out
}

fn push(out: &mut String, character: char) {
    let hidden = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    if character.is_control() || hidden {
        out.extend(character.escape_unicode());
    } else {
        out.push(character);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped_and_letters_stay() {
        assert_eq!(harmless("é\x1b[2J\u{202e}\n"), "é\\u{1b}[2J\\u{202e}\\u{a}");
        assert_eq!((shortened("abc", 3).as_str(), shortened("abcd", 3).as_str()), ("abc", "abc…"));
    }
}
