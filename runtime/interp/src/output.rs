//! Standard output and error of the script.
//!
//! In: text. Out: bytes on file descriptors, or in a writer that the embedder sets. Always:
//! output is buffered (by line on a terminal) and written before anything goes to standard error,
//! so that the two interleave as the script wrote them; a closed pipe is an error, not a panic.

use std::io::{self, IsTerminal, Write};

/// Bytes gathered before they are written.
const CAPACITY: usize = 1 << 16;

/// Standard output and standard error.
pub struct Output {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    buffer: Vec<u8>,
    by_line: bool,
    unbuffered: bool,
    /// Whether writing failed, which decides the exit code.
    failed: bool,
}

impl Output {
    /// The process's own.
    pub fn stdio() -> Self {
        Output {
            out: Box::new(io::stdout()),
            err: Box::new(io::stderr()),
            buffer: Vec::new(),
            by_line: io::stdout().is_terminal(),
            unbuffered: false,
            failed: false,
        }
    }

    /// Sends both somewhere else; for tests and embedders.
    pub fn redirect(&mut self, out: Box<dyn Write>, err: Box<dyn Write>) {
        self.out = out;
        self.err = err;
        self.by_line = false;
    }

    /// Whether all is written at once.
    pub fn set_unbuffered(&mut self, unbuffered: bool) {
        self.unbuffered = unbuffered;
    }

    /// Writes to standard output.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.buffer.extend_from_slice(text.as_bytes());
        if self.unbuffered || self.buffer.len() >= CAPACITY || (self.by_line && text.contains('\n'))
        {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what is buffered.
    pub fn flush(&mut self) -> io::Result<()> {
        let written = self
            .out
            .write_all(&self.buffer)
            .and_then(|()| self.out.flush());
        // What could not be written is not tried again.
        self.buffer.clear();
        self.failed |= written.is_err();
        written
    }

    /// Writes to standard error, after what is buffered for standard output.
    pub fn write_error(&mut self, text: &str) -> io::Result<()> {
        let flushed = self.flush();
        self.err.write_all(text.as_bytes())?;
        self.err.flush()?;
        flushed
    }

    /// Whether some output was lost.
    pub fn failed(&self) -> bool {
        self.failed
    }
}

impl Drop for Output {
    /// After a defect, too, the user sees what the script printed.
    fn drop(&mut self) {
        let _ = self.flush();
    }
}
