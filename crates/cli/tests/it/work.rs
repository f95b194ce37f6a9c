//! Work in motion as programs see it: what each verb answers in JSON, and its exit code. One table, from top to bottom.

use std::collections::HashMap;

use crate::support::Plane;

/// What is typed (`{name}` is what an earlier row kept), the exit code, and what the answer has: a pointer with its value as
/// JSON, `*` for anything, or `=name` to keep it. Without any, the answer is talk and not data.
type Row = (&'static str, i32, &'static [(&'static str, &'static str)]);

const ROWS: &[Row] = &[
    ("agents register a", 0, &[]),
    ("agents register b", 0, &[]),
    // Queues.
    ("queues push normal one --key k --max-attempts 1", 0, &[("/outcome", "\"pushed\""), ("/id", "=one")]),
    ("queues push normal one --key k", 0, &[("/id", "{one}")]),
    ("queues push normal grouped --group g", 0, &[("/id", "*")]),
    ("queues push job:archive later --delay 1h", 0, &[("/id", "*")]),
    ("queues push normal x --max-depth 1", 4, &[("/outcome", "\"refused\""), ("/code", "\"queue_full\"")]),
    ("queues push urgent x", 2, &[]),
    ("queues claim normal --agent nobody", 3, &[("/code", "\"unregistered\"")]),
    ("queues claim normal --agent a --epoch 5", 4, &[("/code", "\"stale_epoch\"")]),
    ("queues claim high low --agent a --wait 100ms", 0, &[("/outcome", "\"empty\""), ("/items", "[]")]),
    (
        "queues claim normal --agent a --lease 30s --max 2",
        0,
        &[
            ("/outcome", "\"claimed\""),
            ("/items/0/id", "{one}"),
            ("/items/0/token", "=token"),
            ("/items/0/payload", "\"one\""),
            ("/items/0/attempt", "1"),
            ("/items/1/token", "=second"),
        ],
    ),
    ("queues extend {token} --agent a --lease 1m", 0, &[("/outcome", "\"extended\"")]),
    ("queues extend {token} --agent b --lease 1m", 4, &[("/outcome", "\"stale\"")]),
    ("queues show normal", 0, &[("/depth", "0"), ("/in_flight", "2"), ("/claims/0/agent", "\"a\"")]),
    ("queues ls", 0, &[("/0/queue", "\"high\""), ("/0/oldest_age_ms", "null"), ("/1/in_flight", "2")]),
    ("queues ack {second} --agent a", 0, &[("/outcome", "\"acked\"")]),
    ("queues ack {second} --agent a", 4, &[("/outcome", "\"stale\"")]),
    ("queues nack {second} --agent a", 4, &[("/outcome", "\"stale\"")]),
    ("queues ack nonsense --agent a", 2, &[]),
    ("queues pause low --by ann", 0, &[("/outcome", "\"paused\"")]),
    ("queues claim low --agent a", 0, &[("/outcome", "\"empty\""), ("/paused", "true")]),
    ("queues resume low", 0, &[("/outcome", "\"resumed\"")]),
    // Dead letters.
    ("queues nack {token} --agent a --error boom", 0, &[("/outcome", "\"dead\""), ("/letter", "=letter")]),
    ("dead ls", 0, &[("/0/id", "{letter}"), ("/0/attempts", "1"), ("/0/state", "\"open\"")]),
    ("dead ls --cluster nothing", 0, &[("", "[]")]),
    ("dead show {letter}", 0, &[("/payload", "\"one\""), ("/reason", "\"boom\""), ("/by", "\"a\"")]),
    ("dead show nothing", 3, &[("/code", "\"no_letter\"")]),
    ("dead investigate {letter} --note seen --by ann", 0, &[("/outcome", "\"investigated\"")]),
    ("dead replay {letter} --payload two --by ann", 0, &[("/outcome", "\"replayed\""), ("/id", "=reborn")]),
    ("dead replay {letter} --by ann", 4, &[("/code", "\"already_replayed\"")]),
    ("dead replay nothing --by ann", 3, &[("/code", "\"no_letter\"")]),
    ("dead replay", 2, &[]),
    (
        "queues claim normal --agent a",
        0,
        &[("/items/0/id", "{reborn}"), ("/items/0/payload", "\"two\""), ("/items/0/token", "=token")],
    ),
    ("queues ack {token} --agent a", 0, &[("/outcome", "\"acked\"")]),
    ("dead show {letter}", 0, &[("/state", "\"resolved\"")]),
    ("dead drop {letter} --reason done --by ann", 0, &[("/outcome", "\"dropped\"")]),
    ("dead drop {letter} --reason done", 3, &[("/code", "\"no_letter\"")]),
    // Messages.
    (
        "messages send b hello --from a --kind request --thread t1 --ack-by 10m",
        0,
        &[("/outcome", "\"sent\""), ("/id", "=message")],
    ),
    ("messages send b x --from a --ack-by 0s", 2, &[]),
    (
        "messages inbox b --limit 1",
        0,
        &[("/messages/0/id", "{message}"), ("/messages/0/state", "\"stored\"")],
    ),
    ("messages read b", 0, &[("/messages/0/state", "\"read\""), ("/messages/0/thread", "\"t1\"")]),
    ("messages ack b {message} --acted-on done", 0, &[("/outcome", "\"acked\"")]),
    ("messages ack b nothing", 3, &[("/messages/0/code", "\"no_message\"")]),
    ("messages inbox b", 0, &[("/messages", "[]")]),
    ("messages broadcast all --from a", 0, &[("/sent", "1")]),
    ("messages send b", 2, &[]),
    // Events.
    ("events publish ade:events:task task:done {}", 0, &[("/outcome", "\"published\""), ("/id", "=event")]),
    ("events publish nowhere x", 2, &[]),
    (
        "events read task --group audit-logger --consumer c",
        0,
        &[("/outcome", "\"read\""), ("/entries/0/id", "{event}")],
    ),
    ("events groups task", 0, &[("/0/group", "\"audit-logger\""), ("/0/pending", "1")]),
    ("events ack task {event} --group audit-logger --consumer other", 4, &[("/outcome", "\"stale\"")]),
    ("events ack task {event} --group audit-logger --consumer c", 0, &[("/acked", "1")]),
    ("events losses", 0, &[("", "[]")]),
    ("events ack task nonsense --group g", 2, &[]),
    // Logs.
    ("logs emit svc hello --level warn", 0, &[]),
    ("logs emit svc hello --level loud", 2, &[]),
    ("logs ls", 0, &[("/0/service", "*")]),
    // Jobs.
    ("jobs schedule archive {} --in 1h --id j1", 0, &[("/outcome", "\"scheduled\""), ("/id", "\"j1\"")]),
    ("jobs schedule archive {} --in 1h --id j1", 4, &[("/code", "\"job_exists\"")]),
    ("jobs schedule archive {} --cron @never", 2, &[]),
    ("jobs schedule high {} --in 1h", 2, &[]),
    ("jobs run j1", 0, &[("/outcome", "\"queued\"")]),
    ("jobs show j1", 0, &[("/runs/0/state", "\"queued\"")]),
    ("jobs ls", 0, &[("/jobs/0/id", "*")]),
    ("jobs cancel j1", 0, &[("/outcome", "\"cancelled\"")]),
    ("jobs show nothing", 3, &[("/code", "\"no_job\"")]),
    ("jobs cancel nothing", 3, &[("/code", "\"no_job\"")]),
    ("jobs run nothing", 3, &[("/code", "\"no_job\"")]),
    // Limits, dedupe, counters.
    ("limits set api 1/1h", 0, &[("/outcome", "\"set\"")]),
    ("limits check api/ann", 0, &[("/outcome", "\"allowed\""), ("/remaining", "0")]),
    ("limits check api/ann", 4, &[("/outcome", "\"limited\""), ("/retry_after_ms", "*")]),
    ("limits explain api/ann", 0, &[("/outcome", "\"explained\""), ("/allowed", "false")]),
    ("limits ls", 0, &[("/0/endpoint", "\"api\"")]),
    ("limits unset api", 0, &[("/outcome", "\"unset\"")]),
    ("limits unset api", 3, &[]),
    ("limits check nonsense", 2, &[]),
    ("dedupe check scope content", 0, &[("/outcome", "\"first\"")]),
    ("dedupe check scope content", 0, &[("/outcome", "\"duplicate\"")]),
    ("dedupe forget scope content", 0, &[("/outcome", "\"forgotten\"")]),
    ("dedupe forget scope content", 3, &[]),
    ("metrics incr jobs_done --by 2", 0, &[("/outcome", "\"raised\""), ("/value", "2")]),
    ("metrics incr jobs_done --by 9223372036854775807", 4, &[("/code", "\"no_number\"")]),
    ("metrics ls", 0, &[("/0/counter", "\"jobs_done\""), ("/0/value", "2")]),
    // Whoever was stopped is denied.
    ("agents revoke b", 0, &[]),
    ("queues claim normal --agent b", 5, &[("/code", "\"revoked\"")]),
    ("messages send a x --from b", 5, &[("/code", "\"revoked\"")]),
    ("messages read b", 5, &[("/code", "\"revoked\"")]),
];

fn filled(text: &str, kept: &HashMap<String, String>) -> String {
    kept.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

#[test]
fn every_verb_answers_in_json_with_the_exit_code_it_should() {
    let plane = Plane::start();
    let mut kept: HashMap<String, String> = HashMap::new();
    for (typed, code, wanted) in ROWS {
        let line = filled(typed, &kept);
        let words: Vec<&str> = line.split(' ').chain(["-o", "json"]).collect();
        let said = plane.run(&words);
        assert_eq!(said.code, *code, "{line}: {}{}", said.out, said.err);
        assert_eq!(
            said.code == 2,
            said.out.is_empty() && said.code != 3,
            "{line}: bad input is talk, all else data"
        );
        for (pointer, value) in *wanted {
            let found = said
                .json()
                .pointer(pointer)
                .cloned()
                .unwrap_or_else(|| panic!("{line}: no {pointer} in {}", said.out));
            match value.strip_prefix('=') {
                Some(name) => drop(kept.insert(name.to_owned(), found.as_str().unwrap().to_owned())),
                None if *value == "*" => {}
                None => {
                    let own = value
                        .strip_prefix('{')
                        .map_or((*value).to_owned(), |_| format!("\"{}\"", filled(value, &kept)));
                    assert_eq!(found.to_string(), own, "{line}: {pointer}");
                }
            }
        }
    }
    assert_eq!(plane.run(&["fsck"]).code, 0);
}
