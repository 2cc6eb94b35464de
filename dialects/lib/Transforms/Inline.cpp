//===- Inline.cpp - invokes of graphs that are not recursive --------------===//
//
// In: graphs with janus.invoke. Out: graphs where only recursive graphs are still invoked; a
// graph that was inlined everywhere is gone.
// Holds: a callee's ops take the place of its invoke, in their order; loops keep their own frames.
//
//===----------------------------------------------------------------------===//

#include "janus/IR/Janus.h"
#include "janus/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace janus {
#define GEN_PASS_DEF_INLINE
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;
using namespace janus;

namespace {
struct Inline : public janus::impl::InlineBase<Inline> {
  void runOnOperation() override;

private:
  /// Visits callees first; sets `order` and `recursive`.
  void visit(GraphOp graph, SymbolTable &symbols);
  void inlineCall(InvokeOp call, GraphOp callee);

  enum State { open, done };
  llvm::DenseMap<Operation *, State> states;
  llvm::DenseSet<Operation *> recursive;
  SmallVector<Operation *> stack;
  SmallVector<GraphOp> order;
  unsigned copies = 0;
};
} // namespace

void Inline::visit(GraphOp graph, SymbolTable &symbols) {
  auto [state, isNew] = states.try_emplace(graph, open);
  if (!isNew) {
    if (state->second == open) // every graph of the cycle is recursive
      for (Operation *op : llvm::reverse(stack)) {
        recursive.insert(op);
        if (op == graph)
          break;
      }
    return;
  }
  stack.push_back(graph);
  for (auto call : graph.getBody().getOps<InvokeOp>())
    if (auto callee = symbols.lookup<GraphOp>(call.getCallee()))
      visit(callee, symbols);
  stack.pop_back();
  states[graph] = done;
  order.push_back(graph);
}

void Inline::inlineCall(InvokeOp call, GraphOp callee) {
  Block &body = callee.getBody().front();
  OpBuilder builder(call);
  std::string suffix = "#" + std::to_string(++copies);
  IRMapping mapping;
  mapping.map(body.getArguments(), call.getInputs());
  SmallVector<Operation *> cloned;
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    copy->setLoc(CallSiteLoc::get(op.getLoc(), call.getLoc()));
    if (auto enter = dyn_cast<EnterOp>(copy))
      enter.setFrame((enter.getFrame() + suffix).str());
    cloned.push_back(copy);
  }
  // An op may stand above what it uses.
  for (Operation *copy : cloned)
    for (OpOperand &operand : copy->getOpOperands())
      operand.set(mapping.lookupOrDefault(operand.get()));
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  call->replaceAllUsesWith(results);
  call.erase();
}

void Inline::runOnOperation() {
  states.clear();
  recursive.clear();
  order.clear();
  ModuleOp module = getOperation();
  SymbolTable symbols(module);
  for (auto graph : module.getOps<GraphOp>())
    visit(graph, symbols);
  llvm::DenseSet<Operation *> inlined;
  for (GraphOp graph : order)
    for (auto call : llvm::make_early_inc_range(graph.getBody().getOps<InvokeOp>())) {
      auto callee = symbols.lookup<GraphOp>(call.getCallee());
      if (!callee || recursive.contains(callee))
        continue;
      inlineCall(call, callee);
      inlined.insert(callee);
    }
  for (GraphOp graph : llvm::reverse(order))
    if (inlined.contains(graph) && SymbolTable::symbolKnownUseEmpty(graph, module))
      symbols.erase(graph);
}
