//! The HTML page.

use janus_page::plot::{self, Bar, Curve, Group};
use maud::{Markup, html};

use super::ablation::{Ablation, ablation};
use super::{COLUMNS, ablation_table, columns, figure, heads, machine, remarks, shown_cells};
use crate::peer::{ABLATION, OURS};
use crate::results::{BenchResult, Entry, Results};
use crate::spec::Kind;
use crate::stat::Spread;

fn bar(s: Spread) -> Bar {
    Bar {
        value: s.median,
        low: s.low,
        high: s.high,
    }
}

/// The page.
#[must_use]
pub fn html(results: &Results) -> String {
    let body = html! {
        h1 { "janus-jit and its peers" }
        p class="dim" { (machine(results)) "; " (date(results.started)) " UTC" }
        p {
            "Ratios are throughput of janus-jit over the peer's: right of 1 janus-jit is faster. Where \
             steps are counted it is that of the faster steps of each side (the mean of the second to fourth decile of their times), \
             with those of each decile from the first to the fifth as whiskers; where wall times are compared, the median over runs, with all of them. There is none where the outputs differ."
        }
        (ratios(results, Kind::Torch, "Training and inference"))
        (ratios(results, Kind::Scalar, "Programs of scalars"))
        (ratios(results, Kind::Startup, "Start-up"))
        (figure_7(results))
        (warm_up(results))
        h2 { "All figures" }
        @for bench in &results.benches { (table(results, bench)) }
        details { summary { "What the columns say" }
            dl class="facts" { @for (name, about) in COLUMNS { dt { (name) } dd { (about) } } }
        }
        h2 { "Versions" }
        dl class="facts" {
            @for peer in &results.peers { dt { (peer.title) } dd { (peer.version) span class="dim" { " (" (peer.about) ")" } } }
        }
        @let remarks = remarks(results);
        @if !remarks.is_empty() {
            h2 { "Not measured" }
            ul { @for remark in remarks { li { (remark) } } }
        }
    };
    janus_page::page("janus-jit and its peers", &body)
}

fn is_ablation(peer: &str) -> bool {
    ABLATION.iter().any(|p| p.id == peer)
}

fn ratios(results: &Results, kind: Kind, title: &str) -> Markup {
    let of_kind: Vec<&BenchResult> = results.benches.iter().filter(|b| b.kind == kind).collect();
    let peers: Vec<&str> = results
        .peers
        .iter()
        .map(|p| p.id.as_str())
        .filter(|p| *p != OURS && !is_ablation(p) && of_kind.iter().any(|b| b.entry(p).is_some()))
        .collect();
    if peers.is_empty() {
        return html! {};
    }
    let groups: Vec<Group> = of_kind
        .iter()
        .map(|b| Group {
            name: b.name.clone(),
            bars: peers.iter().map(|p| b.ratio(p).map(bar)).collect(),
        })
        .collect();
    let names: Vec<String> = peers.iter().map(|p| results.title(p).to_owned()).collect();
    html! { h2 { (title) } (plot::legend(&names)) figure { (plot::ratio_bars(&groups, &names)) } }
}

/// Figure 7: each preset over IMP.
fn figure_7(results: &Results) -> Markup {
    let Some(Ablation { presets, rows }) = ablation(results) else {
        return html! {};
    };
    let groups: Vec<Group> = rows
        .iter()
        .map(|row| Group {
            name: row.name.clone(),
            bars: row.over.iter().map(|c| c.ratio().map(bar)).collect(),
        })
        .collect();
    let names: Vec<String> = presets.iter().map(|p| (*p).to_owned()).collect();
    html! {
        h2 { "Where it comes from" }
        p { "Throughput over IMP, the interpreter alone, as optimisations are added (Figure 7 of the JANUS paper)." }
        (plot::legend(&names)) figure { (plot::ratio_bars(&groups, &names)) }
        div class="scroll" { table {
            @let (head, body) = ablation_table(&presets, &rows);
            tr { @for cell in head { th { (cell) } } }
            @for row in body { tr { @for cell in row { td { (cell) } } } }
        } }
    }
}

fn warm_up(results: &Results) -> Markup {
    let with_steps = |b: &&BenchResult| {
        b.entries
            .iter()
            .any(|e| e.long.iter().any(|r| r.curve.len() > 2))
    };
    let benches: Vec<&BenchResult> = results.benches.iter().filter(with_steps).collect();
    html! {
        @if !benches.is_empty() {
            h2 { "Warming up" }
            p { "Steps a second over seconds since the process was started, of the run with the median wall time." }
        }
        @for bench in benches {
            h3 { (bench.name) }
            @let shown: Vec<&Entry> = bench.entries.iter().filter(|e| !is_ablation(&e.peer) && !e.long.is_empty()).collect();
            @let names: Vec<String> = shown.iter().map(|e| results.title(&e.peer).to_owned()).collect();
            (plot::legend(&names))
            figure { (plot::curves(&shown.iter().enumerate().map(|(i, e)| curve(results, i, e)).collect::<Vec<_>>(), "seconds since start", "steps/s")) }
        }
    }
}

fn curve(results: &Results, series: usize, entry: &Entry) -> Curve {
    let mut runs: Vec<_> = entry.long.iter().collect();
    runs.sort_by(|a, b| a.wall_s.total_cmp(&b.wall_s));
    let points = runs
        .get(runs.len() / 2)
        .map(|r| r.curve.clone())
        .unwrap_or_default();
    Curve {
        name: results.title(&entry.peer).to_owned(),
        series,
        points,
    }
}

fn table(results: &Results, bench: &BenchResult) -> Markup {
    let shown = columns(bench);
    html! {
        h3 { (bench.name) }
        div class="scroll" { table {
            tr { th { "" } @for (name, about) in heads(&shown) { th title=(about) { (name) } } }
            @for entry in &bench.entries {
                @let factor = bench.ratio(&entry.peer).map_or(1.0, |s| s.median);
                tr {
                    td { (results.title(&entry.peer)) }
                    @for (i, cell) in shown.iter().zip(shown_cells(bench, entry, &shown)) {
                        td class=(if *i == 1 && factor > 1.05 { "good" } else if *i == 1 && factor < 0.95 { "bad" } else { "" }) { (cell) }
                    }
                }
            }
        } }
        @if let Some(s) = bench.entry(OURS).and_then(|e| Spread::of(e.long.iter().map(|r| r.load))) {
            p class="dim" { "load while it ran: " (figure(s.low)) " to " (figure(s.high)) }
        }
    }
}

/// A date in UTC (Hinnant's algorithm for civil dates).
fn date(seconds: u64) -> String {
    let days = i64::try_from(seconds / 86_400).unwrap_or(0) + 719_468;
    let era = days.div_euclid(146_097);
    let doe = days.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (day, month) = (
        doy - (153 * mp + 2) / 5 + 1,
        if mp < 10 { mp + 3 } else { mp - 9 },
    );
    let year = yoe + era * 400 + i64::from(month <= 2);
    let minutes = seconds / 60 % 1440;
    format!(
        "{year}-{month:02}-{day:02} {:02}:{:02}",
        minutes / 60,
        minutes % 60
    )
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01 00:00");
        assert_eq!(date(951_782_400), "2000-02-29 00:00");
        assert_eq!(date(1_795_300_000), "2026-11-21 22:26");
    }
}
