// A merge inside of another branch stays there when the table of paths grows while its own is
// entered, which 36 values before it bring about.
//
// RUN: janus-opt --janus-structurize %s | FileCheck %s

// CHECK-LABEL: func.func @grows
// CHECK: %[[OUTER:.*]] = scf.if
// CHECK-NEXT: %[[INNER:.*]] = scf.if
// CHECK-NEXT: %[[SUM:.*]] = janus.add
// CHECK-NEXT: scf.yield %[[SUM]]
// CHECK: scf.yield %[[INNER]]
// CHECK: return %[[OUTER]]
janus.graph @grows() -> tensor<3xf32> {
  %p = janus.argument 0 slot 0 : i1
  %q = janus.argument 1 slot 1 : i1
  %x = janus.argument 2 slot 2 : tensor<3xf32>
  %n0 = janus.neg %x : tensor<3xf32>
  %n1 = janus.neg %n0 : tensor<3xf32>
  %n2 = janus.neg %n1 : tensor<3xf32>
  %n3 = janus.neg %n2 : tensor<3xf32>
  %n4 = janus.neg %n3 : tensor<3xf32>
  %n5 = janus.neg %n4 : tensor<3xf32>
  %n6 = janus.neg %n5 : tensor<3xf32>
  %n7 = janus.neg %n6 : tensor<3xf32>
  %n8 = janus.neg %n7 : tensor<3xf32>
  %n9 = janus.neg %n8 : tensor<3xf32>
  %n10 = janus.neg %n9 : tensor<3xf32>
  %n11 = janus.neg %n10 : tensor<3xf32>
  %n12 = janus.neg %n11 : tensor<3xf32>
  %n13 = janus.neg %n12 : tensor<3xf32>
  %n14 = janus.neg %n13 : tensor<3xf32>
  %n15 = janus.neg %n14 : tensor<3xf32>
  %n16 = janus.neg %n15 : tensor<3xf32>
  %n17 = janus.neg %n16 : tensor<3xf32>
  %n18 = janus.neg %n17 : tensor<3xf32>
  %n19 = janus.neg %n18 : tensor<3xf32>
  %n20 = janus.neg %n19 : tensor<3xf32>
  %n21 = janus.neg %n20 : tensor<3xf32>
  %n22 = janus.neg %n21 : tensor<3xf32>
  %n23 = janus.neg %n22 : tensor<3xf32>
  %n24 = janus.neg %n23 : tensor<3xf32>
  %n25 = janus.neg %n24 : tensor<3xf32>
  %n26 = janus.neg %n25 : tensor<3xf32>
  %n27 = janus.neg %n26 : tensor<3xf32>
  %n28 = janus.neg %n27 : tensor<3xf32>
  %n29 = janus.neg %n28 : tensor<3xf32>
  %n30 = janus.neg %n29 : tensor<3xf32>
  %n31 = janus.neg %n30 : tensor<3xf32>
  %n32 = janus.neg %n31 : tensor<3xf32>
  %n33 = janus.neg %n32 : tensor<3xf32>
  %n34 = janus.neg %n33 : tensor<3xf32>
  %n35 = janus.neg %n34 : tensor<3xf32>
  %qt, %qf = janus.switch %p, %q : i1
  %v, %f = janus.switch %p, %n35 : tensor<3xf32>
  %t, %e = janus.switch %qt, %v : tensor<3xf32>
  %a = janus.add %t, %t : tensor<3xf32>
  %m, %i = janus.merge %a, %e : tensor<3xf32>
  %r, %j = janus.merge %m, %f : tensor<3xf32>
  janus.return %r : tensor<3xf32>
}
