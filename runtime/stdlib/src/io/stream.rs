//! Buffered bytes, in a file or in memory.
//!
//! In: bytes to write, numbers of bytes to read. Out: bytes, positions. Always: at most one of the
//! two buffers of a file is in use; memory has none.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Bytes read from or gathered for a file at once.
const CHUNK: usize = 1 << 16;

/// Where the bytes are.
pub(super) enum Stream {
    /// A file with its buffers.
    File {
        /// The file.
        file: File,
        /// Bytes read ahead, of which `taken` are consumed.
        ahead: Vec<u8>,
        /// See `ahead`.
        taken: usize,
        /// Bytes not yet written.
        pending: Vec<u8>,
        /// Writes go through at once.
        unbuffered: bool,
        /// Whether reading and writing may have to wait for another process (`waiting`).
        waits: bool,
    },
    /// Memory.
    Memory {
        /// The bytes.
        data: Vec<u8>,
        /// Where reading and writing goes on.
        at: usize,
    },
}

impl Stream {
    /// Over a file.
    pub fn file(file: File, unbuffered: bool) -> Self {
        let waits = file.metadata().is_ok_and(|found| !found.is_file());
        Stream::File {
            waits,
            file,
            ahead: Vec::new(),
            taken: 0,
            pending: Vec::new(),
            unbuffered,
        }
    }

    /// Over memory.
    pub fn memory(data: Vec<u8>) -> Self {
        Stream::Memory { data, at: 0 }
    }

    /// Reads more into the look-ahead; false at the end.
    pub fn fill(&mut self) -> io::Result<bool> {
        self.flush()?;
        let Stream::File {
            file, ahead, taken, ..
        } = self
        else {
            return Ok(false);
        };
        if *taken > 0 {
            ahead.drain(..*taken);
            *taken = 0;
        }
        let old = ahead.len();
        ahead.resize(old + CHUNK, 0);
        let read = loop {
            match file.read(&mut ahead[old..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        ahead.truncate(old + *read.as_ref().unwrap_or(&0));
        Ok(read? > 0)
    }

    /// What can be consumed without reading.
    pub fn available(&self) -> &[u8] {
        match self {
            Stream::File { ahead, taken, .. } => ahead.get(*taken..).unwrap_or(&[]),
            Stream::Memory { data, at } => data.get(*at..).unwrap_or(&[]),
        }
    }

    fn consume(&mut self, count: usize) -> Vec<u8> {
        let taken_bytes = self
            .available()
            .get(..count)
            .unwrap_or_else(|| self.available())
            .to_vec();
        match self {
            Stream::File { taken, .. } => *taken += taken_bytes.len(),
            Stream::Memory { at, .. } => *at += taken_bytes.len(),
        }
        taken_bytes
    }

    /// Up to `count` bytes, fewer only at the end.
    pub fn read(&mut self, count: usize) -> io::Result<Vec<u8>> {
        if let Stream::File {
            unbuffered: true,
            waits: true,
            ..
        } = self
            && !self.available().is_empty()
        {
            // One read of the system's, as much as it gave.
            return Ok(self.consume(count));
        }
        if let Stream::File {
            unbuffered: true,
            file,
            ahead,
            ..
        } = self
            && ahead.is_empty()
        {
            // Nothing beyond is read, since others may read on by the same descriptor.
            let mut room = Vec::new();
            file.take(count as u64).read_to_end(&mut room)?;
            return Ok(room);
        }
        while self.available().len() < count && self.fill()? {}
        Ok(self.consume(count))
    }

    /// Everything up to the end.
    pub fn read_all(&mut self) -> io::Result<Vec<u8>> {
        self.flush()?;
        if let Stream::File {
            file, ahead, taken, ..
        } = self
        {
            let mut all = ahead.split_off((*taken).min(ahead.len()));
            ahead.clear();
            *taken = 0;
            file.read_to_end(&mut all)?;
            return Ok(all);
        }
        Ok(self.consume(usize::MAX))
    }

    /// Bytes up to and including the first that `ends` accepts, at most `limit` of them. `ends`
    /// gets the bytes at hand and says how many belong to the line once it sees its end; it is
    /// told whether more bytes may come.
    pub fn read_until(
        &mut self,
        limit: Option<usize>,
        ends: impl Fn(&[u8], bool) -> Option<usize>,
    ) -> io::Result<Vec<u8>> {
        let mut more = true;
        loop {
            let bytes = self.available();
            let found = ends(bytes, more);
            match (found, limit) {
                (Some(length), Some(limit)) => return Ok(self.consume(length.min(limit))),
                (Some(length), None) => return Ok(self.consume(length)),
                (None, Some(limit)) if bytes.len() >= limit => return Ok(self.consume(limit)),
                (None, _) if !more => return Ok(self.consume(usize::MAX)),
                (None, _) => more = self.fill()?,
            }
        }
    }

    /// Writes bytes.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.drop_ahead()?;
        match self {
            Stream::File {
                pending,
                unbuffered,
                waits,
                ..
            } => {
                pending.extend_from_slice(bytes);
                if !*waits && (*unbuffered || pending.len() >= CHUNK) {
                    self.flush()?;
                }
            }
            Stream::Memory { .. } if bytes.is_empty() => {}
            Stream::Memory { data, at } => {
                let end = at.saturating_add(bytes.len());
                data.try_reserve(end.saturating_sub(data.len()))
                    .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
                if data.len() < *at {
                    data.resize(*at, 0);
                }
                let overlap = bytes.len().min(data.len() - *at);
                data[*at..*at + overlap].copy_from_slice(&bytes[..overlap]);
                data.extend_from_slice(&bytes[overlap..]);
                *at += bytes.len();
            }
        }
        Ok(())
    }

    /// Writes text in memory over as many characters as it has.
    pub fn write_over(&mut self, text: &[u8]) -> io::Result<()> {
        let is_start = |b: &u8| *b & 0xc0 != 0x80;
        if let Stream::Memory { data, at } = self
            && *at < data.len()
        {
            let chars = text.iter().filter(|b| is_start(b)).count();
            let behind = data.get(*at..).unwrap_or_default();
            let mut starts = behind.iter().enumerate().filter(|(_, b)| is_start(b));
            let over = starts.nth(chars).map_or(behind.len(), |(at, _)| at);
            data.splice(*at..*at + over, text.iter().copied());
            *at += text.len();
            return Ok(());
        }
        self.write(text)
    }

    /// Whether reading and writing may have to wait.
    pub fn waits(&self) -> bool {
        matches!(self, Stream::File { waits: true, .. })
    }

    /// Whether bytes are pending that should be on their way.
    pub fn is_write_due(&self) -> bool {
        matches!(self, Stream::File { pending, unbuffered, .. }
            if !pending.is_empty() && (*unbuffered || pending.len() >= CHUNK))
    }

    /// Takes what is pending, for who writes it himself.
    pub fn take_pending(&mut self) -> Vec<u8> {
        match self {
            Stream::File { pending, .. } => std::mem::take(pending),
            Stream::Memory { .. } => Vec::new(),
        }
    }

    /// Writes what is pending.
    pub fn flush(&mut self) -> io::Result<()> {
        if let Stream::File { file, pending, .. } = self
            && !pending.is_empty()
        {
            let bytes = std::mem::take(pending);
            file.write_all(&bytes)?;
        }
        Ok(())
    }

    /// Puts the file's own position where the reader is.
    fn drop_ahead(&mut self) -> io::Result<()> {
        if let Stream::File {
            file, ahead, taken, ..
        } = self
        {
            let unread = ahead.len() - *taken;
            if unread > 0 {
                file.seek(SeekFrom::Current(-(unread as i64)))?;
            }
            ahead.clear();
            *taken = 0;
        }
        Ok(())
    }

    /// Moves to a position.
    pub fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.flush()?;
        self.drop_ahead()?;
        match self {
            Stream::File { file, .. } => file.seek(to),
            Stream::Memory { data, at } => {
                let position = match to {
                    SeekFrom::Start(p) => p as i64,
                    SeekFrom::Current(d) => (*at as i64).saturating_add(d),
                    SeekFrom::End(d) => (data.len() as i64).saturating_add(d),
                };
                *at = usize::try_from(position.max(0)).unwrap_or(0);
                Ok(*at as u64)
            }
        }
    }

    /// The position.
    pub fn tell(&mut self) -> io::Result<u64> {
        match self {
            Stream::File {
                file,
                ahead,
                taken,
                pending,
                ..
            } => Ok(file.stream_position()? + pending.len() as u64 - (ahead.len() - *taken) as u64),
            Stream::Memory { at, .. } => Ok(*at as u64),
        }
    }

    /// Cuts or extends to `size` bytes.
    pub fn truncate(&mut self, size: u64) -> io::Result<()> {
        self.flush()?;
        match self {
            Stream::File { file, .. } => file.set_len(size),
            Stream::Memory { data, .. } => {
                data.truncate(usize::try_from(size).unwrap_or(usize::MAX));
                Ok(())
            }
        }
    }

    /// The file descriptor.
    pub fn fileno(&self) -> Option<i32> {
        match self {
            Stream::File { file, .. } => Some(std::os::fd::AsRawFd::as_raw_fd(file)),
            Stream::Memory { .. } => None,
        }
    }

    /// What is in memory.
    pub fn contents(&self) -> &[u8] {
        match self {
            Stream::Memory { data, .. } => data,
            Stream::File { .. } => &[],
        }
    }
}
