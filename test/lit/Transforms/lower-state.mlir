// RUN: janus-opt %s --janus-structurize --janus-lower-state | FileCheck %s

// Loads become arguments in slot order, whatever their order in the graph; what commits need
// becomes results in slot order, objects left out.
// CHECK-LABEL: func.func @state(
// CHECK-SAME:    %arg0: tensor<4xf32> {janus.slot = 0 : i64}, %arg1: f64 {janus.slot = 1 : i64})
// CHECK-SAME:    -> (i64, tensor<4xf32>, f64, tensor<4xf32>)
// CHECK-SAME:    janus.commits = [{count = 1 : i64, first = 2 : i64, kind = "set_attr", slot = 0 : i64},
// CHECK-SAME:                     {count = 1 : i64, first = 3 : i64, kind = "update", slot = 1 : i64},
// CHECK-SAME:                     {count = 0 : i64, first = 4 : i64, kind = "append", slot = 2 : i64}]
// CHECK-NEXT:  %[[Y:.*]] = janus.neg %arg0
// CHECK-NEXT:  %[[GOOD:.*]] = arith.constant -1 : i64
// CHECK-NEXT:  return %[[GOOD]], %[[Y]], %arg1, %[[Y]]
janus.graph @state() -> (tensor<4xf32>, !janus.object, !janus.token) {
  %m = janus.get_global "model" : !janus.object
  %lr = janus.get_attr %m "lr" slot 1 : f64
  %l = janus.get_item %m[0] : !janus.object
  %w = janus.get_attr %l "weight" slot 0 : tensor<4xf32>
  %wo = janus.get_attr %l "weight" : !janus.object
  %y = janus.neg %w : tensor<4xf32>
  %t0 = janus.start
  %t1 = janus.update %t0, %wo, %y slot 1 : tensor<4xf32>
  %t2 = janus.set_attr %t1, %m, %lr "last" slot 0 : f64
  %t3 = janus.append %t2, %m, %l slot 2 : !janus.object
  janus.return %y, %m, %t3 : tensor<4xf32>, !janus.object, !janus.token
}

// The first assert that fails, in the order of the graph.
// CHECK-LABEL: func.func @asserts(%arg0: i1, %arg1: i1) -> i64
// CHECK:      %[[GOOD:.*]] = arith.constant -1 : i64
// CHECK:      %[[FIVE:.*]] = arith.constant 5 : i64
// CHECK:      %[[REST:.*]] = arith.select %arg1, %[[GOOD]], %[[FIVE]]
// CHECK:      %[[THREE:.*]] = arith.constant 3 : i64
// CHECK:      %[[ALL:.*]] = arith.select %arg0, %[[REST]], %[[THREE]]
// CHECK:      return %[[ALL]]
janus.graph @asserts(%a: i1, %b: i1) -> () {
  janus.assert %a id 3 "a"
  janus.assert %b id 5 "b"
  janus.return
}

// An assert and a commit in a branch: both flow out of it.
// CHECK-LABEL: func.func @branch(%arg0: i1, %arg1: i1, %arg2: f64 {janus.slot = 0 : i64})
// CHECK-SAME:    -> (i64, i1, f64)
// CHECK-SAME:    janus.commits = [{conditional, count = 1 : i64, first = 1 : i64, kind = "set_global", slot = 0 : i64}]
// CHECK-NEXT:  %[[IF:.*]]:3 = scf.if %arg0 -> (i64, i1, f64) {
// CHECK:         %[[CHECK:.*]] = arith.select %arg1
// CHECK:         %[[YES:.*]] = arith.constant true
// CHECK-NEXT:    scf.yield %[[CHECK]], %[[YES]], %arg2
// CHECK-NEXT:  } else {
// CHECK-NEXT:    %[[GOOD:.*]] = arith.constant -1
// CHECK-NEXT:    %[[NO:.*]] = arith.constant false
// CHECK-NEXT:    %[[NOTHING:.*]] = arith.constant 0.0
// CHECK-NEXT:    scf.yield %[[GOOD]], %[[NO]], %[[NOTHING]]
// CHECK-NEXT:  }
// CHECK:       return %{{.*}}, %[[IF]]#1, %[[IF]]#2
janus.graph @branch(%p: i1, %c: i1) -> !janus.token {
  %x = janus.argument 0 slot 0 : f64
  %t0 = janus.start
  %tt, %tf = janus.switch %p, %t0 : !janus.token
  %ct, %cf = janus.switch %p, %c : i1
  %xt, %xf = janus.switch %p, %x : f64
  janus.assert %ct id 7 "on one side"
  %t1 = janus.set_global %tt, %xt "x" slot 0 : f64
  %t2, %w = janus.merge %t1, %tf : !janus.token
  janus.return %t2 : !janus.token
}

// A failed assert ends the loop.
// CHECK-LABEL: func.func @loop(%arg0: i64) -> (i64, i64)
// CHECK:       scf.while (%[[I:.*]] = %arg0, %[[OK:.*]] = %{{.*}}) : (i64, i64)
// CHECK:         %[[MORE:.*]] = arith.cmpi sgt, %[[I]]
// CHECK:         %[[GOOD:.*]] = arith.cmpi eq, %[[OK]]
// CHECK:         %[[GO:.*]] = arith.andi %[[MORE]], %[[GOOD]]
// CHECK:         scf.condition(%[[GO]])
// CHECK:       } do {
// CHECK:         arith.select %{{.*}}, %{{.*}}, %{{.*}} : i64
// CHECK:         scf.yield %{{.*}}, %{{.*}} : i64, i64
janus.graph @loop(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = janus.enter %n frame "loop" : i64
  %i, %w = janus.merge %e, %ni : i64
  %more = arith.cmpi sgt, %i, %zero : i64
  %cond = janus.loop_cond %more
  %b, %d = janus.switch %cond, %i : i64
  %less = arith.subi %b, %one : i64
  %odd = arith.cmpi ne, %less, %b : i64
  janus.assert %odd id 2 "in the loop"
  %ni = janus.next_iteration %less : i64
  %r = janus.exit %d : i64
  janus.return %r : i64
}

// A callee says first whether its asserts held.
// CHECK-LABEL: func.func @caller(%arg0: i64) -> (i64, i64)
// CHECK: %[[CALL:.*]]:2 = scf.if
// CHECK: func.call @callee(%arg0) : (i64) -> (i64, i64)
// CHECK: %[[GOOD:.*]] = arith.cmpi eq, %[[CALL]]#0
// CHECK: arith.select %[[GOOD]], %{{.*}}, %[[CALL]]#0
// CHECK: return %{{.*}}, %[[CALL]]#1
janus.graph @caller(%n: i64) -> i64 {
  %r = janus.invoke @callee(%n) : (i64) -> i64
  janus.return %r : i64
}

// It is called where the asserts before held, wherever they stand.
// CHECK-LABEL: func.func private @recursive(%arg0: i64) -> (i64, i64)
// CHECK: %[[P:.*]] = arith.cmpi sgt, %arg0
// CHECK: %[[ID:.*]] = arith.constant 3 : i64
// CHECK: %[[OUTCOME:.*]] = arith.select %[[P]], %{{.*}}, %[[ID]]
// CHECK: %[[GOOD:.*]] = arith.cmpi eq, %[[OUTCOME]]
// CHECK: scf.if %[[GOOD]] -> (i64, i64) {
// CHECK-NEXT: func.call @recursive
// CHECK: } else {
// CHECK: scf.yield %[[OUTCOME]]
janus.graph private @recursive(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %p = arith.cmpi sgt, %n, %zero : i64
  %r = janus.invoke @recursive(%n) : (i64) -> i64
  janus.assert %p id 3 "in a recursion"
  janus.return %r : i64
}
// CHECK-LABEL: func.func private @callee(%arg0: i64) -> (i64, i64)
janus.graph @callee(%n: i64) -> i64 {
  %p = arith.cmpi eq, %n, %n : i64
  janus.assert %p id 1 "in a callee"
  janus.return %n : i64
}
