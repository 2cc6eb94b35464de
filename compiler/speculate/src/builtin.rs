//! Functions and classes written in Rust that the graph knows.
//!
//! In: a native function, by its qualified name, and arguments. Out: the result. Always: a
//! function that is not known here, or not with these arguments, keeps the region in its lower
//! tier; effects (`print`) are deferred to the commit, in order.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::Type;
use janus_object::{
    Args, BaseKind, Class, ExcKind, Name, NativeFunction, Value, is_instance, is_subclass, types,
};

use crate::Res;
use crate::exec::Executor;
use crate::plan::{DeoptReason, PythonDraw, ScalarType};
use crate::scalar::Truth;
use crate::sym::{Effect, Kind, Piece, Slot, Sym, SymDict, SymInstance, SymIter, SymScalar};

/// Modules whose functions only compute, so that known arguments give a known result.
const PURE: &[&str] = &[
    "builtins.",
    "math.",
    "str.",
    "int.",
    "float.",
    "tuple.",
    "operator.",
    "bytes.",
    "range.",
    "object.__ne__",
    "object.__eq__",
];

/// Functions of those modules that do more.
const IMPURE: &[&str] = &[
    "builtins.print",
    "builtins.input",
    "builtins.open",
    "builtins.exec",
    "builtins.eval",
    "builtins.globals",
    "builtins.locals",
    "builtins.vars",
    "builtins.dir",
    "builtins.id",
    "builtins.__import__",
    "builtins.setattr",
    "builtins.delattr",
    "builtins.iter",
    "builtins.next",
    "builtins.__build_class__",
    "builtins.compile",
];

impl Executor<'_> {
    pub(crate) fn call_native(
        &mut self,
        native: &Rc<NativeFunction>,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        let name = native.qualname;
        if janus_torch::table::is_known(name) {
            return self.torch(name, args, kwargs);
        }
        if let Some(v) = self.known_function(name, native, &args, &kwargs)? {
            return Ok(v);
        }
        let known: Option<Vec<Value>> = args.iter().map(|a| a.known().cloned()).collect();
        let pure = PURE.iter().any(|p| name.starts_with(p)) && !IMPURE.contains(&name);
        if let (Some(values), true, true) = (known, pure, kwargs.is_empty()) {
            for value in &values {
                self.unchanging(value)?;
            }
            return match native.call(self.vm, Args::new(&values)) {
                Ok(v)
                    if !matches!(
                        v,
                        Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Iter(_)
                    ) =>
                {
                    Ok(Sym::Known(v))
                }
                Ok(Value::List(l)) => {
                    let items = l.to_vec().into_iter().map(Sym::Known).collect();
                    Ok(self.list(items))
                }
                Ok(_) => self.fail(format!("{name} makes an object that has no graph form yet")),
                Err(raised) => self.raise_known(&raised),
            };
        }
        self.fail(format!("{name} has no graph form yet"))
    }

    /// `None`: not known with these arguments.
    #[allow(clippy::too_many_lines, reason = "one arm a function")]
    fn known_function(
        &mut self,
        name: &str,
        native: &Rc<NativeFunction>,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let none = || Ok(Some(Sym::Known(Value::None)));
        Ok(Some(match (name, args) {
            ("builtins.print", _) => {
                for (k, v) in kwargs {
                    if k.as_str() == "file" && !matches!(v, Sym::Known(Value::None)) {
                        return self.fail("print to a file has no graph form");
                    }
                }
                let function = Value::Native(native.clone());
                let str = janus_bytecode::FormatConversion::STR;
                let args = args
                    .iter()
                    .map(|v| self.frozen(v, str))
                    .collect::<Res<Vec<_>>>()?;
                let kwargs = kwargs
                    .iter()
                    .map(|(k, v)| Ok((k.clone(), self.frozen(v, str)?)))
                    .collect::<Res<Vec<_>>>()?;
                self.state.effects.push(Effect {
                    condition: None,
                    function,
                    args,
                    kwargs,
                });
                return none();
            }
            ("Random.random", [Sym::Known(generator)]) => {
                self.python_draw(generator, PythonDraw::Random, None)?
            }
            ("Random._below", [Sym::Known(generator), n]) => {
                self.python_draw(generator, PythonDraw::Below, Some(n))?
            }
            (_, [Sym::Obj(o)]) if name.starts_with("return_types.") => {
                let field = name.trim_start_matches("return_types.");
                let Kind::Instance(instance) = &self.state.heap[*o].kind else {
                    return Ok(None);
                };
                let (class, payload) = (instance.class.clone(), instance.payload);
                let classes = janus_torch::objects::classes();
                let at = classes
                    .named
                    .iter()
                    .find(|(_, _, c)| Rc::ptr_eq(c, &class))
                    .and_then(|(_, fields, _)| fields.iter().position(|f| *f == field));
                let (Some(at), Some(payload)) = (at, payload) else {
                    return Ok(None);
                };
                match self.items_of(payload)?.get(at) {
                    Some(v) => v.clone(),
                    None => return Ok(None),
                }
            }
            ("tuple_field", [Sym::Obj(o)]) => {
                let Kind::Instance(instance) = &self.state.heap[*o].kind else {
                    return Ok(None);
                };
                let (class, Some(payload)) = (instance.class.clone(), instance.payload) else {
                    return Ok(None);
                };
                let items = self.items_of(payload)?;
                // Which item it is, the function itself tells of a tuple of numbers.
                let numbers: Vec<Value> = (0i64..).take(items.len()).map(Value::Int).collect();
                let numbers = janus_object::PyTuple::new(numbers);
                let sample =
                    Value::instance(&class, janus_object::Payload::Tuple(Rc::new(numbers)));
                let at = native.call(self.vm, Args::new(&[sample]));
                let at = at.ok().and_then(|v| usize::try_from(v.as_int()?).ok());
                match at.and_then(|at| items.get(at)) {
                    Some(v) => v.clone(),
                    None => return Ok(None),
                }
            }
            ("builtins.len", [v]) => self.len(v)?,
            ("Size.numel", [size]) => {
                let mut product = Sym::Known(Value::Int(1));
                for n in self.collect(size)? {
                    product = self.binary(BinaryOp::Mul, &product, &n)?;
                }
                product
            }
            ("builtins.isinstance", [v, class]) => {
                let of = self.class_of(v)?;
                self.subclass(&of, class, v)?
            }
            ("builtins.issubclass", [Sym::Known(Value::Class(c)), class]) => {
                let c = c.clone();
                self.subclass(&c, class, &Sym::Known(Value::None))?
            }
            ("builtins.callable", [v]) => {
                let callable = match v {
                    Sym::Known(v) => janus_object::call::is_callable(v),
                    Sym::Obj(o) => match &self.state.heap[*o].kind {
                        Kind::Function(_) | Kind::Method { .. } => true,
                        Kind::Instance(i) => i.class.lookup(&Name::new("__call__")).is_some(),
                        _ => false,
                    },
                    _ => false,
                };
                Sym::Known(Value::Bool(callable))
            }
            (
                "builtins.getattr" | "builtins.hasattr" | "builtins.setattr" | "builtins.delattr",
                [object, text @ Sym::Obj(_), rest @ ..],
            ) => {
                // A name that is put together: as it is now, under a guard.
                let text = self.settled(text)?;
                if text.known().is_none() {
                    return self.fail("the name of an attribute is put together from what moves");
                }
                let mut all = vec![object.clone(), text];
                all.extend(rest.iter().cloned());
                return self.known_function(name, native, &all, kwargs);
            }
            ("builtins.getattr", [object, Sym::Known(Value::Str(n)), rest @ ..]) => {
                let n = Name::new(n.as_str());
                match (self.find_attr(object, &n)?, rest) {
                    (Some(v), _) => v,
                    (None, [default]) => default.clone(),
                    (None, _) => return self.fail("it would raise: AttributeError"),
                }
            }
            ("builtins.hasattr", [object, Sym::Known(Value::Str(n))]) => {
                let n = Name::new(n.as_str());
                Sym::Known(Value::Bool(self.find_attr(object, &n)?.is_some()))
            }
            ("builtins.setattr" | "object.__setattr__", [object, Sym::Known(Value::Str(n)), v]) => {
                let n = Name::new(n.as_str());
                match object {
                    Sym::Obj(o) if name == "object.__setattr__" && !self.is_tensor(object) => {
                        self.set_own_attr(*o, &n, Some(v.clone()))?;
                    }
                    _ => self.set_attr(object, &n, Some(v.clone()))?,
                }
                return none();
            }
            (
                "builtins.delattr" | "object.__delattr__",
                [object @ Sym::Obj(o), Sym::Known(Value::Str(n))],
            ) => {
                let n = Name::new(n.as_str());
                if name == "object.__delattr__" {
                    self.set_own_attr(*o, &n, None)?;
                } else {
                    self.set_attr(object, &n, None)?;
                }
                return none();
            }
            ("object.__init__", [_]) => return none(),
            ("BaseException.__init__", [Sym::Obj(o), args @ ..]) => {
                let args = self.tuple(args.to_vec());
                if let Kind::Instance(i) = &mut self.state.heap[*o].kind {
                    i.attrs.insert(Name::new("args"), Slot::Loaded(args));
                }
                return none();
            }
            ("BaseException.__str__", [exception]) => {
                let class = self.class_of(exception)?;
                self.exception_text(exception, &class)?
            }
            ("object.__new__", [Sym::Known(Value::Class(class)), ..])
                if class.kind.get() == BaseKind::Object =>
            {
                self.guard_class(&class.clone());
                self.alloc(Kind::Instance(SymInstance {
                    class: class.clone(),
                    attrs: IndexMap::new(),
                    written: IndexSet::new(),
                    payload: None,
                }))
            }
            ("object.__getattribute__", [object, Sym::Known(Value::Str(n))]) => {
                self.get_attr(object, &Name::new(n.as_str()))?
            }
            ("builtins.iter", [v]) => self.iter(v)?,
            ("builtins.next", [it, rest @ ..]) => {
                let it = self.iter(it)?;
                match (self.next(&it)?, rest) {
                    (Some(v), _) => v,
                    (None, [default]) => default.clone(),
                    (None, _) => return self.raise_kind(ExcKind::StopIteration, Vec::new()),
                }
            }
            ("builtins.sum", [items, start @ ..]) => {
                let mut total = start.first().cloned().unwrap_or(Sym::Known(Value::Int(0)));
                if let Some(it) = self.moving(items)? {
                    return self.inlined_loop("sum", vec![it, total]).map(Some);
                }
                for v in self.collect(items)? {
                    total = self.binary(BinaryOp::Add, &total, &v)?;
                }
                total
            }
            ("builtins.min" | "builtins.max", _) if kwargs.is_empty() => {
                let short = name.rsplit('.').next().unwrap_or(name);
                let items = match args {
                    [one] => match self.moving(one)? {
                        Some(it) => {
                            let Sym::Obj(obj) = it else {
                                return self.fail("bad iterator");
                            };
                            if let Truth::Dynamic(more) = self.more(obj)? {
                                let (reason, key) =
                                    (DeoptReason::ArithmeticError, self.key("empty"));
                                self.assert(more, reason, key, "there is an item".to_owned())?;
                            }
                            let first = self.advance(obj)?;
                            return self.inlined_loop(short, vec![it, first]).map(Some);
                        }
                        None => self.collect(one)?,
                    },
                    _ => args.to_vec(),
                };
                let op = if name == "builtins.min" {
                    CompareOp::Lt
                } else {
                    CompareOp::Gt
                };
                let mut items = items.into_iter();
                let Some(mut best) = items.next() else {
                    return self.fail("it would raise: empty sequence");
                };
                for v in items {
                    best = self.pick(op, v, best)?;
                }
                best
            }
            ("builtins.any" | "builtins.all", [items]) => {
                let any = name == "builtins.any";
                if let Some(it) = self.moving(items)? {
                    let short = if any { "any" } else { "all" };
                    return self.inlined_loop(short, vec![it]).map(Some);
                }
                let mut result = Sym::Known(Value::Bool(!any));
                for v in self.collect(items)? {
                    match self.truth(&v)? {
                        Truth::Known(t) if t == any => {
                            return Ok(Some(Sym::Known(Value::Bool(any))));
                        }
                        Truth::Known(_) => {}
                        Truth::Dynamic(id) => {
                            let v = Sym::Scalar(SymScalar {
                                id,
                                ty: ScalarType::Bool,
                            });
                            let op = if any { BinaryOp::Or } else { BinaryOp::And };
                            result = self.binary(op, &result, &v)?;
                        }
                    }
                }
                result
            }
            ("torch._C._grad", _) if kwargs.is_empty() => return self.gradients_of(args),
            ("Tensor.tolist", [v @ Sym::Obj(o)]) if self.is_tensor(v) => self.tolist(*o)?,
            ("builtins.abs", [v]) if self.is_tensor(v) => {
                self.torch("Tensor.abs", vec![v.clone()], Vec::new())?
            }
            ("builtins.abs", [Sym::Scalar(s)]) if s.ty == ScalarType::Float => {
                self.float_primitive("janus.abs", s.id)?
            }
            ("operator.index", [Sym::Scalar(s)]) if s.ty != ScalarType::Float => {
                let id = self.convert_scalar(*s, ScalarType::Int)?;
                let ty = ScalarType::Int;
                Sym::Scalar(SymScalar { id, ty })
            }
            ("math.trunc", [Sym::Scalar(s)]) if s.ty == ScalarType::Float => self.truncated(*s)?,
            ("math.floor" | "math.ceil", [Sym::Scalar(s)]) if s.ty == ScalarType::Float => {
                let primitive = name.replace("math.", "janus.");
                match self.float_primitive(&primitive, s.id)? {
                    Sym::Scalar(whole) => self.truncated(whole)?,
                    _ => return Ok(None),
                }
            }
            ("math.sqrt", [Sym::Scalar(s)]) => {
                let x = self.convert_scalar(*s, ScalarType::Float)?;
                let zero = Sym::Known(Value::Float(0.0));
                let value = Sym::Scalar(SymScalar {
                    id: x,
                    ty: ScalarType::Float,
                });
                let ok = self.compare(CompareOp::Ge, &value, &zero)?;
                if let Sym::Scalar(ok) = ok {
                    let key = self.key("sqrt");
                    let reason = DeoptReason::ArithmeticError;
                    self.assert(
                        ok.id,
                        reason,
                        key,
                        "a square root of what is not negative".to_owned(),
                    )?;
                }
                self.float_primitive("janus.sqrt", x)?
            }
            ("list.append", [list, v]) => {
                self.append(list, v.clone())?;
                return none();
            }
            ("list.extend", [list, from]) => {
                self.extend(list, from)?;
                return none();
            }
            ("list.pop", [list, rest @ ..]) => {
                let Some(obj) = self.container(list) else {
                    return Ok(None);
                };
                let mut items = self.items_of(obj)?;
                let at = match rest {
                    [] => items.len().checked_sub(1),
                    [Sym::Known(i)] => i.as_int().and_then(|i| {
                        let len = i64::try_from(items.len()).ok()?;
                        usize::try_from(if i < 0 { i + len } else { i }).ok()
                    }),
                    _ => return self.fail("pop at an index that moves"),
                };
                let Some(at) = at.filter(|&at| at < items.len()) else {
                    let empty = items.is_empty();
                    let what = if empty {
                        "pop from empty list"
                    } else {
                        "pop index out of range"
                    };
                    return self.raise_index(what.to_owned());
                };
                let v = items.remove(at);
                self.rewrite_list(obj, items);
                v
            }
            ("list.insert", [list, Sym::Known(i), v]) => {
                let Some(obj) = self.container(list) else {
                    return Ok(None);
                };
                let mut items = self.items_of(obj)?;
                let len = i64::try_from(items.len()).unwrap_or(i64::MAX);
                let i = i.as_int().unwrap_or(0);
                let at = (if i < 0 { i + len } else { i }).clamp(0, len);
                items.insert(usize::try_from(at).unwrap_or(0), v.clone());
                self.rewrite_list(obj, items);
                return none();
            }
            ("list.clear", [list]) => {
                let Some(obj) = self.container(list) else {
                    return Ok(None);
                };
                self.rewrite_list(obj, Vec::new());
                return none();
            }
            ("list.reverse", [list]) => {
                let Some(obj) = self.container(list) else {
                    return Ok(None);
                };
                let mut items = self.items_of(obj)?;
                items.reverse();
                self.rewrite_list(obj, items);
                return none();
            }
            ("list.copy", [list]) if self.grown(list).is_some() => {
                let list = list.clone();
                self.listed(&list)?
            }
            ("list.copy", [list]) => {
                let items = self.collect(list)?;
                self.list(items)
            }
            ("set.add", [set, item]) => {
                self.set_add(set, item.clone())?;
                return none();
            }
            ("set.discard", [set, item]) => {
                self.set_remove(set, item)?;
                return none();
            }
            ("set.remove", [set, item]) => {
                if !self.set_remove(set, item)? {
                    return self.raise_kind(ExcKind::KeyError, vec![item.clone()]);
                }
                return none();
            }
            ("set.update", [set, others @ ..]) => {
                for from in others {
                    for v in self.collect(from)? {
                        self.set_add(set, v)?;
                    }
                }
                return none();
            }
            ("dict.get", [dict, key, rest @ ..]) => {
                if let Some(owner) = self.dict_owner(dict) {
                    let Sym::Known(Value::Str(s)) = key else {
                        return Ok(None);
                    };
                    let found = self.own_attr(owner, &Name::new(s.as_str()))?;
                    return Ok(Some(
                        found
                            .or_else(|| rest.first().cloned())
                            .unwrap_or(Sym::Known(Value::None)),
                    ));
                }
                let Some(obj) = self.container(dict) else {
                    return Ok(None);
                };
                let found = self.dict_get(obj, key)?;
                found
                    .or_else(|| rest.first().cloned())
                    .unwrap_or(Sym::Known(Value::None))
            }
            ("dict.setdefault", [dict, key, default @ ..]) => {
                let Some(obj) = self.container(dict) else {
                    return Ok(None);
                };
                match self.dict_get(obj, key)? {
                    Some(v) => v,
                    None => {
                        let v = default.first().cloned().unwrap_or(Sym::Known(Value::None));
                        self.set_item(dict, key, Some(v.clone()))?;
                        v
                    }
                }
            }
            ("dict.pop", [dict, key, default @ ..]) => {
                let Some(obj) = self.container(dict) else {
                    return Ok(None);
                };
                match (self.dict_get(obj, key)?, default) {
                    (Some(v), _) => {
                        self.set_item(dict, key, None)?;
                        v
                    }
                    (None, [default]) => default.clone(),
                    (None, _) => return self.raise_kind(ExcKind::KeyError, vec![key.clone()]),
                }
            }
            ("dict.update", [dict, from @ ..]) if from.len() <= 1 => {
                for from in from {
                    for (k, v) in self.entries(from)? {
                        self.set_item(dict, &k, Some(v))?;
                    }
                }
                for (k, v) in kwargs {
                    self.set_item(dict, &Sym::Known(k.to_value()), Some(v.clone()))?;
                }
                return none();
            }
            ("dict.clear", [dict]) => {
                for (k, _) in self.entries(dict)? {
                    self.set_item(dict, &k, None)?;
                }
                return none();
            }
            ("math.isfinite", [Sym::Scalar(s)]) if s.ty == ScalarType::Float => {
                // A difference with itself is zero unless it is nan.
                let v = args[0].clone();
                let zero = self.binary(BinaryOp::Sub, &v, &v)?;
                self.compare(CompareOp::Eq, &zero, &Sym::Known(Value::Float(0.0)))?
            }
            ("math.isnan", [v @ Sym::Scalar(s)]) if s.ty == ScalarType::Float => {
                self.compare(CompareOp::Ne, v, v)?
            }
            (_, [v @ Sym::Scalar(_)]) if name.starts_with("math.") => {
                return self.float_function(name, v);
            }
            ("dict.keys" | "dict.values" | "dict.items", [dict]) => {
                let entries = self.entries(dict)?;
                let mut items = Vec::with_capacity(entries.len());
                for (k, v) in entries {
                    items.push(match name {
                        "dict.keys" => k,
                        "dict.values" => v,
                        _ => self.tuple(vec![k, v]),
                    });
                }
                self.alloc(Kind::Iter(SymIter::Values {
                    items: items.into(),
                    next: 0,
                }))
            }
            ("dict.copy", [dict]) => self.copied_dict(dict)?,
            ("builtins.round", [Sym::Scalar(_), ..]) => {
                return self.round(&Value::Native(native.clone()), args);
            }
            ("functools.reduce", [function, items, start @ ..]) => {
                let mut items = self.collect(items)?.into_iter();
                let Some(mut total) = start.first().cloned().or_else(|| items.next()) else {
                    return Ok(None);
                };
                for v in items {
                    total = self.call(function, vec![total, v], Vec::new())?;
                }
                total
            }
            ("builtins.vars", [object]) => self.get_attr(object, &Name::new("__dict__"))?,
            ("builtins.sorted", [items]) => {
                let items = self.collect(items)?;
                match self.sorted(items, kwargs)? {
                    Some(items) => self.list(items),
                    None => return Ok(None),
                }
            }
            ("list.sort", [list]) => {
                let Some(obj) = self.container(list) else {
                    return Ok(None);
                };
                let items = self.items_of(obj)?;
                match self.sorted(items, kwargs)? {
                    Some(items) => self.rewrite_list(obj, items),
                    None => return Ok(None),
                }
                return none();
            }
            ("str.join", [separator, items]) if separator.known().is_some() => {
                let mut parts = Vec::new();
                for v in self.collect(items)? {
                    if !parts.is_empty() {
                        parts.push(separator.clone());
                    }
                    parts.push(v);
                }
                self.join_text(&parts)?
            }
            _ if name.starts_with("str.") => {
                return self.text_method(&Value::Native(native.clone()), name, args);
            }
            _ => return Ok(None),
        }))
    }

    /// `round(x)`: to the nearest int, halves to the even one.
    pub(crate) fn round_to_int(&mut self, x: janus_dialect::ValueId) -> Res<Sym> {
        match self.float_primitive("janus.round", x)? {
            Sym::Scalar(rounded) => self.truncated(rounded),
            _ => self.fail("round()"),
        }
    }

    /// `int(x)` of a float: towards zero.
    fn truncated(&mut self, x: SymScalar) -> Res<Sym> {
        for (op, limit) in [
            (CompareOp::Lt, 9_007_199_254_740_992.0),
            (CompareOp::Gt, -9_007_199_254_740_992.0),
        ] {
            let limit = Sym::Known(Value::Float(limit));
            if let Sym::Scalar(ok) = self.compare(op, &Sym::Scalar(x), &limit)? {
                let key = self.key("int");
                let reason = crate::plan::DeoptReason::IntOverflow;
                self.assert(ok.id, reason, key, "an int of 53 bits".to_owned())?;
            }
        }
        let id = self.emit1("arith.fptosi", &[x.id], &[], Type::I64)?;
        Ok(Sym::Scalar(SymScalar {
            id,
            ty: ScalarType::Int,
        }))
    }

    /// Items in order, told by keys whose order is known; `None`: not with these arguments.
    fn sorted(&mut self, items: Vec<Sym>, kwargs: &[(Name, Sym)]) -> Res<Option<Vec<Sym>>> {
        let (mut key, mut reverse) = (None, false);
        for (name, v) in kwargs {
            match (name.as_str(), v) {
                ("key", Sym::Known(Value::None)) => {}
                ("key", v) => key = Some(v.clone()),
                ("reverse", Sym::Known(v)) if v.as_int().is_some() => {
                    reverse = v.as_int() != Some(0);
                }
                _ => return Ok(None),
            }
        }
        let mut keyed: Vec<(Sym, Sym)> = Vec::with_capacity(items.len());
        for v in items {
            let k = match &key {
                Some(f) => self.call(f, vec![v.clone()], Vec::new())?,
                None => v.clone(),
            };
            keyed.push((k, v));
        }
        if reverse {
            keyed.reverse();
        }
        // Stable insertion: equal keys keep their order.
        let mut sorted: Vec<(Sym, Sym)> = Vec::with_capacity(keyed.len());
        for (k, v) in keyed {
            let mut at = sorted.len();
            while at > 0 {
                let less = self.compare(CompareOp::Lt, &k, &sorted[at - 1].0.clone())?;
                match self.truth(&less)? {
                    Truth::Known(true) => at -= 1,
                    Truth::Known(false) => break,
                    Truth::Dynamic(_) => return self.fail("numbers that move are sorted"),
                }
            }
            sorted.insert(at, (k, v));
        }
        if reverse {
            sorted.reverse();
        }
        Ok(Some(sorted.into_iter().map(|(_, v)| v).collect()))
    }

    /// A primitive of one float: by the routine that tensors use, which tier 0's agrees with.
    pub(crate) fn float_primitive(&mut self, name: &str, x: janus_dialect::ValueId) -> Res<Sym> {
        let ty = || Type::Tensor {
            dtype: janus_dialect::DType::F64,
            dims: Vec::new(),
        };
        let x = self.emit1("janus.full", &[x], &[], ty())?;
        let y = self.emit1(name, &[x], &[], ty())?;
        let id = self.emit1("janus.item", &[y], &[], Type::F64)?;
        Ok(Sym::Scalar(SymScalar {
            id,
            ty: ScalarType::Float,
        }))
    }

    pub(crate) fn subclass(&mut self, of: &Rc<Class>, class: &Sym, v: &Sym) -> Res<Sym> {
        let mut candidates = Vec::new();
        match class {
            Sym::Known(Value::Tuple(t)) => candidates.extend(t.items.iter().cloned()),
            Sym::Known(c) => candidates.push(c.clone()),
            _ => {
                for c in self.collect(class)? {
                    match c {
                        Sym::Known(c) => candidates.push(c),
                        _ => return self.fail("isinstance with a class that moves"),
                    }
                }
            }
        }
        for c in candidates {
            let is = match v {
                Sym::Known(value) if !value.is_none() => is_instance(self.vm, &value.clone(), &c),
                _ => is_subclass(self.vm, &Value::Class(of.clone()), &c),
            };
            match is {
                Ok(true) => return Ok(Sym::Known(Value::Bool(true))),
                Ok(false) => {}
                Err(_) => return self.fail("it would raise: isinstance()"),
            }
        }
        Ok(Sym::Known(Value::Bool(false)))
    }

    /// `a if a op b else b`, as `min` and `max` do it.
    fn pick(&mut self, op: CompareOp, a: Sym, b: Sym) -> Res<Sym> {
        let better = self.compare(op, &a, &b)?;
        match self.truth(&better)? {
            Truth::Known(true) => Ok(a),
            Truth::Known(false) => Ok(b),
            Truth::Dynamic(p) => {
                let (Some(x), Some(y)) = (self.number(&a)?, self.number(&b)?) else {
                    return self.fail("min() or max() of objects");
                };
                if x.ty != y.ty {
                    return self.fail("min() or max() of an int and a float");
                }
                let id = self.emit1(
                    "arith.select",
                    &[p, x.id, y.id],
                    &[],
                    crate::scalar::type_of(x.ty),
                )?;
                Ok(Sym::Scalar(SymScalar { id, ty: x.ty }))
            }
        }
    }

    /// A call of a class that is not written in Python.
    pub(crate) fn construct_builtin(
        &mut self,
        class: &Rc<Class>,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        let t = types();
        let is = |c: &Rc<Class>| Rc::ptr_eq(class, c);
        if is(&t.super_) {
            return self.make_super(&args);
        }
        if self.is_exception(class) && kwargs.is_empty() {
            return Ok(self.exception(class, args));
        }
        if is(&t.type_) && args.len() == 1 {
            return Ok(Sym::Known(Value::Class(self.class_of(&args[0])?)));
        }
        if is(&t.list) {
            if let Some(v) = args.first()
                && let Some(it) = self.moving(v)?
            {
                return self.listed(&it);
            }
            let items = match args.first() {
                Some(v) => self.collect(v)?,
                None => Vec::new(),
            };
            return Ok(self.list(items));
        }
        if is(&t.set) {
            let items = match args.first() {
                Some(v) => self.collect(v)?,
                None => Vec::new(),
            };
            return self.set_of(items);
        }
        if is(&t.tuple) {
            let items = match args.first() {
                Some(v) => self.collect(v)?,
                None => Vec::new(),
            };
            return Ok(self.tuple(items));
        }
        if is(&t.dict) {
            let dict = self.alloc(Kind::Dict(SymDict {
                entries: Vec::new(),
                written: Vec::new(),
                removed: Vec::new(),
            }));
            if let Some(from) = args.first() {
                for (k, v) in self.entries(from)? {
                    self.set_item(&dict, &k, Some(v))?;
                }
            }
            for (k, v) in kwargs {
                self.set_item(&dict, &Sym::Known(k.to_value()), Some(v))?;
            }
            return Ok(dict);
        }
        if is(&t.enumerate) {
            let start = args.get(1).or(kwargs.first().map(|(_, v)| v));
            let next = start.cloned().unwrap_or(Sym::Known(Value::Int(0)));
            let Some(of) = args.first() else {
                return self.fail("it would raise: enumerate()");
            };
            let Sym::Obj(inner) = self.iter(of)? else {
                return self.fail("enumerate");
            };
            return Ok(self.alloc(Kind::Iter(SymIter::Enumerate { inner, next })));
        }
        if is(&t.zip) || is(&t.map) {
            for (name, value) in &kwargs {
                if name.as_str() != "strict" || !matches!(value, Sym::Known(Value::Bool(false))) {
                    return self.fail("zip(strict=True) has no graph form");
                }
            }
            let skip = usize::from(is(&t.map));
            let mut inner = Vec::new();
            for a in args.iter().skip(skip) {
                match self.iter(a)? {
                    Sym::Obj(i) => inner.push(i),
                    _ => return self.fail("zip"),
                }
            }
            let it = match (skip, args.first()) {
                (1, Some(function)) => SymIter::Map {
                    function: function.clone(),
                    inner,
                },
                _ => SymIter::Zip { inner },
            };
            return Ok(self.alloc(Kind::Iter(it)));
        }
        if is(&t.reversed)
            && let [v] = args.as_slice()
        {
            if let Some(it) = self.moving_backwards(v)? {
                return Ok(it);
            }
            let mut items = self.collect(v)?;
            items.reverse();
            return Ok(self.alloc(Kind::Iter(SymIter::Values {
                items: items.into(),
                next: 0,
            })));
        }
        if is(&t.range)
            && args.iter().any(|a| matches!(a, Sym::Scalar(_)))
            && let Some(range) = self.moving_range(&args)?
        {
            return Ok(range);
        }
        if let ([Sym::Scalar(s)], true) = (args.as_slice(), kwargs.is_empty()) {
            if is(&t.float) {
                let id = self.convert_scalar(*s, ScalarType::Float)?;
                return Ok(Sym::Scalar(SymScalar {
                    id,
                    ty: ScalarType::Float,
                }));
            }
            if is(&t.int) && s.ty == ScalarType::Float {
                return self.truncated(*s);
            }
            if is(&t.int) {
                let id = self.convert_scalar(*s, ScalarType::Int)?;
                return Ok(Sym::Scalar(SymScalar {
                    id,
                    ty: ScalarType::Int,
                }));
            }
        }
        if let [v] = args.as_slice() {
            if is(&t.bool) {
                return Ok(match self.truth(v)? {
                    Truth::Known(b) => Sym::Known(Value::Bool(b)),
                    Truth::Dynamic(id) => Sym::Scalar(SymScalar {
                        id,
                        ty: ScalarType::Bool,
                    }),
                });
            }
            if (is(&t.float) || is(&t.int))
                && let Sym::Obj(o) = v
                && self.is_tensor(v)
            {
                let item = self.tensor_item(*o)?;
                return self.construct_builtin(class, vec![item], kwargs);
            }
            if is(&t.str) && v.known().is_none() {
                let str = janus_bytecode::FormatConversion::STR;
                let value = self.frozen(v, str)?;
                return Ok(self.alloc(Kind::Text(vec![Piece::Format {
                    value,
                    conversion: str,
                    spec: "".into(),
                }])));
            }
        }
        if is(&janus_torch::objects::classes().size)
            && let ([v], true) = (args.as_slice(), kwargs.is_empty())
        {
            let items = self.collect(v)?;
            return self.size(items);
        }
        let known: Option<Vec<Value>> = args.iter().map(|a| a.known().cloned()).collect();
        let immutable = [
            &t.int, &t.float, &t.bool, &t.str, &t.range, &t.complex, &t.bytes,
        ];
        if let (Some(values), true, true) =
            (known, kwargs.is_empty(), immutable.iter().any(|c| is(c)))
        {
            for value in &values {
                self.unchanging(value)?;
            }
            let callable = Value::Class(class.clone());
            return match janus_object::Vm::call(self.vm, &callable, Args::new(&values)) {
                Ok(v) => Ok(Sym::Known(v)),
                Err(raised) => self.raise_known(&raised),
            };
        }
        self.fail(format!(
            "{}() with these arguments has no graph form yet",
            class.display_name()
        ))
    }

    /// `range()` of numbers of which some move.
    fn moving_range(&mut self, args: &[Sym]) -> Res<Option<Sym>> {
        let int = |v: &Sym| match v {
            Sym::Scalar(s) => s.ty == ScalarType::Int,
            Sym::Known(v) => matches!(v, Value::Int(_)),
            _ => false,
        };
        let zero = Sym::Known(Value::Int(0));
        let (start, stop, step) = match args {
            [stop] => (zero, stop.clone(), 1),
            [start, stop] => (start.clone(), stop.clone(), 1),
            [start, stop, Sym::Known(Value::Int(step))] if *step != 0 => {
                (start.clone(), stop.clone(), *step)
            }
            _ => return Ok(None),
        };
        if !int(&start) || !int(&stop) {
            return Ok(None);
        }
        Ok(Some(self.alloc(Kind::Range { start, stop, step })))
    }

    fn make_super(&mut self, args: &[Sym]) -> Res<Sym> {
        let (class, receiver) = match args {
            [] => {
                let Some(active) = self.active.last() else {
                    return self.fail("super()");
                };
                let receiver = active.arguments.first().cloned().unwrap_or(Slot::Empty);
                let cell = active.class_cell;
                let (Some(receiver), Some(cell)) = (self.load_slot(&receiver)?, cell) else {
                    return self.fail("super() outside a method");
                };
                (self.cell_content(cell)?, receiver)
            }
            [class, receiver] => (class.clone(), receiver.clone()),
            _ => return self.fail("super() with one argument"),
        };
        let Sym::Known(Value::Class(class)) = class else {
            return self.fail("super() of what is no class");
        };
        Ok(self.alloc(Kind::Super { class, receiver }))
    }
}
