//! Linking object code into the process with LLVM's ORC.
//!
//! In: the bytes of object files. Out: the addresses of its symbols.
//! Always: the code is mapped for as long as its [`Jit`] lives; each failure is an error with
//! LLVM's words.

use std::ffi::{CStr, c_void};
use std::ptr;

use inkwell::OptimizationLevel;
use inkwell::llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::orc2::lljit::{
    LLVMOrcCreateLLJIT, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFile,
    LLVMOrcLLJITGetExecutionSession, LLVMOrcLLJITGetMainJITDylib, LLVMOrcLLJITLookup,
    LLVMOrcLLJITMangleAndIntern, LLVMOrcLLJITRef,
};
use inkwell::llvm_sys::orc2::{
    LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
    LLVMOrcCSymbolMapPair, LLVMOrcExecutionSessionSetErrorReporter, LLVMOrcJITDylibDefine,
};

use crate::symbols::symbols;

/// Linked code.
pub(crate) struct Jit(LLVMOrcLLJITRef);

// SAFETY: an LLJIT owns all that it points to; its session has a lock of its own, and after
// linking we only read from it (`address`) until it is dropped.
unsafe impl Send for Jit {}
// SAFETY: as above; lookups take the session's lock.
unsafe impl Sync for Jit {}

impl Jit {
    /// Links `objects` against each other, the runtime's symbols and nothing else of ours.
    pub(crate) fn link<'o>(objects: impl IntoIterator<Item = &'o [u8]>) -> Result<Jit, String> {
        // Creating a JIT asks LLVM for the host's target.
        crate::target::Target::Cpu
            .machine(OptimizationLevel::Default)
            .map_err(|e| e.to_string())?;
        let mut raw = ptr::null_mut();
        // SAFETY: a null builder asks for the defaults; `raw` receives the JIT.
        check(unsafe { LLVMOrcCreateLLJIT(&mut raw, ptr::null_mut()) })?;
        let jit = Jit(raw);
        let flags = || LLVMJITSymbolFlags {
            GenericFlags: LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
                | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8,
            TargetFlags: 0,
        };
        let mut pairs = symbols().map(|(name, address)| LLVMOrcCSymbolMapPair {
            // SAFETY: the JIT is alive and the name ends in a zero. The reference that this
            // returns goes to the definition below.
            Name: unsafe { LLVMOrcLLJITMangleAndIntern(raw, name.as_ptr()) },
            Sym: LLVMJITEvaluatedSymbol {
                Address: address as u64,
                Flags: flags(),
            },
        });
        // SAFETY: the JIT is alive; its session and main dylib live as long. The pairs outlive
        // the call, the dylib takes over the definition, and the JIT takes over the buffers.
        unsafe {
            let session = LLVMOrcLLJITGetExecutionSession(raw);
            LLVMOrcExecutionSessionSetErrorReporter(session, report, ptr::null_mut());
            let dylib = LLVMOrcLLJITGetMainJITDylib(raw);
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            check(LLVMOrcJITDylibDefine(dylib, unit))?;
            for object in objects {
                let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                    object.as_ptr().cast(),
                    object.len(),
                    c"region".as_ptr(),
                );
                check(LLVMOrcLLJITAddObjectFile(raw, dylib, buffer))?;
            }
        }
        Ok(jit)
    }

    /// The address of a symbol of the objects; the first call links it.
    pub(crate) fn address(&self, name: &CStr) -> Result<*const c_void, String> {
        let mut address = 0;
        // SAFETY: the JIT is alive and the name ends in a zero.
        check(unsafe { LLVMOrcLLJITLookup(self.0, &mut address, name.as_ptr()) })?;
        if address == 0 {
            return Err(format!("symbol {} has no address", name.to_string_lossy()));
        }
        Ok(address as *const c_void)
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: the JIT is owned and goes here; whoever runs its code borrows this.
        if let Err(error) = check(unsafe { LLVMOrcDisposeLLJIT(self.0) }) {
            tracing::warn!(error, "unmapping compiled code");
        }
    }
}

/// The message of an LLVM error, which is consumed.
fn message(error: LLVMErrorRef) -> String {
    // SAFETY: the error is not null and nobody else's; the message is freed after its copy.
    unsafe {
        let raw = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(raw);
        text
    }
}

fn check(error: LLVMErrorRef) -> Result<(), String> {
    if error.is_null() {
        Ok(())
    } else {
        Err(message(error))
    }
}

/// What the session says beside the errors that calls return.
extern "C" fn report(_context: *mut c_void, error: LLVMErrorRef) {
    if !error.is_null() {
        tracing::warn!(error = message(error), "linking compiled code");
    }
}
