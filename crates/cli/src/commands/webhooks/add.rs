//! `quorate webhooks add URL`.

use std::io::Read;
use std::path::{Path, PathBuf};

use quorate_plane::Plane;
use quorate_plane::events::Stream;
use quorate_plane::webhooks::{Address, Pattern};
use quorate_verbs::said::Said;
use quorate_verbs::webhooks::Add;

use crate::ask::ask_as;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::outgoing::{Outgoing, calling};
use crate::who;

/// Longer than any secret.
const LONGEST: u64 = 1_024;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where to: an http or https URL without credentials and without a query.
    url: Address,
    /// Of which events: names, or the beginning of one and a *; commas between several [default: all].
    #[arg(long, value_name = "EVENT", value_delimiter = ',')]
    events: Vec<Pattern>,
    /// Of which streams: task, approval, lock or all [default: the first three].
    #[arg(long, value_name = "STREAM", value_delimiter = ',')]
    streams: Vec<Stream>,
    /// A file with the secret that is to sign them, - for standard input [default: a new one].
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    /// Who makes it, for the audit [default: the user at the command line].
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    #[command(flatten)]
    outgoing: Outgoing,
}

pub(crate) async fn run(plane: Plane, args: &Args) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Add {
        url: Said(args.url.clone()),
        events: args.events.iter().cloned().map(Said).collect(),
        streams: args.streams.iter().copied().map(Said).collect(),
        secret: args.secret_file.as_deref().map(secret).transpose()?,
    };
    let by = args.by.clone().unwrap_or_else(who::os_user);
    ask_as(&plane, &by, &verb, |made| View::Text(format!("{}  {}", made.webhook.id, made.secret))).await
}

/// Everybody on the machine can read a command line, so a secret comes in a file.
fn secret(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = match path.as_os_str().as_encoded_bytes() {
        b"-" => std::io::stdin().take(LONGEST).read_to_string(&mut text),
        _ => std::fs::File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text)),
    };
    read.map_err(|error| Failure::bad_input(format!("--secret-file: {error}")))?;
    Ok(text.trim().to_owned())
}
