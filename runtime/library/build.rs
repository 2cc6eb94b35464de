//! Finds the modules of `cpython.txt` in CPython's library, as `rustpython-pylib` packages it.
//!
//! In: the list, and the files of that crate. Out: `cpython.rs`, a table of [`Source`]s. Always: a name that
//! has no file is an error of the build.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// One line of the table.
struct Module {
    name: String,
    file: PathBuf,
    is_package: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=cpython.txt");
    let library = Path::new(rustpython_pylib::LIB_PATH);
    let mut modules = Vec::new();
    for line in fs::read_to_string("cpython.txt")?.lines() {
        for word in line.split('#').next().unwrap_or("").split_whitespace() {
            match word.strip_suffix(".*") {
                Some(package) => everything(library, package, &mut modules)?,
                None => modules.push(match word.split_once('=') {
                    Some((name, file)) => Module {
                        name: name.to_owned(),
                        ..module(library, file)?
                    },
                    None => module(library, word)?,
                }),
            }
        }
    }
    let mut table = String::from("&[\n");
    for Module {
        name,
        file,
        is_package,
    } in &modules
    {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        // As it is read from a file, a line may end in CR LF.
        let text = text.replace("\r\n", "\n");
        writeln!(
            table,
            "    Source {{ name: {name:?}, is_package: {is_package}, text: {text:?} }},"
        )?;
    }
    table.push_str("]\n");
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("cpython.rs"), table)?;
    Ok(())
}

/// The module of a dotted name.
fn module(library: &Path, name: &str) -> Result<Module, String> {
    let base = library.join(name.replace('.', "/"));
    let package = base.join("__init__.py");
    let is_package = package.is_file();
    let file = if is_package {
        package
    } else {
        base.with_extension("py")
    };
    if !file.is_file() {
        return Err(format!(
            "cpython.txt: there is no module {name} in {}",
            library.display()
        ));
    }
    Ok(Module {
        name: name.to_owned(),
        file,
        is_package,
    })
}

/// A package and all that is in it.
fn everything(
    library: &Path,
    package: &str,
    modules: &mut Vec<Module>,
) -> Result<(), Box<dyn Error>> {
    modules.push(module(library, package)?);
    let mut names = Vec::new();
    for entry in fs::read_dir(library.join(package.replace('.', "/")))? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
        if path.join("__init__.py").is_file() {
            names.push(format!("{package}.{stem}.*"));
        } else if path.extension().is_some_and(|e| e == "py") && !stem.starts_with("__") {
            names.push(format!("{package}.{stem}"));
        }
    }
    names.sort();
    for name in names {
        match name.strip_suffix(".*") {
            Some(inner) => everything(library, inner, modules)?,
            None => modules.push(module(library, &name)?),
        }
    }
    Ok(())
}
