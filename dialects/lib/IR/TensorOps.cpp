//===- TensorOps.cpp - verifiers of the tensor primitives -----------------===//
//
// In: the generated classes. Out: the shape rules that ODS cannot say.
// Holds: an extent of the result that follows from one operand is spelled as the operand spells
// it (4 is not `?`); extents of two operands that have to agree may be 4 and `?`.
//
//===----------------------------------------------------------------------===//

#include "janus/IR/Janus.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace janus;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Whether two extents may be equal at run time.
static bool mayEqual(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

/// An extent as a message shows it.
static std::string show(int64_t extent) {
  return ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
}

static LogicalResult verifySameElement(Operation *op, Value operand, Value result) {
  Type from = typeOf(operand).getElementType(), to = typeOf(result).getElementType();
  if (from == to)
    return success();
  return op->emitOpError("turns elements of type ") << from << " into " << to;
}

/// One size per `?` of the result.
static LogicalResult verifySizes(Operation *op, ValueRange sizes) {
  int64_t wanted = typeOf(op->getResult(0)).getNumDynamicDims();
  if (static_cast<int64_t>(sizes.size()) == wanted)
    return success();
  return op->emitOpError("needs one size per dynamic dimension of its result: ")
         << wanted << ", not " << sizes.size();
}

static LogicalResult verifyDim(Operation *op, uint64_t dim, RankedTensorType type) {
  if (static_cast<int64_t>(dim) < type.getRank())
    return success();
  return op->emitOpError("dimension ") << dim << " is out of range for rank " << type.getRank();
}

/// `dims` are dimensions of a tensor of rank `rank`, in increasing order.
static LogicalResult verifyIncreasing(Operation *op, ArrayRef<int64_t> dims, int64_t rank) {
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError("dimension ") << dim << " is out of range for rank " << rank;
    if (i > 0 && dims[i - 1] >= dim)
      return op->emitOpError("dims must increase");
  }
  return success();
}

static LogicalResult verifyResultShape(Operation *op, ArrayRef<int64_t> expected) {
  RankedTensorType type = typeOf(op->getResult(0));
  if (type.getShape() == expected)
    return success();
  InFlightDiagnostic diag = op->emitOpError("result has shape [");
  llvm::interleaveComma(type.getShape(), diag, [&](int64_t d) { diag << show(d); });
  diag << "], expected [";
  llvm::interleaveComma(expected, diag, [&](int64_t d) { diag << show(d); });
  return diag << "]";
}

/// Two shapes agree everywhere but at dimension `except` (-1: everywhere).
static LogicalResult verifyAgree(Operation *op, StringRef what, RankedTensorType a,
                                 RankedTensorType b, int64_t except = -1) {
  if (a.getRank() != b.getRank())
    return op->emitOpError() << what << " have ranks " << a.getRank() << " and " << b.getRank();
  for (int64_t i = 0; i < a.getRank(); ++i)
    if (i != except && !mayEqual(a.getDimSize(i), b.getDimSize(i)))
      return op->emitOpError() << what << " differ in dimension " << i << ": "
                               << show(a.getDimSize(i)) << " and " << show(b.getDimSize(i));
  return success();
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

LogicalResult FullOp::verify() { return verifySizes(*this, getSizes()); }

LogicalResult RecallOp::verify() { return verifySizes(*this, getSizes()); }

LogicalResult TensorAtOp::verify() { return verifySizes(*this, {}); }

LogicalResult DrawOp::verify() { return verifySizes(*this, getSizes()); }

LogicalResult DrawFromOp::verify() { return verifySizes(*this, getSizes()); }

LogicalResult IotaOp::verify() {
  if (failed(verifyDim(*this, getDim(), typeOf(getResult()))))
    return failure();
  return verifySizes(*this, getSizes());
}

LogicalResult DimOp::verify() { return verifyDim(*this, getDim(), typeOf(getSource())); }

LogicalResult ItemOp::verify() {
  RankedTensorType type = typeOf(getSource());
  if (!type.hasStaticShape() || type.getNumElements() != 1)
    return emitOpError("needs a tensor of one element, not ") << type;
  Type element = type.getElementType();
  bool fits = element.isInteger(1) ? getType().isInteger(1)
              : isa<FloatType>(element) ? getType().isF64()
                                        : getType().isInteger(64);
  if (fits)
    return success();
  return emitOpError("an element of type ") << element << " is no Python scalar of type "
                                            << getType();
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = typeOf(getOperand()), to = typeOf(getResult());
  if (static_cast<int64_t>(getDims().size()) != from.getRank())
    return emitOpError("needs one dim per dimension of its operand: ")
           << from.getRank() << ", not " << getDims().size();
  if (failed(verifyIncreasing(*this, getDims(), to.getRank())) ||
      failed(verifySameElement(*this, getOperand(), getResult())))
    return failure();
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    int64_t extent = from.getDimSize(i), target = to.getDimSize(dim);
    if (extent != 1 && extent != target)
      return emitOpError("cannot stretch dimension ")
             << i << " of extent " << show(extent) << " to " << show(target);
  }
  return verifySizes(*this, getSizes());
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = typeOf(getOperand()), to = typeOf(getResult());
  if (failed(verifySameElement(*this, getOperand(), getResult())))
    return failure();
  if (from.hasStaticShape() && to.hasStaticShape() &&
      from.getNumElements() != to.getNumElements())
    return emitOpError("turns ") << from.getNumElements() << " elements into "
                                 << to.getNumElements();
  return verifySizes(*this, getSizes());
}

LogicalResult PermuteOp::verify() {
  RankedTensorType from = typeOf(getOperand());
  int64_t rank = from.getRank();
  SmallVector<bool> seen(rank, false);
  SmallVector<int64_t> expected;
  for (int64_t dim : getDims()) {
    if (dim < 0 || dim >= rank || seen[dim])
      return emitOpError("dims are no permutation of the operand's dimensions");
    seen[dim] = true;
    expected.push_back(from.getDimSize(dim));
  }
  if (static_cast<int64_t>(expected.size()) != rank)
    return emitOpError("dims are no permutation of the operand's dimensions");
  if (failed(verifySameElement(*this, getOperand(), getResult())))
    return failure();
  return verifyResultShape(*this, expected);
}

/// How many entries of `starts` are the sentinel.
static size_t countDynamic(ArrayRef<int64_t> starts) {
  return llvm::count_if(starts, [](int64_t s) { return ShapedType::isDynamic(s); });
}

static SmallVector<OpFoldResult> mixStarts(MLIRContext *context, ArrayRef<int64_t> starts,
                                           ValueRange dynamic) {
  Builder builder(context);
  SmallVector<OpFoldResult> mixed;
  for (int64_t start : starts) {
    if (!ShapedType::isDynamic(start)) {
      mixed.push_back(builder.getIndexAttr(start));
    } else {
      mixed.push_back(dynamic.front());
      dynamic = dynamic.drop_front();
    }
  }
  return mixed;
}

SmallVector<OpFoldResult> SliceOp::getMixedStarts() {
  return mixStarts(getContext(), getStaticStarts(), getDynamicStarts());
}
ValueRange SliceOp::getDynamicStarts() {
  return getDynamic().take_front(countDynamic(getStaticStarts()));
}
ValueRange SliceOp::getDynamicSizes() {
  return getDynamic().drop_front(countDynamic(getStaticStarts()));
}
SmallVector<OpFoldResult> UnsliceOp::getMixedStarts() {
  return mixStarts(getContext(), getStaticStarts(), getDynamicStarts());
}
ValueRange UnsliceOp::getDynamicStarts() {
  return getDynamic().take_front(countDynamic(getStaticStarts()));
}
ValueRange UnsliceOp::getDynamicSizes() {
  return getDynamic().drop_front(countDynamic(getStaticStarts()));
}
SmallVector<OpFoldResult> UpdateSliceOp::getMixedStarts() {
  return mixStarts(getContext(), getStaticStarts(), getDynamicStarts());
}
SmallVector<OpFoldResult> FillSliceOp::getMixedStarts() {
  return mixStarts(getContext(), getStaticStarts(), getDynamicStarts());
}

/// `part` is what starts and strides select of `whole`.
template <typename OpT>
static LogicalResult verifyPart(OpT op, Value wholeValue, Value partValue) {
  ArrayRef<int64_t> starts = op.getStaticStarts(), strides = op.getStrides();
  RankedTensorType whole = typeOf(wholeValue), part = typeOf(partValue);
  if (whole.getRank() != part.getRank())
    return op.emitOpError("whole and part have ranks ") << whole.getRank() << " and "
                                                        << part.getRank();
  size_t rank = whole.getRank();
  if (starts.size() != rank || strides.size() != rank)
    return op.emitOpError("needs one start and one stride per dimension: ") << rank;
  size_t dynamicStarts = countDynamic(starts);
  if (op.getDynamic().size() < dynamicStarts)
    return op.emitOpError("needs one operand per dynamic start: ")
           << dynamicStarts << ", not " << op.getDynamic().size();
  if (failed(verifySameElement(op, wholeValue, partValue)))
    return failure();
  for (size_t i = 0; i < rank; ++i) {
    if (strides[i] < 1)
      return op.emitOpError("stride ") << strides[i] << " is not positive";
    if (ShapedType::isDynamic(starts[i]))
      continue;
    if (starts[i] < 0)
      return op.emitOpError("start ") << starts[i] << " is negative";
    int64_t extent = whole.getDimSize(i), size = part.getDimSize(i);
    // The last element read must exist; divisions, so that nothing overflows.
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(size) || size == 0)
      continue;
    if (starts[i] >= extent || size - 1 > (extent - 1 - starts[i]) / strides[i])
      return op.emitOpError("reaches past extent ") << extent << " in dimension " << i;
  }
  return success();
}

LogicalResult SliceOp::verify() {
  if (failed(verifyPart(*this, getOperand(), getResult())))
    return failure();
  return verifySizes(*this, getDynamicSizes());
}

LogicalResult UnsliceOp::verify() {
  if (failed(verifyPart(*this, getResult(), getOperand())))
    return failure();
  return verifySizes(*this, getDynamicSizes());
}

template <typename OpT> static LogicalResult verifyWrite(OpT op) {
  if (failed(verifyPart(op, op.getOperand(), op.getPart())))
    return failure();
  if (op.getDynamic().size() > countDynamic(op.getStaticStarts()))
    return op.emitOpError("takes starts, no sizes");
  return success();
}
LogicalResult UpdateSliceOp::verify() { return verifyWrite(*this); }
LogicalResult FillSliceOp::verify() { return verifyWrite(*this); }

LogicalResult ConcatOp::verify() {
  if (getInputs().empty())
    return emitOpError("needs an operand");
  RankedTensorType first = typeOf(getInputs().front());
  if (failed(verifyDim(*this, getDim(), first)))
    return failure();
  int64_t extent = 0;
  for (Value input : getInputs()) {
    RankedTensorType type = typeOf(input);
    if (failed(verifySameElement(*this, input, getResult())) ||
        failed(verifyAgree(*this, "operands", first, type, getDim())))
      return failure();
    int64_t more = type.getDimSize(getDim());
    bool isStatic = !ShapedType::isDynamic(extent) && !ShapedType::isDynamic(more);
    extent = isStatic ? extent + more : ShapedType::kDynamic;
  }
  SmallVector<int64_t> expected(first.getShape());
  expected[getDim()] = extent;
  return verifyResultShape(*this, expected);
}

LogicalResult ReverseOp::verify() { return verifyIncreasing(*this, getDims(), getType().getRank()); }

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

static LogicalResult verifyReduce(Operation *op, ArrayRef<int64_t> dims) {
  RankedTensorType from = typeOf(op->getOperand(0));
  if (failed(verifyIncreasing(op, dims, from.getRank())) ||
      failed(verifySameElement(op, op->getOperand(0), op->getResult(0))))
    return failure();
  SmallVector<int64_t> expected;
  for (int64_t i = 0; i < from.getRank(); ++i)
    if (!llvm::is_contained(dims, i))
      expected.push_back(from.getDimSize(i));
  return verifyResultShape(op, expected);
}

LogicalResult ReduceSumOp::verify() { return verifyReduce(*this, getDims()); }
LogicalResult ReduceProdOp::verify() { return verifyReduce(*this, getDims()); }
LogicalResult ReduceMaxOp::verify() { return verifyReduce(*this, getDims()); }
LogicalResult ReduceMinOp::verify() { return verifyReduce(*this, getDims()); }

static LogicalResult verifyArgReduce(Operation *op, uint64_t dim) {
  RankedTensorType from = typeOf(op->getOperand(0));
  if (failed(verifyDim(op, dim, from)))
    return failure();
  SmallVector<int64_t> expected(from.getShape());
  expected.erase(expected.begin() + dim);
  return verifyResultShape(op, expected);
}

LogicalResult ArgmaxOp::verify() { return verifyArgReduce(*this, getDim()); }
LogicalResult ArgminOp::verify() { return verifyArgReduce(*this, getDim()); }

LogicalResult CumsumOp::verify() { return verifyDim(*this, getDim(), getType()); }

LogicalResult ArgsortOp::verify() {
  RankedTensorType from = typeOf(getOperand());
  if (failed(verifyDim(*this, getDim(), from)))
    return failure();
  return verifyResultShape(*this, from.getShape());
}

//===----------------------------------------------------------------------===//
// Products and indexing
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  RankedTensorType a = typeOf(getLhs()), b = typeOf(getRhs());
  int64_t rank = a.getRank();
  if (rank < 2 || b.getRank() != rank)
    return emitOpError("needs two operands of one rank of at least 2, not ")
           << rank << " and " << b.getRank();
  if (failed(verifySameElement(*this, getLhs(), getRhs())) ||
      failed(verifySameElement(*this, getLhs(), getResult())))
    return failure();
  for (int64_t i = 0; i < rank - 2; ++i)
    if (!mayEqual(a.getDimSize(i), b.getDimSize(i)))
      return emitOpError("batch dimension ") << i << " has extents " << show(a.getDimSize(i))
                                             << " and " << show(b.getDimSize(i));
  if (!mayEqual(a.getDimSize(rank - 1), b.getDimSize(rank - 2)))
    return emitOpError("contracts extents ")
           << show(a.getDimSize(rank - 1)) << " and " << show(b.getDimSize(rank - 2));
  SmallVector<int64_t> expected(a.getShape());
  expected[rank - 1] = b.getDimSize(rank - 1);
  return verifyResultShape(*this, expected);
}

/// Windows over an image: one number per spatial dimension, steps positive.
static LogicalResult verifyWindows(Operation *op, int64_t rank, ArrayRef<int64_t> strides,
                                   ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation) {
  if (rank < 3 || rank > 5)
    return op->emitOpError("needs one to three spatial dimensions, not ") << rank - 2;
  for (ArrayRef<int64_t> each : {strides, padding, dilation})
    if (static_cast<int64_t>(each.size()) != rank - 2)
      return op->emitOpError("needs a number per spatial dimension: ")
             << rank - 2 << ", not " << each.size();
  if (llvm::any_of(strides, [](int64_t n) { return n < 1; }) ||
      llvm::any_of(dilation, [](int64_t n) { return n < 1; }))
    return op->emitOpError("strides and dilation must be positive");
  return success();
}

/// What all convolutions have in common.
template <typename Op>
static LogicalResult verifyConvolution(Op op, Value image, Value filters, Value result) {
  RankedTensorType x = typeOf(image), w = typeOf(filters), y = typeOf(result);
  if (x.getRank() != w.getRank() || x.getRank() != y.getRank())
    return op.emitOpError("image, filters and result have ranks ")
           << x.getRank() << ", " << w.getRank() << " and " << y.getRank();
  if (failed(verifyWindows(op, x.getRank(), op.getStrides(), op.getPadding(), op.getDilation())) ||
      failed(verifySameElement(op, image, filters)) || failed(verifySameElement(op, image, result)))
    return failure();
  int64_t groups = op.getGroups(), inner = w.getDimSize(1), outputs = w.getDimSize(0);
  if (groups < 1)
    return op.emitOpError("groups must be positive");
  if (!ShapedType::isDynamic(outputs) && outputs % groups != 0)
    return op.emitOpError() << outputs << " filters cannot be split into " << groups << " groups";
  if (!ShapedType::isDynamic(inner) && !mayEqual(x.getDimSize(1), inner * groups))
    return op.emitOpError("image has ") << show(x.getDimSize(1)) << " channels, filters have "
                                        << inner << " in " << groups << " groups";
  if (!mayEqual(y.getDimSize(1), outputs))
    return op.emitOpError("result has ")
           << show(y.getDimSize(1)) << " channels for " << show(outputs) << " filters";
  if (!mayEqual(x.getDimSize(0), y.getDimSize(0)))
    return op.emitOpError("image and result differ in dimension 0: ")
           << show(x.getDimSize(0)) << " and " << show(y.getDimSize(0));
  return verifySizes(op, op.getSizes());
}

LogicalResult ConvOp::verify() {
  return verifyConvolution(*this, getLhs(), getRhs(), getResult());
}

LogicalResult ConvImageOp::verify() {
  return verifyConvolution(*this, getResult(), getRhs(), getLhs());
}

LogicalResult ConvFiltersOp::verify() {
  return verifyConvolution(*this, getLhs(), getResult(), getRhs());
}

LogicalResult PoolArgmaxOp::verify() {
  RankedTensorType from = typeOf(getOperand()), to = typeOf(getResult());
  if (failed(verifyWindows(*this, from.getRank(), getStrides(), getPadding(), getDilation())))
    return failure();
  if (getKernel().size() != getStrides().size() ||
      llvm::any_of(getKernel(), [](int64_t n) { return n < 1; }))
    return emitOpError("needs a positive extent of the kernel per spatial dimension");
  if (from.getRank() != to.getRank())
    return emitOpError("operand and result have ranks ") << from.getRank() << " and "
                                                         << to.getRank();
  for (int64_t i : {0, 1})
    if (!mayEqual(from.getDimSize(i), to.getDimSize(i)))
      return emitOpError("operand and result differ in dimension ")
             << i << ": " << show(from.getDimSize(i)) << " and " << show(to.getDimSize(i));
  return verifySizes(*this, getSizes());
}

/// Indices of gather and scatter_add: the rank of `source`, and within it but along `dim`.
static LogicalResult verifyGatherIndices(Operation *op, RankedTensorType source,
                                         RankedTensorType indices, uint64_t dim) {
  if (failed(verifyDim(op, dim, source)))
    return failure();
  if (indices.getRank() != source.getRank())
    return op->emitOpError("indices have rank ")
           << indices.getRank() << ", expected " << source.getRank();
  for (int64_t i = 0; i < source.getRank(); ++i) {
    int64_t have = source.getDimSize(i), want = indices.getDimSize(i);
    if (i != static_cast<int64_t>(dim) && !ShapedType::isDynamic(have) &&
        !ShapedType::isDynamic(want) && want > have)
      return op->emitOpError("indices have extent ")
             << want << " in dimension " << i << ", past " << have;
  }
  return success();
}

LogicalResult GatherOp::verify() {
  RankedTensorType indices = typeOf(getIndices());
  if (failed(verifyGatherIndices(*this, typeOf(getSource()), indices, getDim())) ||
      failed(verifySameElement(*this, getSource(), getResult())))
    return failure();
  return verifyResultShape(*this, indices.getShape());
}

LogicalResult ScatterAddOp::verify() {
  RankedTensorType indices = typeOf(getIndices());
  if (failed(verifyGatherIndices(*this, typeOf(getBase()), indices, getDim())) ||
      failed(verifySameElement(*this, getUpdates(), getBase())))
    return failure();
  return verifyAgree(*this, "indices and updates", indices, typeOf(getUpdates()));
}

/// The shape of `take`: `source` with dimension `dim` replaced by the indices' shape.
static SmallVector<int64_t> takeShape(RankedTensorType source, RankedTensorType indices,
                                      uint64_t dim) {
  SmallVector<int64_t> shape(source.getShape().take_front(dim));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, source.getShape().drop_front(dim + 1));
  return shape;
}

LogicalResult TakeOp::verify() {
  RankedTensorType source = typeOf(getSource());
  if (failed(verifyDim(*this, getDim(), source)) ||
      failed(verifySameElement(*this, getSource(), getResult())))
    return failure();
  return verifyResultShape(*this, takeShape(source, typeOf(getIndices()), getDim()));
}

LogicalResult TakeAddOp::verify() {
  RankedTensorType base = typeOf(getBase()), updates = typeOf(getUpdates());
  if (failed(verifyDim(*this, getDim(), base)) ||
      failed(verifySameElement(*this, getUpdates(), getBase())))
    return failure();
  SmallVector<int64_t> shape = takeShape(base, typeOf(getIndices()), getDim());
  auto expected = RankedTensorType::get(shape, updates.getElementType());
  return verifyAgree(*this, "slices and updates", expected, updates);
}
