//! The repository's test programs, those that need no torch: each in one of the ways, or in all of them where the environment has
//! `JANUS_ALL_MODES`.

use std::path::Path;

use crate::harness::{MODES, run};

#[test]
fn test_programs_agree() {
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/programs");
    let mut paths: Vec<_> = std::fs::read_dir(subjects)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .flat_map(|subject| std::fs::read_dir(subject).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    paths.sort();
    let all = std::env::var_os("JANUS_ALL_MODES").is_some();
    let mut count = 0;
    for path in paths {
        let source = std::fs::read_to_string(&path).unwrap();
        // What has threads or processes ends the process's interpreter for good.
        let words = [
            "torch",
            "thread",
            "process",
            "asyncio",
            "concurrent",
            "signal",
            "http",
            "fork",
            // Compiled code does not keep what is in a variable that nobody reads any more.
            "tb_frame.f_locals",
            // The limit is the process's.
            "set_int_max_str_digits",
        ];
        if words.iter().any(|word| source.contains(word)) {
            continue;
        }
        let modes = match all {
            true => &MODES[..],
            false => &MODES[count % MODES.len()..][..1],
        };
        count += 1;
        let expected = without_addresses(&run(&source, None).output);
        for &mode in modes {
            let output = without_addresses(&run(&source, Some(mode)).output);
            assert_eq!(output, expected, "{}", path.display());
        }
    }
    assert!(count > 20);
}

/// What was printed without the addresses of objects.
fn without_addresses(output: &str) -> String {
    let mut parts = output.split(" at 0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + " at 0x" + part.trim_start_matches(|c: char| c.is_ascii_hexdigit())
    })
}
