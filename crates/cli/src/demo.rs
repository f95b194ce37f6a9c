//! A believable fleet, played through the public API: for people who look at the plane for the first time, and for screens that
//! must show something.
//!
//! A scene is a file in `scenes/` and knows nothing of the others. Everything it makes has a name that begins with `demo-`, so that it
//! can be told from real work and [`clean`] finds it.

mod clean;
mod crew;
mod house;
mod scenes;
mod stage;

use std::time::Duration;

use futures_util::future::BoxFuture;
use quorate_catalog::ids::TokenNameId;
use quorate_plane::Plane;
use quorate_plane::tokens::{NewToken, Role};
use quorate_store::Result;
use tokio::sync::watch;
use tokio::task::JoinSet;

pub(crate) use clean::clean;
pub(crate) use house::rule;
pub(crate) use scenes::{all, named};
pub(crate) use stage::{Stage, Trouble};

/// What every name of the demo begins with.
pub(crate) const MARK: &str = "demo-";
/// What the names of the demos' tokens begin with, and how long one lives that nobody takes back.
const TOKEN: &str = "demo-fleet";
const TOKEN_LIFE: Duration = Duration::from_secs(7 * 86_400);
/// How long a scene waits when the plane does not answer.
const AWAY: Duration = Duration::from_secs(2);

/// A part of the fleet's life.
pub(crate) trait Scene: Send {
    fn name(&self) -> &'static str;

    /// What it shows, in a sentence.
    fn about(&self) -> &'static str;

    /// Does a little, and says how long to rest until the next turn.
    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, std::result::Result<Duration, Trouble>>;
}

/// A token of one demo alone: several may play beside each other, and each ends with its own.
pub(crate) struct Ticket {
    name: TokenNameId,
    pub(crate) secret: String,
}

pub(crate) async fn token(plane: &Plane) -> Result<Ticket> {
    let name = TokenNameId::parse(&format!("{TOKEN}-{:08x}", fastrand::u32(..))).expect("a name");
    let new = NewToken { ttl: Some(TOKEN_LIFE), ..NewToken::new(name.clone(), Role::Operator, "demo") };
    let secret = match plane.tokens().create(&new).await? {
        quorate_plane::Outcome::Done(made) => made.token,
        // A name by chance that another demo had before: then this one does not play.
        quorate_plane::Outcome::Refused(_) => String::new(),
    };
    Ok(Ticket { name, secret })
}

/// Ends one demo's token.
pub(crate) async fn leave(plane: &Plane, ticket: &Ticket) -> Result<()> {
    plane.tokens().revoke(&ticket.name, "demo").await.map(drop)
}

/// Ends the tokens of all demos, and with them every demo that plays.
pub(crate) async fn end(plane: &Plane) -> Result<()> {
    for token in plane.tokens().ls().await?.iter().filter(|token| token.name.starts_with(TOKEN)) {
        if let Ok(name) = TokenNameId::parse(&token.name) {
            plane.tokens().revoke(&name, "demo").await?;
        }
    }
    Ok(())
}

/// How a demo came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It was told to stop, or had its time.
    Told,
    /// Its token was taken away: somebody has ended every demo.
    Taken,
}

/// Plays until it is told to stop, or until its token has ended.
pub(crate) async fn play(stage: &Stage, scenes: Vec<Box<dyn Scene>>, stop: &watch::Receiver<bool>) -> End {
    let mut all = JoinSet::new();
    for scene in scenes {
        all.spawn(one(stage.clone(), scene, stop.clone()));
    }
    let mut end = End::Told;
    while let Some(scene) = all.join_next().await {
        if scene.is_ok_and(|own| own == End::Taken) {
            end = End::Taken;
        }
    }
    end
}

async fn one(stage: Stage, mut scene: Box<dyn Scene>, mut stop: watch::Receiver<bool>) -> End {
    loop {
        let rest = tokio::select! {
            _ = stop.wait_for(|stopped| *stopped) => return End::Told,
            turned = scene.turn(&stage) => match turned {
                Ok(rest) => stage.paced(rest),
                Err(Trouble::Away) => AWAY,
                Err(Trouble::Over) => return End::Taken,
            },
        };
        tokio::select! {
            _ = stop.wait_for(|stopped| *stopped) => return End::Told,
            () = tokio::time::sleep(rest) => {}
        }
    }
}
