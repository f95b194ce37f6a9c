//! Delivering one call: which failures are answered by trying again, and until when.
//!
//! The rules, in order. A server that refused did nothing, so its refusal is repeated if its kind says that waiting
//! or another server helps. A reply that was lost is asked for again only if the call is repeatable. A call that is
//! not, and whose reply was lost, ends as `UnknownOutcome`: only its caller can know what to do. All of it happens
//! within the call's own deadline.

use std::sync::Arc;
use std::time::Duration;

use redis::Value;
use tokio::time::{Instant, sleep_until};

use crate::backend::Backend;
use crate::backoff::Backoff;
use crate::error::{Result, Retry};
use crate::failure::{Failure, Safety};
use crate::link::{Link, Patience};
use crate::packet::Packet;

/// The part of its time a repeatable call spends on one attempt, so that a second one can still answer it.
const SHARE: f64 = 0.6;

/// One call and the time it has.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) op: &'a str,
    pub(crate) packet: Packet<'a>,
    pub(crate) safety: Safety,
    /// How long the command itself may block in the server; no time of this is lost.
    pub(crate) block: Duration,
    /// How long everything else may take.
    pub(crate) patience: Duration,
    pub(crate) deadline: Instant,
    /// Whether a lost reply ends it although it may be repeated: what is sent again is not the same.
    pub(crate) until_lost: bool,
}

/// Where a call goes: to the node that has its key, or to a node that the caller chose.
#[derive(Clone, Copy)]
pub(crate) enum To<'a> {
    Owner(&'a Backend),
    Node(&'a Arc<Link>),
}

impl Call<'_> {
    pub(crate) async fn deliver(self, to: To<'_>) -> Result<Value> {
        self.pursue(to, &mut false).await
    }

    /// As `deliver`; `lost` says, before and after, whether an attempt may have reached the server unknown to us.
    pub(crate) async fn pursue(self, to: To<'_>, lost: &mut bool) -> Result<Value> {
        let mut backoff = Backoff::repeat();
        loop {
            let failure = match to.attempt(&self).await {
                Ok(value) => return Ok(value),
                Err(failure) => failure,
            };
            let again = Instant::now() + backoff.pause();
            if again + self.margin() >= self.deadline || !self.may_repeat(&failure, to) {
                return Err(failure.verdict(self.safety, *lost).with_op(self.op));
            }
            *lost |= failure.is_lost();
            sleep_until(again).await;
            if self.until_lost && *lost {
                return Err(failure.verdict(self.safety, *lost).with_op(self.op));
            }
        }
    }

    /// An attempt with less time than this would time out, be taken for a silent server and hide what it said before.
    fn margin(&self) -> Duration {
        (self.patience / 10).min(Duration::from_millis(100))
    }

    fn may_repeat(&self, failure: &Failure, to: To<'_>) -> bool {
        match failure {
            Failure::NotSent(_) => false,
            Failure::Broken(_) | Failure::Silent(_) => self.safety != Safety::Once,
            Failure::Refused(error, _) => {
                (self.packet.is_whole() || self.safety != Safety::Once) && helps(error.kind().retry(), to)
            }
        }
    }

    /// The time of one attempt.
    pub(crate) fn patience(&self) -> Patience {
        let share = match self.safety {
            Safety::Read | Safety::Repeatable => Instant::now() + self.block + self.patience.mul_f64(SHARE),
            Safety::Once => self.deadline,
        };
        Patience { connect_by: self.deadline, reply_by: share.min(self.deadline) }
    }
}

fn helps(retry: Retry, to: To<'_>) -> bool {
    match retry {
        Retry::Later => true,
        // One server that points elsewhere, or is no master, will say the same again.
        Retry::Now | Retry::Reconnect => to.can_move(),
        Retry::Reload | Retry::Never => false,
    }
}

impl To<'_> {
    async fn attempt(self, call: &Call<'_>) -> Result<Value, Failure> {
        match self {
            Self::Owner(backend) => backend.attempt(call).await,
            Self::Node(link) => link.send(call.packet, call.patience()).await,
        }
    }

    fn can_move(self) -> bool {
        match self {
            Self::Owner(backend) => backend.can_move(),
            Self::Node(_) => false,
        }
    }
}
