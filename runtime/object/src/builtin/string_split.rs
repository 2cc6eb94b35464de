//! `str`: searching, splitting, joining, stripping, replacing.
//!
//! In: arguments of calls. Out: methods. Always: positions count code points; the optional
//! bounds of a search are clamped as slices are.

use crate::{Args, NativeDef, PyRef, PyResult, PyStr, Raised, Signature, Value, Vm, memory, ops};

use super::string::own;
use crate::text::unicode::is_space;

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::method("str.find", find),
    NativeDef::method("str.rfind", rfind),
    NativeDef::method("str.index", index),
    NativeDef::method("str.rindex", rindex),
    NativeDef::method("str.count", count),
    NativeDef::method("str.startswith", startswith).quick(super::quick::str_startswith),
    NativeDef::method("str.endswith", endswith).quick(super::quick::str_endswith),
    NativeDef::method("str.split", split),
    NativeDef::method("str.rsplit", rsplit),
    NativeDef::method("str.splitlines", splitlines),
    NativeDef::method("str.partition", partition),
    NativeDef::method("str.rpartition", rpartition),
    NativeDef::method("str.join", join).quick(super::quick::str_join),
    NativeDef::method("str.strip", strip).quick(super::quick::str_strip),
    NativeDef::method("str.lstrip", lstrip).quick(super::quick::str_lstrip),
    NativeDef::method("str.rstrip", rstrip).quick(super::quick::str_rstrip),
    NativeDef::method("str.removeprefix", removeprefix),
    NativeDef::method("str.removesuffix", removesuffix),
    NativeDef::method("str.replace", replace),
];

fn needs_str(v: &Value, what: &str) -> Raised {
    Raised::type_error(format!("{what}, not {}", v.type_name()))
}

/// A haystack cut to the bounds of a search, and how many characters lie before it.
struct Window<'a> {
    text: &'a str,
    /// Character position of the window's start; none if it starts past the end.
    start: Option<usize>,
}

fn window<'a>(vm: &mut dyn Vm, s: &'a PyStr, bounds: &[Value]) -> PyResult<Window<'a>> {
    if bounds.is_empty() {
        return Ok(Window {
            text: s.as_str(),
            start: Some(0),
        });
    }
    let len = s.char_count();
    let mut bound = |at: usize, default: usize| -> PyResult<usize> {
        let Some(v) = bounds.get(at).filter(|v| !v.is_none()) else {
            return Ok(default);
        };
        let i = ops::slice_index(vm, v)?;
        let i = if i < 0 {
            i.saturating_add(len as i64).max(0)
        } else {
            i
        };
        Ok(usize::try_from(i).unwrap_or(usize::MAX))
    };
    let (start, end) = (bound(0, 0)?, bound(1, len)?.min(len));
    if start > len || start > end {
        return Ok(Window {
            text: "",
            start: None,
        });
    }
    Ok(Window {
        text: s.char_slice(start, end),
        start: Some(start),
    })
}

/// Finds a substring; the position counts from the start of the whole string.
fn search(
    vm: &mut dyn Vm,
    args: Args<'_>,
    method: &'static str,
    backwards: bool,
) -> PyResult<Option<usize>> {
    let (this, rest) = args.split_self(method)?;
    let s = own(this, method)?.clone();
    let rest = rest.between(method, 1, 3)?;
    let needle = rest.first().unwrap_or(&Value::None);
    let needle = needle
        .as_str()
        .ok_or_else(|| needs_str(needle, "must be str"))?;
    let window = window(vm, &s, rest.get(1..).unwrap_or_default())?;
    let Some(start) = window.start else {
        return Ok(None);
    };
    let found = if backwards {
        window.text.rfind(needle)
    } else {
        window.text.find(needle)
    };
    Ok(found.map(|offset| {
        let before = window.text.get(..offset).unwrap_or_default();
        start
            + if s.is_ascii() {
                before.len()
            } else {
                before.chars().count()
            }
    }))
}

fn position(found: Option<usize>) -> Value {
    found.map_or(Value::Int(-1), Value::from)
}

fn find(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(position(search(vm, args, "find", false)?))
}

fn rfind(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(position(search(vm, args, "rfind", true)?))
}

fn index(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match search(vm, args, "index", false)? {
        Some(at) => Ok(Value::from(at)),
        None => Err(Raised::value_error("substring not found")),
    }
}

fn rindex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match search(vm, args, "rindex", true)? {
        Some(at) => Ok(Value::from(at)),
        None => Err(Raised::value_error("substring not found")),
    }
}

fn count(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("str.count")?;
    let s = own(this, "count")?.clone();
    let rest = rest.between("count", 1, 3)?;
    let needle = rest.first().unwrap_or(&Value::None);
    let needle = needle
        .as_str()
        .ok_or_else(|| needs_str(needle, "must be str"))?;
    let window = window(vm, &s, rest.get(1..).unwrap_or_default())?;
    if window.start.is_none() {
        return Ok(Value::Int(0));
    }
    Ok(Value::from(if needle.is_empty() {
        window.text.chars().count() + 1
    } else {
        window.text.matches(needle).count()
    }))
}

fn affix(
    vm: &mut dyn Vm,
    args: Args<'_>,
    method: &'static str,
    test: fn(&str, &str) -> bool,
) -> PyResult {
    let (this, rest) = args.split_self(method)?;
    let s = own(this, method)?.clone();
    let rest = rest.between(method, 1, 3)?;
    let wanted = rest.first().unwrap_or(&Value::None);
    let window = window(vm, &s, rest.get(1..).unwrap_or_default())?;
    let refuse = |v: &Value| {
        Raised::type_error(format!(
            "{method} first arg must be str or a tuple of str, not {}",
            v.type_name()
        ))
    };
    if let Some(tuple) = wanted.as_tuple() {
        for option in tuple.items.iter() {
            let Some(text) = option.as_str() else {
                return Err(Raised::type_error(format!(
                    "tuple for {method} must only contain str, not {}",
                    option.type_name()
                )));
            };
            if window.start.is_some() && test(window.text, text) {
                return Ok(Value::bool(true));
            }
        }
        return Ok(Value::bool(false));
    }
    let wanted = wanted.as_str().ok_or_else(|| refuse(wanted))?;
    Ok(Value::bool(
        window.start.is_some() && test(window.text, wanted),
    ))
}

fn startswith(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    affix(vm, args, "startswith", |s, prefix| s.starts_with(prefix))
}

fn endswith(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    affix(vm, args, "endswith", |s, suffix| s.ends_with(suffix))
}

static SPLIT: Signature<2> = Signature::new("split", ["sep", "maxsplit"]).required(0);

/// Separator (none for white space) and limit of a split.
fn split_arguments(
    vm: &mut dyn Vm,
    args: Args<'_>,
) -> PyResult<(PyRef<PyStr>, Option<PyRef<PyStr>>, usize)> {
    let (this, [sep, limit]) = SPLIT.parse_method(args)?;
    let s = own(this, "split")?.clone();
    let sep = match sep {
        None | Some(Value::None) => None,
        Some(sep) => match sep.as_pystr() {
            Some(text) if text.is_empty() => {
                return Err(Raised::value_error("empty separator"));
            }
            Some(text) => Some(text.clone()),
            None => return Err(needs_str(&sep, "must be str or None")),
        },
    };
    let limit = match limit {
        Some(limit) => usize::try_from(ops::as_index(vm, &limit)?).unwrap_or(usize::MAX),
        None => usize::MAX,
    };
    Ok((s, sep, limit))
}

fn split(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (s, sep, limit) = split_arguments(vm, args)?;
    let parts: Vec<Value> = match sep {
        Some(sep) => s
            .splitn(limit.saturating_add(1), sep.as_str())
            .map(Value::from)
            .collect(),
        None => {
            let mut parts = Vec::new();
            let mut rest = s.trim_start_matches(is_space);
            while !rest.is_empty() {
                if parts.len() == limit {
                    parts.push(Value::from(rest));
                    break;
                }
                let end = rest.find(is_space).unwrap_or(rest.len());
                let (word, tail) = rest.split_at(end);
                parts.push(Value::from(word));
                rest = tail.trim_start_matches(is_space);
            }
            parts
        }
    };
    Ok(Value::list(parts))
}

fn rsplit(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (s, sep, limit) = split_arguments(vm, args)?;
    let mut parts: Vec<Value> = match sep {
        Some(sep) => s
            .rsplitn(limit.saturating_add(1), sep.as_str())
            .map(Value::from)
            .collect(),
        None => {
            let mut parts = Vec::new();
            let mut rest = s.trim_end_matches(is_space);
            while !rest.is_empty() {
                if parts.len() == limit {
                    parts.push(Value::from(rest));
                    break;
                }
                let start = rest
                    .char_indices()
                    .rev()
                    .find(|(_, c)| is_space(*c))
                    .map_or(0, |(i, c)| i + c.len_utf8());
                let (head, word) = rest.split_at(start);
                parts.push(Value::from(word));
                rest = head.trim_end_matches(is_space);
            }
            parts
        }
    };
    parts.reverse();
    Ok(Value::list(parts))
}

static SPLITLINES: Signature<1> = Signature::new("splitlines", ["keepends"]).required(0);

fn splitlines(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [keep]) = SPLITLINES.parse_method(args)?;
    let keep = match keep {
        Some(keep) => ops::as_index(vm, &keep)? != 0,
        None => false,
    };
    let is_end = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    let mut lines = Vec::new();
    let mut rest = own(this, "splitlines")?.as_str();
    while !rest.is_empty() {
        let Some(at) = rest.find(is_end) else {
            lines.push(Value::from(rest));
            break;
        };
        let (line, tail) = rest.split_at(at);
        let length = if tail.starts_with("\r\n") {
            2
        } else {
            tail.chars().next().map_or(0, char::len_utf8)
        };
        let (end, tail) = tail.split_at(length);
        lines.push(if keep {
            Value::from([line, end].concat())
        } else {
            Value::from(line)
        });
        rest = tail;
    }
    Ok(Value::list(lines))
}

fn separator<'a>(args: Args<'a>, method: &'static str) -> PyResult<(&'a Value, &'a str)> {
    let (this, [sep]) = args.method::<1>(method)?;
    match sep.as_str() {
        Some("") => Err(Raised::value_error("empty separator")),
        Some(text) => Ok((this, text)),
        None => Err(needs_str(sep, "must be str")),
    }
}

fn partition(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, sep) = separator(args, "str.partition")?;
    let s = own(this, "partition")?;
    Ok(Value::tuple(match s.split_once(sep) {
        Some((head, tail)) => vec![Value::from(head), Value::from(sep), Value::from(tail)],
        None => vec![Value::Str(s.clone()), Value::from(""), Value::from("")],
    }))
}

fn rpartition(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, sep) = separator(args, "str.rpartition")?;
    let s = own(this, "rpartition")?;
    Ok(Value::tuple(match s.rsplit_once(sep) {
        Some((head, tail)) => vec![Value::from(head), Value::from(sep), Value::from(tail)],
        None => vec![Value::from(""), Value::from(""), Value::Str(s.clone())],
    }))
}

fn join(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [iterable]) = args.method::<1>("str.join")?;
    let sep = own(this, "join")?.clone();
    let items = ops::collect(vm, iterable).map_err(|raised| {
        if raised.is(crate::ExcKind::TypeError)
            && ops::special(iterable, crate::name!("__iter__")).is_none()
        {
            return Raised::type_error("can only join an iterable");
        }
        raised
    })?;
    joined(&sep, &items)
}

/// `sep.join(items)`
pub(super) fn joined(sep: &str, items: &[Value]) -> PyResult {
    if let [only @ Value::Str(_)] = items {
        return Ok(only.clone());
    }
    let lengths = items.iter().map(|item| item.as_str().map_or(0, str::len));
    let length = lengths.sum::<usize>() + sep.len() * items.len().saturating_sub(1);
    let mut out = String::with_capacity(length);
    for (i, item) in items.iter().enumerate() {
        let Some(text) = item.as_str() else {
            return Err(Raised::type_error(format!(
                "sequence item {i}: expected str instance, {} found",
                item.type_name()
            )));
        };
        if i > 0 {
            out.push_str(sep);
        }
        out.push_str(text);
    }
    Ok(Value::from(out))
}

fn strip_with(args: Args<'_>, method: &'static str, left: bool, right: bool) -> PyResult {
    let (this, rest) = args.split_self(method)?;
    let s = own(this, method)?;
    let set: Option<Vec<char>> = match rest.between(method, 0, 1)? {
        [] | [Value::None] => None,
        [chars, ..] => match chars.as_str() {
            Some(chars) => Some(chars.chars().collect()),
            None => {
                return Err(Raised::type_error(format!(
                    "{method} arg must be None or str"
                )));
            }
        },
    };
    Ok(stripped(s, set.as_deref(), (left, right)))
}

/// A string without the characters of a set, or white space, at its ends.
pub(super) fn stripped(
    s: &PyRef<PyStr>,
    set: Option<&[char]>,
    (left, right): (bool, bool),
) -> Value {
    let drop = |c: char| match set {
        Some(set) => set.contains(&c),
        None => is_space(c),
    };
    let mut text = s.as_str();
    if left {
        text = text.trim_start_matches(drop);
    }
    if right {
        text = text.trim_end_matches(drop);
    }
    match text.len() == s.len() {
        true => Value::Str(s.clone()),
        false => Value::from(text),
    }
}

fn strip(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    strip_with(args, "strip", true, true)
}

fn lstrip(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    strip_with(args, "lstrip", true, false)
}

fn rstrip(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    strip_with(args, "rstrip", false, true)
}

fn removeprefix(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [prefix]) = args.method::<1>("str.removeprefix")?;
    let s = own(this, "removeprefix")?;
    let Some(prefix) = prefix.as_str() else {
        return Err(needs_str(prefix, "removeprefix() argument must be str"));
    };
    Ok(match s.strip_prefix(prefix) {
        Some(rest) => Value::from(rest),
        None => Value::Str(s.clone()),
    })
}

fn removesuffix(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [suffix]) = args.method::<1>("str.removesuffix")?;
    let s = own(this, "removesuffix")?;
    let Some(suffix) = suffix.as_str() else {
        return Err(needs_str(suffix, "removesuffix() argument must be str"));
    };
    Ok(match s.strip_suffix(suffix) {
        Some(rest) if !suffix.is_empty() => Value::from(rest),
        _ => Value::Str(s.clone()),
    })
}

fn replace(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("str.replace")?;
    let s = own(this, "replace")?.clone();
    let rest = rest.between("replace", 2, 3)?;
    let text = |at: usize| -> PyResult<&str> {
        let v = rest.get(at).unwrap_or(&Value::None);
        v.as_str()
            .ok_or_else(|| needs_str(v, &format!("replace() argument {} must be str", at + 1)))
    };
    let (from, to) = (text(0)?, text(1)?);
    let limit = match rest.get(2) {
        Some(limit) => usize::try_from(ops::as_index(vm, limit)?).ok(),
        None => None,
    };
    // What may be large is counted first: it could be more than there is memory for.
    if s.len().saturating_mul(to.len()) > 1 << 24 && to.len() > from.len() {
        let places = s.matches(from).take(limit.unwrap_or(usize::MAX)).count();
        memory::text(
            places
                .saturating_mul(to.len() - from.len())
                .saturating_add(s.len()),
        )?;
    }
    Ok(Value::from(match limit {
        Some(limit) => s.replacen(from, to, limit),
        None => s.replace(from, to),
    }))
}
