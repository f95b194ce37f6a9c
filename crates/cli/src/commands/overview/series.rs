//! `quorate overview series`.

use quorate_catalog::ids::SeriesName;
use quorate_plane::Plane;
use quorate_verbs::overview::{Listed, Series};
use quorate_verbs::said::{Said, Span};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which: agents, locks or queue:NAME [default: all].
    #[arg(value_name = "NAME")]
    name: Option<SeriesName>,
    /// Over how long, up to 24h.
    #[arg(long, default_value = "15m")]
    last: Span,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let asked = Series { name: args.name.clone().map(Said), last: Some(args.last), steps: None };
    ask(plane, &asked, view).await
}

/// The newest number and the highest of each column; the whole is in the JSON.
fn view(listed: &Listed) -> View {
    let mut rows = Vec::new();
    for series in &listed.series {
        for (column, values) in &series.values {
            let number =
                |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value}"));
            let known = || values.iter().flatten().copied();
            rows.push(vec![
                series.name.clone(),
                column.clone(),
                number(known().next_back()),
                number(known().reduce(f64::max)),
                format!("{} of {}", known().count(), values.len()),
            ]);
        }
    }
    View::Rows { header: &["series", "number", "newest", "highest", "samples"], rows }
}
