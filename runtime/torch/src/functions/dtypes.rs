//! Which functions hold for complex numbers, and for uint16 to uint64.
//!
//! In: a function, with its arguments. Out: nothing, or an error: PyTorch's own where that refuses, or that something is
//! not implemented. Always: what is not said to hold is refused, so that no composition for real numbers computes
//! something else with complex ones.

use std::collections::HashMap;
use std::sync::LazyLock;

use janus_tensor::{DType, TensorError};

use super::no_kernel;
use crate::TorchOps;
use crate::call::{Arg, CallArgs};

/// What a function does with operands of some dtypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// It computes with them.
    Holds,
    /// PyTorch refuses them, with this kernel or text.
    Lacks(&'static str),
    /// PyTorch computes with them.
    Missing,
}

/// The rules of a function.
#[derive(Clone, Copy, Debug)]
pub struct Dtypes {
    complex: Rule,
    unsigned: Rule,
    integers: Rule,
    /// Its operands become one of a common dtype.
    promotes: bool,
}

static LACKING: LazyLock<HashMap<&'static str, [&'static str; 2]>> = LazyLock::new(|| {
    let lines = include_str!("lacking_dtypes.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let mut columns = line.split('|');
            let name = columns.next()?;
            Some((name, [columns.next()?, columns.next()?]))
        })
        .collect()
});

/// Functions whose compositions are those of complex numbers, too; of other files all that move elements or make them.
fn holds_for_complex(file: &str, function: &str) -> bool {
    match file {
        "attributes" | "convert" | "write" | "grad" | "create" | "shape" | "diagonal"
        | "rearrange" | "index" | "gather" | "complex" | "fourier" => true,
        "pointwise" => !matches!(function, "nan_to_num" | "round" | "trunc" | "frac"),
        "activation" => matches!(function, "sigmoid" | "softsign" | "tanhshrink"),
        "loss" => function == "l1_loss",
        "reduce" => matches!(
            function,
            "sum"
                | "mean"
                | "prod"
                | "var"
                | "std"
                | "var_mean"
                | "std_mean"
                | "all"
                | "any"
                | "count_nonzero"
                | "norm"
                | "vector_norm"
                | "cumsum"
                | "cumprod"
        ),
        "norm" => matches!(function, "linalg_norm" | "matrix_norm" | "normalize"),
        "scatter" => matches!(
            function,
            "index_put" | "put_at" | "masked_scatter" | "argwhere"
        ),
        "products" => matches!(
            function,
            "inner"
                | "cross"
                | "linalg_cross"
                | "tensordot"
                | "addmv"
                | "addr"
                | "addbmm"
                | "matrix_power"
                | "chain_matmul"
                | "vecdot"
                | "dist"
        ),
        "solve" => true,
        "conv" => !matches!(function, "unfold" | "fold"),
        "linalg" => function != "scaled_dot_product_attention" && function != "cdist",
        "random" => matches!(
            function,
            "rand" | "randn" | "rand_like" | "randn_like" | "normal_" | "uniform_" | "dropout"
        ),
        "special" => matches!(
            function,
            "atan" | "asin" | "acos" | "asinh" | "acosh" | "atanh" | "sinc" | "ldexp" | "logaddexp"
        ),
        "choose" => matches!(
            function,
            "isreal" | "promote_types" | "can_cast" | "float_power"
        ),
        "scan" => matches!(function, "diff" | "trapezoid" | "cumulative_trapezoid"),
        _ => false,
    }
}

/// Functions whose kernels lack all ints.
fn takes_no_integers(file: &str, function: &str) -> bool {
    match file {
        "activation" => matches!(
            function,
            "celu" | "elu" | "selu" | "gelu" | "logsigmoid" | "softplus"
        ),
        "pool" => function.starts_with("adaptive_avg_pool"),
        _ => false,
    }
}

impl Dtypes {
    /// Those of the functions of a file, by the names of file and function.
    #[must_use]
    pub fn of(file: &str, function: &str) -> Dtypes {
        let lacks = LACKING.get(format!("{file}::{function}").as_str());
        let [complex, unsigned] = lacks.copied().unwrap_or_default();
        Dtypes {
            complex: match complex {
                "" if holds_for_complex(file, function) => Rule::Holds,
                "" => Rule::Missing,
                text => Rule::Lacks(text),
            },
            unsigned: match unsigned {
                "" => Rule::Holds,
                text => Rule::Lacks(text),
            },
            integers: match unsigned {
                text if takes_no_integers(file, function) => Rule::Lacks(text),
                _ => Rule::Holds,
            },
            promotes: matches!(file, "pointwise" | "products" | "linalg" | "special"),
        }
    }

    /// Refuses a call.
    ///
    /// # Errors
    /// PyTorch's where it refuses the dtype, and `NotImplementedError` where it does not.
    pub fn check<B: TorchOps>(self, b: &B, args: &CallArgs<B>) -> Result<(), B::Error> {
        let no_integers = self.integers != Rule::Holds;
        let rare =
            |d: DType| d.is_complex() || d.is_stored_unsigned() || (no_integers && !d.is_inexact());
        let Some(dtype) = args.any_dtype(b, rare) else {
            return Ok(());
        };
        let function = args.name();
        let rule = match dtype.is_complex() {
            true if function.trim_end_matches('_') == "sgn" => Rule::Holds,
            true => self.complex,
            false if no_integers => self.integers,
            false => self.unsigned_beside(b, args, dtype)?,
        };
        match rule {
            Rule::Holds => Ok(()),
            Rule::Lacks(text) => Err(lacking::<B>(text, dtype)),
            Rule::Missing => Err(TensorError::NotImplemented(format!(
                "{function}() of complex numbers is not implemented in janus-jit yet"
            ))
            .into()),
        }
    }

    /// What holds for an unsigned int beside other operands: floats are computed with, ints not.
    fn unsigned_beside<B: TorchOps>(
        self,
        b: &B,
        args: &CallArgs<B>,
        dtype: DType,
    ) -> Result<Rule, B::Error> {
        if !self.promotes {
            return Ok(self.unsigned);
        }
        let operands = args.tensor_arguments(args.signature.out);
        for (at, t) in &operands {
            if matches!(args.param(*at), "condition" | "mask") {
                continue;
            }
            let other = b.dtype(t);
            if !dtype.promotes_with(other) {
                return Err(TensorError::Runtime(no_promotion(dtype, other)).into());
            }
            if other.is_float() {
                return Ok(Rule::Holds);
            }
        }
        let float = |arg: Option<&Arg<B>>| match arg {
            Some(Arg::Const(v)) => matches!(v.unwrapped(), janus_object::Value::Float(_)),
            _ => false,
        };
        Ok(match float(args.slot(0)) || float(args.slot(1)) {
            true => Rule::Holds,
            false => self.unsigned,
        })
    }
}

fn lacking<B: TorchOps>(text: &str, dtype: DType) -> B::Error {
    if !text.contains(' ') {
        return no_kernel::<B>(text, dtype);
    }
    let text = text.replace("{}", dtype.scalar_type_name());
    match text.strip_prefix('!') {
        Some(text) => TensorError::NotImplemented(text.to_owned()).into(),
        None => TensorError::Runtime(text).into(),
    }
}

/// Why two dtypes of which one is uint16, uint32 or uint64 have no dtype in common, as PyTorch says it.
pub(crate) fn no_promotion(x: DType, y: DType) -> String {
    // Of complex numbers PyTorch knows the kind alone.
    let y = match y.is_complex() {
        true => "Complex",
        false => y.scalar_type_name(),
    };
    let x = x.scalar_type_name();
    format!(
        "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote {x} and {y}"
    )
}
