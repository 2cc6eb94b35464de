//! `_json_text`: writing and reading JSON.
//!
//! In: values, or text. Out: text, or values. Always: the text is what CPython's `json` writes,
//! byte for byte; errors carry CPython's message and position.

use janus_bytecode::surrogate;
use janus_interp::Interp;
use janus_object::{
    Args, Bool, NativeDef, PyDict, PyResult, Raised, Signature, Value, Vm, name, ops, text,
};
use num_bigint::BigInt;

use crate::support::{flag, module, type_name};

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("_json_text.encode", encode),
    NativeDef::function("_json_text.decode", decode),
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    Ok(Value::Module(module("_json_text", "", FUNCTIONS)))
}

struct Encoder {
    out: String,
    skip_keys: bool,
    ascii: bool,
    check_circular: bool,
    allow_nan: bool,
    indent: Option<String>,
    item_separator: String,
    key_separator: String,
    default: Option<Value>,
    sort_keys: bool,
    /// Containers being written, objects handed to `default` included.
    open: Vec<i64>,
    /// How many lists and dicts are open.
    depth: usize,
}

fn encode(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<10> = Signature::new(
        "encode",
        [
            "obj",
            "skipkeys",
            "ensure_ascii",
            "check_circular",
            "allow_nan",
            "indent",
            "item_separator",
            "key_separator",
            "default",
            "sort_keys",
        ],
    );
    let [
        obj,
        skip,
        ascii,
        circular,
        nan,
        indent,
        item,
        key,
        default,
        sort,
    ] = SIGNATURE.parse(args)?;
    let string = |v: Option<Value>| v.and_then(|v| v.as_str().map(str::to_owned));
    let mut encoder = Encoder {
        out: String::new(),
        skip_keys: flag(vm, skip.as_ref(), false)?,
        ascii: flag(vm, ascii.as_ref(), true)?,
        check_circular: flag(vm, circular.as_ref(), true)?,
        allow_nan: flag(vm, nan.as_ref(), true)?,
        indent: string(indent),
        item_separator: string(item).unwrap_or_else(|| ", ".to_owned()),
        key_separator: string(key).unwrap_or_else(|| ": ".to_owned()),
        default: default.filter(|d| !d.is_none()),
        sort_keys: flag(vm, sort.as_ref(), false)?,
        open: Vec::new(),
        depth: 0,
    };
    encoder.value(vm, &obj.unwrap_or(Value::None))?;
    Ok(Value::str(encoder.out))
}

impl Encoder {
    fn value(&mut self, vm: &mut dyn Vm, value: &Value) -> PyResult<()> {
        match value {
            Value::None => self.out.push_str("null"),
            Value::Bool(Bool::True) => self.out.push_str("true"),
            Value::Bool(Bool::False) => self.out.push_str("false"),
            _ => {
                if let Some(s) = value.as_str() {
                    quote(&mut self.out, s, self.ascii);
                } else if let Some(plain) = self.number(value)? {
                    self.out.push_str(&plain);
                } else {
                    vm.enter()?;
                    let written = self.container(vm, value);
                    vm.leave();
                    written?;
                }
            }
        }
        Ok(())
    }

    /// The text of a number.
    fn number(&self, value: &Value) -> PyResult<Option<String>> {
        if let Some(i) = value.as_int() {
            return Ok(Some(i.to_string()));
        }
        if let Some(big) = value.as_bigint() {
            return Ok(Some(big.to_string()));
        }
        let Some(f) = value.as_f64() else {
            return Ok(None);
        };
        if f.is_finite() {
            return Ok(Some(text::float_repr(f)));
        }
        if !self.allow_nan {
            return Err(Raised::value_error(
                "Out of range float values are not JSON compliant",
            ));
        }
        Ok(Some(
            if f.is_nan() {
                "NaN"
            } else if f > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            }
            .to_owned(),
        ))
    }

    fn container(&mut self, vm: &mut dyn Vm, value: &Value) -> PyResult<()> {
        let id = crate::builtins::identity(value);
        if self.check_circular && self.open.contains(&id) {
            return Err(Raised::value_error("Circular reference detected"));
        }
        self.open.push(id);
        if let Some(dict) = value.as_dict() {
            let dict = dict.clone();
            self.dict(vm, &dict)?;
        } else if value.as_list().is_some() || value.as_tuple().is_some() {
            let items = ops::collect(vm, value)?;
            self.list(vm, &items)?;
        } else {
            let Some(default) = self.default.clone() else {
                let class = type_name(value);
                return Err(Raised::type_error(format!(
                    "Object of type {class} is not JSON serializable"
                )));
            };
            let other = vm.call(&default, Args::new(std::slice::from_ref(value)))?;
            self.value(vm, &other)?;
        }
        self.open.pop();
        Ok(())
    }

    /// A new line at the current depth, if indenting.
    fn line(&mut self, depth: usize) {
        if let Some(indent) = &self.indent {
            self.out.push('\n');
            for _ in 0..depth {
                self.out.push_str(indent);
            }
        }
    }

    fn list(&mut self, vm: &mut dyn Vm, items: &[Value]) -> PyResult<()> {
        if items.is_empty() {
            self.out.push_str("[]");
            return Ok(());
        }
        self.depth += 1;
        let depth = self.depth;
        self.out.push('[');
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.out.push_str(&self.item_separator.clone());
            }
            self.line(depth);
            self.value(vm, item)?;
        }
        self.depth -= 1;
        self.line(self.depth);
        self.out.push(']');
        Ok(())
    }

    fn dict(&mut self, vm: &mut dyn Vm, dict: &PyDict) -> PyResult<()> {
        if dict.is_empty() {
            self.out.push_str("{}");
            return Ok(());
        }
        let mut items = dict.items();
        if self.sort_keys {
            let pairs = items
                .iter()
                .map(|(k, v)| Value::tuple(vec![k.clone(), v.clone()]))
                .collect();
            let list = Value::list(pairs);
            let first = janus_object::NativeFunction::closure("json.first", |vm, args| {
                let [pair] = args.exactly("first")?;
                ops::get_item(vm, pair, &Value::Int(0))
            });
            vm.call_method(
                &list,
                name!("sort"),
                Args::with_kw(&[], &[(name!("key").clone(), first)]),
            )?;
            items = ops::collect(vm, &list)?
                .iter()
                .filter_map(|pair| match &*pair.as_tuple()?.items {
                    [k, v] => Some((k.clone(), v.clone())),
                    _ => None,
                })
                .collect();
        }
        self.depth += 1;
        let depth = self.depth;
        self.out.push('{');
        let mut first = true;
        for (key, value) in &items {
            let key = match key {
                Value::None => "null".to_owned(),
                Value::Bool(b) => b.get().to_string(),
                other => match (other.as_str(), self.number(other)?) {
                    (Some(s), _) => s.to_owned(),
                    (None, Some(number)) => number,
                    (None, None) if self.skip_keys => continue,
                    (None, None) => {
                        return Err(Raised::type_error(format!(
                            "keys must be str, int, float, bool or None, not {}",
                            type_name(other)
                        )));
                    }
                },
            };
            if !first {
                self.out.push_str(&self.item_separator.clone());
            }
            first = false;
            self.line(depth);
            quote(&mut self.out, &key, self.ascii);
            self.out.push_str(&self.key_separator.clone());
            self.value(vm, value)?;
        }
        self.depth -= 1;
        if !first {
            self.line(self.depth);
        }
        self.out.push('}');
        Ok(())
    }
}

fn quote(out: &mut String, s: &str, ascii: bool) {
    use std::fmt::Write;
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if (c < ' ') || (ascii && !c.is_ascii()) => {
                for unit in surrogate::utf16(c.encode_utf8(&mut [0; 4])) {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

struct Decoder<'a> {
    text: &'a str,
    strict: bool,
    object_hook: Option<Value>,
    pairs_hook: Option<Value>,
    parse_float: Option<Value>,
    parse_int: Option<Value>,
    parse_constant: Option<Value>,
}

/// What is wrong, and at which byte.
type Wrong = (String, usize);

enum Failure {
    Syntax(Wrong),
    Raised(Raised),
}

impl From<Raised> for Failure {
    fn from(raised: Raised) -> Self {
        Failure::Raised(raised)
    }
}

type Parsed<T> = Result<T, Failure>;

fn wrong<T>(message: impl Into<String>, at: usize) -> Parsed<T> {
    Err(Failure::Syntax((message.into(), at)))
}

/// `decode(text, start, strict, object_hook, object_pairs_hook, parse_float, parse_int,
/// parse_constant)`: the value and where it ends; JSONDecodeError from `json.decoder`.
fn decode(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [
        source,
        start,
        strict,
        object_hook,
        pairs_hook,
        parse_float,
        parse_int,
        parse_constant,
    ] = args.exactly("decode")?;
    let Some(pystr) = source.as_pystr() else {
        return Err(Raised::type_error("first argument must be a string"));
    };
    let given = |v: &Value| (!v.is_none()).then(|| v.clone());
    let decoder = Decoder {
        text: pystr,
        strict: ops::truth(vm, strict)?,
        object_hook: given(object_hook),
        pairs_hook: given(pairs_hook),
        parse_float: given(parse_float),
        parse_int: given(parse_int),
        parse_constant: given(parse_constant),
    };
    let start = usize::try_from(crate::support::int(vm, start)?).unwrap_or(0);
    let position = |byte: usize| Value::from(pystr.get(..byte).map_or(byte, |s| s.chars().count()));
    match decoder.value(vm, pystr.byte_offset(start)) {
        Ok((value, end)) => Ok(Value::tuple(vec![value, position(end)])),
        Err(Failure::Raised(raised)) => Err(raised),
        Err(Failure::Syntax((message, at))) => {
            let json = vm.import("json.decoder")?;
            let class = janus_object::attr::get(vm, &json, name!("JSONDecodeError"))?;
            let error = vm.call(
                &class,
                Args::new(&[Value::str(message), source.clone(), position(at)]),
            )?;
            match error {
                Value::Instance(instance) => Err(Raised(instance)),
                _ => Err(Raised::system_error("JSONDecodeError is not an exception")),
            }
        }
    }
}

impl Decoder<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn skip_space(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            at += 1;
        }
        at
    }

    fn value(&self, vm: &mut dyn Vm, at: usize) -> Parsed<(Value, usize)> {
        let rest = self.text.get(at..).unwrap_or("");
        match self.byte(at) {
            Some(b'"') => {
                let (s, end) = self.string(at + 1)?;
                Ok((Value::str(s), end))
            }
            Some(open @ (b'{' | b'[')) => {
                vm.enter()?;
                let parsed = if open == b'{' {
                    self.object(vm, at + 1)
                } else {
                    self.array(vm, at + 1)
                };
                vm.leave();
                parsed
            }
            Some(b'n') if rest.starts_with("null") => Ok((Value::None, at + 4)),
            Some(b't') if rest.starts_with("true") => Ok((Value::bool(true), at + 4)),
            Some(b'f') if rest.starts_with("false") => Ok((Value::bool(false), at + 5)),
            _ => {
                for (word, value) in [
                    ("NaN", f64::NAN),
                    ("Infinity", f64::INFINITY),
                    ("-Infinity", f64::NEG_INFINITY),
                ] {
                    if rest.starts_with(word) {
                        let value = match &self.parse_constant {
                            Some(parse) => vm.call(parse, Args::new(&[Value::str(word)]))?,
                            None => Value::float(value),
                        };
                        return Ok((value, at + word.len()));
                    }
                }
                self.number(vm, at)
            }
        }
    }

    fn number(&self, vm: &mut dyn Vm, start: usize) -> Parsed<(Value, usize)> {
        let digits = |mut at: usize| {
            while self.byte(at).is_some_and(|b| b.is_ascii_digit()) {
                at += 1;
            }
            at
        };
        let first = start + usize::from(self.byte(start) == Some(b'-'));
        let mut end = match self.byte(first) {
            Some(b'0') => first + 1,
            Some(b'1'..=b'9') => digits(first),
            _ => return wrong("Expecting value", start),
        };
        let mut is_float = false;
        if self.byte(end) == Some(b'.') && digits(end + 1) > end + 1 {
            end = digits(end + 1);
            is_float = true;
        }
        if matches!(self.byte(end), Some(b'e' | b'E')) {
            let exponent = end + 1 + usize::from(matches!(self.byte(end + 1), Some(b'+' | b'-')));
            if digits(exponent) > exponent {
                end = digits(exponent);
                is_float = true;
            }
        }
        let shown = self.text.get(start..end).unwrap_or("0");
        let parse = if is_float {
            &self.parse_float
        } else {
            &self.parse_int
        };
        let value = match parse {
            Some(parse) => vm.call(parse, Args::new(&[Value::str(shown)]))?,
            None if is_float => Value::float(shown.parse().unwrap_or(f64::NAN)),
            None => match shown.parse::<i64>() {
                Ok(i) => Value::Int(i),
                Err(_) => {
                    janus_object::digits::check(shown.trim_start_matches('-').len(), 10)?;
                    Value::big(shown.parse::<BigInt>().unwrap_or_default())
                }
            },
        };
        Ok((value, end))
    }

    /// The content of a string whose opening quote is before `at`.
    fn string(&self, start: usize) -> Parsed<(String, usize)> {
        let mut out = String::new();
        let mut at = start;
        loop {
            let rest = self.text.get(at..).unwrap_or("");
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ');
            let Some(plain) = plain else {
                return wrong("Unterminated string starting at", start - 1);
            };
            out.push_str(rest.get(..plain).unwrap_or(""));
            at += plain;
            match self.byte(at) {
                Some(b'"') => return Ok((out, at + 1)),
                Some(b'\\') => at = self.escape(&mut out, at, start)?,
                Some(control) => {
                    if self.strict {
                        return wrong("Invalid control character at", at);
                    }
                    out.push(char::from(control));
                    at += 1;
                }
                None => return wrong("Unterminated string starting at", start - 1),
            }
        }
    }

    /// Reads the escape at `at`; the offset after it.
    fn escape(&self, out: &mut String, at: usize, start: usize) -> Parsed<usize> {
        let simple = match self.byte(at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let Some(unit) = self.hex(at + 2) else {
                    return wrong("Invalid \\uXXXX escape", at + 1);
                };
                // A pair of surrogates is one character.
                if (0xd800..0xdc00).contains(&unit)
                    && self
                        .text
                        .get(at + 6..)
                        .is_some_and(|rest| rest.starts_with("\\u"))
                    && let Some(low @ 0xdc00..=0xdfff) = self.hex(at + 8)
                {
                    let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                    return Ok(at + 12);
                }
                out.extend(surrogate::char_of(unit));
                return Ok(at + 6);
            }
            Some(_) => return wrong("Invalid \\escape", at),
            None => return wrong("Unterminated string starting at", start - 1),
        };
        out.push(simple);
        Ok(at + 2)
    }

    fn hex(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 4)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        u32::from_str_radix(digits, 16).ok()
    }

    fn array(&self, vm: &mut dyn Vm, at: usize) -> Parsed<(Value, usize)> {
        let mut items = Vec::new();
        let mut at = self.skip_space(at);
        if self.byte(at) == Some(b']') {
            return Ok((Value::list(items), at + 1));
        }
        loop {
            let (item, end) = self.value(vm, at)?;
            items.push(item);
            at = self.skip_space(end);
            match self.byte(at) {
                Some(b']') => return Ok((Value::list(items), at + 1)),
                Some(b',') => at = self.skip_space(at + 1),
                _ => return wrong("Expecting ',' delimiter", at),
            }
        }
    }

    fn object(&self, vm: &mut dyn Vm, at: usize) -> Parsed<(Value, usize)> {
        let mut pairs = Vec::new();
        let mut at = self.skip_space(at);
        if self.byte(at) == Some(b'}') {
            return Ok((self.finished(vm, pairs)?, at + 1));
        }
        loop {
            if self.byte(at) != Some(b'"') {
                return wrong("Expecting property name enclosed in double quotes", at);
            }
            let (key, end) = self.string(at + 1)?;
            at = self.skip_space(end);
            if self.byte(at) != Some(b':') {
                return wrong("Expecting ':' delimiter", at);
            }
            let (value, end) = self.value(vm, self.skip_space(at + 1))?;
            pairs.push((key, value));
            at = self.skip_space(end);
            match self.byte(at) {
                Some(b'}') => return Ok((self.finished(vm, pairs)?, at + 1)),
                Some(b',') => at = self.skip_space(at + 1),
                _ => return wrong("Expecting ',' delimiter", at),
            }
        }
    }

    fn finished(&self, vm: &mut dyn Vm, pairs: Vec<(String, Value)>) -> PyResult {
        if let Some(hook) = &self.pairs_hook {
            let pairs = pairs
                .into_iter()
                .map(|(k, v)| Value::tuple(vec![Value::str(k), v]))
                .collect();
            return vm.call(hook, Args::new(&[Value::list(pairs)]));
        }
        let dict = PyDict::with_capacity(pairs.len());
        for (key, value) in pairs {
            dict.set(vm, Value::str(key), value)?;
        }
        match &self.object_hook {
            Some(hook) => vm.call(hook, Args::new(&[Value::dict(dict)])),
            None => Ok(Value::dict(dict)),
        }
    }
}
