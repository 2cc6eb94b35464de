//! Running commands, finding the repository.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

pub use janus_bench::process::end_with_us;

use crate::TaskError;

/// The repository's root.
pub fn root() -> PathBuf {
    // The manifest lies two folders below it.
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap_or(Path::new("."))
        .to_owned()
}

/// What a program printed, with files of the repository relative to it, as another checkout lies elsewhere. (Tracebacks
/// and `__file__` of a main script are absolute in CPython, however it was called.)
pub fn without_root(printed: &str) -> String {
    printed.replace(&format!("{}/", root().display()), "")
}

/// Cargo's target folder.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn line(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for a in command.get_args() {
        text.push(' ');
        text.push_str(&a.to_string_lossy());
    }
    text
}

/// A command that ends when this process does. The thread that starts it has to wait for it.
pub fn bound(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    end_with_us(&mut command);
    command
}

/// Runs a command on this terminal and returns its status.
pub fn status(command: &mut Command) -> Result<ExitStatus, TaskError> {
    end_with_us(command)
        .status()
        .map_err(|source| TaskError::Start {
            command: line(command),
            source,
        })
}

/// Runs a command on this terminal; an error unless it succeeds.
pub fn check(command: &mut Command) -> Result<(), TaskError> {
    let status = status(command)?;
    if status.success() {
        Ok(())
    } else {
        Err(TaskError::Failed {
            command: line(command),
            status,
        })
    }
}

/// What a command prints, or `None` when it cannot be run or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let out = end_with_us(command).output().ok()?;
    out.status
        .success()
        .then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Reads a file, or says which one could not be read.
pub fn read(path: &Path) -> Result<String, TaskError> {
    std::fs::read_to_string(path).map_err(|source| TaskError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Writes a file, or says which one could not be written.
pub fn write(path: &Path, text: &str) -> Result<(), TaskError> {
    std::fs::write(path, text).map_err(|source| TaskError::Io {
        path: path.to_owned(),
        source,
    })
}
