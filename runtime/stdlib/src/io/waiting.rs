//! Files that one waits for: pipes, terminals, sockets.
//!
//! In: a file object and what a call wants of it. Out: enough bytes read ahead, or what is pending written, while other
//! threads have their turns. Always: the file is not borrowed while it is waited for, so that other threads may use it.

use std::io;

use janus_object::{Args, PyResult, Raised, Vm};

use super::methods::{failed, inner};
use crate::support::interp;

/// Reads ahead until `enough` of the bytes, or the end. Returns at once for files that are on a disk.
pub(super) fn read_ahead(
    vm: &mut dyn Vm,
    args: &Args<'_>,
    enough: impl Fn(&[u8]) -> bool,
) -> PyResult<()> {
    loop {
        let fd = match &inner(args)?.stream {
            Some(stream) if stream.waits() && !enough(stream.available()) => stream.fileno(),
            _ => None,
        };
        let Some(fd) = fd else {
            return Ok(());
        };
        drain(vm, args)?;
        await_descriptor(vm, fd, libc::POLLIN)?;
        if let Some(stream) = &mut inner(args)?.stream
            && !stream.fill().map_err(|e| failed(&e))?
        {
            return Ok(());
        }
    }
}

/// Writes what is pending, where writing may have to wait.
pub(super) fn drain(vm: &mut dyn Vm, args: &Args<'_>) -> PyResult<()> {
    let (fd, bytes) = match &mut inner(args)?.stream {
        Some(stream) if stream.waits() => (stream.fileno(), stream.take_pending()),
        _ => return Ok(()),
    };
    let mut rest = &bytes[..];
    while let Some(fd) = fd
        && !rest.is_empty()
    {
        let vm = interp(vm)?;
        let written = vm.allow_threads(|| {
            // SAFETY: the bytes are as many as said.
            match unsafe { libc::write(fd, rest.as_ptr().cast(), rest.len()) } {
                written @ 0.. => Ok(written as usize),
                _ => Err(io::Error::last_os_error()),
            }
        });
        match written {
            Ok(count) => rest = rest.get(count..).unwrap_or(&[]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => vm.handle_signals()?,
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                await_descriptor(vm, fd, libc::POLLOUT)?;
            }
            Err(e) => return Err(Raised::io_error(&e, None)),
        }
    }
    Ok(())
}

fn await_descriptor(vm: &mut dyn Vm, fd: i32, events: i16) -> PyResult<()> {
    let vm = interp(vm)?;
    vm.flush_before_waiting();
    vm.wait_for(|slice| {
        let mut wanted = libc::pollfd {
            fd,
            events,
            revents: 0,
        };
        let slice = i32::try_from(slice.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: `poll` is given one descriptor, which lives until it returns.
        let ready = unsafe { libc::poll(&mut wanted, 1, slice) };
        (ready > 0).then_some(())
    })
}
