//! `quorate workflows define NAME FILE`.

use std::io::Read;
use std::path::PathBuf;

use quorate_catalog::ids::WorkflowId;
use quorate_plane::Plane;
use quorate_plane::json::OBJECT_MAX;
use quorate_verbs::said::Said;
use quorate_verbs::workflows::Define;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    id: WorkflowId,
    /// A file with the topology in JSON; `-` reads it from standard input.
    file: PathBuf,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let text =
        read(&args.file).map_err(|error| Failure::bad_input(format!("{}: {error}", args.file.display())))?;
    quorate_plane::json::check(&text).map_err(|why| Failure::bad_input(format!("the topology: {why}")))?;
    let topology =
        serde_json::from_str(&text).map_err(|error| Failure::bad_input(format!("the topology: {error}")))?;
    let verb = Define { workflow: Said(args.id), topology };
    ask(plane, &verb, |done| {
        View::Text(format!("{} {} version {}", done.outcome, done.workflow, done.version))
    })
    .await
}

fn read(file: &std::path::Path) -> std::io::Result<String> {
    let most = OBJECT_MAX as u64 + 1;
    let mut text = String::new();
    if file.as_os_str() == "-" {
        std::io::stdin().take(most).read_to_string(&mut text)?;
    } else {
        std::fs::File::open(file)?.take(most).read_to_string(&mut text)?;
    }
    Ok(text)
}
