//! Exception classes and raised exceptions.
//!
//! In: a kind and arguments. Out: [`Raised`]. Always: one table holds every built-in exception
//! class of CPython 3.11 with its base; making an exception calls no Python code.

use crate::{
    Class, ExceptionData, Instance, Name, Payload, PyRef, PyTuple, Raised, Value, name, types,
};

macro_rules! exceptions {
    ($(($kind:ident, $base:ident),)*) => {
        /// The built-in exception classes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the names say it all")]
        pub enum ExcKind { BaseException, $($kind,)* }

        impl ExcKind {
            /// All kinds; a base stands before the classes derived from it.
            pub const ALL: &'static [ExcKind] = &[ExcKind::BaseException, $(ExcKind::$kind,)*];

            /// The class's name.
            pub fn name(self) -> &'static str {
                match self {
                    ExcKind::BaseException => "BaseException",
                    $(ExcKind::$kind => stringify!($kind),)*
                }
            }

            /// The class it derives from; none for BaseException.
            pub fn base(self) -> Option<ExcKind> {
                match self {
                    ExcKind::BaseException => None,
                    $(ExcKind::$kind => Some(ExcKind::$base),)*
                }
            }
        }
    };
}

exceptions! {
    (SystemExit, BaseException),
    (KeyboardInterrupt, BaseException),
    (GeneratorExit, BaseException),
    (BaseExceptionGroup, BaseException),
    (Exception, BaseException),
    (ExceptionGroup, BaseExceptionGroup),
    (StopIteration, Exception),
    (StopAsyncIteration, Exception),
    (ArithmeticError, Exception),
    (FloatingPointError, ArithmeticError),
    (OverflowError, ArithmeticError),
    (ZeroDivisionError, ArithmeticError),
    (AssertionError, Exception),
    (AttributeError, Exception),
    (BufferError, Exception),
    (EOFError, Exception),
    (ImportError, Exception),
    (ModuleNotFoundError, ImportError),
    (LookupError, Exception),
    (IndexError, LookupError),
    (KeyError, LookupError),
    (MemoryError, Exception),
    (NameError, Exception),
    (UnboundLocalError, NameError),
    (OSError, Exception),
    (BlockingIOError, OSError),
    (ChildProcessError, OSError),
    (ConnectionError, OSError),
    (BrokenPipeError, ConnectionError),
    (ConnectionAbortedError, ConnectionError),
    (ConnectionRefusedError, ConnectionError),
    (ConnectionResetError, ConnectionError),
    (FileExistsError, OSError),
    (FileNotFoundError, OSError),
    (InterruptedError, OSError),
    (IsADirectoryError, OSError),
    (NotADirectoryError, OSError),
    (PermissionError, OSError),
    (ProcessLookupError, OSError),
    (TimeoutError, OSError),
    (ReferenceError, Exception),
    (RuntimeError, Exception),
    (NotImplementedError, RuntimeError),
    (RecursionError, RuntimeError),
    (SyntaxError, Exception),
    (IndentationError, SyntaxError),
    (TabError, IndentationError),
    (SystemError, Exception),
    (TypeError, Exception),
    (ValueError, Exception),
    (UnicodeError, ValueError),
    (UnicodeDecodeError, UnicodeError),
    (UnicodeEncodeError, UnicodeError),
    (UnicodeTranslateError, UnicodeError),
    (Warning, Exception),
    (BytesWarning, Warning),
    (DeprecationWarning, Warning),
    (EncodingWarning, Warning),
    (FutureWarning, Warning),
    (ImportWarning, Warning),
    (PendingDeprecationWarning, Warning),
    (ResourceWarning, Warning),
    (RuntimeWarning, Warning),
    (SyntaxWarning, Warning),
    (UnicodeWarning, Warning),
    (UserWarning, Warning),
}

impl ExcKind {
    /// The class.
    pub fn class(self) -> PyRef<Class> {
        types().exception(self).clone()
    }
}

/// The subclass of OSError for an error number (of Linux).
pub fn os_error_kind(errno: i64) -> ExcKind {
    match errno {
        1 | 13 => ExcKind::PermissionError,
        2 => ExcKind::FileNotFoundError,
        3 => ExcKind::ProcessLookupError,
        4 => ExcKind::InterruptedError,
        10 => ExcKind::ChildProcessError,
        11 | 114 | 115 => ExcKind::BlockingIOError,
        17 => ExcKind::FileExistsError,
        20 => ExcKind::NotADirectoryError,
        21 => ExcKind::IsADirectoryError,
        32 | 108 => ExcKind::BrokenPipeError,
        103 => ExcKind::ConnectionAbortedError,
        104 => ExcKind::ConnectionResetError,
        110 => ExcKind::TimeoutError,
        111 => ExcKind::ConnectionRefusedError,
        _ => ExcKind::OSError,
    }
}

macro_rules! shorthands {
    ($($name:ident => $kind:ident,)*) => {
        /// Shorthands for the common kinds.
        impl Raised {
            $(
                #[doc = concat!("A ", stringify!($kind), ".")]
                #[cold]
                pub fn $name(message: impl Into<String>) -> Raised {
                    Raised::new(ExcKind::$kind, message)
                }
            )*
        }
    };
}

shorthands! {
    type_error => TypeError,
    value_error => ValueError,
    index_error => IndexError,
    runtime_error => RuntimeError,
    overflow_error => OverflowError,
    zero_division => ZeroDivisionError,
    not_implemented => NotImplementedError,
    recursion_error => RecursionError,
    assertion_error => AssertionError,
    system_error => SystemError,
    eof_error => EOFError,
}

impl Raised {
    /// An exception with a message as its only argument.
    #[cold]
    pub fn new(kind: ExcKind, message: impl Into<String>) -> Raised {
        Self::with_args(kind, vec![Value::str(message.into())])
    }

    /// An exception with these arguments.
    #[cold]
    pub fn with_args(kind: ExcKind, args: Vec<Value>) -> Raised {
        Self::of_class(types().exception(kind), args)
    }

    /// An instance of an exception class, whose `__init__` is not called.
    pub fn of_class(class: &PyRef<Class>, args: Vec<Value>) -> Raised {
        let payload = Payload::Exception(Box::new(ExceptionData::new(args)));
        Raised(PyRef::new(Instance::new(class.clone(), payload)))
    }

    /// The exception as a value.
    pub fn to_value(&self) -> Value {
        Value::Instance(self.0.clone())
    }

    /// Its class.
    pub fn class(&self) -> PyRef<Class> {
        self.0.class()
    }

    /// Whether it is an instance of that built-in class.
    pub fn is(&self, kind: ExcKind) -> bool {
        self.0
            .class
            .borrow()
            .is_subclass_of(types().exception(kind))
    }

    /// Its state. Anything raised is an exception, so the state is there.
    pub fn data(&self) -> Option<&ExceptionData> {
        self.0.exception()
    }

    /// `args`
    pub fn args(&self) -> PyRef<PyTuple> {
        match self.data() {
            Some(data) => data.args.borrow().clone(),
            None => PyRef::new(PyTuple::new(Vec::new())),
        }
    }

    /// The first argument if it is a string: the message of most exceptions.
    pub fn message(&self) -> String {
        match self.args().items.first() {
            Some(first) => match first.as_str() {
                Some(text) => text.to_owned(),
                None => format!("{first:?}"),
            },
            None => String::new(),
        }
    }

    /// Sets `__cause__` and with it `__suppress_context__`.
    pub fn set_cause(&self, cause: Option<Value>) {
        if let Some(data) = self.data() {
            *data.cause.borrow_mut() = cause;
            data.suppress_context.set(true);
        }
    }

    /// Sets `__context__`.
    pub fn set_context(&self, context: Option<PyRef<Instance>>) {
        if let Some(data) = self.data() {
            *data.context.borrow_mut() = context;
        }
    }

    fn member(self, name: &Name, value: Value) -> Raised {
        if let Some(data) = self.data() {
            data.set_member(name, value);
        }
        self
    }

    /// A MemoryError.
    #[cold]
    pub fn memory_error() -> Raised {
        Self::with_args(ExcKind::MemoryError, Vec::new())
    }

    /// A KeyError.
    #[cold]
    pub fn key_error(key: Value) -> Raised {
        Self::with_args(ExcKind::KeyError, vec![key])
    }

    /// An AttributeError for an attribute that an object does not have, with CPython's message.
    #[cold]
    pub fn no_attribute(object: &Value, attribute: &Name) -> Raised {
        let message = match object {
            Value::Class(c) => {
                format!(
                    "type object '{}' has no attribute '{attribute}'",
                    c.name.borrow()
                )
            }
            Value::Module(m) => {
                let name = m.dict.get_name(name!("__name__"));
                match name.as_ref().and_then(Value::as_str) {
                    Some(name) => format!("module '{name}' has no attribute '{attribute}'"),
                    None => format!("module has no attribute '{attribute}'"),
                }
            }
            other => format!(
                "'{}' object has no attribute '{attribute}'",
                other.type_name()
            ),
        };
        Self::attribute_error(message, object, attribute)
    }

    /// An AttributeError with `name` and `obj`.
    #[cold]
    pub fn attribute_error(message: impl Into<String>, object: &Value, attribute: &Name) -> Raised {
        Self::new(ExcKind::AttributeError, message)
            .member(name!("name"), attribute.to_value())
            .member(name!("obj"), object.clone())
    }

    /// A NameError.
    #[cold]
    pub fn name_error(name: &Name) -> Raised {
        Self::new(ExcKind::NameError, format!("name '{name}' is not defined"))
            .member(name!("name"), name.to_value())
    }

    /// An UnboundLocalError.
    #[cold]
    pub fn unbound_local(name: &str) -> Raised {
        Self::new(
            ExcKind::UnboundLocalError,
            format!(
                "cannot access local variable '{name}' where it is not associated with a value"
            ),
        )
    }

    /// The NameError of an empty cell.
    #[cold]
    pub fn unbound_free(name: &str) -> Raised {
        Self::new(
            ExcKind::NameError,
            format!(
                "cannot access free variable '{name}' where it is not associated with a value in \
                 enclosing scope"
            ),
        )
    }

    /// StopIteration; `None` has no arguments.
    #[cold]
    pub fn stop_iteration(value: Value) -> Raised {
        let args = if value.is_none() {
            Vec::new()
        } else {
            vec![value]
        };
        Self::with_args(ExcKind::StopIteration, args)
    }

    /// The value of a StopIteration.
    pub fn stop_value(&self) -> Value {
        self.args().items.first().cloned().unwrap_or(Value::None)
    }

    /// An OSError of the subclass that fits the number.
    #[cold]
    pub fn os_error(errno: i64, message: &str, filename: Option<Value>) -> Raised {
        let raised = Self::with_args(
            os_error_kind(errno),
            vec![Value::Int(errno), Value::str(message)],
        );
        match filename {
            Some(filename) => raised.member(name!("filename"), filename),
            None => raised,
        }
    }

    /// An OSError from one of Rust's.
    #[cold]
    pub fn io_error(error: &std::io::Error, filename: Option<Value>) -> Raised {
        if error.kind() == std::io::ErrorKind::OutOfMemory {
            return Self::memory_error();
        }
        let Some(errno) = error.raw_os_error() else {
            return Self::new(ExcKind::OSError, error.to_string());
        };
        let text = error.to_string();
        // Rust appends " (os error N)" to the system's text.
        let message = text.split(" (os error").next().unwrap_or(&text);
        Self::os_error(i64::from(errno), message, filename)
    }

    /// A UnicodeDecodeError or UnicodeEncodeError over `start..end` of `object`.
    #[cold]
    pub fn unicode_error(
        kind: ExcKind,
        encoding: &str,
        object: Value,
        range: std::ops::Range<usize>,
        reason: &str,
    ) -> Raised {
        let args = vec![
            Value::from(encoding),
            object,
            Value::from(range.start),
            Value::from(range.end),
            Value::from(reason),
        ];
        Self::with_args(kind, args)
    }

    /// A ModuleNotFoundError.
    #[cold]
    pub fn module_not_found(module: &str) -> Raised {
        Self::new(
            ExcKind::ModuleNotFoundError,
            format!("No module named '{module}'"),
        )
        .member(name!("name"), Value::str(module))
    }

    /// An ImportError.
    #[cold]
    pub fn import_error(message: impl Into<String>, module: &str) -> Raised {
        Self::new(ExcKind::ImportError, message).member(name!("name"), Value::str(module))
    }
}

impl std::fmt::Debug for Raised {
    /// Class and message, for test failures and logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.class().display_name(), self.message())
    }
}
