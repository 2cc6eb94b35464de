//===- Pipelines.cpp - the named pipelines of this folder -----------------===//
//
// In: a module of janus.graph ops, as the speculator made them. Out (`janus-graph-opt`): one
// function per graph in the structured stage: tensors and scalars in, tensors and scalars out.
// Holds: nothing shares or folds ops before autodiff, because the order in which a gradient is
// added up is the order of the ops that tier 0 ran.
//
//===----------------------------------------------------------------------===//

#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

std::unique_ptr<Pass> janus::createQuickCanonicalizer() {
  // The pattern has no label: its name is that of its class, as either compiler writes it.
  static const std::string slow[] = {
      "(anonymous namespace)::RemoveDuplicateSuccessorInputUses",
      "{anonymous}::RemoveDuplicateSuccessorInputUses",
  };
  // The pass's own default, which is not the config's: merged blocks would make arguments of their stack slots, and
  // only of a slot itself may LLVM be told how long it is used.
  auto config = GreedyRewriteConfig().setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Normal);
  return createCanonicalizerPass(config, slow);
}

void janus::buildGraphOptPipeline(OpPassManager &pm, Switches &switches) {
  pm.addPass(createVerifyStage({/*stage=*/"graph"}));
  pm.addPass(createNumberOps());
  if (switches.on("inline"))
    pm.addPass(createInline());
  pm.addPass(createStructurize());
  pm.addPass(createLowerState());
  pm.addPass(createAutodiff());
  pm.addPass(createSplitBackward());
  if (switches.on("canonicalize"))
    pm.addPass(createQuickCanonicalizer());
  if (switches.on("fold"))
    pm.addPass(createSCCPPass());
  if (switches.on("cse"))
    pm.addPass(createCSEPass());
  if (switches.on("licm"))
    pm.addNestedPass<func::FuncOp>(createLoopInvariantCodeMotionPass());
  pm.addNestedPass<func::FuncOp>(createSumParts());
  if (switches.on("dce")) {
    pm.addNestedPass<func::FuncOp>(createRemoveUnused());
    pm.addPass(createSymbolDCEPass());
  }
  pm.addPass(createVerifyStage({/*stage=*/"structured"}));
}

void janus::registerTransformsPipelines() {
  registerPipeline("janus-graph-opt", "From the speculator's graph to the structured stage",
                   buildGraphOptPipeline);
}
