//! Who runs a script: janus-jit in its ways, and the tools that it is compared with.
//!
//! In: where the tools are. Out: for each peer its version, or why it cannot take part, and command
//! lines. Always: one table, [`PEERS`]; a peer whose tool is missing is named, not passed over.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::BenchError;
use crate::spec::{Bench, Kind};

/// The peer that the others are compared with.
pub const OURS: &str = "janus";

/// Where tools are.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The binary under test.
    pub janus: PathBuf,
    /// CPython, with the packages of the peers that are to take part.
    pub python: PathBuf,
    /// PyPy.
    pub pypy: PathBuf,
    /// Where `drive.py` is, which edits a script as a user of a compiler would.
    pub peers_dir: PathBuf,
    /// A folder for caches, which is removed at the end.
    pub work: PathBuf,
}

/// Compiled code that is there when a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cache {
    /// None.
    Cold,
    /// That of runs before.
    Warm,
}

/// Modes of `drive.py`.
const COMPILE: &str = "compile";
const COMPILE_EAGER_RANDOM: &str = "compile-eager-random";

#[derive(Clone, Copy, Debug)]
enum How {
    Janus {
        flags: &'static [&'static str],
        cache: Cache,
    },
    Torch {
        threads: u32,
    },
    /// `drive.py` with this mode.
    Driven {
        mode: &'static str,
        module: &'static str,
        cache: Cache,
    },
    Jax,
    Python,
    Pypy,
}

/// Who runs a script.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// On the command line and in files.
    pub id: &'static str,
    /// In reports.
    pub title: &'static str,
    /// What it is.
    pub about: &'static str,
    how: How,
}

const fn janus(
    id: &'static str,
    title: &'static str,
    about: &'static str,
    flags: &'static [&'static str],
    cache: Cache,
) -> Peer {
    Peer {
        id,
        title,
        about,
        how: How::Janus { flags, cache },
    }
}

const fn driven(
    id: &'static str,
    title: &'static str,
    about: &'static str,
    mode: &'static str,
    module: &'static str,
    cache: Cache,
) -> Peer {
    Peer {
        id,
        title,
        about,
        how: How::Driven {
            mode,
            module,
            cache,
        },
    }
}

/// All of them, in the order of their turns.
pub const PEERS: &[Peer] = &[
    janus(
        OURS,
        "janus-jit",
        "all tiers, compiled code on disk from earlier runs",
        &[],
        Cache::Warm,
    ),
    Peer {
        id: "torch-1",
        title: "PyTorch eager, 1 thread",
        about: "CPython, OMP_NUM_THREADS=1",
        how: How::Torch { threads: 1 },
    },
    Peer {
        id: "torch-2",
        title: "PyTorch eager, 2 threads",
        about: "CPython, OMP_NUM_THREADS=2",
        how: How::Torch { threads: 2 },
    },
    driven(
        "torch-compile",
        "torch.compile",
        "the step decorated, its caches warm",
        COMPILE,
        "torch",
        Cache::Warm,
    ),
    driven(
        "torch-compile-cold",
        "torch.compile, cold",
        "the same with empty caches",
        COMPILE,
        "torch",
        Cache::Cold,
    ),
    driven(
        "torch-script",
        "torch.jit.script",
        "the model scripted",
        "script",
        "torch",
        Cache::Warm,
    ),
    Peer {
        id: "jax",
        title: "JAX",
        about: "a port of the script, its step under jit",
        how: How::Jax,
    },
    Peer {
        id: "cpython",
        title: "CPython",
        about: "the script as it is",
        how: How::Python,
    },
    Peer {
        id: "pypy",
        title: "PyPy",
        about: "the script as it is",
        how: How::Pypy,
    },
    driven(
        "numba",
        "Numba",
        "its functions decorated with njit",
        "numba",
        "numba",
        Cache::Cold,
    ),
    janus(
        "janus-cold",
        "janus-jit, cold",
        "all tiers, nothing compiled before",
        &[],
        Cache::Cold,
    ),
    janus(
        "janus-tier1",
        "janus-jit, tier 1",
        "no graphs",
        &["--tier", "1"],
        Cache::Cold,
    ),
    janus(
        "janus-tier0",
        "janus-jit, tier 0",
        "the interpreter alone",
        &["--tier", "0"],
        Cache::Cold,
    ),
];

/// The steps of Figure 7 of the JANUS paper, each with the flags that stand for it. The figure is about
/// the code, so none of them waits for the compile thread.
pub const ABLATION: &[Peer] = &[
    janus(
        "IMP",
        "IMP",
        "imperative: the interpreter alone",
        &["--compile", "sync", "--passes", "IMP"],
        Cache::Warm,
    ),
    janus(
        "BASE",
        "BASE",
        "graphs, nothing unrolled or specialised",
        &["--compile", "sync", "--passes", "BASE"],
        Cache::Warm,
    ),
    janus(
        "+UNRL",
        "+UNRL",
        "and loops unrolled",
        &["--compile", "sync", "--passes", "+UNRL"],
        Cache::Warm,
    ),
    janus(
        "+SPCN",
        "+SPCN",
        "and values and shapes specialised",
        &["--compile", "sync", "--passes", "+SPCN"],
        Cache::Warm,
    ),
    janus(
        "+PARL",
        "+PARL",
        "and independent operations in parallel",
        &["--compile", "sync", "--passes", "+PARL"],
        Cache::Warm,
    ),
];

/// The names of [`ABLATION`].
#[must_use]
pub fn ablation_names() -> Vec<String> {
    ABLATION.iter().map(|p| p.id.to_owned()).collect()
}

/// Both tables.
pub fn all() -> impl Iterator<Item = &'static Peer> {
    PEERS.iter().chain(ABLATION)
}

/// Peers by name; ours is always among them.
///
/// # Errors
/// No peer has that name.
pub fn select(names: &[String]) -> Result<Vec<&'static Peer>, BenchError> {
    for name in names {
        if !all().any(|p| p.id == name) {
            let known: Vec<&str> = all().map(|p| p.id).collect();
            return Err(BenchError::Unknown {
                what: "peer",
                name: name.clone(),
                known: known.join(", "),
            });
        }
    }
    let wanted = |p: &&Peer| p.id == OURS || names.is_empty() || names.iter().any(|n| n == p.id);
    Ok(all().filter(wanted).collect())
}

fn said(command: &mut Command) -> Result<String, String> {
    let out = command.output().map_err(|e| {
        format!(
            "cannot run {}: {e}",
            command.get_program().to_string_lossy()
        )
    })?;
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        text.lines()
            .rev()
            .find(|l| !l.trim().is_empty())
            .unwrap_or("")
            .trim()
            .to_owned()
    };
    if out.status.success() {
        Ok(text(&out.stdout))
    } else {
        Err(text(&out.stderr))
    }
}

fn python_version(python: &Path, module: Option<&str>) -> Result<String, String> {
    let code = match module {
        None => {
            "import platform; print(platform.python_implementation(), platform.python_version())"
                .to_owned()
        }
        Some(m) => format!(
            "import {m}, platform; print('{m}', {m}.__version__, 'on', platform.python_implementation(), platform.python_version())"
        ),
    };
    said(
        Command::new(python)
            .arg("-W")
            .arg("ignore")
            .arg("-c")
            .arg(code),
    )
}

impl Peer {
    /// Whether it is one of janus-jit's own ways.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        matches!(self.how, How::Janus { .. })
    }

    /// The same peer with eager's random numbers, if its own are others. It is slower, and only for what it prints.
    #[must_use]
    pub fn with_eager_random(&self) -> Option<Peer> {
        let mut same = *self;
        match &mut same.how {
            How::Driven { mode, .. } if *mode == COMPILE => *mode = COMPILE_EAGER_RANDOM,
            _ => return None,
        }
        Some(same)
    }

    /// Whether a first run fills a cache that later runs find.
    #[must_use]
    pub fn warms(&self) -> bool {
        matches!(
            self.how,
            How::Janus {
                cache: Cache::Warm,
                ..
            } | How::Driven {
                cache: Cache::Warm,
                mode: "compile",
                ..
            }
        )
    }

    /// Its version, or why it cannot take part.
    ///
    /// # Errors
    /// What is missing, in words.
    pub fn probe(&self, tools: &Tools) -> Result<String, String> {
        match self.how {
            How::Janus { flags, .. } => {
                let version = said(Command::new(&tools.janus).arg("--version"))?;
                if !flags.is_empty() {
                    said(
                        Command::new(&tools.janus)
                            .args(["run", "--cache", "off"])
                            .args(flags)
                            .args(["-c", "pass"]),
                    )
                    .map_err(|e| {
                        format!("this janus-jit does not take {}: {e}", flags.join(" "))
                    })?;
                }
                Ok(version)
            }
            How::Torch { .. } => python_version(&tools.python, Some("torch")),
            How::Driven { module, .. } => python_version(&tools.python, Some(module)),
            How::Jax => python_version(&tools.python, Some("jax")),
            How::Python => python_version(&tools.python, None),
            How::Pypy => python_version(&tools.pypy, None),
        }
    }

    /// Whether it takes part in a bench.
    #[must_use]
    pub fn runs(&self, bench: &Bench) -> bool {
        let torch = bench.kind == Kind::Torch;
        match self.how {
            How::Janus { cache, .. } => match bench.kind {
                Kind::Startup => self.id == OURS,
                Kind::Scalar => {
                    !self.id.starts_with('+')
                        && self.id != "IMP"
                        && self.id != "BASE"
                        && (cache == Cache::Warm || self.id != "janus-cold")
                }
                Kind::Torch => true,
            },
            How::Torch { threads } => torch || (bench.kind == Kind::Startup && threads == 1),
            How::Driven {
                mode: "compile", ..
            } => torch && !bench.compile.is_empty(),
            How::Driven { mode: "script", .. } => torch && !bench.jit_script.is_empty(),
            How::Driven { .. } => !bench.numba.is_empty(),
            How::Jax => bench.jax.is_some(),
            How::Python | How::Pypy => bench.kind == Kind::Scalar,
        }
    }

    /// The command that runs a bench; `run` tells this run from others. Statistics go to `stats`.
    #[must_use]
    pub fn command(
        &self,
        tools: &Tools,
        bench: &Bench,
        args: &[String],
        run: &str,
        stats: &Path,
    ) -> Command {
        // A cache of its own for each peer, and where it is to be cold for each run.
        let cache_dir = |cache: Cache| match cache {
            Cache::Warm => tools.work.join(self.id),
            Cache::Cold => tools.work.join(format!("{}-{run}", self.id)),
        };
        let python = |program: &Path| {
            let mut command = Command::new(program);
            command.args(["-W", "ignore"]);
            command
        };
        let mut command = match self.how {
            How::Janus { flags, cache } => {
                let mut command = Command::new(&tools.janus);
                command
                    .arg("run")
                    .arg("--cache")
                    .arg(cache_dir(cache))
                    .arg("--stats")
                    .arg(stats)
                    .args(flags);
                command.arg(&bench.script);
                command
            }
            How::Torch { threads } => {
                let mut command = python(&tools.python);
                command
                    .arg(&bench.script)
                    .env("OMP_NUM_THREADS", threads.to_string());
                command
            }
            How::Driven { mode, cache, .. } => {
                let names = match mode {
                    COMPILE | COMPILE_EAGER_RANDOM => &bench.compile,
                    "script" => &bench.jit_script,
                    _ => &bench.numba,
                };
                let mut command = python(&tools.python);
                command
                    .arg(tools.peers_dir.join("drive.py"))
                    .arg(mode)
                    .arg(names.join(","))
                    .arg(&bench.script);
                command.env("TORCHINDUCTOR_CACHE_DIR", cache_dir(cache));
                command
            }
            How::Jax => {
                let mut command = python(&tools.python);
                command.arg(bench.jax.as_deref().unwrap_or(&bench.script));
                command
            }
            How::Python => {
                let mut command = python(&tools.python);
                command.arg(&bench.script);
                command
            }
            How::Pypy => {
                let mut command = python(&tools.pypy);
                command.arg(&bench.script);
                command
            }
        };
        command.args(args).env("PYTHONHASHSEED", "0");
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing_there() -> Tools {
        Tools {
            janus: "/no/janus".into(),
            python: "/no/python".into(),
            pypy: "/no/pypy".into(),
            peers_dir: PathBuf::new(),
            work: PathBuf::new(),
        }
    }

    #[test]
    fn torch_compile_has_random_numbers_of_its_own() {
        let with: Vec<&str> = (all().filter(|p| p.with_eager_random().is_some()))
            .map(|p| p.id)
            .collect();
        assert_eq!(with, ["torch-compile", "torch-compile-cold"]);
        let peer = PEERS.iter().find(|p| p.id == "torch-compile").unwrap();
        let same = peer.with_eager_random().unwrap();
        assert!(same.with_eager_random().is_none());
        let bench = Bench {
            compile: vec!["f".to_owned()],
            ..Bench::of_script("s.py".into())
        };
        let command = same.command(&nothing_there(), &bench, &[], "r", Path::new("stats"));
        let args: Vec<_> = command.get_args().map(|a| a.to_string_lossy()).collect();
        assert_eq!(args[3..], ["compile-eager-random", "f", "s.py"]);
    }

    #[test]
    fn ids_are_unique_and_unknown_ones_are_refused() {
        let mut ids: Vec<&str> = all().map(|p| p.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), PEERS.len() + ABLATION.len());
        let e = select(&["tinygrad".to_owned()]).unwrap_err().to_string();
        assert!(
            e.starts_with("no peer is called 'tinygrad'; there are janus, torch-1")
                && !e.contains('\n'),
            "{e}"
        );
        let two = select(&["cpython".to_owned()]).unwrap();
        assert_eq!(
            two.iter().map(|p| p.id).collect::<Vec<_>>(),
            [OURS, "cpython"]
        );
    }

    #[test]
    fn a_missing_tool_is_named() {
        let tools = nothing_there();
        for peer in all() {
            assert!(
                peer.probe(&tools).unwrap_err().contains("cannot run /no/"),
                "{}",
                peer.id
            );
        }
    }
}
