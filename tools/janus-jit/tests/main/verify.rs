//! `--verify` runs what tier 2 compiled in tier 0, too, and finds what is made wrong.

use crate::support::Dir;

const SCRIPT: &str = r#"
import torch

class Counter:
    def __init__(self):
        self.total = 0.0
        self.seen = []

def step(c, x):
    y = torch.tanh(x @ x.t())
    c.total += y.sum().item()
    c.seen.append(y.mean())
    return y * 2

c = Counter()
torch.manual_seed(0)
for i in range(20):
    z = step(c, torch.randn(3, 4))
    if i % 6 == 5:
        print(i, c.total, len(c.seen), z[0, 0].item())
"#;

#[test]
fn the_tiers_agree() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let script = script.to_str().unwrap();
    let reference = dir.output(&["run", "--tier", "0", script]);
    let verified = dir.output(&["run", "--compile", "sync", "--verify", script]);
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
    assert_eq!(verified.stdout, reference.stdout);
    assert_eq!(verified.stderr, "");
}

#[test]
fn a_wrong_number_is_found_with_its_line_and_both_values() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let script = script.to_str().unwrap();
    for entry in ["fault=1", "fault=9"] {
        let flags = ["--compile", "sync", "--verify", "--stress", entry];
        let found = dir.output(&[&["run"], &flags[..], &[script]].concat());
        assert_eq!(found.code, Some(70), "{}", found.stderr);
        let line = found.stderr.lines().last().unwrap_or_default();
        assert!(line.starts_with("janus-jit: --verify: "), "{line}");
        assert!(line.contains(".py:"), "{line}");
        assert!(line.contains(" in tier 2 and "), "{line}");
        // Without it the wrong number stays.
        let flags = ["--compile", "sync", "--stress", entry];
        let wrong = dir.output(&[&["run"], &flags[..], &[script]].concat());
        let right = dir.output(&["run", "--tier", "0", script]);
        assert_ne!(wrong.stdout, right.stdout);
    }
}

#[test]
fn a_region_that_raises_in_tier_0_stays_as_it_is() {
    let dir = Dir::new();
    let script = dir.file(
        "script.py",
        "import torch\n\
         def f(x, n):\n    y = x * 2\n    if n == 15:\n        raise ValueError(n)\n    return y.sum()\n\
         try:\n    for n in range(20):\n        f(torch.ones(3), n)\nexcept ValueError as e:\n    print(\"caught\", e, n)\n",
    );
    let script = script.to_str().unwrap();
    let verified = dir.output(&["run", "--compile", "sync", "--verify", script]);
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
    assert_eq!(verified.stdout, "caught 15 15\n");
}
