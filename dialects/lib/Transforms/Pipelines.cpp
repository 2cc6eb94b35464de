//===- Pipelines.cpp - the named pipelines of this folder -----------------===//
//
// In: a module of janus.graph ops, as the speculator made them. Out (`janus-graph-opt`): one
// function per graph in the structured stage: tensors and scalars in, tensors and scalars out.
// Holds: nothing shares or folds ops before autodiff, because the order in which a gradient is
// added up is the order of the ops that tier 0 ran.
//
//===----------------------------------------------------------------------===//

#include "janus/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void janus::buildGraphOptPipeline(OpPassManager &pm) {
  pm.addPass(createVerifyStage({/*stage=*/"graph"}));
  pm.addPass(createInline());
  pm.addPass(createStructurize());
  pm.addPass(createLowerState());
  pm.addPass(createAutodiff());
  pm.addPass(createSplitBackward());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createVerifyStage({/*stage=*/"structured"}));
}

void janus::registerTransformsPipelines() {
  PassPipelineRegistration<>("janus-graph-opt",
                             "From the speculator's graph to the structured stage",
                             buildGraphOptPipeline);
}
