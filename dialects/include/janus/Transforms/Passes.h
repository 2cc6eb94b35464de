//===- Passes.h - passes on the graph and structured stages -----*- C++ -*-===//
//
// In: Passes.td. Out: constructors and registration of the passes and the named pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_TRANSFORMS_PASSES_H
#define JANUS_TRANSFORMS_PASSES_H

#include "janus/Switches.h"

#include "mlir/Pass/Pass.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace janus {

#define GEN_PASS_DECL
#include "janus/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "janus/Transforms/Passes.h.inc"

/// What runs between the emit stages `graph` and `graph-opt`: inline, structurise, lower state,
/// differentiate, then simplify. Registered as `janus-graph-opt`.
void buildGraphOptPipeline(mlir::OpPassManager &pm, Switches &switches);

/// `canonicalize` without a pattern that compares all results of an op with branches, whenever one of them changes:
/// with a few hundred results in branches inside of one another it takes minutes.
std::unique_ptr<mlir::Pass> createQuickCanonicalizer();

/// Registers the named pipelines of this folder.
void registerTransformsPipelines();

} // namespace janus

#endif // JANUS_TRANSFORMS_PASSES_H
