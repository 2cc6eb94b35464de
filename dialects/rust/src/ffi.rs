//! The C API of the dialect (dialects/include/janus/CAPI.h).

use std::ffi::{c_uint, c_void};

use mlir_sys::{
    MlirBlock, MlirContext, MlirDiagnosticHandlerID, MlirLogicalResult, MlirModule, MlirStringRef,
    MlirType, MlirValue,
};

pub(crate) type StringCallback = unsafe extern "C" fn(MlirStringRef, *mut c_void);

/// `JanusCommit`
#[repr(C)]
pub(crate) struct RawCommit {
    pub(crate) slot: i64,
    pub(crate) kind: MlirStringRef,
    pub(crate) first: i64,
    pub(crate) count: i64,
    pub(crate) conditional: bool,
}

/// `JanusOp`
#[repr(C)]
pub(crate) struct RawOp {
    pub(crate) name: MlirStringRef,
    pub(crate) file: MlirStringRef,
    pub(crate) line: c_uint,
}

/// `JanusDiagnostic`
#[repr(C)]
pub(crate) struct RawDiagnostic {
    pub(crate) text: MlirStringRef,
    pub(crate) message: MlirStringRef,
    pub(crate) line: c_uint,
    pub(crate) code: c_uint,
}

/// `JanusDiagnosticCallback`
pub(crate) type DiagnosticCallback = unsafe extern "C" fn(RawDiagnostic, *mut c_void);

unsafe extern "C" {
    pub(crate) fn janusContextSetUp(context: MlirContext);
    pub(crate) fn janusObjectTypeGet(context: MlirContext) -> MlirType;
    pub(crate) fn janusTokenTypeGet(context: MlirContext) -> MlirType;
    pub(crate) fn janusContextCaptureDiagnostics(
        context: MlirContext,
        handler: DiagnosticCallback,
        user_data: *mut c_void,
    ) -> MlirDiagnosticHandlerID;
    pub(crate) fn janusContextReleaseDiagnostics(context: MlirContext, id: MlirDiagnosticHandlerID);
    pub(crate) fn janusRunPipeline(
        module: MlirModule,
        pipeline: MlirStringRef,
        verify_each: bool,
    ) -> MlirLogicalResult;
    pub(crate) fn janusParse(
        context: MlirContext,
        text: MlirStringRef,
        name: MlirStringRef,
    ) -> MlirModule;
    pub(crate) fn janusGraphCreate(
        module: MlirModule,
        name: MlirStringRef,
        arguments: isize,
        types: *const MlirType,
    ) -> MlirBlock;
    pub(crate) fn janusGraphFinish(body: MlirBlock, values: isize, returned: *const MlirValue);
    pub(crate) fn janusModuleCountOps(module: MlirModule) -> isize;
    pub(crate) fn janusModuleForEachOp(
        module: MlirModule,
        handler: unsafe extern "C" fn(RawOp, *mut c_void),
        user_data: *mut c_void,
    );
    pub(crate) fn janusModuleForEachUnread(
        module: MlirModule,
        handler: unsafe extern "C" fn(i64, *mut c_void),
        user_data: *mut c_void,
    );
    pub(crate) fn janusModuleForEachCommit(
        module: MlirModule,
        handler: unsafe extern "C" fn(RawCommit, *mut c_void),
        user_data: *mut c_void,
    );
    pub(crate) fn janusDeviceToLLVMBitcode(
        module: MlirModule,
        handler: StringCallback,
        user_data: *mut c_void,
    ) -> MlirLogicalResult;
    pub(crate) fn janusModuleToLLVMBitcode(
        module: MlirModule,
        handler: StringCallback,
        user_data: *mut c_void,
    ) -> MlirLogicalResult;
}

/// A string reference that lives as long as `text`.
pub(crate) fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}
