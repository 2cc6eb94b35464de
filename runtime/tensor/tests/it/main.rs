//! Integration tests of janus-tensor, in one binary.
//!
//! In: recordings of PyTorch (`golden/*.txt`, made by `record.py`). Out: pass or fail.
//! Always: expected numbers come from PyTorch or from definitions, never from this crate.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod autograd;
mod conv;
mod dot;
mod gradients;
mod math;
mod pool;
mod printing;
mod promotion;
mod random;
mod semantics;
mod views;

use std::collections::HashMap;
use std::path::Path;

use janus_tensor::{DType, Eager, Ops, Prim, Tensor};

/// A recording: text by name.
fn golden(name: &str) -> HashMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(format!("{name}.txt"));
    std::fs::read_to_string(path)
        .expect("golden file")
        .lines()
        .filter_map(|l| l.split_once('\t'))
        .map(|(k, v)| (k.to_owned(), v.replace("\\n", "\n")))
        .collect()
}

/// The recorded form of a tensor's elements.
fn bits(t: &Tensor) -> String {
    let parts: Vec<String> = match t.dtype() {
        DType::F32 => t
            .to_vec::<f32>()
            .unwrap()
            .iter()
            .map(|v| format!("{:08x}", if v.is_nan() { 0x7fc0_0000 } else { v.to_bits() }))
            .collect(),
        DType::F64 => t
            .to_vec::<f64>()
            .unwrap()
            .iter()
            .map(|v| format!("{:016x}", v.to_bits()))
            .collect(),
        _ => t
            .to_scalars()
            .unwrap()
            .iter()
            .map(|v| v.to_i64().to_string())
            .collect(),
    };
    parts.join(" ")
}

/// FNV-1a, as `record.py` has it.
fn checksum(bytes: &[u8]) -> String {
    let mut h = 0xcbf2_9ce4_8422_2325u64;
    for b in bytes {
        h = (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{h:016x}")
}

fn f32s(data: &[f32], shape: &[i64]) -> Tensor {
    Tensor::from_slice(data, shape).unwrap()
}

fn f64s(data: &[f64], shape: &[i64]) -> Tensor {
    Tensor::from_slice(data, shape).unwrap()
}

fn i64s(data: &[i64], shape: &[i64]) -> Tensor {
    Tensor::from_slice(data, shape).unwrap()
}

/// Counts from 0 in row-major order.
fn arange(shape: &[i64], dtype: DType) -> Tensor {
    let n: i64 = shape.iter().product();
    let flat = i64s(&(0..n).collect::<Vec<_>>(), shape);
    Eager.cast(&flat, dtype).unwrap()
}

fn apply(prim: Prim, operands: &[&Tensor]) -> Tensor {
    Eager.apply(prim, operands).unwrap()
}
