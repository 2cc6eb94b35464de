//! Results for people.
//!
//! In: [`Results`]. Out: a table for the terminal, Markdown, one HTML page, a comparison with older results.
//! Always: the same figures in all of them; a figure is a median with its spread.

mod ablation;
mod compare;
mod html;

pub use compare::{Change, compare, compared};
pub use html::html;

use std::fmt::Write as _;

use self::ablation::{Ablation, Cell, Row, ablation};
use crate::results::{BenchResult, Entry, Results};
use crate::stat::Spread;

/// Columns after the peer's name, and what they say.
pub const COLUMNS: &[(&str, &str)] = &[
    (
        "steps/s",
        "steady state: steps a second over the second half of the run",
    ),
    (
        "ours is",
        "throughput of janus-jit over this peer's, in turns, of the faster steps (wall time where there are no steps)",
    ),
    (
        "1st step",
        "seconds from the start of the process to the end of the first step",
    ),
    ("90%", "seconds until 90% of the steady state is held"),
    ("run", "wall time of the long run, seconds"),
    ("short run", "wall time of the short run, seconds"),
    (
        "compile",
        "seconds of compiling, on whatever thread, as janus-jit says",
    ),
    ("peak", "most memory, MiB"),
];

/// A number with three or four figures.
#[must_use]
pub fn figure(x: f64) -> String {
    let a = x.abs();
    if a >= 1000.0 {
        let whole = format!("{x:.0}");
        let mut out = String::new();
        for (i, c) in whole.chars().enumerate() {
            if i > 0 && (whole.len() - i) % 3 == 0 && c.is_ascii_digit() {
                out.push(',');
            }
            out.push(c);
        }
        out
    } else if a >= 100.0 {
        format!("{x:.0}")
    } else if a >= 10.0 {
        format!("{x:.1}")
    } else if a >= 1.0 {
        format!("{x:.2}")
    } else {
        format!("{x:.3}")
    }
}

fn spread(s: Option<Spread>) -> String {
    match s {
        None => "-".to_owned(),
        Some(s) if s.noise() < 0.005 => figure(s.median),
        Some(s) => format!("{} ±{:.0}%", figure(s.median), s.noise() * 100.0),
    }
}

fn ratio(s: Option<Spread>) -> String {
    match s {
        None => "-".to_owned(),
        Some(s) => format!(
            "{}x ({}-{})",
            figure(s.median),
            figure(s.low),
            figure(s.high)
        ),
    }
}

/// The cells of a peer, in the order of [`COLUMNS`].
fn cells(bench: &BenchResult, entry: &Entry) -> Vec<String> {
    let ours = entry.peer == crate::peer::OURS;
    vec![
        spread(entry.long(|r| r.steady)),
        match (&entry.differs, ours) {
            (_, true) => String::new(),
            (Some(_), _) => "output differs".to_owned(),
            (None, _) => ratio(bench.ratio(&entry.peer)),
        },
        spread(entry.long(|r| r.first_step_s)),
        spread(entry.long(|r| r.ninety_s)),
        spread(entry.long(|r| Some(r.wall_s))),
        spread(entry.short(|r| Some(r.wall_s))),
        spread(entry.long(|r| r.compile_s)),
        spread(entry.long(|r| Some(r.peak_mib))),
    ]
}

/// The columns in which a bench has figures.
fn columns(bench: &BenchResult) -> Vec<usize> {
    let rows: Vec<Vec<String>> = bench.entries.iter().map(|e| cells(bench, e)).collect();
    let has = |i: &usize| {
        let cell = |row: &Vec<String>| row.get(*i).is_some_and(|c| !c.is_empty() && c != "-");
        rows.iter().any(cell)
    };
    (0..COLUMNS.len()).filter(has).collect()
}

/// The names of those columns.
fn heads(shown: &[usize]) -> Vec<(&'static str, &'static str)> {
    shown
        .iter()
        .filter_map(|&i| COLUMNS.get(i).copied())
        .collect()
}

/// The cells of a peer in those columns.
fn shown_cells(bench: &BenchResult, entry: &Entry, shown: &[usize]) -> Vec<String> {
    let all = cells(bench, entry);
    let cell = |&i: &usize| all.get(i).cloned().unwrap_or_default();
    shown.iter().map(cell).collect()
}

/// What could not be measured, and why: peers, failures, differences.
fn remarks(results: &Results) -> Vec<String> {
    let mut all: Vec<String> = results
        .skipped
        .iter()
        .map(|s| format!("skipped {}: {}", s.id, s.why))
        .collect();
    for bench in &results.benches {
        for entry in &bench.entries {
            if let Some(why) = &entry.failure {
                all.push(format!("{}, {}: {why}", bench.name, entry.peer));
            }
            if let Some(how) = &entry.differs {
                let one_line = how.split_whitespace().collect::<Vec<_>>().join(" ");
                all.push(format!(
                    "{}, {}: the output is not ours, so there is no ratio: {one_line}",
                    bench.name, entry.peer
                ));
            }
            if entry.own_random {
                all.push(format!(
                    "{}, {}: it draws random numbers of its own; with eager's it prints what the others do",
                    bench.name, entry.peer
                ));
            }
        }
    }
    all
}

fn machine(results: &Results) -> String {
    let m = &results.machine;
    let mut text = format!(
        "{}, {} cores, {} GiB, {}, Linux {}, load {:.1} at the start, rounds: {}",
        m.cpu, m.cores, m.memory_gib, m.os, m.kernel, m.load, results.rounds
    );
    if let Some((median, worst)) = results.noise() {
        let _ = write!(
            text,
            "; the same work took {:.0}% longer than at best in the median, {:.0}% in one of twenty cases",
            median * 100.0,
            worst * 100.0
        );
    }
    text
}

/// Figure 7 as a table: its head, and a row for each script.
fn ablation_table(presets: &[&str], rows: &[Row]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut head = vec!["times IMP".to_owned(), "IMP, steps/s".to_owned()];
    head.extend(presets.iter().map(|p| (*p).to_owned()));
    let cells = |row: &Row| {
        let mut cells = vec![row.name.clone(), spread(row.steps)];
        cells.extend(row.over.iter().map(|cell| match cell {
            Cell::Ratio(s) => ratio(Some(*s)),
            Cell::None(why) => (*why).to_owned(),
        }));
        cells
    };
    (head, rows.iter().map(cells).collect())
}

/// A table as this terminal shows it: text first, then numbers.
fn terminal_table(
    head: Vec<String>,
    rows: impl Iterator<Item = Vec<String>>,
) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    table.set_style(comfy_table::TableComponent::HeaderLines, '─');
    table.set_style(comfy_table::TableComponent::MiddleHeaderIntersections, '─');
    table.set_header(head);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    table
}

/// Tables for a terminal.
#[must_use]
pub fn text(results: &Results) -> String {
    let mut out = format!("{}\n", machine(results));
    for bench in &results.benches {
        let shown = columns(bench);
        let mut head = vec![bench.name.clone()];
        head.extend(heads(&shown).iter().map(|(name, _)| (*name).to_owned()));
        let rows = bench.entries.iter().map(|entry| {
            let mut row = vec![results.title(&entry.peer).to_owned()];
            row.extend(shown_cells(bench, entry, &shown));
            row
        });
        // Writing to a String cannot fail.
        let _ = writeln!(out, "\n{}", terminal_table(head, rows));
    }
    if let Some(Ablation { presets, rows }) = ablation(results) {
        let (head, body) = ablation_table(&presets, &rows);
        let _ = writeln!(out, "\n{}", terminal_table(head, body.into_iter()));
    }
    for remark in remarks(results) {
        let _ = writeln!(out, "{remark}");
    }
    out
}

/// The same as Markdown.
#[must_use]
pub fn markdown(results: &Results) -> String {
    let escape = |s: &str| s.replace('|', "\\|");
    let mut out = format!("{}\n", machine(results));
    for bench in &results.benches {
        let shown = columns(bench);
        let _ = write!(out, "\n| {} |", escape(&bench.name));
        for (name, _) in heads(&shown) {
            let _ = write!(out, " {name} |");
        }
        let _ = writeln!(out, "\n|---|{}", "--:|".repeat(shown.len()));
        for entry in &bench.entries {
            let _ = writeln!(
                out,
                "| {} | {} |",
                escape(results.title(&entry.peer)),
                shown_cells(bench, entry, &shown).join(" | ")
            );
        }
    }
    if let Some(Ablation { presets, rows }) = ablation(results) {
        let (head, body) = ablation_table(&presets, &rows);
        let _ = writeln!(
            out,
            "\n| {} |\n|---|{}",
            head.join(" | "),
            "--:|".repeat(head.len() - 1)
        );
        for row in body {
            let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
    out.push('\n');
    for (name, about) in COLUMNS {
        let _ = writeln!(out, "- **{name}**: {about}");
    }
    for remark in remarks(results) {
        let _ = writeln!(out, "- {}", escape(&remark));
    }
    out
}
