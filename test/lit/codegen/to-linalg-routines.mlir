// RUN: janus-opt %s --janus-to-linalg | FileCheck %s

// CHECK-LABEL: @conv
// CHECK: %[[INIT:.*]] = tensor.empty(%{{.*}}) : tensor<?x6x5xf32>
// CHECK: janus.routine "janus_rt_conv" [0, 0, 1, 2, 1, 1, 2] ins(%arg0, %arg1 : tensor<?x4x9xf32>, tensor<6x2x3xf32>) outs(%[[INIT]] : tensor<?x6x5xf32>) -> tensor<?x6x5xf32>
func.func @conv(%x: tensor<?x4x9xf32>, %w: tensor<6x2x3xf32>, %n: index) -> tensor<?x6x5xf32> {
  %0 = janus.conv %x, %w strides [2] padding [1] dilation [1] groups 2 sizes(%n)
     : tensor<?x4x9xf32>, tensor<6x2x3xf32> -> tensor<?x6x5xf32>
  return %0 : tensor<?x6x5xf32>
}

// The first word tells the three apart.
// CHECK-LABEL: @gradients
// CHECK: janus.routine "janus_rt_conv" [1, 1, 1, 2, 1, 1, 2]
// CHECK: janus.routine "janus_rt_conv" [2, 1, 1, 2, 1, 1, 2]
func.func @gradients(%x: tensor<2x4x9xf64>, %w: tensor<6x2x3xf64>, %g: tensor<2x6x5xf64>)
    -> (tensor<2x4x9xf64>, tensor<6x2x3xf64>) {
  %0 = janus.conv_image %g, %w strides [2] padding [1] dilation [1] groups 2
     : tensor<2x6x5xf64>, tensor<6x2x3xf64> -> tensor<2x4x9xf64>
  %1 = janus.conv_filters %x, %g strides [2] padding [1] dilation [1] groups 2
     : tensor<2x4x9xf64>, tensor<2x6x5xf64> -> tensor<6x2x3xf64>
  return %0, %1 : tensor<2x4x9xf64>, tensor<6x2x3xf64>
}

// Unsigned bytes are signless in memory; the routine is told which they are.
// CHECK-LABEL: @pool
// CHECK: janus.routine "janus_rt_pool_argmax" [6, 1, 2, 2, 0, 1] ins(%arg0 : tensor<2x4x9xi8>)
func.func @pool(%x: tensor<2x4x9xui8>) -> tensor<2x4x4xi64> {
  %0 = janus.pool_argmax %x kernel [2] strides [2] padding [0] dilation [1]
     : tensor<2x4x9xui8> -> tensor<2x4x4xi64>
  return %0 : tensor<2x4x4xi64>
}

// CHECK-LABEL: @field
// CHECK: %[[IN:.*]] = tensor.from_elements %arg0, %arg1, %{{.*}} : tensor<3xi64>
// CHECK: %[[OUT:.*]] = janus.routine "janus_rt_field" [3] ins(%[[IN]] : tensor<3xi64>) outs(%{{.*}} : tensor<2xi64>)
// CHECK: %[[WORD:.*]] = tensor.extract %[[OUT]][%c1
// CHECK: %[[ITEM:.*]] = tensor.from_elements %arg0, %{{.*}}, %[[WORD]] : tensor<3xi64>
// CHECK: janus.routine "janus_rt_field" [4] ins(%[[ITEM]] : tensor<3xi64>)
func.func @field(%table: i64, %object: i64) -> (i64, i64) {
  %kind, %word = janus.field 3 "len" of %object in %table
  %item:2 = janus.field 4 "[]" at %word of %object in %table
  return %kind, %item#1 : i64, i64
}

// The element type's number, the rank and the extents come first.
// CHECK-LABEL: @tensor_at
// CHECK: %[[IN:.*]] = tensor.from_elements %arg0, %arg1 : tensor<2xi64>
// CHECK: %[[IS:.*]] = janus.routine "janus_rt_is_tensor" [1, 2, 2, 3] ins(%[[IN]] : tensor<2xi64>) outs(%{{.*}} : tensor<1xi64>)
// CHECK: %[[WORD:.*]] = tensor.extract %[[IS]]
// CHECK: arith.cmpi ne, %[[WORD]]
// CHECK: janus.routine "janus_rt_tensor_at" [1, 2, 2, 3] ins(%[[IN]] : tensor<2xi64>) outs(%{{.*}} : tensor<2x3xf64>)
func.func @tensor_at(%table: i64, %object: i64) -> (tensor<2x3xf64>, i1) {
  %value, %found = janus.tensor_at %object in %table : tensor<2x3xf64>
  return %value, %found : tensor<2x3xf64>, i1
}

// The ranks and the bytes of elements come first; i1 takes a byte.
// CHECK-LABEL: @records
// CHECK: %[[R:.*]] = janus.routine "janus_rt_keep" [2, 2, 4, 1, 1] ins(%arg0, %arg1 : tensor<?x4xf32>, tensor<3xi8>) outs(%{{.*}} : tensor<1xi64>)
// CHECK: %[[INIT:.*]] = tensor.empty(%arg2) : tensor<?x4xf32>
// CHECK: janus.routine "janus_rt_recall" [0, 2, 4] ins(%[[R]] : tensor<1xi64>) outs(%[[INIT]] : tensor<?x4xf32>)
// CHECK: janus.routine "janus_rt_recall" [1, 1, 1] ins(%[[R]] : tensor<1xi64>) outs(%{{.*}} : tensor<3xi8>)
func.func @records(%x: tensor<?x4xf32>, %y: tensor<3xi1>, %n: index) -> (tensor<?x4xf32>, tensor<3xi1>) {
  %r = janus.keep %x, %y : tensor<?x4xf32>, tensor<3xi1>
  %a = janus.recall %r[0] sizes(%n) : tensor<?x4xf32>
  %b = janus.recall %r[1] : tensor<3xi1>
  return %a, %b : tensor<?x4xf32>, tensor<3xi1>
}

// A draw is noted with its extents first, and then made.
// CHECK-LABEL: @draw
// CHECK: %[[ROWS:.*]] = arith.index_cast %arg4 : index to i64
// CHECK: %[[NOTED:.*]] = tensor.from_elements %arg1, %arg0, %arg2, %arg3, %[[ROWS]], %{{.*}} : tensor<6xi64>
// CHECK: %[[ONE:.*]] = janus.routine "janus_rt_advance" [2, 2, 0] ins(%[[NOTED]] : tensor<6xi64>) outs(%{{.*}} : tensor<1xi64>)
// CHECK: %[[NEXT:.*]] = tensor.extract %[[ONE]]
// CHECK: %[[ASKED:.*]] = tensor.from_elements %arg1, %[[NEXT]], %arg2, %arg3 : tensor<4xi64>
// CHECK: janus.routine "janus_rt_draw" [2, 2, 4] ins(%[[ASKED]] : tensor<4xi64>) outs(%{{.*}} : tensor<?x3xf32>)
// CHECK: return %{{.*}}, %[[NEXT]]
func.func @draw(%position: i64, %source: i64, %low: i64, %high: i64, %n: index) -> (tensor<?x3xf32>, i64) {
  %x, %next = janus.draw 2 "Uniform(0, 1)" at %position of %source in [%low, %high) sizes(%n)
            : tensor<?x3xf32>
  return %x, %next : tensor<?x3xf32>, i64
}

// The parameters' rank and extents follow those of the result.
// CHECK-LABEL: @draw_from
// CHECK: %[[NOTED:.*]] = tensor.from_elements %arg2, %arg1, {{.*}} : tensor<8xi64>
// CHECK: janus.routine "janus_rt_advance" [1, 2, 2] ins(%[[NOTED]] : tensor<8xi64>)
// CHECK: janus.routine "janus_rt_draw_from" [1, 2, 8, 2, 4] ins(%{{.*}}, %arg0 : tensor<4xi64>, tensor<3x5xf32>) outs(%{{.*}} : tensor<3x1xi64>)
func.func @draw_from(%p: tensor<3x5xf32>, %position: i64, %source: i64) -> (tensor<3x1xi64>, i64) {
  %x, %next = janus.draw_from 1 "Multinomial" %p at %position of %source
            : tensor<3x5xf32> -> tensor<3x1xi64>
  return %x, %next : tensor<3x1xi64>, i64
}

// CHECK-LABEL: @argsort
// CHECK: %[[ROWS:.*]] = tensor.dim %arg0
// CHECK: %[[INIT:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x5xi64>
// CHECK: janus.routine "janus_rt_argsort" [0, 2, 1, 1, 0, 0] ins(%arg0 : tensor<?x5xf32>) outs(%[[INIT]] : tensor<?x5xi64>)
func.func @argsort(%x: tensor<?x5xf32>) -> tensor<?x5xi64> {
  %0 = janus.argsort %x dim 1 true : tensor<?x5xf32> -> tensor<?x5xi64>
  return %0 : tensor<?x5xi64>
}
