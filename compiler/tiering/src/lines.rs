//! `explain`, line by line: how often each line ran, in which tier, what it relies on.
//!
//! In: regions after a run and what was found out about them. Out: [`FileLines`]. Always: a count is that
//! of the loop or function around the line; lines of code that was never met are left out.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use janus_object::{CodeObject, PyRef, Value};
use janus_plan::RegionKind;
use serde::Serialize;

use crate::explain::{RegionExplanation, Sources, times};
use crate::region::{Region, Version};

/// The lines of a file.
#[derive(Debug, Serialize)]
pub struct FileLines {
    /// The file.
    pub file: String,
    /// Lines with code, in order.
    pub lines: Vec<LineExplanation>,
}

/// A line.
#[derive(Debug, Serialize)]
pub struct LineExplanation {
    /// From 1.
    pub line: u32,
    /// Its text.
    pub source: String,
    /// The highest tier in which it runs now.
    pub tier: u32,
    /// Times it was come to, at most: those of the loop or function around it.
    pub runs: u64,
    /// Seconds in compiled code, on the line where a region begins.
    pub compiled_s: Option<f64>,
    /// What compiled code assumes there, why it was left there, why it is not in a higher tier.
    pub notes: Vec<String>,
}

#[derive(Default)]
struct Facts {
    tier: u32,
    runs: u64,
    compiled_s: Option<f64>,
    notes: Vec<String>,
}

type Files = BTreeMap<String, BTreeMap<u32, Facts>>;

/// All code objects of the user that regions are of, have inlined, or contain.
fn codes(regions: &[Rc<Region>]) -> Vec<PyRef<CodeObject>> {
    fn add(code: &PyRef<CodeObject>, all: &mut Vec<PyRef<CodeObject>>) {
        if code.code.is_library() || all.iter().any(|c| PyRef::ptr_eq(c, code)) {
            return;
        }
        all.push(code.clone());
        for constant in &code.consts {
            if let Value::Code(inner) = constant {
                add(inner, all);
            }
        }
    }
    let mut all = Vec::new();
    for region in regions {
        add(&region.code, &mut all);
        for version in region.versions.borrow().iter() {
            for inlined in version.plan.parts() {
                add(inlined, &mut all);
            }
        }
    }
    all
}

/// The tier of an instruction.
fn tier(regions: &[Rc<Region>], code: &PyRef<CodeObject>, pc: u32) -> u32 {
    let mut tier = 0;
    for region in regions {
        let versions = region.versions.borrow();
        let inlined = || versions.iter().any(|v| v.plan.contains(code));
        let in_graph = |v: &Rc<Version>| {
            let end = v.plan.ends.as_ref().and_then(|not| not.call);
            end.is_none_or(|call| pc < call)
        };
        let covers = PyRef::ptr_eq(&region.code, code)
            && match region.kind {
                RegionKind::Function => true,
                RegionKind::Loop { head } => janus_plan::in_loop(&code.code, head, pc),
                RegionKind::Rest { call } => {
                    let head = region.kind.loop_head(&code.code);
                    pc > call && head.is_none_or(|h| janus_plan::in_loop(&code.code, h, pc))
                }
            };
        if (covers && versions.iter().any(in_graph)) || inlined() {
            return 2;
        }
        if covers && region.baseline.is_ready() {
            tier = 1;
        }
    }
    tier
}

fn count(files: &mut Files, regions: &[Rc<Region>], code: &PyRef<CodeObject>) {
    let entries = code
        .profile
        .entries
        .get()
        .max(u64::from(code.code.flags.module));
    // Where it is inlined nobody counts its calls: there was one at least each time.
    let inlined_into = |r: &&Rc<Region>| {
        let versions = r.versions.borrow();
        versions.iter().any(|v| v.plan.contains(code))
    };
    let inlined: u64 = regions
        .iter()
        .filter(inlined_into)
        .map(|r| r.tier2_entries.get())
        .sum();
    let lines = files.entry(code.code.filename.to_string()).or_default();
    for (pc, span) in code.code.spans.iter().enumerate() {
        let pc = u32::try_from(pc).unwrap_or(u32::MAX);
        if span.line == 0 {
            continue;
        }
        let around = janus_plan::innermost_loop(&code.code, pc);
        let runs = match around.and_then(|h| code.profile.site(h)) {
            Some(site) => u64::from(site.count.get()) + u64::from(site.running.get()),
            None => entries + inlined,
        };
        let facts = lines.entry(span.line).or_default();
        facts.runs = facts.runs.max(runs);
        facts.tier = facts.tier.max(tier(regions, code, pc));
    }
}

/// Gathers the lines of all files that regions are in.
pub(crate) fn lines(
    regions: &[Rc<Region>],
    explained: &[RegionExplanation],
    sources: &mut Sources,
) -> Vec<FileLines> {
    let mut files = Files::new();
    for code in codes(regions) {
        count(&mut files, regions, &code);
    }
    for region in explained {
        let mut note = |file: &str, line: u32, text: String| {
            if let Some(facts) = files.get_mut(file).and_then(|lines| lines.get_mut(&line))
                && !facts.notes.contains(&text)
            {
                facts.notes.push(text);
            }
        };
        let file = &region.counts.file;
        for version in &region.versions {
            if let Some((line, reason)) = &version.ends_before {
                note(
                    file,
                    *line,
                    format!("the graph ends before this call: {reason}"),
                );
            }
            for graph in &version.graphs {
                let text = format!("a graph of its own, {}, which calls itself", graph.name);
                note(&graph.file, graph.line, text);
            }
            for assumption in &version.assumptions {
                if let Some(line) = assumption.line {
                    note(file, line, format!("guard: {}", assumption.text));
                }
            }
        }
        for (file, line, text) in region.newest_code().iter().flat_map(|code| code.notes()) {
            note(&file, line, text);
        }
        for d in region.departures.iter().filter(|d| d.count > 0) {
            note(
                file,
                d.line,
                format!(
                    "left {}, {}: expected {}; found {}",
                    times(d.count),
                    d.reason,
                    d.expected,
                    d.actual
                ),
            );
        }
        if let Some(why) = region.waits() {
            note(file, region.counts.line, format!("not compiled: {why}"));
        }
        let refusals = [
            ("not in tier 2", &region.refusal),
            ("no version for the rest", &region.no_further),
        ];
        for (what, refusal) in refusals {
            if let Some(n) = refusal {
                note(&n.file, n.line, format!("{what}, {}: {}", n.id, n.reason));
            }
        }
    }
    for region in regions {
        let time = region.compiled_time.get().as_secs_f64();
        let facts = files
            .get_mut(&*region.code.code.filename)
            .and_then(|lines| lines.get_mut(&region.line()));
        if let Some(facts) = facts.filter(|_| time > 0.0) {
            *facts.compiled_s.get_or_insert(0.0) += time;
        }
    }
    let file_lines = |(file, lines): (String, BTreeMap<u32, Facts>)| {
        let lines = lines
            .into_iter()
            .filter_map(|(line, f)| {
                let source = sources.untrimmed(&file, line)?;
                Some(LineExplanation {
                    line,
                    source,
                    tier: f.tier,
                    runs: f.runs,
                    compiled_s: f.compiled_s,
                    notes: f.notes,
                })
            })
            .collect();
        FileLines { file, lines }
    };
    files
        .into_iter()
        .map(file_lines)
        .filter(|f| !f.lines.is_empty())
        .collect()
}

impl FileLines {
    // Writing to a String cannot fail.
    pub(crate) fn write(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "\n{}, line by line\n  {:>9} {:>4} {:>10}",
            self.file, "runs", "tier", "compiled"
        );
        for l in &self.lines {
            let time = l
                .compiled_s
                .map_or_else(String::new, |s| format!("{:.1} ms", s * 1e3));
            let _ = writeln!(
                out,
                "  {:>9} {:>4} {time:>10} {:>5} | {}",
                l.runs, l.tier, l.line, l.source
            );
            for note in &l.notes {
                let _ = writeln!(out, "{:>34} | # {note}", "");
            }
        }
    }
}
