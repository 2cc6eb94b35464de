//===- InitAll.h - what a process and a context register --------*- C++ -*-===//
//
// In: nothing. Out: the one list of passes, dialects and interfaces that janus needs, for
// janus-opt and for the C API alike.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_INITALL_H
#define JANUS_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace janus {

/// Registers the dialects that our passes read or write, with the external models that they use.
/// Registering is cheap: a dialect is loaded when it is first needed.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers our passes and named pipelines, and the upstream passes that the latter name. Once
/// per process.
void registerAllPasses();

} // namespace janus

#endif // JANUS_INITALL_H
