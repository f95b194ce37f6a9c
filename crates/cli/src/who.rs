//! Who is at the command line, for the audit trail: the user that the system says, not one that a variable says.

/// The name of the user this process runs as, or its number where the system has no name for it.
pub(crate) fn os_user() -> String {
    let own = rustix::process::getuid().as_raw().to_string();
    let known = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    named(&known, &own).unwrap_or_else(|| format!("uid:{own}"))
}

fn named(known: &str, uid: &str) -> Option<String> {
    known.lines().find_map(|line| {
        let mut parts = line.split(':');
        let (name, own) = (parts.next()?, parts.nth(1)?);
        (own == uid && !name.is_empty()).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_user_is_found_by_number() {
        let known = "root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\nbroken\n";
        assert_eq!(
            (named(known, "1000"), named(known, "10"), named("", "0")),
            (Some("ada".into()), None, None)
        );
    }
}
