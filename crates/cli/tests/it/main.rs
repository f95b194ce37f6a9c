//! The binary as its users meet it: real processes, real signals, real servers.

mod access;
mod agents;
mod bad_input;
mod demo;
mod external;
mod fsck;
mod jobs;
mod keys;
mod lifecycle;
mod limits;
mod locks;
mod mcp;
mod messages;
mod notices;
mod queues;
mod restore;
mod services;
mod streams;
mod studio;
mod support;
mod tasks;
mod traces;
mod webhooks;
mod work;
mod workflows;
