/*===- CAPI.h - the narrow C interface to the dialect -----------------*- C -*-===*\
|*                                                                              *|
|* In: contexts, modules and text. Out: what the Rust binding needs beyond      *|
|* MLIR's own C API.                                                            *|
|* Holds: no function aborts on bad input; errors arrive as diagnostics of the  *|
|* context.                                                                     *|
|*                                                                              *|
\*===----------------------------------------------------------------------===*/

#ifndef JANUS_CAPI_H
#define JANUS_CAPI_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Janus, janus);

/** Registers janus's dialects with a new context and loads the graph stage's. The first call in a
 * process registers the passes. */
MLIR_CAPI_EXPORTED void janusContextSetUp(MlirContext context);

/** !janus.object and !janus.token. */
MLIR_CAPI_EXPORTED MlirType janusObjectTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED MlirType janusTokenTypeGet(MlirContext context);

/** A diagnostic. `text` is all of it, notes included: "file:line:col: error: message"; `message` is the
 * message alone. A line that is not known is 0. `code` is that of what a pass has no form for (janus/Transforms/
 * Limitation.h), and 0 for everything else. */
typedef struct {
  MlirStringRef text;
  MlirStringRef message;
  unsigned line;
  unsigned code;
} JanusDiagnostic;
typedef void (*JanusDiagnosticCallback)(JanusDiagnostic diagnostic, void *userData);

/** Calls `handler` with every diagnostic of `context`, one call each. Returns an id to detach it with. */
MLIR_CAPI_EXPORTED MlirDiagnosticHandlerID janusContextCaptureDiagnostics(
    MlirContext context, JanusDiagnosticCallback handler, void *userData);
MLIR_CAPI_EXPORTED void janusContextReleaseDiagnostics(MlirContext context,
                                                       MlirDiagnosticHandlerID id);

/** Runs a pass pipeline, in its textual form, over a module. */
MLIR_CAPI_EXPORTED MlirLogicalResult janusRunPipeline(MlirModule module, MlirStringRef pipeline,
                                                      bool verifyEach);

/** Parses a module; `name` is what diagnostics call the text. A null module on error. */
MLIR_CAPI_EXPORTED MlirModule janusParse(MlirContext context, MlirStringRef text,
                                         MlirStringRef name);

/** Appends a graph with an empty body to the module; the body's arguments have `types`. The first
 * graph is public, the others can only be invoked. */
MLIR_CAPI_EXPORTED MlirBlock janusGraphCreate(MlirModule module, MlirStringRef name,
                                              intptr_t arguments, MlirType const *types);

/** Ends such a body with janus.return and gives the graph its type. */
MLIR_CAPI_EXPORTED void janusGraphFinish(MlirBlock body, intptr_t values,
                                         MlirValue const *returned);

/** The number of ops in the bodies of the module's graphs and functions, terminators aside. */
MLIR_CAPI_EXPORTED intptr_t janusModuleCountOps(MlirModule module);

/** An op: its name without the dialect's, its file and line; an empty file is unknown. */
typedef struct {
  MlirStringRef name;
  MlirStringRef file;
  unsigned line;
} JanusOp;

/** Calls `handler` with each op of the module, in the order in which janus-number-ops counts. */
MLIR_CAPI_EXPORTED void janusModuleForEachOp(MlirModule module, void (*handler)(JanusOp, void *),
                                             void *userData);

/** Calls `handler` with the slot of each tensor that is read at entry and of which no op reads an element: at most its
    extents. */
MLIR_CAPI_EXPORTED void janusModuleForEachUnread(MlirModule module,
                                                 void (*handler)(int64_t, void *), void *userData);

/** One entry of `janus.commits`, see LowerState.cpp. */
typedef struct {
  int64_t slot;
  MlirStringRef kind;
  int64_t first;
  int64_t count;
  bool conditional;
} JanusCommit;

/** Calls `handler` with each commit of the module's first function, in slot order. */
MLIR_CAPI_EXPORTED void janusModuleForEachCommit(MlirModule module,
                                                 void (*handler)(JanusCommit, void *),
                                                 void *userData);

/** Translates a module in the LLVM dialect to LLVM bitcode, which `handler` gets in pieces. */
MLIR_CAPI_EXPORTED MlirLogicalResult janusModuleToLLVMBitcode(MlirModule module,
                                                              MlirStringCallback handler,
                                                              void *userData);

/** The same of the device module inside it, after `janus-nvvm`; fails where there is none. */
MLIR_CAPI_EXPORTED MlirLogicalResult janusDeviceToLLVMBitcode(MlirModule module,
                                                              MlirStringCallback handler,
                                                              void *userData);

#ifdef __cplusplus
}
#endif

#endif /* JANUS_CAPI_H */
