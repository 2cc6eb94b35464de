//! Standard input of the process.
//!
//! In: file descriptor 0. Out: lines and bytes. Always: waiting for what is typed ends at Ctrl-C; what was read ahead is
//! kept for the next reader.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::fd::FromRawFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

use janus_object::{PyResult, Raised, Vm};

use crate::support::interp;

type Input = BufReader<File>;

fn input() -> MutexGuard<'static, Option<Input>> {
    static INPUT: Mutex<Option<Input>> = Mutex::new(None);
    let mut input = INPUT.lock().unwrap_or_else(PoisonError::into_inner);
    input.get_or_insert_with(|| {
        // SAFETY: descriptor 0 stays open for the whole process, since a static is never dropped, nor is this file.
        let file = unsafe { File::from_raw_fd(0) };
        BufReader::new(file)
    });
    input
}

/// Waits until there is something to read, or the end; Ctrl-C ends it.
fn wait(vm: &mut dyn Vm) -> PyResult<()> {
    interp(vm)?.wait_for(|slice| {
        let mut wanted = libc::pollfd {
            fd: 0,
            events: libc::POLLIN,
            revents: 0,
        };
        let slice = i32::try_from(slice.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: `poll` is given one descriptor, which lives until it returns.
        let ready = unsafe { libc::poll(&mut wanted, 1, slice) };
        (ready > 0).then_some(())
    })
}

/// What is there to read, after waiting for it; empty at the end.
fn available(vm: &mut dyn Vm) -> PyResult<Vec<u8>> {
    let is_buffered = input().as_ref().is_some_and(|i| !i.buffer().is_empty());
    if !is_buffered {
        wait(vm)?;
    }
    match input().as_mut().map(BufRead::fill_buf) {
        Some(Ok(bytes)) => Ok(bytes.to_vec()),
        Some(Err(e)) => Err(Raised::io_error(&e, None)),
        None => Ok(Vec::new()),
    }
}

fn consume(n: usize) {
    if let Some(input) = input().as_mut() {
        input.consume(n);
    }
}

/// The next line with its end; empty at the end of input.
pub(crate) fn read_line(vm: &mut dyn Vm) -> PyResult<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        let bytes = available(vm)?;
        let end = bytes.iter().position(|b| *b == b'\n').map(|at| at + 1);
        let taken = end.unwrap_or(bytes.len());
        line.extend_from_slice(bytes.get(..taken).unwrap_or_default());
        consume(taken);
        if end.is_some() || bytes.is_empty() {
            return Ok(line);
        }
    }
}

/// Everything up to the end.
pub(crate) fn read_all(vm: &mut dyn Vm) -> PyResult<Vec<u8>> {
    let mut all = Vec::new();
    loop {
        let bytes = available(vm)?;
        if bytes.is_empty() {
            return Ok(all);
        }
        consume(bytes.len());
        all.extend(bytes);
    }
}

/// The next byte; none at the end.
pub(crate) fn read_byte(vm: &mut dyn Vm) -> PyResult<Option<u8>> {
    let first = available(vm)?.first().copied();
    consume(usize::from(first.is_some()));
    Ok(first)
}
