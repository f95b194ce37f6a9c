//! The only place that writes to the terminal: data on stdout, talk on stderr.
//!
//! Every text that came from outside is shown with its control characters escaped, so that an agent's name
//! cannot move the cursor or set a window title.

#![expect(clippy::print_stderr, reason = "this is the module through which the command line speaks")]

use std::io::{self, Write};
use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use quorate_catalog::text::harmless;
use serde_json::Value;

use crate::args::Format;
use crate::failure::Failure;

/// What a command has to say.
pub(crate) struct Answer {
    /// The document for `-o json`; an array is written a line each for `-o ndjson`.
    pub(crate) json: Value,
    /// The same for people.
    pub(crate) view: View,
    pub(crate) exit: u8,
}

pub(crate) enum View {
    Rows {
        header: &'static [&'static str],
        rows: Vec<Vec<String>>,
    },
    Text(String),
    /// The command's own output was the answer.
    Nothing,
}

impl Answer {
    pub(crate) fn new(json: Value, view: View) -> Self {
        Self { json, view, exit: 0 }
    }
}

pub(crate) fn answer(answer: &Answer, format: Format) -> ExitCode {
    // A reader that went away, as in `quorate … | head -1`, is no fault of ours.
    match io::stdout().lock().write_all(written(answer, format).as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::from(answer.exit),
    }
}

/// Writes a part of an answer that goes on; whether anybody still reads.
pub(crate) fn stream(part: &Answer, format: Format) -> bool {
    let mut stdout = io::stdout().lock();
    stdout.write_all(written(part, format).as_bytes()).and_then(|()| stdout.flush()).is_ok()
}

fn written(answer: &Answer, format: Format) -> String {
    match (format, &answer.json) {
        (Format::Json, json) => format!("{json:#}\n"),
        (Format::Ndjson, Value::Array(items)) => items.iter().map(|item| format!("{item}\n")).collect(),
        (Format::Ndjson, json) => format!("{json}\n"),
        (Format::Table, _) => show(&answer.view),
    }
}

fn show(view: &View) -> String {
    match view {
        View::Nothing => String::new(),
        View::Text(text) => format!("{text}\n"),
        View::Rows { rows, .. } if rows.is_empty() => String::from("nothing to show\n"),
        View::Rows { header, rows } => {
            let mut table = Table::new();
            table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
            if let Some(width) = width() {
                table.set_width(width);
            }
            table.set_header(header.iter().map(|name| name.to_uppercase()));
            for row in rows {
                table.add_row(row.iter().map(|cell| harmless(cell)));
            }
            let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
            lines.concat()
        }
    }
}

/// `COLUMNS` where it is set; the library asks the terminal otherwise.
fn width() -> Option<u16> {
    let columns: u16 = std::env::var("COLUMNS").ok()?.parse().ok()?;
    Some(columns.clamp(40, 1_000))
}

/// One line of an answer that goes on; `false` when its reader has gone away.
pub(crate) fn line(json: &Value, text: &str, format: Format) -> bool {
    let line = match format {
        Format::Table => format!("{}\n", harmless(text)),
        Format::Json | Format::Ndjson => format!("{json}\n"),
    };
    let mut stdout = io::stdout().lock();
    stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush()).is_ok()
}

pub(crate) fn failure(failure: &Failure) -> ExitCode {
    eprintln!("error: {}", harmless(&failure.message));
    if let Some(advice) = &failure.advice {
        eprintln!("  {}", harmless(advice));
    }
    ExitCode::from(failure.exit as u8)
}

pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    // Help and version are answers, and go to stdout with 0; the rest is bad input, which it repeats.
    let text = error.render().to_string();
    if error.use_stderr() && (text.len() > 2_000 || text.lines().any(|line| harmless(line) != line)) {
        let shown = text.lines().map(|line| harmless(line).chars().take(300).collect::<String>());
        shown.take(20).for_each(|line| eprintln!("{line}"));
    } else {
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

pub(crate) fn talk(message: &str) {
    eprintln!("{}", harmless(message));
}

/// A bar on stderr for work that takes long; silent where stderr is not a terminal.
pub(crate) struct Progress(indicatif::ProgressBar);

pub(crate) fn progress(unit: &'static str) -> Progress {
    let bar = indicatif::ProgressBar::new(0);
    let style = indicatif::ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} {msg} ({eta})");
    bar.set_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()));
    bar.set_message(unit);
    Progress(bar)
}

impl Progress {
    pub(crate) fn set(&self, done: u64, total: u64) {
        self.0.set_length(total.max(done));
        self.0.set_position(done);
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
