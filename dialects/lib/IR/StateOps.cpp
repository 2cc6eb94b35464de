//===- StateOps.cpp - verifiers and syntax of loads and commits -----------===//
//
// In: the generated classes. Out: what ODS cannot say about them.
//
//===----------------------------------------------------------------------===//

#include "janus/IR/Janus.h"

using namespace mlir;
using namespace janus;

LogicalResult janus::detail::verifyLoad(Operation *op) {
  bool isObject = isa<ObjectType>(op->getResult(0).getType());
  bool hasSlot = cast<LoadOpInterface>(op).getSlot().has_value();
  if (isObject && hasSlot)
    return op->emitOpError("yields an object, which has no slot");
  if (!isObject && !hasSlot)
    return op->emitOpError("yields data and needs a slot");
  return success();
}
