//! A key of another type than it should be, anywhere: a refusal, and nothing half applied.

use quorate_catalog::Key;
use quorate_plane::agents::{Patch, Registration};
use quorate_plane::{Plane, invariants};
use quorate_store::cmd;
use quorate_testkit::{Bench, check};

use super::support::{dump, id, object, plane, word};

const VERBS: [&str; 8] = ["register", "heartbeat", "poke", "update", "drain", "revoke", "lift", "deregister"];

/// The keys of the agent, with the verbs that touch each.
fn keys(bench: &Bench) -> Vec<(Key, &'static str, &'static [&'static str])> {
    let (keys, agent) = (&bench.scope.keys, id("a"));
    vec![
        (keys.reverie().session(&agent), "hash", &["register", "heartbeat", "poke", "update", "deregister"]),
        (keys.reverie().session_index(), "zset", &["register", "heartbeat", "deregister"]),
        (keys.skynet().presence(&agent), "string", &["register", "heartbeat", "revoke", "deregister"]),
        (keys.skynet().context(&agent), "hash", &["register"]),
        (
            keys.ade().agent_capacity(&agent),
            "hash",
            &["register", "heartbeat", "drain", "revoke", "deregister"],
        ),
        (
            keys.quorate().agent(&agent),
            "hash",
            &["register", "heartbeat", "update", "drain", "revoke", "lift", "deregister"],
        ),
        (keys.quorate().agent_leases(), "zset", &["register", "heartbeat", "revoke", "deregister"]),
        (keys.quorate().answers(&agent), "hash", &["register", "update", "drain", "revoke", "deregister"]),
        (keys.reverie().inbox(&agent), "list", &["heartbeat"]),
        (keys.quorate().agents_by_role(&word("old")), "zset", &["register", "deregister"]),
        (keys.quorate().agents_by_role(&word("new")), "zset", &["register"]),
        (keys.quorate().agents_by_capability(&word("rust")), "zset", &["register", "deregister"]),
    ]
}

async fn call(plane: &Plane, verb: &str) -> Option<String> {
    let (agents, agent) = (plane.agents(), id("a"));
    let patch = Patch { task: Some("x".into()), ..Patch::default() };
    let new = Registration {
        role: Some(word("new")),
        max_tasks: Some(2),
        blob: Some(object("{\"b\":1}")),
        ..Registration::new(agent.clone())
    };
    let outcome = match verb {
        "register" => agents.register(&new).await.unwrap().map(drop),
        "heartbeat" => agents.heartbeat(&agent, None).await.unwrap().map(drop),
        "poke" => agents.poke(&agent).await.unwrap(),
        "update" => agents.update(&agent, None, &patch).await.unwrap().map(drop),
        "drain" => agents.drain(&agent, None, "x").await.unwrap().map(drop),
        "revoke" => agents.revoke(&agent, None, Some("x")).await.unwrap().map(drop),
        "lift" => agents.lift_ban(&agent).await.unwrap().map(drop),
        _ => agents.deregister(&agent, None).await.unwrap().map(drop),
    };
    outcome
        .refusal()
        .map(|refusal| format!("{} {}", refusal.code, refusal.detail.as_deref().unwrap_or_default()))
}

async fn spoil(bench: &Bench, key: &Key, kind: &str) {
    bench.cli(&format!("DEL {key}")).await;
    bench
        .cli(&if kind == "string" { format!("RPUSH {key} wrong") } else { format!("SET {key} wrong") })
        .await;
}

#[tokio::test]
async fn every_verb_refuses_every_key_of_another_type_and_writes_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let start = Registration {
            role: Some(word("old")),
            capabilities: vec![word("rust")],
            max_tasks: Some(1),
            blob: Some(object("{\"a\":1}")),
            ..Registration::new(id("a"))
        };
        for (key, kind, touched_by) in keys(bench) {
            for verb in VERBS {
                bench.scope.store.repeatable().query::<()>(&cmd("FLUSHALL")).await.unwrap();
                plane.agents().register(&start).await.unwrap().unwrap();
                spoil(bench, &key, kind).await;
                let before = dump(bench).await;
                let refusal = call(&plane, verb).await;
                if touched_by.contains(&verb) {
                    assert_eq!(refusal, Some(format!("wrong_type {key}")), "{verb} on {key}");
                    assert_eq!(dump(bench).await, before, "{verb} on {key}");
                } else {
                    assert_eq!(refusal, None, "{verb} on {key}");
                }
            }
        }
        bench.scope.store.repeatable().query::<()>(&cmd("FLUSHALL")).await.unwrap();
    })
    .await;
}

/// The background work is not stopped by one bad key, and does not touch it.
#[tokio::test]
async fn maintenance_passes_over_a_key_of_another_type() {
    check(&invariants(), async |bench| {
        let (now, past) = (plane(bench), super::support::later(bench, -10_000.0));
        for agent in ["a", "b"] {
            past.agents().register(&Registration::new(id(agent))).await.unwrap().unwrap();
        }
        let record = bench.scope.keys.quorate().agent(&id("a"));
        spoil(bench, &record, "hash").await;
        let reaped = now.agents().reap(async |_| Ok(true)).await.unwrap();
        assert_eq!(reaped.retired, 1);
        let kept: String = bench.scope.store.query(cmd("GET").arg(record.as_str())).await.unwrap();
        assert_eq!(kept, "wrong");
        bench.cli(&format!("DEL {record}")).await;
    })
    .await;
}
