//! `quorate notices run`, `notices test`.

use quorate_plane::Plane;
use quorate_verbs::notices::{Run, Test};

use crate::ask::ask;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::outgoing::{Outgoing, calling};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    outgoing: Outgoing,
}

pub(crate) async fn run(plane: Plane, args: &Args) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    ask(&plane, &Run {}, |turn| {
        let mut line = match &turn.idle {
            Some(why) => format!("nothing was done: {why}"),
            None => format!("{} found, {} told, {} waiting", turn.found, turn.sent, turn.waiting),
        };
        for why in &turn.trouble {
            line += &format!("\ntrouble: {why}");
        }
        View::Text(line)
    })
    .await
}

pub(crate) async fn test(plane: Plane, args: &Args) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let answer = ask(&plane, &Test {}, |tested| {
        View::Text(match &tested.trouble {
            None => "sent".to_owned(),
            Some(why) => format!("not sent: {why}"),
        })
    })
    .await?;
    let failed = answer.json.get("sent").is_some_and(|sent| sent == false);
    Ok(if failed { Answer { exit: Exit::Fault as u8, ..answer } } else { answer })
}
