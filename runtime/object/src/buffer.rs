//! The buffer protocol: memory that several objects look at.
//!
//! In: bytes, bytearrays, arrays and memoryviews. Out: their storage, and one item of it as a value and back. Always:
//! storage that somebody looks at keeps its length.

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use crate::builtin::memoryview::MemoryView;
use crate::{PyBytes, PyRef, PyResult, Raised, Value, Vm, name, ops, wrap_index};

/// What an object of a native module keeps its items in, so that others can look at them: `array.array`, `mmap.mmap`.
pub struct Exporter {
    /// The memory.
    pub data: PyRef<PyBytes>,
    /// The items' format, as `struct` has it.
    pub format: u8,
    /// What the object itself calls the format (`u` for characters).
    pub code: u8,
}

impl Exporter {
    /// Where the item of this index lies, if it is a number that is read and written without more ado.
    fn place(&self, index: i64) -> Option<std::ops::Range<usize>> {
        let is_number = matches!(
            self.format,
            b'b' | b'B' | b'h' | b'H' | b'i' | b'I' | b'l' | b'q' | b'f' | b'd'
        );
        if !is_number || self.code != self.format {
            return None;
        }
        let size = item_size(self.format)?;
        let count = self.data.len() / size;
        let at = wrap_index(index, count).filter(|at| *at < count)?;
        Some(at * size..(at + 1) * size)
    }

    /// The number of this index.
    #[must_use]
    pub fn number(&self, index: i64) -> Option<Value> {
        let place = self.place(index)?;
        Some(read_item(self.format, self.data.bytes().get(place)?))
    }

    /// Writes a number that fits; whether it does.
    #[must_use]
    pub fn set_number(&self, index: i64, number: &Value) -> bool {
        let Some(place) = self.place(index) else {
            return false;
        };
        let bytes = match (self.format, number) {
            (b'd', Value::Float(x)) => x.get().to_le_bytes(),
            (b'd', Value::Int(i)) => (*i as f64).to_le_bytes(),
            (b'f' | b'd', _) => return false,
            (format, Value::Int(i)) => {
                let unused = 64 - 8 * place.len() as u32;
                let fits = match format.is_ascii_lowercase() {
                    true => i << unused >> unused == *i,
                    false => unused > 0 && *i as u64 >> (64 - unused) == 0,
                };
                if !fits {
                    return false;
                }
                i.to_le_bytes()
            }
            _ => return false,
        };
        self.data.write(|data| {
            let (Some(to), Some(from)) = (data.get_mut(place.clone()), bytes.get(..place.len()))
            else {
                return false;
            };
            to.copy_from_slice(from);
            true
        })
    }
}

impl crate::Foreign for Exporter {
    fn exporter(&self) -> Option<&Exporter> {
        Some(self)
    }
}

/// Memory as an exporter shows it: one dimension of items.
pub(crate) struct Exported {
    pub data: PyRef<PyBytes>,
    pub format: u8,
    pub readonly: bool,
}

/// The memory of an object that is not a memoryview.
pub(crate) fn exported(value: &Value) -> Option<Exported> {
    if let Some(bytes) = value.as_bytes() {
        return Some(Exported {
            data: bytes.clone(),
            format: b'B',
            readonly: !bytes.mutable,
        });
    }
    let exporter = value.as_instance()?.exporter()?;
    Some(Exported {
        data: exporter.data.clone(),
        format: exporter.format,
        readonly: !exporter.data.mutable,
    })
}

/// A copy of the bytes of a bytes-like object; none of what is not one. A memoryview that was released has none.
pub fn buffer_bytes(value: &Value) -> Option<Vec<u8>> {
    if let Some(view) = value.foreign::<MemoryView>() {
        return view.to_vec().ok();
    }
    exported(value).map(|e| e.data.to_vec())
}

/// The same, or a TypeError that names what was given.
pub fn bytes_like(value: &Value) -> PyResult<Vec<u8>> {
    if let Some(view) = value.foreign::<MemoryView>() {
        return view.to_vec();
    }
    buffer_bytes(value).ok_or_else(|| {
        Raised::type_error(format!(
            "a bytes-like object is required, not '{}'",
            value.type_name()
        ))
    })
}

/// Overwrites the first bytes of a writable buffer; how many there was room for. None if it is not one.
pub fn write_buffer(value: &Value, bytes: &[u8]) -> Option<usize> {
    if let Some(view) = value.foreign::<MemoryView>() {
        return view.overwrite(bytes);
    }
    let target = exported(value).filter(|e| !e.readonly)?;
    Some(target.data.write(|data| {
        let n = bytes.len().min(data.len());
        data[..n].copy_from_slice(&bytes[..n]);
        n
    }))
}

/// Size of an item; none of a format that there is not.
pub fn item_size(format: u8) -> Option<usize> {
    Some(match format {
        b'b' | b'B' | b'c' | b'?' => 1,
        b'h' | b'H' => 2,
        b'i' | b'I' | b'f' => 4,
        b'l' | b'L' | b'q' | b'Q' | b'd' | b'n' | b'N' | b'P' => 8,
        _ => return None,
    })
}

/// The value of an item.
pub fn read_item(format: u8, bytes: &[u8]) -> Value {
    let mut raw = [0u8; 8];
    let n = bytes.len().min(8);
    raw[..n].copy_from_slice(&bytes[..n]);
    let unsigned = u64::from_le_bytes(raw);
    match format {
        b'?' => Value::bool(raw[0] != 0),
        b'c' => Value::bytes(vec![raw[0]]),
        b'f' => Value::float(f64::from(f32::from_le_bytes([
            raw[0], raw[1], raw[2], raw[3],
        ]))),
        b'd' => Value::float(f64::from_le_bytes(raw)),
        b'B' | b'H' | b'I' => Value::Int(unsigned as i64),
        b'L' | b'Q' | b'N' | b'P' => Value::from(BigInt::from(unsigned)),
        _ => {
            // Signed: the top bit of the item is that of the word.
            let shift = 64 - 8 * n as u32;
            Value::Int(((unsigned << shift) as i64) >> shift)
        }
    }
}

/// Why a value is not an item.
pub enum NotAnItem {
    /// It is of another type.
    Type,
    /// It is too large or too small: the least and the largest one.
    Range(BigInt, BigInt),
    /// Asking for its value raised.
    Raised(Raised),
}

/// The bytes of a value as an item.
pub fn write_item(vm: &mut dyn Vm, format: u8, value: &Value) -> Result<Vec<u8>, NotAnItem> {
    let size = item_size(format).unwrap_or(1);
    match format {
        b'?' => match ops::truth(vm, value) {
            Ok(truth) => Ok(vec![u8::from(truth)]),
            Err(raised) => Err(NotAnItem::Raised(raised)),
        },
        b'c' => match value.as_bytes() {
            Some(byte) if byte.len() == 1 => Ok(byte.to_vec()),
            _ => Err(NotAnItem::Type),
        },
        b'f' | b'd' => {
            let number = match value.as_f64() {
                Some(number) => number,
                None => match ops::special(value, name!("__float__"))
                    .or_else(|| ops::special(value, name!("__index__")))
                {
                    Some(method) => ops::call_special(vm, &method, value, &[])
                        .map_err(NotAnItem::Raised)?
                        .as_f64()
                        .ok_or(NotAnItem::Type)?,
                    None => return Err(NotAnItem::Type),
                },
            };
            Ok(match format {
                b'f' => (number as f32).to_le_bytes().to_vec(),
                _ => number.to_le_bytes().to_vec(),
            })
        }
        _ => {
            let number = match value.as_bigint() {
                Some(number) => number,
                None => match ops::special(value, name!("__index__")) {
                    Some(method) => ops::call_special(vm, &method, value, &[])
                        .map_err(NotAnItem::Raised)?
                        .as_bigint()
                        .ok_or(NotAnItem::Type)?,
                    None => return Err(NotAnItem::Type),
                },
            };
            let bits = 8 * size as u32;
            let span = BigInt::from(1) << bits;
            let signed = format.is_ascii_lowercase();
            let low = if signed {
                -(BigInt::from(1) << (bits - 1))
            } else {
                BigInt::from(0)
            };
            let high: BigInt = &low + &span - 1;
            if number < low || number > high {
                return Err(NotAnItem::Range(low, high));
            }
            let wrapped = if number.sign() == Sign::Minus {
                number + span
            } else {
                number
            };
            let raw = wrapped.to_u64().unwrap_or(0).to_le_bytes();
            Ok(raw.get(..size).unwrap_or_default().to_vec())
        }
    }
}
