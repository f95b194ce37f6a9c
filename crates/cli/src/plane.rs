//! The way to a store: the external server if one is named, else the engine of the running `quorate up`.

use quorate_catalog::Layout;
use quorate_store::invariant::Scope;
use quorate_store::{ENV, Options, Shape, Store, Target, deployment};

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::settings;

/// A connected store with the builders of its deployment.
pub(crate) async fn connect(global: &Global) -> Result<Scope, Failure> {
    let target = match external(global)? {
        Some(target) => target,
        None => carried(global)?,
    };
    open(global, target).await
}

/// A store that need not be there: it connects with its first call. The layout is the one that suits the server.
pub(crate) fn lazy(global: &Global) -> Result<Scope, Failure> {
    let target = match external(global)? {
        Some(target) => target,
        None => carried(global)?,
    };
    let suited = if matches!(target.shape(), Shape::Cluster(_)) { Layout::Tagged } else { Layout::Plain };
    Ok(Scope { store: Store::lazy(target, Options::default()), keys: settings::keys(global, suited)? })
}

/// Connects and learns the deployment's layout; a new one gets the layout that suits the server.
pub(crate) async fn open(global: &Global, target: Target) -> Result<Scope, Failure> {
    let suited = if matches!(target.shape(), Shape::Cluster(_)) { Layout::Tagged } else { Layout::Plain };
    let address = target.to_string();
    let store =
        Store::connect(target, Options::default()).await.map_err(|error| Failure::at(&address, &error))?;
    let keys = settings::keys(global, suited)?;
    let layout = deployment::recorded_layout(&store, &keys).await?.unwrap_or(suited);
    Ok(Scope { store, keys: settings::keys(global, layout)? })
}

/// The server that the flag or the environment names.
pub(crate) fn external(global: &Global) -> Result<Option<Target>, Failure> {
    if let Some(url) = &global.redis_url {
        return from_flag(url).map(Some);
    }
    let named = ENV
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|url| !url.is_empty()).map(|url| (name, url)));
    let parse = |(name, url): (&str, String)| {
        Target::parse(&url)
            .map_err(|error| Failure::bad_input(format!("{name}: {}", error.detail())).advise(error.advice()))
    };
    named.map(parse).transpose()
}

/// Everybody on the machine can read a command line, so a password there is refused, not used.
fn from_flag(url: &str) -> Result<Target, Failure> {
    let target = Target::parse(url).map_err(|error| {
        Failure::bad_input(format!("--redis-url: {}", error.detail())).advise(error.advice())
    })?;
    if target.has_password() {
        return Err(Failure::bad_input(
            "--redis-url has a password in it, which every process on this machine can read",
        )
        .advise("put the URL in REDIS_URL or VALKEY_URL instead"));
    }
    Ok(target)
}

/// The engine of the plane that runs on this data directory.
fn carried(global: &Global) -> Result<Target, Failure> {
    let running = running(global)?;
    Target::parse(&running.url.reveal()).map_err(Failure::from)
}

/// Who owns the data directory; nobody is exit 69, since there is no store to reach.
pub(crate) fn running(global: &Global) -> Result<quorate_engine::Running, Failure> {
    let dir = settings::data_dir(global)?;
    quorate_engine::running(&dir)?.ok_or_else(|| {
        Failure::new(Exit::Unreachable, format!("no plane is running on {}", dir.display()))
            .advise("start one with `quorate up`, or name a server in REDIS_URL")
    })
}
