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
/// The name of the demo's token, and how long one lives that nobody takes back.
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

/// A token for the demo alone; an earlier one ends.
pub(crate) async fn token(plane: &Plane) -> Result<String> {
    let name = TokenNameId::parse(TOKEN).expect("a name");
    let _ = plane.tokens().revoke(&name, "demo").await?;
    let new = NewToken { ttl: Some(TOKEN_LIFE), ..NewToken::new(name, Role::Operator, "demo") };
    match plane.tokens().create(&new).await? {
        quorate_plane::Outcome::Done(made) => Ok(made.token),
        // Another demo was quicker, and has its own.
        quorate_plane::Outcome::Refused(_) => Ok(String::new()),
    }
}

/// Ends the demo's token, and with it every demo that plays.
pub(crate) async fn end(plane: &Plane) -> Result<()> {
    let name = TokenNameId::parse(TOKEN).expect("a name");
    plane.tokens().revoke(&name, "demo").await.map(drop)
}

/// Plays until it is told to stop, or until its token has ended.
pub(crate) async fn play(stage: &Stage, scenes: Vec<Box<dyn Scene>>, stop: &watch::Receiver<bool>) {
    let mut all = JoinSet::new();
    for scene in scenes {
        all.spawn(one(stage.clone(), scene, stop.clone()));
    }
    while all.join_next().await.is_some() {}
}

async fn one(stage: Stage, mut scene: Box<dyn Scene>, mut stop: watch::Receiver<bool>) {
    loop {
        let rest = tokio::select! {
            _ = stop.wait_for(|stopped| *stopped) => return,
            turned = scene.turn(&stage) => match turned {
                Ok(rest) => stage.paced(rest),
                Err(Trouble::Away) => AWAY,
                Err(Trouble::Over) => return,
            },
        };
        tokio::select! {
            _ = stop.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(rest) => {}
        }
    }
}
