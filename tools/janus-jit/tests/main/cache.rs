//! The cache of compiled code, from one run to the next.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use crate::support::{Dir, repository};

const SCRIPT: &str = "\
import torch
w = torch.ones(4, 4)
def step(x):
    return ((x @ w) * 0.5).sum()
total = 0.0
for i in range(40):
    total += step(torch.ones(2, 4) * i).item()
print(total)
";

#[test]
fn the_second_run_compiles_nothing() {
    let dir = Dir::new();
    let script = repository("examples/digits_mlp.py");
    let (first, cold) = dir.stats(&["--compile", "sync"], &script);
    let (second, warm) = dir.stats(&["--compile", "sync"], &script);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert_eq!(
        (&first.stdout, &first.stderr),
        (&second.stdout, &second.stderr)
    );
    let compile = |stats: &serde_json::Value, key: &str| stats["compile"][key].as_u64().unwrap();
    assert!(compile(&warm, "count") > 0);
    assert_eq!(compile(&warm, "count"), compile(&cold, "count"));
    // Tier 1's code is made anew each time.
    let scalar: u64 = warm["regions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|r| r["tier"] == 1)
        .map(|r| r["compiles"].as_u64().unwrap())
        .sum();
    assert_eq!(
        compile(&warm, "cache_hits") + scalar,
        compile(&warm, "count")
    );
    assert!(compile(&cold, "cache_hits") < compile(&cold, "count"));
    // On another thread too.
    let (third, background) = dir.stats(&["--profiled", "3"], &script);
    assert_eq!(first.stdout, third.stdout);
    assert!(compile(&background, "cache_hits") > 0, "{background}");
}

#[test]
fn is_private_and_can_be_looked_at_and_cleared() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let script = script.to_str().unwrap();
    let kept = dir.path().join("cache/janus-jit");
    let empty = dir.output(&["cache", "stat"]);
    assert_eq!(empty.stdout, format!("{}: empty\n", kept.display()));
    assert_eq!(
        dir.output(&["run", "--compile", "sync", script]).code,
        Some(0)
    );
    assert_eq!(std::fs::metadata(&kept).unwrap().mode() & 0o777, 0o700);
    let stat = dir.output(&["cache", "stat"]).stdout;
    assert!(stat.contains(": 1 entry, "), "{stat}");
    let clear = dir.output(&["cache", "clear"]).stdout;
    assert!(clear.contains(": removed 1 entry, "), "{clear}");
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 0);
}

#[test]
fn off_and_other_directories() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let script = script.to_str().unwrap();
    let run = |cache: &str| dir.output(&["run", "--compile", "sync", "--cache", cache, script]);
    let off = run("off");
    assert_eq!((off.code, off.stdout.as_str()), (Some(0), "12480.0\n"));
    assert!(!dir.path().join("cache").exists());
    assert_eq!(run("mine").stdout, off.stdout);
    assert!(!dir.path().join("cache").exists());
    let stat = dir.output(&["cache", "stat", "--cache", "mine"]).stdout;
    assert!(stat.starts_with("mine: 1 entry"), "{stat}");
    // One that anybody may write to is refused when it is named.
    let shared = dir.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o777)).unwrap();
    let refused = run("shared");
    assert_eq!(refused.code, Some(2));
    assert_eq!(refused.stdout, "");
    assert_eq!(
        refused.stderr,
        "janus-jit: cannot use the cache: shared is not this user's alone\n"
    );
}

#[test]
fn broken_entries_are_replaced() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let (first, _) = dir.stats(&["--compile", "sync"], &script);
    let kept = dir.path().join("cache/janus-jit");
    for broken in [&b""[..], b"janusjc2", &[0; 5000]] {
        for entry in std::fs::read_dir(&kept).unwrap() {
            std::fs::write(entry.unwrap().path(), broken).unwrap();
        }
        let (ran, stats) = dir.stats(&["--compile", "sync"], &script);
        assert_eq!((&ran.stdout, &ran.stderr), (&first.stdout, &first.stderr));
        assert_eq!(stats["compile"]["cache_hits"], 0);
        let (_, stats) = dir.stats(&["--compile", "sync"], &script);
        assert_eq!(stats["compile"]["cache_hits"], stats["compile"]["count"]);
    }
}

#[test]
fn constants_of_the_script_are_part_of_the_key() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let (first, _) = dir.stats(&["--compile", "sync"], &script);
    let other = SCRIPT.replace("* 0.5", "* 0.50000000000000011");
    let other = dir.file("other.py", other);
    let (second, stats) = dir.stats(&["--compile", "sync"], &other);
    assert_eq!(stats["compile"]["cache_hits"], 0, "{stats}");
    assert_eq!(first.stdout, second.stdout);
}

#[test]
fn lines_are_no_part_of_the_key() {
    // An assert, a print, a loop that is a region, and a call that is inlined.
    let source = "\
import torch
w = torch.ones(4, 4)
def helper(x):
    return x * 0.5
def step(x, k):
    y = helper(x @ w)
    if y.sum() > 1e9:
        print('large')
    for _ in range(k):
        y = y + 1
    return y.sum()
total = 0.0
for i in range(40):
    total += step(torch.ones(2, 4) * i, 3).item()
print(total)
";
    let dir = Dir::new();
    let (first, _) = dir.stats(&["--compile", "sync"], &dir.file("script.py", source));
    let moved = source
        .replace("def ", "\n# a comment\n\ndef ")
        .replace("    if", "\n    if");
    let (second, stats) = dir.stats(&["--compile", "sync"], &dir.file("moved.py", moved));
    assert_eq!(first.stdout, second.stdout);
    assert!(stats["compile"]["count"].as_u64().unwrap() > 0);
    assert_eq!(stats["compile"]["cache_hits"], stats["compile"]["count"]);
}

/// Each run is over long before its code is there.
#[test]
fn a_short_script_is_stayed_for_when_it_comes_again() {
    let source = "\
import torch
w = torch.ones(8, 8)
def step(x):
    for k in range(6):
        x = (x @ w).tanh() + x.mean(0) * (x - x.max()).exp().sum()
    return x.sum()
total = 0.0
for i in range(6):
    total += step(torch.ones(2, 8) * i).item()
print(total)
";
    let dir = Dir::new();
    let script = dir.file("script.py", source);
    let run = || dir.output(&["run", "--profiled", "2", &script.to_string_lossy()]);
    let (first, second) = (run(), run());
    assert_eq!(first.stdout, second.stdout);
    assert_eq!((first.code, second.code), (Some(0), Some(0)));
    let stat = dir.output(&["cache", "stat"]).stdout;
    assert!(!stat.contains(": 0 entries"), "{stat}");
}

#[test]
fn many_processes_share_it() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    let script = script.to_str().unwrap();
    let children: Vec<_> = (0..6)
        .map(|_| {
            dir.janus(&["run", "--compile", "sync", script])
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.stdout, b"12480.0\n");
    }
    assert!(dir.output(&["cache", "stat"]).stdout.contains(": 1 entry"));
}

#[test]
fn a_home_that_cannot_be_written_is_no_error() {
    let dir = Dir::new();
    let script = dir.file("script.py", SCRIPT);
    // A file where the directory should be.
    let blocked = dir.file("blocked", "");
    let output = dir
        .janus(&["run", "--compile", "sync", script.to_str().unwrap()])
        .env("XDG_CACHE_HOME", &blocked)
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"12480.0\n");
    assert_eq!(output.stderr, b"");
}
