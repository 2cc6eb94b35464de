// RUN: janus-opt %s --janus-number-ops --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: janus-opt %s --janus-number-ops --janus-structurize --janus-autodiff --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=GRADIENT

// The module is 0, the graph 1.
// CHECK: janus.mul {{.*}} loc(fused<2 : i64>["a.py":2:1])
// CHECK: janus.reduce_sum {{.*}} loc(fused<3 : i64>["a.py":3:1])

// What stands for a gradient says so.
// GRADIENT: janus.mul %{{.*}} loc(fused<2 : i64>["a.py":2:1])
// GRADIENT: janus.broadcast %{{.*}} loc("gradient"(fused<3 : i64>["a.py":3:1]))
// GRADIENT: janus.mul %{{.*}} loc("gradient"(fused<2 : i64>["a.py":2:1]))
janus.graph @region(%x: tensor<3xf32>, %seed: tensor<f32>) -> tensor<3xf32> {
  %0 = janus.mul %x, %x : tensor<3xf32> loc("a.py":2:1)
  %1 = janus.reduce_sum %0 dims [0] : tensor<3xf32> -> tensor<f32> loc("a.py":3:1)
  %2 = janus.gradient %1, %seed wrt(%x) : tensor<f32>, (tensor<3xf32>) loc("a.py":4:1)
  janus.return %2 : tensor<3xf32>
}
