//! Failed tasks: found, reviewed, retried by hand once; and replayers that are killed.

use super::*;

fn by_hand(request: &str) -> Manual {
    Manual { request: request.into(), who: "ann".into(), ..Manual::default() }
}

#[tokio::test]
async fn failed_tasks_are_found_by_what_is_known_of_them_and_when_they_failed() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        for n in 0..10_u32 {
            let mut one = record(&format!("d{n}"), "a.dlq", n);
            (one["worker_id"], one["service_name"]) = (format!("w{}", n % 2).into(), "pay".into());
            // It failed an hour before it was given up, without saying in which zone.
            one["failed_at"] = format!("2026-11-16T11:00:{n:02}").into();
            keep(&plane, one).await;
        }
        let records = plane.dead_letters().records();
        let find = async |failed: FailedFilter| {
            let filter = RecordFilter { failed, ..RecordFilter::default() };
            let page = records.failed(&filter, None, 50).await.unwrap().unwrap();
            page.items.into_iter().map(|task| task.failure_id).collect::<Vec<_>>()
        };
        let at = |text: &str| quorate_plane::tasks::moment(text);
        let window = FailedFilter {
            from: at("2026-11-16T11:00:03Z"),
            to: at("2026-11-16T12:00:05+01:00"),
            ..FailedFilter::default()
        };
        assert_eq!(find(window.clone()).await, ["d5", "d4", "d3"], "moments are compared across zones");
        assert_eq!(find(FailedFilter { worker_id: Some("w1".into()), ..window }).await, ["d5", "d3"]);
        let of = |name: &str, value: &str| {
            let value = Some(value.to_owned());
            match name {
                "error" => FailedFilter { error_type: value, ..FailedFilter::default() },
                "queue" => FailedFilter { queue_name: value, ..FailedFilter::default() },
                "dlq" => FailedFilter { dlq_name: value, ..FailedFilter::default() },
                "service" => FailedFilter { service_name: value, ..FailedFilter::default() },
                _ => FailedFilter { status: value, ..FailedFilter::default() },
            }
        };
        for (name, value, count) in [
            ("error", "RuntimeError", 10),
            ("error", "Other", 0),
            ("queue", "tasks", 10),
            ("dlq", "a.dlq", 10),
            ("dlq", "b.dlq", 0),
            ("service", "pay", 10),
            ("status", "DLQ", 10),
            ("status", "retry_exhausted", 0),
        ] {
            assert_eq!(find(of(name, value)).await.len(), count, "{name} {value}");
        }
        let score = text(bench, "ZSCORE relayna:failed_tasks:index d7").await;
        assert_eq!(score.parse::<f64>().unwrap(), 1_794_826_807.0, "when it failed, in seconds");
        records.drop(&id("d7"), "ann", "a test").await.unwrap().unwrap();
        assert_eq!(text(bench, "ZCARD relayna:failed_tasks:index").await, "9");
        bench.cli("ZREM relayna:failed_tasks:index d1").await;
        bench.cli("ZADD relayna:failed_tasks:index 1 nobody").await;
        let invariant = quorate_plane::dead_letters::invariants();
        let invariant = invariant.iter().find(|own| own.code() == "FSCK111").unwrap();
        for finding in &invariant.check(&bench.scope).await.unwrap() {
            assert!(invariant.repair(&bench.scope, finding).await.unwrap(), "{finding:?}");
        }
        assert_eq!(text(bench, "ZCARD relayna:failed_tasks:index").await, "9");
    })
    .await;
}

/// Systems 2e.4: Relayna's retry by hand takes no lock, so a double click publishes twice. Here sixteen clicks publish once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_clicks_retry_a_failed_task_once() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        keep(&plane, record("d1", "a.dlq", 1)).await;
        let clicks = (0..16).map(|n| {
            let plane = plane.clone();
            tokio::spawn(async move {
                plane
                    .dead_letters()
                    .records()
                    .retry_by_hand(&id("d1"), &by_hand(&format!("r{n}")))
                    .await
                    .unwrap()
            })
        });
        let mut done = 0;
        for click in clicks.collect::<Vec<_>>() {
            match click.await.unwrap() {
                Outcome::Done(_) => done += 1,
                Outcome::Refused(why) => assert!(why.is("already_replayed") || why.is("conflict"), "{why:?}"),
            }
        }
        let made = jobs(&plane, "tasks").await;
        assert_eq!((done, made.len()), (1, 1), "where it came from, once");
        let known = plane.queues().known().await.unwrap();
        assert!(
            known.iter().any(|queue| queue.name() == "job:tasks"),
            "and the list of queues has it: {known:?}"
        );
        let headers = &made[0].1["headers"];
        assert_eq!(
            (&headers["x-relayna-manual-retry-from-failure-id"], &headers["x-relayna-retry-attempt"]),
            (&json!("d1"), &json!(0))
        );
        assert_eq!(
            (&headers["x-relayna-failure-reason"], &headers["x-relayna-replayed-from-dlq"]),
            (&Value::Null, &Value::Null)
        );
        let records = plane.dead_letters().records();
        let again = Manual {
            force: true,
            note: Some("with less".into()),
            target_queue: Some("small".into()),
            override_payload: Some("{\"task_id\":\"other\"}".into()),
            ..by_hand("again")
        };
        let told = records.retry_by_hand(&id("d1"), &again).await.unwrap().unwrap();
        assert_eq!((told.target_queue.as_str(), told.retried_task_id.as_deref()), ("small", Some("other")));
        let mut lost = record("d2", "a.dlq", 2);
        lost["payload_available"] = false.into();
        keep(&plane, lost).await;
        assert_eq!(refused(records.retry_by_hand(&id("d2"), &by_hand("x")).await.unwrap()).code, "no_body");
        let mut alive = record("d3", "a.dlq", 3);
        alive["status"] = "running".into();
        keep(&plane, alive).await;
        assert_eq!(refused(records.retry_by_hand(&id("d3"), &by_hand("x")).await.unwrap()).code, "not_ended");
    })
    .await;
}

/// What a newer client of Relayna writes about a review is what counts, and it reads what we write.
#[tokio::test]
async fn reviews_and_retries_of_newer_clients_count_and_ours_are_read_by_them() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let mut theirs = record("d1", "a.dlq", 1);
        for (name, value) in [
            ("state", "dead_lettered"),
            ("investigation_status", "investigated"),
            ("investigated_by", "bob"),
            ("retry_status", "retried"),
        ] {
            theirs[name] = value.into();
        }
        bench.cli(&format!("SET relayna:dlq:record:d1 '{theirs}'")).await;
        bench.cli("LPUSH relayna:dlq:records d1").await;
        bench.cli("ZADD relayna:failed_tasks:index 1794830401 d1").await;
        let records = plane.dead_letters().records();
        let looked = RecordFilter { investigated: Some(true), ..RecordFilter::default() };
        let page = records.failed(&looked, None, 5).await.unwrap().unwrap();
        let one = &page.items[0];
        assert_eq!((one.investigated_by.as_deref(), one.retry_status.as_str()), (Some("bob"), "retried"));
        assert_eq!(
            refused(records.retry_by_hand(&id("d1"), &by_hand("r")).await.unwrap()).code,
            "already_replayed"
        );
        keep(&plane, record("d2", "a.dlq", 2)).await;
        records.review(&id("d2"), "ann", Some("a full disk")).await.unwrap().unwrap();
        records.retry_by_hand(&id("d2"), &by_hand("r")).await.unwrap().unwrap();
        let raw: Value = serde_json::from_str(&text(bench, "GET relayna:dlq:record:d2").await).unwrap();
        for (name, value) in [
            ("investigation_status", "investigated"),
            ("investigated_by", "ann"),
            ("investigation_note", "a full disk"),
            ("retry_status", "retried"),
            ("retried_by", "ann"),
            ("retry_target_queue", "tasks"),
        ] {
            assert_eq!(raw[name], value, "{name}");
        }
    })
    .await;
}

/// D4 for relayna's records: replayers of one store that are killed at any moment, and each record makes one job.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replayers_that_are_killed_make_one_job_of_each_record() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let (count, kills) = (size(150, 1_000), size(16, 64));
        for n in 0..count {
            keep(&plane, record(&format!("d{n:04}"), "a.dlq", u32::try_from(n).unwrap())).await;
        }
        let replayer = |name: String| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_queue-worker"));
            let namespace = bench.scope.keys.namespace_text();
            command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':')).arg(name);
            command.args(["retry", "/dev/null", "1", "1000"]);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            Worker::spawn(&mut command).unwrap()
        };
        let mut replayers: Vec<Worker> = (0..4).map(|n| replayer(format!("r{n}"))).collect();
        for kill in 0..kills {
            tokio::time::sleep(Duration::from_millis(15)).await;
            replayers[kill % 4].kill9().unwrap();
            replayers[kill % 4] = replayer(format!("s{kill}"));
        }
        for one in &mut replayers {
            assert!(one.wait(Duration::from_secs(60)).unwrap().is_some(), "it ends when nothing is open");
        }
        let made: BTreeSet<String> = jobs(&plane, "tasks").await.into_iter().map(|(job, _)| job).collect();
        let expected: BTreeSet<String> = (0..count).map(|n| format!("d{n:04}.r1")).collect();
        assert_eq!(jobs(&plane, "tasks").await.len(), count, "one job for each record");
        assert_eq!(made, expected);
        say(&format!("D4: {count} records, {kills} killed replayers: one job each"));
    })
    .await;
}
