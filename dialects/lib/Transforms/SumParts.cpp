//===- SumParts.cpp - gradients of parts, added in their place -------------===//
//
// In: functions in the structured stage. Out: the same; where a loop adds up gradients of parts
// of a tensor (of `x[t]`, in iteration `t`), each is added to its part alone, and not, with zeros
// around it, to the whole.
//
// Holds: the numbers are the same to the bit. Adding 0.0 changes -0.0 alone. What begins as zeros has
// none. What begins as -0.0 (LoopAdjoint.cpp), to which any number can be added, gets its 0.0 behind
// the loop, but for elements that were in the part of each iteration.
//
//===----------------------------------------------------------------------===//

#include "janus/IR/Janus.h"
#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace janus {
#define GEN_PASS_DEF_SUMPARTS
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// A sum of what there was before and a part with zeros around it.
struct Sum {
  janus::AddOp add;
  janus::UnsliceOp part;
  Value before;
};

/// A tensor of which all elements are one number that `matcher` is of.
template <typename Matcher> janus::FullOp fullOf(Value value, Matcher matcher) {
  auto full = value.getDefiningOp<janus::FullOp>();
  return full && matchPattern(full.getValue(), matcher) ? full : nullptr;
}

std::optional<Sum> sumOf(Value value) {
  auto add = value.getDefiningOp<janus::AddOp>();
  if (!add)
    return std::nullopt;
  if (auto part = add.getRhs().getDefiningOp<janus::UnsliceOp>())
    return Sum{add, part, add.getLhs()};
  if (auto part = add.getLhs().getDefiningOp<janus::UnsliceOp>())
    return Sum{add, part, add.getRhs()};
  return std::nullopt;
}

/// A part of a whole, as `part` writes it.
Value slicePart(OpBuilder &b, janus::UnsliceOp part, Value whole, ValueRange starts) {
  Location loc = part.getLoc();
  Value added = part.getOperand();
  auto type = cast<RankedTensorType>(added.getType());
  SmallVector<Value> dynamic(starts);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamic.push_back(janus::DimOp::create(b, loc, b.getIndexType(), added,
                                             static_cast<uint64_t>(dim)));
  return janus::SliceOp::create(b, loc, type, whole, dynamic, part.getStaticStarts(),
                                part.getStrides());
}

Value updatePart(OpBuilder &b, janus::UnsliceOp part, Value whole, Value now, ValueRange starts) {
  return janus::UpdateSliceOp::create(b, part.getLoc(), whole.getType(), whole, now, starts,
                                      part.getStaticStarts(), part.getStrides());
}

void addInPlace(Sum sum) {
  auto [add, part, _] = sum;
  bool isFirst = add.getRhs() == part.getResult();
  Value before = isFirst ? add.getLhs() : add.getRhs();
  OpBuilder b(add);
  Location loc = add.getLoc();
  Value added = part.getOperand();
  Value there = slicePart(b, part, before, part.getDynamicStarts());
  // In the order of the sum, since that of two NaNs is kept which comes first.
  Value now = isFirst ? janus::AddOp::create(b, loc, added.getType(), there, added)
                      : janus::AddOp::create(b, loc, added.getType(), added, there);
  add.replaceAllUsesWith(updatePart(b, part, before, now, part.getDynamicStarts()));
  add.erase();
  if (part->use_empty())
    part.erase();
}

/// Whether a part is one row, or the like, whose place alone moves: those of two iterations are the
/// same or have no element in common.
bool isOneRow(janus::UnsliceOp part) {
  auto type = cast<RankedTensorType>(part.getOperand().getType());
  auto starts = part.getStaticStarts();
  return type.hasStaticShape() && part.getDynamicStarts().size() == 1 &&
         llvm::all_of(llvm::zip(starts, type.getShape()), [](auto dim) {
           return !ShapedType::isDynamic(std::get<0>(dim)) || std::get<1>(dim) == 1;
         });
}

struct SumParts : janus::impl::SumPartsBase<SumParts> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      for (unsigned i = 0; i < loop.getInits().size(); ++i)
        loop = addParts(loop, i);
  }

  static scf::ForOp addParts(scf::ForOp loop, unsigned i) {
    Value init = loop.getInits()[i], carried = loop.getRegionIterArg(i);
    SmallVector<Sum> sums = partsAdded(loop.getYieldedValues()[i], carried);
    if (fullOf(init, m_PosZeroFloat()) || fullOf(init, m_Zero())) {
      // The first sum first: what follows adds to its result.
      for (Sum sum : llvm::reverse(sums))
        addInPlace(sum);
      return loop;
    }
    bool isAlone = sums.size() == 1 && carried.hasOneUse() && sums.front().add->hasOneUse();
    if (isAlone && fullOf(init, m_NegZeroFloat()) && isOneRow(sums.front().part))
      return addToNothing(loop, i, sums.front());
    return loop;
  }

  /// What begins as -0.0: behind the loop it gets the zeros that were around each part.
  static scf::ForOp addToNothing(scf::ForOp loop, unsigned i, Sum sum) {
    IRRewriter b(loop);
    Location loc = sum.add.getLoc();
    janus::UnsliceOp part = sum.part;
    // Where the parts lie: the first and the last place.
    Value least = arith::ConstantIndexOp::create(b, loc, std::numeric_limits<int64_t>::max());
    Value most = arith::ConstantIndexOp::create(b, loc, 0);
    auto places = [&](OpBuilder &b, Location loc,
                      ArrayRef<BlockArgument> args) -> SmallVector<Value> {
      Value start = part.getDynamicStarts().front();
      return {arith::MinSIOp::create(b, loc, args[0], start),
              arith::MaxSIOp::create(b, loc, args[1], start)};
    };
    FailureOr<LoopLikeOpInterface> made =
        loop.replaceWithAdditionalYields(b, {least, most}, false, places);
    if (failed(made))
      return loop;
    auto fresh = cast<scf::ForOp>(made->getOperation());
    b.setInsertionPointAfter(fresh);
    Value whole = fresh.getResult(i);
    Value first = fresh.getResults().drop_back().back(), last = fresh.getResults().back();
    auto is = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
      return arith::CmpIOp::create(b, loc, predicate, x, y);
    };
    auto full = [&](Value number, Value like, Type element) -> Value {
      auto type = cast<RankedTensorType>(like.getType());
      SmallVector<Value> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          sizes.push_back(janus::DimOp::create(b, loc, b.getIndexType(), like,
                                               static_cast<uint64_t>(dim)));
      return janus::FullOp::create(b, loc, type.clone(element), number, sizes);
    };
    // Without any iteration there were no zeros.
    Value some = is(arith::CmpIPredicate::slt, fresh.getLowerBound(), fresh.getUpperBound());
    Value zero = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(0.0));
    Value none = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(-0.0));
    Value added = arith::SelectOp::create(b, loc, some, zero, none);
    Type element = cast<RankedTensorType>(whole.getType()).getElementType();
    Value around = full(added, whole, element);
    auto sum0 = janus::AddOp::create(b, loc, whole.getType(), whole, around);
    Value same = is(arith::CmpIPredicate::eq, first, last);
    Value as = slicePart(b, part, whole, first), with = slicePart(b, part, sum0, first);
    Value isSame = full(same, as, b.getI1Type());
    Value now = janus::SelectOp::create(b, loc, as.getType(), isSame, as, with);
    Value result = updatePart(b, part, sum0, now, first);
    whole.replaceUsesWithIf(result, [&](OpOperand &use) {
      return use.getOwner() != sum0 && use.getOwner() != as.getDefiningOp() &&
             !isa<janus::DimOp>(use.getOwner());
    });
    addInPlace(sum);
    return fresh;
  }

  /// The sums from what is yielded back to what is carried; none, if anything but parts is added.
  static SmallVector<Sum> partsAdded(Value yielded, Value carried) {
    SmallVector<Sum> sums;
    while (yielded != carried) {
      std::optional<Sum> sum = sumOf(yielded);
      if (!sum || sum->before.getType() != carried.getType())
        return {};
      sums.push_back(*sum);
      yielded = sum->before;
    }
    return sums;
  }
};

} // namespace
