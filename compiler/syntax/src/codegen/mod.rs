//! Code generation.
//!
//! In: a checked tree and its resolved symbol tables. Out: a [`Code`] for the module and, nested
//! in its constants, one for each function, class body and comprehension that is not inlined. Always: the instruction
//! sequences are CPython 3.11's in order of evaluation and effect; every source loop has exactly
//! one head (`ForIter` or `LoopHead`) and only jumps to it go backwards; each instruction's span
//! is what a traceback should underline.

mod assign;
mod call;
mod comprehension;
mod constant;
mod control;
mod exceptions;
mod expr;
mod function;
mod pattern;
mod stmt;

use std::mem;
use std::rc::Rc;

use indexmap::IndexSet;
use janus_bytecode::{Code, CodeFlags, Const, Opcode, Span};
use rustpython_parser::ast::{Expr, Ranged, Stmt};
use rustpython_parser::text_size::{TextRange, TextSize};

use crate::Options;
use crate::assemble::{Assembler, Label};
use crate::error::{Error, Result};
use crate::parse::{Tree, nowhere};
use crate::source::Source;
use crate::symtable::{Resolution, ScopeId, ScopeKind, Tables, mangle};
use constant::ConstPool;
pub(crate) use constant::literal;
use control::Block;

/// Compiles a tree.
pub(crate) fn generate<'a>(
    source: &'a Source,
    tree: &'a Tree,
    tables: &'a Tables<'a>,
    options: Options,
) -> Result<Code> {
    let top = Unit::new(
        tables,
        Tables::TOP,
        "<module>".into(),
        "<module>".into(),
        1,
        None,
    );
    let mut codegen = Codegen {
        source,
        tables,
        unit: top,
        outer: Vec::new(),
        future_annotations: options.annotations_as_texts,
        single: matches!(tree, Tree::Single(_)),
        optimize: options.optimize,
    };
    codegen.unit.flags.module = true;
    match tree {
        Tree::Module(body) => codegen.module_body(body)?,
        Tree::Single(body) => {
            if stmt::has_annotations(body) {
                codegen.op(Opcode::SetupAnnotations);
            }
            codegen.body(body)?;
        }
        Tree::Eval(value) => {
            codegen.expr(value)?;
            codegen.at(value.range(), |c| c.op(Opcode::ReturnValue));
        }
    }
    if let Tree::Module(body) | Tree::Single(body) = tree {
        codegen.at(stmt::last_range(body), |c| c.return_none());
    }
    codegen.finish_unit()
}

/// One code object in the making.
struct Unit<'a> {
    scope: ScopeId,
    kind: ScopeKind,
    is_async: bool,
    name: Rc<str>,
    qualname: Rc<str>,
    first_line: u32,
    flags: CodeFlags,
    argcount: u32,
    posonly_argcount: u32,
    kwonly_argcount: u32,
    doc: Option<Rc<str>>,
    /// The innermost class around, for mangling.
    class_name: Option<&'a str>,
    asm: Assembler,
    consts: ConstPool,
    names: IndexSet<Rc<str>>,
    varnames: IndexSet<Rc<str>>,
    cellvars: Vec<Rc<str>>,
    freevars: Vec<Rc<str>>,
    blocks: Vec<Block<'a>>,
    /// The inlined comprehensions that are being generated, outermost first.
    inlined: Vec<Inlining>,
    /// Locals of the function around a generator, of which it was handed the values.
    handed: Vec<Rc<str>>,
    /// The first statement that is inside of too many others.
    too_deep: Option<TextRange>,
    /// What the instructions emitted now are blamed on.
    at: TextRange,
    /// The span of `at`, once computed.
    span: Option<(TextRange, Span)>,
}

impl<'a> Unit<'a> {
    fn new(
        tables: &Tables<'a>,
        id: ScopeId,
        name: Rc<str>,
        qualname: Rc<str>,
        first_line: u32,
        class_name: Option<&'a str>,
    ) -> Self {
        let scope = tables.scope(id);
        let shared = |names: Vec<&str>| names.into_iter().map(Rc::from).collect();
        let mut cellvars: Vec<Rc<str>> = shared(scope.cell_names());
        if scope.needs_class_cell {
            cellvars.push("__class__".into());
        }
        Unit {
            scope: id,
            kind: scope.kind,
            is_async: false,
            name,
            qualname,
            first_line,
            flags: CodeFlags {
                generator: scope.generator,
                coroutine: scope.coroutine,
                optimized: scope.kind.is_function(),
                class: scope.kind == ScopeKind::Class,
                nested: scope.kind.is_function() && scope.nested,
                ..CodeFlags::default()
            },
            argcount: 0,
            posonly_argcount: 0,
            kwonly_argcount: 0,
            doc: None,
            class_name,
            asm: Assembler::default(),
            consts: ConstPool::default(),
            names: IndexSet::new(),
            varnames: scope.params.iter().map(|p| Rc::from(*p)).collect(),
            cellvars,
            freevars: shared(scope.free_names()),
            blocks: Vec::new(),
            inlined: Vec::new(),
            handed: Vec::new(),
            too_deep: None,
            at: nowhere(),
            span: None,
        }
    }

    /// The cell that an inner scope captures. In a class body `__class__` can be the class's own
    /// cell and, at the same time, that of a class around it: inner scopes mean its own.
    fn captured_index(&self, name: &str) -> Option<u32> {
        let cells = self.cellvars.iter().chain(&self.freevars);
        cells
            .into_iter()
            .position(|n| &**n == name)
            .map(|at| at as u32)
    }

    /// The cell of a variable that comes from an outer scope.
    fn free_index(&self, name: &str) -> Option<u32> {
        let at = self.freevars.iter().position(|n| &**n == name)?;
        Some((self.cellvars.len() + at) as u32)
    }
}

/// A comprehension whose instructions are among those of the unit.
struct Inlining {
    scope: ScopeId,
    qualname: Rc<str>,
}

/// What happens to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Load,
    Store,
    Delete,
}

struct Codegen<'a> {
    source: &'a Source,
    tables: &'a Tables<'a>,
    unit: Unit<'a>,
    /// The units around the current one, outermost first.
    outer: Vec<Unit<'a>>,
    future_annotations: bool,
    /// Interactive: expression statements show their value.
    single: bool,
    /// What `-O` says: 1 leaves out `assert`, 2 docstrings, too.
    optimize: u8,
}

impl<'a> Codegen<'a> {
    fn span(&mut self) -> Span {
        let at = self.unit.at;
        match self.unit.span {
            Some((known, span)) if known == at => span,
            _ => {
                let span = self.source.span(at);
                self.unit.span = Some((at, span));
                span
            }
        }
    }

    fn op_arg(&mut self, op: Opcode, arg: u32) {
        let span = self.span();
        self.unit.asm.emit(op, arg, span);
    }

    fn op(&mut self, op: Opcode) {
        self.op_arg(op, 0);
    }

    fn jump(&mut self, op: Opcode, target: Label) {
        let span = self.span();
        self.unit.asm.jump(op, target, span);
    }

    fn label(&mut self) -> Label {
        self.unit.asm.label()
    }

    fn bind(&mut self, label: Label) {
        self.unit.asm.bind(label);
    }

    fn load_const(&mut self, value: Const) {
        let index = self.unit.consts.add(value);
        self.op_arg(Opcode::LoadConst, index);
    }

    fn load_none(&mut self) {
        self.load_const(Const::None);
    }

    fn load_str(&mut self, text: &str) {
        self.load_const(Const::Str(text.into()));
    }

    fn return_none(&mut self) {
        self.load_none();
        self.op(Opcode::ReturnValue);
    }

    /// Runs `inside` with instructions blamed on `range`.
    fn at<T>(&mut self, range: TextRange, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outer = mem::replace(&mut self.unit.at, range);
        let result = inside(self);
        self.unit.at = outer;
        result
    }

    /// An instruction whose operand is an attribute's or import's name, not mangled.
    fn name_op_plain(&mut self, op: Opcode, name: &str) {
        let index = match self.unit.names.get_index_of(name) {
            Some(index) => index,
            None => self.unit.names.insert_full(name.into()).0,
        };
        self.op_arg(op, index as u32);
    }

    /// An instruction whose operand is an attribute's name, mangled.
    fn name_op(&mut self, op: Opcode, name: &str) {
        match mangle(self.unit.class_name, name) {
            Some(mangled) => self.name_op_plain(op, &mangled),
            None => self.name_op_plain(op, name),
        }
    }

    fn mangled(&self, name: &str) -> Rc<str> {
        mangle(self.unit.class_name, name).map_or_else(|| name.into(), Rc::from)
    }

    /// Loads, stores or deletes a variable.
    fn variable(&mut self, name: &str, access: Access) -> Result<()> {
        let name = self.mangled(name);
        self.mangled_variable(name, access)
    }

    fn mangled_variable(&mut self, name: Rc<str>, access: Access) -> Result<()> {
        use Access::*;
        let function = self.unit.kind.is_function();
        let (name, resolution) = self.resolve(name);
        match resolution.unwrap_or(Resolution::GlobalImplicit) {
            Resolution::Free | Resolution::Cell => {
                let op = match access {
                    Load if self.unit.kind == ScopeKind::Class => Opcode::LoadClassDeref,
                    Load => Opcode::LoadDeref,
                    Store => Opcode::StoreDeref,
                    Delete => Opcode::DeleteDeref,
                };
                let index = match resolution {
                    Some(Resolution::Free) => self.unit.free_index(&name),
                    _ => self.unit.captured_index(&name),
                };
                let Some(index) = index else {
                    return self.internal(format!("no cell for '{name}'"));
                };
                self.op_arg(op, index);
            }
            Resolution::Local if function => {
                let op = match access {
                    Load => Opcode::LoadFast,
                    Store => Opcode::StoreFast,
                    Delete => Opcode::DeleteFast,
                };
                let index = self.unit.varnames.insert_full(name).0;
                self.op_arg(op, index as u32);
            }
            Resolution::GlobalImplicit | Resolution::GlobalExplicit
                if function || resolution == Some(Resolution::GlobalExplicit) =>
            {
                let op = match access {
                    Load => Opcode::LoadGlobal,
                    Store => Opcode::StoreGlobal,
                    Delete => Opcode::DeleteGlobal,
                };
                self.name_op_plain(op, &name);
            }
            _ => {
                let op = match access {
                    Load => Opcode::LoadName,
                    Store => Opcode::StoreName,
                    Delete => Opcode::DeleteName,
                };
                self.name_op_plain(op, &name);
            }
        }
        Ok(())
    }

    /// Where a mangled name lives, and its name there: a variable of an inlined comprehension is a hidden local of the unit.
    fn resolve(&self, name: Rc<str>) -> (Rc<str>, Option<Resolution>) {
        for (depth, inlining) in self.unit.inlined.iter().enumerate().rev() {
            let symbol = self.tables.scope(inlining.scope).symbol(&name);
            match symbol.map(|s| s.resolution) {
                Some(Resolution::Local) => {
                    let hidden = janus_bytecode::hidden_local(depth, &name);
                    return (hidden.into(), Some(Resolution::Local));
                }
                None | Some(Resolution::Free) => {}
                global => return (name, global),
            }
        }
        if self.unit.handed.contains(&name) {
            return (name, Some(Resolution::Local));
        }
        let symbol = self.tables.scope(self.unit.scope).symbol(&name);
        let resolution = symbol.map(|s| s.resolution);
        (name, resolution)
    }

    /// Whether a mangled name is a local here that has no cell.
    fn is_local(&self, name: &str) -> bool {
        self.resolve(name.into()).1 == Some(Resolution::Local)
    }

    /// A broken promise between the passes: reported, never a crash.
    fn internal<T>(&self, what: String) -> Result<T> {
        Err(Error::new(
            format!("internal compiler error: {what}"),
            self.unit.at,
        ))
    }

    fn first_line(&self, at: TextSize) -> u32 {
        self.source.line_of(at)
    }

    /// Starts the code object of an inner scope.
    fn enter(&mut self, id: ScopeId, name: Rc<str>, first_line: u32, class_name: Option<&'a str>) {
        let qualname = self.qualname_of(id, &name);
        let class_name = class_name.or(self.unit.class_name);
        let unit = Unit::new(self.tables, id, name, qualname, first_line, class_name);
        let outer = mem::replace(&mut self.unit, unit);
        self.unit.at = outer.at;
        self.outer.push(outer);
    }

    fn qualname_of(&self, id: ScopeId, name: &str) -> Rc<str> {
        if self.outer.is_empty() {
            return name.into();
        }
        let kind = self.tables.scope(id).kind;
        if matches!(kind, ScopeKind::Function | ScopeKind::Class) {
            let mangled = self.mangled(name);
            let scope = self.tables.scope(self.unit.scope);
            let resolution = scope.symbol(&mangled).map(|s| s.resolution);
            if resolution == Some(Resolution::GlobalExplicit) {
                return name.into();
            }
        }
        let parent = &self.unit.qualname;
        match self.unit.kind {
            ScopeKind::Function | ScopeKind::Lambda => format!("{parent}.<locals>.{name}").into(),
            _ => format!("{parent}.{name}").into(),
        }
    }

    /// Ends the code object of an inner scope.
    fn leave(&mut self) -> Result<Rc<Code>> {
        let code = self.finish_unit()?;
        match self.outer.pop() {
            Some(outer) => self.unit = outer,
            None => return self.internal("unbalanced scopes".to_owned()),
        }
        Ok(Rc::new(code))
    }

    fn finish_unit(&mut self) -> Result<Code> {
        let unit = &mut self.unit;
        if let Some(at) = unit.too_deep {
            return Err(Error::new("too many statically nested blocks", at));
        }
        let assembled = match mem::take(&mut unit.asm).finish() {
            Ok(assembled) => assembled,
            Err((pc, kind)) => {
                let what = format!("{} at {pc}: {kind}", unit.qualname);
                return self.internal(what);
            }
        };
        Ok(Code {
            name: unit.name.clone(),
            qualname: unit.qualname.clone(),
            filename: self.source.filename.clone(),
            first_line: unit.first_line,
            instrs: assembled.instrs,
            spans: assembled.spans,
            consts: mem::take(&mut unit.consts).finish(),
            names: unit.names.drain(..).collect(),
            varnames: unit.varnames.drain(..).collect(),
            cellvars: mem::take(&mut unit.cellvars),
            freevars: mem::take(&mut unit.freevars),
            argcount: unit.argcount,
            posonly_argcount: unit.posonly_argcount,
            kwonly_argcount: unit.kwonly_argcount,
            stack_size: assembled.stack_size,
            flags: unit.flags,
            exceptions: assembled.exceptions,
            inlined: assembled.inlined,
            doc: unit.doc.clone(),
        })
    }

    fn module_body(&mut self, body: &'a [Stmt]) -> Result<()> {
        if stmt::has_annotations(body) {
            self.op(Opcode::SetupAnnotations);
        }
        if let Some((doc, range)) = self.docstring(body) {
            self.unit.doc = Some(doc.into());
            self.at(range, |c| {
                c.load_str(doc);
                c.variable("__doc__", Access::Store)
            })?;
        }
        self.body(body)
    }

    fn exprs(&mut self, exprs: &'a [Expr]) -> Result<()> {
        exprs.iter().try_for_each(|e| self.expr(e))
    }

    fn body(&mut self, body: &'a [Stmt]) -> Result<()> {
        body.iter()
            .try_for_each(|s| self.at(s.range(), |c| c.stmt(s)))
    }
}
