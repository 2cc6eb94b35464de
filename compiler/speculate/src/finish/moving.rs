//! What a region writes that it took for granted when it was entered.
//!
//! In: the state at its end. Out: another attempt without that assumption. Always: what a region itself moves with
//! each entry is read, and not checked.

use std::rc::Rc;

use janus_object::{PyRef, Value};
use janus_plan::{Check, Relax, Step};

use crate::executor::Executor;
use crate::state::sym::{Kind, Origin, Slot, Sym, SymFrame, same_known};
use crate::{Res, Stop};

impl Executor<'_> {
    /// Asks for another attempt where the region changes a value that it took for a constant.
    pub(crate) fn restart_if_moved(&mut self, frame: &SymFrame) -> Res<()> {
        let mut writes: Vec<(Rc<str>, Option<Sym>)> = Vec::new();
        let written = |slot: Option<&Slot>| match slot {
            Some(Slot::Loaded(v)) => Some(v.clone()),
            _ => None,
        };
        if self.region.loop_head.is_some() {
            for &i in &frame.written {
                writes.push((
                    frame.code.code.varnames[i].clone(),
                    written(frame.locals.get(i)),
                ));
            }
        }
        for (at, object) in self.state.heap.iter().enumerate() {
            match (&object.origin, &object.kind) {
                (Some(origin), Kind::Instance(instance)) => {
                    for name in &instance.written {
                        let path = format!("{}.{}", origin.path, name.as_str());
                        writes.push((path.into(), written(instance.attrs.get(name))));
                    }
                }
                (Some(origin), Kind::Dict(dict)) => {
                    for (key, slot) in &dict.entries {
                        if dict.written.iter().any(|k| k.same(key)) {
                            let path = match key {
                                Sym::Known(Value::Str(s)) => {
                                    format!("{}['{}']", origin.path, s.as_str())
                                }
                                Sym::Known(Value::Int(n)) => format!("{}[{n}]", origin.path),
                                _ => continue,
                            };
                            writes.push((path.into(), written(Some(slot))));
                        }
                    }
                }
                (Some(_), Kind::Open(open)) => {
                    let now = open
                        .written()
                        .map(|e| (e.path.clone(), written(Some(&e.value))));
                    writes.extend(now);
                }
                (Some(origin), Kind::List(list)) if list.rewritten => {
                    let length = list.base.as_ref().map_or(0, Vec::len);
                    let length = i64::try_from(length).ok().map(Value::Int);
                    let path = format!("len({})", origin.path);
                    writes.push((path.into(), length.map(Sym::Known)));
                    for (i, slot) in list.base.iter().flatten().enumerate() {
                        writes.push((format!("{}[{i}]", origin.path).into(), written(Some(slot))));
                    }
                }
                (Some(origin), Kind::List(list)) if !list.is_unchanged() => {
                    self.note_longer(origin, &mut writes);
                }
                (Some(origin), Kind::Grown(_) | Kind::Replaced(_)) => {
                    self.note_longer(origin, &mut writes);
                }
                (None, Kind::Cell(cell)) if cell.written && !frame.cells.contains(&at) => {
                    if let Slot::Loaded(v) = &cell.content {
                        let name = self.cell_name(cell);
                        writes.push((name, Some(v.clone())));
                    }
                }
                _ => {}
            }
        }
        for (i, &cell) in frame.cells.iter().enumerate() {
            if let Kind::Cell(c) = &self.state.heap[cell].kind
                && c.written
                && let Some(name) = frame
                    .code
                    .code
                    .deref_name(u32::try_from(i).unwrap_or(u32::MAX))
            {
                writes.push((name.clone(), written(Some(&c.content))));
            }
        }
        for namespace in self.state.namespaces.values() {
            for name in &namespace.written {
                let path = namespace.place.path(name);
                writes.push((path, written(namespace.entries.get(name))));
            }
        }
        let written_paths: Vec<Rc<str>> = writes.iter().map(|(path, _)| path.clone()).collect();
        let mut moved = Vec::new();
        for (path, new) in writes {
            let assumed = self.entry.nodes.iter().find_map(|n| match &n.check {
                Check::Equal(v @ (Value::Int(_) | Value::Bool(_) | Value::Float(_)))
                    if n.path == path =>
                {
                    Some(v)
                }
                _ => None,
            });
            if let Some(old) = assumed
                && !matches!(&new, Some(Sym::Known(v)) if same_known(v, old))
                && !self.is_symbolic(&path)
            {
                moved.push(path);
            }
        }
        if self.region.loop_head.is_some() {
            moved.extend(self.longer_each_time(&written_paths));
        }
        if moved.is_empty() {
            Ok(())
        } else {
            Err(Stop::Again(Relax::Symbolic(moved)))
        }
    }

    /// What is known of a list's length and last items moves when it gets longer.
    fn note_longer(&self, list: &Origin, writes: &mut Vec<(Rc<str>, Option<Sym>)>) {
        writes.push((format!("len({})", list.path).into(), None));
        for node in &self.entry.nodes {
            if matches!(&node.step, Step::ItemFromEnd(of, _) if *of == list.node) {
                writes.push((node.path.clone(), None));
            }
        }
    }

    /// Lists whose length is assumed, and another one after an iteration, while what they are found through is as it
    /// was: the next iteration would meet the same list.
    fn longer_each_time(&self, written: &[Rc<str>]) -> Vec<Rc<str>> {
        let mut longer = Vec::new();
        for object in self.state.heap.iter() {
            let (Some(origin), Kind::List(list)) = (&object.origin, &object.kind) else {
                continue;
            };
            let (Check::List(Some(assumed)), Some(base)) =
                (&self.entry.nodes[origin.node.0 as usize].check, &list.base)
            else {
                continue;
            };
            let is_certain = list.appended.iter().all(|(_, c)| c.is_none());
            let through = |path: &Rc<str>| {
                let rest = origin.path.strip_prefix(&**path);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            if is_certain
                && base.len() + list.appended.len() != *assumed
                && !written.iter().any(through)
                && !self.region.relaxations.symbolic.contains(&origin.path)
            {
                longer.push(origin.path.clone());
            }
        }
        longer
    }

    /// The name under which a cell's content is known.
    fn cell_name(&self, cell: &crate::state::sym::SymCell) -> Rc<str> {
        let Some(real) = &cell.cell else {
            return "".into();
        };
        for n in &self.entry.nodes {
            if let janus_plan::Step::CellContent(c) = &n.step
                && PyRef::ptr_eq(c, real)
            {
                return n.path.clone();
            }
        }
        "".into()
    }
}
