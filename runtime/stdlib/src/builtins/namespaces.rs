//! `vars`, `dir`, `exit`, `quit`.

use janus_object::{Args, ExcKind, NativeDef, PyResult, Raised, Value, Vm, attr, name, ops};

use crate::support::interp;

pub(super) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("builtins.vars", vars).asks_caller(),
    NativeDef::function("builtins.dir", dir).asks_caller(),
    NativeDef::function("builtins.exit", exit),
    NativeDef::function("builtins.quit", exit),
];

fn vars(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match args.between("vars", 0, 1)? {
        [object] => attr::get_opt(vm, object, name!("__dict__"))?
            .ok_or_else(|| Raised::type_error("vars() argument must have __dict__ attribute")),
        _ => interp(vm)?.current_locals(),
    }
}

fn dir(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let names = match args.between("dir", 0, 1)? {
        [object] => match ops::special(object, name!("__dir__")) {
            Some(method) => {
                let listed = ops::call_special(vm, &method, object, &[])?;
                ops::collect(vm, &listed)?
            }
            None => Vec::new(),
        },
        _ => {
            let locals = interp(vm)?.current_locals()?;
            let keys = vm.call_method(&locals, name!("keys"), Args::new(&[]))?;
            ops::collect(vm, &keys)?
        }
    };
    let list = Value::list(names);
    vm.call_method(&list, name!("sort"), Args::new(&[]))?;
    Ok(list)
}

fn exit(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("exit", 0, 1)?;
    Err(Raised::with_args(ExcKind::SystemExit, given.to_vec()))
}
