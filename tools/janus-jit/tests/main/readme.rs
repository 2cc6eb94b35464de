//! The `janus-jit` commands of the README work as they are written.

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

#[test]
fn commands_work() {
    let readme = std::fs::read_to_string(repository("README.md")).unwrap();
    let examples: PathBuf = repository("examples").canonicalize().unwrap();
    let mut count = 0;
    for line in readme.lines() {
        let Some(command) = line.strip_prefix("$ janus-jit ") else {
            continue;
        };
        let command = command.split('#').next().unwrap_or_default();
        let dir = Dir::new();
        dir.file("script.py", SCRIPT);
        std::os::unix::fs::symlink(&examples, dir.path().join("examples")).unwrap();
        let args: Vec<&str> = command.split_whitespace().collect();
        let ran = dir.output(&args);
        assert_eq!(ran.code, Some(0), "{line}\n{}", ran.stderr);
        assert_eq!(ran.stderr, "", "{line}");
        assert_ne!(ran.stdout, "", "{line}");
        count += 1;
    }
    assert!(count >= 8, "only {count} commands were found");
}
