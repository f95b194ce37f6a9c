//! Running a script: by its hash, with its text only if the server has forgotten it.
//!
//! The header decides what a lost reply means. A script that writes nothing, or that was given a request id, is sent
//! again and answers the same; any other ends as `UnknownOutcome`.

use std::borrow::Cow;

use redis::{Cmd, FromRedisValue, Value};
use tokio::time::Instant;

use super::header::{ArgKind, ArgSpec};
use super::{Arg, Script};
use crate::call::{Call, To};
use crate::error::{Error, ErrorKind, Result};
use crate::failure::Safety;
use crate::packet::Packet;
use crate::store::{Store, decode};
use crate::time::Clock;

/// What Lua holds exactly.
const EXACT: i64 = 1 << 53;

impl Store {
    /// Runs a script. `keys` and `args` must be what its header declares, in that order.
    pub async fn run<T: FromRedisValue>(
        &self,
        script: &Script,
        keys: &[impl AsRef<[u8]>],
        args: &[Arg<'_>],
    ) -> Result<T> {
        let script = match self.clock {
            Clock::Server => Cow::Borrowed(script),
            clock => Cow::Owned(script.with_clock(clock)),
        };
        let op = format!("script {}", script.name());
        script
            .accepts(keys.len(), args)
            .map_err(|what| Error::new(ErrorKind::InvalidArgument, op.clone(), what))?;
        let once = self.once.as_deref().filter(|_| script.header().writes > 0);
        let Some(once) = once else {
            let sent = Sent { script: &script, sha: script.sha(), code: script.code(), safety: None };
            return decode(self.evaluate(sent, &op, keys, args).await?, &op);
        };
        let (more, further) = once.further(script.name(), self.looping);
        let keys: Vec<&[u8]> =
            keys.iter().map(AsRef::as_ref).chain(more.iter().map(|key| key.as_bytes())).collect();
        let args: Vec<Arg<'_>> = args.iter().cloned().chain(further).collect();
        let (code, sha) = script.enveloped();
        let safety = Some(if once.remembers() { Safety::Repeatable } else { Safety::Once });
        let value = self.evaluate(Sent { script: &script, sha, code, safety }, &op, &keys, &args).await?;
        once.answered(&value);
        decode(value, &op)
    }

    async fn evaluate(
        &self,
        sent: Sent<'_>,
        op: &str,
        keys: &[impl AsRef<[u8]>],
        args: &[Arg<'_>],
    ) -> Result<Value> {
        let again = sent.script.header().args.iter().position(|arg| arg.kind == ArgKind::Again);
        let cmd = invocation("EVALSHA", sent.sha, keys, args);
        let safety = sent.safety.or_else(|| sent.script.safety(args));
        // It is no command that only reads, so it need not be looked up among those.
        let safety = safety.unwrap_or(self.of_changes());
        let call = Call { until_lost: again.is_some(), ..self.call(op, Packet::One(&cmd), safety) };
        // A server that crashed and came back has both lost the reply and forgotten the script.
        let mut lost = false;
        let answer = self.deliver_script(sent, call, keys, args, &mut lost).await;
        let (Some(index), Err(_), true) = (again, &answer, lost && call.deadline > Instant::now()) else {
            return answer;
        };
        let mut args = args.to_vec();
        args[index] = Arg::from("1");
        let cmd = invocation("EVALSHA", sent.sha, keys, &args);
        let call = Call { packet: Packet::One(&cmd), until_lost: false, ..call };
        self.deliver_script(sent, call, keys, &args, &mut lost).await
    }

    async fn deliver_script(
        &self,
        sent: Sent<'_>,
        call: Call<'_>,
        keys: &[impl AsRef<[u8]>],
        args: &[Arg<'_>],
        lost: &mut bool,
    ) -> Result<Value> {
        match call.pursue(To::Owner(&self.backend), lost).await {
            Err(error) if error.kind() == ErrorKind::NoScript => {
                let cmd = invocation("EVAL", sent.code, keys, args);
                Call { packet: Packet::One(&cmd), ..call }.pursue(To::Owner(&self.backend), lost).await
            }
            answer => answer,
        }
    }
}

/// A script as it is sent: by itself, or in the envelope of a request.
#[derive(Clone, Copy)]
struct Sent<'s> {
    script: &'s Script,
    sha: &'s str,
    code: &'s str,
    /// What a second delivery does, where the envelope decides it.
    safety: Option<Safety>,
}

fn invocation(command: &str, script: &str, keys: &[impl AsRef<[u8]>], args: &[Arg<'_>]) -> Cmd {
    let mut cmd = redis::cmd(command);
    cmd.arg(script).arg(keys.len());
    keys.iter().for_each(|key| {
        cmd.arg(key.as_ref());
    });
    args.iter().for_each(|arg| {
        cmd.arg(arg.as_bytes());
    });
    cmd
}

impl Script {
    /// What its header makes of a second delivery, if it says anything.
    fn safety(&self, args: &[Arg<'_>]) -> Option<Safety> {
        let request = self.header().args.iter().position(|arg| arg.kind == ArgKind::Request);
        let given = request.and_then(|index| args.get(index)).is_some_and(|id| !id.as_bytes().is_empty());
        match self.header().writes {
            0 => Some(Safety::Read),
            _ => given.then_some(Safety::Repeatable),
        }
    }

    fn accepts(&self, keys: usize, args: &[Arg<'_>]) -> Result<(), String> {
        let header = self.header();
        if self.is_unspelled() {
            return Err("it reaches keys and was not spelled for a deployment".to_owned());
        }
        let fits =
            |given: usize, declared: usize, open: bool| given == declared || (open && given > declared);
        if !fits(keys, header.keys.len(), header.keys_rest.is_some()) {
            return Err(format!("it takes {} keys and got {keys}", header.keys.len()));
        }
        if !fits(args.len(), header.args.len(), header.rest.is_some()) {
            return Err(format!("it takes {} arguments and got {}", header.args.len(), args.len()));
        }
        header.args.iter().zip(args).try_for_each(|(spec, arg)| number(spec, arg))
    }
}

fn number(ArgSpec { name, kind, .. }: &ArgSpec, arg: &Arg<'_>) -> Result<(), String> {
    let text = std::str::from_utf8(arg.as_bytes()).unwrap_or_default();
    let whole = || text.parse::<i64>().is_ok_and(|number| (-EXACT..=EXACT).contains(&number));
    match kind {
        ArgKind::Integer if !whole() => {
            Err(format!("the argument {name} must be a whole number within ±2^53"))
        }
        ArgKind::Number if !text.parse::<f64>().is_ok_and(f64::is_finite) => {
            Err(format!("the argument {name} must be a finite number"))
        }
        _ => Ok(()),
    }
}
