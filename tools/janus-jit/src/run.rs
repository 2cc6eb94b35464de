//! One run of a script.
//!
//! In: options. Out: the exit code; emitted stages, statistics. Always: what was measured is
//! written even when the script raised.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use janus_interp::{Interp, Outcome, Settings};
use janus_object::{CodeObject, PyRef, Value};
use janus_session::FrontEnd;
use janus_tiering::{Emit, EmitStage, Lane, Options, Tiering, What, full_name};

use crate::Explain;
use crate::frontend::ShowingFrontEnd;
use crate::report::Story;

/// Stack of the interpreter's thread: enough for `sys.setrecursionlimit(20000)`.
pub const STACK: usize = 2 << 30;

/// Where the script's text is.
pub enum Script {
    /// In a file.
    File(PathBuf),
    /// On the command line.
    Text(String),
    /// On standard input.
    Stdin,
    /// In a module of this name.
    Module(String),
    /// Nowhere: there is only the prompt.
    Prompt,
}

/// What to run, and how.
pub struct Job {
    pub options: Options,
    pub emit: Arc<Emit>,
    pub stats: Option<PathBuf>,
    pub trace: Option<PathBuf>,
    pub report: Option<PathBuf>,
    pub explain: Explain,
    pub script: Script,
    pub args: Vec<String>,
    pub settings: Settings,
    pub default_device: Option<janus_tensor::Device>,
    pub start: Instant,
}

impl Job {
    /// Runs the script and returns its exit code.
    pub fn run(self) -> i32 {
        let front_end = ShowingFrontEnd {
            plain: FrontEnd {
                optimize: self.settings.optimize,
            },
            emit: self.emit.clone(),
        };
        let mut vm = janus_session::interpreter(Rc::new(front_end), self.settings.clone());
        if let Some(device) = self.default_device {
            janus_tensor::device::set_default_device(device);
        }
        vm.search_installed();
        janus_stdlib::catch_interrupts();
        {
            let name = match &self.script {
                Script::File(path) => path.to_string_lossy().into_owned(),
                Script::Text(_) => "-c".to_owned(),
                Script::Stdin => "-".to_owned(),
                Script::Module(_) => "-m".to_owned(),
                Script::Prompt => String::new(),
            };
            let mut argv = vec![Value::str(name)];
            argv.extend(self.args.iter().map(|a| Value::str(a.as_str())));
            *vm.argv().items.borrow_mut() = argv;
        }
        if self.explain != Explain::No {
            // The report is what goes to standard output.
            vm.output()
                .redirect(Box::new(std::io::sink()), Box::new(std::io::stderr()));
        }
        if self.emit.stages.contains(&EmitStage::Profile) {
            janus_interp::describe_profiles(janus_tiering::describe_kind);
        }
        let tiering = Rc::new(Tiering::new(self.options.clone(), self.emit.clone()));
        tiering.install(&mut vm);
        if self.stats.is_some() || self.report.is_some() {
            janus_gil::clocks::measure();
        }
        let startup = self.start.elapsed();
        self.span(What::Process, "start-up", self.start);
        let began = Instant::now();
        if self.settings.inspect || matches!(self.script, Script::Prompt) {
            let quiet = self.settings.quiet || !matches!(self.script, Script::Prompt);
            vm.set_inspect(Box::new(move |vm, _| crate::repl::run(vm, quiet)));
        }
        let outcome = match &self.script {
            Script::File(path) => vm.run_file(path),
            Script::Text(text) => vm.run_text(text.clone().into_bytes(), janus_bytecode::COMMAND),
            Script::Stdin => run_stdin(&mut vm),
            Script::Module(module) => vm.run_named(module),
            Script::Prompt => vm.run_nothing(),
        };
        self.span(What::Interpreter, "script", began);
        let ended = Instant::now();
        janus_stdlib::finish(&mut vm);
        self.span(What::Process, "finish", ended);
        let mut code = outcome.code;
        if let Some(difference) = tiering.difference() {
            eprintln!("janus-jit: {difference}");
            code = janus_tiering::EXIT_DEFECT;
        }
        for difference in janus_codegen::emulation_tally().map_or_else(Vec::new, |t| t.different) {
            eprintln!("janus-jit: on the emulated GPU: {difference}");
            code = janus_tiering::EXIT_DEFECT;
        }
        let report = tiering.report(self.start.elapsed(), startup);
        if self.emit.stages.contains(&EmitStage::Profile) {
            self.emit_profiles(&tiering.codes());
        }
        let text = match self.explain {
            _ if !outcome.began => None,
            Explain::No => None,
            Explain::Text => Some(Ok(tiering.explain().text())),
            Explain::Json => Some(json(&tiering.explain())),
        };
        match text {
            Some(Ok(text)) => code = code.max(print(&text)),
            Some(Err(e)) => {
                eprintln!("janus-jit: cannot write the report: {e}");
                code = 2;
            }
            None => {}
        }
        if let Some(path) = &self.stats {
            code = code.max(written(path, write_json(path, &report)));
        }
        if let (Some(path), Some(trace)) = (&self.trace, &self.options.trace) {
            code = code.max(written(path, write_json(path, &trace.json())));
        }
        if let (Some(path), Some(trace)) = (&self.report, &self.options.trace) {
            let script = match &self.script {
                Script::File(path) => path.to_string_lossy().into_owned(),
                Script::Text(_) => janus_bytecode::COMMAND.to_owned(),
                Script::Stdin | Script::Prompt => janus_bytecode::STDIN.to_owned(),
                Script::Module(module) => module.clone(),
            };
            let story = Story {
                script: &script,
                stats: &report,
                explanation: &tiering.explain(),
                trace,
                pictures: &tiering.pictures(),
            };
            code = code.max(written(path, std::fs::write(path, story.page())));
        }
        if let Some(failure) = self.emit.failure() {
            eprintln!("janus-jit: {failure}");
            code = 2;
        }
        if outcome.code == 0 {
            tiering.stay(
                ended.duration_since(began),
                janus_gil::pending::signal_waits,
            );
        }
        if janus_gil::is_forked() {
            // The thread that waits for this one is not in the copy of the process.
            crate::leave(code);
        }
        code
    }

    fn span(&self, what: What, name: &str, start: Instant) {
        if let Some(trace) = &self.options.trace {
            trace.span(Lane::Main, what, name, start);
        }
    }

    /// The profile of each code object that is not shown as part of another one.
    fn emit_profiles(&self, codes: &[PyRef<CodeObject>]) {
        let emit = &self.emit;
        let shown: Vec<&PyRef<CodeObject>> = codes
            .iter()
            .filter(|c| !c.code.is_library())
            .filter(|c| emit.wants(EmitStage::Profile, &full_name(&c.code)))
            .collect();
        for code in &shown {
            if shown.iter().any(|outer| holds(outer, code)) {
                continue;
            }
            let text = janus_interp::profile_text(code);
            let name = full_name(&code.code);
            emit.text(EmitStage::Profile, &name, &code.code.qualname, &text);
        }
    }
}

/// Whether `inner` is nested in `outer`.
fn holds(outer: &CodeObject, inner: &PyRef<CodeObject>) -> bool {
    outer.consts.iter().any(|constant| match constant {
        Value::Code(code) => PyRef::ptr_eq(code, inner) || holds(code, inner),
        _ => false,
    })
}

fn run_stdin(vm: &mut Interp) -> Outcome {
    let mut bytes = Vec::new();
    match std::io::stdin().read_to_end(&mut bytes) {
        Ok(_) => vm.run_text(bytes, janus_bytecode::STDIN),
        Err(e) => {
            eprintln!("janus-jit: cannot read standard input: {e}");
            Outcome {
                code: 2,
                began: false,
            }
        }
    }
}

/// Prints a report; gives the exit code.
pub fn print(text: &str) -> i32 {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => 0,
        // The reader has seen enough.
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(e) => {
            eprintln!("janus-jit: cannot write to standard output: {e}");
            2
        }
    }
}

fn json(report: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

fn write_json(path: &Path, content: &impl serde::Serialize) -> std::io::Result<()> {
    std::fs::write(path, json(content)?)
}

/// Says what could not be written; gives the exit code.
fn written(path: &Path, result: std::io::Result<()>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(e) => {
            eprintln!("janus-jit: cannot write {}: {e}", path.display());
            2
        }
    }
}
