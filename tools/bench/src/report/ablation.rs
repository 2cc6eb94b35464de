//! Figure 7 of the JANUS paper: what each kind of optimisation adds.
//!
//! In: [`Results`]. Out: for each script the throughput of IMP and how many times that each preset has.
//! Always: by the ratios to ours, as all ratios are taken; none where a preset's output differs.

use crate::peer::ABLATION;
use crate::results::{BenchResult, Results};
use crate::stat::Spread;

/// The preset that the others are measured by.
const BASELINE: &str = "IMP";

/// The figure.
pub struct Ablation {
    /// The presets that were measured, the interpreter alone left out.
    pub presets: Vec<&'static str>,
    /// By script.
    pub rows: Vec<Row>,
}

/// A script.
pub struct Row {
    /// Its name.
    pub name: String,
    /// Steps a second in the interpreter alone.
    pub steps: Option<Spread>,
    /// For each preset: the throughput over that.
    pub over: Vec<Cell>,
}

/// What came of a preset.
pub enum Cell {
    /// Its throughput.
    Ratio(Spread),
    /// Why there is none.
    None(&'static str),
}

impl Cell {
    /// The throughput.
    pub fn ratio(&self) -> Option<Spread> {
        match self {
            Cell::Ratio(spread) => Some(*spread),
            Cell::None(_) => None,
        }
    }
}

/// The figure; `None` where nothing of it was measured.
pub fn ablation(results: &Results) -> Option<Ablation> {
    let took_part = |id: &str| results.peers.iter().any(|p| p.id == id);
    let presets: Vec<&'static str> = ABLATION
        .iter()
        .map(|p| p.id)
        .filter(|&id| id != BASELINE && took_part(id))
        .collect();
    let rows: Vec<Row> = results
        .benches
        .iter()
        .filter(|b| b.entry(BASELINE).is_some())
        .map(|b| Row {
            name: b.name.clone(),
            steps: b.entry(BASELINE).and_then(|e| e.long(|r| r.steady)),
            over: presets.iter().map(|p| cell(b, p)).collect(),
        })
        .collect();
    (!presets.is_empty() && !rows.is_empty()).then_some(Ablation { presets, rows })
}

fn cell(bench: &BenchResult, preset: &str) -> Cell {
    let (Some(imp), Some(it)) = (bench.entry(BASELINE), bench.entry(preset)) else {
        return Cell::None("-");
    };
    if imp.differs.is_some() || it.differs.is_some() {
        return Cell::None("output differs");
    }
    if imp.failure.is_some() || it.failure.is_some() {
        return Cell::None("failed");
    }
    // Both were measured against ours, taking turns.
    match (bench.ratio(BASELINE), bench.ratio(preset)) {
        (Some(imp), Some(it)) => Cell::Ratio(imp.over(it)),
        _ => Cell::None("-"),
    }
}
