//! `_bzip2`: bzip2 both ways.
//!
//! In: bytes. Out: bytes. Always: what is cut short is no error; the Python side asks again with more.

use std::io::Write;

use bzip2::write::BzEncoder;
use bzip2::{Compression, Decompress, Status};
use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, memory};

use crate::support::{bytes_like, int, module};

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_bzip2.compress", compress),
        NativeDef::function("_bzip2.decompress", decompress),
    ];
    Ok(Value::Module(module("_bzip2", "", FUNCTIONS)))
}

/// `compress(data, level)`
fn compress(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [data, level] = args.exactly("compress")?;
    let level = u32::try_from(int(vm, level)?).unwrap_or(9);
    let mut encoder = BzEncoder::new(Vec::new(), Compression::new(level.clamp(1, 9)));
    encoder
        .write_all(&bytes_like(data)?)
        .and_then(|()| encoder.finish())
        .map(Value::bytes)
        .map_err(|e| Raised::io_error(&e, None))
}

/// `decompress(data)`: what the data unpacks to, how much of it was used, and whether the end was
/// reached; `None` for data that is not compressed.
fn decompress(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [data] = args.exactly("decompress")?;
    let data = bytes_like(data)?;
    let mut decoder = Decompress::new(false);
    let mut out: Vec<u8> = Vec::with_capacity(data.len() * 3 + 64);
    let finished = loop {
        let used = decoder.total_in() as usize;
        let before = out.len();
        if out.len() == out.capacity() {
            let more = out.capacity().max(64);
            memory::grow(&mut out, more)?;
        }
        match decoder.decompress_vec(data.get(used..).unwrap_or_default(), &mut out) {
            Err(_) => return Ok(Value::None),
            Ok(Status::StreamEnd) => break true,
            // No progress although there is room: the data is cut short.
            Ok(_) if out.len() == before && out.len() < out.capacity() => break false,
            Ok(_) => {}
        }
    };
    let used = Value::from(decoder.total_in() as usize);
    Ok(Value::tuple(vec![
        Value::bytes(out),
        used,
        Value::bool(finished),
    ]))
}
