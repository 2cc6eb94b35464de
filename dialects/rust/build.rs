//! Builds the C++ half of the dialect with CMake and links it.
//!
//! In: the top-level CMakeLists.txt and dialects/. Out: link instructions for its archives, read
//! from the list that CMake writes. MLIR itself is linked by mlir-sys, once.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let crate_dir = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let dialects = crate_dir.parent().ok_or("the crate has no parent folder")?;
    let root = dialects.parent().ok_or("dialects/ has no parent folder")?;
    for input in ["CMakeLists.txt", "include", "lib", "capi", "cmake"] {
        println!("cargo:rerun-if-changed={}", dialects.join(input).display());
    }
    for table in texts(dialects)? {
        println!("cargo:rerun-if-changed={}", table.display());
    }
    println!(
        "cargo:rerun-if-changed={}",
        root.join("CMakeLists.txt").display()
    );
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");

    let prefix = env::var("MLIR_SYS_220_PREFIX")
        .map_err(|_| "MLIR_SYS_220_PREFIX is not set: see .cargo/config.toml")?;
    let cmake_dir = Path::new(&prefix).join("lib/cmake");
    // Beside the profile's other outputs, where xtask builds `janus-opt` from the same objects.
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let profile = out
        .ancestors()
        .nth(3)
        .ok_or("OUT_DIR is not in a profile's folder")?;
    let mut config = cmake::Config::new(root);
    config
        .out_dir(profile.join("cmake"))
        .profile("Release")
        .define("MLIR_DIR", cmake_dir.join("mlir"))
        .define("LLVM_DIR", cmake_dir.join("llvm"))
        .build_target("janus-archives");
    if Command::new("ninja").arg("--version").output().is_ok() {
        config.generator("Ninja");
    }
    let build = config.build().join("build");

    let archives = fs::read_to_string(build.join("janus-archives.txt"))?;
    println!(
        "cargo:rustc-link-search=native={}",
        build.join("archives").display()
    );
    for archive in archives.lines() {
        println!("cargo:rustc-link-lib=static={archive}");
    }
    Ok(())
}

/// The tables that the C++ side embeds.
fn texts(dialects: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dialects)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            found.push(path);
        }
    }
    Ok(found)
}
