//! `quorate keys ls`.

use quorate_catalog::Layout;
use quorate_verbs::keys::{Ls, Summary};
use quorate_verbs::said::Said;

use super::answer;
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::settings;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only families of this system.
    #[arg(long)]
    system: Option<String>,
    /// Only families of this capability.
    #[arg(long)]
    capability: Option<String>,
    /// Only families of this kind: string, hash, list, set, zset, stream, channel or group.
    #[arg(long)]
    kind: Option<String>,
    /// The spelling of this layout.
    #[arg(long, default_value_t = Layout::Plain)]
    layout: Layout,
    /// Add the plane's own families to the seeds', and those of later versions of their systems.
    #[arg(long)]
    internal: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let verb = Ls {
        system: args.system.clone(),
        capability: args.capability.clone(),
        kind: args.kind.clone(),
        layout: Some(Said(args.layout)),
        internal: args.internal,
    };
    let families = verb.of(&settings::keys(global, args.layout)?)?;
    let header = &["system", "family", "pattern", "kind", "retention", "capability"];
    let rows = families.iter().map(row).collect();
    Ok(answer(&families, View::Rows { header, rows }))
}

fn row(family: &Summary) -> Vec<String> {
    [&family.system, &family.family, &family.pattern, &family.kind, &family.retention, &family.capability]
        .map(String::from)
        .to_vec()
}
