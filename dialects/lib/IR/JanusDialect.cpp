//===- JanusDialect.cpp - registration of the dialect ---------------------===//
//
// In: the generated ops and types. Out: the dialect as a context loads it.
//
//===----------------------------------------------------------------------===//

#include "Syntax.h" // the generated parsers call it
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace janus;

#include "janus/IR/JanusDialect.cpp.inc"
#include "janus/IR/JanusEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "janus/IR/JanusTypes.cpp.inc"

#include "janus/IR/StateInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "janus/IR/JanusOps.cpp.inc"

namespace {
/// Every op but graphs may move to where its operands are.
struct JanusInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void JanusDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "janus/IR/JanusTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "janus/IR/JanusOps.cpp.inc"
      >();
  addInterfaces<JanusInliner>();
}

Operation *JanusDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                             Location loc) {
  if (isa<RankedTensorType>(type)) {
    auto elements = dyn_cast<ElementsAttr>(value);
    return elements ? ConstantOp::create(builder, loc, type, elements).getOperation() : nullptr;
  }
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

Type janus::boolTensorLike(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.clone(IntegerType::get(type.getContext(), 1)) : Type();
}

bool janus::isScalarType(Type type) {
  return type.isF64() || type.isSignlessInteger(64) || type.isSignlessInteger(1);
}
