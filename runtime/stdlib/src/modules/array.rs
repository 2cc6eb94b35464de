//! `array`: numbers of one kind, next to each other in memory.
//!
//! In: values, bytes. Out: the class. Always: the memory is what the buffer protocol shows; while somebody looks at it,
//! its length does not change.

use janus_bytecode::{CompareOp, surrogate};
use janus_interp::Interp;
use janus_object::buffer::{Exporter, NotAnItem, buffer_bytes, item_size, read_item, write_item};
use janus_object::{
    Args, BaseKind, Class, Collection, ExcKind, Instance, NativeDef, NativeFunction, Payload,
    PyBytes, PyRef, PyResult, Raised, Value, Vm, attr, class_of, memory, name, ops, text, types,
};

use crate::support::{int, module};

const CODES: &str = "bBuhHiIlLqQfd";

const METHODS: &[NativeDef] = &[
    NativeDef::function("array.__new__", new),
    NativeDef::method("array.__init__", |_, _| Ok(Value::None)),
    NativeDef::noargs_method("array.__len__", |_, a| Ok(Value::from(own(&a)?.len()))),
    NativeDef::method("array.__getitem__", get_item),
    NativeDef::method("array.__setitem__", set_item),
    NativeDef::method("array.__delitem__", del_item),
    NativeDef::method("array.__contains__", contains),
    NativeDef::noargs_method("array.__iter__", iter),
    NativeDef::method("array.__add__", add),
    NativeDef::method("array.__iadd__", iadd),
    NativeDef::method("array.__mul__", mul),
    NativeDef::method("array.__rmul__", mul),
    NativeDef::method("array.__imul__", imul),
    NativeDef::method("array.__eq__", |vm, a| compare(vm, a, CompareOp::Eq)),
    NativeDef::method("array.__ne__", |vm, a| compare(vm, a, CompareOp::Ne)),
    NativeDef::method("array.__lt__", |vm, a| compare(vm, a, CompareOp::Lt)),
    NativeDef::method("array.__le__", |vm, a| compare(vm, a, CompareOp::Le)),
    NativeDef::method("array.__gt__", |vm, a| compare(vm, a, CompareOp::Gt)),
    NativeDef::method("array.__ge__", |vm, a| compare(vm, a, CompareOp::Ge)),
    NativeDef::noargs_method("array.__repr__", repr),
    NativeDef::noargs_method("array.__copy__", |_, a| Ok(own(&a)?.copy())),
    NativeDef::method("array.__deepcopy__", |_, a| Ok(own(&a)?.copy())),
    NativeDef::method("array.__reduce_ex__", reduce),
    NativeDef::method("array.append", append),
    NativeDef::method("array.extend", extend),
    NativeDef::method("array.fromlist", fromlist),
    NativeDef::method("array.frombytes", frombytes),
    NativeDef::method("array.fromunicode", fromunicode),
    NativeDef::method("array.fromfile", fromfile),
    NativeDef::method("array.insert", insert),
    NativeDef::method("array.pop", pop),
    NativeDef::method("array.remove", remove),
    NativeDef::method("array.index", index),
    NativeDef::method("array.count", count),
    NativeDef::noargs_method("array.reverse", reverse),
    NativeDef::noargs_method("array.byteswap", byteswap),
    NativeDef::noargs_method("array.tolist", |_, a| Ok(Value::list(own(&a)?.items()))),
    NativeDef::noargs_method("array.tobytes", |_, a| {
        Ok(Value::bytes(own(&a)?.0.data.to_vec()))
    }),
    NativeDef::noargs_method("array.tounicode", tounicode),
    NativeDef::method("array.tofile", tofile),
    NativeDef::noargs_method("array.buffer_info", buffer_info),
    NativeDef::getter("array.typecode", |_, a| {
        Ok(Value::str(char::from(own(&a)?.0.code).to_string()))
    }),
    NativeDef::getter("array.itemsize", |_, a| Ok(Value::from(own(&a)?.size()))),
];

fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = {
            let class = Class::builtin("array", "array", &[&types().object], BaseKind::Foreign, METHODS);
            class.set(name!("__hash__"), Value::None);
            class.own_collection.set(Some(Collection::Sequence));
            class
        };
    }
    CLASS.with(PyRef::clone)
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("array", "Arrays of numbers of one kind.", &[]);
    m.set("array", Value::Class(class()));
    m.set("ArrayType", Value::Class(class()));
    m.set("typecodes", CODES);
    m.set("_array_reconstructor", reconstructor());
    Ok(Value::Module(m))
}

/// An array of which something is asked.
struct Array<'a>(&'a Exporter);

fn of(value: &Value) -> Option<Array<'_>> {
    value.foreign::<Exporter>().map(Array)
}

fn own<'a>(args: &Args<'a>) -> PyResult<Array<'a>> {
    let found = args.pos.first().and_then(of);
    found.ok_or_else(|| Raised::type_error("an array is required"))
}

fn make(class: &PyRef<Class>, code: u8, data: Vec<u8>) -> Value {
    let exporter = Exporter {
        data: PyRef::new(PyBytes::new(data, true)),
        format: if code == b'u' { b'I' } else { code },
        code,
    };
    Value::Instance(PyRef::new(Instance::new(
        class.clone(),
        Payload::Foreign(Box::new(exporter)),
    )))
}

impl Array<'_> {
    fn size(&self) -> usize {
        item_size(self.0.format).unwrap_or(1)
    }

    fn len(&self) -> usize {
        self.0.data.len() / self.size()
    }

    fn value(&self, bytes: &[u8]) -> Value {
        match (self.0.code, read_item(self.0.format, bytes)) {
            (b'u', Value::Int(code)) => {
                let character = u32::try_from(code).ok().and_then(surrogate::char_of);
                Value::char(character.unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            (_, value) => value,
        }
    }

    fn item(&self, at: usize) -> Value {
        let size = self.size();
        let data = self.0.data.bytes();
        self.value(data.get(at * size..(at + 1) * size).unwrap_or_default())
    }

    fn items(&self) -> Vec<Value> {
        let data = self.0.data.bytes();
        data.chunks(self.size())
            .map(|bytes| self.value(bytes))
            .collect()
    }

    fn resizable(&self) -> PyResult<()> {
        self.0.data.check_resizable().map_err(|_| {
            let message = "cannot resize an array that is exporting buffers";
            Raised::new(ExcKind::BufferError, message)
        })
    }

    fn copy(&self) -> Value {
        make(&class(), self.0.code, self.0.data.to_vec())
    }

    /// The bytes of a value as an item.
    fn bytes_of(&self, vm: &mut dyn Vm, value: &Value) -> PyResult<Vec<u8>> {
        if self.0.code == b'u' {
            let mut chars = value.as_str().map(str::chars);
            let one = chars.as_mut().and_then(Iterator::next);
            return match (one, chars.and_then(|mut c| c.next())) {
                (Some(c), None) => Ok(surrogate::code_of(c).to_le_bytes().to_vec()),
                _ => Err(Raised::type_error(
                    "array item must be a unicode character, not str",
                )),
            };
        }
        let format = self.0.format;
        write_item(vm, format, value).map_err(|e| match e {
            NotAnItem::Raised(raised) => raised,
            NotAnItem::Type => Raised::type_error(match format {
                b'f' | b'd' => format!("must be real number, not {}", value.type_name()),
                _ => format!(
                    "'{}' object cannot be interpreted as an integer",
                    value.type_name()
                ),
            }),
            NotAnItem::Range(low, _) => {
                let below = value.as_bigint().is_some_and(|n| n < low);
                out_of_range(format, below)
            }
        })
    }

    /// Where an index is.
    fn at(&self, vm: &mut dyn Vm, index: &Value, what: &str) -> PyResult<usize> {
        let is_index = matches!(index, Value::Int(_) | Value::Bool(_))
            || ops::special(index, name!("__index__")).is_some();
        if !is_index {
            return Err(Raised::type_error("array indices must be integers"));
        }
        let index = int(vm, index)?;
        let len = self.len() as i64;
        let at = if index < 0 { index + len } else { index };
        usize::try_from(at)
            .ok()
            .filter(|at| *at < len as usize)
            .ok_or_else(|| Raised::index_error(format!("{what} out of range")))
    }

    fn push(&self, vm: &mut dyn Vm, value: &Value) -> PyResult<()> {
        let bytes = self.bytes_of(vm, value)?;
        self.resizable()?;
        self.0.data.with_mut(|data| data.extend_from_slice(&bytes));
        Ok(())
    }

    fn extend_bytes(&self, bytes: &[u8]) -> PyResult<()> {
        if !bytes.len().is_multiple_of(self.size()) {
            return Err(Raised::value_error(
                "bytes length not a multiple of item size",
            ));
        }
        self.resizable()?;
        self.0.data.with_mut(|data| data.extend_from_slice(bytes));
        Ok(())
    }

    /// Adds the items of an array of the same kind, or of another iterable.
    fn extend(&self, vm: &mut dyn Vm, other: &Value) -> PyResult<()> {
        if let Some(other) = of(other) {
            if other.0.code != self.0.code {
                return Err(Raised::type_error(
                    "can only extend with array of same kind",
                ));
            }
            return self.extend_bytes(&other.0.data.to_vec());
        }
        let it = ops::iter(vm, other)?;
        while let Some(item) = ops::next(vm, &it)? {
            self.push(vm, &item)?;
        }
        Ok(())
    }

    /// The place of the first equal item between two bounds.
    fn find(
        &self,
        vm: &mut dyn Vm,
        value: &Value,
        start: usize,
        stop: usize,
    ) -> PyResult<Option<usize>> {
        for at in start..stop {
            if at >= self.len() {
                break;
            }
            let item = self.item(at);
            if ops::eq(vm, &item, value)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}

fn out_of_range(format: u8, below: bool) -> Raised {
    let bound = if below {
        "less than minimum"
    } else {
        "greater than maximum"
    };
    Raised::overflow_error(match format {
        b'b' => format!("signed char is {bound}"),
        b'B' => format!("unsigned byte integer is {bound}"),
        b'h' => format!("signed short integer is {bound}"),
        b'H' => format!("unsigned short is {bound}"),
        b'i' => format!("signed integer is {bound}"),
        b'l' => "Python int too large to convert to C long".to_owned(),
        b'q' => "int too big to convert".to_owned(),
        b'Q' if below => "can't convert negative int to unsigned".to_owned(),
        _ if below => "can't convert negative value to unsigned int".to_owned(),
        b'I' => "unsigned int is greater than maximum".to_owned(),
        _ => "int too big to convert".to_owned(),
    })
}

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some((Value::Class(made), given)) = args.pos.split_first() else {
        return Err(Raised::type_error("array.__new__(): not enough arguments"));
    };
    if PyRef::ptr_eq(made, &class()) {
        args.no_keywords("array.array")?;
    }
    let (code, initial) = match given {
        [code] => (code, None),
        [code, initial] => (code, Some(initial)),
        [] => {
            return Err(Raised::type_error(
                "array() takes at least 1 argument (0 given)",
            ));
        }
        _ => {
            let message = format!("array() takes at most 2 arguments ({} given)", given.len());
            return Err(Raised::type_error(message));
        }
    };
    let Some(text) = code.as_str().filter(|t| t.chars().count() == 1) else {
        return Err(Raised::type_error(format!(
            "array() argument 1 must be a unicode character, not {}",
            code.type_name()
        )));
    };
    if !CODES.contains(text) {
        return Err(Raised::value_error(
            "bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)",
        ));
    }
    let code = text.as_bytes()[0];
    let value = make(made, code, Vec::new());
    let Some(array) = of(&value) else {
        return Ok(value);
    };
    match initial {
        None => {}
        Some(text) if text.as_str().is_some() => {
            if code != b'u' {
                return Err(Raised::type_error(format!(
                    "cannot use a str to initialize an array with typecode '{}'",
                    char::from(code)
                )));
            }
            add_text(&array, text.as_str().unwrap_or_default())?;
        }
        Some(bytes) if bytes.as_bytes().is_some() => {
            array.extend_bytes(&buffer_bytes(bytes).unwrap_or_default())?;
        }
        Some(other) => match of(other) {
            Some(other) if other.0.code == b'u' && code != b'u' => {
                return Err(Raised::type_error(format!(
                    "cannot use a unicode array to initialize an array with typecode '{}'",
                    char::from(code)
                )));
            }
            // Of another kind, its items are converted.
            Some(other) if other.0.code != code => {
                for item in other.items() {
                    array.push(vm, &item)?;
                }
            }
            _ => array.extend(vm, other)?,
        },
    }
    Ok(value)
}

fn add_text(array: &Array<'_>, text: &str) -> PyResult<()> {
    let bytes: Vec<u8> = text
        .chars()
        .flat_map(|c| surrogate::code_of(c).to_le_bytes())
        .collect();
    array.extend_bytes(&bytes)
}

fn get_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [key]) = args.method::<1>("__getitem__")?;
    let array = own(&args)?;
    if let Value::Slice(slice) = key {
        let range = slice.resolve(vm, array.len())?;
        let size = array.size();
        let data = array.0.data.bytes();
        let items = range
            .indices()
            .filter_map(|i| data.get(i * size..(i + 1) * size));
        let bytes = items.flatten().copied().collect();
        return Ok(make(&class(), array.0.code, bytes));
    }
    let at = array.at(vm, key, "array index")?;
    Ok(array.item(at))
}

fn same_kind<'a>(array: &Array<'_>, value: &'a Value, what: &str) -> PyResult<Array<'a>> {
    match of(value) {
        Some(other) if other.0.code == array.0.code => Ok(other),
        Some(_) => Err(Raised::type_error(
            "bad argument type for built-in operation",
        )),
        None => Err(Raised::type_error(format!(
            "can only {what} (not \"{}\") to array{}",
            value.type_name(),
            if what == "assign array" { " slice" } else { "" }
        ))),
    }
}

fn set_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [key, value]) = args.method::<2>("__setitem__")?;
    let array = own(&args)?;
    let size = array.size();
    if let Value::Slice(slice) = key {
        let new = same_kind(&array, value, "assign array")?.0.data.to_vec();
        let range = slice.resolve(vm, array.len())?;
        let count = new.len() / size;
        if range.step == 1 {
            if count != range.count {
                array.resizable()?;
            }
            let start = range.start as usize * size;
            let end = start + range.count * size;
            array
                .0
                .data
                .with_mut(|data| data.splice(start..end, new).for_each(drop));
            return Ok(Value::None);
        }
        if count != range.count {
            return Err(Raised::value_error(format!(
                "attempt to assign array of size {count} to extended slice of size {}",
                range.count
            )));
        }
        array.0.data.with_mut(|data| {
            for (i, item) in range.indices().zip(new.chunks(size)) {
                if let Some(room) = data.get_mut(i * size..(i + 1) * size) {
                    room.copy_from_slice(item);
                }
            }
        });
        return Ok(Value::None);
    }
    let at = array.at(vm, key, "array assignment index")?;
    let bytes = array.bytes_of(vm, value)?;
    array.0.data.with_mut(|data| {
        if let Some(room) = data.get_mut(at * size..(at + 1) * size) {
            room.copy_from_slice(&bytes);
        }
    });
    Ok(Value::None)
}

fn cut(array: &Array<'_>, places: &[usize]) -> PyResult<()> {
    array.resizable()?;
    let size = array.size();
    let mut places = places.to_vec();
    places.sort_unstable();
    array.0.data.with_mut(|data| {
        for at in places.into_iter().rev() {
            data.drain(at * size..(at + 1) * size);
        }
    });
    Ok(())
}

fn del_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [key]) = args.method::<1>("__delitem__")?;
    let array = own(&args)?;
    let places = match key {
        Value::Slice(slice) => slice.resolve(vm, array.len())?.indices().collect(),
        key => vec![array.at(vm, key, "array assignment index")?],
    };
    cut(&array, &places)?;
    Ok(Value::None)
}

fn contains(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [value]) = args.method::<1>("__contains__")?;
    let array = own(&args)?;
    Ok(Value::bool(array.find(vm, value, 0, usize::MAX)?.is_some()))
}

fn iter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    own(&args)?;
    Ok(janus_object::PyIter::value(
        janus_object::IterState::Sequence {
            object: args.pos[0].clone(),
            index: 0,
        },
    ))
}

fn add(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [other]) = args.method::<1>("__add__")?;
    let array = own(&args)?;
    let other = same_kind(&array, other, "append array")?;
    let mut bytes = array.0.data.to_vec();
    bytes.extend_from_slice(&other.0.data.bytes());
    Ok(make(&class(), array.0.code, bytes))
}

fn iadd(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("__iadd__")?;
    if of(other).is_none() {
        return Err(Raised::type_error(format!(
            "can only extend with array (not \"{}\")",
            other.type_name()
        )));
    }
    own(&args)?.extend(vm, other)?;
    Ok(this.clone())
}

fn repeated(vm: &mut dyn Vm, args: &Args<'_>) -> PyResult<Vec<u8>> {
    let (_, [count]) = args.method::<1>("__mul__")?;
    let count = usize::try_from(int(vm, count)?).unwrap_or(0);
    let data = own(args)?.0.data.to_vec();
    let mut out = memory::room(data.len().saturating_mul(count))?;
    for _ in 0..count {
        out.extend_from_slice(&data);
    }
    Ok(out)
}

fn mul(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let bytes = repeated(vm, &args)?;
    Ok(make(&class(), own(&args)?.0.code, bytes))
}

fn imul(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let bytes = repeated(vm, &args)?;
    let array = own(&args)?;
    array.resizable()?;
    array.0.data.with_mut(|data| *data = bytes);
    Ok(args.pos[0].clone())
}

fn compare(vm: &mut dyn Vm, args: Args<'_>, op: CompareOp) -> PyResult {
    let (_, [other]) = args.method::<1>("__eq__")?;
    let Some(other) = of(other) else {
        return Ok(Value::NotImplemented);
    };
    let (a, b) = (own(&args)?.items(), other.items());
    // Numbers are compared as numbers: what is not a number equals nothing, not even itself.
    let is_nan = |item: &Value| matches!(item, Value::Float(f) if f.get().is_nan());
    if matches!(op, CompareOp::Eq | CompareOp::Ne) && a.iter().chain(&b).any(is_nan) {
        let same = a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| !is_nan(x) && ops::is(x, y));
        return Ok(Value::bool(same == (op == CompareOp::Eq)));
    }
    ops::compare(vm, op, &Value::list(a), &Value::list(b))
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let array = own(&args)?;
    let code = char::from(array.0.code);
    let class = class_of(&args.pos[0]);
    let class = class.name.borrow();
    if array.len() == 0 {
        return Ok(Value::str(format!("{class}('{code}')")));
    }
    let items = if code == 'u' {
        text_of(&array)
    } else {
        Value::list(array.items())
    };
    Ok(Value::str(format!(
        "{class}('{code}', {})",
        text::repr(vm, &items)?
    )))
}

fn text_of(array: &Array<'_>) -> Value {
    let items = array.items();
    Value::str(items.iter().filter_map(Value::as_str).collect::<String>())
}

/// How numbers of a kind lie in memory, as pickles say it: by a number, of which this is a table. The code under which
/// they are read here, and whether they stand with their highest byte first. Codes in capitals past the numbers are
/// UTF-16 (`W`) and UTF-32 (`U`).
const MACHINE_FORMATS: &[(u8, bool)] = &[
    (b'B', false),
    (b'b', false),
    (b'H', false),
    (b'H', true),
    (b'h', false),
    (b'h', true),
    (b'I', false),
    (b'I', true),
    (b'i', false),
    (b'i', true),
    (b'Q', false),
    (b'Q', true),
    (b'q', false),
    (b'q', true),
    (b'f', false),
    (b'f', true),
    (b'd', false),
    (b'd', true),
    (b'W', false),
    (b'W', true),
    (b'U', false),
    (b'U', true),
];

/// The place of a type code in [`MACHINE_FORMATS`].
fn machine_format(code: u8) -> usize {
    let same = match code {
        b'l' => b'q',
        b'L' => b'Q',
        b'u' => b'U',
        other => other,
    };
    let found = MACHINE_FORMATS.iter().position(|f| *f == (same, false));
    found.unwrap_or_default()
}

fn reduce(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [protocol]) = args.method::<1>("__reduce_ex__")?;
    let protocol = int(vm, protocol)?;
    let array = own(&args)?;
    let class = Value::Class(class_of(&args.pos[0]));
    let code = Value::str(char::from(array.0.code).to_string());
    let state = attr::get_opt(vm, &args.pos[0], name!("__dict__"))?.unwrap_or(Value::None);
    let (function, given) = if protocol < 3 {
        let items = match array.0.code {
            b'u' => text_of(&array),
            _ => Value::list(array.items()),
        };
        (class, vec![code, items])
    } else {
        let format = Value::from(machine_format(array.0.code));
        let data = Value::bytes(array.0.data.to_vec());
        (reconstructor(), vec![class, code, format, data])
    };
    Ok(Value::tuple(vec![function, Value::tuple(given), state]))
}

/// The function `_array_reconstructor`: one object, so that `pickle` finds it under its name.
fn reconstructor() -> Value {
    janus_gil::gil_local! {
        static FUNCTION: Value = NativeFunction::function("array._array_reconstructor", reconstruct);
    }
    FUNCTION.with(Value::clone)
}

/// `_array_reconstructor(class, code, format, bytes)`: what a pickled array calls.
fn reconstruct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [made, code, format, data] = args.exactly("_array_reconstructor")?;
    let Value::Class(made) = made else {
        return Err(Raised::type_error(format!(
            "first argument must be a type object, not {}",
            made.type_name()
        )));
    };
    if !made.is_subclass_of(&class()) {
        return Err(Raised::type_error(format!(
            "{} is not a subtype of array.array",
            made.name.borrow()
        )));
    }
    let code = match code.as_str().map(str::as_bytes) {
        Some([code]) => *code,
        _ => {
            return Err(Raised::type_error(
                "_array_reconstructor() argument 2 must be a unicode character",
            ));
        }
    };
    if !CODES.as_bytes().contains(&code) {
        return Err(Raised::value_error(
            "second argument must be a valid type code",
        ));
    }
    let known = usize::try_from(int(vm, format)?).ok();
    let Some((read_as, swapped)) = known.and_then(|at| MACHINE_FORMATS.get(at).copied()) else {
        return Err(Raised::value_error(
            "third argument must be a valid machine format code.",
        ));
    };
    let Value::Bytes(given) = data else {
        return Err(Raised::type_error(format!(
            "fourth argument should be bytes, not {}",
            data.type_name()
        )));
    };
    let size = match read_as {
        b'W' => 2,
        b'U' => 4,
        other => item_size(other).unwrap_or(1),
    };
    let mut bytes = given.to_vec();
    if !bytes.len().is_multiple_of(size) {
        return Err(Raised::value_error(
            "string length not a multiple of item size",
        ));
    }
    if swapped {
        bytes.chunks_mut(size).for_each(<[u8]>::reverse);
    }
    let value = make(made, code, Vec::new());
    let Some(array) = of(&value) else {
        return Ok(value);
    };
    if known == Some(machine_format(code)) {
        array.extend_bytes(&bytes)?;
        return Ok(value);
    }
    match read_as {
        b'W' => {
            let units = bytes
                .chunks(2)
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
            for c in char::decode_utf16(units) {
                let c = c.unwrap_or_else(|e| {
                    let code = u32::from(e.unpaired_surrogate());
                    surrogate::char_of(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                });
                array.push(vm, &Value::char(c))?;
            }
        }
        b'U' => {
            for four in bytes.chunks(4) {
                let code = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                let c = surrogate::char_of(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                array.push(vm, &Value::char(c))?;
            }
        }
        number => {
            for item in bytes.chunks(size) {
                array.push(vm, &read_item(number, item))?;
            }
        }
    }
    Ok(value)
}

fn append(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [value]) = args.method::<1>("append")?;
    own(&args)?.push(vm, value)?;
    Ok(Value::None)
}

fn extend(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [values]) = args.method::<1>("extend")?;
    own(&args)?.extend(vm, values)?;
    Ok(Value::None)
}

fn fromlist(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [values]) = args.method::<1>("fromlist")?;
    let Value::List(list) = values else {
        return Err(Raised::type_error("arg must be list"));
    };
    let array = own(&args)?;
    // All of them or none.
    let mut bytes = Vec::new();
    for value in list.to_vec() {
        bytes.extend(array.bytes_of(vm, &value)?);
    }
    array.extend_bytes(&bytes)?;
    Ok(Value::None)
}

fn frombytes(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [bytes]) = args.method::<1>("frombytes")?;
    own(&args)?.extend_bytes(&crate::support::bytes_like(bytes)?)?;
    Ok(Value::None)
}

fn fromunicode(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [text]) = args.method::<1>("fromunicode")?;
    let array = own(&args)?;
    if array.0.code != b'u' {
        return Err(Raised::value_error(
            "fromunicode() may only be called on unicode type arrays",
        ));
    }
    add_text(
        &array,
        crate::support::string(text, "fromunicode() argument")?,
    )?;
    Ok(Value::None)
}

fn tounicode(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let array = own(&args)?;
    if array.0.code != b'u' {
        return Err(Raised::value_error(
            "tounicode() may only be called on unicode type arrays",
        ));
    }
    Ok(text_of(&array))
}

fn fromfile(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [file, n]) = args.method::<2>("fromfile")?;
    let array = own(&args)?;
    let wanted = int(vm, n)?.saturating_mul(array.size() as i64);
    let read = vm.call_method(file, name!("read"), Args::new(&[Value::Int(wanted)]))?;
    let bytes = crate::support::bytes_like(&read)?;
    let whole = bytes.len() / array.size() * array.size();
    array.extend_bytes(bytes.get(..whole).unwrap_or_default())?;
    if (bytes.len() as i64) < wanted {
        return Err(Raised::new(
            ExcKind::EOFError,
            "read() didn't return enough bytes",
        ));
    }
    Ok(Value::None)
}

fn tofile(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [file]) = args.method::<1>("tofile")?;
    let bytes = Value::bytes(own(&args)?.0.data.to_vec());
    vm.call_method(file, name!("write"), Args::new(&[bytes]))?;
    Ok(Value::None)
}

fn insert(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [index, value]) = args.method::<2>("insert")?;
    let array = own(&args)?;
    let len = array.len() as i64;
    let index = int(vm, index)?;
    let at = if index < 0 {
        (index + len).max(0)
    } else {
        index.min(len)
    } as usize
        * array.size();
    let bytes = array.bytes_of(vm, value)?;
    array.resizable()?;
    array
        .0
        .data
        .with_mut(|data| data.splice(at..at, bytes).for_each(drop));
    Ok(Value::None)
}

fn pop(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let array = own(&args)?;
    let (_, rest) = args.split_self("pop")?;
    let index = rest
        .between("pop", 0, 1)?
        .first()
        .cloned()
        .unwrap_or(Value::Int(-1));
    if array.len() == 0 {
        return Err(Raised::index_error("pop from empty array"));
    }
    let at = array.at(vm, &index, "pop index")?;
    let item = array.item(at);
    cut(&array, &[at])?;
    Ok(item)
}

fn remove(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [value]) = args.method::<1>("remove")?;
    let array = own(&args)?;
    match array.find(vm, value, 0, usize::MAX)? {
        Some(at) => {
            cut(&array, &[at])?;
            Ok(Value::None)
        }
        None => Err(Raised::value_error("array.remove(x): x not in array")),
    }
}

fn index(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let array = own(&args)?;
    let (_, rest) = args.split_self("index")?;
    let rest = rest.between("index", 1, 3)?;
    let len = array.len() as i64;
    let mut bounds = [0, i64::MAX];
    for (bound, given) in bounds.iter_mut().zip(rest.iter().skip(1)) {
        let given = ops::slice_index(vm, given)?;
        *bound = if given < 0 {
            (given + len).max(0)
        } else {
            given
        };
    }
    let found = array.find(vm, &rest[0], bounds[0] as usize, bounds[1] as usize)?;
    found
        .map(Value::from)
        .ok_or_else(|| Raised::value_error("array.index(x): x not in array"))
}

fn count(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [value]) = args.method::<1>("count")?;
    let mut found = 0i64;
    for item in own(&args)?.items() {
        found += i64::from(ops::eq(vm, &item, value)?);
    }
    Ok(Value::Int(found))
}

fn reverse(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let array = own(&args)?;
    let size = array.size();
    array.0.data.with_mut(|data| {
        data.reverse();
        data.chunks_mut(size).for_each(<[u8]>::reverse);
    });
    Ok(Value::None)
}

fn byteswap(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let array = own(&args)?;
    let size = array.size();
    array
        .0
        .data
        .with_mut(|data| data.chunks_mut(size).for_each(<[u8]>::reverse));
    Ok(Value::None)
}

fn buffer_info(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let array = own(&args)?;
    let address = array.0.data.bytes().as_ptr() as usize;
    Ok(Value::tuple(vec![
        Value::from(address),
        Value::from(array.len()),
    ]))
}
