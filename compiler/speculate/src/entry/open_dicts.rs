//! Dicts and sets from outside of which only a few entries are looked at, under keys that move but can be told at
//! entry; and text that moves.
//!
//! In: a key made of what is read at entry. Out: the entry, as a node that looks it up. Always: whether an entry is
//! there is guarded; where one is written, its key is guarded to differ from every other that is used.

use std::rc::Rc;

use janus_bytecode::CompareOp;
use janus_object::ops::hash_simple;
use janus_object::{Name, Value, ops, types};
use janus_plan::{Check, Commit, NodeId, ReasonId, Recipe, Relax, ScalarType, Step, plain_text};

use crate::emit::outputs::Out;
use crate::executor::Executor;
use crate::state::open::{OpenEntry, SymOpen};
use crate::state::sym::{Effect, HeapObject, Kind, Obj, Origin, Piece, Slot, Sym, Unloaded};
use crate::{Res, Stop};

/// Keys at most.
pub(crate) const MAX_KEYS: usize = 16;

impl Executor<'_> {
    /// Whether a dict or set at this path is looked at entry by entry.
    pub(crate) fn is_open(&self, path: &Rc<str>) -> bool {
        self.region.relaxations.open.contains(path)
    }

    /// The same container, to be looked at entry by entry: another attempt, where the key can be told at entry.
    pub(crate) fn opened(&mut self, obj: Obj, key: &Sym) -> Res<()> {
        let Some(origin) = self.state.heap[obj].origin.clone() else {
            return Ok(());
        };
        if self.is_open(&origin.path) || self.key_node(key)?.is_none() {
            return Ok(());
        }
        Err(Stop::Again(Relax::Open(origin.path)))
    }

    pub(crate) fn open(&self, v: &Sym) -> Option<Obj> {
        match self.container(v) {
            Some(o) if matches!(self.state.heap[o].kind, Kind::Open(_)) => Some(o),
            _ => None,
        }
    }

    fn open_at(&self, obj: Obj) -> Res<&SymOpen> {
        match &self.state.heap[obj].kind {
            Kind::Open(open) => Ok(open),
            _ => self.defect("not a dict or set"),
        }
    }

    fn open_mut(&mut self, obj: Obj) -> Res<&mut SymOpen> {
        match &mut self.state.heap[obj].kind {
            Kind::Open(open) => Ok(open),
            _ => Err(Stop::defect("not a dict or set")),
        }
    }

    /// A set that is looked at after something was put into it: another attempt, where that happens at once.
    fn look_at<T>(&mut self, obj: Obj) -> Res<T> {
        match &self.state.heap[obj].origin {
            Some(origin) if !self.region.relaxations.looked_at.contains(&origin.path) => {
                Err(Stop::Again(Relax::LookAt(origin.path.clone())))
            }
            _ => self.refuse(
                ReasonId::MovingValue,
                "a set is looked at after a number that moves was put into it",
            ),
        }
    }

    /// Puts an item into a set from outside: at the commit, unless the set is looked at later, or was changed.
    pub(crate) fn open_add(&mut self, obj: Obj, item: &Sym) -> Res<()> {
        let open = self.open_at(obj)?;
        let origin = self.state.heap[obj].origin.as_ref();
        let looked_at = origin.is_none_or(|o| self.region.relaxations.looked_at.contains(&o.path));
        let is_number = matches!(
            item,
            Sym::Scalar(_) | Sym::Known(Value::Int(_) | Value::Float(_))
        );
        let later = open.unseen || open.log.is_empty() && !looked_at;
        let add = types().set.lookup(&Name::new("add"));
        let (true, true, Some(add)) = (is_number, later, add) else {
            if !self.open_has(obj, item)? {
                self.open_set(obj, item, Some(Sym::Known(Value::None)))?;
            }
            return Ok(());
        };
        self.open_mut(obj)?.unseen = true;
        self.state.effects.push(Effect {
            condition: None,
            function: add,
            args: vec![Sym::Obj(obj), item.clone()],
            kwargs: Vec::new(),
        });
        Ok(())
    }

    // ---- keys ----------------------------------------------------------------------------

    /// A node for what can be told at entry, and what it is now.
    pub(crate) fn key_node(&mut self, key: &Sym) -> Res<Option<(NodeId, Value)>> {
        let path: Rc<str> = "key".into();
        Ok(match key {
            Sym::Known(v) if hash_simple(v).is_some() && !matches!(v, Value::Instance(_)) => {
                let node = self.node(Step::Pinned(v.clone()), Check::None, &path);
                Some((node, v.clone()))
            }
            Sym::Scalar(s) if s.ty == ScalarType::Float => self
                .entry_numbers
                .floats
                .get(&s.id)
                .map(|&(node, f)| (node, Value::float(f))),
            Sym::Scalar(s) => {
                let told = match self.entry_int_node(*s) {
                    Some(host) => Some(host),
                    None => self.told_node(s.id),
                };
                told.map(|(node, now)| match s.ty {
                    ScalarType::Bool => (node, Value::bool(now != 0)),
                    _ => (node, Value::Int(now)),
                })
            }
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Told => {
                    let origin = self.state.heap[*o].origin.as_ref();
                    origin.map(|o| (o.node, o.value.clone()))
                }
                Kind::Tuple(_) => {
                    let items = self.items_of(*o)?;
                    self.joined(&items, Step::Tuple, |values| Ok(Value::tuple(values)))?
                }
                Kind::Text(pieces) => {
                    let mut parts = Vec::with_capacity(pieces.len());
                    for piece in pieces.clone() {
                        parts.push(match piece {
                            Piece::Text(t) => Sym::Known(Value::str(&*t)),
                            Piece::Format {
                                value,
                                conversion: 0,
                                spec,
                            } if spec.is_empty() => value,
                            Piece::Format { .. } => return Ok(None),
                        });
                    }
                    self.joined(&parts, Step::Text, |values| {
                        Ok(Value::str(
                            values.iter().filter_map(plain_text).collect::<String>(),
                        ))
                    })?
                }
                _ => None,
            },
            _ => None,
        })
    }

    fn joined(
        &mut self,
        parts: &[Sym],
        step: fn(Vec<NodeId>) -> Step,
        now: impl FnOnce(Vec<Value>) -> Res<Value>,
    ) -> Res<Option<(NodeId, Value)>> {
        let (mut nodes, mut values) = (Vec::new(), Vec::new());
        for part in parts {
            let Some((node, value)) = self.key_node(part)? else {
                return Ok(None);
            };
            nodes.push(node);
            values.push(value);
        }
        if matches!(step(Vec::new()), Step::Text(_))
            && values.iter().any(|v| plain_text(v).is_none())
        {
            return Ok(None);
        }
        let path: Rc<str> = "key".into();
        let node = self.node(step(nodes), Check::None, &path);
        Ok(Some((node, now(values)?)))
    }

    /// Whether two values that can be told at entry are equal, guarded to stay so; `None`: they cannot be told.
    pub(crate) fn equal_at_entry(&mut self, a: &Sym, b: &Sym) -> Res<Option<bool>> {
        let (Some((x, p)), Some((y, q))) = (self.key_node(a)?, self.key_node(b)?) else {
            return Ok(None);
        };
        self.guard_equal(x, y, &p, &q).map(Some)
    }

    fn guard_equal(&mut self, x: NodeId, y: NodeId, p: &Value, q: &Value) -> Res<bool> {
        let equal = ops::eq(self.vm, p, q).unwrap_or(false);
        let pinned = |n: NodeId| matches!(self.entry.nodes[n.0 as usize].step, Step::Pinned(_));
        if !(pinned(x) && pinned(y)) {
            let path: Rc<str> =
                format!("whether two keys of line {} are equal", self.line()).into();
            self.node(
                Step::KeyEqual(x, y),
                Check::Equal(Value::bool(equal)),
                &path,
            );
        }
        Ok(equal)
    }

    /// Text from outside that moves.
    pub(crate) fn wrap_told(&mut self, u: &Unloaded) -> Sym {
        let node = self.node(u.step.clone(), Check::Text, &u.path);
        let origin = Origin {
            node,
            value: u.value.clone(),
            path: u.path.clone(),
        };
        // No object has this address.
        let address = usize::MAX - self.state.heap.len();
        let object = HeapObject {
            origin: Some(origin),
            kind: Kind::Told,
        };
        Sym::Obj(self.register(address, object))
    }

    /// `==` and `!=` where text that moves is compared.
    pub(crate) fn told_compare(&mut self, op: CompareOp, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        let is_told = |v: &Sym| match v {
            Sym::Obj(o) => matches!(self.state.heap[*o].kind, Kind::Told | Kind::Text(_)),
            _ => false,
        };
        if !matches!(op, CompareOp::Eq | CompareOp::Ne) || !(is_told(a) || is_told(b)) {
            return Ok(None);
        }
        let equal = self.equal_at_entry(a, b)?;
        Ok(equal.map(|equal| Sym::Known(Value::bool(equal == (op == CompareOp::Eq)))))
    }

    // ---- entries -------------------------------------------------------------------------

    /// The number of the entry under a key.
    fn open_find(&mut self, obj: Obj, key: &Sym) -> Res<usize> {
        let open = self.open_at(obj)?.clone();
        if open.unseen {
            return self.look_at(obj);
        }
        if let Some(i) = open.entries.iter().position(|e| e.key.same(key)) {
            return Ok(i);
        }
        let Some((node, now)) = self.key_node(key)? else {
            return match &self.state.heap[obj].origin {
                Some(origin) if has_few_ints(&origin.value) => {
                    Err(Stop::Again(Relax::Close(origin.path.clone())))
                }
                _ => self.refuse(ReasonId::MovingValue, "a dict key that the graph computes"),
            };
        };
        let mut apart = Vec::new();
        for (i, entry) in open.entries.iter().enumerate() {
            let equal = ops::eq(self.vm, &now, &entry.now).unwrap_or(false);
            if equal || open.log.contains(&i) {
                self.guard_equal(node, entry.node, &now, &entry.now)?;
                if equal {
                    return Ok(i);
                }
                apart.push(i);
            }
        }
        let Some(origin) = self.state.heap[obj].origin.clone() else {
            return self.defect("not a dict or set");
        };
        let found = match &origin.value {
            Value::Set(set) => set.has_simple(&now).map(|has| has.then_some(Value::None)),
            v => v.as_dict().and_then(|d| d.get_simple(&now)),
        };
        let Some(found) = found else {
            return self.refuse(
                ReasonId::SpecialMethod,
                "a key that only a method tells from one that is there",
            );
        };
        let shown = self.key_text(key, open.entries.len());
        let shown: Rc<str> = format!("{}[{shown}]", origin.path).into();
        let there = Check::Equal(Value::bool(found.is_some()));
        let path: Rc<str> = format!("whether {shown} is there").into();
        self.node(Step::HasKey(origin.node, node), there, &path);
        let before = match found {
            None => Slot::Empty,
            Some(_) if open.set => Slot::Loaded(Sym::Known(Value::None)),
            Some(value) => Slot::Unloaded(Unloaded {
                step: Step::DictAt(origin.node, node),
                value,
                path: shown.clone(),
            }),
        };
        let open = self.open_mut(obj)?;
        open.entries.push(OpenEntry {
            key: key.clone(),
            node,
            now,
            before: before.clone(),
            value: before,
            path: shown,
            removed: false,
            apart,
        });
        Ok(open.entries.len() - 1)
    }

    /// A key in words, the same at each entry, and another one than those of the `before` entries that were looked at
    /// before it.
    fn key_text(&self, key: &Sym, before: usize) -> String {
        match key {
            Sym::Known(v) => match v {
                Value::Str(s) => format!("'{}'", s.as_str()),
                Value::Int(i) => i.to_string(),
                _ => format!("key {}", before + 1),
            },
            _ => format!("key {} of line {}", before + 1, self.line()),
        }
    }

    /// The value under a key, loaded; `None`: there is none.
    pub(crate) fn open_get(&mut self, obj: Obj, key: &Sym) -> Res<Option<Sym>> {
        let at = self.open_find(obj, key)?;
        let slot = self.open_at(obj)?.entries[at].value.clone();
        let value = self.load_slot(&slot)?;
        if let (Slot::Unloaded(_), Some(v)) = (&slot, &value) {
            self.open_mut(obj)?.entries[at].value = Slot::Loaded(v.clone());
        }
        Ok(value)
    }

    /// Whether there is an entry under a key.
    pub(crate) fn open_has(&mut self, obj: Obj, key: &Sym) -> Res<bool> {
        let at = self.open_find(obj, key)?;
        Ok(self.open_at(obj)?.entries[at].is_there())
    }

    /// Writes or takes out (`None`) an entry; whether it was there.
    pub(crate) fn open_set(&mut self, obj: Obj, key: &Sym, value: Option<Sym>) -> Res<bool> {
        let at = self.open_find(obj, key)?;
        let open = self.open_at(obj)?.clone();
        let entry = &open.entries[at];
        for (i, other) in open.entries.iter().enumerate() {
            if i != at && !entry.apart.contains(&i) && !other.apart.contains(&at) {
                let (a, b) = (other.now.clone(), entry.now.clone());
                self.guard_equal(other.node, entry.node, &a, &b)?;
                self.open_mut(obj)?.entries[at].apart.push(i);
            }
        }
        let was_there = entry.is_there();
        let open = self.open_mut(obj)?;
        match value {
            Some(v) => {
                if !was_there {
                    open.log.retain(|&i| i != at);
                    // The key that comes in is the one that stays.
                    open.entries[at].key = key.clone();
                }
                open.entries[at].value = Slot::Loaded(v);
            }
            None if was_there => {
                open.log.retain(|&i| i != at);
                open.entries[at].value = Slot::Empty;
                open.entries[at].removed = true;
            }
            None => return Ok(false),
        }
        if !open.log.contains(&at) {
            open.log.push(at);
        }
        Ok(was_there)
    }

    /// How many entries there are.
    pub(crate) fn open_len(&mut self, obj: Obj) -> Res<Sym> {
        if self.open_at(obj)?.unseen {
            return self.look_at(obj);
        }
        let Some(origin) = self.state.heap[obj].origin.clone() else {
            return self.defect("not a dict or set");
        };
        let length = match &origin.value {
            Value::Set(set) => set.len(),
            v => v.as_dict().map_or(0, |d| d.len()),
        };
        let mut more = 0;
        for entry in &self.open_at(obj)?.entries {
            more += i64::from(entry.is_there());
            more -= i64::from(!matches!(entry.before, Slot::Empty));
        }
        let before = self.wrap(&Unloaded {
            step: Step::Length(origin.node),
            value: Value::Int(i64::try_from(length).unwrap_or(i64::MAX)),
            path: format!("len({})", origin.path).into(),
        })?;
        self.binary(
            janus_bytecode::BinaryOp::Add,
            &before,
            &Sym::Known(Value::Int(more)),
        )
    }

    // ---- the end -------------------------------------------------------------------------

    /// Writes back what was changed.
    pub(crate) fn commit_open(&mut self, out: &mut Out, node: NodeId, open: &SymOpen) -> Res<()> {
        if open.log.is_empty() {
            return Ok(());
        }
        self.guard_written(node);
        let container = Self::push(out, Recipe::Node(node));
        for entry in open.written() {
            // A key of one side of a branch is told as it was at entry on the other one, too.
            let key = if self.is_of_side(&entry.key) {
                Self::push(out, Recipe::Node(entry.node))
            } else {
                self.recipe(out, &entry.key)?
            };
            let was_there = !matches!(entry.before, Slot::Empty);
            if was_there && entry.removed {
                out.commits.push(if open.set {
                    Commit::Discard {
                        set: container,
                        item: key,
                    }
                } else {
                    Commit::SetItem {
                        container,
                        key,
                        value: None,
                    }
                });
            }
            match &entry.value {
                Slot::Loaded(_) if open.set => out.commits.push(Commit::Add {
                    set: container,
                    items: vec![key],
                }),
                Slot::Loaded(v) => {
                    let value = Some(self.recipe(out, v)?);
                    out.commits.push(Commit::SetItem {
                        container,
                        key,
                        value,
                    });
                }
                Slot::Unloaded(_) | Slot::Empty => {}
            }
        }
        Ok(())
    }

    /// Whether a key holds a number that only one side of a branch computed.
    fn is_of_side(&self, key: &Sym) -> bool {
        let any = |slots: &[Slot]| {
            slots.iter().any(|slot| match slot {
                Slot::Loaded(v) => self.is_of_side(v),
                Slot::Unloaded(_) | Slot::Empty => false,
            })
        };
        match key {
            Sym::Scalar(s) => {
                let home = self.emission.value_context.get(&s.id).copied().unwrap_or(0);
                home != self.emission.context
            }
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Tuple(items) => any(items),
                Kind::Text(pieces) => pieces.iter().any(|piece| match piece {
                    Piece::Format { value, .. } => self.is_of_side(value),
                    Piece::Text(_) => false,
                }),
                _ => false,
            },
            _ => false,
        }
    }

    /// What the two sides of a branch left, if both left the same entries.
    pub(crate) fn merge_open(
        &mut self,
        a: &SymOpen,
        b: &SymOpen,
        merge_slot: &mut dyn FnMut(&mut Self, &Slot, &Slot) -> Res<Slot>,
    ) -> Res<SymOpen> {
        let mut merged = a.clone();
        merged.unseen |= b.unseen;
        let mut place = Vec::with_capacity(b.entries.len());
        for entry in &b.entries {
            let at = merged.entries.iter().position(|e| e.key.same(&entry.key));
            place.push(at.unwrap_or(merged.entries.len()));
            if at.is_none() {
                let (value, removed) = (entry.before.clone(), false);
                merged.entries.push(OpenEntry {
                    value,
                    removed,
                    apart: Vec::new(),
                    ..entry.clone()
                });
            }
        }
        let mut log = a.log.clone();
        log.extend(
            b.log
                .iter()
                .map(|&i| place[i])
                .filter(|i| !a.log.contains(i)),
        );
        for at in &log {
            let mine = &merged.entries[*at];
            let theirs = place.iter().position(|p| p == at).map(|i| &b.entries[i]);
            let (value, removed) = theirs.map_or((&mine.before, false), |e| (&e.value, e.removed));
            let there = !matches!(value, Slot::Empty);
            if removed != mine.removed
                || there != mine.is_there()
                || matches!(mine.before, Slot::Empty)
            {
                return self.refuse(
                    ReasonId::BranchSides,
                    "a dict or set has other keys after one side of a branch",
                );
            }
            if there {
                let value = merge_slot(self, &mine.value.clone(), &value.clone())?;
                merged.entries[*at].value = value;
            }
        }
        merged.log = log;
        Ok(merged)
    }
}

/// Whether a graph can look for an int among the keys of a dict.
pub(crate) fn has_few_ints(dict: &Value) -> bool {
    dict.as_dict().is_some_and(|d| {
        let keys = d.keys();
        (1..=MAX_KEYS).contains(&keys.len()) && keys.iter().all(|k| matches!(k, Value::Int(_)))
    })
}
