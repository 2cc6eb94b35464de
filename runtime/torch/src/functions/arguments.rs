//! Arguments that PyTorch refuses by their type where a body would take them: None for what has another default, and
//! what is only a hint.
//!
//! In: a function's name and parameters, its arguments. Out: nothing, or PyTorch's error. Always: which parameters are
//! looked at is found once, when the function is looked up.

use std::rc::Rc;

use janus_object::Value;
use janus_tensor::TensorError;

use crate::TorchOps;
use crate::call::{Arg, CallArgs, Signature};

/// What an argument has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// Anything but None; the word is what it should have been.
    Some(&'static str),
    /// A bool.
    Bool,
    /// A bool, or None.
    BoolOrNone,
    /// A `torch.layout`, or None.
    Layout,
    /// What names a device, or None.
    Device,
    /// A `torch.Generator`, or None.
    Generator,
    /// No None, which stands for a dimension's name there.
    Unnamed,
}

/// Parameters of every function that has them.
const EVERYWHERE: &[(&str, Takes)] = &[
    ("layout", Takes::Layout),
    ("pin_memory", Takes::BoolOrNone),
    ("device", Takes::Device),
    ("generator", Takes::Generator),
];

/// Functions, one of their parameters, and what that takes.
const OF_FUNCTIONS: &[(&[&str], &str, Takes)] = &[
    (
        &["add", "sub", "subtract", "rsub", "index_add"],
        "alpha",
        Takes::Some("Number"),
    ),
    (&["arange"], "end", Takes::Some("Number")),
    (&["eye"], "m", Takes::Some("int")),
    (&["argsort", "msort"], "stable", Takes::Bool),
    (&["sort"], "stable", Takes::BoolOrNone),
    (&["bincount"], "minlength", Takes::Some("int")),
    (&["bernoulli"], "p", Takes::Some("float")),
    (
        &["fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"],
        "dim",
        Takes::Some("tuple of ints"),
    ),
    (&["gather"], "sparse_grad", Takes::Bool),
    (&["isin"], "assume_unique", Takes::Bool),
    (&["unique"], "sorted", Takes::Bool),
    (
        &["vector_norm", "matrix_norm"],
        "ord",
        Takes::Some("Number"),
    ),
    (&["matrix_norm"], "dim", Takes::Some("tuple of ints")),
    (&["median"], "keepdim", Takes::Bool),
    (
        &["quantile", "nanquantile"],
        "interpolation",
        Takes::Some("str"),
    ),
    (
        &[
            "adaptive_avg_pool1d",
            "adaptive_avg_pool2d",
            "adaptive_avg_pool3d",
            "adaptive_max_pool1d",
            "adaptive_max_pool2d",
            "adaptive_max_pool3d",
        ],
        "output_size",
        Takes::Some("tuple of ints"),
    ),
    (
        &["avg_pool1d", "avg_pool2d", "avg_pool3d"],
        "padding",
        Takes::Some("tuple of ints"),
    ),
    (CONVOLUTIONS, "stride", Takes::Some("tuple of ints")),
    (CONVOLUTIONS, "padding", Takes::Some("tuple of ints")),
    (CONVOLUTIONS, "output_padding", Takes::Some("tuple of ints")),
    (CONVOLUTIONS, "dilation", Takes::Some("tuple of ints")),
    (&["pad"], "mode", Takes::Some("str")),
    (&["gelu"], "approximate", Takes::Some("str")),
    (&["scatter"], "reduce", Takes::Some("str")),
    (&["normal"], "mean", Takes::Some("float")),
    (&["normal"], "std", Takes::Some("float")),
    (&["normal"], "size", Takes::Some("tuple of ints")),
    (&["randint", "randint_like"], "high", Takes::Some("int")),
    (
        &["trapezoid", "trapz", "cumulative_trapezoid"],
        "x",
        Takes::Some("Tensor"),
    ),
    (
        &["trapezoid", "trapz", "cumulative_trapezoid"],
        "dx",
        Takes::Some("Number"),
    ),
    (
        &["contiguous"],
        "memory_format",
        Takes::Some("torch.memory_format"),
    ),
    (
        &["max", "min", "prod", "median", "squeeze"],
        "dim",
        Takes::Unnamed,
    ),
];

const CONVOLUTIONS: &[&str] = &[
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
];

/// The parameters of one function that are looked at.
#[derive(Clone, Debug, Default)]
pub struct Typed(Rc<[(usize, Takes)]>);

impl Typed {
    /// Those of a function, by its name and parameters.
    #[must_use]
    pub fn of(name: &str, signature: &Signature) -> Typed {
        let place = |param: &str| signature.params.iter().position(|p| *p == param);
        let everywhere = EVERYWHERE
            .iter()
            .filter_map(|&(param, takes)| Some((place(param)?, takes)));
        let own = OF_FUNCTIONS
            .iter()
            .filter(|(names, ..)| names.contains(&name))
            .filter_map(|&(_, param, takes)| Some((place(param)?, takes)));
        Typed(everywhere.chain(own).collect())
    }

    /// Refuses a call.
    ///
    /// # Errors
    /// `TypeError` for an argument of another type.
    pub fn check<B: TorchOps>(&self, args: &CallArgs<B>) -> Result<(), B::Error> {
        for &(at, takes) in &*self.0 {
            let Some(arg) = args.slot(at) else {
                continue;
            };
            let none = matches!(arg, Arg::Const(Value::None));
            match takes {
                Takes::Some(expected) if none => return Err(args.wrong(at, expected)),
                Takes::Unnamed if none => {
                    let text = "Please look up dimensions by name, got: name = None.";
                    return Err(TensorError::Runtime(text.to_owned()).into());
                }
                Takes::Some(_) | Takes::Unnamed => {}
                Takes::Bool if none => return Err(args.wrong(at, "bool")),
                _ if none => {}
                Takes::Bool | Takes::BoolOrNone => {
                    if !matches!(arg, Arg::Const(Value::Bool(_))) {
                        return Err(args.wrong(at, "bool"));
                    }
                }
                Takes::Layout => {
                    if !matches!(arg, Arg::Const(v) if crate::formats::is_layout(v)) {
                        return Err(args.wrong(at, "torch.layout"));
                    }
                }
                Takes::Device => {
                    if matches!(arg, Arg::Tensor(_)) {
                        return Err(args.wrong(at, "torch.device"));
                    }
                }
                Takes::Generator => {
                    if matches!(arg, Arg::Tensor(_) | Arg::Scalar(_)) {
                        return Err(args.wrong(at, "torch.Generator"));
                    }
                }
            }
        }
        Ok(())
    }
}
