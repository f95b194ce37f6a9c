//! `quorate webhooks ls`.

use quorate_plane::Plane;
use quorate_plane::webhooks::Webhook;
use quorate_verbs::webhooks::Ls;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let header = &["id", "url", "events", "streams", "delivered", "failed", "last"];
    ask(plane, &Ls {}, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}

fn row(hook: &Webhook) -> Vec<String> {
    vec![
        hook.id.clone(),
        hook.url.clone(),
        hook.events.join(" "),
        hook.streams.join(" "),
        hook.delivered.to_string(),
        hook.failed.to_string(),
        hook.last_result.clone().unwrap_or_default(),
    ]
}
