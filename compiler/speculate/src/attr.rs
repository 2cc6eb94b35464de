//! Attributes, items, operators on objects.
//!
//! In: an object of the symbolic heap, or a known one. Out: what CPython's lookup would find.
//! Always: reads see the region's own writes; writes stay in the symbolic heap.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::{Binding, Class, Name, Payload, Value, attr, class_of, ops, types};

use crate::Res;
use crate::exec::Executor;
use crate::plan::{Check, ScalarType, Step};
use crate::scalar::Truth;
use crate::sym::{Kind, Obj, Slot, Sym, SymScalar, Unloaded};

/// Items from a list's end that are read one by one at most.
const MAX_TAIL: usize = 64;

/// What a class attribute turns into when it is read through an instance.
enum Found {
    /// A function that binds its receiver.
    Method(Value),
    /// Call it with the receiver to get the value.
    Getter(Value),
    /// The value itself.
    Plain(Value),
}

fn classify(value: &Value) -> Found {
    match value {
        Value::Function(_) => Found::Method(value.clone()),
        Value::Native(native) => match native.binding {
            Binding::Method => Found::Method(value.clone()),
            Binding::Getter | Binding::GetSet => Found::Getter(value.clone()),
            Binding::Static | Binding::ClassMethod => Found::Plain(value.clone()),
        },
        Value::Instance(instance) => match &instance.payload {
            Payload::Property(p) => Found::Getter(p.get.clone()),
            Payload::StaticMethod(f) => Found::Plain(f.clone()),
            _ => Found::Plain(value.clone()),
        },
        _ => Found::Plain(value.clone()),
    }
}

fn is_data_descriptor(value: &Value) -> bool {
    match value {
        Value::Native(native) => matches!(native.binding, Binding::Getter | Binding::GetSet),
        Value::Instance(instance) => match &instance.payload {
            Payload::Property(_) => true,
            Payload::None => {
                let class = instance.class();
                class.lookup(&Name::new("__set__")).is_some()
                    || class.lookup(&Name::new("__get__")).is_some()
            }
            _ => false,
        },
        _ => false,
    }
}

impl Executor<'_> {
    /// The class of a value.
    pub(crate) fn class_of(&self, v: &Sym) -> Res<Rc<Class>> {
        Ok(match v {
            Sym::Known(v) => class_of(v),
            Sym::Scalar(s) => match s.ty {
                crate::plan::ScalarType::Float => types().float.clone(),
                crate::plan::ScalarType::Int => types().int.clone(),
                crate::plan::ScalarType::Bool => types().bool.clone(),
            },
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Instance(i) => i.class.clone(),
                Kind::Tensor(t) => t.class.clone(),
                Kind::List(_) => types().list.clone(),
                Kind::Tuple(_) => types().tuple.clone(),
                Kind::Dict(_) | Kind::InstanceDict(_) => types().dict.clone(),
                Kind::Set(_) => types().set.clone(),
                Kind::Function(_) => types().function.clone(),
                Kind::Method { .. } => types().method.clone(),
                Kind::Slice(_) => types().slice.clone(),
                Kind::Text(_) => types().str.clone(),
                Kind::Super { .. } => types().super_.clone(),
                Kind::Generator(_) => types().generator.clone(),
                Kind::Range { .. } => types().range.clone(),
                Kind::Cell(_) | Kind::Iter(_) => types().iterator.clone(),
            },
            Sym::Null => return self.fail("bad operand"),
        })
    }

    /// `object.name`
    pub(crate) fn get_attr(&mut self, object: &Sym, name: &Name) -> Res<Sym> {
        match self.find_attr(object, name)? {
            Some(v) => Ok(v),
            None => {
                let class = self.class_of(object)?;
                self.fail(format!(
                    "it would raise: '{}' object has no attribute '{}'",
                    class.display_name(),
                    name.as_str()
                ))
            }
        }
    }

    /// `object.name`, `None` when that raises AttributeError.
    pub(crate) fn find_attr(&mut self, object: &Sym, name: &Name) -> Res<Option<Sym>> {
        match object {
            Sym::Known(Value::Module(module)) => {
                let dict = module.dict.clone();
                match self.load_namespace(&dict, name)? {
                    Some(v) => Ok(Some(v)),
                    // A module's `__getattr__` may make names; what it gives is known from now on.
                    None => self.known_attr(object, name),
                }
            }
            Sym::Known(Value::Class(class)) => self.class_attr(&class.clone(), name),
            Sym::Known(_) => self.known_attr(object, name),
            Sym::Scalar(_) => self.builtin_attr(object, name),
            Sym::Obj(o) => match self.state.heap[*o].kind.clone() {
                Kind::Instance(_) => self.instance_attr(*o, name),
                Kind::Super { class, receiver } => self.super_attr(&class, &receiver, name),
                Kind::Method { function, receiver } => match name.as_str() {
                    "__func__" => Ok(Some(function)),
                    "__self__" => Ok(Some(receiver)),
                    _ => self.find_attr(&function, name),
                },
                Kind::Function(f) => match name.as_str() {
                    "__name__" => Ok(Some(Sym::Known(Value::str(&*f.code.code.name)))),
                    "__qualname__" => Ok(Some(Sym::Known(Value::str(&*f.code.code.qualname)))),
                    _ => self.fail(format!(
                        "attribute {} of a function made here",
                        name.as_str()
                    )),
                },
                _ => self.builtin_attr(object, name),
            },
            Sym::Null => self.fail("bad operand"),
        }
    }

    /// An attribute of an object that is known by identity and does not change.
    fn known_attr(&mut self, object: &Sym, name: &Name) -> Res<Option<Sym>> {
        let Sym::Known(value) = object else {
            return self.fail("not known");
        };
        let value = value.clone();
        let class = class_of(&value);
        if let Some(found) = class.lookup(name)
            && let Found::Method(function) = classify(&found)
        {
            let function = Sym::Known(function);
            return Ok(Some(self.alloc(Kind::Method {
                function,
                receiver: object.clone(),
            })));
        }
        if let Value::Function(f) = &value
            && let Some(dict) = f.dict.get()
            && let Some(v) = dict.get_name(name)
        {
            let step = Step::Namespace(dict.clone(), name.clone());
            return self
                .wrap(&Unloaded {
                    step,
                    value: v,
                    path: name.as_str().into(),
                })
                .map(Some);
        }
        match attr::get_opt(self.vm, &value, name) {
            Ok(Some(v)) => match &v {
                Value::List(_) | Value::Dict(_) | Value::Set(_) => self.fail(format!(
                    "attribute {} of a {}",
                    name.as_str(),
                    value.type_name()
                )),
                _ => Ok(Some(Sym::Known(v))),
            },
            Ok(None) => Ok(None),
            Err(_) => self.fail(format!("it would raise: attribute {}", name.as_str())),
        }
    }

    /// A method or getter of a built-in type, through its class.
    fn builtin_attr(&mut self, object: &Sym, name: &Name) -> Res<Option<Sym>> {
        if name.as_str() == "__class__" {
            return Ok(Some(Sym::Known(Value::Class(self.class_of(object)?))));
        }
        let class = self.class_of(object)?;
        let Some(found) = class.lookup(name) else {
            return Ok(None);
        };
        self.bind(&found, object, &class).map(Some)
    }

    /// Binds a class attribute to a receiver.
    fn bind(&mut self, found: &Value, receiver: &Sym, class: &Rc<Class>) -> Res<Sym> {
        match classify(found) {
            Found::Method(function) => {
                let function = Sym::Known(function);
                Ok(self.alloc(Kind::Method {
                    function,
                    receiver: receiver.clone(),
                }))
            }
            Found::Getter(getter) => {
                self.call(&Sym::Known(getter), vec![receiver.clone()], Vec::new())
            }
            Found::Plain(Value::Instance(instance)) => {
                if let Payload::ClassMethod(function) = &instance.payload {
                    let function = Sym::Known(function.clone());
                    let receiver = Sym::Known(Value::Class(class.clone()));
                    return Ok(self.alloc(Kind::Method { function, receiver }));
                }
                let value = Value::Instance(instance);
                if is_data_descriptor(&value) {
                    return self.fail("a descriptor written in Python has no graph form yet");
                }
                self.pinned(value)
            }
            Found::Plain(value) => match &value {
                Value::Native(native) if native.binding == Binding::ClassMethod => {
                    let receiver = Sym::Known(Value::Class(class.clone()));
                    Ok(self.alloc(Kind::Method {
                        function: Sym::Known(value),
                        receiver,
                    }))
                }
                Value::List(_) | Value::Dict(_) | Value::Tuple(_) => self.pinned(value),
                _ => Ok(Sym::Known(value)),
            },
        }
    }

    /// An object that is always the same one.
    pub(crate) fn pinned(&mut self, value: Value) -> Res<Sym> {
        let step = Step::Pinned(value.clone());
        self.wrap(&Unloaded {
            step,
            path: value.type_name().into(),
            value,
        })
    }

    /// Guards that a class has not changed.
    pub(crate) fn guard_class(&mut self, class: &Rc<Class>) {
        let path: Rc<str> = class.display_name().into();
        let guarded = self
            .nodes
            .iter()
            .any(|n| matches!(&n.check, Check::ClassVersion(c, _) if Rc::ptr_eq(c, class)));
        if !guarded {
            let step = Step::Pinned(Value::Class(class.clone()));
            self.node(
                step,
                Check::ClassVersion(class.clone(), class.version.get()),
                &path,
            );
        }
    }

    fn class_attr(&mut self, class: &Rc<Class>, name: &Name) -> Res<Option<Sym>> {
        self.guard_class(class);
        match name.as_str() {
            "__name__" | "__qualname__" | "__module__" | "__mro__" | "__doc__" | "__bases__"
            | "__class__" => {
                return self.known_attr(&Sym::Known(Value::Class(class.clone())), name);
            }
            "__dict__" => return self.fail("__dict__ of a class"),
            _ => {}
        }
        let Some(found) = class.lookup(name) else {
            let metaclass = class.metaclass();
            return match metaclass.lookup(name) {
                Some(found) => self
                    .bind(&found, &Sym::Known(Value::Class(class.clone())), &metaclass)
                    .map(Some),
                None => Ok(None),
            };
        };
        Ok(Some(match classify(&found) {
            // Through the class a function is itself.
            Found::Method(function) => Sym::Known(function),
            Found::Getter(_) => Sym::Known(found),
            Found::Plain(_) => self.bind(&found, &Sym::Known(Value::None), class)?,
        }))
    }

    fn super_attr(&mut self, class: &Rc<Class>, receiver: &Sym, name: &Name) -> Res<Option<Sym>> {
        let receiver_class = match receiver {
            Sym::Known(Value::Class(c)) => c.clone(),
            _ => self.class_of(receiver)?,
        };
        self.guard_class(&receiver_class);
        let Some(found) = receiver_class.lookup_after(class, name) else {
            return Ok(None);
        };
        // `object.__setattr__` and its siblings are natives that `call` knows.
        self.bind(&found, receiver, &receiver_class).map(Some)
    }

    fn instance_attr(&mut self, obj: Obj, name: &Name) -> Res<Option<Sym>> {
        let Kind::Instance(instance) = &self.state.heap[obj].kind else {
            return self.fail("not an instance");
        };
        let class = instance.class.clone();
        let payload = instance.payload;
        if class.flags.get().custom_getattribute {
            return self.fail("a class with __getattribute__ has no graph form");
        }
        self.guard_class(&class);
        if name.as_str() == "__class__" {
            return Ok(Some(Sym::Known(Value::Class(class))));
        }
        if name.as_str() == "__dict__" {
            return Ok(Some(self.alloc(Kind::InstanceDict(obj))));
        }
        let found = class.lookup(name);
        if let Some(found) = &found
            && is_data_descriptor(found)
        {
            return self.bind(found, &Sym::Obj(obj), &class).map(Some);
        }
        if let Some(v) = self.own_attr(obj, name)? {
            return Ok(Some(v));
        }
        if let Some(found) = found {
            if let (Found::Method(Value::Native(_)), Some(payload)) = (classify(&found), payload) {
                // A method of the built-in base works on what the base stores.
                return self.bind(&found, &Sym::Obj(payload), &class).map(Some);
            }
            return self.bind(&found, &Sym::Obj(obj), &class).map(Some);
        }
        if class.flags.get().custom_getattr
            && let Some(getattr) = class.lookup(&Name::new("__getattr__"))
        {
            let args = vec![Sym::Obj(obj), Sym::Known(name.to_value())];
            return self.call(&Sym::Known(getattr), args, Vec::new()).map(Some);
        }
        Ok(None)
    }

    /// An entry of an instance's own dict.
    pub(crate) fn own_attr(&mut self, obj: Obj, name: &Name) -> Res<Option<Sym>> {
        let object = &self.state.heap[obj];
        let Kind::Instance(instance) = &object.kind else {
            return self.fail("not an instance");
        };
        if let Some(slot) = instance.attrs.get(name) {
            let slot = slot.clone();
            let value = self.load_slot(&slot)?;
            if let (Slot::Unloaded(_), Some(v)) = (&slot, &value) {
                self.keep_attr(obj, name, Slot::Loaded(v.clone()));
            }
            return Ok(value);
        }
        let Some(origin) = object.origin.clone() else {
            return Ok(None);
        };
        let Value::Instance(real) = &origin.value else {
            return self.fail("not an instance");
        };
        let path: Rc<str> = format!("{}.{}", origin.path, name.as_str()).into();
        let step = Step::InstanceAttr(origin.node, name.clone());
        let dict = real.dict.get();
        let value = match dict.and_then(|d| d.get_name(name)) {
            Some(value) => Some(self.wrap(&Unloaded { step, value, path })?),
            None => {
                // A known layout proves the absence of a name.
                if dict.is_some_and(|d| d.layout() == 0 && !d.is_empty()) {
                    self.node(step, Check::Missing, &path);
                }
                None
            }
        };
        self.keep_attr(obj, name, value.clone().map_or(Slot::Empty, Slot::Loaded));
        Ok(value)
    }

    fn keep_attr(&mut self, obj: Obj, name: &Name, slot: Slot) {
        if let Kind::Instance(instance) = &mut self.state.heap[obj].kind {
            instance.attrs.insert(name.clone(), slot);
        }
    }

    /// The instance whose `__dict__` this is.
    pub(crate) fn dict_owner(&self, v: &Sym) -> Option<Obj> {
        let Sym::Obj(o) = v else { return None };
        match &self.state.heap[*o].kind {
            Kind::InstanceDict(owner) => Some(*owner),
            _ => None,
        }
    }

    /// `object.name = value`, or `del object.name`.
    pub(crate) fn set_attr(&mut self, object: &Sym, name: &Name, value: Option<Sym>) -> Res<()> {
        let Sym::Obj(obj) = object else {
            return self.fail(format!(
                "attribute {} of a {} is written",
                name.as_str(),
                self.class_of(object)?.display_name()
            ));
        };
        match &self.state.heap[*obj].kind {
            Kind::Tensor(_) => return self.set_tensor_attr(*obj, name, value),
            Kind::Instance(_) => {}
            _ => {
                return self.fail(format!(
                    "attribute {} of a built-in object is written",
                    name.as_str()
                ));
            }
        }
        let class = self.class_of(object)?;
        self.guard_class(&class);
        if class.flags.get().custom_setattr {
            let method = Name::new(if value.is_some() {
                "__setattr__"
            } else {
                "__delattr__"
            });
            if let Some(f @ Value::Function(_)) = class.lookup(&method) {
                let mut args = vec![object.clone(), Sym::Known(name.to_value())];
                args.extend(value);
                self.call(&Sym::Known(f), args, Vec::new())?;
                return Ok(());
            }
        }
        self.set_own_attr(*obj, name, value)
    }

    /// What `object.__setattr__` does.
    pub(crate) fn set_own_attr(&mut self, obj: Obj, name: &Name, value: Option<Sym>) -> Res<()> {
        let class = self.class_of(&Sym::Obj(obj))?;
        if let Some(found) = class.lookup(name)
            && is_data_descriptor(&found)
        {
            let Value::Instance(instance) = &found else {
                return self.fail("a native attribute is written");
            };
            let Payload::Property(property) = &instance.payload else {
                return self.fail("a descriptor written in Python has no graph form yet");
            };
            let (function, mut args) = match value {
                Some(v) => (property.set.clone(), vec![Sym::Obj(obj), v]),
                None => (property.del.clone(), vec![Sym::Obj(obj)]),
            };
            if function.is_none() {
                return self.fail("it would raise: the property cannot be set");
            }
            self.call(&Sym::Known(function), std::mem::take(&mut args), Vec::new())?;
            return Ok(());
        }
        if value.is_none() && self.own_attr(obj, name)?.is_none() {
            return self.fail(format!("it would raise: no attribute '{}'", name.as_str()));
        }
        // Whether the name is there decides over the layout that the commit leaves behind.
        if let Kind::Instance(instance) = &mut self.state.heap[obj].kind {
            instance
                .attrs
                .insert(name.clone(), value.map_or(Slot::Empty, Slot::Loaded));
            instance.written.insert(name.clone());
        }
        Ok(())
    }

    // ---- items ---------------------------------------------------------------------------

    /// The list, tuple or dict behind a value, through subclasses.
    pub(crate) fn container(&self, v: &Sym) -> Option<Obj> {
        let Sym::Obj(o) = v else { return None };
        match &self.state.heap[*o].kind {
            Kind::List(_) | Kind::Tuple(_) | Kind::Dict(_) => Some(*o),
            Kind::Instance(i) => i.payload,
            _ => None,
        }
    }

    /// The special method of an object whose class is written in Python, if it defines one.
    pub(crate) fn python_method(&mut self, v: &Sym, name: &str) -> Res<Option<Sym>> {
        let Sym::Obj(o) = v else { return Ok(None) };
        if !matches!(self.state.heap[*o].kind, Kind::Instance(_)) {
            return Ok(None);
        }
        let class = self.class_of(v)?;
        match class.lookup(&Name::new(name)) {
            Some(f @ Value::Function(_)) => {
                self.guard_class(&class);
                Ok(Some(Sym::Known(f)))
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn get_item(&mut self, container: &Sym, key: &Sym) -> Res<Sym> {
        if self.is_tensor(container) {
            return self.torch(
                "Tensor.__getitem__",
                vec![container.clone(), key.clone()],
                Vec::new(),
            );
        }
        if let Some(method) = self.python_method(container, "__getitem__")? {
            return self.call(&method, vec![container.clone(), key.clone()], Vec::new());
        }
        if let Some(owner) = self.dict_owner(container) {
            let Sym::Known(Value::Str(s)) = key else {
                return self.fail("a computed key of __dict__");
            };
            return match self.own_attr(owner, &Name::new(s.as_str()))? {
                Some(v) => Ok(v),
                None => self.fail("it would raise: KeyError"),
            };
        }
        if let Sym::Known(value) = container {
            let value = value.clone();
            if let Sym::Known(key) = key {
                let key = key.clone();
                return match ops::get_item(self.vm, &value, &key) {
                    Ok(v) => Ok(Sym::Known(v)),
                    Err(_) => self.fail("it would raise: an item that is not there"),
                };
            }
            if let (Value::Tuple(t), Sym::Obj(_)) = (&value, key) {
                let items: Vec<Sym> = t.items.iter().cloned().map(Sym::Known).collect();
                return self.slice_items(items, key, false);
            }
            return self.fail("an index that moves, into a constant");
        }
        let Some(obj) = self.container(container) else {
            return self.fail(format!(
                "items of a {}",
                self.class_of(container)?.display_name()
            ));
        };
        if let Kind::Dict(_) = self.state.heap[obj].kind {
            return match self.dict_get(obj, key)? {
                Some(v) => Ok(v),
                None => {
                    if let Some(method) = self.python_method(container, "__missing__")? {
                        return self.call(
                            &method,
                            vec![container.clone(), key.clone()],
                            Vec::new(),
                        );
                    }
                    self.fail("it would raise: KeyError")
                }
            };
        }
        if let Some(v) = self.tail_item(obj, key)? {
            return Ok(v);
        }
        let items = self.items_of(obj)?;
        match key {
            Sym::Known(Value::Int(_) | Value::Bool(_)) => {
                let i = key.known().and_then(Value::as_int).unwrap_or(0);
                match self.index(i, items.len()) {
                    Some(i) => Ok(items[i].clone()),
                    None => self.fail("it would raise: index out of range"),
                }
            }
            Sym::Obj(_) => {
                let is_list = matches!(self.state.heap[obj].kind, Kind::List(_));
                self.slice_items(items, key, is_list)
            }
            Sym::Scalar(_) => {
                self.fail("a list is indexed by an int that moves; it has no graph form yet")
            }
            _ => self.fail("it would raise: a bad index"),
        }
    }

    fn index(&self, i: i64, len: usize) -> Option<usize> {
        let len = i64::try_from(len).ok()?;
        let i = if i < 0 { i + len } else { i };
        (0..len)
            .contains(&i)
            .then(|| usize::try_from(i).ok())
            .flatten()
    }

    fn slice_items(&mut self, items: Vec<Sym>, key: &Sym, list: bool) -> Res<Sym> {
        let Sym::Obj(o) = key else {
            return self.fail("a bad index");
        };
        let Kind::Slice([start, stop, step]) = self.state.heap[*o].kind.clone() else {
            return self.fail("a bad index");
        };
        let bound = |this: &Self, v: &Sym| match v {
            Sym::Known(Value::None) => Ok(None),
            Sym::Known(v) if v.as_int().is_some() => Ok(v.as_int()),
            _ => this.fail("a slice whose bounds move, of a list"),
        };
        let (start, stop, step) = (
            bound(self, &start)?,
            bound(self, &stop)?,
            bound(self, &step)?,
        );
        let range = janus_object::resolve_slice(start, stop, step.unwrap_or(1), items.len());
        let picked: Vec<Sym> = range
            .indices()
            .filter_map(|i| items.get(i).cloned())
            .collect();
        Ok(if list {
            self.list(picked)
        } else {
            self.tuple(picked)
        })
    }

    /// The entry of a dict, loaded.
    pub(crate) fn dict_get(&mut self, obj: Obj, key: &Sym) -> Res<Option<Sym>> {
        let Some(at) = self.dict_find(obj, key)? else {
            return Ok(None);
        };
        let Kind::Dict(dict) = &self.state.heap[obj].kind else {
            return self.fail("not a dict");
        };
        let slot = dict.entries[at].1.clone();
        let value = self.load_slot(&slot)?;
        if let (Slot::Unloaded(_), Some(v), Kind::Dict(dict)) =
            (&slot, &value, &mut self.state.heap[obj].kind)
        {
            dict.entries[at].1 = Slot::Loaded(v.clone());
        }
        Ok(value)
    }

    fn dict_find(&mut self, obj: Obj, key: &Sym) -> Res<Option<usize>> {
        let Kind::Dict(dict) = &self.state.heap[obj].kind else {
            return self.fail("not a dict");
        };
        let keys: Vec<Sym> = dict.entries.iter().map(|(k, _)| k.clone()).collect();
        for (i, k) in keys.iter().enumerate() {
            if self.same_key(k, key)? {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }

    pub(crate) fn same_key(&mut self, a: &Sym, b: &Sym) -> Res<bool> {
        match (a, b) {
            (Sym::Known(x), Sym::Known(y)) => {
                if let (Value::Str(x), Value::Str(y)) = (x, y) {
                    return Ok(x.as_str() == y.as_str());
                }
                if matches!(x, Value::Instance(_)) || matches!(y, Value::Instance(_)) {
                    return Ok(ops::is(x, y));
                }
                let (x, y) = (x.clone(), y.clone());
                Ok(ops::eq(self.vm, &x, &y).unwrap_or(false))
            }
            (Sym::Obj(x), Sym::Obj(y)) => {
                if x == y {
                    return Ok(true);
                }
                match (&self.state.heap[*x].kind, &self.state.heap[*y].kind) {
                    (Kind::Tuple(_) | Kind::Text(_), _) | (_, Kind::Tuple(_) | Kind::Text(_)) => {
                        self.fail("a dict key that is put together at run time")
                    }
                    _ => Ok(false),
                }
            }
            (Sym::Scalar(_), _) | (_, Sym::Scalar(_)) => {
                self.fail("a dict key that moves has no graph form yet")
            }
            _ => Ok(false),
        }
    }

    pub(crate) fn set_item(&mut self, container: &Sym, key: &Sym, value: Option<Sym>) -> Res<()> {
        if self.is_tensor(container) {
            let Some(value) = value else {
                return self.fail("it would raise: del of a tensor's item");
            };
            self.torch(
                "Tensor.__setitem__",
                vec![container.clone(), key.clone(), value],
                Vec::new(),
            )?;
            return Ok(());
        }
        let special = if value.is_some() {
            "__setitem__"
        } else {
            "__delitem__"
        };
        if let Some(method) = self.python_method(container, special)? {
            let mut args = vec![container.clone(), key.clone()];
            args.extend(value);
            self.call(&method, args, Vec::new())?;
            return Ok(());
        }
        if let Some(owner) = self.dict_owner(container) {
            let Sym::Known(Value::Str(s)) = key else {
                return self.fail("a computed key of __dict__");
            };
            if let Kind::Instance(instance) = &mut self.state.heap[owner].kind {
                let name = Name::new(s.as_str());
                instance
                    .attrs
                    .insert(name.clone(), value.map_or(Slot::Empty, Slot::Loaded));
                instance.written.insert(name);
            }
            return Ok(());
        }
        let Some(obj) = self.container(container) else {
            return self.fail(format!(
                "an item of a {} is written",
                self.class_of(container)?.display_name()
            ));
        };
        match &self.state.heap[obj].kind {
            Kind::Dict(_) => {
                let at = self.dict_find(obj, key)?;
                let Kind::Dict(dict) = &mut self.state.heap[obj].kind else {
                    return self.fail("not a dict");
                };
                match (at, value) {
                    (Some(at), Some(v)) => dict.entries[at].1 = Slot::Loaded(v),
                    (None, Some(v)) => dict.entries.push((key.clone(), Slot::Loaded(v))),
                    (Some(at), None) => {
                        dict.entries.remove(at);
                    }
                    (None, None) => return self.fail("it would raise: KeyError"),
                }
                let Kind::Dict(dict) = &mut self.state.heap[obj].kind else {
                    return self.fail("not a dict");
                };
                dict.written.push(key.clone());
                Ok(())
            }
            Kind::List(_) => {
                let items = self.items_of(obj)?;
                let at = match key {
                    Sym::Known(k) => k.as_int().and_then(|i| self.index(i, items.len())),
                    _ => {
                        return self.fail(
                            "an item of a list is written at an index that moves, or by slice",
                        );
                    }
                };
                let Some(at) = at else {
                    return self.fail("it would raise: index out of range");
                };
                let mut items = items;
                match value {
                    Some(v) => items[at] = v,
                    None => {
                        items.remove(at);
                    }
                }
                self.rewrite_list(obj, items);
                Ok(())
            }
            _ => self.fail("it would raise: a tuple's item is written"),
        }
    }

    /// Gives a list new content.
    pub(crate) fn rewrite_list(&mut self, obj: Obj, items: Vec<Sym>) {
        if let Kind::List(list) = &mut self.state.heap[obj].kind {
            list.base = Some(items.into_iter().map(Slot::Loaded).collect());
            list.appended.clear();
            list.rewritten = true;
        }
    }

    pub(crate) fn append(&mut self, list: &Sym, value: Sym) -> Res<()> {
        let Some(obj) = self.container(list) else {
            return self.fail("append to what is no list");
        };
        let fresh = self.state.heap[obj].origin.is_none();
        match &mut self.state.heap[obj].kind {
            Kind::List(l) if fresh || l.rewritten => {
                l.base
                    .get_or_insert_with(Vec::new)
                    .push(Slot::Loaded(value));
                Ok(())
            }
            Kind::List(l) => {
                l.appended.push((value, None));
                Ok(())
            }
            _ => self.fail("append to what is no list"),
        }
    }

    pub(crate) fn contains(&mut self, item: &Sym, container: &Sym) -> Res<Sym> {
        if let (Sym::Known(i), Sym::Known(c)) = (item, container) {
            let (i, c) = (i.clone(), c.clone());
            return match ops::contains(self.vm, &i, &c) {
                Ok(b) => Ok(Sym::Known(Value::Bool(b))),
                Err(_) => self.fail("it would raise at `in`"),
            };
        }
        if let Some(method) = self.python_method(container, "__contains__")? {
            return self.call(&method, vec![container.clone(), item.clone()], Vec::new());
        }
        if let Some(owner) = self.dict_owner(container) {
            let Sym::Known(Value::Str(s)) = item else {
                return self.fail("a computed key of __dict__");
            };
            let found = self.own_attr(owner, &Name::new(s.as_str()))?.is_some();
            return Ok(Sym::Known(Value::Bool(found)));
        }
        if let Sym::Obj(o) = container
            && matches!(self.state.heap[*o].kind, Kind::Set(_))
        {
            let found = self.set_find(container, item)?.is_some();
            return Ok(Sym::Known(Value::Bool(found)));
        }
        let Some(obj) = self.container(container) else {
            return self.fail(format!(
                "`in` on a {}",
                self.class_of(container)?.display_name()
            ));
        };
        if let Kind::Dict(_) = self.state.heap[obj].kind {
            let found = self.dict_find(obj, item)?.is_some();
            return Ok(Sym::Known(Value::Bool(found)));
        }
        let items = self.items_of(obj)?;
        let mut any = Sym::Known(Value::Bool(false));
        for v in items {
            if v.same(item) && !matches!(v, Sym::Scalar(_)) {
                return Ok(Sym::Known(Value::Bool(true)));
            }
            let equal = self.compare(CompareOp::Eq, &v, item)?;
            match self.truth(&equal)? {
                Truth::Known(true) => return Ok(Sym::Known(Value::Bool(true))),
                Truth::Known(false) => {}
                Truth::Dynamic(_) => any = self.binary(BinaryOp::Or, &any, &equal)?,
            }
        }
        Ok(any)
    }

    pub(crate) fn len(&mut self, v: &Sym) -> Res<Sym> {
        if self.is_tensor(v) {
            return self.torch("Tensor.__len__", vec![v.clone()], Vec::new());
        }
        if let Some(method) = self.python_method(v, "__len__")? {
            return self.call(&method, vec![v.clone()], Vec::new());
        }
        if let Sym::Known(value) = v {
            let value = value.clone();
            return match ops::len(self.vm, &value) {
                Ok(n) => Ok(Sym::Known(Value::Int(i64::try_from(n).unwrap_or(i64::MAX)))),
                Err(_) => self.fail("it would raise: len()"),
            };
        }
        if let Sym::Obj(o) = v
            && let Kind::Set(items) = &self.state.heap[*o].kind
        {
            let n = i64::try_from(items.len()).unwrap_or(i64::MAX);
            return Ok(Sym::Known(Value::Int(n)));
        }
        let Some(obj) = self.container(v) else {
            return self.fail(format!("len() of a {}", self.class_of(v)?.display_name()));
        };
        if let Some(length) = self.entry_length(obj)? {
            return Ok(length);
        }
        let n = match &self.state.heap[obj].kind {
            Kind::List(l) => l.base.as_ref().map_or(0, Vec::len) + l.appended.len(),
            Kind::Tuple(items) => items.len(),
            Kind::Dict(d) => d.entries.len(),
            _ => return self.fail("len()"),
        };
        Ok(Sym::Known(Value::Int(i64::try_from(n).unwrap_or(i64::MAX))))
    }

    /// The length of a list whose items nobody looked at: a number read at entry, and what was
    /// appended since.
    fn entry_length(&mut self, obj: Obj) -> Res<Option<Sym>> {
        let object = &self.state.heap[obj];
        let (Kind::List(list), Some(origin)) = (&object.kind, &object.origin) else {
            return Ok(None);
        };
        if list.base.is_some() || list.rewritten {
            return Ok(None);
        }
        let Some(length) = origin.value.as_list().map(|l| l.len()) else {
            self.materialise(obj)?;
            return Ok(None);
        };
        let mut always = 0;
        let mut sometimes = Vec::new();
        for (_, condition) in &list.appended {
            match condition {
                Some(c) => sometimes.push(*c),
                None => always += 1,
            }
        }
        let at_entry = self.wrap(&Unloaded {
            step: Step::Length(origin.node),
            value: Value::Int(i64::try_from(length).unwrap_or(i64::MAX)),
            path: format!("len({})", origin.path).into(),
        })?;
        let always = Sym::Known(Value::Int(always));
        let mut length = self.binary(BinaryOp::Add, &at_entry, &always)?;
        for id in sometimes {
            let happened = Sym::Scalar(SymScalar {
                id,
                ty: ScalarType::Bool,
            });
            length = self.binary(BinaryOp::Add, &length, &happened)?;
        }
        Ok(Some(length))
    }

    /// `list[-k]` or `list[-k:]` of a list that was there at entry, without a look at the rest.
    fn tail_item(&mut self, obj: Obj, key: &Sym) -> Res<Option<Sym>> {
        let start = match key {
            Sym::Known(Value::Int(i)) => *i,
            Sym::Obj(slice) => match &self.state.heap[*slice].kind {
                Kind::Slice(
                    [
                        Sym::Known(Value::Int(i)),
                        Sym::Known(Value::None),
                        Sym::Known(Value::None),
                    ],
                ) => *i,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let object = self.state.heap[obj].clone();
        let (Kind::List(list), Some(origin)) = (&object.kind, &object.origin) else {
            return Ok(None);
        };
        let Some(real) = origin.value.as_list().map(|l| l.to_vec()) else {
            return Ok(None);
        };
        let count = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
        let certain = list.appended.iter().all(|(_, c)| c.is_none());
        if start >= 0
            || list.base.is_some()
            || !certain
            || count > real.len().saturating_add(list.appended.len())
            || count > MAX_TAIL
        {
            return Ok(None);
        }
        let mut items = Vec::with_capacity(count);
        for back in (1..=count).rev() {
            let appended = list.appended.len();
            let item = if back <= appended {
                list.appended[appended - back].0.clone()
            } else {
                let k = back - appended;
                self.wrap(&Unloaded {
                    step: Step::ItemFromEnd(origin.node, k),
                    value: real[real.len() - k].clone(),
                    path: format!("{}[-{k}]", origin.path).into(),
                })?
            };
            if matches!(key, Sym::Known(_)) {
                return Ok(Some(item));
            }
            items.push(item);
        }
        Ok(Some(self.list(items)))
    }

    // ---- operators -----------------------------------------------------------------------

    pub(crate) fn object_binary(&mut self, op: BinaryOp, a: &Sym, b: &Sym) -> Res<Sym> {
        let (x, y) = (self.container(a), self.container(b));
        let is_plain = |this: &Self, o: Option<Obj>| {
            o.is_some_and(|o| matches!(this.state.heap[o].kind, Kind::List(_) | Kind::Tuple(_)))
        };
        let sequence = is_plain(self, x) || matches!(a, Sym::Known(Value::Tuple(_)));
        match op {
            BinaryOp::InplaceAdd
                if x.is_some_and(|o| matches!(self.state.heap[o].kind, Kind::List(_))) =>
            {
                for v in self.collect(b)? {
                    self.append(a, v)?;
                }
                return Ok(a.clone());
            }
            BinaryOp::Add | BinaryOp::InplaceAdd if sequence => {
                let mut items = self.collect(a)?;
                items.extend(self.collect(b)?);
                let list = x.is_some_and(|o| matches!(self.state.heap[o].kind, Kind::List(_)));
                return Ok(if list {
                    self.list(items)
                } else {
                    self.tuple(items)
                });
            }
            BinaryOp::Mul if sequence && b.known().and_then(Value::as_int).is_some() => {
                let items = self.collect(a)?;
                let times =
                    usize::try_from(b.known().and_then(Value::as_int).unwrap_or(0)).unwrap_or(0);
                if items.len().saturating_mul(times) > 10_000 {
                    return self.fail("a long list is made");
                }
                let list = x.is_some_and(|o| matches!(self.state.heap[o].kind, Kind::List(_)));
                let all: Vec<Sym> = std::iter::repeat_n(items, times).flatten().collect();
                return Ok(if list {
                    self.list(all)
                } else {
                    self.tuple(all)
                });
            }
            BinaryOp::Add | BinaryOp::InplaceAdd if self.is_text(a) || self.is_text(b) => {
                return self.join_text(&[a.clone(), b.clone()]);
            }
            _ => {}
        }
        let _ = y;
        let plain = special_name(op.plain());
        let names: &[(String, bool)] = &[
            (format!("__i{plain}__"), op.is_inplace()),
            (format!("__{plain}__"), true),
        ];
        for (name, wanted) in names {
            if *wanted && let Some(method) = self.python_method(a, name)? {
                let v = self.call(&method, vec![a.clone(), b.clone()], Vec::new())?;
                if !matches!(v, Sym::Known(Value::NotImplemented)) {
                    return Ok(v);
                }
            }
        }
        if let Some(method) = self.python_method(b, &format!("__r{plain}__"))? {
            let v = self.call(&method, vec![b.clone(), a.clone()], Vec::new())?;
            if !matches!(v, Sym::Known(Value::NotImplemented)) {
                return Ok(v);
            }
        }
        let (x, y) = (
            self.class_of(a)?.display_name(),
            self.class_of(b)?.display_name(),
        );
        self.fail(format!(
            "`{}` on '{x}' and '{y}' has no graph form",
            op.symbol()
        ))
    }

    pub(crate) fn object_compare(&mut self, op: CompareOp, a: &Sym, b: &Sym) -> Res<Sym> {
        let (name, swapped) = match op {
            CompareOp::Lt => ("__lt__", "__gt__"),
            CompareOp::Le => ("__le__", "__ge__"),
            CompareOp::Eq => ("__eq__", "__eq__"),
            CompareOp::Ne => ("__ne__", "__ne__"),
            CompareOp::Gt => ("__gt__", "__lt__"),
            CompareOp::Ge => ("__ge__", "__le__"),
        };
        if let Some(method) = self.python_method(a, name)? {
            return self.call(&method, vec![a.clone(), b.clone()], Vec::new());
        }
        if let Some(method) = self.python_method(b, swapped)? {
            return self.call(&method, vec![b.clone(), a.clone()], Vec::new());
        }
        let sequence = |this: &Self, v: &Sym| match v {
            Sym::Known(Value::Tuple(_)) => Some(false),
            _ => this
                .container(v)
                .and_then(|o| match this.state.heap[o].kind {
                    Kind::List(_) => Some(true),
                    Kind::Tuple(_) => Some(false),
                    _ => None,
                }),
        };
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        if equality && let (Some(x), Some(y)) = (sequence(self, a), sequence(self, b)) {
            let (p, q) = (self.collect(a)?, self.collect(b)?);
            let mut all = Sym::Known(Value::Bool(x == y && p.len() == q.len()));
            if x == y && p.len() == q.len() {
                for (v, w) in p.iter().zip(&q) {
                    if v.same(w) && !matches!(v, Sym::Scalar(_)) {
                        continue;
                    }
                    let equal = self.compare(CompareOp::Eq, v, w)?;
                    match self.truth(&equal)? {
                        Truth::Known(true) => {}
                        Truth::Known(false) => {
                            all = Sym::Known(Value::Bool(false));
                            break;
                        }
                        Truth::Dynamic(_) => all = self.binary(BinaryOp::And, &all, &equal)?,
                    }
                }
            }
            return if op == CompareOp::Ne {
                self.not(&all)
            } else {
                Ok(all)
            };
        }
        if equality && !self.is_text(a) && !self.is_text(b) {
            // Objects without __eq__ are equal when they are the same.
            let same = self.is(a, b)?;
            return Ok(Sym::Known(Value::Bool(same == (op == CompareOp::Eq))));
        }
        let (x, y) = (
            self.class_of(a)?.display_name(),
            self.class_of(b)?.display_name(),
        );
        self.fail(format!(
            "`{}` on '{x}' and '{y}' has no graph form",
            op.symbol()
        ))
    }

    pub(crate) fn instance_truth(&mut self, v: &Sym) -> Res<Truth> {
        if let Some(method) = self.python_method(v, "__bool__")? {
            let b = self.call(&method, vec![v.clone()], Vec::new())?;
            return self.truth(&b);
        }
        if self.python_method(v, "__len__")?.is_some() || self.container(v).is_some() {
            let len = self.len(v)?;
            return self.truth(&len);
        }
        Ok(Truth::Known(true))
    }

    pub(crate) fn is_text(&self, v: &Sym) -> bool {
        match v {
            Sym::Known(Value::Str(_)) => true,
            Sym::Obj(o) => matches!(self.state.heap[*o].kind, Kind::Text(_)),
            _ => false,
        }
    }
}

/// The middle of a special method's name.
fn special_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::TrueDiv => "truediv",
        BinaryOp::FloorDiv => "floordiv",
        BinaryOp::Mod => "mod",
        BinaryOp::Pow => "pow",
        BinaryOp::MatMul => "matmul",
        BinaryOp::LShift => "lshift",
        BinaryOp::RShift => "rshift",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        _ => "inplace",
    }
}
