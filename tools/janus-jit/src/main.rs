//! `janus-jit`: runs a Python script, compiled where it pays.
//!
//! In: the command line. Out: the script's own output and exit code; on request what each tier
//! made of it. Always: a wrong command line is exit code 2 with one clear line; a script's own
//! error is CPython's traceback and exit code 1.

mod cachecmd;
mod frontend;
mod launch;
mod memory;
mod python;
mod repl;
mod report;
mod run;
mod stages;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use clap::builder::FalseyValueParser;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use janus_bench::cli::BenchArgs;
use janus_tiering::passes::{Selection, SelectionError};
use janus_tiering::{Emit, EmitStage, Options, Trace};

use cachecmd::CacheChoice;
use run::Script;

#[global_allocator]
static ALLOCATOR: memory::Bounded = memory::Bounded;

/// Ours and LLVM's.
fn version() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let llvm = janus_codegen::llvm_version();
        format!("{} (LLVM {llvm})", env!("CARGO_PKG_VERSION"))
    })
}

/// Executions that are profiled before a region is converted.
const PROFILED: u64 = 3;
/// How long a region is hot before it is compiled in the background. Building a graph takes the script's own
/// thread 10 to 90 ms, and compiling it ten times as long: not worth it where the script ends before.
const PATIENCE: Duration = Duration::from_millis(50);

#[derive(Parser)]
#[command(
    name = "janus-jit",
    version = version(),
    about = "A tiered JIT for PyTorch scripts"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a script
    Run(RunArgs),
    /// Run a script, then say for each region which tier it reached and why
    Explain {
        /// Print the report as JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Run a script in several processes that find one another, as PyTorch's torchrun does
    Torchrun(launch::TorchrunArgs),
    /// Measure scripts on janus-jit and on other tools, in turns
    Bench(BenchArgs),
    /// Compile the text of a stage, as --emit-dir writes it, to a later one
    Compile(stages::CompileArgs),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the man page
    Man,
    /// Look at the compiled code kept on disk, or remove it
    Cache {
        #[command(subcommand)]
        action: cachecmd::Action,
        /// Another directory than the user's own
        #[arg(long, value_name = "DIR", global = true, value_parser = cachecmd::choice, env = "JANUS_CACHE")]
        cache: Option<CacheChoice>,
    },
}

/// What `--log` takes.
const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];

/// When to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CompileMode {
    /// On a thread of its own, while tier 0 goes on
    Background,
    /// At once: for tests and repeatable runs
    Sync,
}

#[derive(Args)]
#[command(args_override_self = true)]
struct RunArgs {
    /// The highest tier allowed
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=2), env = "JANUS_TIER")]
    tier: u32,
    /// When to compile [default: background; for explain: sync]
    #[arg(long, value_enum, env = "JANUS_COMPILE")]
    compile: Option<CompileMode>,
    /// Where compiled code is kept for the next run, or `off` [default: the user's cache directory]
    #[arg(long, value_name = "DIR|off", value_parser = cachecmd::choice, env = "JANUS_CACHE")]
    cache: Option<CacheChoice>,
    /// Print these stages: ast, bytecode, profile, clif, graph, plan, dot, svg, graph-opt, linalg, llvm, asm, gpu, ptx
    #[arg(long, value_name = "STAGE", value_delimiter = ',', value_parser = stage, env = "JANUS_EMIT")]
    emit: Vec<EmitStage>,
    /// The device that the stages gpu and ptx are for: sm_75, sm_80, sm_90 or sm_120; the script itself runs on the CPU
    #[arg(long, value_name = "CHIP", default_value = "sm_90", value_parser = stages::chip, env = "JANUS_TARGET")]
    target: janus_codegen::Chip,
    /// Write emitted stages into this folder, one file a stage and region
    #[arg(long, value_name = "DIR", env = "JANUS_EMIT_DIR")]
    emit_dir: Option<PathBuf>,
    /// Emit only functions whose `module.qualified_name` contains this, and what they are inlined into
    #[arg(long, value_name = "FUNCTION", env = "JANUS_EMIT_FILTER")]
    emit_filter: Option<String>,
    /// Write what each tier did to this file, as JSON
    #[arg(long, value_name = "FILE", env = "JANUS_STATS")]
    stats: Option<PathBuf>,
    /// Which optimisations run: a preset, then switches, as in `-cse,-fuse` or `BASE,+unroll`;
    /// `list` shows them all
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, value_parser = passes, env = "JANUS_PASSES")]
    passes: Option<PassesChoice>,
    /// Write what ran when to this file, in the format of Perfetto and Chrome's viewer
    #[arg(long, value_name = "FILE", env = "JANUS_TRACE")]
    trace: Option<PathBuf>,
    /// Write the story of the run to this file, as one HTML page
    #[arg(long, value_name = "FILE", env = "JANUS_REPORT")]
    report: Option<PathBuf>,
    /// Executions that are profiled before a region is converted [default: 3, and as many as there are in
    /// 50 ms where compiling is in the background]
    #[arg(long, value_name = "N", env = "JANUS_PROFILED")]
    profiled: Option<u64>,
    /// Stress: `deopt=N` makes every N-th entry into compiled code fail; `fault=N` makes the N-th
    /// compute a wrong number, which --verify finds
    #[arg(long, value_name = "KIND=N", value_parser = stress, env = "JANUS_STRESS")]
    stress: Option<Stress>,
    /// Raise MemoryError in the script when the process has more memory than this: bytes, or with K, M, G behind
    #[arg(long, value_name = "SIZE", value_parser = size, env = "JANUS_MAX_MEMORY")]
    max_memory: Option<usize>,
    /// Run what tier 2 compiled in tier 0, too, and stop at the first difference
    #[arg(long, env = "JANUS_VERIFY", value_parser = FalseyValueParser::new())]
    verify: bool,
    /// There is a CUDA device, which is emulated: `emulate`, or `emulate=N` for another order of threads. What tier 2
    /// compiled for the CPU runs there, too, and is compared
    #[arg(long, value_name = "emulate[=N]", value_parser = cuda, env = "JANUS_CUDA")]
    cuda: Option<u64>,
    /// Where tensors are made that the script names no device for, as if it had called torch.set_default_device
    #[arg(long, value_name = "cpu|cuda", value_parser = default_device, env = "JANUS_DEFAULT_DEVICE")]
    default_device: Option<janus_tensor::Device>,
    /// Run the script in so many processes that find one another, as `torchrun --standalone` does
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), env = "JANUS_NPROC")]
    nproc: Option<u32>,
    /// Log what the tiers decide to standard error
    #[arg(long, value_name = "LEVEL", value_parser = LEVELS, env = "JANUS_LOG")]
    log: Option<String>,
    #[command(flatten)]
    python: python::PythonArgs,
    /// Run this text instead of a file; what follows are its arguments
    #[arg(short = 'c', value_names = ["CODE", "ARGUMENTS"], num_args = 1.., allow_hyphen_values = true)]
    code: Vec<String>,
    /// Run this module instead of a file; what follows are its arguments
    #[arg(short = 'm', value_names = ["MODULE", "ARGUMENTS"], num_args = 1.., allow_hyphen_values = true, conflicts_with = "code")]
    module: Vec<String>,
    /// The script, or `-` for standard input, and its own arguments; without one there is a prompt
    #[arg(value_name = "SCRIPT", trailing_var_arg = true)]
    script: Vec<String>,
}

fn stage(name: &str) -> Result<EmitStage, String> {
    EmitStage::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = EmitStage::ALL.iter().map(|s| s.name()).collect();
        format!("no such stage; the stages are {}", known.join(", "))
    })
}

/// What `--passes` says.
#[derive(Clone, Copy)]
enum PassesChoice {
    /// Show them.
    List,
    /// Run with these.
    Select(Selection),
}

fn passes(text: &str) -> Result<PassesChoice, SelectionError> {
    match text {
        "list" => Ok(PassesChoice::List),
        text => text.parse().map(PassesChoice::Select),
    }
}

/// What `--stress` says.
#[derive(Clone, Copy)]
enum Stress {
    Deopt(u64),
    Fault(u64),
}

fn stress(text: &str) -> Result<Stress, String> {
    let (kind, n) = text.split_once('=').unwrap_or((text, ""));
    match (kind, n.parse()) {
        ("deopt", Ok(n)) if n > 0 => Ok(Stress::Deopt(n)),
        ("fault", Ok(n)) if n > 0 => Ok(Stress::Fault(n)),
        _ => Err("expected deopt=N or fault=N with N at least 1".to_owned()),
    }
}

fn default_device(text: &str) -> Result<janus_tensor::Device, String> {
    match text {
        "cpu" => Ok(janus_tensor::Device::Cpu),
        "cuda" => Ok(janus_tensor::Device::Cuda(0)),
        _ => Err("expected cpu or cuda".to_owned()),
    }
}

/// What stands in for a GPU: the seed of an emulated one.
fn cuda(text: &str) -> Result<u64, String> {
    let (kind, seed) = text.split_once('=').unwrap_or((text, "0"));
    let seed = seed.parse().ok().filter(|_| kind == "emulate");
    seed.ok_or_else(|| "expected emulate or emulate=N with a number N".to_owned())
}

/// A number of bytes.
fn size(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 10),
        Some('m' | 'M') => (&text[..text.len() - 1], 20),
        Some('g' | 'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number = digits.parse::<usize>().ok().filter(|number| *number > 0);
    number
        .and_then(|number| number.checked_mul(1 << shift))
        .ok_or_else(|| "expected a number of bytes, as 500M or 2G".to_owned())
}

fn start_log(level: Option<&str>) -> Result<(), String> {
    let level = level.unwrap_or("off");
    let filter = tracing_subscriber::EnvFilter::try_new(level)
        .map_err(|e| format!("--log does not take '{level}': {e}"))?;
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .without_time()
        .try_init();
    Ok(())
}

/// What to report after the run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Explain {
    No,
    Text,
    Json,
}

fn job(args: RunArgs, explain: Explain, start: Instant) -> Result<run::Job, String> {
    start_log(args.log.as_deref())?;
    let selection = match args.passes {
        Some(PassesChoice::List) => leave(run::print(&janus_tiering::passes::list())),
        Some(PassesChoice::Select(selection)) => selection,
        None => Selection::default(),
    };
    let default = if explain == Explain::No {
        CompileMode::Background
    } else {
        CompileMode::Sync
    };
    let mut emit = Emit::new(args.emit, args.emit_dir, args.emit_filter);
    emit.chip = args.target;
    emit.prepare()?;
    for path in [&args.stats, &args.trace, &args.report]
        .into_iter()
        .flatten()
    {
        // The option takes a file name: a script behind it alone is not to be lost.
        if path.extension().is_some_and(|end| end == "py") && path.exists() {
            let path = path.display();
            return Err(format!("{path} is a script: name the file to write first"));
        }
        // Found out now rather than when the work is done.
        std::fs::File::create(path).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    }
    if let Some(bytes) = args.max_memory {
        memory::limit(bytes);
    }
    if args.default_device == Some(janus_tensor::Device::Cuda(0)) && args.cuda.is_none() {
        return Err("--default-device cuda needs --cuda emulate".to_owned());
    }
    if args.cuda.is_some() {
        janus_tensor::device::provide_cuda(janus_codegen::EMULATED_MEMORY);
    }
    let recorded = args.trace.is_some() || args.report.is_some();
    let sync = args.compile.unwrap_or(default) == CompileMode::Sync;
    let options = Options {
        max_tier: if selection.imperative { 0 } else { args.tier },
        sync,
        profiled: args.profiled.unwrap_or(PROFILED),
        patience: match args.profiled {
            None if !sync => PATIENCE,
            _ => Duration::ZERO,
        },
        stress_deopt: match args.stress {
            Some(Stress::Deopt(n)) => Some(n),
            _ => None,
        },
        stress_fault: match args.stress {
            Some(Stress::Fault(n)) => Some(n),
            _ => None,
        },
        verify: args.verify,
        emulate: args.cuda,
        // What is kept there has no device code.
        cache: match args.cuda {
            Some(_) => None,
            None => cachecmd::open(args.cache)?,
        },
        passes: selection.passes,
        trace: recorded.then(|| Arc::new(Trace::new(start))),
        pictures: args.report.is_some(),
    };
    if args.python.version {
        leave(run::print("Python 3.11.7\n"));
    }
    let mut settings = args.python.settings()?;
    let (mut code, mut module) = (args.code.into_iter(), args.module.into_iter());
    let mut given = args.script.into_iter();
    let from_terminal = || settings.interactive || std::io::stdin().is_terminal();
    let script = match (code.next(), module.next()) {
        (Some(code), _) => Script::Text(code),
        (None, Some(module)) => Script::Module(module),
        (None, None) => match given.next() {
            Some(path) if path != "-" => Script::File(path.into()),
            None if explain != Explain::No => return Err("explain needs a SCRIPT".to_owned()),
            _ if from_terminal() => Script::Prompt,
            _ => Script::Stdin,
        },
    };
    settings.interactive |= matches!(script, Script::Prompt);
    Ok(run::Job {
        options,
        emit: Arc::new(emit),
        stats: args.stats,
        trace: args.trace,
        report: args.report,
        explain,
        script,
        args: code.chain(module).chain(given).collect(),
        settings,
        default_device: args.default_device,
        start,
    })
}

/// Carries out `janus-jit bench`; gives the exit code.
fn bench(args: &BenchArgs) -> i32 {
    let done = std::env::current_exe()
        .map_err(|e| format!("cannot find this program: {e}"))
        .and_then(|own| janus_bench::cli::run(args, &own).map_err(|e| e.to_string()));
    match done {
        Ok(reported) => {
            for why in &reported.unwritten {
                eprintln!("janus-jit: {why}");
            }
            run::print(&reported.text).max(reported.code)
        }
        Err(message) => {
            eprintln!("janus-jit: {message}");
            2
        }
    }
}

/// What was asked for. A wrong command line ends the process, with one line.
fn command_line() -> Cli {
    use clap::error::ErrorKind;
    Cli::try_parse_from(python::arguments()).unwrap_or_else(|e| match e.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => e.exit(),
        _ => {
            eprintln!("janus-jit: {}; --help says more", one_line(&e.to_string()));
            leave(2)
        }
    })
}

/// The message of a wrong command line and what is proposed, without the usage.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let tips = rest.lines().filter_map(|l| l.trim().strip_prefix("tip: "));
    let parts = std::iter::once(message).chain(tips);
    let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    parts.map(words).collect::<Vec<_>>().join("; ")
}

fn main() {
    let start = Instant::now();
    memory::bound();
    if python::version_wanted() {
        leave(run::print("Python 3.11.7\n"));
    }
    let job = match command_line().command {
        Command::Run(args) if args.nproc.is_some() => {
            let n = args.nproc.unwrap_or(1);
            leave(launch::workers(
                n,
                launch::without_nproc(python::arguments()),
            ))
        }
        Command::Run(args) => job(args, Explain::No, start),
        Command::Torchrun(args) => leave(launch::torchrun(args)),
        Command::Explain { json, run } => {
            let explain = if json { Explain::Json } else { Explain::Text };
            job(run, explain, start)
        }
        Command::Bench(args) => leave(bench(&args)),
        Command::Compile(args) => leave(stages::run(&args)),
        Command::Completions { shell } => leave(run::print(&completions(shell))),
        Command::Man => {
            let mut text = Vec::new();
            // Writing to a vector cannot fail.
            let _ = clap_mangen::Man::new(Cli::command()).render(&mut text);
            leave(run::print(&String::from_utf8_lossy(&text)))
        }
        Command::Cache { action, cache } => leave(cachecmd::run(action, cache)),
    };
    let job = match job {
        Ok(job) => job,
        Err(message) => {
            eprintln!("janus-jit: {message}");
            leave(2)
        }
    };
    // They are for the interpreter's thread, which takes them once its helpers are there.
    janus_gil::signals::block();
    // The interpreter recurses natively, once per Python call; the pages are used on demand.
    let thread = std::thread::Builder::new()
        .name("janus-main".to_owned())
        .stack_size(run::STACK)
        .spawn(|| {
            janus_tensor::kernels::loops::join_threads();
            job.run()
        });
    let code = match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => {
            eprintln!("janus-jit: internal error; please report the message above with the script");
            janus_tiering::EXIT_DEFECT
        }
        Err(e) => {
            eprintln!("janus-jit: cannot start the interpreter's thread: {e}");
            janus_tiering::EXIT_DEFECT
        }
    };
    leave(code)
}

/// What a shell reads to complete our commands.
fn completions(shell: clap_complete::Shell) -> String {
    let mut text = Vec::new();
    let mut command = Cli::command();
    // For bash clap loses commands behind a hyphen in the name of the program.
    let is_bash = shell == clap_complete::Shell::Bash;
    let name = if is_bash { "janus_jit" } else { "janus-jit" };
    clap_complete::generate(shell, &mut command, name, &mut text);
    let text = String::from_utf8_lossy(&text);
    if is_bash {
        text.replace("default janus_jit\n", "default janus-jit\n")
    } else {
        text.into_owned()
    }
}

/// Ends the process without running destructors of static objects: the compile thread may be in the
/// middle of LLVM, which uses them. Everything of the script's is flushed by now.
fn leave(code: i32) -> ! {
    use std::io::Write as _;
    let _ = std::io::stdout().flush();
    // SAFETY: `_exit` takes any status and does not return.
    unsafe { libc::_exit(code.rem_euclid(256)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each long flag of `run` has a variable, and the reference names both.
    #[test]
    fn flags_and_variables_are_in_the_reference() {
        let command = Cli::command();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference.md");
        let reference = std::fs::read_to_string(path).unwrap();
        let run = command.find_subcommand("run").unwrap();
        let mut variables = Vec::new();
        for arg in run.get_arguments() {
            let Some(flag) = arg.get_long().filter(|f| !matches!(*f, "help" | "version")) else {
                continue;
            };
            let expected = format!("JANUS_{}", flag.to_uppercase().replace('-', "_"));
            let variable = arg.get_env().and_then(|e| e.to_str());
            assert_eq!(variable, Some(expected.as_str()), "--{flag}");
            let row = reference
                .lines()
                .any(|l| l.starts_with(&format!("| `--{flag}")) && l.contains(&expected));
            assert!(
                row,
                "docs/reference.md has no row with --{flag} and {expected}"
            );
            variables.push(expected);
        }
        for row in reference.lines().filter(|l| l.starts_with("| `--")) {
            let known = variables.iter().any(|v| row.contains(&format!("`{v}`")));
            assert!(known, "not a flag of run: {row}");
        }
        for name in command.get_subcommands().map(clap::Command::get_name) {
            assert!(
                reference.contains(&format!("`{name}`")),
                "no command {name}"
            );
        }
        for stage in EmitStage::ALL {
            assert!(
                reference.contains(&format!("`{}`", stage.name())),
                "no stage {}",
                stage.name()
            );
        }
    }

    #[test]
    fn each_reason_has_its_page() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reasons");
        let mut pages: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .filter(|n| n != "README.md")
            .collect();
        for reason in janus_tiering::reason::all() {
            let id = reason.id;
            let page = std::fs::read_to_string(format!("{dir}/{id}.md"));
            let page = page.unwrap_or_else(|e| panic!("{id}: {e}"));
            let head = format!("# {id}\n\n**{}.** Hint: {}.\n", reason.text, reason.hint);
            assert!(page.starts_with(&head), "{id}.md has to begin with\n{head}");
            assert!(page.len() > head.len() + 80, "{id}.md explains nothing");
            pages.retain(|p| *p != format!("{id}.md"));
        }
        assert!(pages.is_empty(), "pages without a reason: {pages:?}");
    }

    /// The list of the pages is made of the table of reasons.
    #[test]
    fn reasons_are_listed() {
        use janus_tiering::reason::About;
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reasons/README.md");
        let written = std::fs::read_to_string(path).unwrap();
        let mut list = written.split("\n## ").next().unwrap().to_owned();
        for (heading, about) in [
            ("Compiled code was left", About::Departure),
            ("A region is not in tier 2", About::Refusal),
        ] {
            list += &format!("\n## {heading}\n\n");
            for reason in janus_tiering::reason::all() {
                if reason.about == about {
                    list += &format!("- [{0}]({0}.md): {1}\n", reason.id, reason.text);
                }
            }
        }
        if std::env::var_os("JANUS_BLESS").is_some() {
            std::fs::write(path, &list).unwrap();
        } else {
            assert_eq!(written, list, "JANUS_BLESS=1 writes it anew");
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
