//! `_marshal`: code as bytes, for `marshal`.
//!
//! In: code, or bytes that may be anybody's. Out: the other. Always: what comes back passed the verifier.

use janus_bytecode::{pack, unpack, verify};
use janus_interp::Interp;
use janus_object::{Args, CodeObject, NativeDef, PyResult, Raised, Value, Vm};

use crate::support::{bytes_like, module};

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_marshal.pack", pack_code),
        NativeDef::function("_marshal.unpack", unpack_code),
    ];
    Ok(Value::Module(module("_marshal", "", FUNCTIONS)))
}

fn pack_code(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [Value::Code(code)] = args.exactly("pack")? else {
        return Err(Raised::value_error("unmarshallable object"));
    };
    Ok(Value::bytes(pack(&code.code)))
}

fn unpack_code(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [data] = args.exactly("unpack")?;
    match unpack(&bytes_like(data)?) {
        Some(code) if verify(&code).is_ok() => Ok(Value::Code(CodeObject::new(code))),
        _ => Err(Raised::value_error(
            "bad marshal data (code of another program)",
        )),
    }
}
