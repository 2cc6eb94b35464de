//! Random numbers.
//!
//! In: extents, parameters, perhaps a generator. Out: tensors drawn from PyTorch's CPU streams.
//! Always: each function draws at the moments and in the order in which PyTorch draws.

use janus_object::Value;
use janus_tensor::ops::Dims;
use janus_tensor::shape::inverse_permutation;
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::create::{drawn_shape, finish, operand_tensor, out_dtype};
use super::{Res, TRes, broadcast_shapes, expand_to, memory_format, named, runtime, splat_like};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand, Ret};
use crate::generators::is_default_generator;
use crate::ops::{Draw, DrawFrom};

/// The generator to draw from, if it is not the default one.
fn generator<B: TorchOps>(args: &CallArgs<B>) -> Option<Value> {
    match args.named("generator") {
        Some(Arg::Const(v)) if !v.is_none() && !is_default_generator(v) => Some(v.clone()),
        _ => None,
    }
}

fn draw<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    draw: &Draw,
    shape: &[Dim],
    dtype: DType,
) -> TRes<B> {
    let g = generator(args);
    b.random(draw, shape, dtype, g.as_ref())
}

fn drawn<B: TorchOps>(b: &mut B, args: &CallArgs<B>, how: &Draw) -> Res<B> {
    let (sizes, dtype) = drawn_shape(b, args, 0)?;
    let t = draw(b, args, how, &sizes, dtype)?;
    finish(b, args, t)
}

/// `torch.rand`
pub fn rand<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    drawn(b, args, &Draw::Uniform(0.0, 1.0))
}

/// `torch.randn`
pub fn randn<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    drawn(b, args, &Draw::Normal(0.0, 1.0))
}

/// One draw per element of `like`, in the order in which these lie in memory. `contiguous`: the
/// draws fill contiguous memory.
fn in_memory_order<B: TorchOps>(
    b: &mut B,
    how: &Draw,
    like: &B::T,
    contiguous: bool,
    dtype: DType,
    generator: Option<&Value>,
) -> TRes<B> {
    let how = match how {
        &Draw::Normal(mean, std) if !contiguous => &Draw::SerialNormal(mean, std),
        how => how,
    };
    let shape = b.shape(like);
    let Some(order) = b.memory_order(like)? else {
        return b.random(how, &shape, dtype, generator);
    };
    let size = |&d: &usize| shape.get(d).copied().unwrap_or(Dim::Known(1));
    let sizes: Dims = order.iter().map(size).collect();
    let t = b.random(how, &sizes, dtype, generator)?;
    let t = b.permute(&t, &inverse_permutation(&order))?;
    b.detach(&t)
}

/// What fills `empty_like(like)`, which has its elements in the same order in memory.
fn random_like<B: TorchOps>(
    b: &mut B,
    how: &Draw,
    like: &B::T,
    dtype: DType,
    generator: Option<&Value>,
) -> TRes<B> {
    let contiguous = b.memory_order(like)?.is_none();
    in_memory_order(b, how, like, contiguous, dtype, generator)
}

fn drawn_like<B: TorchOps>(b: &mut B, args: &CallArgs<B>, how: &Draw, dtype_at: usize) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = args.dtype(dtype_at)?.unwrap_or(b.dtype(&x));
    let x = match args.place_of("memory_format") {
        Some(at) => memory_format::example(b, &x, args.memory_format(at)?)?,
        None => x,
    };
    let t = random_like(b, how, &x, dtype, generator(args).as_ref())?;
    finish(b, args, t)
}

/// `torch.rand_like`
pub fn rand_like<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    drawn_like(b, args, &Draw::Uniform(0.0, 1.0), 1)
}

/// `torch.randn_like`
pub fn randn_like<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    drawn_like(b, args, &Draw::Normal(0.0, 1.0), 1)
}

/// Integers from `low` to below `high`, of which there have to be some.
fn between<B: TorchOps>(b: &mut B, low: Dim, high: Dim) -> Result<Draw, B::Error> {
    if let (Dim::Known(low), Dim::Known(high)) = (low, high) {
        if low >= high {
            return Err(runtime::<B>(format!(
                "random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
            )));
        }
    } else {
        let count = b.dim_sub(high, low)?;
        let more = b.dim_sub(count, Dim::Known(1))?;
        b.not_negative(more)?;
    }
    Ok(Draw::Int(low, high))
}

/// Below `first`, or from it to below argument 2.
fn from_one_or_two<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    first: Dim,
) -> Result<Draw, B::Error> {
    match args.given(2) {
        Some(_) => {
            let high = args.extent(b, 2)?;
            between(b, first, high)
        }
        None => between(b, Dim::Known(0), first),
    }
}

/// `torch.randint(low=0, high, size)`
pub fn randint<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    // `randint(high, size)` has its arguments one place to the left.
    let second_is_size = args.get(1).is_some_and(crate::call::is_sequence)
        || matches!(args.get(1), Some(Arg::Const(v)) if v.as_tuple().is_some());
    let zero = Dim::Known(0);
    let (low, high, size_at) = if second_is_size && args.given(2).is_none() {
        (zero, args.extent(b, 0)?, 1)
    } else if args.given(0).is_none() {
        (zero, args.extent(b, 1)?, 2)
    } else if args.given(1).is_none() {
        (zero, args.extent(b, 0)?, 2)
    } else {
        (args.extent(b, 0)?, args.extent(b, 1)?, 2)
    };
    let how = between(b, low, high)?;
    let sizes = args.sizes_of_sequence(b, size_at)?;
    let dtype = args.dtype(5)?.or(out_dtype(b, args)?);
    let dtype = dtype.unwrap_or(DType::I64);
    let t = draw(b, args, &how, &sizes, dtype)?;
    finish(b, args, t)
}

/// `torch.randint_like`
pub fn randint_like<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let first = args.extent(b, 1)?;
    let how = from_one_or_two(b, args, first)?;
    drawn_like(b, args, &how, 3)
}

/// `torch.randperm`
pub fn randperm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let n = args.extent(b, 0)?;
    let n = b.not_negative(n)?;
    let dtype = args.dtype(3)?.unwrap_or(DType::I64);
    if dtype == DType::Bool {
        return Err(super::no_kernel::<B>("randperm", dtype));
    }
    let t = draw(b, args, &Draw::Permutation, &[n], dtype)?;
    finish(b, args, t)
}

/// What `normal` says of a deviation that is none.
fn check_std<B: TorchOps>(std: f64) -> Result<(), B::Error> {
    if std >= 0.0 {
        return Ok(());
    }
    Err(runtime::<B>(format!(
        "normal expects std >= 0.0, but found std {}",
        spelled(std)
    )))
}

/// A number as C++ writes it, whose NaN is small.
fn spelled(v: f64) -> String {
    match v.is_nan() {
        true => "nan".to_owned(),
        false => v.to_string(),
    }
}

/// `torch.normal(mean, std, size)`
pub fn normal<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mean = args
        .operand_opt(b, 0)?
        .unwrap_or(Operand::S(b.scalar(Scalar::F64(0.0))));
    let std = args
        .operand_opt(b, 1)?
        .unwrap_or(Operand::S(b.scalar(Scalar::F64(1.0))));
    if let Some(sizes) = args.sizes_opt(b, 2)? {
        let (m, s) = (args.float_or(b, 0, 0.0)?, args.float_or(b, 1, 1.0)?);
        check_std::<B>(s)?;
        let dtype = out_dtype(b, args)?.unwrap_or(b.default_dtype());
        return Ok(Ret::Tensor(draw(
            b,
            args,
            &Draw::Normal(m, s),
            &sizes,
            dtype,
        )?));
    }
    match &std {
        Operand::T(std) if !b.shape(std).contains(&Dim::Known(0)) => {
            if b.values_outside(std, 0.0, f64::INFINITY)? {
                return Err(runtime::<B>("normal expects all elements of std >= 0.0"));
            }
        }
        Operand::S(std) => {
            if let Some(std) = b.scalar_value(std) {
                check_std::<B>(std.to_f64())?;
            }
        }
        Operand::T(_) => {}
    }
    let label = match (&mean, &std) {
        (Operand::T(_), Operand::S(_)) => "NormalBackward1",
        (Operand::S(_), Operand::T(_)) => "NormalBackward2",
        _ => "NormalBackward3",
    };
    let dtype = match (out_dtype(b, args)?, &mean, &std) {
        (Some(dtype), ..) => dtype,
        (None, Operand::T(mean), _) => b.dtype(mean),
        (None, _, Operand::T(std)) => b.dtype(std),
        _ => b.default_dtype(),
    };
    if !dtype.is_float() {
        return Err(super::no_kernel::<B>("normal_kernel_cpu", dtype));
    }
    let (mean, std) = (
        operand_tensor(b, &mean, dtype)?,
        operand_tensor(b, &std, dtype)?,
    );
    let (p, q) = (b.shape(&mean), b.shape(&std));
    let shape = broadcast_shapes(b, &p, &q)?;
    let t = draw(b, args, &Draw::Normal(0.0, 1.0), &shape, dtype)?;
    let (mean, std) = (expand_to(b, &mean, &shape)?, expand_to(b, &std, &shape)?);
    let scaled = b.mul(&t, &std)?;
    let t = b.add(&scaled, &mean)?;
    let t = without_gradient(b, &t, &[&mean, &std])?;
    named(b, t, label)
}

/// What was drawn by these parameters: it requires grad if they do, but what they get is zero.
fn without_gradient<B: TorchOps>(b: &mut B, drawn: &B::T, parameters: &[&B::T]) -> TRes<B> {
    let mut t = b.detach(drawn)?;
    for parameter in parameters {
        if b.is_grad_enabled() && b.requires_grad(parameter) {
            let nowhere = b.scalar(Scalar::Bool(false));
            let shape = b.shape(&t);
            let nowhere = b.splat(&nowhere, DType::Bool, &shape)?;
            t = b.select(&nowhere, parameter, &t)?;
        }
    }
    Ok(t)
}

/// `torch.bernoulli`: probabilities per element.
pub fn bernoulli<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let (shape, dtype) = (b.shape(&x), b.dtype(&x));
    if let Some(p) = args.float_opt(b, 1)? {
        let t = draw(b, args, &Draw::Bernoulli(p), &shape, dtype)?;
        return Ok(Ret::Tensor(t));
    }
    let wrong = "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)";
    if !dtype.is_float() {
        return Err(runtime::<B>(wrong));
    }
    let g = generator(args);
    // Drawn first: what comes before a bad probability is drawn, and moves the generator.
    let t = b.random_from(DrawFrom::Bernoulli, &x, g.as_ref())?;
    if b.values_outside(&x, 0.0, 1.0)? {
        return Err(runtime::<B>(wrong));
    }
    let t = without_gradient(b, &t, &[&x])?;
    named(b, t, "BernoulliBackward0")
}

/// `torch.multinomial`
pub fn multinomial<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let draw = DrawFrom::Multinomial {
        samples: args.int(b, 1)?,
        replacement: args.flag(2)?,
    };
    let g = generator(args);
    Ok(Ret::Tensor(b.random_from(draw, &x, g.as_ref())?))
}

fn check_p<B: TorchOps>(p: f64) -> Result<(), B::Error> {
    if (0.0..=1.0).contains(&p) {
        return Ok(());
    }
    Err(TensorError::Value(format!(
        "dropout probability has to be between 0 and 1, but got {}",
        janus_object::text::float_repr(p)
    ))
    .into())
}

/// `x * bernoulli(1 - p) / (1 - p)`
pub fn dropout_of<B: TorchOps>(b: &mut B, x: &B::T, p: f64) -> TRes<B> {
    masked(b, x, p, None)
}

/// Noise of this shape, row-major, or that of x, in x's order.
fn masked<B: TorchOps>(b: &mut B, x: &B::T, p: f64, noise_shape: Option<&[Dim]>) -> TRes<B> {
    if p == 0.0 || b.shape(x).contains(&Dim::Known(0)) {
        return Ok(x.clone());
    }
    if p == 1.0 {
        let zero = splat_like(b, 0, x)?;
        return b.mul(x, &zero);
    }
    let (how, dtype) = (Draw::Bernoulli(1.0 - p), b.dtype(x));
    let noise = match noise_shape {
        Some(shape) => b.random(&how, shape, dtype, None)?,
        None => random_like(b, &how, x, dtype, None)?,
    };
    let noise = super::rounding::once(b, &noise, |b, noise| {
        let keep = splat_like(b, 1.0 - p, noise)?;
        b.div(noise, &keep)
    })?;
    let shape = b.shape(x);
    let noise = expand_to(b, &noise, &shape)?;
    b.mul(x, &noise)
}

/// `F.dropout`
pub fn dropout<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let p = args.float_or(b, 1, 0.5)?;
    let in_place = args.flag(3)?;
    check_p::<B>(p)?;
    if !args.flag_or(2, true)? {
        return Ok(Ret::Tensor(x));
    }
    let t = dropout_of(b, &x, p)?;
    dropped(b, x, t, in_place)
}

/// The result of a dropout, written to its input where it is `in_place`.
fn dropped<B: TorchOps>(b: &mut B, x: B::T, t: B::T, in_place: bool) -> Res<B> {
    if in_place {
        b.assign(&x, &t)?;
        return Ok(Ret::Tensor(x));
    }
    named(b, t, "MulBackward0")
}

/// `torch.dropout`
pub fn torch_dropout<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    for at in [1, 2] {
        if args.given(at).is_none() {
            return Err(args.wrong(at, "number"));
        }
    }
    let p = args.float_or(b, 1, 0.5)?;
    check_p::<B>(p)?;
    let t = if args.flag(2)? {
        dropout_of(b, &x, p)?
    } else {
        x
    };
    named(b, t, "MulBackward0")
}

/// `F.dropout1d`, `F.dropout2d`, `F.dropout3d`: whole channels.
pub fn dropout_channels<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let p = args.float_or(b, 1, 0.5)?;
    let in_place = args.flag(3)?;
    check_p::<B>(p)?;
    if !args.flag_or(2, true)? {
        return Ok(Ret::Tensor(x));
    }
    let shape = b.shape(&x);
    // Without a batch, the first dimension is that of channels.
    let single = match args.name() {
        "dropout1d" => shape.len() == 2,
        "dropout3d" => shape.len() == 4,
        _ => false,
    };
    let kept = if single { 1 } else { 2 };
    let shape: Dims = shape
        .iter()
        .enumerate()
        .map(|(i, &d)| if i < kept { d } else { Dim::Known(1) })
        .collect();
    let t = masked(b, &x, p, Some(&shape))?;
    dropped(b, x, t, in_place)
}

fn refill<B: TorchOps>(b: &mut B, args: &CallArgs<B>, how: &Draw) -> Res<B> {
    let (x, g) = (args.tensor(0)?, generator(args));
    let (contiguous, dtype) = (b.is_contiguous(&x)?, b.dtype(&x));
    let t = in_memory_order(b, how, &x, contiguous, dtype, g.as_ref())?;
    Ok(Ret::Tensor(t))
}

/// `uniform_`
pub fn uniform_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (low, high) = (args.float_or(b, 1, 0.0)?, args.float_or(b, 2, 1.0)?);
    for (name, value) in [("from", low), ("to", high)] {
        if value.is_nan() {
            let dtype = b.dtype(&args.tensor(0)?);
            return Err(runtime::<B>(format!(
                "{name} is out of bounds for {}",
                dtype.c_name()
            )));
        }
    }
    if low > high {
        return Err(runtime::<B>(format!(
            "uniform_ expects to return a [from, to) range, but found from={low} > to={high}"
        )));
    }
    refill(b, args, &Draw::Uniform(low, high))
}

/// `normal_`
pub fn normal_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (mean, std) = (args.float_or(b, 1, 0.0)?, args.float_or(b, 2, 1.0)?);
    check_std::<B>(std)?;
    refill(b, args, &Draw::Normal(mean, std))
}

/// `random_`
pub fn random_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let how = if args.given(1).is_none() {
        Draw::FullRange
    } else {
        let first = args.extent(b, 1)?;
        from_one_or_two(b, args, first)?
    };
    refill(b, args, &how)
}

/// `bernoulli_`
pub fn bernoulli_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if let Some(Arg::Tensor(p)) = args.get(1) {
        let (p, x) = (p.clone(), args.tensor(0)?);
        let shape = b.shape(&x);
        let p = b.cast(&p, b.default_dtype())?;
        let p = expand_to(b, &p, &shape)?;
        let g = generator(args);
        let Some(order) = b.memory_order(&x)? else {
            return Ok(Ret::Tensor(b.random_from(
                DrawFrom::Bernoulli,
                &p,
                g.as_ref(),
            )?));
        };
        let p = b.permute(&p, &order)?;
        let t = b.random_from(DrawFrom::Bernoulli, &p, g.as_ref())?;
        return Ok(Ret::Tensor(b.permute(&t, &inverse_permutation(&order))?));
    }
    let p = args.float_or(b, 1, 0.5)?;
    refill(b, args, &Draw::Bernoulli(p))
}

/// `exponential_`
pub fn exponential_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let lambda = args.float_or(b, 1, 1.0)?;
    if lambda.is_nan() || lambda <= 0.0 {
        return Err(runtime::<B>(format!(
            "exponential_ expects lambda > 0.0, but found lambda={}",
            spelled(lambda)
        )));
    }
    refill(b, args, &Draw::Exponential(lambda))
}

/// One draw in double precision per element, and what becomes of it.
fn refill_by<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    how: &Draw,
    f: impl FnOnce(&mut B, &B::T) -> TRes<B>,
) -> Res<B> {
    let (x, g) = (args.tensor(0)?, generator(args));
    let (contiguous, dtype) = (b.is_contiguous(&x)?, b.dtype(&x));
    let drawn = in_memory_order(b, how, &x, contiguous, DType::F64, g.as_ref())?;
    let t = f(b, &drawn)?;
    Ok(Ret::Tensor(b.cast(&t, dtype)?))
}

/// `geometric_`: how many trials come to the first success.
pub fn geometric_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let p = args.number(b, 1)?;
    let p = b.scalar_value(&p).map_or(f64::NAN, Scalar::to_f64);
    if !(p > 0.0 && p < 1.0) {
        return Err(runtime::<B>(format!(
            "geometric_ expects p to be in (0, 1), but got p={p}"
        )));
    }
    super::no_bools::<B>(b.dtype(&args.tensor(0)?), "geometric_cpu")?;
    refill_by(b, args, &Draw::Uniform(0.0, 1.0), |b, u| {
        let l = b.log(u)?;
        let rest = splat_like(b, (1.0 - p).ln(), &l)?;
        let t = b.div(&l, &rest)?;
        b.ceil(&t)
    })
}

/// `cauchy_`
pub fn cauchy_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (median, sigma) = (args.float_or(b, 1, 0.0)?, args.float_or(b, 2, 1.0)?);
    if sigma <= 0.0 {
        return Err(runtime::<B>(format!(
            "cauchy_ expects sigma > 0.0, but found sigma={sigma}"
        )));
    }
    let dtype = b.dtype(&args.tensor(0)?);
    if !dtype.is_float() {
        return Err(runtime::<B>(format!(
            "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you specified {}",
            dtype.c_name()
        )));
    }
    refill_by(b, args, &Draw::Uniform(0.0, 1.0), |b, u| {
        let half = splat_like(b, 0.5, u)?;
        let t = b.sub(u, &half)?;
        let pi = splat_like(b, std::f64::consts::PI, u)?;
        let t = b.mul(&pi, &t)?;
        let (s, c) = (b.sin(&t)?, b.cos(&t)?);
        let t = b.div(&s, &c)?;
        let (sigma, median) = (splat_like(b, sigma, u)?, splat_like(b, median, u)?);
        let t = b.mul(&sigma, &t)?;
        b.add(&median, &t)
    })
}

/// `log_normal_`
pub fn log_normal_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (mean, std) = (args.float_or(b, 1, 1.0)?, args.float_or(b, 2, 2.0)?);
    if std <= 0.0 {
        return Err(runtime::<B>(format!(
            "log_normal_ expects std > 0.0, but found std={std}"
        )));
    }
    let dtype = b.dtype(&args.tensor(0)?);
    if !dtype.is_float() {
        return Err(super::no_kernel::<B>("log_normal_cpu", dtype));
    }
    refill_by(b, args, &Draw::SerialNormal(mean, std), |b, t| b.exp(t))
}
