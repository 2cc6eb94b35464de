//===- JanusTypes.td - types and type constraints ---------------*- tablegen -*-===//
//
// In: the dialect. Out: !janus.object, !janus.token, and the constraints that ops use.
// Holds: tensors are builtin ranked tensors; `?` is an extent known at run time only.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_TYPES_TD
#define JANUS_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "janus/IR/JanusDialect.td"

class Janus_Type<string name, string mnemonic_> : TypeDef<Janus_Dialect, name> {
  let mnemonic = mnemonic_;
}

def Janus_ObjectType : Janus_Type<"Object", "object"> {
  let summary = "A Python object, known to the runtime only";
  let description = [{
    What a load yields when the region only goes on to read from it or to commit to it. It has
    no run-time value in compiled code: `janus-lower-state` removes it.
  }];
}

def Janus_TokenType : Janus_Type<"Token", "token"> {
  let summary = "The order of effects";
  let description = [{
    Commits form a chain of tokens from `janus.start` to the graph's return. A token has no
    run-time value; `janus-lower-state` removes it.
  }];
}

def Janus_Bool : TypeConstraint<I1.predicate, "i1">;

def Janus_Tensor : RankedTensorOf<[F32, F64, I64, I32, I16, I8, UI<8>, I1]>;
def Janus_NumTensor : RankedTensorOf<[F32, F64, I64, I32, I16, I8, UI<8>]>;
def Janus_FloatTensor : RankedTensorOf<[F32, F64]>;
def Janus_BitTensor : RankedTensorOf<[I64, I32, I16, I8, UI<8>, I1]>;
def Janus_IntTensor : RankedTensorOf<[I64, I32, I16, I8, UI<8>]>;
def Janus_BoolTensor : RankedTensorOf<[I1]>;
def Janus_IndexTensor : RankedTensorOf<[I64]>; // indices into a dimension

/// A Python scalar.
def Janus_Scalar : AnyTypeOf<[F64, I64, I1]>;

/// Data: what a load may yield and a commit may store, objects aside.
def Janus_Data : AnyTypeOf<[Janus_Tensor, F64, I64, I1]>;
def Janus_DataOrObject : AnyTypeOf<[Janus_Tensor, F64, I64, I1, Janus_ObjectType]>;

/// Whatever may flow along an edge of the graph.
def Janus_Value
    : AnyTypeOf<[Janus_Tensor, F64, I64, I1, Index, Janus_ObjectType, Janus_TokenType]>;

def Janus_Dim : ConfinedAttr<I64Attr, [IntNonNegative]>;
def Janus_Slot : ConfinedAttr<I64Attr, [IntNonNegative]>;

// Stored as an i64, so that a builder that knows integers only can make it.
def Janus_Predicate
    : I64EnumAttr<"Predicate", "comparison of two elements",
                  [I64EnumAttrCase<"eq", 0>, I64EnumAttrCase<"ne", 1>, I64EnumAttrCase<"lt", 2>,
                   I64EnumAttrCase<"le", 3>, I64EnumAttrCase<"gt", 4>,
                   I64EnumAttrCase<"ge", 5>]> {
  let cppNamespace = "::janus";
}

#endif // JANUS_TYPES_TD
