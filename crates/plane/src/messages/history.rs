//! What was sent, and how far each message got.

use quorate_catalog::Key;
use quorate_catalog::ids::{AgentId, MessageId, ThreadId};
use quorate_store::{Result, cmd};

use super::{MOST, Message, Messages};

/// Whose history, or which.
#[derive(Debug, Clone)]
pub enum Place {
    /// What an agent sent and received.
    Of(AgentId),
    /// What belongs to a thread.
    Thread(ThreadId),
    /// One message.
    One(MessageId),
}

impl Messages<'_> {
    /// The newest messages first, those that are acknowledged too, for seven days after that.
    pub async fn history(&self, place: &Place, limit: usize) -> Result<Vec<Message>> {
        let keys = self.plane.keys().quorate();
        let ids = match place {
            Place::Of(agent) => self.newest(&keys.mailed(agent), limit).await?,
            Place::Thread(thread) => self.newest(&keys.thread(thread), limit).await?,
            Place::One(id) => vec![id.clone()],
        };
        self.records(&ids).await
    }

    async fn newest(&self, index: &Key, limit: usize) -> Result<Vec<MessageId>> {
        let mut range = cmd("ZREVRANGE");
        range.arg(index.as_str()).arg(0).arg(limit.clamp(1, MOST) - 1);
        let names: Vec<String> = self.plane.store().query(&range).await?;
        Ok(names.iter().filter_map(|name| MessageId::parse(name).ok()).collect())
    }

    /// Their records; one that is gone is left out.
    async fn records(&self, ids: &[MessageId]) -> Result<Vec<Message>> {
        const FIELDS: [&str; 12] = [
            "element",
            "sent_at",
            "ack_by",
            "delivered_at",
            "read_at",
            "acked_at",
            "acted_on",
            "acted_at",
            "escalated_at",
            "taken_at",
            "foreign",
            "thread",
        ];
        if ids.is_empty() {
            return Ok(vec![]);
        }
        let mut pipeline = redis::pipe();
        for id in ids {
            let key = self.plane.keys().quorate().message(id);
            pipeline.cmd("HMGET").arg(key.as_str()).arg(&FIELDS);
        }
        let found: Vec<Vec<Option<Vec<u8>>>> = self.plane.store().pipeline(&pipeline).await?;
        let told = ids.iter().zip(found).filter(|(_, fields)| fields.first().is_some_and(Option::is_some));
        let told = told.map(|(id, fields)| {
            let id = id.as_key().as_bytes().to_vec();
            std::iter::once(id).chain(fields.into_iter().map(Option::unwrap_or_default)).collect::<Vec<_>>()
        });
        Ok(told.filter_map(|told| Message::read(&told)).collect())
    }
}
