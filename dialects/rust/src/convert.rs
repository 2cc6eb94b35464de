//! From our types, attributes and locations to MLIR's.

use crate::{
    error::DialectError,
    ffi,
    types::{Attr, DType, Loc, Predicate, Type},
};
use melior::{
    Context,
    ir::{
        Attribute, Location, Type as MlirType,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseI64ArrayAttribute, FlatSymbolRefAttribute,
            FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
        },
        r#type::{IntegerType, RankedTensorType, TypeLike},
    },
};
use mlir_sys::{
    mlirAttributeParseGet, mlirComplexTypeGet, mlirDenseElementsAttrBoolGet,
    mlirDenseElementsAttrRawBufferGet,
};

/// MLIR's sentinel for an extent known at run time only.
const DYNAMIC: u64 = i64::MIN as u64;

fn complex_of(part: MlirType<'_>) -> MlirType<'_> {
    // SAFETY: a float type is what MLIR makes a complex one of, in the context that it lives in.
    unsafe { MlirType::from_raw(mlirComplexTypeGet(part.to_raw())) }
}

fn element_type(context: &Context, dtype: DType) -> MlirType<'_> {
    match dtype {
        DType::F32 => MlirType::float32(context),
        DType::F64 => MlirType::float64(context),
        DType::I64 => IntegerType::new(context, 64).into(),
        DType::I32 => IntegerType::new(context, 32).into(),
        DType::I16 => IntegerType::new(context, 16).into(),
        DType::I8 => IntegerType::new(context, 8).into(),
        DType::U8 => IntegerType::unsigned(context, 8).into(),
        DType::Bool => IntegerType::new(context, 1).into(),
        DType::F16 => MlirType::float16(context),
        DType::BF16 => MlirType::bfloat16(context),
        DType::C64 => complex_of(MlirType::float32(context)),
        DType::C128 => complex_of(MlirType::float64(context)),
        DType::U16 => IntegerType::unsigned(context, 16).into(),
        DType::U32 => IntegerType::unsigned(context, 32).into(),
        DType::U64 => IntegerType::unsigned(context, 64).into(),
    }
}

pub(crate) fn mlir_type<'c>(context: &'c Context, ty: &Type) -> MlirType<'c> {
    match ty {
        Type::Tensor { dtype, dims } => {
            let extents: Vec<u64> = dims
                .iter()
                .map(|extent| extent.map_or(DYNAMIC, |extent| extent.max(0).unsigned_abs()))
                .collect();
            RankedTensorType::new(&extents, element_type(context, *dtype), None).into()
        }
        Type::F64 => MlirType::float64(context),
        Type::I64 => IntegerType::new(context, 64).into(),
        Type::I1 => IntegerType::new(context, 1).into(),
        Type::Index => MlirType::index(context),
        // SAFETY: the context is alive and has the janus dialect loaded; a type lives as long.
        Type::Object => unsafe { MlirType::from_raw(ffi::janusObjectTypeGet(context.to_raw())) },
        // SAFETY: as above.
        Type::Token => unsafe { MlirType::from_raw(ffi::janusTokenTypeGet(context.to_raw())) },
    }
}

pub(crate) fn location<'c>(context: &'c Context, loc: &Loc) -> Location<'c> {
    if loc.file.is_empty() {
        return Location::unknown(context);
    }
    Location::new(context, &loc.file, loc.line as usize, loc.col as usize)
}

/// The attribute `name` of the op `op`.
pub(crate) fn attribute<'c>(
    context: &'c Context,
    op: &str,
    name: &str,
    attr: &Attr,
) -> Result<Attribute<'c>, DialectError> {
    let bad = |reason: String| DialectError::BadAttribute {
        op: op.to_owned(),
        attribute: name.to_owned(),
        reason,
    };
    let integer = |value: i64| IntegerAttribute::new(mlir_type(context, &Type::I64), value).into();
    Ok(match attr {
        Attr::Str(text) if op == "janus.compare" && name == "predicate" => {
            let predicate = Predicate::from_name(text)
                .ok_or_else(|| bad(format!("'{text}' is no predicate")))?;
            integer(predicate as i64)
        }
        Attr::Predicate(predicate) => integer(*predicate as i64),
        Attr::I64(value) => integer(*value),
        Attr::F64(value) => FloatAttribute::new(context, MlirType::float64(context), *value).into(),
        Attr::Bool(value) => BoolAttribute::new(context, *value).into(),
        Attr::Index(value) => IntegerAttribute::new(MlirType::index(context), *value).into(),
        Attr::Unit => Attribute::unit(context),
        Attr::Str(text) => StringAttribute::new(context, text).into(),
        Attr::I64s(values) => DenseI64ArrayAttribute::new(context, values).into(),
        Attr::Strs(texts) => {
            let strings: Vec<Attribute> = texts
                .iter()
                .map(|text| StringAttribute::new(context, text).into())
                .collect();
            ArrayAttribute::new(context, &strings).into()
        }
        Attr::Type(ty) => TypeAttribute::new(mlir_type(context, ty)).into(),
        Attr::Dense { ty, bytes } => dense(context, ty, bytes).map_err(bad)?,
        Attr::Symbol(symbol) => FlatSymbolRefAttribute::new(context, symbol).into(),
    })
}

fn dense<'c>(context: &'c Context, ty: &Type, bytes: &[u8]) -> Result<Attribute<'c>, String> {
    let Type::Tensor { dtype, dims } = ty else {
        return Err(format!("{ty:?} is no tensor type"));
    };
    let mut count: usize = 1;
    for extent in dims {
        let extent = extent.and_then(|extent| usize::try_from(extent).ok());
        count = extent
            .and_then(|extent| count.checked_mul(extent))
            .ok_or_else(|| format!("{ty:?} is no static type"))?;
    }
    let size = dtype.size();
    if count.checked_mul(size) != Some(bytes.len()) {
        return Err(format!(
            "{} bytes do not make {count} elements of {size}",
            bytes.len()
        ));
    }
    let shaped = mlir_type(context, ty).to_raw();
    // A splat is stored, compared and folded as one element.
    let is_splat = count > 1 && bytes.chunks_exact(size).all(|one| one == &bytes[..size]);
    let stored = if is_splat { &bytes[..size] } else { bytes };
    let raw = if *dtype == DType::Bool {
        let bools: Vec<i32> = bytes.iter().map(|byte| i32::from(*byte != 0)).collect();
        // SAFETY: the pointer is to `bools.len()` ints, the element count of the type.
        unsafe { mlirDenseElementsAttrBoolGet(shaped, bools.len() as isize, bools.as_ptr()) }
    } else if count == 0 {
        let text = format!("dense<> : {}", mlir_type(context, ty));
        // SAFETY: the context is alive and the text outlives the call.
        unsafe { mlirAttributeParseGet(context.to_raw(), ffi::string_ref(&text)) }
    } else {
        // SAFETY: the pointer is to `stored.len()` bytes; MLIR checks that they fit the type.
        unsafe { mlirDenseElementsAttrRawBufferGet(shaped, stored.len(), stored.as_ptr().cast()) }
    };
    // SAFETY: the handle is the context's, or null.
    unsafe { Attribute::from_option_raw(raw) }.ok_or_else(|| format!("no constant of type {ty:?}"))
}
