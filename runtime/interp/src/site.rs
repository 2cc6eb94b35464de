//! Where imports look for packages that are installed.
//!
//! In: the environment. Out: directories for `sys.path`. Always: nothing is run: of `.pth` files, which editable installs
//! have, only the directories count.

use std::path::{Path, PathBuf};

use janus_object::Value;

use crate::Interp;

/// Where a Python lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Its directory: `sys.prefix`.
    pub prefix: PathBuf,
    /// The directory of what it was made of: `sys.base_prefix`.
    pub base: PathBuf,
    /// Whether packages of `base` are found, too.
    with_base: bool,
}

impl Environment {
    fn at(prefix: PathBuf) -> Environment {
        let config = std::fs::read_to_string(prefix.join("pyvenv.cfg")).unwrap_or_default();
        let value = |key: &str| {
            config.lines().find_map(|line| {
                let (name, value) = line.split_once('=')?;
                (name.trim() == key).then(|| value.trim().to_owned())
            })
        };
        let base = value("home").and_then(|home| Some(Path::new(&home).parent()?.to_path_buf()));
        Environment {
            base: base.unwrap_or_else(|| prefix.clone()),
            prefix,
            with_base: value("include-system-site-packages").is_some_and(|v| v == "true"),
        }
    }

    /// The active environment: the one that the program was called in, that of `VIRTUAL_ENV` or `CONDA_PREFIX`, or else
    /// the one that the first `python3` of `PATH` belongs to.
    fn active(executable: &Path) -> Option<Environment> {
        let own = executable.parent().and_then(Path::parent);
        if let Some(own) = own.filter(|own| own.join("pyvenv.cfg").is_file()) {
            return Some(Environment::at(own.to_path_buf()));
        }
        environment().map(Environment::at)
    }
}

impl Interp {
    /// Adds the directories of `PYTHONPATH`, the place of the library, and the directories in which the active
    /// environment and its user keep packages.
    pub fn search_installed(&mut self) {
        let settings = self.settings.clone();
        let executable = PathBuf::from(&settings.executable);
        let environment = Environment::active(&executable);
        let mut found: Vec<PathBuf> = settings
            .variable("PYTHONPATH")
            .iter()
            .flat_map(std::env::split_paths)
            .filter(|directory| !directory.as_os_str().is_empty())
            .collect();
        let library = executable.with_file_name("python311.zip");
        self.library = Some(library.to_string_lossy().into_owned());
        found.push(library);
        let is_virtual = environment.as_ref().is_some_and(|e| e.prefix != e.base);
        let mut sites = Vec::new();
        if let Some(environment) = &environment {
            if !is_virtual
                && !settings.no_user_site
                && settings.variable("PYTHONNOUSERSITE").is_none()
            {
                let home = std::env::var_os("HOME").map(PathBuf::from);
                sites.extend(home.map(|h| h.join(".local/lib/python3.11/site-packages")));
            }
            sites.extend(packages(&environment.prefix));
            if environment.with_base {
                sites.extend(packages(&environment.base));
            }
        }
        if !settings.no_site {
            for directory in sites.into_iter().filter(|d| d.is_dir()) {
                found.extend(editable(&directory));
                found.push(directory);
            }
        }
        self.environment = environment;
        let mut path = self.path().items.borrow_mut();
        for directory in found {
            path.push(Value::str(directory.to_string_lossy().as_ref()));
        }
    }

    /// The environment whose packages are found.
    pub fn environment(&self) -> Option<&Environment> {
        self.environment.as_ref()
    }
}

/// The environment that the variables name.
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
