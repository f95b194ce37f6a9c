//! `quorate webhooks show ID`.

use quorate_catalog::ids::WebhookId;
use quorate_plane::Plane;
use quorate_plane::webhooks::Webhook;
use quorate_verbs::said::Said;
use quorate_verbs::webhooks::Show;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which one.
    id: WebhookId,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    ask(plane, &Show { id: Said(args.id.clone()) }, view).await
}

fn view(hook: &Webhook) -> View {
    let last = [hook.last_at.clone(), hook.last_result.clone()];
    let lines = [
        format!("{}  {}", hook.id, hook.url),
        format!("events     {}", hook.events.join(" ")),
        format!("streams    {}", hook.streams.join(" ")),
        format!("made       {} by {}", hook.created_at, hook.by),
        format!("delivered  {}", hook.delivered),
        format!("failed     {} ({} in a row)", hook.failed, hook.streak),
        format!("last       {}", last.into_iter().flatten().collect::<Vec<_>>().join(" ")),
    ];
    View::Text(lines.join("\n"))
}
