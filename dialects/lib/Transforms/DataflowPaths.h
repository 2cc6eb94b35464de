//===- DataflowPaths.h - where in the control flow an op runs ---*- C++ -*-===//
//
// In: a graph's body. Out: for each op the branches and loops that it runs under, and for each
// value the value it is a copy of.
// Holds: control flow is read off the data alone: a value that came through a side of a switch
// exists on that side only, and so does what is computed from it.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_LIB_TRANSFORMS_DATAFLOWPATHS_H
#define JANUS_LIB_TRANSFORMS_DATAFLOWPATHS_H

#include "janus/IR/Janus.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace janus {

/// One branch or loop on the way from the graph to an op.
struct PathElement {
  mlir::Value predicate;  ///< of a branch: the root of its condition
  mlir::StringAttr frame; ///< of a loop
  /// Of a branch: whether it is the true side. Of a loop: whether it is the body, and not the
  /// head, which computes the condition.
  bool side = false;

  bool isLoop() const { return static_cast<bool>(frame); }
  /// Whether this is the same branch or loop, on whichever side.
  bool sameAs(const PathElement &other) const {
    return predicate == other.predicate && frame == other.frame;
  }
  bool operator==(const PathElement &other) const {
    return sameAs(other) && side == other.side;
  }
};

using Path = llvm::SmallVector<PathElement, 2>;

/// A loop of the graph.
struct Frame {
  Path parent;                            ///< what it runs under
  llvm::SmallVector<MergeOp> merges;      ///< its variables
  llvm::SmallVector<ExitOp> exits;        ///< its results
  LoopCondOp condition;                   ///< whether to go on
};

class DataflowPaths {
public:
  /// Analyses a body; reports an error where its control flow has no structure.
  mlir::LogicalResult analyze(mlir::Block &body);

  /// The value that `value` is a copy of: what went into the switch, the loop condition or the
  /// constant enter that it came out of.
  mlir::Value getRoot(mlir::Value value) const;

  /// What an op runs under. A merge runs under what its branch runs under; the merge of a loop
  /// is part of the loop's head.
  const Path &getPath(mlir::Operation *op) const { return paths.find(op)->second; }

  /// The branch that a merge joins, null for the merge of a loop.
  mlir::Value getJoined(MergeOp merge) const { return joined.lookup(merge); }

  /// Which operand of a merge that joins a branch comes from its true (false) side.
  mlir::Value getArriving(MergeOp merge, bool side) const {
    bool firstIsTrue = trueFirst.lookup(merge);
    return merge.getInputs()[firstIsTrue == side ? 0 : 1];
  }

  /// A loop by its name.
  const Frame &getFrame(mlir::StringAttr name) const { return frames.find(name)->second; }

  /// The frame that an exit leaves.
  mlir::StringAttr getFrameOf(ExitOp exit) const { return left.lookup(exit); }

  /// Calls `visit` with the root of every value that `op` needs to run: its operands, and the
  /// conditions of the branches and loops it runs under, the outermost `depth` left out.
  void forEachNeed(mlir::Operation *op, llvm::function_ref<void(mlir::Value)> visit,
                   size_t depth = 0) const;

  /// The ops in an order in which every op comes after those it needs, and otherwise as they
  /// stand.
  llvm::ArrayRef<mlir::Operation *> getOrder() const { return order; }

private:
  mlir::LogicalResult sort(mlir::Block &body);
  /// One round over all ops; sets `changed` where a frame turned out to lie deeper.
  mlir::LogicalResult visitAll(bool &changed);
  mlir::LogicalResult visit(mlir::Operation *op, bool &changed);
  mlir::LogicalResult visitSwitch(SwitchOp op);
  mlir::LogicalResult visitMerge(MergeOp op);
  mlir::LogicalResult visitEnter(EnterOp op, bool &changed);
  mlir::LogicalResult visitExit(ExitOp op);
  mlir::LogicalResult joinOperands(mlir::Operation *op, Path &path);
  mlir::LogicalResult checkFrames();
  /// Keeps an error back: the next round may find it is none.
  mlir::LogicalResult reject(mlir::Operation *op, llvm::StringRef message);
  const Path &pathOf(mlir::Value value) const;

  llvm::SmallVector<mlir::Operation *> order;
  llvm::DenseMap<mlir::Operation *, Path> paths;
  llvm::DenseMap<mlir::Value, Path> valuePaths;
  llvm::DenseMap<mlir::Operation *, mlir::Value> joined;
  llvm::DenseMap<mlir::Operation *, bool> trueFirst;
  llvm::DenseMap<mlir::Operation *, mlir::StringAttr> left;
  llvm::MapVector<mlir::StringAttr, Frame> frames;
  std::pair<mlir::Operation *, std::string> complaint;
};

} // namespace janus

#endif // JANUS_LIB_TRANSFORMS_DATAFLOWPATHS_H
