//! Functions that make tensors.
//!
//! In: extents, numbers, nested lists. Out: new tensors. Always: without a dtype, floats become the
//! default dtype, ints int64, bools bool.

use janus_object::{Raised, Value};
use janus_tensor::ops::Dims;
use janus_tensor::{DType, Dim, Scalar, ScalarKind, TensorError};

use super::{Res, TRes, memory_format, runtime, splat_like, splat_scalar};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand, Ret, const_number, number, sequence, type_name};
use crate::formats::MemoryFormat;

/// Looks up an option by its name, since its place differs between functions.
fn option<'a, B: TorchOps>(args: &'a CallArgs<B>, name: &str) -> Option<(usize, &'a Arg<B>)> {
    let at = args.signature.params.iter().position(|&p| p == name)?;
    Some((at, args.given(at)?))
}

fn dtype_option<B: TorchOps>(args: &CallArgs<B>) -> Result<Option<DType>, B::Error> {
    match option(args, "dtype") {
        Some((at, _)) => args.dtype(at),
        None => Ok(None),
    }
}

/// The dtype of `out`: what is drawn is drawn in it.
pub fn out_dtype<B: TorchOps>(b: &B, args: &CallArgs<B>) -> Result<Option<DType>, B::Error> {
    match option(args, "out") {
        Some((at, _)) => Ok(Some(b.dtype(&args.tensor(at)?))),
        None => Ok(None),
    }
}

/// The result on the `device` that was asked for.
pub fn placed<B: TorchOps>(b: &mut B, args: &CallArgs<B>, t: B::T) -> TRes<B> {
    match option(args, "device") {
        Some((_, Arg::Const(v))) => {
            let device = crate::devices::named(v)?;
            b.to_device(&t, device)
        }
        _ => Ok(t),
    }
}

/// Puts the result where `device` says and applies `requires_grad`.
pub fn finish<B: TorchOps>(b: &mut B, args: &CallArgs<B>, t: B::T) -> Res<B> {
    let t = placed(b, args, t)?;
    if let Some((at, _)) = option(args, "requires_grad")
        && args.flag(at)?
    {
        if !b.dtype(&t).is_inexact() {
            return Err(runtime::<B>(
                "Only Tensors of floating point and complex dtype can require gradients",
            ));
        }
        b.set_requires_grad(&t, true)?;
    }
    Ok(Ret::Tensor(t))
}

/// The flat elements of nested lists of known numbers, with their shape.
struct Flat {
    data: Vec<Scalar>,
    shape: Vec<i64>,
    kind: ScalarKind,
    /// An int is among them that no tensor of ints can hold.
    too_big: bool,
}

fn flatten_numbers(v: &Value) -> Result<Option<Flat>, TensorError> {
    let mut flat = Flat {
        data: Vec::new(),
        shape: Vec::new(),
        kind: ScalarKind::Bool,
        too_big: false,
    };
    // The shape is that of the first elements.
    let mut at = v.clone();
    loop {
        let first = if let Some(list) = at.as_list() {
            flat.shape.push(list.len() as i64);
            list.get(0)
        } else if let Some(tuple) = at.as_tuple() {
            flat.shape.push(tuple.len() as i64);
            tuple.items.first().cloned()
        } else {
            break;
        };
        match first {
            Some(f) => at = f,
            None => break,
        }
    }
    Ok(if fill(v, 0, &mut flat)? {
        Some(flat)
    } else {
        None
    })
}

/// Appends the elements below `v`; false if there is something else than a number.
fn fill(v: &Value, depth: usize, flat: &mut Flat) -> Result<bool, TensorError> {
    let mut walk = |items: &[Value]| -> Result<bool, TensorError> {
        match flat.shape.get(depth) {
            Some(&n) if n == items.len() as i64 => {}
            Some(&n) => {
                return Err(TensorError::Value(format!(
                    "expected sequence of length {n} at dim {depth} (got {})",
                    items.len()
                )));
            }
            None => return Ok(false),
        }
        for item in items {
            if !fill(item, depth + 1, flat)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    if let Some(list) = v.as_list() {
        return walk(&list.items.borrow());
    }
    if let Some(tuple) = v.as_tuple() {
        return walk(&tuple.items);
    }
    let Some(n) = const_number(v) else {
        return Ok(false);
    };
    if depth != flat.shape.len() {
        return Err(TensorError::Type("not a sequence".to_owned()));
    }
    let kind = match v.unwrapped() {
        Value::BigInt(_) => {
            flat.too_big = true;
            ScalarKind::I64
        }
        _ => n.kind(),
    };
    flat.kind = flat.kind.max(kind);
    flat.data.push(n);
    Ok(true)
}

fn kind_dtype<B: TorchOps>(b: &B, kind: ScalarKind) -> DType {
    match kind {
        ScalarKind::Bool => DType::Bool,
        ScalarKind::I64 => DType::I64,
        ScalarKind::C128 => b.default_dtype().complex().unwrap_or(DType::C64),
        ScalarKind::F64 => b.default_dtype(),
    }
}

/// Whether the first of what is nested in a list is a text.
fn begins_with_text(v: &Value) -> bool {
    let mut at = v.clone();
    let mut depth = 0;
    while depth < 64 {
        let first = match (at.as_list(), at.as_tuple()) {
            (Some(list), _) => list.items.borrow().first().cloned(),
            (None, Some(tuple)) => tuple.items.first().cloned(),
            (None, None) => return depth > 0 && at.as_str().is_some(),
        };
        match first {
            Some(first) => at = first,
            None => return false,
        }
        depth += 1;
    }
    false
}

/// A tensor of numbers, nested lists, or tensors; always with memory of its own.
pub fn tensor_of<B: TorchOps>(b: &mut B, data: &Arg<B>, dtype: Option<DType>) -> TRes<B> {
    match data {
        Arg::Tensor(t) => {
            let t = b.detach(t)?;
            match dtype {
                Some(d) if d != b.dtype(&t) => b.cast(&t, d),
                _ => b.copy(&t),
            }
        }
        // A text is a sequence of texts without end.
        Arg::Const(v) if begins_with_text(v) => {
            let text = "too many dimensions 'str'";
            Err(TensorError::Value(text.to_owned()).into())
        }
        Arg::Const(v) if sequence(data).is_some() => match flatten_numbers(v)? {
            Some(flat) => {
                // An empty list is a float tensor.
                let kind = if flat.data.is_empty() {
                    ScalarKind::F64
                } else {
                    flat.kind
                };
                let dtype = dtype.unwrap_or(kind_dtype(b, kind));
                if flat.too_big && !dtype.is_inexact() && dtype != DType::U64 {
                    return Err(too_big::<B>());
                }
                check_range::<B>(&flat.data, dtype)?;
                b.constant(&flat.data, &flat.shape, dtype)
            }
            None => nested(b, data, dtype),
        },
        Arg::List(_) | Arg::Tuple(_) => nested(b, data, dtype),
        Arg::Const(v)
            if matches!(v.unwrapped(), Value::BigInt(_))
                && !dtype.is_some_and(|d| d.is_inexact() || d == DType::U64) =>
        {
            Err(too_big::<B>())
        }
        other => match number(b, other) {
            Some(s) => {
                let dtype = dtype.unwrap_or(kind_dtype(b, b.scalar_kind(&s)));
                check_number(b, &s, dtype)?;
                b.full(&s, dtype, &[])
            }
            None => Err(infer_error::<B>(other)),
        },
    }
}

/// An int that a tensor is made of, and that no integer dtype can hold.
fn too_big<B: TorchOps>() -> B::Error {
    TensorError::Value("Overflow when unpacking long long".to_owned()).into()
}

fn infer_error<B: TorchOps>(arg: &Arg<B>) -> B::Error {
    match arg {
        Arg::Const(v) if v.as_str().is_some() || v.as_bytes().is_some() => {
            TensorError::Type(format!("new(): invalid data type '{}'", v.type_name())).into()
        }
        other => runtime::<B>(format!("Could not infer dtype of {}", type_name(other))),
    }
}

/// Refuses numbers that the dtype of `torch.tensor` cannot hold; into floats they are rounded.
fn check_range<B: TorchOps>(data: &[Scalar], dtype: DType) -> Result<(), B::Error> {
    let complex = |s: &Scalar| s.kind() == ScalarKind::C128 && !dtype.is_complex();
    if data.iter().any(complex) {
        return Err(TensorError::Type("must be real number, not complex".to_owned()).into());
    }
    if dtype == DType::U64 && data.iter().any(|s| matches!(s, Scalar::I64(n) if *n < 0)) {
        return Err(Raised::overflow_error("can't convert negative int to unsigned").into());
    }
    match dtype.is_inexact() || data.iter().all(|s| s.fits(dtype)) {
        true => Ok(()),
        false => Err(super::unfit::<B>(dtype.name())),
    }
}

/// The same for one number, which may not be known yet.
fn check_number<B: TorchOps>(b: &mut B, number: &B::S, dtype: DType) -> Result<(), B::Error> {
    match b.scalar_value(number) {
        Some(v) => check_range::<B>(&[v], dtype),
        None if dtype.is_inexact() => Ok(()),
        None => b.refuse_unfit(number, dtype),
    }
}

/// Lists that hold tensors or run-time numbers: their parts are stacked.
fn nested<B: TorchOps>(b: &mut B, data: &Arg<B>, dtype: Option<DType>) -> TRes<B> {
    let Some(items) = sequence(data) else {
        return Err(infer_error::<B>(data));
    };
    let mut rows = Vec::with_capacity(items.len());
    for item in &items {
        let row = match item {
            Arg::Tensor(t) if !super::same_shape(b, &b.shape(t), &[])? => {
                let n = {
                    let s = b.shape(t);
                    b.numel(&s)?
                };
                if n != Dim::Known(1) {
                    return Err(TensorError::Value(
                        "only one element tensors can be converted to Python scalars".to_owned(),
                    )
                    .into());
                }
                let t = b.detach(t)?;
                b.reshape(&t, &[])?
            }
            // Each in the dtype asked for: another one in between would round.
            other => tensor_of(b, other, dtype)?,
        };
        rows.push(row);
    }
    if rows.is_empty() {
        let dtype = dtype.unwrap_or(b.default_dtype());
        return b.constant(&[], &[0], dtype);
    }
    let t = super::shape::stack_of(b, &rows, 0)?;
    match dtype {
        Some(d) => b.cast(&t, d),
        None => Ok(t),
    }
}

/// `torch.tensor`
pub fn tensor<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let data = args.get(0).cloned().ok_or_else(|| args.wrong(0, "data"))?;
    let dtype = dtype_option(args)?;
    let t = tensor_of(b, &data, dtype)?;
    finish(b, args, t)
}

/// `torch.as_tensor`
pub fn as_tensor<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let dtype = args.dtype(1)?;
    if let Some(Arg::Tensor(t)) = args.get(0) {
        let t = t.clone();
        let t = match dtype {
            Some(d) => b.cast(&t, d)?,
            None => t,
        };
        return finish(b, args, t);
    }
    let data = args.get(0).cloned().ok_or_else(|| args.wrong(0, "data"))?;
    let t = tensor_of(b, &data, dtype)?;
    finish(b, args, t)
}

fn check_sizes<B: TorchOps>(sizes: &[Dim]) -> Result<(), B::Error> {
    for d in sizes {
        if let Dim::Known(n) = d
            && *n < 0
        {
            return Err(runtime::<B>(format!(
                "Trying to create tensor with negative dimension {n}: {}",
                janus_tensor::ShapeText::from(super::known(sizes).as_slice())
            )));
        }
    }
    Ok(())
}

fn format_option<B: TorchOps>(args: &CallArgs<B>) -> Result<Option<MemoryFormat>, B::Error> {
    match option(args, "memory_format") {
        Some((at, _)) => args.memory_format(at),
        None => Ok(None),
    }
}

fn filled<B: TorchOps>(b: &mut B, args: &CallArgs<B>, value: i64) -> Res<B> {
    let sizes = match args.sizes_opt(b, 0)? {
        Some(s) => s,
        None => Dims::new(),
    };
    check_sizes::<B>(&sizes)?;
    let dtype = dtype_option(args)?.unwrap_or(b.default_dtype());
    let s = b.scalar(Scalar::I64(value));
    let t = memory_format::full(b, &s, dtype, &sizes, format_option(args)?)?;
    finish(b, args, t)
}

/// `torch.zeros`
pub fn zeros<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let sizes = args.sizes_opt(b, 0)?.unwrap_or_default();
    if sizes.iter().any(|d| d.known().is_some_and(|n| n < 0)) {
        return Err(runtime::<B>("zeros: Dimension size must be non-negative."));
    }
    filled(b, args, 0)
}

/// `torch.ones`
pub fn ones<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    filled(b, args, 1)
}

/// `torch.empty`: its content is not specified; here it is 0, the same in every run.
pub fn empty<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    filled(b, args, 0)
}

fn full_with<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    sizes: &[Dim],
    value_at: usize,
    default: Option<DType>,
) -> Res<B> {
    check_sizes::<B>(sizes)?;
    let value = args.number(b, value_at)?;
    let dtype = match dtype_option(args)?.or(default) {
        Some(d) => d,
        None => kind_dtype(b, b.scalar_kind(&value)),
    };
    let t = super::filled_with(b, &value, dtype, sizes)?;
    finish(b, args, t)
}

/// `torch.full`
pub fn full<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let sizes = args.sizes_of_sequence(b, 0)?;
    full_with(b, args, &sizes, 1, None)
}

fn like<B: TorchOps>(b: &mut B, args: &CallArgs<B>, value: i64) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = dtype_option(args)?.unwrap_or(b.dtype(&x));
    let s = b.scalar(Scalar::I64(value));
    let t = memory_format::full_like(b, &s, dtype, &x, format_option(args)?)?;
    finish(b, args, t)
}

/// `torch.zeros_like`
pub fn zeros_like<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    like(b, args, 0)
}

/// `torch.ones_like`
pub fn ones_like<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    like(b, args, 1)
}

/// `torch.empty_like`
pub fn empty_like<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    like(b, args, 0)
}

/// `torch.full_like`
pub fn full_like<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = dtype_option(args)?.unwrap_or(b.dtype(&x));
    let value = args.number(b, 1)?;
    super::check_fits(b, &value, dtype)?;
    let t = memory_format::full_like(b, &value, dtype, &x, format_option(args)?)?;
    finish(b, args, t)
}

/// `Tensor.new_tensor`
pub fn new_tensor<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let data = args.get(1).cloned().ok_or_else(|| args.wrong(1, "data"))?;
    let dtype = dtype_option(args)?.unwrap_or(b.dtype(&x));
    let t = tensor_of(b, &data, Some(dtype))?;
    finish(b, args, t)
}

fn new_filled<B: TorchOps>(b: &mut B, args: &CallArgs<B>, value: i64) -> Res<B> {
    let x = args.tensor(0)?;
    let sizes = args.sizes(b, 1)?;
    check_sizes::<B>(&sizes)?;
    let dtype = dtype_option(args)?.unwrap_or(b.dtype(&x));
    let s = b.scalar(Scalar::I64(value));
    let t = b.full(&s, dtype, &sizes)?;
    finish(b, args, t)
}

/// `Tensor.new_zeros`
pub fn new_zeros<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    new_filled(b, args, 0)
}

/// `Tensor.new_ones`
pub fn new_ones<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    new_filled(b, args, 1)
}

/// `Tensor.new_empty`
pub fn new_empty<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    new_filled(b, args, 0)
}

/// `Tensor.new_full`
pub fn new_full<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let (sizes, dtype) = (args.sizes(b, 1)?, b.dtype(&x));
    full_with(b, args, &sizes, 2, Some(dtype))
}

/// `torch.arange`: `start + i * step`, computed in float64 for floats.
pub fn arange<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let first = args.number(b, 0)?;
    let (start, end) = match args.number_opt(b, 1)? {
        Some(end) => (first, end),
        None => (b.scalar(Scalar::I64(0)), first),
    };
    let step = args.number_or(b, 2, Scalar::I64(1))?;
    let kinds = [&start, &end, &step].map(|s| b.scalar_kind(s));
    let float = kinds.contains(&ScalarKind::F64);
    let dtype = dtype_option(args)?.unwrap_or(if float { b.default_dtype() } else { DType::I64 });
    if dtype.is_complex() || dtype.is_stored_unsigned() {
        return Err(super::no_kernel::<B>("arange_cpu", dtype));
    }
    let values = [&start, &end, &step].map(|s| b.scalar_value(s));
    if dtype == DType::I64 && values.iter().flatten().any(|v| matches!(v, Scalar::U64(_))) {
        return Err(super::unfit::<B>("int64_t"));
    }
    let n = match values {
        [Some(start), Some(end), Some(step)] => {
            if step.to_f64() == 0.0 {
                return Err(runtime::<B>("step must be nonzero"));
            }
            let [from, to] = [start, end].map(Scalar::to_f64);
            if !(from.is_finite() && to.is_finite()) {
                return Err(runtime::<B>(format!("unsupported range: {from} -> {to}")));
            }
            let n = if float {
                ((end.to_f64() - start.to_f64()) / step.to_f64()).ceil()
            } else {
                // Exact for all 64-bit numbers.
                let (s, e, d) = (
                    start.to_i64() as i128,
                    end.to_i64() as i128,
                    step.to_i64() as i128,
                );
                let n = if d > 0 {
                    (e - s + d - 1).div_euclid(d)
                } else {
                    (s - e - d - 1).div_euclid(-d)
                };
                n as f64
            };
            if n < 0.0 {
                return Err(runtime::<B>(
                    "upper bound and lower bound inconsistent with step sign",
                ));
            }
            if n > i64::MAX as f64 {
                return Err(runtime::<B>("invalid size, possible overflow?"));
            }
            Dim::Known(n as i64)
        }
        // A run-time extent: only the plain forms.
        [start_known, _, Some(d)] if !float && d == Scalar::I64(1) => {
            let mut n = b.scalar_dim(&end)?;
            if start_known.is_none_or(|s| s.to_i64() != 0) {
                let first = b.scalar_dim(&start)?;
                n = b.dim_binary(janus_tensor::ops::DimOp::Sub, n, first)?;
            }
            b.not_negative(n)?
        }
        _ => return Err(super::not_known::<B>("arange with bounds that move")),
    };
    let work = if dtype.is_float() {
        DType::F64
    } else {
        DType::I64
    };
    let mut t = b.iota(0, work, &[n])?;
    let is = |b: &B, s: &B::S, v: f64| b.scalar_value(s).is_some_and(|x| x.to_f64() == v);
    if !is(b, &step, 1.0) {
        let step = splat_scalar(b, &step, &t)?;
        t = b.mul(&t, &step)?;
    }
    if !is(b, &start, 0.0) {
        let start = splat_scalar(b, &start, &t)?;
        t = b.add(&t, &start)?;
    }
    let t = b.cast(&t, dtype)?;
    finish(b, args, t)
}

/// Evenly spaced numbers, from both ends toward the middle as PyTorch computes them.
fn linspace_of<B: TorchOps>(b: &mut B, start: f64, end: f64, steps: Dim, dtype: DType) -> TRes<B> {
    let held = |v: f64| super::rounding::as_held(v, dtype);
    let (start, end) = match dtype.is_reduced() {
        true => (held(start), held(end)),
        false => (start, end),
    };
    let n = [b.not_negative(steps)?];
    // Of one element nobody looks at the end.
    let end = if steps == Dim::Known(1) { start } else { end };
    let work = if dtype == DType::F64 || !dtype.is_float() {
        DType::F64
    } else {
        DType::F32
    };
    let i = b.iota(0, work, &n)?;
    let (step, top, half) = match steps {
        Dim::Known(steps) => {
            let step = if work == DType::F32 {
                let span = end as f32 - start as f32;
                let step = |span: f64| f64::from(span as f32 / (steps - 1).max(1) as f32);
                match dtype.is_reduced() {
                    true => held(step(held(f64::from(span)))),
                    false => step(f64::from(span)),
                }
            } else {
                (end - start) / (steps - 1).max(1) as f64
            };
            (
                splat_like(b, step, &i)?,
                splat_like(b, steps - 1, &i)?,
                splat_like(b, (steps / 2).max(1), &i)?,
            )
        }
        moving => {
            let top = b.dim_sub(moving, Dim::Known(1))?;
            let half = b.dim_div(moving, Dim::Known(2))?;
            let (top, half) = (b.dim_scalar(top), b.dim_scalar(half));
            let (top, half) = (b.full(&top, work, &n)?, b.full(&half, work, &n)?);
            let one = splat_like(b, 1, &i)?;
            let (spaces, half) = (b.maximum(&top, &one)?, b.maximum(&half, &one)?);
            let (first, last) = (splat_like(b, start, &i)?, splat_like(b, end, &i)?);
            let span = b.sub(&last, &first)?;
            (b.div(&span, &spaces)?, top, half)
        }
    };
    let first = splat_like(b, start, &i)?;
    let from_start = b.mul(&step, &i)?;
    let from_start = b.add(&first, &from_start)?;
    let last = splat_like(b, end, &i)?;
    let back = b.sub(&top, &i)?;
    let from_end = b.mul(&step, &back)?;
    let from_end = b.sub(&last, &from_end)?;
    // One number alone is the first.
    let low = b.lt(&i, &half)?;
    let t = b.select(&low, &from_start, &from_end)?;
    b.cast(&t, dtype)
}

fn spacing<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<(f64, f64, Dim, DType), B::Error> {
    let (start, end) = match (args.float_opt(b, 0)?, args.float_opt(b, 1)?) {
        (Some(s), Some(e)) => (s, e),
        (None, _) => return Err(args.wrong(0, "Number")),
        _ => return Err(args.wrong(1, "Number")),
    };
    let steps = args.extent(b, 2)?;
    if steps.known().is_some_and(|steps| steps < 0) {
        return Err(runtime::<B>("number of steps must be non-negative"));
    }
    Ok((
        start,
        end,
        steps,
        dtype_option(args)?.unwrap_or(b.default_dtype()),
    ))
}

/// `torch.linspace`
pub fn linspace<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (start, end, steps, dtype) = spacing(b, args)?;
    let t = linspace_of(b, start, end, steps, dtype)?;
    finish(b, args, t)
}

/// `torch.logspace`
pub fn logspace<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (start, end, steps, dtype) = spacing(b, args)?;
    let base = args.float_or(b, 3, 10.0)?;
    let t = linspace_of(b, start, end, steps, DType::F64)?;
    let base = splat_like(b, base, &t)?;
    let t = b.pow(&base, &t)?;
    let t = b.cast(&t, dtype)?;
    finish(b, args, t)
}

/// `torch.eye`
pub fn eye<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let n = args.extent(b, 0)?;
    let m = if args.given(1).is_some() {
        args.extent(b, 1)?
    } else {
        n
    };
    for (name, extent) in [("n", n), ("m", m)] {
        if let Some(extent) = extent.known()
            && extent < 0
        {
            return Err(runtime::<B>(format!(
                "{name} must be greater or equal to 0, got {extent}"
            )));
        }
    }
    let (n, m) = (b.not_negative(n)?, b.not_negative(m)?);
    let dtype = dtype_option(args)?.unwrap_or(b.default_dtype());
    let (row, column) = (
        b.iota(0, DType::I64, &[n, m])?,
        b.iota(1, DType::I64, &[n, m])?,
    );
    let on = b.eq(&row, &column)?;
    let t = b.cast(&on, dtype)?;
    finish(b, args, t)
}

/// `torch.scalar_tensor`
pub fn scalar_tensor<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    full_with(b, args, &[], 0, Some(b.default_dtype()))
}

fn triangle_indices<B: TorchOps>(b: &mut B, args: &CallArgs<B>, lower: bool) -> Res<B> {
    let (rows, columns) = (args.int(b, 0)?, args.int(b, 1)?);
    let offset = args.int_or(b, 2, 0)?;
    for (name, n) in [("row", rows), ("col", columns)] {
        if n < 0 {
            return Err(runtime::<B>(format!("{name} must be non-negative, got{n}")));
        }
    }
    let dtype = dtype_option(args)?.unwrap_or(DType::I64);
    if !matches!(dtype, DType::I32 | DType::I64) {
        let kernel = if lower {
            "tril_indices"
        } else {
            "triu_indices"
        };
        return Err(super::no_kernel::<B>(kernel, dtype));
    }
    let (mut is, mut js) = (Vec::new(), Vec::new());
    for i in 0..rows {
        for j in 0..columns {
            if (lower && j <= i + offset) || (!lower && j >= i + offset) {
                is.push(Scalar::I64(i));
                js.push(Scalar::I64(j));
            }
        }
    }
    let shape = [2, is.len() as i64];
    is.extend(js);
    let indices = b.constant(&is, &shape, dtype)?;
    Ok(Ret::Tensor(placed(b, args, indices)?))
}

/// `torch.tril_indices`
pub fn tril_indices<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    triangle_indices(b, args, true)
}

/// `torch.triu_indices`
pub fn triu_indices<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    triangle_indices(b, args, false)
}

/// The dtype and the extents of a function that draws.
pub fn drawn_shape<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    at: usize,
) -> Result<(Dims, DType), B::Error> {
    let sizes = args.sizes_opt(b, at)?.unwrap_or_default();
    check_sizes::<B>(&sizes)?;
    let dtype = dtype_option(args)?.or(out_dtype(b, args)?);
    Ok((sizes, dtype.unwrap_or(b.default_dtype())))
}

/// An operand as a tensor.
pub fn operand_tensor<B: TorchOps>(b: &mut B, o: &Operand<B>, dtype: DType) -> TRes<B> {
    match o {
        Operand::T(t) => b.cast(t, dtype),
        Operand::S(s) => b.full(s, dtype, &[]),
    }
}
