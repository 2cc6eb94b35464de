//! Where things lie: the words of the context that generated code works on, and the parts of
//! lists and values in memory.
//!
//! In: sample values. Out: offsets. Always: word 0 of a context is the session's address; exits
//! write from [`SLOTS`] on; what the language does not promise about layouts is measured once, and
//! where it cannot be, there is no tier 1.

use janus_object::{PyList, PyRef, Value};

use crate::kind::tag;

/// The recursion limit.
pub(crate) const LIMIT: usize = 1;
/// Recursion depth of the region's own frame.
pub(crate) const DEPTH: usize = 2;
/// Address of a byte that is not 0 when the code is to be left at the next loop iteration or call.
pub(crate) const INTERRUPT: usize = 3;
/// Values at entry and at exits; the result.
pub(crate) const SLOTS: usize = 4;

/// Byte offset of a word.
pub(crate) fn word(at: usize) -> i32 {
    i32::try_from(at * 8).unwrap_or(i32::MAX)
}

/// Bytes of a value.
pub(crate) const VALUE: i64 = 16;
/// Offset of a value's payload.
pub(crate) const PAYLOAD: i32 = 8;
/// Offset of a bool's payload.
pub(crate) const BOOL_PAYLOAD: i32 = 1;

/// Offsets in lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// From a list's address to that of its elements.
    pub items: i32,
    /// From a list's address to its length.
    pub len: i32,
    /// From the payload of a list value to the list's address.
    pub rc: i64,
}

impl Layout {
    /// Measures; `None` if something does not lie as generated code expects.
    pub fn measure() -> Option<Layout> {
        let tags = [
            (Value::None, tag::NONE),
            (Value::Bool(true), tag::BOOL),
            (Value::Int(-2), tag::INT),
            (Value::Float(0.5), tag::FLOAT),
            (Value::list(Vec::new()), tag::LIST),
        ];
        if size_of::<Value>() != VALUE as usize
            || size_of::<Vec<Value>>() != size_of::<[usize; 3]>()
            || tags
                .iter()
                .any(|(value, tag)| u32::from(tag_byte(value)) != *tag)
            || tags.get(2).map(|(v, _)| payload(v)) != Some(-2i64 as u64)
            || tags.get(3).map(|(v, _)| payload(v)) != Some(0.5f64.to_bits())
        {
            return None;
        }
        let mut items = Vec::with_capacity(7);
        items.extend([Value::None, Value::None, Value::None]);
        let list = PyRef::new(PyList::new(items));
        let vec: *const Vec<Value> = list.items.as_ptr();
        let base = PyRef::as_ptr(&list) as usize;
        let inside = (vec as usize).checked_sub(base)?;
        // SAFETY: `vec` points to a living vector, which is not borrowed; it is as large as three
        // words, all of which (pointer, capacity, length) are initialised.
        let words = unsafe { vec.cast::<[usize; 3]>().read() };
        let elements = list.items.borrow().as_ptr() as usize;
        let find = |wanted: usize| {
            let mut found = words.iter().enumerate().filter(|(_, w)| **w == wanted);
            match (found.next(), found.next()) {
                (Some((at, _)), None) => i32::try_from(inside + at * 8).ok(),
                _ => None,
            }
        };
        let value = Value::List(list.clone());
        Some(Layout {
            items: find(elements)?,
            len: find(3)?,
            rc: (base as i64).checked_sub(payload(&value) as i64)?,
        })
    }
}

fn tag_byte(value: &Value) -> u8 {
    // SAFETY: `Value` is `repr(u8)`: its first byte is its tag.
    unsafe { std::ptr::from_ref(value).cast::<u8>().read() }
}

/// The payload of an int, a float or a counted value.
fn payload(value: &Value) -> u64 {
    match value {
        Value::Int(_) | Value::Float(_) | Value::List(_) => {
            // SAFETY: a `Value` is 16 bytes aligned to 8, and the payload of these variants fills
            // its second half (RFC 2195).
            unsafe { std::ptr::from_ref(value).cast::<u64>().add(1).read() }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_lie_as_expected() {
        let layout = Layout::measure().unwrap();
        assert_ne!(layout.items, layout.len);
    }
}
