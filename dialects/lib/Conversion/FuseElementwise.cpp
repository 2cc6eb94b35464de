//===- FuseElementwise.cpp - Producers into their consumers -----------------===//
//
// In: functions of linalg.generic on tensors. Out: fewer of them. One sweep per
// block from top to bottom, so that a producer is final before it is considered:
//   - a cheap producer is repeated in each loop that uses it;
//   - another is fused where its only use is, or where the first of several uses
//     runs over the same elements: that loop then yields it as well;
//   - neither goes into a loop that would compute it more often than needed, or
//     that does not vectorise while the producer's math would.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace janus {
#define GEN_PASS_DEF_JANUSFUSEELEMENTWISE
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// A producer of at most this cost is repeated rather than stored.
constexpr unsigned repeatCost = 3;
/// Above this cost a producer stays out of loops that do not vectorise.
constexpr unsigned scalarCost = 12;
/// Loops over more buffers than this run out of registers for their addresses.
constexpr unsigned maxBuffers = 14;
/// A body of more operations than this is not fused any further.
constexpr size_t maxSize = 256;

/// A rough number of machine operations per element.
unsigned costOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, unsigned>(&op)
      .Case<linalg::YieldOp, linalg::IndexOp, arith::ConstantOp>(
          [](auto) { return 0; })
      // Bools are kept as bytes: these are no work once fused.
      .Case<arith::TruncIOp, arith::ExtUIOp>([](auto) { return 0; })
      .Case<math::AbsFOp, math::FloorOp, math::CeilOp, math::RoundEvenOp>(
          [](auto) { return 1; })
      .Case<arith::DivFOp, arith::RemFOp, math::SqrtOp, tensor::ExtractOp>(
          [](auto) { return 6; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
          [](auto) { return 20; })
      .Default([](Operation *other) {
        bool function = isa<math::MathDialect>(other->getDialect());
        return function ? 30 : 1;
      });
}

unsigned costOf(linalg::GenericOp op) {
  unsigned cost = 0;
  for (Operation &inner : *op.getBody())
    cost += costOf(inner);
  return cost;
}

/// Ops in a body.
size_t sizeOf(linalg::GenericOp op) {
  return op.getBody()->getOperations().size();
}

/// Loops with a reduction innermost have a fixed order and stay scalar.
bool isScalarLoop(linalg::GenericOp op) {
  auto iterators = op.getIteratorTypesArray();
  return !iterators.empty() &&
         iterators.back() == utils::IteratorType::reduction;
}

class Fuser {
public:
  explicit Fuser(IRRewriter &rewriter) : rewriter(rewriter) {}

  /// Fuses into the generic ops of `block`, top to bottom.
  void run(Block &block) {
    for (Operation *op = block.empty() ? nullptr : &block.front(); op;) {
      Operation *next = op->getNextNode();
      if (auto consumer = dyn_cast<linalg::GenericOp>(op);
          consumer && consumer.hasPureTensorSemantics())
        while (linalg::GenericOp fused = fuseOneInto(consumer))
          consumer = fused;
      op = next;
    }
    // Producers that were repeated everywhere are dead now.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<linalg::GenericOp, tensor::EmptyOp>(op) && isOpTriviallyDead(&op))
        rewriter.eraseOp(&op);
  }

private:
  /// Fuses one producer of `consumer`; the fused op, or null when none is left.
  linalg::GenericOp fuseOneInto(linalg::GenericOp consumer) {
    for (OpOperand *operand : consumer.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || producer->getBlock() != consumer->getBlock() ||
          !linalg::areElementwiseOpsFusable(operand))
        continue;
      if (linalg::GenericOp fused = fuse(producer, consumer, operand))
        return fused;
    }
    return {};
  }

  linalg::GenericOp fuse(linalg::GenericOp producer, linalg::GenericOp consumer,
                         OpOperand *operand);

  /// Whether the consumer visits each element of the producer once.
  static bool sameElements(linalg::GenericOp producer,
                           linalg::GenericOp consumer, OpOperand *operand) {
    return producer.getNumLoops() == consumer.getNumLoops() &&
           consumer.getMatchingIndexingMap(operand).isPermutation();
  }

  /// Whether the consumer's loop can yield the producer's value as well: it runs
  /// before all other uses.
  static bool canYieldBoth(linalg::GenericOp producer,
                           linalg::GenericOp consumer) {
    Block *block = consumer->getBlock();
    return consumer.getNumParallelLoops() == consumer.getNumLoops() &&
           llvm::all_of(producer->getUsers(), [&](Operation *user) {
             Operation *ancestor = block->findAncestorOpInBlock(*user);
             return user == consumer.getOperation() ||
                    (ancestor && consumer->isBeforeInBlock(ancestor));
           });
  }

  /// Whether something other than an elementwise loop reads the producer's value.
  static bool isStoredAnyway(linalg::GenericOp producer) {
    return llvm::any_of(producer->getUsers(), [](Operation *user) {
      auto generic = dyn_cast<linalg::GenericOp>(user);
      return !generic;
    });
  }

  IRRewriter &rewriter;
};

linalg::GenericOp Fuser::fuse(linalg::GenericOp producer,
                              linalg::GenericOp consumer, OpOperand *operand) {
  unsigned cost = costOf(producer);
  bool cheap = cost <= repeatCost;
  bool once = sameElements(producer, consumer, operand);
  if (!cheap && !once)
    return {};
  if (cost > scalarCost && isScalarLoop(consumer))
    return {};
  if (producer->getNumOperands() + consumer->getNumOperands() > maxBuffers)
    return {};
  // One that is read twice is repeated, which a chain of those would double
  // again and again.
  if (sizeOf(producer) + sizeOf(consumer) > maxSize)
    return {};

  bool shared = llvm::any_of(producer->getUsers(), [&](Operation *user) {
    return user != consumer.getOperation();
  });
  bool yieldBoth = shared && once && canYieldBoth(producer, consumer) &&
                   (!cheap || isStoredAnyway(producer));
  if (shared && !yieldBoth) {
    // Reading the stored value is less work than making it from several.
    if (!cheap || (isStoredAnyway(producer) && producer.getNumDpsInputs() > 1))
      return {};
    // The loop gets a copy of its own.
    rewriter.setInsertionPoint(consumer);
    Operation *copy = rewriter.clone(*producer);
    unsigned number = cast<OpResult>(operand->get()).getResultNumber();
    for (OpOperand &use : consumer->getOpOperands())
      if (use.get() == operand->get())
        rewriter.modifyOpInPlace(consumer,
                                 [&] { use.set(copy->getResult(number)); });
    producer = cast<linalg::GenericOp>(copy);
  }

  rewriter.setInsertionPoint(consumer);
  auto result = linalg::fuseElementwiseOps(rewriter, operand);
  if (failed(result))
    return {};
  auto fused = cast<linalg::GenericOp>(result->fusedOp);
  // The loop is of both: `janus-describe` tells the user so.
  fused->setLoc(rewriter.getFusedLoc({producer.getLoc(), consumer.getLoc()}));
  for (auto [original, replacement] : result->replacements)
    rewriter.replaceUsesWithIf(original, replacement, [&](OpOperand &use) {
      Operation *owner = use.getOwner();
      return owner != fused.getOperation() &&
             owner != producer.getOperation() &&
             owner != consumer.getOperation();
    });
  rewriter.eraseOp(consumer);
  if (isOpTriviallyDead(producer))
    rewriter.eraseOp(producer);
  return fused;
}

struct FuseElementwise
    : janus::impl::JanusFuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    IRRewriter rewriter(&getContext());
    Fuser fuser(rewriter);
    SmallVector<Block *> blocks;
    function.walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      fuser.run(*block);

    // Results that nothing reads, operands that were read twice.
    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    // MLIR would fold math functions of constants by the C library's, whose
    // results are not those of math.txt.
    GreedyRewriteConfig config;
    config.enableFolding(false);
    if (failed(applyPatternsGreedily(function, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
