//! Class statements.
//!
//! In: the body's function, the name, bases and keywords. Out: what the metaclass makes of them.
//! Always: the namespace is that of `__prepare__`, and the body runs exactly once.

use janus_object::{
    Args, ExcKind, Name, PyDict, PyRef, PyResult, Raised, Value, Vm, attr, calculate_metaclass,
    name, ops,
};

use crate::Interp;
use crate::bind::Bound;
use crate::functions::interp_of;

/// `__build_class__(body, name, *bases, metaclass=None, **kw)`
pub(crate) fn build_class(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let interp = interp_of(vm)?;
    let [
        Value::Function(body),
        class_name @ Value::Str(_),
        bases @ ..,
    ] = args.pos
    else {
        return Err(Raised::type_error(
            "__build_class__: func must be a function",
        ));
    };
    let original_bases = bases;
    let bases = interp.resolve_bases(bases)?;
    let mut kw = args.kw.to_vec();
    let explicit = kw
        .iter()
        .position(|(name, _)| name == name!("metaclass"))
        .map(|at| kw.remove(at).1);
    let metaclass = calculate_metaclass(explicit.as_ref(), &bases)?;
    let bases_changed = bases.len() != original_bases.len()
        || bases
            .iter()
            .zip(original_bases)
            .any(|(a, b)| !ops::is(a, b));
    let bases = Value::tuple(bases);

    let prepare = match attr::get(interp, &metaclass, name!("__prepare__")) {
        Ok(prepare) => Some(prepare),
        Err(raised) if raised.is(ExcKind::AttributeError) => None,
        Err(raised) => return Err(raised),
    };
    let namespace = match prepare {
        // `type.__prepare__` makes an empty dict.
        None | Some(Value::Native(_)) => Value::dict(PyDict::new()),
        Some(prepare) => {
            let args = [class_name.clone(), bases.clone()];
            interp.call_value(
                &prepare,
                Args {
                    pos: &args,
                    kw: &kw,
                },
            )?
        }
    };
    let Bound::Frame(mut frame) = interp.bind(body, Default::default(), Vec::new())? else {
        return Err(interp.internal("a class body that yields"));
    };
    match &namespace {
        Value::Dict(dict) => frame.namespace = Some(dict.clone()),
        other if other.as_dict().is_none() && !is_mapping(other) => {
            return Err(Raised::type_error(format!(
                "{}.__prepare__() must return a mapping, not {}",
                metaclass
                    .as_class()
                    .map_or_else(|| "<metaclass>".to_owned(), |c| c.name.borrow().to_string()),
                other.type_name()
            )));
        }
        other => {
            frame.namespace = Some(PyRef::new(PyDict::new()));
            frame.mapping = Some(other.clone());
        }
    }
    let cell = interp.run_bound(frame)?;
    if bases_changed {
        let original = Value::tuple(original_bases.to_vec());
        ops::set_item(
            interp,
            &namespace,
            &name!("__orig_bases__").to_value(),
            original,
        )?;
    }
    let args = [class_name.clone(), bases, namespace];
    let class = interp.call_value(
        &metaclass,
        Args {
            pos: &args,
            kw: &kw,
        },
    )?;
    if let (Value::Cell(cell), Value::Class(_)) = (&cell, &class) {
        let mut content = cell.value.borrow_mut();
        if content.is_none() {
            *content = Some(class.clone());
        }
    }
    Ok(class)
}

fn is_mapping(value: &Value) -> bool {
    janus_object::class_of(value)
        .lookup(name!("__getitem__"))
        .is_some()
}

impl Interp {
    /// `__build_class__`, which a script may have replaced.
    pub(crate) fn class_builder(&self) -> Value {
        let found = self.builtins.get_name(name!("__build_class__"));
        found.unwrap_or_else(|| self.build_class.clone())
    }

    /// Replaces bases that are not classes by what their `__mro_entries__` gives.
    fn resolve_bases(&mut self, bases: &[Value]) -> PyResult<Vec<Value>> {
        let mut resolved = Vec::with_capacity(bases.len());
        for base in bases {
            if let Value::Class(_) = base {
                resolved.push(base.clone());
                continue;
            }
            match attr::get_opt(self, base, &Name::new("__mro_entries__"))? {
                None => resolved.push(base.clone()),
                Some(entries) => {
                    let args = [Value::tuple(bases.to_vec())];
                    match self.call_value(&entries, Args::new(&args))? {
                        Value::Tuple(entries) => resolved.extend(entries.items.iter().cloned()),
                        _ => {
                            return Err(Raised::type_error("__mro_entries__ must return a tuple"));
                        }
                    }
                }
            }
        }
        Ok(resolved)
    }
}
