//! Arithmetic on shapes and strides.
//!
//! In: shapes (`[i64]`), strides (in elements), dimension numbers as Python gives them.
//! Out: the same, checked and normalised.
//! Always: errors carry PyTorch's messages; nothing here looks at elements.

use smallvec::SmallVec;

use crate::error::{Result, ShapeText, TensorError};
use crate::ops::{Axes, Dim};

/// Extents.
pub type Shape = SmallVec<[i64; 4]>;
/// Steps between elements, in elements; may be 0 (stretched), never negative.
pub type Strides = SmallVec<[i64; 4]>;

/// Number of elements.
#[must_use]
pub fn numel(shape: &[i64]) -> i64 {
    shape.iter().product()
}

/// Number of elements of a shape that may be nonsense.
pub fn checked_numel(shape: &[i64]) -> Result<i64> {
    let mut n: i64 = 1;
    for &d in shape {
        if d < 0 {
            return Err(TensorError::Runtime(format!(
                "Trying to create tensor with negative dimension {d}: {}",
                ShapeText::from(shape)
            )));
        }
        n = n
            .checked_mul(d)
            .ok_or_else(|| TensorError::SizeOverflow(shape.into()))?;
    }
    Ok(n)
}

/// Row-major strides.
#[must_use]
pub fn contiguous_strides(shape: &[i64]) -> Strides {
    let mut strides: Strides = SmallVec::from_elem(1, shape.len());
    let mut step = 1;
    for (s, &d) in strides.iter_mut().zip(shape).rev() {
        *s = step;
        step *= d.max(1);
    }
    strides
}

/// Whether elements follow each other in row-major order.
#[must_use]
pub fn is_contiguous(shape: &[i64], strides: &[i64]) -> bool {
    let mut step = 1;
    for (&d, &s) in shape.iter().zip(strides).rev() {
        if d == 0 {
            return true;
        }
        if d != 1 {
            if s != step {
                return false;
            }
            step *= d;
        }
    }
    true
}

/// The shape that two shapes broadcast to.
pub fn broadcast_shapes(a: &[i64], b: &[i64]) -> Result<Shape> {
    let rank = a.len().max(b.len());
    let mut out: Shape = SmallVec::from_elem(1, rank);
    // From the last one, so that the error is about the dimension that PyTorch names.
    for i in (0..rank).rev() {
        let at = |s: &[i64]| {
            (i + s.len())
                .checked_sub(rank)
                .and_then(|j| s.get(j).copied())
        };
        let (x, y) = (at(a).unwrap_or(1), at(b).unwrap_or(1));
        let d = match (x, y) {
            (x, y) if x == y => x,
            (1, y) => y,
            (x, 1) => x,
            (a, b) => return Err(TensorError::Broadcast { a, b, dim: i }),
        };
        if let Some(slot) = out.get_mut(i) {
            *slot = d;
        }
    }
    Ok(out)
}

/// A dimension number from Python (negative counts from the end) for this rank. Rank 0 takes
/// 0 and -1.
pub fn normalize_dim(dim: i64, rank: usize) -> Result<usize> {
    let n = rank.max(1) as i64;
    if dim < -n || dim >= n {
        return Err(TensorError::DimRange {
            lo: -n,
            hi: n - 1,
            dim,
        });
    }
    Ok(if dim < 0 { dim + n } else { dim } as usize)
}

/// Several dimension numbers, ascending; repeated ones are an error. For rank 0 the result is
/// empty.
pub fn normalize_dims(dims: &[i64], rank: usize) -> Result<Axes> {
    let mut out = Axes::new();
    for &d in dims {
        let d = normalize_dim(d, rank)?;
        if out.contains(&d) {
            return Err(TensorError::DimRepeated { dim: d });
        }
        out.push(d);
    }
    out.sort_unstable();
    if rank == 0 {
        out.clear();
    }
    Ok(out)
}

/// Fills in a -1.
pub fn infer_shape(shape: &[i64], numel: i64) -> Result<Shape> {
    let invalid = || TensorError::InvalidShape {
        shape: shape.into(),
        numel,
    };
    let mut out: Shape = shape.into();
    let mut unknown = None;
    let mut known: i64 = 1;
    for (i, &d) in shape.iter().enumerate() {
        if d == -1 {
            if unknown.replace(i).is_some() {
                return Err(TensorError::InferTwice);
            }
        } else if d < 0 {
            return Err(TensorError::NegativeExtent {
                dim: d,
                index: i,
                shape: shape.into(),
            });
        } else {
            known = known.checked_mul(d).ok_or_else(invalid)?;
        }
    }
    match unknown {
        None if known == numel => Ok(out),
        Some(_) if known == 0 && numel == 0 => Err(TensorError::InferAmbiguous {
            shape: shape.into(),
        }),
        Some(i) if known > 0 && numel % known == 0 => {
            if let Some(slot) = out.get_mut(i) {
                *slot = numel / known;
            }
            Ok(out)
        }
        _ => Err(invalid()),
    }
}

/// Strides of a view of another shape on the same elements, if there is one.
#[must_use]
pub fn view_strides(shape: &[i64], strides: &[i64], to: &[i64]) -> Option<Strides> {
    if numel(shape) == 0 || is_contiguous(shape, strides) {
        return Some(contiguous_strides(to));
    }
    // Walk both shapes from the right, chunk by chunk of dimensions that lie dense in memory.
    let mut out: Strides = SmallVec::from_elem(0, to.len());
    let mut view_dim = to.len();
    let mut chunk_stride = *strides.last()?;
    let (mut chunk, mut filled) = (1i64, 1i64);
    for i in (0..shape.len()).rev() {
        chunk *= shape.get(i)?;
        let dense = match i.checked_sub(1) {
            None => false,
            Some(before) => {
                *shape.get(before)? == 1
                    || *strides.get(before)? == chunk.checked_mul(chunk_stride)?
            }
        };
        if dense {
            continue;
        }
        while view_dim > 0 && (filled < chunk || *to.get(view_dim - 1)? == 1) {
            view_dim -= 1;
            *out.get_mut(view_dim)? = filled * chunk_stride;
            filled *= to.get(view_dim)?;
        }
        if filled != chunk {
            return None;
        }
        if let Some(before) = i.checked_sub(1) {
            chunk_stride = *strides.get(before)?;
            chunk = 1;
            filled = 1;
        }
    }
    (view_dim == 0).then_some(out)
}

/// The dimensions from the slowest to the fastest one in memory, where that is another order of the
/// elements than row-major: the order that PyTorch keeps in `empty_like` and draws random numbers
/// in. `None` where it is row-major.
#[must_use]
pub fn memory_order(shape: &[i64], strides: &[i64]) -> Option<Axes> {
    iteration_order(&[(shape, strides)])
}

/// The same of elementwise results of several operands, each with its extents and strides: where one of them does not
/// tell which of two dimensions lies outside of the other, because it is stretched there, the next one does.
#[must_use]
pub fn iteration_order(operands: &[(&[i64], &[i64])]) -> Option<Axes> {
    let rank = operands.iter().map(|(shape, _)| shape.len()).max()?;
    let at = |list: &[i64], d: usize, absent: i64| {
        let own = (d + list.len()).checked_sub(rank);
        own.and_then(|i| list.get(i).copied()).unwrap_or(absent)
    };
    let extent = |d: usize| {
        let all = operands.iter().map(|(shape, _)| at(shape, d, 1));
        all.reduce(|a, b| if a == 1 { b } else { a }).unwrap_or(1)
    };
    let extents: Shape = (0..rank).map(extent).collect();
    let extent = |d: usize| extents.get(d).copied().unwrap_or(1);
    // Whether dimension `p` lies outside of `q`; unknown where all operands are stretched in one of them.
    let outside = |p: usize, q: usize| {
        operands.iter().find_map(|(shape, strides)| {
            let step = |d: usize| match at(shape, d, 1) {
                1 if extent(d) != 1 => 0,
                // NumPy's arrays go backwards, too.
                _ => at(strides, d, 0).abs(),
            };
            match (step(p), step(q)) {
                (0, _) | (_, 0) => None,
                (a, b) if a == b => (extent(p) > extent(q)).then_some(true),
                (a, b) => Some(a > b),
            }
        })
    };
    let mut order: Axes = (0..rank).rev().collect();
    for i in 1..order.len() {
        let mut moving = i;
        for j in (0..i).rev() {
            let (Some(&p), Some(&q)) = (order.get(j), order.get(moving)) else {
                break;
            };
            match outside(p, q) {
                Some(true) => {
                    order.swap(j, moving);
                    moving = j;
                }
                Some(false) => break,
                None => {}
            }
        }
    }
    order.reverse();
    let long = order.iter().filter(|&&d| extent(d) != 1);
    (!long.is_sorted()).then_some(order)
}

/// The permutation that undoes another one.
#[must_use]
pub fn inverse_permutation(dims: &[usize]) -> Axes {
    let mut inverse: Axes = SmallVec::from_elem(0, dims.len());
    for (i, &d) in dims.iter().enumerate() {
        if let Some(slot) = inverse.get_mut(d) {
            *slot = i;
        }
    }
    inverse
}

/// Known extents, or an internal error: eager execution never sees symbols.
pub fn known(dims: &[Dim]) -> Result<Shape> {
    dims.iter()
        .map(|d| {
            d.known().ok_or_else(|| {
                TensorError::Runtime("symbolic extent in eager execution".to_owned())
            })
        })
        .collect()
}

/// Extents as [`Dim`]s.
#[must_use]
pub fn dims_of(shape: &[i64]) -> crate::ops::Dims {
    shape.iter().map(|&d| Dim::Known(d)).collect()
}
