//! Functions and classes written in Rust that the graph knows.
//!
//! In: a native function, by its qualified name, and arguments. Out: the result. Always: a
//! function that is not known here, or not with these arguments, keeps the region in its lower
//! tier; effects (`print`) are deferred to the commit, in order.

use indexmap::{IndexMap, IndexSet};
use janus_bytecode::{BinaryOp, CompareOp, FormatConversion};
use janus_dialect::Type;
use janus_object::{
    Args, BaseKind, Class, ExcKind, Name, NativeFunction, PyRef, Value, is_instance, is_subclass,
};
use janus_plan::{Check, DeoptReason, Fold, PythonDraw, ReasonId, Refusal, ScalarType, Step};

use crate::Res;
use crate::executor::Executor;
use crate::numbers::arithmetic::Truth;
use crate::objects::stored_values::takes_stored;
use crate::state::sym::{Effect, Kind, Slot, Sym, SymInstance, SymScalar};

const SLICE_INDICES: &str = "slice.indices";

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
    SLICE_INDICES,
    "object.__ne__",
    "object.__eq__",
];

/// Methods of these are in a module of their own.
const CONTAINERS: &[&str] = &["list.", "dict.", "OrderedDict.", "set.", "tuple."];

/// Where functions take arguments by position that may be given by name.
const PARAMETERS: &[(&str, &[&str])] = &[
    ("builtins.pow", &["base", "exp", "mod"]),
    ("builtins.round", &["number", "ndigits"]),
    ("builtins.sum", &["", "start"]),
    ("str.split", &["", "sep", "maxsplit"]),
    ("str.rsplit", &["", "sep", "maxsplit"]),
    ("str.splitlines", &["", "keepends"]),
];

/// Functions whose arguments by name are read.
const BY_NAME: &[&str] = &[
    "builtins.max",
    "builtins.min",
    "builtins.print",
    "builtins.sorted",
    "dict.__init__",
    "dict.update",
    "float.__new__",
    "int.__new__",
    "list.sort",
    "object.__new__",
    "str.__new__",
    "str.format",
    "tuple.__new__",
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

/// Arguments that are given by name, by position where that is known.
fn by_position(
    function: &str,
    mut args: Vec<Sym>,
    mut kwargs: Vec<(Name, Sym)>,
) -> (Vec<Sym>, Vec<(Name, Sym)>) {
    let Some((_, names)) = PARAMETERS.iter().find(|(name, _)| *name == function) else {
        return (args, kwargs);
    };
    while let Some(next) = names.get(args.len())
        && let Some(at) = kwargs.iter().position(|(k, _)| k.as_str() == *next)
    {
        args.push(kwargs.remove(at).1);
    }
    (args, kwargs)
}

/// A list of this many items is sorted in several runs.
const ONE_RUN: usize = 64;
/// Items sorted by keys that move at most: each place in the result is a choice among all of them.
const MAX_RANKED: usize = 8;

impl Executor<'_> {
    pub(crate) fn call_native(
        &mut self,
        native: &PyRef<NativeFunction>,
        mut args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        let name = native.qualname;
        if let Some(behind) = native.behind() {
            return self.call(&Sym::Known(behind.clone()), args, kwargs);
        }
        if janus_torch::table::is_known(name) {
            self.with_array_tensors(name, &mut args)?;
            self.check_data(name, &args, &kwargs)?;
            return self.torch(name, args, kwargs);
        }
        if kwargs.is_empty()
            && let Some(v) = self.leaf_function(name, &args)?
        {
            return Ok(v);
        }
        let (args, kwargs) = by_position(name, args, kwargs);
        if (kwargs.is_empty() || BY_NAME.contains(&name))
            && let Some(v) = self.known_function(name, native, &args, &kwargs)?
        {
            return Ok(v);
        }
        if kwargs.is_empty()
            && let Some(v) = self.number_method(name, &args)?
        {
            return Ok(v);
        }
        if takes_stored(name)
            && let Some(plain) = self.plain_arguments(&args)
        {
            return self.call_native(native, plain, kwargs);
        }
        let known = |a: &Sym| match a.known() {
            Some(value) => Some(value.clone()),
            // It tells nothing of which slice it is.
            None if name == SLICE_INDICES => self.known_slice(a),
            None => None,
        };
        let known: Option<Vec<Value>> = args.iter().map(known).collect();
        let pure = PURE.iter().any(|p| name.starts_with(p)) && !IMPURE.contains(&name);
        if let (Some(values), true, true) = (known, pure, kwargs.is_empty()) {
            for value in &values {
                self.told_now(value)?;
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
                Ok(_) => self.refuse(
                    ReasonId::NoGraphForm,
                    format!("{name} makes an object that has no graph form yet"),
                ),
                Err(raised) => self.raise_known(&raised),
            };
        }
        let reason = match name {
            "builtins.exec" | "builtins.eval" | "builtins.compile" => ReasonId::Exec,
            "builtins.__import__" => ReasonId::Import,
            _ if name.starts_with("generator.") => ReasonId::Generator,
            _ if name.starts_with("coroutine.") => ReasonId::Coroutine,
            _ => ReasonId::NoGraphForm,
        };
        self.refuse(reason, format!("{name} has no graph form yet"))
    }

    /// Whether a list is known to hold a few numbers in order.
    fn is_sorted(&mut self, list: &Sym) -> Res<bool> {
        let Some(list) = self.container(list) else {
            return Ok(false);
        };
        if !matches!(self.state.heap[list].kind, Kind::List(_)) {
            return Ok(false);
        }
        let items = self.items_of(list)?;
        let numbers: Option<Vec<f64>> = items
            .iter()
            .map(|v| v.known().and_then(Value::as_f64))
            .collect();
        Ok(numbers.is_some_and(|n| n.len() <= ONE_RUN && n.is_sorted()))
    }

    /// `None`: not known with these arguments.
    #[allow(clippy::too_many_lines, reason = "one arm a function")]
    fn known_function(
        &mut self,
        name: &str,
        native: &PyRef<NativeFunction>,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let none = || Ok(Some(Sym::Known(Value::None)));
        Ok(Some(match (name, args) {
            ("builtins.print", _) => {
                for (k, v) in kwargs {
                    if k.as_str() == "file" && !matches!(v, Sym::Known(Value::None)) {
                        return self
                            .refuse(ReasonId::NoGraphForm, "print to a file has no graph form");
                    }
                }
                let function = Value::Native(native.clone());
                let str = FormatConversion::STR;
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
            ("Random.random", [Sym::Obj(generator)]) => {
                self.python_draw(*generator, PythonDraw::Random, None)?
            }
            ("Random._below", [Sym::Obj(generator), n]) => {
                self.python_draw(*generator, PythonDraw::Below, Some(n))?
            }
            ("Random._sample", [Sym::Obj(generator), n, Sym::Known(Value::Int(k))]) => {
                self.python_draws(*generator, PythonDraw::Sample, n, *k)?
            }
            ("Random._order", [Sym::Obj(generator), n @ Sym::Known(Value::Int(k))]) => {
                self.python_draws(*generator, PythonDraw::Order, n, *k)?
            }
            ("torch._C._twister_uniform", [Sym::Obj(generator), count]) => {
                self.python_draws_tensor(*generator, PythonDraw::Random, None, count)?
            }
            ("torch._C._twister_normal", [Sym::Obj(generator), count]) => {
                self.python_draws_tensor(*generator, PythonDraw::Normal, None, count)?
            }
            ("torch._C._twister_masked", [Sym::Obj(generator), bound, count]) => {
                self.python_draws_tensor(*generator, PythonDraw::Masked, Some(bound), count)?
            }
            ("torch._C._twister_order", [Sym::Obj(generator), count]) => {
                self.python_draws_tensor(*generator, PythonDraw::MaskedOrder, None, count)?
            }
            ("Random._shuffle", [generator, list]) => {
                self.inlined_loop("shuffle", vec![generator.clone(), list.clone()])?
            }
            (
                "bisect.bisect_left" | "bisect.bisect_right",
                [list, at @ Sym::Scalar(_), low, high],
            ) if self.is_sorted(list)? => {
                let name = name.trim_start_matches("bisect.");
                let args = [list, at, low, high].map(Clone::clone);
                self.inlined_loop(name, args.to_vec())?
            }
            ("Tensor.numpy", [this @ Sym::Obj(t)]) if self.is_tensor(this) => {
                self.array_of_tensor(*t)?
            }
            ("torch.from_numpy", [v]) => return self.tensor_of_array(v),
            ("Tensor.new", [this @ Sym::Obj(like), rest @ ..])
                if kwargs.is_empty() && self.is_tensor(this) =>
            {
                let kind = (self.tensor(*like)?.dtype, self.device_of(*like));
                self.old_constructor(kind, rest)?
            }
            ("Tensor.type", [this, to @ ..]) if kwargs.is_empty() && self.is_tensor(this) => {
                return self.tensor_type(this, to);
            }
            (name, given)
                if kwargs.is_empty()
                    && let Some(dtype) = janus_torch::dtype_of_legacy(name) =>
            {
                self.old_constructor((dtype, janus_tensor::Device::Cpu), given)?
            }
            (_, [Sym::Obj(o)]) if name.starts_with("return_types.") => {
                let field = name.trim_start_matches("return_types.");
                let Kind::Instance(instance) = &self.state.heap[*o].kind else {
                    return Ok(None);
                };
                let (class, payload) = (instance.class.clone(), instance.container());
                let classes = janus_torch::objects::classes();
                let at = classes
                    .named
                    .iter()
                    .find(|(_, _, c)| PyRef::ptr_eq(c, &class))
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
                let (class, Some(payload)) = (instance.class.clone(), instance.container()) else {
                    return Ok(None);
                };
                let items = self.items_of(payload)?;
                // Which item it is, the function itself tells of a tuple of numbers.
                let numbers: Vec<Value> = (0i64..).take(items.len()).map(Value::Int).collect();
                let numbers = janus_object::PyTuple::new(numbers);
                let sample =
                    Value::instance(&class, janus_object::Payload::Tuple(PyRef::new(numbers)));
                let at = native.call(self.vm, Args::new(&[sample]));
                let at = at.ok().and_then(|v| usize::try_from(v.as_int()?).ok());
                match at.and_then(|at| items.get(at)) {
                    Some(v) => v.clone(),
                    None => return Ok(None),
                }
            }
            ("builtins.len", [v]) => self.len(v)?,
            ("builtins.format", [v]) => {
                self.format(v.clone(), FormatConversion::NONE, "".into())?
            }
            ("builtins.format", [v, Sym::Known(Value::Str(spec))]) => {
                self.format(v.clone(), FormatConversion::NONE, spec.as_str().into())?
            }
            ("builtins.divmod", [a, b])
                if [a, b].iter().any(|v| v.known().is_none())
                    && self.number(a)?.is_some()
                    && self.number(b)?.is_some() =>
            {
                let quotient = self.binary(BinaryOp::FloorDiv, a, b)?;
                let rest = self.binary(BinaryOp::Mod, a, b)?;
                self.tuple(vec![quotient, rest])
            }
            ("Size.numel", [size]) => {
                let mut product = Sym::Known(Value::Int(1));
                for n in self.collect(size)? {
                    product = self.binary(BinaryOp::Mul, &product, &n)?;
                }
                product
            }
            ("builtins.isinstance", [v, class]) => {
                let of = self.exact_class_of(v)?;
                let of = self.shown_class(of);
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
                        _ => {
                            let class = self.class_of(v)?;
                            class.lookup(&Name::new("__call__")).is_some()
                        }
                    },
                    _ => false,
                };
                Sym::Known(Value::bool(callable))
            }
            (
                "builtins.getattr" | "builtins.hasattr" | "builtins.setattr" | "builtins.delattr",
                [object, text @ Sym::Obj(_), rest @ ..],
            ) => {
                // A name that moves or is put together: as it is now, under a guard.
                let text = match self.told_text(text) {
                    Some(told) => told,
                    None => self.settled(text)?,
                };
                if text.known().is_none() {
                    return self.refuse(
                        ReasonId::MovingValue,
                        "the name of an attribute is put together from what moves",
                    );
                }
                let mut all = vec![object.clone(), text];
                all.extend(rest.iter().cloned());
                return self.known_function(name, native, &all, kwargs);
            }
            ("builtins.getattr", [object, Sym::Known(Value::Str(n)), rest @ ..]) => {
                let n = Name::new(n.as_str());
                match rest {
                    [] => self.get_attr(object, &n)?,
                    [default, ..] => {
                        let found = self.attr_if_there(object, &n)?;
                        found.unwrap_or_else(|| default.clone())
                    }
                }
            }
            ("builtins.hasattr", [object, Sym::Known(Value::Str(n))]) => {
                let n = Name::new(n.as_str());
                Sym::Known(Value::bool(self.attr_if_there(object, &n)?.is_some()))
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
                let args = self.exception_args(args.to_vec());
                if let Kind::Instance(i) = &mut self.state.heap[*o].kind {
                    i.attrs.insert(Name::new("args"), Slot::Loaded(args));
                }
                return none();
            }
            ("BaseException.__str__", [exception]) => {
                let class = self.class_of(exception)?;
                self.exception_text(exception, &class)?
            }
            ("tuple.__new__", [Sym::Known(Value::Class(class)), rest @ ..]) => {
                self.guard_class(&class.clone());
                self.new_tuple(&class.clone(), rest.to_vec(), kwargs.to_vec())?
            }
            (
                "float.__new__" | "int.__new__" | "str.__new__",
                [Sym::Known(Value::Class(class)), rest @ ..],
            ) if class.flags.get().mutable => {
                let base = name.trim_end_matches(".__new__");
                return self.new_value(base, &class.clone(), rest, kwargs);
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
                // What this does not find, it does not ask `__getattr__` for.
                if self.class_of(object)?.flags.get().custom_getattr {
                    return self.refuse(
                        ReasonId::ObjectLayout,
                        "object.__getattribute__ of a class with __getattr__",
                    );
                }
                self.get_attr(object, &Name::new(n.as_str()))?
            }
            ("builtins.iter", [v]) => self.iter(v)?,
            ("builtins.next", [it, rest @ ..]) => {
                let class = self.class_of(it)?;
                if class.lookup(&Name::new("__next__")).is_none() {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: next() of what is no iterator",
                    );
                }
                // An object's own `__iter__` is not called here.
                let it = match self.python_method(it, "__next__")? {
                    Some(_) => it.clone(),
                    None => self.iter(it)?,
                };
                match (self.next(&it)?, rest) {
                    (Some(v), _) => v,
                    (None, [default]) => default.clone(),
                    (None, _) => return self.raise_kind(ExcKind::StopIteration, Vec::new()),
                }
            }
            ("builtins.sum", [items, start @ ..]) => {
                if start.is_empty()
                    && let Some(total) = self.folded(Fold::Sum, items)?
                {
                    return Ok(Some(total));
                }
                let mut total = start.first().cloned().unwrap_or(Sym::Known(Value::Int(0)));
                let numbers = self.numbers_as_grown(items)?;
                let items = numbers.as_ref().unwrap_or(items);
                if let Some(it) = self.moving(items)? {
                    if start.is_empty()
                        && let Some(total) = self.sum_of_filtered(items, &it)?
                    {
                        return Ok(Some(total));
                    }
                    return self.inlined_loop("sum", vec![it, total]).map(Some);
                }
                let items = match self.in_any_order(items) {
                    Some(items) => items,
                    None => self.collect(items)?,
                };
                for v in items {
                    total = self.binary(BinaryOp::Add, &total, &v)?;
                }
                total
            }
            ("builtins.min" | "builtins.max", _) if !kwargs.is_empty() => {
                let op = if name == "builtins.min" {
                    CompareOp::Lt
                } else {
                    CompareOp::Gt
                };
                return self.best_by_name(op, args, kwargs);
            }
            ("builtins.min" | "builtins.max", _) => {
                let short = name.rsplit('.').next().unwrap_or(name);
                let fold = if short == "min" { Fold::Min } else { Fold::Max };
                if let [one] = args
                    && let Some(best) = self.folded(fold, one)?
                {
                    return Ok(Some(best));
                }
                let op = match fold {
                    Fold::Min => CompareOp::Lt,
                    _ => CompareOp::Gt,
                };
                let numbers = match args {
                    [one] => self.numbers_as_grown(one)?,
                    _ => None,
                };
                if let ([one], None) = (args, &numbers)
                    && self.filtered(one).is_some()
                {
                    return self.best_of(op, one, None, None).map(Some);
                }
                let items = match numbers
                    .as_slice()
                    .first()
                    .map_or(args, std::slice::from_ref)
                {
                    [one] => match self.moving(one)? {
                        Some(it) => {
                            let Sym::Obj(obj) = it else {
                                return self.defect("bad iterator");
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
                    all => all.to_vec(),
                };
                let mut items = items.into_iter();
                let Some(mut best) = items.next() else {
                    return self.refuse(ReasonId::WouldRaise, "it would raise: empty sequence");
                };
                for v in items {
                    best = self.pick(op, v, best)?;
                }
                best
            }
            ("builtins.any" | "builtins.all", [items]) => {
                let any = name == "builtins.any";
                // A generator stops at the item that decides.
                if !self.is_generator_expression(items)
                    && let Some(it) = self.moving(items)?
                {
                    let short = if any { "any" } else { "all" };
                    return self.inlined_loop(short, vec![it]).map(Some);
                }
                self.quantified(any, items)?
            }
            ("torch._C._set_inference_mode", [Sym::Known(Value::Bool(on))]) => {
                let before = std::mem::replace(&mut self.state.mode.inference, on.get());
                Sym::Known(Value::bool(before))
            }
            ("builtins.id", [Sym::Obj(o)]) => match self.state.heap[*o].origin.clone() {
                Some(origin) => {
                    let node = self.node(Step::Identity(origin.node), Check::None, &origin.path);
                    let now = i64::try_from(janus_object::ops::identity(&origin.value));
                    let value = Value::Int(now.unwrap_or(0));
                    let v = self.load_scalar(node, ScalarType::Int)?;
                    self.note_host(&v, node, &value);
                    v
                }
                None => {
                    return self.refuse(
                        ReasonId::EscapingObject,
                        "id() of an object made in the region",
                    );
                }
            },
            (
                "torch._C._record_function",
                [
                    Sym::Known(Value::Str(name)),
                    inputs,
                    outputs,
                    backward,
                    saved,
                    _, // What `grad_fn` shows: a graph's results have nodes of their own.
                ],
            ) => {
                self.record_function(name.as_str(), [inputs, outputs], backward, saved)?;
                return none();
            }
            ("torch._C._packs_saved", []) => Sym::Known(Value::bool(false)), // A region's setting.
            ("torch._C._backward", [outputs, grads, retain, create, inputs]) => {
                self.backward_of(outputs, grads, [retain, create], inputs)?;
                return none();
            }
            ("torch._C._grad", _) => return self.gradients_of(args),
            ("Tensor.tolist", [v @ Sym::Obj(o)]) if self.is_tensor(v) => self.tolist(*o)?,
            ("builtins.abs", [v]) => return self.absolute(v),
            ("itertools.chain.from_iterable" | "chain.from_iterable", [.., items]) => {
                return self
                    .inlined_loop("from_iterable", vec![items.clone()])
                    .map(Some);
            }
            ("builtins.pow", [a, b]) if a.known().is_none() || b.known().is_none() => {
                self.binary(BinaryOp::Pow, a, b)?
            }
            ("math.prod", [items]) => {
                let mut product = Sym::Known(Value::Int(1));
                for v in self.collect(items)? {
                    product = self.binary(BinaryOp::Mul, &product, &v)?;
                }
                product
            }
            (
                "function.__get__",
                [
                    function @ Sym::Known(Value::Function(_)),
                    receiver @ Sym::Obj(_),
                    ..,
                ],
            ) => self.alloc(Kind::Method {
                function: function.clone(),
                receiver: receiver.clone(),
            }),
            (name, args)
                if name.starts_with("operator.")
                    && args.iter().any(|v| v.known().is_none())
                    && let Some(v) = self.operator_function(name, args)? =>
            {
                v
            }
            ("operator.index", [Sym::Scalar(s)]) if s.ty != ScalarType::Float => {
                let id = self.convert_scalar(*s, ScalarType::Int)?;
                let ty = ScalarType::Int;
                Sym::Scalar(SymScalar { id, ty })
            }
            ("math.trunc", [Sym::Scalar(s)]) if s.ty == ScalarType::Float => {
                match self.set_int(*s, f64::trunc) {
                    Some(int) => int,
                    None => self.truncated(*s)?,
                }
            }
            ("math.floor" | "math.ceil", [Sym::Scalar(s)]) if s.ty == ScalarType::Float => {
                let whole = if name == "math.floor" {
                    f64::floor
                } else {
                    f64::ceil
                };
                if let Some(int) = self.set_int(*s, whole) {
                    return Ok(Some(int));
                }
                let primitive = name.replace("math.", "janus.");
                match self.float_primitive(&primitive, s.id)? {
                    Sym::Scalar(whole) => self.truncated(whole)?,
                    _ => return Ok(None),
                }
            }
            ("math.sqrt", [Sym::Scalar(s)]) => {
                let x = self.convert_scalar(*s, ScalarType::Float)?;
                let zero = Sym::Known(Value::float(0.0));
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
            ("math.isfinite", [Sym::Scalar(s)]) if s.ty == ScalarType::Float => {
                // A difference with itself is zero unless it is nan.
                let v = args[0].clone();
                let zero = self.binary(BinaryOp::Sub, &v, &v)?;
                self.compare(CompareOp::Eq, &zero, &Sym::Known(Value::float(0.0)))?
            }
            ("math.isnan", [v @ Sym::Scalar(s)]) if s.ty == ScalarType::Float => {
                self.compare(CompareOp::Ne, v, v)?
            }
            (_, [v @ Sym::Scalar(_)]) if name.starts_with("math.") => {
                return self.float_function(name, v);
            }
            ("builtins.round", [Sym::Scalar(_), ..]) => {
                return self.round(&Value::Native(native.clone()), args);
            }
            ("functools.reduce", [function, items, start]) if self.filtered(items).is_some() => {
                let args = vec![function.clone(), items.clone(), start.clone()];
                self.inlined_loop("reduce", args)?
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
                let by_key = kwargs.iter().any(|(name, _)| name.as_str() == "key");
                let items = match self.in_any_order(items) {
                    Some(items) if !by_key => items,
                    _ => self.collect(items)?,
                };
                match self.sorted(items, kwargs)? {
                    Some(items) => self.list(items),
                    None => return Ok(None),
                }
            }
            ("str.join", [separator, items]) if self.filtered(items).is_some() => {
                let function = Value::Native(native.clone());
                return self.joined_filtered_text(&function, separator, items);
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
            ("str.format", [Sym::Known(Value::Str(template)), rest @ ..]) => {
                self.str_format(template.as_str(), rest, kwargs)?
            }
            _ if CONTAINERS.iter().any(|c| name.starts_with(c)) => {
                return self.container_method(name, args, kwargs);
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
            _ => self.refuse(ReasonId::NoGraphForm, "round()"),
        }
    }

    /// `int(x)` of a float: towards zero.
    pub(crate) fn truncated(&mut self, x: SymScalar) -> Res<Sym> {
        for (op, limit) in [
            (CompareOp::Lt, 9_007_199_254_740_992.0),
            (CompareOp::Gt, -9_007_199_254_740_992.0),
        ] {
            let limit = Sym::Known(Value::float(limit));
            if let Sym::Scalar(ok) = self.compare(op, &Sym::Scalar(x), &limit)? {
                let key = self.key("int");
                let reason = janus_plan::DeoptReason::IntOverflow;
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
    pub(crate) fn sorted(
        &mut self,
        items: Vec<Sym>,
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Vec<Sym>>> {
        let (mut key, mut reverse) = (None, false);
        for (name, v) in kwargs {
            match (name.as_str(), v) {
                ("key", Sym::Known(Value::None)) => {}
                ("key", v) => key = Some(v.clone()),
                ("reverse", v) => match self.settled(v)?.known().and_then(Value::as_int) {
                    Some(v) => reverse = v != 0,
                    None => {
                        let reason = Refusal::new(
                            ReasonId::MovingValue,
                            "an order that moves, of a list that is sorted",
                        );
                        return Err(self.wants_constant(reason, &[], kwargs));
                    }
                },
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
        let mut sorted = match self.ranked(&keyed)? {
            Some(items) => items,
            None => self
                .merge_sorted(keyed)?
                .into_iter()
                .map(|(_, v)| v)
                .collect(),
        };
        if reverse {
            sorted.reverse();
        }
        Ok(Some(sorted))
    }

    /// Items in the order of keys that are numbers of one type, some of which move; `None`: they are no such keys.
    fn ranked(&mut self, keyed: &[(Sym, Sym)]) -> Res<Option<Vec<Sym>>> {
        let moves = keyed.iter().any(|(k, _)| matches!(k, Sym::Scalar(_)));
        let most = i64::try_from(keyed.len()).unwrap_or(i64::MAX);
        if !moves || keyed.len() > MAX_RANKED || most > self.most_unrolled() {
            return Ok(None);
        }
        let (mut keys, mut items) = (Vec::new(), Vec::new());
        let mut types = Vec::new();
        for (k, v) in keyed {
            let Some(number) = self.number(k)? else {
                return Ok(None);
            };
            types.push(number.ty);
            keys.push(Sym::Scalar(number));
            items.push(v.clone());
        }
        types.dedup();
        if types.len() != 1 {
            return Ok(None);
        }
        let args = vec![self.list(keys), self.list(items)];
        match self.inlined_loop("sorted_by", args)? {
            Sym::Obj(list) => self.items_of(list).map(Some),
            _ => self.defect("bad list"),
        }
    }

    /// What CPython's `listsort` does with a list of one run: comparisons may do something.
    fn merge_sorted(&mut self, mut items: Vec<(Sym, Sym)>) -> Res<Vec<(Sym, Sym)>> {
        if items.len() >= ONE_RUN
            && let Some((first, _)) = items.first().cloned()
            && self.python_method(&first, "__lt__")?.is_some()
        {
            return self.refuse(
                ReasonId::TooLarge,
                "many objects with an order of their own are sorted",
            );
        }
        let mut run = items.len().min(2);
        if run == 2 {
            let falls = self.is_less(&items[1].0.clone(), &items[0].0.clone())?;
            while run < items.len()
                && self.is_less(&items[run].0.clone(), &items[run - 1].0.clone())? == falls
            {
                run += 1;
            }
            if falls {
                items[..run].reverse();
            }
        }
        for i in run..items.len() {
            let (mut from, mut to) = (0, i);
            while from < to {
                let middle = from + (to - from) / 2;
                if self.is_less(&items[i].0.clone(), &items[middle].0.clone())? {
                    to = middle;
                } else {
                    from = middle + 1;
                }
            }
            items[from..=i].rotate_right(1);
        }
        Ok(items)
    }

    fn is_less(&mut self, a: &Sym, b: &Sym) -> Res<bool> {
        let less = self.compare(CompareOp::Lt, a, b)?;
        match self.truth(&less)? {
            Truth::Known(less) => Ok(less),
            Truth::Dynamic(_) => self.refuse(ReasonId::MovingValue, "numbers that move are sorted"),
        }
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

    pub(crate) fn subclass(&mut self, of: &PyRef<Class>, class: &Sym, v: &Sym) -> Res<Sym> {
        let mut candidates = Vec::new();
        match class {
            Sym::Known(Value::Tuple(t)) => candidates.extend(t.items.iter().cloned()),
            Sym::Known(c) => candidates.push(c.clone()),
            _ => {
                for c in self.collect(class)? {
                    match c {
                        Sym::Known(c) => candidates.push(c),
                        _ => {
                            return self.refuse(
                                ReasonId::ObjectLayout,
                                "isinstance with a class that moves",
                            );
                        }
                    }
                }
            }
        }
        for c in candidates {
            if let Value::Class(class) = &c {
                let meta = class.metaclass();
                let hook = ["__instancecheck__", "__subclasscheck__"];
                let by_script = |name: &&str| match meta.lookup(&Name::new(name)) {
                    Some(Value::Function(f)) => !f.code.borrow().code.is_library(),
                    _ => false,
                };
                if hook.iter().any(by_script) {
                    return self.refuse(
                        ReasonId::ObjectLayout,
                        "isinstance() with a class that answers it itself",
                    );
                }
            }
            let is = match v {
                Sym::Known(value) if !value.is_none() => is_instance(self.vm, &value.clone(), &c),
                _ => is_subclass(self.vm, &Value::Class(of.clone()), &c),
            };
            match is {
                Ok(true) => return Ok(Sym::Known(Value::bool(true))),
                Ok(false) => {}
                Err(_) => return self.refuse(ReasonId::WouldRaise, "it would raise: isinstance()"),
            }
        }
        Ok(Sym::Known(Value::bool(false)))
    }
}
