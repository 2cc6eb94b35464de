//! Convolutions, and windows as columns.
//!
//! In: images and filters with one to three spatial dimensions. Out: images. Always: a transposed
//! convolution is the gradient of a convolution's image, and computed as that.

use janus_tensor::ops::{Axes, ConvKind, ConvWindow, Dims};
use janus_tensor::{Dim, ShapeText, TensorError};

use super::complex::{joined, part};
use super::shape::{at, known_extent};
use super::{Res, TRes, at_most, expand_to, known, named, no_kernel, rank, runtime};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret};

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// How a kernel moves over the spatial dimensions.
#[derive(Clone, Debug)]
pub struct Window {
    /// Extents of the kernel.
    pub kernel: Vec<i64>,
    /// Steps between windows.
    pub stride: Vec<i64>,
    /// Steps between elements of a window.
    pub dilation: Vec<i64>,
}

impl Window {
    /// Positions inside the kernel, row-major.
    pub fn offsets(&self) -> Vec<Vec<i64>> {
        let mut all = vec![Vec::new()];
        for &n in &self.kernel {
            all = all
                .into_iter()
                .flat_map(|head: Vec<i64>| {
                    (0..n).map(move |i| {
                        let mut next = head.clone();
                        next.push(i);
                        next
                    })
                })
                .collect();
        }
        all
    }

    /// As a primitive takes it.
    pub fn convolution(&self, padding: &[i64], groups: i64) -> ConvWindow {
        ConvWindow {
            strides: self.stride.as_slice().into(),
            padding: padding.into(),
            dilation: self.dilation.as_slice().into(),
            groups,
        }
    }

    /// What a window covers of dimension `i`.
    pub fn reach(&self, i: usize) -> i64 {
        let one = |v: &[i64]| v.get(i).copied().unwrap_or(1);
        one(&self.dilation) * (one(&self.kernel) - 1) + 1
    }

    /// Number of windows over a padded extent.
    pub fn count<B: TorchOps>(&self, b: &mut B, i: usize, padded: Dim) -> Result<Dim, B::Error> {
        let room = b.dim_sub(padded, Dim::Known(self.reach(i)))?;
        let room = b.not_negative(room)?;
        let stride = self.stride.get(i).copied().unwrap_or(1);
        if stride == 1 {
            return b.dim_add(room, ONE);
        }
        let steps = b.dim_binary(janus_tensor::ops::DimOp::Div, room, Dim::Known(stride))?;
        b.dim_add(steps, ONE)
    }

    /// The elements at one position of all windows; `x` has `lead` dimensions before the spatial
    /// ones.
    pub fn part<B: TorchOps>(
        &self,
        b: &mut B,
        x: &B::T,
        lead: usize,
        offset: &[i64],
        out: &[Dim],
    ) -> TRes<B> {
        let mut sizes: Dims = b.shape(x).get(..lead).unwrap_or_default().into();
        let mut starts: Dims = sizes.iter().map(|_| ZERO).collect();
        let mut strides: Vec<i64> = sizes.iter().map(|_| 1).collect();
        for (i, &o) in offset.iter().enumerate() {
            starts.push(Dim::Known(o * self.dilation.get(i).copied().unwrap_or(1)));
            strides.push(self.stride.get(i).copied().unwrap_or(1));
        }
        sizes.extend_from_slice(out);
        b.slice(x, &starts, &sizes, &strides)
    }
}

/// One int per spatial dimension.
pub(super) fn per_dim<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    i: usize,
    n: usize,
    default: i64,
) -> Result<Vec<i64>, B::Error> {
    let Some(given) = args.ints_opt(b, i)? else {
        return Ok(vec![default; n]);
    };
    let name = args.param(i);
    if name == "kernel_size" && given.len() != 1 && given.len() != n {
        let function = args.name();
        return Err(runtime::<B>(match (function, n) {
            ("unfold" | "fold", _) => {
                format!(
                    "It is expected kernel_size equals to {n}, but got size {}",
                    given.len()
                )
            }
            (_, 1) => format!(
                "{function}() argument 'kernel_size' should contain one int (got {})",
                given.len()
            ),
            (_, 2) => format!(
                "{function}: kernel_size must either be a single int, or a tuple of two ints"
            ),
            _ => format!("{function}: kernel_size must be a single int, or a tuple of three ints"),
        }));
    }
    match given[..] {
        [one] => Ok(vec![one; n]),
        // An empty stride is the kernel's: the caller puts it in.
        [] => Ok(vec![default; n]),
        _ if given.len() == n => Ok(given),
        _ => Err(runtime::<B>(format!(
            "expected {name} to be a single integer value or a list of {n} values to match the convolution dimensions, but got {name}={}",
            ShapeText::from(given.as_slice())
        ))),
    }
}

/// Zeros around the spatial dimensions.
pub(super) fn pad_zeros<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    lead: usize,
    before: &[i64],
    after: &[i64],
) -> TRes<B> {
    if before.iter().chain(after).all(|&p| p == 0) {
        return Ok(x.clone());
    }
    let mut shape = b.shape(x);
    let mut starts: Dims = shape.iter().map(|_| ZERO).collect();
    for (i, (&p, &q)) in before.iter().zip(after).enumerate() {
        let wide = b.dim_add(at(&shape, lead + i), Dim::Known(p + q))?;
        if let (Some(d), Some(s)) = (shape.get_mut(lead + i), starts.get_mut(lead + i)) {
            *d = wide;
            *s = Dim::Known(p);
        }
    }
    let strides: Vec<i64> = shape.iter().map(|_| 1).collect();
    b.unslice(x, &starts, &shape, &strides)
}

fn swap_batch<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let mut order: Axes = (0..rank(b, x)).collect();
    order.swap(0, 1);
    b.permute(x, &order)
}

/// `[C, N, spatial]` to the windows' elements, `[C, kernel, N * windows]`.
fn columns<B: TorchOps>(b: &mut B, x: &B::T, window: &Window, out: &[Dim]) -> TRes<B> {
    let shape = b.shape(x);
    let channels = at(&shape, 0);
    let mut flat: Dims = [at(&shape, 1)].into_iter().collect();
    flat.extend_from_slice(out);
    let length = b.numel(&flat)?;
    let mut parts = Vec::new();
    for offset in window.offsets() {
        let part = window.part(b, x, 2, &offset, out)?;
        parts.push(b.reshape(&part, &[channels, ONE, length])?);
    }
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let refs: Vec<&B::T> = parts.iter().collect();
    b.concat(&refs, 1)
}

/// What all convolutions check of their operands.
fn check<B: TorchOps>(b: &B, x: &B::T, w: &B::T, bias: Option<&B::T>) -> Result<(), B::Error> {
    let (p, q) = (b.dtype(x), b.dtype(w));
    if let Some(bias) = bias
        && b.dtype(bias) != p
    {
        return Err(runtime::<B>(format!(
            "Input type ({}) and bias type ({}) should be the same",
            p.c_name(),
            b.dtype(bias).c_name()
        )));
    }
    if p != q {
        return Err(runtime::<B>(format!(
            "expected scalar type {} but found {}",
            p.scalar_type_name(),
            q.scalar_type_name()
        )));
    }
    Ok(())
}

/// A tensor's shape as error messages show it.
pub(super) fn shape_text<B: TorchOps>(b: &B, t: &B::T) -> ShapeText {
    ShapeText::from(known(&b.shape(t)).as_slice())
}

fn batched<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    n: usize,
    name: &str,
) -> Result<(B::T, bool), B::Error> {
    let have = rank(b, x);
    if have != n + 1 && have != n + 2 {
        return Err(runtime::<B>(format!(
            "Expected {}D (unbatched) or {}D (batched) input to {name}, but got input of size: {}",
            n + 1,
            n + 2,
            shape_text(b, x)
        )));
    }
    if have == n + 2 {
        return Ok((x.clone(), false));
    }
    let mut shape = b.shape(x);
    shape.insert(0, ONE);
    Ok((b.reshape(x, &shape)?, true))
}

/// Adds the bias and drops a batch dimension that was added.
fn finish<B: TorchOps>(
    b: &mut B,
    t: B::T,
    bias: Option<&B::T>,
    single: bool,
    label: &'static str,
) -> Res<B> {
    let mut t = t;
    let shape = b.shape(&t);
    t = match bias {
        Some(bias) => {
            let mut wide: Dims = shape.iter().map(|_| ONE).collect();
            if let Some(d) = wide.get_mut(1) {
                *d = at(&shape, 1);
            }
            let bias = b.reshape(bias, &wide)?;
            let bias = expand_to(b, &bias, &shape)?;
            b.add(&t, &bias)?
        }
        None => b.contiguous(&t)?,
    };
    if single {
        b.label(&t, label);
        t = b.reshape(&t, shape.get(1..).unwrap_or_default())?;
        return named(b, t, "SqueezeBackward1");
    }
    named(b, t, label)
}

fn check_bias<B: TorchOps>(
    b: &mut B,
    w: &B::T,
    bias: Option<&B::T>,
    channels: Dim,
) -> Result<(), B::Error> {
    let Some(bias) = bias else { return Ok(()) };
    let have = b.shape(bias);
    if have.len() != 1 || !b.dims_equal(at(&have, 0), channels)? {
        return Err(runtime::<B>(format!(
            "Given weight of size {}, expected bias to be 1-dimensional with {} elements, but got bias of size {} instead",
            shape_text(b, w),
            channels.known().unwrap_or(-1),
            shape_text(b, bias)
        )));
    }
    Ok(())
}

/// The extents of a filter `[outputs, inputs, kernel...]`, which tell what is computed.
fn kernel<B: TorchOps>(filter: &[Dim]) -> Result<Vec<i64>, B::Error> {
    (2..filter.len())
        .map(|i| known_extent::<B>(filter, i, "a convolution"))
        .collect()
}

/// A convolution of complex numbers: three of real ones, of the parts and of their sums.
fn of_complex<B: TorchOps>(
    b: &mut B,
    args: &mut CallArgs<B>,
    (n, name): (usize, &'static str),
    convolve: impl Fn(&mut B, &CallArgs<B>, usize, &'static str) -> Res<B>,
) -> Res<B> {
    let (x, w, bias) = (args.tensor(0)?, args.tensor(1)?, args.tensor_opt(2)?);
    check(b, &x, &w, bias.as_ref())?;
    if !b.dtype(&x).is_complex() {
        return convolve(b, args, n, name);
    }
    args.take(2);
    let mut of = |b: &mut B, x: B::T, w: B::T| -> TRes<B> {
        args.set(0, Arg::Tensor(x));
        args.set(1, Arg::Tensor(w));
        match convolve(b, args, n, name)? {
            Ret::Tensor(t) => Ok(t),
            _ => Err(runtime::<B>("a tensor was expected")),
        }
    };
    let (xr, xi) = (part(b, &x, 0)?, part(b, &x, 1)?);
    let (wr, wi) = (part(b, &w, 0)?, part(b, &w, 1)?);
    let (xs, ws) = (b.add(&xr, &xi)?, b.add(&wr, &wi)?);
    let (reals, imags, sums) = (of(b, xr, wr)?, of(b, xi, wi)?, of(b, xs, ws)?);
    let re = b.sub(&reals, &imags)?;
    let im = b.sub(&sums, &reals)?;
    let im = b.sub(&im, &imags)?;
    let mut t = joined(b, &re, &im)?;
    if let Some(bias) = bias {
        let shape = b.shape(&t);
        let channels = shape.len() - n - 1;
        let bias = b.broadcast(&bias, &shape, &[channels])?;
        t = b.add(&t, &bias)?;
    }
    named(b, t, "ConvolutionBackward0")
}

/// Refuses windows and groups that no convolution has, with PyTorch's errors and in its order.
fn check_window<B: TorchOps>(
    b: &mut B,
    w: &B::T,
    window: &Window,
    (padding, groups): (&[i64], i64),
) -> Result<(), B::Error> {
    let refused = |text: String| Err(runtime::<B>(text));
    if padding.iter().any(|&p| p < 0) {
        return refused("negative padding is not supported".to_owned());
    }
    if window.stride.iter().any(|&s| s <= 0) {
        return refused("non-positive stride is not supported".to_owned());
    }
    if window.dilation.iter().any(|&d| d <= 0) {
        return refused(format!(
            "dilation should be greater than zero, but got {:?}",
            window.dilation
        ));
    }
    if groups <= 0 {
        return refused("non-positive groups is not supported".to_owned());
    }
    let filter = b.shape(w);
    let outputs = at(&filter, 0).known();
    if outputs.is_some_and(|outputs| outputs < groups) {
        return refused(format!(
            "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {} instead",
            shape_text(b, w)
        ));
    }
    if outputs.is_some_and(|outputs| outputs % groups != 0) {
        return refused(format!(
            "Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size [{}] instead",
            shape_text(b, w)
        ));
    }
    if let [height, width] = window.kernel[..]
        && (height == 0 || width == 0)
    {
        return refused(format!(
            "kernel size should be greater than zero, but got kernel_height: {height} kernel_width: {width}"
        ));
    }
    Ok(())
}

fn conv<B: TorchOps>(b: &mut B, args: &CallArgs<B>, n: usize, name: &'static str) -> Res<B> {
    let (x, w, bias) = (args.tensor(0)?, args.tensor(1)?, args.tensor_opt(2)?);
    let stride = per_dim(b, args, 3, n, 1)?;
    let dilation = per_dim(b, args, 5, n, 1)?;
    let groups = args.int_or(b, 6, 1)?;
    let filter = b.shape(&w);
    if filter.len() != n + 2 {
        return Err(runtime::<B>(format!(
            "expected weight to be {}-dimensional, but got weight of size {}",
            n + 2,
            shape_text(b, &w)
        )));
    }
    let kernel = kernel::<B>(&filter)?;
    let window = Window {
        kernel,
        stride,
        dilation,
    };
    let (before, after) = match args.get(4) {
        Some(Arg::Const(v)) if v.as_str() == Some("same") => {
            if window.stride.iter().any(|&s| s != 1) {
                return Err(runtime::<B>(
                    "padding='same' is not supported for strided convolutions",
                ));
            }
            let total: Vec<i64> = (0..n).map(|i| window.reach(i) - 1).collect();
            (
                total.iter().map(|t| t / 2).collect::<Vec<_>>(),
                total.iter().map(|t| t - t / 2).collect::<Vec<_>>(),
            )
        }
        Some(Arg::Const(v)) if v.as_str() == Some("valid") => (vec![0; n], vec![0; n]),
        _ => {
            let pads = per_dim(b, args, 4, n, 0)?;
            (pads.clone(), pads)
        }
    };
    let (x, single) = batched(b, &x, n, name)?;
    check(b, &x, &w, bias.as_ref())?;
    check_window(b, &w, &window, (&before, groups))?;
    let shape = b.shape(&x);
    let (outputs, inner) = (at(&filter, 0), at(&filter, 1));
    let wanted = b.dim_mul(inner, Dim::Known(groups))?;
    if !b.dims_equal(at(&shape, 1), wanted)? {
        return Err(runtime::<B>(format!(
            "Given groups={groups}, weight of size {}, expected input{} to have {} channels, but got {} channels instead",
            shape_text(b, &w),
            shape_text(b, &x),
            wanted.known().unwrap_or(-1),
            at(&shape, 1).known().unwrap_or(-1)
        )));
    }
    check_bias(b, &w, bias.as_ref(), outputs)?;
    let mut wide = Dims::new();
    for (i, (&p, &q)) in before.iter().zip(&after).enumerate() {
        let extent = at(&shape, 2 + i);
        wide.push(if p + q == 0 {
            extent
        } else {
            b.dim_add(extent, Dim::Known(p + q))?
        });
    }
    let mut result: Dims = [at(&shape, 0), outputs].into_iter().collect();
    for (i, &extent) in wide.iter().enumerate() {
        if !at_most(b, Dim::Known(window.reach(i)), extent)? {
            let by = |v: &[i64]| v.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ");
            return Err(runtime::<B>(format!(
                "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
                by(&known(&wide)),
                by(&window.kernel)
            )));
        }
        result.push(window.count(b, i, extent)?);
    }
    let t = b.conv(
        ConvKind::Forward,
        &x,
        &w,
        &window.convolution(&before, groups),
        &result,
    )?;
    finish(b, t, bias.as_ref(), single, "ConvolutionBackward0")
}

/// `conv1d`
pub fn conv1d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    of_complex(b, args, (1, "conv1d"), conv)
}

/// `conv2d`
pub fn conv2d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    of_complex(b, args, (2, "conv2d"), conv)
}

/// `conv3d`
pub fn conv3d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    of_complex(b, args, (3, "conv3d"), conv)
}

/// Adds up windows' elements, `[C, kernel, N * windows]`, where they came from: `[C, N, full]`.
fn spread<B: TorchOps>(
    b: &mut B,
    columns: &B::T,
    window: &Window,
    batch: Dim,
    windows: &[Dim],
    full: &[Dim],
) -> TRes<B> {
    let shape = b.shape(columns);
    let channels = at(&shape, 0);
    let mut image: Dims = [channels, batch].into_iter().collect();
    image.extend_from_slice(windows);
    let mut target: Dims = [channels, batch].into_iter().collect();
    target.extend_from_slice(full);
    let mut strides = vec![1, 1];
    strides.extend_from_slice(&window.stride);
    let mut sum: Option<B::T> = None;
    for (k, offset) in window.offsets().iter().enumerate() {
        let part = super::shape::narrow_of(b, columns, 1, Dim::Known(k as i64), ONE)?;
        let part = b.reshape(&part, &image)?;
        let mut starts: Dims = [ZERO, ZERO].into_iter().collect();
        for (&o, &d) in offset.iter().zip(&window.dilation) {
            starts.push(Dim::Known(o * d));
        }
        let part = b.unslice(&part, &starts, &target, &strides)?;
        sum = Some(match sum {
            Some(sum) => b.add(&sum, &part)?,
            None => part,
        });
    }
    sum.ok_or_else(|| runtime::<B>("non-empty kernel expected"))
}

fn conv_transpose<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    n: usize,
    name: &'static str,
) -> Res<B> {
    let (x, w, bias) = (args.tensor(0)?, args.tensor(1)?, args.tensor_opt(2)?);
    let filter = b.shape(&w);
    let window = Window {
        kernel: kernel::<B>(&filter)?,
        stride: per_dim(b, args, 3, n, 1)?,
        dilation: per_dim(b, args, 7, n, 1)?,
    };
    let padding = per_dim(b, args, 4, n, 0)?;
    let more = per_dim(b, args, 5, n, 0)?;
    let groups = args.int_or(b, 6, 1)?;
    for ((&o, &s), &d) in more.iter().zip(&window.stride).zip(&window.dilation) {
        if o >= s && o >= d {
            return Err(runtime::<B>(
                "output padding must be smaller than either stride or dilation",
            ));
        }
    }
    let (x, single) = batched(b, &x, n, name)?;
    check(b, &x, &w, bias.as_ref())?;
    let shape = b.shape(&x);
    let (batch, inputs) = (at(&shape, 0), at(&shape, 1));
    if !b.dims_equal(inputs, at(&filter, 0))? {
        return Err(runtime::<B>(format!(
            "Given transposed=1, weight of size {}, expected input{} to have {} channels, but got {} channels instead",
            shape_text(b, &w),
            shape_text(b, &x),
            at(&filter, 0).known().unwrap_or(-1),
            inputs.known().unwrap_or(-1)
        )));
    }
    let group = Dim::Known(groups);
    let each = at(&filter, 1);
    let outputs = b.dim_mul(each, group)?;
    check_bias(b, &w, bias.as_ref(), outputs)?;
    let mut result: Dims = [batch, outputs].into_iter().collect();
    for i in 0..n {
        let last = b.dim_sub(at(&shape, 2 + i), ONE)?;
        let span = b.dim_mul(last, Dim::Known(window.stride.get(i).copied().unwrap_or(1)))?;
        let (p, o) = (
            padding.get(i).copied().unwrap_or(0),
            more.get(i).copied().unwrap_or(0),
        );
        result.push(b.dim_add(span, Dim::Known(window.reach(i) + o - 2 * p))?);
    }
    let t = b.conv(
        ConvKind::Image,
        &x,
        &w,
        &window.convolution(&padding, groups),
        &result,
    )?;
    finish(b, t, bias.as_ref(), single, "ConvolutionBackward0")
}

/// `conv_transpose1d`
pub fn conv_transpose1d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    of_complex(b, args, (1, "conv_transpose1d"), conv_transpose)
}

/// `conv_transpose2d`
pub fn conv_transpose2d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    of_complex(b, args, (2, "conv_transpose2d"), conv_transpose)
}

/// `conv_transpose3d`
pub fn conv_transpose3d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    of_complex(b, args, (3, "conv_transpose3d"), conv_transpose)
}

/// Kernel, dilation, padding and stride of `unfold` and `fold`.
fn folding<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    first: usize,
) -> Result<(Window, Vec<i64>), B::Error> {
    let window = Window {
        kernel: per_dim(b, args, first, 2, 1)?,
        dilation: per_dim(b, args, first + 1, 2, 1)?,
        stride: per_dim(b, args, first + 3, 2, 1)?,
    };
    let padding = per_dim(b, args, first + 2, 2, 0)?;
    let refused = |what: &str, short: &str, rule: &str, v: &[i64]| {
        let (height, width) = (v.first().unwrap_or(&0), v.get(1).unwrap_or(&0));
        runtime::<B>(format!(
            "{what} should be {rule}, but got {short}_height: {height} {short}_width: {width}"
        ))
    };
    for (what, short, v) in [
        ("kernel size", "kernel", &window.kernel),
        ("dilation", "dilation", &window.dilation),
    ] {
        if v.iter().any(|&n| n <= 0) {
            return Err(refused(what, short, "greater than zero", v));
        }
    }
    if padding.iter().any(|&n| n < 0) {
        return Err(refused("padding", "pad", "non-negative", &padding));
    }
    if window.stride.iter().any(|&n| n <= 0) {
        return Err(refused(
            "stride",
            "stride",
            "greater than zero",
            &window.stride,
        ));
    }
    Ok((window, padding))
}

/// Refuses images whose windows reach over their ends, and those that have no elements but for an empty batch.
fn refuse_unfold<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    (window, padding): (&Window, &[i64]),
) -> Result<(), B::Error> {
    let shape = b.shape(x);
    if shape.iter().skip(1).any(|&d| d == ZERO) {
        return Err(runtime::<B>(format!(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
            shape_text(b, x)
        )));
    }
    let mut fits = true;
    for (i, &p) in padding.iter().enumerate() {
        let reach = Dim::Known(window.reach(i));
        let padded = b.dim_add(at(&shape, 2 + i), Dim::Known(2 * p))?;
        fits = fits && at_most(b, reach, padded)?;
    }
    if fits {
        return Ok(());
    }
    let extent = |i: usize| at(&shape, 2 + i).known().unwrap_or(-1);
    let count = |i: usize| {
        let (p, s) = (at_or(padding, i, 0), at_or(&window.stride, i, 1));
        (extent(i) + 2 * p - window.reach(i)).div_euclid(s) + 1
    };
    Err(runtime::<B>(format!(
        "Given input with spatial size ({}, {}), kernel_size={}, dilation={}, padding={}, calculated shape of the array of sliding blocks as ({}, {}), but its components must be at least one.",
        extent(0),
        extent(1),
        pair(&window.kernel),
        pair(&window.dilation),
        pair(padding),
        count(0),
        count(1)
    )))
}

fn at_or(v: &[i64], i: usize, other: i64) -> i64 {
    v.get(i).copied().unwrap_or(other)
}

/// `F.unfold`: windows as columns.
pub fn unfold<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_float() {
        return Err(no_kernel::<B>("im2col_out_cpu", b.dtype(&x)));
    }
    let (window, padding) = folding(b, args, 1)?;
    let (x, single) = batched(b, &x, 2, "unfold")?;
    refuse_unfold(b, &x, (&window, &padding))?;
    let padded = pad_zeros(b, &x, 2, &padding, &padding)?;
    let shape = b.shape(&padded);
    let mut out = Dims::new();
    for i in 0..2 {
        out.push(window.count(b, i, at(&shape, 2 + i))?);
    }
    let turned = swap_batch(b, &padded)?;
    let t = columns(b, &turned, &window, &out)?;
    let size = Dim::Known(window.kernel.iter().product());
    let (batch, channels) = (at(&shape, 0), at(&shape, 1));
    let length = b.numel(&out)?;
    let depth = b.dim_mul(channels, size)?;
    let t = b.reshape(&t, &[depth, batch, length])?;
    let t = swap_batch(b, &t)?;
    finish(b, t, None, single, "Im2ColBackward0")
}

/// `F.fold`: adds up columns where their windows were.
pub fn fold<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_float() {
        return Err(no_kernel::<B>("col2im_out_cpu", b.dtype(&x)));
    }
    let size = per_dim(b, args, 1, 2, 1)?;
    let (window, padding) = folding(b, args, 2)?;
    let (x, single) = batched(b, &x, 1, "fold")?;
    let shape = b.shape(&x);
    let count: i64 = window.kernel.iter().product();
    let (batch, length) = (at(&shape, 0), at(&shape, 2));
    if let Dim::Known(n) = at(&shape, 1)
        && n % count != 0
    {
        return Err(runtime::<B>(format!(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)={n} and kernel_size={}.",
            pair(&window.kernel)
        )));
    }
    let channels = b.dim_div(at(&shape, 1), Dim::Known(count))?;
    let turned = swap_batch(b, &x)?;
    let mut full = Dims::new();
    let mut windows = Dims::new();
    for (i, (&n, &p)) in size.iter().zip(&padding).enumerate() {
        full.push(Dim::Known(n + 2 * p));
        windows.push(window.count(b, i, Dim::Known(n + 2 * p))?);
    }
    let blocks = b.numel(&windows)?;
    if !b.dims_equal(blocks, length)? {
        return Err(TensorError::Runtime(format!(
            "Given output_size={}, kernel_size={}, dilation={}, padding={}, stride={}, expected size of input's dimension 2 to match the calculated number of sliding blocks {} = {}, but got input.size(2)={}.",
            pair(&size), pair(&window.kernel), pair(&window.dilation), pair(&padding), pair(&window.stride),
            known(&windows).iter().map(i64::to_string).collect::<Vec<_>>().join(" * "),
            blocks.known().unwrap_or(-1),
            length.known().unwrap_or(-1)
        ))
        .into());
    }
    let flat = b.dim_mul(batch, length)?;
    let turned = b.reshape(&turned, &[channels, Dim::Known(count), flat])?;
    let t = spread(b, &turned, &window, batch, &windows, &full)?;
    let mut starts: Dims = [ZERO, ZERO].into_iter().collect();
    starts.extend(padding.iter().map(|&p| Dim::Known(p)));
    let mut result: Dims = [channels, batch].into_iter().collect();
    result.extend(size.iter().map(|&n| Dim::Known(n)));
    let t = b.slice(&t, &starts, &result, &[1, 1, 1, 1])?;
    let t = swap_batch(b, &t)?;
    finish(b, t, None, single, "Col2ImBackward0")
}

fn pair(v: &[i64]) -> String {
    let items: Vec<String> = v.iter().map(i64::to_string).collect();
    format!("({})", items.join(", "))
}
