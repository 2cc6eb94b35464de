//! The table of scripts: as text, as Markdown, and as a page.
//!
//! In: rows. Out: text. Always: what was not measured is a dash.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, html};

use super::compare::Likeness;
use super::{Row, Verdict, kind};

fn word(row: &Row) -> String {
    match &row.verdict {
        Verdict::Out(why) => format!("- {why}"),
        Verdict::Same(alike) => {
            let alike = match alike {
                Likeness::Text => "same text".to_owned(),
                Likeness::Numbers(by) => format!("same to {by:.0e}"),
                Likeness::Differs(..) => "differs".to_owned(),
            };
            match row.limited {
                true => format!("{alike} so far"),
                false => alike,
            }
        }
        Verdict::AsItself(line) => format!("from line {line} on as PyTorch differs from itself"),
        Verdict::Differs(how) => format!("DIFFERS {how}"),
        Verdict::Fails(why) => format!("FAILS {why}"),
    }
}

/// How many times as fast as PyTorch: wall, processors.
fn ratio(of: Option<((f64, f64), (f64, f64))>) -> (Option<f64>, Option<f64>) {
    let over = |a: f64, b: f64| (a > 0.0 && b > 0.0).then(|| a / b);
    of.map_or((None, None), |(a, b)| (over(a.0, b.0), over(a.1, b.1)))
}

fn number(x: Option<f64>) -> String {
    x.map_or("-".to_owned(), |x| match x {
        10.0.. => format!("{x:.0}"),
        _ => format!("{x:.2}"),
    })
}

/// Parts of the main thread's time without start-up, in the order of the report, as shares.
fn shares(row: &Row) -> Vec<(String, f64)> {
    let Some(stats) = &row.stats else {
        return Vec::new();
    };
    let seconds = |v: &serde_json::Value| v.as_f64().unwrap_or(0.0);
    let parts: Vec<(String, f64)> = match stats.get("main").and_then(|m| m.as_object()) {
        Some(main) => main
            .iter()
            .filter_map(|(name, s)| Some((name.strip_suffix("_s")?.to_owned(), seconds(s))))
            .collect(),
        None => Vec::new(),
    };
    let all: f64 = parts.iter().map(|p| p.1).sum();
    parts
        .into_iter()
        .map(|(name, s)| (name, s / all.max(1e-9)))
        .collect()
}

fn share(row: &Row, name: &str) -> Option<f64> {
    shares(row).into_iter().find(|s| s.0 == name).map(|s| s.1)
}

/// A script in one line.
pub fn line(row: &Row) -> String {
    let (wall, cpu) = ratio(row.both);
    let (_, whole) = ratio(row.whole);
    let mut line = format!("{}: {}", row.name, word(row));
    if row.both.is_some() {
        let took = row.both.map_or(0.0, |(a, _)| a.1);
        let _ = write!(
            line,
            "; {took:.1} s, {}x cpu, {}x wall, {}x with start-up",
            number(cpu),
            number(wall),
            number(whole)
        );
    }
    let parts: Vec<String> = shares(row)
        .iter()
        .filter(|s| s.1 >= 0.01)
        .map(|(name, s)| format!("{name} {:.0}%", 100.0 * s))
        .collect();
    if !parts.is_empty() {
        let _ = write!(line, "; {}", parts.join(", "));
    }
    line
}

fn median(mut of: Vec<f64>) -> Option<f64> {
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied()
}

/// Failures and differences by kind, the most frequent first.
fn kinds(rows: &[Row]) -> Vec<(String, Vec<&str>)> {
    let mut kinds: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for row in rows {
        let kind = match &row.verdict {
            Verdict::Fails(why) => kind(why),
            Verdict::Differs(_) => "another text or other numbers".to_owned(),
            Verdict::Out(_) | Verdict::Same(_) | Verdict::AsItself(_) => continue,
        };
        kinds.entry(kind).or_default().push(&row.name);
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    kinds
}

/// What keeps hot code out of tier 2, or makes it leave: entries that were interpreted for it, and scripts in which.
fn reasons(rows: &[Row]) -> Vec<(String, f64, usize)> {
    let mut all: BTreeMap<String, (f64, usize)> = BTreeMap::new();
    for row in rows {
        let own = share(row, "tier0").unwrap_or(0.0) + share(row, "kernels").unwrap_or(0.0);
        let regions = row
            .stats
            .as_ref()
            .and_then(|s| s.get("regions")?.as_array());
        let mut here: BTreeMap<String, f64> = BTreeMap::new();
        for region in regions.into_iter().flatten() {
            let entries = |tier: &str| region["entries_by_tier"][tier].as_f64().unwrap_or(0.0);
            if let Some(why) = region["not_compiled"]["reason"].as_str() {
                *here.entry(why.to_owned()).or_default() += entries("0");
            }
            for left in region["deopts"].as_array().into_iter().flatten() {
                let why = left["reason"].as_str().unwrap_or("");
                *here.entry(format!("left: {why}")).or_default() +=
                    left["count"].as_f64().unwrap_or(0.0);
            }
        }
        let sum: f64 = here.values().sum();
        for (why, n) in here {
            let entry = all.entry(why).or_default();
            entry.0 += own * n / sum.max(1.0);
            entry.1 += 1;
        }
    }
    let mut all: Vec<_> = all
        .into_iter()
        .map(|(why, (cost, n))| (why, cost, n))
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

/// Counts and kinds.
pub fn summary(rows: &[Row]) -> String {
    let ran: Vec<&Row> = rows
        .iter()
        .filter(|r| !matches!(r.verdict, Verdict::Out(_)))
        .collect();
    let same = ran
        .iter()
        .filter(|r| matches!(r.verdict, Verdict::Same(_) | Verdict::AsItself(_)))
        .count();
    let mut text = String::new();
    let kinds = kinds(rows);
    if !kinds.is_empty() {
        text.push_str("What failed or differs, by kind:\n");
    }
    for (kind, names) in kinds {
        let few: Vec<&str> = names.iter().take(3).copied().collect();
        let _ = writeln!(text, "{:6}  {kind}  ({})", names.len(), few.join(", "));
    }
    text.push_str(
        "\nWhat kept hot code in tier 0 or made it leave, by shares of the scripts' time:\n",
    );
    for (why, cost, n) in reasons(rows).into_iter().take(25) {
        let _ = writeln!(text, "{cost:6.2}  {why}  ({n} scripts)");
    }
    let _ = writeln!(
        text,
        "\n{} scripts, {} that PyTorch runs, {same} the same here ({:.1}%)",
        rows.len(),
        ran.len(),
        100.0 * same as f64 / ran.len().max(1) as f64
    );
    let long: Vec<&&Row> = ran
        .iter()
        .filter(|r| r.both.is_some_and(|(a, _)| a.1 >= 1.0))
        .collect();
    let cpu: Vec<f64> = long.iter().filter_map(|r| ratio(r.both).1).collect();
    let slower = cpu.iter().filter(|c| **c < 1.0).count();
    let _ = writeln!(
        text,
        "of {} that PyTorch computes for a second or more: median {}x as fast in seconds of processors, {slower} are slower",
        cpu.len(),
        number(median(cpu.clone()))
    );
    let tier2: Vec<f64> = long.iter().filter_map(|r| share(r, "tier2")).collect();
    let little = tier2.iter().filter(|s| **s < 0.05).count();
    let _ = writeln!(
        text,
        "share of tier 2 in their main thread's time: median {}%, less than 5% in {little}",
        number(median(tier2).map(|s| 100.0 * s))
    );
    text
}

const HEADS: [&str; 10] = [
    "script",
    "here",
    "PyTorch s",
    "cpu",
    "wall",
    "with start-up",
    "tier 2",
    "tier 0",
    "kernels",
    "other",
];

fn cells(row: &Row) -> Vec<String> {
    let (wall, cpu) = ratio(row.both);
    let (_, whole) = ratio(row.whole);
    let percent = |s: Option<f64>| s.map_or("-".to_owned(), |s| format!("{:.0}%", 100.0 * s));
    let [two, zero, kernels] = ["tier2", "tier0", "kernels"].map(|name| share(row, name));
    let other = two.map(|t| 1.0 - t - zero.unwrap_or(0.0) - kernels.unwrap_or(0.0));
    vec![
        row.name.clone(),
        word(row),
        row.both
            .map_or("-".to_owned(), |(a, _)| format!("{:.1}", a.1)),
        number(cpu),
        number(wall),
        number(whole),
        percent(two),
        percent(zero),
        percent(kernels),
        percent(other),
    ]
}

/// The rows that PyTorch runs, as a table of Markdown.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "| {} |\n|{}\n",
        HEADS.join(" | "),
        "---|".repeat(HEADS.len())
    );
    for row in rows
        .iter()
        .filter(|r| !matches!(r.verdict, Verdict::Out(_)))
    {
        let cells: Vec<String> = cells(row).iter().map(|c| c.replace('|', "\\|")).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

fn table(rows: &[&Row]) -> Markup {
    html! {
        div class="scroll" { table {
            tr { @for (i, head) in HEADS.iter().enumerate() { th class=[(i < 2).then_some("text")] { (head) } } }
            @for row in rows {
                tr {
                    @for (i, cell) in cells(row).iter().enumerate() {
                        td class=[(i < 2).then_some("text")] title=(line(row)) { (cell) }
                    }
                }
            }
        } }
    }
}

/// The page.
pub fn page(rows: &[Row]) -> String {
    let pick = |f: &dyn Fn(&Verdict) -> bool| -> Vec<&Row> {
        rows.iter().filter(|r| f(&r.verdict)).collect()
    };
    let groups = [
        (
            "Fail or differ",
            pick(&|v| matches!(v, Verdict::Fails(_) | Verdict::Differs(_))),
        ),
        (
            "The same",
            pick(&|v| matches!(v, Verdict::Same(_) | Verdict::AsItself(_))),
        ),
        ("Not counted", pick(&|v| matches!(v, Verdict::Out(_)))),
    ];
    let body = html! {
        h1 { "Scripts, here and on PyTorch" }
        p { "cpu, wall: how many times as fast as PyTorch with one thread, start-up left out, over what both sides did." }
        pre { (summary(rows)) }
        @for (title, rows) in &groups { h2 { (title) } (table(rows)) }
    };
    janus_page::page("Scripts, here and on PyTorch", &body)
}
