//! The way to a device: from a graph to a device module and its assembly.
//!
//! In: a graph in the structured stage. Out: the texts of the stages `gpu` and `ptx`.
//! Always: nothing here runs on a device; a graph that has no device form is an error that says why.

use std::sync::atomic::AtomicU64;

use janus_dialect::{Graph, Passes};

use crate::compile::{CompileError, CompileStats, Emitter, Stage, buffers};
use crate::emulate::{self, Emulated, Emulation};
use crate::optimize;
use crate::run::Functions;
use crate::target::{Chip, Target};

fn run(graph: &mut Graph, pipeline: &'static str, passes: Passes) -> Result<(), CompileError> {
    graph
        .run_passes(&passes.pipeline(pipeline))
        .map_err(|source| CompileError::Dialect {
            stage: pipeline,
            source,
        })
}

/// From the structured stage to kernels that the entry launches. A device has its own way to divide work.
pub(crate) fn kernels(graph: &mut Graph, passes: Passes) -> Result<(), CompileError> {
    let passes = passes.without(Passes::PARALLEL);
    buffers(graph, passes, &mut |_| {}).map(drop)?;
    run(graph, "janus-gpu", passes)
}

/// The same from loops on tensors.
pub(crate) fn kernels_of_loops(graph: &mut Graph, passes: Passes) -> Result<(), CompileError> {
    run(graph, "janus-buffers", passes.without(Passes::PARALLEL))?;
    run(graph, "janus-gpu", passes)
}

/// From there to assembly.
pub(crate) fn assembly(graph: &mut Graph, chip: Chip) -> Result<String, CompileError> {
    run(graph, "janus-nvvm", Passes::ALL)?;
    let bitcode = graph
        .device_bitcode()
        .map_err(|source| CompileError::Dialect {
            stage: "translation",
            source,
        })?;
    optimize::device_assembly(&bitcode, chip)
}

/// The kernels of a graph in the structured stage, for the host: in the order of a device, and in the CPU's.
pub(crate) fn emulated(
    graph: &mut Graph,
    passes: Passes,
    emulation: Emulation<'_>,
) -> Result<Box<Emulated>, CompileError> {
    let mut on_host = Vec::new();
    let mut variant = |passes| {
        graph.keep();
        let made = for_host(graph, passes, &mut on_host);
        graph.go_back();
        made
    };
    let trees = variant(passes)?;
    let sequences = variant(passes.without(Passes::TREES))?;
    emulate::count_with(emulation.name, &on_host);
    Ok(Box::new(Emulated {
        name: emulation.name.to_owned(),
        seed: emulation.seed,
        counts: emulation.counts,
        trees,
        sequences,
        runs: AtomicU64::new(0),
    }))
}

fn for_host(
    graph: &mut Graph,
    passes: Passes,
    on_host: &mut Vec<String>,
) -> Result<Functions, CompileError> {
    kernels(graph, passes)?;
    if passes.has(Passes::TREES) {
        *on_host = calls_on_host(&graph.whole_text());
    }
    run(graph, "janus-emulate-gpu", passes)?;
    run(graph, "janus-llvm", passes)?;
    let bitcode = graph
        .to_llvm_bitcode()
        .map_err(|source| CompileError::Dialect {
            stage: "translation",
            source,
        })?;
    let objects = optimize::objects(
        &bitcode,
        &Target::Cpu,
        passes.has(Passes::VECTORIZE),
        &mut Emitter(&mut None),
        &mut CompileStats::default(),
        false,
    )?;
    Functions::link(objects.iter().map(Vec::as_slice))
}

/// What an entry calls on the host, and why: for people.
fn calls_on_host(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| {
            let (before, why) = line.split_once("janus.host_routine = \"")?;
            let callee = before.split_once('@').map_or("", |(_, name)| name);
            let callee = callee.split_once('(').map_or(callee, |(name, _)| name);
            Some(format!("{callee}: {}", why.split('"').next().unwrap_or("")))
        })
        .collect()
}

/// The texts of the stages of a graph in the structured stage, which is lost; where one cannot be made, its text says why.
pub(crate) fn texts(
    graph: &mut Graph,
    passes: Passes,
    chip: Chip,
    text: &dyn Fn(&Graph) -> String,
) -> [(Stage, String); 2] {
    let none = |error: &CompileError| format!("// no code for {}: {error}\n", chip.name());
    let gpu = match kernels(graph, passes) {
        Ok(()) => text(graph),
        Err(error) => return [Stage::Gpu, Stage::Ptx].map(|stage| (stage, none(&error))),
    };
    let ptx = assembly(graph, chip).unwrap_or_else(|error| none(&error));
    [(Stage::Gpu, gpu), (Stage::Ptx, ptx)]
}
