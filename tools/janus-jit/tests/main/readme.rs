//! The `janus-jit` commands of the README and of docs/ work as they are written.

use std::path::PathBuf;

use crate::support::{Dir, repository};

const SCRIPT: &str = "\
import torch

w = torch.ones(3, 3, requires_grad=True)


def train_step(x):
    loss = (x @ w).sum()
    loss.backward()
    with torch.no_grad():
        w.sub_(w.grad * 0.1)
        w.grad = None
    return loss


for _ in range(40):
    loss = train_step(torch.ones(2, 3))
print(loss.item() < 0)
";

/// A graph as `--emit-dir` writes it.
fn graph() -> String {
    let dir = Dir::new();
    dir.file("script.py", SCRIPT);
    let ran = dir.output(&[
        "run",
        "--compile",
        "sync",
        "--emit",
        "graph",
        "--emit-dir",
        "seen",
        "script.py",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let file = std::fs::read_dir(dir.path().join("seen"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    std::fs::read_to_string(file.path()).unwrap()
}

/// Runs the commands of a document in one directory, one after the other; gives their number.
fn commands(document: &str, graph: &str) -> usize {
    let text = std::fs::read_to_string(repository(document)).unwrap();
    let dir = Dir::new();
    dir.file("script.py", SCRIPT);
    dir.file("graph.mlir", graph);
    for folder in ["examples", "benches"] {
        let folder_there: PathBuf = repository(folder).canonicalize().unwrap();
        std::os::unix::fs::symlink(&folder_there, dir.path().join(folder)).unwrap();
    }
    let mut count = 0;
    for line in text.lines() {
        let Some(command) = line.strip_prefix("$ janus-jit ") else {
            continue;
        };
        let command = command.split(" #").next().unwrap_or_default();
        let args: Vec<&str> = command.split_whitespace().collect();
        let ran = dir.output(&args);
        assert_eq!(ran.code, Some(0), "{document}: {line}\n{}", ran.stderr);
        assert_eq!(ran.stderr, "", "{document}: {line}");
        assert_ne!(ran.stdout, "", "{document}: {line}");
        count += 1;
    }
    count
}

#[test]
fn commands_work() {
    let graph = graph();
    assert!(commands("README.md", &graph) >= 1);
    for (document, least) in [
        ("docs/tutorial.md", 5),
        ("docs/seeing-inside.md", 6),
        ("docs/bench.md", 4),
        ("docs/reference.md", 11),
    ] {
        let count = commands(document, &graph);
        assert!(
            count >= least,
            "{document}: only {count} commands were found"
        );
    }
}
