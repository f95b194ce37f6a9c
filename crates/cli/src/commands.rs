//! The nouns. Each is a module; each verb a file in it.

use std::future::Future;

use clap::Subcommand;

use crate::args::Cli;
use crate::failure::{Exit, Failure};
use crate::out::Answer;
use crate::trail::{self, Act};

mod agents;
mod audit;
mod backup;
mod completions;
mod dead;
mod dedupe;
mod demo;
mod doctor;
mod events;
mod find;
mod fsck;
mod jobs;
mod keys;
mod limits;
mod locks;
mod logs;
mod mcp;
mod messages;
mod metrics;
mod notices;
mod observations;
mod overview;
mod queues;
mod restore;
mod services;
mod sign_ins;
mod tasks;
mod tokens;
mod up;
mod url;
mod webhooks;
mod workflows;

#[derive(Debug, Subcommand)]
pub(crate) enum Noun {
    /// Starts the plane and keeps it running: the carried engine, or the server REDIS_URL names.
    Up(up::Args),
    /// Plays a believable fleet on a running plane, and takes it away again.
    Demo(demo::Args),
    /// Prints the Redis URL of the running plane, for other clients.
    Url,
    /// Says what is right and wrong with the server under the plane.
    Doctor,
    /// Checks every key and every index, and repairs what can be repaired.
    Fsck(fsck::Args),
    /// Whether everything is all right, and what needs a person now.
    #[command(subcommand)]
    Overview(overview::Verb),
    /// Finds what an id belongs to.
    Find(find::Args),
    /// Who is here: registration, heartbeats, draining and revoking.
    #[command(subcommand)]
    Agents(agents::Verb),
    /// Copies the whole store into one file, consistent and verified.
    Backup(backup::Args),
    /// Brings a backup back into an empty store, and verifies it.
    Restore(restore::Args),
    /// The catalog of every key: what exists, how it is spelled, whose a key is.
    #[command(subcommand)]
    Keys(keys::Verb),
    /// Who holds what: fences, queues, shared and exclusive locks.
    #[command(subcommand)]
    Locks(locks::Verb),
    /// Who told whom what: inboxes, acknowledgements, deadlines.
    #[command(subcommand)]
    Messages(messages::Verb),
    /// What happened: streams, groups that read them, and what was lost.
    #[command(subcommand)]
    Events(events::Verb),
    /// What agents noticed: handed in, consolidated, or with the dead ones.
    #[command(subcommand)]
    Observations(observations::Verb),
    /// Records of services: sent without waiting, followed in order.
    #[command(subcommand)]
    Logs(logs::Verb),
    /// What runs when.
    #[command(subcommand)]
    Jobs(jobs::Verb),
    /// What became of what is being done, as its workers report it.
    #[command(subcommand)]
    Tasks(tasks::Verb),
    /// Services that report: who is registered, what happens there, how they fare.
    #[command(subcommand)]
    Services(services::Verb),
    /// Where tasks stand in their workflows: stages, joins, what is missing.
    #[command(subcommand)]
    Workflows(workflows::Verb),
    /// How much of what, in which time.
    #[command(subcommand)]
    Limits(limits::Verb),
    /// Whether something was seen before.
    #[command(subcommand)]
    Dedupe(dedupe::Verb),
    /// Counters.
    #[command(subcommand)]
    Metrics(metrics::Verb),
    /// What is to be done: items, leases, retries, priorities.
    #[command(subcommand)]
    Queues(queues::Verb),
    /// What could not be done, and its replay.
    #[command(subcommand)]
    Dead(dead::Verb),
    /// Who may do what over HTTP: bearer tokens.
    #[command(subcommand)]
    Tokens(tokens::Verb),
    /// People who sign in, and their sessions.
    #[command(subcommand)]
    SignIns(sign_ins::Verb),
    /// Who outside is told what happened: signed HTTP calls, tried again, dead letters.
    #[command(subcommand)]
    Webhooks(webhooks::Verb),
    /// Telling people of failed tasks: by mail, and by an event that webhooks pass on.
    #[command(subcommand)]
    Notices(notices::Verb),
    /// Who changed what, and whether that record is whole.
    #[command(subcommand)]
    Audit(audit::Verb),
    /// Serves the plane as tools for AI agents, over standard input and output.
    Mcp(mcp::Args),
    /// Writes a completion script for a shell.
    Completions(completions::Args),
}

/// Runs a command and, where it is one that must be known of, writes down how it ended.
pub(crate) fn run(cli: Cli, mut act: Option<Act>) -> Result<Answer, Failure> {
    let global = cli.global.clone();
    if let Some(act) = &mut act {
        block_on(trail::begin(&global, act))?;
    }
    let ended = run_noun(cli, act.as_ref());
    if let Some(act) = act {
        block_on(trail::record(&global, act, &ended))?;
    }
    ended
}

fn run_noun(cli: Cli, act: Option<&Act>) -> Result<Answer, Failure> {
    let global = &cli.global;
    match cli.noun {
        Noun::Up(args) => block_on(up::run(global, &args)),
        Noun::Demo(args) => block_on(demo::run(global, &args)),
        Noun::Url => url::run(global),
        Noun::Doctor => block_on(doctor::run(global)),
        Noun::Fsck(args) => block_on(fsck::run(global, &args)),
        Noun::Overview(verb) => block_on(overview::run(global, verb)),
        Noun::Find(args) => block_on(find::run(global, args)),
        Noun::Agents(verb) => block_on(agents::run(global, verb)),
        Noun::Backup(args) => block_on(backup::run(global, &args)),
        Noun::Restore(args) => block_on(restore::run(global, &args, act)),
        Noun::Keys(verb) => block_on(keys::run(global, verb)),
        Noun::Locks(verb) => block_on(locks::run(global, verb)),
        Noun::Messages(verb) => block_on(messages::run(global, verb)),
        Noun::Events(verb) => block_on(events::run(global, verb)),
        Noun::Observations(verb) => block_on(observations::run(global, verb)),
        Noun::Logs(verb) => block_on(logs::run(global, verb)),
        Noun::Jobs(verb) => block_on(jobs::run(global, verb)),
        Noun::Services(verb) => block_on(services::run(global, verb)),
        Noun::Tasks(verb) => block_on(tasks::run(global, verb)),
        Noun::Workflows(verb) => block_on(workflows::run(global, verb)),
        Noun::Limits(verb) => block_on(limits::run(global, verb)),
        Noun::Dedupe(verb) => block_on(dedupe::run(global, verb)),
        Noun::Metrics(verb) => block_on(metrics::run(global, verb)),
        Noun::Queues(verb) => block_on(queues::run(global, verb)),
        Noun::Dead(verb) => block_on(dead::run(global, verb)),
        Noun::Tokens(verb) => block_on(tokens::run(global, verb)),
        Noun::SignIns(verb) => block_on(sign_ins::run(global, verb)),
        Noun::Webhooks(verb) => block_on(webhooks::run(global, verb)),
        Noun::Notices(verb) => block_on(notices::run(global, verb)),
        Noun::Audit(verb) => block_on(audit::run(global, verb)),
        Noun::Mcp(args) => block_on(mcp::run(global, args)),
        Noun::Completions(args) => completions::run(&args),
    }
}

fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime
        .map_err(|error| Failure::new(Exit::Fault, format!("the runtime did not start: {error}")))?
        .block_on(work)
}
