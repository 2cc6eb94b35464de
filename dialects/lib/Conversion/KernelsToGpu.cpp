//===- KernelsToGpu.cpp - Kernels on buffers to a device module -------------===//
//
// In: the buffers stage without `parallel`: entries that call one function a loop
// nest. Out: those functions are `gpu.func`s of the module `janus_device`, launched
// where they were called, and the entries' own accesses to buffers are copies.
//
// Holds: every buffer of an entry is the device's. Routines of the library and kernels that
// have no device form yet keep their calls, with the attribute `janus.host_routine` that says
// why; with `strict` they are a limitation. Nothing is run on the host in silence.
//
//===----------------------------------------------------------------------===//

#include "DeviceLoops.h"
#include "LoopNests.h"
#include "janus/Conversion/Passes.h"
#include "janus/Transforms/Limitation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "GpuRoutinesText.h"

namespace janus {
#define GEN_PASS_DEF_JANUSKERNELSTOGPU
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

constexpr llvm::StringLiteral deviceName = "janus_device";
constexpr llvm::StringLiteral hostRoutine = "janus.host_routine";

/// The loop nest of a function that OutlineKernels made, or null.
linalg::LinalgOp nestOf(func::FuncOp function) {
  if (!function.isPrivate() || function.isDeclaration() || function.getNumResults() != 0 ||
      !function.getBody().hasOneBlock())
    return {};
  linalg::LinalgOp nest;
  for (Operation &op : function.front().without_terminator()) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (nest)
        return {};
      nest = linalgOp;
    } else if (!isMemoryEffectFree(&op)) {
      return {};
    }
  }
  return nest;
}

/// What a loop's body needs and a device has not, in words; empty where there is nothing.
std::string missingIn(Operation *nest) {
  std::string missing;
  nest->walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      missing = ("it calls " + call.getCallee()).str();
    else if (isa<arith::RemFOp>(op))
      missing = "it takes a remainder of floats";
  });
  return missing;
}

/// The device's routine in place of the library's, by the name of the latter.
StringRef deviceRoutine(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("janus_rt_gemm_f32", "janus_gemm_f32")
      .Case("janus_rt_gemm_f64", "janus_gemm_f64")
      .Default("");
}

class Converter {
public:
  Converter(ModuleOp module, bool strict, bool trees)
      : module(module), strict(strict), trees(trees), b(module.getLoc(), module.getContext()) {}

  LogicalResult run();

private:
  LogicalResult convertKernel(func::FuncOp function, linalg::LinalgOp nest);
  LogicalResult convertLoop(func::FuncOp function);
  /// A kernel without a body that is to take the place of a function.
  gpu::GPUFuncOp makeKernel(func::FuncOp function, ArrayRef<Type> shared, IRMapping &mapping);
  /// Replaces a function's calls by launches of so many blocks.
  void launchCalls(func::FuncOp function, gpu::GPUFuncOp kernel, function_ref<Value(const IRMapping &)> grid);
  void keepOnHost(func::FuncOp function, StringRef why);
  void launch(gpu::GPUFuncOp kernel, Value grid, Value threads, ValueRange arguments);
  LogicalResult convertRoutine(LLVM::CallOp call);
  void convertEntry(func::FuncOp entry);
  /// One element of a buffer, as a buffer.
  Value element(Value memref, ValueRange indices);

  ModuleOp module;
  bool strict, trees;
  ImplicitLocOpBuilder b;
  gpu::GPUModuleOp device;
};

void Converter::launch(gpu::GPUFuncOp kernel, Value grid, Value threads, ValueRange arguments) {
  Value one = arith::ConstantIndexOp::create(b, 1);
  gpu::LaunchFuncOp::create(b, kernel, gpu::KernelDim3{grid, one, one}, gpu::KernelDim3{threads, one, one},
                            /*dynamicSharedMemorySize=*/Value(), arguments);
}

void Converter::keepOnHost(func::FuncOp function, StringRef why) {
  auto uses = SymbolTable::getSymbolUses(function, module);
  for (SymbolTable::SymbolUse use : *uses)
    use.getUser()->setAttr(hostRoutine, b.getStringAttr(why));
}

gpu::GPUFuncOp Converter::makeKernel(func::FuncOp function, ArrayRef<Type> shared, IRMapping &mapping) {
  b.setInsertionPointToEnd(device.getBody());
  b.setLoc(function.getLoc());
  auto kernel = gpu::GPUFuncOp::create(b, function.getName(), function.getFunctionType(), shared);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  kernel->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                  b.getDenseI32ArrayAttr({int32_t(janus::blockThreads), 1, 1}));
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName()))
      kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
  b.setInsertionPointToStart(&kernel.getBody().front());
  for (auto [outer, inner] : llvm::zip(function.getArguments(), kernel.getArguments()))
    mapping.map(outer, inner);
  // What is not the loops themselves: buffers from pointers, constants.
  for (Operation &op : function.front().without_terminator())
    if (!isa<linalg::LinalgOp, scf::ForOp>(op))
      b.clone(op, mapping);
  return kernel;
}

void Converter::launchCalls(func::FuncOp function, gpu::GPUFuncOp kernel,
                            function_ref<Value(const IRMapping &)> grid) {
  auto uses = SymbolTable::getSymbolUses(function, module);
  for (SymbolTable::SymbolUse use : *uses) {
    auto call = cast<func::CallOp>(use.getUser());
    b.setInsertionPoint(call);
    b.setLoc(call.getLoc());
    IRMapping outer;
    for (auto [parameter, argument] : llvm::zip(function.getArguments(), call.getOperands()))
      outer.map(parameter, argument);
    // A kernel has its own copies of constants.
    for (Operation &op : function.front().without_terminator())
      if (op.hasTrait<OpTrait::ConstantLike>())
        b.clone(op, outer);
    launch(kernel, grid(outer), arith::ConstantIndexOp::create(b, janus::blockThreads), call.getOperands());
    call.erase();
  }
  function.erase();
}

LogicalResult Converter::convertKernel(func::FuncOp function, linalg::LinalgOp nest) {
  std::optional<janus::DeviceLoops> loops = janus::DeviceLoops::of(nest, trees);
  std::string missing = loops ? missingIn(nest) : "its iterations are not independent";
  if (!missing.empty()) {
    if (strict)
      return janus::limit(nest->emitOpError("has no form for a device: ") << missing,
                          janus::Limitation::device);
    keepOnHost(function, missing);
    return success();
  }
  IRMapping mapping;
  gpu::GPUFuncOp kernel = makeKernel(function, loops->sharedTypes(), mapping);
  b.setLoc(nest.getLoc());
  loops->emitBody(b, mapping, kernel.getWorkgroupAttributions());
  gpu::ReturnOp::create(b);
  launchCalls(function, kernel, [&](const IRMapping &outer) { return loops->emitGrid(b, outer); });
  return success();
}

/// A thread for each iteration of the independent loops of a nest, or one for all of it.
LogicalResult Converter::convertLoop(func::FuncOp function) {
  auto loop = *function.front().getOps<scf::ForOp>().begin();
  if (std::string missing = missingIn(loop); !missing.empty()) {
    if (strict)
      return janus::limit(loop->emitOpError("has no form for a device: ") << missing,
                          janus::Limitation::device);
    keepOnHost(function, missing);
    return success();
  }
  ArrayRef<int64_t> independent = function->getAttrOfType<DenseI64ArrayAttr>(janus::independentLoops).asArrayRef();
  IRMapping mapping;
  gpu::GPUFuncOp kernel = makeKernel(function, {}, mapping);
  b.setLoc(loop.getLoc());
  Value size = arith::ConstantIndexOp::create(b, janus::blockThreads);
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  Value number = arith::AddIOp::create(b, arith::MulIOp::create(b, block, size).getResult(), thread);
  Value all = janus::independentIterations(b, loop, independent, mapping);
  Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, all);
  auto guard = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
  gpu::ReturnOp::create(b);
  b.setInsertionPointToStart(&guard.getThenRegion().front());
  janus::emitIteration(b, loop, independent, number, mapping);
  launchCalls(function, kernel, [&](const IRMapping &outer) -> Value {
    Value count = janus::independentIterations(b, loop, independent, outer);
    Value blocks = b.createOrFold<arith::CeilDivUIOp>(
        count, arith::ConstantIndexOp::create(b, janus::blockThreads));
    return b.createOrFold<arith::MaxUIOp>(blocks, arith::ConstantIndexOp::create(b, 1));
  });
  return success();
}

/// A product of matrices is a kernel of its own, of which there is one text.
LogicalResult Converter::convertRoutine(LLVM::CallOp call) {
  std::optional<StringRef> callee = call.getCallee();
  if (!callee || !callee->starts_with("janus_rt_"))
    return success();
  StringRef name = trees ? deviceRoutine(*callee) : "";
  if (name.empty()) {
    if (strict)
      return janus::limit(call.emitOpError("has no form for a device: ") << *callee,
                          janus::Limitation::device);
    call->setAttr(hostRoutine, b.getStringAttr("a routine of the library"));
    return success();
  }
  auto kernel = device.lookupSymbol<gpu::GPUFuncOp>(name);
  if (!kernel) {
    // One text for both types: see there.
    std::string text = janus::gpuRoutinesText;
    if (name.ends_with("f64"))
      for (size_t at = 0; (at = text.find("f32", at)) != std::string::npos;)
        text.replace(at, 3, "f64");
    OwningOpRef<ModuleOp> texts = parseSourceString<ModuleOp>(text, b.getContext());
    auto known = texts ? texts->lookupSymbol<gpu::GPUModuleOp>(deviceName) : gpu::GPUModuleOp();
    kernel = known ? known.lookupSymbol<gpu::GPUFuncOp>(name) : gpu::GPUFuncOp();
    if (!kernel)
      return call.emitOpError("the device's routines do not parse");
    kernel->remove();
    device.getBody()->push_back(kernel);
  }
  b.setInsertionPoint(call);
  b.setLoc(call.getLoc());
  // A block of 16 x 16 threads makes as many elements of the result.
  auto tiles = [&](Value extent) -> Value {
    Value index = b.createOrFold<arith::IndexCastOp>(b.getIndexType(), extent);
    Value all = b.createOrFold<arith::CeilDivSIOp>(index, arith::ConstantIndexOp::create(b, 16));
    return b.createOrFold<arith::MaxSIOp>(all, arith::ConstantIndexOp::create(b, 1));
  };
  Value grid = b.createOrFold<arith::MulIOp>(tiles(call.getOperand(0)), tiles(call.getOperand(1)));
  launch(kernel, grid, arith::ConstantIndexOp::create(b, 256), call.getOperands());
  call.erase();
  return success();
}

Value Converter::element(Value memref, ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getRank() == 0)
    return memref;
  SmallVector<OpFoldResult> offsets(indices.begin(), indices.end());
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  auto one = memref::SubViewOp::inferRankReducedResultType({}, type, offsets, ones, ones);
  return memref::SubViewOp::create(b, cast<MemRefType>(one), memref, offsets, ones, ones);
}

/// Buffers are the device's: what is made, freed, copied, read and written here is so by the driver.
void Converter::convertEntry(func::FuncOp entry) {
  llvm::DenseMap<StringRef, Value> constants;
  SmallVector<Operation *> worklist;
  entry.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::DeallocOp, memref::CopyOp, memref::LoadOp, memref::StoreOp,
            memref::GetGlobalOp>(op))
      worklist.push_back(op);
  });
  for (Operation *op : worklist) {
    b.setInsertionPoint(op);
    b.setLoc(op->getLoc());
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      auto made = gpu::AllocOp::create(b, alloc.getType(), Type(), ValueRange(), alloc.getDynamicSizes(),
                                       ValueRange());
      alloc.replaceAllUsesWith(made.getMemref());
    } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      gpu::DeallocOp::create(b, Type(), ValueRange(), dealloc.getMemref());
    } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      gpu::MemcpyOp::create(b, TypeRange(), ValueRange(), copy.getTarget(), copy.getSource());
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      auto scalar = MemRefType::get({}, load.getType());
      b.setInsertionPointToStart(&entry.front());
      Value here = memref::AllocaOp::create(b, scalar);
      b.setInsertionPoint(op);
      gpu::MemcpyOp::create(b, TypeRange(), ValueRange(), here, element(load.getMemRef(), load.getIndices()));
      load.replaceAllUsesWith(memref::LoadOp::create(b, here, ValueRange()).getResult());
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      gpu::MemsetOp::create(b, TypeRange(), ValueRange(), element(store.getMemRef(), store.getIndices()),
                            store.getValue());
    } else {
      auto global = cast<memref::GetGlobalOp>(op);
      Value &known = constants[global.getName()];
      if (!known) {
        b.setInsertionPointToStart(&entry.front());
        Value host = memref::GetGlobalOp::create(b, global.getType(), global.getName());
        known = gpu::AllocOp::create(b, global.getType(), Type(), ValueRange(), ValueRange(), ValueRange())
                    .getMemref();
        gpu::MemcpyOp::create(b, TypeRange(), ValueRange(), known, host);
      }
      global.replaceAllUsesWith(known);
    }
    op->erase();
  }
  entry.walk([&](func::ReturnOp end) {
    b.setInsertionPoint(end);
    for (auto &[name, buffer] : constants)
      gpu::DeallocOp::create(b, Type(), ValueRange(), buffer);
  });
}

LogicalResult Converter::run() {
  b.setInsertionPointToStart(module.getBody());
  device = gpu::GPUModuleOp::create(b, deviceName);
  SmallVector<std::pair<func::FuncOp, linalg::LinalgOp>> kernels;
  SmallVector<func::FuncOp> loops, entries;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function->hasAttr(janus::independentLoops))
      loops.push_back(function);
    else if (linalg::LinalgOp nest = nestOf(function))
      kernels.emplace_back(function, nest);
    else if (!function.isDeclaration())
      entries.push_back(function);
  }
  for (auto [function, nest] : kernels)
    if (failed(convertKernel(function, nest)))
      return failure();
  for (func::FuncOp function : loops)
    if (failed(convertLoop(function)))
      return failure();
  SmallVector<LLVM::CallOp> calls;
  for (func::FuncOp entry : entries) {
    entry.walk([&](LLVM::CallOp call) { calls.push_back(call); });
    auto left = entry.walk([&](linalg::LinalgOp op) {
      janus::limit(op->emitOpError("has no form for a device"), janus::Limitation::device);
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      return failure();
  }
  for (LLVM::CallOp call : calls)
    if (failed(convertRoutine(call)))
      return failure();
  for (func::FuncOp entry : entries)
    convertEntry(entry);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), b.getUnitAttr());
  return success();
}

struct KernelsToGpu : janus::impl::JanusKernelsToGpuBase<KernelsToGpu> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(Converter(getOperation(), strict, trees).run()))
      signalPassFailure();
  }
};

} // namespace
