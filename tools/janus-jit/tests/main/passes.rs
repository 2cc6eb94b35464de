//! `--passes`: every pass has a switch, no switch changes a result, and docs/reference.md lists them all.

use crate::support::{Dir, repository};

/// A training step with a loop, a branch and a reduction; prints every bit.
const SCRIPT: &str = "\
import torch

torch.manual_seed(0)
w = (torch.randn(6, 6) * 0.3).requires_grad_()
v = (torch.randn(6, 6) * 0.3).requires_grad_()


def step(x, k, scale):
    h, c = x, x
    for _ in range(k):
        c = c * 0.5 + scale
        h = torch.tanh(h @ w + c @ v)
    if h.sum() > 0:
        h = h * scale
    loss = (h.softmax(1).log() * x).mean() + (h @ w).sum() * 0.1
    loss.backward()
    with torch.no_grad():
        for p in (w, v):
            p -= 0.1 * p.grad
            p.grad = None
    return loss.item()


for i in range(24):
    print(i, repr(step(torch.randn(2 + i % 3, 6), 3, 2)))
print([p.sum().item().hex() for p in (w, v)])
";

/// The names in the list that `--passes list` prints.
fn names(list: &str) -> Vec<String> {
    let passes = list.split("Presets").next().unwrap();
    passes
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn are_listed_in_the_reference() {
    let dir = Dir::new();
    let list = dir.output(&["run", "--passes", "list"]);
    assert_eq!((list.code, list.stderr.as_str()), (Some(0), ""));
    assert!(names(&list.stdout).len() >= 12, "{}", list.stdout);
    let reference = std::fs::read_to_string(repository("docs/reference.md")).unwrap();
    assert!(reference.contains(list.stdout.trim()), "{}", list.stdout);
}

#[test]
fn none_changes_a_result() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let script = script.to_str().unwrap();
    let expected = dir.output(&["run", "--tier", "0", script]).stdout;
    let list = dir.output(&["run", "--passes", "list"]).stdout;
    let mut selections: Vec<String> = names(&list).iter().map(|n| format!("-{n}")).collect();
    selections.push(selections.join(","));
    selections.extend(["IMP", "BASE", "+UNRL", "+SPCN", "+PARL"].map(str::to_owned));
    for selection in selections {
        let ran = dir.output(&["run", "--compile", "sync", "--passes", &selection, script]);
        assert_eq!(ran.code, Some(0), "{selection}: {}", ran.stderr);
        assert_eq!(ran.stdout, expected, "{selection}");
    }
}

#[test]
fn presets_do_what_they_say() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let step = |flags: &[&str]| {
        let flags = [&["--compile", "sync", "--cache", "off"], flags].concat();
        let (ran, stats) = dir.stats(&flags, &script);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let regions = stats["regions"].as_array().unwrap();
        // The function, or the loop around it where that has become one graph.
        let tier = regions.iter().filter_map(|r| r["tier"].as_u64()).max();
        let ops = regions.iter().filter_map(|r| r["graph_ops"].as_u64()).max();
        tier.map(|tier| (tier, ops))
    };
    assert!(step(&["--passes", "IMP"]).is_none_or(|(tier, _)| tier == 0));
    let (tier, base) = step(&["--passes", "BASE"]).unwrap();
    assert_eq!(tier, 2);
    // Three iterations in place of one.
    let (tier, unrolled) = step(&["--passes", "+UNRL"]).unwrap();
    assert_eq!(tier, 2);
    assert_ne!(base, unrolled);
    // What is constant is no op that is computed.
    let (_, special) = step(&["--passes", "+SPCN"]).unwrap();
    assert!(special < unrolled, "{special:?} {unrolled:?}");
    let (_, all) = step(&["--passes", "+PARL"]).unwrap();
    assert_eq!(step(&[]).unwrap().1, all);
}

#[test]
fn graphs_show_the_switch() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let script = script.to_str().unwrap();
    let graph = |passes: &str| {
        let flags = [
            "run",
            "--compile",
            "sync",
            "--emit",
            "graph",
            "--emit-filter",
            "step",
        ];
        dir.output(&[&flags[..], &["--passes", passes, script]].concat())
            .stdout
    };
    let (frames, unrolled) = (graph("-unroll"), graph("+UNRL"));
    assert!(frames.contains("janus.loop_cond") && !unrolled.contains("janus.loop_cond"));
    let (general, special) = (graph("-specialize"), graph("-cse"));
    assert!(general.contains("tensor<?x?xf32>") && !special.contains("tensor<?x?xf32>"));
}

#[test]
fn independent_products_run_as_parts() {
    let dir = Dir::new();
    let script = dir.file(
        "wide.py",
        "\
import torch

torch.manual_seed(0)
a, b = torch.randn(160, 160), torch.randn(160, 160)


def step(x):
    return torch.tanh(x @ a) + torch.tanh(x @ b)


x = torch.randn(160, 160)
for _ in range(40):
    x = step(x) * 0.5
print(x.sum().item().hex(), x[3, 5].item().hex())
",
    );
    let script = script.to_str().unwrap();
    let run = |flags: &[&str], threads: &str| {
        let mut command = dir.janus(&[&["run", "--compile", "sync"], flags, &[script]].concat());
        let out = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert_eq!(out.status.code(), Some(0));
        String::from_utf8(out.stdout).unwrap()
    };
    let llvm = ["--emit", "llvm", "--emit-filter", "step"];
    assert!(run(&llvm, "2").contains("janus_rt_concurrent"));
    let off = [&llvm[..], &["--passes", "-parallel"]].concat();
    assert!(!run(&off, "2").contains("janus_rt_concurrent"));
    // Equal to the bit at any number of threads.
    let expected = run(&["--tier", "0"], "1");
    for threads in ["1", "2", "3", "8"] {
        assert_eq!(run(&[], threads), expected, "{threads} threads");
    }
}

#[test]
fn are_part_of_the_cache_key() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let hits = |passes: &str| {
        let (_, stats) = dir.stats(&["--compile", "sync", "--passes", passes], &script);
        stats["compile"]["cache_hits"].as_u64().unwrap()
    };
    assert_eq!(hits("-fuse"), 0);
    assert!(hits("-fuse") > 0);
    assert_eq!(hits("-cse"), 0);
}

#[test]
fn unknown_ones_are_one_clear_line() {
    let dir = Dir::new();
    for (given, line) in [
        ("-nothing", "no pass or preset '-nothing'"),
        ("cse", "'cse' is a pass: write +cse or -cse"),
        ("-cse,BASE", "the preset 'BASE' must come first"),
    ] {
        let ran = dir.output(&["run", "--passes", given, "script.py"]);
        assert_eq!(ran.code, Some(2), "{given}");
        assert!(ran.stderr.contains(line), "{}", ran.stderr);
    }
}
