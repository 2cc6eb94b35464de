//! The list of torch functions.
//!
//! In: a qualified name (`torch.relu`, `Tensor.add_`). Out: its [`Function`]. Always: every
//! function stands here once, and both tiers take it from here.

use std::rc::Rc;

use janus_object::{Name, Raised, Value};
use janus_tensor::{Dim, TensorError};

use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret, Signature, TorchFn, number};
use crate::functions::dtypes::Dtypes;
use crate::functions::keeps::Keeps;
use crate::functions::layout::Layout;
use crate::functions::outputs::{
    can_cast, compute_in_dtype_of, refused_dtype, refused_dtype_of, takes_any,
};
use crate::functions::refusals::Refusals;
use crate::functions::rounding::Rounding;
use crate::functions::{
    activation, attributes, choose, clamp, complex, conv, convert, count, create, diagonal,
    fourier, gather, grad, index, linalg, loss, norm, pointwise, pool, products, random, rearrange,
    reduce, scan, scatter, shape, solve, sort, special, write,
};

/// How a name of a function differs from the function itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The function as it is.
    Plain,
    /// An operator: `NotImplemented` for an operand that is neither tensor nor number.
    Operator,
    /// An operator with its operands exchanged.
    Reflected,
    /// Writes the result into the first argument.
    InPlace,
    /// An augmented assignment: both of the above.
    InPlaceOperator,
}

/// A torch function.
pub struct Function<B: TorchOps> {
    /// Its parameters.
    pub signature: Rc<Signature>,
    /// How it is called.
    pub form: Form,
    /// What it computes.
    pub body: TorchFn<B>,
    /// Where its result lies.
    pub layout: Layout,
    /// How often its result is rounded.
    pub rounding: Rounding,
    /// What it is not called with.
    pub refusals: Refusals,
    /// Which of the rarer dtypes it holds for.
    pub dtypes: Dtypes,
    /// What backward finds unwritten, or fails.
    pub keeps: Keeps,
}

impl<B: TorchOps> Clone for Function<B> {
    fn clone(&self) -> Self {
        Function {
            signature: self.signature.clone(),
            form: self.form,
            body: self.body,
            layout: self.layout,
            rounding: self.rounding,
            refusals: self.refusals.clone(),
            dtypes: self.dtypes,
            keeps: self.keeps,
        }
    }
}

impl<B: TorchOps> Function<B> {
    fn new(
        name: &'static str,
        text: &'static str,
        form: Form,
        body: TorchFn<B>,
        (layout, rounding, dtypes, keeps): (Layout, Rounding, Dtypes, Keeps),
    ) -> Self {
        let method = name.starts_with("Tensor.");
        let name = name
            .strip_suffix(".__get__")
            .or(name.strip_suffix(".__set__"))
            .unwrap_or(name);
        let name = name.rsplit('.').next().unwrap_or(name);
        let signature = Signature::parse(name, text, method);
        Function {
            refusals: Refusals::of(name, &signature),
            signature: Rc::new(signature),
            form,
            body,
            layout,
            rounding,
            dtypes,
            keeps,
        }
    }

    /// Whether its data may be any sequence, a deque, too; other functions take lists and tuples.
    pub fn takes_sequences(&self) -> bool {
        matches!(self.signature.name, "tensor" | "as_tensor" | "new_tensor")
    }

    /// Whether it leaves what it does not know to the other operand.
    pub fn is_operator(&self) -> bool {
        matches!(
            self.form,
            Form::Operator | Form::Reflected | Form::InPlaceOperator
        )
    }

    /// Calls it.
    pub fn call(
        &self,
        b: &mut B,
        mut pos: Vec<Arg<B>>,
        mut kw: Vec<(Name, Arg<B>)>,
    ) -> Result<Ret<B>, B::Error> {
        crate::older::in_order(b, &self.signature, &mut pos, &mut kw)?;
        let mut args = CallArgs::bind(&self.signature, pos, kw)?;
        // Only `tensor()` has a dtype for an int beyond 64 bits.
        if !args.name().ends_with("tensor")
            && let Some(text) = args.find_const(oversized)
        {
            return Err(Raised::overflow_error(text).into());
        }
        let device = crate::devices::of_tensors(b, &args);
        if let Some(dtype) = b.autocast(device) {
            crate::autocast::cast_arguments(b, &mut args, (dtype, device))?;
        }
        if !self.is_operator() {
            self.refusals.check(b, &args)?;
        } else {
            let known = match args.get(1) {
                Some(Arg::Tensor(_)) => true,
                Some(arg) => number(b, arg).is_some(),
                None => true,
            };
            if !known {
                return Ok(Ret::Const(Value::NotImplemented));
            }
        }
        self.dtypes.check(b, &args)?;
        let Some(device) = crate::devices::of_call(b, &args)? else {
            return self.compute(b, args);
        };
        let before = b.set_device(device);
        let result = self.compute(b, args);
        b.set_device(before);
        result
    }

    fn compute(&self, b: &mut B, mut args: CallArgs<B>) -> Result<Ret<B>, B::Error> {
        match self.form {
            Form::Plain | Form::Operator => {
                let outs = match self.signature.out {
                    Some(at) => outs_of(&args, at)?,
                    None => Vec::new(),
                };
                if let Some(at) = self.signature.out.filter(|_| !outs.is_empty()) {
                    let read = args.other_tensors(at);
                    if b.is_grad_enabled() && outs.iter().chain(&read).any(|t| b.requires_grad(t)) {
                        return Err(TensorError::Runtime(format!(
                            "{}(): functions with out=... arguments don't support automatic differentiation, but one of \
the arguments requires grad.",
                            args.name()
                        ))
                        .into());
                    }
                    if !OVERLAPPING_OUT.contains(&args.name()) {
                        for out in &outs {
                            match READS_ELSEWHERE.contains(&args.name()) {
                                true => b.check_apart(out, &read)?,
                                false => b.check_overlap(out, &read)?,
                            }
                        }
                    }
                }
                if let [out] = outs.as_slice() {
                    compute_in_dtype_of(b, &mut args, out)?;
                }
                let result = match args.written_over()? {
                    // What backward needs of it is kept as it was.
                    Some(x) => b.overwriting(&x, &[], |b| self.run(b, &mut args))?,
                    None => self.run(b, &mut args)?,
                };
                match (outs.as_slice(), result) {
                    ([], result) => Ok(result),
                    ([out], Ret::Tensor(value)) => {
                        let dtypes = (b.dtype(&value), b.dtype(out));
                        if let Some(refused) = refused_dtype(&args, dtypes.0, dtypes.1) {
                            return Err(refused.into());
                        }
                        let value = match takes_any(args.name()) {
                            true => b.cast(&value, dtypes.1)?,
                            false => value,
                        };
                        write_out(b, out, &value)
                    }
                    (outs, Ret::NamedTuple(class, values)) if outs.len() == values.len() => {
                        write_outs(b, args.name(), outs, (class, values))
                    }
                    _ => Err(args.wrong(self.signature.out.unwrap_or(0), "tuple of Tensors")),
                }
            }
            Form::Reflected => {
                args.swap();
                self.run(b, &mut args)
            }
            Form::InPlace | Form::InPlaceOperator => {
                let target = args.tensor(0)?;
                let read = match args.name() {
                    // Their value is taken as a number first.
                    "masked_fill_" | "index_fill_" => args
                        .tensor_arguments(Some(0))
                        .into_iter()
                        .filter(|&(at, _)| args.param(at) != "value")
                        .map(|(_, t)| t)
                        .collect(),
                    _ => args.other_tensors(0),
                };
                if READS_ELSEWHERE.contains(&args.name()) {
                    b.check_apart(&target, &read)?;
                }
                let result = b.overwriting(&target, &read, |b| self.run(b, &mut args))?;
                match result {
                    Ret::Tensor(value) => write_into(b, &target, &value),
                    other => Ok(other),
                }
            }
        }
    }

    fn run(&self, b: &mut B, args: &mut CallArgs<B>) -> Result<Ret<B>, B::Error> {
        let writes = matches!(self.form, Form::InPlace | Form::InPlaceOperator);
        let result = self
            .rounding
            .of_results(b, args, |b, args| match self.layout {
                Layout::Rows => (self.body)(b, args),
                _ if writes => (self.body)(b, args),
                layout => layout.of_results(b, args, self.body),
            })?;
        args.all_read()?;
        if !writes {
            self.keeps.note(b, args, &result);
        }
        Ok(result)
    }
}

/// The tensors of `out=`: one, or one for each result.
fn outs_of<B: TorchOps>(args: &CallArgs<B>, at: usize) -> Result<Vec<B::T>, B::Error> {
    match args.given(at) {
        None => Ok(Vec::new()),
        Some(Arg::Tuple(items) | Arg::List(items)) => items
            .iter()
            .map(|item| match item {
                Arg::Tensor(t) => Ok(t.clone()),
                _ => Err(args.wrong(at, "tuple of Tensors")),
            })
            .collect(),
        Some(_) => Ok(vec![args.tensor(at)?]),
    }
}

/// Stores several results, whose dtypes have to be those of `out=`.
fn write_outs<B: TorchOps>(
    b: &mut B,
    name: &str,
    outs: &[B::T],
    (class, values): (&'static str, Vec<Ret<B>>),
) -> Result<Ret<B>, B::Error> {
    let mut written = Vec::with_capacity(outs.len());
    for (at, (out, value)) in outs.iter().zip(values).enumerate() {
        let Ret::Tensor(value) = value else {
            return Ok(value);
        };
        let (have, want) = (b.dtype(out), b.dtype(&value));
        if let Some(refused) = refused_dtype_of(name, at, want, have) {
            return Err(refused.into());
        }
        written.push(write_out(b, out, &value)?);
    }
    Ok(Ret::NamedTuple(
        crate::objects::class_of_outs(class),
        written,
    ))
}

/// Functions whose `out=` may be memory that they read: it is written when they are done.
const OVERLAPPING_OUT: &[&str] = &[
    "mm",
    "matmul",
    "bmm",
    "addmm",
    "mv",
    "dot",
    "sum",
    "mean",
    "prod",
    "amax",
    "amin",
    "std",
    "var",
    "norm",
    "logsumexp",
];

/// Functions that go by indices: what they write shares no memory with what they read.
const READS_ELSEWHERE: &[&str] = &[
    "gather",
    "index_select",
    "take",
    "scatter",
    "scatter_",
    "scatter_add",
    "scatter_add_",
    "scatter_reduce_",
    "index_add_",
    "index_copy_",
    "index_put_",
    "put_",
];

/// Why an int fits in no 64 bits.
fn oversized(v: &Value) -> Option<&'static str> {
    match v {
        Value::BigInt(n) if **n < 0.into() => Some("can't convert negative int to unsigned"),
        Value::BigInt(n) if n.bits() > 64 => Some("int too big to convert"),
        _ => None,
    }
}

/// Stores a result in a tensor, as in-place operations do.
fn write_into<B: TorchOps>(b: &mut B, target: &B::T, value: &B::T) -> Result<Ret<B>, B::Error> {
    let (have, want) = (b.shape(value), b.shape(target));
    if !equal_shapes(b, &have, &want)? {
        let known =
            |dims: &[Dim]| -> Vec<i64> { dims.iter().map(|d| d.known().unwrap_or(-1)).collect() };
        return Err(TensorError::InPlaceShape {
            out: known(&want).as_slice().into(),
            broadcast: known(&have).as_slice().into(),
        }
        .into());
    }
    let value = cast_into(b, target, value)?;
    b.assign(target, &value)?;
    Ok(Ret::Tensor(target.clone()))
}

/// Stores a result in `out=`, which takes on the result's shape.
fn write_out<B: TorchOps>(b: &mut B, out: &B::T, value: &B::T) -> Result<Ret<B>, B::Error> {
    let (have, want) = (b.shape(value), b.shape(out));
    if equal_shapes(b, &have, &want)? {
        return write_into(b, out, value);
    }
    let value = cast_into(b, out, value)?;
    // What is computed may be an argument itself.
    let value = b.copy(&value)?;
    b.resize_to(out, &value)?;
    Ok(Ret::Tensor(out.clone()))
}

fn equal_shapes<B: TorchOps>(b: &mut B, have: &[Dim], want: &[Dim]) -> Result<bool, B::Error> {
    let mut equal = have.len() == want.len();
    for (&x, &y) in have.iter().zip(want) {
        equal = equal && b.dims_equal(x, y)?;
    }
    Ok(equal)
}

/// The value with the target's dtype, where that can hold it.
fn cast_into<B: TorchOps>(b: &mut B, target: &B::T, value: &B::T) -> Result<B::T, B::Error> {
    let (from, to) = (b.dtype(value), b.dtype(target));
    if !can_cast(from, to) {
        return Err(TensorError::InPlaceDtype { from, to }.into());
    }
    b.cast(value, to)
}

macro_rules! form {
    () => {
        Form::Plain
    };
    (op) => {
        Form::Operator
    };
    (rop) => {
        Form::Reflected
    };
    (inplace) => {
        Form::InPlace
    };
    (iop) => {
        Form::InPlaceOperator
    };
}

macro_rules! torch_functions {
    ($($file:ident::$body:ident($sig:literal): $($name:literal $(as $form:ident)?),+;)*) => {
        /// Every name in the table.
        pub const NAMES: &[&str] = &[$($($name),+),*];

        /// The function of this name.
        pub fn lookup<B: TorchOps>(qualname: &str) -> Option<Function<B>> {
            match qualname {
                $($($name => {
                    let layout = Layout::of(stringify!($file), stringify!($body));
                    let rounding = Rounding::of(stringify!($file), stringify!($body));
                    let dtypes = Dtypes::of(stringify!($file), stringify!($body));
                    let keeps = Keeps::of(stringify!($file), stringify!($body));
                    let how = (layout, rounding, dtypes, keeps);
                    Some(Function::new($name, $sig, form!($($form)?), $file::$body::<B>, how))
                })+)*
                _ => None,
            }
        }
    };
}

torch_functions! {
    // Arithmetic.
    pointwise::add("input, other, *, alpha, out"): "torch.add", "Tensor.add",
        "Tensor.__add__" as op, "Tensor.__radd__" as rop,
        "Tensor.add_" as inplace, "Tensor.__iadd__" as iop;
    pointwise::sub("input, other, *, alpha, out"): "torch.sub", "torch.subtract", "Tensor.sub",
        "Tensor.subtract", "Tensor.__sub__" as op, "Tensor.__rsub__" as rop,
        "Tensor.sub_" as inplace, "Tensor.__isub__" as iop,
        "Tensor.subtract_" as inplace;
    pointwise::rsub("input, other, *, alpha"): "torch.rsub";
    pointwise::mul("input, other, *, out"): "torch.mul", "torch.multiply", "Tensor.mul",
        "Tensor.multiply", "Tensor.__mul__" as op, "Tensor.__rmul__" as rop,
        "Tensor.mul_" as inplace, "Tensor.__imul__" as iop,
        "Tensor.multiply_" as inplace;
    pointwise::div("input, other, *, rounding_mode, out"): "torch.div", "torch.divide",
        "torch.true_divide", "Tensor.div", "Tensor.divide", "Tensor.true_divide",
        "Tensor.__truediv__" as op,
        "Tensor.div_" as inplace, "Tensor.__itruediv__" as iop,
        "Tensor.divide_" as inplace, "Tensor.true_divide_" as inplace;
    pointwise::divided("input, other"): "Tensor.__rtruediv__" as rop, "Tensor.__rdiv__" as rop;
    pointwise::floor_divide("input, other, *, out"): "torch.floor_divide", "Tensor.floor_divide",
        "Tensor.__floordiv__" as op, "Tensor.__rfloordiv__" as rop,
        "Tensor.floor_divide_" as inplace, "Tensor.__ifloordiv__" as iop;
    pointwise::remainder("input, other, *, out"): "torch.remainder", "Tensor.remainder",
        "Tensor.__mod__" as op, "Tensor.__rmod__" as rop,
        "Tensor.remainder_" as inplace, "Tensor.__imod__" as iop;
    pointwise::fmod("input, other, *, out"): "torch.fmod", "Tensor.fmod", "Tensor.fmod_" as inplace;
    pointwise::general_pow("input, exponent"): "torch._C._general_pow";
    shape::backwards("input, dims"): "torch._C._backwards";
    pointwise::pow("input, exponent, *, out"): "torch.pow", "Tensor.pow",
        "Tensor.__pow__" as op, "Tensor.__rpow__" as rop,
        "Tensor.pow_" as inplace, "Tensor.__ipow__" as iop;
    pointwise::maximum("input, other, *, out"): "torch.maximum", "Tensor.maximum";
    pointwise::minimum("input, other, *, out"): "torch.minimum", "Tensor.minimum";
    pointwise::addcmul("input, tensor1, tensor2, *, value, out"): "torch.addcmul",
        "Tensor.addcmul", "Tensor.addcmul_" as inplace;
    pointwise::addcdiv("input, tensor1, tensor2, *, value, out"): "torch.addcdiv",
        "Tensor.addcdiv", "Tensor.addcdiv_" as inplace;
    pointwise::lerp("input, end, weight, *, out"): "torch.lerp", "Tensor.lerp",
        "Tensor.lerp_" as inplace;
    // Bits and truth.
    pointwise::bitwise_and("input, other, *, out"): "torch.bitwise_and", "Tensor.bitwise_and",
        "Tensor.__and__" as op, "Tensor.__rand__" as rop, "Tensor.__iand__" as iop,
        "Tensor.bitwise_and_" as inplace;
    pointwise::bitwise_or("input, other, *, out"): "torch.bitwise_or", "Tensor.bitwise_or",
        "Tensor.__or__" as op, "Tensor.__ror__" as rop, "Tensor.__ior__" as iop,
        "Tensor.bitwise_or_" as inplace;
    pointwise::bitwise_xor("input, other, *, out"): "torch.bitwise_xor", "Tensor.bitwise_xor",
        "Tensor.__xor__" as op, "Tensor.__rxor__" as rop, "Tensor.__ixor__" as iop,
        "Tensor.bitwise_xor_" as inplace;
    pointwise::bitwise_not("input, *, out"): "torch.bitwise_not", "Tensor.bitwise_not",
        "Tensor.__invert__",
        "Tensor.bitwise_not_" as inplace;
    pointwise::shl("input, other, *, out"): "torch.bitwise_left_shift", "Tensor.bitwise_left_shift",
        "Tensor.bitwise_left_shift_" as inplace, "Tensor.__ilshift__" as iop, "Tensor.__lshift__" as op,
        "Tensor.__rlshift__" as rop;
    pointwise::shr("input, other, *, out"): "torch.bitwise_right_shift", "Tensor.bitwise_right_shift",
        "Tensor.bitwise_right_shift_" as inplace, "Tensor.__irshift__" as iop, "Tensor.__rshift__" as op,
        "Tensor.__rrshift__" as rop;
    pointwise::logical_and("input, other, *, out"): "torch.logical_and", "Tensor.logical_and", "Tensor.logical_and_" as inplace;
    pointwise::logical_or("input, other, *, out"): "torch.logical_or", "Tensor.logical_or", "Tensor.logical_or_" as inplace;
    pointwise::logical_xor("input, other, *, out"): "torch.logical_xor", "Tensor.logical_xor", "Tensor.logical_xor_" as inplace;
    pointwise::logical_not("input, *, out"): "torch.logical_not", "Tensor.logical_not", "Tensor.logical_not_" as inplace;
    // Comparisons.
    pointwise::eq("input, other, *, out"): "torch.eq", "Tensor.eq", "Tensor.__eq__" as op, "Tensor.eq_" as inplace;
    pointwise::ne("input, other, *, out"): "torch.ne", "torch.not_equal", "Tensor.ne",
        "Tensor.not_equal", "Tensor.__ne__" as op, "Tensor.ne_" as inplace,
        "Tensor.not_equal_" as inplace;
    pointwise::lt("input, other, *, out"): "torch.lt", "torch.less", "Tensor.lt", "Tensor.less",
        "Tensor.__lt__" as op, "Tensor.lt_" as inplace,
        "Tensor.less_" as inplace;
    pointwise::le("input, other, *, out"): "torch.le", "torch.less_equal", "Tensor.le",
        "Tensor.less_equal", "Tensor.__le__" as op, "Tensor.le_" as inplace,
        "Tensor.less_equal_" as inplace;
    pointwise::gt("input, other, *, out"): "torch.gt", "torch.greater", "Tensor.gt",
        "Tensor.greater", "Tensor.__gt__" as op, "Tensor.gt_" as inplace,
        "Tensor.greater_" as inplace;
    pointwise::ge("input, other, *, out"): "torch.ge", "torch.greater_equal", "Tensor.ge",
        "Tensor.greater_equal", "Tensor.__ge__" as op, "Tensor.ge_" as inplace,
        "Tensor.greater_equal_" as inplace;
    pointwise::isnan("input"): "torch.isnan", "Tensor.isnan";
    pointwise::isinf("input"): "torch.isinf", "Tensor.isinf";
    pointwise::isfinite("input"): "torch.isfinite", "Tensor.isfinite";
    pointwise::all_finite("input"): "torch._C._all_finite";
    pointwise::isclose("input, other, rtol, atol, equal_nan"): "torch.isclose", "Tensor.isclose";
    pointwise::allclose("input, other, rtol, atol, equal_nan"): "torch.allclose", "Tensor.allclose";
    pointwise::equal("input, other"): "torch.equal", "Tensor.equal";
    // One operand.
    pointwise::neg("input, *, out"): "torch.neg", "torch.negative", "Tensor.neg", "Tensor.negative",
        "Tensor.__neg__", "Tensor.neg_" as inplace, "torch.neg_" as inplace,
        "Tensor.negative_" as inplace, "torch.negative_" as inplace;
    pointwise::positive("input"): "torch.positive", "Tensor.positive", "Tensor.__pos__";
    pointwise::abs("input, *, out"): "torch.abs", "torch.absolute", "Tensor.abs",
        "Tensor.absolute", "Tensor.__abs__", "Tensor.abs_" as inplace, "torch.abs_" as inplace,
        "Tensor.absolute_" as inplace;
    pointwise::sign("input, *, out"): "torch.sign", "Tensor.sign", "torch.sgn", "Tensor.sgn",
        "Tensor.sign_" as inplace,
        "Tensor.sgn_" as inplace;
    pointwise::exp("input, *, out"): "torch.exp", "Tensor.exp", "Tensor.exp_" as inplace, "torch.exp_" as inplace;
    pointwise::exp2("input, *, out"): "torch.exp2", "Tensor.exp2", "Tensor.exp2_" as inplace, "torch.exp2_" as inplace;
    pointwise::expm1("input, *, out"): "torch.expm1", "Tensor.expm1", "Tensor.expm1_" as inplace, "torch.expm1_" as inplace;
    pointwise::log("input, *, out"): "torch.log", "Tensor.log", "Tensor.log_" as inplace, "torch.log_" as inplace;
    pointwise::log1p("input, *, out"): "torch.log1p", "Tensor.log1p", "Tensor.log1p_" as inplace, "torch.log1p_" as inplace;
    pointwise::log2("input, *, out"): "torch.log2", "Tensor.log2", "Tensor.log2_" as inplace, "torch.log2_" as inplace;
    pointwise::log10("input, *, out"): "torch.log10", "Tensor.log10", "Tensor.log10_" as inplace, "torch.log10_" as inplace;
    pointwise::sqrt("input, *, out"): "torch.sqrt", "Tensor.sqrt", "Tensor.sqrt_" as inplace, "torch.sqrt_" as inplace;
    pointwise::rsqrt("input, *, out"): "torch.rsqrt", "Tensor.rsqrt", "Tensor.rsqrt_" as inplace, "torch.rsqrt_" as inplace;
    pointwise::square("input, *, out"): "torch.square", "Tensor.square", "Tensor.square_" as inplace, "torch.square_" as inplace;
    pointwise::reciprocal("input, *, out"): "torch.reciprocal", "Tensor.reciprocal",
        "Tensor.reciprocal_" as inplace, "torch.reciprocal_" as inplace;
    pointwise::sin("input, *, out"): "torch.sin", "Tensor.sin", "Tensor.sin_" as inplace, "torch.sin_" as inplace;
    pointwise::cos("input, *, out"): "torch.cos", "Tensor.cos", "Tensor.cos_" as inplace, "torch.cos_" as inplace;
    pointwise::tan("input, *, out"): "torch.tan", "Tensor.tan", "Tensor.tan_" as inplace, "torch.tan_" as inplace;
    pointwise::sinh("input, *, out"): "torch.sinh", "Tensor.sinh",
        "Tensor.sinh_" as inplace, "torch.sinh_" as inplace;
    pointwise::cosh("input, *, out"): "torch.cosh", "Tensor.cosh",
        "Tensor.cosh_" as inplace, "torch.cosh_" as inplace;
    pointwise::tanh("input, *, out"): "torch.tanh", "Tensor.tanh", "torch.nn.functional.tanh",
        "Tensor.tanh_" as inplace, "torch.tanh_" as inplace;
    pointwise::erf("input, *, out"): "torch.erf", "Tensor.erf", "torch.special.erf", "Tensor.erf_" as inplace, "torch.erf_" as inplace;
    special::erfc("input, *, out"): "torch.erfc", "Tensor.erfc", "torch.special.erfc",
        "Tensor.erfc_" as inplace, "torch.erfc_" as inplace;
    pointwise::erfinv("input, *, out"): "torch.erfinv", "Tensor.erfinv", "Tensor.erfinv_" as inplace;
    pointwise::floor("input, *, out"): "torch.floor", "Tensor.floor", "Tensor.floor_" as inplace, "torch.floor_" as inplace;
    pointwise::ceil("input, *, out"): "torch.ceil", "Tensor.ceil", "Tensor.ceil_" as inplace, "torch.ceil_" as inplace;
    pointwise::round("input, *, decimals, out"): "torch.round", "Tensor.round",
        "Tensor.round_" as inplace, "torch.round_" as inplace;
    pointwise::trunc("input, *, out"): "torch.trunc", "torch.fix", "Tensor.trunc", "Tensor.fix",
        "Tensor.trunc_" as inplace, "torch.trunc_" as inplace,
        "Tensor.fix_" as inplace, "torch.fix_" as inplace;
    pointwise::frac("input, *, out"): "torch.frac", "Tensor.frac", "Tensor.frac_" as inplace, "torch.frac_" as inplace;
    pointwise::nan_to_num("input, nan, posinf, neginf, *, out"): "torch.nan_to_num",
        "Tensor.nan_to_num", "Tensor.nan_to_num_" as inplace,
        "torch.nan_to_num_" as inplace;
    clamp::clamp("input, min, max, *, out"): "torch.clamp", "torch.clip", "Tensor.clamp",
        "Tensor.clip", "Tensor.clamp_" as inplace, "torch.clamp_" as inplace, "Tensor.clip_" as inplace,
        "torch.clip_" as inplace;
    clamp::clamp_min("input, min, *, out"): "torch.clamp_min", "Tensor.clamp_min",
        "Tensor.clamp_min_" as inplace,
        "torch.clamp_min_" as inplace;
    clamp::clamp_max("input, max, *, out"): "torch.clamp_max", "Tensor.clamp_max",
        "Tensor.clamp_max_" as inplace,
        "torch.clamp_max_" as inplace;
    pointwise::where_("condition, input, other, *, out"): "torch.where";
    pointwise::where_method("input, condition, other"): "Tensor.where";
    pointwise::masked_fill("input, mask, value"): "torch.masked_fill", "Tensor.masked_fill",
        "Tensor.masked_fill_" as inplace;
    // Activations.
    activation::relu("input"): "torch.relu", "Tensor.relu", "Tensor.relu_" as inplace,
        "torch.relu_" as inplace;
    activation::sigmoid("input, *, out"): "torch.sigmoid", "Tensor.sigmoid", "torch.special.expit",
        "torch.nn.functional.sigmoid", "Tensor.sigmoid_" as inplace, "torch.sigmoid_" as inplace;
    activation::softmax("input, dim, dtype, *, out"): "torch.softmax", "Tensor.softmax";
    activation::log_softmax("input, dim, dtype, *, out"): "torch.log_softmax", "Tensor.log_softmax";
    activation::f_softmax("input, dim, _stacklevel, dtype"): "torch.nn.functional.softmax";
    activation::f_softmin("input, dim, _stacklevel, dtype"): "torch.nn.functional.softmin";
    activation::f_log_softmax("input, dim, _stacklevel, dtype"): "torch.nn.functional.log_softmax";
    activation::f_relu("input, inplace"): "torch.nn.functional.relu";
    activation::silu("input, inplace"): "torch.nn.functional.silu";
    activation::gelu("input, *, approximate"): "torch.nn.functional.gelu";
    activation::elu("input, alpha, inplace"): "torch.nn.functional.elu";
    activation::celu("input, alpha, inplace"): "torch.nn.functional.celu";
    activation::selu("input, inplace"): "torch.nn.functional.selu";
    activation::leaky_relu("input, negative_slope, inplace"): "torch.nn.functional.leaky_relu";
    activation::hardtanh("input, min_val, max_val, inplace"): "torch.nn.functional.hardtanh";
    activation::relu6("input, inplace"): "torch.nn.functional.relu6";
    activation::hardsigmoid("input, inplace"): "torch.nn.functional.hardsigmoid";
    activation::hardswish("input, inplace"): "torch.nn.functional.hardswish";
    activation::softplus("input, beta, threshold"): "torch.nn.functional.softplus";
    activation::logsigmoid("input"): "torch.nn.functional.logsigmoid";
    activation::mish("input, inplace"): "torch.nn.functional.mish";
    activation::softsign("input"): "torch.nn.functional.softsign";
    activation::tanhshrink("input"): "torch.nn.functional.tanhshrink";
    activation::hardshrink("input, lambd"): "torch.nn.functional.hardshrink", "torch.hardshrink",
        "Tensor.hardshrink";
    activation::softshrink("input, lambd"): "torch.nn.functional.softshrink";
    activation::threshold("input, threshold, value, inplace"): "torch.nn.functional.threshold";
    activation::glu("input, dim"): "torch.nn.functional.glu";
    activation::prelu("input, weight"): "torch.nn.functional.prelu", "torch.prelu", "Tensor.prelu";
    // Reductions.
    reduce::sum("input, dim, keepdim, *, dtype, out"): "torch.sum", "Tensor.sum";
    reduce::mean("input, dim, keepdim, *, dtype, out"): "torch.mean", "Tensor.mean";
    reduce::prod("input, dim, keepdim, *, dtype, out"): "torch.prod", "Tensor.prod";
    reduce::var("input, dim, unbiased, keepdim, *, correction, out"): "torch.var", "Tensor.var";
    reduce::std("input, dim, unbiased, keepdim, *, correction, out"): "torch.std", "Tensor.std";
    reduce::var_mean("input, dim, unbiased, keepdim, *, correction"): "torch.var_mean";
    reduce::std_mean("input, dim, unbiased, keepdim, *, correction"): "torch.std_mean";
    reduce::max("input, dim, keepdim, *, other, out"): "torch.max", "Tensor.max";
    reduce::min("input, dim, keepdim, *, other, out"): "torch.min", "Tensor.min";
    reduce::amax("input, dim, keepdim, *, out"): "torch.amax", "Tensor.amax";
    reduce::amin("input, dim, keepdim, *, out"): "torch.amin", "Tensor.amin";
    reduce::aminmax("input, *, dim, keepdim, out"): "torch.aminmax", "Tensor.aminmax";
    reduce::argmax("input, dim, keepdim, *, out"): "torch.argmax", "Tensor.argmax";
    reduce::argmin("input, dim, keepdim, *, out"): "torch.argmin", "Tensor.argmin";
    reduce::all("input, dim, keepdim, *, out"): "torch.all", "Tensor.all";
    reduce::any("input, dim, keepdim, *, out"): "torch.any", "Tensor.any";
    reduce::count_nonzero("input, dim"): "torch.count_nonzero", "Tensor.count_nonzero";
    reduce::norm("input, p, dim, keepdim, dtype, *, out"): "torch.norm", "Tensor.norm";
    reduce::vector_norm("input, ord, dim, keepdim, *, dtype, out"): "torch.linalg.vector_norm";
    norm::linalg_norm("input, ord, dim, keepdim, *, dtype"): "torch.linalg.norm";
    norm::matrix_norm("input, ord, dim, keepdim, *, dtype"): "torch.linalg.matrix_norm";
    reduce::logsumexp("input, dim, keepdim, *, out"): "torch.logsumexp", "Tensor.logsumexp";
    reduce::cumsum("input, dim, *, dtype, out"): "torch.cumsum", "Tensor.cumsum", "Tensor.cumsum_" as inplace;
    reduce::cumprod("input, dim, *, dtype, out"): "torch.cumprod", "Tensor.cumprod",
        "Tensor.cumprod_" as inplace;
    // Order.
    sort::sort("input, dim, descending, stable, *, out"): "torch.sort", "Tensor.sort";
    sort::argsort("input, dim, descending, stable"): "torch.argsort", "Tensor.argsort";
    sort::topk("input, k, dim, largest, sorted, *, out"): "torch.topk", "Tensor.topk";
    sort::median("input, dim, keepdim, *, out"): "torch.median", "Tensor.median";
    sort::kthvalue("input, k, dim, keepdim, *, out"): "torch.kthvalue", "Tensor.kthvalue";
    // Shapes.
    shape::view("input, *size, dtype"): "Tensor.view";
    shape::reshape("input, *shape"): "torch.reshape", "Tensor.reshape";
    shape::view_as("input, other"): "Tensor.view_as", "Tensor.reshape_as";
    shape::flatten("input, start_dim, end_dim"): "torch.flatten", "Tensor.flatten";
    shape::ravel("input"): "torch.ravel", "Tensor.ravel";
    shape::unflatten("input, dim, sizes"): "torch.unflatten", "Tensor.unflatten";
    shape::transpose("input, dim0, dim1"): "torch.transpose", "torch.swapdims", "Tensor.transpose", "Tensor.swapdims";
    shape::transpose("input, axis0, axis1"): "torch.swapaxes", "Tensor.swapaxes";
    shape::t("input"): "torch.t", "Tensor.t";
    shape::transpose_all("input"): "Tensor.T.__get__";
    shape::transpose_matrix("input"): "Tensor.mT.__get__";
    shape::permute("input, *dims"): "torch.permute", "Tensor.permute";
    shape::movedim("input, source, destination"): "torch.movedim", "torch.moveaxis", "Tensor.movedim", "Tensor.moveaxis";
    shape::squeeze("input, dim"): "torch.squeeze", "Tensor.squeeze";
    shape::unsqueeze("input, dim"): "torch.unsqueeze", "Tensor.unsqueeze";
    shape::expand("input, *size, implicit"): "Tensor.expand";
    shape::expand_as("input, other"): "Tensor.expand_as";
    shape::broadcast_to("input, size"): "torch.broadcast_to", "Tensor.broadcast_to";
    shape::broadcast_tensors("*tensors"): "torch.broadcast_tensors";
    shape::repeat("input, *repeats"): "Tensor.repeat";
    shape::tile("input, *dims"): "torch.tile", "Tensor.tile";
    shape::repeat_interleave("input, repeats, dim, *, output_size"): "torch.repeat_interleave",
        "Tensor.repeat_interleave";
    shape::cat("tensors, dim, *, out"): "torch.cat", "torch.concat", "torch.concatenate";
    shape::stack("tensors, dim, *, out"): "torch.stack";
    shape::hstack("tensors, *, out"): "torch.hstack";
    shape::vstack("tensors, *, out"): "torch.vstack", "torch.row_stack";
    shape::split("tensor, split_size_or_sections, dim"): "torch.split";
    shape::split("input, split_size, dim"): "Tensor.split";
    shape::chunk("input, chunks, dim"): "torch.chunk", "Tensor.chunk";
    shape::unbind("input, dim"): "torch.unbind", "Tensor.unbind";
    shape::narrow("input, dim, start, length"): "torch.narrow", "Tensor.narrow";
    shape::select("input, dim, index"): "torch.select", "Tensor.select";
    shape::reversed("input"): "Tensor.__reversed__";
    shape::flip("input, *dims"): "torch.flip", "Tensor.flip";
    shape::roll("input, shifts, dims"): "torch.roll", "Tensor.roll";
    shape::pad("input, pad, mode, value"): "torch.nn.functional.pad";
    diagonal::tril("input, diagonal, *, out"): "torch.tril", "Tensor.tril", "Tensor.tril_" as inplace;
    diagonal::triu("input, diagonal, *, out"): "torch.triu", "Tensor.triu", "Tensor.triu_" as inplace;
    diagonal::diag("input, diagonal, *, out"): "torch.diag", "Tensor.diag";
    diagonal::diagonal("input, offset, dim1, dim2"): "torch.diagonal", "Tensor.diagonal";
    diagonal::trace("input"): "torch.trace", "Tensor.trace";
    shape::meshgrid("*tensors, indexing"): "torch.meshgrid";
    shape::unfold("input, dimension, size, step"): "Tensor.unfold";
    // Systems.
    solve::inv("A, *, out"): "torch.linalg.inv";
    solve::inv("input, *, out"): "torch.inverse", "Tensor.inverse";
    solve::solve("A, B, *, left, out"): "torch.linalg.solve";
    solve::det("A, *, out"): "torch.linalg.det";
    solve::det("input, *, out"): "torch.det", "Tensor.det";
    solve::logdet("input"): "torch.logdet", "Tensor.logdet";
    solve::slogdet("input"): "torch.slogdet", "Tensor.slogdet";
    solve::linalg_slogdet("A"): "torch.linalg.slogdet";
    solve::cholesky("input, upper, *, out"): "torch.cholesky", "Tensor.cholesky";
    solve::linalg_cholesky("input, *, upper, out"): "torch.linalg.cholesky";
    solve::solve_triangular("input, B, *, upper, left, unitriangular, out"):
        "torch.linalg.solve_triangular";
    solve::cholesky_solve("input, input2, upper, *, out"): "torch.cholesky_solve", "Tensor.cholesky_solve";
    // Images.
    conv::conv1d("input, weight, bias, stride, padding, dilation, groups"):
        "torch.nn.functional.conv1d", "torch.conv1d";
    conv::conv_transpose1d("input, weight, bias, stride, padding, output_padding, groups, dilation"):
        "torch.nn.functional.conv_transpose1d", "torch.conv_transpose1d";
    pool::max_pool1d("input, kernel_size, stride, padding, dilation, ceil_mode, return_indices"):
        "torch.nn.functional.max_pool1d", "torch.max_pool1d";
    pool::max_pool1d_with_indices("input, kernel_size, stride, padding, dilation, ceil_mode, return_indices"):
        "torch.nn.functional.max_pool1d_with_indices";
    pool::avg_pool1d("input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override"):
        "torch.nn.functional.avg_pool1d", "torch.avg_pool1d";
    pool::adaptive_avg_pool1d("input, output_size"):
        "torch.nn.functional.adaptive_avg_pool1d", "torch.adaptive_avg_pool1d";
    pool::adaptive_max_pool1d("input, output_size, return_indices"): "torch.nn.functional.adaptive_max_pool1d";
    conv::conv2d("input, weight, bias, stride, padding, dilation, groups"):
        "torch.nn.functional.conv2d", "torch.conv2d";
    conv::conv_transpose2d("input, weight, bias, stride, padding, output_padding, groups, dilation"):
        "torch.nn.functional.conv_transpose2d", "torch.conv_transpose2d";
    pool::max_pool2d("input, kernel_size, stride, padding, dilation, ceil_mode, return_indices"):
        "torch.nn.functional.max_pool2d", "torch.max_pool2d";
    pool::max_pool2d_with_indices("input, kernel_size, stride, padding, dilation, ceil_mode, return_indices"):
        "torch.nn.functional.max_pool2d_with_indices";
    pool::avg_pool2d("input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override"):
        "torch.nn.functional.avg_pool2d";
    pool::adaptive_avg_pool2d("input, output_size"):
        "torch.nn.functional.adaptive_avg_pool2d";
    pool::adaptive_max_pool2d("input, output_size, return_indices"): "torch.nn.functional.adaptive_max_pool2d";
    conv::conv3d("input, weight, bias, stride, padding, dilation, groups"):
        "torch.nn.functional.conv3d", "torch.conv3d";
    conv::conv_transpose3d("input, weight, bias, stride, padding, output_padding, groups, dilation"):
        "torch.nn.functional.conv_transpose3d", "torch.conv_transpose3d";
    pool::max_pool3d("input, kernel_size, stride, padding, dilation, ceil_mode, return_indices"):
        "torch.nn.functional.max_pool3d", "torch.max_pool3d";
    pool::max_pool3d_with_indices("input, kernel_size, stride, padding, dilation, ceil_mode, return_indices"):
        "torch.nn.functional.max_pool3d_with_indices";
    pool::avg_pool3d("input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override"):
        "torch.nn.functional.avg_pool3d";
    pool::adaptive_avg_pool3d("input, output_size"):
        "torch.nn.functional.adaptive_avg_pool3d";
    pool::adaptive_max_pool3d("input, output_size, return_indices"): "torch.nn.functional.adaptive_max_pool3d";
    conv::unfold("input, kernel_size, dilation, padding, stride"): "torch.nn.functional.unfold";
    conv::fold("input, output_size, kernel_size, dilation, padding, stride"):
        "torch.nn.functional.fold";
    pool::resize("input, size, scale, mode, align_corners"): "torch.nn.functional._resize";
    // Indexing.
    index::getitem("input, index"): "Tensor.__getitem__";
    index::setitem("input, index, value"): "Tensor.__setitem__";
    gather::gather("input, dim, index, *, sparse_grad, out"): "torch.gather", "Tensor.gather";
    gather::take_along_dim("input, indices, dim, *, out"): "torch.take_along_dim",
        "Tensor.take_along_dim";
    gather::scatter("input, dim, index, src, *, value, reduce, out"): "torch.scatter", "Tensor.scatter",
        "Tensor.scatter_" as inplace;
    gather::scatter_add("input, dim, index, src, *, out"): "torch.scatter_add", "Tensor.scatter_add",
        "Tensor.scatter_add_" as inplace;
    gather::index_select("input, dim, index, *, out"): "torch.index_select", "Tensor.index_select";
    gather::index_add("input, dim, index, source, *, alpha, out"): "torch.index_add", "Tensor.index_add",
        "Tensor.index_add_" as inplace;
    gather::index_fill("input, dim, index, value"): "torch.index_fill", "Tensor.index_fill",
        "Tensor.index_fill_" as inplace;
    gather::index_copy("input, dim, index, source, *, out"): "torch.index_copy", "Tensor.index_copy",
        "Tensor.index_copy_" as inplace;
    gather::take("input, index, *, out"): "torch.take", "Tensor.take";
    gather::masked_select("input, mask, *, out"): "torch.masked_select", "Tensor.masked_select";
    gather::nonzero("input, *, as_tuple, out"): "torch.nonzero", "Tensor.nonzero";
    gather::embedding("input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse"):
        "torch.nn.functional.embedding";
    gather::one_hot("input, num_classes"): "torch.nn.functional.one_hot";
    // Products.
    linalg::matmul("input, other, *, out"): "torch.matmul", "Tensor.matmul",
        "Tensor.__matmul__" as op, "Tensor.__rmatmul__" as rop, "torch.linalg.matmul";
    linalg::mm("input, mat2, *, out"): "torch.mm", "Tensor.mm";
    linalg::bmm("input, mat2, *, out"): "torch.bmm", "Tensor.bmm";
    linalg::mv("input, vec, *, out"): "torch.mv", "Tensor.mv";
    linalg::dot("input, tensor, *, out"): "torch.dot", "Tensor.dot";
    complex::vdot("input, other, *, out"): "torch.vdot", "Tensor.vdot";
    products::inner("input, other, *, out"): "torch.inner", "Tensor.inner";
    linalg::outer("input, vec2, *, out"): "torch.outer", "torch.ger", "Tensor.outer", "Tensor.ger";
    linalg::addmm("input, mat1, mat2, *, beta, alpha, out"): "torch.addmm", "Tensor.addmm",
        "Tensor.addmm_" as inplace;
    linalg::baddbmm("input, batch1, batch2, *, beta, alpha, out"): "torch.baddbmm", "Tensor.baddbmm",
        "Tensor.baddbmm_" as inplace;
    linalg::einsum("equation, *operands"): "torch.einsum";
    linalg::linear("input, weight, bias"): "torch.nn.functional.linear";
    linalg::cdist("x1, x2, p, compute_mode"): "torch.cdist";
    linalg::scaled_dot_product_attention(
        "query, key, value, attn_mask, dropout_p, is_causal, *, scale, enable_gqa"):
        "torch.nn.functional.scaled_dot_product_attention";
    // Losses.
    loss::nll_loss("input, target, weight, size_average, ignore_index, reduce, reduction"):
        "torch.nn.functional.nll_loss";
    loss::cross_entropy(
        "input, target, weight, size_average, ignore_index, reduce, reduction, label_smoothing"):
        "torch.nn.functional.cross_entropy";
    loss::mse_loss("input, target, size_average, reduce, reduction, weight"):
        "torch.nn.functional.mse_loss";
    loss::l1_loss("input, target, size_average, reduce, reduction, weight"): "torch.nn.functional.l1_loss";
    loss::smooth_l1_loss("input, target, size_average, reduce, reduction, beta"):
        "torch.nn.functional.smooth_l1_loss";
    loss::huber_loss("input, target, reduction, delta, weight"): "torch.nn.functional.huber_loss";
    loss::bce("input, target, weight, size_average, reduce, reduction"):
        "torch.nn.functional.binary_cross_entropy";
    loss::bce_with_logits("input, target, weight, size_average, reduce, reduction, pos_weight"):
        "torch.nn.functional.binary_cross_entropy_with_logits";
    loss::kl_div("input, target, size_average, reduce, reduction, log_target"):
        "torch.nn.functional.kl_div";
    // Normalisation.
    norm::layer_norm("input, normalized_shape, weight, bias, eps"): "torch.nn.functional.layer_norm";
    norm::layer_norm("input, normalized_shape, weight, bias, eps, cudnn_enable"): "torch.layer_norm";
    norm::rms_norm("input, normalized_shape, weight, eps"): "torch.nn.functional.rms_norm",
        "torch.rms_norm";
    norm::group_norm("input, num_groups, weight, bias, eps"): "torch.nn.functional.group_norm";
    norm::batch_norm("input, running_mean, running_var, weight, bias, training, momentum, eps"):
        "torch.nn.functional.batch_norm";
    norm::normalize("input, p, dim, eps, out"): "torch.nn.functional.normalize";
    // Creation.
    create::tensor("data, *, dtype, device, requires_grad, pin_memory"): "torch.tensor";
    create::as_tensor("data, dtype, device"): "torch.as_tensor", "torch.asarray";
    create::zeros("*size, out, dtype, layout, device, pin_memory, requires_grad, names"):
        "torch.zeros";
    create::ones("*size, out, dtype, layout, device, pin_memory, requires_grad, names"): "torch.ones";
    create::empty("*size, out, dtype, layout, device, pin_memory, requires_grad, memory_format"):
        "torch.empty";
    create::full("size, fill_value, *, out, dtype, layout, device, requires_grad"): "torch.full";
    create::zeros_like("input, *, dtype, layout, device, requires_grad, memory_format"):
        "torch.zeros_like";
    create::ones_like("input, *, dtype, layout, device, requires_grad, memory_format"):
        "torch.ones_like";
    create::empty_like("input, *, dtype, layout, device, requires_grad, memory_format"):
        "torch.empty_like";
    create::full_like("input, fill_value, *, dtype, layout, device, requires_grad, memory_format"):
        "torch.full_like";
    create::new_tensor("input, data, *, dtype, device, requires_grad"): "Tensor.new_tensor";
    create::new_zeros("input, *size, dtype, device, requires_grad, layout, pin_memory"):
        "Tensor.new_zeros";
    create::new_ones("input, *size, dtype, device, requires_grad, layout, pin_memory"):
        "Tensor.new_ones";
    create::new_empty("input, *size, dtype, device, requires_grad, layout, pin_memory"):
        "Tensor.new_empty";
    create::new_full("input, size, fill_value, *, dtype, device, requires_grad"): "Tensor.new_full";
    create::arange("start, end, step, *, out, dtype, layout, device, requires_grad"): "torch.arange";
    create::linspace("start, end, steps, *, out, dtype, device, requires_grad"): "torch.linspace";
    create::logspace("start, end, steps, base, *, out, dtype, device, requires_grad"): "torch.logspace";
    create::eye("n, m, *, out, dtype, device, requires_grad"): "torch.eye";
    create::scalar_tensor("s, *, dtype, device, requires_grad"): "torch.scalar_tensor";
    create::tril_indices("row, col, offset, *, dtype, device"): "torch.tril_indices";
    create::triu_indices("row, col, offset, *, dtype, device"): "torch.triu_indices";
    // Random numbers.
    random::rand("*size, generator, out, dtype, layout, device, requires_grad, pin_memory"):
        "torch.rand";
    random::randn("*size, generator, out, dtype, layout, device, requires_grad, pin_memory"):
        "torch.randn";
    random::rand_like("input, *, dtype, device, requires_grad, memory_format"): "torch.rand_like";
    random::randn_like("input, *, dtype, device, requires_grad, memory_format"): "torch.randn_like";
    random::randint("low, high, size, *, generator, out, dtype, device, requires_grad"):
        "torch.randint";
    random::randint_like("input, low, high, *, dtype, device, requires_grad, memory_format"): "torch.randint_like";
    random::randperm("n, *, generator, out, dtype, device, requires_grad"): "torch.randperm";
    random::normal("mean, std, size, *, generator, out"): "torch.normal";
    random::bernoulli("input, p, *, generator, out"): "torch.bernoulli", "Tensor.bernoulli";
    random::multinomial("input, num_samples, replacement, *, generator, out"): "torch.multinomial", "Tensor.multinomial";
    random::dropout("input, p, training, inplace"): "torch.nn.functional.dropout";
    random::torch_dropout("input, p, train"): "torch.dropout";
    random::dropout_channels("input, p, training, inplace"): "torch.nn.functional.dropout1d",
        "torch.nn.functional.dropout2d", "torch.nn.functional.dropout3d";
    random::uniform_("input, from, to, *, generator"): "Tensor.uniform_" as inplace;
    random::normal_("input, mean, std, *, generator"): "Tensor.normal_" as inplace;
    random::random_("input, from, to, *, generator"): "Tensor.random_" as inplace;
    random::bernoulli_("input, p, *, generator"): "Tensor.bernoulli_" as inplace;
    random::exponential_("input, lambd, *, generator"): "Tensor.exponential_" as inplace;
    random::geometric_("input, p, *, generator"): "Tensor.geometric_" as inplace;
    random::cauchy_("input, median, sigma, *, generator"): "Tensor.cauchy_" as inplace;
    random::log_normal_("input, mean, std, *, generator"): "Tensor.log_normal_" as inplace;
    // Special functions.
    special::atan("input, *, out"): "torch.atan", "torch.arctan", "Tensor.atan", "Tensor.arctan",
        "Tensor.atan_" as inplace, "torch.atan_" as inplace,
        "Tensor.arctan_" as inplace, "torch.arctan_" as inplace;
    special::asin("input, *, out"): "torch.asin", "torch.arcsin", "Tensor.asin", "Tensor.arcsin",
        "Tensor.asin_" as inplace, "torch.asin_" as inplace,
        "Tensor.arcsin_" as inplace, "torch.arcsin_" as inplace;
    special::acos("input, *, out"): "torch.acos", "torch.arccos", "Tensor.acos", "Tensor.arccos",
        "Tensor.acos_" as inplace, "torch.acos_" as inplace,
        "Tensor.arccos_" as inplace, "torch.arccos_" as inplace;
    special::asinh("input, *, out"): "torch.asinh", "torch.arcsinh", "Tensor.asinh",
        "Tensor.arcsinh",
        "Tensor.arcsinh_" as inplace, "Tensor.asinh_" as inplace, "torch.arcsinh_" as inplace, "torch.asinh_" as inplace;
    special::acosh("input, *, out"): "torch.acosh", "torch.arccosh", "Tensor.acosh",
        "Tensor.arccosh",
        "Tensor.acosh_" as inplace, "Tensor.arccosh_" as inplace, "torch.acosh_" as inplace, "torch.arccosh_" as inplace;
    special::atanh("input, *, out"): "torch.atanh", "torch.arctanh", "Tensor.atanh",
        "Tensor.arctanh", "Tensor.atanh_" as inplace,
        "Tensor.arctanh_" as inplace, "torch.arctanh_" as inplace, "torch.atanh_" as inplace;
    special::atan2("input, other, *, out"): "torch.atan2", "torch.arctan2", "Tensor.atan2",
        "Tensor.arctan2", "Tensor.atan2_" as inplace,
        "Tensor.arctan2_" as inplace;
    special::lgamma("input, *, out"): "torch.lgamma", "Tensor.lgamma", "torch.special.gammaln",
        "Tensor.lgamma_" as inplace;
    special::digamma("input, *, out"): "torch.digamma", "Tensor.digamma", "torch.special.digamma",
        "torch.special.psi",
        "Tensor.digamma_" as inplace;
    special::sinc("input, *, out"): "torch.sinc", "Tensor.sinc", "torch.special.sinc",
        "Tensor.sinc_" as inplace, "torch.sinc_" as inplace;
    special::logit("input, eps, *, out"): "torch.logit", "Tensor.logit", "torch.special.logit",
        "Tensor.logit_" as inplace, "torch.logit_" as inplace;
    special::xlogy("input, other, *, out"): "torch.xlogy", "Tensor.xlogy", "torch.special.xlogy",
        "Tensor.xlogy_" as inplace,
        "torch.xlogy_" as inplace;
    special::xlog1py("input, other, *, out"): "torch.special.xlog1py";
    special::entr("input, *, out"): "torch.special.entr";
    special::logaddexp("input, other, *, out"): "torch.logaddexp", "Tensor.logaddexp";
    special::logaddexp2("input, other, *, out"): "torch.logaddexp2", "Tensor.logaddexp2";
    special::hypot("input, other, *, out"): "torch.hypot", "Tensor.hypot",
        "Tensor.hypot_" as inplace;
    special::copysign("input, other, *, out"): "torch.copysign", "Tensor.copysign",
        "Tensor.copysign_" as inplace;
    special::signbit("input, *, out"): "torch.signbit", "Tensor.signbit";
    special::deg2rad("input, *, out"): "torch.deg2rad", "Tensor.deg2rad",
        "Tensor.deg2rad_" as inplace, "torch.deg2rad_" as inplace;
    special::rad2deg("input, *, out"): "torch.rad2deg", "Tensor.rad2deg",
        "Tensor.rad2deg_" as inplace, "torch.rad2deg_" as inplace;
    special::ldexp("input, other, *, out"): "torch.ldexp", "Tensor.ldexp",
        "Tensor.ldexp_" as inplace, "torch.ldexp_" as inplace;
    // Choices.
    choose::fmax("input, other, *, out"): "torch.fmax", "Tensor.fmax";
    choose::fmin("input, other, *, out"): "torch.fmin", "Tensor.fmin";
    choose::heaviside("input, values, *, out"): "torch.heaviside", "Tensor.heaviside",
        "Tensor.heaviside_" as inplace;
    choose::float_power("input, exponent, *, out"): "torch.float_power", "Tensor.float_power",
        "Tensor.float_power_" as inplace;
    choose::gcd("input, other, *, out"): "torch.gcd", "Tensor.gcd", "Tensor.gcd_" as inplace,
        "torch.gcd_" as inplace;
    choose::lcm("input, other, *, out"): "torch.lcm", "Tensor.lcm", "Tensor.lcm_" as inplace,
        "torch.lcm_" as inplace;
    choose::isposinf("input, *, out"): "torch.isposinf", "Tensor.isposinf";
    choose::isneginf("input, *, out"): "torch.isneginf", "Tensor.isneginf";
    complex::isreal("input"): "torch.isreal", "Tensor.isreal";
    choose::is_nonzero("input"): "torch.is_nonzero", "Tensor.is_nonzero";
    choose::promote_types("type1, type2"): "torch.promote_types";
    choose::can_cast("from_, to"): "torch.can_cast";
    choose::isin("elements, test_elements, *, assume_unique, invert, out"): "torch.isin";
    choose::searchsorted("sorted_sequence, input, *, out_int32, right, side, sorter, out"):
        "torch.searchsorted";
    choose::bucketize("input, boundaries, *, out_int32, right, out"): "torch.bucketize";
    choose::range("start, end, step, *, out, dtype, layout, device, requires_grad"): "torch.range";
    // Scans.
    scan::diff("input, n, dim, prepend, append, *, out"): "torch.diff", "Tensor.diff";
    scan::quantile("input, q, dim, keepdim, *, interpolation, out"): "torch.quantile",
        "Tensor.quantile";
    scan::nanquantile("input, q, dim, keepdim, *, interpolation, out"): "torch.nanquantile",
        "Tensor.nanquantile";
    scan::mode("input, dim, keepdim, *, out"): "torch.mode", "Tensor.mode";
    count::unique("input, sorted, return_inverse, return_counts, dim"): "torch.unique", "Tensor.unique";
    count::bincount("input, weights, minlength"): "torch.bincount", "Tensor.bincount";
    count::unique_consecutive("input, return_inverse, return_counts, dim"):
        "torch.unique_consecutive", "Tensor.unique_consecutive";
    scan::cummax("input, dim, *, out"): "torch.cummax", "Tensor.cummax";
    scan::cummin("input, dim, *, out"): "torch.cummin", "Tensor.cummin";
    scan::logcumsumexp("input, dim, *, out"): "torch.logcumsumexp", "Tensor.logcumsumexp";
    scan::trapezoid("y, x, dx, dim"): "torch.trapezoid", "torch.trapz";
    scan::cumulative_trapezoid("y, x, dx, dim"): "torch.cumulative_trapezoid";
    scan::cov("input, *, correction, fweights, aweights"): "torch.cov", "Tensor.cov";
    scan::corrcoef("input"): "torch.corrcoef", "Tensor.corrcoef";
    // Places.
    rearrange::fliplr("input"): "torch.fliplr", "Tensor.fliplr";
    rearrange::flipud("input"): "torch.flipud", "Tensor.flipud";
    rearrange::rot90("input, k, dims"): "torch.rot90", "Tensor.rot90";
    rearrange::atleast_3d("input"): "torch.atleast_3d";
    rearrange::dstack("tensors, *, out"): "torch.dstack";
    rearrange::column_stack("tensors, *, out"): "torch.column_stack";
    rearrange::tensor_split("input, sections|indices|tensor_indices_or_sections, dim"): "torch.tensor_split",
        "Tensor.tensor_split";
    rearrange::hsplit("input, sections|indices"): "torch.hsplit", "Tensor.hsplit";
    rearrange::vsplit("input, sections|indices"): "torch.vsplit", "Tensor.vsplit";
    rearrange::dsplit("input, sections|indices"): "torch.dsplit", "Tensor.dsplit";
    rearrange::diag_embed("input, offset, dim1, dim2"): "torch.diag_embed", "Tensor.diag_embed";
    rearrange::diagflat("input, offset"): "torch.diagflat", "Tensor.diagflat";
    rearrange::cartesian_prod("*tensors"): "torch.cartesian_prod";
    rearrange::combinations("input, r, with_replacement"): "torch.combinations";
    rearrange::block_diag("*tensors"): "torch.block_diag";
    rearrange::kron("input, other, *, out"): "torch.kron", "Tensor.kron";
    rearrange::vander("x, N, increasing"): "torch.vander";
    rearrange::unravel_index("indices, shape"): "torch.unravel_index";
    rearrange::slice_scatter("input, src, dim, start, end, step"): "torch.slice_scatter",
        "Tensor.slice_scatter";
    diagonal::diagonal_scatter("input, src, offset, dim1, dim2"): "torch.diagonal_scatter",
        "Tensor.diagonal_scatter";
    shape::as_strided("input, size, stride, storage_offset"): "torch.as_strided", "Tensor.as_strided";
    rearrange::select_scatter("input, src, dim, index"): "torch.select_scatter",
        "Tensor.select_scatter";
    rearrange::broadcast_shapes_of("*shapes"): "torch.broadcast_shapes";
    rearrange::fill_diagonal_("input, fill_value, wrap"): "Tensor.fill_diagonal_" as inplace;
    // Writes at indices.
    scatter::index_put("input, indices, values, accumulate"): "torch.index_put",
        "Tensor.index_put", "Tensor.index_put_" as inplace, "torch.index_put_" as inplace;
    scatter::scatter_reduce("input, dim, index, src, reduce, *, include_self"):
        "torch.scatter_reduce", "Tensor.scatter_reduce", "Tensor.scatter_reduce_" as inplace;
    scatter::masked_scatter("input, mask, source"): "torch.masked_scatter",
        "Tensor.masked_scatter", "Tensor.masked_scatter_" as inplace;
    scatter::put_at("input, index, source, accumulate"): "torch.put", "Tensor.put",
        "Tensor.put_" as inplace;
    scatter::histc("input, bins, min, max, *, out"): "torch.histc", "Tensor.histc";
    scatter::argwhere("input"): "torch.argwhere", "Tensor.argwhere";
    // More products.
    products::cross("input, other, dim, *, out"): "torch.cross", "Tensor.cross";
    products::linalg_cross("input, other, *, dim, out"): "torch.linalg.cross";
    products::tensordot("a, b, dims, out"): "torch.tensordot";
    products::addmv("input, mat, vec, *, beta, alpha, out"): "torch.addmv", "Tensor.addmv",
        "Tensor.addmv_" as inplace,
        "torch.addmv_" as inplace;
    products::addr("input, vec1, vec2, *, beta, alpha, out"): "torch.addr", "Tensor.addr",
        "Tensor.addr_" as inplace;
    products::addbmm("input, batch1, batch2, *, beta, alpha, out"): "torch.addbmm",
        "Tensor.addbmm", "Tensor.addbmm_" as inplace;
    products::matrix_power("input, n, *, out"): "torch.matrix_power", "Tensor.matrix_power",
        "torch.linalg.matrix_power";
    products::chain_matmul("*matrices, out"): "torch.chain_matmul";
    products::chain_matmul("tensors, *, out"): "torch.linalg.multi_dot";
    products::vecdot("x, y, *, dim, out"): "torch.linalg.vecdot";
    products::dist("input, other, p"): "torch.dist", "Tensor.dist";
    products::nansum("input, dim, keepdim, *, dtype, out"): "torch.nansum", "Tensor.nansum";
    products::nanmean("input, dim, keepdim, *, dtype, out"): "torch.nanmean", "Tensor.nanmean";
    // Conversions.
    convert::to("input, *args, device, dtype, non_blocking, copy, memory_format"): "Tensor.to";
    convert::type_as("input, other"): "Tensor.type_as";
    convert::float("input, memory_format"): "Tensor.float";
    convert::double("input, memory_format"): "Tensor.double";
    convert::cfloat("input, memory_format"): "Tensor.cfloat";
    convert::cdouble("input, memory_format"): "Tensor.cdouble";
    convert::half("input, memory_format"): "Tensor.half";
    convert::bfloat16("input, memory_format"): "Tensor.bfloat16";
    convert::long("input, memory_format"): "Tensor.long";
    convert::int("input, memory_format"): "Tensor.int";
    convert::short("input, memory_format"): "Tensor.short";
    convert::char("input, memory_format"): "Tensor.char";
    convert::byte("input, memory_format"): "Tensor.byte";
    convert::bool("input, memory_format"): "Tensor.bool";
    convert::cpu("input, memory_format"): "Tensor.cpu";
    convert::cuda("input, device, non_blocking, memory_format"): "Tensor.cuda";
    convert::contiguous("input, memory_format"): "Tensor.contiguous";
    convert::clone("input, *, memory_format"): "torch.clone", "Tensor.clone";
    convert::detach("input"): "torch.detach", "Tensor.detach";
    convert::item("input"): "Tensor.item";
    convert::to_float("input"): "Tensor.__float__";
    convert::to_int("input"): "Tensor.__int__";
    convert::to_bool("input"): "Tensor.__bool__";
    convert::pin_memory("input, device"): "Tensor.pin_memory";
    // Writes.
    write::zero_("input"): "Tensor.zero_" as inplace,
        "torch.zero_" as inplace;
    write::fill_("input, value"): "Tensor.fill_" as inplace,
        "torch.fill_" as inplace;
    write::copy_("input, other, non_blocking"): "Tensor.copy_" as inplace;
    write::squeeze_("input, dim"): "Tensor.squeeze_";
    write::unsqueeze_("input, dim"): "Tensor.unsqueeze_";
    write::transpose_("input, dim0, dim1"): "Tensor.transpose_", "Tensor.swapdims_";
    write::transpose_("input, axis0, axis1"): "Tensor.swapaxes_";
    write::t_("input"): "Tensor.t_";
    // Attributes.
    attributes::shape("input"): "Tensor.shape.__get__";
    attributes::size("input, dim"): "Tensor.size";
    attributes::stride("input, dim"): "Tensor.stride";
    attributes::ndim("input"): "Tensor.ndim.__get__", "Tensor.dim", "Tensor.ndimension";
    attributes::numel("input"): "Tensor.numel", "Tensor.nelement", "torch.numel";
    attributes::dtype("input"): "Tensor.dtype.__get__";
    attributes::device("input"): "Tensor.device.__get__";
    attributes::nbytes("input"): "Tensor.nbytes.__get__";
    attributes::get_device("input"): "Tensor.get_device";
    attributes::element_size("input"): "Tensor.element_size", "Tensor.itemsize.__get__";
    attributes::len("input"): "Tensor.__len__";
    attributes::is_floating_point("input"): "torch.is_floating_point", "Tensor.is_floating_point";
    attributes::is_cuda("input"): "Tensor.is_cuda.__get__";
    attributes::is_elsewhere("input"): "Tensor.is_sparse.__get__", "Tensor.is_quantized.__get__",
        "Tensor.is_xpu.__get__", "Tensor.is_mps.__get__", "Tensor.is_xla.__get__",
        "Tensor.is_hpu.__get__", "Tensor.is_ipu.__get__", "Tensor.is_maia.__get__", "Tensor.is_mtia.__get__",
        "Tensor.is_mkldnn.__get__", "Tensor.is_nested.__get__", "Tensor.is_sparse_csr.__get__",
        "Tensor.is_vulkan.__get__";
    attributes::is_meta("input"): "Tensor.is_meta.__get__";
    attributes::is_cpu("input"): "Tensor.is_cpu.__get__";
    attributes::is_contiguous("input, memory_format"): "Tensor.is_contiguous";
    attributes::result_type("tensor|scalar|scalar1, other|tensor|scalar2"): "torch.result_type";
    // Complex numbers.
    complex::real("input"): "torch.real", "Tensor.real.__get__";
    complex::imag("input"): "torch.imag", "Tensor.imag.__get__";
    complex::set_real("input, value"): "Tensor.real.__set__";
    complex::set_imag("input, value"): "Tensor.imag.__set__";
    complex::view_as_real("input"): "torch.view_as_real";
    complex::view_as_complex("input"): "torch.view_as_complex";
    complex::conj("input"): "torch.conj", "Tensor.conj";
    complex::conj_physical("input, *, out"): "torch.conj_physical", "Tensor.conj_physical",
        "Tensor.conj_physical_" as inplace,
        "torch.conj_physical_" as inplace;
    complex::resolve_conj("input"): "torch.resolve_conj", "Tensor.resolve_conj";
    complex::resolve_neg("input"): "torch.resolve_neg", "Tensor.resolve_neg";
    complex::is_conj("input"): "torch.is_conj", "Tensor.is_conj";
    complex::is_neg("input"): "torch.is_neg", "Tensor.is_neg";
    complex::is_complex("input"): "torch.is_complex", "Tensor.is_complex";
    complex::complex("real, imag, *, out"): "torch.complex";
    complex::polar("abs, angle, *, out"): "torch.polar";
    complex::angle("input, *, out"): "torch.angle", "Tensor.angle";
    complex::adjoint("input"): "torch.adjoint", "Tensor.adjoint", "Tensor.mH.__get__", "Tensor.H.__get__";
    complex::to_complex("input"): "Tensor.__complex__";
    // Fourier transforms.
    fourier::fft("input, n, dim, norm, *, out"): "torch.fft.fft";
    fourier::fft2("input, s, dim, norm, *, out"): "torch.fft.fft2";
    fourier::fftn("input, s, dim, norm, *, out"): "torch.fft.fftn";
    fourier::ifft("input, n, dim, norm, *, out"): "torch.fft.ifft";
    fourier::ifft2("input, s, dim, norm, *, out"): "torch.fft.ifft2";
    fourier::ifftn("input, s, dim, norm, *, out"): "torch.fft.ifftn";
    fourier::rfft("input, n, dim, norm, *, out"): "torch.fft.rfft";
    fourier::rfft2("input, s, dim, norm, *, out"): "torch.fft.rfft2";
    fourier::rfftn("input, s, dim, norm, *, out"): "torch.fft.rfftn";
    fourier::irfft("input, n, dim, norm, *, out"): "torch.fft.irfft";
    fourier::irfft2("input, s, dim, norm, *, out"): "torch.fft.irfft2";
    fourier::irfftn("input, s, dim, norm, *, out"): "torch.fft.irfftn";
    fourier::hfft("input, n, dim, norm, *, out"): "torch.fft.hfft";
    fourier::hfft2("input, s, dim, norm, *, out"): "torch.fft.hfft2";
    fourier::hfftn("input, s, dim, norm, *, out"): "torch.fft.hfftn";
    fourier::ihfft("input, n, dim, norm, *, out"): "torch.fft.ihfft";
    fourier::ihfft2("input, s, dim, norm, *, out"): "torch.fft.ihfft2";
    fourier::ihfftn("input, s, dim, norm, *, out"): "torch.fft.ihfftn";
    // Gradients.
    grad::data("input"): "Tensor.data.__get__";
    grad::set_data("input, value"): "Tensor.data.__set__";
    grad::get_grad("input"): "Tensor.grad.__get__";
    grad::set_grad("input, value"): "Tensor.grad.__set__";
    grad::requires_grad("input"): "Tensor.requires_grad.__get__";
    grad::set_requires_grad("input, value"): "Tensor.requires_grad.__set__";
    grad::requires_grad_("input, requires_grad"): "Tensor.requires_grad_";
    grad::detach_("input"): "torch.detach_", "Tensor.detach_";
    grad::is_leaf("input"): "Tensor.is_leaf.__get__";
    grad::backward("input, gradient, retain_graph, create_graph, inputs"): "Tensor.backward";
    grad::is_grad_enabled(""): "torch.is_grad_enabled";
    grad::set_grad_mode("mode"): "torch._C._set_grad_enabled";
    grad::as_made_by("result, name"): "torch._C._as_made_by";
}

/// Whether the table has this name.
pub fn is_known(qualname: &str) -> bool {
    NAMES.contains(&qualname)
}
