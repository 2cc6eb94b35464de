//! Engines, and the thread that owns one end of a group.
//!
//! In: calls of collectives with the memory they work on. Out: that memory back, with what the others sent. Always: the
//! collectives of a group run one after the other, in the order in which they were started; transfers between two
//! ranks do not wait for them.

use std::any::Any;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What went wrong in an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The engine is not installed, or not usable here.
    #[error("{0}")]
    Absent(String),
    /// The engine's own words.
    #[error("{0}")]
    Failed(String),
}

/// Memory that an engine reads and writes while nobody else does.
pub trait Memory: Send {
    /// All of it.
    fn bytes(&mut self) -> &mut [u8];
    /// For whoever knows what it is.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl Memory for Vec<u8> {
    fn bytes(&mut self) -> &mut [u8] {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Memory on its way through an engine.
pub type Block = Box<dyn Memory>;

/// Elements that can be reduced; the numbers are those of `engine.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names say it")]
pub enum ElementType {
    F32 = 0,
    F64 = 1,
    I64 = 2,
    I32 = 3,
    I8 = 4,
    U8 = 5,
    Bool = 6,
    F16 = 7,
    BF16 = 8,
}

impl ElementType {
    /// Bytes of one.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            ElementType::F64 | ElementType::I64 => 8,
            ElementType::F32 | ElementType::I32 => 4,
            ElementType::F16 | ElementType::BF16 => 2,
            ElementType::I8 | ElementType::U8 | ElementType::Bool => 1,
        }
    }
}

/// How elements are reduced; the numbers are those of `engine.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Reduction {
    Sum = 0,
    Product = 1,
    Min = 2,
    Max = 3,
    BitAnd = 4,
    BitOr = 5,
    BitXor = 6,
}

/// A collective. All ranks of a group call the same one, with the same sizes and root.
pub enum Call {
    /// Everybody gets the reduced elements.
    AllReduce {
        /// In and out.
        data: Block,
        /// What is in it.
        element: ElementType,
        /// What is done with it.
        reduction: Reduction,
    },
    /// The root gets the reduced elements.
    Reduce {
        /// In and out; what the others find in it afterwards is undefined.
        data: Block,
        /// What is in it.
        element: ElementType,
        /// What is done with it.
        reduction: Reduction,
        /// Who gets it.
        root: i32,
    },
    /// Everybody gets the root's data.
    Broadcast {
        /// In and out.
        data: Block,
        /// Whose.
        root: i32,
    },
    /// Everybody gets the data of all, by rank.
    AllGather {
        /// This rank's.
        input: Block,
        /// As much for each rank.
        output: Block,
    },
    /// The root gets the data of all, by rank.
    Gather {
        /// This rank's.
        input: Block,
        /// As much for each rank; none but for the root.
        output: Option<Block>,
        /// Who gets it.
        root: i32,
    },
    /// Each gets its part of the root's data.
    Scatter {
        /// As much as the output for each rank; none but for the root.
        input: Option<Block>,
        /// This rank's.
        output: Block,
        /// Whose.
        root: i32,
    },
    /// Each sends a part to each.
    AllToAll {
        /// For each rank its part.
        input: Block,
        /// Bytes of these.
        input_bytes: Vec<i64>,
        /// Of each rank a part.
        output: Block,
        /// Bytes of these.
        output_bytes: Vec<i64>,
    },
    /// Nobody goes on before all are here.
    Barrier,
}

impl Call {
    /// The memory with the result.
    #[must_use]
    pub fn output(self) -> Option<Block> {
        match self {
            Call::AllReduce { data, .. }
            | Call::Reduce { data, .. }
            | Call::Broadcast { data, .. } => Some(data),
            Call::AllGather { output, .. }
            | Call::Scatter { output, .. }
            | Call::AllToAll { output, .. } => Some(output),
            Call::Gather { output, .. } => output,
            Call::Barrier => None,
        }
    }
}

/// One end of a group in an engine.
pub trait Communicator: Send + Sync {
    /// Carries out a collective. Called by one thread only.
    fn run(&self, call: &mut Call, timeout: Duration) -> Result<(), EngineError>;
    /// Begins to send.
    fn send(&self, data: Block, to: i32, tag: u32) -> Result<Arc<dyn Transfer>, EngineError>;
    /// Begins to receive, from anybody if `from` is negative.
    fn receive(&self, data: Block, from: i32, tag: u32) -> Result<Arc<dyn Transfer>, EngineError>;
    /// Makes what is under way fail.
    fn close(&self);
}

/// A group of one rank, which needs no engine.
pub struct Alone;

impl Communicator for Alone {
    fn run(&self, call: &mut Call, _timeout: Duration) -> Result<(), EngineError> {
        let (input, output) = match call {
            Call::AllGather { input, output } | Call::AllToAll { input, output, .. } => {
                (Some(input), Some(output))
            }
            Call::Gather { input, output, .. } => (Some(input), output.as_mut()),
            Call::Scatter { input, output, .. } => (input.as_mut(), Some(output)),
            Call::AllReduce { .. }
            | Call::Reduce { .. }
            | Call::Broadcast { .. }
            | Call::Barrier => (None, None),
        };
        if let (Some(input), Some(output)) = (input, output) {
            let (input, output) = (input.bytes(), output.bytes());
            if input.len() != output.len() {
                return Err(EngineError::Failed(
                    "what one rank sends itself has the size of what it gets".to_owned(),
                ));
            }
            output.copy_from_slice(input);
        }
        Ok(())
    }

    fn send(&self, _data: Block, _to: i32, _tag: u32) -> Result<Arc<dyn Transfer>, EngineError> {
        Err(nobody())
    }

    fn receive(
        &self,
        _data: Block,
        _from: i32,
        _tag: u32,
    ) -> Result<Arc<dyn Transfer>, EngineError> {
        Err(nobody())
    }

    fn close(&self) {}
}

fn nobody() -> EngineError {
    EngineError::Failed("a group of one rank has no other rank".to_owned())
}

/// Data on its way between two ranks.
pub trait Transfer: Send + Sync {
    /// Waits until it is there; gives the other rank.
    fn wait(&self) -> Result<i32, EngineError>;
    /// Makes the waiting end with an error.
    fn cancel(&self);
    /// The memory, once it is there.
    fn take(&self) -> Option<Block>;
}

/// What came of something that was started.
#[derive(Default)]
pub struct Outcome {
    /// The memory with the result.
    pub memory: Option<Block>,
    /// The other rank of a transfer.
    pub peer: Option<i32>,
}

#[derive(Default)]
struct Progress {
    /// Until somebody takes it.
    outcome: Option<Result<Outcome, EngineError>>,
    is_done: bool,
}

#[derive(Default)]
struct State {
    progress: Mutex<Progress>,
    ended: Condvar,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        // Nothing in here panics while it is locked.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, outcome: Result<Outcome, EngineError>) {
        let mut progress = self.lock();
        progress.outcome = Some(outcome);
        progress.is_done = true;
        self.ended.notify_all();
    }
}

/// Something that was started.
pub struct Pending {
    state: Arc<State>,
    /// What can be given up.
    transfer: Option<Arc<dyn Transfer>>,
}

impl Pending {
    /// Whether it has ended.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.state.lock().is_done
    }

    /// Waits for a while; whether it has ended.
    #[must_use]
    pub fn wait(&self, limit: Duration) -> bool {
        let progress = self.state.lock();
        let waited = self
            .state
            .ended
            .wait_timeout_while(progress, limit, |progress| !progress.is_done);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_done
    }

    /// What came of it: `None` where it still runs, or where that was asked for before.
    #[must_use]
    pub fn take(&self) -> Option<Result<Outcome, EngineError>> {
        self.state.lock().outcome.take()
    }

    /// Gives a transfer up. A collective cannot be given up alone: its own limit ends it.
    pub fn cancel(&self) {
        if let Some(transfer) = &self.transfer {
            transfer.cancel();
        }
    }
}

struct Job {
    call: Call,
    timeout: Duration,
    state: Arc<State>,
}

/// One end of a group, with the thread that owns it.
pub struct Group {
    communicator: Arc<dyn Communicator>,
    jobs: Sender<Job>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Group {
    /// Gives a communicator to a thread of its own.
    pub fn new(communicator: Arc<dyn Communicator>) -> Result<Group, EngineError> {
        let (jobs, queue) = channel::<Job>();
        let owned = communicator.clone();
        let thread = std::thread::Builder::new()
            .name("janus-collectives".to_owned())
            .spawn(move || {
                for mut job in queue {
                    let ran = owned.run(&mut job.call, job.timeout);
                    let call = job.call;
                    job.state.end(ran.map(|()| Outcome {
                        memory: call.output(),
                        peer: None,
                    }));
                }
            })
            .map_err(|e| EngineError::Failed(format!("cannot start a thread: {e}")))?;
        Ok(Group {
            communicator,
            jobs,
            thread: Some(thread),
        })
    }

    /// Starts a collective.
    #[must_use]
    pub fn start(&self, call: Call, timeout: Duration) -> Pending {
        let state = Arc::new(State::default());
        let job = Job {
            call,
            timeout,
            state: state.clone(),
        };
        if self.jobs.send(job).is_err() {
            let gone = "the thread of the process group has ended".to_owned();
            state.end(Err(EngineError::Failed(gone)));
        }
        Pending {
            state,
            transfer: None,
        }
    }

    /// Sends to a rank.
    pub fn send(&self, data: Block, to: i32, tag: u32) -> Result<Pending, EngineError> {
        watch(self.communicator.send(data, to, tag)?)
    }

    /// Receives from a rank, or from anybody if `from` is negative.
    pub fn receive(&self, data: Block, from: i32, tag: u32) -> Result<Pending, EngineError> {
        watch(self.communicator.receive(data, from, tag)?)
    }

    /// Ends the group: what was started is carried out first.
    pub fn finish(mut self) {
        drop(std::mem::replace(&mut self.jobs, channel().0));
        if let Some(thread) = self.thread.take() {
            // It does not panic; if it did, there would be nothing to clean up.
            let _ = thread.join();
        }
        self.communicator.close();
    }

    /// Ends the group at once: what is under way fails.
    pub fn abort(&self) {
        self.communicator.close();
    }
}

/// A thread that waits for a transfer.
fn watch(transfer: Arc<dyn Transfer>) -> Result<Pending, EngineError> {
    let state = Arc::new(State::default());
    let (ending, waiting) = (state.clone(), transfer.clone());
    std::thread::Builder::new()
        .name("janus-transfer".to_owned())
        .stack_size(128 << 10)
        .spawn(move || {
            let waited = waiting.wait();
            ending.end(waited.map(|peer| Outcome {
                memory: waiting.take(),
                peer: Some(peer),
            }));
        })
        .map_err(|e| EngineError::Failed(format!("cannot start a thread: {e}")))?;
    Ok(Pending {
        state,
        transfer: Some(transfer),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_end_in_their_order_with_their_memory() {
        let group = Group::new(Arc::new(Alone)).unwrap();
        let limit = Duration::from_secs(20);
        let gather = Call::AllGather {
            input: Box::new(vec![1, 2]),
            output: Box::new(vec![0, 0]),
        };
        let wrong = Call::Scatter {
            input: Some(Box::new(vec![1, 2])),
            output: Box::new(vec![0]),
            root: 0,
        };
        let first = group.start(gather, limit);
        let second = group.start(wrong, limit);
        let third = group.start(Call::Barrier, limit);
        assert!(third.wait(limit) && first.is_done() && second.is_done());
        let mut memory = first.take().unwrap().unwrap().memory.unwrap();
        assert_eq!(memory.bytes(), [1, 2]);
        assert!(first.take().is_none());
        assert!(matches!(second.take(), Some(Err(EngineError::Failed(_)))));
        assert!(third.take().unwrap().unwrap().memory.is_none());
        group.finish();
    }
}
