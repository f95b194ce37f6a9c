//! Reading the trail, newest first.

use quorate_store::{Error, ErrorKind, Micros, Result, cmd};
use schemars::JsonSchema;
use serde::Serialize;

use super::canonical::Raw;
use super::{Entry, Trail};

/// Records read at once.
const PAGE: usize = 500;
/// Most records looked at for one answer; the cursor goes on from there.
const LOOKED_AT: usize = 20_000;

/// Which records are meant.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub who: Option<String>,
    /// `noun.verb`, or a noun for all of its verbs.
    pub action: Option<String>,
    pub target: Option<String>,
    /// Only what was written from then on.
    pub since: Option<Micros>,
    /// Most records; 100 if it is 0.
    pub limit: usize,
    /// Where the last page ended.
    pub cursor: Option<String>,
}

/// Some records, and where to go on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Page {
    pub records: Vec<Entry>,
    /// None when there are no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Trail<'_> {
    pub async fn ls(&self, filter: &Filter) -> Result<Page> {
        let limit = if filter.limit == 0 { 100 } else { filter.limit };
        let since = filter.since.map_or("-".to_owned(), |since| since.millis().to_string());
        let mut to = filter.cursor.as_deref().map_or(Ok("+".to_owned()), before)?;
        let (mut records, mut looked_at) = (Vec::new(), 0);
        let trail = self.plane.keys().quorate().trail();
        loop {
            let mut range = cmd("XREVRANGE");
            range.arg(trail.as_str()).arg(&to).arg(&since).arg("COUNT").arg(PAGE);
            let page: Vec<Raw> = self.plane.store().query(&range).await?;
            let (read, mut last) = (page.len(), None);
            for (id, fields) in page {
                looked_at += 1;
                last = Some(id.clone());
                let entry = Entry::read(id, &fields);
                if filter.means(&entry) {
                    records.push(entry);
                }
                if records.len() == limit || looked_at == LOOKED_AT {
                    return Ok(Page { records, cursor: last });
                }
            }
            match last {
                Some(last) if read == PAGE => to = format!("({last}"),
                _ => return Ok(Page { records, cursor: None }),
            }
        }
    }
}

impl Filter {
    fn means(&self, entry: &Entry) -> bool {
        let is = |wanted: &Option<String>, own: &str| wanted.as_deref().is_none_or(|wanted| wanted == own);
        let action = |wanted: &String| {
            let rest = entry.action.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        is(&self.who, &entry.who)
            && is(&self.target, &entry.target)
            && self.action.as_ref().is_none_or(action)
    }
}

/// What comes before a record, as the server reads it.
fn before(cursor: &str) -> Result<String> {
    let is_number =
        |part: &str| !part.is_empty() && part.len() <= 20 && part.bytes().all(|byte| byte.is_ascii_digit());
    match cursor.split_once('-') {
        Some((one, two)) if is_number(one) && is_number(two) => Ok(format!("({cursor}")),
        _ => {
            Err(Error::new(ErrorKind::InvalidArgument, "trail", "a cursor is one that an earlier page gave"))
        }
    }
}
