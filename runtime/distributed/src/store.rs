//! A store of keys over TCP: one process serves, all others ask.
//!
//! In: keys and values. Out: what other processes put there. Always: a request is answered by one message; whoever waits
//! for a key does so at the server, for as long as the client says.

use std::collections::HashMap;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::wire::{self, GREETING};

/// What went wrong in a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The port cannot be listened at.
    #[error("{source}")]
    Listen {
        /// What the system said.
        source: io::Error,
    },
    /// The server did not answer in time.
    #[error("{source}")]
    Connect {
        /// What the system said last.
        source: io::Error,
    },
    /// Something else listens there.
    #[error("what listens at {0} is no store of janus-jit")]
    Stranger(String),
    /// The connection broke: the process that serves has ended, mostly.
    #[error("{0}")]
    Broken(#[from] io::Error),
    /// The server did not understand, or an answer was not understood.
    #[error("{0}")]
    Refused(String),
}

/// Requests.
#[derive(Clone, Copy)]
enum Op {
    Set = 1,
    Get,
    Add,
    Wait,
    Delete,
    CompareSet,
    Count,
    Append,
}

const OPS: [Op; 8] = [
    Op::Set,
    Op::Get,
    Op::Add,
    Op::Wait,
    Op::Delete,
    Op::CompareSet,
    Op::Count,
    Op::Append,
];

/// Answers: what was asked for, that there is none, and why it cannot be.
const YES: u8 = 1;
const NO: u8 = 0;
const ERROR: u8 = 2;

#[derive(Default)]
struct Shared {
    values: Mutex<HashMap<Vec<u8>, Vec<u8>>>,
    changed: Condvar,
    is_closed: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, HashMap<Vec<u8>, Vec<u8>>> {
        // Nothing in here panics while it is locked.
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, keys: &[Vec<u8>], limit: Duration) -> bool {
        let ends = Instant::now() + limit;
        let mut values = self.lock();
        loop {
            if keys.iter().all(|key| values.contains_key(key)) {
                return true;
            }
            let left = ends.saturating_duration_since(Instant::now());
            if left.is_zero() || self.is_closed.load(Ordering::SeqCst) {
                return false;
            }
            let waited = self.changed.wait_timeout(values, left);
            values = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn answer(&self, op: Op, fields: Vec<Vec<u8>>) -> Result<Option<Vec<u8>>, &'static str> {
        const WRONG: &str = "a request without its fields";
        let number = |bytes: &[u8]| std::str::from_utf8(bytes).ok()?.parse::<i64>().ok();
        match op {
            Op::Set => {
                let [key, value] = <[_; 2]>::try_from(fields).map_err(|_| WRONG)?;
                self.lock().insert(key, value);
                self.changed.notify_all();
                Ok(None)
            }
            Op::Get => {
                let [key] = <[_; 1]>::try_from(fields).map_err(|_| WRONG)?;
                Ok(self.lock().get(&key).cloned())
            }
            Op::Add => {
                let [key, by] = <[_; 2]>::try_from(fields).map_err(|_| WRONG)?;
                let by = number(&by).ok_or(WRONG)?;
                let mut values = self.lock();
                let before = match values.get(&key) {
                    Some(value) => number(value).ok_or("the value is no number")?,
                    None => 0,
                };
                let sum = before.wrapping_add(by).to_string().into_bytes();
                values.insert(key, sum.clone());
                drop(values);
                self.changed.notify_all();
                Ok(Some(sum))
            }
            Op::Wait => {
                let (limit, keys) = fields.split_first().ok_or(WRONG)?;
                let limit = number(limit).ok_or(WRONG)?;
                let limit = Duration::from_millis(limit.try_into().unwrap_or(0));
                Ok(self.wait(keys, limit).then(Vec::new))
            }
            Op::Delete => {
                let [key] = <[_; 1]>::try_from(fields).map_err(|_| WRONG)?;
                Ok(self.lock().remove(&key).map(|_| Vec::new()))
            }
            Op::CompareSet => {
                let [key, expected, desired] = <[_; 3]>::try_from(fields).map_err(|_| WRONG)?;
                let mut values = self.lock();
                let fits = match values.get(&key) {
                    Some(value) if *value != expected => return Ok(Some(value.clone())),
                    Some(_) => true,
                    None => expected.is_empty(),
                };
                if !fits {
                    return Ok(Some(expected));
                }
                values.insert(key, desired.clone());
                drop(values);
                self.changed.notify_all();
                Ok(Some(desired))
            }
            Op::Count => Ok(Some(self.lock().len().to_string().into_bytes())),
            Op::Append => {
                let [key, more] = <[_; 2]>::try_from(fields).map_err(|_| WRONG)?;
                self.lock().entry(key).or_default().extend(more);
                self.changed.notify_all();
                Ok(None)
            }
        }
    }

    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        use io::{Read as _, Write as _};
        stream.set_nodelay(true)?;
        let mut greeting = [0; GREETING.len()];
        stream.read_exact(&mut greeting)?;
        if greeting != *GREETING {
            return Ok(());
        }
        stream.write_all(GREETING)?;
        while !self.is_closed.load(Ordering::SeqCst) {
            let (kind, fields) = wire::read(&mut stream)?;
            let op = OPS.into_iter().find(|&op| op as u8 == kind);
            let answer = match op {
                Some(op) => self.answer(op, fields),
                None => Err("an unknown request"),
            };
            match answer {
                Ok(Some(value)) => wire::write(&mut stream, YES, &[&value])?,
                Ok(None) => wire::write(&mut stream, NO, &[])?,
                Err(why) => wire::write(&mut stream, ERROR, &[why.as_bytes()])?,
            }
        }
        Ok(())
    }
}

/// The process's own store, which others ask. It ends with this value.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Listens at a port of all addresses of this machine; 0 is any that is free.
    pub fn new(port: u16) -> Result<Server, StoreError> {
        let listen = |source| StoreError::Listen { source };
        let all = SocketAddr::from((std::net::Ipv6Addr::UNSPECIFIED, port));
        // Where there is no IPv6 there still is IPv4.
        let listener = match TcpListener::bind(all) {
            Err(e) if e.kind() != io::ErrorKind::AddrInUse => {
                TcpListener::bind((std::net::Ipv4Addr::UNSPECIFIED, port))
            }
            bound => bound,
        };
        let listener = listener.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let shared = Arc::new(Shared::default());
        let served = shared.clone();
        let accept = move || {
            for stream in listener.incoming() {
                if served.is_closed.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let shared = served.clone();
                // Where no thread can be started, the client sees its connection end; as it does after an error.
                let _ = std::thread::Builder::new()
                    .name("janus-store".to_owned())
                    .stack_size(256 << 10)
                    .spawn(move || shared.serve(stream));
            }
        };
        std::thread::Builder::new()
            .name("janus-store".to_owned())
            .spawn(accept)
            .map_err(listen)?;
        Ok(Server { address, shared })
    }

    /// Whether somebody put a value there.
    #[must_use]
    pub fn has(&self, key: &[u8]) -> bool {
        self.shared.lock().contains_key(key)
    }

    /// Where it listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::SeqCst);
        self.shared.changed.notify_all();
        // The thread that accepts looks after this connection whether it is still wanted.
        let own = (std::net::Ipv4Addr::LOCALHOST, self.address.port());
        if let Ok(stream) = TcpStream::connect(own) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// A connection to a store.
pub struct Client {
    stream: Mutex<TcpStream>,
}

impl Client {
    /// Tries for a while to connect; gives the last error otherwise.
    pub fn connect(host: &str, port: u16, limit: Duration) -> Result<Client, StoreError> {
        use io::{Read as _, Write as _};
        let connect = |source| StoreError::Connect { source };
        let addresses = (host, port).to_socket_addrs().map_err(connect)?;
        let mut failed = io::Error::from(io::ErrorKind::NotFound);
        for address in addresses {
            match TcpStream::connect_timeout(&address, limit.max(Duration::from_millis(1))) {
                Ok(mut stream) => {
                    stream.set_nodelay(true)?;
                    let mut greeting = [0; GREETING.len()];
                    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
                    stream.write_all(GREETING)?;
                    let greeted = stream.read_exact(&mut greeting);
                    if greeted.is_err() || greeting != *GREETING {
                        return Err(StoreError::Stranger(format!("{host}:{port}")));
                    }
                    stream.set_read_timeout(None)?;
                    return Ok(Client {
                        stream: Mutex::new(stream),
                    });
                }
                Err(e) => failed = e,
            }
        }
        Err(connect(failed))
    }

    fn ask(&self, op: Op, fields: &[&[u8]]) -> Result<Option<Vec<u8>>, StoreError> {
        // A connection whose user panicked would be out of step, but nothing panics in here.
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        wire::write(&mut *stream, op as u8, fields)?;
        let (kind, fields) = wire::read(&mut *stream)?;
        match kind {
            NO => Ok(None),
            YES => Ok(Some(fields.into_iter().next().unwrap_or_default())),
            _ => {
                let why = fields.into_iter().next().unwrap_or_default();
                Err(StoreError::Refused(
                    String::from_utf8_lossy(&why).into_owned(),
                ))
            }
        }
    }

    /// Puts a value.
    pub fn set(&self, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.ask(Op::Set, &[key, value]).map(drop)
    }

    /// A value that is there.
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.ask(Op::Get, &[key])
    }

    /// Counts up, from 0; gives the sum.
    pub fn add(&self, key: &[u8], by: i64) -> Result<i64, StoreError> {
        number(self.ask(Op::Add, &[key, by.to_string().as_bytes()])?)
    }

    /// Waits until all are there; whether they are.
    pub fn wait(&self, keys: &[Vec<u8>], limit: Duration) -> Result<bool, StoreError> {
        let limit = limit.as_millis().to_string();
        let mut fields: Vec<&[u8]> = vec![limit.as_bytes()];
        fields.extend(keys.iter().map(Vec::as_slice));
        Ok(self.ask(Op::Wait, &fields)?.is_some())
    }

    /// Removes a value; whether there was one.
    pub fn delete(&self, key: &[u8]) -> Result<bool, StoreError> {
        Ok(self.ask(Op::Delete, &[key])?.is_some())
    }

    /// Puts a value in the place of the expected one (none, if that is empty); gives the value that counts.
    pub fn compare_set(
        &self,
        key: &[u8],
        expected: &[u8],
        desired: &[u8],
    ) -> Result<Vec<u8>, StoreError> {
        let value = self.ask(Op::CompareSet, &[key, expected, desired])?;
        value.ok_or_else(|| StoreError::Refused("an answer without a value".to_owned()))
    }

    /// How many keys there are.
    pub fn count(&self) -> Result<i64, StoreError> {
        number(self.ask(Op::Count, &[])?)
    }

    /// Adds to the end of a value.
    pub fn append(&self, key: &[u8], more: &[u8]) -> Result<(), StoreError> {
        self.ask(Op::Append, &[key, more]).map(drop)
    }
}

fn number(answer: Option<Vec<u8>>) -> Result<i64, StoreError> {
    let text = answer.and_then(|bytes| String::from_utf8(bytes).ok());
    text.and_then(|text| text.parse().ok())
        .ok_or_else(|| StoreError::Refused("an answer without a number".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    #[test]
    fn clients_see_what_others_put_there() {
        let server = Server::new(0).unwrap();
        let client = || Client::connect("127.0.0.1", server.port(), LIMIT).unwrap();
        let (a, b) = (client(), client());
        assert_eq!(b.get(b"x").unwrap(), None);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| b.wait(&[b"x".to_vec(), b"n".to_vec()], LIMIT).unwrap());
            a.set(b"x", b"1").unwrap();
            assert_eq!(a.add(b"n", 3).unwrap(), 3);
            assert!(waits.join().unwrap());
        });
        assert_eq!(b.add(b"n", -1).unwrap(), 2);
        assert_eq!(b.get(b"x").unwrap(), Some(b"1".to_vec()));
        a.append(b"x", b"2").unwrap();
        assert_eq!(b.get(b"x").unwrap(), Some(b"12".to_vec()));
        assert!(matches!(a.add(b"word", 1), Ok(1)));
        a.set(b"word", b"w").unwrap();
        assert!(matches!(a.add(b"word", 1), Err(StoreError::Refused(_))));
        assert_eq!(a.compare_set(b"c", b"", b"1").unwrap(), b"1");
        assert_eq!(a.compare_set(b"c", b"2", b"3").unwrap(), b"1");
        assert_eq!(a.compare_set(b"c", b"1", b"4").unwrap(), b"4");
        assert_eq!(a.compare_set(b"none", b"5", b"6").unwrap(), b"5");
        assert_eq!(a.count().unwrap(), 4);
        assert!(server.has(b"x") && !server.has(b"y"));
        assert!(a.delete(b"x").unwrap() && !a.delete(b"x").unwrap());
        assert!(!a.wait(&[b"x".to_vec()], Duration::from_millis(20)).unwrap());
    }

    #[test]
    fn a_port_is_taken_once_and_strangers_are_told() {
        let server = Server::new(0).unwrap();
        assert!(matches!(
            Server::new(server.port()),
            Err(StoreError::Listen { .. })
        ));
        let port = server.port();
        drop(server);
        let gone = Client::connect("127.0.0.1", port, Duration::from_millis(200));
        assert!(gone.is_err());
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = other.local_addr().unwrap().port();
        let answers = std::thread::spawn(move || {
            use io::Write as _;
            let (mut stream, _) = other.accept().unwrap();
            stream.write_all(b"220 mail.example").unwrap();
        });
        let stranger = Client::connect("127.0.0.1", port, LIMIT);
        assert!(matches!(stranger, Err(StoreError::Stranger(_))));
        answers.join().unwrap();
    }
}
