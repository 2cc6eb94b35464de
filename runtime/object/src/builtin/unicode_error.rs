//! Errors of codecs: `UnicodeDecodeError`, `UnicodeEncodeError`, `UnicodeTranslateError`.
//!
//! In: an encoding, what is read, a place and a reason. Out: constructors, attributes, texts. Always: an attribute that a
//! handler sets counts for the text, `args` stays as it was.

use super::exception::{getset, init, no_keywords, own, str};
use crate::{Args, ExcKind, NativeDef, PyResult, Raised, Value, Vm, class_of, ops, text, types};

pub(crate) const CODED: &[NativeDef] = &[
    NativeDef::method("UnicodeError.__init__", |vm, args| {
        checked_init(vm, args, 0)
    }),
    NativeDef::method("UnicodeError.__str__", |vm, args| shown(vm, args, 0)),
    NativeDef::getset("UnicodeError.encoding", |_, args| part(args, 0)),
    NativeDef::getset("UnicodeError.object", |_, args| part(args, 1)),
    NativeDef::getset("UnicodeError.start", |_, args| part(args, 2)),
    NativeDef::getset("UnicodeError.end", |_, args| part(args, 3)),
    NativeDef::getset("UnicodeError.reason", |_, args| part(args, 4)),
];

pub(crate) const TRANSLATED: &[NativeDef] = &[
    NativeDef::method("UnicodeTranslateError.__init__", |vm, args| {
        checked_init(vm, args, 1)
    }),
    NativeDef::method("UnicodeTranslateError.__str__", |vm, args| {
        shown(vm, args, 1)
    }),
    NativeDef::getset("UnicodeTranslateError.object", |_, args| part(args, 0)),
    NativeDef::getset("UnicodeTranslateError.start", |_, args| part(args, 1)),
    NativeDef::getset("UnicodeTranslateError.end", |_, args| part(args, 2)),
    NativeDef::getset("UnicodeTranslateError.reason", |_, args| part(args, 3)),
];

const NAMES: [&str; 5] = ["encoding", "object", "start", "end", "reason"];

/// Whether an error is about bytes that were read, rather than a text.
fn decodes(this: &Value) -> bool {
    class_of(this).is_subclass_of(types().exception(ExcKind::UnicodeDecodeError))
}

/// `__init__` with its arguments checked; `first` of the names are not among them.
fn checked_init(vm: &mut dyn Vm, args: Args<'_>, first: usize) -> PyResult {
    let (this, rest) = args.split_self("UnicodeError.__init__")?;
    no_keywords(this, rest)?;
    let count = NAMES.len() - first;
    if rest.pos.len() != count {
        return Err(Raised::type_error(format!(
            "function takes exactly {count} arguments ({} given)",
            rest.pos.len()
        )));
    }
    for (at, (field, value)) in NAMES[first..].iter().zip(rest.pos).enumerate() {
        match *field {
            "start" | "end" => {
                ops::as_index(vm, value)?;
            }
            "object" if decodes(this) => {
                let has_bytes = value.unwrapped().as_bytes().is_some()
                    || value.as_instance().is_some_and(|i| i.exporter().is_some());
                if !has_bytes {
                    return Err(Raised::type_error(format!(
                        "a bytes-like object is required, not '{}'",
                        value.type_name()
                    )));
                }
            }
            _ if value.unwrapped().as_str().is_none() => {
                let class = match value {
                    Value::None => "None".to_owned(),
                    value => value.type_name().to_string(),
                };
                return Err(Raised::type_error(format!(
                    "argument {} must be str, not {class}",
                    at + 1,
                )));
            }
            _ => {}
        }
    }
    init(vm, args)?;
    // The bytes are kept as they are now, whatever has them; what an earlier call set counts no more.
    let data = own(this, "__init__")?;
    drop(data.members.take());
    if decodes(this)
        && let Some(given) = rest
            .pos
            .get(1)
            .filter(|given| given.as_bytes().is_none_or(|b| b.mutable))
        && let Some(bytes) = crate::buffer::buffer_bytes(&given.unwrapped())
    {
        data.set_member(crate::name!("object"), Value::bytes(bytes));
    }
    Ok(Value::None)
}

/// Reads or sets the attribute that the n-th argument is at first.
fn part(args: Args<'_>, at: usize) -> PyResult {
    let (data, new) = getset(args, "UnicodeError")?;
    let given = data.args.borrow().clone();
    let field = NAMES[at + usize::from(given.items.len() == NAMES.len() - 1)];
    match new {
        None => Ok(data
            .member(field)
            .or_else(|| given.items.get(at).cloned())
            .unwrap_or(Value::None)),
        Some(new) => {
            if matches!(field, "start" | "end") && new.unwrapped().as_bigint().is_none() {
                return Err(Raised::type_error("an integer is required"));
            }
            data.set_member(&crate::Name::new(field), new.clone());
            Ok(Value::None)
        }
    }
}

fn shown(vm: &mut dyn Vm, args: Args<'_>, first: usize) -> PyResult {
    let [this] = args.exactly::<1>("__str__")?;
    let data = own(this, "__str__")?;
    let given = data.args.borrow().clone();
    if given.items.len() != NAMES.len() - first {
        return str(vm, args);
    }
    let field = |field: &'static str| {
        let at = NAMES.iter().position(|n| *n == field)?.checked_sub(first)?;
        data.member(field).or_else(|| given.items.get(at).cloned())
    };
    let (Some(object), Some(start), Some(end)) = (
        field("object"),
        field("start").and_then(|v| v.unwrapped().as_int()),
        field("end").and_then(|v| v.unwrapped().as_int()),
    ) else {
        return str(vm, args);
    };
    let reason = text::str(vm, &field("reason").unwrap_or(Value::None))?;
    let object = object.unwrapped();
    let bytes = object.as_bytes().map(|b| b.to_vec());
    let len = match (&bytes, object.as_pystr()) {
        (Some(bytes), _) => bytes.len(),
        (_, Some(s)) => s.char_count(),
        _ => return str(vm, args),
    };
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    let single = end.checked_sub(1) == Some(start) && (0..len).contains(&start);
    let at = usize::try_from(start).unwrap_or(0);
    let verb = match (first, &bytes) {
        (1, _) => "translate",
        (_, Some(_)) => "decode",
        _ => "encode",
    };
    let what = match &bytes {
        Some(bytes) if single => format!("byte 0x{:02x}", bytes.get(at).copied().unwrap_or(0)),
        Some(_) => "bytes".to_owned(),
        None if single => {
            let c = object.as_pystr().and_then(|s| s.char_at(at));
            format!("character '{}'", c.map(text::escaped).unwrap_or_default())
        }
        None => "characters".to_owned(),
    };
    let place = if single {
        start.to_string()
    } else {
        format!("{start}-{}", end.saturating_sub(1))
    };
    let codec = match field("encoding") {
        Some(encoding) if first == 0 => format!("'{}' codec ", text::str(vm, &encoding)?),
        _ => String::new(),
    };
    Ok(Value::from(format!(
        "{codec}can't {verb} {what} in position {place}: {reason}"
    )))
}
