//! What compiled code knows of a value, and how many machine values represent it.
//!
//! In: values and profile bits. Out: [`Kind`], the lattice of the analysis. Always: a kind says
//! exactly how to rebuild the Python value from its leaves; kinds that cannot be told apart at run
//! time never meet.

use std::rc::Rc;

use cranelift_codegen::ir::Type;
use cranelift_codegen::ir::types::{F64, I8, I64};
use janus_interp::Frame;
use janus_object::{IterState, PyIter, PyRef, TypeTag, Value, complex_parts, types};

/// Tags of a [`Kind::Dyn`] value. Those of values are the tag bytes of [`Value`], which
/// `crate::layout` checks.
pub(crate) mod tag {
    /// `None`
    pub const NONE: u32 = 0;
    /// A bool.
    pub const BOOL: u32 = 1;
    /// An int within 64 bits.
    pub const INT: u32 = 2;
    /// A float.
    pub const FLOAT: u32 = 3;
    /// An int of more bits: the first tag of values that are counted.
    pub const BIG_INT: u32 = 4;
    /// A string.
    pub const STR: u32 = 5;
    /// Bytes or a bytearray.
    pub const BYTES: u32 = 6;
    /// A tuple.
    pub const TUPLE: u32 = 7;
    /// A list.
    pub const LIST: u32 = 8;
    /// A dict.
    pub const DICT: u32 = 9;
    /// A set.
    pub const SET: u32 = 10;
    /// A range.
    pub const RANGE: u32 = 11;
    /// A slice.
    pub const SLICE: u32 = 12;
    /// A function in Python.
    pub const FUNCTION: u32 = 13;
    /// A bound method.
    pub const METHOD: u32 = 14;
    /// A function in Rust.
    pub const NATIVE: u32 = 15;
    /// A class.
    pub const CLASS: u32 = 16;
    /// An instance.
    pub const INSTANCE: u32 = 17;
    /// A module.
    pub const MODULE: u32 = 18;
    /// An iterator.
    pub const ITER: u32 = 19;
    /// A generator or coroutine.
    pub const GENERATOR: u32 = 20;
    /// A cell.
    pub const CELL: u32 = 21;
    /// A code object: the last tag of values that are counted.
    pub const CODE: u32 = 22;
    /// The last tag of a value.
    pub const LAST: u32 = 24;
    /// Tags of values that are counted.
    pub const COUNTED: u32 = (1 << (CODE + 1)) - (1 << BIG_INT);
    /// Tags of values without a payload, but for None: `...` and NotImplemented.
    pub const BARE: u32 = (1 << (LAST + 1)) - (1 << (CODE + 1));
    /// Tags of values.
    pub const ALL: u32 = (1 << (LAST + 1)) - 1;
    /// A known object; only in calls of helpers.
    pub const KNOWN: u32 = 28;
    /// A complex number; only in calls of helpers.
    pub const COMPLEX: u32 = 29;
    /// As the frame has it.
    pub const KEEP: u32 = 30;
    /// Not assigned.
    pub const UNSET: u32 = 31;
}

/// From this number on `enumerate` is left to tier 0, so that what compiled code counts never overflows.
pub(crate) const MOST_COUNTED: i64 = 1 << 62;

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Whatever the frame holds there; compiled code has not written it, or nobody reads it.
    Keep,
    /// An unassigned variable.
    Unset,
    /// The NULL of `PushNull`.
    Null,
    /// `None`
    None,
    /// An int within 64 bits: `i64`.
    Int,
    /// A float: `f64`.
    Float,
    /// A bool: `i8`.
    Bool,
    /// A complex number: real and imaginary part.
    Complex,
    /// A list, whose items are probably of a kind (`Unset`: it was empty; `Keep`: anything): its
    /// address.
    List(Box<Kind>),
    /// An object that is counted, of the variant of [`Value`] with this tag: its address.
    Object(u32),
    /// The object with this index in the region's table of known objects.
    Known(usize),
    /// A tuple that was not built: its items.
    Tuple(Vec<Kind>),
    /// A range that was not built: start, stop, step.
    Range,
    /// An iterator over a range: next, step, remaining.
    RangeIter,
    /// An iterator over a list: the list's address, next index.
    ListIter(Box<Kind>),
    /// An iterator over a tuple: the tuple's address, next index.
    TupleIter,
    /// A `zip` of these iterators: their machine values.
    Zip(Vec<Kind>),
    /// An `enumerate` of this iterator: the next number, and the iterator's machine values.
    Enumerate(Box<Kind>),
    /// One of several kinds: its tag, and a payload of 64 bits.
    Dyn {
        /// Bit set of [`tag`]s.
        mask: u32,
        /// Kind of the items if it is a list.
        item: Box<Kind>,
    },
    /// The result of a call that was not of the expected type.
    Pending,
}

/// The tag of what a place of a frame holds.
pub(crate) fn tag_of_slot(value: Option<&Value>) -> u32 {
    value.map_or(tag::UNSET, |v| u32::from(tag_byte(v)))
}

impl Kind {
    /// Types of the machine values that represent a value of this kind.
    pub fn leaves(&self, out: &mut Vec<Type>) {
        match self {
            Kind::Int | Kind::List(_) | Kind::Object(_) => out.push(I64),
            Kind::Float => out.push(F64),
            Kind::Bool => out.push(I8),
            Kind::Complex => out.extend([F64; 2]),
            Kind::Tuple(items) | Kind::Zip(items) => items.iter().for_each(|k| k.leaves(out)),
            Kind::Enumerate(iterator) => {
                out.push(I64);
                iterator.leaves(out);
            }
            Kind::Range | Kind::RangeIter => out.extend([I64; 3]),
            Kind::ListIter(_) | Kind::TupleIter | Kind::Dyn { .. } => out.extend([I64; 2]),
            Kind::Keep | Kind::Unset | Kind::Null | Kind::None | Kind::Known(_) | Kind::Pending => {
            }
        }
    }

    /// Types of the machine values.
    pub fn types(&self) -> Vec<Type> {
        let mut out = Vec::new();
        self.leaves(&mut out);
        out
    }

    /// The kinds of which a value consists, if it is not built.
    pub fn parts(&self) -> Option<Vec<Kind>> {
        match self {
            Kind::Tuple(parts) | Kind::Zip(parts) => Some(parts.clone()),
            Kind::Enumerate(iterator) => Some(vec![Kind::Int, (**iterator).clone()]),
            _ => None,
        }
    }

    /// Whether it is an iterator whose state is in machine values.
    pub fn is_iterator(&self) -> bool {
        matches!(
            self,
            Kind::RangeIter
                | Kind::ListIter(_)
                | Kind::TupleIter
                | Kind::Zip(_)
                | Kind::Enumerate(_)
        )
    }

    /// The kind of an iterator over a value of this kind, if its state can be in machine values.
    pub fn iterator(&self) -> Option<Kind> {
        Some(match self {
            Kind::Range | Kind::Object(tag::RANGE) => Kind::RangeIter,
            Kind::List(item) => Kind::ListIter(item.clone()),
            Kind::Object(tag::TUPLE) => Kind::TupleIter,
            Kind::Zip(_) | Kind::Enumerate(_) => self.clone(),
            _ => return None,
        })
    }

    /// Whether values of both kinds are told apart by nothing but what the lists in them hold.
    fn is_alike(&self, other: &Kind) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && match (self.parts(), other.parts()) {
                (Some(a), Some(b)) => {
                    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.is_alike(b))
                }
                _ => true,
            }
    }

    /// The tag of a kind that may be one of several.
    pub fn tag(&self) -> Option<u32> {
        Some(match self {
            Kind::Keep => tag::KEEP,
            Kind::Unset => tag::UNSET,
            Kind::None => tag::NONE,
            Kind::Bool => tag::BOOL,
            Kind::Int => tag::INT,
            Kind::Float => tag::FLOAT,
            Kind::List(_) => tag::LIST,
            Kind::Object(tag) => *tag,
            _ => return None,
        })
    }

    /// Whether its leaves, with its tag, are a value as it lies in memory.
    pub fn is_value(&self) -> bool {
        match self {
            Kind::Dyn { mask, .. } => mask & (1 << tag::KEEP | 1 << tag::UNSET) == 0,
            Kind::Keep | Kind::Unset => false,
            other => other.tag().is_some(),
        }
    }

    /// The kind with a tag.
    pub fn of_tag(tag: u32, item: &Kind) -> Kind {
        match tag {
            tag::KEEP => Kind::Keep,
            tag::UNSET => Kind::Unset,
            tag::NONE => Kind::None,
            tag::BOOL => Kind::Bool,
            tag::INT => Kind::Int,
            tag::FLOAT => Kind::Float,
            tag::LIST => Kind::List(Box::new(item.clone())),
            tag => Kind::Object(tag),
        }
    }

    /// Tags that a value may have.
    pub fn tags(&self) -> Option<u32> {
        self.mask().map(|(mask, _)| mask)
    }

    fn mask(&self) -> Option<(u32, Kind)> {
        match self {
            Kind::Dyn { mask, item } => Some((*mask, (**item).clone())),
            Kind::List(item) => Some((1 << tag::LIST, (**item).clone())),
            // Where it may be something else, too, it is built.
            Kind::Tuple(_) => Some((1 << tag::TUPLE, Kind::Unset)),
            other => Some((1 << other.tag()?, Kind::Unset)),
        }
    }

    /// The least kind that covers both; `None` if there is none.
    pub fn join(&self, other: &Kind) -> Option<Kind> {
        if self == other {
            return Some(self.clone());
        }
        match (self, other) {
            (Kind::Tuple(a), Kind::Tuple(b)) if a.len() == b.len() => a
                .iter()
                .zip(b)
                .map(|(a, b)| a.join(b))
                .collect::<Option<_>>()
                .map_or(Some(Kind::Object(tag::TUPLE)), |items| {
                    Some(Kind::Tuple(items))
                }),
            (Kind::List(a), Kind::List(b)) => Some(Kind::List(Box::new(join_items(a, b)))),
            (Kind::ListIter(a), Kind::ListIter(b)) => {
                Some(Kind::ListIter(Box::new(join_items(a, b))))
            }
            (Kind::Zip(a), Kind::Zip(b)) if a.len() == b.len() => {
                let both = a.iter().zip(b);
                let joined = both.map(|(a, b)| a.join(b)).collect::<Option<_>>();
                joined.map(Kind::Zip)
            }
            (Kind::Enumerate(a), Kind::Enumerate(b)) => {
                a.join(b).map(|joined| Kind::Enumerate(Box::new(joined)))
            }
            _ => {
                let ((a, item_a), (b, item_b)) = (self.mask()?, other.mask()?);
                let item = match (a >> tag::LIST & 1, b >> tag::LIST & 1) {
                    (1, 1) => join_items(&item_a, &item_b),
                    (1, _) => item_a,
                    _ => item_b,
                };
                let mask = a | b;
                Some(match mask.is_power_of_two() {
                    true => Kind::of_tag(mask.trailing_zeros(), &item),
                    false => Kind::Dyn {
                        mask,
                        item: Box::new(item),
                    },
                })
            }
        }
    }

    /// Whether every value of the other kind can be represented as one of this.
    pub fn covers(&self, other: &Kind) -> bool {
        self.join(other).as_ref() == Some(self)
    }

    /// Whether a join with the other kind loses nothing that compiled code profits from.
    pub fn close_to(&self, other: &Kind) -> bool {
        match (self, other) {
            (a, b) if a == b => true,
            (Kind::List(a), Kind::List(b)) | (Kind::ListIter(a), Kind::ListIter(b)) => {
                **a == Kind::Unset || **b == Kind::Unset || a.close_to(b)
            }
            (Kind::Tuple(a), Kind::Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b).all(|(a, b)| a.close_to(b))
            }
            (Kind::Zip(a), Kind::Zip(b)) if a.len() == b.len() => {
                a.iter().zip(b).all(|(a, b)| a.close_to(b))
            }
            (Kind::Enumerate(a), Kind::Enumerate(b)) => a.close_to(b),
            (Kind::Dyn { .. }, _) => self.covers(other),
            _ => false,
        }
    }

    /// The same with no more lists in one another than these: of what is deeper nothing is known.
    pub fn with_nesting(self, depth: u32) -> Kind {
        match (self, depth) {
            (Kind::List(_), 0) => Kind::List(Box::new(Kind::Keep)),
            (Kind::List(item), depth) => Kind::List(Box::new(item.with_nesting(depth - 1))),
            (Kind::Dyn { mask, item }, depth) => Kind::Dyn {
                mask,
                item: Box::new(match depth {
                    0 => Kind::Keep,
                    depth => item.with_nesting(depth - 1),
                }),
            },
            (other, _) => other,
        }
    }

    /// Any value.
    pub fn any() -> Kind {
        Kind::of_mask(tag::ALL)
    }

    /// What a site that saw these types has to do with; anything where it saw nothing.
    pub fn seen(types: u32) -> Kind {
        match tags_of(types) {
            0 => Kind::any(),
            mask => Kind::of_mask(mask),
        }
    }

    /// A value with one of these tags.
    pub fn of_mask(mask: u32) -> Kind {
        match mask.is_power_of_two() {
            true => Kind::of_tag(mask.trailing_zeros(), &Kind::Unset),
            false => Kind::Dyn {
                mask,
                item: Box::new(Kind::Unset),
            },
        }
    }

    /// Whether a value of this kind may hold a reference that compiled code counts.
    pub fn is_counted(&self) -> bool {
        match self {
            Kind::List(_) | Kind::ListIter(_) | Kind::TupleIter => true,
            // `...` and NotImplemented are no objects.
            Kind::Object(tag) => tag::COUNTED & 1 << tag != 0,
            Kind::Tuple(items) | Kind::Zip(items) => items.iter().any(Kind::is_counted),
            Kind::Enumerate(iterator) => iterator.is_counted(),
            Kind::Dyn { mask, .. } => mask & tag::COUNTED != 0,
            _ => false,
        }
    }

    /// The kind of a value as it is found in a frame; `None` if compiled code has no use for it.
    pub fn of(value: &Value) -> Option<Kind> {
        Some(match value {
            Value::None => Kind::None,
            Value::Bool(_) => Kind::Bool,
            Value::Int(_) => Kind::Int,
            Value::Float(_) => Kind::Float,
            Value::List(list) => Kind::List(Box::new(item_kind(&list.items.borrow(), 2))),
            Value::Iter(iter) => Kind::of_iterator(&iter.state.borrow())
                .unwrap_or(Kind::Object(u32::from(tag_byte(value)))),
            Value::Instance(i) if PyRef::ptr_eq(&i.class(), &types().complex) => {
                complex_parts(value)?;
                Kind::Complex
            }
            Value::Ellipsis | Value::NotImplemented => return None,
            other => Kind::Object(u32::from(tag_byte(other))),
        })
    }

    /// The kind of an iterator whose state can be in machine values.
    fn of_iterator(state: &IterState) -> Option<Kind> {
        let inner = |value: &Value| match value {
            Value::Iter(iter) => Kind::of_iterator(&iter.state.borrow()),
            _ => None,
        };
        Some(match state {
            IterState::Range { .. } => Kind::RangeIter,
            IterState::List { list, .. } => {
                Kind::ListIter(Box::new(item_kind(&list.items.borrow(), 2)))
            }
            IterState::Tuple { .. } => Kind::TupleIter,
            IterState::Zip {
                iters,
                strict: false,
            } if !iters.is_empty() => {
                Kind::Zip(iters.iter().map(inner).collect::<Option<Vec<_>>>()?)
            }
            IterState::Enumerate {
                iter,
                count: Value::Int(count),
            } if *count < MOST_COUNTED => Kind::Enumerate(Box::new(inner(iter)?)),
            _ => return None,
        })
    }

    /// The kind of a value that a variable may hold.
    pub fn of_variable(value: &Value) -> Option<Kind> {
        Kind::of(value).filter(|k| k.tag().is_some() || *k == Kind::Complex)
    }

    /// Whether a value that compiled code meets at its entry is what this kind says; guesses
    /// about the items of lists are checked where items are read. Known objects are the caller's
    /// business.
    pub fn admits(&self, value: Option<&Value>) -> bool {
        match (self, value) {
            (Kind::Keep, _) | (Kind::Unset, None) => true,
            (Kind::None, Some(Value::None))
            | (Kind::Bool, Some(Value::Bool(_)))
            | (Kind::Int, Some(Value::Int(_)))
            | (Kind::Float, Some(Value::Float(_)))
            | (Kind::List(_), Some(Value::List(_))) => true,
            (Kind::Object(tag), Some(value)) => u32::from(tag_byte(value)) == *tag,
            (Kind::Dyn { mask, .. }, value) => mask & 1 << tag_of_slot(value) != 0,
            (kind, Some(value)) if kind.is_iterator() || *kind == Kind::Complex => {
                Kind::of(value).is_some_and(|of| of.is_alike(kind))
            }
            _ => false,
        }
    }

    /// What a variable holds that is assigned before it is read: if it is an object, it goes then; the next time there may be
    /// none.
    pub fn overwritten(value: &Value) -> Kind {
        match value.count() {
            Some(_) => {
                let plain = tag::ALL & !tag::COUNTED;
                Kind::of_mask(1 << tag_byte(value) | plain | 1 << tag::UNSET)
            }
            None => Kind::Keep,
        }
    }

    /// Int, float or bool.
    pub fn is_number(&self) -> bool {
        matches!(self, Kind::Int | Kind::Bool | Kind::Float)
    }

    /// Words for reports.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Keep => "another object",
            Kind::Unset => "unset",
            Kind::Null => "NULL",
            Kind::None => "None",
            Kind::Int => "int",
            Kind::Float => "float",
            Kind::Bool => "bool",
            Kind::Complex => "complex",
            Kind::List(item) if **item == Kind::Keep => "a list of objects",
            Kind::List(_) => "list",
            Kind::Object(tag) => match *tag {
                tag::BIG_INT => "a big int",
                tag::STR => "str",
                tag::TUPLE => "a tuple",
                tag::DICT => "dict",
                tag::SET => "set",
                tag::INSTANCE => "an instance",
                tag::FUNCTION | tag::METHOD | tag::NATIVE | tag::CLASS => "a callable",
                _ => "an object",
            },
            Kind::Known(_) => "a known object",
            Kind::Tuple(_) => "tuple",
            Kind::Range => "range",
            Kind::RangeIter => "range iterator",
            Kind::ListIter(_) => "list iterator",
            Kind::TupleIter => "tuple iterator",
            Kind::Zip(_) => "zip",
            Kind::Enumerate(_) => "enumerate",
            Kind::Dyn { .. } => "several types",
            Kind::Pending => "a call's result",
        }
    }
}

pub(crate) fn join_items(a: &Kind, b: &Kind) -> Kind {
    match (a, b) {
        (Kind::List(a), Kind::List(b)) => Kind::List(Box::new(join_items(a, b))),
        (a, b) if a == b || *b == Kind::Unset => a.clone(),
        (Kind::Unset, b) => b.clone(),
        _ => Kind::Keep,
    }
}

/// Items of a list that are looked at to guess the kind of all of them.
const SAMPLES: usize = 16;

/// The kind that the items of a list probably have. Reads a few of them; each read of an item
/// checks anyway.
fn item_kind(items: &[Value], depth: u32) -> Kind {
    let of = |value: &Value| match value {
        Value::Bool(_) => Kind::Bool,
        Value::Int(_) => Kind::Int,
        Value::Float(_) => Kind::Float,
        Value::None => Kind::None,
        Value::List(inner) if depth > 0 => {
            Kind::List(Box::new(item_kind(&inner.items.borrow(), depth - 1)))
        }
        Value::Ellipsis | Value::NotImplemented => Kind::any(),
        other => Kind::of_mask(1 << tag_byte(other)),
    };
    let step = items.len().div_ceil(SAMPLES).max(1);
    let samples = items.iter().step_by(step).chain(items.last());
    let mut kinds = samples.map(of);
    let Some(first) = kinds.next() else {
        return Kind::Unset;
    };
    kinds.fold(first, |a, b| match (&a, &b) {
        (Kind::List(_), Kind::List(_)) => join_items(&a, &b),
        (Kind::Keep, _) | (_, Kind::Keep) => Kind::Keep,
        _ => a.join(&b).unwrap_or(Kind::Keep),
    })
}

/// Whether an iterator is only the frame's: one that something else refers to must be seen to
/// advance. The argument of a comprehension is read once.
pub(crate) fn is_own(value: &Value, frame: &Frame) -> bool {
    let Value::Iter(iter) = value else {
        return true;
    };
    let argument = frame
        .code
        .code
        .varnames
        .first()
        .is_some_and(|n| &**n == ".0");
    let held = match frame.locals.first() {
        Some(Some(Value::Iter(held))) if argument => PyRef::ptr_eq(held, iter),
        _ => false,
    };
    let on_stack = frame.stack.iter().flatten();
    let on_stack = on_stack.filter(|v| matches!(v, Value::Iter(i) if PyRef::ptr_eq(i, iter)));
    PyRef::strong_count(iter) == on_stack.count() + usize::from(held) && has_own_parts(iter)
}

/// Whether the iterators of which an iterator consists are nobody else's.
fn has_own_parts(iter: &PyIter) -> bool {
    let is_own = |value: &Value| match value {
        Value::Iter(inner) => PyRef::strong_count(inner) == 1 && has_own_parts(inner),
        _ => true,
    };
    match &*iter.state.borrow() {
        IterState::Zip { iters, .. } => Rc::strong_count(iters) == 1 && iters.iter().all(is_own),
        IterState::Enumerate { iter, .. } => is_own(iter),
        _ => true,
    }
}

/// What reading a variable gives.
pub(crate) enum Load {
    /// The value as it is.
    Plain,
    /// Only with this tag; anything else is a deopt.
    Expect(u32),
    /// With any tag but KEEP and UNSET, which are a deopt.
    Set,
}

/// How to read a variable of a kind whose load site saw the types in `seen`.
pub(crate) fn load_of(kind: &Kind, seen: u32) -> Option<(Load, Kind)> {
    match kind {
        Kind::Keep | Kind::Unset | Kind::Pending => None,
        Kind::Dyn { mask, item } => {
            let usable = mask & !(1 << tag::KEEP | 1 << tag::UNSET);
            let profiled = usable & tags_of(seen);
            let one = if usable.is_power_of_two() {
                usable
            } else {
                profiled
            };
            if usable == 0 {
                return None;
            }
            if one.is_power_of_two() {
                let tag = one.trailing_zeros();
                return Some((Load::Expect(tag), Kind::of_tag(tag, item)));
            }
            let kind = Kind::Dyn {
                mask: usable,
                item: item.clone(),
            };
            Some(if usable == *mask {
                (Load::Plain, kind)
            } else {
                (Load::Set, kind)
            })
        }
        other => Some((Load::Plain, other.clone())),
    }
}

/// What compiled code has no use for, in words.
pub(crate) fn seen_names(seen: u32) -> String {
    let names = [
        (TypeTag::BigInt, "a big int"),
        (TypeTag::Str, "a str"),
        (TypeTag::Tuple, "a tuple"),
        (TypeTag::Dict, "a dict or set"),
        (TypeTag::Callable, "a callable"),
        (TypeTag::Foreign, "a tensor"),
        (TypeTag::Object, "an object"),
        (TypeTag::Bytes, "bytes"),
        (TypeTag::Other, "another object"),
    ];
    let seen = names.iter().filter(|(bit, _)| seen & *bit as u32 != 0);
    let found: Vec<&str> = seen.map(|(_, name)| *name).collect();
    match found.is_empty() {
        true => "another object".to_owned(),
        false => found.join(" or "),
    }
}

/// Profile bits as tag bits.
pub(crate) fn tags_of(seen: u32) -> u32 {
    [
        (TypeTag::None, tag::NONE),
        (TypeTag::Bool, tag::BOOL),
        (TypeTag::Int, tag::INT),
        (TypeTag::Float, tag::FLOAT),
        (TypeTag::List, tag::LIST),
        (TypeTag::BigInt, tag::BIG_INT),
        (TypeTag::Str, tag::STR),
        (TypeTag::Tuple, tag::TUPLE),
        (TypeTag::Dict, tag::DICT),
        (TypeTag::Dict, tag::SET),
        (TypeTag::Callable, tag::FUNCTION),
        (TypeTag::Callable, tag::METHOD),
        (TypeTag::Callable, tag::NATIVE),
        (TypeTag::Callable, tag::CLASS),
        (TypeTag::Foreign, tag::INSTANCE),
        (TypeTag::Object, tag::INSTANCE),
        (TypeTag::Bytes, tag::BYTES),
        (TypeTag::Other, tag::RANGE),
        (TypeTag::Other, tag::SLICE),
        (TypeTag::Other, tag::MODULE),
        (TypeTag::Other, tag::ITER),
        (TypeTag::Other, tag::GENERATOR),
    ]
    .iter()
    .filter(|(bit, _)| seen & *bit as u32 != 0)
    .fold(0, |mask, (_, tag)| mask | 1 << tag)
}

/// The tag of a value.
pub(crate) fn tag_byte(value: &Value) -> u8 {
    value.tag()
}
