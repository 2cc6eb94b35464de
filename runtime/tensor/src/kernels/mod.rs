//! Eager kernels of the primitives.
//!
//! In: a primitive and the layouts of its operands. Out: a layout: fresh memory, or for view
//! primitives the operand's memory.
//! Always: shapes and dtypes are checked here, so kernels below may rely on them; nothing
//! here knows about gradients.

mod complex;
pub mod conv;
pub(crate) mod copy;
pub mod draws;
mod elementwise;
pub mod finite;
mod fourier;
pub mod gemm;
mod gemv;
mod index;
pub mod loops;
pub mod meta;
pub mod pool;
pub mod records;
mod reduce;
mod select;
pub mod sort;

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::error::{Result, ShapeText, TensorError};
use crate::ops::{BinaryOp, Prim, UnaryOp};
use crate::shape::{self, Strides, known};
use crate::tensor::Layout;

fn malformed(prim: &Prim) -> TensorError {
    TensorError::Runtime(format!("malformed primitive {}", prim.name()))
}

/// Elementwise operands must agree; torch-level functions see to that.
fn check_same(a: &Layout, b: &Layout) -> Result<()> {
    if a.shape != b.shape {
        shape::broadcast_shapes(&a.shape, &b.shape)?;
        return Err(TensorError::Runtime(format!(
            "elementwise operands of shapes {} and {}",
            ShapeText::from(&a.shape[..]),
            ShapeText::from(&b.shape[..])
        )));
    }
    if a.dtype != b.dtype {
        return Err(TensorError::Runtime(format!(
            "expected scalar type {} but found {}",
            a.dtype.scalar_type_name(),
            b.dtype.scalar_type_name()
        )));
    }
    Ok(())
}

/// Whether a primitive computes with elements, beyond adding two of them, moving or ordering them.
fn computes(prim: &Prim) -> bool {
    matches!(
        prim,
        Prim::Unary(_)
            | Prim::Binary(_)
            | Prim::Compare(_)
            | Prim::Reduce { .. }
            | Prim::Dot
            | Prim::Conv { .. }
            | Prim::PoolArgmax { .. }
            | Prim::Cumsum { .. }
    )
}

/// Runs a primitive. On floats of 16 bits it computes in float32, and what comes of it is rounded once.
pub fn run(prim: &Prim, operands: &[&Layout]) -> Result<Layout> {
    let reduced = match operands {
        [x, rest @ ..] if x.dtype.is_reduced() && computes(prim) => {
            rest.iter().all(|y| y.dtype == x.dtype).then_some(x.dtype)
        }
        _ => None,
    };
    let Some(dtype) = reduced else {
        return run_as_stored(prim, operands);
    };
    // Bits of floats are refused under their own name.
    if let Prim::Unary(UnaryOp::Not)
    | Prim::Binary(
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr,
    ) = prim
    {
        return run_as_stored(prim, operands);
    }
    let wide: Result<SmallVec<[Layout; 3]>> =
        (operands.iter().map(|x| copy::cast(x, DType::F32))).collect();
    let wide = wide?;
    let wide: SmallVec<[&Layout; 3]> = wide.iter().collect();
    let out = run_as_stored(prim, &wide)?;
    match out.dtype {
        DType::F32 => copy::cast(&out, dtype),
        _ => Ok(out),
    }
}

fn run_as_stored(prim: &Prim, operands: &[&Layout]) -> Result<Layout> {
    if operands.iter().any(|x| x.goes_backwards()) && !goes_backwards(prim) {
        let forward: Result<SmallVec<[Layout; 3]>> =
            operands.iter().map(|x| copy::contiguous(x)).collect();
        let forward = forward?;
        let forward: SmallVec<[&Layout; 3]> = forward.iter().collect();
        return run_as_stored(prim, &forward);
    }
    match (prim, operands) {
        (Prim::Unary(op), [x]) => elementwise::unary(*op, x),
        (Prim::Binary(op), [a, b]) => {
            check_same(a, b)?;
            elementwise::binary(*op, a, b)
        }
        (Prim::Complex(op), [x]) if prim.is_view() => complex::view(*op, x),
        (Prim::Complex(op), [x]) => complex::of_one(*op, x),
        (Prim::Fourier { dim, inverse }, [x]) => fourier::run(x, *dim, *inverse),
        (Prim::Compare(p), [a, b]) => {
            check_same(a, b)?;
            elementwise::compare(*p, a, b)
        }
        (Prim::Select, [c, a, b]) => {
            check_same(a, b)?;
            if c.dtype != DType::Bool || c.shape != a.shape {
                return Err(malformed(prim));
            }
            elementwise::select(c, a, b)
        }
        (Prim::WithSlope, [value, x, slope]) => {
            check_same(value, x)?;
            check_same(value, slope)?;
            Ok((*value).clone())
        }
        (Prim::Cast(to), [x]) => copy::cast(x, *to),
        (Prim::Iota { dim, dtype, shape }, []) => copy::iota(*dim, *dtype, &known(shape)?),
        (
            Prim::Unslice {
                starts,
                shape,
                strides,
            },
            [g],
        ) => copy::unslice(g, &known(starts)?, &known(shape)?, strides),
        (
            Prim::UpdateSlice {
                starts, strides, ..
            },
            [x, v],
        ) => {
            if x.dtype != v.dtype {
                return Err(malformed(prim));
            }
            copy::update_slice(x, v, &known(starts)?, strides)
        }
        (Prim::Concat { dim }, [first, rest @ ..]) => {
            for (i, x) in rest.iter().enumerate() {
                check_concat(first, x, *dim, i + 1)?;
            }
            copy::concat(operands, *dim)
        }
        (Prim::Reverse { dims }, [x]) => copy::reverse(x, dims),
        (Prim::Reduce { op, dims }, [x]) => reduce::reduce(*op, x, dims),
        (Prim::Arg { op, dim }, [x]) => reduce::arg(*op, x, *dim),
        (Prim::Dot, [a, b]) => gemm::dot(a, b),
        (
            Prim::Conv {
                kind,
                window,
                shape,
            },
            [a, b],
        ) => conv::run(*kind, window, a, b, &known(shape)?),
        (Prim::PoolArgmax { window, shape }, [x]) => pool::run(x, window, &known(shape)?),
        (Prim::Gather { dim }, [x, i]) => index::gather(x, *dim, i),
        (Prim::ScatterAdd { dim }, [base, i, src]) => index::scatter_add(base, *dim, i, src),
        (Prim::Take { dim }, [x, i]) => index::take(x, *dim, i),
        (Prim::TakeAdd { dim }, [base, i, src]) => index::take_add(base, *dim, i, src),
        (Prim::Cumsum { dim }, [x]) => reduce::cumsum(x, *dim),
        (
            Prim::Argsort {
                dim,
                descending,
                part,
            },
            [x],
        ) => sort::run(x, *dim, *descending, *part),
        (
            Prim::Broadcast { .. }
            | Prim::Reshape { .. }
            | Prim::Permute { .. }
            | Prim::Slice { .. }
            | Prim::Windows { .. }
            | Prim::Backwards { .. }
            | Prim::Detach,
            [x],
        ) => match view(prim, x)? {
            Some(v) => Ok(v),
            // A reshape that strides do not allow.
            None => {
                let dense = copy::copy_of(x)?;
                view(prim, &dense)?.ok_or_else(|| malformed(prim))
            }
        },
        _ => Err(malformed(prim)),
    }
}

/// Whether a primitive's kernel takes operands whose steps are below zero.
fn goes_backwards(prim: &Prim) -> bool {
    prim.is_view()
        || matches!(
            prim,
            Prim::Unary(_)
                | Prim::Binary(_)
                | Prim::Compare(_)
                | Prim::Select
                | Prim::Cast(_)
                | Prim::Concat { .. }
                | Prim::UpdateSlice { .. }
        )
}

fn check_concat(first: &Layout, x: &Layout, dim: usize, position: usize) -> Result<()> {
    if first.rank() != x.rank() {
        return Err(TensorError::Runtime(format!(
            "Tensors must have same number of dimensions: got {} and {}",
            first.rank(),
            x.rank()
        )));
    }
    for (i, (a, b)) in first.shape.iter().zip(&x.shape).enumerate() {
        if i != dim && a != b {
            return Err(TensorError::Runtime(format!(
                "Sizes of tensors must match except in dimension {dim}. Expected size {a} but got size {b} for tensor number {position} in the list."
            )));
        }
    }
    if first.dtype != x.dtype {
        return Err(TensorError::Runtime(format!(
            "expected scalar type {} but found {}",
            first.dtype.scalar_type_name(),
            x.dtype.scalar_type_name()
        )));
    }
    Ok(())
}

/// The view that a view primitive makes, or `None` where it needs a copy.
///
/// # Errors
/// The primitive makes no view, or does not fit the extents.
pub fn view(prim: &Prim, x: &Layout) -> Result<Option<Layout>> {
    match prim {
        Prim::Complex(op) if prim.is_view() => complex::view(*op, x).map(Some),
        Prim::Detach => Ok(Some(x.clone())),
        Prim::Broadcast { dims, shape } => {
            let shape = known(shape)?;
            let mut strides: Strides = SmallVec::from_elem(0, shape.len());
            if dims.len() != x.rank() {
                return Err(malformed(prim));
            }
            // From the last one, so that the error is about the dimension that PyTorch names.
            for ((&d, &extent), &step) in dims.iter().zip(&x.shape).zip(&x.strides).rev() {
                let (Some(slot), Some(&to)) = (strides.get_mut(d), shape.get(d)) else {
                    return Err(malformed(prim));
                };
                if extent == to {
                    *slot = step;
                } else if extent != 1 {
                    return Err(TensorError::Expand {
                        to,
                        from: extent,
                        dim: d,
                        target: shape[..].into(),
                        sizes: x.shape[..].into(),
                    });
                }
            }
            // PyTorch's strides of dimensions of one element that come in front.
            for i in (0..dims.first().copied().unwrap_or(0)).rev() {
                if shape[i] == 1 && i + 1 < shape.len() {
                    strides[i] = shape[i + 1] * strides[i + 1];
                }
            }
            // Extents of 0 and views of nothing need no elements.
            Ok(x.view(shape, strides, x.offset))
        }
        Prim::Reshape { shape } => {
            let to = known(shape)?;
            if shape::checked_numel(&to)? != x.numel() {
                return Err(TensorError::InvalidShape {
                    shape: to[..].into(),
                    numel: x.numel(),
                });
            }
            Ok(shape::view_strides(&x.shape, &x.strides, &to)
                .and_then(|strides| x.view(to, strides, x.offset)))
        }
        Prim::Permute { dims } => {
            let mut seen: SmallVec<[bool; 6]> = SmallVec::from_elem(false, x.rank());
            let (mut shape, mut strides) = (shape::Shape::new(), Strides::new());
            for &d in dims {
                match (seen.get_mut(d), x.shape.get(d), x.strides.get(d)) {
                    (Some(seen @ false), Some(&n), Some(&s)) => {
                        *seen = true;
                        shape.push(n);
                        strides.push(s);
                    }
                    _ => return Err(malformed(prim)),
                }
            }
            if dims.len() != x.rank() {
                return Err(malformed(prim));
            }
            Ok(x.view(shape, strides, x.offset))
        }
        Prim::Slice {
            starts,
            sizes,
            strides,
        } => copy::slice_of(x, &known(starts)?, &known(sizes)?, strides).map(Some),
        Prim::Windows { dim, size, step } => {
            let (mut shape, mut strides) = (x.shape.clone(), x.strides.clone());
            let (Some(extent), Some(stride)) = (shape.get_mut(*dim), strides.get_mut(*dim)) else {
                return Err(malformed(prim));
            };
            if *size < 0 || *step <= 0 || *size > *extent {
                return Err(malformed(prim));
            }
            let element = *stride;
            *extent = (*extent - size) / step + 1;
            *stride = element.saturating_mul(*step);
            shape.push(*size);
            strides.push(element);
            Ok(x.view(shape, strides, x.offset))
        }
        Prim::Backwards { dims } => {
            let (mut strides, mut first) = (x.strides.clone(), x.offset);
            for &d in dims {
                let (Some(step), Some(&extent)) = (strides.get_mut(d), x.shape.get(d)) else {
                    return Err(malformed(prim));
                };
                first += (extent - 1).max(0) * *step;
                *step = -*step;
            }
            Ok(x.view(x.shape.clone(), strides, first))
        }
        _ => Err(malformed(prim)),
    }
}
