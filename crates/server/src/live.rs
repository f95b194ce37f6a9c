//! Live streams: server-sent events that replay from a cursor and go on without gap, duplicate or reordering.
//!
//! One reader of this process waits for every stream that anybody follows ([`hub`]); a viewer ([`viewer`]) first joins
//! it, then replays from the store what came after its cursor, then passes on what is live, leaving out what it has
//! sent. [`state`] is for what has no stream: the whole once, then what changed. [`followed`] is for what has a history and
//! says what is new: [`tasks`], the status of one task, and [`services`], the events of a service.

pub(crate) mod followed;
pub(crate) mod hub;
pub(crate) mod routes;
pub(crate) mod services;
pub(crate) mod sse;
pub(crate) mod state;
pub(crate) mod tasks;
pub(crate) mod viewer;
