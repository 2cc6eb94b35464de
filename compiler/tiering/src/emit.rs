//! `--emit`: where the text of each stage goes.
//!
//! In: stage names, a folder or none, a filter. Out: text on standard output, or one numbered file
//! a stage and region. Always: a stage name stands in one table, [`EmitStage`].

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use janus_bytecode::Code;
use janus_codegen::Chip;
use janus_object::{CodeObject, PyRef};

macro_rules! stages {
    ($($variant:ident $name:literal $doc:literal,)*) => {
        /// A stage whose text can be emitted, in the order of compilation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum EmitStage { $(#[doc = $doc] $variant,)* }

        impl EmitStage {
            /// All stages.
            pub const ALL: &'static [EmitStage] = &[$(EmitStage::$variant,)*];
            /// Its name on the command line.
            pub fn name(self) -> &'static str { match self { $(EmitStage::$variant => $name,)* } }
            /// The stage of a name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(EmitStage::$variant),)* _ => None }
            }
        }
    };
}

stages! {
    Ast "ast" "The syntax tree.",
    Bytecode "bytecode" "Tier 0's instructions.",
    Profile "profile" "What tier 0 saw, at the end of the run.",
    Clif "clif" "Tier 1's Cranelift IR.",
    Graph "graph" "Tier 2's dataflow graph.",
    Plan "plan" "What surrounds the graph: its guard, arguments, asserts, commits and exit.",
    Dot "dot" "The graph as DOT, for Graphviz and other viewers.",
    Svg "svg" "The graph drawn, where it is small enough.",
    GraphOpt "graph-opt" "The graph, differentiated and structured.",
    Linalg "linalg" "Fused loops on tensors.",
    Llvm "llvm" "Optimised LLVM IR.",
    Asm "asm" "Assembly of the host.",
    Gpu "gpu" "A device module with the kernels, and the entry that launches them.",
    Ptx "ptx" "Assembly of an NVIDIA GPU.",
}

/// `module.function`, the name that `--emit-filter` looks into.
pub fn full_name(code: &Code) -> String {
    let file = code.filename.trim_matches(['<', '>']);
    let file = file.rsplit('/').next().unwrap_or(file);
    let module = file.strip_suffix(".py").unwrap_or(file);
    format!("{module}.{}", code.qualname)
}

/// The full names of a region's code and of what else runs in it, one a line.
pub(crate) fn names<'a>(
    code: &CodeObject,
    parts: impl Iterator<Item = &'a PyRef<CodeObject>>,
) -> String {
    let mut names = full_name(&code.code);
    for inner in parts {
        names.push('\n');
        names.push_str(&full_name(&inner.code));
    }
    names
}

/// What to emit, and where.
#[derive(Debug, Default)]
pub struct Emit {
    /// The stages.
    pub stages: Vec<EmitStage>,
    /// A folder for one file a stage and region; standard output otherwise.
    pub dir: Option<PathBuf>,
    /// Only functions whose [full name](full_name), or that of one inlined into them, contains this.
    pub filter: Option<String>,
    /// The device whose stages are emitted, where those are asked for.
    pub chip: Chip,
    next: AtomicUsize,
    failed: Mutex<Option<String>>,
}

impl Emit {
    /// Emits these stages.
    pub fn new(stages: Vec<EmitStage>, dir: Option<PathBuf>, filter: Option<String>) -> Self {
        Emit {
            stages,
            dir,
            filter,
            ..Emit::default()
        }
    }

    /// Whether anybody wants this stage of this function. What is compiled as one with others goes
    /// by all their names, one a line.
    pub fn wants(&self, stage: EmitStage, function: &str) -> bool {
        self.stages.contains(&stage)
            && self
                .filter
                .as_ref()
                .is_none_or(|f| function.contains(f.as_str()))
    }

    /// Whether anything made after the graph is wanted.
    pub fn wants_compiled(&self, function: &str) -> bool {
        use EmitStage::{Asm, Gpu, GraphOpt, Linalg, Llvm, Ptx};
        [GraphOpt, Linalg, Llvm, Asm, Gpu, Ptx]
            .iter()
            .any(|&s| self.wants(s, function))
    }

    /// The device whose stages are wanted of this function, if any is.
    pub fn wants_device(&self, function: &str) -> Option<Chip> {
        let wanted = [EmitStage::Gpu, EmitStage::Ptx];
        let any = wanted.iter().any(|&s| self.wants(s, function));
        any.then_some(self.chip)
    }

    /// Emits the text of a stage of `region` (`function/version`).
    pub fn text(&self, stage: EmitStage, function: &str, region: &str, text: &str) {
        if !self.wants(stage, function) {
            return;
        }
        let result = match &self.dir {
            Some(dir) => {
                let number = self.next.fetch_add(1, Ordering::Relaxed);
                let safe: String = region
                    .chars()
                    .map(|c| {
                        if c.is_ascii_alphanumeric() || c == '.' {
                            c
                        } else {
                            '_'
                        }
                    })
                    .collect();
                let path = dir.join(format!("{number:03}.{safe}.{}", stage.name()));
                std::fs::create_dir_all(dir).and_then(|()| std::fs::write(path, text))
            }
            None => {
                let mut out = std::io::stdout().lock();
                writeln!(out, "// ---- {} of {region}", stage.name()).and_then(|()| {
                    out.write_all(text.as_bytes())?;
                    if text.ends_with('\n') {
                        Ok(())
                    } else {
                        out.write_all(b"\n")
                    }
                })
            }
        };
        if let Err(e) = result
            && let Ok(mut failed) = self.failed.lock()
        {
            failed.get_or_insert_with(|| format!("cannot emit {}: {e}", stage.name()));
        }
    }

    /// Makes the folder, so that a wrong path is known before anything ran.
    pub fn prepare(&self) -> Result<(), String> {
        let Some(dir) = self.dir.as_ref().filter(|_| !self.stages.is_empty()) else {
            return Ok(());
        };
        let probe = dir.join(".janus-jit");
        std::fs::create_dir_all(dir)
            .and_then(|()| std::fs::write(&probe, ""))
            .and_then(|()| std::fs::remove_file(&probe))
            .map_err(|e| format!("cannot write into {}: {e}", dir.display()))
    }

    /// The first text that could not be written.
    pub fn failure(&self) -> Option<String> {
        self.failed.lock().ok()?.clone()
    }
}
