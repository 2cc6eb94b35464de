//! Timing single kernels, for `--trace`.
//!
//! In: a module before LLVM's passes. Out: the same with a call before and one after each call of a kernel or of
//! a library routine, and on the Rust side the times. Always: only where asked for: the calls cost time
//! and keep kernels from being inlined.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char};
use std::time::{Duration, Instant};

use inkwell::AddressSpace;
use inkwell::builder::BuilderError;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::values::{CallSiteValue, InstructionOpcode};

/// Receives a kernel's name, its beginning and its duration.
pub type KernelSink = Box<dyn Fn(&str, Instant, Duration)>;

thread_local! {
    static SINK: RefCell<Option<KernelSink>> = const { RefCell::new(None) };
    static BEGAN: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Times of kernels that run on this thread go to `sink` from now on.
pub fn set_kernel_sink(sink: Option<KernelSink>) {
    SINK.with(|s| *s.borrow_mut() = sink);
}

/// A kernel begins.
pub(crate) extern "C" fn janus_rt_kernel_begin() {
    BEGAN.with(|b| b.set(Some(Instant::now())));
}

/// The kernel of this name ends.
///
/// # Safety
/// `name` points to text that ends in a zero.
pub(crate) unsafe extern "C" fn janus_rt_kernel_end(name: *const c_char) {
    let Some(began) = BEGAN.with(Cell::take) else {
        return;
    };
    let lasted = began.elapsed();
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    SINK.with(|sink| {
        if let Ok(sink) = sink.try_borrow()
            && let Some(sink) = &*sink
        {
            sink(&name, began, lasted);
        }
    });
}

fn is_kernel(name: &str) -> bool {
    let kernels = [
        "janus_kernel",
        "janus_rt_gemm",
        "janus_rt_conv",
        "janus_rt_pool",
    ];
    kernels.iter().any(|prefix| name.starts_with(prefix))
}

/// Puts the calls around kernels into a module.
pub(crate) fn instrument<'c>(
    module: &Module<'c>,
    context: &'c Context,
) -> Result<(), BuilderError> {
    let pointer = context.ptr_type(AddressSpace::default());
    let nothing = context.void_type();
    let begin = module.add_function(
        "janus_rt_kernel_begin",
        nothing.fn_type(&[], false),
        Some(Linkage::External),
    );
    let end = module.add_function(
        "janus_rt_kernel_end",
        nothing.fn_type(&[pointer.into()], false),
        Some(Linkage::External),
    );
    let builder = context.create_builder();
    let functions: Vec<_> = module.get_functions().collect();
    for function in functions {
        if is_kernel(&function.get_name().to_string_lossy()) {
            continue;
        }
        for block in function.get_basic_blocks() {
            let instructions: Vec<_> = block.get_instructions().collect();
            for instruction in instructions {
                if instruction.get_opcode() != InstructionOpcode::Call {
                    continue;
                }
                let Ok(call) = CallSiteValue::try_from(instruction) else {
                    continue;
                };
                let Some(callee) = call.get_called_fn_value() else {
                    continue;
                };
                let name = callee.get_name().to_string_lossy().into_owned();
                let Some(next) = instruction
                    .get_next_instruction()
                    .filter(|_| is_kernel(&name))
                else {
                    continue;
                };
                builder.position_before(&instruction);
                builder.build_call(begin, &[], "")?;
                builder.position_before(&next);
                let text = builder.build_global_string_ptr(&name, "kernel_name")?;
                builder.build_call(end, &[text.as_pointer_value().into()], "")?;
            }
        }
    }
    Ok(())
}
