//! Classes: their instances, and what built-in types make of their arguments.
//!
//! In: a class and arguments. Out: the new object. Always: an instance of a class with a built-in base has what
//! the base stores as an object of its own, its payload.

use indexmap::{IndexMap, IndexSet};
use janus_bytecode::CompareOp;
use janus_dialect::Type;
use janus_object::{Args, BaseKind, Bool, Class, Name, Payload, PyRef, Value, types};
use janus_plan::{DeoptReason, ReasonId, ScalarType};

use crate::Res;
use crate::executor::Executor;
use crate::numbers::arithmetic::Truth;
use crate::state::sym::{
    HeapObject, Kind, Piece, Slot, Stored, Stride, Sym, SymDict, SymInstance, SymIter, SymScalar,
};

impl Executor<'_> {
    /// An instance of a class.
    pub(crate) fn call_class(
        &mut self,
        class: &PyRef<Class>,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        if !class.flags.get().mutable {
            return self.construct_builtin(class, args, kwargs);
        }
        self.guard_class(class);
        self.calls_as_type_does(class)?;
        if self.is_exception(class) {
            let made = self.exception(class, args.clone());
            return match class.lookup(&Name::new("__init__")) {
                Some(Value::Function(_)) => self.initialise(class, made, args, kwargs),
                _ if kwargs.is_empty() => Ok(made),
                _ => self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: an exception takes no keyword arguments",
                ),
            };
        }
        let new = match class.lookup(&Name::new("__new__")) {
            Some(Value::Instance(i)) => match &i.payload {
                Payload::StaticMethod(f) => Some(f.clone()),
                _ => None,
            },
            other => other,
        };
        if let Some(new @ Value::Function(_)) = new {
            let mut all = vec![Sym::Known(Value::Class(class.clone()))];
            all.extend(args.iter().cloned());
            let made = self.call(&Sym::Known(new), all, kwargs.clone())?;
            let own = match &made {
                Sym::Obj(o) => {
                    matches!(&self.state.heap[*o].kind, Kind::Instance(i) if i.class.is_subclass_of(class))
                }
                Sym::Known(Value::Instance(i)) => i.class().is_subclass_of(class),
                _ => false,
            };
            let init = class.lookup(&Name::new("__init__"));
            // What `__new__` takes is nothing to `object.__init__`.
            let is_objects =
                class.kind.get() == BaseKind::Object && !matches!(init, Some(Value::Function(_)));
            return if own && !is_objects {
                self.initialise(class, made, args, kwargs)
            } else {
                Ok(made)
            };
        }
        let t = types();
        match class.kind.get() {
            BaseKind::Object => {
                let instance = self.instance(class, None);
                self.initialise(class, instance, args, kwargs)
            }
            BaseKind::Tuple => {
                let made = self.new_tuple(class, args.clone(), kwargs.clone())?;
                self.initialise(class, made, args, kwargs)
            }
            kind @ (BaseKind::List | BaseKind::Dict) => {
                let base = if kind == BaseKind::List {
                    &t.list
                } else {
                    &t.dict
                };
                let empty = self.stored(base, Vec::new(), Vec::new())?;
                let instance = self.derived(class, empty);
                self.initialise(class, instance, args, kwargs)
            }
            BaseKind::Wrapped if let Some(made) = self.derived_value(class, &args, &kwargs)? => {
                self.initialise(class, made, args, kwargs)
            }
            _ => self.refuse(
                ReasonId::NoGraphForm,
                format!(
                    "an instance of {} is made, whose base is a built-in type",
                    class.display_name()
                ),
            ),
        }
    }

    /// Refuses a class whose metaclass makes of a call what `type` does not; one without `__call__` is as good as `type`.
    fn calls_as_type_does(&mut self, class: &PyRef<Class>) -> Res<()> {
        let metaclass = class.metaclass();
        if PyRef::ptr_eq(&metaclass, &types().type_) {
            return Ok(());
        }
        if let Some(Value::Function(_) | Value::Instance(_)) =
            metaclass.lookup(&Name::new("__call__"))
        {
            return self.refuse(
                ReasonId::Metaclass,
                format!(
                    "an instance of {}, whose metaclass has __call__",
                    class.display_name()
                ),
            );
        }
        if metaclass.flags.get().mutable {
            self.guard_class(&metaclass);
        }
        let still_abstract = class
            .dict
            .borrow()
            .get(&Name::new("__abstractmethods__"))
            .is_some_and(|methods| methods.as_set().is_none_or(|set| !set.items().is_empty()));
        if still_abstract {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a class with abstract methods is called",
            );
        }
        Ok(())
    }

    /// A new instance of a class written in Python, without attributes.
    pub(super) fn instance(&mut self, class: &PyRef<Class>, payload: Option<Stored>) -> Sym {
        self.alloc(Kind::Instance(SymInstance {
            class: class.clone(),
            attrs: IndexMap::new(),
            written: IndexSet::new(),
            payload,
        }))
    }

    /// A new instance of a class with a built-in base; what the base stores.
    pub(crate) fn derived(&mut self, class: &PyRef<Class>, stored: Kind) -> Sym {
        self.state.heap.push(HeapObject {
            origin: None,
            kind: stored,
        });
        let payload = self.state.heap.len() - 1;
        self.instance(class, Some(Stored::Container(payload)))
    }

    /// What `list`, `tuple` or `dict` stores that was made of these arguments.
    fn stored(
        &mut self,
        base: &PyRef<Class>,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Kind> {
        match self.construct_builtin(base, args, kwargs)? {
            Sym::Obj(o) => Ok(self.state.heap[o].kind.clone()),
            Sym::Known(Value::Tuple(t)) => {
                let items = t.items.iter().cloned();
                Ok(Kind::Tuple(
                    items.map(|v| Slot::Loaded(Sym::Known(v))).collect(),
                ))
            }
            _ => self.defect("a container of an unknown kind"),
        }
    }

    /// `tuple.__new__`
    pub(crate) fn new_tuple(
        &mut self,
        class: &PyRef<Class>,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        if class.kind.get() != BaseKind::Tuple || args.len() > 1 || !kwargs.is_empty() {
            return self.refuse(ReasonId::WouldRaise, "it would raise: tuple.__new__()");
        }
        let items = self.stored(&types().tuple, args, kwargs)?;
        Ok(self.derived(class, items))
    }

    /// `list.__init__` and `dict.__init__` of an instance that has just been made.
    pub(crate) fn fill(&mut self, this: &Sym, args: Vec<Sym>, kwargs: Vec<(Name, Sym)>) -> Res<()> {
        let base = match self.container(this).map(|o| (o, &self.state.heap[o])) {
            Some((o, object)) if object.origin.is_none() => match &object.kind {
                Kind::List(l) if l.appended.is_empty() && l.base.iter().flatten().count() == 0 => {
                    Some((o, types().list.clone()))
                }
                Kind::Dict(d) if d.entries.is_empty() => Some((o, types().dict.clone())),
                _ => None,
            },
            _ => None,
        };
        let Some((obj, base)) = base else {
            return self.refuse(
                ReasonId::NoGraphForm,
                "a list or dict is initialised once more",
            );
        };
        if !args.is_empty() || !kwargs.is_empty() {
            self.state.heap[obj].kind = self.stored(&base, args, kwargs)?;
        }
        Ok(())
    }

    /// Refuses an ordered dict whose class has a `__setitem__` of its own: it is asked for each entry.
    pub(crate) fn check_sets_itself(&self, this: &Sym) -> Res<()> {
        let class = self.class_of(this)?;
        let is_function = |m| matches!(class.lookup(&Name::new(m)), Some(Value::Function(_)));
        if is_function("move_to_end") && is_function("__setitem__") {
            return self.refuse(
                ReasonId::SpecialMethod,
                "an ordered dict with a __setitem__ of its own is filled",
            );
        }
        Ok(())
    }

    /// Runs `__init__`.
    fn initialise(
        &mut self,
        class: &PyRef<Class>,
        instance: Sym,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        match class.lookup(&Name::new("__init__")) {
            Some(init @ Value::Function(_)) => {
                let mut all = vec![instance.clone()];
                all.extend(args);
                self.call(&Sym::Known(init), all, kwargs)?;
            }
            _ if matches!(class.kind.get(), BaseKind::List | BaseKind::Dict) => {
                self.check_sets_itself(&instance)?;
                self.fill(&instance, args, kwargs)?;
            }
            // What `__new__` takes is nothing to `object.__init__`.
            _ if matches!(class.kind.get(), BaseKind::Tuple | BaseKind::Wrapped) => {}
            _ if args.is_empty() && kwargs.is_empty() => {}
            _ => {
                return self.refuse(
                    ReasonId::WouldRaise,
                    format!(
                        "it would raise: {}() takes no arguments",
                        class.display_name()
                    ),
                );
            }
        }
        Ok(instance)
    }

    /// A call of a class that is not written in Python.
    pub(crate) fn construct_builtin(
        &mut self,
        class: &PyRef<Class>,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        let t = types();
        let is = |c: &PyRef<Class>| PyRef::ptr_eq(class, c);
        if is(&t.super_) {
            return self.make_super(&args);
        }
        if (is(&t.float) || is(&t.int))
            && let [v] = args.as_slice()
            && let Some(value) = self.state.stored_value(v)
            && !self.is_text(&value)
        {
            let method = if is(&t.float) { "__float__" } else { "__int__" };
            let number = match self.python_method(v, method)? {
                Some(method) => self.call(&method, args, Vec::new())?,
                None => value,
            };
            return self.construct_builtin(class, vec![number], kwargs);
        }
        if self.is_exception(class) && kwargs.is_empty() {
            return Ok(self.exception(class, args));
        }
        if is(&t.type_) && args.len() == 1 {
            let class = self.exact_class_of(&args[0])?;
            return Ok(Sym::Known(Value::Class(self.shown_class(class))));
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
                for (k, v) in self.pairs(from)? {
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
                return self.refuse(ReasonId::WouldRaise, "it would raise: enumerate()");
            };
            let Sym::Obj(inner) = self.iter(of)? else {
                return self.refuse(ReasonId::NoGraphForm, "enumerate");
            };
            return Ok(self.alloc(Kind::Iter(SymIter::Enumerate { inner, next })));
        }
        if is(&t.zip) || is(&t.map) {
            for (name, value) in &kwargs {
                if name.as_str() != "strict"
                    || !matches!(value, Sym::Known(Value::Bool(Bool::False)))
                {
                    return self
                        .refuse(ReasonId::NoGraphForm, "zip(strict=True) has no graph form");
                }
            }
            // Items that are one thing or another are told apart where an instruction gets them.
            if let ([_, items], true) = (&args[..], is(&t.map))
                && self.is_found_sequence(items)
            {
                return self.inlined_loop("map", args);
            }
            let skip = usize::from(is(&t.map));
            let mut inner = Vec::new();
            for a in args.iter().skip(skip) {
                match self.iter(a)? {
                    Sym::Obj(i) => inner.push(i),
                    _ => return self.refuse(ReasonId::NoGraphForm, "zip"),
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
            return self.reversed(v);
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
                if let Some(int) = self.set_int(*s, f64::trunc) {
                    return Ok(int);
                }
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
                    Truth::Known(b) => Sym::Known(Value::bool(b)),
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
                if matches!(value, Sym::Known(Value::Str(_))) {
                    return Ok(value);
                }
                return Ok(self.alloc(Kind::Text(vec![Piece::Format {
                    value,
                    conversion: str,
                    spec: "".into(),
                }])));
            }
        }
        if is(&t.slice) && kwargs.is_empty() {
            let none = || Sym::Known(Value::None);
            let bounds = match args.as_slice() {
                [stop] => Some([none(), stop.clone(), none()]),
                [start, stop] => Some([start.clone(), stop.clone(), none()]),
                [start, stop, step] => Some([start.clone(), stop.clone(), step.clone()]),
                _ => None,
            };
            if let Some(bounds) = bounds {
                return Ok(self.alloc(Kind::Slice(bounds)));
            }
        }
        if is(&janus_torch::objects::classes().tensor) && kwargs.is_empty() {
            if let [one] = args.as_slice()
                && self.is_tensor(one)
            {
                let both = vec![one.clone(), one.clone()];
                return self.torch("Tensor.view_as", both, Vec::new());
            }
            return self.old_constructor(
                (janus_torch::default_dtype(), janus_tensor::Device::Cpu),
                &args,
            );
        }
        if is(&janus_torch::objects::classes().size)
            && let ([v], true) = (args.as_slice(), kwargs.is_empty())
        {
            let items = self.collect(v)?;
            return self.size(items);
        }
        if self.is_deque(class)
            && let Some(form) = self.deque_form()
        {
            return self.call(&Sym::Known(Value::Class(form)), args, kwargs);
        }
        if class.type_name().starts_with("itertools.")
            && let Some(function) = self.loop_function(class.name.borrow().as_str())
        {
            return self.call(&Sym::Known(function), args, kwargs);
        }
        let known: Option<Vec<Value>> = args.iter().map(|a| a.known().cloned()).collect();
        let immutable = [
            &t.int, &t.float, &t.bool, &t.str, &t.range, &t.complex, &t.bytes,
        ];
        if let (Some(values), true, true) =
            (known, kwargs.is_empty(), immutable.iter().any(|c| is(c)))
        {
            for value in &values {
                self.told_now(value)?;
            }
            let callable = Value::Class(class.clone());
            return match janus_object::Vm::call(self.vm, &callable, Args::new(&values)) {
                Ok(v) => Ok(Sym::Known(v)),
                Err(raised) => self.raise_known(&raised),
            };
        }
        self.refuse(
            ReasonId::NoGraphForm,
            format!(
                "{}() with these arguments has no graph form yet",
                class.display_name()
            ),
        )
    }

    /// `range()` of numbers of which some move.
    fn moving_range(&mut self, args: &[Sym]) -> Res<Option<Sym>> {
        let int = |v: &Sym| match v {
            Sym::Scalar(s) => s.ty == ScalarType::Int,
            Sym::Known(v) => matches!(v, Value::Int(_)),
            _ => false,
        };
        let zero = Sym::Known(Value::Int(0));
        let one = Sym::Known(Value::Int(1));
        let (start, stop, step) = match args {
            [stop] => (&zero, stop, &one),
            [start, stop] => (start, stop, &one),
            [start, stop, step] => (start, stop, step),
            _ => return Ok(None),
        };
        if !int(start) || !int(stop) {
            return Ok(None);
        }
        let step = match step {
            Sym::Known(Value::Int(by)) if *by != 0 => Stride::Known(*by),
            Sym::Scalar(by) if by.ty == ScalarType::Int => {
                let expected = ("step", "the step of a range is positive");
                let reason = DeoptReason::ArithmeticError;
                self.assert_compare(CompareOp::Gt, step, &zero, reason, expected)?;
                // What was asserted is looked at when the graph has run: it has to come to an end.
                let least = self.int(1)?;
                let id = self.emit1("arith.maxsi", &[by.id, least], &[], Type::I64)?;
                Stride::Up(SymScalar { id, ty: by.ty })
            }
            _ => return Ok(None),
        };
        let (start, stop) = (start.clone(), stop.clone());
        Ok(Some(self.alloc(Kind::Range { start, stop, step })))
    }

    fn make_super(&mut self, args: &[Sym]) -> Res<Sym> {
        let (class, receiver) = match args {
            [] => {
                let Some(active) = self.calls.active.last() else {
                    return self.refuse(ReasonId::ObjectLayout, "super()");
                };
                let receiver = active.arguments.first().cloned().unwrap_or(Slot::Empty);
                let cell = active.class_cell;
                let (Some(receiver), Some(cell)) = (self.load_slot(&receiver)?, cell) else {
                    return self.refuse(ReasonId::ObjectLayout, "super() outside a method");
                };
                (self.cell_content(cell)?, receiver)
            }
            [class, receiver] => (class.clone(), receiver.clone()),
            _ => return self.refuse(ReasonId::ObjectLayout, "super() with one argument"),
        };
        let Sym::Known(Value::Class(class)) = class else {
            return self.refuse(ReasonId::ObjectLayout, "super() of what is no class");
        };
        let fits = match &receiver {
            Sym::Known(Value::None) => {
                return self.refuse(ReasonId::ObjectLayout, "super() of None");
            }
            Sym::Known(Value::Class(c)) if c.is_subclass_of(&class) => true,
            _ => self.class_of(&receiver)?.is_subclass_of(&class),
        };
        if !fits {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: super() of what is no instance of the class",
            );
        }
        Ok(self.alloc(Kind::Super { class, receiver }))
    }
}
