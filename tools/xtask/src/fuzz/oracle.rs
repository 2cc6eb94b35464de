//! CPython + PyTorch beside the fuzzer: one process that runs script after script.
//!
//! In: the path of a script. Out: what it prints there. Always: a script cannot change what the next one sees.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::TaskError;

/// The running process.
pub struct Oracle {
    process: Child,
    scripts: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    /// Starts it.
    pub fn start(python: &Path) -> Result<Oracle, TaskError> {
        let source = |source| TaskError::Start {
            command: python.display().to_string(),
            source,
        };
        let mut process = crate::shell::bound(python)
            .args(["-W", "ignore", "-c", include_str!("oracle.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(source)?;
        let (Some(scripts), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(source(std::io::ErrorKind::BrokenPipe.into()));
        };
        Ok(Oracle {
            process,
            scripts,
            answers: BufReader::new(answers),
        })
    }

    /// What a script prints; the last line of an uncaught exception is part of it.
    pub fn printed(&mut self, script: &Path) -> Result<String, TaskError> {
        self.ask(script).map_err(|source| TaskError::Io {
            path: script.to_owned(),
            source,
        })
    }

    fn ask(&mut self, script: &Path) -> std::io::Result<String> {
        writeln!(self.scripts, "{}", script.display())?;
        self.scripts.flush()?;
        let mut length = String::new();
        self.answers.read_line(&mut length)?;
        let length = length.trim().parse().map_err(std::io::Error::other)?;
        let mut text = vec![0; length];
        self.answers.read_exact(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
