//===- InitAll.cpp - what a process and a context register ----------------===//

#include "janus/InitAll.h"

#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"
#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void janus::registerAllDialects(DialectRegistry &registry) {
  registry.insert<JanusDialect, arith::ArithDialect, func::FuncDialect, scf::SCFDialect,
                  tensor::TensorDialect>();
  func::registerInlinerExtension(registry);
  registerConversionDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

void janus::registerAllPasses() {
  registerTransformsPasses(); // upstream's: canonicalize, cse, inline, symbol-dce
  registerJanusTransformsPasses();
  registerTransformsPipelines();
  registerJanusConversionPasses();
  registerConversionPipelines();
}
