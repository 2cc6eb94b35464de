//! The backward pass.
//!
//! In: outputs with their gradients. Out: `.grad` of leaves, or the gradients of given inputs.
//! Always: nodes run in exact reverse order of creation, so every gradient is complete when
//! its node runs; contributions are added in the order in which they arise; a leaf has its gradient
//! as soon as that is complete, so what an error ends leaves the gradients of the leaves before it.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use smallvec::SmallVec;

use crate::autograd::callbacks::at_end;
use crate::autograd::linked::linked;
use crate::autograd::node::{Edge, Hook, Node, Output};
use crate::autograd::{GradModeGuard, is_anomaly_mode, is_grad_enabled};
use crate::device::DeviceGuard;
use crate::eager::Eager;
use crate::error::{Result, TensorError};
use crate::ops::{Axes, Ops, Prim};
use crate::scalar::Scalar;
use crate::shape::{inverse_permutation, is_contiguous, memory_order};
use crate::tensor::Tensor;

/// Gradients on their way to one node.
struct Pending {
    node: Rc<Node>,
    grads: SmallVec<[Option<Tensor>; 1]>,
}

/// Leaves in the order in which they were first reached.
#[derive(Default)]
struct Leaves {
    order: Vec<(Tensor, Option<Tensor>)>,
    position: HashMap<usize, usize>,
}

impl Leaves {
    fn add(&mut self, leaf: &Tensor, grad: Tensor) -> Result<()> {
        match self.position.get(&leaf.id()).copied() {
            Some(i) => {
                if let Some((_, acc)) = self.order.get_mut(i) {
                    *acc = Some(match acc.take() {
                        None => grad,
                        Some(acc) => Eager.add(&acc, &grad)?,
                    });
                }
            }
            None => {
                self.position.insert(leaf.id(), self.order.len());
                self.order.push((leaf.clone(), Some(grad)));
            }
        }
        Ok(())
    }

    fn get(&self, leaf: &Tensor) -> Option<&Tensor> {
        let i = *self.position.get(&leaf.id())?;
        self.order.get(i).and_then(|(_, g)| g.as_ref())
    }

    /// Puts a gradient in the place of one that was taken.
    fn put(&mut self, leaf: &Tensor, grad: Tensor) {
        let slot = self.position.get(&leaf.id());
        if let Some((_, slot)) = slot.and_then(|&i| self.order.get_mut(i)) {
            *slot = Some(grad);
        }
    }

    fn take(&mut self, leaf: &Tensor) -> Option<Tensor> {
        let i = *self.position.get(&leaf.id())?;
        self.order.get_mut(i).and_then(|(_, g)| g.take())
    }
}

thread_local! {
    static RUNNING: Cell<Option<(u64, bool)>> = const { Cell::new(None) };
    static PASSES: Cell<u64> = const { Cell::new(0) };
}

janus_gil::gil_local! {
    static REACH_ASKED: Cell<bool> = const { Cell::new(false) };
}

thread_local! {
    /// Nodes by sequence number, and leaves, to which the running pass comes.
    static REACH: RefCell<Option<(HashSet<u64>, HashSet<usize>)>> = const { RefCell::new(None) };
}

/// Passes note from now on what they come to, for [`will_execute`].
pub fn expect_reach() {
    REACH_ASKED.with(|asked| asked.set(true));
}

/// Whether the running backward pass comes to where this edge leads.
#[must_use]
pub fn will_execute(edge: &Edge) -> bool {
    REACH.with(|reach| match (&*reach.borrow(), edge) {
        (Some((nodes, _)), Edge::Output(o)) => nodes.contains(&o.node.seq),
        (Some((_, leaves)), Edge::Leaf(t)) => leaves.contains(&t.id()),
        (None, _) => false,
    })
}

/// Number of the running backward pass.
#[must_use]
pub fn current_pass() -> Option<u64> {
    RUNNING.get().map(|(id, _)| id)
}

/// Whether the running backward pass, if there is one, gives gradients to all leaves.
#[must_use]
pub fn is_checkpoint_valid() -> bool {
    RUNNING.get().is_none_or(|(_, all)| all)
}

/// While it lives, a pass is running.
struct Running(Option<(u64, bool)>, Option<(HashSet<u64>, HashSet<usize>)>);

impl Running {
    fn new(all: bool, reach: Option<(HashSet<u64>, HashSet<usize>)>) -> Running {
        let id = PASSES.get();
        PASSES.set(id + 1);
        let outer = REACH.with(|r| r.replace(reach));
        Running(RUNNING.replace(Some((id, all))), outer)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.set(self.0);
        let outer = self.1.take();
        let _ = REACH.try_with(|r| r.replace(outer));
    }
}

struct Pass {
    /// By sequence number.
    pending: BTreeMap<u64, Pending>,
    leaves: Leaves,
    /// Leaves by the node with which their gradients are complete.
    due: BTreeMap<u64, SmallVec<[Tensor; 2]>>,
    /// Whether leaves keep their gradients in `.grad`.
    accumulates: bool,
    /// Nodes that lead to a wanted input; `None`: all.
    needed: Option<HashSet<u64>>,
    /// Leaves that are wanted; `None`: all.
    wanted_leaves: Option<HashSet<usize>>,
    /// Inner tensors whose gradient is wanted: `(node, result)`.
    captured: HashMap<(u64, usize), Option<Tensor>>,
    keep_graph: bool,
}

impl Pass {
    fn wants(&self, edge: Option<&Edge>) -> bool {
        match edge {
            None => false,
            Some(Edge::Output(o)) => self.needed.as_ref().is_none_or(|n| n.contains(&o.node.seq)),
            Some(Edge::Leaf(t)) => self
                .wanted_leaves
                .as_ref()
                .is_none_or(|l| l.contains(&t.id())),
        }
    }

    fn send(&mut self, edge: &Edge, grad: Tensor) -> Result<()> {
        match edge {
            Edge::Leaf(t) => self.leaves.add(t, grad),
            Edge::Output(Output { node, index }) => {
                let pending = self.pending.entry(node.seq).or_insert_with(|| Pending {
                    node: node.clone(),
                    grads: SmallVec::from_elem(None, node.results.len()),
                });
                if let Some(slot) = pending.grads.get_mut(*index) {
                    *slot = Some(match slot.take() {
                        None => grad,
                        Some(acc) => Eager.add(&acc, &grad)?,
                    });
                }
                Ok(())
            }
        }
    }

    /// Takes away what has been added up for an edge.
    fn take(&mut self, edge: &Edge) -> Option<Tensor> {
        match edge {
            Edge::Leaf(t) => self.leaves.take(t),
            Edge::Output(o) => {
                let pending = self.pending.get_mut(&o.node.seq)?;
                pending.grads.get_mut(o.index).and_then(Option::take)
            }
        }
    }

    /// Hands complete gradients to leaves: those that no node from `next` on adds to.
    fn deliver(&mut self, next: Option<u64>) -> Result<()> {
        while let Some(entry) = self.due.last_entry()
            && next.is_none_or(|next| *entry.key() > next)
        {
            for leaf in entry.remove() {
                self.hand(&leaf)?;
            }
        }
        Ok(())
    }

    fn hand(&mut self, leaf: &Tensor) -> Result<()> {
        let Some(grad) = self.leaves.take(leaf) else {
            return Ok(());
        };
        if !self.accumulates {
            let grad = leaf_hooks(leaf, grad)?;
            self.leaves.put(leaf, grad);
            return Ok(());
        }
        // Frozen since it was used.
        if !leaf.requires_grad() {
            return Ok(());
        }
        let grad = leaf_hooks(leaf, grad)?;
        accumulate(leaf, &grad)?;
        let hooks = leaf.0.accumulated_hooks.borrow().clone();
        for hook in hooks {
            (hook.function)(leaf)?;
        }
        Ok(())
    }

    fn run(&mut self) -> Result<()> {
        loop {
            let next = self.pending.last_key_value().map(|(&seq, _)| seq);
            self.deliver(next)?;
            let Some((seq, Pending { node, mut grads })) = self.pending.pop_last() else {
                return Ok(());
            };
            let hooks: Vec<(usize, Hook)> = node.hooks.borrow().clone();
            for (index, hook) in hooks {
                if let Some(Some(grad)) = grads.get_mut(index)
                    && let Some(replaced) = (hook.function)(grad)?
                {
                    *grad = replaced;
                }
            }
            for (index, tensor) in node.retained.borrow().iter() {
                if let (Some(Some(grad)), Some(tensor)) = (grads.get(*index), tensor.upgrade()) {
                    accumulate(&tensor, grad)?;
                }
            }
            for (index, grad) in grads.iter().enumerate() {
                if let (Some(slot), Some(grad)) = (self.captured.get_mut(&(seq, index)), grad) {
                    *slot = Some(grad.clone());
                }
            }
            let wants: SmallVec<[bool; 4]> =
                node.inputs.iter().map(|e| self.wants(e.as_ref())).collect();
            if !wants.contains(&true) {
                continue;
            }
            let sums: Vec<Option<Tensor>> = node
                .continues()
                .into_iter()
                .map(|i| match node.inputs.get(i) {
                    Some(Some(edge)) if self.wants(Some(edge)) => self.take(edge),
                    _ => None,
                })
                .collect();
            let device = grads.iter().flatten().map(Tensor::device).next();
            let _guard = device.map(DeviceGuard::new);
            node.before(&mut grads)?;
            let results = node.backward(&grads, &wants, sums)?;
            for (i, grad) in node.after(results, &grads)? {
                let Some(Some(edge)) = node.inputs.get(i) else {
                    continue;
                };
                let mut grad = validate(&node, i, edge, grad)?;
                if is_anomaly_mode() && has_nan(&grad)? {
                    return Err(TensorError::Runtime(format!(
                        "Function '{}' returned nan values in its {i}th output.",
                        node.name()
                    )));
                }
                if is_grad_enabled() {
                    grad = linked(&node, i, grad);
                }
                self.send(edge, grad)?;
            }
            if !self.keep_graph {
                node.release();
            }
        }
    }
}

fn has_nan(grad: &Tensor) -> Result<bool> {
    let is_nan = |s: Scalar| match s {
        Scalar::C128(c) => c.re.is_nan() || c.im.is_nan(),
        other => other.to_f64().is_nan(),
    };
    Ok(grad.dtype().is_inexact() && grad.detach().to_scalars()?.into_iter().any(is_nan))
}

/// A gradient must have its input's shape and dtype; custom functions may miss that.
fn validate(node: &Node, index: usize, edge: &Edge, grad: Tensor) -> Result<Tensor> {
    let (shape, dtype, device) = match edge {
        Edge::Leaf(t) => (t.shape(), t.dtype(), t.device()),
        Edge::Output(o) => match o.node.results.get(o.index) {
            Some(r) => (r.shape.clone(), r.dtype, r.device),
            None => return Ok(grad),
        },
    };
    if grad.shape() != shape {
        return Err(TensorError::InvalidGradient {
            name: node.name(),
            index,
            got: grad.shape()[..].into(),
            expected: shape[..].into(),
        });
    }
    let grad = match grad.device() {
        same if same == device => grad,
        // A number on the CPU may stand beside tensors of a device.
        _ if grad.rank() == 0 => Eager::to_device(&grad, device)?,
        other => {
            return Err(TensorError::Runtime(format!(
                "Function {} returned an invalid gradient at index {index} - expected device {device} but got {other}",
                node.name()
            )));
        }
    };
    Eager.cast(&grad, dtype)
}

/// Adds to `.grad`.
fn accumulate(tensor: &Tensor, grad: &Tensor) -> Result<()> {
    let old = tensor.grad();
    if old.is_none()
        && let Some(order) = dense_order(tensor)
        && dense_order(grad).as_ref() != Some(&order)
    {
        // A first gradient lies as the leaf does.
        let rows = Eager.permute(grad, &order)?;
        let rows = Eager.apply(Prim::Cast(rows.dtype()), &[&rows])?;
        let laid = Eager
            .permute(&rows, &inverse_permutation(&order))?
            .as_no_view();
        tensor.set_grad(Some(if is_grad_enabled() {
            laid
        } else {
            laid.detach()
        }));
        return Ok(());
    }
    let new = match old {
        Some(old) if is_grad_enabled() => Eager.add(&old, grad)?,
        Some(old) => {
            let sum = Eager.add(&old, grad)?;
            return crate::inplace::assign(&old, &sum);
        }
        None if is_grad_enabled() => grad.clone(),
        // Others may see this gradient's memory: `.grad` must not change under them.
        None if grad.layout().storage.handles() > 1 || !grad.is_contiguous() => {
            Tensor::from_layout(grad.copy_data()?.layout().clone())
        }
        None => grad.detach(),
    };
    tensor.set_grad(Some(new));
    Ok(())
}

/// The order of dimensions in memory of what has no gaps there, and is not row-major.
fn dense_order(tensor: &Tensor) -> Option<Axes> {
    let layout = tensor.layout();
    if layout.is_contiguous() {
        return None;
    }
    let order = memory_order(&layout.shape, &layout.strides)?;
    let of =
        |list: &[i64]| -> Vec<i64> { order.iter().filter_map(|&d| list.get(d).copied()).collect() };
    is_contiguous(&of(&layout.shape), &of(&layout.strides)).then_some(order)
}

/// Checks the outputs and makes the gradients that were left out.
fn start(outputs: &[(Tensor, Option<Tensor>)]) -> Result<Vec<(Edge, Tensor)>> {
    let mut grads = Vec::new();
    for (i, (output, grad)) in outputs.iter().enumerate() {
        grads.push(match grad {
            Some(g) => {
                if g.shape() != output.shape() {
                    return Err(TensorError::GradShape {
                        index: i,
                        grad: g.shape()[..].into(),
                        output: output.shape()[..].into(),
                    });
                }
                let (given, made) = (g.dtype(), output.dtype());
                if made.is_complex() != given.is_complex() {
                    return Err(TensorError::Runtime(format!(
                        "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: grad_output[{i}] has a dtype of {given} and output[{i}] has a dtype of {made}."
                    )));
                }
                Some(g.clone())
            }
            None if output.requires_grad() => {
                if output.numel() != 1 {
                    return Err(TensorError::GradNotScalar);
                }
                if output.dtype().is_complex() {
                    return Err(TensorError::Runtime(format!(
                        "grad can be implicitly created only for real scalar outputs but got {}",
                        output.dtype()
                    )));
                }
                let _guard = DeviceGuard::new(output.device());
                let ones = Tensor::full(&output.shape(), Scalar::I64(1), output.dtype())?;
                Some(ones)
            }
            None => None,
        });
    }
    let mut roots = Vec::new();
    for (i, ((output, _), grad)) in outputs.iter().zip(grads).enumerate() {
        let (Some(edge), Some(grad)) = (output.gradient_edge(), grad) else {
            return Err(TensorError::NoGradFn(i));
        };
        roots.push((edge, grad));
    }
    Ok(roots)
}

/// The nodes below the outputs, in ascending order of creation: whatever a node references stands before it.
fn reachable(roots: &[(Edge, Tensor)]) -> BTreeMap<u64, Rc<Node>> {
    let mut nodes: BTreeMap<u64, Rc<Node>> = BTreeMap::new();
    let mut todo: Vec<Rc<Node>> = Vec::new();
    for (edge, _) in roots {
        if let Edge::Output(o) = edge {
            todo.push(o.node.clone());
        }
    }
    while let Some(node) = todo.pop() {
        if nodes.contains_key(&node.seq) {
            continue;
        }
        for edge in node.inputs.iter().flatten() {
            if let Edge::Output(o) = edge {
                todo.push(o.node.clone());
            }
        }
        nodes.insert(node.seq, node);
    }
    nodes
}

/// The leaves by the node that is the last to add to their gradients; an output that is a leaf comes last.
fn due(
    roots: &[(Edge, Tensor)],
    nodes: &BTreeMap<u64, Rc<Node>>,
) -> BTreeMap<u64, SmallVec<[Tensor; 2]>> {
    let mut known = HashSet::new();
    let mut due: BTreeMap<u64, SmallVec<[Tensor; 2]>> = BTreeMap::new();
    for (&seq, node) in nodes {
        for edge in node.inputs.iter().flatten() {
            if let Edge::Leaf(t) = edge
                && known.insert(t.id())
            {
                due.entry(seq).or_default().push(t.clone());
            }
        }
    }
    for (edge, _) in roots {
        if let Edge::Leaf(t) = edge
            && known.insert(t.id())
        {
            due.entry(0).or_default().push(t.clone());
        }
    }
    due
}

/// Marks the nodes from which a wanted input can be reached.
fn needed(nodes: &BTreeMap<u64, Rc<Node>>, inputs: &[Edge]) -> (HashSet<u64>, HashSet<usize>) {
    let mut leaves = HashSet::new();
    let mut inner = HashSet::new();
    for input in inputs {
        match input {
            Edge::Leaf(t) => {
                leaves.insert(t.id());
            }
            Edge::Output(o) => {
                inner.insert(o.node.seq);
            }
        }
    }
    let mut needed = HashSet::new();
    for (&seq, node) in nodes {
        let leads = node.inputs.iter().flatten().any(|e| match e {
            Edge::Leaf(t) => leaves.contains(&t.id()),
            Edge::Output(o) => needed.contains(&o.node.seq),
        });
        if leads || inner.contains(&seq) {
            needed.insert(seq);
        }
    }
    (needed, leaves)
}

/// Gradients of leaves after their hooks ran.
fn leaf_hooks(leaf: &Tensor, mut grad: Tensor) -> Result<Tensor> {
    let hooks = leaf.0.hooks.borrow().clone();
    for hook in hooks {
        if let Some(replaced) = (hook.function)(&grad)? {
            grad = replaced;
        }
    }
    Ok(grad)
}

fn pass(
    outputs: &[(Tensor, Option<Tensor>)],
    inputs: Option<&[Edge]>,
    keep_graph: bool,
    accumulates: bool,
) -> Result<Pass> {
    let roots = start(outputs)?;
    let nodes = reachable(&roots);
    let mut pass = Pass {
        pending: BTreeMap::new(),
        leaves: Leaves::default(),
        due: due(&roots, &nodes),
        accumulates,
        needed: None,
        wanted_leaves: None,
        captured: HashMap::new(),
        keep_graph,
    };
    if let Some(inputs) = inputs {
        let (nodes, leaves) = needed(&nodes, inputs);
        pass.needed = Some(nodes);
        pass.wanted_leaves = Some(leaves);
        for input in inputs {
            if let Edge::Output(o) = input {
                super::expect_inner_gradients();
                pass.captured.insert((o.node.seq, o.index), None);
            }
        }
    }
    let reach = REACH_ASKED.with(Cell::get).then(|| {
        let all_nodes = || nodes.keys().copied().collect();
        let all_leaves = || pass.due.values().flatten().map(Tensor::id).collect();
        (
            pass.needed.clone().unwrap_or_else(all_nodes),
            pass.wanted_leaves.clone().unwrap_or_else(all_leaves),
        )
    });
    drop(nodes);
    let _running = Running::new(inputs.is_none(), reach);
    for (edge, grad) in roots {
        if pass.wants(Some(&edge)) {
            pass.send(&edge, grad)?;
        }
    }
    at_end(|| pass.run())?;
    Ok(pass)
}

fn note_order(create_graph: bool) {
    if create_graph {
        super::expect_second_order();
    }
}

/// `torch.autograd.backward`: adds to `.grad` of all leaves, or of `inputs`.
pub fn backward(
    outputs: &[(Tensor, Option<Tensor>)],
    inputs: Option<&[Tensor]>,
    retain_graph: bool,
    create_graph: bool,
) -> Result<()> {
    note_order(create_graph);
    let _mode = GradModeGuard::new(create_graph);
    let edges: Option<Vec<Edge>> = inputs
        .map(|list| {
            list.iter()
                .map(|t| t.gradient_edge().ok_or(TensorError::InputNoGrad))
                .collect::<Result<_>>()
        })
        .transpose()?;
    let keep_graph = retain_graph || create_graph;
    let pass = pass(outputs, edges.as_deref(), keep_graph, true)?;
    for tensor in inputs.unwrap_or(&[]) {
        if let Some(Edge::Output(o)) = tensor.gradient_edge()
            && let Some(Some(grad)) = pass.captured.get(&(o.node.seq, o.index))
        {
            accumulate(tensor, grad)?;
        }
    }
    Ok(())
}

/// `torch.autograd.grad`: the gradients of `inputs`; `.grad` stays as it is. `None` stands
/// for an input that was not used, which is an error unless `allow_unused`.
pub fn grad(
    outputs: &[(Tensor, Option<Tensor>)],
    inputs: &[Tensor],
    retain_graph: bool,
    create_graph: bool,
    allow_unused: bool,
) -> Result<Vec<Option<Tensor>>> {
    note_order(create_graph);
    let _mode = GradModeGuard::new(create_graph);
    let edges: Vec<Edge> = inputs
        .iter()
        .map(|t| t.gradient_edge().ok_or(TensorError::InputNoGrad))
        .collect::<Result<_>>()?;
    let keep_graph = retain_graph || create_graph;
    let pass = pass(outputs, Some(&edges), keep_graph, false)?;
    let mut out = Vec::new();
    for edge in &edges {
        let grad = match edge {
            Edge::Leaf(t) => pass.leaves.get(t).cloned(),
            Edge::Output(o) => pass
                .captured
                .get(&(o.node.seq, o.index))
                .and_then(Clone::clone),
        };
        if grad.is_none() && !allow_unused {
            return Err(TensorError::UnusedInput);
        }
        out.push(grad);
    }
    Ok(out)
}
