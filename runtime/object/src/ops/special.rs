//! Operations that the class of an instance may define by one method.
//!
//! In: an operation and its operands. Out: the method in Python that is called first, where that is all that decides, and
//! what becomes of its result. Always: callers run the method themselves, so that a call in Python is a frame like any other.

use janus_bytecode::{BinaryOp, CompareOp};

use super::binary::{binary_after, inplace_name, plain_name};
use super::compare::{compare_after, method_name};
use crate::{BaseKind, Class, PyFunction, PyRef, PyResult, Value, Vm, name};

/// An operation on an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// An operator, of which the left operand is the receiver.
    Binary(BinaryOp),
    /// A comparison, likewise.
    Compare(CompareOp),
    /// `receiver[argument]`
    Item,
    /// `argument in receiver`; false: `not in`.
    Contains(bool),
    /// `len(receiver)`
    Len,
    /// `receiver.name`, where that is a property
    Get,
}

/// Whether instances of a class are no more than what the class makes of them.
fn is_plain(class: &Class) -> bool {
    class.kind.get() == BaseKind::Object && class.version.get() != 0
}

impl Special {
    /// The method that is called first for operands of these classes. `None`: there is more to it.
    #[must_use]
    pub fn first_method(
        self,
        receiver: &Value,
        argument: Option<&Value>,
    ) -> Option<PyRef<PyFunction>> {
        let Value::Instance(left) = receiver else {
            return None;
        };
        let class = left.class.borrow();
        if !is_plain(&class) {
            return None;
        }
        if let (Special::Binary(_) | Special::Compare(_), Some(Value::Instance(right))) =
            (self, argument)
        {
            let other = right.class.borrow();
            let same = PyRef::ptr_eq(&class, &other);
            if !same && (!is_plain(&other) || other.is_subclass_of(&class)) {
                return None;
            }
        }
        let method = match self {
            Special::Binary(op) => {
                let in_place = op
                    .is_inplace()
                    .then(|| class.lookup(inplace_name(op.plain())));
                in_place
                    .flatten()
                    .or_else(|| class.lookup(plain_name(op.plain())))
            }
            Special::Compare(op) => class.lookup(method_name(op)),
            Special::Item => class.lookup(name!("__getitem__")),
            Special::Contains(_) => class.lookup(name!("__contains__")),
            Special::Len => class.lookup(name!("__len__")),
            // Which property it is tells the cache of the attribute.
            Special::Get => None,
        };
        match method {
            Some(Value::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// What it comes to where its method gave `result`, if that needs no closer look.
    #[inline]
    #[must_use]
    pub fn of_result(self, result: &Value) -> Option<Value> {
        match (self, result) {
            (Special::Binary(_) | Special::Compare(_), Value::NotImplemented) => None,
            (Special::Contains(is), Value::Bool(found)) => Some(Value::bool(found.get() == is)),
            (Special::Len, Value::Int(len)) if *len >= 0 => Some(Value::Int(*len)),
            (Special::Contains(_) | Special::Len, _) => None,
            (_, result) => Some(result.clone()),
        }
    }

    /// How many values it takes off the stack: `len` itself, too.
    #[must_use]
    pub fn taken(self) -> usize {
        match self {
            Special::Len => 3,
            Special::Get => 1,
            Special::Binary(_) | Special::Compare(_) | Special::Item | Special::Contains(_) => 2,
        }
    }

    /// Whether the class of the argument has a say.
    #[must_use]
    pub fn asks_argument(self) -> bool {
        matches!(self, Special::Binary(_) | Special::Compare(_))
    }

    /// What the operation gives where the method of [`Special::first_method`] gave `result`.
    pub fn after(
        self,
        vm: &mut dyn Vm,
        receiver: &Value,
        argument: Option<&Value>,
        result: Value,
    ) -> PyResult {
        match (self, argument) {
            (Special::Binary(op), Some(b)) if matches!(result, Value::NotImplemented) => {
                binary_after(vm, op, receiver, b)
            }
            (Special::Compare(op), Some(b)) if matches!(result, Value::NotImplemented) => {
                compare_after(vm, op, receiver, b)
            }
            (Special::Contains(is), _) => Ok(Value::bool(super::truth(vm, &result)? == is)),
            (Special::Len, _) => Ok(Value::Int(super::item::length(vm, &result)? as i64)),
            _ => Ok(result),
        }
    }
}
