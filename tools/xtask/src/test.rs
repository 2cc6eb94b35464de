//! `cargo xtask test`: every check, in the order in which they are cheapest to fail.

use std::process::Command;
use std::time::Instant;

use crate::TaskError;
use crate::programs::Modes;
use crate::setup::{self, LLVM_PREFIX, cargo};
use crate::shell::{check, root, target_dir};

/// One stage of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Stage {
    /// `cargo fmt --check`
    Fmt,
    /// clippy with warnings as errors
    Clippy,
    /// unit, golden and integration tests of the crates
    Unit,
    /// lit tests of the dialect and of `--emit`
    Lit,
    /// scripts at every tier against golden output, and a few faults of the cache
    Programs,
    /// the models of `benches/models` against PyTorch's losses
    Models,
    /// device code of some programs on an emulated GPU against the CPU's results
    Gpu,
    /// samples of every function against what PyTorch gave
    Survey,
    /// random programs at tier 0 and tier 2
    Random,
}

/// Runs with a cache that are killed in one test run; the other faults go with them.
const KILLS: u64 = 4;

/// Random programs of one test run, always the same ones.
const RANDOM_PROGRAMS: u64 = 150;

const ALL: &[Stage] = &[
    Stage::Fmt,
    Stage::Clippy,
    Stage::Unit,
    Stage::Lit,
    Stage::Programs,
    Stage::Models,
    Stage::Gpu,
    Stage::Survey,
    Stage::Random,
];

fn unit(modes: Modes) -> Result<(), TaskError> {
    // One process a test where nextest is there; MLIR's registries are process-global.
    let nextest = crate::shell::output(cargo(&["nextest", "--version"]).arg("--quiet")).is_some()
        || crate::shell::output(&mut cargo(&["nextest", "--version"])).is_some();
    let mut command = if nextest {
        cargo(&[
            "nextest",
            "run",
            "--release",
            "--workspace",
            "--no-fail-fast",
            "--status-level",
            "fail",
        ])
    } else {
        cargo(&[
            "test",
            "--release",
            "--workspace",
            "--no-fail-fast",
            "--quiet",
        ])
    };
    if modes == Modes::All {
        command.env("JANUS_ALL_MODES", "1");
    }
    check(&mut command)
}

fn lit(tools: &setup::Tools) -> Result<(), TaskError> {
    crate::docs::check()?;
    check(
        Command::new(format!("{LLVM_PREFIX}/bin/lit"))
            .current_dir(root())
            .env("JANUS_OPT", &tools.janus_opt)
            .env("JANUS_JIT", &tools.janus_jit)
            .env("LLVM_TOOLS_DIR", format!("{LLVM_PREFIX}/bin"))
            .env("JANUS_LIT_EXEC_ROOT", target_dir().join("lit"))
            .args(["-v", "--no-progress-bar", "test/lit"]),
    )
}

/// Runs the given stages, or all; goes on after a failure and names what failed at the end.
pub fn run(only: &[Stage], modes: Modes) -> Result<(), TaskError> {
    let stages = if only.is_empty() { ALL } else { only };
    setup::ensure()?;
    crate::engines::build()?;
    let mut failed = Vec::new();
    let mut tools = None;
    for &stage in stages {
        println!("== {stage:?}");
        let start = Instant::now();
        let result = match stage {
            Stage::Fmt => check(&mut cargo(&["fmt", "--all", "--check"])),
            Stage::Clippy => check(&mut cargo(&[
                "clippy",
                "--quiet",
                "--release",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ])),
            Stage::Unit => unit(modes),
            Stage::Lit
            | Stage::Programs
            | Stage::Models
            | Stage::Gpu
            | Stage::Survey
            | Stage::Random => {
                if tools.is_none() {
                    tools = Some(setup::build()?);
                }
                match (&tools, stage) {
                    (Some(tools), Stage::Lit) => lit(tools),
                    (Some(tools), stage) => {
                        let janus_jit = &tools.janus_jit;
                        let same = match stage {
                            Stage::Random => crate::fuzz::run_all(&crate::fuzz::Series {
                                janus_jit,
                                seed: 1,
                                count: RANDOM_PROGRAMS,
                                only: None,
                                python: None,
                            }),
                            Stage::Gpu => crate::gpu::emulate(janus_jit, &[], 1),
                            Stage::Survey => {
                                crate::survey::run(&crate::survey::Survey::fixed(janus_jit))
                            }
                            Stage::Programs => crate::programs::test(janus_jit, false, modes)
                                .and_then(|same| {
                                    let series = crate::faults::Series {
                                        janus_jit,
                                        seed: 1,
                                        kills: KILLS,
                                    };
                                    let same = crate::faults::run(&series)? && same;
                                    Ok(crate::distributed::test(janus_jit)? && same)
                                }),
                            _ => crate::programs::test(janus_jit, true, modes),
                        };
                        same.and_then(|ok| {
                            if ok {
                                Ok(())
                            } else {
                                Err(TaskError::Needs("programs failed".to_owned()))
                            }
                        })
                    }
                    (None, _) => Ok(()),
                }
            }
        };
        if let Err(e) = result {
            println!("{stage:?}: {e}");
            failed.push(format!("{stage:?}"));
        }
        println!("{stage:?} took {} s", start.elapsed().as_secs());
    }
    if failed.is_empty() {
        println!("all stages passed: {stages:?}");
        Ok(())
    } else {
        Err(TaskError::Tests(failed.len(), failed.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::shell::root;

    /// Files below a folder that hold `#[test]`.
    fn with_tests(dir: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                with_tests(&path, found);
            } else if std::fs::read_to_string(&path).is_ok_and(|text| text.contains("#[test]")) {
                found.push(path.display().to_string());
            }
        }
    }

    #[test]
    fn no_test_lies_where_none_is_run() {
        let mut found = Vec::new();
        let mut looked_at = 0;
        for parent in ["compiler", "dialects", "runtime", "tools"] {
            for entry in std::fs::read_dir(root().join(parent)).unwrap() {
                let member = entry.unwrap().path();
                let manifest = std::fs::read_to_string(member.join("Cargo.toml"));
                if manifest.is_ok_and(|text| text.contains("\ntest = false")) {
                    with_tests(&member.join("src"), &mut found);
                    looked_at += 1;
                }
            }
        }
        assert!(looked_at > 0 && found.is_empty(), "{found:?}");
    }
}
