//! What people read.

use super::model::{FIELDS, Item, Pending};

/// The title: which failure, or how many.
pub(super) fn title(prefix: &str, pending: &Pending) -> String {
    match &pending.items[..] {
        [item] => format!("{prefix}: {} / {}", item.text("service_name"), item.text("failure_id")),
        items => format!("{prefix}: {} failed tasks", items.len()),
    }
}

/// The body: what is known of each.
pub(super) fn body(pending: &Pending) -> String {
    pending.items.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

fn one(item: &Item) -> String {
    let line = |(field, name): &(&str, &str)| {
        let text = item.text(field);
        format!("{name}: {}", if text.is_empty() { "-" } else { text })
    };
    FIELDS.iter().map(line).collect::<Vec<_>>().join("\n")
}
