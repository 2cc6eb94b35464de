//! The engines of torch.distributed: libraries of their own, which janus-jit opens when a script asks for one.
//!
//! In: C++ in `runtime/distributed/engines`, and what the system has installed. Out: `target/release/libjanus_*.so`, beside
//! the binary. Always: an engine whose package is missing is left out, and said so; nothing else needs it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::TaskError;
use crate::shell::{check, root, target_dir};

/// An engine.
pub struct Engine {
    /// Its name, which its source and its library have, too.
    pub name: &'static str,
    /// The Debian package that it takes.
    pub package: &'static str,
    /// A file that proves that the package is there.
    pub proof: &'static str,
    /// What it is linked with.
    library: &'static str,
}

/// All of them.
pub const ENGINES: &[Engine] = &[Engine {
    name: "gloo",
    package: "libgloo-dev",
    proof: "/usr/include/gloo/context.h",
    library: "-lgloo",
}];

impl Engine {
    /// Whether its package is there.
    pub fn is_there(&self) -> bool {
        Path::new(self.proof).exists()
    }

    fn source(&self) -> PathBuf {
        root().join(format!("runtime/distributed/engines/{}.cpp", self.name))
    }

    /// Its library.
    pub fn built(&self) -> PathBuf {
        target_dir().join(format!("release/libjanus_{}.so", self.name))
    }

    fn build(&self) -> Result<(), TaskError> {
        let (source, to) = (self.source(), self.built());
        let header = source.with_file_name("engine.h");
        let changed = |path: &Path| path.metadata().and_then(|m| m.modified());
        let newest = [source.as_path(), &header, Path::new(self.proof)]
            .into_iter()
            .filter_map(|path| changed(path).ok())
            .max()
            .unwrap_or(SystemTime::UNIX_EPOCH);
        if changed(&to).is_ok_and(|built| built > newest) {
            return Ok(());
        }
        let io = |source| TaskError::Io {
            path: to.clone(),
            source,
        };
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        // A process may have the old one open.
        let fresh = to.with_extension("new");
        let flags = [
            "-std=c++17",
            "-O2",
            "-fPIC",
            "-fvisibility=hidden",
            "-shared",
        ];
        check(
            Command::new("c++")
                .args(flags)
                .arg(&source)
                .arg("-o")
                .arg(&fresh)
                .arg(self.library),
        )?;
        std::fs::rename(&fresh, &to).map_err(io)
    }
}

/// Builds those whose packages are there, and says which are not.
pub fn build() -> Result<(), TaskError> {
    for engine in ENGINES {
        if engine.is_there() {
            engine.build()?;
        } else {
            eprintln!(
                "xtask: no {}: torch.distributed has no engine '{}' here, and its tests are left out",
                engine.package, engine.name
            );
        }
    }
    Ok(())
}

/// Copies those that were built to where the binary was installed.
pub fn install() -> Result<(), TaskError> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let folder = std::env::var_os("CARGO_INSTALL_ROOT")
        .map(PathBuf::from)
        .or(home);
    let Some(folder) = folder else {
        return Err(TaskError::Needs(
            "cannot find cargo's folder of binaries".to_owned(),
        ));
    };
    build()?;
    for engine in ENGINES.iter().filter(|engine| engine.is_there()) {
        let from = engine.built();
        let to = folder
            .join("bin")
            .join(from.file_name().unwrap_or_default());
        std::fs::copy(&from, &to).map_err(|source| TaskError::Io { path: to, source })?;
    }
    Ok(())
}
