//! `torch.save` and `torch.load`, in a format of our own.
//!
//! In: nested dicts, lists, tuples, numbers, strings, tensors. Out: bytes, and back. Always: a file
//! starts with a magic line, so that PyTorch's own files are told apart; reading never runs code.

use janus_object::{
    Args, NativeDef, Payload, PyDict, PyResult, Raised, Signature, Value, Vm, class_of, name,
};
use janus_tensor::{DType, Tensor};

use crate::objects::{classes, dtype_of, dtype_value, size_value, tensor_of, wrap, wrap_as};

const MAGIC: &[u8] = b"janus-jit tensors 1\n";

/// What stands before each value.
mod tag {
    pub const NONE: u8 = 0;
    pub const FALSE: u8 = 1;
    pub const TRUE: u8 = 2;
    pub const INT: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const STR: u8 = 5;
    pub const BYTES: u8 = 6;
    pub const LIST: u8 = 7;
    pub const TUPLE: u8 = 8;
    pub const DICT: u8 = 9;
    pub const ORDERED_DICT: u8 = 10;
    pub const TENSOR: u8 = 11;
    pub const PARAMETER: u8 = 12;
    pub const SIZE: u8 = 13;
    pub const DTYPE: u8 = 14;
}

fn put_len(out: &mut Vec<u8>, n: usize) {
    out.extend_from_slice(&(n as u64).to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    put_len(out, bytes.len());
    out.extend_from_slice(bytes);
}

fn put_all(out: &mut Vec<u8>, tag: u8, items: &[Value]) -> PyResult<()> {
    out.push(tag);
    put_len(out, items.len());
    items.iter().try_for_each(|v| write(out, v))
}

fn put_tensor(out: &mut Vec<u8>, tag: u8, t: &Tensor) -> PyResult<()> {
    out.push(tag);
    out.push(t.dtype() as u8);
    out.push(u8::from(t.requires_grad()));
    let shape = t.shape();
    put_len(out, shape.len());
    for &n in &shape {
        put_len(out, n as usize);
    }
    janus_tensor::dispatch!(t.dtype(); all: T => {
        for v in t.to_vec::<T>().map_err(crate::call::raised)? {
            match janus_tensor::Element::to_scalar(v) {
                janus_tensor::Scalar::F64(f) if t.dtype() == DType::F32 => {
                    out.extend_from_slice(&(f as f32).to_le_bytes());
                }
                janus_tensor::Scalar::F64(f) => out.extend_from_slice(&f.to_le_bytes()),
                other => out.extend_from_slice(&other.to_i64().to_le_bytes()),
            }
        }
    });
    Ok(())
}

fn write(out: &mut Vec<u8>, v: &Value) -> PyResult<()> {
    if let Some(t) = tensor_of(v) {
        let parameter = *class_of(v).name.borrow() == *name!("Parameter");
        return put_tensor(
            out,
            if parameter {
                tag::PARAMETER
            } else {
                tag::TENSOR
            },
            t,
        );
    }
    if let Some(d) = dtype_of(v).filter(|_| v.as_class().is_none()) {
        out.extend([tag::DTYPE, d as u8]);
        return Ok(());
    }
    match v {
        Value::None => out.push(tag::NONE),
        Value::Bool(b) => out.push(if *b { tag::TRUE } else { tag::FALSE }),
        Value::Int(n) => {
            out.push(tag::INT);
            out.extend_from_slice(&n.to_le_bytes());
        }
        Value::Float(f) => {
            out.push(tag::FLOAT);
            out.extend_from_slice(&f.to_le_bytes());
        }
        Value::Str(s) => put_bytes(out, tag::STR, s.as_str().as_bytes()),
        Value::Bytes(b) => put_bytes(out, tag::BYTES, &b.to_vec()),
        Value::List(l) => put_all(out, tag::LIST, &l.to_vec())?,
        Value::Tuple(t) => put_all(out, tag::TUPLE, &t.items)?,
        Value::Dict(d) => put_dict(out, tag::DICT, d)?,
        Value::Instance(i) => match &i.payload {
            // OrderedDict, defaultdict, Counter
            Payload::Dict(d) => put_dict(out, tag::ORDERED_DICT, d)?,
            Payload::Tuple(t) if std::rc::Rc::ptr_eq(&i.class.borrow(), &classes().size) => {
                put_all(out, tag::SIZE, &t.items)?;
            }
            _ => return Err(unsupported(v)),
        },
        other => return Err(unsupported(other)),
    }
    Ok(())
}

fn put_dict(out: &mut Vec<u8>, tag: u8, d: &PyDict) -> PyResult<()> {
    out.push(tag);
    put_len(out, d.len());
    for (key, value) in d.items() {
        write(out, &key)?;
        write(out, &value)?;
    }
    Ok(())
}

#[cold]
fn unsupported(v: &Value) -> Raised {
    Raised::not_implemented(format!(
        "torch.save of a '{}' is not implemented in janus-jit yet; save a state_dict() instead",
        v.type_name()
    ))
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

#[cold]
fn broken() -> Raised {
    Raised::runtime_error("torch.load: the file is damaged")
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> PyResult<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(n).ok_or_else(broken)?;
        self.0 = rest;
        Ok(head)
    }

    fn byte(&mut self) -> PyResult<u8> {
        self.take(1)?.first().copied().ok_or_else(broken)
    }

    fn eight(&mut self) -> PyResult<[u8; 8]> {
        self.take(8)?.try_into().map_err(|_| broken())
    }

    /// A count of things that take at least one byte each (`unit` bytes for tensors).
    fn len(&mut self, unit: usize) -> PyResult<usize> {
        let n = u64::from_le_bytes(self.eight()?) as usize;
        if n.checked_mul(unit).is_none_or(|bytes| bytes > self.0.len()) {
            return Err(broken());
        }
        Ok(n)
    }

    fn text(&mut self) -> PyResult<&'a [u8]> {
        let n = self.len(1)?;
        self.take(n)
    }

    fn dtype(&mut self) -> PyResult<DType> {
        let code = self.byte()?;
        DType::ALL
            .into_iter()
            .find(|d| *d as u8 == code)
            .ok_or_else(broken)
    }

    fn tensor(&mut self) -> PyResult<Tensor> {
        let dtype = self.dtype()?;
        let requires_grad = self.byte()? != 0;
        let rank = self.len(8)?;
        let mut shape = Vec::with_capacity(rank);
        for _ in 0..rank {
            shape.push(i64::from_le_bytes(self.eight()?));
        }
        let n = janus_tensor::shape::checked_numel(&shape).map_err(|_| broken())? as usize;
        let unit = if dtype == DType::F32 { 4 } else { 8 };
        let bytes = self.take(n.checked_mul(unit).ok_or_else(broken)?)?;
        let mut data = Vec::with_capacity(n);
        for chunk in bytes.chunks_exact(unit) {
            data.push(match (dtype, chunk.try_into(), chunk.try_into()) {
                (DType::F32, Ok(b), _) => {
                    janus_tensor::Scalar::F64(f64::from(f32::from_le_bytes(b)))
                }
                (DType::F64, _, Ok(b)) => janus_tensor::Scalar::F64(f64::from_le_bytes(b)),
                (_, _, Ok(b)) => janus_tensor::Scalar::I64(i64::from_le_bytes(b)),
                _ => return Err(broken()),
            });
        }
        let t = Tensor::from_scalars(&data, &shape, dtype).map_err(crate::call::raised)?;
        t.set_requires_grad(requires_grad)
            .map_err(crate::call::raised)?;
        Ok(t)
    }

    fn values(&mut self, vm: &mut dyn Vm) -> PyResult<Vec<Value>> {
        let n = self.len(1)?;
        (0..n).map(|_| self.value(vm)).collect()
    }

    fn dict(&mut self, vm: &mut dyn Vm) -> PyResult<PyDict> {
        let dict = PyDict::new();
        for _ in 0..self.len(2)? {
            let (key, value) = (self.value(vm)?, self.value(vm)?);
            dict.set(vm, key, value)?;
        }
        Ok(dict)
    }

    fn value(&mut self, vm: &mut dyn Vm) -> PyResult {
        vm.enter()?;
        let value = self.value_inside(vm);
        vm.leave();
        value
    }

    fn value_inside(&mut self, vm: &mut dyn Vm) -> PyResult {
        Ok(match self.byte()? {
            tag::NONE => Value::None,
            tag::FALSE => Value::Bool(false),
            tag::TRUE => Value::Bool(true),
            tag::INT => Value::Int(i64::from_le_bytes(self.eight()?)),
            tag::FLOAT => Value::Float(f64::from_le_bytes(self.eight()?)),
            tag::STR => {
                let text = std::str::from_utf8(self.text()?).map_err(|_| broken())?;
                Value::str(text)
            }
            tag::BYTES => Value::bytes(self.text()?.to_vec()),
            tag::LIST => Value::list(self.values(vm)?),
            tag::TUPLE => Value::tuple(self.values(vm)?),
            tag::SIZE => size_value(self.values(vm)?),
            tag::DICT => Value::dict(self.dict(vm)?),
            tag::ORDERED_DICT => {
                let plain = Value::dict(self.dict(vm)?);
                let collections = vm.import("collections")?;
                let class = janus_object::attr::get(vm, &collections, name!("OrderedDict"))?;
                vm.call(&class, Args::new(&[plain]))?
            }
            tag::TENSOR => wrap(self.tensor()?),
            tag::PARAMETER => {
                let t = self.tensor()?;
                let module = vm.import("torch.nn.parameter")?;
                let class = janus_object::attr::get(vm, &module, name!("Parameter"))?;
                match class.as_class() {
                    Some(class) => wrap_as(class, t),
                    None => wrap(t),
                }
            }
            tag::DTYPE => dtype_value(self.dtype()?),
            _ => return Err(broken()),
        })
    }
}

static SAVE: Signature<2> = Signature::new("save", ["obj", "f"]);

/// The path of a string or of an object with `__fspath__`; none for files.
fn path_of(vm: &mut dyn Vm, f: &Value) -> PyResult<Option<String>> {
    if let Some(path) = f.as_str() {
        return Ok(Some(path.to_owned()));
    }
    match janus_object::attr::get_opt(vm, f, name!("__fspath__"))? {
        Some(method) => {
            let path = vm.call(&method, Args::new(&[]))?;
            Ok(path.as_str().map(str::to_owned))
        }
        None => Ok(None),
    }
}

fn save(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let kept: Vec<_> = args
        .kw
        .iter()
        .filter(|(n, _)| matches!(n.as_str(), "obj" | "f"))
        .cloned()
        .collect();
    let [object, f] = SAVE.parse(Args::with_kw(args.pos.get(..2).unwrap_or(args.pos), &kept))?;
    let (Some(object), Some(f)) = (object, f) else {
        return Ok(Value::None);
    };
    let mut out = MAGIC.to_vec();
    write(&mut out, &object)?;
    match path_of(vm, &f)? {
        Some(path) => {
            if let Err(e) = std::fs::write(&path, &out) {
                if e.kind() == std::io::ErrorKind::NotFound {
                    let parent = std::path::Path::new(&path).parent();
                    return Err(Raised::runtime_error(format!(
                        "Parent directory {} does not exist.",
                        parent.map(|p| p.display().to_string()).unwrap_or_default()
                    )));
                }
                return Err(Raised::io_error(&e, Some(Value::str(path))));
            }
        }
        None => {
            vm.call_method(&f, name!("write"), Args::new(&[Value::bytes(out)]))?;
        }
    }
    Ok(Value::None)
}

fn load(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some(f) = args.pos.first().or(args.keyword("f")).cloned() else {
        return Err(Raised::type_error(
            "load() missing 1 required positional argument: 'f'",
        ));
    };
    let bytes = match path_of(vm, &f)? {
        Some(path) => {
            std::fs::read(&path).map_err(|e| Raised::io_error(&e, Some(Value::str(path))))?
        }
        None => {
            let read = vm.call_method(&f, name!("read"), Args::new(&[]))?;
            read.as_bytes().map(|b| b.to_vec()).ok_or_else(broken)?
        }
    };
    let Some(body) = bytes.strip_prefix(MAGIC) else {
        return Err(Raised::not_implemented(
            "torch.load of a file that PyTorch wrote is not implemented in janus-jit yet",
        ));
    };
    Reader(body).value(vm)
}

/// `Tensor.__reduce_ex__`: pickles hold a tensor as files do.
pub(crate) fn reduce_ex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some(tensor) = args.pos.first() else {
        return Err(Raised::type_error("__reduce_ex__() needs a tensor"));
    };
    let mut out = Vec::new();
    write(&mut out, tensor)?;
    let module = vm.import("torch._tensor")?;
    let rebuild = janus_object::attr::get(vm, &module, name!("_rebuild"))?;
    let args = Value::tuple(vec![Value::bytes(out)]);
    Ok(Value::tuple(vec![rebuild, args]))
}

fn from_bytes(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [data] = args.exactly("_from_bytes")?;
    let bytes = data.as_bytes().map(|b| b.to_vec()).ok_or_else(broken)?;
    Reader(&bytes).value(vm)
}

/// `torch.save`, `torch.load`.
pub const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._from_bytes", from_bytes),
    NativeDef::function("torch.save", save),
    NativeDef::function("torch.load", load),
];
