//! Engines in libraries of their own.
//!
//! In: the name of an engine. Out: its communicators, behind the C functions of `engines/engine.h`. Always: a library is
//! opened when it is first asked for, and stays.

use std::ffi::{CStr, c_char, c_void};
use std::path::PathBuf;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::engine::{Block, Call, Communicator, EngineError, Transfer};

/// `JANUS_ENGINE_VERSION`
const VERSION: u32 = 1;

/// Where libraries of engines are looked for besides the program's own directory.
pub const PATH_VARIABLE: &str = "JANUS_ENGINES";

type Handle = *mut c_void;
type Error = *mut *mut c_char;

/// `janus_engine`
#[repr(C)]
struct Table {
    version: u32,
    name: *const c_char,
    create: unsafe extern "C" fn(i32, i32, i64, *mut *mut u8, *mut usize, Error) -> Handle,
    connect: unsafe extern "C" fn(Handle, *const *const u8, *const usize, Error) -> i32,
    close: unsafe extern "C" fn(Handle),
    destroy: unsafe extern "C" fn(Handle),
    all_reduce: unsafe extern "C" fn(Handle, *mut u8, usize, i32, i32, i64, Error) -> i32,
    reduce: unsafe extern "C" fn(Handle, *mut u8, usize, i32, i32, i32, i64, Error) -> i32,
    broadcast: unsafe extern "C" fn(Handle, *mut u8, usize, i32, i64, Error) -> i32,
    all_gather: unsafe extern "C" fn(Handle, *const u8, usize, *mut u8, i64, Error) -> i32,
    gather: unsafe extern "C" fn(Handle, *const u8, usize, *mut u8, i32, i64, Error) -> i32,
    scatter: unsafe extern "C" fn(Handle, *const u8, *mut u8, usize, i32, i64, Error) -> i32,
    all_to_all:
        unsafe extern "C" fn(Handle, *const u8, *const i64, *mut u8, *const i64, i64, Error) -> i32,
    barrier: unsafe extern "C" fn(Handle, i64, Error) -> i32,
    send: unsafe extern "C" fn(Handle, *const u8, usize, i32, u32, Error) -> Handle,
    receive: unsafe extern "C" fn(Handle, *mut u8, usize, i32, u32, Error) -> Handle,
    wait: unsafe extern "C" fn(Handle, *mut i32, Error) -> i32,
    cancel: unsafe extern "C" fn(Handle),
    forget: unsafe extern "C" fn(Handle),
    release: unsafe extern "C" fn(*mut c_void),
}

/// A library that was opened.
#[derive(Clone, Copy)]
pub struct Plugin(&'static Table);

// SAFETY: the table is constant, and `engine.h` asks of its functions that any thread may call them.
unsafe impl Send for Plugin {}
// SAFETY: as above.
unsafe impl Sync for Plugin {}

/// Engines there may be, each with the Debian package that it takes.
pub const ENGINES: &[(&str, &str)] = &[("gloo", "libgloo-dev")];

/// Where a library may lie.
fn places(name: &str) -> Vec<PathBuf> {
    let file = format!("libjanus_{name}.so");
    let given = std::env::var_os(PATH_VARIABLE).unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&given)
        .filter(|path| !path.as_os_str().is_empty())
        .collect();
    if let Ok(own) = std::env::current_exe()
        && let Some(folder) = own.parent()
    {
        places.push(folder.to_owned());
        places.push(folder.join("../lib/janus-jit"));
        // Tests are programs in a folder below.
        places.extend(folder.parent().map(PathBuf::from));
    }
    places.into_iter().map(|place| place.join(&file)).collect()
}

/// Opens an engine's library; where that fails, the error says what to do.
pub fn load(name: &str) -> Result<Plugin, EngineError> {
    static OPENED: Mutex<Vec<(String, Plugin)>> = Mutex::new(Vec::new());
    // Nothing in here panics while it is locked.
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, plugin)) = opened.iter().find(|(known, _)| known == name) {
        return Ok(*plugin);
    }
    let package = ENGINES.iter().find(|(known, _)| *known == name);
    let Some((_, package)) = package else {
        return Err(EngineError::Absent(format!(
            "the engine '{name}' is not implemented in janus-jit yet"
        )));
    };
    let places = places(name);
    let Some(path) = places.iter().find(|place| place.is_file()) else {
        return Err(EngineError::Absent(format!(
            "the engine '{name}' was not built: install its package (sudo apt-get install {package}) and build again \
             (cargo xtask build), or name the folder of libjanus_{name}.so in {PATH_VARIABLE}"
        )));
    };
    let plugin = open(path).map_err(|why| {
        EngineError::Absent(format!(
            "the engine '{name}' cannot be loaded from {}: {why} (sudo apt-get install {package})",
            path.display()
        ))
    })?;
    opened.push((name.to_owned(), plugin));
    Ok(plugin)
}

fn open(path: &PathBuf) -> Result<Plugin, String> {
    // SAFETY: the library is one of ours, whose initialisers only set up its own data.
    let library = unsafe { libloading::Library::new(path) }.map_err(|e| e.to_string())?;
    // SAFETY: `engine.h` declares the symbol with this type.
    let table = unsafe {
        let find = library.get::<unsafe extern "C" fn() -> *const Table>(b"janus_engine_table\0");
        (find.map_err(|e| e.to_string())?)()
    };
    // It is never closed: threads of the engine may run in it until the process ends.
    std::mem::forget(library);
    // SAFETY: the function gives a table that is never freed.
    let table = unsafe { table.as_ref() }.ok_or("no table of functions")?;
    if table.version != VERSION {
        return Err(format!(
            "it was built for version {} of the interface, and this is {VERSION}",
            table.version
        ));
    }
    Ok(Plugin(table))
}

impl Plugin {
    /// The engine's own name.
    #[must_use]
    pub fn name(self) -> String {
        // SAFETY: a constant of the library that ends with a zero.
        unsafe { CStr::from_ptr(self.0.name) }
            .to_string_lossy()
            .into_owned()
    }

    fn error(self, text: *mut c_char) -> EngineError {
        if text.is_null() {
            return EngineError::Failed("the engine failed without a message".to_owned());
        }
        // SAFETY: the engine's message ends with a zero, is ours, and is not used afterwards.
        let message = unsafe {
            let message = CStr::from_ptr(text).to_string_lossy().into_owned();
            (self.0.release)(text.cast());
            message
        };
        EngineError::Failed(message)
    }

    fn checked(self, f: impl FnOnce(Error) -> i32) -> Result<(), EngineError> {
        let mut error = std::ptr::null_mut();
        match f(&raw mut error) {
            0 => Ok(()),
            _ => Err(self.error(error)),
        }
    }

    fn made(self, f: impl FnOnce(Error) -> Handle) -> Result<NonNull<c_void>, EngineError> {
        let mut error = std::ptr::null_mut();
        NonNull::new(f(&raw mut error)).ok_or_else(|| self.error(error))
    }
}

/// A communicator, and what the others need to connect to it.
pub struct Unconnected {
    ours: Ours,
    address: Vec<u8>,
}

impl Unconnected {
    /// Makes this rank's end.
    pub fn new(
        plugin: Plugin,
        rank: i32,
        size: i32,
        timeout: Duration,
    ) -> Result<Unconnected, EngineError> {
        let (mut address, mut length) = (std::ptr::null_mut(), 0);
        let timeout = millis(timeout);
        let handle = plugin.made(|error| {
            // SAFETY: the pointers are to room for what they are for.
            unsafe {
                (plugin.0.create)(
                    rank,
                    size,
                    timeout,
                    &raw mut address,
                    &raw mut length,
                    error,
                )
            }
        })?;
        // SAFETY: the engine made so many bytes, which are ours and not used afterwards.
        let bytes = unsafe {
            let bytes = std::slice::from_raw_parts(address, length).to_vec();
            (plugin.0.release)(address.cast());
            bytes
        };
        Ok(Unconnected {
            ours: Ours {
                plugin,
                handle,
                size: usize::try_from(size).unwrap_or(0),
            },
            address: bytes,
        })
    }

    /// What the others need.
    #[must_use]
    pub fn address(&self) -> &[u8] {
        &self.address
    }

    /// Connects to the others, whose addresses these are, by rank.
    pub fn connect(self, addresses: &[Vec<u8>]) -> Result<Arc<dyn Communicator>, EngineError> {
        if addresses.len() != self.ours.size {
            let wrong = "an address of each rank is needed".to_owned();
            return Err(EngineError::Failed(wrong));
        }
        let pointers: Vec<*const u8> = addresses.iter().map(|a| a.as_ptr()).collect();
        let lengths: Vec<usize> = addresses.iter().map(Vec::len).collect();
        let ours = &self.ours;
        // SAFETY: there are as many addresses as ranks, each as long as said.
        ours.plugin.checked(|error| unsafe {
            (ours.plugin.0.connect)(ours.at(), pointers.as_ptr(), lengths.as_ptr(), error)
        })?;
        Ok(Arc::new(Connected(Arc::new(self.ours))))
    }
}

/// A communicator of a library.
struct Ours {
    plugin: Plugin,
    handle: NonNull<c_void>,
    /// How many ranks the group has.
    size: usize,
}

// SAFETY: `engine.h` says which functions any thread may call; collectives are left to one (`Communicator::run`).
unsafe impl Send for Ours {}
// SAFETY: as above.
unsafe impl Sync for Ours {}

impl Ours {
    fn at(&self) -> Handle {
        self.handle.as_ptr()
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        // SAFETY: nobody else has the communicator any more.
        unsafe { (self.plugin.0.destroy)(self.at()) }
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// A communicator is shared with its transfers, which must end before it.
struct Connected(Arc<Ours>);

/// Whether the parts of a call have the sizes that go with one another in a group of so many.
fn fits(call: &mut Call, ranks: usize) -> bool {
    let part = |part: usize, whole: usize| part.checked_mul(ranks) == Some(whole);
    let adds_up = |bytes: &[i64], whole: usize| {
        let sum = bytes.iter().try_fold(0usize, |sum, &bytes| {
            sum.checked_add(usize::try_from(bytes).ok()?)
        });
        bytes.len() == ranks && sum == Some(whole)
    };
    match call {
        Call::AllReduce { data, element, .. } | Call::Reduce { data, element, .. } => {
            data.bytes().len() % element.size() == 0
        }
        Call::Broadcast { .. } | Call::Barrier => true,
        Call::AllGather { input, output } => part(input.bytes().len(), output.bytes().len()),
        Call::Gather { input, output, .. } => output
            .as_mut()
            .is_none_or(|output| part(input.bytes().len(), output.bytes().len())),
        Call::Scatter { input, output, .. } => input
            .as_mut()
            .is_none_or(|input| part(output.bytes().len(), input.bytes().len())),
        Call::AllToAll {
            input,
            input_bytes,
            output,
            output_bytes,
        } => {
            adds_up(input_bytes, input.bytes().len()) && adds_up(output_bytes, output.bytes().len())
        }
    }
}

impl Communicator for Connected {
    fn run(&self, call: &mut Call, timeout: Duration) -> Result<(), EngineError> {
        if !fits(call, self.0.size) {
            let wrong = "the parts of a collective do not fit together".to_owned();
            return Err(EngineError::Failed(wrong));
        }
        let (plugin, at, limit) = (self.0.plugin, self.0.at(), millis(timeout));
        let t = plugin.0;
        plugin.checked(|error| {
            // SAFETY: the memory of a call is exclusively its own while it runs, and its parts have the sizes that the
            // functions expect of one another (`fits`).
            unsafe {
                match call {
                    Call::AllReduce {
                        data,
                        element,
                        reduction,
                    } => {
                        let data = data.bytes();
                        let n = data.len() / element.size();
                        let kind = (*element as i32, *reduction as i32);
                        (t.all_reduce)(at, data.as_mut_ptr(), n, kind.0, kind.1, limit, error)
                    }
                    Call::Reduce {
                        data,
                        element,
                        reduction,
                        root,
                    } => {
                        let data = data.bytes();
                        let n = data.len() / element.size();
                        let kind = (*element as i32, *reduction as i32);
                        (t.reduce)(
                            at,
                            data.as_mut_ptr(),
                            n,
                            kind.0,
                            kind.1,
                            *root,
                            limit,
                            error,
                        )
                    }
                    Call::Broadcast { data, root } => {
                        let data = data.bytes();
                        (t.broadcast)(at, data.as_mut_ptr(), data.len(), *root, limit, error)
                    }
                    Call::AllGather { input, output } => {
                        let (input, output) = (input.bytes(), output.bytes());
                        let (from, to) = (input.as_ptr(), output.as_mut_ptr());
                        (t.all_gather)(at, from, input.len(), to, limit, error)
                    }
                    Call::Gather {
                        input,
                        output,
                        root,
                    } => {
                        let input = input.bytes();
                        let to = output
                            .as_mut()
                            .map_or(std::ptr::null_mut(), |o| o.bytes().as_mut_ptr());
                        (t.gather)(at, input.as_ptr(), input.len(), to, *root, limit, error)
                    }
                    Call::Scatter {
                        input,
                        output,
                        root,
                    } => {
                        let output = output.bytes();
                        let from = input
                            .as_mut()
                            .map_or(std::ptr::null(), |i| i.bytes().as_ptr());
                        let to = output.as_mut_ptr();
                        (t.scatter)(at, from, to, output.len(), *root, limit, error)
                    }
                    Call::AllToAll {
                        input,
                        input_bytes,
                        output,
                        output_bytes,
                    } => {
                        let (from, to) = (input.bytes().as_ptr(), output.bytes().as_mut_ptr());
                        let (sent, got) = (input_bytes.as_ptr(), output_bytes.as_ptr());
                        (t.all_to_all)(at, from, sent, to, got, limit, error)
                    }
                    Call::Barrier => (t.barrier)(at, limit, error),
                }
            }
        })
    }

    fn send(&self, mut data: Block, to: i32, tag: u32) -> Result<Arc<dyn Transfer>, EngineError> {
        let ours = &self.0;
        let bytes = data.bytes();
        // SAFETY: the bytes stay in place until the transfer is forgotten, which holds them.
        let handle = ours.plugin.made(|error| unsafe {
            (ours.plugin.0.send)(ours.at(), bytes.as_ptr(), bytes.len(), to, tag, error)
        })?;
        Ok(Arc::new(UnderWay::new(ours, handle, data)))
    }

    fn receive(
        &self,
        mut data: Block,
        from: i32,
        tag: u32,
    ) -> Result<Arc<dyn Transfer>, EngineError> {
        let ours = &self.0;
        let bytes = data.bytes();
        // SAFETY: as for `send`.
        let handle = ours.plugin.made(|error| unsafe {
            (ours.plugin.0.receive)(ours.at(), bytes.as_mut_ptr(), bytes.len(), from, tag, error)
        })?;
        Ok(Arc::new(UnderWay::new(ours, handle, data)))
    }

    fn close(&self) {
        // SAFETY: any thread may close a communicator that is there.
        unsafe { (self.0.plugin.0.close)(self.0.at()) }
    }
}

/// A transfer of a library.
struct UnderWay {
    ours: Arc<Ours>,
    handle: NonNull<c_void>,
    memory: Mutex<Option<Block>>,
}

// SAFETY: any thread may wait for a transfer or cancel it, says `engine.h`; its memory is behind a lock.
unsafe impl Send for UnderWay {}
// SAFETY: as above.
unsafe impl Sync for UnderWay {}

impl UnderWay {
    fn new(ours: &Arc<Ours>, handle: NonNull<c_void>, memory: Block) -> UnderWay {
        UnderWay {
            ours: ours.clone(),
            handle,
            memory: Mutex::new(Some(memory)),
        }
    }
}

impl Transfer for UnderWay {
    fn wait(&self) -> Result<i32, EngineError> {
        let plugin = self.ours.plugin;
        let mut peer = -1;
        // SAFETY: the transfer is there.
        plugin.checked(|error| unsafe {
            (plugin.0.wait)(self.handle.as_ptr(), &raw mut peer, error)
        })?;
        Ok(peer)
    }

    fn cancel(&self) {
        // SAFETY: the transfer is there.
        unsafe { (self.ours.plugin.0.cancel)(self.handle.as_ptr()) }
    }

    fn take(&self) -> Option<Block> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.take()
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        // SAFETY: nobody waits any more, since who waits holds the transfer. The memory goes after it.
        unsafe { (self.ours.plugin.0.forget)(self.handle.as_ptr()) }
    }
}
