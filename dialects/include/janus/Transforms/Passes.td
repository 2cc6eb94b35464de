//===- Passes.td - passes on the graph and structured stages ----*- tablegen -*-===//
//
// In: nothing. Out: the declarations of the passes of lib/Transforms.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_TRANSFORMS_PASSES_TD
#define JANUS_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyStage : Pass<"janus-verify-stage", "::mlir::ModuleOp"> {
  let summary = "Checks what is true of the IR at a named stage";
  let options = [
    Option<"stage", "stage", "std::string", "\"graph\"", "graph, structured or linalg">,
  ];
}

#endif // JANUS_TRANSFORMS_PASSES_TD
