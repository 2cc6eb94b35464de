//! `janus-jit compile`: from one stage's text to another's.
//!
//! In: a file that `--emit-dir` wrote, or one like it. Out: the later stage's text. Always: what does not parse is
//! one line and exit code 2.

use std::io::Read as _;
use std::path::PathBuf;

use janus_codegen::{Chip, From, Stage};

/// Compile the text of a stage to a later one
#[derive(Debug, clap::Args)]
pub struct CompileArgs {
    /// The stage of the file: graph, graph-opt, linalg, llvm or gpu
    #[arg(long, value_name = "STAGE", default_value = "graph", value_parser = from)]
    from: From,
    /// The stage to stop after: graph-opt, linalg, llvm, asm, gpu or ptx
    #[arg(long, value_name = "STAGE", default_value = "asm", value_parser = to)]
    to: Stage,
    /// The device that gpu and ptx are for: sm_75, sm_80, sm_90 or sm_120
    #[arg(long, value_name = "CHIP", default_value = "sm_90", value_parser = chip)]
    target: Chip,
    /// The file; `-` is standard input
    file: PathBuf,
}

fn from(name: &str) -> Result<From, String> {
    if name == "graph" {
        return Ok(From::Graph);
    }
    match Stage::from_name(name) {
        Some(stage @ (Stage::GraphOpt | Stage::Linalg | Stage::Llvm | Stage::Gpu)) => {
            Ok(From::Stage(stage))
        }
        _ => Err("the stages to start from are graph, graph-opt, linalg, llvm, gpu".to_owned()),
    }
}

fn to(name: &str) -> Result<Stage, String> {
    Stage::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Stage::ALL.iter().map(|(_, name)| *name).collect();
        format!("the stages to stop after are {}", known.join(", "))
    })
}

/// What `--target` takes.
pub fn chip(name: &str) -> Result<Chip, String> {
    Chip::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Chip::ALL.iter().map(|chip| chip.name()).collect();
        format!("the devices are {}", known.join(", "))
    })
}

/// Carries it out; gives the exit code.
pub fn run(args: &CompileArgs) -> i32 {
    let text = if args.file.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(&args.file)
    };
    let done = text
        .map_err(|e| format!("cannot read {}: {e}", args.file.display()))
        .and_then(|text| {
            janus_codegen::translate(&text, args.from, args.to, args.target)
                .map_err(|e| format!("{}: {e}", args.file.display()))
        });
    match done {
        Ok(text) => crate::run::print(&text),
        Err(message) => {
            let one_line: Vec<&str> = message.split_whitespace().collect();
            eprintln!("janus-jit: {}", one_line.join(" "));
            2
        }
    }
}
