//! Where a RESP message ends and which words it has: enough for a proxy that must cut between messages.

/// The length of the first whole message in `bytes`, or `None` if more bytes are needed.
///
/// What is no RESP counts as one message up to here, so that a proxy passes it on.
pub fn message(bytes: &[u8]) -> Option<usize> {
    let line = line(bytes)?;
    let count = || std::str::from_utf8(&bytes[1..line - 2]).ok().and_then(|text| text.parse::<i64>().ok());
    match bytes[0] {
        b'+' | b'-' | b':' | b'_' | b',' | b'#' | b'(' => Some(line),
        b'$' | b'=' | b'!' => blob(bytes, line, count()?),
        b'*' | b'>' | b'~' => items(bytes, line, count()?),
        // An attribute is followed by the value it belongs to.
        b'%' => items(bytes, line, count()? * 2),
        b'|' => items(bytes, line, count()? * 2 + 1),
        _ => Some(bytes.len()),
    }
}

fn line(bytes: &[u8]) -> Option<usize> {
    bytes.windows(2).position(|pair| pair == b"\r\n").map(|at| at + 2)
}

fn blob(bytes: &[u8], line: usize, length: i64) -> Option<usize> {
    let Ok(length) = usize::try_from(length) else { return Some(line) };
    let end = line + length + 2;
    (bytes.len() >= end).then_some(end)
}

fn items(bytes: &[u8], line: usize, count: i64) -> Option<usize> {
    (0..count).try_fold(line, |at, _| {
        message(bytes.get(at..)?).filter(|length| *length > 0).map(|length| at + length)
    })
}

/// The strings at the top level of an array or a push message, until something else comes.
pub fn words(message: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let Some(mut at) = line(message).filter(|_| matches!(message[0], b'*' | b'>')) else { return words };
    while let Some(rest) = message.get(at..).filter(|rest| rest.first() == Some(&b'$')) {
        let (Some(start), Some(end)) = (line(rest), self::message(rest)) else { break };
        words.push(rest.get(start..end.saturating_sub(2)).unwrap_or_default());
        at += end;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: [&[u8]; 9] = [
        b"+OK\r\n",
        b"-ERR no\r\n",
        b"$5\r\na\r\nbc\r\n",
        b"$-1\r\n",
        b"*-1\r\n",
        b"*2\r\n$1\r\na\r\n*1\r\n:5\r\n",
        b">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n",
        b"%1\r\n+a\r\n#t\r\n",
        b"|1\r\n+a\r\n+b\r\n:7\r\n",
    ];

    #[test]
    fn a_message_ends_where_it_ends_and_no_part_of_it_is_one() {
        for case in CASES {
            let followed = [case, b"+NEXT\r\n"].concat();
            assert_eq!(message(&followed), Some(case.len()), "{}", case.escape_ascii());
            assert!((0..case.len()).all(|cut| message(&case[..cut]).is_none()), "{}", case.escape_ascii());
        }
    }

    #[test]
    fn words_are_the_strings_at_the_top() {
        assert_eq!(words(CASES[6]), [&b"message"[..], b"c", b"m"]);
        assert_eq!(words(CASES[5]), [&b"a"[..]]);
        assert!(words(CASES[0]).is_empty());
    }
}
