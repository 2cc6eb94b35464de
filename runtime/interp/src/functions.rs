//! Making functions, and the builtins that need the interpreter itself.
//!
//! In: `MAKE_FUNCTION`, and calls of `__build_class__`, `globals`, `locals`, `exec`, `eval`,
//! `compile` and `__import__`. Out: function objects and results. Always: those builtins act on
//! the frame that called them.

use std::rc::Rc;

use janus_bytecode::MakeFunctionFlags;
use janus_object::{
    Args, CodeObject, ExcKind, Name, NativeDef, PyDict, PyFunction, PyRef, PyResult, Raised,
    Signature, Value, Vm, name, ops,
};

use crate::{Interp, SourceKind};

/// Puts the builtins of this crate into the builtins namespace.
pub(crate) fn install(interp: &mut Interp) {
    let natives = [
        NativeDef::function("builtins.globals", globals).asks_caller(),
        NativeDef::function("builtins.locals", locals).asks_caller(),
        NativeDef::function("builtins.exec", exec).asks_caller(),
        NativeDef::function("builtins.eval", eval).asks_caller(),
        NativeDef::function("builtins.compile", compile),
        NativeDef::function("builtins.__import__", import).asks_caller(),
    ];
    for native in natives {
        interp.add_builtin(native.short_name(), native.to_value());
    }
    let build_class =
        NativeDef::function("builtins.__build_class__", crate::build_class::build_class)
            .asks_caller()
            .to_value();
    interp.add_builtin("__build_class__", build_class.clone());
    interp.build_class = build_class;
}

/// The interpreter behind a [`Vm`].
pub(crate) fn interp_of(vm: &mut dyn Vm) -> PyResult<&mut Interp> {
    vm.as_any()
        .downcast_mut::<Interp>()
        .ok_or_else(|| Raised::system_error("another interpreter's builtin"))
}

impl Interp {
    /// `MakeFunction`, with its operands, the last of which comes first.
    ///
    /// # Errors
    /// Operands that are none.
    pub fn make_function(
        &self,
        globals: &PyRef<PyDict>,
        flags: u32,
        mut operands: impl Iterator<Item = Value>,
    ) -> PyResult {
        let mut pop = || operands.next();
        let Some(Value::Code(code)) = pop() else {
            return Err(self.internal("no code object"));
        };
        let closure: Rc<[_]> = match flags & MakeFunctionFlags::CLOSURE {
            0 => Rc::from([]),
            _ => match pop() {
                Some(Value::Tuple(cells)) => cells
                    .items
                    .iter()
                    .filter_map(|cell| match cell {
                        Value::Cell(cell) => Some(cell.clone()),
                        _ => None,
                    })
                    .collect(),
                _ => return Err(self.internal("no closure")),
            },
        };
        let annotations = if flags & MakeFunctionFlags::ANNOTATIONS != 0 {
            pop()
        } else {
            None
        };
        let kw_defaults = match flags & MakeFunctionFlags::KW_DEFAULTS {
            0 => None,
            _ => match pop() {
                Some(Value::Dict(dict)) => Some(dict),
                _ => return Err(self.internal("no keyword defaults")),
            },
        };
        let defaults: Rc<[Value]> = match flags & MakeFunctionFlags::DEFAULTS {
            0 => self.no_defaults.clone(),
            _ => match pop() {
                Some(Value::Tuple(values)) => values.items.iter().cloned().collect(),
                _ => return Err(self.internal("no defaults")),
            },
        };
        let function = PyFunction::new(code, globals.clone(), defaults, kw_defaults, closure);
        *function.annotations.borrow_mut() = annotations;
        Ok(Value::Function(PyRef::new(function)))
    }
}

fn globals(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.exactly::<0>("globals")?;
    Ok(Value::Dict(interp_of(vm)?.current_globals()?))
}

fn locals(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.exactly::<0>("locals")?;
    interp_of(vm)?.current_locals()
}

/// The namespaces that `exec` and `eval` run in.
fn namespaces(
    interp: &Interp,
    function: &str,
    globals: Option<Value>,
    locals: Option<Value>,
) -> PyResult<(PyRef<PyDict>, Value)> {
    let given = |v: Option<Value>| v.filter(|v| !v.is_none());
    let is_mapping =
        |v: &Value| v.as_dict().is_some() || ops::special(v, name!("__getitem__")).is_some();
    let (globals, locals) = (given(globals), given(locals));
    if let Some(locals) = locals.as_ref().filter(|v| !is_mapping(v)) {
        return Err(Raised::type_error(match function {
            "eval" => "locals must be a mapping".to_owned(),
            _ => format!(
                "locals must be a mapping or None, not {}",
                locals.type_name()
            ),
        }));
    }
    // One of a class of the script's answers for itself: names are looked up in it as in locals.
    let answers = globals
        .clone()
        .filter(|globals| matches!(globals, Value::Instance(_)));
    let globals = match &globals {
        None => None,
        Some(globals) => Some(globals.as_dict().cloned().ok_or_else(|| {
            Raised::type_error(match function {
                "eval" if is_mapping(globals) => {
                    "globals must be a real dict; try eval(code, {}, mapping)".to_owned()
                }
                "eval" => "globals must be a dict".to_owned(),
                _ => format!(
                    "{function}() globals must be a dict, not {}",
                    globals.type_name()
                ),
            })
        })?),
    };
    Ok(match (globals, locals) {
        (None, None) => (interp.current_globals()?, interp.current_locals()?),
        (None, Some(locals)) => (interp.current_globals()?, locals),
        (Some(globals), Some(locals)) => (globals, locals),
        (Some(globals), None) => {
            let locals = answers.unwrap_or_else(|| Value::Dict(globals.clone()));
            (globals, locals)
        }
    })
}

/// The code of `exec`'s or `eval`'s first argument.
fn code_of(
    interp: &mut Interp,
    function: &str,
    source: &Value,
    kind: SourceKind,
) -> PyResult<PyRef<CodeObject>> {
    match source {
        Value::Code(code) => Ok(code.clone()),
        other => {
            let text = source_text(interp, function, other)?;
            let text = match kind {
                SourceKind::Eval => text.trim_start_matches([' ', '\t']),
                _ => &*text,
            };
            interp.compile(text, "<string>", kind)
        }
    }
}

fn source_text(interp: &mut Interp, function: &str, value: &Value) -> PyResult<String> {
    if let Some(text) = value.as_str() {
        // As it is encoded before it is read: what cannot be is no text of a program.
        let lone = text
            .chars()
            .position(janus_bytecode::surrogate::is_surrogate);
        if let Some(at) = lone {
            return Err(Raised::unicode_error(
                ExcKind::UnicodeEncodeError,
                "utf-8",
                value.clone(),
                at..at + 1,
                "surrogates not allowed",
            ));
        }
        return Ok(text.to_owned());
    }
    match janus_object::buffer::buffer_bytes(value) {
        Some(bytes) => crate::source::decode_given(interp, bytes),
        None => Err(Raised::type_error(format!(
            "{function}() arg 1 must be a string, bytes or code object"
        ))),
    }
}

fn exec(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static PARAMS: Signature<4> =
        Signature::new("exec", ["source", "globals", "locals", "closure"])
            .required(1)
            .positional_only(3)
            .keyword_only(3);
    let [source, globals, locals, closure] = PARAMS.parse(args)?;
    let interp = interp_of(vm)?;
    let (globals, locals) = namespaces(interp, "exec", globals, locals)?;
    let code = code_of(
        interp,
        "exec",
        &source.unwrap_or(Value::None),
        SourceKind::Module,
    )?;
    match closure.filter(|cells| !cells.is_none()) {
        Some(_) if code.code.freevars.is_empty() => {
            return Err(Raised::type_error(
                "cannot use a closure with this code object",
            ));
        }
        Some(_) => return Err(Raised::not_implemented("exec() with closure")),
        None => refuse_free_variables("exec", &code)?,
    }
    interp.exec_in(&code, &globals, &locals)?;
    Ok(Value::None)
}

fn eval(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static PARAMS: Signature<3> =
        Signature::positional("eval", ["source", "globals", "locals"]).required(1);
    let [source, globals, locals] = PARAMS.parse(args)?;
    let interp = interp_of(vm)?;
    let (globals, locals) = namespaces(interp, "eval", globals, locals)?;
    let code = code_of(
        interp,
        "eval",
        &source.unwrap_or(Value::None),
        SourceKind::Eval,
    )?;
    refuse_free_variables("eval", &code)?;
    interp.exec_in(&code, &globals, &locals)
}

/// Code that captures variables has no cells here.
fn refuse_free_variables(function: &str, code: &CodeObject) -> PyResult<()> {
    if code.code.freevars.is_empty() {
        return Ok(());
    }
    Err(Raised::type_error(match function {
        "eval" => "code object passed to eval() may not contain free variables".to_owned(),
        _ => format!(
            "code object requires a closure of exactly length {}",
            code.code.freevars.len()
        ),
    }))
}

/// The flags that ask for what there is not.
const MISSING_FLAGS: [(i64, &str); 2] = [
    (0x1000, "with types in comments"),
    (0x2000, "with await at the top level"),
];
/// `PyCF_ONLY_AST`
const ONLY_AST: i64 = 0x400;
/// What `compile()` takes: the `CO_FUTURE_` flags, all of which but annotations are always on, and the `PyCF_` ones.
const KNOWN_FLAGS: i64 = 0x1fe_0000 | 0x7600 | 0x10;

fn compile(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static PARAMS: Signature<7> = Signature::new(
        "compile",
        [
            "source",
            "filename",
            "mode",
            "flags",
            "dont_inherit",
            "optimize",
            "_feature_version",
        ],
    )
    .required(3)
    .keyword_only(6);
    let [source, filename, mode, flags, _, optimize, version] = PARAMS.parse(args)?;
    let version = version.map_or(Ok(-1), |v| ops::as_index(vm, &v))?;
    if (0..11).contains(&version) {
        return Err(Raised::not_implemented(
            "compile() of an older version's grammar is not implemented in janus-jit",
        ));
    }
    let (source, filename) = (
        source.unwrap_or(Value::None),
        filename.unwrap_or(Value::None),
    );
    let mode = mode.unwrap_or(Value::None);
    let filename = filename.as_str().unwrap_or("<string>").to_owned();
    let kind = match mode.as_str() {
        Some("eval") => SourceKind::Eval,
        Some("exec") => SourceKind::Module,
        Some("single") => SourceKind::Single,
        _ => {
            return Err(Raised::value_error(
                "compile() mode must be 'exec', 'eval' or 'single'",
            ));
        }
    };
    let flags = flags.map_or(Ok(0), |f| ops::as_index(vm, &f))?;
    if flags & !KNOWN_FLAGS != 0 {
        return Err(Raised::value_error("compile(): unrecognised flags"));
    }
    for (flag, what) in MISSING_FLAGS {
        if flags & flag != 0 {
            let message = format!("compile() {what} is not implemented in janus-jit");
            return Err(Raised::new(ExcKind::NotImplementedError, message));
        }
    }
    let optimize = match optimize.map_or(Ok(-1), |o| ops::as_index(vm, &o))? {
        -1 => None,
        level @ 0..=2 => Some(level as u8),
        _ => return Err(Raised::value_error("compile(): invalid optimize value")),
    };
    let interp = interp_of(vm)?;
    if interp.is_tree(&source)? {
        if flags & ONLY_AST != 0 {
            return Ok(source);
        }
        let tree = interp.tree_of(&source)?;
        let code = interp.compile_tree(&tree, &filename, kind, optimize)?;
        return Ok(Value::Code(code));
    }
    let text = source_text(interp, "compile", &source)?;
    janus_object::text::check_utf8(&text)?;
    if flags & ONLY_AST != 0 {
        return interp.parse(&text, &filename, kind);
    }
    let code = interp.compile_with(&text, &filename, kind, flags, optimize)?;
    Ok(Value::Code(code))
}

fn import(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static PARAMS: Signature<5> = Signature::new(
        "__import__",
        ["name", "globals", "locals", "fromlist", "level"],
    )
    .required(1);
    let [module, globals, _, from_list, level] = PARAMS.parse(args)?;
    let Some(module) = module.as_ref().and_then(Value::as_str).map(Name::new) else {
        return Err(Raised::type_error("__import__() argument 1 must be str"));
    };
    let level = level.unwrap_or(Value::Int(0));
    if level.as_int().is_some_and(|level| level < 0) {
        return Err(Raised::value_error("level must be >= 0"));
    }
    let from_list = match from_list {
        // An empty list means what None means.
        Some(list) if ops::truth(vm, &list)? => list,
        _ => Value::None,
    };
    let interp = interp_of(vm)?;
    let globals = match globals.as_ref().and_then(Value::as_dict) {
        Some(globals) => globals.clone(),
        None => match interp.current_globals() {
            Ok(globals) => globals,
            Err(_) => PyRef::new(PyDict::new()),
        },
    };
    interp.import_name(&module, &globals, &from_list, &level)
}
