//! What names and calls mean, as far as it can be known.
//!
//! In: names, callables, kinds of arguments. Out: kinds, guards, units to compile along. Always:
//! a global that is taken for constant is guarded; one that changes is read where it lives.

use janus_object::{Binding, Name, PyDict, PyFunction, PyRef, Value, types};

use crate::kind::{Kind, tag};
use crate::program::{Callee, Guard, Home, Memory, Program, Source, State, Unit};
use crate::step::{Stop, is_appendable, unsupported};

/// Functions that one region may call directly.
const MAX_UNITS: usize = 24;

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
        let (source, kind) = match &value {
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                match Kind::of(&value) {
                    Some(kind) => (Source::Const(value.clone()), kind),
                    None => return unsupported("a global"),
                }
            }
            Value::Function(_) | Value::Native(_) | Value::Class(_) | Value::Module(_) => {
                let k = self.know(value.clone());
                (Source::Known(k), Kind::Known(k))
            }
            Value::List(_) if builtins.is_some() => {
                let memory = self.memory_of(&dict, name, &value)?;
                self.nested = true;
                self.note_load(at, id, pc, Source::Memory(memory));
                return Ok(self
                    .memory
                    .get(memory)
                    .map_or(Kind::Keep, |m| m.kind.clone()));
            }
            other => {
                return unsupported(format!(
                    "the global '{name}' that is a {}",
                    other.type_name()
                ));
            }
        };
        // A name that the region keeps in a variable is not constant for the functions it calls.
        let kept = self.units.first().is_some_and(|main| {
            PyRef::ptr_eq(&main.globals, &dict)
                && main
                    .names
                    .iter()
                    .any(|n| n.home == Home::Global(name.clone()) && n.stored)
        });
        if kept {
            self.learned.volatile.insert(name.to_string());
            return Err(Stop::Again);
        }
        let known = self
            .guards
            .iter()
            .any(|g| PyRef::ptr_eq(&g.dict, &dict) && g.name == *name);
        if !known {
            let version = match &value {
                Value::Function(f) => f.version.get(),
                _ => 0,
            };
            self.guards.push(Guard {
                dict,
                builtins,
                name: name.clone(),
                value,
                version,
            });
        }
        self.note_load(at, id, pc, source);
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
            .position(|m| PyRef::ptr_eq(&m.dict, dict) && m.name == *name);
        if let Some(known) = known {
            return Ok(known);
        }
        let Some(kind) = Kind::of(value).filter(|k| k.tag().is_some()) else {
            return unsupported(format!("the global '{name}', which changes"));
        };
        self.memory.push(Memory {
            dict: dict.clone(),
            builtins: self.builtins.clone(),
            name: name.clone(),
            kind,
        });
        Ok(self.memory.len() - 1)
    }

    pub(crate) fn call(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        count: usize,
        st: &State,
    ) -> Result<Kind, Stop> {
        let base = st.stack.len().checked_sub(count + 2);
        let (k, receiver, args) = match base.and_then(|b| st.stack.get(b..)) {
            Some([Kind::Known(k), Kind::Null, args @ ..]) => (*k, None, args),
            Some([Kind::Known(k), receiver, args @ ..]) => (*k, Some(receiver), args),
            _ => return unsupported("a call of an unknown callable"),
        };
        let Some(value) = self.known.get(k).cloned() else {
            return Err(Stop::Pending);
        };
        let number = Kind::is_number;
        let (callee, result) = match (&value, receiver) {
            (Value::Native(native), Some(Kind::List(_))) if native.qualname == "list.append" => {
                match args {
                    [item] if is_appendable(item) => (Callee::Append, Kind::None),
                    _ => return unsupported("append of an object"),
                }
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
                    (name, args) => match pure_function(name, args) {
                        Some(result) => (Callee::Pure(k, result.clone()), result),
                        None => return unsupported(format!("a call of {name}")),
                    },
                }
            }
            (Value::Class(class), None) => {
                let t = types();
                match args {
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
                    _ => return unsupported(format!("a call of {}", class.name.borrow())),
                }
            }
            (Value::Function(function), None) => {
                let args = args.to_vec();
                let unit = self.unit_for(function, args)?;
                let result = self.units.get(unit).and_then(|u| u.result.clone());
                self.note_call(at, id, pc, Callee::Unit(unit));
                return result.ok_or(Stop::Pending);
            }
            (other, None) => return unsupported(format!("a call of a {}", other.type_name())),
        };
        self.note_call(at, id, pc, callee);
        Ok(result)
    }

    fn unit_for(&mut self, function: &PyFunction, mut args: Vec<Kind>) -> Result<usize, Stop> {
        let code = function.code.borrow().clone();
        let c = &code.code;
        let flags = c.flags;
        if flags.varargs
            || flags.varkw
            || flags.generator
            || flags.coroutine
            || c.kwonly_argcount > 0
            || !c.cellvars.is_empty()
            || !c.freevars.is_empty()
            || c.argcount as usize != args.len()
        {
            return unsupported(format!("a call of {} as it is defined", c.qualname));
        }
        let passable = |k: &Kind| match k {
            Kind::Int | Kind::Float | Kind::Bool | Kind::None | Kind::Complex | Kind::List(_) => {
                true
            }
            Kind::Known(_) => true,
            Kind::Dyn { mask, .. } => mask & (1 << tag::KEEP | 1 << tag::UNSET) == 0,
            _ => false,
        };
        if !args.iter().all(passable) {
            return unsupported(format!(
                "a call of {} with other things than numbers",
                c.qualname
            ));
        }
        let same = |u: &&mut Unit| {
            u.head.is_none()
                && PyRef::ptr_eq(&u.code, &code)
                && PyRef::ptr_eq(&u.globals, &function.globals)
        };
        // Kinds of list items are guesses: they do not make another unit.
        let count = args.len();
        for (at, unit) in self.units.iter_mut().enumerate() {
            if !same(&unit) {
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
                return Ok(at);
            }
        }
        let versions = self.units.iter_mut().filter(same).count();
        if versions >= 4 || self.units.len() >= MAX_UNITS {
            return unsupported("too many functions in one region");
        }
        args.truncate(count);
        self.units
            .push(Unit::function(&code, &function.globals, args));
        Ok(self.units.len() - 1)
    }
}
