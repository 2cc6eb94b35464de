//! LLVM's part: bitcode to an object file.
//!
//! In: the bitcode of a module that came out of the LLVM dialect. Out: object code for the
//! target, optimised for it.
//! Always: the module is verified before LLVM's passes see it, since they trust it.

use std::time::Instant;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{FileType, TargetMachine};

use crate::compile::{CompileError, CompileStats, Emitter, Stage};
use crate::kernels;
use crate::target::Target;

/// LLVM's pipeline, of its own passes. Kernels are small loops that are vectorised and little
/// else, and the entry is a long list of calls: inlining, unrolling and the search for vectors in
/// straight-line code would cost most of the compile time and gain nothing.
const PIPELINE: &str = "function<eager-inv>(\
    simplifycfg,sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,\
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

/// Optimises and emits an object file.
pub(crate) fn object(
    bitcode: &[u8],
    target: &Target,
    vectorize: bool,
    emit: &mut Emitter<'_, '_>,
    stats: &mut CompileStats,
    time_kernels: bool,
) -> Result<Vec<u8>, CompileError> {
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
    let machine = optimize(&module, &context, target, vectorize)?;
    stats.optimize = start.elapsed();
    emit.stage(Stage::Llvm, || module.print_to_string().to_string());
    emit.stage(Stage::Asm, || assembly(&machine, &module));

    let start = Instant::now();
    let object = machine
        .write_to_memory_buffer(&module, FileType::Object)
        .map_err(CompileError::llvm("emitting code"))?;
    stats.emit = start.elapsed();
    Ok(object.as_slice().to_vec())
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
    let machine = optimize(module, context, target, true)?;
    Ok(match to {
        Stage::Asm => assembly(&machine, module),
        _ => module.print_to_string().to_string(),
    })
}

/// Runs LLVM's passes for the target.
fn optimize(
    module: &Module<'_>,
    context: &Context,
    target: &Target,
    vectorize: bool,
) -> Result<TargetMachine, CompileError> {
    let machine = target.machine()?;
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    module
        .verify()
        .map_err(CompileError::llvm("verifying LLVM IR"))?;
    prefer_wide_vectors(module, context);
    leave_long_functions(module, context);

    let stages = [Some(PIPELINE), vectorize.then_some(VECTORIZE), Some(FINISH)];
    let pipeline: Vec<&str> = stages.into_iter().flatten().collect();
    module
        .run_passes(&pipeline.join(","), &machine, PassBuilderOptions::create())
        .map_err(CompileError::llvm("optimising"))?;
    Ok(machine)
}

/// The assembly of a copy of the module: emitting changes it.
fn assembly(machine: &TargetMachine, module: &Module<'_>) -> String {
    machine.set_asm_verbosity(true);
    match machine.write_to_memory_buffer(&module.clone(), FileType::Assembly) {
        Ok(text) => String::from_utf8_lossy(text.as_slice()).into_owned(),
        Err(error) => format!("; {error}\n"),
    }
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

/// A block so long is a list of calls, each of which takes longer than what lies between them.
const LONG_BLOCK: usize = 4_000;

/// Functions with a long block are emitted as they are: the time that LLVM's schedulers take grows
/// with the square of a block's length.
fn leave_long_functions(module: &Module<'_>, context: &Context) {
    let attribute = |name| {
        let kind = Attribute::get_named_enum_kind_id(name);
        context.create_enum_attribute(kind, 0)
    };
    for function in module.get_functions() {
        let mut blocks = function.get_basic_block_iter();
        if blocks.any(|b| b.get_instructions().count() > LONG_BLOCK) {
            for name in ["optnone", "noinline"] {
                function.add_attribute(AttributeLoc::Function, attribute(name));
            }
        }
    }
}
