//! Threads: what each has for itself, how they take turns, how they wait.
//!
//! In: `start_thread`, code that waits. Out: operating-system threads that work with the one [`Interp`], one at a time
//! (`janus_gil`). Always: while no thread has its turn, the interpreter holds no thread's state: who gives the turn away sets
//! its own aside first.

use std::collections::HashMap;
use std::io;
use std::ptr::NonNull;
use std::time::Duration;

use janus_gil::clocks::{Clock, timed};
use janus_gil::{lock, pending};
use janus_object::{ExcKind, Instance, PyRef, PyResult, Raised};

use crate::{Frame, Interp};

/// How often a thread that waits looks whether a signal came.
const SLICE: Duration = Duration::from_millis(50);

/// How often it is looked whether the import of another thread is done.
const IMPORT_SLICE: Duration = Duration::from_millis(1);

/// The number of the main thread; as `_thread.get_ident()` gives it.
pub const MAIN_THREAD: u64 = 1;

/// What belongs to one thread.
pub(crate) struct ThreadState {
    pub ident: u64,
    #[allow(clippy::vec_box, reason = "they come from the interpreter's stack")]
    frames: Vec<Box<Frame>>,
    depth: usize,
    handled: Vec<Option<PyRef<Instance>>>,
    tracing: crate::tracing::Tracing,
    traced: bool,
}

impl ThreadState {
    fn new(ident: u64) -> Self {
        ThreadState {
            ident,
            frames: Vec::new(),
            depth: 0,
            handled: vec![None],
            tracing: Default::default(),
            traced: false,
        }
    }
}

/// Something that another thread will have, with the turn.
struct Handed<T>(T);

// SAFETY: it is made and opened by threads that have the lock; between the two nobody looks inside.
unsafe impl<T> Send for Handed<T> {}

impl<T> Handed<T> {
    fn open(self) -> T {
        self.0
    }
}

/// Modules whose bodies are running, and who waits for them.
#[derive(Default)]
pub(crate) struct Imports {
    running: HashMap<String, u64>,
    waiting: HashMap<u64, String>,
}

impl Imports {
    pub fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    pub fn is_running(&self, module: &str) -> bool {
        self.running.contains_key(module)
    }

    pub fn begin(&mut self, module: &str, thread: u64) {
        self.running.insert(module.to_owned(), thread);
    }

    pub fn end(&mut self, module: &str) {
        self.running.remove(module);
    }

    /// Whether another thread runs the body of a module, and does not wait itself, directly or not, for this thread.
    fn is_worth_waiting(&self, module: &str, thread: u64) -> bool {
        let Some(mut owner) = self.running.get(module) else {
            return false;
        };
        while *owner != thread {
            let awaited = self.waiting.get(owner);
            match awaited.and_then(|module| self.running.get(module)) {
                Some(next) => owner = next,
                None => return true,
            }
        }
        false
    }
}

impl Interp {
    /// Waits until no other thread runs the body of a module; where they wait for each other, the module is taken as it is.
    pub(crate) fn await_import(&mut self, full: &str) -> PyResult<()> {
        let mut result = Ok(());
        while result.is_ok() && self.imports.is_worth_waiting(full, self.ident) {
            self.imports.waiting.insert(self.ident, full.to_owned());
            self.allow_threads(|| std::thread::sleep(IMPORT_SLICE));
            result = self.handle_signals();
        }
        self.imports.waiting.remove(&self.ident);
        result
    }

    /// The number of the running thread.
    pub fn thread_ident(&self) -> u64 {
        self.ident
    }

    /// Whether the main thread runs.
    pub fn is_main_thread(&self) -> bool {
        self.ident == self.main_ident
    }

    /// Puts the state of the running thread aside.
    fn set_aside(&mut self) -> ThreadState {
        let nobody = ThreadState::new(0);
        self.exchange(nobody)
    }

    /// Takes the state of a thread whose turn it is.
    fn take_back(&mut self, state: ThreadState) {
        let nobody = self.exchange(state);
        debug_assert!(nobody.frames.is_empty() && nobody.ident == 0);
        if self.is_main_thread() {
            pending::remind_of_signals();
        }
    }

    fn exchange(&mut self, mut state: ThreadState) -> ThreadState {
        std::mem::swap(&mut self.ident, &mut state.ident);
        std::mem::swap(&mut self.frames, &mut state.frames);
        std::mem::swap(&mut self.depth, &mut state.depth);
        std::mem::swap(&mut self.handled, &mut state.handled);
        std::mem::swap(&mut self.tracing, &mut state.tracing);
        std::mem::swap(&mut self.traced, &mut state.traced);
        state
    }

    /// Starts a thread that runs `body` when its turn comes.
    pub fn start_thread(
        &mut self,
        stack: usize,
        body: impl FnOnce(&mut Interp) + 'static,
    ) -> io::Result<u64> {
        lock::share();
        let ident = self.next_ident;
        let handed = Handed((NonNull::from(&mut *self), body));
        std::thread::Builder::new()
            .name(format!("python-{ident}"))
            .stack_size(stack)
            .spawn(move || {
                janus_gil::signals::block();
                janus_gil::acquire();
                let (mut interp, body) = handed.open();
                // SAFETY: the interpreter stays where it is and alive until `janus_gil::close`, after which `acquire`
                // does not return. Whoever else has a reference to it waits in `allow_threads` or `hand_over` for the
                // lock that is held here, and takes its own state back before it goes on.
                let vm = unsafe { interp.as_mut() };
                vm.take_back(ThreadState::new(ident));
                body(vm);
                vm.settle();
                vm.set_watcher(crate::Watcher::Trace, None);
                vm.set_watcher(crate::Watcher::Profile, None);
                drop(vm.set_aside());
                lock::release();
            })?;
        self.next_ident += 1;
        Ok(ident)
    }

    /// Runs `f`, which touches nothing of the interpreter, while other threads have their turns.
    pub fn allow_threads<R: Send>(&mut self, f: impl FnOnce() -> R + Send) -> R {
        timed(Clock::Waiting, || {
            if !lock::is_shared() {
                return f();
            }
            let state = self.set_aside();
            let result = janus_gil::allow_threads(f);
            self.take_back(state);
            result
        })
    }

    /// Hands the turn over if another thread asks for it.
    fn hand_over(&mut self) {
        if lock::is_wanted() {
            let state = self.set_aside();
            janus_gil::yield_to_others();
            self.take_back(state);
        }
    }

    /// Waits, while other threads have their turns, until `wait` has a result; it waits for the given time at most.
    /// Signals are handled meanwhile, and may raise.
    pub fn wait_for<R: Send>(
        &mut self,
        mut wait: impl FnMut(Duration) -> Option<R> + Send,
    ) -> PyResult<R> {
        let sees_signals = self.is_main_thread();
        loop {
            let result = self.allow_threads(|| {
                loop {
                    if let Some(result) = wait(SLICE) {
                        return Some(result);
                    }
                    if sees_signals && pending::signal_waits() {
                        return None;
                    }
                }
            });
            match result {
                Some(result) => {
                    self.handle_signals()?;
                    return Ok(result);
                }
                None => self.handle_signals()?,
            }
        }
    }

    /// Where the evaluation stops for a moment: handles signals, hands the turn over.
    #[cold]
    #[inline(never)]
    pub(crate) fn take_break(&mut self) -> PyResult<()> {
        pending::begin_break();
        self.handle_signals()?;
        self.hand_over();
        Ok(())
    }

    /// Handles the signals that came; the main thread does that, the others leave them to it.
    pub fn handle_signals(&mut self) -> PyResult<()> {
        if pending::take_memory_exceeded() {
            return Err(Raised::new(ExcKind::MemoryError, ""));
        }
        if !self.is_main_thread() {
            pending::leave_signals();
            return Ok(());
        }
        while let Some(signal) = pending::take_signal() {
            match self.on_signal {
                Some(handle) => handle(self, signal)?,
                None => return Err(Raised::with_args(ExcKind::KeyboardInterrupt, Vec::new())),
            }
        }
        Ok(())
    }

    /// Has `hook` called in each copy of the process.
    pub fn when_forked(&mut self, hook: impl Fn() + 'static) {
        self.fork_hooks.push(std::rc::Rc::new(hook));
    }

    /// Copies the process: 0 in the copy, where this thread is the main one and the only one.
    pub fn fork(&mut self) -> io::Result<i32> {
        let pid = janus_gil::fork()?;
        if pid == 0 {
            self.main_ident = self.ident;
            for hook in self.fork_hooks.clone() {
                hook();
            }
        }
        Ok(pid)
    }

    /// What was printed so far is to be seen while the program waits.
    pub fn flush_before_waiting(&mut self) {
        // Who prints next is told that it cannot be written.
        let _ = self.output.flush();
    }

    /// Sets what handles signals, instead of KeyboardInterrupt for all.
    pub fn set_signal_handler(&mut self, handle: fn(&mut Interp, u32) -> PyResult<()>) {
        self.on_signal = Some(handle);
    }
}
