//===- Parallelize.cpp - Independent loop nests at the same time ------------===//
//
// In: functions with linalg ops on buffers, each freed right after its last use. Out: the same,
// where ops that are independent of each other stand in the parts of a janus.concurrent.
//
// Holds: an op moves up to its group only past ops that it does not depend on, and a part
// touches no buffer that another part writes.
//
// One sweep per block. From each large op on, every op that follows goes to one of four places:
// before the group (allocations, views, numbers), into a part of its own, into the part that it
// alone depends on, or to the rest, which stays where it is. A part has one large op: a chain of
// them would be waited for at the end while what it leads to could run beside it.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Work.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace janus {
#define GEN_PASS_DEF_JANUSPARALLELIZE
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// An op of less work than this is small.
constexpr int64_t largeWork = 4'000 * 32;
constexpr int64_t usualExtent = 64;
/// Ops that a group looks at.
constexpr unsigned window = 160;
/// Parts of a group.
constexpr size_t mostParts = 16;

struct Access {
  Value root;
  bool write;
};

/// The buffers that an op reads and writes; nothing where that cannot be told.
std::optional<SmallVector<Access>> accessesOf(Operation *top) {
  SmallVector<Access> found;
  auto inner = [&](Value root) {
    Operation *owner = root.getDefiningOp();
    if (!owner)
      owner = cast<BlockArgument>(root).getOwner()->getParentOp();
    return top->isAncestor(owner) && (owner != top || isa<BlockArgument>(root));
  };
  auto add = [&](Value memref, bool write) {
    Value root = janus::rootOf(memref);
    if (!inner(root))
      found.push_back({root, write});
  };
  WalkResult result = top->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (!linalgOp.hasPureBufferSemantics())
        return WalkResult::interrupt();
      for (OpOperand &operand : op->getOpOperands())
        if (isa<MemRefType>(operand.get().getType()))
          add(operand.get(), linalgOp.isDpsInit(&operand));
      // The body may load from further buffers.
      op->walk([&](memref::LoadOp load) { add(load.getMemRef(), false); });
      return WalkResult::skip();
    }
    if (isa<memref::AllocOp>(op) || isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects)
      return op->getNumRegions() != 0 && op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    SmallVector<MemoryEffects::EffectInstance> all;
    effects.getEffects(all);
    for (MemoryEffects::EffectInstance &effect : all) {
      Value value = effect.getValue();
      if (!value || !isa<MemRefType>(value.getType()))
        return WalkResult::interrupt();
      add(value, !isa<MemoryEffects::Read>(effect.getEffect()));
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  return found;
}

bool conflict(ArrayRef<Access> a, ArrayRef<Access> b) {
  return llvm::any_of(a, [&](const Access &x) {
    return llvm::any_of(b, [&](const Access &y) {
      return (x.write || y.write) && !janus::areDistinct(x.root, y.root);
    });
  });
}

/// An unknown extent is taken for a usual batch or length.
bool isLarge(const janus::Work &work) { return work.guess(usualExtent) >= largeWork; }

struct Part {
  SmallVector<Operation *> ops;
  SmallVector<Access> accesses;
  std::optional<janus::Work> large;
};

/// The ops from `first` on that can run beside each other.
class Group {
public:
  /// `large` is the first large op.
  explicit Group(Operation *large) : first(large), large(large) {
    if (Operation *fill = large->getPrevNode(); fill && boundTo(fill))
      first = fill;
  }

  /// The matrix product right behind a fill that gives it its zeros: the two become one call, so
  /// they are never parted.
  static Operation *boundTo(Operation *fill) {
    auto contract = dyn_cast_or_null<linalg::ContractOp>(fill->getNextNode());
    return isa<linalg::FillOp>(fill) && contract && janus::zeroFillBefore(contract) == fill
               ? contract
               : nullptr;
  }

  /// Whether there is something to gain.
  bool find();
  void emit();
  /// Where the next group may begin.
  Operation *next() const { return resume; }

private:
  /// Whether `op` uses a result of one of `ops`.
  static bool usesAny(Operation *op, const llvm::SmallPtrSetImpl<Operation *> &ops) {
    bool found = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        found |= operand.getDefiningOp() && ops.contains(operand.getDefiningOp());
    });
    return found;
  }
  void place(Operation *op, Operation *fill, ArrayRef<Access> accesses);
  void stay(Operation *op, ArrayRef<Access> accesses) {
    restOps.insert(op);
    rest.append(accesses.begin(), accesses.end());
  }

  Operation *first, *large;
  Operation *resume = nullptr;
  SmallVector<Part> parts;
  SmallVector<Operation *> before; // ops without effects, in order
  SmallVector<Access> rest;
  llvm::SmallPtrSet<Operation *, 32> restOps;
};

/// `fill` comes before `op` and goes where it goes, or is null.
void Group::place(Operation *op, Operation *fill, ArrayRef<Access> accesses) {
  bool depends = usesAny(op, restOps) || conflict(accesses, rest);
  if (depends)
    return stay(op, accesses);
  if (isa<memref::AllocOp>(op) || (isMemoryEffectFree(op) && op->getNumRegions() == 0)) {
    before.push_back(op);
    return;
  }
  if (!isa<linalg::LinalgOp, memref::CopyOp>(op) || op->getNumResults() != 0)
    return stay(op, accesses);
  janus::Work work = janus::workOf(op);
  SmallVector<size_t> on;
  size_t large = isLarge(work);
  for (auto [i, part] : llvm::enumerate(parts))
    if (conflict(accesses, part.accesses)) {
      on.push_back(i);
      large += part.large.has_value();
    }
  if (large > 1 || (on.empty() && parts.size() == mostParts))
    return stay(op, accesses);
  if (on.empty()) {
    on.push_back(parts.size());
    parts.emplace_back();
  }
  // Small parts that meet here become one, in the order in which their ops stood.
  Part &to = parts[on.front()];
  for (size_t i : llvm::drop_begin(on)) {
    to.ops.append(parts[i].ops);
    to.accesses.append(parts[i].accesses);
    if (parts[i].large)
      to.large = parts[i].large;
  }
  if (on.size() > 1)
    llvm::sort(to.ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  if (fill)
    to.ops.push_back(fill);
  to.ops.push_back(op);
  to.accesses.append(accesses.begin(), accesses.end());
  if (isLarge(work))
    to.large = work;
  for (size_t i : llvm::reverse(llvm::drop_begin(on)))
    parts.erase(parts.begin() + i);
}

bool Group::find() {
  unsigned seen = 0;
  for (Operation *op = first; op && seen < window; op = op->getNextNode(), ++seen) {
    if (op->hasTrait<OpTrait::IsTerminator>())
      break;
    auto accesses = accessesOf(op);
    if (!accesses)
      break;
    Operation *fill = nullptr;
    if (Operation *contract = boundTo(op))
      // The product accesses what its fill does.
      fill = std::exchange(op, contract), accesses = accessesOf(op);
    if (op != large && !resume && isLarge(janus::workOf(op)))
      resume = op;
    place(op, fill, *accesses);
  }
  // What is small alone is not worth a part: it runs before the group, where it depends on nothing.
  int64_t total = 0, most = 0;
  size_t large = 0;
  bool known = true;
  for (Part &part : parts) {
    if (!part.large)
      continue;
    ++large;
    known &= part.large->factors.empty();
    total += part.large->known;
    most = std::max(most, part.large->known);
  }
  return large > 1 && (!known || total - most >= janus::worthAThread);
}

void Group::emit() {
  ImplicitLocOpBuilder b(first->getLoc(), first);
  // Only what the parts use moves up: a buffer that is allocated early is alive for longer.
  llvm::SmallPtrSet<Operation *, 32> needed;
  auto need = [&](Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          needed.insert(producer);
    });
  };
  for (Part &part : parts)
    llvm::for_each(part.ops, need);
  for (Operation *op : llvm::reverse(before))
    if (needed.contains(op))
      need(op);
  // `first` itself moves into a part, so the group begins at a mark.
  Operation *mark = arith::ConstantIntOp::create(b, 0, 64);
  for (Operation *op : before)
    if (needed.contains(op))
      op->moveBefore(mark);
  SmallVector<Part *> large;
  for (Part &part : parts) {
    if (part.large) {
      large.push_back(&part);
      continue;
    }
    for (Operation *op : part.ops)
      op->moveBefore(mark);
  }
  b.setInsertionPoint(mark);
  Value total, most;
  for (Part *part : large) {
    Value work = part->large->emit(b, b.getLoc());
    total = total ? Value(arith::AddIOp::create(b, total, work)) : work;
    most = most ? Value(arith::MaxSIOp::create(b, most, work)) : work;
  }
  Value gain = arith::SubIOp::create(b, total, most);
  Value enough = arith::ConstantIntOp::create(b, janus::worthAThread, 64);
  gain = arith::SubIOp::create(b, gain, enough);
  auto group = janus::ConcurrentOp::create(b, gain, large.size());
  for (auto [part, region] : llvm::zip(large, group.getParts())) {
    Block &block = region.emplaceBlock();
    for (Operation *op : part->ops)
      op->moveBefore(&block, block.end());
    b.setInsertionPointToEnd(&block);
    janus::DoneOp::create(b);
  }
  mark->erase();
  resume = group->getNextNode();
}

struct Parallelize : janus::impl::JanusParallelizeBase<Parallelize> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      for (auto contract : block->getOps<linalg::ContractOp>())
        if (linalg::FillOp fill = janus::zeroFillBefore(contract))
          fill->moveBefore(contract);
      for (Operation *op = firstLarge(&block->front()); op;) {
        Group group(op);
        if (group.find())
          group.emit();
        op = firstLarge(group.next());
      }
    }
  }

  static Operation *firstLarge(Operation *op) {
    while (op && !isLarge(janus::workOf(op)))
      op = op->getNextNode();
    return op;
  }
};

} // namespace
