// RUN: janus-opt %s --split-input-file --verify-diagnostics

janus.graph @f() -> () {
  // expected-error @+1 {{yields data and needs a slot}}
  %0 = janus.argument 0 : f64
  janus.return
}

// -----

janus.graph @f() -> () {
  // expected-error @+1 {{yields an object, which has no slot}}
  %0 = janus.get_global "m" slot 0 : !janus.object
  janus.return
}

// -----

janus.graph @f(%o: !janus.object) -> () {
  // expected-error @+1 {{result #0 must be}}
  %0 = janus.get_attr %o "m" slot 0 : index
  janus.return
}

// -----

janus.graph @f(%o: !janus.object) -> () {
  // expected-error @+1 {{attribute 'slot' failed to satisfy constraint}}
  %0 = "janus.get_attr"(%o) <{name = "m", slot = -1 : i64}> : (!janus.object) -> f64
  janus.return
}

// -----

janus.graph @f(%o: !janus.object) -> () {
  // expected-error @+1 {{attribute 'key' failed to satisfy constraint}}
  %0 = "janus.get_item"(%o) <{key = 1.5 : f64, slot = 1 : i64}> : (!janus.object) -> f64
  janus.return
}

// -----

janus.graph @f(%x: f64) -> () {
  // expected-error @+1 {{operand #0 must be A Python object}}
  %0 = "janus.get_attr"(%x) <{name = "m"}> : (f64) -> !janus.object
  janus.return
}

// -----

janus.graph @f(%o: !janus.object, %x: f64) -> () {
  %t = janus.start
  // expected-error @+1 {{operand #2 must be ranked tensor of}}
  %t1 = "janus.update"(%t, %o, %x) <{slot = 0 : i64}> : (!janus.token, !janus.object, f64) -> !janus.token
  janus.return
}

// -----

janus.graph @f(%o: !janus.object, %x: f64) -> () {
  // expected-error @+1 {{operand #0 must be The order of effects}}
  %t1 = "janus.append"(%o, %o, %x) <{slot = 0 : i64}> : (!janus.object, !janus.object, f64) -> !janus.token
  janus.return
}

// -----

janus.graph @f(%n: index) -> () {
  %t = janus.start
  // expected-error @+1 {{operand #1 must be variadic of}}
  %t1 = janus.print %t "n" (%n : index) slot 0
  janus.return
}
