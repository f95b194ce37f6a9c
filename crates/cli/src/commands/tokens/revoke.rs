//! `quorate tokens revoke NAME`.

use quorate_plane::Plane;
use quorate_plane::tokens::TokenName;
use quorate_verbs::said::Said;
use quorate_verbs::tokens::{Revoke, Revoked};

use crate::ask::ask_as;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::who;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which one.
    name: TokenName,
    /// Who does it, for the audit [default: the user at the command line].
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let by = args.by.clone().unwrap_or_else(who::os_user);
    let view = |gone: &Revoked| View::Text(format!("revoked {}; it lets nobody in any more", gone.name));
    ask_as(plane, &by, &Revoke { name: Said(args.name.clone()) }, view).await
}
