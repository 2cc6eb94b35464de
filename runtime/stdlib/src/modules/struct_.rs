//! `_struct`: values in packed bytes.
//!
//! In: formats, and values or bytes. Out: bytes or values. Always: native alignment is that of
//! x86-64 and AArch64, as in CPython there.

use janus_interp::Interp;
use janus_object::{Args, Class, NativeDef, PyRef, PyResult, Raised, Value, Vm, memory, ops};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::support::{big_index, bytes_like, float, int, module};

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("_struct.pack", pack),
    NativeDef::function("_struct.unpack_at", unpack_at),
    NativeDef::function("_struct.calcsize", calcsize),
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    Ok(Value::Module(module("_struct", "", FUNCTIONS)))
}

/// `struct.error`
fn error(vm: &mut dyn Vm, message: impl Into<String>) -> Raised {
    let made = vm
        .import("struct")
        .and_then(|m| janus_object::attr::get(vm, &m, janus_object::name!("error")));
    match made {
        Ok(Value::Class(class)) => raised_of(&class, message.into()),
        Ok(_) => Raised::system_error("struct.error is not a class"),
        Err(raised) => raised,
    }
}

fn raised_of(class: &PyRef<Class>, message: String) -> Raised {
    Raised::of_class(class, vec![Value::str(message)])
}

/// One code of a format with its repetition.
struct Item {
    code: u8,
    count: usize,
    size: usize,
    /// Padding before it.
    pad: usize,
}

struct Format {
    items: Vec<Item>,
    big_endian: bool,
    size: usize,
}

fn size_of(code: u8, native: bool) -> Option<usize> {
    Some(match code {
        b'x' | b'c' | b'b' | b'B' | b'?' | b's' | b'p' => 1,
        b'h' | b'H' | b'e' => 2,
        b'i' | b'I' | b'f' => 4,
        b'l' | b'L' => {
            if native {
                8
            } else {
                4
            }
        }
        b'q' | b'Q' | b'd' => 8,
        b'n' | b'N' | b'P' if native => 8,
        _ => return None,
    })
}

fn parse(vm: &mut dyn Vm, format: &Value) -> PyResult<Format> {
    let text = match (format.as_str(), format.as_bytes()) {
        (Some(s), _) => s.to_owned(),
        (None, Some(b)) => String::from_utf8_lossy(&b.bytes()).into_owned(),
        _ => {
            return Err(Raised::type_error(format!(
                "Struct() argument 1 must be a str or bytes object, not {}",
                format.type_name()
            )));
        }
    };
    let bytes = text.as_bytes();
    let (native, big_endian, mut at) = match bytes.first() {
        Some(b'@') => (true, cfg!(target_endian = "big"), 1),
        Some(b'=') => (false, cfg!(target_endian = "big"), 1),
        Some(b'<') => (false, false, 1),
        Some(b'>' | b'!') => (false, true, 1),
        _ => (true, cfg!(target_endian = "big"), 0),
    };
    let mut parsed = Format {
        items: Vec::new(),
        big_endian,
        size: 0,
    };
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let digits = bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let count = if digits == 0 {
            1
        } else {
            match text
                .get(at..at + digits)
                .and_then(|d| d.parse::<usize>().ok())
            {
                Some(count) => count,
                None => return Err(error(vm, "total struct size too long")),
            }
        };
        at += digits;
        let Some(&code) = bytes.get(at) else {
            return Err(error(vm, "repeat count given without format specifier"));
        };
        at += 1;
        let Some(size) = size_of(code, native) else {
            return Err(error(vm, "bad char in struct format"));
        };
        let pad = if native {
            (size - parsed.size % size) % size
        } else {
            0
        };
        let total = count
            .checked_mul(size)
            .and_then(|n| n.checked_add(parsed.size + pad));
        let Some(total) = total else {
            return Err(error(vm, "total struct size too long"));
        };
        parsed.size = total;
        parsed.items.push(Item {
            code,
            count,
            size,
            pad,
        });
    }
    Ok(parsed)
}

impl Format {
    /// How many values it packs.
    fn values(&self) -> usize {
        let of = |item: &Item| match item.code {
            b'x' => 0,
            b's' | b'p' => 1,
            _ => item.count,
        };
        self.items.iter().map(of).sum()
    }

    fn put(&self, out: &mut Vec<u8>, little: &[u8]) {
        if self.big_endian {
            out.extend(little.iter().rev());
        } else {
            out.extend_from_slice(little);
        }
    }
}

fn pack(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some((format, values)) = args.pos.split_first() else {
        return Err(Raised::type_error(
            "pack expected at least 1 argument, got 0",
        ));
    };
    let format = parse(vm, format)?;
    if values.len() != format.values() {
        let message = format!(
            "pack expected {} items for packing (got {})",
            format.values(),
            values.len()
        );
        return Err(error(vm, message));
    }
    let mut values = values.iter();
    let mut out = memory::room(format.size)?;
    for item in &format.items {
        out.resize(out.len() + item.pad, 0);
        match item.code {
            b'x' => out.resize(out.len() + item.count, 0),
            b's' | b'p' => {
                let Some(value) = values.next() else { continue };
                if value.as_bytes().is_none() {
                    let code = char::from(item.code);
                    return Err(error(
                        vm,
                        format!("argument for '{code}' must be a bytes object"),
                    ));
                }
                let mut bytes = bytes_like(value)?;
                if item.code == b'p' {
                    bytes.truncate(item.count.saturating_sub(1));
                    // The length has one byte, whatever room there is.
                    bytes.insert(0, bytes.len().min(255) as u8);
                }
                let missing = item.count.saturating_sub(bytes.len());
                memory::grow(&mut bytes, missing)?;
                bytes.resize(item.count, 0);
                out.extend(bytes);
            }
            _ => {
                for value in values.by_ref().take(item.count) {
                    pack_one(vm, &format, item, value, &mut out)?;
                }
            }
        }
    }
    Ok(Value::bytes(out))
}

fn pack_one(
    vm: &mut dyn Vm,
    format: &Format,
    item: &Item,
    value: &Value,
    out: &mut Vec<u8>,
) -> PyResult<()> {
    match item.code {
        b'?' => out.push(u8::from(ops::truth(vm, value)?)),
        b'c' => match value.as_bytes().map(|b| b.to_vec()).as_deref() {
            Some([byte]) => out.push(*byte),
            _ => return Err(error(vm, "char format requires a bytes object of length 1")),
        },
        b'e' | b'f' | b'd' => {
            let Ok(number) = float(vm, value) else {
                return Err(error(vm, "required argument is not a float"));
            };
            match item.code {
                b'd' => format.put(out, &number.to_le_bytes()),
                b'f' => {
                    let single = number as f32;
                    if single.is_infinite() && number.is_finite() {
                        return Err(Raised::overflow_error(
                            "float too large to pack with f format",
                        ));
                    }
                    format.put(out, &single.to_le_bytes());
                }
                _ => {
                    let Some(half) = half_bits(number) else {
                        return Err(Raised::overflow_error(
                            "float too large to pack with e format",
                        ));
                    };
                    format.put(out, &half.to_le_bytes());
                }
            }
        }
        code => {
            let Ok(number) = big_index(vm, value) else {
                return Err(error(vm, "required argument is not an integer"));
            };
            let bits = item.size as u32 * 8;
            let signed = code.is_ascii_lowercase();
            let span = BigInt::from(1) << bits;
            let half = BigInt::from(1) << (bits - 1);
            let (low, high) = if signed {
                (-half.clone(), half - 1)
            } else {
                (BigInt::from(0), span.clone() - 1)
            };
            if number < low || number > high {
                let code = char::from(code);
                return Err(error(
                    vm,
                    match code {
                        'b' => "byte format requires -128 <= number <= 127".to_owned(),
                        'B' => "ubyte format requires 0 <= number <= 255".to_owned(),
                        'h' => "short format requires -32768 <= number <= 32767".to_owned(),
                        'H' => "ushort format requires 0 <= number <= 65535".to_owned(),
                        _ => format!("'{code}' format requires {low} <= number <= {high}"),
                    },
                ));
            }
            let wrapped: BigInt = if number.sign() == num_bigint::Sign::Minus {
                number + span
            } else {
                number
            };
            let raw = wrapped.to_u64().unwrap_or(0).to_le_bytes();
            format.put(out, &raw[..item.size]);
        }
    }
    Ok(())
}

/// A number in 16 bits, rounded to even; none if it is too large.
fn half_bits(number: f64) -> Option<u16> {
    let sign = if number.is_sign_negative() { 0x8000 } else { 0 };
    let x = number.abs();
    if number.is_nan() {
        return Some(sign | 0x7e00);
    }
    if x.is_infinite() {
        return Some(sign | 0x7c00);
    }
    // Units of the last place: subnormals have the exponent of the smallest normal number.
    let exponent = if x < 2f64.powi(-14) {
        -14
    } else {
        x.log2().floor() as i32
    };
    let exponent = if x >= 2f64.powi(exponent + 1) {
        exponent + 1
    } else {
        exponent
    };
    let units = (x * 2f64.powi(10 - exponent)).round_ties_even();
    let bits = if x < 2f64.powi(-14) {
        units as u32
    } else {
        ((exponent + 14) as u32) * 1024 + units as u32
    };
    if bits >= 0x7c00 {
        None
    } else {
        Some(sign | bits as u16)
    }
}

fn half_value(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from((bits >> 10) & 31), f64::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// `unpack_at(format, data, offset, exact)`
fn unpack_at(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [format, data, offset, exact] = args.exactly("unpack_at")?;
    let format = parse(vm, format)?;
    let data = bytes_like(data)?;
    let offset = int(vm, offset)?;
    let size = format.size;
    let start = if offset < 0 {
        offset + data.len() as i64
    } else {
        offset
    };
    if ops::truth(vm, exact)? && data.len() != size {
        return Err(error(
            vm,
            format!("unpack requires a buffer of {size} bytes"),
        ));
    }
    let Some(bytes) = usize::try_from(start)
        .ok()
        .and_then(|s| data.get(s..s.checked_add(size)?))
    else {
        let needed = start.max(0) as usize + size;
        return Err(error(
            vm,
            format!(
                "unpack_from requires a buffer of at least {needed} bytes for unpacking {size} bytes at offset \
             {offset} (actual buffer size is {})",
                data.len()
            ),
        ));
    };
    let mut values = Vec::with_capacity(format.values());
    let mut at = 0;
    for item in &format.items {
        at += item.pad;
        match item.code {
            b'x' => at += item.count,
            b's' | b'p' => {
                let piece = bytes.get(at..at + item.count).unwrap_or_default();
                at += item.count;
                let piece = match piece.split_first() {
                    Some((length, rest)) if item.code == b'p' => {
                        rest.get(..usize::from(*length)).unwrap_or(rest)
                    }
                    _ => piece,
                };
                values.push(Value::bytes(piece));
            }
            _ => {
                for _ in 0..item.count {
                    let mut raw = bytes.get(at..at + item.size).unwrap_or_default().to_vec();
                    at += item.size;
                    if format.big_endian {
                        raw.reverse();
                    }
                    values.push(unpack_one(item, &raw));
                }
            }
        }
    }
    Ok(Value::tuple(values))
}

/// A value out of its bytes, lowest first.
fn unpack_one(item: &Item, raw: &[u8]) -> Value {
    let mut wide = [0u8; 8];
    for (to, from) in wide.iter_mut().zip(raw) {
        *to = *from;
    }
    let unsigned = u64::from_le_bytes(wide);
    match item.code {
        b'?' => Value::bool(unsigned != 0),
        b'c' => Value::bytes(raw),
        b'd' => Value::float(f64::from_bits(unsigned)),
        b'f' => Value::float(f64::from(f32::from_bits(unsigned as u32))),
        b'e' => Value::float(half_value(unsigned as u16)),
        code if code.is_ascii_lowercase() => {
            let unused = 64 - 8 * item.size as u32;
            Value::Int(((unsigned << unused) as i64) >> unused)
        }
        _ => Value::big(BigInt::from(unsigned)),
    }
}

fn calcsize(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [format] = args.exactly("calcsize")?;
    Ok(Value::from(parse(vm, format)?.size))
}
