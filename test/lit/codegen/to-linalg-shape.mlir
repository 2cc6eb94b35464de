// RUN: janus-opt %s --janus-to-linalg | FileCheck %s

// CHECK-DAG: #[[STRETCH:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[TURN:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[DROP:.*]] = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @broadcast
// CHECK: linalg.generic {indexing_maps = [#[[STRETCH]],
func.func @broadcast(%x: tensor<?x1xf32>, %n: index) -> tensor<?x8xf32> {
  %0 = janus.broadcast %x dims [0, 1] sizes(%n) : tensor<?x1xf32> -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: @permute
// CHECK: linalg.generic {indexing_maps = [#[[TURN]],
func.func @permute(%x: tensor<4x?xf32>) -> tensor<?x4xf32> {
  %0 = janus.permute %x dims [1, 0] : tensor<4x?xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// A reshape that only adds an extent of one is a loop, which fuses.
// CHECK-LABEL: @keepdim
// CHECK: linalg.generic {indexing_maps = [#[[DROP]],
func.func @keepdim(%x: tensor<8xf32>) -> tensor<8x1xf32> {
  %0 = janus.reshape %x : tensor<8xf32> -> tensor<8x1xf32>
  return %0 : tensor<8x1xf32>
}

// Others are views.
// CHECK-LABEL: @flatten
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2]] : tensor<?x2x2xf32> into tensor<?xf32>
// CHECK: tensor.expand_shape {{.*}} output_shape [%{{.*}}, 4] : tensor<?xf32> into tensor<?x4xf32>
func.func @flatten(%x: tensor<?x2x2xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = janus.reshape %x sizes(%n) : tensor<?x2x2xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// A dynamic start is moved into range.
// CHECK-LABEL: @slice
// CHECK: %[[LOW:.*]] = arith.minsi
// CHECK: %[[START:.*]] = arith.maxsi %[[LOW]]
// CHECK: tensor.extract_slice %{{.*}}[%[[START]], 2] [4, 3] [1, 2]
func.func @slice(%x: tensor<?x8xf32>, %i: index) -> tensor<4x3xf32> {
  %0 = janus.slice %x[%i, 2] strides [1, 2] : tensor<?x8xf32> -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: @unslice
// CHECK: linalg.fill
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1] [3] [2]
func.func @unslice(%g: tensor<3xf32>) -> tensor<8xf32> {
  %0 = janus.unslice %g[1] strides [2] : tensor<3xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A part is cut off to what is there: an assert that it fits may have failed.
// CHECK-LABEL: @update_slice
// CHECK: %[[SIZE:.*]] = arith.minsi
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg1[0, 0] [%[[SIZE]], 3] [1, 1]
// CHECK: %[[LOW:.*]] = arith.minsi %arg2
// CHECK: %[[AT:.*]] = arith.maxsi %[[LOW]]
// CHECK: tensor.insert_slice %[[PART]] into %arg0[%[[AT]], 1] [%[[SIZE]], 3] [1, 2]
func.func @update_slice(%x: tensor<?x8xf32>, %v: tensor<1x3xf32>, %i: index) -> tensor<?x8xf32> {
  %0 = janus.update_slice %x, %v[%i, 1] strides [1, 2] : tensor<?x8xf32>, tensor<1x3xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: @concat
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0] [4] [1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[4] [%{{.*}}] [1]
func.func @concat(%a: tensor<4xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = janus.concat %a, %b dim 0 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Single elements: no chain of inserts, which bufferization looks at in pairs.
// CHECK-LABEL: @concat_elements
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[A:.*]] = tensor.extract
// CHECK: %[[B:.*]] = tensor.extract
// CHECK: tensor.from_elements %[[A]], %[[B]] : tensor<2xf32>
func.func @concat_elements(%a: tensor<1xf32>, %b: tensor<1xf32>) -> tensor<2xf32> {
  %0 = janus.concat %a, %b dim 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @reverse
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = arith.subi %{{.*}}, %[[I]]
// CHECK: tensor.extract %{{.*}}[%[[J]]]
func.func @reverse(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = janus.reverse %x dims [0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @full
// CHECK: %[[S:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK: linalg.yield %[[S]]
func.func @full(%s: f64, %n: index) -> tensor<?x4xf32> {
  %0 = janus.full %s sizes(%n) : f64 -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: @constants
// CHECK: arith.constant dense<[1, 0, 1]> : tensor<3xi8>
func.func @constants() -> tensor<3xi1> {
  %0 = janus.constant dense<[true, false, true]> : tensor<3xi1>
  return %0 : tensor<3xi1>
}

// CHECK-LABEL: @item
// CHECK: tensor.extract
// CHECK: arith.extf
func.func @item(%x: tensor<1x1xf32>) -> f64 {
  %0 = janus.item %x : tensor<1x1xf32> -> f64
  return %0 : f64
}
