//===- Structurize.cpp - dataflow to structured control flow --------------===//
//
// In: janus.graph ops with dataflow control (switch, merge, frames). Out: func.func ops with
// scf.if and scf.while in its place; janus.invoke becomes func.call; all else is copied, loads,
// commits and asserts included.
// Holds: an op runs where its path says (DataflowPaths.h), and ops keep their order but where
// dataflow forbids it: that order is the one in which gradients are added up. Merges of one
// predicate become results of one scf.if, unless they depend on each other or something that may
// have a gradient stands between. What nothing depends on is gone.
//
//===----------------------------------------------------------------------===//

#include "DataflowPaths.h"
#include "janus/IR/Janus.h"
#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"

#include <queue>

namespace janus {
#define GEN_PASS_DEF_STRUCTURIZE
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;
using namespace janus;

/// Whether an op only steers values and leaves nothing in the structured form.
static bool onlySteers(Operation *op) {
  return isa<SwitchOp, EnterOp, NextIterationOp, LoopCondOp, ReturnOp>(op);
}

/// Whether gradients may go through an op: where it stands says when they are added up.
static bool mayHaveGradient(Operation *op) {
  auto isFloats = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor && isa<FloatType>(tensor.getElementType());
  };
  return !onlySteers(op) && !isa<MergeOp>(op) && llvm::any_of(op->getOperandTypes(), isFloats) &&
         llvm::any_of(op->getResultTypes(), isFloats);
}

namespace {
/// What becomes one op, or one scf.if or scf.while with all that is inside of it.
struct Item {
  Value predicate;                ///< of an scf.if
  StringAttr frame;               ///< of an scf.while
  SmallVector<Operation *> ops;   ///< what it holds; one op if it is neither
  SmallVector<Operation *> joins; ///< the merges (exits) that are its results
  unsigned position = 0;          ///< of its first op
};

/// Emits the structured form of one graph.
class Emitter {
public:
  Emitter(const DataflowPaths &paths, OpBuilder &builder) : paths(paths), builder(builder) {
    for (auto [i, op] : llvm::enumerate(paths.getOrder()))
      position[op] = i;
  }

  IRMapping mapping;

  /// Emits `ops`, all of which share the first `depth` elements of their paths.
  LogicalResult emitRegion(ArrayRef<Operation *> ops, size_t depth);

  /// What a value of the graph is here, or null.
  Value lookup(Value value);

private:
  SmallVector<Item> makeItems(ArrayRef<Operation *> ops, size_t depth, bool grouped);
  void splitBranches(Value predicate, ArrayRef<Operation *> ops, size_t depth, bool grouped,
                     SmallVectorImpl<Item> &items);
  bool sortItems(SmallVectorImpl<Item> &items, size_t depth);
  LogicalResult emit(const Item &item, size_t depth);
  LogicalResult emitOp(Operation *op);
  LogicalResult emitIf(const Item &item, size_t depth);
  LogicalResult emitSide(const Item &item, size_t depth, bool side, Block *block, Location loc);
  LogicalResult emitWhile(const Item &item, size_t depth);
  /// Calls `visit` with every value that `item` needs where it is emitted, `depth` elements deep.
  void forEachNeed(const Item &item, size_t depth, llvm::function_ref<void(Value)> visit);

  const DataflowPaths &paths;
  OpBuilder &builder;
  DenseMap<Operation *, unsigned> position;
  SmallVector<std::pair<Value, bool>> sides; ///< of the branches around what is being emitted
};
} // namespace

Value Emitter::lookup(Value value) {
  Value root = paths.getRoot(value);
  if (Value here = mapping.lookupOrNull(root))
    return here;
  // On a side of a branch, what the branch joins is what arrives from there.
  auto merge = root.getDefiningOp<MergeOp>();
  Value joined = merge && root == merge.getValue() ? paths.getJoined(merge) : Value();
  for (auto [predicate, side] : sides)
    if (joined && predicate == joined)
      return lookup(paths.getArriving(merge, side));
  return {};
}

void Emitter::forEachNeed(const Item &item, size_t depth,
                          llvm::function_ref<void(Value)> visit) {
  for (Operation *op : item.ops)
    paths.forEachNeed(op, visit, depth);
  for (Operation *op : item.joins)
    paths.forEachNeed(op, visit, depth);
}

/// Splits the ops on either side of one predicate into groups that depend on each other in one
/// direction only. In source terms: into the `if`s that test it.
void Emitter::splitBranches(Value predicate, ArrayRef<Operation *> ops, size_t depth, bool grouped,
                            SmallVectorImpl<Item> &items) {
  auto isResult = [&](Operation *op) { return paths.getPath(op).size() == depth; };
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  llvm::EquivalenceClasses<Operation *> classes;
  for (Operation *op : ops) {
    classes.insert(op);
    paths.forEachNeed(op, [&](Value value) {
      Operation *def = value.getDefiningOp();
      // What another `if` joined is an input of this one.
      if (def && members.contains(def) && !isResult(def))
        classes.unionSets(op, def);
    });
  }

  // How many of these groups have to run before each: groups of one level become one scf.if.
  // Levels only grow, and by more than there are groups only in a cycle, which sortItems finds.
  DenseMap<Operation *, unsigned> groupLevels, levels;
  // What leads from one of them to another stands between them.
  unsigned first = ~0u, last = 0;
  for (Operation *op : ops) {
    first = std::min(first, position.lookup(op));
    last = std::max(last, position.lookup(op));
  }
  ArrayRef<Operation *> between = ArrayRef(paths.getOrder()).slice(first, last - first + 1);
  for (size_t round = 0; grouped && round <= ops.size(); ++round) {
    bool changed = false;
    for (Operation *op : between) {
      unsigned level = 0;
      paths.forEachNeed(op, [&](Value value) {
        if (Operation *def = value.getDefiningOp())
          level = std::max(level, levels.lookup(def));
      });
      if (members.contains(op)) {
        unsigned &group = groupLevels[classes.getLeaderValue(op)];
        changed |= level > group;
        group = std::max(group, level);
        level = group + isResult(op);
      }
      levels[op] = level;
    }
    if (!changed)
      break;
  }

  // Groups with something in between that may have a gradient stay where they are.
  DenseMap<Operation *, unsigned> stretches;
  unsigned stretch = 0;
  bool isBroken = false;
  for (Operation *op : between) {
    if (!members.contains(op)) {
      isBroken |= mayHaveGradient(op);
      continue;
    }
    stretch += isBroken;
    isBroken = false;
    stretches.try_emplace(classes.getLeaderValue(op), stretch);
  }

  using Key = std::tuple<unsigned, unsigned, Operation *>;
  llvm::MapVector<Key, Item> groups;
  for (Operation *op : ops) {
    Operation *leader = classes.getLeaderValue(op);
    Key key = grouped ? Key(groupLevels.lookup(leader), stretches.lookup(leader), nullptr)
                      : Key(0, 0, leader);
    Item &item = groups[key];
    item.predicate = predicate;
    (isResult(op) ? item.joins : item.ops).push_back(op);
  }
  for (auto &[key, item] : groups)
    items.push_back(std::move(item));
}

SmallVector<Item> Emitter::makeItems(ArrayRef<Operation *> ops, size_t depth, bool grouped) {
  SmallVector<Item> items;
  llvm::MapVector<Value, SmallVector<Operation *>> branches;
  llvm::MapVector<StringAttr, Item> loops;
  for (Operation *op : ops) {
    if (onlySteers(op))
      continue;
    const Path &path = paths.getPath(op);
    auto merge = dyn_cast<MergeOp>(op);
    if (auto exit = dyn_cast<ExitOp>(op); exit && path.size() == depth)
      loops[paths.getFrameOf(exit)].joins.push_back(op);
    else if (path.size() > depth && path[depth].isLoop())
      loops[path[depth].frame].ops.push_back(op);
    else if (path.size() > depth)
      branches[path[depth].predicate].push_back(op);
    else if (merge && paths.getJoined(merge))
      branches[paths.getJoined(merge)].push_back(op);
    else if (!merge) // the merge of the loop whose head this is
      items.emplace_back().ops.push_back(op);
  }
  for (auto &[predicate, members] : branches)
    splitBranches(predicate, members, depth, grouped, items);
  for (auto &[frame, item] : loops) {
    item.frame = frame;
    items.push_back(std::move(item));
  }
  for (Item &item : items) {
    item.position = ~0u;
    for (ArrayRef<Operation *> part : {ArrayRef(item.ops), ArrayRef(item.joins)})
      for (Operation *op : part)
        item.position = std::min(item.position, position.lookup(op));
  }
  return items;
}

/// Sorts items so that each follows those it needs, by position otherwise. Fails on a cycle.
bool Emitter::sortItems(SmallVectorImpl<Item> &items, size_t depth) {
  DenseMap<Operation *, unsigned> itemOf;
  for (auto [i, item] : llvm::enumerate(items))
    for (ArrayRef<Operation *> part : {ArrayRef(item.ops), ArrayRef(item.joins)})
      for (Operation *op : part)
        itemOf[op] = i;
  SmallVector<llvm::SmallSetVector<unsigned, 4>> users(items.size());
  SmallVector<unsigned> missing(items.size(), 0);
  for (auto [i, item] : llvm::enumerate(items))
    forEachNeed(item, depth, [&, i = i](Value value) {
      auto found = itemOf.find(value.getDefiningOp());
      if (found != itemOf.end() && found->second != i && users[found->second].insert(i))
        ++missing[i];
    });
  using Entry = std::pair<unsigned, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (size_t i = 0; i < items.size(); ++i)
    if (missing[i] == 0)
      ready.push({items[i].position, i});
  SmallVector<Item> sorted;
  while (!ready.empty()) {
    unsigned i = ready.top().second;
    ready.pop();
    for (unsigned user : users[i])
      if (--missing[user] == 0)
        ready.push({items[user].position, user});
    sorted.push_back(std::move(items[i]));
  }
  bool isWhole = sorted.size() == items.size();
  items = std::move(sorted);
  return isWhole;
}

LogicalResult Emitter::emitRegion(ArrayRef<Operation *> ops, size_t depth) {
  SmallVector<Item> items = makeItems(ops, depth, /*grouped=*/true);
  if (!sortItems(items, depth)) {
    items = makeItems(ops, depth, /*grouped=*/false);
    if (!sortItems(items, depth))
      return ops.front()->emitOpError("is part of branches that depend on each other both ways");
  }
  for (const Item &item : items)
    if (failed(emit(item, depth)))
      return failure();
  return success();
}

LogicalResult Emitter::emit(const Item &item, size_t depth) {
  if (item.predicate)
    return emitIf(item, depth);
  if (item.frame)
    return emitWhile(item, depth);
  return emitOp(item.ops.front());
}

LogicalResult Emitter::emitOp(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value here = lookup(operand);
    if (!here)
      return op->emitOpError("uses a value of another branch or loop that was not merged");
    operands.push_back(here);
  }
  if (auto invoke = dyn_cast<InvokeOp>(op)) {
    auto call = func::CallOp::create(builder, op->getLoc(), invoke.getCallee(),
                                     op->getResultTypes(), operands);
    mapping.map(op->getResults(), call.getResults());
    return success();
  }
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  mapping.map(op->getResults(), copy->getResults());
  return success();
}

LogicalResult Emitter::emitSide(const Item &item, size_t depth, bool side, Block *block,
                                Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block);
  SmallVector<Operation *> ops;
  for (Operation *op : item.ops)
    if (paths.getPath(op)[depth].side == side)
      ops.push_back(op);
  sides.emplace_back(item.predicate, side);
  auto leave = llvm::make_scope_exit([&] { sides.pop_back(); });
  if (failed(emitRegion(ops, depth + 1)))
    return failure();
  SmallVector<Value> yielded;
  for (Operation *op : item.joins) {
    auto merge = cast<MergeOp>(op);
    Value arriving = paths.getArriving(merge, side);
    Value here = lookup(arriving);
    if (!here)
      return op->emitOpError("joins a value of another branch or loop");
    yielded.push_back(here);
    if (!merge.getIndex().use_empty())
      yielded.push_back(arith::ConstantIntOp::create(builder, op->getLoc(),
                                                     arriving == merge.getInputs()[0] ? 0 : 1,
                                                     64));
  }
  scf::YieldOp::create(builder, loc, yielded);
  return success();
}

LogicalResult Emitter::emitIf(const Item &item, size_t depth) {
  Operation *first = item.ops.empty() ? item.joins.front() : item.ops.front();
  Location loc = first->getLoc();
  SmallVector<Type> types;
  for (Operation *op : item.joins)
    for (Value result : op->getResults())
      if (result == op->getResult(0) || !result.use_empty())
        types.push_back(result.getType());
  Value predicate = lookup(item.predicate);
  if (!predicate)
    return first->emitOpError("depends on a condition of another branch or loop");
  auto ifOp = scf::IfOp::create(builder, loc, types, predicate, /*addThenBlock=*/true,
                                /*addElseBlock=*/true);
  if (failed(emitSide(item, depth, true, ifOp.thenBlock(), loc)) ||
      failed(emitSide(item, depth, false, ifOp.elseBlock(), loc)))
    return failure();
  unsigned next = 0;
  for (Operation *op : item.joins)
    for (Value result : op->getResults())
      if (result == op->getResult(0) || !result.use_empty())
        mapping.map(result, ifOp.getResult(next++));
  return success();
}

LogicalResult Emitter::emitWhile(const Item &item, size_t depth) {
  const Frame &frame = paths.getFrame(item.frame);
  LoopCondOp condition = frame.condition;
  Location loc = condition.getLoc();
  SmallVector<Operation *> head, body;
  for (Operation *op : item.ops)
    (paths.getPath(op)[depth].side ? body : head).push_back(op);

  SmallVector<Value> inits, next;
  SmallVector<Type> types;
  for (MergeOp merge : frame.merges) {
    for (Value input : merge.getInputs()) {
      Operation *def = input.getDefiningOp();
      if (isa<EnterOp>(def)) {
        Value init = lookup(def->getOperand(0));
        if (!init)
          return merge.emitOpError("enters a loop with a value of another branch or loop");
        inits.push_back(init);
      } else {
        next.push_back(def->getOperand(0));
      }
    }
    types.push_back(merge.getValue().getType());
  }

  // What the head computes and others need goes through the condition.
  llvm::SetVector<Value> forwarded;
  llvm::SmallPtrSet<Operation *, 16> inHead(head.begin(), head.end());
  auto forward = [&](Value value) {
    Value root = paths.getRoot(value);
    if (inHead.contains(root.getDefiningOp()))
      forwarded.insert(root);
  };
  for (Operation *op : body)
    paths.forEachNeed(op, forward, depth + 1);
  llvm::for_each(next, forward);
  for (Operation *op : item.joins)
    forward(op->getOperand(0));
  SmallVector<Type> forwardedTypes(TypeRange(forwarded.getArrayRef()));
  SmallVector<Location> locs(types.size(), loc), forwardedLocs(forwardedTypes.size(), loc);

  auto whileOp = scf::WhileOp::create(builder, loc, forwardedTypes, inits);
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&whileOp.getBefore(), {}, types, locs);
  for (auto [merge, argument] : llvm::zip_equal(frame.merges, before->getArguments()))
    mapping.map(MergeOp(merge).getValue(), argument);
  if (failed(emitRegion(head, depth + 1)))
    return failure();
  SmallVector<Value> passed;
  for (Value value : forwarded)
    passed.push_back(mapping.lookup(value));
  Value goOn = lookup(condition.getCondition());
  if (!goOn)
    return condition.emitOpError("is a value of another branch or loop");
  scf::ConditionOp::create(builder, loc, goOn, passed);

  Block *after = builder.createBlock(&whileOp.getAfter(), {}, forwardedTypes, forwardedLocs);
  for (auto [value, argument] : llvm::zip_equal(forwarded, after->getArguments()))
    mapping.map(value, argument);
  if (failed(emitRegion(body, depth + 1)))
    return failure();
  SmallVector<Value> yielded;
  for (auto [i, value] : llvm::enumerate(next)) {
    Value here = lookup(value);
    if (!here)
      return MergeOp(frame.merges[i]).emitOpError("gets a value of another branch or loop");
    yielded.push_back(here);
  }
  scf::YieldOp::create(builder, loc, yielded);

  for (Operation *op : item.joins) {
    Value root = paths.getRoot(op->getOperand(0));
    auto found = llvm::find(forwarded, root);
    // A value from outside of the loop is itself.
    Value result = found == forwarded.end()
                       ? mapping.lookupOrNull(root)
                       : whileOp.getResult(found - forwarded.begin());
    mapping.map(op->getResult(0), result);
  }
  return success();
}

/// Whether a merge is the head of a loop.
static bool isLoopHead(MergeOp merge) {
  return llvm::any_of(merge.getInputs(), [](Value input) {
    return isa_and_nonnull<EnterOp, NextIterationOp>(input.getDefiningOp());
  });
}

/// Erases what nothing depends on: for its sake two branches might need each other. Loops keep what
/// they carry, and loads have places among the arguments.
static void eraseUnused(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body))) {
    auto merge = dyn_cast<MergeOp>(op);
    bool stays = isa<ReturnOp, EnterOp, ExitOp, NextIterationOp, LoopCondOp, LoadOpInterface>(op) ||
                 (merge && isLoopHead(merge));
    if (!stays && op.use_empty() && isPure(&op))
      op.erase();
  }
}

static LogicalResult structurize(GraphOp graph) {
  DataflowPaths paths;
  Block &body = graph.getBody().front();
  eraseUnused(body);
  if (failed(paths.analyze(body)))
    return failure();

  OpBuilder builder(graph);
  auto function = func::FuncOp::create(builder, graph.getLoc(), graph.getName(),
                                       graph.getFunctionType());
  function.setVisibility(graph.getVisibility());
  for (NamedAttribute attr : graph->getDiscardableAttrs())
    function->setDiscardableAttr(attr.getName(), attr.getValue());
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  Emitter emitter(paths, builder);
  emitter.mapping.map(body.getArguments(), entry->getArguments());
  if (failed(emitter.emitRegion(paths.getOrder(), 0))) {
    function.erase();
    return failure();
  }
  Operation *terminator = body.getTerminator();
  SmallVector<Value> returned;
  for (Value value : terminator->getOperands())
    returned.push_back(emitter.lookup(value));
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder, terminator->getLoc(), returned);
  graph.erase();
  return success();
}

namespace {
struct Structurize : public janus::impl::StructurizeBase<Structurize> {
  void runOnOperation() override {
    for (auto graph : llvm::make_early_inc_range(getOperation().getOps<GraphOp>()))
      if (failed(structurize(graph)))
        return signalPassFailure();
    // The host calls the region only.
    SymbolTable symbols(getOperation());
    getOperation().walk([&](func::CallOp call) {
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
        callee.setPrivate();
    });
  }
};
} // namespace
