//! Exceptions and tracebacks.
//!
//! In: arguments of calls. Out: methods and attributes of the exception classes. Always: what
//! CPython keeps in C fields is a member of [`ExceptionData`], not an entry of `__dict__`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::native::wrong_self;
use crate::{
    Args, Class, ExcKind, ExceptionData, Instance, Name, NativeDef, PyRef, PyResult, PyTuple,
    Raised, TracebackObject, Value, Vm, call, class_of, name, ops, os_error_kind, text, types,
};

const BASE: &[NativeDef] = &[
    NativeDef::function("BaseException.__new__", new),
    NativeDef::method("BaseException.__init__", init),
    NativeDef::method("BaseException.__str__", str),
    NativeDef::method("BaseException.__repr__", repr),
    NativeDef::method("BaseException.__reduce__", reduce),
    NativeDef::method("BaseException.__setstate__", set_state),
    NativeDef::method("BaseException.with_traceback", with_traceback),
    NativeDef::method("BaseException.add_note", add_note_method),
    NativeDef::getset("BaseException.args", args_attribute),
    NativeDef::getset("BaseException.__cause__", cause),
    NativeDef::getset("BaseException.__context__", context),
    NativeDef::getset("BaseException.__suppress_context__", suppress_context),
    NativeDef::getset("BaseException.__traceback__", traceback),
];

const KEY_ERROR: &[NativeDef] = &[NativeDef::method("KeyError.__str__", key_error_str)];

const STOP_ITERATION: &[NativeDef] = &[NativeDef::getset("StopIteration.value", stop_value)];

const SYSTEM_EXIT: &[NativeDef] = &[NativeDef::getset("SystemExit.code", exit_code)];

const OS_ERROR: &[NativeDef] = &[
    NativeDef::function("OSError.__new__", os_error_new),
    NativeDef::method("OSError.__init__", os_error_init),
    NativeDef::method("OSError.__str__", os_error_str),
    NativeDef::method("OSError.__reduce__", os_error_reduce),
    NativeDef::getset("OSError.errno", errno),
    NativeDef::getset("OSError.strerror", strerror),
    NativeDef::getset("OSError.filename", filename),
    NativeDef::getset("OSError.filename2", filename2),
];

const ATTRIBUTE_ERROR: &[NativeDef] = &[
    NativeDef::method("AttributeError.__init__", |_, args| {
        named_init(args, &["name", "obj"])
    }),
    NativeDef::getset("AttributeError.name", name_member),
    NativeDef::getset("AttributeError.obj", obj_member),
];

const NAME_ERROR: &[NativeDef] = &[
    NativeDef::method("NameError.__init__", |_, args| named_init(args, &["name"])),
    NativeDef::getset("NameError.name", name_member),
];

const IMPORT_ERROR: &[NativeDef] = &[
    NativeDef::method("ImportError.__init__", |_, args| {
        named_init(args, &["name", "path"])
    }),
    NativeDef::method("ImportError.__reduce__", import_error_reduce),
    NativeDef::method("ImportError.__str__", import_error_str),
    NativeDef::getset("ImportError.name", name_member),
    NativeDef::getset("ImportError.path", path_member),
    NativeDef::getset("ImportError.msg", msg_member),
];

const SYNTAX_ERROR: &[NativeDef] = &[
    NativeDef::method("SyntaxError.__init__", syntax_init),
    NativeDef::method("SyntaxError.__str__", syntax_str),
    NativeDef::getset("SyntaxError.msg", msg_member),
    NativeDef::getset("SyntaxError.filename", filename),
    NativeDef::getset("SyntaxError.lineno", lineno),
    NativeDef::getset("SyntaxError.offset", offset),
    NativeDef::getset("SyntaxError.text", text_member),
    NativeDef::getset("SyntaxError.end_lineno", end_lineno),
    NativeDef::getset("SyntaxError.end_offset", end_offset),
    NativeDef::getset("SyntaxError.print_file_and_line", print_file_and_line),
];

const GROUP: &[NativeDef] = &[
    NativeDef::method("BaseExceptionGroup.__str__", group_str),
    NativeDef::getter("BaseExceptionGroup.message", group_message),
    NativeDef::getter("BaseExceptionGroup.exceptions", group_exceptions),
];

pub(crate) const TRACEBACK: &[NativeDef] = &[
    NativeDef::getset("traceback.tb_next", tb_next),
    NativeDef::getter("traceback.tb_lineno", tb_lineno),
    NativeDef::getter("traceback.tb_frame", tb_frame),
    NativeDef::getter("traceback.tb_lasti", tb_lasti),
];

/// Fills the exception classes.
pub(crate) fn add_natives(classes: &[PyRef<Class>]) {
    let tables: &[(ExcKind, &[NativeDef])] = &[
        (ExcKind::BaseException, BASE),
        (ExcKind::KeyError, KEY_ERROR),
        (ExcKind::StopIteration, STOP_ITERATION),
        (ExcKind::SystemExit, SYSTEM_EXIT),
        (ExcKind::OSError, OS_ERROR),
        (ExcKind::AttributeError, ATTRIBUTE_ERROR),
        (ExcKind::NameError, NAME_ERROR),
        (ExcKind::ImportError, IMPORT_ERROR),
        (ExcKind::SyntaxError, SYNTAX_ERROR),
        (ExcKind::UnicodeDecodeError, super::unicode_error::CODED),
        (ExcKind::UnicodeEncodeError, super::unicode_error::CODED),
        (
            ExcKind::UnicodeTranslateError,
            super::unicode_error::TRANSLATED,
        ),
        (ExcKind::BaseExceptionGroup, GROUP),
        (ExcKind::BaseExceptionGroup, super::group::NATIVES),
    ];
    for (kind, natives) in tables {
        if let Some(class) = classes.get(*kind as usize) {
            class.add_natives(natives);
        }
    }
}

pub(super) fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a ExceptionData> {
    v.as_instance()
        .and_then(|i| i.exception())
        .ok_or_else(|| wrong_self(method, "BaseException", v))
}

/// `self`'s state, and the new value if an attribute is being set.
pub(super) fn getset<'a>(
    args: Args<'a>,
    name: &str,
) -> PyResult<(&'a ExceptionData, Option<&'a Value>)> {
    let (this, rest) = args.split_self(name)?;
    Ok((own(this, name)?, rest.pos.first()))
}

fn class_argument<'a>(args: Args<'a>) -> PyResult<(&'a PyRef<Class>, Args<'a>)> {
    match args.split_self("BaseException.__new__")? {
        (Value::Class(class), rest) => Ok((class, rest)),
        (other, _) => Err(wrong_self("__new__", "BaseException", other)),
    }
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args)?;
    Ok(Raised::of_class(class, rest.pos.to_vec()).to_value())
}

pub(super) fn init(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("BaseException.__init__")?;
    no_keywords(this, rest)?;
    set_args(own(this, "__init__")?, rest.pos);
    Ok(Value::None)
}

pub(super) fn no_keywords(this: &Value, args: Args<'_>) -> PyResult<()> {
    if args.kw.is_empty() {
        return Ok(());
    }
    Err(Raised::type_error(format!(
        "{}() takes no keyword arguments",
        this.type_name()
    )))
}

fn set_args(data: &ExceptionData, args: &[Value]) {
    let old = data.args.replace(PyRef::new(PyTuple::new(args.to_vec())));
    drop(old);
}

/// `__init__` of classes whose fields may be given as keywords; those that are not given are None.
fn named_init(args: Args<'_>, fields: &[&'static str]) -> PyResult {
    let (this, rest) = args.split_self("__init__")?;
    let data = own(this, "__init__")?;
    for (key, _) in rest.kw {
        if !fields.contains(&key.as_str()) {
            return Err(Raised::type_error(format!(
                "'{key}' is an invalid keyword argument for {}()",
                this.type_name()
            )));
        }
    }
    set_args(data, rest.pos);
    for field in fields {
        let given = rest.kw.iter().find(|(key, _)| key.as_str() == *field);
        match given {
            Some((key, value)) => data.set_member(key, value.clone()),
            None if data.member(field).is_some() => {
                data.set_member(&Name::new(field), Value::None);
            }
            None => {}
        }
    }
    let message = match rest.pos {
        [message] => message.clone(),
        _ => Value::None,
    };
    data.set_member(name!("msg"), message);
    Ok(Value::None)
}

pub(super) fn str(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("BaseException.__str__")?;
    let items = own(this, "__str__")?.args.borrow().clone();
    match &*items.items {
        [] => Ok(Value::from("")),
        [only] => text::str_value(vm, only),
        _ => Ok(Value::from(text::repr(vm, &Value::Tuple(items))?)),
    }
}

fn key_error_str(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("KeyError.__str__")?;
    let items = own(this, "__str__")?.args.borrow().clone();
    match &*items.items {
        [only] => Ok(Value::from(text::repr(vm, only)?)),
        _ => str(vm, args),
    }
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("BaseException.__repr__")?;
    let items = own(this, "__repr__")?.args.borrow().clone();
    let class = class_of(this).name.borrow().clone();
    Ok(Value::from(match &*items.items {
        [only] => format!("{class}({})", text::repr(vm, only)?),
        _ => format!("{class}{}", text::repr(vm, &Value::Tuple(items.clone()))?),
    }))
}

fn reduce(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("BaseException.__reduce__")?;
    let items = own(this, "__reduce__")?.args.borrow().clone();
    let mut parts = vec![Value::Class(class_of(this)), Value::Tuple(items)];
    if let Value::Instance(i) = this
        && let Some(dict) = i.dict.get().filter(|d| !d.is_empty())
    {
        parts.push(Value::Dict(dict.clone()));
    }
    Ok(Value::tuple(parts))
}

/// `__setstate__`: attributes out of a dict.
fn set_state(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [state]) = args.method::<1>("BaseException.__setstate__")?;
    own(this, "__setstate__")?;
    match state {
        Value::None => {}
        Value::Dict(attributes) => {
            for (key, value) in attributes.items() {
                let Some(key) = key.as_pystr() else {
                    return Err(Raised::type_error("attribute name must be string"));
                };
                crate::attr::set(vm, this, &Name::intern(key), value)?;
            }
        }
        _ => return Err(Raised::type_error("state is not a dictionary")),
    }
    Ok(Value::None)
}

/// As [`reduce`], with what was given as keywords.
fn import_error_reduce(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("ImportError.__reduce__")?;
    let whole = reduce(vm, args)?;
    let data = own(this, "__reduce__")?;
    let fields = ["name", "path"].map(|field| (field, data.member(field)));
    if fields.iter().all(|(_, value)| value.is_none()) {
        return Ok(whole);
    }
    let mut parts: Vec<Value> = whole.as_tuple().map_or_else(Vec::new, |t| t.items.to_vec());
    let state = crate::PyDict::new();
    if let Some(own) = parts.get(2).and_then(Value::as_dict) {
        for (key, value) in own.items() {
            state.set(vm, key, value)?;
        }
    }
    for (field, value) in fields {
        if let Some(value) = value {
            state.set_str(field, value);
        }
    }
    parts.truncate(2);
    parts.push(Value::dict(state));
    Ok(Value::tuple(parts))
}

fn import_error_str(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("ImportError.__str__")?;
    match own(this, "__str__")?.member("msg") {
        Some(message) if message.as_str().is_some() => Ok(message),
        _ => str(vm, args),
    }
}

/// As [`reduce`], with the names of the files.
fn os_error_reduce(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("OSError.__reduce__")?;
    let whole = reduce(vm, args)?;
    let data = own(this, "__reduce__")?;
    let given = data.args.borrow().clone();
    let Some(filename) = data.member("filename").filter(|_| given.items.len() == 2) else {
        return Ok(whole);
    };
    let mut all = given.items.to_vec();
    all.push(filename);
    if let Some(second) = data.member("filename2").filter(|v| !v.is_none()) {
        all.extend([Value::None, second]);
    }
    let mut parts: Vec<Value> = whole.as_tuple().map_or_else(Vec::new, |t| t.items.to_vec());
    if let Some(slot) = parts.get_mut(1) {
        *slot = Value::tuple(all);
    }
    Ok(Value::tuple(parts))
}

fn args_attribute(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (data, new) = getset(args, "args")?;
    match new {
        None => Ok(Value::Tuple(data.args.borrow().clone())),
        Some(new) => {
            let items = ops::collect(vm, new)?;
            set_args(data, &items);
            Ok(Value::None)
        }
    }
}

fn exception_or_none(v: &Value, what: &str) -> PyResult<Option<PyRef<Instance>>> {
    match v {
        Value::None => Ok(None),
        Value::Instance(i) if i.exception().is_some() => Ok(Some(i.clone())),
        _ => Err(Raised::type_error(format!(
            "exception {what} must be None or derive from BaseException"
        ))),
    }
}

fn cause(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (data, new) = getset(args, "__cause__")?;
    match new {
        None => Ok(data.cause.borrow().clone().unwrap_or(Value::None)),
        Some(new) => {
            let new = exception_or_none(new, "cause")?;
            *data.cause.borrow_mut() = new.map(Value::Instance);
            data.suppress_context.set(true);
            Ok(Value::None)
        }
    }
}

fn context(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (data, new) = getset(args, "__context__")?;
    match new {
        None => Ok(data
            .context
            .borrow()
            .clone()
            .map_or(Value::None, Value::Instance)),
        Some(new) => {
            *data.context.borrow_mut() = exception_or_none(new, "context")?;
            Ok(Value::None)
        }
    }
}

fn suppress_context(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (data, new) = getset(args, "__suppress_context__")?;
    match new {
        None => Ok(Value::bool(data.suppress_context.get())),
        Some(new) => {
            data.suppress_context.set(ops::truth(vm, new)?);
            Ok(Value::None)
        }
    }
}

/// The traceback object that starts at an entry.
fn traceback_value(
    entries: &Rc<[crate::TracebackEntry]>,
    end: &Rc<Cell<usize>>,
    at: usize,
) -> Value {
    if at >= end.get() {
        return Value::None;
    }
    Instance::native(
        &types().traceback,
        TracebackObject {
            entries: entries.clone(),
            at,
            end: end.clone(),
            relinked: RefCell::new(None),
        },
    )
}

fn set_traceback(data: &ExceptionData, new: &Value) -> PyResult<()> {
    let entries = match (new, new.foreign::<TracebackObject>()) {
        (Value::None, _) => Vec::new(),
        (_, Some(tb)) => tb.chain(),
        _ => {
            return Err(Raised::type_error(
                "__traceback__ must be a traceback or None",
            ));
        }
    };
    *data.traceback.borrow_mut() = entries;
    let kept = (!new.is_none()).then(|| new.clone());
    let old = data.traceback_object.replace(kept);
    drop(old);
    Ok(())
}

/// The traceback object that was given last, if it still says what happened.
fn kept_traceback(data: &ExceptionData) -> Option<Value> {
    let kept = data.traceback_object.borrow().clone()?;
    let object = kept.foreign::<TracebackObject>()?;
    let entries = data.traceback.borrow();
    let same = match object.relinked.borrow().as_deref() {
        Some(chain) => chain.len() == entries.len(),
        None => {
            let before = object.entries.get(object.at..object.end.get())?;
            let alike = |a: Option<&crate::TracebackEntry>, b: Option<&crate::TracebackEntry>| {
                a.zip(b)
                    .is_some_and(|(a, b)| a.pc == b.pc && PyRef::ptr_eq(&a.code, &b.code))
            };
            before.len() == entries.len()
                && alike(before.first(), entries.first())
                && alike(before.last(), entries.last())
        }
    };
    same.then(|| kept.clone())
}

fn traceback(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (data, new) = getset(args, "__traceback__")?;
    match new {
        None => {
            if let Some(kept) = kept_traceback(data) {
                return Ok(kept);
            }
            let entries: Rc<[_]> = data.traceback.borrow().as_slice().into();
            let end = Rc::new(Cell::new(entries.len()));
            let made = traceback_value(&entries, &end, 0);
            let kept = (!made.is_none()).then(|| made.clone());
            let old = data.traceback_object.replace(kept);
            drop(old);
            Ok(made)
        }
        Some(new) => {
            set_traceback(data, new)?;
            Ok(Value::None)
        }
    }
}

fn with_traceback(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [tb]) = args.method::<1>("BaseException.with_traceback")?;
    set_traceback(own(this, "with_traceback")?, tb)?;
    Ok(this.clone())
}

fn add_note_method(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [note]) = args.method::<1>("BaseException.add_note")?;
    own(this, "add_note")?;
    if note.as_str().is_none() {
        return Err(Raised::type_error(format!(
            "note must be a str, not '{}'",
            note.type_name()
        )));
    }
    if let Value::Instance(i) = this {
        let notes = name!("__notes__");
        match i.dict().get_name(notes) {
            Some(list) if list.as_list().is_none() => {
                return Err(Raised::type_error(
                    "Cannot add note: __notes__ is not a list",
                ));
            }
            Some(list) => {
                call::call_method(
                    vm,
                    &list,
                    name!("append"),
                    Args::new(std::slice::from_ref(note)),
                )?;
            }
            None => i.dict().set_name(notes, Value::list(vec![note.clone()])),
        }
    }
    Ok(Value::None)
}

/// Reads or sets a member.
fn member(args: Args<'_>, name: &Name, default: Value) -> PyResult {
    let (data, new) = getset(args, name.as_str())?;
    match new {
        None => Ok(data.member(name.as_str()).unwrap_or(default)),
        Some(new) => {
            data.set_member(name, new.clone());
            Ok(Value::None)
        }
    }
}

macro_rules! members {
    ($($function:ident $name:literal,)*) => {
        $(
            fn $function(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
                member(args, name!($name), Value::None)
            }
        )*
    };
}

members! {
    name_member "name",
    obj_member "obj",
    path_member "path",
    filename "filename",
    filename2 "filename2",
    lineno "lineno",
    offset "offset",
    text_member "text",
    end_lineno "end_lineno",
    end_offset "end_offset",
    print_file_and_line "print_file_and_line",
}

fn first_argument(args: Args<'_>) -> PyResult {
    let (this, _) = args.split_self("args")?;
    Ok(own(this, "args")?
        .args
        .borrow()
        .items
        .first()
        .cloned()
        .unwrap_or(Value::None))
}

fn msg_member(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let first = first_argument(args)?;
    member(args, name!("msg"), first)
}

fn stop_value(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let first = first_argument(args)?;
    member(args, name!("value"), first)
}

fn exit_code(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, _) = args.split_self("code")?;
    let items = own(this, "code")?.args.borrow().clone();
    let code = match &*items.items {
        [] => Value::None,
        [only] => only.clone(),
        _ => Value::Tuple(items.clone()),
    };
    member(args, name!("code"), code)
}

fn os_error_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args)?;
    let mut class = class.clone();
    // `OSError(2, "...")` is a FileNotFoundError.
    if PyRef::ptr_eq(&class, types().exception(ExcKind::OSError))
        && let [Value::Int(errno), _, ..] = rest.pos
    {
        class = os_error_kind(*errno).class();
    }
    let raised = Raised::of_class(&class, Vec::new());
    if let Some(data) = raised.data() {
        set_os_args(data, rest.pos);
    }
    Ok(raised.to_value())
}

fn set_os_args(data: &ExceptionData, args: &[Value]) {
    if let [errno, message, rest @ ..] = args
        && rest.len() <= 3
    {
        data.set_member(name!("errno"), errno.clone());
        data.set_member(name!("strerror"), message.clone());
        if let Some(filename) = rest.first() {
            data.set_member(name!("filename"), filename.clone());
        }
        if let Some(filename2) = rest.get(2) {
            data.set_member(name!("filename2"), filename2.clone());
        }
        set_args(data, &[errno.clone(), message.clone()]);
        return;
    }
    set_args(data, args);
}

fn os_error_init(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("OSError.__init__")?;
    no_keywords(this, rest)?;
    set_os_args(own(this, "__init__")?, rest.pos);
    Ok(Value::None)
}

/// The n-th argument of an OSError that has a number and a text.
fn os_part(args: Args<'_>, at: usize, name: &Name) -> PyResult {
    let (this, _) = args.split_self(name.as_str())?;
    let items = own(this, name.as_str())?.args.borrow().clone();
    let default = if items.len() == 2 {
        items.items.get(at).cloned()
    } else {
        None
    };
    member(args, name, default.unwrap_or(Value::None))
}

fn errno(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    os_part(args, 0, name!("errno"))
}

fn strerror(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    os_part(args, 1, name!("strerror"))
}

fn os_error_str(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("OSError.__str__")?;
    let data = own(this, "__str__")?;
    let items = data.args.borrow().clone();
    let [errno, message] = &*items.items else {
        return str(vm, args);
    };
    let head = format!(
        "[Errno {}] {}",
        text::str(vm, errno)?,
        text::str(vm, message)?
    );
    Ok(Value::from(
        match (data.member("filename"), data.member("filename2")) {
            (Some(a), Some(b)) if !a.is_none() && !b.is_none() => {
                format!("{head}: {} -> {}", text::repr(vm, &a)?, text::repr(vm, &b)?)
            }
            (Some(a), _) if !a.is_none() => format!("{head}: {}", text::repr(vm, &a)?),
            _ => head,
        },
    ))
}

fn syntax_init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("SyntaxError.__init__")?;
    no_keywords(this, rest)?;
    let data = own(this, "__init__")?;
    set_args(data, rest.pos);
    if let Some(message) = rest.pos.first() {
        data.set_member(name!("msg"), message.clone());
    }
    if let [_, details] = rest.pos {
        let names = [
            name!("filename"),
            name!("lineno"),
            name!("offset"),
            name!("text"),
            name!("end_lineno"),
            name!("end_offset"),
        ];
        let details = ops::collect(vm, details)?;
        let fault = match details.len() {
            n @ 0..=3 => Some(format!("function takes at least 4 arguments ({n} given)")),
            5 => Some("end_offset must be provided when end_lineno is provided".to_owned()),
            n @ 7.. => Some(format!("function takes at most 6 arguments ({n} given)")),
            _ => None,
        };
        if let Some(text) = fault {
            return Err(Raised::type_error(text));
        }
        for (name, value) in names.iter().zip(details) {
            data.set_member(name, value);
        }
    }
    Ok(Value::None)
}

fn syntax_str(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("SyntaxError.__str__")?;
    let data = own(this, "__str__")?;
    let first = data.args.borrow().items.first().cloned();
    let message = data.member("msg").or(first).unwrap_or(Value::None);
    let message = text::str(vm, &message)?;
    let file = data.member("filename").filter(|v| !v.is_none());
    let file = file
        .as_ref()
        .and_then(Value::as_str)
        .map(|path| path.rsplit('/').next().unwrap_or(path).to_owned());
    let line = data.member("lineno").and_then(|v| v.as_int());
    Ok(Value::from(match (file, line) {
        (Some(file), Some(line)) => format!("{message} ({file}, line {line})"),
        (Some(file), None) => format!("{message} ({file})"),
        (None, Some(line)) => format!("{message} (line {line})"),
        (None, None) => message,
    }))
}

fn group_parts(args: Args<'_>) -> PyResult<(Value, Vec<Value>)> {
    let (this, _) = args.split_self("exceptions")?;
    let data = own(this, "exceptions")?;
    if let (Some(message), Some(inner)) = (data.member("message"), super::group::members(this)) {
        return Ok((message, inner));
    }
    let items = data.args.borrow().clone();
    let message = items.items.first().cloned().unwrap_or(Value::None);
    let inner = match items.items.get(1) {
        Some(v) => v
            .as_list()
            .map(|l| l.to_vec())
            .or_else(|| v.as_tuple().map(|t| t.items.to_vec()))
            .unwrap_or_default(),
        None => Vec::new(),
    };
    Ok((message, inner))
}

fn group_str(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (message, inner) = group_parts(args)?;
    let s = if inner.len() == 1 { "" } else { "s" };
    let message = text::str(vm, &message)?;
    Ok(Value::from(format!(
        "{message} ({} sub-exception{s})",
        inner.len()
    )))
}

fn group_message(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(group_parts(args)?.0)
}

fn group_exceptions(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::tuple(group_parts(args)?.1))
}

fn own_traceback<'a>(args: Args<'a>, name: &'static str) -> PyResult<&'a TracebackObject> {
    let [this] = args.exactly::<1>(name)?;
    this.foreign()
        .ok_or_else(|| wrong_self(name, "traceback", this))
}

fn tb_next(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if let [this, next] = args.pos {
        let tb: &TracebackObject = this
            .foreign()
            .ok_or_else(|| wrong_self("tb_next", "traceback", this))?;
        let rest = match (next, next.foreign::<TracebackObject>()) {
            (Value::None, _) if tb.relinked.borrow().is_none() => {
                tb.end.set(tb.at + 1);
                return Ok(Value::None);
            }
            (Value::None, _) => Vec::new(),
            (_, Some(next)) => next.chain(),
            _ => {
                return Err(Raised::type_error(format!(
                    "expected traceback object or None, got '{}'",
                    next.type_name()
                )));
            }
        };
        let own = tb.chain().into_iter().take(1);
        let chain = own.chain(rest).collect();
        let old = tb.relinked.replace(Some(chain));
        drop(old);
        return Ok(Value::None);
    }
    let tb = own_traceback(args, "tb_next")?;
    if let Some(chain) = &*tb.relinked.borrow() {
        return Ok(traceback_value(chain, &Rc::new(Cell::new(chain.len())), 1));
    }
    Ok(traceback_value(&tb.entries, &tb.end, tb.at + 1))
}

fn tb_lineno(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let tb = own_traceback(args, "tb_lineno")?;
    let line = tb.entries.get(tb.at).and_then(|entry| {
        entry
            .code
            .code
            .spans
            .get(entry.pc as usize)
            .map(|span| i64::from(span.line))
    });
    Ok(line.map_or(Value::None, Value::Int))
}

fn tb_frame(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let tb = own_traceback(args, "tb_frame")?;
    let entry = tb.entries.get(tb.at).cloned();
    Ok(entry.map_or(Value::None, |entry| vm.frame_of(&entry)))
}

fn tb_lasti(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let tb = own_traceback(args, "tb_lasti")?;
    Ok(tb
        .entries
        .get(tb.at)
        .map_or(Value::Int(-1), |entry| Value::Int(2 * i64::from(entry.pc))))
}
