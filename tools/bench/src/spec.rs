//! What there is to run.
//!
//! In: `benches.toml` beside the scripts, and the scripts. Out: [`Bench`]es. Always: the scripts are
//! ordinary ones; what peers need to know of them stands in the table, not in them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::BenchError;

/// Which peers a script is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It uses torch and trains or infers in steps.
    #[default]
    Torch,
    /// It computes with Python's own numbers.
    Scalar,
    /// It does nothing: what counts is the time until it is done.
    Startup,
}

/// A script to measure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bench {
    /// Relative to the table. `dir/*.py` stands for all scripts there that have no entry of their own.
    pub script: PathBuf,
    /// The file's stem, unless given.
    #[serde(default)]
    pub name: String,
    /// Which peers it is for.
    #[serde(default)]
    pub kind: Kind,
    /// Arguments of the long run, which shows the steady state.
    #[serde(default)]
    pub long: Vec<String>,
    /// Arguments of the short run, of which the wall time counts.
    pub short: Option<Vec<String>>,
    /// What goes through `torch.compile`: functions (`Class.method` too), or classes, of which it is
    /// the instances.
    #[serde(default)]
    pub compile: Vec<String>,
    /// The same for `torch.jit.script`.
    #[serde(default)]
    pub jit_script: Vec<String>,
    /// Functions that go through `numba.njit`.
    #[serde(default)]
    pub numba: Vec<String>,
    /// The same in JAX.
    pub jax: Option<PathBuf>,
    /// Of a script whose steps are not all as much work, and not the same for two sides (episodes of a policy that learns):
    /// the word before the number that says it in each line. Times are of one of these then.
    pub work: Option<String>,
    /// What is printed after the line of this step is not compared: training carries rounding on.
    pub compared_steps: Option<u64>,
    /// Seconds after which a run is given up.
    #[serde(default = "limit")]
    pub limit_s: u64,
}

fn limit() -> u64 {
    600
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    bench: Vec<Bench>,
}

impl Bench {
    /// A script that no table knows.
    #[must_use]
    pub fn of_script(script: PathBuf) -> Bench {
        let mut bench = Bench {
            script,
            name: String::new(),
            kind: Kind::Torch,
            long: Vec::new(),
            short: None,
            compile: Vec::new(),
            jit_script: Vec::new(),
            numba: Vec::new(),
            jax: None,
            work: None,
            compared_steps: None,
            limit_s: limit(),
        };
        bench.complete(Path::new(""));
        bench
    }

    fn complete(&mut self, dir: &Path) {
        self.script = dir.join(&self.script);
        self.jax = self.jax.take().map(|port| dir.join(port));
        if self.name.is_empty() {
            self.name = self
                .script
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
        }
    }
}

/// The benches of a directory.
///
/// # Errors
/// Its table cannot be read or says something unknown.
pub fn load(dir: &Path) -> Result<Vec<Bench>, BenchError> {
    let path = dir.join("benches.toml");
    let text = std::fs::read_to_string(&path).map_err(BenchError::file("read", &path))?;
    let table: Table = toml::from_str(&text).map_err(|e| BenchError::Content {
        path,
        message: e.message().to_owned(),
    })?;
    let (patterns, mut all): (Vec<Bench>, Vec<Bench>) = table
        .bench
        .into_iter()
        .partition(|b| b.script.file_name().is_some_and(|n| n == "*.py"));
    for bench in &mut all {
        bench.complete(dir);
    }
    for pattern in patterns {
        let folder = dir.join(pattern.script.parent().unwrap_or(Path::new("")));
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        let mut scripts: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        scripts.retain(|s| {
            s.extension().is_some_and(|e| e == "py") && !all.iter().any(|b| b.script == *s)
        });
        scripts.sort();
        for script in scripts {
            let mut bench = Bench {
                script: PathBuf::new(),
                ..pattern.clone()
            };
            bench.script = script;
            bench.complete(Path::new(""));
            all.push(bench);
        }
    }
    Ok(all)
}

/// Those among `all` that were asked for, by name or by path; scripts that no table knows are added.
///
/// # Errors
/// A name is neither known nor a file.
pub fn select(all: Vec<Bench>, wanted: &[String]) -> Result<Vec<Bench>, BenchError> {
    if wanted.is_empty() {
        return Ok(all);
    }
    let mut chosen: Vec<Bench> = Vec::new();
    for name in wanted {
        let same = |b: &&Bench| {
            b.name == *name
                || matches!((b.script.canonicalize(), Path::new(name).canonicalize()), (Ok(a), Ok(c)) if a == c)
        };
        if let Some(known) = all.iter().find(same) {
            chosen.push(known.clone());
        } else if Path::new(name).is_file() {
            chosen.push(Bench::of_script(name.into()));
        } else {
            let known: Vec<&str> = all.iter().map(|b| b.name.as_str()).collect();
            return Err(BenchError::Unknown {
                what: "bench",
                name: name.clone(),
                known: known.join(", "),
            });
        }
    }
    Ok(chosen)
}
