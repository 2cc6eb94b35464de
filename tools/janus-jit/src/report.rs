//! `--report`: the story of a run as one page.
//!
//! In: what the tiers recorded. Out: HTML with a timeline of tiers, the script with heat and reasons by line,
//! the graphs drawn. Always: the page stands alone; it says so where something was not recorded.

use std::time::Duration;

use janus_page::plot;
use janus_tiering::{Event, Explanation, FileLines, Lane, Report, Trace, What};
use maud::{Markup, PreEscaped, html};

/// Columns of the timeline.
const BINS: usize = 240;
const TIERS: [&str; 5] = [
    "tier 0",
    "tier 1",
    "tier 2",
    "compiling on the script's thread",
    "start-up",
];

/// All that a page is made of.
pub struct Story<'a> {
    /// The script, as it was named.
    pub script: &'a str,
    /// As for `--stats`.
    pub stats: &'a Report,
    /// As for `explain`.
    pub explanation: &'a Explanation,
    /// As for `--trace`.
    pub trace: &'a Trace,
    /// Names and drawn graphs.
    pub pictures: &'a [(String, String)],
}

impl Story<'_> {
    /// The page.
    pub fn page(&self) -> String {
        let (events, dropped) = self.trace.events();
        let wall = Duration::from_secs_f64(self.stats.wall_s);
        let time = |tier: &str| self.stats.tiers.get(tier).map_or(0.0, |t| t.time_s);
        let seconds = |s: f64| {
            if s < 1.0 {
                format!("{:.1} ms", s * 1e3)
            } else {
                format!("{s:.2} s")
            }
        };
        let body = html! {
            h1 { (self.script) }
            dl class="facts" {
                dt { "wall time" } dd { (seconds(self.stats.wall_s)) }
                dt { "tiers 0, 1, 2" } dd { (seconds(time("0"))) ", " (seconds(time("1"))) ", " (seconds(time("2"))) }
                dt { "compiling" } dd { (seconds(self.stats.compile.optimising_s + self.stats.compile.baseline_s)) " for " (self.stats.compile.count) " versions, on whatever thread" }
            }
            h2 { "Timeline" }
            (plot::legend(&TIERS.map(str::to_owned)))
            figure {
                (timeline(&events, wall, dropped))
                figcaption { "Above: the script's thread, the share of each tier over time. Below: the compile thread. Marks: departures from compiled code." }
            }
            @if dropped > 0 { p class="dim" { (dropped) " short spans were not kept; grey: not recorded one by one." } }
            h2 { "Regions" }
            (regions(self.explanation))
            (code(self.explanation))
            h2 { "The script" }
            @for file in &self.explanation.files { (source(file)) }
            @if self.explanation.files.is_empty() { p class="dim" { "Nothing ran often enough to be compiled." } }
            @if !self.pictures.is_empty() {
                h2 { "Graphs" }
                @for (name, svg) in self.pictures {
                    details { summary { code { (name) } } div class="scroll graph" { (PreEscaped(inline(svg))) } }
                }
            }
        };
        janus_page::page(&format!("{} in janus-jit", self.script), &body)
    }
}

/// An SVG file as a part of a page.
fn inline(svg: &str) -> &str {
    svg.find("<svg").and_then(|at| svg.get(at..)).unwrap_or("")
}

/// Time of each kind in each bin, as shares of it.
fn bins(
    events: &[Event],
    wall: Duration,
    lane: Lane,
    kind: impl Fn(&Event) -> Option<usize>,
) -> Vec<[f64; TIERS.len()]> {
    let mut bins = vec![[0.0; TIERS.len()]; BINS];
    let width = wall.as_secs_f64().max(1e-9) / BINS as f64;
    for event in events.iter().filter(|e| e.lane == lane) {
        let (Some(kind), Some(lasted)) = (kind(event), event.lasted) else {
            continue;
        };
        let (from, to) = (event.at.as_secs_f64(), (event.at + lasted).as_secs_f64());
        let first = (from / width) as usize;
        for (i, bin) in bins.iter_mut().enumerate().skip(first) {
            let (start, end) = (i as f64 * width, (i + 1) as f64 * width);
            if start >= to {
                break;
            }
            bin[kind] += ((to.min(end) - from.max(start)) / width).clamp(0.0, 1.0);
        }
    }
    bins
}

fn timeline(events: &[Event], wall: Duration, dropped: u64) -> Markup {
    const WIDTH: f64 = 980.0;
    const TALL: f64 = 90.0;
    let own = bins(events, wall, Lane::Main, |e| match e.what {
        What::Tier1 => Some(1),
        What::Tier2 => Some(2),
        // The parts of a compile lie inside of it.
        What::Compile if e.name.contains(' ') => Some(3),
        What::Process => Some(4),
        _ => None,
    });
    let other = bins(events, wall, Lane::Compile, |e| {
        (e.what == What::Compile && e.name.contains(' ')).then_some(3)
    });
    let x = |i: usize| i as f64 * WIDTH / BINS as f64;
    let at = |t: Duration| t.as_secs_f64() / wall.as_secs_f64().max(1e-9) * WIDTH;
    let unknown = (dropped > 0).then(|| {
        let kept = events
            .iter()
            .filter(|e| !matches!(e.what, What::Process | What::Interpreter));
        kept.map(|e| at(e.at + e.lasted.unwrap_or_default()))
            .fold(0.0, f64::max)
    });
    let ticks: Vec<f64> = (0..=8).map(|i| f64::from(i) / 8.0).collect();
    html! {
        svg viewBox="0 0 980 160" role="img" shape-rendering="crispEdges" {
            @for (i, bin) in own.iter().enumerate() {
                @let rest = (1.0 - bin[1..].iter().sum::<f64>()).max(0.0);
                @let stacked = [rest, bin[1], bin[2], bin[3], bin[4]];
                @for (kind, share) in stacked.iter().enumerate() {
                    @let top: f64 = stacked[..kind].iter().sum::<f64>() * TALL;
                    @if *share > 0.004 {
                        rect class={ "s" (kind) } x=(format!("{:.2}", x(i))) width=(format!("{:.2}", WIDTH / BINS as f64 + 0.3)) y=(format!("{:.1}", top)) height=(format!("{:.1}", share * TALL)) {}
                    }
                }
            }
            @for (i, bin) in other.iter().enumerate().filter(|(_, b)| b[3] > 0.0) {
                rect class="s3" x=(format!("{:.2}", x(i))) width=(format!("{:.2}", WIDTH / BINS as f64 + 0.3)) y="104" height=(format!("{:.1}", 24.0 * bin[3].min(1.0))) {}
            }
            @if let Some(from) = unknown {
                rect x=(format!("{from:.1}")) width=(format!("{:.1}", WIDTH - from)) y="0" height="90" fill="var(--line)" {}
            }
            @for event in events.iter().filter(|e| e.what == What::Deopt).take(500) {
                circle class="s1" cx=(format!("{:.1}", at(event.at))) cy="97" r="3" { title { (event.name) " " (event.note.as_deref().unwrap_or("")) } }
            }
            @for tick in ticks {
                text class="dim" x=(format!("{:.0}", (tick * WIDTH).clamp(14.0, WIDTH - 34.0))) y="150" text-anchor="middle" { (plot::short(tick * wall.as_secs_f64())) " s" }
            }
        }
    }
}

fn regions(explanation: &Explanation) -> Markup {
    html! {
        div class="scroll" { table {
            tr { th { "region" } th { "tier" } th { "entered" } th { "tier 0" } th { "tier 1" } th { "tier 2" } th { "compiled" } th { "left" } th class="text" { "why not higher" } }
            @for r in &explanation.regions {
                @let by = |t: &str| r.counts.entries_by_tier.get(t).copied().unwrap_or(0);
                tr {
                    td { code { (r.counts.function) } " " span class="dim" { (r.counts.kind) ", line " (r.counts.line) } }
                    td { (r.counts.tier) } td { (r.counts.entries) } td { (by("0")) } td { (by("1")) } td { (by("2")) }
                    td { (r.counts.compiles) } td { (r.departures.iter().map(|d| d.count).sum::<u64>()) }
                    td class="text wrap" {
                        @if let Some(refusal) = &r.refusal { "line " (refusal.line) ": " (refusal.reason) span class="dim" { " " (refusal.hint) " " } }
                        @if let Some(why) = r.waits() { (why) }
                        @if !r.inlined_into.is_empty() { span class="dim" { "inlined" } }
                    }
                }
            }
        } }
    }
}

/// What the newest version of each region consists of.
fn code(explanation: &Explanation) -> Markup {
    let compiled = explanation
        .regions
        .iter()
        .filter(|r| r.newest_code().is_some());
    html! {
        @for (i, r) in compiled.enumerate() {
            details open[i == 0] {
                summary { "What runs in " code { (r.counts.function) } span class="dim" { " " (r.counts.kind) ", line " (r.counts.line) } }
                @for (i, function) in r.newest_code().iter().flat_map(|c| &c.functions).enumerate() {
                    @if i > 0 { h3 { code { (function.name) } } }
                    @if let Some(runs) = function.runs() { p { "runs " (runs) } }
                    ul { @for fusion in function.fusions(&r.counts.file) { li { (fusion) } } }
                    @if let Some(makes) = function.makes() { p { "makes " (makes) } }
                }
            }
        }
    }
}

/// A file with a bar of heat before each line.
fn source(file: &FileLines) -> Markup {
    let most = file.lines.iter().map(|l| l.runs).max().unwrap_or(1).max(2);
    let heat = |runs: u64| ((runs.max(1) as f64).ln() / (most as f64).ln() * 60.0).round();
    html! {
        h3 { (file.file) }
        div class="scroll" { table class="source" {
            tr { th { "runs" } th { "tier" } th {} th {} th class="text" {} }
            @for l in &file.lines {
                tr {
                    td { (l.runs) } td { (l.tier) }
                    td class="text" { svg width="62" height="10" viewBox="0 0 62 10" { rect class={ "s" (l.tier) } width=(heat(l.runs)) height="10" rx="1" {} } }
                    td class="dim" { (l.line) }
                    td class="text wrap" {
                        pre style="margin:0" { (l.source) }
                        @for note in &l.notes { div class="dim" style="font-size:12px" { (note) } }
                    }
                }
            }
        } }
    }
}
