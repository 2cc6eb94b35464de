//! `itertools`.
//!
//! In: iterables. Out: lazy iterators. Always: nothing is drawn from an input before its value is
//! needed, except where CPython does too (`product`, `permutations`, `combinations`).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use janus_bytecode::BinaryOp;
use janus_interp::Interp;
use janus_object::{
    Args, BaseKind, Bool, Class, NativeDef, NativeIterator, Payload, PyIter, PyRef, PyResult,
    Raised, Signature, Value, Vm, class_of, heap::Tracer, memory, name, ops, text, types,
};

use crate::support::{int, module};

/// An iterator made of a closure.
struct Lazy<F> {
    class: PyRef<Class>,
    step: F,
}

impl<F: FnMut(&mut dyn Vm) -> PyResult<Option<Value>>> NativeIterator for Lazy<F> {
    fn next(&mut self, vm: &mut dyn Vm) -> PyResult<Option<Value>> {
        (self.step)(vm)
    }

    fn class(&self) -> PyRef<Class> {
        self.class.clone()
    }
}

/// An iterator value out of the class that was called and a closure.
fn lazy(
    args: &Args<'_>,
    step: impl FnMut(&mut dyn Vm) -> PyResult<Option<Value>> + 'static,
) -> PyResult {
    of_class(args, |class| Lazy { class, step })
}

/// An iterator value of the class that was called, which `make` is given.
fn of_class<I: NativeIterator + 'static>(
    args: &Args<'_>,
    make: impl FnOnce(PyRef<Class>) -> I,
) -> PyResult {
    let class = args
        .pos
        .first()
        .and_then(Value::as_class)
        .cloned()
        .unwrap_or_else(|| types().iterator.clone());
    if !class.flags.get().mutable {
        return Ok(PyIter::native(make(class)));
    }
    // An object of a script's class around it, which may have an `__iter__` and a `__next__` of its own.
    let mro = class.mro.borrow();
    let own = mro.iter().find(|c| !c.flags.get().mutable);
    let own = own.unwrap_or(&types().iterator).clone();
    let inner = PyIter::native(make(own));
    Ok(Value::instance(&class, Payload::Wrapped(inner)))
}

/// The arguments without the class.
fn rest<'a>(args: &Args<'a>) -> Args<'a> {
    Args::with_kw(args.pos.get(1..).unwrap_or(&[]), args.kw)
}

macro_rules! classes {
    ($($name:literal => [$($def:expr),* $(,)?],)*) => {
        /// Makes the module.
        pub(crate) fn build(_: &mut Interp) -> PyResult {
            let m = module("itertools", "", &[NativeDef::function("itertools.tee", tee)]);
            $({
                const METHODS: &[NativeDef] = &[$($def),*];
                let class =
                    Class::builtin($name, "itertools", &[&types().iterator], BaseKind::Object, METHODS);
                m.set($name, Value::Class(class));
            })*
            Ok(Value::Module(m))
        }
    };
}

classes! {
    "count" => [
        NativeDef::function("count.__new__", count),
        NativeDef::method("count.__repr__", shown_as_call),
    ],
    "cycle" => [NativeDef::function("cycle.__new__", cycle)],
    "repeat" => [
        NativeDef::function("repeat.__new__", repeat),
        NativeDef::method("repeat.__repr__", shown_as_call),
    ],
    "accumulate" => [NativeDef::function("accumulate.__new__", accumulate)],
    "chain" => [
        NativeDef::function("chain.__new__", chain),
        NativeDef::class_method("chain.from_iterable", chain_from_iterable),
        NativeDef::class_method("chain.__class_getitem__", janus_object::class_getitem),
    ],
    "compress" => [NativeDef::function("compress.__new__", compress)],
    "dropwhile" => [NativeDef::function("dropwhile.__new__", dropwhile)],
    "takewhile" => [NativeDef::function("takewhile.__new__", takewhile)],
    "filterfalse" => [NativeDef::function("filterfalse.__new__", filterfalse)],
    "groupby" => [NativeDef::function("groupby.__new__", groupby)],
    "islice" => [NativeDef::function("islice.__new__", islice)],
    "pairwise" => [NativeDef::function("pairwise.__new__", pairwise)],
    "starmap" => [NativeDef::function("starmap.__new__", starmap)],
    "zip_longest" => [NativeDef::function("zip_longest.__new__", zip_longest)],
    "product" => [NativeDef::function("product.__new__", product)],
    "permutations" => [NativeDef::function("permutations.__new__", permutations)],
    "combinations" => [NativeDef::function("combinations.__new__", combinations)],
    "combinations_with_replacement" => [
        NativeDef::function("combinations_with_replacement.__new__", combinations_with_replacement),
    ],
}

fn count(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("count", ["start", "step"]).required(0);
    let [start, step] = SIGNATURE.parse(rest(&args))?;
    let (mut next, step) = (
        start.unwrap_or(Value::Int(0)),
        step.unwrap_or(Value::Int(1)),
    );
    for value in [&next, &step] {
        if value.as_f64().is_none() && value.as_instance().is_none() {
            return Err(Raised::type_error("a number is required"));
        }
    }
    // CPython counts from a bool in steps of one as from the int.
    if let (Value::Bool(v), Value::Int(1) | Value::Bool(Bool::True)) = (&next, &step) {
        next = Value::Int(i64::from(v.get()));
    }
    of_class(&args, |class| Count { class, next, step })
}

fn cycle(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [iterable] = rest(&args).exactly("cycle")?;
    let mut source = Some(ops::iter(vm, iterable)?);
    let (mut saved, mut at) = (Vec::new(), 0);
    lazy(&args, move |vm| {
        if let Some(iter) = &source {
            if let Some(item) = ops::next(vm, iter)? {
                saved.push(item.clone());
                return Ok(Some(item));
            }
            source = None;
        }
        let item = saved.get(at).cloned();
        at = (at + 1) % saved.len().max(1);
        Ok(item)
    })
}

fn repeat(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("repeat", ["object", "times"]).required(1);
    let [object, times] = SIGNATURE.parse(rest(&args))?;
    let object = object.unwrap_or(Value::None);
    let left = match times {
        Some(times) => Some(int(vm, &times)?.max(0)),
        None => None,
    };
    of_class(&args, |class| Repeat {
        class,
        object,
        left,
    })
}

/// `repeat`
struct Repeat {
    class: PyRef<Class>,
    object: Value,
    left: Option<i64>,
}

impl NativeIterator for Repeat {
    fn next(&mut self, _: &mut dyn Vm) -> PyResult<Option<Value>> {
        match &mut self.left {
            Some(0) => return Ok(None),
            Some(left) => *left -= 1,
            None => {}
        }
        Ok(Some(self.object.clone()))
    }

    fn class(&self) -> PyRef<Class> {
        self.class.clone()
    }

    fn length_hint(&self) -> Option<Value> {
        self.left.map(Value::Int)
    }

    fn reduce(&self, _: &mut dyn Vm) -> PyResult<Option<Value>> {
        let mut again = vec![self.object.clone()];
        again.extend(self.left.map(Value::Int));
        Ok(Some(Value::tuple(vec![
            Value::Class(self.class()),
            Value::tuple(again),
        ])))
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.value(&self.object);
    }
}

/// `count`
struct Count {
    class: PyRef<Class>,
    next: Value,
    step: Value,
}

impl NativeIterator for Count {
    fn next(&mut self, vm: &mut dyn Vm) -> PyResult<Option<Value>> {
        let following = ops::binary(vm, BinaryOp::Add, &self.next, &self.step)?;
        Ok(Some(std::mem::replace(&mut self.next, following)))
    }

    fn class(&self) -> PyRef<Class> {
        self.class.clone()
    }

    fn reduce(&self, _: &mut dyn Vm) -> PyResult<Option<Value>> {
        let mut again = vec![self.next.clone()];
        if !matches!(self.step, Value::Int(1)) {
            again.push(self.step.clone());
        }
        Ok(Some(Value::tuple(vec![
            Value::Class(self.class()),
            Value::tuple(again),
        ])))
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.values([&self.next, &self.step]);
    }
}

/// `repr` of what is made again by a call with what it has left: that call.
fn shown_as_call(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    let reduced = vm.call_method(this, name!("__reduce__"), Args::new(&[]))?;
    let mut parts = Vec::new();
    if let Some(again) = reduced
        .as_tuple()
        .and_then(|t| t.items.get(1)?.as_tuple().cloned())
    {
        for part in again.items.iter() {
            parts.push(text::repr(vm, part)?);
        }
    }
    Ok(Value::str(format!(
        "{}({})",
        class_of(this).name.borrow(),
        parts.join(", ")
    )))
}

fn accumulate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<3> = Signature::new("accumulate", ["iterable", "func", "initial"])
        .required(1)
        .keyword_only(2);
    let [iterable, function, initial] = SIGNATURE.parse(rest(&args))?;
    let source = ops::iter(vm, &iterable.unwrap_or(Value::None))?;
    let function = function.filter(|f| !f.is_none());
    let mut initial = initial.filter(|v| !v.is_none());
    let mut total: Option<Value> = None;
    lazy(&args, move |vm| {
        if let Some(first) = initial.take() {
            total = Some(first.clone());
            return Ok(Some(first));
        }
        let Some(item) = ops::next(vm, &source)? else {
            return Ok(None);
        };
        let next = match (&total, &function) {
            (None, _) => item,
            (Some(total), None) => ops::binary(vm, BinaryOp::Add, total, &item)?,
            (Some(total), Some(function)) => {
                vm.call(function, Args::new(&[total.clone(), item]))?
            }
        };
        total = Some(next.clone());
        Ok(Some(next))
    })
}

fn chained(
    args: &Args<'_>,
    mut next_source: impl FnMut(&mut dyn Vm) -> PyResult<Option<Value>> + 'static,
) -> PyResult {
    let mut current: Option<Value> = None;
    let mut over = false;
    lazy(args, move |vm| {
        loop {
            let iter = match &current {
                Some(iter) => iter.clone(),
                None if over => return Ok(None),
                None => {
                    // Behind a source that cannot be had there is nothing.
                    over = true;
                    match next_source(vm)? {
                        None => return Ok(None),
                        Some(source) => {
                            let iter = ops::iter(vm, &source)?;
                            over = false;
                            iter
                        }
                    }
                }
            };
            if let Some(item) = ops::next(vm, &iter)? {
                current = Some(iter);
                return Ok(Some(item));
            }
            current = None;
        }
    })
}

fn chain(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.no_keywords("chain")?;
    let mut sources: VecDeque<Value> = rest(&args).pos.iter().cloned().collect();
    chained(&args, move |_| Ok(sources.pop_front()))
}

fn chain_from_iterable(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [iterable] = rest(&args).exactly("from_iterable")?;
    let sources = ops::iter(vm, iterable)?;
    chained(&args, move |vm| ops::next(vm, &sources))
}

fn compress(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("compress", ["data", "selectors"]);
    let [data, selectors] = SIGNATURE.parse(rest(&args))?;
    let data = ops::iter(vm, &data.unwrap_or(Value::None))?;
    let selectors = ops::iter(vm, &selectors.unwrap_or(Value::None))?;
    lazy(&args, move |vm| {
        loop {
            let Some(item) = ops::next(vm, &data)? else {
                return Ok(None);
            };
            let Some(selector) = ops::next(vm, &selectors)? else {
                return Ok(None);
            };
            if ops::truth(vm, &selector)? {
                return Ok(Some(item));
            }
        }
    })
}

/// Whether a predicate (None: the value itself) holds.
fn holds(vm: &mut dyn Vm, predicate: &Value, item: &Value) -> PyResult<bool> {
    if predicate.is_none() {
        return ops::truth(vm, item);
    }
    let verdict = vm.call(predicate, Args::new(std::slice::from_ref(item)))?;
    ops::truth(vm, &verdict)
}

/// A predicate and an iterator over the second argument.
fn predicate_and_source(
    vm: &mut dyn Vm,
    args: &Args<'_>,
    function: &'static str,
) -> PyResult<(Value, Value)> {
    let [predicate, iterable] = rest(args).exactly(function)?;
    Ok((predicate.clone(), ops::iter(vm, iterable)?))
}

fn dropwhile(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (predicate, source) = predicate_and_source(vm, &args, "dropwhile")?;
    let mut dropping = true;
    lazy(&args, move |vm| {
        loop {
            let Some(item) = ops::next(vm, &source)? else {
                return Ok(None);
            };
            if !dropping || !holds(vm, &predicate, &item)? {
                dropping = false;
                return Ok(Some(item));
            }
        }
    })
}

fn takewhile(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (predicate, source) = predicate_and_source(vm, &args, "takewhile")?;
    let mut taking = true;
    lazy(&args, move |vm| {
        if !taking {
            return Ok(None);
        }
        let Some(item) = ops::next(vm, &source)? else {
            return Ok(None);
        };
        taking = holds(vm, &predicate, &item)?;
        Ok(taking.then_some(item))
    })
}

fn filterfalse(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (predicate, source) = predicate_and_source(vm, &args, "filterfalse")?;
    lazy(&args, move |vm| {
        while let Some(item) = ops::next(vm, &source)? {
            if !holds(vm, &predicate, &item)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    })
}

/// What a `groupby` and the groups it handed out share.
struct Groups {
    source: Value,
    key: Value,
    /// The item drawn last, with its key, while no group has taken it.
    waiting: Option<(Value, Value)>,
    /// Key of the group being handed out.
    current: Option<Value>,
    /// Number of that group: older groups are finished.
    serial: usize,
}

impl Groups {
    /// Draws one more item.
    fn advance(this: &RefCell<Groups>, vm: &mut dyn Vm) -> PyResult<bool> {
        let (source, key) = (this.borrow().source.clone(), this.borrow().key.clone());
        let Some(item) = ops::next(vm, &source)? else {
            this.borrow_mut().waiting = None;
            return Ok(false);
        };
        let rank = if key.is_none() {
            item.clone()
        } else {
            vm.call(&key, Args::new(std::slice::from_ref(&item)))?
        };
        this.borrow_mut().waiting = Some((rank, item));
        Ok(true)
    }

    /// Whether the waiting item belongs to the current group.
    fn same(this: &RefCell<Groups>, vm: &mut dyn Vm) -> PyResult<bool> {
        let pair = {
            let groups = this.borrow();
            groups
                .waiting
                .as_ref()
                .map(|w| w.0.clone())
                .zip(groups.current.clone())
        };
        match pair {
            Some((a, b)) => ops::eq(vm, &b, &a),
            None => Ok(false),
        }
    }
}

fn groupby(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("groupby", ["iterable", "key"]).required(1);
    let [iterable, key] = SIGNATURE.parse(rest(&args))?;
    let source = ops::iter(vm, &iterable.unwrap_or(Value::None))?;
    let groups = Rc::new(RefCell::new(Groups {
        source,
        key: key.unwrap_or(Value::None),
        waiting: None,
        current: None,
        serial: 0,
    }));
    lazy(&args, move |vm| {
        groups.borrow_mut().serial += 1;
        // Items of the last group that nobody took are passed over.
        loop {
            let waiting = groups.borrow().waiting.is_some();
            if (waiting && !Groups::same(&groups, vm)?)
                || (!waiting && groups.borrow().current.is_none())
            {
                break;
            }
            if !Groups::advance(&groups, vm)? {
                return Ok(None);
            }
        }
        if groups.borrow().waiting.is_none() && !Groups::advance(&groups, vm)? {
            return Ok(None);
        }
        let rank = groups
            .borrow()
            .waiting
            .as_ref()
            .map_or(Value::None, |w| w.0.clone());
        groups.borrow_mut().current = Some(rank.clone());
        let serial = groups.borrow().serial;
        let shared = groups.clone();
        let group = PyIter::native(Lazy {
            class: types().iterator.clone(),
            step: move |vm: &mut dyn Vm| {
                if shared.borrow().serial != serial {
                    return Ok(None);
                }
                if shared.borrow().waiting.is_none() && !Groups::advance(&shared, vm)? {
                    return Ok(None);
                }
                if !Groups::same(&shared, vm)? {
                    return Ok(None);
                }
                let taken = shared.borrow_mut().waiting.take();
                Ok(taken.map(|w| w.1))
            },
        });
        Ok(Some(Value::tuple(vec![rank, group])))
    })
}

fn islice(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = rest(&args).between("islice", 2, 4)?;
    let source = ops::iter(vm, &given[0])?;
    let mut bound = |value: &Value, what: &str, least: i64| -> PyResult<Option<usize>> {
        if value.is_none() {
            return Ok(None);
        }
        let wrong = || Raised::value_error(what);
        match int(vm, value) {
            Ok(n) if n >= least => Ok(Some(n as usize)),
            _ => Err(wrong()),
        }
    };
    const STOP: &str =
        "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
    const INDICES: &str = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
    const STEP: &str = "Step for islice() must be a positive integer or None.";
    let (start, stop, step) = match given {
        [_, stop] => (None, bound(stop, STOP, 0)?, None),
        [_, start, stop] => (bound(start, INDICES, 0)?, bound(stop, INDICES, 0)?, None),
        [_, start, stop, step, ..] => (
            bound(start, INDICES, 0)?,
            bound(stop, INDICES, 0)?,
            bound(step, STEP, 1)?,
        ),
        _ => (None, None, None),
    };
    let (mut wanted, step) = (start.unwrap_or(0), step.unwrap_or(1));
    let mut at = 0;
    let last = stop.map_or(0, |stop| stop.max(wanted));
    lazy(&args, move |vm| {
        if let Some(stop) = stop
            && wanted >= stop
        {
            // Items before the end, or before the first one, are still drawn, as CPython does.
            while at < last {
                if ops::next(vm, &source)?.is_none() {
                    break;
                }
                at += 1;
            }
            at = usize::MAX;
            return Ok(None);
        }
        loop {
            let Some(item) = ops::next(vm, &source)? else {
                return Ok(None);
            };
            at += 1;
            if at > wanted {
                wanted = wanted.saturating_add(step);
                return Ok(Some(item));
            }
        }
    })
}

fn pairwise(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [iterable] = rest(&args).exactly("pairwise")?;
    let source = ops::iter(vm, iterable)?;
    let mut last: Option<Value> = None;
    lazy(&args, move |vm| {
        let first = match last.take() {
            Some(first) => first,
            None => match ops::next(vm, &source)? {
                Some(first) => first,
                None => return Ok(None),
            },
        };
        let Some(second) = ops::next(vm, &source)? else {
            return Ok(None);
        };
        last = Some(second.clone());
        Ok(Some(Value::tuple(vec![first, second])))
    })
}

fn starmap(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (function, source) = predicate_and_source(vm, &args, "starmap")?;
    lazy(&args, move |vm| {
        let Some(item) = ops::next(vm, &source)? else {
            return Ok(None);
        };
        let arguments = ops::collect(vm, &item)?;
        vm.call(&function, Args::new(&arguments)).map(Some)
    })
}

fn zip_longest(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if args.kw.iter().any(|(k, _)| k.as_str() != "fillvalue") {
        return Err(Raised::type_error(
            "zip_longest() got an unexpected keyword argument",
        ));
    }
    let fill = args.keyword("fillvalue").cloned().unwrap_or(Value::None);
    let sources = rest(&args)
        .pos
        .iter()
        .map(|v| ops::iter(vm, v))
        .collect::<PyResult<Vec<_>>>()?;
    let mut sources: Vec<Option<Value>> = sources.into_iter().map(Some).collect();
    lazy(&args, move |vm| {
        let mut row = Vec::with_capacity(sources.len());
        for source in &mut sources {
            let item = match source {
                Some(iter) => ops::next(vm, iter)?,
                None => None,
            };
            if item.is_none() {
                *source = None;
            }
            row.push(item.unwrap_or_else(|| fill.clone()));
        }
        let any_left = sources.iter().any(Option::is_some);
        Ok(any_left.then(|| Value::tuple(row)))
    })
}

fn tee(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("tee", 1, 2)?;
    let copies = given.get(1).map_or(Ok(2), |n| int(vm, n))?;
    if copies < 0 {
        return Err(Raised::value_error("n must be >= 0"));
    }
    let source = ops::iter(vm, &given[0])?;
    // Items drawn and not yet seen by every copy: a queue per copy.
    let mut made = memory::room(usize::try_from(copies).unwrap_or(0))?;
    made.resize_with(copies as usize, || RefCell::new(VecDeque::new()));
    let queues: Rc<Vec<RefCell<VecDeque<Value>>>> = Rc::new(made);
    // Whether the source is being asked: by another thread, or by what it runs itself.
    let asked = Rc::new(Cell::new(false));
    let iterators = (0..copies as usize).map(|i| {
        let (queues, source, asked) = (queues.clone(), source.clone(), asked.clone());
        PyIter::native(Lazy {
            class: types().iterator.clone(),
            step: move |vm: &mut dyn Vm| {
                let Some(mine) = queues.get(i) else {
                    return Ok(None);
                };
                if let Some(item) = mine.borrow_mut().pop_front() {
                    return Ok(Some(item));
                }
                if asked.replace(true) {
                    return Err(Raised::runtime_error("cannot re-enter the tee iterator"));
                }
                let next = ops::next(vm, &source);
                asked.set(false);
                let Some(item) = next? else {
                    return Ok(None);
                };
                for (j, other) in queues.iter().enumerate() {
                    if j != i {
                        other.borrow_mut().push_back(item.clone());
                    }
                }
                Ok(Some(item))
            },
        })
    });
    Ok(Value::tuple(iterators.collect::<Vec<_>>()))
}

/// Tuples of `pool` items by index.
fn pick(pool: &[Value], indices: &[usize]) -> Value {
    Value::tuple(
        indices
            .iter()
            .filter_map(|i| pool.get(*i).cloned())
            .collect::<Vec<_>>(),
    )
}

fn product(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if let Some((other, _)) = args.kw.iter().find(|(k, _)| k.as_str() != "repeat") {
        return Err(Raised::type_error(format!(
            "'{other}' is an invalid keyword argument for product()"
        )));
    }
    let repeat = args.keyword("repeat").map_or(Ok(1), |n| int(vm, n))?;
    if repeat < 0 {
        return Err(Raised::value_error("repeat argument cannot be negative"));
    }
    let once = rest(&args)
        .pos
        .iter()
        .map(|v| ops::collect(vm, v))
        .collect::<PyResult<Vec<_>>>()?;
    let repeat = usize::try_from(repeat).unwrap_or(0);
    let mut pools: Vec<Vec<Value>> = memory::room(once.len().saturating_mul(repeat))?;
    for _ in 0..repeat * usize::from(!once.is_empty()) {
        pools.extend(once.iter().cloned());
    }
    let mut indices = memory::copies(0, pools.len())?;
    let mut done = pools.iter().any(Vec::is_empty);
    lazy(&args, move |_| {
        if done {
            return Ok(None);
        }
        let row: Vec<Value> = pools
            .iter()
            .zip(&indices)
            .filter_map(|(p, i)| p.get(*i).cloned())
            .collect();
        done = true;
        for (index, pool) in indices.iter_mut().zip(&pools).rev() {
            *index += 1;
            if *index < pool.len() {
                done = false;
                break;
            }
            *index = 0;
        }
        Ok(Some(Value::tuple(row)))
    })
}

/// The pool and the length of `permutations` and `combinations`.
fn pool_and_length(
    vm: &mut dyn Vm,
    args: &Args<'_>,
    signature: &Signature<2>,
) -> PyResult<(Vec<Value>, usize)> {
    let [iterable, length] = signature.parse(rest(args))?;
    let pool = ops::collect(vm, &iterable.unwrap_or(Value::None))?;
    let length = match length {
        None | Some(Value::None) => pool.len(),
        Some(length) => usize::try_from(int(vm, &length)?)
            .map_err(|_| Raised::value_error("r must be non-negative"))?,
    };
    Ok((pool, length))
}

fn permutations(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("permutations", ["iterable", "r"]).required(1);
    let (pool, r) = pool_and_length(vm, &args, &SIGNATURE)?;
    let n = pool.len();
    let mut indices: Vec<usize> = (0..n).collect();
    let mut cycles: Vec<usize> = (0..r.min(n)).map(|i| n.saturating_sub(i)).collect();
    let (mut first, mut done) = (true, r > n);
    lazy(&args, move |_| {
        if done {
            return Ok(None);
        }
        if !first {
            done = true;
            for i in (0..r).rev() {
                cycles[i] -= 1;
                if cycles[i] == 0 {
                    indices[i..].rotate_left(1);
                    cycles[i] = n - i;
                } else {
                    let j = n - cycles[i];
                    indices.swap(i, j);
                    done = false;
                    break;
                }
            }
            if done {
                return Ok(None);
            }
        }
        first = false;
        Ok(Some(pick(&pool, &indices[..r])))
    })
}

fn combinations(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("combinations", ["iterable", "r"]);
    let (pool, r) = pool_and_length(vm, &args, &SIGNATURE)?;
    let n = pool.len();
    // More than there are: nothing to keep places of.
    let mut indices: Vec<usize> = (0..r.min(n)).collect();
    let (mut first, mut done) = (true, r > n);
    lazy(&args, move |_| {
        if done {
            return Ok(None);
        }
        if !first {
            let Some(i) = (0..r).rev().find(|&i| indices[i] != i + n - r) else {
                done = true;
                return Ok(None);
            };
            indices[i] += 1;
            for j in i + 1..r {
                indices[j] = indices[j - 1] + 1;
            }
        }
        first = false;
        Ok(Some(pick(&pool, &indices)))
    })
}

fn combinations_with_replacement(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> =
        Signature::new("combinations_with_replacement", ["iterable", "r"]);
    let (pool, r) = pool_and_length(vm, &args, &SIGNATURE)?;
    let n = pool.len();
    let mut indices = memory::copies(0, r)?;
    let (mut first, mut done) = (true, n == 0 && r > 0);
    lazy(&args, move |_| {
        if done {
            return Ok(None);
        }
        if !first {
            let Some(i) = (0..r).rev().find(|&i| indices[i] + 1 != n) else {
                done = true;
                return Ok(None);
            };
            let next = indices[i] + 1;
            indices[i..].fill(next);
        }
        first = false;
        Ok(Some(pick(&pool, &indices)))
    })
}
