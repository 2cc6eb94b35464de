//! `explain`: what was fused and what was allocated, as the compiled code itself says.
//!
//! In: the contents of a version's code. Out: [`CodeExplanation`], its text, notes by line. Always: equal
//! things are told once with their number; what has no line of the user's stands in no note.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use indexmap::IndexMap;
use janus_codegen::{Buffer, Contents, OpUse, Step, StepKind};
use serde::Serialize;

/// Loops of several operations that the report for people names one by one, for each function.
const MAX_FUSED: usize = 12;
/// Of those, how many are told on one line of the source.
const MAX_NOTES: usize = 4;

/// What a version's code consists of.
#[derive(Debug, Serialize)]
pub struct CodeExplanation {
    /// The region first, then its backward pass and the graphs of their own that it calls.
    pub functions: Vec<FunctionExplanation>,
}

/// What a function of the code consists of.
#[derive(Debug, Serialize)]
pub struct FunctionExplanation {
    /// The graph's name.
    pub name: String,
    /// What it runs, in order of the first of each.
    pub steps: Vec<StepExplanation>,
    /// What it makes, in order of the first of each.
    pub buffers: Vec<BufferExplanation>,
    /// Bytes of the one block that planned buffers are parts of.
    pub block_bytes: u64,
}

/// What a function runs.
#[derive(Debug, Serialize)]
pub struct StepExplanation {
    /// `loop` (a loop nest, one pass over memory), `routine`, `copy` or `graph`.
    pub kind: &'static str,
    /// Its name in traces, if it has one.
    pub name: Option<String>,
    /// Whether it runs in a loop of the function.
    pub repeated: bool,
    /// How many of the same there are.
    pub count: usize,
    /// Operations that it computes: several were fused.
    pub ops: Vec<OpExplanation>,
}

/// What a function makes.
#[derive(Debug, Serialize)]
pub struct BufferExplanation {
    /// It is a result of the function.
    pub result: bool,
    /// The size of one; none where it is known when the code runs.
    pub bytes: Option<u64>,
    /// It is a part of the one block.
    pub planned: bool,
    /// Whether it is made in a loop of the function.
    pub repeated: bool,
    /// How many of the same there are.
    pub count: usize,
    /// Operations whose result it holds.
    pub ops: Vec<OpExplanation>,
}

/// An operation of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct OpExplanation {
    /// Its name in the dialect.
    pub op: String,
    /// It is the gradient of that operation.
    pub gradient: bool,
    /// The file it is in.
    pub file: String,
    /// Its line; 0 where it is none of the user's.
    pub line: u32,
}

/// Tells what the code consists of.
pub(crate) fn explain(contents: &Contents) -> CodeExplanation {
    let functions = contents
        .functions
        .iter()
        .map(|function| FunctionExplanation {
            name: function.name.clone(),
            steps: counted(function.steps.iter().map(step), |s, n| s.count = n),
            buffers: counted(function.buffers.iter().map(buffer), |b, n| b.count = n),
            block_bytes: function.arena,
        })
        .collect();
    CodeExplanation { functions }
}

/// Equal things once each, with their number.
fn counted<T: std::hash::Hash + Eq, E>(
    all: impl Iterator<Item = (T, E)>,
    set: impl Fn(&mut E, usize),
) -> Vec<E> {
    let mut found: IndexMap<T, (E, usize)> = IndexMap::new();
    for (key, explanation) in all {
        found.entry(key).or_insert((explanation, 0)).1 += 1;
    }
    let with_count = |(mut explanation, count)| {
        set(&mut explanation, count);
        explanation
    };
    found.into_values().map(with_count).collect()
}

fn step(step: &Step) -> (Step, StepExplanation) {
    let explanation = StepExplanation {
        kind: match step.kind {
            StepKind::Loop => "loop",
            StepKind::Call => "routine",
            StepKind::Copy => "copy",
            StepKind::Graph => "graph",
        },
        name: Some(step.name.clone()).filter(|n| !n.is_empty()),
        repeated: step.repeated,
        count: 1,
        ops: ops(&step.ops),
    };
    (step.clone(), explanation)
}

fn buffer(buffer: &Buffer) -> (Buffer, BufferExplanation) {
    let explanation = BufferExplanation {
        result: buffer.result,
        bytes: buffer.bytes,
        planned: buffer.planned,
        repeated: buffer.repeated,
        count: 1,
        ops: ops(&buffer.ops),
    };
    (buffer.clone(), explanation)
}

fn ops(ops: &[OpUse]) -> Vec<OpExplanation> {
    ops.iter()
        .map(|o| OpExplanation {
            op: o.op.to_string(),
            gradient: o.gradient,
            file: o.file.to_string(),
            line: o.line,
        })
        .collect()
}

/// `3 loops`, `1 loop`.
fn number(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// Operations by line: `line 3 mul, add; line 4 gradient of tanh`. Lines of another file than the
/// report's have its name.
fn by_line<'a>(ops: impl Iterator<Item = &'a OpExplanation>, file: &str) -> String {
    let mut lines: BTreeMap<(&str, u32), Vec<String>> = BTreeMap::new();
    for op in ops {
        let name = match op.gradient {
            true => format!("gradient of {}", op.op),
            false => op.op.to_string(),
        };
        let names = lines.entry((&op.file, op.line)).or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let texts: Vec<String> = lines
        .iter()
        .map(|(&(other, line), names)| {
            let names = names.join(", ");
            match line {
                0 => names,
                _ if other == file => format!("line {line} {names}"),
                _ => format!("{other}:{line} {names}"),
            }
        })
        .collect();
    texts.join("; ")
}

/// How many buffers there are, and of which size where it is known.
#[derive(Default)]
struct Total {
    count: usize,
    unknown: usize,
    bytes: u64,
}

impl Total {
    fn add(&mut self, buffer: &BufferExplanation) {
        self.count += buffer.count;
        match buffer.bytes {
            Some(bytes) => self.bytes += bytes * buffer.count as u64,
            None => self.unknown += buffer.count,
        }
    }

    fn of<'a>(buffers: impl Iterator<Item = &'a BufferExplanation>) -> Total {
        let mut total = Total::default();
        buffers.for_each(|b| total.add(b));
        total
    }

    /// `2 buffers of 8 bytes, 1 buffer of a size that is known when it runs`.
    fn text(&self, what: &str) -> String {
        let known = self.count - self.unknown;
        let mut parts = Vec::new();
        if known > 0 {
            parts.push(format!("{} of {}", number(known, what), size(self.bytes)));
        }
        if self.unknown > 0 {
            let sizes = if self.unknown == 1 { "a size" } else { "sizes" };
            parts.push(format!(
                "{} of {sizes} known at run time",
                number(self.unknown, what)
            ));
        }
        parts.join(", ")
    }
}

impl FunctionExplanation {
    fn fused(&self) -> impl Iterator<Item = &StepExplanation> {
        self.steps
            .iter()
            .filter(|s| s.kind == "loop" && s.ops.len() > 1)
    }

    /// What it runs, how many of each; `None` if nothing.
    pub fn runs(&self) -> Option<String> {
        let count = |kind: &str| -> usize {
            let steps = self.steps.iter().filter(|s| s.kind == kind);
            steps.map(|s| s.count).sum()
        };
        let mut parts = Vec::new();
        for (kind, one, many) in [
            ("loop", "loop", "loops"),
            ("routine", "call of a routine", "calls of routines"),
            ("copy", "copy", "copies"),
            ("graph", "call of a graph", "calls of graphs"),
        ] {
            match count(kind) {
                0 => {}
                1 => parts.push(format!("1 {one}")),
                n => parts.push(format!("{n} {many}")),
            }
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The loops that compute several operations, one by one; `file` is the report's.
    pub fn fusions(&self, file: &str) -> Vec<String> {
        self.fused()
            .map(|s| {
                let times = match s.count {
                    1 => String::new(),
                    n => format!(", {n} times"),
                };
                format!("in one loop{times}: {}", by_line(s.ops.iter(), file))
            })
            .collect()
    }

    /// What it makes, how many of each; `None` if nothing.
    pub fn makes(&self) -> Option<String> {
        let results = Total::of(self.buffers.iter().filter(|b| b.result));
        let planned = Total::of(self.buffers.iter().filter(|b| b.planned));
        let others = Total::of(self.buffers.iter().filter(|b| !b.result && !b.planned));
        let mut parts = Vec::new();
        if results.count > 0 {
            parts.push(results.text("result"));
        }
        if planned.count > 0 {
            parts.push(format!(
                "{} in one block of {}",
                planned.text("temporary buffer"),
                size(self.block_bytes)
            ));
        }
        if others.count > 0 {
            parts.push(others.text("other"));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    fn write(&self, out: &mut String, indent: &str, file: &str) {
        if let Some(runs) = self.runs() {
            let _ = writeln!(out, "{indent}runs {runs}");
        }
        let fusions = self.fusions(file);
        for fusion in fusions.iter().take(MAX_FUSED) {
            let _ = writeln!(out, "{indent}  {fusion}");
        }
        if let more @ 1.. = fusions.len().saturating_sub(MAX_FUSED) {
            let _ = writeln!(out, "{indent}  and {more} more (--json has all)");
        }
        if let Some(makes) = self.makes() {
            let _ = writeln!(out, "{indent}makes {makes}");
        }
    }
}

impl BufferExplanation {
    /// The operation whose result it is: the last of those that were fused, which is, as
    /// gradients run backwards, the first of their operations.
    fn of(&self) -> Option<&OpExplanation> {
        let mut known = self.ops.iter().filter(|o| o.line > 0);
        match self.ops.iter().any(|o| o.gradient) {
            true => known.next(),
            false => known.next_back(),
        }
    }
}

impl CodeExplanation {
    /// The report for people; `file` is the region's.
    pub(crate) fn write(&self, out: &mut String, file: &str) {
        for (i, function) in self.functions.iter().enumerate() {
            if i == 0 {
                function.write(out, "    ", file);
            } else {
                let _ = writeln!(out, "    function {}", function.name);
                function.write(out, "      ", file);
            }
        }
    }

    /// Whether the graph of this name, or what became of it for its gradient, is in it.
    pub(crate) fn has_graph(&self, name: &str) -> bool {
        let is_of = |f: &FunctionExplanation| {
            let rest = f.name.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.functions.iter().any(is_of)
    }

    /// What to say of single lines: file, line, text.
    pub(crate) fn notes(&self) -> Vec<(String, u32, String)> {
        let mut fused: IndexMap<(String, u32), Vec<String>> = IndexMap::new();
        let mut made: IndexMap<(String, u32), Total> = IndexMap::new();
        for function in &self.functions {
            for s in function.fused() {
                for op in s.ops.iter().filter(|o| o.line > 0) {
                    let here = |o: &&OpExplanation| (&o.file, o.line) == (&op.file, op.line);
                    let own = by_line(s.ops.iter().filter(here), &op.file);
                    let own = own.trim_start_matches(&format!("line {} ", op.line));
                    let rest = by_line(s.ops.iter().filter(|o| !here(o)), &op.file);
                    let text = match &*rest {
                        "" => format!("one loop: {own}"),
                        rest => format!("one loop: {own}; with {rest}"),
                    };
                    let texts = fused.entry((op.file.clone(), op.line)).or_default();
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
            }
            for b in &function.buffers {
                if let Some(op) = b.of() {
                    made.entry((op.file.clone(), op.line)).or_default().add(b);
                }
            }
        }
        let mut notes = Vec::new();
        for ((file, line), mut texts) in fused {
            // A loop of one line that says nothing but its operations is of the least interest.
            texts.sort_by_key(|t| !t.contains("; with "));
            let more = texts.len().saturating_sub(MAX_NOTES);
            texts.truncate(MAX_NOTES);
            notes.extend(texts.into_iter().map(|t| (file.clone(), line, t)));
            if more > 0 {
                notes.push((file, line, format!("and {} more", number(more, "loop"))));
            }
        }
        for ((file, line), total) in made {
            notes.push((file, line, format!("makes {}", total.text("buffer"))));
        }
        notes
    }
}
