//! The primitives and extents that torch functions are written over.
//!
//! In: [`Ops`] calls. Out: ops of the dialect. Always: equal computations of extents are equal
//! symbols; what is assumed of an extent is asserted.

use std::rc::Rc;

use janus_bytecode::{BinaryOp as PyBinary, CompareOp};
use janus_dialect::{Attr, Type, ValueId};
use janus_plan::{DeoptReason, ReasonId, ScalarType};
use janus_tensor::autograd::gradients::definition;
use janus_tensor::autograd::keeps_result;
use janus_tensor::ops::{BinaryOp, DimOp, Dims, Prim};
use janus_tensor::{DType, Dim, Ops, Scalar, ScalarKind, TensorError};

use crate::emit::ops::RARE_DTYPE;
use crate::executor::Executor;
use crate::state::dims::{BOUND_DEPTH, Same, Source};
use crate::state::sym::{GradName, Keeping, Obj, Sym, SymScalar, View, ViewMap};
use crate::state::types::tensor_type;
use crate::tensors::tensor::Number;
use crate::{Res, Stop};

impl Executor<'_> {
    /// An int as an extent.
    pub(crate) fn number_dim(&mut self, n: &Sym) -> Res<Dim> {
        match n {
            Sym::Known(v) if v.as_int().is_some() => Ok(Dim::Known(v.as_int().unwrap_or(0))),
            Sym::Scalar(s) => self.scalar_dim(&Number::Run(*s)),
            _ => self.defect("a length that is no number"),
        }
    }

    /// Whether an extent comes from the elements of a tensor, by a number that the script read.
    fn is_read(&self, d: Dim) -> bool {
        let mut pending = vec![d];
        let mut left = 100;
        while let Some(d) = pending.pop() {
            let Dim::Sym(s) = self.resolve(d) else {
                continue;
            };
            left -= 1;
            let info = &self.extents.dims[s as usize];
            match info.source {
                _ if left == 0 => return true,
                Source::Op(_, a, b) => pending.extend([a, b]),
                Source::Graph | Source::Extent if self.emission.builder.is_read(info.id) => {
                    return true;
                }
                Source::Graph
                | Source::Extent
                | Source::Entry(..)
                | Source::Int(_)
                | Source::Computed(_) => {}
            }
        }
        false
    }
}

/// Between what an extent lies, whatever it is; `None`: that is not known.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bounds {
    pub least: Option<i64>,
    most: Option<i64>,
}

impl Bounds {
    fn both(f: impl Fn(i64, i64) -> Option<i64>, a: Option<i64>, b: Option<i64>) -> Option<i64> {
        f(a?, b?)
    }

    fn either(f: impl Fn(i64, i64) -> i64, a: Option<i64>, b: Option<i64>) -> Option<i64> {
        match (a, b) {
            (Some(a), Some(b)) => Some(f(a, b)),
            (a, b) => a.or(b),
        }
    }
}

impl Executor<'_> {
    /// Between what an extent lies, by asserts and by what it was computed from.
    pub(crate) fn bounds(&self, d: Dim, depth: u32) -> Bounds {
        let mut bounds = self.bounds_by_source(d, depth);
        if let Dim::Sym(s) = self.resolve(d)
            && let Some(info) = self.extents.dims.get(s as usize)
        {
            bounds.least = Bounds::either(i64::max, bounds.least, info.asserted);
        }
        bounds
    }

    fn bounds_by_source(&self, d: Dim, depth: u32) -> Bounds {
        let source = match self.resolve(d) {
            Dim::Known(n) => {
                return Bounds {
                    least: Some(n),
                    most: Some(n),
                };
            }
            Dim::Sym(s) => match self.extents.dims.get(s as usize) {
                Some(info) if info.is_length => {
                    return Bounds {
                        least: Some(0),
                        most: None,
                    };
                }
                info => info.map(|info| info.source),
            },
        };
        let (op, x, y) = match source {
            Some(source @ (Source::Entry(..) | Source::Extent)) => {
                let is_entry = matches!(source, Source::Entry(..));
                return Bounds {
                    least: Some(i64::from(is_entry)),
                    most: None,
                };
            }
            Some(Source::Op(op, x, y)) if depth > 0 => (op, x, y),
            _ => return Bounds::default(),
        };
        let (a, b) = (self.bounds(x, depth - 1), self.bounds(y, depth - 1));
        if op == DimOp::Sub
            && a.least.is_some_and(|least| least >= 0)
            && let Some(last) = self.is_start_of_last(y, x)
        {
            return Bounds {
                least: Some(0),
                most: Some(last),
            };
        }
        let (least, most) = match op {
            DimOp::Add => (
                Bounds::both(i64::checked_add, a.least, b.least),
                Bounds::both(i64::checked_add, a.most, b.most),
            ),
            DimOp::Sub => (
                Bounds::both(i64::checked_sub, a.least, b.most),
                Bounds::both(i64::checked_sub, a.most, b.least),
            ),
            DimOp::Min => (
                Bounds::both(|x, y| Some(x.min(y)), a.least, b.least),
                Bounds::either(i64::min, a.most, b.most),
            ),
            DimOp::Max => (
                Bounds::either(i64::max, a.least, b.least),
                Bounds::both(|x, y| Some(x.max(y)), a.most, b.most),
            ),
            DimOp::Mul if a.least >= Some(0) && b.least >= Some(0) => (
                Bounds::both(i64::checked_mul, a.least, b.least),
                Bounds::both(i64::checked_mul, a.most, b.most),
            ),
            _ => (None, None),
        };
        Bounds { least, most }
    }

    /// Whether an extent is the greatest of several, of which `one` is one.
    fn is_greatest_of(&self, d: Dim, one: Dim) -> bool {
        let mut pending = vec![d];
        let mut left = 64;
        while let Some(d) = pending.pop() {
            left -= 1;
            match self.resolve(d) {
                d if d == one => return true,
                Dim::Sym(s) if left > 0 => {
                    if let Source::Op(DimOp::Max, x, y) = self.extents.dims[s as usize].source {
                        pending.extend([x, y]);
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// By how much more than `of` an extent was made.
    fn beyond(&self, d: Dim, of: Dim) -> Option<i64> {
        let Dim::Sym(s) = self.resolve(d) else {
            return None;
        };
        match self.extents.dims.get(s as usize)?.source {
            Source::Op(DimOp::Add, x, Dim::Known(n)) if self.resolve(x) == of => Some(n),
            Source::Op(DimOp::Sub, x, Dim::Known(n)) if self.resolve(x) == of => n.checked_neg(),
            _ => None,
        }
    }

    /// Whether `start` is where the last elements of `n` begin, `max(n - k, 0)`: how many, `k`.
    fn is_start_of_last(&self, start: Dim, n: Dim) -> Option<i64> {
        let of = |d: Dim| match self.resolve(d) {
            Dim::Sym(s) => match self.extents.dims.get(s as usize)?.source {
                Source::Op(op, x, y) => Some((op, self.resolve(x), self.resolve(y))),
                _ => None,
            },
            Dim::Known(_) => None,
        };
        let (DimOp::Max, from, Dim::Known(0)) = of(start)? else {
            return None;
        };
        match of(from)? {
            (DimOp::Add, all, Dim::Known(k)) if all == self.resolve(n) && k < 0 => k.checked_neg(),
            (DimOp::Sub, all, Dim::Known(k)) if all == self.resolve(n) && k > 0 => Some(k),
            _ => None,
        }
    }

    /// The greater or the smaller of two ints.
    fn outer_number(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Res<Number> {
        let mut ints = Vec::with_capacity(2);
        for n in [a, b] {
            match self.number(&Self::number_sym(n.clone()))? {
                Some(n) if n.ty == ScalarType::Int => ints.push(n.id),
                _ => {
                    return self.refuse(
                        ReasonId::MovingValue,
                        format!("{} on numbers that move", op.name()),
                    );
                }
            }
        }
        let name = match op {
            BinaryOp::Maximum => "arith.maxsi",
            _ => "arith.minsi",
        };
        let id = self.emit1(name, &ints, &[], Type::I64)?;
        let ty = ScalarType::Int;
        Ok(Number::Run(SymScalar { id, ty }))
    }
}

impl Ops for Executor<'_> {
    type T = Obj;
    type S = Number;
    type Error = Stop;

    fn dtype(&self, t: &Obj) -> DType {
        self.tensor(*t).map_or(DType::F32, |t| t.dtype)
    }

    fn shape(&self, t: &Obj) -> Dims {
        self.dims_of(*t).unwrap_or_default()
    }

    fn reshape(&mut self, x: &Obj, shape: &[Dim]) -> Res<Obj> {
        let prim = Prim::Reshape {
            shape: shape.into(),
        };
        let is_copy = self.is_surely_copied(*x, &prim)?;
        let made = self.apply(prim, &[x])?;
        if is_copy && made != *x {
            self.tensor_mut(made)?.view = None;
        }
        Ok(made)
    }

    fn apply(&mut self, prim: Prim, operands: &[&Obj]) -> Res<Obj> {
        let operands: Vec<Obj> = operands.iter().map(|&&o| o).collect();
        if let (
            Prim::Gather { dim }
            | Prim::ScatterAdd { dim }
            | Prim::Take { dim }
            | Prim::TakeAdd { dim },
            [x, i, ..],
        ) = (&prim, operands.as_slice())
        {
            let dims = self.dims_of(*x)?;
            if let Some(&extent) = dims.get(*dim) {
                self.assert_indices(*i, extent)?;
            }
        }
        let (value, dtype, dims) = self.emit_prim(&prim, &operands)?;
        self.refuse_negative(&dims)?;
        if dtype == DType::I64 && dims.is_empty() {
            let of = operands.iter().map(|&o| self.current(o));
            let of = of.collect::<Res<Vec<ValueId>>>()?;
            self.note_shift(&prim, &of, value);
        }
        let obj = self.new_tensor(value, dtype, dims);
        let devices = operands.iter().map(|&o| self.device_of(o));
        if let Some(device) = janus_tensor::device::of_operands(devices) {
            self.tensor_mut(obj)?.device = device;
        }
        let detach = matches!(prim, Prim::Detach);
        self.track(obj, &operands, detach)?;
        let has_gradient = matches!(definition(&prim), Ok(Some(_)));
        if self.tensor(obj)?.requires_grad && !has_gradient {
            // The tape ends here: `floor_divide`.
            let t = self.tensor_mut(obj)?;
            (t.requires_grad, t.some_grad, t.tape.cut) = (false, false, true);
            t.tape.leaves = Rc::new([]);
            t.tape.inputs = Rc::new([]);
        }
        if self.tensor(obj)?.requires_grad {
            let name = janus_tensor::autograd::default_name(&prim);
            self.tensor_mut(obj)?.tape.grad_name = GradName::Of(name.into());
            self.keep(&prim, &operands, obj)?;
        }
        if prim.is_view()
            && let [x] = operands.as_slice()
        {
            let base = self.owner(*x)?;
            let version = self.tensor(base)?.version;
            let map = if detach && base == *x {
                ViewMap::Same
            } else {
                ViewMap::Prim(*x, Rc::new(prim))
            };
            let inference = self.tensor(*x)?.inference;
            let noted = self.state.mode.grad_enabled;
            let seen = self.tensor_mut(obj)?;
            seen.view = Some(View {
                base,
                version,
                map,
                one_of_several: None,
                noted,
            });
            seen.inference = inference;
        }
        Ok(obj)
    }

    fn full(&mut self, value: &Number, dtype: DType, shape: &[Dim]) -> Res<Obj> {
        let shape: Dims = shape.iter().map(|&d| self.resolve(d)).collect();
        self.refuse_negative(&shape)?;
        let Some(scalar) = self.number(&Self::number_sym(value.clone()))? else {
            return self.refuse(
                ReasonId::NoGraphForm,
                "a tensor is filled with what is no number of the graph",
            );
        };
        let mut operands = vec![scalar.id];
        operands.extend(self.dynamic_sizes(&shape)?);
        let out = self.emit1("janus.full", &operands, &[], tensor_type(dtype, &shape))?;
        if let (Number::Known(Scalar::I64(n)), DType::I64, true) = (value, dtype, shape.is_empty())
        {
            self.ints.int_constants.insert(out, *n);
        }
        let value = out;
        Ok(self.new_tensor(value, dtype, shape))
    }

    fn splat(&mut self, value: &Number, dtype: DType, shape: &[Dim]) -> Res<Obj> {
        let t = self.full(value, dtype, shape)?;
        self.tensor_mut(t)?.tape.splat = true;
        Ok(t)
    }

    fn item(&mut self, t: &Obj) -> Res<Number> {
        let dims = self.dims_of(*t)?;
        let mut ones = Dims::new();
        for &d in &dims {
            if d.known() != Some(1) && !self.dims_equal(d, Dim::Known(1))? {
                return Err(TensorError::Runtime(
                    "a Tensor with more than one element cannot be converted to Scalar".to_owned(),
                )
                .into());
            }
            ones.push(Dim::Known(1));
        }
        let value = self.value_as(*t, &ones)?;
        let ty = match self.tensor(*t)?.dtype {
            dtype if dtype.is_complex() || dtype.is_stored_unsigned() => {
                return self.refuse(ReasonId::RareDtype, RARE_DTYPE);
            }
            dtype if dtype.is_float() => ScalarType::Float,
            DType::Bool => ScalarType::Bool,
            _ => ScalarType::Int,
        };
        let id = self.emit1(
            "janus.item",
            &[value],
            &[],
            crate::state::types::type_of(ty),
        )?;
        if ty == ScalarType::Int {
            let of = self.current(*t)?;
            self.note_item(id, of);
        }
        Ok(Number::Run(SymScalar { id, ty }))
    }

    fn scalar(&mut self, value: Scalar) -> Number {
        Number::Known(value)
    }

    fn label(&mut self, t: &Obj, name: &'static str) {
        let version = self
            .owner(*t)
            .and_then(|o| Ok((o, self.tensor(o)?.version)));
        if let Ok(t) = self.tensor_mut(*t)
            && !t.leaf
        {
            t.tape.grad_name = GradName::Of(name.into());
            if let (true, true, Ok(version)) = (t.requires_grad, keeps_result(name), version) {
                t.tape.kept = Keeping::Tensors;
                let mut saved = t.tape.saved.to_vec();
                saved.push(version);
                t.tape.saved = saved.into();
            }
        }
    }

    fn keep(&mut self, t: &Obj, kept: &Obj) {
        let content = self
            .owner(*kept)
            .and_then(|o| Ok((o, self.tensor(o)?.version)));
        if let (Ok(content), Ok(t)) = (content, self.tensor_mut(*t))
            && t.requires_grad
            && !t.leaf
        {
            t.tape.kept = Keeping::Tensors;
            let mut saved = t.tape.saved.to_vec();
            saved.push(content);
            t.tape.saved = saved.into();
        }
    }

    fn scalar_kind(&self, s: &Number) -> ScalarKind {
        match s {
            Number::Known(v) => v.kind(),
            Number::Run(s) => match s.ty {
                ScalarType::Float => ScalarKind::F64,
                ScalarType::Int => ScalarKind::I64,
                ScalarType::Bool => ScalarKind::Bool,
            },
        }
    }

    fn scalar_value(&self, s: &Number) -> Option<Scalar> {
        match s {
            Number::Known(v) => Some(*v),
            // A float of the entry state is what it is now, under a guard.
            Number::Run(s) => self.entry_numbers.floats.get(&s.id).map(|&(node, f)| {
                self.entry_numbers.wanted.borrow_mut().push((node, f));
                Scalar::F64(f)
            }),
        }
    }

    fn scalar_binary(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Res<Number> {
        if let (Number::Known(x), Number::Known(y)) = (a, b) {
            return Ok(Number::Known(Scalar::binary(op, *x, *y)?));
        }
        if let BinaryOp::Maximum | BinaryOp::Minimum = op {
            return self.outer_number(op, a, b);
        }
        let py = match op {
            BinaryOp::Add => PyBinary::Add,
            BinaryOp::Sub => PyBinary::Sub,
            BinaryOp::Mul => PyBinary::Mul,
            BinaryOp::Div => PyBinary::TrueDiv,
            BinaryOp::FloorDiv => PyBinary::FloorDiv,
            BinaryOp::Rem => PyBinary::Mod,
            BinaryOp::Pow => PyBinary::Pow,
            _ => {
                return self.refuse(
                    ReasonId::MovingValue,
                    format!("{} on numbers that move", op.name()),
                );
            }
        };
        let v = self.binary(
            py,
            &Self::number_sym(a.clone()),
            &Self::number_sym(b.clone()),
        )?;
        match v {
            Sym::Scalar(s) => Ok(Number::Run(s)),
            _ => self.defect("not a number"),
        }
    }

    fn dim_scalar(&mut self, d: Dim) -> Number {
        match self.resolve(d) {
            Dim::Known(n) => Number::Known(Scalar::I64(n)),
            Dim::Sym(s) => {
                let id = self.extents.dims[s as usize].id;
                match self.emit1("arith.index_cast", &[id], &[], Type::I64) {
                    Ok(id) => {
                        self.note_dim(id, d);
                        Number::Run(SymScalar {
                            id,
                            ty: ScalarType::Int,
                        })
                    }
                    // The operation budget: the next op reports it.
                    Err(_) => Number::Run(SymScalar {
                        id,
                        ty: ScalarType::Int,
                    }),
                }
            }
        }
    }

    fn scalar_dim(&mut self, s: &Number) -> Res<Dim> {
        match s {
            Number::Known(v) => Ok(Dim::Known(v.to_i64())),
            Number::Run(s) if self.entry_numbers.scalar_dims.contains_key(&s.id) => {
                Ok(self.resolve(self.entry_numbers.scalar_dims[&s.id]))
            }
            Number::Run(s) if s.ty != ScalarType::Float => {
                if let Some(dim) = self.dim_of_number(s.id) {
                    return Ok(self.resolve(dim));
                }
                let int = self.convert_scalar(*s, ScalarType::Int)?;
                let id = self.emit1("arith.index_cast", &[int], &[], Type::Index)?;
                let host = self.entry_int_node(*s);
                let dim = self.new_dim(id, host.map(|(_, now)| now));
                if let Dim::Sym(dim) = dim {
                    self.ints.dim_scalars.insert(dim, s.id);
                }
                if let (Some((node, _)), Some(info)) = (host, self.extents.dims.last_mut()) {
                    info.source = Source::Int(node);
                } else if let Some((told, _)) = self.entry_numbers.extents.get(&s.id).cloned() {
                    self.note_computed(told);
                }
                self.extents
                    .number_dims
                    .insert(s.id, (dim, self.emission.context));
                Ok(dim)
            }
            Number::Run(_) => self.refuse(ReasonId::MovingValue, "a float where an int is needed"),
        }
    }

    fn dim_binary(&mut self, op: DimOp, a: Dim, b: Dim) -> Res<Dim> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if let (Dim::Known(x), Dim::Known(y)) = (a, b) {
            return match op.eval(x, y) {
                Some(n) => Ok(Dim::Known(n)),
                None => self.refuse(ReasonId::NoGraphForm, "an extent that overflows"),
            };
        }
        match (op, a, b) {
            (DimOp::Add, Dim::Known(0), d) | (DimOp::Add | DimOp::Sub, d, Dim::Known(0)) => {
                return Ok(d);
            }
            (DimOp::Mul, Dim::Known(1), d) | (DimOp::Mul | DimOp::Div, d, Dim::Known(1)) => {
                return Ok(d);
            }
            (DimOp::Mul, Dim::Known(0), _) | (DimOp::Mul, _, Dim::Known(0)) => {
                return Ok(Dim::Known(0));
            }
            (DimOp::Div, x, y) if x == y => return Ok(Dim::Known(1)),
            (DimOp::Sub, x, y) if x == y => return Ok(Dim::Known(0)),
            (DimOp::Min | DimOp::Max, x, y) if x == y => return Ok(x),
            (DimOp::Min, x, y) if self.is_greatest_of(y, x) => return Ok(x),
            (DimOp::Min, x, y) if self.is_greatest_of(x, y) => return Ok(y),
            (DimOp::Min | DimOp::Max, d, Dim::Known(n))
            | (DimOp::Min | DimOp::Max, Dim::Known(n), d) => {
                let bounds = self.bounds(d, BOUND_DEPTH);
                let most = bounds.most.is_some_and(|most| most <= n);
                let least = bounds.least.is_some_and(|least| least >= n);
                let (inside, outside) = match op {
                    DimOp::Min => (most, least),
                    _ => (least, most),
                };
                if inside || outside {
                    return Ok(if inside { d } else { Dim::Known(n) });
                }
            }
            // (d + x) + y
            (DimOp::Add | DimOp::Sub, Dim::Sym(s), Dim::Known(y))
                if let Source::Op(inner @ (DimOp::Add | DimOp::Sub), d, Dim::Known(x)) =
                    self.extents.dims[s as usize].source
                    && let Some(more) = signed(inner, x).checked_add(signed(op, y)) =>
            {
                return self.dim_binary(DimOp::Add, d, Dim::Known(more));
            }
            (DimOp::Sub, x, y) => {
                if let Some(n) = self.beyond(y, x).and_then(i64::checked_neg) {
                    return Ok(Dim::Known(n));
                }
            }
            _ => {}
        }
        // `(n * k) / k` is n, whatever n is.
        if op == DimOp::Div {
            let product = self
                .extents
                .dim_results
                .iter()
                .find_map(|(&(o, x, y), &r)| {
                    (o == DimOp::Mul && r == a && (x == b || y == b)).then_some(if x == b {
                        y
                    } else {
                        x
                    })
                });
            if let Some(d) = product {
                return Ok(d);
            }
        }
        if let Some(&d) = self.extents.dim_results.get(&(op, a, b)) {
            return Ok(d);
        }
        let (x, y) = (self.dim_value(a)?, self.dim_value(b)?);
        let name = match op {
            DimOp::Add => "arith.addi",
            DimOp::Sub => "arith.subi",
            DimOp::Mul => "arith.muli",
            DimOp::Div => "arith.divui",
            DimOp::Rem => "arith.remui",
            DimOp::Min => "arith.minsi",
            DimOp::Max => "arith.maxsi",
        };
        let y = if matches!(op, DimOp::Div | DimOp::Rem) && b.known().is_none() {
            // A failed assert does not stop the graph: keep the division defined.
            let one = self.dim_value(Dim::Known(1))?;
            self.emit1("arith.maxui", &[y, one], &[], Type::Index)?
        } else {
            y
        };
        let id = self.emit1(name, &[x, y], &[], Type::Index)?;
        let hint = self
            .hint(a)
            .zip(self.hint(b))
            .and_then(|(x, y)| op.eval(x, y));
        let d = self.new_dim(id, hint);
        if let Some(info) = self.extents.dims.last_mut() {
            info.source = Source::Op(op, a, b);
        }
        if self.emission.context == 0 {
            self.extents.dim_results.insert((op, a, b), d);
        }
        Ok(d)
    }

    fn dims_equal(&mut self, a: Dim, b: Dim) -> Res<bool> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return Ok(true);
        }
        if let (Dim::Known(_), Dim::Known(_)) = (a, b) {
            return Ok(false);
        }
        if self.is_read(a) || self.is_read(b) {
            // Nothing says that they are equal, and what is computed with both would go on if they are not.
            return self.refuse(
                ReasonId::MovingValue,
                "an extent that moves with a tensor's elements has to equal another one",
            );
        }
        let equal = self.hint(a).zip(self.hint(b)).is_none_or(|(x, y)| x == y);
        let (x, y) = (self.dim_value(a)?, self.dim_value(b)?);
        let predicate = i64::from(!equal);
        let ok = self.emit1(
            "arith.cmpi",
            &[x, y],
            &[("predicate", Attr::I64(predicate))],
            Type::I1,
        )?;
        let compare = if equal { CompareOp::Eq } else { CompareOp::Ne };
        self.note_dims_compare(compare, a, b, ok);
        let key = self.key("extent");
        let expected = if equal {
            "two extents are equal"
        } else {
            "two extents differ"
        };
        self.assert(ok, DeoptReason::ShapeMismatch, key, expected.to_owned())?;
        if equal && self.emission.context == 0 {
            match (a, b) {
                (Dim::Sym(s), Dim::Known(n)) | (Dim::Known(n), Dim::Sym(s)) => {
                    self.extents.dims[s as usize].same_as = Some(Same::Known(n));
                }
                (Dim::Sym(s), Dim::Sym(t)) => {
                    self.extents.dims[s as usize].same_as = Some(Same::Sym(t))
                }
                _ => {}
            }
        }
        Ok(equal)
    }
}

/// What an operand of `+` or `-` adds.
fn signed(op: DimOp, n: i64) -> i64 {
    match op {
        DimOp::Sub => n.saturating_neg(),
        _ => n,
    }
}
