//===- Passes.td - passes on the graph and structured stages ----*- tablegen -*-===//
//
// In: nothing. Out: the declarations of the passes of lib/Transforms.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_TRANSFORMS_PASSES_TD
#define JANUS_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NumberOps : Pass<"janus-number-ops", "::mlir::ModuleOp"> {
  let summary = "Puts each op's number into its location";
  let description = [{
    Equal graphs of other files and lines share compiled code, so what the code says of itself
    (`janus-describe`) names ops of the graph by their numbers, from 0, in the order of a walk
    from outside in. The number is the metadata of a fused location around the op's own.
  }];
}

def Inline : Pass<"janus-inline", "::mlir::ModuleOp"> {
  let summary = "Replaces invokes of graphs that are not recursive by their bodies";
}

def Structurize : Pass<"janus-structurize", "::mlir::ModuleOp"> {
  let summary = "Turns every graph into a function with structured control flow";
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def LowerState : Pass<"janus-lower-state", "::mlir::ModuleOp"> {
  let summary = "Turns loads into arguments, asserts and commits into results";
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def Autodiff : Pass<"janus-autodiff", "::mlir::ModuleOp"> {
  let summary = "Expands janus.gradient into the adjoint of what led to its loss";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitBackward : Pass<"janus-split-backward", "::mlir::ModuleOp"> {
  let summary = "Makes what needs a backward pass's gradients a function of its own";
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::arith::ArithDialect"];
}

def RemoveUnused : Pass<"janus-remove-unused", "::mlir::func::FuncOp"> {
  let summary = "Removes what no result depends on";
}

def SumParts : Pass<"janus-sum-parts", "::mlir::func::FuncOp"> {
  let summary = "Adds gradients of parts in their place, where a loop adds them up";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def VerifyStage : Pass<"janus-verify-stage", "::mlir::ModuleOp"> {
  let summary = "Checks what is true of the IR at a named stage";
  let options = [
    Option<"stage", "stage", "std::string", "\"graph\"", "graph, structured or linalg">,
  ];
}

#endif // JANUS_TRANSFORMS_PASSES_TD
