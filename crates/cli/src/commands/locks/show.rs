//! `quorate locks show RES`.

use quorate_catalog::text::harmless;
use quorate_plane::Plane;
use quorate_plane::locks::Resource;
use quorate_verbs::locks::{Show, Shown};
use quorate_verbs::said::{Said, Within};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The lock.
    #[arg(value_name = "RES")]
    on: Resource,
    /// Most waiters to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Show { lock: Said(args.on.clone()), limit: Some(Within(args.limit.into())) };
    ask(plane, &verb, |shown| View::Text(text(shown))).await
}

fn text(shown: &Shown) -> String {
    let mut lines = vec![match shown.holders.len() {
        0 => format!("{} is free", shown.lock),
        _ => format!("{} is held", shown.lock),
    }];
    for one in &shown.holders {
        let lease = if one.living { "" } else { ", whose own lease has ended" };
        if one.mode == "foreign" {
            let end = if one.expires_at.is_empty() {
                "without an end".to_owned()
            } else {
                format!("until {}", one.expires_at)
            };
            lines.push(format!("  {} (no agent of this plane) {end}: {}", one.agent, one.purpose));
            continue;
        }
        lines.push(format!(
            "  {} ({}, token {}) until {}{lease} {}",
            one.agent, one.mode, one.token, one.expires_at, one.purpose
        ));
    }
    for (place, one) in shown.waiters.iter().enumerate() {
        lines.push(format!(
            "  {}. {} waits ({}, priority {}, request {}) since {}",
            place + 1,
            one.agent,
            one.mode,
            one.priority,
            one.request,
            one.since
        ));
    }
    lines.iter().map(|line| harmless(line.trim_end())).collect::<Vec<_>>().join("\n")
}
