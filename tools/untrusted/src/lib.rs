//! Readers of bytes from outside: source text, code objects, and what scripts load.
//!
//! In: a reader's name, any bytes. Out: nothing, or which promise was broken. Always: a reader takes the bytes or
//! raises a Python exception; it does not panic, end the process, or run what the bytes say.

mod bytecode;
mod python;
mod source;

/// A reader.
pub struct Reader {
    /// On the command line, and the folder of its inputs.
    pub name: &'static str,
    check: Check,
}

enum Check {
    Native(fn(&[u8]) -> Result<(), String>),
    /// The function of this reader's name in `readers.py`.
    Python,
}

const fn native(name: &'static str, check: fn(&[u8]) -> Result<(), String>) -> Reader {
    Reader {
        name,
        check: Check::Native(check),
    }
}

const fn python(name: &'static str) -> Reader {
    Reader {
        name,
        check: Check::Python,
    }
}

/// All readers.
pub static READERS: &[Reader] = &[
    native("source", source::check),
    native("bytecode", bytecode::check),
    python("weights"),
    python("checkpoint"),
    python("pickles"),
    python("npy"),
    python("zip"),
    python("packed"),
    python("tar"),
    python("json"),
    python("literal"),
    python("structs"),
    python("formats"),
    python("patterns"),
];

impl Reader {
    /// The reader of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Reader> {
        READERS.iter().find(|r| r.name == name)
    }

    /// Hands it these bytes.
    ///
    /// # Errors
    /// Which promise it broke. Those that it cannot survive (a panic, an abort) are not caught.
    pub fn check(&self, bytes: &[u8]) -> Result<(), String> {
        match self.check {
            Check::Native(check) => janus_session::on_large_stack(move || check(bytes)),
            Check::Python => python::check(self.name, bytes),
        }
    }
}
