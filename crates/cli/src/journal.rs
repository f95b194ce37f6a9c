//! What the plane writes down of itself: its start and stop, its configuration, and what is wrong with its server.
//!
//! Whoever has something to report hands it in and goes on. A task writes it as soon as the store takes it, so that the
//! death of the engine is on record too, once it is back.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::events::Note;
use serde_json::Value;
use tokio::sync::mpsc;

/// Notes that wait for a store; more are dropped, for they have been said on the terminal too.
const BUFFER: usize = 256;
const PAUSE: Duration = Duration::from_millis(500);
/// How long the last note may take.
const LAST: Duration = Duration::from_secs(2);

/// The side that reports.
#[derive(Debug, Clone)]
pub(crate) struct Journal(mpsc::Sender<Note>);

/// The side that writes.
pub(crate) struct Pages(mpsc::Receiver<Note>);

pub(crate) fn open() -> (Journal, Pages) {
    let (sender, receiver) = mpsc::channel(BUFFER);
    (Journal(sender), Pages(receiver))
}

impl Journal {
    pub(crate) fn note(&self, level: &'static str, event: &str, msg: &str, fields: &Value) {
        let fields = if fields.is_null() { String::new() } else { fields.to_string() };
        let _ = self.0.try_send(Note { level, event: event.to_owned(), msg: msg.to_owned(), fields });
    }

    pub(crate) fn warn(&self, event: &str, msg: &str) {
        self.note("warn", event, msg, &Value::Null);
    }
}

impl Pages {
    /// Writes until the future is dropped, one note after the other, each until it is taken.
    pub(crate) async fn write(&mut self, plane: &Plane) -> std::convert::Infallible {
        while let Some(note) = self.0.recv().await {
            while plane.events().note(&note).await.is_err() {
                tokio::time::sleep(PAUSE).await;
            }
        }
        std::future::pending().await
    }

    /// What is left, and a last note, as far as it goes in a short time.
    pub(crate) async fn close(mut self, plane: &Plane, last: Note) {
        let rest = async {
            while let Ok(note) = self.0.try_recv() {
                let _ = plane.events().note(&note).await;
            }
            let _ = plane.events().note(&last).await;
        };
        let _ = tokio::time::timeout(LAST, rest).await;
    }
}
