//! Readers of bytes from outside, under libFuzzer with AddressSanitizer; the dialect's text, by processes.
//!
//! In: which readers, how long each. Out: inputs that ended a reader, kept in target/readers. Always: instrumented
//! code has a target folder of its own; what was learnt stays there for the next time.

mod dialect;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::TaskError;
use crate::setup::cargo;
use crate::shell::{bound, check, root, status, target_dir};

/// The one reader that is no function of `janus_untrusted`.
const DIALECT: &str = "dialect";

/// The system that instrumented code is built for: named, so that build scripts are not instrumented.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What libFuzzer needs, as cargo-fuzz has it, with the sanitizer that comes with the compiler.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cforce-frame-pointers=yes -Zsanitizer=address";

/// Limits of one input: seconds, MiB.
const LIMITS: [&str; 2] = ["-timeout=10", "-rss_limit_mb=2048"];

/// What to run.
pub struct Series<'a> {
    /// The only reader, else all.
    pub only: Option<&'a str>,
    /// Minutes for each.
    pub minutes: u64,
    /// For the dialect's texts.
    pub seed: u64,
    /// A janus-opt that is there.
    pub janus_opt: Option<&'a Path>,
}

/// The names of readers: each has a folder of inputs.
fn names() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("fuzz/corpus"));
    let mut names: Vec<String> = folders
        .into_iter()
        .flatten()
        .flatten()
        .map(|f| f.file_name().to_string_lossy().into_owned())
        .collect();
    names.push(DIALECT.to_owned());
    names.sort();
    names
}

/// Builds the instrumented program.
fn build() -> Result<PathBuf, TaskError> {
    let to = target_dir().join("readers/build");
    check(
        cargo(&["build", "--release", "--quiet", "--target", TARGET])
            .args(["--manifest-path", "fuzz/Cargo.toml"])
            // The sanitizer is there in stable compilers, too, but not its switch.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", FLAGS)
            .env("CARGO_TARGET_DIR", &to),
    )?;
    Ok(to.join(TARGET).join("release/readers"))
}

/// Runs one reader; true when nothing ended it.
fn fuzz(binary: &Path, dir: &Path, name: &str, minutes: u64) -> Result<bool, TaskError> {
    let learnt = dir.join(name);
    std::fs::create_dir_all(&learnt).map_err(|source| TaskError::Io {
        path: learnt.clone(),
        source,
    })?;
    let found = status(
        bound(binary)
            .arg(&learnt)
            .arg(root().join("fuzz/corpus").join(name))
            .arg(format!("-max_total_time={}", minutes * 60))
            .arg(format!("-artifact_prefix={}/{name}-", dir.display()))
            // A size that is refused is no finding: what is bounded is the memory in use.
            .args([
                "-malloc_limit_mb=1000000000",
                "-detect_leaks=0",
                "-max_len=4096",
                "-verbosity=0",
            ])
            .args(LIMITS)
            .env("JANUS_READER", name)
            .env(
                "ASAN_OPTIONS",
                "allocator_may_return_null=1:detect_leaks=0:max_allocation_size_mb=4096",
            ),
    )?;
    println!("{name}: {found}");
    Ok(found.success())
}

/// Runs them; true when nothing was found.
pub fn run(series: &Series) -> Result<bool, TaskError> {
    let names = names();
    if let Some(only) = series.only
        && !names.iter().any(|n| n == only)
    {
        let known = names.join(", ");
        return Err(TaskError::Needs(format!(
            "no reader is called {only}; there are {known}"
        )));
    }
    let dir = target_dir().join("readers");
    std::fs::create_dir_all(&dir).map_err(|source| TaskError::Io {
        path: dir.clone(),
        source,
    })?;
    let mut binary = None;
    let mut clean = true;
    for name in names
        .iter()
        .filter(|n| series.only.is_none_or(|only| only == *n))
    {
        if name == DIALECT {
            let janus_opt = match series.janus_opt {
                Some(path) => path.to_owned(),
                None => crate::setup::build()?.janus_opt,
            };
            let time = Duration::from_secs(series.minutes * 60);
            let found = dialect::run(&janus_opt, &dir, series.seed, time)?;
            for path in &found {
                println!("FOUND {}", path.display());
            }
            clean &= found.is_empty();
            continue;
        }
        if binary.is_none() {
            binary = Some(build()?);
        }
        if let Some(binary) = &binary {
            clean &= fuzz(binary, &dir, name, series.minutes)?;
        }
    }
    Ok(clean)
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        reason = "tests fail by panicking"
    )]

    use std::collections::BTreeMap;

    use crate::shell::{read, root};

    /// Each package of a lock file: its versions, and the names that it depends on.
    fn packages(lock: &str) -> BTreeMap<&str, (Vec<&str>, Vec<&str>)> {
        let mut all: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
        for block in lock.split("[[package]]").skip(1) {
            let field = |name: &str| {
                let mut lines = block.lines();
                lines.find_map(|l| l.strip_prefix(name)?.strip_prefix(" = "))
            };
            let name = field("name").expect("a package has a name");
            let of = all.entry(name.trim_matches('"')).or_default();
            of.0.push(field("version").expect("a package has a version"));
            let dependencies = block.lines().filter_map(|l| l.strip_prefix(" \""));
            of.1.extend(dependencies.filter_map(|l| l.split(['"', ' ']).next()));
        }
        all
    }

    /// What a manifest names under `[dependencies]`.
    fn dependencies(manifest: &str) -> Vec<&str> {
        let section = manifest.lines().skip_while(|l| *l != "[dependencies]");
        let section = section.skip(1).take_while(|l| !l.starts_with('['));
        section
            .filter_map(|l| {
                l.split(['.', ' ', '='])
                    .next()
                    .filter(|n| !n.is_empty() && *n != "#")
            })
            .collect()
    }

    /// The readers are a workspace of their own, since their compiler and flags are: its lock is not kept by a build of ours.
    #[test]
    fn lock_is_up_to_date() {
        let (ours, of_readers) = ("Cargo.lock", "fuzz/Cargo.lock");
        let (ours, of_readers) = (
            read(&root().join(ours)).unwrap(),
            read(&root().join(of_readers)).unwrap(),
        );
        let (ours, of_readers) = (packages(&ours), packages(&of_readers));
        let mut checked = 0;
        for (name, (versions, there)) in &of_readers {
            if let Some((known, _)) = ours.get(name) {
                let is_known = versions.iter().all(|v| known.contains(v));
                assert!(is_known, "{name}: {versions:?} there, {known:?} here");
            }
            let Some(folder) = name.strip_prefix("janus-") else {
                continue;
            };
            for layer in ["runtime", "compiler", "tools"] {
                let Ok(manifest) = read(&root().join(layer).join(folder).join("Cargo.toml")) else {
                    continue;
                };
                for wanted in dependencies(&manifest) {
                    assert!(
                        there.contains(&wanted),
                        "fuzz/Cargo.lock: {name} needs {wanted}"
                    );
                    checked += 1;
                }
            }
        }
        assert!(checked > 40, "only {checked} dependencies were found");
    }
}
