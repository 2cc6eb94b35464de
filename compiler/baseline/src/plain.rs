//! What acts come to where all they are about is built in, so that neither Python nor an exception has to do with it.
//!
//! In: an act and its operands. Out: what it gives; or nothing, where the long way is due. Always: no code of a script runs, and
//! nothing is assigned that compiled code takes for constant.

use janus_bytecode::{BinaryOp, Opcode};
use janus_interp::Interp;
use janus_object::{Args, GeneratorKind, PyRef, PySet, Value, Vm, name, ops};

use crate::acts::{makes_generator, with_receiver};
use crate::effect::{Act, Effect};

/// What an act came to.
pub(crate) enum Plain {
    /// It left a value.
    Value(Value),
    /// It left none.
    Done,
}

/// Does an act, if that is plain.
#[inline]
pub(crate) fn plain(vm: &mut Interp, effect: &Effect, operands: &[Option<Value>]) -> Option<Plain> {
    let value = match (effect.act, operands) {
        (Act::GetSlice, [Some(a), bounds @ ..]) => {
            ops::slice_simple(a, ops::simple_bounds(bounds.iter().flatten())?)?
        }
        (Act::SetSlice, [Some(new), Some(a), bounds @ ..]) => {
            let bounds = ops::simple_bounds(bounds.iter().flatten())?;
            return ops::set_slice_simple(a, bounds, new).then_some(Plain::Done);
        }
        (Act::GetItem, [Some(a), Some(key)]) => janus_interp::item_simple(a, key)?,
        (
            Act::SetItem,
            [
                Some(value),
                Some(a @ (Value::Instance(_) | Value::Bytes(_))),
                Some(key),
            ],
        ) => {
            return janus_interp::store_simple(a, key, value).then_some(Plain::Done);
        }
        (Act::Binary(op), [Some(a), Some(b)]) if is_plain_operator(op, a, b) => {
            ops::binary(vm, op, a, b).ok()?
        }
        // Where the arguments do not fit, nothing was done.
        (Act::Call, [Some(callable), receiver, args @ ..]) if makes_generator(callable) => {
            let args = with_receiver(operands, receiver, args);
            vm.call(callable, Args::new(args)).ok()?
        }
        (Act::Delegate(awaits), [Some(to @ Value::Generator(generator))]) => {
            let kind = match awaits {
                true => GeneratorKind::Coroutine,
                false => GeneratorKind::Generator,
            };
            (generator.kind == kind).then(|| to.clone())?
        }
        (Act::Iter | Act::Delegate(false), [Some(of @ Value::Instance(instance))]) => {
            let iterate = instance.class().lookup(name!("__iter__"));
            let iterate = iterate.filter(makes_generator)?;
            vm.call(&iterate, Args::new(std::slice::from_ref(of)))
                .ok()?
        }
        (Act::Iter, [Some(a)]) => ops::iter_simple(a)?,
        (Act::Build, operands) => return build(effect, operands),
        _ => return None,
    };
    Some(Plain::Value(value))
}

/// Whether an operator is one of numbers, or puts sequences together, so that it does nothing but make its result.
fn is_plain_operator(op: BinaryOp, a: &Value, b: &Value) -> bool {
    use Value as V;
    let is_number = |v: &V| matches!(v, V::Bool(_) | V::Int(_) | V::Float(_) | V::BigInt(_));
    let is_sequence = |v: &V| matches!(v, V::Str(_) | V::Bytes(_) | V::Tuple(_) | V::List(_));
    match op {
        BinaryOp::Add => is_number(a) && is_number(b) || is_sequence(a) && is_sequence(b),
        BinaryOp::Mul => {
            (is_number(a) || is_sequence(a)) && is_number(b) || is_number(a) && is_sequence(b)
        }
        // These may take so long that somebody interrupts them.
        BinaryOp::Pow | BinaryOp::LShift => false,
        _ => !op.is_inplace() && is_number(a) && is_number(b),
    }
}

fn build(effect: &Effect, operands: &[Option<Value>]) -> Option<Plain> {
    let value = match (effect.instr.op, operands) {
        (Opcode::SetAdd, [Some(Value::Set(set)), Some(item)]) => {
            set.add_simple(item)?;
            return Some(Plain::Done);
        }
        (Opcode::MapAdd, [Some(Value::Dict(dict)), Some(key), Some(value)]) => {
            dict.set_simple(key, value.clone()).ok()?;
            return Some(Plain::Done);
        }
        (Opcode::BuildSet, []) => Value::Set(PyRef::new(PySet::new(false))),
        (Opcode::ListToTuple, [Some(Value::List(list))]) => {
            Value::tuple(list.items.borrow().clone())
        }
        _ => return None,
    };
    Some(Plain::Value(value))
}
