//! The primitives, and the builder trait that torch-level functions are generic over.
//!
//! In: nothing but data types. Out: [`Prim`], the one list of primitives with their
//! attributes, and [`Ops`], which `Eager` implements by running kernels and which
//! graph builders implement by emitting `janus.<name>` operations.
//! Always: a primitive's name and meaning are the same in both; operands of elementwise
//! primitives have equal shapes and dtypes (casts and broadcasts are explicit), so that
//! a function written once over [`Ops`] runs the same primitives in every tier.

use smallvec::{SmallVec, smallvec};

use crate::dtype::DType;
use crate::error::TensorError;
use crate::scalar::{Scalar, ScalarKind};

/// An extent or another index-like quantity (a start, a count).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A number that is known while building; eager execution knows all of them.
    Known(i64),
    /// A symbol of the builder: equal symbols are equal numbers.
    Sym(u32),
}

impl Dim {
    /// The number, if it is known.
    #[must_use]
    pub fn known(self) -> Option<i64> {
        match self {
            Dim::Known(n) => Some(n),
            Dim::Sym(_) => None,
        }
    }
}

impl From<i64> for Dim {
    fn from(n: i64) -> Self {
        Dim::Known(n)
    }
}

/// A shape, or other per-dimension quantities.
pub type Dims = SmallVec<[Dim; 4]>;
/// Dimension numbers, all non-negative.
pub type Axes = SmallVec<[usize; 4]>;
/// Per-dimension constants (slice strides).
pub type Steps = SmallVec<[i64; 4]>;

/// Defines a fieldless enum of primitives together with their names.
macro_rules! named_ops {
    ($(#[$meta:meta])* $enum:ident { $($(#[$vmeta:meta])* $variant:ident = $name:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum { $($(#[$vmeta])* #[doc = concat!("`", $name, "`")] $variant),* }

        impl $enum {
            /// Every member, in the order of declaration.
            pub const ALL: &'static [$enum] = &[$($enum::$variant),*];

            /// The primitive's name, as in the dialect and in `gradients.txt`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),* }
            }

            /// The member of this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some($enum::$variant),)* _ => None }
            }
        }
    };
}

named_ops! {
    /// Elementwise, one operand, same dtype out.
    UnaryOp {
        Neg = "neg", Abs = "abs", Sign = "sign", Exp = "exp", Log = "log", Log1p = "log1p",
        Expm1 = "expm1", Sqrt = "sqrt", Rsqrt = "rsqrt", Tanh = "tanh", Sin = "sin", Cos = "cos",
        Erf = "erf",
        /// `1 / (1 + exp(-x))`
        Sigmoid = "sigmoid", Floor = "floor", Ceil = "ceil",
        /// Half to even.
        Round = "round",
        /// Logical on bool, bitwise on integers.
        Not = "not",
    }
}

named_ops! {
    /// Elementwise, two operands of one dtype, same dtype out.
    BinaryOp {
        Add = "add", Sub = "sub", Mul = "mul",
        /// Floats only.
        Div = "div",
        /// Rounds toward minus infinity.
        FloorDiv = "floor_div",
        /// Has the divisor's sign, as in Python.
        Rem = "rem",
        Pow = "pow",
        /// NaN wins: `if a != a { a } else if a > b { a } else { b }`.
        Maximum = "maximum",
        /// NaN wins: `if a != a { a } else if a < b { a } else { b }`.
        Minimum = "minimum",
        And = "and", Or = "or", Xor = "xor", Shl = "shl", Shr = "shr",
    }
}

named_ops! {
    /// What complex numbers have alone, or other than real ones, one operand. Only eager execution has them: regions with complex tensors are
    /// not compiled.
    ComplexOp {
        Conj = "conj",
        /// The absolute value, real.
        Magnitude = "magnitude",
        /// A view of the parts as a last dimension of two.
        AsReal = "view_as_real",
        /// The reverse.
        AsComplex = "view_as_complex",
        Tan = "tan", Sinh = "sinh", Cosh = "cosh", Asin = "asin", Acos = "acos", Atan = "atan",
        Asinh = "asinh", Acosh = "acosh", Atanh = "atanh",
    }
}

named_ops! {
    /// The predicate of `compare`; false on NaN but for `ne`.
    Predicate { Eq = "eq", Ne = "ne", Lt = "lt", Le = "le", Gt = "gt", Ge = "ge" }
}

named_ops! {
    /// Reductions; the reduced dimensions are dropped. Accumulators start at 0, 1, the smallest
    /// (for floats minus infinity) and the largest value, and are the left operand.
    ReduceOp {
        Sum = "reduce_sum", Prod = "reduce_prod",
        /// On bool: any.
        Max = "reduce_max",
        /// On bool: all.
        Min = "reduce_min",
    }
}

named_ops! {
    /// Index of an extremum along one dimension; the first one wins.
    ArgOp { Max = "argmax", Min = "argmin" }
}

named_ops! {
    /// A convolution: which of image, filters and result is computed from the other two. Each is
    /// the adjoint of the others.
    ConvKind {
        /// `(image, filters)`
        Forward = "conv",
        /// `(result, filters)`
        Image = "conv_image",
        /// `(image, result)`
        Filters = "conv_filters",
    }
}

/// How the windows of a convolution lie: the element `k` of window `q` is the image's element
/// `q * stride + k * dilation - padding`, or zero outside of the image. There are as many windows
/// as the result's extents say.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvWindow {
    /// Steps between windows, positive, by spatial dimension.
    pub strides: Steps,
    /// Zeros before the image.
    pub padding: Steps,
    /// Steps between elements of a window, positive.
    pub dilation: Steps,
    /// Channels are split into so many parts that have nothing to do with each other.
    pub groups: i64,
}

/// How the windows of pooling lie, as for [`ConvWindow`].
#[derive(Clone, Debug, PartialEq)]
pub struct PoolWindow {
    /// Extents of a window, by spatial dimension.
    pub kernel: Steps,
    /// Steps between windows, positive.
    pub strides: Steps,
    /// Elements before the image that do not count.
    pub padding: Steps,
    /// Steps between elements of a window, positive.
    pub dilation: Steps,
}

/// How much of an order is asked for. What is not asked for comes in any order, and which of equal elements comes first
/// is what PyTorch makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortPart {
    /// All, equal elements as they were.
    All,
    /// So many first ones.
    Top(i64),
    /// So many first ones, which are in any order themselves.
    TopUnordered(i64),
    /// The one with this number.
    Kth(i64),
}

impl SortPart {
    /// What stands for it in the dialect, and its number.
    #[must_use]
    pub fn code(self) -> (i64, i64) {
        match self {
            SortPart::All => (0, 0),
            SortPart::Top(k) => (1, k),
            SortPart::TopUnordered(k) => (2, k),
            SortPart::Kth(k) => (3, k),
        }
    }

    /// The part that a code stands for.
    #[must_use]
    pub fn from_code(code: i64, k: i64) -> SortPart {
        match code {
            1 => SortPart::Top(k),
            2 => SortPart::TopUnordered(k),
            3 => SortPart::Kth(k),
            _ => SortPart::All,
        }
    }
}

/// A primitive with its attributes. Operands are passed beside it.
#[derive(Clone, Debug, PartialEq)]
pub enum Prim {
    /// `(x)`
    Unary(UnaryOp),
    /// `(a, b)`
    Binary(BinaryOp),
    /// `(x)`, complex numbers.
    Complex(ComplexOp),
    /// `(x)`, complex numbers: the discrete Fourier transform along a dimension, not scaled.
    Fourier {
        /// The dimension that is transformed.
        dim: usize,
        /// With the opposite sign in the exponent.
        inverse: bool,
    },
    /// `(a, b) -> bool`
    Compare(Predicate),
    /// `(cond: bool, a, b)`
    Select,
    /// `(x)`, to this dtype: float to int truncates, anything to bool is `!= 0`.
    Cast(DType),
    /// `()`: the index along `dim`, of type int64 or float.
    Iota {
        /// The dimension that counts.
        dim: usize,
        /// Type of the result.
        dtype: DType,
        /// Shape of the result.
        shape: Dims,
    },
    /// `(x)`: dimension `i` of x becomes dimension `dims[i]` of the result (ascending);
    /// an extent of (statically) 1 is stretched.
    Broadcast {
        /// Where each dimension of the operand goes, ascending.
        dims: Axes,
        /// Shape of the result.
        shape: Dims,
    },
    /// `(x)`: same elements in row-major order. A view where strides allow.
    Reshape {
        /// Shape of the result, without -1.
        shape: Dims,
    },
    /// `(x)`: dimension `i` of the result is dimension `dims[i]` of x.
    Permute {
        /// A permutation.
        dims: Axes,
    },
    /// `(x)`: per dimension `sizes` elements from `starts`, `strides` (>= 1) apart.
    Slice {
        /// First index per dimension, in range.
        starts: Dims,
        /// Extents of the result.
        sizes: Dims,
        /// Steps, positive.
        strides: Steps,
    },
    /// `(x)`: `size` elements from each multiple of `step` on along `dim`, which counts them, as a new last
    /// dimension. Only a step from a tensor to a view of it: values and gradients are those of
    /// [`Ops::windows_taken`].
    Windows {
        /// The dimension that is cut.
        dim: usize,
        /// How many elements a window has.
        size: i64,
        /// From one window to the next, positive.
        step: i64,
    },
    /// `(g)`: zeros of `shape` with g written where a slice of the same geometry would read.
    Unslice {
        /// First index per dimension.
        starts: Dims,
        /// Shape of the result.
        shape: Dims,
        /// Steps, positive.
        strides: Steps,
    },
    /// `(x, v)`: x with v where a slice of the same geometry would read.
    UpdateSlice {
        /// First index per dimension.
        starts: Dims,
        /// Steps, positive.
        strides: Steps,
        /// Nobody has read or written there before: what was there has no gradient.
        first: bool,
    },
    /// `(x...)`: at least one operand, equal extents but in `dim`.
    Concat {
        /// The dimension along which the operands follow each other.
        dim: usize,
    },
    /// `(x)`
    Reverse {
        /// Dimensions to turn around.
        dims: Axes,
    },
    /// `(x)`: as `Reverse`, and in eager execution a view, with steps below zero: what NumPy's arrays have, and tensors of
    /// a script's do not.
    Backwards {
        /// Dimensions to turn around.
        dims: Axes,
    },
    /// `(x)`: one accumulator per result element, visiting reduced elements in row-major
    /// order; sums and products in f64 (floats, rounded once) or i64 (others). The sum of
    /// ints and bools keeps the dtype: cast to i64 before, as torch does.
    Reduce {
        /// Which reduction.
        op: ReduceOp,
        /// Dimensions that go away, ascending.
        dims: Axes,
    },
    /// `(x) -> i64`
    Arg {
        /// Which extremum.
        op: ArgOp,
        /// Dimension that goes away.
        dim: usize,
    },
    /// `(a[B.., M, K], b[B.., K, N])`, equal ranks >= 2, equal batch extents.
    Dot,
    /// Two of `image[N, C, in..]`, `filters[O, C / groups, kernel..]` and `result[N, O, out..]`
    /// to the third one, with one to three spatial dimensions.
    Conv {
        /// Which of them.
        kind: ConvKind,
        /// How windows lie.
        window: ConvWindow,
        /// Shape of what is computed.
        shape: Dims,
    },
    /// `(x[N, C, in..]) -> i64 [N, C, out..]`: the row-major index within the channel of each
    /// window's first largest element; a NaN is larger than what came before it.
    PoolArgmax {
        /// How windows lie.
        window: PoolWindow,
        /// Shape of the result.
        shape: Dims,
    },
    /// `(x, index: i64)`: `torch.gather`.
    Gather {
        /// The indexed dimension.
        dim: usize,
    },
    /// `(base, index: i64, src)`: `torch.scatter_add`.
    ScatterAdd {
        /// The indexed dimension.
        dim: usize,
    },
    /// `(x, index: i64)`: `x.shape[:dim] ++ index.shape ++ x.shape[dim+1:]`.
    Take {
        /// The indexed dimension.
        dim: usize,
    },
    /// `(base, index: i64, src)`: adjoint of `take`.
    TakeAdd {
        /// The indexed dimension.
        dim: usize,
    },
    /// `(x)`: running sum, sequential, accumulated like `reduce_sum` and rounded at each store.
    Cumsum {
        /// The dimension that runs.
        dim: usize,
    },
    /// `(x) -> i64`: the indices that sort along a dimension; NaN is the largest.
    Argsort {
        /// The dimension that is sorted.
        dim: usize,
        /// The largest comes first.
        descending: bool,
        /// How much of it has to be in order.
        part: SortPart,
    },
    /// `(x)`: the value itself; its gradient stops here.
    Detach,
    /// `(value, x, slope)`: the value itself, which nobody else may see; its gradient goes on to it, and times the
    /// slope to x. For functions whose derivative is another one than that of the operations that compute them.
    WithSlope,
}

impl Prim {
    /// The name in the dialect (`janus.<name>`) and in `gradients.txt`. Comparisons are one
    /// op `compare` there, with a predicate.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Prim::Unary(op) => op.name(),
            Prim::Binary(op) => op.name(),
            Prim::Complex(op) => op.name(),
            Prim::Fourier { inverse: false, .. } => "fourier",
            Prim::Fourier { inverse: true, .. } => "inverse_fourier",
            Prim::Compare(_) => "compare",
            Prim::Select => "select",
            Prim::Cast(_) => "cast",
            Prim::Iota { .. } => "iota",
            Prim::Broadcast { .. } => "broadcast",
            Prim::Reshape { .. } => "reshape",
            Prim::Permute { .. } => "permute",
            Prim::Slice { .. } => "slice",
            Prim::Windows { .. } => "windows",
            Prim::Unslice { .. } => "unslice",
            Prim::UpdateSlice { first: true, .. } => "fill_slice",
            Prim::UpdateSlice { .. } => "update_slice",
            Prim::Concat { .. } => "concat",
            Prim::Reverse { .. } | Prim::Backwards { .. } => "reverse",
            Prim::Reduce { op, .. } => op.name(),
            Prim::Arg { op, .. } => op.name(),
            Prim::Dot => "dot",
            Prim::Conv { kind, .. } => kind.name(),
            Prim::PoolArgmax { .. } => "pool_argmax",
            Prim::Gather { .. } => "gather",
            Prim::ScatterAdd { .. } => "scatter_add",
            Prim::Take { .. } => "take",
            Prim::TakeAdd { .. } => "take_add",
            Prim::Cumsum { .. } => "cumsum",
            Prim::Argsort { .. } => "argsort",
            Prim::Detach => "detach",
            Prim::WithSlope => "with_slope",
        }
    }

    /// The shapes and positions that it is made with.
    fn extents(&mut self) -> SmallVec<[&mut Dims; 2]> {
        match self {
            Prim::Iota { shape, .. }
            | Prim::Broadcast { shape, .. }
            | Prim::Reshape { shape }
            | Prim::Conv { shape, .. }
            | Prim::PoolArgmax { shape, .. } => smallvec![shape],
            Prim::Slice { starts, sizes, .. } => smallvec![starts, sizes],
            Prim::Unslice { starts, shape, .. } => smallvec![starts, shape],
            Prim::UpdateSlice { starts, .. } => smallvec![starts],
            _ => SmallVec::new(),
        }
    }

    /// The symbols that it is made with, each once.
    #[must_use]
    pub fn symbols(&self) -> Vec<u32> {
        let mut symbols = Vec::new();
        for d in self.clone().extents().into_iter().flatten() {
            if let Dim::Sym(s) = d
                && !symbols.contains(s)
            {
                symbols.push(*s);
            }
        }
        symbols
    }

    /// The same with other extents in the place of symbols.
    #[must_use]
    pub fn with_symbols(&self, to: &dyn Fn(u32) -> Dim) -> Prim {
        let mut prim = self.clone();
        for d in prim.extents().into_iter().flatten() {
            if let Dim::Sym(s) = d {
                *d = to(*s);
            }
        }
        prim
    }

    /// Whether the result is a view of the operand in eager execution (for `Reshape`: may be).
    #[must_use]
    pub fn is_view(&self) -> bool {
        matches!(
            self,
            Prim::Broadcast { .. }
                | Prim::Reshape { .. }
                | Prim::Permute { .. }
                | Prim::Slice { .. }
                | Prim::Windows { .. }
                | Prim::Backwards { .. }
                | Prim::Detach
                | Prim::Complex(ComplexOp::AsReal | ComplexOp::AsComplex)
        )
    }
}

/// Arithmetic on extents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DimOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`, rounded down; b is positive
    Div,
    /// `a % b`; b is positive
    Rem,
    /// the smaller one
    Min,
    /// the larger one
    Max,
}

impl DimOp {
    /// The operation on known numbers; `None` on overflow or division by zero.
    #[must_use]
    pub fn eval(self, a: i64, b: i64) -> Option<i64> {
        match self {
            DimOp::Add => a.checked_add(b),
            DimOp::Sub => a.checked_sub(b),
            DimOp::Mul => a.checked_mul(b),
            DimOp::Div => (b != 0).then(|| a.div_euclid(b)),
            DimOp::Rem => (b != 0).then(|| a.rem_euclid(b)),
            DimOp::Min => Some(a.min(b)),
            DimOp::Max => Some(a.max(b)),
        }
    }
}

/// Provided shorthands for elementwise primitives.
macro_rules! shorthands {
    (unary: $($u:ident = $uv:ident),*; binary: $($b:ident = $bv:ident),*; compare: $($c:ident = $cv:ident),*;) => {
        $(#[doc = concat!("`", stringify!($u), "(x)`")]
        fn $u(&mut self, x: &Self::T) -> Result<Self::T, Self::Error> {
            self.apply(Prim::Unary(UnaryOp::$uv), &[x])
        })*
        $(#[doc = concat!("`", stringify!($b), "(a, b)`, equal shapes and dtypes")]
        fn $b(&mut self, a: &Self::T, b: &Self::T) -> Result<Self::T, Self::Error> {
            self.apply(Prim::Binary(BinaryOp::$bv), &[a, b])
        })*
        $(#[doc = concat!("`a ", stringify!($c), " b`, bool")]
        fn $c(&mut self, a: &Self::T, b: &Self::T) -> Result<Self::T, Self::Error> {
            self.apply(Prim::Compare(Predicate::$cv), &[a, b])
        })*
    };
}

/// What torch-level functions are written over. The required methods are few; each
/// primitive goes through [`Ops::apply`], and the rest are shorthands for it.
pub trait Ops {
    /// A tensor: the eager tensor, or a value of a graph.
    type T: Clone;
    /// A runtime scalar: a number, or a value of a graph.
    type S: Clone;
    /// Errors; a function over `Ops` raises torch's own messages through `TensorError`.
    type Error: From<TensorError>;

    /// Element type.
    fn dtype(&self, t: &Self::T) -> DType;
    /// Shape.
    fn shape(&self, t: &Self::T) -> Dims;
    /// Runs or records one primitive.
    fn apply(&mut self, prim: Prim, operands: &[&Self::T]) -> Result<Self::T, Self::Error>;
    /// A new tensor filled with `value`, converted to `dtype`.
    fn full(
        &mut self,
        value: &Self::S,
        dtype: DType,
        shape: &[Dim],
    ) -> Result<Self::T, Self::Error>;
    /// The value of a one-element tensor.
    fn item(&mut self, t: &Self::T) -> Result<Self::S, Self::Error>;

    /// A constant.
    fn scalar(&mut self, value: Scalar) -> Self::S;
    /// Python type of a scalar.
    fn scalar_kind(&self, s: &Self::S) -> ScalarKind;
    /// The number, if it is known while building.
    fn scalar_value(&self, s: &Self::S) -> Option<Scalar>;
    /// Arithmetic on scalars with Python's promotion (`Div` is true division).
    fn scalar_binary(
        &mut self,
        op: BinaryOp,
        a: &Self::S,
        b: &Self::S,
    ) -> Result<Self::S, Self::Error>;

    /// An extent as an int scalar.
    fn dim_scalar(&mut self, d: Dim) -> Self::S;
    /// An int scalar as an extent, start or count.
    fn scalar_dim(&mut self, s: &Self::S) -> Result<Dim, Self::Error>;
    /// Arithmetic on extents.
    fn dim_binary(&mut self, op: DimOp, a: Dim, b: Dim) -> Result<Dim, Self::Error>;
    /// Whether two extents are equal; a graph builder may assert what it assumes.
    fn dims_equal(&mut self, a: Dim, b: Dim) -> Result<bool, Self::Error>;

    /// Like [`Ops::full`], for operands of elementwise primitives only: eager execution
    /// stores one element and stretches it, so the result must not be handed to a user.
    fn splat(
        &mut self,
        value: &Self::S,
        dtype: DType,
        shape: &[Dim],
    ) -> Result<Self::T, Self::Error> {
        self.full(value, dtype, shape)
    }

    /// Names the operation that made `t`, for `grad_fn=<AddBackward0>`. No effect on values.
    fn label(&mut self, t: &Self::T, name: &'static str) {
        let _ = (t, name);
    }

    /// Says that backward through `t`, a result, fails once `kept`, an operand or the result itself, was written to.
    fn keep(&mut self, t: &Self::T, kept: &Self::T) {
        let _ = (t, kept);
    }

    shorthands! {
        unary: neg = Neg, abs = Abs, sign = Sign, exp = Exp, log = Log, log1p = Log1p,
            expm1 = Expm1, sqrt = Sqrt, rsqrt = Rsqrt, tanh = Tanh, sin = Sin, cos = Cos,
            erf = Erf, sigmoid = Sigmoid, floor = Floor, ceil = Ceil, round = Round, not = Not;
        binary: add = Add, sub = Sub, mul = Mul, div = Div, floor_div = FloorDiv, rem = Rem,
            pow = Pow, maximum = Maximum, minimum = Minimum, and = And, or = Or, xor = Xor,
            shl = Shl, shr = Shr;
        compare: eq = Eq, ne = Ne, lt = Lt, le = Le, gt = Gt, ge = Ge;
    }

    /// One of the operations that complex numbers have alone.
    fn complex(&mut self, op: ComplexOp, x: &Self::T) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Complex(op), &[x])
    }

    /// `select(cond, a, b)`
    fn select(&mut self, cond: &Self::T, a: &Self::T, b: &Self::T) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Select, &[cond, a, b])
    }

    /// `cast(x)`; the operand itself where it has the dtype already.
    fn cast(&mut self, x: &Self::T, to: DType) -> Result<Self::T, Self::Error> {
        if self.dtype(x) == to {
            return Ok(x.clone());
        }
        self.apply(Prim::Cast(to), &[x])
    }

    /// `iota`
    fn iota(&mut self, dim: usize, dtype: DType, shape: &[Dim]) -> Result<Self::T, Self::Error> {
        self.apply(
            Prim::Iota {
                dim,
                dtype,
                shape: shape.into(),
            },
            &[],
        )
    }

    /// `broadcast`
    fn broadcast(
        &mut self,
        x: &Self::T,
        shape: &[Dim],
        dims: &[usize],
    ) -> Result<Self::T, Self::Error> {
        self.apply(
            Prim::Broadcast {
                dims: dims.into(),
                shape: shape.into(),
            },
            &[x],
        )
    }

    /// `reshape`, to a shape without -1; the operand itself where the shape is the same.
    fn reshape(&mut self, x: &Self::T, shape: &[Dim]) -> Result<Self::T, Self::Error> {
        self.apply(
            Prim::Reshape {
                shape: shape.into(),
            },
            &[x],
        )
    }

    /// `permute`
    fn permute(&mut self, x: &Self::T, dims: &[usize]) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Permute { dims: dims.into() }, &[x])
    }

    /// `slice`
    fn slice(
        &mut self,
        x: &Self::T,
        starts: &[Dim],
        sizes: &[Dim],
        strides: &[i64],
    ) -> Result<Self::T, Self::Error> {
        self.apply(
            Prim::Slice {
                starts: starts.into(),
                sizes: sizes.into(),
                strides: strides.into(),
            },
            &[x],
        )
    }

    /// The indices of the elements of windows along a dimension of `n` elements, a row for each window.
    fn window_indices(&mut self, n: i64, size: i64, step: i64) -> Result<Self::T, Self::Error> {
        let windows = (n - size).div_euclid(step) + 1;
        let grid = [Dim::Known(windows), Dim::Known(size)];
        let row = self.iota(0, DType::I64, &grid)?;
        let column = self.iota(1, DType::I64, &grid)?;
        let step = self.scalar(Scalar::I64(step));
        let step = self.splat(&step, DType::I64, &grid)?;
        let start = self.mul(&row, &step)?;
        self.add(&start, &column)
    }

    /// A copy of the windows along a dimension of `n` elements, which become a new last dimension.
    fn windows_taken(
        &mut self,
        x: &Self::T,
        (dim, n): (usize, i64),
        size: i64,
        step: i64,
    ) -> Result<Self::T, Self::Error> {
        let index = self.window_indices(n, size, step)?;
        let taken = self.take(x, dim, &index)?;
        let mut dims: Axes = (0..self.shape(&taken).len()).collect();
        let window = dims.remove(dim + 1);
        dims.push(window);
        self.permute(&taken, &dims)
    }

    /// `unslice`
    fn unslice(
        &mut self,
        g: &Self::T,
        starts: &[Dim],
        shape: &[Dim],
        strides: &[i64],
    ) -> Result<Self::T, Self::Error> {
        self.apply(
            Prim::Unslice {
                starts: starts.into(),
                shape: shape.into(),
                strides: strides.into(),
            },
            &[g],
        )
    }

    /// `update_slice`
    fn update_slice(
        &mut self,
        x: &Self::T,
        v: &Self::T,
        starts: &[Dim],
        strides: &[i64],
    ) -> Result<Self::T, Self::Error> {
        self.apply(
            Prim::UpdateSlice {
                starts: starts.into(),
                strides: strides.into(),
                first: false,
            },
            &[x, v],
        )
    }

    /// `concat`
    fn concat(&mut self, xs: &[&Self::T], dim: usize) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Concat { dim }, xs)
    }

    /// `reverse`
    fn reverse(&mut self, x: &Self::T, dims: &[usize]) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Reverse { dims: dims.into() }, &[x])
    }

    /// `backwards`: dimensions turned around, as a view.
    fn backwards(&mut self, x: &Self::T, dims: &[usize]) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Backwards { dims: dims.into() }, &[x])
    }

    /// `reduce_*` over `dims` (ascending), which are dropped.
    fn reduce(
        &mut self,
        op: ReduceOp,
        x: &Self::T,
        dims: &[usize],
    ) -> Result<Self::T, Self::Error> {
        self.apply(
            Prim::Reduce {
                op,
                dims: dims.into(),
            },
            &[x],
        )
    }

    /// `argmax` / `argmin`
    fn arg_reduce(&mut self, op: ArgOp, x: &Self::T, dim: usize) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Arg { op, dim }, &[x])
    }

    /// `dot`
    fn dot(&mut self, a: &Self::T, b: &Self::T) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Dot, &[a, b])
    }

    /// `conv`, `conv_image` or `conv_filters`
    fn conv(
        &mut self,
        kind: ConvKind,
        a: &Self::T,
        b: &Self::T,
        window: &ConvWindow,
        shape: &[Dim],
    ) -> Result<Self::T, Self::Error> {
        let prim = Prim::Conv {
            kind,
            window: window.clone(),
            shape: shape.into(),
        };
        self.apply(prim, &[a, b])
    }

    /// `gather`
    fn gather(&mut self, x: &Self::T, dim: usize, index: &Self::T) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Gather { dim }, &[x, index])
    }

    /// `scatter_add`
    fn scatter_add(
        &mut self,
        base: &Self::T,
        dim: usize,
        index: &Self::T,
        src: &Self::T,
    ) -> Result<Self::T, Self::Error> {
        self.apply(Prim::ScatterAdd { dim }, &[base, index, src])
    }

    /// `take`
    fn take(&mut self, x: &Self::T, dim: usize, index: &Self::T) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Take { dim }, &[x, index])
    }

    /// `take_add`
    fn take_add(
        &mut self,
        base: &Self::T,
        dim: usize,
        index: &Self::T,
        src: &Self::T,
    ) -> Result<Self::T, Self::Error> {
        self.apply(Prim::TakeAdd { dim }, &[base, index, src])
    }

    /// `cumsum`
    fn cumsum(&mut self, x: &Self::T, dim: usize) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Cumsum { dim }, &[x])
    }

    /// `argsort`
    fn argsort(
        &mut self,
        x: &Self::T,
        dim: usize,
        descending: bool,
    ) -> Result<Self::T, Self::Error> {
        let part = SortPart::All;
        self.argsort_part(x, dim, descending, part)
    }

    /// `argsort` of which a part is looked at.
    fn argsort_part(
        &mut self,
        x: &Self::T,
        dim: usize,
        descending: bool,
        part: SortPart,
    ) -> Result<Self::T, Self::Error> {
        let prim = Prim::Argsort {
            dim,
            descending,
            part,
        };
        self.apply(prim, &[x])
    }

    /// `detach`: the value, without its gradient.
    fn detach(&mut self, x: &Self::T) -> Result<Self::T, Self::Error> {
        self.apply(Prim::Detach, &[x])
    }

    /// `with_slope`: the value, fresh, through which x has this slope, too.
    fn with_slope(
        &mut self,
        value: &Self::T,
        x: &Self::T,
        slope: &Self::T,
    ) -> Result<Self::T, Self::Error> {
        self.apply(Prim::WithSlope, &[value, x, slope])
    }

    /// Product of extents.
    fn numel(&mut self, dims: &[Dim]) -> Result<Dim, Self::Error> {
        let mut n = Dim::Known(1);
        for &d in dims {
            n = self.dim_mul(n, d)?;
        }
        Ok(n)
    }

    /// `a * b`, without an operation where one is 1.
    fn dim_mul(&mut self, a: Dim, b: Dim) -> Result<Dim, Self::Error> {
        match (a, b) {
            (Dim::Known(1), d) | (d, Dim::Known(1)) => Ok(d),
            _ => self.dim_binary(DimOp::Mul, a, b),
        }
    }

    /// `a / b`, rounded down.
    fn dim_div(&mut self, a: Dim, b: Dim) -> Result<Dim, Self::Error> {
        self.dim_binary(DimOp::Div, a, b)
    }

    /// `a + b`
    fn dim_add(&mut self, a: Dim, b: Dim) -> Result<Dim, Self::Error> {
        self.dim_binary(DimOp::Add, a, b)
    }

    /// `a - b`
    fn dim_sub(&mut self, a: Dim, b: Dim) -> Result<Dim, Self::Error> {
        self.dim_binary(DimOp::Sub, a, b)
    }
}
