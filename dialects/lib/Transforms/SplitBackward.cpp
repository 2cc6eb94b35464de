//===- SplitBackward.cpp - the backward pass as a function of its own -----===//
//
// In: functions in the structured stage of which some results come from janus.pullback (the
// attribute `janus.backward_results` lists them) and some arguments from janus.incoming (argument
// attribute `janus.incoming`). Out: such a function without those results and arguments, which
// returns at its end what its backward pass needs; and beside it `<name>.backward`, whose
// attribute `janus.sources` tells where each of its arguments comes from:
//
//   a3   argument 3 of the function
//   r0   its result 0, the assert's number left out
//   i2   the incoming value 2
//
// Arguments and incoming values that it does not need are left out.
//
// Runs right after autodiff: canonicalisation would mix what the two do.
//
// Holds: it needs what the tape would keep, so that a later write to that is an error here as
// there: what autodiff made (attribute `janus.backward`) belongs to the backward pass, extents
// excepted, and of a view what it shows is kept. What is cheap to compute from what it needs anyway
// is computed again. A sum to which one contribution is added is no argument: the backward pass
// returns the contribution, and the tape adds it.
//
//===----------------------------------------------------------------------===//

#include "janus/IR/Janus.h"
#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace janus {
#define GEN_PASS_DEF_SPLITBACKWARD
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;
using namespace janus;

namespace {
class Split {
public:
  Split(func::FuncOp function, ArrayRef<int64_t> results)
      : function(function), body(function.getBody().front()),
        backwardResults(results.begin(), results.end()), builder(function.getContext()) {}

  void run();

private:
  /// The values from outside of `op` that it uses, also inside of its regions.
  SmallVector<Value> getUses(Operation &op) const;
  void findCommits();
  void findDependent();
  void leaveSingleSums();
  /// Lets the backward pass read a value off new content of a tensor that is a reshape of it.
  void readContents();
  /// Which values of the function the backward pass takes as they are, and which ops it repeats.
  void choose();
  bool isRepeatable(Operation *op) const;
  bool isView(Operation *op) const;
  void makeBackward();
  void shrink();
  bool isIncoming(Value value);
  Operation *getTerminator() const { return body.getTerminator(); }

  func::FuncOp function;
  Block &body;
  SmallVector<int64_t> backwardResults;
  OpBuilder builder;
  /// Results that are commits' are memory of others as soon as they are committed.
  int64_t firstCommit;
  /// But new content of a tensor is kept as that tensor is then.
  llvm::SetVector<int64_t> contents;
  /// Values and ops of the backward pass alone.
  llvm::DenseSet<Value> dependent;
  llvm::DenseSet<Operation *> dependentOps;
  llvm::DenseSet<Operation *> repeated;
  llvm::SetVector<Value> taken;
};
} // namespace

SmallVector<Value> Split::getUses(Operation &op) const {
  SmallVector<Value> uses;
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getParentBlock() == &body)
        uses.push_back(operand);
  });
  return uses;
}

bool Split::isIncoming(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &body &&
         function.getArgAttr(argument.getArgNumber(), "janus.incoming");
}

void Split::findDependent() {
  for (BlockArgument argument : body.getArguments())
    if (isIncoming(argument))
      dependent.insert(argument);
  for (Operation &op : body.without_terminator()) {
    // An extent is kept rather than the tensor that has it.
    bool isMade = op.removeDiscardableAttr("janus.backward") && !isa<DimOp>(op);
    if (!isMade &&
        llvm::none_of(getUses(op), [&](Value use) { return dependent.contains(use); }))
      continue;
    dependentOps.insert(&op);
    dependent.insert(op.result_begin(), op.result_end());
  }
}

void Split::findCommits() {
  firstCommit = getTerminator()->getNumOperands();
  auto commits = function->getAttrOfType<ArrayAttr>("janus.commits");
  if (!commits)
    return;
  StringRef update = UpdateOp::getOperationName().split('.').second;
  for (auto commit : commits.getAsRange<DictionaryAttr>()) {
    int64_t first = cast<IntegerAttr>(commit.get("first")).getInt();
    firstCommit = std::min(firstCommit, first);
    if (cast<StringAttr>(commit.get("kind")).getValue() == update && !commit.get("conditional"))
      contents.insert(first);
  }
}

void Split::leaveSingleSums() {
  for (int64_t index : backwardResults) {
    OpOperand &operand = getTerminator()->getOpOperand(index);
    auto add = operand.get().getDefiningOp<AddOp>();
    if (!add || !isIncoming(add.getLhs()) || !add.getLhs().hasOneUse() || !add->hasOneUse())
      continue;
    operand.set(add.getRhs());
    dependentOps.erase(add);
    add.erase();
  }
}

void Split::readContents() {
  for (int64_t index : contents) {
    Value content = getTerminator()->getOperand(index);
    auto reshape = content.getDefiningOp<ReshapeOp>();
    if (!reshape || !reshape.getOperand().getType().hasStaticShape())
      continue;
    Value shown = reshape.getOperand();
    auto isBackward = [&](OpOperand &use) {
      Operation *op = body.findAncestorOpInBlock(*use.getOwner());
      return op && dependentOps.contains(op);
    };
    if (llvm::none_of(shown.getUses(), isBackward))
      continue;
    builder.setInsertionPointAfter(reshape);
    auto back = ReshapeOp::create(builder, reshape.getLoc(), shown.getType(), content, ValueRange());
    shown.replaceUsesWithIf(back, isBackward);
    dependentOps.insert(back);
    dependent.insert(back.getResult());
  }
}

/// Ops that cost next to nothing beside reading their operands, which fusion does anyway.
bool Split::isRepeatable(Operation *op) const {
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  if (isa<ExpOp, LogOp, Log1pOp, Expm1Op, TanhOp, SinOp, CosOp, ErfOp, SigmoidOp, PowOp>(op))
    return false;
  return op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<OpTrait::Elementwise>() ||
         isa<arith::ArithDialect>(op->getDialect()) ||
         isa<SelectOp, FullOp, IotaOp, DimOp, tensor::CastOp>(op) || isView(op);
}

/// Ops whose result is a view of their operand on the tape.
bool Split::isView(Operation *op) const {
  return isa<BroadcastOp, ReshapeOp, PermuteOp, SliceOp>(op);
}

void Split::choose() {
  auto need = [&](Value value) {
    if (!dependent.contains(value))
      taken.insert(value);
  };
  for (Operation &op : body.without_terminator())
    if (dependentOps.contains(&op))
      llvm::for_each(getUses(op), need);
  for (int64_t index : backwardResults)
    need(getTerminator()->getOperand(index));

  // From the last op to the first, so that what an op is repeated from can be repeated too.
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    if (!dependentOps.contains(&op))
      ops.push_back(&op);
  // A tensor that the tape would not keep is not taken either: it may change until then.
  auto isThere = [&](Value value) {
    bool isNumber = isa<BlockArgument>(value) && !isa<TensorType>(value.getType());
    return isNumber || taken.contains(value);
  };
  auto isCheap = [&](Value value) {
    Operation *maker = value.getDefiningOp();
    return maker && isRepeatable(maker) && (maker->hasTrait<OpTrait::ConstantLike>() ||
                                            !isa<TensorType>(value.getType()));
  };
  auto isOfOthers = [&](Value value) {
    for (Operation *op = value.getDefiningOp(); op && isView(op); op = value.getDefiningOp())
      value = op->getOperand(0);
    return isa<BlockArgument>(value) ||
           llvm::is_contained(getTerminator()->getOperands(), value);
  };
  for (Operation *op : llvm::reverse(ops)) {
    bool isTaken = llvm::any_of(op->getResults(), [&](Value v) { return taken.contains(v); });
    bool isGiven = llvm::all_of(op->getOperands(), [&](Value v) {
      bool isShown = isView(op) && v == op->getOperand(0) && isOfOthers(v);
      return isShown || isThere(v) || isCheap(v);
    });
    if (!isTaken || !isRepeatable(op) || !isGiven)
      continue;
    repeated.insert(op);
    for (Value result : op->getResults())
      taken.remove(result);
    llvm::for_each(op->getOperands(), need);
  }
}

void Split::makeBackward() {
  Operation *terminator = getTerminator();
  Location loc = function.getLoc();
  builder.setInsertionPointAfter(function);
  auto backward = func::FuncOp::create(builder, loc, (function.getName() + ".backward").str(),
                                       builder.getFunctionType({}, {}));
  Block *block = backward.addEntryBlock();
  IRMapping mapping;
  SmallVector<std::string> sources;
  auto take = [&](Value value, std::string source) {
    mapping.map(value, block->addArgument(value.getType(), loc));
    sources.push_back(std::move(source));
  };
  int64_t firstBackward = backwardResults.front();
  int64_t kept = terminator->getNumOperands() - backwardResults.size();
  SmallVector<Value> appended;
  // The place of a value among the results that stay.
  auto placeOf = [&](Value value) -> int64_t {
    for (auto [index, result] : llvm::enumerate(terminator->getOperands())) {
      int64_t at = index;
      if (result != value)
        continue;
      if (at < std::min(firstCommit, firstBackward))
        return at;
      if (contents.contains(at))
        return at - static_cast<int64_t>(backwardResults.size());
    }
    appended.push_back(value);
    return kept + static_cast<int64_t>(appended.size()) - 1;
  };
  for (Value value : taken) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      take(value, "a" + std::to_string(argument.getArgNumber()));
    else
      take(value, "r" + std::to_string(placeOf(value) - 1));
  }
  unsigned incoming = 0;
  for (BlockArgument argument : body.getArguments())
    if (isIncoming(argument)) {
      if (!argument.use_empty())
        take(argument, "i" + std::to_string(incoming));
      ++incoming;
    }

  builder.setInsertionPointToEnd(block);
  for (Operation &op : body.without_terminator())
    if (dependentOps.contains(&op) || repeated.contains(&op))
      builder.clone(op, mapping);
  SmallVector<Value> returned{arith::ConstantIntOp::create(builder, loc, -1, 64)};
  for (int64_t index : backwardResults)
    returned.push_back(mapping.lookup(terminator->getOperand(index)));
  func::ReturnOp::create(builder, loc, returned);
  backward.setFunctionType(
      builder.getFunctionType(block->getArgumentTypes(), ValueRange(returned).getTypes()));
  SmallVector<StringRef> names(sources.begin(), sources.end());
  backward->setAttr("janus.sources", builder.getStringAttr(llvm::join(names, " ")));

  SmallVector<Value> results;
  for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
    if (!llvm::is_contained(backwardResults, static_cast<int64_t>(index)))
      results.push_back(value);
  llvm::append_range(results, appended);
  terminator->setOperands(results);
}

/// Drops from the function what only its backward pass needed.
void Split::shrink() {
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (dependentOps.contains(op) || isOpTriviallyDead(op))
      op->erase();
  for (unsigned i = body.getNumArguments(); i-- > 0;)
    if (isIncoming(body.getArgument(i)))
      (void)function.eraseArgument(i);
  function.setFunctionType(builder.getFunctionType(body.getArgumentTypes(),
                                                   getTerminator()->getOperandTypes()));
  function->removeAttr("janus.backward_results");
  auto commits = function->getAttrOfType<ArrayAttr>("janus.commits");
  if (!commits)
    return;
  // Commits' results follow those that are gone.
  SmallVector<Attribute> moved;
  for (Attribute commit : commits) {
    NamedAttrList entry(cast<DictionaryAttr>(commit));
    int64_t first = cast<IntegerAttr>(entry.get("first")).getInt();
    entry.set("first", builder.getI64IntegerAttr(first - backwardResults.size()));
    moved.push_back(entry.getDictionary(builder.getContext()));
  }
  function->setAttr("janus.commits", builder.getArrayAttr(moved));
}

void Split::run() {
  // What autodiff repeated and did not need would be kept for nothing.
  IRRewriter rewriter(function.getContext());
  (void)runRegionDCE(rewriter, function->getRegions());
  findCommits();
  findDependent();
  leaveSingleSums();
  readContents();
  choose();
  makeBackward();
  shrink();
}

namespace {
struct SplitBackward : public janus::impl::SplitBackwardBase<SplitBackward> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (auto results = function->getAttrOfType<DenseI64ArrayAttr>("janus.backward_results"))
        Split(function, results.asArrayRef()).run();
  }
};
} // namespace
