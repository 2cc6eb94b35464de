//! `cargo xtask`: everything a contributor or a new user does with this repository.
//!
//! In: a subcommand. Out: an installed toolchain, built tools, test results. Always: builds and
//! runs with nothing but Rust, since it is what installs the rest.

mod bench;
mod conformance;
mod distributed;
mod docs;
mod engines;
mod faults;
mod fuzz;
mod golden;
mod gpu;
mod others;
mod packages;
mod programs;
mod quality;
mod readers;
mod sanitize;
mod scripts;
mod setup;
mod shell;
mod steady;
mod survey;
mod test;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Why a task stopped.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// A command could not be started.
    #[error("cannot run {command}: {source}")]
    Start {
        /// The command line.
        command: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A command failed.
    #[error("{command} failed ({status})")]
    Failed {
        /// The command line.
        command: String,
        /// Its exit status.
        status: std::process::ExitStatus,
    },
    /// A command does not end.
    #[error(
        "{command} hangs: after {wall_s} s it has used the processor for {cpu_s:.0} s and printed:\n{printed}"
    )]
    Hangs {
        /// The command line.
        command: String,
        /// How long it ran before it was ended.
        wall_s: u64,
        /// Seconds of the processor: few where it waits, as many where it goes round and round.
        cpu_s: f64,
        /// Its standard output.
        printed: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Something the user has to do first.
    #[error("{0}")]
    Needs(String),
    /// Tests failed; they have said which.
    #[error("{0} of the test stages failed: {1}")]
    Tests(usize, String),
}

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set-up, build, run and test janus-jit")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Set up, build, and run a script with janus-jit
    Run {
        /// The script and its arguments, as `janus-jit run` takes them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        args: Vec<String>,
    },
    /// Set up, build, and run every test
    Test {
        /// Only these stages: fmt, clippy, unit, lit, programs, models, gpu, survey, random
        #[arg(long, value_delimiter = ',')]
        only: Vec<test::Stage>,
        /// Run each program in all modes, and not in tier 0 and two others in turns
        #[arg(long)]
        all_modes: bool,
    },
    /// Set up and leave release builds of janus-jit and janus-opt in target/release
    Build,
    /// Say what is found and what is missing
    Doctor,
    /// Set up, build, and install janus-jit among cargo's binaries
    Install,
    /// Run random programs at tier 0 and tier 2, which must print the same bytes
    Fuzz {
        /// The first program's seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many programs
        #[arg(long, default_value_t = 1000)]
        count: u64,
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
        /// Only programs about this
        #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(fuzz::makers()))]
        about: Option<String>,
        /// Compare with CPython + PyTorch, too
        #[arg(long)]
        oracle: bool,
    },
    /// Hand changed bytes to what reads from outside: source, checkpoints, arrays, archives, the dialect's text
    Readers {
        /// Only this reader
        #[arg(long)]
        reader: Option<String>,
        /// Minutes for each
        #[arg(long, default_value_t = 1)]
        minutes: u64,
        /// Where changes of the dialect's texts begin
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Run this janus-opt, and build none
        #[arg(long, value_name = "PATH")]
        janus_opt: Option<PathBuf>,
    },
    /// Kill runs, fill the disk, change entries, start two at once: with a cache each run must print what it does without
    Faults {
        /// Runs that are killed; the other faults go with them
        #[arg(long, default_value_t = 200)]
        kills: u64,
        /// Where random moments begin
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Run the programs of several processes, at every tier, and let ranks fail
    Distributed {
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Run tests of unsafe Rust and of the C++ half under AddressSanitizer and UndefinedBehaviorSanitizer
    Sanitize {
        /// Only these parts
        #[arg(long, value_delimiter = ',')]
        only: Vec<sanitize::Part>,
    },
    /// Set up the peers and measure everything in turns; arguments go to `janus-jit bench`
    Bench {
        /// As `janus-jit bench` takes them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Say which test programs run their hot regions in tier 2, and what keeps the others out
    Steady {
        /// Scripts, or what the names of test programs contain; else all of those
        named: Vec<String>,
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Train the models that learn from real data, here and on CPython + PyTorch, with five seeds each
    Quality {
        /// Only models whose name contains this
        filter: Option<String>,
    },
    /// Run samples of every function here and on CPython + PyTorch, and group what differs
    Survey {
        /// Only samples whose key contains this, or whose topic it is
        only: Option<String>,
        /// Only the samples of test/survey, whose results are recorded: no PyTorch is needed
        #[arg(long, conflicts_with_all = ["record", "opinfo"])]
        fixed: bool,
        /// Choose the samples of test/survey anew
        #[arg(long, conflicts_with = "opinfo")]
        record: bool,
        /// The samples of PyTorch's own operator database
        #[arg(long)]
        opinfo: bool,
        /// The samples that were made last, and no new ones
        #[arg(long, conflicts_with = "fixed")]
        again: bool,
        /// Only in tier 0
        #[arg(long)]
        tier0: bool,
        /// How many times as many samples as usual
        #[arg(long, default_value_t = 1)]
        scale: u32,
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Run other people's scripts here and on CPython, and group what differs
    Conformance {
        /// Folders with scripts, or scripts
        #[arg(required = true)]
        from: Vec<PathBuf>,
        /// Only scripts whose path contains this
        #[arg(long)]
        only: Option<String>,
        /// For each script under CPython; janus-jit has three times as long
        #[arg(long, default_value_t = 30)]
        seconds: u64,
        /// Run again what was run before
        #[arg(long)]
        again: bool,
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Run the PyTorch scripts of checkouts here and on CPython + PyTorch: what ran, the same numbers, what it cost
    Scripts {
        /// Checkouts, or scripts
        #[arg(required = true)]
        from: Vec<PathBuf>,
        /// Only scripts whose path contains this
        #[arg(long)]
        only: Option<String>,
        /// For each script and side; who still runs then is compared by what it printed until then
        #[arg(long, default_value_t = 30)]
        seconds: u64,
        /// Flags of janus-jit run, such as --flag=--tier=0
        #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
        flags: Vec<String>,
        /// Run again what was run before
        #[arg(long)]
        again: bool,
        /// Run nothing: make the table of what is known
        #[arg(long, conflicts_with = "again")]
        known: bool,
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Run the scripts of test/packages with an environment's packages, here and on its CPython
    Packages {
        /// The virtual environment, with PyTorch and the packages in it
        venv: PathBuf,
        /// Only scripts whose name contains this
        #[arg(long)]
        only: Option<String>,
        /// Flags of janus-jit run, such as --flag=--tier=0
        #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
        flags: Vec<String>,
        /// For each script and side
        #[arg(long, default_value_t = 300)]
        seconds: u64,
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Run programs with their device code on an emulated GPU, too, and compare with the CPU's results
    GpuEmulate {
        /// What the names of programs or models contain; else a sample of the programs
        named: Vec<String>,
        /// Orders of threads
        #[arg(long, default_value_t = 1)]
        orders: u64,
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Assemble the kernels of programs for every NVIDIA GPU: registers, and what does not fit into them
    Ptxas {
        /// What the names of programs or models contain; else a sample of the programs
        named: Vec<String>,
        /// Run this janus-jit, and build none
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Make docs/dialect.md from ODS
    Docs,
    /// Record the golden output of test programs and examples from CPython + PyTorch
    Golden {
        /// Only programs whose name contains this
        filter: Option<String>,
    },
}

fn verdict(same: bool) -> ExitCode {
    if same {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Run { args } => setup::build().and_then(|tools| {
            let status = shell::status(
                std::process::Command::new(&tools.janus_jit)
                    .arg("run")
                    .args(args),
            )?;
            Ok(ExitCode::from(
                u8::try_from(status.code().unwrap_or(1)).unwrap_or(1),
            ))
        }),
        Task::Test { only, all_modes } => {
            let modes = match all_modes {
                true => programs::Modes::All,
                false => programs::Modes::Sample,
            };
            test::run(&only, modes).map(|()| ExitCode::SUCCESS)
        }
        Task::Build => setup::build().map(|tools| {
            println!(
                "{}\n{}",
                tools.janus_jit.display(),
                tools.janus_opt.display()
            );
            ExitCode::SUCCESS
        }),
        Task::Fuzz {
            seed,
            count,
            binary,
            about,
            oracle,
        } => oracle
            .then(golden::oracle)
            .transpose()
            .and_then(|python| {
                let janus_jit =
                    binary.map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)?;
                fuzz::run_all(&fuzz::Series {
                    janus_jit: &janus_jit,
                    seed,
                    count,
                    only: about.as_deref(),
                    python: python.as_deref(),
                })
            })
            .map(verdict),
        Task::Readers {
            reader,
            minutes,
            seed,
            janus_opt,
        } => readers::run(&readers::Series {
            only: reader.as_deref(),
            minutes,
            seed,
            janus_opt: janus_opt.as_deref(),
        })
        .map(verdict),
        Task::Faults {
            kills,
            seed,
            binary,
        } => binary
            .map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)
            .and_then(|janus_jit| {
                faults::run(&faults::Series {
                    janus_jit: &janus_jit,
                    seed,
                    kills,
                })
            })
            .map(verdict),
        Task::Distributed { binary } => binary
            .map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)
            .and_then(|janus_jit| distributed::test(&janus_jit))
            .map(verdict),
        Task::Sanitize { only } => sanitize::run(&only).map(|()| ExitCode::SUCCESS),
        Task::Bench { args } => bench::run(&args).map(|()| ExitCode::SUCCESS),
        Task::Steady { named, binary } => binary
            .map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)
            .and_then(|janus_jit| steady::run(&janus_jit, &named))
            .map(|()| ExitCode::SUCCESS),
        Task::Quality { filter } => setup::build()
            .and_then(|tools| quality::run(&tools.janus_jit, filter.as_deref()))
            .map(verdict),
        Task::Survey {
            only,
            fixed,
            record,
            opinfo,
            again,
            tier0,
            scale,
            binary,
        } => (!fixed)
            .then(golden::oracle)
            .transpose()
            .and_then(|python| {
                let janus_jit =
                    binary.map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)?;
                survey::run(&survey::Survey {
                    janus_jit: &janus_jit,
                    python: python.as_deref(),
                    only: only.as_deref(),
                    scale,
                    tier0,
                    record,
                    opinfo,
                    again,
                })
            })
            .map(verdict),
        Task::Conformance {
            from,
            only,
            seconds,
            again,
            binary,
        } => golden::oracle()
            .and_then(|python| {
                let janus_jit =
                    binary.map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)?;
                conformance::run(&conformance::Series {
                    from: &from,
                    janus_jit: &janus_jit,
                    python: &python,
                    seconds,
                    only: only.as_deref(),
                    again,
                })
            })
            .map(verdict),
        Task::Scripts {
            from,
            only,
            seconds,
            flags,
            again,
            known,
            binary,
        } => golden::oracle()
            .and_then(|python| {
                let janus_jit =
                    binary.map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)?;
                scripts::run(&scripts::Series {
                    from: &from,
                    janus_jit: &janus_jit,
                    python: &python,
                    seconds,
                    only: only.as_deref(),
                    flags: &flags,
                    again,
                    known,
                })
            })
            .map(verdict),
        Task::Packages {
            venv,
            only,
            flags,
            seconds,
            binary,
        } => binary
            .map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)
            .and_then(|janus_jit| {
                packages::run(&packages::Series {
                    venv: &venv,
                    janus_jit: &janus_jit,
                    only: only.as_deref(),
                    flags: &flags,
                    seconds,
                })
            })
            .map(verdict),
        Task::GpuEmulate {
            named,
            orders,
            binary,
        } => binary
            .map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)
            .and_then(|janus_jit| gpu::emulate(&janus_jit, &named, orders))
            .map(verdict),
        Task::Ptxas { named, binary } => binary
            .map_or_else(|| setup::build().map(|tools| tools.janus_jit), Ok)
            .and_then(|janus_jit| gpu::assemble(&janus_jit, &named))
            .map(verdict),
        Task::Docs => docs::write_all().map(|()| ExitCode::SUCCESS),
        Task::Doctor => Ok(setup::doctor()),
        Task::Install => setup::install().map(|()| ExitCode::SUCCESS),
        Task::Golden { filter } => golden::record(filter.as_deref()).map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|e| {
        eprintln!("xtask: {e}");
        ExitCode::FAILURE
    })
}
