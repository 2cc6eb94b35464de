//===- TensorOps.td - the tensor primitives ---------------------*- tablegen -*-===//
//
// In: the dialect and its types. Out: one op per primitive of the eager kernels.
// Holds: every op is pure; promotion (`cast`) and broadcasting (`broadcast`) are explicit, so
// operands of an elementwise op have one type; an op whose result has `?` extents that do not
// follow from its operands takes one `index` operand per `?`, in order.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_TENSOR_OPS_TD
#define JANUS_TENSOR_OPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "janus/IR/JanusTypes.td"

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

class Janus_UnaryOp<string mnemonic, Type operandType, string what, string example = "f32">
    : Janus_PureOp<mnemonic, [Elementwise, AllTypesMatch<["operand", "result"]>]> {
  let summary = what;
  let description = what # [{, element by element.

    ```mlir
    %1 = janus.}] # mnemonic # [{ %0 : tensor<4x?x}] # example # [{>
    ```
  }];
  let arguments = (ins operandType:$operand);
  let results = (outs operandType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Janus_FloatUnaryOp<string mnemonic, string what>
    : Janus_UnaryOp<mnemonic, Janus_FloatTensor, what>;

def Janus_NegOp : Janus_UnaryOp<"neg", Janus_NumTensor, "-x"> { let hasFolder = 1; }
def Janus_AbsOp : Janus_UnaryOp<"abs", Janus_NumTensor, "Absolute value">;
def Janus_SignOp : Janus_UnaryOp<"sign", Janus_NumTensor,
    "-1, 0 or 1 by the sign (0 of either sign and NaN give 0)">;
def Janus_ExpOp : Janus_FloatUnaryOp<"exp", "e to the power x">;
def Janus_LogOp : Janus_FloatUnaryOp<"log", "Natural logarithm">;
def Janus_Log1pOp : Janus_FloatUnaryOp<"log1p", "log(1 + x)">;
def Janus_Expm1Op : Janus_FloatUnaryOp<"expm1", "exp(x) - 1">;
def Janus_SqrtOp : Janus_FloatUnaryOp<"sqrt", "Square root, correctly rounded">;
def Janus_RsqrtOp : Janus_FloatUnaryOp<"rsqrt", "1 / sqrt(x), rounded twice">;
def Janus_TanhOp : Janus_FloatUnaryOp<"tanh", "Hyperbolic tangent">;
def Janus_SinOp : Janus_FloatUnaryOp<"sin", "Sine">;
def Janus_CosOp : Janus_FloatUnaryOp<"cos", "Cosine">;
def Janus_ErfOp : Janus_FloatUnaryOp<"erf", "Error function">;
def Janus_SigmoidOp : Janus_FloatUnaryOp<"sigmoid", "1 / (1 + exp(-x))">;
def Janus_FloorOp : Janus_FloatUnaryOp<"floor", "Round towards minus infinity">;
def Janus_CeilOp : Janus_FloatUnaryOp<"ceil", "Round towards plus infinity">;
def Janus_RoundOp : Janus_FloatUnaryOp<"round", "Round to nearest, ties to even">;
def Janus_NotOp : Janus_UnaryOp<"not", Janus_BitTensor, "Logical (bool) or bitwise not", "i1"> {
  let hasFolder = 1;
}

class Janus_BinaryOp<string mnemonic, Type operandType, string what, string example = "f32">
    : Janus_PureOp<mnemonic, [Elementwise, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = what;
  let description = what # [{, element by element. The operands have one type: `janus.cast` and
    `janus.broadcast` make it so.

    ```mlir
    %2 = janus.}] # mnemonic # [{ %0, %1 : tensor<4x?x}] # example # [{>
    ```
  }];
  let arguments = (ins operandType:$lhs, operandType:$rhs);
  let results = (outs operandType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Janus_AddOp : Janus_BinaryOp<"add", Janus_NumTensor, "Sum"> { let hasFolder = 1; }
def Janus_SubOp : Janus_BinaryOp<"sub", Janus_NumTensor, "Difference"> { let hasFolder = 1; }
def Janus_MulOp : Janus_BinaryOp<"mul", Janus_NumTensor, "Product"> { let hasFolder = 1; }
def Janus_DivOp : Janus_BinaryOp<"div", Janus_FloatTensor, "Quotient"> { let hasFolder = 1; }
def Janus_FloorDivOp : Janus_BinaryOp<"floor_div", Janus_NumTensor,
    "Quotient rounded towards minus infinity">;
def Janus_RemOp : Janus_BinaryOp<"rem", Janus_NumTensor,
    "Remainder with the sign of the divisor, as Python's %">;
def Janus_PowOp : Janus_BinaryOp<"pow", Janus_NumTensor, "lhs to the power rhs">;
def Janus_MaximumOp : Janus_BinaryOp<"maximum", Janus_NumTensor,
    "The larger element; NaN if either is NaN">;
def Janus_MinimumOp : Janus_BinaryOp<"minimum", Janus_NumTensor,
    "The smaller element; NaN if either is NaN">;
def Janus_AndOp : Janus_BinaryOp<"and", Janus_BitTensor, "Logical (bool) or bitwise and", "i1">;
def Janus_OrOp : Janus_BinaryOp<"or", Janus_BitTensor, "Logical (bool) or bitwise or", "i1">;
def Janus_XorOp : Janus_BinaryOp<"xor", Janus_BitTensor,
    "Logical (bool) or bitwise exclusive or", "i1">;
def Janus_ShlOp : Janus_BinaryOp<"shl", Janus_IntTensor, "Left shift", "i64">;
def Janus_ShrOp : Janus_BinaryOp<"shr", Janus_IntTensor,
    "Right shift, arithmetic for signed types", "i64">;

def Janus_CompareOp : Janus_PureOp<"compare", [
    Elementwise, AllTypesMatch<["lhs", "rhs"]>,
    TypesMatchWith<"result is a bool tensor of the operands' shape", "lhs", "result",
                   "::janus::boolTensorLike($_self)">]> {
  let summary = "Comparison of two tensors";
  let description = [{
    `predicate` is one of eq ne lt le gt ge. A comparison with NaN is false, `ne` is true.

    ```mlir
    %2 = janus.compare lt %0, %1 : tensor<4xf32>
    ```
  }];
  let arguments = (ins Janus_Predicate:$predicate, Janus_Tensor:$lhs, Janus_Tensor:$rhs);
  let results = (outs Janus_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs)";
}

def Janus_SelectOp : Janus_PureOp<"select", [
    AllTypesMatch<["true_value", "false_value", "result"]>,
    TypesMatchWith<"condition is a bool tensor of the result's shape", "result", "condition",
                   "::janus::boolTensorLike($_self)">]> {
  let summary = "Choice between two tensors, element by element";
  let description = [{
    ```mlir
    %3 = janus.select %cond, %a, %b : tensor<4xf32>
    ```
  }];
  let arguments = (ins Janus_BoolTensor:$condition, Janus_Tensor:$true_value,
                       Janus_Tensor:$false_value);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = "$condition `,` $true_value `,` $false_value attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Janus_CastOp : Janus_PureOp<"cast", [Elementwise]> {
  let summary = "Conversion to another element type";
  let description = [{
    Float to integer truncates towards zero; to bool is `!= 0`; bool to number is 0 or 1; a wider
    integer to a narrower one wraps.

    ```mlir
    %1 = janus.cast %0 : tensor<4xi64> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$operand);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

def Janus_DetachOp : Janus_UnaryOp<"detach", Janus_Tensor,
    "x itself, through which no gradient flows">;

def Janus_WithSlopeOp : Janus_PureOp<"with_slope", [
    Elementwise, AllTypesMatch<["value", "operand", "slope", "result"]>]> {
  let summary = "A value with a derivative of its own";
  let description = [{
    `value` itself. Its gradient goes on to `value`, and times `slope` to `operand`.

    ```mlir
    %3 = janus.with_slope %value, %x, %slope : tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Janus_FloatTensor:$value, Janus_FloatTensor:$operand,
                       Janus_FloatTensor:$slope);
  let results = (outs Janus_FloatTensor:$result);
  let assemblyFormat = "$value `,` $operand `,` $slope attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

def Janus_ConstantOp : Janus_PureOp<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "A tensor known at compile time";
  let description = [{
    ```mlir
    %0 = janus.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Janus_FullOp : Janus_PureOp<"full"> {
  let summary = "A tensor whose elements are all one scalar";
  let description = [{
    The scalar is converted to the element type as `janus.cast` converts an element.

    ```mlir
    %0 = janus.full %s sizes(%n) : f64 -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Janus_Scalar:$value, Variadic<Index>:$sizes);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = [{
    $value (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($value) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Janus_IotaOp : Janus_PureOp<"iota"> {
  let summary = "The index along one dimension";
  let description = [{
    ```mlir
    %0 = janus.iota dim 0 sizes(%n) : tensor<?x4xi64>
    ```
  }];
  let arguments = (ins Janus_Dim:$dim, Variadic<Index>:$sizes);
  let results = (outs Janus_NumTensor:$result);
  let assemblyFormat = [{
    `dim` $dim (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Janus_DimOp : Janus_PureOp<"dim"> {
  let summary = "An extent";
  let description = [{
    ```mlir
    %n = janus.dim %0, 1 : tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$source, Janus_Dim:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$source `,` $dim attr-dict `:` type($source)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Janus_ItemOp : Janus_PureOp<"item"> {
  let summary = "The element of a one-element tensor as a Python scalar";
  let description = [{
    A float becomes f64, an integer i64, a bool i1.

    ```mlir
    %s = janus.item %0 : tensor<f32> -> f64
    ```
  }];
  let arguments = (ins Janus_Tensor:$source);
  let results = (outs Janus_Scalar:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

def Janus_BroadcastOp : Janus_PureOp<"broadcast"> {
  let summary = "Repetition along dimensions";
  let description = [{
    Dimension i of the operand is dimension `dims[i]` of the result; `dims` increases. An extent
    that is statically 1 is stretched; dimensions of the result that are not in `dims` are made.

    ```mlir
    %1 = janus.broadcast %0 dims [1] sizes(%n) : tensor<4xf32> -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$operand, DenseI64ArrayAttr:$dims, Variadic<Index>:$sizes);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = [{
    $operand `dims` $dims (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($operand) `->`
    type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Janus_ReshapeOp : Janus_PureOp<"reshape"> {
  let summary = "The same elements in row-major order, in another shape";
  let description = [{
    ```mlir
    %1 = janus.reshape %0 sizes(%n) : tensor<?x2x2xf32> -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$operand, Variadic<Index>:$sizes);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = [{
    $operand (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($operand) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Janus_PermuteOp : Janus_PureOp<"permute"> {
  let summary = "Dimensions in another order";
  let description = [{
    Dimension i of the result is dimension `dims[i]` of the operand.

    ```mlir
    %1 = janus.permute %0 dims [1, 0] : tensor<4x?xf32> -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Janus_SliceOp : Janus_PureOp<"slice"> {
  let summary = "A rectangular part";
  let description = [{
    One start per dimension: an integer, or an `index` operand where `static_starts` holds the
    sentinel (the smallest i64). `dynamic` holds those operands and then one size per `?` of the
    result. Strides are positive. The part lies inside the operand: an assert before the op says
    so where it is not known.

    ```mlir
    %1 = janus.slice %0[%i, 2] sizes(%n) strides [1, 2] : tensor<?x8xf32> -> tensor<?x3xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$operand, Variadic<Index>:$dynamic,
                       DenseI64ArrayAttr:$static_starts, DenseI64ArrayAttr:$strides);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = [{
    $operand `` custom<StartsAndSizes>($dynamic, $static_starts) `strides` $strides attr-dict `:`
    type($operand) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The start of each dimension, an attribute or a value.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStarts();
    /// The operands of `dynamic` that are starts.
    ::mlir::ValueRange getDynamicStarts();
    /// The operands of `dynamic` that are sizes, one per `?` of the result.
    ::mlir::ValueRange getDynamicSizes();
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Janus_UnsliceOp : Janus_PureOp<"unslice"> {
  let summary = "Zeros with a rectangular part written: the adjoint of slice";
  let description = [{
    `dynamic` holds the dynamic starts and then one extent per `?` of the result.

    ```mlir
    %1 = janus.unslice %g[%i, 2] sizes(%n) strides [1, 2] : tensor<?x3xf32> -> tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$operand, Variadic<Index>:$dynamic,
                       DenseI64ArrayAttr:$static_starts, DenseI64ArrayAttr:$strides);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = [{
    $operand `` custom<StartsAndSizes>($dynamic, $static_starts) `strides` $strides attr-dict `:`
    type($operand) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The start of each dimension, an attribute or a value.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStarts();
    /// The operands of `dynamic` that are starts.
    ::mlir::ValueRange getDynamicStarts();
    /// The operands of `dynamic` that are extents, one per `?` of the result.
    ::mlir::ValueRange getDynamicSizes();
  }];
  let hasVerifier = 1;
}

class Janus_WriteSliceOp<string mnemonic>
    : Janus_PureOp<mnemonic, [AllTypesMatch<["operand", "result"]>]> {
  let arguments = (ins Janus_Tensor:$operand, Janus_Tensor:$part, Variadic<Index>:$dynamic,
                       DenseI64ArrayAttr:$static_starts, DenseI64ArrayAttr:$strides);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $part `` custom<StartsAndSizes>($dynamic, $static_starts) `strides` $strides
    attr-dict `:` type($operand) `,` type($part)
  }];
  let extraClassDeclaration = [{
    /// The start of each dimension, an attribute or a value.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStarts();
    /// The operands that are starts: all of `dynamic`.
    ::mlir::ValueRange getDynamicStarts() { return getDynamic(); }
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Janus_UpdateSliceOp : Janus_WriteSliceOp<"update_slice"> {
  let summary = "A tensor with a rectangular part replaced";
  let description = [{
    `part` has one element for each that a slice of the same starts and strides reads. `dynamic`
    holds the dynamic starts.

    ```mlir
    %1 = janus.update_slice %0, %v[%i, 2] strides [1, 2] : tensor<?x8xf32>, tensor<?x3xf32>
    ```
  }];
}

def Janus_FillSliceOp : Janus_WriteSliceOp<"fill_slice"> {
  let summary = "A tensor with a rectangular part written for the first time";
  let description = [{
    As `update_slice`, of a tensor whose elements there nobody has read or written before. So what
    was there has no gradient, and the gradient of the whole is that of the result: what grows in a
    loop, a row at a time, has one gradient and not one per iteration.

    ```mlir
    %1 = janus.fill_slice %rows, %row[%i, 0] strides [1, 1] : tensor<?x8xf32>, tensor<1x8xf32>
    ```
  }];
}

def Janus_ConcatOp : Janus_PureOp<"concat"> {
  let summary = "Tensors one after the other along a dimension";
  let description = [{
    ```mlir
    %2 = janus.concat %0, %1 dim 0 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<Janus_Tensor>:$inputs, Janus_Dim:$dim);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = "$inputs `dim` $dim attr-dict `:` functional-type($inputs, $result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Janus_ReverseOp : Janus_PureOp<"reverse", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Elements in reverse order along dimensions";
  let description = [{
    ```mlir
    %1 = janus.reverse %0 dims [0] : tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

class Janus_ReduceOp<string mnemonic, Type operandType, string what>
    : Janus_PureOp<mnemonic> {
  let summary = what;
  let description = what # [{ over `dims` (increasing), which the result lacks.

    The order is specified: one accumulator per element of the result visits the reduced elements
    in row-major order; sums and products of f32 accumulate in f64 and are rounded once, those of
    integers accumulate in i64.

    ```mlir
    %1 = janus.}] # mnemonic # [{ %0 dims [1] : tensor<?x4xf32> -> tensor<?xf32>
    ```
  }];
  let arguments = (ins operandType:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs operandType:$result);
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Janus_ReduceSumOp : Janus_ReduceOp<"reduce_sum", Janus_NumTensor, "Sum">;
def Janus_ReduceProdOp : Janus_ReduceOp<"reduce_prod", Janus_NumTensor, "Product">;
def Janus_ReduceMaxOp : Janus_ReduceOp<"reduce_max", Janus_Tensor,
    "Maximum (bool: any; NaN propagates)">;
def Janus_ReduceMinOp : Janus_ReduceOp<"reduce_min", Janus_Tensor,
    "Minimum (bool: all; NaN propagates)">;

class Janus_ArgReduceOp<string mnemonic, string what> : Janus_PureOp<mnemonic> {
  let summary = what;
  let description = what # [{ along `dim`, which the result lacks. The first one wins; NaN wins
    over numbers.

    ```mlir
    %1 = janus.}] # mnemonic # [{ %0 dim 1 : tensor<?x4xf32> -> tensor<?xi64>
    ```
  }];
  let arguments = (ins Janus_Tensor:$operand, Janus_Dim:$dim);
  let results = (outs Janus_IndexTensor:$result);
  let assemblyFormat = "$operand `dim` $dim attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Janus_ArgmaxOp : Janus_ArgReduceOp<"argmax", "Index of the largest element">;
def Janus_ArgminOp : Janus_ArgReduceOp<"argmin", "Index of the smallest element">;

def Janus_CumsumOp : Janus_PureOp<"cumsum", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Running sum along a dimension";
  let description = [{
    The order is specified: sequential, accumulating as `janus.reduce_sum` does.

    ```mlir
    %1 = janus.cumsum %0 dim 0 : tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Janus_NumTensor:$operand, Janus_Dim:$dim);
  let results = (outs Janus_NumTensor:$result);
  let assemblyFormat = "$operand `dim` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Janus_ArgsortOp : Janus_PureOp<"argsort"> {
  let summary = "The indices that sort along a dimension";
  let description = [{
    Equal elements keep their order, and a NaN is the largest value; `descending` says whether the
    largest comes first. `part` and `k` say which part of the order is asked for, if not all of it:
    the first k (1), also in any order (2), or the one with number k (3). Which of equal elements
    comes first is what PyTorch makes of it then.

    ```mlir
    %1 = janus.argsort %0 dim 1 true : tensor<?x4xf32> -> tensor<?x4xi64>
    ```
  }];
  let arguments = (ins Janus_Tensor:$operand, Janus_Dim:$dim, BoolAttr:$descending,
                       DefaultValuedAttr<I64Attr, "0">:$part, DefaultValuedAttr<I64Attr, "0">:$k);
  let results = (outs Janus_IndexTensor:$result);
  let assemblyFormat = [{
    $operand `dim` $dim $descending attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Products and indexing
//===----------------------------------------------------------------------===//

def Janus_DotOp : Janus_PureOp<"dot"> {
  let summary = "Matrix product, batched over the leading dimensions";
  let description = [{
    ```mlir
    %2 = janus.dot %0, %1 : (tensor<?x64xf32>, tensor<64x10xf32>) -> tensor<?x10xf32>
    ```
  }];
  let arguments = (ins Janus_NumTensor:$lhs, Janus_NumTensor:$rhs);
  let results = (outs Janus_NumTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

class Janus_ConvolutionOp<string mnemonic, string what, string example> : Janus_PureOp<mnemonic> {
  let summary = what;
  let description = [{
    Of an image `[N, C, in..]`, filters `[O, C / groups, kernel..]` and a result `[N, O, out..]`
    with one to three spatial dimensions one is computed from the other two. Element `k` of window
    `q` is the image's element `q * stride + k * dilation - padding`, zero outside of the image;
    there are as many windows as the result has elements. The three ops are each other's gradients.

    ```mlir
    %2 = janus.}] # mnemonic # example # [{
    ```
  }];
  let arguments = (ins Janus_NumTensor:$lhs, Janus_NumTensor:$rhs, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$dilation, I64Attr:$groups);
  let results = (outs Janus_NumTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `strides` $strides `padding` $padding `dilation` $dilation `groups` $groups
    (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Janus_ConvOp : Janus_ConvolutionOp<"conv", "Convolution: the result of an image and filters", [{
    %x, %w strides [2, 2] padding [1, 1] dilation [1, 1] groups 1
       : tensor<8x3x9x9xf32>, tensor<16x3x3x3xf32> -> tensor<8x16x5x5xf32>}]>;
def Janus_ConvImageOp : Janus_ConvolutionOp<"conv_image",
    "Transposed convolution: the gradient of the image", [{
    %g, %w strides [2, 2] padding [1, 1] dilation [1, 1] groups 1
       : tensor<8x16x5x5xf32>, tensor<16x3x3x3xf32> -> tensor<8x3x9x9xf32>}]>;
def Janus_ConvFiltersOp : Janus_ConvolutionOp<"conv_filters", "The gradient of the filters", [{
    %x, %g strides [2, 2] padding [1, 1] dilation [1, 1] groups 1
       : tensor<8x3x9x9xf32>, tensor<8x16x5x5xf32> -> tensor<16x3x3x3xf32>}]>;

def Janus_PoolArgmaxOp : Janus_PureOp<"pool_argmax"> {
  let summary = "Where the largest element of each window is";
  let description = [{
    Of an image `[N, C, in..]`, windows as in `janus.conv`: for each the row-major index, within
    the channel, of its first largest element; what lies outside of the image does not count. A
    NaN is larger than what came before it.

    ```mlir
    %1 = janus.pool_argmax %x kernel [2, 2] strides [2, 2] padding [0, 0] dilation [1, 1]
       : tensor<8x3x9x9xf32> -> tensor<8x3x4x4xi64>
    ```
  }];
  let arguments = (ins Janus_NumTensor:$operand, Variadic<Index>:$sizes, DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$dilation);
  let results = (outs Janus_IndexTensor:$result);
  let assemblyFormat = [{
    $operand `kernel` $kernel `strides` $strides `padding` $padding `dilation` $dilation
    (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Janus_GatherOp : Janus_PureOp<"gather"> {
  let summary = "torch.gather";
  let description = [{
    `result[i, j] = source[indices[i, j], j]` for dim 0. Indices lie in range: an assert before
    the op says so.

    ```mlir
    %2 = janus.gather %0, %i dim 1 : (tensor<?x10xf32>, tensor<?x1xi64>) -> tensor<?x1xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$source, Janus_IndexTensor:$indices, Janus_Dim:$dim);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = [{
    $source `,` $indices `dim` $dim attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Janus_ScatterAddOp : Janus_PureOp<"scatter_add", [AllTypesMatch<["base", "result"]>]> {
  let summary = "torch.scatter_add: the adjoint of gather";
  let description = [{
    `result = base; result[indices[i, j], j] += updates[i, j]` for dim 0, in row-major order.

    ```mlir
    %3 = janus.scatter_add %0, %i, %g dim 1
       : (tensor<?x10xf32>, tensor<?x1xi64>, tensor<?x1xf32>) -> tensor<?x10xf32>
    ```
  }];
  let arguments = (ins Janus_NumTensor:$base, Janus_IndexTensor:$indices,
                       Janus_NumTensor:$updates, Janus_Dim:$dim);
  let results = (outs Janus_NumTensor:$result);
  let assemblyFormat = [{
    $base `,` $indices `,` $updates `dim` $dim attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Janus_TakeOp : Janus_PureOp<"take"> {
  let summary = "Whole slices by index";
  let description = [{
    The result's shape is the source's with the extent of `dim` replaced by the indices' shape.

    ```mlir
    %2 = janus.take %0, %i dim 0 : (tensor<100x8xf32>, tensor<?x5xi64>) -> tensor<?x5x8xf32>
    ```
  }];
  let arguments = (ins Janus_Tensor:$source, Janus_IndexTensor:$indices, Janus_Dim:$dim);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = [{
    $source `,` $indices `dim` $dim attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Janus_TakeAddOp : Janus_PureOp<"take_add", [AllTypesMatch<["base", "result"]>]> {
  let summary = "Slices added by index: the adjoint of take";
  let description = [{
    ```mlir
    %3 = janus.take_add %0, %i, %g dim 0
       : (tensor<100x8xf32>, tensor<?x5xi64>, tensor<?x5x8xf32>) -> tensor<100x8xf32>
    ```
  }];
  let arguments = (ins Janus_NumTensor:$base, Janus_IndexTensor:$indices,
                       Janus_NumTensor:$updates, Janus_Dim:$dim);
  let results = (outs Janus_NumTensor:$result);
  let assemblyFormat = [{
    $base `,` $indices `,` $updates `dim` $dim attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

#endif // JANUS_TENSOR_OPS_TD
