// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// The rows are independent, the elements of a row are not: a thread for each row.
// CHECK: gpu.func @janus_loop_0(
// CHECK: scf.if
// CHECK: scf.for %{{.*}} to %c80
// CHECK-NOT: scf.for
// CHECK: func.func @region
// CHECK-NOT: scf.for
// CHECK: gpu.launch_func @janus_device::@janus_loop_0
// CHECK-NOT: scf.for

// PTX: .entry janus_loop_0(
// PTX: ld.global
// PTX: add.rn.f64
// PTX: st.global

func.func @region(%x: tensor<4x80xf32>) -> (i64, tensor<4x80xf32>) {
  %0 = janus.cumsum %x dim 1 : tensor<4x80xf32>
  %ok = arith.constant -1 : i64
  return %ok, %0 : i64, tensor<4x80xf32>
}
