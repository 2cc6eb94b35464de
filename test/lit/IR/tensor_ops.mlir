// RUN: janus-opt %s | janus-opt | FileCheck %s
// RUN: janus-opt %s --mlir-print-op-generic | janus-opt | FileCheck %s

// Every tensor primitive prints what it parsed.

// CHECK-LABEL: janus.graph @unary
janus.graph @unary(%f: tensor<4x?xf32>, %i: tensor<?xi64>, %b: tensor<3xi1>) -> () {
  // CHECK: janus.neg %{{.*}} : tensor<4x?xf32>
  %0 = janus.neg %f : tensor<4x?xf32>
  // CHECK: janus.abs %{{.*}} : tensor<?xi64>
  %1 = janus.abs %i : tensor<?xi64>
  // CHECK: janus.sign %{{.*}} : tensor<4x?xf32>
  %2 = janus.sign %f : tensor<4x?xf32>
  // CHECK: janus.exp %{{.*}} : tensor<4x?xf32>
  %3 = janus.exp %f : tensor<4x?xf32>
  // CHECK: janus.log %{{.*}} : tensor<4x?xf32>
  %4 = janus.log %f : tensor<4x?xf32>
  // CHECK: janus.log1p %{{.*}} : tensor<4x?xf32>
  %5 = janus.log1p %f : tensor<4x?xf32>
  // CHECK: janus.expm1 %{{.*}} : tensor<4x?xf32>
  %6 = janus.expm1 %f : tensor<4x?xf32>
  // CHECK: janus.sqrt %{{.*}} : tensor<4x?xf32>
  %7 = janus.sqrt %f : tensor<4x?xf32>
  // CHECK: janus.rsqrt %{{.*}} : tensor<4x?xf32>
  %8 = janus.rsqrt %f : tensor<4x?xf32>
  // CHECK: janus.tanh %{{.*}} : tensor<4x?xf32>
  %9 = janus.tanh %f : tensor<4x?xf32>
  // CHECK: janus.sin %{{.*}} : tensor<4x?xf32>
  %10 = janus.sin %f : tensor<4x?xf32>
  // CHECK: janus.cos %{{.*}} : tensor<4x?xf32>
  %11 = janus.cos %f : tensor<4x?xf32>
  // CHECK: janus.erf %{{.*}} : tensor<4x?xf32>
  %12 = janus.erf %f : tensor<4x?xf32>
  // CHECK: janus.floor %{{.*}} : tensor<4x?xf32>
  %13 = janus.floor %f : tensor<4x?xf32>
  // CHECK: janus.ceil %{{.*}} : tensor<4x?xf32>
  %14 = janus.ceil %f : tensor<4x?xf32>
  // CHECK: janus.round %{{.*}} : tensor<4x?xf32>
  %15 = janus.round %f : tensor<4x?xf32>
  // CHECK: janus.not %{{.*}} : tensor<3xi1>
  %16 = janus.not %b : tensor<3xi1>
  // CHECK: janus.detach %{{.*}} : tensor<4x?xf32>
  %17 = janus.detach %f : tensor<4x?xf32>
  // CHECK: janus.cast %{{.*}} : tensor<?xi64> -> tensor<?xf64>
  %18 = janus.cast %i : tensor<?xi64> -> tensor<?xf64>
  // CHECK: janus.sigmoid %{{.*}} : tensor<4x?xf32>
  %20 = janus.sigmoid %f : tensor<4x?xf32>
  // CHECK: janus.with_slope %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x?xf32>
  %19 = janus.with_slope %17, %f, %f : tensor<4x?xf32>
  janus.return
}

// CHECK-LABEL: janus.graph @binary
janus.graph @binary(%f: tensor<4x?xf32>, %i: tensor<?xi64>, %b: tensor<3xi1>, %u: tensor<2xui8>)
    -> () {
  // CHECK: janus.add %{{.*}}, %{{.*}} : tensor<4x?xf32>
  %0 = janus.add %f, %f : tensor<4x?xf32>
  // CHECK: janus.sub %{{.*}}, %{{.*}} : tensor<2xui8>
  %1 = janus.sub %u, %u : tensor<2xui8>
  // CHECK: janus.mul %{{.*}}, %{{.*}} : tensor<4x?xf32>
  %2 = janus.mul %f, %f : tensor<4x?xf32>
  // CHECK: janus.div %{{.*}}, %{{.*}} : tensor<4x?xf32>
  %3 = janus.div %f, %f : tensor<4x?xf32>
  // CHECK: janus.floor_div %{{.*}}, %{{.*}} : tensor<?xi64>
  %4 = janus.floor_div %i, %i : tensor<?xi64>
  // CHECK: janus.rem %{{.*}}, %{{.*}} : tensor<?xi64>
  %5 = janus.rem %i, %i : tensor<?xi64>
  // CHECK: janus.pow %{{.*}}, %{{.*}} : tensor<4x?xf32>
  %6 = janus.pow %f, %f : tensor<4x?xf32>
  // CHECK: janus.maximum %{{.*}}, %{{.*}} : tensor<4x?xf32>
  %7 = janus.maximum %f, %f : tensor<4x?xf32>
  // CHECK: janus.minimum %{{.*}}, %{{.*}} : tensor<4x?xf32>
  %8 = janus.minimum %f, %f : tensor<4x?xf32>
  // CHECK: janus.and %{{.*}}, %{{.*}} : tensor<3xi1>
  %9 = janus.and %b, %b : tensor<3xi1>
  // CHECK: janus.or %{{.*}}, %{{.*}} : tensor<?xi64>
  %10 = janus.or %i, %i : tensor<?xi64>
  // CHECK: janus.xor %{{.*}}, %{{.*}} : tensor<3xi1>
  %11 = janus.xor %b, %b : tensor<3xi1>
  // CHECK: janus.shl %{{.*}}, %{{.*}} : tensor<?xi64>
  %12 = janus.shl %i, %i : tensor<?xi64>
  // CHECK: janus.shr %{{.*}}, %{{.*}} : tensor<?xi64>
  %13 = janus.shr %i, %i : tensor<?xi64>
  // CHECK: janus.compare lt %{{.*}}, %{{.*}} : tensor<4x?xf32>
  %14 = janus.compare lt %f, %f : tensor<4x?xf32>
  // CHECK: janus.compare eq %{{.*}}, %{{.*}} : tensor<3xi1>
  %15 = janus.compare eq %b, %b : tensor<3xi1>
  // CHECK: janus.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x?xf32>
  %16 = janus.select %14, %f, %2 : tensor<4x?xf32>
  janus.return
}

// CHECK-LABEL: janus.graph @creation
janus.graph @creation(%x: tensor<?x4xf32>, %s: f64, %one: tensor<1x1xf32>) -> () {
  // CHECK: janus.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0 = janus.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: %[[N:.*]] = janus.dim %{{.*}}, 0 : tensor<?x4xf32>
  %n = janus.dim %x, 0 : tensor<?x4xf32>
  // CHECK: janus.full %{{.*}} sizes(%[[N]]) : f64 -> tensor<?x2xf32>
  %1 = janus.full %s sizes(%n) : f64 -> tensor<?x2xf32>
  // CHECK: janus.full %{{.*}} : f64 -> tensor<2xi32>
  %2 = janus.full %s : f64 -> tensor<2xi32>
  // CHECK: janus.iota dim 1 sizes(%[[N]]) : tensor<4x?xi64>
  %3 = janus.iota dim 1 sizes(%n) : tensor<4x?xi64>
  // CHECK: janus.item %{{.*}} : tensor<1x1xf32> -> f64
  %4 = janus.item %one : tensor<1x1xf32> -> f64
  janus.return
}

// CHECK-LABEL: janus.graph @shape
janus.graph @shape(%x: tensor<?x4xf32>, %v: tensor<4xf32>) -> () {
  // CHECK: %[[N:.*]] = janus.dim
  %n = janus.dim %x, 0 : tensor<?x4xf32>
  // CHECK: janus.broadcast %{{.*}} dims [1] sizes(%[[N]]) : tensor<4xf32> -> tensor<?x4xf32>
  %0 = janus.broadcast %v dims [1] sizes(%n) : tensor<4xf32> -> tensor<?x4xf32>
  // CHECK: janus.reshape %{{.*}} sizes(%[[N]]) : tensor<?x4xf32> -> tensor<?x2x2xf32>
  %1 = janus.reshape %x sizes(%n) : tensor<?x4xf32> -> tensor<?x2x2xf32>
  // CHECK: janus.permute %{{.*}} dims [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  %2 = janus.permute %x dims [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  // CHECK: janus.slice %{{.*}}[%[[N]], 1] sizes(%[[N]]) strides [1, 2] : tensor<?x4xf32> -> tensor<?x2xf32>
  %3 = janus.slice %x[%n, 1] sizes(%n) strides [1, 2] : tensor<?x4xf32> -> tensor<?x2xf32>
  // CHECK: janus.slice %{{.*}}[0, 1] strides [1, 1] : tensor<?x4xf32> -> tensor<3x2xf32>
  %4 = janus.slice %x[0, 1] strides [1, 1] : tensor<?x4xf32> -> tensor<3x2xf32>
  // CHECK: janus.unslice %{{.*}}[%[[N]], 1] sizes(%[[N]]) strides [1, 2] : tensor<?x2xf32> -> tensor<?x4xf32>
  %5 = janus.unslice %3[%n, 1] sizes(%n) strides [1, 2] : tensor<?x2xf32> -> tensor<?x4xf32>
  // CHECK: janus.update_slice %{{.*}}, %{{.*}}[%[[N]], 1] strides [1, 2] : tensor<?x4xf32>, tensor<?x2xf32>
  %8 = janus.update_slice %x, %3[%n, 1] strides [1, 2] : tensor<?x4xf32>, tensor<?x2xf32>
  // CHECK: janus.fill_slice %{{.*}}, %{{.*}}[%[[N]], 1] strides [1, 2] : tensor<?x4xf32>, tensor<?x2xf32>
  %9 = janus.fill_slice %x, %3[%n, 1] strides [1, 2] : tensor<?x4xf32>, tensor<?x2xf32>
  // CHECK: janus.concat %{{.*}}, %{{.*}} dim 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %6 = janus.concat %x, %0 dim 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK: janus.reverse %{{.*}} dims [0, 1] : tensor<?x4xf32>
  %7 = janus.reverse %x dims [0, 1] : tensor<?x4xf32>
  janus.return
}

// CHECK-LABEL: janus.graph @reduction
janus.graph @reduction(%x: tensor<?x4xf32>, %b: tensor<2x3xi1>) -> () {
  // CHECK: janus.reduce_sum %{{.*}} dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %0 = janus.reduce_sum %x dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  // CHECK: janus.reduce_prod %{{.*}} dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  %1 = janus.reduce_prod %x dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  // CHECK: janus.reduce_max %{{.*}} dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %2 = janus.reduce_max %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  // CHECK: janus.reduce_min %{{.*}} dims [0] : tensor<2x3xi1> -> tensor<3xi1>
  %3 = janus.reduce_min %b dims [0] : tensor<2x3xi1> -> tensor<3xi1>
  // CHECK: janus.argmax %{{.*}} dim 1 : tensor<?x4xf32> -> tensor<?xi64>
  %4 = janus.argmax %x dim 1 : tensor<?x4xf32> -> tensor<?xi64>
  // CHECK: janus.argmin %{{.*}} dim 0 : tensor<?x4xf32> -> tensor<4xi64>
  %5 = janus.argmin %x dim 0 : tensor<?x4xf32> -> tensor<4xi64>
  // CHECK: janus.cumsum %{{.*}} dim 0 : tensor<?x4xf32>
  %6 = janus.cumsum %x dim 0 : tensor<?x4xf32>
  janus.return
}

// CHECK-LABEL: janus.graph @products
janus.graph @products(%x: tensor<?x4xf32>, %w: tensor<4x8xf32>, %t: tensor<100x8xf32>,
                      %i: tensor<?x1xi64>, %j: tensor<?x5xi64>) -> () {
  // CHECK: janus.dot %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  %0 = janus.dot %x, %w : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  // CHECK: janus.gather %{{.*}}, %{{.*}} dim 1 : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x1xf32>
  %1 = janus.gather %x, %i dim 1 : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x1xf32>
  // CHECK: janus.scatter_add %{{.*}}, %{{.*}}, %{{.*}} dim 1 : (tensor<?x4xf32>, tensor<?x1xi64>, tensor<?x1xf32>) -> tensor<?x4xf32>
  %2 = janus.scatter_add %x, %i, %1 dim 1
     : (tensor<?x4xf32>, tensor<?x1xi64>, tensor<?x1xf32>) -> tensor<?x4xf32>
  // CHECK: janus.take %{{.*}}, %{{.*}} dim 0 : (tensor<100x8xf32>, tensor<?x5xi64>) -> tensor<?x5x8xf32>
  %3 = janus.take %t, %j dim 0 : (tensor<100x8xf32>, tensor<?x5xi64>) -> tensor<?x5x8xf32>
  // CHECK: janus.take_add %{{.*}}, %{{.*}}, %{{.*}} dim 0 : (tensor<100x8xf32>, tensor<?x5xi64>, tensor<?x5x8xf32>) -> tensor<100x8xf32>
  %4 = janus.take_add %t, %j, %3 dim 0
     : (tensor<100x8xf32>, tensor<?x5xi64>, tensor<?x5x8xf32>) -> tensor<100x8xf32>
  janus.return
}

// CHECK-LABEL: janus.graph @convolutions
janus.graph @convolutions(%x: tensor<?x4x9xf32>, %w: tensor<6x2x3xf32>, %n: index) -> () {
  // CHECK: %[[Y:.*]] = janus.conv %{{.*}}, %{{.*}} strides [2] padding [1] dilation [1] groups 2 sizes(%{{.*}}) : tensor<?x4x9xf32>, tensor<6x2x3xf32> -> tensor<?x6x5xf32>
  %0 = janus.conv %x, %w strides [2] padding [1] dilation [1] groups 2 sizes(%n)
     : tensor<?x4x9xf32>, tensor<6x2x3xf32> -> tensor<?x6x5xf32>
  // CHECK: janus.conv_image %[[Y]], %{{.*}} strides [2] padding [1] dilation [1] groups 2 sizes(%{{.*}}) : tensor<?x6x5xf32>, tensor<6x2x3xf32> -> tensor<?x4x9xf32>
  %1 = janus.conv_image %0, %w strides [2] padding [1] dilation [1] groups 2 sizes(%n)
     : tensor<?x6x5xf32>, tensor<6x2x3xf32> -> tensor<?x4x9xf32>
  // CHECK: janus.conv_filters %{{.*}}, %[[Y]] strides [2] padding [1] dilation [1] groups 2 : tensor<?x4x9xf32>, tensor<?x6x5xf32> -> tensor<6x2x3xf32>
  %2 = janus.conv_filters %x, %0 strides [2] padding [1] dilation [1] groups 2
     : tensor<?x4x9xf32>, tensor<?x6x5xf32> -> tensor<6x2x3xf32>
  // CHECK: janus.pool_argmax %{{.*}} kernel [2] strides [2] padding [0] dilation [1] sizes(%{{.*}}) : tensor<?x4x9xf32> -> tensor<?x4x4xi64>
  %3 = janus.pool_argmax %x kernel [2] strides [2] padding [0] dilation [1] sizes(%n)
     : tensor<?x4x9xf32> -> tensor<?x4x4xi64>
  janus.return
}
