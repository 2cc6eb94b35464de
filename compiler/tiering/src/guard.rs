//! Entry guards: evaluates a plan's nodes and checks what is assumed of each.
//!
//! In: a plan and the frame at the region's entry. Out: the nodes' values, or the first miss.
//! Always: runs no Python code and changes nothing.

use janus_interp::Frame;
use janus_object::{Payload, PyDeque, PyDict, PyRef, Value, ops};
use janus_plan::rows::rows_of;
use janus_plan::{
    Check, DeoptReason, Node, NodeId, Plan, ScalarType, Step, check_in_words, value_in_words,
};
use janus_tensor::Tensor;

/// A guard that failed.
pub(crate) struct Miss {
    /// Which node; `None`: grad mode or default dtype.
    pub node: Option<usize>,
    pub reason: DeoptReason,
    pub expected: String,
    pub actual: String,
}

/// Values of nodes; `None` where there is nothing.
pub(crate) type Values = Vec<Option<Value>>;

/// Evaluates and checks all nodes.
pub(crate) fn check(plan: &Plan, frame: &Frame, values: &mut Values) -> Result<(), Box<Miss>> {
    values.clear();
    if let Some(miss) = setting(plan) {
        return Err(Box::new(miss));
    }
    for (i, node) in plan.nodes.iter().enumerate() {
        let value = evaluate(&node.step, frame, values);
        if let Err(reason) = verify(node, value.as_ref(), values) {
            return Err(Box::new(miss(i, reason, node, value.as_ref())));
        }
        values.push(value);
    }
    shared(plan, values).map_or(Ok(()), |miss| Err(Box::new(miss)))
}

/// A setting of torch that is not what it was.
fn setting(plan: &Plan) -> Option<Miss> {
    let grad = janus_tensor::autograd::is_grad_enabled();
    let inference = janus_tensor::autograd::is_inference_mode();
    let dtype = janus_torch::draws::default_dtype();
    let (reason, expected, actual) = if grad != plan.grad_enabled {
        let shown = (plan.grad_enabled.to_string(), grad.to_string());
        (DeoptReason::GradModeChanged, shown.0, shown.1)
    } else if inference != plan.inference {
        let shown = |on: bool| format!("inference mode {on}");
        let reason = DeoptReason::GradModeChanged;
        (reason, shown(plan.inference), shown(inference))
    } else if janus_tensor::autograd::is_anomaly_mode() {
        let shown = |on: bool| format!("anomaly detection {on}");
        (DeoptReason::GradModeChanged, shown(false), shown(true))
    } else if janus_tensor::autograd::packs_saved() {
        let shown = |on: bool| format!("hooks of saved tensors {on}");
        (DeoptReason::GradModeChanged, shown(false), shown(true))
    } else if janus_torch::overrides::is_mode_active() {
        let shown = |on: bool| format!("a torch function mode {on}");
        (DeoptReason::FunctionMode, shown(false), shown(true))
    } else if dtype != plan.default_dtype {
        let shown = (plan.default_dtype.name(), dtype.name());
        let reason = DeoptReason::DefaultDtypeChanged;
        (reason, shown.0.to_owned(), shown.1.to_owned())
    } else if janus_tensor::device::default_device() != plan.default_device {
        let now = janus_tensor::device::default_device();
        let shown = (plan.default_device.to_string(), now.to_string());
        (DeoptReason::DeviceChanged, shown.0, shown.1)
    } else if let Some(lower) = janus_torch::autocast::active_anywhere() {
        let shown = ("off".to_owned(), lower.name().to_owned());
        (DeoptReason::AutocastOn, shown.0, shown.1)
    } else {
        return None;
    };
    Some(Miss {
        node: None,
        reason,
        expected,
        actual,
    })
}

/// What holds of several nodes, and does not.
fn shared(plan: &Plan, values: &Values) -> Option<Miss> {
    aliased(plan, values).or_else(|| one(plan, values))
}

/// Two objects at compile time that are one now.
fn one(plan: &Plan, values: &Values) -> Option<Miss> {
    plan.distinct.iter().find_map(|&(a, b)| {
        let one = ops::is(get(values, a)?, get(values, b)?);
        one.then(|| Miss {
            node: Some(a.0 as usize),
            reason: DeoptReason::IdentityChanged,
            expected: format!("another object than {}", plan.nodes[b.0 as usize].path),
            actual: "that one".to_owned(),
        })
    })
}

/// Something written that is not alone in its memory.
fn aliased(plan: &Plan, values: &Values) -> Option<Miss> {
    if plan.unaliased.is_empty() {
        return None;
    }
    // Sorted once: both what is written and what is read are many where an optimizer steps.
    let mut places: Vec<(usize, usize)> = Vec::with_capacity(values.len());
    for (i, (node, value)) in plan.nodes.iter().zip(values).enumerate() {
        let told_elsewhere = match &node.check {
            Check::SameAs(_)
            | Check::None
            | Check::ClassVersion(..)
            | Check::FunctionVersion(_) => true,
            // Its base is a node, too.
            Check::Tensor(t) => t.shows.is_some(),
            _ => false,
        };
        if !told_elsewhere && let Some(value) = value {
            places.extend(places_of(value).map(|place| (place, i)));
        }
        // Rows are copies: what is written must be none of the items.
        if let Step::Rows(of, column) = &node.step
            && let Some(list) = get(values, *of).and_then(Value::as_list)
        {
            let items = list.to_vec().into_iter().filter_map(|item| match column {
                Some(at) => item.as_tuple()?.items.get(*at).cloned(),
                None => Some(item),
            });
            let tensors = items.filter_map(|item| Some(item.foreign::<Tensor>()?.storage_id()));
            places.extend(tensors.map(|place| (place, i)));
        }
    }
    places.sort_unstable();
    plan.unaliased.iter().find_map(|&written| {
        let value = get(values, written)?;
        if value.foreign::<Tensor>().is_some_and(Tensor::has_overlap) {
            return Some(Miss {
                node: Some(written.0 as usize),
                reason: DeoptReason::AliasFound,
                expected: "each element in a place of its own".to_owned(),
                actual: "an expanded tensor".to_owned(),
            });
        }
        let (_, other) = places_of(value).find_map(|place| {
            let first = places.partition_point(|&(p, _)| p < place);
            places
                .get(first..)?
                .iter()
                .take_while(|&&(p, _)| p == place)
                .find(|&&(_, other)| may_not_be(plan, written, values, other))
        })?;
        Some(Miss {
            node: Some(written.0 as usize),
            reason: DeoptReason::AliasFound,
            expected: "memory of its own".to_owned(),
            actual: format!("shared with {}", plan.nodes[*other].path),
        })
    })
}

/// What says whether two values are written together: a tensor's memory, an object's identity, a dict that others know,
/// too.
fn places_of(value: &Value) -> impl Iterator<Item = usize> {
    let own = match (value.foreign::<Tensor>(), value) {
        (Some(tensor), _) => Some(tensor.storage_id()),
        (None, Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Instance(_)) => {
            Some(ops::identity(value))
        }
        _ => None,
    };
    let dict = match value {
        Value::Instance(instance) => instance.dict.get().filter(PyRef::is_listed),
        _ => None,
    };
    let dict = dict.map(|d| ops::identity(&Value::Dict(d)));
    own.into_iter().chain(dict)
}

/// Whether `other`, which is in the same place as what is written, was not known to be.
fn may_not_be(plan: &Plan, written: NodeId, values: &Values, other: usize) -> bool {
    let (node, beside) = (&plan.nodes[written.0 as usize], &plan.nodes[other]);
    let is_tensor = get(values, written).is_some_and(|v| v.foreign::<Tensor>().is_some());
    // Of two that are always the same objects it is.
    let is_pinned = |n: &Node| {
        let check = &n.check;
        matches!(
            check,
            Check::Same(_) | Check::Instance { same: Some(_), .. }
        )
    };
    let known = is_pinned(node) && is_pinned(beside);
    other != written.0 as usize && (is_tensor || !known && node.path != beside.path)
}

/// Whether a dict has this length and layout.
fn check_dict(dict: &PyDict, shape: Option<(usize, u32)>) -> Result<(), DeoptReason> {
    match shape {
        Some((len, layout)) if dict.len() != len || (layout != 0 && dict.layout() != layout) => {
            Err(DeoptReason::LengthChanged)
        }
        _ => Ok(()),
    }
}

/// A missed guard in words.
fn miss(index: usize, reason: DeoptReason, node: &Node, value: Option<&Value>) -> Miss {
    let (expected, actual) = match (reason, value) {
        (_, None) => (check_in_words(&node.check), "nothing".to_owned()),
        (DeoptReason::LayoutChanged, Some(Value::Instance(i))) => {
            let names: Vec<String> = i.dict.get().map_or_else(Vec::new, |d| {
                d.keys()
                    .iter()
                    .filter_map(|k| Some(k.as_str()?.to_owned()))
                    .collect()
            });
            (
                format!("{} with the attributes it had", check_in_words(&node.check)),
                format!("one with {}", names.join(", ")),
            )
        }
        (DeoptReason::IdentityChanged, Some(value)) => (
            check_in_words(&node.check),
            format!("another: {}", value_in_words(value)),
        ),
        (_, Some(value)) => (check_in_words(&node.check), value_in_words(value)),
    };
    Miss {
        node: Some(index),
        reason,
        expected,
        actual,
    }
}

fn get(values: &Values, id: NodeId) -> Option<&Value> {
    values.get(id.0 as usize)?.as_ref()
}

fn evaluate(step: &Step, frame: &Frame, values: &Values) -> Option<Value> {
    match step {
        Step::Local(i) => frame.locals.get(*i as usize)?.clone(),
        Step::Cell(i) => frame.cells.get(*i as usize)?.value.borrow().clone(),
        Step::FrameCell(i) => Some(Value::Cell(frame.cells.get(*i as usize)?.clone())),
        Step::Stack(i) => frame.stack.get(*i as usize)?.clone(),
        Step::Namespace(place, name) => place.get(name),
        Step::CellContent(cell) => cell.value.borrow().clone(),
        Step::InstanceAttr(of, name) => match get(values, *of)? {
            Value::Instance(instance) => instance.dict.get()?.get_name(name),
            _ => None,
        },
        Step::InstanceDict(of) => match get(values, *of)? {
            Value::Instance(instance) => Some(Value::Dict(instance.dict().clone())),
            _ => None,
        },
        Step::Item(of, i) => {
            let of = get(values, *of)?;
            match of.as_tuple() {
                Some(tuple) => tuple.items.get(*i).cloned(),
                None => of.as_list()?.get(*i),
            }
        }
        Step::ItemAt(of, at) => {
            let at = get(values, *at)?.as_int()?;
            let of = get(values, *of)?;
            let place = |len: usize| {
                let len = i64::try_from(len).ok()?;
                usize::try_from(if at < 0 { at + len } else { at }).ok()
            };
            match of.as_tuple() {
                Some(tuple) => tuple.items.get(place(tuple.items.len())?).cloned(),
                None => match of {
                    Value::Str(s) => {
                        let at = place(s.as_str().len())?;
                        Some(Value::str(s.as_str().get(at..=at)?))
                    }
                    _ => {
                        let list = of.as_list()?;
                        list.get(place(list.len())?)
                    }
                },
            }
        }
        Step::SliceStart(of, bounds) => {
            let first = slice_of(get(values, *of)?, bounds, values)?.next();
            Some(Value::Int(i64::try_from(first.unwrap_or(0)).ok()?))
        }
        Step::SliceLength(of, bounds) => {
            let count = slice_of(get(values, *of)?, bounds, values)?.count();
            Some(Value::Int(i64::try_from(count).ok()?))
        }
        Step::IntOp(op, a, b) => {
            let (a, b) = (get(values, *a)?.as_int()?, get(values, *b)?.as_int()?);
            janus_plan::int_op(*op, a, b).map(Value::Int)
        }
        Step::IntCompare(op, a, b) => {
            let (a, b) = (get(values, *a)?.as_int()?, get(values, *b)?.as_int()?);
            Some(Value::bool(janus_plan::holds(*op, a, b)))
        }
        Step::Extent(extent) => crate::enter::extent(extent, values).map(Value::Int),
        Step::Tuple(items) => {
            let items = items.iter().map(|&i| get(values, i).cloned());
            Some(Value::tuple(items.collect::<Option<Vec<Value>>>()?))
        }
        Step::Text(parts) => {
            let parts = parts
                .iter()
                .map(|&i| janus_plan::plain_text(get(values, i)?));
            Some(Value::str(parts.collect::<Option<String>>()?))
        }
        Step::KeyEqual(a, b) => {
            let equal = janus_object::simple_eq(get(values, *a)?, get(values, *b)?)?;
            Some(Value::bool(equal))
        }
        Step::HasKey(of, key) => {
            let key = get(values, *key)?;
            Some(Value::bool(match get(values, *of)? {
                Value::Set(set) => set.has_simple(key)?,
                of => of.as_dict()?.get_simple(key)?.is_some(),
            }))
        }
        Step::DictAt(of, key) => get(values, *of)?
            .as_dict()?
            .get_simple(get(values, *key)?)?,
        Step::ItemFromEnd(of, back) => {
            let list = get(values, *of)?.as_list()?;
            list.get(list.len().checked_sub(*back)?)
        }
        Step::DictValue(of, key) => {
            let dict = get(values, *of)?.as_dict()?.clone();
            match key {
                Value::Str(s) => dict.get_str(s.as_str()),
                _ => find(&dict, key),
            }
        }
        Step::DictKeyAt(of, i) => get(values, *of)?.as_dict()?.nth_key(*i),
        Step::Grad(of) => get(values, *of)?
            .foreign::<Tensor>()?
            .grad()
            .map(janus_torch::wrap),
        Step::Identity(of) => {
            let id = janus_object::ops::identity(get(values, *of)?);
            Some(Value::Int(i64::try_from(id).ok()?))
        }
        Step::DequeItems(of) => {
            let deque = get(values, *of)?.foreign::<PyDeque>()?;
            Some(Value::List(deque.items().clone()))
        }
        Step::DequeBound(of) => {
            let deque = get(values, *of)?.foreign::<PyDeque>()?;
            Some(deque.max.get().map_or(Value::None, Value::from))
        }
        Step::ViewBase(of) => {
            let (base, _) = get(values, *of)?.foreign::<Tensor>()?.view_of()?;
            Some(janus_torch::wrap(base))
        }
        Step::MethodFunction(of) => match get(values, *of)? {
            Value::Method(m) => Some(m.function.clone()),
            _ => None,
        },
        Step::MethodReceiver(of) => match get(values, *of)? {
            Value::Method(m) => Some(m.receiver.clone()),
            _ => None,
        },
        Step::Fold(fold, of, from) => {
            let items = get(values, *of)?.as_list()?.to_vec();
            fold.of(items.get(*from..)?)
        }
        Step::Rows(of, column) => rows_of(get(values, *of)?, *column),
        Step::Stored(of) => match get(values, *of)? {
            Value::Instance(i) => match &i.payload {
                Payload::Wrapped(value) => Some(value.clone()),
                _ => None,
            },
            _ => None,
        },
        Step::Length(of) => {
            let of = get(values, *of)?;
            let len = of
                .as_list()
                .map(|l| l.len())
                .or_else(|| of.as_tuple().map(|t| t.len()))
                .or_else(|| of.as_dict().map(|d| d.len()))
                .or_else(|| match of {
                    Value::Set(set) => Some(set.len()),
                    _ => None,
                })?;
            Some(Value::Int(i64::try_from(len).ok()?))
        }
        Step::Pinned(value) => Some(value.clone()),
    }
}

/// The places of a slice's items.
fn slice_of(
    of: &Value,
    bounds: &[NodeId; 2],
    values: &Values,
) -> Option<impl Iterator<Item = usize>> {
    let len = match of.as_tuple() {
        Some(tuple) => tuple.items.len(),
        None => of.as_list()?.len(),
    };
    let [start, stop] = bounds.map(|node| get(values, node).and_then(Value::as_int));
    Some(janus_object::resolve_slice(Some(start?), Some(stop?), 1, len).indices())
}

/// A dict's value by a key that is compared by identity or as a number.
fn find(dict: &PyDict, key: &Value) -> Option<Value> {
    if let Some(found) = dict.get_simple(key) {
        return found;
    }
    let mut from = 0;
    while let Some((at, k, v)) = dict.next_entry(from) {
        if same_object(&k, key) || equal(&k, key) {
            return Some(v);
        }
        from = at + 1;
    }
    None
}

fn verify(node: &Node, value: Option<&Value>, values: &Values) -> Result<(), DeoptReason> {
    let miss = |ok: bool, reason| if ok { Ok(()) } else { Err(reason) };
    if let Check::Missing = node.check {
        return miss(value.is_none(), DeoptReason::MissingFound);
    }
    let Some(value) = value else {
        return match node.check {
            Check::None => Ok(()),
            _ => Err(DeoptReason::MissingFound),
        };
    };
    match &node.check {
        Check::None | Check::Missing => Ok(()),
        Check::Same(expected) => miss(ops::is(expected, value), DeoptReason::IdentityChanged),
        Check::Equal(expected) => {
            if std::mem::discriminant(expected) == std::mem::discriminant(value) {
                miss(equal(expected, value), DeoptReason::ValueChanged)
            } else {
                Err(DeoptReason::TypeChanged)
            }
        }
        Check::Scalar(ty) => {
            let ok = matches!(
                (ty, value),
                (ScalarType::Float, Value::Float(_))
                    | (ScalarType::Int, Value::Int(_))
                    | (ScalarType::Bool, Value::Bool(_))
            );
            miss(ok, DeoptReason::TypeChanged)
        }
        Check::Instance {
            same,
            class,
            version,
            layout,
        } => {
            let Value::Instance(instance) = value else {
                return Err(DeoptReason::TypeChanged);
            };
            if let Some(same) = same
                && !ops::is(same, value)
            {
                return Err(DeoptReason::IdentityChanged);
            }
            if !PyRef::ptr_eq(&instance.class.borrow(), class) {
                return Err(DeoptReason::TypeChanged);
            }
            if class.behaviour.get() != *version {
                return Err(DeoptReason::ClassChanged);
            }
            // Its attributes may be those of another object that the region knows.
            if same.is_none() && instance.shares_dict() {
                return Err(DeoptReason::LayoutChanged);
            }
            let have = instance.dict.get().map_or(0, |d| d.layout());
            miss(layout.is_none_or(|l| l == have), DeoptReason::LayoutChanged)
        }
        Check::FunctionVersion(version) => miss(
            matches!(value, Value::Function(f) if f.version.get() == *version),
            DeoptReason::ClassChanged,
        ),
        Check::ClassVersion(class, version) => {
            miss(class.behaviour.get() == *version, DeoptReason::ClassChanged)
        }
        Check::List(len) => match value {
            Value::List(list) => miss(
                len.is_none_or(|n| n == list.len()),
                DeoptReason::LengthChanged,
            ),
            _ => Err(DeoptReason::TypeChanged),
        },
        Check::Tuple(len) => match value {
            Value::Tuple(tuple) => miss(*len == tuple.len(), DeoptReason::LengthChanged),
            _ => Err(DeoptReason::TypeChanged),
        },
        Check::Dict(shape) => match value {
            Value::Dict(dict) => check_dict(dict, *shape),
            _ => Err(DeoptReason::TypeChanged),
        },
        Check::StoredDict(shape) => match value.as_dict() {
            Some(dict) => check_dict(dict, Some(*shape)),
            None => Err(DeoptReason::TypeChanged),
        },
        Check::Iterator { generator } => {
            let is_one = match value {
                Value::Generator(_) => *generator,
                Value::Iter(_) => !*generator,
                _ => false,
            };
            miss(is_one, DeoptReason::TypeChanged)
        }
        Check::AnySet => match value {
            Value::Set(set) if !set.frozen => Ok(()),
            _ => Err(DeoptReason::TypeChanged),
        },
        Check::Text => miss(matches!(value, Value::Str(_)), DeoptReason::TypeChanged),
        Check::Set(items) => match value {
            Value::Set(set) if !set.frozen => {
                let holds = set.len() == items.len()
                    && set
                        .items()
                        .iter()
                        .all(|v| items.iter().any(|i| equal(i, v)));
                miss(holds, DeoptReason::ValueChanged)
            }
            _ => Err(DeoptReason::TypeChanged),
        },
        Check::Tensor(expected) => {
            let Value::Instance(instance) = value else {
                return Err(DeoptReason::TypeChanged);
            };
            let Some(tensor) = instance.foreign::<Tensor>() else {
                return Err(DeoptReason::TypeChanged);
            };
            if tensor.dtype() != expected.dtype {
                return Err(DeoptReason::DtypeChanged);
            }
            if tensor.device() != expected.device {
                return Err(DeoptReason::DeviceChanged);
            }
            let shape = tensor.shape();
            if shape.len() != expected.dims.len()
                || shape
                    .iter()
                    .zip(&expected.dims)
                    .any(|(n, e)| e.map_or(*n == 0, |e| e != *n))
            {
                return Err(DeoptReason::ShapeChanged);
            }
            if tensor.requires_grad() != expected.requires_grad
                || tensor.is_leaf() != expected.leaf
                || tensor.check_view().is_err()
                || tensor.is_dead_end()
            {
                return Err(DeoptReason::RequiresGradChanged);
            }
            if tensor.is_inference() != expected.inference {
                return Err(DeoptReason::GradModeChanged);
            }
            if tensor.has_leaf_hooks() != expected.hooked {
                return Err(DeoptReason::HooksChanged);
            }
            if expected
                .contiguous
                .is_some_and(|c| c != tensor.is_contiguous())
            {
                return Err(DeoptReason::NotContiguous);
            }
            if let Some(order) = &expected.order
                && janus_tensor::shape::memory_order(&tensor.shape(), &tensor.strides()) != *order
            {
                return Err(DeoptReason::NotContiguous);
            }
            if let Some(strides) = &expected.strides
                && *tensor.strides() != **strides
            {
                return Err(DeoptReason::NotContiguous);
            }
            if let Some(steps) = &expected.shows
                && tensor.view_of().is_none_or(|(_, now)| now != *steps)
            {
                return Err(DeoptReason::AliasFound);
            }
            if expected.joins.contains(&true)
                && tensor
                    .joins()
                    .iter()
                    .zip(&expected.joins)
                    .any(|(now, then)| *then && !now)
            {
                return Err(DeoptReason::NotContiguous);
            }
            miss(
                PyRef::ptr_eq(&instance.class.borrow(), &expected.class),
                DeoptReason::TypeChanged,
            )
        }
        Check::SameAs(other) => {
            let same = get(values, *other).is_some_and(|o| same_object(o, value));
            miss(same, DeoptReason::IdentityChanged)
        }
    }
}

/// Two Python objects of one tensor are one.
fn same_object(a: &Value, b: &Value) -> bool {
    match (a.foreign::<Tensor>(), b.foreign::<Tensor>()) {
        (Some(x), Some(y)) => x.same(y),
        _ => ops::is(a, b),
    }
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::None, Value::None) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.get().to_bits() == b.get().to_bits(),
        (Value::Str(a), Value::Str(b)) => PyRef::ptr_eq(a, b) || a.as_str() == b.as_str(),
        (Value::BigInt(a), Value::BigInt(b)) => a == b,
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.items.len() == b.items.len() && a.items.iter().zip(&b.items).all(|(a, b)| equal(a, b))
        }
        _ => false,
    }
}

/// Every guard that fails, for relaxing them together.
pub(crate) fn all_misses(plan: &Plan, frame: &Frame) -> Vec<Miss> {
    misses(plan, frame, usize::MAX)
}

/// The first check of the plan that does not hold.
pub(crate) fn first_miss(plan: &Plan, frame: &Frame) -> Option<Miss> {
    misses(plan, frame, 1).pop()
}

fn misses(plan: &Plan, frame: &Frame, at_most: usize) -> Vec<Miss> {
    let mut values = Values::new();
    let mut misses: Vec<Miss> = setting(plan).into_iter().collect();
    for (i, node) in plan.nodes.iter().enumerate() {
        let value = evaluate(&node.step, frame, &values);
        if let Err(reason) = verify(node, value.as_ref(), &values) {
            misses.push(miss(i, reason, node, value.as_ref()));
            if misses.len() >= at_most {
                return misses;
            }
        }
        values.push(value);
    }
    misses.extend(shared(plan, &values));
    misses
}

/// What a node finds.
pub(crate) fn value_at(plan: &Plan, frame: &Frame, node: usize) -> Option<Value> {
    let mut values = Values::new();
    for n in plan.nodes.iter().take(node + 1) {
        let value = evaluate(&n.step, frame, &values);
        values.push(value);
    }
    values.pop()?
}

/// The shape of the tensor that a node finds.
pub(crate) fn shape_at(plan: &Plan, frame: &Frame, node: usize) -> Option<Vec<i64>> {
    let value = value_at(plan, frame, node)?;
    Some(value.foreign::<Tensor>()?.shape().to_vec())
}
