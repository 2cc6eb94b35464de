//! `torch._C._distributed`: what torch.distributed, which is Python, needs natively.
//!
//! In: tensors, addresses, names of engines. Out: new tensors of one dimension with what came from others; keys and values
//! of a store. Always: a tensor is copied before an engine sees it, so that nobody writes into it meanwhile; waiting gives
//! the turn away and handles signals.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use janus_distributed::engine::{Alone, Communicator};
use janus_distributed::plugin::{self, Unconnected};
use janus_distributed::{
    Block, Call, Client, ElementType, EngineError, Group, Memory, Pending, Reduction, Server,
    StoreError,
};
use janus_interp::Interp;
use janus_object::{
    Args, BaseKind, Class, ExcKind, NativeDef, PyModule, PyRef, PyResult, Raised, Value, Vm,
    buffer, ops, types,
};
use janus_tensor::alloc::Buffer;
use janus_tensor::tensor::Layout;
use janus_tensor::{DType, Tensor, TensorError, autograd};

use crate::call::raised;
use crate::memory::argument;
use crate::objects::{foreign, wrap};
use crate::vm_scope;

/// How long a wait goes on before signals are looked after.
const SLICE: Duration = Duration::from_millis(50);

/// Makes the module.
pub(crate) fn make(_interp: &mut Interp) -> PyResult<Value> {
    let module = PyModule::new("torch._C._distributed", Value::None);
    module.add_natives(FUNCTIONS);
    Ok(Value::Module(PyRef::new(module)))
}

fn interp(vm: &mut dyn Vm) -> PyResult<&mut Interp> {
    vm.as_any()
        .downcast_mut::<Interp>()
        .ok_or_else(|| Raised::system_error("no interpreter behind the VM"))
}

fn class(name: &'static str, natives: &[NativeDef]) -> PyRef<Class> {
    Class::builtin(
        name,
        "torch._C._distributed",
        &[&types().object],
        BaseKind::Foreign,
        natives,
    )
}

fn this<'a, T: 'static>(args: &Args<'a>) -> PyResult<&'a T> {
    args.pos
        .first()
        .and_then(Value::foreign::<T>)
        .ok_or_else(|| Raised::type_error("an object of another class was expected"))
}

fn int(v: &Value) -> PyResult<i64> {
    v.as_int()
        .ok_or_else(|| Raised::type_error(format!("an int was expected, not {}", v.type_name())))
}

fn small(v: &Value) -> PyResult<i32> {
    i32::try_from(int(v)?).map_err(|_| Raised::overflow_error("the number is too large"))
}

fn text(v: &Value) -> PyResult<&str> {
    v.as_str()
        .ok_or_else(|| Raised::type_error(format!("a str was expected, not {}", v.type_name())))
}

/// A number of seconds.
fn seconds(v: &Value) -> PyResult<Duration> {
    let seconds = v.as_f64().unwrap_or(f64::NAN);
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| Raised::value_error("a timeout is a number of seconds"))
}

/// Calls `f`, which waits for a slice of time at most, until it says that it is done, or until the time is over; whether
/// it is done.
fn until<E: Send>(
    vm: &mut dyn Vm,
    limit: Duration,
    mut f: impl FnMut(Duration) -> Result<bool, E> + Send,
    raise: impl Fn(&E) -> Raised,
) -> PyResult<bool> {
    let ends = Instant::now().checked_add(limit);
    let vm = interp(vm)?;
    loop {
        let left = ends.map_or(SLICE, |e| e.saturating_duration_since(Instant::now()));
        let slice = left.min(SLICE);
        match vm.allow_threads(|| f(slice)).map_err(|e| raise(&e))? {
            true => return Ok(true),
            false if left.is_zero() => return Ok(false),
            false => vm.handle_signals()?,
        }
    }
}

// Stores

/// The classes tell the package what happened: it has PyTorch's exceptions.
fn store_error(e: &StoreError) -> Raised {
    let kind = match e {
        StoreError::Listen { source } => return Raised::io_error(source, None),
        StoreError::Connect { .. } => ExcKind::TimeoutError,
        StoreError::Stranger(_) => ExcKind::ValueError,
        StoreError::Broken(_) => ExcKind::ConnectionError,
        StoreError::Refused(_) => ExcKind::RuntimeError,
    };
    Raised::new(kind, e.to_string())
}

fn serve(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = class("Server", SERVER);
    }
    let [port] = args.exactly("serve")?;
    let port =
        u16::try_from(int(port)?).map_err(|_| Raised::overflow_error("port must be 0-65535."))?;
    let server = Server::new(port).map_err(|e| store_error(&e))?;
    Ok(CLASS.with(|class| foreign(class, server)))
}

const SERVER: &[NativeDef] = &[NativeDef::getter("Server.port", |_, args| {
    Ok(Value::Int(i64::from(this::<Server>(&args)?.port())))
})];

/// `connect(host, port, seconds)`
fn connect(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = class("Client", CLIENT);
    }
    let [host, port, limit] = args.exactly("connect")?;
    let port =
        u16::try_from(int(port)?).map_err(|_| Raised::overflow_error("port must be 0-65535."))?;
    let (host, limit) = (text(host)?.to_owned(), seconds(limit)?);
    let (mut client, mut last) = (None, None);
    let attempt = |slice: Duration| match Client::connect(&host, port, slice) {
        Ok(connected) => {
            client = Some(connected);
            Ok(true)
        }
        // Nobody may listen there yet.
        Err(e @ StoreError::Connect { .. }) => {
            last = Some(e);
            std::thread::sleep(slice.min(Duration::from_millis(10)));
            Ok(false)
        }
        Err(e) => Err(e),
    };
    until(vm, limit, attempt, store_error)?;
    match (client, last) {
        (Some(client), _) => Ok(CLASS.with(|class| foreign(class, client))),
        (None, Some(e)) => Err(store_error(&e)),
        (None, None) => Err(Raised::new(ExcKind::TimeoutError, "timed out")),
    }
}

/// What a request to a store comes to, with the lock given away meanwhile.
fn asked<T: Send>(
    vm: &mut dyn Vm,
    ask: impl FnOnce() -> Result<T, StoreError> + Send,
) -> PyResult<T> {
    interp(vm)?.allow_threads(ask).map_err(|e| store_error(&e))
}

const CLIENT: &[NativeDef] = &[
    NativeDef::method("Client.set", |vm, args| {
        let (this, [key, value]) = (this::<Client>(&args)?, args.method("set")?.1);
        let (key, value) = (buffer::bytes_like(key)?, buffer::bytes_like(value)?);
        asked(vm, || this.set(&key, &value))?;
        Ok(Value::None)
    }),
    NativeDef::method("Client.get", |vm, args| {
        let (this, [key]) = (this::<Client>(&args)?, args.method("get")?.1);
        let key = buffer::bytes_like(key)?;
        Ok(asked(vm, || this.get(&key))?.map_or(Value::None, Value::bytes))
    }),
    NativeDef::method("Client.add", |vm, args| {
        let (this, [key, by]) = (this::<Client>(&args)?, args.method("add")?.1);
        let (key, by) = (buffer::bytes_like(key)?, int(by)?);
        Ok(Value::Int(asked(vm, || this.add(&key, by))?))
    }),
    // `wait(keys, seconds)`: whether all are there.
    NativeDef::method("Client.wait", |vm, args| {
        let (this, [keys, limit]) = (this::<Client>(&args)?, args.method("wait")?.1);
        let keys = ops::collect(vm, keys)?;
        let keys: Vec<Vec<u8>> = keys
            .iter()
            .map(buffer::bytes_like)
            .collect::<PyResult<_>>()?;
        let waited = until(
            vm,
            seconds(limit)?,
            |slice| this.wait(&keys, slice),
            store_error,
        );
        Ok(Value::bool(waited?))
    }),
    NativeDef::method("Client.delete", |vm, args| {
        let (this, [key]) = (this::<Client>(&args)?, args.method("delete")?.1);
        let key = buffer::bytes_like(key)?;
        Ok(Value::bool(asked(vm, || this.delete(&key))?))
    }),
    NativeDef::method("Client.compare_set", |vm, args| {
        let (this, given) = (this::<Client>(&args)?, args.method("compare_set")?.1);
        let [key, expected, desired] = given;
        let (key, expected) = (buffer::bytes_like(key)?, buffer::bytes_like(expected)?);
        let desired = buffer::bytes_like(desired)?;
        let value = asked(vm, || this.compare_set(&key, &expected, &desired))?;
        Ok(Value::bytes(value))
    }),
    NativeDef::method("Client.count", |vm, args| {
        let this = this::<Client>(&args)?;
        Ok(Value::Int(asked(vm, || this.count())?))
    }),
    NativeDef::method("Client.append", |vm, args| {
        let (this, [key, more]) = (this::<Client>(&args)?, args.method("append")?.1);
        let (key, more) = (buffer::bytes_like(key)?, buffer::bytes_like(more)?);
        asked(vm, || this.append(&key, &more))?;
        Ok(Value::None)
    }),
];

// Engines

fn engine_error(e: &EngineError) -> Raised {
    let kind = match e {
        EngineError::Absent(_) => ExcKind::ImportError,
        EngineError::Failed(_) => ExcKind::RuntimeError,
    };
    Raised::new(kind, e.to_string())
}

fn engine<T>(r: Result<T, EngineError>) -> PyResult<T> {
    r.map_err(|e| engine_error(&e))
}

/// `load(engine)`: an ImportError if it is not there.
fn load(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [name] = args.exactly("load")?;
    engine(plugin::load(text(name)?))?;
    Ok(Value::None)
}

/// A communicator until it is connected.
struct Unborn(RefCell<Option<Unconnected>>);

/// `create(engine, rank, size, seconds)`
fn create(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = class("Unconnected", UNCONNECTED);
    }
    let [name, rank, size, limit] = args.exactly("create")?;
    let plugin = engine(plugin::load(text(name)?))?;
    let (rank, size, limit) = (small(rank)?, small(size)?, seconds(limit)?);
    let made = interp(vm)?.allow_threads(|| Unconnected::new(plugin, rank, size, limit));
    let made = Unborn(RefCell::new(Some(engine(made)?)));
    Ok(CLASS.with(|class| foreign(class, made)))
}

fn connected_before() -> Raised {
    Raised::runtime_error("the process group is connected already")
}

const UNCONNECTED: &[NativeDef] = &[
    NativeDef::getter("Unconnected.address", |_, args| {
        let this = this::<Unborn>(&args)?.0.borrow();
        let this = this.as_ref().ok_or_else(connected_before)?;
        Ok(Value::bytes(this.address()))
    }),
    // `connect(addresses)`: the group.
    NativeDef::method("Unconnected.connect", |vm, args| {
        let [addresses] = args.method("connect")?.1;
        let addresses = ops::collect(vm, addresses)?;
        let addresses: Vec<Vec<u8>> = addresses
            .iter()
            .map(buffer::bytes_like)
            .collect::<PyResult<_>>()?;
        let ours = this::<Unborn>(&args)?.0.take();
        let ours = ours.ok_or_else(connected_before)?;
        let connected = interp(vm)?.allow_threads(|| ours.connect(&addresses));
        group(engine(connected)?)
    }),
];

fn group(communicator: Arc<dyn Communicator>) -> PyResult {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = class("Group", GROUP);
    }
    let group = Ended(RefCell::new(Some(engine(Group::new(communicator))?)));
    Ok(CLASS.with(|class| foreign(class, group)))
}

/// `alone()`: a group of one rank.
fn alone(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("alone")?;
    group(Arc::new(Alone))
}

/// A group until it has ended.
struct Ended(RefCell<Option<Group>>);

impl Ended {
    fn with<T>(&self, f: impl FnOnce(&Group) -> PyResult<T>) -> PyResult<T> {
        let group = self.0.borrow();
        let group = group.as_ref();
        f(group.ok_or_else(|| Raised::runtime_error("the process group was destroyed"))?)
    }
}

/// Memory of tensors on its way through an engine.
struct Owned(Buffer);

impl Memory for Owned {
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the buffer owns so many bytes, all of which were written when this was made, and is borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.0.ptr(), self.0.len()) }
    }

    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
        self
    }
}

/// Room for elements.
fn room(elements: i64, dtype: DType) -> PyResult<Block> {
    let bytes = usize::try_from(elements)
        .ok()
        .and_then(|n| n.checked_mul(dtype.size()))
        .ok_or_else(|| Raised::value_error("a negative number of elements"))?;
    Ok(Box::new(Owned(Buffer::zeroed(bytes).map_err(raised)?)))
}

/// A copy of a tensor's elements.
fn copied(t: &Tensor) -> PyResult<Block> {
    let dense = t.contiguous_data().map_err(raised)?;
    let bytes = dense.numel().max(0) as usize * dense.dtype().size();
    let room = Buffer::new(bytes).map_err(raised)?;
    // SAFETY: a contiguous tensor has its elements one after the other from its pointer on; the room is new, and as long.
    unsafe { std::ptr::copy_nonoverlapping(dense.data_ptr(), room.ptr(), bytes) };
    Ok(Box::new(Owned(room)))
}

/// Whether a tensor shows all of its storage, in order.
fn is_whole(layout: &Layout) -> bool {
    let bytes = layout.numel().max(0) as usize * layout.dtype.size();
    layout.offset == 0 && layout.is_contiguous() && bytes == layout.storage.len()
}

/// The memory of a tensor, which gets other memory of unspecified content for it; none if it is a part of a larger one.
fn given(t: &Tensor) -> PyResult<Option<Block>> {
    let layout = t.layout().clone();
    if !is_whole(&layout) {
        return Ok(None);
    }
    let other = Buffer::new(layout.storage.len()).map_err(raised)?;
    let taken = layout.storage.swap(other).ok();
    layout.bump_version();
    Ok(taken.map(|taken| -> Block { Box::new(Owned(taken)) }))
}

fn element(dtype: DType) -> PyResult<ElementType> {
    Ok(match dtype {
        DType::F32 => ElementType::F32,
        DType::F64 => ElementType::F64,
        DType::I64 => ElementType::I64,
        DType::I32 => ElementType::I32,
        DType::I8 => ElementType::I8,
        DType::U8 => ElementType::U8,
        DType::Bool => ElementType::Bool,
        DType::I16 | DType::U16 | DType::U32 | DType::U64 | DType::C64 | DType::C128 => {
            return Err(Raised::runtime_error("Invalid scalar type"));
        }
        DType::F16 => ElementType::F16,
        DType::BF16 => ElementType::BF16,
    })
}

fn reduction(name: &Value) -> PyResult<Reduction> {
    Ok(match text(name)? {
        "SUM" => Reduction::Sum,
        "PRODUCT" => Reduction::Product,
        "MIN" => Reduction::Min,
        "MAX" => Reduction::Max,
        "BAND" => Reduction::BitAnd,
        "BOR" => Reduction::BitOr,
        "BXOR" => Reduction::BitXor,
        _ => return Err(Raised::runtime_error("Unhandled ReduceOp")),
    })
}

/// What was started, and the dtype of its result.
struct Started {
    pending: Pending,
    dtype: DType,
}

fn started(pending: Pending, dtype: DType) -> Value {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = class("Pending", PENDING);
    }
    CLASS.with(|class| foreign(class, Started { pending, dtype }))
}

fn start(args: &Args<'_>, call: Call, dtype: DType, limit: &Value) -> PyResult {
    let limit = seconds(limit)?;
    let pending = this::<Ended>(args)?.with(|group| Ok(group.start(call, limit)))?;
    Ok(started(pending, dtype))
}

/// The elements that go to each rank, as bytes.
fn splits(vm: &mut dyn Vm, counts: &Value, dtype: DType) -> PyResult<Vec<i64>> {
    let counts = ops::collect(vm, counts)?;
    let bytes = |count: &Value| Ok(int(count)?.saturating_mul(dtype.size() as i64));
    counts.iter().map(bytes).collect()
}

const GROUP: &[NativeDef] = &[
    // `all_reduce(t, op, seconds, gives)`: whether the caller gives the elements away, and has none until the result.
    NativeDef::method("Group.all_reduce", |_, args| {
        let [t, op, limit, gives] = args.method("all_reduce")?.1;
        let t = argument(t)?;
        let given = match gives {
            Value::Bool(janus_object::Bool::True) => given(t)?,
            _ => None,
        };
        let call = Call::AllReduce {
            data: given.map_or_else(|| copied(t), Ok)?,
            element: element(t.dtype())?,
            reduction: reduction(op)?,
        };
        start(&args, call, t.dtype(), limit)
    }),
    // `reduce(t, op, root, seconds)`
    NativeDef::method("Group.reduce", |_, args| {
        let [t, op, root, limit] = args.method("reduce")?.1;
        let t = argument(t)?;
        let call = Call::Reduce {
            data: copied(t)?,
            element: element(t.dtype())?,
            reduction: reduction(op)?,
            root: small(root)?,
        };
        start(&args, call, t.dtype(), limit)
    }),
    // `broadcast(t, root, seconds)`
    NativeDef::method("Group.broadcast", |_, args| {
        let [t, root, limit] = args.method("broadcast")?.1;
        let t = argument(t)?;
        let call = Call::Broadcast {
            data: copied(t)?,
            root: small(root)?,
        };
        start(&args, call, t.dtype(), limit)
    }),
    // `all_gather(t, ranks, seconds)`
    NativeDef::method("Group.all_gather", |_, args| {
        let [t, ranks, limit] = args.method("all_gather")?.1;
        let t = argument(t)?;
        let call = Call::AllGather {
            input: copied(t)?,
            output: room(t.numel().saturating_mul(int(ranks)?), t.dtype())?,
        };
        start(&args, call, t.dtype(), limit)
    }),
    // `gather(t, ranks, root, seconds)`: 0 ranks where this one is not the root.
    NativeDef::method("Group.gather", |_, args| {
        let [t, ranks, root, limit] = args.method("gather")?.1;
        let (t, ranks) = (argument(t)?, int(ranks)?);
        let output = room(t.numel().saturating_mul(ranks), t.dtype())?;
        let call = Call::Gather {
            input: copied(t)?,
            output: (ranks > 0).then_some(output),
            root: small(root)?,
        };
        start(&args, call, t.dtype(), limit)
    }),
    // `scatter(parts, t, root, seconds)`: None where this one is not the root; `t` says what a part is.
    NativeDef::method("Group.scatter", |_, args| {
        let [parts, t, root, limit] = args.method("scatter")?.1;
        let t = argument(t)?;
        let input = match parts {
            Value::None => None,
            parts => Some(copied(argument(parts)?)?),
        };
        let call = Call::Scatter {
            input,
            output: room(t.numel(), t.dtype())?,
            root: small(root)?,
        };
        start(&args, call, t.dtype(), limit)
    }),
    // `all_to_all(t, elements to each, elements from each, seconds)`
    NativeDef::method("Group.all_to_all", |vm, args| {
        let [t, to, from, limit] = args.method("all_to_all")?.1;
        let t = argument(t)?;
        let input_bytes = splits(vm, to, t.dtype())?;
        let output_bytes = splits(vm, from, t.dtype())?;
        let bytes = output_bytes.iter().fold(0i64, |a, b| a.saturating_add(*b));
        let call = Call::AllToAll {
            input: copied(t)?,
            input_bytes,
            output: room(bytes / t.dtype().size() as i64, t.dtype())?,
            output_bytes,
        };
        start(&args, call, t.dtype(), limit)
    }),
    // `barrier(seconds)`
    NativeDef::method("Group.barrier", |_, args| {
        let [limit] = args.method("barrier")?.1;
        start(&args, Call::Barrier, DType::U8, limit)
    }),
    // `send(t, to, tag)`
    NativeDef::method("Group.send", |_, args| {
        let [t, to, tag] = args.method("send")?.1;
        let (t, to) = (argument(t)?, small(to)?);
        let (tag, data) = (tag_of(tag)?, copied(t)?);
        let pending = this::<Ended>(&args)?.with(|group| engine(group.send(data, to, tag)))?;
        Ok(started(pending, t.dtype()))
    }),
    // `receive(t, from, tag)`: `t` says what is expected; -1 is anybody.
    NativeDef::method("Group.receive", |_, args| {
        let [t, from, tag] = args.method("receive")?.1;
        let (t, from) = (argument(t)?, small(from)?);
        let (tag, data) = (tag_of(tag)?, room(t.numel(), t.dtype())?);
        let pending = this::<Ended>(&args)?.with(|group| engine(group.receive(data, from, tag)))?;
        Ok(started(pending, t.dtype()))
    }),
    // `finish()`: what was started is carried out first.
    NativeDef::method("Group.finish", |vm, args| {
        let [] = args.method("finish")?.1;
        if let Some(group) = this::<Ended>(&args)?.0.take() {
            interp(vm)?.allow_threads(|| group.finish());
        }
        Ok(Value::None)
    }),
    // `abort()`: what is under way fails.
    NativeDef::method("Group.abort", |_, args| {
        let [] = args.method("abort")?.1;
        this::<Ended>(&args)?.with(|group| {
            group.abort();
            Ok(Value::None)
        })
    }),
];

fn tag_of(v: &Value) -> PyResult<u32> {
    u32::try_from(int(v)?).map_err(|_| Raised::value_error("Tag must be nonnegative"))
}

const PENDING: &[NativeDef] = &[
    NativeDef::method("Pending.is_done", |_, args| {
        let [] = args.method("is_done")?.1;
        Ok(Value::bool(this::<Started>(&args)?.pending.is_done()))
    }),
    // `wait(seconds)`: whether it has ended.
    NativeDef::method("Pending.wait", |vm, args| {
        let [limit] = args.method("wait")?.1;
        let pending = &this::<Started>(&args)?.pending;
        let waited = until(
            vm,
            seconds(limit)?,
            |slice| Ok(pending.wait(slice)),
            engine_error,
        );
        Ok(Value::bool(waited?))
    }),
    NativeDef::method("Pending.cancel", |_, args| {
        let [] = args.method("cancel")?.1;
        this::<Started>(&args)?.pending.cancel();
        Ok(Value::None)
    }),
    // `result()`: the tensor, and the other rank of a transfer; asked for once.
    NativeDef::method("Pending.result", |_, args| {
        let [] = args.method("result")?.1;
        let this = this::<Started>(&args)?;
        let outcome = this.pending.take();
        let outcome = outcome.ok_or_else(|| Raised::runtime_error("there is no result"))?;
        let outcome = engine(outcome)?;
        let memory = outcome.memory.map(Memory::into_any);
        let tensor = match memory.map(|memory| memory.downcast::<Owned>()) {
            Some(Ok(memory)) => {
                let elements = (memory.0.len() / this.dtype.size()) as i64;
                let tensor = Tensor::from_buffer(memory.0, &[elements], this.dtype);
                wrap(tensor.map_err(raised)?)
            }
            _ => Value::None,
        };
        let peer = outcome
            .peer
            .map_or(Value::None, |p| Value::Int(i64::from(p)));
        Ok(Value::tuple(vec![tensor, peer]))
    }),
];

/// `exchange(t, elements)`: gives the tensor the elements, which nobody else has, without a copy; whether that could be.
fn exchange(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t, elements] = args.exactly("exchange")?;
    let (t, elements) = (argument(t)?, argument(elements)?);
    let (to, from) = (t.layout().clone(), elements.layout().clone());
    let fits = to.dtype == from.dtype && is_whole(&to) && is_whole(&from);
    let exchanged = fits && to.storage.exchange(&from.storage);
    if exchanged {
        to.bump_version();
    }
    Ok(Value::bool(exchanged))
}

/// `queue_callback(function)`: it is called when the backward pass that runs is through.
fn queue_callback(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [function] = args.exactly("queue_callback")?;
    let function = function.clone();
    let call = move || {
        let called = vm_scope::with(|vm| vm.call(&function, Args::new(&[])));
        called
            .map(drop)
            .map_err(|e| TensorError::Foreign(Rc::new(e)))
    };
    autograd::queue_callback(Rc::new(call)).map_err(raised)?;
    Ok(Value::None)
}

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._distributed.exchange", exchange),
    NativeDef::function("torch._C._distributed.queue_callback", queue_callback),
    NativeDef::function("torch._C._distributed.serve", serve),
    NativeDef::function("torch._C._distributed.connect", connect),
    NativeDef::function("torch._C._distributed.load", load),
    NativeDef::function("torch._C._distributed.create", create),
    NativeDef::function("torch._C._distributed.alone", alone),
];
