//! Finds or installs what a build needs, and builds.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::TaskError;
use crate::engines::ENGINES;
use crate::shell::{check, output, root, target_dir};

/// Where Debian and Ubuntu put LLVM 22; `.cargo/config.toml` names it too.
pub const LLVM_PREFIX: &str = "/usr/lib/llvm-22";

/// The packages of a build, each with a file or program that proves it is there.
const PACKAGES: &[(&str, Proof)] = &[
    ("build-essential", Proof::Program("c++")),
    ("cmake", Proof::Program("cmake")),
    ("ninja-build", Proof::Program("ninja")),
    ("pkg-config", Proof::Program("pkg-config")),
    (
        "llvm-22-dev",
        Proof::File("/usr/lib/llvm-22/lib/cmake/llvm/LLVMConfig.cmake"),
    ),
    (
        "llvm-22-tools",
        Proof::File("/usr/lib/llvm-22/bin/FileCheck"),
    ),
    (
        "libmlir-22-dev",
        Proof::File("/usr/lib/llvm-22/lib/cmake/mlir/MLIRConfig.cmake"),
    ),
    (
        "mlir-22-tools",
        Proof::File("/usr/lib/llvm-22/bin/mlir-tblgen"),
    ),
    (
        "libpolly-22-dev",
        Proof::File("/usr/lib/llvm-22/lib/libPolly.a"),
    ),
    ("clang-22", Proof::File("/usr/lib/llvm-22/bin/clang")),
    ("zlib1g-dev", Proof::File("/usr/include/zlib.h")),
    ("libzstd-dev", Proof::File("/usr/include/zstd.h")),
    ("libffi-dev", Proof::Package),
    (
        "libxml2-dev",
        Proof::File("/usr/include/libxml2/libxml/xmlversion.h"),
    ),
];

/// What shows that a package is installed.
pub enum Proof {
    /// A program on the path.
    Program(&'static str),
    /// A file.
    File(&'static str),
    /// Its files lie in folders that differ between machines: ask the package manager.
    Package,
}

/// The built tools.
pub struct Tools {
    /// `janus-jit`
    pub janus_jit: PathBuf,
    /// `janus-opt`
    pub janus_opt: PathBuf,
}

fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}

fn found(package: &str, proof: &Proof) -> bool {
    match proof {
        Proof::Program(name) => on_path(name),
        Proof::File(path) => Path::new(path).exists(),
        Proof::Package => output(Command::new("dpkg-query").args(["-W", "-f=${Status}", package]))
            .is_some_and(|s| s.ends_with("installed")),
    }
}

fn missing() -> Vec<&'static str> {
    PACKAGES
        .iter()
        .filter(|(name, proof)| !found(name, proof))
        .map(|(name, _)| *name)
        .collect()
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0")
}

/// Whether apt can be called without asking for a password.
fn may_install() -> bool {
    is_root() || output(Command::new("sudo").args(["-n", "true"])).is_some()
}

/// apt-get with these arguments, as root.
fn apt(args: &[&str]) -> Command {
    let mut command = if is_root() {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        sudo
    };
    command.env("DEBIAN_FRONTEND", "noninteractive").args(args);
    command
}

/// Installs a package that the build does not need, if it is not there.
pub fn ensure_optional(package: &str, proof: &Proof) -> Result<(), TaskError> {
    if found(package, proof) {
        return Ok(());
    }
    if !on_path("apt-get") || !may_install() {
        return Err(TaskError::Needs(format!(
            "type: sudo apt-get install -y {package}"
        )));
    }
    check(&mut apt(&["install", "-y", "-qq", package]))
}

/// Installs what engines of torch.distributed take. Nothing else needs them: where that fails they are left out.
fn ensure_engines() {
    let absent: Vec<&str> = ENGINES
        .iter()
        .filter(|engine| !engine.is_there())
        .map(|engine| engine.package)
        .collect();
    if absent.is_empty() || !on_path("apt-get") || !may_install() {
        return;
    }
    eprintln!("xtask: installing {}", absent.join(" "));
    let mut args = vec!["install", "-y", "-qq", "--no-install-recommends"];
    args.extend(absent.iter().copied());
    let installed = check(&mut apt(&["update", "-qq"])).and_then(|()| check(&mut apt(&args)));
    if let Err(e) = installed {
        eprintln!("xtask: {e}");
    }
}

/// Installs missing packages through apt, or says what to type.
pub fn ensure() -> Result<(), TaskError> {
    ensure_engines();
    let missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("sudo apt-get install -y {}", missing.join(" "));
    if !on_path("apt-get") {
        return Err(TaskError::Needs(format!(
            "missing: {}. There is no apt here; install LLVM and MLIR 22 under {LLVM_PREFIX} and the rest \
             by this system's means (Debian's names: {by_hand})",
            missing.join(" ")
        )));
    }
    if !may_install() {
        return Err(TaskError::Needs(format!(
            "missing packages; type: {by_hand}"
        )));
    }
    eprintln!("xtask: installing {}", missing.join(" "));
    check(&mut apt(&["update", "-qq"]))?;
    let offered = |package: &str| {
        output(Command::new("apt-cache").args(["show", "--no-all-versions", package]))
            .is_some_and(|text| !text.trim().is_empty())
    };
    if let Some(package) = missing.iter().find(|p| !offered(p)) {
        return Err(TaskError::Needs(format!(
            "apt offers no {package} here. Add LLVM's own apt repository for version 22, then type: {by_hand}"
        )));
    }
    let mut args = vec!["install", "-y", "-qq", "--no-install-recommends"];
    args.extend(missing.iter().copied());
    check(&mut apt(&args))?;
    let still = self::missing();
    if still.is_empty() {
        Ok(())
    } else {
        Err(TaskError::Needs(format!(
            "apt has run, but these are not found: {}",
            still.join(" ")
        )))
    }
}

/// A cargo command in the repository, with the target folder this process uses.
pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(args);
    command
}

/// Builds `janus-opt` in the folder that the build script of janus-dialect has configured, and
/// returns its path.
fn build_janus_opt() -> Result<PathBuf, TaskError> {
    let release = target_dir().join("release");
    let binary_dir = release.join("cmake/build");
    check(Command::new("cmake").arg("--build").arg(&binary_dir).args([
        "--target",
        "janus-opt",
        "--",
        "--quiet",
    ]))?;
    let built = binary_dir.join("bin/janus-opt");
    let to = release.join("janus-opt");
    let io = |source| TaskError::Io {
        path: to.clone(),
        source,
    };
    // A running copy must not be written into: replace the file.
    let fresh = release.join("janus-opt.new");
    std::fs::copy(&built, &fresh).map_err(io)?;
    std::fs::rename(&fresh, &to).map_err(io)?;
    Ok(to)
}

/// Sets up and builds both tools in release mode.
pub fn build() -> Result<Tools, TaskError> {
    ensure()?;
    check(&mut cargo(&[
        "build",
        "--release",
        "--quiet",
        "--package",
        "janus-jit",
    ]))?;
    let janus_opt = build_janus_opt()?;
    crate::engines::build()?;
    Ok(Tools {
        janus_jit: target_dir().join("release/janus-jit"),
        janus_opt,
    })
}

/// Sets up and installs `janus-jit`.
pub fn install() -> Result<(), TaskError> {
    ensure()?;
    check(&mut cargo(&[
        "install",
        "--locked",
        "--path",
        "tools/janus-jit",
    ]))?;
    crate::engines::install()
}

/// Prints what is there and what is not; fails when something is missing.
pub fn doctor() -> ExitCode {
    let mut complete = true;
    for (name, proof) in PACKAGES {
        let ok = found(name, proof);
        complete &= ok;
        let what = match proof {
            Proof::Program(p) => (*p).to_owned(),
            Proof::File(f) => (*f).to_owned(),
            Proof::Package => format!("package {name}"),
        };
        println!(
            "{} {name:16} {what}",
            if ok { "found  " } else { "MISSING" }
        );
    }
    for (program, args) in [
        ("cargo", ["--version"]),
        ("rustc", ["--version"]),
        ("cargo", ["clippy"]),
    ] {
        let mut command = Command::new(program);
        command.args(args);
        if args[0] == "clippy" {
            command.arg("--version");
        }
        let said = output(&mut command);
        complete &= said.is_some();
        println!(
            "{} {:16} {}",
            if said.is_some() { "found  " } else { "MISSING" },
            program,
            said.unwrap_or_default().trim()
        );
    }
    for engine in ENGINES {
        println!(
            "{} {:16} torch.distributed with the backend {}; optional",
            if engine.is_there() {
                "found  "
            } else {
                "absent "
            },
            engine.package,
            engine.name
        );
    }
    for (program, use_) in [
        ("python3", "lit, golden"),
        ("cargo-nextest", "a faster unit stage; optional"),
        ("nvidia-smi", "CUDA; optional"),
    ] {
        println!(
            "{} {program:16} {use_}",
            if on_path(program) {
                "found  "
            } else {
                "absent "
            }
        );
    }
    if complete {
        println!("everything a build needs is here");
        ExitCode::SUCCESS
    } else {
        println!(
            "missing; `cargo xtask build` installs it, or type: sudo apt-get install -y {}",
            missing().join(" ")
        );
        ExitCode::FAILURE
    }
}
