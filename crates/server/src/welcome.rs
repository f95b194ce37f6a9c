//! Who may go on watching. A stream lives long after its request was let in, so its credential is looked at again every two
//! seconds, once for all streams that showed it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quorate_plane::Plane;
use tokio::sync::watch;

use crate::auth::Credential;

/// How often a credential is looked at again; a revoked one closes its streams within this and a moment.
const EVERY: Duration = Duration::from_secs(2);
/// Most streams of one credential.
pub(crate) const MOST: usize = 2_048;

/// The credentials that have streams open.
#[derive(Clone)]
pub(crate) struct Welcome {
    plane: Plane,
    open: Arc<Mutex<HashMap<Credential, Streams>>>,
}

/// The streams of one credential.
struct Streams {
    sender: watch::Sender<bool>,
    /// Each stream has one of these. Receivers are no count: a stream listens at several places.
    places: Arc<()>,
}

/// What a stream has for as long as it lasts.
pub(crate) struct Pass {
    /// Goes down when the credential ends.
    pub(crate) flag: watch::Receiver<bool>,
    pub(crate) place: Place,
}

/// A place among the streams of a credential, until it is dropped.
pub(crate) struct Place {
    _counted: Arc<()>,
}

#[cfg(test)]
impl From<watch::Receiver<bool>> for Pass {
    fn from(flag: watch::Receiver<bool>) -> Self {
        Self { flag, place: Place { _counted: Arc::default() } }
    }
}

impl Welcome {
    pub(crate) fn new(plane: Plane) -> Self {
        Self { plane, open: Arc::default() }
    }

    /// A place for one more stream; nothing, if the credential has too many already.
    pub(crate) fn join(&self, credential: &Credential) -> Option<Pass> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let streams = open.entry(credential.clone()).or_insert_with(|| {
            tokio::spawn(self.clone().look_after(credential.clone()));
            Streams { sender: watch::Sender::new(true), places: Arc::default() }
        });
        let free = Arc::strong_count(&streams.places) <= MOST;
        free.then(|| Pass {
            flag: streams.sender.subscribe(),
            place: Place { _counted: Arc::clone(&streams.places) },
        })
    }

    /// Ends every stream, because the server stops; whoever followed one comes back to the next server with a cursor.
    pub(crate) fn end(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, streams) in open.drain() {
            let _ = streams.sender.send(false);
        }
    }

    async fn look_after(self, credential: Credential) {
        loop {
            tokio::time::sleep(EVERY).await;
            // A store that does not answer ends nobody's right; the stream itself has nothing to tell meanwhile.
            let ended = matches!(credential.check(&self.plane).await, Ok(None));
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(streams) = open.get(&credential) else { return };
            if ended {
                let _ = streams.sender.send(false);
            }
            if ended || Arc::strong_count(&streams.places) == 1 {
                open.remove(&credential);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::viewer;

    /// A stream was counted once for each place where it listens, so that half of the cap was had.
    #[tokio::test]
    async fn a_stream_is_counted_once_however_often_it_listens() {
        quorate_testkit::check(&[], async |bench| {
            let welcome = Welcome::new(Plane::new(bench.scope.clone()).unwrap());
            let credential = Credential::Bearer("qt_many".into());
            let open = || welcome.join(&credential).map(|pass| viewer::open(pass).0);
            let mut lines: Vec<_> = (0..MOST).map(|_| open().expect("a place")).collect();
            lines.extend(lines.clone());
            assert!(open().is_none(), "and no more");
            lines.truncate(MOST);
            assert!(open().is_none(), "a stream that listens in one place fewer is still there");
            lines.pop();
            assert!(open().is_some(), "one has gone");
        })
        .await;
    }
}
