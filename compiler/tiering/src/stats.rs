//! `--stats`: what each tier did, as JSON. The fields are a contract with users' tools.
//!
//! In: regions and clocks. Out: [`Report`]. Always: version 1 keeps its fields.

use std::collections::BTreeMap;

use serde::Serialize;

/// The stats file.
#[derive(Debug, Serialize)]
pub struct Report {
    /// 1
    pub version: u32,
    /// Seconds from process start to now.
    pub wall_s: f64,
    /// Seconds from process start to the script's first instruction.
    pub startup_s: f64,
    /// By tier.
    pub tiers: BTreeMap<&'static str, TierReport>,
    /// What the script's own thread did from its first instruction on.
    pub main: MainReport,
    /// Compilation.
    pub compile: CompileReport,
    /// Regions, in the order in which they were found.
    pub regions: Vec<RegionReport>,
    /// What comparing with an emulated GPU came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emulation: Option<EmulationReport>,
}

/// Regions on an emulated GPU, compared with the CPU.
#[derive(Debug, Serialize)]
pub struct EmulationReport {
    /// Regions with device code.
    pub regions: u64,
    /// Launches of kernels.
    pub launches: u64,
    /// Runs that were compared.
    pub runs: u64,
    /// Results that were equal to the bit.
    pub equal: u64,
    /// Results that differed by no more than the order of a sum explains.
    pub close: u64,
    /// The largest of those differences, in parts of the largest element.
    pub distance: f64,
    /// Regions without device code, and why.
    pub without: Vec<String>,
    /// What ran on the host in regions with device code, and why.
    pub on_host: Vec<String>,
    /// Results that differ by more, which rounding that a program magnifies may come to.
    pub far: Vec<String>,
    /// What is wrong.
    pub different: Vec<String>,
}

impl From<janus_codegen::Tally> for EmulationReport {
    fn from(tally: janus_codegen::Tally) -> Self {
        EmulationReport {
            regions: tally.regions,
            launches: tally.launches,
            runs: tally.runs,
            equal: tally.equal,
            close: tally.close,
            distance: tally.distance,
            without: tally.without,
            on_host: tally.on_host,
            far: tally.far,
            different: tally.different,
        }
    }
}

/// A tier.
#[derive(Debug, Serialize)]
pub struct TierReport {
    /// Seconds spent in its code.
    pub time_s: f64,
}

/// Seconds of the script's own thread, which add up.
#[derive(Debug, Default, Serialize)]
pub struct MainReport {
    /// Interpreting: what is none of the others.
    pub tier0_s: f64,
    /// Primitives on tensors that tier 0 ran one by one.
    pub kernels_s: f64,
    /// In tier 1's code.
    pub tier1_s: f64,
    /// In tier 2's code, guards and commits included.
    pub tier2_s: f64,
    /// Building graphs, and compiling for tier 1.
    pub graphs_s: f64,
    /// Compiling for tier 2, where no other thread does (`--compile sync`).
    pub compiling_s: f64,
    /// Waiting: sleep, locks, pipes and sockets.
    pub waiting_s: f64,
}

/// Compilation.
#[derive(Debug, Default, Serialize)]
pub struct CompileReport {
    /// Seconds of tier 1's compiler.
    pub baseline_s: f64,
    /// Seconds of tier 2's, on whatever thread.
    pub optimising_s: f64,
    /// Versions of regions that were made.
    pub count: u32,
    /// Those among them whose code came from the cache on disk.
    pub cache_hits: u32,
}

/// A region.
#[derive(Debug, Serialize)]
pub struct RegionReport {
    /// Number of the region.
    pub id: usize,
    /// The user's file.
    pub file: String,
    /// The first line of the function, or the line of the loop.
    pub line: u32,
    /// Qualified name.
    pub function: String,
    /// `function` or `loop`.
    pub kind: &'static str,
    /// The tier it runs in now.
    pub tier: u32,
    /// Times entered.
    pub entries: u64,
    /// Times entered by tier.
    pub entries_by_tier: BTreeMap<&'static str, u64>,
    /// Times compiled.
    pub compiles: u32,
    /// Times left, by reason and line.
    pub deopts: Vec<DeoptReport>,
    /// Operations of its newest graph.
    pub graph_ops: Option<usize>,
    /// Why it is not in tier 2.
    pub not_compiled: Option<NotCompiled>,
}

/// Departures from compiled code.
#[derive(Debug, Clone, Serialize)]
pub struct DeoptReport {
    /// Stable name of the reason.
    pub reason: &'static str,
    /// The user's line.
    pub line: u32,
    /// Times.
    pub count: u64,
}

/// Why a region stays in its lower tier.
#[derive(Debug, Clone, Serialize)]
pub struct NotCompiled {
    /// In words.
    pub reason: String,
    /// The user's line.
    pub line: u32,
}
