//===- Autodiff.cpp - janus.gradient to the ops it stands for -------------===//
//
// In: functions in structured control flow with janus.gradient. Out: the same with the adjoint
// of every op between the loss and what it is differentiated by; no janus.gradient and no
// janus.detach left.
//
// Holds: the order in which a value's gradients are added up is the one that gradients.txt
// specifies, so that tier 0's tape gives the same bits: ops are visited in the reverse of their
// order in the function (nothing may reorder or share ops before this pass), operands from left
// to right. A gradient is expanded where it stands, and gradients are expanded in their order, so
// that a later one differentiates what an earlier one became.
//
// Why the structured form and not the dataflow graph: what ran before what, which the order above
// is about, is simply the order of ops in blocks; an adjoint needs one case per scf op and none
// for switch, merge, enter, exit and next_iteration, whose duals need each other to be in place.
//
// The adjoint of an scf.if is an scf.if that runs the taken branch again and then backwards; it
// starts from what has been added up so far. Loops have no adjoint: a region with one stays in
// tier 0.
//
//===----------------------------------------------------------------------===//

#include "Adjoint.h"
#include "GradientTable.h"
#include "GradientsText.h"
#include "janus/IR/Janus.h"
#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace janus {
#define GEN_PASS_DEF_AUTODIFF
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;
using namespace janus;

static bool isDifferentiable(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

namespace {
/// What has been added up so far, by value.
using Gradients = DenseMap<Value, Value>;

/// Expands one janus.gradient.
class Expansion {
public:
  Expansion(const GradientTable &table, OpBuilder &builder) : table(table), builder(builder) {}

  LogicalResult run(GradientOp op);

private:
  /// Notes which results of `op` depend on what is differentiated by.
  void propagate(Operation *op);
  void propagate(Block &block);
  /// Whether the gradient of `op`'s results goes on to operand `index`.
  bool flowsTo(Operation *op, unsigned index);

  LogicalResult visitAll(ArrayRef<Operation *> ops, Gradients &gradients);
  LogicalResult visit(Operation *op, Gradients &gradients);
  LogicalResult visitIf(scf::IfOp op, Gradients &gradients);
  LogicalResult visitBranch(scf::IfOp op, Block &block, Block &into, Gradients gradients,
                            ArrayRef<Value> outer);
  void add(Gradients &gradients, Value value, Value contribution, Location loc);

  const GradientTable &table;
  OpBuilder &builder;
  llvm::DenseSet<Value> active;
};
} // namespace

bool Expansion::flowsTo(Operation *op, unsigned index) {
  if (isa<tensor::CastOp>(op))
    return true;
  if (!isa_and_nonnull<JanusDialect>(op->getDialect()))
    return false;
  const GradientRule *rule = table.lookup(op->getName().stripDialect());
  // An op without a rule is an error if a gradient arrives at it, so it must not go unnoticed.
  return !rule || rule->getClause(index);
}

void Expansion::propagate(Block &block) {
  for (Operation &op : block)
    propagate(&op);
}

void Expansion::propagate(Operation *op) {
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      propagate(region.front());
      for (auto [result, yielded] :
           llvm::zip(op->getResults(), region.front().getTerminator()->getOperands()))
        if (active.contains(yielded) && isDifferentiable(result))
          active.insert(result);
    }
    return;
  }
  bool isActive = false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    isActive |= active.contains(operand) && flowsTo(op, i);
  // A loop's or a call's results depend on all that goes in, and on all that is used inside.
  if (op->getNumRegions() != 0 || isa<func::CallOp>(op)) {
    isActive |= llvm::any_of(op->getOperands(), [&](Value v) { return active.contains(v); });
    op->walk([&](Operation *inner) {
      isActive |= llvm::any_of(inner->getOperands(), [&](Value v) { return active.contains(v); });
    });
  }
  if (!isActive)
    return;
  for (Value result : op->getResults())
    if (isDifferentiable(result))
      active.insert(result);
}

void Expansion::add(Gradients &gradients, Value value, Value contribution, Location loc) {
  Value &sum = gradients[value];
  sum = sum ? AddOp::create(builder, loc, sum.getType(), sum, contribution).getResult()
            : contribution;
}

LogicalResult Expansion::visitAll(ArrayRef<Operation *> ops, Gradients &gradients) {
  for (Operation *op : llvm::reverse(ops))
    if (failed(visit(op, gradients)))
      return failure();
  return success();
}

LogicalResult Expansion::visit(Operation *op, Gradients &gradients) {
  bool arrives = llvm::any_of(op->getResults(), [&](Value result) {
    return active.contains(result) && gradients.contains(result);
  });
  if (!arrives)
    return success();
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return visitIf(ifOp, gradients);
  if (isa<LoopLikeOpInterface>(op))
    return op->emitOpError("gradient through a loop is not supported");
  if (isa<func::CallOp>(op))
    return op->emitOpError("gradient through a call is not supported");
  Value gradient = gradients.lookup(op->getResult(0));
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    Value operand = cast.getSource();
    if (active.contains(operand))
      add(gradients, operand, conform(builder, op->getLoc(), gradient, operand.getType()),
          op->getLoc());
    return success();
  }
  const GradientRule *rule = nullptr;
  if (isa_and_nonnull<JanusDialect>(op->getDialect()))
    rule = table.lookup(op->getName().stripDialect());
  if (!rule)
    return op->emitOpError("has no gradient");
  Adjoint adjoint(builder, op, *rule, gradient);
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (!active.contains(operand) || !rule->getClause(i))
      continue;
    Value contribution = adjoint.get(i);
    if (!contribution)
      return failure();
    add(gradients, operand, contribution, op->getLoc());
  }
  return success();
}

/// Runs `block` again in `into`, then backwards; yields the gradients of `outer`.
LogicalResult Expansion::visitBranch(scf::IfOp op, Block &block, Block &into,
                                     Gradients gradients, ArrayRef<Value> outer) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&into);
  IRMapping mapping;
  SmallVector<Operation *> again;
  for (Operation &inner : block.without_terminator()) {
    again.push_back(builder.clone(inner, mapping));
    propagate(again.back());
  }
  for (auto [result, yielded] : llvm::zip(op.getResults(), block.getTerminator()->getOperands())) {
    Value arriving = gradients.lookup(result);
    Value value = mapping.lookupOrDefault(yielded);
    if (arriving && active.contains(value))
      add(gradients, value, arriving, op.getLoc());
  }
  if (failed(visitAll(again, gradients)))
    return failure();
  SmallVector<Value> yielded;
  for (Value value : outer) {
    Value sum = gradients.lookup(value);
    yielded.push_back(sum ? sum : makeZeros(builder, op.getLoc(), value));
  }
  scf::YieldOp::create(builder, op.getLoc(), yielded);
  return success();
}

LogicalResult Expansion::visitIf(scf::IfOp op, Gradients &gradients) {
  // Every value from outside that a branch may send a gradient to.
  llvm::SetVector<Value> outer;
  op->walk([&](Operation *inner) {
    if (inner == op)
      return;
    for (Value operand : inner->getOperands())
      if (active.contains(operand) && !op->isAncestor(operand.getParentBlock()->getParentOp()))
        outer.insert(operand);
  });
  if (outer.empty())
    return success();
  auto adjoint = scf::IfOp::create(builder, op.getLoc(), TypeRange(ValueRange(outer.getArrayRef())),
                                   op.getCondition(), /*addThenBlock=*/true,
                                   /*addElseBlock=*/true);
  if (failed(visitBranch(op, *op.thenBlock(), *adjoint.thenBlock(), gradients,
                         outer.getArrayRef())) ||
      failed(visitBranch(op, *op.elseBlock(), *adjoint.elseBlock(), gradients,
                         outer.getArrayRef())))
    return failure();
  for (auto [value, sum] : llvm::zip(outer, adjoint.getResults()))
    gradients[value] = sum;
  return success();
}

LogicalResult Expansion::run(GradientOp op) {
  builder.setInsertionPoint(op);
  active.insert(op.getWrt().begin(), op.getWrt().end());

  // What ran before the gradient: ops above it, and above what encloses it.
  SmallVector<Operation *> ops;
  for (Operation *at = op; !isa<func::FuncOp>(at); at = at->getParentOp()) {
    SmallVector<Operation *> before;
    for (Operation &other : *at->getBlock()) {
      if (&other == at)
        break;
      before.push_back(&other);
    }
    ops.insert(ops.begin(), before.begin(), before.end());
  }
  for (Operation *other : ops)
    propagate(other);
  // Inside of a loop, what it carries may depend on what is differentiated by.
  for (Operation *at = op->getParentOp(); !isa<func::FuncOp>(at); at = at->getParentOp())
    if (isa<LoopLikeOpInterface>(at) &&
        llvm::any_of(at->getOperands(), [&](Value v) { return active.contains(v); }))
      return op.emitOpError("gradient through a loop is not supported");

  Gradients gradients;
  if (active.contains(op.getLoss()))
    gradients[op.getLoss()] = op.getSeed();
  if (failed(visitAll(ops, gradients)))
    return failure();
  SmallVector<Value> results;
  for (Value value : op.getWrt()) {
    Value sum = gradients.lookup(value);
    results.push_back(sum ? sum : makeZeros(builder, op.getLoc(), value));
  }
  op->replaceAllUsesWith(results);
  op.erase();
  return success();
}

namespace {
struct Autodiff : public janus::impl::AutodiffBase<Autodiff> {
  LogicalResult initialize(MLIRContext *context) override {
    std::string error;
    if (table.parse(gradientsText, error))
      return success();
    return emitError(UnknownLoc::get(context)) << "gradients.txt: " << error;
  }

  void runOnOperation() override {
    SmallVector<GradientOp> gradients;
    getOperation().walk([&](GradientOp op) { gradients.push_back(op); });
    OpBuilder builder(&getContext());
    for (GradientOp op : gradients) {
      if (!op->getParentOfType<func::FuncOp>()) {
        op.emitOpError("stands in a graph: structurise first");
        return signalPassFailure();
      }
      if (failed(Expansion(table, builder).run(op)))
        return signalPassFailure();
    }
    // Nothing asks where gradients stop any more.
    getOperation().walk([](DetachOp op) {
      op.replaceAllUsesWith(op.getOperand());
      op.erase();
    });
  }

  GradientTable table;
};
} // namespace
