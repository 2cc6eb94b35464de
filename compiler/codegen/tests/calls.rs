//! Gradients through recursive graphs: compiled calls against the tape.

use janus_codegen::{Arg, CompileOptions, Compiled, RunError, compile};
use janus_dialect::Graph;
use janus_tensor::DType;
use janus_tensor::tensor::Layout;

use crate::harness::Random;
use crate::loops::machine::{Loop, Machine, Program, compare};

fn compiled(text: &str) -> Compiled {
    let compiled = compile(Graph::parse(text).unwrap(), CompileOptions::default());
    compiled.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn tensors(shapes: &[&[i64]]) -> Vec<Layout> {
    let mut random = Random(11);
    shapes
        .iter()
        .map(|shape| random.tensor(shape, DType::F32, false))
        .collect()
}

/// f(n) is x for n <= 0, else tanh(f(n - 1) @ w + f(n - 2)): two calls side by side.
struct Tree;

const TREE: &str = r#"
janus.graph @main(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>, %n: i64)
    -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>) {
  %y = janus.invoke @f(%n, %x, %w) : (i64, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %loss = janus.reduce_sum %y dims [0, 1] : tensor<3x4xf32> -> tensor<f32>
  %seed = janus.constant dense<1.0> : tensor<f32>
  %g:2 = janus.gradient %loss, %seed wrt(%x, %w)
       : tensor<f32>, (tensor<3x4xf32>, tensor<4x4xf32>)
  janus.return %y, %g#0, %g#1 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>
}
janus.graph @f(%n: i64, %x: tensor<3x4xf32>, %w: tensor<4x4xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %most = arith.constant 100 : i64
  %small = arith.cmpi slt, %n, %most : i64
  janus.assert %small id 5 "a small number"
  %p = arith.cmpi sgt, %n, %zero : i64
  %nt, %nf = janus.switch %p, %n : i64
  %xt, %xf = janus.switch %p, %x : tensor<3x4xf32>
  %wt, %wf = janus.switch %p, %w : tensor<4x4xf32>
  %a = arith.subi %nt, %one : i64
  %b = arith.subi %nt, %two : i64
  %l = janus.invoke @f(%a, %xt, %wt) : (i64, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %r = janus.invoke @f(%b, %xt, %wt) : (i64, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %d = janus.dot %l, %wt : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %s = janus.add %d, %r : tensor<3x4xf32>
  %h = janus.tanh %s : tensor<3x4xf32>
  %v, %i = janus.merge %h, %xf : tensor<3x4xf32>
  janus.return %v : tensor<3x4xf32>
}
"#;

impl Tree {
    fn value<M: Machine>(m: &mut M, n: &M::I, x: &M::T, w: &M::T) -> M::T {
        let zero = m.number(0);
        let more = m.below(&zero, n);
        let mut both = |m: &mut M, v: &[M::T]| {
            let (one, two) = (m.number(-1), m.number(-2));
            let (a, b) = (m.plus(n, &one), m.plus(n, &two));
            let l = Tree::value(m, &a, &v[0], &v[1]);
            let r = Tree::value(m, &b, &v[0], &v[1]);
            let d = m.dot(&l, &v[1]);
            let s = m.add(&d, &r);
            vec![m.tanh(&s)]
        };
        let inputs = [x.clone(), w.clone()];
        m.choose(&more, &inputs, &mut both, &mut |_, v| vec![v[0].clone()])
            .remove(0)
    }
}

impl Program for Tree {
    fn run<M: Machine>(&self, m: &mut M, tensors: &[M::T], numbers: &[M::I]) -> Vec<M::T> {
        let y = Tree::value(m, &numbers[0], &tensors[0], &tensors[1]);
        let loss = m.sum(&y);
        let mut results = vec![y];
        results.extend(m.gradient(&loss, tensors));
        results
    }
}

#[test]
fn two_calls_side_by_side() {
    let compiled = compiled(TREE);
    let inputs = tensors(&[&[3, 4], &[4, 4]]);
    for n in [1, 2, 3, 7, 12] {
        compare("tree", &compiled, &Tree, &inputs, &[n]);
    }
}

#[test]
fn a_failed_assert_of_a_callee() {
    let compiled = compiled(&TREE.replace("constant 100", "constant 5"));
    let inputs = tensors(&[&[3, 4], &[4, 4]]);
    compare("tree", &compiled, &Tree, &inputs, &[4]);
    let mut arguments: Vec<Arg<'_>> = inputs
        .iter()
        .map(|x| Arg::Tensor {
            ptr: x.ptr(),
            sizes: &x.shape,
        })
        .collect();
    arguments.push(Arg::I64(6));
    // SAFETY: the inputs are row-major and alive.
    let failed = unsafe { compiled.run(&arguments) }.unwrap_err();
    assert_eq!(failed, RunError::AssertFailed { id: 5 });
}

/// A chain of cells with two values each, every other one of which has one more below it: calls in
/// a branch in a branch, of which one value may not be used, with a number of rows that is not known.
struct Chain;

const CHAIN: &str = r#"
janus.graph @main(%h: tensor<?x4xf32>, %c: tensor<?x4xf32>, %w: tensor<4x4xf32>, %n: i64)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<4x4xf32>) {
  %y:2 = janus.invoke @cell(%h, %c, %w, %n)
    : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<4x4xf32>, i64) -> (tensor<?x4xf32>, tensor<?x4xf32>)
  %loss = janus.reduce_sum %y#0 dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %seed = janus.constant dense<1.0> : tensor<f32>
  %g:3 = janus.gradient %loss, %seed wrt(%h, %c, %w)
       : tensor<f32>, (tensor<?x4xf32>, tensor<?x4xf32>, tensor<4x4xf32>)
  janus.return %y#0, %g#0, %g#1, %g#2
    : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<4x4xf32>
}
janus.graph @cell(%h: tensor<?x4xf32>, %c: tensor<?x4xf32>, %w: tensor<4x4xf32>, %n: i64)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %p = arith.cmpi sgt, %n, %zero : i64
  %nt, %nf = janus.switch %p, %n : i64
  %ht, %hf = janus.switch %p, %h : tensor<?x4xf32>
  %ct, %cf = janus.switch %p, %c : tensor<?x4xf32>
  %wt, %wf = janus.switch %p, %w : tensor<4x4xf32>
  %a = arith.subi %nt, %one : i64
  %d = janus.dot %ht, %wt : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %x = janus.tanh %d : tensor<?x4xf32>
  %l:2 = janus.invoke @cell(%x, %ct, %wt, %a)
    : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<4x4xf32>, i64) -> (tensor<?x4xf32>, tensor<?x4xf32>)
  %m = janus.mul %l#0, %l#1 : tensor<?x4xf32>
  %rest = arith.remsi %nt, %two : i64
  %q = arith.cmpi eq, %rest, %zero : i64
  %qh, %rh = janus.switch %q, %l#0 : tensor<?x4xf32>
  %qm, %rm = janus.switch %q, %m : tensor<?x4xf32>
  %qw, %rw = janus.switch %q, %wt : tensor<4x4xf32>
  %qn, %rn = janus.switch %q, %nt : i64
  %b = arith.subi %qn, %two : i64
  %k:2 = janus.invoke @cell(%qm, %qh, %qw, %b)
    : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<4x4xf32>, i64) -> (tensor<?x4xf32>, tensor<?x4xf32>)
  %e = janus.tanh %k#1 : tensor<?x4xf32>
  %u, %ui = janus.merge %e, %rh : tensor<?x4xf32>
  %s = janus.add %u, %m : tensor<?x4xf32>
  %vh, %vhi = janus.merge %s, %hf : tensor<?x4xf32>
  %vc, %vci = janus.merge %u, %cf : tensor<?x4xf32>
  janus.return %vh, %vc : tensor<?x4xf32>, tensor<?x4xf32>
}
"#;

impl Chain {
    fn cell<M: Machine>(m: &mut M, h: &M::T, c: &M::T, w: &M::T, n: &M::I) -> Vec<M::T> {
        let zero = m.number(0);
        let more = m.below(&zero, n);
        let even = m.is_even(n);
        let mut below = |m: &mut M, v: &[M::T]| {
            let one = m.number(-1);
            let a = m.plus(n, &one);
            let d = m.dot(&v[0], &v[2]);
            let x = m.tanh(&d);
            let l = Chain::cell(m, &x, &v[1], &v[2], &a);
            let product = m.mul(&l[0], &l[1]);
            let mut second = |m: &mut M, v: &[M::T]| {
                let two = m.number(-2);
                let b = m.plus(n, &two);
                let k = Chain::cell(m, &v[1], &v[0], &v[2], &b);
                vec![m.tanh(&k[1])]
            };
            let inputs = [l[0].clone(), product.clone(), v[2].clone()];
            let u = m
                .choose(&even, &inputs, &mut second, &mut |_, v| vec![v[0].clone()])
                .remove(0);
            vec![m.add(&u, &product), u]
        };
        let inputs = [h.clone(), c.clone(), w.clone()];
        m.choose(&more, &inputs, &mut below, &mut |_, v| v[..2].to_vec())
    }
}

impl Program for Chain {
    fn run<M: Machine>(&self, m: &mut M, tensors: &[M::T], numbers: &[M::I]) -> Vec<M::T> {
        let y = Chain::cell(m, &tensors[0], &tensors[1], &tensors[2], &numbers[0]).remove(0);
        let loss = m.sum(&y);
        let mut results = vec![y];
        results.extend(m.gradient(&loss, tensors));
        results
    }
}

#[test]
fn calls_in_branches() {
    let compiled = compiled(CHAIN);
    for rows in [1, 5] {
        let inputs = tensors(&[&[rows, 4], &[rows, 4], &[4, 4]]);
        for n in [0, 1, 2, 3, 4, 7, 10] {
            compare("chain", &compiled, &Chain, &inputs, &[n]);
        }
    }
}

/// f(n) is x for n <= 0, else tanh(f(n - 1) @ w + x).
struct Deep;

const DEEP: &str = r#"
janus.graph @main(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>, %n: i64)
    -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>) {
  %y = janus.invoke @f(%n, %x, %w) : (i64, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %loss = janus.reduce_sum %y dims [0, 1] : tensor<3x4xf32> -> tensor<f32>
  %seed = janus.constant dense<1.0> : tensor<f32>
  %g:2 = janus.gradient %loss, %seed wrt(%x, %w)
       : tensor<f32>, (tensor<3x4xf32>, tensor<4x4xf32>)
  janus.return %y, %g#0, %g#1 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>
}
janus.graph @f(%n: i64, %x: tensor<3x4xf32>, %w: tensor<4x4xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %p = arith.cmpi sgt, %n, %zero : i64
  %nt, %nf = janus.switch %p, %n : i64
  %xt, %xf = janus.switch %p, %x : tensor<3x4xf32>
  %wt, %wf = janus.switch %p, %w : tensor<4x4xf32>
  %a = arith.subi %nt, %one : i64
  %l = janus.invoke @f(%a, %xt, %wt) : (i64, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %d = janus.dot %l, %wt : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %s = janus.add %d, %xt : tensor<3x4xf32>
  %h = janus.tanh %s : tensor<3x4xf32>
  %v, %i = janus.merge %h, %xf : tensor<3x4xf32>
  janus.return %v : tensor<3x4xf32>
}
"#;

impl Program for Deep {
    fn run<M: Machine>(&self, m: &mut M, tensors: &[M::T], numbers: &[M::I]) -> Vec<M::T> {
        let step = &mut |m: &mut M, at: &Loop<'_, M>| {
            let d = m.dot(&at.carried[0], &at.constants[1]);
            let s = m.add(&d, &at.constants[0]);
            vec![m.tanh(&s)]
        };
        let more = &mut |m: &mut M, at: &Loop<'_, M>| m.below(&at.number, &at.numbers[0]);
        let y = m
            .repeat(tensors, numbers, &tensors[..1], more, step)
            .remove(0);
        let loss = m.sum(&y);
        let mut results = vec![y];
        results.extend(m.gradient(&loss, tensors));
        results
    }
}

#[test]
fn a_thousand_calls_deep() {
    let compiled = compiled(DEEP);
    let inputs = tensors(&[&[3, 4], &[4, 4]]);
    for n in [1, 1000] {
        compare("deep", &compiled, &Deep, &inputs, &[n]);
    }
}
