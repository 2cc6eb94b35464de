//! Operations of the tape as Python objects: what `grad_fn` gives, hooks, what is kept for backward.
//!
//! In: nodes and leaves. Out: one object for each while a script has it; hooks that call a script's functions.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use janus_object::{
    Args, BaseKind, Class, Foreign, Instance, Name, NativeDef, Payload, PyDict, PyRef, PyResult,
    Raised, Value, Vm, attr, ops, types,
};
use janus_tensor::autograd::{self, PostHookFn, PreHookFn, SavedHooks};
use janus_tensor::{Scalar, Tensor, TensorError};

use crate::natives::{carried, lift, tensor_arg, tensor_list, this};
use crate::objects::{foreign, tensor_of, wrap};
use crate::vm_scope;

/// A node of the tape, or where the gradient of a leaf goes.
enum NodeObject {
    Node(Rc<autograd::Node>),
    Leaf(Tensor),
}

impl NodeObject {
    fn name(&self) -> String {
        match self {
            NodeObject::Node(n) => n.name(),
            NodeObject::Leaf(_) => "AccumulateGrad".to_owned(),
        }
    }

    /// Where the node's class is: functions of a script's classes have a module.
    fn module(&self) -> &'static str {
        let is_function = match self {
            NodeObject::Node(n) => n.with_object(|o| {
                let ctx = o.downcast_ref::<Value>();
                !matches!(ctx, None | Some(Value::None))
            }),
            NodeObject::Leaf(_) => None,
        };
        match is_function {
            Some(true) => "torch.autograd.function",
            _ => "builtins",
        }
    }

    /// What no other node or leaf has while this object lives.
    fn place(&self) -> usize {
        match self {
            NodeObject::Node(n) => Rc::as_ptr(n).addr(),
            NodeObject::Leaf(t) => t.id(),
        }
    }
}

/// The data of such an object, of which there is one while it lives.
struct NodeData {
    node: NodeObject,
    object: Cell<*const Instance>,
    /// `metadata` of a leaf's.
    metadata: RefCell<Option<Value>>,
}

impl Foreign for NodeData {
    fn inner(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

janus_gil::gil_local! {
    /// Addresses of the objects that there are, by what they stand for.
    static OBJECTS: RefCell<HashMap<usize, usize>> = RefCell::default();
}

impl Drop for NodeData {
    fn drop(&mut self) {
        let (place, address) = (self.node.place(), self.object.get().addr());
        OBJECTS.with(|objects| {
            let mut objects = objects.borrow_mut();
            if objects.get(&place).is_some_and(|known| *known == address) {
                objects.remove(&place);
            }
        });
    }
}

/// `Tensor.grad_fn`
pub fn grad_fn(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = this(&args)?;
    lift(this.check_view())?;
    match this.grad_fn() {
        Some(node) => Ok(node_value(NodeObject::Node(node))),
        None => Ok(Value::None),
    }
}

/// `torch.autograd.graph.Node`
pub fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = Class::builtin(
            "Node", "torch.autograd.graph", &[&types().object], BaseKind::Foreign, NODE,
        );
    }
    CLASS.with(Clone::clone)
}

/// The object of a node: the one that there is, or one of the class that has the node's name.
fn node_value(node: NodeObject) -> Value {
    janus_gil::gil_local! {
        static CLASSES: RefCell<HashMap<(String, &'static str), PyRef<Class>>> = RefCell::default();
    }
    let place = node.place();
    if let Some(known) = OBJECTS.with(|objects| objects.borrow().get(&place).copied()) {
        let known = std::ptr::with_exposed_provenance::<Instance>(known);
        // SAFETY: the address was noted below, and `NodeData` takes it back while it is dropped, so there is an
        // object, though perhaps one that is about to be dropped.
        if let Some(known) = unsafe { PyRef::alive_at(known) } {
            return Value::Instance(known);
        }
    }
    let name = node.name();
    let module = node.module();
    let class = CLASSES.with(|classes| {
        let make = |(name, module): &(String, &'static str)| {
            Class::builtin(name, module, &[&class()], BaseKind::Foreign, &[])
        };
        let mut classes = classes.borrow_mut();
        let class = classes.entry((name, module)).or_insert_with_key(make);
        class.clone()
    });
    let data = Box::new(NodeData {
        node,
        object: Cell::new(std::ptr::null()),
        metadata: RefCell::default(),
    });
    let made = PyRef::new(Instance::new(class, Payload::Foreign(data)));
    let address = PyRef::as_ptr(&made);
    if let Payload::Foreign(data) = &made.payload
        && let Some(data) = (&**data as &dyn Any).downcast_ref::<NodeData>()
    {
        data.object.set(address);
        let address = address.expose_provenance();
        OBJECTS.with(|objects| objects.borrow_mut().insert(place, address));
    }
    Value::Instance(made)
}

fn data<'a>(args: &Args<'a>) -> PyResult<&'a NodeData> {
    let first = args.pos.first();
    first
        .and_then(|v| v.foreign::<NodeData>())
        .ok_or_else(|| Raised::type_error("a Node was expected"))
}

fn node_name(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let name = data(&args)?.node.name();
    // Where PyTorch gives a name of C++.
    Ok(Value::str(match name.as_str() {
        "AccumulateGrad" | "CopySlices" => format!("torch::autograd::{name}"),
        _ => name,
    }))
}

fn node_repr(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let n = &data(&args)?.node;
    let module = match n.module() {
        "builtins" => String::new(),
        module => format!("{module}."),
    };
    let (name, place) = (n.name(), n.place());
    Ok(Value::str(format!("<{module}{name} object at {place:#x}>")))
}

fn edge_value(edge: Option<&autograd::Edge>) -> Value {
    let (next, index) = match edge {
        Some(autograd::Edge::Output(o)) => {
            let node = NodeObject::Node(o.node.clone());
            (node_value(node), i64::try_from(o.index).unwrap_or(0))
        }
        Some(autograd::Edge::Leaf(t)) => (node_value(NodeObject::Leaf(t.clone())), 0),
        None => (Value::None, 0),
    };
    Value::tuple(vec![next, Value::Int(index)])
}

fn node_next(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let inputs = match &data(&args)?.node {
        NodeObject::Node(n) => n.inputs(),
        NodeObject::Leaf(_) => &[],
    };
    let edges = inputs.iter().map(|edge| edge_value(edge.as_ref()));
    Ok(Value::tuple(edges.collect::<Vec<_>>()))
}

/// `metadata`: a dict that stays with the operation.
fn node_metadata(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let data = data(&args)?;
    let fresh = || Value::Dict(PyRef::new(PyDict::default()));
    match &data.node {
        NodeObject::Node(n) => {
            let kept = n.attached(|| Rc::new(fresh()));
            Ok(kept.downcast_ref::<Value>().cloned().unwrap_or(Value::None))
        }
        NodeObject::Leaf(_) => Ok(data.metadata.borrow_mut().get_or_insert_with(fresh).clone()),
    }
}

/// What nodes have that only some of them have.
fn node_getattr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let name = args.pos.get(1).and_then(Value::as_str).unwrap_or("");
    let found = match (&data(&args)?.node, name) {
        (NodeObject::Leaf(t), "variable") => Some(wrap(t.clone())),
        (NodeObject::Node(n), "_saved_self") => lift(n.saved(Some(0)))?.map(wrap),
        (NodeObject::Node(n), "_saved_other") => lift(n.saved(Some(1)))?.map(wrap),
        (NodeObject::Node(n), "_saved_result") => lift(n.saved(None))?.map(wrap),
        (NodeObject::Node(n), _) => {
            if name == "saved_tensors" {
                lift(n.check_saved())?;
            }
            // A function of a script's class is the context that its backward gets.
            match n
                .with_object(|o| o.downcast_ref::<Value>().cloned())
                .flatten()
            {
                Some(Value::None) | None => None,
                Some(ctx) => Some(attr::get(vm, &ctx, &Name::new(name))?),
            }
        }
        _ => None,
    };
    match (found, args.pos.first()) {
        (Some(value), _) => Ok(value),
        (None, Some(object)) => Err(Raised::no_attribute(object, &Name::new(name))),
        (None, None) => Ok(Value::None),
    }
}

// Hooks

type Gradients = Vec<Option<Tensor>>;

fn tuple_of(grads: &[Option<Tensor>]) -> Value {
    let one = |g: &Option<Tensor>| g.clone().map_or(Value::None, wrap);
    Value::tuple(grads.iter().map(one).collect::<Vec<_>>())
}

/// Calls a hook; what it gives takes the place of `count` gradients.
fn call_hook(
    function: &Value,
    args: &[Value],
    count: usize,
) -> Result<Option<Gradients>, TensorError> {
    let made = vm_scope::with(|vm| vm.call(function, Args::new(args))).map_err(carried)?;
    let items = match (&made, made.as_tuple()) {
        (Value::None, _) => return Ok(None),
        (_, Some(tuple)) => tuple.items.to_vec(),
        // PyTorch takes one gradient without a tuple.
        (one, None) if tensor_of(one).is_some() && count == 1 => vec![one.clone()],
        (other, None) => {
            return Err(carried(Raised::type_error(format!(
                "expected tuple, but hook returned '{}'",
                other.type_name()
            ))));
        }
    };
    Ok(Some(items.iter().map(|v| tensor_of(v).cloned()).collect()))
}

fn hook_of(args: &Args<'_>, name: &str) -> PyResult {
    match args.pos.get(1).or(args.keyword("fn")).cloned() {
        Some(function) => Ok(function),
        None => Err(Raised::type_error(format!(
            "{name}() missing 1 required positional argument: 'fn'"
        ))),
    }
}

fn register_prehook(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let function = hook_of(&args, "register_prehook")?;
    autograd::expect_inner_gradients();
    Ok(match &data(&args)?.node {
        NodeObject::Node(n) => {
            let call: PreHookFn =
                Rc::new(move |grads| call_hook(&function, &[tuple_of(grads)], grads.len()));
            handle_of_node(n, n.register_prehook(call))
        }
        NodeObject::Leaf(t) => {
            let call = move |grad: &Tensor| {
                let given = [tuple_of(&[Some(grad.clone())])];
                let made = call_hook(&function, &given, 1)?;
                Ok(made.and_then(|mut grads| grads.pop().flatten()))
            };
            handle_of_tensor(t, lift(t.register_hook(Rc::new(call)))?)
        }
    })
}

fn register_posthook(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let function = hook_of(&args, "register_hook")?;
    autograd::expect_inner_gradients();
    Ok(match &data(&args)?.node {
        NodeObject::Node(n) => {
            let call: PostHookFn = Rc::new(move |inputs, outputs| {
                let given = [tuple_of(inputs), tuple_of(outputs)];
                call_hook(&function, &given, inputs.len())
            });
            handle_of_node(n, n.register_posthook(call))
        }
        NodeObject::Leaf(t) => {
            // It comes once the gradient was added to the leaf's, and sees what was added.
            let added: Rc<RefCell<Option<Tensor>>> = Rc::default();
            let seen = added.clone();
            let note = move |grad: &Tensor| {
                added.replace(Some(grad.clone()));
                Ok(None)
            };
            let call = move |_: &Tensor| {
                let given = [Value::tuple(Vec::new()), tuple_of(&[seen.take()])];
                call_hook(&function, &given, 0).map(|_| None)
            };
            let first = lift(t.register_hook(Rc::new(note)))?;
            let second = lift(t.register_accumulated_hook(Rc::new(call)))?;
            let t = t.clone();
            handle(Box::new(move || {
                t.remove_hook(first);
                t.remove_hook(second);
            }))
        }
    })
}

/// What the registering of a hook returns.
struct HookObject {
    remove: Box<dyn Fn()>,
}

fn handle(remove: Box<dyn Fn()>) -> Value {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = Class::builtin(
            "RemovableHandle", "torch.utils.hooks", &[&types().object], BaseKind::Foreign, HOOK,
        );
    }
    CLASS.with(|class| foreign(class, HookObject { remove }))
}

/// The handle of a tensor's hook.
pub fn handle_of_tensor(t: &Tensor, id: u64) -> Value {
    let t = t.clone();
    handle(Box::new(move || t.remove_hook(id)))
}

fn handle_of_node(n: &Rc<autograd::Node>, id: u64) -> Value {
    let n = Rc::downgrade(n);
    handle(Box::new(move || {
        if let Some(n) = n.upgrade() {
            n.remove_node_hook(id);
        }
    }))
}

fn remove_hook(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if let Some(hook) = args.pos.first().and_then(|v| v.foreign::<HookObject>()) {
        (hook.remove)();
    }
    Ok(Value::None)
}

fn enter_hook(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(args.pos.first().cloned().unwrap_or(Value::None))
}

// What is kept for backward

/// `torch.autograd.graph.saved_tensors_hooks`
struct Pair {
    pack: Value,
    unpack: Value,
}

impl SavedHooks for Pair {
    fn pack(&self, t: &Tensor) -> Result<Box<dyn Any>, TensorError> {
        let given = [wrap(t.clone())];
        let made = vm_scope::with(|vm| vm.call(&self.pack, Args::new(&given)));
        Ok(Box::new(made.map_err(carried)?))
    }

    fn unpack(&self, packed: &dyn Any) -> Result<Tensor, TensorError> {
        let given = [packed.downcast_ref().cloned().unwrap_or(Value::None)];
        let made = vm_scope::with(|vm| vm.call(&self.unpack, Args::new(&given)));
        let made = made.map_err(carried)?;
        tensor_of(&made).cloned().ok_or_else(|| {
            carried(Raised::type_error(format!(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type {}",
                made.type_name()
            )))
        })
    }
}

fn push_saved_hooks(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pack, unpack] = args.exactly("_push_saved_tensors_default_hooks")?;
    let (pack, unpack) = (pack.clone(), unpack.clone());
    lift(autograd::push_saved_hooks(Rc::new(Pair { pack, unpack })))?;
    Ok(Value::None)
}

fn pop_saved_hooks(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("_pop_saved_tensors_default_hooks")?;
    autograd::pop_saved_hooks();
    Ok(Value::None)
}

/// Disables them with a message, or with None enables them; returns the message that was there.
fn disable_saved_hooks(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [message] = args.exactly("_saved_tensors_hooks_disable")?;
    let message = message.as_str().map(str::to_owned);
    let was = lift(autograd::disable_saved_hooks(message))?;
    Ok(was.map_or(Value::None, Value::str))
}

/// Whether a pair of functions is in use.
fn packs_saved(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("_packs_saved")?;
    Ok(Value::bool(autograd::packs_saved()))
}

/// A tensor that a function's context keeps, where a pair is in use; otherwise None.
fn pack_saved(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_pack_saved")?;
    let t = tensor_arg(Some(t), "tensor")?;
    let Some(pair) = autograd::saved_hooks() else {
        return Ok(Value::None);
    };
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = Class::builtin(
            "SavedTensor", "torch._C._autograd", &[&types().object], BaseKind::Foreign, &[],
        );
    }
    let edge = t.gradient_edge();
    let packed = vm_scope::enter(vm, || autograd::Packed::new(&pair, &t.detach(), edge));
    let packed = lift(packed)?;
    Ok(CLASS.with(|class| foreign(class, packed)))
}

fn unpack_saved(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [packed] = args.exactly("_unpack_saved")?;
    let Some(packed) = packed.foreign::<autograd::Packed>() else {
        return Err(Raised::type_error("a SavedTensor was expected"));
    };
    Ok(wrap(lift(vm_scope::enter(vm, || packed.unpack(None)))?))
}

/// Gives a leaf a gradient that has no elements of its own: the class that it is of knows them.
fn set_sparse_grad(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [leaf, grad] = args.exactly("_set_sparse_grad")?;
    let grad = tensor_arg(Some(grad), "grad")?.clone();
    tensor_arg(Some(leaf), "leaf")?.set_grad(Some(grad));
    Ok(Value::None)
}

// Passes and edges

/// The number of the running backward pass, -1 without one.
fn current_pass(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("_current_graph_task_id")?;
    let id = autograd::current_pass().and_then(|id| i64::try_from(id).ok());
    Ok(Value::Int(id.unwrap_or(-1)))
}

fn is_checkpoint_valid(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("_is_checkpoint_valid")?;
    Ok(Value::bool(autograd::is_checkpoint_valid()))
}

/// Whether the running backward pass comes to a tensor; without one, passes note that from now on.
fn will_execute(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_will_execute")?;
    let edge = tensor_arg(Some(t), "tensor")?.gradient_edge();
    autograd::expect_reach();
    Ok(Value::bool(
        edge.as_ref().is_some_and(autograd::will_execute),
    ))
}

/// Whether what tensors were computed of begins somewhere else than at inputs.
fn leads_elsewhere(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [outputs, inputs] = args.exactly("_leads_elsewhere")?;
    let known: Vec<usize> = tensor_list(vm, inputs)?.iter().map(Tensor::id).collect();
    let mut todo = Vec::new();
    for output in tensor_list(vm, outputs)? {
        match output.gradient_edge() {
            Some(autograd::Edge::Leaf(t)) if !known.contains(&t.id()) => {
                return Ok(Value::bool(true));
            }
            Some(autograd::Edge::Output(o)) => todo.push(o.node),
            _ => {}
        }
    }
    let mut seen = HashSet::new();
    while let Some(node) = todo.pop() {
        if !seen.insert(Rc::as_ptr(&node).addr()) {
            continue;
        }
        for edge in node.inputs().iter().flatten() {
            match edge {
                autograd::Edge::Leaf(t) if !known.contains(&t.id()) => {
                    return Ok(Value::bool(true));
                }
                autograd::Edge::Leaf(_) => {}
                autograd::Edge::Output(o) => todo.push(o.node.clone()),
            }
        }
    }
    Ok(Value::bool(false))
}

/// Where a tensor's gradient goes: the node, and which of its results the tensor is.
fn edge_of(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_edge_of")?;
    let t = tensor_arg(Some(t), "tensor")?;
    Ok(edge_value(t.gradient_edge().as_ref()))
}

/// A tensor that has its place on the tape there.
fn tensor_at(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [node, index] = args.exactly("_tensor_at")?;
    let index = match ops::index(vm, index)? {
        Value::Int(i) => usize::try_from(i).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    match node.foreign::<NodeData>().map(|data| &data.node) {
        Some(NodeObject::Leaf(t)) => Ok(wrap(t.clone())),
        Some(NodeObject::Node(n)) => {
            let Some(result) = n.results().get(index) else {
                return Err(Raised::index_error("output_nr is out of range"));
            };
            let t = lift(Tensor::full(&result.shape, Scalar::I64(0), result.dtype))?;
            t.set_history(n, index);
            Ok(wrap(t))
        }
        None => Err(Raised::type_error("a Node was expected")),
    }
}

const NODE: &[NativeDef] = &[
    NativeDef::method("Node.name", node_name),
    NativeDef::method("Node.__repr__", node_repr),
    NativeDef::method("Node.__getattr__", node_getattr),
    NativeDef::getter("Node.next_functions", node_next),
    NativeDef::getter("Node.metadata", node_metadata),
    NativeDef::method("Node.register_prehook", register_prehook),
    NativeDef::method("Node.register_hook", register_posthook),
];

const HOOK: &[NativeDef] = &[
    NativeDef::method("RemovableHandle.remove", remove_hook),
    NativeDef::method("RemovableHandle.__enter__", enter_hook),
    NativeDef::method("RemovableHandle.__exit__", remove_hook),
];

/// What the module `torch._C` has of it.
pub const MODULE: &[NativeDef] = &[
    NativeDef::function(
        "torch._C._push_saved_tensors_default_hooks",
        push_saved_hooks,
    ),
    NativeDef::function("torch._C._pop_saved_tensors_default_hooks", pop_saved_hooks),
    NativeDef::function("torch._C._saved_tensors_hooks_disable", disable_saved_hooks),
    NativeDef::function("torch._C._packs_saved", packs_saved),
    NativeDef::function("torch._C._pack_saved", pack_saved),
    NativeDef::function("torch._C._unpack_saved", unpack_saved),
    NativeDef::function("torch._C._set_sparse_grad", set_sparse_grad),
    NativeDef::function("torch._C._current_graph_task_id", current_pass),
    NativeDef::function("torch._C._is_checkpoint_valid", is_checkpoint_valid),
    NativeDef::function("torch._C._will_execute", will_execute),
    NativeDef::function("torch._C._leads_elsewhere", leads_elsewhere),
    NativeDef::function("torch._C._edge_of", edge_of),
    NativeDef::function("torch._C._tensor_at", tensor_at),
];
