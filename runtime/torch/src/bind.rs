//! Calls from Python into the table, in tier 0.
//!
//! In: Python arguments. Out: Python results. Always: a list or tuple is handed on as it is unless
//! there are tensors in it.

use janus_object::{
    Args, Binding, Name, NativeBody, NativeFunction, PyDeque, PyResult, Raised, Value, Vm, attr,
    ops,
};

use crate::call::{Arg, Ret};
use crate::eager::Eager;
use crate::numpy;
use crate::objects::{named_tuple, size_value, tensor_of, wrap};
use crate::overrides;
use crate::table::{Function, lookup};
use crate::vm_scope;

use janus_tensor::{Dim, Scalar, Tensor};

/// Which of numpy's objects stand for tensors in a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numpy {
    /// None: an operator leaves an array to the array.
    Nothing,
    /// Arrays.
    Arrays,
    /// Scalars, too, for their dtype.
    Everything,
}

impl Numpy {
    fn tensor_of(self, v: &Value) -> Option<Tensor> {
        match (self, v) {
            (Numpy::Nothing, _) => None,
            (_, Value::Instance(_)) => numpy::array(v).or_else(|| match self {
                Numpy::Everything => numpy::scalar(v),
                _ => None,
            }),
            _ => None,
        }
    }
}

/// Whether there is a tensor in nested lists and tuples.
fn holds_tensors(v: &Value, numpy: Numpy) -> bool {
    let any = |items: &[Value]| {
        // Lists of numbers are homogeneous almost always: the first item decides for plain data.
        items.iter().any(|i| match i {
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => false,
            other => {
                tensor_of(other).is_some()
                    || holds_tensors(other, numpy)
                    || numpy.tensor_of(other).is_some()
            }
        })
    };
    if let Some(list) = v.as_list() {
        return any(&list.items.borrow());
    }
    if let Some(tuple) = v.as_tuple() {
        return any(&tuple.items);
    }
    match v {
        Value::Slice(s) => [&s.start, &s.stop, &s.step]
            .into_iter()
            .any(|p| tensor_of(p).is_some()),
        _ => false,
    }
}

/// A Python value as an argument.
fn to_arg(v: &Value, numpy: Numpy) -> Arg<Eager> {
    if let Some(t) = tensor_of(v) {
        return Arg::Tensor(t.clone());
    }
    if let Some(t) = numpy.tensor_of(v) {
        return Arg::Tensor(t);
    }
    if !holds_tensors(v, numpy) {
        return Arg::Const(v.clone());
    }
    let part = |v: &Value| to_arg(v, numpy);
    if let Some(list) = v.as_list() {
        return Arg::List(list.items.borrow().iter().map(part).collect());
    }
    if let Some(tuple) = v.as_tuple() {
        return Arg::Tuple(tuple.items.iter().map(part).collect());
    }
    match v {
        Value::Slice(s) => Arg::Slice(Box::new([part(&s.start), part(&s.stop), part(&s.step)])),
        other => Arg::Const(other.clone()),
    }
}

/// The tensor of nested lists of numpy's arrays, which are data to PyTorch where tensors are not.
fn stacked(v: &Value) -> Option<Tensor> {
    let rows = |items: &[Value]| {
        if matches!(
            items.first(),
            Some(Value::Int(_) | Value::Float(_) | Value::Bool(_))
        ) {
            return None;
        }
        let rows: Option<Vec<_>> = items.iter().map(|i| stacked(i).map(Arg::Tensor)).collect();
        let function = lookup::<Eager>("torch.stack")?;
        let pos = vec![Arg::List(rows.filter(|rows| !rows.is_empty())?)];
        match function.call(&mut Eager, pos, Vec::new()) {
            Ok(Ret::Tensor(t)) => Some(t),
            _ => None,
        }
    };
    if let Some(list) = v.as_list() {
        return rows(&list.items.borrow());
    }
    match v.as_tuple() {
        Some(tuple) => rows(&tuple.items),
        None => numpy::array(v),
    }
}

/// An index with the ints that its objects with `__index__` stand for.
fn index_value(vm: &mut dyn Vm, v: &Value) -> PyResult {
    Ok(match v {
        Value::Tuple(tuple) if tuple.items.iter().any(is_index_object) => {
            let items: PyResult<Vec<Value>> =
                tuple.items.iter().map(|i| index_value(vm, i)).collect();
            Value::tuple(items?)
        }
        object if is_index_object(object) => Value::Int(ops::as_index(vm, object)?),
        other => other.clone(),
    })
}

/// Whether `__index__` is all that makes this an int.
fn is_index_object(v: &Value) -> bool {
    matches!(v, Value::Instance(_))
        && tensor_of(v).is_none()
        && matches!(v.unwrapped(), Value::Instance(_))
        && numpy::array(v).is_none()
        && ops::special(v, &Name::new("__index__")).is_some()
}

/// A number as a Python value.
pub fn scalar_value(s: Scalar) -> Value {
    match s {
        Scalar::Bool(v) => Value::bool(v),
        Scalar::I64(n) => Value::Int(n),
        Scalar::U64(n) => Value::big(n.into()),
        Scalar::F64(f) => Value::float(f),
        Scalar::C128(c) => janus_object::complex_value(c.re, c.im),
    }
}

/// A result as a Python value.
pub fn to_value(ret: Ret<Eager>) -> Value {
    match ret {
        Ret::Tensor(t) => {
            t.leave_own_base();
            wrap(t)
        }
        Ret::Scalar(s) => scalar_value(s),
        Ret::Const(v) => v,
        Ret::Size(dims) => {
            let extent = |d: &Dim| Value::Int(d.known().unwrap_or(0));
            size_value(dims.iter().map(extent).collect())
        }
        Ret::Tuple(items) => Value::tuple(items.into_iter().map(to_value).collect::<Vec<_>>()),
        Ret::List(items) => Value::list(items.into_iter().map(to_value).collect()),
        Ret::NamedTuple(name, items) => {
            named_tuple(name, items.into_iter().map(to_value).collect())
        }
    }
}

/// Calls a function of the table with Python values.
pub fn call(function: &Function<Eager>, args: Args<'_>) -> PyResult {
    let numpy = match (function.is_operator(), function.takes_sequences()) {
        (true, _) => Numpy::Nothing,
        (_, true) => Numpy::Everything,
        _ => Numpy::Arrays,
    };
    if function.takes_sequences() {
        for array in args.pos.iter().filter_map(numpy::array) {
            numpy::check_direction(&array)?;
        }
    }
    let data = |v: &Value| match v.foreign::<PyDeque>() {
        _ if function.takes_sequences()
            && let Some(t) = stacked(v) =>
        {
            Arg::Tensor(t)
        }
        Some(deque) if function.takes_sequences() => {
            to_arg(&Value::List(deque.items().clone()), numpy)
        }
        _ => to_arg(v, numpy),
    };
    let pos = args.pos.iter().map(data).collect();
    let kw: Vec<(Name, Arg<Eager>)> = args
        .kw
        .iter()
        .map(|(name, v)| (name.clone(), data(v)))
        .collect();
    function
        .call(&mut Eager, pos, kw)
        .map(to_value)
        .map_err(|e| e.0)
}

/// Calls a function of the table by its name.
pub fn call_named(name: &str, args: Args<'_>) -> PyResult {
    match lookup::<Eager>(name) {
        Some(function) => call(&function, args),
        None => Err(janus_object::Raised::system_error(format!(
            "no function {name}"
        ))),
    }
}

/// Where data stands: a place or a name.
enum Place {
    At(usize),
    Named(usize),
}

/// Whether there is a sequence that says itself what is in it, in data of numbers.
fn reads_itself(v: &Value) -> bool {
    let any = |items: &[Value]| {
        !matches!(
            items.first(),
            None | Some(Value::Int(_) | Value::Float(_) | Value::Bool(_))
        ) && items.iter().any(reads_itself)
    };
    match v {
        Value::List(list) => any(&list.items.borrow()),
        Value::Tuple(tuple) => any(&tuple.items),
        Value::Instance(_) if tensor_of(v).is_some() || v.as_str().is_some() => false,
        Value::Instance(_) if v.as_list().is_some() || v.as_tuple().is_some() => true,
        Value::Instance(_) => {
            let has = |name: &str| ops::special(v, &Name::new(name)).is_some();
            v.as_dict().is_none()
                && matches!(v.unwrapped(), Value::Instance(_))
                && has("__getitem__")
                && has("__len__")
                && !has("__array__")
        }
        _ => false,
    }
}

/// The argument that is such data.
fn own_sequence(args: &Args<'_>) -> Option<Place> {
    let at = args.pos.iter().take(2).position(reads_itself);
    at.map(Place::At).or_else(|| {
        let named = |(name, v): &(Name, Value)| name.as_str() == "data" && reads_itself(v);
        args.kw.iter().position(named).map(Place::Named)
    })
}

type Given = (Vec<Value>, Vec<(Name, Value)>);

/// The arguments with plain lists for sequences that say themselves what is in them.
fn as_lists(vm: &mut dyn Vm, args: &Args<'_>, place: Place, typed: bool) -> Result<Given, Raised> {
    let (mut pos, mut kw) = (args.pos.to_vec(), args.kw.to_vec());
    let data = match place {
        Place::At(at) => pos.get_mut(at),
        Place::Named(at) => kw.get_mut(at).map(|(_, v)| v),
    };
    let Some(data) = data else {
        return Ok((pos, kw));
    };
    let given = |(name, v): &(Name, Value)| name.as_str() == "dtype" && !matches!(v, Value::None);
    // The dtype may stand behind the data.
    let behind = matches!(place, Place::At(at) if args.pos.len() > at + 1);
    let typed = typed || behind || args.kw.iter().any(given);
    let module = vm.import("torch._sequences")?;
    let function = attr::get(vm, &module, &Name::new("as_lists"))?;
    let read = vm.call(&function, Args::new(&[data.clone(), Value::bool(typed)]))?;
    if let Some(tuple) = read.as_tuple()
        && let [values, dtype] = tuple.items.as_ref()
    {
        *data = values.clone();
        if !typed {
            kw.retain(|(name, _)| name.as_str() != "dtype");
            kw.push((Name::new("dtype"), dtype.clone()));
        }
    }
    Ok((pos, kw))
}

type NativeClosure = dyn Fn(&mut dyn Vm, Args<'_>) -> PyResult;

/// Whether a norm is the sum of singular values, which are found in Python.
fn is_nuclear(args: &Args<'_>) -> bool {
    let named = args.kw.iter().find(|(name, _)| name.as_str() == "p");
    let order = args.pos.get(1).or(named.map(|(_, v)| v));
    order.and_then(Value::as_str) == Some("nuc")
}

/// The Python function of a name in the table.
pub fn native(qualname: &'static str) -> Option<Value> {
    let function = lookup::<Eager>(qualname)?;
    let mut name = function.signature.name;
    let mut binding = if qualname.starts_with("Tensor.") {
        Binding::Method
    } else {
        Binding::Static
    };
    let mut func: Box<NativeClosure> = {
        let function = function.clone();
        if matches!(name, "__getitem__" | "__setitem__") {
            Box::new(move |vm, args| match args.pos {
                [object, index, rest @ ..]
                    if is_index_object(index) || index.as_tuple().is_some() =>
                {
                    let mut pos = vec![object.clone(), index_value(vm, index)?];
                    pos.extend_from_slice(rest);
                    vm_scope::enter(vm, || call(&function, Args::with_kw(&pos, args.kw)))
                }
                _ => vm_scope::enter(vm, || call(&function, args)),
            })
        } else {
            // Backward passes call back into Python, and so do warnings.
            Box::new(move |vm, args| {
                match function.takes_sequences().then(|| own_sequence(&args)) {
                    Some(Some(at)) => {
                        // `new_tensor` has its tensor's dtype.
                        let typed = function.signature.name == "new_tensor";
                        let (pos, kw) = as_lists(vm, &args, at, typed)?;
                        vm_scope::enter(vm, || call(&function, Args::with_kw(&pos, &kw)))
                    }
                    _ => vm_scope::enter(vm, || call(&function, args)),
                }
            })
        }
    };
    if let Some(attribute) = qualname.strip_suffix(".__get__") {
        name = attribute.rsplit('.').next().unwrap_or(attribute);
        binding = Binding::Getter;
        let setter = crate::table::NAMES
            .iter()
            .find(|n| n.strip_suffix(".__set__") == Some(attribute))
            .and_then(|n| lookup::<Eager>(n));
        if let Some(setter) = setter {
            binding = Binding::GetSet;
            func = Box::new(move |vm, args| {
                let chosen = match args.pos.len() > 1 {
                    true => &setter,
                    false => &function,
                };
                vm_scope::enter(vm, || call(chosen, args))
            });
        }
    }
    let summed = matches!(qualname, "torch.norm" | "Tensor.norm");
    let dispatched = move |vm: &mut dyn Vm, args: Args<'_>| {
        if summed && is_nuclear(&args) {
            let module = vm.import("torch._factors")?;
            let function = attr::get(vm, &module, &Name::new("norm_of_values"))?;
            return vm.call(&function, args);
        }
        if overrides::is_overridden(&args) {
            let writes = binding == Binding::GetSet && args.pos.len() > 1;
            return overrides::dispatch(vm, qualname, writes, &args);
        }
        func(vm, args)
    };
    let body = NativeBody::Closure(Box::new(dispatched));
    let native = NativeFunction {
        name,
        ..NativeFunction::new(qualname, body, binding)
    };
    Some(native.to_value())
}
