//! Looking at the whole trail: whether every record is what it was when it was sealed.
//!
//! It goes through records and seals side by side, a page at a time, and never holds more than that.

use std::collections::HashMap;

use quorate_store::{Result, cmd, pipe};

use super::canonical::{Batch, NONE, Raw};
use super::{Anchor, Trail, Verified};

/// Records or seals read at once.
const PAGE: usize = 500;

type Fields = HashMap<String, String>;

/// What the store says of the trail at one moment.
struct Snapshot {
    head: Fields,
    /// The last record and the last seal.
    tip: String,
    seal: String,
}

/// A seal as it was written.
struct Seal {
    batch: u64,
    last: String,
    count: u64,
    previous: String,
    hash: String,
}

/// How far the inspection has come.
struct Walk {
    /// The number and the hash of the last seal, and the last record it covers.
    batch: u64,
    hash: String,
    last: String,
    /// The number of the last record, and how many there were.
    number: u64,
    records: u64,
}

impl Trail<'_> {
    /// Inspects everything. Records that come meanwhile are left for the next time.
    pub async fn verify(&self) -> Result<Verified> {
        self.inspect(None).await
    }

    /// The same, and whether the chain still has a head that was noted elsewhere.
    pub async fn verify_against(&self, anchor: &Anchor) -> Result<Verified> {
        self.inspect(Some(anchor)).await
    }

    async fn inspect(&self, anchor: Option<&Anchor>) -> Result<Verified> {
        let snapshot = self.snapshot().await?;
        let mut found = Verified::default();
        let mut walk = Walk { batch: 0, hash: NONE.into(), last: "0-0".into(), number: 0, records: 0 };
        let (mut from, mut anchored) = ("-".to_owned(), anchor.is_none());
        loop {
            let page = self.seals(&from, &snapshot.seal).await?;
            for (id, fields) in &page {
                from = format!("({id}");
                match Seal::read(fields) {
                    Some(seal) => self.check_batch(&seal, &mut walk, &mut found).await?,
                    None => found.fault("seal", None, format!("the seal {id} cannot be read")),
                }
                anchored |= anchor.is_some_and(|own| own.batch == walk.batch && own.hash == walk.hash);
            }
            if page.len() < PAGE {
                break;
            }
        }
        found.batches = walk.batch;
        self.check_head(&snapshot, &walk, &mut found);
        self.check_rest(&snapshot, walk, &mut found).await?;
        if let (false, Some(anchor)) = (anchored, anchor) {
            let what = format!("the chain has no batch {} with the hash that was noted", anchor.batch);
            found.fault("cut", Some(anchor.batch), what);
        }
        Ok(found)
    }

    /// The head, the last record and the last seal, at one moment.
    async fn snapshot(&self) -> Result<Snapshot> {
        let own = self.plane.keys().quorate();
        let mut all = pipe();
        all.atomic();
        all.cmd("HGETALL").arg(own.trail_head().as_str());
        for stream in [own.trail(), own.trail_seals()] {
            all.cmd("XREVRANGE").arg(stream.as_str()).arg("+").arg("-").arg("COUNT").arg(1);
        }
        let (head, tip, seal): (Fields, Vec<Raw>, Vec<Raw>) = self.plane.store().pipeline(&all).await?;
        let id = |last: Vec<Raw>| last.into_iter().next().map_or("0-0".to_owned(), |(id, _)| id);
        Ok(Snapshot { head, tip: id(tip), seal: id(seal) })
    }

    async fn seals(&self, from: &str, to: &str) -> Result<Vec<(String, Fields)>> {
        let seals = self.plane.keys().quorate().trail_seals();
        self.plane
            .store()
            .query(cmd("XRANGE").arg(seals.as_str()).arg(from).arg(to).arg("COUNT").arg(PAGE))
            .await
    }

    async fn check_batch(&self, seal: &Seal, walk: &mut Walk, found: &mut Verified) -> Result<()> {
        if seal.batch != walk.batch + 1 || seal.previous != walk.hash {
            let what = format!("batch {} does not follow on batch {}", seal.batch, walk.batch);
            found.fault("cut", Some(seal.batch), what);
        }
        let mut batch = Batch::after(seal.batch, &seal.previous);
        let (mut count, mut ordered, first) = (0, true, walk.number + 1);
        let mut from = format!("({}", walk.last);
        loop {
            let page = self.records(&from, &seal.last, PAGE).await?;
            for record in &page {
                batch.add(record);
                count += 1;
                ordered &= number(record) == walk.number + 1;
                walk.number = number(record).max(walk.number);
                from = format!("({}", record.0);
            }
            if page.len() < PAGE {
                break;
            }
        }
        walk.records += count;
        if batch.finish() != seal.hash {
            let (kind, what) = match count {
                less if less < seal.count => {
                    ("deleted", format!("{} of its {} records are gone", seal.count - less, seal.count))
                }
                more if more > seal.count => {
                    ("inserted", format!("{} records were put in", more - seal.count))
                }
                _ if !ordered => ("moved", "its records are not in their order".to_owned()),
                _ => ("edited", "its records are not what they were".to_owned()),
            };
            let place =
                format!("batch {} (records {first} to {})", seal.batch, first + seal.count.max(1) - 1);
            found.fault(kind, Some(seal.batch), format!("{place}: {what}"));
        }
        // What comes after is judged from what this seal says, so that one change is one finding.
        walk.number = first - 1 + seal.count;
        (walk.batch, walk.hash, walk.last) = (seal.batch, seal.hash.clone(), seal.last.clone());
        Ok(())
    }

    /// The head says how the chain ends, so a chain that ends earlier was cut.
    fn check_head(&self, snapshot: &Snapshot, walk: &Walk, found: &mut Verified) {
        let said = |name: &str| snapshot.head.get(name).map(String::as_str);
        let batch = said("batch").and_then(|batch| batch.parse().ok()).unwrap_or(0_u64);
        let hash = said("hash").unwrap_or(NONE);
        if batch > walk.batch {
            found.fault(
                "cut",
                Some(batch),
                format!("the head has batch {batch}, and the last seal is of batch {}", walk.batch),
            );
        } else if batch < walk.batch {
            found.fault(
                "seal",
                Some(walk.batch),
                format!("there is a seal of batch {}, and the head has {batch}", walk.batch),
            );
        } else if hash != walk.hash {
            found.fault("seal", Some(batch), "the last seal is not the one that the head has".to_owned());
        } else if said("last").unwrap_or("0-0") != walk.last {
            found.fault(
                "seal",
                Some(batch),
                "the last seal and the head end at different records".to_owned(),
            );
        }
        found.head = (walk.batch > 0).then(|| Anchor { batch: walk.batch, hash: walk.hash.clone() });
    }

    /// Records that no seal covers: their numbers go on, and there are as many as were ever written.
    async fn check_rest(&self, snapshot: &Snapshot, mut walk: Walk, found: &mut Verified) -> Result<()> {
        let mut from = format!("({}", walk.last);
        loop {
            let page = self.records(&from, &snapshot.tip, PAGE).await?;
            for record in &page {
                found.unsealed_since = found.unsealed_since.or_else(|| millis(&record.0));
                let own = number(record);
                if own != walk.number + 1 {
                    let kind = if own > walk.number { "deleted" } else { "inserted" };
                    let what =
                        format!("record {own} follows on record {}, and no seal covers it yet", walk.number);
                    found.fault(kind, None, what);
                }
                walk.number = own.max(walk.number);
                found.unsealed += 1;
                from = format!("({}", record.0);
            }
            if page.len() < PAGE {
                break;
            }
        }
        found.records = walk.records + found.unsealed;
        let recorded = snapshot.head.get("recorded").and_then(|own| own.parse().ok()).unwrap_or(0_u64);
        if recorded != walk.number {
            found.fault(
                "cut",
                None,
                format!("{recorded} records were written, and the last one is number {}", walk.number),
            );
        }
        Ok(())
    }
}

impl Seal {
    fn read(fields: &Fields) -> Option<Self> {
        Some(Self {
            batch: fields.get("batch")?.parse().ok()?,
            last: fields.get("last")?.clone(),
            count: fields.get("count")?.parse().ok()?,
            previous: fields.get("previous")?.clone(),
            hash: fields.get("hash")?.clone(),
        })
    }
}

fn number((_, fields): &Raw) -> u64 {
    let own = fields.iter().find(|(name, _)| name == b"n");
    own.and_then(|(_, value)| std::str::from_utf8(value).ok()?.parse().ok()).unwrap_or(0)
}

fn millis(id: &str) -> Option<u64> {
    id.split('-').next()?.parse().ok()
}
