//! The two parts that a module is emitted in: lists of calls, and what repeats.
//!
//! In: an optimised module. Out: copies of it that define a part of its functions each, with the machine
//! for each.
//! Always: every function is defined in one part, and every part finds the others' functions by name.
//!
//! A step of a model is a list of thousands of calls of kernels. Finding good registers for it
//! takes LLVM half of all compile time, and the calls take longer than what lies between them. So such
//! functions are left to LLVM's fast code generator, which takes a tenth of the time.

use std::collections::HashSet;

use inkwell::OptimizationLevel;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;
use inkwell::values::{
    BasicValueEnum, FunctionValue, InstructionOpcode, InstructionValue, PointerValue,
};

use crate::compile::CompileError;
use crate::target::Target;

/// How the names of functions begin that run once for each run of the code. What is called from a
/// loop or by recursion is none of them.
const ONCE: [&str; 3] = ["janus_entry", "janus_backward", "janus_part_"];

/// Above it LLVM's schedulers take too long, whatever the function does: their time grows with the square
/// of a block's length.
const LONG_BLOCK: usize = 4_000;

/// Marks the functions that are lists of calls: no further optimisation touches them.
pub(crate) fn mark_lists(module: &Module<'_>, context: &Context) {
    for function in module.get_functions().filter(|f| is_list(*f)) {
        for name in MARKS {
            let kind = Attribute::get_named_enum_kind_id(name);
            let attribute = context.create_enum_attribute(kind, 0);
            function.add_attribute(AttributeLoc::Function, attribute);
        }
    }
}

/// LLVM asks for the second wherever the first is.
const MARKS: [&str; 2] = ["optnone", "noinline"];

fn is_marked(function: FunctionValue<'_>) -> bool {
    let kind = Attribute::get_named_enum_kind_id(MARKS[0]);
    function
        .get_enum_attribute(AttributeLoc::Function, kind)
        .is_some()
}

fn is_list(function: FunctionValue<'_>) -> bool {
    let name = function.get_name().to_string_lossy();
    let once = ONCE.iter().any(|prefix| name.starts_with(prefix));
    let blocks = function.get_basic_blocks();
    let long = |b: &BasicBlock<'_>| b.get_instructions().count() > LONG_BLOCK;
    blocks.iter().any(long) || (once && every_cycle_calls(&blocks))
}

/// Whether there is no way around a cycle of these blocks without a call.
fn every_cycle_calls(blocks: &[BasicBlock<'_>]) -> bool {
    let mut quiet: HashSet<BasicBlock<'_>> =
        blocks.iter().copied().filter(|b| !calls(*b)).collect();
    // What leads to no other quiet block is on no such cycle. Most blocks lead to later ones, so that
    // one round backwards is enough.
    loop {
        let before = quiet.len();
        for block in blocks.iter().rev() {
            if !successors(*block).any(|to| quiet.contains(&to)) {
                quiet.remove(block);
            }
        }
        if quiet.is_empty() || quiet.len() == before {
            return quiet.is_empty();
        }
    }
}

fn successors(block: BasicBlock<'_>) -> impl Iterator<Item = BasicBlock<'_>> {
    let end = block.get_terminator().into_iter();
    end.flat_map(|end| end.get_operands().flatten())
        .filter_map(|operand| operand.block())
}

/// Whether a block calls anything that takes a while. LLVM's own functions are an instruction or two.
fn calls(block: BasicBlock<'_>) -> bool {
    let mut instructions = block.get_instructions();
    instructions.any(|i| {
        let is_call = i.get_opcode() == InstructionOpcode::Call;
        is_call && !callee(i).is_some_and(|f| f.get_name().to_bytes().starts_with(b"llvm."))
    })
}

/// What a call calls, which is its last operand.
fn callee(call: InstructionValue<'_>) -> Option<PointerValue<'_>> {
    let last = call.get_num_operands().checked_sub(1)?;
    match call.get_operand(last)?.value()? {
        BasicValueEnum::PointerValue(callee) => Some(callee),
        _ => None,
    }
}

/// The parts, each with the machine that emits it.
pub(crate) fn parts<'c>(
    module: &Module<'c>,
    target: &Target,
) -> Result<Vec<(Module<'c>, TargetMachine)>, CompileError> {
    let lists = module.get_functions().any(is_marked);
    if !lists {
        let machine = target.machine(OptimizationLevel::Default)?;
        return Ok(vec![(module.clone(), machine)]);
    }
    let mut parts = Vec::new();
    for (level, lists) in [
        (OptimizationLevel::Default, false),
        (OptimizationLevel::None, true),
    ] {
        let machine = target.machine(level)?;
        let part = module.clone();
        let functions: Vec<FunctionValue<'c>> = part.get_functions().collect();
        for function in functions {
            if function.count_basic_blocks() == 0 {
                continue;
            }
            if is_marked(function) == lists {
                function.set_linkage(Linkage::External);
            } else {
                declare_instead(&part, function);
            }
        }
        for global in part.get_globals() {
            // Constants that others look up are defined with the lists, which are theirs.
            if !lists {
                global.set_linkage(Linkage::Internal);
            }
        }
        part.run_passes("globaldce", &machine, PassBuilderOptions::create())
            .map_err(CompileError::llvm("dividing code"))?;
        parts.push((part, machine));
    }
    Ok(parts)
}

/// What a function is called by is what another object defines. That may lie anywhere: LLVM takes what was
/// internal once to be near, so that the declaration is a new one.
fn declare_instead<'c>(part: &Module<'c>, function: FunctionValue<'c>) {
    let name = function.get_name().to_string_lossy().into_owned();
    let old = function.as_global_value();
    old.set_name("");
    let declared = part.add_function(&name, function.get_type(), None);
    function.replace_all_uses_with(declared);
    function.set_linkage(Linkage::Internal);
}
