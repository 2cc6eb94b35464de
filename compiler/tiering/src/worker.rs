//! The background thread that compiles graphs.
//!
//! In: graphs, which own no Python object. Out: compiled code, or why not. Always: one thread, one
//! job at a time, and behind the script where cores are short; a panic in the compiler is a failed job.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use janus_codegen::{CompileError, CompileOptions, Compiled, Emulation, Object, Stage, Target};
use janus_dialect::{Graph, Limitation, Origin, Passes};

use crate::cache::{Cache, Key};
use crate::emit::{Emit, EmitStage};
use crate::trace::{Lane, Trace, What};

/// A graph to compile.
pub(crate) struct Job {
    /// Which region asked.
    pub region: usize,
    pub graph: Graph,
    /// The function, for `--emit-filter`, and `function/version`.
    pub function: String,
    pub name: String,
    pub passes: Passes,
    /// As [`Options::emulate`](crate::Options::emulate).
    pub emulate: Option<u64>,
    /// As [`Plan::on_device`](janus_plan::Plan::on_device).
    pub on_device: bool,
}

impl Job {
    /// What its code is kept under.
    pub fn key(&self) -> Key {
        Key::new(&self.graph, &TARGET, self.passes)
    }
}

/// What graphs are compiled for.
const TARGET: Target = Target::Cpu;

/// What became of a job.
pub(crate) struct Done {
    pub region: usize,
    pub result: Result<Compiled, Failed>,
    /// The ops of the graph, which the code tells of by their numbers.
    pub origins: Vec<Origin>,
    /// It came from the cache on disk.
    pub cached: bool,
    pub time: Duration,
}

/// Whether an earlier run began with what is being compiled now, too, and ended before it was there.
#[derive(Clone, Copy, Default)]
pub(crate) enum Again {
    /// It was not looked at yet.
    #[default]
    Unknown,
    No,
    Yes(Key),
}

/// Why a graph was not compiled.
pub(crate) enum Failed {
    /// There is no form for something in it: in words, and the user's line.
    Limit(String, u32),
    /// A branch gives a tensor another name (`mayAddAsAWhole` in Autodiff.cpp): with the sides of such branches apart
    /// there is a graph.
    Names(String, u32),
    /// The compiler is wrong.
    Defect(String),
}

impl Failed {
    fn of(e: &CompileError) -> Failed {
        match e.limitation() {
            Some((Limitation::Gradient | Limitation::Device, text, line)) => {
                Failed::Limit(text.to_owned(), line)
            }
            Some((Limitation::AnotherName, text, line)) => Failed::Names(text.to_owned(), line),
            None => Failed::Defect(e.to_string()),
        }
    }
}

/// Compiles one graph on this thread, or takes its code from the cache. `again`: where the script may end before.
pub(crate) fn compile(
    job: Job,
    emit: &Emit,
    cache: Option<&Cache>,
    trace: Option<(&Trace, Lane)>,
    again: Option<&Mutex<Again>>,
) -> Done {
    let start = Instant::now();
    let is_again = |now: Again| {
        if let Some(Ok(mut again)) = again.map(Mutex::lock) {
            *again = now;
        }
    };
    let Job {
        region,
        graph,
        function,
        name,
        passes,
        emulate,
        on_device,
    } = job;
    let origins = graph.origins();
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
    let mut cached = false;
    let compiled = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let target = TARGET;
        let key = cache.map(|cache| (cache, Key::new(&graph, &target, passes)));
        // Code from the cache has no stages to show and does not time its kernels.
        if emit_hook.is_none()
            && trace.is_none()
            && let Some((cache, key)) = key
            && let Some(compiled) = from_cache(cache, key, &name)
        {
            cached = true;
            return Ok(compiled);
        }
        is_again(match (key, again, trace) {
            (Some((cache, key)), Some(_), None) if cache.begin(key) => Again::Yes(key),
            _ => Again::No,
        });
        let options = CompileOptions {
            target,
            passes,
            device: emit.wants_device(&function),
            emulate: emulate.map(|seed| Emulation {
                name: &name,
                seed,
                counts: on_device,
            }),
            emit: emit_hook,
            time_kernels: trace.is_some(),
            whole_texts: emit.dir.is_some(),
            ..CompileOptions::default()
        };
        let object = Object::build(graph, options).inspect_err(|_| {
            // Nobody stays for what has no code.
            if let (Some((cache, key)), Some(_)) = (key, again) {
                cache.give_up(key);
            }
        })?;
        if trace.is_none()
            && let Some((cache, key)) = key
        {
            cache.store(key, &object);
        }
        let compiled = object.load()?;
        tracing::debug!("{name}: {}", compiled.stats());
        Ok(compiled)
    }));
    is_again(Again::Unknown);
    let result = match compiled {
        Ok(compiled) => compiled.map_err(|e| Failed::of(&e)),
        Err(_) => Err(Failed::Defect("the compiler panicked".to_owned())),
    };
    if let Err(Failed::Defect(e)) = &result {
        tracing::error!("{name}: {e}");
    }
    if let Some((trace, lane)) = trace {
        trace.span(lane, What::Compile, &format!("compile {name}"), start);
        if let Ok(compiled) = &result {
            record_stages(trace, lane, start, compiled);
        }
    }
    Done {
        region,
        result,
        origins,
        cached,
        time: start.elapsed(),
    }
}

/// The stages of a compile, which ran one after the other.
fn record_stages(trace: &Trace, lane: Lane, start: Instant, compiled: &Compiled) {
    let stats = compiled.stats();
    let mut at = start;
    for (name, time) in [
        ("graph", stats.graph),
        ("linalg", stats.linalg),
        ("buffers", stats.buffers),
        ("llvm", stats.llvm),
        ("optimize", stats.optimize),
        ("emit", stats.emit),
        ("link", stats.link),
    ] {
        trace.lasted(lane, What::Compile, name, at, time);
        at += time;
    }
}

fn from_cache(cache: &Cache, key: Key, name: &str) -> Option<Compiled> {
    match cache.load(key)?.load() {
        Ok(compiled) => {
            tracing::debug!("{name}: from the cache");
            Some(compiled)
        }
        Err(e) => {
            tracing::info!("{name}: cached code does not link: {e}");
            cache.discard(key);
            None
        }
    }
}

/// How much nicer than the script's threads the compiling thread is. Where there are fewer cores than
/// threads, it gets about a quarter of one: the script is not slowed down much, and does get compiled.
#[cfg(target_os = "linux")]
const NICENESS: libc::c_int = 6;

/// How often it is looked whether a run that stays for its code was interrupted.
const LOOKS_AGAIN: Duration = Duration::from_millis(20);

/// Lets other threads go first from now on.
fn step_back() {
    // Elsewhere the call would be about the whole process.
    #[cfg(target_os = "linux")]
    // SAFETY: the call takes numbers only. 0 is the calling thread; failure changes nothing.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, NICENESS);
    }
}

/// The thread, started with its first job.
pub(crate) struct Worker {
    emit: Arc<Emit>,
    cache: Option<Arc<Cache>>,
    trace: Option<Arc<Trace>>,
    jobs: Option<Sender<Job>>,
    done: Option<Receiver<Done>>,
    pending: usize,
    /// Whether there can be no thread any more.
    is_lost: bool,
    again: Arc<Mutex<Again>>,
}

impl Worker {
    pub fn new(emit: Arc<Emit>, cache: Option<Arc<Cache>>, trace: Option<Arc<Trace>>) -> Self {
        Worker {
            emit,
            cache,
            trace,
            jobs: None,
            done: None,
            pending: 0,
            is_lost: false,
            again: Arc::default(),
        }
    }

    /// In a copy of the process, in which the thread is missing: another one is started when it is needed, unless the first
    /// one was at work, in the middle of what threads of a process share (LLVM).
    pub fn leave_behind(&mut self) {
        self.is_lost = self.pending > 0;
        self.pending = 0;
        self.jobs = None;
        self.done = None;
    }

    /// Hands a job to the thread; gives it back as failed when there is no thread.
    pub fn submit(&mut self, job: Job) -> Result<(), Box<Done>> {
        if self.jobs.is_none() && !self.is_lost {
            let (jobs, inbox) = channel::<Job>();
            let (outbox, done) = channel::<Done>();
            let (emit, cache) = (self.emit.clone(), self.cache.clone());
            let (trace, again) = (self.trace.clone(), self.again.clone());
            let thread = std::thread::Builder::new()
                .name("janus-compile".to_owned())
                // LLVM and MLIR recurse deeply on large functions.
                .stack_size(64 << 20)
                .spawn(move || {
                    janus_gil::signals::block();
                    step_back();
                    // The latest request first: it is what runs now, and a loop that is asked for after the
                    // functions that it calls has them inlined.
                    let mut waiting = Vec::new();
                    loop {
                        waiting.extend(inbox.try_iter());
                        let Some(job) = waiting.pop().or_else(|| inbox.recv().ok()) else {
                            break;
                        };
                        let trace = trace.as_deref().map(|t| (t, Lane::Compile));
                        let done = compile(job, &emit, cache.as_deref(), trace, Some(&again));
                        if outbox.send(done).is_err() {
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
                result: Err(Failed::Defect("no thread to compile on".to_owned())),
                origins: Vec::new(),
                cached: false,
                time: Duration::ZERO,
            })),
        }
    }

    /// After the script: stays for code that an earlier run did not stay for, so that the next one has it; for `most`
    /// at most, and until `interrupted`.
    pub fn stay(&mut self, most: Duration, interrupted: fn() -> bool) {
        let (Some(done), Some(cache)) = (&self.done, &self.cache) else {
            return;
        };
        let began = Instant::now();
        while self.pending > 0 && !interrupted() {
            let Ok(again) = self.again.lock().map(|again| *again) else {
                return;
            };
            match again {
                Again::No => return,
                Again::Yes(key) if began.elapsed() >= most => return cache.give_up(key),
                Again::Unknown if began.elapsed() >= most => return,
                Again::Unknown | Again::Yes(_) => {}
            }
            match done.recv_timeout(LOOKS_AGAIN) {
                Ok(_) => self.pending -= 1,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
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

#[cfg(test)]
mod tests {
    use janus_codegen::CompileError;
    use janus_dialect::{Diagnostic, Diagnostics, DialectError, Limitation};

    use super::Failed;

    fn failed(limitation: Option<Limitation>) -> Failed {
        let message = "'janus.gradient' op a gradient has no graph form yet";
        let diagnostic = Diagnostic {
            text: format!("/a/b.py:12:3: error: {message}\n  note: x"),
            message: message.to_owned(),
            line: 12,
            limitation,
        };
        Failed::of(&CompileError::Dialect {
            stage: "janus-graph-opt",
            source: DialectError::Mlir {
                action: "running passes",
                diagnostics: Diagnostics(vec![diagnostic]),
            },
        })
    }

    #[test]
    fn what_has_no_form_is_no_error() {
        assert!(matches!(
            failed(Some(Limitation::Gradient)),
            Failed::Limit(text, 12) if text == "a gradient has no graph form yet"
        ));
        assert!(matches!(
            failed(Some(Limitation::AnotherName)),
            Failed::Names(_, 12)
        ));
        // The words alone say nothing.
        assert!(matches!(failed(None), Failed::Defect(_)));
    }
}
