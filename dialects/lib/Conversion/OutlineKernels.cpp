//===- OutlineKernels.cpp - One function per loop nest ----------------------===//
//
// In: functions with linalg ops on buffers. Out: each op with a real loop is the
// body of an internal function `janus_kernel_<n>`, called in its place; equal ones
// share one function. Ops of very few elements stay where they are. A long loop becomes a kernel
// of a piece of it, called in a janus.split.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "LoopNests.h"
#include "Work.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace janus {
#define GEN_PASS_DEF_JANUSOUTLINEKERNELS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// What has no loop and computes at most so many operations is not worth a call.
/// More in one function would cost compile time: LLVM's grows faster than a
/// function's length, and equal kernels are compiled once.
constexpr size_t inlineOperations = 12;

bool isWorthACall(linalg::LinalgOp op) {
  bool loops = llvm::any_of(op.getStaticLoopRanges(),
                            [](int64_t extent) { return extent != 1; });
  return loops || op->getRegion(0).front().getOperations().size() > inlineOperations;
}

/// A dimension of fewer iterations is split only if there is no longer one.
constexpr int64_t piecesWanted = 16;

/// The dimension by which a loop nest is split for threads, if it may be worth that.
std::optional<unsigned> splitDimension(linalg::LinalgOp op) {
  if (std::optional<int64_t> work = janus::workOf(op).constant(); work && *work < janus::worthAThread)
    return std::nullopt;
  auto plain = [&](unsigned dim) {
    AffineExpr wanted = getAffineDimExpr(dim, op.getContext());
    return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
      return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
        return expr == wanted || !expr.isFunctionOfDim(dim);
      });
    });
  };
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto reach = [&](unsigned dim) {
    return ShapedType::isDynamic(extents[dim]) ? piecesWanted : std::min(extents[dim], piecesWanted);
  };
  std::optional<unsigned> best;
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel && reach(dim) > (best ? reach(*best) : 1) && plain(dim))
      best = dim;
  return best;
}

/// A kernel under construction: what it is handed, and its body.
class Kernel {
public:
  /// `split` is the dimension of which it runs a piece, if it does.
  Kernel(Operation *op, ModuleOp module, std::optional<unsigned> split)
      : op(op), split(split), caller(op->getLoc(), op),
        inner(op->getLoc(), op->getContext()) {
    auto type = FunctionType::get(op->getContext(), {}, {});
    inner.setInsertionPointToEnd(module.getBody());
    function = func::FuncOp::create(inner, "janus_kernel", type);
    function.setPrivate();
    body = function.addEntryBlock();
    inner.setInsertionPointToStart(body);
  }

  /// Fills the body and returns the values to call it with, after a piece's bounds.
  SmallVector<Value> build();

  func::FuncOp function;

private:
  /// Clones the op for the iterations between the function's first two arguments.
  void clonePiece();

  /// The kernel's own value for `value` of the caller.
  Value parameter(Value value, Type type) {
    if (Attribute constant; matchPattern(value, m_Constant(&constant)))
      return inner.clone(*value.getDefiningOp())->getResult(0);
    Value &known = scalars[value];
    if (!known) {
      known = body->addArgument(type, op->getLoc());
      arguments.push_back(value);
    }
    return known;
  }

  void addBuffer(Value memref);

  Operation *op;
  std::optional<unsigned> split;
  ImplicitLocOpBuilder caller, inner;
  Block *body;
  IRMapping mapping;
  SmallVector<Value> arguments;
  DenseMap<Value, Value> scalars;
  SmallVector<std::pair<Value, unsigned>> buffers; // memref, its pointer's position
};

void Kernel::addBuffer(Value memref) {
  if (mapping.contains(memref))
    return;
  auto type = cast<MemRefType>(memref.getType());
  Value pointer = janus::bufferPointer(caller, memref);
  buffers.emplace_back(memref, body->getNumArguments());
  Value innerPointer = body->addArgument(pointer.getType(), op->getLoc());
  arguments.push_back(pointer);

  SmallVector<Value> extents, strides;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      extents.push_back(
          parameter(caller.createOrFold<memref::DimOp>(memref, i),
                    caller.getIndexType()));
  MemRefType kernelType = type;
  if (!type.getLayout().isIdentity()) {
    SmallVector<int64_t> known;
    int64_t offset;
    (void)type.getStridesAndOffset(known, offset);
    kernelType = MemRefType::get(
        type.getShape(), type.getElementType(),
        StridedLayoutAttr::get(type.getContext(), 0, known));
    if (llvm::any_of(known, ShapedType::isDynamic)) {
      auto metadata = memref::ExtractStridedMetadataOp::create(caller, memref);
      for (auto [i, stride] : llvm::enumerate(known))
        if (ShapedType::isDynamic(stride))
          strides.push_back(
              parameter(metadata.getStrides()[i], caller.getIndexType()));
    }
  }
  mapping.map(memref, janus::bufferFromPointer(inner, kernelType, innerPointer,
                                               extents, strides));
}

void Kernel::clonePiece() {
  auto op = cast<linalg::LinalgOp>(this->op);
  Value from = arith::IndexCastOp::create(inner, inner.getIndexType(), body->getArgument(0));
  Value to = arith::IndexCastOp::create(inner, inner.getIndexType(), body->getArgument(1));
  Value length = arith::SubIOp::create(inner, to, from);
  AffineExpr dim = getAffineDimExpr(*split, op.getContext());
  // What an operand is walked through by another map is the whole buffer, so each has its own view.
  SmallVector<Value> views;
  for (OpOperand &operand : op->getOpOperands()) {
    Value memref = mapping.lookup(operand.get());
    auto results = op.getMatchingIndexingMap(&operand).getResults();
    if (llvm::is_contained(results, dim)) {
      SmallVector<OpFoldResult> offsets, sizes = memref::getMixedSizes(inner, inner.getLoc(), memref);
      for (auto [i, expr] : llvm::enumerate(results)) {
        offsets.push_back(expr == dim ? OpFoldResult(from) : inner.getIndexAttr(0));
        if (expr == dim)
          sizes[i] = length;
      }
      SmallVector<OpFoldResult> strides(results.size(), inner.getIndexAttr(1));
      memref = memref::SubViewOp::create(inner, memref, offsets, sizes, strides);
    }
    views.push_back(memref);
  }
  Operation *piece = inner.clone(*op, mapping);
  piece->setOperands(views);
  piece->walk([&](linalg::IndexOp index) {
    if (index.getDim() != *split)
      return;
    inner.setInsertionPointAfter(index);
    Value shifted = arith::AddIOp::create(inner, index, from);
    index.getResult().replaceAllUsesExcept(shifted, shifted.getDefiningOp());
  });
  inner.setInsertionPointToEnd(body);
}

SmallVector<Value> Kernel::build() {
  if (split)
    body->addArguments({inner.getI64Type(), inner.getI64Type()}, {op->getLoc(), op->getLoc()});
  for (Value operand : op->getOperands()) {
    if (isa<MemRefType>(operand.getType()))
      addBuffer(operand);
    else if (!mapping.contains(operand))
      mapping.map(operand, parameter(operand, operand.getType()));
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured) {
    if (isa<MemRefType>(value.getType()))
      addBuffer(value);
    else if (!mapping.contains(value))
      mapping.map(value, parameter(value, value.getType()));
  }
  if (split)
    clonePiece();
  else
    inner.clone(*op, mapping);
  func::ReturnOp::create(inner);

  function.setFunctionType(
      FunctionType::get(op->getContext(), body->getArgumentTypes(), {}));
  // A written buffer that overlaps no other one of the kernel is its own.
  for (auto [memref, position] : buffers) {
    Value root = janus::rootOf(memref);
    auto nest = dyn_cast<linalg::LinalgOp>(op);
    bool written = nest && llvm::is_contained(nest.getDpsInits(), memref);
    bool alone = llvm::all_of(buffers, [&](auto &other) {
      return other.first == memref ||
             janus::areDistinct(root, janus::rootOf(other.first));
    });
    if (written && alone)
      function.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(),
                          inner.getUnitAttr());
  }
  function->setAttr("passthrough", inner.getStrArrayAttr({"noinline", "nounwind"}));
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(op->getContext(),
                                           LLVM::Linkage::Internal));
  return arguments;
}

/// A hash of a kernel's ops, their attributes and types; not of what uses what.
llvm::hash_code shapeOf(func::FuncOp kernel) {
  llvm::hash_code hash = hash_value(Type(kernel.getFunctionType()));
  kernel.walk([&](Operation *op) {
    if (op == kernel)
      return;
    hash = llvm::hash_combine(
        hash, OperationEquivalence::computeHash(
                  op, OperationEquivalence::ignoreHashValue,
                  OperationEquivalence::ignoreHashValue,
                  OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

/// Whether two kernels do the same with the same arguments.
bool areEqual(func::FuncOp a, func::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

/// Calls `kernel` for pieces of the dimension `dim` of `op`.
void callInPieces(linalg::LinalgOp op, unsigned dim, func::FuncOp kernel, ArrayRef<Value> arguments) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Range range = op.createLoopRanges(b, b.getLoc())[dim];
  Value extent = getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size);
  extent = arith::IndexCastOp::create(b, b.getI64Type(), extent);
  auto split = janus::SplitOp::create(b, extent, janus::workOf(op).emit(b, b.getLoc()));
  Type word = b.getI64Type();
  Block *body = b.createBlock(&split.getBody(), {}, {word, word}, {b.getLoc(), b.getLoc()});
  SmallVector<Value> all(body->getArguments());
  llvm::append_range(all, arguments);
  func::CallOp::create(b, kernel, all);
  janus::DoneOp::create(b);
}

/// Loops over elements that are no linalg op become functions `janus_loop_<n>`, too.
void outlineLoops(ModuleOp module) {
  SmallVector<scf::ForOp> loops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op); function && function->hasAttr("llvm.linkage"))
      return WalkResult::skip();
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !janus::isElementLoop(loop))
      return WalkResult::advance();
    loops.push_back(loop);
    return WalkResult::skip();
  });
  for (auto [number, loop] : llvm::enumerate(loops)) {
    SmallVector<int64_t> independent = janus::findIndependent(loop);
    Kernel kernel(loop, module, std::nullopt);
    SmallVector<Value> arguments = kernel.build();
    kernel.function.setName("janus_loop_" + std::to_string(number));
    OpBuilder b(loop);
    kernel.function->setAttr(janus::independentLoops, b.getDenseI64ArrayAttr(independent));
    func::CallOp::create(b, loop.getLoc(), kernel.function, arguments);
    loop.erase();
  }
}

struct OutlineKernels : janus::impl::JanusOutlineKernelsBase<OutlineKernels> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Copies between strided buffers are loops like others.
    SmallVector<memref::CopyOp> copies;
    module.walk([&](memref::CopyOp copy) {
      auto contiguous = [](Value v) {
        return cast<MemRefType>(v.getType()).getLayout().isIdentity();
      };
      if (!contiguous(copy.getSource()) || !contiguous(copy.getTarget()))
        copies.push_back(copy);
    });
    for (memref::CopyOp copy : copies) {
      OpBuilder b(copy);
      linalg::makeMemRefCopyOp(b, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      copy.erase();
    }

    SmallVector<linalg::LinalgOp> worklist;
    module.walk([&](linalg::LinalgOp op) {
      // With `all`, kernels are there already.
      bool inKernel = op->getParentOfType<func::FuncOp>()->hasAttr("llvm.linkage");
      if (op.hasPureBufferSemantics() && !inKernel && (all || isWorthACall(op)))
        worklist.push_back(op);
    });
    if (all)
      outlineLoops(module);
    llvm::DenseMap<llvm::hash_code, SmallVector<func::FuncOp, 1>> known;
    unsigned count = 0;
    while (module.lookupSymbol("janus_kernel_" + std::to_string(count)))
      ++count;
    for (linalg::LinalgOp op : worklist) {
      std::optional<unsigned> dim = split ? splitDimension(op) : std::nullopt;
      Kernel kernel(op, module, dim);
      SmallVector<Value> arguments = kernel.build();
      auto &alike = known[shapeOf(kernel.function)];
      auto equal = llvm::find_if(alike, [&](func::FuncOp other) {
        return areEqual(kernel.function, other);
      });
      func::FuncOp callee = kernel.function;
      if (equal == alike.end()) {
        callee.setName("janus_kernel_" + std::to_string(count++));
        alike.push_back(callee);
      } else {
        callee = *equal;
        kernel.function.erase();
      }
      OpBuilder b(op);
      if (dim)
        callInPieces(op, *dim, callee, arguments);
      else
        func::CallOp::create(b, op.getLoc(), callee, arguments);
      op.erase();
    }
  }
};

} // namespace
