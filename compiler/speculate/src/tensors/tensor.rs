//! Tensors of the graph: the primitives, autograd flags, views and in-place writes.
//!
//! In: torch functions, written once over [`Ops`] and [`TorchOps`]. Out: ops of the dialect.
//! Always: a tensor object has a current value; objects that share memory share it; a value that
//! must not carry a gradient is cut off with `janus.detach` before a differentiable use.

use std::collections::HashMap;
use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::{Attr, Type, ValueId};
use janus_object::{Class, Name, PyRef, Raised, Value};
use janus_plan::{DeoptReason, ReasonId, ScalarType};
use janus_tensor::ops::{Axes, DimOp, Dims, Predicate, Prim, ReduceOp};
use janus_tensor::{DType, Device, Dim, Ops, Scalar};
use janus_torch::{Draw, DrawFrom, TorchOps, no_graph_form};

use crate::emit::ops::RARE_DTYPE;
use crate::executor::Executor;
use crate::state::sym::{
    Effect, GradName, Identity, Kind, Leaf, Obj, Slot, Sym, SymScalar, SymTensor, Tape, View,
    ViewMap, Written,
};
use crate::state::types::tensor_type;
use crate::{Res, Stop};

/// A number in a torch function: known, or computed by the graph.
#[derive(Clone)]
pub(crate) enum Number {
    Known(Scalar),
    Run(SymScalar),
}

/// The coordinates of what is set in a mask, by where it was asked for and the mask's value: how many there are,
/// and a value for each dimension.
pub(crate) type Places = HashMap<(u32, ValueId), (Dim, Rc<[ValueId]>)>;

impl From<Raised> for Stop {
    fn from(raised: Raised) -> Self {
        let class = raised.0.class().display_name();
        Stop::refused(ReasonId::WouldRaise, format!("it would raise {class}"))
    }
}

impl Executor<'_> {
    // ---- extents -------------------------------------------------------------------------

    pub(crate) fn dims_of(&self, obj: Obj) -> Res<Dims> {
        Ok(self
            .tensor(obj)?
            .dims
            .iter()
            .map(|&d| self.resolve(d))
            .collect())
    }

    pub(crate) fn hint(&self, d: Dim) -> Option<i64> {
        match d {
            Dim::Known(n) => Some(n),
            Dim::Sym(s) => self.extents.dims[s as usize].hint,
        }
    }

    /// An extent as an index value.
    pub(crate) fn dim_value(&mut self, d: Dim) -> Res<ValueId> {
        match self.resolve(d) {
            Dim::Sym(s) => Ok(self.extents.dims[s as usize].id),
            Dim::Known(n) => self.at_entry(|this| {
                this.emit1(
                    "arith.constant",
                    &[],
                    &[("value", Attr::Index(n))],
                    Type::Index,
                )
            }),
        }
    }

    /// Index operands for the `?` of a shape.
    pub(crate) fn dynamic_sizes(&mut self, dims: &[Dim]) -> Res<Vec<ValueId>> {
        let mut out = Vec::new();
        for &d in dims {
            if let Dim::Sym(_) = self.resolve(d) {
                out.push(self.dim_value(d)?);
            }
        }
        Ok(out)
    }

    /// An extent as a Python int.
    pub(crate) fn dim_sym(&mut self, d: Dim) -> Sym {
        Self::number_sym(self.dim_scalar(d))
    }

    // ---- values --------------------------------------------------------------------------

    /// The current value of a tensor, with these extents in its type.
    pub(crate) fn value_as(&mut self, obj: Obj, dims: &[Dim]) -> Res<ValueId> {
        let value = self.current(obj)?;
        let ty = tensor_type(self.tensor(obj)?.dtype, dims);
        if self.emission.builder.type_of(value) == ty {
            return Ok(value);
        }
        // Equal extents that the type does not know to be equal.
        let mut operands = vec![value];
        operands.extend(self.dynamic_sizes(dims)?);
        self.emit1("janus.reshape", &operands, &[], ty)
    }

    /// Whether what a view shows was not written since it was looked at.
    pub(crate) fn is_up_to_date(&self, t: &SymTensor) -> bool {
        let base = |v: &View| self.tensor(v.base).is_ok_and(|b| b.version == v.version);
        !t.identity.stale && t.view.as_ref().is_none_or(base)
    }

    /// The current value of a tensor.
    pub(crate) fn current(&mut self, obj: Obj) -> Res<ValueId> {
        let t = self.tensor(obj)?;
        if t.identity.stale {
            return self
                .undecided("a tensor that a branch or loop decided on is read after a write");
        }
        let Some(view) = t.view.clone().filter(|_| !self.is_up_to_date(t)) else {
            return Ok(t.value);
        };
        let version = self.tensor(view.base)?.version;
        // The memory was written since: look again.
        let value = match &view.map {
            ViewMap::Same => {
                let outside = !self.tensor(obj)?.requires_grad;
                let value = self.current(view.base)?;
                if outside && self.tensor(view.base)?.requires_grad {
                    self.cut_off(value)?
                } else {
                    value
                }
            }
            ViewMap::Prim(parent, prim) => {
                let (parent, prim) = (*parent, prim.clone());
                let dims = self.dims_of(obj)?;
                if matches!(*prim, Prim::Reshape { .. })
                    && !self.reshapes_in_place(parent, &dims)?
                {
                    return self.refuse(
                        ReasonId::SharedMemory,
                        "a reshape that may be a copy or a view is read after an in-place write",
                    );
                }
                self.emit_prim(&prim, &[parent])?.0
            }
        };
        let t = self.tensor_mut(obj)?;
        t.value = value;
        t.view = Some(View { version, ..view });
        Ok(value)
    }

    /// Whether a view that is made at the end shows what it shows now: what may be a copy was made of
    /// elements that are still there.
    pub(crate) fn shows_the_same_later(&self, t: &SymTensor) -> Res<bool> {
        let Some(View {
            map: ViewMap::Prim(parent, prim),
            ..
        }) = &t.view
        else {
            return Ok(true);
        };
        Ok(self.is_up_to_date(t)
            || !matches!(**prim, Prim::Reshape { .. })
            || self.reshapes_in_place(*parent, &t.dims)?)
    }

    pub(crate) fn owner(&self, obj: Obj) -> Res<Obj> {
        Ok(self.tensor(obj)?.view.as_ref().map_or(obj, |v| v.base))
    }

    pub(crate) fn tensor_class(&self) -> PyRef<Class> {
        janus_torch::objects::classes().tensor.clone()
    }

    /// `requires_grad_()` of a tensor from outside happens at the end, too.
    fn keep_requires_grad(&mut self, t: Obj, on: bool) -> Res<()> {
        let name = Name::new("requires_grad_");
        let is_leaf = self.tensor(t)?.leaf || !self.tensor(t)?.requires_grad;
        let function = self.tensor_class().lookup(&name);
        let (true, 0, Some(function @ Value::Native(_))) =
            (is_leaf, self.emission.context, function)
        else {
            return self.refuse(
                ReasonId::GradMode,
                "requires_grad of an existing tensor is changed",
            );
        };
        self.state.toggled = true;
        self.state.effects.push(Effect {
            condition: None,
            function,
            args: vec![Sym::Obj(t), Sym::Known(Value::bool(on))],
            kwargs: Vec::new(),
        });
        Ok(())
    }

    /// Where a tensor is.
    pub(crate) fn device_of(&self, obj: Obj) -> Device {
        self.tensor(obj).map_or(Device::Cpu, |t| t.device)
    }

    /// What is known of a new tensor.
    pub(crate) fn bare_tensor(&self, value: ValueId, dtype: DType, dims: Dims) -> SymTensor {
        SymTensor {
            value,
            dtype,
            dims,
            device: self.state.mode.device,
            class: self.tensor_class(),
            requires_grad: false,
            inference: self.state.mode.inference,
            some_grad: false,
            leaf: false,
            grad: Slot::Empty,
            grad_written: false,
            grad_read: false,
            written: Written::No,
            unversioned: false,
            counted: false,
            view: None,
            version: 0,
            unsure_from: u32::MAX,
            tape: Tape::unrecorded(),
            identity: Identity::known(),
        }
    }

    /// A new tensor object.
    pub(crate) fn new_tensor(&mut self, value: ValueId, dtype: DType, dims: Dims) -> Obj {
        let t = self.bare_tensor(value, dtype, dims);
        match self.alloc(Kind::Tensor(t)) {
            Sym::Obj(o) => o,
            _ => 0,
        }
    }

    /// A tensor's value as an operand: cut off if no gradient may flow into it.
    pub(crate) fn differentiable_operand(&mut self, obj: Obj, dims: &[Dim]) -> Res<ValueId> {
        let t = self.tensor(obj)?;
        let cut = t.tape.cut && !t.requires_grad;
        let value = self.value_as(obj, dims)?;
        if self.state.mode.grad_enabled && cut {
            return self.cut_off(value);
        }
        Ok(value)
    }

    /// The same elements, through which no gradient goes.
    pub(crate) fn cut_off(&mut self, value: ValueId) -> Res<ValueId> {
        let ty = self.emission.builder.type_of(value);
        self.emit1("janus.detach", &[value], &[], ty)
    }

    /// Notes one more leaf: used where it is used by either, if it was there before.
    pub(crate) fn add_leaf(&mut self, leaves: &mut Vec<Leaf>, leaf: Leaf) -> Res<()> {
        match leaves.iter_mut().find(|l| l.is_same(&leaf)) {
            None => leaves.push(leaf),
            Some(known) => {
                known.used = match (known.used, leaf.used) {
                    (Some(a), Some(b)) if a != b => {
                        Some(self.emit1("arith.ori", &[a, b], &[], Type::I1)?)
                    }
                    (Some(a), Some(_)) => Some(a),
                    _ => None,
                };
            }
        }
        Ok(())
    }

    /// Gives a result its autograd flags.
    pub(crate) fn track(&mut self, obj: Obj, operands: &[Obj], detach: bool) -> Res<()> {
        let grad = self.state.mode.grad_enabled && !detach;
        let float = self.tensor(obj)?.dtype.is_float();
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut depends = false;
        let (mut requires, mut surely) = (false, false);
        let mut inference = false;
        for &o in operands {
            if grad && float && self.is_unrecorded_leaf(o)? {
                return self.refuse(
                    ReasonId::GradientInPlace,
                    "a view made in no_grad of what requires grad is a leaf",
                );
            }
            let t = self.tensor(o)?;
            inference |= t.inference;
            depends |= t.requires_grad || t.tape.cut;
            requires |= t.requires_grad;
            surely |= t.requires_grad && !t.some_grad;
            if t.leaf && t.requires_grad {
                let leaf = Leaf::new(o, t.value);
                self.add_leaf(&mut leaves, leaf)?;
            } else {
                for &leaf in t.tape.leaves.clone().iter() {
                    self.add_leaf(&mut leaves, leaf)?;
                }
            }
        }
        if inference && requires && !self.state.mode.inference {
            return self.refuse(
                ReasonId::GradMode,
                "a tensor made in inference mode meets one that requires grad",
            );
        }
        let t = self.tensor_mut(obj)?;
        t.inference |= inference && detach;
        if grad && float && requires {
            t.requires_grad = true;
            t.some_grad = !surely;
            t.leaf = false;
            t.tape.leaves = leaves.into();
            t.tape.inputs = operands.into();
        } else {
            t.tape.cut = depends && !detach;
        }
        Ok(())
    }

    /// `low < n < high`, or the same with `<=`.
    fn is_between(&mut self, n: &Sym, [low, high]: [Sym; 2], op: CompareOp) -> Res<Sym> {
        let low = self.compare(op, &low, n)?;
        let high = self.compare(op, n, &high)?;
        self.binary(BinaryOp::And, &low, &high)
    }
}

impl TorchOps for Executor<'_> {
    fn assign(&mut self, target: &Obj, value: &Obj) -> Res<()> {
        self.write_in_place(*target, *value)
    }

    fn check_overlap(&mut self, target: &Obj, read: &[Obj]) -> Res<()> {
        read.iter()
            .try_for_each(|&read| self.no_part_overlaps(*target, read))
    }

    fn check_apart(&mut self, target: &Obj, read: &[Obj]) -> Res<()> {
        for &other in read {
            let one = self.owner(*target)? == self.owner(other)?;
            if one && !self.is_apart(*target, other)? {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "what is written by indices may share memory with what is read",
                );
            }
        }
        Ok(())
    }

    fn windows(&mut self, x: &Obj, (dim, n): (usize, i64), size: i64, step: i64) -> Res<Obj> {
        let made = self.windows_taken(x, (dim, n), size, step)?;
        let base = self.owner(*x)?;
        let version = self.tensor(base)?.version;
        let inference = self.tensor(*x)?.inference;
        let noted = self.state.mode.grad_enabled;
        let seen = self.tensor_mut(made)?;
        seen.inference = inference;
        seen.view = Some(View {
            base,
            version,
            map: ViewMap::Prim(*x, Rc::new(Prim::Windows { dim, size, step })),
            one_of_several: None,
            noted,
        });
        Ok(made)
    }

    fn one_of_several(&mut self, t: &Obj, index: usize) -> Res<()> {
        if let Some(view) = &mut self.tensor_mut(*t)?.view {
            view.one_of_several = Some(index);
        }
        Ok(())
    }

    fn has_history(&self, t: &Obj) -> Res<bool> {
        let t = self.tensor(*t)?;
        let lives = t.requires_grad && !t.leaf && !t.is_spent() && t.view.is_none();
        Ok(lives && self.state.mode.grad_enabled)
    }

    fn data(&mut self, t: &Obj) -> Res<Obj> {
        let data = self.detach(t)?;
        self.tensor_mut(data)?.unversioned = true;
        Ok(data)
    }

    fn constant(&mut self, data: &[Scalar], shape: &[i64], dtype: DType) -> Res<Obj> {
        let dims: Dims = shape.iter().map(|&n| Dim::Known(n)).collect();
        let ty = tensor_type(dtype, &dims);
        let mut bytes = Vec::new();
        for s in data {
            match dtype {
                #[allow(
                    clippy::cast_possible_truncation,
                    reason = "the conversion that torch does"
                )]
                DType::F32 => bytes.extend((s.to_f64() as f32).to_ne_bytes()),
                DType::F64 => bytes.extend(s.to_f64().to_ne_bytes()),
                DType::I64 => bytes.extend(s.to_i64().to_ne_bytes()),
                #[allow(
                    clippy::cast_possible_truncation,
                    reason = "the conversion that torch does"
                )]
                DType::I32 => bytes.extend((s.to_i64() as i32).to_ne_bytes()),
                #[allow(
                    clippy::cast_possible_truncation,
                    reason = "the conversion that torch does"
                )]
                DType::I16 => bytes.extend((s.to_i64() as i16).to_ne_bytes()),
                #[allow(
                    clippy::cast_possible_truncation,
                    reason = "the conversion that torch does"
                )]
                DType::I8 => bytes.extend((s.to_i64() as i8).to_ne_bytes()),
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "as torch"
                )]
                DType::U8 => bytes.push(s.to_i64() as u8),
                DType::Bool => bytes.push(u8::from(s.to_bool())),
                DType::C64 | DType::C128 | DType::U16 | DType::U32 | DType::U64 => {
                    return self.refuse(ReasonId::RareDtype, RARE_DTYPE);
                }
                DType::F16 | DType::BF16 => {
                    return self.refuse(ReasonId::ReducedFloat, "a constant of 16 bits");
                }
            }
        }
        let value = self.emit1(
            "janus.constant",
            &[],
            &[(
                "value",
                Attr::Dense {
                    ty: ty.clone(),
                    bytes,
                },
            )],
            ty,
        )?;
        Ok(self.new_tensor(value, dtype, dims))
    }

    fn device(&self, t: &Obj) -> Device {
        self.device_of(*t)
    }

    fn set_device(&mut self, device: Device) -> Device {
        std::mem::replace(&mut self.state.mode.device, device)
    }

    fn to_device(&mut self, t: &Obj, device: Device) -> Res<Obj> {
        if self.device_of(*t) == device {
            return Ok(*t);
        }
        let copy = self.copy(t)?;
        let made = self.tensor_mut(copy)?;
        made.device = device;
        made.tape.grad_name = GradName::Of("ToCopyBackward0".into());
        Ok(copy)
    }

    fn default_dtype(&self) -> DType {
        janus_torch::default_dtype()
    }

    fn requires_grad(&self, t: &Obj) -> bool {
        self.tensor(*t).is_ok_and(|t| t.requires_grad)
            || self.is_unrecorded_leaf(*t).is_ok_and(|is| is)
    }

    fn certain_grad(&self, t: &Obj) -> Res<()> {
        if self.tensor(*t)?.some_grad {
            return self.undecided("a branch decided whether a tensor requires grad");
        }
        Ok(())
    }

    fn set_requires_grad(&mut self, t: &Obj, on: bool) -> Res<()> {
        let have = self.tensor(*t)?.requires_grad;
        if have == on {
            return Ok(());
        }
        if self.state.heap[*t].origin.is_some() {
            self.keep_requires_grad(*t, on)?;
        } else if !self.is_own(*t) {
            return self.refuse(
                ReasonId::GradMode,
                "requires_grad of what a branch or loop decided on, or an object holds",
            );
        }
        if on && !self.tensor(*t)?.dtype.is_float() {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a tensor of this dtype cannot require grad",
            );
        }
        if on && self.tensor(*t)?.inference && !self.state.mode.inference {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: requires_grad of an inference tensor is set",
            );
        }
        // No gradient of what was computed from it before is its own, nor of what is computed after.
        let value = self.current(*t)?;
        let value = self.cut_off(value)?;
        let obj = *t;
        let t = self.tensor_mut(obj)?;
        if !on && !t.leaf {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: requires_grad of a non-leaf is switched off",
            );
        }
        t.value = value;
        t.tape.cut = false;
        t.requires_grad = on;
        t.leaf = on;
        t.tape.leaves = if on {
            Rc::new([Leaf::new(obj, value)])
        } else {
            Rc::new([])
        };
        Ok(())
    }

    fn detach_in_place(&mut self, t: &Obj) -> Res<()> {
        self.certain_grad(t)?;
        if self.tensor(*t)?.requires_grad {
            // What was computed from it may have kept it, and then has no gradient any more.
            return self.refuse(
                ReasonId::NoGraphForm,
                "detach_() of a tensor that requires grad has no graph form yet",
            );
        }
        // Whether one from outside is a view is not guarded, and decides whether it raises.
        if self.tensor(*t)?.view.is_some() || self.state.heap[*t].origin.is_some() {
            return self.refuse(
                ReasonId::NoGraphForm,
                "detach_() of a view has no graph form yet",
            );
        }
        Ok(())
    }

    fn is_grad_enabled(&self) -> bool {
        self.state.mode.grad_enabled
    }

    fn set_grad_enabled(&mut self, on: bool) -> Res<()> {
        self.state.mode.grad_enabled = on;
        Ok(())
    }

    fn grad(&mut self, t: &Obj) -> Res<Option<Obj>> {
        let grad = self.grad_of(*t)?;
        self.tensor_mut(*t)?.grad_read = true;
        Ok(grad)
    }

    fn set_grad(&mut self, t: &Obj, grad: Option<&Obj>) -> Res<()> {
        // Elsewhere what it was may have to be merged with this.
        if self.emission.context != 0 {
            self.expect_no_grad(*t)?;
        }
        let t = self.tensor_mut(*t)?;
        t.grad = grad.map_or(Slot::Empty, |&g| Slot::Loaded(Sym::Obj(g)));
        (t.grad_written, t.grad_read) = (true, false);
        Ok(())
    }

    fn backward(
        &mut self,
        t: &Obj,
        gradient: Option<&Obj>,
        retain_graph: bool,
        create_graph: bool,
    ) -> Res<()> {
        if create_graph {
            return self.refuse(
                ReasonId::GradientForm,
                "backward(create_graph=True) has no graph form yet",
            );
        }
        let (leaves, gradients) = self.differentiate(*t, gradient.copied(), None, retain_graph)?;
        let enabled = std::mem::replace(&mut self.state.mode.grad_enabled, false);
        let done = self.accumulate(&leaves, &gradients);
        self.state.mode.grad_enabled = enabled;
        done
    }

    fn random(
        &mut self,
        draw: &Draw,
        shape: &[Dim],
        dtype: DType,
        generator: Option<&Value>,
    ) -> Res<Obj> {
        self.draw(draw, shape, dtype, generator)
    }

    fn random_from(
        &mut self,
        draw: DrawFrom,
        parameters: &Obj,
        generator: Option<&Value>,
    ) -> Res<Obj> {
        self.draw_from(draw, *parameters, generator)
    }

    fn element(&mut self, s: &Number, n: Dim) -> Res<Option<Dim>> {
        match s {
            Number::Run(s) if s.ty == ScalarType::Int => self.element_index(*s, n).map(Some),
            _ => Ok(None),
        }
    }

    fn constant_part(&mut self, start: Dim, stop: Dim, n: Dim) -> Res<Option<(Dim, Dim)>> {
        self.part_of_constant_length(start, stop, n)
    }

    fn element_at(&mut self, i: Dim, n: Dim) -> Res<Dim> {
        match (i.known(), n.known()) {
            (Some(i), Some(_)) if i >= 0 => Ok(Dim::Known(i)),
            (Some(i), Some(n)) => Ok(Dim::Known(i + n)),
            _ => {
                let index = self.dim_number(i)?;
                self.element_index(index, n)
            }
        }
    }

    fn expect_least(&mut self, n: Dim, least: i64) -> Res<()> {
        self.assume_least(n, least)
    }

    fn slice_bound(&mut self, d: Dim, n: Dim) -> Res<Dim> {
        let key = self.key("bound");
        if self.region.relaxations.both_sides.contains(&key) {
            return self.bound_of_any_sign(d, n);
        }
        let first = self.emission.assertions.len();
        let bound = if self.hint(d).is_some_and(|now| now < 0) {
            self.bound_from_end(d, n)?
        } else {
            let d = self.span_of(d)?;
            self.dim_binary(DimOp::Min, d, n)?
        };
        for assertion in self.emission.assertions.iter_mut().skip(first) {
            assertion.key = key.clone();
        }
        self.relaxed_at_first_miss(first);
        Ok(bound)
    }

    fn nonzero(&mut self, t: &Obj) -> Res<Vec<Obj>> {
        let key = (self.emission.context, self.current(*t)?);
        if let Some((count, columns)) = self.extents.places.get(&key).cloned() {
            let column =
                |id: &ValueId| self.new_tensor(*id, DType::I64, Dims::from_slice(&[count]));
            return Ok(columns.iter().map(column).collect());
        }
        let columns = janus_torch::functions::places::nonzero(self, t)?;
        if let Some(first) = columns.first() {
            let count = self.dims_of(*first)?.first().copied();
            let ids: Res<Rc<[ValueId]>> = columns.iter().map(|&c| self.current(c)).collect();
            if let Some(count) = count {
                self.extents.places.insert(key, (count, ids?));
            }
        }
        Ok(columns)
    }

    fn index_out_of_range(&mut self, index: &Obj, n: i64) -> Res<Option<i64>> {
        self.assert_indices(*index, Dim::Known(n))?;
        Ok(None)
    }

    fn values_outside(&mut self, t: &Obj, low: f64, high: f64) -> Res<bool> {
        let all: Vec<usize> = (0..self.dims_of(*t)?.len()).collect();
        for (op, test, bound) in [
            (ReduceOp::Min, CompareOp::Ge, low),
            (ReduceOp::Max, CompareOp::Le, high),
        ] {
            // A NaN is found by the other one.
            if bound == f64::INFINITY {
                continue;
            }
            let extreme = if all.is_empty() {
                *t
            } else {
                self.reduce(op, t, &all)?
            };
            let bound = Sym::Known(Value::float(bound));
            if let Number::Run(extreme) = self.item(&extreme)? {
                let (extreme, reason) = (Sym::Scalar(extreme), DeoptReason::ArithmeticError);
                let expected = ("values", "the values lie where the function is defined");
                self.assert_compare(test, &extreme, &bound, reason, expected)?;
            }
        }
        Ok(false)
    }

    fn holds(&mut self, condition: &Number) -> Res<bool> {
        let condition = match condition {
            Number::Known(known) => return Ok(known.to_bool()),
            Number::Run(run) => Sym::Scalar(*run),
        };
        let no = Sym::Known(Value::bool(false));
        let expected = (
            "values",
            "the values are ones that the function is defined for",
        );
        let reason = DeoptReason::ArithmeticError;
        self.assert_compare(CompareOp::Eq, &condition, &no, reason, expected)?;
        Ok(false)
    }

    fn warn(&mut self, message: &str) -> Res<()> {
        match self.warns_in_vain(message) {
            true => Ok(()),
            false => Err(no_graph_form("a call that warns").into()),
        }
    }

    fn refuse_zero(&mut self, divisor: &Number) -> Res<()> {
        let Number::Run(divisor) = divisor else {
            return Ok(());
        };
        let (divisor, zero) = (Sym::Scalar(*divisor), Sym::Known(Value::Int(0)));
        let expected = ("divisor", "the divisor is not 0");
        self.assert_compare(
            CompareOp::Ne,
            &divisor,
            &zero,
            DeoptReason::ArithmeticError,
            expected,
        )
    }

    fn refuse_unfit(&mut self, number: &Number, dtype: DType) -> Res<()> {
        let Number::Run(number) = number else {
            return Ok(());
        };
        let float = |v: f64| Sym::Known(Value::float(v));
        let n = Sym::Scalar(*number);
        let (ok, wanted) = match (dtype.int_range(), number.ty) {
            (_, ScalarType::Bool) => return Ok(()),
            (Some(_), ScalarType::Int) if dtype == DType::I64 => return Ok(()),
            (None, _) if dtype != DType::F32 || number.ty == ScalarType::Int => return Ok(()),
            // Infinities and NaN are floats.
            (None, _) => {
                let most = f64::from(f32::MAX);
                let (over, under) = ([most, f64::INFINITY], [f64::NEG_INFINITY, -most]);
                let over = self.is_between(&n, over.map(float), CompareOp::Lt)?;
                let under = self.is_between(&n, under.map(float), CompareOp::Lt)?;
                (self.binary(BinaryOp::Or, &over, &under)?, false)
            }
            (Some((low, high)), ScalarType::Float) => {
                let ends = [float(low as f64), float(high as f64)];
                (self.is_between(&n, ends, CompareOp::Le)?, true)
            }
            (Some((low, high)), ScalarType::Int) => {
                let low = if dtype == DType::U8 { -high } else { low };
                let ends = [low, high]
                    .map(|n| Sym::Known(Value::Int(i64::try_from(n).unwrap_or(i64::MAX))));
                (self.is_between(&n, ends, CompareOp::Le)?, true)
            }
        };
        let wanted = Sym::Known(Value::bool(wanted));
        let expected = ("number", "the number fits into the dtype");
        let reason = DeoptReason::ArithmeticError;
        self.assert_compare(CompareOp::Eq, &ok, &wanted, reason, expected)
    }

    fn refuse_zeros(&mut self, divisors: &Obj) -> Res<()> {
        let dims = self.dims_of(*divisors)?;
        let dtype = self.tensor(*divisors)?.dtype;
        let zero = self.full(&Number::Known(Scalar::I64(0)), dtype, &dims)?;
        let others = self.apply(Prim::Compare(Predicate::Ne), &[divisors, &zero])?;
        let others = self.cast(&others, DType::I64)?;
        let all: Vec<usize> = (0..dims.len()).collect();
        let every = if all.is_empty() {
            others
        } else {
            self.reduce(ReduceOp::Min, &others, &all)?
        };
        let every = self.item(&every)?;
        self.refuse_zero(&every)
    }

    fn not_negative(&mut self, n: Dim) -> Res<Dim> {
        match n.known() {
            Some(_) => Ok(n),
            None => self.span_of(n),
        }
    }

    fn within(&mut self, start: Dim, length: Dim, n: Dim) -> Res<Dim> {
        if start.known().is_some() && length.known().is_some() && n.known().is_some() {
            return Ok(start);
        }
        self.span(start, length, n)
    }

    fn is_leaf(&self, t: &Obj) -> bool {
        self.tensor(*t).is_ok_and(|t| t.leaf || !t.requires_grad)
    }

    fn copy(&mut self, t: &Obj) -> Res<Obj> {
        let dims = self.dims_of(*t)?;
        let mut value = self.differentiable_operand(*t, &dims)?;
        let (dtype, requires_grad) = (self.tensor(*t)?.dtype, self.tensor(*t)?.requires_grad);
        if requires_grad && self.state.mode.grad_enabled {
            // It has a place of its own on the tape: what goes back through it is added up when that is come to.
            let ty = self.emission.builder.type_of(value);
            value = self.emit1("janus.cast", &[value], &[], ty)?;
        }
        let obj = self.new_tensor(value, dtype, dims);
        self.tensor_mut(obj)?.device = self.device_of(*t);
        self.track(obj, &[*t], false)?;
        let prim = Prim::Cast(dtype);
        let name = janus_tensor::autograd::default_name(&prim);
        self.tensor_mut(obj)?.tape.grad_name = GradName::Of(name.into());
        if self.tensor(obj)?.requires_grad {
            self.keep(&prim, &[*t], obj)?;
        }
        Ok(obj)
    }

    fn contiguous(&mut self, t: &Obj) -> Res<Obj> {
        if self.is_dense(*t)? {
            Ok(*t)
        } else {
            self.copy(t)
        }
    }

    fn is_contiguous(&mut self, t: &Obj) -> Res<bool> {
        // Without elements it does not matter how they lie.
        Ok(self.dims_of(*t)?.contains(&Dim::Known(0)) || self.is_dense(*t)?)
    }

    fn view(&mut self, t: &Obj, shape: &[Dim]) -> Res<Obj> {
        if !self.is_viewable(*t, shape)? {
            self.agree(*t, shape)?;
        }
        if !self.is_viewable(*t, shape)? {
            return self.undecided("a view of a tensor whose elements may not lie in its order");
        }
        self.reshape(t, shape)
    }

    fn shown_diagonal(
        &mut self,
        x: &Obj,
        taken: &Obj,
        _steps: [Prim; 3],
        _along: (usize, usize, i64),
    ) -> Res<Obj> {
        let mut at = *taken;
        while at != *x {
            let Some(view) = self.tensor(at)?.view.clone() else {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "a diagonal of a tensor whose elements do not lie in its order",
                );
            };
            let parent = view.parent();
            if matches!(&view.map, ViewMap::Prim(_, prim) if matches!(**prim, Prim::Reshape { .. }))
            {
                let dims = self.dims_of(at)?;
                if !self.reshapes_in_place(parent, &dims)? {
                    let unknown = "a diagonal of a tensor whose elements do not lie in its order";
                    return self.refuse(ReasonId::SharedMemory, unknown);
                }
            }
            at = parent;
        }
        Ok(*taken)
    }

    fn overwriting<R>(
        &mut self,
        target: &Obj,
        read: &[Obj],
        compute: impl FnOnce(&mut Self) -> Res<R>,
    ) -> Res<R> {
        for &other in read {
            if self.may_overlap(*target, other)? {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "what is written may overlap with what is read",
                );
            }
        }
        let owner = self.owner(*target)?;
        let mut shared = false;
        for &other in read {
            shared |= self.owner(other)? == owner;
        }
        // As eagerly: what another operand shows of the same memory is not copied.
        let outer = std::mem::replace(&mut self.layout.changing, (!shared).then_some(owner));
        let done = compute(self);
        self.layout.changing = outer;
        done
    }

    fn memory_order(&mut self, t: &Obj) -> Res<Option<Axes>> {
        self.order_in_memory(*t)
    }

    fn iteration_order(&mut self, operands: &[Obj]) -> Res<Option<Axes>> {
        self.order_of_results(operands)
    }

    fn laid_out(&mut self, t: &Obj, dims: &[usize]) -> Res<Obj> {
        let seen = self.permute(t, dims)?;
        self.copy_label(&seen, t);
        if let Some(view) = &mut self.tensor_mut(seen)?.view {
            view.noted = true;
        }
        Ok(seen)
    }

    fn copy_label(&mut self, t: &Obj, of: &Obj) {
        let Ok(name) = self.tensor(*of).map(|of| of.tape.grad_name.clone()) else {
            return;
        };
        if let Ok(t) = self.tensor_mut(*t) {
            t.tape.grad_name = name;
        }
    }
}
