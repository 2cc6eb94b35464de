//! Draws whose parameters are tensors, which only tier 0 has.
//!
//! In: tensors of parameters, perhaps a generator. Out: a random number for each element. Always: drawn from PyTorch's CPU
//! streams; on a device these draws are refused.

use janus_object::{Args, NativeDef, PyResult, Raised, Signature, Vm};
use janus_tensor::rng::Generator;
use janus_tensor::{DeviceGuard, Tensor, TensorError, shape};

use crate::call::raised;
use crate::draws::with_generator;
use crate::natives::tensor_arg;
use crate::objects::wrap;

static PER_ELEMENT: Signature<2> = Signature::new("poisson", ["input", "generator"]).required(1);

/// A random number for each element of a tensor of parameters.
fn drawn_per_element(
    args: Args<'_>,
    draw: impl FnOnce(&mut Generator, &Tensor) -> Result<Tensor, TensorError>,
) -> PyResult {
    let [input, generator] = PER_ELEMENT.parse(args)?;
    let t = tensor_arg(input.as_ref(), "argument 'input' (position 1)")?;
    let generator = generator.filter(|g| !g.is_none());
    let _guard = DeviceGuard::new(t.device());
    let drawn = with_generator(generator.as_ref(), |g| draw(g, t));
    Ok(wrap(drawn.map_err(|e| e.0)?.map_err(raised)?))
}

fn poisson(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    drawn_per_element(args, Generator::poisson)
}

static BINOMIAL: Signature<3> =
    Signature::new("binomial", ["count", "prob", "generator"]).required(2);

fn binomial(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [counts, probabilities, generator] = BINOMIAL.parse(args)?;
    let counts = tensor_arg(counts.as_ref(), "argument 'count' (position 1)")?;
    let probabilities = tensor_arg(probabilities.as_ref(), "argument 'prob' (position 2)")?;
    let dtype = counts.dtype();
    if !dtype.is_float() {
        return Err(Raised::value_error(format!(
            "binomial only supports floating-point dtypes for count, got: {}",
            dtype.scalar_type_name()
        )));
    }
    if probabilities.dtype() != dtype {
        return Err(Raised::runtime_error(format!(
            "Found dtype {} but expected {}",
            probabilities.dtype().scalar_type_name(),
            dtype.scalar_type_name()
        )));
    }
    let shape = shape::broadcast_shapes(&counts.shape(), &probabilities.shape()).map_err(raised)?;
    let generator = generator.filter(|g| !g.is_none());
    let _guard = DeviceGuard::new(counts.device());
    let wide = |t: &Tensor| repeated(t, &shape).map_err(raised);
    let (counts, probabilities) = (wide(counts)?, wide(probabilities)?);
    let drawn = with_generator(generator.as_ref(), |g| g.binomial(&counts, &probabilities));
    Ok(wrap(drawn.map_err(|e| e.0)?.map_err(raised)?))
}

/// A tensor seen in a larger shape that it broadcasts to.
fn repeated(t: &Tensor, shape: &[i64]) -> Result<Tensor, TensorError> {
    let own = t.shape();
    let new = shape.len() - own.len();
    let strides: Vec<i64> = (0..shape.len())
        .map(|d| match d.checked_sub(new) {
            Some(k) if own[k] == shape[d] => t.strides()[k],
            _ => 0,
        })
        .collect();
    t.as_strided(shape, &strides, None)
}

fn standard_gamma(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    drawn_per_element(args, Generator::standard_gamma)
}

fn sample_dirichlet(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    drawn_per_element(args, Generator::dirichlet)
}

/// What `torch` and `torch._C` have of them.
pub(crate) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch.poisson", poisson),
    NativeDef::function("torch.binomial", binomial),
    NativeDef::function("torch._C._standard_gamma", standard_gamma),
    NativeDef::function("torch._C._sample_dirichlet", sample_dirichlet),
];
