//! `_xz`: LZMA both ways.
//!
//! In: bytes, piece by piece. Out: bytes. Always: a coder that reached its end, or failed, is asked no more.

use std::cell::RefCell;

use janus_interp::Interp;
use janus_object::{
    Args, Class, Instance, NativeDef, Opaque, PyRef, PyResult, Raised, Value, Vm, memory,
};
use liblzma::stream::{Action, Check, Error, LzmaOptions, Status, Stream};

use crate::support::{bytes_like, foreign_class, int, module};

/// What is made room for at once.
const PIECE: usize = 1 << 16;

janus_gil::gil_local! {
    static CODER: PyRef<Class> =
        foreign_class("Coder", "_xz", &[NativeDef::method("Coder.run", run)]);
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_xz.encoder", encoder),
        NativeDef::function("_xz.decoder", decoder),
    ];
    Ok(Value::Module(module("_xz", "", FUNCTIONS)))
}

fn failed(error: &Error) -> Raised {
    Raised::value_error(match error {
        Error::Data => "Corrupt input data",
        Error::Format => "Input format not supported by decoder",
        Error::Options => "Invalid or unsupported options",
        Error::MemLimit => "Memory usage limit exceeded",
        Error::Mem => "Not enough memory",
        Error::UnsupportedCheck => "Unsupported integrity check",
        _ => "Unrecognized error from liblzma",
    })
}

fn made(stream: Result<Stream, Error>) -> PyResult {
    let stream = stream.map_err(|e| failed(&e))?;
    let coder = Opaque(RefCell::new(Some(stream)));
    Ok(CODER.with(|class| Instance::native(class, coder)))
}

/// `encoder(alone, check, preset)`: of the old format, or of `.xz`.
fn encoder(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [alone, check, preset] = args.exactly("encoder")?;
    let check = match int(vm, check)? {
        0 => Check::None,
        1 => Check::Crc32,
        4 => Check::Crc64,
        10 => Check::Sha256,
        _ => return Err(Raised::value_error("Unsupported integrity check")),
    };
    let preset = u32::try_from(int(vm, preset)?)
        .map_err(|_| Raised::value_error("Invalid compression preset"))?;
    made(match janus_object::ops::truth(vm, alone)? {
        true => LzmaOptions::new_preset(preset).and_then(|o| Stream::new_lzma_encoder(&o)),
        false => Stream::new_easy_encoder(preset, check),
    })
}

/// `decoder(format, memory)`: 0 for any format, 1 for `.xz`, 2 for the old one.
fn decoder(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [format, limit] = args.exactly("decoder")?;
    let limit = u64::try_from(int(vm, limit)?).unwrap_or(u64::MAX);
    made(match int(vm, format)? {
        0 => Stream::new_auto_decoder(limit, 0),
        1 => Stream::new_stream_decoder(limit, 0),
        _ => Stream::new_lzma_decoder(limit),
    })
}

/// `coder.run(data, room, finish)`: at most so many bytes (-1: all there are), how much of the data was used, and whether
/// the end was reached.
fn run(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [data, room, finish]) = args.method::<3>("run")?;
    let data = bytes_like(data)?;
    let room = usize::try_from(int(vm, room)?).ok();
    let action = match janus_object::ops::truth(vm, finish)? {
        true => Action::Finish,
        false => Action::Run,
    };
    let coder = match this {
        Value::Instance(i) => i.foreign::<RefCell<Option<Stream>>>(),
        _ => None,
    };
    let mut coder = coder
        .and_then(|c| c.try_borrow_mut().ok())
        .ok_or_else(|| Raised::type_error("a coder is expected"))?;
    let Some(stream) = coder.as_mut() else {
        return Err(Raised::value_error("the coder has ended"));
    };
    let start = stream.total_in();
    let mut out: Vec<u8> = Vec::new();
    let ended = loop {
        let used = (stream.total_in() - start) as usize;
        let rest = data.get(used..).unwrap_or_default();
        if out.len() == out.capacity() {
            memory::grow(&mut out, PIECE)?;
        }
        let piece = room.map_or(PIECE, |room| room - out.len()).min(PIECE);
        if piece == 0 {
            break false;
        }
        let mut part = vec![0; piece];
        let before = stream.total_out();
        match stream.process(rest, &mut part, action) {
            Err(e) => {
                *coder = None;
                return Err(failed(&e));
            }
            Ok(status) => {
                let n = (stream.total_out() - before) as usize;
                out.extend_from_slice(part.get(..n).unwrap_or_default());
                let used = (stream.total_in() - start) as usize;
                match status {
                    Status::StreamEnd => break true,
                    Status::MemNeeded => break false,
                    _ if n < piece && used == data.len() && matches!(action, Action::Run) => {
                        break false;
                    }
                    _ => {}
                }
            }
        }
    };
    let used = (stream.total_in() - start) as usize;
    if ended {
        *coder = None;
    }
    Ok(Value::tuple(vec![
        Value::bytes(out),
        Value::from(used),
        Value::bool(ended),
    ]))
}
