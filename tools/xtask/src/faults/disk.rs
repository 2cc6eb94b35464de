//! Disks that are full: a small file system of their own where that may be mounted, and a bound on the size of files.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use super::Bench;
use crate::TaskError;
use crate::shell::output;

/// Sizes of file systems and files, in KiB: none of the entries fits, some do, all but the last do.
const SIZES: [u64; 4] = [4, 8, 12, 16];

/// A mounted file system, which goes at the end.
struct Mounted<'a>(&'a Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        // What still uses it keeps it; there is nothing more to do.
        output(Command::new("umount").arg(self.0));
    }
}

fn mount(dir: &Path, kib: u64) -> Option<Mounted<'_>> {
    std::fs::create_dir_all(dir).ok()?;
    let options = format!("size={kib}k,mode=0700");
    output(
        Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "janus-faults"])
            .arg(dir),
    )
    .map(|_| Mounted(dir))
}

/// Files of this command may not grow beyond this size: writing more is an error, as on a full disk.
fn bound_files(command: &mut Command, bytes: u64) {
    let bound = move || {
        let limit = libc::rlimit {
            rlim_cur: bytes,
            rlim_max: bytes,
        };
        // SAFETY: the structure is filled; both calls may be made between fork and exec. A process that ignores
        // the signal sees the error.
        unsafe {
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            if libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) != 0 {
                return Err(std::io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: the closure only makes system calls.
    unsafe { command.pre_exec(bound) };
}

impl Bench<'_> {
    /// Runs on full disks; how they were made.
    pub(super) fn fill(&mut self, rounds: u64) -> Result<&'static str, TaskError> {
        let mut made = "a bound on files";
        for round in 0..rounds {
            for kib in SIZES {
                self.empty_cache()?;
                for again in 0..2 {
                    let mut command = self.command(&self.cache);
                    bound_files(&mut command, kib * 1024 - round * 100);
                    self.runs += 1;
                    let child = command.spawn().map_err(|e| self.error(e))?;
                    self.end(&format!("files up to {kib} KiB, run {again}"), child)?;
                }
                self.run("behind a full disk")?;
                self.empty_cache()?;
                let dir = self.cache.clone();
                if let Some(_mounted) = mount(&dir, kib) {
                    made = "a file system";
                    self.run(&format!("a disk of {kib} KiB"))?;
                    self.run(&format!("a full disk of {kib} KiB"))?;
                }
            }
        }
        Ok(made)
    }
}
