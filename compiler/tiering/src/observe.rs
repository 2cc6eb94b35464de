//! What moves before a region is compiled.
//!
//! In: entries of a region that tier 0 runs. Out: relaxations: an int or an extent that was seen with
//! two values is never assumed. Always: paths are those that the speculator gives to the same places.

use std::rc::Rc;

use janus_interp::Frame;
use janus_object::{Payload, Value};
use janus_plan::{RegionKind, Relax, Relaxations};
use janus_tensor::Tensor;

use crate::region::Region;

/// Entries that are looked at; what moves has moved by then.
const MAX_OBSERVED: u32 = 64;
/// Attributes of one object, or items of a container, that are looked at.
const MAX_PARTS: usize = 32;
/// Objects and containers inside of one another that are looked into.
const MAX_DEPTH: usize = 3;
/// Values that are looked at in one entry.
const MAX_VALUES: usize = 400;

/// Ints that move, of which one may be what a graph cannot have, at most.
const MAX_ALONE: usize = 4;

/// A value of an earlier entry.
pub(crate) enum Seen {
    Shape(Vec<i64>),
    Int(i64),
}

impl Region {
    /// Looks at an entry that tier 0 runs: locals, globals that the code names, the loop's item, what lies on the
    /// stack, and the ints among their attributes and items.
    pub fn observe(&self, frame: &Frame) {
        if self.observed.get() >= MAX_OBSERVED {
            return;
        }
        self.observed.set(self.observed.get() + 1);
        let code = &frame.code;
        let mut left = MAX_VALUES;
        match self.kind {
            RegionKind::Loop { .. } => {
                if let Some(Some(item)) = frame.stack.last() {
                    self.saw("item", item, 0, &mut left);
                }
            }
            RegionKind::Rest { .. } => {
                for (i, value) in frame.stack.iter().enumerate() {
                    if let Some(value) = value {
                        self.saw(&format!("stack[{i}]"), value, 0, &mut left);
                    }
                }
            }
            RegionKind::Function => {}
        }
        for (name, value) in code.code.varnames.iter().zip(&frame.locals) {
            if let Some(value) = value {
                self.saw(name, value, 0, &mut left);
            }
        }
        for name in &code.names {
            if let Some(value) = frame.globals.get_name(name) {
                self.saw(name.as_str(), &value, 0, &mut left);
            }
        }
    }

    /// Before the first version, and where nothing that moves fits into a graph: what to assume after
    /// all of what was seen to move.
    pub fn less_observed(&self) -> Vec<Relaxations> {
        let first = self.versions.borrow().is_empty() && self.compiles.get() == 0;
        let now = self.relaxations.borrow();
        if !first || (now.dynamic_dims.is_empty() && now.symbolic.is_empty()) {
            return Vec::new();
        }
        less_symbolic(&now, &Relaxations::default())
    }

    fn saw(&self, path: &str, value: &Value, depth: usize, left: &mut usize) {
        if *left == 0 {
            return;
        }
        *left -= 1;
        if let Some(t) = value.foreign::<Tensor>() {
            return self.note(path, Seen::Shape(t.shape().to_vec()));
        }
        if let Value::Int(i) = value {
            return self.note(path, Seen::Int(*i));
        }
        if depth >= MAX_DEPTH {
            return;
        }
        let mut saw = |path: String, value: &Value| {
            if looks_into(value) {
                self.saw(&path, value, depth + 1, left);
            }
        };
        match value {
            Value::Tuple(tuple) => {
                for (i, part) in tuple.items.iter().take(MAX_PARTS).enumerate() {
                    saw(format!("{path}[{i}]"), part);
                }
            }
            Value::List(list) if list.len() <= MAX_PARTS => {
                for (i, part) in list.to_vec().iter().enumerate() {
                    saw(format!("{path}[{i}]"), part);
                }
            }
            Value::Dict(dict) if dict.len() <= MAX_PARTS => {
                for (key, part) in dict.items() {
                    match key {
                        Value::Str(key) => saw(format!("{path}['{}']", key.as_str()), &part),
                        Value::Int(key) => saw(format!("{path}[{key}]"), &part),
                        _ => {}
                    }
                }
            }
            Value::Instance(object) if matches!(object.payload, Payload::None) => {
                let Some(dict) = object.dict.get().filter(|d| d.len() <= MAX_PARTS) else {
                    return;
                };
                for (key, part) in dict.items() {
                    if let Some(key) = key.as_str() {
                        saw(format!("{path}.{key}"), &part);
                    }
                }
            }
            _ => {}
        }
    }

    fn note(&self, path: &str, now: Seen) {
        let path: Rc<str> = path.into();
        let (mut relaxations, mut seen) = (self.relaxations.borrow_mut(), self.seen.borrow_mut());
        match (seen.get(&path), &now) {
            (Some(Seen::Shape(then)), Seen::Shape(now)) if then.len() == now.len() => {
                for moved in (0..now.len()).filter(|&i| then[i] != now[i]) {
                    relaxations.apply(Relax::DynamicDim(path.clone(), moved));
                }
            }
            (Some(Seen::Int(then)), Seen::Int(now)) if then != now => {
                relaxations.apply(Relax::Symbolic(vec![path.clone()]));
            }
            _ => {}
        }
        seen.insert(path, now);
    }
}

/// Whether a value is one that may move, or holds some.
fn looks_into(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::Tuple(_) | Value::List(_) | Value::Dict(_) => true,
        Value::Instance(i) => {
            matches!(i.payload, Payload::None) || value.foreign::<Tensor>().is_some()
        }
        _ => false,
    }
}

/// Relaxations between `now` and `before`: without one of the ints that were added, since often one
/// alone is what a graph cannot have, without all of them, and `before` itself.
pub(crate) fn less_symbolic(now: &Relaxations, before: &Relaxations) -> Vec<Relaxations> {
    let mut added: Vec<&Rc<str>> = now.symbolic.difference(&before.symbolic).collect();
    added.sort();
    let mut all = Vec::new();
    if (2..=MAX_ALONE).contains(&added.len()) {
        for path in &added {
            let mut without = now.clone();
            without.symbolic.remove(*path);
            all.push(without);
        }
    }
    let mut without = now.clone();
    without.symbolic.clone_from(&before.symbolic);
    if without != *before {
        all.push(without);
    }
    all.push(before.clone());
    all
}
