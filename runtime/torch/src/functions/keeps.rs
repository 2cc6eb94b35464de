//! What PyTorch's backward keeps of a call.
//!
//! In: a function that is made of primitives here, with its arguments and results. Out: backward fails if one of the
//! tensors that PyTorch's node keeps was written to meanwhile, although the primitives may need others. Always: a
//! function that is one primitive, or whose primitives keep the same tensors, is not listed.

use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret};

/// Of which arguments, and whether of its result, a function's node keeps the elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keeps {
    arguments: &'static [&'static str],
    result: bool,
    /// The argument that has to be a tensor for that.
    if_tensor: Option<&'static str>,
}

impl Keeps {
    /// What the functions of a file keep, by the names of file and function.
    #[must_use]
    pub fn of(file: &str, function: &str) -> Keeps {
        let (arguments, result): (&'static [&'static str], bool) = match (file, function) {
            ("pointwise", "log2" | "nan_to_num")
            | ("reduce", "var" | "var_mean")
            | ("scan", "cummax" | "cummin")
            | ("activation", "relu6" | "gelu" | "hardtanh" | "hardshrink" | "softshrink")
            | ("activation", "leaky_relu" | "threshold")
            | ("norm", "layer_norm" | "group_norm" | "rms_norm")
            | ("pool", "max_pool1d" | "max_pool2d" | "avg_pool1d" | "avg_pool2d")
            | ("pool", "adaptive_avg_pool1d" | "adaptive_max_pool1d" | "adaptive_max_pool2d")
            | ("products", "nansum")
            | ("solve", "matrix_exp") => (&["input"], false),
            ("pointwise", "lerp") => (&["input", "end"], false),
            ("reduce", "std" | "std_mean" | "logsumexp" | "cumprod") => (&["input"], true),
            // Along a dimension only the places of the extremes are kept.
            ("reduce", "max" | "min") | ("sort", "median") => (&["input"], true),
            ("clamp", _) => (&["input", "min", "max"], false),
            ("choose", "fmax" | "fmin") => (&["input", "other"], false),
            ("loss", "mse_loss" | "smooth_l1_loss" | "huber_loss" | "bce_with_logits") => {
                (&["input", "target"], false)
            }
            ("gather", "gather" | "take") => (&["input", "index"], false),
            ("gather", "index_add") => (&["index", "source"], false),
            ("scatter", "scatter_reduce") => (&["input", "index", "src"], true),
            ("linalg", "cdist") => (&["x1", "x2"], true),
            ("products", "dist") => (&["input", "other"], true),
            ("complex", "complex") => (&["real", "imag"], false),
            ("solve", "det" | "solve") => (&["A"], true),
            ("scan", "logcumsumexp") => (&[], true),
            ("pointwise", "pow") => (&[], true),
            ("gather", "masked_select") => (&["input", "mask"], false),
            ("special", "hypot") => (&[], true),
            ("solve", "inv") => (&[], true),
            _ => (&[], false),
        };
        let if_tensor = match (file, function) {
            ("pointwise", "lerp") => Some("weight"),
            ("pointwise", "pow") => Some("exponent"),
            _ => None,
        };
        Keeps {
            arguments,
            result,
            if_tensor,
        }
    }

    /// Says so of what a call has made.
    pub fn note<B: TorchOps>(self, b: &mut B, args: &CallArgs<B>, made: &Ret<B>) {
        if self == Keeps::default() {
            return;
        }
        let (t, alone) = match made {
            Ret::Tensor(t) => (t, true),
            Ret::NamedTuple(_, items) => match items.first() {
                Some(Ret::Tensor(t)) => (t, false),
                _ => return,
            },
            _ => return,
        };
        let unread = !b.is_grad_enabled() || !b.requires_grad(t);
        if unread || !matches!(args.written_over(), Ok(None)) {
            return;
        }
        let deciding = self
            .if_tensor
            .map(|name| args.place_of(name).and_then(|at| args.slot(at)));
        if deciding.is_some_and(|arg| !matches!(arg, Some(Arg::Tensor(_)))) {
            return;
        }
        // `max` of two tensors goes element by element, and keeps what its primitive does.
        let extreme = matches!(args.name(), "max" | "min" | "median");
        if extreme && (!alone || args.tensor_arguments(None).len() > 1) {
            return;
        }
        for name in self.arguments {
            if let Some(Arg::Tensor(operand)) = args.place_of(name).and_then(|at| args.slot(at)) {
                b.keep(t, operand);
            }
        }
        if self.result && alone {
            b.keep(t, t);
        }
    }
}
