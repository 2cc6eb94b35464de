//! The command line of the harness.
//!
//! In: arguments, the binary under test. Out: reports, an exit code. Always: what cannot be written is found
//! out before anything runs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::harness::{self, Request};
use crate::peer::{self, OURS, Tools};
use crate::results::Results;
use crate::spec::Kind;
use crate::{BenchError, report, spec};

/// Measure scripts on janus-jit and on other tools, in turns.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Scripts, or names from the benches folder's table [default: all of it]
    pub benches: Vec<String>,
    /// The folder with benches.toml
    #[arg(long, value_name = "DIR", default_value = "benches")]
    pub dir: PathBuf,
    /// Only these peers besides janus-jit itself
    #[arg(long, value_name = "PEER", value_delimiter = ',')]
    pub peers: Vec<String>,
    /// Only the presets of the JANUS paper's Figure 7, over all models that were asked for
    #[arg(long, conflicts_with = "peers")]
    pub ablation: bool,
    /// Say which benches and peers there are, and which peers are installed
    #[arg(long)]
    pub list: bool,
    /// Times that each peer runs each script
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// CPython with the packages of the peers: torch, jax, numba
    #[arg(
        long,
        value_name = "PROGRAM",
        default_value = "python3",
        env = "JANUS_BENCH_PYTHON"
    )]
    pub python: PathBuf,
    /// PyPy
    #[arg(
        long,
        value_name = "PROGRAM",
        default_value = "pypy3",
        env = "JANUS_BENCH_PYPY"
    )]
    pub pypy: PathBuf,
    /// Write the results here, after every turn of a peer
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Go on with what --json has from a time before: measure what it lacks
    #[arg(long, requires = "json")]
    pub resume: bool,
    /// Write the tables here as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write one page with plots here
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Say what changed since these results; what became slower is exit code 1
    #[arg(long, value_name = "OLD.json")]
    pub compare: Option<PathBuf>,
    /// Measure nothing: make reports of these results
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "benches", "peers", "ablation", "resume"])]
    pub from: Option<PathBuf>,
    /// Print no progress and no table
    #[arg(long, short)]
    pub quiet: bool,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Reported {
    /// What to print.
    pub text: String,
    /// Reports that could not be written; the text has the figures all the same.
    pub unwritten: Vec<BenchError>,
    /// The exit code.
    pub code: i32,
}

/// Carries it out.
///
/// # Errors
/// The request is wrong, or a file cannot be read or written.
pub fn run(args: &BenchArgs, janus: &Path) -> Result<Reported, BenchError> {
    let old = args.compare.as_deref().map(Results::load).transpose()?;
    if args.list {
        return Ok(Reported {
            text: list(args, janus)?,
            ..Reported::default()
        });
    }
    let results = match &args.from {
        Some(path) => Results::load(path)?,
        None => measure(args, janus)?,
    };
    let mut unwritten = Vec::new();
    for (path, text) in [
        (&args.markdown, report::markdown as fn(&Results) -> String),
        (&args.html, report::html),
    ] {
        if let Some(path) = path {
            let written = std::fs::write(path, text(&results));
            unwritten.extend(written.map_err(BenchError::file("write", path)).err());
        }
    }
    if let (Some(path), Some(_)) = (&args.json, &args.from) {
        unwritten.extend(results.save(path).err());
    }
    let mut out = if args.quiet {
        String::new()
    } else {
        report::text(&results)
    };
    let ours = results.benches.iter().filter_map(|b| b.entry(OURS));
    let failed = args.from.is_none() && ours.flat_map(|e| &e.failure).next().is_some();
    let mut code = if unwritten.is_empty() { 0 } else { 2 };
    code = code.max(i32::from(failed));
    if let Some(old) = old {
        let changes = report::compare(&old, &results);
        code = code.max(i32::from(changes.iter().any(|c| c.worse)));
        let _ = write!(out, "\n{}", report::compared(&old, &results, &changes));
    }
    Ok(Reported {
        text: out,
        unwritten,
        code,
    })
}

fn tools(args: &BenchArgs, janus: &Path, work: &Path) -> Tools {
    Tools {
        janus: janus.to_owned(),
        python: args.python.clone(),
        pypy: args.pypy.clone(),
        peers_dir: args.dir.join("peers"),
        work: work.to_owned(),
    }
}

fn list(args: &BenchArgs, janus: &Path) -> Result<String, BenchError> {
    let mut out = String::from("benches:\n");
    for bench in spec::load(&args.dir)? {
        let _ = writeln!(out, "  {:<22} {}", bench.name, bench.script.display());
    }
    out.push_str("peers:\n");
    let tools = tools(args, janus, Path::new("."));
    for peer in peer::all() {
        let there = peer
            .probe(&tools)
            .unwrap_or_else(|why| format!("not there: {why}"));
        let _ = writeln!(out, "  {:<20} {}; {there}", peer.id, peer.about);
    }
    Ok(out)
}

/// Nothing was saved there yet.
fn empty(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.len() == 0)
}

fn measure(args: &BenchArgs, janus: &Path) -> Result<Results, BenchError> {
    let peers = if args.ablation {
        peer::select(&peer::ablation_names())?
    } else {
        peer::select(&args.peers)?
    };
    let table = match spec::load(&args.dir) {
        // Scripts can be measured without a table.
        Err(BenchError::File { .. })
            if !args.benches.is_empty() && args.benches.iter().all(|b| Path::new(b).is_file()) =>
        {
            Vec::new()
        }
        table => table?,
    };
    let mut benches = spec::select(table, &args.benches)?;
    if args.ablation {
        // It is about the steady state of what has graphs.
        benches.retain(|b| b.kind == Kind::Torch);
        benches.iter_mut().for_each(|b| b.short = None);
    }
    for path in [&args.json, &args.markdown, &args.html]
        .into_iter()
        .flatten()
    {
        let mut options = std::fs::OpenOptions::new();
        options
            .create(true)
            .append(true)
            .open(path)
            .map_err(BenchError::file("write", path))?;
    }
    let earlier = match &args.json {
        Some(path) if args.resume && !empty(path) => Some(Results::load(path)?),
        _ => None,
    };
    let work = std::env::temp_dir().join(format!("janus-bench-{}", std::process::id()));
    std::fs::create_dir_all(&work).map_err(BenchError::file("write", &work))?;
    let request = Request {
        benches,
        peers,
        tools: tools(args, janus, &work),
        rounds: args.rounds,
        asked: !args.peers.is_empty(),
        save: args.json.clone(),
        earlier,
        quiet: args.quiet,
    };
    let results = harness::run(&request);
    let _ = std::fs::remove_dir_all(&work);
    results
}
