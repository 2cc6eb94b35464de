//! `janus-jit explain`: what became of each region, and why, for people and as JSON.
//!
//! In: regions after a run. Out: [`Explanation`]. Always: says only what was recorded; a region that
//! was never hot is left out; each line of a reason is one of the user's.

use std::collections::HashMap;
use std::fmt::Write as _;

use janus_object::Value;
use janus_plan::{Check, NotConverted, Plan};
use serde::Serialize;

use crate::contents::{self, CodeExplanation};
use crate::lines::{self, FileLines};
use crate::region::{Region, State, Version};
use crate::{RegionReport, Tiering, report_region};

/// Tensors that are named one by one among the assumptions of a version.
const MAX_TENSORS: usize = 8;

/// What became of each region.
#[derive(Debug, Serialize)]
pub struct Explanation {
    /// 1
    pub version: u32,
    /// In the order in which they were found.
    pub regions: Vec<RegionExplanation>,
    /// The user's files, line by line.
    pub files: Vec<FileLines>,
}

/// What became of a region.
#[derive(Debug, Serialize)]
pub struct RegionExplanation {
    /// As in the stats file; the departures are below, in more words.
    #[serde(flatten)]
    pub counts: RegionReport,
    /// Whether it has tensors, so that tier 2 is meant for it.
    pub tensors: bool,
    /// The line of the region itself.
    pub source: Option<String>,
    /// Compiled versions, the oldest first.
    pub versions: Vec<VersionExplanation>,
    /// Departures from compiled code.
    pub departures: Vec<DepartureExplanation>,
    /// Regions that it is a part of, as `file:line`.
    pub inlined_into: Vec<String>,
    /// Why it is not in tier 2.
    pub refusal: Option<Refusal>,
    /// Why there is no version for the entries that no version fits, where one was tried.
    pub no_further: Option<Refusal>,
}

/// A compiled version.
#[derive(Debug, Serialize)]
pub struct VersionExplanation {
    /// Its number, from 1.
    pub number: u32,
    /// Executions in tier 0 that it rests on.
    pub profiled: u64,
    /// Times it ran to its end.
    pub entries: u64,
    /// What it relies on.
    pub assumptions: Vec<Assumption>,
    /// The call before which its graph ends, since no graph can contain it: line and reason.
    pub ends_before: Option<(u32, String)>,
    /// Functions that are graphs of their own in it, since they call themselves.
    pub graphs: Vec<GraphExplanation>,
    /// What its code consists of: what was fused, what is allocated.
    pub code: Option<CodeExplanation>,
}

/// A function that is a graph of its own.
#[derive(Debug, Serialize)]
pub struct GraphExplanation {
    /// The graph's name, as in `code` and in what `--emit` shows.
    pub name: String,
    /// The function's qualified name.
    pub function: String,
    /// The file it is in.
    pub file: String,
    /// Its first line.
    pub line: u32,
}

/// Something that a version relies on.
#[derive(Debug, Serialize)]
pub struct Assumption {
    /// The user's line that needs it, if one does.
    pub line: Option<u32>,
    /// In words, with what the profile showed.
    pub text: String,
}

/// Departures from compiled code for one reason.
#[derive(Debug, Serialize)]
pub struct DepartureExplanation {
    /// Stable name of the reason.
    pub reason: &'static str,
    /// In words.
    pub text: &'static str,
    /// The user's line.
    pub line: u32,
    /// That line.
    pub source: Option<String>,
    /// Times.
    pub count: u64,
    /// The entry at which it last happened; 0 is never.
    pub last: u64,
    /// Times that another version went on in tier 2 instead, which are not counted above.
    pub rerouted: u64,
    /// What was assumed, and of what.
    pub expected: String,
    /// What was found the last time.
    pub actual: String,
    /// What to do about it.
    pub hint: &'static str,
}

/// Why a region is not in tier 2.
#[derive(Debug, Serialize)]
pub struct Refusal {
    /// Stable name of the reason.
    pub id: &'static str,
    /// The construct, in words.
    pub reason: String,
    /// The file it is in.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// That line.
    pub source: Option<String>,
    /// What to do about it.
    pub hint: &'static str,
}

/// Lines of source files, read once.
#[derive(Default)]
pub(crate) struct Sources(HashMap<String, Vec<String>>);

impl Sources {
    fn line(&mut self, file: &str, line: u32) -> Option<String> {
        Some(self.untrimmed(file, line)?.trim().to_owned())
    }

    /// A line with its indentation; `None` where there is nothing on it.
    pub(crate) fn untrimmed(&mut self, file: &str, line: u32) -> Option<String> {
        let lines = self.0.entry(file.to_owned()).or_insert_with(|| {
            let text = if file.starts_with('<') {
                None
            } else {
                std::fs::read(file).ok()
            };
            let text = text.map(|t| String::from_utf8_lossy(&t).into_owned());
            text.unwrap_or_default()
                .lines()
                .map(str::to_owned)
                .collect()
        });
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        Some(lines.get(at)?.trim_end().to_owned()).filter(|l| !l.is_empty())
    }
}

impl Tiering {
    /// What happened, region by region.
    pub fn explain(&self) -> Explanation {
        let mut sources = Sources::default();
        let all = self.regions.borrow();
        let regions: Vec<RegionExplanation> = all
            .iter()
            .filter(|r| self.notable(r))
            .map(|r| {
                let around = all.iter().filter(|a| a.id != r.id && contains(a, r));
                let inlined_into = around
                    .map(|a| format!("{}:{}", a.code.code.filename, a.line()))
                    .collect();
                explain(r, inlined_into, &mut sources)
            })
            .collect();
        let files = if regions.is_empty() {
            Vec::new()
        } else {
            lines::lines(&all, &regions, &mut sources)
        };
        Explanation {
            version: 1,
            regions,
            files,
        }
    }
}

/// Whether `inner` runs in a version of `around`.
fn contains(around: &Region, inner: &Region) -> bool {
    around
        .versions
        .borrow()
        .iter()
        .any(|v| v.plan.contains(&inner.code))
}

fn explain(r: &Region, inlined_into: Vec<String>, sources: &mut Sources) -> RegionExplanation {
    let file = r.code.code.filename.to_string();
    let counts = report_region(r);
    let mut versions: Vec<VersionExplanation> = r
        .versions
        .borrow()
        .iter()
        .map(|v| {
            let code = code(v);
            VersionExplanation {
                number: v.number,
                profiled: v.profiled,
                entries: v.hits.get(),
                assumptions: assumptions(&v.plan),
                ends_before: v
                    .plan
                    .ends
                    .as_ref()
                    .map(|n| (n.line, n.detail().to_owned())),
                graphs: graphs(&v.plan, code.as_ref()),
                code,
            }
        })
        .collect();
    versions.sort_by_key(|v| v.number);
    let departures = r
        .departures
        .borrow()
        .iter()
        .map(|((reason, line), d)| DepartureExplanation {
            reason: reason.id(),
            text: reason.text(),
            line: *line,
            source: sources.line(&file, *line),
            count: d.count,
            last: d.last,
            rerouted: d.rerouted,
            expected: d.expected.clone(),
            actual: d.actual.clone(),
            hint: reason.hint(),
        })
        .collect();
    let mut refused = |not: &NotConverted| Refusal {
        id: not.reason().entry().id,
        reason: not.detail().to_owned(),
        file: not.file.to_string(),
        line: not.line,
        source: sources.line(&not.file, not.line),
        hint: not.reason().entry().hint,
    };
    let refusal = match (&*r.state.borrow(), counts.tier) {
        (State::Lower(not), 0 | 1) => Some(refused(not)),
        _ => None,
    };
    let no_further = r.refused.borrow().as_ref().map(refused);
    RegionExplanation {
        tensors: r.tensors.get(),
        source: sources.line(&file, counts.line),
        counts,
        versions,
        departures,
        inlined_into,
        refusal,
        no_further,
    }
}

/// The functions that stayed graphs of their own: one that calls itself in no case that is left is
/// inlined.
fn graphs(plan: &Plan, code: Option<&CodeExplanation>) -> Vec<GraphExplanation> {
    let stayed = |name: &str| code.is_none_or(|code| code.has_graph(name));
    let graphs = plan.graphs.iter().filter(|g| stayed(&g.name));
    let graphs = graphs.map(|graph| GraphExplanation {
        name: graph.name.clone(),
        function: graph.code.code.qualname.to_string(),
        file: graph.code.code.filename.to_string(),
        line: graph.code.code.first_line,
    });
    graphs.collect()
}

/// What a version's code consists of, as it says itself.
fn code(version: &Version) -> Option<CodeExplanation> {
    match version.compiled.contents(&version.origins) {
        Ok(found) => Some(contents::explain(&found)),
        Err(e) => {
            tracing::info!("contents of compiled code: {e}");
            None
        }
    }
}

/// What a plan relies on: constants and lengths, the types of tensors, what is asserted inside.
fn assumptions(plan: &Plan) -> Vec<Assumption> {
    let mut all: Vec<Assumption> = plan
        .assumptions
        .iter()
        .map(|text| Assumption {
            line: line_of(plan, text),
            text: text.clone(),
        })
        .collect();
    let tensors = plan
        .nodes
        .iter()
        .filter(|n| matches!(n.check, Check::Tensor(_)));
    let count = tensors.clone().count();
    for node in tensors.take(MAX_TENSORS) {
        all.push(Assumption {
            line: Some(node.line).filter(|&l| l > 0),
            text: format!(
                "{} is {}",
                node.path,
                janus_plan::check_in_words(&node.check)
            ),
        });
    }
    if count > MAX_TENSORS {
        all.push(Assumption {
            line: None,
            text: format!(
                "{} more tensors have the dtype and shape they had",
                count - MAX_TENSORS
            ),
        });
    }
    for a in plan.asserts.iter().filter(|a| !a.expected.is_empty()) {
        let known = all
            .iter()
            .any(|known| known.line == Some(a.line) && known.text == a.expected);
        if !known {
            all.push(Assumption {
                line: Some(a.line),
                text: a.expected.clone(),
            });
        }
    }
    all
}

/// The line that needs the node that an assumption begins with.
fn line_of(plan: &Plan, text: &str) -> Option<u32> {
    plan.nodes
        .iter()
        .filter(|n| {
            text.strip_prefix(&*n.path)
                .is_some_and(|rest| rest.starts_with(' '))
                && !matches!(n.check, Check::Same(Value::Module(_)))
        })
        .map(|n| n.line)
        .find(|&line| line > 0)
}

impl Explanation {
    /// The report for people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if self.regions.is_empty() {
            out.push_str("nothing ran often enough to be compiled\n");
        }
        for region in &self.regions {
            region.write(&mut out);
        }
        for file in &self.files {
            file.write(&mut out);
        }
        out
    }
}

/// A line of `file` in a report on `own`.
fn place(file: &str, line: u32, own: &str) -> String {
    if file == own {
        line.to_string()
    } else {
        format!("{file}:{line}")
    }
}

pub(crate) fn times(n: u64) -> String {
    if n == 1 {
        "once".to_owned()
    } else {
        format!("{n} times")
    }
}

impl RegionExplanation {
    /// What the code of the newest version consists of.
    pub fn newest_code(&self) -> Option<&CodeExplanation> {
        self.versions.last()?.code.as_ref()
    }

    /// Why nothing was tried, where nothing was.
    pub fn waits(&self) -> Option<&str> {
        let tried = self.refusal.is_some()
            || self.counts.tier > 0
            || !self.versions.is_empty()
            || !self.inlined_into.is_empty();
        let why = self.counts.not_compiled.as_ref();
        (!tried).then(|| why.map_or(crate::region::NOT_LONG_HOT, |n| &n.reason))
    }

    // Writing to a String cannot fail.
    fn write(&self, out: &mut String) {
        let c = &self.counts;
        let share = |t: &str| c.entries_by_tier.get(t).copied().unwrap_or(0);
        let _ = writeln!(out, "{}:{}: {} {}", c.file, c.line, c.kind, c.function);
        if let Some(source) = &self.source {
            let _ = writeln!(out, "  {:>5} | {source}", c.line);
        }
        let _ = writeln!(
            out,
            "  tier {}: entered {} (tier 0: {}, tier 1: {}, tier 2: {}), compiled {}",
            c.tier,
            times(c.entries),
            share("0"),
            share("1"),
            share("2"),
            times(u64::from(c.compiles))
        );
        for version in &self.versions {
            version.write(out, &c.file);
        }
        for d in &self.departures {
            let (what, n) = match d.count {
                0 => ("took another version", d.rerouted),
                n => ("left", n),
            };
            let _ = writeln!(out, "  {what} {} at line {}: {}", times(n), d.line, d.text);
            if let Some(source) = &d.source {
                let _ = writeln!(out, "    {:>5} | {source}", d.line);
            }
            if !d.expected.is_empty() || !d.actual.is_empty() {
                let _ = writeln!(out, "    expected {}; found {}", d.expected, d.actual);
            }
            if d.count > 0 {
                let _ = write!(
                    out,
                    "    the last time at entry {} of {}",
                    d.last, c.entries
                );
                let _ = match d.rerouted {
                    0 => writeln!(out),
                    n => writeln!(out, "; took another version {}", times(n)),
                };
            }
            let _ = writeln!(out, "    hint: {}", d.hint);
        }
        if let Some(n) = &self.no_further {
            n.write(out, "no version for the rest", &c.file);
        }
        if let Some(n) = &self.refusal {
            n.write(out, "not in tier 2", &c.file);
        } else if let Some(why) = self.waits() {
            let _ = writeln!(out, "  not compiled: {why}");
        }
        if !self.inlined_into.is_empty() {
            let _ = writeln!(out, "  inlined into {}", self.inlined_into.join(", "));
        }
    }
}

impl Refusal {
    /// What there is not, and why; `file` is the report's.
    fn write(&self, out: &mut String, what: &str, file: &str) {
        let _ = writeln!(out, "  {what}: {}", self.reason);
        let at = place(&self.file, self.line, file);
        let _ = match &self.source {
            Some(source) => writeln!(out, "    {at:>5} | {source}"),
            None => writeln!(out, "    line {at}"),
        };
        let _ = writeln!(out, "    hint: {} [{}]", self.hint, self.id);
    }
}

impl VersionExplanation {
    /// `file` is the report's.
    fn write(&self, out: &mut String, file: &str) {
        let _ = writeln!(
            out,
            "  version {}, made after {} executions in tier 0, entered {}; it assumes",
            self.number,
            self.profiled,
            times(self.entries)
        );
        for a in &self.assumptions {
            let _ = match a.line {
                Some(line) => writeln!(out, "    line {line}: {}", a.text),
                None => writeln!(out, "    {}", a.text),
            };
        }
        if self.assumptions.is_empty() {
            out.push_str("    the types of what it reads\n");
        }
        if let Some((line, reason)) = &self.ends_before {
            let _ = writeln!(out, "    it ends before line {line}: {reason}");
        }
        for graph in &self.graphs {
            let at = place(&graph.file, graph.line, file);
            let _ = writeln!(
                out,
                "    {} at line {at} calls itself: it is a graph of its own, {}",
                graph.function, graph.name
            );
        }
        if let Some(code) = &self.code {
            code.write(out, file);
        }
    }
}
