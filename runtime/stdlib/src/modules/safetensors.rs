//! `_safetensors`: headers of files of tensors, read and written by the `safetensors` crate.
//!
//! In: bytes from outside. Out: what the header says, after the crate has checked it against the file's length. Always: a
//! file that is damaged is a ValueError with the crate's words; nothing is reserved by what a header claims.

use std::collections::HashMap;

use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyDict, PyResult, Raised, Value, Vm};
use safetensors::tensor::{Dtype, Metadata, TensorView};
use safetensors::{SafeTensorError, SafeTensors};

use crate::support::{bytes_like, int, module, string};

/// Bytes of the header's length, which a file begins with.
const LENGTH: usize = 8;

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_safetensors.header_length", header_length),
        NativeDef::function("_safetensors.read_header", read_header),
        NativeDef::function("_safetensors.serialize", serialize),
    ];
    Ok(Value::Module(module("_safetensors", "", FUNCTIONS)))
}

fn wrong(error: &SafeTensorError) -> Raised {
    Raised::value_error(error.to_string())
}

/// `header_length(start, size)`: how long the header of a file of `size` bytes is that begins so.
fn header_length(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [start, size] = args.exactly("header_length")?;
    let start = bytes_like(start)?;
    let size = u64::try_from(int(vm, size)?).unwrap_or(0);
    let Some(length) = start.first_chunk::<LENGTH>() else {
        return Err(wrong(&SafeTensorError::HeaderTooSmall));
    };
    let length = u64::from_le_bytes(*length);
    if length > 100_000_000 {
        return Err(wrong(&SafeTensorError::HeaderTooLarge));
    }
    if length + LENGTH as u64 > size {
        return Err(wrong(&SafeTensorError::InvalidHeaderLength));
    }
    Ok(Value::Int(length as i64))
}

/// `read_header(header, rest)`: the metadata or None, and `(name, dtype, shape, start, end)` of each tensor in the order of
/// the file, whose part behind the header has `rest` bytes.
fn read_header(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [header, rest] = args.exactly("read_header")?;
    let header = bytes_like(header)?;
    let rest = usize::try_from(int(vm, rest)?).unwrap_or(0);
    let metadata: Metadata = if header.is_empty() {
        return Err(wrong(&SafeTensorError::HeaderTooSmall));
    } else {
        parse(&header).map_err(|e| wrong(&e))?
    };
    if metadata.data_len() != rest {
        return Err(wrong(&SafeTensorError::MetadataIncompleteBuffer));
    }
    let told = metadata.metadata().as_ref().map_or(Value::None, |told| {
        let dict = PyDict::new();
        let mut told: Vec<_> = told.iter().collect();
        told.sort();
        for (key, text) in told {
            dict.set_str(key, Value::str(text.as_str()));
        }
        Value::dict(dict)
    });
    let tensors = metadata.offset_keys().into_iter().filter_map(|name| {
        let info = metadata.info(&name)?;
        let (start, end) = info.data_offsets;
        let shape: Vec<Value> = info.shape.iter().map(|&n| Value::from(n)).collect();
        Some(Value::tuple(vec![
            Value::str(name),
            Value::str(info.dtype.to_string()),
            Value::list(shape),
            Value::from(start),
            Value::from(end),
        ]))
    });
    let tensors = Value::list(tensors.collect::<Vec<_>>());
    Ok(Value::tuple(vec![told, tensors]))
}

fn parse(header: &[u8]) -> Result<Metadata, SafeTensorError> {
    let text = std::str::from_utf8(header).map_err(SafeTensorError::InvalidHeader)?;
    match serde_json::from_str::<Metadata>(text) {
        Ok(metadata) => Ok(metadata),
        // What is wrong with the offsets is told by the crate's own reader, which has an error for each; the file
        // that it is shown has no data, so that it can come to nothing else.
        Err(error) => {
            let mut alone = (header.len() as u64).to_le_bytes().to_vec();
            alone.extend(header);
            Err(SafeTensors::read_metadata(&alone)
                .err()
                .unwrap_or(SafeTensorError::InvalidHeaderDeserialization(error)))
        }
    }
}

/// `serialize(tensors, metadata)`: a file of `(name, dtype, shape, data)`, and of a dict of texts or None.
fn serialize(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [tensors, metadata] = args.exactly("serialize")?;
    let mut owned = Vec::new();
    for tensor in janus_object::ops::collect(vm, tensors)? {
        let Some([name, dtype, shape, data]) = tensor.as_tuple().map(|t| t.items.as_ref()) else {
            return Err(Raised::type_error("tuples of four were expected"));
        };
        let dtype = string(dtype, "dtype")?;
        let dtype: Dtype = serde_json::from_value(serde_json::Value::from(dtype))
            .map_err(|_| Raised::value_error(format!("dtype {dtype} is not covered")))?;
        let shape: Vec<usize> = janus_object::ops::collect(vm, shape)?
            .iter()
            .map(|extent| Ok(usize::try_from(int(vm, extent)?).unwrap_or(0)))
            .collect::<PyResult<_>>()?;
        let name = string(name, "the name of a tensor")?.to_owned();
        owned.push((name, dtype, shape, bytes_like(data)?));
    }
    let views = owned
        .iter()
        .map(|(name, dtype, shape, data)| Ok((name, TensorView::new(*dtype, shape.clone(), data)?)))
        .collect::<Result<Vec<_>, SafeTensorError>>()
        .map_err(|e| wrong(&e))?;
    let mut told = None;
    if let Some(dict) = metadata.as_dict() {
        let mut texts = HashMap::new();
        for (key, text) in dict.items() {
            let key = string(&key, "a key of metadata")?.to_owned();
            texts.insert(key, string(&text, "metadata")?.to_owned());
        }
        told = Some(texts);
    }
    safetensors::serialize(views, told)
        .map(Value::bytes)
        .map_err(|e| wrong(&e))
}
