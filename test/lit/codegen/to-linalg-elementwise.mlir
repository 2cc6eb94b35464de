// RUN: janus-opt %s --janus-to-linalg | FileCheck %s

// CHECK-LABEL: @relu
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?x4xf32>
// CHECK: tensor.empty(%[[N]]) : tensor<?x4xf32>
// CHECK: linalg.generic {{.*}}"parallel", "parallel"
// CHECK: arith.cmpf olt
// CHECK: arith.cmpf uno
// CHECK: arith.select
func.func @relu(%x: tensor<?x4xf32>, %z: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = janus.maximum %x, %z : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Bools are bytes in memory and bits in bodies.
// CHECK-LABEL: @less
// CHECK-SAME: -> tensor<4xi8>
// CHECK: %[[C:.*]] = arith.cmpf olt
// CHECK: %[[B:.*]] = arith.extui %[[C]] : i1 to i8
// CHECK: linalg.yield %[[B]]
func.func @less(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xi1> {
  %0 = janus.compare lt %a, %b : tensor<4xf32>
  return %0 : tensor<4xi1>
}

// Unsigned elements are signless, compared and divided as unsigned.
// CHECK-LABEL: @unsigned
// CHECK-SAME: (%{{.*}}: tensor<4xi8>
// CHECK: arith.remui
// CHECK: arith.cmpi ult
func.func @unsigned(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xi1> {
  %0 = janus.rem %a, %b : tensor<4xui8>
  %1 = janus.compare lt %0, %b : tensor<4xui8>
  return %1 : tensor<4xi1>
}

// No division traps: zero and -1 are replaced before.
// CHECK-LABEL: @floor_div
// CHECK: %[[ZERO:.*]] = arith.cmpi eq
// CHECK: %[[MINUS:.*]] = arith.cmpi eq
// CHECK: %[[BAD:.*]] = arith.ori %[[ZERO]], %[[MINUS]]
// CHECK: %[[SAFE:.*]] = arith.select %[[BAD]]
// CHECK: arith.divsi %{{.*}}, %[[SAFE]]
func.func @floor_div(%a: tensor<4xi64>, %b: tensor<4xi64>) -> tensor<4xi64> {
  %0 = janus.floor_div %a, %b : tensor<4xi64>
  return %0 : tensor<4xi64>
}

// A float out of range is replaced before it is converted.
// CHECK-LABEL: @cast
// CHECK: %[[SAFE:.*]] = arith.select
// CHECK: arith.fptosi %[[SAFE]] : f32 to i32
// CHECK: arith.trunci {{.*}} : i32 to i8
func.func @cast(%a: tensor<4xf32>) -> tensor<4xi8> {
  %0 = janus.cast %a : tensor<4xf32> -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// Types change through structured control flow as well.
// CHECK-LABEL: @branch
// CHECK: scf.if {{.*}} -> (tensor<4xi8>)
func.func @branch(%p: i1, %a: tensor<4xi1>) -> tensor<4xi1> {
  %0 = scf.if %p -> (tensor<4xi1>) {
    %1 = janus.not %a : tensor<4xi1>
    scf.yield %1 : tensor<4xi1>
  } else {
    scf.yield %a : tensor<4xi1>
  }
  return %0 : tensor<4xi1>
}
