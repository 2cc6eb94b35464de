//! The value stack of a frame.

use std::mem::ManuallyDrop;

use janus_object::{PyRef, Value, heap};

use super::ArgVec;

/// Takes the value off that lies on top of the stack.
#[inline(always)]
pub(super) fn take_top(stack: &mut Vec<Option<Value>>) -> Value {
    let at = stack.len().saturating_sub(1);
    debug_assert!(matches!(stack.get(at), Some(Some(_))));
    // SAFETY: the callers saw that a value lies there; from now on it is no longer part of the stack.
    unsafe {
        stack.set_len(at);
        stack.as_ptr().add(at).cast::<Value>().read()
    }
}

/// `Vec::push`, of which what is there when there is room becomes part of the loop.
#[inline(always)]
pub(crate) fn push_to<T>(vector: &mut Vec<T>, item: T) {
    let len = vector.len();
    match vector.spare_capacity_mut().first_mut() {
        Some(slot) => {
            slot.write(item);
            // SAFETY: the slot behind the last one was written.
            unsafe { vector.set_len(len + 1) };
        }
        None => push_grown(vector, item),
    }
}

#[cold]
#[inline(never)]
fn push_grown<T>(vector: &mut Vec<T>, item: T) {
    vector.push(item);
}

/// Drops what lies on top of the stack.
#[inline(always)]
pub(super) fn drop_top(stack: &mut Vec<Option<Value>>) {
    match stack.last() {
        Some(Some(value)) if value.count().is_none() => drop_immediate(stack),
        Some(Some(_)) => take_top(stack).release(),
        _ => drop(stack.pop()),
    }
}

/// Takes an immediate off the stack.
#[inline(always)]
pub(super) fn drop_immediate(stack: &mut Vec<Option<Value>>) {
    let at = stack.len().saturating_sub(1);
    // SAFETY: it is no longer than it was, and what is left behind owns nothing.
    unsafe { stack.set_len(at) };
}

/// What a reference refers to, for as long as the caller knows that another reference keeps it.
///
/// # Safety
/// That one is there for as long as the result is used.
#[inline(always)]
pub(super) unsafe fn held<'a, T: heap::Object>(object: &PyRef<T>) -> &'a T {
    // SAFETY: the caller's promise.
    unsafe { &*PyRef::as_ptr(object) }
}

/// Hands two values side by side to a function that owns neither.
#[inline(always)]
pub(super) fn with_both<R>(first: &Value, second: &Value, with: impl FnOnce(&[Value]) -> R) -> R {
    // SAFETY: the copies are not dropped, and what they refer to is there as long as the values that were copied.
    let both = unsafe {
        [
            ManuallyDrop::new(std::ptr::read(first)),
            ManuallyDrop::new(std::ptr::read(second)),
        ]
    };
    // SAFETY: these are two values: the wrapper has the value's layout.
    with(unsafe { std::slice::from_raw_parts(both.as_ptr().cast(), 2) })
}

/// The arguments of a call, which lie on the stack from `first` on.
#[inline(always)]
pub(super) fn arguments(stack: &[Option<Value>], first: usize) -> Option<*const [Value]> {
    let slots = stack.get(first..)?;
    if !slots.iter().all(Option::is_some) {
        return None;
    }
    // What is none is one more tag: a slot that holds a value has that value's bytes.
    Some(std::ptr::slice_from_raw_parts(
        slots.as_ptr().cast(),
        slots.len(),
    ))
}

/// A function bound to the object that is passed first.
#[must_use]
pub fn bound_method(function: Value, receiver: Value) -> Value {
    Value::Method(PyRef::new(janus_object::PyMethod { function, receiver }))
}

/// Takes the arguments of a call off the stack, and what stood below them.
#[inline]
pub(super) fn take_args(stack: &mut Vec<Option<Value>>, base: usize, first: usize) -> ArgVec {
    let mut args = ArgVec::new();
    for slot in stack.get_mut(first..).unwrap_or_default() {
        if let Some(value) = slot.take() {
            args.push(value);
        }
    }
    stack.truncate(base);
    args
}
