//! A stream with its position, entries, groups, consumers and pending entries.

use super::Hasher;
use crate::Result;
use crate::copy::streams::{self, Group, Id};
use crate::side::Side;

pub(super) async fn stream(side: &Side, key: &[u8], hash: &mut Hasher) -> Result<()> {
    let position = streams::position(side, key).await?;
    hash.id(position.last).number(position.added as i64).id(position.max_deleted);
    entries(side, key, hash).await?;
    for group in streams::groups(side, key).await? {
        hash.part(b"group")
            .part(&group.name)
            .id(group.delivered)
            .number(group.read.map_or(-1, |read| read as i64));
        hash.parts(&group.consumers);
        pending(side, key, &group, hash).await?;
    }
    Ok(())
}

async fn entries(side: &Side, key: &[u8], hash: &mut Hasher) -> Result<()> {
    let mut last = None;
    loop {
        let entries = streams::entries(side, key, last).await?;
        for entry in &entries {
            hash.id(entry.id).number(entry.fields.len() as i64).parts(&entry.fields);
        }
        if entries.len() < streams::PAGE {
            return Ok(());
        }
        last = entries.last().map(|entry| entry.id);
    }
}

async fn pending(side: &Side, key: &[u8], group: &Group, hash: &mut Hasher) -> Result<()> {
    let mut last = None;
    loop {
        let pending = streams::pending(side, key, &group.name, last).await?;
        for one in &pending {
            hash.id(one.id).part(&one.consumer).number(one.deliveries as i64);
        }
        if pending.len() < streams::PAGE {
            return Ok(());
        }
        last = pending.last().map(|one| one.id);
    }
}

impl Hasher {
    fn id(&mut self, id: Id) -> &mut Self {
        self.number(id.0 as i64).number(id.1 as i64)
    }
}
