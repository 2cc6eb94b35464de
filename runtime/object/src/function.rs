//! Callables.
//!
//! In: code objects and Rust functions. Out: what can be called. Always: calling a Python
//! function is the interpreter's work; everything else is called by [`crate::call`].

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use crate::code::Labels;
use crate::{CodeObject, Name, PyDict, PyRef, PyResult, Value, Vm};

/// Arguments of a call. Positional first; keywords in call order.
#[derive(Clone, Copy)]
pub struct Args<'a> {
    /// Positional arguments (for a native method, `self` first).
    pub pos: &'a [Value],
    /// Keyword arguments.
    pub kw: &'a [(Name, Value)],
}

impl<'a> Args<'a> {
    /// Positional arguments only.
    pub fn new(pos: &'a [Value]) -> Self {
        Args { pos, kw: &[] }
    }
}

/// The body of a native function.
pub type NativeFn = fn(&mut dyn Vm, Args<'_>) -> PyResult;

/// A function written in Rust.
pub struct NativeFunction {
    /// Its full name, e.g. `builtins.len`, `list.append`, `torch.matmul`, `Tensor.view`. Unique:
    /// the speculator knows functions by it.
    pub qualname: &'static str,
    /// The last part of `qualname`.
    pub name: &'static str,
    /// The body.
    pub func: NativeBody,
    /// How attribute access on an instance binds it.
    pub binding: Binding,
    /// Docstring.
    pub doc: &'static str,
    /// The docstring that a script gave it, where it may: that of a named tuple's field.
    pub written_doc: RefCell<Option<Value>>,
    /// What it asks of the interpreter.
    pub reach: Reach,
    /// How its common calls are answered without the interpreter.
    pub quick: Option<QuickWay>,
}

/// What a native function asks of the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Nothing, whatever it is given: it runs no Python and looks at no frame.
    Nothing,
    /// It may run Python.
    Python,
    /// It looks at the frame that calls it, too.
    Caller,
}

/// Answers a call of a native with arguments by position, where that needs neither Python nor an exception; has no effect where it
/// gives no answer.
pub type QuickWay = fn(&[Value]) -> Option<Value>;

/// The body of a native function made at run time.
pub type NativeClosure = dyn Fn(&mut dyn Vm, Args<'_>) -> PyResult;

/// The body: a plain function, or a closure for functions made at run time (`partial`,
/// `itemgetter`).
pub enum NativeBody {
    /// A plain function.
    Fn(NativeFn),
    /// One that takes so many arguments by position at most, besides what it is bound to.
    Bounded(NativeFn, u8),
    /// A closure.
    Closure(Box<NativeClosure>),
    /// What gives the item of a tuple, or of an instance that is one, at this place.
    Field(usize),
    /// A short way for the common calls of a function that is written in Python.
    Short {
        /// Answers a call, or leaves it to the function behind.
        short: ShortWay,
        /// The function, which answers every call.
        behind: Value,
    },
}

/// Answers a call as a function written in Python would, if it is a common one. It runs no Python, and has no effect where it gives
/// no answer.
pub type ShortWay = fn(Args<'_>) -> Option<Value>;

/// How a native behaves as a class attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Binds `self`.
    Method,
    /// A plain function: never binds (module functions, static methods).
    Static,
    /// Binds the class.
    ClassMethod,
    /// A read-only attribute computed by calling it with `self`.
    Getter,
    /// An attribute: called with `self` to read it, with `self` and a value to set it.
    GetSet,
}

/// A function written in Python.
pub struct PyFunction {
    /// Its code.
    pub code: RefCell<PyRef<CodeObject>>,
    /// Its module's namespace.
    pub globals: PyRef<PyDict>,
    /// `__name__`
    pub name: RefCell<Value>,
    /// `__qualname__`
    pub qualname: RefCell<Value>,
    /// `__defaults__`
    pub defaults: RefCell<Rc<[Value]>>,
    /// `__kwdefaults__`
    pub kw_defaults: RefCell<Option<PyRef<PyDict>>>,
    /// `__closure__`
    pub closure: Rc<[PyRef<PyCell>]>,
    /// `__annotations__`
    pub annotations: RefCell<Option<Value>>,
    /// `__doc__`
    pub doc: RefCell<Value>,
    /// `__dict__`, made when first used.
    pub dict: OnceCell<PyRef<PyDict>>,
    /// Changes when code or defaults are replaced; guards compare it.
    pub version: Cell<u32>,
}

impl PyFunction {
    /// A function as its definition makes it.
    pub fn new(
        code: PyRef<CodeObject>,
        globals: PyRef<PyDict>,
        defaults: Rc<[Value]>,
        kw_defaults: Option<PyRef<PyDict>>,
        closure: Rc<[PyRef<PyCell>]>,
    ) -> Self {
        let Labels {
            name,
            qualname,
            doc,
        } = code.labels();
        let (name, qualname, doc) = (name.clone(), qualname.clone(), doc.clone());
        PyFunction {
            code: RefCell::new(code),
            globals,
            name: RefCell::new(name),
            qualname: RefCell::new(qualname),
            defaults: RefCell::new(defaults),
            kw_defaults: RefCell::new(kw_defaults),
            closure,
            annotations: RefCell::new(None),
            doc: RefCell::new(doc),
            dict: OnceCell::new(),
            version: Cell::new(0),
        }
    }
}

/// A bound method.
pub struct PyMethod {
    /// The function.
    pub function: Value,
    /// What it is bound to.
    pub receiver: Value,
}

/// A cell of a closure; empty until assigned.
pub struct PyCell {
    /// The content.
    pub value: RefCell<Option<Value>>,
}

impl PyCell {
    /// An empty cell, or one with a value.
    pub fn new(value: Option<Value>) -> Self {
        PyCell {
            value: RefCell::new(value),
        }
    }
}
