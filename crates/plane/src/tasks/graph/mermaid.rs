//! The graph as Mermaid, for pages and tickets. Labels are data: whatever they contain, they end no label and begin no line.

use std::collections::HashMap;
use std::fmt::Write;

use super::Graph;

impl Graph {
    /// A flow chart from left to right.
    pub fn mermaid(&self) -> String {
        let mut text = String::from("flowchart LR\n");
        let mut names = HashMap::new();
        for (place, node) in self.nodes.iter().enumerate() {
            names.insert(node.id.as_str(), place);
            let time =
                node.timestamp.as_deref().map(|time| format!("<br/>{}", harmless(time))).unwrap_or_default();
            let _ = writeln!(text, "    n{place}[\"{}<br/>{}{time}\"]", harmless(&node.label), node.kind);
        }
        for edge in &self.edges {
            if let (Some(from), Some(to)) = (names.get(edge.source.as_str()), names.get(edge.target.as_str()))
            {
                let _ = writeln!(text, "    n{from} -->|{}| n{to}", edge.kind);
            }
        }
        text
    }
}

/// Letters, digits and a few signs as they are, everything else by its number, as Mermaid reads it.
fn harmless(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars().take(120) {
        if letter.is_alphanumeric() || " .-_:+,/".contains(letter) {
            shown.push(letter);
        } else if letter.is_control() {
            shown.push(' ');
        } else {
            let _ = write!(shown, "#{};", u32::from(letter));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn a_hostile_label_stays_a_label() {
        let shown = harmless("a\"]\n n9[\"<script>x</script>`#{}|");
        assert!(!shown.contains(['"', '\n', '<', '>', '[', ']', '`', '|', '{']), "{shown}");
        assert!(shown.starts_with("a#34;#93;"));
    }
}
