//! Text encodings.
//!
//! In: text or bytes, the name of an encoding, what to do about errors. Out: the other form.
//! Always: `str.encode` and `bytes.decode` of the object crate and files agree on the names.

use janus_object::{Args, PyResult, Value, Vm, name};

/// `bytes.decode(encoding, errors)`
pub(crate) fn decode(
    vm: &mut dyn Vm,
    bytes: Vec<u8>,
    encoding: &str,
    errors: &str,
) -> PyResult<String> {
    // The usual case needs neither a bytes object nor a call.
    if is_utf8(encoding) {
        match String::from_utf8(bytes) {
            Ok(text) => return janus_object::text::decoded(text),
            Err(e) => return decode_slowly(vm, e.into_bytes(), encoding, errors),
        }
    }
    decode_slowly(vm, bytes, encoding, errors)
}

fn decode_slowly(
    vm: &mut dyn Vm,
    bytes: Vec<u8>,
    encoding: &str,
    errors: &str,
) -> PyResult<String> {
    let text = vm.call_method(
        &Value::bytes(bytes),
        name!("decode"),
        Args::new(&[Value::str(encoding), Value::str(errors)]),
    )?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

/// `str.encode(encoding, errors)`
pub(crate) fn encode(
    vm: &mut dyn Vm,
    text: &str,
    encoding: &str,
    errors: &str,
) -> PyResult<Vec<u8>> {
    if is_utf8(encoding) && !janus_bytecode::surrogate::has_surrogates(text) {
        return Ok(text.as_bytes().to_vec());
    }
    let bytes = vm.call_method(
        &Value::str(text),
        name!("encode"),
        Args::new(&[Value::str(encoding), Value::str(errors)]),
    )?;
    crate::support::bytes_like(&bytes)
}

/// Whether files know where lines and characters of an encoding end.
pub(super) fn is_simple(encoding: &str) -> bool {
    let plain: String = encoding
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    [
        "utf8", "ascii", "usascii", "latin1", "iso88591", "l1", "locale",
    ]
    .iter()
    .any(|known| plain.eq_ignore_ascii_case(known))
}

/// Whether this names UTF-8, which is the locale's encoding, too.
fn is_utf8(encoding: &str) -> bool {
    ["utf-8", "utf8", "utf_8", "locale"]
        .iter()
        .any(|known| encoding.eq_ignore_ascii_case(known))
}
