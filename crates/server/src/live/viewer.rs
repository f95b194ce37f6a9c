//! One viewer: replay, then live. It is dropped when it does not read, and when its right to read ends.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use quorate_plane::feed::{Gap, Source, order};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, watch};

use super::hub::{Frame, Hub, Shown};
use super::sse;
use crate::welcome::{Pass, Place};

/// How often a silent stream shows that it is alive.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How many events may wait for a viewer's connection.
const WAITING: usize = 64;
/// How long they may wait; a viewer that does not read for so long is dropped, and comes back with its cursor.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many entries a replay reads at once.
const PAGE: usize = 500;

/// Why a viewer was left.
pub(crate) struct Ended;

/// The way to one viewer's connection.
#[derive(Clone)]
pub(crate) struct Line {
    out: mpsc::Sender<Bytes>,
    /// Becomes false when the viewer may not read any more.
    welcome: watch::Receiver<bool>,
    /// One for all copies of the line, so that they count as one stream.
    _place: Arc<Place>,
}

impl Line {
    pub(crate) async fn send(&self, bytes: Bytes) -> Result<(), Ended> {
        match tokio::time::timeout(PATIENCE, self.out.send(bytes)).await {
            Ok(Ok(())) if *self.welcome.borrow() => Ok(()),
            _ => Err(Ended),
        }
    }

    /// Ends when the viewer is not welcome any more, or is gone.
    pub(crate) async fn unwelcome(&mut self) {
        tokio::select! {
            _ = self.welcome.wait_for(|welcome| !welcome) => {}
            () = self.out.closed() => {}
        }
    }
}

/// A line and the response whose body is at its other end.
pub(crate) fn open(pass: impl Into<Pass>) -> (Line, Response) {
    let pass = pass.into();
    let (out, line) = mpsc::channel(WAITING);
    let body = futures_util::stream::unfold(line, async |mut line| {
        line.recv().await.map(|bytes| (Ok::<_, std::convert::Infallible>(bytes), line))
    });
    let mut response = Response::new(Body::from_stream(body));
    let headers: &mut HeaderMap = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    (Line { out, welcome: pass.flag, _place: Arc::new(pass.place) }, response)
}

/// Where a viewer is in each of the streams it follows.
pub(crate) struct Places(BTreeMap<String, (Source, Option<String>)>);

impl Places {
    /// The streams by name, and the cursor that came with the request: of one stream its id, of several `name=id,…`.
    pub(crate) fn read(sources: Vec<(String, Source)>, cursor: Option<&str>) -> Self {
        let single = sources.len() == 1;
        let part = |name: &str| {
            let parts = cursor?.split(',').filter_map(|part| part.rsplit_once('='));
            parts.filter(|(own, _)| *own == name).map(|(_, id)| id.to_owned()).next()
        };
        let place = |name: &str| {
            if single {
                cursor.map(str::to_owned)
            } else {
                part(name).or_else(|| cursor.map(|_| "0-0".into()))
            }
        };
        Self(sources.into_iter().map(|(name, source)| (name.clone(), (source, place(&name)))).collect())
    }

    /// The cursor after everything that was sent.
    fn cursor(&self) -> String {
        let known = self.0.iter().filter_map(|(name, (_, place))| Some((name, place.as_ref()?)));
        match self.0.len() {
            1 => known.map(|(_, id)| id.clone()).collect(),
            _ => known.map(|(name, id)| format!("{name}={id}")).collect::<Vec<_>>().join(","),
        }
    }
}

/// Serves one viewer until it goes, is too slow, or may not read any more.
pub(crate) async fn serve(hub: Hub, mut places: Places, line: Line) {
    let mut joined = Vec::new();
    for (name, (source, _)) in &places.0 {
        match hub.join(source).await {
            Ok(receiver) => joined.push((name.clone(), receiver)),
            Err(_) => return,
        }
    }
    let mut watch = line.clone();
    tokio::select! {
        _ = run(&hub, &mut places, joined, &line) => {}
        () = watch.unwelcome() => {}
    }
}

type Joined = Vec<(String, broadcast::Receiver<Frame>)>;

async fn run(hub: &Hub, places: &mut Places, joined: Joined, line: &Line) -> Result<(), Ended> {
    line.send(sse::retry()).await?;
    let names: Vec<String> = places.0.keys().cloned().collect();
    for name in &names {
        replay(hub, places, name, line).await?;
    }
    // A viewer that saw nothing yet has a cursor too, so that it misses nothing if it is cut off now.
    line.send(sse::event(Some(&places.cursor()), "ready", "{}")).await?;
    let mut live = Live::new(joined);
    loop {
        match tokio::time::timeout(KEEP_ALIVE, live.next()).await {
            Err(_) => line.send(sse::keep_alive()).await?,
            Ok((_, Err(RecvError::Closed))) => return Err(Ended),
            // Too far behind the ring: the store still has it.
            Ok((name, Err(RecvError::Lagged(_)))) => replay(hub, places, &name, line).await?,
            Ok((name, Ok(Frame::Entry(shown)))) => show(places, &name, &shown, line).await?,
            Ok((name, Ok(Frame::Gap(gap)))) => line.send(said(places, &name, &gap)).await?,
            Ok((_, Ok(Frame::Away(detail)))) => line.send(sse::away(&detail, None)).await?,
            Ok((_, Ok(Frame::Back))) => line.send(sse::back()).await?,
        }
    }
}

/// Sends what the store has after the viewer's cursor; without one, the viewer begins at the end.
async fn replay(hub: &Hub, places: &mut Places, name: &str, line: &Line) -> Result<(), Ended> {
    let feed = hub.plane().feed();
    let Some((source, place)) = places.0.get(name).cloned() else { return Ok(()) };
    let Some(mut after) = place else {
        let end = feed.end(&source).await.map_err(|_| Ended)?;
        places.0.insert(name.to_owned(), (source, Some(end)));
        return Ok(());
    };
    loop {
        let resumed = feed.resume(&source, &after).await.map_err(|_| Ended)?;
        if let Some(gap) = &resumed.gap {
            line.send(said(places, name, gap)).await?;
        }
        after = resumed.after;
        places.0.insert(name.to_owned(), (source.clone(), Some(after.clone())));
        let entries = feed.read(&source, &after, PAGE).await.map_err(|_| Ended)?;
        for entry in &entries {
            show(places, name, &Shown::of(&source, entry), line).await?;
        }
        match entries.last() {
            Some(last) => after.clone_from(&last.id),
            None => return Ok(()),
        }
    }
}

/// What is missing, and of which stream: who follows several would not know where to look.
fn said(places: &Places, name: &str, gap: &Gap) -> Bytes {
    let mut document = serde_json::json!(gap);
    match places.0.get(name).map(|(source, _)| source) {
        Some(Source::Events(stream)) => document["stream"] = stream.short().into(),
        Some(Source::Log(service)) => document["service"] = service.as_key().into(),
        None => {}
    }
    sse::event(None, "gap", &document.to_string())
}

/// Sends an entry unless it was sent before.
async fn show(places: &mut Places, name: &str, shown: &Shown, line: &Line) -> Result<(), Ended> {
    let Some((_, place)) = places.0.get_mut(name) else { return Ok(()) };
    if place.as_ref().is_some_and(|place| order(place) >= order(&shown.id)) {
        return Ok(());
    }
    *place = Some(shown.id.clone());
    if places.0.len() == 1 {
        return line.send(shown.wire.clone()).await;
    }
    line.send(sse::event(Some(&places.cursor()), "entry", &shown.data)).await
}

/// Several receivers as one.
struct Live(Joined);

impl Live {
    fn new(joined: Joined) -> Self {
        Self(joined)
    }

    async fn next(&mut self) -> (String, Result<Frame, RecvError>) {
        let waits = self
            .0
            .iter_mut()
            .map(|(name, receiver)| Box::pin(async move { (name.clone(), receiver.recv().await) }));
        futures_util::future::select_all(waits).await.0
    }
}
