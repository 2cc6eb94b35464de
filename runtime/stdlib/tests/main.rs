//! Runs every program of `py/` and compares what it prints with what CPython 3.11 printed
//! (`record.sh` records that).

mod support;

use std::fs;
use std::path::Path;

/// The first lines that differ, for the failure message.
fn difference(expected: &str, actual: &str) -> String {
    let mut shown = String::new();
    let (mut left, mut right) = (expected.lines(), actual.lines());
    for number in 1.. {
        match (left.next(), right.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let line = |l: Option<&str>| l.unwrap_or("<end>").to_owned();
                shown.push_str(&format!(
                    "line {number}\n  expected {}\n  actual   {}\n",
                    line(a),
                    line(b)
                ));
                if shown.lines().count() > 30 {
                    break;
                }
            }
        }
    }
    shown
}

#[test]
fn programs_print_what_cpython_prints() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/py");
    // Tracebacks show lines of files that are named without a folder.
    assert!(std::env::set_current_dir(&directory).is_ok());
    let mut failures = String::new();
    let mut count = 0;
    let mut programs: Vec<_> = fs::read_dir(&directory)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    programs.sort();
    for program in programs {
        let (Ok(source), Ok(expected)) = (
            fs::read_to_string(&program),
            fs::read_to_string(program.with_extension("out")),
        ) else {
            failures.push_str(&format!("{}: not readable\n", program.display()));
            continue;
        };
        let name = program
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        let (actual, _) = support::run(&source, &name);
        count += 1;
        if actual != expected {
            failures.push_str(&format!("--- {name}\n{}", difference(&expected, &actual)));
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(count > 0, "no programs in {}", directory.display());
}

#[test]
fn unknown_module_is_reported() {
    let (text, code) = support::run("import no_such_module\n", "script.py");
    assert!(
        text.contains("ModuleNotFoundError: No module named 'no_such_module'"),
        "{text}"
    );
    assert_eq!(code, 1);
}

#[test]
fn exit_code_of_sys_exit() {
    let (text, code) = support::run("import sys\nprint('before')\nsys.exit(3)\n", "script.py");
    assert_eq!((text.as_str(), code), ("before\n", 3));
}
