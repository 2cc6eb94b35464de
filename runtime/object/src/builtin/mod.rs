//! Native methods of the built-in classes.
//!
//! In: arguments of calls. Out: tables of native methods, one file a class, put into the class
//! dicts by [`crate::types`]. Always: a method looks through instances of subclasses.

pub(crate) mod alias;
pub(crate) mod async_generator;
pub(crate) mod bytes;
pub(crate) mod bytes_text;
pub(crate) mod class;
pub(crate) mod code_object;
pub(crate) mod complex;
pub(crate) mod deletion;
pub(crate) mod descriptor;
pub(crate) mod dict;
pub(crate) mod dict_view;
mod escapes;
pub(crate) mod exception;
pub(crate) mod float;
pub(crate) mod function;
pub(crate) mod generator;
pub(crate) mod group;
pub(crate) mod int;
pub(crate) mod iterator_state;
pub(crate) mod iterators;
pub(crate) mod list;
pub(crate) mod long_range;
pub(crate) mod mappingproxy;
pub(crate) mod member;
pub(crate) mod memoryview;
pub(crate) mod object;
pub(crate) mod operators;
pub(crate) mod quick;
pub(crate) mod range;
pub(crate) mod set;
mod sort;
pub(crate) mod string;
pub(crate) mod string_split;
pub(crate) mod tuple;
mod unicode_error;

pub use alias::{class_getitem, union_members};
pub use async_generator::{
    async_iter, async_next, hooks as async_generator_hooks, set_hooks as set_async_generator_hooks,
};
pub use complex::{complex_parts, complex_value};
pub use descriptor::{make_classmethod, make_staticmethod, make_super};
pub use dict::{entries as mapping_entries, view_class, view_method};
pub use float::parse_float;
pub use int::parse_int;
pub use list::sort_values;
