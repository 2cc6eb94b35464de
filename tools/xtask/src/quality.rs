//! `cargo xtask quality`: what models come to after real training, here and on CPython + PyTorch.
//!
//! In: the models that learn from real data, or in an environment. Out: a table of what they print at
//! the end, for five seeds each. Always: both sides run the same file with the same seed.

use std::path::Path;
use std::process::Command;

use crate::TaskError;
use crate::golden::oracle;
use crate::shell::root;

/// Models of benches/models, and steps after which they have learnt something.
const MODELS: [(&str, u32); 10] = [
    ("lenet", 300),
    ("mnist_sgd", 2000),
    ("vit", 300),
    ("fc_net", 1000),
    ("lstm", 600),
    ("gpt", 400),
    ("treernn", 2000),
    ("treelstm", 600),
    ("cartpole_pg", 200),
    ("a3c", 600),
];
/// What they print before the number that says how good they are.
const QUALITIES: [&str; 4] = [
    "accuracy ",
    "perplexity ",
    "mean return ",
    "running length ",
];
const SEEDS: u32 = 5;

/// The last number that says how good a model is.
fn quality(output: &str) -> Option<f64> {
    let after = |line: &str| {
        let rest = QUALITIES.iter().find_map(|q| line.split_once(q))?.1;
        let number = rest.split([' ', ',']).next()?;
        number.parse().ok()
    };
    output.lines().rev().find_map(after)
}

fn trained(command: &mut Command, model: &str, steps: u32, seed: u32) -> Result<f64, TaskError> {
    let script = Path::new("benches/models").join(format!("{model}.py"));
    command.current_dir(root()).arg(script);
    command.args([steps.to_string(), seed.to_string()]);
    let out = command.output().map_err(|source| TaskError::Start {
        command: format!("{command:?}"),
        source,
    })?;
    quality(&String::from_utf8_lossy(&out.stdout)).ok_or_else(|| {
        let said = String::from_utf8_lossy(&out.stderr);
        TaskError::Needs(format!("{model}, seed {seed}: no result: {said}"))
    })
}

/// The mean, and how far the values lie apart.
fn spread(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (mean, most - least)
}

fn listed(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|v| format!("{v:.4}")).collect();
    texts.join(" ")
}

/// Trains each model whose name contains `filter`; whether all come to the same.
pub fn run(janus_jit: &Path, filter: Option<&str>) -> Result<bool, TaskError> {
    let python = oracle()?;
    let mut same = true;
    for (model, steps) in MODELS {
        if filter.is_some_and(|f| !model.contains(f)) {
            continue;
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for seed in 0..SEEDS {
            let mut eager = crate::shell::bound(&python);
            theirs.push(trained(eager.args(["-W", "ignore"]), model, steps, seed)?);
            let mut compiled = crate::shell::bound(janus_jit);
            ours.push(trained(compiled.arg("run"), model, steps, seed)?);
        }
        let ((mean, _), (expected, apart)) = (spread(&ours), spread(&theirs));
        let within = (mean - expected).abs() <= apart;
        same &= within;
        let verdict = if within { "same" } else { "DIFFERS" };
        println!("{model}, {steps} steps: {verdict}");
        println!("  janus-jit  mean {mean:.4}  of {}", listed(&ours));
        println!("  PyTorch    mean {expected:.4}  of {}", listed(&theirs));
    }
    Ok(same)
}

#[cfg(test)]
mod tests {
    use super::{quality, spread};

    #[test]
    fn the_last_quality_counts() {
        let output = "relu: accuracy 0.9000 after 3 steps\ntanh: accuracy 0.8000 after 3 steps\n12.00 steps/s\n";
        assert_eq!(quality(output), Some(0.8));
        assert_eq!(
            quality("20 last episodes, mean return 31.25, after 9 updates"),
            Some(31.25)
        );
        assert_eq!(quality("12.00 steps/s"), None);
    }

    #[test]
    fn a_spread_is_a_mean_and_a_range() {
        assert_eq!(spread(&[1.0, 2.0, 6.0]), (3.0, 5.0));
    }
}
