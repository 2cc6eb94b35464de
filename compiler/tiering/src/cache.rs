//! Compiled code kept on disk, for the next run.
//!
//! In: a key, which is a hash of all that decides what the code is: the graph before compilation,
//! this very build, its passes, the processor, LLVM. Out: the object code that was stored under it, or nothing.
//! Always: an entry is written at once or not at all; it is believed only if it lies in a
//! directory of the user's own that nobody else writes to, and its checksum fits; what is not
//! believed is discarded and costs a compile, never an error.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use janus_codegen::{Object, Target};
use janus_dialect::{Graph, Passes};
use sha2::{Digest as _, Sha256};

/// Bytes that a cache holds at most, unless told otherwise.
pub const DEFAULT_LIMIT: u64 = 256 << 20;

/// What an entry starts with; its number changes with the layout below.
const MAGIC: &[u8; 8] = b"janusjc2";
/// Magic, key, number of operations of the graph, checksum of what follows and of all that.
const HEADER: usize = 8 + 32 + 8 + 32;
/// No object file is larger; a larger entry is not read into memory.
const MAX_ENTRY: u64 = 64 << 20;
/// How the names of entries end.
const SUFFIX: &str = ".jc";
/// How the names of files end that tell of code that is being made: empty, or with something in it where a run
/// stayed for that code in vain.
const BEGUN: &str = ".begun";
/// Temporary files older than this are left over from a run that was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The name of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of a graph that is compiled for `target` by this build, with these passes.
    pub fn new(graph: &Graph, target: &Target, passes: Passes) -> Key {
        let mut hash = Sha256::new();
        // Each part with its length: no two lists of parts read the same.
        for part in [
            &build(),
            &janus_codegen::fingerprint(target),
            &passes.key(),
            &graph.content(),
        ] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        Key(hash.finalize().into())
    }

    fn file_name(self, suffix: &str) -> String {
        use std::fmt::Write as _;
        let mut name = String::with_capacity(64 + suffix.len());
        for byte in self.0 {
            // Writing to a String cannot fail.
            let _ = write!(name, "{byte:02x}");
        }
        name + suffix
    }
}

/// What this build is: code generators change from build to build, not only from version to
/// version, and what was compiled calls into the runtime of the build that made it.
fn build() -> String {
    let binary = std::env::current_exe()
        .and_then(fs::metadata)
        .map(|m| (m.len(), m.mtime(), m.mtime_nsec()))
        .unwrap_or_default();
    format!("{} {binary:?}", env!("CARGO_PKG_VERSION"))
}

/// Why there is no cache in a directory.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// It could not be made or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The directory or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Somebody else could put code there.
    #[error("{} is not this user's alone", .0.display())]
    NotPrivate(PathBuf),
}

/// A directory of compiled code.
#[derive(Debug)]
pub struct Cache {
    dir: PathBuf,
    limit: u64,
    /// Bytes in the directory, once they were counted.
    size: Mutex<Option<u64>>,
    temporary: AtomicU64,
}

/// What a cache holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStat {
    /// Entries.
    pub entries: usize,
    /// Their bytes.
    pub bytes: u64,
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// `$XDG_CACHE_HOME/janus-jit`, or the same in `~/.cache`; none without a home.
pub fn default_cache_dir() -> Option<PathBuf> {
    let from = |variable: &str| {
        std::env::var_os(variable)
            .map(PathBuf::from)
            .filter(|p| p.is_absolute())
    };
    from("XDG_CACHE_HOME")
        .or_else(|| from("HOME").map(|home| home.join(".cache")))
        .map(|dir| dir.join("janus-jit"))
}

fn user() -> u32 {
    // SAFETY: `geteuid` has no preconditions and always succeeds.
    unsafe { libc::geteuid() }
}

/// Ours, and nobody else's to write to.
fn is_private(meta: &fs::Metadata) -> bool {
    meta.uid() == user() && meta.mode() & 0o022 == 0
}

impl Cache {
    /// The cache in this directory, which is made if it is not there.
    pub fn open(dir: PathBuf, limit: u64) -> Result<Cache, CacheError> {
        let io = |source| CacheError::Io {
            path: dir.clone(),
            source,
        };
        if !dir.exists() {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&dir)
                .map_err(io)?;
        }
        let meta = fs::metadata(&dir).map_err(io)?;
        if !meta.is_dir() {
            return Err(io(io::ErrorKind::NotADirectory.into()));
        }
        if !is_private(&meta) {
            return Err(CacheError::NotPrivate(dir));
        }
        Ok(Cache {
            dir,
            limit,
            size: Mutex::new(None),
            temporary: AtomicU64::new(0),
        })
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Bytes that it holds at most.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// What is stored under a key.
    pub fn load(&self, key: Key) -> Option<Object> {
        let path = self.dir.join(key.file_name(SUFFIX));
        match read_entry(&path, key) {
            Ok(found) => found,
            Err(e) => {
                tracing::info!("cache entry {} discarded: {e}", path.display());
                self.discard(key);
                None
            }
        }
    }

    /// Whether something is stored under a key.
    pub fn has(&self, key: Key) -> bool {
        self.dir.join(key.file_name(SUFFIX)).is_file()
    }

    /// Removes what is stored under a key.
    pub fn discard(&self, key: Key) {
        let path = self.dir.join(key.file_name(SUFFIX));
        if let Err(e) = fs::remove_file(&path)
            && e.kind() != io::ErrorKind::NotFound
        {
            tracing::info!("cache entry {}: {e}", path.display());
        }
    }

    /// Notes that code is being made. Whether an earlier run began to make it, too, and ended before it was there.
    pub fn begin(&self, key: Key) -> bool {
        let mark = self.dir.join(key.file_name(BEGUN));
        if let Ok(known) = fs::metadata(&mark) {
            return known.len() == 0;
        }
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(mark);
        if let Err(e) = made {
            tracing::info!("cache {}: {e}", self.dir.display());
        }
        false
    }

    /// Notes that a run stayed in vain for what it had begun to make.
    pub fn give_up(&self, key: Key) {
        if let Err(e) = fs::write(self.dir.join(key.file_name(BEGUN)), "in vain") {
            tracing::info!("cache {}: {e}", self.dir.display());
        }
    }

    /// Stores object code. That it could not be stored is only logged.
    pub fn store(&self, key: Key, object: &Object) {
        let bytes = encode(key, object);
        // There is no such file where the code was made at once.
        let _ = fs::remove_file(self.dir.join(key.file_name(BEGUN)));
        match self.write(key, &bytes) {
            Ok(()) => self.shrink(bytes.len() as u64),
            Err(e) => tracing::info!("cache {}: {e}", self.dir.display()),
        }
    }

    fn write(&self, key: Key, bytes: &[u8]) -> io::Result<()> {
        let number = self.temporary.fetch_add(1, Ordering::Relaxed);
        let temporary = self
            .dir
            .join(format!(".tmp-{}-{number}", std::process::id()));
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&temporary)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&temporary, self.dir.join(key.file_name(SUFFIX))));
        if written.is_err() {
            // It may not be there; either way there is nothing more to do.
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    /// Removes what was not used for longest, where there is too much after `added` bytes came.
    fn shrink(&self, added: u64) {
        let Ok(mut size) = self.size.lock() else {
            return;
        };
        let now = match *size {
            Some(known) => known + added,
            None => self.entries().iter().map(|e| e.bytes).sum(),
        };
        *size = Some(now);
        if now <= self.limit {
            return;
        }
        // Others write here too: count again. Some room is made, so that this is rare.
        let mut entries = self.entries();
        entries.sort_by_key(|e| e.used);
        let mut left: u64 = entries.iter().map(|e| e.bytes).sum();
        for entry in entries {
            if left <= self.limit - self.limit / 8 {
                break;
            }
            if fs::remove_file(&entry.path).is_ok() {
                left -= entry.bytes;
            }
        }
        *size = Some(left);
    }

    /// All entries. Temporary files that were left over go, and marks of what was begun long ago.
    fn entries(&self) -> Vec<Entry> {
        let Ok(dir) = fs::read_dir(&self.dir) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for entry in dir.flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if !meta.is_file() {
                continue;
            }
            if name.ends_with(SUFFIX) {
                found.push(Entry {
                    path: entry.path(),
                    bytes: meta.len(),
                    used,
                });
            } else if (name.starts_with(".tmp-") || name.ends_with(BEGUN))
                && used.elapsed().is_ok_and(|age| age > ABANDONED)
            {
                // Another process may have been faster.
                let _ = fs::remove_file(entry.path());
            }
        }
        found
    }

    /// What it holds.
    pub fn stat(&self) -> CacheStat {
        let entries = self.entries();
        CacheStat {
            entries: entries.len(),
            bytes: entries.iter().map(|e| e.bytes).sum(),
        }
    }

    /// Removes all entries, and says what they were. Files that are no entries stay.
    pub fn clear(&self) -> Result<CacheStat, CacheError> {
        let mut gone = CacheStat::default();
        for file in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            if file.file_name().to_string_lossy().ends_with(BEGUN) {
                // It means nothing without the entries.
                let _ = fs::remove_file(file.path());
            }
        }
        for entry in self.entries() {
            match fs::remove_file(&entry.path) {
                Ok(()) => {
                    gone.entries += 1;
                    gone.bytes += entry.bytes;
                }
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(source) => {
                    return Err(CacheError::Io {
                        path: entry.path,
                        source,
                    });
                }
            }
        }
        Ok(gone)
    }
}

fn encode(key: Key, object: &Object) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + object.bytes().len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&key.0);
    bytes.extend_from_slice(&(object.graph_ops() as u64).to_le_bytes());
    let sum = checksum(&bytes, object.bytes());
    bytes.extend_from_slice(&sum);
    bytes.extend_from_slice(object.bytes());
    bytes
}

fn checksum(head: &[u8], object: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(head);
    hash.update(object);
    hash.finalize().into()
}

/// The entry in a file; `None` if there is no file, an error if it is not to be believed.
fn read_entry(path: &Path, key: Key) -> io::Result<Option<Object>> {
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path);
    let mut file = match opened {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    let meta = file.metadata()?;
    if !meta.is_file() || !is_private(&meta) {
        return Err(io::Error::other("it is not this user's alone"));
    }
    if meta.len() > MAX_ENTRY {
        return Err(io::Error::other("it is too large"));
    }
    let mut bytes = Vec::with_capacity(meta.len() as usize);
    file.read_to_end(&mut bytes)?;
    let object = decode(&bytes, key).ok_or_else(|| io::Error::other("it is broken"))?;
    touch(&file);
    Ok(Some(object))
}

fn decode(bytes: &[u8], key: Key) -> Option<Object> {
    let (header, object) = bytes.split_at_checked(HEADER)?;
    let (head, sum) = header.split_at_checked(HEADER - 32)?;
    let (magic, rest) = head.split_at_checked(MAGIC.len())?;
    let (stored_key, graph_ops) = rest.split_at_checked(32)?;
    if magic != MAGIC || stored_key != key.0 || sum != checksum(head, object) {
        return None;
    }
    let graph_ops = u64::from_le_bytes(graph_ops.try_into().ok()?);
    Some(Object::from_bytes(
        object.to_vec(),
        usize::try_from(graph_ops).ok()?,
    ))
}

/// Notes that an entry was used: the time of its last change says so.
fn touch(file: &File) {
    if let Err(e) = file.set_modified(SystemTime::now()) {
        tracing::debug!("cache entry not touched: {e}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    /// A directory that is removed again.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let dir =
                std::env::temp_dir().join(format!("janus-cache-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&dir);
            Scratch(dir)
        }

        fn cache(&self, limit: u64) -> Cache {
            Cache::open(self.0.clone(), limit).unwrap()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn key(n: u8) -> Key {
        Key([n; 32])
    }

    fn object(n: u8, len: usize) -> Object {
        Object::from_bytes(vec![n; len], usize::from(n))
    }

    #[test]
    fn gives_back_what_was_stored() {
        let scratch = Scratch::new("stored");
        let cache = scratch.cache(1 << 20);
        assert!(cache.load(key(1)).is_none());
        cache.store(key(1), &object(1, 100));
        let found = cache.load(key(1)).unwrap();
        assert_eq!((found.bytes(), found.graph_ops()), (&[1; 100][..], 1));
        assert!(cache.load(key(2)).is_none());
        assert_eq!(cache.stat().entries, 1);
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!(mode(&scratch.0), 0o700);
        assert_eq!(mode(&scratch.0.join(key(1).file_name(SUFFIX))), 0o600);
        assert_eq!(cache.clear().unwrap().entries, 1);
        assert!(cache.load(key(1)).is_none());
    }

    #[test]
    fn knows_what_was_begun_and_not_made() {
        let scratch = Scratch::new("begun");
        let cache = scratch.cache(1 << 20);
        assert!(!cache.begin(key(1)));
        assert!(cache.begin(key(1)), "it was not stored");
        assert!(!cache.begin(key(2)), "another one");
        cache.store(key(1), &object(1, 100));
        assert!(!cache.begin(key(1)), "it is there");
        cache.give_up(key(2));
        assert!(!cache.begin(key(2)), "it takes too long");
        assert_eq!(cache.stat().entries, 1);
        cache.clear().unwrap();
        assert_eq!(fs::read_dir(cache.dir()).unwrap().count(), 0);
    }

    #[test]
    fn discards_what_is_broken() {
        let scratch = Scratch::new("broken");
        let cache = scratch.cache(1 << 20);
        let path = scratch.0.join(key(1).file_name(SUFFIX));
        let whole = encode(key(1), &object(1, 64));
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            assert!(cache.load(key(1)).is_none(), "byte {at}");
            assert!(!path.exists(), "byte {at}");
        }
        for len in 0..whole.len() {
            fs::write(&path, &whole[..len]).unwrap();
            assert!(cache.load(key(1)).is_none(), "cut at {len}");
        }
        // The content of another entry.
        fs::write(&path, encode(key(2), &object(2, 64))).unwrap();
        assert!(cache.load(key(1)).is_none());
        fs::write(&path, &whole).unwrap();
        assert!(cache.load(key(1)).is_some());
    }

    #[test]
    fn believes_nothing_that_others_may_write() {
        let scratch = Scratch::new("foreign");
        let cache = scratch.cache(1 << 20);
        cache.store(key(1), &object(1, 64));
        let path = scratch.0.join(key(1).file_name(SUFFIX));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        assert!(cache.load(key(1)).is_none());
        // Links are not followed, directories are not read.
        let elsewhere = scratch.0.join("elsewhere");
        fs::write(&elsewhere, encode(key(1), &object(1, 64))).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert!(cache.load(key(1)).is_none());
        fs::create_dir(&path).unwrap();
        assert!(cache.load(key(1)).is_none());
        fs::set_permissions(&scratch.0, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(
            Cache::open(scratch.0.clone(), 1),
            Err(CacheError::NotPrivate(_))
        ));
    }

    #[test]
    fn forgets_what_was_not_used_for_longest() {
        let scratch = Scratch::new("bounded");
        let cache = scratch.cache(4000);
        let age = |n: u8, seconds: u64| {
            let file = File::options()
                .write(true)
                .open(scratch.0.join(key(n).file_name(SUFFIX)))
                .unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds))
                .unwrap();
        };
        for n in 1..=3 {
            cache.store(key(n), &object(n, 1000));
            age(n, 100 - u64::from(n));
        }
        // The oldest becomes the newest.
        assert!(cache.load(key(1)).is_some());
        cache.store(key(4), &object(4, 1000));
        let there = |n| cache.load(key(n)).is_some();
        assert_eq!(
            [there(1), there(2), there(3), there(4)],
            [true, false, true, true]
        );
        assert!(cache.stat().bytes <= 4000);
    }

    fn key_of(text: &str) -> Key {
        match Graph::parse(text) {
            Ok(graph) => Key::new(&graph, &Target::Cpu, Passes::default()),
            Err(e) => panic!("{e:?} in {text}"),
        }
    }

    #[test]
    fn keys_differ_where_graphs_do() {
        let graph = |value: &str| {
            key_of(&format!(
                "janus.graph @region() -> f64 {{\n  %0 = arith.constant {value} : f64\n  \
                 janus.return %0 : f64\n}}"
            ))
        };
        assert!(graph("1.0") == graph("1.0"));
        // The next number after 1, the other zero, other bits of no number.
        assert!(graph("1.0") != graph("1.0000000000000002"));
        assert!(graph("0.0") != graph("-0.0"));
        assert!(graph("0x7FF8000000000000") != graph("0x7FF8000000000001"));
    }

    #[test]
    fn keys_know_every_element_and_slot_but_no_position() {
        let graph = |last: &str, slot: u32, space: &str| {
            let elements = "1.0, ".repeat(199) + last;
            key_of(&format!(
                "{space}janus.graph @region() -> tensor<200xf32> {{\n  \
                 %0 = janus.constant dense<[{elements}]> : tensor<200xf32>\n  \
                 %1 = janus.argument 0 slot {slot} : tensor<200xf32>\n  \
                 %2 = janus.add %0, %1 : tensor<200xf32>\n  \
                 janus.return %2 : tensor<200xf32>\n}}"
            ))
        };
        assert!(graph("2.0", 0, "") == graph("2.0", 0, "\n\n  "));
        assert!(graph("2.0", 0, "") != graph("2.0000002", 0, ""));
        assert!(graph("2.0", 0, "") != graph("2.0", 1, ""));
    }
}
