//! Types, attributes and locations as the rest of the workspace spells them.
//!
//! In: nothing. Out: plain data, no MLIR handle inside.

use std::{fmt, sync::Arc};

/// An element type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DType {
    /// `float32`
    F32,
    /// `float64`
    F64,
    /// `int64`
    I64,
    /// `int32`
    I32,
    /// `int16`
    I16,
    /// `int8`
    I8,
    /// `uint8`
    U8,
    /// `bool`
    Bool,
    /// `float16`
    F16,
    /// `bfloat16`
    BF16,
    /// `complex64`
    C64,
    /// `complex128`
    C128,
    /// `uint16`
    U16,
    /// `uint32`
    U32,
    /// `uint64`
    U64,
}

impl DType {
    /// The size of one element in [`Attr::Dense`], in bytes.
    pub const fn size(self) -> usize {
        match self {
            Self::C128 => 16,
            Self::F64 | Self::I64 | Self::C64 | Self::U64 => 8,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::I16 | Self::F16 | Self::BF16 | Self::U16 => 2,
            Self::I8 | Self::U8 | Self::Bool => 1,
        }
    }
}

/// The type of a value of the graph.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A tensor; an extent of `None` is known at run time only.
    Tensor {
        /// The element type.
        dtype: DType,
        /// The extents.
        dims: Vec<Option<i64>>,
    },
    /// Python's `float`.
    F64,
    /// Python's `int`.
    I64,
    /// Python's `bool`.
    I1,
    /// An extent.
    Index,
    /// `!janus.object`
    Object,
    /// `!janus.token`
    Token,
}

impl Type {
    /// A tensor type.
    pub fn tensor(dtype: DType, dims: impl IntoIterator<Item = Option<i64>>) -> Self {
        Self::Tensor {
            dtype,
            dims: dims.into_iter().collect(),
        }
    }
}

/// The predicate of `janus.compare`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Predicate {
    const ALL: [(&'static str, Self); 6] = [
        ("eq", Self::Eq),
        ("ne", Self::Ne),
        ("lt", Self::Lt),
        ("le", Self::Le),
        ("gt", Self::Gt),
        ("ge", Self::Ge),
    ];

    /// The predicate of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, predicate)| *predicate)
    }
}

/// An attribute of an op.
#[derive(Clone, PartialEq, Debug)]
pub enum Attr {
    /// An `i64`.
    I64(i64),
    /// An `f64`.
    F64(f64),
    /// An `i1`.
    Bool(bool),
    /// An integer of type `index`.
    Index(i64),
    /// Present or not.
    Unit,
    /// A string. For `predicate` of `janus.compare`, the predicate of that name.
    Str(String),
    /// A list of `i64`.
    I64s(Vec<i64>),
    /// A list of strings.
    Strs(Vec<String>),
    /// A type.
    Type(Type),
    /// The elements of a tensor, row-major, native byte order, one byte per bool.
    Dense {
        /// The tensor's type, static.
        ty: Type,
        /// Its elements.
        bytes: Vec<u8>,
    },
    /// A reference to a graph by its name.
    Symbol(String),
    /// A comparison.
    Predicate(Predicate),
}

/// Where a commit's values stand among the results of the function that `janus-lower-state` makes:
/// result 0 is the id of the first failed assert or -1, then come the graph's own results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its slot.
    pub slot: i64,
    /// The op, without `janus.`.
    pub kind: String,
    /// The number of its first result.
    pub first_result: usize,
    /// The number of its values; objects have none.
    pub values: usize,
    /// Whether an `i1` stands before the values and says whether the commit happens.
    pub conditional: bool,
}

/// An op of a graph, as far as a user wants to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Its name, without the dialect's.
    pub op: Arc<str>,
    /// The user's file; empty if unknown.
    pub file: Arc<str>,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
}

/// A value of the graph under construction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ValueId(pub(crate) u32);

/// A position in the user's program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Loc {
    /// The file's name; empty if unknown.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub col: u32,
}

impl Loc {
    /// A position.
    pub fn new(file: impl Into<Arc<str>>, line: u32, col: u32) -> Self {
        Self {
            file: file.into(),
            line,
            col,
        }
    }

    /// No position.
    pub fn unknown() -> Self {
        Self::new("", 0, 0)
    }
}

impl fmt::Display for Loc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.col)
    }
}
