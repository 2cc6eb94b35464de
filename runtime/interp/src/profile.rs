//! Filling profiles, and showing them.
//!
//! In: what sites see while tier 0 runs. Out: counts in [`Site`]s, and the text of
//! `--emit profile`. Always: of a loop head, `trips` holds completed loops only; `polymorphic`
//! says that one was left before its iterator or condition ended it, or, for a `while` loop, that
//! nothing is known of how it ended; a loop that was left is accounted for when it is next entered.
//! The count of a loop head is that of the trips of completed loops. The count of a site that only
//! sees types grows when it sees a new one.

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use janus_bytecode::{Opcode, OperandKind};
use janus_object::{Callee, CodeObject, Payload, PyRef, PyWeak, Site, TypeTag, Value, class_of};

use crate::cache::Quick;

/// Says of a value what its kind does not: a tensor's dtype and shape, a list's length.
pub type Describe = fn(&Value) -> Option<String>;

static DESCRIBE: OnceLock<Describe> = OnceLock::new();

/// Added to the kinds that may have details, where they are wanted: no site has this bit, so each
/// such value takes the slow path.
const WANTED: u32 = 1 << 31;
static DETAILS: AtomicU32 = AtomicU32::new(0);

/// Details that a site keeps; more of them say that they vary.
const MAX_DETAILS: usize = 4;

/// Makes sites keep what `describe` says of the values that they see. It costs time, so it is only
/// for `--emit profile`.
pub fn describe_profiles(describe: Describe) {
    if DESCRIBE.set(describe).is_ok() {
        DETAILS.store(WANTED, Ordering::Relaxed);
    }
}

/// Whether sites keep what is said of the values that they see: then each is shown to its site.
#[inline]
pub(crate) fn describes() -> bool {
    DETAILS.load(Ordering::Relaxed) != 0
}

/// The bit of a value's kind.
#[inline(always)]
fn any_type_bit(value: &Value) -> u32 {
    TypeTag::of(value) as u32 | DETAILS.load(Ordering::Relaxed)
}

/// Adds kinds to those that a site saw. The count of a site that only sees types grows when it
/// sees a new one: 0 still means that it was never reached, and hot code writes nothing.
#[inline(always)]
pub(crate) fn saw_bits(site: &Site, bits: u32) {
    let bits = bits & !WANTED;
    let seen = site.types.get();
    if seen & bits != bits {
        site.types.set(seen | bits);
        site.hit();
    }
}

/// Adds the kind of a value to those that a site saw.
#[inline(always)]
pub(crate) fn saw(site: &Site, value: &Value) {
    let bits = any_type_bit(value);
    if site.types.get() & bits != bits {
        saw_bits(site, bits);
        saw_details(site, bits, value);
    }
}

#[cold]
fn saw_details(site: &Site, bits: u32, value: &Value) {
    if bits & WANTED != 0
        && let Some(describe) = DESCRIBE.get()
        && let Some(text) = describe(value)
    {
        let mut known = site.details.take().unwrap_or_default();
        if known.len() <= MAX_DETAILS && !known.contains(&text) {
            known.push(text);
        }
        site.details.set(Some(known));
    }
}

/// Adds the kind of a call's result to those that its site saw; the call itself is counted already.
#[inline(always)]
pub(crate) fn saw_result(site: &Site, value: &Value) {
    let (seen, bits) = (site.types.get(), any_type_bit(value));
    if seen & bits != bits {
        site.types.set(seen | bits & !WANTED);
        saw_details(site, bits, value);
    }
}

/// What tells the kind of a value, but for its details: its variant, of which instances have two.
#[inline(always)]
pub(crate) fn kind_of(value: &Value) -> u16 {
    match value {
        Value::Instance(instance) if matches!(instance.payload, Payload::Foreign(_)) => 0x80,
        other => u16::from(other.tag()),
    }
}

/// As [`saw`] for what an instruction met of another kind than the last time; `kind`: what tells it.
#[inline(never)]
pub(crate) fn saw_another_kind(sites: &[Site], quick: &Quick, values: &[&Value], kind: u16) {
    if let Some(site) = sites.get(quick.site as usize) {
        for value in values {
            saw(site, value);
        }
    }
    if !describes() {
        quick.last.set(kind);
    }
}

/// A call site is about to call something.
#[inline(always)]
pub(crate) fn saw_callee(site: &Site, callable: &Value) {
    if site.polymorphic.get() {
        return;
    }
    let address = callee_address(callable);
    // SAFETY: nothing else runs while it is looked at.
    if let Ok(Some(seen)) = unsafe { site.callee.try_borrow_unguarded() }
        && seen.address == address
    {
        return;
    }
    saw_another(site, callable);
}

#[cold]
fn saw_another(site: &Site, callable: &Value) {
    let seen = site.callee.take();
    if seen.is_some() {
        site.polymorphic.set(true);
        return;
    }
    let callable = match callable {
        Value::Method(method) => &method.function,
        other => other,
    };
    site.callee.replace(Some(Callee {
        address: callee_address(callable),
        is_python: match callable {
            Value::Function(_) => true,
            Value::Class(class) => class.flags.get().mutable,
            _ => false,
        },
        code: match callable {
            Value::Function(function) => Some(PyWeak::new(&function.code.borrow())),
            _ => None,
        },
        name: callee_name(callable).into(),
    }));
}

/// See [`Callee::address`].
#[inline]
fn callee_address(callable: &Value) -> usize {
    match callable {
        Value::Function(function) => PyRef::as_ptr(&function.code.borrow()).addr(),
        Value::Native(native) => PyRef::as_ptr(native).addr(),
        Value::Class(class) => PyRef::as_ptr(class).addr(),
        Value::Method(method) => match &method.function {
            Value::Method(_) => 0,
            function => callee_address(function),
        },
        other => PyRef::as_ptr(&class_of(other)).addr(),
    }
}

/// A loop is entered: one that was left without ending counts now.
#[inline]
pub(crate) fn loop_entered(site: &Site) {
    if site.running.get() > 0 {
        record(site);
        site.polymorphic.set(true);
    }
}

/// The iterator of a loop is exhausted.
#[inline]
pub(crate) fn loop_exhausted(site: &Site) {
    record(site);
    site.taken.set(site.taken.get().saturating_add(1));
}

#[inline]
fn record(site: &Site) {
    let trips = site.running.replace(0);
    site.count.set(site.count.get().saturating_add(trips));
    let first = site.taken.get() == 0 && !site.polymorphic.get();
    let (_, least, most) = site.trips.get();
    site.trips.set(if first {
        (trips, trips, trips)
    } else {
        (trips, least.min(trips), most.max(trips))
    });
}

/// The names of the kinds in a bit set of type tags, and the details of those that have some.
fn type_names(types: u32, details: &[String]) -> String {
    // Kinds that a description replaces.
    const DESCRIBED: u32 = TypeTag::Tuple as u32
        | TypeTag::List as u32
        | TypeTag::Dict as u32
        | TypeTag::Foreign as u32
        | TypeTag::Object as u32
        | TypeTag::Bytes as u32
        | TypeTag::Other as u32;
    const NAMES: [&str; 14] = [
        "None", "bool", "int", "float", "bigint", "str", "tuple", "list", "dict", "callable",
        "foreign", "object", "bytes", "other",
    ];
    let plain = if details.is_empty() {
        types
    } else {
        types & !DESCRIBED
    };
    let mut names: Vec<&str> = NAMES
        .iter()
        .enumerate()
        .filter(|(bit, _)| plain & (1 << bit) != 0)
        .map(|(_, name)| *name)
        .collect();
    names.extend(details.iter().take(MAX_DETAILS).map(String::as_str));
    if details.len() > MAX_DETAILS {
        names.push("...");
    }
    names.join("|")
}

/// What the sites of a code object, and of those nested in it, saw: one line per site that was
/// reached.
pub fn profile_text(code: &CodeObject) -> String {
    let mut out = String::new();
    write_profile(code, &mut out);
    out
}

fn write_profile(code: &CodeObject, out: &mut String) {
    let c = &code.code;
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "profile {} ({}:{}) entries {}",
        c.qualname,
        c.filename,
        c.first_line,
        code.profile.entries.get()
    );
    let mut last_line = 0;
    for (pc, (instr, span)) in c.instrs.iter().zip(&c.spans).enumerate() {
        let Some(site) = code.profile.site(pc as u32) else {
            continue;
        };
        let seen = site_text(instr.op, site);
        if seen.is_empty() {
            continue;
        }
        let line = if span.line == last_line {
            String::new()
        } else {
            span.line.to_string()
        };
        last_line = span.line;
        let _ = write!(out, "{line:>5} {pc:>5} {}", instr.op.name());
        let name = match instr.op.operand_kind() {
            OperandKind::Name => c.names.get(instr.arg as usize),
            OperandKind::Local => c.varnames.get(instr.arg as usize),
            OperandKind::Deref => c.deref_name(instr.arg),
            _ => None,
        };
        if let Some(name) = name {
            let _ = write!(out, " ({name})");
        }
        let _ = writeln!(out, ":{seen}");
    }
    for constant in code.consts.iter() {
        if let Value::Code(inner) = constant
            && inner.profile.entries.get() > 0
        {
            out.push('\n');
            write_profile(inner, out);
        }
    }
}

fn site_text(op: Opcode, site: &Site) -> String {
    let mut out = String::new();
    let types = site.types.get();
    let taken = site.taken.get();
    let count = site.count.get();
    if count == 0 && taken == 0 && types == 0 && site.running.get() == 0 {
        return out;
    }
    if counts(op) {
        let _ = write!(out, " count {count}");
    }
    match op {
        Opcode::ForIter | Opcode::LoopHead => {
            let (last, least, most) = site.trips.get();
            let _ = write!(out, " trips last {last} min {least} max {most}");
            if site.running.get() > 0 {
                let _ = write!(out, " running {}", site.running.get());
            }
        }
        _ if counts(op) && types == 0 => {
            let _ = write!(out, " taken {taken}");
        }
        _ => {}
    }
    if let Some(callee) = &*site.callee.borrow() {
        let _ = write!(out, " callee {}", callee.name);
    }
    if site.polymorphic.get() && op != Opcode::ForIter && op != Opcode::LoopHead {
        out.push_str(" polymorphic");
    }
    if types != 0 {
        let details = site.details.take();
        let known = details.as_deref().map_or(&[][..], Vec::as_slice);
        let _ = write!(out, " types {}", type_names(types, known));
        site.details.set(details);
    }
    out
}

/// Whether an instruction's site counts how often it is reached.
fn counts(op: Opcode) -> bool {
    use Opcode::*;
    !matches!(
        op,
        BinaryOp
            | CompareOp
            | BinarySubscr
            | UnaryNegative
            | LoadAttr
            | LoadMethod
            | LoadGlobal
            | LoadFast
            | LoadDeref
            | UnpackSequence
    )
}

fn callee_name(callee: &Value) -> String {
    match callee {
        Value::Function(f) => f.code.borrow().code.qualname.to_string(),
        Value::Native(n) => n.qualname.to_owned(),
        Value::Class(c) => c.name.borrow().to_string(),
        other => other.type_name(),
    }
}
