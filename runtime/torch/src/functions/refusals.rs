//! What PyTorch refuses where a composition of primitives would go on: operands that have to be tensors, dtypes that
//! its kernels lack, dtypes of `out=`.
//!
//! In: a function's name, its arguments. Out: nothing, or PyTorch's error. Always: a check is told by the function's
//! name once, when the function is looked up.

use janus_tensor::{DType, Dim, TensorError};

use super::arguments::Typed;
use super::{no_kernel, rank};
use crate::TorchOps;
use crate::call::{CallArgs, Signature};

/// Dtypes that a kernel lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacks {
    /// Bools.
    Bool,
    /// Ints and bools.
    Whole,
}

impl Lacks {
    fn has(self, dtype: DType) -> bool {
        match self {
            Lacks::Bool => dtype == DType::Bool,
            Lacks::Whole => !dtype.is_inexact(),
        }
    }
}

/// What is refused before anything is computed.
#[derive(Clone, Debug, Default)]
pub struct Refusals {
    /// Arguments that are tensors, and no numbers.
    tensors: &'static [usize],
    /// How many of the first arguments have to be given.
    required: usize,
    /// The operand has to have dimensions.
    of_dims: Option<&'static str>,
    /// The place of indices, the dtypes that they may have, and what is said of others.
    index: Option<(usize, &'static [DType], &'static str)>,
    /// The name of the kernel in messages, or all of the message, and the dtypes of the operands that it lacks.
    kernel: Option<(&'static str, Lacks)>,
    /// What some arguments have to be.
    typed: Typed,
}

impl Refusals {
    /// Those of a function, by its name and parameters.
    #[must_use]
    pub fn of(name: &str, signature: &Signature) -> Refusals {
        let name = match name.strip_suffix('_') {
            Some(plain) if !name.ends_with("__") => plain,
            _ => name,
        };
        Refusals {
            tensors: tensors_of(name),
            required: required_of(name),
            of_dims: dims_of(name),
            index: index_of(name),
            kernel: KERNELS
                .iter()
                .find(|(function, ..)| *function == name)
                .map(|&(_, kernel, lacks)| (kernel, lacks)),
            typed: Typed::of(name, signature),
        }
    }

    /// Refuses a call.
    ///
    /// # Errors
    /// `TypeError` for an argument of another type, `NotImplementedError` for a dtype.
    pub fn check<B: TorchOps>(&self, b: &B, args: &CallArgs<B>) -> Result<(), B::Error> {
        self.typed.check(args)?;
        for &at in self.tensors {
            if args.given(at).is_some() {
                args.tensor(at)?;
            }
        }
        for at in 0..self.required {
            if args.given(at).is_none() {
                return Err(args.wrong(at, "tuple of ints"));
            }
        }
        if let (Some(text), Ok(x)) = (self.of_dims, args.tensor(0))
            && rank(b, &x) == 0
        {
            return Err(
                match text.starts_with("tensor_split") || text.starts_with("narrow") {
                    true => TensorError::Runtime(text.to_owned()),
                    false => TensorError::Index(text.to_owned()),
                }
                .into(),
            );
        }
        if let Some((at, dtypes, text)) = self.index
            && let Ok(index) = args.tensor(at)
        {
            let shape = b.shape(&index);
            let dtype = b.dtype(&index);
            if !dtypes.contains(&dtype) && !shape.contains(&Dim::Known(0)) {
                let text = text.replace("{}", dtype.scalar_type_name());
                return Err(TensorError::Runtime(text).into());
            }
        }
        let Some((kernel, lacks)) = self.kernel else {
            return Ok(());
        };
        let operands = args.tensor_arguments(args.signature.out);
        let dtypes = operands.iter().map(|(_, t)| b.dtype(t));
        let Some(dtype) = dtypes.reduce(DType::promote) else {
            return Ok(());
        };
        if !lacks.has(dtype) {
            return Ok(());
        }
        Err(match kernel.contains(' ') {
            true => TensorError::Runtime(kernel.replace("{}", dtype.scalar_type_name())).into(),
            false => no_kernel::<B>(kernel, dtype),
        })
    }
}

/// Which arguments have no form that is a number.
fn tensors_of(name: &str) -> &'static [usize] {
    match name {
        "atan2" | "arctan2" | "hypot" | "fmin" | "fmax" | "maximum" | "minimum" | "logaddexp"
        | "logaddexp2" | "logical_and" | "logical_or" | "logical_xor" | "ldexp" | "gcd" | "lcm"
        | "heaviside" | "kron" | "lerp" | "soft_margin_loss" => &[0, 1],
        "addcmul" | "addcdiv" => &[0, 1, 2],
        "lt" | "le" | "gt" | "ge" | "eq" | "ne" | "less" | "less_equal" | "greater"
        | "greater_equal" | "not_equal" | "fmod" | "copysign" => &[0],
        _ => &[],
    }
}

/// How many of the first arguments a function has no default for, where its body has one.
fn required_of(name: &str) -> usize {
    match name {
        "flip"
        | "permute"
        | "pad"
        | "max_pool1d"
        | "max_pool2d"
        | "max_pool3d"
        | "max_pool1d_with_indices"
        | "max_pool2d_with_indices"
        | "max_pool3d_with_indices"
        | "avg_pool1d"
        | "avg_pool2d"
        | "avg_pool3d"
        | "range"
        | "tile" => 2,
        "movedim" | "moveaxis" => 3,
        _ => 0,
    }
}

/// What is said of an operand without dimensions.
fn dims_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "tensor_split" => {
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        }
        "narrow" => "narrow() cannot be applied to a 0-dim tensor.",
        "select" | "select_scatter" => "select() cannot be applied to a 0-dim tensor.",
        "slice_scatter" => "slice() cannot be applied to a 0-dim tensor.",
        _ => return None,
    })
}

const INTS: &[DType] = &[DType::I32, DType::I64];

/// Where indices are, of which dtypes, and what is said of others.
fn index_of(name: &str) -> Option<(usize, &'static [DType], &'static str)> {
    Some(match name {
        "take" => (
            1,
            &[DType::I64],
            "take(): Expected a long tensor for index, but got {}",
        ),
        "take_along_dim" => (
            1,
            &[DType::I64],
            "torch.take_along_dim(): dtype of indices should be Long but got {}",
        ),
        "put" => (
            1,
            &[DType::I64],
            "put_(): Expected a long tensor for index, but got {}",
        ),
        "scatter" => (2, INTS, "scatter(): Expected dtype int32/int64 for index"),
        "index_select" => (
            2,
            INTS,
            "index_select(): Expected dtype int32 or int64 for index",
        ),
        _ => return None,
    })
}

/// Functions with their kernels, and what these lack.
const KERNELS: &[(&str, &str, Lacks)] = &[
    ("addcmul", "addcmul_cpu_out", Lacks::Bool),
    ("logaddexp", "logaddexp_cpu", Lacks::Whole),
    ("logaddexp2", "logaddexp2_cpu", Lacks::Whole),
    ("hardshrink", "hardshrink_cpu", Lacks::Whole),
    ("softshrink", "softshrink_check", Lacks::Whole),
    ("leaky_relu", "leaky_relu_cpu", Lacks::Whole),
    ("prelu", "prelu_cpu", Lacks::Whole),
    ("huber_loss", "huber_cpu", Lacks::Whole),
    ("relu", "Boolean inputs not supported for relu", Lacks::Bool),
    (
        "hardtanh",
        "Bool inputs not supported for hardtanh",
        Lacks::Bool,
    ),
    (
        "relu6",
        "Bool inputs not supported for hardtanh",
        Lacks::Bool,
    ),
    ("threshold", "threshold_cpu", Lacks::Bool),
    ("max_pool1d", "max_pool1d_impl", Lacks::Whole),
    ("adaptive_max_pool1d", "adaptive_max_pool2d", Lacks::Whole),
    ("adaptive_max_pool2d", "adaptive_max_pool2d", Lacks::Whole),
    (
        "adaptive_avg_pool3d",
        "adaptive_avg_pool3d_cpu",
        Lacks::Whole,
    ),
    (
        "adaptive_max_pool3d",
        "adaptive_max_pool3d_cpu",
        Lacks::Whole,
    ),
    ("logcumsumexp", "logcumsumexp_out_cpu", Lacks::Whole),
    (
        "cov",
        "cov(): bool dtype is not supported for input",
        Lacks::Bool,
    ),
    (
        "corrcoef",
        "cov(): bool dtype is not supported for input",
        Lacks::Bool,
    ),
    (
        "cdist",
        "cdist only supports floating-point dtypes, X1 got: {}",
        Lacks::Whole,
    ),
    (
        "isin",
        "Unsupported input type encountered for isin(): {}",
        Lacks::Bool,
    ),
    ("searchsorted", "searchsorted_out_cpu", Lacks::Bool),
    ("mse_loss", "mse_cpu", Lacks::Whole),
    (
        "vecdot",
        "linalg.vecdot: Expected a floating point or complex tensor as input. Got {}",
        Lacks::Whole,
    ),
];
