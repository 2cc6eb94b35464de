//===- EmulateGpu.cpp - A device's kernels on the host ----------------------===//
//
// In: a device module and entries that launch its kernels. Out: one module for the host. A
// kernel is a function of its arguments' addresses, a thread, a block and the block's shared
// memory; a launch is a call of `janus_rt_launch`, which runs the threads, and a barrier one of
// `janus_rt_barrier`. The arithmetic of a kernel is that of the device, op for op.
//
// Holds: what a device has no form for runs on the host, as the attribute `janus.host_routine` says.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace janus {
#define GEN_PASS_DEF_JANUSEMULATEGPU
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// Bytes between the buffers that a block shares.
constexpr int64_t sharedAlignment = 64;

class Emulation {
public:
  explicit Emulation(ModuleOp module)
      : module(module), b(module.getLoc(), module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult run();

private:
  struct Kernel {
    func::FuncOp function;
    int64_t sharedBytes = 0;
    int64_t barriers = 0;
  };

  LogicalResult convertKernel(gpu::GPUFuncOp kernel);
  void convertLaunch(gpu::LaunchFuncOp launch);
  LogicalResult convertMemory(Operation *op);
  LLVM::LLVMFuncOp routine(StringRef name, ArrayRef<Type> arguments);
  Value word(int64_t value) { return LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(value)); }
  Value slot(Value base, int64_t number) {
    return LLVM::GEPOp::create(b, pointer, b.getI64Type(), base,
                               ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(number))});
  }

  ModuleOp module;
  ImplicitLocOpBuilder b;
  Type pointer;
  llvm::StringMap<Kernel> kernels;
};

LLVM::LLVMFuncOp Emulation::routine(StringRef name, ArrayRef<Type> arguments) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard saved(b);
  b.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), arguments);
  return LLVM::LLVMFuncOp::create(b, name, type);
}

LogicalResult Emulation::convertKernel(gpu::GPUFuncOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitOpError("is not structured");
  b.setInsertionPointToEnd(module.getBody());
  b.setLoc(kernel.getLoc());
  Type i64 = b.getI64Type();
  auto function = func::FuncOp::create(b, kernel.getName(), b.getFunctionType({pointer, i64, i64, pointer}, {}));
  function.setPrivate();
  function->setAttr("llvm.linkage", LLVM::LinkageAttr::get(b.getContext(), LLVM::Linkage::Internal));
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  Kernel &known = kernels[kernel.getName()];
  known.function = function;
  IRMapping mapping;
  for (auto [i, argument] : llvm::enumerate(kernel.getArguments().take_front(kernel.getFunctionType().getNumInputs()))) {
    Type type = argument.getType();
    Value address = LLVM::LoadOp::create(b, pointer, slot(body->getArgument(0), i));
    Value value = LLVM::LoadOp::create(b, type.isIndex() ? i64 : type, address);
    if (type.isIndex())
      value = arith::IndexCastOp::create(b, type, value);
    mapping.map(argument, value);
  }
  for (BlockArgument buffer : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    Value address = LLVM::GEPOp::create(b, pointer, b.getI8Type(), body->getArgument(3),
                                        ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(known.sharedBytes))});
    auto plain = MemRefType::get(type.getShape(), type.getElementType());
    mapping.map(buffer, janus::bufferFromPointer(b, plain, address, {}));
    known.sharedBytes += llvm::alignTo(janus::elementBytes(type) * type.getNumElements(), sharedAlignment);
  }
  for (Operation &op : kernel.getBody().front().without_terminator())
    b.clone(op, mapping);
  func::ReturnOp::create(b);
  SmallVector<Operation *> ids;
  function.walk([&](Operation *op) {
    if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BarrierOp>(op))
      ids.push_back(op);
  });
  for (Operation *op : ids) {
    b.setInsertionPoint(op);
    if (isa<gpu::BarrierOp>(op)) {
      // Its number: threads that wait at different barriers do not meet.
      LLVM::CallOp::create(b, routine("janus_rt_barrier", {b.getI64Type()}), word(++known.barriers));
    } else {
      Value id = body->getArgument(isa<gpu::ThreadIdOp>(op) ? 1 : 2);
      op->replaceAllUsesWith(ValueRange(arith::IndexCastOp::create(b, b.getIndexType(), id).getResult()));
    }
    op->erase();
  }
  return success();
}

void Emulation::convertLaunch(gpu::LaunchFuncOp launch) {
  const Kernel &kernel = kernels[launch.getKernelName().getValue()];
  b.setLoc(launch.getLoc());
  Type i64 = b.getI64Type();
  auto arguments = launch.getKernelOperands();
  // The words' addresses, and behind them the words.
  b.setInsertionPointToStart(&launch->getParentOfType<func::FuncOp>().front());
  Value words = LLVM::AllocaOp::create(b, pointer, i64, word(2 * std::max<size_t>(arguments.size(), 1)));
  b.setInsertionPoint(launch);
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Value value = argument;
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(b, i64, value);
    Value place = slot(words, arguments.size() + i);
    LLVM::StoreOp::create(b, value, place);
    LLVM::StoreOp::create(b, place, slot(words, i));
  }
  func::FuncOp function = kernel.function;
  Value code = func::ConstantOp::create(b, function.getFunctionType(), SymbolRefAttr::get(function));
  code = UnrealizedConversionCastOp::create(b, pointer, code).getResult(0);
  auto toWord = [&](Value v) -> Value { return arith::IndexCastOp::create(b, i64, v); };
  SmallVector<Value> all{code, toWord(launch.getGridSizeX()), toWord(launch.getBlockSizeX()),
                         word(kernel.sharedBytes), word(kernel.barriers != 0), words};
  LLVM::CallOp::create(b, routine("janus_rt_launch", {pointer, i64, i64, i64, i64, pointer}), all);
  launch.erase();
}

/// The device's memory is the host's.
LogicalResult Emulation::convertMemory(Operation *op) {
  b.setInsertionPoint(op);
  b.setLoc(op->getLoc());
  auto isScalar = [](Value v) { return cast<MemRefType>(v.getType()).getRank() == 0; };
  if (auto alloc = dyn_cast<gpu::AllocOp>(op)) {
    auto made = memref::AllocOp::create(b, alloc.getType(), alloc.getDynamicSizes(), b.getI64IntegerAttr(64));
    alloc.getMemref().replaceAllUsesWith(made);
  } else if (auto dealloc = dyn_cast<gpu::DeallocOp>(op)) {
    memref::DeallocOp::create(b, dealloc.getMemref());
  } else if (auto copy = dyn_cast<gpu::MemcpyOp>(op)) {
    if (isScalar(copy.getDst()))
      memref::StoreOp::create(b, memref::LoadOp::create(b, copy.getSrc(), ValueRange()), copy.getDst(),
                              ValueRange());
    else
      memref::CopyOp::create(b, copy.getSrc(), copy.getDst());
  } else if (auto set = dyn_cast<gpu::MemsetOp>(op)) {
    if (!isScalar(set.getDst()))
      return set.emitOpError("sets more than one element");
    memref::StoreOp::create(b, set.getValue(), set.getDst(), ValueRange());
  }
  op->erase();
  return success();
}

LogicalResult Emulation::run() {
  SmallVector<gpu::GPUModuleOp> devices(module.getOps<gpu::GPUModuleOp>());
  for (gpu::GPUModuleOp device : devices)
    for (auto kernel : device.getOps<gpu::GPUFuncOp>())
      if (failed(convertKernel(kernel)))
        return failure();
  SmallVector<Operation *> worklist;
  module.walk([&](Operation *op) {
    if (isa<gpu::LaunchFuncOp, gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp>(op))
      worklist.push_back(op);
  });
  for (Operation *op : worklist) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      convertLaunch(launch);
    else if (failed(convertMemory(op)))
      return failure();
  }
  for (gpu::GPUModuleOp device : devices)
    device.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  return success();
}

struct EmulateGpu : janus::impl::JanusEmulateGpuBase<EmulateGpu> {
  void runOnOperation() override {
    if (failed(Emulation(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace
