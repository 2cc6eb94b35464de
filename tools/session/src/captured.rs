//! Runs of scripts whose output is kept, for tests.
//!
//! In: a script. Out: what it printed, and its exit code. Always: it runs on a thread with a stack that is large enough
//! for deep recursion, in an interpreter of its own.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use janus_interp::{Interp, Outcome};

/// Native stack for deep recursion in an unoptimised build.
const STACK: usize = 512 << 20;

/// What a script printed, and its exit code.
#[derive(Debug)]
pub struct Printed {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The exit code.
    pub code: i32,
}

/// Keeps what is written into any of its clones.
#[derive(Clone, Default)]
pub struct Sink(Rc<RefCell<Vec<u8>>>);

impl Sink {
    /// What was written so far.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.borrow()).into_owned()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs `body` on a thread with a large stack.
///
/// # Panics
/// Where the thread cannot be made, or `body` panics.
pub fn on_large_stack<T: Send>(body: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, body);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(value)) => value,
            Ok(Err(panicked)) => std::panic::resume_unwind(panicked),
            Err(e) => std::panic::resume_unwind(Box::new(format!("no thread for a test: {e}"))),
        }
    })
}

/// Runs something in a plain interpreter; `prepare` may change that first.
///
/// # Panics
/// As [`on_large_stack`].
pub fn run_captured(
    prepare: impl FnOnce(&mut Interp) + Send,
    run: impl FnOnce(&mut Interp) -> Outcome + Send,
) -> Printed {
    on_large_stack(|| {
        let (out, err) = (Sink::default(), Sink::default());
        let mut vm = crate::plain();
        vm.output()
            .redirect(Box::new(out.clone()), Box::new(err.clone()));
        prepare(&mut vm);
        let code = run(&mut vm).code;
        Printed {
            out: out.text(),
            err: err.text(),
            code,
        }
    })
}
