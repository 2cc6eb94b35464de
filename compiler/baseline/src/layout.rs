//! Where things lie: the words of the context that generated code works on, and the parts of
//! values in memory.
//!
//! In: sample values. Out: offsets. Always: word 0 of a context is the session's address; exits
//! write from [`SLOTS`] on; what the language does not promise about layouts is measured once, and
//! where it cannot be, there is no tier 1.

use janus_object::{Offsets, Value, types};

use crate::kind::{tag, tag_byte};

/// The recursion limit.
pub(crate) const LIMIT: usize = 1;
/// Recursion depth of the region's own frame.
pub(crate) const DEPTH: usize = 2;
/// Address of a byte that is not 0 when the code is to be left at the next loop iteration or call.
pub(crate) const INTERRUPT: usize = 3;
/// Address of the [`crate::trail`]: where each activation, by its depth, makes the call that is running.
pub(crate) const TRAIL: usize = 4;
/// Address of the names that the region keeps in variables, as it has lent them to the function that it calls: three words
/// each, which are a tag, the bits and, of a complex number, the other part.
pub(crate) const LENT: usize = 5;
/// Whether what was lent was written to where it lives, since Python was to see it: it may have been assigned since.
pub(crate) const SHOWN: usize = 6;
/// Values at entry and at exits; the result.
pub(crate) const SLOTS: usize = 7;
/// Words of a name that is lent.
pub(crate) const WORDS_LENT: usize = 3;

/// The status of a function that returned, where something is owed to what died of that.
pub(crate) const RETURNED: u64 = 1 << 40;

/// Byte offset of a word.
pub(crate) fn word(at: usize) -> i32 {
    i32::try_from(at * 8).unwrap_or(i32::MAX)
}

/// Bytes of a value.
pub(crate) const VALUE: i64 = 16;
/// Offset of a value's payload.
pub(crate) const PAYLOAD: i32 = 8;

/// Where things lie in objects.
pub(crate) type Layout = Offsets;

/// Measures; `None` if something does not lie as generated code expects.
pub(crate) fn measure() -> Option<Layout> {
    let tags = [
        (Value::None, tag::NONE),
        (Value::bool(true), tag::BOOL),
        (Value::Int(-2), tag::INT),
        (Value::float(0.5), tag::FLOAT),
        (Value::str("a"), tag::STR),
        (Value::tuple(Vec::new()), tag::TUPLE),
        (Value::list(Vec::new()), tag::LIST),
        (Value::Class(types().object.clone()), tag::CLASS),
        (Value::NotImplemented, tag::LAST),
    ];
    if size_of::<Value>() != VALUE as usize
        || tags
            .iter()
            .any(|(value, tag)| u32::from(tag_byte(value)) != *tag)
        || tags.get(2).map(|(v, _)| payload(v)) != Some(-2i64 as u64)
        || tags.get(3).map(|(v, _)| payload(v)) != Some(0.5f64.to_bits())
    {
        return None;
    }
    Offsets::measure()
}

/// The payload of an int, a float or a counted value.
pub(crate) fn payload(value: &Value) -> u64 {
    match value {
        Value::Int(i) => *i as u64,
        Value::Float(x) => x.get().to_bits(),
        Value::Bool(b) => u64::from(b.get()),
        other => other.count().map_or(0, |count| count as u64),
    }
}
