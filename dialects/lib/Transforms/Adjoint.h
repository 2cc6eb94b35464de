//===- Adjoint.h - one op's gradients, as ops -------------------*- C++ -*-===//
//
// In: an op, its rule, the gradient of its result. Out: the gradients of its operands, each made
// of new ops at the builder's place, in the order that gradients.txt specifies.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_LIB_TRANSFORMS_ADJOINT_H
#define JANUS_LIB_TRANSFORMS_ADJOINT_H

#include "GradientTable.h"
#include "janus/IR/Janus.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

namespace janus {

/// `number` in every element of a tensor with the shape and element type of `like`.
mlir::Value makeSplatLike(mlir::OpBuilder &builder, mlir::Location loc, double number,
                          mlir::Value like);

/// Zeros of the type of `like`, with its extents.
mlir::Value makeZeros(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value like);

/// `value` as a value of `type`, whose extents may be more or less known; null if they differ.
mlir::Value conform(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                    mlir::Type type);

/// Where `op` is, as the place of its gradient.
mlir::Location gradientLocation(mlir::Operation *op);

class Adjoint {
public:
  Adjoint(mlir::OpBuilder &builder, mlir::Operation *op, const GradientRule &rule,
          mlir::Value gradient)
      : builder(builder), op(op), rule(rule), gradient(gradient), loc(gradientLocation(op)) {}

  /// The gradient of operand `index`, which has a clause; null, with an error, if the clause
  /// makes no sense for this op.
  mlir::Value get(unsigned index);

private:
  mlir::Value evaluate(const GradientExpr &expr);
  mlir::Value evaluateName(llvm::StringRef name);
  mlir::Value evaluateCall(const GradientExpr &expr);
  /// An adjoint helper of gradients.txt; `known` says whether there is one of that name.
  mlir::Value evaluateHelper(llvm::StringRef name, mlir::ValueRange arguments, bool &known);
  mlir::Value makePrimitive(const GradientExpr &expr, mlir::ValueRange arguments);
  mlir::Value makeSplat(double number, mlir::Value like);
  llvm::SmallVector<mlir::Value> getExtents(mlir::Value like);
  mlir::Value fail(const llvm::Twine &message);

  mlir::Value unbroadcast(mlir::Value g, mlir::Value x);
  mlir::Value unpermute(mlir::Value g);
  mlir::Value unsliceOf(mlir::Value g, mlir::Value x);
  mlir::Value reslice(mlir::Value g, mlir::Value x);
  mlir::Value updateOf(mlir::Value g, mlir::Value v);
  mlir::Value expandLike(mlir::Value v, mlir::Value x);
  mlir::Value transposeLast(mlir::Value v);
  mlir::Value splitOf(mlir::Value g, mlir::Value x);
  /// The convolution `name` of `a` and `b`, with the op's windows, in the shape of `like`.
  mlir::Value convLike(llvm::StringRef name, mlir::Value a, mlir::Value b, mlir::Value like);
  /// Makes it unless it is the value itself.
  mlir::Value reshapeLike(mlir::Value g, mlir::Value x);

  mlir::OpBuilder &builder;
  mlir::Operation *op;
  const GradientRule &rule;
  mlir::Value gradient;
  mlir::Location loc;
  unsigned current = 0; ///< the operand that a variadic clause is about
  llvm::StringMap<mlir::Value> lets;
};

} // namespace janus

#endif // JANUS_LIB_TRANSFORMS_ADJOINT_H
