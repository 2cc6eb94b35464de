//! The way to a device: from loops on tensors to a device module and its assembly.
//!
//! In: a graph in the linalg stage. Out: the texts of the stages `gpu` and `ptx`.
//! Always: nothing here runs on a device; a graph that has no device form is an error that says why.

use std::sync::atomic::AtomicU64;

use janus_dialect::{Graph, Passes};

use crate::compile::{CompileError, CompileStats, Emitter, Stage};
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

/// From loops on tensors to kernels that the entry launches. A device has its own way to divide work.
pub(crate) fn kernels(graph: &mut Graph, passes: Passes) -> Result<(), CompileError> {
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

/// The kernels of a graph given as text, for the host.
pub(crate) fn emulated(
    linalg: &str,
    passes: Passes,
    emulation: Emulation<'_>,
) -> Result<Box<Emulated>, CompileError> {
    let mut graph = Graph::parse(linalg).map_err(|source| CompileError::Dialect {
        stage: "parsing",
        source,
    })?;
    kernels(&mut graph, passes)?;
    let on_host = on_host(&graph.whole_text());
    run(&mut graph, "janus-emulate-gpu", passes)?;
    run(&mut graph, "janus-llvm", passes)?;
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
    let functions = Functions::link(objects.iter().map(Vec::as_slice))?;
    emulate::count_with(emulation.name, &on_host);
    Ok(Box::new(Emulated {
        name: emulation.name.to_owned(),
        seed: emulation.seed,
        functions,
        runs: AtomicU64::new(0),
    }))
}

/// What an entry calls on the host, and why: for people.
fn on_host(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| {
            let (before, why) = line.split_once("janus.host_routine = \"")?;
            let callee = before.split_once('@').map_or("", |(_, name)| name);
            let callee = callee.split_once('(').map_or(callee, |(name, _)| name);
            Some(format!("{callee}: {}", why.split('"').next().unwrap_or("")))
        })
        .collect()
}

/// Emits the stages of a graph given as text; where one cannot be made, its text says why.
pub(crate) fn emit(
    linalg: &str,
    passes: Passes,
    chip: Chip,
    text: &dyn Fn(&Graph) -> String,
    emit: &mut Emitter<'_, '_>,
) {
    let made = Graph::parse(linalg)
        .map_err(|source| CompileError::Dialect {
            stage: "parsing",
            source,
        })
        .and_then(|mut graph| kernels(&mut graph, passes).map(|()| graph));
    let none = |error: &CompileError| format!("// no code for {}: {error}\n", chip.name());
    match made {
        Ok(mut graph) => {
            emit.stage(Stage::Gpu, || text(&graph));
            emit.stage(Stage::Ptx, || {
                assembly(&mut graph, chip).unwrap_or_else(|error| none(&error))
            });
        }
        Err(error) => {
            emit.stage(Stage::Gpu, || none(&error));
            emit.stage(Stage::Ptx, || none(&error));
        }
    }
}
