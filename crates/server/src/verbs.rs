//! Which verb an address means: all of them in one tree, so that a request for one need not be asked of every other kind of route.

use std::sync::{Arc, OnceLock};

use axum::http::Method;
use matchit::Router;
use percent_encoding::percent_decode_str;
use prometheus_client::metrics::counter::Counter;
use quorate_verbs::Entry;

use crate::api::{self, Names};
use crate::app::App;
use crate::metrics;

/// A verb at its address.
pub(crate) struct Verb {
    pub(crate) entry: Arc<Entry>,
    method: Method,
    route: Arc<str>,
    /// How often it was answered as asked, which is nearly always.
    fine: OnceLock<Counter>,
}

/// What an address means: its verb, and the names in its path if they are text.
pub(crate) struct Found<'v> {
    pub(crate) app: &'v App,
    pub(crate) verb: &'v Verb,
    pub(crate) names: Option<Names>,
}

pub(crate) struct Verbs {
    app: App,
    tree: Router<Vec<Verb>>,
}

impl Verbs {
    pub(crate) fn new(app: &App) -> Self {
        let mut all: Vec<(Arc<str>, Vec<Verb>)> = Vec::new();
        for entry in &app.entries {
            let verb = Verb::new(entry);
            match all.iter_mut().find(|(route, _)| *route == verb.route) {
                Some((_, verbs)) => verbs.push(verb),
                None => all.push((Arc::clone(&verb.route), vec![verb])),
            }
        }
        let mut tree = Router::new();
        for (route, verbs) in all {
            // The routes of axum, which has the same tree, have been made of the same paths.
            tree.insert(&*route, verbs).expect("a path of a verb");
        }
        Self { app: app.clone(), tree }
    }

    pub(crate) fn find(&self, method: &Method, path: &str) -> Option<Found<'_>> {
        let at = self.tree.at(path).ok()?;
        let verb = at.value.iter().find(|verb| verb.method == *method)?;
        let text = |value: &str| Some(percent_decode_str(value).decode_utf8().ok()?.into_owned());
        let names = at.params.iter().map(|(name, value)| Some((name.to_owned(), text(value)?))).collect();
        Some(Found { app: &self.app, verb, names })
    }
}

impl Verb {
    fn new(entry: &Arc<Entry>) -> Self {
        let route = api::route(entry).into();
        Self { entry: Arc::clone(entry), method: api::method(entry), route, fine: OnceLock::new() }
    }

    /// Counts an answer as the routes count theirs.
    pub(crate) fn count(&self, own: &metrics::Own, status: u16) {
        let counter = || own.of(&self.method, Arc::clone(&self.route), status);
        match status {
            200 => self.fine.get_or_init(counter).inc(),
            _ => counter().inc(),
        };
    }
}
