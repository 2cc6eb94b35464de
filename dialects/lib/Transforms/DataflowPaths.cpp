//===- DataflowPaths.cpp - where in the control flow an op runs -----------===//

#include "DataflowPaths.h"

#include <queue>

using namespace mlir;
using namespace janus;

/// Whether `value` closes a loop.
static bool isBackEdge(Value value) { return value.getDefiningOp<NextIterationOp>() != nullptr; }

/// The merge at the head of a loop.
static bool isLoopMerge(MergeOp op) { return llvm::any_of(op.getInputs(), isBackEdge); }

Value DataflowPaths::getRoot(Value value) const {
  while (Operation *op = value.getDefiningOp()) {
    if (auto switchOp = dyn_cast<SwitchOp>(op))
      value = switchOp.getValue();
    else if (auto cond = dyn_cast<LoopCondOp>(op))
      value = cond.getCondition();
    else if (auto enter = dyn_cast<EnterOp>(op); enter && enter.getConstant())
      value = enter.getValue();
    else
      break;
  }
  return value;
}

const Path &DataflowPaths::pathOf(Value value) const {
  static const Path empty;
  auto found = valuePaths.find(value);
  return found == valuePaths.end() ? empty : found->second;
}

LogicalResult DataflowPaths::reject(Operation *op, StringRef message) {
  complaint = {op, message.str()};
  return failure();
}

/// Makes `into` the path of what needs both a value of `into` and one of `from`. Fails if they
/// never exist together.
static bool join(Path &into, const Path &from) {
  for (size_t i = 0; i < from.size(); ++i) {
    if (i == into.size()) {
      into.append(from.begin() + i, from.end());
      return true;
    }
    if (into[i] == from[i])
      continue;
    // The head of a loop runs before its body does, and only what stands in the head itself is
    // seen there.
    bool isHeadAndBody = into[i].sameAs(from[i]) && into[i].isLoop();
    if (!isHeadAndBody)
      return false;
    if (from[i].side && into.size() == i + 1) {
      into[i].side = true;
      continue;
    }
    if (into[i].side && from.size() == i + 1)
      return true;
    return false;
  }
  return true;
}

LogicalResult DataflowPaths::sort(Block &body) {
  DenseMap<Operation *, unsigned> position, missing;
  SmallVector<Operation *> ops;
  for (Operation &op : body) {
    if (op.getNumRegions() != 0)
      return op.emitOpError("has a region, which an op of a graph cannot");
    position[&op] = ops.size();
    ops.push_back(&op);
  }
  auto needs = [](Operation *op, Value operand) {
    return operand.getDefiningOp() && !(isa<MergeOp>(op) && isBackEdge(operand));
  };
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (Operation *op : ops) {
    unsigned count = llvm::count_if(op->getOperands(), [&](Value v) { return needs(op, v); });
    missing[op] = count;
    if (count == 0)
      ready.push(position[op]);
  }
  while (!ready.empty()) {
    Operation *op = ops[ready.top()];
    ready.pop();
    order.push_back(op);
    for (OpOperand &use : op->getUses())
      if (needs(use.getOwner(), use.get()) && --missing[use.getOwner()] == 0)
        ready.push(position[use.getOwner()]);
  }
  if (order.size() == ops.size())
    return success();
  for (Operation *op : ops)
    if (missing[op] != 0)
      return op->emitOpError("is part of a cycle that goes through no loop's merge");
  return failure();
}

LogicalResult DataflowPaths::joinOperands(Operation *op, Path &path) {
  for (Value operand : op->getOperands()) {
    if (join(path, pathOf(operand)))
      continue;
    return reject(op, "needs values that never exist together: operands come from "
                           "different sides of a branch, or from a loop without an exit");
  }
  return success();
}

LogicalResult DataflowPaths::visitSwitch(SwitchOp op) {
  Path path;
  if (failed(joinOperands(op, path)))
    return failure();
  // A branch of a loop belongs to it, though its condition and a value be the same each time.
  for (Value operand : op->getOperands()) {
    auto enter = operand.getDefiningOp<EnterOp>();
    if (!enter || !enter.getConstant())
      continue;
    Path head = frames[enter.getFrameAttr()].parent;
    head.push_back({{}, enter.getFrameAttr(), false});
    if (!join(path, head))
      return reject(op, "switches a value of one loop by the condition of another");
  }
  paths[op] = path;
  auto cond = op.getPredicate().getDefiningOp<LoopCondOp>();
  if (!cond) {
    Value predicate = getRoot(op.getPredicate());
    path.push_back({predicate, {}, true});
    valuePaths[op.getTrueValue()] = path;
    path.back().side = false;
    valuePaths[op.getFalseValue()] = path;
    return success();
  }
  if (path.empty() || !path.back().isLoop() || path.back().side)
    return reject(op, "switches on a loop's condition, but not at the loop's head");
  // The false side stays in the head: only an exit may use it.
  valuePaths[op.getFalseValue()] = path;
  path.back().side = true;
  valuePaths[op.getTrueValue()] = path;
  for (Operation *user : op.getFalseValue().getUsers())
    if (!isa<ExitOp>(user))
      return reject(user, "uses what leaves a loop without a janus.exit");
  return success();
}

LogicalResult DataflowPaths::visitMerge(MergeOp op) {
  if (isLoopMerge(op)) {
    EnterOp enter;
    for (Value input : op.getInputs())
      if (auto candidate = input.getDefiningOp<EnterOp>())
        enter = candidate;
    if (!enter || enter.getConstant() || op.getInputs().size() != 2)
      return reject(op, "joins a janus.next_iteration with something that is no janus.enter");
    // A copy: a new entry may move the others.
    Path path = pathOf(enter.getResult());
    paths[op] = path;
    valuePaths[op.getValue()] = path;
    if (!op.getIndex().use_empty())
      return reject(op, "is at the head of a loop, where its index is of no use");
    return success();
  }
  if (op.getInputs().size() != 2)
    return reject(op, "joins nothing: run canonicalize first");
  Path first = pathOf(op.getInputs()[0]), second = pathOf(op.getInputs()[1]);
  // A value that went through no switch (a constant, say) is there on both sides; the other
  // operand says which branch it is.
  const Path &longer = first.size() >= second.size() ? first : second;
  if (longer.empty() || longer.back().isLoop())
    return reject(op, "joins no branch: no operand comes from a janus.switch");
  PathElement branch = longer.back();
  Path outer(longer.begin(), longer.end() - 1);
  bool longerIsFirst = &longer == &first;
  const Path &shorter = longerIsFirst ? second : first;
  bool isSibling = shorter.size() == longer.size();
  if (isSibling && (!shorter.back().sameAs(branch) || shorter.back().side == branch.side))
    return reject(op, "joins values that are no two sides of one branch");
  Path around(shorter.begin(), shorter.end() - isSibling);
  if (!join(outer, around))
    return reject(op, "joins values that are no two sides of one branch");
  joined[op] = branch.predicate;
  trueFirst[op] = branch.side == longerIsFirst;
  // One by one: an insertion may move what another one refers to.
  paths[op] = outer;
  valuePaths[op.getValue()] = outer;
  valuePaths[op.getIndex()] = outer;
  return success();
}

LogicalResult DataflowPaths::visitEnter(EnterOp op, bool &changed) {
  Frame &frame = frames[op.getFrameAttr()];
  Path parent = frame.parent;
  if (!join(parent, pathOf(op.getValue())))
    return reject(op, "enters a loop from elsewhere than its other values do");
  if (parent.size() != frame.parent.size() || !llvm::equal(parent, frame.parent)) {
    frame.parent = parent;
    changed = true;
  }
  paths[op] = pathOf(op.getValue());
  if (op.getConstant()) {
    Path path = pathOf(op.getValue());
    valuePaths[op.getResult()] = path;
    return success();
  }
  for (Operation *user : op->getUsers())
    if (!isa<MergeOp>(user))
      return reject(user, "uses a value that enters a loop before it meets the loop's merge");
  parent.push_back({{}, op.getFrameAttr(), false});
  valuePaths[op.getResult()] = parent;
  return success();
}

LogicalResult DataflowPaths::visitExit(ExitOp op) {
  auto switchOp = op.getValue().getDefiningOp<SwitchOp>();
  bool leaves = switchOp && switchOp.getPredicate().getDefiningOp<LoopCondOp>() &&
                switchOp.getFalseValue() == op.getValue();
  if (!leaves)
    return reject(op, "takes no value that leaves a loop: its operand is not the false side "
                          "of a switch on a janus.loop_cond");
  Path path = pathOf(op.getValue());
  left[op] = path.back().frame;
  path.pop_back();
  paths[op] = valuePaths[op.getResult()] = path;
  return success();
}

LogicalResult DataflowPaths::visit(Operation *op, bool &changed) {
  if (auto switchOp = dyn_cast<SwitchOp>(op))
    return visitSwitch(switchOp);
  if (auto merge = dyn_cast<MergeOp>(op))
    return visitMerge(merge);
  if (auto enter = dyn_cast<EnterOp>(op))
    return visitEnter(enter, changed);
  if (auto exit = dyn_cast<ExitOp>(op))
    return visitExit(exit);
  Path path;
  if (failed(joinOperands(op, path)))
    return failure();
  if (isa<ReturnOp>(op) && !path.empty())
    return reject(op, "returns a value that exists on one side of a branch only");
  if (isa<LoopCondOp>(op) && (path.empty() || !path.back().isLoop() || path.back().side))
    return reject(op, "is not at the head of a loop");
  for (Value result : op->getResults())
    valuePaths[result] = path;
  paths[op] = path;
  return success();
}

LogicalResult DataflowPaths::visitAll(bool &changed) {
  for (Operation *op : order)
    if (failed(visit(op, changed)))
      return failure();
  return success();
}

LogicalResult DataflowPaths::checkFrames() {
  for (Operation *op : order) {
    if (auto merge = dyn_cast<MergeOp>(op)) {
      if (!getJoined(merge))
        frames[getPath(op).back().frame].merges.push_back(merge);
    } else if (auto exit = dyn_cast<ExitOp>(op)) {
      frames[getFrameOf(exit)].exits.push_back(exit);
    } else if (auto cond = dyn_cast<LoopCondOp>(op)) {
      Frame &frame = frames[getPath(op).back().frame];
      if (frame.condition)
        return op->emitOpError("is the second condition of its loop");
      frame.condition = cond;
    }
  }
  for (auto &[name, frame] : frames) {
    if (frame.condition || (frame.merges.empty() && frame.exits.empty()))
      continue;
    Operation *at = frame.merges.empty() ? frame.exits.front().getOperation()
                                         : frame.merges.front().getOperation();
    return at->emitOpError("belongs to loop ") << name << ", which has no janus.loop_cond";
  }
  return success();
}

LogicalResult DataflowPaths::analyze(Block &body) {
  if (failed(sort(body)))
    return failure();
  // A frame lies as deep as the deepest value that enters it; each round may find one deeper.
  for (size_t round = 0; round <= order.size(); ++round) {
    bool changed = false;
    LogicalResult result = visitAll(changed);
    if (changed)
      continue;
    if (succeeded(result))
      return checkFrames();
    return complaint.first->emitOpError(complaint.second);
  }
  return body.getParentOp()->emitOpError("has loops that enter each other");
}

void DataflowPaths::forEachNeed(Operation *op, llvm::function_ref<void(Value)> visit,
                                size_t depth) const {
  for (Value operand : op->getOperands()) {
    Value root = getRoot(operand);
    // What enters or repeats a loop is no op of the structured form.
    while (isa_and_nonnull<EnterOp, NextIterationOp>(root.getDefiningOp()))
      root = getRoot(root.getDefiningOp()->getOperand(0));
    visit(root);
  }
  const Path &path = getPath(op);
  for (size_t i = depth; i < path.size(); ++i) {
    const PathElement &element = path[i];
    if (element.predicate)
      visit(element.predicate);
    else if (LoopCondOp condition = getFrame(element.frame).condition)
      visit(getRoot(condition.getCondition()));
  }
  if (auto merge = dyn_cast<MergeOp>(op))
    if (Value predicate = getJoined(merge))
      visit(predicate);
}
