//! Wrong programs.

use super::*;

/// Blocks of `errors.txt`: source lines, then `>>> kind|message|line|column`.
#[test]
fn as_cpython_says() {
    let text = std::fs::read_to_string(manifest_dir().join("tests/errors.txt")).unwrap();
    let mut source = String::new();
    let mut failed = Vec::new();
    let mut count = 0;
    for line in text.lines() {
        let Some(expected) = line.strip_prefix(">>> ") else {
            source.push_str(line);
            source.push('\n');
            continue;
        };
        count += 1;
        let found = match compile(&source, "t.py", Mode::Module) {
            Ok(_) => "compiles".to_owned(),
            Err(e) => format!("{}|{}|{}|{}", e.kind.class_name(), e.message, e.line, e.col),
        };
        if found != expected {
            failed.push(format!("{source}  expected {expected}\n  found    {found}"));
        }
        source.clear();
    }
    assert!(count > 200);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn display() {
    let show = |source: &str| {
        compile(source, "x.py", Mode::Module)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        show("a = 1\nif b:\n    x = = 2\n"),
        "  File \"x.py\", line 3\n    x = = 2\n        ^\nSyntaxError: invalid syntax"
    );
    assert_eq!(
        show("f(a b)\n"),
        "  File \"x.py\", line 1\n    f(a b)\n      ^^^\n\
         SyntaxError: invalid syntax. Perhaps you forgot a comma?"
    );
    assert_eq!(
        show("def f():\n  x = 1\n   y = 2\n"),
        "  File \"x.py\", line 3\n    y = 2\nIndentationError: unexpected indent"
    );
    let error = compile("if a:\n\tx\n        y\n", "x.py", Mode::Module).unwrap_err();
    assert_eq!(error.kind, SyntaxErrorKind::Tab);
}

#[test]
fn what_blocks_must_not_hold() {
    let message = |source: &str| {
        let error = compile(source, "x.py", Mode::Module).unwrap_err();
        error.message
    };
    let star = "for i in x:\n try: pass\n except* A: break\n";
    assert_eq!(
        message(star),
        "'break', 'continue' and 'return' cannot appear in an except* block"
    );
    let nested = |n: usize| {
        let heads = (0..n).map(|i| format!("{}while x:\n", " ".repeat(i)));
        heads.collect::<String>() + &" ".repeat(n) + "pass\n"
    };
    assert!(compile(&nested(20), "x.py", Mode::Module).is_ok());
    assert_eq!(message(&nested(21)), "too many statically nested blocks");
}

/// No text makes the compiler panic: every prefix of real programs is compiled.
#[test]
fn prefixes_never_panic() {
    for path in python_files(&manifest_dir().join("tests/golden")) {
        let source = std::fs::read_to_string(&path).unwrap();
        let ends = source.char_indices().map(|(at, _)| at).step_by(3);
        for end in ends {
            let _ = compile(&source[..end], "t.py", Mode::Module);
        }
    }
}
