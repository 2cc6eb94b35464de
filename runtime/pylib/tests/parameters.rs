//! No parameter of a public function is ignored in silence.
//!
//! In: every Python module inside the binary, compiled to bytecode. A parameter is used if an
//! instruction loads it, to compute with it or to refuse what it says. One that nothing loads stands in
//! `ignored_parameters.txt` with its reason, or this test fails; so it does for a line there that
//! nothing needs any more.

use std::fs;
use std::path::{Path, PathBuf};

use janus_bytecode::{Code, Const, Opcode};
use janus_syntax::Mode;

/// A parameter that nothing loads.
struct Ignored {
    /// `module function parameter`
    name: String,
}

/// A line of the list.
struct Excuse {
    module: String,
    function: String,
    parameters: Vec<String>,
}

/// Whether a name fits a pattern, whose `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            (0..=name.len()).any(|at| name.get(at..).is_some_and(|tail| fits(rest, tail)))
        }),
    }
}

/// Whether users call it: no part of its name begins with an underscore, but for `__init__` and its like.
fn is_public(qualname: &str) -> bool {
    qualname
        .split('.')
        .all(|part| !part.starts_with(['_', '<']) || part.ends_with("__"))
}

/// Whether all that it does is to raise: nothing branches or returns before.
fn only_raises(code: &Code) -> bool {
    let end = code.instrs.iter().find(|i| {
        matches!(
            i.op,
            Opcode::RaiseVarargs
                | Opcode::ReturnValue
                | Opcode::PopJumpIfFalse
                | Opcode::PopJumpIfTrue
                | Opcode::PopJumpIfNone
                | Opcode::PopJumpIfNotNone
                | Opcode::JumpIfFalseOrPop
                | Opcode::JumpIfTrueOrPop
                | Opcode::Jump
                | Opcode::ForIter
                | Opcode::LoopHead
                | Opcode::YieldValue
        )
    });
    end.is_some_and(|i| i.op == Opcode::RaiseVarargs)
}

/// Adds what nothing loads in this code and in what is inside of it.
fn collect(module: &str, code: &Code, in_class: bool, found: &mut Vec<Ignored>) {
    for inner in &code.consts {
        if let Const::Code(inner) = inner {
            collect(module, inner, code.flags.class, found);
        }
    }
    if !code.flags.optimized || !is_public(&code.qualname) || only_raises(code) {
        return;
    }
    let count = code.argcount + code.kwonly_argcount;
    let count = count + u32::from(code.flags.varargs) + u32::from(code.flags.varkw);
    for (i, name) in code.varnames.iter().enumerate().take(count as usize) {
        let is_self = in_class && i == 0;
        let is_loaded = code.cellvars.contains(name)
            || code
                .instrs
                .iter()
                .any(|instr| instr.op == Opcode::LoadFast && instr.arg as usize == i);
        if !is_self && !is_loaded {
            found.push(Ignored {
                name: format!("{module} {} {name}", code.qualname),
            });
        }
    }
}

/// The Python files below a folder, in order.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "py") {
            found.push(path);
        }
    }
}

/// The dotted name of a file below its folder.
fn module_of(file: &Path, folder: &Path) -> String {
    let path = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    let parts: Vec<_> = path.iter().map(|p| p.to_string_lossy()).collect();
    let parts = match parts.split_last() {
        Some((last, rest)) if last == "__init__" => rest,
        _ => &parts,
    };
    parts.join(".")
}

/// The lines of the list: `module function parameters: reason`.
fn excuses() -> Vec<Excuse> {
    let text = include_str!("ignored_parameters.txt");
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    let parsed = lines.map(|line| {
        let (names, reason) = line.split_once(": ").unwrap_or((line, ""));
        assert!(!reason.trim().is_empty(), "no reason: {line}");
        let mut names = names.split(' ').map(str::to_owned);
        let (Some(module), Some(function)) = (names.next(), names.next()) else {
            return Err(line);
        };
        let parameters: Vec<String> = names.collect();
        if parameters.is_empty() {
            return Err(line);
        }
        Ok(Excuse {
            module,
            function,
            parameters,
        })
    });
    let (good, bad): (Vec<_>, Vec<_>) = parsed.partition(Result::is_ok);
    let bad: Vec<&str> = bad.into_iter().filter_map(Result::err).collect();
    assert!(
        bad.is_empty(),
        "not `module function parameters: reason`: {bad:?}"
    );
    good.into_iter().filter_map(Result::ok).collect()
}

#[test]
fn every_parameter_is_used_or_excused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["py", "../stdlib/py"] {
        let folder = root.join(folder);
        let mut all = Vec::new();
        files(&folder, &mut all);
        assert!(!all.is_empty(), "no files in {}", folder.display());
        for file in all {
            let text = fs::read_to_string(&file).unwrap_or_default();
            let name = file.to_string_lossy();
            match janus_syntax::compile(&text, &name, Mode::Module) {
                Ok(code) => collect(&module_of(&file, &folder), &code, false, &mut found),
                Err(e) => panic!("{name}: {e:?}"),
            }
        }
    }
    let excuses = excuses();
    let mut needed = vec![false; excuses.len()];
    let mut ignored = Vec::new();
    for Ignored { name } in &found {
        let mut parts = name.split(' ');
        let (Some(module), Some(function), Some(parameter)) =
            (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let mut is_excused = false;
        for (excuse, needed) in excuses.iter().zip(&mut needed) {
            if fits(&excuse.module, module)
                && fits(&excuse.function, function)
                && excuse.parameters.iter().any(|p| fits(p, parameter))
            {
                (is_excused, *needed) = (true, true);
            }
        }
        if !is_excused {
            ignored.push(name.as_str());
        }
    }
    let stale: Vec<String> = excuses
        .iter()
        .zip(&needed)
        .filter(|(_, needed)| !**needed)
        .map(|(e, _)| format!("{} {}", e.module, e.function))
        .collect();
    assert!(
        ignored.is_empty() && stale.is_empty(),
        "parameters that nothing uses (use them, refuse what they say, or list them with a reason):\n{}\n\
         lines of the list that nothing needs:\n{}",
        ignored.join("\n"),
        stale.join("\n")
    );
}
