//! How torch functions are called: arguments, results, signatures, errors.
//!
//! In: positional and keyword arguments of a call, already split into tensors, run-time scalars
//! and known Python values. Out: [`CallArgs`], which binds them to the parameters of a signature
//! and reads them with PyTorch's `TypeError`s, and [`Ret`]. Always: nothing here depends on how
//! tensors are represented, so that every tier reads arguments in the same way.

use std::cell::Cell;
use std::rc::Rc;

use janus_object::{ExcKind, Name, PyRef, Raised, Value, complex_parts, types};
use janus_tensor::ops::Dims;
use janus_tensor::scalar::c128;
use janus_tensor::{DType, Dim, ErrorKind, Scalar, ScalarKind, TensorError};

use crate::TorchOps;
use crate::formats::MemoryFormat;
use crate::objects::{classes, dtype_of, refuse_absent};

/// An argument of a torch function.
pub enum Arg<B: TorchOps + ?Sized> {
    /// A tensor.
    Tensor(B::T),
    /// A number that is not known while a graph is built.
    Scalar(B::S),
    /// Anything known: None, bool, int, float, str, dtype object, lists of such, ...
    Const(Value),
    /// A list that holds tensors or run-time scalars.
    List(Vec<Arg<B>>),
    /// A tuple that holds tensors or run-time scalars.
    Tuple(Vec<Arg<B>>),
    /// A slice whose bounds are tensors or run-time scalars: start, stop, step.
    Slice(Box<[Arg<B>; 3]>),
}

impl<B: TorchOps> Clone for Arg<B> {
    fn clone(&self) -> Self {
        match self {
            Arg::Tensor(t) => Arg::Tensor(t.clone()),
            Arg::Scalar(s) => Arg::Scalar(s.clone()),
            Arg::Const(v) => Arg::Const(v.clone()),
            Arg::List(items) => Arg::List(items.clone()),
            Arg::Tuple(items) => Arg::Tuple(items.clone()),
            Arg::Slice(parts) => Arg::Slice(parts.clone()),
        }
    }
}

/// A result of a torch function.
pub enum Ret<B: TorchOps + ?Sized> {
    /// A tensor.
    Tensor(B::T),
    /// A Python number.
    Scalar(B::S),
    /// Anything known.
    Const(Value),
    /// A `torch.Size`.
    Size(Dims),
    /// A tuple.
    Tuple(Vec<Ret<B>>),
    /// A list.
    List(Vec<Ret<B>>),
    /// A tuple of `torch.return_types`.
    NamedTuple(&'static str, Vec<Ret<B>>),
}

impl<B: TorchOps> Ret<B> {
    /// `None`
    pub fn none() -> Self {
        Ret::Const(Value::None)
    }

    /// A known bool.
    pub fn bool(v: bool) -> Self {
        Ret::Const(Value::bool(v))
    }
}

/// The body of a torch function.
pub type TorchFn<B> =
    fn(&mut B, &mut CallArgs<B>) -> Result<Ret<B>, <B as janus_tensor::Ops>::Error>;

/// An operand: a tensor, or a number.
pub enum Operand<B: TorchOps> {
    /// A tensor.
    T(B::T),
    /// A number.
    S(B::S),
}

impl<B: TorchOps> Clone for Operand<B> {
    fn clone(&self) -> Self {
        match self {
            Operand::T(t) => Operand::T(t.clone()),
            Operand::S(s) => Operand::S(s.clone()),
        }
    }
}

/// Parameters of a torch function.
#[derive(Debug)]
pub struct Signature {
    /// Name in errors.
    pub name: &'static str,
    /// Parameter names, positional ones first.
    pub params: Vec<&'static str>,
    /// Further names of some of them, each with its place.
    pub also: Vec<(usize, &'static str)>,
    /// How many may be given by position.
    pub positional: usize,
    /// The last positional one takes all further positional arguments (`view(2, 3)`).
    pub variadic: bool,
    /// The one that is written with a star: a tuple of ints, or tensors.
    pub list: Option<usize>,
    /// Index of `out`, if there is one.
    pub out: Option<usize>,
}

impl Signature {
    /// Reads `"input, other, *, alpha, out"`; a variadic parameter is written `*size`, and one with several names, as the
    /// overloads of a function have them, `sections|indices`. `method`: such a one behind
    /// the first takes further positional arguments in methods alone.
    pub fn parse(name: &'static str, text: &'static str, method: bool) -> Signature {
        let mut params = Vec::new();
        let mut also = Vec::new();
        let mut positional = None;
        let mut variadic = false;
        let mut list = None;
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            if part == "*" {
                positional = positional.or(Some(params.len()));
            } else if let Some(rest) = part.strip_prefix('*') {
                list = Some(params.len());
                variadic = method || params.is_empty() || TENSOR_LISTS.contains(&rest);
                params.push(rest);
                positional = Some(params.len());
            } else {
                let mut names = part.split('|');
                let first = names.next().unwrap_or(part);
                also.extend(names.map(|name| (params.len(), name)));
                params.push(first);
            }
        }
        let positional = positional.unwrap_or(params.len());
        let out = params.iter().position(|&p| p == "out");
        Signature {
            name,
            params,
            also,
            positional,
            variadic,
            list,
            out,
        }
    }
}

/// Lists of tensors (or of shapes): each is an argument of its own, and they have no name.
const TENSOR_LISTS: &[&str] = &["tensors", "operands", "matrices", "shapes"];

/// The arguments of one call by parameter.
pub struct CallArgs<B: TorchOps> {
    /// What the function is called and takes.
    pub signature: Rc<Signature>,
    slots: Vec<Option<Arg<B>>>,
    /// Which of them were looked at, as bits.
    read: Cell<u64>,
}

/// Whether an argument is a layout that no tensor has here.
fn is_other_layout<B: TorchOps>(slot: &Option<Arg<B>>) -> bool {
    matches!(slot, Some(Arg::Const(v)) if !crate::formats::is_strided(v))
}

/// Arguments that change no value, each with why.
const HINTS: &[&str] = &[
    "_stacklevel",   // of a warning that is not given
    "assume_unique", // what is known of the data
    "cudnn_enable",  // which library computes
    "implicit",      // PyTorch does nothing with it
    "layout",        // functions of other ones refuse it
    "non_blocking",  // when a copy ends
    "norm_type",     // counts beside `max_norm`
    "pin_memory",    // for copies to a device
    "sorted",        // what may come in any order comes in order
    "sparse_grad",   // how a gradient is stored
    "stable",        // every sort is
];

fn type_error<B: TorchOps>(text: String) -> B::Error {
    TensorError::Type(text).into()
}

impl<B: TorchOps> CallArgs<B> {
    /// Binds arguments to parameters.
    pub fn bind(
        signature: &Rc<Signature>,
        pos: Vec<Arg<B>>,
        kw: Vec<(Name, Arg<B>)>,
    ) -> Result<Self, B::Error> {
        let sig = &**signature;
        let mut slots: Vec<Option<Arg<B>>> = Vec::with_capacity(sig.params.len());
        slots.resize_with(sig.params.len(), || None);
        let fixed = if sig.variadic {
            sig.positional - 1
        } else {
            sig.positional
        };
        if !sig.variadic && pos.len() > fixed {
            return Err(type_error::<B>(format!(
                "{}() takes {fixed} positional argument{} but {} were given",
                sig.name,
                if fixed == 1 { "" } else { "s" },
                pos.len()
            )));
        }
        let mut rest = Vec::new();
        for (i, arg) in pos.into_iter().enumerate() {
            match slots.get_mut(i) {
                Some(slot) if i < fixed => *slot = Some(arg),
                _ => rest.push(arg),
            }
        }
        if sig.variadic && !rest.is_empty() {
            let one_sequence = rest.len() == 1 && rest.first().is_some_and(is_sequence);
            let packed = if one_sequence {
                rest.pop()
            } else {
                Some(Arg::Tuple(rest))
            };
            if let Some(slot) = slots.get_mut(fixed) {
                *slot = packed;
            }
        }
        // A number is an operand by its place only.
        let first_by_name = kw.iter().any(|(key, arg)| {
            key.as_str() == "input" && matches!(arg, Arg::Const(v) if const_number(v).is_some())
        });
        if first_by_name && sig.params.first() == Some(&"input") {
            let given: String = kw
                .iter()
                .rev()
                .map(|(key, arg)| format!("{}={}, ", key.as_str(), type_name(arg)))
                .collect();
            return Err(type_error::<B>(format!(
                "{}() received an invalid combination of arguments - got ({given}), but expected one of:",
                sig.name
            )));
        }
        let packed = sig
            .list
            .is_some_and(|at| slots.get(at).is_some_and(Option::is_some))
            && sig.variadic;
        for (key, arg) in kw {
            let key = match key.as_str() {
                "axis" => "dim",
                "keepdims" => "keepdim",
                "self" => "input",
                other => other,
            };
            let found = sig.params.iter().position(|&p| p == key);
            // By another name, where that one's place is taken or is none.
            let found = found
                .filter(|&at| slots.get(at).is_some_and(Option::is_none))
                .or_else(|| {
                    sig.also
                        .iter()
                        .find(|&&(at, name)| {
                            name == key && slots.get(at).is_some_and(Option::is_none)
                        })
                        .map(|&(at, _)| at)
                })
                .or(found);
            let found = found.filter(|&at| sig.list != Some(at) || !TENSOR_LISTS.contains(&key));
            let Some(slot) = found.and_then(|at| slots.get_mut(at)) else {
                return Err(type_error::<B>(format!(
                    "{}() got an unexpected keyword argument '{key}'",
                    sig.name
                )));
            };
            if slot.is_some() {
                return Err(type_error::<B>(format!(
                    "{}() got multiple values for argument '{key}'",
                    sig.name
                )));
            }
            *slot = Some(arg);
        }
        let args = CallArgs {
            signature: signature.clone(),
            slots,
            read: Cell::new(0),
        };
        if let Some(at) = sig.list.filter(|_| !packed)
            && let Some(Arg::Const(Value::Int(_) | Value::Bool(_) | Value::Float(_))) =
                args.given(at)
        {
            return Err(args.wrong(at, "tuple of ints"));
        }
        Ok(args)
    }

    /// Name of the function, for messages.
    pub fn name(&self) -> &'static str {
        self.signature.name
    }

    /// Exchanges the first two arguments (`__rsub__`).
    pub fn swap(&mut self) {
        if self.slots.len() >= 2 {
            self.slots.swap(0, 1);
        }
    }

    /// All arguments that are tensors, but for the one at `except`.
    pub fn other_tensors(&self, except: usize) -> Vec<B::T> {
        let mut out = Vec::new();
        for (i, slot) in self.slots.iter().enumerate() {
            let items = match slot {
                Some(_) if i == except => continue,
                Some(Arg::List(items) | Arg::Tuple(items)) => items.as_slice(),
                Some(one) => std::slice::from_ref(one),
                None => continue,
            };
            out.extend(items.iter().filter_map(|item| match item {
                Arg::Tensor(t) => Some(t.clone()),
                _ => None,
            }));
        }
        out
    }

    /// All tensors among the arguments and in lists of theirs, without looking at the arguments.
    pub fn all_tensors(&self) -> impl Iterator<Item = B::T> {
        let items = self.slots.iter().flatten().flat_map(|arg| match arg {
            Arg::List(items) | Arg::Tuple(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        });
        items.filter_map(|item| match item {
            Arg::Tensor(t) => Some(t.clone()),
            _ => None,
        })
    }

    /// The arguments that are tensors, but for the one at `except`, each with its place.
    pub fn tensor_arguments(&self, except: Option<usize>) -> Vec<(usize, B::T)> {
        let tensor = |(i, slot): (usize, &Option<Arg<B>>)| match slot {
            Some(Arg::Tensor(t)) if Some(i) != except => Some((i, t.clone())),
            _ => None,
        };
        self.slots.iter().enumerate().filter_map(tensor).collect()
    }

    /// The first dtype of an operand, alone or in a list, for which `f` holds.
    pub fn any_dtype(&self, b: &B, f: impl Fn(DType) -> bool) -> Option<DType> {
        let of = |arg: &Arg<B>| match arg {
            Arg::Tensor(t) => Some(b.dtype(t)).filter(|d| f(*d)),
            _ => None,
        };
        // What a result goes to is no operand.
        let operands =
            (self.slots.iter().enumerate()).filter(|(i, _)| Some(*i) != self.signature.out);
        operands
            .filter_map(|(_, arg)| arg.as_ref())
            .find_map(|arg| match arg {
                Arg::List(items) | Arg::Tuple(items) => items.iter().find_map(of),
                one => of(one),
            })
    }

    /// The first that `f` finds in an argument that is a known value.
    pub fn find_const<R>(&self, f: impl Fn(&Value) -> Option<R>) -> Option<R> {
        self.slots.iter().flatten().find_map(|arg| match arg {
            Arg::Const(v) => f(v),
            _ => None,
        })
    }

    /// The argument at a place, without having looked at it.
    pub fn slot(&self, i: usize) -> Option<&Arg<B>> {
        self.slots.get(i)?.as_ref()
    }

    fn note(&self, i: usize) {
        self.read.set(self.read.get() | 1 << i.min(63));
    }

    /// Refuses a call whose function did not look at an argument that it was given: it would do something else
    /// than was asked for.
    ///
    /// # Errors
    /// `NotImplementedError`, with the argument's name.
    pub fn all_read(&self) -> Result<(), B::Error> {
        for (i, slot) in self.slots.iter().enumerate() {
            let param = self.param(i);
            if matches!(
                slot,
                None | Some(Arg::Const(
                    Value::None | Value::Bool(janus_object::Bool::False)
                ))
            ) || self.read.get() & 1 << i.min(63) != 0
                || (HINTS.contains(&param) && !is_other_layout(slot))
            {
                continue;
            }
            let name = self.name();
            return Err(TensorError::NotImplemented(format!(
                "{name}(): argument '{param}' is not implemented in janus-jit yet"
            ))
            .into());
        }
        Ok(())
    }

    /// The raw argument; `None` where it was not given.
    pub fn get(&self, i: usize) -> Option<&Arg<B>> {
        self.note(i);
        self.slots.get(i)?.as_ref()
    }

    /// Replaces an argument.
    pub fn set(&mut self, i: usize, arg: Arg<B>) {
        if let Some(slot) = self.slots.get_mut(i) {
            *slot = Some(arg);
        }
    }

    /// Removes an argument.
    pub fn take(&mut self, i: usize) -> Option<Arg<B>> {
        self.note(i);
        self.slots.get_mut(i)?.take()
    }

    /// Which parameter has this name.
    pub fn place_of(&self, name: &str) -> Option<usize> {
        self.signature.params.iter().position(|&p| p == name)
    }

    /// The tensor that takes the result's place, where `inplace=True` asks for that.
    pub fn written_over(&self) -> Result<Option<B::T>, B::Error> {
        match self.place_of("inplace") {
            Some(at) if self.flag(at)? => Ok(Some(self.tensor(0)?)),
            _ => Ok(None),
        }
    }

    /// The argument of this parameter name.
    pub fn named(&self, name: &str) -> Option<&Arg<B>> {
        self.get(self.place_of(name)?)
    }

    /// The raw argument; `None` where it was not given or is None.
    pub fn given(&self, i: usize) -> Option<&Arg<B>> {
        match self.get(i) {
            Some(Arg::Const(Value::None)) | None => None,
            some => some,
        }
    }

    /// Name of a parameter.
    pub fn param(&self, i: usize) -> &'static str {
        self.signature.params.get(i).copied().unwrap_or("?")
    }

    /// `add(): argument 'other' (position 2) must be Tensor, not str`
    pub fn wrong(&self, i: usize, expected: &str) -> B::Error {
        let Some(arg) = self.get(i) else {
            return type_error::<B>(format!(
                "{}() missing 1 required positional arguments: \"{}\"",
                self.name(),
                self.param(i)
            ));
        };
        let position = if i < self.signature.positional {
            format!(" (position {})", i + 1)
        } else {
            String::new()
        };
        type_error::<B>(format!(
            "{}(): argument '{}'{position} must be {expected}, not {}",
            self.name(),
            self.param(i),
            type_name(arg)
        ))
    }

    /// A tensor.
    pub fn tensor(&self, i: usize) -> Result<B::T, B::Error> {
        match self.get(i) {
            Some(Arg::Tensor(t)) => Ok(t.clone()),
            _ => Err(self.wrong(i, "Tensor")),
        }
    }

    /// A tensor, or None.
    pub fn tensor_opt(&self, i: usize) -> Result<Option<B::T>, B::Error> {
        match self.given(i) {
            None => Ok(None),
            Some(_) => self.tensor(i).map(Some),
        }
    }

    /// A tensor or a number.
    pub fn operand(&self, b: &mut B, i: usize) -> Result<Operand<B>, B::Error> {
        match self.get(i) {
            Some(Arg::Tensor(t)) => Ok(Operand::T(t.clone())),
            Some(arg) => match number(b, arg) {
                Some(s) => Ok(Operand::S(s)),
                None => Err(self.wrong(i, "Tensor")),
            },
            None => Err(self.wrong(i, "Tensor")),
        }
    }

    /// A tensor or a number, if given.
    pub fn operand_opt(&self, b: &mut B, i: usize) -> Result<Option<Operand<B>>, B::Error> {
        if self.given(i).is_none() {
            Ok(None)
        } else {
            self.operand(b, i).map(Some)
        }
    }

    /// A number; a tensor without dimensions counts as one.
    pub fn number_opt(&self, b: &mut B, i: usize) -> Result<Option<B::S>, B::Error> {
        match self.given(i) {
            None => Ok(None),
            Some(Arg::Tensor(t)) if !b.shape(t).is_empty() => Err(self.wrong(i, "Number")),
            Some(Arg::Tensor(t)) => Ok(Some(b.item(t)?)),
            Some(arg) => match number(b, arg) {
                Some(s) => Ok(Some(s)),
                None => Err(self.wrong(i, "Number")),
            },
        }
    }

    /// A number.
    pub fn number(&self, b: &mut B, i: usize) -> Result<B::S, B::Error> {
        match self.number_opt(b, i)? {
            Some(s) => Ok(s),
            None => Err(self.wrong(i, "Number")),
        }
    }

    /// Refuses None for what has another default.
    fn not_none(&self, i: usize, expected: &str) -> Result<(), B::Error> {
        match self.get(i) {
            Some(Arg::Const(Value::None)) => Err(self.wrong(i, expected)),
            _ => Ok(()),
        }
    }

    /// A number with a default.
    pub fn number_or(&self, b: &mut B, i: usize, default: Scalar) -> Result<B::S, B::Error> {
        self.not_none(i, "Number")?;
        match self.number_opt(b, i)? {
            Some(s) => Ok(s),
            None => Ok(b.scalar(default)),
        }
    }

    /// A float that is known while building.
    pub fn float_opt(&self, b: &mut B, i: usize) -> Result<Option<f64>, B::Error> {
        match self.number_opt(b, i)? {
            None => Ok(None),
            Some(s) => match b.scalar_value(&s) {
                Some(v) => Ok(Some(v.to_f64())),
                None => Err(self.unknown(i)),
            },
        }
    }

    /// A known float with a default.
    pub fn float_or(&self, b: &mut B, i: usize, default: f64) -> Result<f64, B::Error> {
        self.not_none(i, "float")?;
        Ok(self.float_opt(b, i)?.unwrap_or(default))
    }

    fn unknown(&self, i: usize) -> B::Error {
        TensorError::NotKnown(format!(
            "{}(): argument '{}' moves, and has to be known",
            self.name(),
            self.param(i)
        ))
        .into()
    }

    /// An int that is known while building.
    pub fn int_opt(&self, b: &mut B, i: usize) -> Result<Option<i64>, B::Error> {
        match self.given(i) {
            None => Ok(None),
            Some(Arg::Tensor(t)) if !is_int(b, t) => Err(self.wrong(i, "int")),
            Some(Arg::Tensor(t)) => {
                let s = b.item(t)?;
                b.scalar_value(&s)
                    .map(|v| Some(v.to_i64()))
                    .ok_or_else(|| self.unknown(i))
            }
            Some(arg @ Arg::Scalar(_)) if is_bool(b, arg) => Err(self.wrong(i, "int")),
            Some(Arg::Scalar(s)) => match b.scalar_value(s) {
                Some(Scalar::F64(_) | Scalar::C128(_)) => Err(self.wrong(i, "int")),
                Some(v) => Ok(Some(v.to_i64())),
                None => Err(self.unknown(i)),
            },
            Some(Arg::Const(v)) => match v.unwrapped() {
                Value::Int(n) => Ok(Some(n)),
                _ => Err(self.wrong(i, "int")),
            },
            Some(_) => Err(self.wrong(i, "int")),
        }
    }

    /// A known int.
    pub fn int(&self, b: &mut B, i: usize) -> Result<i64, B::Error> {
        match self.int_opt(b, i)? {
            Some(n) => Ok(n),
            None => Err(self.wrong(i, "int")),
        }
    }

    /// A known int with a default.
    pub fn int_or(&self, b: &mut B, i: usize, default: i64) -> Result<i64, B::Error> {
        self.not_none(i, "int")?;
        Ok(self.int_opt(b, i)?.unwrap_or(default))
    }

    /// A bool, false by default.
    pub fn flag(&self, i: usize) -> Result<bool, B::Error> {
        self.flag_or(i, false)
    }

    /// A bool with a default.
    pub fn flag_or(&self, i: usize, default: bool) -> Result<bool, B::Error> {
        self.not_none(i, "bool")?;
        match self.given(i) {
            None => Ok(default),
            Some(Arg::Const(Value::Bool(v))) => Ok(v.get()),
            Some(_) => Err(self.wrong(i, "bool")),
        }
    }

    /// A string.
    pub fn str_or(&self, i: usize, default: &str) -> Result<String, B::Error> {
        match self.given(i) {
            None => Ok(default.to_owned()),
            Some(Arg::Const(v)) => match v.as_str() {
                Some(s) => Ok(s.to_owned()),
                None => Err(self.wrong(i, "str")),
            },
            Some(_) => Err(self.wrong(i, "str")),
        }
    }

    /// A dtype.
    pub fn dtype(&self, i: usize) -> Result<Option<DType>, B::Error> {
        match self.given(i) {
            None => Ok(None),
            Some(Arg::Const(v)) => match dtype_of(v) {
                Some(d) => Ok(Some(d)),
                None => {
                    refuse_absent(v)?;
                    Err(self.wrong(i, "torch.dtype"))
                }
            },
            Some(_) => Err(self.wrong(i, "torch.dtype")),
        }
    }

    /// A memory format.
    pub fn memory_format(&self, i: usize) -> Result<Option<MemoryFormat>, B::Error> {
        match self.given(i) {
            None => Ok(None),
            Some(Arg::Const(v)) if v.foreign::<MemoryFormat>().is_some() => {
                Ok(v.foreign::<MemoryFormat>().copied())
            }
            Some(_) => Err(self.wrong(i, "torch.memory_format")),
        }
    }

    /// An extent.
    pub fn extent(&self, b: &mut B, i: usize) -> Result<Dim, B::Error> {
        match self.given(i) {
            Some(arg) if !is_bool(b, arg) => match extent(b, arg)? {
                Some(d) => Ok(d),
                None => Err(self.wrong(i, "int")),
            },
            _ => Err(self.wrong(i, "int")),
        }
    }

    /// A sequence of extents, where one extent alone is refused.
    pub fn sizes_of_sequence(&self, b: &mut B, i: usize) -> Result<Dims, B::Error> {
        match self.given(i) {
            Some(Arg::Const(v)) if v.as_int().is_some() => Err(self.wrong(i, "tuple of ints")),
            _ => self.sizes(b, i),
        }
    }

    /// A sequence of extents, or one extent.
    pub fn sizes_opt(&self, b: &mut B, i: usize) -> Result<Option<Dims>, B::Error> {
        let Some(arg) = self.given(i) else {
            return Ok(None);
        };
        let mut out = Dims::new();
        match sequence(arg) {
            None if is_bool(b, arg) => return Err(self.wrong(i, "tuple of ints")),
            None => match extent(b, arg)? {
                Some(d) => out.push(b.not_negative(d)?),
                None => return Err(self.wrong(i, "tuple of ints")),
            },
            Some(items) => {
                for (at, item) in items.iter().enumerate() {
                    // PyTorch looks at the first one's type: bools behind an int are ints.
                    let is_flag = at == 0 && is_bool(b, item);
                    match extent(b, item)?.filter(|_| !is_flag) {
                        Some(d) => out.push(b.not_negative(d)?),
                        None => {
                            return Err(type_error::<B>(format!(
                                "{}(): argument '{}' (position {}) must be tuple of ints, but found element of type {} at pos {at}",
                                self.name(),
                                self.param(i),
                                i + 1,
                                type_name(item)
                            )));
                        }
                    }
                }
            }
        }
        Ok(Some(out))
    }

    /// A sequence of extents, or one extent; required.
    pub fn sizes(&self, b: &mut B, i: usize) -> Result<Dims, B::Error> {
        match self.sizes_opt(b, i)? {
            Some(sizes) => Ok(sizes),
            None => Err(self.wrong(i, "tuple of ints")),
        }
    }

    /// Known ints: one, or a sequence.
    pub fn ints_opt(&self, b: &mut B, i: usize) -> Result<Option<Vec<i64>>, B::Error> {
        let Some(sizes) = self.sizes_opt(b, i)? else {
            return Ok(None);
        };
        let mut out = Vec::with_capacity(sizes.len());
        for d in sizes {
            match d.known() {
                Some(n) => out.push(n),
                None => return Err(self.unknown(i)),
            }
        }
        Ok(Some(out))
    }

    /// One known int or `None`, or a sequence of `n` of them.
    pub fn optional_ints(
        &self,
        b: &mut B,
        i: usize,
        n: usize,
    ) -> Result<Vec<Option<i64>>, B::Error> {
        let Some(arg) = self.get(i) else {
            return Err(self.wrong(i, "tuple of ints"));
        };
        let items = sequence(arg).unwrap_or_else(|| vec![arg.clone(); n]);
        let mut out = Vec::with_capacity(items.len());
        for item in &items {
            out.push(match item {
                Arg::Const(Value::None) => None,
                other => match extent(b, other)?.map(Dim::known) {
                    Some(Some(known)) => Some(known),
                    Some(None) => return Err(self.unknown(i)),
                    None => return Err(self.wrong(i, "tuple of ints")),
                },
            });
        }
        if out.len() != n {
            return Err(self.wrong(i, &format!("tuple of {n} ints")));
        }
        Ok(out)
    }

    /// A sequence of known numbers; empty where it was not given.
    pub fn floats(&self, b: &mut B, i: usize) -> Result<Vec<f64>, B::Error> {
        let Some(items) = self.given(i).and_then(sequence) else {
            return Ok(Vec::new());
        };
        let mut out = Vec::with_capacity(items.len());
        for item in &items {
            let value = number(b, item).and_then(|s| b.scalar_value(&s));
            out.push(value.ok_or_else(|| self.unknown(i))?.to_f64());
        }
        Ok(out)
    }

    /// A sequence of tensors.
    pub fn tensors(&self, i: usize) -> Result<Vec<B::T>, B::Error> {
        let items = match self.get(i) {
            Some(arg) => sequence(arg).ok_or_else(|| self.wrong(i, "tuple of Tensors"))?,
            None => return Err(self.wrong(i, "tuple of Tensors")),
        };
        let mut out = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            match item {
                Arg::Tensor(t) => out.push(t),
                other => {
                    return Err(type_error::<B>(format!(
                        "expected Tensor as element {at} in argument {i}, but got {}",
                        type_name(&other)
                    )));
                }
            }
        }
        Ok(out)
    }
}

/// Whether an argument is a list, a tuple or a range.
pub fn is_sequence<B: TorchOps>(arg: &Arg<B>) -> bool {
    match arg {
        Arg::List(_) | Arg::Tuple(_) => true,
        Arg::Const(v) => {
            v.as_list().is_some() || v.as_tuple().is_some() || matches!(v, Value::Range(_))
        }
        _ => false,
    }
}

/// The items of a list, a tuple or a range.
pub fn sequence<B: TorchOps>(arg: &Arg<B>) -> Option<Vec<Arg<B>>> {
    match arg {
        Arg::List(items) | Arg::Tuple(items) => Some(items.clone()),
        Arg::Const(v) => {
            if let Some(list) = v.as_list() {
                return Some(list.to_vec().into_iter().map(Arg::Const).collect());
            }
            if let Value::Range(range) = v {
                let all = (0..range.len()).filter_map(|i| range.get(i));
                return Some(all.map(|i| Arg::Const(Value::Int(i))).collect());
            }
            let tuple = v.as_tuple()?;
            Some(tuple.items.iter().cloned().map(Arg::Const).collect())
        }
        _ => None,
    }
}

/// A Python number as a scalar; tensors do not count.
pub fn number<B: TorchOps>(b: &mut B, arg: &Arg<B>) -> Option<B::S> {
    match arg {
        Arg::Scalar(s) => Some(s.clone()),
        Arg::Const(v) => {
            // What is neither a Python int, float nor complex is a float to PyTorch, and so is numpy's bool.
            let number = const_number(v)?;
            let is_numpy_bool = matches!(v, Value::Instance(_))
                && crate::numpy::scalar(v).is_some_and(|t| t.dtype() == DType::Bool);
            Some(b.scalar(match is_numpy_bool {
                true => Scalar::F64(number.to_f64()),
                false => number,
            }))
        }
        _ => None,
    }
}

/// A known Python number.
pub fn const_number(v: &Value) -> Option<Scalar> {
    match v.unwrapped() {
        Value::Bool(v) => Some(Scalar::Bool(v.get())),
        Value::Int(n) => Some(Scalar::I64(n)),
        Value::Float(f) => Some(Scalar::F64(f.get())),
        Value::BigInt(n) if n.bits() <= 64 && *n > 0.into() => {
            n.iter_u64_digits().next().map(Scalar::U64)
        }
        big @ Value::BigInt(_) => big.as_f64().map(Scalar::F64),
        other => complex_parts(&other).map(|(re, im)| Scalar::C128(c128::new(re, im))),
    }
}

/// Whether an argument is Python's True or False, which PyTorch does not take for an int.
fn is_bool<B: TorchOps>(b: &B, arg: &Arg<B>) -> bool {
    match arg {
        Arg::Scalar(s) => b.scalar_kind(s) == ScalarKind::Bool,
        Arg::Const(v) => matches!(v.unwrapped(), Value::Bool(_)),
        _ => false,
    }
}

/// Whether a tensor may stand for an int: neither floats nor bools do.
fn is_int<B: TorchOps>(b: &B, t: &B::T) -> bool {
    let dtype = b.dtype(t);
    dtype.is_int()
}

/// An int, or an integral one-element tensor, as an extent.
pub fn extent<B: TorchOps>(b: &mut B, arg: &Arg<B>) -> Result<Option<Dim>, B::Error> {
    match arg {
        Arg::Scalar(s) => match b.scalar_value(s) {
            Some(Scalar::I64(n)) => Ok(Some(Dim::Known(n))),
            Some(Scalar::Bool(v)) => Ok(Some(Dim::Known(i64::from(v)))),
            Some(Scalar::F64(_) | Scalar::U64(_) | Scalar::C128(_)) => Ok(None),
            None => b.scalar_dim(s).map(Some),
        },
        Arg::Tensor(t) if is_int(b, t) => {
            let s = b.item(t)?;
            extent(b, &Arg::Scalar(s))
        }
        Arg::Const(v) => Ok(match v.unwrapped() {
            Value::Int(n) => Some(Dim::Known(n)),
            Value::Bool(v) => Some(Dim::Known(i64::from(v.get()))),
            _ => None,
        }),
        _ => Ok(None),
    }
}

/// Python's name for the type of an argument.
pub fn type_name<B: TorchOps>(arg: &Arg<B>) -> String {
    match arg {
        Arg::Tensor(_) => "Tensor".to_owned(),
        Arg::Scalar(_) => "Number".to_owned(),
        Arg::Const(v) => v.type_name(),
        Arg::List(_) => "list".to_owned(),
        Arg::Tuple(_) => "tuple".to_owned(),
        Arg::Slice(_) => "slice".to_owned(),
    }
}

/// The Python exception of a tensor error.
#[cold]
pub fn raised(error: TensorError) -> Raised {
    let kind = match error.kind() {
        ErrorKind::Foreign => {
            if let TensorError::Foreign(inner) = &error
                && let Some(raised) = inner.downcast_ref::<Raised>()
            {
                return raised.clone();
            }
            ExcKind::RuntimeError
        }
        ErrorKind::Runtime => ExcKind::RuntimeError,
        ErrorKind::Index => ExcKind::IndexError,
        ErrorKind::Type => ExcKind::TypeError,
        ErrorKind::Value => ExcKind::ValueError,
        ErrorKind::ZeroDivision => ExcKind::ZeroDivisionError,
        ErrorKind::NotImplemented => ExcKind::NotImplementedError,
        ErrorKind::OutOfMemory => {
            let message = vec![Value::str(error.to_string())];
            return Raised::of_class(&classes().out_of_memory_error, message);
        }
        ErrorKind::LinAlg => {
            let message = vec![Value::str(error.to_string())];
            return Raised::of_class(&classes().linalg_error, message);
        }
    };
    Raised::new(kind, error.to_string())
}

/// Whether a value is the class of this built-in type (`float` as a dtype).
pub fn is_builtin_class(v: &Value, name: &str) -> bool {
    let t = types();
    let class = match name {
        "float" => &t.float,
        "int" => &t.int,
        _ => &t.bool,
    };
    v.as_class().is_some_and(|c| PyRef::ptr_eq(c, class))
}
