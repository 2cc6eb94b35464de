//! The table of built-in classes.
//!
//! In: the native methods of [`crate::builtin`]. Out: [`types`], one table per thread, and the
//! class of a value. Always: a class is made once per thread; its base stands before it.

use std::cell::OnceCell;

use crate::builtin as b;
use crate::{
    BaseKind, Class, Collection, ExcKind, GeneratorKind, Name, NativeDef, NativeFn, PyRef,
    PyResult, Raised, Value, Vm, name, ops,
};

macro_rules! builtin_types {
    ($(($field:ident, $name:literal, [$($base:ident)?], $kind:ident, $sealed:literal, $natives:expr),)*) => {
        /// The built-in classes of this thread.
        #[allow(missing_docs, reason = "named after the classes")]
        pub struct Types {
            $(pub $field: PyRef<Class>,)*
            exceptions: Vec<PyRef<Class>>,
        }

        impl Types {
            fn new() -> Self {
                $(
                    let $field = Class::builtin($name, "builtins", &[$(&$base)?], BaseKind::$kind, &[]);
                    if $sealed {
                        $field.seal();
                    }
                )*
                let table = Types { $($field,)* exceptions: Vec::new() };
                let object_class = table.object.clone();
                let mut exceptions: Vec<PyRef<Class>> = Vec::with_capacity(ExcKind::ALL.len());
                for kind in ExcKind::ALL {
                    let base = kind.base().and_then(|b| exceptions.get(b as usize));
                    let mut bases = vec![base.unwrap_or(&object_class)];
                    if *kind == ExcKind::ExceptionGroup {
                        bases.extend(exceptions.get(ExcKind::Exception as usize));
                    }
                    let class =
                        Class::builtin(kind.name(), "builtins", &bases, BaseKind::Exception, &[]);
                    exceptions.push(class);
                }
                Types { exceptions, ..table }
            }

            /// Fills the class dicts; needs the table to be reachable.
            fn add_natives(&self) {
                $(
                    let tables: &[&[NativeDef]] = $natives;
                    for table in tables {
                        self.$field.add_natives(table);
                    }
                )*
                b::exception::add_natives(&self.exceptions);
                self.add_constructors();
                for class in [
                    &self.list,
                    &self.dict,
                    &self.set,
                    &self.bytearray,
                    &self.slice,
                    &self.dict_keys,
                    &self.dict_items,
                ] {
                    class.set(name!("__hash__"), Value::None);
                }
                let reprs = [
                    (&self.none_type, "NoneType.__repr__"),
                    (&self.ellipsis, "ellipsis.__repr__"),
                    (&self.not_implemented, "NotImplementedType.__repr__"),
                    (&self.slice, "slice.__repr__"),
                    (&self.function, "function.__repr__"),
                    (&self.method, "method.__repr__"),
                    (&self.builtin_function, "builtin_function_or_method.__repr__"),
                    (&self.method_descriptor, "method_descriptor.__repr__"),
                    (&self.getset_descriptor, "getset_descriptor.__repr__"),
                    (&self.module, "module.__repr__"),
                    (&self.generator, "generator.__repr__"),
                    (&self.coroutine, "coroutine.__repr__"),
                    (&self.async_generator, "async_generator.__repr__"),
                    (&self.cell, "cell.__repr__"),
                    (&self.code, "code.__repr__"),
                ];
                for (class, qualname) in reprs {
                    if !class.dict.borrow().contains_key(name!("__repr__")) {
                        class.add_natives(&[NativeDef::method(qualname, b::object::native_repr)]);
                    }
                }
            }

            /// Says what the classes are for (`__doc__`).
            fn add_texts(&self) {
                let texts = [
                    (&self.object, "The class that all classes derive from."),
                    (&self.type_, "type(object) -> the object's class\ntype(name, bases, dict) -> a new class"),
                    (&self.int, "int(x=0) -> integer\nint(text, base=10) -> integer"),
                    (&self.bool, "bool(x) -> whether x counts as true: False and True are its only instances."),
                    (&self.float, "float(x=0) -> floating point number"),
                    (&self.complex, "complex(real=0, imag=0) -> complex number"),
                    (&self.str, "str(object='') -> text\nstr(bytes, encoding, errors) -> text"),
                    (&self.bytes, "bytes(ints), bytes(text, encoding), bytes(count) -> immutable bytes"),
                    (&self.bytearray, "bytearray(ints), bytearray(text, encoding), bytearray(count) -> mutable bytes"),
                    (&self.memoryview, "memoryview(object) -> the object's memory, without a copy"),
                    (&self.tuple, "tuple(iterable=()) -> immutable sequence"),
                    (&self.list, "list(iterable=()) -> mutable sequence"),
                    (&self.dict, "dict(), dict(mapping), dict(pairs), dict(**items) -> new dictionary"),
                    (&self.set, "set(iterable=()) -> unordered elements, each once"),
                    (&self.frozenset, "frozenset(iterable=()) -> immutable set"),
                    (&self.range, "range(stop), range(start, stop, step=1) -> arithmetic progression of ints"),
                    (&self.slice, "slice(stop), slice(start, stop, step=None) -> what object[start:stop:step] asks for"),
                    (&self.super_, "super(), super(type, object) -> what the next class in the order of bases has"),
                    (&self.mappingproxy, "A mapping that can only be read."),
                    (&self.enumerate, "enumerate(iterable, start=0) -> pairs of a number and an item"),
                    (&self.zip, "zip(*iterables, strict=False) -> tuples with an item of each"),
                    (&self.map, "map(function, *iterables) -> what the function makes of the items"),
                    (&self.filter, "filter(function or None, iterable) -> the items that the function takes for true"),
                    (&self.reversed, "reversed(sequence) -> the items from the last one on"),
                ];
                for (class, text) in texts {
                    class.set(name!("__doc__"), Value::str(text));
                }
            }

            /// Every class that `builtins` or `types` exports, exceptions included.
            pub fn all(&self) -> Vec<PyRef<Class>> {
                let mut all = vec![$(self.$field.clone(),)*];
                all.extend(self.exceptions.iter().cloned());
                all
            }
        }
    };
}

builtin_types! {
    (object, "object", [], Object, false, &[b::object::NATIVES]),
    (type_, "type", [object], Type, false, &[b::class::NATIVES]),
    (int, "int", [object], Wrapped, false, &[b::int::NATIVES, b::operators::INT]),
    (bool, "bool", [int], Wrapped, true, &[b::int::BOOL]),
    (float, "float", [object], Wrapped, false, &[b::float::NATIVES, b::operators::FLOAT]),
    (complex, "complex", [object], Foreign, false, &[b::complex::NATIVES]),
    (str, "str", [object], Wrapped, false, &[b::string::NATIVES, b::string_split::NATIVES, b::operators::STR]),
    (bytes, "bytes", [object], Wrapped, false, &[b::bytes::NATIVES, b::bytes_text::BYTES, b::operators::BYTES]),
    (bytearray, "bytearray", [object], Wrapped, false, &[b::bytes::BYTEARRAY, b::bytes_text::BYTEARRAY, b::bytes_text::CHANGES, b::operators::BYTEARRAY]),
    (member_descriptor, "member_descriptor", [object], Foreign, true, &[b::member::NATIVES]),
    (memoryview, "memoryview", [object], Foreign, true, &[b::memoryview::NATIVES]),
    (pickle_buffer, "pickle.PickleBuffer", [object], Foreign, true, &[b::memoryview::PICKLE_BUFFER]),
    (tuple, "tuple", [object], Tuple, false, &[b::tuple::NATIVES, b::operators::TUPLE]),
    (list, "list", [object], List, false, &[b::list::NATIVES, b::operators::LIST]),
    (dict, "dict", [object], Dict, false, &[b::dict::NATIVES, b::operators::DICT]),
    (set, "set", [object], Set, false, &[b::set::NATIVES, b::set::MUTABLE, b::operators::SET]),
    (frozenset, "frozenset", [object], Set, false, &[b::set::FROZEN, b::operators::FROZENSET]),
    (range, "range", [object], Object, true, &[b::range::NATIVES, b::long_range::NATIVES]),
    (slice, "slice", [object], Object, true, &[b::range::SLICE]),
    (none_type, "NoneType", [object], Object, true, &[b::object::NONE]),
    (ellipsis, "ellipsis", [object], Object, true, &[b::object::ELLIPSIS]),
    (not_implemented, "NotImplementedType", [object], Object, true, &[b::object::NOT_IMPLEMENTED]),
    (function, "function", [object], Object, true, &[b::function::FUNCTION]),
    (method, "method", [object], Object, true, &[b::function::METHOD]),
    (builtin_function, "builtin_function_or_method", [object], Object, true, &[b::function::BUILTIN]),
    (method_descriptor, "method_descriptor", [object], Object, true, &[b::function::BUILTIN, b::function::BINDS]),
    (getset_descriptor, "getset_descriptor", [object], Object, true, &[b::function::GETSET]),
    (module, "module", [object], Object, false, &[b::function::MODULE]),
    (cell, "cell", [object], Object, true, &[b::function::CELL]),
    (code, "code", [object], Object, true, &[b::function::CODE]),
    (generator, "generator", [object], Object, true, &[b::generator::NATIVES, b::generator::NAMES, b::generator::GENERATOR]),
    (coroutine, "coroutine", [object], Object, true, &[b::generator::NATIVES, b::generator::NAMES, b::generator::COROUTINE]),
    (coroutine_wrapper, "coroutine_wrapper", [object], Foreign, true, &[b::generator::WRAPPER]),
    (async_generator, "async_generator", [object], Object, true, &[b::async_generator::NATIVES, b::generator::NAMES]),
    (async_generator_asend, "async_generator_asend", [object], Foreign, true, &[b::async_generator::AWAITABLE]),
    (anext_awaitable, "anext_awaitable", [object], Foreign, true, &[b::async_generator::NEXT]),
    (async_generator_athrow, "async_generator_athrow", [object], Foreign, true, &[b::async_generator::AWAITABLE]),
    (traceback, "traceback", [object], Foreign, true, &[b::exception::TRACEBACK]),
    (property, "property", [object], Object, false, &[b::descriptor::PROPERTY]),
    (classmethod, "classmethod", [object], Object, false, &[b::descriptor::CLASSMETHOD]),
    (staticmethod, "staticmethod", [object], Object, false, &[b::descriptor::STATICMETHOD]),
    (super_, "super", [object], Object, false, &[b::descriptor::SUPER]),
    (mappingproxy, "mappingproxy", [object], Foreign, true, &[b::mappingproxy::NATIVES]),
    (generic_alias, "types.GenericAlias", [object], Foreign, false, &[b::alias::GENERIC]),
    (union_type, "types.UnionType", [object], Foreign, true, &[b::alias::UNION]),
    (dict_keys, "dict_keys", [object], Object, true, &[b::dict_view::COMMON, b::dict_view::SET_LIKE]),
    (dict_values, "dict_values", [object], Object, true, &[b::dict_view::COMMON]),
    (dict_items, "dict_items", [object], Object, true, &[b::dict_view::COMMON, b::dict_view::SET_LIKE]),
    (odict_keys, "odict_keys", [dict_keys], Object, true, &[]),
    (odict_values, "odict_values", [dict_values], Object, true, &[]),
    (odict_items, "odict_items", [dict_items], Object, true, &[]),
    (iterator, "iterator", [object], Object, false, &[b::iterators::COMMON, b::iterators::LENGTH, b::iterator_state::REDUCE, b::iterator_state::STATE]),
    (range_iterator, "range_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::LENGTH]),
    (longrange_iterator, "longrange_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::LENGTH]),
    (list_iterator, "list_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::LENGTH]),
    (list_reverseiterator, "list_reverseiterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::LENGTH]),
    (tuple_iterator, "tuple_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::LENGTH]),
    (str_iterator, "str_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::LENGTH]),
    (str_ascii_iterator, "str_ascii_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::LENGTH]),
    (bytes_iterator, "bytes_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::LENGTH]),
    (bytearray_iterator, "bytearray_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::LENGTH]),
    (dict_keyiterator, "dict_keyiterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::LENGTH]),
    (dict_valueiterator, "dict_valueiterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::LENGTH]),
    (dict_itemiterator, "dict_itemiterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::LENGTH]),
    (dict_reversekeyiterator, "dict_reversekeyiterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::LENGTH]),
    (dict_reversevalueiterator, "dict_reversevalueiterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::LENGTH]),
    (dict_reverseitemiterator, "dict_reverseitemiterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::LENGTH]),
    (set_iterator, "set_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::LENGTH]),
    (callable_iterator, "callable_iterator", [object], Object, true, &[b::iterators::COMMON, b::iterator_state::REDUCE]),
    (enumerate, "enumerate", [object], Object, false, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::ENUMERATE]),
    (zip, "zip", [object], Object, false, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::ZIP]),
    (map, "map", [object], Object, false, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::MAP]),
    (filter, "filter", [object], Object, false, &[b::iterators::COMMON, b::iterator_state::REDUCE, b::iterators::FILTER]),
    (reversed, "reversed", [object], Object, false, &[b::iterators::COMMON, b::iterators::LENGTH, b::iterator_state::REDUCE, b::iterator_state::STATE, b::iterators::REVERSED]),
}

impl Types {
    /// Says what calls of the classes do that scripts call most.
    fn add_constructors(&self) {
        let constructors: [(&PyRef<Class>, NativeFn); 15] = [
            (&self.bool, b::int::construct_bool),
            (&self.int, b::int::construct),
            (&self.float, b::float::construct),
            (&self.str, b::string::construct),
            (&self.tuple, b::tuple::construct),
            (&self.list, b::list::construct),
            (&self.dict, b::dict::construct),
            (&self.set, b::set::construct),
            (&self.frozenset, b::set::construct_frozen),
            (&self.range, b::range::construct),
            (&self.enumerate, b::iterators::enumerate),
            (&self.zip, b::iterators::zip),
            (&self.map, b::iterators::map),
            (&self.filter, b::iterators::filter),
            (&self.reversed, b::iterators::reversed),
        ];
        for (class, construct) in constructors {
            class.construct.set(Some(construct));
        }
        for (class, quick) in b::quick::constructors(self) {
            class.quick.set(Some(quick));
        }
        for class in [&self.list, &self.tuple, &self.range, &self.memoryview] {
            class.own_collection.set(Some(Collection::Sequence));
        }
        for class in [&self.dict, &self.mappingproxy] {
            class.own_collection.set(Some(Collection::Mapping));
        }
    }

    /// The class of a built-in exception.
    #[inline]
    pub fn exception(&self, kind: ExcKind) -> &PyRef<Class> {
        // The table has one class per kind, in the order of the enum.
        &self.exceptions[kind as usize]
    }
}

/// The built-in classes of this thread.
#[inline]
pub fn types() -> &'static Types {
    janus_gil::gil_local! {
        static TYPES: OnceCell<&'static Types> = const { OnceCell::new() };
        static FILLED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
    let table = TYPES.with(|t| {
        // Leaked on purpose: classes live as long as the thread's heap.
        *t.get_or_init(|| Box::leak(Box::new(Types::new())))
    });
    if !FILLED.get() {
        // Set first: filling the class dicts asks for the table again.
        FILLED.set(true);
        table.add_natives();
        table.add_texts();
    }
    table
}

/// The class of a value.
#[inline]
pub fn class_of(value: &Value) -> PyRef<Class> {
    match value {
        Value::Instance(i) => i.class.borrow().clone(),
        Value::Iter(i) => i.class(),
        Value::Class(c) => c.metaclass(),
        Value::Module(m) => m.class.borrow().as_ref().unwrap_or(&types().module).clone(),
        other => builtin_class_of(other).clone(),
    }
}

/// The class of a value that is neither an instance nor an iterator nor a class.
fn builtin_class_of(value: &Value) -> &'static PyRef<Class> {
    let t = types();
    match value {
        Value::None => &t.none_type,
        Value::Bool(_) => &t.bool,
        Value::Int(_) | Value::BigInt(_) => &t.int,
        Value::Float(_) => &t.float,
        Value::Str(_) => &t.str,
        Value::Bytes(b) if b.mutable => &t.bytearray,
        Value::Bytes(_) => &t.bytes,
        Value::Tuple(_) => &t.tuple,
        Value::List(_) => &t.list,
        Value::Dict(_) => &t.dict,
        Value::Set(s) if s.frozen => &t.frozenset,
        Value::Set(_) => &t.set,
        Value::Range(_) => &t.range,
        Value::Slice(_) => &t.slice,
        Value::Function(_) => &t.function,
        Value::Method(m) if matches!(m.function, Value::Native(_)) => &t.builtin_function,
        Value::Method(_) => &t.method,
        Value::Native(n) => match n.binding {
            crate::Binding::Method => &t.method_descriptor,
            crate::Binding::Getter | crate::Binding::GetSet => &t.getset_descriptor,
            crate::Binding::Static | crate::Binding::ClassMethod => &t.builtin_function,
        },
        Value::Module(_) => &t.module,
        Value::Generator(g) => match g.kind {
            GeneratorKind::Generator => &t.generator,
            GeneratorKind::Coroutine => &t.coroutine,
            GeneratorKind::AsyncGenerator => &t.async_generator,
        },
        Value::Cell(_) => &t.cell,
        Value::Code(_) => &t.code,
        Value::Ellipsis => &t.ellipsis,
        Value::NotImplemented => &t.not_implemented,
        Value::Instance(_) | Value::Iter(_) | Value::Class(_) => &t.object,
    }
}

/// Answers for functions that stand for classes, by their names: whether a value is an instance; nothing for other
/// functions. Without a value it tells whether the function is one of them.
pub type StandIns = fn(&str, Option<&Value>) -> Option<bool>;

static STAND_INS: std::sync::OnceLock<StandIns> = std::sync::OnceLock::new();

/// Says which functions stand for classes: `torch.FloatTensor` makes tensors, and is no class of theirs. The first who
/// says it is heard.
pub fn set_stand_ins(answer: StandIns) {
    STAND_INS.get_or_init(|| answer);
}

/// Whether a value is an instance of what a function stands for.
pub(crate) fn stand_in(function: &Value, value: Option<&Value>) -> Option<bool> {
    match function {
        Value::Native(n) => STAND_INS.get()?(n.qualname, value),
        _ => None,
    }
}

/// `isinstance(value, class)` with a class, a tuple of classes, a union, or an object with
/// `__instancecheck__`.
pub fn is_instance(vm: &mut dyn Vm, value: &Value, class: &Value) -> PyResult<bool> {
    match class {
        Value::Class(c) if !c.has_metaclass() => claims(vm, value, c),
        Value::Tuple(t) => any_of(vm, &t.items, |vm, c| match c {
            Value::Tuple(_) => guarded(vm, "__instancecheck__", |vm| is_instance(vm, value, c)),
            _ => is_instance(vm, value, c),
        }),
        _ => {
            if let Some(members) = crate::union_members(class) {
                return any_of(vm, &members, |vm, c| is_instance(vm, value, c));
            }
            // As in CPython, what is exactly of that class is not asked about.
            if let Value::Class(c) = class
                && PyRef::ptr_eq(&class_of(value), c)
            {
                return Ok(true);
            }
            if let Some(check) = ops::special(class, name!("__instancecheck__")) {
                let verdict = ops::call_special(vm, &check, class, std::slice::from_ref(value))?;
                return ops::truth(vm, &verdict);
            }
            if let Some(verdict) = stand_in(class, Some(value)) {
                return Ok(verdict);
            }
            match class {
                Value::Class(c) => claims(vm, value, c),
                _ => {
                    if abstract_bases(vm, class)?.is_none() {
                        return Err(Raised::type_error(
                            "isinstance() arg 2 must be a type, a tuple of types, or a union",
                        ));
                    }
                    match crate::attr::get_opt(vm, value, crate::name!("__class__"))? {
                        Some(said) => derives(vm, &said, class),
                        None => Ok(false),
                    }
                }
            }
        }
    }
}

/// The same where neither class has a say in it.
#[must_use]
pub fn is_instance_simple(value: &Value, class: &Value) -> Option<bool> {
    match class {
        Value::Class(c) if !c.has_metaclass() => claims_simple(value, c),
        Value::Tuple(t) => {
            for class in t.items.iter() {
                match class {
                    Value::Class(_) if is_instance_simple(value, class)? => return Some(true),
                    Value::Class(_) => {}
                    _ => return None,
                }
            }
            Some(false)
        }
        _ => None,
    }
}

/// Whether the class of a value derives from a class; nothing if not, and the value's `__class__` may say otherwise.
fn claims_simple(value: &Value, class: &PyRef<Class>) -> Option<bool> {
    if instance_of(value, class) {
        return Some(true);
    }
    let Value::Instance(instance) = value else {
        return Some(false);
    };
    let own = instance.class();
    let is_own = !own.flags.get().custom_getattribute
        && matches!(
            own.lookup(crate::name!("__class__")),
            None | Some(Value::Native(_))
        );
    is_own.then_some(false)
}

/// Whether the class of a value, or what its `__class__` says (that of a proxy, a mock), derives from a class.
fn claims(vm: &mut dyn Vm, value: &Value, class: &PyRef<Class>) -> PyResult<bool> {
    if let Some(verdict) = claims_simple(value, class) {
        return Ok(verdict);
    }
    let name = crate::name!("__class__");
    match crate::attr::get_opt(vm, value, name)? {
        Some(Value::Class(said)) => Ok(said.is_subclass_of(class)),
        _ => Ok(false),
    }
}

/// Whether the class of a value derives from a class; no hooks.
#[inline]
pub(crate) fn instance_of(value: &Value, class: &PyRef<Class>) -> bool {
    match value {
        Value::Instance(i) => i.class.borrow().is_subclass_of(class),
        Value::Iter(_) | Value::Class(_) | Value::Module(_) => {
            class_of(value).is_subclass_of(class)
        }
        other => builtin_class_of(other).is_subclass_of(class),
    }
}

/// `issubclass(class, of)`
pub fn is_subclass(vm: &mut dyn Vm, class: &Value, of: &Value) -> PyResult<bool> {
    match of {
        Value::Tuple(t) => any_of(vm, &t.items, |vm, c| match c {
            Value::Tuple(_) => guarded(vm, "__subclasscheck__", |vm| is_subclass(vm, class, c)),
            _ => is_subclass(vm, class, c),
        }),
        _ => {
            if let Some(members) = crate::union_members(of) {
                return any_of(vm, &members, |vm, c| is_subclass(vm, class, c));
            }
            if let (Value::Class(c), Value::Class(o)) = (class, of)
                && !o.has_metaclass()
            {
                return Ok(c.is_subclass_of(o));
            }
            let plain = matches!(of, Value::Class(o) if !o.has_metaclass());
            if !plain && let Some(check) = ops::special(of, name!("__subclasscheck__")) {
                let verdict = ops::call_special(vm, &check, of, std::slice::from_ref(class))?;
                return ops::truth(vm, &verdict);
            }
            is_subclass_by_bases(vm, class, of)
        }
    }
}

/// `issubclass` without the hook of the second: what is no class has its `__bases__` looked at.
pub(crate) fn is_subclass_by_bases(vm: &mut dyn Vm, class: &Value, of: &Value) -> PyResult<bool> {
    if let (Value::Class(c), Value::Class(o)) = (class, of) {
        return Ok(c.is_subclass_of(o));
    }
    if abstract_bases(vm, class)?.is_none() {
        return Err(Raised::type_error("issubclass() arg 1 must be a class"));
    }
    if abstract_bases(vm, of)?.is_none() {
        return Err(Raised::type_error(
            "issubclass() arg 2 must be a class, a tuple of classes, or a union",
        ));
    }
    derives(vm, class, of)
}

/// The `__bases__` of what acts as a class.
fn abstract_bases(vm: &mut dyn Vm, class: &Value) -> PyResult<Option<Value>> {
    let bases = crate::attr::get_opt(vm, class, crate::name!("__bases__"))?;
    Ok(bases.filter(|bases| bases.as_tuple().is_some()))
}

/// Whether a class, or what acts as one, is another or has it among its bases.
fn derives(vm: &mut dyn Vm, class: &Value, of: &Value) -> PyResult<bool> {
    if ops::is(class, of) {
        return Ok(true);
    }
    let Some(bases) = abstract_bases(vm, class)? else {
        return Ok(false);
    };
    let bases: Vec<Value> = bases.as_tuple().map_or_else(Vec::new, |t| t.items.to_vec());
    guarded(vm, "__subclasscheck__", |vm| {
        any_of(vm, &bases, |vm, base| derives(vm, base, of))
    })
}

/// A step deeper, up to the limit of recursion.
fn guarded(
    vm: &mut dyn Vm,
    hook: &str,
    step: impl FnOnce(&mut dyn Vm) -> PyResult<bool>,
) -> PyResult<bool> {
    vm.enter().map_err(|_| {
        Raised::recursion_error(format!("maximum recursion depth exceeded in {hook}"))
    })?;
    let result = step(vm);
    vm.leave();
    result
}

fn any_of(
    vm: &mut dyn Vm,
    classes: &[Value],
    mut test: impl FnMut(&mut dyn Vm, &Value) -> PyResult<bool>,
) -> PyResult<bool> {
    for class in classes {
        if test(vm, class)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The text a class shows in `repr`: with its module unless that is `builtins`.
pub(crate) fn full_name(class: &Class) -> String {
    let module = class.dict.borrow().get(name!("__module__")).cloned();
    let qualname: Name = class.qualname.borrow().clone();
    match module.as_ref().and_then(Value::as_str) {
        Some("builtins") | None => qualname.to_string(),
        Some(module) => format!("{module}.{qualname}"),
    }
}
