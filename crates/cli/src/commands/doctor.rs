//! `quorate doctor`.

use quorate_audit::doctor::{self, Check, Verdict};
use serde_json::json;

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::plane;

pub(crate) async fn run(global: &Global) -> Result<Answer, Failure> {
    let scope = plane::connect(global).await?;
    let checks = doctor::examine(&scope).await?;
    let bad = checks.iter().any(|check| matches!(check.verdict, Verdict::Wrong | Verdict::Unfit));
    let rows = checks.iter().map(row).collect();
    let json = json!({ "server": scope.store.target().to_string(), "sound": !bad, "checks": checks });
    let view = View::Rows { header: &["check", "verdict", "what was found", "what to do"], rows };
    Ok(Answer { exit: if bad { Exit::Fault as u8 } else { 0 }, ..Answer::new(json, view) })
}

fn row(check: &Check) -> Vec<String> {
    let verdict = match check.verdict {
        Verdict::Right => "right",
        Verdict::Note => "note",
        Verdict::Wrong => "WRONG",
        Verdict::Unfit => "UNFIT",
    };
    vec![check.check.into(), verdict.into(), check.detail.clone(), check.advice.clone().unwrap_or_default()]
}
