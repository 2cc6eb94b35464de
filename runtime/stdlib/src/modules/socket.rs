//! `_sockets` and `select`: the system's sockets, by descriptor.
//!
//! In: descriptors and addresses as Python writes them. Out: what the system answers; errors as OSError. Always: what
//! waits is given up for an interrupt, and is otherwise taken up again when a signal came between.

use std::io::Error;
use std::mem::{size_of, zeroed};

use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, ops};

use super::descriptors::retried;
use super::socket_messages;
use crate::support::{bytes_like, float, int, module};

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("_sockets.open", open),
    NativeDef::function("_sockets.pair", pair),
    NativeDef::function("_sockets.close", |vm, args| {
        let [fd] = args.exactly("close")?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: closing a number is safe; whose it is, the script answers for.
        checked(unsafe { libc::close(fd) })?;
        Ok(Value::None)
    }),
    NativeDef::function("_sockets.duplicate", |vm, args| {
        let [fd] = args.exactly("dup")?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: no memory is involved.
        number(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 0) })
    }),
    NativeDef::function("_sockets.bind", |vm, args| {
        let [fd, family, address] = args.exactly("bind")?;
        let to = Address::of(vm, family, address)?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: the address and its length belong together.
        checked(unsafe { libc::bind(fd, to.pointer(), to.length) })?;
        Ok(Value::None)
    }),
    NativeDef::function("_sockets.connect", |vm, args| {
        let [fd, family, address] = args.exactly("connect")?;
        let to = Address::of(vm, family, address)?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: the address and its length belong together.
        let failed = unsafe { libc::connect(fd, to.pointer(), to.length) } < 0;
        // The number is what `connect_ex` gives.
        let errno = Error::last_os_error().raw_os_error().unwrap_or(0);
        Ok(Value::Int(if failed { i64::from(errno) } else { 0 }))
    }),
    NativeDef::function("_sockets.listen", |vm, args| {
        let [fd, backlog] = args.exactly("listen")?;
        let (fd, backlog) = (descriptor(vm, fd)?, descriptor(vm, backlog)?);
        // SAFETY: no memory is involved.
        checked(unsafe { libc::listen(fd, backlog) })?;
        Ok(Value::None)
    }),
    NativeDef::function("_sockets.accept", |vm, args| {
        let [fd] = args.exactly("accept")?;
        let fd = descriptor(vm, fd)?;
        let mut from = Address::empty();
        let made = retried(vm, || {
            // SAFETY: the address has room for its length.
            let made = unsafe {
                libc::accept4(
                    fd,
                    from.pointer_mut(),
                    &raw mut from.length,
                    libc::SOCK_CLOEXEC,
                )
            };
            made as isize
        })?;
        Ok(Value::tuple(vec![Value::Int(made as i64), from.value()]))
    }),
    NativeDef::function("_sockets.name", |vm, args| {
        name_of(vm, args, libc::getsockname)
    }),
    NativeDef::function("_sockets.peer", |vm, args| {
        name_of(vm, args, libc::getpeername)
    }),
    NativeDef::function("_sockets.receive", receive),
    NativeDef::function("_sockets.send", send),
    NativeDef::function("_sockets.send_message", socket_messages::send),
    NativeDef::function("_sockets.receive_message", socket_messages::receive),
    NativeDef::function("_sockets.message_length", socket_messages::length),
    NativeDef::function("_sockets.shutdown", |vm, args| {
        let [fd, how] = args.exactly("shutdown")?;
        let (fd, how) = (descriptor(vm, fd)?, descriptor(vm, how)?);
        // SAFETY: no memory is involved.
        checked(unsafe { libc::shutdown(fd, how) })?;
        Ok(Value::None)
    }),
    NativeDef::function("_sockets.option", option),
    NativeDef::function("_sockets.set_option", set_option),
    NativeDef::function("_sockets.set_blocking", |vm, args| {
        let [fd, blocking] = args.exactly("set_blocking")?;
        let (fd, blocking) = (descriptor(vm, fd)?, ops::truth(vm, blocking)?);
        // SAFETY: no memory is involved.
        let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
        checked(flags)?;
        let flags = if blocking {
            flags & !libc::O_NONBLOCK
        } else {
            flags | libc::O_NONBLOCK
        };
        // SAFETY: no memory is involved.
        checked(unsafe { libc::fcntl(fd, libc::F_SETFL, flags) })?;
        Ok(Value::None)
    }),
    NativeDef::function("_sockets.addresses", addresses),
    NativeDef::function("_sockets.poll", poll),
];

/// The constants of `socket` that scripts use.
const CONSTANTS: &[(&str, i32)] = &[
    ("AF_UNSPEC", libc::AF_UNSPEC),
    ("AF_PACKET", libc::AF_PACKET),
    ("AF_UNIX", libc::AF_UNIX),
    ("AF_INET", libc::AF_INET),
    ("AF_INET6", libc::AF_INET6),
    ("SOCK_STREAM", libc::SOCK_STREAM),
    ("SOCK_DGRAM", libc::SOCK_DGRAM),
    ("SOCK_RAW", libc::SOCK_RAW),
    ("SOCK_SEQPACKET", libc::SOCK_SEQPACKET),
    ("SOCK_NONBLOCK", libc::SOCK_NONBLOCK),
    ("SOCK_CLOEXEC", libc::SOCK_CLOEXEC),
    ("SOL_SOCKET", libc::SOL_SOCKET),
    ("SO_REUSEADDR", libc::SO_REUSEADDR),
    ("SO_REUSEPORT", libc::SO_REUSEPORT),
    ("SO_KEEPALIVE", libc::SO_KEEPALIVE),
    ("SO_BROADCAST", libc::SO_BROADCAST),
    ("SO_ERROR", libc::SO_ERROR),
    ("SO_TYPE", libc::SO_TYPE),
    ("SO_LINGER", libc::SO_LINGER),
    ("SO_RCVBUF", libc::SO_RCVBUF),
    ("SO_SNDBUF", libc::SO_SNDBUF),
    ("SOMAXCONN", libc::SOMAXCONN),
    ("IPPROTO_IP", libc::IPPROTO_IP),
    ("IPPROTO_TCP", libc::IPPROTO_TCP),
    ("IPPROTO_UDP", libc::IPPROTO_UDP),
    ("IPPROTO_IPV6", libc::IPPROTO_IPV6),
    ("IPV6_V6ONLY", libc::IPV6_V6ONLY),
    ("TCP_NODELAY", libc::TCP_NODELAY),
    ("SHUT_RD", libc::SHUT_RD),
    ("SHUT_WR", libc::SHUT_WR),
    ("SHUT_RDWR", libc::SHUT_RDWR),
    ("MSG_PEEK", libc::MSG_PEEK),
    ("MSG_WAITALL", libc::MSG_WAITALL),
    ("MSG_DONTWAIT", libc::MSG_DONTWAIT),
    ("MSG_NOSIGNAL", libc::MSG_NOSIGNAL),
    ("MSG_OOB", libc::MSG_OOB),
    ("MSG_TRUNC", libc::MSG_TRUNC),
    ("MSG_CTRUNC", libc::MSG_CTRUNC),
    ("MSG_EOR", libc::MSG_EOR),
    ("MSG_CMSG_CLOEXEC", libc::MSG_CMSG_CLOEXEC),
    ("SCM_RIGHTS", libc::SCM_RIGHTS),
    ("SCM_CREDENTIALS", libc::SCM_CREDENTIALS),
    ("AI_PASSIVE", libc::AI_PASSIVE),
    ("AI_CANONNAME", libc::AI_CANONNAME),
    ("AI_NUMERICHOST", libc::AI_NUMERICHOST),
    ("AI_NUMERICSERV", libc::AI_NUMERICSERV),
    ("AI_ADDRCONFIG", libc::AI_ADDRCONFIG),
    ("EAI_AGAIN", libc::EAI_AGAIN),
    ("EAI_FAIL", libc::EAI_FAIL),
    ("EAI_FAMILY", libc::EAI_FAMILY),
    ("EAI_NODATA", libc::EAI_NODATA),
    ("EAI_NONAME", libc::EAI_NONAME),
    ("EAI_SERVICE", libc::EAI_SERVICE),
    ("EAI_SOCKTYPE", libc::EAI_SOCKTYPE),
];

/// Makes `_sockets`.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("_sockets", "", FUNCTIONS);
    let constants = CONSTANTS
        .iter()
        .map(|(name, value)| Value::tuple(vec![Value::str(*name), Value::Int(i64::from(*value))]));
    m.set("constants", Value::tuple(constants.collect::<Vec<_>>()));
    Ok(Value::Module(m))
}

/// An address with room for any.
pub(super) struct Address {
    room: libc::sockaddr_storage,
    pub(super) length: libc::socklen_t,
}

impl Address {
    pub(super) fn empty() -> Address {
        Address {
            // SAFETY: all zeros is a valid value of this plain struct.
            room: unsafe { zeroed() },
            length: size_of::<libc::sockaddr_storage>() as libc::socklen_t,
        }
    }

    fn pointer(&self) -> *const libc::sockaddr {
        (&raw const self.room).cast()
    }

    pub(super) fn pointer_mut(&mut self) -> *mut libc::sockaddr {
        (&raw mut self.room).cast()
    }

    /// Puts an address of a family in; all of them fit.
    fn put<T>(&mut self, address: T) {
        debug_assert!(size_of::<T>() <= size_of::<libc::sockaddr_storage>());
        // SAFETY: the room is as large as any address and aligned for all of them.
        unsafe { (&raw mut self.room).cast::<T>().write(address) };
        self.length = size_of::<T>() as libc::socklen_t;
    }

    /// Of what Python writes: a tuple with host and port, or a path.
    pub(super) fn of(vm: &mut dyn Vm, family: &Value, address: &Value) -> PyResult<Address> {
        let family = descriptor(vm, family)?;
        let mut made = Address::empty();
        if family == libc::AF_UNIX {
            let path = match address.as_str() {
                Some(text) => text.as_bytes().to_vec(),
                None => bytes_like(address)?,
            };
            // SAFETY: all zeros is a valid value of this plain struct.
            let mut unix: libc::sockaddr_un = unsafe { zeroed() };
            if path.len() >= unix.sun_path.len() {
                return Err(Raised::new(
                    janus_object::ExcKind::OSError,
                    "AF_UNIX path too long",
                ));
            }
            unix.sun_family = libc::AF_UNIX as libc::sa_family_t;
            for (to, from) in unix.sun_path.iter_mut().zip(&path) {
                *to = *from as libc::c_char;
            }
            made.put(unix);
            let start = size_of::<libc::sa_family_t>();
            let end = usize::from(path.first().is_some_and(|first| *first != 0));
            made.length = (start + path.len() + end) as libc::socklen_t;
            return Ok(made);
        }
        let kind = if family == libc::AF_INET6 {
            "AF_INET6"
        } else {
            "AF_INET"
        };
        let Some(parts) = address.as_tuple() else {
            return Err(Raised::type_error(format!(
                "{kind} address must be tuple, not {}",
                address.type_name()
            )));
        };
        let (Some(host), Some(port)) = (parts.items.first(), parts.items.get(1)) else {
            return Err(Raised::type_error(format!(
                "{kind} address must be a pair (host, port)"
            )));
        };
        let port = int(vm, port)?;
        let Ok(port) = u16::try_from(port) else {
            return Err(Raised::overflow_error("port must be 0-65535."));
        };
        let host = crate::support::string(host, "host")?;
        let host = match host {
            "" if family == libc::AF_INET6 => "::",
            "" => "0.0.0.0",
            "<broadcast>" => "255.255.255.255",
            other => other,
        };
        match family {
            libc::AF_INET => {
                let ip: std::net::Ipv4Addr = match host.parse() {
                    Ok(ip) => ip,
                    Err(_) => match resolved(host, family)? {
                        std::net::IpAddr::V4(ip) => ip,
                        std::net::IpAddr::V6(_) => return Err(unknown_host()),
                    },
                };
                // SAFETY: all zeros is a valid value of this plain struct.
                let mut inet: libc::sockaddr_in = unsafe { zeroed() };
                inet.sin_family = libc::AF_INET as libc::sa_family_t;
                inet.sin_port = port.to_be();
                inet.sin_addr.s_addr = u32::from_ne_bytes(ip.octets());
                made.put(inet);
            }
            libc::AF_INET6 => {
                let ip: std::net::Ipv6Addr = match host.parse() {
                    Ok(ip) => ip,
                    Err(_) => match resolved(host, family)? {
                        std::net::IpAddr::V6(ip) => ip,
                        std::net::IpAddr::V4(_) => return Err(unknown_host()),
                    },
                };
                let mut further = [0u32; 2];
                for (to, from) in further.iter_mut().zip(parts.items.iter().skip(2)) {
                    *to = u32::try_from(int(vm, from)?).unwrap_or(0);
                }
                // SAFETY: all zeros is a valid value of this plain struct.
                let mut inet: libc::sockaddr_in6 = unsafe { zeroed() };
                inet.sin6_family = libc::AF_INET6 as libc::sa_family_t;
                inet.sin6_port = port.to_be();
                inet.sin6_flowinfo = further[0].to_be();
                inet.sin6_scope_id = further[1];
                inet.sin6_addr.s6_addr = ip.octets();
                made.put(inet);
            }
            _ => {
                return Err(crate::support::unsupported(format!(
                    "socket: address family {family} is not implemented in janus-jit yet"
                )));
            }
        }
        Ok(made)
    }

    /// As Python writes it.
    pub(super) fn value(&self) -> Value {
        match i32::from(self.room.ss_family) {
            libc::AF_INET => {
                // SAFETY: the family says that this is what is there.
                let inet: libc::sockaddr_in =
                    unsafe { (&raw const self.room).cast::<libc::sockaddr_in>().read() };
                let ip = std::net::Ipv4Addr::from(inet.sin_addr.s_addr.to_ne_bytes());
                let port = u16::from_be(inet.sin_port);
                Value::tuple(vec![
                    Value::str(ip.to_string()),
                    Value::Int(i64::from(port)),
                ])
            }
            libc::AF_INET6 => {
                // SAFETY: the family says that this is what is there.
                let inet: libc::sockaddr_in6 =
                    unsafe { (&raw const self.room).cast::<libc::sockaddr_in6>().read() };
                let ip = std::net::Ipv6Addr::from(inet.sin6_addr.s6_addr);
                Value::tuple(vec![
                    Value::str(ip.to_string()),
                    Value::Int(i64::from(u16::from_be(inet.sin6_port))),
                    Value::Int(i64::from(u32::from_be(inet.sin6_flowinfo))),
                    Value::Int(i64::from(inet.sin6_scope_id)),
                ])
            }
            libc::AF_UNIX => {
                // SAFETY: the family says that this is what is there.
                let unix: libc::sockaddr_un =
                    unsafe { (&raw const self.room).cast::<libc::sockaddr_un>().read() };
                let start = size_of::<libc::sa_family_t>();
                let length = (self.length as usize).saturating_sub(start);
                let bytes: Vec<u8> = unix
                    .sun_path
                    .iter()
                    .take(length)
                    .map(|c| *c as u8)
                    .collect();
                if bytes.first() == Some(&0) {
                    return Value::bytes(bytes);
                }
                let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                Value::str(String::from_utf8_lossy(&bytes[..end]))
            }
            _ => Value::None,
        }
    }
}

fn unknown_host() -> Raised {
    Raised::os_error(
        i64::from(libc::EAI_NONAME),
        "Name or service not known",
        None,
    )
}

/// The first address of a host that is of a family.
fn resolved(host: &str, family: i32) -> PyResult<std::net::IpAddr> {
    use std::net::ToSocketAddrs;
    let found = (host, 0).to_socket_addrs().map_err(|_| unknown_host())?;
    let mut fit = found
        .map(|a| a.ip())
        .filter(|ip| ip.is_ipv4() == (family == libc::AF_INET));
    fit.next().ok_or_else(unknown_host)
}

pub(super) fn descriptor(vm: &mut dyn Vm, value: &Value) -> PyResult<i32> {
    i32::try_from(int(vm, value)?)
        .map_err(|_| Raised::overflow_error("Python int too large to convert to C int"))
}

/// An OSError where the system said -1.
fn checked(result: i32) -> PyResult<()> {
    if result < 0 {
        return Err(Raised::io_error(&Error::last_os_error(), None));
    }
    Ok(())
}

fn number(result: i32) -> PyResult {
    checked(result)?;
    Ok(Value::Int(i64::from(result)))
}

fn open(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [family, kind, protocol] = args.exactly("socket")?;
    let (family, kind, protocol) = (
        descriptor(vm, family)?,
        descriptor(vm, kind)?,
        descriptor(vm, protocol)?,
    );
    // SAFETY: no memory is involved.
    number(unsafe { libc::socket(family, kind | libc::SOCK_CLOEXEC, protocol) })
}

fn pair(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [family, kind, protocol] = args.exactly("socketpair")?;
    let (family, kind, protocol) = (
        descriptor(vm, family)?,
        descriptor(vm, kind)?,
        descriptor(vm, protocol)?,
    );
    let mut made = [0i32; 2];
    // SAFETY: there is room for two descriptors.
    checked(unsafe {
        libc::socketpair(
            family,
            kind | libc::SOCK_CLOEXEC,
            protocol,
            made.as_mut_ptr(),
        )
    })?;
    Ok(Value::tuple(
        made.map(|fd| Value::Int(i64::from(fd))).to_vec(),
    ))
}

fn name_of(
    vm: &mut dyn Vm,
    args: Args<'_>,
    ask: unsafe extern "C" fn(i32, *mut libc::sockaddr, *mut libc::socklen_t) -> i32,
) -> PyResult {
    let [fd] = args.exactly("getsockname")?;
    let fd = descriptor(vm, fd)?;
    let mut found = Address::empty();
    // SAFETY: the address has room for its length.
    checked(unsafe { ask(fd, found.pointer_mut(), &raw mut found.length) })?;
    Ok(found.value())
}

/// So many zeros, or a MemoryError.
pub(super) fn room<T: Clone + Default>(len: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    room.try_reserve_exact(len)
        .map_err(|_| Raised::memory_error())?;
    room.resize(len, T::default());
    Ok(room)
}

/// `receive(fd, size, flags)`: bytes and from whom.
fn receive(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [fd, size, flags] = args.exactly("recv")?;
    let (fd, flags) = (descriptor(vm, fd)?, descriptor(vm, flags)?);
    let Ok(size) = usize::try_from(int(vm, size)?) else {
        return Err(Raised::value_error("negative buffersize in recv"));
    };
    let mut data = room::<u8>(size)?;
    let mut from = Address::empty();
    let got = retried(vm, || {
        // SAFETY: the buffer and the address have room for their lengths.
        unsafe {
            libc::recvfrom(
                fd,
                data.as_mut_ptr().cast(),
                data.len(),
                flags,
                from.pointer_mut(),
                &raw mut from.length,
            )
        }
    })?;
    data.truncate(got as usize);
    let from = if from.length == 0 {
        Value::None
    } else {
        from.value()
    };
    Ok(Value::tuple(vec![Value::bytes(data), from]))
}

/// `send(fd, data, flags)` and `send(fd, data, flags, family, address)`: how many bytes went.
fn send(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("send", 3, 5)?;
    let (fd, data, flags) = (
        descriptor(vm, &given[0])?,
        bytes_like(&given[1])?,
        descriptor(vm, &given[2])?,
    );
    let to = match given.get(3..5) {
        Some([family, address]) => Some(Address::of(vm, family, address)?),
        _ => None,
    };
    let sent = retried(vm, || {
        let (pointer, length) = to
            .as_ref()
            .map_or((std::ptr::null(), 0), |to| (to.pointer(), to.length));
        // A closed peer is an error, not a signal.
        let flags = flags | libc::MSG_NOSIGNAL;
        // SAFETY: the data and the address are as long as said.
        unsafe { libc::sendto(fd, data.as_ptr().cast(), data.len(), flags, pointer, length) }
    })?;
    Ok(Value::Int(sent as i64))
}

/// `option(fd, level, option[, size])`: an int, or with a size bytes.
fn option(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("getsockopt", 3, 4)?;
    let (fd, level, which) = (
        descriptor(vm, &given[0])?,
        descriptor(vm, &given[1])?,
        descriptor(vm, &given[2])?,
    );
    let size = given.get(3).map_or(Ok(0), |v| int(vm, v))?;
    let size = usize::try_from(size).ok().filter(|s| *s <= 1024);
    let Some(size) = size else {
        return Err(Raised::new(
            janus_object::ExcKind::OSError,
            "getsockopt buflen out of range",
        ));
    };
    let mut data = vec![0u8; if size == 0 { 4 } else { size }];
    let mut length = data.len() as libc::socklen_t;
    // SAFETY: the buffer has room for its length.
    checked(unsafe {
        libc::getsockopt(fd, level, which, data.as_mut_ptr().cast(), &raw mut length)
    })?;
    data.truncate(length as usize);
    if size != 0 {
        return Ok(Value::bytes(data));
    }
    let mut bytes = [0u8; 4];
    for (to, from) in bytes.iter_mut().zip(&data) {
        *to = *from;
    }
    Ok(Value::Int(i64::from(i32::from_ne_bytes(bytes))))
}

fn set_option(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [fd, level, which, value] = args.exactly("setsockopt")?;
    let (fd, level, which) = (
        descriptor(vm, fd)?,
        descriptor(vm, level)?,
        descriptor(vm, which)?,
    );
    let data = if value.as_bytes().is_some() {
        bytes_like(value)?
    } else {
        descriptor(vm, value)?.to_ne_bytes().to_vec()
    };
    // SAFETY: the data is as long as said.
    checked(unsafe {
        libc::setsockopt(
            fd,
            level,
            which,
            data.as_ptr().cast(),
            data.len() as libc::socklen_t,
        )
    })?;
    Ok(Value::None)
}

/// `addresses(host, port)`: the addresses of a host as (family, address).
fn addresses(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    use std::net::ToSocketAddrs;
    let [host, port] = args.exactly("getaddrinfo")?;
    let host = crate::support::string(host, "host")?;
    let port = u16::try_from(int(vm, port)?).unwrap_or(0);
    let found = (host, port).to_socket_addrs().map_err(|_| unknown_host())?;
    let rows = found.map(|address| {
        let (ip, port) = (address.ip().to_string(), i64::from(address.port()));
        let mut parts = vec![Value::str(ip), Value::Int(port)];
        let family = if address.is_ipv6() {
            parts.extend([Value::Int(0), Value::Int(0)]);
            libc::AF_INET6
        } else {
            libc::AF_INET
        };
        Value::tuple(vec![Value::Int(i64::from(family)), Value::tuple(parts)])
    });
    Ok(Value::list(rows.collect()))
}

/// `poll([(fd, events), ...], seconds or None)`: those with events that came.
fn poll(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [wanted, timeout] = args.exactly("poll")?;
    let mut waiting = Vec::new();
    for item in ops::collect(vm, wanted)? {
        let pair = ops::collect(vm, &item)?;
        let [fd, events] = &pair[..] else {
            return Err(Raised::type_error("poll: pairs are required"));
        };
        waiting.push(libc::pollfd {
            fd: descriptor(vm, fd)?,
            events: descriptor(vm, events)? as i16,
            revents: 0,
        });
    }
    let end = if timeout.is_none() {
        None
    } else {
        let seconds = float(vm, timeout)?.max(0.0);
        let wait = std::time::Duration::try_from_secs_f64(seconds)
            .map_err(|_| Raised::overflow_error("timeout is too large"))?;
        Some(std::time::Instant::now() + wait)
    };
    retried(vm, || {
        let left = end.map_or(-1, |end| {
            let left = end.saturating_duration_since(std::time::Instant::now());
            i32::try_from(left.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX)
        });
        // SAFETY: the list is as long as said.
        let came = unsafe { libc::poll(waiting.as_mut_ptr(), waiting.len() as libc::nfds_t, left) };
        came as isize
    })?;
    let came = waiting.iter().filter(|w| w.revents != 0).map(|w| {
        Value::tuple(vec![
            Value::Int(i64::from(w.fd)),
            Value::Int(i64::from(w.revents)),
        ])
    });
    Ok(Value::list(came.collect()))
}
