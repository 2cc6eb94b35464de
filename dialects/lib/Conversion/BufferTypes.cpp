//===- BufferTypes.cpp - The types of buffers, each computed once ------------===//
//
// In: questions for the buffer type of a value while tensors become buffers. Out:
// upstream's answer. An `if` asks for both of its sides, a loop for what it starts with
// and what it yields, and each of those may lead to the `if` or loop before: without
// what is remembered here the time doubles with each of a row of them.
//
// Always: an answer is kept for as long as the question that it was part of is open,
// since nothing is rewritten meanwhile; and for the loops that are being asked, since a
// loop that comes to itself answers by what it starts with.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/Hashing.h"

#include <atomic>

using namespace mlir;
using bufferization::BufferizableOpInterface;
using bufferization::BufferLikeType;

namespace {

using Concept = BufferizableOpInterface::Concept;
using Question = decltype(Concept::getBufferType);

/// What was answered since the outermost question of this thread.
struct Answers {
  unsigned open = 0;
  DenseMap<std::pair<Value, size_t>, BufferLikeType> known;
};
thread_local Answers answers;

/// The loops that are being asked: their arguments stand in for them.
size_t loopsOf(ArrayRef<Value> invocations) {
  llvm::hash_code loops = 0;
  for (Value value : invocations)
    if (isa<BlockArgument>(value))
      loops = llvm::hash_combine(loops, value.getAsOpaquePointer());
  return loops;
}

template <typename Op>
struct Remembered {
  /// Upstream's; one for all contexts.
  static inline std::atomic<Question> upstream = nullptr;

  static FailureOr<BufferLikeType>
  ask(const Concept *impl, Operation *op, Value value,
      const bufferization::BufferizationOptions &options,
      const bufferization::BufferizationState &state,
      SmallVector<Value> &invocations) {
    std::pair<Value, size_t> key(value, loopsOf(invocations));
    if (BufferLikeType type = answers.known.lookup(key))
      return type;
    ++answers.open;
    FailureOr<BufferLikeType> type =
        upstream.load()(impl, op, value, options, state, invocations);
    if (--answers.open == 0)
      answers.known.clear();
    else if (succeeded(type))
      answers.known[key] = *type;
    return type;
  }

  static void attach(MLIRContext *context) {
    auto name = RegisteredOperationName::lookup(TypeID::get<Op>(), context);
    Concept *model = name ? name->template getInterface<BufferizableOpInterface>() : nullptr;
    if (!model || model->getBufferType == ask)
      return;
    upstream = model->getBufferType;
    model->getBufferType = ask;
  }
};

} // namespace

void janus::rememberBufferTypes(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    Remembered<arith::SelectOp>::attach(context);
  });
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    Remembered<scf::ForOp>::attach(context);
    Remembered<scf::IfOp>::attach(context);
    Remembered<scf::WhileOp>::attach(context);
  });
}
