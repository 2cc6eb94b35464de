//===- ControlOps.cpp - verifiers, syntax, canonicalisation of control ----===//
//
// In: the generated classes. Out: what ODS cannot say about graphs, dataflow control, asserts
// and gradients.
//
//===----------------------------------------------------------------------===//

#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace janus;

//===----------------------------------------------------------------------===//
// GraphOp
//===----------------------------------------------------------------------===//

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void GraphOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

RegionKind GraphOp::getRegionKind(unsigned) { return RegionKind::Graph; }

static bool isGraphValue(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    Type element = tensor.getElementType();
    return element.isF32() || element.isF64() || element.isSignlessInteger(64) ||
           element.isSignlessInteger(32) || element.isSignlessInteger(16) ||
           element.isSignlessInteger(8) || element.isUnsignedInteger(8) ||
           element.isSignlessInteger(1);
  }
  return isScalarType(type) || isa<IndexType, ObjectType, TokenType>(type);
}

LogicalResult GraphOp::verify() {
  for (Type type : getFunctionType().getInputs())
    if (!isGraphValue(type))
      return emitOpError("has an argument of type ") << type << ", which no graph value has";
  for (Type type : getFunctionType().getResults())
    if (!isGraphValue(type))
      return emitOpError("has a result of type ") << type << ", which no graph value has";
  return success();
}

/// Whether a slot is met for the second time; says so.
static LogicalResult noteSlot(Operation *op, uint64_t slot, StringRef what,
                              DenseMap<uint64_t, Operation *> &seen) {
  auto [entry, isNew] = seen.try_emplace(slot, op);
  if (isNew)
    return success();
  InFlightDiagnostic diag = op->emitOpError("has ") << what << " slot " << slot
                                                    << ", which another op has";
  diag.attachNote(entry->second->getLoc()) << "the other op";
  return diag;
}

/// Reports a cycle that goes through no janus.next_iteration, over which folders and passes would
/// run for ever.
static LogicalResult verifyAcyclic(Block &block) {
  enum State { unseen, open, done };
  DenseMap<Operation *, State> states;
  struct Frame {
    Operation *op;
    unsigned next;
  };
  SmallVector<Frame> stack;
  for (Operation &root : block) {
    if (states.lookup(&root) != unseen)
      continue;
    states[&root] = open;
    stack.push_back({&root, 0});
    while (!stack.empty()) {
      Operation *op = stack.back().op;
      if (isa<NextIterationOp>(op) || stack.back().next == op->getNumOperands()) {
        states[op] = done;
        stack.pop_back();
        continue;
      }
      Operation *def = op->getOperand(stack.back().next++).getDefiningOp();
      if (!def || def->getBlock() != &block)
        continue;
      State &state = states[def];
      if (state == open)
        return def->emitOpError("is part of a cycle that goes through no janus.next_iteration");
      if (state == done)
        continue;
      state = open;
      stack.push_back({def, 0});
    }
  }
  return success();
}

LogicalResult GraphOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.empty() || !isa<ReturnOp>(block.back()))
    return emitOpError("must end with janus.return");
  DenseMap<uint64_t, Operation *> loads, commits;
  for (Operation &op : block) {
    if (auto load = dyn_cast<LoadOpInterface>(op)) {
      if (std::optional<uint64_t> slot = load.getSlot())
        if (failed(noteSlot(&op, *slot, "load", loads)))
          return failure();
    } else if (auto commit = dyn_cast<CommitOpInterface>(op)) {
      if (failed(noteSlot(&op, commit.getSlot(), "commit", commits)))
        return failure();
    }
  }
  return verifyAcyclic(block);
}

//===----------------------------------------------------------------------===//
// ReturnOp
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto graph = (*this)->getParentOfType<GraphOp>();
  ArrayRef<Type> expected = graph.getResultTypes();
  if (getNumOperands() != expected.size())
    return emitOpError("returns ") << getNumOperands() << " values, but the graph has "
                                   << expected.size() << " results";
  for (auto [i, operand] : llvm::enumerate(getValues())) {
    if (operand.getType() != expected[i])
      return emitOpError("value ") << i << " has type " << operand.getType()
                                   << ", but the graph's result has type " << expected[i];
    if (isa<TokenType>(operand.getType()) && i + 1 != getNumOperands())
      return emitOpError("may return a token as its last value only");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// SwitchOp and MergeOp
//===----------------------------------------------------------------------===//

namespace {
/// Which side of a switch with a constant predicate is never taken: 0 true, 1 false.
std::optional<unsigned> getDeadSide(SwitchOp op) {
  BoolAttr predicate;
  if (!matchPattern(op.getPredicate(), m_Constant(&predicate)))
    return std::nullopt;
  return predicate.getValue() ? 1 : 0;
}

/// Whether `value` never arrives: it comes from a side that is never taken. `budget` bounds the
/// search; where it runs out the answer is no.
bool isDead(Value value, unsigned &budget, SmallPtrSetImpl<Operation *> &visited) {
  Operation *op = value.getDefiningOp();
  if (!op || budget == 0 || !visited.insert(op).second)
    return false;
  --budget;
  if (auto switchOp = dyn_cast<SwitchOp>(op))
    if (std::optional<unsigned> dead = getDeadSide(switchOp))
      if (switchOp->getResult(*dead) == value)
        return true;
  auto arrives = [&](Value operand) { return !isDead(operand, budget, visited); };
  if (auto merge = dyn_cast<MergeOp>(op))
    return llvm::none_of(merge.getInputs(), arrives) && !merge.getInputs().empty();
  return !llvm::all_of(op->getOperands(), arrives);
}

/// A switch whose predicate is known, and whose other side nothing uses, is no switch.
struct SwitchOnConstant : public OpRewritePattern<SwitchOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SwitchOp op, PatternRewriter &rewriter) const override {
    std::optional<unsigned> dead = getDeadSide(op);
    if (!dead || !op->getResult(*dead).use_empty())
      return failure();
    rewriter.replaceOp(op, {op.getValue(), op.getValue()});
    return success();
  }
};

/// A merge at which one operand only can arrive is that operand.
struct MergeOfOne : public OpRewritePattern<MergeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MergeOp op, PatternRewriter &rewriter) const override {
    std::optional<unsigned> alive;
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      unsigned budget = 256;
      SmallPtrSet<Operation *, 16> visited;
      if (isDead(input, budget, visited))
        continue;
      if (alive)
        return failure();
      alive = i;
    }
    if (!alive)
      return failure();
    Value input = op.getInputs()[*alive];
    if (input == op.getValue()) // a cycle of its own
      return failure();
    rewriter.setInsertionPoint(op);
    Value which = arith::ConstantIntOp::create(rewriter, op.getLoc(), *alive, 64);
    rewriter.replaceOp(op, {input, which});
    return success();
  }
};
} // namespace

void SwitchOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SwitchOnConstant>(context);
}

void MergeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeOfOne>(context);
}

LogicalResult MergeOp::verify() {
  size_t count = getInputs().size();
  if (count != 1 && count != 2)
    return emitOpError("takes one or two operands, not ") << count;
  for (auto [i, input] : llvm::enumerate(getInputs()))
    if (input.getType() != getValue().getType())
      return emitOpError("operand ") << i << " has type " << input.getType()
                                     << ", but the result has type " << getValue().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// InvokeOp
//===----------------------------------------------------------------------===//

LogicalResult InvokeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("names no graph or function: @") << getCallee();
  auto compare = [&](TypeRange actual, ArrayRef<Type> expected, StringRef what) -> LogicalResult {
    if (actual.size() != expected.size())
      return emitOpError("has ") << actual.size() << ' ' << what << "s, but @" << getCallee()
                                 << " has " << expected.size();
    for (size_t i = 0; i < expected.size(); ++i)
      if (actual[i] != expected[i])
        return emitOpError() << what << ' ' << i << " has type " << actual[i] << ", but @"
                             << getCallee() << " has " << expected[i];
    return success();
  };
  if (failed(compare(getInputs().getTypes(), callee.getArgumentTypes(), "argument")))
    return failure();
  return compare(getOutputs().getTypes(), callee.getResultTypes(), "result");
}

//===----------------------------------------------------------------------===//
// AssertOp
//===----------------------------------------------------------------------===//

namespace {
/// An assert that holds is no assert. One that fails stays: it says which assumption it was.
struct AssertThatHolds : public OpRewritePattern<AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssertOp op, PatternRewriter &rewriter) const override {
    if (!matchPattern(op.getCondition(), m_One()))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void AssertOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AssertThatHolds>(context);
}

//===----------------------------------------------------------------------===//
// GradientOp
//===----------------------------------------------------------------------===//

LogicalResult GradientOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                           ValueRange operands, DictionaryAttr,
                                           OpaqueProperties, RegionRange,
                                           SmallVectorImpl<Type> &types) {
  if (operands.size() < 2)
    return failure();
  llvm::append_range(types, operands.drop_front(2).getTypes());
  return success();
}

LogicalResult GradientOp::verify() {
  if (getWrt().empty())
    return emitOpError("needs a value to differentiate by");
  return success();
}

//===----------------------------------------------------------------------===//
// PullbackOp
//===----------------------------------------------------------------------===//

LogicalResult PullbackOp::verify() {
  uint64_t size = getArguments().size();
  if (getCount() < 1 || size < 3 * getCount() + 2 || (size - 3 * getCount()) % 2 != 0)
    return emitOpError("needs results, their gradients and flags, inputs and their sums");
  auto differ = [](ValueRange a, TypeRange b) { return TypeRange(a) != b; };
  if (differ(getOutputs(), getSeeds().getTypes()))
    return emitOpError("gradients and results have different types");
  if (differ(getWrt(), getSums().getTypes()))
    return emitOpError("sums and inputs have different types");
  for (ValueRange values : {getOutputs(), getWrt()})
    for (Type type : values.getTypes())
      if (!isa<RankedTensorType>(type) || !isa<FloatType>(cast<TensorType>(type).getElementType()))
        return emitOpError("differentiates tensors of floats, not ") << type;
  unsigned inputs = getInputCount();
  if (getNumResults() != 2 * inputs || differ(getWrt(), TypeRange(getResultTypes()).take_front(inputs)))
    return emitOpError("has a result and a flag per input");
  for (ValueRange flags : {getPresent(), ValueRange(getGradients().drop_front(inputs))})
    for (Type type : flags.getTypes())
      if (!type.isInteger(1))
        return emitOpError("has a flag of type ") << type;
  return success();
}
