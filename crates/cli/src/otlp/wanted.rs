//! What the standard variables ask for, and what of it this build cannot do: said, and not silently left out.

/// The variables that name a collector.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
const PROTOCOLS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];

/// Whether spans are exported, and what is said about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) export: bool,
    pub(super) ignored: Vec<String>,
}

/// Reads the variables; an error is an address that can be no collector's.
pub(super) fn wanted(set: impl Fn(&str) -> Option<String>) -> Result<Wanted, String> {
    let mut ignored = Vec::new();
    let exporters = set("OTEL_TRACES_EXPORTER").unwrap_or_default().to_lowercase();
    let named = |name: &str| exporters.split(',').any(|own| own.trim() == name);
    let unknown = !exporters.is_empty() && !named("otlp") && !named("none");
    if unknown {
        ignored
            .push("OTEL_TRACES_EXPORTER names no exporter that is here; spans go by otlp or nowhere".into());
    }
    let off = set("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"))
        || named("none")
        || unknown;
    let endpoint = ENDPOINTS.into_iter().find_map(|name| Some((name, set(name)?)));
    // Whoever asks for otlp and says no more means the usual place on this machine.
    if off || (endpoint.is_none() && !named("otlp")) {
        return Ok(Wanted { export: false, ignored });
    }
    if let Some((name, address)) = endpoint
        && !["http://", "https://"].iter().any(|begin| address.to_lowercase().starts_with(begin))
    {
        return Err(format!("{name} is no http or https address"));
    }
    let protocol = PROTOCOLS.into_iter().find_map(|name| Some((name, set(name)?)));
    if let Some((name, _)) = protocol.filter(|(_, own)| own != "http/protobuf") {
        ignored.push(format!(
            "{name} is not http/protobuf, the one form in which spans are sent; a collector mostly takes it on port 4318"
        ));
    }
    Ok(Wanted { export: true, ignored })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(pairs: &[(&str, &str)]) -> Result<Wanted, String> {
        wanted(|name| pairs.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned()))
    }

    fn done(pairs: &[(&str, &str)]) -> (bool, usize) {
        ask(pairs).map(|wanted| (wanted.export, wanted.ignored.len())).unwrap()
    }

    const AT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");

    #[test]
    fn the_standard_variables_mean_what_they_mean() {
        assert_eq!((done(&[]), done(&[AT])), ((false, 0), (true, 0)));
        assert_eq!(done(&[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "HTTPS://x/y")]), (true, 0));
        assert_eq!(done(&[("OTEL_TRACES_EXPORTER", "otlp")]), (true, 0), "at the usual place");
        assert_eq!(done(&[AT, ("OTEL_TRACES_EXPORTER", "none")]), (false, 0));
        assert_eq!(done(&[AT, ("OTEL_SDK_DISABLED", "TRUE")]), (false, 0));
        assert_eq!(done(&[AT, ("OTEL_TRACES_EXPORTER", "console, otlp")]), (true, 0));
        assert_eq!(done(&[AT, ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")]), (true, 0));
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        assert_eq!(done(&[AT, ("OTEL_TRACES_EXPORTER", "console")]), (false, 1));
        for other in ["grpc", "http/json"] {
            assert_eq!(done(&[AT, ("OTEL_EXPORTER_OTLP_PROTOCOL", other)]), (true, 1), "{other}");
        }
        for bad in ["collector:4318", "ftp://x", "unix:///x"] {
            let why = ask(&[("OTEL_EXPORTER_OTLP_ENDPOINT", bad)]).unwrap_err();
            assert!(!why.contains(bad), "an address may have a secret in it: {why}");
        }
    }
}
