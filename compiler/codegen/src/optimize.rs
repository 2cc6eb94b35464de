//! LLVM's part: bitcode to an object file.
//!
//! In: the bitcode of a module that came out of the LLVM dialect. Out: object code for the
//! target, optimised for it.
//! Always: the module is verified before LLVM's passes see it, since they trust it.

use std::time::Instant;

use inkwell::OptimizationLevel;
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{FileType, TargetMachine};

use crate::compile::{CompileError, CompileStats, Emitter, Stage};
use crate::kernels;
use crate::parts;
use crate::target::{Chip, Target};

/// What all functions get, and lists of calls get alone.
const BEGIN: &str =
    "function<eager-inv>(simplifycfg,sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)";

/// LLVM's pipeline, of its own passes. Kernels are small loops that are vectorised and little
/// else, and the entry is a long list of calls: inlining, unrolling and the search for vectors in
/// straight-line code would cost most of the compile time and gain nothing.
const PIPELINE: &str = "function<eager-inv>(\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,\
    loop-rotate<header-duplication>,licm<allowspeculation>,simple-loop-unswitch<nontrivial>),\
    simplifycfg,instcombine<no-verify-fixpoint>,loop(loop-idiom,indvars,loop-deletion),\
    gvn,instcombine<no-verify-fixpoint>,adce,loop-mssa(licm<allowspeculation>),\
    simplifycfg,instcombine<no-verify-fixpoint>)";

/// What vectorises loops, and cleans up.
const VECTORIZE: &str = "function<eager-inv>(\
    loop(loop-rotate<header-duplication>),loop-vectorize,infer-alignment,loop-load-elim,\
    instcombine<no-verify-fixpoint>,simplifycfg,early-cse)";

/// What comes last.
const FINISH: &str = "function<eager-inv>(\
    vector-combine,instcombine<no-verify-fixpoint>,loop-mssa(licm<allowspeculation>),\
    div-rem-pairs,simplifycfg),globaldce";

/// Optimises and emits object files, which find each other's functions by name.
pub(crate) fn objects(
    bitcode: &[u8],
    target: &Target,
    vectorize: bool,
    emit: &mut Emitter<'_, '_>,
    stats: &mut CompileStats,
    time_kernels: bool,
) -> Result<Vec<Vec<u8>>, CompileError> {
    let start = Instant::now();
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range(bitcode, "region");
    let module = Module::parse_bitcode_from_buffer(&buffer, &context)
        .map_err(CompileError::llvm("reading bitcode"))?;
    if time_kernels {
        kernels::instrument(&module, &context).map_err(|e| CompileError::Llvm {
            action: "timing kernels",
            message: e.to_string(),
        })?;
    }
    optimize(&module, &context, target, vectorize)?;
    stats.optimize = start.elapsed();
    emit.stage(Stage::Llvm, || module.print_to_string().to_string());
    emit.stage(Stage::Asm, || match assembly(&module, target) {
        Ok(text) => text,
        Err(error) => format!("; {error}\n"),
    });

    let start = Instant::now();
    let parts = emit_parts(&module, target, FileType::Object)?;
    stats.emit = start.elapsed();
    Ok(parts.iter().map(|part| part.as_slice().to_vec()).collect())
}

/// The text of LLVM IR, optimised, or its assembly.
pub(crate) fn of_text(text: &str, target: &Target, to: Stage) -> Result<String, CompileError> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "text");
    let module = context
        .create_module_from_ir(buffer)
        .map_err(CompileError::llvm("reading LLVM IR"))?;
    texts(&module, &context, target, to)
}

/// The same of bitcode.
pub(crate) fn of_bitcode(
    bitcode: &[u8],
    target: &Target,
    to: Stage,
) -> Result<String, CompileError> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range(bitcode, "region");
    let module = Module::parse_bitcode_from_buffer(&buffer, &context)
        .map_err(CompileError::llvm("reading bitcode"))?;
    texts(&module, &context, target, to)
}

fn texts(
    module: &Module<'_>,
    context: &Context,
    target: &Target,
    to: Stage,
) -> Result<String, CompileError> {
    optimize(module, context, target, true)?;
    match to {
        Stage::Asm => assembly(module, target),
        _ => Ok(module.print_to_string().to_string()),
    }
}

/// The assembly of a device's kernels.
pub(crate) fn device_assembly(bitcode: &[u8], chip: Chip) -> Result<String, CompileError> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range(bitcode, "device");
    let module = Module::parse_bitcode_from_buffer(&buffer, &context)
        .map_err(CompileError::llvm("reading bitcode"))?;
    let machine = Target::Nvptx { chip }.machine(OptimizationLevel::Default)?;
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    module
        .verify()
        .map_err(CompileError::llvm("verifying LLVM IR"))?;
    module
        .run_passes("default<O2>", &machine, PassBuilderOptions::create())
        .map_err(CompileError::llvm("optimising"))?;
    let text = machine
        .write_to_memory_buffer(&module, FileType::Assembly)
        .map_err(CompileError::llvm("emitting code"))?;
    Ok(String::from_utf8_lossy(text.as_slice())
        .trim_end_matches('\0')
        .to_owned())
}

/// Runs LLVM's passes for the target.
fn optimize(
    module: &Module<'_>,
    context: &Context,
    target: &Target,
    vectorize: bool,
) -> Result<(), CompileError> {
    let machine = target.machine(OptimizationLevel::Default)?;
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    module
        .verify()
        .map_err(CompileError::llvm("verifying LLVM IR"))?;
    prefer_wide_vectors(module, context);

    let run = |pipeline: &str| {
        module
            .run_passes(pipeline, &machine, PassBuilderOptions::create())
            .map_err(CompileError::llvm("optimising"))
    };
    run(BEGIN)?;
    parts::mark_lists(module, context);
    run(PIPELINE)?;
    if vectorize {
        run(VECTORIZE)?;
    }
    run(FINISH)
}

/// The assembly of all parts.
fn assembly(module: &Module<'_>, target: &Target) -> Result<String, CompileError> {
    let parts = emit_parts(module, target, FileType::Assembly)?;
    let texts = parts
        .iter()
        .map(|part| String::from_utf8_lossy(part.as_slice()));
    Ok(texts.collect())
}

/// What LLVM's code generators make of an optimised module.
fn emit_parts(
    module: &Module<'_>,
    target: &Target,
    kind: FileType,
) -> Result<Vec<MemoryBuffer<'static>>, CompileError> {
    let emit = |(part, machine): (Module<'_>, TargetMachine)| {
        machine.set_asm_verbosity(true);
        machine
            .write_to_memory_buffer(&part, kind)
            .map_err(CompileError::llvm("emitting code"))
    };
    parts::parts(module, target)?
        .into_iter()
        .map(emit)
        .collect()
}

/// Asks for vectors as wide as the machine has, where LLVM would be cautious.
fn prefer_wide_vectors(module: &Module<'_>, context: &Context) {
    let attribute = context.create_string_attribute("prefer-vector-width", "512");
    for function in module.get_functions() {
        if function.count_basic_blocks() > 0 {
            function.add_attribute(AttributeLoc::Function, attribute);
        }
    }
}
