// RUN: janus-opt %s --janus-autodiff --split-input-file --verify-diagnostics

func.func @extents(%n: i64, %x: tensor<?xf32>, %seed: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // expected-error @+1 {{a gradient through a loop that carries a 'tensor<?xf32>' of changing extents has no graph form yet}}
  %r:2 = scf.while (%i = %n, %v = %x) : (i64, tensor<?xf32>) -> (i64, tensor<?xf32>) {
    %more = arith.cmpi sgt, %i, %zero : i64
    scf.condition(%more) %i, %v : i64, tensor<?xf32>
  } do {
  ^bb0(%i: i64, %v: tensor<?xf32>):
    %w = janus.concat %v, %v dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %j = arith.subi %i, %one : i64
    scf.yield %j, %w : i64, tensor<?xf32>
  }
  %g = janus.gradient %r#1, %seed wrt(%x) : tensor<?xf32>, (tensor<?xf32>)
  return %g : tensor<?xf32>
}

// -----

func.func @second(%n: i64, %x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // expected-error @+1 {{gradient of a gradient through a loop has no graph form yet}}
  %r:2 = scf.while (%i = %zero, %v = %x) : (i64, tensor<4xf32>) -> (i64, tensor<4xf32>) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %v : i64, tensor<4xf32>
  } do {
  ^bb0(%i: i64, %v: tensor<4xf32>):
    %w = janus.exp %v : tensor<4xf32>
    %j = arith.addi %i, %one : i64
    scf.yield %j, %w : i64, tensor<4xf32>
  }
  %g = janus.gradient %r#1, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  %h = janus.gradient %g, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %h : tensor<4xf32>
}

// -----

func.func @inside_loop(%n: i64, %x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%i = %n, %v = %x) : (i64, tensor<4xf32>) -> (i64, tensor<4xf32>) {
    %more = arith.cmpi sgt, %i, %zero : i64
    scf.condition(%more) %i, %v : i64, tensor<4xf32>
  } do {
  ^bb0(%i: i64, %v: tensor<4xf32>):
    %w = janus.exp %v : tensor<4xf32>
    // expected-error @+1 {{gradient from within a loop to what it started with has no graph form yet}}
    %g = janus.gradient %w, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
    scf.yield %zero, %g : i64, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

func.func @no_body(%x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{gradient through a call of a function without a body}}
  %y = func.call @external(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %g = janus.gradient %y, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}
func.func private @external(%x: tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @call_in_loop(%n: index, %x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{gradient of a call inside of a loop has no graph form yet}}
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<4xf32> {
    %w = func.call @callee(%v) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  %g = janus.gradient %r, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// What @w adds in an iteration arrives at the gradient of the next one.
func.func @through_iterations(%n: i64, %x: tensor<4xf32>, %w: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = janus.mul %x, %w : tensor<4xf32>
  %r:2 = scf.while (%i = %n, %v = %x) : (i64, tensor<4xf32>) -> (i64, tensor<4xf32>) {
    %more = arith.cmpi sgt, %i, %zero : i64
    scf.condition(%more) %i, %v : i64, tensor<4xf32>
  } do {
  ^bb0(%i: i64, %v: tensor<4xf32>):
    %z = janus.mul %v, %w : tensor<4xf32>
    // expected-error @+1 {{gradient from within a loop to what it started with has no graph form yet}}
    %g = janus.gradient %z, %seed wrt(%w) : tensor<4xf32>, (tensor<4xf32>)
    %d = janus.detach %g : tensor<4xf32>
    %s = janus.add %v, %d : tensor<4xf32>
    %next = janus.add %s, %y : tensor<4xf32>
    %j = arith.subi %i, %one : i64
    scf.yield %j, %next : i64, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

func.func @second_through_call(%x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{gradient of a gradient through a call has no graph form yet}}
  %y = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %g = janus.gradient %y, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  %h = janus.gradient %g, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %h : tensor<4xf32>
}
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = janus.exp %x : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

func.func @other_arguments(%x: tensor<4xf32>, %w: tensor<4xf32>, %seed: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error @+1 {{two gradients through a call, with respect to different arguments}}
  %y = func.call @callee(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = janus.gradient %y, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  %h = janus.gradient %y, %seed wrt(%w) : tensor<4xf32>, (tensor<4xf32>)
  return %g, %h : tensor<4xf32>, tensor<4xf32>
}
func.func private @callee(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %m = janus.mul %x, %w : tensor<4xf32>
  return %m : tensor<4xf32>
}

// -----

func.func @takes_gradients(%x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %g = janus.gradient %y, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}
// expected-error @+1 {{gradient through a call of a function that takes gradients}}
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = janus.exp %x : tensor<4xf32>
  %g = janus.gradient %e, %x wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

func.func @from_outside(%x: tensor<4xf32>, %gy: tensor<4xf32>, %sum: tensor<4xf32>)
    -> (tensor<4xf32>, i1) {
  %true = arith.constant true
  // expected-error @+1 {{gradient from outside through a call has no graph form yet}}
  %y = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %d, %any = janus.pullback 1 (%y, %gy, %true, %x, %sum)
      : (tensor<4xf32>, tensor<4xf32>, i1, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, i1)
  return %d, %any : tensor<4xf32>, i1
}
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @no_rule(%x: tensor<4xf32>, %seed: tensor<4xf32>, %at: i64) -> tensor<4xf32> {
  // expected-error @+1 {{has no gradient}}
  %y, %next = janus.draw_from 1 "Bernoulli" %x at %at of %at : tensor<4xf32> -> tensor<4xf32>
  %g = janus.gradient %y, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

janus.graph @graph(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{stands in a graph: structurise first}}
  %g = janus.gradient %x, %x wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  janus.return %g : tensor<4xf32>
}

// -----

// Where %p does not hold, %t is %x: on the tape its gradient is added up use by use. The two uses of %x are not next to
// each other, so neither of the two sums can come as a whole.
func.func @two_names(%p: i1, %x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{gradient of a tensor with another name on one side of a branch has no graph form yet}}
  %t = scf.if %p -> tensor<4xf32> {
    %e = janus.exp %x : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %a = janus.tanh %t : tensor<4xf32>
  %b = janus.mul %x, %a : tensor<4xf32>
  %c = janus.mul %b, %t : tensor<4xf32>
  %g = janus.gradient %c, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

// One use of each: the order of two is no matter.
func.func @two_uses(%p: i1, %x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %t = scf.if %p -> tensor<4xf32> {
    %e = janus.exp %x : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %b = janus.mul %x, %t : tensor<4xf32>
  %g = janus.gradient %b, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}
