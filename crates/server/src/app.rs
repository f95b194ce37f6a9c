//! What every request of one server shares.

use std::sync::Arc;

use axum::body::Bytes;
use quorate_plane::Plane;
use quorate_verbs::Entry;

use crate::checks::Checks;
use crate::live::hub::Hub;
use crate::live::services::Services;
use crate::live::state::Views;
use crate::live::tasks::Tasks;
use crate::rules::Rules;
use crate::welcome::Welcome;

/// What every request of one server shares.
#[derive(Clone)]
pub(crate) struct App(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) plane: Plane,
    pub(crate) entries: Vec<Arc<Entry>>,
    /// The OpenAPI document, made once.
    pub(crate) openapi: Bytes,
    pub(crate) hub: Hub,
    pub(crate) views: Views,
    pub(crate) tasks: Tasks,
    pub(crate) services: Services,
    /// Who asks.
    pub(crate) checks: Checks,
    /// Who may go on watching.
    pub(crate) welcome: Welcome,
    /// What this process counts.
    pub(crate) own: crate::metrics::Own,
    /// The limits that operators have set.
    pub(crate) rules: Rules,
    /// Whether requests come over TLS, so that cookies are for TLS alone.
    pub(crate) tls: bool,
}

impl App {
    pub(crate) fn new(plane: Plane, tls: bool) -> Self {
        let entries = quorate_verbs::all();
        let openapi = crate::api::openapi::document(&entries);
        Self(Arc::new(Inner {
            entries: entries.into_iter().map(Arc::new).collect(),
            openapi: Bytes::from(format!("{openapi:#}")),
            hub: Hub::new(plane.clone()),
            views: Views::new(plane.clone()),
            tasks: Tasks::new(plane.clone()),
            services: Services::new(plane.clone()),
            checks: Checks::new(plane.clone()),
            welcome: Welcome::new(plane.clone()),
            own: crate::metrics::Own::default(),
            rules: Rules::default(),
            plane,
            tls,
        }))
    }
}

impl std::ops::Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
