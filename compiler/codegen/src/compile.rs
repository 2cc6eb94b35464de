//! The stages from a graph to an object file, and from there to code that runs.
//!
//! In: a graph as the speculator built it, and options. Out: [`Compiled`], or an error.
//! Always: runs on any thread and touches no Python object; nothing here ends the process.

use std::fmt;
use std::time::{Duration, Instant};

use inkwell::support::LLVMString;
use janus_dialect::{DialectError, Graph, Limitation, Passes};

use crate::device;
use crate::emulate::{self, Emulated, Emulation};
use crate::optimize;
use crate::run::Compiled;
use crate::target::{Chip, Target};

/// A stage whose text can be emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The graph after differentiation and clean-up, in structured form.
    GraphOpt,
    /// Fused loops on tensors.
    Linalg,
    /// Optimised LLVM IR.
    Llvm,
    /// Assembly of the host.
    Asm,
    /// A device module with the kernels, and the entry that launches them.
    Gpu,
    /// Assembly of an NVIDIA GPU.
    Ptx,
}

impl Stage {
    /// The stages and their names in `--emit`.
    pub const ALL: [(Stage, &'static str); 6] = [
        (Stage::GraphOpt, "graph-opt"),
        (Stage::Linalg, "linalg"),
        (Stage::Llvm, "llvm"),
        (Stage::Asm, "asm"),
        (Stage::Gpu, "gpu"),
        (Stage::Ptx, "ptx"),
    ];

    /// The name in `--emit`.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(stage, _)| *stage == self)
            .map_or("", |(_, name)| name)
    }

    /// The stage of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Stage> {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(stage, _)| *stage)
    }
}

/// What a caller may choose.
#[derive(Default)]
pub struct CompileOptions<'a> {
    /// What to generate code for.
    pub target: Target,
    /// The module is in the structured stage already: functions, and no graph.
    pub structured: bool,
    /// Which optimisations run.
    pub passes: Passes,
    /// Where the stages of a device are to be emitted, too: which. The code that runs is the target's.
    pub device: Option<Chip>,
    /// Compare what the region's device code does on an emulated GPU.
    pub emulate: Option<Emulation<'a>>,
    /// Reports the time of each kernel to the sink of [`crate::set_kernel_sink`].
    pub time_kernels: bool,
    /// The texts keep long constants, so that they can be read back.
    pub whole_texts: bool,
    /// Called with the text of each stage. Making the text takes time: `None` where nobody asked.
    pub emit: Option<&'a mut dyn FnMut(Stage, &str)>,
}

/// The time that each part took.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompileStats {
    /// From the graph to its structured form, gradients included.
    pub graph: Duration,
    /// To fused loops on tensors.
    pub linalg: Duration,
    /// To kernels on planned buffers.
    pub buffers: Duration,
    /// To LLVM IR.
    pub llvm: Duration,
    /// LLVM's optimiser.
    pub optimize: Duration,
    /// LLVM's code generator.
    pub emit: Duration,
    /// Linking into the process.
    pub link: Duration,
    /// Bytes of object code.
    pub object_bytes: usize,
}

impl CompileStats {
    /// All parts together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.graph + self.linalg + self.buffers + self.llvm + self.optimize + self.emit + self.link
    }
}

impl fmt::Display for CompileStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        write!(
            f,
            "graph {:.1} linalg {:.1} buffers {:.1} llvm {:.1} optimize {:.1} emit {:.1} link {:.1} \
             total {:.1} ms, {} bytes",
            ms(self.graph),
            ms(self.linalg),
            ms(self.buffers),
            ms(self.llvm),
            ms(self.optimize),
            ms(self.emit),
            ms(self.link),
            ms(self.total()),
            self.object_bytes
        )
    }
}

/// Why a graph did not compile. The program goes on in the interpreter.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A pass failed.
    #[error("{stage}: {source}")]
    Dialect {
        /// The pipeline that failed.
        stage: &'static str,
        /// What MLIR said.
        source: DialectError,
    },
    /// LLVM failed.
    #[error("{action}: {message}")]
    Llvm {
        /// What was tried.
        action: &'static str,
        /// What LLVM said.
        message: String,
    },
    /// No code can be generated for this target.
    #[error("no code generation for {0:?}")]
    Target(Target),
    /// A stage cannot be made from the given one.
    #[error("{to} is not made from this stage")]
    Order {
        /// The stage that was asked for.
        to: &'static str,
    },
    /// The code is not one object file after the other.
    #[error("malformed object")]
    Object,
    /// The object does not describe itself as it should.
    #[error("malformed signature '{0}'")]
    Signature(String),
    /// It does not say what it consists of as it should.
    #[error("malformed description")]
    Description,
}

impl CompileError {
    /// What there is no form for in a graph that is not wrong, in words, and the user's line.
    #[must_use]
    pub fn limitation(&self) -> Option<(Limitation, &str, u32)> {
        let CompileError::Dialect { source, .. } = self else {
            return None;
        };
        let (limitation, diagnostic) = source.limitation()?;
        // MLIR begins with the op's name.
        let text = diagnostic.message.as_str();
        let text = text.split_once("' op ").map_or(text, |(_, text)| text);
        Some((limitation, text, diagnostic.line))
    }

    /// Wraps LLVM's message.
    pub(crate) fn llvm(action: &'static str) -> impl FnOnce(LLVMString) -> CompileError {
        move |message| CompileError::Llvm {
            action,
            message: message.to_string(),
        }
    }
}

/// Hands out stages' texts, making them only where someone asked.
pub(crate) struct Emitter<'e, 'f>(pub(crate) &'e mut Option<&'f mut dyn FnMut(Stage, &str)>);

impl Emitter<'_, '_> {
    pub(crate) fn stage(&mut self, stage: Stage, text: impl FnOnce() -> String) {
        if let Some(emit) = self.0 {
            emit(stage, &text());
        }
    }
}

/// Object code of a region, fit for a cache on disk: it needs nothing else to run.
pub struct Object {
    /// Object files one after the other, each behind its length.
    bytes: Vec<u8>,
    emulated: Option<Box<Emulated>>,
    graph_ops: usize,
    stats: CompileStats,
}

impl Object {
    /// Generates the code of a graph.
    pub fn build(graph: Graph, mut options: CompileOptions<'_>) -> Result<Object, CompileError> {
        let mut stats = CompileStats::default();
        let graph_ops = graph.op_count();
        let mut emit = Emitter(&mut options.emit);
        let mut graph = graph;
        let passes = options.passes;
        if !options.structured {
            stats.graph = pass(&mut graph, "janus-graph-opt", passes)?;
        }
        let whole = options.whole_texts;
        let text = |graph: &Graph| {
            if whole {
                graph.whole_text()
            } else {
                graph.text()
            }
        };
        emit.stage(Stage::GraphOpt, || text(&graph));
        let emulated = options.emulate.and_then(|emulation| {
            let made = device::emulated(&mut graph, passes, emulation);
            made.inspect_err(|error| emulate::count_without(emulation.name, error))
                .ok()
        });
        let texts = options.device.map(|chip| {
            graph.keep();
            let texts = device::texts(&mut graph, passes, chip, &text);
            graph.go_back();
            texts
        });
        let linalg = &mut |graph: &Graph| emit.stage(Stage::Linalg, || text(graph));
        [stats.linalg, stats.buffers] = buffers(&mut graph, passes, linalg)?;
        for (stage, text) in texts.into_iter().flatten() {
            emit.stage(stage, || text);
        }
        stats.llvm = pass(&mut graph, "janus-llvm", passes)?;
        let start = Instant::now();
        let bitcode = graph
            .to_llvm_bitcode()
            .map_err(|source| CompileError::Dialect {
                stage: "translation",
                source,
            })?;
        stats.llvm += start.elapsed();
        let vectorize = passes.has(Passes::VECTORIZE);
        let parts = optimize::objects(
            &bitcode,
            &options.target,
            vectorize,
            &mut emit,
            &mut stats,
            options.time_kernels,
        )?;
        let mut bytes = Vec::new();
        for part in parts {
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(&part);
        }
        stats.object_bytes = bytes.len();
        Ok(Object {
            bytes,
            emulated,
            graph_ops,
            stats,
        })
    }

    /// An object whose bytes came from [`Object::bytes`] of an equal machine.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>, graph_ops: usize) -> Object {
        let stats = CompileStats {
            object_bytes: bytes.len(),
            ..CompileStats::default()
        };
        Object {
            bytes,
            emulated: None,
            graph_ops,
            stats,
        }
    }

    /// The code.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Ops of the graph that it was made from.
    #[must_use]
    pub fn graph_ops(&self) -> usize {
        self.graph_ops
    }

    /// Links the code into the process.
    pub fn load(mut self) -> Result<Compiled, CompileError> {
        let emulated = self.emulated.take();
        let files = self.files().ok_or(CompileError::Object)?;
        Compiled::link(files, emulated, self.graph_ops, self.stats)
    }

    /// The object files, unless the lengths are wrong.
    fn files(&self) -> Option<Vec<&[u8]>> {
        let mut rest = self.bytes.as_slice();
        let mut files = Vec::new();
        while !rest.is_empty() {
            let (length, behind) = rest.split_first_chunk()?;
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            let (file, behind) = behind.split_at_checked(length)?;
            files.push(file);
            rest = behind;
        }
        Some(files)
    }
}

/// From the structured stage over `linalg`, which is told of, to kernels on buffers. How long each took.
pub(crate) fn buffers(
    graph: &mut Graph,
    passes: Passes,
    linalg: &mut dyn FnMut(&Graph),
) -> Result<[Duration; 2], CompileError> {
    graph.keep();
    let mut first = pass(graph, "janus-linalg", passes)?;
    linalg(graph);
    let second = match pass(graph, "janus-buffers", passes) {
        // What a loop carries could not stay in one buffer after all: it is copied then.
        Err(e) if passes.has(Passes::CARRY) && graph.go_back() => {
            tracing::debug!("without carry-in-place: {e}");
            let passes = passes.without(Passes::CARRY);
            first += pass(graph, "janus-linalg", passes)?;
            pass(graph, "janus-buffers", passes)?
        }
        result => {
            graph.forget();
            result?
        }
    };
    Ok([first, second])
}

/// Runs a pipeline and says how long it took.
fn pass(
    graph: &mut Graph,
    pipeline: &'static str,
    passes: Passes,
) -> Result<Duration, CompileError> {
    let start = Instant::now();
    graph
        .run_passes(&passes.pipeline(pipeline))
        .map_err(|source| CompileError::Dialect {
            stage: pipeline,
            source,
        })?;
    Ok(start.elapsed())
}

/// Compiles a graph to code that runs in this process.
pub fn compile(graph: Graph, options: CompileOptions<'_>) -> Result<Compiled, CompileError> {
    let compiled = Object::build(graph, options)?.load()?;
    tracing::debug!(stats = %compiled.stats(), ops = compiled.graph_ops(), "compiled");
    Ok(compiled)
}
