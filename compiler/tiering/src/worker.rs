//! The background thread that compiles graphs.
//!
//! In: graphs, which own no Python object. Out: compiled code, or why not. Always: one thread, one
//! job at a time; a panic in the compiler is a failed job.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use janus_codegen::{CompileOptions, Compiled, Stage, Target};
use janus_dialect::Graph;

use crate::emit::{Emit, EmitStage};

/// A graph to compile.
pub(crate) struct Job {
    /// Which region asked.
    pub region: usize,
    pub graph: Graph,
    /// The function, for `--emit-filter`, and `function/version`.
    pub function: String,
    pub name: String,
}

/// What became of a job.
pub(crate) struct Done {
    pub region: usize,
    pub result: Result<Compiled, String>,
    pub time: Duration,
}

/// Compiles one graph on this thread.
pub(crate) fn compile(job: Job, emit: &Emit) -> Done {
    let start = Instant::now();
    let Job {
        region,
        graph,
        function,
        name,
    } = job;
    let mut sink = |stage: Stage, text: &str| {
        if let Some(stage) = EmitStage::from_name(stage.name()) {
            emit.text(stage, &function, &name, text);
        }
    };
    let emit_hook: Option<&mut dyn FnMut(Stage, &str)> = if emit.wants_compiled(&function) {
        Some(&mut sink)
    } else {
        None
    };
    let options = CompileOptions {
        target: Target::Cpu,
        emit: emit_hook,
        ..CompileOptions::default()
    };
    let compiled =
        std::panic::catch_unwind(AssertUnwindSafe(|| janus_codegen::compile(graph, options)));
    let result = match compiled {
        Ok(Ok(compiled)) => Ok(compiled),
        Ok(Err(e)) => Err(e.to_string()),
        Err(_) => Err("the compiler panicked".to_owned()),
    };
    if let Err(e) = &result {
        tracing::error!("{name}: {e}");
    }
    Done {
        region,
        result,
        time: start.elapsed(),
    }
}

/// The thread, started with its first job.
pub(crate) struct Worker {
    emit: Arc<Emit>,
    jobs: Option<Sender<Job>>,
    done: Option<Receiver<Done>>,
    pending: usize,
}

impl Worker {
    pub fn new(emit: Arc<Emit>) -> Self {
        Worker {
            emit,
            jobs: None,
            done: None,
            pending: 0,
        }
    }

    /// Hands a job to the thread; gives it back as failed when there is no thread.
    pub fn submit(&mut self, job: Job) -> Result<(), Box<Done>> {
        if self.jobs.is_none() {
            let (jobs, inbox) = channel::<Job>();
            let (outbox, done) = channel::<Done>();
            let emit = self.emit.clone();
            let thread = std::thread::Builder::new()
                .name("janus-compile".to_owned())
                // LLVM and MLIR recurse deeply on large functions.
                .stack_size(64 << 20)
                .spawn(move || {
                    while let Ok(job) = inbox.recv() {
                        if outbox.send(compile(job, &emit)).is_err() {
                            break;
                        }
                    }
                });
            if thread.is_ok() {
                self.jobs = Some(jobs);
                self.done = Some(done);
            }
        }
        let region = job.region;
        match &self.jobs {
            Some(jobs) if jobs.send(job).is_ok() => {
                self.pending += 1;
                Ok(())
            }
            _ => Err(Box::new(Done {
                region,
                result: Err("no thread to compile on".to_owned()),
                time: Duration::ZERO,
            })),
        }
    }

    /// A finished job, without waiting.
    pub fn poll(&mut self) -> Option<Done> {
        if self.pending == 0 {
            return None;
        }
        let done = self.done.as_ref()?.try_recv().ok()?;
        self.pending -= 1;
        Some(done)
    }
}
