//! Brings values that are there at entry into the symbolic heap: one node and one check each.
//!
//! In: a path to a value, and the value as it is now. Out: a [`Sym`]. Always: the same object is
//! the same [`Obj`], however it is reached; a value that graph code depends on has a node.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use janus_dialect::{Attr, Passes, Type, ValueId};
use janus_object::twister::TwisterCell;
use janus_object::{Class, Instance, Name, Payload, PyDict, PyRef, Value, types};
use janus_plan::{Check, Load, Namespace, NodeId, ReasonId, Relax, ScalarType, Step, TensorCheck};
use janus_tensor::ops::{Dim, Dims};
use janus_tensor::{Device, Tensor};

use crate::emit::ops::NO_NUMBERS;
use crate::entry::reads::Way;
use crate::executor::Executor;
use crate::state::dims::{DimInfo, Source};
use crate::state::open::SymOpen;
use crate::state::place::Place;
use crate::state::sym::{
    HeapObject, Kind, Leaf, Obj, Origin, Slot, Stored, Sym, SymDict, SymInstance, SymIter, SymList,
    SymNamespace, SymTensor, Tape, Unloaded, address,
};
use crate::state::types::element;
use crate::{Res, Stop};

/// Containers longer than this are not looked into.
const MAX_ITEMS: usize = 10_000;

/// Why a dict is refused that is a namespace, and the other way round.
const NAMESPACE_AS_DICT: &str = "a dict that is the namespace of code, too";

impl Executor<'_> {
    /// Looks at a value that is there at entry.
    pub(crate) fn wrap(&mut self, u: &Unloaded) -> Res<Sym> {
        let known = |this: &mut Self, check: Check| {
            this.node(u.step.clone(), check, &u.path);
            Ok(Sym::Known(u.value.clone()))
        };
        if let Step::Pinned(_) = u.step
            && !matches!(
                u.value,
                Value::List(_)
                    | Value::Dict(_)
                    | Value::Set(_)
                    | Value::Instance(_)
                    | Value::Tuple(_)
                    | Value::Iter(_)
                    | Value::Generator(_)
            )
        {
            return Ok(Sym::Known(u.value.clone()));
        }
        match &u.value {
            Value::Int(_) | Value::Bool(_) if self.is_symbolic(&u.path) => {
                let ty = if matches!(u.value, Value::Int(_)) {
                    ScalarType::Int
                } else {
                    ScalarType::Bool
                };
                let node = self.node(u.step.clone(), Check::Scalar(ty), &u.path);
                let v = self.load_scalar(node, ty)?;
                self.note_host(&v, node, &u.value);
                Ok(v)
            }
            Value::Float(f) => {
                let f = *f;
                let node = self.node(u.step.clone(), Check::Scalar(ScalarType::Float), &u.path);
                let loaded = self.load_scalar(node, ScalarType::Float)?;
                if let (Sym::Scalar(s), false) =
                    (&loaded, self.region.relaxations.symbolic.contains(&u.path))
                {
                    self.entry_numbers.floats.insert(s.id, (node, f.get()));
                }
                Ok(loaded)
            }
            Value::Str(_) if self.region.relaxations.symbolic.contains(&u.path) => {
                Ok(self.wrap_told(u))
            }
            Value::None | Value::Bool(_) | Value::Int(_) | Value::BigInt(_) | Value::Str(_) => {
                if matches!(u.value, Value::Int(_) | Value::Bool(_)) {
                    let shown = match &u.value {
                        Value::Int(i) => i.to_string(),
                        other => {
                            if other.as_int() == Some(1) {
                                "True".into()
                            } else {
                                "False".into()
                            }
                        }
                    };
                    self.entry.assumed.push(format!("{} is {shown}", u.path));
                }
                known(self, Check::Equal(u.value.clone()))
            }
            Value::Bytes(_)
            | Value::Range(_)
            | Value::Slice(_)
            | Value::Function(_)
            | Value::Native(_)
            | Value::Class(_)
            | Value::Module(_)
            | Value::Code(_)
            | Value::Ellipsis
            | Value::NotImplemented => known(self, Check::Same(u.value.clone())),
            Value::Method(method) => {
                let key = address(&u.value).unwrap_or(0);
                if let Some(obj) = self.known_object(key, u) {
                    return Ok(Sym::Obj(obj));
                }
                let (function, receiver) = (method.function.clone(), method.receiver.clone());
                let node = self.node(u.step.clone(), Check::None, &u.path);
                let function = self.wrap(&Unloaded {
                    step: Step::MethodFunction(node),
                    value: function,
                    path: format!("{}.__func__", u.path).into(),
                })?;
                let receiver = self.wrap(&Unloaded {
                    step: Step::MethodReceiver(node),
                    value: receiver,
                    path: format!("{}.__self__", u.path).into(),
                })?;
                // It has an identity, which `is` may ask for.
                let kind = Kind::Method { function, receiver };
                Ok(Sym::Obj(self.adopt(key, node, u, kind)))
            }
            Value::Set(set) if set.frozen => known(self, Check::Same(u.value.clone())),
            // What it yields is no graph's business, but it may stand on the stack of a call that takes it.
            Value::Iter(_) | Value::Generator(_) => {
                let key = address(&u.value).unwrap_or(0);
                if let Some(obj) = self.known_object(key, u) {
                    return Ok(Sym::Obj(obj));
                }
                let generator = matches!(u.value, Value::Generator(_));
                let node = self.node(u.step.clone(), Check::Iterator { generator }, &u.path);
                Ok(Sym::Obj(self.adopt(
                    key,
                    node,
                    u,
                    Kind::Opaque { generator },
                )))
            }
            Value::Cell(_) => self.refuse(
                ReasonId::NoGraphForm,
                format!(
                    "{} is a {}, which has no graph form yet",
                    u.path,
                    u.value.type_name()
                ),
            ),
            Value::Tuple(_)
            | Value::List(_)
            | Value::Dict(_)
            | Value::Set(_)
            | Value::Instance(_) => self.wrap_object(u),
        }
    }

    /// Whether an int or bool is read at each entry.
    pub(crate) fn is_symbolic(&self, path: &str) -> bool {
        !self.region.passes.has(Passes::SPECIALIZE)
            || self.region.relaxations.symbolic.contains(path)
    }

    /// The object that is already known at this address, with a guard that it still is the same.
    fn known_object(&mut self, address: usize, u: &Unloaded) -> Option<Obj> {
        let obj = *self.state.by_address.get(&address)?;
        if let Some(known) =
            self.entry
                .separated
                .get(&(u.path.clone(), u.step.parent(), u.step.key()))
        {
            return Some(*known);
        }
        if self.is_separate(obj, u) {
            return None;
        }
        if let Some(origin) = self.state.heap[obj].origin.clone() {
            self.node(u.step.clone(), Check::SameAs(origin.node), &u.path);
        }
        Some(obj)
    }

    /// Whether a path leads to an object of its own, though another one leads there, too, now. What is written, and
    /// what is asked for its identity, is guarded to be another object.
    fn is_separate(&self, known: Obj, u: &Unloaded) -> bool {
        let unchanging = match &self.state.heap[known].kind {
            Kind::Tuple(_) => true,
            Kind::Tensor(t) => !t.requires_grad,
            _ => false,
        };
        let part_of = |path: &str, whole: &str| {
            let rest = path.strip_prefix(whole);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        };
        let origin = self.state.heap[known].origin.as_ref();
        unchanging
            && self.region.relaxations.separate.iter().any(|whole| {
                part_of(&u.path, whole) || origin.is_some_and(|o| part_of(&o.path, whole))
            })
    }

    pub(crate) fn adopt(&mut self, address: usize, node: NodeId, u: &Unloaded, kind: Kind) -> Obj {
        let origin = Origin {
            node,
            value: u.value.clone(),
            path: u.path.clone(),
        };
        self.register(
            address,
            HeapObject {
                origin: Some(origin),
                kind,
            },
        )
    }

    /// Enters an object that was there at entry. What it looks like now is kept, so that the other
    /// side of a branch can start from it.
    pub(crate) fn register(&mut self, address: usize, object: HeapObject) -> Obj {
        self.state.heap.push(object.clone());
        let obj = self.state.heap.len() - 1;
        if let Some(first) = self.state.by_address.insert(address, obj)
            && let Some(origin) = &object.origin
        {
            self.entry.separated.insert(self.way_to(origin), obj);
            if let Some(origin) = &self.state.heap[first].origin {
                self.entry.separated.insert(self.way_to(origin), first);
            }
        }
        self.entry.pristine.insert(obj, (address, object));
        obj
    }

    /// How an object was come to. Paths alone do not tell keys apart that move.
    fn way_to(&self, origin: &Origin) -> Way {
        let step = self
            .entry
            .nodes
            .get(origin.node.0 as usize)
            .map(|n| &n.step);
        let parent = step.and_then(Step::parent);
        (origin.path.clone(), parent, step.and_then(Step::key))
    }

    fn wrap_object(&mut self, u: &Unloaded) -> Res<Sym> {
        let tensor = u.value.foreign::<Tensor>().cloned();
        let key = match &tensor {
            Some(t) => t.id(),
            None => address(&u.value).unwrap_or(0),
        };
        if let Some(obj) = self.known_object(key, u) {
            return Ok(Sym::Obj(obj));
        }
        if matches!(u.value, Value::Dict(_)) && self.state.namespaces.contains_key(&key) {
            return self.refuse(ReasonId::NoGraphForm, NAMESPACE_AS_DICT);
        }
        if let (Some(tensor), Value::Instance(instance)) = (tensor, &u.value) {
            return self.wrap_tensor(&tensor, instance.class(), u).map(Sym::Obj);
        }
        match &u.value {
            Value::Tuple(t) => {
                let items = t.items.to_vec();
                let node = self.node(u.step.clone(), Check::Tuple(items.len()), &u.path);
                let slots = self.item_slots(node, &items, &u.path)?;
                Ok(Sym::Obj(self.adopt(key, node, u, Kind::Tuple(slots))))
            }
            Value::List(_) => {
                let node = self.node(u.step.clone(), Check::List(None), &u.path);
                if let Some(rows) = self.list_of_rows(node, &u.value, &u.path)? {
                    return Ok(Sym::Obj(self.adopt(key, node, u, rows)));
                }
                let list = SymList {
                    base: None,
                    appended: Vec::new(),
                    rewritten: false,
                    dropped: 0,
                };
                Ok(Sym::Obj(self.adopt(key, node, u, Kind::List(list))))
            }
            Value::Dict(_) if self.is_open(&u.path) => {
                let node = self.node(u.step.clone(), Check::Dict(None), &u.path);
                let open = Kind::Open(SymOpen::default());
                Ok(Sym::Obj(self.adopt(key, node, u, open)))
            }
            Value::Set(set) if !set.frozen && self.is_open(&u.path) => {
                let node = self.node(u.step.clone(), Check::AnySet, &u.path);
                let open = SymOpen {
                    set: true,
                    ..SymOpen::default()
                };
                Ok(Sym::Obj(self.adopt(key, node, u, Kind::Open(open))))
            }
            Value::Dict(dict) => {
                let node = self.node(u.step.clone(), Check::None, &u.path);
                let dict = self.wrap_dict(node, dict, &u.path, false)?;
                Ok(Sym::Obj(self.adopt(key, node, u, Kind::Dict(dict))))
            }
            Value::Set(set) => {
                let told = self.entry_set(set, &u.path);
                if told.is_err() && !set.frozen {
                    return Err(Stop::Again(Relax::Open(u.path.clone())));
                }
                let (check, kind) = told?;
                let node = self.node(u.step.clone(), check, &u.path);
                Ok(Sym::Obj(self.adopt(key, node, u, kind)))
            }
            Value::Instance(instance) => self.wrap_instance(key, &instance.clone(), u),
            _ => self.defect("not an object"),
        }
    }

    fn item_slots(&self, node: NodeId, items: &[Value], path: &Rc<str>) -> Res<Vec<Slot>> {
        if items.len() > MAX_ITEMS {
            return self.refuse(
                ReasonId::TooLarge,
                format!("{path} has more than {MAX_ITEMS} items"),
            );
        }
        let slot = |(i, value): (usize, &Value)| {
            Slot::Unloaded(Unloaded {
                step: Step::Item(node, i),
                value: value.clone(),
                path: format!("{path}[{i}]").into(),
            })
        };
        Ok(items.iter().enumerate().map(slot).collect())
    }

    /// Guards a dict's keys and makes its entries; `stored`: it is what an instance of a derived class stores.
    fn wrap_dict(
        &mut self,
        node: NodeId,
        dict: &PyDict,
        path: &Rc<str>,
        stored: bool,
    ) -> Res<SymDict> {
        let items = dict.items();
        if items.len() > MAX_ITEMS {
            return Err(Stop::Again(Relax::Open(path.clone())));
        }
        let shape = (items.len(), dict.layout());
        self.entry.nodes[node.0 as usize].check = match stored {
            true => Check::StoredDict(shape),
            false => Check::Dict(Some(shape)),
        };
        let mut entries = Vec::with_capacity(items.len());
        for (i, (key, value)) in items.into_iter().enumerate() {
            let shown: Rc<str> = match &key {
                Value::Str(s) => format!("{path}['{}']", s.as_str()).into(),
                Value::Int(n) => format!("{path}[{n}]").into(),
                _ => format!("{path}[key {i}]").into(),
            };
            let sym = if dict.layout() != 0 && matches!(key, Value::Str(_)) {
                Sym::Known(key.clone())
            } else {
                let step = Step::DictKeyAt(node, i);
                self.wrap_key(&Unloaded {
                    step,
                    value: key.clone(),
                    path: format!("{path}.key{i}").into(),
                })?
            };
            let step = Step::DictValue(node, key);
            entries.push((
                sym,
                Slot::Unloaded(Unloaded {
                    step,
                    value,
                    path: shown,
                }),
            ));
        }
        Ok(SymDict {
            entries,
            written: Vec::new(),
            removed: Vec::new(),
        })
    }

    /// A key is guarded by value or identity, never turned into a run-time number.
    fn wrap_key(&mut self, u: &Unloaded) -> Res<Sym> {
        match &u.value {
            Value::Float(_) | Value::Int(_) | Value::Bool(_) => {
                self.node(u.step.clone(), Check::Equal(u.value.clone()), &u.path);
                Ok(Sym::Known(u.value.clone()))
            }
            _ => self.wrap(u),
        }
    }

    fn wrap_instance(&mut self, key: usize, instance: &PyRef<Instance>, u: &Unloaded) -> Res<Sym> {
        if let Some(deque) = self.wrap_deque(key, instance, u)? {
            return Ok(deque);
        }
        let class = instance.class();
        // A generator of Python's `random` is an object with attributes, and a stream that nodes name.
        let is_generator = u.value.foreign::<TwisterCell>().is_some();
        // Members of an enumeration are asked for their identity, numbers of a class for what they store.
        let by_value = matches!(
            instance.payload,
            Payload::Wrapped(Value::Int(_) | Value::Float(_))
        ) && PyRef::ptr_eq(&class.metaclass(), &types().type_);
        let by_identity = !by_value && matches!(instance.payload, Payload::Wrapped(_));
        if !is_generator
            && (by_identity
                || matches!(
                    instance.payload,
                    Payload::Foreign(_)
                        | Payload::Property(_)
                        | Payload::ClassMethod(_)
                        | Payload::StaticMethod(_)
                        | Payload::Super(_)
                        | Payload::DictView(_)
                        | Payload::Set(_)
                        | Payload::Exception(_)
                ))
        {
            // Objects of native modules (dtypes, devices) are known by identity.
            self.node(u.step.clone(), Check::Same(u.value.clone()), &u.path);
            return Ok(Sym::Known(u.value.clone()));
        }
        let identity = !by_value && !self.region.relaxations.structural.contains(&u.path);
        if !identity && instance.shares_dict() {
            return self.refuse(
                ReasonId::ObjectLayout,
                "one of several objects whose __dict__ was set",
            );
        }
        let layout = instance.dict.get().map_or(0, |d| d.layout());
        let check = Check::Instance {
            same: identity.then(|| u.value.clone()),
            class: class.clone(),
            version: class.behaviour.get(),
            layout: Some(layout),
        };
        let node = self.node(u.step.clone(), check, &u.path);
        let value = match &instance.payload {
            Payload::Wrapped(value) => Some(Stored::Value(self.wrap(&Unloaded {
                step: Step::Stored(node),
                value: value.clone(),
                path: format!("{}.<value>", u.path).into(),
            })?)),
            _ => None,
        };
        let payload = match &instance.payload {
            Payload::List(_) => Some(Kind::List(SymList {
                base: None,
                appended: Vec::new(),
                rewritten: false,
                dropped: 0,
            })),
            Payload::Tuple(t) => {
                if !identity {
                    let length = Value::Int(i64::try_from(t.items.len()).unwrap_or(i64::MAX));
                    self.node(Step::Length(node), Check::Equal(length), &u.path);
                }
                Some(Kind::Tuple(self.item_slots(node, &t.items, &u.path)?))
            }
            Payload::Dict(d) => {
                let inner = self.node(Step::Pinned(u.value.clone()), Check::None, &u.path);
                self.entry.nodes[inner.0 as usize].step = u.step.clone();
                Some(if self.is_open(&u.path) {
                    Kind::Open(SymOpen::default())
                } else {
                    Kind::Dict(self.wrap_dict(inner, d, &u.path, true)?)
                })
            }
            _ => None,
        };
        let payload = payload.map(|kind| {
            let origin = Origin {
                node,
                value: u.value.clone(),
                path: u.path.clone(),
            };
            // What the base stores has an address of its own.
            let inner = match &instance.payload {
                Payload::List(l) => PyRef::as_ptr(l).cast::<u8>() as usize,
                Payload::Tuple(t) => PyRef::as_ptr(t).cast::<u8>() as usize,
                Payload::Dict(d) => PyRef::as_ptr(d).cast::<u8>() as usize,
                _ => 0,
            };
            self.register(
                inner,
                HeapObject {
                    origin: Some(origin),
                    kind,
                },
            )
        });
        let instance = SymInstance {
            class,
            attrs: IndexMap::new(),
            written: IndexSet::new(),
            payload: payload.map(Stored::Container).or(value),
        };
        Ok(Sym::Obj(self.adopt(key, node, u, Kind::Instance(instance))))
    }

    /// Refuses objects of a class whose `__torch_function__` has a say in every function.
    pub(crate) fn refuse_overriding(&mut self, class: &PyRef<Class>) -> Res<()> {
        if !janus_torch::overrides::is_overriding(class) {
            return Ok(());
        }
        let name = class.display_name();
        self.refuse(
            ReasonId::SpecialMethod,
            format!("a {name}, whose class has a __torch_function__"),
        )
    }

    fn wrap_tensor(&mut self, tensor: &Tensor, class: PyRef<Class>, u: &Unloaded) -> Res<Obj> {
        self.refuse_overriding(&class)?;
        if let Some(view) = self.wrap_view(tensor, &class, u)? {
            return Ok(view);
        }
        let shape = tensor.shape();
        let dynamic = self.region.relaxations.dynamic_dims.get(&u.path);
        let rows = matches!(u.step, Step::Rows(..));
        let dims: Vec<Option<i64>> = shape
            .iter()
            .enumerate()
            .map(|(i, &n)| {
                // An extent of 1 broadcasts: it is another program.
                let general = !self.region.passes.has(Passes::SPECIALIZE) && n > 1;
                let moved = dynamic.is_some_and(|d| d.contains(&i)) || rows && i == 0;
                // Nor has it parts where it is 0.
                (n == 0 || !general && !moved).then_some(n)
            })
            .collect();
        if tensor.check_view().is_err() {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: one of several views whose base was written to",
            );
        }
        if tensor.is_dead_end() {
            return self.refuse(
                ReasonId::GradientInPlace,
                "a view made in no_grad of what requires grad",
            );
        }
        let dtype = tensor.dtype();
        if tensor.device() == Device::Meta {
            return self.refuse(ReasonId::RareDtype, NO_NUMBERS);
        }
        let requires_grad = tensor.requires_grad();
        let leaf = tensor.is_leaf();
        let check = TensorCheck {
            dims: dims.clone(),
            ..tensor_check(tensor, &class)
        };
        let node = self.node(u.step.clone(), Check::Tensor(check), &u.path);
        let slot = self.entry.loads.len();
        self.entry.loads.push(Load::Tensor(node));
        let ty = Type::Tensor {
            dtype: element(dtype),
            dims: dims.clone(),
        };
        let value = self.emit_load(node, ty, slot)?;
        let mut symbols = Dims::new();
        for (i, dim) in dims.iter().enumerate() {
            symbols.push(match dim {
                Some(n) => Dim::Known(*n),
                None => {
                    let dim = self.at_entry(|this| this.dim_of(value, i, Some(shape[i])))?;
                    if let Some(info) = self.extents.dims.last_mut() {
                        info.source = Source::Entry(node, i);
                    }
                    dim
                }
            });
        }
        let grad = match tensor.grad() {
            Some(_) => match self.grad_object(tensor) {
                Some(value) => Slot::Unloaded(Unloaded {
                    step: Step::Grad(node),
                    value,
                    path: format!("{}.grad", u.path).into(),
                }),
                None => Slot::Empty,
            },
            None => Slot::Empty,
        };
        let obj = self.state.heap.len();
        if requires_grad && leaf && matches!(grad, Slot::Empty) {
            let path = format!("{}.grad", u.path).into();
            self.entry.without_grad.insert(obj, (node, path));
        }
        self.entry.loaded.push((obj, slot));
        // A tensor whose graph began before the region is as a leaf to it.
        let leaves: Rc<[Leaf]> = if requires_grad {
            Rc::new([Leaf::new(obj, value)])
        } else {
            Rc::new([])
        };
        let symbolic = SymTensor {
            inference: tensor.is_inference(),
            device: tensor.device(),
            class,
            requires_grad,
            leaf,
            tape: Tape {
                leaves,
                ..Tape::unrecorded()
            },
            grad,
            ..self.bare_tensor(value, dtype, symbols)
        };
        Ok(self.adopt(tensor.id(), node, u, Kind::Tensor(symbolic)))
    }

    /// The Python object of a tensor's gradient.
    fn grad_object(&self, tensor: &Tensor) -> Option<Value> {
        tensor.grad().map(janus_torch::wrap)
    }

    /// A new symbol for one extent of a value.
    pub(crate) fn dim_of(&mut self, value: ValueId, axis: usize, hint: Option<i64>) -> Res<Dim> {
        let axis = i64::try_from(axis).unwrap_or(0);
        let id = self.emit1(
            "janus.dim",
            &[value],
            &[("dim", Attr::I64(axis))],
            Type::Index,
        )?;
        let dim = self.new_dim(id, hint);
        if let Some(info) = self.extents.dims.last_mut() {
            info.source = Source::Extent;
        }
        Ok(dim)
    }

    /// A new symbol for an index value.
    pub(crate) fn new_dim(&mut self, id: ValueId, hint: Option<i64>) -> Dim {
        self.extents.dims.push(DimInfo {
            id,
            hint,
            source: Source::Graph,
            is_length: false,
            asserted: None,
            is_column: false,
            same_as: None,
        });
        Dim::Sym(u32::try_from(self.extents.dims.len() - 1).unwrap_or(u32::MAX))
    }

    /// Emits the op that stands for a node's value, outside of all branches.
    pub(crate) fn emit_load(&mut self, node: NodeId, ty: Type, slot: usize) -> Res<ValueId> {
        let slot = Attr::I64(i64::try_from(slot).unwrap_or(0));
        self.emit_access(node, ty, Some(slot))
    }

    /// The object value of a node, made when first needed.
    fn object_value(&mut self, node: NodeId) -> Res<ValueId> {
        if let Some(&v) = self.entry.object_values.get(&node) {
            return Ok(v);
        }
        let v = self.emit_access(node, Type::Object, None)?;
        self.entry.object_values.insert(node, v);
        Ok(v)
    }

    fn emit_access(&mut self, node: NodeId, ty: Type, slot: Option<Attr>) -> Res<ValueId> {
        let n = &self.entry.nodes[node.0 as usize];
        let path = n.path.to_string();
        let step = n.step.clone();
        let mut attrs: Vec<(&str, Attr)> = Vec::new();
        if let Some(slot) = slot {
            attrs.push(("slot", slot));
        }
        let parent = match step.parent() {
            Some(parent) => Some(self.object_value(parent)?),
            None => None,
        };
        let operands: Vec<ValueId> = parent.into_iter().collect();
        let index = |i: u32| Attr::I64(i64::from(i));
        let op = match &step {
            Step::Local(i) => {
                attrs.push(("index", index(*i)));
                "janus.argument"
            }
            // The stack lies behind the locals.
            Step::Stack(i) => {
                let locals = u32::try_from(self.region.code.code.varnames.len()).unwrap_or(0);
                attrs.push(("index", index(locals + *i)));
                "janus.argument"
            }
            Step::Item(_, i) | Step::DictKeyAt(_, i) => {
                attrs.push(("key", Attr::I64(i64::try_from(*i).unwrap_or(0))));
                "janus.get_item"
            }
            Step::ItemFromEnd(_, i) => {
                let back = i64::try_from(*i).unwrap_or(0);
                attrs.push(("key", Attr::I64(-back)));
                "janus.get_item"
            }
            Step::DictValue(_, Value::Int(i)) => {
                attrs.push(("key", Attr::I64(*i)));
                "janus.get_item"
            }
            Step::DictValue(_, key) => {
                attrs.push(("key", Attr::Str(key.as_str().map_or(path, str::to_owned))));
                "janus.get_item"
            }
            Step::Namespace(_, name) => {
                attrs.push(("name", Attr::Str(name.as_str().to_owned())));
                "janus.get_global"
            }
            Step::Cell(_) | Step::FrameCell(_) | Step::CellContent(_) | Step::Pinned(_) => {
                attrs.push(("name", Attr::Str(path)));
                "janus.get_global"
            }
            Step::InstanceAttr(_, name) => {
                attrs.push(("name", Attr::Str(name.as_str().to_owned())));
                "janus.get_attr"
            }
            Step::ItemAt(..)
            | Step::SliceStart(..)
            | Step::SliceLength(..)
            | Step::IntOp(..)
            | Step::IntCompare(..)
            | Step::Extent(_)
            | Step::Tuple(_)
            | Step::Text(_)
            | Step::KeyEqual(..)
            | Step::HasKey(..)
            | Step::DictAt(..) => {
                attrs.push(("key", Attr::Str(path)));
                "janus.get_item"
            }
            Step::Grad(_)
            | Step::ViewBase(_)
            | Step::DequeItems(_)
            | Step::DequeBound(_)
            | Step::Identity(_)
            | Step::InstanceDict(_)
            | Step::MethodFunction(_)
            | Step::MethodReceiver(_)
            | Step::Fold(..)
            | Step::Rows(..)
            | Step::Stored(_)
            | Step::Length(_) => {
                let name = path.rsplit('.').next().unwrap_or("").to_owned();
                attrs.push(("name", Attr::Str(name)));
                "janus.get_attr"
            }
        };
        self.at_entry(|this| this.emit1(op, &operands, &attrs, ty))
    }

    /// A value object for a commit: the graph names what it writes to.
    pub(crate) fn commit_target(&mut self, node: NodeId) -> Res<ValueId> {
        self.object_value(node)
    }

    // ---- slots ---------------------------------------------------------------------------

    /// The value of a slot, `None` when it is empty.
    pub(crate) fn load_slot(&mut self, slot: &Slot) -> Res<Option<Sym>> {
        match slot {
            Slot::Loaded(v) => self.set_for_sure(v.clone()).map(Some),
            Slot::Unloaded(u) => self.wrap(u).map(Some),
            Slot::Empty => Ok(None),
        }
    }

    /// The items of a list or tuple of the heap.
    pub(crate) fn items_of(&mut self, obj: Obj) -> Res<Vec<Sym>> {
        let mut items = Vec::new();
        while let Some(v) = self.next_item(obj, items.len())? {
            items.push(v);
        }
        Ok(items)
    }

    /// Item `i` of a list or tuple, if it has that many; asked for from the first one on.
    pub(crate) fn next_item(&mut self, obj: Obj, i: usize) -> Res<Option<Sym>> {
        self.materialise(obj)?;
        let slot = match &self.state.heap[obj].kind {
            Kind::Tuple(items) => items.get(i).cloned(),
            Kind::List(list) => {
                let base = list.base.as_deref().unwrap_or_default();
                match i.checked_sub(base.len()) {
                    None => base.get(i).cloned(),
                    Some(i) => match list.appended.get(i) {
                        Some((v, None)) => Some(Slot::Loaded(v.clone())),
                        None if list.appended.iter().all(|(_, c)| c.is_none()) => None,
                        _ => {
                            return self.refuse(
                                ReasonId::OutsideList,
                                "a list that may have grown is looked into",
                            );
                        }
                    },
                }
            }
            _ => return self.refuse(ReasonId::OutsideList, "not a sequence"),
        };
        let Some(slot) = slot else { return Ok(None) };
        let Some(v) = self.load_slot(&slot)? else {
            return self.defect("bad item");
        };
        self.keep_item(obj, i, &v);
        Ok(Some(v))
    }

    /// Remembers a loaded item.
    pub(crate) fn keep_item(&mut self, obj: Obj, index: usize, value: &Sym) {
        let slot = match &mut self.state.heap[obj].kind {
            Kind::Tuple(items) => items.get_mut(index),
            Kind::List(list) => list.base.as_mut().and_then(|b| b.get_mut(index)),
            _ => None,
        };
        if let Some(slot @ Slot::Unloaded(_)) = slot {
            *slot = Slot::Loaded(value.clone());
        }
    }

    /// Makes a list's content at entry known, with a guard on its length.
    pub(crate) fn materialise(&mut self, obj: Obj) -> Res<()> {
        let Kind::List(list) = &self.state.heap[obj].kind else {
            return Ok(());
        };
        if list.base.is_some() {
            return Ok(());
        }
        if list.dropped > 0 && list.appended.iter().any(|(_, c)| c.is_some()) {
            return self.refuse(
                ReasonId::OutsideList,
                "a list that may have grown is looked into",
            );
        }
        let origin = self.state.heap[obj].origin.as_ref();
        if origin.is_some_and(|o| self.region.relaxations.symbolic.contains(&o.path)) {
            return self.refuse(
                ReasonId::MovingValue,
                "all of a list is looked into whose length moves with each iteration",
            );
        }
        if let Some(mut slots) = self.items_at_entry(obj)?
            && let Kind::List(list) = &mut self.state.heap[obj].kind
        {
            if list.dropped > 0 {
                slots.drain(..list.dropped.min(slots.len()));
                let appended = std::mem::take(&mut list.appended);
                slots.extend(appended.into_iter().map(|(v, _)| Slot::Loaded(v)));
                list.dropped = 0;
                list.rewritten = true;
            }
            list.base = Some(slots);
        }
        Ok(())
    }

    /// A list's items at entry, with a guard on its length; `None` for one that the region made.
    pub(crate) fn items_at_entry(&mut self, obj: Obj) -> Res<Option<Vec<Slot>>> {
        let Some(origin) = self.state.heap[obj].origin.clone() else {
            return Ok(None);
        };
        let Some(real) = origin.value.as_list().map(|l| l.to_vec()) else {
            return self.defect("not a list");
        };
        let slots = self.item_slots(origin.node, &real, &origin.path)?;
        self.entry
            .assumed
            .push(format!("{} has {} items", origin.path, real.len()));
        let check = &mut self.entry.nodes[origin.node.0 as usize].check;
        if matches!(check, Check::List(_)) {
            *check = Check::List(Some(real.len()));
        } else {
            // A subclass of list: its node checks the class, so the length has one of its own.
            let length = Value::Int(i64::try_from(real.len()).unwrap_or(i64::MAX));
            self.node(
                Step::Length(origin.node),
                Check::Equal(length),
                &origin.path,
            );
        }
        Ok(Some(slots))
    }

    // ---- namespaces ----------------------------------------------------------------------

    fn namespace(&mut self, place: &Namespace) -> &mut SymNamespace {
        self.state
            .namespaces
            .entry(place.address())
            .or_insert_with(|| SymNamespace {
                place: place.clone(),
                entries: IndexMap::new(),
                written: IndexSet::new(),
            })
    }

    /// Refuses a namespace that the region knows as a dict, too: what is written to the one would not show in the other.
    fn check_namespace(&self, namespace: &Namespace) -> Res<()> {
        match self.state.by_address.contains_key(&namespace.address()) {
            true if !matches!(namespace, Namespace::Class(_)) => {
                self.refuse(ReasonId::NoGraphForm, NAMESPACE_AS_DICT)
            }
            _ => Ok(()),
        }
    }

    /// A name of a namespace, `None` when it is not there.
    pub(crate) fn load_namespace(&mut self, dict: &Namespace, name: &Name) -> Res<Option<Sym>> {
        self.note_read(&Place::Global(dict.address(), name.clone()));
        self.check_namespace(dict)?;
        if let Some(slot) = self.namespace(dict).entries.get(name) {
            let slot = slot.clone();
            return self.load_slot(&slot);
        }
        let path = dict.path(name);
        let step = Step::Namespace(dict.clone(), name.clone());
        let slot = match dict.get(name) {
            Some(value) => Slot::Unloaded(Unloaded { step, value, path }),
            None => {
                self.node(step, Check::Missing, &path);
                Slot::Empty
            }
        };
        let value = self.load_slot(&slot)?;
        let kept = value.clone().map_or(Slot::Empty, Slot::Loaded);
        self.namespace(dict).entries.insert(name.clone(), kept);
        Ok(value)
    }

    pub(crate) fn load_global(&mut self, globals: &PyRef<PyDict>, name: &Name) -> Res<Sym> {
        if let Some(v) = self.load_namespace(&Namespace::Globals(globals.clone()), name)? {
            return Ok(v);
        }
        if globals.has_own_builtins() {
            return self.refuse(
                ReasonId::NoGraphForm,
                format!("the name '{}', of builtins of its own", name.as_str()),
            );
        }
        let builtins = janus_object::Vm::builtins(self.vm);
        match self.load_namespace(&Namespace::Globals(builtins), name)? {
            Some(v) => Ok(v),
            None => self.refuse(
                ReasonId::WouldRaise,
                format!("it would raise: name '{}' is not defined", name.as_str()),
            ),
        }
    }

    pub(crate) fn store_namespace(
        &mut self,
        dict: &Namespace,
        name: &Name,
        value: Slot,
    ) -> Res<()> {
        self.check_namespace(dict)?;
        let namespace = self.namespace(dict);
        namespace.entries.insert(name.clone(), value);
        namespace.written.insert(name.clone());
        Ok(())
    }

    /// Whether an iterator object is one made here.
    pub(crate) fn iter_state(&self, obj: Obj) -> Option<SymIter> {
        match &self.state.heap[obj].kind {
            Kind::Iter(it) => Some(it.clone()),
            _ => None,
        }
    }
}

/// What is to be assumed of a tensor as it is now.
pub(crate) fn tensor_check(tensor: &Tensor, class: &PyRef<Class>) -> TensorCheck {
    TensorCheck {
        dtype: tensor.dtype(),
        device: tensor.device(),
        dims: tensor.shape().iter().map(|&n| Some(n)).collect(),
        requires_grad: tensor.requires_grad(),
        leaf: tensor.is_leaf(),
        hooked: tensor.has_leaf_hooks(),
        inference: tensor.is_inference(),
        contiguous: None,
        order: None,
        joins: Vec::new(),
        strides: None,
        shows: None,
        class: class.clone(),
    }
}
