//! The verdict, case by case, at one fixed moment.

use serde_json::json;

use super::*;

const NOW: &str = "2026-04-06T10:00:00Z";
const STALE: Stale = Stale {
    capabilities: Duration::from_secs(180),
    observations: Duration::from_secs(300),
    workers: Duration::from_secs(90),
};

fn ago(seconds: i64) -> String {
    let now: jiff::Timestamp = NOW.parse().unwrap();
    (now - jiff::SignedDuration::from_secs(seconds)).to_string()
}

fn service(routes: &[&str]) -> Service {
    let said =
        json!({ "supported_routes": routes, "service_metadata": { "compatibility": "capabilities_v1" } });
    serde_json::from_value(
        json!({ "service_id": "pay", "name": "Pay", "base_url": "http://pay", "environment": "dev",
        "auth_mode": "none", "status": "healthy", "capabilities": said }),
    )
    .unwrap()
}

fn seen(answered: i64, workers: serde_json::Value) -> Health {
    let mut health = Health::of("pay");
    health.http_status.state = Reach::Reachable;
    health.capability_status.last_successful_at = Some(ago(answered));
    health.worker_health.workers = workers.as_array().cloned().unwrap_or_default();
    health
}

fn active(seconds: i64) -> Activity {
    Activity { latest_status_event_at: Some(ago(seconds)), ..Activity::default() }
}

fn verdict(service: &Service, seen: Health, activity: &Activity) -> (Overall, Working) {
    let judged = judge(service, seen, activity, moment(NOW).unwrap(), STALE);
    assert_eq!(judged.reasons.is_empty(), judged.overall_status == Overall::Healthy, "{:?}", judged.reasons);
    (judged.overall_status, judged.worker_health.state)
}

fn worker(running: bool, beat: i64, expired: bool) -> Json {
    json!({ "worker_name": "w", "running": running, "last_heartbeat_at": ago(beat), "active_leases": [{ "expired": expired }] })
}

#[test]
fn what_is_old_is_stale_at_the_seeds_numbers() {
    let plain = service(&[]);
    let good = verdict(&plain, seen(179, json!([])), &active(299));
    assert_eq!(good, (Overall::Healthy, Working::Unsupported));
    assert_eq!(verdict(&plain, seen(181, json!([])), &active(10)).0, Overall::Stale);
    assert_eq!(verdict(&plain, seen(10, json!([])), &active(301)).0, Overall::Stale);
    let watched = service(&[OFFERS_WORKERS]);
    assert_eq!(
        verdict(&watched, seen(10, json!([worker(true, 89, false)])), &active(10)).0,
        Overall::Healthy
    );
    assert_eq!(verdict(&watched, seen(10, json!([worker(true, 91, false)])), &active(10)).0, Overall::Stale);
}

#[test]
fn disabled_is_before_unreachable_and_that_before_stale_and_that_before_degraded() {
    let watched = service(&[OFFERS_WORKERS]);
    let stopped = json!([worker(false, 10, false)]);
    assert_eq!(
        verdict(&watched, seen(10, stopped.clone()), &active(10)),
        (Overall::Degraded, Working::Unhealthy)
    );
    assert_eq!(verdict(&watched, seen(500, stopped.clone()), &active(10)).0, Overall::Stale);
    let mut away = seen(500, stopped);
    away.http_status.state = Reach::Unreachable;
    assert_eq!(verdict(&watched, away.clone(), &active(10)).0, Overall::Unreachable);
    let disabled = Service { status: Status::Disabled, ..watched };
    assert_eq!(verdict(&disabled, away, &active(10)).0, Overall::Disabled);
}

/// Relayna 1.4.13: a worker that does not run was hidden behind a lease that had run out.
#[test]
fn a_worker_that_does_not_run_is_said_before_a_lease_that_ran_out() {
    let watched = service(&[OFFERS_WORKERS]);
    let both = seen(10, json!([worker(true, 10, true), worker(false, 10, false)]));
    assert_eq!(verdict(&watched, both, &active(10)), (Overall::Degraded, Working::Unhealthy));
    let lapsed = seen(10, json!([worker(true, 10, true)]));
    assert_eq!(verdict(&watched, lapsed, &active(10)), (Overall::Stale, Working::Stale));
    let over = json!([{ "running": true, "last_heartbeat_at": ago(1), "active_leases": [{ "expires_at": ago(1) }] }]);
    assert_eq!(
        verdict(&watched, seen(10, over), &active(10)).1,
        Working::Stale,
        "a lease is over when its time is"
    );
}

#[test]
fn what_nobody_knows_is_not_healthy() {
    let new = Service { capabilities: None, status: Status::Registered, ..service(&[]) };
    assert_eq!(verdict(&new, Health::of("pay"), &Activity::default()), (Overall::Degraded, Working::Unknown));
    assert_eq!(verdict(&service(&[]), seen(10, json!([])), &Activity::default()).0, Overall::Unknown);
    let silent = json!([{ "worker_name": "w", "running": true }]);
    assert_eq!(
        verdict(&service(&[OFFERS_WORKERS]), seen(10, silent), &active(1)).1,
        Working::Stale,
        "no beat at all"
    );
}

/// Relayna 1.4.3: times without a zone.
#[test]
fn times_without_a_zone_are_in_utc() {
    let naive =
        Activity { latest_status_event_at: Some("2026-04-06T09:58:00".into()), ..Activity::default() };
    assert_eq!(verdict(&service(&[]), seen(10, json!([])), &naive).0, Overall::Healthy);
    let east =
        Activity { latest_status_event_at: Some("2026-04-06T11:50:00+02:00".into()), ..Activity::default() };
    assert_eq!(verdict(&service(&[]), seen(10, json!([])), &east).0, Overall::Stale);
}
