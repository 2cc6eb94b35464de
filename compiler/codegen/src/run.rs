//! Running compiled code.
//!
//! In: arguments in slot order. Out: results in order, each in memory of its own.
//! Always: a failed assert yields an error and frees what was computed; arguments are only read.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::time::Instant;

use janus_dialect::Origin;
use janus_tensor::Buffer;
use janus_tensor::kernels::records::reset_records;
use smallvec::SmallVec;

use crate::compile::{CompileError, CompileStats};
use crate::contents::Contents;
use crate::emulate::Emulated;
use crate::jit::Jit;
use crate::signature::{Param, Signature};

/// `janus_entry(in, out)`: two arrays of words, see the pass `janus-pack-entry`.
type Entry = unsafe extern "C" fn(*const u64, *mut u64);

/// Words that fit on the stack; regions with more allocate once per call.
const INLINE_WORDS: usize = 96;
type Words = SmallVec<[u64; INLINE_WORDS]>;

/// An argument, in slot order.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// A row-major tensor.
    Tensor {
        /// The first element.
        ptr: *const u8,
        /// Extents.
        sizes: &'a [i64],
    },
    /// A float.
    F64(f64),
    /// An integer.
    I64(i64),
    /// A bool.
    Bool(bool),
}

/// A result.
#[derive(Debug)]
pub enum Out {
    /// A row-major tensor in memory of its own.
    Tensor {
        /// Its memory.
        buffer: Buffer,
        /// Extents.
        sizes: SmallVec<[i64; 4]>,
    },
    /// A float.
    F64(f64),
    /// An integer.
    I64(i64),
    /// A bool.
    Bool(bool),
}

/// Why a run has no result. Nothing was committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// An assumption did not hold.
    #[error("assert {id} failed")]
    AssertFailed {
        /// The number of the first failed assert.
        id: i64,
    },
    /// The arguments are not those that the region was compiled for.
    #[error("argument {index} does not fit the signature")]
    Argument {
        /// Its slot, or the number of arguments where that differs.
        index: usize,
    },
    /// The random numbers that the code asked for cannot be drawn.
    #[error("the draws of a run do not fit its plan")]
    Draws,
}

/// A function of compiled code.
pub(crate) struct Function {
    entry: Entry,
    pub(crate) signature: Signature,
    argument_words: usize,
    result_words: usize,
}

impl Function {
    /// Finds a function and its signature in linked code.
    fn find(jit: &Jit, name: &CStr, signature: &CStr) -> Result<Function, CompileError> {
        let entry = jit.address(name).map_err(unlinked)?;
        let text = text(jit, signature)?;
        let signature =
            Signature::parse(&text).ok_or_else(|| CompileError::Signature(text.clone()))?;
        Ok(Function {
            // SAFETY: `janus-pack-entry` gives its functions this type.
            entry: unsafe { std::mem::transmute::<*const c_void, Entry>(entry) },
            argument_words: signature.argument_words(),
            result_words: signature.result_words(),
            signature,
        })
    }

    /// Calls the function.
    ///
    /// # Safety
    /// As for [`Compiled::run`].
    pub(crate) unsafe fn call(&self, arguments: &[Arg<'_>]) -> Result<Vec<Out>, RunError> {
        let mut input = Words::with_capacity(self.argument_words);
        if arguments.len() != self.signature.arguments.len() {
            return Err(RunError::Argument {
                index: arguments.len(),
            });
        }
        for (index, (argument, param)) in
            arguments.iter().zip(&self.signature.arguments).enumerate()
        {
            push(&mut input, argument, param).ok_or(RunError::Argument { index })?;
        }
        let mut output = Words::from_elem(0, self.result_words);
        // SAFETY: the arrays have the lengths that the signature asks for, the pointers in them
        // are the caller's promise.
        unsafe { (self.entry)(input.as_ptr(), output.as_mut_ptr()) };
        reset_records();

        let mut words = output.into_iter();
        let failed = words.next().unwrap_or_default() as i64;
        let mut results = Vec::with_capacity(self.signature.results.len());
        for param in &self.signature.results {
            // SAFETY: the words are what the entry wrote for this signature, and each tensor
            // among them is an allocation that it handed over.
            results.push(unsafe { pull(&mut words, param) });
        }
        if failed >= 0 {
            return Err(RunError::AssertFailed { id: failed });
        }
        Ok(results)
    }
}

fn unlinked(message: String) -> CompileError {
    CompileError::Llvm {
        action: "linking",
        message,
    }
}

/// A text that linked code carries.
fn text(jit: &Jit, name: &CStr) -> Result<String, CompileError> {
    let text = jit.address(name).map_err(unlinked)?;
    // SAFETY: the passes that make such texts end them with a zero; the code is mapped.
    let text = unsafe { CStr::from_ptr(text.cast()) };
    Ok(text.to_string_lossy().into_owned())
}

/// The functions of linked code.
pub(crate) struct Functions {
    pub(crate) forward: Function,
    /// What the gradients of the results become for the arguments.
    pub(crate) backward: Option<Function>,
    /// Keeps the code mapped.
    jit: Jit,
}

impl Functions {
    /// Links object code.
    pub(crate) fn link<'o>(
        objects: impl IntoIterator<Item = &'o [u8]>,
    ) -> Result<Functions, CompileError> {
        let jit = Jit::link(objects).map_err(unlinked)?;
        let forward = Function::find(&jit, c"janus_entry", c"janus_entry_signature")?;
        let backward = (forward.signature.has_backward)
            .then(|| Function::find(&jit, c"janus_backward", c"janus_backward_signature"))
            .transpose()?;
        Ok(Functions {
            forward,
            backward,
            jit,
        })
    }
}

/// A compiled region.
pub struct Compiled {
    functions: Functions,
    /// Its device code, where that is compared.
    emulated: Option<Box<Emulated>>,
    graph_ops: usize,
    stats: CompileStats,
}

impl Compiled {
    /// Links object code.
    pub(crate) fn link(
        objects: Vec<&[u8]>,
        emulated: Option<Box<Emulated>>,
        graph_ops: usize,
        mut stats: CompileStats,
    ) -> Result<Compiled, CompileError> {
        let start = Instant::now();
        let functions = Functions::link(objects)?;
        stats.link = start.elapsed();
        Ok(Compiled {
            functions,
            emulated,
            graph_ops,
            stats,
        })
    }

    /// Runs the region.
    ///
    /// # Safety
    /// Each tensor's pointer is aligned for its elements and readable for as many elements as
    /// its sizes say, and nothing writes to them meanwhile. Extents that the guard of the region
    /// takes for equal are equal.
    pub unsafe fn run(&self, arguments: &[Arg<'_>]) -> Result<Vec<Out>, RunError> {
        // SAFETY: the caller's promise.
        let on_cpu = || unsafe { self.functions.forward.call(arguments) };
        match &self.emulated {
            // SAFETY: the same.
            Some(emulated) => unsafe { emulated.run(false, arguments, on_cpu) },
            None => on_cpu(),
        }
    }

    /// Runs its backward pass. The results are, for each input, what its gradient adds up to, and
    /// then for each a bool that says whether there is any.
    ///
    /// # Safety
    /// As for [`Compiled::run`]; what comes from a run is of one and the same run.
    pub unsafe fn run_backward(&self, arguments: &[Arg<'_>]) -> Result<Vec<Out>, RunError> {
        let Some(backward) = &self.functions.backward else {
            return Err(RunError::Argument { index: 0 });
        };
        // SAFETY: the caller's promise.
        let on_cpu = || unsafe { backward.call(arguments) };
        match &self.emulated {
            // SAFETY: the same.
            Some(emulated) => unsafe { emulated.run(true, arguments, on_cpu) },
            None => on_cpu(),
        }
    }

    /// Types of arguments and results.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.functions.forward.signature
    }

    /// The same of its backward pass, if it has one.
    #[must_use]
    pub fn backward_signature(&self) -> Option<&Signature> {
        self.functions.backward.as_ref().map(|f| &f.signature)
    }

    /// Ops of the graph that it was compiled from.
    #[must_use]
    pub fn graph_ops(&self) -> usize {
        self.graph_ops
    }

    /// What the code consists of, in terms of the ops of its graph (see [`Graph::origins`]).
    ///
    /// [`Graph::origins`]: janus_dialect::Graph::origins
    ///
    /// # Errors
    /// The code says nothing of it, or not of this graph.
    pub fn contents(&self, origins: &[Origin]) -> Result<Contents, CompileError> {
        let text = text(&self.functions.jit, c"janus_description")?;
        Contents::parse(&text, origins).ok_or(CompileError::Description)
    }

    /// How long compiling took.
    #[must_use]
    pub fn stats(&self) -> CompileStats {
        self.stats
    }
}

/// Appends an argument's words; `None` if it does not fit.
#[inline]
fn push(words: &mut Words, argument: &Arg<'_>, param: &Param) -> Option<()> {
    match (argument, param) {
        (Arg::Tensor { ptr, sizes }, Param::Tensor { dims, .. }) => {
            if sizes.len() != dims.len() {
                return None;
            }
            words.push(*ptr as u64);
            for (&size, dim) in sizes.iter().zip(dims) {
                match dim {
                    None => words.push(size as u64),
                    Some(expected) if *expected == size => {}
                    Some(_) => return None,
                }
            }
        }
        (Arg::F64(value), Param::F64) => words.push(value.to_bits()),
        (Arg::I64(value), Param::I64) => words.push(*value as u64),
        (Arg::Bool(value), Param::Bool) => words.push(u64::from(*value)),
        _ => return None,
    }
    Some(())
}

/// Reads a result's words.
///
/// # Safety
/// They were written for `param`, and a tensor's pointer came from `janus_rt_alloc` with its
/// number of bytes and belongs to nobody else.
#[inline]
unsafe fn pull(words: &mut impl Iterator<Item = u64>, param: &Param) -> Out {
    let mut next = || words.next().unwrap_or_default();
    match param {
        Param::F64 => Out::F64(f64::from_bits(next())),
        Param::I64 => Out::I64(next() as i64),
        Param::Bool => Out::Bool(next() & 1 != 0),
        Param::Tensor { width, dims, .. } => {
            let pointer = next() as *mut u8;
            let sizes: SmallVec<[i64; 4]> = dims
                .iter()
                .map(|dim| dim.unwrap_or_else(|| next() as i64))
                .collect();
            let elements: i64 = sizes.iter().product();
            let bytes = elements.max(0) as usize * width;
            let pointer = NonNull::new(pointer).unwrap_or(NonNull::dangling());
            // SAFETY: the caller's promise; `janus_rt_alloc` never returns null.
            let buffer = unsafe { Buffer::from_raw(pointer, bytes) };
            Out::Tensor { buffer, sizes }
        }
    }
}
