//! Which commands leave a record in the audit trail, in one place: a verb knows nothing of it.
//!
//! A command that reached the store leaves one record, done or refused or failed. One that was refused before, for bad
//! input or because there is no store, changed nothing and leaves none. What is to be done is noted before it is done, so
//! that a command that is killed in between has its record too.

pub(crate) mod restored;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use quorate_catalog::Layout;
use quorate_plane::Plane;
use quorate_plane::trail::{Record, UNKNOWN};
use serde_json::Value;

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::out::{self, Answer};
use crate::{plane, who};

/// Noun, verb and the arguments that say what it is done to; no verb where the noun is one itself.
const AUDITED: &[(&str, &str, &[&str])] = &[
    ("agents", "drain", &["id"]),
    ("agents", "revoke", &["id"]),
    ("dead", "delete", &["id"]),
    ("dead", "drop", &["ids"]),
    ("dead", "investigate", &["id"]),
    ("dead", "replay", &["ids", "cluster", "queue"]),
    ("dead", "retry", &["id"]),
    ("dead", "review", &["id"]),
    ("events", "forget", &["stream", "group"]),
    ("fsck", "", &[]),
    ("jobs", "cancel", &["id"]),
    ("jobs", "run", &["id"]),
    ("jobs", "schedule", &["id", "queue"]),
    ("limits", "set", &["endpoint"]),
    ("limits", "unset", &["endpoint"]),
    ("locks", "guard", &["on"]),
    ("locks", "steal", &["on"]),
    ("notices", "set", &[]),
    ("notices", "test", &[]),
    ("observations", "drop", &["ids"]),
    ("observations", "revive", &["id"]),
    ("queues", "pause", &["queue"]),
    ("queues", "resume", &["queue"]),
    ("restore", "", &["file"]),
    ("services", "delete", &["id"]),
    ("services", "disable", &["id"]),
    ("services", "discard", &["id", "failure"]),
    ("services", "enable", &["id"]),
    ("services", "register", &["id"]),
    ("services", "retry", &["id", "failure"]),
    ("services", "review", &["id", "failure"]),
    ("services", "update", &["id"]),
    ("sign-ins", "invite", &["user"]),
    ("sign-ins", "revoke", &["user"]),
    ("sign-ins", "role", &["user"]),
    ("tokens", "create", &["name"]),
    ("tokens", "revoke", &["name"]),
    ("webhooks", "add", &[]),
    ("webhooks", "rm", &["id"]),
    ("webhooks", "test", &["id"]),
    ("workflows", "cancel", &["task"]),
    ("workflows", "define", &["id"]),
];

/// A command that leaves a record.
pub(crate) struct Act {
    action: String,
    target: String,
    who: String,
    /// The texts of the target, each on its own.
    targets: Vec<String>,
    /// What it is about, as it was.
    before: Option<Value>,
    /// The same for the note and the record.
    request: String,
}

/// What a command line is to the trail, if it is anything.
pub(crate) fn act(matches: &ArgMatches) -> Option<Act> {
    let (noun, of_noun) = matches.subcommand()?;
    let (verb, of_verb) = of_noun.subcommand().unwrap_or(("", of_noun));
    let (.., targets) = AUDITED.iter().find(|(own, of, _)| *own == noun && *of == verb)?;
    // Looking is no change.
    if noun == "fsck" && !of_noun.get_flag("repair") {
        return None;
    }
    let target: Vec<String> = targets.iter().flat_map(|name| texts(of_verb, name)).collect();
    let said = of_verb.try_contains_id("by").is_ok()
        && of_verb.value_source("by").is_some_and(|source| source != ValueSource::DefaultValue);
    let who = said.then(|| texts(of_verb, "by").pop()).flatten().unwrap_or_else(who::os_user);
    let action = if verb.is_empty() { noun.to_owned() } else { format!("{noun}.{verb}") };
    let request = quorate_plane::random_id();
    Some(Act { action, target: target.join(" "), targets: target, before: None, who, request })
}

fn texts(matches: &ArgMatches, name: &str) -> Vec<String> {
    let values = matches.try_get_raw(name).ok().flatten();
    values.map(|all| all.map(|one| one.to_string_lossy().into_owned()).collect()).unwrap_or_default()
}

/// What a command that begins is noted as. What a store holds does not outlive a restore, so that is noted beside it.
pub(crate) fn intent(act: &Act) -> Option<Record> {
    let noun = act.action.split('.').next().unwrap_or_default();
    let target = if act.target.is_empty() { noun } else { &act.target };
    (act.action != "restore").then(|| Record {
        who: act.who.clone(),
        via: "cli".into(),
        action: act.action.clone(),
        target: target.to_owned(),
        before: act.before.clone(),
        request: act.request.clone(),
        result: UNKNOWN.into(),
        ..Record::default()
    })
}

/// Notes a command that begins. Where there is no store to note it in, the command says so itself.
pub(crate) async fn begin(global: &Global, act: &mut Act) -> Result<(), Failure> {
    if act.action == "restore" {
        return Ok(());
    }
    let Ok(Some(plane)) = reach(global).await else { return Ok(()) };
    act.before = before(&plane, act).await;
    if let Some(record) = intent(act) {
        plane.trail().intend(&record).await?;
    }
    Ok(())
}

/// What a command is about, as it is now; where its arguments are the names in the verb's path.
async fn before(plane: &Plane, act: &Act) -> Option<Value> {
    let entries = quorate_verbs::all();
    let entry = entries.iter().find(|entry| entry.about.action() == act.action)?;
    let names: Vec<&str> = quorate_verbs::in_path(entry.about.path).collect();
    if names.len() != act.targets.len() {
        return None;
    }
    let input = names.iter().zip(&act.targets).map(|(name, text)| ((*name).to_owned(), text.as_str().into()));
    quorate_verbs::before(entries.iter(), entry, plane, &input.collect()).await
}

/// Writes the record of a command that has ended.
pub(crate) async fn record(
    global: &Global,
    act: Act,
    ended: &Result<Answer, Failure>,
) -> Result<(), Failure> {
    let result = match ended {
        // What it found and could not repair is in what it says.
        Ok(_) if act.action == "fsck" => "ok".to_owned(),
        Ok(answer) => result(answer),
        // A store that was refused is left exactly as it is; one that is a part of a copy has the note beside it.
        Err(_) if act.action == "restore" => return Ok(()),
        // Nothing was reached or nothing was understood, so nothing was changed.
        Err(failure) if matches!(failure.exit, Exit::BadInput | Exit::Unreachable | Exit::Denied) => {
            withdraw(global, &act).await;
            return Ok(());
        }
        Err(failure) => failure.refusal.map_or_else(|| "fault".to_owned(), |code| format!("refused:{code}")),
    };
    let json = ended.as_ref().ok().map(|answer| &answer.json);
    let record = Record {
        who: act.who,
        via: "cli".into(),
        action: act.action,
        target: if act.target.is_empty() { named(json) } else { act.target },
        before: json
            .and_then(|json| json.get("before"))
            .filter(|before| !before.is_null())
            .cloned()
            .or(act.before),
        after: json.cloned(),
        request: act.request,
        result,
    };
    write(global, &record).await.map_err(|failure| {
        let what = "the command has ended, and the audit trail does not have it";
        Failure::new(Exit::Fault, format!("{what}: {}", failure.message))
    })
}

/// Takes the note of a command away that changed nothing. Where that fails, a record says that it is not known how it
/// ended, which is true.
async fn withdraw(global: &Global, act: &Act) {
    if let Ok(Some(plane)) = reach(global).await {
        let _ = plane.trail().withdraw(&act.request).await;
    }
}

async fn write(global: &Global, record: &Record) -> Result<(), Failure> {
    match reach(global).await? {
        Some(plane) => Ok(plane.trail().record(record).await?),
        None => {
            out::talk("warning: there is no audit trail on a cluster yet, so this command is not in it");
            Ok(())
        }
    }
}

/// The plane, if it has a trail.
async fn reach(global: &Global) -> Result<Option<Plane>, Failure> {
    let scope = plane::connect(global).await?;
    Ok(if scope.keys.layout() == Layout::Tagged { None } else { Some(Plane::new(scope)?) })
}

fn result(answer: &Answer) -> String {
    let code = answer.json.get("code").and_then(Value::as_str);
    match (answer.exit, code) {
        (0, _) => "ok".to_owned(),
        (_, Some(code)) => format!("refused:{code}"),
        (exit, None) if exit == Exit::Refused as u8 => "refused:in_part".to_owned(),
        _ => "fault".to_owned(),
    }
}

/// What the answer calls the thing, where the command line did not.
fn named(json: Option<&Value>) -> String {
    let id = json.and_then(|json| json.get("id")).and_then(Value::as_str);
    id.unwrap_or_default().to_owned()
}

/// Names of the table that the command line does not have; for a test.
#[cfg_attr(not(test), expect(dead_code, reason = "a test asks"))]
fn unknown(command: &Command) -> Vec<String> {
    let unknown = |(noun, verb, targets): &&(&str, &str, &[&str])| {
        let noun = command.find_subcommand(noun);
        let of = if verb.is_empty() { noun } else { noun.and_then(|noun| noun.find_subcommand(verb)) };
        let has = |name: &&str| of.is_some_and(|of| of.get_arguments().any(|arg| arg.get_id() == *name));
        !targets.iter().all(has)
    };
    AUDITED.iter().filter(unknown).map(|(noun, verb, _)| format!("{noun} {verb}")).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    fn act_of(words: &[&str]) -> Option<Act> {
        act(&Cli::command().try_get_matches_from([&["quorate"], words].concat()).unwrap())
    }

    #[test]
    fn the_table_names_commands_and_arguments_that_there_are() {
        assert_eq!(unknown(&Cli::command()), Vec::<String>::new());
    }

    /// What an agent does with itself is no administration; over HTTP it is known who asked, and goes on record.
    const ITS_OWN: [&str; 2] = ["agents.register", "agents.deregister"];

    #[test]
    fn every_change_that_goes_on_record_over_http_does_so_here() {
        let command = Cli::command();
        for about in quorate_verbs::all().iter().map(|entry| &entry.about) {
            let on_record =
                matches!(about.effect, quorate_verbs::Effect::Change | quorate_verbs::Effect::Destroys);
            let noun = command.find_subcommand(about.noun);
            let there = noun.is_some_and(|noun| noun.find_subcommand(about.verb).is_some());
            let known = AUDITED.iter().any(|(noun, verb, _)| *noun == about.noun && *verb == about.verb);
            let action = about.action();
            assert!(!on_record || !there || known || ITS_OWN.contains(&action.as_str()), "{action}");
        }
    }

    #[test]
    fn a_command_says_what_it_is_to_the_trail() {
        let act = act_of(&["agents", "revoke", "a1"]).expect("audited");
        assert_eq!(
            (act.action.as_str(), act.target.as_str(), act.who),
            ("agents.revoke", "a1", who::os_user())
        );
        let act = act_of(&["dead", "drop", "x", "y", "--by", "ada"]).expect("audited");
        assert_eq!((act.target.as_str(), act.who.as_str()), ("x y", "ada"));
        assert!(act_of(&["agents", "ls"]).is_none() && act_of(&["doctor"]).is_none());
    }
}
