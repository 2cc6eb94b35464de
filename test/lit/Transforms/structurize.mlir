// RUN: janus-opt %s --janus-structurize | FileCheck %s

// CHECK-LABEL: func.func @straight(%arg0: tensor<4xf32>) -> tensor<4xf32>
// An op that stands above what it uses moves, the others stay.
// CHECK-NEXT: %[[A:.*]] = janus.neg %arg0
// CHECK-NEXT: %[[B:.*]] = janus.exp %[[A]]
// CHECK-NEXT: return %[[B]]
janus.graph @straight(%x: tensor<4xf32>) -> tensor<4xf32> {
  %b = janus.exp %a : tensor<4xf32>
  %a = janus.neg %x : tensor<4xf32>
  janus.return %b : tensor<4xf32>
}

// Merges of one predicate become results of one scf.if.
// CHECK-LABEL: func.func @two_results(%arg0: i1, %arg1: tensor<4xf32>, %arg2: f64)
// CHECK-NEXT: %[[IF:.*]]:3 = scf.if %arg0 -> (tensor<4xf32>, i64, f64) {
// CHECK-NEXT:   %[[A:.*]] = janus.neg %arg1
// CHECK-NEXT:   %[[S:.*]] = arith.addf %arg2, %arg2
// CHECK-NEXT:   %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT:   scf.yield %[[A]], %[[ZERO]], %[[S]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT:   scf.yield %arg1, %[[ONE]], %arg2
// CHECK-NEXT: }
// CHECK-NEXT: return %[[IF]]#0, %[[IF]]#1, %[[IF]]#2
janus.graph @two_results(%p: i1, %x: tensor<4xf32>, %y: f64) -> (tensor<4xf32>, i64, f64) {
  %xt, %xf = janus.switch %p, %x : tensor<4xf32>
  %a = janus.neg %xt : tensor<4xf32>
  %v, %w = janus.merge %a, %xf : tensor<4xf32>
  %yt, %yf = janus.switch %p, %y : f64
  %s = arith.addf %yt, %yt : f64
  %u, %i = janus.merge %s, %yf : f64
  janus.return %v, %w, %u : tensor<4xf32>, i64, f64
}

// Two `if`s on one predicate, the second using the first's result.
// CHECK-LABEL: func.func @in_sequence
// CHECK: %[[FIRST:.*]] = scf.if %arg0
// CHECK: %[[SECOND:.*]] = scf.if %arg0
// CHECK:   janus.exp %[[FIRST]]
// CHECK: return %[[SECOND]]
janus.graph @in_sequence(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %xt, %xf = janus.switch %p, %x : tensor<4xf32>
  %a = janus.neg %xt : tensor<4xf32>
  %v, %w = janus.merge %a, %xf : tensor<4xf32>
  %vt, %vf = janus.switch %p, %v : tensor<4xf32>
  %b = janus.exp %vt : tensor<4xf32>
  %u, %i = janus.merge %b, %vf : tensor<4xf32>
  janus.return %u : tensor<4xf32>
}

// What nothing depends on is gone: for the merge of %b and %c the branch would have to come before itself.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: %[[IF:.*]] = scf.if %arg0
// CHECK-NOT: janus.exp
// CHECK-NOT: janus.tanh
// CHECK: return %[[IF]]
janus.graph @unused(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %xt, %xf = janus.switch %p, %x : tensor<4xf32>
  %a = janus.neg %xf : tensor<4xf32>
  %v, %w = janus.merge %xt, %a : tensor<4xf32>
  %b = janus.exp %v : tensor<4xf32>
  %bt, %bf = janus.switch %p, %b : tensor<4xf32>
  %c = janus.tanh %a : tensor<4xf32>
  %u, %i = janus.merge %bt, %c : tensor<4xf32>
  janus.return %v : tensor<4xf32>
}

// Two `if`s on one predicate stay apart where something that may have a gradient stands between: gradients of %x are
// added up in that order.
// CHECK-LABEL: func.func @in_order
// CHECK: scf.if %arg0
// CHECK:   janus.neg
// CHECK: janus.exp
// CHECK: scf.if %arg0
// CHECK:   janus.tanh
janus.graph @in_order(%p: i1, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %xt, %xf = janus.switch %p, %x : tensor<4xf32>
  %a = janus.neg %xt : tensor<4xf32>
  %v, %w = janus.merge %a, %xf : tensor<4xf32>
  %m = janus.exp %x : tensor<4xf32>
  %b = janus.tanh %xt : tensor<4xf32>
  %u, %i = janus.merge %b, %xf : tensor<4xf32>
  janus.return %v, %m, %u : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A constant needs no switch; an operand's order does not say its side.
// CHECK-LABEL: func.func @constant_side
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: scf.if %arg0 -> (f64) {
// CHECK:   arith.negf %arg1
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ONE]]
janus.graph @constant_side(%p: i1, %x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %t, %f = janus.switch %p, %x : f64
  %a = arith.negf %t : f64
  %v, %w = janus.merge %one, %a : f64
  janus.return %v : f64
}

// CHECK-LABEL: func.func @nested(%arg0: i1, %arg1: i1, %arg2: f64)
// CHECK:      scf.if %arg0 -> (f64) {
// CHECK-NEXT:   %[[IN:.*]] = scf.if %arg1 -> (f64) {
// CHECK-NEXT:     %[[NEG:.*]] = arith.negf %arg2
// CHECK-NEXT:     scf.yield %[[NEG]]
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %arg2
// CHECK-NEXT:   }
// CHECK-NEXT:   %[[ADD:.*]] = arith.addf %[[IN]], %arg2
// CHECK-NEXT:   scf.yield %[[ADD]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %arg2
janus.graph @nested(%p: i1, %q: i1, %x: f64) -> f64 {
  %xt, %xf = janus.switch %p, %x : f64
  %qt, %qf = janus.switch %p, %q : i1
  %xtt, %xtf = janus.switch %qt, %xt : f64
  %a = arith.negf %xtt : f64
  %m, %mi = janus.merge %a, %xtf : f64
  %b = arith.addf %m, %xt : f64
  %v, %w = janus.merge %b, %xf : f64
  janus.return %v : f64
}

// What is asserted and committed on one side stays on that side.
// CHECK-LABEL: func.func @effects
// CHECK: scf.if %arg0 -> (!janus.token) {
// CHECK:   janus.assert %arg1 id 7 "on one side"
// CHECK:   janus.set_global %{{.*}}, %arg2 "x" slot 0
// CHECK: } else {
janus.graph @effects(%p: i1, %c: i1, %x: f64) -> !janus.token {
  %t0 = janus.start
  %tt, %tf = janus.switch %p, %t0 : !janus.token
  %ct, %cf = janus.switch %p, %c : i1
  %xt, %xf = janus.switch %p, %x : f64
  janus.assert %ct id 7 "on one side"
  %t1 = janus.set_global %tt, %xt "x" slot 0 : f64
  %t2, %w = janus.merge %t1, %tf : !janus.token
  janus.return %t2 : !janus.token
}

// CHECK-LABEL: func.func @count(%arg0: i64, %arg1: tensor<4xf32>) -> (tensor<4xf32>, i64)
// CHECK:      %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK:      %[[ONE:.*]] = arith.constant 1 : i64
// CHECK:      scf.while (%[[I:.*]] = %[[ZERO]], %[[X:.*]] = %arg1)
// CHECK-NEXT:   %[[C:.*]] = arith.cmpi slt, %[[I]], %arg0
// CHECK-NEXT:   scf.condition(%[[C]])
// CHECK-NEXT: } do {
// CHECK:        %[[NEXT:.*]] = arith.addi %{{.*}}, %[[ONE]]
// CHECK:        %[[Y:.*]] = janus.tanh
// CHECK:        scf.yield %[[NEXT]], %[[Y]]
janus.graph @count(%n: i64, %x: tensor<4xf32>) -> (tensor<4xf32>, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = janus.enter %zero frame "loop" : i64
  %ex = janus.enter %x frame "loop" : tensor<4xf32>
  %en = janus.enter %n frame "loop" constant : i64
  %i, %iw = janus.merge %e, %ni : i64
  %v, %vw = janus.merge %ex, %nv : tensor<4xf32>
  %c = arith.cmpi slt, %i, %en : i64
  %cond = janus.loop_cond %c
  %ib, %ie = janus.switch %cond, %i : i64
  %vb, %ve = janus.switch %cond, %v : tensor<4xf32>
  %i1 = arith.addi %ib, %one : i64
  %vt = janus.tanh %vb : tensor<4xf32>
  %ni = janus.next_iteration %i1 : i64
  %nv = janus.next_iteration %vt : tensor<4xf32>
  %r = janus.exit %ve : tensor<4xf32>
  %ri = janus.exit %ie : i64
  janus.return %r, %ri : tensor<4xf32>, i64
}

// A loop in a loop, with a branch inside; the inner one starts from the outer one's variable.
// CHECK-LABEL: func.func @loops
// CHECK:       scf.while
// CHECK:       } do {
// CHECK-NEXT:  ^bb0(%[[I:.*]]: i64):
// CHECK-NEXT:    %[[INNER:.*]] = scf.while (%{{.*}} = %[[I]]) : (i64) -> i64 {
// CHECK:         } do {
// CHECK:           %[[IF:.*]] = scf.if %{{.*}} -> (i64) {
// CHECK:           scf.yield %[[IF]] : i64
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.yield %[[INNER]] : i64
janus.graph @loops(%n: i64) -> i64 {
  %two = arith.constant 2 : i64
  %e = janus.enter %n frame "outer" : i64
  %i, %iw = janus.merge %e, %ni : i64
  %c = arith.cmpi sgt, %i, %two : i64
  %cond = janus.loop_cond %c
  %ib, %ie = janus.switch %cond, %i : i64
  %f = janus.enter %ib frame "inner" : i64
  %j, %jw = janus.merge %f, %nj : i64
  %d = arith.cmpi sgt, %j, %two : i64
  %cond2 = janus.loop_cond %d
  %jb, %je = janus.switch %cond2, %j : i64
  %half = arith.divsi %jb, %two : i64
  %p = arith.cmpi eq, %half, %two : i64
  %ht, %hf = janus.switch %p, %half : i64
  %less = arith.subi %ht, %two : i64
  %h, %hw = janus.merge %less, %hf : i64
  %nj = janus.next_iteration %h : i64
  %rj = janus.exit %je : i64
  %ni = janus.next_iteration %rj : i64
  %ri = janus.exit %ie : i64
  janus.return %ri : i64
}

// CHECK-LABEL: func.func private @recursive(%arg0: i64) -> i64
// CHECK: call @recursive(%{{.*}}) : (i64) -> i64
janus.graph @recursive(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %p = arith.cmpi sgt, %n, %one : i64
  %t, %f = janus.switch %p, %n : i64
  %less = arith.subi %t, %one : i64
  %r = janus.invoke @recursive(%less) : (i64) -> i64
  %v, %w = janus.merge %r, %f : i64
  janus.return %v : i64
}

// A merge that needs, on one side, what another merge of the same `if` joins: what arrives there.
// CHECK-LABEL: func.func @joined_twice(%arg0: i1, %arg1: tensor<2xf32>)
// CHECK-NEXT: %[[IF:.*]]:3 = scf.if %arg0
// CHECK-NEXT:   %[[A:.*]] = janus.neg %arg1
// CHECK-NEXT:   scf.yield %[[A]], %[[A]], %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[B:.*]] = janus.exp %arg1
// CHECK-NEXT:   scf.yield %arg1, %[[B]], %[[B]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[IF]]#1, %[[IF]]#2
janus.graph @joined_twice(%p: i1, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %t, %f = janus.switch %p, %x : tensor<2xf32>
  %a = janus.neg %t : tensor<2xf32>
  %b = janus.exp %f : tensor<2xf32>
  %one, %i = janus.merge %a, %f : tensor<2xf32>
  %both, %j = janus.merge %a, %b : tensor<2xf32>
  %on, %off = janus.switch %p, %one : tensor<2xf32>
  %two, %k = janus.merge %on, %b : tensor<2xf32>
  janus.return %both, %two : tensor<2xf32>, tensor<2xf32>
}
