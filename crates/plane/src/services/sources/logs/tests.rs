//! Questions to a Loki, and pages of its answers.

use serde_json::json;

use super::super::config::read;
use super::*;

fn config(more: Json) -> config::Logs {
    let mut said = json!({ "base_url": "http://loki.example", "service_selector_labels": { "app": "pay", "ns": "shop" } });
    said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    read(&said).unwrap()
}

fn asked(more: Json, query: LogQuery) -> String {
    expression(&config(more), &query).unwrap()
}

fn task(text: &str) -> LogQuery {
    LogQuery { task_id: Some(text.to_owned()), ..LogQuery::default() }
}

#[test]
fn a_task_is_found_by_its_label_by_a_text_or_by_a_pattern() {
    assert_eq!(asked(json!({}), LogQuery::default()), r#"{app="pay",ns="shop"}"#);
    assert_eq!(asked(json!({ "task_id_label": "task" }), task("t1")), r#"{app="pay",ns="shop",task="t1"}"#);
    assert_eq!(asked(json!({}), task("t1")), r#"{app="pay",ns="shop"} |= "t1""#);
    let contains = json!({ "task_match_mode": "contains", "task_match_template": "task={task_id} " });
    assert_eq!(asked(contains, task("t1")), r#"{app="pay",ns="shop"} |= "task=t1""#, "a template is trimmed");
    let regex = json!({ "task_match_mode": "regex", "task_match_template": "task=({task_id}|all)" });
    assert_eq!(asked(regex, task("t.1|x")), r#"{app="pay",ns="shop"} |~ "task=(t\\.1\\|x|all)""#);
}

#[test]
fn what_is_asked_for_stays_in_its_quotes_and_only_adds_to_what_makes_out_the_service() {
    let hostile = "x\"} or {app=\"bank\\";
    let inside = r#""x\"} or {app=\"bank\\""#;
    let labels = json!({ "source_label": "app", "level_label": "level", "task_id_label": "task", "correlation_id_label": "c" });
    let text = || Some(hostile.to_owned());
    let query = LogQuery {
        task_id: text(),
        correlation_id: text(),
        level: text(),
        source: text(),
        pod: text(),
        query: text(),
        ..LogQuery::default()
    };
    let wanted = format!(
        r#"{{app="pay",ns="shop",app={inside},level={inside},pod={inside},c={inside},task={inside}}} |= {inside}"#
    );
    assert_eq!(asked(labels, query.clone()), wanted);
    let none = expression(&config(json!({})), &query).unwrap_err();
    assert_eq!(none.code, "bad_config", "a filter that nothing can answer is not passed over");
}

fn lines(moments: &[u64]) -> Vec<LogEntry> {
    let values: Vec<Json> =
        moments.iter().map(|at| json!([at.to_string(), format!("line at {at}")])).collect();
    entries("pay", &config(json!({})), &[json!({ "stream": { "app": "pay" }, "values": values })])
}

/// As a Loki answers: earlier than the end, the last first, and no more than asked for.
fn ask(all: &[u64], before: Option<Before>, limit: usize) -> LogPage {
    let query = LogQuery { before, limit, ..LogQuery::default() };
    let most = limit + 1 + usize::try_from(before.map_or(0, |before| before.shown)).unwrap();
    let mut found: Vec<u64> =
        all.iter().copied().filter(|at| end(&query).is_none_or(|end| *at < end)).collect();
    found.sort_by_key(|at| std::cmp::Reverse(*at));
    found.truncate(most);
    page(lines(&found), &query)
}

#[test]
fn pages_show_every_line_once_also_where_many_have_one_moment() {
    let all = [9, 8, 7, 7, 7, 7, 7, 6, 6, 5];
    for limit in 1..=11 {
        let (mut seen, mut before) = (Vec::new(), None);
        loop {
            let page = ask(&all, before, limit);
            assert!(page.count <= limit);
            seen.extend(page.items.iter().map(|entry| entry.at));
            let Some(next) = page.next_cursor else { break };
            before = Some(next.parse().unwrap());
        }
        assert_eq!(seen, all, "{limit} at a time");
    }
}

#[test]
fn a_cursor_is_a_moment_or_one_of_ours() {
    assert_eq!("loki:7:2".parse(), Ok(Before { at: Nanos(7), shown: 2 }));
    assert_eq!("2026-04-06T10:00:00Z".parse::<Before>(), "1775469600000000000".parse());
    for bad in [
        "",
        "x",
        "loki:",
        "loki:7",
        "loki:x:1",
        "loki:7:-1",
        "loki:7:99999",
        "-5",
        "99999999999999999999",
        "1 or 1",
    ] {
        assert!(bad.parse::<Before>().is_err(), "{bad}");
    }
}

#[test]
fn a_stranger_s_answer_is_taken_as_far_as_it_makes_sense() {
    let odd = json!([{ "stream": { "app": 5, "level": "warn" }, "values": [["7", "a"], ["x", "b"], [8, "c"], ["9"], "d", null] }, 5, { "values": 1 }]);
    let found = entries("pay", &config(json!({ "level_label": "level" })), odd.as_array().unwrap());
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].message.as_str(), found[0].level.as_deref(), found[0].source.as_str()),
        ("a", Some("warn"), "unknown")
    );
}
