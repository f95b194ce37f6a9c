//! What must hold of the codec for any bytes at all; shared by the tests and the fuzz target.

use std::sync::LazyLock;

use quorate_catalog::{Catalog, Keys, Layout, Matcher, Prefixes};

static SPACES: LazyLock<Vec<(Keys, Matcher)>> = LazyLock::new(|| {
    let space = |layout| {
        let keys = Keys::new("".parse().expect("empty is allowed"), layout, Prefixes::default());
        let matcher = Matcher::new(Catalog::built_in(), &keys);
        (keys, matcher)
    };
    vec![space(Layout::Plain), space(Layout::Tagged)]
});

/// A key that is recognised is spelled again, byte for byte, from what was read out of it.
pub(crate) fn holds(data: &[u8]) {
    let catalog = Catalog::built_in();
    for (keys, matcher) in SPACES.iter() {
        let Some(found) = matcher.find(data) else { continue };
        let family = &catalog.families[found.family];
        let form = &family.forms[found.form];
        let bindings = Matcher::bindings(catalog, &found);
        let texts: Vec<&str> = bindings.iter().map(|(_, text)| text.as_str()).collect();
        let again = keys.build(catalog, family, form, &texts).expect("what was read can be written");
        let other_prefix = form.plain.prefix().is_some() && again.as_bytes() != data;
        assert!(other_prefix || again.as_bytes() == data, "{again} was read from {data:?}");
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    for rule in catalog.rules.values() {
        if let Ok(key) = rule.parse(text) {
            assert!(rule.accepts(key.as_bytes()), "{} built {key} and refuses it", rule.name);
            assert!(
                !key.contains(['{', '}', '*', '?', '[', ']', '\\', '~', ' ']),
                "{} lets {key} out",
                rule.name
            );
        }
    }
}
