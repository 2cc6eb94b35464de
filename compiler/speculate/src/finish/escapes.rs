//! Which tensors leave a region.
//!
//! In: the symbolic state at the region's end. Out: the tensors of the region that something outside names from
//! then on. Always: known before the first recipe is made, since a view of one that leaves shows its elements,
//! and a view of another is as good as a tensor of its own.

use std::collections::{BTreeMap, HashSet};

use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::state::running::Flow;
use crate::state::sym::{
    HeapObject, Kind, MadeBy, Obj, Piece, Slot, State, Stored, Sym, SymFrame, SymIter, SymList,
};

/// What is still to be looked through.
#[derive(Default)]
struct Walk {
    pending: Vec<Sym>,
}

impl Walk {
    /// What an object consists of.
    fn parts(&mut self, kind: &Kind) {
        match kind {
            Kind::Tensor(t) => {
                let sides = t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]);
                self.pending.extend(sides.map(Sym::Obj));
                if t.grad_written {
                    self.slots([&t.grad]);
                }
            }
            Kind::Tuple(slots) => self.slots(slots),
            Kind::List(l) => self.list(l),
            Kind::Grown(g) => {
                if let Some(list) = &g.behind {
                    self.list(list);
                }
                self.pending.extend(g.first.iter().cloned());
                self.pending.extend(g.waiting.iter().cloned());
            }
            Kind::Replaced(r) => self.pending.extend(r.values().cloned()),
            Kind::Filtered(items) => self.pending.extend(items.iter().map(|(v, _)| v.clone())),
            Kind::Open(open) => {
                self.slots(open.written().map(|e| &e.value));
                self.pending.extend(open.written().map(|e| e.key.clone()));
            }
            Kind::Dict(d) => {
                self.slots(d.entries.iter().map(|(_, slot)| slot));
                self.pending
                    .extend(d.entries.iter().map(|(k, _)| k.clone()));
            }
            Kind::Set(set) => self.pending.extend(set.items.iter().cloned()),
            Kind::Cell(c) => self.slots([&c.content]),
            Kind::Instance(i) => {
                self.slots(i.attrs.values());
                self.pending.extend(i.payload.as_ref().map(Stored::sym));
            }
            Kind::Method { function, receiver } => {
                self.pending.extend([function.clone(), receiver.clone()]);
            }
            Kind::Function(f) => {
                self.pending.extend(f.defaults.iter().cloned());
                self.pending
                    .extend(f.kw_defaults.iter().map(|(_, v)| v.clone()));
                self.objects(&f.closure);
            }
            Kind::Super { receiver, .. } => self.pending.push(receiver.clone()),
            Kind::InstanceDict(of) => self.objects(&[*of]),
            Kind::View { dict, .. } => self.pending.push(dict.clone()),
            Kind::Iter(iter) => self.iterator(iter),
            Kind::Generator(Some(frame)) => self.frame(frame),
            Kind::Choice {
                then, otherwise, ..
            } => self.pending.extend([then.clone(), otherwise.clone()]),
            Kind::Maybe { value, .. } | Kind::Raised(value) => self.pending.push(value.clone()),
            Kind::Slice(parts) => self.pending.extend(parts.iter().cloned()),
            Kind::Later { args, .. } => self.pending.extend(args.iter().cloned()),
            Kind::Text(pieces) => {
                for piece in pieces {
                    if let Piece::Format { value, .. } = piece {
                        self.pending.push(value.clone());
                    }
                }
            }
            _ => {}
        }
    }

    fn list(&mut self, list: &SymList) {
        self.slots(list.base.iter().flatten());
        self.pending
            .extend(list.appended.iter().map(|(v, _)| v.clone()));
    }

    fn iterator(&mut self, iter: &SymIter) {
        match iter {
            SymIter::Items { of, .. } | SymIter::Grown { of, .. } | SymIter::Rows { of, .. } => {
                self.objects(&[*of]);
            }
            SymIter::Values { items, .. } => self.pending.extend(items.iter().cloned()),
            SymIter::Enumerate { inner, .. } => self.objects(&[*inner]),
            SymIter::Zip { inner } => self.objects(inner),
            SymIter::Map { function, inner } => {
                self.pending.push(function.clone());
                self.objects(inner);
            }
            SymIter::Range { .. } => {}
        }
    }

    fn frame(&mut self, frame: &SymFrame) {
        self.slots(&frame.locals);
        self.pending.extend(frame.stack.iter().cloned());
        self.objects(&frame.cells);
        self.objects(frame.gathers.as_slice());
    }

    fn objects(&mut self, objects: &[Obj]) {
        self.pending.extend(objects.iter().copied().map(Sym::Obj));
    }

    fn slots<'a>(&mut self, slots: impl IntoIterator<Item = &'a Slot>) {
        for slot in slots {
            if let Slot::Loaded(v) = slot {
                self.pending.push(v.clone());
            }
        }
    }
}

impl Executor<'_> {
    /// The tensors that leave the region.
    pub(crate) fn leaving_tensors(&self, frame: &SymFrame, flow: &Flow) -> Res<HashSet<Obj>> {
        let mut walk = Walk::default();
        match flow {
            Flow::Return(v) => walk.pending.push(v.clone()),
            _ => {
                walk.slots(&frame.locals);
                walk.pending.extend(frame.stack.iter().cloned());
                for &cell in &frame.cells {
                    if let Kind::Cell(c) = &self.state.heap[cell].kind {
                        walk.slots([&c.content]);
                    }
                }
            }
        }
        for object in self.state.heap.iter() {
            let outside = object.origin.is_some();
            match &object.kind {
                Kind::Instance(i) if outside => {
                    walk.slots(i.written.iter().filter_map(|name| i.attrs.get(name)));
                }
                Kind::List(l) if outside => {
                    walk.slots(l.base.iter().flatten().filter(|_| l.rewritten));
                    walk.pending
                        .extend(l.appended.iter().map(|(v, _)| v.clone()));
                }
                Kind::Grown(g) if outside => walk.pending.extend(g.waiting.iter().cloned()),
                Kind::Replaced(r) if outside => walk.pending.extend(r.values().cloned()),
                Kind::Dict(d) if outside => {
                    let written = |key: &Sym| d.written.iter().any(|k| k.same(key));
                    let entries = d.entries.iter().filter(|(k, _)| written(k));
                    walk.slots(entries.map(|(_, slot)| slot));
                }
                Kind::Open(open) if outside => {
                    walk.slots(open.written().map(|e| &e.value));
                    walk.pending.extend(open.written().map(|e| e.key.clone()));
                }
                Kind::Set(set) if outside => walk.pending.extend(set.items.iter().cloned()),
                Kind::Tensor(t) if outside && t.grad_written => walk.slots([&t.grad]),
                Kind::Cell(c) if c.written => walk.slots([&c.content]),
                _ => {}
            }
        }
        for namespace in self.state.namespaces.values() {
            let written = namespace.written.iter();
            walk.slots(written.filter_map(|name| namespace.entries.get(name)));
        }
        for effect in &self.state.effects {
            walk.pending.extend(effect.args.iter().cloned());
            walk.pending
                .extend(effect.kwargs.iter().map(|(_, v)| v.clone()));
        }
        let mut tensors = self.reached(walk);
        self.keep_choices(&mut tensors);
        self.keep_layouts(&mut tensors);
        self.keep_shared(&mut tensors)?;
        Ok(tensors)
    }

    /// Refuses to let a tensor out that was made in another mode than the region's, `torch.inference_mode()` or not:
    /// what the commit makes is of the region's kind, and what shows memory from outside of the kind of that.
    pub(crate) fn check_inference(&self, frame: &SymFrame, flow: &Flow) -> Res<()> {
        let region = janus_tensor::autograd::is_inference_mode();
        let is_other = |object: &HeapObject| {
            let made = object.origin.is_none();
            made && matches!(&object.kind, Kind::Tensor(t) if t.inference != region)
        };
        if !self.state.heap.iter().any(is_other) {
            return Ok(());
        }
        for obj in self.leaving_tensors(frame, flow)? {
            let (object, owner) = (&self.state.heap[obj], &self.state.heap[self.owner(obj)?]);
            if is_other(object) && is_other(owner) {
                return self.refuse(
                    ReasonId::GradMode,
                    "a tensor made in another inference mode leaves the region",
                );
            }
        }
        Ok(())
    }

    /// Adds what a view may show, as a branch decided, where something else that leaves shows one of these, too.
    fn keep_choices(&self, leaving: &mut HashSet<Obj>) {
        let owner = |&obj: &Obj| self.owner(obj).unwrap_or(obj);
        let mut owners: HashSet<Obj> = leaving.iter().map(owner).collect();
        loop {
            let more = owners.iter().copied().find(|&chosen| {
                let decided = self
                    .tensor(chosen)
                    .is_ok_and(|t| t.identity.one_of.is_some());
                let shown = |part: &Obj| owners.contains(part);
                decided && !leaving.contains(&chosen) && self.all_parts_of(chosen).iter().any(shown)
            });
            let Some(chosen) = more else { return };
            let mut walk = Walk::default();
            walk.pending.push(Sym::Obj(chosen));
            let more = self.reached(walk);
            owners.extend(more.iter().map(owner));
            leaving.extend(more);
        }
    }

    /// Adds the owner of the memory of each view that does not lie row by row: only as a view of that one does it
    /// keep its strides.
    fn keep_layouts(&self, leaving: &mut HashSet<Obj>) {
        let mut owners = Vec::new();
        for &obj in leaving.iter() {
            let Ok(t) = self.tensor(obj) else { continue };
            let Some(view) = &t.view else { continue };
            let made = self.state.heap[view.base].origin.is_none();
            let made = made && self.state.heap[obj].origin.is_none();
            let shown = made && matches!(self.dense_view(obj), Ok(false));
            if shown && (!t.requires_grad || self.uses(view.base, leaving) == 1) {
                owners.push(view.base);
            }
        }
        leaving.extend(owners);
    }

    /// Adds the owner of the memory of views that show elements of one another: each by itself would be a tensor of
    /// its own.
    fn keep_shared(&self, leaving: &mut HashSet<Obj>) -> Res<()> {
        let mut views: BTreeMap<Obj, Vec<Obj>> = BTreeMap::new();
        for &obj in leaving.iter() {
            if let Ok(t) = self.tensor(obj)
                && let Some(view) = &t.view
                && self.state.heap[view.base].origin.is_none()
                && !leaving.contains(&view.base)
            {
                views.entry(view.base).or_default().push(obj);
            }
        }
        for (owner, mut views) in views {
            views.sort_unstable();
            let mut shared = false;
            for (i, &a) in views.iter().enumerate() {
                for &b in &views[i + 1..] {
                    shared = shared || !self.is_apart(a, b)?;
                }
            }
            if !shared {
                continue;
            }
            let tracked = |obj: &Obj| self.tensor(*obj).is_ok_and(|t| t.requires_grad);
            let tracked = views.iter().copied().filter(tracked).count();
            if tracked != 0 && self.uses(owner, leaving) != tracked {
                return self.refuse(
                    ReasonId::GradientOutside,
                    "views of one another leave the region, with gradients",
                );
            }
            leaving.insert(owner);
        }
        Ok(())
    }

    /// In how many ways gradients come to a tensor from those that leave: where there are several, the order in
    /// which they are added up would be another one.
    pub(crate) fn uses(&self, owner: Obj, leaving: &HashSet<Obj>) -> usize {
        let of_owner = |obj: &Obj| matches!(self.owner(*obj), Ok(o) if o == owner);
        let asked = self.asked_for_gradients(leaving);
        let uses = self.state.heap.iter().enumerate().filter(|(obj, object)| {
            let Kind::Tensor(t) = &object.kind else {
                return false;
            };
            let uses = match &t.view {
                Some(view) => view.base == owner,
                None => t.tape.inputs.iter().any(of_owner),
            };
            let counts =
                |asked: &HashSet<Obj>| asked.contains(obj) && !self.is_link(*obj, asked, leaving);
            uses && t.requires_grad && asked.as_ref().is_none_or(counts)
        });
        uses.count()
    }

    /// Whether it is a view that nothing but one other view is made of.
    fn is_link(&self, obj: Obj, asked: &HashSet<Obj>, leaving: &HashSet<Obj>) -> bool {
        let is_view = |obj: Obj| self.tensor(obj).is_ok_and(|t| t.view.is_some());
        if leaving.contains(&obj) || !is_view(obj) {
            return false;
        }
        let uses_it = |user: &&Obj| {
            self.tensor(**user).is_ok_and(|t| {
                let made_of = match t.tape.made_by.as_deref() {
                    Some(MadeBy::Prim(_, operands)) => operands.contains(&obj),
                    _ => false,
                };
                t.requires_grad && (made_of || t.tape.inputs.contains(&obj))
            })
        };
        let mut users = asked.iter().filter(uses_it);
        users.next().is_some_and(|&user| is_view(user)) && users.next().is_none()
    }

    /// The tensors to which a gradient of one that leaves may come; `None`: writes, branches or loops decide.
    fn asked_for_gradients(&self, leaving: &HashSet<Obj>) -> Option<HashSet<Obj>> {
        let mut pending: Vec<Obj> = leaving.iter().copied().collect();
        let mut asked = HashSet::new();
        while let Some(obj) = pending.pop() {
            let t = self.tensor(obj).ok()?;
            if !asked.insert(obj) || !t.requires_grad {
                continue;
            }
            if t.leaf || self.state.heap[obj].origin.is_some() && t.version == 0 {
                continue;
            }
            let Some(MadeBy::Prim(_, operands)) = t.tape.made_by.as_deref() else {
                return None;
            };
            pending.extend(operands);
            pending.extend(t.tape.inputs.iter());
            pending.extend(t.view.iter().map(|view| view.base));
        }
        Some(asked)
    }

    fn reached(&self, mut walk: Walk) -> HashSet<Obj> {
        let mut tensors = HashSet::new();
        let mut met = HashSet::new();
        while let Some(v) = walk.pending.pop() {
            let Sym::Obj(obj) = v else { continue };
            if !met.insert(obj) {
                continue;
            }
            let object = &self.state.heap[obj];
            if matches!(object.kind, Kind::Tensor(_)) {
                tensors.insert(obj);
            }
            if object.origin.is_some() {
                continue;
            }
            walk.parts(&object.kind);
        }
        tensors
    }

    /// Whether a list that was made in the region may have more names than one.
    pub(crate) fn has_other_names(&self, obj: Obj, at: &(State, SymFrame)) -> bool {
        self.names_of(obj, (&at.0, &at.1))
            .is_none_or(|names| names > 1)
    }

    /// How many variables, places and deferred calls name an object that was made in the region. `None`: variables
    /// of the calls around this one, which are not looked at, may do so.
    pub(crate) fn names_of(&self, obj: Obj, (state, frame): (&State, &SymFrame)) -> Option<usize> {
        let before = match &self.calls.active[..] {
            [_, .., call] => call.before,
            _ => 0,
        };
        if obj < before {
            return None;
        }
        let mut walk = Walk::default();
        walk.frame(frame);
        for (at, object) in state.heap.iter().enumerate() {
            if at < before || object.origin.is_some() {
                walk.parts(&object.kind);
            }
        }
        for namespace in state.namespaces.values() {
            walk.slots(namespace.entries.values());
        }
        for effect in &state.effects {
            walk.pending.extend(effect.args.iter().cloned());
            walk.pending
                .extend(effect.kwargs.iter().map(|(_, v)| v.clone()));
        }
        walk.pending.extend(state.handled.iter().cloned());
        let (mut met, mut names) = (HashSet::new(), 0);
        while let Some(v) = walk.pending.pop() {
            let Sym::Obj(found) = v else { continue };
            names += usize::from(found == obj);
            if met.insert(found)
                && let Some(object) = state.heap.get(found)
                && found >= before
                && object.origin.is_none()
            {
                walk.parts(&object.kind);
            }
        }
        Some(names)
    }
}
