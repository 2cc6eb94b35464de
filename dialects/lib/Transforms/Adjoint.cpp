//===- Adjoint.cpp - one op's gradients, as ops ---------------------------===//

#include "Adjoint.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace janus;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// One extent per `?` of `like`.
static SmallVector<Value> extentsOf(OpBuilder &builder, Location loc, Value like) {
  SmallVector<Value> extents;
  RankedTensorType type = typeOf(like);
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      extents.push_back(
          DimOp::create(builder, loc, builder.getIndexType(), like, static_cast<uint64_t>(i)));
  return extents;
}

Value janus::makeSplatLike(OpBuilder &builder, Location loc, double number, Value like) {
  RankedTensorType type = typeOf(like);
  Type element = type.getElementType();
  if (type.hasStaticShape()) {
    Attribute value = isa<FloatType>(element)
                          ? Attribute(builder.getFloatAttr(element, number))
                          : Attribute(builder.getIntegerAttr(element, static_cast<int64_t>(number)));
    return ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, value));
  }
  Value scalar = arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(number));
  return FullOp::create(builder, loc, type, scalar, extentsOf(builder, loc, like));
}

Value janus::makeZeros(OpBuilder &builder, Location loc, Value like) {
  return makeSplatLike(builder, loc, 0.0, like);
}

Value janus::conform(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (!tensor::CastOp::areCastCompatible(value.getType(), type))
    return {};
  return tensor::CastOp::create(builder, loc, type, value);
}

Location janus::gradientLocation(Operation *op) {
  return NameLoc::get(StringAttr::get(op->getContext(), gradientName), op->getLoc());
}

Value Adjoint::fail(const Twine &message) {
  op->emitError("gradient of ") << op->getName() << ": " << message;
  return {};
}

SmallVector<Value> Adjoint::getExtents(Value like) { return extentsOf(builder, loc, like); }

Value Adjoint::get(unsigned index) {
  current = index;
  const GradientClause *clause = rule.getClause(index);
  Value operand = op->getOperand(index);
  // A clause that is a number says the same for every element.
  Value value = clause->expr.kind == GradientExpr::number
                    ? makeSplatLike(builder, loc, clause->expr.value, operand)
                    : evaluate(clause->expr);
  if (!value)
    return {};
  Value conformed = conform(builder, loc, value, operand.getType());
  if (!conformed) {
    op->emitError("gradient of ") << op->getName() << ": operand " << index << " has type "
                                  << operand.getType() << ", its gradient " << value.getType();
    return {};
  }
  return conformed;
}

Value Adjoint::evaluate(const GradientExpr &expr) {
  switch (expr.kind) {
  case GradientExpr::name:
    return evaluateName(expr.text);
  case GradientExpr::call:
    return evaluateCall(expr);
  case GradientExpr::number:
    break;
  }
  return fail("a number stands where nothing says its shape");
}

Value Adjoint::evaluateName(StringRef name) {
  if (name == "g")
    return gradient;
  if (name == rule.result)
    return op->getResult(0);
  for (auto [i, operand] : llvm::enumerate(rule.operands))
    if (name == operand && i < op->getNumOperands())
      return rule.isVariadic ? op->getOperand(current) : op->getOperand(i);
  if (const GradientClause *let = rule.getLet(name)) {
    if (Value known = lets.lookup(name))
      return known;
    Value value = evaluate(let->expr);
    lets[name] = value;
    return value;
  }
  return fail("unknown name '" + name + "'");
}

Value Adjoint::evaluateCall(const GradientExpr &expr) {
  SmallVector<Value> arguments(expr.arguments.size());
  for (auto [i, argument] : llvm::enumerate(expr.arguments)) {
    if (argument.kind == GradientExpr::number)
      continue;
    arguments[i] = evaluate(argument);
    if (!arguments[i])
      return {};
  }
  // A number has the shape and dtype of what stands beside it; a select's condition lends none.
  size_t firstModel = expr.text == "select" ? 1 : 0;
  for (auto [i, argument] : llvm::enumerate(expr.arguments)) {
    if (argument.kind != GradientExpr::number)
      continue;
    for (size_t j = firstModel; j < arguments.size() && !arguments[i]; ++j)
      if (expr.arguments[j].kind != GradientExpr::number)
        arguments[i] = makeSplatLike(builder, loc, argument.value, arguments[j]);
    if (!arguments[i])
      return fail("'" + expr.text + "' has numbers only: nothing says their shape");
  }
  bool known = true;
  Value value = evaluateHelper(expr.text, arguments, known);
  return known ? value : makePrimitive(expr, arguments);
}

Value Adjoint::evaluateHelper(StringRef name, ValueRange arguments, bool &known) {
  unsigned count = llvm::StringSwitch<unsigned>(name)
                       .Cases({"unpermute", "zeros_like", "transpose_last"}, 1)
                       .Cases({"unbroadcast", "reshape_like", "unslice_of", "reslice", "update_of"}, 2)
                       .Cases({"expand_like", "cast_like", "split_of", "intact"}, 2)
                       .Cases({"conv_like", "conv_image_like", "conv_filters_like"}, 3)
                       .Default(0);
  known = count != 0;
  if (!known)
    return {};
  if (arguments.size() != count)
    return fail("'" + name + "' takes " + Twine(count) + " arguments");
  Value first = arguments.front(), x = arguments.back();
  if (name == "unpermute")
    return unpermute(first);
  if (name == "zeros_like")
    return makeZeros(builder, loc, first);
  if (name == "transpose_last")
    return transposeLast(first);
  if (name == "unbroadcast")
    return unbroadcast(first, x);
  if (name == "reshape_like")
    return reshapeLike(first, x);
  if (name == "unslice_of")
    return unsliceOf(first, x);
  if (name == "reslice")
    return reslice(first, x);
  if (name == "update_of")
    return updateOf(first, x);
  if (name == "expand_like")
    return expandLike(first, x);
  if (name == "split_of")
    return splitOf(first, x);
  if (name == "intact") // speculation has seen to it
    return first;
  if (name.consume_back("_like") && name.starts_with("conv"))
    return convLike(name, first, arguments[1], x);
  // cast_like
  Type element = typeOf(x).getElementType();
  if (typeOf(first).getElementType() == element)
    return first;
  return CastOp::create(builder, loc, typeOf(first).clone(element), first);
}

//===----------------------------------------------------------------------===//
// Adjoint helpers
//===----------------------------------------------------------------------===//

Value Adjoint::reshapeLike(Value g, Value x) {
  RankedTensorType type = typeOf(x).clone(typeOf(g).getElementType());
  if (g.getType() == type && type.hasStaticShape())
    return g;
  return ReshapeOp::create(builder, loc, type, g, getExtents(x));
}

Value Adjoint::unbroadcast(Value g, Value x) {
  auto broadcast = dyn_cast<BroadcastOp>(op);
  if (!broadcast)
    return fail("'unbroadcast' is for broadcast");
  RankedTensorType from = typeOf(x), to = typeOf(g);
  SmallVector<int64_t> reduced, kept;
  for (int64_t i = 0; i < to.getRank(); ++i) {
    auto found = llvm::find(broadcast.getDims(), i);
    bool isMade = found == broadcast.getDims().end();
    if (isMade || from.getDimSize(found - broadcast.getDims().begin()) == 1)
      reduced.push_back(i);
    else
      kept.push_back(to.getDimSize(i));
  }
  if (!reduced.empty())
    g = ReduceSumOp::create(builder, loc, RankedTensorType::get(kept, to.getElementType()), g,
                            reduced);
  return g.getType() == x.getType() ? g : reshapeLike(g, x);
}

Value Adjoint::unpermute(Value g) {
  auto permute = dyn_cast<PermuteOp>(op);
  if (!permute)
    return fail("'unpermute' is for permute");
  ArrayRef<int64_t> dims = permute.getDims();
  SmallVector<int64_t> inverse(dims.size()), shape(dims.size());
  for (auto [i, dim] : llvm::enumerate(dims)) {
    inverse[dim] = i;
    shape[dim] = typeOf(g).getDimSize(i);
  }
  return PermuteOp::create(builder, loc,
                           RankedTensorType::get(shape, typeOf(g).getElementType()), g, inverse);
}

Value Adjoint::unsliceOf(Value g, Value x) {
  auto slice = dyn_cast<SliceOp>(op);
  if (!slice)
    return fail("'unslice_of' is for slice");
  SmallVector<Value> dynamic(slice.getDynamicStarts());
  llvm::append_range(dynamic, getExtents(x));
  return UnsliceOp::create(builder, loc, typeOf(x), g, dynamic, slice.getStaticStarts(),
                           slice.getStrides());
}

Value Adjoint::reslice(Value g, Value x) {
  auto make = [&](auto written) -> Value {
    SmallVector<Value> dynamic(written.getDynamicStarts());
    llvm::append_range(dynamic, getExtents(x));
    return SliceOp::create(builder, loc, typeOf(x), g, dynamic, written.getStaticStarts(),
                           written.getStrides());
  };
  if (auto unslice = dyn_cast<UnsliceOp>(op))
    return make(unslice);
  if (auto update = dyn_cast<UpdateSliceOp>(op))
    return make(update);
  if (auto fill = dyn_cast<FillSliceOp>(op))
    return make(fill);
  return fail("'reslice' is for unslice, update_slice and fill_slice");
}

Value Adjoint::updateOf(Value g, Value v) {
  auto update = dyn_cast<UpdateSliceOp>(op);
  if (!update)
    return fail("'update_of' is for update_slice");
  return UpdateSliceOp::create(builder, loc, g, makeZeros(builder, loc, v), update.getDynamic(),
                               update.getStaticStarts(), update.getStrides());
}

Value Adjoint::expandLike(Value v, Value x) {
  auto reduced = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  if (!reduced)
    return fail("'expand_like' is for reductions");
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < typeOf(x).getRank(); ++i)
    if (!llvm::is_contained(reduced.asArrayRef(), i))
      kept.push_back(i);
  return BroadcastOp::create(builder, loc, typeOf(x).clone(typeOf(v).getElementType()), v, kept,
                             getExtents(x));
}

Value Adjoint::transposeLast(Value v) {
  int64_t rank = typeOf(v).getRank();
  if (rank < 2)
    return fail("'transpose_last' needs two dimensions");
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  SmallVector<int64_t> shape(typeOf(v).getShape());
  std::swap(dims[rank - 1], dims[rank - 2]);
  std::swap(shape[rank - 1], shape[rank - 2]);
  return PermuteOp::create(builder, loc, RankedTensorType::get(shape, typeOf(v).getElementType()),
                           v, dims);
}

Value Adjoint::splitOf(Value g, Value x) {
  auto concat = dyn_cast<ConcatOp>(op);
  if (!concat)
    return fail("'split_of' is for concat");
  int64_t dim = concat.getDim(), start = 0;
  Value dynamicStart; // beside `start`
  for (Value before : concat.getInputs().take_front(current)) {
    int64_t extent = typeOf(before).getDimSize(dim);
    if (!ShapedType::isDynamic(extent)) {
      start += extent;
      continue;
    }
    Value size = DimOp::create(builder, loc, builder.getIndexType(), before, dim);
    dynamicStart =
        dynamicStart ? arith::AddIOp::create(builder, loc, dynamicStart, size).getResult() : size;
  }
  SmallVector<int64_t> starts(typeOf(x).getRank(), 0), strides(starts.size(), 1);
  starts[dim] = start;
  SmallVector<Value> dynamic;
  if (dynamicStart) {
    Value rest = arith::ConstantIndexOp::create(builder, loc, start);
    dynamic.push_back(arith::AddIOp::create(builder, loc, dynamicStart, rest));
    starts[dim] = ShapedType::kDynamic;
  }
  llvm::append_range(dynamic, getExtents(x));
  return SliceOp::create(builder, loc, typeOf(x), g, dynamic, starts, strides);
}

Value Adjoint::convLike(StringRef name, Value a, Value b, Value like) {
  if (!isa<ConvOp, ConvImageOp, ConvFiltersOp>(op))
    return fail("'" + name + "_like' is for convolutions");
  OperationState state(loc, ("janus." + name).str());
  state.addOperands({a, b});
  state.addOperands(getExtents(like));
  for (StringRef windows : {"strides", "padding", "dilation", "groups"})
    state.addAttribute(windows, op->getAttr(windows));
  state.addTypes(typeOf(like));
  return builder.create(state)->getResult(0);
}

//===----------------------------------------------------------------------===//
// Primitives
//===----------------------------------------------------------------------===//

/// The type of a primitive's result; null if its operands are none of its kind.
static Type inferType(StringRef name, ValueRange operands, ArrayRef<int64_t> dims) {
  RankedTensorType first = typeOf(operands.front());
  Type element = first.getElementType();
  if (name == "select")
    return operands.size() == 3 ? operands[1].getType() : Type();
  if (name == "gather")
    return operands.size() == 2 ? typeOf(operands[1]).clone(element) : Type();
  if (name == "dot") {
    if (operands.size() != 2 || first.getRank() < 2 || typeOf(operands[1]).getRank() < 2)
      return {};
    SmallVector<int64_t> shape(first.getShape());
    shape.back() = typeOf(operands[1]).getShape().back();
    return RankedTensorType::get(shape, element);
  }
  if (name == "take") {
    if (operands.size() != 2 || dims.size() != 1)
      return {};
    SmallVector<int64_t> shape(first.getShape().take_front(dims[0]));
    llvm::append_range(shape, typeOf(operands[1]).getShape());
    llvm::append_range(shape, first.getShape().drop_front(dims[0] + 1));
    return RankedTensorType::get(shape, element);
  }
  if (name.starts_with("reduce_")) {
    SmallVector<int64_t> shape;
    for (int64_t i = 0; i < first.getRank(); ++i)
      if (!llvm::is_contained(dims, i))
        shape.push_back(first.getDimSize(i));
    return RankedTensorType::get(shape, element);
  }
  return first;
}

Value Adjoint::makePrimitive(const GradientExpr &expr, ValueRange arguments) {
  StringRef name = expr.text;
  if (std::optional<Predicate> predicate = symbolizePredicate(name)) {
    if (arguments.size() != 2)
      return fail("'" + name + "' takes 2 arguments");
    return CompareOp::create(builder, loc, boolTensorLike(arguments[0].getType()), *predicate,
                             arguments[0], arguments[1]);
  }
  OperationState state(loc, ("janus." + name).str());
  if (!state.name.isRegistered())
    return fail("'" + name + "' is no primitive");
  SmallVector<int64_t> dims;
  if (expr.carried == "dims") {
    if (auto attr = op->getAttrOfType<DenseI64ArrayAttr>("dims"))
      dims.assign(attr.asArrayRef().begin(), attr.asArrayRef().end());
    else
      return fail("has no attribute 'dims'");
  } else if (expr.carried == "dim") {
    if (auto attr = op->getAttrOfType<IntegerAttr>("dim"))
      dims.push_back(attr.getInt());
    else
      return fail("has no attribute 'dim'");
  } else if (!expr.carried.empty()) {
    return fail("attribute '" + expr.carried + "' cannot be carried over");
  }
  if (!dims.empty() || !expr.carried.empty()) {
    // A primitive that works on several dimensions takes one as a list of one.
    if (llvm::is_contained(state.name.getAttributeNames(), "dims"))
      state.addAttribute("dims", builder.getDenseI64ArrayAttr(dims));
    else if (dims.size() == 1)
      state.addAttribute("dim", builder.getI64IntegerAttr(dims.front()));
    else
      return fail("'" + name + "' takes one dimension");
  }
  Type type = inferType(name, arguments, dims);
  if (!type)
    return fail("'" + name + "' cannot take these arguments");
  state.addOperands(arguments);
  state.addTypes(type);
  return builder.create(state)->getResult(0);
}
