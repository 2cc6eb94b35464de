//! Types of values in the graph.
//!
//! In: Python's types of numbers, dtypes and extents. Out: types of the dialect. Always: one for each.

use janus_dialect::Type;
use janus_plan::ScalarType;
use janus_tensor::Dim;

/// The graph's type of a Python number.
pub(crate) fn type_of(ty: ScalarType) -> Type {
    match ty {
        ScalarType::Float => Type::F64,
        ScalarType::Int => Type::I64,
        ScalarType::Bool => Type::I1,
    }
}

/// The dialect's name for an element type.
pub(crate) fn element(dtype: janus_tensor::DType) -> janus_dialect::DType {
    use janus_tensor::DType as T;
    match dtype {
        T::F32 => janus_dialect::DType::F32,
        T::F64 => janus_dialect::DType::F64,
        T::I64 => janus_dialect::DType::I64,
        T::I32 => janus_dialect::DType::I32,
        T::I16 => janus_dialect::DType::I16,
        T::I8 => janus_dialect::DType::I8,
        T::U8 => janus_dialect::DType::U8,
        T::Bool => janus_dialect::DType::Bool,
        T::F16 => janus_dialect::DType::F16,
        T::BF16 => janus_dialect::DType::BF16,
        T::C64 => janus_dialect::DType::C64,
        T::C128 => janus_dialect::DType::C128,
        T::U16 => janus_dialect::DType::U16,
        T::U32 => janus_dialect::DType::U32,
        T::U64 => janus_dialect::DType::U64,
    }
}

/// The dialect's type of a tensor.
pub(crate) fn tensor_type(dtype: janus_tensor::DType, dims: &[Dim]) -> Type {
    Type::Tensor {
        dtype: element(dtype),
        dims: dims.iter().map(|d| d.known()).collect(),
    }
}
