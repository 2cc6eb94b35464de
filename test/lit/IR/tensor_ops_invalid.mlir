// RUN: janus-opt %s --split-input-file --verify-diagnostics

janus.graph @f(%x: tensor<4xi1>) -> () {
  // expected-error @+1 {{'janus.neg' op operand #0 must be ranked tensor of}}
  %0 = janus.neg %x : tensor<4xi1>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xi64>) -> () {
  // expected-error @+1 {{'janus.exp' op operand #0 must be ranked tensor of}}
  %0 = janus.exp %x : tensor<4xi64>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>, %y: tensor<?xf32>) -> () {
  // expected-error @+1 {{failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "janus.add"(%x, %y) : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{result is a bool tensor of the operands' shape}}
  %0 = "janus.compare"(%x, %x) <{predicate = 0 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{Invalid attribute `predicate` in property conversion: 17}}
  %0 = "janus.compare"(%x, %x) <{predicate = 17 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  janus.return
}

// -----

janus.graph @f(%c: tensor<3xi1>, %x: tensor<4xf32>) -> () {
  // expected-error @+1 {{condition is a bool tensor of the result's shape}}
  %0 = "janus.select"(%c, %x, %x) : (tensor<3xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape}}
  %0 = janus.cast %x : tensor<4xf32> -> tensor<5xi64>
  janus.return
}

// -----

janus.graph @f(%s: f64) -> () {
  // expected-error @+1 {{needs one size per dynamic dimension of its result: 1, not 0}}
  %0 = janus.full %s : f64 -> tensor<?x4xf32>
  janus.return
}

// -----

janus.graph @f() -> () {
  // expected-error @+1 {{dimension 2 is out of range for rank 2}}
  %0 = janus.iota dim 2 : tensor<3x4xi64>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{dimension 1 is out of range for rank 1}}
  %0 = janus.dim %x, 1 : tensor<4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{attribute 'dim' failed to satisfy constraint}}
  %0 = "janus.dim"(%x) <{dim = -1 : i64}> : (tensor<4xf32>) -> index
  janus.return
}

// -----

janus.graph @f(%x: tensor<2xf32>) -> () {
  // expected-error @+1 {{needs a tensor of one element, not 'tensor<2xf32>'}}
  %0 = janus.item %x : tensor<2xf32> -> f64
  janus.return
}

// -----

janus.graph @f(%x: tensor<1xf32>) -> () {
  // expected-error @+1 {{an element of type 'f32' is no Python scalar of type 'i64'}}
  %0 = janus.item %x : tensor<1xf32> -> i64
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{needs one dim per dimension of its operand: 1, not 2}}
  %0 = janus.broadcast %x dims [0, 1] : tensor<4xf32> -> tensor<4x4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4x1xf32>) -> () {
  // expected-error @+1 {{dims must increase}}
  %0 = janus.broadcast %x dims [1, 0] : tensor<4x1xf32> -> tensor<4x4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{cannot stretch dimension 0 of extent 4 to 5}}
  %0 = janus.broadcast %x dims [0] : tensor<4xf32> -> tensor<5xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{turns elements of type 'f32' into 'f64'}}
  %0 = janus.broadcast %x dims [0] : tensor<4xf32> -> tensor<4xf64>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{turns 4 elements into 6}}
  %0 = janus.reshape %x : tensor<4xf32> -> tensor<2x3xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4x5xf32>) -> () {
  // expected-error @+1 {{dims are no permutation of the operand's dimensions}}
  %0 = janus.permute %x dims [0, 0] : tensor<4x5xf32> -> tensor<4x4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4x5xf32>) -> () {
  // expected-error @+1 {{result has shape [4, 5], expected [5, 4]}}
  %0 = janus.permute %x dims [1, 0] : tensor<4x5xf32> -> tensor<4x5xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{reaches past extent 4 in dimension 0}}
  %0 = janus.slice %x[2] strides [1] : tensor<4xf32> -> tensor<3xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{stride 0 is not positive}}
  %0 = janus.slice %x[0] strides [0] : tensor<4xf32> -> tensor<1xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{start -1 is negative}}
  %0 = janus.slice %x[-1] strides [1] : tensor<4xf32> -> tensor<1xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4x4xf32>) -> () {
  // expected-error @+1 {{needs one start and one stride per dimension: 2}}
  %0 = janus.slice %x[0] strides [1] : tensor<4x4xf32> -> tensor<1x1xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>) -> () {
  // expected-error @+1 {{needs one operand per dynamic start: 1, not 0}}
  %0 = "janus.slice"(%x) <{static_starts = array<i64: -9223372036854775808>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3xf32>) -> () {
  // expected-error @+1 {{reaches past extent 4 in dimension 0}}
  %0 = janus.unslice %x[2] strides [1] : tensor<3xf32> -> tensor<4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>, %v: tensor<3xf32>) -> () {
  // expected-error @+1 {{reaches past extent 4 in dimension 0}}
  %0 = janus.update_slice %x, %v[2] strides [1] : tensor<4xf32>, tensor<3xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4x4xf32>, %v: tensor<3xf32>) -> () {
  // expected-error @+1 {{whole and part have ranks 2 and 1}}
  %0 = janus.update_slice %x, %v[0, 0] strides [1, 1] : tensor<4x4xf32>, tensor<3xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<?xf32>, %v: tensor<3xf32>, %n: index) -> () {
  // expected-error @+1 {{takes starts, no sizes}}
  %0 = janus.update_slice %x, %v[0] sizes(%n) strides [1] : tensor<?xf32>, tensor<3xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<4xf32>, %v: tensor<3xf32>) -> () {
  // expected-error @+1 {{reaches past extent 4 in dimension 0}}
  %0 = janus.fill_slice %x, %v[2] strides [1] : tensor<4xf32>, tensor<3xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>, %y: tensor<3x5xf32>) -> () {
  // expected-error @+1 {{operands differ in dimension 1: 4 and 5}}
  %0 = janus.concat %x, %y dim 0 : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<6x4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3xf32>) -> () {
  // expected-error @+1 {{result has shape [5], expected [6]}}
  %0 = janus.concat %x, %x dim 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<5xf32>
  janus.return
}

// -----

janus.graph @f() -> () {
  // expected-error @+1 {{needs an operand}}
  %0 = "janus.concat"() <{dim = 0 : i64}> : () -> tensor<5xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3xf32>) -> () {
  // expected-error @+1 {{dimension 1 is out of range for rank 1}}
  %0 = janus.reverse %x dims [1] : tensor<3xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>) -> () {
  // expected-error @+1 {{result has shape [4], expected [3]}}
  %0 = janus.reduce_sum %x dims [1] : tensor<3x4xf32> -> tensor<4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>) -> () {
  // expected-error @+1 {{dims must increase}}
  %0 = janus.reduce_max %x dims [1, 0] : tensor<3x4xf32> -> tensor<f32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>) -> () {
  // expected-error @+1 {{result has shape [3, 4], expected [4]}}
  %0 = janus.argmax %x dim 0 : tensor<3x4xf32> -> tensor<3x4xi64>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3xf32>) -> () {
  // expected-error @+1 {{dimension 1 is out of range for rank 1}}
  %0 = janus.cumsum %x dim 1 : tensor<3xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>, %y: tensor<5x6xf32>) -> () {
  // expected-error @+1 {{contracts extents 4 and 5}}
  %0 = janus.dot %x, %y : (tensor<3x4xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<2x3x4xf32>, %y: tensor<3x4x6xf32>) -> () {
  // expected-error @+1 {{batch dimension 0 has extents 2 and 3}}
  %0 = janus.dot %x, %y : (tensor<2x3x4xf32>, tensor<3x4x6xf32>) -> tensor<2x3x6xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3xf32>) -> () {
  // expected-error @+1 {{needs two operands of one rank of at least 2, not 1 and 1}}
  %0 = janus.dot %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>, %i: tensor<3xi64>) -> () {
  // expected-error @+1 {{indices have rank 1, expected 2}}
  %0 = janus.gather %x, %i dim 0 : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<3xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>, %i: tensor<7x1xi64>) -> () {
  // expected-error @+1 {{indices have extent 7 in dimension 0, past 3}}
  %0 = janus.gather %x, %i dim 1 : (tensor<3x4xf32>, tensor<7x1xi64>) -> tensor<7x1xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi64>, %g: tensor<3x2xf32>) -> () {
  // expected-error @+1 {{indices and updates differ in dimension 1: 1 and 2}}
  %0 = janus.scatter_add %x, %i, %g dim 1
     : (tensor<3x4xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> tensor<3x4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>, %i: tensor<7xi64>) -> () {
  // expected-error @+1 {{result has shape [3, 4], expected [7, 4]}}
  %0 = janus.take %x, %i dim 0 : (tensor<3x4xf32>, tensor<7xi64>) -> tensor<3x4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<3x4xf32>, %i: tensor<7xi64>) -> () {
  // expected-error @+1 {{slices and updates differ in dimension 0: 7 and 3}}
  %0 = janus.take_add %x, %i, %x dim 0
     : (tensor<3x4xf32>, tensor<7xi64>, tensor<3x4xf32>) -> tensor<3x4xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>) -> () {
  // expected-error @+1 {{needs a number per spatial dimension: 1, not 2}}
  %0 = janus.conv %x, %w strides [2, 2] padding [1] dilation [1] groups 2 : tensor<2x4x9xf32>, tensor<6x2x3xf32> -> tensor<2x6x5xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>) -> () {
  // expected-error @+1 {{strides and dilation must be positive}}
  %0 = janus.conv %x, %w strides [0] padding [1] dilation [1] groups 2 : tensor<2x4x9xf32>, tensor<6x2x3xf32> -> tensor<2x6x5xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>) -> () {
  // expected-error @+1 {{image has 4 channels, filters have 2 in 1 groups}}
  %0 = janus.conv %x, %w strides [2] padding [1] dilation [1] groups 1 : tensor<2x4x9xf32>, tensor<6x2x3xf32> -> tensor<2x6x5xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>) -> () {
  // expected-error @+1 {{6 filters cannot be split into 4 groups}}
  %0 = janus.conv %x, %w strides [2] padding [1] dilation [1] groups 4 : tensor<2x4x9xf32>, tensor<6x2x3xf32> -> tensor<2x6x5xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>) -> () {
  // expected-error @+1 {{result has 5 channels for 6 filters}}
  %0 = janus.conv %x, %w strides [2] padding [1] dilation [1] groups 2 : tensor<2x4x9xf32>, tensor<6x2x3xf32> -> tensor<2x5x5xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>) -> () {
  // expected-error @+1 {{image and result differ in dimension 0: 2 and 3}}
  %0 = janus.conv %x, %w strides [2] padding [1] dilation [1] groups 2 : tensor<2x4x9xf32>, tensor<6x2x3xf32> -> tensor<3x6x5xf32>
  janus.return
}

// -----

janus.graph @f(%x: tensor<2x4xf32>) -> () {
  // expected-error @+1 {{needs one to three spatial dimensions, not 0}}
  %0 = janus.pool_argmax %x kernel [] strides [] padding [] dilation [] : tensor<2x4xf32> -> tensor<2x4xi64>
  janus.return
}

// -----

janus.graph @f(%x: tensor<2x4x9xf32>) -> () {
  // expected-error @+1 {{operand and result differ in dimension 1: 4 and 5}}
  %0 = janus.pool_argmax %x kernel [2] strides [2] padding [0] dilation [1] : tensor<2x4x9xf32> -> tensor<2x5x4xi64>
  janus.return
}
