//! Runs scripts in tier 0 and compares what they print with what CPython 3.11 printed.
//!
//! `programs/NAME.py` has its standard output in `NAME.out` and, if it ends with an exception, its
//! standard error in `NAME.err`, where the script's directory is left out. Both were recorded with
//! `python3 NAME.py`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod jit;
mod support;

use std::path::{Path, PathBuf};

use janus_object::PyRef;

use support::{Printed, run};

fn programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    // Tracebacks show lines of files that are named without a folder.
    std::env::set_current_dir(&directory).unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    files.sort();
    files
}

/// The first line in which two texts differ.
fn difference(got: &str, expected: &str) -> Option<String> {
    let (mut g, mut e) = (got.lines(), expected.lines());
    for line in 1.. {
        match (g.next(), e.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => return Some(format!("line {line}:\n   got {a:?}\n  want {b:?}")),
        }
    }
    None
}

#[test]
fn programs_print_what_cpython_prints() {
    let mut failures = Vec::new();
    for path in programs() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).unwrap();
        let recorded =
            |ending: &str| std::fs::read_to_string(path.with_extension(ending)).unwrap_or_default();
        let Printed { out, err, .. } = run(&source, &name, |_| {});
        for (stream, got, expected) in [
            ("stdout", out, recorded("out")),
            ("stderr", err, recorded("err")),
        ] {
            if let Some(difference) = difference(&got, &expected) {
                failures.push(format!("{name} {stream} {difference}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn exit_codes() {
    let code = |source: &str| run(source, "x.py", |_| {}).code;
    assert_eq!(code("pass"), 0);
    assert_eq!(code("raise SystemExit"), 0);
    assert_eq!(code("raise SystemExit(4)"), 4);
    assert_eq!(code("raise SystemExit('message')"), 1);
    assert_eq!(code("1 / 0"), 1);
    assert_eq!(code("raise KeyboardInterrupt"), 130);
    assert_eq!(code("x = ("), 1);
    assert_eq!(
        run("raise SystemExit('message')", "x.py", |_| {}).err,
        "message\n"
    );
}

#[test]
fn a_missing_module_names_the_line() {
    let printed = run("import sys\n\nimport not_there\n", "x.py", |_| {});
    assert_eq!(
        printed.err,
        "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    import \
         not_there\nModuleNotFoundError: No module named 'not_there'\n"
    );
}

#[test]
fn the_recursion_limit_can_be_raised() {
    let source = "import sys\nsys.setrecursionlimit(20000)\n\
                  def f(n):\n    return 0 if n == 0 else f(n - 1) + 1\nprint(f(19000))\n";
    assert_eq!(run(source, "x.py", |_| {}).out, "19000\n");
}

#[test]
fn modules_in_files() {
    let directory = std::env::temp_dir().join(format!("janus-interp-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = directory.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "single.py",
        "value = 1\n_hidden = 2\ndef get():\n    return value\n",
    );
    write(
        "pack/__init__.py",
        "from . import inner\nfrom .inner import thing\nname = __name__\n",
    );
    write(
        "pack/inner.py",
        "from .sub.deep import depth\nthing = 'thing'\npackage = __package__\n",
    );
    write("pack/sub/__init__.py", "");
    write(
        "pack/sub/deep.py",
        "from .. import __name__ as up\ndepth = up + '!'\n",
    );
    write("circle_a.py", "import circle_b\nx = 1\n");
    write("circle_b.py", "from circle_a import x\n");
    write("broken.py", "1 / 0\n");
    let source = "\
import single, pack.sub.deep as deep, pack
from single import *
from pack import inner as i, name
print(single.value, get(), deep.depth, i.thing, i.package, name, pack.sub.deep is deep)
print('_hidden' in globals())
for name in ('circle_a', 'broken', 'pack.nothing', 'single.nothing'):
    try:
        __import__(name)
    except Exception as e:
        print(type(e).__name__, str(e).split(' (/')[0])
try:
    from single import absent
except ImportError as e:
    print(str(e).split(' (')[0])
import sys
print('broken' in sys.modules)
";
    let printed = run(source, "x.py", |interp| {
        let path = janus_object::Value::str(directory.to_string_lossy().as_ref());
        interp.path().items.borrow_mut().insert(0, path);
    });
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(printed.err, "");
    assert_eq!(
        printed.out,
        "1 1 pack! thing pack pack True\nFalse\nImportError cannot import name 'x' from partially \
         initialized module 'circle_a' (most likely due to a circular import)\nZeroDivisionError \
         division by zero\nModuleNotFoundError No module named 'pack.nothing'\nModuleNotFoundError \
         No module named 'single.nothing'; 'single' is not a package\ncannot import name 'absent' \
         from 'single'\nFalse\n"
    );
}

#[test]
fn profiles_say_what_was_seen() {
    let source = "\
def callee(x):
    return x + 0.5

def work(n):
    total = 0
    for i in range(n):
        if i % 2 == 0:
            total += callee(i)
    k = 0
    while k < 3:
        k += 1
    return total

for _ in range(3):
    work(10)
import show
";
    let printed = run(source, "x.py", |interp| {
        interp.register_module("show", |interp| {
            use janus_object::Vm;
            let globals = interp.current_globals()?;
            if let Some(janus_object::Value::Function(f)) = globals.get_str("work") {
                let text = janus_interp::profile_text(&f.code.borrow());
                interp.write_stdout(&text)?;
            }
            let module = janus_object::PyModule::new("show", janus_object::Value::None);
            Ok(janus_object::Value::Module(PyRef::new(module)))
        });
    });
    assert_eq!(printed.err, "");
    let lines: Vec<&str> = printed.out.lines().map(str::trim).collect();
    assert_eq!(lines[0], "profile work (x.py:4) entries 3");
    let has = |what: &str| lines.iter().any(|l| l.contains(what));
    assert!(
        has("ForIter: count 30 trips last 10 min 10 max 10"),
        "{}",
        printed.out
    );
    assert!(
        has("Call: count 15 callee callee types float"),
        "{}",
        printed.out
    );
    assert!(
        has("LoopHead: count 6 trips last 3 min 3 max 3 running 3"),
        "{}",
        printed.out
    );
    assert!(has("PopJumpIfFalse: count 30 taken 15"), "{}", printed.out);
}
