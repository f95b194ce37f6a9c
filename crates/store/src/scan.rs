//! Walking the keys without stopping the server: pages from every master, one after the other.
//!
//! As SCAN promises and no more: a key that is there all the time is seen at least once, perhaps twice. Keys are
//! bytes, since foreign clients may have made keys that are no UTF-8.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::Stream;
use futures_util::stream::try_unfold;

use crate::error::Result;
use crate::link::Link;
use crate::store::Store;

/// One page of keys; it may be empty though more pages follow.
pub type Page = Vec<Vec<u8>>;

/// The largest effort asked of the server for one page.
const MAX_COUNT: usize = 10_000;

struct Position {
    store: Store,
    current: Option<(Arc<Link>, u64)>,
    rest: VecDeque<Arc<Link>>,
    pattern: String,
    count: usize,
}

impl Store {
    /// The keys that match `pattern`, page by page; `count` is how many keys the server looks at for a page.
    pub async fn scan(
        &self,
        pattern: &str,
        count: usize,
    ) -> Result<impl Stream<Item = Result<Page>> + use<>> {
        let mut rest: VecDeque<_> = self.backend.masters(self.deadline()).await?.into();
        let current = rest.pop_front().map(|link| (link, 0));
        let count = count.clamp(1, MAX_COUNT);
        let start = Position { store: self.clone(), current, rest, pattern: pattern.to_owned(), count };
        Ok(try_unfold(start, Position::page))
    }
}

impl Position {
    async fn page(mut self) -> Result<Option<(Page, Self)>> {
        let Some((link, cursor)) = self.current.take() else { return Ok(None) };
        let mut cmd = redis::cmd("SCAN");
        cmd.arg(cursor).arg("MATCH").arg(&self.pattern).arg("COUNT").arg(self.count);
        let (next, keys): (u64, Page) = self.store.send_to(&link, &cmd).await?;
        self.current = match next {
            0 => self.rest.pop_front().map(|link| (link, 0)),
            cursor => Some((link, cursor)),
        };
        Ok(Some((keys, self)))
    }
}
