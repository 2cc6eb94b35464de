// Each optimisation of a pipeline has a switch.
// RUN: janus-opt %s --janus-graph-opt | FileCheck %s --check-prefix=ALL
// RUN: janus-opt %s --janus-graph-opt="off=cse" | FileCheck %s --check-prefix=NOCSE
// RUN: janus-opt %s --janus-graph-opt="off=canonicalize,fold,cse,dce" | FileCheck %s --check-prefix=NONE
// RUN: not janus-opt %s --janus-graph-opt="off=nothing" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// ALL: janus.tanh
// ALL-NOT: janus.tanh
// ALL-NOT: janus.exp
// NOCSE-COUNT-2: janus.tanh
// NOCSE-NOT: janus.exp
// NONE-COUNT-2: janus.tanh
// NONE: janus.exp
// UNKNOWN: no pass 'nothing' to switch off
janus.graph @step(%x: tensor<4xf32>) -> (tensor<4xf32>) {
  %a = janus.tanh %x : tensor<4xf32>
  %b = janus.tanh %x : tensor<4xf32>
  %unused = janus.exp %x : tensor<4xf32>
  %y = janus.add %a, %b : tensor<4xf32>
  janus.return %y : tensor<4xf32>
}
