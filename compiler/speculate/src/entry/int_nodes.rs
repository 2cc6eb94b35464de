//! Ints that can be told at entry, although they move: what indexes a list, what a shape is made of,
//! what a torch function wants as a constant.
//!
//! In: ints and bools loaded at entry, and arithmetic on them. Out: nodes that compute the same
//! before the graph runs. Always: a node computes what the graph would, or has no value.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::ValueId;
use janus_object::Value;
use janus_plan::{Check, NodeId, ReasonId, ScalarType, Step, holds, int_op};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Piece, Sym, SymScalar, Unloaded};

/// How an int comes about at entry.
#[derive(Clone)]
pub(crate) enum EntryInt {
    Node(NodeId),
    Const(i64),
    Op(BinaryOp, Rc<EntryInt>, Rc<EntryInt>),
    /// A bool.
    Compare(CompareOp, Rc<EntryInt>, Rc<EntryInt>),
}

/// A mask up to here leaves few values.
const MAX_MASK: i64 = 7;
/// Items of a slice whose bounds move, at most.
const MAX_SLICE: usize = 64;
/// Nested operations at most.
const MAX_DEPTH: u32 = 8;

impl Executor<'_> {
    /// Notes that a number of the graph is this node's value.
    pub(crate) fn note_host(&mut self, v: &Sym, node: NodeId, value: &Value) {
        let now = match value {
            Value::Int(i) => *i,
            Value::Bool(b) => i64::from(b.get()),
            _ => return,
        };
        if let Sym::Scalar(s) = v {
            let told = Rc::new(janus_plan::Extent::Int(node));
            self.entry_numbers.extents.insert(s.id, (told, 0));
            self.entry_numbers
                .ints
                .insert(s.id, (Rc::new(EntryInt::Node(node)), now, 0));
        }
    }

    /// Notes how a number of the graph was computed from two others.
    pub(crate) fn note_host_op(&mut self, op: BinaryOp, a: SymScalar, b: SymScalar, result: &Sym) {
        let Sym::Scalar(result) = result else { return };
        self.note_told_op(op, a.id, b.id, result.id);
        let (Some((x, p, i)), Some((y, q, j))) = (self.host_of(a.id), self.host_of(b.id)) else {
            return;
        };
        let depth = i.max(j) + 1;
        if let (Some(now), true) = (int_op(op, p, q), depth <= MAX_DEPTH) {
            let host = Rc::new(EntryInt::Op(op, x, y));
            self.entry_numbers
                .ints
                .insert(result.id, (host, now, depth));
        }
    }

    /// Notes how a bool of the graph was computed from two ints.
    pub(crate) fn note_host_compare(
        &mut self,
        op: CompareOp,
        a: ValueId,
        b: ValueId,
        result: ValueId,
    ) {
        self.note_told_compare(op, a, b, result);
        let (Some((x, p, i)), Some((y, q, j))) = (self.host_of(a), self.host_of(b)) else {
            return;
        };
        let depth = i.max(j) + 1;
        if depth <= MAX_DEPTH {
            let now = i64::from(holds(op, p, q));
            self.entry_numbers
                .ints
                .insert(result, (Rc::new(EntryInt::Compare(op, x, y)), now, depth));
        }
    }

    /// Notes that a bool of the graph is the opposite of another.
    pub(crate) fn note_host_not(&mut self, of: ValueId, result: ValueId) {
        self.note_told_not(of, result);
        if let Some((host, now, depth)) = self.entry_numbers.ints.get(&of).cloned() {
            let zero = Rc::new(EntryInt::Const(0));
            let host = Rc::new(EntryInt::Compare(CompareOp::Eq, host, zero));
            self.entry_numbers
                .ints
                .insert(result, (host, i64::from(now == 0), depth + 1));
        }
    }

    /// What a condition is now, if that can be told at entry: it is guarded to stay so.
    pub(crate) fn guarded_condition(&mut self, condition: ValueId) -> Option<bool> {
        if let Some(now) = self.set_condition(condition) {
            return Some(now);
        }
        let (host, now, _) = self.entry_numbers.ints.get(&condition).cloned()?;
        let path: Rc<str> = format!("the condition of line {}", self.line()).into();
        let node = self.host_step(&host);
        let step = self.entry.nodes[node.0 as usize].step.clone();
        self.node(step, Check::Equal(Value::bool(now != 0)), &path);
        Some(now != 0)
    }

    /// Whether a number takes few values only, however far it moves.
    fn is_bounded(&self, host: &EntryInt) -> bool {
        match host {
            EntryInt::Const(_) | EntryInt::Compare(..) => true,
            EntryInt::Node(node) => {
                let n = &self.entry.nodes[node.0 as usize];
                !matches!(n.step, Step::Stack(_))
                    && !self.region.relaxations.symbolic.contains(&n.path)
            }
            EntryInt::Op(BinaryOp::Mod, _, b) => self.is_bounded(b),
            EntryInt::Op(BinaryOp::And, a, b) => {
                let mask = |h: &EntryInt| matches!(h, EntryInt::Const(0..=MAX_MASK));
                mask(a) || mask(b) || (self.is_bounded(a) && self.is_bounded(b))
            }
            EntryInt::Op(_, a, b) => self.is_bounded(a) && self.is_bounded(b),
        }
    }

    fn host_of(&self, id: ValueId) -> Option<(Rc<EntryInt>, i64, u32)> {
        if let Some(known) = self.entry_numbers.ints.get(&id) {
            return Some(known.clone());
        }
        let n = self.constant_int(id)?;
        Some((Rc::new(EntryInt::Const(n)), n, 0))
    }

    /// The int that a value of the graph is, if it is a constant.
    pub(crate) fn constant_int(&self, id: ValueId) -> Option<i64> {
        let found = self
            .emission
            .constants
            .iter()
            .find(|((ty, _), v)| *ty == ScalarType::Int && **v == id);
        found.map(|((_, bits), _)| bits.cast_signed())
    }

    /// What a number is now, where that can be told at entry.
    pub(crate) fn host_now(&self, s: SymScalar) -> Option<i64> {
        self.host_of(s.id).map(|(_, now, _)| now)
    }

    /// A node for a number, and what it is now.
    pub(crate) fn entry_int_node(&mut self, s: SymScalar) -> Option<(NodeId, i64)> {
        let (host, now, _) = self.host_of(s.id)?;
        Some((self.host_step(&host), now))
    }

    fn host_step(&mut self, host: &EntryInt) -> NodeId {
        let path: Rc<str> = "index".into();
        match host {
            EntryInt::Node(node) => *node,
            EntryInt::Const(n) => self.pinned_int(*n),
            EntryInt::Op(op, a, b) => {
                let (a, b) = (self.host_step(a), self.host_step(b));
                self.node(Step::IntOp(*op, a, b), Check::None, &path)
            }
            EntryInt::Compare(op, a, b) => {
                let (a, b) = (self.host_step(a), self.host_step(b));
                self.node(Step::IntCompare(*op, a, b), Check::None, &path)
            }
        }
    }

    /// A list or tuple as it was at entry: its node, its path, its items now.
    fn at_entry_items(&mut self, container: &Sym) -> Option<(NodeId, Rc<str>, Vec<Value>)> {
        match container {
            Sym::Known(v @ Value::Tuple(t)) => {
                let items = t.items.to_vec();
                let path: Rc<str> = "items".into();
                let node = self.node(Step::Pinned(v.clone()), Check::None, &path);
                Some((node, path, items))
            }
            Sym::Known(v @ Value::Str(s)) if s.as_str().is_ascii() => {
                let items = s.as_str().chars().map(|c| Value::str(c.to_string()));
                let (items, path) = (items.collect(), format!("'{}'", s.as_str()).into());
                let node = self.node(Step::Pinned(v.clone()), Check::None, &path);
                Some((node, path, items))
            }
            Sym::Obj(o) => {
                let object = &self.state.heap[*o];
                let origin = object.origin.clone()?;
                let unchanged = match &object.kind {
                    Kind::List(l) => l.is_unchanged(),
                    Kind::Tuple(_) => true,
                    _ => false,
                };
                let items = match &origin.value {
                    Value::Tuple(t) => Some(t.items.to_vec()),
                    v => v.as_list().map(|l| l.to_vec()),
                };
                Some((origin.node, origin.path, items.filter(|_| unchanged)?))
            }
            _ => None,
        }
    }

    /// A slice of a list or tuple that was there at entry, where its bounds can be told there: its length is
    /// guarded.
    pub(crate) fn slice_at_entry(&mut self, obj: Obj, key: &Sym) -> Res<Option<Sym>> {
        let Sym::Obj(slice) = key else {
            return Ok(None);
        };
        let Kind::Slice([start, stop, Sym::Known(Value::None | Value::Int(1))]) =
            self.state.heap[*slice].kind.clone()
        else {
            return Ok(None);
        };
        let (start, stop) = (self.settled(&start)?, self.settled(&stop)?);
        if start.known().is_some() && stop.known().is_some() {
            return Ok(None);
        }
        let Some((list, path, items)) = self.at_entry_items(&Sym::Obj(obj)) else {
            return Ok(None);
        };
        let mut bounds = [None; 2];
        for (bound, (v, default)) in bounds.iter_mut().zip([(&start, 0), (&stop, i64::MAX)]) {
            *bound = match v {
                Sym::Scalar(s) => self.entry_int_node(*s),
                Sym::Known(Value::None) => Some((self.pinned_int(default), default)),
                Sym::Known(Value::Int(i)) => Some((self.pinned_int(*i), *i)),
                _ => None,
            };
        }
        let [Some((a, from)), Some((b, to))] = bounds else {
            return Ok(None);
        };
        let range = janus_object::resolve_slice(Some(from), Some(to), 1, items.len());
        let places: Vec<usize> = range.indices().collect();
        if places.len() > MAX_SLICE {
            return self.refuse(
                ReasonId::TooLarge,
                format!("a slice of more than {MAX_SLICE} items of a list"),
            );
        }
        let line = self.line();
        let length = Value::Int(i64::try_from(places.len()).unwrap_or(i64::MAX));
        let of_slice: Rc<str> = format!("the length of the slice of line {line}").into();
        self.node(
            Step::SliceLength(list, [a, b]),
            Check::Equal(length),
            &of_slice,
        );
        let first = self.node(Step::SliceStart(list, [a, b]), Check::None, &"index".into());
        let mut picked = Vec::with_capacity(places.len());
        for (i, place) in places.into_iter().enumerate() {
            let i = i64::try_from(i).unwrap_or(i64::MAX);
            let i_node = self.pinned_int(i);
            let step = Step::IntOp(BinaryOp::Add, first, i_node);
            let at = self.node(step, Check::None, &"index".into());
            picked.push(self.wrap(&Unloaded {
                step: Step::ItemAt(list, at),
                value: items[place].clone(),
                path: format!("{path}[slice of line {line}][{i}]").into(),
            })?);
        }
        Ok(Some(match self.state.heap[obj].kind {
            Kind::List(_) => self.list(picked),
            _ => self.tuple(picked),
        }))
    }

    fn pinned_int(&mut self, n: i64) -> NodeId {
        self.node(Step::Pinned(Value::Int(n)), Check::None, &"index".into())
    }

    /// The item of a list or tuple that was there at entry, at an index that can be told there.
    pub(crate) fn item_at(&mut self, container: &Sym, index: SymScalar) -> Res<Option<Sym>> {
        let Some((node, path, items)) = self.at_entry_items(container) else {
            return Ok(None);
        };
        let Some((at, now)) = self.entry_int_node(index) else {
            return Ok(None);
        };
        let len = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let place = if now < 0 { now + len } else { now };
        let Some(value) = usize::try_from(place).ok().and_then(|i| items.get(i)) else {
            return self.refuse(ReasonId::WouldRaise, "it would raise: index out of range");
        };
        let key = self.entry.nodes[at.0 as usize].path.clone();
        self.wrap(&Unloaded {
            step: Step::ItemAt(node, at),
            value: value.clone(),
            path: format!("{path}[{key}]").into(),
        })
        .map(Some)
    }

    /// A number as the constant that it is now, under a guard; what never comes back to a value, as
    /// the loop's own variable, is none.
    pub(crate) fn as_constant(&mut self, v: &Sym) -> Option<Sym> {
        let Sym::Scalar(s) = v else { return None };
        let (host, now, _) = self.host_of(s.id)?;
        let value = if s.ty == ScalarType::Bool {
            Value::bool(now != 0)
        } else {
            Value::Int(now)
        };
        match &*host {
            EntryInt::Const(_) => {}
            EntryInt::Node(node) => {
                let n = &self.entry.nodes[node.0 as usize];
                let (step, path) = (n.step.clone(), n.path.clone());
                if matches!(step, Step::Stack(_)) {
                    return None;
                }
                self.node(step, Check::Equal(value.clone()), &path);
            }
            EntryInt::Op(..) | EntryInt::Compare(..) => {
                let path: Rc<str> = format!("what line {} computes", self.line()).into();
                if !self.is_bounded(&host) || self.region.relaxations.symbolic.contains(&path) {
                    return None;
                }
                let node = self.host_step(&host);
                let node = &mut self.entry.nodes[node.0 as usize];
                node.check = Check::Equal(value.clone());
                node.path = path;
            }
        }
        Some(Sym::Known(value))
    }

    /// Text from outside that moves as the constant that it is now, under a guard.
    pub(crate) fn told_text(&mut self, v: &Sym) -> Option<Sym> {
        let Sym::Obj(o) = v else { return None };
        let object = &self.state.heap[*o];
        let (Kind::Told, Some(origin)) = (&object.kind, &object.origin) else {
            return None;
        };
        let (value, path) = (origin.value.clone(), origin.path.clone());
        let step = self.entry.nodes.get(origin.node.0 as usize)?.step.clone();
        if matches!(step, Step::Stack(_)) {
            return None;
        }
        self.node(step, Check::Equal(value.clone()), &path);
        Some(Sym::Known(value))
    }

    /// What is as it is now under a guard, where that can be; else the value itself. Text is one
    /// where all that it is made of is.
    pub(crate) fn settled(&mut self, v: &Sym) -> Res<Sym> {
        let Sym::Obj(o) = v else {
            return Ok(self.as_constant(v).unwrap_or_else(|| v.clone()));
        };
        let pieces = match &self.state.heap[*o].kind {
            Kind::Text(pieces) => pieces.clone(),
            Kind::Tuple(_) => {
                let items = self.items_of(*o)?;
                let items = items.iter().map(|i| self.settled(i));
                let items = items.collect::<Res<Vec<_>>>()?;
                let known = items.iter().all(|i| i.known().is_some());
                return Ok(if known { self.tuple(items) } else { v.clone() });
            }
            _ => return Ok(v.clone()),
        };
        let mut parts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece {
                Piece::Text(t) => parts.push(Sym::Known(Value::str(&*t))),
                Piece::Format {
                    value,
                    conversion,
                    spec,
                } => {
                    let value = self.settled(&value)?;
                    if value.known().is_none() {
                        return Ok(v.clone());
                    }
                    parts.push(self.format(value, conversion, spec)?);
                }
            }
        }
        self.join_text(&parts)
    }
}
