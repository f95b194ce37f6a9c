//! Running a script: by its hash, with its text only if the server has forgotten it.
//!
//! The header decides what a lost reply means. A script that writes nothing, or that was given a request id, is sent
//! again and answers the same; any other ends as `UnknownOutcome`.

use std::borrow::Cow;

use quorate_catalog::{Catalog, Keys};
use redis::{Cmd, FromRedisValue, Value};

use super::header::{ArgKind, ArgSpec, KeySpec};
use super::{Arg, Script};
use crate::call::{Call, To};
use crate::error::{Error, ErrorKind, Result};
use crate::failure::Safety;
use crate::packet::Packet;
use crate::store::{Store, decode};
use crate::time::Clock;

/// What Lua holds exactly.
const EXACT: i64 = 1 << 53;

/// How a deployment spells the keys that one script finds by names it reads in the store.
#[derive(Clone, Debug, Default)]
pub struct Reach(Vec<String>);

impl Reach {
    /// What `keys` puts before and after the name in each family that the script reaches.
    pub fn of(script: &Script, keys: &Keys) -> Self {
        let catalog = Catalog::built_in();
        let around = |spec: &KeySpec| {
            let family = catalog.find(&spec.family).into_iter().next()?;
            let (before, after) = keys.around(catalog, family)?;
            Some([before, after])
        };
        Self(script.header().reaches.iter().filter_map(around).flatten().collect())
    }
}

impl Store {
    /// Runs a script. `keys` and `args` must be what its header declares, in that order.
    pub async fn run<T: FromRedisValue>(
        &self,
        script: &Script,
        keys: &[impl AsRef<[u8]>],
        args: &[Arg<'_>],
    ) -> Result<T> {
        self.run_reaching(script, &Reach::default(), keys, args).await
    }

    /// Runs a script that finds some of its keys itself; `reach` says how this deployment spells them.
    pub async fn run_reaching<T: FromRedisValue>(
        &self,
        script: &Script,
        reach: &Reach,
        keys: &[impl AsRef<[u8]>],
        args: &[Arg<'_>],
    ) -> Result<T> {
        let script = match self.clock {
            Clock::Server => Cow::Borrowed(script),
            clock => Cow::Owned(script.with_clock(clock)),
        };
        let op = format!("script {}", script.name());
        script
            .accepts(reach, keys.len(), args)
            .map_err(|what| Error::new(ErrorKind::InvalidArgument, op.clone(), what))?;
        let value = self.evaluate(&script, &op, keys, (reach, args)).await?;
        decode(value, &op)
    }

    async fn evaluate(
        &self,
        script: &Script,
        op: &str,
        keys: &[impl AsRef<[u8]>],
        args: (&Reach, &[Arg<'_>]),
    ) -> Result<Value> {
        let cmd = invocation("EVALSHA", script.sha(), keys, args);
        let safety = script.safety(args.1).unwrap_or_else(|| self.safety(Packet::One(&cmd)));
        let call = self.call(op, Packet::One(&cmd), safety);
        // A server that crashed and came back has both lost the reply and forgotten the script.
        let mut lost = false;
        match call.pursue(To::Owner(&self.backend), &mut lost).await {
            Err(error) if error.kind() == ErrorKind::NoScript => {
                let cmd = invocation("EVAL", script.code(), keys, args);
                Call { packet: Packet::One(&cmd), ..call }.pursue(To::Owner(&self.backend), &mut lost).await
            }
            answer => answer,
        }
    }
}

fn invocation(
    command: &str,
    script: &str,
    keys: &[impl AsRef<[u8]>],
    (reach, args): (&Reach, &[Arg<'_>]),
) -> Cmd {
    let mut cmd = redis::cmd(command);
    cmd.arg(script).arg(keys.len());
    keys.iter().for_each(|key| {
        cmd.arg(key.as_ref());
    });
    reach.0.iter().for_each(|text| {
        cmd.arg(text);
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

    fn accepts(&self, reach: &Reach, keys: usize, args: &[Arg<'_>]) -> Result<(), String> {
        let header = self.header();
        if reach.0.len() != 2 * header.reaches.len() {
            return Err(format!(
                "it reaches {} families and was told of {}",
                header.reaches.len(),
                reach.0.len() / 2
            ));
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
