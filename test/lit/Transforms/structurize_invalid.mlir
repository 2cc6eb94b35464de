// RUN: janus-opt %s --janus-structurize --split-input-file --verify-diagnostics

janus.graph @one_side(%p: i1, %x: f64) -> f64 {
  %t, %f = janus.switch %p, %x : f64
  // expected-error @+1 {{returns a value that exists on one side of a branch only}}
  janus.return %t : f64
}

// -----

janus.graph @both_sides(%p: i1, %x: f64) -> f64 {
  %t, %f = janus.switch %p, %x : f64
  // expected-error @+1 {{needs values that never exist together}}
  %0 = arith.addf %t, %f : f64
  janus.return %0 : f64
}

// -----

janus.graph @no_branch(%x: f64) -> f64 {
  // expected-error @+1 {{joins no branch: no operand comes from a janus.switch}}
  %v, %w = janus.merge %x, %x : f64
  janus.return %v : f64
}

// -----

janus.graph @same_side(%p: i1, %x: f64) -> f64 {
  %t, %f = janus.switch %p, %x : f64
  %a = arith.negf %t : f64
  // expected-error @+1 {{joins values that are no two sides of one branch}}
  %v, %w = janus.merge %a, %t : f64
  janus.return %v : f64
}

// -----

janus.graph @other_branch(%p: i1, %q: i1, %x: f64) -> f64 {
  %t, %f = janus.switch %p, %x : f64
  %t2, %f2 = janus.switch %q, %x : f64
  // expected-error @+1 {{joins values that are no two sides of one branch}}
  %v, %w = janus.merge %t, %f2 : f64
  janus.return %v : f64
}

// -----

janus.graph @one_operand(%p: i1, %x: f64) -> f64 {
  %t, %f = janus.switch %p, %x : f64
  // expected-error @+1 {{joins nothing: run canonicalize first}}
  %v, %w = janus.merge %t : f64
  janus.return %v : f64
}

// -----

janus.graph @no_enter(%x: i64) -> i64 {
  // expected-error @+1 {{joins a janus.next_iteration with something that is no janus.enter}}
  %v, %w = janus.merge %x, %n : i64
  %n = janus.next_iteration %v : i64
  janus.return %v : i64
}

// -----

janus.graph @no_condition(%x: i64) -> i64 {
  %e = janus.enter %x frame "loop" : i64
  // expected-error @+1 {{belongs to loop "loop", which has no janus.loop_cond}}
  %v, %w = janus.merge %e, %n : i64
  %n = janus.next_iteration %v : i64
  janus.return %x : i64
}

// -----

janus.graph @no_exit(%x: i64, %c: i1) -> i64 {
  %e = janus.enter %x frame "loop" : i64
  %v, %w = janus.merge %e, %n : i64
  %n = janus.next_iteration %b : i64
  %zero = arith.constant 0 : i64
  %more = arith.cmpi sgt, %v, %zero : i64
  %cond = janus.loop_cond %more
  %b, %d = janus.switch %cond, %v : i64
  // expected-error @+1 {{uses what leaves a loop without a janus.exit}}
  %r = arith.addi %d, %d : i64
  janus.return %r : i64
}

// -----

janus.graph @exit_of_nothing(%x: i64) -> i64 {
  // expected-error @+1 {{takes no value that leaves a loop}}
  %r = janus.exit %x : i64
  janus.return %r : i64
}

// -----

janus.graph @early_use(%x: i64) -> i64 {
  %e = janus.enter %x frame "loop" : i64
  // expected-error @+1 {{uses a value that enters a loop before it meets the loop's merge}}
  %r = arith.addi %e, %e : i64
  janus.return %r : i64
}

// -----

janus.graph @loose_condition(%c: i1, %x: i64) -> i64 {
  // expected-error @+1 {{is not at the head of a loop}}
  %cond = janus.loop_cond %c
  janus.return %x : i64
}

// -----

janus.graph @leaks(%x: i64) -> i64 {
  %e = janus.enter %x frame "loop" : i64
  %v, %w = janus.merge %e, %n : i64
  %zero = arith.constant 0 : i64
  %more = arith.cmpi sgt, %v, %zero : i64
  %cond = janus.loop_cond %more
  %b, %d = janus.switch %cond, %v : i64
  %n = janus.next_iteration %b : i64
  // expected-error @+1 {{returns a value that exists on one side of a branch only}}
  janus.return %v : i64
}
