//! `_zlib`: deflate and inflate, a piece at a time.
//!
//! In: bytes. Out: bytes. Always: window bits are read as in CPython: below zero without zlib's header and checksum,
//! from 24 on with those of gzip, from 40 on whichever the data begins with.

use std::cell::RefCell;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use janus_interp::Interp;
use janus_object::{
    Args, Class, Foreign, Instance, NativeDef, PyRef, PyResult, Raised, Value, Vm, memory,
};

use crate::support::{bytes_like, foreign_class, int, module};

/// What is compressed so far.
struct Deflater(RefCell<Compress>);

impl Foreign for Deflater {}

/// What is unpacked so far.
struct Inflater {
    state: RefCell<Inflating>,
    dictionary: Option<Vec<u8>>,
}

impl Foreign for Inflater {}

enum Inflating {
    /// Before the first byte, which tells the format.
    Unknown,
    Known(Decompress),
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_zlib.deflater", deflater),
        NativeDef::function("_zlib.inflater", inflater),
        NativeDef::function("_zlib.adler32", adler32),
    ];
    Ok(Value::Module(module("_zlib", "", FUNCTIONS)))
}

const DEFLATER: &[NativeDef] = &[NativeDef::method("Deflater.step", deflate)];
const INFLATER: &[NativeDef] = &[NativeDef::method("Inflater.step", inflate)];

fn deflater_class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("Deflater", "_zlib", DEFLATER);
    }
    CLASS.with(PyRef::clone)
}

fn inflater_class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("Inflater", "_zlib", INFLATER);
    }
    CLASS.with(PyRef::clone)
}

/// The size of a window as the library takes it: 256 bytes are 512 there.
fn window(bits: i64) -> Option<u8> {
    (8..=15).contains(&bits).then_some(bits.max(9) as u8)
}

fn bad_option() -> Raised {
    Raised::value_error("Invalid initialization option")
}

/// `deflater(level, wbits, dictionary)`; the level is from -1 to 9.
fn deflater(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [level, bits, dictionary] = args.exactly("deflater")?;
    let level = match u32::try_from(int(vm, level)?) {
        Ok(level) => Compression::new(level.min(9)),
        Err(_) => Compression::default(),
    };
    let bits = int(vm, bits)?;
    let mut made = match (window(bits), window(-bits), window(bits - 16)) {
        (Some(bits), ..) => Compress::new_with_window_bits(level, true, bits),
        (_, Some(bits), _) => Compress::new_with_window_bits(level, false, bits),
        (.., Some(bits)) => Compress::new_gzip(level, bits),
        _ => return Err(bad_option()),
    };
    if !dictionary.is_none() {
        made.set_dictionary(&bytes_like(dictionary)?)
            .map_err(|_| Raised::value_error("Invalid dictionary"))?;
    }
    Ok(Instance::native(
        &deflater_class(),
        Deflater(RefCell::new(made)),
    ))
}

/// `inflater(wbits, dictionary)`
fn inflater(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [bits, dictionary] = args.exactly("inflater")?;
    let bits = int(vm, bits)?;
    let raw = window(-bits);
    let state = match (window(bits), raw, window(bits - 16), window(bits - 32)) {
        (Some(bits), ..) => Inflating::Known(Decompress::new_with_window_bits(true, bits)),
        (_, Some(bits), ..) => Inflating::Known(Decompress::new_with_window_bits(false, bits)),
        (_, _, Some(bits), _) => Inflating::Known(Decompress::new_gzip(bits)),
        (.., Some(_)) => Inflating::Unknown,
        // The header says how large the window is.
        _ if bits == 0 => Inflating::Known(Decompress::new_with_window_bits(true, 15)),
        _ if bits == 16 => Inflating::Known(Decompress::new_gzip(15)),
        _ if bits == 32 => Inflating::Unknown,
        _ => return Err(bad_option()),
    };
    let dictionary = match dictionary {
        Value::None => None,
        given => Some(bytes_like(given)?),
    };
    let made = Inflater {
        state: RefCell::new(state),
        dictionary,
    };
    if let (Some(_), Some(dictionary), Inflating::Known(state)) =
        (raw, &made.dictionary, &mut *made.state.borrow_mut())
    {
        state
            .set_dictionary(dictionary)
            .map_err(|_| Raised::value_error("Invalid dictionary"))?;
    }
    Ok(Instance::native(&inflater_class(), made))
}

/// `step(data, mode)`: what comes out for this piece; `None` where the stream cannot take it any more.
fn deflate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [data, mode]) = args.method("step")?;
    let Some(Deflater(state)) = Value::foreign::<Deflater>(this) else {
        return Err(Raised::type_error("a compression object is required"));
    };
    let data = bytes_like(data)?;
    let mode = match int(vm, mode)? {
        0 => FlushCompress::None,
        1 => FlushCompress::Partial,
        2 => FlushCompress::Sync,
        3 => FlushCompress::Full,
        4 => FlushCompress::Finish,
        _ => return Ok(Value::None),
    };
    let mut state = state.borrow_mut();
    let mut out: Vec<u8> = Vec::with_capacity(data.len() / 2 + 64);
    let begun = state.total_in();
    loop {
        let rest = data
            .get((state.total_in() - begun) as usize..)
            .unwrap_or_default();
        if out.len() == out.capacity() {
            let more = out.capacity();
            memory::grow(&mut out, more)?;
        }
        match state.compress_vec(rest, &mut out, mode) {
            Err(_) => return Ok(Value::None),
            Ok(Status::StreamEnd) => break,
            // What is left in the stream has come out where there is room to spare.
            Ok(_) if out.len() < out.capacity() => {
                if (state.total_in() - begun) as usize == data.len() {
                    break;
                }
            }
            Ok(_) => {}
        }
    }
    Ok(Value::bytes(out))
}

/// `step(data, most)`: what the piece unpacks to, `most` bytes at most where that is above zero; how much of it was
/// used; and whether the end was reached. The text of the error for data that is not compressed.
fn inflate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [data, most]) = args.method("step")?;
    let Some(this) = Value::foreign::<Inflater>(this) else {
        return Err(Raised::type_error("a decompression object is required"));
    };
    let data = bytes_like(data)?;
    let most = usize::try_from(int(vm, most)?)
        .ok()
        .filter(|most| *most > 0)
        .unwrap_or(usize::MAX);
    let mut state = this.state.borrow_mut();
    let known = match &mut *state {
        Inflating::Known(known) => known,
        Inflating::Unknown => {
            let Some(first) = data.first() else {
                return Ok(outcome(Vec::new(), 0, false));
            };
            let fresh = if *first == 0x1f {
                Decompress::new_gzip(15)
            } else {
                Decompress::new(true)
            };
            *state = Inflating::Known(fresh);
            match &mut *state {
                Inflating::Known(known) => known,
                Inflating::Unknown => return Ok(Value::None),
            }
        }
    };
    let begun = known.total_in();
    let first = (data.len().saturating_mul(3) + 64).min(most);
    let mut out: Vec<u8> = Vec::with_capacity(first);
    let mut spare = vec![0; first.min(1 << 16)];
    loop {
        let used = (known.total_in() - begun) as usize;
        let rest = data.get(used..).unwrap_or_default();
        let room = spare.len().min(most - out.len());
        let before = known.total_out();
        let result = known.decompress(rest, &mut spare[..room], FlushDecompress::None);
        let made = (known.total_out() - before) as usize;
        memory::grow(&mut out, made)?;
        out.extend_from_slice(&spare[..made]);
        let used = (known.total_in() - begun) as usize;
        match result {
            Err(error) if error.needs_dictionary().is_some() => {
                let Some(dictionary) = &this.dictionary else {
                    return Ok(Value::str("Error 2 while decompressing data"));
                };
                if known.set_dictionary(dictionary).is_err() {
                    return Ok(Value::str("Error -3 while setting zdict"));
                }
            }
            Err(error) => {
                let what = error.message().unwrap_or("invalid data");
                return Ok(Value::str(format!(
                    "Error -3 while decompressing data: {what}"
                )));
            }
            Ok(Status::StreamEnd) => return Ok(outcome(out, used, true)),
            // There was room: what came is all that there is so far.
            Ok(_) if made < room || out.len() >= most => return Ok(outcome(out, used, false)),
            Ok(_) => {}
        }
    }
}

fn outcome(out: Vec<u8>, used: usize, finished: bool) -> Value {
    Value::tuple(vec![
        Value::bytes(out),
        Value::from(used),
        Value::from(finished),
    ])
}

fn adler32(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("adler32", 1, 2)?;
    let start = given.get(1).map_or(Ok(1), |v| int(vm, v))? as u32;
    let (mut a, mut b) = (start & 0xffff, start >> 16);
    // Sums of 5552 bytes do not overflow.
    for part in bytes_like(&given[0])?.chunks(5552) {
        for byte in part {
            a += u32::from(*byte);
            b += a;
        }
        (a, b) = (a % 65521, b % 65521);
    }
    Ok(Value::Int(i64::from((b << 16) | a)))
}
