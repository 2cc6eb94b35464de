//! Short ways of functions of the numpy package, which is written in Python.
//!
//! In: the arguments of a call. Out: the result of a common one: plain numbers, scalars, small arrays. Always: what the function
//! itself would do, to the bit, where no floating point error is to be told; everything else is the function's.

use janus_object::{
    Args, Binding, Class, Instance, NativeDef, NativeFunction, Payload, PyRef, PyResult, Raised,
    ShortWay, Signature, Value, Vm, name,
};
use janus_tensor::{DType, Scalar, Tensor};

use super::{Package, arrays, making, package, reductions, scalars};
use crate::objects::{tensor_of, wrap};

/// A function that has a short way.
pub(super) struct Short {
    /// As [`NativeFunction::qualname`].
    pub qualname: &'static str,
    pub way: ShortWay,
    pub binding: Binding,
}

impl Short {
    pub const fn method(qualname: &'static str, way: ShortWay) -> Short {
        let binding = Binding::Method;
        Short {
            qualname,
            way,
            binding,
        }
    }

    pub const fn function(qualname: &'static str, way: ShortWay) -> Short {
        let binding = Binding::Static;
        Short {
            qualname,
            way,
            binding,
        }
    }
}

/// The short ways of a class's operators of these names, each with the one where it is the second operand.
macro_rules! operators {
    ($class:literal, $function:ident, $($name:literal $op:ident)*) => {
        &[$(
            Short::method(concat!($class, ".__", $name, "__"), |args| {
                $function(BinaryOp::$op, false, args)
            }),
            Short::method(concat!($class, ".__r", $name, "__"), |args| {
                $function(BinaryOp::$op, true, args)
            }),
        )*]
    };
}
pub(super) use operators;

/// `+`, `-`, `*`, `/`
macro_rules! arithmetic {
    ($class:literal, $function:ident) => {
        $crate::numpy::short::operators!($class, $function, "add" Add "sub" Sub "mul" Mul "truediv" TrueDiv)
    };
}
pub(super) use arithmetic;

/// `//`, `%`
macro_rules! whole_division {
    ($class:literal, $function:ident) => {
        $crate::numpy::short::operators!($class, $function, "floordiv" FloorDiv "mod" Mod)
    };
}
pub(super) use whole_division;

/// `&`, `|`, `^`, `<<`, `>>`
macro_rules! bits {
    ($class:literal, $function:ident) => {
        $crate::numpy::short::operators!($class, $function, "and" And "or" Or "xor" Xor "lshift" LShift "rshift" RShift)
    };
}
pub(super) use bits;

/// The short ways of a class's comparisons.
macro_rules! comparisons {
    ($class:literal, $function:ident) => {
        comparisons!($class, $function, "lt" Lt "le" Le "eq" Eq "ne" Ne "gt" Gt "ge" Ge)
    };
    ($class:literal, $function:ident, $($name:literal $op:ident)*) => {
        &[$(
            Short::method(concat!($class, ".__", $name, "__"), |args| {
                $function(CompareOp::$op, args)
            }),
        )*]
    };
}
pub(super) use comparisons;

/// All of them.
fn table() -> impl Iterator<Item = &'static Short> {
    let tables = [
        scalars::SHORT,
        arrays::SHORT,
        &[making::SHORT, reductions::SHORT],
    ];
    tables.into_iter().flatten().copied().flatten()
}

static SHORT_WAY: Signature<2> = Signature::positional("_short_way", ["name", "behind"]);

/// `_short_way(name, behind)`: the function `behind` with the short way of this name in front of it.
fn short_way(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [of, behind] = SHORT_WAY.parse(args)?;
    let (Some(of), Some(behind)) = (of, behind) else {
        return Err(Raised::type_error(
            "_short_way() takes a name and a function",
        ));
    };
    let found = of
        .as_str()
        .and_then(|of| table().find(|short| short.qualname == of));
    match found {
        Some(short) => Ok(NativeFunction::short(
            short.qualname,
            short.way,
            behind,
            short.binding,
        )),
        None => Err(Raised::value_error("there is no short way of this name")),
    }
}

static SHORT_WAYS: Signature<1> = Signature::positional("_short_ways", ["of"]);

/// `_short_ways(of)`: what of a class or module, by its name, has short ways.
fn short_ways(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [of] = SHORT_WAYS.parse(args)?;
    let of = of.as_ref().and_then(Value::as_str).unwrap_or_default();
    let names = table().filter_map(|short| {
        let (owner, name) = short.qualname.split_once('.')?;
        (owner == of).then(|| Value::str(name))
    });
    Ok(Value::list(names.collect::<Vec<_>>()))
}

/// What `torch._C` has of them.
pub(super) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._short_way", short_way),
    NativeDef::function("torch._C._short_ways", short_ways),
];

/// An operand as short ways know it.
pub(super) enum Operand {
    /// `float`
    Float(f64),
    /// `int`
    Int(i64),
    /// `numpy.float64`
    Float64(f64),
    /// `numpy.float32`
    Float32(f32),
    /// `numpy.int64`
    Int64(i64),
    /// `numpy.ndarray`
    Array(Tensor),
}

fn is(instance: &Instance, class: &PyRef<Class>) -> bool {
    PyRef::ptr_eq(&instance.class.borrow(), class)
}

impl Operand {
    /// An operand of exactly one of these types.
    #[inline]
    pub fn of(known: &Package, v: &Value) -> Option<Operand> {
        match v {
            Value::Float(f) => Some(Operand::Float(f.get())),
            Value::Int(i) => Some(Operand::Int(*i)),
            Value::Instance(instance) => match &instance.payload {
                Payload::Wrapped(Value::Float(f)) if is(instance, &known.float64) => {
                    Some(Operand::Float64(f.get()))
                }
                #[allow(clippy::cast_possible_truncation, reason = "it holds a float32")]
                Payload::Wrapped(Value::Float(f)) if is(instance, &known.float32) => {
                    Some(Operand::Float32(f.get() as f32))
                }
                Payload::Wrapped(Value::Int(i)) if is(instance, &known.int64) => {
                    Some(Operand::Int64(*i))
                }
                Payload::None if is(instance, &known.array) => {
                    let dict = instance.dict.get()?;
                    let t = dict.get_name(super::tensor_attribute())?;
                    Some(Operand::Array(tensor_of(&t)?.clone()))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl Package {
    pub fn float64_value(&self, n: f64) -> Value {
        Value::instance(&self.float64, Payload::Wrapped(Value::float(n)))
    }

    pub fn float32_value(&self, n: f32) -> Value {
        Value::instance(&self.float32, Payload::Wrapped(Value::float(f64::from(n))))
    }

    pub fn int64_value(&self, n: i64) -> Value {
        Value::instance(&self.int64, Payload::Wrapped(Value::Int(n)))
    }

    pub fn truth(&self, b: bool) -> Value {
        match b {
            true => self.truths.0.clone(),
            false => self.truths.1.clone(),
        }
    }

    /// What an array's element is as an object.
    pub fn element_value(&self, dtype: DType, element: Scalar) -> Option<Value> {
        #[allow(clippy::cast_possible_truncation, reason = "it holds a float32")]
        Some(match (dtype, element) {
            (DType::F64, Scalar::F64(n)) => self.float64_value(n),
            (DType::F32, Scalar::F64(n)) => self.float32_value(n as f32),
            (DType::I64, Scalar::I64(n)) => self.int64_value(n),
            (DType::Bool, n) => self.truth(n.to_bool()),
            _ => return None,
        })
    }

    /// An array over a tensor.
    pub fn array_value(&self, t: Tensor) -> Value {
        let instance = PyRef::new(Instance::new(self.array.clone(), Payload::None));
        instance.dict().set_name(super::tensor_attribute(), wrap(t));
        Value::Instance(instance)
    }

    /// Whether numbers that are too small are to be told.
    pub fn tells_tiny(&self) -> bool {
        let Value::Instance(state) = &self.state else {
            return true;
        };
        let tiny = state.dict.get().and_then(|d| d.get_name(name!("tiny")));
        tiny.is_none_or(|tiny| tiny.as_int() != Some(0))
    }
}

/// The package, and the positional arguments of a call without others.
#[inline]
pub(super) fn plain(args: Args<'_>) -> Option<(std::rc::Rc<Package>, &[Value])> {
    if !args.kw.is_empty() {
        return None;
    }
    Some((package()?, args.pos))
}
