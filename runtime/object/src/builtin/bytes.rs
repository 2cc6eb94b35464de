//! `bytes` and `bytearray`.
//!
//! In: arguments of calls. Out: constructors and methods. Always: a method of one gives a value
//! of the same kind.

use crate::native::wrong_self;
use crate::{
    Args, ExcKind, NativeDef, PyBytes, PyRef, PyResult, Raised, Signature, Value, Vm, memory, ops,
    types,
};

use super::int::{class_argument, wrap};
use super::string::codec_argument;

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("bytes.__new__", new),
    NativeDef::class_method("bytes.fromhex", from_hex),
    NativeDef::method("bytes.decode", decode),
    NativeDef::method("bytes.hex", hex),
    NativeDef::method("bytes.find", find),
    NativeDef::method("bytes.rfind", rfind),
    NativeDef::method("bytes.index", index),
    NativeDef::method("bytes.rindex", rindex),
    NativeDef::method("bytes.count", count),
    NativeDef::method("bytes.startswith", startswith),
    NativeDef::method("bytes.endswith", endswith),
    NativeDef::method("bytes.join", join),
    NativeDef::method("bytes.split", split),
    NativeDef::method("bytes.replace", replace),
    NativeDef::method("bytes.strip", strip),
    NativeDef::method("bytes.lower", lower),
    NativeDef::method("bytes.upper", upper),
    NativeDef::method("bytes.__bytes__", itself),
];

pub(crate) const BYTEARRAY: &[NativeDef] = &[
    NativeDef::function("bytearray.__new__", new_mutable),
    NativeDef::method("bytearray.__init__", init_mutable),
    NativeDef::method("bytearray.__reduce__", reduce_mutable),
    NativeDef::method("bytearray.__reduce_ex__", reduce_mutable),
    NativeDef::class_method("bytearray.fromhex", from_hex),
    NativeDef::method("bytearray.decode", decode),
    NativeDef::method("bytearray.hex", hex),
    NativeDef::method("bytearray.find", find),
    NativeDef::method("bytearray.rfind", rfind),
    NativeDef::method("bytearray.index", index),
    NativeDef::method("bytearray.rindex", rindex),
    NativeDef::method("bytearray.count", count),
    NativeDef::method("bytearray.startswith", startswith),
    NativeDef::method("bytearray.endswith", endswith),
    NativeDef::method("bytearray.join", join),
    NativeDef::method("bytearray.split", split),
    NativeDef::method("bytearray.replace", replace),
    NativeDef::method("bytearray.strip", strip),
    NativeDef::method("bytearray.lower", lower),
    NativeDef::method("bytearray.upper", upper),
    NativeDef::method("bytearray.append", append),
    NativeDef::method("bytearray.extend", extend),
    NativeDef::method("bytearray.pop", pop),
    NativeDef::method("bytearray.clear", clear),
    NativeDef::method("bytearray.copy", copy),
    NativeDef::method("bytearray.reverse", reverse),
];

fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRef<PyBytes>> {
    v.as_bytes().ok_or_else(|| wrong_self(method, "bytes", v))
}

/// The same where nobody looks at the bytes.
fn resizable<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRef<PyBytes>> {
    let bytes = own(v, method)?;
    bytes.check_resizable()?;
    Ok(bytes)
}

fn same_kind(like: &PyBytes, data: Vec<u8>) -> Value {
    Value::Bytes(PyRef::new(PyBytes::new(data, like.mutable)))
}

static NEW: Signature<3> = Signature::new("bytes", ["source", "encoding", "errors"]).required(0);
static NEW_MUTABLE: Signature<3> =
    Signature::new("bytearray", ["source", "encoding", "errors"]).required(0);

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "bytes.__new__")?;
    let data = construct(vm, rest, false)?;
    wrap(class, &types().bytes, Value::bytes(data))
}

fn new_mutable(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, _) = class_argument(args, "bytearray.__new__")?;
    wrap(
        class,
        &types().bytearray,
        Value::Bytes(PyRef::new(PyBytes::new(Vec::new(), true))),
    )
}

fn init_mutable(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("bytearray.__init__")?;
    let data = construct(vm, rest, true)?;
    resizable(this, "__init__")?.with_mut(|bytes| *bytes = data);
    Ok(Value::None)
}

/// How a bytearray is copied and pickled: protocols before 3 have no bytes.
fn reduce_mutable(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("bytearray.__reduce__")?;
    let protocol = match rest.between("__reduce_ex__", 0, 1)? {
        [protocol] => ops::as_index(vm, protocol)?,
        _ => 2,
    };
    let data = own(this, "__reduce__")?.to_vec();
    let made_of = match protocol {
        3.. => vec![Value::bytes(data)],
        _ => {
            let text: String = data.iter().map(|&b| char::from(b)).collect();
            vec![Value::str(text), Value::str("latin-1")]
        }
    };
    let class = Value::Class(crate::class_of(this));
    let state = super::object::getstate(vm, Args::new(std::slice::from_ref(this)))?;
    Ok(Value::tuple(vec![class, Value::tuple(made_of), state]))
}

fn construct(vm: &mut dyn Vm, args: Args<'_>, mutable: bool) -> PyResult<Vec<u8>> {
    let signature = if mutable { &NEW_MUTABLE } else { &NEW };
    let [source, encoding, errors] = signature.parse(args)?;
    let kind = if mutable { "bytearray" } else { "bytes" };
    for (given, what) in [(&encoding, "encoding"), (&errors, "errors")] {
        if let Some(given) = given
            && given.as_str().is_none()
        {
            return Err(Raised::type_error(format!(
                "{kind}() argument '{what}' must be str, not {}",
                given.type_name()
            )));
        }
    }
    let given = match (&encoding, &errors) {
        (Some(_), _) => Some("encoding"),
        (None, Some(_)) => Some("errors"),
        (None, None) => None,
    };
    if let Some(given) = given
        && source
            .as_ref()
            .is_none_or(|source| source.as_str().is_none())
    {
        return Err(Raised::type_error(format!(
            "{given} without a string argument"
        )));
    }
    let Some(source) = source else {
        return Ok(Vec::new());
    };
    // A bytearray does not ask.
    if !mutable
        && given.is_none()
        && !matches!(source, Value::Bytes(_) | Value::Str(_))
        && let Some(method) = ops::special(&source, crate::name!("__bytes__"))
    {
        let result = ops::call_special(vm, &method, &source, &[])?;
        return match result.as_bytes() {
            Some(bytes) => Ok(bytes.to_vec()),
            None => Err(Raised::type_error(format!(
                "__bytes__ returned non-bytes (type {})",
                result.type_name()
            ))),
        };
    }
    if let Some(s) = source.as_str() {
        if given.is_none() {
            return Err(Raised::type_error("string argument without an encoding"));
        }
        return super::string::encode_str(vm, s, encoding.as_ref(), errors.as_ref());
    }
    let size = match source.as_int() {
        Some(n) => Some(n),
        None if ops::special(&source, crate::name!("__index__")).is_some() => {
            let size = ops::index(vm, &source)?;
            Some(size.as_int().ok_or_else(|| {
                Raised::overflow_error(format!(
                    "cannot fit '{}' into an index-sized integer",
                    source.type_name()
                ))
            })?)
        }
        None => None,
    };
    if let Some(n) = size {
        return match usize::try_from(n) {
            Ok(n) => memory::copies(0, n),
            Err(_) => Err(Raised::value_error("negative count")),
        };
    }
    to_bytes_named(vm, &source, kind)
}

/// The bytes of a bytes-like object or of an iterable of ints.
pub(crate) fn to_bytes(vm: &mut dyn Vm, v: &Value) -> PyResult<Vec<u8>> {
    if let Some(bytes) = crate::buffer::buffer_bytes(v) {
        return Ok(bytes);
    }
    to_bytes_named(vm, v, "bytearray")
}

fn to_bytes_named(vm: &mut dyn Vm, v: &Value, kind: &str) -> PyResult<Vec<u8>> {
    if let Some(bytes) = crate::buffer::buffer_bytes(v) {
        return Ok(bytes);
    }
    let iterates = [crate::name!("__iter__"), crate::name!("__getitem__")];
    if v.as_str().is_some() || iterates.iter().all(|name| ops::special(v, name).is_none()) {
        return Err(Raised::type_error(format!(
            "cannot convert '{}' object to {kind}",
            v.type_name()
        )));
    }
    // One by one, since an element may change what it is in.
    let what = if kind == "bytes" { "bytes" } else { "byte" };
    let it = ops::iter(vm, v)?;
    let mut data = Vec::new();
    while let Some(item) = ops::next(vm, &it)? {
        data.push(to_byte_named(vm, &item, what)?);
    }
    Ok(data)
}

/// An int as an element of a bytearray.
pub(crate) fn to_byte(vm: &mut dyn Vm, v: &Value) -> PyResult<u8> {
    to_byte_named(vm, v, "byte")
}

fn to_byte_named(vm: &mut dyn Vm, v: &Value, what: &str) -> PyResult<u8> {
    let n = ops::index(vm, v)?.as_int().unwrap_or(-1);
    u8::try_from(n).map_err(|_| Raised::value_error(format!("{what} must be in range(0, 256)")))
}

/// `item in bytes`
pub(crate) fn contains(vm: &mut dyn Vm, bytes: &PyBytes, item: &Value) -> PyResult<bool> {
    if let Some(part) = crate::buffer::buffer_bytes(item) {
        return Ok(position(&bytes.bytes(), &part).is_some());
    }
    if ops::special(item, crate::name!("__index__")).is_none() {
        return Err(Raised::type_error(format!(
            "a bytes-like object is required, not '{}'",
            item.type_name()
        )));
    }
    let byte = to_byte(vm, item)?;
    Ok(bytes.bytes().contains(&byte))
}

fn position(data: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    data.windows(part.len()).position(|window| window == part)
}

fn itself(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("bytes.__bytes__")?;
    Ok(Value::Bytes(own(this, "__bytes__")?.clone()))
}

/// What Python takes for white space in bytes.
fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\x0b'
}

fn from_hex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, [source]) = args.method::<1>("bytes.fromhex")?;
    let Some(source) = source.as_str() else {
        return Err(Raised::type_error("fromhex() argument must be str"));
    };
    // Spaces may stand between bytes, not inside of one.
    let mut digits = source.chars().enumerate();
    let mut data = Vec::with_capacity(source.len() / 2);
    let wrong = |at: usize| {
        Raised::value_error(format!(
            "non-hexadecimal number found in fromhex() arg at position {at}"
        ))
    };
    while let Some((at, first)) = digits.find(|(_, c)| !is_space(*c)) {
        let high = first.to_digit(16).ok_or_else(|| wrong(at))?;
        let (at, second) = digits.next().unwrap_or((at + 1, ' '));
        let low = second.to_digit(16).ok_or_else(|| wrong(at))?;
        data.push((high << 4 | low) as u8);
    }
    let mutable = matches!(class, Value::Class(c) if c.is_subclass_of(&types().bytearray));
    match class {
        Value::Class(class) if class.flags.get().mutable => {
            let given = Value::bytes(data);
            vm.call(&Value::Class(class.clone()), Args::new(&[given]))
        }
        _ => Ok(Value::Bytes(PyRef::new(PyBytes::new(data, mutable)))),
    }
}

static DECODE: Signature<2> = Signature::new("decode", ["encoding", "errors"]).required(0);

fn decode(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [encoding, errors]) = DECODE.parse_method(args)?;
    let bytes = own(this, "decode")?;
    let data = bytes.bytes().to_vec();
    decode_bytes(vm, &data, encoding.as_ref(), errors.as_ref())
}

/// `bytes.decode(encoding, errors)`
pub(crate) fn decode_bytes(
    vm: &mut dyn Vm,
    data: &[u8],
    encoding: Option<&Value>,
    errors: Option<&Value>,
) -> PyResult {
    let name = codec_argument(encoding, "decode", "encoding")?.unwrap_or("utf-8");
    let errors = codec_argument(errors, "decode", "errors")?.unwrap_or("strict");
    let fail = |codec: &str, at: std::ops::Range<usize>, reason: &str| {
        let object = Value::bytes(data.to_vec());
        Raised::unicode_error(ExcKind::UnicodeDecodeError, codec, object, at, reason)
    };
    let known = matches!(errors, "strict" | "ignore" | "replace");
    match super::string::normal_encoding(name).as_str() {
        "utf8" if known || std::str::from_utf8(data).is_ok() => {
            let mut out = String::with_capacity(data.len());
            let mut rest = data;
            while !rest.is_empty() {
                let error = match std::str::from_utf8(rest) {
                    Ok(valid) => {
                        out.push_str(valid);
                        break;
                    }
                    Err(error) => error,
                };
                let (valid, bad) = rest.split_at(error.valid_up_to());
                out.push_str(std::str::from_utf8(valid).unwrap_or_default());
                let at = data.len() - bad.len();
                match errors {
                    "ignore" => {}
                    "replace" => out.push('\u{fffd}'),
                    _ => {
                        let byte = bad.first().copied().unwrap_or(0);
                        let reason = match error.error_len() {
                            None => "unexpected end of data",
                            Some(_) if (0x80..0xc2).contains(&byte) || byte > 0xf4 => {
                                "invalid start byte"
                            }
                            Some(_) => "invalid continuation byte",
                        };
                        let length = error.error_len().unwrap_or(bad.len());
                        return Err(fail("utf-8", at..at + length, reason));
                    }
                }
                rest = bad
                    .get(error.error_len().unwrap_or(bad.len())..)
                    .unwrap_or_default();
            }
            crate::text::decoded(out).map(Value::from)
        }
        "ascii" | "usascii" if known || data.is_ascii() => {
            let mut out = String::with_capacity(data.len());
            for (at, &byte) in data.iter().enumerate() {
                match (byte < 0x80, errors) {
                    (true, _) => out.push(char::from(byte)),
                    (false, "ignore") => {}
                    (false, "replace") => out.push('\u{fffd}'),
                    _ => return Err(fail("ascii", at..at + 1, "ordinal not in range(128)")),
                }
            }
            Ok(Value::from(out))
        }
        "latin1" | "iso88591" | "l1" => {
            let text = encoding_rs::mem::decode_latin1(data);
            Ok(Value::from(text.into_owned()))
        }
        "rawunicodeescape" => super::escapes::decode(data, true),
        "unicodeescape" => super::escapes::decode(data, false),
        _ => {
            let object = Value::bytes(data.to_vec());
            super::string::by_codecs(vm, crate::name!("decode_text"), object, name, errors)
        }
    }
}

static HEX: Signature<2> = Signature::new("hex", ["sep", "bytes_per_sep"]).required(0);

fn hex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("bytes.hex")?;
    let [separator, every] = HEX.parse(rest)?;
    let separator = match &separator {
        None => None,
        Some(sep) => {
            let mut chars = match (sep.as_str(), sep.as_bytes()) {
                (Some(s), _) => s.chars().collect::<Vec<char>>().into_iter(),
                (_, Some(b)) => {
                    let chars: Vec<char> = b.bytes().iter().map(|&b| char::from(b)).collect();
                    chars.into_iter()
                }
                _ => return Err(Raised::type_error("sep must be str or bytes.")),
            };
            match (chars.next(), chars.next()) {
                (Some(c), None) if c.is_ascii() => Some(c),
                (Some(_), None) => return Err(Raised::value_error("sep must be ASCII.")),
                _ => return Err(Raised::value_error("sep must be length 1.")),
            }
        }
    };
    let every = match every {
        Some(every) => ops::as_index(vm, &every)?,
        None => 1,
    };
    let data = own(this, "hex")?.to_vec();
    let size = usize::try_from(every.unsigned_abs()).unwrap_or(usize::MAX);
    let mut out = String::with_capacity(2 * data.len());
    for (i, byte) in data.iter().enumerate() {
        // Groups are counted from the right, with a negative size from the left.
        let before = if every < 0 { i } else { data.len() - i };
        if let Some(separator) = separator
            && i > 0
            && size > 0
            && before % size == 0
        {
            out.push(separator);
        }
        out.push_str(&format!("{byte:02x}"));
    }
    Ok(Value::from(out))
}

/// What `find`, `index` and `count` look for: bytes, or one byte as an int.
fn needle(vm: &mut dyn Vm, v: &Value) -> PyResult<Vec<u8>> {
    if let Some(bytes) = crate::buffer::buffer_bytes(v) {
        return Ok(bytes);
    }
    if ops::special(v, crate::name!("__index__")).is_none() {
        return Err(Raised::type_error(format!(
            "argument should be integer or bytes-like object, not '{}'",
            v.type_name()
        )));
    }
    Ok(vec![to_byte_named(vm, v, "byte")?])
}

/// A bytes-like argument.
fn part(v: Option<&Value>) -> PyResult<Vec<u8>> {
    crate::buffer::bytes_like(v.unwrap_or(&Value::None))
}

/// Where a part first or last occurs, in the range that the arguments tell.
fn search(
    vm: &mut dyn Vm,
    args: Args<'_>,
    method: &'static str,
    last: bool,
) -> PyResult<Option<usize>> {
    let (this, rest) = args.split_self(method)?;
    let rest = rest.between(method, 1, 3)?;
    let length = own(this, method)?.bytes().len();
    let (start, end) = super::list::search_range(vm, rest, length)?;
    let needle = needle(vm, rest.first().unwrap_or(&Value::None))?;
    let data = own(this, method)?.bytes();
    let found = data.get(start..end).and_then(|window| match last {
        true if needle.is_empty() => Some(window.len()),
        true => window.windows(needle.len()).rposition(|w| w == needle),
        false => position(window, &needle),
    });
    Ok(found.map(|at| at + start))
}

fn find(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(search(vm, args, "find", false)?.map_or(Value::Int(-1), Value::from))
}

fn rfind(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(search(vm, args, "rfind", true)?.map_or(Value::Int(-1), Value::from))
}

fn not_found() -> Raised {
    Raised::value_error("subsection not found")
}

fn index(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let found = search(vm, args, "index", false)?;
    found.map(Value::from).ok_or_else(not_found)
}

fn rindex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let found = search(vm, args, "rindex", true)?;
    found.map(Value::from).ok_or_else(not_found)
}

fn count(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("bytes.count")?;
    let rest = rest.between("count", 1, 3)?;
    let length = own(this, "count")?.bytes().len();
    let (start, end) = super::list::search_range(vm, rest, length)?;
    let needle = needle(vm, rest.first().unwrap_or(&Value::None))?;
    let data = own(this, "count")?.bytes();
    let Some(window) = data.get(start..end) else {
        return Ok(Value::Int(0));
    };
    if needle.is_empty() {
        return Ok(Value::from(window.len() + 1));
    }
    let (mut n, mut rest) = (0, window);
    while let Some(at) = position(rest, &needle) {
        n += 1;
        rest = rest.get(at + needle.len()..).unwrap_or_default();
    }
    Ok(Value::Int(n))
}

fn affix(
    vm: &mut dyn Vm,
    args: Args<'_>,
    method: &'static str,
    test: fn(&[u8], &[u8]) -> bool,
) -> PyResult {
    let (this, rest) = args.split_self(method)?;
    let rest = rest.between(method, 1, 3)?;
    let length = own(this, method)?.bytes().len();
    let wanted = rest.first().unwrap_or(&Value::None);
    let options: Vec<Value> = match wanted.as_tuple() {
        Some(tuple) => tuple.items.to_vec(),
        None if crate::buffer::buffer_bytes(wanted).is_none() => {
            return Err(Raised::type_error(format!(
                "{method} first arg must be bytes or a tuple of bytes, not {}",
                wanted.type_name()
            )));
        }
        None => vec![wanted.clone()],
    };
    let (start, end) = super::list::search_range(vm, rest, length)?;
    let data = own(this, method)?.bytes();
    let Some(window) = data.get(start..end) else {
        return Ok(Value::bool(false));
    };
    for option in &options {
        if test(window, &part(Some(option))?) {
            return Ok(Value::bool(true));
        }
    }
    Ok(Value::bool(false))
}

fn startswith(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    affix(vm, args, "startswith", |data, part| data.starts_with(part))
}

fn endswith(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    affix(vm, args, "endswith", |data, part| data.ends_with(part))
}

fn join(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [iterable]) = args.method::<1>("bytes.join")?;
    let sep = own(this, "join")?.clone();
    let mut out = Vec::new();
    for (i, item) in ops::collect(vm, iterable)?.iter().enumerate() {
        let Some(bytes) = crate::buffer::buffer_bytes(item) else {
            return Err(Raised::type_error(format!(
                "sequence item {i}: expected a bytes-like object, {} found",
                item.type_name()
            )));
        };
        memory::grow(&mut out, sep.bytes().len() + bytes.len())?;
        if i > 0 {
            out.extend_from_slice(&sep.bytes());
        }
        out.extend_from_slice(&bytes);
    }
    Ok(same_kind(&sep, out))
}

static SPLIT: Signature<2> = Signature::new("split", ["sep", "maxsplit"]).required(0);

fn split(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [sep, limit]) = SPLIT.parse_method(args)?;
    let bytes = own(this, "split")?;
    let data = bytes.to_vec();
    let limit = match limit {
        Some(limit) => usize::try_from(ops::as_index(vm, &limit)?).unwrap_or(usize::MAX),
        None => usize::MAX,
    };
    let mut parts = Vec::new();
    match sep.filter(|s| !s.is_none()) {
        None => {
            let is_space = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
            let mut rest = data.as_slice();
            while let Some(start) = rest.iter().position(|b| !is_space(b)) {
                rest = &rest[start..];
                let end = match rest.iter().position(is_space) {
                    Some(end) if parts.len() < limit => end,
                    _ => rest.len(),
                };
                parts.push(same_kind(bytes, rest[..end].to_vec()));
                rest = &rest[end..];
            }
        }
        Some(sep) => {
            let sep = part(Some(&sep))?;
            if sep.is_empty() {
                return Err(Raised::value_error("empty separator"));
            }
            let mut rest = data.as_slice();
            while parts.len() < limit
                && let Some(at) = position(rest, &sep)
            {
                let (head, tail) = rest.split_at(at);
                parts.push(same_kind(bytes, head.to_vec()));
                rest = tail.get(sep.len()..).unwrap_or_default();
            }
            parts.push(same_kind(bytes, rest.to_vec()));
        }
    }
    Ok(Value::list(parts))
}

fn replace(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("bytes.replace")?;
    let rest = rest.between("replace", 2, 3)?;
    let bytes = own(this, "replace")?;
    let (from, to) = (part(rest.first())?, part(rest.get(1))?);
    let mut left = match rest.get(2) {
        Some(limit) => usize::try_from(ops::as_index(vm, limit)?).unwrap_or(usize::MAX),
        None => usize::MAX,
    };
    let data = bytes.to_vec();
    let mut out = memory::room(data.len())?;
    let mut rest = data.as_slice();
    // What is empty is found before each byte, and at the end.
    while left > 0
        && let Some(at) = position(rest, &from)
    {
        left -= 1;
        let kept = if from.is_empty() { 1 } else { at }.min(rest.len());
        memory::grow(&mut out, kept + to.len())?;
        if from.is_empty() {
            out.extend_from_slice(&to);
            out.extend_from_slice(&rest[..kept]);
            if rest.is_empty() {
                return Ok(same_kind(bytes, out));
            }
            rest = &rest[kept..];
        } else {
            out.extend_from_slice(&rest[..kept]);
            out.extend_from_slice(&to);
            rest = &rest[kept + from.len()..];
        }
    }
    out.extend_from_slice(rest);
    Ok(same_kind(bytes, out))
}

fn strip(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("bytes.strip")?;
    let bytes = own(this, "strip")?;
    let set = match rest.between("strip", 0, 1)? {
        [] | [Value::None] => b" \t\n\r\x0b\x0c".to_vec(),
        [chars, ..] => part(Some(chars))?,
    };
    let data = bytes.to_vec();
    let start = data
        .iter()
        .position(|b| !set.contains(b))
        .unwrap_or(data.len());
    let end = data
        .iter()
        .rposition(|b| !set.contains(b))
        .map_or(start, |i| i + 1);
    if end - start == data.len() && !bytes.mutable {
        return Ok(Value::Bytes(bytes.clone()));
    }
    Ok(same_kind(
        bytes,
        data.get(start..end).unwrap_or_default().to_vec(),
    ))
}

fn lower(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("bytes.lower")?;
    let bytes = own(this, "lower")?;
    Ok(same_kind(bytes, bytes.bytes().to_ascii_lowercase()))
}

fn upper(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("bytes.upper")?;
    let bytes = own(this, "upper")?;
    Ok(same_kind(bytes, bytes.bytes().to_ascii_uppercase()))
}

fn append(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("bytearray.append")?;
    let byte = to_byte(vm, item)?;
    resizable(this, "append")?.with_mut(|data| data.push(byte));
    Ok(Value::None)
}

fn extend(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [items]) = args.method::<1>("bytearray.extend")?;
    let new = to_bytes(vm, items)?;
    resizable(this, "extend")?.with_mut(|data| data.extend_from_slice(&new));
    Ok(Value::None)
}

fn pop(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("bytearray.pop")?;
    let bytes = resizable(this, "pop")?;
    let index = match rest.between("pop", 0, 1)? {
        [index] => ops::as_index(vm, index)?,
        _ => -1,
    };
    if bytes.is_empty() {
        return Err(Raised::index_error("pop from empty bytearray"));
    }
    let len = bytes.len() as i64;
    let at = if index < 0 { index + len } else { index };
    if !(0..len).contains(&at) {
        return Err(Raised::index_error("pop index out of range"));
    }
    Ok(Value::Int(i64::from(
        bytes.with_mut(|data| data.remove(at as usize)),
    )))
}

fn clear(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("bytearray.clear")?;
    resizable(this, "clear")?.with_mut(Vec::clear);
    Ok(Value::None)
}

fn copy(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("bytearray.copy")?;
    let bytes = own(this, "copy")?;
    Ok(same_kind(bytes, bytes.to_vec()))
}

fn reverse(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("bytearray.reverse")?;
    own(this, "reverse")?.with_mut(|data| data.reverse());
    Ok(Value::None)
}
