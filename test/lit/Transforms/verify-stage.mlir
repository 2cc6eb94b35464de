// RUN: janus-opt %s --janus-verify-stage=stage=graph --split-input-file --verify-diagnostics
// RUN: not janus-opt %s --janus-verify-stage=stage=structured --split-input-file 2>&1 | FileCheck %s --check-prefix=STRUCTURED
// RUN: not janus-opt %s --janus-verify-stage=stage=linalg --split-input-file 2>&1 | FileCheck %s --check-prefix=LINALG
// RUN: not janus-opt %s --janus-verify-stage=stage=nonsense 2>&1 | FileCheck %s --check-prefix=NONSENSE

// NONSENSE: unknown stage 'nonsense': expected graph, structured or linalg

// STRUCTURED: 'janus.graph' op structured stage: should be gone
// LINALG: 'janus.graph' op linalg stage: should be gone
janus.graph @good(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = janus.neg %x : tensor<4xf32>
  janus.return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{graph stage: only janus.graph may stand here}}
func.func @function() {
  return
}

// -----

janus.graph @other_dialect(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{graph stage: is no op of a graph}}
  %0 = math.exp %x : tensor<4xf32>
  janus.return
}

// -----

janus.graph @lost_effect(%x: f64) -> () {
  %t0 = janus.start
  // expected-error @+1 {{the effects up to here are lost: this token has no use}}
  %t1 = janus.set_global %t0, %x "a" slot 0 : f64
  janus.return
}

// -----

janus.graph @no_order(%x: f64) -> !janus.token {
  // expected-error @+1 {{effects have no order: this token has more than one use}}
  %t0 = janus.start
  %t1 = janus.set_global %t0, %x "a" slot 0 : f64
  %t2 = janus.set_global %t0, %x "b" slot 1 : f64
  janus.return %t2 : !janus.token
}

// -----

// expected-error @+1 {{graph stage: only janus.graph may stand here}}
func.func private @token(!janus.token)

// -----

// STRUCTURED: 'janus.detach' op structured stage: should be gone
// expected-error @+1 {{graph stage: only janus.graph may stand here}}
func.func @detach(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = janus.detach %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// STRUCTURED: structured stage: has a value of type '!janus.object'
// LINALG: linalg stage: has a value of type '!janus.object'
// expected-error @+1 {{graph stage: only janus.graph may stand here}}
func.func @object(%x: !janus.object) {
  return
}

// -----

// STRUCTURED: structured stage: has a value of type 'tensor<*xf32>'
// LINALG: linalg stage: has a value of type 'tensor<*xf32>'
// expected-error @+1 {{graph stage: only janus.graph may stand here}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}
