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
janus.graph @step(%x: tensor<4xf32>, %n: i64) -> (tensor<4xf32>, i64) {
  %a = janus.tanh %x : tensor<4xf32>
  %b = janus.tanh %x : tensor<4xf32>
  %y = janus.add %a, %b : tensor<4xf32>

  // Only the loop itself needs %v.
  %one = arith.constant 1 : i64
  %ei = janus.enter %n frame "loop" : i64
  %ev = janus.enter %x frame "loop" : tensor<4xf32>
  %i, %iw = janus.merge %ei, %ni : i64
  %v, %vw = janus.merge %ev, %nv : tensor<4xf32>
  %c = arith.cmpi sgt, %i, %one : i64
  %cond = janus.loop_cond %c
  %ib, %ie = janus.switch %cond, %i : i64
  %vb, %ve = janus.switch %cond, %v : tensor<4xf32>
  %half = arith.shrsi %ib, %one : i64
  %w = janus.exp %vb : tensor<4xf32>
  %ni = janus.next_iteration %half : i64
  %nv = janus.next_iteration %w : tensor<4xf32>
  %r = janus.exit %ie : i64
  janus.return %y, %r : tensor<4xf32>, i64
}
