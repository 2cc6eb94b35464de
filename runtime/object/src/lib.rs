//! Python values, heap, classes, dict and set.
//!
//! In: code objects of `janus-bytecode`. Out: [`Value`] and everything it points to, attribute
//! lookup, arithmetic, containers, text forms. Always: values live on one thread and are counted
//! ([`heap`]); nothing here runs bytecode — what needs to call back into Python takes a [`Vm`].

pub mod attr;
pub mod buffer;
mod builtin;
pub mod call;
mod class;
mod code;
mod deque;
mod dict;
pub mod digits;
mod exception;
pub mod fields;
mod function;
mod generator;
pub mod heap;
mod instance;
mod iterator;
pub mod memory;
mod module;
mod native;
mod offsets;
pub mod ops;
pub mod scalar;
mod sequence;
mod set;
mod store;
mod string;
mod table;
pub mod text;
pub mod twister;
mod types;
mod value;
mod vm;

pub use builtin::{
    async_generator_hooks, async_iter, async_next, class_getitem, complex_parts, complex_value,
    make_classmethod, make_staticmethod, make_super, mapping_entries, parse_float, parse_int,
    set_async_generator_hooks, sort_values, union_members, view_class, view_method,
};
pub use class::{
    BaseKind, Class, ClassFlags, Collection, build_class, calculate_metaclass, is_data,
};
pub use code::{
    Caches, Callee, CodeObject, JitState, Labels, Profile, Site, TypeTag, constant, may_divide,
};
pub use deque::PyDeque;
pub use dict::{DictPart, DictView, PyDict, changes};
pub use exception::{ExcKind, os_error_kind};
pub use function::{
    Args, Binding, NativeBody, NativeClosure, NativeFn, NativeFunction, PyCell, PyFunction,
    PyMethod, QuickWay, Reach, ShortWay,
};
pub use generator::{
    Generator, GeneratorBody, GeneratorKind, Resume, Step, close_generator, resume_generator,
};
pub use heap::{PyRef, PyWeak};
pub use instance::{
    Accessors, ExceptionData, Foreign, Instance, Opaque, Payload, Property, SuperData,
    TracebackEntry, TracebackObject,
};
pub use iterator::{IterState, NativeIterator, PyIter, SimpleNext};
pub use janus_gil::GilLazy;
pub use module::PyModule;
pub use native::{NativeDef, Signature, is_builtin};
pub use offsets::Offsets;
pub use scalar::{Bool, Float};
pub use sequence::{
    Memory, PyBytes, PyList, PyRange, PySlice, PyTuple, SliceRange, resolve_slice, wrap_index,
};
pub use set::PySet;
pub use string::{Name, NameMap, PassHasher, PyStr, hash_bytes};
pub use table::simple_eq;
pub use types::{
    StandIns, Types, class_of, is_instance, is_instance_simple, is_subclass, set_stand_ins, types,
};
pub use value::Value;
pub use vm::{PyResult, Raised, Vm};
