//! Code objects.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::{BinaryOp, CompareOp, Consumer, Instr, OperandKind};

/// Where an instruction comes from. Lines count from 1; columns are UTF-8 byte offsets from 0,
/// as in CPython's `co_positions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// First line.
    pub line: u32,
    /// Last line.
    pub end_line: u32,
    /// First column.
    pub col: u32,
    /// One past the last column.
    pub end_col: u32,
}

/// A constant of a code object. Independent of the heap, so that code can be made, compared and
/// cached without an interpreter.
#[derive(Clone, Debug, PartialEq)]
pub enum Const {
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// `True`, `False`
    Bool(bool),
    /// An integer that fits.
    Int(i64),
    /// Any other integer, in decimal digits.
    BigInt(Rc<str>),
    /// A float.
    Float(f64),
    /// A complex number.
    Complex(f64, f64),
    /// A string.
    Str(Rc<str>),
    /// Bytes.
    Bytes(Rc<[u8]>),
    /// A tuple of constants.
    Tuple(Rc<[Const]>),
    /// A frozenset of constants (`x in {1, 2}`).
    FrozenSet(Rc<[Const]>),
    /// A nested function or class body.
    Code(Rc<Code>),
}

/// A handler range of the exception table: an exception in `start..end` cuts the stack down to
/// `depth`, pushes the exception and continues at `target`. The innermost entry comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionEntry {
    /// First instruction covered.
    pub start: u32,
    /// One past the last instruction covered.
    pub end: u32,
    /// The handler.
    pub target: u32,
    /// Stack depth to restore.
    pub depth: u32,
}

/// Properties of a code object, `co_flags` in CPython.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CodeFlags {
    /// Has `*args`.
    pub varargs: bool,
    /// Has `**kwargs`.
    pub varkw: bool,
    /// Contains `yield`.
    pub generator: bool,
    /// `async def`.
    pub coroutine: bool,
    /// A generator that `types.coroutine` made awaitable.
    pub iterable_coroutine: bool,
    /// Locals are fast slots: functions, lambdas, comprehensions; not module and class bodies.
    pub optimized: bool,
    /// A module body.
    pub module: bool,
    /// A class body.
    pub class: bool,
    /// A function inside of another one, which makes it anew each time.
    pub nested: bool,
}

/// Operand bits of `MAKE_FUNCTION`.
pub struct MakeFunctionFlags;

impl MakeFunctionFlags {
    /// A tuple of positional defaults is there.
    pub const DEFAULTS: u32 = 1;
    /// A dict of keyword-only defaults is there.
    pub const KW_DEFAULTS: u32 = 2;
    /// A dict of annotations is there.
    pub const ANNOTATIONS: u32 = 4;
    /// A tuple of cells is there.
    pub const CLOSURE: u32 = 8;
}

/// The low two bits of `FORMAT_VALUE`'s operand.
pub struct FormatConversion;

impl FormatConversion {
    /// No conversion.
    pub const NONE: u32 = 0;
    /// `!s`
    pub const STR: u32 = 1;
    /// `!r`
    pub const REPR: u32 = 2;
    /// `!a`
    pub const ASCII: u32 = 3;
    /// Bit: a format spec is on the stack, above the value.
    pub const HAS_SPEC: u32 = 4;
}

/// A compiled function, class body or module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// `co_name`
    pub name: Rc<str>,
    /// `co_qualname`
    pub qualname: Rc<str>,
    /// `co_filename`
    pub filename: Rc<str>,
    /// `co_firstlineno`
    pub first_line: u32,
    /// The instructions.
    pub instrs: Vec<Instr>,
    /// One span per instruction.
    pub spans: Vec<Span>,
    /// Constants.
    pub consts: Vec<Const>,
    /// Names of globals and attributes.
    pub names: Vec<Rc<str>>,
    /// Locals: parameters first (positional, keyword-only, `*args`, `**kwargs`), then the rest.
    pub varnames: Vec<Rc<str>>,
    /// Locals captured by inner functions. A parameter that is captured is in `varnames` too and
    /// is moved into its cell on entry.
    pub cellvars: Vec<Rc<str>>,
    /// Variables captured from outer functions.
    pub freevars: Vec<Rc<str>>,
    /// Positional parameters, positional-only ones included.
    pub argcount: u32,
    /// Positional-only parameters.
    pub posonly_argcount: u32,
    /// Keyword-only parameters.
    pub kwonly_argcount: u32,
    /// Deepest value stack.
    pub stack_size: u32,
    /// Properties.
    pub flags: CodeFlags,
    /// Exception table, innermost entry first.
    pub exceptions: Vec<ExceptionEntry>,
    /// Comprehensions that are part of it, an outer one before those in it.
    pub inlined: Vec<Inlined>,
    /// Docstring, if there is one.
    pub doc: Option<Rc<str>>,
}

/// Instructions that are a function of its own in CPython 3.11, and a frame of its own in a traceback.
#[derive(Clone, Debug, PartialEq)]
pub struct Inlined {
    /// The first one; its span is that of the call.
    pub start: u32,
    /// The first one behind them.
    pub end: u32,
    /// `co_name`
    pub name: Rc<str>,
    /// `co_qualname`
    pub qualname: Rc<str>,
    /// `co_firstlineno`
    pub first_line: u32,
}

/// The name of a local that a program does not see: a variable of an inlined comprehension, which is in so many others.
pub fn hidden_local(depth: usize, name: &str) -> String {
    format!("<{depth}>{name}")
}

/// The name in the source of a hidden local; `None` if it is not hidden.
pub fn hidden_name(local: &str) -> Option<&str> {
    Some(local.strip_prefix('<')?.split_once('>')?.1)
}

/// Whether a file name is that of Python code inside the binary.
pub fn is_library(filename: &str) -> bool {
    filename.starts_with('<') && filename != COMMAND && filename != STDIN
}

/// The file name of a module that is part of the binary.
pub fn library_file(module: &str) -> String {
    format!("<frozen {module}>")
}

/// The file name of code given on the command line, and of `exec` and `eval`.
pub const COMMAND: &str = "<string>";
/// The file name of code read from standard input.
pub const STDIN: &str = "<stdin>";

impl Code {
    /// The name of a cell of a frame: the cell variables come first, then the free ones.
    #[must_use]
    pub fn cell_name(&self, cell: usize) -> Option<&str> {
        let names = self.cellvars.iter().chain(&self.freevars);
        names.map(|name| &**name).nth(cell)
    }

    /// Whether it is part of the binary: `torch` and the standard library written in Python.
    pub fn is_library(&self) -> bool {
        is_library(&self.filename)
    }

    /// The handler that covers `pc`.
    pub fn handler(&self, pc: u32) -> Option<&ExceptionEntry> {
        self.exceptions.iter().find(|e| e.start <= pc && pc < e.end)
    }

    /// The inlined comprehensions that an instruction is in, outermost first.
    pub fn inlined_at(&self, pc: u32) -> impl Iterator<Item = &Inlined> {
        self.inlined
            .iter()
            .filter(move |i| i.start <= pc && pc < i.end)
    }

    /// The code of a frame that a traceback shows for an inlined comprehension: the same instructions under its name.
    pub fn as_shown(&self, inlined: &Inlined) -> Code {
        Code {
            name: inlined.name.clone(),
            qualname: inlined.qualname.clone(),
            first_line: inlined.first_line,
            consts: Vec::new(),
            inlined: Vec::new(),
            doc: None,
            ..self.clone()
        }
    }

    /// The locals that a program sees.
    pub fn visible_locals(&self) -> impl Iterator<Item = (usize, &Rc<str>)> {
        let all = self.varnames.iter().enumerate();
        all.filter(|(_, name)| hidden_name(name).is_none())
    }

    /// All parameters, `*args` and `**kwargs` included.
    pub fn parameter_count(&self) -> usize {
        (self.argcount + self.kwonly_argcount) as usize
            + usize::from(self.flags.varargs)
            + usize::from(self.flags.varkw)
    }

    /// The name of a cell or free variable by its `Deref` operand.
    pub fn deref_name(&self, index: u32) -> Option<&Rc<str>> {
        let index = index as usize;
        self.cellvars
            .get(index)
            .or_else(|| self.freevars.get(index.checked_sub(self.cellvars.len())?))
    }
}

/// The text form of a code object and of those nested in it, for `--emit bytecode` and golden
/// tests: one instruction a line with line number, index, name, operand and its meaning.
pub fn disassemble(code: &Code) -> String {
    let mut out = String::new();
    disassemble_into(code, &mut out);
    out
}

fn disassemble_into(code: &Code, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "code {} ({}:{})",
        code.qualname, code.filename, code.first_line
    );
    let mut line = 0;
    for (pc, (instr, span)) in code.instrs.iter().zip(&code.spans).enumerate() {
        let shown = if span.line == line {
            String::new()
        } else {
            span.line.to_string()
        };
        line = span.line;
        let _ = write!(out, "{shown:>5} {pc:>5} {}", instr.op.name());
        if instr.op.operand_kind() != OperandKind::None {
            let _ = write!(out, " {}{}", instr.arg, operand_text(code, *instr));
        }
        out.push('\n');
    }
    for i in &code.inlined {
        let _ = writeln!(out, "      {} {}..{}", i.qualname, i.start, i.end);
    }
    for e in &code.exceptions {
        let _ = writeln!(
            out,
            "      handler {}..{} -> {} depth {}",
            e.start, e.end, e.target, e.depth
        );
    }
    for c in &code.consts {
        if let Const::Code(inner) = c {
            out.push('\n');
            disassemble_into(inner, out);
        }
    }
}

fn operand_text(code: &Code, instr: Instr) -> String {
    let arg = instr.arg as usize;
    let named = |n: Option<&Rc<str>>| n.map(|n| format!(" ({n})")).unwrap_or_default();
    match instr.op.operand_kind() {
        OperandKind::Const => match code.consts.get(arg) {
            Some(Const::Code(c)) => format!(" (<code {}>)", c.qualname),
            Some(c) => format!(" ({c:?})"),
            None => String::new(),
        },
        OperandKind::Name => named(code.names.get(arg)),
        OperandKind::Local => named(code.varnames.get(arg)),
        OperandKind::Deref => named(code.deref_name(instr.arg)),
        OperandKind::Binary => BinaryOp::from_arg(instr.arg)
            .map(|o| format!(" ({})", o.symbol()))
            .unwrap_or_default(),
        OperandKind::Compare => CompareOp::from_arg(instr.arg)
            .map(|o| format!(" ({})", o.symbol()))
            .unwrap_or_default(),
        OperandKind::Consumer => Consumer::from_arg(instr.arg)
            .map(|c| format!(" ({})", c.symbol()))
            .unwrap_or_default(),
        OperandKind::Target => " (to)".to_owned(),
        OperandKind::None | OperandKind::Count | OperandKind::Flags => String::new(),
    }
}
