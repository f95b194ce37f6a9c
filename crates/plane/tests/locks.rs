//! Locks as their users meet them: one client at a time.

use std::time::Duration;

use crate::support::{agent, grant, lock, plane, refused, request, take};
use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, invariants};
use quorate_store::{ErrorKind, FromRedisValue, Value};
use quorate_testkit::check;

#[tokio::test]
async fn a_lock_has_one_holder_and_a_growing_fence() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for name in
            ["task:t1", "resource:db:main", "name:deploy", "project:p", "project:p:docs", "file:src/main.rs"]
        {
            let first = take(&plane, "a", name).await;
            assert_eq!(
                refused(plane.locks().acquire(&request("b", name)).await.unwrap()).code,
                "held",
                "{name}"
            );
            plane.locks().release(&lock(name), &agent("a"), first.fence).await.unwrap().unwrap();
            let second = take(&plane, "b", name).await;
            assert!(second.fence > first.fence, "{name}");
            let late = plane.locks().release(&lock(name), &agent("a"), first.fence).await.unwrap();
            assert!(late.refusal().is_none_or(|refusal| refusal.is("not_owner")), "{name}: {late:?}");
            for (who, fence) in [("a", second.fence), ("b", second.fence + 1)] {
                let wrong = plane.locks().release(&lock(name), &agent(who), fence).await.unwrap();
                assert_eq!(refused(wrong).code, "not_owner", "{name}: {who} with {fence}");
            }
            let shown = plane.locks().show(&lock(name), 10).await.unwrap();
            assert_eq!(shown.holders[0].agent, "b", "a late release freed another's lock: {name}");
            plane.locks().release(&lock(name), &agent("b"), second.fence).await.unwrap().unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_repeated_request_and_a_repeated_release_get_the_first_answer() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let wanted = request("a", "name:x");
        let (first, again) = (
            grant(plane.locks().acquire(&wanted).await.unwrap()),
            grant(plane.locks().acquire(&wanted).await.unwrap()),
        );
        assert_eq!(first, again);
        for _ in 0..2 {
            plane.locks().release(&wanted.on, &wanted.agent, first.fence).await.unwrap().unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn readers_share_and_a_writer_is_not_starved() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["r1", "r2", "r3", "w"]).await;
        let shared = |name: &str| Request { mode: Mode::Shared, ..request(name, "resource:db:main") };
        let first = grant(plane.locks().acquire(&shared("r1")).await.unwrap());
        let second = grant(plane.locks().acquire(&shared("r2")).await.unwrap());
        let writer =
            Request { wait: Duration::from_secs(5), detach: true, ..request("w", "resource:db:main") };
        assert!(matches!(
            plane.locks().acquire(&writer).await.unwrap(),
            Outcome::Done(Acquire::Queued { position: 1, .. })
        ));
        let told = refused(plane.locks().acquire(&shared("r3")).await.unwrap());
        assert_eq!(
            (told.code.as_str(), told.detail.as_deref()),
            ("held", Some("r1")),
            "a later reader does not overtake"
        );
        plane.locks().release(&writer.on, &agent("r1"), first.fence).await.unwrap().unwrap();
        plane.locks().release(&writer.on, &agent("r2"), second.fence).await.unwrap().unwrap();
        let shown = plane.locks().show(&writer.on, 10).await.unwrap();
        assert_eq!((shown.holders[0].agent.as_str(), shown.holders[0].mode.as_str()), ("w", "exclusive"));
        plane.locks().release(&writer.on, &agent("w"), shown.holders[0].fence).await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_holder_changes_its_mode() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let on = "resource:db:main";
        let shared = |name: &str| Request { mode: Mode::Shared, ..request(name, on) };
        let reader = grant(plane.locks().acquire(&shared("a")).await.unwrap());
        let writer = take(&plane, "a", on).await;
        assert!(writer.fence > reader.fence, "an upgrade is a new grant");
        assert_eq!(refused(plane.locks().acquire(&shared("b")).await.unwrap()).code, "held");
        let down = grant(plane.locks().acquire(&shared("a")).await.unwrap());
        let other = grant(plane.locks().acquire(&shared("b")).await.unwrap());
        assert_eq!(
            refused(plane.locks().acquire(&request("a", on)).await.unwrap()).code,
            "held",
            "not alone any more"
        );
        for (name, fence) in [("a", down.fence), ("b", other.fence)] {
            plane.locks().release(&lock(on), &agent(name), fence).await.unwrap().unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_project_excludes_its_areas_and_areas_exclude_the_project() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c"]).await;
        let (docs, code) =
            (take(&plane, "a", "project:p:docs").await, take(&plane, "b", "project:p:code").await);
        assert_eq!(refused(plane.locks().acquire(&request("c", "project:p")).await.unwrap()).code, "held");
        assert_eq!(
            refused(plane.locks().acquire(&request("c", "project:p:docs")).await.unwrap()).code,
            "held"
        );
        plane.locks().release(&lock("project:p:docs"), &agent("a"), docs.fence).await.unwrap().unwrap();
        plane.locks().release(&lock("project:p:code"), &agent("b"), code.fence).await.unwrap().unwrap();
        let whole = take(&plane, "c", "project:p").await;
        assert_eq!(
            refused(plane.locks().acquire(&request("a", "project:p:docs")).await.unwrap()).code,
            "held"
        );
        plane.locks().release(&lock("project:p"), &agent("c"), whole.fence).await.unwrap().unwrap();
    })
    .await;
}

/// Otherwise a step that locks its part, inside work that has locked all, would open the rest to others unseen.
#[tokio::test]
async fn who_has_all_of_a_project_has_each_part_of_it_and_keeps_the_rest() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let whole = take(&plane, "a", "project:p").await;
        let part = take(&plane, "a", "project:p:docs").await;
        assert_eq!((part.fence, part.again), (whole.fence, true), "the same hold");
        for name in ["project:p", "project:p:docs", "project:p:code"] {
            assert_eq!(
                refused(plane.locks().acquire(&request("b", name)).await.unwrap()).code,
                "held",
                "{name}"
            );
        }
        plane.locks().renew(&lock("project:p"), &agent("a"), None, whole.fence, None).await.unwrap().unwrap();
        plane.locks().release(&lock("project:p"), &agent("a"), whole.fence).await.unwrap().unwrap();
        let other = take(&plane, "b", "project:p").await;
        plane.locks().release(&lock("project:p"), &agent("b"), other.fence).await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_waiter_gets_the_lock_when_it_is_released_and_when_it_lapses() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c"]).await;
        let held = take(&plane, "a", "task:t").await;
        let waiting = {
            let plane = plane.clone();
            tokio::spawn(async move {
                let wanted = Request { wait: Duration::from_secs(5), ..request("b", "task:t") };
                (plane.locks().acquire(&wanted).await.unwrap(), tokio::time::Instant::now())
            })
        };
        tokio::time::sleep(Duration::from_millis(200)).await;
        let released = tokio::time::Instant::now();
        plane.locks().release(&lock("task:t"), &agent("a"), held.fence).await.unwrap().unwrap();
        let (got, at) = waiting.await.unwrap();
        assert!(
            grant(got.clone()).fence > held.fence && at - released < Duration::from_secs(1),
            "{:?}",
            at - released
        );
        plane.locks().release(&lock("task:t"), &agent("b"), grant(got).fence).await.unwrap().unwrap();
        let short = Request { ttl: Some(Duration::from_millis(500)), ..request("a", "task:t") };
        grant(plane.locks().acquire(&short).await.unwrap());
        let started = tokio::time::Instant::now();
        let next = Request { wait: Duration::from_secs(5), ..request("c", "task:t") };
        let got = grant(plane.locks().acquire(&next).await.unwrap());
        assert!(started.elapsed() < Duration::from_millis(500 + 1_000 + 500), "{:?}", started.elapsed());
        plane.locks().release(&lock("task:t"), &agent("c"), got.fence).await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_wait_ends_at_its_deadline_and_leaves_no_place_behind() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let held = take(&plane, "a", "name:x").await;
        let wanted = Request { wait: Duration::from_millis(400), ..request("b", "name:x") };
        assert_eq!(plane.locks().acquire(&wanted).await.unwrap(), Outcome::Done(Acquire::TimedOut));
        assert_eq!(plane.locks().show(&wanted.on, 10).await.unwrap().waiting, 0);
        plane.locks().release(&lock("name:x"), &agent("a"), held.fence).await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_ring_of_waiting_agents_is_broken_and_explained() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c"]).await;
        let mut held = Vec::new();
        for (name, on) in [("a", "task:1"), ("b", "resource:db:2"), ("c", "name:3")] {
            held.push((name, on, take(&plane, name, on).await.fence));
        }
        let mut waits = Vec::new();
        for (name, on) in [("a", "resource:db:2"), ("b", "name:3"), ("c", "task:1")] {
            let plane = plane.clone();
            let wanted = Request { wait: Duration::from_secs(4), ..request(name, on) };
            waits.push(tokio::spawn(async move { (name, plane.locks().acquire(&wanted).await.unwrap()) }));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // The youngest wait gives way at once; the others go on when its holder lets go.
        let (name, verdict) = waits.pop().unwrap().await.unwrap();
        let Outcome::Done(Acquire::Deadlock { cycle }) = verdict else { panic!("{name}: {verdict:?}") };
        assert_eq!(cycle.len(), 3, "{cycle:?}");
        assert!(cycle.contains(&"c waits for task:1".to_owned()), "{cycle:?}");
        for (name, on, fence) in held.into_iter().rev() {
            plane.locks().release(&lock(on), &agent(name), fence).await.unwrap().unwrap();
        }
        for wait in waits {
            let (name, got) = wait.await.unwrap();
            let on = if name == "a" { "resource:db:2" } else { "name:3" };
            plane.locks().release(&lock(on), &agent(name), grant(got).fence).await.unwrap().unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_guarded_write_needs_the_current_fence() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let first = take(&plane, "a", "name:x").await;
        let key = format!("{}metrics:guarded", bench.scope.keys.namespace_text());
        let write = |value: &str| ["SET", key.as_str(), value].map(str::to_owned).to_vec();
        plane.locks().guard(&lock("name:x"), first.fence, &write("1")).await.unwrap().unwrap();
        plane.locks().release(&lock("name:x"), &agent("a"), first.fence).await.unwrap().unwrap();
        let second = take(&plane, "b", "name:x").await;
        let stale = plane.locks().guard(&lock("name:x"), first.fence, &write("2")).await.unwrap();
        assert_eq!(refused(stale).code, "stale_fence");
        plane.locks().guard(&lock("name:x"), second.fence, &write("3")).await.unwrap().unwrap();
        assert_eq!(bench.cli(&format!("GET {key}")).await, Value::BulkString(b"3".to_vec()));
        for bad in [
            vec!["FLUSHALL".to_owned()],
            vec!["EVAL".into(), "x".into()],
            vec!["SET".into(), "~q:x".into(), "1".into()],
            vec!["SET".into(), key.clone()],
            vec!["SET".into(), key.clone(), "1".into(), "NONSENSE".into()],
            vec!["HSET".into(), key.clone(), "field".into(), "1".into()],
        ] {
            let error = plane.locks().guard(&lock("name:x"), second.fence, &bad).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{bad:?}: {error}");
        }
        plane.locks().release(&lock("name:x"), &agent("b"), second.fence).await.unwrap().unwrap();
    })
    .await;
}

/// The fence is checked in the same step as whatever the script does, over as many keys as it likes.
#[tokio::test]
async fn a_script_of_the_callers_needs_the_current_fence() {
    const ADD: &str = "local sum = (tonumber(redis.call('GET', KEYS[1])) or 0) + ARGV[1]\n\
                       redis.call('SET', KEYS[1], sum) redis.call('RPUSH', KEYS[2], sum) return { sum, 'added' }";
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let (on, locks, ns) = (lock("name:x"), plane.locks(), bench.scope.keys.namespace_text());
        let keys = [format!("{ns}metrics:sum"), format!("{ns}tasks:inbox:sums")];
        let run = async |fence, source: &str| {
            locks.guard_script(&on, fence, source, &keys, &["2".to_owned()]).await
        };
        let first = take(&plane, "a", "name:x").await.fence;
        let added = run(first, ADD).await.unwrap().unwrap();
        assert_eq!(Vec::<String>::from_redis_value(added).unwrap(), ["2", "added"]);
        assert_eq!(
            run(first, "return redis.status_reply('fine')").await.unwrap().unwrap(),
            Value::SimpleString("fine".into())
        );
        assert_eq!(run(first, "return nil").await.unwrap().unwrap(), Value::Nil);
        locks.release(&on, &agent("a"), first).await.unwrap().unwrap();
        let second = take(&plane, "b", "name:x").await.fence;
        assert_eq!(refused(run(first, ADD).await.unwrap()).code, "stale_fence");
        run(second, ADD).await.unwrap().unwrap();
        assert_eq!(
            bench.cli(&format!("GET {}", keys[0])).await,
            Value::BulkString(b"4".to_vec()),
            "two of three"
        );
        let kind = async |source: &str| run(second, source).await.unwrap_err().kind();
        assert_eq!(kind("this is no script").await, ErrorKind::InvalidArgument);
        assert_eq!(kind("\u{1b}Lua").await, ErrorKind::InvalidArgument);
        assert_eq!(kind("return redis.call('INCR', KEYS[2])").await, ErrorKind::ScriptFault);
        assert_eq!(kind("error('no')").await, ErrorKind::ScriptFault);
        let own = locks.guard_script(&on, second, ADD, &["~q:x".to_owned()], &[]).await.unwrap_err();
        assert_eq!(own.kind(), ErrorKind::InvalidArgument);
        bench.cli(&format!("DEL {}", keys[1])).await;
    })
    .await;
}

#[tokio::test]
async fn a_lock_of_a_foreign_client_is_honoured_until_it_lapses() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let ns = bench.scope.keys.namespace_text();
        bench.cli(&format!("SET {ns}locks:deploy 9999 NX PX 700")).await;
        bench.cli(&format!("HSET {ns}ade:lock:task:t holder_agent_id someone")).await;
        assert_eq!(
            refused(plane.locks().acquire(&request("a", "name:deploy")).await.unwrap()).detail.as_deref(),
            Some("9999")
        );
        assert_eq!(
            refused(plane.locks().acquire(&request("a", "task:t")).await.unwrap()).detail.as_deref(),
            Some("someone")
        );
        for (name, owner, ends) in [("name:deploy", "9999", true), ("task:t", "someone", false)] {
            let shown = plane.locks().show(&lock(name), 1).await.unwrap().holders;
            let [hold] = &shown[..] else { panic!("{name}: {shown:?}") };
            assert_eq!((hold.agent.as_str(), hold.mode.as_str(), hold.fence), (owner, "foreign", 0));
            assert_eq!(hold.expires_at.get() > 0, ends, "{name}");
        }
        let wanted = Request { wait: Duration::from_secs(3), ..request("a", "name:deploy") };
        let got = grant(plane.locks().acquire(&wanted).await.unwrap());
        plane.locks().release(&wanted.on, &agent("a"), got.fence).await.unwrap().unwrap();
        bench.cli(&format!("DEL {ns}ade:lock:task:t")).await;
    })
    .await;
}

#[tokio::test]
async fn a_hold_that_lapsed_is_not_taken_up_again_by_its_old_holder() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let short = |name: &str| Request { ttl: Some(Duration::from_millis(80)), ..request("a", name) };
        for name in ["name:x", "task:t", "project:p:docs"] {
            let first = grant(plane.locks().acquire(&short(name)).await.unwrap());
            tokio::time::sleep(Duration::from_millis(150)).await;
            let again = grant(plane.locks().acquire(&request("a", name)).await.unwrap());
            assert!(again.fence > first.fence, "{name}: a lapsed fence came back");
            plane.locks().release(&lock(name), &agent("a"), again.fence).await.unwrap().unwrap();
        }
        grant(plane.locks().acquire(&short("name:y")).await.unwrap());
        tokio::time::sleep(Duration::from_millis(150)).await;
        let ns = bench.scope.keys.namespace_text();
        bench.cli(&format!("SET {ns}locks:y 9999 NX PX 5000")).await;
        let refusal = refused(plane.locks().acquire(&request("a", "name:y")).await.unwrap());
        assert_eq!(refusal.detail.as_deref(), Some("9999"), "a foreign client took it in the meantime");
        bench.cli(&format!("DEL {ns}locks:y")).await;
    })
    .await;
}
