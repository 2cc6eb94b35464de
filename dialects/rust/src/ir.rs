//! A context and the one module in it.
//!
//! In: calls from the builder and from `Graph`. Out: the same over safe types, errors with the
//! text of the diagnostics.
//! Holds: the module lives in the context, nothing outside of [`Ir`] points into either between
//! two calls, and both are freed together.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ffi::c_void;
use std::sync::Arc;

use melior::Context;
use melior::ir::r#type::TypeLike;
use mlir_sys::{
    MlirBlock, MlirLocation, MlirModule, MlirStringRef, mlirLocationUnknownGet,
    mlirModuleCreateEmpty, mlirModuleDestroy, mlirModuleFromOperation, mlirModuleGetOperation,
    mlirOpPrintingFlagsAssumeVerified, mlirOpPrintingFlagsCreate, mlirOpPrintingFlagsDestroy,
    mlirOpPrintingFlagsElideLargeElementsAttrs, mlirOpPrintingFlagsEnableDebugInfo,
    mlirOpPrintingFlagsPrintGenericOpForm, mlirOperationClone, mlirOperationPrintWithFlags,
    mlirOperationVerify,
};

use crate::error::{Diagnostic, Diagnostics, DialectError, Limitation};
use crate::types::{Commit, Origin, Type};
use crate::{convert, ffi};

pub(crate) struct Ir {
    // Before the context: fields are dropped in order.
    module: OwnedModule,
    kept: Vec<OwnedModule>,
    context: Context,
}

struct OwnedModule(MlirModule);

impl Drop for OwnedModule {
    fn drop(&mut self) {
        // SAFETY: the handle came from a function that hands over ownership, and is not null; the
        // context, dropped after it, is alive.
        unsafe { mlirModuleDestroy(self.0) }
    }
}

impl Ir {
    /// A new context with an empty module.
    pub(crate) fn new() -> Self {
        let context = new_context();
        // SAFETY: the context is alive; both functions return owned or context-owned handles.
        let module = unsafe {
            let location: MlirLocation = mlirLocationUnknownGet(context.to_raw());
            mlirModuleCreateEmpty(location)
        };
        Self {
            module: OwnedModule(module),
            kept: Vec::new(),
            context,
        }
    }

    /// A new context with the module that `text` spells; `name` is the text's name in errors.
    pub(crate) fn parse(text: &str, name: &str) -> Result<Self, DialectError> {
        let context = new_context();
        let (module, diagnostics) = capture(&context, || {
            // SAFETY: the context is alive, the strings outlive the call.
            unsafe {
                ffi::janusParse(
                    context.to_raw(),
                    ffi::string_ref(text),
                    ffi::string_ref(name),
                )
            }
        });
        if module.ptr.is_null() {
            return Err(DialectError::Mlir {
                action: "parsing a graph",
                diagnostics,
            });
        }
        Ok(Self {
            module: OwnedModule(module),
            kept: Vec::new(),
            context,
        })
    }

    /// Keeps a copy of the module as it is.
    pub(crate) fn keep(&mut self) {
        // SAFETY: the module is alive; the copy of its operation is a module that nobody else owns.
        let copy = unsafe {
            mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(self.module.0)))
        };
        if !copy.ptr.is_null() {
            self.kept.push(OwnedModule(copy));
        }
    }

    /// Drops the copy that was kept last.
    pub(crate) fn forget(&mut self) {
        self.kept.pop();
    }

    /// Makes the copy that was kept last the module; whether there was one.
    pub(crate) fn go_back(&mut self) -> bool {
        match self.kept.pop() {
            Some(module) => {
                self.module = module;
                true
            }
            None => false,
        }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Appends an empty graph to the module and returns its body.
    pub(crate) fn create_graph(&self, name: &str, arguments: &[Type]) -> MlirBlock {
        let types: Vec<_> = arguments
            .iter()
            .map(|ty| convert::mlir_type(&self.context, ty).to_raw())
            .collect();
        // SAFETY: the module is alive; name and types outlive the call.
        unsafe {
            ffi::janusGraphCreate(
                self.module.0,
                ffi::string_ref(name),
                types.len() as isize,
                types.as_ptr(),
            )
        }
    }

    pub(crate) fn verify(&self) -> Result<(), DialectError> {
        let (holds, diagnostics) = capture(&self.context, || {
            // SAFETY: the module is alive.
            unsafe { mlirOperationVerify(mlirModuleGetOperation(self.module.0)) }
        });
        if holds {
            Ok(())
        } else {
            Err(DialectError::Mlir {
                action: "verifying a graph",
                diagnostics,
            })
        }
    }

    pub(crate) fn run_passes(&mut self, pipeline: &str) -> Result<(), DialectError> {
        let (result, diagnostics) = capture(&self.context, || {
            // SAFETY: the module is alive, the string outlives the call.
            unsafe {
                ffi::janusRunPipeline(
                    self.module.0,
                    ffi::string_ref(pipeline),
                    cfg!(debug_assertions),
                )
            }
        });
        if result.value != 0 {
            Ok(())
        } else {
            Err(DialectError::Mlir {
                action: "running passes",
                diagnostics,
            })
        }
    }

    pub(crate) fn count_ops(&self) -> usize {
        // SAFETY: the module is alive.
        unsafe { ffi::janusModuleCountOps(self.module.0) }.unsigned_abs()
    }

    /// The module's text; constants with many elements are elided unless `whole`.
    pub(crate) fn text(&self, with_locations: bool, whole: bool) -> String {
        let mut text = String::new();
        // SAFETY: the module is alive, the flags are freed after their only use, and `text`
        // outlives the call that appends to it through `append`.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            if with_locations {
                mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
            }
            if !whole {
                mlirOpPrintingFlagsElideLargeElementsAttrs(flags, 64);
            }
            let module = mlirModuleGetOperation(self.module.0);
            mlirOperationPrintWithFlags(module, flags, Some(append), (&raw mut text).cast());
            mlirOpPrintingFlagsDestroy(flags);
        }
        text
    }

    /// All of the module but positions, as operations in their generic form.
    pub(crate) fn content(&self) -> String {
        let mut text = String::new();
        // SAFETY: as in `text`. The module was verified when it was made.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            mlirOpPrintingFlagsPrintGenericOpForm(flags);
            mlirOpPrintingFlagsAssumeVerified(flags);
            let module = mlirModuleGetOperation(self.module.0);
            mlirOperationPrintWithFlags(module, flags, Some(append), (&raw mut text).cast());
            mlirOpPrintingFlagsDestroy(flags);
        }
        text
    }

    /// All ops, in the order of their numbers.
    pub(crate) fn origins(&self) -> Vec<Origin> {
        let mut found = Found::default();
        // SAFETY: the module is alive, and `found` outlives the call that appends to it.
        unsafe {
            ffi::janusModuleForEachOp(self.module.0, append_op, (&raw mut found).cast());
        }
        found.origins
    }

    /// Slots of tensors of which nothing reads an element.
    pub(crate) fn unread(&self) -> Vec<usize> {
        let mut slots: Vec<usize> = Vec::new();
        // SAFETY: the module is alive, and `slots` outlives the call that appends to it.
        unsafe {
            ffi::janusModuleForEachUnread(self.module.0, append_slot, (&raw mut slots).cast());
        }
        slots
    }

    /// The commits of the module's first function.
    pub(crate) fn commits(&self) -> Vec<Commit> {
        let mut commits: Vec<Commit> = Vec::new();
        // SAFETY: the module is alive, and `commits` outlives the call that appends to it.
        unsafe {
            ffi::janusModuleForEachCommit(self.module.0, append_commit, (&raw mut commits).cast());
        }
        commits
    }

    /// The module, which is in the LLVM dialect, as LLVM bitcode.
    pub(crate) fn to_llvm_bitcode(&self, device: bool) -> Result<Vec<u8>, DialectError> {
        let mut bytes: Vec<u8> = Vec::new();
        let translate = if device {
            ffi::janusDeviceToLLVMBitcode
        } else {
            ffi::janusModuleToLLVMBitcode
        };
        let (result, diagnostics) = capture(&self.context, || {
            // SAFETY: the module is alive, and `bytes` outlives the call that appends to it.
            unsafe { translate(self.module.0, append_bytes, (&raw mut bytes).cast()) }
        });
        if result.value != 0 {
            Ok(bytes)
        } else {
            Err(DialectError::Mlir {
                action: "translating to LLVM IR",
                diagnostics,
            })
        }
    }
}

fn new_context() -> Context {
    let context = Context::new_with_threading(false);
    // SAFETY: the context is alive and new.
    unsafe { ffi::janusContextSetUp(context.to_raw()) };
    context
}

/// Runs `action` and collects the diagnostics that `context` emits meanwhile.
pub(crate) fn capture<R>(context: &Context, action: impl FnOnce() -> R) -> (R, Diagnostics) {
    struct Release<'c>(&'c Context, mlir_sys::MlirDiagnosticHandlerID);
    impl Drop for Release<'_> {
        fn drop(&mut self) {
            // SAFETY: the context is alive and the handler is attached to it.
            unsafe { ffi::janusContextReleaseDiagnostics(self.0.to_raw(), self.1) }
        }
    }

    let texts: RefCell<Vec<Diagnostic>> = RefCell::default();
    // SAFETY: the handler is detached, by `release`, before `texts` goes.
    let id = unsafe {
        ffi::janusContextCaptureDiagnostics(
            context.to_raw(),
            note,
            (&raw const texts).cast_mut().cast(),
        )
    };
    let release = Release(context, id);
    let result = action();
    drop(release);
    (result, Diagnostics(texts.into_inner()))
}

/// The bytes behind a string reference.
///
/// # Safety
/// They must be alive for as long as the result is used.
unsafe fn bytes_of<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 {
        return &[];
    }
    // SAFETY: MLIR passes a valid pointer and length, which the caller keeps alive.
    unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) }
}

/// Adds a diagnostic to the `RefCell<Vec<Diagnostic>>` behind `user_data`.
unsafe extern "C" fn note(raw: ffi::RawDiagnostic, user_data: *mut c_void) {
    // SAFETY: `capture` passes a pointer to its live cell; the texts live during the call.
    let (all, text, message) = unsafe {
        (
            &*user_data.cast::<RefCell<Vec<Diagnostic>>>(),
            bytes_of(raw.text),
            bytes_of(raw.message),
        )
    };
    if let Ok(mut all) = all.try_borrow_mut() {
        all.push(Diagnostic {
            text: String::from_utf8_lossy(text).into_owned(),
            message: String::from_utf8_lossy(message).into_owned(),
            line: raw.line,
            limitation: Limitation::of_code(raw.code),
        });
    }
}

/// Appends to the `String` behind `user_data`.
unsafe extern "C" fn append(text: MlirStringRef, user_data: *mut c_void) {
    // SAFETY: `text` passes a pointer to its live string, which nothing else uses meanwhile.
    let (whole, bytes) = unsafe { (&mut *user_data.cast::<String>(), bytes_of(text)) };
    whole.push_str(&String::from_utf8_lossy(bytes));
}

/// Ops, and their texts once each.
#[derive(Default)]
struct Found {
    texts: HashSet<Arc<str>>,
    origins: Vec<Origin>,
}

impl Found {
    fn text(&mut self, bytes: &[u8]) -> Arc<str> {
        let text = String::from_utf8_lossy(bytes);
        if let Some(known) = self.texts.get(&*text) {
            return known.clone();
        }
        let text: Arc<str> = text.into();
        self.texts.insert(text.clone());
        text
    }
}

/// Appends to the slots behind `user_data`.
unsafe extern "C" fn append_slot(slot: i64, user_data: *mut c_void) {
    // SAFETY: `unread` passes a pointer to its live value, which nothing else uses meanwhile.
    let slots = unsafe { &mut *user_data.cast::<Vec<usize>>() };
    slots.extend(usize::try_from(slot));
}

/// Appends to the `Found` behind `user_data`.
unsafe extern "C" fn append_op(raw: ffi::RawOp, user_data: *mut c_void) {
    // SAFETY: `origins` passes a pointer to its live value, which nothing else uses meanwhile; the
    // texts live during the call.
    let (found, name, file) = unsafe {
        (
            &mut *user_data.cast::<Found>(),
            bytes_of(raw.name),
            bytes_of(raw.file),
        )
    };
    let (op, file) = (found.text(name), found.text(file));
    found.origins.push(Origin {
        op,
        file,
        line: raw.line,
    });
}

/// Appends to the `Vec<Commit>` behind `user_data`.
unsafe extern "C" fn append_commit(raw: ffi::RawCommit, user_data: *mut c_void) {
    // SAFETY: `commits` passes a pointer to its live vector, which nothing else uses meanwhile;
    // the text lives during the call.
    let (commits, kind) = unsafe { (&mut *user_data.cast::<Vec<Commit>>(), bytes_of(raw.kind)) };
    commits.push(Commit {
        slot: raw.slot,
        kind: String::from_utf8_lossy(kind).into_owned(),
        first_result: usize::try_from(raw.first).unwrap_or_default(),
        values: usize::try_from(raw.count).unwrap_or_default(),
        conditional: raw.conditional,
    });
}

/// Appends to the `Vec<u8>` behind `user_data`.
unsafe extern "C" fn append_bytes(text: MlirStringRef, user_data: *mut c_void) {
    // SAFETY: `to_llvm_bitcode` passes a pointer to its live vector, which nothing else uses
    // meanwhile.
    let (whole, bytes) = unsafe { (&mut *user_data.cast::<Vec<u8>>(), bytes_of(text)) };
    whole.extend_from_slice(bytes);
}
