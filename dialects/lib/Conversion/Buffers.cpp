//===- Buffers.cpp - Helpers over memrefs and their descriptors -------------===//

#include "Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace janus {

int64_t elementBytes(MemRefType type) {
  // `index` has no width of its own; it is 64 bits wherever we run.
  if (type.getElementType().isIndex())
    return 8;
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

LLVM::LLVMStructType descriptorType(MLIRContext *context, int64_t rank) {
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto word = IntegerType::get(context, 64);
  SmallVector<Type> fields{pointer, pointer, word};
  if (rank > 0) {
    auto words = LLVM::LLVMArrayType::get(word, rank);
    fields.append({words, words});
  }
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

Value bufferPointer(ImplicitLocOpBuilder &b, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  Value descriptor =
      UnrealizedConversionCastOp::create(
          b, descriptorType(b.getContext(), type.getRank()), memref)
          .getResult(0);
  Value base =
      LLVM::ExtractValueOp::create(b, descriptor, ArrayRef<int64_t>{1});
  if (type.getLayout().isIdentity())
    return base;
  Value offset =
      LLVM::ExtractValueOp::create(b, descriptor, ArrayRef<int64_t>{2});
  Type element = b.getIntegerType(elementBytes(type) * 8);
  return LLVM::GEPOp::create(b, base.getType(), element, base,
                             ArrayRef<LLVM::GEPArg>{offset});
}

/// `index` as an i64, without an op where it is a constant.
static Value toWord(ImplicitLocOpBuilder &b, Value index) {
  return arith::IndexCastOp::create(b, b.getI64Type(), index);
}

Value bufferFromPointer(ImplicitLocOpBuilder &b, MemRefType type,
                        Value pointer, ValueRange extents,
                        ValueRange strides) {
  int64_t rank = type.getRank();
  Value descriptor = LLVM::PoisonOp::create(b, descriptorType(b.getContext(), rank));
  auto insert = [&](Value value, ArrayRef<int64_t> position) {
    descriptor = LLVM::InsertValueOp::create(b, descriptor, value, position);
  };
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, b.getI64Type(),
                                    b.getI64IntegerAttr(value));
  };
  insert(pointer, 0);
  insert(pointer, 1);
  insert(constant(0), 2);

  SmallVector<int64_t> staticStrides;
  int64_t offset;
  bool strided = succeeded(type.getStridesAndOffset(staticStrides, offset));
  assert(strided && offset == 0 && "buffers of kernels start at their pointer");
  (void)strided;
  SmallVector<Value> sizes;
  for (int64_t i = 0, next = 0; i < rank; ++i)
    sizes.push_back(type.isDynamicDim(i) ? toWord(b, extents[next++])
                                         : constant(type.getDimSize(i)));
  bool computed = type.getLayout().isIdentity();
  Value running;
  int64_t nextStride = strides.size();
  for (int64_t i = rank - 1; i >= 0; --i) {
    Value stride;
    if (!ShapedType::isDynamic(staticStrides[i]))
      stride = constant(staticStrides[i]);
    else if (computed)
      stride = running;
    else
      stride = toWord(b, strides[--nextStride]);
    insert(sizes[i], {3, i});
    insert(stride, {4, i});
    if (computed && i > 0)
      running = LLVM::MulOp::create(b, stride, sizes[i],
                                    LLVM::IntegerOverflowFlags::nsw);
  }
  return UnrealizedConversionCastOp::create(b, type, descriptor).getResult(0);
}

Value bufferBytes(ImplicitLocOpBuilder &b, MemRefType type,
                  ValueRange extents) {
  int64_t known = elementBytes(type);
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      known *= extent;
  Value bytes = LLVM::ConstantOp::create(b, b.getI64Type(),
                                         b.getI64IntegerAttr(known));
  for (Value extent : extents)
    bytes = LLVM::MulOp::create(b, bytes, toWord(b, extent),
                                LLVM::IntegerOverflowFlags::nsw);
  return bytes;
}

Value rootOf(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!view)
      break;
    memref = view.getViewSource();
  }
  return memref;
}

/// Memory that nothing made before it can point to.
static bool isFresh(Value root) {
  Operation *op = root.getDefiningOp();
  return op && isa<memref::AllocOp, memref::AllocaOp, func::CallOp>(op);
}

/// Memory that existed when the function was entered.
static bool isOuter(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return root.getDefiningOp<memref::GetGlobalOp>() != nullptr;
}

/// Whether `value` was bound before `op` ran, each time that it runs.
static bool isBoundBefore(Value value, Operation *op) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->getParent()->isAncestor(op->getParentRegion());
  DominanceInfo dominance;
  return dominance.properlyDominates(value.getDefiningOp(), op);
}

bool areDistinct(Value rootA, Value rootB) {
  if (rootA == rootB)
    return false;
  bool freshA = isFresh(rootA), freshB = isFresh(rootB);
  if ((freshA || isOuter(rootA)) && (freshB || isOuter(rootB)))
    return freshA || freshB;
  // The other one comes out of control flow: it may be any buffer that was made
  // before it, so only a later allocation differs from it.
  if (freshA)
    return isBoundBefore(rootB, rootA.getDefiningOp());
  return freshB && isBoundBefore(rootA, rootB.getDefiningOp());
}

SmallVector<int64_t> carriedArguments(func::FuncOp function) {
  SmallVector<int64_t> carried(function.getNumResults(), -1);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto result = function.getArgAttrOfType<IntegerAttr>(i, "janus.carried"))
      carried[result.getInt()] = i;
  return carried;
}

linalg::FillOp zeroFillBefore(linalg::ContractOp contract) {
  Value result = contract.getDpsInits()[0];
  Value root = janus::rootOf(result);
  for (Operation *op = contract->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(op);
        fill && fill.getDpsInits()[0] == result)
      return matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
                     matchPattern(fill.getInputs()[0], m_Zero())
                 ? fill
                 : linalg::FillOp();
    auto touches = [&](Value v) {
      return isa<BaseMemRefType>(v.getType()) && janus::rootOf(v) == root;
    };
    if (op->getNumRegions() != 0 && !isa<linalg::LinalgOp>(op))
      return {};
    if (llvm::any_of(op->getOperands(), touches))
      return {};
  }
  return {};
}

void branchOnSelects(Operation *op) {
  SmallVector<arith::SelectOp> selects;
  op->walk([&](arith::SelectOp select) {
    if (isa<RankedTensorType>(select.getType()) && select.getCondition().getType().isInteger(1))
      selects.push_back(select);
  });
  for (arith::SelectOp select : selects) {
    OpBuilder b(select);
    auto yield = [](Value value) {
      return [value](OpBuilder &side, Location at) { scf::YieldOp::create(side, at, value); };
    };
    auto branch = scf::IfOp::create(b, select.getLoc(), select.getCondition(),
                                    yield(select.getTrueValue()), yield(select.getFalseValue()));
    select.replaceAllUsesWith(branch.getResult(0));
    select.erase();
  }
}

} // namespace janus
