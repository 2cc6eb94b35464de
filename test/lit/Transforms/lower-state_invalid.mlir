// RUN: janus-opt %s --janus-structurize --janus-lower-state --split-input-file --verify-diagnostics

// expected-error @+1 {{has an argument of type '!janus.object', which has no value at run time}}
janus.graph @argument(%o: !janus.object) -> () {
  janus.return
}

// -----

janus.graph @which(%p: i1) -> f64 {
  %a = janus.get_global "a" : !janus.object
  %b = janus.get_global "b" : !janus.object
  %at, %af = janus.switch %p, %a : !janus.object
  %bt, %bf = janus.switch %p, %b : !janus.object
  // expected-error @+1 {{yields an object: which one it is cannot depend on the data}}
  %o, %w = janus.merge %at, %bf : !janus.object
  %x = janus.get_attr %o "x" slot 0 : f64
  janus.return %x : f64
}

// -----

janus.graph @commit_in_loop(%n: i64) -> !janus.token {
  %t0 = janus.start
  %zero = arith.constant 0 : i64
  %e = janus.enter %n frame "loop" : i64
  %et = janus.enter %t0 frame "loop" : !janus.token
  %i, %iw = janus.merge %e, %ni : i64
  %t, %tw = janus.merge %et, %nt : !janus.token
  %more = arith.cmpi sgt, %i, %zero : i64
  %cond = janus.loop_cond %more
  %ib, %ie = janus.switch %cond, %i : i64
  %tb, %te = janus.switch %cond, %t : !janus.token
  // expected-error @+1 {{stands in a loop: how often it happens would depend on the data}}
  %t1 = janus.print %tb "i {}" (%ib : i64) slot 0
  %ni = janus.next_iteration %ib : i64
  %nt = janus.next_iteration %t1 : !janus.token
  %r = janus.exit %te : !janus.token
  janus.return %r : !janus.token
}

// -----

janus.graph @caller() -> f64 {
  %r = janus.invoke @callee() : () -> f64
  janus.return %r : f64
}
janus.graph @callee() -> f64 {
  // expected-error @+1 {{stands in a graph that is invoked: it gets arguments only}}
  %x = janus.argument 0 slot 0 : f64
  janus.return %x : f64
}
