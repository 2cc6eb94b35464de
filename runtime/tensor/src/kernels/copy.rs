//! Kernels that move elements: copies, casts, fills, concatenation and the like.
//!
//! In: layouts with any strides. Out: row-major results, or elements written into a layout.
//! Always: elements move by their width; only casts look at their type.

use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::elementwise::map;
use crate::kernels::loops::{Loops, Shared};
use crate::scalar::{
    Element, Scalar, bf16, c64, c128, f16, truncated, truncated_short, truncated_unsigned,
};
use crate::shape::{Shape, Strides};
use crate::tensor::Layout;

/// Copies elements of equal dtype into `out`, which has the same shape and no overlap with
/// `x` unless they are the same elements at the same places.
pub(crate) fn copy_into(out: &Layout, x: &Layout) {
    fn of<T: Copy + Send + Sync>(out: &Layout, x: &Layout) {
        let loops = Loops::new(&out.shape, [&out.strides, &x.strides]);
        let (o, p) = (Shared::<T>::new(out.ptr()), Shared::<T>::new(x.ptr()));
        loops.each(
            #[inline(always)]
            // SAFETY: offsets come from the layouts; T has the width of the elements. `copy`
            // allows source and destination to be the same.
            move |off, n, step| unsafe {
                let (o, p) = (o.at(off[0]), p.at(off[1]));
                match step {
                    [1, 1] => std::ptr::copy(p, o, n),
                    [1, 0] => {
                        let v = *p;
                        for i in 0..n {
                            *o.add(i) = v;
                        }
                    }
                    [so, sp] => {
                        for i in 0..n as isize {
                            *o.offset(i * so) = *p.offset(i * sp);
                        }
                    }
                }
            },
        );
    }
    debug_assert!(out.dtype == x.dtype && out.shape == x.shape);
    match out.dtype.size() {
        1 => of::<u8>(out, x),
        2 => of::<u16>(out, x),
        4 => of::<u32>(out, x),
        8 => of::<u64>(out, x),
        _ => of::<[u64; 2]>(out, x),
    }
}

/// A row-major copy.
pub(crate) fn copy_of(x: &Layout) -> Result<Layout> {
    let out = Layout::empty(&x.shape, x.dtype)?;
    copy_into(&out, x);
    Ok(out)
}

/// The layout itself where it is row-major, else a copy.
pub(crate) fn contiguous(x: &Layout) -> Result<Layout> {
    if x.is_contiguous() {
        Ok(x.clone())
    } else {
        copy_of(x)
    }
}

/// Writes `value`, converted, to every element.
pub(crate) fn fill(out: &Layout, value: Scalar) {
    dispatch!(out.dtype; all: T => {
        let v = T::from_scalar(value);
        let loops = Loops::new(&out.shape, [&out.strides]);
        let o = Shared::<T>::new(out.ptr());
        // SAFETY: offsets come from the layout.
        loops.each(move |off, n, step| unsafe {
            let o = o.at(off[0]);
            if step[0] == 1 {
                for i in 0..n { *o.add(i) = v; }
            } else {
                for i in 0..n as isize { *o.offset(i * step[0]) = v; }
            }
        });
    });
}

/// `cast`
pub(crate) fn cast(x: &Layout, to: DType) -> Result<Layout> {
    let out = Layout::empty(&x.shape, to)?;
    cast_into(&out, x)?;
    Ok(out)
}

/// Copies elements into a layout of the same shape and perhaps another dtype.
pub(crate) fn cast_into(out: &Layout, x: &Layout) -> Result<()> {
    if out.dtype == x.dtype {
        copy_into(out, x);
        return Ok(());
    }
    macro_rules! pairs {
        ($($from:ident $a:ty => $to:ident $b:ty: |$v:ident| $e:expr;)*) => {
            match (x.dtype, out.dtype) {
                $((DType::$from, DType::$to) => {
                    map::<$a, $b>(out, x, |$v| $e);
                    return Ok(());
                })*
                _ => {}
            }
        };
    }
    pairs! {
        F32 f32 => F64 f64: |v| f64::from(v);
        F32 f32 => I64 i64: |v| truncated(f64::from(v));
        F32 f32 => I32 i32: |v| truncated_short(f64::from(v));
        F32 f32 => Bool bool: |v| v != 0.0;
        F16 f16 => F32 f32: |v| v.to_f32();
        BF16 bf16 => F32 f32: |v| v.to_f32();
        F32 f32 => F16 f16: |v| f16::from_f32(v);
        F32 f32 => BF16 bf16: |v| bf16::from_f32(v);
        F64 f64 => F32 f32: |v| v as f32;
        F64 f64 => I64 i64: |v| truncated(v);
        F64 f64 => I32 i32: |v| truncated_short(v);
        F64 f64 => Bool bool: |v| v != 0.0;
        I64 i64 => F32 f32: |v| v as f32;
        I64 i64 => F64 f64: |v| v as f64;
        I64 i64 => I32 i32: |v| v as i32;
        I64 i64 => I16 i16: |v| v as i16;
        I64 i64 => I8 i8: |v| v as i8;
        I64 i64 => U8 u8: |v| v as u8;
        I64 i64 => Bool bool: |v| v != 0;
        I32 i32 => I64 i64: |v| i64::from(v);
        I16 i16 => I64 i64: |v| i64::from(v);
        I8 i8 => I64 i64: |v| i64::from(v);
        U8 u8 => I64 i64: |v| i64::from(v);
        I64 i64 => U16 u16: |v| v as u16;
        I64 i64 => U32 u32: |v| v as u32;
        I64 i64 => U64 u64: |v| v.cast_unsigned();
        U16 u16 => I64 i64: |v| i64::from(v);
        U32 u32 => I64 i64: |v| i64::from(v);
        U64 u64 => I64 i64: |v| v.cast_signed();
        U8 u8 => F32 f32: |v| f32::from(v);
        Bool bool => F32 f32: |v| f32::from(u8::from(v));
        Bool bool => F64 f64: |v| f64::from(u8::from(v));
        Bool bool => I64 i64: |v| i64::from(v);
    }
    if x.dtype.is_complex() || out.dtype.is_complex() {
        return cast_complex(out, x);
    }
    match (x.dtype, out.dtype) {
        (DType::F32, DType::U64) => {
            map::<f32, u64>(out, x, |v| truncated_unsigned(f64::from(v)));
            return Ok(());
        }
        (DType::F64, DType::U64) => {
            map::<f64, u64>(out, x, truncated_unsigned);
            return Ok(());
        }
        (DType::U64, DType::F32) => {
            map::<u64, f32>(out, x, |v| v as f32);
            return Ok(());
        }
        (DType::U64, DType::F64) => {
            map::<u64, f64>(out, x, |v| v as f64);
            return Ok(());
        }
        _ => {}
    }
    // Floats of 16 bits are converted by way of float32, as PyTorch does it.
    if x.dtype.is_reduced() || out.dtype.is_reduced() {
        return cast_into(out, &cast(x, DType::F32)?);
    }
    // The rest goes through int64, which holds every other type's whole range, or from floats as `truncated_short`
    // says: narrow integers are rare, and each pair of its own costs compile time.
    let short = x.dtype.is_float() && matches!(out.dtype, DType::I16 | DType::I8);
    let between = if short { DType::I32 } else { DType::I64 };
    let between = cast(x, between)?;
    match short {
        true => cast_into(out, &cast(&between, DType::I64)?),
        false => cast_into(out, &between),
    }
}

/// Real numbers become real parts, and of complex numbers only these are left; a bool says whether either part is
/// not zero.
fn cast_complex(out: &Layout, x: &Layout) -> Result<()> {
    match (x.dtype, out.dtype) {
        (DType::C64, DType::C128) => {
            map::<c64, c128>(out, x, |v| c128::new(f64::from(v.re), f64::from(v.im)))
        }
        (DType::C128, DType::C64) => {
            map::<c128, c64>(out, x, |v| c64::new(v.re as f32, v.im as f32));
        }
        (DType::C64, DType::Bool) => map::<c64, bool>(out, x, |v| v.re != 0.0 || v.im != 0.0),
        (DType::C128, DType::Bool) => map::<c128, bool>(out, x, |v| v.re != 0.0 || v.im != 0.0),
        (DType::C64, DType::F32) => map::<c64, f32>(out, x, |v| v.re),
        (DType::C128, DType::F64) => map::<c128, f64>(out, x, |v| v.re),
        (DType::F32, DType::C64) => map::<f32, c64>(out, x, |v| c64::new(v, 0.0)),
        (DType::F64, DType::C128) => map::<f64, c128>(out, x, |v| c128::new(v, 0.0)),
        // By way of the parts' dtype.
        (from, _) if from.is_complex() => return cast_into(out, &cast(x, from.real())?),
        (_, to) => return cast_into(out, &cast(x, to.real())?),
    }
    Ok(())
}

/// `iota`
pub(crate) fn iota(dim: usize, dtype: DType, shape: &[i64]) -> Result<Layout> {
    let n = shape.get(dim).copied().unwrap_or(1);
    let line = dispatch!(dtype; all: T => {
        let line = Layout::empty(&[n], dtype)?;
        for (i, c) in (0..n).enumerate() {
            // SAFETY: `line` has n elements of type T.
            unsafe { line.ptr().cast::<T>().add(i).write(T::from_i64(c)) };
        }
        line
    });
    if shape.len() == 1 {
        return Ok(line);
    }
    let mut strides: Strides = smallvec::SmallVec::from_elem(0, shape.len());
    if let Some(s) = strides.get_mut(dim) {
        *s = 1;
    }
    let view = line.view(shape.into(), strides, 0).ok_or_else(outside)?;
    copy_of(&view)
}

fn outside() -> TensorError {
    TensorError::Runtime("view leaves its storage".to_owned())
}

/// The part of `out` that starts at `starts` and has x's extents, `steps` apart.
pub(crate) fn slice_of(x: &Layout, starts: &[i64], sizes: &[i64], steps: &[i64]) -> Result<Layout> {
    let mut offset = x.offset;
    let mut strides = Strides::new();
    for i in 0..x.rank() {
        let at = |s: &[i64]| s.get(i).copied().unwrap_or(0);
        let (start, size, step) = (at(starts), at(sizes), at(steps));
        let extent = at(&x.shape);
        let last = size
            .checked_sub(1)
            .and_then(|n| n.checked_mul(step))
            .and_then(|n| n.checked_add(start));
        let inside = start >= 0
            && size >= 0
            && step >= 1
            && start <= extent
            && last.is_some_and(|l| size == 0 || l < extent);
        if !inside {
            return Err(TensorError::Runtime(format!(
                "slice of {size} elements from {start} in steps of {step} leaves dimension {i} with size {extent}"
            )));
        }
        offset += start * at(&x.strides);
        strides.push(at(&x.strides) * step);
    }
    x.view(sizes.into(), strides, offset).ok_or_else(outside)
}

/// `unslice`
pub(crate) fn unslice(g: &Layout, starts: &[i64], shape: &[i64], steps: &[i64]) -> Result<Layout> {
    let out = Layout::empty(shape, g.dtype)?;
    fill(&out, Scalar::I64(0));
    copy_into(&slice_of(&out, starts, &g.shape, steps)?, g);
    Ok(out)
}

/// `update_slice`
pub(crate) fn update_slice(
    x: &Layout,
    v: &Layout,
    starts: &[i64],
    steps: &[i64],
) -> Result<Layout> {
    let out = Layout::empty(&x.shape, x.dtype)?;
    copy_into(&out, x);
    copy_into(&slice_of(&out, starts, &v.shape, steps)?, v);
    Ok(out)
}

/// `concat`
pub(crate) fn concat(xs: &[&Layout], dim: usize) -> Result<Layout> {
    let first = xs.first().ok_or_else(|| {
        TensorError::Runtime("torch.cat(): expected a non-empty list of Tensors".to_owned())
    })?;
    let mut shape: Shape = first.shape.clone();
    let total: i64 = xs
        .iter()
        .map(|x| x.shape.get(dim).copied().unwrap_or(0))
        .sum();
    if let Some(d) = shape.get_mut(dim) {
        *d = total;
    }
    let out = Layout::empty(&shape, first.dtype)?;
    let steps: Strides = smallvec::SmallVec::from_elem(1, shape.len());
    let mut starts: Shape = smallvec::SmallVec::from_elem(0, shape.len());
    for x in xs {
        copy_into(&slice_of(&out, &starts, &x.shape, &steps)?, x);
        if let (Some(s), Some(d)) = (starts.get_mut(dim), x.shape.get(dim)) {
            *s += d;
        }
    }
    Ok(out)
}

/// `reverse`: read backwards by walking the result's dimension from its end.
pub(crate) fn reverse(x: &Layout, dims: &[usize]) -> Result<Layout> {
    fn of<T: Copy>(out: &Layout, x: &Layout, strides: &[i64], offset: i64) {
        let loops = Loops::new(&out.shape, [&out.strides, strides]);
        let (o, p) = (Shared::<T>::new(out.ptr()), Shared::<T>::new(x.ptr()));
        // SAFETY: for each turned dimension, `offset` starts at its last element and the
        // negated stride walks down to its first.
        loops.each(move |off, n, step| unsafe {
            let (o, p) = (o.at(off[0]), p.at(off[1] + offset as isize));
            for i in 0..n as isize {
                *o.offset(i * step[0]) = *p.offset(i * step[1]);
            }
        });
    }
    let out = Layout::empty(&x.shape, x.dtype)?;
    let mut strides = x.strides.clone();
    let mut offset = 0;
    for &d in dims {
        if let (Some(s), Some(&n)) = (strides.get_mut(d), x.shape.get(d)) {
            offset += (n - 1).max(0) * *s;
            *s = -*s;
        }
    }
    match x.dtype.size() {
        1 => of::<u8>(&out, x, &strides, offset),
        2 => of::<u16>(&out, x, &strides, offset),
        4 => of::<u32>(&out, x, &strides, offset),
        8 => of::<u64>(&out, x, &strides, offset),
        _ => of::<[u64; 2]>(&out, x, &strides, offset),
    }
    Ok(out)
}
