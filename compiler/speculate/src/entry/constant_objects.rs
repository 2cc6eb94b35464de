//! What is known by identity, and by content.
//!
//! In: a value that the region was found to refer to. Out: whether operations on it may be carried out
//! now. Always: what an object answers is used only if nothing can make it answer otherwise later.

use janus_object::{Payload, Value};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;

/// Classes of native objects that never change.
const IMMUTABLE: &[&str] = &[
    "dtype",
    "device",
    "layout",
    "memory_format",
    "finfo",
    "iinfo",
    "Pattern",
    "Match",
    "GenericAlias",
    "UnionType",
];

fn is_unchanging(value: &Value) -> bool {
    match value {
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::BigInt(_)
        | Value::Str(_)
        | Value::Range(_)
        | Value::Slice(_)
        | Value::Function(_)
        | Value::Method(_)
        | Value::Native(_)
        | Value::Class(_)
        | Value::Module(_)
        | Value::Code(_)
        | Value::Ellipsis
        | Value::NotImplemented => true,
        Value::Bytes(bytes) => !bytes.mutable,
        Value::Set(set) => set.frozen,
        Value::Tuple(tuple) => tuple.items.iter().all(is_unchanging),
        Value::Instance(instance) => match &instance.payload {
            Payload::None
            | Payload::Wrapped(_)
            | Payload::Property(_)
            | Payload::ClassMethod(_)
            | Payload::StaticMethod(_)
            | Payload::Super(_)
            | Payload::Exception(_) => true,
            Payload::Tuple(tuple) => tuple.items.iter().all(is_unchanging),
            Payload::Set(set) => set.frozen,
            Payload::Foreign(_) => IMMUTABLE.contains(&&*instance.class().display_name()),
            Payload::List(_) | Payload::Dict(_) | Payload::DictView(_) => false,
        },
        _ => false,
    }
}

impl Executor<'_> {
    /// Refuses what somebody may change while it stays the same object.
    pub(crate) fn unchanging(&self, value: &Value) -> Res<()> {
        if is_unchanging(value) {
            return Ok(());
        }
        self.refuse(
            ReasonId::NoGraphForm,
            format!("what a {} from outside holds", value.type_name()),
        )
    }
}
