//! Element types, torch's promotion rules.
//!
//! In: dtypes, and for promotion whether a participant is a tensor with dimensions, a 0-d
//! tensor or a Python number. Out: the dtype an operation computes in.
//! Always: the promotion table is torch's (`torch.promote_types`, `torch.result_type`).

use std::fmt;

use crate::scalar::ScalarKind;

/// Element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// `torch.float32`
    F32,
    /// `torch.float64`
    F64,
    /// `torch.int64`
    I64,
    /// `torch.int32`
    I32,
    /// `torch.int16`
    I16,
    /// `torch.int8`
    I8,
    /// `torch.uint8`
    U8,
    /// `torch.bool`
    Bool,
    /// `torch.float16`
    F16,
    /// `torch.bfloat16`
    BF16,
    /// `torch.complex64`
    C64,
    /// `torch.complex128`
    C128,
    /// `torch.uint16`
    U16,
    /// `torch.uint32`
    U32,
    /// `torch.uint64`
    U64,
}

/// Calls a macro-like closure body with `$t` bound to the Rust type of a dtype.
///
/// `dispatch!(dtype; all: T => expr)`, or with the groups `float`, `int` (without bool),
/// `num` (without bool), `real` (without complex numbers), and an `else` for what is outside the group. Reduced floats,
/// which kernels compute with as float32, are in `all`, `real` and `any_float` alone.
#[macro_export]
#[doc(hidden)]
macro_rules! dispatch {
    ($d:expr; all: $t:ident => $e:expr) => {
        match $d {
            $crate::DType::F32 => {
                type $t = f32;
                $e
            }
            $crate::DType::F64 => {
                type $t = f64;
                $e
            }
            $crate::DType::I64 => {
                type $t = i64;
                $e
            }
            $crate::DType::I32 => {
                type $t = i32;
                $e
            }
            $crate::DType::I16 => {
                type $t = i16;
                $e
            }
            $crate::DType::I8 => {
                type $t = i8;
                $e
            }
            $crate::DType::U8 => {
                type $t = u8;
                $e
            }
            $crate::DType::Bool => {
                type $t = bool;
                $e
            }
            $crate::DType::F16 => {
                type $t = $crate::scalar::f16;
                $e
            }
            $crate::DType::BF16 => {
                type $t = $crate::scalar::bf16;
                $e
            }
            $crate::DType::U16 => {
                type $t = u16;
                $e
            }
            $crate::DType::U32 => {
                type $t = u32;
                $e
            }
            $crate::DType::U64 => {
                type $t = u64;
                $e
            }
            $crate::DType::C64 => {
                type $t = $crate::scalar::c64;
                $e
            }
            $crate::DType::C128 => {
                type $t = $crate::scalar::c128;
                $e
            }
        }
    };
    ($d:expr; real: $t:ident => $e:expr; else $other:expr) => {
        match $d {
            $crate::DType::F32 => {
                type $t = f32;
                $e
            }
            $crate::DType::F64 => {
                type $t = f64;
                $e
            }
            $crate::DType::I64 => {
                type $t = i64;
                $e
            }
            $crate::DType::I32 => {
                type $t = i32;
                $e
            }
            $crate::DType::I16 => {
                type $t = i16;
                $e
            }
            $crate::DType::I8 => {
                type $t = i8;
                $e
            }
            $crate::DType::U8 => {
                type $t = u8;
                $e
            }
            $crate::DType::Bool => {
                type $t = bool;
                $e
            }
            $crate::DType::F16 => {
                type $t = $crate::scalar::f16;
                $e
            }
            $crate::DType::BF16 => {
                type $t = $crate::scalar::bf16;
                $e
            }
            $crate::DType::U16 => {
                type $t = u16;
                $e
            }
            $crate::DType::U32 => {
                type $t = u32;
                $e
            }
            $crate::DType::U64 => {
                type $t = u64;
                $e
            }
            $crate::DType::C64 | $crate::DType::C128 => $other,
        }
    };
    ($d:expr; complex: $t:ident => $e:expr; else $other:expr) => {
        match $d {
            $crate::DType::C64 => {
                type $t = $crate::scalar::c64;
                $e
            }
            $crate::DType::C128 => {
                type $t = $crate::scalar::c128;
                $e
            }
            _ => $other,
        }
    };
    ($d:expr; num: $t:ident => $e:expr; else $other:expr) => {
        match $d {
            $crate::DType::F32 => {
                type $t = f32;
                $e
            }
            $crate::DType::F64 => {
                type $t = f64;
                $e
            }
            $crate::DType::I64 => {
                type $t = i64;
                $e
            }
            $crate::DType::I32 => {
                type $t = i32;
                $e
            }
            $crate::DType::I16 => {
                type $t = i16;
                $e
            }
            $crate::DType::I8 => {
                type $t = i8;
                $e
            }
            $crate::DType::U8 => {
                type $t = u8;
                $e
            }
            $crate::DType::U16 => {
                type $t = u16;
                $e
            }
            $crate::DType::U32 => {
                type $t = u32;
                $e
            }
            $crate::DType::U64 => {
                type $t = u64;
                $e
            }
            _ => $other,
        }
    };
    ($d:expr; float: $t:ident => $e:expr; else $other:expr) => {
        match $d {
            $crate::DType::F32 => {
                type $t = f32;
                $e
            }
            $crate::DType::F64 => {
                type $t = f64;
                $e
            }
            _ => $other,
        }
    };
    ($d:expr; any_float: $t:ident => $e:expr; else $other:expr) => {
        match $d {
            $crate::DType::F16 => {
                type $t = $crate::scalar::f16;
                $e
            }
            $crate::DType::BF16 => {
                type $t = $crate::scalar::bf16;
                $e
            }
            d => $crate::dispatch!(d; float: $t => $e; else $other),
        }
    };
    ($d:expr; int: $t:ident => $e:expr; else $other:expr) => {
        match $d {
            $crate::DType::I64 => {
                type $t = i64;
                $e
            }
            $crate::DType::I32 => {
                type $t = i32;
                $e
            }
            $crate::DType::I16 => {
                type $t = i16;
                $e
            }
            $crate::DType::I8 => {
                type $t = i8;
                $e
            }
            $crate::DType::U8 => {
                type $t = u8;
                $e
            }
            $crate::DType::U16 => {
                type $t = u16;
                $e
            }
            $crate::DType::U32 => {
                type $t = u32;
                $e
            }
            $crate::DType::U64 => {
                type $t = u64;
                $e
            }
            _ => $other,
        }
    };
}

impl DType {
    /// Every dtype.
    pub const ALL: [DType; 15] = [
        DType::F32,
        DType::F64,
        DType::I64,
        DType::I32,
        DType::I16,
        DType::I8,
        DType::U8,
        DType::Bool,
        DType::F16,
        DType::BF16,
        DType::C64,
        DType::C128,
        DType::U16,
        DType::U32,
        DType::U64,
    ];

    /// Bytes per element.
    #[must_use]
    pub fn size(self) -> usize {
        dispatch!(self; all: T => size_of::<T>())
    }

    /// torch's name without the module: `float32`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DType::F32 => "float32",
            DType::F64 => "float64",
            DType::I64 => "int64",
            DType::I32 => "int32",
            DType::I16 => "int16",
            DType::I8 => "int8",
            DType::U8 => "uint8",
            DType::Bool => "bool",
            DType::F16 => "float16",
            DType::BF16 => "bfloat16",
            DType::C64 => "complex64",
            DType::C128 => "complex128",
            DType::U16 => "uint16",
            DType::U32 => "uint32",
            DType::U64 => "uint64",
        }
    }

    /// The dtype of this name or alias (`float`, `long`, ...).
    #[must_use]
    pub fn from_name(name: &str) -> Option<DType> {
        Some(match name {
            "float32" | "float" => DType::F32,
            "float64" | "double" => DType::F64,
            "int64" | "long" => DType::I64,
            "int32" | "int" => DType::I32,
            "int16" | "short" => DType::I16,
            "int8" => DType::I8,
            "uint8" => DType::U8,
            "bool" => DType::Bool,
            "float16" | "half" => DType::F16,
            "bfloat16" => DType::BF16,
            "complex64" | "cfloat" => DType::C64,
            "complex128" | "cdouble" => DType::C128,
            "uint16" => DType::U16,
            "uint32" => DType::U32,
            "uint64" => DType::U64,
            _ => return None,
        })
    }

    /// The name that torch's kernel errors use: `Float`, `Long`, ...
    #[must_use]
    pub fn scalar_type_name(self) -> &'static str {
        match self {
            DType::F32 => "Float",
            DType::F64 => "Double",
            DType::I64 => "Long",
            DType::I32 => "Int",
            DType::I16 => "Short",
            DType::I8 => "Char",
            DType::U8 => "Byte",
            DType::Bool => "Bool",
            DType::F16 => "Half",
            DType::BF16 => "BFloat16",
            DType::C64 => "ComplexFloat",
            DType::C128 => "ComplexDouble",
            DType::U16 => "UInt16",
            DType::U32 => "UInt32",
            DType::U64 => "UInt64",
        }
    }

    /// The name that error messages from matmul use: `float`, `long int`, ...
    #[must_use]
    pub fn c_name(self) -> &'static str {
        match self {
            DType::F32 => "float",
            DType::F64 => "double",
            DType::I64 => "long int",
            DType::I32 => "int",
            DType::I16 => "short int",
            DType::I8 => "signed char",
            DType::U8 => "unsigned char",
            DType::Bool => "bool",
            DType::F16 => "c10::Half",
            DType::BF16 => "c10::BFloat16",
            DType::C64 => "c10::complex<float>",
            DType::C128 => "c10::complex<double>",
            DType::U16 => "uint16_t",
            DType::U32 => "uint32_t",
            DType::U64 => "uint64_t",
        }
    }

    /// The least and the greatest of an integer type.
    #[must_use]
    pub fn int_range(self) -> Option<(i128, i128)> {
        Some(match self {
            DType::I64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
            DType::I32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
            DType::I16 => (i128::from(i16::MIN), i128::from(i16::MAX)),
            DType::I8 => (i128::from(i8::MIN), i128::from(i8::MAX)),
            DType::U8 => (0, i128::from(u8::MAX)),
            DType::U16 => (0, i128::from(u16::MAX)),
            DType::U32 => (0, i128::from(u32::MAX)),
            DType::U64 => (0, i128::from(u64::MAX)),
            _ => return None,
        })
    }

    /// Floating point.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F64 | DType::F16 | DType::BF16)
    }

    /// A float of 16 bits: stored, but computed with as float32 and rounded after each operation.
    #[must_use]
    pub fn is_reduced(self) -> bool {
        matches!(self, DType::F16 | DType::BF16)
    }

    /// Complex numbers.
    #[must_use]
    pub fn is_complex(self) -> bool {
        matches!(self, DType::C64 | DType::C128)
    }

    /// Of the parts of a complex number; the dtype itself otherwise.
    #[must_use]
    pub fn real(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }

    /// The complex numbers whose parts are of this dtype, where there are such.
    #[must_use]
    pub fn complex(self) -> Option<DType> {
        Some(match self {
            DType::F32 | DType::C64 => DType::C64,
            DType::F64 | DType::C128 => DType::C128,
            _ => return None,
        })
    }

    /// Whether it has fractions: a float, or a complex number.
    #[must_use]
    pub fn is_inexact(self) -> bool {
        self.is_float() || self.is_complex()
    }

    /// An unsigned int that PyTorch stores and converts, and has few functions for.
    #[must_use]
    pub fn is_stored_unsigned(self) -> bool {
        matches!(self, DType::U16 | DType::U32 | DType::U64)
    }

    /// What PyTorch computes in where elements are of this dtype (`opmath_t`).
    #[must_use]
    pub fn computed_in(self) -> DType {
        if self.is_reduced() { DType::F32 } else { self }
    }

    /// The largest finite number of a float.
    #[must_use]
    pub fn largest(self) -> Option<f64> {
        Some(match self {
            DType::F32 => f64::from(f32::MAX),
            DType::F64 => f64::MAX,
            DType::F16 => f64::from(crate::scalar::f16::MAX),
            DType::BF16 => f64::from(crate::scalar::bf16::MAX),
            _ => return None,
        })
    }

    /// Integer, without bool.
    #[must_use]
    pub fn is_int(self) -> bool {
        !self.is_inexact() && self != DType::Bool
    }

    /// Which kind of Python number an element is.
    #[must_use]
    pub fn kind(self) -> ScalarKind {
        match self {
            d if d.is_float() => ScalarKind::F64,
            d if d.is_complex() => ScalarKind::C128,
            DType::Bool => ScalarKind::Bool,
            _ => ScalarKind::I64,
        }
    }

    /// `torch.promote_types`. PyTorch refuses uint16 to uint64 beside other whole numbers (see [`DType::promotes_with`]).
    #[must_use]
    pub fn promote(self, other: DType) -> DType {
        use DType::{BF16, Bool, C64, C128, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        let rank = |d: DType| match d {
            Bool => 0,
            U8 | I8 => 1,
            I16 | U16 => 2,
            I32 | U32 => 3,
            I64 | U64 => 4,
            F16 | BF16 => 5,
            F32 => 6,
            F64 => 7,
            C64 => 8,
            C128 => 9,
        };
        match (self, other) {
            (U8, I8) | (I8, U8) => I16,
            (F16, BF16) | (BF16, F16) => F32,
            (C64, F64) | (F64, C64) => C128,
            (a, b) if rank(a) >= rank(b) => a,
            (_, b) => b,
        }
    }

    /// Whether PyTorch promotes the two.
    #[must_use]
    pub fn promotes_with(self, other: DType) -> bool {
        let alone = |a: DType, b: DType| a.is_stored_unsigned() && !b.is_float();
        self == other || !alone(self, other) && !alone(other, self)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "torch.{}", self.name())
    }
}

/// Who takes part in a promotion. Tensors with dimensions outrank 0-d tensors, which outrank
/// Python numbers, within one kind (bool < int < float < complex).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Participant {
    /// A tensor of this dtype and rank.
    Tensor(DType, usize),
    /// A Python number.
    Number(ScalarKind),
}

/// `torch.result_type`, for any number of participants. `None` without any.
#[must_use]
pub fn result_type(participants: &[Participant], default_dtype: DType) -> Option<DType> {
    fn merge(slot: &mut Option<DType>, d: DType) {
        *slot = Some(slot.map_or(d, |s| s.promote(d)));
    }
    // Of a lower one only a higher kind counts; that of complex numbers keeps the precision of floats above.
    fn combine(higher: Option<DType>, lower: Option<DType>) -> Option<DType> {
        let kind = |d: DType| d.kind();
        match (higher, lower) {
            (Some(h), Some(l)) if kind(l) > kind(h) => Some(h.promote(l)),
            (Some(h), _) => Some(h),
            (None, l) => l,
        }
    }
    let (mut dims, mut zero, mut number) = (None, None, None);
    for p in participants {
        match *p {
            Participant::Tensor(d, 0) => merge(&mut zero, d),
            Participant::Tensor(d, _) => merge(&mut dims, d),
            Participant::Number(k) => merge(
                &mut number,
                match k {
                    ScalarKind::C128 => default_dtype.complex().unwrap_or(DType::C64),
                    ScalarKind::F64 => default_dtype,
                    ScalarKind::I64 => DType::I64,
                    ScalarKind::Bool => DType::Bool,
                },
            ),
        }
    }
    combine(dims, combine(zero, number))
}
