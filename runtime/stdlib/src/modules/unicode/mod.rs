//! `unicodedata`: the Unicode character database of Python 3.11.
//!
//! In: characters. Out: their properties and names, normal forms. Always: all but the names comes from `data.txt`, which
//! `tools/unicode_tables.py` writes; the names are those of a crate for a newer version, of which only the characters count
//! that this one has.

mod table;

use janus_bytecode::surrogate;
use janus_interp::Interp;
use janus_object::{
    Args, Class, Instance, NativeDef, Opaque, PyRef, PyResult, Raised, Value, Vm, ops,
};
use unicode_normalization::UnicodeNormalization;

use crate::support::{foreign_class, module, string, type_name};
use table::{Database, Version, database};

/// The functions, which are the methods of `ucd_3_2_0`, too.
const METHODS: &[NativeDef] = &[
    NativeDef::method("UCD.bidirectional", bidirectional),
    NativeDef::method("UCD.category", category),
    NativeDef::method("UCD.combining", combining),
    NativeDef::method("UCD.decimal", decimal),
    NativeDef::method("UCD.decomposition", decomposition),
    NativeDef::method("UCD.digit", digit),
    NativeDef::method("UCD.east_asian_width", east_asian_width),
    NativeDef::method("UCD.is_normalized", is_normalized),
    NativeDef::method("UCD.lookup", lookup),
    NativeDef::method("UCD.mirrored", mirrored),
    NativeDef::method("UCD.name", name),
    NativeDef::method("UCD.normalize", normalize),
    NativeDef::method("UCD.numeric", numeric),
    NativeDef::getter("UCD.unidata_version", |_, _| Ok(Value::str("3.2.0"))),
];

macro_rules! functions {
    ($($name:literal $function:ident,)*) => {
        &[$(NativeDef::function(concat!("unicodedata.", $name), |vm, args| {
            let mut pos = Vec::with_capacity(args.pos.len() + 1);
            pos.push(Value::None);
            pos.extend_from_slice(args.pos);
            $function(vm, Args::with_kw(&pos, args.kw))
        }),)*]
    };
}

const FUNCTIONS: &[NativeDef] = functions! {
    "bidirectional" bidirectional,
    "category" category,
    "combining" combining,
    "decimal" decimal,
    "decomposition" decomposition,
    "digit" digit,
    "east_asian_width" east_asian_width,
    "is_normalized" is_normalized,
    "lookup" lookup,
    "mirrored" mirrored,
    "name" name,
    "normalize" normalize,
    "numeric" numeric,
};

fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("UCD", "unicodedata", METHODS);
    }
    CLASS.with(PyRef::clone)
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("unicodedata", "The Unicode character database.", FUNCTIONS);
    m.set("unidata_version", "14.0.0");
    m.set("UCD", Value::Class(class()));
    m.set(
        "ucd_3_2_0",
        Instance::native(&class(), Opaque(Version::Old)),
    );
    Ok(Value::Module(m))
}

/// A question about a character: the version that is asked, and what else was given.
struct Question<'a> {
    version: Version,
    code: u32,
    default: Option<&'a Value>,
}

impl<'a> Question<'a> {
    fn of(args: &Args<'a>, name: &'static str, with_default: bool) -> PyResult<Question<'a>> {
        let (version, rest) = split(args, name)?;
        let given = rest.between(name, 1, 1 + usize::from(with_default))?;
        let text = given[0].as_str().unwrap_or_default();
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Ok(Question {
                version,
                code: surrogate::code_of(c),
                default: given.get(1),
            }),
            _ => {
                let which = if with_default {
                    "argument 1"
                } else {
                    "argument"
                };
                Err(Raised::type_error(format!(
                    "{name}() {which} must be a unicode character, not {}",
                    type_name(&given[0])
                )))
            }
        }
    }

    fn data(&self) -> &'static Database {
        database()
    }

    /// What was found, or the default, or the error.
    fn answer(&self, found: Option<Value>, error: &str) -> PyResult {
        match (found, self.default) {
            (Some(found), _) => Ok(found),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => Err(Raised::value_error(error)),
        }
    }
}

/// The version that a method or function is of, and its arguments.
fn split<'a>(args: &Args<'a>, name: &str) -> PyResult<(Version, Args<'a>)> {
    let (this, rest) = Args::with_kw(args.pos, args.kw).split_self(name)?;
    let version = this.foreign::<Version>().copied();
    Ok((version.unwrap_or(Version::New), rest))
}

fn bidirectional(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "bidirectional", false)?;
    let found = asked.data().properties(asked.version, asked.code);
    Ok(Value::str(found.bidirectional))
}

fn category(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "category", false)?;
    let found = asked.data().properties(asked.version, asked.code);
    Ok(Value::str(found.category))
}

fn combining(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "combining", false)?;
    let found = asked.data().properties(asked.version, asked.code);
    Ok(Value::Int(found.combining.into()))
}

fn mirrored(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "mirrored", false)?;
    let found = asked.data().properties(asked.version, asked.code);
    Ok(Value::Int(found.mirrored.into()))
}

fn east_asian_width(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "east_asian_width", false)?;
    let found = asked.data().properties(asked.version, asked.code);
    Ok(Value::str(found.width))
}

fn decomposition(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "decomposition", false)?;
    Ok(Value::str(
        asked.data().decomposition(asked.version, asked.code),
    ))
}

fn decimal(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "decimal", true)?;
    let found = asked.data().number(asked.version, asked.code);
    let found = found.and_then(|n| n.decimal);
    asked.answer(found.map(|n| Value::Int(n.into())), "not a decimal")
}

fn digit(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "digit", true)?;
    let found = asked.data().number(asked.version, asked.code);
    let found = found.and_then(|n| n.digit);
    asked.answer(found.map(|n| Value::Int(n.into())), "not a digit")
}

fn numeric(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "numeric", true)?;
    let found = asked.data().number(asked.version, asked.code);
    asked.answer(
        found.map(|n| Value::float(n.numeric)),
        "not a numeric character",
    )
}

fn is_assigned(version: Version, code: u32) -> bool {
    database().properties(version, code).category != "Cn"
}

fn name(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let asked = Question::of(&args, "name", true)?;
    let found = char::from_u32(asked.code)
        .filter(|_| is_assigned(asked.version, asked.code))
        .and_then(unicode_names2::name);
    asked.answer(found.map(|n| Value::str(n.to_string())), "no such name")
}

fn lookup(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (version, rest) = split(&args, "lookup")?;
    let [name] = rest.exactly("lookup")?;
    let name = string(name, "lookup() argument")?;
    let found = unicode_names2::character(name);
    match found.filter(|c| is_assigned(version, u32::from(*c))) {
        Some(c) => Ok(Value::char(c)),
        None => {
            let message = format!("undefined character name '{name}'");
            Err(Raised::key_error(Value::str(message)))
        }
    }
}

fn is_normalized(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let normal = normalize(vm, Args::with_kw(args.pos, args.kw))?;
    let text = args.pos.get(2).cloned().unwrap_or(Value::None);
    Ok(Value::bool(ops::eq(vm, &normal, &text)?))
}

fn normalize(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (version, rest) = split(&args, "normalize")?;
    let [form, text] = rest.exactly("normalize")?;
    let form = string(form, "normalize() argument 1")?;
    let text = string(text, "normalize() argument 2")?;
    let normal: fn(&str) -> String = match form {
        "NFC" => |text| text.nfc().collect(),
        "NFD" => |text| text.nfd().collect(),
        "NFKC" => |text| text.nfkc().collect(),
        "NFKD" => |text| text.nfkd().collect(),
        _ => return Err(Raised::value_error("invalid normalization form")),
    };
    // What the version does not have stays as it is.
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let known = |c: char| c.is_ascii() || is_assigned(version, u32::from(c));
        let end = rest.find(|c| !known(c)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        out.push_str(&normal(part));
        let mut chars = after.chars();
        out.extend(chars.next());
        rest = chars.as_str();
    }
    Ok(Value::str(out))
}
