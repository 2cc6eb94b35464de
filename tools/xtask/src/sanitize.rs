//! Builds with AddressSanitizer and UndefinedBehaviorSanitizer.
//!
//! In: which parts. Out: tests of unsafe Rust, and of the C++ half, under them. Always: in target folders of their
//! own; LLVM's and MLIR's libraries are what the system has, and not instrumented.

use std::process::Command;

use crate::TaskError;
use crate::setup::{self, LLVM_PREFIX, Proof, cargo};
use crate::shell::{check, root, target_dir};

/// A part of the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// unit tests of the crates with most of the unsafe code
    Runtime,
    /// janus-opt, over test/lit
    Dialect,
}

/// Crates whose tests are run: values, and tensors.
const CRATES: [&str; 4] = ["-p", "janus-object", "-p", "janus-tensor"];

/// What clang links an instrumented program with.
const SANITIZERS: Proof =
    Proof::File("/usr/lib/llvm-22/lib/clang/22/include/sanitizer/asan_interface.h");

/// What is left out: the sanitizer has no switch in stable compilers, so they are told that they are not.
fn runtime() -> Result<(), TaskError> {
    check(
        cargo(&[
            "test",
            "--release",
            "--quiet",
            "--target",
            "x86_64-unknown-linux-gnu",
        ])
        .args(CRATES)
        .args(["--lib", "--tests"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env(
            "RUSTFLAGS",
            "-Zsanitizer=address -Cforce-frame-pointers=yes -Cdebug-assertions=yes",
        )
        // Values in cycles are not freed.
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1",
        )
        .env("CARGO_TARGET_DIR", target_dir().join("sanitize")),
    )
}

fn dialect() -> Result<(), TaskError> {
    setup::ensure()?;
    setup::ensure_optional("libclang-rt-22-dev", &SANITIZERS)?;
    let build = target_dir().join("sanitize/cmake");
    // Without `vptr`: LLVM has no RTTI. Only our code is instrumented, so what a container of LLVM's knows of its
    // own bounds is not kept.
    let flags = "-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined \
                 -fno-omit-frame-pointer -O1 -g1";
    check(
        Command::new("cmake")
            .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-S"])
            .arg(root())
            .arg("-B")
            .arg(&build)
            .arg(format!("-DCMAKE_C_COMPILER={LLVM_PREFIX}/bin/clang"))
            .arg(format!("-DCMAKE_CXX_COMPILER={LLVM_PREFIX}/bin/clang++"))
            .arg(format!("-DCMAKE_CXX_FLAGS={flags}"))
            .arg(format!("-DMLIR_DIR={LLVM_PREFIX}/lib/cmake/mlir"))
            .arg(format!("-DLLVM_DIR={LLVM_PREFIX}/lib/cmake/llvm")),
    )?;
    check(
        Command::new("cmake")
            .arg("--build")
            .arg(&build)
            .args(["--target", "janus-opt"]),
    )?;
    check(
        Command::new(format!("{LLVM_PREFIX}/bin/lit"))
            .current_dir(root())
            .env("JANUS_OPT", build.join("bin/janus-opt"))
            // Tests of janus-jit are left out.
            .env("JANUS_JIT", build.join("none"))
            .args(["--filter", r"\.mlir$"])
            .env("LLVM_TOOLS_DIR", format!("{LLVM_PREFIX}/bin"))
            .env("JANUS_LIT_EXEC_ROOT", build.join("lit"))
            // LLVM's allocators are in headers and in its libraries: what the one poisons the other hands out.
            .env(
                "ASAN_OPTIONS",
                "detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0",
            )
            .env("UBSAN_OPTIONS", "print_stacktrace=1")
            .args(["-v", "--no-progress-bar", "test/lit"]),
    )
}

/// Builds and runs the parts, or all.
pub fn run(only: &[Part]) -> Result<(), TaskError> {
    for part in [Part::Runtime, Part::Dialect] {
        if only.is_empty() || only.contains(&part) {
            println!("== {part:?}");
            match part {
                Part::Runtime => runtime()?,
                Part::Dialect => dialect()?,
            }
        }
    }
    Ok(())
}
