//! What `INFO` says, by name.

use std::collections::BTreeMap;

/// The lines of a section of `INFO`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info(BTreeMap<String, String>);

impl Info {
    pub(crate) fn read(text: &str) -> Self {
        Self(
            text.lines()
                .filter_map(|line| line.split_once(':'))
                .map(|(k, v)| (k.to_owned(), v.trim().to_owned()))
                .collect(),
        )
    }

    /// The value of a line.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The value of a line that is a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }

    /// All lines, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How far each connected replica has acknowledged.
    pub(crate) fn replica_offsets(&self) -> impl Iterator<Item = u64> {
        let replicas = self.iter().filter(|(name, value)| is_replica(name) && value.contains("state=online"));
        replicas.filter_map(|(_, value)| {
            value.split(',').find_map(|part| part.strip_prefix("offset="))?.parse().ok()
        })
    }
}

fn is_replica(name: &str) -> bool {
    let number = name.strip_prefix("slave").or_else(|| name.strip_prefix("replica"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_are_read_with_their_offsets_and_only_when_online() {
        let info = Info::read(
            "# Replication\r\nrole:master\r\nslave0:ip=::1,port=1,state=online,offset=70,lag=0\r\n\
             slave1:ip=h,port=2,state=wait_bgsave,offset=90,lag=0\r\nslave_read_only:1\r\nmaster_repl_offset:84\r\n",
        );
        assert_eq!(info.replica_offsets().collect::<Vec<_>>(), [70]);
        assert_eq!(
            (info.get("role"), info.number("master_repl_offset"), info.number("role")),
            (Some("master"), Some(84), None)
        );
    }
}
