//! Text of tensors, as `torch._tensor_str` makes it.
//!
//! In: a tensor. Out: what `print(tensor)` shows.
//! Always: equal to PyTorch's text, character by character.

use std::cell::Cell;

use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::scalar::{Scalar, c128};
use crate::tensor::{Layout, Tensor};

/// `torch.set_printoptions`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintOptions {
    /// Digits after the point.
    pub precision: usize,
    /// Elements from which the middle is left out; infinite for never.
    pub threshold: f64,
    /// Elements shown at each end.
    pub edge_items: i64,
    /// Characters per line.
    pub line_width: usize,
    /// Scientific notation; `None`: where it helps.
    pub sci_mode: Option<bool>,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions {
            precision: 4,
            threshold: 1000.0,
            edge_items: 3,
            line_width: 80,
            sci_mode: None,
        }
    }
}

janus_gil::gil_local! {
    static OPTIONS: Cell<PrintOptions> = Cell::new(PrintOptions::default());
}

/// The options in force.
#[must_use]
pub fn options() -> PrintOptions {
    OPTIONS.with(Cell::get)
}

/// Changes the options.
pub fn set_options(options: PrintOptions) {
    OPTIONS.with(|o| o.set(options));
}

/// Python's `f"{v:.{precision}f}"`.
fn fixed(v: f64, precision: usize) -> String {
    if v.is_finite() {
        format!("{v:.precision$}")
    } else {
        special(v)
    }
}

/// Python's `f"{v:.{precision}e}"`: at least two digits of exponent.
fn scientific(v: f64, precision: usize) -> String {
    if !v.is_finite() {
        return special(v);
    }
    let text = format!("{v:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, digits) = match exponent.strip_prefix('-') {
                Some(d) => ('-', d),
                None => ('+', exponent),
            };
            format!("{mantissa}e{sign}{digits:0>2}")
        }
        None => text,
    }
}

fn special(v: f64) -> String {
    if v.is_nan() {
        "nan".to_owned()
    } else if v > 0.0 {
        "inf".to_owned()
    } else {
        "-inf".to_owned()
    }
}

fn python(v: Scalar) -> String {
    match v {
        Scalar::Bool(true) => "True".to_owned(),
        Scalar::Bool(false) => "False".to_owned(),
        Scalar::I64(i) => i.to_string(),
        Scalar::U64(i) => i.to_string(),
        Scalar::F64(f) => fixed(f, 4),
        Scalar::C128(c) => format!("{}+{}j", fixed(c.re, 4), fixed(c.im, 4)),
    }
}

/// How elements are written: complex ones as two parts.
struct Formatter {
    real: Part,
    imaginary: Option<Part>,
}

impl Formatter {
    fn new(values: &[Scalar], dtype: DType, options: PrintOptions) -> Formatter {
        if !dtype.is_complex() {
            return Formatter {
                real: Part::new(values, dtype.is_float(), options),
                imaginary: None,
            };
        }
        let part = |of: fn(c128) -> f64| -> Vec<Scalar> {
            let parts = values.iter().map(|v| Scalar::F64(of(v.to_c128())));
            parts.collect()
        };
        Formatter {
            real: Part::new(&part(|c| c.re), true, options),
            imaginary: Some(Part::new(&part(|c| c.im), true, options)),
        }
    }

    /// Characters of an element and what stands between two.
    fn width(&self) -> usize {
        let imaginary = self.imaginary.as_ref().map_or(0, |part| part.width + 1);
        self.real.width + 2 + imaginary
    }

    fn format(&self, value: Scalar) -> String {
        let Some(imaginary) = &self.imaginary else {
            return self.real.format(value);
        };
        let c = value.to_c128();
        let real = self.real.format(Scalar::F64(c.re));
        let text = imaginary.format(Scalar::F64(c.im));
        let text = text.trim_start();
        let plus = if text.starts_with(['+', '-']) {
            ""
        } else {
            "+"
        };
        format!("{real}{plus}{text}j")
    }
}

/// `torch._tensor_str._Formatter`
struct Part {
    options: PrintOptions,
    float: bool,
    int_mode: bool,
    sci_mode: bool,
    width: usize,
}

impl Part {
    fn new(values: &[Scalar], float: bool, options: PrintOptions) -> Part {
        let mut f = Part {
            options,
            float,
            int_mode: true,
            sci_mode: false,
            width: 1,
        };
        if !float {
            f.width = values.iter().map(|v| python(*v).len()).fold(1, usize::max);
            return f;
        }
        let finite: Vec<f64> = values
            .iter()
            .map(|v| v.to_f64())
            .filter(|v| v.is_finite() && *v != 0.0)
            .collect();
        if finite.is_empty() {
            return f;
        }
        let smallest = finite.iter().fold(f64::INFINITY, |a, v| a.min(v.abs()));
        let largest = finite.iter().fold(0.0, |a: f64, v| a.max(v.abs()));
        f.int_mode = finite.iter().all(|v| *v == v.ceil());
        f.sci_mode = options
            .sci_mode
            .unwrap_or(largest / smallest > 1000.0 || largest > 1.0e8 || smallest < 1.0e-4);
        let length = |v: &f64| {
            if f.sci_mode {
                scientific(*v, options.precision).len()
            } else if f.int_mode {
                fixed(*v, 0).len() + 1
            } else {
                fixed(*v, options.precision).len()
            }
        };
        f.width = finite.iter().map(length).fold(1, usize::max);
        f
    }

    fn format(&self, value: Scalar) -> String {
        let text = if !self.float {
            python(value)
        } else {
            let v = value.to_f64();
            if self.sci_mode {
                scientific(v, self.options.precision)
            } else if self.int_mode {
                let point = if v.is_finite() { "." } else { "" };
                fixed(v, 0) + point
            } else {
                fixed(v, self.options.precision)
            }
        };
        format!("{text:>width$}", width = self.width)
    }
}

/// `x[i]`
fn row(x: &Layout, i: i64) -> Option<Layout> {
    let step = *x.strides.first()?;
    x.view(
        x.shape.get(1..)?.into(),
        x.strides.get(1..)?.into(),
        x.offset + i * step,
    )
}

fn scalars(x: &Layout) -> Result<Vec<Scalar>> {
    Tensor::from_layout(x.clone()).to_scalars()
}

/// Indices shown along the first dimension, and where the gap is.
fn shown(x: &Layout, summarize: bool, edge: i64) -> (Vec<i64>, Option<usize>) {
    let n = x.shape.first().copied().unwrap_or(1);
    if summarize && n > 2 * edge {
        ((0..edge).chain(n - edge..n).collect(), Some(edge as usize))
    } else {
        ((0..n).collect(), None)
    }
}

/// The values that widths are computed from.
fn sample(x: &Layout, summarize: bool, edge: i64, out: &mut Vec<Scalar>) -> Result<()> {
    if !summarize || x.rank() == 0 {
        out.extend(scalars(x)?);
        return Ok(());
    }
    for i in shown(x, true, edge).0 {
        if let Some(r) = row(x, i) {
            sample(&r, summarize, edge, out)?;
        }
    }
    Ok(())
}

fn nested(x: &Layout, indent: usize, summarize: bool, f: &Formatter) -> Result<String> {
    let rank = x.rank();
    let edge = f.real.options.edge_items;
    if rank == 0 {
        return Ok(scalars(x)?.first().map_or(String::new(), |v| f.format(*v)));
    }
    let (indices, gap) = shown(x, summarize, edge);
    let mut parts = Vec::new();
    for (position, i) in indices.iter().enumerate() {
        if gap == Some(position) {
            parts.push(if rank == 1 { " ..." } else { "..." }.to_owned());
        }
        if let Some(r) = row(x, *i) {
            parts.push(nested(&r, indent + 1, summarize, f)?);
        }
    }
    if summarize && edge == 0 {
        parts = vec!["...".to_owned()];
    }
    if rank == 1 {
        let per_line = (f.real.options.line_width.saturating_sub(indent) / f.width()).max(1);
        let lines: Vec<String> = parts.chunks(per_line).map(|l| l.join(", ")).collect();
        let separator = format!(",\n{}", " ".repeat(indent + 1));
        return Ok(format!("[{}]", lines.join(&separator)));
    }
    let separator = format!(",{}{}", "\n".repeat(rank - 1), " ".repeat(indent + 1));
    Ok(format!("[{}]", parts.join(&separator)))
}

/// Python's `str(tuple)`.
fn tuple(shape: &[i64]) -> String {
    let parts: Vec<String> = shape.iter().map(i64::to_string).collect();
    match parts.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", parts.join(", ")),
    }
}

/// `repr(tensor)`, which is also `str(tensor)`. `default_dtype` is not shown.
pub fn repr(t: &Tensor, default_dtype: DType) -> Result<String> {
    repr_with_prefix(t, default_dtype, "tensor(")
}

/// [`repr`] with another class name; `prefix` ends with the parenthesis.
pub fn repr_with_prefix(t: &Tensor, default_dtype: DType, prefix: &str) -> Result<String> {
    let options = options();
    let indent = prefix.len();
    let layout = t.layout().clone();
    let mut suffixes = Vec::new();
    if t.device() != Device::Cpu {
        suffixes.push(format!("device='{}'", t.device()));
    }
    let body = if t.device() == Device::Meta {
        suffixes.push(format!("size={}", tuple(&layout.shape)));
        if layout.dtype != default_dtype {
            suffixes.push(format!("dtype={}", layout.dtype));
        }
        "...".to_owned()
    } else if layout.numel() == 0 {
        if layout.rank() != 1 {
            suffixes.push(format!("size={}", tuple(&layout.shape)));
        }
        if layout.dtype != default_dtype {
            suffixes.push(format!("dtype={}", layout.dtype));
        }
        "[]".to_owned()
    } else {
        if options.edge_items == 0 {
            suffixes.push(format!("size={}", tuple(&layout.shape)));
        }
        let default_complex = default_dtype.complex().unwrap_or(DType::C64);
        if ![default_dtype, default_complex, DType::I64, DType::Bool].contains(&layout.dtype) {
            suffixes.push(format!("dtype={}", layout.dtype));
        }
        let summarize = layout.numel() as f64 > options.threshold;
        let mut values = Vec::new();
        sample(&layout, summarize, options.edge_items, &mut values)?;
        let formatter = Formatter::new(&values, layout.dtype, options);
        nested(&layout, indent, summarize, &formatter)?
    };
    if let Some(node) = t.grad_fn() {
        suffixes.push(format!("grad_fn=<{}>", node.name()));
    } else if t.requires_grad() {
        suffixes.push("requires_grad=True".to_owned());
    }
    let mut out = format!("{prefix}{body}");
    // As in torch, which counts one more where there is no line break.
    let mut last_line = match out.rfind('\n') {
        Some(i) => out.len() - i + 1,
        None => out.len() + 2,
    };
    for suffix in suffixes {
        if last_line + suffix.len() + 2 > options.line_width {
            out.push_str(&format!(",\n{}{suffix}", " ".repeat(indent)));
            last_line = indent + suffix.len();
        } else {
            out.push_str(&format!(", {suffix}"));
            last_line += suffix.len() + 2;
        }
    }
    out.push(')');
    Ok(out)
}
