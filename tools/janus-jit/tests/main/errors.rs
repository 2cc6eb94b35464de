//! What a user sees when something is wrong: CPython's or PyTorch's words, the user's line, and an
//! exit code; never a panic.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;
use std::time::Duration;

use crate::support::{Dir, Ran};

fn run(source: &str) -> Ran {
    let dir = Dir::new();
    let script = dir.file("script.py", source);
    let ran = dir.output(&["run", script.to_str().unwrap()]);
    // The directory differs from run to run.
    let shown = format!("{}/", dir.path().display());
    Ran {
        stderr: ran.stderr.replace(&shown, ""),
        ..ran
    }
}

#[track_caller]
fn fails(source: &str, stderr: &str) {
    let ran = run(source);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), stderr));
}

#[test]
fn syntax_errors() {
    fails(
        "x = 1\nif x = 2:\n    pass\n",
        "  File \"script.py\", line 2\n    if x = 2:\n       ^^^^^\nSyntaxError: invalid syntax. \
         Maybe you meant '==' or ':=' instead of '='?\n",
    );
    let ran = run("def f():\nreturn 1\n");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.starts_with("  File \"script.py\", line 2\n    return 1\n    ^")
            && ran.stderr.ends_with(
                "\nIndentationError: expected an indented block after function definition on line 1\n"
            ),
        "{}",
        ran.stderr
    );
}

#[test]
fn files_that_are_no_scripts() {
    let dir = Dir::new();
    let missing = dir.output(&["run", "missing.py"]);
    assert_eq!(missing.code, Some(2));
    assert_eq!(
        missing.stderr,
        format!(
            "janus-jit: can't open file '{}/missing.py': [Errno 2] No such file or directory\n",
            dir.path().display()
        )
    );
    let directory = dir.output(&["run", "."]);
    assert_eq!(directory.code, Some(1));
    assert!(
        directory
            .stderr
            .ends_with(": can't find '__main__' module in '.'\n"),
        "{directory:?}"
    );
    // There is nothing to explain.
    let explained = dir.output(&["explain", "missing.py"]);
    assert_eq!((explained.code, &*explained.stdout), (Some(2), ""));
}

#[test]
fn a_wrong_command_line_is_one_line() {
    let dir = Dir::new();
    dir.file("script.py", "print(1)\n");
    for (args, message) in [
        (
            &["run", "--tier", "9", "script.py"][..],
            "invalid value '9' for '--tier <N>': 9 is not in 0..=2",
        ),
        (&["run", "--emit", "grap", "script.py"], "no such stage"),
        (
            &["run", "--pases", "list"],
            "unexpected argument '--pases' found; a similar argument exists: '--passes'",
        ),
        (&["compile"], "required arguments were not provided: "),
        (&["nonsense.py"], "unrecognized subcommand 'nonsense.py'"),
        (
            &["bench", "--ablation", "--peers", "IMP", "script.py"],
            "'--ablation' cannot be used with '--peers",
        ),
        (
            &["run", "--log", "a=b=c", "script.py"],
            "invalid value 'a=b=c' for '--log",
        ),
    ] {
        let ran = dir.output(args);
        assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{args:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        assert!(ran.stderr.starts_with("janus-jit: "), "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    let help = dir.output(&["--help"]);
    assert_eq!((help.code, &*help.stderr), (Some(0), ""));
}

#[test]
fn other_encodings() {
    let dir = Dir::new();
    let script = dir.file("latin.py", b"x = '\xcd\xce'\n");
    let ran = dir.output(&["run", "latin.py"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.stderr,
        format!(
            "SyntaxError: Non-UTF-8 code starting with '\\xcd' in file {} on line 1, but no encoding \
             declared; see https://peps.python.org/pep-0263/ for details\n",
            script.display()
        )
    );
    dir.file("declared.py", b"# coding: latin-1\nprint('\xe9')\n");
    assert_eq!(dir.output(&["run", "declared.py"]).stdout, "\u{e9}\n");
    dir.file("bom.py", "\u{feff}print('bom')\n");
    assert_eq!(dir.output(&["run", "bom.py"]).stdout, "bom\n");
}

#[test]
fn unknown_modules_and_names() {
    fails(
        "import torch\nimport nonsense\n",
        "Traceback (most recent call last):\n  File \"script.py\", line 2, in <module>\n    \
         import nonsense\nModuleNotFoundError: No module named 'nonsense'\n",
    );
    let ran = run("import torch\n\nx = torch.frobnicate(3)\n");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("line 3, in <module>") && ran.stderr.contains("'frobnicate'"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("AttributeError: "), "{}", ran.stderr);
}

#[test]
fn a_shape_mismatch() {
    let ran = run("import torch\nx = torch.ones(2, 3)\ny = x @ torch.ones(4, 5)\n");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("line 3, in <module>"), "{}", ran.stderr);
    assert!(
        ran.stderr
            .ends_with("RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_error_in_compiled_code_has_the_users_line() {
    let ran = run("\
import torch
def step(x, w):
    return (x @ w).sum()
for i in range(30):
    step(torch.ones(2, 3), torch.ones(3 if i < 25 else 4, 2))
");
    assert_eq!(ran.code, Some(1));
    for line in [
        "line 5, in <module>",
        "line 3, in step",
        "    return (x @ w).sum()",
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x2)",
    ] {
        assert!(ran.stderr.contains(line), "{line}: {}", ran.stderr);
    }
}

#[test]
fn exit_codes() {
    for (source, code, stderr) in [
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit(7)", 7, ""),
        ("import sys; sys.exit(-1)", 255, ""),
        ("import sys; sys.exit(256)", 0, ""),
        ("import sys; sys.exit('why')", 1, "why\n"),
        ("raise SystemExit", 0, ""),
        (
            "import sys\ntry:\n  sys.exit(4)\nfinally:\n  print('x')",
            4,
            "",
        ),
    ] {
        let ran = run(source);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(code), stderr),
            "{source}"
        );
    }
}

#[test]
fn endless_recursion() {
    let ran = run("def f(n):\n    return f(n + 1)\nf(0)\n");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("[Previous line repeated ")
            && ran
                .stderr
                .ends_with("RecursionError: maximum recursion depth exceeded\n"),
        "{}",
        ran.stderr
    );
}

/// Starts a script that prints a line, interrupts it, and waits for it.
fn interrupted(source: &str) -> Ran {
    let dir = Dir::new();
    let script = dir.file("script.py", source);
    let mut child = dir
        .janus(&["run", script.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut first).unwrap();
    // It is in the loop by then, or nearly.
    std::thread::sleep(Duration::from_millis(200));
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    // SAFETY: the child was not waited for, so the number is its own.
    unsafe { libc::kill(pid, libc::SIGINT) };
    stdout.read_to_string(&mut first).unwrap();
    let mut ran = Ran::from(child.wait_with_output().unwrap());
    ran.stdout = first;
    ran
}

#[test]
fn interrupts() {
    for body in [
        "while True:\n    i += 1",
        "import time\ntime.sleep(60)",
        "for i in range(10 ** 12):\n    pass",
    ] {
        let ran = interrupted(&format!("i = 0\nprint('go', flush=True)\n{body}\n"));
        assert_eq!(ran.code, Some(130), "{body}: {ran:?}");
        assert!(
            ran.stderr
                .starts_with("Traceback (most recent call last):\n")
                && ran.stderr.ends_with("\nKeyboardInterrupt\n"),
            "{}",
            ran.stderr
        );
    }
    let ran = interrupted(
        "print('go', flush=True)\ntry:\n    while True:\n        pass\n\
         except KeyboardInterrupt:\n    print('caught')\n",
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "go\ncaught\n"));
}

#[test]
fn a_reader_that_goes_away() {
    let dir = Dir::new();
    let mut child = dir
        .janus(&["run", "-c", "for i in range(200000): print(i)"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    drop(stdout);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((line.as_str(), ran.code), ("0\n", Some(1)));
    assert!(
        ran.stderr
            .contains("BrokenPipeError: [Errno 32] Broken pipe\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn arguments_and_other_sources() {
    let dir = Dir::new();
    let source = "import sys\nprint(sys.argv[1:])\n";
    let name = "dir \u{fc}/my script \u{1f40d}.py";
    std::fs::create_dir(dir.path().join("dir \u{fc}")).unwrap();
    dir.file(name, source);
    let ran = dir.output(&["run", name, "a b", "--tier", "-x", "--", ""]);
    assert_eq!(ran.stdout, "['a b', '--tier', '-x', '--', '']\n", "{ran:?}");
    let ran = dir.output(&[
        "run",
        "-c",
        "import sys; print(sys.argv, __name__)",
        "a",
        "-b",
    ]);
    assert_eq!(ran.stdout, "['-c', 'a', '-b'] __main__\n", "{ran:?}");
    let ran = dir.output(&["run", "-c", "1 / 0"]);
    assert_eq!(
        ran.stderr,
        "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n\
         ZeroDivisionError: division by zero\n"
    );
    let mut child = dir
        .janus(&["run", "-", "a"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"import sys\nprint(sys.argv)\n").unwrap();
    drop(stdin);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.stdout, "['-', 'a']\n");
}

#[test]
fn code_from_the_command_line_is_compiled() {
    let dir = Dir::new();
    let code =
        "import torch\nw = torch.ones(3)\nfor i in range(50):\n    w = w * 1.5 - w\nprint(w)";
    let stats = dir.path().join("stats.json");
    let ran = dir.output(&[
        "run",
        "--compile",
        "sync",
        "--stats",
        stats.to_str().unwrap(),
        "-c",
        code,
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let stats = std::fs::read_to_string(stats).unwrap();
    assert!(stats.contains("\"tier\": 2"), "{stats}");
}

/// One line on standard error, exit code 2, and the script did not run.
#[track_caller]
fn refused(dir: &Dir, args: &[&str], message: &str) {
    let ran = dir.output(args);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn wrong_command_lines() {
    let dir = Dir::new();
    let script = dir.file("script.py", "print('ran')\n");
    let script = script.to_str().unwrap();
    refused(
        &dir,
        &["run", "--emit", "graph,nonsense", script],
        "the stages are ast, bytecode, profile, clif, graph, plan, dot, svg, graph-opt, linalg, llvm, asm, gpu, ptx",
    );
    let file = dir.file("file", "");
    let below = file.join("below");
    let below = below.to_str().unwrap();
    let one_line = |args: &[&str], start: &str| {
        let ran = dir.output(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.stderr.starts_with(start), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    };
    one_line(
        &["run", "--emit", "graph", "--emit-dir", below, script],
        "janus-jit: cannot write into ",
    );
    one_line(
        &["run", "--stats", below, script],
        "janus-jit: cannot write ",
    );
    one_line(
        &["run", "--cache", below, script],
        "janus-jit: cannot use the cache: ",
    );
    refused(&dir, &["explain"], "SCRIPT");
    refused(&dir, &["run", "--tier", "3", script], "3 is not in 0..=2");
    refused(&dir, &["run", "--stress", "deopt=0", script], "deopt=N");
    refused(&dir, &["run", "--stress", "fault", script], "fault=N");
    refused(&dir, &["nonsense"], "nonsense");
}

#[test]
fn what_follows_the_script_is_its_own() {
    let dir = Dir::new();
    let script = dir.file("script.py", "import sys\nprint(sys.argv[1:])\n");
    let script = script.to_str().unwrap();
    let code = "import sys; print(sys.argv[1:])";
    for (args, printed) in [
        (vec!["run", script, "--log", "debug"], "['--log', 'debug']"),
        (vec!["run", "--tier", "1", script, "-c", "x"], "['-c', 'x']"),
        (vec!["run", script, "-h", "--", "-v"], "['-h', '--', '-v']"),
        (
            vec!["run", "-c", code, "--lr", "1", "-c"],
            "['--lr', '1', '-c']",
        ),
    ] {
        let ran = dir.output(&args);
        assert_eq!(
            (ran.code, ran.stdout.trim_end()),
            (Some(0), printed),
            "{args:?}"
        );
    }
    assert_eq!(dir.output(&["run", "--unknown", script]).code, Some(2));
}

#[test]
fn a_missing_name_is_told_the_same_in_every_tier() {
    let dir = Dir::new();
    let script = dir.file(
        "script.py",
        "import torch
def go(a, which):
    a = a + 0
    if which == 0:
        return torch.linalg.ldl_factor(a)
    if which == 1:
        return a.to_mkldnn()
    if which == 2:
        return torch.nn.functional.embedding(torch.tensor([1]), a, sparse=True)
    return torch.no_such_name
for which in range(4):
    texts = set()
    for i in range(8):
        try:
            go(torch.eye(2), which)
        except (AttributeError, NotImplementedError) as e:
            texts.add(str(e))
    print(*texts)
",
    );
    let script = script.to_str().unwrap();
    for tier in [&["--tier", "0"][..], &["--compile", "sync"][..]] {
        let args: Vec<&str> = [&["run"], tier, &[script]].concat();
        assert_eq!(
            dir.output(&args).stdout,
            "torch.linalg.ldl_factor is not implemented in janus-jit yet\n\
             torch.Tensor.to_mkldnn is not implemented in janus-jit yet\n\
             embedding(): argument 'sparse' is not implemented in janus-jit yet\n\
             module 'torch' has no attribute 'no_such_name'\n"
        );
    }
}

#[test]
fn too_much_memory_is_an_exception() {
    let source = "x = []\ntry:\n    while True:\n        x.append([0] * 1000)\nexcept MemoryError:\n    x = None\n    print('on')\n\
                  try:\n    [0] * 10**9\nexcept MemoryError:\n    print('refused')\n";
    let dir = Dir::new();
    let script = dir.file("script.py", source);
    let script = script.to_str().unwrap();
    for tier in ["0", "2"] {
        let ran = dir
            .janus(&["run", "--max-memory", "300M", "--tier", tier, script])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "on\nrefused\n");
        assert_eq!(ran.status.code(), Some(0));
    }
}
