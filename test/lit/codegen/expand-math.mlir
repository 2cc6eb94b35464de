// RUN: janus-opt %s --janus-expand-math | FileCheck %s

// f64 calls what the eager kernels call.
// CHECK: func.func private @janus_tanh_f64(f64) -> f64

// CHECK-LABEL: @exp
// CHECK-NOT: math.exp
// CHECK: math.roundeven
// CHECK: arith.fptosi {{.*}} : f32 to i32
// CHECK: arith.bitcast
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// CHECK-LABEL: @tanh
// CHECK: call @janus_tanh_f64
func.func @tanh(%x: f64) -> f64 {
  %0 = math.tanh %x : f64
  return %0 : f64
}

// Correctly rounded functions stay.
// CHECK-LABEL: @sqrt
// CHECK: math.sqrt
func.func @sqrt(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  return %0 : f32
}
