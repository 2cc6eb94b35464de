//! `str`: constructor, case, classification, padding, encoding, formatting.
//!
//! In: arguments of calls. Out: methods; those that search, split and join are in
//! [`super::string_split`]. Always: positions count code points.

use janus_bytecode::surrogate;

use crate::native::wrong_self;
use crate::text::unicode;
use crate::{
    Args, ExcKind, NativeDef, PyDict, PyRef, PyResult, PyStr, Raised, Signature, Value, Vm, memory,
    ops, text, types,
};

use super::int::{class_argument, wrap};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("str.__new__", new),
    NativeDef::method("str.__str__", to_str),
    NativeDef::method("str.__getnewargs__", new_args),
    NativeDef::method("str.capitalize", capitalize),
    NativeDef::method("str.casefold", casefold),
    NativeDef::method("str.lower", lower).quick(super::quick::str_lower),
    NativeDef::method("str.upper", upper).quick(super::quick::str_upper),
    NativeDef::method("str.swapcase", swapcase),
    NativeDef::method("str.title", title),
    NativeDef::method("str.center", center),
    NativeDef::method("str.ljust", ljust),
    NativeDef::method("str.rjust", rjust),
    NativeDef::method("str.zfill", zfill),
    NativeDef::method("str.expandtabs", expandtabs),
    NativeDef::method("str.encode", encode),
    NativeDef::method("str.format", format),
    NativeDef::method("str.format_map", format_map),
    NativeDef::method("str.isalnum", isalnum).quick(super::quick::str_isalnum),
    NativeDef::method("str.isalpha", isalpha).quick(super::quick::str_isalpha),
    NativeDef::method("str.isascii", isascii),
    NativeDef::method("str.isdecimal", isdecimal),
    NativeDef::method("str.isdigit", isdigit).quick(super::quick::str_isdigit),
    NativeDef::method("str.isidentifier", isidentifier),
    NativeDef::method("str.islower", islower),
    NativeDef::method("str.isnumeric", isnumeric),
    NativeDef::method("str.isprintable", isprintable),
    NativeDef::method("str.isspace", isspace).quick(super::quick::str_isspace),
    NativeDef::method("str.istitle", istitle),
    NativeDef::method("str.isupper", isupper),
    NativeDef::method("str.translate", translate),
    NativeDef::function("str.maketrans", maketrans),
];

/// The string inside `self`.
pub(super) fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRef<PyStr>> {
    v.as_pystr().ok_or_else(|| wrong_self(method, "str", v))
}

/// `self` of a method without arguments.
fn alone<'a>(args: Args<'a>, method: &'static str) -> PyResult<&'a PyRef<PyStr>> {
    let [this] = args.exactly::<1>(method)?;
    own(this, method)
}

static NEW: Signature<3> = Signature::new("str", ["object", "encoding", "errors"]).required(0);

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "str.__new__")?;
    let value = construct(vm, rest)?;
    if PyRef::ptr_eq(class, &types().str) {
        return Ok(value);
    }
    wrap(class, &types().str, value.unwrapped())
}

/// `str(...)`
pub(crate) fn construct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if let ([object], []) = (args.pos, args.kw) {
        return text::str_value(vm, object);
    }
    Ok(match NEW.parse(args)? {
        [None, ..] => Value::str(""),
        [Some(object), None, None] => text::str_value(vm, &object)?,
        [Some(object), encoding, errors] => {
            codec_argument(encoding.as_ref(), "str", "encoding")?;
            codec_argument(errors.as_ref(), "str", "errors")?;
            let Some(bytes) = crate::buffer::buffer_bytes(&object) else {
                return Err(Raised::type_error(if object.as_str().is_some() {
                    "decoding str is not supported".to_owned()
                } else {
                    format!(
                        "decoding to str: need a bytes-like object, {} found",
                        object.type_name()
                    )
                }));
            };
            super::bytes::decode_bytes(vm, &bytes, encoding.as_ref(), errors.as_ref())?
        }
    })
}

fn to_str(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::Str(alone(args, "str.__str__")?.clone()))
}

fn new_args(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::tuple(vec![Value::Str(
        alone(args, "str.__getnewargs__")?.clone(),
    )]))
}

fn lower(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::from(unicode::to_lower(alone(args, "str.lower")?)))
}

fn upper(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::from(unicode::to_upper(alone(args, "str.upper")?)))
}

fn casefold(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::from(unicode::fold(alone(args, "str.casefold")?)))
}

fn capitalize(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let s = alone(args, "str.capitalize")?;
    let mut out = String::with_capacity(s.len());
    for (at, c) in s.char_indices() {
        match at {
            0 => unicode::push_title(&mut out, c),
            _ => unicode::push_lower(&mut out, s, at, c),
        }
    }
    Ok(Value::from(out))
}

fn swapcase(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let s = alone(args, "str.swapcase")?;
    let mut out = String::with_capacity(s.len());
    for (at, c) in s.char_indices() {
        if unicode::is_upper(c) {
            unicode::push_lower(&mut out, s, at, c);
        } else if unicode::is_lower(c) {
            unicode::push_upper(&mut out, c);
        } else {
            out.push(c);
        }
    }
    Ok(Value::from(out))
}

fn title(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let s = alone(args, "str.title")?;
    let mut out = String::with_capacity(s.len());
    let mut inside = false;
    for (at, c) in s.char_indices() {
        if inside {
            unicode::push_lower(&mut out, s, at, c);
        } else {
            unicode::push_title(&mut out, c);
        }
        inside = unicode::is_cased(c);
    }
    Ok(Value::from(out))
}

/// Width and fill character of a padding method.
fn padding(
    vm: &mut dyn Vm,
    args: Args<'_>,
    method: &'static str,
) -> PyResult<(PyRef<PyStr>, usize, char)> {
    let (this, rest) = args.split_self(method)?;
    let s = own(this, method)?.clone();
    let rest = rest.between(method, 1, 2)?;
    let width = match rest.first() {
        Some(width) => ops::as_index(vm, width)?,
        None => 0,
    };
    let fill = match rest.get(1) {
        None => ' ',
        Some(fill) => {
            let Some(fill) = fill.as_str() else {
                return Err(Raised::type_error(format!(
                    "The fill character must be a unicode character, not {}",
                    fill.type_name()
                )));
            };
            let mut chars = fill.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => c,
                _ => {
                    return Err(Raised::type_error(
                        "The fill character must be exactly one character long",
                    ));
                }
            }
        }
    };
    let missing = usize::try_from(width)
        .unwrap_or(0)
        .saturating_sub(s.char_count());
    Ok((s, missing, fill))
}

fn padded(s: &PyStr, left: usize, right: usize, fill: char) -> PyResult {
    let missing = left.saturating_add(right);
    let mut out = memory::text(
        missing
            .saturating_mul(fill.len_utf8())
            .saturating_add(s.len()),
    )?;
    out.extend(std::iter::repeat_n(fill, left));
    out.push_str(s);
    out.extend(std::iter::repeat_n(fill, right));
    Ok(Value::from(out))
}

fn center(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (s, missing, fill) = padding(vm, args, "center")?;
    let width = s.char_count() + missing;
    let left = missing / 2 + (missing & width & 1);
    padded(&s, left, missing - left, fill)
}

fn ljust(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (s, missing, fill) = padding(vm, args, "ljust")?;
    padded(&s, 0, missing, fill)
}

fn rjust(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (s, missing, fill) = padding(vm, args, "rjust")?;
    padded(&s, missing, 0, fill)
}

fn zfill(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [width]) = args.method::<1>("str.zfill")?;
    let s = own(this, "zfill")?;
    let width = usize::try_from(ops::as_index(vm, width)?).unwrap_or(0);
    let missing = width.saturating_sub(s.char_count());
    let (sign, digits) = match s.as_bytes().first() {
        Some(b'+' | b'-') => s.split_at(1),
        _ => ("", s.as_str()),
    };
    let mut out = memory::text(missing.saturating_add(s.len()))?;
    out.push_str(sign);
    out.extend(std::iter::repeat_n('0', missing));
    out.push_str(digits);
    Ok(Value::from(out))
}

static EXPANDTABS: Signature<1> = Signature::new("expandtabs", ["tabsize"]).required(0);

fn expandtabs(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [size]) = EXPANDTABS.parse_method(args)?;
    let size = match size {
        Some(size) => usize::try_from(ops::as_index(vm, &size)?).unwrap_or(0),
        None => 8,
    };
    let mut out = String::new();
    let mut column = 0;
    for c in own(this, "expandtabs")?.chars() {
        match c {
            '\t' if size > 0 => {
                let missing = size - column % size;
                out.try_reserve(missing)
                    .map_err(|_| Raised::memory_error())?;
                out.extend(std::iter::repeat_n(' ', missing));
                column += missing;
            }
            '\t' => {}
            _ => {
                out.push(c);
                column = if matches!(c, '\n' | '\r') {
                    0
                } else {
                    column + 1
                };
            }
        }
    }
    Ok(Value::from(out))
}

static ENCODE: Signature<2> = Signature::new("encode", ["encoding", "errors"]).required(0);

fn encode(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [encoding, errors]) = ENCODE.parse_method(args)?;
    let s = own(this, "encode")?;
    encode_str(vm, s, encoding.as_ref(), errors.as_ref()).map(Value::bytes)
}

/// Asks `_codecs` for an encoding, or for what to do about errors, that is not known here.
pub(super) fn by_codecs(
    vm: &mut dyn Vm,
    function: &crate::Name,
    object: Value,
    encoding: &str,
    errors: &str,
) -> PyResult {
    let module = vm.import("_codecs")?;
    let function = crate::attr::get(vm, &module, function)?;
    let args = [object, Value::str(encoding), Value::str(errors)];
    vm.call(&function, Args::new(&args))
}

/// `text.encode(encoding, errors)`
pub(crate) fn encode_str(
    vm: &mut dyn Vm,
    s: &str,
    encoding: Option<&Value>,
    errors: Option<&Value>,
) -> PyResult<Vec<u8>> {
    let name = codec_argument(encoding, "encode", "encoding")?.unwrap_or("utf-8");
    let (limit, shown) = match normal_encoding(name).as_str() {
        "utf8" | "utf16" | "utf16le" | "utf16be" | "utf32" | "utf32le" | "utf32be"
            if surrogate::has_surrogates(s) =>
        {
            let errors = codec_argument(errors, "encode", "errors")?.unwrap_or("strict");
            return encode_by_codecs(vm, s, name, errors);
        }
        "utf8" => return Ok(s.as_bytes().to_vec()),
        "utf16" | "utf16le" => {
            let mut out = if normal_encoding(name) == "utf16" {
                vec![0xff, 0xfe]
            } else {
                vec![]
            };
            out.extend(s.encode_utf16().flat_map(u16::to_le_bytes));
            return Ok(out);
        }
        "utf16be" => return Ok(s.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        "utf32" | "utf32le" => {
            let mut out = if normal_encoding(name) == "utf32" {
                vec![0xff, 0xfe, 0, 0]
            } else {
                vec![]
            };
            out.extend(s.chars().flat_map(|c| u32::from(c).to_le_bytes()));
            return Ok(out);
        }
        "rawunicodeescape" => return Ok(super::escapes::encode(s, true)),
        "unicodeescape" => return Ok(super::escapes::encode(s, false)),
        "ascii" | "usascii" => (0x7f, "ascii"),
        "latin1" | "iso88591" | "l1" => (0xff, "latin-1"),
        _ => {
            let errors = codec_argument(errors, "encode", "errors")?.unwrap_or("strict");
            return encode_by_codecs(vm, s, name, errors);
        }
    };
    match limit {
        0x7f if s.is_ascii() => return Ok(s.as_bytes().to_vec()),
        0xff if encoding_rs::mem::is_str_latin1(s) => {
            return Ok(encoding_rs::mem::encode_latin1_lossy(s).into_owned());
        }
        _ => {}
    }
    let errors = codec_argument(errors, "encode", "errors")?.unwrap_or("strict");
    let mut out = Vec::with_capacity(s.len());
    for (position, (at, c)) in s.char_indices().enumerate() {
        let code = surrogate::code_of(c);
        if code <= limit {
            out.push(code as u8);
            continue;
        }
        match errors {
            "ignore" => {}
            "replace" => out.push(b'?'),
            "backslashreplace" => out.extend_from_slice(text::escaped(c).as_bytes()),
            "xmlcharrefreplace" => out.extend_from_slice(format!("&#{code};").as_bytes()),
            "strict" => {
                let reason = format!("ordinal not in range({})", limit + 1);
                let run = s[at..].chars().take_while(|&c| u32::from(c) > limit);
                let end = position + run.count();
                return Err(Raised::unicode_error(
                    ExcKind::UnicodeEncodeError,
                    shown,
                    Value::from(s),
                    position..end,
                    &reason,
                ));
            }
            _ => return encode_by_codecs(vm, s, name, errors),
        }
    }
    Ok(out)
}

fn encode_by_codecs(vm: &mut dyn Vm, s: &str, encoding: &str, errors: &str) -> PyResult<Vec<u8>> {
    let found = by_codecs(
        vm,
        crate::name!("encode_text"),
        Value::from(s),
        encoding,
        errors,
    )?;
    let bytes = found.as_bytes().map(|b| b.bytes().to_vec());
    bytes.ok_or_else(|| Raised::type_error("encoder must return bytes"))
}

/// The text of an `encoding` or `errors` argument.
pub(super) fn codec_argument<'a>(
    v: Option<&'a Value>,
    function: &str,
    name: &str,
) -> PyResult<Option<&'a str>> {
    match v {
        None => Ok(None),
        Some(v) => v.as_str().map(Some).ok_or_else(|| {
            Raised::type_error(format!(
                "{function}() argument '{name}' must be str, not {}",
                v.type_name()
            ))
        }),
    }
}

/// An encoding's name without case and punctuation.
pub(super) fn normal_encoding(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase()
}

fn format(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("str.format")?;
    let s = own(this, "format")?.clone();
    Ok(Value::from(text::str_format(vm, &s, rest)?))
}

fn format_map(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [mapping]) = args.method::<1>("str.format_map")?;
    let s = own(this, "format_map")?.clone();
    Ok(Value::from(text::str_format_map(vm, &s, mapping)?))
}

/// Whether the string is not empty and every character passes.
fn all(args: Args<'_>, method: &'static str, test: impl Fn(char) -> bool) -> PyResult {
    Ok(all_of(alone(args, method)?, test))
}

/// The same of a string.
pub(super) fn all_of(text: &str, test: impl Fn(char) -> bool) -> Value {
    Value::bool(!text.is_empty() && text.chars().all(test))
}

fn isalnum(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    all(args, "str.isalnum", unicode::is_alphanumeric)
}

fn isalpha(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    all(args, "str.isalpha", unicode::is_alphabetic)
}

fn isascii(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(alone(args, "str.isascii")?.is_ascii()))
}

fn isdecimal(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    all(args, "str.isdecimal", |c| {
        unicode::decimal_digit(c).is_some()
    })
}

fn isdigit(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    all(args, "str.isdigit", unicode::is_digit)
}

fn isnumeric(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    all(args, "str.isnumeric", unicode::is_numeric)
}

fn isspace(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    all(args, "str.isspace", unicode::is_space)
}

fn isprintable(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(
        alone(args, "str.isprintable")?
            .chars()
            .all(unicode::is_printable),
    ))
}

fn isidentifier(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut chars = alone(args, "str.isidentifier")?.chars();
    let first = chars.next().is_some_and(unicode::starts_name);
    Ok(Value::bool(first && chars.all(unicode::continues_name)))
}

fn islower(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let s = alone(args, "str.islower")?;
    let other = |c| unicode::is_upper(c) || unicode::is_title(c);
    Ok(Value::bool(
        s.chars().any(unicode::is_lower) && !s.chars().any(other),
    ))
}

fn isupper(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let s = alone(args, "str.isupper")?;
    let other = |c| unicode::is_lower(c) || unicode::is_title(c);
    Ok(Value::bool(
        s.chars().any(unicode::is_upper) && !s.chars().any(other),
    ))
}

fn istitle(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let s = alone(args, "str.istitle")?;
    let (mut inside, mut cased) = (false, false);
    for c in s.chars() {
        if unicode::is_upper(c) || unicode::is_title(c) {
            if inside {
                return Ok(Value::bool(false));
            }
            inside = true;
            cased = true;
        } else if unicode::is_lower(c) {
            if !inside {
                return Ok(Value::bool(false));
            }
            cased = true;
        } else {
            inside = false;
        }
    }
    Ok(Value::bool(cased))
}

fn translate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [table]) = args.method::<1>("str.translate")?;
    let s = own(this, "translate")?.clone();
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        let code = Value::Int(i64::from(surrogate::code_of(c)));
        match ops::get_item(vm, table, &code) {
            Err(raised) if raised.is(ExcKind::LookupError) => out.push(c),
            Err(raised) => return Err(raised),
            Ok(Value::None) => {}
            Ok(found) => {
                if let Some(text) = found.as_str() {
                    out.push_str(text);
                } else if let Some(c) = found
                    .as_int()
                    .and_then(|i| u32::try_from(i).ok())
                    .and_then(surrogate::char_of)
                {
                    out.push(c);
                } else {
                    return Err(Raised::type_error(
                        "character mapping must return integer, None or str",
                    ));
                }
            }
        }
    }
    Ok(Value::from(out))
}

fn maketrans(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let table = PyDict::new();
    let code = |c: char| Value::Int(i64::from(surrogate::code_of(c)));
    match args.between("maketrans", 1, 3)? {
        [mapping] => {
            let Some(mapping) = mapping.as_dict() else {
                return Err(Raised::type_error(
                    "if you give only one argument to maketrans it must be a dict",
                ));
            };
            for (key, value) in mapping.items() {
                let key = match key.as_str() {
                    Some(s) => match s.chars().next() {
                        Some(c) if s.chars().count() == 1 => code(c),
                        _ => {
                            return Err(Raised::value_error(
                                "string keys in translate table must be of length 1",
                            ));
                        }
                    },
                    None => key,
                };
                table.set(vm, key, value)?;
            }
        }
        [from, to, rest @ ..] => {
            let (Some(from), Some(to)) = (from.as_str(), to.as_str()) else {
                return Err(Raised::type_error("maketrans() argument 2 must be str"));
            };
            if from.chars().count() != to.chars().count() {
                return Err(Raised::value_error(
                    "the first two maketrans arguments must have equal length",
                ));
            }
            for (a, b) in from.chars().zip(to.chars()) {
                table.set(vm, code(a), code(b))?;
            }
            if let Some(delete) = rest.first().and_then(Value::as_str) {
                for c in delete.chars() {
                    table.set(vm, code(c), Value::None)?;
                }
            }
        }
        [] => {}
    }
    Ok(Value::dict(table))
}
