//! Which tensors leave a region.
//!
//! In: the symbolic state at the region's end. Out: the tensors of the region that something outside names from
//! then on. Always: known before the first recipe is made, since a view of one that leaves shows its elements,
//! and a view of another is as good as a tensor of its own.

use std::collections::HashSet;

use crate::exec::{Executor, Flow};
use crate::sym::{Kind, Obj, Piece, Slot, Sym, SymFrame};

/// What is still to be looked through.
struct Walk {
    pending: Vec<Sym>,
}

impl Walk {
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
    pub(crate) fn leaving_tensors(&self, frame: &SymFrame, flow: &Flow) -> HashSet<Obj> {
        let mut walk = Walk {
            pending: Vec::new(),
        };
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
                Kind::Dict(d) if outside => {
                    let written = |key: &Sym| d.written.iter().any(|k| k.same(key));
                    let entries = d.entries.iter().filter(|(k, _)| written(k));
                    walk.slots(entries.map(|(_, slot)| slot));
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
        self.reached(walk)
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
            match &object.kind {
                Kind::Tensor(t) => {
                    let sides = t.one_of.iter().flat_map(|o| [o.then, o.otherwise]);
                    walk.pending.extend(sides.map(Sym::Obj));
                }
                Kind::Tuple(slots) => walk.slots(slots),
                Kind::List(l) => {
                    walk.slots(l.base.iter().flatten());
                    walk.pending
                        .extend(l.appended.iter().map(|(v, _)| v.clone()));
                }
                Kind::Grown(g) => walk.pending.extend(g.waiting.iter().cloned()),
                Kind::Dict(d) => {
                    walk.slots(d.entries.iter().map(|(_, slot)| slot));
                    walk.pending
                        .extend(d.entries.iter().map(|(k, _)| k.clone()));
                }
                Kind::Set(set) => walk.pending.extend(set.items.iter().cloned()),
                Kind::Instance(i) => {
                    walk.slots(i.attrs.values());
                    walk.pending.extend(i.payload.map(Sym::Obj));
                }
                Kind::Method { function, receiver } => {
                    walk.pending.extend([function.clone(), receiver.clone()]);
                }
                Kind::Choice {
                    then, otherwise, ..
                } => walk.pending.extend([then.clone(), otherwise.clone()]),
                Kind::Slice(parts) => walk.pending.extend(parts.iter().cloned()),
                Kind::Later { args, .. } => walk.pending.extend(args.iter().cloned()),
                Kind::Text(pieces) => {
                    for piece in pieces {
                        if let Piece::Format { value, .. } = piece {
                            walk.pending.push(value.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        tensors
    }
}
