//! `_binascii`, `_imp`: small native helpers of modules written in Python.
//!
//! In: bytes, module names. Out: what those modules need. Always: an error that has a
//! class of its own is raised by the Python side.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use janus_bytecode::Opcode;
use janus_interp::Interp;
use janus_object::{Args, Name, NativeDef, PyResult, Raised, Value, Vm, attr, name};

use crate::support::{bytes_like, int, interp, module};

/// Makes `_binascii`.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_binascii.b2a", |_, args| {
            let [data] = args.exactly("b2a_base64")?;
            Ok(Value::bytes(
                STANDARD.encode(bytes_like(data)?).into_bytes(),
            ))
        }),
        NativeDef::function("_binascii.a2b", a2b),
        NativeDef::function("_binascii.crc32", crc32),
        NativeDef::function("_binascii.crc_hqx", crc_hqx),
    ];
    Ok(Value::Module(module("_binascii", "", FUNCTIONS)))
}

/// Bytes, or the text of the error. As CPython, what is not of the alphabet is passed over.
fn a2b(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [data] = args.exactly("a2b_base64")?;
    let data = bytes_like(data)?;
    let mut out = Vec::with_capacity(data.len() / 4 * 3);
    let (mut bits, mut held, mut letters, mut pads) = (0u32, 0, 0usize, 0);
    for byte in data {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                pads += 1;
                if letters % 4 >= 2 && letters % 4 + pads >= 4 {
                    return Ok(Value::bytes(out));
                }
                continue;
            }
            _ => continue,
        };
        pads = 0;
        letters += 1;
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    Ok(match letters % 4 {
        0 => Value::bytes(out),
        1 => Value::str(format!(
            "Invalid base64-encoded string: number of data characters ({letters}) cannot be 1 more than a \
             multiple of 4"
        )),
        _ => Value::str("Incorrect padding"),
    })
}

fn crc32(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("crc32", 1, 2)?;
    let before = given.get(1).map_or(Ok(0), |v| int(vm, v))? as u32;
    let mut crc = crc32fast::Hasher::new_with_initial(before);
    crc.update(&bytes_like(&given[0])?);
    Ok(Value::Int(i64::from(crc.finalize())))
}

/// The CRC of BinHex: CCITT's, 16 bits.
fn crc_hqx(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [data, before] = args.exactly("crc_hqx")?;
    let mut crc = int(vm, before)? as u16;
    for byte in bytes_like(data)? {
        crc ^= u16::from(byte) << 8;
        for _ in 0..8 {
            crc = (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 };
        }
    }
    Ok(Value::Int(i64::from(crc)))
}

/// Calls a method of the lock that scripts hold while they change what imports read.
fn of_import_lock(vm: &mut dyn Vm, method: &Name, args: &[Value]) -> PyResult {
    let module = interp(vm)?.import_module("_imp")?;
    let lock = attr::get(vm, &module, name!("_lock"))?;
    vm.call_method(&lock, method, Args::new(args))
}

/// Whether this thread holds that lock.
fn is_mine(vm: &mut dyn Vm) -> PyResult<bool> {
    let owned = of_import_lock(vm, name!("_is_owned"), &[])?;
    Ok(owned.as_int() == Some(1))
}

/// Makes `_imp`.
pub(crate) fn build_imp(vm: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_imp.import_module", |vm, args| {
            let [name] = args.exactly("import_module")?;
            let name = crate::support::string(name, "module name")?.to_owned();
            interp(vm)?.import_module(&name)
        }),
        NativeDef::function("_imp.find_spec", |vm, args| {
            let [name] = args.exactly("find_spec")?;
            let name = crate::support::string(name, "module name")?.to_owned();
            interp(vm)?.find_spec(&name)
        }),
        NativeDef::function("_imp.module_from_spec", |vm, args| {
            let [spec] = args.exactly("module_from_spec")?;
            interp(vm)?.module_from_spec(spec)
        }),
        // Into how many variables code unpacks a value at a place (`f_lasti`); None if it does something else there.
        NativeDef::function("_imp.unpacked_at", |_, args| {
            let [code, at] = args.exactly("unpacked_at")?;
            let (Value::Code(code), Some(at)) = (code, at.as_int()) else {
                return Err(Raised::type_error("unpacked_at() takes code and an int"));
            };
            let at = usize::try_from(at / 2).ok();
            let instruction = at.and_then(|at| code.code.instrs.get(at));
            Ok(match instruction {
                Some(i) if i.op == Opcode::UnpackSequence => Value::Int(i64::from(i.arg)),
                _ => Value::None,
            })
        }),
        // The modules that are built in stand once, so that there are no others to be had in their place.
        NativeDef::function("_imp._override_frozen_modules_for_tests", |vm, args| {
            let [switch] = args.exactly("_override_frozen_modules_for_tests")?;
            int(vm, switch).map(|_| Value::None)
        }),
        NativeDef::function("_imp.acquire_lock", |vm, args| {
            let [] = args.exactly("acquire_lock")?;
            of_import_lock(vm, name!("acquire"), &[]).map(|_| Value::None)
        }),
        NativeDef::function("_imp.release_lock", |vm, args| {
            let [] = args.exactly("release_lock")?;
            if !is_mine(vm)? {
                return Err(Raised::runtime_error("not holding the import lock"));
            }
            of_import_lock(vm, name!("release"), &[])
        }),
        NativeDef::function("_imp.lock_held", |vm, args| {
            let [] = args.exactly("lock_held")?;
            if is_mine(vm)? {
                return Ok(Value::bool(true));
            }
            let free = of_import_lock(vm, name!("acquire"), &[Value::bool(false)])?;
            let free = free.as_int() == Some(1);
            if free {
                of_import_lock(vm, name!("release"), &[])?;
            }
            Ok(Value::bool(!free))
        }),
        NativeDef::function("_imp.is_registered", |_, args| {
            let [name] = args.exactly("is_registered")?;
            Ok(Value::bool(name.as_str().is_some_and(super::is_registered)))
        }),
    ];
    let m = module("_imp", "", FUNCTIONS);
    let threads = vm.import_module("_thread")?;
    let class = attr::get(vm, &threads, name!("RLock"))?;
    m.set("_lock", vm.call(&class, Args::new(&[]))?);
    let classes = janus_interp::ImportClasses::get();
    for (name, class) in [
        ("ModuleSpec", &classes.spec),
        ("SourceFileLoader", &classes.source_loader),
        ("BuiltinImporter", &classes.builtin),
        ("FrozenImporter", &classes.frozen),
        ("PathFinder", &classes.path),
        ("NamespaceLoader", &classes.namespace),
    ] {
        m.set(name, Value::Class(class.clone()));
    }
    Ok(Value::Module(m))
}
