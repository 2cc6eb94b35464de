//===- Pipelines.cpp - The named pipelines of this folder -------------------===//
//
// In: functions in the structured stage. `janus-linalg` ends with fused loops on
// tensors, `janus-buffers` with loops on planned buffers, one kernel a function,
// `janus-llvm` with the LLVM dialect only.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"
#include "janus/Transforms/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Folds inside each function, which later passes rely on, and shares.
static void addCleanup(OpPassManager &pm, bool share) {
  pm.addNestedPass<func::FuncOp>(janus::createQuickCanonicalizer());
  if (share)
    pm.addNestedPass<func::FuncOp>(createCSEPass());
}

void janus::buildLinalgPipeline(OpPassManager &pm, Switches &switches) {
  bool share = switches.on("cse");
  pm.addNestedPass<func::FuncOp>(createJanusAlignLoops());
  if (switches.on("carry-in-place"))
    pm.addNestedPass<func::FuncOp>(createJanusCarryInPlace());
  pm.addPass(createJanusCarrySums());
  pm.addPass(createJanusToLinalg());
  addCleanup(pm, share);
  pm.addNestedPass<func::FuncOp>(createJanusSinkIntoBranches());
  if (switches.on("fuse"))
    pm.addNestedPass<func::FuncOp>(createJanusFuseElementwise());
  // Before anything folds what fusion made constant: see the pass.
  pm.addPass(createJanusExpandMath());
  pm.addNestedPass<func::FuncOp>(createLinalgFoldUnitExtentDimsPass());
  addCleanup(pm, share);
}

void janus::buildBuffersPipeline(OpPassManager &pm, Switches &switches) {
  bool share = switches.on("cse");
  pm.addNestedPass<func::FuncOp>(createJanusAlignLoops());
  pm.addPass(createJanusOwnBuffers());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.allowReturnAllocsFromLoops = true;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanup(pm, share);
  pm.addPass(createJanusDropCarried());
  pm.addNestedPass<func::FuncOp>(createJanusDistinctResults());
  // Each buffer is freed once, and right after its last use.
  pm.addPass(memref::createExpandReallocPass());
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  addCleanup(pm, share);
  pm.addNestedPass<func::FuncOp>(createJanusSplitDeallocations());
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  addCleanup(pm, share);
  pm.addNestedPass<func::FuncOp>(
      bufferization::createOptimizeAllocationLivenessPass());
  pm.addPass(createConvertBufferizationToMemRefPass());

  if (switches.on("parallel"))
    pm.addNestedPass<func::FuncOp>(createJanusParallelize());
  pm.addNestedPass<func::FuncOp>(createJanusContractToGemm());
  pm.addNestedPass<func::FuncOp>(createJanusRoutineToCall());
  pm.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
  if (switches.on("collapse"))
    pm.addNestedPass<func::FuncOp>(createJanusCollapseLoops());
  addCleanup(pm, share);
  JanusOutlineKernelsOptions kernels;
  kernels.split = switches.on("parallel");
  pm.addPass(createJanusOutlineKernels(kernels));
  if (switches.on("plan-buffers"))
    pm.addNestedPass<func::FuncOp>(createJanusPlanBuffers());
  pm.addPass(createJanusDescribe());
}

void janus::buildLLVMPipeline(OpPassManager &pm, Switches &switches) {
  if (switches.on("interleave"))
    pm.addNestedPass<func::FuncOp>(createJanusInterleaveReductions());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createJanusLowerAllocation());
  pm.addNestedPass<func::FuncOp>(createJanusExpandViews());
  pm.addPass(createJanusPackEntry());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createJanusControlToBranches());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createJanusOutlineParts());
  pm.addPass(janus::createQuickCanonicalizer());
}

void janus::buildGpuPipeline(OpPassManager &pm, Switches &switches) {
  JanusOutlineKernelsOptions kernels;
  kernels.all = true;
  pm.addPass(createJanusOutlineKernels(kernels));
  JanusKernelsToGpuOptions device;
  device.trees = switches.on("trees");
  pm.addPass(createJanusKernelsToGpu(device));
  pm.addNestedPass<gpu::GPUModuleOp>(janus::createQuickCanonicalizer());
  if (switches.on("cse"))
    pm.addNestedPass<gpu::GPUModuleOp>(createCSEPass());
}

void janus::buildNvvmPipeline(OpPassManager &pm, Switches &switches) {
  OpPassManager &device = pm.nest<gpu::GPUModuleOp>();
  device.addPass(createJanusDeviceMath());
  device.addPass(createSCFToControlFlowPass());
  device.addPass(memref::createExpandStridedMetadataPass());
  device.addPass(createConvertGpuOpsToNVVMOps());
  device.addPass(createReconcileUnrealizedCastsPass());
}

void janus::registerConversionPipelines() {
  registerPipeline("janus-linalg", "From the structured stage to fused loops on tensors",
                   buildLinalgPipeline);
  registerPipeline("janus-buffers", "From loops on tensors to kernels on buffers",
                   buildBuffersPipeline);
  registerPipeline("janus-gpu", "From kernels on buffers to a device module and its launches",
                   buildGpuPipeline);
  registerPipeline("janus-nvvm", "From a device module to the LLVM dialect", buildNvvmPipeline);
  registerPipeline("janus-llvm", "From kernels to the LLVM dialect", buildLLVMPipeline);
}

void janus::registerConversionDialects(DialectRegistry &registry) {
  registry.insert<JanusDialect, affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, func::FuncDialect,
                  gpu::GPUDialect, NVVM::NVVMDialect, linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect,
                  tensor::TensorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  // Without it a buffer that a select may yield would be freed before the select's uses.
  arith::registerBufferViewFlowOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  rememberBufferTypes(registry);
  registerRoutineBuffers(registry);
  registerCallBuffers(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  // The conversion of a device module asks dialects for their patterns.
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  registerGPUDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}
