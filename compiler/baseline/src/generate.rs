//! From Cranelift's IR to memory that can run: on this thread, or on one of its own.
//!
//! In: the functions of a region, with the module that declares them. Out: [`Machine`]. Always: one module a region, freed
//! with it, also where nobody takes the result.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use cranelift_codegen::Context;
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module as _};

use crate::lower::failed;
use crate::{Refused, RefusedFor};

/// A module that is freed when it is dropped.
pub(crate) struct Owned(Option<JITModule>);

impl Owned {
    pub fn new(module: JITModule) -> Owned {
        Owned(Some(module))
    }

    /// The module, which is there until this is dropped.
    pub fn get(&mut self) -> Result<&mut JITModule, Refused> {
        self.0.as_mut().ok_or_else(|| failed("no module"))
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: an address of its code is only handed out by `Machine::entry`, whose users promise not to run the
            // code, or to hold an address, after the machine is dropped.
            unsafe { module.free_memory() }
        }
    }
}

/// Functions that are still to be generated.
pub(crate) struct Functions {
    module: Owned,
    bodies: Vec<(FuncId, Context)>,
    entry: FuncId,
}

/// Machine code of a region.
pub(crate) struct Machine {
    module: Owned,
    entry: FuncId,
    /// How long generating it took.
    pub took: Duration,
}

impl Functions {
    pub fn new(module: Owned, bodies: Vec<(FuncId, Context)>, entry: FuncId) -> Functions {
        Functions {
            module,
            bodies,
            entry,
        }
    }

    /// Generates them on this thread.
    pub fn generate(self) -> Result<Machine, Refused> {
        let began = Instant::now();
        let Functions {
            mut module,
            bodies,
            entry,
        } = self;
        let code = module.get()?;
        for (id, mut body) in bodies {
            code.define_function(id, &mut body)
                .map_err(|e| failed(format!("{e:?}")))?;
        }
        code.finalize_definitions().map_err(failed)?;
        Ok(Machine {
            module,
            entry,
            took: began.elapsed(),
        })
    }
}

impl Machine {
    /// The address of the entry, which must not be used after the machine is dropped.
    pub fn entry(&self) -> Option<*const u8> {
        let module = self.module.0.as_ref()?;
        Some(module.get_finalized_function(self.entry))
    }
}

/// What comes of a job.
pub(crate) type Generated = Receiver<Result<Machine, Refused>>;

struct Job {
    functions: Functions,
    done: Sender<Result<Machine, Refused>>,
}

/// A thread that generates code, started with its first job.
#[derive(Default)]
pub(crate) struct Generator {
    jobs: Option<Sender<Job>>,
}

impl Generator {
    /// Hands functions to the thread; where there can be none, they are generated here.
    pub fn submit(&mut self, functions: Functions) -> Generated {
        let (done, generated) = channel();
        if self.jobs.is_none() {
            self.jobs = start();
        }
        let job = Job { functions, done };
        let left = match &self.jobs {
            Some(jobs) => jobs.send(job).err().map(|unsent| unsent.0),
            None => Some(job),
        };
        if let Some(Job { functions, done }) = left {
            // The receiver is in this function.
            let _ = done.send(functions.generate());
        }
        generated
    }
}

fn start() -> Option<Sender<Job>> {
    let (jobs, inbox) = channel::<Job>();
    let work = move || {
        janus_gil::signals::block();
        for Job { functions, done } in inbox {
            let result = std::panic::catch_unwind(AssertUnwindSafe(|| functions.generate()));
            // Nobody waits for the code of a region that is gone.
            let _ = done.send(result.unwrap_or_else(|_| Err(failed("it panicked"))));
        }
    };
    let thread = std::thread::Builder::new().name("janus-baseline".to_owned());
    thread.spawn(work).ok().map(|_| jobs)
}

/// What became of a job, if it is done.
pub(crate) fn poll(generated: &Generated) -> Option<Result<Machine, Refused>> {
    match generated.try_recv() {
        Ok(result) => Some(result),
        Err(TryRecvError::Empty) => None,
        Err(TryRecvError::Disconnected) => {
            let gone = Refused::new("the code generator's thread is gone", 0);
            Some(Err(gone.of(RefusedFor::Defect)))
        }
    }
}
