//! How often results are rounded to floats of 16 bits.
//!
//! In: a function, with its arguments. Out: its results. Always: PyTorch's kernels on the CPU compute such floats in
//! float32 and round what they store; a function that is one kernel there is computed here in float32 as a whole and
//! rounded once, so that its gradient is, too. What PyTorch composes of several functions is rounded after each primitive.

use janus_object::Bool;
use janus_object::Value;
use janus_tensor::{DType, Element, Participant, Scalar, result_type};

use super::{Res, TRes, rank};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret, const_number};

/// When a function's results are rounded, if its operands are floats of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// After each primitive: views, moves, comparisons, compositions.
    Each,
    /// Once, to what the operands promote to.
    Once,
    /// The same; a number beside tensors is rounded to their dtype first.
    OnceOfRounded,
    /// Once, to the dtype of the first operand, whatever that of the others is.
    First,
}

impl Rounding {
    /// What the functions of a file do, by the names of file and function.
    #[must_use]
    pub fn of(file: &str, function: &str) -> Rounding {
        match (file, function) {
            (
                "pointwise",
                "bitwise_and" | "bitwise_or" | "bitwise_xor" | "bitwise_not" | "shl" | "shr"
                | "logical_and" | "logical_or" | "logical_xor" | "logical_not" | "eq" | "ne" | "lt"
                | "le" | "gt" | "ge" | "isnan" | "isinf" | "isfinite" | "all_finite" | "isclose"
                | "allclose" | "equal" | "neg" | "positive" | "abs" | "sign" | "maximum"
                | "minimum" | "where_" | "exp" | "expm1" | "sqrt" | "rsqrt" | "tanh"
                | "where_method" | "masked_fill" | "nan_to_num",
            ) => Rounding::Each,
            ("pointwise", "pow" | "divided") | ("special", "logit" | "xlogy" | "ldexp") => {
                Rounding::Each
            }
            ("pointwise", "add" | "sub" | "rsub" | "remainder" | "fmod") | ("special", _) => {
                Rounding::OnceOfRounded
            }
            ("pointwise", _) => Rounding::Once,
            (
                "activation",
                "sigmoid" | "relu" | "f_relu" | "softsign" | "tanhshrink" | "hardshrink"
                | "softmax" | "log_softmax" | "f_softmax" | "f_softmin" | "f_log_softmax",
            ) => Rounding::Each,
            ("activation", _) => Rounding::Once,
            (
                "reduce",
                "sum" | "mean" | "prod" | "var" | "std" | "var_mean" | "std_mean" | "norm"
                | "vector_norm" | "cumprod",
            ) => Rounding::Once,
            ("norm", "layer_norm" | "rms_norm" | "group_norm" | "batch_norm") => Rounding::First,
            ("loss", "smooth_l1_loss" | "huber_loss" | "bce") => Rounding::Once,
            ("linalg", "linear" | "addmm" | "baddbmm" | "scaled_dot_product_attention") => {
                Rounding::Once
            }
            ("products", "addmv" | "addr" | "addbmm" | "dist" | "nansum" | "nanmean") => {
                Rounding::Once
            }
            ("scan", "logcumsumexp") | ("conv", _) => Rounding::Once,
            ("pool", name) if !name.contains("max") => Rounding::Once,
            _ => Rounding::Each,
        }
    }

    /// What the function gives.
    pub fn of_results<B: TorchOps>(
        self,
        b: &mut B,
        args: &mut CallArgs<B>,
        body: impl FnOnce(&mut B, &mut CallArgs<B>) -> Res<B>,
    ) -> Res<B> {
        match self.target(b, args)? {
            Some(target) => rounded(b, args, target, self, body),
            None => body(b, args),
        }
    }

    /// The dtype that results are rounded to, where they are rounded once.
    fn target<B: TorchOps>(
        self,
        b: &mut B,
        args: &mut CallArgs<B>,
    ) -> Result<Option<DType>, B::Error> {
        if self == Rounding::Each {
            return Ok(None);
        }
        let operands = args.tensor_arguments(args.signature.out);
        if !operands.iter().any(|(_, t)| b.dtype(t).is_reduced()) {
            // `sum(x, dtype=torch.bfloat16)` computes with the tensor as converted.
            return converted_first(b, args);
        }
        if operands.iter().any(|(_, t)| b.dtype(t).is_complex()) {
            // Results are complex numbers, which are not rounded to these floats.
            return Ok(None);
        }
        let target = match (self, operands.first()) {
            (Rounding::First, Some((0, x))) => b.dtype(x),
            _ => {
                let floats: Vec<Participant> = operands
                    .iter()
                    .filter(|(_, t)| b.dtype(t).is_float())
                    .map(|(_, t)| Participant::Tensor(b.dtype(t), rank(b, t)))
                    .collect();
                result_type(&floats, b.default_dtype()).unwrap_or(DType::F32)
            }
        };
        let given = args.place_of("dtype").and_then(|at| args.given(at));
        if given.is_some() {
            return converted_first(b, args);
        }
        Ok(target.is_reduced().then_some(target))
    }
}

/// Converts the operand of a function whose `dtype=` is a float of 16 bits, and takes that argument away.
fn converted_first<B: TorchOps>(
    b: &mut B,
    args: &mut CallArgs<B>,
) -> Result<Option<DType>, B::Error> {
    let Some(at) = args.place_of("dtype") else {
        return Ok(None);
    };
    let Some(dtype) = args.dtype(at)?.filter(|d| d.is_reduced()) else {
        return Ok(None);
    };
    let x = args.tensor(0)?;
    let x = b.cast(&x, dtype)?;
    args.set(0, Arg::Tensor(x));
    args.take(at);
    Ok(Some(dtype))
}

/// A number as a tensor of this dtype holds it.
pub fn as_held(number: f64, dtype: DType) -> f64 {
    janus_tensor::dispatch!(dtype; all: T => <T as Element>::from_f64(number).to_f64())
}

fn rounded<B: TorchOps>(
    b: &mut B,
    args: &mut CallArgs<B>,
    target: DType,
    how: Rounding,
    body: impl FnOnce(&mut B, &mut CallArgs<B>) -> Res<B>,
) -> Res<B> {
    let operands = args.tensor_arguments(args.signature.out);
    let elementwise = how != Rounding::First;
    for (at, t) in &operands {
        let (dtype, dims) = (b.dtype(t), rank(b, t));
        let other = matches!(
            args.param(*at),
            "other" | "exponent" | "tensor1" | "tensor2"
        );
        let wide = if dtype.is_reduced() {
            b.cast(t, DType::F32)?
        } else if elementwise
            && other
            // Bools are refused by some functions, and exact in any dtype.
            && dtype != DType::Bool
            && (dims > 0 && !dtype.is_float() || how == Rounding::OnceOfRounded)
        {
            // Ints, and floats without dimensions, are operands of the common dtype.
            let t = b.cast(t, target)?;
            b.cast(&t, DType::F32)?
        } else {
            continue;
        };
        args.set(*at, Arg::Tensor(wide));
    }
    if how == Rounding::OnceOfRounded {
        for at in [0, 1].into_iter().chain(args.place_of("alpha")) {
            if let Some(Arg::Const(v)) = args.given(at)
                && let Some(Scalar::F64(number)) = const_number(v)
            {
                args.set(at, Arg::Const(Value::float(as_held(number, target))));
            }
        }
    }
    let in_place = args.place_of("inplace").filter(|&at| {
        args.given(at)
            .is_some_and(|v| matches!(v, Arg::Const(Value::Bool(Bool::True))))
    });
    if let Some(at) = in_place {
        args.set(at, Arg::Const(Value::bool(false)));
    }
    let result = body(b, args)?;
    // What the function itself writes to: running statistics.
    for (at, t) in &operands {
        if args.param(*at).starts_with("running_")
            && b.dtype(t).is_reduced()
            && let Some(Arg::Tensor(moved)) = args.get(*at).cloned()
        {
            let moved = b.cast(&moved, b.dtype(t))?;
            b.assign(t, &moved)?;
        }
    }
    match (in_place, ret_rounded(b, result, target)?, operands.first()) {
        (Some(_), Ret::Tensor(t), Some((_, x))) => {
            b.assign(x, &t)?;
            Ok(Ret::Tensor(x.clone()))
        }
        (_, result, _) => Ok(result),
    }
}

fn ret_rounded<B: TorchOps>(b: &mut B, result: Ret<B>, target: DType) -> Res<B> {
    let all = |b: &mut B, items: Vec<Ret<B>>| -> Result<Vec<Ret<B>>, B::Error> {
        let rounded = items.into_iter().map(|item| ret_rounded(b, item, target));
        rounded.collect()
    };
    Ok(match result {
        Ret::Tensor(t) if b.dtype(&t) == DType::F32 => {
            let out = b.cast(&t, target)?;
            b.copy_label(&out, &t);
            Ret::Tensor(out)
        }
        Ret::Tuple(items) => Ret::Tuple(all(b, items)?),
        Ret::NamedTuple(class, items) => Ret::NamedTuple(class, all(b, items)?),
        other => other,
    })
}

/// What a function computes in float32, as its results' dtype keeps it: a step that PyTorch's kernel stores.
pub fn kept_as<B: TorchOps>(b: &mut B, x: &B::T, dtype: DType) -> TRes<B> {
    let from = b.dtype(x);
    if !dtype.is_reduced() || from == dtype {
        return Ok(x.clone());
    }
    let kept = b.cast(x, dtype)?;
    b.cast(&kept, from)
}

/// A part of a function that is one kernel in PyTorch: computed in float32, and rounded once.
pub fn once<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    compute: impl FnOnce(&mut B, &B::T) -> TRes<B>,
) -> TRes<B> {
    let dtype = b.dtype(x);
    if !dtype.is_reduced() {
        return compute(b, x);
    }
    let wide = b.cast(x, DType::F32)?;
    let out = compute(b, &wide)?;
    b.cast(&out, dtype)
}
