// RUN: janus-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{has an argument of type 'i32', which no graph value has}}
janus.graph @f(%x: i32) -> () {
  janus.return
}

// -----

// expected-error @+1 {{has a result of type 'tensor<*xf32>', which no graph value has}}
janus.graph @f() -> tensor<*xf32> {
  janus.return
}

// -----

// expected-error @+1 {{must end with janus.return}}
janus.graph @f() -> () {
  llvm.unreachable
}

// -----

janus.graph @f(%x: i64) -> () {
  // expected-error @+1 {{returns 1 values, but the graph has 0 results}}
  janus.return %x : i64
}

// -----

janus.graph @f(%x: i64) -> f64 {
  // expected-error @+1 {{value 0 has type 'i64', but the graph's result has type 'f64'}}
  janus.return %x : i64
}

// -----

janus.graph @f(%x: i64) -> (!janus.token, i64) {
  %t = janus.start
  // expected-error @+1 {{may return a token as its last value only}}
  janus.return %t, %x : !janus.token, i64
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is part of a cycle that goes through no janus.next_iteration}}
  %0 = janus.neg %1 : tensor<4xf32>
  %1 = janus.exp %0 : tensor<4xf32>
  janus.return %1 : tensor<4xf32>
}

// -----

janus.graph @f() -> () {
  // expected-note @+1 {{the other op}}
  %0 = janus.argument 0 slot 2 : f64
  // expected-error @+1 {{has load slot 2, which another op has}}
  %1 = janus.argument 1 slot 2 : f64
  janus.return
}

// -----

janus.graph @f(%x: f64) -> !janus.token {
  %t = janus.start
  // expected-note @+1 {{the other op}}
  %t1 = janus.set_global %t, %x "a" slot 0 : f64
  // expected-error @+1 {{has commit slot 0, which another op has}}
  %t2 = janus.set_global %t1, %x "b" slot 0 : f64
  janus.return %t2 : !janus.token
}

// -----

func.func @f(%x: i64) {
  // expected-error @+1 {{'janus.return' op expects parent op 'janus.graph'}}
  "janus.return"(%x) : (i64) -> ()
}

// -----

janus.graph @f(%p: i64, %x: i64) -> () {
  // expected-error @+1 {{operand #0 must be 1-bit signless integer}}
  %0:2 = "janus.switch"(%p, %x) : (i64, i64) -> (i64, i64)
  janus.return
}

// -----

janus.graph @f(%p: i1, %x: i64) -> () {
  // expected-error @+1 {{all of {value, true_value, false_value} have same type}}
  %0:2 = "janus.switch"(%p, %x) : (i1, i64) -> (i64, f64)
  janus.return
}

// -----

janus.graph @f(%x: i64) -> () {
  // expected-error @+1 {{takes one or two operands, not 3}}
  %v, %i = janus.merge %x, %x, %x : i64
  janus.return
}

// -----

janus.graph @f(%x: i64, %y: f64) -> () {
  // expected-error @+1 {{operand 1 has type 'f64', but the result has type 'i64'}}
  %v, %i = "janus.merge"(%x, %y) : (i64, f64) -> (i64, i64)
  janus.return
}

// -----

janus.graph @f(%x: i64) -> () {
  // expected-error @+1 {{all of {value, result} have same type}}
  %0 = "janus.enter"(%x) <{frame = "a"}> : (i64) -> f64
  janus.return
}

// -----

janus.graph @f(%x: i64) -> () {
  // expected-error @+1 {{names no graph or function: @nowhere}}
  %0 = janus.invoke @nowhere(%x) : (i64) -> i64
  janus.return
}

// -----

janus.graph @g(%x: i64) -> i64 {
  janus.return %x : i64
}
janus.graph @f(%x: f64) -> () {
  // expected-error @+1 {{argument 0 has type 'f64', but @g has 'i64'}}
  %0 = janus.invoke @g(%x) : (f64) -> i64
  janus.return
}

// -----

janus.graph @g(%x: i64) -> i64 {
  janus.return %x : i64
}
janus.graph @f(%x: i64) -> () {
  // expected-error @+1 {{has 0 results, but @g has 1}}
  janus.invoke @g(%x) : (i64) -> ()
  janus.return
}

// -----

janus.graph @f(%p: i1) -> () {
  // expected-error @+1 {{attribute 'id' failed to satisfy constraint}}
  "janus.assert"(%p) <{id = -1 : i64, reason = "r"}> : (i1) -> ()
  janus.return
}

// -----

janus.graph @f(%x: tensor<f32>) -> () {
  // expected-error @+1 {{needs a value to differentiate by}}
  "janus.gradient"(%x, %x) : (tensor<f32>, tensor<f32>) -> ()
  janus.return
}

// -----

janus.graph @f(%x: tensor<f32>, %s: tensor<1xf32>) -> () {
  // expected-error @+1 {{all of {loss, seed} have same type}}
  %0 = "janus.gradient"(%x, %s, %x) : (tensor<f32>, tensor<1xf32>, tensor<f32>) -> tensor<f32>
  janus.return
}
