//! Every verb, run as a surface runs it that knows it only by its name.

mod access;
mod agents;
mod dead;
mod every;
mod locks;
mod messages;
mod overview;
mod queues;
mod rest;
mod services;
mod streams;
mod support;
mod tasks;
mod traces;
mod webhooks;
mod workflows;
