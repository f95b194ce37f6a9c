//! `quorate url`: what to give to another Redis client.

use serde_json::json;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::plane;

pub(crate) fn run(global: &Global) -> Result<Answer, Failure> {
    // An external server's URL is the caller's own; printing it back is still the useful answer.
    let url = match global.redis_url.clone().map_or_else(external, Some) {
        Some(url) => url,
        None => plane::running(global)?.client_url().reveal(),
    };
    Ok(Answer::new(json!({ "url": url }), View::Text(url)))
}

fn external() -> Option<String> {
    quorate_store::ENV.into_iter().find_map(|name| std::env::var(name).ok().filter(|url| !url.is_empty()))
}
