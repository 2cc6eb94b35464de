//! Gradients through loops: compiled frames against the tape that ran them unrolled.

pub(crate) mod machine;
mod programs;

use janus_tensor::DType;
use janus_tensor::tensor::Layout;

use crate::harness::Random;
use machine::{call, compare, compiled, eager, seconds};
use programs::{
    Branches, Growing, Guarded, Inner, Nested, Rnn, RnnTotal, Rotated, Scatter, Sgd, Shapes, Twice,
    Unrolled, Until, Unused,
};

fn tensors(shapes: &[&[i64]]) -> Vec<Layout> {
    let mut random = Random(7);
    shapes
        .iter()
        .map(|shape| random.tensor(shape, DType::F32, false))
        .collect()
}

fn rnn_inputs(steps: i64, batch: i64, hidden: i64) -> Vec<Layout> {
    tensors(&[
        &[steps, batch, 5],
        &[batch, hidden],
        &[5, hidden],
        &[hidden, hidden],
        &[hidden],
    ])
}

#[test]
fn rnn() {
    let known = |i: usize, d: usize| i != 0 || d != 0;
    let compiled = compiled(&Rnn, &rnn_inputs(3, 4, 6), 1, known);
    for steps in [0, 1, 2, 7, 50] {
        let inputs = rnn_inputs(steps.max(1), 4, 6);
        compare("rnn", &compiled, &Rnn, &inputs, &[steps]);
    }
}

#[test]
fn rnn_with_any_batch() {
    let known = |i: usize, d: usize| i > 1 || (i == 0 && d == 2) || (i == 1 && d == 1);
    let compiled = compiled(&RnnTotal, &rnn_inputs(3, 4, 6), 1, known);
    for (steps, batch) in [(0, 2), (1, 3), (2, 1), (7, 4), (50, 16)] {
        let inputs = rnn_inputs(steps.max(1), batch, 6);
        compare("rnn, batch", &compiled, &RnnTotal, &inputs, &[steps]);
    }
}

#[test]
fn rnn_with_a_loss_per_step() {
    let known = |i: usize, d: usize| i != 0 || d != 0;
    let compiled = compiled(&RnnTotal, &rnn_inputs(3, 4, 6), 1, known);
    for steps in [0, 1, 2, 7, 50] {
        let inputs = rnn_inputs(steps.max(1), 4, 6);
        compare("rnn, total", &compiled, &RnnTotal, &inputs, &[steps]);
    }
}

fn squares() -> Vec<Layout> {
    tensors(&[&[4, 4], &[4, 4], &[4, 4]])
}

#[test]
fn branches_in_a_loop() {
    let compiled = compiled(&Branches, &squares(), 1, |_, _| true);
    for steps in [0, 1, 2, 3, 8] {
        compare("branches", &compiled, &Branches, &squares(), &[steps]);
    }
}

#[test]
fn loops_in_loops() {
    let compiled = compiled(&Nested, &squares(), 2, |_, _| true);
    for numbers in [[0, 3], [1, 0], [1, 1], [2, 3], [5, 4]] {
        compare("nested", &compiled, &Nested, &squares(), &numbers);
    }
}

#[test]
fn a_loop_in_a_branch() {
    let compiled = compiled(&Inner, &squares(), 2, |_, _| true);
    for numbers in [[0, 3], [1, 3], [2, 0], [4, 5]] {
        compare("inner", &compiled, &Inner, &squares(), &numbers);
    }
}

#[test]
fn until_the_data_says_so() {
    let compiled = compiled(&Until, &squares(), 1, |_, _| true);
    for steps in [0, 1, 2, 30] {
        compare("until", &compiled, &Until, &squares(), &[steps]);
    }
}

#[test]
fn two_gradients_through_one_loop() {
    let compiled = compiled(&Twice, &squares(), 1, |_, _| true);
    for steps in [0, 1, 2, 5] {
        compare("twice", &compiled, &Twice, &squares(), &[steps]);
    }
}

#[test]
fn carried_values_that_change_places() {
    let compiled = compiled(&Rotated, &squares(), 1, |_, _| true);
    for steps in [0, 1, 2, 3, 7] {
        compare("rotated", &compiled, &Rotated, &squares(), &[steps]);
    }
}

#[test]
fn nothing_flows_where_nothing_is_used() {
    let mut inputs = squares();
    inputs[1] = janus_tensor::Tensor::zeros(&[4, 4], DType::F32)
        .unwrap()
        .layout()
        .clone();
    let in_a_loop = compiled(&Unused, &inputs, 1, |_, _| true);
    for steps in [0, 1] {
        compare("unused", &in_a_loop, &Unused, &inputs, &[steps]);
    }
    let in_a_branch = compiled(&Guarded, &inputs, 1, |_, _| true);
    for steps in [0, 1] {
        compare("guarded", &in_a_branch, &Guarded, &inputs, &[steps]);
    }
}

#[test]
fn gradients_inside_of_a_loop() {
    let compiled = compiled(&Sgd, &squares(), 1, |_, _| true);
    for steps in [0, 1, 5] {
        compare("sgd", &compiled, &Sgd, &squares(), &[steps]);
    }
}

#[test]
fn rows_written_one_by_one() {
    let inputs = tensors(&[&[6, 4], &[4, 4], &[4, 4]]);
    let compiled = compiled(&Scatter, &inputs, 1, |_, _| true);
    for steps in [0, 1, 6] {
        compare("scatter", &compiled, &Scatter, &inputs, &[steps]);
    }
}

#[test]
fn extents_that_change_are_an_error() {
    let graph = machine::write(&Shapes, &squares(), 1, |_, d| d != 0);
    let error = janus_codegen::compile(graph, janus_codegen::CompileOptions::default());
    let error = error.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(
        error.contains("of changing extents has no graph form yet"),
        "{error}"
    );
}

#[test]
fn a_tensor_that_grows() {
    let compiled = compiled(&Growing, &squares(), 1, |i, d| i != 0 || d != 0);
    for steps in [0, 1, 2, 9] {
        compare("growing", &compiled, &Growing, &squares(), &[steps]);
    }
}

/// Resident bytes of the process.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|n| n.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

#[test]
fn nothing_leaks() {
    let growing = compiled(&Growing, &squares(), 1, |i, d| i != 0 || d != 0);
    let branches = compiled(&Branches, &squares(), 1, |_, _| true);
    let inputs = rnn_inputs(20, 16, 64);
    let rnn = compiled(&RnnTotal, &inputs, 1, |i, d| i != 0 || d != 0);
    let run = |times: usize| {
        for _ in 0..times {
            drop(call(&growing, &squares(), &[30]));
            drop(call(&branches, &squares(), &[30]));
            drop(call(&rnn, &inputs, &[20]));
        }
    };
    run(20);
    let before = resident();
    run(300);
    let grown = resident().saturating_sub(before);
    assert!(grown < 4 << 20, "{grown} bytes more");
}

/// Prints times; run it with `--no-capture`.
#[test]
fn a_loop_is_about_as_fast_as_its_iterations() {
    let (steps, batch, hidden) = (50, 16, 64);
    let inputs = rnn_inputs(steps, batch, hidden);
    let looped = compiled(&Rnn, &inputs, 1, |i, d| i != 0 || d != 0);
    let unrolled = compiled(&Unrolled(steps), &inputs, 1, |_, _| true);
    for (name, compiled) in [("loop", &looped), ("unrolled", &unrolled)] {
        let time = seconds(200, || drop(call(compiled, &inputs, &[steps])));
        println!(
            "{name}: {:.1} us; compile: {}",
            time * 1e6,
            compiled.stats()
        );
    }
    let time = seconds(20, || drop(eager(&Rnn, &inputs, &[steps])));
    println!("tape: {:.1} us", time * 1e6);
    compare("unrolled", &unrolled, &Unrolled(steps), &inputs, &[steps]);
}
