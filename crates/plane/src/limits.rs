//! How much of what, in which time.
//!
//! Within any window of a limit's length, wherever it begins, no more than the limit is accepted; several limits are taken
//! from together or not at all. The seed's counter shows what is used, with an expiry always, and what other clients
//! count in it counts here too.

mod fsck;
mod model;

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use quorate_catalog::ids::Endpoint;
use quorate_store::{Arg, Error, ErrorKind, Result, Script, Value, cmd};

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane};
pub use fsck::invariants;
pub use model::{MAX_LIMIT, MAX_WINDOW, Rule, Standing, Verdict, Wish};

static CHECK: LazyLock<Script> = LazyLock::new(|| {
    Script::parse("check", include_str!("limits/lua/check.lua")).expect("a test checks every script")
});

/// Most limits of one check.
const MOST: usize = 16;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'p> {
    plane: &'p Plane,
}

impl<'p> Limits<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Takes from all of the limits, or from none.
    pub async fn check(&self, wishes: &[Wish]) -> Result<Outcome<Verdict>> {
        self.ask(wishes, true).await
    }

    /// How the limits stand; nothing is taken.
    pub async fn explain(&self, wishes: &[Wish]) -> Result<Outcome<Verdict>> {
        self.ask(wishes, false).await
    }

    async fn ask(&self, wishes: &[Wish], take: bool) -> Result<Outcome<Verdict>> {
        if wishes.is_empty() || wishes.len() > MOST {
            return Err(invalid(format!("a check has 1 to {MOST} limits")));
        }
        let mut keys = vec![self.plane.keys().quorate().limits()];
        let mut args = vec![Arg::from(usize::from(take))];
        for (place, wish) in wishes.iter().enumerate() {
            let same = |other: &Wish| (&other.endpoint, &other.user) == (&wish.endpoint, &wish.user);
            if wishes[..place].iter().any(same) || wish.cost == 0 || wish.cost > MAX_LIMIT {
                return Err(invalid(format!("{wish} is named twice, or its cost is out of bounds")));
            }
            if let Some(fault) = wish.rule.and_then(|rule| rule.fault()) {
                return Err(invalid(fault));
            }
            keys.push(self.plane.keys().ade().rate_limit(&wish.endpoint, &wish.user));
            keys.push(self.plane.keys().quorate().limit_window(&wish.endpoint, &wish.user));
            let rule = wish.rule.map(|rule| (rule.limit.to_string(), rule.window_ms().to_string()));
            let (limit, window) = rule.unwrap_or_default();
            args.extend([
                Arg::from(wish.endpoint.as_key()),
                Arg::from(wish.cost),
                Arg::from(limit),
                Arg::from(window),
            ]);
        }
        // A reply that was lost is asked for again: it may then be counted twice, and the limit still holds.
        let value: Value = self.plane.store().repeatable().run(&CHECK, &keys, &args).await?;
        verdict(value, wishes)
    }

    /// Sets what an endpoint allows each user.
    pub async fn set(&self, endpoint: &Endpoint, rule: Rule) -> Result<()> {
        if let Some(fault) = rule.fault() {
            return Err(invalid(fault));
        }
        let mut set = cmd("HSET");
        set.arg(self.plane.keys().quorate().limits().as_str()).arg(endpoint.as_key());
        set.arg(format!("{} {}", rule.limit, rule.window_ms()));
        self.plane.store().repeatable().change::<u64>(&set).await.map(drop)
    }

    /// Takes a limit away; whether there was one.
    pub async fn unset(&self, endpoint: &Endpoint) -> Result<bool> {
        let mut unset = cmd("HDEL");
        unset.arg(self.plane.keys().quorate().limits().as_str()).arg(endpoint.as_key());
        Ok(self.plane.store().repeatable().change::<u64>(&unset).await? > 0)
    }

    /// Every endpoint that has a limit.
    pub async fn ls(&self) -> Result<BTreeMap<String, Rule>> {
        let mut all = cmd("HGETALL");
        all.arg(self.plane.keys().quorate().limits().as_str());
        let found: BTreeMap<String, String> = self.plane.store().query(&all).await?;
        let rule = |text: &str| {
            let (limit, window) = text.split_once(' ')?;
            Some(Rule { limit: limit.parse().ok()?, window: Duration::from_millis(window.parse().ok()?) })
        };
        Ok(found.into_iter().filter_map(|(endpoint, text)| Some((endpoint, rule(&text)?))).collect())
    }
}

fn verdict(value: Value, wishes: &[Wish]) -> Result<Outcome<Verdict>> {
    let bad = || undecodable("limits");
    let Value::Array(words) = value else { return Err(bad()) };
    let word = |at: usize| match words.get(at) {
        Some(Value::BulkString(word)) => String::from_utf8(word.clone()).map_err(|_| bad()),
        _ => Err(bad()),
    };
    let (first, second) = (word(0)?, word(1)?);
    if first == "refused" {
        let reply: Reply = redis::from_redis_value(Value::Array(words)).map_err(|_| bad())?;
        return Ok(reply.expect("")?.map(|_| unreachable!("a refusal is no answer")));
    }
    let at = quorate_store::Micros::new(second.parse().map_err(|_| bad())?);
    let standing = words.into_iter().skip(2).zip(wishes).map(|(value, wish)| {
        let words: Vec<String> = redis::from_redis_value(value).map_err(|_| bad())?;
        Standing::read(wish.to_string(), &words).ok_or_else(bad)
    });
    let limits: Vec<Standing> = standing.collect::<Result<_>>()?;
    let allowed = limits.iter().all(|one| one.fits);
    Ok(Outcome::Done(Verdict { allowed, at, limits }))
}

fn invalid(why: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, "limits", why)
}
