//! `quorate tokens revoke NAME`.

use quorate_plane::Plane;
use quorate_plane::tokens::TokenName;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{refusal, who};

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
    Ok(refusal::or(plane.tokens().revoke(&args.name, &by).await?, |gone| {
        let json = json!({ "outcome": "revoked", "name": gone.name, "id": gone.id, "role": gone.role });
        Answer::new(json, View::Text(format!("revoked {}; it lets nobody in any more", gone.name)))
    }))
}
