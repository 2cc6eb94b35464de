//! Items of lists, tuples, dicts, strings and tensors: read, written, counted, searched.
//!
//! In: a container and a key. Out: the item. Always: reads see the region's own writes; writes stay
//! in the symbolic heap.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::{Class, DictPart, ExcKind, Name, Payload, PyRef, Value, ops};
use janus_plan::{DeoptReason, ReasonId, ScalarType};
use janus_tensor::Dim;

use crate::executor::Executor;
use crate::numbers::arithmetic::Truth;
use crate::state::sym::{Kind, Obj, Slot, Sym, SymList, add_key};
use crate::{Res, Stop};

/// Known ints that one that moves is compared with at most.
const MAX_COMPARED: usize = 16;

impl Executor<'_> {
    // ---- items ---------------------------------------------------------------------------

    /// The list, tuple or dict behind a value, through subclasses.
    pub(crate) fn container(&self, v: &Sym) -> Option<Obj> {
        let Sym::Obj(o) = v else { return None };
        match &self.state.heap[*o].kind {
            Kind::List(_) | Kind::Tuple(_) | Kind::Dict(_) | Kind::Open(_) => Some(*o),
            Kind::Instance(i) => i.container(),
            _ => None,
        }
    }

    /// The same, or a list that grew in a loop.
    pub(crate) fn list_or_container(&self, v: &Sym) -> Option<Obj> {
        let grown = self.grown(v).map(|(obj, _)| obj);
        grown.or_else(|| self.container(v))
    }

    pub(crate) fn get_item(&mut self, container: &Sym, key: &Sym) -> Res<Sym> {
        if let Some(method) = self.python_method(container, "__getitem__")? {
            return self.call(&method, vec![container.clone(), key.clone()], Vec::new());
        }
        if self.is_tensor(container) {
            let mut args = [container.clone(), key.clone()];
            self.with_array_tensors("Tensor.__getitem__", &mut args)?;
            return self.torch("Tensor.__getitem__", args.to_vec(), Vec::new());
        }
        if let Some(owner) = self.dict_owner(container) {
            let Sym::Known(Value::Str(s)) = key else {
                return self.refuse(ReasonId::ObjectLayout, "a computed key of __dict__");
            };
            return match self.own_attr(owner, &Name::new(s.as_str()))? {
                Some(v) => Ok(v),
                None => self.raise_kind(ExcKind::KeyError, vec![key.clone()]),
            };
        }
        if let Sym::Scalar(index) = key
            && let Some(v) = self.item_at(container, *index)?
        {
            return Ok(v);
        }
        if let Some((obj, _)) = self.grown(container) {
            return self.grown_item(obj, key);
        }
        if let Some(entry) = self.entry_by_text(container, key, None)? {
            return Ok(entry);
        }
        if let Some(dict) = self.found_dict(container, key)? {
            return self.found_entry(&dict, key);
        }
        if let Some(obj) = self.open(container) {
            return self.dict_item(container, obj, key);
        }
        let key = &self.settled(key)?;
        if self.is_found_sequence(container) {
            return self.found_item(container, key);
        }
        if let Sym::Known(value) = container {
            let value = value.clone();
            let slice = self.known_slice(key);
            if let Some(key) = slice.as_ref().or(key.known()) {
                let key = key.clone();
                self.told_now(&value)?;
                self.told_now(&key)?;
                return match ops::get_item(self.vm, &value, &key) {
                    Ok(v) => Ok(Sym::Known(v)),
                    Err(raised) => self.raise_known(&raised),
                };
            }
            if let (Value::Tuple(t), Sym::Obj(_)) = (&value, key) {
                let items: Vec<Sym> = t.items.iter().cloned().map(Sym::Known).collect();
                return self.slice_items(items, key, false);
            }
            if let (Value::Tuple(_) | Value::Str(_), Sym::Scalar(_)) = (&value, key) {
                return Err(Stop::WhichItem);
            }
            if let (Value::Range(range), Sym::Scalar(at)) = (&value, key)
                && at.ty == ScalarType::Int
            {
                let place = self.place_from_start(*at, Dim::Known(range.len() as i64))?;
                let (start, step) = (Value::Int(range.start), Value::Int(range.step));
                let far = self.binary(BinaryOp::Mul, &Sym::Scalar(place), &Sym::Known(step))?;
                return self.binary(BinaryOp::Add, &far, &Sym::Known(start));
            }
            return self.refuse(
                ReasonId::MovingValue,
                "an index that moves, into a constant",
            );
        }
        let Some(obj) = self.container(container) else {
            if let Some(part) = self.part_of_text(container, key)? {
                return Ok(part);
            }
            if let Some((_, items)) = self.filtered(container) {
                let items = items.clone();
                return self.filtered_item(&items, key);
            }
            if let Sym::Obj(o) = container
                && let Kind::Replaced(_) = self.state.heap[*o].kind
            {
                return self.refuse(
                    ReasonId::MovingValue,
                    "an item of a list is read after one at an index that moves was written",
                );
            }
            return self.refuse(
                ReasonId::NoGraphForm,
                format!(
                    "an item or slice of a {}",
                    self.class_of(container)?.display_name()
                ),
            );
        };
        if let Kind::Dict(_) | Kind::Open(_) = self.state.heap[obj].kind {
            return self.dict_item(container, obj, key);
        }
        if let Some(v) = self.tail_item(obj, key)? {
            return Ok(v);
        }
        if let Some(v) = self.slice_at_entry(obj, key)? {
            return Ok(v);
        }
        let items = self.items_of(obj)?;
        match key {
            Sym::Known(Value::Int(_) | Value::Bool(_)) => {
                let i = key.known().and_then(Value::as_int).unwrap_or(0);
                match self.index(i, items.len()) {
                    Some(i) => Ok(items[i].clone()),
                    None => {
                        let list = matches!(self.state.heap[obj].kind, Kind::List(_));
                        let what = if list { "list" } else { "tuple" };
                        self.raise_index(format!("{what} index out of range"))
                    }
                }
            }
            Sym::Obj(_) => {
                let is_list = matches!(self.state.heap[obj].kind, Kind::List(_));
                self.slice_items(items, key, is_list)
            }
            Sym::Scalar(_) => Err(Stop::WhichItem),
            _ => self.refuse(ReasonId::WouldRaise, "it would raise: a bad index"),
        }
    }

    /// A slice whose bounds are known.
    pub(crate) fn known_slice(&self, key: &Sym) -> Option<Value> {
        let Sym::Obj(o) = key else { return None };
        let Kind::Slice([start, stop, step]) = &self.state.heap[*o].kind else {
            return None;
        };
        Some(Value::Slice(PyRef::new(janus_object::PySlice {
            start: start.known()?.clone(),
            stop: stop.known()?.clone(),
            step: step.known()?.clone(),
        })))
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
            return self.defect("a bad index");
        };
        let Kind::Slice(bounds) = self.state.heap[*o].kind.clone() else {
            return self.defect("a bad index");
        };
        let [start, stop, step] = self.known_bounds(&bounds)?;
        if step == Some(0) {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: slice step cannot be zero",
            );
        }
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

    /// Start, stop and step of a slice of a list.
    pub(crate) fn known_bounds(&mut self, bounds: &[Sym; 3]) -> Res<[Option<i64>; 3]> {
        let mut known = [None; 3];
        for (to, v) in known.iter_mut().zip(bounds) {
            *to = match &self.settled(v)? {
                Sym::Known(Value::None) => None,
                Sym::Known(v) if v.as_int().is_some() => v.as_int(),
                _ => {
                    return self.refuse(
                        ReasonId::MovingValue,
                        "a slice whose bounds move, of a list",
                    );
                }
            };
        }
        Ok(known)
    }

    /// `dict.__getitem__` of `container`, whose entries are those of `obj`.
    pub(crate) fn dict_item(&mut self, container: &Sym, obj: Obj, key: &Sym) -> Res<Sym> {
        if let Sym::Scalar(key) = key
            && let Some(v) = self.count_under(obj, *key, None)?
        {
            return Ok(v);
        }
        if let Some(v) = self.dict_get(obj, key)? {
            return Ok(v);
        }
        match self.python_method(container, "__missing__")? {
            Some(method) => self.call(&method, vec![container.clone(), key.clone()], Vec::new()),
            None => self.raise_kind(ExcKind::KeyError, vec![key.clone()]),
        }
    }

    /// The entry of a dict, loaded.
    pub(crate) fn dict_get(&mut self, obj: Obj, key: &Sym) -> Res<Option<Sym>> {
        if let Kind::Open(_) = self.state.heap[obj].kind {
            return self.open_get(obj, key);
        }
        let Some(at) = self.dict_find(obj, key)? else {
            return Ok(None);
        };
        let Kind::Dict(dict) = &self.state.heap[obj].kind else {
            return self.defect("not a dict");
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

    /// Refuses a key that has no hash, or whose hash runs Python code: how often that happens can be seen.
    pub(crate) fn check_hash(&mut self, key: &Sym) -> Res<()> {
        let class = self.class_of(key)?;
        if matches!(class.lookup(&Name::new("__hash__")), Some(Value::None)) {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a key that cannot be hashed",
            );
        }
        if self.python_method(key, "__hash__")?.is_some() {
            return self.refuse(ReasonId::SpecialMethod, "a key with a __hash__ of its own");
        }
        let items = self.key_items(key)?.unwrap_or_default();
        items.iter().try_for_each(|item| self.check_hash(item))
    }

    fn dict_find(&mut self, obj: Obj, key: &Sym) -> Res<Option<usize>> {
        self.check_hash(key)?;
        let key = &self.settled(key)?;
        let Kind::Dict(dict) = &self.state.heap[obj].kind else {
            return self.defect("not a dict");
        };
        let keys: Vec<Sym> = dict.entries.iter().map(|(k, _)| k.clone()).collect();
        if matches!(key, Sym::Scalar(s) if self.branching.absent_keys.contains(&(obj, s.id))) {
            return Ok(None);
        }
        for (i, k) in keys.iter().enumerate() {
            match self.same_key(k, key) {
                Ok(true) => return Ok(Some(i)),
                Ok(false) => {}
                Err(stop) if stop.is_refusal() => {
                    self.opened(obj, key)?;
                    return Err(self.which_key(obj, &keys, key).unwrap_or(stop));
                }
                Err(stop) => return Err(stop),
            }
        }
        if key.known().is_none() {
            self.opened(obj, key)?;
        }
        Ok(None)
    }

    pub(crate) fn same_key(&mut self, a: &Sym, b: &Sym) -> Res<bool> {
        match (a, b) {
            (Sym::Known(x), Sym::Known(y)) => {
                if let (Value::Str(x), Value::Str(y)) = (x, y) {
                    return Ok(x.as_str() == y.as_str());
                }
                if ops::is(x, y) {
                    return Ok(true);
                }
                let by_identity = |v: &Value| matches!(v, Value::Instance(i) if i.class().flags.get().identity_eq);
                if by_identity(x) && by_identity(y) {
                    return Ok(false);
                }
                let (x, y) = (x.clone(), y.clone());
                self.told_now(&x)?;
                self.told_now(&y)?;
                Ok(ops::eq(self.vm, &x, &y).unwrap_or(false))
            }
            (Sym::Obj(x), Sym::Obj(y)) if x == y => Ok(true),
            (Sym::Obj(_), _) | (_, Sym::Obj(_)) => {
                match (self.key_items(a)?, self.key_items(b)?) {
                    (Some(x), Some(y)) => {
                        if x.len() != y.len() {
                            return Ok(false);
                        }
                        // What differs for sure comes before what may not be told.
                        let mut refused = None;
                        for (x, y) in x.iter().zip(&y) {
                            match self.same_key(x, y) {
                                Ok(true) => {}
                                Ok(false) => return Ok(false),
                                Err(stop) => refused = refused.or(Some(stop)),
                            }
                        }
                        return refused.map_or(Ok(true), Err);
                    }
                    // An instance may be a tuple of a derived class.
                    (Some(_), None) if !self.may_be_instance(b) => return Ok(false),
                    (None, Some(_)) if !self.may_be_instance(a) => return Ok(false),
                    _ => {}
                }
                for v in [a, b] {
                    let Sym::Obj(o) = v else { continue };
                    let by_identity = match &self.state.heap[*o].kind {
                        Kind::Tensor(t) => {
                            !t.is_decided()
                                && !Self::defines(&t.class, "__eq__")
                                && !Self::defines(&t.class, "__hash__")
                        }
                        Kind::Instance(i) => {
                            i.payload.is_none() && !Self::defines(&i.class, "__eq__")
                        }
                        Kind::Function(_) => true,
                        _ => false,
                    };
                    if !by_identity {
                        return self.refuse(
                            ReasonId::TextForm,
                            "a dict key that is put together at run time",
                        );
                    }
                }
                Ok(false)
            }
            (Sym::Scalar(_), _) | (_, Sym::Scalar(_)) => self.refuse(
                ReasonId::MovingValue,
                "a dict key that moves has no graph form yet",
            ),
            _ => Ok(false),
        }
    }

    fn may_be_instance(&self, v: &Sym) -> bool {
        match v {
            Sym::Known(v) => matches!(v, Value::Instance(_)),
            Sym::Obj(o) => !matches!(self.state.heap[*o].kind, Kind::Function(_)),
            _ => false,
        }
    }

    /// The items of a key that is compared as a tuple is: a plain one, a `torch.Size`, a named tuple.
    fn key_items(&mut self, key: &Sym) -> Res<Option<Vec<Sym>>> {
        let as_tuples_are =
            |class: &Class| !Self::defines(class, "__eq__") && !Self::defines(class, "__hash__");
        match key {
            Sym::Known(Value::Instance(i)) => Ok(match &i.payload {
                Payload::Tuple(t) if as_tuples_are(&i.class()) => {
                    Some(t.items.iter().cloned().map(Sym::Known).collect())
                }
                _ => None,
            }),
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Instance(i) if as_tuples_are(&i.class) => match i.container() {
                    Some(p) if matches!(self.state.heap[p].kind, Kind::Tuple(_)) => {
                        self.items_of(p).map(Some)
                    }
                    _ => Ok(None),
                },
                _ => self.tuple_items(key),
            },
            _ => self.tuple_items(key),
        }
    }

    /// The items of a plain tuple.
    pub(crate) fn tuple_items(&mut self, tuple: &Sym) -> Res<Option<Vec<Sym>>> {
        Ok(match tuple {
            Sym::Known(Value::Tuple(t)) => Some(t.items.iter().cloned().map(Sym::Known).collect()),
            Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Tuple(_)) => {
                Some(self.items_of(*o)?)
            }
            _ => None,
        })
    }

    pub(crate) fn set_item(&mut self, container: &Sym, key: &Sym, value: Option<Sym>) -> Res<()> {
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
        if self.is_tensor(container) {
            let Some(value) = value else {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: del of a tensor's item",
                );
            };
            let mut args = [container.clone(), key.clone(), value];
            self.with_array_tensors("Tensor.__setitem__", &mut args)?;
            self.torch("Tensor.__setitem__", args.to_vec(), Vec::new())?;
            return Ok(());
        }
        if let Some(owner) = self.dict_owner(container) {
            let Sym::Known(Value::Str(s)) = key else {
                return self.refuse(ReasonId::ObjectLayout, "a computed key of __dict__");
            };
            let name = Name::new(s.as_str());
            if value.is_none() && self.own_attr(owner, &name)?.is_none() {
                return self.raise_kind(ExcKind::KeyError, vec![key.clone()]);
            }
            return self.write_own(owner, &name, value);
        }
        if let Some(obj) = self.open(container) {
            let was_there = self.open_set(obj, key, value.clone())?;
            if value.is_none() && !was_there {
                return self.raise_kind(ExcKind::KeyError, vec![key.clone()]);
            }
            return Ok(());
        }
        if let (Some(obj), Some(v)) = (self.replaceable(container, key), &value) {
            return self.replace_item(obj, key, v);
        }
        let key = &self.settled(key)?;
        let Some(obj) = self.list_or_container(container) else {
            return self.refuse(
                ReasonId::NoGraphForm,
                format!(
                    "an item of a {} is written",
                    self.class_of(container)?.display_name()
                ),
            );
        };
        match &self.state.heap[obj].kind {
            Kind::Dict(_) => {
                if let (Sym::Scalar(key), Some(v)) = (key, &value)
                    && self.set_count(obj, *key, v)?
                {
                    return Ok(());
                }
                let at = self.dict_find(obj, key)?;
                let Kind::Dict(dict) = &mut self.state.heap[obj].kind else {
                    return self.defect("not a dict");
                };
                // A dict keeps the key that it has, whatever equals it.
                let had = at.and_then(|at| Some(dict.entries.get(at)?.0.clone()));
                let key = had.as_ref().unwrap_or(key);
                match (at, value) {
                    (Some(at), Some(v)) => dict.entries[at].1 = Slot::Loaded(v),
                    (None, Some(v)) => dict.entries.push((key.clone(), Slot::Loaded(v))),
                    (Some(at), None) => {
                        dict.entries.remove(at);
                        add_key(&mut dict.removed, key);
                    }
                    (None, None) => return self.raise_kind(ExcKind::KeyError, vec![key.clone()]),
                }
                let Kind::Dict(dict) = &mut self.state.heap[obj].kind else {
                    return self.defect("not a dict");
                };
                add_key(&mut dict.written, key);
                Ok(())
            }
            Kind::List(_) | Kind::Grown(_) => {
                if let Sym::Obj(slice) = key
                    && let Kind::Slice(bounds) = self.state.heap[*slice].kind.clone()
                {
                    return self.store_slice(obj, &bounds, value);
                }
                let is_first = matches!(key, Sym::Known(Value::Int(0)));
                if is_first && value.is_none() && self.drop_first(obj)?.is_some() {
                    return Ok(());
                }
                let items = self.items_of(obj)?;
                let at = match key {
                    Sym::Known(k) => k.as_int().and_then(|i| self.index(i, items.len())),
                    Sym::Scalar(index) => {
                        let items = self.stored_item(items, *index, value)?;
                        self.rewrite_list(obj, items);
                        return Ok(());
                    }
                    _ => {
                        return self.refuse(
                            ReasonId::MovingValue,
                            "an item of a list is written at an index that moves",
                        );
                    }
                };
                let Some(at) = at else {
                    return self.raise_index("list assignment index out of range".to_owned());
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
            _ => self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a tuple's item is written",
            ),
        }
    }

    /// `list[start:stop:step] = value`, or `del list[start:stop:step]`.
    fn store_slice(&mut self, obj: Obj, bounds: &[Sym; 3], value: Option<Sym>) -> Res<()> {
        let [start, stop, step] = self.known_bounds(bounds)?;
        let new = match &value {
            Some(v) if self.moving(v)?.is_some() => {
                return self.refuse(
                    ReasonId::TooLarge,
                    "as many items as moves are written to a slice of a list",
                );
            }
            Some(v) => Some(self.collect(v)?),
            None => None,
        };
        let step = step.unwrap_or(1);
        if step == 1 && stop.is_none() && matches!(start, None | Some(0)) {
            // Whatever it held.
            self.rewrite_list(obj, new.unwrap_or_default());
            return Ok(());
        }
        let mut items = self.items_of(obj)?;
        if step == 0 {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: slice step cannot be zero",
            );
        }
        let range = janus_object::resolve_slice(start, stop, step, items.len());
        let picked: Vec<usize> = range.indices().collect();
        match new {
            Some(new) if step == 1 => {
                let first = usize::try_from(range.start).unwrap_or(0).min(items.len());
                items.splice(first..first + picked.len(), new);
            }
            Some(new) if new.len() == picked.len() => {
                for (at, v) in picked.into_iter().zip(new) {
                    items[at] = v;
                }
            }
            Some(_) => {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: another number of items than the slice has",
                );
            }
            None => {
                let mut at = 0..;
                items.retain(|_| at.next().is_none_or(|i| !picked.contains(&i)));
            }
        }
        self.rewrite_list(obj, items);
        Ok(())
    }

    /// Gives a list new content.
    pub(crate) fn rewrite_list(&mut self, obj: Obj, items: Vec<Sym>) {
        if let Kind::Grown(_) = self.state.heap[obj].kind {
            for item in self.named_items(obj) {
                if let Kind::Tensor(t) = &mut self.state.heap[item].kind {
                    t.identity.item_of = None;
                }
            }
        }
        let kind = &mut self.state.heap[obj].kind;
        if let Kind::Grown(_) = kind {
            *kind = Kind::List(SymList {
                base: None,
                appended: Vec::new(),
                rewritten: false,
                dropped: 0,
            });
        }
        if let Kind::List(list) = kind {
            list.base = Some(items.into_iter().map(Slot::Loaded).collect());
            list.appended.clear();
            list.dropped = 0;
            list.rewritten = true;
        }
    }

    pub(crate) fn append(&mut self, list: &Sym, value: Sym) -> Res<()> {
        if let Some((obj, _)) = self.grown(list) {
            return self.append_grown(obj, value);
        }
        if let Sym::Obj(o) = list
            && let Kind::Filtered(items) = &mut self.state.heap[*o].kind
        {
            items.push((value, None));
            return Ok(());
        }
        let Some(obj) = self.container(list) else {
            return self.defect("append to what is no list");
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
            _ => self.defect("append to what is no list"),
        }
    }

    /// Appends what an iterable yields.
    pub(crate) fn extend(&mut self, list: &Sym, from: &Sym) -> Res<()> {
        if let Some(it) = self.moving(from)? {
            self.inlined_loop("extend", vec![list.clone(), it])?;
            return Ok(());
        }
        for v in self.collect(from)? {
            self.append(list, v)?;
        }
        Ok(())
    }

    /// Whether an int is looked for among a few known ones, so that being equal is all that counts.
    fn is_among_ints(&self, item: &Sym, items: &[Value]) -> bool {
        let int = |v: &Value| matches!(v, Value::Int(_) | Value::Bool(_));
        matches!(item, Sym::Scalar(s) if s.ty != ScalarType::Float)
            && items.len() <= MAX_COMPARED
            && items.iter().all(int)
    }

    pub(crate) fn contains(&mut self, item: &Sym, container: &Sym) -> Res<Sym> {
        if let Some(method) = self.python_method(container, "__contains__")? {
            let found = self.call(&method, vec![container.clone(), item.clone()], Vec::new())?;
            return Ok(match self.truth(&found)? {
                Truth::Known(found) => Sym::Known(Value::bool(found)),
                Truth::Dynamic(found) => Sym::flag(found),
            });
        }
        if let (Sym::Known(i), Sym::Known(c)) = (item, container) {
            let (i, c) = (i.clone(), c.clone());
            self.told_now(&i)?;
            self.told_now(&c)?;
            return match ops::contains(self.vm, &i, &c) {
                Ok(b) => Ok(Sym::Known(Value::bool(b))),
                Err(_) => self.refuse(ReasonId::WouldRaise, "it would raise at `in`"),
            };
        }
        if let Some(owner) = self.dict_owner(container) {
            let Sym::Known(Value::Str(s)) = item else {
                return self.refuse(ReasonId::ObjectLayout, "a computed key of __dict__");
            };
            let found = self.own_attr(owner, &Name::new(s.as_str()))?.is_some();
            return Ok(Sym::Known(Value::bool(found)));
        }
        if let Some(dict) = self.found_dict(container, item)? {
            return self.found_has(&dict, item);
        }
        if self.is_found_text(item)
            && let Sym::Known(Value::Tuple(texts)) = container
        {
            let texts = texts.items.iter().cloned().map(Sym::Known).collect();
            return self.is_one_of(item, texts);
        }
        if let Some(ints) = self.known_ints(item, container) {
            return self.is_one_of(item, ints);
        }
        if let Sym::Obj(o) = container
            && matches!(self.state.heap[*o].kind, Kind::Set(_))
        {
            let found = self.set_find(container, item)?.is_some();
            return Ok(Sym::Known(Value::bool(found)));
        }
        if let Sym::Obj(o) = container
            && let Kind::View { dict, part, .. } = &self.state.heap[*o].kind
        {
            let (dict, part) = (dict.clone(), *part);
            if part == DictPart::Keys {
                return self.contains(item, &dict);
            }
            let shown = self.viewed(&dict, part)?;
            let shown = self.list(shown);
            return self.contains(item, &shown);
        }
        if let Some(obj) = self.open(container) {
            let found = self.open_has(obj, item)?;
            return Ok(Sym::Known(Value::bool(found)));
        }
        if let Some((_, items)) = self.filtered(container) {
            let items = items.clone();
            return self.filtered_contains(&items, item);
        }
        let items = match (self.container(container), container) {
            (Some(obj), _) if matches!(self.state.heap[obj].kind, Kind::Dict(_)) => {
                let found = self.dict_find(obj, item)?.is_some();
                return Ok(Sym::Known(Value::bool(found)));
            }
            (Some(obj), _) => self.items_of(obj)?,
            (None, Sym::Known(Value::Tuple(t))) if self.is_among_ints(item, &t.items) => {
                t.items.iter().cloned().map(Sym::Known).collect()
            }
            (None, Sym::Known(Value::Set(s)))
                if s.frozen && self.is_among_ints(item, &s.items()) =>
            {
                s.items().into_iter().map(Sym::Known).collect()
            }
            _ => {
                return self.refuse(
                    ReasonId::NoGraphForm,
                    format!("`in` on a {}", self.class_of(container)?.display_name()),
                );
            }
        };
        self.is_one_of(item, items)
    }

    /// The items of a set, or the keys of a dict, among which an int that moves is looked for, if they are a few
    /// known ones.
    fn known_ints(&self, item: &Sym, container: &Sym) -> Option<Vec<Sym>> {
        let obj = self.container(container).or(match container {
            Sym::Obj(o) => Some(*o),
            _ => None,
        })?;
        let keys: Vec<Sym> = match &self.state.heap[obj].kind {
            Kind::Set(set) => set.items.clone(),
            Kind::Dict(dict) => dict.entries.iter().map(|(k, _)| k.clone()).collect(),
            _ => return None,
        };
        let known: Option<Vec<Value>> = keys.iter().map(|k| k.known().cloned()).collect();
        self.is_among_ints(item, &known?).then_some(keys)
    }

    pub(crate) fn is_one_of(&mut self, item: &Sym, items: Vec<Sym>) -> Res<Sym> {
        let mut any = Sym::Known(Value::bool(false));
        for v in items {
            let equal = self.is_same_item(&v, item)?;
            match self.truth(&equal)? {
                Truth::Known(true) => return Ok(Sym::Known(Value::bool(true))),
                Truth::Known(false) => {}
                Truth::Dynamic(_) => any = self.binary(BinaryOp::Or, &any, &equal)?,
            }
        }
        Ok(any)
    }

    /// What a `__len__` returned, as the int that `len()` makes of it.
    fn told_length(&mut self, len: Sym) -> Res<Sym> {
        match len {
            Sym::Known(Value::Int(n)) if n >= 0 => Ok(len),
            Sym::Known(Value::Bool(b)) => Ok(Sym::Known(Value::Int(i64::from(b.get())))),
            Sym::Scalar(n) if n.ty == ScalarType::Int => {
                let zero = Sym::Known(Value::Int(0));
                if let Sym::Scalar(fits) = self.compare(CompareOp::Ge, &len, &zero)? {
                    let (reason, key) = (DeoptReason::ArithmeticError, self.key("len"));
                    self.assert(fits.id, reason, key, "a length is not negative".to_owned())?;
                }
                Ok(len)
            }
            _ => self.refuse(
                ReasonId::WouldRaise,
                "it would raise: __len__() should return an int that is not negative",
            ),
        }
    }

    pub(crate) fn len(&mut self, v: &Sym) -> Res<Sym> {
        if let Some(method) = self.python_method(v, "__len__")? {
            let len = self.call(&method, vec![v.clone()], Vec::new())?;
            return self.told_length(len);
        }
        if self.is_tensor(v) {
            return self.torch("Tensor.__len__", vec![v.clone()], Vec::new());
        }
        if let Sym::Known(value) = v {
            let value = value.clone();
            self.told_now(&value)?;
            return match ops::len(self.vm, &value) {
                Ok(n) => Ok(Sym::Known(Value::Int(i64::try_from(n).unwrap_or(i64::MAX)))),
                Err(_) => self.refuse(ReasonId::WouldRaise, "it would raise: len()"),
            };
        }
        if self.is_found_with_length(v) {
            return self.found_length(v);
        }
        if let Some((obj, _)) = self.grown(v) {
            return self.grown_length(obj);
        }
        if let Some((_, items)) = self.filtered(v) {
            let items = items.clone();
            return self.filtered_length(&items);
        }
        if let Sym::Obj(o) = v
            && let Kind::Replaced(replaced) = &self.state.heap[*o].kind
        {
            let list = replaced.list.clone();
            return self.replaced_length(*o, &list);
        }
        if let Sym::Obj(o) = v
            && let Kind::View { dict, .. } = &self.state.heap[*o].kind
        {
            let dict = dict.clone();
            return self.len(&dict);
        }
        if let Sym::Obj(o) = v
            && let Kind::Set(set) = &self.state.heap[*o].kind
        {
            let n = i64::try_from(set.items.len()).unwrap_or(i64::MAX);
            return Ok(Sym::Known(Value::Int(n)));
        }
        let Some(obj) = self.container(v) else {
            return self.refuse(
                ReasonId::NoGraphForm,
                format!("len() of a {}", self.class_of(v)?.display_name()),
            );
        };
        if let Kind::Open(_) = self.state.heap[obj].kind {
            return self.open_len(obj);
        }
        if let Some(length) = self.entry_length(obj)? {
            return Ok(length);
        }
        let n = match &self.state.heap[obj].kind {
            Kind::List(l) => {
                let list = l.clone();
                let base = list.base.as_ref().map_or(0, Vec::len);
                let base = Sym::Known(Value::Int(i64::try_from(base).unwrap_or(i64::MAX)));
                return self.with_appended(base, &list.appended);
            }
            Kind::Tuple(items) => items.len(),
            Kind::Dict(d) => d.entries.len(),
            _ => return self.refuse(ReasonId::NoGraphForm, "len()"),
        };
        Ok(Sym::Known(Value::Int(i64::try_from(n).unwrap_or(i64::MAX))))
    }
}
