// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// All updates of a parameter are one kernel: each element is read once and written once.
// CHECK: gpu.launch_func @janus_device::@janus_kernel_0 blocks in (%c5
// CHECK: gpu.launch_func @janus_device::@janus_kernel_1 blocks in (%c1
// CHECK-NOT: gpu.launch_func

// PTX: .entry janus_kernel_0(
// PTX-COUNT-4: ld.global
// PTX: sub.rn.f32
// PTX-COUNT-2: st.global
// PTX: .entry janus_kernel_1(

func.func @region(%p: tensor<40x30xf32>, %g: tensor<40x30xf32>, %m: tensor<40x30xf32>, %q: tensor<30xf32>, %h: tensor<30xf32>, %n: tensor<30xf32>, %rate: f64) -> (i64, tensor<40x30xf32>, tensor<40x30xf32>, tensor<30xf32>, tensor<30xf32>) {
  %r32 = arith.truncf %rate : f64 to f32
  %r = tensor.from_elements %r32 : tensor<f32>
  %big = janus.broadcast %r dims [] : tensor<f32> -> tensor<40x30xf32>
  %small = janus.broadcast %r dims [] : tensor<f32> -> tensor<30xf32>
  %0 = janus.mul %m, %big : tensor<40x30xf32>
  %1 = janus.add %0, %g : tensor<40x30xf32>
  %2 = janus.mul %1, %big : tensor<40x30xf32>
  %3 = janus.sub %p, %2 : tensor<40x30xf32>
  %4 = janus.mul %n, %small : tensor<30xf32>
  %5 = janus.add %4, %h : tensor<30xf32>
  %6 = janus.mul %5, %small : tensor<30xf32>
  %7 = janus.sub %q, %6 : tensor<30xf32>
  %ok = arith.constant -1 : i64
  return %ok, %1, %3, %5, %7 : i64, tensor<40x30xf32>, tensor<40x30xf32>, tensor<30xf32>, tensor<30xf32>
}
