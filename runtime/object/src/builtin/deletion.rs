//! What `del object.attribute` does with attributes of built-in classes that can be set.
//!
//! In: the attribute. Out: whether it is None from there on, or why it stays. Always: CPython's answers.

/// What becomes of an attribute that is deleted.
pub(crate) enum Deletion {
    /// It is None from there on.
    None,
    /// It stays: a TypeError says so.
    Refused(&'static str),
    /// The class says nothing about it.
    Unknown,
}

/// What deleting an attribute does, by its qualified name.
pub(crate) fn of(qualname: &str) -> Deletion {
    match qualname {
        "function.__defaults__"
        | "function.__kwdefaults__"
        | "function.__annotations__"
        | "function.__doc__"
        | "function.__module__"
        | "frame.f_trace" => Deletion::None,
        "function.__name__" => Deletion::Refused("__name__ must be set to a string object"),
        "function.__qualname__" => Deletion::Refused("__qualname__ must be set to a string object"),
        "function.__code__" => Deletion::Refused("__code__ must be set to a code object"),
        "type.__name__" => {
            Deletion::Refused("cannot delete '__name__' attribute of immutable type")
        }
        "type.__qualname__" => {
            Deletion::Refused("cannot delete '__qualname__' attribute of immutable type")
        }
        "object.__class__" => Deletion::Refused("can't delete __class__ attribute"),
        "BaseException.args" => Deletion::Refused("args may not be deleted"),
        "BaseException.__cause__" => Deletion::Refused("__cause__ may not be deleted"),
        "BaseException.__context__" => Deletion::Refused("__context__ may not be deleted"),
        "BaseException.__traceback__" => Deletion::Refused("__traceback__ may not be deleted"),
        "BaseException.__suppress_context__"
        | "UnicodeError.start"
        | "UnicodeError.end"
        | "UnicodeTranslateError.start"
        | "UnicodeTranslateError.end" => Deletion::Refused("can't delete numeric/char attribute"),
        _ => match qualname.split('.').next() {
            Some(
                "SyntaxError"
                | "ImportError"
                | "OSError"
                | "NameError"
                | "AttributeError"
                | "StopIteration"
                | "SystemExit"
                | "UnicodeError"
                | "UnicodeTranslateError",
            ) => Deletion::None,
            _ => Deletion::Unknown,
        },
    }
}
