//===- StateOps.td - loads of Python state, commits to it -------*- tablegen -*-===//
//
// In: the dialect and its types. Out: the ops that name Python objects.
// Holds: a load is pure: the runtime does it once, under the entry guard, before the graph runs.
// A commit only records what is to be written: the runtime does it once, after every assert
// held. Slots number the loads that yield data (0, 1, ...) and, separately, the commits; they
// are what the runtime knows them by. `janus-lower-state` removes all of it.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_STATE_OPS_TD
#define JANUS_STATE_OPS_TD

include "janus/IR/JanusTypes.td"
include "janus/IR/StateInterfaces.td"

class Janus_LoadOp<string mnemonic> : Janus_PureOp<mnemonic, [Janus_LoadOpInterface]> {
  let results = (outs Janus_DataOrObject:$result);
}

def Janus_ArgumentOp : Janus_LoadOp<"argument"> {
  let summary = "An argument, or a local, at the region's entry";
  let description = [{
    ```mlir
    %x = janus.argument 0 slot 0 : tensor<?x64xf32>
    %o = janus.argument 1 : !janus.object
    ```
  }];
  let arguments = (ins Janus_Slot:$index, OptionalAttr<Janus_Slot>:$slot);
  let assemblyFormat = "$index (`slot` $slot^)? attr-dict `:` type($result)";
}

def Janus_GetGlobalOp : Janus_LoadOp<"get_global"> {
  let summary = "A global at the region's entry";
  let description = [{
    ```mlir
    %m = janus.get_global "model" : !janus.object
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<Janus_Slot>:$slot);
  let assemblyFormat = "$name (`slot` $slot^)? attr-dict `:` type($result)";
}

def Janus_GetAttrOp : Janus_LoadOp<"get_attr"> {
  let summary = "An attribute of an object at the region's entry";
  let description = [{
    ```mlir
    %w = janus.get_attr %m "weight" slot 1 : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Janus_ObjectType:$object, StrAttr:$name, OptionalAttr<Janus_Slot>:$slot);
  let assemblyFormat = "$object $name (`slot` $slot^)? attr-dict `:` type($result)";
}

def Janus_GetItemOp : Janus_LoadOp<"get_item"> {
  let summary = "An item of an object at the region's entry";
  let description = [{
    The key is an integer or a string that the profile saw.

    ```mlir
    %l = janus.get_item %layers[0] : !janus.object
    %x = janus.get_item %config["lr"] slot 2 : f64
    ```
  }];
  let arguments = (ins Janus_ObjectType:$object, AnyAttrOf<[I64Attr, StrAttr]>:$key,
                       OptionalAttr<Janus_Slot>:$slot);
  let assemblyFormat = [{
    $object `[` custom<Key>($key) `]` (`slot` $slot^)? attr-dict `:` type($result)
  }];
}

def Janus_RandomOp : Janus_LoadOp<"random"> {
  let summary = "Random numbers";
  let description = [{
    The runtime draws them at entry, in the order of slots, and puts its generator back when the
    graph is left without a commit. `draw` is for people who read the graph.

    ```mlir
    %m = janus.random "Bernoulli(0.5)" slot 3 : tensor<?x64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$draw, OptionalAttr<Janus_Slot>:$slot);
  let assemblyFormat = "$draw (`slot` $slot^)? attr-dict `:` type($result)";
}

def Janus_IncomingOp : Janus_LoadOp<"incoming"> {
  let summary = "What a backward pass brings";
  let description = [{
    The gradient of a result of the graph, whether there is one, or what has been added up so far
    for the gradient of an input. Only what leads to the results of `janus.pullback` may use it:
    `janus-split-backward` makes that a function of its own. `what` is for people who read the
    graph.

    ```mlir
    %g = janus.incoming "gradient 0" slot 4 : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$what, OptionalAttr<Janus_Slot>:$slot);
  let assemblyFormat = "$what (`slot` $slot^)? attr-dict `:` type($result)";
}

def Janus_StartOp : Janus_PureOp<"start"> {
  let summary = "The token before the first commit";
  let description = [{
    ```mlir
    %t0 = janus.start
    ```
  }];
  let results = (outs Janus_TokenType:$token);
  let assemblyFormat = "attr-dict";
}

class Janus_CommitOp<string mnemonic, list<Trait> traits = []>
    : Janus_Op<mnemonic, !listconcat([MemoryEffects<[MemWrite]>, Janus_CommitOpInterface],
                                     traits)> {
  let results = (outs Janus_TokenType:$result);
}

// A commit of one value to one object.
class Janus_ObjectCommitOp<string mnemonic, Type valueType> : Janus_CommitOp<mnemonic> {
  let arguments = (ins Janus_TokenType:$token, Janus_ObjectType:$object, valueType:$value,
                       Janus_Slot:$slot);
  let assemblyFormat = [{
    $token `,` $object `,` $value `slot` $slot attr-dict `:` type($value)
  }];
  let extraClassDeclaration = [{
    ::mlir::OperandRange getCommitted() { return getODSOperands(2); }
  }];
}

def Janus_SetAttrOp : Janus_ObjectCommitOp<"set_attr", Janus_DataOrObject> {
  let summary = "Writes an attribute";
  let description = [{
    ```mlir
    %t1 = janus.set_attr %t0, %trainer, %loss "running_loss" slot 0 : f64
    ```
  }];
  let arguments = (ins Janus_TokenType:$token, Janus_ObjectType:$object,
                       Janus_DataOrObject:$value, StrAttr:$name, Janus_Slot:$slot);
  let assemblyFormat = [{
    $token `,` $object `,` $value $name `slot` $slot attr-dict `:` type($value)
  }];
}

def Janus_SetItemOp : Janus_ObjectCommitOp<"set_item", Janus_DataOrObject> {
  let summary = "Writes an item";
  let description = [{
    ```mlir
    %t1 = janus.set_item %t0, %state["step"], %n slot 0 : i64
    ```
  }];
  let arguments = (ins Janus_TokenType:$token, Janus_ObjectType:$object,
                       Janus_DataOrObject:$value, AnyAttrOf<[I64Attr, StrAttr]>:$key,
                       Janus_Slot:$slot);
  let assemblyFormat = [{
    $token `,` $object `[` custom<Key>($key) `]` `,` $value `slot` $slot attr-dict `:`
    type($value)
  }];
}

def Janus_SetGlobalOp : Janus_CommitOp<"set_global"> {
  let summary = "Writes a global";
  let description = [{
    ```mlir
    %t1 = janus.set_global %t0, %n "step" slot 0 : i64
    ```
  }];
  let arguments = (ins Janus_TokenType:$token, Janus_DataOrObject:$value, StrAttr:$name,
                       Janus_Slot:$slot);
  let assemblyFormat = "$token `,` $value $name `slot` $slot attr-dict `:` type($value)";
  let extraClassDeclaration = [{
    ::mlir::OperandRange getCommitted() { return getODSOperands(1); }
  }];
}

def Janus_AppendOp : Janus_ObjectCommitOp<"append", Janus_DataOrObject> {
  let summary = "Appends to a list";
  let description = [{
    ```mlir
    %t1 = janus.append %t0, %losses, %loss slot 1 : f64
    ```
  }];
}

def Janus_UpdateOp : Janus_ObjectCommitOp<"update", Janus_Tensor> {
  let summary = "Gives a tensor object new content, as an in-place op does";
  let description = [{
    ```mlir
    %t1 = janus.update %t0, %weight, %new slot 2 : tensor<8x4xf32>
    ```
  }];
}

def Janus_SetGradOp : Janus_ObjectCommitOp<"set_grad", Janus_Tensor> {
  let summary = "Sets the gradient of a tensor object";
  let description = [{
    ```mlir
    %t1 = janus.set_grad %t0, %weight, %g slot 3 : tensor<8x4xf32>
    ```
  }];
}

def Janus_PrintOp : Janus_CommitOp<"print"> {
  let summary = "Prints";
  let description = [{
    The runtime formats; `text` is for people who read the graph.

    ```mlir
    %t1 = janus.print %t0 "epoch {} loss {}" (%e, %loss : i64, f64) slot 4
    ```
  }];
  let arguments = (ins Janus_TokenType:$token, Variadic<Janus_DataOrObject>:$values,
                       StrAttr:$text, Janus_Slot:$slot);
  let assemblyFormat = [{
    $token $text ` ` `(` ($values^ `:` type($values))? `)` `slot` $slot attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::OperandRange getCommitted() { return getValues(); }
  }];
}

#endif // JANUS_STATE_OPS_TD
