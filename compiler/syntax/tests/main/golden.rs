//! Disassembly of whole files.

use super::*;

#[test]
fn disassembly() {
    let bless = std::env::var_os("JANUS_BLESS").is_some();
    let mut failed = Vec::new();
    for path in python_files(&manifest_dir().join("tests/golden")) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let source = std::fs::read_to_string(&path).unwrap();
        let code = compile(&source, &name, Mode::Module).unwrap_or_else(|e| panic!("{e}"));
        verify(&code).unwrap_or_else(|e| panic!("{name}: {e}"));
        let found = disassemble(&code);
        let expected_path = path.with_extension("txt");
        if bless {
            std::fs::write(&expected_path, &found).unwrap();
        } else if std::fs::read_to_string(&expected_path).unwrap_or_default() != found {
            let difference = first_difference(&expected_path, &found);
            failed.push(format!("{name}: {difference}"));
        }
    }
    assert!(
        failed.is_empty(),
        "JANUS_BLESS=1 records anew.\n{}",
        failed.join("\n")
    );
}

fn first_difference(expected: &Path, found: &str) -> String {
    let expected = std::fs::read_to_string(expected).unwrap_or_default();
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    match lines.find(|(_, (e, f))| e != f) {
        Some((n, (e, f))) => format!("line {}\n  expected {e}\n  found    {f}", n + 1),
        None => "one is longer than the other".to_owned(),
    }
}

#[test]
fn the_programs_of_the_project_compile() {
    let subjects = std::fs::read_dir(manifest_dir().join("../../test/programs")).unwrap();
    let subjects = subjects.map(|entry| entry.unwrap().path());
    let mut count = 0;
    for subject in subjects.filter(|path| path.is_dir()) {
        for path in python_files(&subject) {
            let source = std::fs::read_to_string(&path).unwrap();
            compiled(&source, Mode::Module);
            count += 1;
        }
    }
    assert!(count > 700, "only {count} programs were found");
}
