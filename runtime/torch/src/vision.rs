//! `torchvision._C`: the kernels of torchvision that are not made of torch functions.
//!
//! In: tensors. Out: tensors, outside of autograd. Always: the order of sums and of comparisons is torchvision's.

use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyModule, PyRef, PyResult, Raised, Value, Vm};
use janus_tensor::{DType, Tensor};

use crate::call::raised;
use crate::memory::argument;
use crate::objects::wrap;

/// Makes the module.
pub(crate) fn make(_interp: &mut Interp) -> PyResult<Value> {
    let module = PyModule::new("torchvision._C", Value::None);
    module.add_natives(FUNCTIONS);
    Ok(Value::Module(PyRef::new(module)))
}

/// `planes(t)`: bytes of rows, columns and bands as floats of 0 to 1 of bands, rows and columns.
fn planes(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("planes")?;
    let t = argument(t)?;
    let (h, w, bands) = match *t.shape() {
        [h, w] => (h, w, 1),
        [h, w, bands] => (h, w, bands),
        _ => return Err(Raised::value_error("rows, columns and bands were expected")),
    };
    let data = t.to_vec::<u8>().map_err(raised)?;
    let scale: [f32; 256] = std::array::from_fn(|i| i as f32 / 255.0);
    let n = bands.max(1) as usize;
    let mut out = Vec::with_capacity(data.len());
    for band in 0..bands as usize {
        out.extend(
            data.iter()
                .skip(band)
                .step_by(n)
                .map(|&b| scale[usize::from(b)]),
        );
    }
    Ok(wrap(
        Tensor::from_slice(&out, &[bands, h, w]).map_err(raised)?,
    ))
}

/// Boxes as they are compared: in their own precision.
trait Corner: Copy + PartialOrd + std::ops::Sub<Output = Self> + std::ops::Mul<Output = Self> {
    const ZERO: Self;
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    /// Whether the shared area is above this share of both together.
    fn overlaps(shared: Self, a: Self, b: Self, share: f64) -> bool;
}

macro_rules! corners {
    ($($t:ty),*) => {$(
        impl Corner for $t {
            const ZERO: Self = 0.0;
            fn overlaps(shared: Self, a: Self, b: Self, share: f64) -> bool {
                f64::from(shared / (a + b - shared)) > share
            }
        }
    )*};
}
corners!(f32, f64);

/// The boxes that are kept, best first: none overlaps a better one that is kept.
fn kept<T: Corner>(boxes: &[[T; 4]], order: &[i64], share: f64) -> Vec<i64> {
    let area = |b: &[T; 4]| (b[2] - b[0]) * (b[3] - b[1]);
    let mut dropped = vec![false; boxes.len()];
    let mut kept = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        let Some(a) = boxes.get(i as usize) else {
            continue;
        };
        if dropped.get(i as usize).copied().unwrap_or(true) {
            continue;
        }
        kept.push(i);
        for &j in order.iter().skip(place + 1) {
            let (Some(b), Some(gone)) = (boxes.get(j as usize), dropped.get_mut(j as usize)) else {
                continue;
            };
            let w = a[2].smaller(b[2]) - a[0].larger(b[0]);
            let h = a[3].smaller(b[3]) - a[1].larger(b[1]);
            let shared = T::ZERO.larger(w) * T::ZERO.larger(h);
            *gone = *gone || T::overlaps(shared, area(a), area(b), share);
        }
    }
    kept
}

/// `nms(boxes, order, share)`: of boxes in an order, those that overlap no earlier one that is kept.
fn nms(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [boxes, order, share] = args.exactly("nms")?;
    let boxes = argument(boxes)?;
    let order = argument(order)?.to_vec::<i64>().map_err(raised)?;
    let share = share
        .as_f64()
        .ok_or_else(|| Raised::type_error("a float was expected"))?;
    let kept = match boxes.dtype() {
        DType::F32 => kept(
            boxes.to_vec::<f32>().map_err(raised)?.as_chunks().0,
            &order,
            share,
        ),
        DType::F64 => kept(
            boxes.to_vec::<f64>().map_err(raised)?.as_chunks().0,
            &order,
            share,
        ),
        other => {
            return Err(Raised::runtime_error(format!(
                "\"nms_kernel\" not implemented for '{}'",
                other.c_name()
            )));
        }
    };
    Ok(wrap(
        Tensor::from_slice(&kept, &[kept.len() as i64]).map_err(raised)?,
    ))
}

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torchvision._C.planes", planes),
    NativeDef::function("torchvision._C.nms", nms),
];
