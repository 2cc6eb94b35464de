//! Messages of sockets with ancillary data, such as descriptors for another process.
//!
//! In: descriptors, data, ancillary data as Python writes it. Out: what went and what came. Always: ancillary data is laid
//! out as cmsg(3) says, in words of the machine.

use std::mem::{size_of, zeroed};

use janus_object::{Args, PyResult, Raised, Value, Vm, ops};

use super::descriptors::retried;
use super::socket::{self, Address, descriptor};
use crate::support::{bytes_like, int};

const WORD: usize = size_of::<usize>();
/// Bytes of a header: its length, level and type.
const HEADER: usize = size_of::<libc::cmsghdr>();

/// Room that data of so many bytes takes, in words of the machine, with its header.
fn words(len: usize) -> usize {
    (HEADER + len).div_ceil(WORD)
}

/// `cmsg_len(n)` and, with `space`, `cmsg_space(n)`.
pub(super) fn length(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [len, space] = args.exactly("CMSG_LEN")?;
    let (len, space) = (int(vm, len)?, ops::truth(vm, space)?);
    let Some(len) = usize::try_from(len)
        .ok()
        .filter(|n| *n <= i32::MAX as usize - 64)
    else {
        return Err(Raised::overflow_error("CMSG_LEN() argument out of range"));
    };
    let bytes = if space {
        words(len) * WORD
    } else {
        HEADER + len
    };
    Ok(Value::Int(bytes as i64))
}

/// One piece of ancillary data: level, type, data.
type Ancillary = (i32, i32, Vec<u8>);

fn laid_out(all: &[Ancillary]) -> Vec<usize> {
    let mut room = Vec::new();
    for (level, kind, data) in all {
        let mut bytes = (HEADER + data.len()).to_ne_bytes().to_vec();
        bytes.extend(level.to_ne_bytes());
        bytes.extend(kind.to_ne_bytes());
        bytes.extend(data);
        bytes.resize(words(data.len()) * WORD, 0);
        let (whole, _) = bytes.as_chunks::<WORD>();
        room.extend(whole.iter().map(|w| usize::from_ne_bytes(*w)));
    }
    room
}

fn taken_apart(room: &[usize], length: usize) -> Vec<Ancillary> {
    let bytes: Vec<u8> = room
        .iter()
        .flat_map(|w| w.to_ne_bytes())
        .take(length)
        .collect();
    let (mut rest, mut all) = (bytes.as_slice(), Vec::new());
    while let (Some((len, tail)), true) = (rest.split_first_chunk::<WORD>(), rest.len() >= HEADER) {
        let len = usize::from_ne_bytes(*len);
        let int = |at: usize| tail.get(at..at + 4).and_then(|b| b.try_into().ok());
        let (Some(level), Some(kind)) = (int(0), int(4)) else {
            break;
        };
        if len < HEADER {
            break;
        }
        // What did not fit was cut off.
        let data = rest.get(HEADER..len.min(rest.len())).unwrap_or_default();
        all.push((
            i32::from_ne_bytes(level),
            i32::from_ne_bytes(kind),
            data.to_vec(),
        ));
        rest = rest.get(words(len - HEADER) * WORD..).unwrap_or_default();
    }
    all
}

/// `send_message(fd, data, ancillary, flags[, family, address])`: how many bytes of the data went.
pub(super) fn send(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("sendmsg", 4, 6)?;
    let (fd, data, flags) = (
        descriptor(vm, &given[0])?,
        bytes_like(&given[1])?,
        descriptor(vm, &given[3])?,
    );
    let mut all = Vec::new();
    for piece in ops::collect(vm, &given[2])? {
        let Some([level, kind, data]) = piece.as_tuple().map(|t| &*t.items) else {
            return Err(Raised::type_error(
                "[sendmsg() ancillary data items must be tuples]",
            ));
        };
        all.push((
            descriptor(vm, level)?,
            descriptor(vm, kind)?,
            bytes_like(data)?,
        ));
    }
    let mut to = match given.get(4..6) {
        Some([family, address]) => Some(Address::of(vm, family, address)?),
        _ => None,
    };
    let mut room = laid_out(&all);
    let sent = retried(vm, || {
        let mut part = libc::iovec {
            iov_base: data.as_ptr().cast_mut().cast(),
            iov_len: data.len(),
        };
        // SAFETY: all zeros is a valid value of this plain struct.
        let mut message: libc::msghdr = unsafe { zeroed() };
        (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
        if let Some(to) = &mut to {
            (message.msg_name, message.msg_namelen) = (to.pointer_mut().cast(), to.length);
        }
        if !room.is_empty() {
            message.msg_control = room.as_mut_ptr().cast();
            message.msg_controllen = room.len() * WORD;
        }
        // A closed peer is an error, not a signal.
        let flags = flags | libc::MSG_NOSIGNAL;
        // SAFETY: the message's parts are as long as it says, and live until the call is over, which only reads them.
        unsafe { libc::sendmsg(fd, &raw const message, flags) }
    })?;
    Ok(Value::Int(sent as i64))
}

/// `receive_message(fd, size, ancillary size, flags)`: data, ancillary data, flags and from whom.
pub(super) fn receive(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [fd, size, room, flags] = args.exactly("recvmsg")?;
    let (fd, flags) = (descriptor(vm, fd)?, descriptor(vm, flags)?);
    let Ok(size) = usize::try_from(int(vm, size)?) else {
        return Err(Raised::value_error("negative buffer size in recvmsg()"));
    };
    let room = i32::try_from(int(vm, room)?).ok();
    let Some(room) = room.and_then(|n| usize::try_from(n).ok()) else {
        return Err(Raised::value_error("invalid ancillary data buffer length"));
    };
    let mut data = socket::room::<u8>(size)?;
    let mut words = socket::room::<usize>(room.div_ceil(WORD))?;
    let mut from = Address::empty();
    let (mut came, mut told) = (0, 0);
    let got = retried(vm, || {
        let mut part = libc::iovec {
            iov_base: data.as_mut_ptr().cast(),
            iov_len: data.len(),
        };
        // SAFETY: all zeros is a valid value of this plain struct.
        let mut message: libc::msghdr = unsafe { zeroed() };
        (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
        (message.msg_name, message.msg_namelen) = (from.pointer_mut().cast(), from.length);
        message.msg_control = words.as_mut_ptr().cast();
        message.msg_controllen = room;
        // SAFETY: the message's parts have room for what it says, and live until the call is over.
        let got = unsafe { libc::recvmsg(fd, &raw mut message, flags | libc::MSG_CMSG_CLOEXEC) };
        if got >= 0 {
            (came, told) = (message.msg_controllen, message.msg_flags);
            from.length = message.msg_namelen;
        }
        got
    })?;
    data.truncate(got as usize);
    let ancillary = taken_apart(&words, came.min(room)).into_iter();
    let ancillary = ancillary.map(|(level, kind, data)| {
        let (level, kind) = (i64::from(level), i64::from(kind));
        Value::tuple(vec![
            Value::Int(level),
            Value::Int(kind),
            Value::bytes(data),
        ])
    });
    let ancillary = Value::list(ancillary.collect());
    let from = match from.length {
        0 => Value::None,
        _ => from.value(),
    };
    let told = i64::from(told & !libc::MSG_CMSG_CLOEXEC);
    Ok(Value::tuple(vec![
        Value::bytes(data),
        ancillary,
        Value::Int(told),
        from,
    ]))
}
