//===- LoopNests.cpp - Loops over elements that are no linalg op ------------===//
//
// Holds: loops are only said to be independent where two iterations touch no common element of a buffer
// that is written: all accesses to it are through one value, with the loop's index in one and the same place, and no
// other buffer of the nest overlaps it.
//
//===----------------------------------------------------------------------===//

#include "LoopNests.h"
#include "Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace janus {

bool isElementLoop(scf::ForOp loop) {
  if (loop.getNumResults() != 0)
    return false;
  return !loop
              .walk([](Operation *op) {
                bool plain = isa<scf::ForOp, scf::IfOp, scf::YieldOp, memref::LoadOp, memref::StoreOp>(op) ||
                             (op->getNumRegions() == 0 && isMemoryEffectFree(op));
                return plain ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

SmallVector<scf::ForOp> perfectNest(scf::ForOp loop) {
  SmallVector<scf::ForOp> nest{loop};
  while (true) {
    Block &body = *nest.back().getBody();
    auto inner = dyn_cast<scf::ForOp>(body.front());
    if (!inner || inner.getNumResults() != 0 || inner->getNextNode() != body.getTerminator())
      return nest;
    // Its bounds are those of each iteration.
    for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
      if (loop->isAncestor(bound.getParentRegion()->getParentOp()))
        return nest;
    nest.push_back(inner);
  }
}

/// Where in an arena a buffer lies, if it lies in one.
struct Place {
  Value arena;
  int64_t begin, end;
};

static std::optional<Place> placeOf(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>()) {
    auto part = dyn_cast<memref::ViewOp>(view.getOperation());
    APInt shift;
    if (part && part.getType().hasStaticShape() && matchPattern(part.getByteShift(), m_ConstantInt(&shift))) {
      int64_t bytes = elementBytes(part.getType()) * part.getType().getNumElements();
      return Place{part.getSource(), shift.getSExtValue(), shift.getSExtValue() + bytes};
    }
    memref = view.getViewSource();
  }
  return std::nullopt;
}

static bool overlapNowhere(Value a, Value b) {
  if (areDistinct(rootOf(a), rootOf(b)))
    return true;
  std::optional<Place> x = placeOf(a), y = placeOf(b);
  return x && y && x->arena == y->arena && (x->end <= y->begin || y->end <= x->begin);
}

SmallVector<int64_t> findIndependent(scf::ForOp loop) {
  struct Access {
    Value memref;
    ValueRange indices;
  };
  SmallVector<Access> accesses;
  llvm::SmallPtrSet<Value, 4> written;
  loop.walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      accesses.push_back({load.getMemRef(), load.getIndices()});
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      accesses.push_back({store.getMemRef(), store.getIndices()});
      written.insert(store.getMemRef());
    }
  });
  for (Value memref : written)
    for (Access access : accesses)
      if (access.memref != memref && !overlapNowhere(access.memref, memref))
        return {};
  SmallVector<int64_t> independent;
  for (auto [position, nested] : llvm::enumerate(perfectNest(loop))) {
    Value index = nested.getInductionVar();
    bool own = llvm::all_of(written, [&](Value memref) {
      for (int64_t dim = 0, rank = cast<MemRefType>(memref.getType()).getRank(); dim < rank; ++dim)
        if (llvm::all_of(accesses, [&](Access access) {
              return access.memref != memref || access.indices[dim] == index;
            }))
          return true;
      return false;
    });
    if (own)
      independent.push_back(position);
  }
  return independent;
}

/// The iterations of a loop; none where its bounds are the wrong way round.
static Value iterations(ImplicitLocOpBuilder &b, scf::ForOp loop, const IRMapping &mapping) {
  Value from = mapping.lookupOrDefault(loop.getLowerBound()), to = mapping.lookupOrDefault(loop.getUpperBound());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value length = b.createOrFold<arith::MaxSIOp>(b.createOrFold<arith::SubIOp>(to, from), zero);
  return b.createOrFold<arith::CeilDivSIOp>(length, mapping.lookupOrDefault(loop.getStep()));
}

Value independentIterations(ImplicitLocOpBuilder &b, scf::ForOp loop, ArrayRef<int64_t> independent,
                            const IRMapping &mapping) {
  SmallVector<scf::ForOp> nest = perfectNest(loop);
  Value all = arith::ConstantIndexOp::create(b, 1);
  for (int64_t position : independent)
    all = b.createOrFold<arith::MulIOp>(all, iterations(b, nest[position], mapping));
  return all;
}

void emitIteration(ImplicitLocOpBuilder &b, scf::ForOp loop, ArrayRef<int64_t> independent, Value number,
                   const IRMapping &mapping) {
  SmallVector<scf::ForOp> nest = perfectNest(loop);
  IRMapping inner = mapping;
  Value rest = number;
  for (int64_t position : llvm::reverse(independent)) {
    scf::ForOp own = nest[position];
    Value at = rest;
    if (position != independent.front()) {
      Value count = iterations(b, own, mapping);
      at = arith::RemUIOp::create(b, rest, count);
      rest = arith::DivUIOp::create(b, rest, count);
    }
    Value step = mapping.lookupOrDefault(own.getStep()), from = mapping.lookupOrDefault(own.getLowerBound());
    inner.map(own.getInductionVar(), b.createOrFold<arith::AddIOp>(b.createOrFold<arith::MulIOp>(at, step), from));
  }
  ImplicitLocOpBuilder::InsertionGuard saved(b);
  for (auto [position, other] : llvm::enumerate(nest)) {
    if (llvm::is_contained(independent, int64_t(position)))
      continue;
    auto made = scf::ForOp::create(b, mapping.lookupOrDefault(other.getLowerBound()),
                                   mapping.lookupOrDefault(other.getUpperBound()),
                                   mapping.lookupOrDefault(other.getStep()));
    inner.map(other.getInductionVar(), made.getInductionVar());
    b.setInsertionPointToStart(made.getBody());
  }
  for (Operation &op : nest.back().getBody()->without_terminator())
    b.clone(op, inner);
}

} // namespace janus
