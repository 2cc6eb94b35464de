//! The interpreter's state and what the rest of the program asks of it.
//!
//! In: registrations of builtins and modules, a compiler of source text, perhaps a [`Jit`].
//! Out: [`Interp`]. Always: the top of `frames` is the frame that called the code now running in
//! Rust; a frame being evaluated is owned by its eval loop and is put on `frames` around every
//! call out of it.

use std::any::Any;
use std::collections::HashMap;
use std::rc::Rc;

use janus_bytecode::{Code, Tree};
use janus_object::{
    Args, CodeObject, ExcKind, Instance, Name, PyDict, PyList, PyRef, PyResult, Raised, Value, Vm,
    attr, name, ops,
};

use crate::import::SourceModule;
use crate::{Frame, Jit, Output, Settings};

/// Makes a native module the first time it is imported.
pub type NativeModule = fn(&mut Interp) -> PyResult<Value>;

/// What a piece of source text is compiled as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A file or the argument of `exec`: statements.
    Module,
    /// The argument of `eval`: an expression, whose value the code returns.
    Eval,
    /// `compile(..., "single")`: expression statements show their value.
    Single,
}

/// Source text that does not compile; becomes a `SyntaxError` with these attributes.
#[derive(Clone, Debug)]
pub struct SourceError {
    /// `SyntaxError`, `IndentationError` or `TabError`; of a syntax tree also what it is if it is none.
    pub kind: ExcKind,
    /// What is wrong.
    pub message: String,
    /// Line, from 1.
    pub line: u32,
    /// First column, from 1, in characters.
    pub col: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_col: u32,
    /// The source line.
    pub text: Option<String>,
}

impl SourceError {
    /// What a front end says that lacks something.
    pub fn not_implemented(what: &str) -> Self {
        Self::of(ExcKind::NotImplementedError, what.to_owned())
    }

    /// An error that is no place in a text.
    pub fn of(kind: ExcKind, message: String) -> Self {
        SourceError {
            kind,
            message,
            line: 0,
            col: 0,
            end_line: 0,
            end_col: 0,
            text: None,
        }
    }
}

/// What the compiler warns of.
#[derive(Clone, Debug)]
pub struct SourceWarning {
    /// `SyntaxWarning` or `DeprecationWarning`.
    pub kind: ExcKind,
    /// What and where; the error that it becomes where a filter makes errors of warnings.
    pub error: SourceError,
}

/// How source text is compiled where `compile()` says so.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The level of `-O`, if it is another than that of the program.
    pub optimize: Option<u8>,
    /// Whether `from __future__ import annotations` is in force without standing there.
    pub annotations_as_texts: bool,
}

/// Compiles source text. The front end stands above the runtime, so it is handed in.
pub trait Compiler {
    /// Compiles `source`, which came from `filename`. What there is to warn of is added to `warnings`.
    fn compile(
        &self,
        source: &str,
        filename: &str,
        kind: SourceKind,
        manner: Manner,
        warnings: &mut Vec<SourceWarning>,
    ) -> Result<Rc<Code>, SourceError>;

    /// The syntax tree of source text.
    fn parse(
        &self,
        source: &str,
        filename: &str,
        kind: SourceKind,
        warnings: &mut Vec<SourceWarning>,
    ) -> Result<Tree, SourceError> {
        let _ = (source, filename, kind, warnings);
        Err(SourceError::not_implemented("no syntax trees here"))
    }

    /// Compiles a syntax tree; `optimize` as in [`Manner`].
    fn compile_tree(
        &self,
        tree: &Tree,
        filename: &str,
        optimize: Option<u8>,
        warnings: &mut Vec<SourceWarning>,
    ) -> Result<Rc<Code>, SourceError> {
        let _ = (tree, filename, optimize, warnings);
        Err(SourceError::not_implemented("no syntax trees here"))
    }

    /// Whether source text is the beginning of a statement.
    fn is_incomplete(&self, source: &str) -> bool {
        let _ = source;
        false
    }
}

/// Counters for `--stats`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Python frames entered in tier 0.
    pub frames: u64,
    /// Frames of calls that compiled code ran to their end.
    pub compiled_frames: u64,
    /// Times that the `Jit` was asked.
    pub jit_asked: u64,
    /// Times that it took over.
    pub jit_entered: u64,
}

/// The `Jit` and how often it is first asked.
pub(crate) struct JitHook {
    pub jit: Rc<dyn Jit>,
    pub first_entry: u32,
    pub first_loop: u32,
}

/// A call that is running as compiled code, which has no frame.
#[derive(Clone, Copy)]
pub struct Activation<'v> {
    /// Its code.
    pub code: &'v PyRef<CodeObject>,
    /// Its module's namespace.
    pub globals: &'v PyRef<PyDict>,
    /// The namespace behind that.
    pub builtins: &'v PyRef<PyDict>,
    /// The instruction that it is at.
    pub pc: u32,
}

/// The interpreter. One per process; its threads take turns (`threads`).
pub struct Interp {
    pub(crate) builtins: PyRef<PyDict>,
    pub(crate) modules: PyRef<PyDict>,
    pub(crate) path: PyRef<PyList>,
    pub(crate) argv: PyRef<PyList>,
    /// The environment whose packages are found.
    pub(crate) environment: Option<crate::site::Environment>,
    /// The entry of `sys.path` where what is built in would stand.
    pub(crate) library: Option<String>,
    pub(crate) native_modules: HashMap<String, NativeModule>,
    pub(crate) source_modules: HashMap<String, SourceModule>,
    pub(crate) compiler: Option<Rc<dyn Compiler>>,
    pub(crate) jit: Option<Rc<JitHook>>,
    /// The same while threads are traced, in which nothing compiled is entered.
    pub(crate) unasked: Option<Rc<JitHook>>,
    /// What the running thread is traced with.
    pub(crate) tracing: crate::tracing::Tracing,
    /// Whether something is to be told at its next call.
    pub(crate) traced: bool,
    /// The defaults of functions that have none.
    pub(crate) no_defaults: Rc<[Value]>,
    /// How many threads are traced.
    pub(crate) watched: usize,
    pub(crate) profiling: bool,
    #[allow(
        clippy::vec_box,
        reason = "frames are large and move between the stack, the pool and generators"
    )]
    pub(crate) frames: Vec<Box<Frame>>,
    #[allow(
        clippy::vec_box,
        reason = "frames are large and move between the stack, the pool and generators"
    )]
    pub(crate) pool: Vec<Box<Frame>>,
    /// The frame that yielded just now, until its generator takes it.
    pub(crate) suspended: Option<Box<Frame>>,
    /// How often something was thrown into a generator.
    pub(crate) thrown: u64,
    pub(crate) depth: usize,
    pub(crate) limit: usize,
    /// The exception handled by the script at the bottom and by each running generator above it.
    pub(crate) handled: Vec<Option<PyRef<Instance>>>,
    pub(crate) output: Output,
    pub(crate) native: HashMap<&'static str, Box<dyn Any>>,
    /// The running thread (`threads`).
    pub(crate) ident: u64,
    /// The main thread.
    pub(crate) main_ident: u64,
    /// What is called in a copy of the process.
    pub(crate) fork_hooks: Vec<Rc<dyn Fn()>>,
    /// The number of the next thread.
    pub(crate) next_ident: u64,
    /// What handles a signal.
    pub(crate) on_signal: Option<fn(&mut Interp, u32) -> PyResult<()>>,
    /// `gc.callbacks`
    pub(crate) gc_callbacks: PyRef<PyList>,
    /// `__build_class__`
    pub(crate) build_class: Value,
    /// Modules whose bodies are running.
    pub(crate) imports: crate::threads::Imports,
    /// What to call when the script ends: functions as they were registered, and with their arguments.
    pub(crate) at_exit: Vec<(Value, Value)>,
    /// Source lines for tracebacks, by file name.
    pub(crate) sources: HashMap<Rc<str>, Rc<str>>,
    /// What the command line says.
    pub(crate) settings: Settings,
    /// How long imports take, where that is to be told.
    pub(crate) import_times: Option<crate::import_times::ImportTimes>,
    /// What follows the script before the program ends (`-i`).
    pub(crate) inspect: Option<Inspect>,
    /// Counters.
    pub stats: Stats,
    /// Whether variables of running frames are looked at: the script says so, or it was done.
    pub(crate) variables_seen: bool,
}

/// What follows the script, given its exit code: gives the program's.
pub type Inspect = Box<dyn FnOnce(&mut Interp, i32) -> i32>;

/// The recursion limit that CPython starts with.
const RECURSION_LIMIT: usize = 1000;

impl Default for Interp {
    fn default() -> Self {
        Self::new()
    }
}

impl Interp {
    /// An interpreter without builtins, modules or compiler.
    pub fn new() -> Self {
        let mut interp = Interp {
            builtins: PyRef::new(PyDict::namespace()),
            modules: PyRef::new(PyDict::new()),
            path: PyRef::new(PyList::new(Vec::new())),
            argv: PyRef::new(PyList::new(Vec::new())),
            environment: None,
            library: None,
            native_modules: HashMap::new(),
            source_modules: HashMap::new(),
            compiler: None,
            jit: None,
            unasked: None,
            tracing: Default::default(),
            traced: false,
            no_defaults: Rc::from([]),
            watched: 0,
            profiling: true,
            frames: Vec::new(),
            pool: Vec::new(),
            suspended: None,
            thrown: 0,
            depth: 0,
            limit: RECURSION_LIMIT,
            handled: vec![None],
            output: Output::stdio(),
            native: HashMap::new(),
            ident: crate::threads::MAIN_THREAD,
            main_ident: crate::threads::MAIN_THREAD,
            fork_hooks: Vec::new(),
            next_ident: crate::threads::MAIN_THREAD + 1,
            on_signal: None,
            gc_callbacks: PyRef::default(),
            build_class: Value::None,
            imports: crate::threads::Imports::default(),
            at_exit: Vec::new(),
            sources: HashMap::new(),
            settings: Settings::default(),
            import_times: None,
            inspect: None,
            stats: Stats::default(),
            variables_seen: false,
        };
        crate::functions::install(&mut interp);
        interp
    }

    /// Sets what compiles source text.
    pub fn set_compiler(&mut self, compiler: Rc<dyn Compiler>) {
        self.compiler = Some(compiler);
    }

    /// Registers a module written in Rust under its dotted name; `make` runs at its first import.
    pub fn register_module(&mut self, name: &str, make: NativeModule) {
        self.native_modules.insert(name.to_owned(), make);
    }

    /// Registers a module written in Python and embedded in the program.
    pub fn register_source(&mut self, name: &str, is_package: bool, source: &'static str) {
        let module = SourceModule {
            is_package,
            source,
            code: None,
        };
        self.source_modules.insert(name.to_owned(), module);
    }

    /// Hands in the code of a registered module, as `janus_bytecode::pack` writes it, so that its text need not be
    /// compiled.
    pub fn register_code(&mut self, name: &str, code: &'static [u8]) {
        if let Some(module) = self.source_modules.get_mut(name) {
            module.code = Some(code);
        }
    }

    /// Adds a builtin.
    pub fn add_builtin(&mut self, name: &str, value: Value) {
        self.builtins.set_name(&Name::new(name), value);
    }

    /// Hands calls and loops to `jit` once their countdowns, which start at the given numbers,
    /// have run out.
    pub fn set_jit(
        &mut self,
        jit: Rc<dyn Jit>,
        first_entry_countdown: u32,
        first_loop_countdown: u32,
    ) {
        self.jit = Some(Rc::new(JitHook {
            jit,
            first_entry: first_entry_countdown,
            first_loop: first_loop_countdown,
        }));
    }

    /// Turns the filling of profiles on (as at the start) or off.
    pub fn set_profiling(&mut self, on: bool) {
        self.profiling = on;
    }

    /// Where standard output and error go.
    pub fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// Handles signals and lets other threads have their turns, if that was asked for.
    #[inline]
    pub fn check_breaker(&mut self) -> PyResult<()> {
        if janus_gil::pending::is_break_due() {
            self.take_break()
        } else {
            Ok(())
        }
    }

    /// What the command line says of the interpreter.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets that; before modules are imported.
    pub fn set_settings(&mut self, settings: Settings) {
        self.output.set_unbuffered(settings.unbuffered);
        self.import_times = crate::import_times::ImportTimes::wanted(&settings);
        self.settings = settings;
    }

    /// Sets what follows the script.
    pub fn set_inspect(&mut self, inspect: Inspect) {
        self.inspect = Some(inspect);
    }

    /// `sys.modules`
    pub fn modules(&self) -> &PyRef<PyDict> {
        &self.modules
    }

    /// `sys.path`
    pub fn path(&self) -> &PyRef<PyList> {
        &self.path
    }

    /// `sys.argv`
    pub fn argv(&self) -> &PyRef<PyList> {
        &self.argv
    }

    /// `sys.getrecursionlimit()`
    #[inline]
    pub fn recursion_limit(&self) -> usize {
        self.limit
    }

    /// `sys.setrecursionlimit()`
    pub fn set_recursion_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Frames and native levels that count towards the recursion limit.
    #[inline]
    pub fn recursion_depth(&self) -> usize {
        self.depth
    }

    /// Sets that number, for compiled code that counts its own activations.
    #[inline]
    pub fn set_recursion_depth(&mut self, depth: usize) {
        self.depth = depth;
    }

    /// Runs a frame that compiled code left from its `pc`, where `raised` is raised first, to its
    /// end.
    pub fn resume_frame(&mut self, frame: Box<Frame>, raised: Option<Raised>) -> PyResult {
        self.settle_due();
        self.eval_from(frame, raised)
    }

    /// How many frames were begun, in whichever tier: whether Python ran in between.
    #[inline]
    pub fn frames_begun(&self) -> u64 {
        self.stats.frames + self.stats.compiled_frames
    }

    /// Whether Python that is called may ask for the variables of the frames that call it, which compiled code cannot
    /// show.
    #[inline]
    pub fn looks_at_variables(&self) -> bool {
        self.variables_seen
    }

    /// Shows an activation that has no frame, the innermost one, to Python that is called from now on.
    pub fn show_activation(&mut self, activation: Activation<'_>) {
        let mut frame = self.take_frame(activation.code, activation.globals);
        if !PyRef::ptr_eq(&frame.builtins, activation.builtins) {
            frame.builtins = activation.builtins.clone();
        }
        frame.pc = activation.pc;
        self.frames.push(frame);
    }

    /// The activation that was shown last is at another instruction now.
    pub fn move_shown(&mut self, pc: u32) {
        if let Some(view) = self.frames.last_mut() {
            view.pc = pc;
        }
    }

    /// Ends that for all but the outermost `count` frames.
    #[inline]
    pub fn hide_activations(&mut self, count: usize) {
        while self.frames.len() > count {
            if let Some(view) = self.frames.pop() {
                self.recycle(view);
            }
        }
    }

    /// Does what is owed to objects that compiled code dropped.
    pub fn settle_due(&mut self) {
        if janus_object::heap::is_pending() {
            self.settle();
        }
    }

    /// The frame that called the native code now running; for the n-th caller see [`Self::frames`].
    pub fn current_frame(&self) -> Option<&Frame> {
        self.frames.last().map(|f| &**f)
    }

    /// The active frames, innermost last.
    #[inline]
    pub fn frames(&self) -> &[Box<Frame>] {
        &self.frames
    }

    /// `globals()` of the calling frame.
    pub fn current_globals(&self) -> PyResult<PyRef<PyDict>> {
        match self.current_frame() {
            Some(frame) => Ok(frame.globals.clone()),
            None => Err(Raised::new(
                ExcKind::SystemError,
                "globals() without a frame",
            )),
        }
    }

    /// `locals()` of the calling frame: the namespace itself in modules and class bodies, a
    /// snapshot in functions.
    pub fn current_locals(&self) -> PyResult {
        match self.current_frame() {
            Some(frame) => Ok(frame.locals_value()),
            None => Err(Raised::new(
                ExcKind::SystemError,
                "locals() without a frame",
            )),
        }
    }

    /// Compiles source text as `compile()`, `exec()` and `eval()` do.
    pub fn compile(
        &mut self,
        source: &str,
        filename: &str,
        kind: SourceKind,
    ) -> PyResult<PyRef<CodeObject>> {
        self.compile_with(source, filename, kind, 0, None)
    }

    /// Compiles as `compile()` does with these flags and this level of optimization.
    pub(crate) fn compile_with(
        &mut self,
        source: &str,
        filename: &str,
        kind: SourceKind,
        flags: i64,
        optimize: Option<u8>,
    ) -> PyResult<PyRef<CodeObject>> {
        /// `PyCF_ALLOW_INCOMPLETE_INPUT`, with which `codeop` tells what goes on in further lines.
        const ALLOW_INCOMPLETE: i64 = 0x4000;
        /// `CO_FUTURE_ANNOTATIONS`
        const ANNOTATIONS: i64 = 0x100_0000;
        let Some(compiler) = self.compiler.clone() else {
            return Err(Raised::new(ExcKind::SystemError, "no compiler is set"));
        };
        if flags & ALLOW_INCOMPLETE != 0 && compiler.is_incomplete(source) {
            return Err(Raised::new(ExcKind::SyntaxError, "incomplete input"));
        }
        let manner = Manner {
            optimize,
            annotations_as_texts: flags & ANNOTATIONS != 0,
        };
        // Packages mention them, too, where they show errors: of those only what they do counts.
        if source.contains("f_locals") && !filename.contains("-packages") {
            self.variables_seen = true;
        }
        let mut warnings = Vec::new();
        let compiled = compiler.compile(source, filename, kind, manner, &mut warnings);
        self.warn_of_source(&warnings, filename)?;
        match compiled {
            Ok(code) => Ok(self.code_object(code)),
            Err(error) => Err(crate::exceptions::syntax_error(&error, filename)),
        }
    }

    /// The syntax tree of source text, as `compile()` returns it.
    pub(crate) fn parse(&mut self, source: &str, filename: &str, kind: SourceKind) -> PyResult {
        let Some(compiler) = self.compiler.clone() else {
            return Err(Raised::new(ExcKind::SystemError, "no compiler is set"));
        };
        let mut warnings = Vec::new();
        let parsed = compiler.parse(source, filename, kind, &mut warnings);
        self.warn_of_source(&warnings, filename)?;
        match parsed {
            Ok(tree) => self.tree_object(&tree),
            Err(error) => Err(crate::exceptions::syntax_error(&error, filename)),
        }
    }

    /// Compiles a syntax tree that a script made.
    pub(crate) fn compile_tree(
        &mut self,
        tree: &Tree,
        filename: &str,
        kind: SourceKind,
        optimize: Option<u8>,
    ) -> PyResult<PyRef<CodeObject>> {
        let Some(compiler) = self.compiler.clone() else {
            return Err(Raised::new(ExcKind::SystemError, "no compiler is set"));
        };
        let wanted = match kind {
            SourceKind::Module => "Module",
            SourceKind::Eval => "Expression",
            SourceKind::Single => "Interactive",
        };
        if let Tree::Node(node) = tree
            && node.name != wanted
        {
            return Err(Raised::type_error(format!(
                "expected {wanted} node, got {}",
                node.name
            )));
        }
        let mut warnings = Vec::new();
        let compiled = compiler.compile_tree(tree, filename, optimize, &mut warnings);
        self.warn_of_source(&warnings, filename)?;
        match compiled {
            Ok(code) => Ok(self.code_object(code)),
            Err(error) => Err(crate::exceptions::syntax_error(&error, filename)),
        }
    }

    /// Hands the compiler's warnings to `warnings.warn_explicit`; one that a filter makes an error of is a `SyntaxError`.
    fn warn_of_source(&mut self, warnings: &[SourceWarning], filename: &str) -> PyResult<()> {
        if warnings.is_empty() {
            return Ok(());
        }
        let module = janus_object::Vm::import(self, "warnings")?;
        let warn = janus_object::attr::get(self, &module, name!("warn_explicit"))?;
        for warning in warnings {
            let class = Value::Class(warning.kind.class());
            let args = [
                Value::str(warning.error.message.as_str()),
                class,
                Value::str(filename),
                Value::Int(i64::from(warning.error.line)),
            ];
            if let Err(raised) = self.call(&warn, Args::new(&args)) {
                return Err(match raised.is(warning.kind) {
                    true => crate::exceptions::syntax_error(&warning.error, filename),
                    false => raised,
                });
            }
        }
        Ok(())
    }

    /// Prepares code for running.
    pub(crate) fn code_object(&self, code: Rc<Code>) -> PyRef<CodeObject> {
        CodeObject::new(code)
    }

    /// Runs code in a namespace: `exec(code, globals, locals)`; the value is that of an
    /// expression compiled with [`SourceKind::Eval`].
    pub fn exec(
        &mut self,
        code: &PyRef<CodeObject>,
        globals: &PyRef<PyDict>,
        locals: Option<&PyRef<PyDict>>,
    ) -> PyResult {
        let locals = Value::Dict(locals.unwrap_or(globals).clone());
        self.exec_in(code, globals, &locals)
    }

    /// The same where the locals are any mapping.
    pub(crate) fn exec_in(
        &mut self,
        code: &PyRef<CodeObject>,
        globals: &PyRef<PyDict>,
        locals: &Value,
    ) -> PyResult {
        if globals.get_name(name!("__builtins__")).is_none() {
            // The module in the script itself, its dict in all other namespaces.
            let main = self.modules.get_str("__main__");
            let builtins = match main {
                Some(Value::Module(main)) if PyRef::ptr_eq(&main.dict, globals) => {
                    self.import_module("builtins")?
                }
                _ => Value::Dict(self.builtins.clone()),
            };
            globals.set_name(name!("__builtins__"), builtins);
        }
        globals.note_builtins(&self.builtins);
        let mut frame = self.new_frame(code, globals);
        match locals {
            Value::Dict(dict) => frame.namespace = Some(dict.clone()),
            mapping => {
                frame.namespace = Some(PyRef::new(PyDict::new()));
                frame.mapping = Some(mapping.clone());
            }
        }
        frame.builtins = self.builtins_of(globals);
        self.eval(frame)
    }

    /// The names behind globals: their `__builtins__`, a module or its dict.
    pub(crate) fn builtins_of(&self, globals: &PyRef<PyDict>) -> PyRef<PyDict> {
        if !globals.has_own_builtins() {
            return self.builtins.clone();
        }
        globals.builtins().unwrap_or_else(|| self.builtins.clone())
    }

    /// Writes an internal inconsistency as an exception; verified code never gets here.
    pub(crate) fn internal(&self, what: &str) -> Raised {
        Raised::new(ExcKind::SystemError, what)
    }
}

impl Vm for Interp {
    fn call(&mut self, callable: &Value, args: Args<'_>) -> PyResult {
        self.call_value(callable, args)
    }

    fn import(&mut self, name: &str) -> PyResult {
        self.import_module(name)
    }

    fn write_stdout(&mut self, text: &str) -> PyResult<()> {
        janus_object::text::check_utf8(text)?;
        self.output
            .write(text)
            .map_err(|e| Raised::io_error(&e, None))
    }

    fn write_stderr(&mut self, text: &str) -> PyResult<()> {
        if janus_bytecode::surrogate::has_surrogates(text) {
            return self.write_stderr(&janus_object::text::without_surrogates(text));
        }
        self.output
            .write_error(text)
            .map_err(|e| Raised::io_error(&e, None))
    }

    fn enter(&mut self) -> PyResult<()> {
        if self.depth >= self.limit {
            return Err(crate::exceptions::recursion_error());
        }
        self.depth += 1;
        Ok(())
    }

    fn poll(&mut self) -> PyResult<()> {
        self.handle_signals()
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn handled_exception(&self) -> Option<PyRef<Instance>> {
        self.handled.iter().rev().find_map(Clone::clone)
    }

    fn builtins(&self) -> PyRef<PyDict> {
        self.builtins.clone()
    }

    fn drain(
        &mut self,
        generator: &PyRef<janus_object::Generator>,
        sink: &mut dyn FnMut(Value) -> bool,
    ) -> PyResult<bool> {
        self.drain_generator(generator, sink)
    }

    fn frame_of(&mut self, entry: &janus_object::TracebackEntry) -> Value {
        self.frame_of_entry(entry)
    }

    fn current_module(&self) -> Option<Value> {
        self.frames.last()?.globals.get_name(name!("__name__"))
    }

    fn native_state(&mut self) -> &mut HashMap<&'static str, Box<dyn Any>> {
        &mut self.native
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn call_method(&mut self, object: &Value, name: &Name, args: Args<'_>) -> PyResult {
        let (callable, receiver) = attr::load_method(self, object, name)?;
        match receiver {
            None => self.call_value(&callable, args),
            Some(receiver) => self.call_with_first(&callable, &receiver, args),
        }
    }
}

impl Interp {
    /// The text of a value as `str()` gives it; what cannot be printed says so, as tracebacks do.
    pub(crate) fn safe_str(&mut self, value: &Value) -> String {
        match janus_object::text::str(self, value) {
            Ok(text) => text,
            Err(_) => "<exception str() failed>".to_owned(),
        }
    }

    /// The length of an iterable that was collected.
    pub(crate) fn collect(&mut self, iterable: &Value) -> PyResult<Vec<Value>> {
        ops::collect(self, iterable)
    }
}
