//! The prompt.
//!
//! In: what is typed, or lines of standard input. Out: what the statements print, in the namespace of `__main__`.
//! Always: an exception is shown and the prompt comes back; `exit()` and the end of input leave.

use std::cell::RefCell;
use std::io::{BufRead as _, IsTerminal as _, Write as _};

use janus_interp::{Interp, SourceKind};
use janus_object::{Args, ExcKind, Name, PyModule, PyRef, PyResult, Value, Vm as _, attr, ops};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor, Helper};

/// Lines that are kept for the next time.
const HISTORY: usize = 2000;

/// Runs the prompt; gives the program's exit code.
pub fn run(vm: &mut Interp, quiet: bool) -> i32 {
    let Ok(main) = vm.main_module() else {
        return janus_tiering::EXIT_DEFECT;
    };
    if !quiet {
        let _ = vm.write_stderr(&format!(
            "Python 3.11 by janus-jit {}\nType \"help\" or \"copyright\" for more information.\n",
            env!("CARGO_PKG_VERSION")
        ));
    }
    startup(vm, &main);
    if std::io::stdin().is_terminal() {
        return typed(vm, &main);
    }
    let mut lines = std::io::stdin().lock().lines();
    loop {
        let mut source = String::new();
        loop {
            let prompt = prompt(vm, if source.is_empty() { "ps1" } else { "ps2" });
            let _ = vm.write_stderr(&prompt);
            let Some(Ok(line)) = lines.next() else {
                let _ = vm.write_stderr("\n");
                // What was begun may be whole without a blank line.
                return if source.trim().is_empty() {
                    0
                } else {
                    statement(vm, &main, &source).unwrap_or(0)
                };
            };
            source.push_str(&line);
            source.push('\n');
            if !janus_syntax::is_incomplete(&source) {
                break;
            }
        }
        if let Some(code) = statement(vm, &main, &source) {
            return code;
        }
    }
}

/// At a terminal: lines are edited, kept and completed.
fn typed(vm: &mut Interp, main: &PyRef<PyModule>) -> i32 {
    let config = Config::builder().max_history_size(HISTORY);
    let config = config.map(|c| c.completion_type(rustyline::CompletionType::List).build());
    let editor = config.and_then(Editor::<Prompt<'_>, DefaultHistory>::with_config);
    let mut editor = match editor {
        Ok(editor) => editor,
        Err(e) => {
            eprintln!("janus-jit: no prompt on this terminal: {e}");
            return 2;
        }
    };
    let history = std::env::var_os("PYTHON_HISTORY")
        .map(std::path::PathBuf::from)
        .or_else(|| {
            Some(std::path::PathBuf::from(std::env::var_os("HOME")?).join(".python_history"))
        });
    if let Some(history) = &history {
        // The first time there is none.
        let _ = editor.load_history(history);
    }
    editor.set_helper(Some(Prompt {
        vm: RefCell::new(vm),
        main: main.clone(),
    }));
    let code = loop {
        let Some(helper) = editor.helper() else {
            break 2;
        };
        let first = prompt(&mut helper.vm.borrow_mut(), "ps1");
        let read = editor.readline(&first);
        let Some(helper) = editor.helper() else {
            break 2;
        };
        match read {
            Ok(line) => {
                let source = format!("{line}\n");
                let ended = statement(&mut helper.vm.borrow_mut(), main, &source);
                if !line.trim().is_empty() {
                    let _ = editor.add_history_entry(line.trim_end());
                }
                if let Some(code) = ended {
                    break code;
                }
            }
            Err(ReadlineError::Interrupted) => {
                let _ = helper.vm.borrow_mut().write_stderr("KeyboardInterrupt\n");
            }
            Err(ReadlineError::Eof) => break 0,
            Err(e) => {
                eprintln!("janus-jit: cannot read what is typed: {e}");
                break 2;
            }
        }
    };
    if let Some(history) = &history {
        let _ = editor.save_history(history);
    }
    code
}

/// `sys.ps1` or `sys.ps2` as text.
fn prompt(vm: &mut Interp, which: &str) -> String {
    let set = match vm.import("sys") {
        Ok(sys) => attr::get_opt(vm, &sys, &Name::new(which)).ok().flatten(),
        Err(_) => None,
    };
    let text = set.and_then(|value| janus_object::text::str(vm, &value).ok());
    text.map_or_else(String::new, |t| t.to_string())
}

/// Runs the file that `PYTHONSTARTUP` names.
fn startup(vm: &mut Interp, main: &PyRef<PyModule>) {
    let Some(file) = vm.settings().variable("PYTHONSTARTUP") else {
        return;
    };
    match std::fs::read_to_string(&file) {
        Ok(source) => {
            let ran = vm
                .compile(&source, &file, SourceKind::Module)
                .and_then(|code| vm.exec(&code, &main.dict, None));
            if let Err(raised) = ran {
                vm.report(&raised.0);
            }
        }
        Err(e) => eprintln!("Could not open PYTHONSTARTUP\n{e}"),
    }
}

/// Runs one statement; gives the exit code if it ends the program.
fn statement(vm: &mut Interp, main: &PyRef<PyModule>, source: &str) -> Option<i32> {
    let ran = vm
        .compile(source, janus_bytecode::STDIN, SourceKind::Single)
        .and_then(|code| vm.exec(&code, &main.dict, None));
    let _ = vm.output().flush();
    let _ = std::io::stdout().flush();
    match ran {
        Ok(_) => None,
        Err(raised) if raised.is(ExcKind::SystemExit) => Some(vm.exit_code(&raised.0)),
        Err(raised) => {
            vm.report(&raised.0);
            None
        }
    }
}

/// What the line editor asks.
struct Prompt<'a> {
    vm: RefCell<&'a mut Interp>,
    main: PyRef<PyModule>,
}

impl Helper for Prompt<'_> {}
impl Highlighter for Prompt<'_> {}
impl Hinter for Prompt<'_> {
    type Hint = String;
}

impl Validator for Prompt<'_> {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let source = format!("{}\n", context.input());
        Ok(if janus_syntax::is_incomplete(&source) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

impl Completer for Prompt<'_> {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = line.get(..at).unwrap_or(line);
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let start = before.rfind(|c| !is_part(c)).map_or(0, |i| {
            i + before[i..].chars().next().map_or(1, char::len_utf8)
        });
        let word = before.get(start..).unwrap_or_default();
        if word.is_empty() {
            return Ok((at, vec!["    ".to_owned()]));
        }
        let found = self.candidates(word).unwrap_or_default();
        Ok((start, found))
    }
}

impl Prompt<'_> {
    /// What a name or a chain of attributes may become. Attributes are read, nothing else runs.
    fn candidates(&self, word: &str) -> PyResult<Vec<String>> {
        let mut vm = self.vm.borrow_mut();
        let vm: &mut Interp = &mut vm;
        let Some((owner, last)) = word.rsplit_once('.') else {
            let mut names: Vec<Value> = self.main.dict.keys();
            names.extend(janus_object::Vm::builtins(vm).keys());
            let keywords = vm.import("keyword")?;
            let keywords = attr::get(vm, &keywords, &Name::new("kwlist"))?;
            names.extend(ops::collect(vm, &keywords)?);
            return Ok(matching(&names, "", word));
        };
        let mut parts = owner.split('.');
        let first = parts.next().unwrap_or_default();
        let found = self.main.dict.get_str(first);
        let Some(mut object) = found.or_else(|| janus_object::Vm::builtins(vm).get_str(first))
        else {
            return Ok(Vec::new());
        };
        for part in parts {
            object = attr::get(vm, &object, &Name::new(part))?;
        }
        let Some(dir) = janus_object::Vm::builtins(vm).get_str("dir") else {
            return Ok(Vec::new());
        };
        let names = vm.call(&dir, Args::new(&[object]))?;
        let names = ops::collect(vm, &names)?;
        let hidden = !last.starts_with('_');
        let names: Vec<Value> = names
            .into_iter()
            .filter(|n| !(hidden && n.as_str().is_some_and(|n| n.starts_with('_'))))
            .collect();
        Ok(matching(&names, &format!("{owner}."), last))
    }
}

/// The names that begin so, each with what stands before it.
fn matching(names: &[Value], prefix: &str, begin: &str) -> Vec<String> {
    let mut found: Vec<String> = names
        .iter()
        .filter_map(Value::as_str)
        .filter(|name| name.starts_with(begin))
        .map(|name| format!("{prefix}{name}"))
        .collect();
    found.sort();
    found.dedup();
    found
}
