//! Signing in and out as changes that go on record: who, from where, and how it ended. Nobody's secret is in it.
//!
//! A code or a token that lets nobody in changes nothing and leaves no record: whoever guesses could wash the trail away.

use quorate_plane::sign_in::{CODE_PREFIX, NewSession, Seen};
use quorate_plane::tokens::Caller;
use quorate_plane::trail::{Record, UNKNOWN};
use quorate_store::Result;
use serde_json::{Value, json};

use crate::app::App;

/// Who signs in with a code, until the code has said it.
const SOMEBODY: &str = "somebody with a code";

/// Opens a session for whoever brings a code.
pub(super) async fn redeem(app: &App, code: &str, seen: &Seen, id: &str) -> Result<Option<NewSession>> {
    if !code.starts_with(CODE_PREFIX) {
        return Ok(None);
    }
    let mut record = noted(app, "sign-ins.open", SOMEBODY, id).await?;
    let opened = app.plane.sign_in().redeem(code, seen).await;
    if let Ok(Some(session)) = &opened {
        (record.who, record.target) = (session.user.to_string(), session.user.to_string());
    }
    let told = opened.as_ref().map(|opened| opened.as_ref().map(|session| about(session, seen)));
    end(app, record, told).await;
    opened
}

/// Opens a session for the holder of a token.
pub(super) async fn open(app: &App, caller: &Caller, seen: &Seen, id: &str) -> Result<NewSession> {
    let record = noted(app, "sign-ins.open", &caller.name, id).await?;
    let opened = app.plane.sign_in().open(caller, seen).await;
    end(app, record, opened.as_ref().map(|session| Some(about(session, seen)))).await;
    opened
}

/// Ends a session.
pub(super) async fn close(app: &App, caller: &Caller, secret: &str, id: &str) -> Result<()> {
    let record = noted(app, "sign-ins.close", &caller.name, id).await?;
    let closed = app.plane.sign_in().close(secret).await;
    end(app, record, closed.as_ref().map(|closed| closed.then_some(Value::Null))).await;
    closed.map(drop)
}

/// Notes what is to be done before it is, so that it has its record even if this process dies.
async fn noted(app: &App, action: &str, who: &str, id: &str) -> Result<Record> {
    let record = Record {
        who: who.to_owned(),
        via: "http".to_owned(),
        action: action.to_owned(),
        target: who.to_owned(),
        request: id.to_owned(),
        result: UNKNOWN.to_owned(),
        ..Record::default()
    };
    app.plane.trail().intend(&record).await?;
    Ok(record)
}

/// Writes the record of what was done; of what was not, the note goes.
async fn end(
    app: &App,
    mut record: Record,
    ended: std::result::Result<Option<Value>, &quorate_store::Error>,
) {
    let trail = app.plane.trail();
    let written = match ended {
        Ok(None) => trail.withdraw(&record.request).await,
        Ok(Some(after)) => {
            (record.result, record.after) = ("ok".to_owned(), Some(after).filter(|after| !after.is_null()));
            trail.record(&record).await
        }
        Err(_) => {
            record.result = "fault".to_owned();
            trail.record(&record).await
        }
    };
    if let Err(error) = written {
        tracing::error!(action = record.action, request = record.request, %error, "a sign-in is not on record yet");
    }
}

fn about(session: &NewSession, seen: &Seen) -> Value {
    json!({ "role": session.role, "ip": seen.ip, "expires_at": session.expires_at.iso() })
}
