//! Tier 0: runs bytecode, fills profiles, deopt lands here.
//!
//! In: code objects, modules registered by native crates, source text through a [`Compiler`].
//! Out: [`Interp`], which runs scripts, functions, generators and imports, and which implements
//! [`janus_object::Vm`] for native code. Always: nothing here knows the compilers; higher tiers
//! come in through the [`Jit`] trait and leave through [`Entry`].

mod anchors;
mod attr_cache;
mod bind;
mod build;
mod build_class;
mod cache;
mod cached;
mod call;
mod dead;
mod eval;
mod exceptions;
mod frame;
mod frame_object;
mod functions;
mod generator;
mod immediate;
mod import;
mod import_hooks;
mod import_times;
mod interp;
mod jit;
mod library_names;
mod main_module;
mod matching;
mod output;
mod profile;
mod script;
mod seen;
mod settings;
mod site;
mod slow;
mod source;
mod spec;
mod suggest;
mod syntax_tree;
mod threads;
mod traceback;
mod tracing;
mod until;

pub use build::{Operands, Shape, shape};
pub use eval::bound_method;
pub use frame::Frame;
pub use frame_object::frame_class;
pub use immediate::{item_simple, next_pair, store_simple};
pub use import::SourceModule;
pub use interp::{
    Activation, Compiler, Inspect, Interp, Manner, NativeModule, SourceError, SourceKind,
    SourceWarning, Stats,
};
pub use jit::{
    CompiledFunction, CompiledGenerator, Entry, Jit, ReadyGenerator, Resumed, Sent, set_compiled,
    set_compiled_generator,
};
pub use library_names::{BUILT_IN, IN_FILES};
pub use output::Output;
pub use profile::{Describe, describe_profiles, profile_text};
pub use script::Outcome;
pub use seen::{SeenAttr, SeenOperator, seen_attr, seen_attrs, seen_init, seen_len, seen_operator};
pub use settings::Settings;
pub use site::Environment;
pub use spec::Classes as ImportClasses;
pub use traceback::marked_source;
pub use tracing::Watcher;
pub use until::Reached;
