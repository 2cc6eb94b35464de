//! `builtins` as a module, and `_types`: classes that have no name in `builtins`.
//!
//! In: the class table. Out: two modules. Always: the `builtins` module shares its namespace with
//! the interpreter.

use janus_interp::Interp;
use janus_object::{
    Args, Name, NativeDef, PyModule, PyRef, PyResult, Value, Vm, attr, name, ops, types,
};

use crate::support::module;

/// Makes `builtins`.
pub(crate) fn builtins(interp: &mut Interp) -> PyResult {
    let dict = interp.builtins();
    Ok(Value::Module(PyRef::new(PyModule {
        name: Name::new("builtins"),
        dict,
        class: std::cell::RefCell::new(None),
    })))
}

/// Makes `_types`.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module(
        "_types",
        "",
        &[
            NativeDef::function("_types.qualified", qualified),
            NativeDef::method("Enum.__hash__", enum_hash),
        ],
    );
    let t = types();
    for (name, class) in [
        ("GenericAlias", &t.generic_alias),
        ("UnionType", &t.union_type),
        ("MappingProxyType", &t.mappingproxy),
        ("PickleBuffer", &t.pickle_buffer),
        ("FunctionType", &t.function),
        ("MethodType", &t.method),
        ("BuiltinFunctionType", &t.builtin_function),
        ("MethodDescriptorType", &t.method_descriptor),
        ("GetSetDescriptorType", &t.getset_descriptor),
        ("MemberDescriptorType", &t.member_descriptor),
        ("ModuleType", &t.module),
        ("CellType", &t.cell),
        ("CodeType", &t.code),
        ("GeneratorType", &t.generator),
        ("CoroutineType", &t.coroutine),
        ("AsyncGeneratorType", &t.async_generator),
        ("TracebackType", &t.traceback),
        ("NoneType", &t.none_type),
        ("EllipsisType", &t.ellipsis),
        ("NotImplementedType", &t.not_implemented),
    ] {
        m.set(name, Value::Class(class.clone()));
    }
    m.set("FrameType", Value::Class(janus_interp::frame_class()));
    Ok(Value::Module(m))
}

/// `Enum.__hash__`: the hash of the member's name. Native, so that looking a member up runs no Python code.
fn enum_hash(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [member] = args.exactly::<1>("Enum.__hash__")?;
    let name = attr::get(vm, member, name!("_name_"))?;
    Ok(Value::Int(ops::hash(vm, &name)?))
}

/// `qualified(*classes)`: classes written in Python that are static types in CPython, which error
/// messages name with their module.
fn qualified(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    for class in args.pos {
        if let Value::Class(class) = class {
            class.set_qualified(true);
        }
    }
    Ok(Value::None)
}
