//! What names and calls mean, as far as it can be known.
//!
//! In: names, callables, kinds of arguments. Out: kinds, guards, units to compile along. Always:
//! a global that is taken for constant is guarded; one that changes is read where it lives.

use janus_bytecode::Opcode;
use janus_interp::{SeenOperator, seen_init, seen_len, seen_operator};
use janus_object::ops::Special;
use janus_object::{
    Binding, Class, CodeObject, Name, PyCell, PyDict, PyFunction, PyRef, PyWeak, Value, types,
};

use crate::entry::loop_suspends;
use crate::kind::{Kind, tag, tag_byte};
use crate::place::PlacedName;
use crate::program::{Argument, Callee, Form, Guard, Home, Memory, Program, Source, Unit};
use crate::step::{Stop, is_item, seen_at, unsupported};

/// Functions that one region may call directly.
const MAX_UNITS: usize = 100;
/// Versions of a function for certain types of its arguments; one more is for any.
const MAX_VERSIONS: usize = 3;

/// Blocks of a region from which on no other function is compiled along.
const MANY_BLOCKS: usize = 1500;
/// Instructions of a function with loops from which on it is not compiled along with what calls it: a call that goes by a frame takes
/// little of its time, and it would be compiled again for each region that calls it.
const MANY_INSTRUCTIONS: usize = 250;

/// What a call hands over; the last ones have names.
struct Given<'k> {
    kinds: &'k [Kind],
    names: &'k [Name],
}

/// Functions of module math that change nothing: number of arguments and kind of the result.
fn math_function(name: &str) -> Option<(usize, Kind)> {
    Some(match name {
        "exp" | "exp2" | "expm1" | "log2" | "log10" | "log1p" | "cbrt" | "sin" | "cos" | "tan"
        | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "asinh" | "acosh" | "atanh"
        | "fabs" | "degrees" | "radians" | "erf" | "erfc" | "gamma" | "lgamma" | "log" => {
            (1, Kind::Float)
        }
        "floor" | "ceil" | "trunc" | "isqrt" | "factorial" => (1, Kind::Int),
        "isnan" | "isinf" | "isfinite" => (1, Kind::Bool),
        "atan2" | "copysign" | "fmod" | "pow" | "hypot" | "ldexp" => (2, Kind::Float),
        "gcd" | "lcm" | "comb" => (2, Kind::Int),
        _ => return None,
    })
}

/// Kind of the result of a pure native function.
fn pure_function(qualname: &str, args: &[Kind]) -> Option<Kind> {
    let numbers = args.iter().all(|k| k.is_number());
    if !numbers {
        return None;
    }
    if let Some(name) = qualname.strip_prefix("math.") {
        if name == "log" && args.len() == 2 {
            return Some(Kind::Float);
        }
        return math_function(name)
            .filter(|(n, _)| *n == args.len())
            .map(|(_, k)| k);
    }
    match (qualname, args) {
        ("builtins.round", [_]) => Some(Kind::Int),
        ("builtins.round", [Kind::Float, Kind::Int]) => Some(Kind::Float),
        ("builtins.round", [Kind::Int, Kind::Int]) => Some(Kind::Int),
        ("builtins.pow", [Kind::Int, Kind::Int]) => Some(Kind::Int),
        ("builtins.pow", [Kind::Int, Kind::Int, Kind::Int]) => Some(Kind::Int),
        ("builtins.pow", [Kind::Float, _] | [_, Kind::Float]) => Some(Kind::Float),
        ("builtins.divmod", [Kind::Int, Kind::Int]) => {
            Some(Kind::Tuple(vec![Kind::Int, Kind::Int]))
        }
        ("builtins.divmod", [Kind::Float, _] | [_, Kind::Float]) => {
            Some(Kind::Tuple(vec![Kind::Float, Kind::Float]))
        }
        _ => None,
    }
}

/// Methods of built-in types that run no Python and that either raise or do what they do: with these arguments.
fn native_method(qualname: &str, args: &[Kind]) -> bool {
    let key = |k: &Kind| k.is_number() || matches!(k, Kind::None | Kind::Object(tag::STR));
    match (qualname, args) {
        ("list.pop" | "list.reverse" | "list.copy", []) => true,
        ("list.pop", [Kind::Int]) | ("list.insert", [Kind::Int, _]) => true,
        ("dict.get", [k] | [k, _]) => key(k),
        ("dict.copy" | "dict.keys" | "dict.values" | "dict.items", []) => true,
        (
            "str.upper" | "str.lower" | "str.strip" | "str.split" | "str.isdigit" | "str.isalpha",
            [],
        ) => true,
        (
            "str.startswith" | "str.endswith" | "str.find" | "str.split" | "str.strip",
            [Kind::Object(tag::STR)],
        ) => true,
        _ => false,
    }
}

/// The kinds of iterators over these arguments, if the state of each can be in machine values.
fn iterators(args: &[Kind]) -> Option<Vec<Kind>> {
    args.iter().map(Kind::iterator).collect()
}

impl Program {
    /// Assumes that a name keeps its value.
    #[allow(
        clippy::too_many_arguments,
        reason = "a place in the code and a place in memory"
    )]
    pub(crate) fn guarded(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        dict: PyRef<PyDict>,
        builtins: Option<PyRef<PyDict>>,
        name: &Name,
        value: Value,
    ) -> Result<Kind, Stop> {
        // A name that the region keeps in a variable is neither constant nor up to date in memory for the functions it
        // calls.
        let kept = self.units.first().is_some_and(|main| {
            PyRef::ptr_eq(&main.globals, &dict)
                && main
                    .names
                    .iter()
                    .any(|n| n.home == Home::global(name.clone()) && n.stored)
        });
        if kept {
            self.learned.volatile.insert(name.to_string());
            return Err(Stop::Again);
        }
        let (source, kind) = match &value {
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                match Kind::of(&value) {
                    Some(kind) => (Source::Const(value.clone()), kind),
                    None => return unsupported("a global"),
                }
            }
            Value::Function(_)
            | Value::Native(_)
            | Value::Class(_)
            | Value::Module(_)
            | Value::NotImplemented
            | Value::Ellipsis => {
                let k = self.know(value.clone());
                (Source::Known(k), Kind::Known(k))
            }
            Value::List(_) if builtins.is_some() => {
                return self.load_memory(at, id, pc, &dict, name, &value);
            }
            other if let Some(kind @ Kind::Object(_)) = Kind::of(other) => {
                let k = self.know(value.clone());
                (Source::Object(k), kind)
            }
            other => {
                return unsupported(format!(
                    "the global '{name}' that is a {}",
                    other.type_name()
                ));
            }
        };
        let known = self
            .guards
            .iter()
            .any(|g| PyRef::ptr_eq(&g.dict, &dict) && g.name.name == *name);
        if !known {
            self.guards
                .push(Guard::new(dict, builtins, name.clone(), value));
        }
        self.note_load(at, id, pc, source);
        Ok(kind)
    }

    /// Reads a global where it lives; the kind that it is read as.
    pub(crate) fn load_memory(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        dict: &PyRef<PyDict>,
        name: &Name,
        value: &Value,
    ) -> Result<Kind, Stop> {
        let memory = self.memory_of(dict, name, value)?;
        let kind = match self.memory.get(memory) {
            Some(global) if !self.is_wide(at, pc) => global.kind.clone(),
            _ => Kind::any(),
        };
        self.note_load(at, id, pc, Source::Memory(memory, kind.clone()));
        Ok(kind)
    }

    /// The index of a global in memory.
    pub(crate) fn memory_of(
        &mut self,
        dict: &PyRef<PyDict>,
        name: &Name,
        value: &Value,
    ) -> Result<usize, Stop> {
        let known = self
            .memory
            .iter()
            .position(|m| PyRef::ptr_eq(&m.dict, dict) && m.name.name == *name);
        if let Some(known) = known {
            return Ok(known);
        }
        let Some(kind) = Kind::of(value).filter(|k| k.tag().is_some()) else {
            return unsupported(format!("the global '{name}', which changes"));
        };
        self.memory.push(Memory {
            dict: dict.clone(),
            builtins: self.builtins.clone(),
            name: PlacedName::new(name.clone()),
            kind,
        });
        Ok(self.memory.len() - 1)
    }

    /// A call, of what is on the stack or is expected to be; the kind of its result.
    pub(crate) fn call_of(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        count: usize,
        stack: &[Kind],
        names: &[Name],
    ) -> Result<Kind, Stop> {
        let base = stack.len().checked_sub(count + 2);
        let Some([callable, receiver, args @ ..]) = base.and_then(|b| stack.get(b..)) else {
            return unsupported("a call of an unknown callable");
        };
        let may_be = |tag: u32| callable.tags().is_some_and(|mask| mask & 1 << tag != 0);
        let is_unknown = *receiver == Kind::Null && is_item(callable) && !self.is_wide(at, pc);
        let is_unknown = is_unknown && !matches!(callable, Kind::Known(_));
        match self.expected_callable(at, pc).filter(|_| is_unknown) {
            Some(Expected::Code(code)) if may_be(tag::FUNCTION) => {
                self.call_code(at, id, pc, &code, args, names)
            }
            Some(Expected::Known(value)) if may_be(u32::from(tag_byte(&value))) => {
                let known = self.know(value);
                let mut stack = stack.to_vec();
                if let Some(callable) = base.and_then(|base| stack.get_mut(base)) {
                    *callable = Kind::Known(known);
                }
                let result = self.call(at, id, pc, count, &stack, names)?;
                if let Some(block) = self.units.get_mut(at).and_then(|u| u.blocks.get_mut(id)) {
                    block.expected.insert(pc, known);
                }
                Ok(result)
            }
            _ => self.call(at, id, pc, count, stack, names),
        }
    }

    /// What a call has called so far, if that is the same each time, and there is one to look at.
    fn expected_callable(&self, at: usize, pc: u32) -> Option<Expected> {
        let code = &self.units.get(at)?.code;
        let site = code.profile.site(pc)?;
        if site.polymorphic.get() {
            return None;
        }
        let callee = site.callee.borrow();
        let callee = callee.as_ref()?;
        let code = callee.code.as_ref().and_then(PyWeak::upgrade);
        let met = self.met.iter().find(|value| match (value, &code) {
            (Value::Function(function), Some(code)) => {
                PyRef::ptr_eq(&function.code.borrow(), code) && !code.code.flags.nested
            }
            (Value::Function(_), None) => false,
            (other, _) => other
                .count()
                .is_some_and(|head| head.addr() == callee.address),
        });
        match met {
            Some(value) => Some(Expected::Known(value.clone())),
            None => code.map(Expected::Code),
        }
    }

    /// A call of any function with this code.
    fn call_code(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        code: &PyRef<CodeObject>,
        args: &[Kind],
        names: &[Name],
    ) -> Result<Kind, Stop> {
        let Some(globals) = self.units.get(at).map(|unit| unit.globals.clone()) else {
            return Err(Stop::Pending);
        };
        let is_store = |op| matches!(op, Opcode::StoreDeref | Opcode::DeleteDeref);
        let stores = code.code.instrs.iter().any(|instr| is_store(instr.op));
        // What the region keeps in a variable may be in the function's cells.
        let shares = self.kept_cells.iter().any(|(_, stored)| *stored || stores);
        let arguments = bind(code, None, args.len(), names);
        let Some(arguments) = arguments.filter(|_| !shares && !is_odd(code)) else {
            return unsupported(format!("a call of {} as it is defined", code.code.qualname));
        };
        let (unit, arguments) = self.unit_of((code, &globals), None, arguments, args)?;
        let result = self.result_of(at, unit);
        self.note_call(at, id, pc, Callee::ByCode(unit, arguments));
        result
    }

    fn call(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        count: usize,
        stack: &[Kind],
        names: &[Name],
    ) -> Result<Kind, Stop> {
        let base = stack.len().checked_sub(count + 2);
        let (k, receiver, args) = match base.and_then(|b| stack.get(b..)) {
            Some([Kind::Known(k), Kind::Null, args @ ..]) => (*k, None, args),
            Some([Kind::Known(k), receiver, args @ ..]) => (*k, Some(receiver), args),
            _ => return unsupported("a call of an unknown callable"),
        };
        let Some(value) = self.known.get(k).cloned() else {
            return Err(Stop::Pending);
        };
        if !names.is_empty() && !matches!(value, Value::Function(_) | Value::Class(_)) {
            return unsupported("a call of a function in Rust with keywords");
        }
        let number = Kind::is_number;
        let (callee, result) = match (&value, receiver) {
            (Value::Native(native), Some(Kind::List(_))) if native.qualname == "list.append" => {
                match args {
                    [item] if is_item(item) => (Callee::Append, Kind::None),
                    _ => return unsupported("append of an object"),
                }
            }
            (Value::Native(native), Some(receiver))
                if args.iter().all(is_item) && *receiver != Kind::Null =>
            {
                match native_method(native.qualname, args) {
                    true => (Callee::Native(k, Kind::any()), Kind::any()),
                    false => return unsupported(format!("a call of {}", native.qualname)),
                }
            }
            (Value::Function(function), Some(receiver)) => {
                let mut all = vec![receiver.clone()];
                all.extend(args.iter().cloned());
                return self.call_function(at, id, pc, function, all, names);
            }
            (_, Some(_)) => return unsupported("a call of a method"),
            (Value::Native(native), None) if native.binding == Binding::Static => {
                match (native.qualname, args) {
                    ("builtins.abs", [k @ (Kind::Int | Kind::Float)]) => (Callee::Abs, k.clone()),
                    ("builtins.abs", [Kind::Complex]) => (Callee::Abs, Kind::Float),
                    ("builtins.min" | "builtins.max", [a @ (Kind::Int | Kind::Float), _, ..])
                        if args.iter().all(|k| k == a) =>
                    {
                        let least = native.qualname == "builtins.min";
                        (if least { Callee::Min } else { Callee::Max }, a.clone())
                    }
                    ("builtins.min" | "builtins.max", [a, b]) if number(a) && number(b) => {
                        let least = native.qualname == "builtins.min";
                        let result = a.join(b).unwrap_or(Kind::Keep);
                        (if least { Callee::Min } else { Callee::Max }, result)
                    }
                    ("builtins.len", [Kind::List(_)]) => (Callee::Len, Kind::Int),
                    ("math.sqrt", [a]) if number(a) => (Callee::Sqrt, Kind::Float),
                    ("builtins.len", [Kind::Tuple(_)]) => (Callee::Native(k, Kind::Int), Kind::Int),
                    ("builtins.len", [a]) if *a == Kind::Object(tag::INSTANCE) => {
                        let a = a.clone();
                        return match self.operator(at, id, pc, Special::Len, (&a, None))? {
                            Some(result) => Ok(result),
                            None => unsupported("a call of builtins.len"),
                        };
                    }
                    ("builtins.len", [a @ (Kind::Object(_) | Kind::Dyn { .. })])
                        if is_item(a) && self.has_no_length_in_python(at, pc) =>
                    {
                        (Callee::Length, Kind::Int)
                    }
                    ("builtins.isinstance", [a, Kind::Known(class)])
                        if is_item(a) && self.is_plain_class(*class) =>
                    {
                        (Callee::IsInstance(k, *class), Kind::Bool)
                    }
                    ("builtins.ord", [a]) if is_item(a) && a.is_value() => (Callee::Ord, Kind::Int),
                    ("builtins.chr", [Kind::Int]) => (Callee::Chr, Kind::Object(tag::STR)),
                    (name, args) => match pure_function(name, args) {
                        Some(result) => (Callee::Pure(k, result.clone()), result),
                        None => return unsupported(format!("a call of {name}")),
                    },
                }
            }
            (Value::Class(class), None) => {
                let t = types();
                match args {
                    _ if !names.is_empty() => {
                        return self.make(at, id, pc, k, class, Given { kinds: args, names });
                    }
                    [a] if PyRef::ptr_eq(class, &t.type_) && is_item(a) && a.is_value() => {
                        (Callee::TypeOf, Kind::Object(tag::CLASS))
                    }
                    [a] if PyRef::ptr_eq(class, &t.int) && number(a) => (Callee::Int, Kind::Int),
                    [a] if PyRef::ptr_eq(class, &t.float) && number(a) => {
                        (Callee::Float, Kind::Float)
                    }
                    [a] if PyRef::ptr_eq(class, &t.bool) && number(a) => (Callee::Bool, Kind::Bool),
                    [a] if PyRef::ptr_eq(class, &t.complex) && number(a) => {
                        (Callee::Complex, Kind::Complex)
                    }
                    [a, b] if PyRef::ptr_eq(class, &t.complex) && number(a) && number(b) => {
                        (Callee::Complex, Kind::Complex)
                    }
                    [_] | [_, _] | [_, _, _]
                        if PyRef::ptr_eq(class, &t.range)
                            && args.iter().all(|k| *k == Kind::Int) =>
                    {
                        (Callee::Range, Kind::Range)
                    }
                    [of] if PyRef::ptr_eq(class, &t.reversed)
                        && matches!(of, Kind::Range | Kind::Object(tag::RANGE))
                        && self.is_gone_through(at, pc) =>
                    {
                        (Callee::Reversed, Kind::RangeIter)
                    }
                    [_, ..]
                        if PyRef::ptr_eq(class, &t.zip)
                            && let Some(parts) = iterators(args)
                            && self.is_gone_through(at, pc) =>
                    {
                        (Callee::Zip, Kind::Zip(parts))
                    }
                    [container] | [container, Kind::Int]
                        if PyRef::ptr_eq(class, &t.enumerate)
                            && let Some(of) = container.iterator()
                            && self.is_gone_through(at, pc) =>
                    {
                        (Callee::Enumerate, Kind::Enumerate(Box::new(of)))
                    }
                    _ => return self.make(at, id, pc, k, class, Given { kinds: args, names }),
                }
            }
            (Value::Function(function), None) => {
                return self.call_function(at, id, pc, function, args.to_vec(), names);
            }
            (other, None) => return unsupported(format!("a call of a {}", other.type_name())),
        };
        self.note_call(at, id, pc, callee);
        Ok(result)
    }

    /// Whether what a call gives is gone through at once, and by nothing else: then it need not be made.
    fn is_gone_through(&self, at: usize, pc: u32) -> bool {
        let Some(unit) = self.units.get(at) else {
            return false;
        };
        let next = unit.code.code.instrs.get(pc as usize + 1);
        next.is_some_and(|i| i.op == Opcode::GetIter)
            && unit.is_inside(pc + 1)
            && !unit.is_leader(pc + 1)
            // Its state is in the frame.
            && !(unit.form == Form::Generator && loop_suspends(&unit.code, pc + 2))
    }

    /// Whether `len` at an instruction was asked of no instance whose class defines it.
    fn has_no_length_in_python(&self, at: usize, pc: u32) -> bool {
        let unit = self.units.get(at);
        !self.is_wide(at, pc) && unit.is_some_and(|unit| seen_len(&unit.code, pc).is_none())
    }

    /// Whether `isinstance` with a class runs no Python.
    fn is_plain_class(&self, class: usize) -> bool {
        match self.known.get(class) {
            Some(Value::Class(class)) => !class.has_metaclass(),
            _ => false,
        }
    }

    fn call_function(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        function: &PyRef<PyFunction>,
        args: Vec<Kind>,
        names: &[Name],
    ) -> Result<Kind, Stop> {
        let (unit, arguments) = self.unit_for(function, &args, names)?;
        let result = self.result_of(at, unit);
        self.note_call(at, id, pc, Callee::Unit(unit, arguments));
        result
    }

    /// An operation on an instance whose class defines it by a known method; the kind of its result. `None`: there is more to
    /// it.
    pub(crate) fn operator(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        special: Special,
        operands: (&Kind, Option<&Kind>),
    ) -> Result<Option<Kind>, Stop> {
        let instance = Kind::Object(tag::INSTANCE);
        let (receiver, argument) = operands;
        if (*receiver != instance && argument != Some(&instance)) || self.is_wide(at, pc) {
            return Ok(None);
        }
        let code = self.units.get(at).map(|u| u.code.clone());
        let seen = code.and_then(|code| match special {
            Special::Len => seen_len(&code, pc),
            _ => seen_operator(&code, pc),
        });
        let Some(seen) = seen else {
            return Ok(None);
        };
        let (version, of_argument, method) = match seen {
            SeenOperator::Method {
                receiver,
                argument,
                method,
            } => (receiver, argument, method),
            SeenOperator::Identity => {
                let simple =
                    |k: &Kind| *k == instance || matches!(k.tag(), Some(tag) if tag <= tag::DICT);
                if !simple(receiver) || !argument.is_some_and(simple) {
                    return Ok(None);
                }
                self.note_call(at, id, pc, Callee::Identity);
                return Ok(Some(Kind::Bool));
            }
        };
        let fits = match (of_argument, argument) {
            (None, argument) => argument.is_none_or(is_item),
            (Some(0), Some(argument)) => {
                matches!(argument.tag(), Some(tag) if tag < tag::INSTANCE)
                    || *argument == Kind::Complex
            }
            (Some(_), argument) => argument == Some(&instance),
        };
        if !fits || *receiver != instance {
            return Ok(None);
        }
        let mut given = vec![receiver.clone()];
        given.extend(argument.cloned());
        let (unit, arguments) = match self.unit_for(&method, &given, &[]) {
            Ok(found) => found,
            Err(Stop::Unsupported(_)) => return Ok(None),
            Err(stop) => return Err(stop),
        };
        let result = self.result_of(at, unit)?;
        let not_implemented = Kind::of_mask(1 << tag_byte(&Value::NotImplemented));
        let (fits, gives) = match special {
            Special::Item | Special::Get => (true, result),
            Special::Binary(_) | Special::Compare(_) => (!result.covers(&not_implemented), result),
            Special::Contains(_) => (
                matches!(result, Kind::Bool | Kind::Int | Kind::None),
                Kind::Bool,
            ),
            Special::Len => (result == Kind::Int, Kind::Int),
        };
        if !fits {
            return Ok(None);
        }
        let callee = Callee::Operator {
            special,
            unit,
            arguments,
            receiver: version,
            argument: of_argument.unwrap_or(0),
        };
        self.note_call(at, id, pc, callee);
        Ok(Some(gives))
    }

    /// A property of an instance whose class has a version, which calls a function; the kind of its result. `None`: there is more
    /// to it.
    pub(crate) fn property(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        version: u32,
        getter: &PyRef<PyFunction>,
    ) -> Result<Option<Kind>, Stop> {
        let instance = Kind::Object(tag::INSTANCE);
        let (unit, arguments) = match self.unit_for(getter, &[instance], &[]) {
            Ok(found) => found,
            Err(Stop::Unsupported(_)) => return Ok(None),
            Err(stop) => return Err(stop),
        };
        let result = self.result_of(at, unit);
        let callee = Callee::Operator {
            special: Special::Get,
            unit,
            arguments,
            receiver: version,
            argument: 0,
        };
        self.note_call(at, id, pc, callee);
        result.map(Some)
    }

    /// A call of a class that makes an instance by a Python `__init__`.
    fn make(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        k: usize,
        class: &PyRef<Class>,
        given: Given<'_>,
    ) -> Result<Kind, Stop> {
        let name = class.name.borrow().to_string();
        let code = self.units.get(at).map(|u| u.code.clone());
        let init = code.and_then(|code| seen_init(&code, pc, class));
        let Some(init) = init else {
            return unsupported(format!("a call of {name}"));
        };
        let mut all = vec![Kind::Object(tag::INSTANCE)];
        all.extend(given.kinds.iter().cloned());
        let (unit, arguments) = self.unit_for(&init, &all, given.names)?;
        let result = self.result_of(at, unit);
        let callee = Callee::Make {
            class: k,
            version: class.version.get(),
            unit,
            arguments,
        };
        self.note_call(at, id, pc, callee);
        match result? {
            Kind::None => Ok(Kind::Object(tag::INSTANCE)),
            _ => unsupported(format!("an __init__ of {name} that returns something")),
        }
    }

    /// The unit that a call calls, and what its parameters are: `names` are those of the last values that are given.
    fn unit_for(
        &mut self,
        function: &PyRef<PyFunction>,
        given: &[Kind],
        names: &[Name],
    ) -> Result<(usize, Vec<Argument>), Stop> {
        let code = function.code.borrow().clone();
        let odd = || unsupported(format!("a call of {} as it is defined", code.code.qualname));
        if is_odd(&code) || self.keeps_cell_of(function, &code) {
            return odd();
        }
        let Some(arguments) = bind(&code, Some(function), given.len(), names) else {
            return odd();
        };
        self.rely_on(function);
        let globals = function.globals.clone();
        self.unit_of((&code, &globals), Some(&function.closure), arguments, given)
    }

    /// The unit of code in a namespace, with these cells or with any, for what a call hands over.
    fn unit_of(
        &mut self,
        (code, globals): (&PyRef<CodeObject>, &PyRef<PyDict>),
        cells: Option<&[PyRef<PyCell>]>,
        arguments: Vec<Argument>,
        given: &[Kind],
    ) -> Result<(usize, Vec<Argument>), Stop> {
        let c = &code.code;
        let mut args = Vec::new();
        for argument in &arguments {
            args.push(match argument {
                Argument::Given(at) => given.get(*at).cloned().unwrap_or(Kind::Keep),
                Argument::Default(value) => self.constant_kind(value),
                Argument::Own(_, kind) => kind.clone(),
            });
        }
        let passable = |k: &Kind| is_item(k);
        if !args.iter().all(passable) {
            return unsupported(format!(
                "a call of {} with other things than objects",
                c.qualname
            ));
        }
        for arg in &mut args {
            if let Kind::Tuple(_) = arg {
                *arg = Kind::Object(tag::TUPLE);
            }
        }
        let is_same = |u: &Unit| {
            u.form == Form::Function
                && PyRef::ptr_eq(&u.code, code)
                && PyRef::ptr_eq(&u.globals, globals)
                && match cells {
                    None => u.takes_cells,
                    Some(cells) => {
                        let mut both = u.cells.iter().zip(cells);
                        !u.takes_cells
                            && u.cells.len() == cells.len()
                            && both.all(|(a, b)| PyRef::ptr_eq(a, b))
                    }
                }
        };
        // What the region's own frame has in its cells is asked of it, so that it is for its frame alone.
        let own = usize::from(cells.is_none());
        // Kinds of list items are guesses: they do not make another unit.
        let count = args.len();
        for (at, unit) in self.units.iter().enumerate().skip(own) {
            if !is_same(unit) {
                continue;
            }
            let Some(known) = unit.entry.locals.get(..count) else {
                continue;
            };
            if known
                .iter()
                .zip(&args)
                .all(|(a, b)| a.close_to(b) && a.covers(b))
            {
                return Ok((at, arguments));
            }
        }
        args.truncate(count);
        let versions = self.units.iter().skip(own);
        let versions: Vec<&Unit> = versions.filter(|u| is_same(u)).collect();
        let full = versions.len() > MAX_VERSIONS;
        if versions.len() == MAX_VERSIONS {
            // One for all others: what differs may be anything.
            for unit in &versions {
                for (arg, known) in args.iter_mut().zip(&unit.entry.locals) {
                    if !arg.close_to(known) {
                        *arg = Kind::any();
                    }
                }
            }
        }
        if full || self.units.len() >= MAX_UNITS || self.size() > MANY_BLOCKS {
            return unsupported("too many functions in one region");
        }
        if has_code_of_its_own(code) {
            return unsupported(format!("{} has code of its own", c.qualname));
        }
        let mut unit = Unit::function(code, globals, args);
        match cells {
            Some(cells) => unit.cells = cells.to_vec(),
            None => unit.takes_cells = true,
        }
        self.units.push(unit);
        Ok((self.units.len() - 1, arguments))
    }

    /// Whether the region keeps a cell of a function in a variable, where the function would not see what the region assigns,
    /// or the region what the function does.
    fn keeps_cell_of(&self, function: &PyFunction, code: &CodeObject) -> bool {
        let stores = |at: usize| {
            let mut instrs = code.code.instrs.iter();
            instrs.any(|i| {
                matches!(i.op, Opcode::StoreDeref | Opcode::DeleteDeref) && i.arg as usize == at
            })
        };
        function.closure.iter().enumerate().any(|(at, cell)| {
            let mut kept = self.kept_cells.iter();
            kept.any(|(kept, stored)| PyRef::ptr_eq(kept, cell) && (*stored || stores(at)))
        })
    }
}

/// What a call that calls something unknown has called so far.
enum Expected {
    /// A function with this code.
    Code(PyRef<CodeObject>),
    /// This very object.
    Known(Value),
}

/// Whether a function is called by the code that it has for itself.
fn has_code_of_its_own(code: &CodeObject) -> bool {
    let instrs = &code.code.instrs;
    instrs.len() > MANY_INSTRUCTIONS && instrs.iter().any(|i| i.op == Opcode::JumpBackward)
}

/// Whether a function with this code cannot be called directly.
fn is_odd(code: &CodeObject) -> bool {
    let flags = code.code.flags;
    flags.varargs
        || flags.varkw
        || flags.generator
        || flags.coroutine
        || !code.code.cellvars.is_empty()
}

/// The kind that a parameter had where it was read.
fn parameter_kind(code: &CodeObject, parameter: usize) -> Kind {
    let reads = (0..).zip(&code.code.instrs);
    let reads = reads.filter(|(_, i)| i.op == Opcode::LoadFast && i.arg as usize == parameter);
    let seen = reads
        .map(|(pc, _)| seen_at(code, pc, false))
        .find(|seen| *seen != 0);
    match Kind::seen(seen.unwrap_or(0)) {
        Kind::Dyn { .. } => Kind::any(),
        one => one,
    }
}

/// Where the value of each parameter comes from in a call with so many values, the last of which have names; `None` if that
/// is no call of the function.
fn bind(
    code: &CodeObject,
    function: Option<&PyFunction>,
    given: usize,
    names: &[Name],
) -> Option<Vec<Argument>> {
    let c = &code.code;
    let positional = given.checked_sub(names.len())?;
    let argcount = c.argcount as usize;
    if positional > argcount {
        return None;
    }
    let defaults = function.map(|f| f.defaults.borrow());
    let kw_defaults = function.map(|f| f.kw_defaults.borrow());
    let mut named = 0;
    let mut arguments = Vec::new();
    for at in 0..c.parameter_count() {
        let name = Name::new(c.varnames.get(at)?);
        let by_name = names.iter().position(|n| *n == name);
        let argument = if at < positional {
            if by_name.is_some() {
                return None;
            }
            Argument::Given(at)
        } else if let Some(by_name) = by_name.filter(|_| at >= c.posonly_argcount as usize) {
            named += 1;
            Argument::Given(positional + by_name)
        } else if at < argcount {
            match &defaults {
                None => Argument::Own(argcount - at, parameter_kind(code, at)),
                Some(defaults) => {
                    let from = argcount.checked_sub(defaults.len())?;
                    Argument::Default(defaults.get(at.checked_sub(from)?)?.clone())
                }
            }
        } else {
            // Where somebody else has the dict, it may change.
            let own = kw_defaults.as_ref()?.as_ref();
            let own = own.filter(|d| PyRef::strong_count(d) == 1);
            Argument::Default(own?.get_name(&name)?)
        };
        arguments.push(argument);
    }
    (named == names.len()).then_some(arguments)
}
