//! Pooling and resizing.
//!
//! In: images, `[N, C, spatial]` or `[C, spatial]`. Out: images of other extents. Always: a window
//! is visited in row-major order, and of equal maxima the first one counts, as in PyTorch.

use janus_tensor::ops::{ArgOp, Axes, ConvKind, Dims, PoolWindow, Prim, ReduceOp};
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::conv::{Window, per_dim};
use super::shape::{at, known_extent, narrow_of};
use super::slope::with_flat_gradient;
use super::{Res, TRes, at_most, expand_to, known, named, no_kernel, rank, runtime, splat_like};
use crate::TorchOps;
use crate::call::{CallArgs, Ret};

const ONE: Dim = Dim::Known(1);

/// What a pooling function was asked for.
struct Pool<T> {
    x: T,
    window: Window,
    padding: Vec<i64>,
    ceil: bool,
    /// Dimensions before the spatial ones.
    lead: usize,
}

/// Arguments: input, kernel_size, stride, padding; the rest differs.
fn pool_args<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    n: usize,
    dilated: Option<usize>,
    ceil: usize,
) -> Result<Pool<B::T>, B::Error> {
    let x = args.tensor(0)?;
    let x = with_flat_gradient(b, x)?;
    let have = rank(b, &x);
    if have != n + 1 && have != n + 2 {
        return Err(runtime::<B>(format!(
            "non-empty {}D or {}D (batch mode) tensor expected for input",
            n + 1,
            n + 2
        )));
    }
    let kernel = per_dim(b, args, 1, n, 1)?;
    let stride = match args.ints_opt(b, 2)? {
        Some(given) if !given.is_empty() => per_dim(b, args, 2, n, 1)?,
        _ => kernel.clone(),
    };
    let padding = per_dim(b, args, 3, n, 0)?;
    let dilation = match dilated {
        Some(i) => per_dim(b, args, i, n, 1)?,
        None => vec![1; n],
    };
    let is_max = dilated.is_some();
    let explicit = matches!(args.ints_opt(b, 2)?, Some(given) if !given.is_empty());
    let is_checked = if is_max { n > 1 } else { explicit || n == 3 };
    if is_checked && stride.contains(&0) {
        return Err(runtime::<B>("stride should not be zero"));
    }
    match n {
        1 if is_max => refuse_max_window::<B>(&kernel, &stride, &dilation, &padding)?,
        _ => {
            for (what, short, v) in [
                ("kernel size", "k", &kernel),
                ("stride", "d", &stride),
                ("dilation", "dilation", &dilation),
            ] {
                refuse_steps::<B>(what, short, v, is_max)?;
            }
        }
    }
    for ((&p, &k), &d) in padding.iter().zip(&kernel).zip(&dilation) {
        if p < 0 {
            return Err(runtime::<B>(format!(
                "pad must be non-negative, but got pad: {p}"
            )));
        }
        if p > (d * (k - 1) + 1) / 2 {
            return Err(runtime::<B>(format!(
                "pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}"
            )));
        }
    }
    Ok(Pool {
        lead: have - n,
        x,
        window: Window {
            kernel,
            stride,
            dilation,
        },
        padding,
        ceil: args.flag(ceil)?,
    })
}

/// What `max_pool1d` says of a window that is none.
fn refuse_max_window<B: TorchOps>(
    kernel: &[i64],
    stride: &[i64],
    dilation: &[i64],
    padding: &[i64],
) -> Result<(), B::Error> {
    let first = |v: &[i64]| v.first().copied().unwrap_or(1);
    for (what, n) in [("kernel_size", first(kernel)), ("stride", first(stride))] {
        if n <= 0 {
            return Err(runtime::<B>(format!(
                "max_pool1d() {what} must be greater than zero, but got {n}"
            )));
        }
    }
    let (p, k, d) = (first(padding), first(kernel), first(dilation));
    if p < 0 {
        return Err(runtime::<B>(format!(
            "max_pool1d() padding must be non-negative, but got {p}"
        )));
    }
    if p > k / 2 {
        return Err(runtime::<B>(format!(
            "max_pool1d() padding should be at most half of kernel size, but got padding={p} and kernel_size={k}"
        )));
    }
    if d <= 0 {
        return Err(runtime::<B>(format!(
            "max_pool1d() dilation must be greater than zero, but got {d}"
        )));
    }
    Ok(())
}

/// Refuses extents and steps of a window that are not above zero. Of the average of one or two dimensions PyTorch
/// keeps them as unsigned numbers.
fn refuse_steps<B: TorchOps>(
    what: &str,
    short: &str,
    v: &[i64],
    is_max: bool,
) -> Result<(), B::Error> {
    if v.iter().all(|&n| n > 0) {
        return Ok(());
    }
    if v.len() < 3 && !is_max {
        return Err(runtime::<B>("integer out of range"));
    }
    let names: &[&str] = match v.len() {
        3 => &["T", "H", "W"],
        _ => &["H", "W"],
    };
    let all: Vec<String> = names
        .iter()
        .zip(v)
        .map(|(d, n)| format!("{short}{d}: {n}"))
        .collect();
    Err(runtime::<B>(format!(
        "{what} should be greater than zero, but got {}",
        all.join(" ")
    )))
}

impl<T: Clone> Pool<T> {
    /// Extents of the result, and the padding that the last windows need at the end.
    fn extents<B: TorchOps<T = T>>(&self, b: &mut B) -> Result<(Dims, Vec<i64>), B::Error> {
        let shape = b.shape(&self.x);
        let (mut out, mut after) = (Dims::new(), Vec::new());
        for (i, &p) in self.padding.iter().enumerate() {
            let extent = at(&shape, self.lead + i);
            let reach = self.window.reach(i);
            let stride = self.window.stride.get(i).copied().unwrap_or(1);
            let mut last = p;
            let count = if self.ceil {
                let n = known_extent::<B>(&shape, self.lead + i, "ceil_mode")?;
                let room = n + 2 * p - reach;
                let mut count = (room + stride - 1).div_euclid(stride) + 1;
                // A window starts inside the image or its left padding.
                if (count - 1) * stride >= n + p {
                    count -= 1;
                }
                last = p.max((count - 1) * stride + reach - n - p);
                Dim::Known(count)
            } else {
                let padded = b.dim_add(extent, Dim::Known(2 * p))?;
                self.window.count(b, i, padded)?
            };
            out.push(count);
            after.push(last);
        }
        let mut there = true;
        for &n in &out {
            there = there && at_most(b, Dim::Known(1), n)?;
        }
        if !there {
            let text = |dims: &[Dim]| {
                let channel = at(&shape, self.lead - 1);
                let all: Vec<String> = [channel]
                    .iter()
                    .chain(dims)
                    .map(|d| d.known().unwrap_or(-1).to_string())
                    .collect();
                all.join("x")
            };
            return Err(runtime::<B>(format!(
                "Given input size: ({}). Calculated output size: ({}). Output size is too small",
                text(shape.get(self.lead..).unwrap_or_default()),
                text(&out)
            )));
        }
        Ok((out, after))
    }
}

fn max_pool<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    n: usize,
    want_indices: bool,
    label: &'static str,
) -> Res<B> {
    let pool = pool_args(b, args, n, Some(4), 5)?;
    max_pooled(b, &pool, want_indices, label)
}

fn max_pooled<B: TorchOps>(
    b: &mut B,
    pool: &Pool<B::T>,
    want_indices: bool,
    label: &'static str,
) -> Res<B> {
    let (out, _) = pool.extents(b)?;
    let shape = b.shape(&pool.x);
    let image = shape.get(pool.lead..).unwrap_or_default();
    let lead = shape.get(..pool.lead).unwrap_or_default();
    let planes = b.numel(lead)?;
    let mut full: Dims = [ONE, planes].into_iter().collect();
    full.extend_from_slice(image);
    let mut windows: Dims = [ONE, planes].into_iter().collect();
    windows.extend_from_slice(&out);
    let x = b.reshape(&pool.x, &full)?;
    let window = PoolWindow {
        kernel: pool.window.kernel.as_slice().into(),
        strides: pool.window.stride.as_slice().into(),
        padding: pool.padding.as_slice().into(),
        dilation: pool.window.dilation.as_slice().into(),
    };
    let prim = Prim::PoolArgmax {
        window,
        shape: windows,
    };
    let place = b.apply(prim, &[&x])?;
    // The value by its index: of equal maxima the first one gets the gradient.
    let (size, count) = (b.numel(image)?, b.numel(&out)?);
    let flat = b.reshape(&x, &[planes, size])?;
    let flat_place = b.reshape(&place, &[planes, count])?;
    let value = b.gather(&flat, 1, &flat_place)?;
    let mut result: Dims = lead.into();
    result.extend_from_slice(&out);
    let value = b.reshape(&value, &result)?;
    let value = labelled(b, value, pool.padding.len(), label)?;
    if !want_indices {
        return Ok(Ret::Tensor(value));
    }
    let place = b.reshape(&place, &result)?;
    Ok(Ret::Tuple(vec![Ret::Tensor(value), Ret::Tensor(place)]))
}

macro_rules! max_pools {
    ($($name:ident, $with:ident, $n:literal, $label:literal;)*) => { $(
        #[doc = concat!("`", stringify!($name), "`")]
        pub fn $name<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let indices = args.flag(6)?;
            max_pool(b, args, $n, indices, $label)
        }

        #[doc = concat!("`", stringify!($with), "`")]
        pub fn $with<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            max_pool(b, args, $n, true, $label)
        }
    )* };
}

max_pools! {
    max_pool1d, max_pool1d_with_indices, 1, "MaxPool2DWithIndicesBackward0";
    max_pool2d, max_pool2d_with_indices, 2, "MaxPool2DWithIndicesBackward0";
    max_pool3d, max_pool3d_with_indices, 3, "MaxPool3DWithIndicesBackward0";
}

fn avg_pool<B: TorchOps>(b: &mut B, args: &CallArgs<B>, n: usize, label: &'static str) -> Res<B> {
    let pool = pool_args(b, args, n, None, 4)?;
    let dtype = b.dtype(&pool.x);
    if !dtype.is_float() && dtype != DType::I64 {
        let kernel = if n == 3 {
            "avg_pool3d_out_frame"
        } else {
            "avg_pool2d"
        };
        return Err(no_kernel::<B>(kernel, dtype));
    }
    let whole = args.flag_or(5, true)?;
    let divisor = if n > 1 { args.int_opt(b, 6)? } else { None };
    if divisor == Some(0) {
        return Err(runtime::<B>("divisor must be not zero"));
    }
    let (out, after) = pool.extents(b)?;
    let sum = window_sums(b, &pool, &out)?;
    let plain = after == pool.padding && (whole || pool.padding.iter().all(|&p| p == 0));
    let count = match divisor {
        Some(d) => splat_like(b, d, &sum)?,
        None if plain => {
            let size: i64 = pool.window.kernel.iter().product();
            splat_like(b, size, &sum)?
        }
        None => {
            let counts = counts(b, &pool, &out, whole)?;
            let shape = b.shape(&sum);
            let counts = b.cast(&counts, b.dtype(&sum))?;
            expand_to(b, &counts, &shape)?
        }
    };
    if dtype == DType::I64 {
        // The quotient of ints is cut off towards zero.
        let (size, side) = (b.abs(&sum)?, b.sign(&sum)?);
        let size = b.floor_div(&size, &count)?;
        return Ok(Ret::Tensor(b.mul(&size, &side)?));
    }
    let t = b.div(&sum, &count)?;
    Ok(Ret::Tensor(labelled(b, t, n, label)?))
}

/// The result under its name: what pools along one dimension is PyTorch's pooling along two, of which one is squeezed.
fn labelled<B: TorchOps>(b: &mut B, t: B::T, n: usize, label: &'static str) -> TRes<B> {
    if n > 1 {
        b.label(&t, label);
        return Ok(t);
    }
    let shape = b.shape(&t);
    let mut wide = shape.clone();
    wide.insert(shape.len() - 1, ONE);
    let t = b.reshape(&t, &wide)?;
    b.label(&t, label);
    let t = b.reshape(&t, &shape)?;
    b.label(&t, "SqueezeBackward1");
    Ok(t)
}

/// The sum of each window: a convolution with ones, each channel by itself.
fn window_sums<B: TorchOps>(b: &mut B, pool: &Pool<B::T>, out: &[Dim]) -> TRes<B> {
    let shape = b.shape(&pool.x);
    let (lead, image) = (
        shape.get(..pool.lead).unwrap_or_default(),
        shape.get(pool.lead..).unwrap_or_default(),
    );
    let planes = b.numel(lead)?;
    let with = |extents: &[Dim]| -> Dims {
        let mut all: Dims = [planes, ONE].into_iter().collect();
        all.extend_from_slice(extents);
        all
    };
    let x = b.reshape(&pool.x, &with(image))?;
    let kernel: Dims = [ONE, ONE]
        .into_iter()
        .chain(pool.window.kernel.iter().map(|&k| Dim::Known(k)))
        .collect();
    let one = b.scalar(Scalar::I64(1));
    let ones = b.full(&one, b.dtype(&x), &kernel)?;
    let window = pool.window.convolution(&pool.padding, 1);
    let sums = b.conv(ConvKind::Forward, &x, &ones, &window, &with(out))?;
    let mut result: Dims = lead.into();
    result.extend_from_slice(out);
    b.reshape(&sums, &result)
}

/// How many elements each window divides by: those inside the image, or inside its padding too.
fn counts<B: TorchOps>(b: &mut B, pool: &Pool<B::T>, out: &[Dim], whole: bool) -> TRes<B> {
    let shape = b.shape(&pool.x);
    let mut all = vec![1i64];
    for (i, &p) in pool.padding.iter().enumerate() {
        let n = known_extent::<B>(&shape, pool.lead + i, "average pooling")?;
        let windows = known_extent::<B>(out, i, "average pooling")?;
        let stride = pool.window.stride.get(i).copied().unwrap_or(1);
        let (first, last) = if whole { (-p, n + p) } else { (0, n) };
        let each: Vec<i64> = (0..windows)
            .map(|w| {
                let start = w * stride - p;
                (start + pool.window.reach(i)).min(last) - start.max(first)
            })
            .collect();
        all = all
            .iter()
            .flat_map(|a| each.iter().map(move |e| a * e))
            .collect();
    }
    let data: Vec<Scalar> = all.into_iter().map(Scalar::I64).collect();
    b.constant(&data, &known(out), DType::I64)
}

/// `avg_pool1d`
pub fn avg_pool1d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    avg_pool(b, args, 1, "AvgPool2DBackward0")
}

/// `avg_pool2d`
pub fn avg_pool2d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    avg_pool(b, args, 2, "AvgPool2DBackward0")
}

/// `avg_pool3d`
pub fn avg_pool3d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    avg_pool(b, args, 3, "AvgPool3DBackward0")
}

/// Where the windows of adaptive pooling begin and end.
fn bounds(extent: i64, windows: i64) -> Vec<(i64, i64)> {
    (0..windows)
        .map(|i| {
            let end = (i + 1) * extent;
            (i * extent / windows, (end + windows - 1) / windows)
        })
        .collect()
}

/// The bounds of one window in each spatial dimension.
type Cell = Vec<(i64, i64)>;

/// The spatial dimensions split into windows, each given to `reduce` with its bounds, which drops the last
/// dimension.
fn adaptive<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    n: usize,
    mut reduce: impl FnMut(&mut B, &B::T, &Cell) -> TRes<B>,
) -> TRes<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    if shape.len() != n + 1 && shape.len() != n + 2 {
        return Err(runtime::<B>(format!(
            "adaptive_pool{n}d(): Expected {}D or {}D tensor, but got {}",
            n + 1,
            n + 2,
            janus_tensor::ShapeText::from(known(&shape).as_slice())
        )));
    }
    let lead = shape.len() - n;
    let wanted = args.optional_ints(b, 1, n)?;
    let mut cells: Vec<Cell> = vec![Vec::new()];
    let mut out: Dims = shape.get(..lead).unwrap_or_default().into();
    for (i, want) in wanted.iter().enumerate() {
        let extent = known_extent::<B>(&shape, lead + i, "adaptive pooling")?;
        let windows = want.unwrap_or(extent);
        out.push(Dim::Known(windows));
        let each = bounds(extent, windows);
        cells = cells
            .into_iter()
            .flat_map(|cell| {
                each.iter().map(move |&part| {
                    let mut next = cell.clone();
                    next.push(part);
                    next
                })
            })
            .collect();
    }
    let mut parts = Vec::with_capacity(cells.len());
    for cell in &cells {
        let mut t = x.clone();
        for (i, &(start, end)) in cell.iter().enumerate() {
            t = narrow_of(b, &t, lead + i, Dim::Known(start), Dim::Known(end - start))?;
        }
        let mut flat: Dims = shape.get(..lead).unwrap_or_default().into();
        flat.push(Dim::Known(cell.iter().map(|(s, e)| e - s).product()));
        let t = b.reshape(&t, &flat)?;
        let t = reduce(b, &t, cell)?;
        let mut column: Dims = shape.get(..lead).unwrap_or_default().into();
        column.push(ONE);
        parts.push(b.reshape(&t, &column)?);
    }
    let refs: Vec<&B::T> = parts.iter().collect();
    let t = match refs.as_slice() {
        [one] => (*one).clone(),
        [] => {
            let mut none: Dims = shape.get(..lead).unwrap_or_default().into();
            none.push(Dim::Known(0));
            let zero = b.scalar(Scalar::I64(0));
            b.full(&zero, b.dtype(&x), &none)?
        }
        many => b.concat(many, lead)?,
    };
    b.reshape(&t, &out)
}

/// Adaptive pooling that is pooling: windows of one size that touch each other.
fn as_pool<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    n: usize,
) -> Result<Option<(Pool<B::T>, Dims)>, B::Error> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let Some(lead @ 1..=2) = shape.len().checked_sub(n) else {
        return Ok(None);
    };
    let (mut kernel, mut out) = (Vec::new(), Dims::new());
    for (i, want) in args.optional_ints(b, 1, n)?.into_iter().enumerate() {
        let extent = known_extent::<B>(&shape, lead + i, "adaptive pooling")?;
        let windows = want.unwrap_or(extent);
        if windows < 1 || extent == 0 || extent % windows != 0 {
            return Ok(None);
        }
        kernel.push(extent / windows);
        out.push(Dim::Known(windows));
    }
    // One window is a plain reduction.
    if out.iter().all(|d| *d == ONE) {
        return Ok(None);
    }
    let window = Window {
        stride: kernel.clone(),
        dilation: vec![1; n],
        kernel,
    };
    let pool = Pool {
        x,
        window,
        padding: vec![0; n],
        ceil: false,
        lead,
    };
    Ok(Some((pool, out)))
}

fn adaptive_avg<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    n: usize,
    label: &'static str,
) -> Res<B> {
    if let Some((pool, out)) = as_pool(b, args, n)? {
        let sum = window_sums(b, &pool, &out)?;
        let size: i64 = pool.window.kernel.iter().product();
        let count = splat_like(b, size, &sum)?;
        let t = b.div(&sum, &count)?;
        return Ok(Ret::Tensor(labelled(b, t, n, label)?));
    }
    let t = adaptive(b, args, n, |b, cell, _| {
        let last = rank(b, cell) - 1;
        let count = known_extent::<B>(&b.shape(cell), last, "average pooling")?;
        let sum = b.reduce(ReduceOp::Sum, cell, &[last])?;
        let count = splat_like(b, count, &sum)?;
        b.div(&sum, &count)
    })?;
    // The mean of whole images is a mean.
    let shape = b.shape(&t);
    let image = shape.get(shape.len() - n..).unwrap_or_default();
    let label = match image.iter().all(|d| *d == ONE) {
        true => "MeanBackward1",
        false => label,
    };
    Ok(Ret::Tensor(labelled(b, t, n, label)?))
}

fn adaptive_max<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    n: usize,
    label: &'static str,
) -> Res<B> {
    let want_indices = args.flag(2)?;
    if let Some((pool, _)) = as_pool(b, args, n)? {
        return max_pooled(b, &pool, want_indices, label);
    }
    // Through the index: of equal maxima the first one gets the gradient.
    let mut places = Vec::new();
    let values = adaptive(b, args, n, |b, cell, _| {
        let last = rank(b, cell) - 1;
        let place = b.arg_reduce(ArgOp::Max, cell, last)?;
        let mut shape = b.shape(&place);
        shape.push(ONE);
        let place = b.reshape(&place, &shape)?;
        places.push(place.clone());
        b.gather(cell, last, &place)
    })?;
    let values = labelled(b, values, n, label)?;
    if !want_indices {
        return Ok(Ret::Tensor(values));
    }
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let image = known(shape.get(shape.len() - n..).unwrap_or_default());
    let mut places = places.into_iter();
    let indices = adaptive(b, args, n, |b, _, cell| {
        // Where each element of the window stands in the image.
        let mut at = vec![0];
        for (&(start, end), extent) in cell.iter().zip(&image) {
            at = at
                .iter()
                .flat_map(|base| (start..end).map(move |k| base * extent + k))
                .collect();
        }
        let at: Vec<Scalar> = at.into_iter().map(Scalar::I64).collect();
        let count = at.len() as i64;
        let at = b.constant(&at, &[count], DType::I64)?;
        match places.next() {
            Some(place) => b.take(&at, 0, &place),
            None => Err(runtime::<B>("adaptive pooling: a window without a place")),
        }
    })?;
    Ok(Ret::Tuple(vec![Ret::Tensor(values), Ret::Tensor(indices)]))
}

macro_rules! adaptive_pools {
    ($($name:ident, $body:ident, $n:literal, $label:literal;)*) => { $(
        #[doc = concat!("`", stringify!($name), "`")]
        pub fn $name<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            $body(b, args, $n, $label)
        }
    )* };
}

adaptive_pools! {
    adaptive_avg_pool1d, adaptive_avg, 1, "AdaptiveAvgPool2DBackward0";
    adaptive_avg_pool2d, adaptive_avg, 2, "AdaptiveAvgPool2DBackward0";
    adaptive_avg_pool3d, adaptive_avg, 3, "AdaptiveAvgPool3DBackward0";
    adaptive_max_pool1d, adaptive_max, 1, "AdaptiveMaxPool2DBackward0";
    adaptive_max_pool2d, adaptive_max, 2, "AdaptiveMaxPool2DBackward0";
    adaptive_max_pool3d, adaptive_max, 3, "AdaptiveMaxPool3DBackward0";
}

/// Source positions of a resized dimension.
struct Resize {
    from: i64,
    to: i64,
    /// Source steps per step.
    scale: f64,
}

/// One dimension by nearest neighbours.
fn nearest<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, r: &Resize, exact: bool) -> TRes<B> {
    let shift = if exact { 0.5 } else { 0.0 };
    let scale = r.scale as f32;
    let index: Vec<Scalar> = (0..r.to)
        .map(|i| {
            let source = ((i as f32 + shift) * scale).floor() as i64;
            Scalar::I64(source.clamp(0, (r.from - 1).max(0)))
        })
        .collect();
    let index = b.constant(&index, &[r.to], DType::I64)?;
    b.take(x, dim, &index)
}

/// One dimension by linear interpolation.
fn linear<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, r: &Resize, corners: bool) -> TRes<B> {
    let dtype = b.dtype(x);
    let (mut low, mut high, mut weight, mut rest) = (vec![], vec![], vec![], vec![]);
    for i in 0..r.to {
        let source = if corners {
            i as f64 * r.scale
        } else {
            ((i as f64 + 0.5) * r.scale - 0.5).max(0.0)
        };
        // PyTorch computes positions in the tensor's own precision.
        let source = if dtype == DType::F64 {
            source
        } else {
            f64::from(if corners {
                i as f32 * r.scale as f32
            } else {
                ((i as f32 + 0.5) * r.scale as f32 - 0.5).max(0.0)
            })
        };
        let first = (source.floor() as i64).clamp(0, (r.from - 1).max(0));
        let part = source - first as f64;
        low.push(Scalar::I64(first));
        high.push(Scalar::I64((first + 1).min((r.from - 1).max(0))));
        weight.push(Scalar::F64(part));
        rest.push(Scalar::F64(1.0 - part));
    }
    let low = b.constant(&low, &[r.to], DType::I64)?;
    let high = b.constant(&high, &[r.to], DType::I64)?;
    let (p, q) = (b.take(x, dim, &low)?, b.take(x, dim, &high)?);
    let shape = b.shape(&p);
    let axes: Axes = [dim].as_slice().into();
    let weight = b.constant(&weight, &[r.to], dtype)?;
    let weight = b.broadcast(&weight, &shape, &axes)?;
    let rest = b.constant(&rest, &[r.to], dtype)?;
    let rest = b.broadcast(&rest, &shape, &axes)?;
    let (p, q) = (b.mul(&rest, &p)?, b.mul(&weight, &q)?);
    b.add(&p, &q)
}

/// One dimension by cubic convolution: the four elements around a position, at the ends the last one again.
fn cubic<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, r: &Resize, corners: bool) -> TRes<B> {
    let dtype = b.dtype(x);
    let last = (r.from - 1).max(0);
    let mut index: [Vec<Scalar>; 4] = Default::default();
    let mut weight: [Vec<Scalar>; 4] = Default::default();
    for i in 0..r.to {
        // PyTorch computes positions and weights in the tensor's own precision.
        let (first, weights) = if dtype == DType::F64 {
            cubic_weights(i as f64, r.scale, corners, last)
        } else {
            let (first, weights) = cubic_weights(i as f32, r.scale as f32, corners, last);
            (first, weights.map(f64::from))
        };
        let lists = index.iter_mut().zip(&mut weight);
        for ((place, value), (index, weight)) in (first - 1..).zip(weights).zip(lists) {
            index.push(Scalar::I64(place.clamp(0, last)));
            weight.push(Scalar::F64(value));
        }
    }
    let axes: Axes = [dim].as_slice().into();
    let mut sum: Option<B::T> = None;
    for (index, weight) in index.iter().zip(&weight) {
        let index = b.constant(index, &[r.to], DType::I64)?;
        let part = b.take(x, dim, &index)?;
        let shape = b.shape(&part);
        let weight = b.constant(weight, &[r.to], dtype)?;
        let weight = b.broadcast(&weight, &shape, &axes)?;
        let part = b.mul(&part, &weight)?;
        sum = Some(match sum {
            Some(before) => b.add(&before, &part)?,
            None => part,
        });
    }
    sum.ok_or_else(|| runtime::<B>("an interpolation of nothing"))
}

/// The element before position `i` of the result, and the weights of the one before it, of it, and of the
/// two behind it.
fn cubic_weights<F: num_traits::Float + num_traits::AsPrimitive<i64>>(
    i: F,
    scale: F,
    corners: bool,
    last: i64,
) -> (i64, [F; 4]) {
    let number = |v: f64| F::from(v).unwrap_or_else(F::zero);
    let half = number(0.5);
    let source = if corners {
        scale * i
    } else {
        scale * (i + half) - half
    };
    let first = source.floor().as_().min(last);
    let t = (source - number(first as f64)).max(F::zero()).min(F::one());
    let a = number(-0.75);
    let near = |x: F| ((a + number(2.0)) * x - (a + number(3.0))) * x * x + F::one();
    let far = |x: F| ((a * x - number(5.0) * a) * x + number(8.0) * a) * x - number(4.0) * a;
    let rest = F::one() - t;
    (
        first,
        [far(t + F::one()), near(t), near(rest), far(rest + F::one())],
    )
}

/// Fails for images that have no elements, or will have none.
fn check_sizes<B: TorchOps>(shape: &[Dim], to: &[i64]) -> Result<(), B::Error> {
    let lead = shape.len().saturating_sub(to.len());
    let from = shape.get(lead..).unwrap_or_default();
    let none = |n: &i64| *n <= 0;
    if to.iter().any(none) || from.iter().any(|d| d.known().is_some_and(|n| none(&n))) {
        let text = |list: &[i64]| {
            let names = ["D", "H", "W"].into_iter().skip(3 - list.len().min(3));
            let parts: Vec<String> = names.zip(list).map(|(d, n)| format!("{d}: {n}")).collect();
            parts.join(", ")
        };
        let from: Vec<i64> = from.iter().map(|d| d.known().unwrap_or(-1)).collect();
        let and = if to.len() == 1 { "and " } else { "" };
        return Err(runtime::<B>(format!(
            "Input and output sizes should be greater than 0, but got input ({}) {and}output ({})",
            text(&from),
            text(to)
        )));
    }
    let others = shape.get(1..lead).unwrap_or_default();
    if others.contains(&Dim::Known(0)) {
        return Err(runtime::<B>(format!(
            "Non-empty {}D data tensor expected but got a tensor with sizes {}",
            shape.len(),
            janus_tensor::ShapeText::from(super::known(shape).as_slice())
        )));
    }
    Ok(())
}

/// PyTorch's kernel of a mode: images of one channel count as those with channels last.
fn upsampling(mode: &str, is_flat_image: bool) -> &'static str {
    match mode {
        "nearest" | "nearest-exact" if is_flat_image => "upsample_nearest2d_channels_last",
        "nearest" | "nearest-exact" => "compute_indices_weights_nearest",
        "bilinear" if is_flat_image => "upsample_bilinear2d_channels_last",
        "bicubic" => "compute_indices_weights_cubic",
        _ => "compute_indices_weights_linear",
    }
}

/// `F.interpolate` of known extents: `input, size, scale, mode, align_corners`, where `scale` are
/// the factors to compute positions with, empty for those that follow from the extents.
pub fn resize<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut x = args.tensor(0)?;
    let size = args.ints_opt(b, 1)?.unwrap_or_default();
    let factors = args.floats(b, 2)?;
    let mode = args.str_or(3, "nearest")?;
    let dtype = b.dtype(&x);
    let bytes = dtype == DType::U8 && mode.starts_with("nearest");
    if !dtype.is_float() && !bytes {
        if dtype == DType::U8 && matches!(mode.as_str(), "bilinear" | "bicubic") {
            return Err(TensorError::NotImplemented(format!(
                "torch.nn.functional.interpolate of uint8 with mode='{mode}' is not implemented in janus-jit yet"
            ))
            .into());
        }
        let is_flat_image = size.len() == 2 && b.shape(&x).get(1) == Some(&ONE);
        return Err(no_kernel::<B>(upsampling(&mode, is_flat_image), dtype));
    }
    let corners = args.flag(4)?;
    let shape = b.shape(&x);
    let lead = shape.len().saturating_sub(size.len());
    check_sizes::<B>(&shape, &size)?;
    // Rows last: PyTorch interpolates along a row first.
    for (i, &to) in size.iter().enumerate().rev() {
        let from = known_extent::<B>(&shape, lead + i, "interpolate")?;
        let scale = match factors.get(i) {
            _ if corners && to > 1 => (from - 1) as f64 / (to - 1) as f64,
            _ if corners => 0.0,
            Some(f) => 1.0 / f,
            None => from as f64 / to as f64,
        };
        let r = Resize { from, to, scale };
        x = match mode.as_str() {
            "nearest" => nearest(b, &x, lead + i, &r, false)?,
            "nearest-exact" => nearest(b, &x, lead + i, &r, true)?,
            "linear" | "bilinear" | "trilinear" => linear(b, &x, lead + i, &r, corners)?,
            "bicubic" => cubic(b, &x, lead + i, &r, corners)?,
            other => {
                return Err(TensorError::NotImplemented(format!(
                    "torch.nn.functional.interpolate: mode '{other}' is not implemented in janus-jit yet"
                ))
                .into());
            }
        };
    }
    named(
        b,
        x,
        match mode.as_str() {
            "nearest" => [
                "UpsampleNearest1DBackward0",
                "UpsampleNearest2DBackward0",
                "UpsampleNearest3DBackward0",
            ][size.len().clamp(1, 3) - 1],
            "nearest-exact" => [
                "UpsampleNearestExact1DBackward0",
                "UpsampleNearestExact2DBackward0",
                "UpsampleNearestExact3DBackward0",
            ][size.len().clamp(1, 3) - 1],
            "bicubic" => "UpsampleBicubic2DBackward0",
            "linear" => "UpsampleLinear1DBackward0",
            "trilinear" => "UpsampleTrilinear3DBackward0",
            _ => "UpsampleBilinear2DBackward0",
        },
    )
}
