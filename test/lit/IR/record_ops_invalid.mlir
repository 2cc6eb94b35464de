// RUN: janus-opt %s --split-input-file --verify-diagnostics

func.func @sizes(%r: tensor<1xi64>) -> tensor<?xf32> {
  // expected-error @+1 {{needs one size per dynamic dimension of its result: 1, not 0}}
  %a = janus.recall %r[0] : tensor<?xf32>
  return %a : tensor<?xf32>
}

// -----

func.func @record(%r: tensor<2xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{operand #0 must be tensor<1xi64> of a record}}
  %a = "janus.recall"(%r) <{number = 0 : i64}> : (tensor<2xi64>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @count(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs one number per result in `carried`}}
  %a = janus.apply @count [](%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @carried(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{carries a result in an operand of another type}}
  %a = janus.apply @carried [0](%x) : (tensor<4xf32>) -> tensor<2xf32>
  return %a : tensor<2xf32>
}

// -----

func.func @extents_of_an_object(%table: i64, %object: i64) -> tensor<?xf32> {
  // expected-error @+1 {{needs one size per dynamic dimension of its result: 1, not 0}}
  %value, %found = janus.tensor_at %object in %table : tensor<?xf32>
  return %value : tensor<?xf32>
}
