//! Stages as files: `--emit-dir`, `janus-jit compile`; and the small commands.

use crate::support::Dir;

const SCRIPT: &str = "\
import torch

w = torch.arange(600.0).reshape(20, 30)
def f(x):
    return torch.tanh(x @ w)
for _ in range(10):
    y = f(torch.ones(3, 20))
print(y.shape)
";

#[test]
fn each_stage_goes_on_from_its_file() {
    let dir = Dir::new();
    dir.file("script.py", SCRIPT);
    let ran = dir.output(&[
        "run",
        "--compile",
        "sync",
        "--emit",
        "graph,dot,svg,graph-opt,linalg,llvm,asm",
        "--emit-dir",
        "seen",
        "script.py",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut files: Vec<_> = std::fs::read_dir(dir.path().join("seen"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    let of = |stage: &str| {
        let end = format!(".{stage}");
        let found = files.iter().find(|f| f.to_str().unwrap().ends_with(&end));
        found
            .unwrap_or_else(|| panic!("no {stage} in {files:?}"))
            .to_str()
            .unwrap()
    };
    let order = ["graph", "dot", "svg", "graph-opt", "linalg", "llvm", "asm"].map(of);
    assert!(
        order.is_sorted(),
        "numbered in the order of compilation: {order:?}"
    );
    let dot = std::fs::read_to_string(of("dot")).unwrap();
    assert!(dot.starts_with("digraph") && dot.contains("tanh"), "{dot}");
    assert!(std::fs::read_to_string(of("svg")).unwrap().contains("<svg"));
    let stages = ["graph", "graph-opt", "linalg", "llvm"];
    for (i, from) in stages.iter().enumerate() {
        for to in stages.iter().skip(i + 1).chain(&["asm"]) {
            let ran = dir.output(&["compile", "--from", from, "--to", to, of(from)]);
            assert_eq!(ran.code, Some(0), "{from} to {to}: {}", ran.stderr);
            assert!(!ran.stdout.is_empty());
        }
    }
    // What is made from a file is what the run made.
    let asm = dir
        .output(&["compile", "--from", "llvm", of("llvm")])
        .stdout;
    assert!(asm.contains("janus_entry"), "{asm}");
}

#[test]
fn a_bad_stage_file_is_one_line_and_exit_code_2() {
    let dir = Dir::new();
    dir.file("bad.mlir", "module {\n  junk.op\n}\n");
    for (from, to) in [("graph", "asm"), ("linalg", "llvm"), ("llvm", "asm")] {
        let ran = dir.output(&["compile", "--from", from, "--to", to, "bad.mlir"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), ""),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.starts_with("janus-jit: bad.mlir: "),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    let ran = dir.output(&[
        "compile",
        "--from",
        "linalg",
        "--to",
        "graph-opt",
        "bad.mlir",
    ]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("not made from this stage"),
        "{}",
        ran.stderr
    );
    assert_eq!(dir.output(&["compile", "nothing.mlir"]).code, Some(2));
}

#[test]
fn version_completions_and_man_page() {
    let dir = Dir::new();
    let ran = dir.output(&["--version"]);
    assert!(
        ran.stdout.starts_with("janus-jit ") && ran.stdout.contains("(LLVM 22."),
        "{}",
        ran.stdout
    );
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            dir.output(&["completions", shell])
                .stdout
                .contains("explain"),
            "{shell}"
        );
    }
    assert!(dir.output(&["man"]).stdout.contains(".TH janus-jit"));
}

#[test]
fn variables_stand_for_flags_and_flags_come_first() {
    let dir = Dir::new();
    dir.file("script.py", "print(1)\n");
    let run = |variable: &str, value: &str, args: &[&str]| {
        let out = dir.janus(args).env(variable, value).output().unwrap();
        (
            out.status.code(),
            String::from_utf8_lossy(&out.stderr).into_owned(),
        )
    };
    let (code, text) = run("JANUS_TIER", "7", &["run", "script.py"]);
    assert_eq!(code, Some(2), "{text}");
    assert_eq!(
        run("JANUS_TIER", "7", &["run", "--tier", "0", "script.py"]).0,
        Some(0)
    );
    let (code, _) = run("JANUS_STATS", "s.json", &["run", "script.py"]);
    assert_eq!(code, Some(0));
    assert!(dir.path().join("s.json").exists());
}

#[test]
fn no_colours_where_nobody_sees_them() {
    let dir = Dir::new();
    for args in [
        &["--help"][..],
        &["run", "--tier", "9", "x.py"],
        &["help", "bench"],
    ] {
        let ran = dir.output(args);
        assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
    }
}
