//===- EmulateGpu.cpp - A device's kernels on the host ----------------------===//
//
// In: a device module and entries that launch its kernels. Out: one module for the host. A
// kernel is a function of its arguments' addresses, a thread, a block and the block's shared
// memory; a launch is a call of `janus_rt_launch`, which runs the threads, and a barrier one of
// `janus_rt_barrier`. The arithmetic of a kernel is that of the device, op for op.
//
// Holds: the address of memory of the device has a bit that no address of the host has, so that the host faults where
// it reads or writes there. Kernels, the driver's copies and what runs on the host for want of a device form (as the
// attribute `janus.host_routine` says) take the bit away.
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

/// Set in addresses of the device's memory: no x86-64 processor takes them.
constexpr int64_t deviceBit = int64_t(1) << 62;
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
  LLVM::LLVMFuncOp routine(StringRef name, ArrayRef<Type> arguments, Type result = {});
  /// The address with the device's bit, or without.
  Value marked(Value address, bool device);
  /// The same of a buffer.
  Value markedBuffer(Value memref, bool device);
  void markBoundary(func::FuncOp entry);
  void unmarkForHost(Operation *op);
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

LLVM::LLVMFuncOp Emulation::routine(StringRef name, ArrayRef<Type> arguments, Type result) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard saved(b);
  b.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result ? result : LLVM::LLVMVoidType::get(b.getContext()), arguments);
  return LLVM::LLVMFuncOp::create(b, name, type);
}

Value Emulation::marked(Value address, bool device) {
  Value number = LLVM::PtrToIntOp::create(b, b.getI64Type(), address);
  number = device ? LLVM::OrOp::create(b, number, word(deviceBit)).getResult()
                  : LLVM::AndOp::create(b, number, word(~deviceBit)).getResult();
  return LLVM::IntToPtrOp::create(b, pointer, number);
}

Value Emulation::markedBuffer(Value memref, bool device) {
  auto type = cast<MemRefType>(memref.getType());
  Value descriptor =
      UnrealizedConversionCastOp::create(b, janus::descriptorType(b.getContext(), type.getRank()), memref)
          .getResult(0);
  for (int64_t field : {0, 1}) {
    Value address = LLVM::ExtractValueOp::create(b, descriptor, ArrayRef<int64_t>{field});
    descriptor = LLVM::InsertValueOp::create(b, descriptor, marked(address, device), ArrayRef<int64_t>{field});
  }
  return UnrealizedConversionCastOp::create(b, type, descriptor).getResult(0);
}

/// What an entry is handed is the device's, and so is what it returns: the caller of the emulated one has neither.
void Emulation::markBoundary(func::FuncOp entry) {
  b.setLoc(entry.getLoc());
  for (BlockArgument argument : entry.getArguments())
    if (isa<MemRefType>(argument.getType())) {
      b.setInsertionPointToStart(&entry.front());
      // Its uses are of what is made of it here.
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : argument.getUses())
        uses.push_back(&use);
      Value device = markedBuffer(argument, true);
      for (OpOperand *use : uses)
        use->set(device);
    }
  entry.walk([&](func::ReturnOp end) {
    b.setInsertionPoint(end);
    for (OpOperand &result : end->getOpOperands())
      if (isa<MemRefType>(result.get().getType()))
        result.set(markedBuffer(result.get(), false));
  });
}

/// Addresses that a call of the host takes, or that are put where it reads its arguments.
void Emulation::unmarkForHost(Operation *op) {
  b.setInsertionPoint(op);
  b.setLoc(op->getLoc());
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    if (store.getValue().getType() == pointer)
      store.getValueMutable().assign(marked(store.getValue(), false));
    return;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get().getType() == pointer)
      operand.set(marked(operand.get(), false));
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
    else if (type == pointer)
      value = marked(value, false);
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

/// The device's memory is the host's, at another address.
LogicalResult Emulation::convertMemory(Operation *op) {
  b.setInsertionPoint(op);
  b.setLoc(op->getLoc());
  auto isScalar = [](Value v) { return cast<MemRefType>(v.getType()).getRank() == 0; };
  if (auto alloc = dyn_cast<gpu::AllocOp>(op)) {
    MemRefType type = alloc.getType();
    if (!type.getLayout().isIdentity())
      return alloc.emitOpError("has a layout");
    Value bytes = janus::bufferBytes(b, type, alloc.getDynamicSizes());
    auto call = LLVM::CallOp::create(b, routine("janus_rt_device_alloc", {b.getI64Type()}, pointer), bytes);
    Value address = marked(call.getResult(), true);
    alloc.getMemref().replaceAllUsesWith(janus::bufferFromPointer(b, type, address, alloc.getDynamicSizes()));
  } else if (auto dealloc = dyn_cast<gpu::DeallocOp>(op)) {
    Value address = marked(janus::bufferPointer(b, dealloc.getMemref()), false);
    LLVM::CallOp::create(b, routine("janus_rt_free_whole", {pointer}), address);
  } else if (auto copy = dyn_cast<gpu::MemcpyOp>(op)) {
    Value to = markedBuffer(copy.getDst(), false), from = markedBuffer(copy.getSrc(), false);
    if (isScalar(to))
      memref::StoreOp::create(b, memref::LoadOp::create(b, from, ValueRange()), to, ValueRange());
    else
      memref::CopyOp::create(b, from, to);
  } else if (auto set = dyn_cast<gpu::MemsetOp>(op)) {
    if (!isScalar(set.getDst()))
      return set.emitOpError("sets more than one element");
    memref::StoreOp::create(b, set.getValue(), markedBuffer(set.getDst(), false), ValueRange());
  }
  op->erase();
  return success();
}

LogicalResult Emulation::run() {
  SmallVector<gpu::GPUModuleOp> devices(module.getOps<gpu::GPUModuleOp>());
  // Before any of it is converted: what is here now is the entries' own.
  SmallVector<Operation *> ofHost;
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isKernel = function->hasAttr("llvm.linkage");
    if (function.isDeclaration() || isKernel)
      continue;
    function.walk([&](Operation *op) {
      if (op->hasAttr("janus.host_routine") || isa<LLVM::StoreOp>(op))
        ofHost.push_back(op);
    });
    if (function.isPublic())
      markBoundary(function);
  }
  for (Operation *op : ofHost)
    unmarkForHost(op);
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
