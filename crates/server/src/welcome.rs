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
    open: Arc<Mutex<HashMap<Credential, watch::Sender<bool>>>>,
}

impl Welcome {
    pub(crate) fn new(plane: Plane) -> Self {
        Self { plane, open: Arc::default() }
    }

    /// A flag that goes down when the credential ends; nothing, if it has too many streams already.
    pub(crate) fn join(&self, credential: &Credential) -> Option<watch::Receiver<bool>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = open.get(credential) {
            return (sender.receiver_count() < MOST).then(|| sender.subscribe());
        }
        let (sender, receiver) = watch::channel(true);
        open.insert(credential.clone(), sender);
        tokio::spawn(self.clone().look_after(credential.clone()));
        Some(receiver)
    }

    async fn look_after(self, credential: Credential) {
        loop {
            tokio::time::sleep(EVERY).await;
            // A store that does not answer ends nobody's right; the stream itself has nothing to tell meanwhile.
            let ended = matches!(credential.check(&self.plane).await, Ok(None));
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(sender) = open.get(&credential) else { return };
            if ended {
                let _ = sender.send(false);
            }
            if ended || sender.receiver_count() == 0 {
                open.remove(&credential);
                return;
            }
        }
    }
}
