//! The CLIF of small functions. `JANUS_BLESS=1` writes it.

use std::path::Path;

use crate::harness::{EAGER, run};

fn golden(name: &str, region: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let source = std::fs::read_to_string(folder.join(format!("{name}.py"))).unwrap();
    let clif = run(&source, Some(EAGER)).region(region).clif.clone();
    let path = folder.join(format!("{name}.clif"));
    if std::env::var_os("JANUS_BLESS").is_some() {
        std::fs::write(&path, &clif).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(clif == expected, "{} is out of date", path.display());
}

#[test]
fn a_function_of_floats() {
    golden("escape", "escape");
}

#[test]
fn a_recursive_function() {
    golden("fib", "fib");
}

#[test]
fn a_loop_over_a_list() {
    golden("total", "total");
}
