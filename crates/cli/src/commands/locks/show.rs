//! `quorate locks show RES`.

use quorate_plane::Plane;
use quorate_plane::locks::{Resource, Shown};
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};
use quorate_catalog::text::harmless;

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
    let shown = plane.locks().show(&args.on, args.limit as usize).await?;
    let holder = |one: &quorate_plane::locks::Holder| {
        json!({ "agent": one.agent, "mode": one.mode, "token": one.fence, "expires_at": one.expires_at.iso(),
            "acquired_at": one.acquired_at.iso(), "purpose": one.purpose, "epoch": one.epoch, "living": one.living })
    };
    let waiter = |one: &quorate_plane::locks::Waiter| {
        json!({ "agent": one.agent, "mode": one.mode, "request": one.request, "since": one.since.iso(),
            "deadline": one.deadline.iso(), "priority": one.priority, "purpose": one.purpose })
    };
    let json = json!({
        "lock": args.on.to_string(), "token": shown.fence, "waiting": shown.waiting,
        "holders": shown.holders.iter().map(holder).collect::<Vec<_>>(),
        "waiters": shown.waiters.iter().map(waiter).collect::<Vec<_>>(),
    });
    Ok(Answer::new(json, View::Text(text(&args.on, &shown))))
}

fn text(on: &Resource, shown: &Shown) -> String {
    let mut lines = vec![match shown.holders.len() {
        0 => format!("{on} is free"),
        _ => format!("{on} is held"),
    }];
    for one in &shown.holders {
        let lease = if one.living { "" } else { ", whose own lease has ended" };
        lines.push(format!(
            "  {} ({}, token {}) until {}{lease} {}",
            one.agent,
            one.mode,
            one.fence,
            one.expires_at.iso(),
            one.purpose
        ));
    }
    for (place, one) in shown.waiters.iter().enumerate() {
        lines.push(format!(
            "  {}. {} waits ({}, priority {}) since {}",
            place + 1,
            one.agent,
            one.mode,
            one.priority,
            one.since.iso()
        ));
    }
    lines.iter().map(|line| harmless(line.trim_end())).collect::<Vec<_>>().join("\n")
}
