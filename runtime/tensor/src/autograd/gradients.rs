//! `dialects/gradients.txt`: its reader, and its execution through [`Ops`].
//!
//! In: the text, whose grammar is described at its head; then a primitive, its operands and
//! the gradient of its result. Out: the gradients of the operands.
//! Always: expressions run through the same [`Ops`] as everything else, so a gradient has
//! gradients itself; what an expression does not read is not kept.

use std::collections::HashMap;
use std::sync::LazyLock;

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::error::TensorError;
use crate::ops::{
    Axes, BinaryOp, ComplexOp, ConvKind, Dim, Dims, Ops, Predicate, Prim, ReduceOp, UnaryOp,
};
use crate::scalar::Scalar;

/// The text, embedded.
pub const TEXT: &str = include_str!("../../../../dialects/gradients.txt");

/// A value that an expression names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Operand(usize),
    Result,
    Let(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Helper {
    Unbroadcast,
    ReshapeLike,
    Unpermute,
    UnsliceOf,
    Reslice,
    UpdateOf,
    ExpandLike,
    CastLike,
    ZerosLike,
    TransposeLast,
    SplitOf,
    Intact,
    ConvLike(ConvKind),
}

impl Helper {
    fn from_name(name: &str) -> Option<Helper> {
        Some(match name {
            "unbroadcast" => Helper::Unbroadcast,
            "reshape_like" => Helper::ReshapeLike,
            "unpermute" => Helper::Unpermute,
            "unslice_of" => Helper::UnsliceOf,
            "reslice" => Helper::Reslice,
            "update_of" => Helper::UpdateOf,
            "expand_like" => Helper::ExpandLike,
            "cast_like" => Helper::CastLike,
            "zeros_like" => Helper::ZerosLike,
            "transpose_last" => Helper::TransposeLast,
            "split_of" => Helper::SplitOf,
            "intact" => Helper::Intact,
            "conv_like" => Helper::ConvLike(ConvKind::Forward),
            "conv_image_like" => Helper::ConvLike(ConvKind::Image),
            "conv_filters_like" => Helper::ConvLike(ConvKind::Filters),
            _ => return None,
        })
    }

    /// `(arity, position of the argument that only lends its shape)`
    fn signature(self) -> (usize, Option<usize>) {
        match self {
            Helper::Unpermute | Helper::TransposeLast => (1, None),
            Helper::ZerosLike => (1, Some(0)),
            Helper::Intact => (2, None),
            Helper::ConvLike(_) => (3, Some(2)),
            _ => (2, Some(1)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Compare(Predicate),
    Select,
    Dot,
    Reduce(ReduceOp),
    Reverse,
    Cumsum,
    Gather,
    ScatterAdd,
    Take,
    TakeAdd,
    Complex(ComplexOp),
    Fourier { inverse: bool },
    Helper(Helper),
}

impl Function {
    fn from_name(name: &str) -> Option<Function> {
        if let Some(op) = UnaryOp::from_name(name) {
            return Some(Function::Unary(op));
        }
        if let Some(op) = BinaryOp::from_name(name) {
            return Some(Function::Binary(op));
        }
        if let Some(p) = Predicate::from_name(name) {
            return Some(Function::Compare(p));
        }
        if let Some(op) = ReduceOp::from_name(name) {
            return Some(Function::Reduce(op));
        }
        if let Some(h) = Helper::from_name(name) {
            return Some(Function::Helper(h));
        }
        if let Some(op) = ComplexOp::from_name(name) {
            return Some(Function::Complex(op));
        }
        Some(match name {
            "select" => Function::Select,
            "fourier" => Function::Fourier { inverse: false },
            "inverse_fourier" => Function::Fourier { inverse: true },
            "dot" => Function::Dot,
            "reverse" => Function::Reverse,
            "cumsum" => Function::Cumsum,
            "gather" => Function::Gather,
            "scatter_add" => Function::ScatterAdd,
            "take" => Function::Take,
            "take_add" => Function::TakeAdd,
            _ => return None,
        })
    }

    fn arity(self) -> usize {
        match self {
            Function::Unary(_)
            | Function::Complex(_)
            | Function::Fourier { .. }
            | Function::Reduce(_)
            | Function::Reverse
            | Function::Cumsum => 1,
            Function::Binary(_)
            | Function::Compare(_)
            | Function::Dot
            | Function::Gather
            | Function::Take => 2,
            Function::Select | Function::ScatterAdd | Function::TakeAdd => 3,
            Function::Helper(h) => h.signature().0,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Expr {
    Gradient,
    Name(Name),
    Number(f64),
    Call(Function, Vec<Expr>),
}

/// The gradient of one primitive.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Number of operands; 1 for variadic ops.
    arity: usize,
    /// The one clause holds for each operand.
    variadic: bool,
    /// The conjugate of its result for the conjugate of the gradient is what is asked for.
    conjugates: bool,
    lets: Vec<Expr>,
    /// In the order of the text.
    clauses: Vec<(usize, Expr)>,
}

/// Which contents an execution reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// By operand; shorter than the operand list where the rest is not read.
    pub operands: SmallVec<[bool; 4]>,
    /// The result.
    pub result: bool,
}

/// A tensor, or what remains of one that is not read.
#[derive(Clone, Debug)]
pub enum Kept<T> {
    /// The tensor.
    Data(T),
    /// Its shape and dtype.
    Meta(Dims, DType),
}

/// Gradients by operand, in the order of the clauses.
pub type Gradients<T> = SmallVec<[(usize, T); 3]>;

type Table = HashMap<&'static str, Definition>;

/// What is other where complex numbers are, embedded.
const COMPLEX_TEXT: &str = include_str!("complex_gradients.txt");

static TABLE: LazyLock<Result<Table, String>> = LazyLock::new(|| parse(TEXT));
static COMPLEX_TABLE: LazyLock<Result<Table, String>> = LazyLock::new(|| {
    let mut table = parse(TEXT)?;
    for (name, definition) in &mut table {
        definition.conjugates = holomorphic(name);
    }
    table.extend(parse(COMPLEX_TEXT)?);
    Ok(table)
});

/// Whether the gradient of a primitive of complex numbers is the conjugate of what the definition for real numbers makes
/// of the conjugate of the result's gradient. Where it only moves and adds, or says so itself, it is that anyway.
fn holomorphic(name: &str) -> bool {
    UnaryOp::from_name(name).is_some_and(|op| op != UnaryOp::Neg)
        || matches!(name, "mul" | "div" | "dot" | "reduce_prod" | "with_slope")
}

/// The definition for a primitive of real numbers, if it has gradients.
pub fn definition(prim: &Prim) -> Result<Option<&'static Definition>, TensorError> {
    definition_of(prim, false)
}

/// The same where an operand or the result may be complex.
pub fn definition_of(
    prim: &Prim,
    complex: bool,
) -> Result<Option<&'static Definition>, TensorError> {
    let table = if complex { &COMPLEX_TABLE } else { &TABLE };
    match &**table {
        Ok(table) => Ok(table.get(prim.name())),
        Err(e) => Err(TensorError::Runtime(format!("gradients.txt: {e}"))),
    }
}

/// Names of the primitives that the table defines.
pub fn defined() -> Result<Vec<&'static str>, String> {
    match &*TABLE {
        Ok(table) => Ok(table.keys().copied().collect()),
        Err(e) => Err(e.clone()),
    }
}

impl Definition {
    fn clause_for(&self, operand: usize) -> Option<&Expr> {
        let wanted = if self.variadic { 0 } else { operand };
        self.clauses
            .iter()
            .find(|(o, _)| *o == wanted)
            .map(|(_, e)| e)
    }

    /// Whether the operand has a gradient.
    #[must_use]
    pub fn differentiates(&self, operand: usize) -> bool {
        self.clause_for(operand).is_some()
    }

    /// What the clauses of the operands that `wants` read.
    #[must_use]
    pub fn reads(&self, wants: &[bool]) -> Reads {
        let mut reads = Reads {
            operands: SmallVec::from_elem(false, if self.variadic { 0 } else { self.arity }),
            result: false,
        };
        for (operand, expr) in &self.clauses {
            let wanted = if self.variadic {
                wants.iter().any(|w| *w)
            } else {
                wants.get(*operand).copied().unwrap_or(false)
            };
            if wanted {
                self.collect(expr, &mut reads);
            }
        }
        reads
    }

    fn collect(&self, expr: &Expr, reads: &mut Reads) {
        match expr {
            Expr::Gradient | Expr::Number(_) => {}
            Expr::Name(Name::Result) => reads.result = true,
            Expr::Name(Name::Operand(i)) => {
                if let Some(slot) = reads.operands.get_mut(*i) {
                    *slot = true;
                }
            }
            Expr::Name(Name::Let(i)) => {
                if let Some(e) = self.lets.get(*i) {
                    self.collect(e, reads);
                }
            }
            Expr::Call(f, args) => {
                let meta = match f {
                    Function::Helper(h) => h.signature().1,
                    _ => None,
                };
                for (i, a) in args.iter().enumerate() {
                    if Some(i) != meta {
                        self.collect(a, reads);
                    }
                }
            }
        }
    }

    /// The gradients of the operands that `wants`, in the order of the clauses, as
    /// `(operand, gradient)`.
    pub fn run<O: Ops>(
        &self,
        ops: &mut O,
        prim: &Prim,
        operands: &[Kept<O::T>],
        result: &Kept<O::T>,
        g: &O::T,
        wants: &[bool],
    ) -> Result<Gradients<O::T>, O::Error> {
        let conjugated = match self.conjugates {
            true => Some(ops.complex(ComplexOp::Conj, g)?),
            false => None,
        };
        let g = conjugated.as_ref().unwrap_or(g);
        let mut run = Run {
            ops,
            definition: self,
            prim,
            operands,
            result,
            g,
            current: 0,
            passed: (0, Dim::Known(0)),
            lets: SmallVec::from_elem(None, self.lets.len()),
        };
        let mut out = SmallVec::new();
        if self.variadic {
            for i in 0..operands.len() {
                if wants.get(i).copied().unwrap_or(false) {
                    run.current = i;
                    if let Some((_, expr)) = self.clauses.first() {
                        out.push((i, run.value(expr)?));
                    }
                }
            }
            return Ok(out);
        }
        for (operand, expr) in &self.clauses {
            if wants.get(*operand).copied().unwrap_or(false) {
                let mut grad = run.value(expr)?;
                if self.conjugates {
                    grad = run.ops.complex(ComplexOp::Conj, &grad)?;
                }
                out.push((*operand, grad));
            }
        }
        Ok(out)
    }
}

struct Run<'a, O: Ops> {
    ops: &'a mut O,
    definition: &'a Definition,
    prim: &'a Prim,
    operands: &'a [Kept<O::T>],
    result: &'a Kept<O::T>,
    g: &'a O::T,
    /// For variadic ops: the operand in question.
    current: usize,
    /// Of concat: operands in front of one, and their extents' sum.
    passed: (usize, Dim),
    lets: SmallVec<[Option<O::T>; 2]>,
}

fn broken(prim: &Prim, what: &str) -> TensorError {
    TensorError::Runtime(format!("gradient of {}: {what}", prim.name()))
}

impl<O: Ops> Run<'_, O> {
    fn fail<T>(&self, what: &str) -> Result<T, O::Error> {
        Err(broken(self.prim, what).into())
    }

    fn kept(&self, name: Name) -> Result<&Kept<O::T>, O::Error> {
        let kept = match name {
            Name::Operand(i) if self.definition.variadic => self.operands.get(self.current + i),
            Name::Operand(i) => self.operands.get(i),
            Name::Result => Some(self.result),
            Name::Let(_) => None,
        };
        kept.ok_or_else(|| broken(self.prim, "missing operand").into())
    }

    /// Shape and dtype of an expression that is a name.
    fn meta(&mut self, expr: &Expr) -> Result<(Dims, DType), O::Error> {
        if let Expr::Name(name @ (Name::Operand(_) | Name::Result)) = expr {
            return Ok(match self.kept(*name)? {
                Kept::Data(t) => {
                    let t = t.clone();
                    (self.ops.shape(&t), self.ops.dtype(&t))
                }
                Kept::Meta(shape, dtype) => (shape.clone(), *dtype),
            });
        }
        let t = self.value(expr)?;
        Ok((self.ops.shape(&t), self.ops.dtype(&t)))
    }

    fn value(&mut self, expr: &Expr) -> Result<O::T, O::Error> {
        match expr {
            Expr::Gradient => Ok(self.g.clone()),
            Expr::Name(Name::Let(i)) => {
                if let Some(Some(t)) = self.lets.get(*i) {
                    return Ok(t.clone());
                }
                let definition = self.definition;
                let Some(e) = definition.lets.get(*i) else {
                    return self.fail("unknown let");
                };
                let t = self.value(e)?;
                if let Some(slot) = self.lets.get_mut(*i) {
                    *slot = Some(t.clone());
                }
                Ok(t)
            }
            Expr::Name(name) => match self.kept(*name)? {
                Kept::Data(t) => Ok(t.clone()),
                Kept::Meta(..) => self.fail("an operand was not kept"),
            },
            Expr::Number(_) => self.fail("a number has no shape here"),
            Expr::Call(Function::Helper(h), args) => self.helper(*h, args),
            Expr::Call(f, args) => self.call(*f, args),
        }
    }

    fn call(&mut self, f: Function, args: &[Expr]) -> Result<O::T, O::Error> {
        let mut values: SmallVec<[Option<O::T>; 3]> = SmallVec::new();
        for a in args {
            values.push(match a {
                Expr::Number(_) => None,
                other => Some(self.value(other)?),
            });
        }
        // A number takes shape and dtype from the other operands; a condition lends none.
        let first = usize::from(f == Function::Select);
        for i in 0..args.len() {
            if let (Some(Expr::Number(n)), Some(None)) = (args.get(i), values.get(i)) {
                let Some(like) = values.iter().skip(first).flatten().next().cloned() else {
                    return self.fail("only numbers");
                };
                let value = self.ops.scalar(Scalar::F64(*n));
                let (dtype, shape) = (self.ops.dtype(&like), self.ops.shape(&like));
                let t = self.ops.splat(&value, dtype, &shape)?;
                if let Some(slot) = values.get_mut(i) {
                    *slot = Some(t);
                }
            }
        }
        if let (Function::Complex(ComplexOp::AsComplex), Some(Some(x))) = (f, values.first_mut()) {
            // Only what lies in pairs can be seen so.
            let dtype = self.ops.dtype(x);
            *x = self.ops.apply(Prim::Cast(dtype), &[x])?;
        }
        let operands: SmallVec<[&O::T; 3]> = values.iter().flatten().collect();
        let prim = match f {
            Function::Unary(op) => Prim::Unary(op),
            Function::Binary(op) => Prim::Binary(op),
            Function::Compare(p) => Prim::Compare(p),
            Function::Complex(op) => Prim::Complex(op),
            Function::Fourier { inverse } => Prim::Fourier {
                dim: self.dim()?,
                inverse,
            },
            Function::Select => Prim::Select,
            Function::Dot => Prim::Dot,
            Function::Reduce(op) => Prim::Reduce {
                op,
                dims: self.dims()?,
            },
            Function::Reverse => Prim::Reverse { dims: self.dims()? },
            Function::Cumsum => Prim::Cumsum { dim: self.dim()? },
            Function::Gather => Prim::Gather { dim: self.dim()? },
            Function::ScatterAdd => Prim::ScatterAdd { dim: self.dim()? },
            Function::Take => Prim::Take { dim: self.dim()? },
            Function::TakeAdd => Prim::TakeAdd { dim: self.dim()? },
            Function::Helper(_) => return self.fail("helper"),
        };
        self.ops.apply(prim, &operands)
    }

    /// The op's dimensions, `[dim]` where it has one.
    fn dims(&self) -> Result<Axes, O::Error> {
        match self.prim {
            Prim::Reduce { dims, .. } | Prim::Reverse { dims } | Prim::Backwards { dims } => {
                Ok(dims.clone())
            }
            _ => Ok(std::iter::once(self.dim()?).collect()),
        }
    }

    fn dim(&self) -> Result<usize, O::Error> {
        match self.prim {
            Prim::Gather { dim }
            | Prim::ScatterAdd { dim }
            | Prim::Take { dim }
            | Prim::TakeAdd { dim }
            | Prim::Cumsum { dim }
            | Prim::Fourier { dim, .. }
            | Prim::Concat { dim } => Ok(*dim),
            _ => self.fail("no dim"),
        }
    }

    fn helper(&mut self, h: Helper, args: &[Expr]) -> Result<O::T, O::Error> {
        let (Some(first), second) = (args.first(), args.get(1)) else {
            return self.fail("missing argument");
        };
        if h == Helper::ZerosLike {
            let (shape, dtype) = self.meta(first)?;
            let zero = self.ops.scalar(Scalar::I64(0));
            return self.ops.full(&zero, dtype, &shape);
        }
        let v = self.value(first)?;
        if h == Helper::Intact {
            return Ok(v);
        }
        if let (Helper::ConvLike(kind), Prim::Conv { window, .. }) = (h, self.prim) {
            let (Some(second), Some(like)) = (second, args.get(2)) else {
                return self.fail("missing argument");
            };
            let w = self.value(second)?;
            let (shape, _) = self.meta(like)?;
            return self.ops.conv(kind, &v, &w, window, &shape);
        }
        let (shape, dtype) = match second {
            Some(x) => self.meta(x)?,
            None => (self.ops.shape(&v), self.ops.dtype(&v)),
        };
        match (h, self.prim) {
            (Helper::CastLike, _) => self.ops.cast(&v, dtype),
            (Helper::ReshapeLike, _) => self.reshape(&v, &shape),
            (Helper::TransposeLast, _) => {
                let rank = shape.len();
                let mut dims: Axes = (0..rank).collect();
                if rank < 2 {
                    return self.fail("transpose_last of less than two dimensions");
                }
                dims.swap(rank - 1, rank - 2);
                self.ops.permute(&v, &dims)
            }
            (Helper::Unbroadcast, Prim::Broadcast { dims, .. }) => {
                let made: Axes = (0..self.ops.shape(&v).len())
                    .filter(|d| match dims.iter().position(|x| x == d) {
                        Some(i) => shape.get(i) == Some(&Dim::Known(1)),
                        None => true,
                    })
                    .collect();
                let sum = if made.is_empty() {
                    v
                } else {
                    self.ops.reduce(ReduceOp::Sum, &v, &made)?
                };
                self.reshape(&sum, &shape)
            }
            (Helper::Unpermute, Prim::Permute { dims }) => {
                let mut inverse: Axes = SmallVec::from_elem(0, dims.len());
                for (i, &d) in dims.iter().enumerate() {
                    if let Some(slot) = inverse.get_mut(d) {
                        *slot = i;
                    }
                }
                self.ops.permute(&v, &inverse)
            }
            (
                Helper::UnsliceOf,
                Prim::Slice {
                    starts, strides, ..
                },
            ) => self.ops.unslice(&v, starts, &shape, strides),
            (
                Helper::Reslice,
                Prim::Unslice {
                    starts, strides, ..
                },
            )
            | (
                Helper::Reslice,
                Prim::UpdateSlice {
                    starts, strides, ..
                },
            ) => self.ops.slice(&v, starts, &shape, strides),
            (
                Helper::UpdateOf,
                Prim::UpdateSlice {
                    starts, strides, ..
                },
            ) => {
                let zero = self.ops.scalar(Scalar::I64(0));
                let zeros = self.ops.full(&zero, dtype, &shape)?;
                self.ops.update_slice(&v, &zeros, starts, strides)
            }
            (Helper::ExpandLike, Prim::Reduce { dims, .. }) => {
                let kept: Axes = (0..shape.len()).filter(|d| !dims.contains(d)).collect();
                self.ops.broadcast(&v, &shape, &kept)
            }
            (Helper::SplitOf, Prim::Concat { dim }) => {
                let mut starts: Dims = SmallVec::from_elem(Dim::Known(0), shape.len());
                let (first, mut offset) = match self.passed {
                    (n, sum) if n <= self.current => (n, sum),
                    _ => (0, Dim::Known(0)),
                };
                for i in first..self.current {
                    let before = Expr::Name(Name::Operand(0));
                    let here = std::mem::replace(&mut self.current, i);
                    let meta = self.meta(&before);
                    self.current = here;
                    let Some(extent) = meta?.0.get(*dim).copied() else {
                        return self.fail("missing dimension");
                    };
                    offset = match (offset, extent) {
                        (Dim::Known(0), e) => e,
                        (o, e) => self.ops.dim_add(o, e)?,
                    };
                }
                self.passed = (self.current, offset);
                if let Some(slot) = starts.get_mut(*dim) {
                    *slot = offset;
                }
                let ones: SmallVec<[i64; 4]> = SmallVec::from_elem(1, shape.len());
                self.ops.slice(&v, &starts, &shape, &ones)
            }
            _ => self.fail("helper of another op"),
        }
    }

    fn reshape(&mut self, v: &O::T, shape: &Dims) -> Result<O::T, O::Error> {
        if &self.ops.shape(v) == shape {
            Ok(v.clone())
        } else {
            self.ops.reshape(v, shape)
        }
    }
}

/// Reads the text.
fn parse(text: &'static str) -> Result<Table, String> {
    let mut table = Table::new();
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (number, raw) in text.lines().enumerate() {
        let line = raw.split('#').next().unwrap_or("");
        if line.trim().is_empty() {
            continue;
        }
        match lines.last_mut() {
            Some((_, last)) if line.starts_with(' ') => last.push_str(line),
            _ => lines.push((number + 1, line.to_owned())),
        }
    }
    for (number, line) in lines {
        let (name, definition) = parse_line(&line).map_err(|e| format!("line {number}: {e}"))?;
        let name = static_name(&name).ok_or_else(|| format!("line {number}: no op `{name}`"))?;
        if table.insert(name, definition).is_some() {
            return Err(format!("line {number}: `{name}` is defined twice"));
        }
    }
    Ok(table)
}

/// The primitive's own name string, which the table is looked up by.
fn static_name(name: &str) -> Option<&'static str> {
    const OTHERS: [&str; 21] = [
        "fourier",
        "inverse_fourier",
        "detach",
        "with_slope",
        "select",
        "cast",
        "broadcast",
        "reshape",
        "permute",
        "slice",
        "unslice",
        "update_slice",
        "fill_slice",
        "concat",
        "reverse",
        "dot",
        "gather",
        "scatter_add",
        "take",
        "take_add",
        "cumsum",
    ];
    UnaryOp::from_name(name)
        .map(UnaryOp::name)
        .or_else(|| BinaryOp::from_name(name).map(BinaryOp::name))
        .or_else(|| ComplexOp::from_name(name).map(ComplexOp::name))
        .or_else(|| ReduceOp::from_name(name).map(ReduceOp::name))
        .or_else(|| ConvKind::from_name(name).map(ConvKind::name))
        .or_else(|| OTHERS.iter().find(|n| **n == name).copied())
}

fn parse_line(line: &str) -> Result<(String, Definition), String> {
    let open = line.find('(').ok_or("expected `op(operands)`")?;
    let close = line.find(')').ok_or("expected `)`")?;
    let name = line.get(..open).unwrap_or("").trim().to_owned();
    let mut names: HashMap<String, Name> = HashMap::new();
    let mut variadic = false;
    let operands: Vec<&str> = line
        .get(open + 1..close)
        .unwrap_or("")
        .split(',')
        .map(str::trim)
        .collect();
    for (i, operand) in operands.iter().enumerate() {
        let bare = operand.strip_suffix("...").unwrap_or(operand);
        variadic |= bare != *operand;
        names.insert(bare.to_owned(), Name::Operand(i));
    }
    let rest = line.get(close + 1..).unwrap_or("");
    let (head, body) = rest.split_once(':').ok_or("expected `:`")?;
    if let Some(result) = head.trim().strip_prefix("->") {
        names.insert(result.trim().to_owned(), Name::Result);
    }
    let mut definition = Definition {
        arity: operands.len(),
        variadic,
        conjugates: false,
        lets: Vec::new(),
        clauses: Vec::new(),
    };
    for clause in body.split(';').map(str::trim).filter(|c| !c.is_empty()) {
        let (target, expr) = clause.split_once('=').ok_or("expected `=`")?;
        let mut parser = Parser {
            text: expr.trim(),
            names: &names,
        };
        let parsed = parser.expr()?;
        if !parser.text.is_empty() {
            return Err(format!("unexpected `{}`", parser.text));
        }
        match target.trim().strip_prefix("let ") {
            Some(local) => {
                names.insert(local.trim().to_owned(), Name::Let(definition.lets.len()));
                definition.lets.push(parsed);
            }
            None => match names.get(target.trim()) {
                Some(Name::Operand(i)) => definition.clauses.push((*i, parsed)),
                _ => return Err(format!("`{}` is no operand", target.trim())),
            },
        }
    }
    Ok((name, definition))
}

struct Parser<'a> {
    text: &'a str,
    names: &'a HashMap<String, Name>,
}

impl Parser<'_> {
    fn token(&mut self) -> String {
        let end = self
            .text
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-')))
            .unwrap_or(self.text.len());
        let (token, rest) = self.text.split_at(end);
        let token = token.to_owned();
        self.text = rest.trim_start();
        token
    }

    fn eat(&mut self, c: char) -> bool {
        match self.text.strip_prefix(c) {
            Some(rest) => {
                self.text = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expr(&mut self) -> Result<Expr, String> {
        let token = self.token();
        if self.text.starts_with(['(', '{']) {
            let function =
                Function::from_name(&token).ok_or_else(|| format!("no function `{token}`"))?;
            if self.eat('{') {
                let attribute = self.token();
                let known = matches!(attribute.as_str(), "dim" | "dims");
                if !known || !self.eat('}') {
                    return Err("expected `{dim}` or `{dims}`".to_owned());
                }
            }
            let mut args = Vec::new();
            if !self.eat('(') {
                return Err("expected `(`".to_owned());
            }
            loop {
                args.push(self.expr()?);
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    return Err("expected `,` or `)`".to_owned());
                }
            }
            if args.len() != function.arity() {
                return Err(format!("`{token}` takes {} arguments", function.arity()));
            }
            return Ok(Expr::Call(function, args));
        }
        if token == "g" {
            return Ok(Expr::Gradient);
        }
        if let Some(name) = self.names.get(&token) {
            return Ok(Expr::Name(*name));
        }
        token
            .parse::<f64>()
            .map(Expr::Number)
            .map_err(|_| format!("unknown name `{token}`"))
    }
}
