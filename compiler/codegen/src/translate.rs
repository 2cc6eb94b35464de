//! From the text of one stage to that of a later one, for `janus-jit compile`.
//!
//! In: what `--emit` wrote. Out: text. Always: a text that does not parse is an error with the position.

use janus_dialect::{DialectError, Graph, Passes};

use crate::compile::{CompileError, Stage};
use crate::device;
use crate::optimize;
use crate::target::{Chip, Target};

/// The stage of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A dataflow graph.
    Graph,
    /// Any later one.
    Stage(Stage),
}

/// Takes the text of a stage to a later one.
///
/// # Errors
/// The text does not parse, a pass fails, or the order is wrong.
pub fn translate(text: &str, from: From, to: Stage, chip: Chip) -> Result<String, CompileError> {
    let backwards = || CompileError::Order { to: to.name() };
    let target = Target::default();
    let done = |stage: Stage| match from {
        From::Graph => false,
        From::Stage(from) => from as usize >= stage as usize,
    };
    let device = matches!(to, Stage::Gpu | Stage::Ptx);
    match from {
        From::Stage(Stage::Gpu) if to != Stage::Ptx => return Err(backwards()),
        From::Stage(Stage::Llvm) if device => return Err(backwards()),
        _ => {}
    }
    if done(to) && from != From::Stage(Stage::Llvm) {
        return Err(backwards());
    }
    match from {
        From::Stage(Stage::Asm | Stage::Ptx) => return Err(backwards()),
        From::Stage(Stage::Llvm) if to as usize >= Stage::Llvm as usize => {
            return optimize::of_text(text, &target, to);
        }
        From::Stage(Stage::Llvm) => return Err(backwards()),
        _ => {}
    }
    let run = |graph: &mut Graph, stage| {
        graph
            .run_passes(stage)
            .map_err(|source: DialectError| CompileError::Dialect { stage, source })
    };
    let mut graph = Graph::parse(text).map_err(|source| CompileError::Dialect {
        stage: "parsing",
        source,
    })?;
    if from == From::Stage(Stage::Gpu) {
        return device::assembly(&mut graph, chip);
    }
    for (stage, pipeline) in [
        (Stage::GraphOpt, "janus-graph-opt"),
        (Stage::Linalg, "janus-linalg"),
    ] {
        if device && stage == Stage::Linalg {
            break;
        }
        if !done(stage) {
            run(&mut graph, pipeline)?;
        }
        if to == stage {
            return Ok(graph.whole_text());
        }
    }
    if device {
        if done(Stage::Linalg) {
            device::kernels_of_loops(&mut graph, Passes::ALL)?;
        } else {
            device::kernels(&mut graph, Passes::ALL)?;
        }
        return match to {
            Stage::Gpu => Ok(graph.whole_text()),
            _ => device::assembly(&mut graph, chip),
        };
    }
    run(&mut graph, "janus-buffers")?;
    run(&mut graph, "janus-llvm")?;
    let bitcode = graph
        .to_llvm_bitcode()
        .map_err(|source| CompileError::Dialect {
            stage: "translation",
            source,
        })?;
    optimize::of_bitcode(&bitcode, &target, to)
}
