//! Tensors of the graph: the primitives, autograd flags, views and in-place writes.
//!
//! In: torch functions, written once over [`Ops`] and [`TorchOps`]. Out: ops of the dialect.
//! Always: a tensor object has a current value; objects that share memory share it; a value that
//! must not carry a gradient is cut off with `janus.detach` before a differentiable use.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use janus_bytecode::{BinaryOp as PyBinary, CompareOp};
use janus_dialect::{Attr, Type, ValueId};
use janus_object::{Class, Name, PySlice, Raised, Value};
use janus_tensor::ops::{BinaryOp, DimOp, Dims, Prim};
use janus_tensor::{DType, Dim, Ops, Scalar, ScalarKind, TensorError};
use janus_torch::{Arg, Draw, Ret, TorchOps};

use crate::exec::{Executor, Source};
use crate::heap::tensor_type;
use crate::plan::{DeoptReason, ScalarType};
use crate::sym::{
    GradName, Kind, Obj, Slot, Sym, SymInstance, SymScalar, SymTensor, View, ViewMap,
};
use crate::{Res, Stop};

/// `backward()` calls in one region at most: more come from a loop over training steps that would
/// be unrolled.
const MAX_BACKWARDS: u32 = 4;

/// A start that is an operand, in `static_starts`.
const DYNAMIC: i64 = i64::MIN;

/// A number in a torch function: known, or computed by the graph.
#[derive(Clone)]
pub(crate) enum Number {
    Known(Scalar),
    Run(SymScalar),
}

impl From<Raised> for Stop {
    fn from(raised: Raised) -> Self {
        let class = raised.0.class().display_name();
        Stop::Reason(format!("it would raise {class}"))
    }
}

impl Executor<'_> {
    pub(crate) fn is_tensor(&self, v: &Sym) -> bool {
        matches!(v, Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Tensor(_)))
    }

    pub(crate) fn tensor(&self, obj: Obj) -> Res<&SymTensor> {
        match &self.state.heap[obj].kind {
            Kind::Tensor(t) => Ok(t),
            _ => self.fail("not a tensor"),
        }
    }

    fn tensor_mut(&mut self, obj: Obj) -> Res<&mut SymTensor> {
        match &mut self.state.heap[obj].kind {
            Kind::Tensor(t) => Ok(t),
            _ => Err(Stop::Reason("not a tensor".to_owned())),
        }
    }

    // ---- extents -------------------------------------------------------------------------

    /// The symbol or number that stands for a class of equal extents.
    pub(crate) fn resolve(&self, mut d: Dim) -> Dim {
        while let Dim::Sym(s) = d {
            let info = &self.dims[s as usize];
            match info.same_as {
                Some(Same::Sym(next)) => d = Dim::Sym(next),
                Some(Same::Known(n)) => return Dim::Known(n),
                None => break,
            }
        }
        d
    }

    pub(crate) fn dims_of(&self, obj: Obj) -> Res<Dims> {
        Ok(self
            .tensor(obj)?
            .dims
            .iter()
            .map(|&d| self.resolve(d))
            .collect())
    }

    fn hint(&self, d: Dim) -> Option<i64> {
        match d {
            Dim::Known(n) => Some(n),
            Dim::Sym(s) => self.dims[s as usize].hint,
        }
    }

    /// An extent as an index value.
    pub(crate) fn dim_value(&mut self, d: Dim) -> Res<ValueId> {
        match self.resolve(d) {
            Dim::Sym(s) => Ok(self.dims[s as usize].id),
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
    fn value_as(&mut self, obj: Obj, dims: &[Dim]) -> Res<ValueId> {
        let value = self.current(obj)?;
        let ty = tensor_type(self.tensor(obj)?.dtype, dims);
        if self.builder.type_of(value) == ty {
            return Ok(value);
        }
        // Equal extents that the type does not know to be equal.
        let mut operands = vec![value];
        operands.extend(self.dynamic_sizes(dims)?);
        self.emit1("janus.reshape", &operands, &[], ty)
    }

    /// The current value of a tensor.
    pub(crate) fn current(&mut self, obj: Obj) -> Res<ValueId> {
        let t = self.tensor(obj)?;
        let Some(view) = t.view.clone() else {
            return Ok(t.value);
        };
        let version = self.tensor(view.base)?.version;
        if version == view.version {
            return Ok(t.value);
        }
        // The memory was written since: look again.
        let value = match &view.map {
            ViewMap::Same => self.current(view.base)?,
            ViewMap::Prim(parent, prim) => {
                let (parent, prim) = (*parent, prim.clone());
                if matches!(*prim, Prim::Reshape { .. }) && !self.dense_view(parent)? {
                    return self.fail(
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

    /// Whether a tensor is dense in memory for sure.
    fn dense_view(&self, obj: Obj) -> Res<bool> {
        let t = self.tensor(obj)?;
        match &t.view {
            None => Ok(true),
            Some(View {
                base,
                map: ViewMap::Same,
                ..
            }) => self.dense_view(*base),
            Some(View {
                map: ViewMap::Prim(parent, prim),
                ..
            }) => Ok(matches!(**prim, Prim::Reshape { .. } | Prim::Detach)
                && self.dense_view(*parent)?),
        }
    }

    fn owner(&self, obj: Obj) -> Res<Obj> {
        Ok(self.tensor(obj)?.view.as_ref().map_or(obj, |v| v.base))
    }

    fn tensor_class(&self) -> Rc<Class> {
        janus_torch::objects::classes().tensor.clone()
    }

    /// A new tensor object.
    pub(crate) fn new_tensor(&mut self, value: ValueId, dtype: DType, dims: Dims) -> Obj {
        let t = SymTensor {
            value,
            dtype,
            dims,
            class: self.tensor_class(),
            requires_grad: false,
            leaf: false,
            leaves: Rc::new([]),
            inputs: Rc::new([]),
            cut: false,
            consumed: false,
            grad_name: GradName::Of("".into()),
            grad: Slot::Empty,
            grad_written: false,
            written: false,
            view: None,
            ambiguous: false,
            one_of: None,
            version: 0,
        };
        match self.alloc(Kind::Tensor(t)) {
            Sym::Obj(o) => o,
            _ => 0,
        }
    }

    /// Emits a primitive over tensor objects: its value, dtype and extents.
    fn emit_prim(&mut self, prim: &Prim, operands: &[Obj]) -> Res<(ValueId, DType, Dims)> {
        let all = operands
            .iter()
            .map(|&o| self.dims_of(o))
            .collect::<Res<Vec<Dims>>>()?;
        let first = all.first().cloned().unwrap_or_default();
        let dtype = operands
            .first()
            .map(|&o| self.tensor(o).map(|t| t.dtype))
            .transpose()?;
        let dtype = dtype.unwrap_or(DType::F32);
        let axes = |dims: &[usize]| {
            Attr::I64s(dims.iter().filter_map(|&d| i64::try_from(d).ok()).collect())
        };
        let axis = |d: usize| Attr::I64(i64::try_from(d).unwrap_or(0));
        // Operands of one shape: the most that is known of each extent.
        let unified = || -> Dims {
            let mut dims = first.clone();
            for other in &all {
                for (d, &o) in dims.iter_mut().zip(other) {
                    if d.known().is_none() {
                        *d = o;
                    }
                }
            }
            dims
        };
        let mut wanted: Vec<Dims> = all.clone();
        let mut extra: Vec<ValueId> = Vec::new();
        let mut attrs: Vec<(&str, Attr)> = Vec::new();
        let mut out_dtype = dtype;
        let dims: Dims = match prim {
            Prim::Unary(_) | Prim::Detach => first.clone(),
            Prim::Binary(_) => {
                let dims = unified();
                wanted = vec![dims.clone(); operands.len()];
                dims
            }
            Prim::Compare(p) => {
                attrs.push(("predicate", Attr::Str(p.name().to_owned())));
                out_dtype = DType::Bool;
                let dims = unified();
                wanted = vec![dims.clone(); operands.len()];
                dims
            }
            Prim::Select => {
                out_dtype = match operands.get(1) {
                    Some(&o) => self.tensor(o)?.dtype,
                    None => dtype,
                };
                let dims = unified();
                wanted = vec![dims.clone(); operands.len()];
                dims
            }
            Prim::Cast(to) => {
                out_dtype = *to;
                first.clone()
            }
            Prim::Iota { dim, dtype, shape } => {
                attrs.push(("dim", axis(*dim)));
                out_dtype = *dtype;
                extra = self.dynamic_sizes(shape)?;
                shape.clone()
            }
            Prim::Broadcast { dims, shape } => {
                attrs.push(("dims", axes(dims)));
                // What is known of a result extent is known of the operand's.
                let shape: Dims = shape.iter().map(|&d| self.resolve(d)).collect();
                if let Some(w) = wanted.first_mut() {
                    for (i, &to) in dims.iter().enumerate() {
                        if let (Some(d), Some(&s)) = (w.get_mut(i), shape.get(to))
                            && d.known() != Some(1)
                        {
                            *d = s;
                        }
                    }
                }
                extra = self.dynamic_sizes(&shape)?;
                shape
            }
            Prim::Reshape { shape } => {
                extra = self.dynamic_sizes(shape)?;
                shape.clone()
            }
            Prim::Permute { dims } => {
                attrs.push(("dims", axes(dims)));
                dims.iter().filter_map(|&d| first.get(d).copied()).collect()
            }
            Prim::Slice {
                starts,
                sizes: shape,
                strides,
            }
            | Prim::Unslice {
                starts,
                shape,
                strides,
            } => {
                let mut fixed = Vec::with_capacity(starts.len());
                for &s in starts {
                    match self.resolve(s) {
                        Dim::Known(n) => fixed.push(n),
                        Dim::Sym(_) => {
                            fixed.push(DYNAMIC);
                            extra.push(self.dim_value(s)?);
                        }
                    }
                }
                extra.extend(self.dynamic_sizes(shape)?);
                attrs.push(("static_starts", Attr::I64s(fixed)));
                attrs.push(("strides", Attr::I64s(strides.to_vec())));
                shape.clone()
            }
            Prim::UpdateSlice { starts, strides } => {
                let mut fixed = Vec::with_capacity(starts.len());
                for &s in starts {
                    match self.resolve(s) {
                        Dim::Known(n) => fixed.push(n),
                        Dim::Sym(_) => {
                            fixed.push(DYNAMIC);
                            extra.push(self.dim_value(s)?);
                        }
                    }
                }
                attrs.push(("static_starts", Attr::I64s(fixed)));
                attrs.push(("strides", Attr::I64s(strides.to_vec())));
                first.clone()
            }
            Prim::Concat { dim } => {
                attrs.push(("dim", axis(*dim)));
                let mut dims = unified();
                let mut sum = Dim::Known(0);
                for w in &mut wanted {
                    let along = w.get(*dim).copied().unwrap_or(Dim::Known(0));
                    sum = self.dim_binary(DimOp::Add, sum, along)?;
                    for (i, d) in w.iter_mut().enumerate() {
                        if i != *dim {
                            *d = dims.get(i).copied().unwrap_or(*d);
                        }
                    }
                }
                if let Some(d) = dims.get_mut(*dim) {
                    *d = sum;
                }
                dims
            }
            Prim::Reverse { dims } => {
                attrs.push(("dims", axes(dims)));
                first.clone()
            }
            Prim::Reduce { dims, .. } => {
                attrs.push(("dims", axes(dims)));
                first
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| !dims.contains(i))
                    .map(|(_, &d)| d)
                    .collect()
            }
            Prim::Arg { dim, .. } => {
                attrs.push(("dim", axis(*dim)));
                out_dtype = DType::I64;
                first
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| i != dim)
                    .map(|(_, &d)| d)
                    .collect()
            }
            Prim::Dot => {
                let [a, b] = wanted.as_mut_slice() else {
                    return self.fail("dot takes two operands");
                };
                let rank = a.len();
                if rank < 2 || b.len() != rank {
                    return self.fail("dot of different ranks");
                }
                let know = |x: &mut Dim, y: &mut Dim| {
                    let best = if x.known().is_some() { *x } else { *y };
                    *x = best;
                    *y = best;
                };
                for (x, y) in a[..rank - 2].iter_mut().zip(&mut b[..rank - 2]) {
                    know(x, y);
                }
                know(&mut a[rank - 1], &mut b[rank - 2]);
                let mut dims = a.clone();
                dims[rank - 1] = b[rank - 1];
                dims
            }
            Prim::Conv { window, shape, .. } => {
                extra = self.dynamic_sizes(shape)?;
                attrs.push(("strides", Attr::I64s(window.strides.to_vec())));
                attrs.push(("padding", Attr::I64s(window.padding.to_vec())));
                attrs.push(("dilation", Attr::I64s(window.dilation.to_vec())));
                attrs.push(("groups", Attr::I64(window.groups)));
                shape.clone()
            }
            Prim::PoolArgmax { window, shape } => {
                out_dtype = DType::I64;
                extra = self.dynamic_sizes(shape)?;
                attrs.push(("kernel", Attr::I64s(window.kernel.to_vec())));
                attrs.push(("strides", Attr::I64s(window.strides.to_vec())));
                attrs.push(("padding", Attr::I64s(window.padding.to_vec())));
                attrs.push(("dilation", Attr::I64s(window.dilation.to_vec())));
                shape.clone()
            }
            Prim::Gather { dim } => {
                attrs.push(("dim", axis(*dim)));
                all.get(1).cloned().unwrap_or_default()
            }
            Prim::ScatterAdd { dim } | Prim::TakeAdd { dim } => {
                attrs.push(("dim", axis(*dim)));
                first.clone()
            }
            Prim::Take { dim } => {
                attrs.push(("dim", axis(*dim)));
                let mut dims: Dims = first.iter().take(*dim).copied().collect();
                dims.extend(all.get(1).cloned().unwrap_or_default());
                dims.extend(first.iter().skip(dim + 1).copied());
                dims
            }
            Prim::Cumsum { dim } => {
                attrs.push(("dim", axis(*dim)));
                first.clone()
            }
        };
        let dims: Dims = dims.iter().map(|&d| self.resolve(d)).collect();
        let mut values = Vec::with_capacity(operands.len() + extra.len());
        for (&o, dims) in operands.iter().zip(&wanted) {
            values.push(self.differentiable_operand(o, dims)?);
        }
        values.extend(extra);
        let name = format!("janus.{}", prim.name());
        let value = self.emit1(&name, &values, &attrs, tensor_type(out_dtype, &dims))?;
        Ok((value, out_dtype, dims))
    }

    /// A tensor's value as an operand: cut off if no gradient may flow into it.
    fn differentiable_operand(&mut self, obj: Obj, dims: &[Dim]) -> Res<ValueId> {
        let t = self.tensor(obj)?;
        let cut = t.cut && !t.requires_grad;
        let value = self.value_as(obj, dims)?;
        if self.state.grad_enabled && cut {
            let ty = self.builder.type_of(value);
            return self.emit1("janus.detach", &[value], &[], ty);
        }
        Ok(value)
    }

    /// Gives a result its autograd flags.
    fn track(&mut self, obj: Obj, operands: &[Obj], detach: bool) -> Res<()> {
        let grad = self.state.grad_enabled && !detach;
        let float = self.tensor(obj)?.dtype.is_float();
        let mut leaves: Vec<(Obj, ValueId)> = Vec::new();
        let mut depends = false;
        let mut requires = false;
        for &o in operands {
            let t = self.tensor(o)?;
            depends |= t.requires_grad || t.cut;
            requires |= t.requires_grad;
            if t.leaf && t.requires_grad {
                let at = (o, t.value);
                if !leaves.contains(&at) {
                    leaves.push(at);
                }
            } else {
                for &l in t.leaves.iter() {
                    if !leaves.contains(&l) {
                        leaves.push(l);
                    }
                }
            }
        }
        let t = self.tensor_mut(obj)?;
        if grad && float && requires {
            t.requires_grad = true;
            t.leaf = false;
            t.leaves = leaves.into();
            t.inputs = operands.into();
        } else {
            t.cut = depends && !detach;
        }
        Ok(())
    }

    /// Asserts that indices lie below an extent.
    fn assert_indices(&mut self, index: Obj, extent: Dim) -> Res<()> {
        let dims = self.dims_of(index)?;
        let value = self.value_as(index, &dims)?;
        let all = Attr::I64s((0..i64::try_from(dims.len()).unwrap_or(0)).collect());
        let scalar = tensor_type(DType::I64, &[]);
        let limit = self.dim_value(extent)?;
        let limit = self.emit1("arith.index_cast", &[limit], &[], Type::I64)?;
        let zero = self.int(0)?;
        for (op, bound, predicate) in [
            ("janus.reduce_max", limit, 2),
            ("janus.reduce_min", zero, 5),
        ] {
            let extreme = if dims.is_empty() {
                value
            } else {
                self.emit1(op, &[value], &[("dims", all.clone())], scalar.clone())?
            };
            let item = self.emit1("janus.item", &[extreme], &[], Type::I64)?;
            let ok = self.emit1(
                "arith.cmpi",
                &[item, bound],
                &[("predicate", Attr::I64(predicate))],
                Type::I1,
            )?;
            let key = self.key("index");
            self.assert(
                ok,
                DeoptReason::IndexRange,
                key,
                "every index is in range".to_owned(),
            )?;
        }
        Ok(())
    }

    // ---- torch functions -----------------------------------------------------------------

    /// Calls a torch function by its name.
    pub(crate) fn torch(
        &mut self,
        name: &str,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        let Some(function) = janus_torch::lookup::<Self>(name) else {
            return self.fail(format!("{name} has no graph form yet"));
        };
        let pos = args
            .iter()
            .map(|a| self.argument(a))
            .collect::<Res<Vec<_>>>()?;
        let mut kw = Vec::with_capacity(kwargs.len());
        for (k, v) in &kwargs {
            kw.push((k.clone(), self.argument(v)?));
        }
        match function.call(self, pos, kw) {
            Ok(ret) => self.torch_result(ret),
            Err(Stop::Tensor(_) | Stop::Reason(_))
                if args
                    .iter()
                    .chain(kwargs.iter().map(|(_, v)| v))
                    .any(|v| matches!(v, Sym::Scalar(s) if self.host.contains_key(&s.id))) =>
            {
                // It wants as a constant what moves: it is one, under a guard.
                let (mut args, mut kwargs) = (args, kwargs);
                let mut changed = false;
                let values = kwargs.iter_mut().map(|(_, v)| v);
                for v in args.iter_mut().chain(values) {
                    if let Some(constant) = self.as_constant(v) {
                        *v = constant;
                        changed = true;
                    }
                }
                if !changed {
                    return self.fail(format!("{name}: an argument that has to be constant moves"));
                }
                self.torch(name, args, kwargs)
            }
            Err(Stop::Tensor(e)) => self.fail(format!("{name}: {e}")),
            Err(Stop::Reason(r)) => self.fail(format!("{name}: {r}")),
            Err(e) => Err(e),
        }
    }

    fn argument(&mut self, v: &Sym) -> Res<Arg<Self>> {
        Ok(match v {
            Sym::Known(v) => Arg::Const(v.clone()),
            Sym::Scalar(s) => Arg::Scalar(Number::Run(*s)),
            Sym::Null => return self.fail("bad operand"),
            Sym::Obj(o) => match self.state.heap[*o].kind.clone() {
                Kind::Tensor(_) => Arg::Tensor(*o),
                Kind::Slice([a, b, c]) => {
                    if let (Sym::Known(a), Sym::Known(b), Sym::Known(c)) = (&a, &b, &c) {
                        let slice = PySlice {
                            start: a.clone(),
                            stop: b.clone(),
                            step: c.clone(),
                        };
                        return Ok(Arg::Const(Value::Slice(Rc::new(slice))));
                    }
                    Arg::Slice(Box::new([
                        self.argument(&a)?,
                        self.argument(&b)?,
                        self.argument(&c)?,
                    ]))
                }
                _ => {
                    let Some(inner) = self.container(v) else {
                        return self.fail(format!(
                            "a {} is given to a torch function",
                            self.class_of(v)?.display_name()
                        ));
                    };
                    let items = self.items_of(inner)?;
                    let list = matches!(self.state.heap[inner].kind, Kind::List(_));
                    let known: Option<Vec<Value>> =
                        items.iter().map(|i| i.known().cloned()).collect();
                    match (known, list) {
                        (Some(values), true) => Arg::Const(Value::list(values)),
                        (Some(values), false) => Arg::Const(Value::tuple(values)),
                        (None, list) => {
                            let args = items
                                .iter()
                                .map(|i| self.argument(i))
                                .collect::<Res<Vec<_>>>()?;
                            if list {
                                Arg::List(args)
                            } else {
                                Arg::Tuple(args)
                            }
                        }
                    }
                }
            },
        })
    }

    fn number_sym(n: Number) -> Sym {
        match n {
            Number::Known(Scalar::Bool(b)) => Sym::Known(Value::Bool(b)),
            Number::Known(Scalar::I64(i)) => Sym::Known(Value::Int(i)),
            Number::Known(Scalar::F64(f)) => Sym::Known(Value::Float(f)),
            Number::Run(s) => Sym::Scalar(s),
        }
    }

    fn torch_result(&mut self, ret: Ret<Self>) -> Res<Sym> {
        Ok(match ret {
            Ret::Tensor(o) => Sym::Obj(o),
            Ret::Scalar(n) => Self::number_sym(n),
            Ret::Const(v) => Sym::Known(v),
            Ret::Size(dims) => {
                let mut items = Vec::with_capacity(dims.len());
                for d in dims {
                    let n = self.dim_scalar(d);
                    items.push(Slot::Loaded(Self::number_sym(n)));
                }
                let payload = match self.alloc(Kind::Tuple(items)) {
                    Sym::Obj(o) => o,
                    _ => return self.fail("size"),
                };
                self.alloc(Kind::Instance(SymInstance {
                    class: janus_torch::objects::classes().size.clone(),
                    attrs: IndexMap::new(),
                    written: IndexSet::new(),
                    payload: Some(payload),
                }))
            }
            Ret::Tuple(items) => {
                let items = items
                    .into_iter()
                    .map(|r| self.torch_result(r))
                    .collect::<Res<Vec<_>>>()?;
                self.tuple(items)
            }
            Ret::List(items) => {
                let items = items
                    .into_iter()
                    .map(|r| self.torch_result(r))
                    .collect::<Res<Vec<_>>>()?;
                self.list(items)
            }
            Ret::NamedTuple(name, items) => {
                let items = items
                    .into_iter()
                    .map(|r| self.torch_result(r))
                    .collect::<Res<Vec<_>>>()?;
                let payload =
                    match self.alloc(Kind::Tuple(items.into_iter().map(Slot::Loaded).collect())) {
                        Sym::Obj(o) => o,
                        _ => return self.fail("tuple"),
                    };
                self.alloc(Kind::Instance(SymInstance {
                    class: return_class(name),
                    attrs: IndexMap::new(),
                    written: IndexSet::new(),
                    payload: Some(payload),
                }))
            }
        })
    }

    pub(crate) fn tensor_binary(&mut self, op: PyBinary, a: &Sym, b: &Sym) -> Res<Sym> {
        let plain = match op.plain() {
            PyBinary::Add => "add",
            PyBinary::Sub => "sub",
            PyBinary::Mul => "mul",
            PyBinary::TrueDiv => "truediv",
            PyBinary::FloorDiv => "floordiv",
            PyBinary::Mod => "mod",
            PyBinary::Pow => "pow",
            PyBinary::MatMul => "matmul",
            PyBinary::LShift => "lshift",
            PyBinary::RShift => "rshift",
            PyBinary::And => "and",
            PyBinary::Or => "or",
            _ => "xor",
        };
        let mut tries: Vec<(String, Vec<Sym>)> = Vec::new();
        if self.is_tensor(a) {
            if op.is_inplace() {
                tries.push((format!("Tensor.__i{plain}__"), vec![a.clone(), b.clone()]));
            }
            tries.push((format!("Tensor.__{plain}__"), vec![a.clone(), b.clone()]));
        } else if self.python_method(a, &format!("__{plain}__"))?.is_some() {
            return self.object_binary(op, a, b);
        }
        if self.is_tensor(b) {
            tries.push((format!("Tensor.__r{plain}__"), vec![b.clone(), a.clone()]));
        }
        for (name, args) in tries {
            if !janus_torch::table::is_known(&name) {
                continue;
            }
            let v = self.torch(&name, args, Vec::new())?;
            if !matches!(v, Sym::Known(Value::NotImplemented)) {
                return Ok(v);
            }
        }
        self.fail(format!(
            "`{}` with these operands has no graph form",
            op.symbol()
        ))
    }

    pub(crate) fn tensor_compare(&mut self, op: CompareOp, a: &Sym, b: &Sym) -> Res<Sym> {
        let name = |op| match op {
            CompareOp::Lt => "Tensor.__lt__",
            CompareOp::Le => "Tensor.__le__",
            CompareOp::Eq => "Tensor.__eq__",
            CompareOp::Ne => "Tensor.__ne__",
            CompareOp::Gt => "Tensor.__gt__",
            CompareOp::Ge => "Tensor.__ge__",
        };
        let swapped = match op {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            other => other,
        };
        let v = if self.is_tensor(a) {
            self.torch(name(op), vec![a.clone(), b.clone()], Vec::new())?
        } else {
            self.torch(name(swapped), vec![b.clone(), a.clone()], Vec::new())?
        };
        match (v, op) {
            // Without a common meaning objects are unequal.
            (Sym::Known(Value::NotImplemented), CompareOp::Eq) => {
                Ok(Sym::Known(Value::Bool(false)))
            }
            (Sym::Known(Value::NotImplemented), CompareOp::Ne) => Ok(Sym::Known(Value::Bool(true))),
            (Sym::Known(Value::NotImplemented), _) => self.fail("it would raise: a comparison"),
            (v, _) => Ok(v),
        }
    }

    pub(crate) fn tensor_item(&mut self, obj: Obj) -> Res<Sym> {
        let n = self.item(&obj)?;
        Ok(Self::number_sym(n))
    }

    pub(crate) fn unbind(&mut self, obj: Obj) -> Res<Vec<Sym>> {
        let all = self.torch("Tensor.unbind", vec![Sym::Obj(obj)], Vec::new())?;
        self.collect(&all)
    }

    /// `tensor.name = value`
    pub(crate) fn set_tensor_attr(&mut self, obj: Obj, name: &Name, value: Option<Sym>) -> Res<()> {
        let setter = format!("Tensor.{}.__set__", name.as_str());
        match value {
            Some(value) if janus_torch::table::is_known(&setter) => {
                self.torch(&setter, vec![Sym::Obj(obj), value], Vec::new())?;
                Ok(())
            }
            _ => self.fail(format!(
                "attribute {} of a tensor is written",
                name.as_str()
            )),
        }
    }

    /// A tensor's gradient object.
    pub(crate) fn grad_of(&mut self, obj: Obj) -> Res<Option<Obj>> {
        let slot = self.tensor(obj)?.grad.clone();
        let loaded = self.load_slot(&slot)?;
        match loaded {
            Some(Sym::Obj(g)) => {
                self.tensor_mut(obj)?.grad = Slot::Loaded(Sym::Obj(g));
                Ok(Some(g))
            }
            _ => Ok(None),
        }
    }

    fn mark_consumed(&mut self, from: Obj) -> Res<()> {
        let mut stack = vec![from];
        while let Some(o) = stack.pop() {
            let t = self.tensor_mut(o)?;
            if t.leaf || !t.requires_grad || t.consumed {
                continue;
            }
            t.consumed = true;
            stack.extend(t.inputs.iter().copied());
        }
        Ok(())
    }
}

/// What an extent was found to equal.
#[derive(Clone, Copy)]
pub(crate) enum Same {
    Sym(u32),
    Known(i64),
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
        let obj = self.new_tensor(value, dtype, dims);
        let detach = matches!(prim, Prim::Detach);
        self.track(obj, &operands, detach)?;
        if self.tensor(obj)?.requires_grad {
            let name = janus_tensor::autograd::default_name(&prim);
            self.tensor_mut(obj)?.grad_name = GradName::Of(name.into());
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
            self.tensor_mut(obj)?.view = Some(View { base, version, map });
        }
        Ok(obj)
    }

    fn full(&mut self, value: &Number, dtype: DType, shape: &[Dim]) -> Res<Obj> {
        let shape: Dims = shape.iter().map(|&d| self.resolve(d)).collect();
        let Some(scalar) = self.number(&Self::number_sym(value.clone()))? else {
            return self.fail("full of what is no number");
        };
        let mut operands = vec![scalar.id];
        operands.extend(self.dynamic_sizes(&shape)?);
        let value = self.emit1("janus.full", &operands, &[], tensor_type(dtype, &shape))?;
        Ok(self.new_tensor(value, dtype, shape))
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
            DType::F32 | DType::F64 => ScalarType::Float,
            DType::Bool => ScalarType::Bool,
            _ => ScalarType::Int,
        };
        let id = self.emit1("janus.item", &[value], &[], crate::scalar::type_of(ty))?;
        Ok(Number::Run(SymScalar { id, ty }))
    }

    fn scalar(&mut self, value: Scalar) -> Number {
        Number::Known(value)
    }

    fn label(&mut self, t: &Obj, name: &'static str) {
        if let Ok(t) = self.tensor_mut(*t)
            && !t.leaf
        {
            t.grad_name = GradName::Of(name.into());
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
            Number::Run(s) => self.floats.get(&s.id).map(|&(node, f)| {
                self.wanted.borrow_mut().push((node, f));
                Scalar::F64(f)
            }),
        }
    }

    fn scalar_binary(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Res<Number> {
        if let (Number::Known(x), Number::Known(y)) = (a, b) {
            return Ok(Number::Known(Scalar::binary(op, *x, *y)?));
        }
        let py = match op {
            BinaryOp::Add => PyBinary::Add,
            BinaryOp::Sub => PyBinary::Sub,
            BinaryOp::Mul => PyBinary::Mul,
            BinaryOp::Div => PyBinary::TrueDiv,
            BinaryOp::FloorDiv => PyBinary::FloorDiv,
            BinaryOp::Rem => PyBinary::Mod,
            BinaryOp::Pow => PyBinary::Pow,
            _ => return self.fail(format!("{} on numbers that move", op.name())),
        };
        let v = self.binary(
            py,
            &Self::number_sym(a.clone()),
            &Self::number_sym(b.clone()),
        )?;
        match v {
            Sym::Scalar(s) => Ok(Number::Run(s)),
            _ => self.fail("not a number"),
        }
    }

    fn dim_scalar(&mut self, d: Dim) -> Number {
        match self.resolve(d) {
            Dim::Known(n) => Number::Known(Scalar::I64(n)),
            Dim::Sym(s) => {
                let id = self.dims[s as usize].id;
                match self.emit1("arith.index_cast", &[id], &[], Type::I64) {
                    Ok(id) => Number::Run(SymScalar {
                        id,
                        ty: ScalarType::Int,
                    }),
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
            Number::Run(s) if s.ty != ScalarType::Float => {
                let int = self.convert_scalar(*s, ScalarType::Int)?;
                let id = self.emit1("arith.index_cast", &[int], &[], Type::Index)?;
                let host = self.host_node(*s);
                let dim = self.new_dim(id, host.map(|(_, now)| now));
                if let (Some((node, _)), Some(info)) = (host, self.dims.last_mut()) {
                    info.source = Source::Int(node);
                }
                Ok(dim)
            }
            Number::Run(_) => self.fail("a float where an int is needed"),
        }
    }

    fn dim_binary(&mut self, op: DimOp, a: Dim, b: Dim) -> Res<Dim> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if let (Dim::Known(x), Dim::Known(y)) = (a, b) {
            return match op.eval(x, y) {
                Some(n) => Ok(Dim::Known(n)),
                None => self.fail("an extent that overflows"),
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
            _ => {}
        }
        // `(n * k) / k` is n, whatever n is.
        if op == DimOp::Div {
            let product = self.dim_results.iter().find_map(|(&(o, x, y), &r)| {
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
        if let Some(&d) = self.dim_results.get(&(op, a, b)) {
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
        if let Some(info) = self.dims.last_mut() {
            info.source = Source::Op(op, a, b);
        }
        if self.context == 0 {
            self.dim_results.insert((op, a, b), d);
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
        let equal = self.hint(a).zip(self.hint(b)).is_none_or(|(x, y)| x == y);
        let (x, y) = (self.dim_value(a)?, self.dim_value(b)?);
        let predicate = i64::from(!equal);
        let ok = self.emit1(
            "arith.cmpi",
            &[x, y],
            &[("predicate", Attr::I64(predicate))],
            Type::I1,
        )?;
        let key = self.key("extent");
        let expected = if equal {
            "two extents are equal"
        } else {
            "two extents differ"
        };
        self.assert(ok, DeoptReason::ShapeMismatch, key, expected.to_owned())?;
        if equal && self.context == 0 {
            match (a, b) {
                (Dim::Sym(s), Dim::Known(n)) | (Dim::Known(n), Dim::Sym(s)) => {
                    self.dims[s as usize].same_as = Some(Same::Known(n));
                }
                (Dim::Sym(s), Dim::Sym(t)) => self.dims[s as usize].same_as = Some(Same::Sym(t)),
                _ => {}
            }
        }
        Ok(equal)
    }
}

impl TorchOps for Executor<'_> {
    fn assign(&mut self, target: &Obj, value: &Obj) -> Res<()> {
        let new = {
            let dims = self.dims_of(*target)?;
            self.value_as(*value, &dims)?
        };
        let source = self.tensor(*value)?.clone();
        let t = self.tensor(*target)?;
        let grad = self.state.grad_enabled;
        let owner = match &t.view {
            None => *target,
            Some(View {
                base,
                map: ViewMap::Same,
                ..
            }) => *base,
            Some(_) => return self.fail("an in-place write through a view has no graph form yet"),
        };
        if grad && t.requires_grad && t.leaf {
            return self.fail("it would raise: an in-place operation on a leaf that requires grad");
        }
        let outer = |o: Obj| self.state.heap[o].origin.is_some();
        if grad && outer(owner) && (t.requires_grad || source.requires_grad) {
            return self.fail("a differentiable in-place write to a tensor from outside");
        }
        if owner != *target && (t.requires_grad || source.requires_grad) && grad {
            return self.fail("a differentiable in-place write through a view");
        }
        let t = self.tensor(owner)?;
        if t.ambiguous || t.one_of.is_some() {
            return self.fail("an in-place write to what a branch decided between two tensors");
        }
        let owner_tensor = self.tensor_mut(owner)?;
        owner_tensor.value = new;
        owner_tensor.version += 1;
        owner_tensor.written = true;
        if owner == *target {
            if grad && source.requires_grad {
                owner_tensor.requires_grad = true;
                owner_tensor.leaf = false;
                owner_tensor.leaves = source.leaves;
                owner_tensor.inputs = Rc::new([*value]);
            } else if owner_tensor.leaf && owner_tensor.requires_grad {
                owner_tensor.leaves = Rc::new([(owner, new)]);
            } else {
                owner_tensor.cut |= source.cut || source.requires_grad;
            }
        } else {
            let version = owner_tensor.version;
            if owner_tensor.leaf && owner_tensor.requires_grad {
                owner_tensor.leaves = Rc::new([(owner, new)]);
            }
            let t = self.tensor_mut(*target)?;
            t.value = new;
            if let Some(view) = &mut t.view {
                view.version = version;
            }
        }
        Ok(())
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

    fn default_dtype(&self) -> DType {
        janus_torch::default_dtype()
    }

    fn requires_grad(&self, t: &Obj) -> bool {
        self.tensor(*t).is_ok_and(|t| t.requires_grad)
    }

    fn set_requires_grad(&mut self, t: &Obj, on: bool) -> Res<()> {
        let have = self.tensor(*t)?.requires_grad;
        if have == on {
            return Ok(());
        }
        if self.state.heap[*t].origin.is_some() {
            return self.fail("requires_grad of an existing tensor is changed");
        }
        let value = self.current(*t)?;
        let value = if self.tensor(*t)?.cut {
            let ty = self.builder.type_of(value);
            self.emit1("janus.detach", &[value], &[], ty)?
        } else {
            value
        };
        let obj = *t;
        let t = self.tensor_mut(obj)?;
        if !on && !t.leaf {
            return self.fail("it would raise: requires_grad of a non-leaf is switched off");
        }
        t.value = value;
        t.cut = false;
        t.requires_grad = on;
        t.leaf = on;
        t.leaves = if on {
            Rc::new([(obj, value)])
        } else {
            Rc::new([])
        };
        Ok(())
    }

    fn is_grad_enabled(&self) -> bool {
        self.state.grad_enabled
    }

    fn set_grad_enabled(&mut self, on: bool) -> Res<()> {
        self.state.grad_enabled = on;
        Ok(())
    }

    fn grad(&mut self, t: &Obj) -> Res<Option<Obj>> {
        self.grad_of(*t)
    }

    fn set_grad(&mut self, t: &Obj, grad: Option<&Obj>) -> Res<()> {
        let t = self.tensor_mut(*t)?;
        t.grad = grad.map_or(Slot::Empty, |&g| Slot::Loaded(Sym::Obj(g)));
        t.grad_written = true;
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
            return self.fail("backward(create_graph=True) has no graph form yet");
        }
        let loss = self.tensor(*t)?.clone();
        if !loss.requires_grad {
            return self.fail("it would raise: a backward of what does not require grad");
        }
        if loss.consumed {
            return self.fail("it would raise: a backward through the same graph again");
        }
        let outer = |this: &Self, o: Obj| this.tensor(o).is_ok_and(|t| t.requires_grad && !t.leaf);
        if (!loss.leaf && loss.leaves.is_empty()) || loss.leaves.iter().any(|l| outer(self, l.0)) {
            return self.fail("a backward of a graph that began before the region");
        }
        let dims = self.dims_of(*t)?;
        let seed = match gradient {
            Some(&g) => g,
            None => {
                if !dims.iter().all(|d| d.known() == Some(1)) {
                    return self.fail(
                        "it would raise: grad can be implicitly created only for scalar outputs",
                    );
                }
                let one = Number::Known(Scalar::F64(1.0));
                self.full(&one, loss.dtype, &dims)?
            }
        };
        let seed = self.value_as(seed, &dims)?;
        let value = self.value_as(*t, &dims)?;
        let leaves: Vec<(Obj, ValueId)> = if loss.leaf {
            vec![(*t, value)]
        } else {
            loss.leaves.to_vec()
        };
        for (i, (leaf, _)) in leaves.iter().enumerate() {
            if leaves[..i].iter().any(|(l, _)| l == leaf) {
                return self.fail("a parameter that changed between two uses in one graph");
            }
        }
        let mut operands = vec![value, seed];
        operands.extend(leaves.iter().map(|(_, v)| *v));
        let types: Vec<Type> = leaves
            .iter()
            .map(|(_, v)| self.builder.type_of(*v))
            .collect();
        let gradients = self.emit("janus.gradient", &operands, &[], &types)?;
        self.state.backwards += 1;
        if self.state.backwards > MAX_BACKWARDS {
            return self.fail("a loop around a training step: the step itself is compiled");
        }
        let enabled = std::mem::replace(&mut self.state.grad_enabled, false);
        let done = self.accumulate(&leaves, &gradients);
        self.state.grad_enabled = enabled;
        done?;
        if !retain_graph {
            self.mark_consumed(*t)?;
        }
        Ok(())
    }

    fn random(
        &mut self,
        draw: &Draw,
        shape: &[Dim],
        dtype: DType,
        generator: Option<&Value>,
    ) -> Res<Obj> {
        if generator.is_some() {
            return self.fail("a draw from a generator object has no graph form yet");
        }
        self.draw(draw, shape, dtype)
    }

    fn is_leaf(&self, t: &Obj) -> bool {
        self.tensor(*t).is_ok_and(|t| t.leaf || !t.requires_grad)
    }

    fn copy(&mut self, t: &Obj) -> Res<Obj> {
        let dims = self.dims_of(*t)?;
        let value = self.differentiable_operand(*t, &dims)?;
        let dtype = self.tensor(*t)?.dtype;
        let obj = self.new_tensor(value, dtype, dims);
        self.track(obj, &[*t], false)?;
        let name = janus_tensor::autograd::default_name(&Prim::Cast(dtype));
        self.tensor_mut(obj)?.grad_name = GradName::Of(name.into());
        Ok(obj)
    }

    fn contiguous(&mut self, t: &Obj) -> Res<Obj> {
        if self.dense_view(*t)? {
            Ok(*t)
        } else {
            self.copy(t)
        }
    }

    fn is_contiguous(&self, t: &Obj) -> bool {
        self.dense_view(*t).unwrap_or(false)
    }
}

impl Executor<'_> {
    /// Adds gradients to `.grad`.
    fn accumulate(&mut self, leaves: &[(Obj, ValueId)], gradients: &[ValueId]) -> Res<()> {
        for ((leaf, _), &g) in leaves.iter().zip(gradients) {
            let (dtype, dims) = (self.tensor(*leaf)?.dtype, self.dims_of(*leaf)?);
            let new = self.new_tensor(g, dtype, dims);
            match self.grad_of(*leaf)? {
                Some(old) => {
                    let sum = self.apply(Prim::Binary(BinaryOp::Add), &[&old, &new])?;
                    self.assign(&old, &sum)?;
                }
                None => self.set_grad(leaf, Some(&new))?,
            }
        }
        Ok(())
    }
}

/// The class of a `torch.return_types` tuple.
fn return_class(name: &str) -> Rc<Class> {
    let classes = janus_torch::objects::classes();
    let found = classes
        .named
        .iter()
        .find(|(n, ..)| *n == name || n.rsplit('.').next() == Some(name));
    found.map_or_else(
        || janus_object::types().tuple.clone(),
        |(_, _, class)| class.clone(),
    )
}
