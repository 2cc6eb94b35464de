//! Single operations of Python here and under CPython, in turns.
//!
//! In: names of operations, or none for all; `JANUS_CPYTHON` names another python than `python3.11`. Out: a table of
//! nanoseconds an operation, what is slowest in tier 0 by comparison first. Always: CPU time, the least of all turns,
//! so that other work of the machine counts for little; `benches/operations.py` says what the operations are.
//!
//! `cargo bench -p janus-jit --bench operations [name ...]`

use std::collections::HashMap;
use std::process::{Command, ExitCode};

/// How often each side has its turn.
const TURNS: usize = 4;
/// CPU time of one run of one operation, in milliseconds; a side makes ten of them or so in its turn.
const RUN_MS: &str = "2";
/// A ratio above which an operation counts as slow.
const SLOW: f64 = 1.3;

/// Who runs the operations.
struct Side {
    command: Vec<String>,
    /// By operation.
    best_ns: HashMap<String, f64>,
}

impl Side {
    fn new(command: &[&str]) -> Self {
        Side {
            command: command.iter().map(|&part| part.to_owned()).collect(),
            best_ns: HashMap::new(),
        }
    }

    /// One turn; the operations in their order.
    fn turn(&mut self, script: &str, names: &[String]) -> Result<Vec<String>, String> {
        let [program, arguments @ ..] = self.command.as_slice() else {
            return Ok(Vec::new());
        };
        let output = Command::new(program)
            .args(arguments)
            .args([script, RUN_MS])
            .args(names)
            .output()
            .map_err(|e| format!("{program}: {e}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {said}", self.command.join(" ")));
        }
        let mut order = Vec::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let Some((name, ns)) = line.split_once('\t')
                && let Ok(ns) = ns.parse::<f64>()
            {
                order.push(name.to_owned());
                let best = self.best_ns.entry(name.to_owned()).or_insert(ns);
                *best = best.min(ns);
            }
        }
        Ok(order)
    }

    fn ns(&self, name: &str) -> f64 {
        self.best_ns.get(name).copied().unwrap_or(f64::NAN)
    }
}

fn measure(names: &[String]) -> Result<(), String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/operations.py");
    let janus = env!("CARGO_BIN_EXE_janus-jit");
    let python = std::env::var("JANUS_CPYTHON").unwrap_or_else(|_| "python3.11".to_owned());
    let mut sides = [
        Side::new(&[&python]),
        Side::new(&[janus, "run", "--tier", "0"]),
        Side::new(&[janus, "run"]),
    ];
    let mut order = Vec::new();
    for _ in 0..TURNS {
        for side in &mut sides {
            order = side.turn(script, names)?;
        }
    }
    let [cpython, tier0, default] = &sides;
    let ratio = |side: &Side, name: &str| side.ns(name) / cpython.ns(name);
    order.sort_by(|a, b| ratio(tier0, b).total_cmp(&ratio(tier0, a)));
    println!(
        "{:28} {:>9} {:>9} {:>7} {:>9} {:>7}",
        "ns", "CPython", "tier 0", "ratio", "default", "ratio"
    );
    for name in &order {
        println!(
            "{name:28} {:9.1} {:9.1} {:7.2} {:9.1} {:7.2}",
            cpython.ns(name),
            tier0.ns(name),
            ratio(tier0, name),
            default.ns(name),
            ratio(default, name),
        );
    }
    for (title, side) in [("tier 0", tier0), ("default", default)] {
        let mean = order.iter().map(|n| ratio(side, n).ln()).sum::<f64>() / order.len() as f64;
        let slow = order.iter().filter(|n| ratio(side, n) > SLOW).count();
        println!(
            "{title}: geometric mean {:.2}, {slow} of {} slower than {SLOW}x",
            mean.exp(),
            order.len()
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    // Cargo says `--bench`.
    let names: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    match measure(&names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
