//! Discrete Fourier transforms along one dimension, not scaled.
//!
//! In: complex numbers with any strides. Out: a row-major result.
//! Always: a line is transformed alone, so the bits do not depend on what lies beside it.

use std::cell::RefCell;

use rustfft::FftPlanner;

use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::copy::copy_of;
use crate::scalar::{Element, c64, c128};
use crate::shape::{Shape, Strides};
use crate::tensor::Layout;

thread_local! {
    /// Plans by length, which are worth keeping.
    static SINGLE: RefCell<FftPlanner<f32>> = RefCell::new(FftPlanner::new());
    static DOUBLE: RefCell<FftPlanner<f64>> = RefCell::new(FftPlanner::new());
}

/// `fourier`
pub(crate) fn run(x: &Layout, dim: usize, inverse: bool) -> Result<Layout> {
    let Some(&n) = x.shape.get(dim) else {
        return Err(TensorError::Runtime(
            "a transform along a dimension that is not there".to_owned(),
        ));
    };
    // The dimension comes last, so that its lines lie one after the other.
    let mut order: Vec<usize> = (0..x.rank()).filter(|&d| d != dim).collect();
    order.push(dim);
    let mut out = copy_of(&permuted(x, &order)?)?;
    let n = usize::try_from(n).unwrap_or(0);
    if out.numel() > 0 {
        match out.dtype {
            DType::C64 => {
                let plan = SINGLE.with(|p| plan(&mut p.borrow_mut(), n, inverse));
                plan.process(elements::<c64>(&mut out));
            }
            DType::C128 => {
                let plan = DOUBLE.with(|p| plan(&mut p.borrow_mut(), n, inverse));
                plan.process(elements::<c128>(&mut out));
            }
            dtype => {
                let op = "fourier";
                return Err(TensorError::NoKernel { op, dtype });
            }
        }
    }
    if dim + 1 == x.rank() {
        return Ok(out);
    }
    let mut back: Vec<usize> = (0..x.rank().saturating_sub(1)).collect();
    back.insert(dim, x.rank().saturating_sub(1));
    copy_of(&permuted(&out, &back)?)
}

fn plan<T: rustfft::FftNum>(
    planner: &mut FftPlanner<T>,
    n: usize,
    inverse: bool,
) -> std::sync::Arc<dyn rustfft::Fft<T>> {
    match inverse {
        true => planner.plan_fft_inverse(n),
        false => planner.plan_fft_forward(n),
    }
}

/// The elements of fresh memory.
fn elements<T: Element>(out: &mut Layout) -> &mut [T] {
    debug_assert!(out.dtype == T::DTYPE && out.is_contiguous());
    let n = usize::try_from(out.numel()).unwrap_or(0);
    // SAFETY: `out` is row-major with `n` elements of type T, which nobody else has seen yet.
    unsafe { std::slice::from_raw_parts_mut(out.ptr().cast::<T>(), n) }
}

fn permuted(x: &Layout, order: &[usize]) -> Result<Layout> {
    let shape: Shape = order
        .iter()
        .filter_map(|&d| x.shape.get(d).copied())
        .collect();
    let strides: Strides = (order.iter().filter_map(|&d| x.strides.get(d).copied())).collect();
    x.view(shape, strides, x.offset)
        .ok_or_else(|| TensorError::Runtime("view leaves its storage".to_owned()))
}
