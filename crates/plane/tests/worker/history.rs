//! Takes and gives back locks at random, and writes down when each call began, when it ended, and how.
//!
//! A line is `LOCK CLIENT WHAT REQUEST MODE BEGAN ENDED OUTCOME DETAIL`; times are microseconds of the machine's clock,
//! which is the server's. A call that failed has an unknown outcome; what it may have taken is given up until that is sure.

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_plane::locks::{Acquire, Grant, Mode, Request, Resource};
use quorate_plane::{Outcome, Plane};

use crate::{Failed, Log, register};

/// Random numbers from the seed the test gave (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap_or_default()
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

struct Client<'a> {
    plane: &'a Plane,
    agent: AgentId,
    ttl: Duration,
    dice: Dice,
    log: Log,
}

/// Two agents at once, so that calls of one moment share a script.
pub(crate) async fn work(plane: &Plane, args: &[String]) -> Result<(), Failed> {
    let (one, other) = tokio::join!(alone(plane, args, "one"), alone(plane, args, "other"));
    one.and(other)
}

async fn alone(plane: &Plane, args: &[String], which: &str) -> Result<(), Failed> {
    let [agent, seed, operations, ttl_ms, log, locks @ ..] = args else {
        return Err("AGENT SEED OPERATIONS TTL_MS LOG LOCK…".into());
    };
    let agent = AgentId::parse(&format!("{agent}-{which}"))?;
    register(plane, &agent, Duration::from_secs(3_600)).await;
    let dice = Dice(seed.parse::<u64>()? ^ which.len() as u64);
    let mut client =
        Client { plane, agent, ttl: Duration::from_millis(ttl_ms.parse()?), dice, log: Log::open(log)? };
    let locks: Vec<Resource> = locks.iter().map(|lock| lock.parse()).collect::<Result<_, _>>()?;
    // An operation is a call, and every turn has two of them.
    for _ in 0..operations.parse::<usize>()? / 4 {
        let on = locks[client.dice.below(locks.len())].clone();
        client.once(&on).await?;
    }
    Ok(())
}

impl Client<'_> {
    async fn once(&mut self, on: &Resource) -> Result<(), Failed> {
        let mode = if on.can_be_shared() && self.dice.percent(60) { Mode::Shared } else { Mode::Exclusive };
        let wait = if self.dice.percent(80) { Duration::from_secs(3) } else { Duration::ZERO };
        let wanted =
            Request { mode, wait, ttl: Some(self.ttl), ..Request::new(on.clone(), self.agent.clone()) };
        let began = now();
        let outcome = self.plane.locks().acquire(&wanted).await;
        let (word, detail) = match &outcome {
            Ok(Outcome::Done(Acquire::Granted(grant))) => {
                ("granted", format!("{} {}", grant.fence, grant.expires_at.get()))
            }
            Ok(Outcome::Refused(why)) if why.is("held") => {
                ("held", why.detail.clone().unwrap_or_default().replace(' ', "_"))
            }
            Ok(_) => ("none", "-".to_owned()),
            Err(_) => ("unknown", "-".to_owned()),
        };
        self.write(&wanted, "acquire", began, word, &detail)?;
        match outcome {
            Ok(Outcome::Done(Acquire::Granted(grant))) => self.give_back(&wanted, &grant).await,
            Err(_) => self.give_up(&wanted).await,
            Ok(_) => Ok(()),
        }
    }

    async fn give_back(&mut self, wanted: &Request, grant: &Grant) -> Result<(), Failed> {
        if self.dice.percent(10) {
            tokio::time::sleep(Duration::from_millis(self.dice.below(4) as u64)).await;
        }
        loop {
            let began = now();
            let answer = self.plane.locks().release(&wanted.on, &wanted.agent, grant.fence).await;
            let word = match &answer {
                Ok(Outcome::Done(())) => "released",
                Ok(Outcome::Refused(_)) => "not_owner",
                Err(_) => "unknown",
            };
            self.write(wanted, "release", began, word, &grant.fence.to_string())?;
            if answer.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn give_up(&mut self, wanted: &Request) -> Result<(), Failed> {
        loop {
            let began = now();
            let answer = self.plane.locks().cancel(&wanted.on, &wanted.request).await;
            self.write(wanted, "cancel", began, if answer.is_ok() { "cancelled" } else { "unknown" }, "-")?;
            if answer.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn write(&self, of: &Request, what: &str, began: u64, word: &str, detail: &str) -> Result<(), Failed> {
        let mode = if of.mode == Mode::Shared { "s" } else { "x" };
        let line = format!("{} {what} {} {mode} {began} {} {word} {detail}", of.on, of.request, now());
        self.log.record(&line, self.agent.as_key())
    }
}

/// Microseconds of the machine's clock, by which the server on the same machine goes too.
#[expect(
    clippy::disallowed_methods,
    reason = "a history is written down outside the store, by its own clock"
)]
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}
