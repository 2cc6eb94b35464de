//===- ControlOps.td - graphs, dataflow control, asserts, gradients ---*- tablegen -*-===//
//
// In: the dialect and its types. Out: janus.graph and what steers the flow of values inside it.
// Holds: control flow is dataflow. A value that is produced under a `switch` exists only where
// its side is taken; a frame (`enter` ... `exit`) is a loop; the only cycles go through
// `next_iteration`. `janus-structurize` removes all of it.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_CONTROL_OPS_TD
#define JANUS_CONTROL_OPS_TD

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "janus/IR/JanusTypes.td"

def Janus_GraphOp : Janus_Op<"graph", [
    FunctionOpInterface, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<RegionKindInterface>]> {
  let summary = "One region of a program as a dataflow graph";
  let description = [{
    The region is a graph region: an op may use a value that stands further down, and cycles
    through `janus.next_iteration` are legal. The order of ops still means something: it is the
    order in which tier 0 ran them, which fixes the order in which gradients are added up.

    ```mlir
    janus.graph @step(%x: tensor<?x64xf32>) -> (tensor<?x64xf32>) {
      %y = janus.tanh %x : tensor<?x64xf32>
      janus.return %y : tensor<?x64xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Janus_ReturnOp : Janus_PureOp<"return", [
    Terminator, ReturnLike, ParentOneOf<["::janus::GraphOp"]>]> {
  let summary = "The values that a graph ends with";
  let description = [{
    A graph with effects returns its last token, as the last operand.

    ```mlir
    janus.return %loss, %t : f64, !janus.token
    ```
  }];
  let arguments = (ins Variadic<Janus_Value>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let hasVerifier = 1;
}

def Janus_SwitchOp : Janus_PureOp<"switch", [
    AllTypesMatch<["value", "true_value", "false_value"]>]> {
  let summary = "Sends a value to one of two sides";
  let description = [{
    What is computed from a side exists on that side only. A value that an inner branch uses goes
    through the switches of all branches around it, from the outermost inwards; one that went
    through none (a constant, a value from before the branch) may be used inside as it is, but
    says nothing about where its user runs. So an assert's condition and a commit's token go
    through the switches.

    ```mlir
    %t, %f = janus.switch %p, %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins I1:$predicate, Janus_Value:$value);
  let results = (outs Janus_Value:$true_value, Janus_Value:$false_value);
  let assemblyFormat = "$predicate `,` $value attr-dict `:` type($value)";
  let hasCanonicalizer = 1;
}

def Janus_MergeOp : Janus_PureOp<"merge"> {
  let summary = "Whichever operand arrives";
  let description = [{
    Joins the two sides of a `janus.switch`, or, at the head of a frame, a `janus.enter` and a
    `janus.next_iteration`. The second result is the number of the operand that arrived.

    ```mlir
    %v, %which = janus.merge %a, %b : tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<Janus_Value>:$inputs);
  let results = (outs Janus_Value:$value, I64:$index);
  let assemblyFormat = "$inputs attr-dict `:` type($value) `` custom<SameTypes>(ref(type($value)), ref($inputs), type($inputs))";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

class Janus_PassOp<string mnemonic, string what, list<Trait> traits = []>
    : Janus_PureOp<mnemonic, !listconcat([AllTypesMatch<["value", "result"]>], traits)> {
  let summary = what;
  let arguments = (ins Janus_Value:$value);
  let results = (outs Janus_Value:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Janus_EnterOp : Janus_PassOp<"enter", "Takes a value into a frame"> {
  let description = [{
    `constant` marks a value that every iteration sees unchanged; without it the value meets the
    frame's `janus.merge`.

    ```mlir
    %e = janus.enter %x frame "loop" : tensor<4xf32>
    %w = janus.enter %y frame "loop" constant : tensor<4xf32>
    ```
  }];
  let arguments = (ins Janus_Value:$value, StrAttr:$frame, UnitAttr:$constant);
  let assemblyFormat = "$value `frame` $frame (`constant` $constant^)? attr-dict `:` type($value)";
}

def Janus_ExitOp : Janus_PassOp<"exit", "Takes a value out of its frame"> {
  let description = [{
    Its operand is the false side of a switch on the frame's `janus.loop_cond`.

    ```mlir
    %r = janus.exit %done : tensor<4xf32>
    ```
  }];
}

def Janus_NextIterationOp
    : Janus_PassOp<"next_iteration", "Takes a value to the next iteration of its frame"> {
  let description = [{
    ```mlir
    %n = janus.next_iteration %x : tensor<4xf32>
    ```
  }];
}

def Janus_LoopCondOp : Janus_PureOp<"loop_cond"> {
  let summary = "Whether its frame runs another iteration";
  let description = [{
    ```mlir
    %c = janus.loop_cond %p
    ```
  }];
  let arguments = (ins I1:$condition);
  let results = (outs I1:$result);
  let assemblyFormat = "$condition attr-dict";
}

def Janus_InvokeOp : Janus_Op<"invoke", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs another graph";
  let description = [{
    For callees that are recursive or large and shared; other calls are inlined by the
    speculator or by `janus-inline`.

    ```mlir
    %r = janus.invoke @fib(%n) : (i64) -> i64
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Janus_Value>:$inputs);
  let results = (outs Variadic<Janus_Value>:$outputs);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}

def Janus_FieldOp : Janus_PureOp<"field"> {
  let summary = "What an object holds, read while the graph runs";
  let description = [{
    `table` is the address of the region's table of fields and classes, `object` that of an object,
    or 0, which holds nothing. `field` is the place in the table, `name` says to people what is
    there: an attribute (`.left`), the item at `index`, which counts from the first (`[]`), or the
    number of items (`len`). `kind` says what was found (see `janus_object::fields`), `word` is its
    value as 64 bits, or its address.

    ```mlir
    %kind, %word = janus.field 2 ".left" of %tree in %table
    %kind, %word = janus.field 3 "[]" at %i of %children in %table
    ```
  }];
  let arguments = (ins Janus_Slot:$field, StrAttr:$name, I64:$object, I64:$table,
                       Optional<I64>:$index);
  let results = (outs I64:$kind, I64:$word);
  let assemblyFormat = "$field $name (`at` $index^)? `of` $object `in` $table attr-dict";
}

def Janus_TensorAtOp : Janus_PureOp<"tensor_at"> {
  let summary = "The elements of a tensor object that the graph came to";
  let description = [{
    `object` is the address of an object that `janus.field` found to be of a tensor's class, or 0.
    `found` tells whether there is one, with this element type and these extents, row-major, that
    does not require grad and whose memory the region does not write (see
    `janus_object::fields::FieldTable`); where not, the elements are zeros.

    ```mlir
    %value, %found = janus.tensor_at %object in %table : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins I64:$object, I64:$table);
  let results = (outs Janus_Tensor:$result, I1:$found);
  let assemblyFormat = "$object `in` $table attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Janus_DrawOp : Janus_PureOp<"draw"> {
  let summary = "Random numbers, drawn while the graph runs";
  let description = [{
    What `janus.random` cannot be: drawn on one side of a branch, in a loop or in a graph that calls
    itself. `position` is how many draws came before it in the run, `next` one more: so the op is
    pure, and the order of draws is that of their positions. `source` is the address of the run's
    draws, `number` the place in the region's table of distributions, which `draw` says to people.
    `low` and `high` bound what is drawn where the distribution has bounds. What was drawn is kept
    only if the run is committed.

    ```mlir
    %m, %next = janus.draw 0 "Bernoulli(0.5)" at %position of %source in [%low, %high) sizes(%n)
              : tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Janus_Slot:$number, StrAttr:$draw, I64:$position, I64:$source, I64:$low,
                       I64:$high, Variadic<Index>:$sizes);
  let results = (outs Janus_Tensor:$result, I64:$next);
  let assemblyFormat = [{
    $number $draw `at` $position `of` $source `in` `[` $low `,` $high `)`
    (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Janus_DrawFromOp : Janus_PureOp<"draw_from"> {
  let summary = "Random numbers of distributions that the graph computes";
  let description = [{
    As `janus.draw`, with the distributions' parameters in a tensor. How many random bits it takes
    does not depend on what the tensor holds. Parameters that no distribution has end the run as a
    failed assert does.

    ```mlir
    %a, %next = janus.draw_from 1 "Multinomial(1)" %p at %position of %source
              : tensor<?x4xf32> -> tensor<?x1xi64>
    ```
  }];
  let arguments = (ins Janus_Slot:$number, StrAttr:$draw, Janus_Tensor:$parameters,
                       I64:$position, I64:$source, Variadic<Index>:$sizes);
  let results = (outs Janus_Tensor:$result, I64:$next);
  let assemblyFormat = [{
    $number $draw $parameters `at` $position `of` $source (`sizes` `(` $sizes^ `)`)? attr-dict
    `:` type($parameters) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Janus_AssertOp : Janus_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "An assumption that the graph relies on";
  let description = [{
    Where the condition is false the run is dropped: nothing is committed, and tier 0 runs the
    region again. `id` is the runtime's number for the assumption; `reason` is for people. An
    assert whose condition passed through a `janus.switch` counts only where that side is taken.

    A failed assert does not stop the graph at that point, so the lowering of every op is safe
    for memory whatever its operands hold.

    ```mlir
    janus.assert %ok id 3 "index out of range"
    ```
  }];
  let arguments = (ins I1:$condition, Janus_Slot:$id, StrAttr:$reason);
  let assemblyFormat = "$condition `id` $id $reason attr-dict";
  let hasCanonicalizer = 1;
}

def Janus_GradientOp : Janus_PureOp<"gradient", [
    AllTypesMatch<["loss", "seed"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes"]>]> {
  let summary = "Gradients of one value of the graph with respect to others";
  let description = [{
    `seed` is the gradient of the loss itself. The results have the types of `wrt`. Expanded by
    `janus-autodiff`.

    ```mlir
    %gw, %gb = janus.gradient %loss, %seed wrt(%w, %b)
             : tensor<f32>, (tensor<8x4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Janus_FloatTensor:$loss, Janus_FloatTensor:$seed,
                       Variadic<Janus_FloatTensor>:$wrt);
  let results = (outs Variadic<Janus_FloatTensor>:$gradients);
  let assemblyFormat = [{
    $loss `,` $seed `wrt` `(` $wrt `)` attr-dict `:` type($loss) `,` `(` type($wrt) `)`
  }];
  let hasVerifier = 1;
}

def Janus_PullbackOp : Janus_PureOp<"pullback"> {
  let summary = "What gradients of the graph's results become for its inputs";
  let description = [{
    Operands, with n results of the graph and m inputs: the n results, their n gradients, n flags
    that say which of these are there; the m inputs, and for each what has been added up so far for
    its gradient. Results: the m sums, continued in the order of the tape, and m flags that say
    whether anything was added. Expanded by `janus-autodiff`.

    ```mlir
    %dw, %any = janus.pullback 1 (%y, %gy, %true, %w, %sum)
              : (tensor<8xf32>, tensor<8xf32>, i1, tensor<4xf32>, tensor<4xf32>)
                -> (tensor<4xf32>, i1)
    ```
  }];
  let arguments = (ins I64Attr:$count, Variadic<AnyType>:$arguments);
  let results = (outs Variadic<AnyType>:$gradients);
  let assemblyFormat = [{
    $count `(` $arguments `)` attr-dict `:` functional-type($arguments, $gradients)
  }];
  let extraClassDeclaration = [{
    unsigned getInputCount() { return (getArguments().size() - 3 * getCount()) / 2; }
    ::mlir::ValueRange getOutputs() { return getArguments().take_front(getCount()); }
    ::mlir::ValueRange getSeeds() { return getArguments().slice(getCount(), getCount()); }
    ::mlir::ValueRange getPresent() { return getArguments().slice(2 * getCount(), getCount()); }
    ::mlir::ValueRange getWrt() {
      return getArguments().slice(3 * getCount(), getInputCount());
    }
    ::mlir::ValueRange getSums() { return getArguments().take_back(getInputCount()); }
  }];
  let hasVerifier = 1;
}

#endif // JANUS_CONTROL_OPS_TD
