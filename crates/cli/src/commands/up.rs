//! `quorate up`: the plane, in the foreground, until it is told to stop.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use quorate_audit::doctor::{self, Verdict};
use quorate_catalog::ids::UserId;
use quorate_engine::{Engine, Fsync};
use quorate_outgoing::Guard;
use quorate_plane::Plane;
use quorate_plane::events::Note;
use quorate_plane::tokens::Role;
use quorate_server::{Certificate, Served};
use quorate_store::deployment::{self, Claim};
use quorate_store::invariant::Scope;
use quorate_store::{Store, Target};
use serde_json::json;
use tokio::net::TcpListener;

use crate::args::Global;
use crate::demo::{self, End, Stage};
use crate::failure::{Exit, Failure};
use crate::journal::{self, Journal, Pages};
use crate::out::{self, Answer, View};
use crate::outgoing::{Outgoing, calling};
use crate::stop::StopSignals;
use crate::{otlp, plane, settings};

/// Where the plane listens unless told otherwise.
const LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7770);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where to serve HTTP [default: 127.0.0.1:7770, or a free port if that is taken].
    #[arg(long, value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// A certificate (PEM), so that other machines may connect; goes with --tls-key.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The certificate's private key (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Open the carried engine to other Redis clients on 127.0.0.1:N too.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    redis_port: Option<u16>,
    /// When the carried engine syncs its journal to disk [default: everysec].
    #[arg(long, value_enum)]
    fsync: Option<Sync>,
    /// Play a fleet on it, to look at; everything of it has a name that begins with `demo-`.
    #[arg(long, conflicts_with = "tls_cert")]
    demo: bool,
    /// Take away what the demo has made when the plane stops.
    #[arg(long, requires = "demo")]
    demo_clean: bool,
    #[command(flatten)]
    outgoing: Outgoing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Sync {
    /// Once a second: fast; a power loss, or a crash of the engine while the disk is slow, may cost up to two.
    Everysec,
    /// Before every answer: nothing acknowledged is ever lost, and writes take as long as the disk does.
    Always,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let stop = StopSignals::listen()?;
    let certificate = certificate(args)?;
    let guard = args.outgoing.guard_and(if args.demo { demo::rule() } else { None })?;
    crate::post::check()?;
    let export = otlp::begin()?;
    let listener = listen(args.listen, certificate.as_ref()).await?;
    let address = listener.local_addr().map_err(|error| Failure::new(Exit::Fault, error.to_string()))?;
    let (journal, pages) = journal::open();
    let engine = match plane::external(global)? {
        Some(_) if args.redis_port.is_some() || args.fsync.is_some() => {
            return Err(Failure::bad_input(
                "--redis-port and --fsync are for the carried engine, and REDIS_URL names another server",
            ));
        }
        Some(_) => None,
        None => Some(start(global, args, address, journal.clone()).await?),
    };
    // Whatever the rules say, nobody outside has us call ourselves.
    let guard = args.redis_port.into_iter().chain([address.port()]).fold(guard, Guard::own_port);
    let listening = (listener, certificate, guard);
    let outcome = serve((global, args), engine.as_ref(), listening, &stop, (journal, pages)).await;
    if let Some(engine) = engine {
        close(engine).await;
    }
    if let Some(export) = export {
        export.close().await;
    }
    outcome.map(|()| Answer::new(json!({ "outcome": "stopped" }), View::Text("stopped".into())))
}

async fn serve(
    (global, args): (&Global, &Args),
    engine: Option<&Engine>,
    (listener, certificate, guard): (TcpListener, Option<Certificate>, Guard),
    stop: &StopSignals,
    (journal, mut pages): (Journal, Pages),
) -> Result<(), Failure> {
    let target = match engine {
        Some(engine) => Target::parse(&engine.url().reveal())?,
        None => plane::external(global)?.ok_or_else(|| Failure::new(Exit::Fault, "no server is named"))?,
    };
    let scope = plane::open(global, target).await?;
    admit(&scope, &journal).await?;
    claim(&scope).await?;
    let address = listener.local_addr().map_err(ended)?;
    let plane = Plane::new(scope.clone()).inspect_err(|error| {
        out::talk(&format!("warning: {}", error.detail()));
    });
    let plane = plane.ok().map(|plane| crate::post::telling(calling(plane, guard))).transpose()?;
    if let Some(plane) = &plane {
        admit_others(plane, address).await?;
    }
    let link = match &plane {
        Some(plane) => Some(invite(plane, address, certificate.is_some()).await?),
        None => None,
    };
    greet(global, engine, (address, certificate.is_some(), link), &scope.store);
    let served = Served { store: scope.store.clone(), plane: plane.clone(), certificate };
    let server = quorate_server::serve(listener, served, stop.wait());
    let Some(plane) = plane else { return server.await.map_err(ended) };
    let address = address.to_string();
    begin(&plane, &journal, &address).await?;
    let served = tokio::select! {
        served = server => served,
        never = maintain(&plane, &journal) => match never {},
        never = pages.write(&plane) => match never {},
        never = play(&plane, args, &address, stop) => match never {},
    };
    if args.demo_clean {
        demo::end(&plane).await?;
        demo::clean(&plane).await?;
    }
    let word = if served.is_ok() { "told to stop" } else { "the HTTP server ended" };
    pages.close(&plane, note("info", "plane:stopped", word, &json!({ "pid": std::process::id() }))).await;
    served.map_err(ended)
}

/// Who listens to other machines must know whom to let in.
async fn admit_others(plane: &Plane, address: SocketAddr) -> Result<(), Failure> {
    if address.ip().is_loopback() || plane.tokens().ls().await?.iter().any(|token| !token.expired) {
        return Ok(());
    }
    let message = format!("{address} is reachable from other machines, and there is no token yet");
    Err(Failure::new(Exit::Refused, message)
        .advise("listen on 127.0.0.1 first and make one with `quorate tokens create NAME --role admin`"))
}

/// A link that signs one person in, once, within a quarter of an hour.
async fn invite(plane: &Plane, address: SocketAddr, tls: bool) -> Result<String, Failure> {
    let user = UserId::parse("admin").map_err(Failure::bad_input)?;
    let code = plane.sign_in().invite(&user, Role::Admin, Duration::from_secs(900)).await?;
    Ok(format!("{}://{address}/login?code={code}", if tls { "https" } else { "http" }))
}

fn certificate(args: &Args) -> Result<Option<Certificate>, Failure> {
    let (Some(certificate), Some(key)) = (&args.tls_cert, &args.tls_key) else { return Ok(None) };
    Certificate::read(certificate, key).map(Some).map_err(Failure::bad_input)
}

fn ended(error: std::io::Error) -> Failure {
    Failure::new(Exit::Fault, format!("the HTTP server ended: {error}"))
}

/// Start and configuration go on record before anything else does.
async fn begin(plane: &Plane, journal: &Journal, address: &str) -> Result<(), Failure> {
    let server = plane.store().info("server").await?;
    let version = server.get("valkey_version").or(server.get("redis_version")).unwrap_or_default();
    let fields = json!({ "version": env!("CARGO_PKG_VERSION"), "pid": std::process::id(), "http": address,
        "server": plane.store().target().to_string(), "server_version": version });
    journal.note("info", "plane:started", concat!("quorate ", env!("CARGO_PKG_VERSION"), " is up"), &fields);
    let configuration = json!({ "streams": plane.events().settings().await?, "layout": plane.keys().layout().to_string(),
        "namespace": plane.keys().namespace_text() });
    journal.note("info", "plane:configuration", "what operators have set, and what is usual", &configuration);
    Ok(())
}

fn note(level: &'static str, event: &str, msg: &str, fields: &serde_json::Value) -> Note {
    Note { level, event: event.to_owned(), msg: msg.to_owned(), fields: fields.to_string() }
}

/// The demo, where one is wanted, until the server ends.
async fn play(plane: &Plane, args: &Args, address: &str, stop: &StopSignals) -> std::convert::Infallible {
    if args.demo {
        let token = demo::token(plane).await.map_err(|error| error.to_string());
        match token.and_then(|token| Stage::new(format!("http://{address}"), token.secret, 1.0)) {
            Ok(stage) => {
                out::talk(
                    "a demo fleet is at work; `quorate demo --clean` ends it and takes away what it made",
                );
                if demo::play(&stage, demo::all(), stop.stopped()).await == End::Taken {
                    out::talk("somebody has ended the demo");
                }
            }
            Err(why) => out::talk(&format!("warning: no demo: {why}")),
        }
    }
    std::future::pending().await
}

/// What the plane does by itself, until the server ends.
async fn maintain(plane: &Plane, journal: &Journal) -> std::convert::Infallible {
    quorate_plane::maintenance::run(plane, |text| {
        out::talk(text);
        journal.warn("plane:maintenance", text);
    })
    .await;
    std::future::pending().await
}

/// Refuses a server on which no promise could be kept, and says loudly what is wrong with any other.
async fn admit(scope: &Scope, journal: &Journal) -> Result<(), Failure> {
    for check in doctor::examine(scope).await? {
        let advice = check.advice.unwrap_or_default();
        match check.verdict {
            Verdict::Unfit => {
                return Err(
                    Failure::new(Exit::Fault, format!("{}: {}", check.check, check.detail)).advise(advice)
                );
            }
            Verdict::Wrong => {
                out::talk(&format!("warning: {}: {}; {advice}", check.check, check.detail));
                journal.warn("engine:warning", &format!("{}: {}; {advice}", check.check, check.detail));
            }
            Verdict::Right | Verdict::Note => {}
        }
    }
    Ok(())
}

async fn claim(scope: &Scope) -> Result<(), Failure> {
    match deployment::claim(&scope.store, &scope.keys).await? {
        Claim::Made | Claim::Same => Ok(()),
        Claim::Other(layout) => Err(Failure::new(
            Exit::Refused,
            format!("this deployment has the {layout} layout, and this server needs {}", scope.keys.layout()),
        )
        .advise("use another namespace or server, or migrate the keys")),
    }
}

async fn start(
    global: &Global,
    args: &Args,
    address: SocketAddr,
    journal: Journal,
) -> Result<Engine, Failure> {
    let mut options = quorate_engine::Options::new(settings::data_dir(global)?)
        .listen(address.to_string())
        .fsync(if args.fsync == Some(Sync::Always) { Fsync::Always } else { Fsync::EverySecond })
        .on_event(once_in_a_row(journal));
    if let Some(port) = args.redis_port {
        options = options.redis_port(port);
    }
    // Starting waits for the engine to load its data, which may take long; the runtime must go on meanwhile.
    let started = tokio::task::spawn_blocking(move || Engine::start(options)).await;
    started.map_err(|error| Failure::new(Exit::Fault, error.to_string()))?.map_err(Failure::from)
}

/// Says what happens to the engine, but a fault that repeats itself every second only once.
fn once_in_a_row(journal: Journal) -> impl Fn(quorate_engine::Event) + Send + 'static {
    let last = std::sync::Mutex::new(String::new());
    move |event| {
        let text = event.to_string();
        let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if *last != text {
            out::talk(&text);
            // That it runs is no warning.
            let level = if matches!(event, quorate_engine::Event::Started { .. }) { "info" } else { "warn" };
            journal.note(level, "engine:event", &text, &serde_json::Value::Null);
            *last = text;
        }
    }
}

async fn close(engine: Engine) {
    if let Ok(stopped) = tokio::task::spawn_blocking(move || engine.stop()).await
        && stopped.forced
    {
        out::talk("the engine did not stop in time and was ended by force");
    }
}

fn greet(
    global: &Global,
    engine: Option<&Engine>,
    (address, tls, link): (SocketAddr, bool, Option<String>),
    store: &Store,
) {
    out::talk(&format!("quorate {} is up", env!("CARGO_PKG_VERSION")));
    match engine {
        Some(engine) => out::talk(&format!("  data    {}", engine.data_dir().display())),
        None => out::talk(&format!("  server  {}", store.target())),
    }
    if let Some(url) = engine.and_then(Engine::port_url) {
        out::talk(&format!("  redis   {url} (`quorate url` prints it with its password)"));
    }
    let scheme = if tls { "https" } else { "http" };
    out::talk(&format!("  http    {scheme}://{address}/healthz"));
    if let Some(link) = link {
        let name = if quorate_server::carries_studio() { "studio" } else { "login " };
        out::talk(&format!("  {name}  {link} (works once, for 15 minutes)"));
    }
    let flag =
        global.data_dir.as_ref().map(|dir| format!(" --data-dir {}", dir.display())).unwrap_or_default();
    out::talk(&format!("try `quorate doctor{flag}` in another terminal; stop with Ctrl-C"));
}

/// The address asked for; without one, the usual port or any free one.
async fn listen(
    asked: Option<SocketAddr>,
    certificate: Option<&Certificate>,
) -> Result<TcpListener, Failure> {
    let taken = match quorate_server::bind(asked.unwrap_or(LISTEN), certificate).await {
        Err(_) if asked.is_none() => quorate_server::bind(SocketAddr::new(LISTEN.ip(), 0), certificate).await,
        other => other,
    };
    taken.map_err(|error| {
        let exit = if matches!(error, quorate_server::ListenError::NotLoopback(_)) {
            Exit::BadInput
        } else {
            Exit::Fault
        };
        Failure::new(exit, error.to_string())
    })
}
