//! `quorate messages`: who told whom what, and how far it got.

use std::time::Duration;

use clap::Subcommand;
use quorate_catalog::ids::{AgentId, ThreadId, WordId};
use quorate_plane::Plane;
use quorate_plane::json::Object;
use quorate_plane::messages::{Message, PLAIN_KIND};
use quorate_verbs::messages;
use quorate_verbs::said::{Blob, Said, Span};

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, plane};

mod ack;
mod broadcast;
mod history;
mod inbox;
mod inboxes;
mod read;
mod send;
mod tail;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Sends a message to one agent.
    Send(send::Args),
    /// Sends a message to every live agent but the sender.
    Broadcast(broadcast::Args),
    /// Shows what is in an inbox, the oldest first; nothing is changed by looking.
    Inbox(inbox::Args),
    /// Counts what waits in the inbox of every agent, the fullest first.
    Inboxes(inboxes::Args),
    /// Gives an agent its oldest messages and notes that they were read; they stay until they are acknowledged.
    Read(read::Args),
    /// Acknowledges messages; they leave the inbox.
    Ack(ack::Args),
    /// Shows what was sent and how far each message got, the newest first.
    History(history::Args),
    /// Shows the newest messages of an inbox, and follows it.
    Tail(tail::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Send(args) => send::run(&plane, &args).await,
        Verb::Broadcast(args) => broadcast::run(&plane, &args).await,
        Verb::Inbox(args) => inbox::run(&plane, &args).await,
        Verb::Inboxes(args) => inboxes::run(&plane, &args).await,
        Verb::Read(args) => read::run(&plane, &args).await,
        Verb::Ack(args) => ack::run(&plane, &args).await,
        Verb::History(args) => history::run(&plane, &args).await,
        Verb::Tail(args) => tail::run(global, &plane, &args).await,
    }
}

/// What is sent, whoever it is for.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Letter {
    /// Who sends it.
    #[arg(long, env = "QUORATE_AGENT", value_name = "ID")]
    from: AgentId,
    /// The sender's epoch, if it is an agent; a write of an earlier incarnation is refused.
    #[arg(long, env = "QUORATE_EPOCH", value_name = "N")]
    epoch: Option<u64>,
    /// handoff, warn, emergency, status, request, reply or another word.
    #[arg(long, default_value = PLAIN_KIND)]
    kind: WordId,
    /// What it belongs to.
    #[arg(long)]
    thread: Option<ThreadId>,
    /// One line about it.
    #[arg(long)]
    subject: Option<String>,
    /// A JSON object to go with it.
    #[arg(long, value_name = "JSON")]
    blob: Option<String>,
    /// How long there is time to acknowledge it; then the sender is told, and the operator where one is set.
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    ack_by: Option<Duration>,
}

impl Letter {
    fn verb(&self, text: &str) -> Result<messages::Letter, Failure> {
        let blob = self.blob.as_deref().map(Object::parse).transpose();
        let blob = blob.map_err(|why| Failure::bad_input(format!("--blob: {why}")))?;
        Ok(messages::Letter {
            from: Said(self.from.clone()),
            epoch: self.epoch,
            text: text.to_owned(),
            kind: Some(Said(self.kind.clone())),
            thread: self.thread.clone().map(Said),
            subject: self.subject.clone(),
            blob: blob.map(Blob),
            ack_by: self.ack_by.map(Span),
        })
    }
}

/// Messages as a table.
fn table(messages: &[Message]) -> View {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let row = |one: &Message| {
        let subject = one.subject.as_ref().map(|subject| format!("[{subject}] ")).unwrap_or_default();
        let late = if one.ladder.escalated_at.is_some() { ", escalated" } else { "" };
        vec![
            text(&one.id),
            text(&one.from),
            text(&one.to),
            text(&one.kind),
            format!("{}{late}", one.state.as_str()),
            format!("{subject}{}", one.body),
        ]
    };
    let header = &["id", "from", "to", "kind", "state", "text"];
    View::Rows { header, rows: messages.iter().map(row).collect() }
}
