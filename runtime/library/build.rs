//! Finds the modules that are ours, and those of `cpython.txt` in CPython's library, as `rustpython-pylib` packages it.
//!
//! In: `../stdlib/py`; the list, and the files of that crate. Out: `ours.rs` and `cpython.rs`, tables of [`Source`]s.
//! Always: a name that has no file is an error of the build.

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

/// Where the modules that are ours lie, each under its name.
const OURS: &str = "../stdlib/py";

/// Those that lie under another one: name, file, and whether it is a package.
const NAMED_OTHERWISE: [(&str, &str, bool); 6] = [
    ("collections", "collections.py", true),
    ("collections.abc", "collections_abc.py", false),
    ("os.path", "os_path.py", false),
    ("psutil._psutil_linux", "_psutil_linux.py", false),
    ("re", "re.py", true),
    ("tokenizers.tokenizers", "_tokenizers.py", false),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={OURS}");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("ours.rs"), ours()?)?;
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
    fs::write(out.join("cpython.rs"), table)?;
    Ok(())
}

/// The table of the modules that are ours; the compiler reads their texts from where they lie.
fn ours() -> Result<String, Box<dyn Error>> {
    let folder = fs::canonicalize(OURS)?;
    let mut files = Vec::new();
    python_files(&folder, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let path = file.strip_prefix(&folder)?.to_string_lossy();
        let otherwise = NAMED_OTHERWISE.iter().find(|(_, f, _)| *f == path);
        let (name, is_package) = match otherwise {
            Some((name, _, is_package)) => ((*name).to_owned(), *is_package),
            None => {
                let name = path.trim_end_matches(".py").replace('/', ".");
                match name.strip_suffix(".__init__") {
                    Some(package) => (package.to_owned(), true),
                    None => (name, false),
                }
            }
        };
        writeln!(
            table,
            "    Source {{ name: {name:?}, is_package: {is_package}, text: include_str!({file:?}) }},"
        )?;
    }
    table.push_str("]\n");
    Ok(table)
}

/// The files in Python of a folder and those in it.
fn python_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            python_files(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "py") {
            files.push(path);
        }
    }
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
        } else if path.extension().is_some_and(|e| e == "py")
            && (!stem.starts_with("__") || stem == "__main__")
        {
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
