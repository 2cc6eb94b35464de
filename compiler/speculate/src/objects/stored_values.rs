//! Instances of classes that derive from `int`, `float` or `str`: NumPy's scalars, mostly.
//!
//! In: such an instance. Out: the number or text that it stores, where a built-in type's own methods and functions written in
//! Rust ask for that. Always: methods of the class have been asked before.

use janus_bytecode::{BinaryOp, CompareOp, Opcode};
use janus_object::ops::compare_name;
use janus_object::{Class, Name, PyRef, Value, types};
use janus_plan::{ReasonId, ScalarType};

use crate::Res;
use crate::executor::Executor;
use crate::numbers::arithmetic::Truth;
use crate::objects::special_methods::special_name;
use crate::state::sym::{Kind, Stored, Sym, SymScalar};

/// Functions that make data of numbers, whose dtype follows from the numbers' classes.
const BY_CLASS: &[&str] = &[
    "torch.tensor",
    "torch.as_tensor",
    "torch.asarray",
    "torch.scalar_tensor",
];

/// Modules and types whose functions take what an instance stores for the instance.
const TAKES_STORED: &[&str] = &["float.", "int.", "str.", "math."];

impl Executor<'_> {
    /// Arguments, with what instances store in their place; `None`: none of them is such an instance.
    pub(crate) fn plain_arguments(&self, args: &[Sym]) -> Option<Vec<Sym>> {
        let any = args.iter().any(|v| self.state.stored_value(v).is_some());
        any.then(|| args.iter().map(|v| self.state.plain(v)).collect())
    }

    /// Refuses data whose dtype follows from the class of a number in it.
    pub(crate) fn check_data(
        &mut self,
        function: &str,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<()> {
        if !BY_CLASS.contains(&function) || kwargs.iter().any(|(k, _)| k.as_str() == "dtype") {
            return Ok(());
        }
        let mut all = args.iter().chain(kwargs.iter().map(|(_, v)| v));
        all.try_for_each(|v| self.no_number_of_a_class(function, v))
    }

    /// Refuses a number of a class of its own in data: the class has a say in the dtype.
    fn no_number_of_a_class(&mut self, function: &str, v: &Sym) -> Res<()> {
        if !matches!(v, Sym::Obj(_)) {
            return Ok(());
        }
        if self.state.stored_value(v).is_some() {
            let class = self.class_of(v)?.display_name();
            let detail = format!("{function} of a {class}, which has a say in the dtype");
            return self.refuse(ReasonId::NoGraphForm, detail);
        }
        let Some(items) = self.container(v) else {
            return Ok(());
        };
        if !matches!(self.state.heap[items].kind, Kind::List(_) | Kind::Tuple(_)) {
            return Ok(());
        }
        for item in self.items_of(items)? {
            self.no_number_of_a_class(function, &item)?;
        }
        Ok(())
    }

    /// The built-in type among `int`, `float` and `str` that a class written in Python derives from.
    fn value_base(class: &PyRef<Class>) -> Option<PyRef<Class>> {
        let t = types();
        let bases = [&t.int, &t.float, &t.str];
        let found = bases.into_iter().find(|base| class.is_subclass_of(base));
        found.filter(|_| class.flags.get().mutable).cloned()
    }

    /// `float.__new__(class, ...)` and its like; `None`: the class derives from something else.
    pub(crate) fn new_value(
        &mut self,
        base: &str,
        class: &PyRef<Class>,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let Some(from) = Self::value_base(class) else {
            return Ok(None);
        };
        if from.name.borrow().as_str() != base {
            return Ok(None);
        }
        self.guard_class(class);
        let args: Vec<Sym> = args.iter().map(|v| self.state.plain(v)).collect();
        let value = self.construct_builtin(&from, args, kwargs.to_vec())?;
        Ok(Some(self.instance(class, Some(Stored::Value(value)))))
    }

    /// An instance of a class that has no `__new__` of its own; `None`: it derives from something else.
    pub(crate) fn derived_value(
        &mut self,
        class: &PyRef<Class>,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let Some(base) = Self::value_base(class) else {
            return Ok(None);
        };
        let base = base.name.borrow().as_str().to_owned();
        self.new_value(&base, class, args, kwargs)
    }

    /// A special method of `float` or `int` that is called by its name; `None`: the graph has none of that.
    pub(crate) fn number_method(&mut self, name: &str, args: &[Sym]) -> Res<Option<Sym>> {
        let (of, method) = match name.split_once('.') {
            Some(("float", method)) => (ScalarType::Float, method),
            Some(("int", method)) => (ScalarType::Int, method),
            _ => return Ok(None),
        };
        let Some(middle) = method.strip_prefix("__").and_then(|m| m.strip_suffix("__")) else {
            return Ok(None);
        };
        let mut plain = Vec::with_capacity(args.len());
        let mut fits = true;
        for v in args {
            let v = self.state.plain(v);
            if matches!(v, Sym::Known(Value::BigInt(_))) {
                plain.push(v);
                continue;
            }
            let Some(number) = self.number(&v)? else {
                return Ok(None);
            };
            // An int leaves what is said with a float to the float.
            fits &= number.ty != ScalarType::Float || of == ScalarType::Float;
            plain.push(v);
        }
        if !fits {
            return Ok(Some(Sym::Known(Value::NotImplemented)));
        }
        Ok(Some(match plain.as_slice() {
            [a] => match middle {
                "neg" => self.unary(Opcode::UnaryNegative, a)?,
                "pos" => self.unary(Opcode::UnaryPositive, a)?,
                "abs" => return self.absolute(a),
                "float" if of == ScalarType::Float => a.clone(),
                "int" | "index" if of == ScalarType::Int => a.clone(),
                "bool" => self.construct_builtin(&types().bool, plain, Vec::new())?,
                _ => return Ok(None),
            },
            [a, b] => {
                let binary = |middle: &str| {
                    let mut ops = BinaryOp::ALL.iter().filter(|op| !op.is_inplace());
                    ops.find(|op| special_name(**op) == middle).copied()
                };
                if let Some(op) = compared(method) {
                    self.compare(op, a, b)?
                } else if let Some(op) = binary(middle) {
                    self.binary(op, a, b)?
                } else if let Some(op) = middle.strip_prefix('r').and_then(binary) {
                    self.binary(op, b, a)?
                } else {
                    return Ok(None);
                }
            }
            _ => return Ok(None),
        }))
    }

    /// `abs(v)`; `None`: it is known, or of something that has no graph form.
    pub(crate) fn absolute(&mut self, v: &Sym) -> Res<Option<Sym>> {
        if self.is_tensor(v) {
            let tensor = vec![v.clone()];
            return self.torch("Tensor.abs", tensor, Vec::new()).map(Some);
        }
        if let Some(method) = self.python_method(v, "__abs__")? {
            return self.call(&method, vec![v.clone()], Vec::new()).map(Some);
        }
        let v = self.state.plain(v);
        let Sym::Scalar(s) = v else { return Ok(None) };
        if s.ty == ScalarType::Float {
            return self.float_primitive("janus.abs", s.id).map(Some);
        }
        let negative = self.compare(CompareOp::Lt, &v, &Sym::Known(Value::Int(0)))?;
        let opposite = self.unary(Opcode::UnaryNegative, &v)?;
        let (x, y) = (self.number(&v)?, self.number(&opposite)?);
        Ok(match (self.truth(&negative)?, x, y) {
            (Truth::Known(true), ..) => Some(opposite),
            (Truth::Known(false), ..) => Some(v),
            (Truth::Dynamic(p), Some(x), Some(y)) if x.ty == y.ty => {
                let ty = crate::state::types::type_of(x.ty);
                let id = self.emit1("arith.select", &[p, y.id, x.id], &[], ty)?;
                Some(Sym::Scalar(SymScalar { id, ty: x.ty }))
            }
            _ => None,
        })
    }

    /// What an operator of a tensor or a built-in number says to an instance that stores a number; `None`: they are others.
    pub(super) fn as_number(&mut self, this: &Sym, other: &Sym) -> Res<Option<Said>> {
        let Some(stored) = self.state.stored_value(other) else {
            return Ok(None);
        };
        let Some(stored) = self.number(&stored)? else {
            return Ok(None);
        };
        if self.is_tensor(this) {
            return Ok(Some(Said::Result));
        }
        let Some(number) = self.number(this)? else {
            return Ok(None);
        };
        // An int leaves what is said with a float to the float.
        let of_float = stored.ty == ScalarType::Float && number.ty != ScalarType::Float;
        Ok(Some(match of_float {
            true => Said::NotImplemented,
            false => Said::Result,
        }))
    }
}

/// What a built-in type's operator says to an operand.
pub(super) enum Said {
    /// It computes with the number that the operand stores.
    Result,
    /// It leaves it to the operand.
    NotImplemented,
}

/// The comparison that a special method is.
fn compared(method: &str) -> Option<CompareOp> {
    let mut ops = CompareOp::ALL.iter();
    ops.find(|op| compare_name(**op).as_str() == method)
        .copied()
}

/// Whether functions of a module or type take what an instance stores for it.
pub(crate) fn takes_stored(function: &str) -> bool {
    TAKES_STORED.iter().any(|of| function.starts_with(of))
}
