//! Native methods of the built-in classes.
//!
//! In: arguments of calls. Out: tables of native methods, one file a class, put into the class
//! dicts by [`crate::types`]. Always: a method looks through instances of subclasses.

macro_rules! empty { ($($m:ident: $($c:ident)*;)*) => { $(pub(crate) mod $m { use crate::NativeDef; $(pub(crate) const $c: &[NativeDef] = &[];)* })* } }
empty! {
    object: NATIVES NONE; class: NATIVES; int: NATIVES BOOL; float: NATIVES; complex: NATIVES; string: NATIVES; string_split: NATIVES;
    operators: INT FLOAT STR BYTES BYTEARRAY TUPLE LIST DICT SET FROZENSET RANGE;
    bytes: NATIVES BYTEARRAY; tuple: NATIVES; list: NATIVES; dict: NATIVES; set: NATIVES MUTABLE FROZEN; range: NATIVES SLICE;
    function: FUNCTION METHOD BUILTIN GETSET MODULE CELL CODE; generator: NATIVES GENERATOR COROUTINE; mappingproxy: NATIVES;
    alias: GENERIC UNION; dict_view: COMMON SET_LIKE; iterators: COMMON LENGTH ENUMERATE ZIP MAP FILTER REVERSED;
}
pub(crate) mod exception {
    use std::rc::Rc; use crate::*;
    pub(crate) const TRACEBACK: &[NativeDef] = &[];
    pub(crate) fn add_natives(_: &[Rc<Class>]) {}
}
pub(crate) mod descriptor {
    use crate::*;
    pub(crate) const PROPERTY: &[NativeDef] = &[]; pub(crate) const CLASSMETHOD: &[NativeDef] = &[]; pub(crate) const STATICMETHOD: &[NativeDef] = &[]; pub(crate) const SUPER: &[NativeDef] = &[];
    pub(crate) fn make_classmethod(f: Value) -> Value { f }
    pub(crate) fn make_staticmethod(f: Value) -> Value { f }
}
use crate::*; use std::rc::Rc;
/// A complex number.
pub fn complex_value(_re: f64, _im: f64) -> Value { Value::None }
/// Real and imaginary part of a complex number.
pub fn complex_parts(_v: &Value) -> Option<(f64, f64)> { None }
/// `super(start, object)`
pub fn make_super(_start: &Rc<Class>, _object: Value) -> PyResult { Ok(Value::None) }
/// Members of `int | str`, if the value is such a union.
pub fn union_members(_v: &Value) -> Option<Vec<Value>> { None }
