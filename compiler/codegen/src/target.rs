//! What code is generated for.
//!
//! In: a [`Target`]. Out: LLVM's machine description of it.
//! Always: for the CPU that of the machine we run on, with all its vector instructions; code is
//! never contracted into fused multiply-adds, since the IR asks for none.

use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::{Once, OnceLock};

use inkwell::OptimizationLevel;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target as LlvmTarget, TargetMachine, TargetTriple,
};

use crate::compile::CompileError;

/// What code is generated for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Target {
    /// The processor that we run on.
    #[default]
    Cpu,
    /// An NVIDIA GPU.
    Nvptx {
        /// Which one.
        chip: Chip,
    },
}

macro_rules! chips {
    ($($(#[$meta:meta])* $variant:ident $name:literal $doc:literal,)*) => {
        /// An NVIDIA GPU, by its compute capability.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Chip { $($(#[$meta])* #[doc = $doc] $variant,)* }

        impl Chip {
            /// All that code is generated for.
            pub const ALL: &'static [Chip] = &[$(Chip::$variant,)*];
            /// Its name in `--target`.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Chip::$variant => $name,)* } }
            /// The chip of a name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Chip> {
                match name { $($name => Some(Chip::$variant),)* _ => None }
            }
        }
    };
}

chips! {
    Sm75 "sm_75" "Turing.",
    Sm80 "sm_80" "Ampere.",
    #[default] Sm90 "sm_90" "Hopper.",
    Sm120 "sm_120" "Blackwell.",
}

/// The host's name and features, which take LLVM a while to find out.
struct Host {
    triple: String,
    cpu: String,
    features: String,
}

/// A command line for LLVM, which has no other way to these switches. A kernel's addresses are a base
/// and a counter, which the processor adds up by itself: the pass that makes pointers of them takes a quarter
/// of the code generator's time and gains nothing.
const SWITCHES: [&CStr; 2] = [c"janus-jit", c"-disable-lsr"];

fn switch_llvm() {
    let arguments = SWITCHES.map(CStr::as_ptr);
    // SAFETY: as many pointers to texts as the first argument says; LLVM knows the switch, and copies
    // what it keeps. Called once, before any code is generated.
    unsafe {
        LLVMParseCommandLineOptions(arguments.len() as c_int, arguments.as_ptr(), ptr::null())
    };
}

fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(|| {
        LlvmTarget::initialize_x86(&InitializationConfig::default());
        switch_llvm();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Host {
            triple: text(TargetMachine::get_default_triple().as_str().to_bytes()),
            cpu: text(TargetMachine::get_host_cpu_name().to_bytes()),
            features: text(TargetMachine::get_host_cpu_features().to_bytes()),
        }
    })
}

/// What decides, beside the graph and this build, what the code for a target is: LLVM's version,
/// the processor and its features.
#[must_use]
pub fn fingerprint(target: &Target) -> String {
    let machine = match target {
        Target::Cpu => {
            let host = host();
            format!("{} {} {}", host.triple, host.cpu, host.features)
        }
        Target::Nvptx { chip } => format!("nvptx {}", chip.name()),
    };
    format!("LLVM {} {machine}", llvm_version())
}

/// LLVM's version.
#[must_use]
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

impl Target {
    /// LLVM's machine for this target, which takes this much trouble over the code.
    pub(crate) fn machine(&self, level: OptimizationLevel) -> Result<TargetMachine, CompileError> {
        match self {
            Target::Cpu => {
                let host = host();
                let triple = TargetTriple::create(&host.triple);
                LlvmTarget::from_triple(&triple)
                    .map_err(CompileError::llvm("finding the host's target"))?
                    .create_target_machine(
                        &triple,
                        &host.cpu,
                        &host.features,
                        level,
                        RelocMode::PIC,
                        CodeModel::Small,
                    )
                    .ok_or_else(|| CompileError::Target(self.clone()))
            }
            Target::Nvptx { chip } => {
                static READY: Once = Once::new();
                READY.call_once(|| LlvmTarget::initialize_nvptx(&InitializationConfig::default()));
                let triple = TargetTriple::create("nvptx64-nvidia-cuda");
                LlvmTarget::from_triple(&triple)
                    .map_err(CompileError::llvm("finding the device's target"))?
                    .create_target_machine(
                        &triple,
                        chip.name(),
                        "",
                        level,
                        RelocMode::Default,
                        CodeModel::Default,
                    )
                    .ok_or_else(|| CompileError::Target(self.clone()))
            }
        }
    }
}
