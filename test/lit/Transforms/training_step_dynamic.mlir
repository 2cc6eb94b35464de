// The training step of a two-layer perceptron, from the speculator's graph to the structured stage:
// loads, forward, loss, gradients by four parameters, SGD with momentum, commits. Batch: dynamic.
//
// RUN: janus-opt %s --janus-graph-opt | FileCheck %s

// CHECK-LABEL: func.func @step(
// CHECK-SAME:    %[[X:arg0]]: tensor<?x64xf32> {janus.slot = 0 : i64}, %[[Y:arg1]]: tensor<?xi64>
// CHECK-SAME:    %[[W1:arg2]]: tensor<32x64xf32>
// CHECK-SAME:    %[[W2:arg4]]: tensor<10x32xf32>
// CHECK-SAME:    %[[RUNNING:arg12]]: f64 {janus.slot = 12 : i64})
// CHECK-SAME:    -> (i64, tensor<f32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>,
// CHECK-SAME:    tensor<10xf32>, f64)
// CHECK-SAME:    kind = "set_grad", slot = 0 : i64}
// CHECK-SAME:    kind = "set_attr", slot = 12 : i64}
// Forward.
// CHECK:       %[[W1T:.*]] = janus.permute %[[W1]] dims [1, 0]
// CHECK:       janus.dot %[[X]], %[[W1T]]
// CHECK:       %[[H:.*]] = janus.tanh
// CHECK:       %[[W2T:.*]] = janus.permute %[[W2]] dims [1, 0]
// CHECK:       janus.dot %[[H]], %[[W2T]]
// CHECK-NOT:   janus.detach
// CHECK:       %[[EXP:.*]] = janus.exp
// CHECK:       %[[SUM:.*]] = janus.reduce_sum %[[EXP]] dims [1]
// CHECK:       janus.gather %{{.*}}, %[[I:.*]] dim 1
// CHECK:       %[[LOSS:.*]] = janus.div
// Backward: the gradient of the scores has two parts, one through the row sums.
// CHECK:       %[[ONEHOT:.*]] = janus.scatter_add %{{.*}}, %[[I]], %{{.*}} dim 1
// CHECK:       %[[NEG:.*]] = janus.neg %[[ONEHOT]]
// CHECK:       %[[ROWS:.*]] = janus.reduce_sum %[[NEG]] dims [1]
// CHECK:       %[[SCALED:.*]] = janus.div %[[ROWS]], %[[SUM]]
// CHECK:       %[[SPREAD:.*]] = janus.broadcast %[[SCALED]] dims [0]
// CHECK:       %[[SOFT:.*]] = janus.mul %[[SPREAD]], %[[EXP]]
// CHECK:       %[[DZ:.*]] = janus.add %[[ONEHOT]], %[[SOFT]]
// CHECK:       %[[DB2:.*]] = janus.reduce_sum %[[DZ]] dims [0]
// CHECK:       %[[DH:.*]] = janus.dot %[[DZ]], %[[W2]]
// CHECK:       %[[HT:.*]] = janus.permute %[[H]] dims [1, 0]
// CHECK:       %[[DW2T:.*]] = janus.dot %[[HT]], %[[DZ]]
// CHECK:       %[[DW2:.*]] = janus.permute %[[DW2T]] dims [1, 0]
// CHECK:       %[[DB1:.*]] = janus.reduce_sum %{{.*}} dims [0]
// CHECK:       %[[XT:.*]] = janus.permute %[[X]] dims [1, 0]
// CHECK:       %[[DW1T:.*]] = janus.dot %[[XT]]
// CHECK:       %[[DW1:.*]] = janus.permute %[[DW1T]] dims [1, 0]
// The update of the first parameter.
// CHECK:       %[[M:.*]] = janus.add %{{.*}}, %[[DW1]]
// CHECK:       %[[STEP:.*]] = janus.mul %[[M]]
// CHECK:       %[[NEW:.*]] = janus.sub %[[W1]], %[[STEP]]
// CHECK:       %[[ITEM:.*]] = janus.item %[[LOSS]]
// CHECK:       %[[TOTAL:.*]] = arith.addf %[[RUNNING]], %[[ITEM]]
// CHECK:       return %{{.*}}, %[[LOSS]], %[[DW1]], %[[M]], %[[NEW]], %[[DB1]], {{.*}}, %[[DW2]], {{.*}}, %[[DB2]], {{.*}}, %[[TOTAL]]

janus.graph @step() -> (tensor<f32>, !janus.token) {
  // The loads: the batch, four parameters with their momentum, the hyperparameters.
  %x = janus.argument 0 slot 0 : tensor<?x64xf32>
  %y = janus.argument 1 slot 1 : tensor<?xi64>
  %trainer = janus.argument 2 : !janus.object
  %model = janus.get_attr %trainer "model" : !janus.object
  %fc1 = janus.get_attr %model "fc1" : !janus.object
  %fc2 = janus.get_attr %model "fc2" : !janus.object
  %w1 = janus.get_attr %fc1 "weight" slot 2 : tensor<32x64xf32>
  %w1o = janus.get_attr %fc1 "weight" : !janus.object
  %b1 = janus.get_attr %fc1 "bias" slot 3 : tensor<32xf32>
  %b1o = janus.get_attr %fc1 "bias" : !janus.object
  %w2 = janus.get_attr %fc2 "weight" slot 4 : tensor<10x32xf32>
  %w2o = janus.get_attr %fc2 "weight" : !janus.object
  %b2 = janus.get_attr %fc2 "bias" slot 5 : tensor<10xf32>
  %b2o = janus.get_attr %fc2 "bias" : !janus.object
  %opt = janus.get_attr %trainer "optimizer" : !janus.object
  %state = janus.get_attr %opt "state" : !janus.object
  %w1m = janus.get_item %state[0] slot 6 : tensor<32x64xf32>
  %w1mo = janus.get_item %state[0] : !janus.object
  %b1m = janus.get_item %state[1] slot 7 : tensor<32xf32>
  %b1mo = janus.get_item %state[1] : !janus.object
  %w2m = janus.get_item %state[2] slot 8 : tensor<10x32xf32>
  %w2mo = janus.get_item %state[2] : !janus.object
  %b2m = janus.get_item %state[3] slot 9 : tensor<10xf32>
  %b2mo = janus.get_item %state[3] : !janus.object
  %lr = janus.get_attr %opt "lr" slot 10 : f64
  %mu = janus.get_attr %opt "momentum" slot 11 : f64
  %running = janus.get_attr %trainer "running_loss" slot 12 : f64
  %n = janus.dim %x, 0 : tensor<?x64xf32>
  %ny = janus.dim %y, 0 : tensor<?xi64>
  %same = arith.cmpi eq, %n, %ny : index
  janus.assert %same id 0 "batch sizes differ"
  // Forward.
  %w1t = janus.permute %w1 dims [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
  %h0 = janus.dot %x, %w1t : (tensor<?x64xf32>, tensor<64x32xf32>) -> tensor<?x32xf32>
  %b1b = janus.broadcast %b1 dims [1] sizes(%n) : tensor<32xf32> -> tensor<?x32xf32>
  %h1 = janus.add %h0, %b1b : tensor<?x32xf32>
  %h = janus.tanh %h1 : tensor<?x32xf32>
  %w2t = janus.permute %w2 dims [1, 0] : tensor<10x32xf32> -> tensor<32x10xf32>
  %z0 = janus.dot %h, %w2t : (tensor<?x32xf32>, tensor<32x10xf32>) -> tensor<?x10xf32>
  %b2b = janus.broadcast %b2 dims [1] sizes(%n) : tensor<10xf32> -> tensor<?x10xf32>
  %z = janus.add %z0, %b2b : tensor<?x10xf32>
  // log_softmax, nll and their mean.
  %zd = janus.detach %z : tensor<?x10xf32>
  %max = janus.reduce_max %zd dims [1] : tensor<?x10xf32> -> tensor<?xf32>
  %maxb = janus.broadcast %max dims [0] sizes(%n) : tensor<?xf32> -> tensor<?x10xf32>
  %s = janus.sub %z, %maxb : tensor<?x10xf32>
  %ex = janus.exp %s : tensor<?x10xf32>
  %sum = janus.reduce_sum %ex dims [1] : tensor<?x10xf32> -> tensor<?xf32>
  %lse = janus.log %sum : tensor<?xf32>
  %lseb = janus.broadcast %lse dims [0] sizes(%n) : tensor<?xf32> -> tensor<?x10xf32>
  %logp = janus.sub %s, %lseb : tensor<?x10xf32>
  %yi = janus.reshape %y sizes(%n) : tensor<?xi64> -> tensor<?x1xi64>
  %picked = janus.gather %logp, %yi dim 1 : (tensor<?x10xf32>, tensor<?x1xi64>) -> tensor<?x1xf32>
  %nll = janus.neg %picked : tensor<?x1xf32>
  %total = janus.reduce_sum %nll dims [0, 1] : tensor<?x1xf32> -> tensor<f32>
  %ni = arith.index_cast %n : index to i64
  %count = janus.full %ni : i64 -> tensor<f32>
  %loss = janus.div %total, %count : tensor<f32>
  // Backward.
  %one = janus.constant dense<1.0> : tensor<f32>
  %g:4 = janus.gradient %loss, %one wrt(%w1, %b1, %w2, %b2)
       : tensor<f32>, (tensor<32x64xf32>, tensor<32xf32>, tensor<10x32xf32>, tensor<10xf32>)
  // SGD with momentum, and the running loss.
  %t0 = janus.start
  %mu_w1 = janus.full %mu : f64 -> tensor<32x64xf32>
  %lr_w1 = janus.full %lr : f64 -> tensor<32x64xf32>
  %w11 = janus.mul %w1m, %mu_w1 : tensor<32x64xf32>
  %w12 = janus.add %w11, %g#0 : tensor<32x64xf32>
  %w13 = janus.mul %w12, %lr_w1 : tensor<32x64xf32>
  %w14 = janus.sub %w1, %w13 : tensor<32x64xf32>
  %t1 = janus.set_grad %t0, %w1o, %g#0 slot 0 : tensor<32x64xf32>
  %t2 = janus.update %t1, %w1mo, %w12 slot 1 : tensor<32x64xf32>
  %t3 = janus.update %t2, %w1o, %w14 slot 2 : tensor<32x64xf32>
  %mu_b1 = janus.full %mu : f64 -> tensor<32xf32>
  %lr_b1 = janus.full %lr : f64 -> tensor<32xf32>
  %b11 = janus.mul %b1m, %mu_b1 : tensor<32xf32>
  %b12 = janus.add %b11, %g#1 : tensor<32xf32>
  %b13 = janus.mul %b12, %lr_b1 : tensor<32xf32>
  %b14 = janus.sub %b1, %b13 : tensor<32xf32>
  %t4 = janus.set_grad %t3, %b1o, %g#1 slot 3 : tensor<32xf32>
  %t5 = janus.update %t4, %b1mo, %b12 slot 4 : tensor<32xf32>
  %t6 = janus.update %t5, %b1o, %b14 slot 5 : tensor<32xf32>
  %mu_w2 = janus.full %mu : f64 -> tensor<10x32xf32>
  %lr_w2 = janus.full %lr : f64 -> tensor<10x32xf32>
  %w21 = janus.mul %w2m, %mu_w2 : tensor<10x32xf32>
  %w22 = janus.add %w21, %g#2 : tensor<10x32xf32>
  %w23 = janus.mul %w22, %lr_w2 : tensor<10x32xf32>
  %w24 = janus.sub %w2, %w23 : tensor<10x32xf32>
  %t7 = janus.set_grad %t6, %w2o, %g#2 slot 6 : tensor<10x32xf32>
  %t8 = janus.update %t7, %w2mo, %w22 slot 7 : tensor<10x32xf32>
  %t9 = janus.update %t8, %w2o, %w24 slot 8 : tensor<10x32xf32>
  %mu_b2 = janus.full %mu : f64 -> tensor<10xf32>
  %lr_b2 = janus.full %lr : f64 -> tensor<10xf32>
  %b21 = janus.mul %b2m, %mu_b2 : tensor<10xf32>
  %b22 = janus.add %b21, %g#3 : tensor<10xf32>
  %b23 = janus.mul %b22, %lr_b2 : tensor<10xf32>
  %b24 = janus.sub %b2, %b23 : tensor<10xf32>
  %t10 = janus.set_grad %t9, %b2o, %g#3 slot 9 : tensor<10xf32>
  %t11 = janus.update %t10, %b2mo, %b22 slot 10 : tensor<10xf32>
  %t12 = janus.update %t11, %b2o, %b24 slot 11 : tensor<10xf32>
  %li = janus.item %loss : tensor<f32> -> f64
  %r = arith.addf %running, %li : f64
  %t13 = janus.set_attr %t12, %trainer, %r "running_loss" slot 12 : f64
  janus.return %loss, %t13 : tensor<f32>, !janus.token
}
