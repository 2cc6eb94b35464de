//! The effect of one instruction on kinds.
//!
//! In: an instruction and the kinds before it. Out: the kinds after it, on each way out. Always:
//! what is not known to be exactly what tier 0 does is unsupported.

use janus_bytecode::{BinaryOp, Code, CompareOp, Consumer, Opcode};
use janus_object::ops::Special;
use janus_object::{CodeObject, Name, TypeTag, Value};

use crate::Refused;
use crate::entry::loop_suspends;
use crate::kind::{Kind, join_items, load_of, seen_names, tag};
use crate::mixed;
use crate::object::Found;
use crate::program::{Form, Program, Source, State};
use crate::split;

/// Blocks of a unit from which on values are not told apart any more.
const MANY_SPLITS: usize = 300;

/// Why an instruction has no kinds after it.
pub(crate) enum Stop {
    /// Tier 0 must do this.
    Unsupported(String),
    /// As that; it raises, and so is rare.
    Raises(String),
    /// The result of a call is not known yet.
    Pending,
    /// A name is not constant after all.
    Again,
    /// A function that is called cannot be compiled along, and so the region cannot either.
    Refused(Refused),
}

/// Where control goes.
pub(crate) enum Next {
    /// On to the next instruction.
    Here(State),
    /// Out of the block.
    Edges(Vec<(u32, State)>),
    /// To this very instruction, in a block for each kind of a value.
    Split(Vec<State>),
}

pub(crate) fn unsupported<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unsupported(what.into()))
}

fn short() -> Stop {
    Stop::Unsupported("corrupt stack".to_owned())
}

/// The names that a `CallKw` gives its last arguments.
fn keyword_names(code: &CodeObject, pc: u32) -> Option<Vec<Name>> {
    let before = code.code.instrs.get((pc as usize).checked_sub(1)?)?;
    if before.op != Opcode::LoadConst {
        return None;
    }
    let Value::Tuple(names) = code.consts.get(before.arg as usize)? else {
        return None;
    };
    let names = names.items.iter();
    names.map(|n| Some(Name::intern(n.as_pystr()?))).collect()
}

/// Types that an instruction saw; none are known of one that met others since.
pub(crate) fn seen_at(code: &CodeObject, pc: u32, wide: bool) -> u32 {
    match code.profile.site(pc) {
        Some(site) if !wide => site.types.get(),
        _ => 0,
    }
}

/// Kind of `a op b`; `None` if tier 0 must do it.
pub(crate) fn binary_kind(op: BinaryOp, a: &Kind, b: &Kind) -> Option<Kind> {
    use BinaryOp as B;
    if mixed::are_mixed(a, b) {
        return mixed::binary_kind(op, a, b);
    }
    if let (B::Mul, Kind::List(item), Kind::Int) = (op, a, b) {
        return Some(Kind::List(item.clone()));
    }
    let text = |k: &Kind| *k == Kind::Object(tag::STR);
    match (op, a, b) {
        (B::Add, a, b) if text(a) && text(b) => return Some(Kind::Object(tag::STR)),
        (B::Mul, a, Kind::Int) if text(a) => return Some(Kind::Object(tag::STR)),
        (B::Add, Kind::List(x), Kind::List(y)) => {
            return Some(Kind::List(Box::new(item_join(x, y))));
        }
        _ => {}
    }
    let complex = |k: &Kind| *k == Kind::Complex || k.is_number();
    if (*a == Kind::Complex || *b == Kind::Complex) && complex(a) && complex(b) {
        return matches!(op, B::Add | B::Sub | B::Mul | B::TrueDiv | B::Pow)
            .then_some(Kind::Complex);
    }
    if !a.is_number() || !b.is_number() {
        return None;
    }
    let float = *a == Kind::Float || *b == Kind::Float;
    match op {
        B::Add | B::Sub | B::Mul | B::FloorDiv | B::Mod | B::Pow => {
            Some(if float { Kind::Float } else { Kind::Int })
        }
        B::TrueDiv => Some(Kind::Float),
        B::And | B::Or | B::Xor if *a == Kind::Bool && *b == Kind::Bool => Some(Kind::Bool),
        B::And | B::Or | B::Xor | B::LShift | B::RShift if !float => Some(Kind::Int),
        _ => None,
    }
}

/// Whether two kinds can be compared in compiled code.
pub(crate) fn comparable(op: CompareOp, a: &Kind, b: &Kind) -> bool {
    if *a == Kind::Complex && *b == Kind::Complex {
        return matches!(op, CompareOp::Eq | CompareOp::Ne);
    }
    if let (Kind::Tuple(x), Kind::Tuple(y)) = (a, b) {
        // Two floats that are no numbers may be one object, which is told only where both are floats.
        let alike = |(a, b): (&Kind, &Kind)| {
            let whole = |k: &Kind| matches!(k, Kind::Int | Kind::Bool);
            let text = |k: &Kind| *k == Kind::Object(tag::STR);
            a == b && (*a == Kind::Float || text(a)) || whole(a) && whole(b)
        };
        return x.len() == y.len() && x.len() <= MOST_COMPARED && x.iter().zip(y).all(alike);
    }
    let text = |k: &Kind| *k == Kind::Object(tag::STR);
    a.is_number() && b.is_number() || text(a) && text(b) || mixed::are_mixed(a, b)
}

/// Items of tuples that are compared without being built, at most.
const MOST_COMPARED: usize = 4;

/// Whether compiled code can tell if a value of this kind is true.
pub(crate) fn has_truth(kind: &Kind) -> bool {
    match kind {
        Kind::None | Kind::Int | Kind::Bool | Kind::Float | Kind::Complex | Kind::List(_) => true,
        Kind::Object(_) => true,
        kind if mixed::is_mixed(kind) => true,
        Kind::Dyn { mask, .. } => {
            mask & !(1 << tag::NONE | 1 << tag::BOOL | 1 << tag::INT) == 0
                || (mask & (1 << tag::KEEP | 1 << tag::UNSET) == 0 && mask & tag::COUNTED != 0)
        }
        _ => false,
    }
}

/// What may be kept in a variable.
fn storable(kind: Kind) -> Result<Kind, Stop> {
    match kind {
        Kind::Int
        | Kind::Float
        | Kind::Bool
        | Kind::None
        | Kind::Complex
        | Kind::List(_)
        | Kind::Object(_)
        | Kind::Known(_)
        | Kind::Dyn { .. } => Ok(kind),
        // It is built.
        Kind::Tuple(_) => Ok(Kind::Object(tag::TUPLE)),
        other => unsupported(format!("a variable that is a {}", other.name())),
    }
}

/// What may be kept in a variable that lives elsewhere: there an object would live on until the region is left.
fn nameable(kind: Kind) -> Result<Kind, Stop> {
    match kind {
        Kind::Object(_) | Kind::Tuple(_) => unsupported("a global that is an object"),
        Kind::Dyn { mask, .. } if mask & tag::COUNTED & !(1 << tag::LIST) != 0 => {
            unsupported("a global that may be an object")
        }
        other => storable(other),
    }
}

/// What a function may return to compiled code.
fn returnable(kind: &Kind) -> bool {
    match kind {
        Kind::Int
        | Kind::Float
        | Kind::Bool
        | Kind::None
        | Kind::Complex
        | Kind::List(_)
        | Kind::Object(_) => true,
        Kind::Dyn { mask, .. } => mask & (1 << tag::KEEP | 1 << tag::UNSET) == 0,
        Kind::Tuple(items) => items.iter().all(returnable),
        _ => false,
    }
}

/// What may be put into an object by compiled code.
pub(crate) fn is_item(kind: &Kind) -> bool {
    match kind {
        Kind::Int
        | Kind::Float
        | Kind::Bool
        | Kind::None
        | Kind::Complex
        | Kind::Known(_)
        | Kind::List(_)
        | Kind::Object(_) => true,
        Kind::Tuple(items) => items.iter().all(is_item),
        Kind::Dyn { mask, .. } => mask & (1 << tag::KEEP | 1 << tag::UNSET) == 0,
        _ => false,
    }
}

impl Program {
    /// The effect of an instruction on kinds.
    pub(crate) fn step(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        mut st: State,
    ) -> Result<Next, Stop> {
        use Opcode as O;
        let Some(unit) = self.units.get(at) else {
            return Err(Stop::Pending);
        };
        let code = unit.code.clone();
        let Some(&instr) = code.code.instrs.get(pc as usize) else {
            return Err(Stop::Pending);
        };
        let arg = instr.arg as usize;
        let wide = self.is_wide(at, pc);
        let seen = seen_at(&code, pc, wide);
        let depth = st.stack.len();
        let get = |st: &State, n: usize| -> Result<Kind, Stop> {
            depth
                .checked_sub(n)
                .and_then(|i| st.stack.get(i))
                .cloned()
                .ok_or_else(short)
        };
        let next = pc + 1;
        macro_rules! replace {
            ($pops:expr, $push:expr) => {{
                let push = $push;
                st.stack.truncate(depth.saturating_sub($pops));
                st.stack.push(push);
            }};
        }
        macro_rules! pop {
            ($n:expr) => {
                st.stack.truncate(depth.saturating_sub($n))
            };
        }
        let slot = unit.slot(instr);
        for (place, mask) in split::narrowed(&code, pc, wide, &st.stack) {
            if let split::Place::Stack(at) = place
                && let Some(kind) = st.stack.get_mut(at)
                && let Kind::Dyn { item, .. } = &*kind
            {
                *kind = match mask.is_power_of_two() {
                    true => Kind::of_tag(mask.trailing_zeros(), item),
                    false => Kind::Dyn {
                        mask,
                        item: item.clone(),
                    },
                };
            }
        }
        if seen == 0 && !wide && split::is_open(instr, &st.stack) {
            return Err(Stop::Raises("what has never run".to_owned()));
        }
        if unit.blocks.len() < MANY_SPLITS
            && let Some(place) = split::place(instr, slot, seen, &st, |k| self.is_python(k))
        {
            let states = split::states(instr, place, &st);
            return Ok(Next::Split(states.into_iter().map(|(_, s)| s).collect()));
        }
        match instr.op {
            O::Nop | O::LoopHead => {}
            O::PopTop => pop!(1),
            O::Copy => {
                let k = get(&st, arg)?;
                st.stack.push(k);
            }
            O::Swap => {
                let i = depth
                    .checked_sub(arg)
                    .filter(|i| *i < depth)
                    .ok_or_else(short)?;
                st.stack.swap(i, depth - 1);
            }
            O::PushNull => st.stack.push(Kind::Null),
            O::LoadConst => {
                let k = self.constant_kind(code.consts.get(arg).ok_or_else(short)?);
                st.stack.push(k);
            }
            O::LoadFast => self.load(arg, seen, &mut st)?,
            O::StoreFast => {
                let k = get(&st, 1)?;
                pop!(1);
                *st.locals.get_mut(arg).ok_or_else(short)? = storable(k)?;
            }
            O::LoadDeref => match slot {
                Some(slot) => self.load(slot, seen, &mut st)?,
                None if unit.has_own_cells() => {
                    let kind = match wide {
                        true => Kind::any(),
                        false => self.own_cell_kind(at, arg, seen),
                    };
                    self.note_load(at, id, pc, Source::OwnCell(arg, kind.clone()));
                    st.stack.push(kind);
                }
                None => {
                    let kind = self.load_cell(at, id, pc, arg, wide)?;
                    st.stack.push(kind);
                }
            },
            O::LoadClosure if unit.has_own_cells() => {
                st.stack.push(Kind::Object(tag::CELL));
            }
            O::StoreDeref => {
                let k = get(&st, 1)?;
                pop!(1);
                if unit.has_own_cells() && is_item(&k) {
                    return Ok(Next::Here(st));
                }
                let Some(slot) = slot else {
                    return unsupported("a variable of another function");
                };
                *st.locals.get_mut(slot).ok_or_else(short)? = nameable(k)?;
            }
            O::LoadGlobal | O::LoadName => self.load_name(at, id, pc, arg, seen, &mut st)?,
            O::StoreGlobal | O::StoreName => {
                let k = get(&st, 1)?;
                pop!(1);
                match unit.name_slot(arg) {
                    Some(slot) => match nameable(k) {
                        Ok(kind) => *st.locals.get_mut(slot).ok_or_else(short)? = kind,
                        // From now on it is assigned where it lives.
                        Err(stop) => {
                            let name = code.names.get(arg).ok_or_else(short)?;
                            let is_new = self.learned.volatile.insert(name.to_string());
                            return Err(if is_new { Stop::Again } else { stop });
                        }
                    },
                    None => self.store_memory(at, id, pc, arg, &k)?,
                }
            }
            O::LoadAttr | O::LoadMethod => {
                let object = get(&st, 1)?;
                let name = code.names.get(arg).ok_or_else(short)?;
                match (&object, instr.op, name.as_str()) {
                    (Kind::Complex, O::LoadAttr, "real" | "imag") => replace!(1, Kind::Float),
                    (Kind::Known(k), ..)
                        if matches!(self.known.get(*k), Some(Value::Module(_))) =>
                    {
                        let Some(Value::Module(module)) = self.known.get(*k).cloned() else {
                            return unsupported("a module");
                        };
                        if module.has_class(|_| true) {
                            return unsupported("a module with a class of its own");
                        }
                        let Some(value) = module.dict.get_name(name) else {
                            return unsupported("a missing attribute");
                        };
                        let kind =
                            self.guarded(at, id, pc, module.dict.clone(), None, name, value)?;
                        replace!(1, kind);
                        if instr.op == O::LoadMethod {
                            st.stack.push(Kind::Null);
                        }
                    }
                    (Kind::Complex | Kind::Tuple(_), ..) => {
                        return unsupported(format!("the attribute '{name}' of an object"));
                    }
                    _ => match self.attribute(at, id, pc, name, &object, instr.op)? {
                        Found::Value(kind) => {
                            replace!(1, kind);
                            if instr.op == O::LoadMethod {
                                st.stack.push(Kind::Null);
                            }
                        }
                        Found::Method(k) => {
                            replace!(1, Kind::Known(k));
                            st.stack.push(object);
                        }
                        Found::OneOf(methods) => {
                            let edges = methods.into_iter().map(|k| {
                                let mut st = st.clone();
                                st.stack.truncate(depth - 1);
                                st.stack.push(Kind::Known(k));
                                st.stack.push(object.clone());
                                (next, st)
                            });
                            return Ok(Next::Edges(edges.collect()));
                        }
                    },
                }
            }
            O::StoreAttr => {
                let (value, object) = (get(&st, 2)?, get(&st, 1)?);
                let name = code.names.get(arg).ok_or_else(short)?;
                if object != Kind::Object(tag::INSTANCE) || !is_item(&value) {
                    return unsupported(format!("the attribute '{name}' of {}", object.name()));
                }
                self.stored_attribute(at, id, pc, name)?;
                pop!(2);
            }
            O::ContainsOp => {
                let (item, container) = (get(&st, 2)?, get(&st, 1)?);
                let special = Special::Contains(arg == 0);
                let operands = (&container, Some(&item));
                if let Some(result) = self.operator(at, id, pc, special, operands)? {
                    replace!(2, result);
                    return Ok(Next::Here(st));
                }
                let of = matches!(
                    container,
                    Kind::List(_) | Kind::Object(tag::DICT | tag::SET | tag::STR | tag::TUPLE)
                );
                if !of || !is_item(&item) {
                    return unsupported(format!("'in' of {}", container.name()));
                }
                replace!(2, Kind::Bool);
            }
            O::Call => {
                if let Some(methods) = self.super_methods(at, id, pc, &st)? {
                    let states = methods.into_iter().map(|k| {
                        let mut st = st.clone();
                        st.stack.truncate(depth.saturating_sub(arg + 2));
                        st.stack.push(Kind::Known(k));
                        st.stack.push(Kind::Object(tag::INSTANCE));
                        (pc + 2, st)
                    });
                    return Ok(Next::Edges(states.collect()));
                }
                let result = self.call_of(at, id, pc, arg, &st.stack, &[])?;
                replace!(arg + 2, result);
            }
            O::CallKw => {
                let names = keyword_names(&code, pc);
                let below = depth.checked_sub(1).and_then(|n| st.stack.get(..n));
                let (Some(names), Some(stack)) = (names, below) else {
                    return unsupported("a call with unknown keywords");
                };
                let result = self.call_of(at, id, pc, arg, stack, &names)?;
                replace!(arg + 3, result);
            }
            O::BinaryOp => {
                let (a, b) = (get(&st, 2)?, get(&st, 1)?);
                let written = BinaryOp::from_arg(instr.arg).ok_or_else(short)?;
                let op = written.plain();
                if written.is_inplace() && matches!(a, Kind::List(_)) {
                    // The list itself changes, which others may hold.
                    return unsupported(format!("'{}' of a list", written.symbol()));
                }
                let special = Special::Binary(written);
                if let Some(result) = self.operator(at, id, pc, special, (&a, Some(&b)))? {
                    replace!(2, result);
                    return Ok(Next::Here(st));
                }
                let Some(k) = binary_kind(op, &a, &b) else {
                    return unsupported(format!(
                        "'{}' of {} and {}",
                        op.symbol(),
                        a.name(),
                        b.name()
                    ));
                };
                let grows = matches!(
                    op,
                    BinaryOp::Add
                        | BinaryOp::Sub
                        | BinaryOp::Mul
                        | BinaryOp::Pow
                        | BinaryOp::LShift
                );
                if wide && grows && (k == Kind::Int || mixed::is_mixed(&k)) {
                    return unsupported(format!("'{}' of ints beyond 64 bits", op.symbol()));
                }
                replace!(2, k);
            }
            O::CompareOp => {
                let (a, b) = (get(&st, 2)?, get(&st, 1)?);
                let op = CompareOp::from_arg(instr.arg).ok_or_else(short)?;
                let special = Special::Compare(op);
                if let Some(result) = self.operator(at, id, pc, special, (&a, Some(&b)))? {
                    replace!(2, result);
                    return Ok(Next::Here(st));
                }
                if !comparable(op, &a, &b) {
                    return unsupported(format!(
                        "'{}' of {} and {}",
                        op.symbol(),
                        a.name(),
                        b.name()
                    ));
                }
                replace!(2, Kind::Bool);
            }
            O::IsOp => {
                let (a, b) = (get(&st, 2)?, get(&st, 1)?);
                let simple = |k: &Kind| storable(k.clone()).is_ok_and(|k| none_test(&k).is_some());
                let none = a == Kind::None || b == Kind::None;
                let object =
                    |k: &Kind| matches!(k, Kind::Object(_) | Kind::List(_) | Kind::Known(_));
                let any = |k: &Kind| is_item(k) && !matches!(k, Kind::Tuple(_) | Kind::Complex);
                let same = any(&a) && any(&b) && (object(&a) || object(&b));
                let alike = same || none && simple(&a) && simple(&b);
                if !alike {
                    return unsupported("'is'");
                }
                replace!(2, Kind::Bool);
            }
            O::IsBuiltin => match get(&st, 1)? {
                Kind::Known(_) => st.stack.push(Kind::Bool),
                _ => return unsupported("a callable that changes"),
            },
            O::UnaryNot => {
                if !has_truth(&get(&st, 1)?) {
                    return unsupported("the truth of an object");
                }
                replace!(1, Kind::Bool);
            }
            O::UnaryNegative | O::UnaryPositive | O::UnaryInvert => {
                let k = match (get(&st, 1)?, instr.op) {
                    (Kind::Int | Kind::Bool, _) => Kind::Int,
                    (Kind::Float, O::UnaryNegative | O::UnaryPositive) => Kind::Float,
                    (kind, O::UnaryNegative) if mixed::is_mixed(&kind) => kind,
                    (Kind::Complex, O::UnaryNegative | O::UnaryPositive) => Kind::Complex,
                    (other, _) => {
                        return unsupported(format!("a unary operator on {}", other.name()));
                    }
                };
                replace!(1, k);
            }
            O::BinarySubscr => {
                let (container, key) = (get(&st, 2)?, get(&st, 1)?);
                let operands = (&container, Some(&key));
                if let Some(result) = self.operator(at, id, pc, Special::Item, operands)? {
                    replace!(2, result);
                    return Ok(Next::Here(st));
                }
                let k = match (container, key) {
                    (Kind::List(item), Kind::Int | Kind::Bool) => read_as(&item, wide),
                    (Kind::Object(tag::TUPLE), Kind::Int | Kind::Bool) => Kind::any(),
                    (Kind::Object(tag::DICT), key) if is_item(&key) => Kind::any(),
                    (Kind::Object(tag::STR), Kind::Int | Kind::Bool) => Kind::Object(tag::STR),
                    (a, b) => return unsupported(format!("{}[{}]", a.name(), b.name())),
                };
                replace!(2, k);
            }
            O::StoreSubscr => {
                match (get(&st, 3)?, get(&st, 2)?, get(&st, 1)?) {
                    (v, Kind::List(_), Kind::Int | Kind::Bool) if is_item(&v) => {}
                    (v, Kind::Object(tag::DICT), key) if is_item(&v) && is_item(&key) => {}
                    (v, a, i) => {
                        return unsupported(format!("{}[{}] = {}", a.name(), i.name(), v.name()));
                    }
                }
                pop!(3);
            }
            O::BuildList => {
                let items = st
                    .stack
                    .split_off(depth.checked_sub(arg).ok_or_else(short)?);
                if !items.iter().all(is_item) {
                    return unsupported("a list of objects");
                }
                let item = items.iter().fold(Kind::Unset, |a, b| item_join(&a, b));
                st.stack.push(Kind::List(Box::new(item)));
            }
            O::ListAppend => {
                let item = get(&st, 1)?;
                let at = depth.checked_sub(arg + 1).ok_or_else(short)?;
                let Some(Kind::List(items)) = st.stack.get_mut(at) else {
                    return unsupported("a comprehension");
                };
                if !is_item(&item) {
                    return unsupported("a list of objects");
                }
                **items = item_join(items, &item);
                pop!(1);
            }
            O::BuildTuple => {
                let items = st
                    .stack
                    .split_off(depth.checked_sub(arg).ok_or_else(short)?);
                st.stack.push(Kind::Tuple(items));
            }
            O::UnpackSequence => {
                let items = match get(&st, 1)? {
                    Kind::Tuple(items) if items.len() == arg => items,
                    Kind::List(item) => vec![read_as(&item, wide); arg],
                    Kind::Object(tag::TUPLE) => vec![Kind::any(); arg],
                    _ => return unsupported("unpacking"),
                };
                pop!(1);
                st.stack.extend(items.into_iter().rev());
            }
            O::GetIter => {
                if unit.form == Form::Generator && loop_suspends(&code, next) {
                    // Its state is in the frame.
                    return unsupported("an iterator that a suspended frame keeps");
                }
                let k = match get(&st, 1)? {
                    // One that was not built is.
                    Kind::Tuple(_) => Some(Kind::TupleIter),
                    // What `reversed` gave.
                    Kind::RangeIter => Some(Kind::RangeIter),
                    other => other.iterator(),
                };
                let Some(k) = k else {
                    let iterable = get(&st, 1)?;
                    return unsupported(format!("iteration over {}", iterable.name()));
                };
                replace!(1, k);
            }
            O::ForIter => {
                let Some(item) = item_of(&get(&st, 1)?, wide) else {
                    return unsupported("iteration over an object");
                };
                let mut done = st.clone();
                done.stack.truncate(depth - 1);
                st.stack.push(item);
                return Ok(Next::Edges(vec![(next, st), (instr.arg, done)]));
            }
            O::Jump | O::JumpBackward => return Ok(Next::Edges(vec![(instr.arg, st)])),
            O::PopJumpIfFalse
            | O::PopJumpIfTrue
            | O::JumpIfFalseOrPop
            | O::JumpIfTrueOrPop
            | O::PopJumpIfNone
            | O::PopJumpIfNotNone => {
                let k = get(&st, 1)?;
                let none = matches!(instr.op, O::PopJumpIfNone | O::PopJumpIfNotNone);
                if none && none_test(&k).is_none() || !none && !has_truth(&k) {
                    return unsupported(format!("a condition on {}", k.name()));
                }
                let below = depth.checked_sub(2).and_then(|at| st.stack.get(at));
                let known = self.always_jumps(&code.code, pc, &k, below);
                let (count, taken) = code
                    .profile
                    .site(pc)
                    .map_or((0, 0), |s| (s.count.get(), s.taken.get()));
                let mut jump = st.clone();
                pop!(1);
                if !matches!(instr.op, O::JumpIfFalseOrPop | O::JumpIfTrueOrPop) {
                    jump.stack.truncate(depth - 1);
                }
                let rare = |times: u32| u64::from(times) * 32 <= u64::from(count);
                jump.rare |= rare(taken);
                st.rare |= rare(count.saturating_sub(taken));
                let mut edges = vec![(next, st), (instr.arg, jump)];
                if let Some(jumps) = known {
                    edges.swap_remove(usize::from(!jumps));
                }
                return Ok(Next::Edges(edges));
            }
            O::YieldValue => {
                let k = get(&st, 1)?;
                if unit.form != Form::Generator || !is_item(&k) {
                    return unsupported("tier 1 has no such yield");
                }
                pop!(1);
                let kept = st.locals.iter_mut().chain(&mut st.stack);
                for kind in kept {
                    let Some(parked) = self.parked(kind) else {
                        return unsupported(format!("{} in a suspended frame", kind.name()));
                    };
                    *kind = parked;
                }
                st.stack.push(Kind::any());
                return Ok(Next::Edges(vec![(next, st)]));
            }
            O::ReturnValue => {
                let Some(unit) = self.units.get_mut(at) else {
                    return Err(Stop::Pending);
                };
                let k = get(&st, 1)?;
                match unit.form {
                    // A loop is left there.
                    Form::Loop(_) => return Ok(Next::Edges(Vec::new())),
                    Form::Generator if is_item(&k) => {
                        self.returns(at, Kind::any());
                        return Ok(Next::Edges(Vec::new()));
                    }
                    Form::Generator | Form::Function => {}
                }
                if !returnable(&k) {
                    return unsupported(format!("return of {}", k.name()));
                }
                match unit.result.as_ref().map(|known| (known, known.join(&k))) {
                    None => self.returns(at, k),
                    Some((_, Some(joined))) if returnable(&joined) => self.returns(at, joined),
                    Some((known, _)) => {
                        return unsupported(format!(
                            "return of {} and of {}",
                            known.name(),
                            k.name()
                        ));
                    }
                }
                return Ok(Next::Edges(Vec::new()));
            }
            other => return unsupported(format!("tier 1 has no {}", other.name())),
        }
        Ok(Next::Here(st))
    }

    /// The kind of a constant of the code.
    pub(crate) fn constant_kind(&mut self, value: &Value) -> Kind {
        match value {
            Value::Tuple(_) => Kind::Object(tag::TUPLE),
            Value::Str(_) | Value::Bytes(_) | Value::BigInt(_) => {
                Kind::of(value).unwrap_or(Kind::Keep)
            }
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                match Kind::of(value) {
                    Some(kind) => kind,
                    None => Kind::Known(self.know(value.clone())),
                }
            }
            // A complex number is its two parts; any other object is the very one.
            other => match Kind::of(other) {
                Some(Kind::Complex) => Kind::Complex,
                _ => Kind::Known(self.know(other.clone())),
            },
        }
    }

    fn load(&mut self, slot: usize, seen: u32, st: &mut State) -> Result<(), Stop> {
        let Some(kind) = st.locals.get_mut(slot) else {
            return unsupported("a missing variable");
        };
        match load_of(kind, seen) {
            Some((_, loaded)) => {
                *kind = loaded.clone();
                st.stack.push(loaded);
                Ok(())
            }
            None if *kind == Kind::Unset => Err(Stop::Raises("an unset variable".to_owned())),
            None => unsupported(format!("a variable that is {}", seen_names(seen))),
        }
    }

    fn load_name(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        arg: usize,
        seen: u32,
        st: &mut State,
    ) -> Result<(), Stop> {
        let Some(unit) = self.units.get(at) else {
            return Err(Stop::Pending);
        };
        if let Some(slot) = unit.name_slot(arg) {
            self.note_load(at, id, pc, Source::Slot(slot));
            return self.load(slot, seen, st);
        }
        let Some(name) = unit.code.names.get(arg).cloned() else {
            return Err(Stop::Pending);
        };
        let globals = unit.globals.clone();
        let builtins = self.builtins.clone();
        let own = globals.get_name(&name);
        if own.is_none() && globals.has_own_builtins() {
            return unsupported(format!("the name '{name}', of builtins of its own"));
        }
        let found = own.or_else(|| builtins.get_name(&name));
        let Some(value) = found else {
            return unsupported(format!("the name '{name}'"));
        };
        if self.learned.volatile.contains(name.as_str()) {
            let kind = self.load_memory(at, id, pc, &globals, &name, &value)?;
            st.stack.push(kind);
            return Ok(());
        }
        let kind = self.guarded(at, id, pc, globals, Some(builtins), &name, value)?;
        st.stack.push(kind);
        Ok(())
    }

    /// The kind that is expected in a cell: that of what a cell of this name holds in the region's frame, or what was seen.
    fn own_cell_kind(&self, at: usize, cell: usize, seen: u32) -> Kind {
        let held = || {
            let main = self.units.first()?;
            let name = self.units.get(at)?.code.code.cell_name(cell)?;
            let mut names = (0..self.cells.len()).map(|n| main.code.code.cell_name(n));
            let held = names.position(|other| other == Some(name))?;
            let held = self.cells.get(held)?.value.borrow().clone()?;
            Kind::of(&held).filter(|kind| kind.tag().is_some())
        };
        match held() {
            Some(Kind::List(_)) => Kind::of_tag(tag::LIST, &Kind::Keep),
            Some(kind) => kind,
            // Mostly one of the functions around it.
            None if seen == TypeTag::Callable as u32 => Kind::Object(tag::FUNCTION),
            None => Kind::seen(seen),
        }
    }

    /// Reads a cell of a function that is called; the kind that it is read as.
    fn load_cell(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        arg: usize,
        wide: bool,
    ) -> Result<Kind, Stop> {
        let cell = self.units.get(at).and_then(|u| u.cells.get(arg)).cloned();
        let Some(cell) = cell else {
            return unsupported("a variable of another function");
        };
        let Some(value) = cell.value.borrow().clone() else {
            return unsupported("a variable of another function that is not set");
        };
        let kind = match &value {
            _ if wide => Kind::any(),
            Value::Function(_) | Value::Native(_) | Value::Class(_) | Value::Module(_) => {
                Kind::Known(self.know(value.clone()))
            }
            value => match Kind::of(value) {
                Some(kind) if kind.tag().is_some() => kind,
                _ => Kind::any(),
            },
        };
        self.note_load(at, id, pc, Source::Cell(cell, kind.clone()));
        Ok(kind)
    }

    fn store_memory(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        arg: usize,
        kind: &Kind,
    ) -> Result<(), Stop> {
        let Some(unit) = self.units.get(at) else {
            return Err(Stop::Pending);
        };
        let Some(name) = unit.code.names.get(arg).cloned() else {
            return Err(Stop::Pending);
        };
        let Some(value) = unit.globals.get_name(&name) else {
            return unsupported(format!(
                "assignment to the global '{name}', which is not there yet"
            ));
        };
        if self.learned.volatile.insert(name.to_string()) {
            return Err(Stop::Again);
        }
        if !is_item(kind) {
            return unsupported(format!("a global that is {}", kind.name()));
        }
        let globals = unit.globals.clone();
        let memory = self.memory_of(&globals, &name, &value)?;
        self.note_load(at, id, pc, Source::Memory(memory, kind.clone()));
        Ok(())
    }
}

/// The kind that an item is read as.
pub(crate) fn read_as(item: &Kind, wide: bool) -> Kind {
    match item {
        Kind::Keep | Kind::Unset => Kind::any(),
        _ if wide => Kind::any(),
        other => other.clone(),
    }
}

/// What an iterator gives whose state is in machine values.
fn item_of(iterator: &Kind, wide: bool) -> Option<Kind> {
    Some(match iterator {
        Kind::RangeIter => Kind::Int,
        Kind::ListIter(item) => read_as(item, wide),
        Kind::TupleIter => Kind::any(),
        Kind::Zip(parts) => {
            let items = parts.iter().map(|part| item_of(part, wide));
            Kind::Tuple(items.collect::<Option<_>>()?)
        }
        Kind::Enumerate(of) => Kind::Tuple(vec![Kind::Int, item_of(of, wide)?]),
        _ => return None,
    })
}

/// Lists in one another at most that are told apart by what is in the innermost one.
const NESTED: u32 = 3;

/// The kind of the items of a list that gets another one.
pub(crate) fn item_join(items: &Kind, item: &Kind) -> Kind {
    let joined = match (items, item) {
        (_, Kind::Known(_) | Kind::Complex) => Kind::Keep,
        (items, Kind::Tuple(_)) => item_join(items, &Kind::Object(tag::TUPLE)),
        (Kind::Unset, item) => item.clone(),
        (Kind::List(_), Kind::List(_)) => join_items(items, item),
        (items, item) if is_item(items) && is_item(item) => items.join(item).unwrap_or(Kind::Keep),
        (items, item) => join_items(items, item),
    };
    // A loop may put a list into a list forever.
    joined.with_nesting(NESTED)
}

impl Program {
    /// Whether a conditional jump always jumps, or never does, by the kinds of its condition and of the value below.
    pub(crate) fn always_jumps(
        &self,
        code: &Code,
        pc: u32,
        condition: &Kind,
        below: Option<&Kind>,
    ) -> Option<bool> {
        use Opcode as O;
        let op = code.instrs.get(pc as usize)?.op;
        if matches!(op, O::PopJumpIfNone | O::PopJumpIfNotNone) {
            let is_none = none_test(condition).flatten()?;
            return Some(is_none == (op == O::PopJumpIfNone));
        }
        let is_true = match (condition, code.instrs.get((pc as usize).checked_sub(1)?)?) {
            (Kind::None, _) => false,
            (_, before) if before.op == O::IsBuiltin => self.is_builtin(before.arg, below?)?,
            _ => return None,
        };
        Some(is_true == matches!(op, O::PopJumpIfTrue | O::JumpIfTrueOrPop))
    }

    /// Whether a known callable is the built-in that `IsBuiltin` asks for.
    pub(crate) fn is_builtin(&self, consumer: u32, callable: &Kind) -> Option<bool> {
        let (Some(consumer), Kind::Known(known)) = (Consumer::from_arg(consumer), callable) else {
            return None;
        };
        let value = self.known.get(*known)?;
        Some(janus_object::is_builtin(consumer, value))
    }
}

/// Whether values of a kind are None, if that can be told: always, never, or at run time.
pub(crate) fn none_test(kind: &Kind) -> Option<Option<bool>> {
    Some(match kind {
        Kind::None => Some(true),
        Kind::Dyn { mask, .. } if mask & (1 << tag::KEEP | 1 << tag::UNSET) == 0 => {
            match mask & 1 << tag::NONE {
                0 => Some(false),
                _ => None,
            }
        }
        Kind::Dyn { .. } | Kind::Keep | Kind::Unset | Kind::Null | Kind::Pending => return None,
        _ => Some(false),
    })
}
