//! Results that go to `out=`: in which dtype they are computed, and which dtypes are refused.
//!
//! Three kinds of functions: those that compute in the dtype of `out=` (factories, sums and what is made like them), those
//! that convert their result where it can be, and those that want the result's own dtype.

use janus_tensor::{DType, TensorError};

use crate::TorchOps;
use crate::call::{Arg, CallArgs};

/// Whether a number of one dtype may become one of the other.
#[must_use]
pub fn can_cast(from: DType, to: DType) -> bool {
    !((from.is_inexact() && !to.is_inexact())
        || (from.is_complex() && !to.is_complex())
        || (from != DType::Bool && to == DType::Bool))
}

/// Lets a function compute in the dtype of `out=`, where it is one that does.
///
/// # Errors
/// PyTorch's where another dtype was asked for, or where it has no kernel for that of `out=`.
pub fn compute_in_dtype_of<B: TorchOps>(
    b: &mut B,
    args: &mut CallArgs<B>,
    out: &B::T,
) -> Result<(), B::Error> {
    let (name, have) = (args.name(), b.dtype(out));
    let Some(at) = args.place_of("dtype") else {
        return double_of_operand(b, args, have);
    };
    let factory = args.place_of("device").is_some();
    if let Some(wanted) = args.dtype(at)? {
        if wanted == have {
            return Ok(());
        }
        let text = match name {
            _ if factory => format!(
                "dtype {} does not match dtype of out parameter ({})",
                wanted.scalar_type_name(),
                have.scalar_type_name()
            ),
            "nansum" | "nanmean" => format!(
                "nansum: provided dtype must match dtype of result. Got {} and {}.",
                have.scalar_type_name(),
                wanted.scalar_type_name()
            ),
            _ => expected(wanted, have),
        };
        return Err(TensorError::Runtime(text).into());
    }
    let input = match args.slot(0) {
        Some(Arg::Tensor(t)) => Some(b.dtype(t)),
        _ => None,
    };
    let missing = match name {
        "arange" | "range" | "linspace" | "logspace" => {
            have == DType::Bool || (have.is_complex() && name.ends_with("range"))
        }
        "cumsum" | "cumprod" => {
            if have == DType::Bool {
                return Err(no_kernel(&format!("{name}_out"), have).into());
            }
            false
        }
        "nansum" | "nanmean" => {
            if input.is_some_and(DType::is_inexact) && !have.is_float() {
                return Err(no_kernel("nansum", have).into());
            }
            false
        }
        _ => false,
    };
    if missing {
        return Err(no_kernel(name, have).into());
    }
    let computes = match name {
        "sum" | "nansum" | "prod" | "cumsum" | "cumprod" => true,
        "mean" | "nanmean" => have.is_inexact() && input.is_some_and(DType::is_inexact),
        _ => factory,
    };
    if computes {
        args.set(at, Arg::Const(crate::objects::dtype_value(have)));
    }
    Ok(())
}

/// Deviations along a dimension are computed in float64 where that is what takes them; over all elements they are not.
fn double_of_operand<B: TorchOps>(
    b: &mut B,
    args: &mut CallArgs<B>,
    have: DType,
) -> Result<(), B::Error> {
    if !matches!(args.name(), "std" | "var") || !(have == DType::F64 || have.is_complex()) {
        return Ok(());
    }
    let along =
        matches!(args.slot(1), Some(arg) if !matches!(arg, Arg::Const(janus_object::Value::None)));
    let x = args.tensor(0)?;
    if along && b.dtype(&x).is_float() && b.shape(&x).len() > 1 {
        if have.is_complex() {
            return Err(no_kernel("std", have).into());
        }
        let x = b.cast(&x, have)?;
        args.set(0, Arg::Tensor(x));
    }
    Ok(())
}

fn no_kernel(function: &str, dtype: DType) -> TensorError {
    TensorError::NotImplemented(format!(
        "\"{function}_cpu\" not implemented for '{}'",
        dtype.scalar_type_name()
    ))
}

fn expected(result: DType, out: DType) -> String {
    format!(
        "Expected out tensor to have dtype {}, but got {} instead",
        result.c_name(),
        out.c_name()
    )
}

/// Whether a result becomes what `out=` holds, whatever that is.
#[must_use]
pub fn takes_any(name: &str) -> bool {
    name == "bernoulli"
}

/// PyTorch's error where `out=` is of another dtype than the result, of functions that do not convert.
#[must_use]
pub fn refused_dtype<B: TorchOps>(
    args: &CallArgs<B>,
    result: DType,
    out: DType,
) -> Option<TensorError> {
    let name = args.name();
    let (have, want) = (out.scalar_type_name(), result.scalar_type_name());
    let text = match name {
        "all" | "any" if out != DType::Bool && out != DType::U8 => {
            format!("{name} only supports bool tensor for result, got: {have}")
        }
        "signbit" | "isneginf" | "isposinf" if out != DType::Bool => {
            format!("{name} does not support non-boolean outputs.")
        }
        _ if out == result => return None,
        // Weights that are a number are no reason to keep to a dtype.
        "lerp" if !matches!(args.slot(2), Some(Arg::Tensor(_))) => return None,
        "cat" | "concat" | "concatenate" | "stack" | "hstack" | "vstack" | "row_stack"
        | "dstack" | "column_stack" => {
            if can_cast(result, out) {
                return None;
            }
            return Some(TensorError::Type(format!(
                "torch.cat(): input types can't be cast to the desired output type {have}"
            )));
        }
        "index_select" | "masked_select" => {
            format!("{name}(): self and result must have the same scalar type")
        }
        "dot" | "vdot" => format!("result dtype {have} does not match input dtype {want}"),
        "take" => format!(
            "take(): self and out expected to have the same dtype, but got self.dtype = {want} and out.dtype = {have}"
        ),
        "nonzero" => format!(
            "nonzero: Expected out tensor to have scalar type Long but got scalar type{have}"
        ),
        "searchsorted" | "bucketize" => format!(
            "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on \
whether out_int32 flag is True, but we got output tensor's dtype {have} and out_int32 flag is {}",
            if result == DType::I32 {
                "True"
            } else {
                "False"
            }
        ),
        "multinomial" => format!("multinomial expects Long tensor out, got: {have}"),
        "complex" | "polar" => format!(
            "Expected object of scalar type {want} but got scalar type {have} for argument 'out'"
        ),
        "fft" | "ifft" | "rfft" | "ihfft" if !out.is_complex() => {
            format!("{name} expects a complex output tensor, but got {have}")
        }
        "heaviside" if out.is_complex() => {
            "heaviside is not yet implemented for complex tensors.".to_owned()
        }
        "heaviside" => {
            "heaviside is not yet implemented for tensors with different dtypes.".to_owned()
        }
        "addbmm" => format!("self and mat2 must have the same dtype, but got {have} and {want}"),
        "logsumexp" if !out.is_inexact() => {
            format!("logsumexp(): Expected floating point type for result tensor, but got: {have}")
        }
        "chain_matmul" | "multi_dot" => format!(
            "multi_dot(): expected out tensor to have dtype {} but got {}",
            result.c_name(),
            out.c_name()
        ),
        "diag" if !can_cast(result, out) => {
            format!("diag: result type {want} can't be cast to the desired out= type {have}")
        }
        "matrix_power" if !can_cast(result, out) => format!(
            "matrix_power: Expected result to be safely castable from {want} dtype, but got result with dtype {have}"
        ),
        "abs" | "absolute" | "bitwise_not" | "ceil" | "clamp" | "clamp_max" | "clamp_min"
        | "clip" | "fix" | "floor" | "frac" | "lerp" | "neg" | "negative" | "round" | "sgn"
        | "sign" | "trunc" => {
            format!("Found dtype {have} but expected {want}")
        }
        "addmm" | "addmv" | "argmax" | "argmin" | "baddbmm" | "bmm" | "cholesky" | "cross"
        | "det" | "diag" | "gather" | "index_add" | "index_copy" | "index_reduce" | "inv"
        | "inverse" | "isin" | "log_softmax" | "matmul" | "matrix_power" | "mm" | "msort"
        | "mv" | "norm" | "renorm" | "scatter" | "scatter_add" | "scatter_reduce" | "softmax"
        | "solve" | "take_along_dim" | "tril" | "triu" | "vector_norm" => expected(result, out),
        "amax" | "amin" => format!(
            "Expected the dtype for input and out to match, but got {want} for input's dtype and {have} for out's dtype."
        ),
        "where" => format!("Expected out type to be {want} but got {have}"),
        "nan_to_num" => format!("nan_to_num: dtype of out: {have} should be same as input: {want}"),
        "float_power" => format!(
            "the output given to float_power has dtype {have} but the operation's result requires dtype {want}"
        ),
        "tensordot" | "inner" => format!(
            "tensordot: Expected the output tensor to have dtype {want}, but got an output tensor with dtype {have}"
        ),
        "quantile" | "nanquantile" => {
            "quantile() out tensor must be same dtype as the input tensor".to_owned()
        }
        "logcumsumexp" => format!("expected scalar_type {want} but found {have}"),
        "histc" => format!(
            "torch.histogram: input tensor and hist tensor should have the same dtype, but got input {} and hist {}",
            result.c_name(),
            out.c_name()
        ),
        "solve_triangular" => format!("expected scalar type {want} but found {have}"),
        "vecdot" => format!("linalg.vecdot: Expected out of dtype{want} but found {have}"),
        _ => return None,
    };
    Some(TensorError::Runtime(text))
}

/// The same for a function of several results, of which this is the one at a place.
#[must_use]
pub fn refused_dtype_of(name: &str, at: usize, result: DType, out: DType) -> Option<TensorError> {
    if result == out {
        return None;
    }
    let (have, want) = (out.scalar_type_name(), result.scalar_type_name());
    let text = match (name, at) {
        ("kthvalue", 0) => "output values must be of same type as input".to_owned(),
        ("kthvalue", _) => "output indices must be of scalar type Long".to_owned(),
        ("cummax" | "cummin", _) => format!("expected scalar_type {want} but found {have}"),
        ("mode", 0) => format!("expected scalar type '{want}' but got '{have}' for values output"),
        ("mode", _) => format!("expected scalar type '{want}' but got '{have}' for indices output"),
        _ => expected(result, out),
    };
    Some(TensorError::Runtime(text))
}
