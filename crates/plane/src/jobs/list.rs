//! Jobs a page at a time: what runs next, or what has ended, from the sets that are in that order anyway.

use std::collections::HashMap;

use quorate_catalog::ids::JobId;
use quorate_store::{Result, cmd};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Job, Jobs, Run, invalid, read, ticking};

/// Which page.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Those that will not run again by themselves, the last first, instead of those to come.
    pub ended: bool,
    /// Most members that are looked at; 100 if it is 0.
    pub limit: usize,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Page {
    pub jobs: Vec<Job>,
    /// Where the next page begins, if there is more.
    pub cursor: Option<String>,
}

impl Jobs<'_> {
    /// A page of the jobs. A job that moves while pages are read may come twice; one that stays is never left out.
    pub async fn ls(&self, query: &Query) -> Result<Page> {
        let limit = if query.limit == 0 { 100 } else { query.limit };
        let begin = match &query.cursor {
            Some(cursor) => self.place(query.ended, cursor).await?,
            None => 0,
        };
        let mut range = cmd("ZRANGE");
        range.arg(self.set(query.ended).as_str()).arg(begin).arg(begin + limit);
        if query.ended {
            range.arg("REV");
        }
        let mut members: Vec<(Vec<u8>, f64)> = self.plane.store().query(range.arg("WITHSCORES")).await?;
        let more = members.len() > limit;
        members.truncate(limit);
        let known = |member: &[u8]| if query.ended { id(member) } else { ticking::job_of(member) };
        let ids: Vec<JobId> = members.iter().filter_map(|(member, _)| known(member)).collect();
        // Where the last one is no job of ours, its moment alone says where to go on.
        let last = members.last().filter(|_| more);
        let cursor = last.map(|(member, score)| {
            let name = known(member).map(|job| job.to_string()).unwrap_or_default();
            format!("{score:.3}/{name}")
        });
        Ok(Page { jobs: self.records(&ids).await?, cursor })
    }

    async fn records(&self, ids: &[JobId]) -> Result<Vec<Job>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut pipeline = redis::pipe();
        for id in ids {
            pipeline.cmd("HGETALL").arg(self.plane.keys().quorate().job(id).as_str());
        }
        let found: Vec<HashMap<String, String>> = self.plane.store().pipeline(&pipeline).await?;
        let mut last = redis::pipe();
        for (id, record) in ids.iter().zip(&found) {
            let key = self.plane.keys().quorate().job_runs(id);
            last.cmd("HGET").arg(key.as_str()).arg(record.get("last").map_or("", String::as_str));
        }
        let runs: Vec<Option<String>> = self.plane.store().pipeline(&last).await?;
        let all = ids.iter().zip(&found).zip(&runs);
        Ok(all.filter_map(|((id, record), run)| with_last(id, record, run.as_deref())).collect())
    }

    fn set(&self, ended: bool) -> quorate_catalog::Key {
        let keys = self.plane.keys();
        if ended { keys.quorate().ended_jobs() } else { keys.ade().scheduled_jobs() }
    }

    /// The rank after the one that a cursor names; if it has moved, that of the first one at its moment.
    async fn place(&self, ended: bool, cursor: &str) -> Result<usize> {
        let bad = || invalid("the cursor is none of ours; begin again without one".to_owned());
        let (score, name) = cursor.split_once('/').ok_or_else(bad)?;
        let score: f64 = score.parse().ok().filter(|score: &f64| score.is_finite()).ok_or_else(bad)?;
        let set = self.set(ended);
        let mut member = name.as_bytes().to_vec();
        if let (false, Ok(job)) = (ended, JobId::parse(name)) {
            let key = self.plane.keys().quorate().job(&job);
            let known: Option<Vec<u8>> =
                self.plane.store().query(cmd("HGET").arg(key.as_str()).arg("member")).await?;
            member = known.unwrap_or_default();
        }
        let mut look = redis::pipe();
        look.cmd("ZSCORE").arg(set.as_str()).arg(&member);
        look.cmd(if ended { "ZREVRANK" } else { "ZRANK" }).arg(set.as_str()).arg(&member);
        let edge = format!("({score:.3}");
        let (low, high) = if ended { (edge.as_str(), "+inf") } else { ("-inf", edge.as_str()) };
        look.cmd("ZCOUNT").arg(set.as_str()).arg(low).arg(high);
        let (at, rank, before): (Option<f64>, Option<usize>, usize) =
            self.plane.store().pipeline(&look).await?;
        Ok(match (at, rank) {
            (Some(at), Some(rank)) if (at - score).abs() < 0.000_5 => rank + 1,
            _ => before,
        })
    }
}

/// A job with its last occurrence: whether it ran is the first that people ask.
fn with_last(id: &JobId, record: &HashMap<String, String>, run: Option<&str>) -> Option<Job> {
    let mut job = read(id, record)?;
    job.runs.extend(record.get("last").zip(run).and_then(|(planned, text)| Run::read(id, planned, text)));
    Some(job)
}

fn id(member: &[u8]) -> Option<JobId> {
    JobId::parse(std::str::from_utf8(member).ok()?).ok()
}
