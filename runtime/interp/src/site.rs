//! Where imports look for packages that are installed.
//!
//! In: the environment. Out: directories for `sys.path`. Always: nothing is run: of `.pth` files, which editable installs
//! have, only the directories count.

use std::path::{Path, PathBuf};

use janus_object::Value;

use crate::Interp;

impl Interp {
    /// Adds the directories of `PYTHONPATH`, and those in which the active environment keeps its packages: that of
    /// `VIRTUAL_ENV` or `CONDA_PREFIX`, or else the one that the first `python3` of `PATH` belongs to.
    pub fn search_installed(&mut self) {
        let mut found: Vec<PathBuf> = std::env::var_os("PYTHONPATH")
            .iter()
            .flat_map(std::env::split_paths)
            .filter(|directory| !directory.as_os_str().is_empty())
            .collect();
        for directory in environment().iter().flat_map(|e| packages(e)) {
            found.extend(editable(&directory));
            found.push(directory);
        }
        let mut path = self.path().items.borrow_mut();
        for directory in found {
            path.push(Value::str(directory.to_string_lossy().as_ref()));
        }
    }
}

/// The active environment.
fn environment() -> Option<PathBuf> {
    let named = ["VIRTUAL_ENV", "CONDA_PREFIX"];
    if let Some(named) = named.into_iter().find_map(std::env::var_os) {
        return Some(PathBuf::from(named));
    }
    let path = std::env::var_os("PATH")?;
    let python = std::env::split_paths(&path)
        .map(|directory| directory.join("python3"))
        .find(|python| python.is_file())?;
    // An environment that is not activated: its `python3` is a link, with this file beside it.
    let own = python.parent()?.parent()?;
    if own.join("pyvenv.cfg").is_file() {
        return Some(own.to_path_buf());
    }
    Some(
        python
            .canonicalize()
            .ok()?
            .parent()?
            .parent()?
            .to_path_buf(),
    )
}

/// The directories of an environment that hold packages: those of the Python whose bytecode is run here first.
fn packages(environment: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for library in ["local/lib", "lib"] {
        let library = environment.join(library);
        let mut versions: Vec<PathBuf> = std::fs::read_dir(&library)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let name = path.file_name().and_then(|n| n.to_str());
                name.is_some_and(|name| name.starts_with("python3"))
            })
            .collect();
        // Debian's own are in `python3`.
        versions.sort_by_key(|path| (!path.ends_with("python3.11"), path.ends_with("python3")));
        for version in versions {
            for kind in ["site-packages", "dist-packages"] {
                let directory = version.join(kind);
                if directory.is_dir() {
                    found.push(directory);
                }
            }
        }
    }
    found
}

/// The directories that `.pth` files in a directory of packages name.
fn editable(packages: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(packages)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "pth"))
        .collect();
    files.sort();
    let texts = files
        .iter()
        .filter_map(|file| std::fs::read_to_string(file).ok());
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines
        .filter(|line| !line.is_empty() && !line.starts_with(['#', ' ']))
        .filter(|line| !line.starts_with("import ") && !line.starts_with("import\t"))
        .map(|line| packages.join(line))
        .filter(|directory| directory.is_dir())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_has_its_packages_and_what_pth_files_name() {
        let root = std::env::temp_dir().join(format!("janus-site-{}", std::process::id()));
        let site = root.join("lib/python3.11/site-packages");
        let other = root.join("lib/python3.9/site-packages");
        let source = root.join("source");
        for directory in [&site, &other, &source] {
            std::fs::create_dir_all(directory).unwrap();
        }
        let text = format!("# a comment\nimport os\n{}\nmissing\n", source.display());
        std::fs::write(site.join("own.pth"), text).unwrap();
        let (found, named) = (packages(&root), editable(&site));
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(found, [site, other]);
        assert_eq!(named, [source]);
    }
}
