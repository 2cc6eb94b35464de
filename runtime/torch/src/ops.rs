//! What torch functions need beyond the primitives.
//!
//! In: nothing. Out: [`TorchOps`], which tier 0 implements on real tensors ([`crate::Eager`]) and
//! a graph builder implements by recording. Always: a default here is what a graph builder wants
//! when it supports nothing special: it refuses, and the function stays in tier 0.

use std::sync::atomic::{AtomicBool, Ordering};

use std::borrow::Cow;

use janus_object::{Raised, Value};
use janus_tensor::ops::{Axes, Steps};
use janus_tensor::{DType, Device, Dim, Ops, Prim, Scalar, TensorError};

use crate::functions::places;

/// A function that PyTorch knows no derivative of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDerivative {
    /// PyTorch's name of it.
    pub function: &'static str,
    /// The name of its place on the tape, where it has one of its own.
    pub node: Option<&'static str>,
    /// What a backward pass says, where it is not that the function has none at all.
    pub refusal: Option<Cow<'static, str>>,
}

impl NoDerivative {
    /// A function that has no place of its own on the tape.
    #[must_use]
    pub const fn of(function: &'static str) -> NoDerivative {
        NoDerivative {
            function,
            node: None,
            refusal: None,
        }
    }
}

/// A draw of random numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Draw<I = Dim> {
    /// `uniform_(from, to)`
    Uniform(f64, f64),
    /// `normal_(mean, std)`
    Normal(f64, f64),
    /// `normal_(mean, std)` of a tensor that is not contiguous: one number after the other.
    SerialNormal(f64, f64),
    /// `random_(from, to)`, `randint`: integers below `to`.
    Int(I, I),
    /// `random_()`: all integers that the dtype holds exactly.
    FullRange,
    /// `randperm`
    Permutation,
    /// `bernoulli_(p)`
    Bernoulli(f64),
    /// `exponential_(lambda)`
    Exponential(f64),
}

/// A draw from distributions whose parameters are a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawFrom {
    /// `bernoulli(p)`: a 0 or 1 per element, 1 with the element's probability.
    Bernoulli,
    /// `multinomial(p, samples, replacement)`: indices, by the weights of a row.
    Multinomial {
        /// How many for each row.
        samples: i64,
        /// One index may come several times.
        replacement: bool,
    },
}

impl<I> Draw<I> {
    /// The same distribution, with `f` of its ints; `None` where `f` is.
    pub fn try_map<J>(&self, mut f: impl FnMut(&I) -> Option<J>) -> Option<Draw<J>> {
        Some(match self {
            Draw::Uniform(from, to) => Draw::Uniform(*from, *to),
            Draw::Normal(mean, std) => Draw::Normal(*mean, *std),
            Draw::SerialNormal(mean, std) => Draw::SerialNormal(*mean, *std),
            Draw::Int(from, to) => Draw::Int(f(from)?, f(to)?),
            Draw::FullRange => Draw::FullRange,
            Draw::Permutation => Draw::Permutation,
            Draw::Bernoulli(p) => Draw::Bernoulli(*p),
            Draw::Exponential(lambda) => Draw::Exponential(*lambda),
        })
    }
}

type Err<B> = <B as Ops>::Error;

fn refuse<B: TorchOps + ?Sized, X>(what: &str) -> Result<X, Err<B>> {
    Err(no_graph_form(what).into())
}

/// What a graph cannot contain.
#[must_use]
pub fn no_graph_form(what: &str) -> TensorError {
    TensorError::NoGraphForm(format!("{what} cannot be part of a graph"))
}

/// A warning that is given once in a process.
#[derive(Debug)]
pub struct Warning {
    message: &'static str,
    given: AtomicBool,
}

impl Warning {
    /// One that was not given yet.
    #[must_use]
    pub const fn new(message: &'static str) -> Warning {
        let given = AtomicBool::new(false);
        Warning { message, given }
    }

    /// Its text, the first time.
    pub fn first(&self) -> Option<&'static str> {
        (!self.given.swap(true, Ordering::Relaxed)).then_some(self.message)
    }
}

/// The operations of torch that are no pure primitives.
pub trait TorchOps: Ops<Error: From<Raised>> {
    /// In-place write through views: `target` takes `value`'s elements, its gradient history and
    /// a new version. Shapes and dtypes are equal.
    fn assign(&mut self, target: &Self::T, value: &Self::T) -> Result<(), Err<Self>>;

    /// Whether a write to the whole of `t` would cut it off from what it was computed from: it is
    /// the result of an operation on the tape, and no view.
    fn has_history(&self, t: &Self::T) -> Result<bool, Err<Self>>;

    /// Refuses to write to `target` where one of `read` shows other elements of the same memory.
    fn check_overlap(&mut self, target: &Self::T, read: &[Self::T]) -> Result<(), Err<Self>>;

    /// Refuses to write to `target` where one of `read` shows elements of the same memory, be they the same ones.
    fn check_apart(&mut self, target: &Self::T, read: &[Self::T]) -> Result<(), Err<Self>>;

    /// Computes what is going to overwrite `target`, from `read`; the caller assigns it.
    fn overwriting<R>(
        &mut self,
        target: &Self::T,
        read: &[Self::T],
        compute: impl FnOnce(&mut Self) -> Result<R, Err<Self>>,
    ) -> Result<R, Err<Self>>
    where
        Self: Sized,
    {
        self.check_overlap(target, read)?;
        compute(self)
    }

    /// A tensor of these elements.
    fn constant(
        &mut self,
        data: &[Scalar],
        shape: &[i64],
        dtype: DType,
    ) -> Result<Self::T, Err<Self>>;

    /// Where a tensor is.
    fn device(&self, _t: &Self::T) -> Device {
        Device::Cpu
    }

    /// Memory is made on `device` from now on; returns the device before.
    fn set_device(&mut self, device: Device) -> Device {
        device
    }

    /// A tensor on a device: itself where it is there, else a copy through which gradients go.
    fn to_device(&mut self, t: &Self::T, device: Device) -> Result<Self::T, Err<Self>> {
        match device == self.device(t) {
            true => Ok(t.clone()),
            false => refuse::<Self, _>("a copy to another device"),
        }
    }

    /// `torch.get_default_dtype()`
    fn default_dtype(&self) -> DType;

    /// The dtype of `torch.autocast` on a device, where that is on.
    fn autocast(&self, _device: Device) -> Option<DType> {
        None
    }

    /// A tensor as autocast casts it.
    fn autocast_to(&mut self, t: &Self::T, dtype: DType) -> Result<Self::T, Err<Self>> {
        self.cast(t, dtype)
    }

    /// `requires_grad`
    fn requires_grad(&self, t: &Self::T) -> bool;
    /// Refuses where a graph cannot tell whether a tensor requires grad.
    fn certain_grad(&self, _t: &Self::T) -> Result<(), Err<Self>> {
        Ok(())
    }
    /// `requires_grad_()`
    fn set_requires_grad(&mut self, t: &Self::T, on: bool) -> Result<(), Err<Self>>;
    /// `detach_()`
    fn detach_in_place(&mut self, t: &Self::T) -> Result<(), Err<Self>>;
    /// `torch.is_grad_enabled()`
    fn is_grad_enabled(&self) -> bool;
    /// Turns the recording of gradients on or off.
    fn set_grad_enabled(&mut self, on: bool) -> Result<(), Err<Self>>;
    /// `grad`
    fn grad(&mut self, t: &Self::T) -> Result<Option<Self::T>, Err<Self>>;
    /// `grad = ...`
    fn set_grad(&mut self, t: &Self::T, grad: Option<&Self::T>) -> Result<(), Err<Self>>;
    /// `backward()`
    fn backward(
        &mut self,
        t: &Self::T,
        gradient: Option<&Self::T>,
        retain_graph: bool,
        create_graph: bool,
    ) -> Result<(), Err<Self>>;
    /// `backward(inputs=...)`: adds to the gradients of these only.
    fn backward_to(
        &mut self,
        _t: &Self::T,
        _gradient: Option<&Self::T>,
        _retain_graph: bool,
        _create_graph: bool,
        _inputs: &[Self::T],
    ) -> Result<(), Err<Self>> {
        refuse::<Self, _>("a backward with inputs")
    }
    /// Whether the tensor is a leaf of the tape.
    fn is_leaf(&self, t: &Self::T) -> bool;

    /// Whether no backward pass gives the tensor a gradient: it is no leaf, and was not asked to keep one.
    fn keeps_no_grad(&self, t: &Self::T) -> bool {
        !self.is_leaf(t)
    }

    /// A copy with memory of its own (`clone()`); differentiable.
    fn copy(&mut self, t: &Self::T) -> Result<Self::T, Err<Self>>;

    /// An operand that may be overwritten before the backward pass that needs it, because PyTorch
    /// computes the gradient from the result.
    fn apart(&mut self, t: &Self::T) -> Result<Self::T, Err<Self>> {
        Ok(t.clone())
    }

    /// Whether it is the result of `conj()`, which in PyTorch shows the operand's memory.
    fn is_conjugated(&self, _t: &Self::T) -> bool {
        false
    }

    /// Notes that it is.
    fn set_conjugated(&mut self, _t: &Self::T, _on: bool) {}

    /// `contiguous()`: the tensor itself where it is dense already.
    fn contiguous(&mut self, t: &Self::T) -> Result<Self::T, Err<Self>> {
        Ok(t.clone())
    }

    /// `is_contiguous()`
    fn is_contiguous(&mut self, _t: &Self::T) -> Result<bool, Err<Self>> {
        Ok(true)
    }

    /// Windows along a dimension of `n` elements: a view.
    fn windows(
        &mut self,
        x: &Self::T,
        along: (usize, i64),
        size: i64,
        step: i64,
    ) -> Result<Self::T, Err<Self>>;

    /// A diagonal of dimensions as a view: `taken` is one where the merged dimensions are, else its elements were
    /// copied. `steps` take its elements.
    fn shown_diagonal(
        &mut self,
        x: &Self::T,
        taken: &Self::T,
        steps: [Prim; 3],
        along: (usize, usize, i64),
    ) -> Result<Self::T, Err<Self>>;

    /// Notes that a view is the result number `index` of a function that returns several.
    fn one_of_several(&mut self, t: &Self::T, index: usize) -> Result<(), Err<Self>>;

    /// A reshape that must be a view (`view()`).
    fn view(&mut self, t: &Self::T, shape: &[Dim]) -> Result<Self::T, Err<Self>> {
        self.reshape(t, shape)
    }

    /// `stride()`
    fn strides(&self, _t: &Self::T) -> Result<Steps, Err<Self>> {
        refuse::<Self, _>("stride")
    }

    /// The dimensions from the slowest to the fastest one in memory; `None` where they are in order.
    fn memory_order(&mut self, _t: &Self::T) -> Result<Option<Axes>, Err<Self>> {
        refuse::<Self, _>("the order of elements in memory")
    }

    /// The same of the results of an elementwise function of these: `None` where they lie row by row.
    fn iteration_order(&mut self, _operands: &[Self::T]) -> Result<Option<Axes>, Err<Self>> {
        Ok(None)
    }

    /// A fresh result with its dimensions in another order, under its name, which is no view of it.
    fn laid_out(&mut self, t: &Self::T, dims: &[usize]) -> Result<Self::T, Err<Self>> {
        self.permute(t, dims)
    }

    /// Names the reshape that gave a result: a view, or a copy of what lies otherwise in memory.
    fn label_reshaped(&mut self, _t: &Self::T, _of: &Self::T) {}

    /// Names the operation behind a result as that behind another one.
    fn copy_label(&mut self, _t: &Self::T, _of: &Self::T) {}

    /// The same memory as elements of another dtype (`view(dtype)`).
    fn reinterpreted(&mut self, _t: &Self::T, _dtype: DType) -> Result<Self::T, Err<Self>> {
        refuse::<Self, _>("a view as another dtype")
    }

    /// `as_strided`
    fn as_strided(
        &mut self,
        _t: &Self::T,
        _shape: &[i64],
        _strides: &[i64],
        _offset: Option<i64>,
    ) -> Result<Self::T, Err<Self>> {
        refuse::<Self, _>("as_strided")
    }

    /// Whether no element is infinite or NaN, where that can be told at once; `None`: a graph computes it.
    fn known_finite(&mut self, _t: &Self::T) -> Option<bool> {
        None
    }

    /// `data`: the same memory without history.
    fn data(&mut self, t: &Self::T) -> Result<Self::T, Err<Self>> {
        self.detach(t)
    }

    /// `data = other`: takes over the memory, shape and dtype of another tensor.
    fn set_data(&mut self, _t: &Self::T, _other: &Self::T) -> Result<(), Err<Self>> {
        refuse::<Self, _>("an assignment to data")
    }

    /// Gives `out` the memory and shape of a result that fits it in nothing but its dtype.
    fn resize_to(&mut self, _out: &Self::T, _value: &Self::T) -> Result<(), Err<Self>> {
        refuse::<Self, _>("out= of another shape")
    }

    /// Makes a tensor the view of itself that was made of it (`unsqueeze_()`).
    fn become_view(&mut self, _t: &Self::T, _view: &Self::T) -> Result<(), Err<Self>> {
        refuse::<Self, _>("a change of shape in place")
    }

    /// Random numbers.
    fn random(
        &mut self,
        draw: &Draw,
        _shape: &[Dim],
        _dtype: DType,
        _generator: Option<&Value>,
    ) -> Result<Self::T, Err<Self>> {
        refuse::<Self, _>(&format!("the random draw {draw:?}"))
    }

    /// Random numbers of distributions that `parameters` has.
    fn random_from(
        &mut self,
        draw: DrawFrom,
        _parameters: &Self::T,
        _generator: Option<&Value>,
    ) -> Result<Self::T, Err<Self>> {
        refuse::<Self, _>(&format!("the random draw {draw:?}"))
    }

    /// Coordinates of the elements that are not zero, one int64 vector per dimension.
    fn nonzero(&mut self, t: &Self::T) -> Result<Vec<Self::T>, Err<Self>>
    where
        Self: Sized,
    {
        places::nonzero(self, t)
    }

    /// For a scattered write: which writes are the last ones to their place (bool, the shape of
    /// `index`); `None` where no two go to the same place. `dim` is that of `scatter`, or none
    /// where all indices go to one dimension (`index_put`).
    fn last_writers(
        &mut self,
        index: &Self::T,
        dim: Option<usize>,
    ) -> Result<Option<Self::T>, Err<Self>>
    where
        Self: Sized,
    {
        places::last_writers(self, index, dim).map(Some)
    }

    /// A number that is not known, as the index of an element of `n`: wrapped and in range. `None`
    /// where it is no int.
    fn element(&mut self, _s: &Self::S, _n: Dim) -> Result<Option<Dim>, Err<Self>> {
        Ok(None)
    }

    /// Where a slice has the same length wherever it starts, of `n`: `x[t:t + 4]`. Where it starts, counted
    /// from the start, and its length. `None`: nobody knows, or parts of it are missing.
    fn constant_part(
        &mut self,
        _start: Dim,
        _stop: Dim,
        _n: Dim,
    ) -> Result<Option<(Dim, Dim)>, Err<Self>> {
        Ok(None)
    }

    /// The index of an element of `n`, counted from the start. Where both are known it was found to be in
    /// range; a graph asserts that it is.
    fn element_at(&mut self, i: Dim, n: Dim) -> Result<Dim, Err<Self>> {
        match i {
            Dim::Known(i) if i < 0 => self.dim_add(n, Dim::Known(i)),
            i => Ok(i),
        }
    }

    /// An extent that is refused elsewhere where it is known and negative: a graph asserts that it is not.
    fn not_negative(&mut self, n: Dim) -> Result<Dim, Err<Self>> {
        Ok(n)
    }

    /// Where `length` elements from `start` begin, all of them among `n`: a graph asserts that they are.
    fn within(&mut self, start: Dim, _length: Dim, _n: Dim) -> Result<Dim, Err<Self>> {
        Ok(start)
    }

    /// An extent that is not known should be this large: a graph may assume it, if it is now.
    fn expect_least(&mut self, _n: Dim, _least: i64) -> Result<(), Err<Self>> {
        Ok(())
    }

    /// A bound of a slice that is not known, in a dimension of `n`: from 0 to `n`.
    fn slice_bound(&mut self, d: Dim, n: Dim) -> Result<Dim, Err<Self>> {
        self.dim_binary(janus_tensor::ops::DimOp::Min, d, n)
    }

    /// An int divisor that is not known: a graph asserts that it is not 0.
    fn refuse_zero(&mut self, _divisor: &Self::S) -> Result<(), Err<Self>> {
        Ok(())
    }

    /// A number that is not known, put into tensors of this dtype: a graph asserts that it fits.
    fn refuse_unfit(&mut self, _number: &Self::S, _dtype: DType) -> Result<(), Err<Self>> {
        Ok(())
    }

    /// A UserWarning of PyTorch's at the caller's line, each time: part of a graph only where it is not shown.
    fn warn(&mut self, _message: &str) -> Result<(), Err<Self>> {
        refuse::<Self, _>("a call that warns")
    }

    /// A UserWarning that PyTorch gives once in a process: before anything is compiled.
    fn warn_once(&mut self, _warning: &'static Warning) -> Result<(), Err<Self>> {
        Ok(())
    }

    /// Int divisors, whose zeros the kernels refuse: a graph asserts that there is none.
    fn refuse_zeros(&mut self, _divisors: &Self::T) -> Result<(), Err<Self>> {
        Ok(())
    }

    /// Refuses indices outside `0..n` where values are at hand: the first bad one. A graph asserts.
    fn index_out_of_range(&mut self, _index: &Self::T, _n: i64) -> Result<Option<i64>, Err<Self>> {
        Ok(None)
    }

    /// Whether an element is outside these limits, where values are at hand. A graph says no.
    fn values_outside(&mut self, _t: &Self::T, _low: f64, _high: f64) -> Result<bool, Err<Self>> {
        Ok(false)
    }

    /// Whether a condition holds that is an error. A graph asserts that it does not.
    fn holds(&mut self, condition: &Self::S) -> Result<bool, Err<Self>> {
        Ok(self.scalar_value(condition).is_some_and(|v| v.to_bool()))
    }

    /// The value, fresh, of a function of `of` that PyTorch knows no derivative of: it requires a gradient where one of
    /// them does, and a backward pass that comes to it raises.
    fn underivable(
        &mut self,
        value: &Self::T,
        of: &[&Self::T],
        function: NoDerivative,
    ) -> Result<Self::T, Err<Self>> {
        if self.is_grad_enabled() && of.iter().any(|t| self.requires_grad(t)) {
            let what = format!("{}, which has no derivative,", function.function);
            return refuse::<Self, _>(&what);
        }
        Ok(value.clone())
    }

    /// `erfinv`
    fn erfinv(&mut self, _t: &Self::T) -> Result<Self::T, Err<Self>> {
        refuse::<Self, _>("erfinv")
    }
}
