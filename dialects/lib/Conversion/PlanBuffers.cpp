//===- PlanBuffers.cpp - One arena for temporaries --------------------------===//
//
// In: functions whose buffers are freed right after their last use. Out: buffers
// of static size that live and die in one block, of a loop or a branch as well,
// are parts of one allocation, placed so that those alive at the same time do not
// overlap.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace janus {
#define GEN_PASS_DEF_JANUSPLANBUFFERS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

constexpr int64_t alignment = 64;

struct Temporary {
  memref::AllocOp alloc;
  memref::DeallocOp dealloc;
  int64_t first, last; // positions in the function
  int64_t bytes;
  int64_t offset = 0;
};

/// First fit: each one at the lowest offset that is free over its lifetime.
int64_t place(MutableArrayRef<Temporary> temporaries) {
  int64_t total = 0;
  for (size_t i = 0; i < temporaries.size(); ++i) {
    Temporary &mine = temporaries[i];
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (const Temporary &other : temporaries.take_front(i))
      if (other.first <= mine.last && mine.first <= other.last)
        taken.emplace_back(other.offset, other.offset + other.bytes);
    llvm::sort(taken);
    for (auto [begin, end] : taken) {
      if (mine.offset + mine.bytes <= begin)
        break;
      mine.offset = std::max(mine.offset, end);
    }
    total = std::max(total, mine.offset + mine.bytes);
  }
  return total;
}

struct PlanBuffers : janus::impl::JanusPlanBuffersBase<PlanBuffers> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    Block &body = function.getBody().front();
    DenseMap<Operation *, int64_t> position;
    SmallVector<memref::AllocOp> allocs;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      int64_t next = position.size();
      position[op] = next;
      if (auto alloc = dyn_cast<memref::AllocOp>(op))
        allocs.push_back(alloc);
    });
    SmallVector<Temporary> temporaries;
    for (memref::AllocOp alloc : allocs) {
      MemRefType type = alloc.getType();
      if (!type.hasStaticShape() || !type.getLayout().isIdentity())
        continue;
      memref::DeallocOp dealloc;
      for (Operation *user : alloc->getUsers())
        if (auto found = dyn_cast<memref::DeallocOp>(user))
          dealloc = found;
      if (!dealloc || dealloc->getBlock() != alloc->getBlock())
        continue;
      int64_t first = position[alloc], last = position[dealloc];
      // What lives in one part of a janus.concurrent is alive while all of them run.
      for (auto around = alloc->getParentOfType<janus::ConcurrentOp>(); around;
           around = around->getParentOfType<janus::ConcurrentOp>()) {
        first = std::min(first, position[around]);
        around->walk([&](Operation *op) { last = std::max(last, position[op]); });
      }
      int64_t bytes = type.getNumElements() * janus::elementBytes(type);
      temporaries.push_back({alloc, dealloc, first, last,
                             static_cast<int64_t>(llvm::alignTo(
                                 std::max<int64_t>(bytes, 1), alignment))});
    }
    if (temporaries.size() < 2)
      return;
    int64_t total = place(temporaries);

    ImplicitLocOpBuilder b(function.getLoc(), &body, body.begin());
    Value arena = memref::AllocOp::create(
        b, MemRefType::get({total}, b.getI8Type()), ValueRange(),
        b.getI64IntegerAttr(alignment));
    for (Temporary &temporary : temporaries) {
      b.setInsertionPoint(temporary.alloc);
      b.setLoc(temporary.alloc.getLoc());
      Value offset = arith::ConstantIndexOp::create(b, temporary.offset);
      Value view = memref::ViewOp::create(b, temporary.alloc.getType(), arena,
                                          offset, ValueRange());
      temporary.dealloc.erase();
      temporary.alloc.replaceAllUsesWith(view);
      temporary.alloc.erase();
    }
    b.setInsertionPoint(body.getTerminator());
    b.setLoc(function.getLoc());
    memref::DeallocOp::create(b, arena);
  }
};

} // namespace
