//! The grammars, each as one function from bytes to the reason for a refusal.
//!
//! They run on every key of a scan, so they work on bytes and allocate nothing.

use super::{NAME_MAX, PATH_MAX};

type Fault = Option<&'static str>;

const BAD_CHARACTER: Fault = Some("it has a character that is not allowed");
const BAD_START: Fault = Some("it starts with a character that is not allowed there");
const TOO_LONG: Fault = Some("it is too long");

fn word(value: &[u8], max: usize, start: fn(u8) -> bool, inner: fn(u8) -> bool) -> Fault {
    if value.len() > max {
        return TOO_LONG;
    }
    if !value.first().is_some_and(|&byte| start(byte)) {
        return if value.iter().all(|&byte| inner(byte)) { BAD_START } else { BAD_CHARACTER };
    }
    if value.iter().all(|&byte| inner(byte)) { None } else { BAD_CHARACTER }
}

fn alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn id_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'@' | b'+' | b'-')
}

pub(super) fn id(value: &[u8]) -> Fault {
    word(value, NAME_MAX, alphanumeric, id_byte)
}

pub(super) fn slug(value: &[u8]) -> Fault {
    let lower = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    word(value, NAME_MAX, lower, |byte| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-')
    })
}

pub(super) fn hash(value: &[u8]) -> Fault {
    word(value, NAME_MAX, alphanumeric, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'=' | b'-')
    })
}

/// Longer than a hash: what is written in it is the name itself.
pub(super) fn base64(value: &[u8]) -> Fault {
    word(value, NAME_MAX * 4, alphanumeric, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'=' | b'-')
    })
}

pub(super) fn path(value: &[u8], empty_segments: bool) -> Fault {
    if value.len() > PATH_MAX {
        return TOO_LONG;
    }
    if !value[0].is_ascii_alphanumeric() {
        return BAD_START;
    }
    if !value.iter().all(|&byte| id_byte(byte) || matches!(byte, b':' | b'%')) {
        return BAD_CHARACTER;
    }
    if value.ends_with(b":") {
        return Some("it ends with :");
    }
    let doubled = !empty_segments && memchr::memmem::find(value, b"::").is_some();
    doubled.then_some("it has an empty part between two :")
}

/// `2025-11-19T12:34:56[.fraction]Z[-N]`, with every part in its range.
pub(super) fn timestamp(value: &[u8]) -> Fault {
    const SHAPE: &[u8] = b"dddd-dd-ddTdd:dd:dd";
    let bad = Some("it is not a UTC time");
    let Some((head, tail)) = value.split_at_checked(SHAPE.len()) else { return bad };
    let fits =
        |(&shape, &byte): (&u8, &u8)| if shape == b'd' { byte.is_ascii_digit() } else { shape == byte };
    if !SHAPE.iter().zip(head).all(fits) || !in_range(head) || !time_tail(tail) { bad } else { None }
}

fn in_range(head: &[u8]) -> bool {
    let two = |at: usize| (head[at] - b'0') * 10 + (head[at + 1] - b'0');
    (1..=12).contains(&two(5)) && (1..=31).contains(&two(8)) && two(11) < 24 && two(14) < 60 && two(17) < 60
}

fn time_tail(tail: &[u8]) -> bool {
    let Some(zone) = memchr::memchr(b'Z', tail) else { return false };
    let digits =
        |part: &[u8], most| !part.is_empty() && part.len() <= most && part.iter().all(u8::is_ascii_digit);
    let (fraction, clash) = (&tail[..zone], &tail[zone + 1..]);
    (fraction.is_empty() || fraction[0] == b'.' && digits(&fraction[1..], 9))
        && (clash.is_empty() || clash[0] == b'-' && digits(&clash[1..], 6))
}

pub(super) fn url(value: &[u8]) -> Fault {
    if value.len() > PATH_MAX {
        return TOO_LONG;
    }
    let Some(rest) = value.strip_prefix(b"http://").or_else(|| value.strip_prefix(b"https://")) else {
        return Some("it is not an http or https URL in lower case");
    };
    let host_end = memchr::memchr(b'/', rest).unwrap_or(rest.len());
    let host = &rest[..host_end];
    if host.is_empty()
        || !host.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-:_[]".contains(b))
    {
        return Some("its host is not normalised");
    }
    if value.ends_with(b"/") {
        return Some("it ends with /");
    }
    let path_byte = |b: &u8| id_byte(*b) || matches!(b, b'/' | b'%' | b',' | b'=' | b'!' | b'$' | b'&');
    if rest[host_end..].iter().all(path_byte) { None } else { BAD_CHARACTER }
}
