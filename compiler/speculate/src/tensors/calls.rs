//! Calls of torch functions: arguments in, results out, operators of tensors.
//!
//! In: a torch function's name and symbolic arguments. Out: its result. Always: the function itself
//! is the one that tier 0 runs, over another implementation of the primitives.

use janus_bytecode::{BinaryOp as PyBinary, CompareOp};
use janus_dialect::ValueId;
use janus_object::{Class, Name, PyRef, PySlice, Value};
use janus_plan::{Cause, Check, ReasonId, Refusal, ScalarType, Step};
use janus_tensor::{DType, Device, Ops, Scalar};
use janus_torch::{Arg, Ret};

use crate::executor::Executor;
use crate::state::stop::reason_of;
use crate::state::sym::{Kind, Obj, Slot, Sym, SymScalar, ViewMap};
use crate::tensors::tensor::Number;
use crate::{Res, Stop};

/// Elements that `tolist` takes out of a tensor one by one.
const MAX_LISTED: i64 = 64;

/// A bool that moves.
pub(crate) fn moving_bool(v: &Sym) -> Option<ValueId> {
    match v {
        Sym::Scalar(s) if s.ty == ScalarType::Bool => Some(s.id),
        _ => None,
    }
}

/// What a constructor of an old class says of its tensors: their dtype, and where they are whatever the default device is.
pub(crate) fn of_class(dtype: DType, device: Device) -> Vec<(Name, Sym)> {
    let dtype = janus_torch::objects::dtype_value(dtype);
    let device = janus_torch::devices::value(device);
    vec![
        (Name::new("dtype"), Sym::Known(dtype)),
        (Name::new("device"), Sym::Known(device)),
    ]
}

impl Executor<'_> {
    // ---- torch functions -----------------------------------------------------------------

    /// Calls a torch function by its name.
    pub(crate) fn torch(
        &mut self,
        name: &str,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        let function = janus_torch::lookup::<Self>(name);
        let (mut args, mut kwargs) = (args, kwargs);
        for v in args.iter_mut().chain(kwargs.iter_mut().map(|(_, v)| v)) {
            if matches!(v, Sym::Obj(_)) {
                self.refuse_numpy_bool(v)?;
                *v = self.state.plain(v);
            }
        }
        if function.as_ref().is_some_and(|f| f.takes_sequences()) {
            for data in &mut args {
                if let Some(items) = self.deque_items(data)? {
                    *data = items;
                }
            }
        }
        if let Some(with_rows) = self.with_rows(&args)? {
            args = with_rows;
        }
        if let Some(v) = self.torch_of_grown(name, &args, &kwargs)? {
            return Ok(v);
        }
        if let Some(v) = self.tensor_of_lists(name, &args, &kwargs)? {
            return Ok(v);
        }
        let Some(function) = function else {
            return self.refuse(
                ReasonId::NoGraphForm,
                format!("{name} has no graph form yet"),
            );
        };
        let pos = args
            .iter()
            .map(|a| self.argument(a))
            .collect::<Res<Vec<_>>>()?;
        let mut kw = Vec::with_capacity(kwargs.len());
        for (k, v) in &kwargs {
            kw.push((k.clone(), self.argument(v)?));
        }
        let cause: Cause = match function.call(self, pos, kw) {
            Ok(ret) => return self.torch_result(ret),
            Err(Stop::Tensor(e)) => Refusal::new(reason_of(&e), e.to_string()).into(),
            Err(Stop::Cause(cause)) => cause,
            Err(stop) => return Err(stop),
        };
        if let Some(v) = self.tensor_power(name, &args, &kwargs)? {
            return Ok(v);
        }
        // It wants as a constant what moves: it is one, under a guard.
        let mut fixed = (args.clone(), kwargs.clone());
        let (mut is_told, mut changed) = (false, false);
        let values = fixed.1.iter_mut().map(|(_, v)| v);
        for v in fixed.0.iter_mut().chain(values) {
            is_told |= matches!(v, Sym::Scalar(s) if self.entry_numbers.ints.contains_key(&s.id));
            if let Some(constant) = self.as_constant(v) {
                *v = constant;
                changed = true;
            }
        }
        if changed {
            return self.torch(name, fixed.0, fixed.1);
        }
        let refusal = if is_told {
            let detail = format!("{name}: an argument that has to be constant moves");
            Refusal::new(ReasonId::MovingValue, detail)
        } else {
            Refusal::new(cause.reason(), format!("{name}: {cause}"))
        };
        Err(self.wants_constant(refusal, &args, &kwargs))
    }

    /// `tensor ** number` of a number that moves. Some exponents have a form of their own, with other roundings,
    /// and gradients of their own.
    fn tensor_power(
        &mut self,
        name: &str,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let [x, Sym::Scalar(exponent)] = args else {
            return Ok(None);
        };
        if !matches!(name, "torch.pow" | "Tensor.pow" | "Tensor.__pow__") || !kwargs.is_empty() {
            return Ok(None);
        }
        let helper = match exponent.ty {
            ScalarType::Int => "int_power",
            ScalarType::Float => "float_power",
            ScalarType::Bool => return Ok(None),
        };
        let Ok(Value::Module(module)) = self.vm.import_module("torch._C") else {
            return Ok(None);
        };
        let Some(general) = module.dict.get_name(&Name::new("_general_pow")) else {
            return Ok(None);
        };
        let args = vec![x.clone(), args[1].clone(), Sym::Known(general)];
        self.inlined_loop(helper, args).map(Some)
    }

    /// A refusal; where an argument is a bool that moves, the call may do better on either side of it.
    pub(crate) fn wants_constant(
        &self,
        refusal: Refusal,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Stop {
        let not = Box::new(self.located(refusal));
        let mut all = args.iter().chain(kwargs.iter().map(|(_, v)| v));
        match all.find_map(moving_bool) {
            Some(flag) => Stop::Flag(flag, not),
            None => Stop::Not(not),
        }
    }

    fn argument(&mut self, v: &Sym) -> Res<Arg<Self>> {
        Ok(match v {
            Sym::Known(v) => Arg::Const(v.clone()),
            Sym::Scalar(s) => Arg::Scalar(Number::Run(*s)),
            Sym::Null => return self.defect("bad operand"),
            Sym::Obj(o) => match self.state.heap[*o].kind.clone() {
                Kind::Tensor(_) => Arg::Tensor(*o),
                Kind::Slice([a, b, c]) => {
                    if let (Sym::Known(a), Sym::Known(b), Sym::Known(c)) = (&a, &b, &c) {
                        let slice = PySlice {
                            start: a.clone(),
                            stop: b.clone(),
                            step: c.clone(),
                        };
                        return Ok(Arg::Const(Value::Slice(PyRef::new(slice))));
                    }
                    Arg::Slice(Box::new([
                        self.argument(&a)?,
                        self.argument(&b)?,
                        self.argument(&c)?,
                    ]))
                }
                Kind::Instance(instance) if instance.value().is_some() => {
                    self.argument(&self.state.plain(v))?
                }
                _ => {
                    let Some(inner) = self.container(v) else {
                        return self.refuse(
                            ReasonId::NoGraphForm,
                            format!(
                                "a {} is given to a torch function",
                                self.class_of(v)?.display_name()
                            ),
                        );
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

    pub(crate) fn number_sym(n: Number) -> Sym {
        match n {
            Number::Known(Scalar::Bool(b)) => Sym::Known(Value::bool(b)),
            Number::Known(Scalar::I64(i)) => Sym::Known(Value::Int(i)),
            Number::Known(Scalar::U64(i)) => Sym::Known(Value::big(i.into())),
            Number::Known(Scalar::F64(f)) => Sym::Known(Value::float(f)),
            Number::Known(Scalar::C128(c)) => Sym::Known(janus_object::complex_value(c.re, c.im)),
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
                    items.push(Self::number_sym(n));
                }
                self.size(items)?
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
                let items = items.into_iter().map(Slot::Loaded).collect();
                self.derived(&return_class(name), Kind::Tuple(items))
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
        } else {
            let of_list = op == PyBinary::InplaceAdd && self.is_list(a);
            let own = |prefix: &str| format!("__{prefix}{plain}__");
            let in_place = op.is_inplace() && self.python_method(a, &own("i"))?.is_some();
            if of_list || in_place || self.python_method(a, &own(""))?.is_some() {
                return self.object_binary(op, a, b);
            }
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
        self.refuse(
            ReasonId::NoGraphForm,
            format!("`{}` with these operands has no graph form", op.symbol()),
        )
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
                Ok(Sym::Known(Value::bool(false)))
            }
            (Sym::Known(Value::NotImplemented), CompareOp::Ne) => Ok(Sym::Known(Value::bool(true))),
            (Sym::Known(Value::NotImplemented), _) => {
                self.refuse(ReasonId::WouldRaise, "it would raise: a comparison")
            }
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

    /// A `torch.Size` of these extents.
    pub(crate) fn size(&mut self, items: Vec<Sym>) -> Res<Sym> {
        let int = |v: &Sym| match v {
            Sym::Known(Value::Int(_)) => true,
            Sym::Scalar(s) => s.ty == ScalarType::Int,
            _ => false,
        };
        if !items.iter().all(int) {
            return self.refuse(ReasonId::NoGraphForm, "torch.Size() of what is no int");
        }
        let items = items.into_iter().map(Slot::Loaded).collect();
        let size = &janus_torch::objects::classes().size;
        Ok(self.derived(size, Kind::Tuple(items)))
    }

    /// `torch.FloatTensor(...)` and `tensor.new(...)`: sizes, or data that is a tensor or a sequence.
    pub(crate) fn legacy_tensor(
        &mut self,
        (dtype, device): (DType, Device),
        given: &[Sym],
    ) -> Res<Sym> {
        let size = &janus_torch::objects::classes().size.clone();
        let (name, data) = match given {
            [] => ("torch.empty", vec![Sym::Known(Value::Int(0))]),
            [one] if self.is_tensor(one) => {
                let Sym::Obj(t) = one else {
                    return self.defect("not a tensor");
                };
                if self.tensor(*t)?.dtype != dtype {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: a new tensor of another dtype",
                    );
                }
                let both = vec![one.clone(), one.clone()];
                return self.torch("Tensor.view_as", both, Vec::new());
            }
            [one] if self.class_of(one)?.is_subclass_of(size) => ("torch.empty", vec![one.clone()]),
            [
                Sym::Known(Value::Int(_))
                | Sym::Scalar(SymScalar {
                    ty: ScalarType::Int,
                    ..
                }),
            ] => ("torch.empty", given.to_vec()),
            [one] => {
                let (class, t) = (self.class_of(one)?, janus_object::types());
                if !class.is_subclass_of(&t.list) && !class.is_subclass_of(&t.tuple) {
                    return self.refuse(
                        ReasonId::NoGraphForm,
                        "a tensor of what is neither a size nor a sequence",
                    );
                }
                ("torch.tensor", vec![one.clone()])
            }
            sizes => ("torch.empty", sizes.to_vec()),
        };
        self.torch(name, data, of_class(dtype, device))
    }

    /// `tensor.type()`, which is text, and `tensor.type(torch.FloatTensor)`.
    pub(crate) fn tensor_type(&mut self, this: &Sym, to: &[Sym]) -> Res<Option<Sym>> {
        let Sym::Obj(t) = this else {
            return Ok(None);
        };
        match to {
            [] => {
                let (device, dtype) = (self.device_of(*t), self.tensor(*t)?.dtype);
                let text = janus_torch::devices::legacy_name(device, dtype);
                Ok(Some(Sym::Known(Value::str(text))))
            }
            [Sym::Known(to)] => {
                // The name of a class says where its tensors are, too.
                let Some(dtype) = janus_torch::dtype_of_type(to)
                    .filter(|_| self.device_of(*t) == Device::Cpu)
                    .or_else(|| janus_torch::objects::dtype_of(to))
                else {
                    return Ok(None);
                };
                let dtype = Sym::Known(janus_torch::objects::dtype_value(dtype));
                let pos = vec![this.clone(), dtype];
                self.torch("Tensor.to", pos, Vec::new()).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A tensor's elements, nested as its dimensions are.
    pub(crate) fn tolist(&mut self, obj: Obj) -> Res<Sym> {
        let dims = self.dims_of(obj)?;
        let known: Option<Vec<i64>> = dims.iter().map(|d| d.known()).collect();
        match known.map(|d| d.iter().product::<i64>()) {
            Some(n) if n <= MAX_LISTED => {}
            _ if dims.len() == 1 => return self.list_of_elements(obj),
            Some(_) => return self.refuse(ReasonId::TooLarge, "Tensor.tolist: too many elements"),
            None => {
                return self.refuse(ReasonId::MovingValue, "Tensor.tolist: an extent that moves");
            }
        }
        if dims.is_empty() {
            return self.tensor_item(obj);
        }
        let mut items = Vec::new();
        for row in self.unbind(obj)? {
            match row {
                Sym::Obj(row) => items.push(self.tolist(row)?),
                _ => return self.defect("a row that is no tensor"),
            }
        }
        Ok(self.list(items))
    }

    /// `tensor.name = value`
    pub(crate) fn set_tensor_attr(&mut self, obj: Obj, name: &Name, value: Option<Sym>) -> Res<()> {
        let setter = format!("Tensor.{}.__set__", name.as_str());
        // As `t.data += x` ends: it gets what it has.
        if let ("data", Some(Sym::Obj(data))) = (name.as_str(), &value)
            && self.is_data_of(*data, obj)?
        {
            return Ok(());
        }
        match value {
            Some(value) if janus_torch::table::is_known(&setter) => {
                self.torch(&setter, vec![Sym::Obj(obj), value], Vec::new())?;
                Ok(())
            }
            _ => self.refuse(
                ReasonId::ObjectLayout,
                format!("attribute {} of a tensor is written", name.as_str()),
            ),
        }
    }

    /// Whether a tensor is `obj.data`: its memory, as it lies.
    fn is_data_of(&self, data: Obj, obj: Obj) -> Res<bool> {
        let shown = self.tensor(data)?;
        let is_plain = |o: Obj| self.tensor(o).map(|t| t.view.is_none());
        Ok(match &shown.view {
            Some(view) => {
                shown.unversioned
                    && matches!(view.map, ViewMap::Same)
                    && view.base == obj
                    && is_plain(obj)?
            }
            None => false,
        })
    }

    /// A tensor's gradient object.
    pub(crate) fn grad_of(&mut self, obj: Obj) -> Res<Option<Obj>> {
        self.expect_no_grad(obj)?;
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

    /// Where a tensor has had no gradient so far: that is an assumption from now on.
    pub(crate) fn expect_no_grad(&mut self, obj: Obj) -> Res<()> {
        if !self.tensor(obj)?.grad_written
            && let Some((node, path)) = self.entry.without_grad.remove(&obj)
        {
            self.node(Step::Grad(node), Check::Missing, &path);
        }
        Ok(())
    }
}

/// The class of a `torch.return_types` tuple.
fn return_class(name: &str) -> PyRef<Class> {
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
