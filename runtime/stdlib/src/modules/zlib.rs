//! `_zlib`: deflate and inflate.
//!
//! In: bytes. Out: bytes. Always: negative window bits mean data without zlib's header and
//! checksum, as in CPython.

use std::io::Write;

use flate2::write::{DeflateEncoder, ZlibEncoder};
use flate2::{Compression, Decompress, FlushDecompress, Status};
use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, memory};

use crate::support::{bytes_like, int, module};

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_zlib.deflate", deflate),
        NativeDef::function("_zlib.inflate", inflate),
        NativeDef::function("_zlib.adler32", adler32),
    ];
    Ok(Value::Module(module("_zlib", "", FUNCTIONS)))
}

/// `deflate(data, level, wbits)`
fn deflate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [data, level, window] = args.exactly("deflate")?;
    let data = bytes_like(data)?;
    let level = match u32::try_from(int(vm, level)?) {
        Ok(level) => Compression::new(level.min(9)),
        Err(_) => Compression::default(),
    };
    let packed = if int(vm, window)? < 0 {
        let mut encoder = DeflateEncoder::new(Vec::new(), level);
        encoder.write_all(&data).and_then(|()| encoder.finish())
    } else {
        let mut encoder = ZlibEncoder::new(Vec::new(), level);
        encoder.write_all(&data).and_then(|()| encoder.finish())
    };
    packed
        .map(Value::bytes)
        .map_err(|e| Raised::io_error(&e, None))
}

/// `inflate(data, wbits)`: what the data unpacks to, how much of it was used, and whether the end
/// was reached; the text of the error for data that is not compressed.
fn inflate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [data, window] = args.exactly("inflate")?;
    let data = bytes_like(data)?;
    let mut inflater = Decompress::new(int(vm, window)? > 0);
    let mut out: Vec<u8> = Vec::with_capacity(data.len() * 3 + 64);
    loop {
        let used = inflater.total_in() as usize;
        let rest = data.get(used..).unwrap_or_default();
        let before = out.len();
        if out.len() == out.capacity() {
            let more = out.capacity().max(64);
            memory::grow(&mut out, more)?;
        }
        match inflater.decompress_vec(rest, &mut out, FlushDecompress::None) {
            Err(_) => {
                let what = if used == 0 {
                    "incorrect header check"
                } else {
                    "invalid data"
                };
                return Ok(Value::str(format!(
                    "Error -3 while decompressing data: {what}"
                )));
            }
            Ok(Status::StreamEnd) => return Ok(outcome(out, &inflater, true)),
            // No progress although there is room: the data is cut short.
            Ok(_) if out.len() == before && out.len() < out.capacity() => {
                return Ok(outcome(out, &inflater, false));
            }
            Ok(_) => {}
        }
    }
}

fn outcome(out: Vec<u8>, inflater: &Decompress, finished: bool) -> Value {
    let used = Value::from(inflater.total_in() as usize);
    Value::tuple(vec![Value::bytes(out), used, Value::Bool(finished)])
}

fn adler32(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("adler32", 1, 2)?;
    let start = given.get(1).map_or(Ok(1), |v| int(vm, v))? as u32;
    let (mut a, mut b) = (start & 0xffff, start >> 16);
    for byte in bytes_like(&given[0])? {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    Ok(Value::Int(i64::from((b << 16) | a)))
}
