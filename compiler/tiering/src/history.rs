//! A region as a node of the tape, where its results have gradients that come from outside.
//!
//! In: a run of a compiled region that has a backward pass. Out: a node over the region's inputs
//! whose backward pass is compiled code. Always: it adds to what was added up before in the order
//! in which the region's operations would have, each a node of its own; what was kept is checked
//! for later writes, as on the tape.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use janus_codegen::{Arg, Out, Source};
use janus_gil::clocks::{Clock, timed};
use janus_object::PyResult;
use janus_plan::{Backward as Planned, Commit, Load, NodeId, Passed};
use janus_tensor::autograd::{self, Backward, ChangingGuard, Node, ResultType, Saved, Watched};
use janus_tensor::kernels::draws::Drawing;
use janus_tensor::shape::Shape;
use janus_tensor::{DeviceGuard, Tensor, TensorError};

use crate::commit::broken;
use crate::guard::Values;
use crate::random::{Drawn, Stood};
use crate::region::Version;

/// A value kept for the backward pass.
enum Kept {
    /// A tensor that Python may see, and write to.
    Tensor(Saved),
    /// What only the region has made.
    Own(Out),
    /// One of the values that come with the backward pass.
    Incoming(usize),
    /// What the region drew, which its backward pass draws again.
    Drawing(Drawn),
}

/// Tensors that the tape would keep for the backward pass and the compiled one does not read (it reads a view's
/// elements, say): a write to one of them is an error all the same.
type WatchedSources = Rc<RefCell<Vec<(Source, Watched)>>>;

/// The node under construction: results of the region that it keeps are there after the commit.
pub(crate) struct History {
    /// `None` if no input requires a gradient now.
    pub node: Option<Rc<Node>>,
    kept: Rc<RefCell<Vec<Option<Kept>>>>,
    watched: WatchedSources,
    version: Rc<Version>,
}

fn unfit() -> TensorError {
    TensorError::Runtime("janus-jit: a compiled backward pass does not fit its region".to_owned())
}

impl History {
    /// Before the commit: keeps what the region was given, and makes the node.
    pub fn begin(
        version: &Rc<Version>,
        backward: &Planned,
        nodes: &Values,
        (draws, drawn): (&[Tensor], Option<&Drawn>),
        outs: &[Option<Out>],
    ) -> PyResult<History> {
        let tensor = |id: janus_plan::NodeId| {
            nodes
                .get(id.0 as usize)
                .and_then(Option::as_ref)
                .and_then(|v| v.foreign::<Tensor>())
                .ok_or_else(|| broken("no tensor to differentiate by"))
        };
        let signature = version.compiled.backward_signature();
        let sources = signature.map_or(&[][..], |s| &s.sources);
        // What the region itself overwrites is kept as it was at entry; where the tape would have
        // refused that, the plan says so.
        let overwritten = version
            .plan
            .commits
            .iter()
            .filter_map(|commit| match commit {
                Commit::UpdateTensor { tensor: id, .. } => Some(*id),
                _ => None,
            });
        let overwritten: Vec<NodeId> = overwritten.collect();
        let changing = overwritten
            .iter()
            .map(|&id| tensor(id).map(ChangingGuard::new));
        let changing = changing.collect::<PyResult<Vec<_>>>()?;
        let mut kept = Vec::with_capacity(sources.len());
        for source in sources {
            kept.push(match *source {
                Source::Argument(i) => Some(match version.plan.loads.get(i) {
                    Some(Load::Tensor(id) | Load::Extents(id)) => {
                        Kept::Tensor(Saved::new(tensor(*id)?))
                    }
                    Some(Load::Draw(n)) => Kept::Tensor(Saved::new(
                        draws
                            .get(*n as usize)
                            .ok_or_else(|| broken("a draw is missing"))?,
                    )),
                    Some(Load::Scalar(id, _)) => {
                        Kept::Own(scalar(nodes.get(id.0 as usize).and_then(Option::as_ref))?)
                    }
                    // A region that reads objects while it runs has no backward pass of its own.
                    Some(Load::Drawing) => Kept::Drawing(
                        drawn
                            .ok_or_else(|| broken("the draws are missing"))?
                            .clone(),
                    ),
                    Some(Load::Address(_) | Load::Fields | Load::CallsLeft) | None => {
                        return Err(broken("no such argument"));
                    }
                }),
                Source::Incoming(i) => Some(Kept::Incoming(i)),
                Source::Result(_) => None,
            });
        }
        drop(changing);
        let mut watched = Vec::new();
        for slot in backward.outputs.iter().flat_map(|p| &p.keeps_loads) {
            let source = Source::Argument(*slot);
            let Some(Load::Tensor(id) | Load::Extents(id)) = version.plan.loads.get(*slot) else {
                continue;
            };
            if !sources.contains(&source) && !overwritten.contains(id) {
                watched.push((source, Watched::new(tensor(*id)?)));
            }
        }
        let watched = Rc::new(RefCell::new(watched));
        let inputs = backward
            .inputs
            .iter()
            .map(|&id| tensor(id))
            .collect::<PyResult<Vec<&Tensor>>>()?;
        let results = backward
            .outputs
            .iter()
            .map(|passed| match outs.get(passed.out as usize) {
                Some(Some(Out::Tensor { sizes, .. })) => Ok(ResultType {
                    shape: Shape::from_slice(sizes),
                    dtype: passed.dtype,
                    device: passed.device,
                }),
                _ => Err(broken("a result is missing")),
            })
            .collect::<PyResult<Vec<ResultType>>>()?;
        let kept = Rc::new(RefCell::new(kept));
        let pass = Pass {
            version: version.clone(),
            kept: kept.clone(),
            watched: watched.clone(),
            inputs: inputs.iter().map(|t| ResultType::of(&t.layout())).collect(),
            results: results.clone(),
            through: RefCell::default(),
            gone: RefCell::default(),
        };
        // What a region makes in an `enable_grad()` has a graph, whatever the mode around it.
        let _mode = autograd::GradModeGuard::new(true);
        Ok(History {
            node: autograd::custom_node("", &inputs, results, Box::new(pass)),
            kept,
            watched,
            version: version.clone(),
        })
    }

    /// After the commit: keeps what the region made, as the tensors that were made of it if there
    /// are some.
    pub fn complete(self, made: Vec<(usize, Tensor)>, mut outs: Vec<Option<Out>>) {
        let signature = self.version.compiled.backward_signature();
        let sources = signature.map_or(&[][..], |s| &s.sources);
        for (slot, source) in self.kept.borrow_mut().iter_mut().zip(sources) {
            let Source::Result(n) = *source else { continue };
            *slot = match made.iter().find(|(out, _)| *out == n) {
                // Without its place on the tape, which is this node.
                Some((_, tensor)) => Some(Kept::Tensor(Saved::of_result(tensor))),
                None => outs.get_mut(n).and_then(Option::take).map(Kept::Own),
            };
        }
        let passed = self.version.plan.backward.iter().flat_map(|b| &b.outputs);
        let mut watched = self.watched.borrow_mut();
        for &out in passed.flat_map(|p| &p.keeps_outs) {
            let source = Source::Result(out as usize);
            let made = made.iter().find(|(n, _)| *n == out as usize);
            if let Some((_, tensor)) = made.filter(|_| !sources.contains(&source)) {
                watched.push((source, Watched::new(tensor)));
            }
        }
    }
}

fn scalar(value: Option<&janus_object::Value>) -> PyResult<Out> {
    use janus_object::Value;
    match value {
        Some(Value::Float(f)) => Ok(Out::F64(f.get())),
        Some(Value::Int(i)) => Ok(Out::I64(*i)),
        Some(Value::Bool(b)) => Ok(Out::Bool(b.get())),
        _ => Err(broken("no number to keep")),
    }
}

/// The backward pass of one run of a region.
struct Pass {
    version: Rc<Version>,
    kept: Rc<RefCell<Vec<Option<Kept>>>>,
    watched: WatchedSources,
    inputs: Vec<ResultType>,
    results: Vec<ResultType>,
    /// The results that the last backward pass came through.
    through: RefCell<Vec<usize>>,
    /// Those that no gradient can go through again.
    gone: RefCell<BTreeSet<usize>>,
}

/// An argument that owns what it refers to.
enum Held<'a> {
    Tensor(Tensor, Shape),
    Own(&'a Out),
    Flag(bool),
    Drawing(&'a Rc<RefCell<Drawing<'static>>>),
}

/// A tensor whose elements lie in row-major order.
fn dense(t: &Tensor) -> Result<Held<'static>, TensorError> {
    let t = t.contiguous_data()?;
    let shape = t.shape();
    Ok(Held::Tensor(t, shape))
}

impl Pass {
    fn passed(&self) -> &[Passed] {
        let backward = self.version.plan.backward.as_ref();
        backward.map_or(&[], |b| &b.outputs)
    }

    /// Whether only the gradients of other results than these need what comes from there.
    fn is_of_others(&self, results: &[usize], source: Source) -> bool {
        let keeps = |p: &Passed| match source {
            Source::Argument(slot) => p.keeps_loads.contains(&slot),
            Source::Result(n) => p.keeps_outs.iter().any(|&out| out as usize == n),
            Source::Incoming(_) => false,
        };
        let passed = self.passed();
        let mut own = results.iter().filter_map(|&i| passed.get(i));
        passed.iter().any(keeps) && !own.any(keeps)
    }

    /// The first incoming value that is a sum: gradients come before, and flags if there are
    /// several.
    fn first_sum(&self) -> usize {
        match self.results.len() {
            1 => 1,
            n => 2 * n,
        }
    }

    /// Value `i` of those that come with the backward pass: gradients, flags, sums.
    fn incoming(
        &self,
        i: usize,
        grads: &[Option<Tensor>],
        sums: &[(usize, Option<Tensor>)],
    ) -> Result<Held<'static>, TensorError> {
        let n = self.results.len();
        if i < n {
            return match grads.get(i) {
                Some(Some(g)) => dense(g),
                // Its flag says that it means nothing.
                _ => {
                    let result = self.results.get(i).ok_or_else(unfit)?;
                    dense(&Tensor::zeros(&result.shape, result.dtype)?)
                }
            };
        }
        let Some(input) = i.checked_sub(self.first_sum()) else {
            return Ok(Held::Flag(matches!(grads.get(i - n), Some(Some(_)))));
        };
        match sums.iter().find(|(at, _)| *at == input) {
            Some((_, Some(sum))) => dense(sum),
            _ => {
                // Adding to this changes nothing.
                let of = self.inputs.get(input).ok_or_else(unfit)?;
                let nothing = janus_tensor::Scalar::F64(-0.0);
                dense(&Tensor::full(&of.shape, nothing, of.dtype)?)
            }
        }
    }
}

impl Backward for Pass {
    fn backward(
        &self,
        grads: &[Option<Tensor>],
        wants: &[bool],
    ) -> Result<Vec<Option<Tensor>>, TensorError> {
        self.backward_onto(grads, wants, Vec::new())
    }

    fn continues(&self) -> Vec<usize> {
        let first = self.first_sum();
        let kept = self.kept.borrow();
        let sums = kept.iter().filter_map(|k| match k {
            Some(Kept::Incoming(i)) => i.checked_sub(first),
            _ => None,
        });
        sums.collect()
    }

    fn backward_onto(
        &self,
        grads: &[Option<Tensor>],
        _wants: &[bool],
        sums: Vec<Option<Tensor>>,
    ) -> Result<Vec<Option<Tensor>>, TensorError> {
        if autograd::is_grad_enabled() {
            return Err(TensorError::Runtime(
                "create_graph=True came first when compiled code was in use: run with --tier 0, \
                 or take a gradient with create_graph=True early in the program"
                    .to_owned(),
            ));
        }
        let mut sums: Vec<(usize, Option<Tensor>)> =
            self.continues().into_iter().zip(sums).collect();
        let present = grads.iter().enumerate().filter(|(_, g)| g.is_some());
        let present: Vec<usize> = present.map(|(i, _)| i).collect();
        if present.iter().any(|i| self.gone.borrow().contains(i)) {
            return Err(TensorError::BackwardTwice);
        }
        for (source, watched) in self.watched.borrow().iter() {
            if !self.is_of_others(&present, *source) {
                watched.check()?;
            }
        }
        let kept = self.kept.borrow();
        let sources = self.version.compiled.backward_signature();
        let sources = sources.map_or(&[][..], |s| &s.sources);
        let mut held = Vec::with_capacity(kept.len());
        let mut stood: Option<Stood> = None;
        for (k, &source) in kept.iter().zip(sources) {
            held.push(match k {
                // Nothing comes of the other results.
                Some(Kept::Tensor(saved)) if self.is_of_others(&present, source) => {
                    dense(&saved.now())?
                }
                Some(Kept::Tensor(saved)) => dense(&saved.get()?)?,
                Some(Kept::Own(out)) => Held::Own(out),
                Some(Kept::Incoming(i)) => self.incoming(*i, grads, &sums)?,
                Some(Kept::Drawing(drawn)) => {
                    drawn.drawing.borrow_mut().lose_place();
                    stood.get_or_insert_with(|| drawn.generators.stand());
                    Held::Drawing(&drawn.drawing)
                }
                None => return Err(TensorError::BackwardTwice),
            });
        }
        let args: Vec<Arg<'_>> = held
            .iter()
            .map(|h| match h {
                Held::Tensor(t, shape) => Arg::Tensor {
                    ptr: t.data_ptr(),
                    sizes: shape.as_slice(),
                },
                Held::Own(Out::Tensor { buffer, sizes }) => Arg::Tensor {
                    ptr: buffer.ptr(),
                    sizes,
                },
                Held::Own(Out::F64(f)) => Arg::F64(*f),
                Held::Own(Out::I64(i)) => Arg::I64(*i),
                Held::Own(Out::Bool(b)) | Held::Flag(b) => Arg::Bool(*b),
                Held::Drawing(drawing) => Arg::I64(Rc::as_ptr(drawing) as i64),
            })
            .collect();
        // SAFETY: each pointer is that of a live, row-major tensor of these sizes, which `held`
        // keeps alive, and nothing else runs on this thread meanwhile; what the region was given
        // and what it made is of one run of it, and gradients have the shapes of its results.
        let run = || unsafe { self.version.compiled.run_backward(&args) };
        let outs = timed(Clock::Backward, run).map_err(|_| unfit());
        if let Some(stood) = stood {
            stood.put_back();
        }
        let outs = outs?;
        let (totals, flags) = outs.split_at(outs.len() / 2);
        let flags: Vec<bool> = flags.iter().map(|f| matches!(f, Out::Bool(true))).collect();
        let count = totals.len();
        *self.through.borrow_mut() = present;
        let mut results = Vec::with_capacity(count);
        for (i, (out, any)) in outs.into_iter().take(count).zip(flags).enumerate() {
            results.push(match (out, any) {
                (Out::Tensor { buffer, sizes }, true) => {
                    let of = self.inputs.get(i).ok_or_else(unfit)?;
                    let _guard = DeviceGuard::new(of.device);
                    Some(Tensor::from_buffer(buffer, &sizes, of.dtype)?)
                }
                // Nothing was added: what there was stays.
                _ => sums
                    .iter_mut()
                    .find(|(at, _)| *at == i)
                    .and_then(|(_, sum)| sum.take()),
            });
        }
        Ok(results)
    }

    fn release(&self) {
        let passed = self.passed();
        let through = self.through.take();
        let freed = through.iter().filter_map(|&i| passed.get(i));
        let mut gone = self.gone.borrow_mut();
        gone.extend(freed.flat_map(|p| &p.frees));
        if gone.len() == self.results.len() {
            self.kept.borrow_mut().clear();
        }
    }

    fn goes_again(&self) -> bool {
        self.gone.borrow().len() < self.results.len()
    }
}

/// A node that is only there for its name.
struct Named;

impl Backward for Named {
    fn backward(
        &self,
        grads: &[Option<Tensor>],
        _wants: &[bool],
    ) -> Result<Vec<Option<Tensor>>, TensorError> {
        Ok(grads.to_vec())
    }

    fn release(&self) {}

    fn goes_again(&self) -> bool {
        true
    }
}

/// Makes a new tensor a result of a region's node, under the name of the operation that made it.
pub(crate) fn attach(tensor: &Tensor, node: &Rc<Node>, index: usize, name: String) {
    tensor.set_history(node, index);
    if node.results().len() == 1 {
        node.name_result(name, tensor);
        return;
    }
    let result = ResultType::of(&tensor.layout());
    let grad = autograd::set_grad_enabled(true);
    let named = autograd::custom_node("", &[tensor], [result], Box::new(Named));
    autograd::set_grad_enabled(grad);
    if let Some(named) = named {
        named.name_result(name, tensor);
        tensor.set_history(&named, 0);
    }
}

/// The backward of a graph that a region has run already: there is nothing left to go through.
struct Consumed;

impl Backward for Consumed {
    fn backward(
        &self,
        _grads: &[Option<Tensor>],
        _wants: &[bool],
    ) -> Result<Vec<Option<Tensor>>, TensorError> {
        Err(TensorError::BackwardTwice)
    }

    fn release(&self) {}
}

/// The backward of what was computed from a leaf that was changed in place since.
struct OutOfDate {
    leaf: Tensor,
    /// The leaf's version when it was used.
    expected: u64,
}

impl Backward for OutOfDate {
    fn backward(
        &self,
        _grads: &[Option<Tensor>],
        _wants: &[bool],
    ) -> Result<Vec<Option<Tensor>>, TensorError> {
        Err(TensorError::ModifiedInPlace {
            ty: self.leaf.dtype().scalar_type_name(),
            sizes: self.leaf.shape()[..].into(),
            producer: String::new(),
            version: self.leaf.version(),
            expected: self.expected,
        })
    }

    fn release(&self) {}
}

/// Gives a tensor the history of one that was computed from a leaf that the region then changed.
pub(crate) fn out_of_date(
    tensor: &Tensor,
    leaf: &Tensor,
    expected: u64,
    name: String,
) -> Result<(), TensorError> {
    let leaf = leaf.clone();
    fails(tensor, name, Box::new(OutOfDate { leaf, expected }))
}

/// Gives a tensor the history of one whose graph was consumed.
pub(crate) fn consume(tensor: &Tensor, name: String) -> Result<(), TensorError> {
    fails(tensor, name, Box::new(Consumed))
}

/// Makes a tensor the result of a node whose backward fails.
fn fails(tensor: &Tensor, name: String, backward: Box<dyn Backward>) -> Result<(), TensorError> {
    let root = Tensor::zeros(&[], tensor.dtype())?;
    root.set_requires_grad(true)?;
    let grad = autograd::set_grad_enabled(true);
    autograd::record_custom(name, &[&root], &[tensor], backward);
    autograd::set_grad_enabled(grad);
    Ok(())
}
