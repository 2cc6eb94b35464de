//! The methods of `bytes` and `bytearray` that are those of ASCII text.
//!
//! In: arguments of calls. Out: what the method of `str` gives, as bytes. Always: a byte stands for
//! one code point, those above 127 for code points that are neither letters, digits nor space, so
//! positions agree and nothing but ASCII is treated as text.

use crate::native::wrong_self;
use crate::{Args, Name, NativeDef, PyBytes, PyRef, PyResult, Raised, Value, Vm, name, ops};

/// Stands for a byte above 127: a code point for private use.
const PRIVATE: u32 = 0xe000;

/// What `bytes` means by white space.
const SPACE: &str = " \t\n\r\x0b\x0c";

macro_rules! text_methods {
    ($($table:ident $class:literal;)*) => {
        $(
            pub(crate) const $table: &[NativeDef] = &[
                text_methods!(@ $class "capitalize"),
                text_methods!(@ $class "center"),
                text_methods!(@ $class "expandtabs"),
                text_methods!(@ $class "isalnum"),
                text_methods!(@ $class "isalpha"),
                text_methods!(@ $class "isdigit"),
                text_methods!(@ $class "islower"),
                text_methods!(@ $class "isspace"),
                text_methods!(@ $class "istitle"),
                text_methods!(@ $class "isupper"),
                text_methods!(@ $class "ljust"),
                text_methods!(@ $class "partition"),
                text_methods!(@ $class "removeprefix"),
                text_methods!(@ $class "removesuffix"),
                text_methods!(@ $class "rjust"),
                text_methods!(@ $class "rpartition"),
                text_methods!(@ $class "rsplit"),
                text_methods!(@ $class "swapcase"),
                text_methods!(@ $class "title"),
                text_methods!(@ $class "zfill"),
                NativeDef::method(concat!($class, ".lstrip"), |vm, args| strip(vm, args, name!("lstrip"))),
                NativeDef::method(concat!($class, ".rstrip"), |vm, args| strip(vm, args, name!("rstrip"))),
                NativeDef::method(concat!($class, ".isascii"), is_ascii),
                NativeDef::method(concat!($class, ".splitlines"), split_lines),
                NativeDef::method(concat!($class, ".translate"), translate),
                NativeDef::function(concat!($class, ".maketrans"), make_table),
            ];
        )*
    };
    (@ $class:literal $method:literal) => {
        NativeDef::method(concat!($class, ".", $method), |vm, args| delegate(vm, args, name!($method)))
    };
}

text_methods! {
    BYTES "bytes";
    BYTEARRAY "bytearray";
}

fn own<'a>(args: &Args<'a>, method: &str) -> PyResult<&'a PyRef<PyBytes>> {
    let this = args.pos.first().unwrap_or(&Value::None);
    this.as_bytes()
        .ok_or_else(|| wrong_self(method, "bytes", this))
}

fn text_of(bytes: &PyBytes) -> Value {
    let char_of = |b: &u8| match *b {
        ascii @ ..0x80 => char::from(ascii),
        // In range: the block has more than 256 code points.
        high => char::from_u32(PRIVATE + u32::from(high)).unwrap_or('\u{e000}'),
    };
    Value::str(bytes.bytes().iter().map(char_of).collect::<String>())
}

/// The result of a text method with every text in it turned into bytes.
fn from_text(value: Value, like: &PyBytes) -> Value {
    match &value {
        Value::Str(text) => {
            let data: Vec<u8> = text.chars().map(|c| (u32::from(c) & 0xff) as u8).collect();
            Value::Bytes(PyRef::new(PyBytes::new(data, like.mutable)))
        }
        Value::List(list) => Value::list(
            list.to_vec()
                .into_iter()
                .map(|item| from_text(item, like))
                .collect(),
        ),
        Value::Tuple(tuple) => {
            let items: Vec<Value> = tuple
                .items
                .iter()
                .map(|item| from_text(item.clone(), like))
                .collect();
            Value::tuple(items)
        }
        _ => value,
    }
}

fn argument(value: &Value) -> PyResult {
    match crate::buffer::buffer_bytes(value) {
        Some(bytes) => Ok(text_of(&PyBytes::new(bytes, false))),
        None if value.as_str().is_some() => Err(Raised::type_error(
            "a bytes-like object is required, not 'str'",
        )),
        None => Ok(value.clone()),
    }
}

/// Calls the method of `str`.
fn delegate(vm: &mut dyn Vm, args: Args<'_>, method: &Name) -> PyResult {
    let bytes = own(&args, method.as_str())?.clone();
    // White space of bytes is that of ASCII.
    let separator = args.pos.get(1).or_else(|| {
        let named = args.kw.iter().find(|(key, _)| key == crate::name!("sep"));
        named.map(|(_, value)| value)
    });
    if method.as_str() == "rsplit" && separator.is_none_or(Value::is_none) {
        return split_at_spaces(vm, &args, &bytes);
    }
    let mut pos = Vec::with_capacity(args.pos.len());
    for value in args.pos.iter().skip(1) {
        pos.push(argument(value)?);
    }
    let mut kw = Vec::with_capacity(args.kw.len());
    for (key, value) in args.kw {
        kw.push((key.clone(), argument(value)?));
    }
    let result = vm.call_method(&text_of(&bytes), method, Args::with_kw(&pos, &kw))?;
    Ok(from_text(result, &bytes))
}

/// `rsplit` at white space: what is no space to bytes is put in the place of what is one to text only.
fn split_at_spaces(vm: &mut dyn Vm, args: &Args<'_>, bytes: &PyBytes) -> PyResult {
    const KEPT: [(u8, char); 6] = [
        (0x1c, '\u{e01c}'),
        (0x1d, '\u{e01d}'),
        (0x1e, '\u{e01e}'),
        (0x1f, '\u{e01f}'),
        (0x85, '\u{e085}'),
        (0xa0, '\u{e0a0}'),
    ];
    let text: String = (bytes.bytes().iter())
        .map(|b| match KEPT.iter().find(|(byte, _)| byte == b) {
            Some((_, c)) => *c,
            None => char::from(*b),
        })
        .collect();
    let pos: Vec<Value> = args.pos.iter().skip(1).cloned().collect();
    let rest = Args::with_kw(&pos, args.kw);
    let parts = vm.call_method(&Value::str(text), &Name::new("rsplit"), rest)?;
    let parts = parts.as_list().map(|l| l.to_vec()).unwrap_or_default();
    let back = parts.iter().map(|part| {
        let text = part.as_str().unwrap_or("");
        let data: Vec<u8> = text.chars().map(|c| (u32::from(c) & 0xff) as u8).collect();
        Value::Bytes(PyRef::new(PyBytes::new(data, bytes.mutable)))
    });
    Ok(Value::list(back.collect()))
}

/// `lstrip` and `rstrip`: the default is ASCII white space.
fn strip(vm: &mut dyn Vm, args: Args<'_>, method: &Name) -> PyResult {
    let bytes = own(&args, method.as_str())?.clone();
    let (_, rest) = args.split_self(method.as_str())?;
    let chars = match rest.pos {
        [] | [Value::None] => Value::str(SPACE),
        [chars] => argument(chars)?,
        more => {
            return Err(Raised::type_error(format!(
                "{method} expected at most 1 argument, got {}",
                more.len()
            )));
        }
    };
    let stripped = vm.call_method(&text_of(&bytes), method, Args::new(&[chars]))?;
    match from_text(stripped, &bytes) {
        Value::Bytes(same) if same.len() == bytes.len() && !bytes.mutable => {
            Ok(Value::Bytes(bytes))
        }
        stripped => Ok(stripped),
    }
}

fn is_ascii(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.method::<0>("isascii")?;
    Ok(Value::bool(own(&args, "isascii")?.bytes().is_ascii()))
}

fn split_lines(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: crate::Signature<1> =
        crate::Signature::new("splitlines", ["keepends"]).required(0);
    let (_, [keep]) = SIGNATURE.parse_method(args)?;
    let keep = match keep {
        Some(keep) => ops::as_index(vm, &keep)? != 0,
        None => false,
    };
    let bytes = own(&args, "splitlines")?;
    let data = bytes.to_vec();
    let mut lines = Vec::new();
    let mut rest = data.as_slice();
    while !rest.is_empty() {
        let end = rest
            .iter()
            .position(|b| matches!(b, b'\n' | b'\r'))
            .unwrap_or(rest.len());
        let mark = match rest.get(end..).unwrap_or_default() {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        let line = rest
            .get(..end + if keep { mark } else { 0 })
            .unwrap_or_default();
        lines.push(Value::Bytes(PyRef::new(PyBytes::new(line, bytes.mutable))));
        rest = rest.get(end + mark..).unwrap_or_default();
    }
    Ok(Value::list(lines))
}

/// `translate(table, delete=b"")`
fn translate(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: crate::Signature<2> = crate::Signature::new("translate", ["table", "delete"])
        .required(1)
        .positional_only(1);
    let (_, [table, delete]) = SIGNATURE.parse_method(args)?;
    let bytes = own(&args, "translate")?;
    let table = match &table {
        None | Some(Value::None) => None,
        Some(table) if crate::buffer::bytes_like(table)?.len() == 256 => {
            crate::buffer::buffer_bytes(table)
        }
        _ => {
            return Err(Raised::value_error(
                "translation table must be 256 characters long",
            ));
        }
    };
    let delete = delete.map_or(Ok(Vec::new()), |d| crate::buffer::bytes_like(&d))?;
    let map = |b: u8| {
        table
            .as_ref()
            .and_then(|t| t.get(usize::from(b)).copied())
            .unwrap_or(b)
    };
    let data: Vec<u8> = bytes
        .bytes()
        .iter()
        .filter(|b| !delete.contains(b))
        .map(|b| map(*b))
        .collect();
    Ok(Value::Bytes(PyRef::new(PyBytes::new(data, bytes.mutable))))
}

/// `maketrans(from, to)`
fn make_table(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, to] = args.exactly("maketrans")?;
    let (from, to) = (
        crate::buffer::bytes_like(from)?,
        crate::buffer::bytes_like(to)?,
    );
    if from.len() != to.len() {
        return Err(Raised::value_error(
            "maketrans arguments must have same length",
        ));
    }
    let mut table: Vec<u8> = (0..=255).collect();
    for (a, b) in from.iter().zip(to.iter()) {
        if let Some(slot) = table.get_mut(usize::from(*a)) {
            *slot = *b;
        }
    }
    Ok(Value::bytes(table))
}

/// Adds `bytearray.insert` and `remove`, which change it in place.
pub(crate) const CHANGES: &[NativeDef] = &[
    NativeDef::method("bytearray.insert", insert),
    NativeDef::method("bytearray.remove", remove),
];

fn insert(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [at, byte]) = args.method("bytearray.insert")?;
    let (at, byte) = (ops::as_index(vm, at)?, super::bytes::to_byte(vm, byte)?);
    let this = own(&args, "insert")?;
    this.check_resizable()?;
    this.with_mut(|data| {
        let len = data.len() as i64;
        let at = if at < 0 {
            (at + len).max(0)
        } else {
            at.min(len)
        };
        data.insert(at as usize, byte);
    });
    Ok(Value::None)
}

fn remove(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [byte]) = args.method("bytearray.remove")?;
    let byte = super::bytes::to_byte(vm, byte)?;
    let this = own(&args, "remove")?;
    this.check_resizable()?;
    let found = this.with_mut(|data| {
        let at = data.iter().position(|b| *b == byte);
        if let Some(at) = at {
            data.remove(at);
        }
        at.is_some()
    });
    if found {
        Ok(Value::None)
    } else {
        Err(Raised::value_error("value not found in bytearray"))
    }
}
