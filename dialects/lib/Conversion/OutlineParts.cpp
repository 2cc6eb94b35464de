//===- OutlineParts.cpp - janus.concurrent and janus.split to the runtime ---===//
//
// In: functions in the LLVM dialect with these ops. Out: each part is a function of a pointer to
// what it uses from around it, and of a piece's bounds, and the op is a call of
// `janus_rt_concurrent(parts, functions, context, worth)` or
// `janus_rt_split(extent, work, function, context)`.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace janus {
#define GEN_PASS_DEF_JANUSOUTLINEPARTS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

struct OutlineParts : janus::impl::JanusOutlinePartsBase<OutlineParts> {
  void runOnOperation() override {
    SmallVector<Operation *> worklist;
    // From the outside in: what stands in a part is outlined from the part's function.
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<janus::ConcurrentOp, janus::SplitOp>(op))
        worklist.push_back(op);
    });
    for (Operation *op : worklist)
      outline(op);
  }

  void outline(Operation *op) {
    MLIRContext *context = &getContext();
    auto caller = op->getParentOfType<LLVM::LLVMFuncOp>();
    ImplicitLocOpBuilder b(op->getLoc(), op);
    auto pointer = LLVM::LLVMPointerType::get(context);

    // Constants are made anew in each part; all else goes through the context.
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(op->getRegions(), used);
    SmallVector<Value> captured, constants;
    for (Value value : used) {
      Operation *producer = value.getDefiningOp();
      bool constant = producer && producer->getNumOperands() == 0 &&
                      isa<LLVM::ConstantOp, LLVM::AddressOfOp, LLVM::ZeroOp, LLVM::PoisonOp>(producer);
      (constant ? constants : captured).push_back(value);
    }
    auto contextType = LLVM::LLVMStructType::getLiteral(
        context, llvm::map_to_vector(captured, [](Value v) { return v.getType(); }));

    // On the stack of the whole function, so that a loop does not make it grow.
    ImplicitLocOpBuilder top(op->getLoc(), context);
    top.setInsertionPointToStart(&caller.getBody().front());
    Value one = LLVM::ConstantOp::create(top, top.getI64Type(), 1);
    Value shared = LLVM::AllocaOp::create(top, pointer, contextType, one);
    // Contexts that are in use one after the other share their place.
    LLVM::LifetimeStartOp::create(b, shared);
    for (auto [i, value] : llvm::enumerate(captured)) {
      Value field = LLVM::GEPOp::create(b, pointer, contextType, shared,
                                        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
      LLVM::StoreOp::create(b, value, field);
    }
    SmallVector<Value> functions;
    for (Region &part : op->getRegions()) {
      LLVM::LLVMFuncOp function = outlinePart(part, caller, captured, constants, contextType);
      functions.push_back(LLVM::AddressOfOp::create(b, function));
    }
    if (auto split = dyn_cast<janus::SplitOp>(op))
      callRuntime(b, "janus_rt_split", {split.getExtent(), split.getWork(), functions.front(), shared});
    else
      runConcurrently(b, top, cast<janus::ConcurrentOp>(op), functions, shared);
    LLVM::LifetimeEndOp::create(b, shared);
    op->erase();
  }

  void runConcurrently(ImplicitLocOpBuilder &b, ImplicitLocOpBuilder &top, janus::ConcurrentOp op,
                       ArrayRef<Value> functions, Value shared) {
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    Value count = LLVM::ConstantOp::create(top, top.getI64Type(), functions.size());
    Value table = LLVM::AllocaOp::create(top, pointer, pointer, count);
    for (auto [i, address] : llvm::enumerate(functions)) {
      Value slot = LLVM::GEPOp::create(b, pointer, pointer, table,
                                       ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
      LLVM::StoreOp::create(b, address, slot);
    }
    Value zero = LLVM::ConstantOp::create(b, b.getI64Type(), 0);
    Value worth = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::sge, op.getGain(), zero);
    // A C bool; wider than one, so that the upper bits are zero as C asks.
    worth = LLVM::ZExtOp::create(b, b.getI32Type(), worth);
    callRuntime(b, "janus_rt_concurrent", {count, table, shared, worth});
  }

  LLVM::LLVMFuncOp outlinePart(Region &part, LLVM::LLVMFuncOp caller, ArrayRef<Value> captured,
                               ArrayRef<Value> constants, LLVM::LLVMStructType contextType) {
    Location loc = part.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    ImplicitLocOpBuilder b(loc, &getContext());
    b.setInsertionPointAfter(caller);
    // The context, and a piece's bounds.
    SmallVector<Type> types{pointer};
    llvm::append_range(types, part.getArgumentTypes());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), types);
    std::string name = "janus_part_" + std::to_string(made++);
    auto function = LLVM::LLVMFuncOp::create(b, name, type, LLVM::Linkage::Internal);
    Block *entry = b.createBlock(&function.getBody(), {}, types,
                                 SmallVector<Location>(types.size(), loc));
    for (auto [i, value] : llvm::enumerate(captured)) {
      Value field = LLVM::GEPOp::create(b, pointer, contextType, entry->getArgument(0),
                                        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
      Value loaded = LLVM::LoadOp::create(b, value.getType(), field);
      replaceAllUsesInRegionWith(value, loaded, part);
    }
    for (Value value : constants) {
      Operation *copy = b.clone(*value.getDefiningOp());
      replaceAllUsesInRegionWith(value, copy->getResult(0), part);
    }
    Block *body = &part.front();
    function.getBody().getBlocks().splice(function.getBody().end(), part.getBlocks());
    b.setInsertionPointToEnd(entry);
    LLVM::BrOp::create(b, entry->getArguments().drop_front(), body);
    SmallVector<janus::DoneOp> ends;
    function.walk([&](janus::DoneOp end) { ends.push_back(end); });
    for (janus::DoneOp end : ends) {
      b.setInsertionPoint(end);
      LLVM::ReturnOp::create(b, ValueRange());
      end.erase();
    }
    return function;
  }

  void callRuntime(ImplicitLocOpBuilder &b, StringRef name, ValueRange arguments) {
    ModuleOp module = getOperation();
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (!function) {
      OpBuilder global(module.getBodyRegion());
      auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                              SmallVector<Type>(arguments.getTypes()));
      function = LLVM::LLVMFuncOp::create(global, module.getLoc(), name, type);
      function.setPassthroughAttr(global.getStrArrayAttr({"nounwind"}));
    }
    LLVM::CallOp::create(b, function, arguments);
  }

  unsigned made = 0;
};

} // namespace
