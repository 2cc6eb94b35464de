//! `cargo xtask bench`: sets up the peers, then measures everything.
//!
//! In: arguments of `janus-jit bench`. Out: reports in target/bench. Always: a peer that cannot be installed is left
//! out; the harness names it.

use std::path::PathBuf;
use std::process::Command;

use crate::TaskError;
use crate::setup::{self, Proof};
use crate::shell::{check, output, root, target_dir};

/// What the virtual environment of the peers holds.
const PACKAGES: &[(&str, &str)] = &[
    ("torch", "torch==2.11.0"),
    ("numpy", "numpy"),
    ("jax", "jax"),
    ("numba", "numba"),
];

/// The peers' Python: `JANUS_BENCH_PYTHON`, or a virtual environment under target/.
fn python() -> Result<PathBuf, TaskError> {
    if let Some(python) = std::env::var_os("JANUS_BENCH_PYTHON") {
        return Ok(python.into());
    }
    let venv = target_dir().join("peers");
    let python = venv.join("bin/python");
    if !python.exists() {
        check(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    }
    for (module, package) in PACKAGES {
        let import = format!("import {module}");
        if output(Command::new(&python).args(["-c", &import])).is_some() {
            continue;
        }
        eprintln!("xtask: installing {package}");
        if let Err(e) =
            check(Command::new(&python).args(["-m", "pip", "install", "--quiet", package]))
        {
            eprintln!("xtask: {package} is left out: {e}");
        }
    }
    Ok(python)
}

/// Builds, sets up the peers, measures.
pub fn run(args: &[String]) -> Result<(), TaskError> {
    let tools = setup::build()?;
    let python = python()?;
    if let Err(e) = setup::ensure_optional("pypy3", &Proof::Program("pypy3")) {
        eprintln!("xtask: pypy3 is left out: {e}");
    }
    let out = target_dir().join("bench");
    std::fs::create_dir_all(&out).map_err(|source| TaskError::Io {
        path: out.clone(),
        source,
    })?;
    let mut command = Command::new(&tools.janus_jit);
    command
        .current_dir(root())
        .arg("bench")
        .arg("--python")
        .arg(python);
    let given = |flag: &str| args.iter().any(|a| a.split('=').next() == Some(flag));
    if !given("--list") && !given("--from") {
        for (flag, file) in [
            ("--json", "results.json"),
            ("--markdown", "results.md"),
            ("--html", "results.html"),
        ] {
            if !given(flag) {
                command.arg(flag).arg(out.join(file));
            }
        }
        // Turns within a round make up for what a machine does besides, and one round of everything takes hours.
        if !given("--rounds") {
            command.args(["--rounds", "1"]);
        }
    }
    check(command.args(args))
}
