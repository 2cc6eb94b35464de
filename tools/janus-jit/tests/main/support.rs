//! Runs the binary in directories that are removed again.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory for one test, which is also the home of its cache.
pub struct Dir(PathBuf);

impl Dir {
    pub fn new() -> Dir {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("janus-jit-test-{}-{number}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        // Messages show the name without links.
        Dir(dir.canonicalize().unwrap())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// `janus-jit` in this directory.
    pub fn janus(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_janus-jit"));
        command
            .args(args)
            .current_dir(&self.0)
            .env("XDG_CACHE_HOME", self.0.join("cache"))
            .env_remove("PYTHONPATH")
            .stdin(Stdio::null());
        command
    }

    /// Runs it to its end.
    pub fn output(&self, args: &[impl AsRef<OsStr>]) -> Ran {
        Ran::from(self.janus(args).output().unwrap())
    }

    /// Runs a script with these flags, and reads its statistics.
    pub fn stats(&self, flags: &[&str], script: &Path) -> (Ran, serde_json::Value) {
        let file = self.0.join("stats.json");
        let mut args: Vec<&OsStr> = vec!["run".as_ref(), "--stats".as_ref(), file.as_ref()];
        args.extend(flags.iter().map(OsStr::new));
        args.push(script.as_ref());
        let ran = self.output(&args);
        let text = std::fs::read_to_string(&file).unwrap();
        let stats = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e} in {text}"));
        (ran, stats)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a run came to.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A file of the repository.
/// The programs of `test/programs`, in the folders of their subjects.
pub fn programs() -> impl Iterator<Item = PathBuf> {
    let folders = std::fs::read_dir(repository("test/programs")).unwrap();
    folders
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
}

pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}
