//! The tape: accumulation, modes, in-place changes, errors. What is expected is what PyTorch
//! does.

use std::cell::RefCell;
use std::rc::Rc;

use janus_tensor::autograd::{Backward, GradModeGuard, Saved, backward, grad, record_custom};
use janus_tensor::error::Result;
use janus_tensor::inplace::assign;
use janus_tensor::ops::ReduceOp;
use janus_tensor::{DType, Dim, Eager, Ops, Prim, Tensor, TensorError};

use crate::{apply, f32s};

fn leaf(data: &[f32]) -> Tensor {
    let t = f32s(data, &[data.len() as i64]);
    t.set_requires_grad(true).unwrap();
    t
}

fn sum(t: &Tensor) -> Tensor {
    let all: Vec<usize> = (0..t.rank()).collect();
    Eager.reduce(ReduceOp::Sum, t, &all).unwrap()
}

fn run(t: &Tensor) -> Result<()> {
    backward(&[(t.clone(), None)], None, false, false)
}

fn fill_(t: &Tensor, value: f64) -> Result<()> {
    assign(t, &Tensor::full(&t.shape(), value.into(), t.dtype())?)
}

fn zero_(t: &Tensor) -> Result<()> {
    fill_(t, 0.0)
}

/// The elements of `src`, which stays what it is.
fn copy_(t: &Tensor, src: &Tensor) -> Result<()> {
    let _seen = src.layout().clone();
    assign(t, src)
}

fn values(t: &Tensor) -> Vec<f32> {
    t.to_vec::<f32>().unwrap()
}

fn grad_of(t: &Tensor) -> Vec<f32> {
    values(&t.grad().unwrap())
}

fn element(t: &Tensor, i: i64) -> Tensor {
    apply(
        Prim::Slice {
            starts: [Dim::Known(i)].into_iter().collect(),
            sizes: [Dim::Known(1)].into_iter().collect(),
            strides: [1].into_iter().collect(),
        },
        &[t],
    )
}

#[test]
fn accumulates() {
    let x = leaf(&[1.0, 2.0, 3.0]);
    let y = Eager.mul(&x, &x).unwrap();
    run(&sum(&y)).unwrap();
    assert_eq!(grad_of(&x), [2.0, 4.0, 6.0]);
    let first = x.grad().unwrap();
    run(&sum(&Eager.mul(&x, &x).unwrap())).unwrap();
    assert_eq!(grad_of(&x), [4.0, 8.0, 12.0]);
    assert!(first.same(&x.grad().unwrap()), "accumulated in place");
}

#[test]
fn gradients_do_not_share_memory() {
    let (a, b) = (leaf(&[1.0]), leaf(&[2.0]));
    run(&sum(&Eager.add(&a, &b).unwrap())).unwrap();
    assert!(!a.grad().unwrap().shares_storage(&b.grad().unwrap()));
    assert!(a.grad().unwrap().is_contiguous());
}

#[test]
fn errors_are_torch_s() {
    let x = leaf(&[1.0, 2.0]);
    let y = Eager.exp(&x).unwrap();
    assert!(matches!(run(&y), Err(TensorError::GradNotScalar)));
    let constant = f32s(&[1.0], &[]);
    assert_eq!(
        run(&constant).unwrap_err().to_string(),
        "element 0 of tensors does not require grad and does not have a grad_fn"
    );
    let s = sum(&y);
    run(&s).unwrap();
    assert!(matches!(run(&s), Err(TensorError::BackwardTwice)));
    // Nothing is saved for an addition: a second pass is fine.
    let s = sum(&Eager.add(&x, &x).unwrap());
    run(&s).unwrap();
    run(&s).unwrap();

    assert!(matches!(zero_(&x), Err(TensorError::LeafInPlace)));
    assert!(matches!(
        zero_(&element(&x, 0)),
        Err(TensorError::LeafViewInPlace)
    ));

    // An addition keeps nothing: its operand may change.
    let y = Eager.add(&x, &x).unwrap();
    let z = Eager.exp(&y).unwrap();
    fill_(&y, 1.0).unwrap();
    run(&sum(&z)).unwrap();
    let y = Eager.exp(&x).unwrap();
    let z = Eager.log(&y).unwrap();
    zero_(&y).unwrap();
    let error = run(&sum(&z)).unwrap_err().to_string();
    assert_eq!(
        error,
        "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    );

    let ints = crate::i64s(&[1], &[1]);
    assert!(matches!(
        ints.set_requires_grad(true),
        Err(TensorError::GradDtype)
    ));
    assert!(matches!(
        y.set_requires_grad(false),
        Err(TensorError::RequiresGradNonLeaf)
    ));
}

#[test]
fn modes() {
    let x = leaf(&[1.0]);
    {
        let _off = GradModeGuard::new(false);
        let y = Eager.exp(&x).unwrap();
        assert!(!y.requires_grad() && y.is_leaf());
        let _on = GradModeGuard::new(true);
        assert!(Eager.exp(&x).unwrap().requires_grad());
    }
    let y = Eager.exp(&x).unwrap();
    assert!(y.requires_grad() && !y.is_leaf());
    let d = y.detach();
    assert!(!d.requires_grad() && d.shares_storage(&y));
    assert!(!Eager.gt(&x, &x).unwrap().requires_grad());
    let d = Eager.detach(&y).unwrap();
    assert!(!d.requires_grad());
}

#[test]
fn create_graph() {
    let x = leaf(&[2.0]);
    let cube = Eager.mul(&Eager.mul(&x, &x).unwrap(), &x).unwrap();
    let first = grad(&[(cube, None)], std::slice::from_ref(&x), true, true, false).unwrap();
    let first = first[0].clone().unwrap();
    assert_eq!(values(&first), [12.0]);
    let second = grad(
        &[(first, None)],
        std::slice::from_ref(&x),
        true,
        true,
        false,
    )
    .unwrap();
    assert_eq!(values(second[0].as_ref().unwrap()), [12.0]);
    let third = grad(
        &[(second[0].clone().unwrap(), None)],
        &[x],
        false,
        false,
        false,
    )
    .unwrap();
    assert_eq!(values(third[0].as_ref().unwrap()), [6.0]);
}

#[test]
fn gradients_of_inputs() {
    let (x, y) = (leaf(&[3.0]), leaf(&[4.0]));
    let inner = Eager.mul(&x, &y).unwrap();
    let out = Eager.mul(&inner, &x).unwrap();
    let grads = grad(
        &[(out.clone(), None)],
        &[inner.clone(), x.clone()],
        true,
        false,
        false,
    )
    .unwrap();
    assert_eq!(values(grads[0].as_ref().unwrap()), [3.0]);
    assert_eq!(values(grads[1].as_ref().unwrap()), [24.0]);
    assert!(x.grad().is_none());
    let unused = leaf(&[1.0]);
    let error = grad(
        &[(out.clone(), None)],
        std::slice::from_ref(&unused),
        true,
        false,
        false,
    );
    assert!(matches!(error, Err(TensorError::UnusedInput)));
    assert!(grad(&[(out.clone(), None)], &[unused], true, false, true).unwrap()[0].is_none());
    backward(&[(out, None)], Some(std::slice::from_ref(&y)), false, false).unwrap();
    assert_eq!(grad_of(&y), [9.0]);
    assert!(x.grad().is_none());
}

#[test]
fn retained_gradients_and_hooks() {
    let x = leaf(&[3.0]);
    let y = Eager.mul(&x, &x).unwrap();
    y.retain_grad().unwrap();
    let seen = Rc::new(RefCell::new(Vec::new()));
    let log = seen.clone();
    let id = y
        .register_hook(Rc::new(move |g| {
            log.borrow_mut().push(g.item()?.to_f64());
            Ok(Some(Eager.add(g, g)?))
        }))
        .unwrap();
    x.register_hook(Rc::new(|g| Ok(Some(Eager.neg(g)?))))
        .unwrap();
    let out = sum(&y);
    backward(&[(out.clone(), None)], None, true, false).unwrap();
    assert_eq!(grad_of(&y), [2.0]);
    assert_eq!(grad_of(&x), [-12.0]);
    y.remove_hook(id);
    x.set_grad(None);
    run(&out).unwrap();
    assert_eq!(grad_of(&x), [-6.0]);
    assert_eq!(*seen.borrow(), [1.0]);
}

#[test]
fn in_place_changes_rebase() {
    let x = leaf(&[1.0, 2.0]);
    let y = Eager.mul(&x, &x).unwrap();
    let doubled = Eager.add(&y, &y).unwrap();
    assign(&y, &doubled).unwrap();
    assert_eq!(values(&y), [2.0, 8.0]);
    assert_eq!(y.version(), 1);
    run(&sum(&y)).unwrap();
    assert_eq!(grad_of(&x), [4.0, 8.0]);
}

#[test]
fn in_place_changes_of_views() {
    // out = zeros(3); out[1] = w * w; the rest is constant.
    let w = leaf(&[3.0]);
    let out = f32s(&[0.0; 3], &[3]);
    copy_(&element(&out, 1), &Eager.mul(&w, &w).unwrap()).unwrap();
    assert_eq!(values(&out), [0.0, 9.0, 0.0]);
    assert!(out.requires_grad());
    let scaled = Eager.mul(&out, &f32s(&[1.0, 10.0, 100.0], &[3])).unwrap();
    run(&sum(&scaled)).unwrap();
    assert_eq!(grad_of(&w), [60.0]);

    // A view made before sees the change, gradient included.
    let x = leaf(&[1.0, 2.0, 3.0]);
    let y = Eager.mul(&x, &x).unwrap();
    let (first, second) = (element(&y, 0), element(&y, 1));
    assign(&first, &Eager.add(&first, &second).unwrap()).unwrap();
    assert_eq!(values(&y), [5.0, 4.0, 9.0]);
    assert_eq!(values(&first), [5.0]);
    run(&sum(&y)).unwrap();
    // y0 = x0^2 + x1^2, y1 = x1^2, y2 = x2^2
    assert_eq!(grad_of(&x), [2.0, 8.0, 6.0]);

    // An old view of a changed base.
    let x = leaf(&[1.0, 2.0]);
    let y = Eager.mul(&x, &x).unwrap();
    let view = element(&y, 1);
    assign(&y, &Eager.add(&y, &y).unwrap()).unwrap();
    run(&sum(&view)).unwrap();
    assert_eq!(grad_of(&x), [0.0, 8.0]);
}

#[test]
fn overwriting_stops_gradients() {
    let x = leaf(&[1.0, 2.0]);
    let y = Eager.mul(&x, &x).unwrap();
    copy_(&element(&y, 0), &f32s(&[5.0], &[1])).unwrap();
    run(&sum(&y)).unwrap();
    assert_eq!(grad_of(&x), [0.0, 4.0]);
    let y = Eager.mul(&x, &x).unwrap();
    copy_(&y, &x).unwrap();
    x.set_grad(None);
    run(&sum(&y)).unwrap();
    assert_eq!(grad_of(&x), [1.0, 1.0]);
}

#[test]
fn copying_leaves_the_source_alone() {
    let (x, y) = (f32s(&[1.0, 2.0], &[2]), f32s(&[3.0, 4.0], &[2]));
    copy_(&x, &y).unwrap();
    assert_eq!((values(&x), values(&y)), (vec![3.0, 4.0], vec![3.0, 4.0]));
    let before = x.data_ptr();
    assign(&x, &Eager.add(&x, &y).unwrap()).unwrap();
    assert_eq!(values(&x), [6.0, 8.0]);
    assert_ne!(before, x.data_ptr(), "the memory of the sum was taken");
}

struct Doubling {
    released: Rc<RefCell<bool>>,
}

impl Backward for Doubling {
    fn backward(&self, grads: &[Option<Tensor>], wants: &[bool]) -> Result<Vec<Option<Tensor>>> {
        assert_eq!(wants, [true]);
        grads
            .iter()
            .map(|g| g.as_ref().map(|g| Eager.add(g, g)).transpose())
            .collect()
    }

    fn release(&self) {
        *self.released.borrow_mut() = true;
    }
}

#[test]
fn custom_nodes() {
    let x = leaf(&[1.0]);
    let y = f32s(&[2.0], &[1]);
    let released = Rc::new(RefCell::new(false));
    let node = Doubling {
        released: released.clone(),
    };
    assert!(record_custom(
        "DoublingBackward",
        &[&x],
        &[&y],
        Box::new(node)
    ));
    assert_eq!(y.grad_fn().unwrap().name(), "DoublingBackward");
    let s = sum(&Eager.mul(&y, &y).unwrap());
    run(&s).unwrap();
    assert_eq!(grad_of(&x), [8.0]);
    assert!(*released.borrow());
    assert!(matches!(run(&sum(&y)), Err(TensorError::BackwardTwice)));
}

/// Keeps its own result.
struct Keeping(Rc<RefCell<Option<Saved>>>);

impl Backward for Keeping {
    fn backward(&self, grads: &[Option<Tensor>], _wants: &[bool]) -> Result<Vec<Option<Tensor>>> {
        Ok(grads.to_vec())
    }

    fn release(&self) {
        self.0.borrow_mut().take();
    }
}

#[test]
fn nodes_that_keep_their_results_are_freed() {
    let (x, y) = (leaf(&[1.0]), f32s(&[2.0], &[1]));
    let kept = Rc::new(RefCell::new(None));
    let node = Box::new(Keeping(kept.clone()));
    assert!(record_custom("Keeping", &[&x], &[&y], node));
    *kept.borrow_mut() = Some(Saved::of_result(&y));
    let node = Rc::downgrade(&y.grad_fn().unwrap());
    drop((y, kept));
    assert!(node.upgrade().is_none());
}

#[test]
fn long_chains_are_freed() {
    let x = leaf(&[1.0]);
    let mut y = x.clone();
    for _ in 0..200_000 {
        y = Eager.mul(&y, &x).unwrap();
    }
    run(&y).unwrap();
    assert_eq!(grad_of(&x), [200_001.0]);
    drop(y);
}

#[test]
fn float32_and_float64_mix() {
    let x = leaf(&[1.5]);
    let wide = Eager.cast(&x, DType::F64).unwrap();
    run(&sum(&Eager.mul(&wide, &wide).unwrap())).unwrap();
    assert_eq!(x.grad().unwrap().dtype(), DType::F32);
    assert_eq!(grad_of(&x), [3.0]);
}
