//! What primitives make of tensors without numbers.
//!
//! In: a primitive and the layouts of its operands, some of which are on the device meta. Out: a layout on that device.
//! Always: what operands the kernel would refuse is refused by the kernel itself; nothing is computed where extents alone say what
//! the result is like.

use super::run as run_kernel;
use crate::dtype::DType;
use crate::error::Result;
use crate::ops::{ComplexOp, ConvKind, Prim};
use crate::shape::{Shape, known};
use crate::tensor::Layout;

/// Runs a primitive whose result is on the device meta, which is the current one.
pub fn run(prim: &Prim, operands: &[&Layout]) -> Result<Layout> {
    if prim.is_view() {
        return run_kernel(prim, operands);
    }
    match of_extents(prim, operands) {
        Some((shape, dtype)) => Layout::empty(&shape, dtype),
        None => run_kernel(prim, operands),
    }
}

/// The extents and the dtype of a result; `None` where the kernel has to say.
fn of_extents(prim: &Prim, operands: &[&Layout]) -> Option<(Shape, DType)> {
    let like = |x: &Layout| Some((x.shape.clone(), x.dtype));
    let agree = |a: &Layout, b: &Layout| a.shape == b.shape && a.dtype == b.dtype;
    match (prim, operands) {
        (Prim::Unary(_), [x]) if x.dtype.is_float() => like(x),
        (Prim::Binary(_), [a, b]) if a.dtype.is_float() && agree(a, b) => like(a),
        (Prim::Complex(op), [x]) if *op == ComplexOp::Conj => like(x),
        (Prim::Compare(_), [a, b]) if agree(a, b) => Some((a.shape.clone(), DType::Bool)),
        (Prim::Select, [c, a, b]) if agree(a, b) && c.shape == a.shape => like(a),
        (Prim::Cast(to), [x]) => Some((x.shape.clone(), *to)),
        (Prim::Reverse { .. } | Prim::Cumsum { .. }, [x]) => like(x),
        (Prim::UpdateSlice { .. }, [x, v]) if x.dtype == v.dtype => like(x),
        (Prim::Unslice { shape, .. }, [g]) => Some((known(shape).ok()?, g.dtype)),
        (Prim::Iota { dtype, shape, .. }, []) => Some((known(shape).ok()?, *dtype)),
        (Prim::Reduce { dims, .. }, [x]) if x.numel() > 0 => {
            let kept = |(d, &n): (usize, &i64)| (!dims.contains(&d)).then_some(n);
            Some((
                x.shape.iter().enumerate().filter_map(kept).collect(),
                x.dtype,
            ))
        }
        (Prim::Dot, [a, b]) => {
            let (last, inner) = (a.rank().checked_sub(1)?, b.rank().checked_sub(2)?);
            let fits = a.rank() == b.rank()
                && a.dtype == b.dtype
                && a.dtype.is_float()
                && a.shape.get(last) == b.shape.get(inner)
                && a.shape.get(..inner) == b.shape.get(..inner);
            let mut shape = a.shape.clone();
            *shape.get_mut(last)? = *b.shape.get(last)?;
            fits.then_some((shape, a.dtype))
        }
        (
            Prim::Conv {
                kind: ConvKind::Forward,
                shape,
                ..
            },
            [a, b],
        ) if a.dtype == b.dtype => Some((known(shape).ok()?, a.dtype)),
        (Prim::Gather { .. }, [x, index]) if x.rank() == index.rank() => {
            Some((index.shape.clone(), x.dtype))
        }
        (Prim::Take { dim }, [x, index]) if *dim < x.rank() => {
            let mut shape: Shape = x.shape.iter().take(*dim).copied().collect();
            shape.extend(index.shape.iter().copied());
            shape.extend(x.shape.iter().skip(dim + 1).copied());
            Some((shape, x.dtype))
        }
        (Prim::ScatterAdd { .. } | Prim::TakeAdd { .. }, [base, ..]) => like(base),
        (Prim::Arg { dim, .. }, [x]) if x.numel() > 0 => {
            let kept = |(d, &n): (usize, &i64)| (d != *dim).then_some(n);
            Some((
                x.shape.iter().enumerate().filter_map(kept).collect(),
                DType::I64,
            ))
        }
        (Prim::Argsort { .. }, [x]) => Some((x.shape.clone(), DType::I64)),
        _ => None,
    }
}
