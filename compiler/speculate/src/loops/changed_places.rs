//! Where an iteration of a loop leaves something changed.
//!
//! In: the state at an iteration's start and at its end. Out: the [`Place`]s that differ, and what
//! is there. Always: a place that was only looked at is not among them.

use std::rc::Rc;

use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::lists::growth::{is_longer, is_longer_in_front};
use crate::state::cfg;
use crate::state::place::Place;
use crate::state::sym::{
    Kind, Leaf, Slot, State, Sym, SymFrame, SymIter, SymTensor, Written, add_key,
};

/// What keeps a loop out in which a list gets items at indices that move.
const REPLACED_IN_LOOP: &str =
    "an item of a list is written at an index that moves, in a loop whose trip count moves";

impl Executor<'_> {
    pub(crate) fn slot_of(state: &State, frame: &SymFrame, place: &Place) -> Option<Slot> {
        match place {
            Place::Local(i) => frame.locals.get(*i).cloned(),
            Place::Cell(o) => match &state.heap.get(*o)?.kind {
                Kind::Cell(c) => Some(c.content.clone()),
                _ => None,
            },
            Place::Attr(o, name) => match &state.heap.get(*o)?.kind {
                Kind::Instance(i) => i.attrs.get(name).cloned(),
                _ => None,
            },
            Place::Item(o, i) => match &state.heap.get(*o)?.kind {
                Kind::List(l) => l.base.as_ref()?.get(*i).cloned(),
                Kind::Dict(d) => d.entries.get(*i).map(|(_, s)| s.clone()),
                _ => None,
            },
            Place::Global(address, name) => state
                .namespaces
                .get(address)
                .and_then(|n| n.entries.get(name))
                .cloned(),
            Place::Grad(o) => match &state.heap.get(*o)?.kind {
                Kind::Tensor(t) => Some(t.grad.clone()),
                _ => None,
            },
            Place::Position(o) => match &state.heap.get(*o)?.kind {
                Kind::Iter(
                    SymIter::Range { next, .. }
                    | SymIter::Rows { next, .. }
                    | SymIter::Grown { next, .. }
                    | SymIter::Enumerate { next, .. },
                ) => Some(Slot::Loaded(next.clone())),
                _ => None,
            },
            Place::Elements(o) => Some(Slot::Loaded(Sym::Obj(*o))),
            Place::Growth(_) => None,
        }
    }

    pub(crate) fn read(&mut self, frame: &SymFrame, place: &Place) -> Res<Sym> {
        let slot = match (Self::slot_of(&self.state, frame, place), place) {
            (Some(slot), _) => slot,
            // Not looked at so far: it is as it was at entry.
            (None, Place::Attr(o, name)) => {
                return match self.own_attr(*o, &name.clone())? {
                    Some(v) => Ok(v),
                    None => self.refuse(
                        ReasonId::LoopState,
                        "an attribute is first set inside a loop",
                    ),
                };
            }
            (None, Place::Global(address, name)) => {
                let Some(dict) = self.state.namespaces.get(address).map(|n| n.place.clone()) else {
                    return self.defect("a namespace that is not known");
                };
                return match self.load_namespace(&dict, &name.clone())? {
                    Some(v) => Ok(v),
                    None => self.refuse(
                        ReasonId::LoopState,
                        format!("{} is first set inside a loop", name.as_str()),
                    ),
                };
            }
            (None, Place::Growth(o)) => {
                let now = self.state.heap[*o].kind.clone();
                return Ok(self.alloc(now));
            }
            (None, _) => {
                return self.refuse(
                    ReasonId::LoopState,
                    "a place that is first there inside a loop",
                );
            }
        };
        match self.load_slot(&slot)? {
            Some(v) => Ok(v),
            None => self.refuse(ReasonId::LoopState, "a variable is first set inside a loop"),
        }
    }

    /// As [`Self::read`], of a state that is not the current one.
    pub(crate) fn read_of(&mut self, at: &(State, SymFrame), place: &Place) -> Res<Sym> {
        if let Some(Slot::Loaded(v)) = Self::slot_of(&at.0, &at.1, place) {
            return Ok(v);
        }
        let now = std::mem::replace(&mut self.state, at.0.clone());
        let padded = self.padded(at.0.clone(), &now);
        self.state = padded;
        let v = self.read(&at.1, place);
        let mut met = std::mem::replace(&mut self.state, now);
        // What was looked at just now is known from now on.
        for obj in self.state.heap.len()..met.heap.len() {
            self.state.heap.push(met.heap[obj].clone());
        }
        for (address, obj) in met.by_address.drain() {
            self.state.by_address.entry(address).or_insert(obj);
        }
        v
    }

    pub(crate) fn write(&mut self, frame: &mut SymFrame, place: &Place, v: Sym) -> Res<()> {
        match place {
            Place::Local(i) => {
                frame.locals[*i] = Slot::Loaded(v);
                frame.written.insert(*i);
            }
            Place::Cell(o) => {
                if let Kind::Cell(c) = &mut self.state.heap[*o].kind {
                    c.content = Slot::Loaded(v);
                    c.written = true;
                }
            }
            Place::Attr(o, name) => {
                if let Kind::Instance(i) = &mut self.state.heap[*o].kind {
                    i.attrs.insert(name.clone(), Slot::Loaded(v));
                    i.written.insert(name.clone());
                }
            }
            Place::Item(o, at) => match &mut self.state.heap[*o].kind {
                Kind::List(l) => {
                    if let Some(slot) = l.base.as_mut().and_then(|b| b.get_mut(*at)) {
                        *slot = Slot::Loaded(v);
                        l.rewritten = true;
                    }
                }
                Kind::Dict(d) => {
                    if let Some((key, slot)) = d.entries.get_mut(*at) {
                        *slot = Slot::Loaded(v);
                        add_key(&mut d.written, key);
                    }
                }
                _ => return self.defect("bad item"),
            },
            Place::Global(address, name) => {
                let Some(dict) = self.state.namespaces.get(address).map(|n| n.place.clone()) else {
                    return self.defect("bad name");
                };
                self.store_namespace(&dict, name, Slot::Loaded(v))?;
            }
            Place::Grad(o) => {
                if let Kind::Tensor(t) = &mut self.state.heap[*o].kind {
                    t.grad = Slot::Loaded(v);
                    t.grad_written = true;
                }
            }
            Place::Position(o) => {
                if let Kind::Iter(
                    SymIter::Range { next, .. }
                    | SymIter::Rows { next, .. }
                    | SymIter::Grown { next, .. }
                    | SymIter::Enumerate { next, .. },
                ) = &mut self.state.heap[*o].kind
                {
                    *next = v;
                }
            }
            Place::Growth(o) => match v {
                Sym::Obj(made) => self.state.heap[*o].kind = self.state.heap[made].kind.clone(),
                _ => return self.defect("bad list"),
            },
            Place::Elements(o) => {
                let Sym::Obj(made) = v else {
                    return self.defect("bad tensor");
                };
                // Nothing names it: a later write does not reach it.
                let made = self.tensor_mut(made)?;
                (made.identity.ambiguous, made.identity.parts) = (false, Rc::new([]));
                let made = made.clone();
                if let Kind::Tensor(t) = &mut self.state.heap[*o].kind {
                    t.value = made.value;
                    t.dims = made.dims;
                    t.version += 1;
                    t.unsure_from = u32::MAX;
                    t.written = t.written.or(Written::Yes);
                    t.counted = true;
                    if t.leaf && t.requires_grad {
                        t.tape.leaves = Rc::new([Leaf::new(*o, made.value)]);
                    } else {
                        t.requires_grad = made.requires_grad;
                        t.some_grad = made.some_grad;
                        t.tape.cut = made.tape.cut;
                        t.leaf &= !made.requires_grad;
                        t.tape.leaves = made.tape.leaves;
                        t.tape.inputs = made.tape.inputs;
                        t.tape.saved = made.tape.saved;
                        t.tape.decided = made.tape.decided;
                        t.tape.kept = made.tape.kept;
                        t.tape.within = made.tape.within;
                        t.tape.made_by = None;
                    }
                }
                self.went_stale(*o);
            }
        }
        Ok(())
    }

    /// What differs between the start of an iteration and its end.
    pub(crate) fn changes(
        &mut self,
        start: &(State, SymFrame),
        end: &(State, SymFrame),
    ) -> Res<Vec<Place>> {
        self.check_generators(&end.0)?;
        let mut places = Vec::new();
        let live = cfg::live_locals(&end.1.code.code, start.1.pc.saturating_sub(1));
        for (i, (a, b)) in start.1.locals.iter().zip(&end.1.locals).enumerate() {
            match (a, b) {
                (Slot::Empty, Slot::Loaded(_)) if !live.get(i).copied().unwrap_or(true) => {}
                (Slot::Unloaded(_), Slot::Loaded(_)) if !end.1.written.contains(&i) => {}
                _ if differ(a, b) => places.push(Place::Local(i)),
                _ => {}
            }
        }
        places.extend(self.changed_objects(&start.0, &end.0)?);
        Ok(places)
    }

    /// What differs between two states but for the frame.
    pub(crate) fn changed_objects(&mut self, start: &State, end: &State) -> Res<Vec<Place>> {
        let mut places = Vec::new();
        let common = start.heap.len().min(end.heap.len());
        for obj in 0..end.heap.len() {
            if start.heap.is_unchanged(&end.heap, obj) {
                continue;
            }
            let pristine;
            let a = if obj < common && !is_padding(&start.heap[obj]) {
                &start.heap[obj]
            } else if let Some((_, object)) = self.entry.pristine.get(&obj) {
                pristine = object.clone();
                &pristine
            } else {
                continue;
            };
            match (&a.kind, &end.heap[obj].kind) {
                (Kind::Cell(a), Kind::Cell(b)) => {
                    let loaded = matches!(a.content, Slot::Unloaded(_)) && !b.written;
                    if !loaded && differ(&a.content, &b.content) {
                        places.push(Place::Cell(obj));
                    }
                }
                (Kind::Instance(a), Kind::Instance(b)) => {
                    for name in &b.written {
                        let (x, y) = (a.attrs.get(name), b.attrs.get(name));
                        let same = a.written.contains(name)
                            && match (x, y) {
                                (Some(x), Some(y)) => !differ(x, y),
                                (x, y) => x.is_none() && y.is_none(),
                            };
                        if !same {
                            places.push(Place::Attr(obj, name.clone()));
                        }
                    }
                }
                (Kind::List(a), Kind::List(b))
                    if is_longer(&end.heap[obj], a, b)
                        || is_longer_in_front(&end.heap[obj], a, b) =>
                {
                    places.push(Place::Growth(obj));
                }
                (Kind::List(_), Kind::Grown(_)) => places.push(Place::Growth(obj)),
                (Kind::Grown(a), Kind::Grown(b)) if !a.is_same(b) => {
                    places.push(Place::Growth(obj));
                }
                (Kind::List(a), Kind::List(b)) => {
                    if a.appended.len() != b.appended.len() || a.dropped != b.dropped {
                        return self.refuse(
                            ReasonId::LoopState,
                            "a list grows in a loop whose trip count moves",
                        );
                    }
                    let (x, y) = (a.base.as_deref(), b.base.as_deref());
                    match (x, y) {
                        (Some(x), Some(y)) if x.len() == y.len() => {
                            for (i, (p, q)) in x.iter().zip(y).enumerate() {
                                let loaded = matches!(p, Slot::Unloaded(_)) && !b.rewritten;
                                if !loaded && differ(p, q) {
                                    places.push(Place::Item(obj, i));
                                }
                            }
                        }
                        (None, Some(_)) if !b.rewritten => {}
                        (None, None) => {}
                        _ => {
                            return self.refuse(
                                ReasonId::LoopState,
                                "a list grows in a loop whose trip count moves",
                            );
                        }
                    }
                }
                (Kind::Dict(a), Kind::Dict(b)) => {
                    if a.entries.len() != b.entries.len() {
                        return self
                            .refuse(ReasonId::LoopState, "a dict gets other keys in a loop");
                    }
                    for (i, ((k, p), (l, q))) in a.entries.iter().zip(&b.entries).enumerate() {
                        if !k.same(l) {
                            return self
                                .refuse(ReasonId::LoopState, "a dict gets other keys in a loop");
                        }
                        let written = b.written.iter().any(|w| w.same(k));
                        let loaded = matches!(p, Slot::Unloaded(_)) && !written;
                        if !loaded && differ(p, q) {
                            places.push(Place::Item(obj, i));
                        }
                    }
                }
                (Kind::Tensor(a), Kind::Tensor(b)) => {
                    if b.view.is_none() && b.version != a.version {
                        places.push(Place::Elements(obj));
                    }
                    let loaded = matches!(a.grad, Slot::Unloaded(_)) && !b.grad_written;
                    if !loaded && differ(&a.grad, &b.grad) {
                        places.push(Place::Grad(obj));
                    }
                    let spent = |t: &SymTensor| (t.tape.consumed, t.tape.consumed_if);
                    if spent(a) != spent(b) && obj < common {
                        return self.refuse(
                            ReasonId::GradientOutside,
                            "a graph from before a loop is consumed inside it",
                        );
                    }
                }
                (Kind::Iter(a), Kind::Iter(b)) => match (a, b) {
                    (SymIter::Range { next: p, .. }, SymIter::Range { next: q, .. })
                    | (SymIter::Rows { next: p, .. }, SymIter::Rows { next: q, .. })
                    | (SymIter::Grown { next: p, .. }, SymIter::Grown { next: q, .. })
                    | (SymIter::Enumerate { next: p, .. }, SymIter::Enumerate { next: q, .. }) => {
                        places.extend((!p.same(q)).then_some(Place::Position(obj)));
                    }
                    (SymIter::Items { next: p, .. }, SymIter::Items { next: q, .. })
                    | (SymIter::Values { next: p, .. }, SymIter::Values { next: q, .. })
                        if p != q =>
                    {
                        return self.refuse(
                            ReasonId::LoopState,
                            "an iteration of a loop makes items of a list or tuple another kind of thing",
                        );
                    }
                    _ => {}
                },
                (Kind::Generator(a), Kind::Generator(b)) => {
                    let at = |g: &Option<Box<SymFrame>>| g.as_ref().map(|f| f.pc);
                    if at(a) != at(b) {
                        return self.refuse(ReasonId::Generator, "a generator moves on in a loop");
                    }
                }
                (Kind::List(_), Kind::Filtered(_)) => {
                    return self.refuse(
                        ReasonId::TooLarge,
                        "a list gets some of its items in a loop whose trip count moves",
                    );
                }
                (Kind::Filtered(a), Kind::Filtered(b)) if !Self::same_items(a, b) => {
                    return self.refuse(
                        ReasonId::TooLarge,
                        "a list gets some of its items in a loop whose trip count moves",
                    );
                }
                (Kind::List(_), Kind::Replaced(_)) => {
                    return self.refuse(ReasonId::LoopState, REPLACED_IN_LOOP);
                }
                (Kind::Replaced(a), Kind::Replaced(b)) if !a.is_same(b) => {
                    return self.refuse(ReasonId::LoopState, REPLACED_IN_LOOP);
                }
                (Kind::Open(a), Kind::Open(b)) if !a.is_same(b) => {
                    return self.refuse(
                        ReasonId::LoopState,
                        "a dict or set changes in a loop whose trip count moves",
                    );
                }
                (Kind::Set(a), Kind::Set(b)) => {
                    let (a, b) = (&a.items, &b.items);
                    if a.len() != b.len() || a.iter().zip(b).any(|(p, q)| !p.same(q)) {
                        return self.refuse(
                            ReasonId::LoopState,
                            "a set changes in a loop whose trip count moves",
                        );
                    }
                }
                _ => {}
            }
        }
        for (address, b) in &end.namespaces {
            let a = start.namespaces.get(address);
            for name in &b.written {
                let same = a.is_some_and(|a| {
                    a.written.contains(name)
                        && match (a.entries.get(name), b.entries.get(name)) {
                            (Some(x), Some(y)) => !differ(x, y),
                            _ => false,
                        }
                });
                if !same {
                    places.push(Place::Global(*address, name.clone()));
                }
            }
        }
        Ok(places)
    }

    /// A state that also knows the objects which another one met since.
    pub(crate) fn padded(&self, mut state: State, met: &State) -> State {
        for obj in state.heap.len()..met.heap.len() {
            match self.entry.pristine.get(&obj) {
                Some((address, object)) => {
                    state.heap.push(object.clone());
                    state.by_address.insert(*address, obj);
                }
                None => state.heap.push(crate::state::sym::HeapObject {
                    origin: None,
                    kind: Kind::Tuple(Vec::new()),
                }),
            }
        }
        for (address, namespace) in &met.namespaces {
            state
                .namespaces
                .entry(*address)
                .or_insert_with(|| crate::state::sym::SymNamespace {
                    place: namespace.place.clone(),
                    entries: indexmap::IndexMap::new(),
                    written: indexmap::IndexSet::new(),
                });
        }
        state
    }
}

fn is_padding(object: &crate::state::sym::HeapObject) -> bool {
    object.origin.is_none() && matches!(&object.kind, Kind::Tuple(items) if items.is_empty())
}

/// Whether two slots hold different things.
fn differ(a: &Slot, b: &Slot) -> bool {
    match (a, b) {
        (Slot::Loaded(x), Slot::Loaded(y)) => !x.same(y),
        (Slot::Empty, Slot::Empty) | (Slot::Unloaded(_), Slot::Unloaded(_)) => false,
        _ => true,
    }
}
